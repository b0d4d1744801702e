// The page: takes a stream from the left column, shows its transcript in the middle and its inside on the right.

import { cutsControl } from "./cuts.js";
import { count, fill, h, icon, plural, size } from "./dom.js";
import { Inspector } from "./inspector.js";
import { TranscriptList } from "./list.js";
import { announce, announceNow } from "./announce.js";
import { markSample, sources } from "./sources.js";
import { endingView, OUTCOME_ICONS } from "./ending.js";
import { Stream } from "./stream.js";
import { theme } from "./theme.js";

const $ = (id) => document.getElementById(id);
const page = document.documentElement;

const inspector = new Inspector($("inspector"));
const list = new TranscriptList($("items"), $("latest"), (item) => inspector.select(item));
const cuts = cutsControl();
const title = h("h2", { id: "stream-title" });
const chips = h("ul", { class: "chips", "aria-label": "About this stream" });
const problem = h("p", { class: "problem", role: "alert", hidden: true });
const files = h("ul", { class: "files", "aria-label": "Files of this run", hidden: true });
$("stream").append(h("div", { class: "stream-head" }, title, chips), files, cuts.element, problem);

let stream;
let aborter;

/** What cards may ask of the page. */
function cardContext(opened, growing) {
  return {
    growing,
    say: announce,
    shownImages: new Set(),
    rawInput: (item) => opened.transcript.rawInput(item),
    rawOutput: (item) => opened.transcript.rawOutput(item),
    reply: (item, choice) => opened.transcript.reply(item, choice),
    agent: (agentId) => opened.transcript.agents().find((agent) => agent.agentId === agentId),
  };
}

/**
 * Opens a stream in place of the one shown; `open(signal)` gives its files, see `Stream.read`. Never throws: what goes
 * wrong is told on the page.
 */
async function load(name, open, { sample, live = false } = {}) {
  aborter?.abort();
  const mine = (aborter = new AbortController());
  page.dataset.state = "busy";
  stream?.close();
  const opened = (stream = new Stream(name));
  fill(title, name);
  problem.hidden = true;
  files.hidden = true;
  $("ending").hidden = true;
  markSample(sample);
  list.open(opened, cardContext(opened, live));
  list.following = live;
  inspector.open(opened);
  cuts.open(opened);
  if (matchMedia("(max-width: 899px)").matches && !live) showSources(false);
  announceNow(live ? `Connected: ${name}` : `Reading ${name}`);
  const unsubscribe = opened.transcript.subscribe(() => draw(opened));
  try {
    await opened.read(await open(mine.signal), mine.signal);
  } catch (error) {
    if (!mine.signal.aborted) tell(`Cannot read ${name}: ${error.message}`);
    opened.ended = true;
  }
  unsubscribe();
  if (opened !== stream) return;
  try {
    draw(opened);
    cuts.ready();
    fill($("ending"), endingView(opened.transcript.report().result));
    $("ending").hidden = opened.transcript.length === 0;
    announce(ending(opened));
  } catch (error) {
    // Nothing can be asked of a transcript whose instance broke; what is drawn stays.
    tell(`${name} cannot be shown further: ${error.message}`);
  }
  page.dataset.state = "idle";
}

function draw(opened) {
  if (opened !== stream) return;
  list.draw();
  drawChips(opened);
  drawFiles(opened);
  inspector.refresh();
}

function drawChips(opened) {
  const { transcript, ended, length } = opened;
  const report = transcript.report();
  const remarks = Object.values(report.diagnosticCounts).reduce((sum, number) => sum + number, 0);
  const tokens = [report.usage.total.promptTokens, report.usage.total.completionTokens];
  const cost = report.usage.total.costUsd;
  fill(
    chips,
    [
      chip(ended ? "" : "busy", ended ? (report.dialect ?? "unknown dialect") : `live · ${report.dialect ?? "?"}`),
      chip("", `${size(length)}, ${plural(report.records, "record")}, ${plural(report.events, "event")}`),
      outcomeChip(report.result, ended),
      tokens.some((number) => number !== undefined) &&
        chip("", `${tokens.map((number) => (number === undefined ? "–" : count(number))).join(" in · ")} out`),
      cost !== undefined && chip("", `$${cost.toFixed(3)}`),
      remarks > 0 && chip("odd", plural(remarks, "remark"), "warning"),
    ].filter(Boolean),
  );
}

/** A run that goes on has no outcome yet, whatever its last turn had. */
function outcomeChip({ outcome, evidence }, ended) {
  if (outcome === undefined) return ended && chip("", "no outcome told", "info");
  return chip(outcome, `run ${outcome}${evidence === "inferred" ? " (inferred)" : ""}`, OUTCOME_ICONS[outcome]);
}

function drawFiles(opened) {
  files.hidden = !opened.several;
  if (!opened.several) return;
  const rows = opened.files.map(({ name, length }, number) =>
    h(
      "li",
      { dir: "auto" },
      h("code", {}, name),
      h("span", { class: "note" }, `${size(length)}${number === 0 ? ", the main file" : ""}`),
    ),
  );
  fill(files, rows);
}

const chip = (name, text, iconName) => h("li", { class: `chip ${name}` }, iconName && icon(iconName), text);

function ending(opened) {
  const report = opened.transcript.report();
  return `${opened.title}: ${plural(report.items, "item")}${report.result.outcome ? `, run ${report.result.outcome}` : ""}`;
}

function tell(text) {
  problem.hidden = false;
  fill(problem, icon("error"), text);
}

function showSources(shown) {
  $("toggle-sources").setAttribute("aria-expanded", String(shown));
  document.body.dataset.sources = shown ? "shown" : "hidden";
}

$("toggle-sources").addEventListener("click", () =>
  showSources($("toggle-sources").getAttribute("aria-expanded") !== "true"),
);
theme($("toggle-theme"));
sources({ load, stop: () => aborter?.abort() }).catch((error) => {
  tell(`The samples cannot be read: ${error.message}`);
  page.dataset.state = "idle";
});
