//! Goose's `--output-format stream-json`: messages whose pieces share an id, logs of extensions, one last line.
//!
//! There is no first line, no session and no model. Remembers that messages came (a run is on until its last line),
//! that an error was told, and which calls are unanswered (a log line belongs to one of them). The document of
//! `--output-format json` is read too.

mod content;

use super::clock::iso;
use super::speaker::{Speaker, extra_of};
use super::told::{Counter, members_but};
use super::{CallRef, Dialect, DialectRow, Fact, FactSink, RunFact, Sign, UsageBasis, Verdict};
use crate::dialect::walk::elements;
use crate::event::{Evidence, Notice, OutputStream, RunOutcome, RunPhase, RunScope, Severity, Update};
use crate::framing::{Container, Record};
use crate::json::{Text, Value};

/// The table row.
pub const ROW: DialectRow =
    DialectRow { name: "goose", detect, make: |_| Box::new(Goose::default()), reply: None };

/// Unanswered calls remembered at once.
const MOST_CALLS: usize = 256;

/// Members of the last line, and of the document's `metadata`.
const COUNTERS: &[(&str, Counter)] = &[
    ("type", Counter::None),
    ("status", Counter::None),
    ("input_tokens", Counter::Prompt),
    ("output_tokens", Counter::Completion),
    ("cache_read_input_tokens", Counter::Cached),
    ("cost_usd", Counter::Cost),
];

fn detect(_record: &Record<'_>, value: Value<'_>, _container: Container) -> Verdict {
    let [kind, message, extension, total, messages, metadata] =
        value.fields(["type", "message", "extension_id", "total_tokens", "messages", "metadata"]);
    if kind.is_none() && messages.is_some_and(|list| list.array().is_some()) {
        return metadata?
            .get("total_tokens")
            .map(|_| (Sign::Certain, "a document with messages and their tokens"));
    }
    match kind.and_then(Value::str).as_deref() {
        Some("message") => {
            let [content, created] = message?.fields(["content", "created"]);
            (content?.array().is_some() && created?.f64().is_some())
                .then_some((Sign::Certain, "a message with content that was created at a second"))
        }
        Some("notification") if extension.is_some() => {
            Some((Sign::Certain, "a notification of an extension"))
        }
        Some("complete") if total.is_some() => Some((Sign::Strong, "a complete line with total_tokens")),
        _ => None,
    }
}

/// The reader.
#[derive(Default)]
struct Goose {
    running: bool,
    /// An error line came in this run.
    failed: bool,
    /// Id and name of calls without an answer.
    open: Vec<(String, String)>,
}

impl Dialect for Goose {
    fn record(&mut self, _record: &Record<'_>, value: Value<'_>, facts: &mut dyn FactSink) {
        let mut spoken = false;
        let mut voice = Speaker::new("goose.wrong-type", facts, &mut spoken);
        let voice = &mut voice;
        let [kind, message, messages, metadata, error] =
            value.fields(["type", "message", "messages", "metadata", "error"]);
        let kind = voice.filled(kind, "type");
        match kind.as_deref() {
            Some("message") => {
                self.start(voice);
                self.message(message, true, voice);
            }
            Some("notification") => self.notification(value, voice),
            Some("model_change") => {
                let model = voice.filled(value.get("model"), "model");
                let meta = members_but(value, &["type"]);
                let mut voice = voice.narrowed();
                voice.context.model = model.as_deref();
                voice.session(None, meta.as_deref());
            }
            Some("error") => {
                let words =
                    error.and_then(Value::str).or_else(|| message?.str()).filter(|words| !words.is_empty());
                self.failed = true;
                voice.told_error(words.as_deref().unwrap_or(value.raw()), true, None, None);
            }
            Some("complete") => self.complete(value, None, voice),
            None if messages.is_some_and(|list| list.array().is_some()) => {
                self.start(voice);
                for message in elements(messages) {
                    self.message(Some(message), false, voice);
                }
                if let Some(metadata) = metadata {
                    let status = voice.filled(metadata.get("status"), "metadata.status");
                    self.complete(metadata, status.as_deref(), voice);
                }
            }
            kind => voice.unknown(kind, value),
        }
    }
}

impl Goose {
    /// The wire has no first line: the first message tells that a run is on, so that a missing last line shows.
    fn start(&mut self, voice: &mut Speaker<'_, '_>) {
        if !std::mem::replace(&mut self.running, true) {
            voice.say(Fact::Run(RunFact::of(RunScope::Run, RunPhase::Start)));
        }
    }

