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

pub use framer::Framer;
pub use options::{Container, FramingOptions};
pub use source::{Diagnostic, Record, RecordSink, Severity, Skipped, Source};

/// U+FEFF in UTF-8.
const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";
