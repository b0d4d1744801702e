// eventsource-parser and JSON.parse, then the same mapping and reducer as `simple`. SSE only.

import { createParser } from "../../pkg/node_modules/eventsource-parser/dist/index.js";
import { Events, State, mapping, reduce } from "./mapping.mjs";

/** Events of each chunk. */
export class ParserEvents {
  #decoder = new TextDecoder();
  #sink = new Events();
  #parser;

  constructor({ dialect }) {
    const records = mapping(dialect, this.#sink);
    this.#parser = createParser({ onEvent: (event) => records.record(JSON.parse(event.data)) });
  }

  push(chunk) {
    this.#parser.feed(this.#decoder.decode(chunk, { stream: true }));
    return this.#sink.take();
  }

  end() {
    this.#parser.feed(this.#decoder.decode());
    return this.#sink.take();
  }
}

/** State by way of events. */
export class ParserState {
  #events;
  #state = new State();

  constructor(workload) {
    this.#events = new ParserEvents(workload);
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
