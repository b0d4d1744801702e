//! Cline: the lines of `cline --json`, and the older task lines (`say.rs`).
//!
//! Errors go to another stream: what is read here may simply stop. Remembers the session, the agents that were
//! announced, and how many texts of each agent are over, which is the only identity its pieces have.

mod event;
mod say;

use super::speaker::Speaker;
use super::told::{Counter, members_but};
use super::{Dialect, DialectRow, Fact, FactSink, RunFact, Sign, UsageBasis, Verdict};
use crate::dialect::walk::Present;
use crate::event::{CurrentModeUpdate, Evidence, RunOutcome, RunPhase, RunScope};
use crate::framing::{Container, Record};
use crate::json::Value;

/// The table row.
pub const ROW: DialectRow =
    DialectRow { name: "cline", detect, make: |_| Box::new(Cline::default()), reply: None };

/// The types of `cline --json`.
const TYPES: &[&str] = &[
    "agent_event",
    "run_start",
    "run_result",
    "hook_event",
    "run_aborted",
    "run_abort_requested",
    "team_event",
    "team_restored",
    "zen_dispatched",
];

const COUNTERS: &[(&str, Counter)] = &[
    ("type", Counter::None),
    ("agentId", Counter::None),
    ("parentAgentId", Counter::None),
    ("inputTokens", Counter::Prompt),
    ("outputTokens", Counter::Completion),
    ("cacheReadTokens", Counter::Cached),
    ("cost", Counter::Cost),
    ("totalCost", Counter::Cost),
];

/// The same for the usage of one call, beside which running sums stand.
const CALL_COUNTERS: &[(&str, Counter)] = COUNTERS.split_at(COUNTERS.len() - 1).0;

fn detect(_record: &Record<'_>, value: Value<'_>, _container: Container) -> Verdict {
    let [time, kind, say, ask] = value.fields(["ts", "type", "say", "ask"]);
    let (time, kind) = (time?, kind.and_then(Value::str)?);
    let is_word = |field: Option<Value<'_>>| field.is_some_and(|field| field.str_raw().is_some());
    if time.f64().is_some() {
        let says = (kind == "say" && is_word(say)) || (kind == "ask" && is_word(ask));
        return says.then_some((Sign::Certain, "a task line: say or ask at a millisecond"));
    }
    time.str_raw()?;
    match &*kind {
        kind if TYPES.contains(&kind) => Some((Sign::Certain, "a type of Cline's beside ts")),
        "error" => Some((Sign::Weak, "an error line beside ts")),
        _ => None,
    }
}

/// The reader.
#[derive(Default)]
struct Cline {
    session: Option<String>,
    /// Per agent: its id, and how many of its texts and thoughts are over.
    agents: Vec<Agent>,
    /// An error that ends the run was told.
    failed: bool,
}

#[derive(Default)]
struct Agent {
    id: Option<String>,
    texts: u32,
    thoughts: u32,
}

impl Dialect for Cline {
    fn record(&mut self, _record: &Record<'_>, value: Value<'_>, facts: &mut dyn FactSink) {
        let mut spoken = false;
        let mut voice = Speaker::new("cline.wrong-type", facts, &mut spoken);
        let [time, kind, event, session] = value.fields(["ts", "type", "event", "sessionId"]);
        let kind = voice.filled(kind, "type");
        if time.is_some_and(|time| time.f64().is_some()) && matches!(kind.as_deref(), Some("say" | "ask")) {
            return say::tell(value, &mut voice);
        }
        let timestamp = voice.filled(time, "ts");
        if kind.as_deref() == Some("run_start") {
            self.session = voice.filled(session, "sessionId").map(std::borrow::Cow::into_owned);
        }
        let session = self.session.take();
        let mut voice = voice.narrowed();
        voice.context.session = session.as_deref();
        voice.context.timestamp = timestamp.as_deref();
        match (kind.as_deref(), event) {
            (Some("agent_event"), Some(event)) => self.event(value, event, &mut voice),
            (kind, _) => self.line(kind, value, &mut voice),
        }
        self.session = session;
    }
}

