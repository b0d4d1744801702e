// What people write: TextDecoder, split, JSON.parse, a switch per type, a reducer.
//
// Kinder than much of the real code: the rest of a line is not searched again, and items change in place.

import { Events, State, mapping, reduce } from "./mapping.mjs";

/** Bytes to the JSON values of lines, or of SSE events. */
class Reader {
  #decoder = new TextDecoder();
  #separator;
  #isSse;
  #rest = "";

  constructor(container) {
    this.#isSse = container === "sse";
    this.#separator = this.#isSse ? "\n\n" : "\n";
  }

  push(chunk, records) {
    this.#read(this.#decoder.decode(chunk, { stream: true }), records);
  }

  end(records) {
    this.#read(this.#decoder.decode() + this.#separator, records);
  }

  #read(text, records) {
    this.#rest += text;
    // Without this look a long line would be copied whole for every chunk of it.
    if (!this.#isSse && !text.includes("\n")) return;
    const parts = this.#rest.split(this.#separator);
    this.#rest = parts.pop();
    for (const part of parts) {
      const json = this.#isSse ? dataOf(part) : part;
      if (json !== "") records.record(JSON.parse(json));
    }
  }
}

/** The data of one SSE event. */
function dataOf(part) {
  const data = [];
  for (const line of part.split("\n")) if (line.startsWith("data:")) data.push(line.slice(5).trimStart());
  return data.join("\n");
}

/** Events of each chunk. */
export class SimpleEvents {
  #reader;
  #sink = new Events();
  #mapping;

  constructor({ dialect, container }) {
    this.#reader = new Reader(container);
    this.#mapping = mapping(dialect, this.#sink);
  }

  push(chunk) {
    this.#reader.push(chunk, this.#mapping);
    return this.#sink.take();
  }

  end() {
    this.#reader.end(this.#mapping);
    return this.#sink.take();
  }
}

/** State by way of events. */
export class SimpleState {
  #events;
  #state = new State();

  constructor(workload) {
    this.#events = new SimpleEvents(workload);
  }

  push(chunk) {
    for (const event of this.#events.push(chunk)) reduce(this.#state, event);
  }

  end() {
    for (const event of this.#events.end()) reduce(this.#state, event);
  }

  window(count) {
    return this.#state.items.slice(-count);
  }

  items() {
    return this.#state.items;
  }
}
