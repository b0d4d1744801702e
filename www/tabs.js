// Tabs after the ARIA pattern: arrows move, the chosen one is in the tab order.

import { h } from "./dom.js";

/** `tabs`: `[{id, title}]`. `onChoose(id)` fills the panel. */
export function tabList(tabs, label, onChoose) {
  const panel = h("div", { class: "panel", id: "inspector-panel", role: "tabpanel", tabindex: "0" });
  const buttons = tabs.map(({ id, title }) =>
    h(
      "button",
      { type: "button", role: "tab", id: `tab-${id}`, "aria-controls": panel.id, on: { click: () => choose(id) } },
      title,
    ),
  );
  const list = h("div", { class: "tabs", role: "tablist", "aria-label": label }, buttons);
  list.addEventListener("keydown", (event) => {
    const at = buttons.indexOf(event.target);
    const next = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: buttons.length - 1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    const index = (next + buttons.length) % buttons.length;
    buttons[index].focus();
    choose(tabs[index].id);
  });
  function choose(id) {
    buttons.forEach((each, at) => {
      const chosen = tabs[at].id === id;
      each.setAttribute("aria-selected", String(chosen));
      each.tabIndex = chosen ? 0 : -1;
    });
    panel.setAttribute("aria-labelledby", `tab-${id}`);
    onChoose(id);
  }
  return { list, panel, choose };
}
