// The streams the bench reads, made from a seed: same seed and size, same bytes, in Node and in a browser.
// Knows the wire formats, nothing of who reads them. Shapes of the lines follow recordings of the real programs.

const encoder = new TextEncoder();

/** Numbers and words from a seed (mulberry32). */
class Random {
  #state;

  constructor(seed) {
    this.#state = seed >>> 0;
  }

  next() {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let bits = this.#state;
    bits = Math.imul(bits ^ (bits >>> 15), bits | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return ((bits ^ (bits >>> 14)) >>> 0) / 4294967296;
  }

  /** A whole number from `low` up to, not including, `high`. */
  between(low, high) {
    return low + Math.floor(this.next() * (high - low));
  }

  pick(list) {
    return list[this.between(0, list.length)];
  }

  hex(length) {
    let digits = "";
    while (digits.length < length) digits += Math.floor(this.next() * 4294967296).toString(16).padStart(8, "0");
    return digits.slice(0, length);
  }

  uuid() {
    const digits = this.hex(32);
    const cut = (from, to) => digits.slice(from, to);
    return `${cut(0, 8)}-${cut(8, 12)}-4${cut(13, 16)}-a${cut(17, 20)}-${cut(20, 32)}`;
  }
}

const WORDS =
  "the stream opens a valve and reads every pipe before it turns the pump so that no pressure builds up where nobody looks which is why this log tells first what came in then what was done about it".split(
    " ",
  );
const CJK = "读取管道压力数据并且检查阀门状态正在计算风量然后写出报告完成設定を確認してから次の手順へ進みます빠르게확인".split("");
const EMOJI = ["🌊", "🔧", "👩‍🔧", "🚰", "✅", "🧪", "❄️"];

/** Frames of one stream, joined and encoded a block at a time, so that no string grows to the whole. */
class Frames {
  #blocks = [];
  #texts = [];
  #waiting = 0;
  #ends = [];
  length = 0;

  /** Takes one frame with its closing newline or blank line. */
  add(text) {
    this.#texts.push(text);
    this.#waiting += text.length;
    if (this.#waiting > 1 << 16) this.#encode();
  }

  /** About the bytes so far. Multi-byte text counts once its block is encoded. */
  get size() {
    return this.length + this.#waiting;
  }

  #encode() {
    for (const text of this.#texts) {
      const bytes = encoder.encode(text);
      this.#blocks.push(bytes);
      this.length += bytes.length;
      this.#ends.push(this.length);
    }
    this.#texts = [];
    this.#waiting = 0;
  }

  finish() {
    this.#encode();
    const bytes = new Uint8Array(this.length);
    let at = 0;
    for (const block of this.#blocks) {
      bytes.set(block, at);
      at += block.length;
    }
    return { bytes, ends: this.#ends };
  }
}

const words = (random, count) => Array.from({ length: count }, () => random.pick(WORDS)).join(" ");

/** A token as models print them: a blank and a few letters, now and then the start of a line. */
function token(random) {
  const roll = random.next();
  if (roll < 0.02) return "\\n\\n";
  if (roll < 0.03) return ' \\"quoted\\"';
  const word = random.pick(WORDS);
  return roll < 0.3 ? word.slice(0, 1 + Math.floor(roll * 10)) : ` ${word}`;
}

/** One to three characters beyond ASCII; a few come as escapes, as Python's `json.dumps` prints them. */
function wideToken(random) {
  const roll = random.next();
  if (roll < 0.05) return random.pick(EMOJI);
  if (roll < 0.08) return "\\ud83d\\ude80";
  let text = "";
  for (let count = random.between(1, 4); count > 0; count--) text += random.pick(CJK);
  return text;
}

/** Vent: runs of tokens with a tool call between them. */
function ventTokens(random, size, frames, piece, title) {
  const base = `"session_id": "${random.uuid()}", "trace_id": "${random.uuid()}"`;
  const say = (type, rest) => frames.add(`data: {"type": "${type}", ${base}, ${rest}}\n\n`);
  say("agent_start", `"agent": "designer", "cn_agent": "${title}"`);
  for (let turn = 0; frames.size < size; turn++) {
    for (let left = random.between(20, 60); left > 0; left--) say("thinking_token", `"content": "${piece(random)}"`);
    const id = `call_${turn}`;
    const tool = `"tool": "air_volume", "cn_tool": "${title}"`;
    say("tool_call", `${tool}, "args": {"room": "A${turn}", "height": 2.8}, "tool_call_id": "${id}"`);
    say("tool_result", `${tool}, "content": "${words(random, 12)}", "error": false, "tool_call_id": "${id}"`);
    for (let left = random.between(300, 600); left > 0; left--) say("token", `"content": "${piece(random)}"`);
  }
  say("done", `"duration_ms": 1600`);
}

/** What Claude Code prints around everything. */
class Claude {
  constructor(random, frames) {
    this.random = random;
    this.frames = frames;
    this.session = random.uuid();
    this.messages = 0;
    this.calls = 0;
    const init = { type: "system", subtype: "init", cwd: "/garden", session_id: this.session, tools: ["Bash", "Read"] };
    this.line({ ...init, model: "claude-x", permissionMode: "default", uuid: random.uuid() });
  }

