//! The one pass that checks a text against RFC 8259, with an explicit stack of one bit per open container.
//!
//! Wider than the RFC's examples in nothing: any depth, any legal number, duplicate keys and escapes of lone surrogate
//! halves are legal JSON. UTF-8 is not checked here, `&str` says it.

use super::lanes::{BLOCK, escapes, find_string_stop, probe_string_stop, string_shape, usual_escapes};
use super::spans::{Spans, Writer};
use super::step;
use super::text::{SHORT_ESCAPES, hex, is_high, is_low};

/// Why a text is not JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Invalid {
    /// Byte in the text that does not fit; the text's length when it ends too early. A character boundary.
    pub offset: usize,
    /// `json.invalid`, or `json.truncated` when more text could still make it valid.
    pub code: &'static str,
    /// One sentence part for people.
    pub message: &'static str,
}

impl core::fmt::Display for Invalid {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{} at byte {}", self.message, self.offset)
    }
}

impl core::error::Error for Invalid {}

/// Where the validated value lies.
pub(super) struct Found {
    pub start: usize,
    pub end: usize,
    /// No string in it holds half a surrogate pair.
    pub strict: bool,
    /// The notes on it are whole.
    pub noted: bool,
}

/// Finds the first value of the text, whitespace before it allowed. Fills `spans`, if it is given and holds them.
pub(super) fn first_value(text: &str, mut spans: Option<&mut Spans>) -> Result<Found, Invalid> {
    let bytes = text.as_bytes();
    let start = step::whitespace(bytes, 0);
    let notes = Writer::of(spans.as_deref_mut(), text.len());
    let mut pass = Pass { bytes, at: start, strict: true, notes };
    let read = pass.value();
    let Pass { at: end, strict, notes, .. } = pass;
    let noted = notes.whole;
    notes.finish(spans);
    read.map(|()| Found { start, end, strict, noted })
}

/// The error for text at `offset` that follows a complete value.
pub(super) fn trailing(offset: usize) -> Invalid {
    Invalid { offset, code: "json.invalid", message: "more text after the value" }
}

/// Open containers, innermost in the lowest bit of `word`; words are spilled only past sixty-four levels.
#[derive(Clone, Copy, Default)]
struct Nesting {
    word: u64,
    depth: usize,
}

impl Nesting {
    #[inline(always)]
    fn push(&mut self, object: bool, spilled: &mut Vec<u64>) {
        if self.depth != 0 && self.depth.is_multiple_of(64) {
            spilled.push(self.word);
        }
        self.word = self.word << 1 | u64::from(object);
        self.depth += 1;
    }

    #[inline(always)]
    fn pop(&mut self, spilled: &mut Vec<u64>) {
        self.depth = self.depth.saturating_sub(1);
        self.word >>= 1;
        if self.depth != 0 && self.depth.is_multiple_of(64) {
            self.word = spilled.pop().unwrap_or(0);
        }
    }

    #[inline(always)]
    fn in_object(&self) -> bool {
        self.word & 1 == 1
    }
}

/// The pass, in registers: what is not inlined into it gets no reference to it, since every note written would then make
/// it read its place again.
struct Pass<'a> {
    bytes: &'a [u8],
    at: usize,
    strict: bool,
    notes: Writer,
}

