//! The rooms joined: bytes in, events out.
//!
//! Holds no knowledge of its own but the order of the rooms and which dialect reads the records.

mod coalesce;
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
    Container, Diagnostic, Framer, FramingOptions, Record, RecordSink, Severity, Skipped, Source, Stretch,
    Taken,
};
use crate::json::{Invalid, Spans, Value};
use crate::normalize::{NormalForm, NormalOptions};

use crate::dialect::{Context, Fact};
use coalesce::Coalescer;
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
    inputs: Vec<Input>,
    reader: Reader,
    coalescer: Option<Coalescer>,
    framing: FramingOptions,
    told: Option<&'static DialectRow>,
    ended: bool,
}

/// One file or stream of the run.
struct Input {
    framer: Framer,
    reading: Reading,
    name: Box<str>,
    ended: bool,
}

/// What is known of the records of one input.
struct Reading {
    number: u32,
    detector: Detector,
    /// Place in [`Reader::speaking`].
    speaker: Option<usize>,
}

/// Everything behind framing.
struct Reader {
    normal: NormalForm,
    /// The dialects met so far, each once: files of one run share what their dialect remembers.
    speaking: Vec<Speaking>,
    dialect_options: DialectOptions,
    memo: bool,
    records: u64,
    skipped: SkippedCounts,
    /// Names of the further inputs.
    names: Vec<Box<str>>,
}

/// A reader while one input is read.
struct Flow<'r> {
    reader: &'r mut Reader,
    reading: &'r mut Reading,
}

impl Normalizer {
    /// A normalizer for one stream. Fails on a dialect name that does not exist, naming those that do.
    pub fn new(options: Options) -> Result<Normalizer, OptionError> {
        let told = match &options.dialect {
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
        let mut normalizer = Normalizer {
            inputs: Vec::new(),
            reader: Reader {
                normal: NormalForm::new(normal),
                speaking: Vec::new(),
                dialect_options: DialectOptions { flat_agents: options.flat_agents },
                memo: true,
                records: 0,
                skipped: SkippedCounts::default(),
                names: Vec::new(),
            },
            coalescer: options.coalesce.then(Coalescer::default),
            framing,
            told,
            ended: false,
        };
        normalizer.add_input("");
        Ok(normalizer)
    }

    fn add_input(&mut self, name: &str) {
        let number = self.inputs.len() as u32;
        let speaker = self.told.map(|row| self.reader.speaker(row));
        let reading = Reading { number, detector: Detector::new(self.told), speaker };
        let framer = Framer::new(self.framing.clone());
        self.inputs.push(Input { framer, reading, name: name.into(), ended: false });
    }

    /// A further file of the same run (a subagent's, a child thread's): returns the number that
    /// [`push_to`](Self::push_to) takes and that [`Source::input`] shows. The name may tell the dialect what it holds.
    pub fn input(&mut self, name: &str) -> u32 {
        self.add_input(name);
        let number = self.inputs.len() as u32 - 1;
        self.reader.names.push(name.into());
        for speaking in &mut self.reader.speaking {
            speaking.dialect.input(number, name);
        }
        number
    }

    /// The name that a further input was given.
    pub fn input_name(&self, number: u32) -> Option<&str> {
        self.inputs.get(number as usize).map(|input| &*input.name)
    }

    /// The same normalizer without the shortcut for records that differ only in a few strings: what tests compare with.
    #[doc(hidden)]
    pub fn without_memo(mut self) -> Normalizer {
        self.reader.memo = false;
        self
    }

    /// The same normalizer for a reader who asks its batches for no UTF-16 units ([`Batch::ends16`] is empty then), such as
    /// a `Transcript`. Must be told before the first push.
    pub fn without_units(mut self) -> Normalizer {
        self.reader.normal.count_bytes_only();
        self
    }

    /// Reads the next bytes and returns the events they complete.
    pub fn push(&mut self, chunk: &[u8]) -> Result<&Batch, Misuse> {
        self.push_to(0, chunk)
    }

    /// Reads the next bytes of one input; 0 is the stream itself.
    pub fn push_to(&mut self, input: u32, chunk: &[u8]) -> Result<&Batch, Misuse> {
        if self.ended {
            return Err(Misuse("push after end: make a new Normalizer for the next stream"));
        }
        let Some(input) = self.inputs.get_mut(input as usize) else {
            return Err(Misuse("no such input: push to a number that `input(name)` returned"));
        };
        if input.ended {
            return Err(Misuse("push to an input that has ended: make a further one with `input(name)`"));
        }
        self.reader.normal.clear_batch();
        input.framer.push(chunk, &mut Flow { reader: &mut self.reader, reading: &mut input.reading });
        Ok(self.batch())
    }

    /// One input is over, the run is not: an unfinished line is read as it stands.
    pub fn end_input(&mut self, input: u32) -> Result<&Batch, Misuse> {
        let Some(input) = self.inputs.get_mut(input as usize).filter(|_| !self.ended) else {
            return Err(Misuse("no such input, or the run has ended"));
        };
        self.reader.normal.clear_batch();
        input.end(&mut self.reader);
        Ok(self.batch())
    }

    /// The stream is over, with all inputs: returns what only its end makes certain.
    pub fn end(&mut self) -> Result<&Batch, Misuse> {
        if self.ended {
            return Err(Misuse("end was called before: make a new Normalizer for the next stream"));
        }
        self.ended = true;
        self.reader.normal.clear_batch();
        for input in &mut self.inputs {
            input.end(&mut self.reader);
        }
        for speaking in &mut self.reader.speaking {
            speaking.dialect.end(&mut self.reader.normal);
        }
        self.reader.normal.finish();
        Ok(self.batch())
    }

    fn batch(&mut self) -> &Batch {
        let batch = self.reader.normal.batch();
        self.coalescer.as_mut().map_or(batch, |coalescer| coalescer.join(batch))
    }

    /// The connection broke and another one will carry on: an SSE event without its end is dropped, as browsers do, and
    /// the next push is the start of the new connection. The stream itself goes on; after [`end`](Self::end) this does
    /// nothing.
    pub fn disconnect(&mut self) -> &Batch {
        self.reader.normal.clear_batch();
        if let Some(Input { framer, reading, .. }) = self.inputs.first_mut().filter(|_| !self.ended) {
            framer.end(&mut Flow { reader: &mut self.reader, reading });
        }
        self.batch()
    }

    /// SSE: the id a reconnect sends as `Last-Event-ID`; empty when there is none.
    pub fn last_event_id(&self) -> &str {
        self.inputs.first().map_or("", |input| input.framer.last_event_id())
    }

    /// SSE: how long the server asked to wait before a reconnect, in milliseconds.
    pub fn retry_ms(&self) -> Option<u64> {
        self.inputs.first()?.framer.retry_ms()
    }

    /// What is known of the stream so far.
    pub fn report(&self) -> Report {
        Report::of(self)
    }
}

impl Input {
    fn end(&mut self, reader: &mut Reader) {
        if !std::mem::replace(&mut self.ended, true) {
            let mut flow = Flow { reader, reading: &mut self.reading };
            self.framer.end(&mut flow);
            if flow.reading.speaker.is_none() {
                flow.speak(None);
            }
        }
    }
}

/// A dialect and the shapes of its records.
struct Speaking {
    row: &'static DialectRow,
    dialect: Box<dyn Dialect>,
    memo: Memo,
    spans: Spans,
    /// The input whose record was read last.
    input: u32,
}

impl RecordSink for Flow<'_> {
    fn container(&mut self, container: Container) {
        self.reading.detector.container = Some(container);
    }

