// What is measured and how: interleaved runs of all variants in one process, or one variant alone.
//
// Runs in Node and in a page. Times whole passes over a workload; knows nothing of tables or files.

import { demandAgreement } from "./agreement.mjs";
import { BOUNDS, VARIANTS, readOnce, variantsFor } from "./variants.mjs";
import { cut, makeWorkload } from "./workloads.mjs";

const KB = 1024;
const MB = 1024 * KB;

export const USUAL_CHUNK = 16 * KB;

/** Chunk sizes as tables name them. */
export const CHUNK_NAMES = { 1434: "1.4 KB", [USUAL_CHUNK]: "16 KB", [256 * KB]: "256 KB", event: "one event" };

const ALL = ["vent-tokens", "claude-deltas", "agent-trace", "evolve", "wide", "arguments", "history", "one-line"];
const MAIN = ["vent-tokens", "agent-trace", "evolve"];

const cells = (names, chunks) => names.flatMap((workload) => chunks.map((chunk) => ({ workload, chunk })));

/** What each form measures. A cell is a workload with a chunk size. */
export const FORMS = {
  short: {
    size: 4 * MB,
    longLine: 8 * MB,
    warmUps: 2,
    runs: 5,
    cells: [...cells(ALL, [USUAL_CHUNK]), ...cells(MAIN, [1434, "event"])],
  },
  full: {
    size: 25 * MB,
    longLine: 120 * MB,
    warmUps: 1,
    runs: 5,
    cells: [...cells(ALL, [USUAL_CHUNK]), ...cells([...MAIN, "claude-deltas"], [1434, 256 * KB, "event"])],
  },
};

/** For trying the machinery out: says nothing about speed. */
FORMS.tiny = { ...FORMS.short, size: 200 * KB, longLine: 200 * KB, warmUps: 0, runs: 2 };

let sink = 0;

function timed(run) {
  // Collected before, not in, a run. Where the engine does not offer it runs simply follow each other.
  globalThis.gc?.();
  const start = performance.now();
  sink += run();
  return performance.now() - start;
}

/** Lists of milliseconds of each run, interleaved: every round runs each once, so that noise hits all alike. */
function interleaved(runs, { warmUps, runs: rounds }) {
  const times = runs.map(() => []);
  for (let round = -warmUps; round < rounds; round++) {
    // Every other round backwards: who follows whom matters for caches and collectors.
    const order = runs.map((_, index) => (round % 2 === 0 ? index : runs.length - 1 - index));
    for (const index of order) {
      const time = timed(runs[index]);
      if (round >= 0) times[index].push(time);
    }
  }
  return times;
}

/** The cells of a form by workload, so that each is made once. `only` keeps workloads by name. */
function byWorkload(form, only) {
  const chunksOf = new Map();
  for (const { workload, chunk } of form.cells) {
    if (only && !only.includes(workload)) continue;
    chunksOf.set(workload, [...(chunksOf.get(workload) ?? []), chunk]);
  }
  return chunksOf;
}

/**
 * All variants in this process.
 *
 * @returns rows `{ workload, title, bytes, frames, chunk, mode, variant, said, times }`; `mode` "bound" for bounds.
 */
export async function measureTogether(formName, { only, say = () => {} } = {}) {
  const form = FORMS[formName];
  const rows = [];
  for (const [name, chunkSizes] of byWorkload(form, only)) {
    const workload = makeWorkload(name, form);
    const about = { workload: name, title: workload.title, bytes: workload.bytes.length, frames: workload.ends.length };
    for (const chunk of chunkSizes) {
      const chunks = cut(workload, chunk);
      for (const mode of ["events", "state"]) {
        const variants = variantsFor(workload, mode);
        const said = demandAgreement(variants, workload, chunks, CHUNK_NAMES[chunk]);
        const runs = variants.map((variant) => () => readOnce(variant, workload, chunks));
        const times = interleaved(runs, form);
        variants.forEach((variant, index) =>
          rows.push({ ...about, chunk, mode, variant: variant.name, said, times: times[index] }),
        );
        say(lineOf(about, chunk, mode, variants, times));
        await pause();
      }
      if (chunk !== USUAL_CHUNK) continue;
      const times = interleaved(BOUNDS.map((bound) => bound.prepare(workload, chunks)), form);
      BOUNDS.forEach(({ name: variant }, index) =>
        rows.push({ ...about, chunk, mode: "bound", variant, times: times[index] }),
      );
    }
  }
  return rows;
}

/** One variant alone with one workload. What it says was compared elsewhere. */
export function measureAlone(formName, { workload: name, mode, variant: variantName }) {
  const form = FORMS[formName];
  const variant = VARIANTS.find((each) => each.name === variantName && each.mode === mode);
  const workload = makeWorkload(name, form);
  const about = { workload: name, title: workload.title, bytes: workload.bytes.length, frames: workload.ends.length };
  return byWorkload(form, [name])
    .get(name)
    .map((chunk) => {
      const chunks = cut(workload, chunk);
      const [times] = interleaved([() => readOnce(variant, workload, chunks)], form);
      return { ...about, chunk, mode, variant: variantName, times };
    });
}

/** What `measureAlone` has to be called with to cover a form. */
export function lonely(formName, only) {
  const list = [];
  for (const workload of byWorkload(FORMS[formName], only).keys()) {
    for (const { name: variant, mode, fits } of VARIANTS) {
      const isSse = workload === "vent-tokens" || workload === "wide";
      if (!fits || isSse) list.push({ workload, mode, variant });
    }
  }
  return list;
}

/** The middle of a list. */
export function median(list) {
  const sorted = [...list].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

function lineOf({ workload, bytes }, chunk, mode, variants, times) {
  const base = median(times[0]);
  const parts = variants.map(({ name }, index) => {
    const time = median(times[index]);
    return `${name} ${(bytes / 1e3 / time).toFixed(0)} MB/s${index ? ` (${(base / time).toFixed(2)}x)` : ""}`;
  });
  return `${workload}, ${CHUNK_NAMES[chunk]}, ${mode}: ${parts.join(", ")}`;
}

// A page must answer now and then, and a browser's collector gets its turn.
const pause = () => new Promise((resolve) => setTimeout(resolve, 0));
