//! Strings: decoding escapes, and what becomes of surrogate halves.
//!
//! JSON may spell one half of a UTF-16 pair, and a stream may cut a pair in two between deltas. Halves at the ends of a
//! string are kept apart for the neighbour to complete; a half inside can never be completed and becomes U+FFFD.

use std::borrow::Cow;
use std::mem::MaybeUninit;

use super::lanes::{BLOCK, RUN, backslashes, escapes, find_backslash, plain_run};

/// A decoded string piece. Half a surrogate pair at an end is kept apart so that the next piece can complete it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Text<'a> {
    /// The characters between the halves. Borrowed when the source spelled no escape.
    pub text: Cow<'a, str>,
    /// A low half (`DC00..=DFFF`) the piece starts with.
    pub leading_low: Option<u16>,
    /// A high half (`D800..=DBFF`) the piece ends with.
    pub trailing_high: Option<u16>,
    /// A lone half inside became U+FFFD.
    pub replaced: bool,
}

impl<'a> Text<'a> {
    /// A piece without halves.
    pub fn plain(text: &'a str) -> Text<'a> {
        Text { text: Cow::Borrowed(text), ..Text::default() }
    }

    /// Neither a character nor a half.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty() && self.leading_low.is_none() && self.trailing_high.is_none()
    }

    /// The characters alone, each half as U+FFFD.
    pub fn into_cow(self) -> Cow<'a, str> {
        if self.leading_low.is_none() && self.trailing_high.is_none() {
            return self.text;
        }
        let mut whole = String::with_capacity(self.text.len() + 6);
        whole.extend(self.leading_low.map(|_| char::REPLACEMENT_CHARACTER));
        whole.push_str(&self.text);
        whole.extend(self.trailing_high.map(|_| char::REPLACEMENT_CHARACTER));
        Cow::Owned(whole)
    }
}

impl<'a> From<&'a str> for Text<'a> {
    fn from(text: &'a str) -> Text<'a> {
        Text::plain(text)
    }
}

/// The character two halves of a surrogate pair make; `None` when they are not a high and a low one.
pub fn join_halves(high: u16, low: u16) -> Option<char> {
    if !is_high(high) || !is_low(low) {
        return None;
    }
    char::from_u32(0x1_0000 + ((u32::from(high) & 0x3ff) << 10 | u32::from(low) & 0x3ff))
}

/// A JSON text whose lone surrogate escapes are replaced by `\ufffd`; borrowed when there are none.
///
/// The rest stays byte for byte. Meant for validated text; on other text it replaces what looks like such an escape.
pub fn repair(raw: &str) -> Cow<'_, str> {
    let Some(mut lone) = next_lone_half(raw, 0) else { return Cow::Borrowed(raw) };
    let mut out = String::with_capacity(raw.len());
    let mut copied = 0;
    loop {
        out.push_str(raw.get(copied..lone).unwrap_or(""));
        out.push_str("\\ufffd");
        copied = lone + 6;
        match next_lone_half(raw, copied) {
            Some(next) => lone = next,
            None => break,
        }
    }
    out.push_str(raw.get(copied..).unwrap_or(""));
    Cow::Owned(out)
}

/// Index of the backslash of the first lone half at or after `at`.
///
/// Backslashes stand in strings only and a quote parts two strings, so structure need not be looked at.
pub(super) fn next_lone_half(raw: &str, mut at: usize) -> Option<usize> {
    let bytes = raw.as_bytes();
    loop {
        at = find_backslash(bytes, at);
        if at >= bytes.len() {
            return None;
        }
        match escaped_unit(bytes, at) {
            Some(unit) if is_low(unit) => return Some(at),
            Some(unit) if is_high(unit) => {
                if !escaped_unit(bytes, at + 6).is_some_and(is_low) {
                    return Some(at);
                }
                at += 12;
            }
            Some(_) => at += 6,
            None => at += 2,
        }
    }
}

#[inline(always)]
pub(super) fn is_high(unit: u16) -> bool {
    unit & 0xfc00 == 0xd800
}

#[inline(always)]
pub(super) fn is_low(unit: u16) -> bool {
    unit & 0xfc00 == 0xdc00
}

/// The four hexadecimal digits at `at`.
#[inline]
pub(super) fn hex(bytes: &[u8], at: usize) -> Option<u16> {
    let digits = bytes.get(at..)?.first_chunk::<4>()?;
    let mut unit = 0;
    for digit in digits {
        unit = unit << 4 | char::from(*digit).to_digit(16)?;
    }
    u16::try_from(unit).ok()
}

