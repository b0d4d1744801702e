// A packed batch in wasm memory becomes event objects.

import type { Engine } from "./engine.js";
import { decodeBatch, type RawMode, type UiEvent } from "./generated/events.js";

/** For texts in wasm memory. A byte order mark inside is text like any other. */
export const decoder = /* @__PURE__ */ new TextDecoder("utf-8", { ignoreBOM: true });

/** Up to here a loop over characters is cheaper than the decoder: a call of it takes about 300 ns. */
const SHORT_TEXT = 12;

/** A text in wasm memory. */
export function textAt(bytes: Uint8Array<ArrayBuffer>, start: number, end: number): string {
  if (end - start <= SHORT_TEXT) {
    let text = "";
    let at = start;
    for (; at < end && bytes[at]! < 0x80; at++) text += String.fromCharCode(bytes[at]!);
    if (at === end) return text;
  }
  return decoder.decode(bytes.subarray(start, end));
}

/** Reads one handle's batches. Strings that stay from batch to batch are decoded once. */
export class BatchReader {
  #strings: string[] = [""];
  #generation = -1;

  /** Reads the batch that a window (src/web/bindings/window.rs) describes, before the next call into the module. */
  read(engine: Engine, window: number, raw: RawMode): UiEvent[] {
    const w = engine.words();
    const at = window >>> 2;
    const wordCount = w[at + 1]!;
    if (wordCount === 0) return [];
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
    const first = w[at]! >>> 2;
    const seq = w[at + 6]! + w[at + 7]! * 4294967296;
    const events = decodeBatch(w, first, first + wordCount, strings, seq, { raw });
    // Keeps no string of a long batch alive.
    if (strings.length > 64) strings.length = w[at + 8]! + 1;
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
