//! The rooms joined: bytes in, events out.
//!
//! Holds no knowledge of its own but the order of the rooms and which dialect reads the records.

mod detection;
mod options;
mod report;

pub use detection::{Detection, detect};
pub use options::{Limits, Misuse, OptionError, Options, Updates};
pub use report::{Report, SkippedCounts};

use crate::dialect::{Dialect, DialectRow, FactSink as _, row_by_name};
use crate::event::{Batch, Notice, Severity as NoticeSeverity, Unknown, Update};
use crate::framing::{
    Container, Diagnostic, Framer, FramingOptions, Record, RecordSink, Severity, Skipped, Source,
};
use crate::json::{Invalid, Value};
use crate::normalize::{NormalForm, NormalOptions};

use crate::dialect::{Context, Fact};
use detection::Detector;

/// Turns the bytes of one stream into UI events.
///
/// Feed it chunks of any size, cut anywhere; the events do not depend on the cuts. What a [`Batch`] lends stays valid
/// until the next call.
///
/// ```
/// use agent_ui_events::{Normalizer, Options};
///
/// let mut normalizer = Normalizer::new(Options::default())?;
/// let line = br#"{"update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"Hello"}}}"#;
/// for event in normalizer.push(line)?.iter() {
///     println!("{}", event.update.name());
/// }
/// normalizer.end()?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Normalizer {
    framer: Framer,
    reader: Reader,
    ended: bool,
}

/// Everything behind framing.
struct Reader {
    normal: NormalForm,
    dialect: Option<(&'static DialectRow, Box<dyn Dialect>)>,
    detector: Detector,
    records: u64,
    skipped: SkippedCounts,
}

impl Normalizer {
    /// A normalizer for one stream. Fails on a dialect name that does not exist, naming those that do.
    pub fn new(options: Options) -> Result<Normalizer, OptionError> {
        let row = match &options.dialect {
            None => None,
            Some(name) => Some(row_by_name(name).ok_or_else(|| OptionError::unknown_dialect(name))?),
        };
        let framing = FramingOptions {
            container: options.container,
            max_record_bytes: options.limits.max_record_bytes,
            // The log behind counts and caps them, together with those of the other rooms.
            max_diagnostics_per_code: usize::MAX,
        };
        let normal = NormalOptions {
            core_only: options.updates == Updates::Core,
            max_record_ids: options.limits.max_record_ids,
            show_injected: options.show_injected,
        };
        Ok(Normalizer {
            framer: Framer::new(framing),
            reader: Reader {
                normal: NormalForm::new(normal),
                dialect: row.map(|row| (row, (row.make)())),
                detector: Detector::new(row),
                records: 0,
                skipped: SkippedCounts::default(),
            },
            ended: false,
        })
    }

    /// Reads the next bytes and returns the events they complete.
    pub fn push(&mut self, chunk: &[u8]) -> Result<&Batch, Misuse> {
        if self.ended {
            return Err(Misuse("push after end: make a new Normalizer for the next stream"));
        }
        self.reader.normal.clear_batch();
        self.framer.push(chunk, &mut self.reader);
        Ok(self.reader.normal.batch())
    }

    /// The stream is over: returns what only its end makes certain.
    pub fn end(&mut self) -> Result<&Batch, Misuse> {
        if self.ended {
            return Err(Misuse("end was called before: make a new Normalizer for the next stream"));
        }
        self.ended = true;
        self.reader.normal.clear_batch();
        self.framer.end(&mut self.reader);
        self.reader.end();
        Ok(self.reader.normal.batch())
    }

    /// What is known of the stream so far.
    pub fn report(&self) -> Report {
        Report::of(self)
    }
}

impl RecordSink for Reader {
    fn container(&mut self, container: Container) {
        self.detector.container = Some(container);
    }

    fn record(&mut self, record: Record<'_>) {
        self.records += 1;
        if let Some(read) = self.dialect.as_mut() {
            let (_, dialect) = read;
            return read_record(&mut self.normal, Some(dialect.as_mut()), &record);
        }
        self.detect(&record);
    }

