//! The rooms joined: bytes in, events out.
//!
//! Holds no knowledge of its own but the order of the rooms and which dialect reads the records.

mod detection;
mod memo;
mod options;
mod report;

pub use detection::{Detection, detect};
pub use options::{Limits, Misuse, OptionError, Options, Updates};
pub use report::{Report, SkippedCounts};

use crate::dialect::{Dialect, DialectOptions, DialectRow, FactSink as _, row_by_name};
use crate::event::{Batch, Notice, Severity as NoticeSeverity, Unknown, Update};
use crate::framing::{
    Container, Diagnostic, Framer, FramingOptions, Record, RecordSink, Severity, Skipped, Source,
};
use crate::json::{Invalid, Spans, Value};
use crate::normalize::{NormalForm, NormalOptions};

use crate::dialect::{Context, Fact};
use detection::{Detector, behind_control_bytes};
use memo::Memo;

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
    speaking: Option<Speaking>,
    dialect_options: DialectOptions,
    detector: Detector,
    memo: bool,
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
        let dialect_options = DialectOptions { flat_agents: options.flat_agents };
        let normal = NormalOptions {
            core_only: options.updates == Updates::Core,
            max_record_ids: options.limits.max_record_ids,
            show_injected: options.show_injected,
        };
        Ok(Normalizer {
            framer: Framer::new(framing),
            reader: Reader {
                normal: NormalForm::new(normal),
                speaking: row.map(|row| Speaking::of(row, &dialect_options)),
                dialect_options,
                detector: Detector::new(row),
                memo: true,
                records: 0,
                skipped: SkippedCounts::default(),
            },
            ended: false,
        })
    }

    /// The same normalizer without the shortcut for records that differ only in a few strings: what tests compare with.
    #[doc(hidden)]
    pub fn without_memo(mut self) -> Normalizer {
        self.reader.memo = false;
        self
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

    /// The connection broke and another one will carry on: an SSE event without its end is dropped, as browsers do, and
    /// the next push is the start of the new connection. The stream itself goes on; after [`end`](Self::end) this does
    /// nothing.
    pub fn disconnect(&mut self) -> &Batch {
        self.reader.normal.clear_batch();
        if !self.ended {
            self.framer.end(&mut self.reader);
        }
        self.reader.normal.batch()
    }

    /// SSE: the id a reconnect sends as `Last-Event-ID`; empty when there is none.
    pub fn last_event_id(&self) -> &str {
        self.framer.last_event_id()
    }

    /// SSE: how long the server asked to wait before a reconnect, in milliseconds.
    pub fn retry_ms(&self) -> Option<u64> {
        self.framer.retry_ms()
    }

    /// What is known of the stream so far.
    pub fn report(&self) -> Report {
        Report::of(self)
    }
}

/// The stream's dialect and the shapes of its records.
struct Speaking {
    row: &'static DialectRow,
    dialect: Box<dyn Dialect>,
    memo: Memo,
    spans: Spans,
}

impl RecordSink for Reader {
    fn container(&mut self, container: Container) {
        self.detector.container = Some(container);
    }

    fn record(&mut self, record: Record<'_>) {
        self.records += 1;
        if self.speaking.is_some() {
            self.read(&record);
        } else {
            self.detect(&record);
        }
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
        let row = value.and_then(|value| self.detector.look(record, value));
        if row.is_none() && self.detector.waits(record) {
            return self.detector.hold(record);
        }
        self.speak(row);
        self.read(record);
    }

    /// Waiting is over: the dialect is the given one, or the most likely one.
    fn speak(&mut self, row: Option<&'static DialectRow>) {
        let row = row.or_else(|| self.detector.settle());
        self.speaking = row.map(|row| Speaking::of(row, &self.dialect_options));
        for held in self.detector.take_held() {
            self.read(&held.record());
        }
    }

    fn end(&mut self) {
        if self.speaking.is_none() {
            self.speak(None);
        }
        if let Some(speaking) = self.speaking.as_mut() {
            speaking.dialect.end(&mut self.normal);
        }
        self.normal.finish();
    }

    /// One record through its dialect, or as it is where there is none.
    fn read(&mut self, record: &Record<'_>) {
        let normal = &mut self.normal;
        normal.begin_record(record.source);
        match record.body {
            "" => normal.ignored("heartbeat"),
            "[DONE]" => normal.ignored("end-sentinel"),
            body => match self.speaking.as_mut() {
                Some(speaking) => {
                    if !self.memo {
                        speaking.memo.clear();
                    }
                    speaking.read(normal, record);
                }
                None => match read_json(normal, body, &mut Spans::default()) {
                    Ok(value) => unknown(normal, value),
                    Err(invalid) => text(normal, record, &invalid),
                },
            },
        }
        normal.end_record();
    }
}

impl Speaking {
    fn of(row: &'static DialectRow, options: &DialectOptions) -> Speaking {
        Speaking { row, dialect: (row.make)(options), memo: Memo::default(), spans: Spans::default() }
    }

    fn read(&mut self, normal: &mut NormalForm, record: &Record<'_>) {
        if self.memo.replay(record, normal) {
            return;
        }
        match read_json(normal, record.body, &mut self.spans) {
            Ok(value) => {
                let mut listener = self.memo.listen(record, normal);
                self.dialect.record(record, value, &mut listener);
                listener.finish();
            }
            Err(invalid) => {
                self.memo.clear();
                if !self.dialect.text(record, normal) {
                    text(normal, record, &invalid);
                }
            }
        }
    }
}

/// A value behind control bytes is whole itself.
fn read_json<'a>(normal: &mut NormalForm, body: &'a str, spans: &'a mut Spans) -> Result<Value<'a>, Invalid> {
    let rest = behind_control_bytes(body);
    let padding = body.get(..body.len() - rest.len()).unwrap_or_default();
    if padding.trim_start_matches([' ', '\t', '\n', '\r']).is_empty() {
        return Value::parse_noting(body, spans);
    }
    let Ok(value) = Value::parse_noting(rest, spans) else { return Value::parse(body) };
    normal.diagnostic("jsonl.nul-padding", Severity::Warn, "control bytes stand before the record");
    Ok(value)
}

/// JSON that no dialect claims.
fn unknown(normal: &mut NormalForm, value: Value<'_>) {
    let kind = value.get("type").and_then(Value::str);
    let update = Unknown { type_: kind.as_deref(), raw: value.raw() };
    normal.fact(&Context::default(), Fact::Tell(Update::Unknown(update)));
}

/// A record that is not JSON and that no dialect claims: broken JSON is unknown, prose is a notice.
fn text(normal: &mut NormalForm, record: &Record<'_>, invalid: &Invalid) {
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
