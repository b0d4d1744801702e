//! Gemini CLI: `stream-json` lines, the one object of `--output-format json`, and saved chat files.
//!
//! Stream lines carry no ids of messages: pieces of the answer run on until a call, a prompt or the end. Only the first
//! line names the session; the later ones belong to it. Lines of standard error between them are not touched here, and
//! do not part a text. The saved file is read in `saved`; its records look like none of the stream.

pub(super) mod parts;
pub(super) mod saved;

use super::speaker::{Extra, Speaker, error};
use super::tools::gemini as tools;
use super::{
    CallRef, Dialect, DialectRow, ErrorFact, Fact, FactSink, PartKind, PartRef, RunFact, Sign, UsageBasis,
    Verdict,
};
use crate::dialect::content::Block;
use crate::dialect::walk::{Present, elements, members};
use crate::event::{Notice, RunOutcome, RunPhase, RunScope, Severity, ToolStatus};
use crate::framing::{Container, Record};
use crate::json::Value;
use saved::Saved;

/// The table row.
pub const ROW: DialectRow =
    DialectRow { name: "gemini", detect, make: |_| Box::new(Gemini::default()), reply: None };

fn detect(_record: &Record<'_>, value: Value<'_>, _container: Container) -> Verdict {
    let [kind, session, model, role, content, delta, tool, status] =
        value.fields(["type", "session_id", "model", "role", "content", "delta", "tool_id", "status"]);
    let Some(kind) = kind.and_then(Value::str) else { return detect_untyped(value) };
    let is_text = |field: Option<Value<'_>>| field.is_some_and(|field| field.str_raw().is_some());
    match &*kind {
        "init" if session.is_some() && model.is_some() => {
            Some((Sign::Certain, "an `init` line with `session_id` and `model`"))
        }
        "message" if is_text(role) && is_text(content) => match delta.and_then(Value::bool) {
            Some(true) => Some((Sign::Certain, "a `message` line with text `content` and `delta`")),
            _ => value.get("timestamp").map(|_| (Sign::Strong, "a `message` line with text `content`")),
        },
        "tool_use" if tool.is_some() && value.get("tool_name").is_some() => {
            Some((Sign::Certain, "a `tool_use` line with `tool_name` and `tool_id`"))
        }
        "tool_result" if tool.is_some() && status.is_some() => {
            Some((Sign::Strong, "a `tool_result` line with `tool_id` and `status`"))
        }
        "result"
            if status.is_some()
                && session.is_none()
                && value.get("stats").or(value.get("error")).is_some() =>
        {
            Some((Sign::Strong, "a `result` line with `status`"))
        }
        "error" if value.get("severity").is_some() => Some((Sign::Strong, "an `error` line with `severity`")),
        "gemini" if content.is_some() && value.get("id").is_some() => {
            Some((Sign::Strong, "a saved `gemini` message"))
        }
        _ => None,
    }
}

fn detect_untyped(value: Value<'_>) -> Verdict {
    let [session, project, set, rewind, response, stats] =
        value.fields(["sessionId", "projectHash", "$set", "$rewindTo", "response", "stats"]);
    if session.is_some() && project.is_some() {
        return Some((Sign::Certain, "a saved chat's header with `projectHash`"));
    }
    if set.or(rewind).is_some() {
        return Some((Sign::Strong, "a `$set` or `$rewindTo` record of a saved chat"));
    }
    (response.is_some() && stats.is_some())
        .then_some((Sign::Strong, "a result object with `response` and `stats`"))
}

/// Types of lines beside `init` and `message`. Any other one says first of all that it is not known, and closes nothing:
/// it may be a line of another program in the same log.
const WORDS: [&str; 6] = ["tool_use", "tool_result", "error", "result", "thought", "thinking"];

/// The reader.
#[derive(Default)]
struct Gemini {
    session: Option<String>,
    /// Name of the piece of the answer that runs on, or ran last.
    part: String,
    parts: u32,
    is_open: bool,
    /// The newest `error` line: a failed result may leave the words to it.
    last_error: String,
    saved: Saved,
}

