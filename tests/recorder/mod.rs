//! Writes facts down, one line each, so that tests read like the record they are about.
#![allow(dead_code, reason = "each test file uses a part")]

use std::fmt::Write;
use std::path::{Path, PathBuf};

use agent_ui_events::dialect::{CallRef, Context, DialectOptions, DialectRow, Fact, FactSink, PartRef, Sign};
use agent_ui_events::event::{Interrupt, Update};
use agent_ui_events::framing::{Container, Record, Severity, Source};
use agent_ui_events::json::Value;

/// The facts of one stream, in words.
#[derive(Default)]
pub struct Recorder {
    pub lines: Vec<String>,
}

/// Feeds JSON lines; a line that is not JSON goes to the dialect as text.
pub fn facts_of(row: &DialectRow, input: &str) -> Vec<String> {
    let mut dialect = (row.make)(&DialectOptions::default());
    let mut recorder = Recorder::default();
    for (index, line) in input.lines().enumerate() {
        let source = Source { offset: 0, length: line.len() as u64, line: index as u64 + 1, input: 0 };
        let record = Record { body: line, event: None, id: None, source };
        match Value::parse(line) {
            Ok(value) => dialect.record(&record, value, &mut recorder),
            Err(_) if dialect.text(&record, &mut recorder) => {}
            Err(_) => recorder.lines.push(format!("unclaimed {line}")),
        }
    }
    dialect.end(&mut recorder);
    recorder.lines
}

/// The recordings of one folder whose names end so; none where the recordings are not at hand.
pub fn recordings(folder: &str, ending: &str) -> Vec<(PathBuf, String)> {
    let roots = ["../shared/traces", "../../shared/traces"];
    let Some(root) = roots.iter().map(Path::new).find(|root| root.is_dir()) else { return Vec::new() };
    let entries = std::fs::read_dir(root.join(folder)).expect("a folder of recordings");
    let paths = entries.map(|entry| entry.expect("a folder entry").path());
    let found: Vec<_> = paths
        .filter(|path| path.to_string_lossy().ends_with(ending))
        .map(|path| {
            (path.clone(), String::from_utf8_lossy(&std::fs::read(&path).expect("a recording")).into_owned())
        })
        .collect();
    assert!(!found.is_empty(), "no recording in {folder}");
    found
}

/// Recorded lines that look surely or likely like this dialect, with their file; meant for a dialect without recordings.
pub fn taken_for(row: &DialectRow) -> Vec<String> {
    let roots = ["../shared/traces", "../../shared/traces"];
    let Some(root) = roots.iter().map(Path::new).find(|root| root.is_dir()) else { return Vec::new() };
    let mut taken = Vec::new();
    let mut folders = vec![root.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder of recordings") {
            let path = entry.expect("a folder entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending != "md" && ending != "json") {
                let text = String::from_utf8_lossy(&std::fs::read(&path).expect("a recording")).into_owned();
                taken.extend(likely_lines(row, &text).map(|line| format!("{}: {line}", path.display())));
            }
        }
    }
    taken
}

fn likely_lines<'a>(row: &'a DialectRow, text: &'a str) -> impl Iterator<Item = &'a str> {
    text.lines().map(|line| line.strip_prefix("data: ").unwrap_or(line)).filter(|line| {
        let record = Record { body: line, event: None, id: None, source: Source::default() };
        let Ok(value) = Value::parse(line) else { return false };
        (row.detect)(&record, value, Container::JsonLines).is_some_and(|(sign, _)| sign > Sign::Weak)
    })
}

impl FactSink for Recorder {
    fn fact(&mut self, context: &Context<'_>, fact: Fact<'_>) {
        let mut line = describe(&fact);
        let parts = [
            ("session", context.session),
            ("agent", context.agent),
            ("parent", context.parent_call),
            ("message", context.message),
            ("at", context.timestamp),
            ("model", context.model),
            ("extra", context.extra.map(|extra| extra.0)),
        ];
        for (name, value) in parts {
            if let Some(value) = value {
                let _ = write!(line, " {name}={value}");
            }
        }
        self.lines.push(line);
    }

    fn diagnostic(&mut self, code: &'static str, severity: Severity, _message: &str) {
        self.lines.push(format!("! {severity:?} {code}"));
    }
}

fn part(part: PartRef<'_>) -> String {
    match part {
        PartRef::Id(id) => id.to_owned(),
        other => format!("{other:?}"),
    }
}

fn call(call: CallRef<'_>) -> String {
    match call {
        CallRef::Id(id) => id.to_owned(),
        other => format!("{other:?}"),
    }
}

/// Appends `name=value` for what is there.
macro_rules! told {
    ($line:ident, $($name:literal $value:expr),*) => {$(
        if let Some(value) = &$value {
            let _ = write!($line, " {}={value:?}", $name);
        }
    )*};
}

