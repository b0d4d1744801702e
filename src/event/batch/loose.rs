//! Words that are no event, for what crosses in the same layout: items.

use super::{Batch, source_words};
use crate::event::{ENVELOPE_WORDS, Envelope, Update};
use crate::framing::Source;

impl Batch {
    /// Words that begin with their own number.
    pub(crate) fn counted(&mut self, write: impl FnOnce(&mut Batch)) {
        let start = self.words.len();
        self.words.push(0);
        write(self);
        self.close_record(start);
    }

    /// What stands in an event's record between tag and update.
    pub(crate) fn source_and_envelope(&mut self, source: Source, envelope: &Envelope<'_>) {
        let envelope: [u32; ENVELOPE_WORDS] = envelope.pack(self);
        self.words.extend_from_slice(&source_words(source));
        self.words.extend_from_slice(&envelope);
    }

    /// An update alone, counted; 0: none.
    pub(crate) fn update(&mut self, update: Option<&Update<'_>>) {
        let Some(update) = update else { return self.word(0) };
        self.counted(|batch| {
            batch.word(update.tag());
            update.pack(batch);
        });
    }

    pub(crate) fn long(&mut self, number: u64) {
        self.words.extend_from_slice(&[number as u32, (number >> 32) as u32]);
    }

    /// From now on no UTF-16 units are counted: [`Batch::ends16`] stays empty.
    pub(crate) fn count_bytes_only(&mut self) {
        self.bytes_only = true;
    }

    /// Gives back room beyond this many bytes of text, and beyond as many words.
    pub fn shrink(&mut self, bytes: usize) {
        self.text.shrink_to(bytes);
        [&mut self.words, &mut self.ends, &mut self.ends16]
            .into_iter()
            .for_each(|list| list.shrink_to(bytes));
    }
}
