//! N9: doubling the input doubles the work, whatever grows.
//!
//! Counted, not timed: a test-only allocator counts allocations and their bytes on this thread. Scans allocate nothing,
//! so `time_grows_as_the_input` (ignored; run it alone in release) looks at the clock over a factor of eight.

#![allow(clippy::unwrap_used, reason = "a test")]

mod agents;
#[path = "../counting/mod.rs"]
mod counting;
mod growths;

use std::time::{Duration, Instant};

use agent_ui_events::framing::Container;
use agent_ui_events::{Normalizer, Options, Transcript};

use counting::Work;
use growths::{Growth, long_lines};

fn growths() -> Vec<Growth> {
    growths::growths().into_iter().chain(agents::growths()).collect()
}

fn input(growth: &Growth, size: usize) -> Vec<String> {
    let mut records: Vec<String> = growth.head.lines().map(str::to_owned).collect();
    for number in 0..size {
        let mut lines = String::new();
        (growth.record)(&mut lines, number, size);
        records.extend(lines.lines().map(str::to_owned));
    }
    let (before, behind) = if growth.dialect == "vent" { ("data: ", "\n\n") } else { ("", "\n") };
    records.into_iter().map(|record| format!("{before}{record}{behind}")).collect()
}

fn options(dialect: &str) -> Options {
    let container = if dialect == "vent" { Container::Sse } else { Container::JsonLines };
    Options { dialect: Some(dialect.to_owned()), container: Some(container), ..Options::default() }
}

/// One push per record, as it comes over the wire.
fn run(growth: &Growth, records: &[String]) -> Work {
    let mut normalizer = Normalizer::new(options(growth.dialect)).unwrap();
    let mut transcript = Transcript::new();
    let before = Work::now();
    for record in records {
        transcript.apply(normalizer.push(record.as_bytes()).unwrap());
    }
    transcript.apply(normalizer.end().unwrap());
    let work = Work::since(before);
    assert!(normalizer.report().events > 0, "{}: nothing came", growth.name);
    work
}

fn run_line(dialect: &str, line: &str) -> Work {
    let mut normalizer = Normalizer::new(options(dialect)).unwrap();
    let mut transcript = Transcript::new();
    let before = Work::now();
    for piece in line.as_bytes().chunks(1024) {
        transcript.apply(normalizer.push(piece).unwrap());
    }
    transcript.apply(normalizer.end().unwrap());
    Work::since(before)
}

/// Twice the input, at most 2.2 times the work; growing buffers double, so bytes are looked at over a factor of four.
fn is_linear(name: &str, work: [Work; 3]) -> Option<String> {
    let [one, two, four] = work;
    let counts = [one, two, four].map(|work| work.allocations as f64 + 40.0);
    let bytes = [one, two, four].map(|work| work.bytes as f64 + 64e3);
    let fits = counts[1] <= 2.2 * counts[0] && counts[2] <= 2.2 * counts[1] && bytes[2] <= 5.0 * bytes[0];
    (!fits).then(|| format!("{name}: {one:?} {two:?} {four:?}"))
}

#[test]
fn allocations_grow_as_the_records() {
    let mut wrong = Vec::new();
    for growth in growths() {
        let work = [256, 512, 1024].map(|size| run(&growth, &input(&growth, size)));
        wrong.extend(is_linear(growth.name, work));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn allocations_grow_as_the_line() {
    let mut wrong = Vec::new();
    for (name, dialect, line) in long_lines() {
        let work = [4096, 8192, 16384].map(|size| run_line(dialect, &line(size)));
        wrong.extend(is_linear(name, work));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn token_deltas_allocate_nothing_once_warm() {
    for growth in growths() {
        let steady = [
            "claude token deltas",
            "claude argument deltas of one call",
            "vent token deltas",
            "evolve chunks",
            "autohand message updates",
        ];
        if !steady.contains(&growth.name) {
            continue;
        }
        let records = input(&growth, 4096);
        let mut normalizer = Normalizer::new(options(growth.dialect)).unwrap();
        let (first, second) = records.split_at(records.len() / 2);
        for record in first {
            normalizer.push(record.as_bytes()).unwrap();
        }
        let before = Work::now();
        for record in second {
            normalizer.push(record.as_bytes()).unwrap();
        }
        let late = Work::since(before).allocations;
        // The table of record ids still doubles now and then.
        assert!(late <= 4, "{}: {late} allocations in {} records", growth.name, second.len());
    }
}

#[test]
#[ignore = "looks at the clock: run it alone, with --release"]
fn time_grows_as_the_input() {
    let fastest = |work: &dyn Fn()| {
        let time = || {
            let start = Instant::now();
            work();
            start.elapsed()
        };
        (0..3).map(|_| time()).min().unwrap_or(Duration::ZERO)
    };
    let mut wrong = Vec::new();
    let mut judge = |name: &str, times: [Duration; 2]| {
        let ratio = times[1].as_secs_f64() / times[0].as_secs_f64();
        println!("{ratio:6.1}  {name} {times:?}");
        if ratio > 20.0 {
            wrong.push(format!("{name}: eight times the input took {ratio:.0} times as long ({times:?})"));
        }
    };
    // ONLY names a part of one to look at it alone.
    let only = std::env::var("ONLY").unwrap_or_default();
    for growth in growths().iter().filter(|growth| growth.name.contains(&only)) {
        let times = [8_000, 64_000].map(|size| {
            let records = input(growth, size);
            fastest(&|| {
                run(growth, &records);
            })
        });
        judge(growth.name, times);
    }
    for (name, dialect, line) in long_lines().into_iter().filter(|line| line.0.contains(&only)) {
        let times = [1 << 17, 1 << 20].map(|size| {
            let line = line(size);
            fastest(&|| {
                run_line(dialect, &line);
            })
        });
        judge(name, times);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
