// What the records of three dialects mean, in plain JavaScript: the part all rivals share.
//
// Only what a UI needs of the workloads' records: texts, cards, plans, token counts. No tolerance for odd input, no
// diagnostics, no source offsets, no check that whole texts repeat their deltas. That is less work than ours does, and
// what hand-written code usually does.

/**
 * Where a mapping puts what it read. `Events` and `State` below are the two kinds.
 *
 * @typedef {object} Sink
 * @property {(item: number, role: string, messageId: string | undefined, text: string) => void} text
 * @property {(item: number, role: string) => void} end
 * @property {(item: number, call: object) => void} call
 * @property {(item: number, toolCallId: string, delta: string) => void} inputDelta
 * @property {(item: number, change: object) => void} update
 * @property {(item: number, entries: object[]) => void} plan
 * @property {(messageId: string | undefined, prompt: number, completion: number, cached: number) => void} usage
 */

/** Collects events. Each kind has one shape, so that engines see few. */
export class Events {
  batch = [];

  take() {
    const batch = this.batch;
    this.batch = [];
    return batch;
  }

  text(item, role, messageId, text) {
    this.batch.push({ type: "text", item, role, messageId, text });
  }

  end(item, role) {
    this.batch.push({ type: "end", item, role });
  }

  call(item, { toolCallId, title, name, kind, status, input }) {
    this.batch.push({ type: "call", item, toolCallId, title, name, kind, status, input });
  }

  inputDelta(item, toolCallId, delta) {
    this.batch.push({ type: "input", item, toolCallId, delta });
  }

  update(item, { toolCallId, status, title, input, output, rawOutput }) {
    this.batch.push({ type: "update", item, toolCallId, status, title, input, output, rawOutput });
  }

  plan(item, entries) {
    this.batch.push({ type: "plan", item, entries });
  }

  usage(messageId, prompt, completion, cached) {
    this.batch.push({ type: "usage", messageId, prompt, completion, cached });
  }
}

/** Folds at once, without events between. Items are changed in place, which is the fastest a UI could have it. */
export class State {
  items = [];
  usageOf = new Map();

  text(item, role, messageId, text) {
    const known = this.items[item];
    if (known === undefined) this.items[item] = { type: "text", item, role, messageId, text, ended: false };
    else known.text += text;
  }

  end(item) {
    this.items[item].ended = true;
  }

  call(item, { toolCallId, title, name, kind, status, input }) {
    this.items[item] = {
      type: "tool", item, toolCallId, title, name, kind, status, input,
      inputText: "", output: undefined, rawOutput: undefined,
    };
  }

  inputDelta(item, toolCallId, delta) {
    this.items[item].inputText += delta;
  }

  update(item, { status, title, input, output, rawOutput }) {
    const card = this.items[item];
    if (status !== undefined) card.status = status;
    if (title !== undefined) card.title = title;
    if (input !== undefined) card.input = input;
    if (output !== undefined) card.output = output;
    if (rawOutput !== undefined) card.rawOutput = rawOutput;
  }

  plan(item, entries) {
    this.items[item] = { type: "plan", item, entries };
  }

  usage(messageId, prompt, completion, cached) {
    this.usageOf.set(messageId, { prompt, completion, cached });
  }
}

/** The usual reducer: one event into the state. */
export function reduce(state, event) {
  switch (event.type) {
    case "text":
      return state.text(event.item, event.role, event.messageId, event.text);
    case "end":
      return state.end(event.item);
    case "call":
      return state.call(event.item, event);
    case "input":
      return state.inputDelta(event.item, event.toolCallId, event.delta);
    case "update":
      return state.update(event.item, event);
    case "plan":
      return state.plan(event.item, event.entries);
    case "usage":
      return state.usage(event.messageId, event.prompt, event.completion, event.cached);
  }
}

/** Consecutive pieces of one role are one item, until something else comes between. */
class Part {
  role = "";
  item = -1;
}

class Vent {
  #sink;
  #items = 0;
  #part = new Part();
  #cards = new Map();

  constructor(sink) {
    this.#sink = sink;
  }

  record(frame) {
    switch (frame.type) {
      case "token":
        return this.piece("agent", frame.content);
      case "thinking_token":
        return this.piece("thought", frame.content);
      case "tool_call": {
        this.#part.role = "";
        const item = this.#items++;
        this.#cards.set(frame.tool_call_id, item);
        return this.#sink.call(item, {
          toolCallId: frame.tool_call_id,
          title: frame.cn_tool,
          name: frame.tool,
          kind: "other",
          status: "in_progress",
          input: frame.args,
        });
      }
      case "tool_result":
        return this.#sink.update(this.#cards.get(frame.tool_call_id), {
          toolCallId: frame.tool_call_id,
          status: frame.error ? "failed" : "completed",
          output: frame.content,
          rawOutput: frame.content,
        });
    }
  }

  piece(role, text) {
    const part = this.#part;
    if (part.role !== role) {
      part.role = role;
      part.item = this.#items++;
    }
    this.#sink.text(part.item, role, undefined, text);
  }
}

class Evolve {
  #sink;
  #items = 0;
  #part = new Part();
  #cards = new Map();
  #plan = -1;

  constructor(sink) {
    this.#sink = sink;
  }

