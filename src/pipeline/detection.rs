//! Which dialect a stream speaks: decided by its first records, or told.

use crate::dialect::{DialectRow, Sign, rows};
use crate::framing::{Container, Framer, FramingOptions, Record, RecordSink, Skipped, Source};
use crate::json::{Spans, Value};

/// How many records may wait until the dialect is certain, the newest included.
const MOST_HELD: usize = 3;

/// How many changes of the dialect are told one by one.
const MOST_CHANGES: usize = 10;

/// What a stream was recognised as.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Detection {
    /// Name of the dialect; `None` when nothing fits.
    pub dialect: Option<&'static str>,
    /// What the bytes are; `None` before the first ones.
    pub container: Option<Container>,
    /// Why, in words.
    pub why: String,
}

/// A record that waits.
pub(super) struct Held {
    body: String,
    event: Option<String>,
    id: Option<String>,
    source: Source,
}

impl Held {
    pub fn record(&self) -> Record<'_> {
        Record { body: &self.body, event: self.event.as_deref(), id: self.id.as_deref(), source: self.source }
    }
}

/// Looks at records until it is sure.
pub(super) struct Detector {
    pub container: Option<Container>,
    held: Vec<Held>,
    best: Option<(Sign, &'static DialectRow, &'static str)>,
    looked: usize,
    why: String,
    /// The user named the dialect.
    is_told: bool,
    /// Dialects that were spoken so far.
    spoken: Vec<&'static DialectRow>,
    changes: usize,
}

impl Detector {
    pub fn new(told: Option<&'static DialectRow>) -> Self {
        let why = if told.is_some() { "the dialect option names it" } else { "" };
        Detector {
            container: None,
            held: Vec::new(),
            best: None,
            looked: 0,
            why: why.to_owned(),
            is_told: told.is_some(),
            spoken: Vec::new(),
            changes: 0,
        }
    }

    /// Whether this record waits for a decision: the first ones that can bring one do, and what comes between them.
    pub fn waits(&self, record: &Record<'_>) -> bool {
        let is_open = self.looked < MOST_HELD && self.held.len() < MOST_HELD;
        is_open && (!self.held.is_empty() || looks_like_json(record.body))
    }

    pub fn hold(&mut self, record: &Record<'_>) {
        self.held.push(Held {
            body: record.body.to_owned(),
            event: record.event.map(str::to_owned),
            id: record.id.map(str::to_owned),
            source: record.source,
        });
    }

    pub fn take_held(&mut self) -> Vec<Held> {
        std::mem::take(&mut self.held)
    }

    /// Why the dialect was chosen.
    pub fn why(&self) -> &str {
        if self.why.is_empty() { "no record looked like a known dialect" } else { &self.why }
    }

    /// One more record. Returns the dialect once it is certain, or the most likely one when waiting is over.
    pub fn look(&mut self, record: &Record<'_>, value: Value<'_>) -> Option<&'static DialectRow> {
        self.looked += 1;
        let container = self.container.unwrap_or(Container::JsonLines);
        for row in rows() {
            let Some((sign, why)) = (row.detect)(record, value, container) else { continue };
            if self.best.is_none_or(|(best, ..)| sign > best) {
                self.best = Some((sign, row, why));
            }
        }
        match self.best {
            Some((Sign::Certain, ..)) => self.settle(),
            _ if self.looked < MOST_HELD => None,
            _ => self.settle(),
        }
    }

    /// The dialect that a record speaks most, where `own` does not know its word: one that is at least likely, or one that
    /// was spoken before. No other one is asked while the records are known, so a switch costs nothing until it comes.
    pub fn foreign(
        &self,
        own: &'static DialectRow,
        record: &Record<'_>,
        value: Value<'_>,
    ) -> Option<&'static DialectRow> {
        let container = self.container.unwrap_or(Container::JsonLines);
        let speaks = |row: &DialectRow| (row.detect)(record, value, container);
        if self.is_told || speaks(own).is_some() {
            return None;
        }
        let knows = |row: &DialectRow| self.spoken.iter().any(|spoken| spoken.name == row.name);
        let signs = rows().iter().filter_map(|row| speaks(row).map(|(sign, _)| (sign, row)));
        let likely = signs.filter(|(sign, row)| *sign > Sign::Weak || knows(row));
        // One that was spoken before goes before one that is only likely.
        let ranked = likely.map(|(sign, row)| ((sign == Sign::Certain, knows(row), sign), row));
        ranked.reduce(|best, other| if other.0 > best.0 { other } else { best }).map(|(_, row)| row)
    }

    /// The stream went on in another dialect.
    pub fn changed(&mut self, row: &'static DialectRow, source: Source) {
        self.spoke(row);
        if self.changes < MOST_CHANGES {
            self.why.push_str(&format!("; {} from line {} on", row.name, source.line));
        }
        self.changes += 1;
    }

    fn spoke(&mut self, row: &'static DialectRow) {
        if self.spoken.iter().all(|spoken| spoken.name != row.name) {
            self.spoken.push(row);
        }
    }

    /// The record as JSON, if it is.
    pub fn value<'a>(record: &Record<'a>, spans: &'a mut Spans) -> Option<Value<'a>> {
        Value::parse_noting(behind_control_bytes(record.body), spans).ok()
    }

    /// Decides on what was seen.
    pub fn settle(&mut self) -> Option<&'static DialectRow> {
        let (sign, row, why) = self.best?;
        let strength = match sign {
            Sign::Certain => "certain",
            Sign::Strong => "likely",
            Sign::Weak => "a guess",
        };
        self.why = format!("{strength}: {why} (record {})", self.looked);
        self.spoke(row);
        Some(row)
    }
}

/// What stands behind the control bytes that a crashed append or a terminal left before a record.
pub(super) fn behind_control_bytes(body: &str) -> &str {
    body.trim_start_matches(|letter: char| letter.is_ascii_control())
}

fn looks_like_json(body: &str) -> bool {
    behind_control_bytes(body).starts_with(['{', '['])
}

/// Recognises the container and dialect of the beginning of a stream.
pub fn detect(head: &[u8]) -> Detection {
    struct Look {
        detector: Detector,
        found: Option<&'static DialectRow>,
    }
    impl RecordSink for Look {
        fn container(&mut self, container: Container) {
            self.detector.container = Some(container);
        }
        fn record(&mut self, record: Record<'_>) {
            if self.found.is_none()
                && let Some(value) = Detector::value(&record, &mut Spans::default())
            {
                self.found = self.detector.look(&record, value);
            }
        }
        fn skipped(&mut self, _source: Source, _why: Skipped) {}
        fn diagnostic(&mut self, _diagnostic: crate::framing::Diagnostic) {}
    }
    let mut framer = Framer::new(FramingOptions::default());
    let mut look = Look { detector: Detector::new(None), found: None };
    framer.push(head, &mut look);
    framer.end(&mut look);
    let found = look.found.or_else(|| look.detector.settle());
    Detection {
        dialect: found.map(|row| row.name),
        container: framer.container(),
        why: look.detector.why().to_owned(),
    }
}
