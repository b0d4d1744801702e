// Item objects that keep their identity while the item behind them does not change.

import { Strings } from "./batch.js";
import type { Engine } from "./engine.js";
import type { Source } from "./generated/events.js";
import { itemAt } from "./itemreader.js";
import type { Item } from "./items.js";

/** So many objects stay at least for the next call, or as many as the last call asked for. */
export const KEPT_ITEMS = 2048;

/** The handle's side. */
interface Handle {
  items(first: number, end: number): number;
  forget(numbers: Uint32Array): void;
}

/** An object that is no longer true stays as the base of the next one. */
export interface Slot {
  item: Item;
  /**
   * What the item was when it was made from all its fields. An item that grew is a copy of this, never of a copy: V8 gives
   * each copy of a copy another hidden class, and copying took six times as long.
   */
  base: Item;
  isTrue: boolean;
  /** Number of the call that asked for it last. */
  asked: number;
}

/** Objects by item number. */
export class ItemCache {
  #slots = new Map<number, Slot>();
  #calls = 0;
  /** What the last call gave: a reader mostly asks for the same window again, or for one a little further on. */
  #window: Item[] = [];
  #first = 0;
  /** Numbers of items in it that changed since. */
  #stale: number[] = [];
  #strings = new Strings();
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
    if (this.#stale.length > 0) this.#renew(engine, handle);
    for (let at = this.#first + this.#window.length; at < end; at++) {
      let stop = at;
      while (stop < end && !this.#slots.get(stop)?.isTrue) stop += 1;
      if (stop > at) this.#take(at, stop, engine, handle);
      else this.#window[at - first] = this.#slots.get(at)!.item;
      at = Math.max(at, stop - 1);
    }
    // Seldom: it looks at all of them.
    if (this.#slots.size > Math.max(KEPT_ITEMS, end - first) + KEPT_ITEMS / 2) this.#evict(engine, handle);
    return this.#window.slice();
  }

  /** Brings what changed into the window, stretch by stretch. */
  #renew(engine: Engine, handle: Handle): void {
    const stale = this.#stale;
    if (stale.length > 1) stale.sort((a, b) => b - a);
    for (let from = stale.pop(); from !== undefined; from = stale.pop()) {
      if (!this.#covers(from)) continue;
      let end = from + 1;
      for (; stale.at(-1) === end; end++) stale.pop();
      this.#take(from, end, engine, handle);
    }
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
  }

  #fetch(first: number, end: number, engine: Engine, handle: Handle): void {
    const window = handle.items(first, end) >>> 2;
    const words = engine.words();
    const strings = this.#strings.read(engine, window);
    let at = words[window]! >>> 2;
    for (let number = first; number < end; number++) {
      const slot = this.#slots.get(number);
      const item = itemAt(words, at, strings, number, slot, this.#names);
      at += words[at]!;
      this.#window[number - this.#first] = item;
      if (slot) {
        slot.item = item;
        slot.isTrue = true;
      } else {
        this.#slots.set(number, { item, base: item, isTrue: true, asked: this.#calls });
      }
    }
    this.#strings.drop(engine, window);
  }

  /** Drops those asked for longest ago, never what the last call asked for. */
  #evict(engine: Engine, handle: Handle): void {
    const excess = this.#slots.size - Math.max(KEPT_ITEMS, this.#window.length);
    const asked = new Uint32Array(this.#slots.size - this.#window.length);
    let count = 0;
    for (const [number, slot] of this.#slots) if (!this.#covers(number)) asked[count++] = slot.asked;
    const limit = asked.sort()[excess - 1]!;
    const dropped: number[] = [];
    for (const [number, slot] of this.#slots) {
      if (dropped.length === excess) break;
      if (slot.asked <= limit && !this.#covers(number)) dropped.push(number);
    }
    for (const number of dropped) this.#slots.delete(number);
    engine.call(() => handle.forget(Uint32Array.from(dropped)));
  }
}

/** Puts the name of a further input where its number stands. */
export function nameInput(source: Source | undefined, names: readonly string[]): void {
  const number: unknown = source?.input;
  if (typeof number === "number") source!.input = names[number] ?? String(number);
}
