//! What a framer is told before the first byte: the container, and how much it may hold.

/// What the bytes are: the outermost structure records are cut from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Container {
    /// `text/event-stream`: one record per event that carries data.
    Sse,
    /// One record per line, whatever stands on it: JSON, a log line, prose.
    JsonLines,
    /// One JSON array; a record per element, whichever lines it spans.
    JsonArray,
    /// Values that may span lines: RFC 7464, each after a record separator (`1E`), or a pretty-printed document.
    JsonSequence,
    /// An HTML page where a stream was expected: its head is the one record.
    Html,
}

impl Container {
    /// Stable lower-case name, for reports and options.
    pub const fn name(self) -> &'static str {
        match self {
            Container::Sse => "sse",
            Container::JsonLines => "json-lines",
            Container::JsonArray => "json-array",
            Container::JsonSequence => "json-sequence",
            Container::Html => "html",
        }
    }
}

/// Settings of a [`Framer`](super::Framer).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FramingOptions {
    /// The container, when the caller knows it (a MIME type, a format chosen by hand); `None`, the default, detects it.
    ///
    /// With `Some(Container::Sse)` only a byte order mark is looked for: an event stream is UTF-8 by definition.
    pub container: Option<Container>,
    /// Longest record, in bytes of input: a line, an array element, or an SSE block from its first field to the end of
    /// its last line. A longer one is skipped and reported as `limit.record-bytes`. Default 64 MiB.
    pub max_record_bytes: usize,
    /// How many diagnostics of one code reach the sink; later ones are only counted
    /// ([`Framer::suppressed`](super::Framer::suppressed)). Default 50.
    pub max_diagnostics_per_code: usize,
}

impl Default for FramingOptions {
    /// Detect the container, records up to 64 MiB, 50 diagnostics per code.
    fn default() -> Self {
        FramingOptions { container: None, max_record_bytes: 64 << 20, max_diagnostics_per_code: 50 }
    }
}
