//! Values on demand: a slice of validated source text, and walks over it.

use std::borrow::Cow;
use std::ops::Deref;

use super::lanes::same;
use super::spans::Spans;
use super::step;
use super::text::{Text, decode, next_lone_half};
use super::validate::{self, Invalid};

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// `{…}`
    Object,
    /// `[…]`
    Array,
    /// `"…"`
    String,
    /// Any number literal, whatever its size.
    Number,
    /// `true` or `false`
    Bool,
    /// `null`
    Null,
}

/// One JSON value, validated in full, without surrounding whitespace.
///
/// A reference into the source text. Reading a part of it costs one walk over what stands before that part.
#[derive(Clone, Copy, Debug)]
pub struct Value<'a> {
    text: &'a str,
    /// Known to hold no lone surrogate half. `false` means: has to be looked at.
    strict: bool,
    /// Ends of the long values inside.
    spans: Option<&'a Spans>,
}

impl<'a> Value<'a> {
    /// Reads a text that is exactly one value, whitespace around it allowed.
    ///
    /// # Errors
    /// [`Invalid`] when the text is not JSON, or holds more than one value.
    pub fn parse(text: &'a str) -> Result<Value<'a>, Invalid> {
        let (value, consumed) = Value::parse_prefix(text)?;
        let rest = step::whitespace(text.as_bytes(), consumed);
        if rest < text.len() { Err(validate::trailing(rest)) } else { Ok(value) }
    }

    /// [`Value::parse`] for a text that is read in depth: where its long values end is noted once in `spans`, and no part
    /// is scanned again on the way to what lies in it.
    ///
    /// # Errors
    /// As [`Value::parse`].
    pub fn parse_noting(text: &'a str, spans: &'a mut Spans) -> Result<Value<'a>, Invalid> {
        let found = validate::first_value(text, Some(spans))?;
        let rest = step::whitespace(text.as_bytes(), found.end);
        if rest < text.len() {
            return Err(validate::trailing(rest));
        }
        Ok(Value { text: slice(text, found.start, found.end), strict: found.strict, spans: Some(spans) })
    }

    /// Reads the first value of a text and gives the bytes consumed: whitespace before the value, and the value.
    ///
    /// A number or word must be followed by whitespace, punctuation, a quote or the end.
    ///
    /// # Errors
    /// [`Invalid`] when no value stands there.
    pub fn parse_prefix(text: &'a str) -> Result<(Value<'a>, usize), Invalid> {
        let found = validate::first_value(text, None)?;
        let value = Value { text: slice(text, found.start, found.end), strict: found.strict, spans: None };
        Ok((value, found.end))
    }

    /// Reads again a text that [`Value::parse`] has passed before, such as a kept [`raw`](Self::raw), without the pass.
    ///
    /// On any other text the answers are arbitrary, but nothing panics and every walk ends.
    pub fn from_validated(text: &'a str) -> Value<'a> {
        Value { text: text.trim_matches([' ', '\n', '\r', '\t']), strict: false, spans: None }
    }

    /// The exact source text: duplicate keys, long numbers, escapes and all.
    pub fn raw(self) -> &'a str {
        self.text
    }

    /// What it is.
    pub fn kind(self) -> Kind {
        match self.text.as_bytes().first() {
            Some(b'{') => Kind::Object,
            Some(b'[') => Kind::Array,
            Some(b'"') => Kind::String,
            Some(b't' | b'f') => Kind::Bool,
            Some(b'n') | None => Kind::Null,
            Some(_) => Kind::Number,
        }
    }

