// One question, one process: `node alone.mjs <kind> <form> <json>`. Prints the answer as JSON on the last line.

import { performance } from "node:perf_hooks";

const [kind, form, json = "{}"] = process.argv.slice(2);
const question = JSON.parse(json);

const LINE =
  '{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"first"}}}\n';

/** From before the import to the first event, and the same with everything loaded. */
async function startup() {
  const bytes = new TextEncoder().encode(LINE);
  const before = performance.now();
  const { Normalizer, Transcript } = await import("../pkg/dist/index.js");
  const imported = performance.now();
  const first = (Kind) => {
    const start = performance.now();
    const reader = new Kind({ dialect: "evolve" });
    reader.push(bytes);
    if (Kind === Transcript && reader.items()[0].text !== "first") throw new Error("no item");
    const time = performance.now() - start;
    reader.close();
    return time;
  };
  const cold = first(Normalizer);
  const warm = [];
  for (let run = 0; run < 50; run++) warm.push(first(Normalizer));
  const transcripts = [];
  for (let run = 0; run < 20; run++) transcripts.push(first(Transcript));
  const middle = (list) => list.sort((a, b) => a - b)[list.length >> 1];
  const [import_, together] = [imported - before, imported - before + cold];
  return { import: import_, first: cold, cold: together, warm: middle(warm), transcript: middle(transcripts) };
}

/** Bytes that the state of an agent trace takes once it is read: on the JavaScript heap, and in wasm memory. */
async function memory() {
  const { VARIANTS } = await import("./variants.mjs");
  const { FORMS, USUAL_CHUNK } = await import("./suite.mjs");
  const { cut, makeWorkload } = await import("./workloads.mjs");
  const variant = VARIANTS.find((each) => each.mode === "state" && each.name === question.variant);
  const size = FORMS[form].size * 4;
  const workload = makeWorkload("agent-trace", { size, longLine: size });
  const heap = () => {
    globalThis.gc();
    globalThis.gc();
    // Not `external`: it counts wasm memory, which is asked for below.
    return process.memoryUsage().heapUsed;
  };
  const before = heap();
  const grown = [];
  // What wasm memories take is asked of those that are made from here on.
  const { Memory } = WebAssembly;
  const { exports } = Object.getOwnPropertyDescriptors(WebAssembly.Instance.prototype);
  Object.defineProperty(WebAssembly.Instance.prototype, "exports", {
    ...exports,
    get() {
      const found = exports.get.call(this);
      for (const value of Object.values(found)) if (value instanceof Memory && !grown.includes(value)) grown.push(value);
      return found;
    },
  });
  const reader = new variant.Reader(workload);
  for (const chunk of cut(workload, USUAL_CHUNK)) {
    reader.push(chunk);
    reader.window(50);
  }
  reader.end();
  const after = heap();
  const wasm = grown.reduce((sum, each) => sum + each.buffer.byteLength, 0);
  const items = reader.window(50).length;
  return { variant: question.variant, bytes: workload.bytes.length, heap: after - before, wasm, items };
}

/** What must not grow: the question names the function of growth.mjs. */
async function growth() {
  const { FORMS } = await import("./suite.mjs");
  return (await import("./growth.mjs"))[question.which](FORMS[form].growth[question.which]);
}

const KINDS = {
  startup,
  memory,
  growth,
  measure: async () => (await import("./suite.mjs")).measureAlone(form, question),
};

console.log(JSON.stringify(await KINDS[kind]()));
