// The left column: all the ways a stream gets in. Each ends in `load(title, open)`, where `open(signal)` gives the files
// of one run as `[{name, body()}]`, the main one first. Nothing is fetched that was not asked for.

import { h, icon, plural } from "./dom.js";
import { droppedFiles, inReadingOrder, pickedFiles } from "./files.js";

const $ = (id) => document.getElementById(id);

/** Wires the column. `load` may be called again at any time; `stop` ends what is being read. */
export async function sources({ load, stop }) {
  wireFiles(load);
  wirePaste(load);
  wireUrl(load);
  const list = await (await fetch("samples/index.json")).json();
  const loadSample = (sample) =>
    load(titleOf(sample), (signal) => fetched(`samples/${sample.file}`, signal), { sample: sample.name });
  $("samples").replaceChildren(...groups(list, loadSample));
  wireLive(list, load, stop);
  const wanted = new URLSearchParams(location.hash.slice(1)).get("sample");
  await loadSample(list.find((sample) => sample.name === wanted) ?? list[0]);
}

const titleOf = ({ harness, form, story }) => `${form ? `${harness}, ${form}` : harness}: ${story}`;

/** The samples by harness. What a sample shows is told below the one that is open, and to who points at another. */
function groups(list, loadSample) {
  const byHarness = new Map();
  for (const sample of list) byHarness.set(sample.harness, [...(byHarness.get(sample.harness) ?? []), sample]);
  return [...byHarness].map(([harness, samples], at) => {
    const id = `samples-${at}`;
    const buttons = samples.map((sample) =>
      h(
        "button",
        {
          type: "button",
          class: "sample",
          title: sample.shows,
          data: { sample: sample.name },
          on: { click: () => loadSample(sample) },
        },
        h("strong", {}, sample.story, sample.form && h("span", { class: "tag" }, sample.form)),
        h("span", { class: "shows" }, sample.shows),
      ),
    );
    return h(
      "li",
      { class: "sample-group" },
      h("h3", { id }, harness),
      h(
        "ul",
        { "aria-labelledby": id },
        buttons.map((each) => h("li", {}, each)),
      ),
    );
  });
}

/** Marks what is shown. */
export function markSample(name) {
  for (const each of document.querySelectorAll(".sample"))
    each.setAttribute("aria-current", String(each.dataset.sample === name));
}

async function fetched(url, signal) {
  const response = await fetch(url, {
    signal,
    credentials: "omit",
    headers: { accept: "text/event-stream, application/x-ndjson, application/json, text/plain" },
  });
  if (!response.ok) throw new Error(`the server answers ${response.status} ${response.statusText}`.trim());
  return [{ name: url, body: () => response.body }];
}

/** Opens files of one run together, under the name of the main one. `found` may still be on its way. */
async function openFiles(load, found) {
  let files;
  try {
    files = inReadingOrder(await found);
  } catch (error) {
    return load("Dropped files", () => Promise.reject(error));
  }
  if (files.length === 0) return load("Dropped folder", () => Promise.reject(new Error("no JSONL or SSE file in it")));
  const others = files.length - 1;
  return load(others > 0 ? `${files[0].name} and ${plural(others, "more file")}` : files[0].name, () => files);
}

function wireFiles(load) {
  $("file").addEventListener("change", (event) => {
    const files = pickedFiles(event.target.files);
    if (files.length > 0) openFiles(load, files);
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
    if (!carriesFile(event)) return;
    event.preventDefault();
    openFiles(load, droppedFiles(event.dataTransfer));
  });
}

function wirePaste(load) {
  const open = (text) => load("Pasted text", () => [{ name: "pasted text", body: () => new Blob([text]).stream() }]);
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
      return fetched(url, signal);
    });
  });
}

function wireLive(list, load, stop) {
  const select = $("live-sample");
  select.append(...list.map((sample) => h("option", { value: sample.name }, titleOf(sample))));
  const connect = $("live");
  connect.prepend(icon("live"));
  connect.addEventListener("click", async () => {
    if (connect.dataset.connected !== undefined) return stop();
    connect.dataset.connected = "";
    connect.replaceChildren(icon("stop"), "Stop");
    const query = new URLSearchParams({ sample: select.value, ...livePace() });
    await load(`Live: ${select.selectedOptions[0].text}`, (signal) => fetched(`live?${query}`, signal), {
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
