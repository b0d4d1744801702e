//! Droid (Factory): lines of `droid exec -o stream-json`, the two-way JSON-RPC stream, and saved sessions.
//!
//! Messages are told whole, some of them again and longer. Only the first lines name the session for sure; it holds for
//! those after them. The JSON-RPC frames are read in `rpc`, messages made of blocks, which saved sessions have too, in
//! `blocks`.

mod blocks;
mod rpc;

use std::borrow::Cow;

use super::clock;
use super::content::Block;
use super::speaker::{Extra, Speaker, error, extra_of};
use super::tools::droid as tools;
use super::{
    CallRef, Dialect, DialectRow, ErrorFact, Fact, FactSink, PartKind, PartRef, RunFact, Sign, UsageBasis,
    Verdict,
};
use crate::dialect::walk::Present;
use crate::event::{
    CompactionUpdate, Json, Notice, RunOutcome, RunPhase, RunScope, SessionInfoUpdate, Severity, ToolStatus,
};
use crate::framing::{Container, Record};
use crate::json::Value;
use rpc::Rpc;

/// The table row.
pub const ROW: DialectRow =
    DialectRow { name: "droid", detect, make: |_| Box::new(Droid::default()), reply: Some(rpc::reply) };

fn detect(_record: &Record<'_>, value: Value<'_>, _container: Container) -> Verdict {
    let [kind, session, uuid, text, role, tool, message, api, method] = value.fields([
        "type",
        "session_id",
        "uuid",
        "text",
        "role",
        "toolId",
        "message",
        "factoryApiVersion",
        "method",
    ]);
    let method = method.and_then(Value::str);
    if api.is_some() || method.is_some_and(|method| method.starts_with("droid.")) {
        return Some((Sign::Certain, "a JSON-RPC frame of Factory's API"));
    }
    let kind = kind.and_then(Value::str)?;
    let is_text = |field: Option<Value<'_>>| field.is_some_and(|field| field.str_raw().is_some());
    match &*kind {
        "message" if is_text(role) && is_text(text) => {
            Some((Sign::Certain, "a `message` line with a flat `text`"))
        }
        "message" if message.is_some_and(|message| message.get("content").is_some()) => {
            Some((Sign::Strong, "a saved `message` with content blocks"))
        }
        "session_start" if value.get("cwd").or(value.get("title")).is_some() => {
            Some((Sign::Strong, "a `session_start` record"))
        }
        "tool_call" if value.get("toolName").is_some() && tool.is_some() => {
            Some((Sign::Certain, "a `tool_call` line with `toolName` and `toolId`"))
        }
        "tool_result" if tool.is_some() => Some((Sign::Strong, "a `tool_result` line with `toolId`")),
        "completion" if value.get("finalText").is_some() => Some((Sign::Certain, "a `completion` line")),
        "reasoning" if is_text(text) && session.is_some() => {
            Some((Sign::Strong, "a `reasoning` line with `text`"))
        }
        "system" if session.is_some() && uuid.is_none() => {
            let others = ["permissionMode", "permission_mode", "apiKeySource", "mcp_servers", "data"];
            if others.iter().any(|name| value.get(name).is_some()) {
                return None;
            }
            let [effort, model] = value.fields(["reasoning_effort", "model"]);
            if effort.is_some() {
                return Some((Sign::Strong, "an init line with reasoning_effort"));
            }
            model.map(|_| (Sign::Weak, "an init line with a model and nothing of its neighbours"))
        }
        "result" if session.is_some() && uuid.is_none() && value.get("num_turns").is_some() => {
            let others = ["duration_api_ms", "total_cost_usd"];
            let other = others.iter().any(|name| value.get(name).is_some());
            (!other).then_some((Sign::Weak, "a result object with `num_turns`"))
        }
        _ => None,
    }
}

/// The reader.
#[derive(Default)]
struct Droid {
    session: Option<String>,
    /// The message whose text may still grow.
    growing: Option<String>,
    rpc: Rpc,
}

/// The members of a line that several types have.
struct Line<'a> {
    value: Value<'a>,
    id: Option<Cow<'a, str>>,
    text: Option<Value<'a>>,
    message: Option<Value<'a>>,
}

