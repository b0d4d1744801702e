//! Reads the case files, feeds framers, and writes what came out in the notation of the files.
//!
//! Notation of bytes: `⏎` LF, `␍` CR, `␀` NUL, `⇥` tab, `␞` RS, `␠` a space at the end of a line, `⟨EFBBBF⟩` bytes
//! in hex, `⟨78*2048⟩` a run of one of them; anything else stands for itself. A case is
//!
//! ```text
//! case <what it shows>
//! container sse | detect | limit <max_record_bytes>      options, in any number
//! in <bytes>                                             one line per connection
//! record <offset>+<length>:<line> <event>|<id>|<body>    what the sink sees, in order; separators are left out,
//! skip <why> <offset>+<length>:<line>                      since they are whatever lies between
//! diagnostic <code> <severity> <offset>:<line>
//! end <container> id=<last event id> retry=<ms>          the state afterwards
//! ```

use agent_ui_events::framing::{
    Container, Diagnostic, Framer, FramingOptions, Record, RecordSink, Severity, Skipped, Source,
};

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Seen {
    Record { body: String, event: Option<String>, id: Option<String>, source: Source },
    Skipped { source: Source, why: Skipped },
    Diagnostic(Diagnostic),
}

impl Seen {
    /// The bytes it accounts for.
    pub fn source(&self) -> Option<Source> {
        match self {
            Seen::Record { source, .. } | Seen::Skipped { source, .. } => Some(*source),
            Seen::Diagnostic(_) => None,
        }
    }
}

/// Everything a framer said, in order.
#[derive(Debug, Default)]
pub struct Collect(pub Vec<Seen>);

impl Collect {
    pub fn records(&self) -> usize {
        self.0.iter().filter(|seen| matches!(seen, Seen::Record { .. })).count()
    }

    pub fn bodies(&self) -> Vec<&str> {
        fn body(seen: &Seen) -> Option<&str> {
            match seen {
                Seen::Record { body, .. } => Some(body),
                _ => None,
            }
        }
        self.0.iter().filter_map(body).collect()
    }

    pub fn codes(&self) -> Vec<&'static str> {
        let code = |seen: &Seen| match seen {
            Seen::Diagnostic(diagnostic) => Some(diagnostic.code),
            _ => None,
        };
        self.0.iter().filter_map(code).collect()
    }
}

impl RecordSink for Collect {
    fn record(&mut self, record: Record<'_>) {
        self.0.push(Seen::Record {
            body: record.body.to_owned(),
            event: record.event.map(str::to_owned),
            id: record.id.map(str::to_owned),
            source: record.source,
        });
    }

    fn skipped(&mut self, source: Source, why: Skipped) {
        self.0.push(Seen::Skipped { source, why });
    }

    fn diagnostic(&mut self, diagnostic: Diagnostic) {
        self.0.push(Seen::Diagnostic(diagnostic));
    }
}

pub struct Case {
    pub name: String,
    pub options: FramingOptions,
    pub connections: Vec<Vec<u8>>,
    pub expected: Vec<String>,
}

pub fn read_cases(text: &str, container: Option<Container>) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        if word == "case" {
            let options = FramingOptions { container, ..FramingOptions::default() };
            let (connections, expected) = (Vec::new(), Vec::new());
            cases.push(Case { name: rest.to_owned(), options, connections, expected });
            continue;
        }
        let case = cases.last_mut().expect("a case line comes first");
        match word {
            "detect" => case.options.container = None,
            "container" => case.options.container = Some(container_named(rest)),
            "limit" => case.options.max_record_bytes = rest.parse().expect("a number"),
            "in" => case.connections.push(decode(rest)),
            "record" | "skip" | "diagnostic" | "end" => case.expected.push(line.to_owned()),
            _ => panic!("unknown word {word} in case {}", case.name),
        }
    }
    cases
}

fn container_named(name: &str) -> Container {
    let all = [
        Container::Sse,
        Container::JsonLines,
        Container::JsonArray,
        Container::JsonSequence,
        Container::Html,
    ];
    *all.iter().find(|container| container.name() == name).expect("a container's name")
}

/// Bytes from the notation.
pub fn decode(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = text.chars();
    while let Some(character) = rest.next() {
        match character {
            '⏎' => bytes.push(b'\n'),
            '␍' => bytes.push(b'\r'),
            '␀' => bytes.push(0),
            '⇥' => bytes.push(b'\t'),
            '␞' => bytes.push(0x1E),
            '␠' => bytes.push(b' '),
            '⟨' => {
                let inner: String = rest.by_ref().take_while(|end| *end != '⟩').collect();
                let (hex, times) = inner.split_once('*').unwrap_or((&inner, "1"));
                let digits: Vec<char> = hex.chars().filter(|digit| *digit != ' ').collect();
                let pair =
                    |pair: &[char]| u8::from_str_radix(&String::from_iter(pair), 16).expect("hex digits");
                let run: Vec<u8> = digits.chunks(2).map(pair).collect();
                bytes.extend(run.repeat(times.parse().expect("a count")));
            }
            other => bytes.extend(other.to_string().as_bytes()),
        }
    }
    bytes
}

