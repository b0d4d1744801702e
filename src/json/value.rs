//! Values on demand: a slice of validated source text, and walks over it.

use std::borrow::Cow;
use std::ops::Deref;

use super::lanes::same_bytes;
use super::spans::{Node, Spans};
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
    /// What the pass noted of the whole text.
    notes: Option<&'a Spans>,
    /// Its place in the notes.
    place: u32,
    /// Known to hold no lone surrogate half. `false` means: has to be looked at.
    strict: bool,
    /// A string known to hold no escape. `false` means: has to be looked at.
    plain: bool,
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

    /// [`Value::parse`] for a text that is read in depth: where its values lie is noted once in `spans`, and nothing is
    /// scanned again on the way to what lies in it.
    ///
    /// # Errors
    /// As [`Value::parse`].
    pub fn parse_noting(text: &'a str, spans: &'a mut Spans) -> Result<Value<'a>, Invalid> {
        let found = validate::first_value(text, Some(spans))?;
        let rest = step::whitespace(text.as_bytes(), found.end);
        if rest < text.len() {
            return Err(validate::trailing(rest));
        }
        let notes = found.noted.then_some(&*spans);
        Ok(Value { notes, strict: found.strict, ..Value::of(slice(text, found.start, found.end)) })
    }

    /// Reads the first value of a text and gives the bytes consumed: whitespace before the value, and the value.
    ///
    /// A number or word must be followed by whitespace, punctuation, a quote or the end.
    ///
    /// # Errors
    /// [`Invalid`] when no value stands there.
    pub fn parse_prefix(text: &'a str) -> Result<(Value<'a>, usize), Invalid> {
        let found = validate::first_value(text, None)?;
        let value = Value { strict: found.strict, ..Value::of(slice(text, found.start, found.end)) };
        Ok((value, found.end))
    }

    /// Reads again a text that [`Value::parse`] has passed before, such as a kept [`raw`](Self::raw), without the pass.
    ///
    /// On any other text the answers are arbitrary, but nothing panics and every walk ends.
    pub fn from_validated(text: &'a str) -> Value<'a> {
        Value::of(text.trim_matches([' ', '\n', '\r', '\t']))
    }

    /// A value nothing is known of.
    fn of(text: &'a str) -> Value<'a> {
        Value { text, notes: None, place: 0, strict: false, plain: false }
    }

    /// The exact source text: duplicate keys, long numbers, escapes and all.
    pub fn raw(self) -> &'a str {
        self.text
    }

    /// What it is.
    #[inline]
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
    #[inline]
    pub fn object(self) -> Option<Object<'a>> {
        (self.kind() == Kind::Object).then(|| Object(Walk::of(self)))
    }

    /// Its elements; `None` when not an array.
    pub fn array(self) -> Option<Array<'a>> {
        (self.kind() == Kind::Array).then(|| Array(Walk::of(self)))
    }

    /// The member of this name, the last one where it is repeated; `None` when there is none or this is no object.
    pub fn get(self, name: &str) -> Option<Value<'a>> {
        let [value] = self.fields([name]);
        value
    }

    /// The members of these names in one walk, the last one where it is repeated; all `None` when not an object. No two of
    /// the names are the same.
    ///
    /// Cheapest where the names come in the order that the members mostly have.
    pub fn fields<const N: usize>(self, names: [&str; N]) -> [Option<Value<'a>>; N] {
        let mut found = [None; N];
        self.fill_fields(&names, &mut found, true);
        found
    }

    /// [`fields`](Self::fields) where `null` says as little as absence.
    pub fn present_fields<const N: usize>(self, names: [&str; N]) -> [Option<Value<'a>>; N] {
        let mut found = [None; N];
        self.fill_fields(&names, &mut found, false);
        found
    }

    /// One copy for all counts of names: copies of this loop were a tenth of the dialects' code.
    #[inline(never)]
    fn fill_fields(self, names: &[&str], found: &mut [Option<Value<'a>>], nulls: bool) {
        debug_assert!(names.iter().enumerate().all(|(at, name)| !names[..at].contains(name)), "{names:?}");
        if self.kind() != Kind::Object {
            return;
        }
        let mut walk = Walk::of(self);
        let mut search = Search { names, next: 0, found, nulls };
        if self.notes.is_some() {
            while let Some((key, value)) = walk.noted_member() {
                search.take(&walk, &key, value);
            }
        } else {
            while let Some((key, value)) = walk.scanned_member() {
                search.take(&walk, &key, value);
            }
        }
    }

    /// The decoded string with surrogate halves at its ends kept apart; `None` when not a string.
    pub fn text(self) -> Option<Text<'a>> {
        let raw = self.str_raw()?;
        Some(if self.plain { Text::plain(raw) } else { decode(raw) })
    }

    /// The decoded string, lone surrogate halves as U+FFFD; `None` when not a string.
    pub fn str(self) -> Option<Cow<'a, str>> {
        if self.plain { self.str_raw().map(Cow::Borrowed) } else { self.text().map(Text::into_cow) }
    }

    /// The source text between the quotes, escapes and all; `None` when not a string.
    #[inline(always)]
    pub fn str_raw(self) -> Option<&'a str> {
        let [b'"', .., b'"'] = self.text.as_bytes() else { return None };
        self.text.get(1..self.text.len() - 1)
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
        if let Some(number) = small_integer(self.text) {
            return Some(number);
        }
        if self.kind() != Kind::Number {
            return None;
        }
        self.text.parse().ok().filter(|number: &f64| number.is_finite())
    }

    /// `null`
    pub fn is_null(self) -> bool {
        self.kind() == Kind::Null
    }

    /// Whether validation found the whole text strict; see [`Value::is_strict`].
    pub(crate) fn is_known_strict(self) -> bool {
        self.strict
    }

    /// No string or key inside holds a lone surrogate escape, so every string `JSON.parse` makes of it is well-formed.
    ///
    /// Answered from validation when the whole text was strict, else by a search through this value.
    pub fn is_strict(self) -> bool {
        self.strict || next_lone_half(self.text, 0).is_none()
    }
}

