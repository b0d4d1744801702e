//! Answers for the two requests the wire has an answer for: permission and directory access.
//!
//! An answer is a JSON-RPC request of the client. Its id has to be new on the wire, and the request's own id is.

use crate::dialect::{Choice, ReplyError};
use crate::json::{ObjectWriter, Value};

const PERMISSION: &str = "autohand.permissionRequest";
const DIRECTORY: &str = "autohand.directoryAccessRequest";

/// Makes the request to send.
///
/// # Errors
/// Whatever does not fit: nothing is sent then, and the CLI takes silence for a refusal.
pub fn reply(event: Value<'_>, choice: &Choice<'_>) -> Result<String, ReplyError> {
    let [update, extra] = event.fields(["update", "extra"]);
    let update = update.unwrap_or(event);
    let [type_, id, source, options] = update.fields(["sessionUpdate", "interruptId", "idSource", "options"]);
    let word = |field: Option<Value<'_>>| field.and_then(Value::str).unwrap_or_default().into_owned();
    if word(type_) != "interrupt" {
        return Err(ReplyError::new("reply.not-an-interrupt", "give the `interrupt` event itself"));
    }
    let request = word(extra.and_then(|extra| extra.get("method")));
    if !matches!(&*request, PERMISSION | DIRECTORY) {
        return Err(ReplyError::new(
            "reply.no-channel",
            "Autohand answers permission and directory access requests; this is neither",
        ));
    }
    if word(source) != "wire" {
        return Err(ReplyError::new(
            "reply.minted-id",
            "the request came without an id, so no answer can reach it",
        ));
    }
    let picked = Picked::of(choice, options, &request)?;
    let id = word(id);
    let mut params = String::new();
    let mut object = ObjectWriter::new(&mut params);
    object.text("requestId", &id);
    if request == DIRECTORY {
        object.bool("granted", picked.id == "grant");
    } else {
        object.text("decision", picked.id);
        if let Some(text) = picked.alternative {
            object.text("alternative", text);
        }
    }
    object.finish();
    let method = if request == PERMISSION {
        "autohand.permissionResponse"
    } else {
        "autohand.directoryAccessResponse"
    };
    let mut out = String::new();
    ObjectWriter::new(&mut out)
        .text("jsonrpc", "2.0")
        .text("id", &id)
        .text("method", method)
        .raw("params", &params)
        .finish();
    Ok(out)
}

struct Picked<'a> {
    id: &'a str,
    /// What to do instead.
    alternative: Option<&'a str>,
}

impl<'a> Picked<'a> {
    fn of(choice: &Choice<'a>, options: Option<Value<'_>>, request: &str) -> Result<Picked<'a>, ReplyError> {
        let (id, message, edited) = match *choice {
            Choice::Option { id, message, edited_input } => (id, message, edited_input),
            Choice::Answers(_) => {
                return Err(ReplyError::new(
                    "reply.unknown-option",
                    "this is an approval: choose one of its options",
                ));
            }
            Choice::Cancel => {
                let refusal = if request == PERMISSION { "deny_once" } else { "deny" };
                return Ok(Picked { id: refusal, alternative: None });
            }
        };
        let offered = options.and_then(Value::array).into_iter().flatten();
        let mut offered = offered.filter_map(|option| option.get("optionId").and_then(Value::str));
        let known = request == DIRECTORY || super::permission::is_decision(id);
        if !known || !offered.any(|option| option == id) {
            return Err(ReplyError::new(
                "reply.unknown-option",
                ["`", id, "` is not an option of this request"].concat(),
            ));
        }
        if edited.is_some() {
            return Err(ReplyError::new(
                "reply.not-editable",
                "the arguments can not be changed; choose `alternative` with a message instead",
            ));
        }
        let alternative = (id == "alternative").then(|| message.map_or("", str::trim));
        if alternative.is_some_and(str::is_empty) {
            return Err(ReplyError::new(
                "reply.message-required",
                "`alternative` needs a message: what to do instead",
            ));
        }
        Ok(Picked { id, alternative })
    }
}
