// All that is timed, by name: rivals and ours in both modes, and what the machine allows at most.

import { OurEvents, OurState, commonEvent, commonItem } from "./ours.mjs";
import { BestEvents, BestState } from "./rivals/best.mjs";
import { ParserEvents, ParserState } from "./rivals/eventsource.mjs";
import { SimpleEvents, SimpleState } from "./rivals/simple.mjs";

const isSse = ({ container }) => container === "sse";

/**
 * The first of each mode is what ratios are taken of.
 *
 * @type {{ name: string, mode: "events" | "state", Reader: Function, common?: Function, fits?: Function }[]}
 */
export const VARIANTS = [
  { name: "simple", mode: "events", Reader: SimpleEvents },
  { name: "best", mode: "events", Reader: BestEvents },
  { name: "eventsource-parser", mode: "events", Reader: ParserEvents, fits: isSse },
  { name: "ours", mode: "events", Reader: OurEvents, common: commonEvent },
  { name: "simple", mode: "state", Reader: SimpleState },
  { name: "best", mode: "state", Reader: BestState },
  { name: "eventsource-parser", mode: "state", Reader: ParserState, fits: isSse },
  { name: "ours", mode: "state", Reader: OurState, common: commonItem },
];

/** The variants of a mode that can read a workload. */
export function variantsFor(workload, mode) {
  return VARIANTS.filter((variant) => variant.mode === mode && (variant.fits?.(workload) ?? true));
}

/** Reads all chunks once. Gives a number that depends on what was read, so that nothing can be left out. */
export function readOnce({ mode, Reader }, workload, chunks) {
  const reader = new Reader(workload);
  let seen = 0;
  if (mode === "events") {
    for (const chunk of chunks) seen += reader.push(chunk).length;
    seen += reader.end().length;
  } else {
    for (const chunk of chunks) {
      reader.push(chunk);
      for (const item of reader.window(50)) seen += item.item;
    }
    reader.end();
    for (const item of reader.window(50)) seen += item.item;
  }
  reader.close?.();
  return seen;
}

const linesOf = (workload) => {
  const text = new TextDecoder().decode(workload.bytes);
  const lines = text.split("\n").filter((line) => line !== "");
  return isSse(workload) ? lines.map((line) => line.slice(6)) : lines;
};

/**
 * What no reader can beat, each a function that makes a run: what is prepared outside is not timed.
 *
 * @type {{ name: string, prepare: (workload: object, chunks: Uint8Array[]) => () => number }[]}
 */
export const BOUNDS = [
  {
    name: "memcpy",
    prepare(workload, chunks) {
      const target = new Uint8Array(1 << 20);
      return () => {
        for (const chunk of chunks) {
          for (let at = 0; at < chunk.length; at += target.length) target.set(chunk.subarray(at, at + target.length));
        }
        return target[0];
      };
    },
  },
  {
    name: "newline scan",
    prepare(workload, chunks) {
      return () => {
        let count = 0;
        for (const chunk of chunks) for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) count++;
        return count;
      };
    },
  },
  {
    name: "TextDecoder",
    prepare(workload, chunks) {
      return () => {
        const decoder = new TextDecoder();
        let length = 0;
        for (const chunk of chunks) length += decoder.decode(chunk, { stream: true }).length;
        return length;
      };
    },
  },
  {
    name: "JSON.parse",
    prepare(workload) {
      const lines = linesOf(workload);
      return () => {
        let count = 0;
        for (const line of lines) if (JSON.parse(line) !== null) count++;
        return count;
      };
    },
  },
];
