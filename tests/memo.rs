//! Records that differ from an earlier one in a few strings take a shortcut. It must never be seen.
#![allow(clippy::unwrap_used, reason = "a test")]

use agent_ui_events::{Limits, Normalizer, Options, Transcript};
use proptest::prelude::*;

fn run(input: &[u8], memo: bool) -> String {
    run_cut(input, memo, input.len().max(1), Options::default())
}

fn run_cut(input: &[u8], memo: bool, size: usize, options: Options) -> String {
    let normalizer = Normalizer::new(options).unwrap();
    let mut normalizer = if memo { normalizer } else { normalizer.without_memo() };
    let mut transcript = Transcript::new();
    let mut events = String::new();
    let mut take = |batch: &agent_ui_events::Batch| {
        transcript.apply(batch);
        for event in batch.iter() {
            event.write_json(&mut events);
            events.push('\n');
        }
    };
    for chunk in input.chunks(size) {
        take(normalizer.push(chunk).unwrap());
    }
    take(normalizer.end().unwrap());
    events + &transcript.dump() + &format!("{:?}", normalizer.report())
}

/// Lines of the hot path of each dialect, with `{}` where a string may change.
const SHAPES: [(&str, &str); 5] = [
    (
        r#"{"type":"system","subtype":"init","session_id":"s","claude_code_version":"2","uuid":"u","model":"m","cwd":"/","apiKeySource":"none"}"#,
        r#"{"type":"stream_event","event":{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"{}"}},"session_id":"s","parent_tool_use_id":null,"uuid":"{}","api_message_id":"m1"}"#,
    ),
    (
        r#"{"type":"system","subtype":"init","session_id":"s","claude_code_version":"2","uuid":"u","model":"m","cwd":"/","apiKeySource":"none"}"#,
        r#"{"type":"stream_event","event":{"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"{}"}},"session_id":"s","uuid":"{}","api_message_id":"m1"}"#,
    ),
    (
        r#"{"sessionId":"s","update":{"sessionUpdate":"agent_thought_chunk","content":{"type":"text","text":"go"}}}"#,
        r#"{"sessionId":"s","timestamp":"{}","messageId":"m","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"{}"}}}"#,
    ),
    (
        r#"{"sessionId":"s","update":{"sessionUpdate":"agent_thought_chunk","content":{"type":"text","text":"go"}}}"#,
        r#"{"update":{"sessionUpdate":"agent_message_chunk","content":"{}"},"extra":{"turn":"{}"},"model":"x"}"#,
    ),
    (
        r#"{"type": "agent_start", "session_id": "s", "agent": "a", "cn_agent": "甲"}"#,
        r#"{"type": "token", "session_id": "s", "trace_id": "{}", "content": "{}"}"#,
    ),
];

/// What may stand in a string: plain, escaped, halves of pairs, nothing, and what ends it early.
fn content() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "",
        "a",
        "Hello ",
        "思考",
        "🌊",
        "\\n",
        "\\\"",
        "\\\\",
        "\\ud83c",
        "\\udf0a",
        "\\u00e9",
        "\\u0000",
        "\"",
        "\\",
        "\u{1}",
        "\\x",
        "\u{7f}",
        "\",\"type\":\"x",
        "{}",
        "<b>",
    ]);
    let usual =
        prop::sample::select(vec!["a", "Hello ", "思考", "0123456789abcdef0123456789", "same", "\\n"])
            .prop_map(str::to_owned);
    prop_oneof![4 => usual, 1 => prop::collection::vec(piece, 0..4).prop_map(|pieces| pieces.concat())]
}

