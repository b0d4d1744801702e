//! `opencode run --format json`: each part once, when it has ended.
//!
//! Nothing states how a run ended, so the end of the stream concludes it: from the last step's reason, or from a step
//! that was never finished.

use super::WRONG_TYPE;
use super::failure::{self, Meaning};
use super::part::{Part, Parts, step_finish, step_start};
use crate::dialect::clock::iso;
use crate::dialect::harness::{end, filled, start, unknown, wrong_type};
use crate::dialect::{Context, Fact, FactSink, PartRef};
use crate::event::{Evidence, Json, RunOutcome, RunScope};
use crate::json::{ObjectWriter, Value};

/// Reads the lines of one run.
#[derive(Default)]
pub(super) struct Run {
    parts: Parts,
    running: bool,
    step_is_open: bool,
    /// Why the last step ended.
    reason: Option<String>,
    session: Option<String>,
    /// An error came; those behind it are about the same.
    failed: bool,
    /// An error that could be tried again, and nothing since.
    failure: Option<String>,
}

impl Run {
    pub fn line(&mut self, kind: &str, value: Value<'_>, facts: &mut dyn FactSink) {
        let [time, session, part, failure] =
            value.present_fields(["timestamp", "sessionID", "part", "error"]);
        let time = time.and_then(Value::f64).and_then(iso);
        let session = filled(session);
        let part = part.map(Part::read);
        let context = Context {
            session: session.as_deref(),
            message: part.as_ref().and_then(|part| part.message.as_deref()),
            timestamp: time.as_deref(),
            ..Context::default()
        };
        if !super::detect::LINES.contains(&kind) {
            // It may be a line of another program in the same log: no run begins with it.
            return unknown(Some(kind).filter(|kind| !kind.is_empty()), value, &context, facts);
        }
        if self.session.as_deref() != session.as_deref() {
            self.session = session.as_deref().map(str::to_owned);
        }
        if !std::mem::replace(&mut self.running, true) {
            facts.fact(&Context { message: None, ..context }, start(RunScope::Run));
        }
        match (kind, &part) {
            ("text" | "reasoning", Some(part)) => self.text(part, &context, facts),
            ("tool_use", Some(part)) => {
                self.failure = None;
                self.parts.call(part, true, &context, facts);
            }
            ("step_start", Some(_)) => {
                (self.step_is_open, self.reason, self.failure) = (true, None, None);
                step_start(&context, facts);
            }
            ("step_finish", Some(part)) => {
                self.step_is_open = false;
                self.reason = part.reason().map(str::to_owned);
                step_finish(part, &context, facts);
            }
            ("error", _) => self.error(failure.unwrap_or(value), &context, facts),
            ("done", _) => self.done(value, &context, facts),
            _ => {
                wrong_type(WRONG_TYPE, "part", facts);
                unknown(Some(kind), value, &context, facts);
            }
        }
    }

    fn text(&mut self, part: &Part<'_>, context: &Context<'_>, facts: &mut dyn FactSink) {
        self.failure = None;
        if part.text.is_none_or(|text| text.str_raw().is_none()) {
            wrong_type(WRONG_TYPE, "part.text", facts);
        }
        let text = part.text.and_then(Value::text).filter(|text| !text.is_empty());
        let (Some(kind), Some(text)) = (part.text_kind(), text) else {
            return facts.fact(context, Fact::Ignored("empty-text"));
        };
        let (known, _) = self.parts.enter(&part.id, Some(kind));
        let context = Context { timestamp: part.start.as_deref().or(context.timestamp), ..*context };
        facts.fact(&context, Fact::PartWhole { part: PartRef::Index(known.number), kind, text });
    }

    /// One failure may be told twice: in its own words, then in general ones.
    fn error(&mut self, failure: Value<'_>, context: &Context<'_>, facts: &mut dyn FactSink) {
        let meaning = failure::meaning(failure);
        let fatal = meaning == Meaning::Failed && !self.failed;
        self.failed |= meaning == Meaning::Failed;
        failure::say(failure, fatal, context, facts);
        match meaning {
            Meaning::Retryable => self.failure = Some(failure.raw().to_owned()),
            Meaning::Aborted => {
                (self.running, self.step_is_open) = (false, false);
                let fact = end(RunScope::Run, RunOutcome::Cancelled, Evidence::Stated, None);
                facts.fact(context, fact);
            }
            Meaning::Failed => {}
        }
    }

    fn done(&mut self, value: Value<'_>, context: &Context<'_>, facts: &mut dyn FactSink) {
        let [reason, rejected] = value.present_fields(["reason", "rejected"]);
        let reason = filled(reason);
        let mut extra = String::new();
        if let Some(rejected) = rejected.filter(|rejected| rejected.raw() != "[]") {
            ObjectWriter::new(&mut extra).raw("rejected", rejected.raw()).finish();
        }
        let context = &Context { extra: (!extra.is_empty()).then_some(Json(&extra)), ..*context };
        let outcome = if self.failed { RunOutcome::Failed } else { RunOutcome::Completed };
        self.running = false;
        facts.fact(context, end(RunScope::Run, outcome, Evidence::Stated, reason.as_deref()));
    }

    /// What is not concluded here was cut: a step without its end, calls without the answer to them.
    pub fn end(&mut self, facts: &mut dyn FactSink) {
        if !self.running {
            return;
        }
        let session = self.session.take();
        let context = Context { session: session.as_deref(), ..Context::default() };
        if let Some(failure) = self.failure.take().as_deref().and_then(|raw| Value::parse(raw).ok()) {
            return failure::say(failure, true, &context, facts);
        }
        let outcome = match self.reason.as_deref() {
            _ if self.step_is_open || self.failed => return,
            None | Some("tool-calls") => return,
            Some("error" | "unknown") => RunOutcome::Failed,
            Some(_) => RunOutcome::Completed,
        };
        let fact = end(RunScope::Run, outcome, Evidence::Inferred, self.reason.as_deref());
        facts.fact(&context, fact);
    }
}
