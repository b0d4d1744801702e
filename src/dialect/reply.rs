//! Answering an interrupt: from the interrupt event and a choice to the JSON to send back. Nothing is sent here.
//!
//! Fails closed: a choice that does not fit is an error, never an approval.

use std::borrow::Cow;

use crate::dialect::walk::elements;
use crate::json::Value;

/// What the user chose.
#[derive(Clone, Copy, Debug)]
pub enum Choice<'a> {
    /// One of the interrupt's options.
    Option {
        /// Its `optionId`.
        id: &'a str,
        /// Text of the user, e.g. a reason.
        message: Option<&'a str>,
        /// Full replacement of the arguments, where the interrupt is `editable`.
        edited_input: Option<Value<'a>>,
    },
    /// Answers to questions: a JSON object `{question id: [text]}`.
    Answers(Value<'a>),
    /// No answer: the user turned away.
    Cancel,
}

/// Why no reply can be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplyError {
    /// Stable: `reply.no-channel`, `reply.not-an-interrupt`, `reply.unknown-option`, `reply.minted-id`,
    /// `reply.not-editable`, `reply.message-required`, `reply.answers-required`.
    pub code: &'static str,
    /// One sentence that names the right call.
    pub message: String,
}

impl ReplyError {
    /// An error from its parts.
    pub fn new(code: &'static str, message: impl Into<String>) -> Self {
        ReplyError { code, message: message.into() }
    }
}

impl std::fmt::Display for ReplyError {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}: {}", self.code, self.message)
    }
}

impl std::error::Error for ReplyError {}

/// The interrupt event that is answered.
#[derive(Clone, Copy)]
pub(super) struct Pending<'a> {
    pub update: Value<'a>,
    pub extra: Option<Value<'a>>,
}

impl<'a> Pending<'a> {
    /// # Errors
    /// The event is no interrupt.
    pub fn read(event: Value<'a>) -> Result<Pending<'a>, ReplyError> {
        let [update, extra] = event.fields(["update", "extra"]);
        let pending = Pending { update: update.unwrap_or(event), extra };
        match pending.text("sessionUpdate").as_deref() {
            Some("interrupt") => Ok(pending),
            _ => Err(ReplyError::new("reply.not-an-interrupt", "pass the interrupt event as it came")),
        }
    }

    /// A text of the update.
    pub fn text(&self, name: &str) -> Option<Cow<'a, str>> {
        self.update.get(name)?.str()
    }

    /// A text of the wire's own words beside it.
    pub fn extra_text(&self, name: &str) -> Option<Cow<'a, str>> {
        self.extra?.get(name)?.str()
    }

    /// The id on the wire.
    ///
    /// # Errors
    /// The wire gave none, so no answer can name the request.
    pub fn wire_id(&self) -> Result<Cow<'a, str>, ReplyError> {
        let id = self.text("interruptId").filter(|_| self.text("idSource").as_deref() == Some("wire"));
        id.ok_or_else(|| {
            ReplyError::new("reply.minted-id", "the request came without an id, so no answer can name it")
        })
    }

    pub fn is_question(&self) -> bool {
        self.text("kind").as_deref() == Some("question")
    }

    pub fn questions(&self) -> Vec<Value<'a>> {
        elements(self.update.get("questions")).collect()
    }

    /// # Errors
    /// The event does not offer this option; what was not offered is never sent.
    pub fn check_offered(&self, id: &str) -> Result<(), ReplyError> {
        let mut offered = elements(self.update.get("options"));
        match offered.any(|option| option.get("optionId").and_then(Value::str).as_deref() == Some(id)) {
            true => Ok(()),
            false => Err(unknown_option(id)),
        }
    }
}

/// There is no such option.
pub(super) fn unknown_option(id: &str) -> ReplyError {
    ReplyError::new("reply.unknown-option", ["this interrupt has no option `", id, "`"].concat())
}

/// Makes the JSON text to send for one interrupt. The first argument is the interrupt event as JSON
/// (`{update: {sessionUpdate: "interrupt", ..}, extra?, ..}`).
pub type ReplyFn = fn(Value<'_>, &Choice<'_>) -> Result<String, ReplyError>;
