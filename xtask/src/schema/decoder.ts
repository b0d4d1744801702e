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
