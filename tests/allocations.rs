//! What the hot streams allocate, record by record, against the committed `allocations.snap`.
//!
//! Counted natively; wasm's allocator is asked as often. `UPDATE_SNAPSHOTS=1` writes the file down. To see who allocates:
//! `WHERE="claude deltas/content_block_delta" cargo test --test allocations -- --nocapture` prints a backtrace for
//! each allocation of such a record.

#![allow(clippy::unwrap_used, reason = "a test")]

mod counting;
#[path = "../benches/stages/streams.rs"]
mod streams;

use std::collections::BTreeMap;
use std::fmt::Write;

use agent_ui_events::transcript::Change;
use agent_ui_events::{Normalizer, Transcript};

use counting::{Work, trap};
use streams::{STREAMS, Stream};

const SNAPSHOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/allocations.snap");
/// Half of it warms up, half of it counts.
const SIZE: usize = 2 << 20;
const CHUNK: usize = 16 << 10;

/// Sums over the records of one kind.
#[derive(Default)]
struct Row {
    records: u64,
    events: u64,
    pushing: u64,
    applying: u64,
}

impl Row {
    fn line(&self, name: &str) -> String {
        let per_record = |count: u64| count as f64 / self.records as f64;
        format!(
            "{name:<40}{:>9}{:>9}{:>9}{:>9.3}{:>9}{:>9.3}\n",
            self.records,
            self.events,
            self.pushing,
            per_record(self.pushing),
            self.applying,
            per_record(self.applying)
        )
    }
}

/// What a record is, in the words of its wire.
fn kind_of(frame: &str) -> String {
    let after = |field: &str| {
        let rest = frame.split_once(field)?.1.trim_start_matches([':', ' ', '"']);
        rest.split_once('"').map(|(word, _)| word.to_owned())
    };
    let stands = |word: &str| frame.contains(word);
    if let Some(update) = after("\"sessionUpdate\"") {
        return update;
    }
    match after("\"type\"").unwrap_or_default().as_str() {
        "stream_event" => after("\"event\":{\"type\"").unwrap_or_default(),
        "assistant" if stands("\"type\":\"tool_use\"") => "assistant tool_use".to_owned(),
        "assistant" => "assistant text".to_owned(),
        "user" => "user tool_result".to_owned(),
        kind => kind.to_owned(),
    }
}

/// One push per record, as it comes over the wire: sums by kind over the second half.
fn by_record(stream: &Stream, frames: &[String]) -> BTreeMap<String, Row> {
    let mut rows = BTreeMap::<String, Row>::new();
    let mut normalizer = Normalizer::new(stream.options()).unwrap();
    let (mut transcript, mut change) = (Transcript::new(), Change::default());
    let watched = std::env::var("WHERE").unwrap_or_default();
    for (number, frame) in frames.iter().enumerate() {
        let kind = kind_of(frame);
        let counts = number >= frames.len() / 2;
        trap(counts && watched == format!("{}/{kind}", stream.name));
        let before = Work::now();
        let batch = normalizer.push(frame.as_bytes()).unwrap();
        let pushing = Work::since(before).allocations;
        let before = Work::now();
        transcript.apply_into(batch, &mut change);
        let applying = Work::since(before).allocations;
        trap(false);
        if counts {
            let row = rows.entry(kind).or_default();
            row.records += 1;
            row.events += batch.len() as u64;
            row.pushing += pushing;
            row.applying += applying;
        }
    }
    rows
}

/// Chunks of 16 KB, cut anywhere: sums over the second half.
fn by_chunk(stream: &Stream, frames: &[String]) -> Row {
    let mut row = Row::default();
    let mut normalizer = Normalizer::new(stream.options()).unwrap();
    let (mut transcript, mut change) = (Transcript::new(), Change::default());
    let (first, second) = frames.split_at(frames.len() / 2);
    for chunk in first.concat().as_bytes().chunks(CHUNK) {
        transcript.apply_into(normalizer.push(chunk).unwrap(), &mut change);
    }
    row.records = second.len() as u64;
    for chunk in second.concat().as_bytes().chunks(CHUNK) {
        let before = Work::now();
        let batch = normalizer.push(chunk).unwrap();
        row.pushing += Work::since(before).allocations;
        let before = Work::now();
        transcript.apply_into(batch, &mut change);
        row.applying += Work::since(before).allocations;
        row.events += batch.len() as u64;
    }
    row
}

#[test]
#[cfg_attr(
    not(debug_assertions),
    ignore = "the snapshot is of the test profile; an optimiser may drop allocations"
)]
fn the_hot_streams_allocate_what_the_snapshot_says() {
    let mut text =
        String::from("# Written by UPDATE_SNAPSHOTS=1 cargo test --test allocations; do not edit.\n");
    let head = ["records", "events", "push", "/record", "apply", "/record"];
    let _ = write!(text, "{:<40}", "second half of a stream of 2 MB");
    head.iter().for_each(|word| text += &format!("{word:>9}"));
    text.push('\n');
    for stream in STREAMS {
        let frames = (stream.frames)(SIZE);
        for (kind, row) in by_record(stream, &frames) {
            text += &row.line(&format!("{}/{kind}", stream.name));
        }
        text += &by_chunk(stream, &frames).line(&format!("{}, 16 KB chunks", stream.name));
    }
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        return std::fs::write(SNAPSHOT, text).unwrap();
    }
    let expected = std::fs::read_to_string(SNAPSHOT).unwrap_or_default();
    let changed: Vec<_> = text.lines().filter(|line| !expected.lines().any(|other| other == *line)).collect();
    assert!(
        text == expected.replace("\r\n", "\n"),
        "other counts than in tests/allocations.snap; if that is meant, UPDATE_SNAPSHOTS=1 writes them down:\n{}",
        changed.join("\n")
    );
}
