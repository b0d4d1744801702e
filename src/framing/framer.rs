//! The front door: takes chunks, settles encoding and container, and feeds the splitter of that container.
//!
//! Bytes that arrive before the matter is settled wait in `head` (64 KiB at most) and are then read as one chunk in
//! front of the rest; splitters do not care where chunks begin.

use std::mem;

use super::carry::Carry;
use super::encoding::{self, Encoding, PROBE_BYTES};
use super::html::Html;
use super::ledger::{Ledger, Out, Place};
use super::lines::Lines;
use super::options::{Container, FramingOptions};
use super::sniff::Sniffer;
use super::source::{RecordSink, Severity, Skipped};
use super::sse::Sse;
use super::values::Values;

/// What cuts the records.
#[derive(Debug)]
enum Splitter {
    /// The container is not known yet.
    None,
    Sse(Box<Sse>),
    Lines(Lines),
    Values(Container, Values),
    Html(Html),
    /// Bytes that are not UTF-8 text, from this place on.
    Refused(Place),
}

impl Splitter {
    fn new(container: Container, max_record_bytes: usize, start: Place) -> Self {
        match container {
            Container::Sse => Splitter::Sse(Box::new(Sse::new(max_record_bytes, start))),
            Container::JsonLines => Splitter::Lines(Lines::new(max_record_bytes, start)),
            Container::JsonArray => Splitter::Values(container, Values::array(max_record_bytes, start)),
            Container::JsonSequence => Splitter::Values(container, Values::sequence(max_record_bytes, start)),
            Container::Html => Splitter::Html(Html::new(start)),
        }
    }

    fn container(&self) -> Option<Container> {
        match self {
            Splitter::None | Splitter::Refused(_) => None,
            Splitter::Sse(_) => Some(Container::Sse),
            Splitter::Lines(_) => Some(Container::JsonLines),
            Splitter::Values(container, _) => Some(*container),
            Splitter::Html(_) => Some(Container::Html),
        }
    }

    fn move_to(&mut self, place: Place) {
        match self {
            Splitter::None | Splitter::Refused(_) => {}
            Splitter::Sse(sse) => sse.move_to(place),
            Splitter::Lines(lines) => lines.move_to(place),
            Splitter::Values(_, values) => values.move_to(place),
            Splitter::Html(html) => html.move_to(place),
        }
    }

    fn push(&mut self, chunk: &[u8], base: u64, out: &mut Out<'_>) {
        match self {
            Splitter::None | Splitter::Refused(_) => {}
            Splitter::Sse(sse) => sse.push(chunk, base, out),
            Splitter::Lines(lines) => lines.push(chunk, base, out),
            Splitter::Values(_, values) => values.push(chunk, base, out),
            Splitter::Html(html) => html.push(chunk, base, out),
        }
    }

    fn end(&mut self, end_offset: u64, out: &mut Out<'_>) {
        match self {
            Splitter::None => {}
            Splitter::Refused(start) => {
                let end = Place { offset: end_offset, ..*start };
                if end_offset > start.offset {
                    out.skip(*start, end, Skipped::OverLimit);
                }
                *self = Splitter::None;
            }
            Splitter::Sse(sse) => sse.end(end_offset, out),
            Splitter::Lines(lines) => lines.end(end_offset, out),
            Splitter::Values(_, values) => values.end(end_offset, out),
            Splitter::Html(html) => html.end(end_offset, out),
        }
    }

    /// Line of the next byte, where the splitter has begun.
    fn line(&self) -> Option<u64> {
        match self {
            Splitter::None | Splitter::Refused(_) => None,
            Splitter::Sse(sse) => Some(sse.line()),
            Splitter::Lines(lines) => Some(lines.line()),
            Splitter::Values(_, values) => Some(values.line()),
            Splitter::Html(html) => Some(html.line()),
        }
    }

    /// Bytes copied to the scratch so far, and its capacity.
    fn scratch(&self) -> (u64, usize) {
        match self {
            Splitter::None | Splitter::Refused(_) => (0, 0),
            Splitter::Sse(sse) => (sse.copied(), sse.capacity()),
            Splitter::Lines(lines) => (lines.copied(), lines.capacity()),
            Splitter::Values(_, values) => (values.copied(), values.capacity()),
            Splitter::Html(html) => (html.copied(), html.capacity()),
        }
    }
}

/// How far the beginning of the stream is understood.
#[derive(Debug)]
enum Stage {
    /// The encoding is open.
    Encoding,
    /// The container is open.
    Container(Sniffer),
    /// Records flow.
    Records,
}

