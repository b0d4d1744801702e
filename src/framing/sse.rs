//! Server-sent events, exactly as browsers dispatch them.
//!
//! Knows the event stream grammar and nothing of what `data` holds. A record spans the first to the last `data`,
//! `event` or `id` line of its block, with whatever stands between; lines of the block after that are skipped spans.
//! A line is complete at its CR or LF, whichever comes first, so an event never waits for a byte it does not need.

use std::mem;
use std::ops::Range;

use memchr::{memchr, memchr2};

use super::carry::Carry;
use super::ledger::{Frame, Out, Place, advance};
use super::source::{Severity, Skipped};
use super::wrapping::Wrapping;

/// Longest reconnection time handed out, in milliseconds: a day.
const MAX_RETRY_MS: u64 = 24 * 60 * 60 * 1000;
/// Unknown field names reported by name; later ones go unreported.
const MAX_UNKNOWN_NAMES: usize = 20;
/// Bytes of an unknown field name that are kept to recognise it.
const MAX_NAME_BYTES: usize = 64;

/// Where the open block's data lies.
#[derive(Debug, Default)]
enum Held {
    #[default]
    Nothing,
    /// In the chunk being read; moved to the scratch before the push returns.
    Chunk(Range<usize>),
    /// In the scratch.
    Carry(Range<usize>),
}

/// The lines since the last blank line, from the first that is a `data`, `event` or `id` field.
#[derive(Debug)]
struct Block {
    start: Place,
    end: Place,
    /// Comments and fields of no use after `end`. One span however many they are, so that an endless run of
    /// heartbeats inside a block costs no memory.
    tail: Option<(Place, Place, Skipped)>,
}

#[derive(Debug)]
pub(super) struct Sse {
    max_record_bytes: u64,
    /// The held data, then the open line.
    carry: Carry,
    /// Where the open line starts in `carry`.
    open_line: Option<usize>,
    line_start: Place,
    /// The last line ended with CR: an LF that follows belongs to it.
    skip_lf: bool,
    block: Option<Block>,
    data: Held,
    /// First byte of the first data value.
    data_start: Place,
    /// The data was joined from several lines, each checked on its own.
    joined: bool,
    first_bad: Option<Place>,
    event: String,
    id: String,
    last_event_id: String,
    /// `id` was set since the last event. A flag, since comparing two empty strings at each event is surprisingly dear
    /// where memcmp loads under a mask: their pointers dangle.
    id_is_new: bool,
    retry_ms: Option<u64>,
    unknown_names: Vec<Box<[u8]>>,
    /// Span being skipped because it is too long; ends with the block.
    over: Option<(Place, Place)>,
    /// How the last event was wrapped.
    wrapping: Wrapping,
}

impl Sse {
    pub(super) fn new(max_record_bytes: usize, start: Place) -> Self {
        Sse {
            max_record_bytes: max_record_bytes as u64,
            carry: Carry::default(),
            open_line: None,
            line_start: start,
            skip_lf: false,
            block: None,
            data: Held::Nothing,
            data_start: start,
            joined: false,
            first_bad: None,
            event: String::new(),
            id: String::new(),
            last_event_id: String::new(),
            id_is_new: false,
            retry_ms: None,
            unknown_names: Vec::new(),
            over: None,
            wrapping: Wrapping::default(),
        }
    }

    pub(super) fn last_event_id(&self) -> &str {
        &self.last_event_id
    }

    pub(super) fn retry_ms(&self) -> Option<u64> {
        self.retry_ms
    }

    pub(super) fn copied(&self) -> u64 {
        self.carry.copied()
    }

    pub(super) fn capacity(&self) -> usize {
        self.carry.capacity()
    }

    /// Line of the next byte.
    pub(super) fn line(&self) -> u64 {
        self.line_start.line
    }

    /// The next byte stands at `place` (a byte order mark was taken off).
    pub(super) fn move_to(&mut self, place: Place) {
        self.line_start = place;
    }

    /// Reads a chunk whose first byte stands at `base`.
    pub(super) fn push(&mut self, chunk: &[u8], base: u64, out: &mut Out<'_>) {
        let mut at = 0;
        while let Some(rest) = chunk.get(at..).filter(|rest| !rest.is_empty()) {
            if mem::take(&mut self.skip_lf) && rest.first() == Some(&b'\n') {
                at += 1;
                self.line_start.offset += 1;
                continue;
            }
            if let Some((taken, next)) = self.stretch(chunk, at, out) {
                at += taken;
                self.line_start = next;
                continue;
            }
            let found = memchr2(b'\r', b'\n', rest);
            let stop = at + found.unwrap_or(rest.len());
            let end = Place { offset: base + stop as u64, line: self.line_start.line };
            let Some(length) = found else {
                self.hold(chunk, at, end);
                break;
            };
            self.close_line(chunk, at..stop, end, out);
            self.skip_lf = rest.get(length) == Some(&b'\r');
            at = stop + 1;
            self.line_start = Place { offset: end.offset + 1, line: end.line + 1 };
        }
        self.keep_data(chunk);
        self.wrapping.closed_at(chunk, chunk.len());
    }

