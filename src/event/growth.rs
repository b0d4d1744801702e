//! Events that follow each other, in a batch, and only add to the text of one item: each differs from the one before
//! only in source, timestamp and text.

use super::batch::{Batch, Interned, Reader, source_words};
use super::generated::{ENVELOPE_WORDS, HEAD_WORDS, REPEATED_SLOT, TIMESTAMP_SLOT};
use crate::framing::Source;

/// Which text of an item grows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Grown {
    /// A text or thought of the agent.
    Text,
    /// The argument text of a tool call.
    Input,
}

/// In the first word of a record: it continues the one before.
const CONTINUES: u32 = 1 << 31;
const TAG: usize = 1;
const ITEM: usize = HEAD_WORDS;
const TIMESTAMP: usize = HEAD_WORDS + 1 + TIMESTAMP_SLOT;
/// Where the update's own words begin.
const UPDATE: usize = HEAD_WORDS + ENVELOPE_WORDS;
/// Words of a text chunk: the tag of its content and its text.
const CHUNK_WORDS: usize = UPDATE + 2;
/// Words of a `tool_call_update` without lists, and the place of its `inputDelta`.
const INPUT_WORDS: usize = UPDATE + 13;
const INPUT_DELTA: usize = UPDATE + 6;

impl Grown {
    /// What a record adds to, if it does nothing else.
    fn of(record: &[u32]) -> Option<Grown> {
        match (record.get(TAG)?, record.get(UPDATE..)?) {
            (1 | 2, [1, _]) => Some(Grown::Text),
            (5, [_, 0, 0, 0, 0, 0, text, 0, 0, 0, 0, 0, 0]) if *text != 0 => Some(Grown::Input),
            _ => None,
        }
    }

    fn words(self) -> usize {
        match self {
            Grown::Text => CHUNK_WORDS,
            Grown::Input => INPUT_WORDS,
        }
    }

    fn text(self) -> usize {
        match self {
            Grown::Text => CHUNK_WORDS - 1,
            Grown::Input => INPUT_DELTA,
        }
    }
}

/// Writes such events.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GrowthRun {
    pub grown: Grown,
    words: [u32; INPUT_WORDS],
}

impl GrowthRun {
    fn of(record: &[u32]) -> Option<GrowthRun> {
        let grown = Grown::of(record)?;
        let mut words = [0; INPUT_WORDS];
        words.get_mut(..record.len())?.copy_from_slice(record);
        words[0] = grown.words() as u32 | CONTINUES;
        Some(GrowthRun { grown, words })
    }

    /// The strings of the envelope got other places.
    pub(super) fn renew(&mut self, last: &[u32]) {
        let renewed = |word: &mut u32, last: &u32| *word = if *word == 0 { 0 } else { *last };
        let (envelope, rest) = last.split_at(REPEATED_SLOT.min(last.len()));
        self.words.iter_mut().skip(ITEM + 1).zip(envelope).for_each(|(word, last)| renewed(word, last));
        if let (Grown::Input, Some(call)) = (self.grown, rest.first()) {
            renewed(&mut self.words[UPDATE], call);
        }
    }
}

/// What a run of such events adds to an item.
pub(crate) struct MoreText<'a> {
    /// Which text of it.
    pub grown: Grown,
    /// How many events.
    pub events: usize,
    /// The item.
    pub item: u32,
    /// Their texts, joined.
    pub text: &'a str,
    words: &'a [u32],
    batch: &'a Batch,
}

impl<'a> MoreText<'a> {
    /// Source and text of one of the events.
    pub fn event(&self, number: usize) -> (Source, &'a str) {
        let words = self.words.get(number * self.grown.words()..).unwrap_or_default();
        let mut reader = Reader { words, strings: self.batch.strings(), at: 2 };
        let source = reader.source();
        reader.at = self.grown.text();
        (source, reader.text())
    }
}

impl Batch {
    /// How to go on with the last event of this batch, if it only added to a text.
    pub(super) fn last_growth(&self) -> Option<GrowthRun> {
        GrowthRun::of(self.words.get(*self.starts.last()? as usize..)?)
    }

    /// How to go on with the last event, if it only added to a text of the agent or to the arguments of a call.
    pub(crate) fn growth_run(&self) -> Option<GrowthRun> {
        if self.starts.is_empty() { self.tail } else { self.last_growth() }
    }

    /// Appends the last event again, with another text, source and (if there is one) timestamp. Costs a tenth of
    /// [`Batch::push`]. Nothing else may have been pushed since the run was made.
    #[inline]
    pub(crate) fn push_more_text(
        &mut self,
        run: &mut GrowthRun,
        source: Source,
        timestamp: Option<&str>,
        text: &str,
    ) {
        let GrowthRun { grown, words } = run;
        words[2..HEAD_WORDS].copy_from_slice(&source_words(source));
        words[grown.text()] = self.store(text);
        if let Some(timestamp) = timestamp {
            words[TIMESTAMP] = self.interned(Interned::Text, TIMESTAMP_SLOT, Some(timestamp));
        }
        self.starts.push(self.words.len() as u32);
        self.words.extend_from_slice(words.get(..grown.words()).unwrap_or_default());
    }

    /// The events from a position on that continue the one before, as far as nothing but their texts was stored.
    pub(crate) fn more_text(&self, position: usize) -> Option<MoreText<'_>> {
        let words = self.words.get(*self.starts.get(position)? as usize..)?;
        let first = *words.first()?;
        if first & CONTINUES == 0 {
            return None;
        }
        let grown = Grown::of(words.get(..(first & !CONTINUES) as usize)?)?;
        let text = *words.get(grown.text())?;
        let goes_on = |(record, text): &(&[u32], u32)| record[0] == first && record[grown.text()] == *text;
        let events = words.chunks_exact(grown.words()).zip(text..).take_while(goes_on).count();
        Some(MoreText {
            grown,
            events,
            item: words.get(ITEM)?.checked_sub(1)?,
            text: self.strings().between(text, text + events as u32 - 1),
            words,
            batch: self,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::{AgentMessageChunk, ContentBlock, Envelope, ToolCallUpdate, ToolStatus, Update};

    fn last_of(update: Update<'_>) -> Option<GrowthRun> {
        let mut batch = Batch::new();
        batch.push(&Envelope { item: Some(3), ..Envelope::default() }, Source::default(), &update);
        batch.growth_run()
    }

    #[test]
    fn the_layout_is_that_of_the_table() {
        let text = AgentMessageChunk { content: ContentBlock::Text { text: "a" } };
        assert_eq!(last_of(text.into()).unwrap().grown, Grown::Text);
        let bare = ToolCallUpdate { tool_call_id: "c", input_delta: Some("{"), ..ToolCallUpdate::default() };
        let mut batch = Batch::new();
        batch.push(
            &Envelope { item: Some(3), ..Envelope::default() },
            Source::default(),
            &bare.clone().into(),
        );
        let mut run = batch.growth_run().unwrap();
        assert_eq!(run.grown, Grown::Input);
        batch.push_more_text(&mut run, Source { offset: 7, ..Source::default() }, None, "\"a");
        let event = batch.get(1).unwrap();
        assert_eq!(event.update, ToolCallUpdate { input_delta: Some("\"a"), ..bare.clone() }.into());
        assert_eq!((event.source.offset, event.envelope.item), (7, Some(3)));
        let more = batch.more_text(1).unwrap();
        assert_eq!((more.events, more.item, more.text), (1, 3, "\"a"));
        let more_than_text = ToolCallUpdate { status: Some(ToolStatus::Completed), ..bare };
        assert!(last_of(more_than_text.into()).is_none());
    }
}
