// Generated from src/event/events.schema by `cargo xtask schema`. Change the table, not this file.

/** What kind of work a tool does. Chooses the icon. */
export type ToolKind =
  | "read"
  | "edit"
  | "delete"
  | "move"
  | "search"
  | "execute"
  | "think"
  | "fetch"
  | "switch_mode"
  | "other";

/** Every `ToolKind`. */
export const TOOL_KINDS = [
  "read",
  "edit",
  "delete",
  "move",
  "search",
  "execute",
  "think",
  "fetch",
  "switch_mode",
  "other",
] as const satisfies readonly ToolKind[];

/** State of a tool card. `completed` and `failed` are final. */
export type ToolStatus = "pending" | "in_progress" | "completed" | "failed";

/** Every `ToolStatus`. */
export const TOOL_STATUSES = [
  "pending",
  "in_progress",
  "completed",
  "failed",
] as const satisfies readonly ToolStatus[];

export type PlanStatus = "pending" | "in_progress" | "completed";

/** Every `PlanStatus`. */
export const PLAN_STATUSES = [
  "pending",
  "in_progress",
  "completed",
] as const satisfies readonly PlanStatus[];

export type PlanPriority = "high" | "medium" | "low";

/** Every `PlanPriority`. */
export const PLAN_PRIORITIES = ["high", "medium", "low"] as const satisfies readonly PlanPriority[];

export type Role = "agent" | "thought" | "user";

/** Every `Role`. */
export const ROLES = ["agent", "thought", "user"] as const satisfies readonly Role[];

/** `call`: one model call, the last value per message counts. `run`: the additive share of a run that ended. */
export type UsageScope = "call" | "run";

/** Every `UsageScope`. */
export const USAGE_SCOPES = ["call", "run"] as const satisfies readonly UsageScope[];

export type Severity = "info" | "warning" | "error";

/** Every `Severity`. */
export const SEVERITIES = ["info", "warning", "error"] as const satisfies readonly Severity[];

export type RunScope = "run" | "turn" | "step" | "agent";

/** Every `RunScope`. */
export const RUN_SCOPES = ["run", "turn", "step", "agent"] as const satisfies readonly RunScope[];

export type RunPhase = "start" | "end";

/** Every `RunPhase`. */
export const RUN_PHASES = ["start", "end"] as const satisfies readonly RunPhase[];

/** How a run, turn, step or agent ended. `cut`: the stream stopped before its end was stated. */
export type RunOutcome = "completed" | "failed" | "cancelled" | "waiting" | "cut";

/** Every `RunOutcome`. */
export const RUN_OUTCOMES = [
  "completed",
  "failed",
  "cancelled",
  "waiting",
  "cut",
] as const satisfies readonly RunOutcome[];

/** What an outcome rests on. */
export type Evidence = "stated" | "inferred";

/** Every `Evidence`. */
export const EVIDENCES = ["stated", "inferred"] as const satisfies readonly Evidence[];

export type AgentStatus = "running" | "completed" | "failed" | "cancelled" | "unknown";

/** Every `AgentStatus`. */
export const AGENT_STATUSES = [
  "running",
  "completed",
  "failed",
  "cancelled",
  "unknown",
] as const satisfies readonly AgentStatus[];

export type InterruptKind = "approval" | "question" | "notice";

/** Every `InterruptKind`. */
export const INTERRUPT_KINDS = [
  "approval",
  "question",
  "notice",
] as const satisfies readonly InterruptKind[];

export type IdSource = "wire" | "minted";

/** Every `IdSource`. */
export const ID_SOURCES = ["wire", "minted"] as const satisfies readonly IdSource[];

export type LinkSource = "wire" | "inferred";

/** Every `LinkSource`. */
export const LINK_SOURCES = ["wire", "inferred"] as const satisfies readonly LinkSource[];

/** Whether the stream waits for the answer or the answer starts a new run. */
export type Blocking = "inline" | "run_ends" | "unknown";

/** Every `Blocking`. */
export const BLOCKINGS = ["inline", "run_ends", "unknown"] as const satisfies readonly Blocking[];

export type OptionKind = "allow_once" | "allow_always" | "reject_once" | "reject_always" | "other";

/** Every `OptionKind`. */
export const OPTION_KINDS = [
  "allow_once",
  "allow_always",
  "reject_once",
  "reject_always",
  "other",
] as const satisfies readonly OptionKind[];

export type OptionScope = "once" | "turn" | "session" | "project" | "user" | "rule";

/** Every `OptionScope`. */
export const OPTION_SCOPES = [
  "once",
  "turn",
  "session",
  "project",
  "user",
  "rule",
] as const satisfies readonly OptionScope[];

export type QuestionType = "text" | "single" | "multiple" | "number" | "boolean";

/** Every `QuestionType`. */
export const QUESTION_TYPES = [
  "text",
  "single",
  "multiple",
  "number",
  "boolean",
] as const satisfies readonly QuestionType[];

export type InterruptOutcome = "allowed" | "rejected" | "answered" | "cancelled" | "expired" | "unknown";

/** Every `InterruptOutcome`. */
export const INTERRUPT_OUTCOMES = [
  "allowed",
  "rejected",
  "answered",
  "cancelled",
  "expired",
  "unknown",
] as const satisfies readonly InterruptOutcome[];

export type OutputStream = "stdout" | "stderr";

/** Every `OutputStream`. */
export const OUTPUT_STREAMS = ["stdout", "stderr"] as const satisfies readonly OutputStream[];

/** A place in a file. `line` is as the wire counts it. */
export interface Location {
  path: string;
  line?: number;
}

export interface PlanEntry {
  content: string;
  status: PlanStatus;
  priority: PlanPriority;
}

/** Tokens and cost. Absent counters were not printed; they are not zero. */
export interface TokenUsage {
  /** all input tokens, cache reads and writes included */
  promptTokens?: number;
  completionTokens?: number;
  /** the cache-read share of promptTokens */
  cachedTokens?: number;
  costUsd?: number;
  /** the wire's other counters, under its own names */
  extra?: Record<string, unknown>;
}

