//! Answering a request of the app-server: the JSON-RPC response to write to it.

use super::ask::{DECISIONS, FIRST_WORDS, id_of};
use super::read::string;
use crate::dialect::reply::Pending;
use crate::dialect::walk::elements;
use crate::dialect::{Choice, ReplyError};
use crate::json::{ObjectWriter, Value, write_string};

/// Makes the line for one interrupt event and one choice.
///
/// # Errors
/// Whatever does not fit: nothing is sent then, and the server goes on waiting.
pub(super) fn reply(event: Value<'_>, choice: &Choice<'_>) -> Result<String, ReplyError> {
    let pending = Pending::read(event)?;
    let [options, questions, input] = pending.update.fields(["options", "questions", "rawInput"]);
    let [method, id, offered] =
        pending.extra.map_or([None; 3], |extra| extra.fields(["method", "requestId", "availableDecisions"]));
    let method = string(method).unwrap_or_default();
    if !(method.contains('/') || method.ends_with("Approval")) {
        return Err(ReplyError::new("reply.no-channel", "only the app-server takes answers"));
    }
    let Some(id) = id else {
        return Err(ReplyError::new("reply.minted-id", "the request came without an id"));
    };
    let result = if pending.is_question() {
        answered(&method, questions, choice)?
    } else {
        let word = decision(options, choice)?;
        match &*method {
            "item/permissions/requestApproval" => granted(word, input),
            _ => decided(&method, word, offered),
        }
    };
    let mut out = String::new();
    ObjectWriter::new(&mut out).raw("id", id.raw()).raw("result", &result).finish();
    Ok(out)
}

/// The chosen decision, if the request offers it.
fn decision(options: Option<Value<'_>>, choice: &Choice<'_>) -> Result<&'static str, ReplyError> {
    let id = match *choice {
        Choice::Cancel => return Ok("cancel"),
        Choice::Answers(_) => {
            return Err(ReplyError::new("reply.unknown-option", "this is an approval: choose an option"));
        }
        Choice::Option { edited_input: Some(_), .. } => {
            return Err(ReplyError::new("reply.not-editable", "the arguments can not be changed"));
        }
        Choice::Option { id, .. } => id,
    };
    let mut offered = elements(options);
    let is_offered = offered.any(|option| string(option.get("optionId")).as_deref() == Some(id));
    match DECISIONS.iter().find(|(known, ..)| *known == id && is_offered) {
        Some((known, ..)) => Ok(known),
        None => Err(ReplyError::new("reply.unknown-option", "the request does not offer this option")),
    }
}

/// `{decision}`: a word, the rule that was offered under it, or the word of the first protocol.
fn decided(method: &str, word: &str, offered: Option<Value<'_>>) -> String {
    let offered = elements(offered);
    let mut rules = offered.filter(|decision| decision.object().is_some());
    let rule = rules.find(|decision| id_of(*decision).as_deref() == Some(word));
    let mut value = String::new();
    match rule {
        Some(rule) => value.push_str(rule.raw()),
        None => {
            let is_first = !method.contains('/');
            let first = FIRST_WORDS.iter().find(|(new, _)| *new == word && is_first);
            write_string(&mut value, first.map_or(word, |(_, first)| first));
        }
    }
    let mut out = String::new();
    ObjectWriter::new(&mut out).raw("decision", &value).finish();
    out
}

/// The permissions that were asked for, or none.
fn granted(word: &str, input: Option<Value<'_>>) -> String {
    let asked = input.and_then(|input| input.get("permissions")).filter(|_| word.starts_with("accept"));
    let scope = if word == "acceptForSession" { "session" } else { "turn" };
    let mut out = String::new();
    ObjectWriter::new(&mut out)
        .raw("permissions", asked.map_or("{}", Value::raw))
        .text("scope", scope)
        .finish();
    out
}

/// The answers to the questions of the agent, or to the form of a server.
fn answered(method: &str, questions: Option<Value<'_>>, choice: &Choice<'_>) -> Result<String, ReplyError> {
    let answers = match choice {
        Choice::Answers(answers) if answers.object().is_some() => Some(*answers),
        Choice::Cancel => None,
        _ => return Err(ReplyError::new("reply.answers-required", "answer a question with `answers`")),
    };
    let mut out = String::new();
    let mut writer = ObjectWriter::new(&mut out);
    if method == "mcpServer/elicitation/request" {
        writer.text("action", if answers.is_some() { "accept" } else { "cancel" });
        match answers {
            Some(answers) => writer.raw("content", answers.raw()),
            None => writer.raw("content", "null"),
        };
    } else {
        let mut list = String::new();
        let mut given = ObjectWriter::new(&mut list);
        for question in elements(questions) {
            let id = string(question.get("id")).unwrap_or_default();
            let Some(answer) = answers.and_then(|answers| answers.get(&id)) else { continue };
            let mut wrapped = String::new();
            ObjectWriter::new(&mut wrapped).raw("answers", answer.raw()).finish();
            given.raw(&id, &wrapped);
        }
        given.finish();
        writer.raw("answers", &list);
    }
    writer.finish();
    Ok(out)
}
