/**
 * What becomes of `rawInput`, `rawOutput` and `extra`: a value, its JSON text (a string, whatever the type says), or
 * nothing at all.
 */
export type RawMode = "value" | "text" | "none";

export interface DecodeOptions {
  raw: RawMode;
}

const scratchWords = new Uint32Array(2);
const scratchNumber = new Float64Array(scratchWords.buffer);

// Decoding is synchronous and calls no foreign code, so one cursor and one mode serve the module.
let cursor = 0;
let rawMode: RawMode = "value";

function numberAt(w: Uint32Array, at: number): number {
  scratchWords[0] = w[at]!;
  scratchWords[1] = w[at + 1]!;
  return scratchNumber[0]!;
}

// `JSON.parse` keeps `__proto__` as an own property. What an engine refuses (depth) stays readable as text.
function jsonValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function rawValue(text: string): unknown {
  return rawMode === "value" ? jsonValue(text) : text;
}

// A batch stores an `extra` that follows itself once. `extraBase` is what `extraWord` stands for in this batch.
let extraWord = 0;
let extraBase: unknown;
let extraIsFlat: boolean | undefined;

/** An object for each event alone: whoever changes one changes no other. */
function extraValue(word: number, s: readonly string[]): Record<string, unknown> {
  const text = s[word]!;
  // A string here is what `RawMode` warns of.
  if (rawMode !== "value") return text as unknown as Record<string, unknown>;
  if (word !== extraWord) {
    extraWord = word;
    extraBase = jsonValue(text);
    extraIsFlat = undefined;
    return extraBase as Record<string, unknown>;
  }
  extraIsFlat ??= isFlat(extraBase);
  return (extraIsFlat ? { ...(extraBase as object) } : jsonValue(text)) as Record<string, unknown>;
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
