/// <reference lib="esnext.disposable" preserve="true" />
// Bytes in, events out: one stream.

import { append, BatchReader } from "./batch.js";
import { Feed, Inlet, type Chunk } from "./chunk.js";
import { ENGINE, sharedEngine, type Engine } from "./engine.js";
import { AgentUiEventsError } from "./errors.js";
import type { RawMode, UiEvent } from "./generated/events.js";
import type { Container, Report } from "./report.js";
import type { NormalizerHandle } from "./wasm/core.js";

/** What a stream is read with. */
export interface StreamOptions {
  /** Name of the dialect (`dialects()` lists them). Default `"auto"`: detected from the first records. */
  dialect?: string;
  /** What the bytes are. Default `"auto"`. */
  container?: Container | "auto";
  /** Shows context that a harness injected for the model as user text. Default false. */
  showInjected?: boolean;
  /** Concludes no nesting of agents that the wire does not state (vent). Default false. */
  flatAgents?: boolean;
}

/** Hitting a limit is reported as a diagnostic `limit.*`. */
export interface StreamLimits {
  /** A longer record is skipped. Default 64 MiB. */
  maxRecordBytes?: number;
  /** Record ids remembered to drop a record that comes again. Default 65,536. */
  maxRecordIds?: number;
}

export interface NormalizerOptions extends StreamOptions {
  /** `"core"`: only the eight updates of the Evolve stream. Default `"all"`. */
  updates?: "all" | "core";
  /**
   * All that a push adds to one text leaves as one chunk, for pages that draw once per push. Default false. What the
   * events fold to is the same; how many there are depends on the cuts.
   */
  coalesce?: boolean;
  /** What becomes of `rawInput`, `rawOutput` and `extra`. Default `"value"`. */
  raw?: RawMode;
  limits?: StreamLimits;
}

/** Turns the bytes of one stream into UI events. The events do not depend on where the chunks were cut. */
export class Normalizer {
  #engine: Engine;
  #handle: NormalizerHandle | undefined;
  #feed: Feed;
  #reader = new BatchReader();
  #raw: RawMode;
  #ended = false;

  constructor(options: NormalizerOptions = {}) {
    this.#engine = sharedEngine();
    Object.defineProperty(this, ENGINE, { value: this.#engine });
    const handle = this.#engine.call(() => new this.#engine.glue.NormalizerHandle(options));
    this.#handle = handle;
    this.#feed = new Feed(new Inlet(this.#engine, handle));
    this.#raw = options.raw ?? "value";
  }

  /** Reads the next chunk and returns the events it completes. */
  push(chunk: Chunk): UiEvent[] {
    const handle = this.#open("push");
    if (this.#ended) {
      throw new AgentUiEventsError("misuse.ended", "push() after end(): make a new Normalizer for the next stream");
    }
    const window = this.#feed.direct(chunk);
    if (window >= 0) return this.#reader.read(this.#engine, window, this.#raw);
    return this.#gather((read) => this.#feed.push(chunk, (length) => read(handle.push(length))));
  }

  /** The stream is over: returns what only its end makes certain. A second call returns nothing. */
  end(): UiEvent[] {
    const handle = this.#open("end");
    if (this.#ended) return [];
    this.#ended = true;
    return this.#gather((read) => {
      this.#feed.flush((length) => read(handle.push(length)));
      read(handle.end());
    });
  }

  /**
   * The connection broke and another one will carry on: an SSE event without its end is dropped, and the next push is
   * the start of the new connection. `connect` does this by itself.
   */
  disconnect(): UiEvent[] {
    const handle = this.#open("disconnect");
    if (this.#ended) return [];
    this.#feed.drop();
    return this.#gather((read) => read(handle.disconnect()));
  }

  /** What a reconnect needs: the last SSE event id and the wait the server asked for. */
  resume(): { lastEventId: string; retryMs?: number } {
    const handle = this.#open("resume");
    return this.#engine.call(() => {
      const retryMs = handle.retryMs();
      const lastEventId = handle.lastEventId();
      return retryMs === undefined ? { lastEventId } : { lastEventId, retryMs };
    });
  }

  /** What is known of the stream so far. */
  report(): Report {
    const handle = this.#open("report");
    return this.#engine.call(() => handle.report() as Report);
  }

  /** Gives the memory back. Events that were handed out stay valid. A second call does nothing. */
  close(): void {
    const handle = this.#handle;
    this.#handle = undefined;
    if (handle && !this.#engine.dead) handle.free();
  }

  /** The events of all batches that the calls of `work` give. */
  #gather(work: (read: (window: number) => void) => void): UiEvent[] {
    let events: UiEvent[] = [];
    this.#engine.call(() => {
      work((window) => {
        events = append(events, this.#reader.read(this.#engine, window, this.#raw));
      });
    });
    return events;
  }

  #open(method: string): NormalizerHandle {
    if (this.#handle) return this.#handle;
    throw new AgentUiEventsError("misuse.closed", `${method}() after close(): make a new Normalizer`);
  }
}

export interface Normalizer extends Disposable {}

// Node 20 knows no `Symbol.dispose` of its own in every version; where it is missing, `using` is missing too.
if (typeof Symbol.dispose === "symbol") {
  Object.defineProperty(Normalizer.prototype, Symbol.dispose, { value: Normalizer.prototype.close });
}