  line(record) {
    this.frames.add(`${JSON.stringify(record)}\n`);
  }

  tail() {
    return `"session_id":"${this.session}","parent_tool_use_id":null,"uuid":"${this.random.uuid()}"`;
  }

  /** A piece of a message; `text` is already the inside of a JSON string. */
  delta(message, index, type, member, text) {
    const delta = `{"type":"${type}","${member}":"${text}"}`;
    const event = `{"type":"content_block_delta","index":${index},"delta":${delta}}`;
    this.frames.add(`{"type":"stream_event","event":${event},${this.tail()},"api_message_id":"${message}"}\n`);
  }

  stream(message, event) {
    const rest = { session_id: this.session, parent_tool_use_id: null, uuid: this.random.uuid() };
    this.line({ type: "stream_event", event, ...rest, api_message_id: message });
  }

  assistant(message, block, usage) {
    const whole = { id: message, type: "message", role: "assistant", model: "claude-x", content: [block] };
    const rest = { parent_tool_use_id: null, session_id: this.session, uuid: this.random.uuid() };
    this.line({ type: "assistant", message: { ...whole, stop_reason: null, usage }, ...rest });
  }

  result(id, content, output, isError) {
    const block = { type: "tool_result", tool_use_id: id, content, ...(isError && { is_error: true }) };
    const rest = { parent_tool_use_id: null, session_id: this.session, uuid: this.random.uuid() };
    this.line({ type: "user", message: { role: "user", content: [block] }, ...rest, tool_use_result: output });
  }

  usage(written) {
    return { input_tokens: 9, cache_creation_input_tokens: 4, cache_read_input_tokens: 20000, output_tokens: written };
  }

  nextMessage() {
    return `msg_${String(this.messages++).padStart(8, "0")}`;
  }

