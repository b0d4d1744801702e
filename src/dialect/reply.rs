//! Answering an interrupt: from the interrupt event and a choice to the JSON to send back. Nothing is sent here.
//!
//! Fails closed: a choice that does not fit is an error, never an approval.

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

/// Makes the JSON text to send for one interrupt. The first argument is the interrupt event as JSON
/// (`{update: {sessionUpdate: "interrupt", ..}, extra?, ..}`).
pub type ReplyFn = fn(Value<'_>, &Choice<'_>) -> Result<String, ReplyError>;
