//! Why no more bytes come.

use wasm_bindgen::{JsCast, JsValue};

/// Why a source failed. Bytes that came before stay valid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceError {
    /// Stable: `conn.status`, `conn.content-type`, `conn.network`, `conn.aborted`, `conn.idle`, `conn.request`,
    /// `conn.locked`.
    pub code: &'static str,
    /// One sentence for people.
    pub message: String,
    /// HTTP status, for `conn.status`.
    pub status: Option<u16>,
    /// Beginning of the body, at most 64 KiB, for `conn.status` and `conn.content-type`.
    pub body: Option<String>,
}

impl SourceError {
    pub(super) fn new(code: &'static str, message: impl Into<String>) -> Self {
        SourceError { code, message: message.into(), status: None, body: None }
    }

    pub(super) fn aborted() -> Self {
        SourceError::new("conn.aborted", "the connection was closed from this side")
    }

    pub(super) fn idle(idle_ms: Option<u32>) -> Self {
        SourceError::new("conn.idle", format!("no byte came for {} ms", idle_ms.unwrap_or_default()))
    }

    pub(super) fn network(error: &JsValue) -> Self {
        SourceError::new("conn.network", format!("the connection failed: {}", words_of(error)))
    }
}

/// What an error of the platform says.
pub(super) fn words_of(error: &JsValue) -> String {
    match error.dyn_ref::<js_sys::Error>() {
        Some(error) => String::from(error.message()),
        None => error.as_string().unwrap_or_else(|| "no reason was given".to_owned()),
    }
}

impl std::fmt::Display for SourceError {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}: {}", self.code, self.message)
    }
}

impl std::error::Error for SourceError {}
