//! Records that a saved file holds in pieces: a cut one with a whole one behind it on the same line, and one whose text
//! has raw line ends in it, so that it lies on several lines.
//!
//! Follows quotes and brackets only, each byte once.

use crate::dialect::{Context, Fact, FactSink};
use crate::event::{Unknown, Update};
use crate::framing::{Record, Severity};
use crate::json::Value;

/// Longest record that is joined.
const MOST_BYTES: usize = 8 << 20;

/// Places on one line where a whole record is looked for.
const MOST_TRIES: usize = 16;

/// How every record begins.
const START: &str = "{\"type\":";

/// A record that was broken over lines.
#[derive(Default)]
pub(super) struct Broken {
    text: String,
    depth: u32,
    in_string: bool,
    /// Line number of the last piece: empty lines between two pieces are no records.
    line: u64,
}

/// What a line made of it.
pub(super) enum State {
    Open,
    /// Too long, or a line end outside a string: it will not become a record.
    Full,
    Whole(String),
}

impl Broken {
    pub fn is_open(&self) -> bool {
        !self.text.is_empty()
    }

    /// What came so far.
    pub fn take(&mut self) -> Option<String> {
        let text = std::mem::take(self).text;
        (!text.is_empty()).then_some(text)
    }

    /// One more line. The line ends before it stand in a string, where JSON writes them as escapes.
    pub fn add(&mut self, record: &Record<'_>) -> State {
        if self.is_open() {
            let ends = record.source.line.saturating_sub(self.line).min(MOST_BYTES as u64 / 2);
            (0..ends).for_each(|_| self.text.push_str("\\n"));
        }
        self.line = record.source.line;
        self.text.push_str(record.body);
        self.follow(record.body);
        if self.depth == 0 && !self.in_string {
            return State::Whole(std::mem::take(self).text);
        }
        if !self.in_string || self.text.len() > MOST_BYTES { State::Full } else { State::Open }
    }

    fn follow(&mut self, text: &str) {
        let mut escaped = false;
        for byte in text.bytes() {
            match byte {
                _ if escaped => escaped = false,
                b'\\' if self.in_string => escaped = true,
                b'"' => self.in_string = !self.in_string,
                b'{' | b'[' if !self.in_string => self.depth += 1,
                b'}' | b']' if !self.in_string => self.depth = self.depth.saturating_sub(1),
                _ => {}
            }
        }
    }
}

/// Whether a line that is no JSON begins a record whose text goes on in the next line.
pub(super) fn begins(line: &str) -> bool {
    let mut broken = Broken::default();
    broken.follow(line);
    line.starts_with(START) && broken.in_string
}

/// Where a whole record begins behind a cut one.
pub(super) fn whole_behind(line: &str) -> Option<usize> {
    if !line.starts_with('{') {
        return None;
    }
    let starts = line.match_indices(START).map(|(at, _)| at).filter(|at| *at > 0);
    starts.take(MOST_TRIES).find(|at| line.get(*at..).is_some_and(|rest| Value::parse(rest).is_ok()))
}

/// A record that cannot be read.
pub(super) fn say_cut(text: &str, facts: &mut dyn FactSink) {
    facts.diagnostic("copilot.cut-record", Severity::Error, "a record that breaks off");
    facts.fact(&Context::default(), Fact::Tell(Update::Unknown(Unknown { type_: None, raw: text })));
}
