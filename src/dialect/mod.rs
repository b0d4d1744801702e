//! Records to facts: one file or folder per wire format.
//!
//! A dialect states what the wire said; it repairs nothing. It may keep decoding state (pieces to join, ids
//! announced earlier, which part is open) and knows nothing of events already sent. This file holds the one table
//! of dialects: detection, construction and answering by name happen here and nowhere else.

pub mod amp;
pub mod autohand;
pub mod claude;
pub mod cline;
mod clock;
pub mod codex;
pub mod content;
pub mod copilot;
pub mod cursor;
pub mod droid;
pub mod evolve;
mod fact;
pub mod gemini;
pub mod goose;
mod harness;
pub mod kimi;
pub mod nested;
pub mod opencode;
pub mod pi;
mod plan;
mod recent;
mod reply;
mod speaker;
mod told;
pub mod tools;
pub mod vent;
mod walk;

pub use fact::{
    AgentSeen, Answered, Ask, AskRef, CallRef, Context, ErrorFact, Fact, FactSink, PartKind, PartRef,
    PlanPatch, RunFact, ToolChanged, ToolSeen, UsageBasis, UsageFact, WithdrawTarget,
};
pub use reply::{Choice, ReplyError, ReplyFn};

use crate::framing::{Container, Record};
use crate::json::Value;

/// One wire format's reader.
pub trait Dialect {
    /// A further file of the same run begins; its records say so by [`Source::input`](crate::framing::Source::input). The
    /// name, as its owner calls it, may tell what it holds.
    fn input(&mut self, _number: u32, _name: &str) {}
    /// A record that is one JSON value.
    fn record(&mut self, record: &Record<'_>, value: Value<'_>, facts: &mut dyn FactSink);
    /// A record that is not JSON. Returns whether it was claimed; the pipeline makes a notice of the others.
    fn text(&mut self, _record: &Record<'_>, _facts: &mut dyn FactSink) -> bool {
        false
    }
    /// The stream is over: flush pieces, say what is missing.
    fn end(&mut self, _facts: &mut dyn FactSink) {}
}

/// How strongly a record speaks for a dialect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sign {
    /// Other formats look like this too.
    Weak,
    /// Probably; wins when nothing certain comes within the first records.
    Strong,
    /// No other format looks like this.
    Certain,
}

/// What a detector found, and why, in words for `report()`.
pub type Verdict = Option<(Sign, &'static str)>;

/// What a reader may conclude.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DialectOptions {
    /// No nesting of agents that the wire does not state.
    pub flat_agents: bool,
}

/// One row of the dialect table.
pub struct DialectRow {
    /// Stable name, as in the `dialect` option.
    pub name: &'static str,
    /// Looks at one record.
    pub detect: fn(&Record<'_>, Value<'_>, Container) -> Verdict,
    /// A fresh reader.
    pub make: fn(&DialectOptions) -> Box<dyn Dialect>,
    /// Answers its interrupts; `None` where the wire has no channel back.
    pub reply: Option<ReplyFn>,
}

/// The table of dialects.
static ROWS: &[DialectRow] = &[
    amp::ROW,
    autohand::ROW,
    claude::ROW,
    claude::TRANSCRIPT,
    claude::qwen::ROW,
    cline::ROW,
    codex::ROW,
    copilot::ROW,
    cursor::ROW,
    droid::ROW,
    evolve::ROW,
    gemini::ROW,
    goose::ROW,
    kimi::ROW,
    opencode::ROW,
    pi::ROW,
    vent::ROW,
];

/// All dialects.
pub fn rows() -> &'static [DialectRow] {
    ROWS
}

/// The dialect of that name.
pub fn row_by_name(name: &str) -> Option<&'static DialectRow> {
    ROWS.iter().find(|row| row.name == name)
}

/// The dialect that a record speaks for most.
pub fn row_by_record(
    record: &Record<'_>,
    value: Value<'_>,
    container: Container,
) -> Option<(Sign, &'static DialectRow)> {
    let signs =
        ROWS.iter().filter_map(|row| (row.detect)(record, value, container).map(|(sign, _)| (sign, row)));
    signs.reduce(|best, other| if other.0 > best.0 { other } else { best })
}
