// The transcript's API: what changed, identity of what did not, subscriptions.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Transcript, read } from "./package.mjs";
import { cases, named } from "./cases.mjs";

const line = (update, envelope = {}) => `${JSON.stringify({ ...envelope, update })}\n`;
const text = (words, messageId) =>
  line({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: words } }, { messageId });
const call = (id, fields = {}) =>
  line({ sessionUpdate: "tool_call", toolCallId: id, title: id, kind: "other", status: "pending", ...fields });
const update = (id, fields) => line({ sessionUpdate: "tool_call_update", toolCallId: id, ...fields });
const evolve = () => new Transcript({ dialect: "evolve" });
const frame = () => new Promise((resolve) => setTimeout(resolve, 20));

/** A promise that a subscription settles, so that no test waits for a time. */
function told(transcript) {
  return new Promise((resolve) => {
    const stop = transcript.subscribe(() => {
      stop();
      resolve();
    });
  });
}

test("a push tells what it created and what it changed", () => {
  const transcript = evolve();
  assert.deepEqual(transcript.push(text("a", "m1") + call("t1")), {
    revision: 1, created: [0, 2], changed: [], state: false,
  });
  const change = transcript.push(update("t1", { status: "completed" }) + text("b", "m2"));
  assert.deepEqual([change.created, change.changed], [[2, 3], [[1, 2]]]);
  assert.equal(transcript.length, 3);
  assert.equal(transcript.end().revision, transcript.revision);
});

test("an item that did not change is the same object, one that did is another", () => {
  const transcript = evolve();
  transcript.push(text("a", "m1") + call("t1") + text("b", "m2"));
  const before = transcript.items();
  transcript.push(update("t1", { status: "completed" }));
  const after = transcript.items();
  assert.equal(after[0], before[0]);
  assert.notEqual(after[1], before[1]);
  assert.equal(before[1].status, "pending");
  assert.equal(after[1].status, "completed");
  assert.equal(transcript.items(2, 3)[0], before[2]);
});

test("growing text crosses as its tail and reads as a whole", () => {
  const transcript = evolve();
  let whole = "";
  for (let i = 0; i < 50; i++) {
    const piece = `${i} \u{1F600} `;
    whole += piece;
    transcript.push(text(piece, "m1"));
    if (i % 3 === 0) assert.equal(transcript.items()[0].text, whole);
  }
  assert.equal(transcript.item(0).text, whole);
});

test("what crosses for a growing text grows with the text, not with its square", () => {
  const transcript = evolve();
  const engine = transcript[Symbol.for("agent-ui-events.engine")];
  const { prototype } = engine.glue.TranscriptHandle;
  const { items } = prototype;
  let crossed = 0;
  prototype.items = function (...range) {
    const window = items.apply(this, range);
    const [, words, , text, , ends] = engine.words().subarray(window >>> 2);
    crossed += words * 4 + text + ends * 4;
    return window;
  };
  const piece = "x".repeat(10_000);
  for (let i = 0; i < 100; i++) {
    transcript.push(text(piece, "m1"));
    transcript.items();
  }
  assert.equal(transcript.item(0).text.length, 1_000_000);
  // The text once, the item's other fields once, and a few words each time.
  assert.ok(crossed < 1_000_000 + 500 + 100 * 64, `${crossed} bytes`);
});

test("a text taken with its pushes, now and then or asked for is the same", () => {
  const words = ["a", " bcd", "é", "\u{1F600}", " more than thirty-two letters in one piece, and then some", "", "x".repeat(300)];
  for (let seed = 1; seed <= 40; seed++) {
    let state = seed;
    const roll = (sides) => (state = (state * 48271) % 2147483647) % sides;
    const transcript = evolve();
    const pieces = [];
    for (let step = 0; step < 120; step++) {
      const sort = roll(20);
      if (sort === 0) pieces.push(update("t1", { inputDelta: "{" }));
      else if (sort === 1) pieces.push(call(`t${step}`));
      else pieces.push(text(words[roll(words.length)], `m${roll(20) === 0 ? step : 1}`));
      transcript.push(pieces.at(-1));
      const { length } = transcript;
      if (roll(3) > 0) transcript.items(Math.max(0, length - 1 - roll(4)), length);
      if (roll(9) === 0) transcript.items(0, roll(length + 1));
      if (roll(9) === 0) transcript.report();
    }
    const once = evolve();
    once.push(pieces.join(""));
    const plain = (items) => items.map(({ revision, ...item }) => JSON.stringify(item));
    assert.deepEqual(plain(transcript.items()), plain(once.items()), `seed ${seed}`);
  }
});