/// The unit a `\uXXXX` at `at` names; `None` when none stands there.
#[inline]
fn escaped_unit(bytes: &[u8], at: usize) -> Option<u16> {
    match bytes.get(at..)?.first_chunk::<2>()? {
        b"\\u" => hex(bytes, at + 2),
        _ => None,
    }
}

/// Decodes what stands between the quotes of a validated string.
pub(crate) fn decode(raw: &str) -> Text<'_> {
    let first = find_backslash(raw.as_bytes(), 0);
    if first >= raw.len() { Text::plain(raw) } else { decode_escaped(raw, first) }
}

fn decode_escaped(raw: &str, first: usize) -> Text<'_> {
    let mut piece = Text::default();
    let (plain, escaped) = raw.as_bytes().split_at_checked(first).unwrap_or_default();
    let mut out = Vec::with_capacity(raw.len() + STEP);
    out.extend_from_slice(plain);
    let free = out.spare_capacity_mut();
    let written = free.len() - decode_into(free, raw.as_bytes(), escaped, &mut piece);
    // SAFETY: so many of the free bytes have been written, one behind the other.
    unsafe { out.set_len(out.len() + written) };
    // SAFETY: `raw` is UTF-8. Left out of it are backslashes, alone or with the ASCII characters of their escape behind
    // them, so every cut is a character boundary; what takes their place are whole characters. Nothing was left out for
    // want of room: no escape is shorter than what it stands for.
    piece.text = Cow::Owned(unsafe { String::from_utf8_unchecked(out) });
    piece
}

/// Bytes read at once: a short escape and a block behind it.
const STEP: usize = 2 + RUN;

/// Decodes the end of a string, from a backslash on, into the start of `room`, and tells how much room is left.
///
/// Nothing counts but the two slices: through a `Vec` it took half as many instructions again.
fn decode_into(
    mut room: &mut [MaybeUninit<u8>],
    whole: &[u8],
    mut rest: &[u8],
    piece: &mut Text<'_>,
) -> usize {
    loop {
        (room, rest) = decode_blocks(room, rest);
        if rest.first() != Some(&b'\\') {
            (room, rest) = copy_run(room, rest);
        }
        (room, rest) = decode_steps(room, rest);
        if rest.len() < 2 {
            return room.len();
        }
        // Long escapes mostly follow each other.
        while let [b'\\', escape, ..] = rest {
            let (length, character) = match SHORT_ESCAPES[usize::from(*escape)] {
                0 => decode_unit(whole, whole.len() - rest.len(), piece),
                byte => (2, Some(char::from(byte))),
            };
            if let Some(character) = character {
                room = put(room, character.encode_utf8(&mut [0; 4]).as_bytes());
            }
            rest = rest.get(length..).unwrap_or_default();
        }
    }
}

/// Decodes by the block as long as there are blocks and short escapes; what is left begins with a long escape or is short.
///
/// Where the escapes of a block begin is known before any of them is decoded, so that none waits for the run before it,
/// and a run of up to [`HALF`] bytes is copied without a look at its length.
fn decode_blocks<'r, 's>(mut room: Room<'r>, mut rest: &'s [u8]) -> (Room<'r>, &'s [u8]) {
    while let Some(window) = rest.first_chunk::<WINDOW>()
        && let Some(out) = room.first_chunk_mut::<WINDOW>()
    {
        let (mut from, mut to) = (0, 0);
        let mut marked = window.first_chunk().map_or(0, |block| escapes(backslashes(block)));
        while marked != 0 {
            let at = marked.trailing_zeros() as usize;
            let byte = SHORT_ESCAPES[usize::from(window[at + 1])];
            copy_part(out, to, window, from, at);
            to += at - from;
            from = at;
            if byte == 0 {
                break;
            }
            out[to].write(byte);
            to += 1;
            from += 2;
            marked &= marked - 1;
        }
        if marked == 0 && from < BLOCK {
            copy_part(out, to, window, from, BLOCK);
            to += BLOCK - from;
            from = BLOCK;
        }
        room = room.get_mut(to..).unwrap_or_default();
        rest = rest.get(from..).unwrap_or_default();
        if marked != 0 {
            break;
        }
    }
    (room, rest)
}

/// Copied at once, whatever is wanted of it.
const HALF: usize = BLOCK / 2;
/// A block, the end of its last escape, and what is copied beyond it.
const WINDOW: usize = BLOCK + 2 + HALF;