/// A number of digits alone that every `f64` step below holds exactly: counters mostly are, and the library's reading of
/// any literal takes three times as long.
#[inline]
fn small_integer(text: &str) -> Option<f64> {
    const EXACT: usize = 15;
    let mut number = 0u64;
    for byte in text.as_bytes().get(..text.len().min(EXACT + 1))? {
        number = number * 10 + u64::from(byte.checked_sub(b'0').filter(|digit| *digit < 10)?);
    }
    (1..=EXACT).contains(&text.len()).then_some(number as f64)
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

/// A walk over what a container holds: along the notes where there are some, else over the text.
#[derive(Clone, Copy, Debug)]
struct Walk<'a> {
    whole: Value<'a>,
    /// The notes up to the container's end.
    nodes: &'a [Node],
    /// Place in the notes, or index in the text.
    at: usize,
    /// Where in the noted text the container starts.
    start: usize,
}

/// Where a value lies in the text of the walk's container.
struct Span {
    start: usize,
    end: usize,
    place: u32,
    plain: bool,
}

impl<'a> Walk<'a> {
    #[inline]
    fn of(whole: Value<'a>) -> Walk<'a> {
        let own = whole.place as usize;
        match whole.notes.and_then(|notes| notes.up_to_end_of(own)) {
            Some((node, nodes)) => Walk { whole, nodes, at: own + 1, start: node.start() },
            None => Walk { whole, nodes: &[], at: 1, start: 0 },
        }
    }

    #[inline]
    fn member(&mut self) -> Option<(RawKey<'a>, Span)> {
        if self.whole.notes.is_some() { self.noted_member() } else { self.scanned_member() }
    }

    #[inline]
    fn element(&mut self) -> Option<Span> {
        if self.whole.notes.is_none() {
            return self.scanned_element();
        }
        let node = *self.nodes.get(self.at)?;
        Some(self.noted(self.at, node))
    }

    #[inline(always)]
    fn noted_member(&mut self) -> Option<(RawKey<'a>, Span)> {
        let [key, value] = *self.nodes.get(self.at..)?.first_chunk::<2>()?;
        let name = RawKey {
            whole: self.whole.text,
            start: key.start() - self.start,
            end: key.end() - self.start,
            escaped: key.is_escaped(),
        };
        Some((name, self.noted(self.at + 1, value)))
    }

    /// Goes on behind the node at this place.
    #[inline(always)]
    fn noted(&mut self, place: usize, node: Node) -> Span {
        self.at = node.next(place);
        Span {
            start: node.start() - self.start,
            end: node.end() - self.start,
            place: place as u32,
            plain: !node.is_escaped(),
        }
    }

    #[inline(never)]
    fn scanned_member(&mut self) -> Option<(RawKey<'a>, Span)> {
        let bytes = self.whole.text.as_bytes();
        let open = next_member(bytes, self.at)?;
        let key = step::string(bytes, open);
        let colon = step::whitespace(bytes, key.after);
        let start = step::whitespace(bytes, colon + 1);
        let name =
            RawKey { whole: self.whole.text, start: open + 1, end: key.after - 1, escaped: key.escaped };
        Some((name, self.scanned(start)))
    }

    #[inline(never)]
    fn scanned_element(&mut self) -> Option<Span> {
        let start = next_member(self.whole.text.as_bytes(), self.at)?;
        Some(self.scanned(start))
    }

    fn scanned(&mut self, start: usize) -> Span {
        self.at = step::value(self.whole.text.as_bytes(), start);
        Span { start, end: self.at, place: 0, plain: false }
    }

    #[inline(always)]
    fn value(&self, span: Span) -> Value<'a> {
        let Span { start, end, place, plain } = span;
        Value { text: slice(self.whole.text, start, end), place, plain, ..self.whole }
    }
}

