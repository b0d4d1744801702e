//! Bytes to records: SSE, JSON lines and their relatives.
//!
//! Knows no JSON field and no dialect. Every input byte belongs to exactly one record or one skipped span,
//! and what comes out never depends on how the input was cut.

mod carry;
mod encoding;
mod framer;
mod html;
mod ledger;
mod lines;
mod options;
mod sniff;
mod source;
mod sse;
mod values;
mod wrapping;

pub use framer::Framer;
pub use options::{Container, FramingOptions};
pub use source::{Diagnostic, Record, RecordSink, Severity, Skipped, Source, Stretch, Taken};

/// U+FEFF in UTF-8.
const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// Whitespace of JSON, which is also all that separators outside SSE may hold.
const fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n')
}

/// `bytes` without the blanks at its end.
fn trim_end(bytes: &[u8]) -> &[u8] {
    let end = bytes.iter().rposition(|byte| !is_blank(*byte)).map_or(0, |last| last + 1);
    bytes.get(..end).unwrap_or(bytes)
}
