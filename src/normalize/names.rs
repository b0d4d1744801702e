//! Strings that come again and again, as small numbers; and the hashes that stand for texts we do not keep.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use crate::json::same;

/// A name's number. [`Name::NONE`] stands for an absent one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Name(u32);

impl Name {
    /// Absent.
    pub const NONE: Name = Name(0);

    /// Whether the wire gave this name.
    pub fn is_some(self) -> bool {
        self.0 != 0
    }

    /// The name that was given its number next.
    pub fn next(self) -> Name {
        Name(self.0.saturating_add(1))
    }

    /// The other name if this one is absent.
    pub fn or(self, other: Name) -> Name {
        if self.is_some() { self } else { other }
    }
}

/// How many names are found without the table.
const RECENT: usize = 4;

/// All names of a stream. Grows with the number of different ids, not with the stream.
#[derive(Default)]
pub(super) struct Names {
    numbers: Map<Box<str>, Name>,
    texts: Vec<Box<str>>,
    /// Names looked up last: session, agent and message are asked for at every fact.
    recent: [Name; RECENT],
    oldest: usize,
}

impl Names {
    /// The number of a name; the same text always gets the same one.
    pub fn number(&mut self, text: &str) -> Name {
        let recent = self.recent.iter().copied().find(|name| same(self.text(*name), text) && name.is_some());
        if let Some(name) = recent {
            return name;
        }
        let name = self.looked_up(text);
        self.recent[self.oldest] = name;
        self.oldest = (self.oldest + 1) % RECENT;
        name
    }

    fn looked_up(&mut self, text: &str) -> Name {
        if let Some(name) = self.numbers.get(text) {
            return *name;
        }
        self.texts.push(text.into());
        let name = Name(self.texts.len() as u32);
        self.numbers.insert(text.into(), name);
        name
    }

    /// The number of a name that may be absent.
    pub fn optional(&mut self, text: Option<&str>) -> Name {
        text.map_or(Name::NONE, |text| self.number(text))
    }

    /// The number, if the name was seen before.
    pub fn known(&self, text: &str) -> Option<Name> {
        self.numbers.get(text).copied()
    }

    /// The text; empty for an absent name.
    pub fn text(&self, name: Name) -> &str {
        self.get(name).unwrap_or_default()
    }

    /// The text of a name that may be absent.
    pub fn get(&self, name: Name) -> Option<&str> {
        self.texts.get((name.0 as usize).wrapping_sub(1)).map(|text| &**text)
    }
}

/// A map with a small fast hash. Its order is never shown.
pub(super) type Map<K, V> = HashMap<K, V, BuildHasherDefault<FoldHasher>>;

const FOLD: u64 = 0x9e37_79b9_7f4a_7c15;

/// Multiply and rotate, eight bytes at a step.
#[derive(Default, Clone, Copy)]
pub(super) struct FoldHasher(u64);

impl FoldHasher {
    fn fold(&mut self, word: u64) {
        self.0 = (self.0 ^ word).wrapping_mul(FOLD).rotate_left(29);
    }
}

impl Hasher for FoldHasher {
    fn finish(&self) -> u64 {
        (self.0 ^ (self.0 >> 32)).wrapping_mul(FOLD)
    }

    fn write(&mut self, bytes: &[u8]) {
        let mut words = bytes.chunks_exact(8);
        for word in &mut words {
            self.fold(u64::from_le_bytes(word.try_into().unwrap_or_default()));
        }
        let mut last = [0; 8];
        let rest = words.remainder();
        last[..rest.len()].copy_from_slice(rest);
        self.fold(u64::from_le_bytes(last) ^ ((bytes.len() as u64) << 56));
    }

    fn write_u32(&mut self, word: u32) {
        self.fold(u64::from(word));
    }

    fn write_u64(&mut self, word: u64) {
        self.fold(word);
    }

    fn write_usize(&mut self, word: usize) {
        self.fold(word as u64);
    }

    fn write_u8(&mut self, word: u8) {
        self.fold(u64::from(word));
    }
}

/// Stands for a whole text. Equal texts have equal marks; other texts practically never do.
pub(super) fn mark(text: &str) -> u64 {
    let mut hasher = FoldHasher(FOLD);
    hasher.write(text.as_bytes());
    hasher.finish()
}

/// Length and hash of a text that arrives in pieces, whatever the cuts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Running {
    length: usize,
    hash: u64,
}

impl Running {
    /// That of a text which is all there.
    pub fn of(text: &str) -> Self {
        let mut running = Running::default();
        running.add(text);
        running
    }

    /// Appends a piece.
    pub fn add(&mut self, piece: &str) {
        // Byte by byte: the value must not depend on where the pieces end.
        for byte in piece.as_bytes() {
            self.hash = (self.hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3).rotate_left(7);
        }
        self.length += piece.len();
    }

    /// What `whole` has beyond the text so far; `None` when it does not begin with that text.
    pub fn rest_of<'a>(&self, whole: &'a str) -> Option<&'a str> {
        let (head, rest) = whole.split_at_checked(self.length)?;
        let mut other = Running::default();
        other.add(head);
        (other == *self).then_some(rest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn running_value_does_not_depend_on_cuts() {
        let mut whole = Running::default();
        whole.add("größer als 3 ✓");
        let mut pieces = Running::default();
        for piece in ["grö", "", "ßer als", " 3 ✓"] {
            pieces.add(piece);
        }
        assert_eq!(whole, pieces);
        assert_eq!(pieces.rest_of("größer als 3 ✓!"), Some("!"));
        assert_eq!(pieces.rest_of("größer als 4 ✓!"), None);
        assert_eq!(pieces.rest_of("gr"), None);
    }

    #[test]
    fn marks_tell_lengths_apart() {
        assert_ne!(mark(""), mark("\0"));
        assert_ne!(mark("ab"), mark("ba"));
        assert_eq!(mark("abcdefgh12"), mark("abcdefgh12"));
    }
}
