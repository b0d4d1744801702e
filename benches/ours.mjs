// Ours, by its public API, and the way from its events and items to the shape that all variants are compared in.

import { Normalizer, Transcript } from "../pkg/dist/index.js";

// The long line is longer than the default limits allow.
const limits = { maxRecordBytes: 1 << 28 };

/** `push()`: all events of each chunk as objects. */
export class OurEvents {
  #normalizer;

  constructor({ dialect, container }) {
    this.#normalizer = new Normalizer({ dialect, container, limits });
  }

  push(chunk) {
    return this.#normalizer.push(chunk);
  }

  end() {
    return this.#normalizer.end();
  }

  close() {
    this.#normalizer.close();
  }
}

/** `Transcript`. */
export class OurState {
  #transcript;

  constructor({ dialect, container }) {
    this.#transcript = new Transcript({ dialect, container, limits: { ...limits, maxItemTextBytes: 1 << 28 } });
  }

  push(chunk) {
    this.#transcript.push(chunk);
  }

  end() {
    this.#transcript.end();
  }

  window(count) {
    const { length } = this.#transcript;
    return this.#transcript.items(Math.max(0, length - count), length);
  }

  /** Whole: with the inputs and outputs that stay inside until somebody asks. */
  items() {
    return this.#transcript.items().map((item) => {
      if (item.type !== "tool") return item;
      const { rawInputBytes, rawOutputBytes } = item;
      const rawInput = rawInputBytes === undefined ? item.rawInput : this.#transcript.rawInput(item.item);
      const rawOutput = rawOutputBytes === undefined ? item.rawOutput : this.#transcript.rawOutput(item.item);
      return { ...item, rawInput, rawOutput };
    });
  }

  close() {
    this.#transcript.close();
  }
}

const ROLES = { agent_message_chunk: "agent", agent_thought_chunk: "thought" };

const textOf = (content) => content?.map((entry) => entry.content.text).join("\n");

/** One of our events in the common shape; nothing for the kinds that the rivals do not have. */
export function commonEvent({ item, messageId, update }) {
  switch (update.sessionUpdate) {
    case "agent_message_chunk":
    case "agent_thought_chunk":
      return { type: "text", item, role: ROLES[update.sessionUpdate], messageId, text: update.content.text };
    case "message_end":
      // A reason that came after the end: the rivals do not read it.
      if (update.stopReason !== undefined && update.content === undefined) return undefined;
      return { type: "end", item, role: update.role };
    case "tool_call": {
      const { toolCallId, title, toolName: name, kind, status, rawInput: input } = update;
      return { type: "call", item, toolCallId, title, name, kind, status, input };
    }
    case "tool_call_update": {
      const { toolCallId, inputDelta: delta, status, title, rawInput: input, content, rawOutput } = update;
      if (delta !== undefined) return { type: "input", item, toolCallId, delta };
      return { type: "update", item, toolCallId, status, title, input, output: textOf(content), rawOutput };
    }
    case "plan":
      return { type: "plan", item, entries: update.entries };
    case "usage": {
      const { promptTokens: prompt, completionTokens: completion, cachedTokens: cached } = update.usage;
      return { type: "usage", messageId, prompt, completion, cached };
    }
    default:
      return undefined;
  }
}

/** One of our items in the common shape. */
export function commonItem(item) {
  switch (item.type) {
    case "text": {
      const { role, messageId, text, ended = false } = item;
      return { type: "text", item: item.item, role, messageId, text, ended };
    }
    case "tool": {
      const { toolCallId, title, toolName: name, kind, status, rawInput: input, inputText = "", rawOutput } = item;
      const output = textOf(item.content);
      return {
        type: "tool", item: item.item, toolCallId, title, name, kind, status, input, inputText, output, rawOutput,
      };
    }
    case "plan":
      return { type: "plan", item: item.item, entries: item.entries };
    default:
      return item;
  }
}
