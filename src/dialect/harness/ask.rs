//! Approvals and questions as coding harnesses ask them, and what is common to answering them.

use std::borrow::Cow;

use super::filled;
use crate::dialect::reply::Pending;
use crate::dialect::walk::{Present, elements};
use crate::dialect::{Answered, Ask, AskRef, CallRef, Choice, Context, Fact, FactSink, ReplyError};
use crate::event::{
    Blocking, Choice as Offer, Interrupt, InterruptKind, InterruptOption, InterruptOutcome, Json, LinkSource,
    List, OptionKind, OptionScope, Question, QuestionType,
};
use crate::json::Value;

/// One answer a wire knows: its word, the words on the button, what it means.
pub(in crate::dialect) type Answer = (&'static str, &'static str, OptionKind, OptionScope);

/// An approval.
pub(in crate::dialect) struct Approval<'a> {
    pub id: Option<&'a str>,
    pub call: Option<&'a str>,
    pub tool: Option<&'a str>,
    pub title: Option<&'a str>,
    pub message: Option<&'a str>,
    pub code: Option<&'a str>,
    pub input: Option<Json<'a>>,
    pub answers: &'a [Answer],
}

impl Approval<'_> {
    pub fn say(&self, context: &Context<'_>, facts: &mut dyn FactSink) {
        let option = |answer: &Answer| InterruptOption {
            option_id: answer.0,
            name: answer.1,
            kind: answer.2,
            scope: Some(answer.3),
            editable: false,
        };
        let interrupt = Interrupt {
            kind: InterruptKind::Approval,
            tool_name: self.tool,
            title: self.title,
            message: self.message,
            reason_code: self.code,
            raw_input: self.input,
            options: List::Owned(self.answers.iter().map(option).collect()),
            blocking: Blocking::Inline,
            ..Interrupt::default()
        };
        let ask = Ask { id: self.id, call: self.call.map(CallRef::Id), link: LinkSource::Wire, interrupt };
        facts.fact(context, Fact::Ask(ask));
    }
}

/// What the wire's word for an answer means.
pub(in crate::dialect) fn answered(
    id: &str,
    word: Option<&str>,
    answers: &[Answer],
    message: Option<&str>,
    context: &Context<'_>,
    facts: &mut dyn FactSink,
) {
    let known = answers.iter().find(|answer| Some(answer.0) == word);
    let outcome = match known.map(|answer| answer.2) {
        Some(OptionKind::AllowOnce | OptionKind::AllowAlways) => InterruptOutcome::Allowed,
        Some(OptionKind::RejectOnce | OptionKind::RejectAlways) => InterruptOutcome::Rejected,
        _ => InterruptOutcome::Unknown,
    };
    facts.fact(
        context,
        Fact::Answered(Answered {
            option_id: word,
            option_kind: known.map(|answer| answer.2),
            message,
            ..Answered::of(AskRef::Id(id), outcome, LinkSource::Wire)
        }),
    );
}

struct Asked<'a> {
    text: Cow<'a, str>,
    header: Option<Cow<'a, str>>,
    offers: Vec<(Cow<'a, str>, Option<Cow<'a, str>>)>,
    several: bool,
    other: bool,
}

/// Questions `{question, header?, options[{label, description?}], multiple?}`; their ids are their places.
pub(in crate::dialect) fn questions(
    id: Option<&str>,
    call: Option<&str>,
    list: Option<Value<'_>>,
    other_by_default: bool,
    context: &Context<'_>,
    facts: &mut dyn FactSink,
) {
    let flag = |value: Option<Value<'_>>| value.and_then(Value::bool);
    let mut asked: Vec<Asked<'_>> = Vec::new();
    for item in elements(list) {
        let [text, header, options, multiple, multi_select, custom] =
            item.fields(["question", "header", "options", "multiple", "multi_select", "custom"]);
        let mut offers = Vec::new();
        for option in elements(options.present()) {
            let [label, description] = option.fields(["label", "description"]);
            if let Some(label) = filled(label).or_else(|| option.str()) {
                offers.push((label, filled(description)));
            }
        }
        asked.push(Asked {
            text: filled(text).or_else(|| item.str()).unwrap_or_default(),
            header: filled(header),
            offers,
            several: flag(multiple).or(flag(multi_select)) == Some(true),
            other: flag(custom).unwrap_or(other_by_default),
        });
    }
    let questions: Vec<_> = asked.iter().map(Asked::question).collect();
    ask(id, call, None, questions, context, facts);
}