impl Dialect for Droid {
    fn record(&mut self, _record: &Record<'_>, value: Value<'_>, facts: &mut dyn FactSink) {
        let mut spoken = false;
        let mut speaker = Speaker::new("droid.wrong-type", facts, &mut spoken);
        let [kind, id, text, message, timestamp, session, method, rpc] =
            value.fields(["type", "id", "text", "message", "timestamp", "session_id", "method", "jsonrpc"]);
        let kind = speaker.text(kind, "type");
        if method.is_some() || rpc.is_some() {
            self.rpc.record(value, &mut self.session, &mut speaker);
        } else {
            let time = timestamp.and_then(clock::time);
            if let Some(session) = speaker.text(session, "session_id") {
                self.name_session(&session);
            }
            let id = id.and_then(Value::str).filter(|id| !id.is_empty());
            let line = Line { value, id, text, message };
            speaker.context.timestamp = time.as_deref();
            self.settle(kind.as_deref(), &line, &mut speaker);
            let session = self.session.take();
            speaker.context.session = session.as_deref();
            let named = self.line(kind.as_deref(), &line, &mut speaker);
            if !speaker.has_spoken() {
                speaker.say(Fact::Ignored("nothing-to-show"));
            }
            self.session = named.or(session);
            return;
        }
        if !speaker.has_spoken() {
            speaker.say(Fact::Ignored("nothing-to-show"));
        }
    }
}

impl Droid {
    fn name_session(&mut self, session: &str) {
        if !session.is_empty() && self.session.as_deref() != Some(session) {
            self.session = Some(session.to_owned());
        }
    }

    /// A text grows only while nothing else comes.
    fn settle(&mut self, kind: Option<&str>, line: &Line<'_>, speaker: &mut Speaker<'_, '_>) {
        let goes_on = kind == Some("message")
            && self.growing.is_some()
            && line.id.as_deref() == self.growing.as_deref();
        if goes_on {
            return;
        }
        if let Some(part) = self.growing.take() {
            let mut speaker = speaker.narrowed();
            speaker.context.session = self.session.as_deref();
            speaker.context.message = Some(&part);
            speaker.say_quietly(Fact::PartEnd {
                part: PartRef::Id(&part),
                stop_reason: None,
                aborted: false,
            });
        }
    }

    /// Returns the session that a saved file names.
    fn line(&mut self, kind: Option<&str>, line: &Line<'_>, speaker: &mut Speaker<'_, '_>) -> Option<String> {
        match kind {
            Some("message") if line.message.is_some_and(|message| message.object().is_some()) => {
                blocks::saved(line, speaker);
            }
            Some("message") => self.message(line, speaker),
            Some("reasoning") => {
                let part = line.id.as_deref().map_or(PartRef::New, PartRef::Id);
                let mut speaker = speaker.narrowed();
                speaker.context.message = line.id.as_deref();
                speaker.whole(part, PartKind::Thought, line.text, "text");
            }
            Some("tool_call") => tool_call(line, speaker),
            Some("tool_result") => tool_result(line, speaker),
            Some("completion" | "result") => completion(line.value, speaker),
            Some("system") => system(line.value, speaker),
            Some("error") => failed(line.value, true, speaker),
            Some("session_start") => return session_start(line, speaker),
            Some("todo_state") => match line.value.get("todos") {
                Some(todos) => blocks::todos(todos, speaker),
                None => speaker.harness_event("todo_state", line.value),
            },
            Some("compaction_state") => {
                let [summary, text] =
                    line.value.fields(["summaryText", "summary"]).map(|it| it.and_then(Value::str));
                let summary = summary.or(text);
                let update = CompactionUpdate {
                    status: "completed",
                    summary: summary.as_deref(),
                    ..Default::default()
                };
                speaker.say(Fact::Tell(update.into()));
            }
            Some(kind) => speaker.unknown(Some(kind), line.value),
            None => logged(line.value, speaker),
        }
        None
    }

    fn message(&mut self, line: &Line<'_>, speaker: &mut Speaker<'_, '_>) {
        let role = line.value.get("role").and_then(Value::str);
        let kind = if role.as_deref() == Some("user") { PartKind::User } else { PartKind::Agent };
        let mut speaker = speaker.narrowed();
        speaker.context.message = line.id.as_deref();
        let Some(id) = line.id.as_deref().filter(|_| kind == PartKind::Agent) else {
            let part = line.id.as_deref().map_or(PartRef::New, PartRef::Id);
            return speaker.whole(part, kind, line.text, "text");
        };
        match line.text.map(Value::text) {
            Some(Some(text)) if !text.is_empty() => {
                speaker.say(Fact::PartSoFar { part: PartRef::Id(id), kind, text });
                self.growing = Some(id.to_owned());
            }
            Some(None) => speaker.wrong_type("text"),
            _ => speaker.say(Fact::Ignored("empty-text")),
        }
    }
}

