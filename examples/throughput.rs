//! Pushes a file through the pipeline in 16 KB chunks: for profiles.
use agent_ui_events::{Normalizer, Options, Transcript};
fn main() {
    let mut args = std::env::args().skip(1);
    let bytes = std::fs::read(args.next().expect("a file")).expect("readable");
    let fold = args.next().is_some();
    let mut normalizer = Normalizer::new(Options::default()).expect("options");
    let mut transcript = Transcript::new();
    let start = std::time::Instant::now();
    let mut events = 0;
    for chunk in bytes.chunks(16384) {
        let batch = normalizer.push(chunk).expect("push");
        events += batch.len();
        if fold {
            transcript.apply(batch);
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    println!("{events} events, {:.0} MB/s", bytes.len() as f64 / 1e6 / seconds);
}