    /// The input ends. What no blank line closed is dropped, as browsers do; the next push is a new connection, which
    /// keeps the last event id and the retry time.
    pub(super) fn end(&mut self, end_offset: u64, out: &mut Out<'_>) {
        let open = end_offset > self.line_start.offset;
        let here = Place { offset: end_offset, line: self.line_start.line };
        if let Some((start, end)) = self.over.take() {
            out.over_limit(start, if open { here } else { end }, self.max_record_bytes);
        } else if let Some(block) = self.block.take() {
            let closed = block.tail.map_or(block.end, |(_, end, _)| end);
            drop_unterminated(block.start, if open { here } else { closed }, out);
        } else if let Some(line) = self.open_line.and_then(|start| self.carry.bytes.get(start..)) {
            if line.first() == Some(&b':') {
                out.skip(self.line_start, here, Skipped::Comment);
            } else {
                drop_unterminated(self.line_start, here, out);
            }
        }
        self.forget_block();
        self.open_line = None;
        self.skip_lf = false;
        self.restore_id();
        self.line_start = Place { offset: end_offset, line: here.line + u64::from(open) };
        out.end_connection(self.line_start);
    }

    /// Takes back an id whose block was lost, so that it is not the one a reconnect resumes after.
    fn restore_id(&mut self) {
        self.id.clone_from(&self.last_event_id);
        self.id_is_new = false;
    }

    /// Events that the sink takes as they stand.
    fn stretch(&mut self, chunk: &[u8], at: usize, out: &mut Out<'_>) -> Option<(usize, Place)> {
        let between = self.block.is_none() && self.open_line.is_none() && self.over.is_none();
        if !between || !self.wrapping.closed_at(chunk, at) {
            return None;
        }
        let rest = chunk.get(at..).unwrap_or_default();
        out.stretch(&self.wrapping.stretch(rest, self.line_start, self.max_record_bytes))
    }

    /// Keeps the beginning of a line that the chunk does not finish.
    fn hold(&mut self, chunk: &[u8], from: usize, end: Place) {
        if self.over.is_some() || self.breaks_limit(end) {
            return;
        }
        self.keep_data(chunk);
        self.open_line.get_or_insert(self.carry.len());
        self.carry.extend(chunk.get(from..).unwrap_or_default());
    }

    /// Moves data borrowed from the chunk to the scratch, before the chunk is gone.
    fn keep_data(&mut self, chunk: &[u8]) {
        if let Held::Chunk(range) = &self.data {
            let value = chunk.get(range.clone()).unwrap_or_default();
            self.carry.bytes.clear();
            self.carry.extend(value);
            self.data = Held::Carry(0..self.carry.len());
        }
    }

    /// Starts skipping if the block, up to `end` within one of its lines, is too long.
    fn breaks_limit(&mut self, end: Place) -> bool {
        let start = self.block.as_ref().map_or(self.line_start, |block| block.start);
        if end.offset - start.offset <= self.max_record_bytes {
            return false;
        }
        self.over = Some((start, end));
        self.forget_block();
        self.open_line = None;
        self.restore_id();
        true
    }

    fn close_line(&mut self, chunk: &[u8], range: Range<usize>, end: Place, out: &mut Out<'_>) {
        let blank = end.offset == self.line_start.offset;
        if let Some((start, over_end)) = self.over {
            if blank {
                self.over = None;
                out.over_limit(start, over_end, self.max_record_bytes);
            } else {
                self.over = Some((start, end));
            }
        } else if blank {
            self.dispatch(chunk, out);
        } else if !self.breaks_limit(end) {
            self.field(chunk, range, end, out);
        }
    }

