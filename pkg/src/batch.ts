// A packed batch in wasm memory becomes event objects.

import type { Engine } from "./engine.js";
import { decodeBatch, longAt, type RawMode, type Repeated, type ToolCallUpdate, type UiEvent } from "./generated/events.js";

/** For texts in wasm memory. A byte order mark inside is text like any other. */
export const decoder = /* @__PURE__ */ new TextDecoder("utf-8", { ignoreBOM: true });

/** Up to here a sum of letters is cheapest. A longer one is a tree of its parts to V8, and made collections twice as long. */
const SUM_TEXT = 12;
/**
 * Up to here a call with a letter per argument takes a third of the decoder's 185 ns in Chromium, and 80 % of its 110 in
 * Node: Evolve event by event took 0.57 of the time.
 */
const CALL_TEXT = 32;

function decoded(bytes: Uint8Array<ArrayBuffer>, start: number, end: number): string {
  return decoder.decode(bytes.subarray(start, end));
}

/** A text in wasm memory. `units`: its length; as many bytes as units are ASCII. */
export function textAt(bytes: Uint8Array<ArrayBuffer>, start: number, end: number, units: number): string {
  const length = end - start;
  if (length > CALL_TEXT || length !== units) return decoded(bytes, start, end);
  return length > SUM_TEXT ? called(bytes, start).substring(0, length) : summed(bytes, start, end);
}

/** Four letters at a step take half the time of one. */
function summed(bytes: Uint8Array, start: number, end: number): string {
  const code = String.fromCharCode;
  let text = "";
  let at = start;
  for (; at + 4 <= end; at += 4) text += code(bytes[at]!, bytes[at + 1]!, bytes[at + 2]!, bytes[at + 3]!);
  for (; at < end; at++) text += code(bytes[at]!);
  return text;
}

/** `CALL_TEXT` letters, whatever they are. */
function called(b: Uint8Array, i: number): string {
  return String.fromCharCode(
    b[i]!, b[i + 1]!, b[i + 2]!, b[i + 3]!, b[i + 4]!, b[i + 5]!, b[i + 6]!, b[i + 7]!,
    b[i + 8]!, b[i + 9]!, b[i + 10]!, b[i + 11]!, b[i + 12]!, b[i + 13]!, b[i + 14]!, b[i + 15]!,
    b[i + 16]!, b[i + 17]!, b[i + 18]!, b[i + 19]!, b[i + 20]!, b[i + 21]!, b[i + 22]!, b[i + 23]!,
    b[i + 24]!, b[i + 25]!, b[i + 26]!, b[i + 27]!, b[i + 28]!, b[i + 29]!, b[i + 30]!, b[i + 31]!,
  );
}

/** Of a raw output that says its event's content again (`Twins` in src/web/bindings/window.rs). */
const TWIN_WORDS = 7;

// Strings are decoded in stretches of about this many bytes at least, where some are ASCII and others are not.
const STRETCH = 512;

/** The strings of one handle's batches. Those that stay from batch to batch are decoded once. */
export class Strings {
  #strings: string[] = [""];
  #generation = -1;

  /** Those of the batch whose window begins at word `at`, by the words that name them. */
  read(engine: Engine, at: number): readonly string[] {
    const w = engine.words();
    const count = w[at + 5]!;
    let known = 0;
    let from = w[at + 2]!;
    if (this.#generation === w[at + 10]) {
      known = w[at + 8]!;
      from += w[at + 9]!;
    }
    this.#generation = w[at + 10]!;
    if (known === count) return this.#strings;
    if (w[at + 13] === 0) this.#decode(engine, at, known, count, from, w[at + 2]! + w[at + 3]!);
    else this.#decodeTwins(engine, at, known, count, from);
    return this.#strings;
  }

