// From a transcript item to its card: chooses the view, keeps what is folded open, grows texts in place.

import { h, icon } from "../dom.js";
import * as interrupt from "./interrupt.js";
import * as plan from "./plan.js";
import * as remarks from "./remarks.js";
import * as text from "./text.js";
import * as tool from "./tool.js";

const VIEWS = { text, tool, plan, interrupt, ...remarks };
const viewOf = (item) => VIEWS[item.type] ?? remarks.missing;

/** One item's article. `context` is what the views may ask: see transcript.js. */
export class ItemView {
  #card = h("div", { class: "card" });
  #open = new Map();
  #context;

  constructor(item, context) {
    this.item = item;
    this.#context = Object.assign(Object.create(context), { fold: (...args) => this.#fold(...args) });
    this.element = h("article", { tabindex: "-1", data: { item: String(item.item) } }, this.#card);
    this.#draw();
  }

  /** Draws what changed. */
  update(item) {
    const before = this.item;
    if (item === before) return;
    this.item = item;
    const grows = item.type === "text" && before.type === "text" && item.withdrawn === before.withdrawn;
    if (!grows || !text.grow(this.#card, item, before)) this.#draw();
  }

  /** The list under the card for what its subagents did, made when first wanted. */
  get nested() {
    if (!this.children) {
      this.children = h("div", { class: "children" });
      this.#nest = h(
        "details",
        { class: "nest", open: true },
        h("summary", {}, icon("agent"), this.#nestName),
        this.children,
      );
      this.element.append(this.#nest);
    }
    return this.children;
  }
  #nest;
  #nestName = h("span", { class: "nest-name", dir: "auto" }, "Subagent");

  /** Says which agent works under the card and how it fares, as far as the stream tells. */
  nameNest(agent) {
    const name = agent?.name ? `Subagent ${agent.name}` : "Subagent";
    const words = agent && agent.status !== "unknown" ? `${name}, ${agent.status}` : name;
    if (this.#nestName.textContent !== words) this.#nestName.textContent = words;
  }

  #draw() {
    const { item } = this;
    const view = viewOf(item);
    const focused = this.#card.contains(document.activeElement) && document.activeElement.dataset.key;
    this.#card.className = `card ${view.name(item)}${item.withdrawn === undefined ? "" : " withdrawn"}`;
    this.#card.replaceChildren(
      ...[view.draw(item, this.#context), this.#marks()].flat(Infinity).filter((node) => node instanceof Node),
    );
    this.element.setAttribute("aria-label", view.label(item));
    if (focused) this.#card.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
  }

  #marks() {
    const { withdrawn, truncated } = this.item;
    return [
      withdrawn !== undefined && h("p", { class: "note" }, icon("close"), `Taken back by the stream: ${withdrawn}`),
      truncated && h("p", { class: "note" }, icon("warning"), "Cut off: a limit was reached"),
    ];
  }

  /** A `details` that stays as the reader left it; a body given as a function is made when first opened. */
  #fold(key, open, title, body) {
    const summary = h("summary", { data: { key } }, title);
    const details = h("details", { class: `fold ${key}`, open: this.#open.get(key) ?? open }, summary);
    const make = () => details.childElementCount === 1 && details.append(typeof body === "function" ? body() : body);
    if (details.open || typeof body !== "function") make();
    details.addEventListener("toggle", () => {
      this.#open.set(key, details.open);
      if (details.open) make();
    });
    return details;
  }
}