test("an item that grew has the keys of one read at once, in their order", () => {
  const often = evolve();
  const pieces = [call("t1"), update("t1", { inputDelta: "{" }), update("t1", { inputDelta: "}" })];
  pieces.push(update("t1", { outputDelta: { text: "zwö" } }), update("t1", { outputDelta: { text: "\u{1F600}" } }));
  pieces.push(text("a", "m1"), text("\u{1F600}b", "m1"), text("c", "m1"));
  for (const piece of pieces) {
    often.push(piece);
    often.items();
  }
  const once = evolve();
  once.push(pieces.join(""));
  const plain = (items) => JSON.stringify(items.map(({ revision, ...item }) => item));
  assert.equal(plain(often.items()), plain(once.items()));
  assert.equal(often.item(1).revision, often.revision);
  assert.equal(often.item(1).sourceCount, 3);
});

test("objects beyond the last 2,048 are made anew, and no text is lost by it", () => {
  const transcript = evolve();
  const count = 4000;
  const pieces = Array.from({ length: count }, (_, i) => text(`a${i}`, `m${i}`));
  for (const piece of pieces) transcript.push(piece);
  const first = transcript.item(0);
  const all = transcript.items();
  assert.equal(all[0], first);
  // As many as one call asks for stay together, however many.
  assert.deepEqual(transcript.items().findIndex((item, i) => item !== all[i]), -1);
  // Those of some earlier calls too.
  for (let turn = 0; turn < 16; turn++) assert.equal(transcript.items(count - 50)[0], all[count - 50]);
  assert.equal(transcript.item(0), first);
  for (let turn = 0; turn < 18; turn++) transcript.items(count - 50);
  assert.equal(transcript.item(0), first, "came back, so it left late");
  assert.notEqual(transcript.item(1), all[1]);
  assert.deepEqual(transcript.item(1), all[1]);
  assert.equal(transcript.item(2500), all[2500]);
  pieces.push(text("b", `m${count - 1}`), text("b", "m1"), text("b", "m2500"));
  transcript.push(pieces.slice(count).join(""));
  const once = evolve();
  once.push(pieces.join(""));
  assert.deepEqual(transcript.items().map((item) => item.text), once.items().map((item) => item.text));
});

test("of long texts fewer objects stay, but those of views that take turns do", () => {
  const transcript = evolve();
  for (let i = 0; i < 40; i++) transcript.push(text(`${i} `.padEnd(100_000, "é"), `m${i}`));
  const early = transcript.items(0, 10);
  const late = transcript.items(30, 40);
  for (let turn = 0; turn < 50; turn++) {
    assert.equal(transcript.items(0, 10)[3], early[3]);
    assert.equal(transcript.items(30, 40)[3], late[3]);
  }
  for (let turn = 0; turn < 50; turn++) transcript.items(20, 30);
  assert.equal(transcript.item(39), late[9], "left behind last");
  assert.notEqual(transcript.item(0), early[0]);
  assert.deepEqual(transcript.item(0), early[0]);
});

test("printed output grows the same way, with its streams", () => {
  const transcript = evolve();
  transcript.push(call("t1"));
  transcript.push(update("t1", { outputDelta: { text: "one ", stream: "stdout" } }));
  assert.equal(transcript.item(0).outputText, "one ");
  transcript.push(update("t1", { outputDelta: { text: "zwö\u{1F600}", stream: "stderr" } }));
  const { outputText, outputStreams } = transcript.item(0);
  assert.equal(outputText, "one zwö\u{1F600}");
  assert.deepEqual(outputStreams, [{ stream: "stdout", end: 4 }, { stream: "stderr", end: 9 }]);
});

