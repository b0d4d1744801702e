// The cuts slider: feeds the same bytes again in pieces of n bytes and compares every event with those of one push.

import { Normalizer } from "./pkg.js";
import { count, h, icon, fill, plural } from "./dom.js";

const PIECES = [Infinity, 4096, 64, 7, 1];
const SLICE_MS = 12;

const wordsFor = (piece) => (piece === Infinity ? "any size" : piece === 1 ? "1 byte" : `${piece} bytes`);

export function cutsControl() {
  const slider = h("input", {
    type: "range",
    id: "cuts",
    min: 0,
    max: PIECES.length - 1,
    step: 1,
    value: 0,
    list: "cuts-steps",
    "aria-describedby": "cuts-result",
  });
  const size = h("output", { class: "cuts-size", for: "cuts" });
  const result = h("span", { class: "cuts-result", id: "cuts-result", role: "status" });
  const element = h(
    "div",
    { class: "cuts" },
    h("label", { for: "cuts" }, "In pieces of"),
    slider,
    size,
    result,
  );
  let run = 0;
  let stream;
  const tell = (piece) => {
    size.textContent = wordsFor(piece);
    slider.setAttribute("aria-valuetext", wordsFor(piece));
  };
  slider.addEventListener("input", async () => {
    const piece = PIECES[slider.value];
    tell(piece);
    const mine = ++run;
    const busy = (done) => mine === run && fill(result, `${Math.floor(done * 100)} %`);
    delete result.dataset.verdict;
    const found = await compare(stream, piece, busy, () => mine !== run);
    if (mine === run && found) show(result, found, piece);
  });
  return {
    element,
    open(opened) {
      stream = opened;
      element.hidden = false;
      run++;
      slider.value = 0;
      slider.disabled = true;
      delete result.dataset.verdict;
      tell(Infinity);
      fill(result, "");
    },
    /** All bytes are here. */
    ready() {
      element.hidden = stream.several;
      slider.disabled = stream.several || !stream.main?.complete || stream.length === 0;
      fill(result, slider.disabled ? "" : "try 1 byte: nothing changes");
    },
  };
}

function show(result, found, piece) {
  result.dataset.verdict = found.difference === undefined ? "same" : "differs";
  if (found.difference === undefined) {
    const pieces = piece === Infinity ? "one piece" : plural(found.pieces, "piece");
    fill(result, icon("completed"), `${pieces}: same ${plural(found.events, "event")}`);
  } else {
    fill(result, icon("failed"), `differs at event ${count(found.difference)}`);
  }
}

/** Feeds `stream` in pieces; the page stays alive meanwhile. Gives undefined when it was told to stop. */
async function compare(stream, piece, progress, stopped) {
  const bytes = stream.main.all();
  const whole = new Normalizer();
  const expected = [...whole.push(bytes), ...whole.end()].map((event) => JSON.stringify(event));
  whole.close();
  const normalizer = new Normalizer();
  let [events, pieces, difference] = [0, 0, undefined];
  const check = (batch) => {
    for (const event of batch) {
      if (difference === undefined && JSON.stringify(event) !== expected[events]) difference = events;
      events++;
    }
  };
  try {
    let pause = performance.now() + SLICE_MS;
    for (let at = 0; at < bytes.length; pieces++) {
      const end = Math.min(bytes.length, at + piece);
      check(normalizer.push(bytes.subarray(at, end)));
      at = end;
      if (performance.now() > pause) {
        progress(at / bytes.length);
        await new Promise((resolve) => setTimeout(resolve));
        if (stopped()) return undefined;
        pause = performance.now() + SLICE_MS;
      }
    }
    check(normalizer.end());
  } finally {
    normalizer.close();
  }
  if (difference === undefined && events !== expected.length) difference = events;
  return { events, pieces, difference };
}
