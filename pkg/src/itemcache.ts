// Item objects that keep their identity while the item behind them does not change.

import type { Item } from "./items.js";

/** An item as it crosses: growing texts may come as what is new of them. */
type Crossed = Record<string, unknown> & { item: number };

const GROWING = [
  ["textTail", "text"],
  ["inputTail", "inputText"],
  ["outputTail", "outputText"],
] as const;

/** Objects by item number. An object that is no longer true stays as the base of the next one. */
export class ItemCache {
  #items: (Item | undefined)[] = [];
  #stale = new Set<number>();

  /** These items changed. */
  drop(first: number, end: number): void {
    for (let item = first; item < end; item++) if (this.#items[item]) this.#stale.add(item);
  }

  /** Objects of these items; `fetch` gives the JSON of those that are not here. */
  range(first: number, end: number, fetch: (first: number, end: number) => string): Item[] {
    const list: Item[] = [];
    let at = first;
    while (at < end) {
      if (this.#isTrue(at)) {
        list.push(this.#items[at]!);
        at += 1;
        continue;
      }
      let stop = at + 1;
      while (stop < end && !this.#isTrue(stop)) stop += 1;
      for (const crossed of JSON.parse(fetch(at, stop)) as Crossed[]) list.push(this.#take(crossed));
      at = stop;
    }
    return list;
  }

  #isTrue(item: number): boolean {
    return this.#items[item] !== undefined && !this.#stale.has(item);
  }

  #take(crossed: Crossed): Item {
    const number = crossed.item;
    const before = this.#items[number] as Record<string, unknown> | undefined;
    for (const [tail, whole] of GROWING) {
      if (!(tail in crossed)) continue;
      // Concatenation is cheap: engines keep the pieces until somebody reads the characters.
      crossed[whole] = `${(before?.[whole] as string | undefined) ?? ""}${crossed[tail] as string}`;
      delete crossed[tail];
    }
    const item = Object.freeze(crossed) as unknown as Item;
    this.#items[number] = item;
    this.#stale.delete(number);
    return item;
  }
}
