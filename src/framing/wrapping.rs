//! How the last SSE event was wrapped, so that a sink can recognise the next ones without their being cut.
//!
//! Only the plain ways count: one `data` line, with an `event` line before it or none, all in one chunk. Everything else is
//! cut as ever.

use std::ops::Range;

use super::ledger::Place;
use super::source::Stretch;

#[derive(Debug, Default)]
pub(super) struct Wrapping {
    lead: Vec<u8>,
    close: Vec<u8>,
    event: String,
    /// Line ends in `lead` and `close`.
    lines: u64,
    /// End of the body in the chunk, until the place is known where the next event may begin.
    body_end: Option<usize>,
}

impl Wrapping {
    /// Nothing is known.
    pub(super) fn forget(&mut self) {
        self.lead.clear();
        self.close.clear();
        self.body_end = None;
    }

    /// Notes an event whose first byte stands at `start` and whose body at `body` in this chunk.
    pub(super) fn of(&mut self, chunk: &[u8], start: Option<usize>, body: &Range<usize>, event: &str) {
        let Some(lead) = start.and_then(|start| chunk.get(start..body.start)) else { return };
        let data = match lead.strip_prefix(b"event:") {
            Some(rest) => memchr::memchr(b'\n', rest).and_then(|end| rest.get(end + 1..)),
            None => Some(lead),
        };
        if matches!(data, Some(b"data:" | b"data: ")) {
            self.lead.extend_from_slice(lead);
            event.clone_into(&mut self.event);
            self.body_end = Some(body.end);
        }
    }

    /// The next event may begin at `at` of the chunk that the last one came in. Whether it is known how that was wrapped.
    pub(super) fn closed_at(&mut self, chunk: &[u8], at: usize) -> bool {
        if let Some(close) = self.body_end.take().and_then(|end| chunk.get(end..at)) {
            self.close.clear();
            if matches!(close, b"\n\n" | b"\r\n\r\n") {
                self.close.extend_from_slice(close);
                let wrapped = self.lead.iter().chain(close);
                self.lines = wrapped.filter(|byte| **byte == b'\n').count() as u64;
            }
        }
        !self.close.is_empty()
    }

    /// The bytes from there on, as the last event was wrapped.
    pub(super) fn stretch<'a>(&'a self, bytes: &'a [u8], place: Place, max_record_bytes: u64) -> Stretch<'a> {
        Stretch {
            bytes,
            offset: place.offset,
            line: place.line,
            lead: &self.lead,
            close: &self.close,
            lines: self.lines,
            event: Some(self.event.as_str()).filter(|name| !name.is_empty()),
            max_record_bytes,
        }
    }
}
