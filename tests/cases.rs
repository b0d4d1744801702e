//! Runs every case under tests/cases: expected events, every way of cutting the input, the oracle of the normal form.
//!
//! `tests/cases/<dialect>/<case>/input.{jsonl,sse}` and `expected.jsonl`: one event per line, without `seq`, with `source` as
//! the line number. `UPDATE_CASES=1` rewrites the expectations; read every changed line before you commit it.
#![allow(clippy::unwrap_used, reason = "a case that cannot be read is a failed test")]

use std::fs;
use std::path::{Path, PathBuf};

use agent_ui_events::transcript::Transcript;
use agent_ui_events::{Normalizer, Options, UiEvent, check_normal_form};

/// Everything a run gives that must not depend on the cuts.
#[derive(PartialEq)]
struct Outcome {
    events: Vec<String>,
    diagnostics: Vec<String>,
    transcript: String,
    report: String,
}

fn run<'a>(options: &Options, chunks: impl Iterator<Item = &'a [u8]>) -> Outcome {
    let mut normalizer = Normalizer::new(options.clone()).unwrap();
    let mut transcript = Transcript::new();
    let mut events = Vec::new();
    let mut take = |batch: &agent_ui_events::Batch| {
        transcript.apply(batch);
        events.extend(batch.iter().map(|event| json(&event)));
    };
    for chunk in chunks {
        take(normalizer.push(chunk).unwrap());
    }
    take(normalizer.end().unwrap());
    let report = normalizer.report();
    let diagnostics = report.diagnostics.iter().map(|diagnostic| format!("{diagnostic:?}")).collect();
    Outcome { events, diagnostics, transcript: transcript.dump(), report: format!("{report:?}") }
}

fn json(event: &UiEvent<'_>) -> String {
    let mut text = String::new();
    event.write_json(&mut text);
    text
}

/// The event as a case shows it.
fn shown(event: &str) -> String {
    let start = event.find("\"source\":{").unwrap();
    let line = event[start..].split("\"line\":").nth(1).unwrap().trim_end_matches('}');
    let body = event[..start].split_once(',').unwrap().1;
    format!("{{{body}\"source\":{line}}}")
}

fn cases() -> Vec<(String, PathBuf)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let mut found = Vec::new();
    for dialect in fs::read_dir(root).unwrap() {
        let dialect = dialect.unwrap().path();
        let name = dialect.file_name().unwrap().to_string_lossy().into_owned();
        found.extend(fs::read_dir(dialect).unwrap().map(|case| (name.clone(), case.unwrap().path())));
    }
    found.sort();
    found
}

fn input(case: &Path) -> Vec<u8> {
    let file =
        ["input.jsonl", "input.sse"].map(|name| case.join(name)).into_iter().find(|file| file.exists());
    fs::read(file.unwrap_or_else(|| panic!("{} has no input", case.display()))).unwrap()
}

/// A folder `any` holds what is not one dialect's; everywhere else the dialect must also be detected.
fn options(dialect: &str) -> Options {
    Options { dialect: (dialect != "any").then(|| dialect.to_owned()), ..Options::default() }
}

#[test]
fn every_case_gives_its_expected_events() {
    let mut wrong = Vec::new();
    for (dialect, case) in cases() {
        let bytes = input(&case);
        let got = run(&options(&dialect), std::iter::once(&bytes[..]));
        let shown: Vec<String> = got.events.iter().map(|event| shown(event)).collect();
        let file = case.join("expected.jsonl");
        if std::env::var_os("UPDATE_CASES").is_some() {
            fs::write(&file, shown.iter().map(|line| format!("{line}\n")).collect::<String>()).unwrap();
            continue;
        }
        let expected = fs::read_to_string(&file).unwrap_or_default();
        let expected: Vec<&str> = expected.lines().collect();
        if expected != shown {
            let at = expected.iter().zip(&shown).position(|(expected, got)| expected != got);
            let at = at.unwrap_or(expected.len().min(shown.len()));
            wrong.push(format!(
                "{}\n  event {at}\n  expected {}\n  got      {}",
                case.display(),
                expected.get(at).unwrap_or(&"(nothing)"),
                shown.get(at).map_or("(nothing)", String::as_str)
            ));
        }
    }
    assert!(wrong.is_empty(), "{} cases differ:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn no_cut_changes_anything() {
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    for (dialect, case) in cases() {
        let bytes = input(&case);
        let whole = run(&options(&dialect), std::iter::once(&bytes[..]));
        let single = run(&options(&dialect), bytes.chunks(1));
        assert!(whole == single, "{}: byte by byte differs", case.display());
        for _ in 0..200 {
            let cuts = random.cuts(bytes.len());
            let pieces = cuts.windows(2).map(|cut| &bytes[cut[0]..cut[1]]);
            let cut = run(&options(&dialect), pieces);
            assert!(whole == cut, "{}: cuts {cuts:?} differ", case.display());
        }
    }
}

#[test]
fn batches_without_units_say_the_same() {
    for (dialect, case) in cases() {
        let bytes = input(&case);
        let mut usual = Normalizer::new(options(&dialect)).unwrap();
        let mut bare = Normalizer::new(options(&dialect)).unwrap().without_units();
        for piece in bytes.chunks(700) {
            let [usual, bare] = [&mut usual, &mut bare].map(|normalizer| normalizer.push(piece).unwrap());
            assert_eq!((usual.words(), usual.text(), usual.ends()), (bare.words(), bare.text(), bare.ends()));
            assert!(bare.ends16().is_empty(), "{}", case.display());
        }
    }
}

#[test]
fn every_case_is_in_normal_form() {
    for (dialect, case) in cases() {
        let bytes = input(&case);
        let got = run(&options(&dialect), std::iter::once(&bytes[..]));
        let breaches = check_normal_form(&got.events.join("\n"));
        assert!(breaches.is_empty(), "{}: {breaches:?}", case.display());
    }
}

#[test]
fn the_dialect_is_detected() {
    for (dialect, case) in cases() {
        let bytes = input(&case);
        // Some cases show one odd line; a name that says so is not asked to be recognised.
        if dialect == "any" || case.file_name().unwrap().to_string_lossy().starts_with("odd-") {
            continue;
        }
        let told = run(&options(&dialect), std::iter::once(&bytes[..]));
        let found = run(&Options::default(), std::iter::once(&bytes[..]));
        assert!(told.events == found.events, "{}: {}", case.display(), found.report);
    }
}

/// A small generator, so that a failure can be repeated.
struct Random(u64);

impl Random {
    fn next(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % below.max(1) as u64) as usize
    }

    /// Sorted cut positions from 0 to the end, some of them equal: empty chunks.
    fn cuts(&mut self, length: usize) -> Vec<usize> {
        let count = 1 + self.next(12);
        let mut cuts: Vec<usize> = (0..count).map(|_| self.next(length + 1)).collect();
        cuts.extend([0, length]);
        cuts.sort_unstable();
        cuts
    }
}
