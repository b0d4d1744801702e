// Instances of the wasm module: compiled once, instantiated as often as wanted, given up after a panic.

import { AgentUiEventsError, friendly } from "./errors.js";
import { createGlue, type Glue } from "./wasm/glue.js";

/** Where tests find the instance behind an object, to break it on purpose. No public API. */
export const ENGINE: symbol = /* @__PURE__ */ Symbol.for("agent-ui-events.engine");

/** One instance, with views of its memory. */
export class Engine {
  readonly glue: Glue;
  /** Set by a panic: the instance is in an unknown state and answers nothing any more. */
  dead = false;
  #memory: WebAssembly.Memory;
  #bytes = new Uint8Array(0);
  #words = new Uint32Array(0);

  constructor(glue: Glue, memory: WebAssembly.Memory) {
    this.glue = glue;
    this.#memory = memory;
  }

  /** The memory as it is now. Never keep it over a call: it dies when memory grows. */
  bytes(): Uint8Array<ArrayBuffer> {
    // A view of memory that has grown is empty. To ask the memory for its buffer each time is five times as dear.
    if (this.#bytes.length === 0) {
      this.#bytes = new Uint8Array(this.#memory.buffer as ArrayBuffer);
      this.#words = new Uint32Array(this.#memory.buffer);
    }
    return this.#bytes as Uint8Array<ArrayBuffer>;
  }

  /** The same in words. */
  words(): Uint32Array {
    this.bytes();
    return this.#words;
  }

  /** Runs a call into the module; a trap ends this instance. */
  call<T>(work: () => T): T {
    this.check();
    try {
      return work();
    } catch (error) {
      throw this.failure(error);
    }
  }

  /** Throws if this instance is dead. */
  check(): void {
    if (this.dead) throw panicked();
  }

  /** What to throw for an error that came out of the module. */
  failure(error: unknown): unknown {
    if (!isTrap(error)) return friendly(error);
    this.dead = true;
    if (shared === this) shared = undefined;
    return panicked(error);
  }
}

function panicked(cause?: unknown): AgentUiEventsError {
  const message = "agent-ui-events failed inside, which is a bug: this object is closed, make a new one";
  return new AgentUiEventsError("panic", message, cause === undefined ? {} : { cause });
}

// A stack overflow inside wasm leaves the instance as broken as a trap does; engines name it differently.
function isTrap(error: unknown): boolean {
  if (error instanceof WebAssembly.RuntimeError || error instanceof RangeError) return true;
  return error instanceof Error && error.name === "InternalError";
}

let module: WebAssembly.Module | undefined;
let shared: Engine | undefined;
let inlined: (() => BufferSource) | undefined;

/** Tells where the module's bytes are, for entries that carry them. */
export function carryModule(bytes: () => BufferSource): void {
  inlined = bytes;
}

/** Takes a compiled module. */
export function useModule(compiled: WebAssembly.Module): void {
  module ??= compiled;
}

/** The instance that short-lived and small things share. */
export function sharedEngine(): Engine {
  return (shared ??= newEngine());
}

/** An instance of its own: its memory goes when its last handle goes. */
export function newEngine(): Engine {
  try {
    module ??= compileNow();
    const glue = createGlue();
    const { memory } = glue.initSync({ module });
    return new Engine(glue, memory);
  } catch (error) {
    throw refusal(error);
  }
}

/** Compiles and instantiates without blocking. */
export async function warmUp(compile: () => Promise<WebAssembly.Module>): Promise<void> {
  if (shared) return;
  try {
    module ??= await compile();
    const glue = createGlue();
    const { memory } = await glue.default({ module_or_path: module });
    shared ??= new Engine(glue, memory);
  } catch (error) {
    throw refusal(error);
  }
}

function compileNow(): WebAssembly.Module {
  if (typeof WebAssembly !== "object") {
    throw new AgentUiEventsError("init.failed", "this place has no WebAssembly");
  }
  if (!inlined) {
    throw new AgentUiEventsError("init.missing", "agent-ui-events/slim needs `await init()` before its first use");
  }
  return new WebAssembly.Module(inlined());
}

function refusal(error: unknown): unknown {
  if (error instanceof AgentUiEventsError || !(error instanceof Error)) return error;
  const text = error.message;
  if (/content security policy|\bCSP\b|wasm-eval|unsafe-eval|disallowed by embedder/i.test(text)) {
    const message = `a Content Security Policy forbids WebAssembly here: add 'wasm-unsafe-eval' to script-src (${text})`;
    return new AgentUiEventsError("csp", message, { cause: error });
  }
  if (error instanceof RangeError || /main thread|asynchronous/i.test(text)) {
    const message = `this place refuses to compile synchronously: \`await init()\` before the first use (${text})`;
    return new AgentUiEventsError("init.sync", message, { cause: error });
  }
  return new AgentUiEventsError("init.failed", `the WebAssembly module could not be loaded: ${text}`, { cause: error });
}
