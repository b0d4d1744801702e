// Messages, thoughts and the user's words. A growing text is appended to, not drawn again.

import { h, icon } from "../dom.js";
import { blockView } from "./content.js";

const SPEAKERS = { agent: "Agent", thought: "Thought", user: "You" };

export const label = (item) => `${SPEAKERS[item.role]}: ${item.text.slice(0, 60)}`;
export const name = (item) => `text ${item.role}`;

export function draw(item, context) {
  const text = document.createTextNode(item.text);
  const body = h("div", { class: "prose", dir: "auto", "aria-busy": String(!item.ended && context.growing) }, text);
  const blocks = (item.blocks ?? []).map((block) => blockView(block, context));
  const marks = [item.aborted && h("span", { class: "tag bad" }, "broke off")];
  const head = h("header", {}, icon(item.role), h("span", { class: "who" }, SPEAKERS[item.role]), marks);
  if (item.role !== "thought") return [head, item.text !== "" && body, blocks];
  const fold = context.fold("thought", true, [icon("thought"), h("span", { class: "who" }, "Thought"), marks], body);
  return [fold, blocks];
}

/** Appends to the text node that is there; false where the card has to be drawn anew. */
export function grow(card, item, before) {
  const body = card.querySelector(".prose");
  const node = body?.firstChild;
  if (node?.nodeType !== Node.TEXT_NODE || !item.text.startsWith(before.text)) return false;
  if ((item.blocks?.length ?? 0) !== (before.blocks?.length ?? 0) || item.aborted !== before.aborted) return false;
  node.appendData(item.text.slice(before.text.length));
  if (item.ended) body.setAttribute("aria-busy", "false");
  return true;
}