impl Dialect for Gemini {
    fn record(&mut self, _record: &Record<'_>, value: Value<'_>, facts: &mut dyn FactSink) {
        let mut spoken = false;
        let mut speaker = Speaker::new("gemini.wrong-type", facts, &mut spoken);
        // A token's line has no more than these; its timestamp is kept raw, since it goes out as it stands.
        let [kind, timestamp, role, content, delta, id] =
            value.fields(["type", "timestamp", "role", "content", "delta", "id"]);
        let kind = speaker.text(kind, "type");
        let time = speaker.text(timestamp, "timestamp");
        speaker.context.timestamp = time.as_deref();
        if kind.as_deref() == Some("message") && id.is_none() {
            let free = [content, timestamp].map(|field| field.and_then(Value::str_raw).unwrap_or_default());
            let is_piece = delta.and_then(Value::bool) == Some(true);
            self.message(role, content, is_piece, free, &mut speaker);
        } else if kind.is_none() || saved::is_record(kind.as_deref(), id) {
            self.untyped(value, kind.as_deref(), &mut speaker);
        } else {
            self.line(&kind.unwrap_or_default(), value, &mut speaker);
        }
        if !speaker.has_spoken() {
            speaker.say(Fact::Ignored("nothing-to-show"));
        }
    }
}

impl Gemini {
    fn message(
        &mut self,
        role: Option<Value<'_>>,
        content: Option<Value<'_>>,
        is_piece: bool,
        free: [&str; 2],
        speaker: &mut Speaker<'_, '_>,
    ) {
        let role = speaker.text(role, "role").unwrap_or_default();
        if role != "assistant" {
            self.close(speaker);
            let mut speaker = speaker.narrowed();
            speaker.context.session = self.session.as_deref();
            return speaker.whole(PartRef::New, PartKind::User, content, "content");
        }
        if !is_piece {
            self.close(speaker);
        } else if !self.is_open {
            self.is_open = true;
            self.parts += 1;
            self.part.clear();
            self.part.push_str(&self.parts.to_string());
        } else if !free.contains(&"") {
            speaker.repeatable(&free);
        }
        let mut speaker = speaker.narrowed();
        speaker.context.session = self.session.as_deref();
        if !is_piece {
            return speaker.whole(PartRef::New, PartKind::Agent, content, "content");
        }
        match content.and_then(Value::text) {
            Some(text) if text.is_empty() => speaker.say(Fact::Ignored("empty-delta")),
            Some(text) => {
                let part = PartRef::Id(&self.part);
                speaker.say(Fact::PartDelta { part, kind: PartKind::Agent, text });
            }
            None => speaker.wrong_type("content"),
        }
    }

    /// What runs on is over: something else came.
    fn close(&mut self, speaker: &mut Speaker<'_, '_>) {
        if std::mem::take(&mut self.is_open) {
            let mut speaker = speaker.narrowed();
            speaker.context.session = self.session.as_deref();
            speaker.say(Fact::PartEnd { part: PartRef::Id(&self.part), stop_reason: None, aborted: false });
        }
    }

    fn line(&mut self, kind: &str, value: Value<'_>, speaker: &mut Speaker<'_, '_>) {
        if kind == "init" {
            return self.init(value, speaker);
        }
        if !WORDS.contains(&kind) {
            let mut speaker = speaker.narrowed();
            speaker.context.session = self.session.as_deref();
            return speaker.unknown(Some(kind), value);
        }
        let failed = kind == "result" && value.get("status").and_then(Value::str).as_deref() == Some("error");
        // A notice does not end the answer, and an answer before a failure was cut: the end of the run says so.
        if kind != "error" && !failed {
            self.close(speaker);
        }
        self.is_open &= kind == "error";
        let mut speaker = speaker.narrowed();
        speaker.context.session = self.session.as_deref();
        match kind {
            "tool_use" => tool_use(value, &mut speaker),
            "tool_result" => tool_result(value, &mut speaker),
            "error" => notice(value, &mut self.last_error, &mut speaker),
            "result" => result(value, &self.last_error, &mut speaker),
            _ => {
                let text = parts::thought(value, &["content", "description"]);
                speaker.say(Fact::PartWhole {
                    part: PartRef::New,
                    kind: PartKind::Thought,
                    text: crate::json::Text::plain(&text),
                });
            }
        }
    }

