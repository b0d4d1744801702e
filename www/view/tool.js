// Tool cards: what was asked for, what it changed, what it printed, how it ended.

import { button, h, icon, size } from "../dom.js";
import { jsonView, textView, titleView, toolContentView } from "./content.js";

export const STATUS_WORDS = { pending: "waiting", in_progress: "running", completed: "done", failed: "failed" };

export const label = (item) => `Tool ${item.title}: ${STATUS_WORDS[item.status]}`;
export const name = (item) => `tool ${item.status}`;

export function draw(item, context) {
  return [head(item), locations(item), asked(item, context), input(item, context), result(item, context)];
}

function head(item) {
  const status = h(
    "span",
    { class: `status ${item.status}`, title: item.statusInferred ? "concluded, not stated by the stream" : undefined },
    icon(item.status),
    STATUS_WORDS[item.status],
    item.statusInferred && " (inferred)",
  );
  return h(
    "header",
    {},
    h("span", { class: `kind ${item.kind}` }, icon(item.kind), h("span", { class: "hidden" }, item.kind)),
    h("span", { class: "title", dir: "auto" }, titleView(item.title || item.toolName || "tool")),
    item.toolName !== undefined && item.toolName !== item.title && h("code", { class: "tool-name" }, item.toolName),
    item.inferred && h("span", { class: "tag" }, callSeen(item) ? "came before its call" : "call not seen"),
    status,
  );
}

const callSeen = (item) =>
  item.rawInput !== undefined || item.rawInputBytes !== undefined || item.inputText !== undefined;

function locations(item) {
  if (!item.locations) return null;
  // The title or the diff below often names the file already.
  const shown = new Set((item.inputContent ?? []).map((content) => content.path));
  const places = item.locations.filter(
    (place) => place.path !== "." && !shown.has(place.path) && !item.title.includes(place.path),
  );
  if (places.length === 0) return null;
  const words = places.map(({ path, line }) =>
    h("code", { dir: "ltr" }, line === undefined ? path : `${path}:${line}`),
  );
  return h("p", { class: "locations" }, words);
}

/** The input side: diffs, and what was asked in words. */
function asked(item, context) {
  return (item.inputContent ?? []).map((content) =>
    content.type === "content" && content.content.type === "text" && content.content.text.length < 400
      ? h("p", { class: "asked", dir: "auto" }, content.content.text)
      : toolContentView(content, context),
  );
}

const contents = (list, context) => (list ?? []).map((content) => toolContentView(content, context));

function input(item, context) {
  if (item.rawInputBytes !== undefined) {
    return context.fold(
      "input",
      false,
      `Input (${size(item.rawInputBytes)})`,
      onDemand(() => context.rawInput(item.item)),
    );
  }
  if (item.rawInput !== undefined) return context.fold("input", false, "Input", () => jsonView(item.rawInput));
  if (item.inputText)
    return h(
      "div",
      { class: "streaming" },
      h("span", { class: "note" }, "Input so far"),
      textView(item.inputText, "json"),
    );
  return null;
}

function result(item, context) {
  const shown = contents(item.content, context);
  const printed =
    item.outputText &&
    (shown.length === 0
      ? outputView(item)
      : context.fold("printed", false, "Printed while running", () => outputView(item)));
  const raw =
    item.rawOutputBytes !== undefined
      ? context.fold(
          "raw",
          false,
          `Raw result (${size(item.rawOutputBytes)})`,
          onDemand(() => context.rawOutput(item.item)),
        )
      : item.rawOutput !== undefined && context.fold("raw", false, "Raw result", () => jsonView(item.rawOutput));
  return [shown.length > 0 && h("div", { class: "output" }, shown), printed, raw];
}

/** Running output; what came on stderr is marked and says so. */
function outputView(item) {
  const pre = h("pre", { class: "text output-text", dir: "auto" });
  let start = 0;
  for (const { stream, end } of item.outputStreams ?? [{ end: item.outputText.length }]) {
    const text = item.outputText.slice(start, end);
    pre.append(stream === "stderr" ? h("span", { class: "stderr", title: "stderr" }, text) : text);
    start = end;
  }
  return pre;
}

/** A large raw value, fetched from the transcript when somebody asks. */
function onDemand(value) {
  return () => {
    const place = h("div", {});
    place.append(button("Load", { kind: "small", onClick: () => place.replaceChildren(jsonView(value() ?? "")) }));
    return place;
  };
}
