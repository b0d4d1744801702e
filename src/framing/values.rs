//! Values that may span lines: one JSON array document, or a JSON text sequence (RFC 7464).
//!
//! Follows brackets and strings, and nothing else of JSON; the state is a depth and two flags, so nesting costs no
//! stack. An element is a record as soon as its last bracket or quote is there; a number or a bare word waits for the
//! byte after it. Text between two elements that is no JSON becomes a record of its own.

use memchr::{memchr_iter, memchr2, memchr3};

use super::carry::Carry;
use super::ledger::{Frame, Out, Place};
use super::lines::Lines;
use super::source::Severity;
use super::{is_blank, trim_end};

const RECORD_SEPARATOR: u8 = 0x1E;

/// How deep inside a value the scan stands.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Nesting {
    pub(super) depth: u64,
    pub(super) in_string: bool,
    escaped: bool,
}

impl Nesting {
    /// Takes one byte.
    pub(super) fn step(&mut self, byte: u8) {
        if self.escaped {
            self.escaped = false;
        } else if self.in_string {
            match byte {
                b'"' => self.in_string = false,
                b'\\' => self.escaped = true,
                _ => {}
            }
        } else {
            match byte {
                b'"' => self.in_string = true,
                b'{' | b'[' => self.depth += 1,
                b'}' | b']' => self.depth = self.depth.saturating_sub(1),
                _ => {}
            }
        }
    }

