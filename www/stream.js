// One loaded run: the package's Transcript for what is shown, the bytes of its files as they came, and, once somebody
// looks closely, a Normalizer over the same bytes for the raw events.

import { KeptBytes } from "./kept-bytes.js";
import { Normalizer, Transcript } from "./pkg.js";

// So much is turned into events within one frame's patience.
const AT_ONCE_BYTES = 1 << 20;
const SLICE_MS = 12;

export class Stream {
  transcript = new Transcript();
  ended = false;
  /** The main file first. */
  files = [];
  #fed = 0;
  #fedBytes = 0;
  #normalizer;
  #events = [];
  #byItem = new Map();
  #byOffset = new Map();

  constructor(title) {
    this.title = title;
  }

  /** Reads `[{name, body()}]`, one run, the main file first, to their ends or until `signal`. */
  async read(files, signal) {
    this.files = files.map(({ name }) => new KeptBytes(name));
    try {
      for (const [number, { name, body }] of files.entries()) {
        const input = number === 0 ? this.transcript : this.transcript.input(name);
        await this.#pour(body(), this.files[number], input, signal);
        if (number > 0) input.end();
      }
      this.transcript.end();
    } catch (error) {
      if (!signal?.aborted) throw error;
      if (!this.closed) this.transcript.end();
    } finally {
      this.ended = true;
    }
  }

  /** Into the transcript and into the kept bytes. The transcript's own `read` would end the run with its first file. */
  async #pour(body, kept, input, signal) {
    const reader = body.getReader();
    const stop = () => reader.cancel().catch(() => {});
    signal?.addEventListener("abort", stop);
    try {
      for (;;) {
        const { done, value } = await reader.read();
        signal?.throwIfAborted();
        if (done) return;
        kept.add(value);
        input.push(value);
      }
    } finally {
      signal?.removeEventListener("abort", stop);
    }
  }

  /** The main file, of which the raw events are made. */
  get main() {
    return this.files[0];
  }

  /** Whether the run came in several files. The package's raw events are those of one stream, so there are none then. */
  get several() {
    return this.files.length > 1;
  }

  /** Bytes of all files. */
  get length() {
    return this.files.reduce((sum, file) => sum + file.length, 0);
  }

  /** The exact bytes around or of a place: `place` is a source or a diagnostic, which name their file. */
  fileOf(place) {
    return (place.input !== undefined && this.files.find((file) => file.name === place.input)) || this.main;
  }

  /** The events as far as they are made; see `behind`. Short streams are never behind. */
  events() {
    if (this.length - this.#fedBytes <= AT_ONCE_BYTES) while (this.#feedOne());
    return this.#events;
  }

  /** Whether bytes are there whose events are not made yet. */
  get behind() {
    if (this.several || !this.main) return false;
    return this.#fed < this.main.chunks.length || (this.ended && !this.finished);
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
    if (this.#fed < this.main.chunks.length) {
      const chunk = this.main.chunks[this.#fed++];
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
