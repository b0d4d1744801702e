// Every case gives in JavaScript the events it gives in Rust, however it is cut.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Normalizer, checkNormalForm } from "./package.mjs";
import { cases, shown } from "./cases.mjs";

function run(chunks, options) {
  const normalizer = new Normalizer(options);
  const events = [];
  for (const chunk of chunks) events.push(...normalizer.push(chunk));
  events.push(...normalizer.end());
  normalizer.close();
  return events;
}

/** The text, or undefined where the bytes are not UTF-8. */
function textOf(bytes) {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

test("there are cases of several dialects", () => {
  assert.ok(new Set(cases.map(({ name }) => name.split("/")[0])).size > 3);
});

test("one push gives the expected events", () => {
  for (const { name, bytes, options, expected } of cases) {
    assert.deepEqual(run([bytes], options).map(shown), expected, name);
  }
});

test("byte by byte gives the same events", () => {
  for (const { name, bytes, options } of cases) {
    const single = Array.from(bytes, (byte) => Uint8Array.of(byte));
    assert.deepEqual(run(single, options), run([bytes], options), name);
  }
});

test("strings of one UTF-16 unit each, halves of pairs among them, give the same events", () => {
  let halves = 0;
  for (const { name, bytes, options } of cases) {
    const text = textOf(bytes);
    if (text === undefined) continue;
    const units = text.split("");
    halves += units.filter((unit) => /[\ud800-\udbff]/.test(unit)).length;
    assert.deepEqual(run(units, options), run([bytes], options), name);
  }
  const line = '{"update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"a \u{1F600} b"}}}\n';
  assert.deepEqual(run(line.split(""), {}), run([line], {}));
  assert.equal(run(line.split(""), {})[0].update.content.text, "a \u{1F600} b", `${halves} halves in the cases`);
});

test("seq counts from 0 without a gap, whatever the cuts", () => {
  for (const { name, bytes, options } of cases) {
    const events = run([bytes.subarray(0, 10), bytes.subarray(10)], options);
    assert.deepEqual(events.map(({ seq }) => seq), events.map((_, index) => index), name);
  }
});

test("the events are in normal form", () => {
  for (const { name, bytes, options } of cases) assert.deepEqual(checkNormalForm(run([bytes], options)), [], name);
});

test("checkNormalForm sees a card that comes twice", () => {
  const call = { sessionUpdate: "tool_call", toolCallId: "t", title: "t", kind: "other", status: "pending" };
  const source = { offset: 0, length: 1, line: 1 };
  const events = [0, 1].map((seq) => ({ seq, item: seq, update: call, source }));
  assert.ok(checkNormalForm(events).some(({ promise }) => promise === "N2"));
});
