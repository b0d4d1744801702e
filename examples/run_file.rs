//! Runs one file through the pipeline, for profilers: `valgrind --tool=callgrind target/release/examples/run_file push a.jsonl 16384`.
//!
//! `window` also packs, after each chunk, what a reader of the 50 newest items lacks.
//!
//! `cargo run --release --example run_file -- <push|transcript|window> <file> [chunk bytes]`

#![allow(missing_docs)]

use std::collections::HashMap;

use agent_ui_events::transcript::Change;
use agent_ui_events::{Batch, Normalizer, Options, Transcript};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [mode, file, rest @ ..] = arguments.as_slice() else { return Err("which mode and file?".into()) };
    let size = rest.first().map_or(Ok(16384), |size| size.parse())?;
    let bytes = std::fs::read(file)?;
    let mut normalizer = Normalizer::new(Options::default())?;
    if mode != "push" {
        normalizer = normalizer.without_units();
    }
    let mut transcript = Transcript::new();
    let mut seen = HashMap::new();
    let mut items = Batch::new();
    let mut change = Change::default();
    let mut events = 0;
    for chunk in bytes.chunks(size) {
        let batch = normalizer.push(chunk)?;
        events += batch.len();
        if mode == "push" {
            continue;
        }
        transcript.apply_into(batch, &mut change);
        if mode == "window" {
            items.clear(0);
            let first = transcript.len().saturating_sub(50);
            for number in change
                .changed
                .iter()
                .cloned()
                .flatten()
                .chain(change.created.clone())
                .filter(|number| *number >= first)
            {
                transcript.pack_item(&mut items, number, seen.entry(number).or_default());
            }
        }
    }
    let batch = normalizer.end()?;
    events += batch.len();
    println!("{} bytes, {events} events, {} items", bytes.len(), transcript.len());
    Ok(())
}
