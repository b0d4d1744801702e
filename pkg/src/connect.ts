// A live connection: asks, reads, and asks again where that is safe.

import { AgentUiEventsError, friendly, report as reportError } from "./errors.js";
import type { UiEvent } from "./generated/events.js";
import { Normalizer, type NormalizerOptions } from "./normalizer.js";
import type { Report } from "./report.js";
import { NativeSource } from "./sources.js";
import type { Transcript } from "./transcript.js";

export interface RequestSettings {
  /** Default `"GET"`. Only a GET is ever sent twice. */
  method?: string;
  headers?: HeadersInit;
  body?: BodyInit;
  credentials?: RequestCredentials;
  /** Ends the connection. */
  signal?: AbortSignal;
  /** How often in a row a broken event stream is asked for again; `false`: never. Default 8. */
  retry?: number | false;
  /** Gives up with `conn.idle` when no byte came for this long; 0: never. Default 120,000. */
  idleMs?: number;
}

export interface ConnectOptions extends RequestSettings {
  /** Takes the stream. It reads with its own options. */
  into?: Transcript;
  /** Called with the events of each chunk. One that throws is not called again, and the connection ends. */
  onBatch?: (events: UiEvent[]) => void;
  /** How to read the stream, for `onBatch`. */
  options?: NormalizerOptions;
}

/** How a connection ended. */
export interface ConnectionEnd {
  /** `conn.*`; absent when the stream came to its end. */
  error?: AgentUiEventsError;
  /** Absent when the transcript was closed meanwhile. */
  report?: Report;
}

export type ConnectionState = "connecting" | "open" | "waiting" | "closed";

export interface Connection {
  /** Never rejects: a failure is its `error`. */
  readonly done: Promise<ConnectionEnd>;
  /** `waiting`: it broke and will be asked for again. */
  readonly state: ConnectionState;
  /** Ends it; what came stays. A second call does nothing. */
  close(): void;
}

const NAMES = [
  "method", "headers", "body", "credentials", "signal", "retry", "idleMs", "into", "onBatch", "options",
];
const IDLE_MS = 120_000;
const RETRIES = 8;

/**
 * Asks a server for a stream and feeds it to a transcript or a callback.
 *
 * Takes event streams, JSON lines and JSON. A broken event stream is asked for again (GET only, with `Last-Event-ID`,
 * waiting longer each time) unless it had said that it was over.
 */
export function connect(url: string | URL, options: ConnectOptions): Connection {
  check(options);
  return new LiveConnection(url, options);
}

class LiveConnection implements Connection {
  readonly done: Promise<ConnectionEnd>;
  state: ConnectionState = "connecting";
  #source: NativeSource;
  #target: Transcript | BatchTarget;

  constructor(url: string | URL, options: ConnectOptions) {
    this.#target = options.into ?? new BatchTarget(options.onBatch!, options.options ?? {});
    const init = {
      method: (options.method ?? "GET").toUpperCase(),
      headers: [...new Headers(options.headers)],
      credentials: options.credentials,
      idleMs: (options.idleMs ?? IDLE_MS) || undefined,
      maxRetries: options.retry === false ? 0 : (options.retry ?? RETRIES),
    };
    this.#source = new NativeSource((glue) => glue.SourceHandle.request(String(url), init, options.body));
    this.done = this.#run(options.signal);
  }

  close(): void {
    this.#source.abort();
  }

  async #run(signal: AbortSignal | undefined): Promise<ConnectionEnd> {
    const close = () => this.close();
    if (signal?.aborted) close();
    signal?.addEventListener("abort", close, { once: true });
    const end: ConnectionEnd = {};
    try {
      await this.#pump();
    } catch (error) {
      const failure = friendly(error);
      end.error =
        failure instanceof AgentUiEventsError
          ? failure
          : new AgentUiEventsError("conn.failed", String(failure), { cause: error });
    }
    signal?.removeEventListener("abort", close);
    this.state = "closed";
    this.#source.close();
    try {
      this.#target.end();
      end.report = this.#target.report();
      if (this.#target instanceof BatchTarget) this.#target.close();
    } catch (error) {
      // The transcript was closed, or its instance is gone.
      end.error ??= error as AgentUiEventsError;
    }
    return end;
  }

