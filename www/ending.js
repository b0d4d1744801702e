// How the run ended, as a line below the transcript: the outcome, what it rests on, the stream's own word.

import { h, icon } from "./dom.js";

export const OUTCOME_ICONS = {
  completed: "completed",
  failed: "failed",
  cut: "warning",
  cancelled: "stop",
  waiting: "pending",
};

const WORDS = {
  completed: "Run completed",
  failed: "Run failed",
  cut: "Run cut: the stream stops before its end",
  cancelled: "Run cancelled",
  waiting: "Run waits for an answer",
};

const RESTS_ON = { stated: "the stream says so", inferred: "concluded, the stream does not say so" };

/** `result`: of a report. */
export function endingView({ outcome, evidence, reason }) {
  if (outcome === undefined) return [icon("info"), h("span", {}, "End of the stream. It tells no outcome.")];
  return [
    icon(OUTCOME_ICONS[outcome] ?? "info", outcome),
    h("strong", {}, WORDS[outcome] ?? `Run ${outcome}`),
    reason !== undefined && reason !== outcome && h("code", { dir: "auto" }, reason),
    evidence !== undefined && h("span", { class: "note" }, RESTS_ON[evidence] ?? evidence),
  ];
}
