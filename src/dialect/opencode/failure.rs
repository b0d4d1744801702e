//! Errors as OpenCode names them: `{name, data{message, ..}}`.

use crate::dialect::harness::{error, filled};
use crate::dialect::{Context, Fact, FactSink};
use crate::event::Json;
use crate::json::{ObjectWriter, Value};

/// What an error means for its run.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Meaning {
    Failed,
    /// The user stopped it.
    Aborted,
    /// It may be tried again.
    Retryable,
}

/// What an error is about.
pub(super) fn meaning(failure: Value<'_>) -> Meaning {
    let [name, data] = failure.fields(["name", "data"]);
    if name.and_then(Value::str).as_deref() == Some("MessageAbortedError") {
        return Meaning::Aborted;
    }
    let retryable = data.and_then(|data| data.get("isRetryable")).and_then(Value::bool);
    if retryable == Some(true) { Meaning::Retryable } else { Meaning::Failed }
}

/// The error, in the words it has.
pub(super) fn say(failure: Value<'_>, fatal: bool, context: &Context<'_>, facts: &mut dyn FactSink) {
    let [name, data, message] = failure.present_fields(["name", "data", "message"]);
    let [inner, status, retryable] =
        data.map_or([None; 3], |data| data.present_fields(["message", "statusCode", "isRetryable"]));
    let name = filled(name);
    let words = filled(inner).or_else(|| filled(message)).or_else(|| failure.str());
    let words = words.as_deref().or(name.as_deref()).unwrap_or(failure.raw());
    let mut extra = String::new();
    let mut writer = ObjectWriter::new(&mut extra);
    for (key, value) in [("statusCode", status), ("isRetryable", retryable)] {
        if let Some(value) = value {
            writer.raw(key, value.raw());
        }
    }
    let told = !writer.is_empty();
    writer.finish();
    let context = Context { extra: told.then_some(Json(&extra)), ..*context };
    let fact: Fact<'_> = error(words, fatal, name.as_deref());
    facts.fact(&context, fact);
}
