/// <reference lib="esnext.disposable" preserve="true" />
// The state a UI shows, folded inside wasm; only what somebody asks for becomes objects.

import { Feed, Inlet, type Chunk } from "./chunk.js";
import { ENGINE, newEngine, type Engine } from "./engine.js";
import { AgentUiEventsError } from "./errors.js";
import { ItemCache, nameInput } from "./itemcache.js";
import { longAt, type Source } from "./generated/events.js";
import type { AgentInfo, InterruptItem, Item, Session } from "./items.js";
import type { StreamLimits, StreamOptions } from "./normalizer.js";
import { Notifier } from "./notifier.js";
import { reply, type Answer } from "./reply.js";
import type { Report, UsageReport } from "./report.js";
import { chunksOf, type ReadableSource, type SourceOptions } from "./sources.js";
import type { TranscriptHandle } from "./wasm/core.js";

/** What a transcript may hold. What is cut off makes its item `truncated`. */
export interface TranscriptLimits extends StreamLimits {
  /** Of one text, input, output or content. Default 16 MiB. */
  maxItemTextBytes?: number;
  /** Of all of them. Default 1 GiB. */
  maxTextBytes?: number;
  /** Default 4 million. */
  maxItems?: number;
}

export interface TranscriptOptions extends StreamOptions {
  limits?: TranscriptLimits;
}

/** From the first number up to, not including, the second. */
export type ItemRange = readonly [first: number, end: number];

/** What one push did. */
export interface Change {
  /** Moves when anything changed. */
  readonly revision: number;
  /** New items; empty when both numbers are the same. */
  readonly created: ItemRange;
  /** Earlier items that changed: ascending, apart from each other. */
  readonly changed: readonly ItemRange[];
  /** Something beside the list changed: agents, runs, usage, session. */
  readonly state: boolean;
}

/** For `useSyncExternalStore` and its kind: the same object until something changed. */
export interface Snapshot {
  readonly revision: number;
  /** Number of items. */
  readonly length: number;
  /** The stream is over. */
  readonly ended: boolean;
}

/** One more file of a run. */
export interface TranscriptInput {
  /** As it was given. */
  readonly name: string;
  /** Reads the next chunk of this file. */
  push(chunk: Chunk): Change;
  /** This file is over; the run goes on. The transcript's own `end` ends all files. */
  end(): Change;
  /** Feeds a whole source, its end included. */
  read(source: ReadableSource, options?: SourceOptions): Promise<void>;
}

/** One stream folded into an ordered list of items. Its memory is its own and goes with `close()`. */
export class Transcript {
  #engine: Engine;
  #handle: TranscriptHandle | undefined;
  #inlet: Inlet;
  #feed: Feed;
  /** Names of further inputs by number. */
  #names: string[] = [];
  #cache = new ItemCache(this.#names);
  #notifier = new Notifier();
  #revision = 0;
  #length = 0;
  /** Of the last change: while a text grows, the next one says the same and needs no new arrays. */
  #created: ItemRange = [0, 0];
  #changed: readonly ItemRange[] = [];
  /** Made when asked for, and the same object until something changed. */
  #snapshot: Snapshot | undefined;
  #agents: { revision: number; value: readonly AgentInfo[] } | undefined;
  #session: { revision: number; value: Session } | undefined;
  #ended = false;

