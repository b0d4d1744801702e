// The bench compares like with like: on small workloads all its variants say the same, whatever the chunks.

import assert from "node:assert/strict";
import { test } from "node:test";
import { demandAgreement, difference } from "../../benches/agreement.mjs";
import { variantsFor } from "../../benches/variants.mjs";
import { WORKLOADS, cut, makeWorkload } from "../../benches/workloads.mjs";

const SIZES = { size: 40_000, longLine: 40_000 };

for (const name of Object.keys(WORKLOADS)) {
  for (const mode of ["events", "state"]) {
    test(`${name}: all variants give the same ${mode}`, () => {
      for (const seed of [1, 2]) {
        const workload = makeWorkload(name, { ...SIZES, seed });
        const variants = variantsFor(workload, mode);
        assert.ok(variants.length >= 3);
        for (const chunk of [5, 1434, 16384, "event"]) {
          assert.ok(demandAgreement(variants, workload, cut(workload, chunk), chunk) > 0);
        }
      }
    });
  }
}

test("the memo of the best rival is exact: texts that look like what stands around them", () => {
  const kind = "agent_message_chunk";
  const nasty = [kind, kind, kind, "text", "text_delta", "a", '\\"', "\\\\", "x\\\\", '\\"}}', "\\u0074ext", "", "é", "\\ud83d\\ude00", "text", "u-1"];
  const shapes = {
    evolve: (text, n) =>
      `{"update":{"sessionUpdate":"${n % 2 ? "agent_thought_chunk" : kind}","content":{"type":"text","text":"${text}"}}}\n`,
    vent: (text, n) => `data: {"type": "token", "session_id": "s", "content": "${text}", "n": "u-${n % 10}"}\n\n`,
    claude: (text, n) =>
      `{"type":"stream_event","event":{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"${text}"}},"uuid":"u-${n}"}\n`,
  };
  const start = (event) => `{"type":"stream_event","event":${JSON.stringify(event)}}\n`;
  const claudeStart =
    start({ type: "message_start", message: { id: "m" } }) +
    start({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } });
  for (const [dialect, shape] of Object.entries(shapes)) {
    let wire = dialect === "claude" ? claudeStart : "";
    for (let round = 0; round < 4; round++) nasty.forEach((text, n) => (wire += shape(text, round * 100 + n)));
    const bytes = new TextEncoder().encode(wire);
    const workload = { name: dialect, dialect, container: dialect === "vent" ? "sse" : "json-lines", bytes, ends: [] };
    for (const mode of ["events", "state"]) {
      const variants = variantsFor(workload, mode).filter(({ name }) => name !== "ours");
      for (const size of [1, 7, 100, 16384]) demandAgreement(variants, workload, cut(workload, size), size);
    }
  }
});

test("a seed gives the same bytes again, another seed others", () => {
  const bytes = (seed) => makeWorkload("agent-trace", { ...SIZES, seed }).bytes;
  assert.deepEqual(bytes(3), bytes(3));
  assert.notDeepEqual(bytes(3), bytes(4));
});

test("chunks put together are the workload, and events end where frames end", () => {
  const workload = makeWorkload("vent-tokens", SIZES);
  for (const chunk of [1434, "event"]) {
    assert.deepEqual(Buffer.concat(cut(workload, chunk)), Buffer.from(workload.bytes));
  }
  for (const frame of cut(workload, "event")) assert.match(Buffer.from(frame).toString(), /^data: .*\n\n$/);
});

test("a difference is found and named", () => {
  assert.equal(difference([{ a: 1, b: undefined }], [{ a: 1 }]), undefined);
  assert.match(difference([{ a: { b: "x" } }], [{ a: { b: "y" } }]), /^\/0\/a\/b: "x" against "y"/);
  assert.match(difference([1], [1, 2]), /^\/1: nothing against 2/);
});
