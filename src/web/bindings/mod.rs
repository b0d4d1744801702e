//! What the npm package's wrapper calls: handles, and functions of one call.
//!
//! Bytes come in by being written into a handle's input buffer, events leave as one packed batch, everything small as
//! JSON text or by serde-wasm-bindgen. The wrapper (pkg/src) makes friendly objects of it; nothing here is documented
//! for users.

mod normalizer;
mod options;
mod report;
#[cfg(target_arch = "wasm32")]
mod source;
mod transcript;
mod window;

use js_sys::{Error, Reflect};
use wasm_bindgen::prelude::*;

use crate::dialect::{Choice, row_by_name, rows};
use crate::json::{ObjectWriter, Value};

/// The version of the crate this module was built from.
#[wasm_bindgen]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}

/// Names of all dialects.
#[wasm_bindgen(js_name = dialectNames)]
pub fn dialect_names() -> Vec<String> {
    rows().iter().map(|row| row.name.to_owned()).collect()
}

/// Recognises the beginning of a stream: JSON `{dialect?, container?, why}`.
#[wasm_bindgen]
pub fn detect(head: &[u8]) -> String {
    let found = crate::detect(head);
    let mut out = String::new();
    let mut object = ObjectWriter::new(&mut out);
    if let Some(dialect) = found.dialect {
        object.text("dialect", dialect);
    }
    if let Some(container) = found.container {
        object.text("container", container.name());
    }
    object.text("why", &found.why);
    object.finish();
    out
}

/// Breaches of the normal form in events that stand one per line: a JSON array of `{promise, event, message}`.
#[wasm_bindgen(js_name = checkNormalForm)]
pub fn check_normal_form(events: &str) -> String {
    let mut out = String::from("[");
    for breach in crate::check_normal_form(events) {
        if out.len() > 1 {
            out.push(',');
        }
        let mut object = ObjectWriter::new(&mut out);
        object.text("promise", breach.promise).number("event", breach.event).text("message", &breach.message);
        object.finish();
    }
    out.push(']');
    out
}

/// The JSON text that answers an interrupt.
///
/// `event`: the interrupt event as JSON. `choice`: `{optionId, message?, editedInput?}`, `{answers}` or `{cancel: true}`.
#[wasm_bindgen]
pub fn reply(dialect: &str, event: &str, choice: &str) -> Result<String, JsValue> {
    let Some(row) = row_by_name(dialect) else {
        let known: Vec<&str> = rows().iter().map(|row| row.name).collect();
        let message = format!("no dialect is called {dialect:?}: use one of {}", known.join(", "));
        return Err(error("option.dialect", &message));
    };
    let Some(reply) = row.reply else {
        let message = format!("{dialect} has no channel back: answer in the agent's own interface");
        return Err(error("reply.no-channel", &message));
    };
    let read = |text| Value::parse(text).map_err(|invalid| error("reply.not-json", invalid.message));
    let (event, choice) = (read(event)?, read(choice)?);
    let [id, message, edited, answers, cancel] =
        choice.fields(["optionId", "message", "editedInput", "answers", "cancel"]);
    let id = id.and_then(Value::str);
    let message = message.and_then(Value::str);
    let choice = match (&id, answers, cancel.and_then(Value::bool)) {
        (Some(id), None, None) => Choice::Option { id, message: message.as_deref(), edited_input: edited },
        (None, Some(answers), None) => Choice::Answers(answers),
        (None, None, Some(true)) => Choice::Cancel,
        _ => {
            let message = "a choice is one of { optionId }, { answers } and { cancel: true }";
            return Err(error("reply.choice", message));
        }
    };
    reply(event, &choice).map_err(|refused| error(refused.code, &refused.message))
}

/// A JavaScript `Error` with a stable `code`; the wrapper turns it into its own class.
fn error(code: &str, message: &str) -> JsValue {
    let error = Error::new(message);
    // Setting a property of a fresh object cannot fail.
    let _ = Reflect::set(&error, &"code".into(), &code.into());
    error.into()
}
