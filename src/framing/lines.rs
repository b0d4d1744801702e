//! One record per line, whatever stands on it.
//!
//! A line ends at LF, and one CR before it belongs to the end. A lone CR is an ordinary character, except in a stream
//! whose first 64 KiB hold a CR and no LF: there CR ends lines too. Such a stream is held back for those 64 KiB;
//! every other one is cut as it comes.

use std::mem;

use memchr::{memchr, memchr2};

use super::carry::Carry;
use super::ledger::{Frame, Out, Place};
use super::source::{Severity, Skipped, Stretch};
use super::{BYTE_ORDER_MARK, is_blank};

/// How far a line end is looked for before CR may count as one, in bytes.
const CR_WINDOW: usize = 64 << 10;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ends {
    /// No LF in the bytes `seen`, which may hold a CR.
    Undecided {
        seen: usize,
        cr: bool,
    },
    Lf,
    CrToo,
}

#[derive(Debug)]
pub(super) struct Lines {
    max_record_bytes: u64,
    ends: Ends,
    /// The open line.
    carry: Carry,
    line_start: Place,
    /// The last line ended with CR: an LF that follows belongs to it.
    skip_lf: bool,
    /// The open line is too long and is being skipped.
    over: bool,
    /// A CR stood before the last LF.
    crlf: bool,
}

impl Lines {
    pub(super) fn new(max_record_bytes: usize, start: Place) -> Self {
        Lines {
            max_record_bytes: max_record_bytes as u64,
            ends: Ends::Undecided { seen: 0, cr: false },
            carry: Carry::default(),
            line_start: start,
            skip_lf: false,
            over: false,
            crlf: false,
        }
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
        if let Ends::Undecided { seen, cr } = self.ends {
            let window = chunk.get(..CR_WINDOW - seen).unwrap_or(chunk);
            let seen = seen + window.len();
            if memchr(b'\n', window).is_some() {
                self.ends = Ends::Lf;
            } else {
                let cr = cr || memchr(b'\r', window).is_some();
                if seen < CR_WINDOW {
                    self.ends = Ends::Undecided { seen, cr };
                    return self.carry.extend(chunk);
                }
                self.decide(cr, out);
            }
        }
        self.split(chunk, base, out);
    }

    pub(super) fn end(&mut self, end_offset: u64, out: &mut Out<'_>) {
        if let Ends::Undecided { cr, .. } = self.ends {
            self.decide(cr, out);
        }
        let open = end_offset > self.line_start.offset;
        let end = Place { offset: end_offset, ..self.line_start };
        if self.over || self.is_too_long(end) {
            out.over_limit(self.line_start, end, self.max_record_bytes);
        } else if open && whole_line(&self.carry.bytes, self.line_start, out) {
            let message = format_args!("The last line has no line end.");
            out.remark("jsonl.no-final-newline", Severity::Info, self.line_start, message);
        }
        self.carry.release();
        self.over = false;
        self.skip_lf = false;
        self.line_start = Place { offset: end_offset, line: end.line + u64::from(open) };
        out.end_connection(self.line_start);
    }

    /// Settles what ends a line; in a CR stream the bytes held so far are cut again.
    fn decide(&mut self, cr: bool, out: &mut Out<'_>) {
        self.ends = if cr { Ends::CrToo } else { Ends::Lf };
        if cr {
            let held = mem::take(&mut self.carry.bytes);
            self.split(&held, self.line_start.offset, out);
        }
    }

    fn is_too_long(&self, end: Place) -> bool {
        end.offset - self.line_start.offset > self.max_record_bytes
    }

    fn split(&mut self, chunk: &[u8], base: u64, out: &mut Out<'_>) {
        let mut at = 0;
        while let Some(rest) = chunk.get(at..).filter(|rest| !rest.is_empty()) {
            if mem::take(&mut self.skip_lf) && rest.first() == Some(&b'\n') {
                at += 1;
                self.line_start.offset += 1;
                continue;
            }
            if let Some((taken, next)) = self.stretch(rest, out) {
                at += taken;
                self.line_start = next;
                continue;
            }
            let found = match self.ends {
                Ends::CrToo => memchr2(b'\r', b'\n', rest),
                _ => memchr(b'\n', rest),
            };
            let line = rest.get(..found.unwrap_or(rest.len())).unwrap_or(rest);
            let end = Place { offset: base + (at + line.len()) as u64, line: self.line_start.line };
            if self.is_too_long(end) && !self.over {
                self.over = true;
                self.carry.release();
            }
            if found.is_none() {
                if !self.over {
                    self.carry.extend(line);
                }
                break;
            }
            self.close_line(line, end, out);
            self.skip_lf = self.ends == Ends::CrToo && rest.get(line.len()) == Some(&b'\r');
            at += line.len() + 1;
            self.line_start = Place { offset: end.offset + 1, line: end.line + 1 };
        }
    }

    /// Lines that the sink takes as they stand.
    fn stretch(&mut self, rest: &[u8], out: &mut Out<'_>) -> Option<(usize, Place)> {
        if self.ends != Ends::Lf || self.over || !self.carry.is_empty() {
            return None;
        }
        let Place { offset, line } = self.line_start;
        let close: &[u8] = if self.crlf { b"\r\n" } else { b"\n" };
        out.stretch(&Stretch {
            bytes: rest,
            offset,
            line,
            lead: b"",
            close,
            lines: 1,
            event: None,
            max_record_bytes: self.max_record_bytes.saturating_sub(u64::from(self.crlf)),
        })
    }

    /// A line is complete; `rest` is what this chunk holds of it.
    fn close_line(&mut self, rest: &[u8], end: Place, out: &mut Out<'_>) {
        self.crlf = rest.last() == Some(&b'\r');
        if mem::take(&mut self.over) {
            out.over_limit(self.line_start, end, self.max_record_bytes);
        } else if self.carry.is_empty() {
            whole_line(rest, self.line_start, out);
        } else {
            self.carry.extend(rest);
            whole_line(&self.carry.bytes, self.line_start, out);
            self.carry.release();
        }
    }
}

/// Hands on one line without its LF, unless it is blank. Whether it was a record.
///
/// A line that is no JSON is a record all the same. Joining the lines of a pretty-printed value, and splitting values
/// that share a line, would start here, where the line's bytes and place are known.
fn whole_line(line: &[u8], mut start: Place, out: &mut Out<'_>) -> bool {
    let mut body = line.strip_suffix(b"\r").unwrap_or(line);
    if let Some(rest) = body.strip_prefix(BYTE_ORDER_MARK) {
        let after = Place { offset: start.offset + BYTE_ORDER_MARK.len() as u64, ..start };
        out.skip(start, after, Skipped::ByteOrderMark);
        let message =
            format_args!("A byte order mark inside the stream was skipped; two files may have been joined.");
        out.remark("jsonl.bom-inside", Severity::Info, start, message);
        (body, start) = (rest, after);
    }
    if body.iter().all(|byte| is_blank(*byte)) {
        return false;
    }
    let end = Place { offset: start.offset + body.len() as u64, ..start };
    out.record(Frame::plain(start, end, body));
    true
}