  async #pump(): Promise<void> {
    for (;;) {
      let broken: unknown;
      try {
        for (let chunk = await this.#source.next(); chunk; chunk = await this.#source.next()) {
          this.state = "open";
          const before = this.#target.revision;
          this.#target.push(chunk);
          if (this.#target.revision !== before) this.#source.progressed();
        }
      } catch (error) {
        const code = error instanceof AgentUiEventsError ? error.code : "";
        if (code !== "conn.network" && code !== "conn.idle") throw error;
        broken = error;
      }
      if (!this.#source.canReconnect() || isOver(this.#target.report())) {
        if (broken) throw broken;
        return;
      }
      this.#target.disconnect();
      const { lastEventId, retryMs } = this.#target.resume();
      this.state = "waiting";
      if (!(await this.#source.reconnect(lastEventId, retryMs))) {
        if (broken) throw broken;
        return;
      }
      this.state = "connecting";
    }
  }
}

/** The stream said itself that it is over. */
function isOver(report: Report): boolean {
  return report.result.evidence === "stated" || (report.ignored["end-sentinel"] ?? 0) > 0;
}

/** A normalizer that hands its batches to a callback, shaped like a transcript. */
class BatchTarget {
  revision = 0;
  #normalizer: Normalizer;
  #onBatch: (events: UiEvent[]) => void;

  constructor(onBatch: (events: UiEvent[]) => void, options: NormalizerOptions) {
    this.#normalizer = new Normalizer(options);
    this.#onBatch = onBatch;
  }

  push(chunk: Uint8Array): void {
    this.#hand(this.#normalizer.push(chunk));
  }

  end(): void {
    try {
      this.#hand(this.#normalizer.end());
    } catch (error) {
      // It was told of already; the report is still good.
      if (!(error instanceof AgentUiEventsError) || error.code !== "conn.consumer") throw error;
    }
  }

  disconnect(): void {
    this.#hand(this.#normalizer.disconnect());
  }

  resume(): { lastEventId: string; retryMs?: number } {
    return this.#normalizer.resume();
  }

  report(): Report {
    return this.#normalizer.report();
  }

  close(): void {
    this.#normalizer.close();
  }

  #hand(events: UiEvent[]): void {
    if (events.length === 0) return;
    this.revision += 1;
    try {
      this.#onBatch(events);
    } catch (error) {
      this.#onBatch = () => {};
      reportError(error);
      throw new AgentUiEventsError("conn.consumer", "onBatch threw: the connection ends", { cause: error });
    }
  }
}

function check(options: ConnectOptions): void {
  const wrong = (code: string, message: string) => new AgentUiEventsError(code, message);
  for (const name of Object.keys(options ?? {})) {
    if (!NAMES.includes(name)) {
      throw wrong("option.unknown", `connect has no option "${name}": there are ${NAMES.join(", ")}`);
    }
  }
  const { into, onBatch, retry, idleMs, body } = options ?? {};
  if ((into === undefined) === (onBatch === undefined)) {
    throw wrong("option.value", "connect needs one of { into: transcript } and { onBatch }");
  }
  if (into && options.options) {
    throw wrong("option.value", "the transcript in `into` has options of its own: leave `options` out");
  }
  for (const [name, value] of Object.entries({ retry: retry === false ? 0 : retry, idleMs })) {
    if (value !== undefined && !(Number.isInteger(value) && value >= 0 && value < 2 ** 31)) {
      throw wrong("option.value", `${name} must be a whole number from 0, not ${String(value)}`);
    }
  }
  if (body && Object.getPrototypeOf(body) === Object.prototype) {
    throw wrong("option.value", "body is a plain object: send JSON.stringify(body), with a content-type header");
  }
}
