// Chunks on their way into wasm memory: slices that keep the memory small, strings cut anywhere.

import type { Engine } from "./engine.js";
import { AgentUiEventsError } from "./errors.js";

/** A piece of a stream, cut anywhere. A string may end between the halves of a surrogate pair. */
export type Chunk = string | ArrayBuffer | ArrayBufferView;

// Linear memory never shrinks, so a chunk of any size goes through a window of this size.
const SLICE_BYTES = 1 << 20;
// UTF-8 needs at most three bytes per UTF-16 unit.
const SLICE_UNITS = Math.floor(SLICE_BYTES / 3);

const encoder = /* @__PURE__ */ new TextEncoder();

// What is asked for at least, so that chunks of all usual sizes need no second call.
const LEAST_ROOM = 4096;

/**
 * The handle's side: where to write, which stays until more room is asked for, and to read what was written.
 *
 * @internal
 */
export interface Sink {
  input(length: number): number;
  push(length: number): number;
}

/**
 * The place in wasm memory that one handle reads its chunks from.
 *
 * @internal
 */
export class Inlet {
  #engine: Engine;
  #sink: Sink;
  #pointer = 0;
  #room = 0;
  /** All of the place, for the encoder; empty once memory has grown. */
  #view = new Uint8Array(0);

  constructor(engine: Engine, sink: Sink) {
    this.#engine = engine;
    this.#sink = sink;
  }

  /** Writes at most `SLICE_BYTES` bytes and gives their number. */
  bytes(chunk: Uint8Array): number {
    const length = chunk.length;
    if (length > this.#room) this.#reserve(length);
    this.#engine.bytes().set(chunk, this.#pointer);
    return length;
  }

  /** Writes at most `SLICE_UNITS` units and gives the number of bytes. */
  text(chunk: string): number {
    const room = chunk.length * 3;
    if (room > this.#room) this.#reserve(room);
    if (this.#view.length === 0) {
      this.#view = this.#engine.bytes().subarray(this.#pointer, this.#pointer + this.#room);
    }
    return encoder.encodeInto(chunk, this.#view).written;
  }

  /** Writes and reads a chunk that fits at once: where its result stands, -1 if it does not fit. Makes no object. */
  push(chunk: Chunk): number {
    const engine = this.#engine;
    try {
      engine.check();
      if (chunk instanceof Uint8Array) {
        if (chunk.length <= SLICE_BYTES) return this.#sink.push(this.bytes(chunk));
      } else if (typeof chunk === "string" && chunk.length <= SLICE_UNITS && !isHigh(chunk.charCodeAt(chunk.length - 1))) {
        return this.#sink.push(this.text(chunk));
      }
    } catch (error) {
      throw engine.failure(error);
    }
    return -1;
  }

  #reserve(length: number): void {
    this.#room = Math.max(length, LEAST_ROOM);
    this.#pointer = this.#sink.input(this.#room);
    this.#view = new Uint8Array(0);
  }
}

/**
 * Feeds the chunks of one stream to one handle and keeps half a surrogate pair between strings.
 *
 * @internal
 */
export class Feed {
  #inlet: Inlet;
  #high = "";

  constructor(inlet: Inlet) {
    this.#inlet = inlet;
  }

  /** Reads a chunk that fits at once, as part of the handle's main input: where its result stands; -1: use `push`. */
  direct(chunk: Chunk): number {
    return this.#high === "" ? this.#inlet.push(chunk) : -1;
  }

  /** Writes the chunk slice by slice; `read` is called after each with its length in bytes. */
  push(chunk: Chunk, read: (length: number) => void): void {
    if (typeof chunk === "string") return this.#text(chunk, read);
    const bytes = bytesOf(chunk);
    if (bytes.length > 0) this.flush(read);
    for (let at = 0; at < bytes.length; at += SLICE_BYTES) {
      read(this.#inlet.bytes(bytes.subarray(at, at + SLICE_BYTES)));
    }
  }

  /** Half a pair that nothing completed becomes U+FFFD. */
  flush(read: (length: number) => void): void {
    if (this.#high === "") return;
    const half = this.#high;
    this.#high = "";
    read(this.#inlet.text(half));
  }

  /** The connection broke: half a pair is dropped. */
  drop(): void {
    this.#high = "";
  }

  #text(chunk: string, read: (length: number) => void): void {
    if (chunk === "") return;
    const text = this.#high + chunk;
    this.#high = "";
    let at = 0;
    while (at < text.length) {
      let end = Math.min(at + SLICE_UNITS, text.length);
      if (isHigh(text.charCodeAt(end - 1))) {
        if (end === text.length) this.#high = text.charAt(--end);
        else end -= 1;
      }
      if (end > at) read(this.#inlet.text(text.slice(at, end)));
      if (this.#high !== "") return;
      at = end;
    }
  }
}

function isHigh(unit: number): boolean {
  return (unit & 0xfc00) === 0xd800;
}

/** The bytes of a chunk, not copied. */
export function bytesOf(chunk: unknown): Uint8Array {
  if (chunk instanceof Uint8Array) return chunk;
  if (ArrayBuffer.isView(chunk)) return new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  if (isBuffer(chunk)) return new Uint8Array(chunk);
  const message = "a chunk is a string, a Uint8Array or other view, or an ArrayBuffer";
  throw new AgentUiEventsError("misuse.chunk", `${message}, not ${describe(chunk)}`);
}

// Buffers of another realm (a frame, a test runner) are not `instanceof` ours.
function isBuffer(value: unknown): value is ArrayBuffer {
  const tag = Object.prototype.toString.call(value);
  return tag === "[object ArrayBuffer]" || tag === "[object SharedArrayBuffer]";
}

/** Whether a value is a chunk, not a source of chunks. */
export function isChunk(value: unknown): value is Chunk {
  return typeof value === "string" || ArrayBuffer.isView(value) || isBuffer(value);
}

/** A word for an error message. */
export function describe(value: unknown): string {
  if (value === null) return "null";
  if (typeof value !== "object") return typeof value;
  return value.constructor?.name ?? "object";
}