fn line(shape: &str, strings: &[String]) -> String {
    let mut strings = strings.iter();
    shape.split("{}").enumerate().fold(String::new(), |mut line, (number, piece)| {
        if number > 0 {
            line.push_str(strings.next().map_or("", String::as_str));
        }
        line + piece
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_shortcut_is_never_seen(
        shape in 0..SHAPES.len(),
        lines in prop::collection::vec((prop::collection::vec(content(), 2), 0u8..8, any::<prop::sample::Index>(), any::<u8>()), 1..30),
    ) {
        let (first, shape) = SHAPES[shape];
        let mut input = format!("{first}\n").into_bytes();
        for (strings, change, place, byte) in lines {
            let mut line = line(shape, &strings).into_bytes();
            // Now and then one byte of a line is another one, or gone.
            match change {
                0 => { let at = place.index(line.len()); line[at] = byte; }
                1 => { line.remove(place.index(line.len())); }
                _ => {}
            }
            input.extend(line);
            input.push(b'\n');
        }
        prop_assert_eq!(run(&input, true), run(&input, false));
    }
}

/// How a record may be wrapped: before it, behind it.
const WRAPPINGS: [(&str, &str); 9] = [
    ("", "\n"),
    ("", "\r\n"),
    ("data: ", "\n\n"),
    ("data:", "\n\n"),
    ("data: ", "\r\n\r\n"),
    ("event: token\ndata: ", "\n\n"),
    ("event: token\r\ndata:", "\r\n\r\n"),
    ("data: ", "\r\r"),
    ("id: 7\ndata: ", "\n\n"),
];

/// What may stand between two SSE events or two lines.
const BETWEEN: [&str; 6] = ["", "", "", "\n", ": heartbeat\n", "retry: 5\n"];

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn records_are_the_same_however_they_are_wrapped_and_cut(
        shape in 0..SHAPES.len(),
        usual in 0..WRAPPINGS.len(),
        lines in prop::collection::vec((prop::collection::vec(content(), 2), 0..60usize, 0..40usize), 1..30),
        size in prop_oneof![1..40usize, 100..4000usize],
        limit in prop_oneof![3 => Just(1usize << 20), 1 => 120..260usize],
        invalid in 0..40usize,
    ) {
        let (first, shape) = SHAPES[shape];
        let is_lines = usual < 2;
        let mut input: Vec<u8> = Vec::new();
        let (before, behind) = WRAPPINGS[usual];
        input.extend([before, first, behind].concat().into_bytes());
        for (number, (strings, other, between)) in lines.iter().enumerate() {
            let mut line = line(shape, strings).into_bytes();
            if number == invalid {
                let at = line.len() - 12;
                line[at] = 0xff;
            }
            // Now and then an event comes in another wrapping, or something stands before it.
            let wrapping = if is_lines { usual.min(1) } else { usual };
            let wrapping = match *other {
                other if is_lines && other < 2 => other,
                other if !is_lines && other >= 2 && other < WRAPPINGS.len() => other,
                _ => wrapping,
            };
            let between = BETWEEN.get(*between).filter(|text| !is_lines || text.trim().is_empty());
            let (before, behind) = WRAPPINGS[wrapping];
            let between = between.copied().unwrap_or_default();
            input.extend([between.as_bytes(), before.as_bytes(), &line, behind.as_bytes()].concat());
        }
        let limits = Limits { max_record_bytes: limit, ..Limits::default() };
        let options = Options { limits, ..Options::default() };
        let slow = run_cut(&input, false, input.len(), options.clone());
        prop_assert_eq!(&run_cut(&input, true, input.len(), options.clone()), &slow);
        prop_assert_eq!(&run_cut(&input, true, size, options), &slow);
    }
}

#[test]
fn a_session_told_by_the_way_is_not_forgotten() {
    let line = |session: &str, text: &str| {
        format!(
            r#"{{"type":"stream_event","event":{{"type":"content_block_delta","index":0,"delta":{{"type":"text_delta","text":"{text}"}}}},{session}"uuid":"{text}","parent_tool_use_id":null}}"#
        )
    };
    let [first, second, none] = [r#""session_id":"s","#, r#""session_id":"t","#, ""];
    let start = r#"{"type":"system","subtype":"init","session_id":"s","claude_code_version":"2","uuid":"u","model":"m","cwd":"/"}"#;
    let lines = [line(first, "a"), line(second, "b"), line(first, "c"), line(none, "d"), line(none, "e")];
    let input = [start.to_owned(), lines.join("\n")].join("\n");
    assert_eq!(run(input.as_bytes(), true), run(input.as_bytes(), false));
}

#[test]
fn every_case_reads_the_same_without_the_shortcut() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    for dialect in std::fs::read_dir(root).unwrap() {
        for case in std::fs::read_dir(dialect.unwrap().path()).unwrap() {
            let case = case.unwrap().path();
            for name in ["input.jsonl", "input.sse"] {
                if let Ok(input) = std::fs::read(case.join(name)) {
                    assert!(run(&input, true) == run(&input, false), "{}", case.display());
                }
            }
        }
    }
}
