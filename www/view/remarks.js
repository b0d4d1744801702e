// Small rows: errors, notices, citations, artifacts, and numbers for which nothing came.

import { h, icon } from "../dom.js";
import { jsonView, urlView } from "./content.js";

export const error = {
  label: (item) => `Error: ${item.error.message}`,
  name: (item) => `banner ${item.error.fatal ? "fatal" : "passing"}`,
  draw(item) {
    const { message, fatal, code, retryAfterMs } = item.error;
    return h(
      "header",
      {},
      icon(fatal ? "error" : "warning"),
      h("span", { class: "who" }, fatal ? "Fatal error" : "Error, goes on"),
      h("span", { class: "message", dir: "auto" }, message),
      code !== undefined && h("span", { class: "tag" }, code),
      retryAfterMs !== undefined && h("span", { class: "tag" }, `retry after ${retryAfterMs} ms`),
    );
  },
};

export const notice = {
  label: (item) => `Notice: ${item.notice.text}`,
  name: (item) => `notice ${item.notice.severity}`,
  draw({ notice: { severity, text, stream } }) {
    const words = h("span", { class: "message", dir: "auto" }, text);
    return h(
      "header",
      {},
      icon(severity === "info" ? "info" : severity),
      words,
      stream && h("span", { class: "tag" }, stream),
    );
  },
};

export const citations = {
  label: () => "Sources of the answer",
  name: () => "citations",
  draw({ citations: { items, modelOnly } }) {
    const sources = Array.isArray(items) ? items : [items];
    return [
      h(
        "header",
        {},
        icon("citations"),
        h("span", { class: "who" }, "Sources"),
        modelOnly && h("span", { class: "tag" }, "the model alone"),
      ),
      h(
        "ol",
        { class: "source-list" },
        sources.map((source) => h("li", {}, sourceView(source))),
      ),
    ];
  },
};

function sourceView(source) {
  if (source === null || typeof source !== "object") return String(source);
  const { title, url, snippet, ...others } = source;
  const known = [
    typeof title === "string" && h("strong", { dir: "auto" }, title),
    typeof snippet === "string" && h("p", { dir: "auto" }, snippet),
    typeof url === "string" && urlView(url),
  ];
  return known.some(Boolean) ? known : jsonView(others);
}

export const artifact = {
  label: (item) => `File ${item.artifact.filename}`,
  name: () => "artifact",
  draw({ artifact: { url, filename } }) {
    return [
      h(
        "header",
        {},
        icon("artifact"),
        h("span", { class: "who" }, "File"),
        h("span", { class: "title", dir: "auto" }, filename),
      ),
      h("p", {}, urlView(url)),
    ];
  },
};

export const missing = {
  label: () => "Nothing came for this number",
  name: () => "notice info",
  draw: (item) => h("p", { class: "note" }, `Item ${item.item}: nothing came for this number.`),
};
