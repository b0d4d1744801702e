// What the stream reported as a whole: how it was recognised, how it ended, what was odd, what it cost.

import { eventView } from "./event-view.js";
import { count, h, icon, plural, size } from "./dom.js";
import { jsonView } from "./view/content.js";

/** `place(diagnostic)` shows the bytes of a diagnostic. */
export function reportView(stream, place) {
  const report = stream.transcript.report();
  return [
    h("h3", {}, "Recognised as"),
    facts([
      ["dialect", report.dialect ?? "not recognised"],
      ["because", report.why],
      ["container", report.container],
      ["read", `${size(report.bytes)}, ${plural(report.records, "record")}`],
      ["became", `${plural(report.events, "event")}, ${plural(report.items, "item")}`],
    ]),
    h("h3", {}, "Outcome"),
    outcomeView(report),
    h("h3", {}, `Diagnostics`),
    diagnosticsView(report, place),
    countsView("Records without an event, by reason", report.ignored),
    countsView("Bytes outside of records", report.skipped),
    asideView(stream),
    sessionView(stream),
  ];
}

function facts(pairs) {
  const told = pairs.filter(([, value]) => value !== undefined && value !== "");
  return h(
    "dl",
    { class: "facts" },
    told.map(([name, value]) => [h("dt", {}, name), h("dd", { dir: "auto" }, value)]),
  );
}

function outcomeView(report) {
  const { outcome, reason, evidence, text } = report.result;
  return facts([
    ["run", outcome === undefined ? "no end told" : `${outcome}${evidence ? ` (${evidence})` : ""}`],
    ["reason", reason],
    ["did work", report.didWork ? "yes" : "no"],
    ["open calls", String(report.openCalls)],
    ["answer", text],
  ]);
}

function diagnosticsView(report, place) {
  const codes = Object.entries(report.diagnosticCounts);
  if (codes.length === 0) return h("p", { class: "note" }, icon("completed"), "Nothing odd.");
  const rows = report.diagnostics.map((diagnostic) => {
    const { code, severity, message, offset, line, input } = diagnostic;
    const details = h(
      "details",
      { class: `diagnostic ${severity}` },
      h(
        "summary",
        {},
        icon(severity === "info" ? "info" : severity),
        h("code", {}, code),
        h("span", { class: "gist" }, message),
      ),
      h("p", { class: "note" }, `${severity}, ${input === undefined ? "" : `${input}, `}line ${count(line)}, offset ${count(offset)}`),
    );
    details.addEventListener("toggle", () => details.append(place(diagnostic)), { once: true });
    return details;
  });
  const total = codes.reduce((sum, [, number]) => sum + number, 0);
  const hidden = total - rows.length;
  return [rows, hidden > 0 && h("p", { class: "note" }, `and ${plural(hidden, "more remark")} of the same codes`)];
}

function countsView(title, counts) {
  const told = Object.entries(counts ?? {}).filter(([, number]) => number > 0);
  if (told.length === 0) return null;
  return [h("h3", {}, title), facts(told.map(([name, number]) => [name, count(number)]))];
}

// Events that have no place in the list, yet somebody may miss them there.
const ASIDE = new Set(["unknown", "harness_event", "hook", "shared_state", "lifecycle", "compaction_update"]);
const SHOWN_ASIDE = 100;

function asideView(stream) {
  if (stream.several) return null;
  const details = h(
    "details",
    { class: "fold" },
    h("summary", {}, "Unknown records, hooks, and other events beside the list"),
  );
  const fill = () => {
    const events = stream.events().filter((event) => ASIDE.has(event.update.sessionUpdate));
    const rest = events.length - SHOWN_ASIDE;
    details.append(...events.slice(0, SHOWN_ASIDE).map((event) => eventView(event)));
    if (rest > 0 || events.length === 0)
      details.append(h("p", { class: "note" }, rest > 0 ? `and ${count(rest)} more` : "There are none."));
  };
  details.addEventListener("toggle", fill, { once: true });
  return [h("h3", {}, "Beside the list"), details];
}

function sessionView(stream) {
  const session = stream.transcript.session();
  const agents = stream.transcript.agents();
  const { runs, ...others } = session;
  const told = Object.keys(others).length > 0;
  return [
    agents.length > 0 && [
      h("h3", {}, "Agents"),
      facts(agents.map((agent) => [agent.name ?? agent.agentId, agent.status])),
    ],
    told && [h("h3", {}, "Session"), jsonView(others)],
  ];
}

/** Tokens and cost, main agent and subagents. */
export function usageView(stream) {
  const { usage } = stream.transcript.report();
  const columns = [
    ["calls", (totals) => count(totals.calls)],
    ["input", (totals) => number(totals.promptTokens)],
    ["cached", (totals) => number(totals.cachedTokens)],
    ["output", (totals) => number(totals.completionTokens)],
    ["cost", (totals) => (totals.costUsd === undefined ? "–" : `$${totals.costUsd.toFixed(4)}`)],
  ];
  const rows = [
    ["Main agent", usage.main],
    ["Subagents", usage.subagents],
    ["Total", usage.total],
  ];
  return [
    h(
      "table",
      { class: "usage" },
      h("caption", {}, `Tokens, added up from: ${usage.source}`),
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          h("td"),
          columns.map(([name]) => h("th", { scope: "col" }, name)),
        ),
      ),
      h(
        "tbody",
        {},
        rows.map(([name, totals]) =>
          h(
            "tr",
            {},
            h("th", { scope: "row" }, name),
            columns.map(([, of]) => h("td", {}, of(totals))),
          ),
        ),
      ),
    ),
    h("p", { class: "note" }, "– means the stream did not tell. It is not zero."),
    contextView(stream.transcript.session().context),
  ];
}

const number = (value) => (value === undefined ? "–" : count(value));

function contextView(context) {
  if (!context) return null;
  const ratio = context.usedRatio ?? (context.size ? context.used / context.size : undefined);
  const words = [
    context.used !== undefined && count(context.used),
    context.size !== undefined && `of ${count(context.size)}`,
    ratio !== undefined && `${Math.round(ratio * 100)} %`,
  ];
  return [
    h("h3", {}, "Context window"),
    ratio !== undefined &&
      h("meter", {
        min: 0,
        max: 1,
        high: 0.8,
        optimum: 0,
        value: Math.min(1, ratio),
        "aria-label": "Context window used",
      }),
    h("p", { class: "note" }, words.filter(Boolean).join(" ")),
  ];
}
