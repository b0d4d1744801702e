//! What a normalizer is told before the first byte, and how a wrong call is answered.

use crate::dialect::rows;
use crate::framing::{Container, FramingOptions};
use crate::normalize::NormalOptions;

/// Settings of a [`Normalizer`](super::Normalizer).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Name of the dialect; `None`, the default, detects it from the first records.
    pub dialect: Option<String>,
    /// What the bytes are; `None`, the default, detects it.
    pub container: Option<Container>,
    /// Which updates leave. Default all.
    pub updates: Updates,
    /// Shows context that a harness injected for the model (skill bodies, environment notes) as user text. Default
    /// false: it is counted as `injected`.
    pub show_injected: bool,
    /// Concludes no nesting of agents that the wire does not state (vent tells only who starts and ends). Default false.
    pub flat_agents: bool,
    /// All that a push adds to one text leaves as one chunk. Default false: each record has its own events. What the events
    /// fold to is the same; their number depends on the cuts.
    pub coalesce: bool,
    /// How much may be held.
    pub limits: Limits,
}

/// Which updates leave a normalizer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Updates {
    /// All of them.
    #[default]
    All,
    /// The eight updates of the Evolve stream, for a handler written for it. Everything else stays in the report.
    Core,
}

/// Limits, each with its default. Hitting one is reported as a diagnostic `limit.*`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Longest record in bytes. Default 64 MiB. A longer one is skipped.
    pub max_record_bytes: usize,
    /// Record ids remembered to drop a record that comes again. Default 65,536; the oldest are forgotten first.
    pub max_record_ids: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            max_record_bytes: FramingOptions::default().max_record_bytes,
            max_record_ids: NormalOptions::default().max_record_ids,
        }
    }
}

/// An option that does not exist. The text names those that do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionError(String);

impl OptionError {
    pub(super) fn unknown_dialect(name: &str) -> Self {
        let known: Vec<&str> = rows().iter().map(|row| row.name).collect();
        OptionError(format!("unknown dialect {name:?}: use auto or one of {}", known.join(", ")))
    }
}

impl std::fmt::Display for OptionError {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for OptionError {}

/// A call in the wrong order. The text names the right one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Misuse(pub(super) &'static str);

impl std::fmt::Display for Misuse {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(self.0)
    }
}

impl std::error::Error for Misuse {}
