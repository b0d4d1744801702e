// A packed batch in wasm memory becomes event objects.

import type { Engine } from "./engine.js";
import { decodeBatch, longAt, type RawMode, type Repeated, type UiEvent } from "./generated/events.js";

/** For texts in wasm memory. A byte order mark inside is text like any other. */
export const decoder = /* @__PURE__ */ new TextDecoder("utf-8", { ignoreBOM: true });

/** Up to here a loop is cheaper than the decoder, whose call takes 90 ns in Node and 180 in Chromium. */
const SHORT_TEXT = 24;

/** A text in wasm memory. */
export function textAt(bytes: Uint8Array<ArrayBuffer>, start: number, end: number): string {
  const short = end - start <= SHORT_TEXT ? shortText(bytes, start, end) : undefined;
  return short ?? decoder.decode(bytes.subarray(start, end));
}

/** A text of ASCII alone; nothing if it is not. Four letters at a step take half the time of one. */
function shortText(bytes: Uint8Array, start: number, end: number): string | undefined {
  const code = String.fromCharCode;
  let text = "";
  let all = 0;
  let at = start;
  for (; at + 4 <= end; at += 4) {
    const a = bytes[at]!;
    const b = bytes[at + 1]!;
    const c = bytes[at + 2]!;
    const d = bytes[at + 3]!;
    all |= a | b | c | d;
    text += code(a, b, c, d);
  }
  for (; at < end; at++) {
    const a = bytes[at]!;
    all |= a;
    text += code(a);
  }
  return all < 0x80 ? text : undefined;
}

/** The strings of one handle's batches. Those that stay from batch to batch are decoded once. */
export class Strings {
  #strings: string[] = [""];
  #generation = -1;

  /** Those of the batch whose window begins at word `at`, by the words that name them. */
  read(engine: Engine, at: number): readonly string[] {
    const w = engine.words();
    const ends = w[at + 4]! >>> 2;
    const count = w[at + 5]!;
    const strings = this.#strings;
    let known = 0;
    let from = w[at + 2]!;
    const to = from + w[at + 3]!;
    if (this.#generation === w[at + 10]) {
      known = w[at + 8]!;
      from += w[at + 9]!;
    }
    this.#generation = w[at + 10]!;
    const text = textAt(engine.bytes(), from, to);
    const base = known === 0 ? 0 : w[ends + known - 1]!;
    let start = base;
    for (let i = known; i < count; i++) {
      const end = w[ends + i]!;
      strings[i + 1] = text.substring(start - base, end - base);
      start = end;
    }
    return strings;
  }

  /** Keeps no string of a long batch alive. `at` as before. */
  drop(engine: Engine, at: number): void {
    if (this.#strings.length > 64) this.#strings.length = engine.words()[at + 8]! + 1;
  }
}

/** Reads one handle's batches of events. */
export class BatchReader {
  #strings = new Strings();
  #repeated: Repeated = { text: "", value: undefined, isFlat: false };

  /** Reads the batch that a window (src/web/bindings/window.rs) describes, before the next call into the module. */
  read(engine: Engine, window: number, raw: RawMode): UiEvent[] {
    const w = engine.words();
    const at = window >>> 2;
    const wordCount = w[at + 1]!;
    if (wordCount === 0) return [];
    const strings = this.#strings.read(engine, at);
    const first = w[at]! >>> 2;
    const events = decodeBatch(w, first, first + wordCount, strings, longAt(w, at + 6), raw, this.#repeated);
    this.#strings.drop(engine, at);
    return events;
  }
}

/** Puts a batch behind another one. */
export function append(events: UiEvent[], more: UiEvent[]): UiEvent[] {
  if (events.length === 0) return more;
  // Not `push(...more)`: a big batch would overflow the stack.
  for (const event of more) events.push(event);
  return events;
}