test("a large raw input stays inside until somebody asks", () => {
  const transcript = evolve();
  const large = { words: "x".repeat(20_000) };
  transcript.push(call("t1", { rawInput: large }) + call("t2", { rawInput: { small: 1 } }));
  const [first, second] = transcript.items();
  assert.equal(first.rawInput, undefined);
  assert.ok(first.rawInputBytes > 20_000);
  assert.deepEqual(transcript.rawInput(0), large);
  assert.deepEqual(second.rawInput, { small: 1 });
  assert.equal(transcript.rawOutput(1), undefined);
});

test("one push of many slices is one change", () => {
  const transcript = evolve();
  const change = transcript.push(text("y".repeat(3_000_000), "m1") + text("z".repeat(1_000_000), "m1") + call("t"));
  assert.deepEqual([change.created, change.changed], [[0, 2], []]);
  assert.equal(transcript.item(0).text.length, 4_000_000);
});

test("items agree with the events in every case, whenever they are asked for", async () => {
  for (const { name, bytes, options } of cases) {
    const often = new Transcript(options);
    for (let at = 0; at < bytes.length; at += 97) {
      often.push(bytes.subarray(at, at + 97));
      often.items();
    }
    often.end();
    const once = new Transcript(options);
    once.push(bytes);
    once.end();
    // As text: the order of the keys does not depend on when they were asked for either.
    const plain = (items) => items.map(({ revision, ...item }) => JSON.stringify(item));
    assert.deepEqual(plain(often.items()), plain(once.items()), name);
    assert.deepEqual(often.session(), once.session(), name);
    assert.deepEqual(often.agents(), once.agents(), name);
    assert.deepEqual(often.report(), once.report(), name);

    const texts = new Map();
    for await (const batch of read(bytes, options)) {
      for (const { update, item } of batch) {
        if (/_chunk$/.test(update.sessionUpdate) && update.content.type === "text") {
          texts.set(item, (texts.get(item) ?? "") + update.content.text);
        } else if (update.sessionUpdate === "message_end" && update.content !== undefined) {
          texts.set(item, update.content);
        }
      }
    }
    const kept = once.items().filter((item) => item.type === "text" && item.text !== "");
    assert.deepEqual(new Map(kept.map(({ item, text }) => [item, text])), new Map([...texts].filter(([, text]) => text)), name);
    often.close();
    once.close();
  }
});

test("the snapshot is the same object until something changed", () => {
  const transcript = evolve();
  const { getSnapshot } = transcript;
  const before = getSnapshot();
  assert.equal(getSnapshot(), before);
  transcript.push("\n");
  assert.equal(getSnapshot(), before);
  transcript.push(text("a", "m1"));
  const after = getSnapshot();
  assert.notEqual(after, before);
  assert.equal(getSnapshot(), after);
  assert.deepEqual(after, { revision: 1, length: 1, ended: false });
  assert.ok(Object.isFrozen(after));
  transcript.end();
  assert.equal(getSnapshot().ended, true);
});

test("many pushes in one frame are one notification", async () => {
  const transcript = evolve();
  let count = 0;
  transcript.subscribe(() => (count += 1));
  const first = told(transcript);
  for (let i = 0; i < 10; i++) transcript.push(text(`${i}`, "m1"));
  assert.equal(count, 0, "never inside a push");
  await first;
  assert.equal(count, 1);
});

test("a subscriber that throws is reported and dropped; others and the state stay", async () => {
  const transcript = evolve();
  const reported = [];
  const original = globalThis.reportError;
  globalThis.reportError = (error) => reported.push(error.message);
  try {
    let bad = 0;
    transcript.subscribe(() => {
      bad += 1;
      throw new Error("mine");
    });
    for (const word of ["a", "b"]) {
      const next = told(transcript);
      transcript.push(text(word, "m1"));
      await next;
    }
    assert.equal(bad, 1);
    assert.deepEqual(reported, ["mine"]);
    assert.equal(transcript.item(0).text, "ab");
  } finally {
    globalThis.reportError = original;
  }
});

