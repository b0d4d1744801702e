//! Deltas that do nothing but add to a text or to the arguments of a call: the same as their facts, at a tenth of the cost.
//!
//! Exact only for a delta that differs from the last fact in record id, timestamp and text, and only while nothing else
//! comes in between; whoever asks vouches for the first, this room for the second.

use super::NormalForm;
use crate::event::{Grown, GrowthRun};
use crate::framing::Source;

/// What the last fact added a text to, as the next delta of the same shape finds it if nothing else came in between.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Growing {
    facts: u64,
    target: Target,
}

/// What a delta adds to.
#[derive(Clone, Copy, Debug)]
pub(super) enum Target {
    Part(usize),
    /// Keeps nothing of its argument text.
    Card(usize),
}

/// Deltas in a row.
#[derive(Debug)]
pub(crate) struct Growth {
    /// The part, and whether its newest text is remembered, since an error may repeat it.
    part: Option<(usize, bool)>,
    run: GrowthRun,
}

impl NormalForm {
    /// What can be continued: the last fact was a delta that did nothing but add its text.
    pub(crate) fn growing(&self) -> Option<Growing> {
        let target = self.grown?;
        let is_quiet = match target {
            Target::Part(index) => {
                let part = &self.parts.list[index];
                part.high.is_none() && part.replacement.is_none() && !part.ended && !self.history.is_open
            }
            Target::Card(index) => self.cards.list[index].input_high.is_none(),
        };
        is_quiet.then_some(Growing { facts: self.facts, target })
    }

    /// Goes on where a delta left off, unless something came in between.
    pub(crate) fn grow(&mut self, growing: Growing) -> Option<Growth> {
        if growing.facts != self.facts {
            return None;
        }
        let run = self.out.batch.growth_run()?;
        let part = match growing.target {
            Target::Part(index) => {
                let part = self.parts.list.get(index)?;
                Some((index, self.lanes.get(part.lane).recent_item == part.item))
            }
            Target::Card(_) => None,
        };
        (part.is_some() == (run.grown == Grown::Text)).then_some(Growth { part, run })
    }

    /// Takes one record that adds a text, not empty: between `begin_record` and `end_record`, or on its own and then counted
    /// by [`count_record`](Self::count_record). Returns whether it did; a record that was here before is dropped.
    #[inline]
    pub(crate) fn add(
        &mut self,
        growth: &mut Growth,
        source: Source,
        id: Option<&str>,
        timestamp: Option<&str>,
        text: &str,
    ) -> bool {
        self.out.source = source;
        if id.is_some_and(|id| self.record_id(id)) {
            return false;
        }
        if let Some((index, is_recent)) = growth.part {
            let part = &mut self.parts.list[index];
            part.sent.add(text);
            if is_recent && let (lane, Some(item)) = (part.lane, part.item) {
                self.remember_recent(lane, item, text);
            }
        }
        self.out.from_record += 1;
        self.out.did_work = true;
        self.out.batch.push_more_text(&mut growth.run, source, timestamp, text);
        self.out.sent += 1;
        true
    }

    /// Counts a record that was taken on its own.
    #[inline]
    pub(crate) fn count_record(&mut self, sent: bool) {
        let count = if sent { &mut self.records_with_events } else { &mut self.records_ignored };
        *count += 1;
    }
}
