// The bars of results.svg: speed as a multiple of simple JavaScript, one panel per mode and engine.

import { ratio } from "./report.mjs";
import { USUAL_CHUNK } from "./suite.mjs";

const BARS = { best: "#8b8fa3", "eventsource-parser": "#c9a227", ours: "#0f7b6c" };
const MODES = { events: "push(): all events as objects", state: "Transcript: a window of 50" };

const LABEL = 190;
const PLOT = 300;
const PANEL = LABEL + PLOT + 70;
const BAR = 11;
const GAP = 10;
const TOP = 54;

// A rim in the ground's colour, so that numbers stay readable where the line of 1x runs through them.
const HALO = 'font-size="9" stroke="#fff" stroke-width="3" paint-order="stroke"';

const escaped = (text) => text.replace(/[&<>]/g, (unit) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[unit]);
const text = (x, y, words, more = "") => `<text x="${x}" y="${y}" ${more}>${escaped(words)}</text>`;

function groupsOf({ rows }, mode) {
  const ofMode = rows.filter((row) => row.mode === mode && row.chunk === USUAL_CHUNK);
  const bases = ofMode.filter(({ variant }) => variant === "simple");
  return bases.map((base) => ({
    title: base.title,
    bars: ofMode
      .filter(({ workload, variant }) => workload === base.workload && variant in BARS)
      .map((row) => ({ variant: row.variant, ...ratio(row, base) })),
  }));
}

function panel(name, mode, groups, scale, x, y) {
  const parts = [text(x, y + 16, `${name}, ${MODES[mode]}`, 'font-weight="600"')];
  const numbers = [];
  let at = y + 30;
  for (const { title, bars } of groups) {
    parts.push(text(x + LABEL - 8, at + (bars.length * BAR) / 2 + 4, title, 'text-anchor="end"'));
    for (const { variant, middle, low, high } of bars) {
      const px = (value) => (x + LABEL + Math.min(value, scale) * (PLOT / scale)).toFixed(1);
      const width = (Math.min(middle, scale) * (PLOT / scale)).toFixed(1);
      parts.push(`<rect x="${x + LABEL}" y="${at}" width="${width}" height="${BAR - 2}" fill="${BARS[variant]}"/>`);
      const middleLine = at + BAR / 2 - 1;
      parts.push(`<path d="M${px(low)} ${middleLine}H${px(high)}" stroke="#222" stroke-opacity=".55"/>`);
      numbers.push(text(Number(px(Math.max(middle, high))) + 4, at + BAR - 3, `${middle.toFixed(1)}x`, HALO));
      at += BAR;
    }
    at += GAP;
  }
  const one = (x + LABEL + PLOT / scale).toFixed(1);
  const line = `<path d="M${one} ${y + 24}V${at - GAP + 2}" stroke="#b3261e" stroke-dasharray="3 3"/>`;
  return { svg: [...parts, line, ...numbers].join("\n"), bottom: at };
}

/** The picture as SVG text. */
export function plot(results) {
  const shown = Object.entries(results).filter(([name]) => !name.includes(","));
  const all = shown.flatMap(([, result]) => Object.keys(MODES).flatMap((mode) => groupsOf(result, mode)));
  const scale = Math.max(2, ...all.flatMap(({ bars }) => bars.map(({ high }) => high))) * 1.05;
  const parts = [];
  let y = TOP;
  for (const [name, result] of shown) {
    let bottom = y;
    Object.keys(MODES).forEach((mode, column) => {
      const made = panel(name, mode, groupsOf(result, mode), scale, 16 + column * PANEL, y);
      parts.push(made.svg);
      bottom = Math.max(bottom, made.bottom);
    });
    y = bottom + 16;
  }
  const width = 32 + 2 * PANEL;
  const legend = Object.entries(BARS).map(([name, colour], index) => {
    const x = 16 + index * 150;
    return `<rect x="${x}" y="34" width="10" height="10" fill="${colour}"/>${text(x + 15, 43, name)}`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${y}" width="${width}" height="${y}"
  font-family="system-ui, sans-serif" font-size="11" fill="#1b1b1f">
<title>Speed as a multiple of simple JavaScript</title>
<rect width="100%" height="100%" fill="#fff"/>
${text(16, 22, "Speed as a multiple of simple JavaScript, chunks of 16 KB; the red line is 1x, thin lines show the spread", 'font-size="13"')}
${legend.join("\n")}
${parts.join("\n")}
</svg>
`;
}