    /// A message. `is_piece`: messages with the same id go on, each holds only what is new.
    fn message(&mut self, message: Option<Value<'_>>, is_piece: bool, voice: &mut Speaker<'_, '_>) {
        let Some(message) = message.filter(|message| message.object().is_some()) else {
            voice.wrong_type("message");
            return voice.say(Fact::Ignored("no-content"));
        };
        let [id, role, created, blocks, metadata] =
            message.fields(["id", "role", "created", "content", "metadata"]);
        if metadata.and_then(|metadata| metadata.get("userVisible")?.bool()) == Some(false) {
            return voice.say(Fact::Ignored("not-for-the-user"));
        }
        let id = voice.filled(id, "message.id");
        let from_user = voice.filled(role, "message.role").as_deref() == Some("user");
        let timestamp = created.and_then(Value::f64).and_then(|seconds| iso(seconds * 1000.0));
        let mut voice = voice.narrowed();
        voice.context.message = id.as_deref();
        voice.context.timestamp = timestamp.as_deref();
        let Some(list) = blocks.and_then(Value::array) else {
            voice.wrong_type("message.content");
            return voice.say(Fact::Ignored("no-content"));
        };
        let mut said = false;
        for (at, block) in list.enumerate() {
            // A line of a single piece of text changes nothing that is remembered here.
            let is_only =
                at == 0 && blocks.and_then(Value::array).is_some_and(|mut list| list.nth(1).is_none());
            self.block(block, from_user, is_piece && id.is_some(), is_only, &mut voice);
            said = true;
        }
        if !said {
            voice.say(Fact::Ignored("empty-message"));
        }
    }

    /// A log line is printed by the call that runs, if there is just one of that extension.
    fn notification(&mut self, value: Value<'_>, voice: &mut Speaker<'_, '_>) {
        let [extension, log, progress] = value.fields(["extension_id", "log", "progress"]);
        let extension = voice.filled(extension, "extension_id").unwrap_or_default();
        let Some(message) = log.and_then(|log| log.get("message")) else {
            return match progress.and_then(|progress| progress.get("message")?.str()) {
                Some(text) => {
                    let extra = extra_of(value, &["extension_id", "progress"]);
                    say_notice(&text, Severity::Info, extra.as_deref(), voice);
                }
                None => voice.harness_event("notification", value),
            };
        };
        let [output, stream] = message.fields(["output", "stream"]);
        let words = message.str().or_else(|| output?.str()).unwrap_or(message.raw().into());
        let stream = match stream.and_then(Value::str).as_deref() {
            Some("stdout") => Some(OutputStream::Stdout),
            Some("stderr") => Some(OutputStream::Stderr),
            _ => None,
        };
        let is_of = |name: &str| match name.split_once("__") {
            Some((owner, _)) => owner == extension,
            None => true,
        };
        let mut calls = self.open.iter().filter(|(_, name)| is_of(name));
        if let (Some((id, _)), None) = (calls.next(), calls.next()) {
            let mut line = words.into_owned();
            if !line.ends_with('\n') {
                line.push('\n');
            }
            return voice.say(Fact::OutputDelta { call: CallRef::Id(id), text: Text::plain(&line), stream });
        }
        let extra = extra_of(value, &["extension_id"]);
        say_notice(&words, Severity::Info, extra.as_deref(), voice);
    }

    /// The end of the run. It is told after an error too, and does not take it back.
    fn complete(&mut self, value: Value<'_>, status: Option<&str>, voice: &mut Speaker<'_, '_>) {
        voice.counters(value, UsageBasis::RunShare, COUNTERS);
        let stated = match status {
            None | Some("completed" | "success") => RunOutcome::Completed,
            Some("cancelled" | "interrupted") => RunOutcome::Cancelled,
            Some(_) => RunOutcome::Failed,
        };
        let told_error = std::mem::take(&mut self.failed) && stated == RunOutcome::Completed;
        voice.say(Fact::Run(RunFact {
            outcome: Some(if told_error { RunOutcome::Failed } else { stated }),
            reason: status,
            evidence: Some(if told_error { Evidence::Inferred } else { Evidence::Stated }),
            ..RunFact::of(RunScope::Run, RunPhase::End)
        }));
        self.running = false;
        self.open.clear();
    }
}

fn say_notice(text: &str, severity: Severity, extra: Option<&str>, voice: &mut Speaker<'_, '_>) {
    voice.say_extra(extra, Fact::Tell(Update::Notice(Notice { severity, text, stream: None })));
}
