//! A stream inside a stream: the child (framing, dialect) pair of a format that carries another one's records.
//!
//! The child is named, or found by the detectors of the table at its first telling record. Its facts and remarks go to
//! the parent's sink, so they belong to the parent's record; what it cannot read surfaces under the child's own words.
//! Knows no field of either format.

use super::{Dialect, DialectOptions, DialectRow, Fact, FactSink, Sign, row_by_name, rows};
use crate::dialect::Context;
use crate::event::{HarnessEvent, Json, Notice, OutputStream, Severity as NoticeSeverity, Unknown, Update};
use crate::framing::{
    Container, Diagnostic, Framer, FramingOptions, Record, RecordSink, Severity, Skipped, Source,
};
use crate::json::Value;

/// A fresh child. No format that is read inside another one leaves nesting open.
fn made(row: &DialectRow) -> Box<dyn Dialect> {
    (row.make)(&DialectOptions::default())
}

/// Records after a child that only a weak sign spoke for, in which a stronger sign makes another one the child.
const DOUBTS: u8 = 3;

/// The child of a dialect, and what is known about it.
pub struct Nested {
    /// Never taken as the child.
    parent: &'static str,
    child: Option<Box<dyn Dialect>>,
    /// The row of a child that was not named.
    found: &'static str,
    /// Records left in which the child may still turn out to be another one.
    doubts: u8,
    framer: Option<Framer>,
}

impl Nested {
    /// A child that is not known yet. The row named `parent` is not asked.
    pub fn of(parent: &'static str) -> Self {
        Nested { parent, child: None, found: "", doubts: 0, framer: None }
    }

    /// Makes the dialect of this name the child. A name without a row leaves the child to detection.
    pub fn name_child(&mut self, name: &str) {
        self.child = row_by_name(name).filter(|row| row.name != self.parent).map(made);
        self.doubts = 0;
    }

    /// One inner record that the parent has cut out already. `outer` is the parent's record.
    pub fn record(&mut self, outer: &Record<'_>, value: Value<'_>, facts: &mut dyn FactSink) {
        let record = Record { body: value.raw(), ..*outer };
        self.find_child(&record, value);
        match &mut self.child {
            Some(child) => child.record(&record, value, facts),
            None => say_unread(value, facts),
        }
    }

    /// One inner record that is not JSON. Returns whether the child claimed it.
    pub fn text(&mut self, outer: &Record<'_>, facts: &mut dyn FactSink) -> bool {
        self.child.as_mut().is_some_and(|child| child.text(outer, facts))
    }

    /// The next bytes of an inner stream of JSON lines, cut anywhere. `outer` is where the parent's record stands.
    /// Lines that nobody claims are notices. Returns whether a record was completed.
    pub fn bytes(&mut self, bytes: &[u8], outer: Source, facts: &mut dyn FactSink) -> bool {
        let lines =
            || Framer::new(FramingOptions { container: Some(Container::JsonLines), ..Default::default() });
        let mut framer = self.framer.take().unwrap_or_else(lines);
        let mut inner = Inner { nested: self, outer, facts, found: false };
        framer.push(bytes, &mut inner);
        let found = inner.found;
        self.framer = Some(framer);
        found
    }

    /// Forgets the unfinished line of the inner stream.
    pub fn discard_bytes(&mut self) {
        self.framer = None;
    }

    /// The inner stream is over: an unfinished line is read as it stands, the child flushes. The child stays, for
    /// streams that are appended.
    pub fn end(&mut self, outer: Source, facts: &mut dyn FactSink) {
        if let Some(mut framer) = self.framer.take() {
            framer.end(&mut Inner { nested: self, outer, facts, found: false });
        }
        if let Some(child) = &mut self.child {
            child.end(facts);
        }
    }

    /// A record may tell who the child is. A weak sign is taken until a stronger one comes.
    fn find_child(&mut self, record: &Record<'_>, value: Value<'_>) {
        if self.child.is_some() && self.doubts == 0 {
            return;
        }
        self.doubts = self.doubts.saturating_sub(1);
        let Some((sign, row)) = self.detect(record, value) else { return };
        let is_sure = sign > Sign::Weak;
        if self.child.is_none() || (is_sure && row.name != self.found) {
            self.child = Some(made(row));
            self.found = row.name;
            self.doubts = DOUBTS;
        }
        if is_sure {
            self.doubts = 0;
        }
    }

    /// The row that speaks most strongly for itself.
    fn detect(&self, record: &Record<'_>, value: Value<'_>) -> Option<(Sign, &'static DialectRow)> {
        let mut best: Option<(Sign, &DialectRow)> = None;
        for row in rows().iter().filter(|row| row.name != self.parent) {
            let Some((sign, _)) = (row.detect)(record, value, Container::JsonLines) else { continue };
            if best.is_none_or(|(best, _)| sign > best) {
                best = Some((sign, row));
            }
        }
        best
    }
}

/// A record before the child is known.
fn say_unread(value: Value<'_>, facts: &mut dyn FactSink) {
    let kind = value.get("type").and_then(Value::str);
    let word = HarnessEvent { type_: kind.as_deref().unwrap_or("raw"), payload: Some(Json(value.raw())) };
    facts.fact(&Context::default(), Fact::Tell(Update::HarnessEvent(word)));
}

/// Takes what the inner framer finds, as part of the outer record.
struct Inner<'s> {
    nested: &'s mut Nested,
    outer: Source,
    facts: &'s mut dyn FactSink,
    found: bool,
}

impl RecordSink for Inner<'_> {
    fn record(&mut self, record: Record<'_>) {
        self.found = true;
        let record = Record { source: self.outer, ..record };
        match Value::parse(record.body) {
            Ok(value) => self.nested.record(&record, value, self.facts),
            Err(_) if self.nested.text(&record, self.facts) => {}
            Err(invalid) if record.body.starts_with(['{', '[']) => {
                self.facts.diagnostic(invalid.code, Severity::Error, invalid.message);
                let unknown = Unknown { type_: None, raw: record.body };
                self.facts.fact(&Context::default(), Fact::Tell(Update::Unknown(unknown)));
            }
            Err(_) => {
                let stream = Some(OutputStream::Stdout);
                let notice = Notice { severity: NoticeSeverity::Info, text: record.body, stream };
                self.facts.fact(&Context::default(), Fact::Tell(Update::Notice(notice)));
            }
        }
    }

    fn skipped(&mut self, _source: Source, _why: Skipped) {}

    fn diagnostic(&mut self, diagnostic: Diagnostic) {
        self.facts.diagnostic(diagnostic.code, diagnostic.severity, &diagnostic.message);
    }
}