  record({ messageId, update }) {
    switch (update.sessionUpdate) {
      case "agent_message_chunk":
        return this.piece("agent", messageId, update.content.text);
      case "agent_thought_chunk":
        return this.piece("thought", messageId, update.content.text);
      case "tool_call": {
        this.#part.role = "";
        const item = this.#items++;
        this.#cards.set(update.toolCallId, item);
        const { toolCallId, title, toolName: name, kind, status, rawInput: input } = update;
        return this.#sink.call(item, { toolCallId, title, name, kind, status, input });
      }
      case "tool_call_update": {
        const { toolCallId, status, title, rawInput: input, content, rawOutput } = update;
        const output = content?.map((entry) => entry.content.text).join("\n");
        const change = { toolCallId, status, title, input, output, rawOutput };
        return this.#sink.update(this.#cards.get(toolCallId), change);
      }
      case "plan":
        if (this.#plan < 0) {
          this.#part.role = "";
          this.#plan = this.#items++;
        }
        return this.#sink.plan(this.#plan, update.entries);
    }
  }

  piece(role, messageId, text) {
    const part = this.#part;
    if (part.role !== role) {
      part.role = role;
      part.item = this.#items++;
    }
    this.#sink.text(part.item, role, messageId, text);
  }
}

const ROLES = { text: "agent", thinking: "thought" };

const KINDS = { Bash: "execute", Read: "read", Edit: "edit", Write: "edit" };

function titleOf(name, input) {
  switch (name) {
    case "Bash":
      return `\`${input.command.replaceAll("`", "\\`")}\``;
    case "Read":
      return `Read ${input.file_path}${input.limit ? ` (${input.offset + 1} - ${input.offset + input.limit})` : ""}`;
    case "Edit":
      return `Edit \`${input.file_path}\``;
    case "Write":
      return `Write ${input.file_path}`;
    default:
      return name;
  }
}

class Claude {
  #sink;
  #items = 0;
  #cards = new Map();
  #usage = new Map();
  /** Blocks of the message that streams, by index: `{ role, item, toolCallId }`. */
  #blocks = [];
  #streaming;
  #finished = 0;

  constructor(sink) {
    this.#sink = sink;
  }

  record(line) {
    switch (line.type) {
      case "stream_event":
        return this.#event(line.event);
      case "assistant":
        return this.#assistant(line.message);
      case "user":
        for (const block of line.message.content) {
          if (block.type === "tool_result") this.#result(block, line.tool_use_result);
        }
    }
  }

  #event(event) {
    switch (event.type) {
      case "content_block_delta": {
        const { type, text, thinking, partial_json } = event.delta;
        if (type === "text_delta") return this.piece(event.index, text);
        if (type === "thinking_delta") return this.piece(event.index, thinking);
        if (type === "input_json_delta") return this.inputPiece(event.index, partial_json);
        return;
      }
      case "message_start":
        this.#streaming = event.message.id;
        this.#blocks = [];
        this.#finished = 0;
        return;
      case "content_block_start": {
        const { type, id: toolCallId, name } = event.content_block;
        if (type !== "tool_use") {
          this.#blocks[event.index] = { role: ROLES[type], item: -1, toolCallId: "" };
          return;
        }
        const item = this.#items++;
        this.#cards.set(toolCallId, item);
        this.#blocks[event.index] = { role: "", item, toolCallId };
        const [title, kind] = [name, KINDS[name] ?? "other"];
        return this.#sink.call(item, { toolCallId, title, name, kind, status: "pending", input: undefined });
      }
      case "message_delta":
        return this.#count(this.#streaming, event.usage);
      case "message_stop":
        this.#streaming = undefined;
    }
  }

  piece(index, text) {
    const block = this.#blocks[index];
    if (block.item < 0) block.item = this.#items++;
    this.#sink.text(block.item, block.role, this.#streaming, text);
  }

  inputPiece(index, text) {
    const block = this.#blocks[index];
    this.#sink.inputDelta(block.item, block.toolCallId, text);
  }

  #assistant(message) {
    for (const block of message.content) {
      // While a message streams its blocks come whole in their order, each before it stops.
      const streamed = this.#streaming === message.id ? this.#blocks[this.#finished++] : undefined;
      if (block.type === "tool_use") this.#toolUse(block);
      else if (streamed) this.#sink.end(streamed.item, streamed.role);
      else {
        const role = ROLES[block.type];
        const item = this.#items++;
        this.#sink.text(item, role, message.id, block[block.type]);
        this.#sink.end(item, role);
      }
    }
    if (message.usage) this.#count(message.id, message.usage);
  }

  #toolUse({ id: toolCallId, name, input }) {
    const title = titleOf(name, input);
    const known = this.#cards.get(toolCallId);
    if (known !== undefined) return this.#sink.update(known, { toolCallId, title, input });
    const item = this.#items++;
    this.#cards.set(toolCallId, item);
    this.#sink.call(item, { toolCallId, title, name, kind: KINDS[name] ?? "other", status: "pending", input });
  }

  #result({ tool_use_id: toolCallId, content, is_error }, rawOutput) {
    const output = typeof content === "string" ? content : content.map((block) => block.text).join("\n");
    const status = is_error ? "failed" : "completed";
    this.#sink.update(this.#cards.get(toolCallId), { toolCallId, status, output, rawOutput });
  }

  /** The counts of a message come again and again; only news is told. */
  #count(messageId, usage) {
    const cached = usage.cache_read_input_tokens ?? 0;
    const prompt = usage.input_tokens + cached + (usage.cache_creation_input_tokens ?? 0);
    const completion = usage.output_tokens;
    const before = this.#usage.get(messageId);
    if (before && before.prompt === prompt && before.completion === completion && before.cached === cached) return;
    this.#usage.set(messageId, { prompt, completion, cached });
    this.#sink.usage(messageId, prompt, completion, cached);
  }
}

const MAPPINGS = { vent: Vent, evolve: Evolve, claude: Claude };

/** A reader of one dialect's records: `record(value)` for each. */
export function mapping(dialect, sink) {
  return new MAPPINGS[dialect](sink);
}