/** Text that a running tool printed; append it. */
export interface OutputDelta {
  text: string;
  stream?: OutputStream;
}

/** An answer the user may give to an approval. */
export interface InterruptOption {
  optionId: string;
  name: string;
  kind: OptionKind;
  scope?: OptionScope;
  /** the arguments may be changed with this answer */
  editable?: true;
}

export interface Choice {
  value: string;
  label: string;
  description?: string;
}

export interface Question {
  id: string;
  question: string;
  header?: string;
  type: QuestionType;
  options: Choice[];
  allowOther?: true;
  required?: true;
  min?: number;
  max?: number;
  secret?: true;
}

/** Where a live browser of the agent can be watched. Never opened by itself. */
export interface Browser {
  liveUrl: string;
  sessionId?: string;
  sessionTag?: string;
}

export interface SlashCommand {
  name: string;
  description: string;
  hint?: string;
}

export interface ContentBlockText {
  type: "text";
  text: string;
}

export interface ContentBlockImage {
  type: "image";
  /** base64; empty when only `uri` is known */
  data: string;
  mimeType: string;
  uri?: string;
}

export interface ContentBlockAudio {
  type: "audio";
  data: string;
  mimeType: string;
}

export interface ContentBlockResource {
  type: "resource";
  /** {uri, text | blob, mimeType?} */
  resource: unknown;
}

export interface ContentBlockResourceLink {
  type: "resource_link";
  uri: string;
  name?: string;
  title?: string;
  mimeType?: string;
  size?: number;
}

/** One content block of a message or a tool result. */
export type ContentBlock =
  | ContentBlockText
  | ContentBlockImage
  | ContentBlockAudio
  | ContentBlockResource
  | ContentBlockResourceLink;

export interface ToolContentContent {
  type: "content";
  content: ContentBlock;
}

export interface ToolContentDiff {
  type: "diff";
  path: string;
  /** absent: a new file, or the wire does not tell the old text */
  oldText?: string;
  newText: string;
}

export interface ToolContentTerminal {
  type: "terminal";
  terminalId: string;
}

/** One entry of a tool card's content. */
export type ToolContent = ToolContentContent | ToolContentDiff | ToolContentTerminal;

/** A piece of the agent's answer; append it to its item. */
export interface AgentMessageChunk {
  sessionUpdate: "agent_message_chunk";
  content: ContentBlock;
}

/** A piece of the agent's reasoning; append it to its item. */
export interface AgentThoughtChunk {
  sessionUpdate: "agent_thought_chunk";
  content: ContentBlock;
}

/** The user's prompt, or its echo. */
export interface UserMessageChunk {
  sessionUpdate: "user_message_chunk";
  content: ContentBlock;
}

/** A tool card appears. Exactly one per card, before all its updates. */
export interface ToolCall {
  sessionUpdate: "tool_call";
  /** unique in the stream */
  toolCallId: string;
  title: string;
  /** the harness's own name; MCP tools as mcp__server__tool */
  toolName?: string;
  kind: ToolKind;
  status: ToolStatus;
  rawInput?: unknown;
  /** the input side: diff, prompt */
  content?: ToolContent[];
  locations?: Location[];
  /** no call was seen yet, only something about it */
  inferred?: true;
  /** the wire's id, where the card had to get another one */
  wireToolCallId?: string;
}

/** Something new about a card. Absent fields keep what is known. */
export interface ToolCallUpdate {
  sessionUpdate: "tool_call_update";
  toolCallId: string;
  status?: ToolStatus;
  title?: string;
  kind?: ToolKind;
  toolName?: string;
  rawInput?: unknown;
  /** argument text as it streams; append */
  inputDelta?: string;
  outputDelta?: OutputDelta;
  /** the result side; replaces the earlier result side, never the input side */
  content?: ToolContent[];
  /** input side that became known only after the call; fills, never replaces */
  inputContent?: ToolContent[];
  locations?: Location[];
  rawOutput?: unknown;
  /** the status is our conclusion, not the wire's word */
  inferred?: true;
}

/** The whole todo list; replaces the earlier one of the same agent. */
export interface Plan {
  sessionUpdate: "plan";
  entries: PlanEntry[];
}

export interface ErrorUpdate {
  sessionUpdate: "error";
  message: string;
  /** true: the run or turn is over */
  fatal: boolean;
  code?: string;
  retryAfterMs?: number;
}

export interface Usage {
  sessionUpdate: "usage";
  scope: UsageScope;
  usage: TokenUsage;
}

/** The wire closed a part: stop the caret. */
export interface MessageEnd {
  sessionUpdate: "message_end";
  role: Role;
  /** only when the final text contradicts the chunks: it replaces them */
  content?: string;
  stopReason?: string;
  aborted?: true;
}

/** The wire took items back. They keep their content but count no more. */
export interface Withdrawn {
  sessionUpdate: "withdrawn";
  items: number[];
  reason: string;
}

/** Announces or updates a subagent or thread; may come late and then covers what came before. */
export interface Agent {
  sessionUpdate: "agent";
  agentId: string;
  name?: string;
  sessionId?: string;
  parentToolCallId?: string;
  status: AgentStatus;
}

export interface Run {
  sessionUpdate: "run";
  scope: RunScope;
  phase: RunPhase;
  outcome?: RunOutcome;
  /** the wire's own word */
  reason?: string;
  durationMs?: number;
  evidence?: Evidence;
}

/** State of Evolve's sandbox and agent. */
export interface Lifecycle {
  sessionUpdate: "lifecycle";
  sandboxId?: string;
  sandbox?: string;
  agent?: string;
  timestamp?: string;
  reason?: string;
  browser?: Browser;
}

/** The agent asks, or tells that it waits. */
export interface Interrupt {
  sessionUpdate: "interrupt";
  interruptId: string;
  idSource: IdSource;
  kind: InterruptKind;
  toolCallId?: string;
  linkSource?: LinkSource;
  toolName?: string;
  title?: string;
  message?: string;
  reason?: string;
  reasonCode?: string;
  sideEffect?: string;
  rawInput?: unknown;
  locations?: Location[];
  options: InterruptOption[];
  questions: Question[];
  responseSchema?: unknown;
  editable?: true;
  /** requests that must be answered together share it */
  group?: string;
  blocking: Blocking;
  expiresAt?: string;
  defaultOptionId?: string;
}

