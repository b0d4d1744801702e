// The normalizer's API: options, misuse, chunks of all kinds, big input.

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { test } from "node:test";
import { AgentUiEventsError, Normalizer, detect, dialects, reply, textOf } from "../dist/index.js";
import { named } from "./cases.mjs";

const message = (text) =>
  `${JSON.stringify({ update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text } } })}\n`;
const code = (code, pattern = /./) => (error) => {
  assert.ok(error instanceof AgentUiEventsError, String(error));
  assert.equal(error.code, code);
  assert.match(error.message, pattern);
  return true;
};

test("an unknown option is refused and the right names are told", () => {
  assert.throws(() => new Normalizer({ dialekt: "auto" }), code("option.unknown", /dialect, container, updates/));
  assert.throws(() => new Normalizer({ limits: { maxBytes: 1 } }), code("option.unknown", /maxRecordBytes/));
});

test("a wrong value is refused and the right words are told", () => {
  assert.throws(() => new Normalizer({ updates: "some" }), code("option.value", /all.*core/));
  assert.throws(() => new Normalizer({ raw: "json" }), code("option.value", /value.*text.*none/));
  assert.throws(() => new Normalizer({ dialect: "nobody" }), code("option.dialect", /evolve/));
  assert.throws(() => new Normalizer({ limits: { maxRecordBytes: -1 } }), code("option.value", /maxRecordBytes/));
  assert.throws(() => new Normalizer(7), code("option.value"));
});

test("calls in the wrong order name the right one", () => {
  const normalizer = new Normalizer();
  normalizer.end();
  assert.deepEqual(normalizer.end(), []);
  assert.throws(() => normalizer.push("x"), code("misuse.ended", /new Normalizer/));
  normalizer.close();
  normalizer.close();
  assert.throws(() => normalizer.report(), code("misuse.closed"));
});

test("what is no chunk is refused, and the stream goes on", () => {
  const normalizer = new Normalizer({ dialect: "evolve" });
  assert.throws(() => normalizer.push(7), code("misuse.chunk", /number/));
  assert.throws(() => normalizer.push(null), code("misuse.chunk", /null/));
  assert.equal(normalizer.push(message("still here")).length, 1);
});

test("buffers and views of all kinds are chunks", () => {
  const bytes = new TextEncoder().encode(message("view"));
  const padded = new Uint8Array(bytes.length + 8);
  padded.set(bytes, 4);
  const kinds = [
    bytes,
    bytes.buffer,
    new DataView(padded.buffer, 4, bytes.length),
    padded.subarray(4, 4 + bytes.length),
    Buffer.from(bytes),
  ];
  for (const kind of kinds) {
    const [event] = new Normalizer({ dialect: "evolve" }).push(kind);
    assert.equal(textOf(event), "view");
  }
});

test("a line of 5 MB grows memory and no view dies", () => {
  const text = `${"ä\u{1F600}x".repeat(800_000)}`;
  for (const chunk of [message(text), new TextEncoder().encode(message(text))]) {
    const normalizer = new Normalizer({ dialect: "evolve" });
    const before = normalizer.push(message("before"));
    const events = normalizer.push(chunk);
    assert.equal(events.length, 1);
    assert.ok(textOf(events[0]) === text);
    assert.equal(textOf(before[0]), "before");
    assert.equal(textOf(normalizer.push(message("after"))[0]), "after");
  }
});

test("an unpaired half becomes U+FFFD and joins with no later byte", () => {
  const normalizer = new Normalizer();
  normalizer.push("a\ud83d");
  normalizer.push(new Uint8Array());
  assert.equal(textOf(normalizer.push(new TextEncoder().encode("b\n")).concat(normalizer.end())[0]), "a\ufffdb");
  const open = new Normalizer();
  open.push("x\ud83d");
  assert.equal(textOf(open.end()[0]), "x\ufffd");
});

test("events of one batch with the same extra do not share it", () => {
  for (const members of ['"a":1,"__proto__":"x"', '"a":1,"deep":{"b":[1]}']) {
    const line = message("t").replace(/}\n$/, `,"extra":{${members}}}\n`);
    const events = new Normalizer({ dialect: "evolve" }).push(line.repeat(3)).filter(({ extra }) => extra);
    assert.equal(events.length, 3);
    const expected = JSON.parse(`{${members}}`);
    for (const { extra } of events) {
      assert.deepEqual(extra, expected);
      assert.deepEqual(Object.keys(extra), Object.keys(expected));
      extra.a = 2;
      if (extra.deep) extra.deep.b.push(2);
    }
  }
});

