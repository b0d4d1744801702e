//! What the readers of coding harnesses share: their own words around facts, errors, the start and end of what runs.
//!
//! Knows facts and the tables of tools; no wire format.

pub(super) mod ask;

use super::plan::Plan;
use super::tools::Presentation;
use super::{CallRef, Context, ErrorFact, Fact, FactSink, RunFact, UsageBasis, UsageFact};
use crate::event::{
    Evidence, HarnessEvent, Json, Notice, RunOutcome, RunPhase, RunScope, Severity as NoticeSeverity,
    ToolStatus, Unknown, Update,
};
use crate::framing::Severity;
use crate::json::Value;
use std::borrow::Cow;

/// Hands facts on and notes whether anything was said but the record's identity.
pub(super) struct Heard<'s> {
    facts: &'s mut dyn FactSink,
    spoken: bool,
}

impl<'s> Heard<'s> {
    pub fn new(facts: &'s mut dyn FactSink) -> Self {
        Heard { facts, spoken: false }
    }

    /// A record that said nothing is counted.
    pub fn finish(self) {
        if !self.spoken {
            self.facts.fact(&Context::default(), Fact::Ignored("nothing-to-show"));
        }
    }
}

impl FactSink for Heard<'_> {
    fn fact(&mut self, context: &Context<'_>, fact: Fact<'_>) {
        self.spoken |= !matches!(fact, Fact::RecordId(_) | Fact::IdsRestart);
        self.facts.fact(context, fact);
    }

    fn diagnostic(&mut self, code: &'static str, severity: Severity, message: &str) {
        self.facts.diagnostic(code, severity, message);
    }

    fn repeatable(&mut self, free: &[&str]) {
        self.facts.repeatable(free);
    }
}

/// A string with characters.
pub(super) fn filled(value: Option<Value<'_>>) -> Option<Cow<'_, str>> {
    value?.str().filter(|text| !text.is_empty())
}

/// The string member of that name, if it has characters.
pub(super) fn text_at<'a>(value: Value<'a>, name: &str) -> Option<Cow<'a, str>> {
    filled(value.get(name))
}

/// The number member of that name.
pub(super) fn number_at(value: Value<'_>, name: &str) -> Option<f64> {
    value.get(name)?.f64()
}

/// The JSON text that a string holds, where it is an object; arguments of calls often come as such a string.
pub(super) fn object_inside<'a>(text: &'a str) -> Option<Value<'a>> {
    Value::parse(text).ok().filter(|value| value.object().is_some())
}

/// Remarks a member of another type than its format has.
pub(super) fn wrong_type(code: &'static str, field: &str, facts: &mut dyn FactSink) {
    let mut message = String::from("`");
    message.push_str(field);
    message.push_str("` is of another type than the format has");
    facts.diagnostic(code, Severity::Warn, &message);
}

/// A word of a known format that is not interpreted.
pub(super) fn word(type_: &str, value: Value<'_>, context: &Context<'_>, facts: &mut dyn FactSink) {
    let event = HarnessEvent { type_, payload: Some(Json(value.raw())) };
    facts.fact(context, Fact::Tell(Update::HarnessEvent(event)));
}

/// A record nothing fits.
pub(super) fn unknown(
    type_: Option<&str>,
    value: Value<'_>,
    context: &Context<'_>,
    facts: &mut dyn FactSink,
) {
    facts.fact(context, Fact::Tell(Update::Unknown(Unknown { type_, raw: value.raw() })));
}

/// A sentence for the reader.
pub(super) fn notice(severity: NoticeSeverity, text: &str, context: &Context<'_>, facts: &mut dyn FactSink) {
    facts.fact(context, Fact::Tell(Update::Notice(Notice { severity, text, stream: None })));
}

/// An error that may be told again.
pub(super) fn error<'a>(message: &'a str, fatal: bool, code: Option<&'a str>) -> Fact<'a> {
    Fact::Error(ErrorFact { message, fatal, code, retry_after_ms: None, repeats: true, echoed: false })
}

/// The start of something that runs.
pub(super) fn start(scope: RunScope) -> Fact<'static> {
    Fact::Run(RunFact::of(scope, RunPhase::Start))
}

/// Its end.
pub(super) fn end<'a>(
    scope: RunScope,
    outcome: RunOutcome,
    evidence: Evidence,
    reason: Option<&'a str>,
) -> Fact<'a> {
    let run = RunFact::of(scope, RunPhase::End);
    Fact::Run(RunFact { outcome: Some(outcome), evidence: Some(evidence), reason, ..run })
}

/// Tokens of one model call.
pub(super) fn call_usage<'a>(
    prompt: Option<f64>,
    completion: Option<f64>,
    cached: Option<f64>,
    cost: Option<f64>,
    extra: Option<&'a str>,
) -> Fact<'a> {
    Fact::Usage(UsageFact {
        basis: UsageBasis::Call,
        prompt,
        completion,
        cached,
        cost,
        cost_is_running_total: false,
        extra: extra.map(Json),
    })
}

/// A call as its table shows it.
pub(super) fn seen<'a>(
    call: CallRef<'a>,
    name: Option<&'a str>,
    shown: &'a Presentation<'_>,
    input: Option<&'a str>,
    status: Option<ToolStatus>,
) -> Fact<'a> {
    Fact::ToolSeen(shown.seen(call, name, input, status))
}

/// A todo list. Entries without text are passed over, those that were called off too.
pub(super) fn plan(list: Option<Value<'_>>, context: &Context<'_>, facts: &mut dyn FactSink) {
    if let Some(mut plan) = list.and_then(Plan::read) {
        plan.drop_void();
        facts.fact(context, plan.fact());
    }
}
