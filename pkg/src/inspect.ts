// Small questions: what is this, is it in order, what does it say.

import { bytesOf, isChunk, type Chunk } from "./chunk.js";
import { sharedEngine } from "./engine.js";
import { AgentUiEventsError } from "./errors.js";
import type { ContentBlock, UiEvent } from "./generated/events.js";
import type { Container } from "./report.js";

/** What a stream was recognised as. */
export interface Detection {
  /** Absent: nothing fits. */
  dialect?: string;
  container?: Container;
  why: string;
}

/** A broken promise of the normal form. */
export interface Breach {
  /** `N2`, `N3`, `N4`, `N5`, `N7`, `N10`, or `model`, or `json`. */
  promise: string;
  /** Position in the list. */
  event: number;
  message: string;
}

// More than the first records decide nothing.
const HEAD_BYTES = 256 << 10;

/** Recognises the beginning of a stream: container and dialect. */
export function detect(head: Chunk): Detection {
  const bytes = typeof head === "string" ? new TextEncoder().encode(head.slice(0, HEAD_BYTES)) : bytesOf(head);
  const engine = sharedEngine();
  return engine.call(() => JSON.parse(engine.glue.detect(bytes.subarray(0, HEAD_BYTES))) as Detection);
}

/** Names for the `dialect` option. */
export function dialects(): string[] {
  const engine = sharedEngine();
  return engine.call(() => engine.glue.dialectNames());
}

/** Version of the Rust crate inside. */
export function version(): string {
  const engine = sharedEngine();
  return engine.call(() => engine.glue.version());
}

/** Checks events against the promises, trusting none of the code that made them. An empty list is a pass. */
export function checkNormalForm(events: Iterable<UiEvent>): Breach[] {
  if (isChunk(events)) throw new AgentUiEventsError("misuse.events", "checkNormalForm takes events, not text");
  const lines: string[] = [];
  for (const event of events) lines.push(JSON.stringify(event));
  const engine = sharedEngine();
  return engine.call(() => JSON.parse(engine.glue.checkNormalForm(lines.join("\n"))) as Breach[]);
}

/**
 * The text an event adds to what a user reads: message, thought and prompt chunks, notices, errors, printed output.
 * Empty for everything else.
 */
export function textOf(event: UiEvent): string {
  const update = event.update;
  switch (update.sessionUpdate) {
    case "agent_message_chunk":
    case "agent_thought_chunk":
    case "user_message_chunk":
      return textOfBlock(update.content);
    case "tool_call_update":
      return update.outputDelta?.text ?? "";
    case "notice":
      return update.text;
    case "error":
      return update.message;
    default:
      return "";
  }
}

function textOfBlock(block: ContentBlock): string {
  return block.type === "text" ? block.text : "";
}
