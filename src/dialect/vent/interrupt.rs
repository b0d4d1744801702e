//! The three interrupt forms: approval, question, notice. The contract has no interrupt ids and no answer channel.

use std::borrow::Cow;

use super::frame::{Frame, Member, Uses, list_text};
use crate::dialect::walk::{Present, elements, members};
use crate::dialect::{Ask, CallRef, Context, Fact, FactSink};
use crate::event::{
    Blocking, Choice, Interrupt, InterruptKind, InterruptOption, Json, LinkSource, List, OptionKind,
    OptionScope, Question, QuestionType,
};
use crate::framing::Severity;
use crate::json::{ObjectWriter, Value};

/// States what an interrupt frame asks; one that asks nothing is a notice.
pub fn interrupt(frame: &Frame<'_>, context: &Context<'_>, facts: &mut dyn FactSink) {
    let object = |member| frame.get(member).filter(|value| value.object().is_some());
    let (approval, asked) = (object(Member::ToolApproval), object(Member::AskUser));
    let mut extra = String::new();
    let message = frame.filled(Member::Message, facts);
    if let Some(approval) = approval {
        ask_approval(&Approval::read(frame, approval), message.as_deref(), context, &mut extra, facts);
    }
    if let Some(asked) = asked {
        extra.clear();
        ask_user(frame, asked, message.as_deref(), context, &mut extra, facts);
    }
    if approval.is_none() && asked.is_none() {
        frame.write_extra(&mut extra, Uses::of(&[Member::Message]), |_| ());
        let ask = Ask {
            interrupt: Interrupt {
                kind: InterruptKind::Notice,
                message: message.as_deref(),
                blocking: Blocking::RunEnds,
                ..Interrupt::default()
            },
            ..Ask::default()
        };
        facts.fact(&with_extra(context, &extra), Fact::Ask(ask));
    }
}

fn with_extra<'a>(context: &Context<'a>, extra: &'a str) -> Context<'a> {
    Context { extra: (!extra.is_empty()).then_some(Json(extra)), ..*context }
}

struct Approval<'f, 'a> {
    frame: &'f Frame<'a>,
    value: Value<'a>,
    tool: Option<Cow<'a, str>>,
    display: Option<Cow<'a, str>>,
    args: Option<Value<'a>>,
    /// The arguments when the wire wrote them as the text of an object.
    args_text: Option<Cow<'a, str>>,
    reason: Option<Cow<'a, str>>,
    side_effect: Option<Cow<'a, str>>,
    call: Option<Cow<'a, str>>,
    id: Option<Cow<'a, str>>,
}

const APPROVAL: [&str; 7] = ["tool", "cn_tool", "args", "reason", "side_effect", "tool_call_id", "id"];

impl<'f, 'a> Approval<'f, 'a> {
    fn read(frame: &'f Frame<'a>, value: Value<'a>) -> Self {
        let [tool, display, args, reason, side_effect, call, id] = value.present_fields(APPROVAL);
        let filled = |field: Option<Value<'a>>| {
            field
                .map(|value| value.str().unwrap_or(Cow::Borrowed(value.raw())))
                .filter(|text| !text.is_empty())
        };
        let args_text = args
            .and_then(Value::str)
            .filter(|text| Value::parse(text).is_ok_and(|args| args.object().is_some()));
        Approval {
            frame,
            value,
            tool: filled(tool),
            display: filled(display),
            args,
            args_text,
            reason: filled(reason),
            side_effect: filled(side_effect),
            call: filled(call.or_else(|| frame.get(Member::ToolCallId))),
            id: filled(id),
        }
    }

    fn write_extra(&self, out: &mut String) {
        let uses = Uses::of(&[Member::ToolApproval, Member::AskUser, Member::Message, Member::ToolCallId]);
        self.frame.write_extra(out, uses, |extra| {
            for (key, member) in members(Some(self.value)) {
                if !APPROVAL.contains(&&*key) || (&*key == "args" && self.args_text.is_some()) {
                    extra.raw(&key, member.raw());
                }
            }
            extra.bool("synthetic", true);
        });
    }
}

