//! What framing hands on: records, skipped spans, diagnostics, and where each of them stands.

/// Where a record stands in the stream, after decoding (a UTF-16 file counts its UTF-8 bytes).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Source {
    /// First byte, counted from the start of the stream.
    pub offset: u64,
    /// Bytes, without the record's terminator.
    pub length: u64,
    /// Line of the first byte, counted from 1.
    pub line: u64,
    /// Which input, where one run came in several files: 0 is the stream itself, the others are counted from 1.
    pub input: u32,
}

/// One record: the unit a dialect reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record<'a> {
    /// The payload, well-formed UTF-8: a line without its terminator, or the joined `data` of one SSE event.
    pub body: &'a str,
    /// SSE `event` name; `None` where the stream named none (the grammar's `message`).
    pub event: Option<&'a str>,
    /// SSE last event id in force at this event; `None` when empty or not SSE.
    pub id: Option<&'a str>,
    /// The bytes it came from.
    pub source: Source,
}

/// Why bytes belong to no record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Skipped {
    /// Line ends, blank lines, the blank line of an SSE block, whitespace around array elements.
    Separator,
    /// A byte order mark.
    ByteOrderMark,
    /// An SSE comment line: a heartbeat.
    Comment,
    /// SSE fields that carry no data (`retry`, an unknown name, an `event` or `id` without data), with any comments
    /// between them.
    Field,
    /// An SSE block that the end of the stream left open.
    Unterminated,
    /// Bytes beyond a limit, or of an input that is not UTF-8 text at all, or of an HTML page after its head. A
    /// diagnostic (`limit.*`, `enc.*`, `sse.not-sse-body`) names them.
    OverLimit,
}

/// How bad a diagnostic is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// A normal variant of the format.
    Info,
    /// Something was repaired or looks odd; the content is complete.
    Warn,
    /// Content is missing or could not be read.
    Error,
}

/// One remark about the input. The stream goes on after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Stable code, kebab-case words under a dotted room name: `sse.eof-partial`, `json.invalid`.
    pub code: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// One sentence for people. Never match on it.
    pub message: String,
    /// Byte offset in the stream.
    pub offset: u64,
    /// Line of that byte, from 1.
    pub line: u64,
    /// Which input, as [`Source::input`].
    pub input: u32,
}

/// The rest of a chunk, from a place where a record may begin, and how the record before it was wrapped.
#[derive(Clone, Copy, Debug)]
pub struct Stretch<'a> {
    /// The rest of the chunk.
    pub bytes: &'a [u8],
    /// Where its first byte stands in the stream.
    pub offset: u64,
    /// Line of that byte, from 1.
    pub line: u64,
    /// What stood between the first byte of the record before and its body; nothing in JSON lines.
    pub lead: &'a [u8],
    /// What stood between its body and the next record.
    pub close: &'a [u8],
    /// Line ends in `lead` and `close`.
    pub lines: u64,
    /// SSE `event` name in `lead`.
    pub event: Option<&'a str>,
    /// A longer record, `lead` included, must be left alone.
    pub max_record_bytes: u64,
}

impl Stretch<'_> {
    /// Where the body of a record begins that is wrapped as the one before and begins at `at`.
    pub fn body_after(&self, at: usize) -> Option<usize> {
        self.behind(at, self.lead)
    }

    /// Where the next record may begin if a body ends at `at`.
    pub fn close_after(&self, at: usize) -> Option<usize> {
        self.behind(at, self.close)
    }

    #[inline]
    fn behind(&self, at: usize, piece: &[u8]) -> Option<usize> {
        let end = at + piece.len();
        // A few bytes: a loop over them beats the memcmp of wasm.
        self.bytes.get(at..end)?.iter().eq(piece).then_some(end)
    }
}

/// What a sink took off the front of a [`Stretch`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Taken {
    /// Whole records, each with its `lead` and `close`.
    pub records: u64,
    /// Their bytes.
    pub bytes: usize,
}

/// Takes what a framer finds, in input order.
pub trait RecordSink {
    /// What the bytes are, told once, before the first record.
    fn container(&mut self, _container: super::Container) {}
    /// A record is complete.
    fn record(&mut self, record: Record<'_>);
    /// Bytes that belong to no record.
    fn skipped(&mut self, source: Source, why: Skipped);
    /// A remark about the input.
    fn diagnostic(&mut self, diagnostic: Diagnostic);
    /// Offered before records are cut: a sink that recognises the next ones as they stand may take them itself, with what
    /// lies between them. A record so taken is well-formed UTF-8 without a line end in its body.
    fn stretch(&mut self, _stretch: &Stretch<'_>) -> Taken {
        Taken::default()
    }
}
