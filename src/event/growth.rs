//! Text chunks that follow each other, in a batch: each differs from the one before only in source, timestamp and text.

use super::batch::{Batch, Interned, Reader, TIMESTAMP_SLOT, source_words};
use super::generated::{ENVELOPE_WORDS, HEAD_WORDS};
use crate::framing::Source;

/// Words of a text chunk: behind the envelope the tag of its content and its text.
pub(super) const TEXT_CHUNK_WORDS: usize = HEAD_WORDS + ENVELOPE_WORDS + 2;
/// In the first word of a record: it continues the one before.
const CONTINUES: u32 = 1 << 31;
/// First word of a chunk that does.
const MORE: u32 = TEXT_CHUNK_WORDS as u32 | CONTINUES;
const TAG: usize = 1;
const ITEM: usize = HEAD_WORDS;
const TIMESTAMP: usize = HEAD_WORDS + 1 + TIMESTAMP_SLOT;
const CONTENT_TAG: usize = TEXT_CHUNK_WORDS - 2;
const TEXT: usize = TEXT_CHUNK_WORDS - 1;

/// Writes such chunks.
#[derive(Debug)]
pub(crate) struct TextRun {
    words: [u32; TEXT_CHUNK_WORDS],
}

/// What a run of such chunks adds to an item.
pub(crate) struct MoreText<'a> {
    /// How many chunks.
    pub chunks: usize,
    /// The item.
    pub item: u32,
    /// Their texts, joined.
    pub text: &'a str,
    words: &'a [u32],
    batch: &'a Batch,
}

impl<'a> MoreText<'a> {
    /// Source and text of one of the chunks.
    pub fn chunk(&self, number: usize) -> (Source, &'a str) {
        let words = self.words.get(number * TEXT_CHUNK_WORDS..).unwrap_or_default();
        let mut reader = Reader { words, strings: self.batch.strings(), at: 2 };
        let source = reader.source();
        reader.at = TEXT;
        (source, reader.text())
    }
}

impl Batch {
    /// The last event, if it is as long as a text chunk.
    pub(super) fn last_words(&self) -> Option<[u32; TEXT_CHUNK_WORDS]> {
        let last = self.words.get(*self.starts.last()? as usize..)?;
        last.try_into().ok()
    }

    /// What the next text chunks repeat of the last event, if that is a text chunk of the agent.
    pub(crate) fn text_run(&self) -> Option<TextRun> {
        let last = if self.starts.is_empty() { self.tail } else { self.last_words() };
        let mut words = last.filter(|words| matches!(words[TAG], 1 | 2) && words[CONTENT_TAG] == 1)?;
        words[0] = MORE;
        Some(TextRun { words })
    }

    /// Appends the last event again, with another text, source and (if there is one) timestamp. Costs a tenth of
    /// [`Batch::push`]. Nothing else may have been pushed since the run was made.
    #[inline]
    pub(crate) fn push_more_text(
        &mut self,
        run: &mut TextRun,
        source: Source,
        timestamp: Option<&str>,
        text: &str,
    ) {
        let words = &mut run.words;
        words[2..HEAD_WORDS].copy_from_slice(&source_words(source));
        words[TEXT] = self.store(text);
        if let Some(timestamp) = timestamp {
            words[TIMESTAMP] = self.interned(Interned::Text, TIMESTAMP_SLOT, Some(timestamp));
        }
        self.starts.push(self.words.len() as u32);
        self.words.extend_from_slice(words);
    }

    /// The events from a position on that continue the one before, as far as nothing but their texts was stored.
    pub(crate) fn more_text(&self, position: usize) -> Option<MoreText<'_>> {
        let words = self.words.get(*self.starts.get(position)? as usize..)?;
        let first = words.first_chunk::<TEXT_CHUNK_WORDS>()?;
        if first[0] != MORE {
            return None;
        }
        let (records, _) = words.as_chunks::<TEXT_CHUNK_WORDS>();
        let texts = first[TEXT]..;
        let run =
            records.iter().zip(texts).take_while(|(record, text)| record[0] == MORE && record[TEXT] == *text);
        let chunks = run.count();
        Some(MoreText {
            chunks,
            item: first[ITEM].checked_sub(1)?,
            text: self.strings().between(first[TEXT], first[TEXT] + chunks as u32 - 1),
            words,
            batch: self,
        })
    }
}