/// Copies what stands in a block between two places, and what happens to stand behind it. `to` is not beyond `from`, and
/// neither is beyond an escape that the block ends in.
#[inline(always)]
fn copy_part(out: &mut [MaybeUninit<u8>; WINDOW], to: usize, window: &[u8; WINDOW], from: usize, end: usize) {
    debug_assert!(to <= from && from <= BLOCK + 1 && end <= BLOCK);
    let mut copy_half = |to: usize, from: usize| {
        // SAFETY: a window has room for a half from `BLOCK + 1` on, and `from` is not beyond that: a block's last escape
        // begins before `BLOCK` and is two bytes long, and a second half begins before `end`. `to` is not beyond `from`,
        // since an escape becomes one byte. With two checks of both it takes a quarter longer.
        let (source, place) =
            unsafe { (window.get_unchecked(from..from + HALF), out.get_unchecked_mut(to..to + HALF)) };
        place.write_copy_of_slice(source);
    };
    copy_half(to, from);
    if end.saturating_sub(from) > HALF {
        copy_half(to + HALF, from + HALF);
    }
}

/// Decodes what is too short for a block: an escape and the run behind it are one step, whose block is written whole
/// before it is known how much of it stays.
#[inline(always)]
fn decode_steps<'r, 's>(mut room: Room<'r>, mut rest: &'s [u8]) -> (Room<'r>, &'s [u8]) {
    while let Some([b'\\', escape, block @ ..]) = rest.first_chunk::<STEP>()
        && let Some([first, run @ ..]) = room.first_chunk_mut::<{ 1 + RUN }>()
    {
        let byte = SHORT_ESCAPES[usize::from(*escape)];
        if byte == 0 {
            break;
        }
        let plain = plain_run(block);
        first.write(byte);
        run.write_copy_of_slice(block);
        room = room.get_mut(1 + plain..).unwrap_or_default();
        rest = rest.get(2 + plain..).unwrap_or_default();
        if plain == RUN {
            (room, rest) = copy_run(room, rest);
        }
    }
    (room, rest)
}

type Room<'r> = &'r mut [MaybeUninit<u8>];

/// Copies what stands before the next backslash.
#[inline(never)]
fn copy_run<'r, 's>(mut room: Room<'r>, mut rest: &'s [u8]) -> (Room<'r>, &'s [u8]) {
    while let Some(block) = rest.first_chunk::<RUN>()
        && let Some(run) = room.first_chunk_mut::<RUN>()
    {
        run.write_copy_of_slice(block);
        let plain = plain_run(block);
        room = room.get_mut(plain..).unwrap_or_default();
        rest = rest.get(plain..).unwrap_or_default();
        if plain < RUN {
            return (room, rest);
        }
    }
    let plain = rest.iter().position(|byte| *byte == b'\\').unwrap_or(rest.len());
    let (run, rest) = rest.split_at_checked(plain).unwrap_or_default();
    (put(room, run), rest)
}

/// Writes the bytes to the start of the room, which is there, and gives what is left.
#[inline(always)]
fn put<'r>(room: Room<'r>, bytes: &[u8]) -> Room<'r> {
    let Some((start, room)) = room.split_at_mut_checked(bytes.len()) else { return &mut [] };
    for (to, byte) in start.iter_mut().zip(bytes) {
        to.write(*byte);
    }
    room
}

/// What each escape of two characters stands for, 0 where it is a longer one. A table, since no branch foresees them.
pub(super) static SHORT_ESCAPES: [u8; 256] = {
    let mut table = [0; 256];
    let pairs = [(b'n', b'\n'), (b't', b'\t'), (b'r', b'\r'), (b'b', 8), (b'f', 12)];
    let mut at = 0;
    while at < pairs.len() {
        table[pairs[at].0 as usize] = pairs[at].1;
        at += 1;
    }
    table[b'"' as usize] = b'"';
    table[b'\\' as usize] = b'\\';
    table[b'/' as usize] = b'/';
    table
};

/// What the `\uXXXX` at `at`, or the pair of them, stands for, and its length.
#[inline(never)]
fn decode_unit(bytes: &[u8], at: usize, piece: &mut Text<'_>) -> (usize, Option<char>) {
    let after = at + 6;
    let Some(unit) = escaped_unit(bytes, at) else {
        // Never in validated text. What follows the backslash may be any character, so both stay.
        return (1, Some('\\'));
    };
    if let Some(character) = char::from_u32(u32::from(unit)) {
        return (6, Some(character));
    }
    if let Some(character) = escaped_unit(bytes, after).and_then(|low| join_halves(unit, low)) {
        return (12, Some(character));
    }
    if is_high(unit) && after == bytes.len() {
        piece.trailing_high = Some(unit);
    } else if is_low(unit) && at == 0 {
        piece.leading_low = Some(unit);
    } else {
        piece.replaced = true;
        return (6, Some(char::REPLACEMENT_CHARACTER));
    }
    (6, None)
}