    /// Reads one complete line that is not blank.
    fn field(&mut self, chunk: &[u8], range: Range<usize>, end: Place, out: &mut Out<'_>) {
        let from_carry = self.open_line.take();
        if from_carry.is_some() {
            self.carry.extend(chunk.get(range.clone()).unwrap_or_default());
        }
        let (buffer, begin, stop) = match from_carry {
            Some(start) => (self.carry.bytes.as_slice(), start, self.carry.len()),
            None => (chunk, range.start, range.end),
        };
        let line = buffer.get(begin..stop).unwrap_or_default();
        let (name, value_at) = split_field(line);
        let value = line.get(value_at..).unwrap_or_default();
        let value_start = Place { offset: self.line_start.offset + value_at as u64, line: end.line };
        let mut why = None;
        match name {
            b"data" => {
                return self.add_data(chunk, begin + value_at..stop, from_carry.is_some(), value_start, end);
            }
            b"event" => replace_text(&mut self.event, value, value_start, out),
            b"id" if memchr(0, value).is_some() => {}
            b"id" => {
                self.id_is_new = true;
                replace_text(&mut self.id, value, value_start, out);
            }
            b"retry" => {
                why = Some(Skipped::Field);
                if let Some(milliseconds) = parse_retry(value) {
                    self.retry_ms = Some(clamp_retry(milliseconds, self.line_start, out));
                }
            }
            b"" => why = Some(Skipped::Comment),
            _ => {
                why = Some(Skipped::Field);
                remark_unknown(&mut self.unknown_names, name, self.line_start, out);
            }
        }
        if from_carry.is_some() {
            self.drop_open_line();
        }
        match why {
            None => self.extend_block(end),
            Some(why) => self.pass(end, why, out),
        }
    }

    /// Takes the line just read off the scratch, and leaves the data.
    fn drop_open_line(&mut self) {
        match &self.data {
            Held::Carry(range) => self.carry.bytes.truncate(range.end),
            _ => self.carry.release(),
        }
    }

    /// A line that adds nothing to a record.
    fn pass(&mut self, end: Place, why: Skipped, out: &mut Out<'_>) {
        let start = self.line_start;
        match &mut self.block {
            None => out.skip(start, end, why),
            Some(block) => {
                let (start, before) = block.tail.map_or((start, why), |(start, _, before)| (start, before));
                let why = if before == why { why } else { Skipped::Field };
                block.tail = Some((start, end, why));
            }
        }
    }

    fn extend_block(&mut self, end: Place) {
        let start = self.block.as_ref().map_or(self.line_start, |block| block.start);
        self.block = Some(Block { start, end, tail: None });
    }

    /// Appends a data line's value, which lies at `value` in the chunk or in the scratch.
    fn add_data(
        &mut self,
        chunk: &[u8],
        value: Range<usize>,
        in_carry: bool,
        value_start: Place,
        end: Place,
    ) {
        self.extend_block(end);
        self.keep_joined(chunk);
        self.data = match mem::take(&mut self.data) {
            Held::Carry(held) => {
                let added = if in_carry {
                    self.carry.bytes.truncate(value.end);
                    // The field name's own bytes make room for the line end that joins the two.
                    if let Some(join) = self.carry.bytes.get_mut(held.end) {
                        *join = b'\n';
                    }
                    self.carry.close_gap(value.start, held.end + 1);
                    held.end + 1
                } else {
                    self.carry.bytes.truncate(held.end);
                    self.carry.extend(b"\n");
                    self.carry.extend(chunk.get(value).unwrap_or_default());
                    held.end + 1
                };
                self.check(added, value_start);
                Held::Carry(held.start..self.carry.len())
            }
            _ => {
                self.data_start = value_start;
                if in_carry { Held::Carry(value) } else { Held::Chunk(value) }
            }
        };
    }

    /// Before a second value is joined: the first one moves to the scratch and is checked, since after the join a bad
    /// byte's place in the stream can no longer be told.
    fn keep_joined(&mut self, chunk: &[u8]) {
        self.keep_data(chunk);
        if let (Held::Carry(held), false) = (&self.data, self.joined) {
            let held = held.clone();
            self.joined = true;
            if let Some(Err(error)) = self.carry.bytes.get(held.clone()).map(std::str::from_utf8) {
                self.first_bad = Some(Place {
                    offset: self.data_start.offset + error.valid_up_to() as u64,
                    ..self.data_start
                });
            }
        }
    }

    /// Notes the first byte of the joined data that is not UTF-8; the value added last starts at `from`.
    fn check(&mut self, from: usize, value_start: Place) {
        let value = self.carry.bytes.get(from..).unwrap_or_default();
        if let (None, Err(error)) = (self.first_bad, std::str::from_utf8(value)) {
            self.first_bad = Some(advance(value_start, value, error));
        }
    }

