// Item objects that keep their identity while the item behind them does not change.

import { Strings, textAt } from "./batch.js";
import type { Engine } from "./engine.js";
import type { Source } from "./generated/events.js";
import { offeredItem, readItem } from "./itemreader.js";
import type { Item } from "./items.js";

/** So many objects that the last call did not ask for stay at most, */
const KEPT_ITEMS = 2048;
/** and about so many bytes of their texts: what lives long is copied by the collector again and again. */
const KEPT_BYTES = 1 << 20;
/** Objects asked for by one of so many last calls stay, whatever they hold: views that take turns lose nothing. */
const KEPT_CALLS = 16;

/**
 * A text's head moves with an end longer than this: the next end, this and a token, should need no decoder (`CALL_TEXT` in
 * batch.ts). With 32 Evolve event by event took 1.2 times as long in Chromium.
 */
const HEAD_MOVES = 16;

/** The handle's side. */
interface Handle {
  items(first: number, end: number): number;
  forget(number: number): void;
}

/** An object that is no longer true stays as the base of the next one. */
export interface Slot {
  item: Item;
  /**
   * What the item was when it was made from all its fields. An item that grew is a copy of this, never of a copy: V8 gives
   * each copy of a copy another hidden class, and copying took six times as long.
   */
  base: Item;
  /**
   * Its text as far as the handle knows that it is here. What the handle offers begins there. It moves when that has become
   * more than a few letters, so that a text is not put together from each of its tokens: collections copy every part.
   */
  head: string;
  isTrue: boolean;
  /** About the bytes of its texts. */
  bytes: number;
  /** Number of the first call that did not ask for it any more. */
  left: number;
}

function emptySlot(): Slot {
  const item = {} as Item;
  return { item, base: item, head: "", isTrue: false, bytes: 0, left: 0 };
}

/** Objects by item number. */
export class ItemCache {
  #calls = 0;
  /** What the last call gave: a reader mostly asks for the same window again, or for one a little further on. */
  #window: Item[] = [];
  #slots: Slot[] = [];
  #first = 0;
  /** Numbers of items in it that changed since. */
  #stale: number[] = [];
  /** First word of the last change, which may hold an offer (src/web/bindings/transcript.rs). */
  #offer = 0;
  /**
   * What earlier calls gave, in the order in which it was left behind; nothing where it came back. No map: one that loses
   * entries gets a new table again and again, and to V8's young collections a dead old table holds all that it held.
   */
  #past: (Slot | undefined)[] = [];
  #pastBytes = 0;
  /** Where an item stands in it, counted from the first that ever stood there. */
  #places = new Map<number, number>();
  #gone = 0;
  #strings = new Strings();
  #names: readonly string[];

  /** `names`: of further inputs, by number. */
  constructor(names: readonly string[]) {
    this.#names = names;
  }

  /** These items changed, by a change whose window begins at word `at`. What earlier ones offered is old then. */
  drop(first: number, end: number, at: number): void {
    this.#offer = at;
    const base = this.#first;
    const slots = this.#slots;
    const stop = Math.min(end - base, slots.length);
    for (let at = Math.max(first - base, 0); at < stop; at++) {
      const slot = slots[at]!;
      if (slot.isTrue) this.#stale.push(base + at);
      slot.isTrue = false;
    }
    for (let number = first; number < end; number++) {
      const slot = this.#left(number);
      if (slot) slot.isTrue = false;
    }
  }

