//! Any bytes in any cuts: no panic, the cuts change nothing (N1), the events are in normal form (N2 to N4, N7, N10), every
//! record is accounted for (N5).
//!
//! `cargo +nightly fuzz run stream -- -max_len=4096 -max_total_time=180`. The first byte chooses dialect and container, the
//! second the cuts, the rest is the stream. Seed it: `for f in tests/cases/*/*/input.*; do (printf '\0\7'; cat $f) >
//! fuzz/corpus/stream/$(echo $f | tr / -); done`.
#![no_main]

use agent_ui_events::framing::Container;
use agent_ui_events::transcript::Transcript;
use agent_ui_events::{Batch, Normalizer, Options, check_normal_form};
use libfuzzer_sys::fuzz_target;

const DIALECTS: [Option<&str>; 6] =
    [None, Some("autohand"), Some("claude"), Some("codex"), Some("evolve"), Some("vent")];
const CONTAINERS: [Option<Container>; 3] = [None, Some(Container::JsonLines), Some(Container::Sse)];

struct Outcome {
    events: String,
    offsets: Vec<u64>,
    transcript: String,
    report: agent_ui_events::Report,
}

fn run<'a>(options: &Options, chunks: impl Iterator<Item = &'a [u8]>) -> Outcome {
    let mut normalizer = Normalizer::new(options.clone()).expect("the names are those of the table");
    let mut transcript = Transcript::new();
    let mut events = String::new();
    let mut offsets = Vec::new();
    let mut take = |batch: &Batch| {
        transcript.apply(batch);
        for event in batch.iter() {
            offsets.push(event.source.offset);
            event.write_json(&mut events);
            events.push('\n');
        }
    };
    for chunk in chunks {
        take(normalizer.push(chunk).expect("it has not ended"));
    }
    take(normalizer.end().expect("it has not ended"));
    offsets.sort_unstable();
    offsets.dedup();
    Outcome { events, offsets, transcript: transcript.dump(), report: normalizer.report() }
}

/// Pieces of 1 to `longest` bytes.
fn cuts(bytes: &[u8], longest: u8) -> impl Iterator<Item = &[u8]> {
    let mut rest = bytes;
    let mut state = u32::from(longest) | 1;
    std::iter::from_fn(move || {
        state = state.wrapping_mul(0x9e37_79b1).rotate_left(11);
        let length = (1 + state as usize % (1 + usize::from(longest))).min(rest.len());
        let (piece, behind) = rest.split_at(length);
        rest = behind;
        (!piece.is_empty()).then_some(piece)
    })
}

fuzz_target!(|data: &[u8]| {
    let [choice, longest, bytes @ ..] = data else { return };
    let choice = usize::from(*choice);
    let options = Options {
        dialect: DIALECTS[choice % DIALECTS.len()].map(str::to_owned),
        container: CONTAINERS[choice / DIALECTS.len() % CONTAINERS.len()],
        ..Options::default()
    };
    let whole = run(&options, std::iter::once(bytes));
    let cut = run(&options, cuts(bytes, *longest));
    assert_eq!(whole.events, cut.events, "events");
    assert_eq!(whole.transcript, cut.transcript, "transcript");
    assert_eq!(format!("{:?}", whole.report), format!("{:?}", cut.report), "report");
    let breaches = check_normal_form(&whole.events);
    assert!(breaches.is_empty(), "{breaches:?}\n{}", whole.events);
    let report = &whole.report;
    assert_eq!(report.records, report.records_with_events + report.records_ignored, "records");
    // What the end makes certain is told at the last record, which may have told nothing itself.
    let named = whole.offsets.len() as u64;
    assert!(
        (report.records_with_events..=report.records_with_events + 1).contains(&named),
        "{named} {report:?}"
    );
    let reasons: u64 = report.ignored.iter().map(|(_, count)| count).sum();
    assert!(report.records_ignored <= reasons, "{report:?}");
    for remark in &report.diagnostics {
        // What is missing at the end stands behind the last byte.
        assert!(remark.offset <= report.bytes, "{remark:?}");
    }
});
