//! Stepping over JSON that [`validate`](super::validate) has already passed.
//!
//! Grammar is taken for granted, memory is not: on any bytes these functions end, stay inside the slice and never panic;
//! on text that was never validated they give a wrong span, nothing worse.

use super::lanes::{find_quote_or_backslash, find_quote_or_bracket};

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
    let mut escaped = false;
    let mut at = open + 1;
    loop {
        at = find_quote_or_backslash(bytes, at);
        match bytes.get(at) {
            Some(b'"') => return StringEnd { after: at + 1, escaped },
            Some(_) => {
                escaped = true;
                at += 2;
            }
            None => return StringEnd { after: bytes.len(), escaped },
        }
    }
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

fn container(bytes: &[u8], mut at: usize) -> usize {
    let mut depth = 0usize;
    loop {
        at = find_quote_or_bracket(bytes, at);
        match bytes.get(at) {
            Some(b'"') => at = string(bytes, at).after,
            Some(b'{' | b'[') => {
                depth += 1;
                at += 1;
            }
            Some(_) => {
                at += 1;
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return at;
                }
            }
            None => return bytes.len(),
        }
    }
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