/** An interrupt is over. At most one stated per interrupt; an inferred one may come before it. */
export interface InterruptResolved {
  sessionUpdate: "interrupt_resolved";
  interruptId: string;
  outcome: InterruptOutcome;
  optionId?: string;
  optionKind?: OptionKind;
  /** `{question id: [text]}` */
  answers?: unknown;
  editedInput?: unknown;
  message?: string;
  source: LinkSource;
}

/** A status sentence, a plain-text line, something on stderr. */
export interface Notice {
  sessionUpdate: "notice";
  severity: Severity;
  text: string;
  stream?: OutputStream;
}

/** A hook notification, before what it means. */
export interface Hook {
  sessionUpdate: "hook";
  method: string;
  event: string;
  /** absent when the payload failed validation */
  payload?: unknown;
  raw: unknown;
}

export interface Citations {
  sessionUpdate: "citations";
  items: unknown;
  /** the answer rests on the model alone */
  modelOnly?: true;
}

/** A file to download. The URL is untrusted; nothing opens it by itself. */
export interface Artifact {
  sessionUpdate: "artifact";
  url: string;
  filename: string;
  toolCallId?: string;
}

/** Context window use. Never summed. */
export interface UsageUpdate {
  sessionUpdate: "usage_update";
  /** tokens in the window */
  used?: number;
  /** the window */
  size?: number;
  /** 1 is full */
  usedRatio?: number;
  cost?: unknown;
}

export interface CompactionUpdate {
  sessionUpdate: "compaction_update";
  compactionId?: string;
  status: string;
  summary?: string;
  error?: string;
}

export interface AvailableCommandsUpdate {
  sessionUpdate: "available_commands_update";
  availableCommands: SlashCommand[];
}

export interface CurrentModeUpdate {
  sessionUpdate: "current_mode_update";
  currentModeId: string;
}

export interface ConfigOptionUpdate {
  sessionUpdate: "config_option_update";
  configOptions: unknown;
}

export interface SessionInfoUpdate {
  sessionUpdate: "session_info_update";
  title?: string;
  updatedAt?: string;
  cwd?: string;
  /** everything else the wire tells about the session */
  meta?: unknown;
}

/** State that several agents and the UI share. */
export interface SharedState {
  sessionUpdate: "shared_state";
  snapshot?: unknown;
  /** JSON Patch */
  patch?: unknown;
}

/** A known dialect's word that we do not interpret. */
export interface HarnessEvent {
  sessionUpdate: "harness_event";
  type: string;
  payload?: unknown;
}

/** Nothing fits. The record's own text. */
export interface Unknown {
  sessionUpdate: "unknown";
  type?: string;
  raw: string;
}

/** What happened; told apart by `sessionUpdate`. */
export type SessionUpdate =
  | AgentMessageChunk
  | AgentThoughtChunk
  | UserMessageChunk
  | ToolCall
  | ToolCallUpdate
  | Plan
  | ErrorUpdate
  | Usage
  | MessageEnd
  | Withdrawn
  | Agent
  | Run
  | Lifecycle
  | Interrupt
  | InterruptResolved
  | Notice
  | Hook
  | Citations
  | Artifact
  | UsageUpdate
  | CompactionUpdate
  | AvailableCommandsUpdate
  | CurrentModeUpdate
  | ConfigOptionUpdate
  | SessionInfoUpdate
  | SharedState
  | HarnessEvent
  | Unknown;

/** Every `sessionUpdate` word. */
export const SESSION_UPDATES = [
  "agent_message_chunk",
  "agent_thought_chunk",
  "user_message_chunk",
  "tool_call",
  "tool_call_update",
  "plan",
  "error",
  "usage",
  "message_end",
  "withdrawn",
  "agent",
  "run",
  "lifecycle",
  "interrupt",
  "interrupt_resolved",
  "notice",
  "hook",
  "citations",
  "artifact",
  "usage_update",
  "compaction_update",
  "available_commands_update",
  "current_mode_update",
  "config_option_update",
  "session_info_update",
  "shared_state",
  "harness_event",
  "unknown",
] as const satisfies readonly SessionUpdate["sessionUpdate"][];

/** The record whose arrival caused an event. */
export interface Source {
  /** First byte, counted from the start of the stream. */
  offset: number;
  /** Bytes, without the record's terminator. */
  length: number;
  /** Line of the first byte, from 1. */
  line: number;
  /** Name of the file, where one run came in several (`transcript.input`); absent for the stream itself. */
  input?: string;
}

/** One normalized event. A key that the wire did not fill is absent. */
export interface UiEvent {
  /** Number of the event in its stream, from 0. */
  seq: number;
  /** What happened. */
  update: SessionUpdate;
  /** the item this event creates or changes: its index in the transcript */
  item?: number;
  sessionId?: string;
  timestamp?: string;
  model?: string;
  messageId?: string;
  /** the card of the call that runs the agent this event belongs to */
  parentToolCallId?: string;
  /** key of the agent inside this stream; absent for the main agent */
  agentId?: string;
  /** facts of the record without a field of their own, under the wire's names */
  extra?: Record<string, unknown>;
  /** The record whose arrival caused the event. */
  source: Source;
}

/**
 * What becomes of `rawInput`, `rawOutput` and `extra`: a value, its JSON text (a string, whatever the type says), or
 * nothing at all.
 */
export type RawMode = "value" | "text" | "none";

/** An `extra` that came before: one stream's memory from batch to batch. */
export interface Repeated {
  text: string;
  /** Given to nobody; absent until the text came a second time, since mostly it does not. */
  value: unknown;
  /** Whether a copy of its first level is a copy of all of it. */
  isFlat: boolean;
}

const scratchWords = new Uint32Array(2);
const scratchNumber = new Float64Array(scratchWords.buffer);

