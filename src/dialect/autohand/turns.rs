//! Sessions, turns, messages and errors.

use super::Autohand;
use super::fields::{self, Event};
use crate::dialect::{
    CallRef, Context, ErrorFact, Fact, FactSink, PartKind, PartRef, RunFact, UsageBasis, UsageFact,
};
use crate::event::{Evidence, Json, RunOutcome, RunPhase, RunScope, SessionInfoUpdate, UsageUpdate};
use crate::json::{ObjectWriter, Text, Value};

impl Autohand {
    pub(super) fn agent_start(&mut self, event: &Event<'_>, facts: &mut dyn FactSink) {
        let line = event.read(["model", "workspace", "contextPercent"]);
        let [model, workspace, left] = line.found;
        if let Some(session) = line.session() {
            self.session = session.to_owned();
        }
        self.announced.clear();
        self.started = false;
        self.message.clear();
        let model = fields::filled(model, "model", facts);
        let workspace = fields::filled(workspace, "workspace", facts);
        let context = Context { model: model.as_deref(), ..line.context(&self.session) };
        facts.fact(&context, Fact::Run(RunFact::of(RunScope::Run, RunPhase::Start)));
        let plain = Context { extra: None, ..context };
        if let Some(cwd) = workspace.as_deref() {
            let info = SessionInfoUpdate { cwd: Some(cwd), ..SessionInfoUpdate::default() };
            facts.fact(&plain, Fact::Tell(info.into()));
        }
        context_left(left, &plain, facts);
    }

    pub(super) fn agent_end(&mut self, event: &Event<'_>, facts: &mut dyn FactSink) {
        let line = event.read(["reason"]);
        let [reason] = line.found;
        let reason = fields::filled(reason, "reason", facts);
        // The process ends well whatever became of its last turn: then it states no outcome of the run.
        let outcome =
            outcome(reason.as_deref()).filter(|outcome| !self.failed || *outcome != RunOutcome::Completed);
        let fact =
            RunFact { outcome, reason: reason.as_deref(), ..RunFact::of(RunScope::Run, RunPhase::End) };
        end(fact, Evidence::Stated, &line.context(&self.session), facts);
    }

    pub(super) fn turn_start(&mut self, event: &Event<'_>, facts: &mut dyn FactSink) {
        let line = event.read([]);
        self.failed = false;
        facts.fact(&line.context(&self.session), Fact::Run(RunFact::of(RunScope::Turn, RunPhase::Start)));
    }

    pub(super) fn turn_end(&mut self, event: &Event<'_>, facts: &mut dyn FactSink) {
        let mut line =
            event.read(["tokensUsed", "tokensUsageStatus", "durationMs", "contextPercent", "reason"]);
        let [tokens, status, duration, left, reason] = line.found;
        let reason = fields::filled(reason, "reason", facts);
        let duration = fields::number(duration, "durationMs", facts);
        let why = if reason.as_deref() == Some("aborted") { "aborted" } else { "denied" };
        let actual = status.and_then(Value::str).as_deref() == Some("actual");
        if !actual {
            line.add_extra(|extra| {
                for (name, value) in [("tokensUsed", tokens), ("tokensUsageStatus", status)] {
                    value.map(|value| extra.raw(name, value.raw()));
                }
            });
        }
        let context = line.context(&self.session);
        let plain = Context { extra: None, ..context };
        for id in std::mem::take(&mut self.announced) {
            facts.fact(&plain, Fact::NotRun { call: CallRef::Id(&id), why: Some(why) });
        }
        self.started = false;
        if actual && fields::number(tokens, "tokensUsed", facts).is_some() {
            running_total(tokens, &plain, facts);
        }
        context_left(left, &plain, facts);
        let (outcome, evidence) = match outcome(reason.as_deref()) {
            Some(RunOutcome::Completed) if self.failed => (Some(RunOutcome::Failed), Evidence::Inferred),
            outcome => (outcome, Evidence::Stated),
        };
        let fact = RunFact {
            outcome,
            reason: reason.as_deref(),
            duration_ms: duration,
            ..RunFact::of(RunScope::Turn, RunPhase::End)
        };
        end(fact, evidence, &context, facts);
    }

    pub(super) fn message_start(&mut self, event: &Event<'_>, facts: &mut dyn FactSink) {
        let line = event.read(["messageId", "role"]);
        let [message, _] = line.found;
        self.message = fields::text(message, "messageId", facts).unwrap_or_default().into_owned();
        facts.fact(&line.context(&self.session), Fact::Ignored("message-start"));
    }

