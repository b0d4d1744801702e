//! The account of every input byte.
//!
//! Splitters report records and the skipped spans that mean something; whatever lies between two of those is a
//! separator, and the ledger hands it on just before the next span. That laziness is what makes a CRLF cut in two come
//! out as the same span. Also counts diagnostics and decodes UTF-8, so that both happen in one place.

use std::borrow::Cow;
use std::fmt;

use super::source::{Diagnostic, Record, RecordSink, Severity, Skipped, Source, Stretch};

/// A position in the stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) offset: u64,
    pub(super) line: u64,
}

impl Place {
    pub(super) const START: Place = Place { offset: 0, line: 1 };
}

/// A record's bytes and where they came from.
pub(super) struct Frame<'a> {
    pub(super) start: Place,
    /// One past the last byte, on the line of the last byte.
    pub(super) end: Place,
    pub(super) body: &'a [u8],
    /// Where the body's first byte stands, if the body is one piece of the input.
    pub(super) body_start: Place,
    /// The first byte that is not UTF-8, where the body was joined from several pieces.
    pub(super) first_bad: Option<Place>,
    pub(super) event: Option<&'a str>,
    pub(super) id: Option<&'a str>,
}

impl<'a> Frame<'a> {
    /// A record whose body is its span.
    pub(super) fn plain(start: Place, end: Place, body: &'a [u8]) -> Self {
        Frame { start, end, body, body_start: start, first_bad: None, event: None, id: None }
    }
}

#[derive(Debug)]
pub(super) struct Ledger {
    /// Everything before this byte has been handed on.
    covered: Place,
    /// How often each code was seen; a handful of codes, so a list.
    seen: Vec<(&'static str, u64)>,
    max_per_code: u64,
}

impl Ledger {
    pub(super) fn new(max_per_code: usize) -> Self {
        Ledger { covered: Place::START, seen: Vec::new(), max_per_code: max_per_code as u64 }
    }

    pub(super) fn suppressed(&self, code: &str) -> u64 {
        let seen = self.seen.iter().find(|(known, _)| *known == code).map_or(0, |(_, count)| *count);
        seen.saturating_sub(self.max_per_code)
    }

    /// Codes that exceeded the cap, with how many diagnostics of each were only counted.
    pub(super) fn all_suppressed(&self) -> impl Iterator<Item = (&'static str, u64)> + '_ {
        let over = self.seen.iter().filter(|(_, count)| *count > self.max_per_code);
        over.map(|(code, count)| (*code, count - self.max_per_code))
    }

    /// Counts one diagnostic; whether it may still be shown.
    fn admit(&mut self, code: &'static str) -> bool {
        if let Some((_, count)) = self.seen.iter_mut().find(|(known, _)| *known == code) {
            *count += 1;
            return *count <= self.max_per_code;
        }
        self.seen.push((code, 1));
        self.max_per_code > 0
    }
}

/// A ledger and the sink of the current call.
pub(super) struct Out<'a> {
    pub(super) ledger: &'a mut Ledger,
    pub(super) sink: &'a mut dyn RecordSink,
}

impl Out<'_> {
    /// Hands on everything up to `offset` that nobody claimed.
    pub(super) fn separate(&mut self, offset: u64) {
        let covered = self.ledger.covered;
        if offset > covered.offset {
            let source = Source {
                offset: covered.offset,
                length: offset - covered.offset,
                line: covered.line,
                input: 0,
            };
            self.sink.skipped(source, Skipped::Separator);
            self.ledger.covered.offset = offset;
        }
    }

    fn claim(&mut self, start: Place, end: Place) -> Source {
        self.separate(start.offset);
        self.ledger.covered = end;
        Source {
            offset: start.offset,
            length: end.offset.saturating_sub(start.offset),
            line: start.line,
            input: 0,
        }
    }

    pub(super) fn skip(&mut self, start: Place, end: Place, why: Skipped) {
        let source = self.claim(start, end);
        self.sink.skipped(source, why);
    }

    /// A connection ended: the next byte stands here, on a line of its own.
    pub(super) fn end_connection(&mut self, next: Place) {
        self.separate(next.offset);
        self.ledger.covered.line = next.line;
    }

    pub(super) fn record(&mut self, frame: Frame<'_>) {
        let body = match std::str::from_utf8(frame.body) {
            Ok(clean) => Cow::Borrowed(clean),
            Err(error) => {
                let bad = frame.first_bad.unwrap_or_else(|| advance(frame.body_start, frame.body, error));
                self.invalid_utf8(bad);
                String::from_utf8_lossy(frame.body)
            }
        };
        let source = self.claim(frame.start, frame.end);
        self.sink.record(Record { body: &body, event: frame.event, id: frame.id, source });
    }

    /// Offers the sink what begins at a record's first byte. Returns the bytes it took; the next one stands on the line
    /// after theirs.
    pub(super) fn stretch(&mut self, stretch: &Stretch<'_>) -> Option<(usize, Place)> {
        let taken = self.sink.stretch(stretch);
        if taken.records == 0 {
            return None;
        }
        let first = Place { offset: stretch.offset, line: stretch.line };
        self.separate(first.offset);
        let next = Place {
            offset: first.offset + taken.bytes as u64,
            line: first.line + taken.records * stretch.lines,
        };
        let close_lines = memchr::memchr_iter(b'\n', stretch.close).count() as u64;
        self.ledger.covered =
            Place { offset: next.offset - stretch.close.len() as u64, line: next.line - close_lines };
        Some((taken.bytes, next))
    }

    /// A span dropped because it is longer than a record may be.
    pub(super) fn over_limit(&mut self, start: Place, end: Place, max: u64) {
        self.skip(start, end, Skipped::OverLimit);
        let length = end.offset.saturating_sub(start.offset);
        self.remark(
            "limit.record-bytes",
            Severity::Error,
            start,
            format_args!(
                "A record of {length} bytes at offset {} is longer than {max} bytes and was skipped.",
                start.offset
            ),
        );
    }

    pub(super) fn invalid_utf8(&mut self, at: Place) {
        self.remark(
            "enc.invalid-utf8",
            Severity::Warn,
            at,
            format_args!("Bytes that are not UTF-8 were replaced by U+FFFD, first at offset {}.", at.offset),
        );
    }

    pub(super) fn remark(
        &mut self,
        code: &'static str,
        severity: Severity,
        at: Place,
        message: fmt::Arguments<'_>,
    ) {
        if self.ledger.admit(code) {
            let (offset, line) = (at.offset, at.line);
            self.sink.diagnostic(Diagnostic {
                code,
                severity,
                message: message.to_string(),
                offset,
                line,
                input: 0,
            });
        }
    }
}

/// Where the first invalid byte of `body` stands.
pub(super) fn advance(start: Place, body: &[u8], error: std::str::Utf8Error) -> Place {
    let valid = body.get(..error.valid_up_to()).unwrap_or(body);
    Place {
        offset: start.offset + valid.len() as u64,
        line: start.line + memchr::memchr_iter(b'\n', valid).count() as u64,
    }
}
