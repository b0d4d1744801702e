// Content blocks and what else is shown raw: texts, images behind a click, resources, JSON, untrusted URLs.

import { button, copyButton, h, icon, size } from "../dom.js";
import { diffView } from "./diff.js";

// What a browser decodes safely. SVG is not among them: it is a document.
const IMAGE_TYPES = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);
const BASE64 = /^[A-Za-z0-9+/\s]+={0,2}\s*$/;
const SHOWN_CHARACTERS = 6000;

/** A text as it is, its lines kept; long ones fold behind a button. */
export function textView(text, name = "plain") {
  const pre = h("pre", { class: `text ${name}`, dir: "auto" });
  if (text.length <= SHOWN_CHARACTERS) {
    pre.append(text);
    return pre;
  }
  const rest = button(`Show all ${size(text.length)}`, {
    kind: "small",
    onClick: () => {
      pre.replaceChildren(text);
      rest.remove();
    },
  });
  pre.append(`${text.slice(0, SHOWN_CHARACTERS)}…`);
  return h("div", {}, pre, rest);
}

/** A JSON value, indented. */
export function jsonView(value) {
  return textView(typeof value === "string" ? value : JSON.stringify(value, null, 2), "json");
}

/** Harnesses put commands and paths of a title between backticks. */
export function titleView(title) {
  return title.split(/`([^`]+)`/).map((piece, at) => (at % 2 === 0 ? piece : h("code", {}, piece)));
}

/** A URL of the trace: text and a copy button, never a link. Schemes other than http and https are marked. */
export function urlView(url) {
  const scheme = /^\s*([a-z][a-z0-9+.-]*):/i.exec(url)?.[1]?.toLowerCase();
  const refused = scheme !== undefined && scheme !== "http" && scheme !== "https";
  return h(
    "span",
    { class: refused ? "url refused" : "url" },
    h("code", { dir: "ltr" }, url),
    refused && h("span", { class: "tag bad" }, icon("warning"), `${scheme}: refused`),
    copyButton("Copy address", () => url),
  );
}

/** One content block of a message or a result. */
export function blockView(block, context) {
  switch (block.type) {
    case "text":
      return textView(block.text);
    case "image":
      return imageView(block, context);
    case "audio":
      return h("p", { class: "note" }, `Audio, ${block.mimeType}, ${size(block.data.length)} of base64`);
    case "resource":
      return jsonView(block.resource);
    case "resource_link":
      return h("p", { class: "note" }, block.title ?? block.name ?? "Resource", " ", urlView(block.uri));
    default:
      return jsonView(block);
  }
}

/** An entry of a tool card's content. */
export function toolContentView(content, context) {
  if (content.type === "diff") return diffView(content);
  if (content.type === "terminal") return h("p", { class: "note" }, "Terminal ", h("code", {}, content.terminalId));
  return blockView(content.content, context);
}

/** An image of the trace: shown only when asked, only from its own bytes. */
function imageView(block, context) {
  if (block.data === "") {
    return h("p", { class: "note" }, "Remote image, not loaded. ", block.uri !== undefined && urlView(block.uri));
  }
  const what = `${block.mimeType || "image"}, ${size(Math.floor((block.data.length * 3) / 4))}`;
  if (!IMAGE_TYPES.has(block.mimeType) || !BASE64.test(block.data.slice(0, 4096))) {
    return h("p", { class: "note" }, `Image not shown: ${what}`);
  }
  const frame = h("div", { class: "image" });
  const show = () => {
    context.shownImages.add(block.data);
    const image = h("img", { alt: `Image of the trace, ${what}`, src: `data:${block.mimeType};base64,${block.data}` });
    image.addEventListener("error", () =>
      frame.replaceChildren(h("p", { class: "note" }, `Not an image after all: ${what}`)),
    );
    frame.replaceChildren(image);
  };
  if (context.shownImages.has(block.data)) show();
  else frame.append(button(`Show image (${what})`, { onClick: show, data: { key: "image" } }));
  return frame;
}