test("raw decides what becomes of raw values", () => {
  const { bytes } = named("evolve/content-of-one-message");
  const input = (raw) =>
    new Normalizer({ dialect: "evolve", raw }).push(bytes).find(({ update }) => update.sessionUpdate === "tool_call").update;
  assert.deepEqual(input("value").rawInput, { command: "open --lock 3" });
  assert.equal(input("text").rawInput, '{"command":"open --lock 3"}');
  assert.equal("rawInput" in input("none"), false);
});

test("a key called __proto__ stays a key", () => {
  const line = '{"update":{"sessionUpdate":"tool_call","toolCallId":"t","title":"t","rawInput":{"__proto__":{"a":1}}}}\n';
  const [event] = new Normalizer({ dialect: "evolve" }).push(line);
  assert.deepEqual(Object.keys(event.update.rawInput), ["__proto__"]);
  assert.equal({}.a, undefined);
});

test("a raw output that says its content again is the value that its JSON says", () => {
  const text = "7\tline → of \"text\" \\ 🌊\n".repeat(60);
  const [literal, ascii] = [JSON.stringify(text), JSON.stringify("plain ".repeat(200))];
  const outputs = [
    literal,
    `{"stdout":${literal},"stderr":"","more":{"stdout":${literal}}}`,
    `{ "first" : 1 , "text" : ${literal} }`,
    `{"7":${literal},"a":0,"3":[${literal}]}`,
    `{"a":${literal},"a":1}`,
    `{"a":1,"a":${literal}}`,
    `{"__proto__":${literal},"a":${literal}}`,
    `{"→":${literal},"":${literal}}`,
    `[${literal}]`,
    `{"stdout":${ascii}}`,
  ];
  const line = (content, output, number) =>
    `{"update":{"sessionUpdate":"tool_call_update","toolCallId":"call${number}","status":"completed",` +
    `"content":[{"type":"content","content":{"type":"text","text":${content}}}],"rawOutput":${output}}}\n`;
  const lines = [literal, ascii].flatMap((content) => outputs.map((output, number) => line(content, output, number)));
  const all = lines.join(message("between"));
  const read = (raw) => new Normalizer({ dialect: "evolve", raw }).push(all);
  const expected = read("text");
  for (const { update } of expected) if (update.rawOutput) update.rawOutput = JSON.parse(update.rawOutput);
  assert.ok(expected.filter(({ update }) => update.rawOutput).length >= outputs.length);
  const events = read("value");
  assert.deepEqual(events, expected);
  // The order of members too.
  assert.equal(JSON.stringify(events), JSON.stringify(expected));
});

test("the report counts and says why", () => {
  const normalizer = new Normalizer();
  normalizer.push(named("evolve/content-of-one-message").bytes);
  normalizer.end();
  const report = normalizer.report();
  assert.equal(report.dialect, "evolve");
  assert.equal(report.container, "json-lines");
  assert.equal(report.didWork, true);
  assert.equal(report.records, 11);
  assert.equal(report.usage.source, "runs");
  assert.deepEqual(report.usage.total.promptTokens, 900);
});

test("detect tells dialect and container, for bytes and for text", () => {
  const { bytes } = named("evolve/content-of-one-message");
  assert.equal(detect(bytes).dialect, "evolve");
  assert.equal(detect(new TextDecoder().decode(bytes)).dialect, "evolve");
  assert.equal(detect("data: {}\n\n").container, "sse");
  assert.ok(dialects().includes("evolve"));
});

test("a reply where no channel leads back is refused", () => {
  const update = { sessionUpdate: "interrupt", interruptId: "i", options: [], questions: [] };
  assert.throws(() => reply({ update }, { cancel: true }, { dialect: "nobody" }), code("option.dialect"));
  assert.throws(() => reply({ update }, { cancel: true }), code("option.value"));
});

test("`using` closes it where the platform knows the symbol", { skip: !Symbol.dispose }, () => {
  const normalizer = new Normalizer();
  normalizer[Symbol.dispose]();
  assert.throws(() => normalizer.push("x"), code("misuse.closed"));
});

test("the CommonJS build works alone", () => {
  const required = createRequire(import.meta.url)("../dist/index.cjs");
  const [event] = new required.Normalizer({ dialect: "evolve" }).push(message("required"));
  assert.equal(required.textOf(event), "required");
});
