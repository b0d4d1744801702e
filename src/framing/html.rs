//! An HTML page where a stream was expected: a proxy's error, a login form.
//!
//! Its head becomes one record, so that a person can read what the server said; the rest is skipped and counted.

use memchr::memchr_iter;

use super::carry::Carry;
use super::ledger::{Frame, Out, Place};
use super::source::{Severity, Skipped};
use super::trim_end;

/// Bytes of the page that are kept.
const HEAD_BYTES: usize = 2 << 10;

#[derive(Debug)]
pub(super) struct Html {
    start: Place,
    /// The head; stays until the end, since it tells where the skipped part begins.
    carry: Carry,
    /// End of the head, once it was handed on.
    head_end: Option<Place>,
}

impl Html {
    pub(super) fn new(start: Place) -> Self {
        Html { start, carry: Carry::default(), head_end: None }
    }

    pub(super) fn copied(&self) -> u64 {
        self.carry.copied()
    }

    pub(super) fn capacity(&self) -> usize {
        self.carry.capacity()
    }

    /// Line of the next byte.
    pub(super) fn line(&self) -> u64 {
        self.start.line
    }

    /// The next byte stands at `place` (a byte order mark was taken off).
    pub(super) fn move_to(&mut self, place: Place) {
        self.start = place;
    }

    pub(super) fn push(&mut self, chunk: &[u8], _base: u64, out: &mut Out<'_>) {
        if self.head_end.is_some() {
            return;
        }
        let room = HEAD_BYTES.saturating_sub(self.carry.len());
        self.carry.extend(chunk.get(..room).unwrap_or(chunk));
        if self.carry.len() >= HEAD_BYTES {
            self.head(out);
        }
    }

    pub(super) fn end(&mut self, end_offset: u64, out: &mut Out<'_>) {
        if self.head_end.is_none() && !self.carry.is_empty() {
            self.head(out);
        }
        let end = Place { offset: end_offset, line: self.start.line };
        if let Some(head_end) = self.head_end.take()
            && self.carry.len() >= HEAD_BYTES
            && end_offset > head_end.offset
        {
            out.skip(head_end, end, Skipped::OverLimit);
        }
        self.carry.release();
        self.start = Place { offset: end_offset, line: self.start.line + 1 };
        out.end_connection(self.start);
    }

    fn head(&mut self, out: &mut Out<'_>) {
        let whole = self.carry.bytes.as_slice();
        let body = if whole.len() < HEAD_BYTES { trim_end(whole) } else { without_cut_character(whole) };
        if body.is_empty() {
            return;
        }
        let lines = memchr_iter(b'\n', body).count() as u64;
        let end = Place { offset: self.start.offset + body.len() as u64, line: self.start.line + lines };
        self.head_end = Some(end);
        out.record(Frame::plain(self.start, end, body));
        let message = format_args!("The body is an HTML page, not a stream; its first bytes are kept.");
        out.remark("sse.not-sse-body", Severity::Error, self.start, message);
    }
}

/// Drops a character that the head's end cut in two.
fn without_cut_character(bytes: &[u8]) -> &[u8] {
    match std::str::from_utf8(bytes) {
        Err(error) if error.error_len().is_none() => bytes.get(..error.valid_up_to()).unwrap_or(bytes),
        _ => bytes,
    }
}
