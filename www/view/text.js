// Messages, thoughts and the user's words. A growing text is appended to, not drawn again.

import { h, icon } from "../dom.js";
import { blockView } from "./content.js";

const SPEAKERS = { agent: "Agent", thought: "Thought", user: "You" };
// What a subagent is told comes from the agent that sent it.
const isTask = (item) => item.role === "user" && item.parentToolCallId !== undefined;
const speaker = (item) => (isTask(item) ? "Task" : SPEAKERS[item.role]);
// Models often end a text with empty lines, which would stand as a hole on the page.
const shown = (item) => item.text.replace(/^\s*\n/, "").trimEnd();

export const label = (item) => `${speaker(item)}: ${item.text.slice(0, 60)}`;
export const name = (item) => `text ${item.role}`;

export function draw(item, context) {
  const text = document.createTextNode(shown(item));
  const body = h("div", { class: "prose", dir: "auto", "aria-busy": String(!item.ended && context.growing) }, text);
  const blocks = (item.blocks ?? []).map((block) => blockView(block, context));
  const marks = [item.aborted && h("span", { class: "tag bad" }, "broke off")];
  const head = h("header", {}, icon(item.role), h("span", { class: "who" }, speaker(item)), marks);
  if (item.role !== "thought") return [head, item.text !== "" && body, blocks];
  const fold = context.fold("thought", true, [icon("thought"), h("span", { class: "who" }, "Thought"), marks], body);
  return [fold, blocks];
}

/** Appends to the text node that is there; false where the card has to be drawn anew. */
export function grow(card, item, before) {
  const body = card.querySelector(".prose");
  const node = body?.firstChild;
  const text = shown(item);
  if (node?.nodeType !== Node.TEXT_NODE || !text.startsWith(node.data)) return false;
  if ((item.blocks?.length ?? 0) !== (before.blocks?.length ?? 0) || item.aborted !== before.aborted) return false;
  node.appendData(text.slice(node.length));
  if (item.ended) body.setAttribute("aria-busy", "false");
  return true;
}
