// Rows of times become tables. Ratios are of times of the same round, so that noise that hits a whole round cancels.

import { CHUNK_NAMES, USUAL_CHUNK, median } from "./suite.mjs";

const MODES = { events: "`push()`, all events as objects", state: "`Transcript`, a window of 50 read after each chunk" };
const RIVALS = ["best", "eventsource-parser", "ours"];

/** Speed in megabytes (10^6) per second. */
export const speed = ({ bytes, times }) => bytes / 1e3 / median(times);

/** How many times faster `row` is than `base`: the middle, lowest and highest of the rounds. */
export function ratio(row, base, clock = "times") {
  const ratios = row[clock].map((time, round) => base[clock][round] / time);
  return { middle: median(ratios), low: Math.min(...ratios), high: Math.max(...ratios) };
}

const plain = (number) => (number < 10 ? number.toFixed(2) : number.toFixed(0));
const spread = ({ middle, low, high }) => `${plain(middle)} [${plain(low)} - ${plain(high)}]`;
const find = (rows, wanted) => rows.find((row) => Object.entries(wanted).every(([key, value]) => row[key] === value));
const cellsOf = (rows) => [...new Map(rows.map((row) => [`${row.workload} ${row.chunk}`, row])).values()];

function lines(header, rows) {
  const right = header.map((_, index) => (index === 0 ? "---" : "---:"));
  return [header, right, ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");
}

function modeTable(rows, mode, isUsual) {
  const ofMode = rows.filter((row) => row.mode === mode && (row.chunk === USUAL_CHUNK) === isUsual);
  const body = cellsOf(ofMode).map(({ workload, chunk, title, bytes }) => {
    const at = (variant) => find(ofMode, { workload, chunk, variant });
    const base = at("simple");
    if (!base) return undefined;
    const ratios = RIVALS.map((variant) => (at(variant) ? spread(ratio(at(variant), base)) : ""));
    const against = at("ours") && at("best") ? spread(ratio(at("ours"), at("best"))) : "";
    const processor = at("ours")?.cpu.length ? [plain(ratio(at("ours"), base, "cpu").middle)] : [];
    const name = isUsual ? title : `${title}, ${CHUNK_NAMES[chunk]}`;
    return [name, (bytes / 1e6).toFixed(1), plain(speed(base)), ...ratios, against, ...processor];
  });
  const processor = ofMode.some(({ cpu }) => cpu.length) ? ["ours, x of processor time"] : [];
  const rivals = RIVALS.map((name) => `${name}, x`);
  const header = ["workload", "MB", "simple, MB/s", ...rivals, "ours / best", ...processor];
  return lines(header, body.filter(Boolean));
}

function boundsTable(rows) {
  const bounds = rows.filter((row) => row.mode === "bound");
  const names = [...new Set(bounds.map(({ variant }) => variant))];
  const body = cellsOf(bounds).map(({ workload, title }) => {
    const ours = (mode) => {
      const row = find(rows, { workload, chunk: USUAL_CHUNK, mode, variant: "ours" });
      return row ? plain(speed(row)) : "";
    };
    return [title, ...names.map((variant) => plain(speed(find(bounds, { workload, variant })))), ours("events"), ours("state")];
  });
  return lines(["workload, MB/s", ...names, "ours, push", "ours, Transcript"], body);
}

function startupTable({ import: imported, first, cold, warm, transcript }) {
  const milliseconds = (number) => (number < 1 ? number.toFixed(3) : number.toFixed(1));
  return lines(
    ["from import to first event, ms", "import", "first event", "together, cold", "warm Normalizer", "warm Transcript"],
    [["", ...[imported, first, cold, warm, transcript].map(milliseconds)]],
  );
}

function memoryTable(rows) {
  const base = rows[0].heap + rows[0].wasm;
  const megabytes = (bytes) => (bytes / 1e6).toFixed(1);
  const title = `agent trace of ${megabytes(rows[0].bytes)} MB in state, MB`;
  const body = rows.map(({ variant, heap, wasm }) => [
    variant, megabytes(heap), megabytes(wasm), megabytes(heap + wasm), plain((heap + wasm) / base),
  ]);
  return lines([title, "JavaScript heap", "wasm memory", "together", "of simple"], body);
}

const grouped = (number) => String(number).replace(/\B(?=(\d{3})+$)/g, ",");

/** Costs by what grows, and how many times the lowest cost is in the highest. */
function costTable(title, columns, rows, digits) {
  const body = rows.map(({ title: name, cost }) => [
    name, ...cost.map((value) => value.toFixed(digits)), plain(Math.max(...cost) / Math.min(...cost)),
  ]);
  return lines([title, ...columns, "highest / lowest"], body);
}

function growthTables({ byHistory = [], byLine, firstWindow }) {
  const parts = byHistory.map(({ title, items, rows }) =>
    costTable(`ns per event: ${title}, items before`, items.map(grouped), rows, 0),
  );
  if (byLine) {
    const names = byLine.lengths.map((length) => (length < 1e6 ? `${length / 1e3} KB` : `${length / 1e6} MB`));
    parts.push(costTable("ns per byte, length of a line", names, byLine.rows, 2));
  }
  if (firstWindow) {
    const { bytes, first, whole, parse } = firstWindow;
    const row = (title, time) => [title, time.toFixed(1), (time / parse).toPrecision(2)];
    parts.push(
      lines([`agent trace of ${(bytes / 1e6).toFixed(1)} MB`, "ms", "of JSON.parse"], [
        row("JSON.parse of all lines, split before", parse),
        row("Transcript, until the first window of 50 items", first),
        row("Transcript, all read and the last window", whole),
      ]),
    );
  }
  return parts;
}

/** All tables of one measurement. */
export function table(name, result) {
  const { rows, engine, date, version, machine, form, runs } = result;
  const parts = [
    `## ${name}`,
    `${engine}, agent-ui-events ${version}, ${date}, ${machine}; ${form} form, ${runs} rounds.`,
  ];
  for (const [mode, title] of Object.entries(MODES)) {
    parts.push(`### ${title}; chunks of 16 KB`, modeTable(rows, mode, true));
    parts.push("Other chunks:", modeTable(rows, mode, false));
  }
  if (rows.some(({ mode }) => mode === "bound")) parts.push("### Bounds", boundsTable(rows));
  if (result.startup) parts.push("### Startup", startupTable(result.startup));
  if (result.memory) parts.push("### Memory", memoryTable(result.memory));
  const growth = growthTables(result.growth ?? {});
  if (growth.length > 0) parts.push("### What must not grow", ...growth);
  return `${parts.join("\n\n")}\n`;
}

const INTRODUCTION = `# Speed

Written by \`cargo xtask bench --write\`; do not edit. The times behind it are in \`results.json\`.

![Speed as a multiple of simple JavaScript](results.svg)

How to read it:

- All variants read the same bytes, and before any timing what they say is compared in full: every event, and at the
  end every item. A difference stops the bench.
- **simple** is what people write: TextDecoder, split, JSON.parse, a switch, a reducer that changes items in place.
  **best** is the best JavaScript we can write: one decode per chunk, lines read where they stand, an exact envelope
  memo, direct folding. **eventsource-parser** is that package (4.1.3) with JSON.parse and the reducer of simple.
- The rivals read just these dialects and just what a UI needs. They check no order, give no diagnostics, no source
  offsets, no \`seq\`, no envelope fields. Ours does all of that with its default options.
- In the state table the rivals hold all items as objects; ours hands out the 50 newest and holds the rest inside.
- Ratios are to simple, of the same round; middle [lowest - highest] of the rounds. With a process per variant there
  are no common rounds: there the spread is of runs that have nothing to do with each other.
- Processor time counts all threads of the process (collector and compiler too) and no neighbours; Chromium does not
  tell it.
- The streams are made from a seed and more uniform than real ones, which favours memos, ours and the rival's alike.
- What must not grow (Node, long form): events of claude's wire behind so many messages, in chunks of 16 KB, and lines that
  are one message of text; the middle of several rounds in fresh readers.
- The machine is shared. Anything under about 1.3x, either way, is undecided.
`;

/** The whole file. */
export function markdown(results) {
  return [INTRODUCTION, ...Object.entries(results).map(([name, result]) => table(name, result))].join("\n");
}