fn ask_approval(
    approval: &Approval<'_, '_>,
    message: Option<&str>,
    context: &Context<'_>,
    extra: &mut String,
    facts: &mut dyn FactSink,
) {
    approval.write_extra(extra);
    let option = |option_id, name, kind| InterruptOption {
        option_id,
        name,
        kind,
        scope: Some(OptionScope::Once),
        editable: false,
    };
    let raw_input = approval.args_text.as_deref().or(approval.args.map(Value::raw));
    let ask = Ask {
        id: approval.id.as_deref(),
        call: approval.call.as_deref().map(CallRef::Id),
        link: LinkSource::Wire,
        interrupt: Interrupt {
            kind: InterruptKind::Approval,
            tool_name: approval.tool.as_deref(),
            title: approval.display.as_deref(),
            message,
            reason: approval.reason.as_deref(),
            side_effect: approval.side_effect.as_deref(),
            raw_input: raw_input.map(Json),
            options: List::Owned(vec![
                option("allow_once", "Allow", OptionKind::AllowOnce),
                option("reject_once", "Deny", OptionKind::RejectOnce),
            ]),
            blocking: Blocking::RunEnds,
            ..Interrupt::default()
        },
    };
    facts.fact(&with_extra(context, extra), Fact::Ask(ask));
}

fn ask_user(
    frame: &Frame<'_>,
    asked: Value<'_>,
    message: Option<&str>,
    context: &Context<'_>,
    extra: &mut String,
    facts: &mut dyn FactSink,
) {
    let list = list_text(asked.get("questions")).unwrap_or_else(|| {
        facts.diagnostic("vent.wrong-type", Severity::Warn, "`ask_user.questions` is not an array");
        Cow::Borrowed("[]")
    });
    let questions: Vec<AskedQuestion<'_>> =
        elements(Value::parse(&list).ok()).enumerate().map(AskedQuestion::read).collect();
    let several_possible = questions.iter().any(|question| question.kind == QuestionType::Single);
    let uses = Uses::of(&[Member::ToolApproval, Member::AskUser, Member::Message]);
    frame.write_extra(extra, uses, |extra| write_question_extra(extra, asked, several_possible));
    let ask = Ask {
        interrupt: Interrupt {
            kind: InterruptKind::Question,
            message,
            questions: List::Owned(questions.iter().map(AskedQuestion::lend).collect()),
            blocking: Blocking::RunEnds,
            ..Interrupt::default()
        },
        ..Ask::default()
    };
    facts.fact(&with_extra(context, extra), Fact::Ask(ask));
}

fn write_question_extra(extra: &mut ObjectWriter<'_>, asked: Value<'_>, several_possible: bool) {
    for (key, member) in members(Some(asked)) {
        if &*key != "questions" {
            extra.raw(&key, member.raw());
        }
    }
    // The contract does not say whether `multiple_choice` allows several picks.
    if several_possible {
        extra.bool("severalPicksUnspecified", true);
    }
}

struct AskedQuestion<'a> {
    id: String,
    text: Cow<'a, str>,
    kind: QuestionType,
    /// Value and label.
    choices: Vec<(Cow<'a, str>, Cow<'a, str>)>,
    required: bool,
}

impl<'a> AskedQuestion<'a> {
    fn read((at, value): (usize, Value<'a>)) -> Self {
        let [text, kind, choices, required] = value.fields(["question", "type", "choices", "required"]);
        let choices: Vec<_> = elements(choices).filter(|choice| !choice.is_null()).map(choice).collect();
        let word = kind.and_then(Value::str);
        let text_wanted = choices.is_empty() || word.as_deref() == Some("text");
        AskedQuestion {
            id: at.to_string(),
            text: value.str().or_else(|| text.and_then(Value::str)).unwrap_or(Cow::Borrowed(value.raw())),
            kind: if text_wanted { QuestionType::Text } else { QuestionType::Single },
            choices,
            required: required.and_then(Value::bool).unwrap_or(false),
        }
    }

    fn lend(&self) -> Question<'_> {
        Question {
            id: &self.id,
            question: &self.text,
            type_: self.kind,
            options: List::Owned(
                self.choices
                    .iter()
                    .map(|(value, label)| Choice { value, label, description: None })
                    .collect(),
            ),
            required: self.required,
            ..Question::default()
        }
    }
}

/// Value and label of a choice: a string is both, an object names them in one of several words.
fn choice(value: Value<'_>) -> (Cow<'_, str>, Cow<'_, str>) {
    let [label, text, name, own] = value.fields(["label", "text", "name", "value"]);
    let spoken = [label, text, name, own].into_iter().flatten().find_map(Value::str);
    let label = value.str().or(spoken).unwrap_or(Cow::Borrowed(value.raw()));
    let own = own.present().map(|own| own.str().unwrap_or(Cow::Borrowed(own.raw())));
    (own.unwrap_or_else(|| label.clone()), label)
}
