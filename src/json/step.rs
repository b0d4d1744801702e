//! Stepping over JSON that [`validate`](super::validate) has already passed.
//!
//! Grammar is taken for granted, memory is not: on any bytes these functions end, stay inside the slice and never panic;
//! on text that was never validated they give a wrong span, nothing worse.

use super::lanes::{BLOCK, find_string_stop, parity, probe_quote_or_backslash, probe_string_stop, shape};
use super::value::Value;

/// First index at or after `at` that holds no JSON whitespace.
#[inline(always)]
pub(super) fn whitespace(bytes: &[u8], mut at: usize) -> usize {
    while let Some(b' ' | b'\n' | b'\r' | b'\t') = bytes.get(at) {
        at += 1;
    }
    at
}

/// End of a string, and whether it holds an escape.
#[derive(Clone, Copy)]
pub(super) struct StringEnd {
    /// Index behind the closing quote.
    pub after: usize,
    pub escaped: bool,
}

/// Steps over the string whose opening quote is at `open`.
#[inline]
pub(super) fn string(bytes: &[u8], open: usize) -> StringEnd {
    match probe_quote_or_backslash(bytes, open + 1) {
        Some(quote) if bytes.get(quote) == Some(&b'"') => StringEnd { after: quote + 1, escaped: false },
        _ => long_string(bytes, open),
    }
}

/// Steps over a string from its opening quote on. Escapes are masked away, so they cost the same as other text.
#[inline(never)]
fn long_string(bytes: &[u8], open: usize) -> StringEnd {
    let mut at = open + 1;
    let (mut carry, mut backslashes) = (0, 0);
    while let Some(shape) = shape(bytes, at) {
        let quotes = shape.quotes & !shape.escaped(&mut carry);
        if quotes != 0 {
            let end = quotes.trailing_zeros();
            backslashes |= shape.backslashes & ((1 << end) - 1);
            return StringEnd { after: at + end as usize + 1, escaped: backslashes != 0 };
        }
        backslashes |= shape.backslashes;
        at += BLOCK;
    }
    StringEnd { after: bytes.len(), escaped: backslashes != 0 }
}

/// The inside of a string that begins behind its quote at `at`, checked for grammar and encoding, and whether it holds
/// escapes. `None` where no string ends there. Of bytes nobody has looked at before.
#[inline]
pub(crate) fn string_inside(bytes: &[u8], at: usize) -> Option<(&str, bool)> {
    let stop = probe_string_stop(bytes, at).unwrap_or_else(|| find_string_stop(bytes, at));
    match bytes.get(stop)? {
        b'"' => Some((std::str::from_utf8(bytes.get(at..stop)?).ok()?, false)),
        b'\\' => escaped_inside(bytes, at),
        _ => None,
    }
}

#[inline(never)]
fn escaped_inside(bytes: &[u8], at: usize) -> Option<(&str, bool)> {
    let open = at.checked_sub(1)?;
    let whole = bytes.get(open..long_string(bytes, open).after)?;
    let value = Value::parse(std::str::from_utf8(whole).ok()?).ok()?;
    Some((value.str_raw()?, true))
}

/// Index behind the value that starts at `at`.
#[inline]
pub(super) fn value(bytes: &[u8], at: usize) -> usize {
    match bytes.get(at) {
        Some(b'"') => string(bytes, at).after,
        Some(b'{' | b'[') => container(bytes, at),
        _ => scalar(bytes, at),
    }
}

/// Counts brackets outside strings, a block at a time; within a block only where the last one may close.
#[inline(never)]
fn container(bytes: &[u8], mut at: usize) -> usize {
    let (mut depth, mut carry, mut in_string) = (0u64, 0, 0u64);
    while let Some(shape) = shape(bytes, at) {
        let quotes = shape.quotes & !shape.escaped(&mut carry);
        let inside = parity(quotes) ^ in_string;
        in_string = if inside >> (BLOCK - 1) == 1 { u64::MAX } else { 0 };
        let (opens, closes) = (shape.opens & !inside, shape.closes & !inside);
        let closing = u64::from(closes.count_ones());
        if closing < depth {
            depth = depth + u64::from(opens.count_ones()) - closing;
        } else {
            let mut rest = opens | closes;
            while rest != 0 {
                let bit = rest & rest.wrapping_neg();
                depth = if opens & bit != 0 { depth + 1 } else { depth.saturating_sub(1) };
                if depth == 0 {
                    return at + bit.trailing_zeros() as usize + 1;
                }
                rest &= rest - 1;
            }
        }
        at += BLOCK;
    }
    bytes.len()
}

#[inline]
fn scalar(bytes: &[u8], mut at: usize) -> usize {
    while let Some(byte) = bytes.get(at) {
        if matches!(byte, b',' | b']' | b'}' | b' ' | b'\n' | b'\r' | b'\t') {
            break;
        }
        at += 1;
    }
    at
}
