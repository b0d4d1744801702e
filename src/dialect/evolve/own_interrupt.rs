//! `interrupt` and `interrupt_resolved` of this crate's own output, read back into what was asked and answered.

use std::borrow::Cow;

use super::string;
use crate::dialect::walk::elements;
use crate::dialect::{Answered, Ask, AskRef, CallRef, Context, Fact, FactSink};
use crate::event::{
    Blocking, Choice, IdSource, Interrupt, InterruptKind, InterruptOption, InterruptOutcome, Json,
    LinkSource, Location, OptionKind, OptionScope, Question, QuestionType,
};
use crate::json::Value;

/// An option as it stands on the wire.
struct OptionRow<'a> {
    texts: [Option<Cow<'a, str>>; 4],
    editable: bool,
}

/// A question, and its choices.
struct QuestionRow<'a> {
    texts: [Option<Cow<'a, str>>; 4],
    choices: Vec<[Option<Cow<'a, str>>; 3]>,
    numbers: [Option<f64>; 2],
    flags: [bool; 3],
}

fn flag(value: Option<Value<'_>>) -> bool {
    value.and_then(Value::bool).unwrap_or(false)
}

fn list<'a>(value: Option<Value<'a>>) -> impl Iterator<Item = Value<'a>> {
    elements(value)
}

fn read_option<'a>(value: Value<'a>, facts: &mut dyn FactSink) -> OptionRow<'a> {
    let [id, name, kind, scope, editable] = value.fields(["optionId", "name", "kind", "scope", "editable"]);
    OptionRow { texts: [id, name, kind, scope].map(|field| string(field, facts)), editable: flag(editable) }
}

fn read_question<'a>(value: Value<'a>, facts: &mut dyn FactSink) -> QuestionRow<'a> {
    let [id, question, header, kind, options, other, required, secret, min, max] = value.fields([
        "id",
        "question",
        "header",
        "type",
        "options",
        "allowOther",
        "required",
        "secret",
        "min",
        "max",
    ]);
    let mut choices = Vec::new();
    for choice in list(options) {
        choices.push(choice.fields(["value", "label", "description"]).map(|field| string(field, facts)));
    }
    QuestionRow {
        texts: [id, question, header, kind].map(|field| string(field, facts)),
        choices,
        numbers: [min, max].map(|field| field.and_then(Value::f64)),
        flags: [other, required, secret].map(flag),
    }
}

impl OptionRow<'_> {
    fn lend(&self) -> InterruptOption<'_> {
        let [id, name, kind, scope] = self.texts.each_ref().map(Option::as_deref);
        InterruptOption {
            option_id: id.unwrap_or_default(),
            name: name.or(id).unwrap_or_default(),
            kind: kind.and_then(OptionKind::from_word).unwrap_or(OptionKind::Other),
            scope: scope.and_then(OptionScope::from_word),
            editable: self.editable,
        }
    }
}

impl QuestionRow<'_> {
    fn lend(&self) -> Question<'_> {
        let [id, question, header, kind] = self.texts.each_ref().map(Option::as_deref);
        let [allow_other, required, secret] = self.flags;
        let choices = self.choices.iter().map(|row| {
            let [value, label, description] = row.each_ref().map(Option::as_deref);
            let value = value.unwrap_or_default();
            Choice { value, label: label.unwrap_or(value), description }
        });
        Question {
            id: id.unwrap_or_default(),
            question: question.unwrap_or_default(),
            header,
            type_: kind.and_then(QuestionType::from_word).unwrap_or(QuestionType::Text),
            options: choices.collect::<Vec<_>>().into(),
            allow_other,
            required,
            min: self.numbers[0],
            max: self.numbers[1],
            secret,
        }
    }
}

/// `interrupt`.
pub(super) fn say_interrupt(update: Value<'_>, context: &Context<'_>, facts: &mut dyn FactSink) {
    let texts = update.fields([
        "interruptId",
        "idSource",
        "kind",
        "toolCallId",
        "linkSource",
        "toolName",
        "title",
        "message",
        "reason",
        "reasonCode",
        "sideEffect",
        "group",
        "blocking",
        "expiresAt",
        "defaultOptionId",
    ]);
    let texts = texts.map(|field| string(field, facts));
    let [
        id,
        id_source,
        kind,
        call,
        link,
        tool_name,
        title,
        message,
        reason,
        reason_code,
        effect,
        group,
        blocking,
        expires,
        default,
    ] = texts.each_ref().map(Option::as_deref);
    let [input, places, options, questions, schema, editable] =
        update.fields(["rawInput", "locations", "options", "questions", "responseSchema", "editable"]);
    let mut rows = Vec::new();
    for option in list(options) {
        rows.push(read_option(option, facts));
    }
    let mut asked = Vec::new();
    for question in list(questions) {
        asked.push(read_question(question, facts));
    }
    let paths: Vec<_> = list(places).map(|place| place.fields(["path", "line"])).collect();
    let paths: Vec<_> = paths
        .into_iter()
        .filter_map(|[path, line]| Some((path.and_then(Value::str)?, line.and_then(Value::f64))))
        .collect();
    let places: Vec<_> = paths.iter().map(|(path, line)| Location { path, line: *line }).collect();
    let minted = id_source.and_then(IdSource::from_word) == Some(IdSource::Minted);
    let interrupt = Interrupt {
        kind: kind.and_then(InterruptKind::from_word).unwrap_or(InterruptKind::Notice),
        tool_name,
        title,
        message,
        reason,
        reason_code,
        side_effect: effect,
        raw_input: input.map(|input| Json(input.raw())),
        locations: (!places.is_empty()).then(|| places.into()),
        options: rows.iter().map(OptionRow::lend).collect::<Vec<_>>().into(),
        questions: asked.iter().map(QuestionRow::lend).collect::<Vec<_>>().into(),
        response_schema: schema.map(|schema| Json(schema.raw())),
        editable: flag(editable),
        group,
        blocking: blocking.and_then(Blocking::from_word).unwrap_or(Blocking::Unknown),
        expires_at: expires,
        default_option_id: default,
        ..Interrupt::default()
    };
    let ask = Ask {
        id: id.filter(|_| !minted),
        call: call.map(CallRef::Id),
        link: link.and_then(LinkSource::from_word).unwrap_or(LinkSource::Wire),
        interrupt,
    };
    facts.fact(context, Fact::Ask(ask));
}

/// `interrupt_resolved`. An id that this crate minted finds its interrupt only as the open one of the session.
pub(super) fn say_resolved(update: Value<'_>, context: &Context<'_>, facts: &mut dyn FactSink) {
    let texts = update.fields(["interruptId", "outcome", "optionId", "optionKind", "message", "source"]);
    let texts = texts.map(|field| string(field, facts));
    let [id, outcome, option_id, option_kind, message, source] = texts.each_ref().map(Option::as_deref);
    let [answers, edited] = update.fields(["answers", "editedInput"]);
    let answered = Answered {
        ask: id.map_or(AskRef::All, AskRef::Id),
        outcome: outcome.and_then(InterruptOutcome::from_word).unwrap_or(InterruptOutcome::Unknown),
        option_id,
        option_kind: option_kind.and_then(OptionKind::from_word),
        answers: answers.map(|answers| Json(answers.raw())),
        edited_input: edited.map(|input| Json(input.raw())),
        message,
        source: source.and_then(LinkSource::from_word).unwrap_or(LinkSource::Wire),
    };
    facts.fact(context, Fact::Answered(answered));
}