    fn record(&mut self, mut record: Record<'_>) {
        record.source.input = self.reading.number;
        self.reader.records += 1;
        if self.reading.speaker.is_some() {
            self.read(&record);
        } else {
            self.detect(&record);
        }
    }

    fn skipped(&mut self, source: Source, why: Skipped) {
        self.reader.skipped.count(source, why);
    }

    fn stretch(&mut self, stretch: &Stretch<'_>) -> Taken {
        let Flow { reader, reading } = self;
        let speaking = reading.speaker.and_then(|place| reader.speaking.get_mut(place));
        let Some(speaking) = speaking.filter(|speaking| speaking.input == reading.number && reader.memo)
        else {
            return Taken::default();
        };
        let taken = speaking.memo.take(stretch, reading.number, &mut reader.normal);
        reader.records += taken.records;
        reader.skipped.separator_bytes += taken.records.saturating_sub(1) * stretch.close.len() as u64;
        taken
    }

    fn diagnostic(&mut self, diagnostic: Diagnostic) {
        self.reader.normal.log(Diagnostic { input: self.reading.number, ..diagnostic });
    }
}

impl Reader {
    /// The place of a dialect among those met, made if it is new.
    fn speaker(&mut self, row: &'static DialectRow) -> usize {
        if let Some(place) = self.speaking.iter().position(|speaking| speaking.row.name == row.name) {
            return place;
        }
        let mut speaking = Speaking::of(row, &self.dialect_options);
        for (index, name) in self.names.iter().enumerate() {
            speaking.dialect.input(index as u32 + 1, name);
        }
        self.speaking.push(speaking);
        self.speaking.len() - 1
    }
}

