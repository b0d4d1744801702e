// Packed items (layout: src/transcript/packed.rs) become objects.

import {
  jsonValue,
  longAt,
  OUTPUT_STREAMS,
  ROLES,
  TOOL_KINDS,
  TOOL_STATUSES,
  updateAt,
  type Source,
  type ToolCallUpdate,
} from "./generated/events.js";
import type { Slot } from "./itemcache.js";
import type { Item, ItemBase, TextItem, ToolItem } from "./items.js";

type Draft<T> = { -readonly [key in keyof T]: T[key] };
/** What changes of an item that only grows. */
type Growing = Draft<Pick<ItemBase, "revision" | "sourceCount">> &
  Partial<Record<"text" | "inputText" | "outputText", string>>;
type Streams = NonNullable<ToolItem["outputStreams"]>;

// Sorts, in the low byte of a record's second word; 0 is an item that only grew.
const TEXT = 2;
const TOOL = 3;
const INTERRUPT = 5;
/** The sorts that are one update: what it is called, by sort. */
const WHOLE = ["", "missing", "", "", "plan", "", "notice", "error", "citations", "artifact"] as const;
// In the second word: of this text only the end is here.
const TEXT_TAIL = 1 << 8;
const INPUT_TAIL = 2 << 8;
const OUTPUT_TAIL = 4 << 8;

/** First word of the body. */
const BODY = 22;

/**
 * Reads the record that begins at word `at` into `slot`, which has what is held of the item, complete but no longer true.
 * `names`: of further inputs. `bytes`: about the length of the record's texts.
 *
 * Objects are not frozen: a copy of a frozen object is several times as dear, and a growing item is copied at each look.
 */
export function readItem(
  w: Uint32Array,
  at: number,
  s: readonly string[],
  number: number,
  slot: Slot,
  names: readonly string[],
  bytes: number,
): void {
  const word = w[at + 1]!;
  const sort = word & 0xff;
  // An end comes on top of what is here, and all else in its place.
  slot.bytes = word === 0 || word >= TEXT_TAIL ? slot.bytes + bytes : bytes;
  if (sort === 0) {
    slot.item = grown(w, at, s, slot);
  } else if (sort === TEXT) {
    slot.base = textItem(w, at, s, number, slot.head, names);
    slot.item = copied(slot.base);
  } else {
    slot.item = sort === TOOL ? toolItem(w, at, s, number, slot.item as ToolItem, names) : otherItem(w, at, s, number, names);
    slot.base = slot.item;
  }
  slot.head = slot.item.type === "text" ? slot.item.text : "";
}

/** All copies are made here: V8 gives the copies that one place makes of one class one class of their own. */
function copied(item: Item): Item {
  return { ...item };
}

/** A copy that changed; revision and source count stand at word `at`. */
function advanced(w: Uint32Array, at: number, slot: Slot): Growing {
  const item = copied(slot.base) as unknown as Growing;
  item.revision = longAt(w, at);
  item.sourceCount = longAt(w, at + 2);
  return item;
}

/** The text that a change offers (src/web/bindings/transcript.rs) whose window begins at word `at`. */
export function offeredItem(w: Uint32Array, at: number, slot: Slot, text: string): TextItem {
  const item = advanced(w, at, slot);
  item.text = slot.head + text;
  return item as unknown as TextItem;
}

function grown(w: Uint32Array, at: number, s: readonly string[], slot: Slot): Item {
  const before = slot.item as unknown as Growing;
  const item = advanced(w, at + 2, slot);
  // Concatenation is cheap: engines keep the pieces until somebody reads the characters.
  if (before.text !== undefined) item.text = slot.head + s[w[at + 6]!]!;
  if (before.inputText !== undefined) item.inputText = before.inputText + s[w[at + 7]!]!;
  if (before.outputText !== undefined) item.outputText = before.outputText + s[w[at + 8]!]!;
  return item as unknown as Item;
}

function textItem(
  w: Uint32Array,
  at: number,
  s: readonly string[],
  number: number,
  head: string,
  names: readonly string[],
): TextItem {
  const text = s[w[at + BODY + 1]!]!;
  const item: Draft<TextItem> = {
    item: number,
    type: "text",
    revision: longAt(w, at + 16),
    role: ROLES[w[at + BODY]! - 1]!,
    text: (w[at + 1]! & TEXT_TAIL) !== 0 ? head + text : text,
    sourceCount: longAt(w, at + 18),
  };
  if (w[at + BODY + 2] !== 0) item.ended = true;
  if (w[at + BODY + 3] !== 0) item.aborted = true;
  if (w[at + BODY + 4] !== 0) item.stopReason = s[w[at + BODY + 4]!]!;
  const blocks = w[at + BODY + 5]!;
  if (blocks > 0) {
    let next = at + BODY + 6;
    item.blocks = Array.from({ length: blocks }, () => {
      const block = updateAt(w, next + 1, s) as unknown as { content: NonNullable<TextItem["blocks"]>[number] };
      next += w[next]!;
      return block.content;
    });
  }
  return based(item, w, at, s, names);
}