/// A name before decoding, so that a search through an object copies nothing.
struct RawKey<'a> {
    /// The container's text, cut only where the name is asked for.
    whole: &'a str,
    start: usize,
    end: usize,
    escaped: bool,
}

impl<'a> RawKey<'a> {
    /// The name's place in a list, where one place is likely.
    #[inline(always)]
    fn among(&self, names: &[&str], likely: usize) -> Option<usize> {
        if self.escaped {
            return self.decoded_among(names);
        }
        let own = self.whole.as_bytes().get(self.start..self.end).unwrap_or_default();
        place(own, names, likely)
    }

    #[cold]
    fn decoded_among(&self, names: &[&str]) -> Option<usize> {
        let own = decode(slice(self.whole, self.start, self.end)).into_cow();
        names.iter().position(|name| *name == own)
    }

    fn decode(self) -> Key<'a> {
        let raw = slice(self.whole, self.start, self.end);
        Key { text: if self.escaped { decode(raw).into_cow() } else { Cow::Borrowed(raw) } }
    }
}

/// Place of a name in a list: looks at the likely one, then at each from the first on.
#[inline(always)]
fn place(own: &[u8], names: &[&str], likely: usize) -> Option<usize> {
    if names.get(likely).is_some_and(|name| same_bytes(name.as_bytes(), own)) {
        return Some(likely);
    }
    // Not `position`: where it is compiled for size that stays a call, with one more for each name.
    for (place, name) in names.iter().enumerate() {
        if name.len() == own.len() && same_bytes(name.as_bytes(), own) {
            return Some(place);
        }
    }
    None
}

/// The members of some names that a walk has met.
struct Search<'s, 'a> {
    names: &'s [&'s str],
    /// Where in the names the next member probably is: both mostly come in one order.
    next: usize,
    found: &'s mut [Option<Value<'a>>],
    nulls: bool,
}

impl<'a> Search<'_, 'a> {
    #[inline(always)]
    fn take(&mut self, walk: &Walk<'a>, key: &RawKey<'a>, value: Span) {
        let Some(place) = key.among(self.names, self.next) else { return };
        self.next = place + 1;
        let Some(slot) = self.found.get_mut(place) else { return };
        let value = walk.value(value);
        *slot = if self.nulls || !value.is_null() { Some(value) } else { None };
    }
}

/// The members of an object in source order, duplicates included.
#[derive(Clone, Debug)]
pub struct Object<'a>(Walk<'a>);

impl<'a> Iterator for Object<'a> {
    type Item = (Key<'a>, Value<'a>);

    fn next(&mut self) -> Option<(Key<'a>, Value<'a>)> {
        let (key, value) = self.0.member()?;
        Some((key.decode(), self.0.value(value)))
    }
}

/// The elements of an array.
#[derive(Clone, Debug)]
pub struct Array<'a>(Walk<'a>);

impl<'a> Iterator for Array<'a> {
    type Item = Value<'a>;

    fn next(&mut self) -> Option<Value<'a>> {
        let element = self.0.element()?;
        Some(self.0.value(element))
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
