// The one error class of the package.

/** More about an error, where there is more. */
export interface ErrorDetails {
  /** HTTP status, for `conn.status`. */
  status?: number;
  /** Beginning of the response's body (at most 64 KiB), for `conn.status` and `conn.content-type`. */
  body?: string;
  cause?: unknown;
}

/**
 * What this package throws. Match on `code`, never on the message:
 *
 * - `misuse.*`: a call in the wrong order or with the wrong kind of value (`misuse.closed`, `misuse.ended`, ..)
 * - `option.*`: an option that does not exist (`option.unknown`), or has a wrong value (`option.value`, `option.dialect`)
 * - `init.sync`: this place refuses to compile synchronously; `await init()` first
 * - `init.missing`: the slim entry was used before its `init()`
 * - `init.failed`: the module could not be loaded
 * - `csp`: the page's policy forbids WebAssembly
 * - `panic`: a bug in this package; handles made together with the one that failed are closed
 * - `conn.*`: `conn.status`, `conn.network`, `conn.aborted`, `conn.content-type`, `conn.idle`
 * - `reply.*`: the choice does not fit the interrupt
 */
export class AgentUiEventsError extends Error {
  readonly code: string;
  readonly status?: number;
  readonly body?: string;

  constructor(code: string, message: string, details: ErrorDetails = {}) {
    super(message, "cause" in details ? { cause: details.cause } : undefined);
    this.name = "AgentUiEventsError";
    this.code = code;
    if (details.status !== undefined) this.status = details.status;
    if (details.body !== undefined) this.body = details.body;
  }
}

/** Errors of the module carry a `code`; everything else passes as it is. */
export function friendly(error: unknown): unknown {
  if (error instanceof AgentUiEventsError || !(error instanceof Error)) return error;
  const { code, status, body } = error as Error & { code?: unknown; status?: unknown; body?: unknown };
  if (typeof code !== "string") return error;
  const details: ErrorDetails = {};
  if (typeof status === "number") details.status = status;
  if (typeof body === "string") details.body = body;
  if (error.cause !== undefined) details.cause = error.cause;
  return new AgentUiEventsError(code, error.message, details);
}

/** Tells the page about an error that no caller can catch. */
export function report(error: unknown): void {
  const { reportError } = globalThis as { reportError?: (error: unknown) => void };
  if (typeof reportError === "function") reportError(error);
  else queueMicrotask(() => { throw error; });
}