  nextCall() {
    return `toolu_${String(this.calls++).padStart(8, "0")}`;
  }
}

/** Streamed messages: a thought, then a text, all in deltas, then their whole lines. */
function claudeDeltas(random, size, frames) {
  const claude = new Claude(random, frames);
  while (frames.size < size) {
    const message = claude.nextMessage();
    const usage = claude.usage(1);
    claude.stream(message, { type: "message_start", message: { id: message, role: "assistant", content: [], usage } });
    streamBlock(claude, message, 0, "thinking", random.between(20, 60), usage);
    streamBlock(claude, message, 1, "text", random.between(200, 500), usage);
    claude.stream(message, {
      type: "message_delta",
      delta: { stop_reason: "end_turn", stop_sequence: null },
      usage: claude.usage(random.between(300, 900)),
    });
    claude.stream(message, { type: "message_stop" });
  }
}

function streamBlock(claude, message, index, type, count, usage) {
  claude.stream(message, { type: "content_block_start", index, content_block: { type, [type]: "" } });
  let whole = "";
  for (let left = count; left > 0; left--) {
    const piece = token(claude.random);
    whole += piece;
    claude.delta(message, index, `${type}_delta`, type, piece);
  }
  claude.assistant(message, { type, [type]: JSON.parse(`"${whole}"`) }, usage);
  claude.stream(message, { type: "content_block_stop", index });
}

/** Tool output of about `length` characters: a numbered listing of code, dense with what JSON must escape. */
function listing(random, length) {
  let text = "";
  for (let row = 1; text.length < length; row++) {
    text += `${String(row).padStart(6)}\t${"\t".repeat(random.between(0, 4))}`;
    text += random.next() < 0.5 ? `const path = "C:\\\\${random.pick(WORDS)}\\\\${random.hex(4)}";` : words(random, 6);
    if (random.next() < 0.03) text += " // → prüfen";
    text += "\n";
  }
  return text;
}

function toolCall(random, turn) {
  switch (turn % 3) {
    case 0:
      return { name: "Bash", input: { command: `grep -rn "${random.pick(WORDS)}" src | head -40` } };
    case 1:
      return { name: "Read", input: { file_path: `/garden/src/${random.pick(WORDS)}.ts`, offset: 10, limit: 400 } };
    default: {
      const [old_string, new_string] = [listing(random, 120), listing(random, 160)];
      return { name: "Edit", input: { file_path: `/garden/src/${random.pick(WORDS)}.ts`, old_string, new_string } };
    }
  }
}

/** Whole messages: a text, a call, its result of 0.2 to 30 KB (most are small). */
function agentTrace(random, size, frames) {
  const claude = new Claude(random, frames);
  for (let turn = 0; frames.size < size; turn++) {
    const message = claude.nextMessage();
    const usage = claude.usage(random.between(30, 300));
    claude.assistant(message, { type: "text", text: `${words(random, random.between(8, 60))}.` }, usage);
    const { name, input } = toolCall(random, turn);
    const id = claude.nextCall();
    claude.assistant(message, { type: "tool_use", id, name, input }, usage);
    const content = listing(random, 200 * 150 ** (random.next() ** 1.5));
    const output =
      name === "Bash"
        ? { stdout: content, stderr: "", interrupted: false, isImage: false }
        : { type: "text", file: { filePath: "/garden/src/x.ts", numLines: content.split("\n").length } };
    claude.result(id, content, output, turn % 17 === 3);
  }
}

/** ACP-shaped updates with texts of 20 bytes, as the Evolve stream prints them. */
function evolveUpdates(random, size, frames) {
  const head = `{"sessionId":"${random.uuid()}","update":`;
  const text = () => `${words(random, 5)}                    `.slice(0, 20);
  const chunk = (kind) =>
    frames.add(`${head}{"sessionUpdate":"${kind}","content":{"type":"text","text":"${text()}"}}}\n`);
  const say = (update) => frames.add(`${head}${JSON.stringify(update)}}\n`);
  for (let turn = 0; frames.size < size; turn++) {
    for (let left = random.between(10, 40); left > 0; left--) chunk("agent_thought_chunk");
    const toolCallId = `toolu_${turn}`;
    const call = { sessionUpdate: "tool_call", toolCallId, title: "`ls -la src`", toolName: "Bash", kind: "execute" };
    say({ ...call, status: "pending", rawInput: { command: "ls -la src", timeout: 120000 } });
    say({ sessionUpdate: "tool_call_update", toolCallId, status: "in_progress" });
    const block = { type: "content", content: { type: "text", text: listing(random, random.between(100, 800)) } };
    say({ sessionUpdate: "tool_call_update", toolCallId, status: "completed", content: [block] });
    for (let left = random.between(80, 200); left > 0; left--) chunk("agent_message_chunk");
    if (turn % 5 === 0) {
      const entry = (content, status) => ({ content, status, priority: "medium" });
      say({ sessionUpdate: "plan", entries: [entry("look", "completed"), entry(`fix ${turn}`, "in_progress")] });
    }
  }
}

/** One call whose arguments stream in one character at a time. */
function argumentDeltas(random, size, frames) {
  const claude = new Claude(random, frames);
  const [message, id] = [claude.nextMessage(), claude.nextCall()];
  const usage = claude.usage(1);
  claude.stream(message, { type: "message_start", message: { id: message, role: "assistant", content: [], usage } });
  const content_block = { type: "tool_use", id, name: "Write", input: {} };
  claude.stream(message, { type: "content_block_start", index: 0, content_block });
  const count = Math.min(100_000, Math.max(40, Math.floor(size / 240)));
  const frame = JSON.stringify({ file_path: "/garden/a.txt", content: "" }).length;
  const input = { file_path: "/garden/a.txt", content: words(random, count).slice(0, Math.max(0, count - frame)) };
  for (const unit of JSON.stringify(input)) {
    claude.delta(message, 0, "input_json_delta", "partial_json", JSON.stringify(unit).slice(1, -1));
  }
  claude.assistant(message, { type: "tool_use", id, name: "Write", input }, usage);
  claude.stream(message, { type: "content_block_stop", index: 0 });
  claude.stream(message, { type: "message_stop" });
  claude.result(id, "File created successfully", { type: "create", filePath: "/garden/a.txt" }, false);
}

/** Many messages: cost per event must not grow with what is already there. */
function history(random, size, frames) {
  const claude = new Claude(random, frames);
  const count = size < 1 << 20 ? 50 : 10_000;
  const length = Math.max(10, Math.floor(size / count - 340));
  for (let number = 0; number < count; number++) {
    const text = `${number} ${words(random, Math.ceil(length / 5))}`.slice(0, length);
    claude.assistant(claude.nextMessage(), { type: "text", text }, claude.usage(number));
  }
}

/** One line of `size` bytes: the output of one call. */
function oneLine(random, size, frames) {
  const claude = new Claude(random, frames);
  const id = claude.nextCall();
  claude.assistant(claude.nextMessage(), { type: "tool_use", id, name: "Bash", input: { command: "dump" } });
  const block = listing(random, Math.min(size, 1 << 18));
  const escaped = JSON.stringify(block).length;
  const content = block.repeat(Math.max(1, Math.round(size / escaped)));
  claude.result(id, content, undefined, false);
}

/** All workloads by name. */
export const WORKLOADS = {
  "vent-tokens": {
    title: "token deltas, vent SSE",
    dialect: "vent",
    container: "sse",
    make: (random, size, frames) => ventTokens(random, size, frames, token, "air volume"),
  },
  "claude-deltas": { title: "token deltas, claude", dialect: "claude", container: "json-lines", make: claudeDeltas },
  "agent-trace": { title: "agent trace, claude", dialect: "claude", container: "json-lines", make: agentTrace },
  evolve: { title: "Evolve updates", dialect: "evolve", container: "json-lines", make: evolveUpdates },
  wide: {
    title: "CJK and emoji, vent SSE",
    dialect: "vent",
    container: "sse",
    make: (random, size, frames) => ventTokens(random, size, frames, wideToken, "风量"),
  },
  arguments: { title: "one-character arguments", dialect: "claude", container: "json-lines", make: argumentDeltas },
  history: { title: "10,000 messages", dialect: "claude", container: "json-lines", make: history },
  "one-line": { title: "one long line", dialect: "claude", container: "json-lines", make: oneLine },
};

/**
 * Makes a workload. `size` in bytes; `longLine` is the size where the workload is one line.
 *
 * @returns {{ name: string, title: string, dialect: string, container: string, bytes: Uint8Array, ends: number[] }}
 * `ends` are the offsets behind each frame.
 */
export function makeWorkload(name, { size, longLine, seed = 20261129 }) {
  const { title, dialect, container, make } = WORKLOADS[name];
  const frames = new Frames();
  make(new Random(seed), name === "one-line" ? longLine : size, frames);
  return { name, title, dialect, container, ...frames.finish() };
}

const claudeLines = { dialect: "claude", container: "json-lines" };

/**
 * `items` messages, then `events` records whose cost may not depend on them: deltas of one text, or messages.
 *
 * @returns {{ dialect: string, container: string, before: { bytes: Uint8Array }, timed: { bytes: Uint8Array } }} `before`
 * also opens the text and has its first deltas.
 */
export function makeAfterHistory(kind, { items, events, seed = 20261129 }) {
  const [random, before] = [new Random(seed), new Frames()];
  const claude = new Claude(random, before);
  const say = () => claude.assistant(claude.nextMessage(), { type: "text", text: words(random, 12) }, claude.usage(9));
  for (let left = items; left > 0; left--) say();
  const message = claude.nextMessage();
  const delta = () => claude.delta(message, 0, "text_delta", "text", token(random));
  if (kind === "deltas") {
    claude.stream(message, { type: "message_start", message: { id: message, role: "assistant", content: [] } });
    claude.stream(message, { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } });
    for (let left = 500; left > 0; left--) delta();
  }
  claude.frames = new Frames();
  for (let left = events; left > 0; left--) kind === "deltas" ? delta() : say();
  return { ...claudeLines, before: before.finish(), timed: claude.frames.finish() };
}

/** Messages in lines of about `length` bytes, together about `size` bytes, at least one. */
export function makeLines({ length, size, seed = 20261129 }) {
  const [random, frames] = [new Random(seed), new Frames()];
  const claude = new Claude(random, frames);
  const room = Math.max(16, length - 330);
  const block = listing(random, Math.min(room, 1 << 18));
  const text = block.repeat(Math.max(1, Math.round(room / JSON.stringify(block).length)));
  do {
    claude.assistant(claude.nextMessage(), { type: "text", text }, claude.usage(9));
  } while (frames.size < size);
  return { ...claudeLines, ...frames.finish() };
}

/** The chunks of a workload, as views: of `size` bytes, or one per event. */
export function cut({ bytes, ends }, size) {
  const chunks = [];
  if (size === "event") {
    let at = 0;
    for (const end of ends) {
      chunks.push(bytes.subarray(at, end));
      at = end;
    }
    return chunks;
  }
  for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size));
  return chunks;
}
