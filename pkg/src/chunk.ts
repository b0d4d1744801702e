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

/**
 * The handle's side: where to write, and what to do with what was written.
 *
 * @internal
 */
export interface Sink {
  input(length: number): number;
}

/**
 * Feeds chunks to one handle and keeps half a surrogate pair between strings.
 *
 * @internal
 */
export class Feed {
  #high = "";

  /** Writes a chunk of bytes that fits at once and gives its length; -1 where `push` is needed. Makes no object. */
  direct(engine: Engine, sink: Sink, chunk: Chunk): number {
    if (!(chunk instanceof Uint8Array) || chunk.length > SLICE_BYTES || this.#high !== "") return -1;
    const pointer = sink.input(chunk.length);
    engine.bytes().set(chunk, pointer);
    return chunk.length;
  }

  /** Writes the chunk slice by slice; `read` is called after each with its length in bytes. */
  push(engine: Engine, sink: Sink, chunk: Chunk, read: (length: number) => void): void {
    if (typeof chunk === "string") return this.#text(engine, sink, chunk, read);
    const bytes = bytesOf(chunk);
    if (bytes.length > 0) this.flush(engine, sink, read);
    for (let at = 0; at < bytes.length; at += SLICE_BYTES) {
      const slice = bytes.subarray(at, at + SLICE_BYTES);
      const pointer = sink.input(slice.length);
      engine.bytes().set(slice, pointer);
      read(slice.length);
    }
  }

  /** Half a pair that nothing completed becomes U+FFFD. */
  flush(engine: Engine, sink: Sink, read: (length: number) => void): void {
    if (this.#high === "") return;
    const half = this.#high;
    this.#high = "";
    this.#write(engine, sink, half, read);
  }

  #text(engine: Engine, sink: Sink, chunk: string, read: (length: number) => void): void {
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
      if (end > at) this.#write(engine, sink, text.slice(at, end), read);
      if (this.#high !== "") return;
      at = end;
    }
  }

  #write(engine: Engine, sink: Sink, text: string, read: (length: number) => void): void {
    const room = text.length * 3;
    const pointer = sink.input(room);
    const { written } = encoder.encodeInto(text, engine.bytes().subarray(pointer, pointer + room));
    read(written);
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
