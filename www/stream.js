// One loaded stream: the package's Transcript for what is shown, the bytes as they came, and, once somebody looks
// closely, a Normalizer over the same bytes for the raw events.

import { Normalizer, Transcript } from "./pkg.js";

// Bytes beyond are read and shown, but their source can no longer be looked up.
const KEPT_BYTES = 64 << 20;
// So much is turned into events within one frame's patience.
const AT_ONCE_BYTES = 1 << 20;
const SLICE_MS = 12;

export class Stream {
  transcript = new Transcript();
  ended = false;
  length = 0;
  #chunks = [];
  #starts = [];
  #kept = 0;
  #normalizer;
  #fed = 0;
  #fedBytes = 0;
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

  /** The events as far as they are made; see `behind`. Short streams are never behind. */
  events() {
    if (this.length - this.#fedBytes <= AT_ONCE_BYTES) while (this.#feedOne());
    return this.#events;
  }

  /** Whether bytes are there whose events are not made yet. */
  get behind() {
    return this.#fed < this.#chunks.length || (this.ended && !this.finished);
  }

  /** Makes the events that are missing, in slices, so that the page stays alive. */
  catchUp() {
    this.#catching ??= this.#catchUp().finally(() => (this.#catching = undefined));
    return this.#catching;
  }
  #catching;

  async #catchUp() {
    let pause = performance.now() + SLICE_MS;
    while (!this.closed && this.#feedOne()) {
      if (performance.now() < pause) continue;
      await new Promise((resolve) => setTimeout(resolve));
      pause = performance.now() + SLICE_MS;
    }
  }

  /** Feeds the next chunk, or the end. False when there is nothing to feed. */
  #feedOne() {
    if (!this.behind) return false;
    this.#normalizer ??= new Normalizer();
    if (this.#fed < this.#chunks.length) {
      const chunk = this.#chunks[this.#fed++];
      this.#fedBytes += chunk.length;
      this.#take(this.#normalizer.push(chunk));
    } else {
      this.finished = true;
      this.#take(this.#normalizer.end());
      this.#normalizer.close();
    }
    return true;
  }

  #take(batch) {
    for (const event of batch) {
      this.#events.push(event);
      add(this.#byOffset, event.source.offset, event);
      if (event.item !== undefined) add(this.#byItem, event.item, event);
      if (event.update.sessionUpdate === "withdrawn")
        for (const item of event.update.items) add(this.#byItem, item, event);
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
    this.closed = true;
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
