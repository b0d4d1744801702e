// The transcript as a feed of articles: a window of the items, redrawn where they changed, walked with the keyboard.

import { button, h, plural } from "./dom.js";
import { ItemView } from "./view/item.js";

const STEP = 200;
const MOST_WHILE_LIVE = 400;
const NEAR_THE_END = 64;

export class TranscriptList {
  #root;
  #latest;
  #onSelect;
  #stream;
  #views = new Map();
  #cards = new Map();
  #first = 0;
  #end = STEP;
  #current;
  #selected;
  #follow = true;
  #more = button("", { kind: "wide", onClick: () => this.#showMore() });
  #earlier = button("", { kind: "wide", onClick: () => this.#showEarlier() });

  constructor(root, latest, onSelect) {
    this.#root = root;
    this.#latest = latest;
    this.#onSelect = onSelect;
    root.addEventListener("click", (event) => this.#clicked(event));
    root.addEventListener("keydown", (event) => this.#pressed(event));
    root.addEventListener("focusin", (event) => this.#focusMoved(event));
    latest.addEventListener("click", () => this.#toLatest());
    for (const type of ["scroll", "wheel", "touchmove"]) {
      document.addEventListener(type, () => this.#scrolled(), { passive: true, capture: true });
    }
  }

  /** Starts over with another stream. `context`: what cards may ask (reply, raw values). */
  open(stream, context) {
    this.#stream = stream;
    this.#views.clear();
    this.#cards.clear();
    [this.#first, this.#end, this.#current, this.#selected, this.#follow] = [0, STEP, undefined, undefined, false];
    this.#context = context;
    this.#root.replaceChildren();
    this.#latest.hidden = true;
  }
  #context;

  /** Whether new items pull the window along. */
  set following(following) {
    this.#follow = following;
  }

  /** Draws what changed since the last time. */
  draw() {
    const length = this.#stream.transcript.length;
    if (!this.#stream.ended && this.#follow) {
      this.#end = Math.max(length, STEP);
      this.#first = Math.max(this.#first, this.#end - MOST_WHILE_LIVE);
      this.#forget();
    }
    const end = Math.min(this.#end, length);
    const items = this.#stream.transcript.items(this.#first, end);
    for (const item of items) this.#drawItem(item);
    this.#root.setAttribute("aria-busy", String(!this.#stream.ended));
    this.#offerMore(length);
    if (length === 0 && this.#stream.ended)
      this.#root.append(
        h(
          "p",
          { class: "hint" },
          "Nothing to show: no record of this stream is one of a known agent's. The report beside says what was found.",
        ),
      );
    if (this.#current === undefined) this.#makeCurrent(this.#root.querySelector("article"));
    if (!this.#stream.ended) this.#keepAtEnd();
    else for (const view of this.#views.values()) view.element.setAttribute("aria-setsize", length);
  }

  #drawItem(item) {
    let view = this.#views.get(item.item);
    if (view) {
      const failed = item.type === "tool" && item.status === "failed" && view.item.status !== "failed";
      view.update(item);
      if (failed) this.#context.say(`Tool failed: ${item.title}`);
    } else {
      view = new ItemView(item, this.#context);
      view.element.setAttribute("aria-posinset", item.item + 1);
      view.element.setAttribute("aria-setsize", this.#stream.ended ? this.#stream.transcript.length : -1);
      this.#views.set(item.item, view);
    }
    if (item.type === "tool") this.#cards.set(item.toolCallId, view);
    // A link may come late, so the place is looked at each time; it hardly ever moves.
    const parent = item.parentToolCallId === undefined ? undefined : this.#cards.get(item.parentToolCallId);
    const place = parent && parent !== view ? parent.nested : this.#root;
    if (view.element.parentNode !== place && !view.element.contains(place))
      insertInOrder(place, view.element, item.item);
    if (place !== this.#root && item.agentId !== undefined) parent.nameNest(this.#context.agent(item.agentId));
  }

  /** While live, articles before the window go, except one that has the focus. */
  #forget() {
    for (const [number, view] of this.#views) {
      if (number >= this.#first) break;
      if (view.element.contains(document.activeElement)) continue;
      if (view.children?.childElementCount) continue;
      view.element.remove();
      this.#views.delete(number);
    }
  }

  #offerMore(length) {
    const after = length - Math.min(this.#end, length);
    this.#more.textContent = `Show more (${plural(after, "item")} below)`;
    if (after > 0) this.#root.append(this.#more);
    else this.#more.remove();
    this.#earlier.textContent = `Show earlier (${plural(this.#first, "item")} above)`;
    if (this.#first > 0) this.#root.prepend(this.#earlier);
    else this.#earlier.remove();
  }

  #showMore() {
    this.#end = Math.min(this.#end, this.#stream.transcript.length) + STEP;
    this.draw();
  }

  #showEarlier() {
    this.#follow = false;
    this.#first = Math.max(0, this.#first - STEP);
    this.draw();
  }

  // --- following a live stream

  #scroller() {
    const column = this.#root.parentElement;
    return getComputedStyle(column).overflowY === "auto" ? column : document.scrollingElement;
  }

  #scrolled() {
    if (!this.#stream || this.#stream.ended) return;
    const { scrollHeight, scrollTop, clientHeight } = this.#scroller();
    this.#follow = scrollHeight - scrollTop - clientHeight < NEAR_THE_END;
    this.#latest.hidden = this.#follow;
  }

  #keepAtEnd() {
    if (!this.#follow) return;
    const scroller = this.#scroller();
    scroller.scrollTop = scroller.scrollHeight;
  }

  #toLatest() {
    this.#follow = true;
    this.#latest.hidden = true;
    this.draw();
  }

  // --- selecting and walking

  #clicked(event) {
    const article = event.target.closest("article");
    if (!article || event.target.closest("button, summary, a, input")) return;
    if (String(document.getSelection()) !== "") return;
    this.select(article);
  }

  select(article) {
    this.#selected?.removeAttribute("data-selected");
    this.#selected = article;
    article.dataset.selected = "";
    this.#makeCurrent(article);
    this.#onSelect(Number(article.dataset.item));
    // A narrow page opens the inspector over the lower part: keep in sight what it is about.
    if (this.#scroller() === document.scrollingElement) article.scrollIntoView({ block: "start" });
  }

  #pressed(event) {
    const article = event.target.closest?.("article");
    if (!article || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape" && event.target !== article) return article.focus();
    if (event.target !== article) return;
    if (event.key === "Enter") this.select(article);
    else if (!this.#walk(article, event.key)) return;
    event.preventDefault();
  }

  #walk(article, key) {
    const articles = [...this.#root.querySelectorAll("article")].filter((each) => each.offsetParent !== null);
    const at = articles.indexOf(article);
    const places = {
      ArrowDown: at + 1,
      PageDown: at + 1,
      ArrowUp: at - 1,
      PageUp: at - 1,
      Home: 0,
      End: articles.length - 1,
    };
    if (!(key in places)) return false;
    const next = articles[Math.min(Math.max(places[key], 0), articles.length - 1)];
    next.focus({ preventScroll: true });
    next.scrollIntoView({ block: "nearest" });
    return true;
  }

  #focusMoved(event) {
    const article = event.target.closest("article");
    if (article) this.#makeCurrent(article);
    // The skip link lands on the list itself: hand on to the item that has the place in the tab order.
    else if (event.target === this.#root) this.#current?.focus();
  }

  #makeCurrent(article) {
    if (!article) return;
    this.#current?.setAttribute("tabindex", "-1");
    this.#current = article;
    article.setAttribute("tabindex", "0");
  }
}

/** Puts an article where its number belongs; nearly always that is the end. */
function insertInOrder(place, element, number) {
  let after = place.lastElementChild;
  while (after && !(Number(after.dataset.item) < number)) after = after.previousElementSibling;
  if (after) after.after(element);
  else place.prepend(element);
}
