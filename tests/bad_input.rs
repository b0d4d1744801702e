//! Bad input of every kind between good records: diagnostics with code and offset, nothing lost, nothing shifted.
//!
//! Every line of every case is damaged in every listed way, and good records follow it. The usual run takes a sample;
//! `ALL_BAD_INPUT=1` with `--release` runs them all (minutes).

#![allow(clippy::unwrap_used, reason = "a test")]

mod hostile;

use hostile::{Case, Random, broken_promise, cases, fields, good, run, run_whole};

/// What stands where another value was.
const WRONG: &[&str] = &[
    "null",
    "true",
    "7",
    r#""x""#,
    "[]",
    "{}",
    "[[]]",
    r#"{"a":1}"#,
    // Beyond the brief, all known to break readers.
    r#""""#,
    "-1.5",
    "1e400",
    "18446744073709551616",
    r#""\ud83d""#,
    r#"[null,1,"x",{"type":"text"},{"type":[]}]"#,
];

/// Lines of no dialect.
const NOISE: &[&[u8]] = &[
    b"\xff\xfe\x00\x01\x80\xc3",
    b"\x00\x00\x00\x00",
    b"\x1b[31mred\x1b[0m",
    b"<!doctype html><html><body>502 Bad Gateway</body></html>",
    b"npm warn deprecated glob@7.2.3",
    b"",
    b"   ",
    b"[DONE]",
    b"null",
    b"true",
    b"42",
    b"-0.0e+5",
    br#""just a string""#,
    b"[]",
    b"{}",
    b"[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]",
    br#"[{"type":"x"},null]"#,
    br#"{"type":null}"#,
    br#"{"type":"never.heard.of"}"#,
    br#"{"type":"x","type":"y"}"#,
    br#"{"update":{"sessionUpdate":"nonsense"}}"#,
    br#"{"jsonrpc":"2.0","method":"nonsense","params":[1]}"#,
    br#"{"jsonrpc":"2.0","id":{},"result":null,"error":7}"#,
    br#"{"type":}"#,
    br#"{"a":1,}"#,
    b"{",
    b"}",
    b"data: {\"type\":\"x\"}",
    b"event: ping",
    b": comment",
    b"\xef\xbb\xbf{}",
];

/// One damaged input.
struct Attack {
    what: String,
    bytes: Vec<u8>,
}

/// Takes one attack in `stride`, spread over all kinds.
struct Sample {
    stride: usize,
    random: Random,
    taken: Vec<Attack>,
}

impl Sample {
    fn offer(&mut self, what: impl FnOnce() -> String, bytes: impl FnOnce() -> Vec<u8>) {
        if self.random.next(self.stride) == 0 {
            self.taken.push(Attack { what: what(), bytes: bytes() });
        }
    }
}

fn is_full() -> bool {
    std::env::var_os("ALL_BAD_INPUT").is_some()
}

fn splice(bytes: &[u8], at: std::ops::Range<usize>, with: &[u8]) -> Vec<u8> {
    [&bytes[..at.start], with, &bytes[at.end..]].concat()
}

/// Every way to damage one case.
fn attacks(case: &Case, sample: &mut Sample) {
    let mut start = 0;
    for (number, line) in case.lines().into_iter().enumerate() {
        let number = number + 1;
        let end = start + line.len();
        let prefix = if case.is_sse && line.starts_with("data: ") { 6 } else { 0 };
        let body = start + prefix..start + line.trim_end_matches(['\n', '\r']).len();
        let text = std::str::from_utf8(&case.bytes[body.clone()]).unwrap();
        for field in fields(text, 3) {
            let at = |range: &std::ops::Range<usize>| body.start + range.start..body.start + range.end;
            let was = &text[field.value.clone()];
            for wrong in WRONG {
                let what = || format!("line {number}: {was} became {wrong}");
                sample.offer(what, || splice(&case.bytes, at(&field.value), wrong.as_bytes()));
            }
            let what = || format!("line {number}: {:?} is gone", &text[field.whole.clone()]);
            sample.offer(what, || splice(&case.bytes, at(&field.whole), b""));
        }
        for part in 0..8 {
            let cut = body.start + text.len() * part / 8;
            sample.offer(
                || format!("line {number} ends at byte {}", cut - body.start),
                || splice(&case.bytes, cut..body.end, b""),
            );
        }
        if start > 0 {
            for noise in NOISE {
                let what = || format!("{:?} before line {number}", String::from_utf8_lossy(noise));
                sample.offer(what, || splice(&case.bytes, start..start, &case.framed(noise)));
            }
        }
        sample.offer(|| format!("line {number} twice"), || splice(&case.bytes, end..end, line.as_bytes()));
        sample.offer(|| format!("without line {number}"), || splice(&case.bytes, start..end, b""));
        start = end;
    }
}

