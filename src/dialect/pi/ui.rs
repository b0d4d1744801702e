//! RPC mode: answers to commands, and what extensions ask the user.

use crate::dialect::harness::ask::ask;
use crate::dialect::harness::{error, filled, notice, text_at, word};
use crate::dialect::walk::elements;
use crate::dialect::{Context, Fact, FactSink};
use crate::event::{Choice, Json, Question, QuestionType, Severity};
use crate::json::{ObjectWriter, Value};

/// The answer to a command of the client.
pub(super) fn response(value: Value<'_>, context: &Context<'_>, facts: &mut dyn FactSink) {
    if value.get("success").and_then(Value::bool) != Some(false) {
        return facts.fact(context, Fact::Ignored("command-answer"));
    }
    let command = text_at(value, "command");
    let message = text_at(value, "error");
    let message = message.as_deref().unwrap_or("a command failed");
    facts.fact(context, error(message, false, command.as_deref()));
}

/// A question of an extension, or what it shows.
pub(super) fn request(value: Value<'_>, context: &Context<'_>, facts: &mut dyn FactSink) {
    let [id, method, title, message, options, level] =
        value.present_fields(["id", "method", "title", "message", "options", "notifyType"]);
    let (id, method, title, message) = (filled(id), filled(method), filled(title), filled(message));
    let method = method.as_deref().unwrap_or_default();
    let type_ = match method {
        "select" => QuestionType::Single,
        "confirm" => QuestionType::Boolean,
        "input" | "editor" => QuestionType::Text,
        "notify" => {
            let severity = match level.and_then(Value::str).as_deref() {
                Some("error") => Severity::Error,
                Some("warning") => Severity::Warning,
                _ => Severity::Info,
            };
            return notice(severity, &message.unwrap_or_default(), context, facts);
        }
        method => return word(method, value, context, facts),
    };
    let mut labels = Vec::new();
    for option in elements(options) {
        labels.extend(option.str().or_else(|| text_at(option, "label")));
    }
    let mut choices = Vec::with_capacity(labels.len());
    for label in &labels {
        choices.push(Choice { value: label, label, description: None });
    }
    let question = Question {
        question: message.as_deref().or(title.as_deref()).unwrap_or_default(),
        type_,
        options: choices.into(),
        ..Question::default()
    };
    let mut extra = String::new();
    ObjectWriter::new(&mut extra).text("method", method).finish();
    let context = Context { extra: Some(Json(&extra)), ..*context };
    ask(id.as_deref(), None, title.as_deref(), vec![question], &context, facts);
}
