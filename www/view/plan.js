// A todo list in its newest state.

import { h, icon } from "../dom.js";

const WORDS = { pending: "to do", in_progress: "now", completed: "done" };

const done = (item) => item.entries.filter((entry) => entry.status === "completed").length;
export const label = (item) => `Plan, ${done(item)} of ${item.entries.length} done`;
export const name = () => "plan";

export function draw(item) {
  const entries = item.entries.map((entry) =>
    h(
      "li",
      { class: entry.status },
      icon(entry.status),
      h("span", { class: "entry", dir: "auto" }, entry.content),
      entry.priority !== "medium" && h("span", { class: "tag" }, entry.priority),
      h("span", { class: "word" }, WORDS[entry.status]),
    ),
  );
  const bar = h("progress", { max: item.entries.length || 1, value: done(item), "aria-label": label(item) });
  const head = h(
    "header",
    {},
    icon("plan"),
    h("span", { class: "who" }, "Plan"),
    bar,
    h("span", { class: "note" }, `${done(item)} of ${item.entries.length}`),
  );
  return [head, h("ol", { class: "plan-entries" }, entries)];
}