fn system(value: Value<'_>, speaker: &mut Speaker<'_, '_>) {
    let [subtype, cwd, model] = value.fields(["subtype", "cwd", "model"]);
    let subtype = subtype.and_then(Value::str).unwrap_or(Cow::Borrowed("init"));
    if subtype != "init" {
        return speaker.harness_event(&["system/", &subtype].concat(), value);
    }
    let cwd = speaker.text(cwd, "cwd");
    let model = speaker.text(model, "model");
    let mut speaker = speaker.narrowed();
    speaker.context.model = model.as_deref();
    speaker.say(Fact::Run(RunFact::of(RunScope::Run, RunPhase::Start)));
    let meta = extra_of(value, &["model", "tools", "reasoning_effort"]);
    if cwd.is_some() || meta.is_some() {
        let info =
            SessionInfoUpdate { cwd: cwd.as_deref(), meta: meta.as_deref().map(Json), ..Default::default() };
        speaker.say(Fact::Tell(info.into()));
    }
}

fn session_start(line: &Line<'_>, speaker: &mut Speaker<'_, '_>) -> Option<String> {
    let [session, title, name, cwd] = line.value.fields(["sessionId", "title", "sessionTitle", "cwd"]);
    let session = session.and_then(Value::str).or_else(|| line.id.clone());
    let title = name.or(title).and_then(Value::str);
    let cwd = speaker.text(cwd, "cwd");
    let mut speaker = speaker.narrowed();
    speaker.context.session = session.as_deref().or(speaker.context.session);
    let info = SessionInfoUpdate { title: title.as_deref(), cwd: cwd.as_deref(), ..Default::default() };
    speaker.say(Fact::Tell(info.into()));
    session.map(Cow::into_owned)
}

/// `toolId` is the tool's own id, not the call's.
fn tool_call(line: &Line<'_>, speaker: &mut Speaker<'_, '_>) {
    let [name, tool, input, message] = line.value.fields(["toolName", "toolId", "parameters", "messageId"]);
    let name = name.or(tool).and_then(Value::str);
    let message = speaker.text(message, "messageId");
    let mut speaker = speaker.narrowed();
    speaker.context.message = message.as_deref();
    say_call(line.id.as_deref(), name.as_deref(), input, ToolStatus::InProgress, &mut speaker);
}

fn say_call(
    id: Option<&str>,
    name: Option<&str>,
    input: Option<Value<'_>>,
    status: ToolStatus,
    speaker: &mut Speaker<'_, '_>,
) {
    let word = name.unwrap_or("Tool");
    let shown = tools::present(word, input);
    speaker.call(CallRef::of(id), name, &shown, input, Some(status));
    if tools::is_plan(word)
        && let Some(list) = input.and_then(|input| input.get("todos"))
    {
        blocks::todos(list, speaker);
    }
}

fn tool_result(line: &Line<'_>, speaker: &mut Speaker<'_, '_>) {
    let [tool, is_error, value, failure] = line.value.fields(["toolId", "isError", "value", "error"]);
    let tool = tool.and_then(Value::str);
    // Versions of autumn 2025 leave the id out; all that is left is the tool.
    let call = match (line.id.as_deref(), tool.as_deref()) {
        (Some(id), _) => CallRef::Id(id),
        (None, Some(name)) => CallRef::Match { id: None, name, lane: None },
        (None, None) => CallRef::New,
    };
    let failure = failure.present();
    let failed = is_error.and_then(Value::bool).unwrap_or(failure.is_some());
    let message = failure.and_then(|failure| failure.get("message").unwrap_or(failure).str());
    let value = value.present();
    let mut blocks: Vec<_> = message.filter(|text| !text.is_empty()).map(Block::Text).into_iter().collect();
    if blocks.is_empty()
        && let Some(value) = value
    {
        blocks = tools::result_blocks(value);
    }
    let structured = value.filter(|value| value.str_raw().is_none());
    speaker.result(call, failed, &blocks, failure.or(structured));
}

