//! Bytes of any AI-agent stream in, normalized UI events out.
//!
//! ```text
//! bytes -> framing -> records -> dialect -> facts -> normalize -> events -> transcript -> replay
//! ```

pub mod dialect;
pub mod event;
pub mod framing;
pub mod json;