impl Pass<'_> {
    /// Notes what ends here and holds nothing else.
    #[inline(always)]
    fn leaf(&mut self, start: usize, escaped: bool) {
        self.notes.leaf(start, self.at, escaped);
    }

    #[inline(always)]
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    #[inline(always)]
    fn whitespace(&mut self) {
        self.at = step::whitespace(self.bytes, self.at);
    }

    #[inline(always)]
    fn unexpected<T>(&self, message: &'static str) -> Result<T, Invalid> {
        Err(unexpected(self.bytes, self.at, message))
    }

    #[inline(always)]
    fn value(&mut self) -> Result<(), Invalid> {
        let (mut nesting, mut spilled) = (Nesting::default(), Vec::new());
        loop {
            let start = self.at;
            match self.peek() {
                Some(b'"') => {
                    let escaped = self.string()?;
                    self.leaf(start, escaped);
                }
                Some(b'{') => {
                    self.at += 1;
                    self.whitespace();
                    if self.peek() != Some(b'}') {
                        nesting.push(true, &mut spilled);
                        self.notes.open(start);
                        self.key()?;
                        continue;
                    }
                    self.at += 1;
                    self.leaf(start, false);
                }
                Some(b'[') => {
                    self.at += 1;
                    self.whitespace();
                    if self.peek() != Some(b']') {
                        nesting.push(false, &mut spilled);
                        self.notes.open(start);
                        continue;
                    }
                    self.at += 1;
                    self.leaf(start, false);
                }
                Some(b' ' | b'\n' | b'\r' | b'\t') => {
                    self.whitespace();
                    continue;
                }
                _ => {
                    self.scalar()?;
                    self.leaf(start, false);
                    if nesting.depth == 0 {
                        return self.delimiter();
                    }
                }
            }
            if self.closers(&mut nesting, &mut spilled)? {
                return Ok(());
            }
        }
    }

    /// After a value: closes what closes here. `true` when nothing is open any more, `false` when a value must follow.
    #[inline(always)]
    fn closers(&mut self, nesting: &mut Nesting, spilled: &mut Vec<u64>) -> Result<bool, Invalid> {
        while nesting.depth != 0 {
            match (self.peek(), nesting.in_object()) {
                (Some(b','), in_object) => {
                    self.at += 1;
                    if in_object {
                        self.key()?;
                    }
                    return Ok(false);
                }
                (Some(b'}'), true) | (Some(b']'), false) => {
                    self.at += 1;
                    nesting.pop(spilled);
                    self.notes.close(self.at);
                }
                (Some(b' ' | b'\n' | b'\r' | b'\t'), _) => self.whitespace(),
                (_, true) => return self.unexpected("expected ',' or '}'"),
                (_, false) => return self.unexpected("expected ',' or ']'"),
            }
        }
        Ok(true)
    }

    /// A key, its colon, and the whitespace before both.
    #[inline(always)]
    fn key(&mut self) -> Result<(), Invalid> {
        self.find(b'"', "expected a key in quotes")?;
        let start = self.at + 1;
        let escaped = self.string()?;
        self.notes.leaf(start, self.at - 1, escaped);
        self.find(b':', "expected ':'")?;
        self.at += 1;
        Ok(())
    }

    /// Steps over whitespace, of which there mostly is none, to a byte that must follow.
    #[inline(always)]
    fn find(&mut self, wanted: u8, otherwise: &'static str) -> Result<(), Invalid> {
        if self.peek() != Some(wanted) {
            self.whitespace();
            if self.peek() != Some(wanted) {
                return self.unexpected(otherwise);
            }
        }
        Ok(())
    }

    /// At its quote. Returns whether it holds escapes.
    #[inline(always)]
    fn string(&mut self) -> Result<bool, Invalid> {
        self.at += 1;
        match probe_string_stop(self.bytes, self.at) {
            Some(stop) if self.bytes.get(stop) == Some(&b'"') => {
                self.at = stop + 1;
                Ok(false)
            }
            _ => {
                let string = long_string(self.bytes, self.at)?;
                self.at = string.at;
                self.strict &= string.strict;
                Ok(string.escaped)
            }
        }
    }

    #[inline(always)]
    fn scalar(&mut self) -> Result<(), Invalid> {
        self.at = scalar(self.bytes, self.at)?;
        Ok(())
    }

    /// A number or word at top level must not run into the next token: `12abc` is not 12 followed by something.
    fn delimiter(&self) -> Result<(), Invalid> {
        match self.peek() {
            None | Some(b' ' | b'\n' | b'\r' | b'\t' | b'"' | b'[' | b']' | b'{' | b'}' | b',' | b':') => {
                Ok(())
            }
            Some(_) => self.unexpected("expected the end of a number or word"),
        }
    }
}

/// A string that is long or holds escapes, while it is read: from its first character on.
struct LongString<'a> {
    bytes: &'a [u8],
    /// In the end behind its quote.
    at: usize,
    strict: bool,
    escaped: bool,
}

#[inline(never)]
fn long_string(bytes: &[u8], at: usize) -> Result<LongString<'_>, Invalid> {
    let mut string = LongString { bytes, at, strict: true, escaped: false };
    string.read()?;
    Ok(string)
}

