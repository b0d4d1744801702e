//! Deltas that do nothing but add to a text: the same as their facts, at a tenth of the cost.
//!
//! Exact only for a delta that differs from the last fact in record id, timestamp and text, and only while nothing else
//! comes in between; whoever asks vouches for the first, this room for the second.

use super::NormalForm;
use crate::event::TextRun;
use crate::framing::Source;

/// A text part right after a delta, as the next delta of the same shape finds it if nothing else came in between.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Growing {
    facts: u64,
    part: usize,
}

/// Deltas in a row.
#[derive(Debug)]
pub(crate) struct Growth {
    part: usize,
    text: TextRun,
    /// The part whose newest text is remembered, since an error may repeat it.
    is_recent: bool,
}

impl NormalForm {
    /// What can be continued: the last fact was a text delta that did nothing but add its text.
    pub(crate) fn growing(&self) -> Option<Growing> {
        let index = self.grown?;
        let part = &self.parts.list[index];
        let is_quiet =
            part.high.is_none() && part.replacement.is_none() && !part.ended && !self.history.is_open;
        is_quiet.then_some(Growing { facts: self.facts, part: index })
    }

    /// Goes on where a delta left off, unless something came in between.
    pub(crate) fn grow(&mut self, growing: Growing) -> Option<Growth> {
        if growing.facts != self.facts {
            return None;
        }
        let text = self.out.batch.text_run()?;
        let part = self.parts.list.get(growing.part)?;
        let is_recent = self.lanes.get(part.lane).recent_item == part.item;
        Some(Growth { part: growing.part, text, is_recent })
    }

    /// Takes one record that adds a text, not empty, between `begin_record` and `end_record` or on its own.
    #[inline]
    pub(crate) fn add(
        &mut self,
        growth: &mut Growth,
        source: Source,
        id: Option<&str>,
        timestamp: Option<&str>,
        text: &str,
    ) {
        if id.is_some_and(|id| self.record_id(id)) {
            return;
        }
        let part = &mut self.parts.list[growth.part];
        part.sent.add(text);
        if growth.is_recent
            && let (lane, Some(item)) = (part.lane, part.item)
        {
            self.remember_recent(lane, item, text);
        }
        self.out.from_record += 1;
        self.out.did_work = true;
        self.out.batch.push_more_text(&mut growth.text, source, timestamp, text);
        self.out.sent += 1;
    }
}
