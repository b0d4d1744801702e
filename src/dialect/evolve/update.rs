//! The variants of `update`: text, plan, error and accounting here, tools and this crate's own additions beside.

use std::borrow::Cow;

use super::envelope::Envelope;
use super::own::Own;
use super::{string, tool};
use crate::dialect::content::Block;
use crate::dialect::plan::Plan;
use crate::dialect::walk::{Present, elements};
use crate::dialect::{Context, ErrorFact, Fact, FactSink, PartKind, UsageBasis, UsageFact};
use crate::event::{HarnessEvent, Json, PlanStatus, Unknown, Update};
use crate::framing::Severity;
use crate::json::{ObjectWriter, Value};

/// States what one event says. `record` is the whole of it.
pub(super) fn say_update(
    record: Value<'_>,
    envelope: &Envelope<'_>,
    update: Value<'_>,
    own: &mut Own,
    facts: &mut dyn FactSink,
) {
    let [name, content, message] = update.fields(["sessionUpdate", "content", "messageId"]);
    let name = name.and_then(Value::str).unwrap_or_default();
    if envelope.truncated
        && let Some(note) = update.get("note").and_then(Value::str)
    {
        return say_placeholder(&name, &note, envelope, facts);
    }
    let kind = match &*name {
        "agent_message_chunk" => PartKind::Agent,
        "agent_thought_chunk" => PartKind::Thought,
        "user_message_chunk" => PartKind::User,
        "tool_call" => return tool::say_call(update, envelope, own, facts),
        "tool_call_update" => return tool::say_change(update, envelope, facts),
        "plan" => return say_plan(update, envelope, facts),
        "error" => return say_error(update, envelope, facts),
        "usage" => return say_usage(update, envelope, facts),
        "harness_event" => return say_harness_event(update, envelope, facts),
        _ => {
            if !own.say_addition(&name, update, envelope, facts) {
                let unknown = Unknown {
                    type_: Some(&name).filter(|name| !name.is_empty()).map(|name| &**name),
                    raw: record.raw(),
                };
                facts.fact(&envelope.context(), Fact::Tell(Update::Unknown(unknown)));
            }
            return;
        }
    };
    // ACP has the message id in here.
    let message = message.and_then(Value::str);
    let context = envelope.context();
    let context = Context { message: context.message.or(message.as_deref()), ..context };
    say_chunk(kind, content, envelope, &context, facts);
}

fn say_chunk(
    kind: PartKind,
    content: Option<Value<'_>>,
    envelope: &Envelope<'_>,
    context: &Context<'_>,
    facts: &mut dyn FactSink,
) {
    let Some(content) = content.present() else {
        facts.diagnostic("evolve.wrong-type", Severity::Warn, "a chunk without content");
        return facts.fact(context, Fact::Ignored("no-content"));
    };
    if let Some(blocks) = content.array() {
        // One block is the rule; hosts that hand on a list mean its blocks in order.
        let mut empty = true;
        for block in blocks {
            empty = false;
            say_block(kind, block, envelope, context, facts);
        }
        if empty {
            facts.fact(context, Fact::Ignored("no-content"));
        }
        return;
    }
    say_block(kind, content, envelope, context, facts);
}

fn say_block(
    kind: PartKind,
    content: Value<'_>,
    envelope: &Envelope<'_>,
    context: &Context<'_>,
    facts: &mut dyn FactSink,
) {
    let text = match content.str_raw() {
        Some(_) => Some(content),
        None => {
            let [block_type, text] = content.fields(["type", "text"]);
            let is_text = block_type.is_none_or(|word| word.str_raw() == Some("text"));
            text.filter(|text| is_text && text.str_raw().is_some())
        }
    };
    match text.and_then(|text| Some((text.text()?, text.str_raw()?))) {
        Some((text, _)) if text.is_empty() => facts.fact(context, Fact::Ignored("empty-text")),
        Some((text, raw)) => {
            match context.timestamp {
                Some(timestamp) => facts.repeatable(&[raw, timestamp]),
                None => facts.repeatable(&[raw]),
            }
            facts.fact(context, Fact::PartDelta { part: envelope.part(), kind, text });
        }
        None => {
            let block = Block::from_wire(content);
            facts.fact(context, Fact::PartBlock { kind, block: block.content_block() });
        }
    }
}

