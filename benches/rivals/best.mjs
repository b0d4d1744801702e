// The best JavaScript we can write, honestly: one decode per chunk, lines read where they stand, an envelope memo, direct
// folding.
//
// The memo: lines of a stream mostly differ in one text and one id. If what stands around them equals, character by
// character, a line that JSON.parse accepted, and the two hold no quote, backslash or control character, then the
// line's value is that line's value with two strings replaced, and need not be parsed. A text with a backslash is
// parsed by itself. So the memo is exact, for lines it knows and for all others.

import { Events, State, mapping } from "./mapping.mjs";

/**
 * Chunks to text, one decode each and never with `stream`, which is slow in Node; a character that a chunk cuts waits as
 * bytes. Lines are put together from text: decoding a long line at once is slow in Chromium.
 */
class Decoder {
  #decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  #cut = new Uint8Array(0);
  #isFirst = true;

  push(chunk) {
    let bytes = chunk;
    if (this.#cut.length > 0) {
      bytes = new Uint8Array(this.#cut.length + chunk.length);
      bytes.set(this.#cut);
      bytes.set(chunk, this.#cut.length);
    }
    const end = wholeCharacters(bytes);
    this.#cut = bytes.subarray(end);
    return this.#text(end === bytes.length ? bytes : bytes.subarray(0, end));
  }

  end() {
    return this.#text(this.#cut);
  }

  #text(bytes) {
    const text = this.#decoder.decode(bytes);
    if (!this.#isFirst || text === "") return text;
    this.#isFirst = false;
    return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  }
}

/** Where the last character that is there as a whole ends. */
function wholeCharacters(bytes) {
  const { length } = bytes;
  for (let at = length - 1; at >= 0 && at >= length - 3; at--) {
    const byte = bytes[at];
    if (byte < 0x80) return length;
    if (byte < 0xc0) continue;
    const needed = byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
    return at + needed > length ? at : length;
  }
  return length;
}

const PLAIN = 0;
const ESCAPED = 1;
const BROKEN = 2;

/** What the inside of a JSON string holds. */
function inspect(text, from, to) {
  let found = PLAIN;
  for (let at = from; at < to; at++) {
    const unit = text.charCodeAt(at);
    if (unit === 92) {
      found = ESCAPED;
      // Whatever it escapes; a `u` and its digits pass as letters and are JSON.parse's to judge.
      if (++at === to) return BROKEN;
    } else if (unit === 34 || unit < 32) return BROKEN;
  }
  return found;
}

/** A line's surroundings: `before` TEXT `between` ID `after`; without an id `between` is empty and its length 0. */
class Envelope {
  constructor(before, between, idLength, after, kind, index) {
    this.before = before;
    this.between = between;
    this.idLength = idLength;
    this.after = after;
    this.kind = kind;
    this.index = index;
    this.overhead = before.length + between.length + idLength + after.length;
  }

  /** The text, if the line from `start` to `end` is this envelope. */
  match(text, start, end) {
    if (end - start < this.overhead) return undefined;
    const from = start + this.before.length;
    // slice and === on flat strings is the fastest comparison there is; startsWith is several times slower.
    if (text.slice(start, from) !== this.before) return undefined;
    const idEnd = end - this.after.length;
    if (text.slice(idEnd, end) !== this.after) return undefined;
    const idStart = idEnd - this.idLength;
    const to = idStart - this.between.length;
    if (text.slice(to, idStart) !== this.between) return undefined;
    if (this.idLength > 0 && inspect(text, idStart, idEnd) !== PLAIN) return undefined;
    const found = inspect(text, from, to);
    if (found === PLAIN) return text.slice(from, to);
    if (found === BROKEN) return undefined;
    return JSON.parse(text.slice(from - 1, to + 1));
  }

  /** The line with other strings in the two places. */
  with(text, id) {
    return `${this.before}${text}${this.between}${this.idLength > 0 ? id : ""}${this.after}`;
  }

  /**
   * The envelope of a line that was parsed. That text and id stand where this looked is tried out: with two other
   * strings in their places `memoOf` must find those.
   */
  static of(line, { text, id, kind, index }, memoOf) {
    const from = placeOf(line, text, 0);
    if (from < 0) return undefined;
    const to = from + JSON.stringify(text).length - 2;
    const before = flat(line.slice(0, from));
    let envelope;
    if (id === undefined) envelope = new Envelope(before, "", 0, flat(line.slice(to)), kind, index);
    else {
      const idFrom = placeOf(line, id, to + 1);
      if (idFrom < 0) return undefined;
      const idTo = idFrom + id.length;
      envelope = new Envelope(before, flat(line.slice(to, idFrom)), id.length, flat(line.slice(idTo)), kind, index);
    }
    const tried = memoOf(JSON.parse(envelope.with("tried text", "tried id")));
    const isRight = tried?.text === "tried text" && (id === undefined || tried.id === "tried id");
    return isRight && tried.kind === kind && tried.index === index ? envelope : undefined;
  }
}

/** Where the inside of a string value begins, from `start` on; negative if it is not there. */
function placeOf(line, value, start) {
  const quoted = JSON.stringify(value);
  const tight = line.indexOf(`:${quoted}`, start);
  if (tight >= 0) return tight + 2;
  const loose = line.indexOf(`: ${quoted}`, start);
  return loose < 0 ? -1 : loose + 3;
}

/** A copy of its own: comparing with a slice of a large text is slow, and would keep that text alive. */
function flat(text) {
  return JSON.parse(JSON.stringify(text));
}

/** Which of a record's strings is the text and which the id: what the memo of each dialect knows. */
const MEMOS = {
  vent: (frame) => {
    if (frame.type === "token") return { text: frame.content, kind: "agent" };
    if (frame.type === "thinking_token") return { text: frame.content, kind: "thought" };
  },
  evolve: ({ update }) => {
    if (update.content?.type !== "text") return undefined;
    if (update.sessionUpdate === "agent_message_chunk") return { text: update.content.text, kind: "agent" };
    if (update.sessionUpdate === "agent_thought_chunk") return { text: update.content.text, kind: "thought" };
  },
  claude: ({ type, event, uuid }) => {
    if (type !== "stream_event" || event.type !== "content_block_delta") return undefined;
    const { text, thinking, partial_json } = event.delta;
    const { index } = event;
    if (text !== undefined) return { text, id: uuid, kind: "piece", index };
    if (thinking !== undefined) return { text: thinking, id: uuid, kind: "piece", index };
    if (partial_json !== undefined) return { text: partial_json, id: uuid, kind: "input", index };
  },
};

/** What to do with a text whose envelope is known. */
const HITS = {
  vent: (records, { kind }, text) => records.piece(kind, text),
  evolve: (records, { kind }, text) => records.piece(kind, undefined, text),
  claude: (records, { kind, index }, text) => {
    if (kind === "piece") records.piece(index, text);
    else records.inputPiece(index, text);
  },
};

/** Lines to records, memo first. */
class Reader {
  #decoder = new Decoder();
  #rest = "";
  #records;
  #memoOf;
  #hit;
  #isSse;
  /** Of the newest delta and of the one before it, as texts and thoughts alternate. */
  #newest;
  #other;
  #data = [];

  constructor({ dialect, container }, sink) {
    this.#records = mapping(dialect, sink);
    this.#memoOf = MEMOS[dialect];
    this.#hit = HITS[dialect];
    this.#isSse = container === "sse";
  }

  push(chunk) {
    this.#read(this.#decoder.push(chunk));
  }

  end() {
    this.#read(this.#decoder.end());
    if (this.#rest !== "") this.#read("\n");
    if (this.#data.length > 0) this.#event();
  }

  /** Only the line that a chunk cut is put together; all others are read where they stand. */
  #read(text) {
    let end = text.indexOf("\n");
    if (end < 0) {
      this.#rest += text;
      return;
    }
    let start = 0;
    if (this.#rest !== "") {
      const line = this.#rest + text.slice(0, end);
      this.#rest = "";
      this.#line(line, 0, line.length);
      start = end + 1;
      end = text.indexOf("\n", start);
    }
    while (end >= 0) {
      this.#line(text, start, end);
      start = end + 1;
      end = text.indexOf("\n", start);
    }
    this.#rest = text.slice(start);
  }

  #line(text, start, end) {
    if (this.#isSse) this.#sseLine(text, start, end);
    else if (end > start) this.#json(text, start, end);
  }

  /** Events of one data line, nearly all, are read where they stand; the blank line after them finds nothing to do. */
  #sseLine(text, start, end) {
    if (start === end) {
      if (this.#data.length > 0) this.#event();
      return;
    }
    if (!text.startsWith("data:", start)) return;
    const from = text.charCodeAt(start + 5) === 32 ? start + 6 : start + 5;
    const isAlone = text.charCodeAt(end + 1) === 10 && end + 1 < text.length;
    if (isAlone && this.#data.length === 0) this.#json(text, from, end);
    else this.#data.push(text.slice(from, end));
  }

  #event() {
    const json = this.#data.join("\n");
    this.#data = [];
    this.#json(json, 0, json.length);
  }

  #json(text, start, end) {
    const newest = this.#newest;
    if (newest !== undefined) {
      const piece = newest.match(text, start, end);
      if (piece !== undefined) return this.#hit(this.#records, newest, piece);
      const other = this.#other;
      if (other !== undefined) {
        const piece = other.match(text, start, end);
        if (piece !== undefined) {
          this.#newest = other;
          this.#other = newest;
          return this.#hit(this.#records, other, piece);
        }
      }
    }
    this.#parse(text.slice(start, end));
  }

  #parse(line) {
    const record = JSON.parse(line);
    this.#records.record(record);
    const memo = this.#memoOf(record);
    if (memo === undefined) return;
    const envelope = Envelope.of(line, memo, this.#memoOf);
    if (envelope === undefined) return;
    this.#other = this.#newest;
    this.#newest = envelope;
  }
}

/** Events of each chunk. */
export class BestEvents {
  #sink = new Events();
  #reader;

  constructor(workload) {
    this.#reader = new Reader(workload, this.#sink);
  }

  push(chunk) {
    this.#reader.push(chunk);
    return this.#sink.take();
  }

  end() {
    this.#reader.end();
    return this.#sink.take();
  }
}

/** State, folded without events between. */
export class BestState {
  #sink = new State();
  #reader;

  constructor(workload) {
    this.#reader = new Reader(workload, this.#sink);
  }

  push(chunk) {
    this.#reader.push(chunk);
  }

  end() {
    this.#reader.end();
  }

  window(count) {
    return this.#sink.items.slice(-count);
  }

  items() {
    return this.#sink.items;
  }
}