// Decoding is synchronous and calls no foreign code, so these serve the module.
let cursor = 0;
let rawMode: RawMode = "value";
let repeated: Repeated;
/** The word of the `extra` read last in this batch: words are compared in no time, strings by a call. */
let extraWord = 0;

/** Two words. Their sum is a float to V8, and would be an object of its own in every field that holds it. */
export function longAt(w: Uint32Array, at: number): number {
  const high = w[at + 1]!;
  return high === 0 ? w[at]! : w[at]! + high * 4294967296;
}

function numberAt(w: Uint32Array, at: number): number {
  scratchWords[0] = w[at]!;
  scratchWords[1] = w[at + 1]!;
  return scratchNumber[0]!;
}

// `JSON.parse` keeps `__proto__` as an own property. What an engine refuses (depth) stays readable as text.
export function jsonValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function rawValue(text: string): unknown {
  return rawMode === "value" ? jsonValue(text) : text;
}

/** An object for each event alone: whoever changes one changes no other. */
function extraValue(word: number, s: readonly string[]): Record<string, unknown> {
  const text = s[word]!;
  // A string here is what `RawMode` warns of.
  if (rawMode !== "value") return text as unknown as Record<string, unknown>;
  // A batch stores an `extra` that follows itself once and keeps it for the next batch: it is the same string object.
  if (word !== extraWord) {
    extraWord = word;
    if (text !== repeated.text) {
      repeated.text = text;
      repeated.value = undefined;
      return jsonValue(text) as Record<string, unknown>;
    }
  }
  if (repeated.value === undefined) {
    repeated.value = jsonValue(text);
    repeated.isFlat = isFlat(repeated.value);
  }
  return (repeated.isFlat ? { ...(repeated.value as object) } : jsonValue(text)) as Record<string, unknown>;
}

/** Whether a copy of its first level is a copy of all of it. */
function isFlat(value: unknown): boolean {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  for (const key in value) {
    const member = (value as Record<string, unknown>)[key];
    if (typeof member === "object" && member !== null) return false;
  }
  return true;
}

function readLocation(w: Uint32Array, s: readonly string[]): Location {
  const at = cursor;
  const value: Location = { path: s[w[at]!]! };
  const line = numberAt(w, at + 1);
  if (line === line) value.line = line;
  cursor = at + 3;
  return value;
}

function readPlanEntry(w: Uint32Array, s: readonly string[]): PlanEntry {
  const at = cursor;
  const value: PlanEntry = {
    content: s[w[at]!]!,
    status: PLAN_STATUSES[w[at + 1]! - 1]!,
    priority: PLAN_PRIORITIES[w[at + 2]! - 1]!,
  };
  cursor = at + 3;
  return value;
}

function readTokenUsage(w: Uint32Array, s: readonly string[]): TokenUsage {
  const at = cursor;
  const value: TokenUsage = {};
  const promptTokens = numberAt(w, at);
  if (promptTokens === promptTokens) value.promptTokens = promptTokens;
  const completionTokens = numberAt(w, at + 2);
  if (completionTokens === completionTokens) value.completionTokens = completionTokens;
  const cachedTokens = numberAt(w, at + 4);
  if (cachedTokens === cachedTokens) value.cachedTokens = cachedTokens;
  const costUsd = numberAt(w, at + 6);
  if (costUsd === costUsd) value.costUsd = costUsd;
  if (w[at + 8] !== 0 && rawMode !== "none") value.extra = extraValue(w[at + 8]!, s);
  cursor = at + 9;
  return value;
}

function readOutputDelta(w: Uint32Array, s: readonly string[]): OutputDelta {
  const at = cursor;
  const value: OutputDelta = { text: s[w[at]!]! };
  if (w[at + 1] !== 0) value.stream = OUTPUT_STREAMS[w[at + 1]! - 1]!;
  cursor = at + 2;
  return value;
}

function readInterruptOption(w: Uint32Array, s: readonly string[]): InterruptOption {
  const at = cursor;
  const value: InterruptOption = {
    optionId: s[w[at]!]!,
    name: s[w[at + 1]!]!,
    kind: OPTION_KINDS[w[at + 2]! - 1]!,
  };
  if (w[at + 3] !== 0) value.scope = OPTION_SCOPES[w[at + 3]! - 1]!;
  if (w[at + 4] !== 0) value.editable = true;
  cursor = at + 5;
  return value;
}

function readChoice(w: Uint32Array, s: readonly string[]): Choice {
  const at = cursor;
  const value: Choice = { value: s[w[at]!]!, label: s[w[at + 1]!]! };
  if (w[at + 2] !== 0) value.description = s[w[at + 2]!]!;
  cursor = at + 3;
  return value;
}

function readQuestion(w: Uint32Array, s: readonly string[]): Question {
  const at = cursor;
  cursor = at + 5;
  const options = readChoiceList(w, s, w[at + 4]! - 1);
  const at1 = cursor;
  const value: Question = {
    id: s[w[at]!]!,
    question: s[w[at + 1]!]!,
    type: QUESTION_TYPES[w[at + 3]! - 1]!,
    options,
  };
  if (w[at + 2] !== 0) value.header = s[w[at + 2]!]!;
  if (w[at1] !== 0) value.allowOther = true;
  if (w[at1 + 1] !== 0) value.required = true;
  const min = numberAt(w, at1 + 2);
  if (min === min) value.min = min;
  const max = numberAt(w, at1 + 4);
  if (max === max) value.max = max;
  if (w[at1 + 6] !== 0) value.secret = true;
  cursor = at1 + 7;
  return value;
}

function readBrowser(w: Uint32Array, s: readonly string[]): Browser {
  const at = cursor;
  const value: Browser = { liveUrl: s[w[at]!]! };
  if (w[at + 1] !== 0) value.sessionId = s[w[at + 1]!]!;
  if (w[at + 2] !== 0) value.sessionTag = s[w[at + 2]!]!;
  cursor = at + 3;
  return value;
}

