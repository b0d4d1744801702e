//! Answering the server: the body of the request to `/permission/{id}/reply` or `/question/{id}/reply`.

use crate::dialect::harness::ask::{Chosen, chosen};
use crate::dialect::{Choice, ReplyError};
use crate::json::{ObjectWriter, Value, write_string};

/// Makes the body for one interrupt event and one choice.
pub(super) fn reply(event: Value<'_>, choice: &Choice<'_>) -> Result<String, ReplyError> {
    let (_, chosen) = chosen(event, choice)?;
    let update = event.get("update").unwrap_or(event);
    let is_question = update.get("kind").and_then(Value::str).as_deref() == Some("question");
    let mut body = String::new();
    let mut writer = ObjectWriter::new(&mut body);
    match chosen {
        Chosen::Cancel if is_question => {
            return Err(ReplyError::new(
                "reply.no-channel",
                "a question is turned down at its `reject` address, without a body",
            ));
        }
        Chosen::Cancel => writer.text("reply", "reject"),
        Chosen::Option(word, message) => {
            writer.text("reply", word);
            if let Some(message) = message {
                writer.text("message", message);
            }
            &mut writer
        }
        Chosen::Answers(answers) => {
            let mut list = String::from("[");
            for (number, (_, texts)) in answers.iter().enumerate() {
                list.push_str(if number > 0 { ",[" } else { "[" });
                for (number, text) in texts.iter().enumerate() {
                    if number > 0 {
                        list.push(',');
                    }
                    write_string(&mut list, text);
                }
                list.push(']');
            }
            list.push(']');
            writer.raw("answers", &list)
        }
    }
    .finish();
    Ok(body)
}