    pub(super) fn is_open(&self) -> bool {
        self.depth > 0 || self.in_string
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Layout {
    /// Before the `[` of an array document.
    Before,
    /// Between its brackets.
    Array,
    /// After its `]`: whatever follows is read as lines.
    After,
    /// A JSON text sequence.
    Sequence,
}

/// A value that has begun.
#[derive(Debug)]
struct Open {
    start: Place,
    nesting: Nesting,
    /// It is too long and is being skipped.
    over: bool,
}

/// Where a scan stopped.
enum Stop {
    /// The value ends before this index.
    Ends(usize),
    /// The value ends before this index because the next one begins there.
    Interrupted(usize),
    /// The chunk ends first.
    Runs,
}

#[derive(Debug)]
pub(super) struct Values {
    layout: Layout,
    max_record_bytes: usize,
    carry: Carry,
    open: Option<Open>,
    line: u64,
    /// What follows the array.
    rest: Option<Lines>,
}

impl Values {
    /// An array document.
    pub(super) fn array(max_record_bytes: usize, start: Place) -> Self {
        Values::new(Layout::Before, max_record_bytes, start)
    }

    /// A JSON text sequence.
    pub(super) fn sequence(max_record_bytes: usize, start: Place) -> Self {
        Values::new(Layout::Sequence, max_record_bytes, start)
    }

    fn new(layout: Layout, max_record_bytes: usize, start: Place) -> Self {
        Values { layout, max_record_bytes, carry: Carry::default(), open: None, line: start.line, rest: None }
    }

    pub(super) fn copied(&self) -> u64 {
        self.carry.copied() + self.rest.as_ref().map_or(0, Lines::copied)
    }

    pub(super) fn capacity(&self) -> usize {
        self.carry.capacity() + self.rest.as_ref().map_or(0, Lines::capacity)
    }

    /// The next byte stands at `place` (a byte order mark was taken off).
    pub(super) fn move_to(&mut self, place: Place) {
        self.line = place.line;
    }

    /// Line of the next byte.
    pub(super) fn line(&self) -> u64 {
        self.line
    }

    /// Reads a chunk whose first byte stands at `base`.
    pub(super) fn push(&mut self, chunk: &[u8], base: u64, out: &mut Out<'_>) {
        let mut at = 0;
        while let Some(&byte) = chunk.get(at) {
            if self.layout == Layout::After {
                let (rest, base) = (chunk.get(at..).unwrap_or_default(), base + at as u64);
                return self.rest.iter_mut().for_each(|lines| lines.push(rest, base, out));
            }
            if self.open.is_some() {
                at = self.value(chunk, at, base, out);
            } else if self.is_between(byte) {
                self.line += u64::from(byte == b'\n');
                at += 1;
            } else if self.layout == Layout::Before && byte == b'[' {
                self.layout = Layout::Array;
                at += 1;
            } else if self.layout == Layout::Before || (self.layout == Layout::Array && byte == b']') {
                at += usize::from(byte == b']' && self.layout == Layout::Array);
                self.read_lines_from(Place { offset: base + at as u64, line: self.line });
            } else {
                let start = Place { offset: base + at as u64, line: self.line };
                self.open = Some(Open { start, nesting: Nesting::default(), over: false });
            }
        }
    }

    pub(super) fn end(&mut self, end_offset: u64, out: &mut Out<'_>) {
        let end = Place { offset: end_offset, line: self.line };
        if let Some(open) = self.open.take() {
            self.end_in_value(&open, end, out);
        } else if self.layout == Layout::Array {
            let message = format_args!("The array has no closing bracket.");
            out.remark("jsonl.truncated-tail", Severity::Warn, end, message);
        } else if let (Layout::After, Some(rest)) = (self.layout, &mut self.rest) {
            rest.end(end_offset, out);
            self.line = rest.line();
        }
        self.carry.release();
        if self.layout != Layout::Sequence {
            self.layout = Layout::Before;
        }
        self.line += 1;
        out.end_connection(Place { offset: end_offset, line: self.line });
    }

    fn end_in_value(&mut self, open: &Open, end: Place, out: &mut Out<'_>) {
        let start = open.start;
        let held = std::mem::take(&mut self.carry.bytes);
        self.finish(open, &held, end, out);
        if open.nesting.is_open() || self.layout == Layout::Array {
            let message = format_args!("The stream ended inside a value.");
            out.remark("jsonl.truncated-tail", Severity::Error, start, message);
        } else {
            let message = format_args!("The last value has no line end.");
            out.remark("jsonl.no-final-newline", Severity::Info, start, message);
        }
    }

    fn read_lines_from(&mut self, place: Place) {
        self.layout = Layout::After;
        let max = self.max_record_bytes;
        self.rest.get_or_insert_with(|| Lines::new(max, place)).move_to(place);
    }

    fn is_between(&self, byte: u8) -> bool {
        match byte {
            blank if is_blank(blank) => true,
            b',' => self.layout == Layout::Array,
            RECORD_SEPARATOR => self.layout == Layout::Sequence,
            _ => false,
        }
    }

    /// Goes on with the open value from `at`; where it stopped.
    fn value(&mut self, chunk: &[u8], at: usize, base: u64, out: &mut Out<'_>) -> usize {
        let Some(mut open) = self.open.take() else { return at };
        let stop = match self.layout {
            Layout::Sequence => scan_text(&mut open.nesting, chunk, at),
            _ => scan_element(&mut open.nesting, chunk, at),
        };
        let until = match stop {
            Stop::Ends(until) | Stop::Interrupted(until) => until,
            Stop::Runs => chunk.len(),
        };
        let piece = chunk.get(at..until).unwrap_or_default();
        self.line += memchr_iter(b'\n', piece).count() as u64;
        let end = Place { offset: base + until as u64, line: self.line };
        if end.offset - open.start.offset > self.max_record_bytes as u64 {
            open.over = true;
            self.carry.release();
        }
        if let Stop::Runs = stop {
            if !open.over {
                self.carry.extend(piece);
            }
            self.open = Some(open);
            return until;
        }
        if self.carry.is_empty() {
            self.finish(&open, piece, end, out);
        } else {
            self.carry.extend(piece);
            let held = std::mem::take(&mut self.carry.bytes);
            self.finish(&open, &held, end, out);
            self.carry.bytes = held;
            self.carry.release();
        }
        if let Stop::Interrupted(_) = stop {
            let severity = if open.nesting.is_open() { Severity::Error } else { Severity::Warn };
            let message = format_args!("A record separator came before the end of the value in front of it.");
            out.remark("jsonl.truncated-record", severity, open.start, message);
        }
        until
    }

    /// Hands on a complete value, without the whitespace after it.
    fn finish(&self, open: &Open, body: &[u8], end: Place, out: &mut Out<'_>) {
        if open.over {
            return out.over_limit(open.start, end, self.max_record_bytes as u64);
        }
        let body_end = trim_end(body);
        let lines = memchr_iter(b'\n', body.get(body_end.len()..).unwrap_or_default()).count() as u64;
        let end = Place { offset: open.start.offset + body_end.len() as u64, line: end.line - lines };
        out.record(Frame::plain(open.start, end, body_end));
    }
}

/// Follows an array element.
///
/// An element with an unclosed string or bracket runs into the ones after it. Finding the next line that begins a value
/// of its own, and closing the broken one there, would start at the line ends seen here.
fn scan_element(nesting: &mut Nesting, chunk: &[u8], mut at: usize) -> Stop {
    while let Some(&byte) = chunk.get(at) {
        if nesting.in_string && !nesting.escaped {
            let Some(found) = chunk.get(at..).and_then(|rest| memchr2(b'"', b'\\', rest)) else {
                return Stop::Runs;
            };
            at += found;
            nesting.step(chunk.get(at).copied().unwrap_or_default());
            at += 1;
            if !nesting.is_open() {
                return Stop::Ends(at);
            }
            continue;
        }
        if !nesting.is_open() && (is_blank(byte) || matches!(byte, b',' | b']')) {
            return Stop::Ends(at);
        }
        let depth = nesting.depth;
        nesting.step(byte);
        at += 1;
        if depth > 0 && !nesting.is_open() {
            return Stop::Ends(at);
        }
    }
    Stop::Runs
}

/// Follows a text of a sequence: to a line end outside all brackets, or to the next record separator wherever it
/// stands, since JSON cannot hold one.
fn scan_text(nesting: &mut Nesting, chunk: &[u8], mut at: usize) -> Stop {
    while let Some(&byte) = chunk.get(at) {
        if nesting.in_string && !nesting.escaped {
            let rest = chunk.get(at..).unwrap_or_default();
            let Some(found) = memchr3(b'"', b'\\', RECORD_SEPARATOR, rest) else { return Stop::Runs };
            at += found;
            match chunk.get(at) {
                Some(&RECORD_SEPARATOR) => return Stop::Interrupted(at),
                other => nesting.step(other.copied().unwrap_or_default()),
            }
            at += 1;
            continue;
        }
        match byte {
            RECORD_SEPARATOR => return Stop::Interrupted(at),
            b'\n' if !nesting.is_open() => return Stop::Ends(at),
            _ => nesting.step(byte),
        }
        at += 1;
    }
    Stop::Runs
}
