//! Bytes to records: SSE, JSON lines and their relatives.
//!
//! Knows no JSON field and no dialect. Every input byte belongs to exactly one record or one skipped span,
//! and what comes out never depends on how the input was cut.

mod source;

pub use source::{Diagnostic, Record, RecordSink, Severity, Skipped, Source};
