//! Answers for the two requests the wire has an answer for: permission and directory access.
//!
//! An answer is a JSON-RPC request of the client. Its id has to be new on the wire, and the request's own id is.

use crate::dialect::reply::{Pending, unknown_option};
use crate::dialect::{Choice, ReplyError};
use crate::json::{ObjectWriter, Value};

const PERMISSION: &str = "autohand.permissionRequest";
const DIRECTORY: &str = "autohand.directoryAccessRequest";

/// Makes the request to send.
///
/// # Errors
/// Whatever does not fit: nothing is sent then, and the CLI takes silence for a refusal.
pub fn reply(event: Value<'_>, choice: &Choice<'_>) -> Result<String, ReplyError> {
    let pending = Pending::read(event)?;
    let request = pending.extra_text("method").unwrap_or_default();
    if !matches!(&*request, PERMISSION | DIRECTORY) {
        return Err(ReplyError::new(
            "reply.no-channel",
            "Autohand answers permission and directory access requests; this is neither",
        ));
    }
    let id = pending.wire_id()?;
    let picked = Picked::of(choice, &pending, &request)?;
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
    fn of(choice: &Choice<'a>, pending: &Pending<'_>, request: &str) -> Result<Picked<'a>, ReplyError> {
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
        if request == PERMISSION && !super::permission::is_decision(id) {
            return Err(unknown_option(id));
        }
        pending.check_offered(id)?;
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
