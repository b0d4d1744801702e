//! Single stages of the pipeline, natively: `cargo bench`, or `cargo bench -- framing` for one of them.
//!
//! For finding out which stage a change made faster or slower. What users get is measured by `cargo xtask bench`.

#![allow(clippy::unwrap_used, missing_docs, reason = "a bench")]

mod streams;

use agent_ui_events::framing::{
    Container, Diagnostic, Framer, FramingOptions, Record, RecordSink, Skipped, Source,
};
use agent_ui_events::json::{Spans, Value};
use agent_ui_events::{Batch, Normalizer, Transcript};
use divan::{Bencher, black_box, counter::BytesCount};

use streams::{STREAMS, Stream};

const SIZE: usize = 1 << 20;
const CHUNK: usize = 16 << 10;

fn main() {
    divan::main();
}

/// A stream, as bytes and as the bodies of its records.
struct Input {
    stream: &'static Stream,
    bytes: Vec<u8>,
}

impl Input {
    fn named(name: &str) -> Input {
        let stream = STREAMS.iter().find(|stream| stream.name == name).unwrap();
        Input { stream, bytes: (stream.frames)(SIZE).concat().into_bytes() }
    }

    fn chunks(&self) -> impl Iterator<Item = &[u8]> {
        self.bytes.chunks(CHUNK)
    }

    fn frame(&self, sink: &mut dyn RecordSink) {
        let container = Some(self.stream.container);
        let mut framer = Framer::new(FramingOptions { container, ..FramingOptions::default() });
        for chunk in self.chunks() {
            framer.push(chunk, sink);
        }
        framer.end(sink);
    }

    fn bodies(&self) -> Vec<String> {
        let mut bodies = Bodies::default();
        self.frame(&mut bodies);
        bodies.0
    }

    fn normalizer(&self) -> Normalizer {
        Normalizer::new(self.stream.options()).unwrap()
    }

    /// What the pushes of all chunks give.
    fn batches(&self) -> Vec<Batch> {
        let mut normalizer = self.normalizer();
        self.chunks().map(|chunk| normalizer.push(chunk).unwrap().clone()).collect()
    }

    fn bytes_of(&self) -> BytesCount {
        BytesCount::new(self.bytes.len())
    }
}

/// Adds up lengths.
#[derive(Default)]
struct Lengths(usize);

impl RecordSink for Lengths {
    fn record(&mut self, record: Record<'_>) {
        self.0 += record.body.len();
    }
    fn skipped(&mut self, _: Source, _: Skipped) {}
    fn diagnostic(&mut self, _: Diagnostic) {}
    fn container(&mut self, _: Container) {}
}

#[derive(Default)]
struct Bodies(Vec<String>);

impl RecordSink for Bodies {
    fn record(&mut self, record: Record<'_>) {
        self.0.push(record.body.to_owned());
    }
    fn skipped(&mut self, _: Source, _: Skipped) {}
    fn diagnostic(&mut self, _: Diagnostic) {}
    fn container(&mut self, _: Container) {}
}

const NAMES: [&str; 4] = ["vent tokens", "claude deltas", "agent trace", "evolve updates"];

/// Bytes to records.
#[divan::bench(args = NAMES)]
fn framing(bencher: Bencher, name: &str) {
    let input = Input::named(name);
    bencher.counter(input.bytes_of()).bench_local(|| {
        let mut lengths = Lengths::default();
        input.frame(&mut lengths);
        lengths.0
    });
}

/// Validation alone.
#[divan::bench(args = NAMES)]
fn json_parse(bencher: Bencher, name: &str) {
    let input = Input::named(name);
    let bodies = input.bodies();
    bencher.counter(input.bytes_of()).bench_local(|| {
        for body in &bodies {
            let _ = black_box(Value::parse(black_box(body)));
        }
    });
}

/// Validation that notes where long values end.
#[divan::bench(args = NAMES)]
fn json_parse_noting(bencher: Bencher, name: &str) {
    let input = Input::named(name);
    let bodies = input.bodies();
    let mut spans = Spans::default();
    bencher.counter(input.bytes_of()).bench_local(|| {
        for body in &bodies {
            let _ = black_box(Value::parse_noting(black_box(body), &mut spans));
        }
    });
}

fn push_all(mut normalizer: Normalizer, input: &Input) -> usize {
    let events = input.chunks().map(|chunk| normalizer.push(chunk).unwrap().len()).sum();
    black_box(normalizer);
    events
}

/// Bytes to packed events: framing, JSON, dialect, normal form.
#[divan::bench(args = NAMES)]
fn push(bencher: Bencher, name: &str) {
    let input = Input::named(name);
    bencher.counter(input.bytes_of()).bench_local(|| push_all(input.normalizer(), &input));
}

/// The same with every record read by its dialect, also those that repeat the one before.
#[divan::bench(args = NAMES)]
fn push_without_memo(bencher: Bencher, name: &str) {
    let input = Input::named(name);
    bencher.counter(input.bytes_of()).bench_local(|| push_all(input.normalizer().without_memo(), &input));
}

/// Packed events to folded state.
#[divan::bench(args = NAMES)]
fn transcript_apply(bencher: Bencher, name: &str) {
    let input = Input::named(name);
    let batches = input.batches();
    bencher.counter(input.bytes_of()).bench_local(|| {
        let mut transcript = Transcript::new();
        for batch in &batches {
            transcript.apply(batch);
        }
        transcript
    });
}

/// Packed events to Rust events.
#[divan::bench(args = NAMES)]
fn batch_iter(bencher: Bencher, name: &str) {
    let input = Input::named(name);
    let batches = input.batches();
    bencher.counter(input.bytes_of()).bench_local(|| {
        for event in batches.iter().flat_map(Batch::iter) {
            black_box(&event);
        }
    });
}
