//! What a normalizer tells about a stream as a whole.

use super::Normalizer;
use super::coalesce::Coalescer;
use crate::framing::{Container, Diagnostic, Skipped, Source};
use crate::normalize::{RunResult, UsageReport};

/// Bytes that belong to no record, by reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SkippedCounts {
    /// Line ends, blank lines, byte order marks.
    pub separator_bytes: u64,
    /// SSE comments: heartbeats.
    pub comments: u64,
    /// SSE fields without data.
    pub fields: u64,
    /// Bytes of an SSE block that the end left open.
    pub unterminated_bytes: u64,
    /// Bytes beyond a limit.
    pub over_limit_bytes: u64,
}

impl SkippedCounts {
    pub(super) fn count(&mut self, source: Source, why: Skipped) {
        match why {
            Skipped::Separator | Skipped::ByteOrderMark => self.separator_bytes += source.length,
            Skipped::Comment => self.comments += 1,
            Skipped::Field => self.fields += 1,
            Skipped::Unterminated => self.unterminated_bytes += source.length,
            Skipped::OverLimit => self.over_limit_bytes += source.length,
        }
    }
}

/// What is known of a stream so far.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// Name of the dialect; `None` while it is not recognised.
    pub dialect: Option<&'static str>,
    /// Why this dialect.
    pub why: String,
    /// What the bytes are.
    pub container: Option<Container>,
    /// Bytes read.
    pub bytes: u64,
    /// Records read: `records_with_events` and `records_ignored` together, once none is held for detection.
    pub records: u64,
    /// Records that caused an event (one the `core` filter kept back included).
    pub records_with_events: u64,
    /// Records that caused none; each is counted in `ignored` at least once.
    pub records_ignored: u64,
    /// Events sent.
    pub events: u64,
    /// Items made.
    pub items: u32,
    /// Records, or parts of one, without an event, by reason.
    pub ignored: Vec<(&'static str, u64)>,
    /// Bytes outside of records.
    pub skipped: SkippedCounts,
    /// The first 50 remarks per code, in order.
    pub diagnostics: Vec<Diagnostic>,
    /// How many remarks of each code came in all.
    pub diagnostic_counts: Vec<(&'static str, u64)>,
    /// Tokens and cost.
    pub usage: UsageReport,
    /// How the last run ended.
    pub result: RunResult,
    /// Tool calls without a final status.
    pub open_calls: usize,
    /// Whether the agent did anything: a text or thought with characters, a tool call, a plan, citations, an artifact or
    /// shared state.
    pub did_work: bool,
    /// Names of the further inputs, in order: the first one is number 1.
    pub inputs: Vec<Box<str>>,
}

impl Report {
    pub(super) fn of(normalizer: &Normalizer) -> Report {
        let reader = &normalizer.reader;
        let normal = &reader.normal;
        let read = normalizer.inputs.iter().find(|input| input.framer.bytes() > 0);
        let first = read.or(normalizer.inputs.first());
        let speaking = first.and_then(|input| reader.speaking.get(input.reading.speaker?));
        Report {
            dialect: speaking.map(|speaking| speaking.row.name),
            why: first.map_or_else(String::new, |input| input.reading.detector.why().to_owned()),
            container: first.and_then(|input| input.framer.container()),
            bytes: normalizer.inputs.iter().map(|input| input.framer.bytes()).sum(),
            records: reader.records,
            records_with_events: normal.records_with_events(),
            records_ignored: normal.records_ignored(),
            events: normal.events() - normalizer.coalescer.as_ref().map_or(0, Coalescer::joined),
            items: normal.items(),
            ignored: normal.ignored_counts().to_vec(),
            skipped: reader.skipped,
            diagnostics: normal.diagnostics().kept().to_vec(),
            diagnostic_counts: normal.diagnostics().counts().to_vec(),
            usage: normal.usage_report(),
            result: normal.result(),
            open_calls: normal.open_calls(),
            did_work: normal.did_work(),
            inputs: reader.names.clone(),
        }
    }
}