/// The bridge left nothing of an event but its name.
fn say_placeholder(name: &str, note: &str, envelope: &Envelope<'_>, facts: &mut dyn FactSink) {
    let extra = envelope.extra_with(&[("sessionUpdate", name), ("note", note)]);
    let context = Context { extra: Some(Json(&extra)), ..envelope.context() };
    facts.fact(
        &context,
        Fact::Error(ErrorFact {
            message: "event truncated",
            fatal: false,
            code: None,
            retry_after_ms: None,
            repeats: false,
            echoed: false,
        }),
    );
}

fn say_plan(update: Value<'_>, envelope: &Envelope<'_>, facts: &mut dyn FactSink) {
    let list = update.get("entries");
    let Some(mut plan) = list.and_then(Plan::read) else {
        facts.diagnostic("evolve.wrong-type", Severity::Warn, "a plan without entries");
        return facts.fact(&envelope.context(), Fact::Ignored("no-entries"));
    };
    for _ in 0..plan.drop_textless() {
        facts.diagnostic("evolve.wrong-type", Severity::Warn, "a plan entry without text");
    }
    let words = elements(list).filter_map(|entry| entry.get("status")?.str());
    for _ in words.filter(|word| PlanStatus::from_word(word).is_none()) {
        facts.diagnostic("evolve.unknown-word", Severity::Info, "a plan status that is none of the three");
    }
    facts.fact(&envelope.context(), plan.fact());
}

fn say_error(update: Value<'_>, envelope: &Envelope<'_>, facts: &mut dyn FactSink) {
    let [message, fatal, code, retry] = update.fields(["message", "fatal", "code", "retryAfterMs"]);
    let message = message.and_then(Value::str).filter(|message| !message.is_empty());
    if message.is_none() {
        facts.diagnostic("evolve.wrong-type", Severity::Warn, "an error without a message");
    }
    let code = string(code, facts);
    facts.fact(
        &envelope.context(),
        Fact::Error(ErrorFact {
            message: message.as_deref().unwrap_or(update.raw()),
            fatal: fatal.and_then(Value::bool).unwrap_or(false),
            code: code.as_deref(),
            retry_after_ms: retry.and_then(Value::f64),
            // Our own output names an item twice when its error turned fatal.
            repeats: envelope.item().is_some(),
            echoed: false,
        }),
    );
}

fn say_usage(update: Value<'_>, envelope: &Envelope<'_>, facts: &mut dyn FactSink) {
    let [scope, usage] = update.fields(["scope", "usage"]);
    let basis = match scope.and_then(Value::str_raw) {
        Some("call") => Some(UsageBasis::Call),
        Some("run") => Some(UsageBasis::RunShare),
        _ => None,
    };
    let usage = usage.filter(|usage| usage.object().is_some());
    let (Some(basis), Some(usage)) = (basis, usage) else {
        // Other products print a `usage` of their own: nothing in it can be added up.
        let word = HarnessEvent { type_: "usage", payload: Some(Json(update.raw())) };
        return facts.fact(&envelope.context(), Fact::Tell(Update::HarnessEvent(word)));
    };
    let [prompt, completion, cached, cost, extra] =
        usage.fields(["promptTokens", "completionTokens", "cachedTokens", "costUsd", "extra"]);
    let mut number = |value: Option<Value<'_>>| {
        let value = value.present()?;
        if value.f64().is_none() {
            facts.diagnostic("evolve.wrong-type", Severity::Warn, "a counter is no number");
        }
        value.f64()
    };
    let fact = UsageFact {
        basis,
        prompt: number(prompt),
        completion: number(completion),
        cached: number(cached),
        cost: number(cost),
        cost_is_running_total: false,
        extra: extra.filter(|extra| extra.object().is_some()).map(|extra| Json(extra.raw())),
    };
    facts.fact(&envelope.context(), Fact::Usage(fact));
}

fn say_harness_event(update: Value<'_>, envelope: &Envelope<'_>, facts: &mut dyn FactSink) {
    let [kind, payload] = update.fields(["type", "payload"]);
    let kind = string(kind, facts).unwrap_or(Cow::Borrowed("harness_event"));
    let mut whole = String::new();
    let payload = payload.map(Value::raw).or_else(|| {
        // Without a payload member the other members are the payload.
        let mut writer = ObjectWriter::new(&mut whole);
        for (name, value) in update.object()? {
            if !matches!(&*name, "sessionUpdate" | "type") {
                writer.raw(&name, value.raw());
            }
        }
        let empty = writer.is_empty();
        writer.finish();
        (!empty).then_some(&*whole)
    });
    let word = HarnessEvent { type_: &kind, payload: payload.map(Json) };
    facts.fact(&envelope.context(), Fact::Tell(Update::HarnessEvent(word)));
}
