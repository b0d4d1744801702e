//! Records that differ from an earlier one only in a few strings are not read again: their facts are said again with the
//! new strings.
//!
//! Exact, since nothing is taken for granted: the rest of the record must be the same bytes (validated when they came),
//! the strings are validated here, and the dialect has vouched ([`FactSink::repeatable`]) that they reach its facts as
//! they are or not at all. A record whose dialect does not vouch may have changed what later ones mean: it empties the
//! memo. On token deltas this takes the place of all JSON reading and of the dialect.

mod listener;
mod template;

use crate::dialect::FactSink;
use crate::framing::{Record, Source, Stretch, Taken};
use crate::normalize::NormalForm;
use listener::Listener;
use template::{Found, Template};

/// How many shapes are kept: streams of several agents interleave.
const TEMPLATES: usize = 4;
/// Strings of a record that may change.
const FREE: usize = 4;
/// A longer record is not worth a copy: reading it costs little against its text.
const LONGEST: usize = 4096;

/// The shapes seen last.
#[derive(Debug, Default)]
pub(super) struct Memo {
    templates: Vec<Template>,
    next: usize,
    /// The shape of the last record that had a known one.
    latest: usize,
    /// What the current record may become; its buffers are those of a shape that was given up.
    draft: Template,
}

impl Memo {
    /// Says the facts of a record of a known shape. Returns whether it was one.
    pub fn replay(&mut self, record: &Record<'_>, normal: &mut NormalForm) -> bool {
        // Records of one shape mostly follow each other.
        let latest = self.latest;
        let others = (0..self.templates.len()).filter(|place| *place != latest);
        for place in std::iter::once(latest).chain(others) {
            let Some(template) = self.templates.get_mut(place) else { continue };
            let mut found = [Found::default(); FREE];
            let body = record.body.as_bytes();
            let is_known = template.event.as_deref() == record.event
                && template.find(body, 0, &mut found) == Some(body.len());
            if is_known {
                template.repeat(&found, record.source, normal);
                self.latest = place;
                return true;
            }
        }
        false
    }

    /// Forgets all shapes: the dialect may have changed its mind.
    pub fn clear(&mut self) {
        self.templates.clear();
    }

    /// Reads records one after the other as long as they only add to the text that the last one added to: no cutting,
    /// no record, no fact. Instructions per token delta of vent, with its `Transcript`: 1,900
    /// one by one, 1,050 so (callgrind, native).
    pub fn take(&self, stretch: &Stretch<'_>, input: u32, normal: &mut NormalForm) -> Taken {
        let mut taken = Taken::default();
        let Some(template) = self.templates.get(self.latest) else { return taken };
        if template.event.as_deref() != stretch.event {
            return taken;
        }
        let Some((delta, mut growth)) = template.grow(normal) else { return taken };
        let mut source = Source { offset: stretch.offset, length: 0, line: stretch.line, input };
        let mut found = [Found::default(); FREE];
        loop {
            let body = stretch.body_after(taken.bytes);
            let end = body.and_then(|body| template.find(stretch.bytes, body, &mut found));
            let Some((end, next)) = end.and_then(|end| Some((end, stretch.close_after(end)?))) else {
                return taken;
            };
            source.length = (end - taken.bytes) as u64;
            if source.length > stretch.max_record_bytes {
                return taken;
            }
            normal.begin_record(source);
            if !delta.add(&found, &mut growth, source, normal) {
                return taken;
            }
            normal.end_record();
            source.offset += (next - taken.bytes) as u64;
            source.line += stretch.lines;
            taken.records += 1;
            taken.bytes = next;
        }
    }

    /// Hands facts on, and keeps the record's shape if the dialect vouches for it.
    pub fn listen<'s>(&'s mut self, record: &Record<'s>, facts: &'s mut dyn FactSink) -> Listener<'s> {
        Listener::new(self, record, facts)
    }

    fn keep_draft(&mut self) {
        if self.templates.len() < TEMPLATES {
            self.templates.push(std::mem::take(&mut self.draft));
            return;
        }
        self.next = (self.next + 1) % TEMPLATES;
        if let Some(oldest) = self.templates.get_mut(self.next) {
            std::mem::swap(oldest, &mut self.draft);
        }
    }
}
