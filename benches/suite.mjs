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

/**
 * What each form measures. A cell is a workload with a chunk size. `warmUp` are milliseconds each variant runs before it
 * counts, `shortest` those that a measurement takes at least: a fast variant makes several passes. `growth` are the
 * questions to `growth.mjs`.
 */
export const FORMS = {
  short: {
    size: 4 * MB,
    longLine: 8 * MB,
    warmUp: 250,
    shortest: 60,
    runs: 5,
    cells: [...cells(ALL, [USUAL_CHUNK]), ...cells(MAIN, [1434, "event"])],
  },
  full: {
    size: 25 * MB,
    longLine: 120 * MB,
    warmUp: 500,
    shortest: 60,
    runs: 5,
    cells: [...cells(ALL, [USUAL_CHUNK]), ...cells([...MAIN, "claude-deltas"], [1434, 256 * KB, "event"])],
    growth: {
      byHistory: { items: [10, 100, 1000, 10_000, 100_000], events: { deltas: 40_000, messages: 2000 }, runs: 3 },
      byLine: { lengths: [1, 10, 100, 1000, 10_000, 100_000].map((length) => length * 1000), size: 10 * MB, runs: 3 },
      firstWindow: { size: 100 * MB, runs: 3 },
    },
  },
};

/** For trying the machinery out: says nothing about speed. */
FORMS.tiny = {
  ...FORMS.short,
  size: 200 * KB,
  longLine: 200 * KB,
  warmUp: 0,
  shortest: 0,
  runs: 2,
  growth: {
    byHistory: { items: [10, 100, 1000], events: { deltas: 500, messages: 100 }, runs: 1 },
    byLine: { lengths: [1000, 10_000, 100_000], size: 100 * KB, runs: 1 },
    firstWindow: { size: MB, runs: 1 },
  },
};

let sink = 0;

/** Milliseconds of all threads of this process, where that can be asked: busy neighbours do not count. */
function processorTime() {
  const used = globalThis.process?.cpuUsage?.();
  return used ? (used.user + used.system) / 1e3 : undefined;
}

/** Milliseconds of one pass, by the clock and of the processor. */
function timed(run, passes) {
  // What the run before left young is not this one's to collect. Never a full collection: it throws compiled code away,
  // and made the fastest JavaScript five times slower in the run after it.
  globalThis.gc?.({ type: "minor" });
  const processor = processorTime();
  const start = performance.now();
  for (let pass = 0; pass < passes; pass++) sink += run();
  const time = (performance.now() - start) / passes;
  return { time, cpu: processor === undefined ? undefined : (processorTime() - processor) / passes };
}

/**
 * Runs each until it is warm, all in turn, so that they spoil each other's type feedback before it counts. Gives how
 * many passes of each make a measurement.
 */
function warmedUp(runs, { warmUp, shortest }) {
  const used = runs.map(() => 0);
  const passes = runs.map(() => 1);
  while (used.some((time) => time < warmUp)) {
    runs.forEach((run, index) => {
      if (used[index] >= warmUp) return;
      const { time } = timed(run, 1);
      used[index] += Math.max(time, 0.1);
      passes[index] = Math.max(1, Math.ceil(shortest / Math.max(time, 0.1)));
    });
  }
  return passes;
}

/**
 * Milliseconds of each run, by the clock (`times`) and of the processor (`cpu`, where known). Interleaved: every round
 * runs each once, so that noise hits all alike.
 */
function interleaved(runs, form) {
  const measured = runs.map(() => ({ times: [], cpu: [] }));
  const passes = warmedUp(runs, form);
  for (let round = 0; round < form.runs; round++) {
    // Every other round backwards: who follows whom matters for caches and collectors.
    const order = runs.map((_, index) => (round % 2 === 0 ? index : runs.length - 1 - index));
    for (const index of order) {
      const { time, cpu } = timed(runs[index], passes[index]);
      measured[index].times.push(time);
      if (cpu !== undefined) measured[index].cpu.push(cpu);
    }
  }
  return measured;
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
 * @returns rows `{ workload, title, bytes, frames, chunk, mode, variant, said, times, cpu }`; `mode` "bound" for bounds.
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
        const measured = interleaved(runs, form);
        variants.forEach((variant, index) =>
          rows.push({ ...about, chunk, mode, variant: variant.name, said, ...measured[index] }),
        );
        say(lineOf(about, chunk, mode, variants, measured));
        await pause();
      }
      if (chunk !== USUAL_CHUNK) continue;
      const measured = interleaved(BOUNDS.map((bound) => bound.prepare(workload, chunks)), form);
      BOUNDS.forEach(({ name: variant }, index) =>
        rows.push({ ...about, chunk, mode: "bound", variant, ...measured[index] }),
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
      const [measured] = interleaved([() => readOnce(variant, workload, chunks)], form);
      return { ...about, chunk, mode, variant: variantName, ...measured };
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

function lineOf({ workload, bytes }, chunk, mode, variants, measured) {
  const base = median(measured[0].times);
  const parts = variants.map(({ name }, index) => {
    const time = median(measured[index].times);
    return `${name} ${(bytes / 1e3 / time).toFixed(0)} MB/s${index ? ` (${(base / time).toFixed(2)}x)` : ""}`;
  });
  return `${workload}, ${CHUNK_NAMES[chunk]}, ${mode}: ${parts.join(", ")}`;
}

// A page must answer now and then, and a browser's collector gets its turn.
const pause = () => new Promise((resolve) => setTimeout(resolve, 0));