function readSlashCommand(w: Uint32Array, s: readonly string[]): SlashCommand {
  const at = cursor;
  const value: SlashCommand = { name: s[w[at]!]!, description: s[w[at + 1]!]! };
  if (w[at + 2] !== 0) value.hint = s[w[at + 2]!]!;
  cursor = at + 3;
  return value;
}

function readContentBlock(w: Uint32Array, s: readonly string[]): ContentBlock {
  switch (w[cursor++]) {
    case 1: {
      const at = cursor;
      const value: ContentBlockText = { type: "text", text: s[w[at]!]! };
      cursor = at + 1;
      return value;
    }
    case 2: {
      const at = cursor;
      const value: ContentBlockImage = { type: "image", data: s[w[at]!]!, mimeType: s[w[at + 1]!]! };
      if (w[at + 2] !== 0) value.uri = s[w[at + 2]!]!;
      cursor = at + 3;
      return value;
    }
    case 3: {
      const at = cursor;
      const value: ContentBlockAudio = { type: "audio", data: s[w[at]!]!, mimeType: s[w[at + 1]!]! };
      cursor = at + 2;
      return value;
    }
    case 4: {
      const at = cursor;
      const value: ContentBlockResource = { type: "resource", resource: jsonValue(s[w[at]!]!) };
      cursor = at + 1;
      return value;
    }
    default: {
      const at = cursor;
      const value: ContentBlockResourceLink = { type: "resource_link", uri: s[w[at]!]! };
      if (w[at + 1] !== 0) value.name = s[w[at + 1]!]!;
      if (w[at + 2] !== 0) value.title = s[w[at + 2]!]!;
      if (w[at + 3] !== 0) value.mimeType = s[w[at + 3]!]!;
      const size = numberAt(w, at + 4);
      if (size === size) value.size = size;
      cursor = at + 6;
      return value;
    }
  }
}

function readToolContent(w: Uint32Array, s: readonly string[]): ToolContent {
  switch (w[cursor++]) {
    case 1: {
      const content = readContentBlock(w, s);
      return { type: "content", content };
    }
    case 2: {
      const at = cursor;
      const value: ToolContentDiff = { type: "diff", path: s[w[at]!]!, newText: s[w[at + 2]!]! };
      if (w[at + 1] !== 0) value.oldText = s[w[at + 1]!]!;
      cursor = at + 3;
      return value;
    }
    default: {
      const at = cursor;
      const value: ToolContentTerminal = { type: "terminal", terminalId: s[w[at]!]! };
      cursor = at + 1;
      return value;
    }
  }
}

function readChoiceList(w: Uint32Array, s: readonly string[], count: number): Choice[] {
  const list: Choice[] = [];
  for (let i = 0; i < count; i++) {
    list.push(readChoice(w, s));
  }
  return list;
}

function readToolContentList(w: Uint32Array, s: readonly string[], count: number): ToolContent[] {
  const list: ToolContent[] = [];
  for (let i = 0; i < count; i++) {
    list.push(readToolContent(w, s));
  }
  return list;
}

function readLocationList(w: Uint32Array, s: readonly string[], count: number): Location[] {
  const list: Location[] = [];
  for (let i = 0; i < count; i++) {
    list.push(readLocation(w, s));
  }
  return list;
}

function readPlanEntryList(w: Uint32Array, s: readonly string[], count: number): PlanEntry[] {
  const list: PlanEntry[] = [];
  for (let i = 0; i < count; i++) {
    list.push(readPlanEntry(w, s));
  }
  return list;
}

function readNumberList(w: Uint32Array, count: number): number[] {
  const list: number[] = [];
  for (let i = 0; i < count; i++) {
    list.push(numberAt(w, cursor));
    cursor += 2;
  }
  return list;
}

function readInterruptOptionList(w: Uint32Array, s: readonly string[], count: number): InterruptOption[] {
  const list: InterruptOption[] = [];
  for (let i = 0; i < count; i++) {
    list.push(readInterruptOption(w, s));
  }
  return list;
}

function readQuestionList(w: Uint32Array, s: readonly string[], count: number): Question[] {
  const list: Question[] = [];
  for (let i = 0; i < count; i++) {
    list.push(readQuestion(w, s));
  }
  return list;
}

function readSlashCommandList(w: Uint32Array, s: readonly string[], count: number): SlashCommand[] {
  const list: SlashCommand[] = [];
  for (let i = 0; i < count; i++) {
    list.push(readSlashCommand(w, s));
  }
  return list;
}

