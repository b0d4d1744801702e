//! What is new of an item for a reader who has an earlier state of it.
//!
//! Texts mostly grow at their end, so a reader who asks after every push gets each character once, and of an item that
//! only grew nothing else. Knows what a reader has, not how it leaves.

use super::Transcript;
use super::item::Body;
use super::text::Growing;

/// What a reader has of one item. Belongs to one item and one reader; drop it when the reader drops its copy.
#[derive(Clone, Copy, Debug, Default)]
pub struct Seen {
    /// The item's revision then; 0: never.
    pub(super) at: u64,
    pub(super) text: Mark,
    pub(super) input: Mark,
    pub(super) output: Mark,
}

impl Seen {
    /// The reader took the item's text up to here from elsewhere.
    pub fn took_text(&mut self, bytes: usize) {
        self.text.bytes = bytes;
    }
}

/// How much of a growing text somebody has.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Mark {
    replaced: u32,
    bytes: usize,
}

/// All that changed of an item that only grew.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Growth<'a> {
    /// The item's revision now.
    pub revision: u64,
    /// How many records touched it by now.
    pub source_count: u64,
    /// To append to `text`.
    pub text: &'a str,
    /// To append to `inputText`.
    pub input: &'a str,
    /// To append to `outputText`.
    pub output: &'a str,
}

impl Mark {
    /// What the reader lacks of a text, and whether that is only its end. From now on the reader has it.
    pub fn take<'a>(&mut self, growing: &'a Growing) -> (&'a str, bool) {
        let text = growing.as_str();
        let known = if self.replaced == growing.replaced() { self.bytes } else { 0 };
        *self = Mark { replaced: growing.replaced(), bytes: text.len() };
        match text.get(known..) {
            Some(new) if known > 0 => (new, true),
            _ => (text, false),
        }
    }

    /// Whether the reader's copy only needs an end, and has the text at all where an empty one is left out.
    fn fits(self, growing: &Growing) -> bool {
        self.replaced == growing.replaced() && (self.bytes > 0 || growing.as_str().is_empty())
    }
}

impl Transcript {
    /// What was appended to the texts of an item since the reader saw it, if nothing else of it changed.
    pub fn growth(&self, number: u32, seen: &mut Seen) -> Option<Growth<'_>> {
        let item = self.item(number)?;
        if seen.at == 0 || seen.at < item.reshaped {
            return None;
        }
        let mut growth =
            Growth { revision: item.revision, source_count: item.source_count, ..Growth::default() };
        match &item.body {
            Body::Text(part) if seen.text.replaced == part.text.replaced() => {
                growth.text = seen.text.take(&part.text).0;
            }
            // The ends of named streams move with the text.
            Body::Tool(card)
                if seen.input.fits(&card.input_text)
                    && seen.output.fits(&card.output.text)
                    && !card.output.names_streams() =>
            {
                growth.input = seen.input.take(&card.input_text).0;
                growth.output = seen.output.take(&card.output.text).0;
            }
            _ => return None,
        }
        seen.at = item.revision;
        Some(growth)
    }
}
