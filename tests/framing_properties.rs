//! What holds for any bytes: cuts, tiling, line numbers, reset, and strict SSE against a model that reads it differently.

#[path = "framing/cases.rs"]
#[allow(dead_code)]
mod cases;

use agent_ui_events::framing::{Container, Framer, FramingOptions, Skipped};
use cases::{Collect, Seen, assert_tiles, feed, run, written};
use proptest::collection::vec;
use proptest::prelude::*;

/// Pieces that mean something to one of the grammars; random bytes alone would hardly ever meet them.
const PIECES: [&[u8]; 44] = [
    b"\n",
    b"\r",
    b"\r\n",
    b"\n\n",
    b"data",
    b"data:",
    b"data: ",
    b"event",
    b"event: a",
    b"id",
    b"id: 7",
    b"retry:",
    b"retry: 12",
    b":",
    b" ",
    b"x",
    b"12",
    b"\0",
    b"\t",
    b"\xEF\xBB\xBF",
    b"\xEF",
    b"\xBB\xBF",
    b"\xFF",
    b"\xFF\xFE",
    b"\xF0\x9F\x98\x80",
    b"\xF0\x9F",
    b"\xED\xA0\xBD",
    b"{",
    b"}",
    b"[",
    b"]",
    b",",
    b"\"",
    b"\\",
    b"\x1E",
    b"{\"a\":1}",
    b"[1,\"]\"]",
    b"<html>",
    b"<",
    b"\x1F\x8B",
    b"BZh1",
    b"null",
    b"ab",
    b"data: {\"a\":1}\n\n",
];

const JSON: [Container; 3] = [Container::JsonLines, Container::JsonArray, Container::JsonSequence];

fn stream() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        12 => proptest::sample::select(&PIECES[..]).prop_map(<[u8]>::to_vec),
        1 => vec(any::<u8>(), 1..4),
        1 => (any::<u8>(), 1usize..70).prop_map(|(byte, times)| vec![byte; times]),
    ];
    vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

fn any_container() -> impl Strategy<Value = Option<Container>> {
    prop_oneof![
        3 => Just(None),
        2 => Just(Some(Container::Sse)),
        1 => Just(Some(Container::JsonLines)),
        1 => Just(Some(Container::JsonArray)),
        1 => Just(Some(Container::JsonSequence)),
        1 => Just(Some(Container::Html)),
    ]
}

fn any_options() -> impl Strategy<Value = FramingOptions> {
    let limit = prop_oneof![3 => Just(64usize << 20), 1 => 0usize..40];
    (any_container(), limit, prop_oneof![3 => Just(50usize), 1 => 0usize..3]).prop_map(
        |(container, max_record_bytes, max_diagnostics_per_code)| FramingOptions {
            container,
            max_record_bytes,
            max_diagnostics_per_code,
        },
    )
}

/// Line of each byte, where LF ends lines and, if `cr`, CR and CRLF do too.
fn line_at(bytes: &[u8], offset: u64, cr: bool) -> u64 {
    let before = &bytes[..offset as usize];
    let mut line = 1;
    for (index, byte) in before.iter().enumerate() {
        line += match byte {
            b'\n' if cr && index > 0 && bytes[index - 1] == b'\r' => 0,
            b'\n' => 1,
            b'\r' if cr => 1,
            _ => 0,
        };
    }
    line
}

/// Strict SSE read whole: first into lines, then into fields, then into events, each step on its own.
#[derive(Debug, Default, PartialEq, Eq)]
struct Model {
    events: Vec<(String, String, String)>,
    last_event_id: String,
    retry: Option<u64>,
}

fn model(bytes: &[u8]) -> Model {
    let text = String::from_utf8_lossy(bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes)).into_owned();
    let unified = text.replace("\r\n", "\n").replace('\r', "\n");
    let mut lines: Vec<&str> = unified.split('\n').collect();
    lines.pop();
    let mut model = Model::default();
    let (mut data, mut kind, mut id): (Vec<&str>, &str, &str) = (Vec::new(), "", "");
    for line in lines {
        if line.is_empty() {
            model.last_event_id = id.to_owned();
            if !data.is_empty() {
                model.events.push((kind.to_owned(), data.join("\n"), id.to_owned()));
            }
            (data, kind) = (Vec::new(), "");
            continue;
        }
        let (name, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match name {
            "data" => data.push(value),
            "event" => kind = value,
            "id" if !value.contains('\0') => id = value,
            "retry" if !value.is_empty() && value.bytes().all(|digit| digit.is_ascii_digit()) => {
                model.retry = Some(value.parse().unwrap_or(u64::MAX).min(86_400_000));
            }
            _ => {}
        }
    }
    model
}

