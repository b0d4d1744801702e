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
use template::{Found, Template, behind};

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
    joint: Vec<u8>,
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
            if template.event.as_deref() == record.event && template.matches(record.body, &mut found) {
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
    /// no record, no fact. Instructions per token delta of vent, with its `Transcript`: 1,900 one by one, 900 so
    /// (callgrind, native).
    pub fn take(&mut self, stretch: &Stretch<'_>, input: u32, normal: &mut NormalForm) -> Taken {
        let mut taken = Taken::default();
        let Some(template) = self.templates.get(self.latest) else { return taken };
        let Some((delta, mut growth)) = template.grow(normal) else { return taken };
        let &Stretch { bytes, lead, close, .. } = stretch;
        let first = behind(bytes, 0, lead).and_then(|at| behind(bytes, at, template.head()));
        let Some(mut at) = first.filter(|_| template.event.as_deref() == stretch.event) else { return taken };
        // What stands between the last string of one record and the first of the next is compared at once.
        self.joint.clear();
        for piece in [template.tail(), close, lead, template.head()] {
            self.joint.extend_from_slice(piece);
        }
        let (tail, end) = (template.tail().len(), template.tail().len() + close.len());
        let mut source = Source { offset: stretch.offset, length: 0, line: stretch.line, input };
        let mut found = [Found::default(); FREE];
        while let Some(behind_strings) = template.strings(bytes, at, &mut found) {
            let next = behind(bytes, behind_strings, &self.joint);
            let is_whole = next.is_some()
                || self.joint.get(..end).is_some_and(|end| behind(bytes, behind_strings, end).is_some());
            source.length = (behind_strings + tail - taken.bytes) as u64;
            if !is_whole || source.length > stretch.max_record_bytes {
                return taken;
            }
            let Some(sent) = delta.add(&found, &mut growth, source, normal) else { return taken };
            normal.count_record(sent);
            source.offset += source.length + close.len() as u64;
            source.line += stretch.lines;
            taken.records += 1;
            taken.bytes = behind_strings + end;
            let Some(next) = next else { return taken };
            at = next;
        }
        taken
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