/// The damaged input with good records behind it, and what is wrong with the outcome.
fn judge(case: &Case, attack: &Attack, choice: usize) -> Option<String> {
    let Some(dialect) = &case.dialect else {
        return broken_promise(&run_whole(&case.told(), &attack.bytes));
    };
    let good = &good(dialect)[choice % good(dialect).len()];
    let mut bytes = attack.bytes.clone();
    bytes.extend(if case.is_sse { &b"\n\n"[..] } else { b"\n" });
    for record in good.records {
        bytes.extend(case.framed(record.as_bytes()));
    }
    let outcome = run_whole(&case.told(), &bytes);
    broken_promise(&outcome).or_else(|| good.missing_in(&outcome.transcript))
}

#[test]
fn good_records_are_complete_behind_bad_ones() {
    let stride = if is_full() { 1 } else { 60 };
    let mut sample = Sample { stride, random: Random(0x9e37_79b9_7f4a_7c15), taken: Vec::new() };
    let mut wrong = Vec::new();
    let mut count = 0;
    for case in cases() {
        attacks(&case, &mut sample);
        for attack in sample.taken.drain(..) {
            count += 1;
            let found = std::panic::catch_unwind(|| judge(&case, &attack, count))
                .unwrap_or_else(|panic| Some(format!("panic: {:?}", panic.downcast_ref::<String>())));
            if let Some(found) = found {
                wrong.push(format!("{}: {}\n    {found}", case.name, attack.what));
            }
        }
    }
    println!("{count} damaged inputs");
    assert!(count > 500, "only {count} damaged inputs");
    let shown: Vec<&String> = wrong.iter().take(if is_full() { 400 } else { 20 }).collect();
    assert!(
        wrong.is_empty(),
        "{} of {count}:\n{}",
        wrong.len(),
        shown.iter().map(|line| format!("{line}\n")).collect::<String>()
    );
}

#[test]
fn a_line_of_five_megabytes_costs_only_itself() {
    let long = format!(r#"{{"type":"x","text":"{}"}}"#, "long ".repeat(1 << 20));
    let mut seen = Vec::new();
    for case in cases() {
        // Two cases, one whole and one broken off: a debug build reads few megabytes in a second.
        let Some(dialect) =
            case.dialect.clone().filter(|dialect| is_full() || (seen.len() < 2 && !seen.contains(dialect)))
        else {
            continue;
        };
        seen.push(dialect);
        let cut = &long[..long.len() - 2];
        let mut lines = vec![&long[..], cut];
        if !is_full() {
            lines.remove(seen.len() % 2);
        }
        for line in lines {
            let bytes = [&case.framed(line.as_bytes())[..], &case.bytes].concat();
            let found = judge(&case, &Attack { what: String::new(), bytes }, 0);
            assert!(found.is_none(), "{}: {found:?}", case.name);
        }
    }
}

#[test]
fn cuts_change_nothing_in_hostile_bytes() {
    let rounds = if is_full() { 40 } else { 2 };
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    for case in cases() {
        for _ in 0..rounds {
            let bytes = spliced(&case.bytes, &mut random);
            for options in [case.told(), case.dialect_told(), Default::default()] {
                let whole = run_whole(&options, &bytes);
                let promise = broken_promise(&whole);
                assert!(
                    promise.is_none(),
                    "{}: {promise:?} for {}",
                    case.name,
                    String::from_utf8_lossy(&bytes)
                );
                let whole = whole.parts();
                let cuts = random.cuts(bytes.len());
                let pieces = cuts.windows(2).map(|cut| &bytes[cut[0]..cut[1]]);
                let cut = run(&options, pieces).parts();
                let single = run(&options, bytes.chunks(1)).parts();
                for other in [&cut, &single] {
                    for (expected, got) in whole.iter().zip(other) {
                        assert!(
                            expected == got,
                            "{}: {} differ for {:?} cut at {cuts:?}",
                            case.name,
                            got.0,
                            String::from_utf8_lossy(&bytes)
                        );
                    }
                }
            }
        }
    }
}

/// The bytes with random ones put in, taken out, or in the place of others.
fn spliced(bytes: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..1 + random.next(6) {
        let start = random.next(bytes.len() + 1);
        let end = (start + random.next(40) * random.next(2)).min(bytes.len());
        let noise: Vec<u8> = match random.next(4) {
            0 => (0..random.next(20)).map(|_| random.next(256) as u8).collect(),
            1 => (0..random.next(6)).map(|_| b"\r\n\0\x1e{}[]\",:\\ "[random.next(13)]).collect(),
            2 => NOISE[random.next(NOISE.len())].to_vec(),
            _ => {
                let from = random.next(bytes.len() + 1);
                bytes[from..(from + random.next(60)).min(bytes.len())].to_vec()
            }
        };
        bytes = splice(&bytes, start..end, &noise);
    }
    bytes
}