  /** What lies between raw outputs as usual, those themselves without what they say again. */
  #decodeTwins(engine: Engine, at: number, known: number, count: number, from: number): void {
    const w = engine.words();
    const byteEnds = w[at + 11]! >>> 2;
    const text = w[at + 2]!;
    let twin = w[at + 12]! >>> 2;
    let [first, start] = [known, from];
    for (let left = w[at + 13]!; left > 0; left--, twin += TWIN_WORDS) {
      const word = w[twin + 1]!;
      if (first < word - 1) this.#decode(engine, at, first, word - 1, start, text + w[byteEnds + word - 2]!);
      this.#strings[word] = withoutText(engine, at, twin);
      [first, start] = [word, text + w[byteEnds + word - 1]!];
    }
    if (first < count) this.#decode(engine, at, first, count, start, text + w[at + 3]!);
  }

  /** Strings number `first` up to `count` stand in these bytes. */
  #decode(engine: Engine, at: number, first: number, count: number, from: number, to: number): void {
    const w = engine.words();
    const ends = w[at + 4]! >>> 2;
    const units = w[ends + count - 1]! - (first === 0 ? 0 : w[ends + first - 1]!);
    // As many bytes as units: all of it is ASCII.
    if (to - from === units || to - from <= STRETCH) this.#cut(engine, ends, first, count, from, to);
    else this.#stretches(engine, ends, w[at + 11]! >>> 2, first, count, w[at + 2]!);
  }

  /**
   * Decodes ASCII apart from the rest. One letter outside of it makes the decoder twenty times as slow in Node and four
   * times in Chromium, and all strings cut from the text twice as large.
   */
  #stretches(engine: Engine, ends: number, byteEnds: number, known: number, count: number, text: number): void {
    const w = engine.words();
    let first = known;
    let unit = known === 0 ? 0 : w[ends + known - 1]!;
    let byte = known === 0 ? 0 : w[byteEnds + known - 1]!;
    let start = byte;
    let isWide = false;
    for (let i = known; i < count; i++) {
      const end = w[byteEnds + i]!;
      const wide = end - byte !== w[ends + i]! - unit;
      if (wide === isWide || end - start <= STRETCH) {
        isWide ||= wide;
      } else {
        if (i > first) this.#cut(engine, ends, first, i, text + start, text + byte);
        first = i;
        start = byte;
        isWide = wide;
      }
      byte = end;
      unit = w[ends + i]!;
    }
    this.#cut(engine, ends, first, count, text + start, text + byte);
  }

  /** One stretch of them. */
  #cut(engine: Engine, ends: number, first: number, count: number, from: number, to: number): void {
    const w = engine.words();
    const strings = this.#strings;
    const base = first === 0 ? 0 : w[ends + first - 1]!;
    const text = textAt(engine.bytes(), from, to, w[ends + count - 1]! - base);
    let start = 0;
    for (let i = first; i < count; i++) {
      const end = w[ends + i]! - base;
      strings[i + 1] = text.substring(start, end);
      start = end;
    }
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
    if (w[at + 13] !== 0) shareTexts(engine, at, strings, events);
    this.#strings.drop(engine, at);
    return events;
  }
}

/** The JSON of a raw output, with a number for what says the content again. */
function withoutText(engine: Engine, at: number, twin: number): string {
  const w = engine.words();
  const ends = (w[at + 11]! >>> 2) + w[twin + 1]! - 1;
  const text = w[at + 2]!;
  const bytes = engine.bytes();
  return `${decoded(bytes, text + w[ends - 1]!, w[twin + 2]!)}0${decoded(bytes, w[twin + 3]!, text + w[ends]!)}`;
}

/** Puts the contents where raw outputs say them again: one string for both, which is decoded and parsed once. */
function shareTexts(engine: Engine, at: number, strings: readonly string[], events: UiEvent[]): void {
  const w = engine.words();
  let twin = w[at + 12]! >>> 2;
  for (let left = w[at + 13]!; left > 0; left--, twin += TWIN_WORDS) {
    const update = events[w[twin]!]!.update as ToolCallUpdate;
    const text = strings[w[twin + 6]!]!;
    const name = w[twin + 4]!;
    if (name === 0) update.rawOutput = text;
    else (update.rawOutput as Record<string, unknown>)[decoded(engine.bytes(), name, name + w[twin + 5]!)] = text;
  }
}

/** Puts a batch behind another one. */
export function append(events: UiEvent[], more: UiEvent[]): UiEvent[] {
  if (events.length === 0) return more;
  // Not `push(...more)`: a big batch would overflow the stack.
  for (const event of more) events.push(event);
  return events;
}
