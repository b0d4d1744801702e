//! The case files, each case whole and in every kind of cut, and the promises about memory, work and liveness.

#[path = "framing/cases.rs"]
mod cases;

use agent_ui_events::framing::{
    Container, Diagnostic, Framer, FramingOptions, Record, RecordSink, Skipped, Source,
};
use cases::{Case, Collect, Numbers, Seen, assert_tiles, feed, read_cases, run, written};

const SSE: &str = include_str!("framing/sse.txt");
const CONTAINERS: &str = include_str!("framing/containers.txt");

fn all_cases() -> Vec<Case> {
    let mut all = read_cases(SSE, Some(Container::Sse));
    all.extend(read_cases(CONTAINERS, None));
    all
}

fn options(container: Container) -> FramingOptions {
    FramingOptions { container: Some(container), ..FramingOptions::default() }
}

#[test]
fn every_case_gives_what_its_file_says() {
    let mut wrong = String::new();
    for case in all_cases() {
        let (framer, collect) = run(&case.options, &case.connections, |_| Vec::new());
        let actual = written(&collect.0, &framer);
        if actual != case.expected {
            wrong += &format!("case {}\n{}\n\n", case.name, actual.join("\n"));
        }
        assert_tiles(&collect.0, &case.connections.concat(), &case.name);
        assert_eq!(framer.bytes(), case.connections.concat().len() as u64, "{}", case.name);
    }
    assert!(wrong.is_empty(), "these cases gave something else:\n\n{wrong}");
}

fn assert_same(
    case: &Case,
    whole: &Collect,
    state: &[String],
    cut: impl FnMut(&[u8]) -> Vec<usize>,
    how: &str,
) {
    let (framer, collect) = run(&case.options, &case.connections, cut);
    assert_eq!(collect.0, whole.0, "case {} {how}", case.name);
    assert_eq!(written(&collect.0, &framer), state, "case {} {how}", case.name);
}

#[test]
fn no_cut_of_any_case_changes_anything() {
    let mut numbers = Numbers(7);
    for case in all_cases() {
        let (framer, whole) = run(&case.options, &case.connections, |_| Vec::new());
        let state = written(&whole.0, &framer);
        let longest = case.connections.iter().map(Vec::len).max().unwrap_or(0);
        for at in 0..=longest {
            assert_same(&case, &whole, &state, |_| vec![at, 0], &format!("cut at {at}"));
        }
        assert_same(&case, &whole, &state, |bytes| vec![1; bytes.len()], "byte by byte");
        for round in 0..200 {
            assert_same(
                &case,
                &whole,
                &state,
                |bytes| numbers.cuts(bytes.len()),
                &format!("random cut {round}"),
            );
        }
    }
}

/// Whatever prefix of the input has arrived, in whatever pieces, the same records have left.
#[test]
fn records_leave_in_the_push_that_completes_them() {
    for case in all_cases() {
        let bytes = &case.connections[0];
        let (mut slow, mut seen) = (Framer::new(case.options.clone()), Collect::default());
        for end in 1..=bytes.len().min(300) {
            slow.push(&bytes[end - 1..end], &mut seen);
            let (mut fast, mut at_once) = (Framer::new(case.options.clone()), Collect::default());
            fast.push(&bytes[..end], &mut at_once);
            assert_eq!(seen.bodies(), at_once.bodies(), "case {} after {end} bytes", case.name);
        }
    }
}

#[test]
fn a_record_waits_for_no_byte_it_does_not_need() {
    let complete: [(Option<Container>, &[u8]); 11] = [
        (None, b"data:a\n\n"),
        (None, b"data:a\r\n\r"),
        (None, b"data:a\r\r"),
        (None, b"data:a\n\r"),
        (None, b": hello\n\ndata:a\n\n"),
        (None, b"{\"a\":1}\n"),
        (None, b"[\n{\"a\":1}"),
        (None, b"[\n\"a\""),
        (Some(Container::JsonArray), b"[{\"a\":1}"),
        (None, b"\x1E{\"a\":1}\n"),
        (None, b"hello\n"),
    ];
    for (container, bytes) in complete {
        let mut framer = Framer::new(FramingOptions { container, ..FramingOptions::default() });
        let (last, before) = bytes.split_last().expect("some bytes");
        let mut seen = Collect::default();
        framer.push(before, &mut seen);
        assert_eq!(seen.records(), 0, "too early: {}", String::from_utf8_lossy(bytes));
        framer.push(&[*last], &mut seen);
        assert_eq!(seen.records(), 1, "held back: {}", String::from_utf8_lossy(bytes));
    }
}

