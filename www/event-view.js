// One normalized event as a row: its word and gist in a line, the whole of it when opened.

import { h } from "./dom.js";

/** `own`: the event is about what the reader looks at; others are toned down. */
export function eventView(event, own = true) {
  const { sessionUpdate } = event.update;
  const details = h(
    "details",
    { class: own ? "event" : "event other" },
    h(
      "summary",
      {},
      h("span", { class: "seq" }, `#${event.seq}`),
      h("code", {}, sessionUpdate),
      h("span", { class: "gist" }, gist(event.update)),
    ),
  );
  const fill = () => details.append(h("pre", { class: "text json" }, JSON.stringify(event, null, 2)));
  details.addEventListener("toggle", fill, { once: true });
  return details;
}

/** The first telling string of an update. */
function gist(update) {
  const {
    content,
    outputDelta,
    inputDelta,
    title,
    status,
    message,
    text,
    raw,
    event,
    type,
    scope,
    phase,
    outcome,
    toolCallId,
  } = update;
  const words = [type, event, title, status, message, text, scope, phase, outcome].filter(
    (word) => typeof word === "string" && word !== "",
  );
  const found =
    content?.text ??
    outputDelta?.text ??
    inputDelta ??
    (words.join(" · ") || (typeof raw === "string" ? raw : toolCallId));
  return String(found ?? "").slice(0, 120);
}