    fn skipped(&mut self, source: Source, why: Skipped) {
        self.skipped.count(source, why);
    }

    fn diagnostic(&mut self, diagnostic: Diagnostic) {
        self.normal.log(diagnostic);
    }
}

impl Reader {
    /// The dialect is not certain yet: this record may decide it.
    fn detect(&mut self, record: &Record<'_>) {
        let value = Detector::value(record);
        if let Some(row) = value.and_then(|value| self.detector.look(record, value)) {
            self.dialect = Some((row, (row.make)()));
        }
        if self.dialect.is_none() && self.detector.holds(value.is_some()) {
            self.detector.hold(record);
        } else {
            self.release_held();
            let dialect = self.dialect.as_mut().map(|(_, dialect)| dialect.as_mut() as &mut dyn Dialect);
            read_record(&mut self.normal, dialect, record);
        }
    }

    fn release_held(&mut self) {
        for held in self.detector.take_held() {
            let dialect = self.dialect.as_mut().map(|(_, dialect)| dialect.as_mut() as &mut dyn Dialect);
            read_record(&mut self.normal, dialect, &held.record());
        }
    }

    fn end(&mut self) {
        if self.dialect.is_none() {
            if let Some(row) = self.detector.settle() {
                self.dialect = Some((row, (row.make)()));
            }
            self.release_held();
        }
        if let Some((_, dialect)) = self.dialect.as_mut() {
            dialect.end(&mut self.normal);
        }
        self.normal.finish();
    }
}

/// One record through its dialect, or as it is where there is none.
fn read_record(normal: &mut NormalForm, dialect: Option<&mut dyn Dialect>, record: &Record<'_>) {
    normal.begin_record(record.source);
    match record.body {
        "" => normal.ignored("heartbeat"),
        "[DONE]" => normal.ignored("end-sentinel"),
        body => match (read_json(normal, body), dialect) {
            (Ok(value), Some(dialect)) => dialect.record(record, value, normal),
            (Ok(value), None) => unknown(normal, value),
            (Err(invalid), dialect) => text(normal, dialect, record, &invalid),
        },
    }
    normal.end_record();
}

/// Control bytes before a value are what a crashed append or a terminal left behind; the value itself is whole.
fn read_json<'a>(normal: &mut NormalForm, body: &'a str) -> Result<Value<'a>, Invalid> {
    Value::parse(body).or_else(|invalid| {
        let rest = body.trim_start_matches(|letter: char| letter.is_ascii_control());
        if rest.len() == body.len() {
            return Err(invalid);
        }
        let value = Value::parse(rest).map_err(|_| invalid)?;
        normal.diagnostic("jsonl.nul-padding", Severity::Warn, "control bytes stand before the record");
        Ok(value)
    })
}

/// JSON that no dialect claims.
fn unknown(normal: &mut NormalForm, value: Value<'_>) {
    let kind = value.get("type").and_then(Value::str);
    let update = Unknown { type_: kind.as_deref(), raw: value.raw() };
    normal.fact(&Context::default(), Fact::Tell(Update::Unknown(update)));
}

/// A record that is not JSON: a dialect may know it, broken JSON is unknown, prose is a notice.
fn text(normal: &mut NormalForm, dialect: Option<&mut dyn Dialect>, record: &Record<'_>, invalid: &Invalid) {
    if dialect.is_some_and(|dialect| dialect.text(record, normal)) {
        return;
    }
    let context = Context::default();
    if record.body.starts_with(['{', '[']) {
        normal.log(Diagnostic {
            code: invalid.code,
            severity: Severity::Error,
            message: format!("{} at byte {} of the record", invalid.message, invalid.offset),
            offset: record.source.offset,
            line: record.source.line,
        });
        normal.fact(&context, Fact::Tell(Update::Unknown(Unknown { type_: None, raw: record.body })));
    } else {
        let notice = Notice { severity: NoticeSeverity::Info, text: record.body, stream: None };
        normal.fact(&context, Fact::Tell(Update::Notice(notice)));
    }
}