    /// A blank line closes the block.
    fn dispatch(&mut self, chunk: &[u8], out: &mut Out<'_>) {
        if mem::take(&mut self.id_is_new) {
            self.last_event_id.clone_from(&self.id);
        }
        let Some(block) = self.block.take() else { return };
        self.wrapping.forget();
        let body = match &self.data {
            Held::Nothing => None,
            Held::Chunk(range) => {
                let lead = (self.data_start.offset - block.start.offset) as usize;
                let is_bare = block.tail.is_none() && self.data_start.offset > block.start.offset;
                if is_bare {
                    self.wrapping.of(chunk, range.start.checked_sub(lead), range, &self.event);
                }
                chunk.get(range.clone())
            }
            Held::Carry(range) => self.carry.bytes.get(range.clone()),
        };
        match body {
            Some(body) => out.record(Frame {
                start: block.start,
                end: block.end,
                body,
                body_start: self.data_start,
                first_bad: self.first_bad,
                event: Some(self.event.as_str()).filter(|name| !name.is_empty()),
                id: Some(self.last_event_id.as_str()).filter(|id| !id.is_empty()),
            }),
            None => out.skip(block.start, block.end, Skipped::Field),
        }
        if let Some((start, end, why)) = block.tail {
            out.skip(start, end, why);
        }
        self.forget_block();
    }

    fn forget_block(&mut self) {
        self.block = None;
        self.data = Held::Nothing;
        self.joined = false;
        self.first_bad = None;
        self.event.clear();
        self.event.shrink_to(super::carry::KEPT_CAPACITY);
        self.carry.release();
    }
}

/// What browsers do with a block the stream's end left open. A tolerant mode that salvages a whole payload from it would
/// do so here, with the block still in hand.
fn drop_unterminated(start: Place, end: Place, out: &mut Out<'_>) {
    out.skip(start, end, Skipped::Unterminated);
    let length = end.offset - start.offset;
    out.remark(
        "sse.eof-partial",
        Severity::Warn,
        start,
        format_args!("The stream ended inside an event; its {length} bytes were not dispatched."),
    );
}

/// The field's name, and where its value starts. A comment has the empty name.
fn split_field(line: &[u8]) -> (&[u8], usize) {
    if let [b'd', b'a', b't', b'a', b':', rest @ ..] = line {
        return (line.get(..4).unwrap_or_default(), 5 + usize::from(rest.first() == Some(&b' ')));
    }
    match memchr(b':', line) {
        None => (line, line.len()),
        Some(colon) => {
            let (name, rest) = line.split_at(colon);
            (name, colon + 1 + usize::from(rest.get(1) == Some(&b' ')))
        }
    }
}

fn replace_text(text: &mut String, value: &[u8], value_start: Place, out: &mut Out<'_>) {
    text.clear();
    match std::str::from_utf8(value) {
        Ok(clean) => text.push_str(clean),
        Err(error) => {
            out.invalid_utf8(advance(value_start, value, error));
            text.push_str(&String::from_utf8_lossy(value));
        }
    }
}

/// ASCII digits and nothing else; saturates.
fn parse_retry(value: &[u8]) -> Option<u64> {
    if value.is_empty() || !value.iter().all(u8::is_ascii_digit) {
        return None;
    }
    Some(value.iter().fold(0u64, |sum, digit| sum.saturating_mul(10).saturating_add(u64::from(digit - b'0'))))
}

fn clamp_retry(milliseconds: u64, at: Place, out: &mut Out<'_>) -> u64 {
    if milliseconds > MAX_RETRY_MS {
        out.remark(
            "sse.retry-clamped",
            Severity::Info,
            at,
            format_args!("The server asked to wait longer than a day before reconnecting; a day is used."),
        );
    }
    milliseconds.min(MAX_RETRY_MS)
}

/// Reports a field nobody reads, once per name.
fn remark_unknown(names: &mut Vec<Box<[u8]>>, name: &[u8], at: Place, out: &mut Out<'_>) {
    if name.starts_with(b"\xEF\xBB\xBF") {
        let message = format_args!("A byte order mark inside the stream hides the field after it.");
        return out.remark("sse.bom-inside", Severity::Warn, at, message);
    }
    let name = name.get(..MAX_NAME_BYTES).unwrap_or(name);
    if names.len() < MAX_UNKNOWN_NAMES && !names.iter().any(|known| **known == *name) {
        names.push(name.into());
        let shown = String::from_utf8_lossy(name);
        out.remark(
            "sse.unknown-field",
            Severity::Info,
            at,
            format_args!("Unknown field {shown:?} is ignored."),
        );
    }
}
