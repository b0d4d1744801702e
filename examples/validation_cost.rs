//! What does full validation cost? Times walks over generated claude-like lines with and without it.
//!
//! `cargo run --release --example validation_cost`

#![allow(missing_docs)]

use std::hint::black_box;
use std::time::Instant;

use agent_ui_events::json::{ObjectWriter, Value, write_string};

const CORPUS_BYTES: usize = 12_500_000;
const SESSION: &str = "0b54f9f1-0f3b-4c7e-9d58-0a7c54b0a001";

/// A small fixed-seed generator: the same corpus in every run and on every target.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % limit
    }
}

/// Lines of partial-message deltas, one word or so each.
pub fn token_deltas() -> String {
    let words =
        [" the", " file", "\n\n", " `src/main.rs`", " says \"no\"", ",", " because", " größer", " 漢字", "."];
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut lines = String::with_capacity(CORPUS_BYTES + 1024);
    while lines.len() < CORPUS_BYTES {
        let (mut delta, mut event) = (String::new(), String::new());
        let word = words[random.below(words.len() as u64) as usize];
        ObjectWriter::new(&mut delta).text("type", "text_delta").text("text", word).finish();
        let mut writer = ObjectWriter::new(&mut event);
        writer
            .text("type", "content_block_delta")
            .number("index", random.below(4))
            .raw("delta", &delta)
            .finish();
        let uuid = format!("{:08x}-7a11-4d3e-8c55-{:012x}", random.below(1 << 32), random.below(1 << 48));
        let mut writer = ObjectWriter::new(&mut lines);
        writer.text("type", "stream_event").raw("event", &event).text("session_id", SESSION);
        writer.raw("parent_tool_use_id", "null").text("uuid", &uuid).finish();
        lines.push('\n');
    }
    lines
}

/// Lines of tool results, 0.2 to 30 KB, listings and source text with an escape every few dozen bytes.
pub fn tool_results() -> String {
    let rows = [
        "    let value = map.get(\"key\").unwrap_or(&\"none\");\n",
        "\t\"name\": \"agent-ui-events\",\n\t\"path\": \"C:\\\\Users\\\\me\\\\project\",\n",
        "-rw-r--r-- 1 user staff   4096 Nov 29 10:00 src/json/validate.rs\n",
        "src/lib.rs:17:5: warning: unused variable: `größe`\r\n",
        "\u{1b}[32m+    println!(\"{}\\n\", total);\u{1b}[0m\n",
    ];
    let mut random = Random(0xd1b5_4a32_d192_ed03);
    let mut lines = String::with_capacity(CORPUS_BYTES + 65_536);
    while lines.len() < CORPUS_BYTES {
        // Squaring twice makes short results common and long ones rare.
        let share = random.below(1000).pow(2) as usize;
        let size = 200 + share * 29_800 / 1_000_000;
        let mut output = String::new();
        while output.len() < size {
            output.push_str(rows[random.below(rows.len() as u64) as usize]);
        }
        let mut block = String::new();
        let mut writer = ObjectWriter::new(&mut block);
        writer.text("tool_use_id", "toolu_01ABCDEFGHJKMNPQRSTVWXYZ").text("type", "tool_result");
        writer.text("content", &output).bool("is_error", false).finish();
        lines.push_str("{\"type\":\"user\",\"message\":{\"role\":\"user\",\"content\":[");
        lines.push_str(&block);
        lines.push_str("]},\"parent_tool_use_id\":null,\"session_id\":");
        write_string(&mut lines, SESSION);
        lines.push_str(",\"uuid\":\"2f6cbd3a-7a11-4d3e-8c55-d4f0a1b2c3d4\"}\n");
    }
    lines
}

/// How a line is read.
#[derive(Clone, Copy)]
pub enum Mode {
    Newlines,
    WalkUnvalidated,
    ParseOnly,
    ParseAndWalk,
    Utf8ParseAndWalk,
    ParseWalkAndDecode,
}

pub const MODES: [(Mode, &str); 6] = [
    (Mode::Newlines, "newlines only"),
    (Mode::WalkUnvalidated, "walk, not validated"),
    (Mode::ParseOnly, "parse"),
    (Mode::ParseAndWalk, "parse + walk"),
    (Mode::Utf8ParseAndWalk, "utf-8 check + parse + walk"),
    (Mode::ParseWalkAndDecode, "parse + walk + decode text"),
];

/// Reads all lines and returns a sum that depends on what was read.
pub fn read(corpus: &[u8], text: &str, mode: Mode) -> usize {
    let mut sum = 0;
    let mut start = 0;
    for end in memchr::memchr_iter(b'\n', corpus) {
        let line = match mode {
            Mode::Utf8ParseAndWalk => std::str::from_utf8(&corpus[start..end]).unwrap_or_default(),
            _ => &text[start..end],
        };
        start = end + 1;
        sum += match mode {
            Mode::Newlines => line.len(),
            Mode::WalkUnvalidated => walk(Value::from_validated(line)).map_or(0, str::len),
            Mode::ParseOnly => Value::parse(line).map_or(0, |value| value.raw().len()),
            Mode::ParseAndWalk | Mode::Utf8ParseAndWalk => {
                Value::parse(line).ok().and_then(walk).map_or(0, str::len)
            }
            Mode::ParseWalkAndDecode => {
                Value::parse(line).ok().and_then(payload).and_then(Value::str).map_or(0, |text| text.len())
            }
        };
    }
    sum
}

fn walk(line: Value<'_>) -> Option<&str> {
    payload(line)?.str_raw()
}

/// Three fields of the line, then down to the text a user would see.
fn payload(line: Value<'_>) -> Option<Value<'_>> {
    let [kind, event, message] = line.fields(["type", "event", "message"]);
    match kind?.str_raw()? {
        "stream_event" => {
            let [_, index, delta] = event?.fields(["type", "index", "delta"]);
            index?.u64()?;
            delta?.get("text")
        }
        _ => message?.get("content")?.array()?.next()?.get("content"),
    }
}

fn main() {
    for (name, corpus) in [("token deltas", token_deltas()), ("tool results", tool_results())] {
        println!("{name}: {} bytes, {} lines", corpus.len(), corpus.lines().count());
        let mut unvalidated = 0.0;
        for (mode, label) in MODES {
            let best = (0..7)
                .map(|_| {
                    let start = Instant::now();
                    black_box(read(black_box(corpus.as_bytes()), black_box(&corpus), mode));
                    start.elapsed().as_secs_f64()
                })
                .fold(f64::INFINITY, f64::min);
            if matches!(mode, Mode::WalkUnvalidated) {
                unvalidated = best;
            }
            let ratio = if unvalidated > 0.0 { best / unvalidated } else { 0.0 };
            println!(
                "  {label:28} {:7.0} MB/s  {ratio:5.2}x the unvalidated walk's time",
                corpus.len() as f64 / best / 1e6
            );
        }
    }
}