function readUpdate(tag: number, w: Uint32Array, s: readonly string[]): SessionUpdate {
  switch (tag) {
    case 1: {
      const content = readContentBlock(w, s);
      return { sessionUpdate: "agent_message_chunk", content };
    }
    case 2: {
      const content = readContentBlock(w, s);
      return { sessionUpdate: "agent_thought_chunk", content };
    }
    case 3: {
      const content = readContentBlock(w, s);
      return { sessionUpdate: "user_message_chunk", content };
    }
    case 4: {
      const at = cursor;
      cursor = at + 7;
      const content = w[at + 6] === 0 ? undefined : readToolContentList(w, s, w[at + 6]! - 1);
      const at1 = cursor;
      cursor = at1 + 1;
      const locations = w[at1] === 0 ? undefined : readLocationList(w, s, w[at1]! - 1);
      const at2 = cursor;
      const value: ToolCall = {
        sessionUpdate: "tool_call",
        toolCallId: s[w[at]!]!,
        title: s[w[at + 1]!]!,
        kind: TOOL_KINDS[w[at + 3]! - 1]!,
        status: TOOL_STATUSES[w[at + 4]! - 1]!,
      };
      if (w[at + 2] !== 0) value.toolName = s[w[at + 2]!]!;
      if (w[at + 5] !== 0 && rawMode !== "none") value.rawInput = rawValue(s[w[at + 5]!]!);
      if (content !== undefined) value.content = content;
      if (locations !== undefined) value.locations = locations;
      if (w[at2] !== 0) value.inferred = true;
      if (w[at2 + 1] !== 0) value.wireToolCallId = s[w[at2 + 1]!]!;
      return value;
    }
    case 5: {
      const at = cursor;
      cursor = at + 8;
      const outputDelta = w[at + 7] === 0 ? undefined : readOutputDelta(w, s);
      const at1 = cursor;
      cursor = at1 + 1;
      const content = w[at1] === 0 ? undefined : readToolContentList(w, s, w[at1]! - 1);
      const at2 = cursor;
      cursor = at2 + 1;
      const inputContent = w[at2] === 0 ? undefined : readToolContentList(w, s, w[at2]! - 1);
      const at3 = cursor;
      cursor = at3 + 1;
      const locations = w[at3] === 0 ? undefined : readLocationList(w, s, w[at3]! - 1);
      const at4 = cursor;
      const value: ToolCallUpdate = { sessionUpdate: "tool_call_update", toolCallId: s[w[at]!]! };
      if (w[at + 1] !== 0) value.status = TOOL_STATUSES[w[at + 1]! - 1]!;
      if (w[at + 2] !== 0) value.title = s[w[at + 2]!]!;
      if (w[at + 3] !== 0) value.kind = TOOL_KINDS[w[at + 3]! - 1]!;
      if (w[at + 4] !== 0) value.toolName = s[w[at + 4]!]!;
      if (w[at + 5] !== 0 && rawMode !== "none") value.rawInput = rawValue(s[w[at + 5]!]!);
      if (w[at + 6] !== 0) value.inputDelta = s[w[at + 6]!]!;
      if (outputDelta !== undefined) value.outputDelta = outputDelta;
      if (content !== undefined) value.content = content;
      if (inputContent !== undefined) value.inputContent = inputContent;
      if (locations !== undefined) value.locations = locations;
      if (w[at4] !== 0 && rawMode !== "none") value.rawOutput = rawValue(s[w[at4]!]!);
      if (w[at4 + 1] !== 0) value.inferred = true;
      return value;
    }
    case 6: {
      const at = cursor;
      cursor = at + 1;
      const entries = readPlanEntryList(w, s, w[at]! - 1);
      return { sessionUpdate: "plan", entries };
    }
    case 7: {
      const at = cursor;
      const value: ErrorUpdate = { sessionUpdate: "error", message: s[w[at]!]!, fatal: w[at + 1] !== 0 };
      if (w[at + 2] !== 0) value.code = s[w[at + 2]!]!;
      const retryAfterMs = numberAt(w, at + 3);
      if (retryAfterMs === retryAfterMs) value.retryAfterMs = retryAfterMs;
      return value;
    }
    case 8: {
      const at = cursor;
      cursor = at + 1;
      const usage = readTokenUsage(w, s);
      return { sessionUpdate: "usage", scope: USAGE_SCOPES[w[at]! - 1]!, usage };
    }
    case 9: {
      const at = cursor;
      const value: MessageEnd = { sessionUpdate: "message_end", role: ROLES[w[at]! - 1]! };
      if (w[at + 1] !== 0) value.content = s[w[at + 1]!]!;
      if (w[at + 2] !== 0) value.stopReason = s[w[at + 2]!]!;
      if (w[at + 3] !== 0) value.aborted = true;
      return value;
    }
    case 10: {
      const at = cursor;
      cursor = at + 1;
      const items = readNumberList(w, w[at]! - 1);
      const at1 = cursor;
      return { sessionUpdate: "withdrawn", items, reason: s[w[at1]!]! };
    }
    case 11: {
      const at = cursor;
      const value: Agent = {
        sessionUpdate: "agent",
        agentId: s[w[at]!]!,
        status: AGENT_STATUSES[w[at + 4]! - 1]!,
      };
      if (w[at + 1] !== 0) value.name = s[w[at + 1]!]!;
      if (w[at + 2] !== 0) value.sessionId = s[w[at + 2]!]!;
      if (w[at + 3] !== 0) value.parentToolCallId = s[w[at + 3]!]!;
      return value;
    }
    case 12: {
      const at = cursor;
      const value: Run = {
        sessionUpdate: "run",
        scope: RUN_SCOPES[w[at]! - 1]!,
        phase: RUN_PHASES[w[at + 1]! - 1]!,
      };
      if (w[at + 2] !== 0) value.outcome = RUN_OUTCOMES[w[at + 2]! - 1]!;
      if (w[at + 3] !== 0) value.reason = s[w[at + 3]!]!;
      const durationMs = numberAt(w, at + 4);
      if (durationMs === durationMs) value.durationMs = durationMs;
      if (w[at + 6] !== 0) value.evidence = EVIDENCES[w[at + 6]! - 1]!;
      return value;
    }
    case 13: {
      const at = cursor;
      cursor = at + 6;
      const browser = w[at + 5] === 0 ? undefined : readBrowser(w, s);
      const value: Lifecycle = { sessionUpdate: "lifecycle" };
      if (w[at] !== 0) value.sandboxId = s[w[at]!]!;
      if (w[at + 1] !== 0) value.sandbox = s[w[at + 1]!]!;
      if (w[at + 2] !== 0) value.agent = s[w[at + 2]!]!;
      if (w[at + 3] !== 0) value.timestamp = s[w[at + 3]!]!;
      if (w[at + 4] !== 0) value.reason = s[w[at + 4]!]!;
      if (browser !== undefined) value.browser = browser;
      return value;
    }
    case 14: {
      const at = cursor;
      cursor = at + 13;
      const locations = w[at + 12] === 0 ? undefined : readLocationList(w, s, w[at + 12]! - 1);
      const at1 = cursor;
      cursor = at1 + 1;
      const options = readInterruptOptionList(w, s, w[at1]! - 1);
      const at2 = cursor;
      cursor = at2 + 1;
      const questions = readQuestionList(w, s, w[at2]! - 1);
      const at3 = cursor;
      const value: Interrupt = {
        sessionUpdate: "interrupt",
        interruptId: s[w[at]!]!,
        idSource: ID_SOURCES[w[at + 1]! - 1]!,
        kind: INTERRUPT_KINDS[w[at + 2]! - 1]!,
        options,
        questions,
        blocking: BLOCKINGS[w[at3 + 3]! - 1]!,
      };
      if (w[at + 3] !== 0) value.toolCallId = s[w[at + 3]!]!;
      if (w[at + 4] !== 0) value.linkSource = LINK_SOURCES[w[at + 4]! - 1]!;
      if (w[at + 5] !== 0) value.toolName = s[w[at + 5]!]!;
      if (w[at + 6] !== 0) value.title = s[w[at + 6]!]!;
      if (w[at + 7] !== 0) value.message = s[w[at + 7]!]!;
      if (w[at + 8] !== 0) value.reason = s[w[at + 8]!]!;
      if (w[at + 9] !== 0) value.reasonCode = s[w[at + 9]!]!;
      if (w[at + 10] !== 0) value.sideEffect = s[w[at + 10]!]!;
      if (w[at + 11] !== 0 && rawMode !== "none") value.rawInput = rawValue(s[w[at + 11]!]!);
      if (locations !== undefined) value.locations = locations;
      if (w[at3] !== 0) value.responseSchema = jsonValue(s[w[at3]!]!);
      if (w[at3 + 1] !== 0) value.editable = true;
      if (w[at3 + 2] !== 0) value.group = s[w[at3 + 2]!]!;
      if (w[at3 + 4] !== 0) value.expiresAt = s[w[at3 + 4]!]!;
      if (w[at3 + 5] !== 0) value.defaultOptionId = s[w[at3 + 5]!]!;
      return value;
    }
    case 15: {
      const at = cursor;
      const value: InterruptResolved = {
        sessionUpdate: "interrupt_resolved",
        interruptId: s[w[at]!]!,
        outcome: INTERRUPT_OUTCOMES[w[at + 1]! - 1]!,
        source: LINK_SOURCES[w[at + 7]! - 1]!,
      };
      if (w[at + 2] !== 0) value.optionId = s[w[at + 2]!]!;
      if (w[at + 3] !== 0) value.optionKind = OPTION_KINDS[w[at + 3]! - 1]!;
      if (w[at + 4] !== 0) value.answers = jsonValue(s[w[at + 4]!]!);
      if (w[at + 5] !== 0) value.editedInput = jsonValue(s[w[at + 5]!]!);
      if (w[at + 6] !== 0) value.message = s[w[at + 6]!]!;
      return value;
    }
    case 16: {
      const at = cursor;
      const value: Notice = {
        sessionUpdate: "notice",
        severity: SEVERITIES[w[at]! - 1]!,
        text: s[w[at + 1]!]!,
      };
      if (w[at + 2] !== 0) value.stream = OUTPUT_STREAMS[w[at + 2]! - 1]!;
      return value;
    }
    case 17: {
      const at = cursor;
      const value: Hook = {
        sessionUpdate: "hook",
        method: s[w[at]!]!,
        event: s[w[at + 1]!]!,
        raw: jsonValue(s[w[at + 3]!]!),
      };
      if (w[at + 2] !== 0) value.payload = jsonValue(s[w[at + 2]!]!);
      return value;
    }
    case 18: {
      const at = cursor;
      const value: Citations = { sessionUpdate: "citations", items: jsonValue(s[w[at]!]!) };
      if (w[at + 1] !== 0) value.modelOnly = true;
      return value;
    }
    case 19: {
      const at = cursor;
      const value: Artifact = { sessionUpdate: "artifact", url: s[w[at]!]!, filename: s[w[at + 1]!]! };
      if (w[at + 2] !== 0) value.toolCallId = s[w[at + 2]!]!;
      return value;
    }
    case 20: {
      const at = cursor;
      const value: UsageUpdate = { sessionUpdate: "usage_update" };
      const used = numberAt(w, at);
      if (used === used) value.used = used;
      const size = numberAt(w, at + 2);
      if (size === size) value.size = size;
      const usedRatio = numberAt(w, at + 4);
      if (usedRatio === usedRatio) value.usedRatio = usedRatio;
      if (w[at + 6] !== 0) value.cost = jsonValue(s[w[at + 6]!]!);
      return value;
    }
    case 21: {
      const at = cursor;
      const value: CompactionUpdate = { sessionUpdate: "compaction_update", status: s[w[at + 1]!]! };
      if (w[at] !== 0) value.compactionId = s[w[at]!]!;
      if (w[at + 2] !== 0) value.summary = s[w[at + 2]!]!;
      if (w[at + 3] !== 0) value.error = s[w[at + 3]!]!;
      return value;
    }
    case 22: {
      const at = cursor;
      cursor = at + 1;
      const availableCommands = readSlashCommandList(w, s, w[at]! - 1);
      return { sessionUpdate: "available_commands_update", availableCommands };
    }
    case 23: {
      const at = cursor;
      return { sessionUpdate: "current_mode_update", currentModeId: s[w[at]!]! };
    }
    case 24: {
      const at = cursor;
      return { sessionUpdate: "config_option_update", configOptions: jsonValue(s[w[at]!]!) };
    }
    case 25: {
      const at = cursor;
      const value: SessionInfoUpdate = { sessionUpdate: "session_info_update" };
      if (w[at] !== 0) value.title = s[w[at]!]!;
      if (w[at + 1] !== 0) value.updatedAt = s[w[at + 1]!]!;
      if (w[at + 2] !== 0) value.cwd = s[w[at + 2]!]!;
      if (w[at + 3] !== 0) value.meta = jsonValue(s[w[at + 3]!]!);
      return value;
    }
    case 26: {
      const at = cursor;
      const value: SharedState = { sessionUpdate: "shared_state" };
      if (w[at] !== 0) value.snapshot = jsonValue(s[w[at]!]!);
      if (w[at + 1] !== 0) value.patch = jsonValue(s[w[at + 1]!]!);
      return value;
    }
    case 27: {
      const at = cursor;
      const value: HarnessEvent = { sessionUpdate: "harness_event", type: s[w[at]!]! };
      if (w[at + 1] !== 0) value.payload = jsonValue(s[w[at + 1]!]!);
      return value;
    }
    default: {
      const at = cursor;
      const value: Unknown = { sessionUpdate: "unknown", raw: s[w[at + 1]!]! };
      if (w[at] !== 0) value.type = s[w[at]!]!;
      return value;
    }
  }
}