impl Asked<'_> {
    fn question(&self) -> Question<'_> {
        let mut options = Vec::with_capacity(self.offers.len());
        for (label, description) in &self.offers {
            options.push(Offer { value: label, label, description: description.as_deref() });
        }
        let type_ = match (self.offers.is_empty(), self.several) {
            (true, _) => QuestionType::Text,
            (false, true) => QuestionType::Multiple,
            (false, false) => QuestionType::Single,
        };
        Question {
            id: "",
            question: &self.text,
            header: self.header.as_deref(),
            type_,
            options: options.into(),
            allow_other: self.other,
            ..Question::default()
        }
    }
}

/// A question interrupt.
pub(in crate::dialect) fn ask(
    id: Option<&str>,
    call: Option<&str>,
    title: Option<&str>,
    questions: Vec<Question<'_>>,
    context: &Context<'_>,
    facts: &mut dyn FactSink,
) {
    let interrupt = Interrupt {
        kind: InterruptKind::Question,
        title,
        questions: questions.into(),
        blocking: Blocking::Inline,
        ..Interrupt::default()
    };
    facts
        .fact(context, Fact::Ask(Ask { id, call: call.map(CallRef::Id), link: LinkSource::Wire, interrupt }));
}

/// The text of each question, in order, and the answers to it.
pub(in crate::dialect) type Given<'a> = Vec<(Cow<'a, str>, Vec<Cow<'a, str>>)>;

/// What a user chose, checked against the interrupt.
pub(in crate::dialect) enum Chosen<'a> {
    Option(&'a str, Option<&'a str>),
    Answers(Given<'a>),
    Cancel,
}

/// The interrupt's wire id and the choice; only what was offered is taken.
pub(in crate::dialect) fn chosen<'a>(
    event: Value<'a>,
    choice: &Choice<'a>,
) -> Result<(Cow<'a, str>, Chosen<'a>), ReplyError> {
    let pending = Pending::read(event)?;
    let id = pending.wire_id()?;
    let questions = pending.questions();
    let chosen = match *choice {
        Choice::Cancel => Chosen::Cancel,
        Choice::Answers(_) if questions.is_empty() => {
            return Err(ReplyError::new("reply.unknown-option", "nothing is asked here; choose an option"));
        }
        Choice::Answers(answers) => Chosen::Answers(given(&questions, answers)?),
        Choice::Option { .. } if !questions.is_empty() => {
            return Err(ReplyError::new("reply.answers-required", "answer a question with `answers`"));
        }
        Choice::Option { edited_input: Some(_), .. } => {
            return Err(ReplyError::new("reply.not-editable", "this request takes no changed arguments"));
        }
        Choice::Option { id, message, .. } => {
            pending.check_offered(id)?;
            Chosen::Option(id, message.filter(|message| !message.is_empty()))
        }
    };
    Ok((id, chosen))
}

fn given<'a>(questions: &[Value<'a>], answers: Value<'a>) -> Result<Given<'a>, ReplyError> {
    let wrong =
        || ReplyError::new("reply.answers-required", "answers are `{question id: [text]}`, at least one");
    let mut all = Vec::with_capacity(questions.len());
    let mut known = 0;
    for question in questions {
        let [id, text] = question.fields(["id", "question"]);
        let id = id.and_then(Value::str).unwrap_or_default();
        let mut texts = Vec::new();
        if let Some(answer) = answers.get(&id) {
            known += 1;
            match answer.array() {
                Some(items) => texts.extend(items.filter_map(Value::str)),
                None => texts.extend(answer.str()),
            }
        }
        all.push((text.and_then(Value::str).unwrap_or_default(), texts));
    }
    let told = answers.object().map_or(0, Iterator::count);
    if known == 0 || told != known || all.iter().all(|(_, texts)| texts.is_empty()) {
        Err(wrong())
    } else {
        Ok(all)
    }
}