    /// Its members in source order, duplicates included; `None` when not an object.
    pub fn object(self) -> Option<Object<'a>> {
        (self.kind() == Kind::Object).then_some(Object { whole: self, at: 1 })
    }

    /// Its elements; `None` when not an array.
    pub fn array(self) -> Option<Array<'a>> {
        (self.kind() == Kind::Array).then_some(Array { whole: self, at: 1 })
    }

    /// The member of this name, the last one where it is repeated; `None` when there is none or this is no object.
    pub fn get(self, name: &str) -> Option<Value<'a>> {
        let [value] = self.fields([name]);
        value
    }

    /// The members of these names in one walk, the last one where a name is repeated; all `None` when not an object.
    pub fn fields<const N: usize>(self, names: [&str; N]) -> [Option<Value<'a>>; N] {
        let mut found = [None; N];
        self.fill_fields(&names, &mut found);
        found
    }

    /// One copy for all counts of names: copies of this loop were a tenth of the dialects' code.
    #[inline(never)]
    fn fill_fields(self, names: &[&str], found: &mut [Option<Value<'a>>]) {
        let Some(mut object) = self.object() else { return };
        while let Some((key, value)) = object.step() {
            for (name, slot) in names.iter().zip(found.iter_mut()) {
                if key.is(name) {
                    *slot = Some(value);
                }
            }
        }
    }

    /// The decoded string with surrogate halves at its ends kept apart; `None` when not a string.
    pub fn text(self) -> Option<Text<'a>> {
        self.str_raw().map(decode)
    }

    /// The decoded string, lone surrogate halves as U+FFFD; `None` when not a string.
    pub fn str(self) -> Option<Cow<'a, str>> {
        self.text().map(Text::into_cow)
    }

    /// The source text between the quotes, escapes and all; `None` when not a string.
    pub fn str_raw(self) -> Option<&'a str> {
        self.text.strip_prefix('"')?.strip_suffix('"')
    }

    /// `true` or `false`; `None` when neither.
    pub fn bool(self) -> Option<bool> {
        match self.text {
            "true" => Some(true),
            "false" => Some(false),
            _ => None,
        }
    }

    /// An integral literal that fits; `1.0` and `1e3` are none.
    pub fn u64(self) -> Option<u64> {
        self.text.parse().ok()
    }

    /// An integral literal that fits; `1.0` and `1e3` are none.
    pub fn i64(self) -> Option<i64> {
        self.text.parse().ok()
    }

    /// The nearest `f64`; `None` when not a number, or too large for one (`1e400`).
    pub fn f64(self) -> Option<f64> {
        if self.kind() != Kind::Number {
            return None;
        }
        self.text.parse().ok().filter(|number: &f64| number.is_finite())
    }

    /// `null`
    pub fn is_null(self) -> bool {
        self.kind() == Kind::Null
    }

    /// No string or key inside holds a lone surrogate escape, so every string `JSON.parse` makes of it is well-formed.
    ///
    /// Answered from validation when the whole text was strict, else by a search through this value.
    pub fn is_strict(self) -> bool {
        self.strict || next_lone_half(self.text, 0).is_none()
    }
}

/// The name of a member, decoded; lone surrogate halves as U+FFFD.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Key<'a> {
    text: Cow<'a, str>,
}

impl<'a> Key<'a> {
    /// The name itself, borrowed when the source spelled no escape.
    pub fn into_cow(self) -> Cow<'a, str> {
        self.text
    }
}

impl Deref for Key<'_> {
    type Target = str;

    fn deref(&self) -> &str {
        &self.text
    }
}

/// The members of an object in source order, duplicates included.
#[derive(Clone, Debug)]
pub struct Object<'a> {
    whole: Value<'a>,
    at: usize,
}

/// A name before decoding, so that a search through an object copies nothing.
struct RawKey<'a> {
    raw: &'a str,
    escaped: bool,
}

impl<'a> RawKey<'a> {
    #[inline(always)]
    fn is(&self, name: &str) -> bool {
        if self.escaped { decode(self.raw).into_cow() == name } else { same(self.raw, name) }
    }

    fn decode(self) -> Key<'a> {
        Key { text: if self.escaped { decode(self.raw).into_cow() } else { Cow::Borrowed(self.raw) } }
    }
}

impl<'a> Object<'a> {
    #[inline]
    fn step(&mut self) -> Option<(RawKey<'a>, Value<'a>)> {
        let Value { text, spans, .. } = self.whole;
        let bytes = text.as_bytes();
        let open = next_member(bytes, self.at)?;
        let key = step::string(bytes, open);
        let raw = slice(text, open + 1, key.after - 1);
        let colon = step::whitespace(bytes, key.after);
        let start = step::whitespace(bytes, colon + 1);
        self.at = step::value(bytes, start, spans);
        let value = Value { text: slice(text, start, self.at), ..self.whole };
        Some((RawKey { raw, escaped: key.escaped }, value))
    }
}

impl<'a> Iterator for Object<'a> {
    type Item = (Key<'a>, Value<'a>);

    fn next(&mut self) -> Option<(Key<'a>, Value<'a>)> {
        let (key, value) = self.step()?;
        Some((key.decode(), value))
    }
}

/// The elements of an array.
#[derive(Clone, Debug)]
pub struct Array<'a> {
    whole: Value<'a>,
    at: usize,
}

impl<'a> Iterator for Array<'a> {
    type Item = Value<'a>;

    fn next(&mut self) -> Option<Value<'a>> {
        let Value { text, spans, .. } = self.whole;
        let bytes = text.as_bytes();
        let start = next_member(bytes, self.at)?;
        self.at = step::value(bytes, start, spans);
        Some(Value { text: slice(text, start, self.at), ..self.whole })
    }
}

/// Start of the next element or key in an open container; `None` at its end.
#[inline(always)]
fn next_member(bytes: &[u8], at: usize) -> Option<usize> {
    let at = step::whitespace(bytes, at);
    match bytes.get(at)? {
        b',' => Some(step::whitespace(bytes, at + 1)),
        b'}' | b']' => None,
        _ => Some(at),
    }
}

/// Both ends stand next to ASCII, so they are character boundaries; empty should that ever be wrong.
#[inline(always)]
fn slice(text: &str, start: usize, end: usize) -> &str {
    text.get(start..end).unwrap_or("")
}
