//! Strings that come again and again, as small numbers; and the hashes that stand for texts we do not keep.

use crate::dialect::Context;
use crate::hash::last_bytes;
pub(super) use crate::hash::{FoldHasher, Index, Map, mark};
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

    /// The number behind it.
    pub fn index(self) -> u32 {
        self.0
    }

    /// The key of two names.
    pub fn with(self, other: Name) -> u64 {
        Index::key(self.0, other.0)
    }

    /// The key of this name alone.
    pub fn key(self) -> u64 {
        u64::from(self.0)
    }

    /// The other name if this one is absent.
    pub fn or(self, other: Name) -> Name {
        if self.is_some() { self } else { other }
    }
}

/// What a name stands for: the newest of each sort is asked for at every fact, and found without the table.
#[derive(Clone, Copy)]
enum Sort {
    Session,
    Agent,
    Message,
    Other,
}

/// A name and where its text stands.
#[derive(Clone, Copy, Default)]
struct Recent {
    name: Name,
    start: usize,
    end: usize,
}

/// All names of a stream. Grows with the number of different ids, not with the stream.
#[derive(Default)]
pub(super) struct Names {
    /// The newest name of each hash.
    by_mark: Index,
    /// One after the other.
    texts: String,
    /// End of each text, and the name before it that has the same hash.
    ends: Vec<(usize, Name)>,
    /// The name looked up last of each [`Sort`].
    recent: [Recent; 4],
}

impl Names {
    /// The number of a name; the same text always gets the same one.
    pub fn number(&mut self, text: &str) -> Name {
        self.of_sort(Sort::Other, text)
    }

    /// The context's session.
    pub fn session(&mut self, context: &Context<'_>) -> Name {
        context.session.map_or(Name::NONE, |text| self.of_sort(Sort::Session, text))
    }

    /// The context's agent. One without a key of its own is told apart by the call that runs it.
    pub fn agent(&mut self, context: &Context<'_>) -> Name {
        let agent = context.agent.or(context.parent_call);
        agent.map_or(Name::NONE, |text| self.of_sort(Sort::Agent, text))
    }

    /// The context's message.
    pub fn message(&mut self, context: &Context<'_>) -> Name {
        context.message.map_or(Name::NONE, |text| self.of_sort(Sort::Message, text))
    }

    fn of_sort(&mut self, sort: Sort, text: &str) -> Name {
        let Recent { name, start, end } = self.recent[sort as usize];
        if name.is_some() && self.texts.get(start..end).is_some_and(|recent| same(recent, text)) {
            return name;
        }
        let name = self.looked_up(text);
        let (start, end) = self.place(name).unwrap_or_default();
        self.recent[sort as usize] = Recent { name, start, end };
        name
    }

    fn looked_up(&mut self, text: &str) -> Name {
        let mark = mark(text);
        let next = Name(self.ends.len() as u32 + 1);
        let newest = Name(self.by_mark.number(mark, next.0));
        let before = if newest == next { Name::NONE } else { newest };
        if let Some(name) = self.chained(before, text) {
            return name;
        }
        if before.is_some() {
            self.by_mark.insert(mark, next.0);
        }
        self.texts.push_str(text);
        self.ends.push((self.texts.len(), before));
        next
    }

    fn chained(&self, newest: Name, text: &str) -> Option<Name> {
        let mut name = newest;
        while name.is_some() {
            if same(self.text(name), text) {
                return Some(name);
            }
            name = self.ends.get(name.0 as usize - 1)?.1;
        }
        None
    }

    /// The number of a name that may be absent.
    pub fn optional(&mut self, text: Option<&str>) -> Name {
        text.map_or(Name::NONE, |text| self.number(text))
    }

    /// The number, if the name was seen before.
    pub fn known(&self, text: &str) -> Option<Name> {
        self.chained(Name(self.by_mark.get(mark(text))?), text)
    }

    /// The text; empty for an absent name.
    pub fn text(&self, name: Name) -> &str {
        self.get(name).unwrap_or_default()
    }

    /// The text of a name that may be absent.
    pub fn get(&self, name: Name) -> Option<&str> {
        let (start, end) = self.place(name)?;
        self.texts.get(start..end)
    }

    fn place(&self, name: Name) -> Option<(usize, usize)> {
        let index = (name.0 as usize).checked_sub(1)?;
        let end = self.ends.get(index)?.0;
        let before = index.checked_sub(1).and_then(|before| self.ends.get(before));
        Some((before.map_or(0, |before| before.0), end))
    }
}

/// Length and hash of a text that arrives in pieces, whatever the cuts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Running {
    length: usize,
    /// Of all whole words of eight bytes.
    hash: u64,
    /// The bytes behind them.
    rest: u64,
}

impl Running {
    /// That of a text which is all there.
    pub fn of(text: &str) -> Self {
        let mut running = Running::default();
        running.add(text);
        running
    }

    /// Appends a piece.
    #[inline(always)]
    pub fn add(&mut self, piece: &str) {
        // Words are counted from the beginning of the text: the value must not depend on where the pieces end.
        let held = self.length % 8;
        self.length += piece.len();
        let (words, rest) = piece.as_bytes().as_chunks::<8>();
        for word in words {
            self.add_bytes(u64::from_le_bytes(*word), held);
        }
        let last = last_bytes(piece.as_bytes(), rest);
        if held + rest.len() < 8 {
            self.rest |= last << (8 * held);
        } else {
            self.add_bytes(last, held);
        }
    }

    /// Bytes that make a word with those held, the first one lowest.
    #[inline(always)]
    fn add_bytes(&mut self, bytes: u64, held: usize) {
        let word = self.rest | bytes << (8 * held);
        self.hash = (self.hash ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
        // In two steps: none are held, and all bits go.
        self.rest = bytes >> 8 >> (56 - 8 * held);
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
