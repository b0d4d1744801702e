// A line diff of two small texts. Longest common subsequence over what common ends leave; too much of it is shown as
// all lines out, all lines in, because the table costs the product of both line counts.

import { h } from "../dom.js";

const TABLE_CELLS = 400_000;
const SHOWN_LINES = 400;
const CONTEXT = 3;

/** A diff entry of a tool card: `{path, oldText?, newText}`. */
export function diffView({ path, oldText, newText }) {
  const before = linesOf(oldText ?? "");
  const after = linesOf(newText);
  const rows = folded(diffLines(before, after));
  const added = rows.filter((row) => row.sign === "+").length;
  const removed = rows.filter((row) => row.sign === "-").length;
  const body = h("div", { class: "diff-lines", role: "table", "aria-label": `Changes of ${path}`, tabindex: "0" });
  for (const row of rows.slice(0, SHOWN_LINES)) body.append(rowView(row));
  if (rows.length > SHOWN_LINES)
    body.append(h("div", { class: "diff-fold" }, `… ${rows.length - SHOWN_LINES} more lines`));
  return h(
    "figure",
    { class: "diff" },
    h(
      "figcaption",
      {},
      h("code", { dir: "ltr" }, path),
      h("span", { class: "tag good" }, `+${added}`),
      oldText === undefined || oldText === null
        ? h("span", { class: "tag" }, "old text not told, or new file")
        : h("span", { class: "tag bad" }, `−${removed}`),
    ),
    rows.length > 0 ? body : h("p", { class: "note" }, "No text on the wire: only the path is known."),
  );
}

const WORDS = { "+": "added", "-": "removed", " ": "unchanged" };

function rowView(row) {
  if (row.sign === "…")
    return h("div", { class: "diff-fold", role: "row" }, h("span", { role: "cell" }, `… ${row.text}`));
  const name = { "+": "in", "-": "out", " ": "same" }[row.sign];
  return h(
    "div",
    { class: `diff-line ${name}`, role: "row" },
    h("span", { class: "sign", role: "cell", "aria-label": WORDS[row.sign] }, row.sign === "-" ? "−" : row.sign),
    h("span", { class: "code", role: "cell" }, row.text || "\u200b"),
  );
}

function linesOf(text) {
  if (text === "") return [];
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

/** Rows `{sign, text}` in order. */
export function diffLines(before, after) {
  let head = 0;
  while (head < before.length && head < after.length && before[head] === after[head]) head++;
  let tail = 0;
  const most = Math.min(before.length, after.length) - head;
  while (tail < most && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++;
  const same = (lines) => lines.map((text) => ({ sign: " ", text }));
  return [
    ...same(before.slice(0, head)),
    ...middle(before.slice(head, before.length - tail), after.slice(head, after.length - tail)),
    ...same(before.slice(before.length - tail)),
  ];
}

function middle(before, after) {
  const out = (text) => ({ sign: "-", text });
  const into = (text) => ({ sign: "+", text });
  if (before.length * after.length > TABLE_CELLS) return [...before.map(out), ...after.map(into)];
  const width = after.length + 1;
  const length = new Uint32Array((before.length + 1) * width);
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) {
      const [right, below] = [length[i * width + j + 1], length[(i + 1) * width + j]];
      length[i * width + j] = before[i] === after[j] ? length[(i + 1) * width + j + 1] + 1 : Math.max(right, below);
    }
  }
  const rows = [];
  let [i, j] = [0, 0];
  while (i < before.length || j < after.length) {
    if (i < before.length && j < after.length && before[i] === after[j]) {
      rows.push({ sign: " ", text: before[i] });
      i++;
      j++;
    } else if (j >= after.length || (i < before.length && length[(i + 1) * width + j] >= length[i * width + j + 1])) {
      rows.push(out(before[i++]));
    } else {
      rows.push(into(after[j++]));
    }
  }
  return rows;
}

/** Long unchanged stretches become one row. */
function folded(rows) {
  const near = new Uint8Array(rows.length);
  rows.forEach((row, at) => {
    if (row.sign !== " ") near.fill(1, Math.max(0, at - CONTEXT), at + CONTEXT + 1);
  });
  const shown = [];
  for (let at = 0; at < rows.length;) {
    let end = at;
    while (end < rows.length && !near[end]) end++;
    if (end - at > 2) shown.push({ sign: "…", text: `${end - at} unchanged lines` });
    else shown.push(...rows.slice(at, end));
    if (end < rows.length) shown.push(rows[end]);
    at = end + 1;
  }
  return shown;
}
