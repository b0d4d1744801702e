// The left column: all the ways a stream gets in. Each ends in `load(title, open)`, where `open(signal)` gives a
// ReadableStream of bytes. Nothing is fetched that was not asked for.

import { h, icon } from "./dom.js";

const $ = (id) => document.getElementById(id);

/** Wires the column. `load` may be called again at any time; `stop` ends what is being read. */
export async function sources({ load, stop }) {
  wireFile(load);
  wirePaste(load);
  wireUrl(load);
  const list = await (await fetch("samples/index.json")).json();
  const loadSample = (sample) =>
    load(sample.title, (signal) => fetchBody(`samples/${sample.file}`, signal), { sample: sample.name });
  const buttons = list.map((sample) =>
    h(
      "button",
      { type: "button", class: "sample", data: { sample: sample.name }, on: { click: () => loadSample(sample) } },
      h("strong", {}, sample.title),
      h("span", {}, sample.shows),
    ),
  );
  $("samples").replaceChildren(...buttons.map((each) => h("li", {}, each)));
  wireLive(list, load, stop);
  const wanted = new URLSearchParams(location.hash.slice(1)).get("sample");
  await loadSample(list.find((sample) => sample.name === wanted) ?? list[0]);
}

/** Marks what is shown. */
export function markSample(name) {
  for (const each of document.querySelectorAll(".sample"))
    each.setAttribute("aria-current", String(each.dataset.sample === name));
}

async function fetchBody(url, signal) {
  const response = await fetch(url, {
    signal,
    credentials: "omit",
    headers: { accept: "text/event-stream, application/x-ndjson, application/json, text/plain" },
  });
  if (!response.ok) throw new Error(`the server answers ${response.status} ${response.statusText}`.trim());
  return response.body;
}

function wireFile(load) {
  const open = (file) => load(file.name, () => file.stream());
  $("file").addEventListener("change", (event) => {
    const [file] = event.target.files;
    if (file) open(file);
    event.target.value = "";
  });
  const veil = $("veil");
  const carriesFile = (event) => event.dataTransfer?.types.includes("Files");
  document.addEventListener("dragover", (event) => {
    if (!carriesFile(event)) return;
    event.preventDefault();
    veil.hidden = false;
  });
  document.addEventListener("dragleave", (event) => {
    if (event.relatedTarget === null) veil.hidden = true;
  });
  document.addEventListener("drop", (event) => {
    veil.hidden = true;
    const [file] = event.dataTransfer?.files ?? [];
    if (!file) return;
    event.preventDefault();
    open(file);
  });
}

function wirePaste(load) {
  const open = (text) => load("Pasted text", () => new Blob([text]).stream());
  $("paste-form").addEventListener("submit", (event) => {
    event.preventDefault();
    if ($("paste").value) open($("paste").value);
  });
  document.addEventListener("paste", (event) => {
    if (event.target.closest?.("input, textarea")) return;
    const text = event.clipboardData?.getData("text/plain");
    if (text) open(text);
  });
}

function wireUrl(load) {
  $("url-form").addEventListener("submit", (event) => {
    event.preventDefault();
    const url = $("url").value.trim();
    load(url, (signal) => {
      const { protocol, hostname } = new URL(url);
      if (protocol !== "https:" && !(protocol === "http:" && hostname === "localhost"))
        throw new Error("this page connects to https addresses and to http://localhost only");
      return fetchBody(url, signal);
    });
  });
}

function wireLive(list, load, stop) {
  const select = $("live-sample");
  select.append(...list.map((sample) => h("option", { value: sample.name }, sample.title)));
  const connect = $("live");
  connect.prepend(icon("live"));
  connect.addEventListener("click", async () => {
    if (connect.dataset.connected !== undefined) return stop();
    connect.dataset.connected = "";
    connect.replaceChildren(icon("stop"), "Stop");
    const query = new URLSearchParams({ sample: select.value, ...livePace() });
    await load(`Live: ${select.selectedOptions[0].text}`, (signal) => fetchBody(`live?${query}`, signal), {
      live: true,
    });
    delete connect.dataset.connected;
    connect.replaceChildren(icon("live"), "Connect");
  });
}

/** `#pace=4&seed=7` in the address speeds the live stream up and makes its cuts the same each time. */
function livePace() {
  const asked = new URLSearchParams(location.hash.slice(1));
  return Object.fromEntries(["pace", "seed"].filter((name) => asked.has(name)).map((name) => [name, asked.get(name)]));
}
