// Instances of the module: a failure inside stays inside its own.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { Normalizer, Transcript, init } from "../dist/index.js";
import * as slim from "../dist/slim.js";

const engineOf = (object) => object[Symbol.for("agent-ui-events.engine")];
const message = (text) =>
  `${JSON.stringify({ update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text } } })}\n`;
const evolve = { dialect: "evolve" };
const trap = () => {
  throw new WebAssembly.RuntimeError("unreachable");
};

test("a panic closes the handles of its instance, others live on, the next one is fresh", () => {
  const broken = new Normalizer(evolve);
  const sibling = new Normalizer();
  const transcript = new Transcript(evolve);
  assert.equal(engineOf(broken), engineOf(sibling));
  assert.notEqual(engineOf(transcript), engineOf(broken));
  const events = broken.push(message("before"));
  engineOf(broken).glue.NormalizerHandle.prototype.push = trap;
  assert.throws(() => broken.push("now\n"), { code: "panic", name: "AgentUiEventsError" });
  assert.throws(() => broken.report(), { code: "panic" });
  assert.throws(() => sibling.push("x\n"), { code: "panic" });
  broken.close();
  sibling.close();
  assert.equal(events[0].update.content.text, "before");
  assert.deepEqual(transcript.push(message("x")).created, [0, 1]);
  const fresh = new Normalizer();
  assert.notEqual(engineOf(fresh), engineOf(broken));
  assert.equal(fresh.push("x\n").length, 1);
});

test("a transcript that breaks takes nothing else with it", () => {
  const [broken, whole] = [new Transcript(evolve), new Transcript(evolve)];
  for (const each of [broken, whole]) each.push(message("a"));
  const [item] = broken.items();
  engineOf(broken).glue.TranscriptHandle.prototype.items = trap;
  // More than a push offers without being asked.
  broken.push(message("b".repeat(1000)));
  assert.throws(() => broken.items(), { code: "panic" });
  assert.equal(item.text, "a");
  assert.equal(whole.items().length, 1);
  assert.equal(broken.getSnapshot().length, 1);
});

test("init may be called before, after and twice", async () => {
  await Promise.all([init(), init()]);
  await init();
  assert.deepEqual(new Normalizer().end(), []);
});

test("slim names init before it was called, and takes bytes or a module", async () => {
  assert.throws(() => new slim.Normalizer(), { code: "init.missing", message: /await init\(\)/ });
  const bytes = await readFile(new URL("../dist/core.wasm", import.meta.url));
  await assert.rejects(slim.init(new Uint8Array([0, 1])), { code: "init.failed" });
  await slim.init(await WebAssembly.compile(bytes));
  await slim.init(bytes);
  const normalizer = new slim.Normalizer();
  assert.equal(normalizer.push("x\n").length, 1);
  assert.deepEqual(new slim.Transcript().items(), []);
});