  constructor(options: TranscriptOptions = {}) {
    this.#engine = newEngine();
    Object.defineProperty(this, ENGINE, { value: this.#engine });
    const handle = this.#engine.call(() => new this.#engine.glue.TranscriptHandle(options));
    this.#handle = handle;
    this.#inlet = new Inlet(this.#engine, handle);
    this.#feed = new Feed(this.#inlet);
  }

  /** Number of items. */
  get length(): number {
    return this.#length;
  }

  /** Moves when anything changed. */
  get revision(): number {
    return this.#revision;
  }

  /** Reads the next chunk and tells what it changed. */
  push(chunk: Chunk): Change {
    const handle = this.#open("push");
    if (this.#ended) {
      throw new AgentUiEventsError("misuse.ended", "push() after end(): make a new Transcript for the next stream");
    }
    const window = this.#feed.direct(chunk);
    if (window >= 0) return this.#told(window);
    return this.#apply((read) => this.#feed.push(chunk, (length) => read(handle.push(length))));
  }

  /** The stream is over. A second call changes nothing. */
  end(): Change {
    const handle = this.#open("end");
    if (this.#ended) return this.#nothing();
    this.#ended = true;
    return this.#apply((read) => {
      this.#feed.flush((length) => read(handle.push(length)));
      read(handle.end());
    });
  }

  /** The connection broke and another one will carry on. `connect` does this by itself. */
  disconnect(): Change {
    const handle = this.#open("disconnect");
    if (this.#ended) return this.#nothing();
    this.#feed.drop();
    return this.#apply((read) => read(handle.disconnect()));
  }

  /**
   * A further file of the same run: a subagent's transcript, a child thread's rollout. Its name is shown in `source`, and
   * tells some dialects what it holds, so give the file's own. The main file is pushed to the transcript itself.
   */
  input(name: string): TranscriptInput {
    const handle = this.#open("input");
    const number = this.#engine.call(() => handle.addInput(name));
    this.#names[number] = name;
    const feed = new Feed(this.#inlet);
    let ended = false;
    const open = (method: string): TranscriptHandle => {
      if (!ended && !this.#ended) return this.#open(method);
      throw new AgentUiEventsError("misuse.ended", `${method}() after the end of this input or of the transcript`);
    };
    const push = (chunk: Chunk): Change => {
      const handle = open("push");
      return this.#apply((read) => feed.push(chunk, (length) => read(handle.pushTo(number, length))));
    };
    const end = (): Change => {
      if (ended || this.#ended) return this.#nothing();
      const handle = open("end");
      ended = true;
      return this.#apply((read) => {
        feed.flush((length) => read(handle.pushTo(number, length)));
        read(handle.endInput(number));
      });
    };
    const read = async (source: ReadableSource, options: SourceOptions = {}): Promise<void> => {
      for await (const chunk of chunksOf(source, options)) {
        if (!this.#handle) return;
        push(chunk);
      }
      if (this.#handle) end();
    };
    return { name, push, end, read };
  }

  /** What a reconnect needs: the last SSE event id and the wait the server asked for. */
  resume(): { lastEventId: string; retryMs?: number } {
    const handle = this.#open("resume");
    return this.#engine.call(() => {
      const retryMs = handle.retryMs();
      const lastEventId = handle.lastEventId();
      return retryMs === undefined ? { lastEventId } : { lastEventId, retryMs };
    });
  }

  /** Feeds a whole source, end included. Rejects when it fails; what came before stays. */
  async read(source: ReadableSource, options: SourceOptions = {}): Promise<void> {
    this.#open("read");
    for await (const chunk of chunksOf(source, options)) {
      if (!this.#handle) return;
      this.push(chunk);
    }
    if (this.#handle) this.end();
  }

  /**
   * The items from `first` up to, not including, `end`. An item that did not change is the same object as before if one of
   * the last 16 calls asked for it. Of earlier ones 2,048 stay, fewer where their texts are long (1 MiB together).
   */
  items(first = 0, end = this.length): Item[] {
    const handle = this.#open("items");
    const stop = Math.min(whole("end", end), this.length);
    return this.#cache.range(whole("first", first), stop, this.#engine, handle);
  }

  /** One item. */
  item(number: number): Item | undefined {
    return this.items(number, number + 1)[0];
  }

  /** The raw input of a tool card, however large. */
  rawInput(item: number): unknown {
    const handle = this.#open("rawInput");
    return parsed(this.#engine.call(() => handle.rawInput(whole("item", item))));
  }

  /** The raw output of a tool card, however large. */
  rawOutput(item: number): unknown {
    const handle = this.#open("rawOutput");
    return parsed(this.#engine.call(() => handle.rawOutput(whole("item", item))));
  }

  /** The first records (at most 64) that touched an item, each once; `sourceCount` counts all of them. */
  sources(item: number): Source[] {
    const handle = this.#open("sources");
    const sources = JSON.parse(this.#engine.call(() => handle.sources(whole("item", item)))) as Source[];
    for (const source of sources) nameInput(source, this.#names);
    return sources;
  }

  /** Subagents and threads, in the order of their announcement. */
  agents(): readonly AgentInfo[] {
    const handle = this.#open("agents");
    const revision = this.revision;
    if (this.#agents?.revision !== revision) {
      this.#agents = { revision, value: JSON.parse(this.#engine.call(() => handle.agents())) as AgentInfo[] };
    }
    return this.#agents.value;
  }

  /** Runs, context window, mode, commands, shared state. */
  session(): Session {
    const handle = this.#open("session");
    const revision = this.revision;
    if (this.#session?.revision !== revision) {
      this.#session = { revision, value: JSON.parse(this.#engine.call(() => handle.session())) as Session };
    }
    return this.#session.value;
  }

  /** Tokens and cost. */
  usage(): UsageReport {
    return this.report().usage;
  }

  /** What is known of the stream so far. */
  report(): Report {
    const handle = this.#open("report");
    return this.#engine.call(() => handle.report() as Report);
  }

  /** Item of the newest plan of an agent; of the main agent without a key. */
  plan(agentId?: string): number | undefined {
    const handle = this.#open("plan");
    return this.#engine.call(() => handle.plan(agentId));
  }

  /** Item of a tool card. */
  card(toolCallId: string): number | undefined {
    const handle = this.#open("card");
    return this.#engine.call(() => handle.card(toolCallId));
  }

  /** Items under a tool card: what its subagent did. Direct children only. */
  children(toolCallId: string): number[] {
    const handle = this.#open("children");
    return this.#engine.call(() => Array.from(handle.children(toolCallId)));
  }

  /** Interrupts that wait for an answer. */
  openInterrupts(): number[] {
    const handle = this.#open("openInterrupts");
    return this.#engine.call(() => Array.from(handle.openInterrupts()));
  }

  /** The value to send back for an interrupt of this stream. Nothing is sent. */
  reply(item: InterruptItem, answer: Answer): unknown {
    return reply(item, answer, { dialect: this.report().dialect ?? "unknown" });
  }

  /** Calls `notify` after changes, at most once per frame. Returns what ends it. */
  subscribe = (notify: () => void): (() => void) => this.#notifier.add(notify);

  /** Frozen, and the same object until something changed. */
  getSnapshot = (): Snapshot =>
    (this.#snapshot ??= Object.freeze({ revision: this.#revision, length: this.#length, ended: this.#ended }));

  /** Gives the memory back. Objects that were handed out stay valid. A second call does nothing. */
  close(): void {
    const handle = this.#handle;
    this.#handle = undefined;
    this.#notifier.stop();
    this.#cache = new ItemCache(this.#names);
    if (handle && !this.#engine.dead) handle.free();
  }

  #open(method: string): TranscriptHandle {
    if (this.#handle) return this.#handle;
    throw new AgentUiEventsError("misuse.closed", `${method}() after close(): make a new Transcript`);
  }

  #nothing(): Change {
    return { revision: this.revision, created: [this.length, this.length], changed: [], state: false };
  }

  /** Runs the calls of one push and makes one change of what they changed. */
  #apply(work: (read: (window: number) => void) => void): Change {
    const first = this.#length;
    const changed: ItemRange[] = [];
    let state = false;
    this.#engine.call(() => {
      work((window) => {
        const change = this.#told(window);
        for (const range of change.changed) changed.push(range);
        state ||= change.state;
      });
    });
    if (this.#ended) this.#moved();
    return { revision: this.#revision, created: [first, this.#length], changed: merge(changed, first), state };
  }

  /** What one call into the module changed (src/web/bindings/transcript.rs). */
  #told(window: number): Change {
    const memory = this.#engine.words();
    const at = window >>> 2;
    const first = this.#length;
    const revision = longAt(memory, at);
    const changed = rangesAt(memory, memory[at + 7]! >>> 2, memory[at + 8]!, this.#changed);
    for (let i = 0; i < changed.length; i++) this.#cache.drop(changed[i]![0], changed[i]![1], at);
    this.#changed = changed;
    const length = memory[at + 5]!;
    this.#length = length;
    if (this.#created[0] !== first || this.#created[1] !== length) this.#created = [first, length];
    if (revision !== this.#revision) {
      this.#revision = revision;
      this.#moved();
    }
    return { revision, created: this.#created, changed, state: memory[at + 6] !== 0 };
  }

  /** The next snapshot is another one. */
  #moved(): void {
    this.#snapshot = undefined;
    this.#notifier.schedule();
  }
}

export interface Transcript extends Disposable {}

if (typeof Symbol.dispose === "symbol") {
  Object.defineProperty(Transcript.prototype, Symbol.dispose, { value: Transcript.prototype.close });
}

/** Sorted and joined, without what lies at or beyond `limit`: a later slice may change what an earlier one created. */
function merge(ranges: ItemRange[], limit: number): ItemRange[] {
  const merged: [number, number][] = [];
  for (const [from, to] of [...ranges].sort((a, b) => a[0] - b[0])) {
    const end = Math.min(to, limit);
    if (from >= end) continue;
    const last = merged.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], end);
    else merged.push([from, end]);
  }
  return merged;
}

/**
 * `count` words of ranges; `last` if it says the same. One is the usual, and an array that is pushed to takes room for
 * seventeen.
 */
function rangesAt(
  memory: Uint32Array,
  at: number,
  count: number,
  last: readonly ItemRange[],
): readonly ItemRange[] {
  if (count === 0 && last.length === 0) return last;
  if (count === 2) {
    const first = memory[at]!;
    const end = memory[at + 1]!;
    return last.length === 1 && last[0]![0] === first && last[0]![1] === end ? last : [[first, end]];
  }
  const ranges: ItemRange[] = [];
  for (let i = at; i < at + count; i += 2) ranges.push([memory[i]!, memory[i + 1]!]);
  return ranges;
}

function whole(name: string, value: number): number {
  if (Number.isInteger(value) && value >= 0) return value;
  throw new AgentUiEventsError("misuse.number", `${name} is ${value}: item numbers are whole numbers from 0`);
}

function parsed(json: string | undefined): unknown {
  return json === undefined ? undefined : JSON.parse(json);
}
