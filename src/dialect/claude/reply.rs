//! Answering an interrupt: the `control_response` to write to the CLI's standard input.

use std::borrow::Cow;

use super::ask::{ACCEPT, ALLOW, ALLOW_ALWAYS, DECLINE, DENY};
use crate::dialect::reply::{Pending, unknown_option};
use crate::dialect::walk::members;
use crate::dialect::{Choice, ReplyError};
use crate::json::{ObjectWriter, Value, write_string};

/// What the CLI hears when the user turned away; the protocol wants words with every refusal.
const TURNED_AWAY: &str = "The user gave no answer.";

/// Makes the JSON line for one interrupt event and one choice.
pub(super) fn reply(event: Value<'_>, choice: &Choice<'_>) -> Result<String, ReplyError> {
    let pending = Pending::read(event)?;
    let id = pending.wire_id()?;
    let subtype = pending.extra_text("subtype").unwrap_or_default();
    let answer = match &*subtype {
        "can_use_tool" => permission(&pending, choice)?,
        "elicitation" => elicitation(&pending, choice)?,
        _ => {
            return Err(ReplyError::new(
                "reply.no-channel",
                "this request has no answer the protocol documents",
            ));
        }
    };
    let mut response = String::new();
    let mut writer = ObjectWriter::new(&mut response);
    writer.text("subtype", "success").text("request_id", &id).raw("response", &answer).finish();
    let mut line = String::new();
    let mut writer = ObjectWriter::new(&mut line);
    writer.text("type", "control_response").raw("response", &response).finish();
    Ok(line)
}

fn text<'a>(value: Option<Value<'a>>) -> Option<Cow<'a, str>> {
    value.and_then(Value::str)
}

fn permission(pending: &Pending<'_>, choice: &Choice<'_>) -> Result<String, ReplyError> {
    let (update, extra) = (pending.update, pending.extra);
    let input = update.get("rawInput").filter(|input| input.object().is_some());
    match *choice {
        Choice::Cancel => Ok(denied(TURNED_AWAY, true)),
        Choice::Answers(answers) => {
            let input = question_input(pending, input, answers)?;
            Ok(allowed(Some(&input), None))
        }
        Choice::Option { .. } if pending.is_question() => {
            Err(ReplyError::new("reply.answers-required", "answer a question with `answers`"))
        }
        Choice::Option { id: DENY, message, edited_input } => {
            pending.check_offered(DENY)?;
            if edited_input.is_some() {
                return Err(ReplyError::new("reply.not-editable", "a refusal takes no arguments"));
            }
            match message.filter(|message| !message.is_empty()) {
                Some(message) => Ok(denied(message, false)),
                None => {
                    Err(ReplyError::new("reply.message-required", "`deny` needs a `message` for the model"))
                }
            }
        }
        Choice::Option { id: id @ (ALLOW | ALLOW_ALWAYS), edited_input, .. } => {
            pending.check_offered(id)?;
            let edited = match edited_input {
                Some(edited)
                    if update.get("editable").and_then(Value::bool) != Some(true)
                        || edited.object().is_none() =>
                {
                    return Err(ReplyError::new(
                        "reply.not-editable",
                        "arguments must be an object, and editable",
                    ));
                }
                edited => edited.or(input).map(Value::raw),
            };
            let rules = extra
                .and_then(|extra| extra.get("permission_suggestions"))
                .filter(|rules| rules.array().is_some());
            match (id, rules) {
                (ALLOW_ALWAYS, None) => Err(unknown_option(id)),
                (ALLOW_ALWAYS, Some(rules)) => Ok(allowed(edited, Some(rules.raw()))),
                _ => Ok(allowed(edited, None)),
            }
        }
        Choice::Option { id, .. } => Err(unknown_option(id)),
    }
}

/// Older CLIs refuse an `allow` without the arguments, so they are always sent.
fn allowed(input: Option<&str>, rules: Option<&str>) -> String {
    let mut answer = String::new();
    let mut writer = ObjectWriter::new(&mut answer);
    writer.text("behavior", "allow").raw("updatedInput", input.unwrap_or("{}"));
    if let Some(rules) = rules {
        writer.raw("updatedPermissions", rules);
    }
    writer.finish();
    answer
}

fn denied(message: &str, interrupt: bool) -> String {
    let mut answer = String::new();
    let mut writer = ObjectWriter::new(&mut answer);
    writer.text("behavior", "deny").text("message", message);
    if interrupt {
        writer.bool("interrupt", true);
    }
    writer.finish();
    answer
}

