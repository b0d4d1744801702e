// What all entries offer.

export { AgentUiEventsError, type ErrorDetails } from "./errors.js";
export { type Chunk } from "./chunk.js";
export {
  Normalizer,
  type NormalizerOptions,
  type StreamLimits,
  type StreamOptions,
} from "./normalizer.js";
export {
  Transcript,
  type Change,
  type ItemRange,
  type Snapshot,
  type TranscriptInput,
  type TranscriptLimits,
  type TranscriptOptions,
} from "./transcript.js";
export { NormalizerStream, read, type EventBatches, type ReadOptions } from "./read.js";
export { type ReadableSource, type SourceOptions } from "./sources.js";
export {
  connect,
  type ConnectOptions,
  type Connection,
  type ConnectionEnd,
  type ConnectionState,
  type RequestSettings,
} from "./connect.js";
export { reply, type Answer, type ReplyOptions } from "./reply.js";
export { checkNormalForm, detect, dialects, textOf, version, type Breach, type Detection } from "./inspect.js";
export type * from "./items.js";
export type * from "./report.js";
export type * from "./generated/events.js";
export { SESSION_UPDATES, TOOL_KINDS, TOOL_STATUSES } from "./generated/events.js";
