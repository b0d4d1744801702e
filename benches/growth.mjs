// What must not grow: cost per event with the history before it, cost per byte with the length of a line; and how soon
// a long trace shows something. Each gives numbers for a small table. Knows nothing of tables.

import { VARIANTS } from "./variants.mjs";
import { USUAL_CHUNK, median } from "./suite.mjs";
import { cut, makeAfterHistory, makeLines, makeWorkload } from "./workloads.mjs";

/** Who is measured: ours in both modes, and the state that JavaScript would keep. */
const MEASURED = [
  ["ours, push", "events", "ours"],
  ["ours, Transcript", "state", "ours"],
  ["simple, state", "state", "simple"],
  ["best, state", "state", "best"],
].map(([title, mode, name]) => ({
  title,
  variant: VARIANTS.find((each) => each.mode === mode && each.name === name),
}));

let sink = 0;

function feed({ mode }, reader, chunks) {
  for (const chunk of chunks) {
    const events = reader.push(chunk);
    if (mode === "events") sink += events.length;
    else for (const item of reader.window(50)) sink += item.item;
  }
}

/** Milliseconds of `timed` behind `before`, in a fresh reader. */
function timeBehind(variant, workload, before, timed) {
  const reader = new variant.Reader(workload);
  feed(variant, reader, before);
  globalThis.gc?.({ type: "minor" });
  const start = performance.now();
  feed(variant, reader, timed);
  const time = performance.now() - start;
  reader.close?.();
  return time;
}

/** The middle of several rounds, all variants in turn, after one that does not count. */
function rounds(count, measure) {
  const times = MEASURED.map(() => []);
  for (let round = 0; round <= count; round++) {
    MEASURED.forEach(({ variant }, index) => {
      const time = measure(variant);
      if (round > 0) times[index].push(time);
    });
  }
  return times.map(median);
}

/**
 * Nanoseconds per event, by the number of items before it.
 *
 * @returns one `{ title, items, rows: [{ title, cost }] }` for each sort of event; `cost` goes with `items`.
 */
export function byHistory({ items, events: counts, runs }) {
  return Object.entries(counts).map(([kind, events]) => {
    // The longest history first: its rounds compile the code that the short ones are over too soon for.
    const columns = items.toReversed().map((count) => {
      const { before, timed, ...workload } = makeAfterHistory(kind, { items: count, events });
      const chunks = [before, timed].map((part) => cut(part, USUAL_CHUNK));
      return rounds(runs, (variant) => (timeBehind(variant, workload, ...chunks) * 1e6) / events);
    });
    const rows = MEASURED.map(({ title }, index) => ({ title, cost: columns.map((column) => column[index]).reverse() }));
    return { title: kind, items, rows };
  });
}

/** Nanoseconds per byte, by the length of a line: `{ lengths, rows: [{ title, cost }] }`. */
export function byLine({ lengths, size, runs }) {
  const columns = lengths.map((length) => {
    const workload = makeLines({ length, size });
    const chunks = cut(workload, USUAL_CHUNK);
    return rounds(runs, (variant) => (timeBehind(variant, workload, [], chunks) * 1e6) / workload.bytes.length);
  });
  return { lengths, rows: MEASURED.map(({ title }, index) => ({ title, cost: columns.map((column) => column[index]) })) };
}

/**
 * Milliseconds until a trace shows its first 50 items, and until all of it is read and shows its last, with
 * `parse`: JSON.parse of all its lines, which are ready before the clock starts.
 */
export function firstWindow({ size, runs }) {
  const workload = makeWorkload("agent-trace", { size, longLine: size });
  const chunks = cut(workload, USUAL_CHUNK);
  const lines = new TextDecoder().decode(workload.bytes).split("\n").filter((line) => line !== "");
  const { variant } = MEASURED[1];
  const [first, whole, parse] = [[], [], []];
  for (let round = 0; round <= runs; round++) {
    parse.push(timeToParse(lines));
    // With those objects still there, every collection would walk them, and a growing wasm memory asks for many.
    globalThis.gc?.({ type: "minor" });
    const times = timeToShow(new variant.Reader(workload), chunks);
    first.push(times.first);
    whole.push(times.whole);
  }
  // The first of each is cold.
  const middle = (times) => median(times.slice(1));
  return { bytes: workload.bytes.length, first: middle(first), whole: middle(whole), parse: middle(parse) };
}

function timeToParse(lines) {
  const start = performance.now();
  const kept = lines.map((line) => JSON.parse(line));
  const time = performance.now() - start;
  sink += kept.length;
  return time;
}

function timeToShow(reader, chunks) {
  const start = performance.now();
  let first;
  for (const chunk of chunks) {
    reader.push(chunk);
    if (first === undefined && reader.window(50).length === 50) first = performance.now() - start;
  }
  reader.end();
  sink += reader.window(50).length;
  const whole = performance.now() - start;
  reader.close();
  return { first, whole };
}