/// The arguments of `AskUserQuestion` with the answers in them, keyed by the question's text.
fn question_input(
    pending: &Pending<'_>,
    input: Option<Value<'_>>,
    answers: Value<'_>,
) -> Result<String, ReplyError> {
    let asked = pending.questions();
    if asked.is_empty() {
        return Err(ReplyError::new(
            "reply.unknown-option",
            "this interrupt asks no questions; choose an option",
        ));
    }
    let mut keyed = String::new();
    let mut writer = ObjectWriter::new(&mut keyed);
    for (id, given) in given_answers(answers)? {
        let question = asked.iter().find(|question| text(question.get("id")).as_deref() == Some(&*id));
        let Some(question) = question.and_then(|question| text(question.get("question"))) else {
            return Err(ReplyError::new(
                "reply.answers-required",
                ["there is no question `", &id, "`"].concat(),
            ));
        };
        writer.text(&question, &given.join(", "));
    }
    writer.finish();
    let mut whole = String::new();
    let mut writer = ObjectWriter::new(&mut whole);
    for (key, value) in members(input).filter(|(key, _)| &**key != "answers") {
        writer.raw(&key, value.raw());
    }
    writer.raw("answers", &keyed).finish();
    Ok(whole)
}

type Given<'a> = Vec<(Cow<'a, str>, Vec<Cow<'a, str>>)>;

/// `{question id: [text]}`, at least one, texts only.
fn given_answers<'a>(answers: Value<'a>) -> Result<Given<'a>, ReplyError> {
    let wrong =
        || ReplyError::new("reply.answers-required", "answers are `{question id: [text]}`, at least one");
    let mut given = Vec::new();
    for (id, value) in answers.object().ok_or_else(wrong)? {
        let texts: Option<Vec<_>> = match value.array() {
            Some(items) => items.map(Value::str).collect(),
            None => value.str().map(|text| vec![text]),
        };
        given.push((id.into_cow(), texts.filter(|texts| !texts.is_empty()).ok_or_else(wrong)?));
    }
    if given.is_empty() { Err(wrong()) } else { Ok(given) }
}

fn elicitation(pending: &Pending<'_>, choice: &Choice<'_>) -> Result<String, ReplyError> {
    let mut answer = String::new();
    let mut writer = ObjectWriter::new(&mut answer);
    match *choice {
        Choice::Cancel => writer.text("action", "cancel"),
        Choice::Option { edited_input: Some(_), .. } => {
            return Err(ReplyError::new("reply.not-editable", "this request has no arguments"));
        }
        Choice::Option { id: id @ (ACCEPT | DECLINE), .. } => {
            pending.check_offered(id)?;
            writer.text("action", id)
        }
        Choice::Option { id, .. } => return Err(unknown_option(id)),
        Choice::Answers(answers) => {
            let content = form_content(pending, answers)?;
            writer.text("action", ACCEPT).raw("content", &content)
        }
    }
    .finish();
    Ok(answer)
}

/// The form's values in the types its questions have.
fn form_content(pending: &Pending<'_>, answers: Value<'_>) -> Result<String, ReplyError> {
    let asked = pending.questions();
    let given = given_answers(answers)?;
    let unmet = asked.iter().find(|question| {
        let id = text(question.get("id")).unwrap_or_default();
        question.get("required").and_then(Value::bool) == Some(true)
            && !given.iter().any(|(given, _)| *given == id)
    });
    if let Some(question) = unmet {
        let id = text(question.get("id")).unwrap_or_default();
        return Err(ReplyError::new("reply.answers-required", ["`", &id, "` must be answered"].concat()));
    }
    let mut content = String::new();
    let mut writer = ObjectWriter::new(&mut content);
    for (id, texts) in given {
        let question = asked.iter().find(|question| text(question.get("id")).as_deref() == Some(&*id));
        let kind = question.and_then(|question| text(question.get("type")));
        let value = typed(kind.as_deref(), &texts);
        let wrong = || {
            ReplyError::new("reply.answers-required", ["`", &id, "` is no answer this form takes"].concat())
        };
        writer.raw(&id, &value.ok_or_else(wrong)?);
    }
    writer.finish();
    Ok(content)
}

/// `None` for a question that is not asked or a text that does not fit its type.
fn typed(kind: Option<&str>, texts: &[Cow<'_, str>]) -> Option<String> {
    let mut out = String::new();
    match (kind?, texts) {
        ("multiple", texts) => {
            out.push('[');
            for (at, text) in texts.iter().enumerate() {
                if at > 0 {
                    out.push(',');
                }
                write_string(&mut out, text);
            }
            out.push(']');
        }
        ("number", [text]) => {
            out.push_str(Value::parse(text.trim()).ok().filter(|value| value.f64().is_some())?.raw())
        }
        ("boolean", [text]) => {
            out.push_str(Some(text.trim()).filter(|&text| text == "true" || text == "false")?)
        }
        (_, [text]) => write_string(&mut out, text),
        _ => return None,
    }
    Some(out)
}