    /// Each delta is a whole text of the model, each thought a whole block; a thought comes before the delta beside it.
    pub(super) fn message_update(&mut self, event: &Event<'_>, facts: &mut dyn FactSink) {
        let line = event.read(["messageId", "delta", "thought"]);
        let [message, delta, thought] = line.found;
        let message = fields::filled(message, "messageId", facts);
        let message =
            message.as_deref().or(Some(self.message.as_str())).filter(|message| !message.is_empty());
        let context = Context { message, ..line.context(&self.session) };
        let thought = piece(thought, "thought", facts);
        let delta = piece(delta, "delta", facts);
        if thought.is_none() && delta.is_none() {
            facts.fact(&context, Fact::Ignored("empty-delta"));
        }
        if let Some(text) = thought {
            facts.fact(&context, Fact::PartWhole { part: PartRef::New, kind: PartKind::Thought, text });
        }
        if let Some(text) = delta {
            facts.fact(&context, Fact::PartDelta { part: PartRef::Run, kind: PartKind::Agent, text });
        }
    }

    /// `content` is the last text of the turn told again.
    pub(super) fn message_end(&mut self, event: &Event<'_>, facts: &mut dyn FactSink) {
        let line = event.read(["messageId", "content", "aborted"]);
        let [message, content, aborted] = line.found;
        let message = fields::filled(message, "messageId", facts);
        let message =
            message.as_deref().or(Some(self.message.as_str())).filter(|message| !message.is_empty());
        let context = Context { message, ..line.context(&self.session) };
        if let Some(text) = piece(content, "content", facts) {
            facts.fact(&context, Fact::Answer { text });
        }
        let aborted = fields::flag(aborted, "aborted", facts).unwrap_or(false);
        facts.fact(&context, Fact::MessageEnd { stop_reason: None, aborted });
        // A late piece of an older turn names its own message; one that names none belongs to no closed message.
        let closed = message == Some(self.message.as_str());
        if closed {
            self.message.clear();
        }
    }

    /// `fatal`: what holds when the record does not say whether the run can go on.
    pub(super) fn error(&mut self, event: &Event<'_>, fatal: bool, facts: &mut dyn FactSink) {
        let line = event.read(["code", "message", "recoverable", "error"]);
        let [code, message, recoverable, error] = line.found;
        let message = fields::filled(message.or(error), "message", facts);
        let code = code.map(|code| code.str().unwrap_or(code.raw().into()));
        let recoverable = fields::flag(recoverable, "recoverable", facts);
        let fatal = recoverable.map_or(fatal, |recoverable| !recoverable);
        self.failed |= fatal;
        let error = ErrorFact {
            message: message.as_deref().unwrap_or("The agent reported an error without a text."),
            fatal,
            code: code.as_deref(),
            retry_after_ms: None,
            repeats: true,
            echoed: true,
        };
        facts.fact(&line.context(&self.session), Fact::Error(error));
    }
}

/// A text that is there and not empty; halves of surrogate pairs stay apart.
pub(super) fn piece<'a>(value: Option<Value<'a>>, name: &str, facts: &mut dyn FactSink) -> Option<Text<'a>> {
    let text = value?.text();
    if text.is_none() {
        fields::wrong_type(name, "a string", facts);
    }
    text.filter(|text| !text.is_empty())
}

fn outcome(reason: Option<&str>) -> Option<RunOutcome> {
    match reason? {
        "completed" | "stop_condition" => Some(RunOutcome::Completed),
        "aborted" => Some(RunOutcome::Cancelled),
        "error" => Some(RunOutcome::Failed),
        _ => None,
    }
}

fn end(fact: RunFact<'_>, evidence: Evidence, context: &Context<'_>, facts: &mut dyn FactSink) {
    facts.fact(context, Fact::Run(RunFact { evidence: fact.outcome.map(|_| evidence), ..fact }));
}

/// The wire counts tokens as one total of prompts and answers, over the whole session.
fn running_total(tokens: Option<Value<'_>>, context: &Context<'_>, facts: &mut dyn FactSink) {
    let Some(tokens) = tokens else { return };
    let mut counters = String::new();
    let mut object = ObjectWriter::new(&mut counters);
    object.raw("tokensUsed", tokens.raw());
    object.finish();
    facts.fact(
        context,
        Fact::Usage(UsageFact {
            basis: UsageBasis::RunningTotal,
            prompt: None,
            completion: None,
            cached: None,
            cost: None,
            cost_is_running_total: false,
            extra: Some(Json(&counters)),
        }),
    );
}

/// `contextPercent` is what is left of the window, in percent.
fn context_left(left: Option<Value<'_>>, context: &Context<'_>, facts: &mut dyn FactSink) {
    let Some(left) = fields::number(left, "contextPercent", facts) else { return };
    // Whole percents first: 1 - 97/100 would leave the noise of binary fractions.
    let update = UsageUpdate { used_ratio: Some((100.0 - left) / 100.0), ..UsageUpdate::default() };
    facts.fact(context, Fact::Tell(update.into()));
}
