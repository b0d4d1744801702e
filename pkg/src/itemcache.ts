// Item objects that keep their identity while the item behind them does not change.

import { textAt } from "./batch.js";
import type { Engine } from "./engine.js";
import type { Source, ToolContent } from "./generated/events.js";
import type { Item } from "./items.js";

/** So many objects stay for the next call, or as many as the last call asked for. */
export const KEPT_ITEMS = 2048;

/** The handle's side. */
interface Handle {
  items(first: number, end: number): number;
  forget(numbers: Uint32Array): void;
}

type Fields = Record<string, unknown>;

/** An object that is no longer true stays as the base of the next one. */
interface Slot {
  item: Item;
  isTrue: boolean;
  /** Number of the call that asked for it last. */
  asked: number;
}

// Words of a row, and the bits of its first one (src/web/bindings/transcript.rs).
const ROW = 8;
const IN_JSON = 1;
const TEXTS = ["text", "inputText", "outputText"] as const;

/** Objects by item number. */
export class ItemCache {
  #slots = new Map<number, Slot>();
  #calls = 0;
  /** What the last call gave: a reader mostly asks for the same window again, or for one a little further on. */
  #window: Item[] = [];
  #first = 0;
  /** Numbers of items in it that changed since. */
  #stale: number[] = [];
  #names: readonly string[];

  /** `names`: of further inputs, by number. */
  constructor(names: readonly string[]) {
    this.#names = names;
  }

  /** These items changed. */
  drop(first: number, end: number): void {
    if (end - first > this.#slots.size) {
      for (const [number, slot] of this.#slots) if (number >= first && number < end) this.#expire(number, slot);
      return;
    }
    for (let number = first; number < end; number++) {
      const slot = this.#slots.get(number);
      if (slot) this.#expire(number, slot);
    }
  }

  #expire(number: number, slot: Slot): void {
    if (slot.isTrue && this.#covers(number)) this.#stale.push(number);
    slot.isTrue = false;
  }

  #covers(number: number): boolean {
    return number >= this.#first && number < this.#first + this.#window.length;
  }

  /** Objects of these items; what is not here or not true comes from the handle. */
  range(first: number, end: number, engine: Engine, handle: Handle): Item[] {
    this.#calls += 1;
    this.#move(first, end);
    const stale = this.#stale;
    if (stale.length > 1) stale.sort((a, b) => a - b);
    for (let at = 0; at < stale.length; at++) {
      const from = stale[at]!;
      if (!this.#covers(from)) continue;
      while (stale[at + 1] === stale[at]! + 1) at += 1;
      this.#take(from, stale[at]! + 1, engine, handle);
    }
    stale.length = 0;
    for (let at = this.#first + this.#window.length; at < end; at++) {
      let stop = at;
      while (stop < end && !this.#slots.get(stop)?.isTrue) stop += 1;
      if (stop > at) this.#take(at, stop, engine, handle);
      else this.#window[at - first] = this.#slots.get(at)!.item;
      at = Math.max(at, stop - 1);
    }
    if (this.#slots.size > Math.max(KEPT_ITEMS, end - first)) this.#evict(engine, handle);
    return this.#window.slice();
  }

  /** Keeps what the last window shares with the next one. */
  #move(first: number, end: number): void {
    const ahead = first - this.#first;
    const shares = ahead >= 0 && ahead < this.#window.length && this.#first + this.#window.length <= end;
    const leaving = shares ? ahead : this.#window.length;
    for (let at = 0; at < leaving; at++) {
      const slot = this.#slots.get(this.#first + at);
      if (slot) slot.asked = this.#calls;
    }
    if (leaving > 0) this.#window.splice(0, leaving);
    this.#first = first;
  }

  /** Brings items into the window. */
  #take(first: number, end: number, engine: Engine, handle: Handle): void {
    try {
      engine.check();
      this.#fetch(first, end, engine, handle);
    } catch (error) {
      throw engine.failure(error);
    }
    for (let number = first; number < end; number++) {
      this.#window[number - this.#first] = this.#slots.get(number)!.item;
    }
  }

  #fetch(first: number, end: number, engine: Engine, handle: Handle): void {
    const at = handle.items(first, end) >>> 2;
    const words = engine.words();
    const bytes = engine.bytes();
    const tails = textAt(bytes, words[at + 2]!, words[at + 2]! + words[at + 3]!);
    let whole: Fields[] | undefined;
    let long: LongTexts | undefined;
    if (words[at + 5] !== 0) {
      whole = JSON.parse(textAt(bytes, words[at + 4]!, words[at + 4]! + words[at + 5]!)) as Fields[];
      const ends = words[at + 8]! >>> 2;
      const text = textAt(bytes, words[at + 6]!, words[at + 6]! + words[at + 7]!);
      long = new LongTexts(text, words.subarray(ends, ends + words[at + 9]!));
    }
    let row = words[at]! >>> 2;
    let tail = 0;
    let next = 0;
    for (let number = first; number < end; number++, row += ROW) {
      const how = words[row]!;
      const slot = this.#slots.get(number);
      let item: Fields;
      if ((how & IN_JSON) !== 0) {
        item = whole![next++]!;
        long!.fill(item, words[row + 1]!);
        nameInput(item.source as Source | undefined, this.#names);
        if (how !== IN_JSON) prepend(item, slot!.item, how);
      } else {
        item = { ...(slot!.item as unknown as Fields) };
        item.revision = words[row + 1]! + words[row + 2]! * 4294967296;
        item.sourceCount = words[row + 3]! + words[row + 4]! * 4294967296;
        for (let text = 0; text < 3; text++) {
          const length = words[row + 5 + text]!;
          if (length === 0) continue;
          // Concatenation is cheap: engines keep the pieces until somebody reads the characters.
          const key = TEXTS[text]!;
          item[key] = (item[key] as string) + tails.substring(tail, tail + length);
          tail += length;
        }
      }
      // Not frozen: a copy of a frozen object is several times as dear, and a growing item is copied at each look.
      this.#keep(number, slot, item as unknown as Item);
    }
  }

  #keep(number: number, slot: Slot | undefined, item: Item): void {
    if (slot) {
      slot.item = item;
      slot.isTrue = true;
    } else {
      this.#slots.set(number, { item, isTrue: true, asked: this.#calls });
    }
  }

