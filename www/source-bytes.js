// Source bytes as people can read them: text with the unprintable made visible, or a hex dump.

import { h } from "./dom.js";

const HEX_ROWS = 256;
const SHOWN_TEXT_BYTES = 32 << 10;

/** The bytes as text. Control characters get their pictures, bytes that are no UTF-8 stand as marked hex. */
export function textOf(bytes) {
  const pre = h("pre", { class: "bytes text" });
  const shown = bytes.subarray(0, SHOWN_TEXT_BYTES);
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let from = 0;
  while (from < shown.length) {
    const end = validUpTo(shown, from);
    if (end > from) pre.append(...visible(decoder.decode(shown.subarray(from, end))));
    from = end;
    if (from < shown.length) pre.append(h("span", { class: "byte", title: "not UTF-8" }, hex(shown[from++])));
  }
  if (shown.length < bytes.length)
    pre.append(h("span", { class: "byte" }, `… ${bytes.length - shown.length} more bytes`));
  return pre;
}

/** Where the valid UTF-8 that begins at `from` ends. */
function validUpTo(bytes, from) {
  let at = from;
  while (at < bytes.length) {
    const length = sequenceAt(bytes, at);
    if (length === 0) break;
    at += length;
  }
  return at;
}

function sequenceAt(bytes, at) {
  const first = bytes[at];
  if (first < 0x80) return 1;
  const length =
    first >= 0xc2 && first < 0xe0 ? 2 : first >= 0xe0 && first < 0xf0 ? 3 : first >= 0xf0 && first < 0xf5 ? 4 : 0;
  if (length === 0 || at + length > bytes.length) return 0;
  for (let next = 1; next < length; next++) if ((bytes[at + next] & 0xc0) !== 0x80) return 0;
  const second = bytes[at + 1];
  // Overlong forms, surrogates, beyond U+10FFFF: well-shaped, yet no UTF-8.
  if ((first === 0xe0 && second < 0xa0) || (first === 0xed && second > 0x9f)) return 0;
  if ((first === 0xf0 && second < 0x90) || (first === 0xf4 && second > 0x8f)) return 0;
  return length;
}

function visible(text) {
  return text.split(/([\0-\x08\x0b-\x1f\x7f\u2028\u2029\ufeff])/).map((piece, at) => {
    if (at % 2 === 0) return piece;
    const code = piece.codePointAt(0);
    const picture = code < 0x20 ? String.fromCodePoint(0x2400 + code) : code === 0x7f ? "\u2421" : `U+${hex(code)}`;
    return h("span", { class: "byte" }, picture);
  });
}

const hex = (number, digits = 2) => number.toString(16).toUpperCase().padStart(digits, "0");

/** The bytes as offset, hex and ASCII. */
export function hexOf(bytes, offset) {
  const rows = [];
  for (let at = 0; at < bytes.length && rows.length < HEX_ROWS; at += 16) {
    const row = [...bytes.subarray(at, at + 16)];
    const ascii = row.map((byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : "·")).join("");
    rows.push(
      `${hex(offset + at, 8)}  ${row
        .map((byte) => hex(byte))
        .join(" ")
        .padEnd(47)}  ${ascii}`,
    );
  }
  if (bytes.length > HEX_ROWS * 16) rows.push(`… ${bytes.length - HEX_ROWS * 16} more bytes`);
  return h("pre", { class: "bytes hex" }, rows.join("\n"));
}