fn config() -> ProptestConfig {
    ProptestConfig {
        cases: 1000,
        failure_persistence: None,
        max_global_rejects: 1_000_000,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn cuts_change_nothing(
        options in any_options(),
        connections in vec(stream(), 1..3),
        lengths in vec(0usize..9, 0..200),
    ) {
        let (framer, whole) = run(&options, &connections, |_| Vec::new());
        let state = written(&whole.0, &framer);
        for width in [0, 1] {
            let cut = |bytes: &[u8]| if width == 0 { lengths.clone() } else { vec![width; bytes.len()] };
            let (framer, pieces) = run(&options, &connections, cut);
            prop_assert_eq!(&pieces.0, &whole.0);
            prop_assert_eq!(&written(&pieces.0, &framer), &state);
        }
    }

    #[test]
    fn records_and_skipped_spans_tile_the_input(options in any_options(), connections in vec(stream(), 1..4)) {
        let (framer, seen) = run(&options, &connections, |_| Vec::new());
        assert_tiles(&seen.0, &connections.concat(), "any input");
        prop_assert_eq!(framer.bytes(), connections.concat().len() as u64);
    }

    #[test]
    fn every_span_and_diagnostic_names_its_line(options in any_options(), bytes in stream()) {
        let (framer, seen) = run(&options, std::slice::from_ref(&bytes), |_| Vec::new());
        let sse = framer.container() == Some(Container::Sse);
        // A stream of lines without LF ends them at CR.
        let cr = sse || !bytes.contains(&b'\n');
        prop_assume!(sse || !bytes.contains(&b'\r') || framer.container() == Some(Container::JsonLines));
        for one in &seen.0 {
            let (offset, line) = match one {
                Seen::Diagnostic(diagnostic) => (diagnostic.offset, diagnostic.line),
                other => other.source().map(|source| (source.offset, source.line)).unwrap_or_default(),
            };
            prop_assert_eq!(line, line_at(&bytes, offset, cr), "{:?}", one);
        }
    }

    #[test]
    fn reset_equals_new(options in any_options(), first in stream(), second in stream(), ended: bool) {
        let mut framer = Framer::new(options.clone());
        feed(&mut framer, &first, &[], &mut Collect::default());
        if ended {
            framer.end(&mut Collect::default());
        }
        framer.reset();
        let mut again = Collect::default();
        feed(&mut framer, &second, &[], &mut again);
        framer.end(&mut again);
        let (fresh, seen) = run(&options, &[second], |_| Vec::new());
        prop_assert_eq!(&again.0, &seen.0);
        prop_assert_eq!(written(&again.0, &framer), written(&seen.0, &fresh));
    }

    #[test]
    fn strict_sse_equals_the_model(bytes in stream()) {
        let options = FramingOptions { container: Some(Container::Sse), ..FramingOptions::default() };
        let (framer, seen) = run(&options, std::slice::from_ref(&bytes), |_| Vec::new());
        let events = seen.0.iter().filter_map(|one| match one {
            Seen::Record { body, event, id, .. } => {
                Some((event.clone().unwrap_or_default(), body.clone(), id.clone().unwrap_or_default()))
            }
            _ => None,
        });
        let got = Model {
            events: events.collect(),
            last_event_id: framer.last_event_id().to_owned(),
            retry: framer.retry_ms(),
        };
        prop_assert_eq!(got, model(&bytes));
    }

    /// A record's body can be read again from its span: outside SSE it is the span itself.
    #[test]
    fn a_body_outside_sse_is_its_span(options in any_options(), bytes in stream()) {
        let (framer, seen) = run(&options, std::slice::from_ref(&bytes), |_| Vec::new());
        prop_assume!(framer.container() != Some(Container::Sse));
        for one in &seen.0 {
            if let Seen::Record { body, source, .. } = one {
                let span = &bytes[source.offset as usize..(source.offset + source.length) as usize];
                prop_assert_eq!(body.as_str(), String::from_utf8_lossy(span));
            }
        }
    }

    /// Nothing but a limit or a refused encoding may hide bytes outside SSE.
    #[test]
    fn nothing_vanishes_outside_sse(container in proptest::sample::select(&JSON[..]), bytes in stream()) {
        let options = FramingOptions { container: Some(container), ..FramingOptions::default() };
        let (_, seen) = run(&options, std::slice::from_ref(&bytes), |_| Vec::new());
        prop_assume!(!seen.codes().iter().any(|code| code.ends_with("unsupported")));
        for one in &seen.0 {
            if let Seen::Skipped { why, .. } = one {
                prop_assert!(matches!(why, Skipped::Separator | Skipped::ByteOrderMark), "{:?}", one);
            }
        }
    }
}