  /** Drops a quarter more than it must, so that it has to look seldom, and never what the last call asked for. */
  #evict(engine: Engine, handle: Handle): void {
    const others = [...this.#slots].filter(([number]) => !this.#covers(number));
    others.sort(([, a], [, b]) => a.asked - b.asked);
    const excess = this.#slots.size - (KEPT_ITEMS * 3) / 4;
    const dropped = others.slice(0, excess).map(([number]) => number);
    for (const number of dropped) this.#slots.delete(number);
    engine.call(() => handle.forget(Uint32Array.from(dropped)));
  }
}

/** Puts the name of a further input where its number stands. */
export function nameInput(source: Source | undefined, names: readonly string[]): void {
  const number: unknown = source?.input;
  if (typeof number === "number") source!.input = names[number] ?? String(number);
}

/** Texts that came beside the JSON, where 0 stands in their place (src/transcript/json.rs). */
class LongTexts {
  #text: string;
  #ends: Uint32Array;
  #taken = 0;

  constructor(text: string, ends: Uint32Array) {
    this.#text = text;
    this.#ends = ends;
  }

  /** Puts the next texts up to number `until` into their item. */
  fill(item: Fields, until: number): void {
    if (this.#taken === until) return;
    if (item.text === 0) item.text = this.#next();
    for (const list of [item.inputContent, item.content] as (ToolContent[] | undefined)[]) {
      for (const entry of list ?? []) {
        const block = entry.type === "content" ? (entry.content as unknown as Fields) : undefined;
        if (block?.text === 0) block.text = this.#next();
      }
    }
  }

  #next(): string {
    const start = this.#taken === 0 ? 0 : this.#ends[this.#taken - 1]!;
    return this.#text.substring(start, this.#ends[this.#taken++]!);
  }
}

/** Completes the texts of which only the end came. */
function prepend(item: Fields, before: Item, how: number): void {
  for (let text = 0; text < 3; text++) {
    if ((how & (2 << text)) === 0) continue;
    const key = TEXTS[text]!;
    item[key] = ((before as unknown as Fields)[key] as string) + (item[key] as string);
  }
}
