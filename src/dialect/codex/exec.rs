//! The lines of `codex exec --json`: threads, turns, errors and the envelope of items.
//!
//! Item ids count from 0 in every process, so `thread.started` begins a new epoch even when the thread is the same one
//! resumed. No line after it repeats the thread id: it is remembered here, and it is the only thing remembered.

use std::borrow::Cow;

use super::item::{Keys, Phase, say_item};
use super::msg::ended;
use super::read::say_delta;
use super::usage::read_with_extra;
use crate::dialect::{Context, ErrorFact, Fact, FactSink, PartKind, PartRef, RunFact, UsageBasis};
use crate::event::{HarnessEvent, Json, RunOutcome, RunPhase, RunScope, Update};
use crate::framing::Severity;
use crate::json::Value;

/// Reads the lines of one stream.
#[derive(Default)]
pub(super) struct Exec {
    session: Option<String>,
}

impl Exec {
    /// The thread id told last.
    pub(super) fn session(&self) -> Option<&str> {
        self.session.as_deref()
    }

    /// States what one line says. `false`: not a line of this protocol, nothing was stated.
    pub(super) fn record(&mut self, value: Value<'_>, facts: &mut dyn FactSink) -> bool {
        let [kind, item, usage, error, message, thread, session, timestamp, item_id, delta] = value.fields([
            "type",
            "item",
            "usage",
            "error",
            "message",
            "thread_id",
            "session_id",
            "timestamp",
            "item_id",
            "delta",
        ]);
        let Some(kind) = kind.and_then(Value::str) else { return false };
        let timestamp = timestamp.and_then(Value::str);
        let phase = match &*kind {
            "item.started" => Phase::Started,
            "item.updated" => Phase::Updated,
            "item.completed" => Phase::Completed,
            "thread.started" => {
                let context = self.start(thread, timestamp.as_ref(), facts);
                facts.fact(&context, Fact::Run(RunFact::of(RunScope::Run, RunPhase::Start)));
                return true;
            }
            // The earliest variant never tells an end, so it gets no beginning either: a run would look cut.
            "session.created" => {
                self.start(session, timestamp.as_ref(), facts);
                return true;
            }
            other => {
                let context = Context { session: self.session(), ..Context::default() };
                return match other {
                    "turn.started" => {
                        facts.fact(&context, Fact::Run(RunFact::of(RunScope::Turn, RunPhase::Start)));
                        true
                    }
                    "turn.completed" => turn_completed(usage, &context, facts),
                    "turn.failed" => turn_failed(error, value, &context, facts),
                    "error" => {
                        say_error(message, value, false, &context, facts);
                        true
                    }
                    "item.plan.delta" => {
                        let id = item_id.and_then(Value::str);
                        let part = id.as_deref().map_or(PartRef::Run, PartRef::Id);
                        say_delta(delta, part, PartKind::Agent, &context, facts);
                        true
                    }
                    "request_user_input" => {
                        let word = HarnessEvent { type_: other, payload: Some(Json(value.raw())) };
                        facts.fact(&context, Fact::Tell(Update::HarnessEvent(word)));
                        true
                    }
                    _ => false,
                };
            }
        };
        let Some(item) = item else {
            facts.diagnostic("codex.wrong-type", Severity::Warn, "an item line without an item");
            return false;
        };
        let context = Context { session: self.session(), ..Context::default() };
        say_item(Keys::Part, phase, item, &context, facts);
        true
    }

    /// A process begins: its ids are new. Returns the context of its first line.
    fn start<'c>(
        &'c mut self,
        id: Option<Value<'_>>,
        timestamp: Option<&'c Cow<'_, str>>,
        facts: &mut dyn FactSink,
    ) -> Context<'c> {
        self.session = id.and_then(Value::str).filter(|id| !id.is_empty()).map(Cow::into_owned);
        if self.session.is_none() {
            facts.diagnostic("codex.wrong-type", Severity::Warn, "a thread started without an id");
        }
        let context = Context {
            session: self.session(),
            timestamp: timestamp.map(|time| &**time),
            ..Context::default()
        };
        facts.fact(&context, Fact::IdsRestart);
        context
    }
}

fn turn_completed(usage: Option<Value<'_>>, context: &Context<'_>, facts: &mut dyn FactSink) -> bool {
    match usage {
        Some(usage) if usage.object().is_some() => say_usage(usage, context, facts),
        Some(usage) if !usage.is_null() => {
            facts.diagnostic("codex.wrong-type", Severity::Warn, "the usage of a turn is no object");
        }
        _ => {}
    }
    facts.fact(context, Fact::Run(ended(RunOutcome::Completed)));
    true
}

/// The numbers are totals of the thread since its first run, also across `resume`.
fn say_usage(usage: Value<'_>, context: &Context<'_>, facts: &mut dyn FactSink) {
    let mut extra = String::new();
    let fact = read_with_extra(usage, UsageBasis::RunningTotal, &mut extra, facts);
    facts.fact(context, Fact::Usage(fact));
}

fn turn_failed(
    error: Option<Value<'_>>,
    record: Value<'_>,
    context: &Context<'_>,
    facts: &mut dyn FactSink,
) -> bool {
    let message =
        error.and_then(|error| if error.object().is_some() { error.get("message") } else { Some(error) });
    say_error(message, error.unwrap_or(record), true, context, facts);
    facts.fact(context, Fact::Run(ended(RunOutcome::Failed)));
    true
}

/// One error. The same text is printed up to three times: as an item, as an `error` line and in `turn.failed`.
pub(super) fn say_error(
    message: Option<Value<'_>>,
    whole: Value<'_>,
    fatal: bool,
    context: &Context<'_>,
    facts: &mut dyn FactSink,
) {
    let message = message.and_then(Value::str).filter(|message| !message.is_empty());
    if message.is_none() {
        facts.diagnostic("codex.wrong-type", Severity::Warn, "an error without a message");
    }
    let message = message.unwrap_or(Cow::Borrowed(whole.raw()));
    facts.fact(
        context,
        Fact::Error(ErrorFact {
            message: &message,
            fatal,
            code: None,
            retry_after_ms: None,
            repeats: true,
            echoed: false,
        }),
    );
}