test("who unsubscribed is not told, and nobody after close", async () => {
  const transcript = evolve();
  let count = 0;
  const stop = transcript.subscribe(() => (count += 1));
  transcript.push(text("a", "m1"));
  stop();
  const other = evolve();
  other.subscribe(() => (count += 1));
  other.push(text("a", "m1"));
  other.close();
  await frame();
  assert.equal(count, 0);
});

test("objects stay valid after close, calls are refused", () => {
  const transcript = evolve();
  transcript.push(text("kept", "m1"));
  const [item] = transcript.items();
  transcript.close();
  transcript.close();
  assert.equal(item.text, "kept");
  assert.equal(transcript.getSnapshot().length, 1);
  assert.throws(() => transcript.items(), { code: "misuse.closed" });
});

test("a card leads to its item and to what stands under it", () => {
  const transcript = new Transcript({ dialect: "evolve" });
  transcript.push(call("task"));
  transcript.push(line({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: "sub" } }, { parentToolCallId: "task" }));
  assert.equal(transcript.card("task"), 0);
  assert.deepEqual(transcript.children("task"), [1]);
  assert.equal(transcript.card("nobody"), undefined);
});

test("a plan, an interrupt and a session are in reach", () => {
  const transcript = new Transcript({ dialect: "vent" });
  transcript.push(named("vent/three-interrupt-forms").bytes);
  const open = transcript.openInterrupts();
  const asked = transcript.items().filter(({ type }) => type === "interrupt");
  assert.ok(asked.length > 0);
  assert.ok(open.every((number) => transcript.item(number).type === "interrupt"));
  assert.equal(typeof transcript.session().runs, "object");
  const planned = new Transcript({ dialect: "codex" });
  planned.push(named("codex/a-todo-list-is-a-plan").bytes);
  assert.equal(planned.item(planned.plan()).type, "plan");
});

test("an item leads to its records", () => {
  const transcript = evolve();
  transcript.push(text("a", "m1") + text("b", "m1"));
  const { source, sourceCount } = transcript.item(0);
  const sources = transcript.sources(0);
  assert.deepEqual(sources.map(({ line }) => line), [1, 2]);
  assert.deepEqual(sources[0], source);
  assert.equal(sourceCount, 2);
  assert.deepEqual(transcript.sources(1), []);
});

test("item numbers that are none are refused", () => {
  assert.throws(() => evolve().items(-1), { code: "misuse.number" });
  assert.throws(() => evolve().items(0, 1.5), { code: "misuse.number" });
  assert.deepEqual(evolve().items(0, 10), []);
});

test("several files of one run go into one transcript, and sources name theirs", async () => {
  const line = (text) =>
    `${JSON.stringify({ update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text } } })}\n`;
  const transcript = new Transcript({ dialect: "evolve" });
  transcript.push(line("main"));
  const child = transcript.input("child.jsonl");
  assert.equal(child.name, "child.jsonl");
  child.push(line("child").slice(0, 20));
  child.push(line("child").slice(20));
  await transcript.input("other.jsonl").read(new Blob([line("other")]));
  child.push("{broken\n");
  child.end();
  assert.throws(() => child.push("x"), { code: "misuse.ended" });
  const sources = transcript.items().flatMap((item) => transcript.sources(item.item).map(({ input }) => input));
  assert.deepEqual(new Set(sources), new Set([undefined, "child.jsonl", "other.jsonl"]));
  assert.equal(transcript.items()[0].source.input, undefined);
  transcript.end();
  const [broken] = transcript.report().diagnostics.filter(({ code }) => code === "json.truncated" || code === "json.invalid");
  assert.deepEqual([broken.input, broken.line], ["child.jsonl", 2]);
  transcript.close();
});
