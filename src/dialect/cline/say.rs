//! The older task lines: `{ts, type: say | ask, say | ask, text, partial?}`. `ts`, in milliseconds, is the identity of
//! what is said; while `partial` is true the text still grows.

use std::borrow::Cow;

use super::{Counter, members_but};
use crate::dialect::clock::iso;
use crate::dialect::speaker::Speaker;
use crate::dialect::told;
use crate::dialect::tools::cline;
use crate::dialect::walk::elements;
use crate::dialect::{Ask, CallRef, Fact, PartKind, PartRef, UsageBasis};
use crate::event::{
    Blocking, Choice, Interrupt, InterruptKind, InterruptOption, Json, LinkSource, OptionKind, OptionScope,
    Question, QuestionType,
};
use crate::json::{ObjectWriter, Value};

/// The tool of a line that says nothing but a command.
const COMMAND: &str = "execute_command";

const COUNTERS: &[(&str, Counter)] = &[
    ("request", Counter::None),
    ("tokensIn", Counter::Prompt),
    ("tokensOut", Counter::Completion),
    ("cacheReads", Counter::Cached),
    ("cost", Counter::Cost),
];

/// One line.
pub(super) fn tell(value: Value<'_>, voice: &mut Speaker<'_, '_>) {
    let [time, kind, say, ask, text, partial] = value.fields(["ts", "type", "say", "ask", "text", "partial"]);
    let asks = kind.and_then(Value::str).as_deref() == Some("ask");
    let word = voice.filled(if asks { ask } else { say }, "say");
    let timestamp = time.and_then(Value::f64).and_then(iso);
    let id = time.map_or("0", Value::raw);
    let is_partial = partial.and_then(Value::bool) == Some(true);
    let mut voice = voice.narrowed();
    let voice = &mut voice;
    voice.context.timestamp = timestamp.as_deref();
    let words = text.and_then(Value::str).unwrap_or_default();
    let inner = Value::parse(words.trim()).ok().filter(|inner| inner.object().is_some());
    match (word.as_deref(), asks) {
        (Some("text" | "completion_result"), false) => say_text(id, PartKind::Agent, text, is_partial, voice),
        (Some("reasoning"), false) => say_text(id, PartKind::Thought, text, is_partial, voice),
        (Some("task" | "user_feedback"), false) => say_text(id, PartKind::User, text, is_partial, voice),
        (Some("api_req_started"), false) => match inner {
            Some(counters) => {
                let mut voice = voice.narrowed();
                voice.context.message = Some(id);
                voice.counters(counters, UsageBasis::Call, COUNTERS);
            }
            None => voice.say(Fact::Ignored("no-counters")),
        },
        (Some("api_req_finished" | "api_req_retried"), false) => voice.say(Fact::Ignored("request-state")),
        (Some("error" | "api_req_failed"), _) => {
            let code = word.as_deref().filter(|word| *word != "error");
            voice.told_error(if words.is_empty() { value.raw() } else { &words }, false, code, None);
        }
        (Some("command_output"), _) => {
            let call = CallRef::Match { id: None, name: COMMAND, lane: None };
            match text.and_then(Value::text).filter(|text| !text.is_empty() && !is_partial) {
                Some(text) => voice.say(Fact::OutputDelta { call, text, stream: None }),
                None => voice.say(Fact::Ignored("partial")),
            }
        }
        _ if is_partial => voice.say(Fact::Ignored("partial")),
        (Some("command"), _) => {
            let mut input = String::new();
            ObjectWriter::new(&mut input).text("command", &words).finish();
            say_call(id, COMMAND, Value::parse(&input).ok(), asks, voice);
        }
        (Some("tool"), _) => match inner {
            Some(inner) => {
                let name = inner.get("tool").and_then(Value::str).unwrap_or(Cow::Borrowed("tool"));
                let input = members_but(inner, &["tool"]);
                say_call(id, &name, input.as_deref().and_then(|input| Value::parse(input).ok()), asks, voice);
            }
            None => voice.harness_event("tool", value),
        },
        (Some("followup"), true) => say_question(id, &words, inner, voice),
        (Some("completion_result"), true) if words.is_empty() => voice.say(Fact::Ignored("done")),
        (Some(word), _) => voice.harness_event(word, value),
        (None, _) => voice.unknown(None, value),
    }
}

fn say_text(
    id: &str,
    kind: PartKind,
    text: Option<Value<'_>>,
    is_partial: bool,
    voice: &mut Speaker<'_, '_>,
) {
    let part = PartRef::Id(id);
    match text.and_then(Value::text) {
        Some(text) if text.is_empty() => voice.say(Fact::Ignored("empty-text")),
        Some(text) if is_partial => voice.say(Fact::PartSoFar { part, kind, text }),
        Some(text) => voice.say(Fact::PartWhole { part, kind, text }),
        None => {
            voice.wrong_type("text");
            voice.say(Fact::Ignored("no-text"));
        }
    }
}

/// A call; asked for, it waits for an approval. How it ends is not told.
fn say_call(id: &str, name: &str, input: Option<Value<'_>>, asks: bool, voice: &mut Speaker<'_, '_>) {
    let shown = told::shown(cline::ROWS, name, input);
    voice.call(CallRef::Id(id), Some(name), &shown, input, None);
    if !asks {
        return;
    }
    let option = |option_id, name, kind| {
        let scope = Some(OptionScope::Once);
        InterruptOption { option_id, name, kind, scope, editable: false }
    };
    let options = vec![
        option("approve", "Approve", OptionKind::AllowOnce),
        option("reject", "Reject", OptionKind::RejectOnce),
    ];
    let interrupt = Interrupt {
        kind: InterruptKind::Approval,
        tool_name: Some(name),
        title: Some(&shown.title),
        raw_input: input.map(|input| Json(input.raw())),
        options: options.into(),
        blocking: Blocking::Inline,
        ..Interrupt::default()
    };
    let ask = Ask { id: Some(id), call: Some(CallRef::Id(id)), link: LinkSource::Wire, interrupt };
    voice.say_extra(Some("{\"synthetic\":true}"), Fact::Ask(ask));
}

/// A question: plain words, or `{question, options}` as a JSON text.
fn say_question(id: &str, words: &str, inner: Option<Value<'_>>, voice: &mut Speaker<'_, '_>) {
    let [question, options] = inner.map_or([None, None], |inner| inner.fields(["question", "options"]));
    let question = question.and_then(Value::str).unwrap_or(Cow::Borrowed(words));
    let labels: Vec<_> = elements(options).filter_map(Value::str).collect();
    let choices: Vec<_> =
        labels.iter().map(|label| Choice { value: label, label, description: None }).collect();
    let asked = Question {
        id: "0",
        question: &question,
        type_: if choices.is_empty() { QuestionType::Text } else { QuestionType::Single },
        options: choices.into(),
        allow_other: true,
        ..Question::default()
    };
    let interrupt = Interrupt {
        kind: InterruptKind::Question,
        message: Some(&question),
        questions: vec![asked].into(),
        blocking: Blocking::Inline,
        ..Interrupt::default()
    };
    voice.say(Fact::Ask(Ask { id: Some(id), call: None, link: LinkSource::Wire, interrupt }));
}