function toolItem(
  w: Uint32Array,
  at: number,
  s: readonly string[],
  number: number,
  before: ToolItem,
  names: readonly string[],
): ToolItem {
  const body = at + BODY;
  const item: Draft<ToolItem> = {
    item: number,
    type: "tool",
    revision: longAt(w, at + 16),
    toolCallId: s[w[body]!]!,
    title: s[w[body + 2]!]!,
    kind: TOOL_KINDS[w[body + 4]! - 1]!,
    status: TOOL_STATUSES[w[body + 5]! - 1]!,
    sourceCount: longAt(w, at + 18),
  };
  if (w[body + 1] !== 0) item.wireToolCallId = s[w[body + 1]!]!;
  if (w[body + 3] !== 0) item.toolName = s[w[body + 3]!]!;
  if (w[body + 6] !== 0) item.statusInferred = true;
  if (w[body + 7] !== 0) item.inferred = true;
  if (w[body + 8] !== 0) item.rawInput = jsonValue(s[w[body + 8]!]!);
  const inputBytes = longAt(w, body + 9);
  if (inputBytes !== 0) item.rawInputBytes = inputBytes;
  if (w[body + 11] !== 0) item.rawOutput = jsonValue(s[w[body + 11]!]!);
  const outputBytes = longAt(w, body + 12);
  if (outputBytes !== 0) item.rawOutputBytes = outputBytes;
  const inputText = grownText(s[w[body + 14]!]!, (w[at + 1]! & INPUT_TAIL) !== 0, before.inputText);
  if (inputText !== "") item.inputText = inputText;
  const outputText = grownText(s[w[body + 15]!]!, (w[at + 1]! & OUTPUT_TAIL) !== 0, before.outputText);
  if (outputText !== "") item.outputText = outputText;
  const streams = body + 16;
  if (w[streams] !== 0) item.outputStreams = streamsAt(w, streams);
  let next = streams + (w[streams] || 1);
  if (w[next] !== 0) item.inputContent = cardAt(w, next, s).content!;
  next += w[next] || 1;
  if (w[next] !== 0) item.content = cardAt(w, next, s).content!;
  next += w[next] || 1;
  if (w[next] !== 0) item.locations = cardAt(w, next, s).locations!;
  return based(item, w, at, s, names);
}

function grownText(text: string, isTail: boolean, before: string | undefined): string {
  return isTail ? before! + text : text;
}

function cardAt(w: Uint32Array, at: number, s: readonly string[]): ToolCallUpdate {
  return updateAt(w, at + 1, s) as ToolCallUpdate;
}

function streamsAt(w: Uint32Array, at: number): Streams {
  const streams: Streams[number][] = [];
  const stop = at + w[at]!;
  for (let next = at + 1; next < stop; next += 2) {
    const end = w[next + 1]!;
    streams.push(w[next] === 0 ? { end } : { stream: OUTPUT_STREAMS[w[next]! - 1]!, end });
  }
  return streams;
}

/** Items that hold updates as they came. */
function otherItem(
  w: Uint32Array,
  at: number,
  s: readonly string[],
  number: number,
  names: readonly string[],
): Item {
  const sort = w[at + 1]!;
  const item: Record<string, unknown> = { item: number, revision: longAt(w, at + 16), sourceCount: longAt(w, at + 18) };
  const body = at + BODY;
  if (sort === INTERRUPT) {
    item.type = "interrupt";
    item.interrupt = updateAt(w, body + 1, s);
    const resolved = body + w[body]!;
    if (w[resolved] !== 0) item.resolved = updateAt(w, resolved + 1, s);
    if (w[at + 15] !== 0) item.extra = jsonValue(s[w[at + 15]!]!);
  } else {
    const type = WHOLE[sort as 4] as string;
    item.type = type;
    if (type === "plan") item.entries = (updateAt(w, body + 1, s) as { entries?: unknown }).entries;
    else if (type !== "missing") item[type] = updateAt(w, body + 1, s);
  }
  return based(item as unknown as Draft<Item>, w, at, s, names) as Item;
}

/** Adds what all items may have. */
function based<T extends Draft<ItemBase>>(
  item: T,
  w: Uint32Array,
  at: number,
  s: readonly string[],
  names: readonly string[],
): T {
  if (w[at + 9] !== 0) item.sessionId = s[w[at + 9]!]!;
  if (w[at + 14] !== 0) item.agentId = s[w[at + 14]!]!;
  if (w[at + 13] !== 0) item.parentToolCallId = s[w[at + 13]!]!;
  if (w[at + 12] !== 0) item.messageId = s[w[at + 12]!]!;
  if (w[at + 11] !== 0) item.model = s[w[at + 11]!]!;
  if (w[at + 10] !== 0) item.timestamp = s[w[at + 10]!]!;
  if (w[at + 20] !== 0) item.withdrawn = s[w[at + 20]!]!;
  if (w[at + 21] !== 0) item.truncated = true;
  if (item.sourceCount > 0) {
    const source: Source = { offset: longAt(w, at + 2), length: longAt(w, at + 4), line: w[at + 6]! };
    const input = w[at + 7]!;
    if (input !== 0) source.input = names[input] ?? String(input);
    item.source = source;
  }
  return item;
}