/// Counts the records whose body lies in the chunk being pushed.
struct Borrowed<'c> {
    chunk: &'c [u8],
    inside: usize,
    outside: usize,
}

impl RecordSink for Borrowed<'_> {
    fn record(&mut self, record: Record<'_>) {
        let chunk = self.chunk.as_ptr_range();
        let body = record.body.as_bytes().as_ptr_range();
        if chunk.start <= body.start && body.end <= chunk.end { self.inside += 1 } else { self.outside += 1 }
    }
    fn skipped(&mut self, _: Source, _: Skipped) {}
    fn diagnostic(&mut self, _: Diagnostic) {}
}

#[test]
fn a_record_whole_inside_one_chunk_is_borrowed_from_it() {
    let streams: [&[u8]; 4] = [
        b"event: delta\nid: 4\ndata: {\"a\":1}\n\nid: 5\ndata: {\"b\":2}\nevent: late\n\n",
        b"{\"a\":1}\n{\"b\":2}\r\n",
        b"[\n{\"a\":1},\n{\"b\":[2]}]",
        b"\x1E{\"a\":1}\n\x1E{\"b\":2}\n",
    ];
    for chunk in streams {
        let mut framer = Framer::default();
        let mut sink = Borrowed { chunk, inside: 0, outside: 0 };
        framer.push(chunk, &mut sink);
        assert_eq!((sink.inside, sink.outside), (2, 0), "{}", String::from_utf8_lossy(chunk));
        assert_eq!(framer.scratch_copied(), 0, "{}", String::from_utf8_lossy(chunk));
    }
}

/// The same long record in each container, its body `length` bytes of text.
fn long_records(length: usize) -> [(Container, Vec<u8>); 4] {
    let body = "x".repeat(length);
    [
        (Container::Sse, format!("event: a\ndata: {body}\n\n").into_bytes()),
        (Container::JsonLines, format!("\"{body}\"\n").into_bytes()),
        (Container::JsonArray, format!("[\"{body}\"]").into_bytes()),
        (Container::JsonSequence, format!("\x1E\"{body}\"\n").into_bytes()),
    ]
}

#[test]
fn a_long_record_in_small_chunks_is_copied_once_and_its_memory_given_back() {
    const LENGTH: usize = 8 << 20;
    for (container, bytes) in long_records(LENGTH) {
        let mut framer = Framer::new(options(container));
        let mut seen = Collect::default();
        for chunk in bytes.chunks(1460) {
            framer.push(chunk, &mut seen);
        }
        assert_eq!(seen.records(), 1, "{container:?}");
        assert!(framer.scratch_copied() <= bytes.len() as u64, "{container:?}: {}", framer.scratch_copied());
        assert!(framer.scratch_capacity() <= 128 << 10, "{container:?}: {}", framer.scratch_capacity());
    }
}

#[test]
fn many_data_lines_in_one_block_are_copied_at_most_twice() {
    let mut framer = Framer::new(options(Container::Sse));
    let mut seen = Collect::default();
    let block = "data: 0123456789\n".repeat(80_000) + "\n";
    for chunk in block.as_bytes().chunks(1460) {
        framer.push(chunk, &mut seen);
    }
    assert_eq!(seen.bodies()[0].len(), 80_000 * 11 - 1);
    assert!(framer.scratch_copied() <= 2 * block.len() as u64, "{}", framer.scratch_copied());
}

#[test]
fn a_record_over_the_limit_costs_no_memory_and_the_next_one_comes() {
    for (container, bytes) in long_records(4 << 20) {
        let next: &[u8] = match container {
            Container::Sse => b"data: next\n\n",
            Container::JsonArray => b"",
            _ => b"\x1Enext\n",
        };
        let mut framer = Framer::new(FramingOptions { max_record_bytes: 100_000, ..options(container) });
        let mut seen = Collect::default();
        let mut most = 0;
        for chunk in bytes.chunks(1460).chain([next]) {
            framer.push(chunk, &mut seen);
            most = most.max(framer.scratch_capacity());
        }
        framer.end(&mut seen);
        assert!(most <= 400_000, "{container:?} held {most} bytes");
        assert_eq!(seen.records(), usize::from(!next.is_empty()), "{container:?}");
        assert!(seen.codes().contains(&"limit.record-bytes"), "{container:?}");
        assert_tiles(&seen.0, &[&bytes, next].concat(), container.name());
    }
}

