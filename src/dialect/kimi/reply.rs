//! Answering a wire request: the JSON-RPC response to write to the agent.

use crate::dialect::harness::ask::{Chosen, chosen};
use crate::dialect::{Choice, ReplyError};
use crate::json::{ObjectWriter, Value};

/// Makes the response for one interrupt event and one choice.
pub(super) fn reply(event: Value<'_>, choice: &Choice<'_>) -> Result<String, ReplyError> {
    let (id, chosen) = chosen(event, choice)?;
    let Some(request) = event.get("extra").and_then(|extra| extra.get("requestId")) else {
        return Err(ReplyError::new(
            "reply.no-channel",
            "a saved request cannot be answered; only one of `--wire` can",
        ));
    };
    let is_question = event
        .get("update")
        .and_then(|update| update.get("kind")?.str())
        .is_some_and(|kind| kind == "question");
    let mut result = String::new();
    let mut object = ObjectWriter::new(&mut result);
    object.text("request_id", &id);
    match chosen {
        Chosen::Option(word, message) => {
            object.text("response", word);
            if let Some(message) = message {
                object.text("feedback", message);
            }
        }
        Chosen::Cancel if is_question => {
            object.raw("answers", "{}");
        }
        Chosen::Cancel => {
            object.text("response", "reject");
        }
        // Keyed by the question's text.
        Chosen::Answers(answers) => {
            let mut keyed = String::new();
            let mut writer = ObjectWriter::new(&mut keyed);
            for (question, texts) in &answers {
                if !texts.is_empty() {
                    writer.text(question, &texts.join(", "));
                }
            }
            writer.finish();
            object.raw("answers", &keyed);
        }
    }
    object.finish();
    let mut line = String::new();
    ObjectWriter::new(&mut line)
        .text("jsonrpc", "2.0")
        .raw("id", request.raw())
        .raw("result", &result)
        .finish();
    Ok(line)
}