/// Cuts the bytes of one stream into records.
///
/// Feed it chunks of any size with [`push`](Framer::push) and close with [`end`](Framer::end). What comes out does not
/// depend on how the bytes were cut, and the spans handed to the sink, records and skipped ones, follow each other
/// without a gap from byte 0 to [`bytes`](Framer::bytes). A record leaves in the push that completes it.
///
/// A push after `end` is the next connection of the same source: it may begin with a byte order mark, is read as the
/// same container, and keeps the last event id, the retry time and the byte count. [`reset`](Framer::reset) forgets
/// everything instead.
#[derive(Debug)]
pub struct Framer {
    options: FramingOptions,
    ledger: Ledger,
    stage: Stage,
    /// Bytes of this connection that wait for `stage`.
    head: Carry,
    splitter: Splitter,
    bytes: u64,
    /// `bytes` when this connection began.
    connection_start: u64,
}

impl Default for Framer {
    fn default() -> Self {
        Framer::new(FramingOptions::default())
    }
}

impl Framer {
    /// A framer at the start of a stream.
    pub fn new(options: FramingOptions) -> Self {
        Framer {
            ledger: Ledger::new(options.max_diagnostics_per_code),
            options,
            stage: Stage::Encoding,
            head: Carry::default(),
            splitter: Splitter::None,
            bytes: 0,
            connection_start: 0,
        }
    }

    /// Takes the next bytes, also none. Records lie in `chunk` itself where it holds them whole.
    pub fn push(&mut self, chunk: &[u8], sink: &mut dyn RecordSink) {
        let base = self.bytes;
        self.bytes += chunk.len() as u64;
        let Framer { options, ledger, stage, head, splitter, .. } = self;
        let mut out = Out { ledger, sink };
        match stage {
            Stage::Records => splitter.push(chunk, base, &mut out),
            _ => Opening { options, stage, head, splitter }.read(chunk, base, false, &mut out),
        }
    }

    /// The input ends: an unfinished line is a record, an unfinished SSE event is dropped and reported. A second call
    /// does nothing.
    pub fn end(&mut self, sink: &mut dyn RecordSink) {
        if self.bytes == mem::replace(&mut self.connection_start, self.bytes) {
            return;
        }
        let Framer { options, ledger, stage, head, splitter, bytes, .. } = self;
        let mut out = Out { ledger, sink };
        if !matches!(stage, Stage::Records) {
            Opening { options, stage, head, splitter }.read(b"", *bytes, true, &mut out);
        }
        if matches!(stage, Stage::Records) {
            splitter.end(*bytes, &mut out);
        }
        out.separate(*bytes);
        head.release();
        *stage = Stage::Encoding;
    }

    /// Back to the start of a new stream, as if just made.
    pub fn reset(&mut self) {
        *self = Framer::new(mem::take(&mut self.options));
    }

    /// The container, given or found; `None` while it is open, and for bytes that are refused.
    pub fn container(&self) -> Option<Container> {
        self.splitter.container().or(match self.splitter {
            Splitter::Refused(_) => None,
            _ => self.options.container,
        })
    }

    /// SSE: the id a reconnect sends as `Last-Event-ID`; empty when there is none.
    pub fn last_event_id(&self) -> &str {
        match &self.splitter {
            Splitter::Sse(sse) => sse.last_event_id(),
            _ => "",
        }
    }

    /// SSE: how long the server asked to wait before a reconnect, in milliseconds, a day at most.
    pub fn retry_ms(&self) -> Option<u64> {
        match &self.splitter {
            Splitter::Sse(sse) => sse.retry_ms(),
            _ => None,
        }
    }

    /// Bytes taken so far.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Diagnostics of this code that were counted but not handed on.
    pub fn suppressed(&self, code: &str) -> u64 {
        self.ledger.suppressed(code)
    }

    /// Every code of which diagnostics were only counted, with how many.
    pub fn all_suppressed(&self) -> impl Iterator<Item = (&'static str, u64)> + '_ {
        self.ledger.all_suppressed()
    }

    /// Bytes of memory held for unfinished records. At most 64 KiB per scratch while no record is open.
    pub fn scratch_capacity(&self) -> usize {
        self.head.capacity() + self.splitter.scratch().1
    }

    /// Bytes copied to hold unfinished records, over the framer's life: the cost of cuts. Grows with the input at
    /// worst, and not at all where chunks hold whole records.
    pub fn scratch_copied(&self) -> u64 {
        self.head.copied() + self.splitter.scratch().0
    }
}

/// The parts of a framer that the beginning of a connection concerns.
struct Opening<'a> {
    options: &'a FramingOptions,
    stage: &'a mut Stage,
    head: &'a mut Carry,
    splitter: &'a mut Splitter,
}