/// 64 KiB decide about CR; the other side of that line is plain LF.
#[test]
fn a_carriage_return_after_64_kib_without_a_line_end_is_an_ordinary_character() {
    let long = "x".repeat(64 << 10);
    let late = format!("{long}\r{long}\n");
    let early = format!("a\r{long}\rb\nc\r\nd");
    for (text, records) in [(late, 1), (early, 5)] {
        let (_, whole) = run(&options(Container::JsonLines), &[text.clone().into_bytes()], |_| Vec::new());
        assert_eq!(whole.records(), records);
        for length in [1, 1000, 65_535, 65_536, 65_537] {
            let cut = |bytes: &[u8]| vec![length; bytes.len() / length];
            let (_, pieces) = run(&options(Container::JsonLines), &[text.clone().into_bytes()], cut);
            assert!(pieces.0 == whole.0, "chunks of {length}");
        }
    }
}

#[test]
fn an_undecided_beginning_is_held_for_64_kib_at_most() {
    let nested = format!("[{{\"a\":\"{}\"}},{{\"b\":1}}", "x".repeat(80_000));
    let (mut framer, mut seen) = (Framer::default(), Collect::default());
    for chunk in nested.as_bytes().chunks(100) {
        framer.push(chunk, &mut seen);
    }
    assert_eq!(framer.container(), Some(Container::JsonArray));
    assert_eq!(seen.records(), 2);
    let blank = " ".repeat(70_000) + "{\"a\":1}\n";
    let wide = format!("[{}]\n[2]\n", "1,".repeat(40_000));
    let late = format!("{}data: 1\n\n", "\r\n".repeat(32_760));
    for (text, container, records) in [
        (nested, Container::JsonArray, 2),
        (blank, Container::JsonLines, 1),
        (wide, Container::JsonArray, 40_001),
        (late, Container::Sse, 1),
    ] {
        let input = [text.into_bytes()];
        let (framer, whole) = run(&FramingOptions::default(), &input, |_| Vec::new());
        assert_eq!((framer.container(), whole.records()), (Some(container), records));
        for length in [1, 999, 65_535, 65_536, 65_537] {
            let cut = |bytes: &[u8]| vec![length; bytes.len() / length];
            let (_, pieces) = run(&FramingOptions::default(), &input, cut);
            assert!(pieces.0 == whole.0, "{container:?} in chunks of {length}");
        }
    }
}

#[test]
fn diagnostics_of_one_code_are_capped_and_counted() {
    let bad = b"\xFF\n".repeat(60);
    let options = FramingOptions { container: Some(Container::JsonLines), ..FramingOptions::default() };
    let (framer, seen) = run(&options, &[bad], |_| Vec::new());
    assert_eq!(seen.records(), 60);
    assert_eq!(seen.codes(), ["enc.invalid-utf8"; 50]);
    assert_eq!(framer.suppressed("enc.invalid-utf8"), 10);
    assert_eq!(framer.suppressed("sse.eof-partial"), 0);
    assert_eq!(framer.all_suppressed().collect::<Vec<_>>(), [("enc.invalid-utf8", 10)]);
}

#[test]
fn unknown_sse_fields_are_named_once_and_twenty_at_most() {
    let fields: String = (0..30).map(|number| format!("field{number}:x\nfield{number}:y\n")).collect();
    let (framer, seen) = run(&options(Container::Sse), &[fields.into_bytes()], |_| Vec::new());
    assert_eq!(seen.codes(), ["sse.unknown-field"; 20]);
    assert_eq!(framer.suppressed("sse.unknown-field"), 0);
    assert!(seen.0.iter().all(|one| !matches!(one, Seen::Skipped { why: Skipped::Unterminated, .. })));
}

#[test]
fn ending_twice_says_nothing_new() {
    for case in all_cases() {
        let (mut framer, mut seen) = run(&case.options, &case.connections, |_| Vec::new());
        let before = seen.0.len();
        framer.end(&mut seen);
        assert_eq!(seen.0.len(), before, "{}", case.name);
    }
}

#[test]
fn a_reset_framer_is_a_new_one() {
    let cases = all_cases();
    for pair in cases.windows(2) {
        let [first, second] = pair else { continue };
        if first.options != second.options {
            continue;
        }
        let mut framer = Framer::new(first.options.clone());
        feed(&mut framer, &first.connections[0], &[], &mut Collect::default());
        framer.reset();
        let mut again = Collect::default();
        for bytes in &second.connections {
            feed(&mut framer, bytes, &[], &mut again);
            framer.end(&mut again);
        }
        let (fresh, seen) = run(&second.options, &second.connections, |_| Vec::new());
        assert_eq!(again.0, seen.0, "{} after {}", second.name, first.name);
        assert_eq!(written(&again.0, &framer), written(&seen.0, &fresh), "{}", second.name);
    }
}