/** The update whose tag stands at word `at`. */
export function updateAt(w: Uint32Array, at: number, s: readonly string[]): SessionUpdate {
  rawMode = "value";
  cursor = at + 1;
  return readUpdate(w[at]!, w, s);
}

/**
 * Makes the events of one packed batch (layout: src/event/batch.rs).
 *
 * `w`: memory that holds the packed records from word `start` up to word `end`. `s`: the strings, `s[0]` is empty.
 * `firstSeq`: `seq` of the first event. `memo`: of the stream. Nothing in the result refers to `w`, which may change
 * later.
 */
export function decodeBatch(
  w: Uint32Array,
  start: number,
  end: number,
  s: readonly string[],
  firstSeq: number,
  raw: RawMode,
  memo: Repeated,
): UiEvent[] {
  rawMode = raw;
  repeated = memo;
  extraWord = 0;
  const events: UiEvent[] = [];
  let seq = firstSeq;
  let next = start;
  while (next < end) {
    const at = next;
    // The high bit marks a chunk like the one before.
    next = at + (w[at]! & 0x7fffffff);
    const tag = w[at + 1]!;
    let update: SessionUpdate;
    if (tag === 1 && w[at + 16] === 1) {
      update = { sessionUpdate: "agent_message_chunk", content: { type: "text", text: s[w[at + 17]!]! } };
    } else if (tag === 2 && w[at + 16] === 1) {
      update = { sessionUpdate: "agent_thought_chunk", content: { type: "text", text: s[w[at + 17]!]! } };
    } else if (tag === 3 && w[at + 16] === 1) {
      update = { sessionUpdate: "user_message_chunk", content: { type: "text", text: s[w[at + 17]!]! } };
    } else {
      cursor = at + 16;
      update = readUpdate(tag, w, s);
    }
    const source: Source = {
      offset: longAt(w, at + 2),
      length: longAt(w, at + 4),
      line: w[at + 6]!,
    };
    if (w[at + 8] !== 0 && (w[at + 11]! | w[at + 13]! | w[at + 14]!) === 0) {
      const item = w[at + 8]! - 1;
      switch ((w[at + 9] !== 0 ? 1 : 0) | (w[at + 10] !== 0 ? 2 : 0) | (w[at + 12] !== 0 ? 4 : 0) | (w[at + 15] !== 0 && rawMode !== "none" ? 8 : 0)) {
        case 1:
          events.push({ seq: seq++, update, source, item, sessionId: s[w[at + 9]!]! });
          continue;
        case 2:
          events.push({ seq: seq++, update, source, item, timestamp: s[w[at + 10]!]! });
          continue;
        case 3:
          events.push({ seq: seq++, update, source, item, sessionId: s[w[at + 9]!]!, timestamp: s[w[at + 10]!]! });
          continue;
        case 4:
          events.push({ seq: seq++, update, source, item, messageId: s[w[at + 12]!]! });
          continue;
        case 5:
          events.push({ seq: seq++, update, source, item, sessionId: s[w[at + 9]!]!, messageId: s[w[at + 12]!]! });
          continue;
        case 6:
          events.push({ seq: seq++, update, source, item, timestamp: s[w[at + 10]!]!, messageId: s[w[at + 12]!]! });
          continue;
        case 7:
          events.push({ seq: seq++, update, source, item, sessionId: s[w[at + 9]!]!, timestamp: s[w[at + 10]!]!, messageId: s[w[at + 12]!]! });
          continue;
        case 8:
          events.push({ seq: seq++, update, source, item, extra: extraValue(w[at + 15]!, s) });
          continue;
        case 9:
          events.push({ seq: seq++, update, source, item, sessionId: s[w[at + 9]!]!, extra: extraValue(w[at + 15]!, s) });
          continue;
        case 10:
          events.push({ seq: seq++, update, source, item, timestamp: s[w[at + 10]!]!, extra: extraValue(w[at + 15]!, s) });
          continue;
        case 11:
          events.push({ seq: seq++, update, source, item, sessionId: s[w[at + 9]!]!, timestamp: s[w[at + 10]!]!, extra: extraValue(w[at + 15]!, s) });
          continue;
        case 12:
          events.push({ seq: seq++, update, source, item, messageId: s[w[at + 12]!]!, extra: extraValue(w[at + 15]!, s) });
          continue;
        case 13:
          events.push({ seq: seq++, update, source, item, sessionId: s[w[at + 9]!]!, messageId: s[w[at + 12]!]!, extra: extraValue(w[at + 15]!, s) });
          continue;
        case 14:
          events.push({ seq: seq++, update, source, item, timestamp: s[w[at + 10]!]!, messageId: s[w[at + 12]!]!, extra: extraValue(w[at + 15]!, s) });
          continue;
        case 15:
          events.push({ seq: seq++, update, source, item, sessionId: s[w[at + 9]!]!, timestamp: s[w[at + 10]!]!, messageId: s[w[at + 12]!]!, extra: extraValue(w[at + 15]!, s) });
          continue;
      }
    }
    const value: UiEvent = { seq: seq++, update, source };
    if (w[at + 8] !== 0) value.item = w[at + 8]! - 1;
    if (w[at + 9] !== 0) value.sessionId = s[w[at + 9]!]!;
    if (w[at + 10] !== 0) value.timestamp = s[w[at + 10]!]!;
    if (w[at + 11] !== 0) value.model = s[w[at + 11]!]!;
    if (w[at + 12] !== 0) value.messageId = s[w[at + 12]!]!;
    if (w[at + 13] !== 0) value.parentToolCallId = s[w[at + 13]!]!;
    if (w[at + 14] !== 0) value.agentId = s[w[at + 14]!]!;
    if (w[at + 15] !== 0 && rawMode !== "none") value.extra = extraValue(w[at + 15]!, s);
    events.push(value);
  }
  return events;
}
