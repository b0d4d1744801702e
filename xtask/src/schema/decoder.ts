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