impl Cline {
    fn line(&mut self, kind: Option<&str>, value: Value<'_>, voice: &mut Speaker<'_, '_>) {
        let [message, reason] = value.fields(["message", "reason"]);
        match kind {
            Some("run_start") => {
                self.failed = false;
                say_start(value, voice);
            }
            Some("run_result") => self.result(value, voice),
            Some("run_aborted") => {
                let reason = reason.and_then(Value::str).or_else(|| message?.str());
                voice.say(Fact::Run(RunFact {
                    outcome: Some(RunOutcome::Cancelled),
                    reason: reason.as_deref(),
                    evidence: Some(Evidence::Stated),
                    ..RunFact::of(RunScope::Run, RunPhase::End)
                }));
            }
            // Printed on the other stream; a log may hold both.
            Some("error") => {
                self.failed = true;
                let words = voice.filled(message, "message");
                voice.told_error(words.as_deref().unwrap_or(value.raw()), true, None, None);
            }
            Some("hook_event") => voice.say(Fact::Ignored("hook-repeats-a-call")),
            Some(kind) if TYPES.contains(&kind) => voice.harness_event(kind, value),
            kind => voice.unknown(kind, value),
        }
    }

    /// The last line. Its text was printed before.
    fn result(&mut self, value: Value<'_>, voice: &mut Speaker<'_, '_>) {
        let [reason, usage, text, duration, model] =
            value.fields(["finishReason", "usage", "text", "durationMs", "model"]);
        let reason = voice.filled(reason, "finishReason");
        let model = model.and_then(|model| model.get("id").unwrap_or(model).str());
        let extra =
            members_but(value, &["ts", "type", "finishReason", "usage", "text", "durationMs", "model"]);
        let mut voice = voice.narrowed();
        voice.context.model = model.as_deref();
        if let Some(usage) = usage.present() {
            voice.counters(usage, UsageBasis::RunShare, COUNTERS);
        }
        if let Some(text) = text.and_then(Value::text).filter(|text| !text.is_empty()) {
            voice.say(Fact::Answer { text });
        }
        let stated = outcome_of(reason.as_deref());
        let told_error = std::mem::take(&mut self.failed) && stated == Some(RunOutcome::Completed);
        let run = RunFact {
            outcome: if told_error { Some(RunOutcome::Failed) } else { stated },
            reason: reason.as_deref(),
            duration_ms: duration.and_then(Value::f64),
            evidence: stated.map(|_| if told_error { Evidence::Inferred } else { Evidence::Stated }),
            ..RunFact::of(RunScope::Run, RunPhase::End)
        };
        voice.say_extra(extra.as_deref(), Fact::Run(run));
    }
}

fn say_start(value: Value<'_>, voice: &mut Speaker<'_, '_>) {
    let [model, mode] = value.fields(["modelId", "mode"]);
    let (model, mode) = (voice.filled(model, "modelId"), voice.filled(mode, "mode"));
    let meta = members_but(value, &["ts", "type", "sessionId"]);
    let mut voice = voice.narrowed();
    voice.context.model = model.as_deref();
    voice.say(Fact::Run(RunFact::of(RunScope::Run, RunPhase::Start)));
    voice.session(None, meta.as_deref());
    if let Some(mode) = &mode {
        voice.say(Fact::Tell(CurrentModeUpdate { current_mode_id: mode }.into()));
    }
}

/// How a run or an agent ended, by the wire's word. A word that is not known tells nothing of it.
fn outcome_of(reason: Option<&str>) -> Option<RunOutcome> {
    match reason? {
        "completed" | "success" => Some(RunOutcome::Completed),
        "aborted" | "cancelled" | "canceled" => Some(RunOutcome::Cancelled),
        "error" | "failed" | "max_iterations" | "mistake_limit" => Some(RunOutcome::Failed),
        _ => None,
    }
}
