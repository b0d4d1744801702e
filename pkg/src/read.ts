// Sources in, batches of events out.

import type { Chunk } from "./chunk.js";
import { AgentUiEventsError } from "./errors.js";
import type { UiEvent } from "./generated/events.js";
import { Normalizer, type NormalizerOptions } from "./normalizer.js";
import type { Report } from "./report.js";
import { chunksOf, type ReadableSource, type SourceOptions } from "./sources.js";

export interface ReadOptions extends NormalizerOptions, SourceOptions {}

/** Batches of events, none of them empty. */
export interface EventBatches extends AsyncGenerator<UiEvent[], Report, void> {
  /** What is known of the stream so far; complete after the last batch. */
  report(): Report;
}

/**
 * Reads a whole source: `for await (const batch of read(response)) for (const event of batch) draw(event)`.
 *
 * Leaving the loop cancels the source. A batch holds the events of one chunk.
 */
export function read(source: ReadableSource, options: ReadOptions = {}): EventBatches {
  const { signal, ...rest } = options;
  const chunks = chunksOf(source, signal ? { signal } : {});
  const normalizer = new Normalizer(rest);
  let last: Report | undefined;
  const report = () => last ?? normalizer.report();
  return Object.assign(batches(), { report });

  async function* batches(): AsyncGenerator<UiEvent[], Report, void> {
    try {
      for await (const chunk of chunks) {
        const batch = normalizer.push(chunk);
        if (batch.length > 0) yield batch;
      }
      const batch = normalizer.end();
      if (batch.length > 0) yield batch;
      return (last = normalizer.report());
    } finally {
      try {
        last ??= normalizer.report();
      } catch (error) {
        // After a panic there is none; what the loop threw says so already.
        if (!(error instanceof AgentUiEventsError)) throw error;
      }
      normalizer.close();
    }
  }
}

/** A stream of chunks becomes a stream of batches: `response.body.pipeThrough(new NormalizerStream())`. */
export class NormalizerStream implements GenericTransformStream {
  readonly readable: ReadableStream<UiEvent[]>;
  readonly writable: WritableStream<Chunk>;
  #normalizer: Normalizer;

  constructor(options: NormalizerOptions = {}) {
    const normalizer = new Normalizer(options);
    this.#normalizer = normalizer;
    const stream = new TransformStream<Chunk, UiEvent[]>({
      transform(chunk, controller) {
        const batch = normalizer.push(chunk);
        if (batch.length > 0) controller.enqueue(batch);
      },
      flush(controller) {
        const batch = normalizer.end();
        if (batch.length > 0) controller.enqueue(batch);
      },
    });
    this.readable = stream.readable;
    this.writable = stream.writable;
  }

  /** What is known of the stream so far. */
  report(): Report {
    return this.#normalizer.report();
  }
}