impl Flow<'_> {
    /// The dialect is not certain yet: this record may decide it.
    fn detect(&mut self, record: &Record<'_>) {
        let detector = &mut self.reading.detector;
        // Every dialect looks at it.
        let mut spans = Spans::default();
        let value = Detector::value(record, &mut spans);
        let row = value.and_then(|value| detector.look(record, value));
        if row.is_none() && detector.waits(record) {
            return detector.hold(record);
        }
        self.speak(row);
        self.read(record);
    }

    /// Waiting is over: the dialect is the given one, or the most likely one.
    fn speak(&mut self, row: Option<&'static DialectRow>) {
        let row = row.or_else(|| self.reading.detector.settle());
        self.reading.speaker = row.map(|row| self.reader.speaker(row));
        for held in self.reading.detector.take_held() {
            self.read(&held.record());
        }
    }

    /// One record through its dialect, or as it is where there is none.
    fn read(&mut self, record: &Record<'_>) {
        let Flow { reader, reading } = self;
        let normal = &mut reader.normal;
        normal.begin_record(record.source);
        match record.body {
            "" => normal.ignored("heartbeat"),
            "[DONE]" => normal.ignored("end-sentinel"),
            body => match reading.speaker.and_then(|place| reader.speaking.get_mut(place)) {
                Some(speaking) => {
                    if !reader.memo || speaking.input != record.source.input {
                        speaking.memo.clear();
                    }
                    speaking.input = record.source.input;
                    if let Some(foreign) = speaking.read(normal, record, &reading.detector) {
                        self.change(foreign, record);
                    }
                }
                None => match read_json(normal, body, &mut Spans::default()) {
                    Ok(value) => unknown(normal, value),
                    Err(invalid) => text(normal, record, &invalid),
                },
            },
        }
        self.reader.normal.end_record();
    }

    /// The file went on in another dialect: two runs appended, a log of several tools.
    fn change(&mut self, row: &'static DialectRow, record: &Record<'_>) {
        let place = self.reader.speaker(row);
        self.reading.speaker = Some(place);
        self.reading.detector.changed(row, record.source);
        let Reader { normal, speaking, .. } = &mut *self.reader;
        if let Some(speaking) = speaking.get_mut(place) {
            speaking.memo.clear();
            speaking.input = record.source.input;
            speaking.read_as_own(normal, record);
        }
    }
}

impl Speaking {
    fn of(row: &'static DialectRow, options: &DialectOptions) -> Speaking {
        let dialect = (row.make)(options);
        Speaking { row, dialect, memo: Memo::default(), spans: Spans::default(), input: 0 }
    }

    /// Reads a record. Returns the dialect that the record certainly speaks, if this one does not know it.
    fn read(
        &mut self,
        normal: &mut NormalForm,
        record: &Record<'_>,
        detector: &Detector,
    ) -> Option<&'static DialectRow> {
        if self.memo.replay(record, normal) {
            return None;
        }
        match read_json(normal, record.body, &mut self.spans) {
            Ok(value) => {
                if value.is_known_strict() {
                    normal.trust_json_in(value.raw());
                }
                let own = self.row;
                let foreign = move || detector.foreign(own, record, value);
                let mut listener = self.memo.listen(record, normal).watching(&foreign);
                self.dialect.record(record, value, &mut listener);
                listener.finish()
            }
            Err(invalid) => {
                self.claim(normal, record, &invalid);
                None
            }
        }
    }

    /// Reads a record that is this dialect's own.
    fn read_as_own(&mut self, normal: &mut NormalForm, record: &Record<'_>) {
        if let Ok(value) = read_json(normal, record.body, &mut self.spans) {
            let mut listener = self.memo.listen(record, normal);
            self.dialect.record(record, value, &mut listener);
            listener.finish();
        }
    }

    /// A record that is not JSON.
    fn claim(&mut self, normal: &mut NormalForm, record: &Record<'_>, invalid: &Invalid) {
        self.memo.clear();
        if !self.dialect.text(record, normal) {
            text(normal, record, invalid);
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
    // What some transports put before each line; the record itself is whole.
    normal.diagnostic("jsonl.nul-padding", Severity::Info, "control bytes stand before the record");
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
            input: record.source.input,
        });
        normal.fact(&context, Fact::Tell(Update::Unknown(Unknown { type_: None, raw: record.body })));
    } else {
        let notice = Notice { severity: NoticeSeverity::Info, text: record.body, stream: None };
        normal.fact(&context, Fact::Tell(Update::Notice(notice)));
    }
}
