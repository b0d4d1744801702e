// Everything a stream can be read from, as one row of chunks.

import { describe, isChunk, type Chunk } from "./chunk.js";
import { sharedEngine, type Engine } from "./engine.js";
import { AgentUiEventsError } from "./errors.js";
import type { SourceHandle } from "./wasm/core.js";

/** What can be read: an answer of `fetch`, a file, a stream, chunks, or one chunk. */
export type ReadableSource =
  | Response
  | Blob
  | ReadableStream<Chunk>
  | AsyncIterable<Chunk>
  | Iterable<Chunk>
  | Chunk;

export interface SourceOptions {
  /** Ends the reading with `conn.aborted`. */
  signal?: AbortSignal;
}

/**
 * One source of the module (src/web/source), as the wrapper needs it.
 *
 * @internal
 */
export class NativeSource {
  #engine: Engine;
  #handle: SourceHandle;
  #closed = false;

  constructor(make: (glue: Engine["glue"]) => SourceHandle) {
    this.#engine = sharedEngine();
    this.#handle = this.#engine.call(() => make(this.#engine.glue));
  }

  next(): Promise<Uint8Array | undefined> {
    return this.#wait(() => this.#handle.next() as Promise<Uint8Array | undefined>);
  }

  reconnect(lastEventId: string, retryMs: number | undefined): Promise<boolean> {
    return this.#wait(() => this.#handle.reconnect(lastEventId, retryMs) as Promise<boolean>);
  }

  canReconnect(): boolean {
    return this.#engine.call(() => this.#handle.canReconnect());
  }

  progressed(): void {
    this.#engine.call(() => this.#handle.progressed());
  }

  /** Ends what waits. */
  abort(): void {
    if (!this.#closed && !this.#engine.dead) this.#engine.call(() => this.#handle.abort());
  }

  /** Ends what waits and gives the handle back. */
  close(): void {
    if (this.#closed || this.#engine.dead) return;
    this.#closed = true;
    this.#engine.call(() => {
      this.#handle.abort();
      this.#handle.free();
    });
  }

  async #wait<T>(work: () => Promise<T>): Promise<T> {
    const promise = this.#engine.call(work);
    try {
      return await promise;
    } catch (error) {
      throw this.#engine.failure(error);
    }
  }
}

/** Chunks of a source. Throws at once when it is none, and cancels it when nobody wants more. */
export function chunksOf(source: ReadableSource, options: SourceOptions = {}): AsyncGenerator<Chunk, void> {
  const { signal } = options;
  if (isChunk(source)) return oneByOne([source], signal);
  if (typeof source === "object" && source !== null) {
    if (isA(source, "Response")) return native((glue) => glue.SourceHandle.response(source as Response), signal);
    if (isA(source, "Blob")) return native((glue) => glue.SourceHandle.blob(source as Blob), signal);
    if ("getReader" in source) return streamed(source, signal);
    if (Symbol.asyncIterator in source || Symbol.iterator in source) return oneByOne(source, signal);
  }
  const known = "a Response, a Blob or File, a ReadableStream, an iterable of chunks, or one chunk";
  throw new AgentUiEventsError("misuse.source", `a source is ${known}, not ${describe(source)}`);
}

function isA(value: object, name: "Response" | "Blob"): boolean {
  const constructor = (globalThis as Record<string, unknown>)[name];
  return typeof constructor === "function" && value instanceof constructor;
}

async function* native(
  make: (glue: Engine["glue"]) => SourceHandle,
  signal: AbortSignal | undefined,
): AsyncGenerator<Chunk, void> {
  throwIfAborted(signal);
  const source = new NativeSource(make);
  const abort = () => source.abort();
  signal?.addEventListener("abort", abort, { once: true });
  try {
    for (let chunk = await source.next(); chunk; chunk = await source.next()) yield chunk;
  } finally {
    signal?.removeEventListener("abort", abort);
    source.close();
  }
}

// Not `for await`: streams cannot be iterated in every browser.
async function* streamed(stream: ReadableStream<Chunk>, signal: AbortSignal | undefined): AsyncGenerator<Chunk, void> {
  throwIfAborted(signal);
  const reader = stream.getReader();
  const abort = () => void reader.cancel(aborted()).catch(() => {});
  signal?.addEventListener("abort", abort, { once: true });
  let done = false;
  try {
    for (;;) {
      const read = await reader.read();
      throwIfAborted(signal);
      if (read.done) {
        done = true;
        return;
      }
      yield read.value;
    }
  } finally {
    signal?.removeEventListener("abort", abort);
    if (!done) void reader.cancel().catch(() => {});
    reader.releaseLock();
  }
}

async function* oneByOne(
  chunks: Iterable<Chunk> | AsyncIterable<Chunk>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Chunk, void> {
  throwIfAborted(signal);
  for await (const chunk of chunks) {
    throwIfAborted(signal);
    yield chunk;
  }
}

function aborted(): AgentUiEventsError {
  return new AgentUiEventsError("conn.aborted", "reading was stopped from this side");
}

function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw aborted();
}
