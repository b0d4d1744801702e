//! Permissions and questions, in the words of all versions of both buses.

use std::borrow::Cow;

use crate::dialect::harness::ask::{Answer, Approval, answered, questions};
use crate::dialect::harness::filled;
use crate::dialect::walk::elements;
use crate::dialect::{Answered, AskRef, Context, Fact, FactSink};
use crate::event::{InterruptOutcome, Json, LinkSource, OptionKind, OptionScope};
use crate::json::{Value, write_string};

const ANSWERS: &[Answer] = &[
    ("once", "Allow once", OptionKind::AllowOnce, OptionScope::Once),
    ("reject", "Reject", OptionKind::RejectOnce, OptionScope::Once),
    ("always", "Always allow", OptionKind::AllowAlways, OptionScope::Rule),
];

/// Says the event, if it is one of these.
pub(super) fn event(
    kind: &str,
    properties: Value<'_>,
    context: &Context<'_>,
    facts: &mut dyn FactSink,
) -> bool {
    match kind {
        "permission.asked" | "permission.updated" | "permission.v2.asked" => {
            asked(properties, context, facts)
        }
        "permission.replied" | "permission.v2.replied" => {
            let [id, old_id, reply, old_reply] =
                properties.present_fields(["requestID", "permissionID", "reply", "response"]);
            let id = filled(id).or_else(|| filled(old_id)).unwrap_or_default();
            let reply = filled(reply).or_else(|| filled(old_reply));
            answered(&id, reply.as_deref(), ANSWERS, None, context, facts);
        }
        "question.asked" | "question.v2.asked" => {
            let [id, list, call, ..] = about(properties);
            let (id, call) = (filled(id), filled(call));
            questions(id.as_deref(), call.as_deref(), list, true, context, facts);
        }
        "question.replied" | "question.v2.replied" | "question.rejected" | "question.v2.rejected" => {
            let [id, answers] = properties.present_fields(["requestID", "answers"]);
            let answers = answers.map(by_number);
            let outcome = match answers {
                Some(_) => InterruptOutcome::Answered,
                None => InterruptOutcome::Rejected,
            };
            let id = filled(id).unwrap_or_default();
            facts.fact(
                context,
                Fact::Answered(Answered {
                    answers: answers.as_deref().map(Json),
                    ..Answered::of(AskRef::Id(&id), outcome, LinkSource::Wire)
                }),
            );
        }
        _ => return false,
    }
    true
}

/// Id, questions, and the call it is about, wherever the version puts it.
fn about(properties: Value<'_>) -> [Option<Value<'_>>; 3] {
    let [id, list, tool, source, call] =
        properties.present_fields(["id", "questions", "tool", "source", "callID"]);
    let inner = tool.or(source).and_then(|it| it.get("callID"));
    [id, list, inner.or(call)]
}

fn asked(properties: Value<'_>, context: &Context<'_>, facts: &mut dyn FactSink) {
    let [permission, old_type, action, patterns, pattern, resources, always, save, metadata, title] =
        properties.present_fields([
            "permission",
            "type",
            "action",
            "patterns",
            "pattern",
            "resources",
            "always",
            "save",
            "metadata",
            "title",
        ]);
    let [id, _, call] = about(properties);
    let (id, call, title) = (filled(id), filled(call), filled(title));
    let code = filled(permission).or_else(|| filled(old_type)).or_else(|| filled(action));
    let mut message = String::new();
    for pattern in listed(patterns.or(resources).or(pattern)) {
        if !message.is_empty() {
            message.push_str(", ");
        }
        message.push_str(&pattern);
    }
    // The wire says for what a rule would hold; where it says nothing there is no such answer. Old versions always
    // had it.
    let lasting = save.is_some() || old_type.is_some() || !listed(always).is_empty();
    let answers = if lasting { ANSWERS } else { ANSWERS.get(..2).unwrap_or(ANSWERS) };
    Approval {
        id: id.as_deref(),
        call: call.as_deref(),
        tool: code.as_deref(),
        title: title.as_deref(),
        message: Some(&*message).filter(|message| !message.is_empty()),
        code: code.as_deref(),
        input: metadata.filter(|metadata| metadata.raw() != "{}").map(|metadata| Json(metadata.raw())),
        answers,
    }
    .say(context, facts);
}

/// One string or a list of them.
fn listed(value: Option<Value<'_>>) -> Vec<Cow<'_, str>> {
    let Some(value) = value else { return Vec::new() };
    match value.array() {
        Some(items) => items.filter_map(Value::str).collect(),
        None => value.str().into_iter().collect(),
    }
}

/// Answers come as a list; they are kept by the number of their question.
fn by_number(answers: Value<'_>) -> String {
    let mut out = String::from("{");
    for (number, texts) in elements(Some(answers)).enumerate() {
        if number > 0 {
            out.push(',');
        }
        write_string(&mut out, &number.to_string());
        out.push(':');
        out.push_str(texts.raw());
    }
    out.push('}');
    out
}
