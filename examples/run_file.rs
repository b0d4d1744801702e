//! Runs one file through the pipeline, for profilers: `valgrind --tool=callgrind target/release/examples/run_file push a.jsonl 16384`.
//!
//! `cargo run --release --example run_file -- <push|transcript> <file> [chunk bytes]`

#![allow(missing_docs)]

use agent_ui_events::{Normalizer, Options, Transcript};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [mode, file, rest @ ..] = arguments.as_slice() else { return Err("which mode and file?".into()) };
    let size = rest.first().map_or(Ok(16384), |size| size.parse())?;
    let bytes = std::fs::read(file)?;
    let mut normalizer = Normalizer::new(Options::default())?;
    let mut transcript = Transcript::new();
    let mut events = 0;
    for chunk in bytes.chunks(size) {
        let batch = normalizer.push(chunk)?;
        events += batch.len();
        if mode == "transcript" {
            transcript.apply(batch);
        }
    }
    let batch = normalizer.end()?;
    events += batch.len();
    println!("{} bytes, {events} events, {} items", bytes.len(), transcript.len());
    Ok(())
}