/// The notation of a text.
pub fn encode(text: &str) -> String {
    let mut written = String::new();
    let mut rest = text.chars().peekable();
    while let Some(character) = rest.next() {
        let mut times = 1;
        while rest.next_if_eq(&character).is_some() {
            times += 1;
        }
        let one = match character {
            '\n' => "⏎".to_owned(),
            '\r' => "␍".to_owned(),
            '\0' => "␀".to_owned(),
            '\t' => "⇥".to_owned(),
            '\u{1E}' => "␞".to_owned(),
            '\u{FEFF}' | '\u{2028}' | '\u{2029}' => hex(character),
            control if control.is_control() => hex(control),
            plain => plain.to_string(),
        };
        if times > 16 {
            written += &format!("⟨{}*{times}⟩", hex(character).trim_matches(['⟨', '⟩']));
        } else {
            written += &one.repeat(times);
        }
    }
    match written.strip_suffix(' ') {
        Some(start) => format!("{start}␠"),
        None => written,
    }
}

fn hex(character: char) -> String {
    let digits: String = character.to_string().bytes().map(|byte| format!("{byte:02X}")).collect();
    format!("⟨{digits}⟩")
}

fn place(source: &Source) -> String {
    format!("{}+{}:{}", source.offset, source.length, source.line)
}

/// What the sink saw and what the framer knows at the end, in the notation.
pub fn written(seen: &[Seen], framer: &Framer) -> Vec<String> {
    let mut lines: Vec<String> = seen.iter().filter_map(written_one).collect();
    let container = framer.container().map_or("-", Container::name);
    let retry = framer.retry_ms().map_or("-".to_owned(), |ms| ms.to_string());
    lines.push(format!("end {container} id={} retry={retry}", encode(framer.last_event_id())));
    lines
}

fn written_one(seen: &Seen) -> Option<String> {
    Some(match seen {
        Seen::Record { body, event, id, source } => {
            let event = event.as_deref().unwrap_or_default();
            let id = id.as_deref().unwrap_or_default();
            format!("record {} {}|{}|{}", place(source), encode(event), encode(id), encode(body))
        }
        Seen::Skipped { why: Skipped::Separator, .. } => return None,
        Seen::Skipped { source, why } => {
            let why = match why {
                Skipped::Separator => "separator",
                Skipped::ByteOrderMark => "byte-order-mark",
                Skipped::Comment => "comment",
                Skipped::Field => "field",
                Skipped::Unterminated => "unterminated",
                Skipped::OverLimit => "over-limit",
            };
            format!("skip {why} {}", place(source))
        }
        Seen::Diagnostic(Diagnostic { code, severity, offset, line, .. }) => {
            let severity = match severity {
                Severity::Info => "info",
                Severity::Warn => "warn",
                Severity::Error => "error",
            };
            format!("diagnostic {code} {severity} {offset}:{line}")
        }
    })
}

/// A framer fed connection by connection, each cut by `cut` into chunks.
pub fn run(
    options: &FramingOptions,
    connections: &[Vec<u8>],
    mut cut: impl FnMut(&[u8]) -> Vec<usize>,
) -> (Framer, Collect) {
    let mut framer = Framer::new(options.clone());
    let mut collect = Collect::default();
    for bytes in connections {
        feed(&mut framer, bytes, &cut(bytes), &mut collect);
        framer.end(&mut collect);
    }
    (framer, collect)
}

/// Pushes `bytes` in chunks of these lengths, then what is left.
pub fn feed(framer: &mut Framer, bytes: &[u8], lengths: &[usize], sink: &mut dyn RecordSink) {
    let mut rest = bytes;
    for length in lengths {
        let (chunk, after) = rest.split_at((*length).min(rest.len()));
        // A copy that dies at once, so that nothing can live on the bytes of an earlier chunk.
        let copy = chunk.to_vec();
        framer.push(&copy, sink);
        rest = after;
    }
    framer.push(rest, sink);
}

/// Panics unless the spans follow each other from 0 to `bytes`, lines count right, and separators hold nothing else.
pub fn assert_tiles(seen: &[Seen], bytes: &[u8], name: &str) {
    let mut at = 0u64;
    for source in seen.iter().filter_map(Seen::source) {
        assert_eq!(source.offset, at, "{name}: a gap or an overlap before {source:?}");
        assert!(source.length > 0, "{name}: an empty span at {at}");
        at += source.length;
    }
    assert_eq!(at, bytes.len() as u64, "{name}: the end is not accounted for");
    for one in seen {
        if let Seen::Skipped { source, why: Skipped::Separator } = one {
            let span = &bytes[source.offset as usize..(source.offset + source.length) as usize];
            let is_separator = |byte: &u8| b" \t\r\n[],\x1E".contains(byte);
            assert!(span.iter().all(is_separator), "{name}: {source:?} hides {span:?}");
        }
    }
}

/// A small generator: the same numbers on every run and target.
pub struct Numbers(pub u64);

impl Numbers {
    pub fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }

    /// Chunk lengths for so many bytes, with empty chunks among them.
    pub fn cuts(&mut self, bytes: usize) -> Vec<usize> {
        let (mut lengths, mut left) = (Vec::new(), bytes);
        let widest = 1 + self.below(1 + bytes as u64).min(1 + self.below(40));
        while left > 0 {
            let length = self.below(widest + 1) as usize;
            lengths.push(length);
            left = left.saturating_sub(length);
        }
        lengths
    }
}
