//! What the `claude` dialect says about each record, and that it knows every recorded line.

use agent_ui_events::dialect::claude::ROW;
use agent_ui_events::dialect::{Choice, Context, Dialect, Fact, FactSink, Sign};
use agent_ui_events::framing::{Container, Record, Severity, Source};
use agent_ui_events::json::Value;

/// Keeps what was said, as words.
#[derive(Default)]
struct Recorder {
    said: Vec<String>,
    diagnostics: Vec<String>,
}

impl FactSink for Recorder {
    fn fact(&mut self, context: &Context<'_>, fact: Fact<'_>) {
        let mut words = without_absent(&format!("{fact:?}"));
        let context = without_absent(&format!("{context:?}"));
        if context != "Context" {
            words = format!("{words} in {context}");
        }
        self.said.push(words);
    }

    fn diagnostic(&mut self, code: &'static str, _severity: Severity, message: &str) {
        self.diagnostics.push(format!("{code}: {message}"));
    }
}

/// Debug output without its absent fields and without the names of wrappers that say nothing.
fn without_absent(debug: &str) -> String {
    let mut words = debug.replace("Some(", "(").replace("Borrowed(", "(");
    for end in [", ", " }"] {
        while let Some(at) = words.find(&format!(": None{end}")) {
            let start = words[..at].rfind([' ', '{']).map_or(0, |space| space + 1);
            let keep = if end == ", " { at + ": None, ".len() } else { at + ": None".len() };
            words.replace_range(start..keep, "");
        }
    }
    words.replace(", }", " }").replace(" {  }", "")
}

fn record(body: &str) -> Record<'_> {
    Record { body, event: None, id: None, source: Source::default() }
}

fn read(lines: &[&str]) -> Recorder {
    let mut dialect = (ROW.make)();
    let mut recorder = Recorder::default();
    for line in lines {
        feed(&mut *dialect, line, &mut recorder);
    }
    recorder
}

fn feed(dialect: &mut dyn Dialect, line: &str, recorder: &mut Recorder) {
    let value = Value::parse(line).unwrap_or_else(|invalid| panic!("{invalid:?}: {line}"));
    dialect.record(&record(line), value, recorder);
}

/// Facts of the last line after the others were read.
fn last_of(lines: &[&str]) -> Vec<String> {
    let mut dialect = (ROW.make)();
    let mut recorder = Recorder::default();
    for line in lines {
        recorder = Recorder::default();
        feed(&mut *dialect, line, &mut recorder);
    }
    assert_eq!(recorder.diagnostics, [""; 0]);
    recorder.said
}

#[test]
fn show() {
    for line in last_of(&[
        r#"{"type":"assistant","message":{"id":"msg_1","model":"m","content":[{"type":"text","text":"Looking."},{"type":"tool_use","id":"t","name":"Bash","input":{"command":"ls"}}],"usage":{"input_tokens":9,"output_tokens":1}},"session_id":"s","uuid":"u","request_id":"r"}"#,
    ]) {
        println!("{line}");
    }
    let _ = (Sign::Weak, Container::JsonLines, Choice::Cancel);
}
