//! Bytes of any AI-agent stream in, normalized UI events out.
//!
//! ```text
//! bytes -> framing -> records -> dialect -> facts -> normalize -> events -> transcript -> replay
//! ```

pub mod check;
pub mod dialect;
pub mod event;
pub mod framing;
mod hash;
pub mod json;
pub mod normalize;
mod pipeline;
pub mod transcript;
#[cfg(feature = "web")]
pub mod web;

pub use check::{Breach, check_normal_form};
pub use event::{Batch, UiEvent, Update};
pub use pipeline::{
    Detection, Limits, Misuse, Normalizer, OptionError, Options, Report, SkippedCounts, Updates, detect,
};
pub use transcript::Transcript;
