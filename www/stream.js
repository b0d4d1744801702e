// One loaded stream: the package's Transcript for what is shown, the bytes as they came, and, once somebody looks
// closely, a Normalizer over the same bytes for the raw events.

import { Normalizer, Transcript } from "./pkg.js";

// Bytes beyond are read and shown, but their source can no longer be looked up.
const KEPT_BYTES = 64 << 20;

export class Stream {
  transcript = new Transcript();
  ended = false;
  length = 0;
  #chunks = [];
  #starts = [];
  #kept = 0;
  #normalizer;
  #fed = 0;
  #events = [];
  #byItem = new Map();
  #byOffset = new Map();

  constructor(title) {
    this.title = title;
  }

  /** Reads a ReadableStream of bytes to its end, or until `signal`. */
  async read(body, signal) {
    const keep = new TransformStream({
      transform: (chunk, controller) => {
        this.#keep(chunk);
        controller.enqueue(chunk);
      },
    });
    try {
      await this.transcript.read(body.pipeThrough(keep, { signal }));
    } catch (error) {
      if (!signal?.aborted) throw error;
      this.transcript.end();
    } finally {
      this.ended = true;
    }
  }

  #keep(chunk) {
    if (this.#kept + chunk.length <= KEPT_BYTES && this.#kept === this.length) {
      this.#starts.push(this.length);
      this.#chunks.push(chunk);
      this.#kept += chunk.length;
    }
    this.length += chunk.length;
  }

  /** Whether all bytes are still here. */
  get complete() {
    return this.#kept === this.length;
  }

  /** All bytes in one piece. */
  all() {
    return this.bytes(0, this.#kept);
  }

  /** The bytes of a source range; shorter where they were not kept. */
  bytes(offset, length) {
    const end = Math.min(offset + length, this.#kept);
    const bytes = new Uint8Array(Math.max(0, end - offset));
    let at = this.#chunkOf(offset);
    for (let from = offset; from < end; at++) {
      const piece = this.#chunks[at].subarray(from - this.#starts[at], end - this.#starts[at]);
      bytes.set(piece, from - offset);
      from += piece.length;
    }
    return bytes;
  }

  #chunkOf(offset) {
    let [low, high] = [0, this.#starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#starts[middle] <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** All events so far. */
  events() {
    this.#normalizer ??= new Normalizer();
    for (; this.#fed < this.#chunks.length; this.#fed++) this.#take(this.#normalizer.push(this.#chunks[this.#fed]));
    if (this.ended && !this.finished) {
      this.finished = true;
      this.#take(this.#normalizer.end());
      this.#normalizer.close();
    }
    return this.#events;
  }

  #take(batch) {
    for (const event of batch) {
      this.#events.push(event);
      add(this.#byOffset, event.source.offset, event);
      if (event.item !== undefined) add(this.#byItem, event.item, event);
      if (event.update.sessionUpdate === "withdrawn") for (const item of event.update.items) add(this.#byItem, item, event);
    }
  }

  /** The events that made an item what it is. */
  eventsOf(item) {
    this.events();
    return this.#byItem.get(item) ?? [];
  }

  /** The events a record caused. */
  eventsAt(offset) {
    this.events();
    return this.#byOffset.get(offset) ?? [];
  }

  close() {
    this.ended = true;
    this.transcript.close();
    if (!this.finished) this.#normalizer?.close();
  }
}

function add(lists, key, value) {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}
