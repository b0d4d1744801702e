// A packed batch in wasm memory becomes event objects.

import type { Engine } from "./engine.js";
import { decodeBatch, type RawMode, type UiEvent } from "./generated/events.js";

/** For texts in wasm memory. A byte order mark inside is text like any other. */
export const decoder = /* @__PURE__ */ new TextDecoder("utf-8", { ignoreBOM: true });

/** Reads the batch that a window (src/web/bindings/window.rs) describes, before the next call into the module. */
export function readBatch(engine: Engine, window: number, raw: RawMode): UiEvent[] {
  const memory = engine.words();
  const at = window >>> 2;
  const wordCount = memory[at + 1]!;
  if (wordCount === 0) return [];
  const words = memory.subarray(memory[at]! >>> 2, (memory[at]! >>> 2) + wordCount);
  const ends = memory.subarray(memory[at + 4]! >>> 2, (memory[at + 4]! >>> 2) + memory[at + 5]!);
  const text = decoder.decode(engine.bytes().subarray(memory[at + 2]!, memory[at + 2]! + memory[at + 3]!));
  const seq = memory[at + 6]! + memory[at + 7]! * 4294967296;
  return decodeBatch(words, text, ends, seq, { raw });
}

/** Puts a batch behind another one. */
export function append(events: UiEvent[], more: UiEvent[]): UiEvent[] {
  if (events.length === 0) return more;
  // Not `push(...more)`: a big batch would overflow the stack.
  for (const event of more) events.push(event);
  return events;
}