impl LongString<'_> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn unexpected<T>(&self, message: &'static str) -> Result<T, Invalid> {
        Err(unexpected(self.bytes, self.at, message))
    }

    /// A block at a time. On trouble the careful loop finds the exact place.
    #[inline(always)]
    fn read(&mut self) -> Result<(), Invalid> {
        let start = self.at;
        let (mut block, mut any_escape) = (start, 0);
        while let Some(shape) = string_shape(self.bytes, block) {
            let begun = escapes(shape.backslashes);
            let quotes = shape.quotes & !(begun << 1);
            // All bits when there is no quote: then the string covers the block.
            let covered = (quotes & quotes.wrapping_neg()).wrapping_sub(1);
            // A quote or backslash behind a backslash needs no look.
            let letters = (begun & covered) << 1 & !(shape.quotes | shape.backslashes);
            if shape.controls & covered != 0 || !self.escapes(block, letters) {
                break;
            }
            any_escape |= begun & covered;
            if quotes != 0 {
                self.at = block + quotes.trailing_zeros() as usize + 1;
                self.escaped = any_escape != 0;
                return Ok(());
            }
            block += BLOCK;
            // An escape across the end of the block: the next one begins behind it.
            if begun >> (BLOCK - 1) != 0 {
                if !self.is_escape(block) {
                    break;
                }
                block += 1;
            }
        }
        self.at = start;
        self.careful_string()
    }

    /// Checks the escapes whose second bytes are marked in the block; `false` when one is none.
    #[inline(always)]
    fn escapes(&mut self, block: usize, mut marked: u64) -> bool {
        // Many are looked at together.
        if marked & marked.wrapping_sub(1) != 0
            && let Some(bytes) = self.bytes.get(block..).and_then(|rest| rest.first_chunk())
        {
            marked &= !usual_escapes(bytes);
        }
        while marked != 0 {
            if !self.is_escape(block + marked.trailing_zeros() as usize) {
                return false;
            }
            marked &= marked - 1;
        }
        true
    }

    /// Whether what stands at this place ends an escape, behind its backslash. What stands before `self.at` has been checked
    /// already.
    #[inline(always)]
    fn is_escape(&mut self, at: usize) -> bool {
        match self.bytes.get(at) {
            Some(escape) if SHORT_ESCAPES[usize::from(*escape)] != 0 => true,
            // The second half of a pair was taken with the first.
            Some(b'u') if at < self.at => true,
            Some(b'u') => {
                self.at = at;
                self.unicode_escape().is_ok()
            }
            _ => false,
        }
    }

    #[cold]
    fn careful_string(&mut self) -> Result<(), Invalid> {
        loop {
            self.at = find_string_stop(self.bytes, self.at);
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(());
                }
                Some(b'\\') => {
                    self.escaped = true;
                    self.escape()?;
                }
                _ => return self.unexpected("expected the rest of a string"),
            }
        }
    }

    #[inline]
    fn escape(&mut self) -> Result<(), Invalid> {
        self.at += 1;
        match self.peek() {
            Some(b'n' | b'"' | b'\\' | b't' | b'r' | b'/' | b'b' | b'f') => {
                self.at += 1;
                Ok(())
            }
            Some(b'u') => self.unicode_escape(),
            _ => self.unexpected("expected an escape JSON knows"),
        }
    }

    /// At the `u`. Takes both halves of a pair, so that a low half met here is a lone one.
    fn unicode_escape(&mut self) -> Result<(), Invalid> {
        self.at += 1;
        let Some(unit) = hex(self.bytes, self.at) else {
            while self.peek().is_some_and(|byte| byte.is_ascii_hexdigit()) {
                self.at += 1;
            }
            return self.unexpected("expected four hexadecimal digits");
        };
        self.at += 4;
        if is_low(unit) {
            self.strict = false;
        } else if is_high(unit) {
            let low = match self.bytes.get(self.at..self.at + 2) {
                Some(b"\\u") => hex(self.bytes, self.at + 2),
                _ => None,
            };
            if low.is_some_and(is_low) {
                self.at += 6;
            } else {
                self.strict = false;
            }
        }
        Ok(())
    }
}

/// Index behind the number or word that stands here.
#[inline(never)]
fn scalar(bytes: &[u8], at: usize) -> Result<usize, Invalid> {
    match bytes.get(at) {
        Some(b'-' | b'0'..=b'9') => number(bytes, at),
        Some(b't') => word(bytes, at, b"true"),
        Some(b'f') => word(bytes, at, b"false"),
        Some(b'n') => word(bytes, at, b"null"),
        _ => Err(unexpected(bytes, at, "expected a value")),
    }
}

#[inline(always)]
fn word(bytes: &[u8], at: usize, word: &[u8]) -> Result<usize, Invalid> {
    let end = at + word.len();
    if bytes.get(at..end) == Some(word) {
        return Ok(end);
    }
    let same = bytes.get(at..).unwrap_or_default().iter().zip(word).take_while(|(is, wanted)| is == wanted);
    Err(unexpected(bytes, at + same.count(), "expected true, false or null"))
}

#[inline(always)]
fn number(bytes: &[u8], mut at: usize) -> Result<usize, Invalid> {
    let peek = |at: usize| bytes.get(at).copied();
    if peek(at) == Some(b'-') {
        at += 1;
    }
    if peek(at) == Some(b'0') {
        at += 1;
        if peek(at).is_some_and(|byte| byte.is_ascii_digit()) {
            return Err(unexpected(bytes, at, "a number may not start with 0"));
        }
    } else {
        at = digits(bytes, at)?;
    }
    if peek(at) == Some(b'.') {
        at = digits(bytes, at + 1)?;
    }
    if let Some(b'e' | b'E') = peek(at) {
        at += 1;
        if let Some(b'+' | b'-') = peek(at) {
            at += 1;
        }
        at = digits(bytes, at)?;
    }
    Ok(at)
}

/// At least one digit.
#[inline(always)]
fn digits(bytes: &[u8], start: usize) -> Result<usize, Invalid> {
    let mut at = start;
    while bytes.get(at).is_some_and(u8::is_ascii_digit) {
        at += 1;
    }
    if at == start { Err(unexpected(bytes, at, "expected a digit")) } else { Ok(at) }
}

/// The byte at hand does not fit, or is missing.
#[cold]
fn unexpected(bytes: &[u8], at: usize, message: &'static str) -> Invalid {
    let code = if at < bytes.len() { "json.invalid" } else { "json.truncated" };
    Invalid { offset: at.min(bytes.len()), code, message }
}