impl Opening<'_> {
    /// Goes on with the beginning; once it is understood, feeds what waited and then `chunk`.
    fn read(&mut self, mut chunk: &[u8], mut base: u64, ended: bool, out: &mut Out<'_>) {
        if let Stage::Encoding = self.stage {
            let room = PROBE_BYTES.saturating_sub(self.head.len());
            let mut probe = [0; PROBE_BYTES];
            let known = self.head.bytes.iter().chain(chunk.iter().take(room));
            let length = probe.iter_mut().zip(known).map(|(slot, byte)| *slot = *byte).count();
            let start =
                Place { offset: base - self.head.len() as u64, line: self.splitter.line().unwrap_or(1) };
            match self.encoding(probe.get(..length).unwrap_or_default(), ended) {
                Encoding::Undecided => return self.head.extend(chunk),
                Encoding::Refused { code, what } => return self.refuse(code, what, start, out),
                Encoding::Utf8 { mark: 0 } => self.splitter.move_to(start),
                Encoding::Utf8 { mark } => {
                    let after = Place { offset: start.offset + mark as u64, ..start };
                    out.skip(start, after, Skipped::ByteOrderMark);
                    let in_chunk = mark.saturating_sub(self.head.len());
                    self.head.bytes.clear();
                    chunk = chunk.get(in_chunk..).unwrap_or_default();
                    base = after.offset;
                    self.splitter.move_to(after);
                }
            }
            *self.stage = Stage::Container(Sniffer::new());
            let held = mem::take(&mut self.head.bytes);
            let start = Place { offset: base - held.len() as u64, ..start };
            if self.settle(&held, start, false, out) {
                self.splitter.push(&held, start.offset, out);
            } else {
                self.head.bytes = held;
            }
        }
        if let Stage::Container(_) = self.stage {
            let start = Place { offset: base - self.head.len() as u64, line: 1 };
            if !self.settle(chunk, start, ended, out) {
                return self.head.extend(chunk);
            }
            let held = mem::take(&mut self.head.bytes);
            self.splitter.push(&held, start.offset, out);
        }
        self.splitter.push(chunk, base, out);
    }

    fn encoding(&self, probe: &[u8], ended: bool) -> Encoding {
        match self.options.container {
            Some(Container::Sse) => encoding::mark_only(probe, ended),
            _ if matches!(self.splitter, Splitter::Sse(_)) => encoding::mark_only(probe, ended),
            _ => encoding::sniff(probe, ended),
        }
    }

    fn refuse(&mut self, code: &'static str, what: &str, start: Place, out: &mut Out<'_>) {
        let message = format_args!("The input is {what}, which is not read; all of it was skipped.");
        out.remark(code, Severity::Error, start, message);
        self.head.release();
        *self.splitter = Splitter::Refused(start);
        *self.stage = Stage::Records;
    }

    /// Makes the splitter if the container is given, kept from the last connection, or found in these bytes.
    fn settle(&mut self, bytes: &[u8], start: Place, ended: bool, out: &mut Out<'_>) -> bool {
        let Stage::Container(sniffer) = self.stage else { return true };
        if let Splitter::None = self.splitter {
            let detected = || sniffer.read(bytes).or_else(|| if ended { sniffer.end() } else { None });
            let Some(container) = self.options.container.or_else(detected) else { return false };
            *self.splitter = Splitter::new(container, self.options.max_record_bytes, start);
            out.sink.container(container);
            remark_container(container, start, out);
        }
        *self.stage = Stage::Records;
        true
    }
}

fn remark_container(container: Container, start: Place, out: &mut Out<'_>) {
    match container {
        Container::JsonArray => {
            let message = format_args!("One JSON array; each element is a record.");
            out.remark("jsonl.array", Severity::Info, start, message);
        }
        Container::JsonSequence => {
            let message = format_args!(
                "JSON values that are not one per line: a text sequence (RFC 7464), or printed over several."
            );
            out.remark("jsonl.json-seq", Severity::Info, start, message);
        }
        Container::Sse | Container::JsonLines | Container::Html => {}
    }
}
