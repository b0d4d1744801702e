// The bytes of one file as they came, so that any range of them can be shown again.

// Bytes beyond are read and shown, but their source can no longer be looked up.
const KEPT_BYTES = 64 << 20;

export class KeptBytes {
  chunks = [];
  length = 0;
  #starts = [];
  #kept = 0;

  /** `name`: the file's, as a source names it. */
  constructor(name) {
    this.name = name;
  }

  add(chunk) {
    if (this.#kept + chunk.length <= KEPT_BYTES && this.complete) {
      this.#starts.push(this.length);
      this.chunks.push(chunk);
      this.#kept += chunk.length;
    }
    this.length += chunk.length;
  }

  /** Whether all bytes are still here. */
  get complete() {
    return this.#kept === this.length;
  }

  /** All bytes in one piece. */
  all() {
    return this.range(0, this.#kept);
  }

  /** The bytes of a source range; shorter where they were not kept. */
  range(offset, length) {
    const end = Math.min(offset + length, this.#kept);
    const bytes = new Uint8Array(Math.max(0, end - offset));
    let at = this.#chunkOf(offset);
    for (let from = offset; from < end; at++) {
      const piece = this.chunks[at].subarray(from - this.#starts[at], end - this.#starts[at]);
      bytes.set(piece, from - offset);
      from += piece.length;
    }
    return bytes;
  }

  #chunkOf(offset) {
    let [low, high] = [0, this.#starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#starts[middle] <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}
