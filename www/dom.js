// Building DOM without markup: elements, icons, small buttons. Every text goes in as a text node, so nothing that a
// trace says can become an element.

const SVG = "http://www.w3.org/2000/svg";

/**
 * Makes an element. `properties`: `class`, `data` (dataset), `on` (listeners by event name), anything else is an
 * attribute; `false`, `null` and `undefined` leave it out, `true` writes it empty. Children: nodes, texts, arrays of
 * them; empty ones are left out.
 */
export function h(tag, properties, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties ?? {})) {
    if (value === false || value === null || value === undefined) continue;
    if (name === "class") element.className = value;
    else if (name === "data") Object.assign(element.dataset, value);
    else if (name === "on")
      for (const [event, listener] of Object.entries(value)) element.addEventListener(event, listener);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...flat(children));
  return element;
}

function flat(children) {
  return children
    .flat(Infinity)
    .filter((child) => child !== null && child !== undefined && child !== false && child !== "");
}

/** Puts other children into an element. */
export function fill(element, ...children) {
  element.replaceChildren(...flat(children));
  return element;
}

// Stroke paths on a 16 x 16 grid, drawn for this page.
const ICONS = {
  read: "M3 2.5h6.5L13 6v7.5H3zM9.5 2.5V6H13M5.5 8.5h5M5.5 11h5",
  edit: "M10.8 2.7l2.5 2.5-7.6 7.6-3.2.7.7-3.2zM9 4.5L11.5 7",
  delete: "M3 4.5h10M6 4.5v-2h4v2M4.5 4.5l.6 9h5.8l.6-9M6.8 7v4M9.2 7v4",
  move: "M2.5 8h10M9.5 5l3 3-3 3M2.5 4v8",
  search: "M7 2.5a4.5 4.5 0 1 0 0 9a4.5 4.5 0 1 0 0-9M10.4 10.4l3.2 3.2",
  execute: "M2.5 3h11v10h-11zM5 6l2 2-2 2M8.5 10.5h2.5",
  think: "M8 2.2a4.2 4.2 0 0 0-2.3 7.7v1.6h4.6V9.9A4.2 4.2 0 0 0 8 2.2M6.2 13.7h3.6",
  fetch:
    "M8 2.3a5.7 5.7 0 1 0 0 11.4a5.7 5.7 0 1 0 0-11.4M2.5 8h11M8 2.3c-3.2 3.5-3.2 8 0 11.4M8 2.3c3.2 3.5 3.2 8 0 11.4",
  switch_mode: "M3 5h8.5M9 2.5L11.5 5 9 7.5M13 11H4.5M7 8.5L4.5 11 7 13.5",
  other: "M4 6.5l4-4 4 4-4 7zM4 6.5h8",
  pending: "M8 2.5a5.5 5.5 0 1 0 0 11a5.5 5.5 0 1 0 0-11M8 5v3.2l2 1.3",
  in_progress: "M8 2.5a5.5 5.5 0 1 0 5.5 5.5",
  completed: "M3 8.5l3.3 3.3L13 4.8",
  failed: "M4 4l8 8M12 4l-8 8",
  warning: "M8 2.5l6 10.5H2zM8 6.5v3M8 11.2v.3",
  error: "M5.5 2.5h5l3 3v5l-3 3h-5l-3-3v-5zM8 5v3.7M8 10.8v.3",
  info: "M8 2.5a5.5 5.5 0 1 0 0 11a5.5 5.5 0 1 0 0-11M8 7.3v3.7M8 4.9v.3",
  user: "M8 2.8a2.6 2.6 0 1 0 0 5.2a2.6 2.6 0 1 0 0-5.2M3 13.5c.4-3 2.2-4 5-4s4.6 1 5 4",
  agent: "M3.5 5h9v7.5h-9zM8 5V2.5M6 8v1M10 8v1M6.3 11h3.4",
  thought: "M3 3h10v7.5H8L5 13v-2.5H3z",
  plan: "M2.5 4l1 1 1.7-2M2.5 8.5l1 1 1.7-2M7.5 4.2h6M7.5 8.7h6M2.8 13h.9M7.5 13h6",
  interrupt: "M8 2.5a5.5 5.5 0 1 0 0 11a5.5 5.5 0 1 0 0-11M6.3 6.3c.2-2 3.5-2 3.5.1c0 1.3-1.7 1.3-1.8 2.8M8 11.2v.3",
  citations: "M3 4h4v4c0 2-1 3.3-2.7 4M9 4h4v4c0 2-1 3.3-2.7 4",
  artifact: "M8 2.5v7M5 7l3 3 3-3M3 11.5v2h10v-2",
  copy: "M5.5 5.5h8v8h-8zM3 10.5H2.5v-8h8V3",
  close: "M4 4l8 8M12 4l-8 8",
  theme: "M8 2.5a5.5 5.5 0 1 0 0 11zM8 2.5a5.5 5.5 0 0 1 0 11",
  live: "M8 6.8a1.2 1.2 0 1 0 0 2.4a1.2 1.2 0 1 0 0-2.4M5.2 5.2a4 4 0 0 0 0 5.6M10.8 5.2a4 4 0 0 1 0 5.6M3.2 3.2a6.8 6.8 0 0 0 0 9.6M12.8 3.2a6.8 6.8 0 0 1 0 9.6",
  stop: "M4 4h8v8H4z",
  drop: "M8 2.5v6M5.5 6L8 8.5 10.5 6M2.5 9.5v4h11v-4",
  more: "M3 6l5 5 5-5",
};

/** A decorative icon; the word it stands for is always beside it or in a label. */
export function icon(name, extra = "") {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("aria-hidden", "true");
  svg.setAttribute("class", `icon icon-${name} ${extra}`.trim());
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", ICONS[name] ?? ICONS.other);
  svg.append(path);
  return svg;
}

/** A button with a word or only an icon; `label` names it to assistive technology when no text does. */
export function button(text, { iconName, label, onClick, kind = "", ...attributes } = {}) {
  const element = h(
    "button",
    {
      type: "button",
      class: `button ${kind}`.trim(),
      "aria-label": label,
      title: text ? undefined : label,
      ...attributes,
    },
    iconName && icon(iconName),
    text && h("span", {}, text),
  );
  if (onClick) element.addEventListener("click", onClick);
  return element;
}

/** Copies `text()` and says so on the button itself for a moment. */
export function copyButton(label, text) {
  const element = button("", { iconName: "copy", label, kind: "quiet small" });
  element.addEventListener("click", async (event) => {
    event.stopPropagation();
    const done = await navigator.clipboard.writeText(text()).then(
      () => true,
      () => false,
    );
    element.dataset.copied = done ? "copied" : "not allowed";
    element.addEventListener("blur", () => delete element.dataset.copied, { once: true });
    element.addEventListener("pointerleave", () => delete element.dataset.copied, { once: true });
  });
  return element;
}

/** 1234567 -> "1 234 567" with a narrow space, the same in every locale so that screenshots compare. */
export function count(number) {
  return String(number).replace(/\B(?=(\d{3})+(?!\d))/g, "\u202f");
}

/** A size in bytes for people. */
export function size(bytes) {
  if (bytes < 1024) return `${bytes} B`;
  const [number, unit] = bytes < 1 << 20 ? [bytes / 1024, "KiB"] : [bytes / (1 << 20), "MiB"];
  return `${number < 10 ? number.toFixed(1) : Math.round(number)} ${unit}`;
}

/** "1 record", "2 records". */
export const plural = (number, word) => `${count(number)} ${word}${number === 1 ? "" : "s"}`;
