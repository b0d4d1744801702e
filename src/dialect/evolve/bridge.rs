//! Frames of the Python bridge that are not content: raw output of the harness in pieces, and answers to calls.
//!
//! A host may ask for raw stdout, for content events, or for both; with both the same output is told twice. The first
//! runs of stdout therefore wait until a content event shows that they are twins, or until it is clear that none comes.

use super::string;
use crate::dialect::nested::Nested;
use crate::dialect::walk::Present;
use crate::dialect::{Context, ErrorFact, Fact, FactSink};
use crate::event::{HarnessEvent, Json, Notice, OutputStream, Severity as NoticeSeverity, Update};
use crate::framing::{Severity, Source};
use crate::json::Value;

/// Longest run of pieces that is joined; a longer one is handed on in parts. The bridge cuts at 200 KiB.
const MAX_JOINED_BYTES: usize = 8 << 20;

/// Runs of stdout that wait for a content event.
const MAX_HELD_RUNS: u8 = 3;

/// What waits.
#[derive(Default)]
pub(super) struct Bridge {
    seen: bool,
    stdout: Pieces,
    stderr: Pieces,
    raw: RawOutput,
}

/// Pieces of one run of output.
#[derive(Default)]
struct Pieces {
    text: String,
    open: bool,
}

/// What becomes of stdout.
enum RawOutput {
    /// Not sure yet: runs so far, and their text.
    Held(u8, String),
    /// It is all we have.
    Used,
    /// Content events tell the same.
    Twin,
}

impl Default for RawOutput {
    fn default() -> Self {
        RawOutput::Held(0, String::new())
    }
}

impl Pieces {
    /// Takes one piece. Returns the text that is whole now: first a run that never ended, then this one.
    fn take(&mut self, frame: Value<'_>, facts: &mut dyn FactSink) -> [Option<String>; 2] {
        let [data, seq, done] = frame.fields(["data", "seq", "done"]);
        let Some(data) = string(data, facts) else {
            facts.diagnostic("evolve.wrong-type", Severity::Warn, "a piece of output without data");
            return [None, None];
        };
        let mut unfinished = None;
        if self.open && seq.and_then(Value::u64).is_none_or(|seq| seq == 0) {
            facts.diagnostic(
                "evolve.pieces-lost",
                Severity::Warn,
                "a run of output begins before the last one ended",
            );
            unfinished = Some(std::mem::take(&mut self.text));
        }
        self.text.push_str(&data);
        self.open = !done.and_then(Value::bool).unwrap_or(seq.is_none());
        let whole = !self.open || self.text.len() > MAX_JOINED_BYTES;
        [unfinished, whole.then(|| std::mem::take(&mut self.text))]
    }

    /// What an unfinished run left.
    fn rest(&mut self) -> Option<String> {
        self.open = false;
        Some(std::mem::take(&mut self.text)).filter(|text| !text.is_empty())
    }
}

impl Bridge {
    /// A frame of the bridge was seen.
    pub fn came(&mut self) {
        self.seen = true;
    }

    /// Whether a frame of the bridge was seen.
    pub fn was_seen(&self) -> bool {
        self.seen
    }

    /// A content event came: raw output says the same.
    pub fn content_came(&mut self, harness: &mut Nested) {
        if !matches!(self.raw, RawOutput::Twin) {
            self.raw = RawOutput::Twin;
            self.stdout = Pieces::default();
            harness.discard_bytes();
        }
    }

    /// A piece of the harness's stdout.
    pub fn stdout(
        &mut self,
        frame: Value<'_>,
        harness: &mut Nested,
        source: Source,
        facts: &mut dyn FactSink,
    ) {
        if matches!(self.raw, RawOutput::Twin) {
            return facts.fact(&Context::default(), Fact::Ignored("told-as-content"));
        }
        let mut found = false;
        for text in self.stdout.take(frame, facts).into_iter().flatten() {
            found |= self.use_stdout(text, harness, source, facts);
        }
        if !found {
            facts.fact(&Context::default(), Fact::Ignored("output-piece"));
        }
    }

    fn use_stdout(
        &mut self,
        text: String,
        harness: &mut Nested,
        source: Source,
        facts: &mut dyn FactSink,
    ) -> bool {
        match &mut self.raw {
            RawOutput::Twin => false,
            RawOutput::Used => harness.bytes(text.as_bytes(), source, facts),
            RawOutput::Held(runs, held) => {
                *runs += 1;
                held.push_str(&text);
                if *runs <= MAX_HELD_RUNS && held.len() <= MAX_JOINED_BYTES {
                    return false;
                }
                let held = std::mem::take(held);
                self.raw = RawOutput::Used;
                harness.bytes(held.as_bytes(), source, facts)
            }
        }
    }

    /// A piece of the harness's stderr.
    pub fn stderr(&mut self, frame: Value<'_>, facts: &mut dyn FactSink) {
        let mut said = false;
        for text in self.stderr.take(frame, facts).into_iter().flatten() {
            said |= say_stderr(&text, facts);
        }
        if !said {
            facts.fact(&Context::default(), Fact::Ignored("output-piece"));
        }
    }

    /// The stream is over: what waits is handed on.
    pub fn end(&mut self, harness: &mut Nested, source: Source, facts: &mut dyn FactSink) {
        let rest = self.stdout.rest();
        if let RawOutput::Held(_, held) = &mut self.raw {
            let held = std::mem::take(held);
            self.raw = RawOutput::Used;
            harness.bytes(held.as_bytes(), source, facts);
        }
        if let Some(rest) = rest {
            harness.bytes(rest.as_bytes(), source, facts);
        }
        if let Some(rest) = self.stderr.rest() {
            say_stderr(&rest, facts);
        }
    }
}

fn say_stderr(text: &str, facts: &mut dyn FactSink) -> bool {
    let text = text.trim_end_matches(['\r', '\n']);
    if text.is_empty() {
        return false;
    }
    let notice = Notice { severity: NoticeSeverity::Info, text, stream: Some(OutputStream::Stderr) };
    facts.fact(&Context::default(), Fact::Tell(Update::Notice(notice)));
    true
}

/// A frame of a channel that is not read (file watches), or of none.
pub(super) fn say_other(kind: &str, frame: Value<'_>, facts: &mut dyn FactSink) {
    if matches!(kind, "" | "content") {
        facts.diagnostic(
            "evolve.wrong-type",
            Severity::Warn,
            "a bridge event without a channel or an update",
        );
    }
    let type_ = if kind.is_empty() { "event" } else { kind };
    let word = HarnessEvent { type_, payload: Some(Json(frame.raw())) };
    facts.fact(&Context::default(), Fact::Tell(Update::HarnessEvent(word)));
}

/// The bridge's answer to a call of the host. A failed one is an error of the host's call, not of a run.
pub(super) fn say_response(value: Value<'_>, facts: &mut dyn FactSink) {
    let error = value.get("error").present();
    let Some(error) = error else {
        return facts.fact(&Context::default(), Fact::Ignored("rpc-response"));
    };
    let [message, code] = error.fields(["message", "code"]);
    let message = message.and_then(Value::str);
    facts.fact(
        &Context::default(),
        Fact::Error(ErrorFact {
            message: message.as_deref().unwrap_or(error.raw()),
            fatal: false,
            code: code.map(Value::raw),
            retry_after_ms: None,
            repeats: false,
            echoed: false,
        }),
    );
}
