// The right column: where an item came from, the events that made it, what the stream reported, what it cost.

import { button, copyButton, count, fill, h, icon, plural, size } from "./dom.js";
import { eventView } from "./event-view.js";
import { reportView, usageView } from "./report.js";
import { hexOf, textOf } from "./source-bytes.js";
import { tabList } from "./tabs.js";
import { jsonView } from "./view/content.js";

const TABS = [
  { id: "source", title: "Source bytes" },
  { id: "events", title: "Events" },
  { id: "report", title: "Report" },
  { id: "usage", title: "Usage" },
];
const SHOWN_EVENTS = 200;
const SHOWN_RECORDS = 40;

export class Inspector {
  #element;
  #tabs;
  #title = h("h2", {}, "Inspector");
  #shown = "report";
  #stream;
  #item;
  #hex = false;
  #scope = "item";
  #returnTo;

  constructor(element) {
    this.#element = element;
    this.#tabs = tabList(TABS, "Inspector", (id) => this.#choose(id));
    const close = button("", {
      iconName: "close",
      label: "Close inspector",
      kind: "quiet close",
      onClick: () => this.close(),
    });
    element.append(h("header", {}, this.#title, close), this.#tabs.list, this.#tabs.panel);
    element.addEventListener("keydown", (event) => event.key === "Escape" && this.close());
  }

  open(stream) {
    this.#stream = stream;
    this.#item = undefined;
    this.#element.removeAttribute("data-open");
    fill(this.#title, "Inspector");
    this.#tabs.choose("report");
  }

  /** Shows an item's sources. */
  select(number) {
    this.#returnTo = document.activeElement;
    this.#item = number;
    this.#element.dataset.open = "";
    fill(this.#title, `Item ${number}`);
    this.#scope = "item";
    this.#tabs.choose(this.#shown === "events" ? "events" : "source");
  }

  /** On narrow pages the inspector is a sheet; closing gives the focus back. */
  close() {
    if (!("open" in this.#element.dataset)) return;
    delete this.#element.dataset.open;
    if (this.#returnTo?.isConnected) this.#returnTo.focus();
  }

  /** The stream went on: what the chosen tab tells may have changed. */
  refresh() {
    const growing = this.#shown === "report" || this.#shown === "usage" || this.#stream.ended;
    if (growing && !this.#tabs.panel.contains(document.activeElement)) this.#choose(this.#shown);
  }

  #choose(id) {
    this.#shown = id;
    if (!this.#stream) return;
    const views = {
      source: () => this.#source(),
      events: () => this.#events(),
      report: () => this.#report(),
      usage: () => usageView(this.#stream),
    };
    fill(this.#tabs.panel, views[id]());
    if (this.#stream.ended && this.#stream.behind && (id === "source" || id === "events")) this.#waitForEvents();
  }

  /** A long stream's events are made in slices; what is shown is filled in once they are there. */
  async #waitForEvents() {
    const [stream, item, shown] = [this.#stream, this.#item, this.#shown];
    this.#tabs.panel.prepend(h("p", { class: "note" }, `Making the events of ${size(stream.length)}…`));
    await stream.catchUp();
    if (stream === this.#stream && item === this.#item && shown === this.#shown && !stream.closed) this.#choose(shown);
  }

  #source() {
    if (this.#item === undefined) return hint();
    const [item] = this.#stream.transcript.items(this.#item, this.#item + 1);
    const sources = this.#stream.transcript.sources(this.#item).slice(0, SHOWN_RECORDS);
    const toggle = button(this.#hex ? "Show as text" : "Show as hex", {
      kind: "small",
      onClick: () => {
        this.#hex = !this.#hex;
        this.#choose("source");
      },
    });
    const rest = item.sourceCount - sources.length;
    return [
      h(
        "div",
        { class: "row bar" },
        h("span", { class: "note" }, `${plural(item.sourceCount, "record")} made this item`),
        toggle,
      ),
      sources.map((source) => this.#record(source)),
      rest > 0 && h("p", { class: "note" }, `and ${plural(rest, "more record")}`),
    ];
  }

  /** A record's exact bytes beside the events it caused. */
  #record(source) {
    const { offset, length, line } = source;
    const { several } = this.#stream;
    const file = this.#stream.fileOf(source);
    const bytes = file.range(offset, length);
    const shown =
      bytes.length < length
        ? h("p", { class: "note" }, "These bytes were not kept.")
        : this.#hex
          ? hexOf(bytes, offset)
          : textOf(bytes);
    return h(
      "section",
      { class: "record", data: { offset: String(offset) } },
      h(
        "header",
        {},
        several && h("code", { class: "file", dir: "auto" }, file.name),
        h("strong", {}, `line ${count(line)}`),
        h("span", { class: "note" }, `offset ${count(offset)}, ${size(length)}`),
        copyButton("Copy these bytes as text", () => new TextDecoder().decode(bytes)),
      ),
      several ? shown : h("div", { class: "pair" }, shown, this.#caused(offset)),
    );
  }

  #caused(offset) {
    const events = this.#stream.eventsAt(offset);
    return h(
      "div",
      { class: "caused" },
      events.map((event) => eventView(event, event.item === this.#item)),
      events.length === 0 && h("p", { class: "note" }, "no event of its own"),
    );
  }

  /** Of several files there are no raw events, but what they became. */
  #whole() {
    if (this.#item === undefined) return hint();
    return [
      h("p", { class: "note" }, "Raw events are those of one file. What the files of this run made of the item:"),
      jsonView(this.#stream.transcript.item(this.#item)),
    ];
  }

  #events() {
    if (this.#stream.several) return this.#whole();
    const ofItem = this.#scope === "item" && this.#item !== undefined;
    const all = ofItem ? this.#stream.eventsOf(this.#item) : this.#stream.events();
    const other =
      this.#item !== undefined &&
      button(ofItem ? "Show all of the stream" : `Only item ${this.#item}`, {
        kind: "small",
        onClick: () => {
          this.#scope = ofItem ? "stream" : "item";
          this.#choose("events");
        },
      });
    const copy = copyButton("Copy these events as JSON lines", () =>
      all.map((event) => JSON.stringify(event)).join("\n"),
    );
    return [
      h("div", { class: "row bar" }, h("span", { class: "note" }, plural(all.length, "event")), other, copy),
      all.slice(0, SHOWN_EVENTS).map((event) => eventView(event, true)),
      all.length > SHOWN_EVENTS && h("p", { class: "note" }, `and ${plural(all.length - SHOWN_EVENTS, "more event")}`),
    ];
  }

  #report() {
    return reportView(this.#stream, (diagnostic) => this.#place(diagnostic));
  }

  /** The bytes around a diagnostic: its line, as far as it is short. */
  #place(diagnostic) {
    const { offset } = diagnostic;
    const start = Math.max(0, offset - 200);
    const around = this.#stream.fileOf(diagnostic).range(start, 600);
    const from = around.lastIndexOf(10, offset - start - 1) + 1;
    const next = around.indexOf(10, offset - start);
    const line = around.subarray(from, next < 0 ? around.length : next);
    return this.#hex ? hexOf(line, start + from) : textOf(line);
  }
}

const hint = () =>
  h(
    "p",
    { class: "hint" },
    icon("search"),
    "Select an item of the transcript to see the bytes it came from, beside the events they became.",
  );