    fn init(&mut self, value: Value<'_>, speaker: &mut Speaker<'_, '_>) {
        self.close(speaker);
        let [session, model] = value.fields(["session_id", "model"]);
        self.session = speaker.text(session, "session_id").map(|session| session.into_owned());
        self.last_error.clear();
        // With automatic routing the configured word is no model.
        let model = speaker.text(model, "model").filter(|model| model != "auto");
        let mut speaker = speaker.narrowed();
        speaker.context.session = self.session.as_deref();
        speaker.context.model = model.as_deref();
        speaker.say(Fact::Run(RunFact::of(RunScope::Run, RunPhase::Start)));
    }

    /// A record of a saved chat, or the object of the plain JSON mode.
    fn untyped(&mut self, value: Value<'_>, kind: Option<&str>, speaker: &mut Speaker<'_, '_>) {
        if self.saved.record(value, kind, speaker) {
            return;
        }
        let [response, stats, failure, session] = value.fields(["response", "stats", "error", "session_id"]);
        // Standard error between the lines of a stream may hold objects too: those are not its result.
        let is_result = stats.is_some() || (failure.or(response).is_some() && session.is_some());
        if !is_result || self.session.is_some() {
            return speaker.unknown(kind, value);
        }
        let session = speaker.text(session, "session_id");
        let mut speaker = speaker.narrowed();
        speaker.context.session = session.as_deref();
        if let Some(text) = response.and_then(Value::text).filter(|text| !text.is_empty()) {
            speaker.say(Fact::Answer { text });
        }
        let failure = failure.present();
        if let Some(failure) = failure {
            fatal(Some(failure), "error", &mut speaker);
        }
        if let Some(stats) = stats {
            model_tokens(stats, &mut speaker);
        }
        for warning in elements(value.get("warnings")).filter_map(Value::str) {
            let notice = Notice { severity: Severity::Warning, text: &warning, stream: None };
            speaker.say(Fact::Tell(notice.into()));
        }
        let outcome = if failure.is_some() { RunOutcome::Failed } else { RunOutcome::Completed };
        speaker.run_end(outcome, None, None, None);
    }
}

fn tool_use(value: Value<'_>, speaker: &mut Speaker<'_, '_>) {
    let [name, id, input] = value.fields(["tool_name", "tool_id", "parameters"]);
    let name = speaker.text(name, "tool_name");
    let id = speaker.text(id, "tool_id").filter(|id| !id.is_empty());
    let call = CallRef::of(id.as_deref());
    parts::call(call, name.as_deref(), input, ToolStatus::InProgress, speaker);
}

fn tool_result(value: Value<'_>, speaker: &mut Speaker<'_, '_>) {
    let [id, status, output, failure] = value.fields(["tool_id", "status", "output", "error"]);
    let id = speaker.text(id, "tool_id").filter(|id| !id.is_empty());
    let failure = failure.present();
    let failed = match speaker.text(status, "status").as_deref() {
        Some(status) => status == "error",
        None => failure.is_some(),
    };
    // The display text and the message of an error are the same thing told to two readers.
    let message = failure.and_then(|failure| failure.get("message").unwrap_or(failure).str());
    let text = message.filter(|text| !text.is_empty()).or_else(|| output.and_then(Value::str));
    let mut blocks: Vec<_> = text.filter(|text| !text.is_empty()).map(Block::Text).into_iter().collect();
    if blocks.is_empty() && output.is_some_and(|output| output.str_raw().is_none()) {
        blocks.extend(output.map(Block::list_from_wire).into_iter().flatten());
    }
    speaker.result(CallRef::of(id.as_deref()), failed, &blocks, failure);
}