fn describe(fact: &Fact<'_>) -> String {
    match fact {
        Fact::PartOpen { part: p, kind } => format!("open {} {kind:?}", part(*p)),
        Fact::PartDelta { part: p, kind, text } => format!("delta {} {kind:?} {:?}", part(*p), text.text),
        Fact::PartSoFar { part: p, kind, text } => format!("so-far {} {kind:?} {:?}", part(*p), text.text),
        Fact::PartWhole { part: p, kind, text } => format!("whole {} {kind:?} {:?}", part(*p), text.text),
        Fact::PartBlock { kind, block } => format!("block {kind:?} {block:?}"),
        Fact::PartEnd { part: p, aborted, .. } => format!("end {} aborted={aborted}", part(*p)),
        Fact::ToolSeen(seen) => {
            let mut line = format!("seen {}", call(seen.call));
            told!(line, "lane" seen.lane, "name" seen.name, "title" seen.title, "kind" seen.kind, "status" seen.status,
                "input" seen.input.map(|input| input.0), "content" seen.content, "locations" seen.locations);
            line
        }
        Fact::ToolChanged(changed) => {
            let mut line = format!("changed {}", call(changed.call));
            told!(line, "status" changed.status, "name" changed.name, "title" changed.title, "kind" changed.kind,
                "input" changed.input.map(|input| input.0), "content" changed.content,
                "input-content" changed.input_content, "locations" changed.locations, "output" changed.output.map(|output| output.0));
            line
        }
        Fact::AgentSeen(seen) => {
            let mut line = format!("agent {}", seen.agent);
            told!(line, "session" seen.session, "call" seen.call.map(call), "status" seen.status);
            line
        }
        Fact::Usage(usage) => {
            let mut line = format!("usage {:?}", usage.basis);
            told!(line, "prompt" usage.prompt, "completion" usage.completion, "cached" usage.cached,
                "cost" usage.cost, "extra" usage.extra.map(|extra| extra.0));
            line
        }
        Fact::PlanSet { entries } => {
            let entries: Vec<_> =
                entries.iter().map(|e| format!("{} {:?} {:?}", e.content, e.status, e.priority)).collect();
            format!("plan [{}]", entries.join(", "))
        }
        Fact::Run(run) => {
            let mut line = format!("run {:?} {:?}", run.scope, run.phase);
            told!(line, "outcome" run.outcome, "reason" run.reason, "evidence" run.evidence);
            line
        }
        Fact::Error(error) => {
            let mut line =
                format!("error fatal={} repeats={} {:?}", error.fatal, error.repeats, error.message);
            told!(line, "code" error.code, "retry" error.retry_after_ms);
            line
        }
        Fact::Tell(Update::Unknown(unknown)) => format!("unknown {:?} {}", unknown.type_, unknown.raw),
        Fact::Tell(Update::HarnessEvent(event)) => {
            format!("harness {} {:?}", event.type_, event.payload.map(|raw| raw.0))
        }
        Fact::Tell(update) => format!("tell {update:?}"),
        Fact::Prompt { text } => format!("prompt {:?}", text.text),
        Fact::Answer { text } => format!("answer {:?}", text.text),
        Fact::OutputDelta { call: c, text, stream } => {
            format!("output {} {:?} {stream:?}", call(*c), text.text)
        }
        Fact::NotRun { call: c, why } => format!("not-run {} {why:?}", call(*c)),
        Fact::MessageEnd { aborted, .. } => format!("message-end aborted={aborted}"),
        Fact::Artifact { artifact, call: c } => {
            let mut line = format!("artifact {} {:?}", artifact.url, artifact.filename);
            told!(line, "call" c.map(call));
            line
        }
        Fact::Ask(ask) => {
            let mut line = format!("ask {:?}", ask.interrupt.kind);
            told!(line, "id" ask.id, "call" ask.call.map(call));
            if ask.call.is_some() {
                let _ = write!(line, " link={:?}", ask.link);
            }
            describe_interrupt(&mut line, &ask.interrupt);
            line
        }
        Fact::IdsRestart => "restart".to_owned(),
        Fact::Ignored(reason) => format!("ignored {reason}"),
        other => format!("{other:?}"),
    }
}

fn describe_interrupt(line: &mut String, interrupt: &Interrupt<'_>) {
    told!(line, "tool" interrupt.tool_name, "title" interrupt.title, "message" interrupt.message,
        "reason" interrupt.reason, "effect" interrupt.side_effect, "input" interrupt.raw_input.map(|raw| raw.0),
        "locations" interrupt.locations);
    let _ = write!(line, " blocking={:?}", interrupt.blocking);
    for option in interrupt.options.iter() {
        let _ = write!(line, " [{} {:?} {:?}", option.option_id, option.kind, option.name);
        told!(line, "scope" option.scope);
        line.push_str(if option.editable { " editable]" } else { "]" });
    }
    for question in interrupt.questions.iter() {
        let labels: Vec<_> = question.options.iter().map(|choice| (choice.value, choice.label)).collect();
        let _ = write!(line, " {{{} {:?} {:?} {labels:?}", question.id, question.question, question.type_);
        let _ = write!(line, " other={} required={}}}", question.allow_other, question.required);
    }
}