  /** Objects of these items; what is not here or not true comes from the handle. */
  range(first: number, end: number, engine: Engine, handle: Handle): Item[] {
    this.#calls += 1;
    this.#move(first, end);
    if (this.#stale.length > 0) this.#renew(engine, handle);
    for (let at = first + this.#window.length; at < end; at++) {
      let stop = at;
      while (stop < end && !this.#left(stop)?.isTrue) stop += 1;
      if (stop > at) this.#take(at, stop, engine, handle);
      if (stop < end) this.#show(stop, this.#back(stop)!);
      at = stop;
    }
    if (this.#past.length > KEPT_ITEMS || this.#pastBytes > KEPT_BYTES) engine.call(() => this.#evict(handle));
    return this.#window.slice();
  }

  /** Brings what changed into the window, stretch by stretch. */
  #renew(engine: Engine, handle: Handle): void {
    const stale = this.#stale;
    if (stale.length > 1) stale.sort((a, b) => b - a);
    else if (this.#accepts(stale[0]!, engine)) stale.pop();
    for (let from = stale.pop(); from !== undefined; from = stale.pop()) {
      if (from < this.#first || from >= this.#first + this.#slots.length) continue;
      let end = from + 1;
      for (; stale.at(-1) === end; end++) stale.pop();
      this.#take(from, end, engine, handle);
    }
  }

  /** Takes the last offer if it is of this item. Spares a call. */
  #accepts(number: number, engine: Engine): boolean {
    const w = engine.words();
    const at = this.#offer;
    const slot = this.#slots[number - this.#first];
    if (w[at + 9] !== number + 1 || !slot || engine.dead) return false;
    const text = w[at + 10]!;
    const length = w[at + 11]!;
    const item = offeredItem(w, at, slot, textAt(engine.bytes(), text, text + length, w[at + 12]!));
    if (length > HEAD_MOVES) {
      slot.head = item.text;
      slot.bytes += length;
      w[at + 13] = 1;
    }
    slot.item = item;
    this.#show(number, slot);
    return true;
  }

  /** Keeps what the last window shares with the next one. */
  #move(first: number, end: number): void {
    const ahead = first - this.#first;
    const length = this.#window.length;
    const shares = ahead >= 0 && ahead < length && this.#first + length <= end;
    const leaving = shares ? ahead : length;
    if (leaving > 0) {
      for (let at = 0; at < leaving; at++) {
        const slot = this.#slots[at]!;
        slot.left = this.#calls;
        this.#places.set(this.#first + at, this.#gone + this.#past.length);
        this.#past.push(slot);
        this.#pastBytes += slot.bytes;
      }
      this.#window.splice(0, leaving);
      this.#slots.splice(0, leaving);
    }
    this.#first = first;
  }

  /** What is held of an item outside the window. */
  #left(number: number): Slot | undefined {
    const place = this.#places.get(number);
    return place === undefined ? undefined : this.#past[place - this.#gone];
  }

  /** The same, and no longer held there. */
  #back(number: number): Slot | undefined {
    const slot = this.#left(number);
    if (slot) {
      this.#past[this.#places.get(number)! - this.#gone] = undefined;
      this.#places.delete(number);
      this.#pastBytes -= slot.bytes;
    }
    return slot;
  }

  #show(number: number, slot: Slot): void {
    slot.isTrue = true;
    this.#window[number - this.#first] = slot.item;
    this.#slots[number - this.#first] = slot;
  }

  /** Brings items into the window. */
  #take(first: number, end: number, engine: Engine, handle: Handle): void {
    engine.call(() => this.#fetch(first, end, engine, handle));
  }

  #fetch(first: number, end: number, engine: Engine, handle: Handle): void {
    const window = handle.items(first, end) >>> 2;
    const words = engine.words();
    const strings = this.#strings.read(engine, window);
    const bytes = Math.ceil(words[window + 3]! / (end - first));
    let at = words[window]! >>> 2;
    for (let number = first; number < end; number++) {
      const slot = this.#slots[number - this.#first] ?? this.#back(number) ?? emptySlot();
      readItem(words, at, strings, number, slot, this.#names, bytes);
      this.#show(number, slot);
      at += words[at]!;
    }
    this.#strings.drop(engine, window);
  }

  /** Drops those left behind longest ago. */
  #evict(handle: Handle): void {
    const past = this.#past;
    let at = 0;
    for (; at < past.length; at++) {
      if (past.length - at <= KEPT_ITEMS && this.#pastBytes <= KEPT_BYTES) break;
      const slot = past[at];
      if (!slot) continue;
      if (slot.left > this.#calls - KEPT_CALLS) break;
      const number = slot.item.item;
      this.#back(number);
      handle.forget(number);
    }
    past.splice(0, at);
    this.#gone += at;
  }
}

/** Puts the name of a further input where its number stands. */
export function nameInput(source: Source | undefined, names: readonly string[]): void {
  const number: unknown = source?.input;
  if (typeof number === "number") source!.input = names[number] ?? String(number);
}
