// What is known of a stream as a whole.

import type { Evidence, RunOutcome, Severity } from "./generated/events.js";

/** What a file or stream is made of. */
export type Container = "sse" | "json-lines" | "json-array" | "json-sequence" | "html";

/** Something odd about the input. The stream goes on after it. */
export interface Diagnostic {
  /** Stable: `json.invalid`, `sse.eof-partial`, `limit.record-bytes`, .. */
  code: string;
  severity: Severity;
  /** For people; never match on it. */
  message: string;
  /** Byte offset in the stream. */
  offset: number;
  /** Line of that byte, from 1. */
  line: number;
  /** Name of the file, where one run came in several; absent for the stream itself. */
  input?: string;
}

/** Tokens and cost. A counter that nothing told is absent, not zero. */
export interface UsageTotals {
  calls: number;
  /** Input tokens, cache shares included. */
  promptTokens?: number;
  completionTokens?: number;
  /** The cache-read share of `promptTokens`. */
  cachedTokens?: number;
  costUsd?: number;
}

export interface UsageReport {
  main: UsageTotals;
  subagents: UsageTotals;
  total: UsageTotals;
  /** What the totals rest on. `runs+calls`: the last run has not reported yet. */
  source: "runs" | "calls" | "runs+calls" | "none";
}

export interface RunResult {
  /** The final text: as the wire tells it on its own; of a transcript else the main agent's newest text that stands. */
  text?: string;
  /** Absent while it runs, or where the wire knows no runs. */
  outcome?: RunOutcome;
  /** The wire's own word. */
  reason?: string;
  evidence?: Evidence;
}

export interface Report {
  /** Name of the dialect; absent while it is not recognised. */
  dialect?: string;
  /** Why this dialect. */
  why: string;
  container?: Container;
  bytes: number;
  records: number;
  events: number;
  items: number;
  /** Records, or parts of one, without an event, by reason. */
  ignored: Record<string, number>;
  /** Bytes outside of records. */
  skipped: {
    separatorBytes: number;
    comments: number;
    fields: number;
    unterminatedBytes: number;
    overLimitBytes: number;
  };
  /** The first 50 per code, in order. */
  diagnostics: Diagnostic[];
  /** How many there were of each code. */
  diagnosticCounts: Record<string, number>;
  usage: UsageReport;
  result: RunResult;
  /** Tool calls without a final status. */
  openCalls: number;
  /** Whether the agent did anything at all. */
  didWork: boolean;
}
