//! An event read where it lies: who folds compares the words of an envelope and unpacks what is new.

use super::batch::{Reader, Strings};
use super::generated::{ENVELOPE_WORDS, HEAD_WORDS};
use super::{Role, Update};
use crate::framing::Source;

/// An event as it lies in its batch.
pub(crate) struct Head<'a> {
    words: &'a [u32; HEAD_WORDS + ENVELOPE_WORDS],
    fields: &'a [u32],
    strings: Strings<'a>,
}

impl<'a> Head<'a> {
    pub(super) fn new(
        words: &'a [u32; HEAD_WORDS + ENVELOPE_WORDS],
        fields: &'a [u32],
        strings: Strings<'a>,
    ) -> Self {
        Head { words, fields, strings }
    }

    /// Source and envelope. Equal ones of one batch say the same.
    pub(crate) fn place(&self) -> &'a [u32] {
        &self.words[2..]
    }

    pub(crate) fn source(&self) -> Source {
        Reader::new(self.words, self.strings, 2).source()
    }

    /// The envelope's `item`, which is no string and stands before those.
    pub(crate) fn item(&self) -> Option<u32> {
        self.words[HEAD_WORDS].checked_sub(1)
    }

    /// The word of a string of the envelope. Equal ones of one batch are equal strings; 0 is an absent one.
    pub(crate) fn word(&self, slot: usize) -> u32 {
        self.words.get(HEAD_WORDS + 1 + slot).copied().unwrap_or(0)
    }

    #[inline(always)]
    pub(crate) fn text(&self, slot: usize) -> Option<&'a str> {
        let word = self.word(slot);
        (word != 0).then(|| self.strings.get(word))
    }

    /// Who speaks and what, if the event is a piece of text.
    pub(crate) fn text_chunk(&self) -> Option<(Role, &'a str)> {
        let role = match self.words[1] {
            1 => Role::Agent,
            2 => Role::Thought,
            3 => Role::User,
            _ => return None,
        };
        match self.fields {
            [1, text, ..] => Some((role, self.strings.get(*text))),
            _ => None,
        }
    }

    pub(crate) fn update(&self) -> Option<Update<'a>> {
        Update::unpack(self.words[1], &mut Reader::new(self.fields, self.strings, 0))
    }
}
