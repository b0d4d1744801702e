//! Answering an extension's question: the `extension_ui_response` to write to the program's standard input.

use crate::dialect::harness::ask::{Chosen, chosen};
use crate::dialect::harness::text_at;
use crate::dialect::{Choice, ReplyError};
use crate::json::{ObjectWriter, Value};

/// Makes the JSON line for one interrupt event and one choice.
pub(super) fn reply(event: Value<'_>, choice: &Choice<'_>) -> Result<String, ReplyError> {
    let (id, chosen) = chosen(event, choice)?;
    let method = event.get("extra").and_then(|extra| text_at(extra, "method")).unwrap_or_default();
    let mut line = String::new();
    let mut writer = ObjectWriter::new(&mut line);
    writer.text("type", "extension_ui_response").text("id", &id);
    match chosen {
        Chosen::Cancel => writer.bool("cancelled", true),
        Chosen::Option(word, _) => writer.text("value", word),
        Chosen::Answers(answers) => {
            let first = answers.first().and_then(|(_, texts)| texts.first()).map(|text| &**text);
            match (&*method, first) {
                ("confirm", Some(text @ ("true" | "false"))) => writer.bool("confirmed", text == "true"),
                ("confirm", _) | (_, None) => {
                    return Err(ReplyError::new("reply.answers-required", "answer `true` or `false`"));
                }
                (_, Some(text)) => writer.text("value", text),
            }
        }
    }
    .finish();
    Ok(line)
}
