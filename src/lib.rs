//! Bytes of any AI-agent stream in, normalized UI events out.
//!
//! ```text
//! bytes -> framing -> records -> dialect -> facts -> normalize -> events -> transcript -> replay
//! ```

pub mod check;
pub mod dialect;
pub mod event;
pub mod framing;
pub mod json;
pub mod normalize;
pub mod transcript;

pub use check::{Breach, check_normal_form};
pub use transcript::Transcript;
