// Item objects that keep their identity while the item behind them does not change.

import { decoder } from "./batch.js";
import type { Engine } from "./engine.js";
import type { ToolContent } from "./generated/events.js";
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

  /** These items changed. */
  drop(first: number, end: number): void {
    if (end - first > this.#slots.size) {
      for (const [number, slot] of this.#slots) if (number >= first && number < end) slot.isTrue = false;
      return;
    }
    for (let number = first; number < end; number++) {
      const slot = this.#slots.get(number);
      if (slot) slot.isTrue = false;
    }
  }

  /** Objects of these items; what is not here or not true comes from the handle. */
  range(first: number, end: number, engine: Engine, handle: Handle): Item[] {
    const list: Item[] = [];
    const call = ++this.#calls;
    for (let at = first; at < end; at++) {
      let slot = this.#slots.get(at);
      if (!slot?.isTrue) {
        let stop = at + 1;
        while (stop < end && !this.#slots.get(stop)?.isTrue) stop += 1;
        this.#fetch(at, stop, engine, handle);
        slot = this.#slots.get(at)!;
      }
      slot.asked = call;
      list.push(slot.item);
    }
    if (this.#slots.size > Math.max(KEPT_ITEMS, end - first)) this.#evict(engine, handle);
    return list;
  }

  #fetch(first: number, end: number, engine: Engine, handle: Handle): void {
    engine.call(() => {
      const at = handle.items(first, end) >>> 2;
      const words = engine.words();
      const read = (pointer: number) => {
        const length = words[pointer + 1]!;
        return length === 0 ? "" : decoder.decode(engine.bytes().subarray(words[pointer]!, words[pointer]! + length));
      };
      const tails = read(at + 2);
      const json = read(at + 4);
      const long = new LongTexts(read(at + 6), words.subarray(words[at + 8]! >>> 2, (words[at + 8]! >>> 2) + words[at + 9]!));
      const whole = json === "" ? [] : (JSON.parse(json) as Fields[]);
      let row = words[at]! >>> 2;
      let tail = 0;
      let next = 0;
      for (let number = first; number < end; number++, row += ROW) {
        const how = words[row]!;
        const slot = this.#slots.get(number);
        let item: Fields;
        if ((how & IN_JSON) !== 0) {
          item = whole[next++]!;
          long.fill(item, words[row + 1]!);
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
        this.#keep(number, slot, Object.freeze(item) as unknown as Item);
      }
    });
  }

  #keep(number: number, slot: Slot | undefined, item: Item): void {
    if (slot) {
      slot.item = item;
      slot.isTrue = true;
    } else {
      this.#slots.set(number, { item, isTrue: true, asked: 0 });
    }
  }

  /** Drops a quarter more than it must, so that it has to look seldom, and never what the last call asked for. */
  #evict(engine: Engine, handle: Handle): void {
    const others = [...this.#slots].filter(([, slot]) => slot.asked !== this.#calls);
    others.sort(([, a], [, b]) => a.asked - b.asked);
    const excess = this.#slots.size - (KEPT_ITEMS * 3) / 4;
    const dropped = others.slice(0, excess).map(([number]) => number);
    for (const number of dropped) this.#slots.delete(number);
    engine.call(() => handle.forget(Uint32Array.from(dropped)));
  }
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