/// Never the end by itself, whatever its severity.
fn notice(value: Value<'_>, last: &mut String, speaker: &mut Speaker<'_, '_>) {
    let [severity, message] = value.fields(["severity", "message"]);
    let message = speaker.text(message, "message").filter(|message| !message.is_empty());
    let message = message.unwrap_or(std::borrow::Cow::Borrowed(value.raw()));
    last.clear();
    last.push_str(&message);
    let mut extra = Extra::default();
    extra.value("severity", severity);
    let extra = extra.finish();
    speaker.say_extra(extra.as_deref(), Fact::Error(ErrorFact { repeats: true, ..error(&message) }));
}

/// An error that ended the run, from its object.
fn fatal(failure: Option<Value<'_>>, otherwise: &str, speaker: &mut Speaker<'_, '_>) {
    let [kind, message] = failure.map_or([None, None], |failure| failure.fields(["type", "message"]));
    let code = kind.and_then(Value::str);
    let message = message.or(failure).and_then(Value::str).filter(|message| !message.is_empty());
    let message = message.as_deref().or(code.as_deref()).unwrap_or(otherwise);
    speaker.say(Fact::Error(ErrorFact {
        fatal: true,
        code: code.as_deref(),
        repeats: true,
        ..error(message)
    }));
}

fn result(value: Value<'_>, last_error: &str, speaker: &mut Speaker<'_, '_>) {
    let [status, failure, stats] = value.fields(["status", "error", "stats"]);
    let status = speaker.text(status, "status");
    let failure = failure.present();
    let failed = status.as_deref() == Some("error") || failure.is_some();
    if failed {
        fatal(failure, if last_error.is_empty() { "error" } else { last_error }, speaker);
    }
    let duration = stats.and_then(|stats| stats.get("duration_ms")?.f64());
    if let Some(stats) = stats {
        run_share(stats, speaker);
    }
    let kind = failure.and_then(|failure| failure.get("type")?.str());
    let outcome = match kind.as_deref() {
        Some("FatalCancellationError") => RunOutcome::Cancelled,
        _ if failed => RunOutcome::Failed,
        _ => RunOutcome::Completed,
    };
    // On the paths of failure the duration is always 0.
    let duration = duration.filter(|&duration| duration > 0.0 || !failed);
    speaker.run_end(outcome, status.as_deref(), duration, None);
}

/// Counters of the whole run; output leaves thinking out.
fn run_share(stats: Value<'_>, speaker: &mut Speaker<'_, '_>) {
    let mut counts = [None; 3];
    let mut extra = Extra::default();
    for (key, member) in members(Some(stats)) {
        let place = ["input_tokens", "output_tokens", "cached"].iter().position(|name| *name == &*key);
        match place.and_then(|place| counts.get_mut(place)) {
            Some(count) => *count = speaker.number(Some(member), &key),
            None if &*key == "duration_ms" => {}
            None => extra.value(&key, Some(member)),
        }
    }
    speaker.usage(UsageBasis::RunShare, counts, extra.finish().as_deref());
}

/// The counters of the plain JSON mode, which are told per model.
fn model_tokens(stats: Value<'_>, speaker: &mut Speaker<'_, '_>) {
    let mut counts = [None; 3];
    for (_, model) in members(stats.get("models")) {
        let told =
            model.get("tokens").map_or([None; 3], |tokens| tokens.fields(["prompt", "candidates", "cached"]));
        for (count, told) in counts.iter_mut().zip(told) {
            if let Some(told) = told.and_then(Value::f64) {
                *count = Some(count.unwrap_or(0.0) + told);
            }
        }
    }
    let mut extra = Extra::default();
    extra.raw("stats", stats.raw());
    speaker.usage(UsageBasis::RunShare, counts, extra.finish().as_deref());
}

/// What a call means beyond its card.
fn say_plan(name: Option<&str>, input: Option<Value<'_>>, speaker: &mut Speaker<'_, '_>) {
    if name.is_some_and(tools::is_plan)
        && let Some(list) = input.and_then(|input| input.get("todos"))
    {
        speaker.todos(list);
    }
}