/// An error: its words stand in `message`, or in `error` as text or object.
fn failed(value: Value<'_>, fatal: bool, speaker: &mut Speaker<'_, '_>) {
    let [message, failure, kind, source] = value.fields(["message", "error", "errorType", "source"]);
    let [inner, name, inner_kind] =
        failure.map_or([None; 3], |failure| failure.fields(["message", "name", "type"]));
    let words =
        [message, inner, failure].into_iter().flatten().filter_map(Value::str).find(|it| !it.is_empty());
    let code = kind.or(name).or(inner_kind).and_then(Value::str);
    let mut extra = Extra::default();
    extra.value("source", source);
    let extra = extra.finish();
    let message = words.as_deref().unwrap_or(value.raw());
    let fact = ErrorFact { fatal, code: code.as_deref(), repeats: true, ..error(message) };
    speaker.say_extra(extra.as_deref(), Fact::Error(fact));
}

/// Lines of the program's own logger have no type.
fn logged(value: Value<'_>, speaker: &mut Speaker<'_, '_>) {
    let [level, failure, words] = value.fields(["level", "error", "msg"]);
    if level.is_none() && words.is_none() {
        return speaker.unknown(None, value);
    }
    if failure.is_some_and(|failure| !failure.is_null()) {
        return failed(value, false, speaker);
    }
    let words = words.and_then(Value::str);
    let text = words.as_deref().unwrap_or(value.raw());
    let severity = match level.and_then(Value::str).as_deref() {
        Some("error" | "fatal") => Severity::Error,
        Some("warn" | "warning") => Severity::Warning,
        _ => Severity::Info,
    };
    let notice = Notice { severity, text, stream: None };
    speaker.say(Fact::Tell(notice.into()));
}

/// The last line, or the one object of `-o json`, which has the same under other names.
fn completion(value: Value<'_>, speaker: &mut Speaker<'_, '_>) {
    let [text, result, duration, duration_ms, is_error, failed, usage, subtype] = value.fields([
        "finalText",
        "result",
        "durationMs",
        "duration_ms",
        "isError",
        "is_error",
        "usage",
        "subtype",
    ]);
    let text = text.or(result).present();
    let failed = is_error.or(failed).and_then(Value::bool).unwrap_or(false);
    let words = text.and_then(Value::text);
    match words.filter(|words| !words.is_empty()) {
        Some(words) if failed => {
            let message = words.into_cow();
            let fact = ErrorFact { fatal: true, repeats: true, echoed: true, ..error(&message) };
            speaker.say(Fact::Error(fact));
        }
        Some(text) => speaker.say(Fact::Answer { text }),
        None if failed => speaker.say(Fact::Error(ErrorFact { fatal: true, ..error("the run failed") })),
        None => {}
    }
    if let Some(usage) = usage.filter(|usage| usage.object().is_some()) {
        say_usage(usage, UsageBasis::RunShare, speaker);
    }
    let outcome = if failed { RunOutcome::Failed } else { RunOutcome::Completed };
    let duration = duration.or(duration_ms).and_then(Value::f64);
    let extra = extra_of(value, &["numTurns", "num_turns"]);
    let reason = subtype.and_then(Value::str);
    speaker.run_end(outcome, reason.as_deref(), duration, extra.as_deref());
}

/// Whether input holds the cache's shares is not documented; the names are Anthropic's, where it does not.
fn say_usage(usage: Value<'_>, basis: UsageBasis, speaker: &mut Speaker<'_, '_>) {
    let snake = ["input_tokens", "output_tokens", "cache_read_input_tokens", "cache_creation_input_tokens"];
    let camel = ["inputTokens", "outputTokens", "cacheReadTokens", "cacheCreationTokens"];
    let (told, other) = (usage.fields(snake), usage.fields(camel));
    let number = |at: usize| {
        let value = told.get(at).copied().flatten().or(other.get(at).copied().flatten());
        value.and_then(Value::f64)
    };
    let (input, read, written) = (number(0), number(2), number(3));
    let prompt = input.map(|input| input + read.unwrap_or(0.0) + written.unwrap_or(0.0));
    speaker.usage(basis, [prompt, number(1), read], Some(usage.raw()));
}
