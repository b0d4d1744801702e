//! cursor-agent: `stream-json` lines with and without partial output, and its saved transcripts.
//!
//! Whether texts come in pieces is told nowhere: a line with a time and without the id of its model call is a piece,
//! any other line is whole and, where pieces came since the last call, tells them again. Completed calls repeat their
//! arguments. A failing run prints no last line.

use std::borrow::Cow;

use super::clock;
use super::content::Block;
use super::speaker::{Extra, Speaker, error, extra_of};
use super::tools::{Presentation, cursor as tools};
use super::{
    CallRef, Dialect, DialectRow, ErrorFact, Fact, FactSink, PartKind, PartRef, RunFact, Sign, Verdict,
};
use crate::dialect::walk::Present;
use crate::event::{
    CurrentModeUpdate, Evidence, Json, RunOutcome, RunPhase, RunScope, SessionInfoUpdate, ToolKind,
    ToolStatus,
};
use crate::framing::{Container, Record};
use crate::json::Value;

/// The table row.
pub const ROW: DialectRow =
    DialectRow { name: "cursor", detect, make: |_| Box::new(Cursor::default()), reply: None };

fn detect(_record: &Record<'_>, value: Value<'_>, _container: Container) -> Verdict {
    let [kind, subtype, session, uuid, call, millis, model_call, key, mode] = value.fields([
        "type",
        "subtype",
        "session_id",
        "uuid",
        "tool_call",
        "timestamp_ms",
        "model_call_id",
        "apiKeySource",
        "permissionMode",
    ]);
    let subtype = subtype.and_then(Value::str).unwrap_or_default();
    if uuid.is_some() || session.is_none() {
        return None;
    }
    match (&*kind.and_then(Value::str)?, &*subtype) {
        ("system", "init") if key.is_some() && mode.is_some() => match value.get("tools") {
            None => Some((
                Sign::Certain,
                "an init line with apiKeySource and permissionMode, without uuid and tools",
            )),
            Some(_) => {
                Some((Sign::Strong, "an init line with apiKeySource and permissionMode, without uuid"))
            }
        },
        ("thinking", "delta" | "completed") => Some((Sign::Certain, "a `thinking` line with subtype")),
        ("tool_call", "started" | "completed") if call.is_some() => {
            Some((Sign::Certain, "a `tool_call` line with subtype"))
        }
        ("assistant", _) if millis.or(model_call).is_some() => {
            Some((Sign::Strong, "an `assistant` line with timestamp_ms or model_call_id"))
        }
        ("result", _) if value.get("duration_api_ms").is_some() && value.get("num_turns").is_none() => {
            Some((Sign::Strong, "a result line without uuid and num_turns"))
        }
        _ => None,
    }
}

/// The reader: names of the texts that run on. A name is the number of the part.
#[derive(Default)]
struct Cursor {
    session: Option<String>,
    parts: u32,
    answer: Option<String>,
    thought: Option<String>,
}

impl Dialect for Cursor {
    fn record(&mut self, _record: &Record<'_>, value: Value<'_>, facts: &mut dyn FactSink) {
        let mut spoken = false;
        let mut speaker = Speaker::new("cursor.wrong-type", facts, &mut spoken);
        let [kind, subtype, session, message, text, millis, model_call] = value.fields([
            "type",
            "subtype",
            "session_id",
            "message",
            "text",
            "timestamp_ms",
            "model_call_id",
        ]);
        let kind = speaker.text(kind, "type");
        let subtype = subtype.and_then(Value::str).unwrap_or_default();
        if let Some(session) = speaker.text(session, "session_id")
            && self.session.as_deref() != Some(&session)
        {
            self.session = Some(session.into_owned());
        }
        let time = millis.and_then(clock::time);
        let model_call = speaker.text(model_call, "model_call_id");
        // Taken out and put back: the voice borrows it while the names of the parts change.
        let session = self.session.take();
        speaker.context.session = session.as_deref();
        speaker.context.timestamp = time.as_deref();
        speaker.context.message = model_call.as_deref();
        match (kind.as_deref(), &*subtype) {
            (Some("assistant"), _) => {
                let is_piece = millis.is_some() && model_call.is_none();
                self.assistant(message, is_piece, &mut speaker);
            }
            (Some("thinking"), "delta") => self.thinking(text, &mut speaker),
            (Some("thinking"), _) => self.close_thought(&mut speaker),
            (Some("tool_call"), _) => {
                self.close(&mut speaker);
                tool_call(value, subtype == "completed", &mut speaker);
            }
            (Some("user"), _) => {
                self.close(&mut speaker);
                say_blocks(message, PartKind::User, &mut speaker);
            }
            (Some("system"), "init") => init(value, &mut speaker),
            (Some("result"), _) => {
                self.close(&mut speaker);
                result(value, &subtype, &mut speaker);
            }
            (Some("turn_ended"), _) => turn_ended(value, &mut speaker),
            (None, _) if message.is_some() => {
                let role = value.get("role").and_then(Value::str);
                let user = role.as_deref() == Some("user");
                say_blocks(message, if user { PartKind::User } else { PartKind::Agent }, &mut speaker);
            }
            (kind, "") => speaker.unknown(kind, value),
            (kind, word) => speaker.unknown(Some(&[kind.unwrap_or_default(), "/", word].concat()), value),
        }
        if !speaker.has_spoken() {
            speaker.say(Fact::Ignored("nothing-to-show"));
        }
        self.session = session;
    }
}

impl Cursor {
    fn next(&mut self) -> String {
        self.parts += 1;
        self.parts.to_string()
    }

    fn assistant(&mut self, message: Option<Value<'_>>, is_piece: bool, speaker: &mut Speaker<'_, '_>) {
        self.close_thought(speaker);
        if is_piece {
            if self.answer.is_none() {
                self.answer = Some(self.next());
            }
            let part = self.answer.as_deref().map_or(PartRef::Run, PartRef::Id);
            for block in content(message, speaker) {
                match block.get("text").unwrap_or(block).text() {
                    Some(text) if text.is_empty() => speaker.say(Fact::Ignored("empty-delta")),
                    Some(text) => speaker.say(Fact::PartDelta { part, kind: PartKind::Agent, text }),
                    None => speaker.harness_event("assistant", block),
                }
            }
            return;
        }
        let Some(part) = self.answer.take() else { return say_blocks(message, PartKind::Agent, speaker) };
        let mut words = String::new();
        for block in content(message, speaker) {
            words.push_str(&block.get("text").unwrap_or(block).str().unwrap_or_default());
        }
        let (part, text) = (PartRef::Id(&part), crate::json::Text::plain(&words));
        speaker.say(Fact::PartWhole { part, kind: PartKind::Agent, text });
    }

    fn thinking(&mut self, text: Option<Value<'_>>, speaker: &mut Speaker<'_, '_>) {
        if self.thought.is_none() {
            self.thought = Some(self.next());
        }
        let part = self.thought.as_deref().map_or(PartRef::Run, PartRef::Id);
        match text.and_then(Value::text) {
            Some(text) if text.is_empty() => speaker.say(Fact::Ignored("empty-delta")),
            Some(text) => speaker.say(Fact::PartDelta { part, kind: PartKind::Thought, text }),
            None => speaker.wrong_type("text"),
        }
    }

    fn close_thought(&mut self, speaker: &mut Speaker<'_, '_>) {
        if let Some(part) = self.thought.take() {
            end(&part, speaker);
        }
    }

    /// A call, a prompt or the end: what ran on is over.
    fn close(&mut self, speaker: &mut Speaker<'_, '_>) {
        self.close_thought(speaker);
        if let Some(part) = self.answer.take() {
            end(&part, speaker);
        }
    }
}

fn end(part: &str, speaker: &mut Speaker<'_, '_>) {
    let mut speaker = speaker.narrowed();
    speaker.context.message = None;
    speaker.say_quietly(Fact::PartEnd { part: PartRef::Id(part), stop_reason: None, aborted: false });
}

/// The blocks of a message; a text alone is one of them.
fn content<'a>(message: Option<Value<'a>>, speaker: &mut Speaker<'_, '_>) -> Vec<Value<'a>> {
    match message.and_then(|message| message.get("content")) {
        Some(content) if content.array().is_none() => vec![content],
        content => speaker.list(content, "message.content"),
    }
}

fn say_blocks(message: Option<Value<'_>>, kind: PartKind, speaker: &mut Speaker<'_, '_>) {
    for block in content(message, speaker) {
        let [word, text, id, name, input] = block.fields(["type", "text", "id", "name", "input"]);
        if block.str_raw().is_some() || text.is_some() {
            speaker.whole(PartRef::New, kind, Some(text.unwrap_or(block)), "content.text");
        } else if word.and_then(Value::str).as_deref() == Some("tool_use") {
            // Only in saved transcripts, which tell no results.
            let (id, name) = (id.and_then(Value::str), name.and_then(Value::str));
            let shown = tools::present(name.as_deref().unwrap_or("Tool"), input);
            let call = CallRef::of(id.as_deref());
            speaker.call(call, name.as_deref(), &shown, input, Some(ToolStatus::Pending));
        } else {
            let block = Block::from_wire(block);
            speaker.say(Fact::PartBlock { kind, block: block.content_block() });
        }
    }
}

fn init(value: Value<'_>, speaker: &mut Speaker<'_, '_>) {
    let [cwd, model, mode] = value.fields(["cwd", "model", "permissionMode"]);
    let cwd = speaker.text(cwd, "cwd");
    let model = speaker.text(model, "model");
    let mode = speaker.text(mode, "permissionMode");
    let mut speaker = speaker.narrowed();
    speaker.context.model = model.as_deref();
    speaker.say(Fact::Run(RunFact::of(RunScope::Run, RunPhase::Start)));
    let meta = extra_of(value, &["apiKeySource", "model", "tools", "mcp_servers"]);
    let info =
        SessionInfoUpdate { cwd: cwd.as_deref(), meta: meta.as_deref().map(Json), ..Default::default() };
    speaker.say(Fact::Tell(info.into()));
    if let Some(mode) = &mode {
        speaker.say(Fact::Tell(CurrentModeUpdate { current_mode_id: mode }.into()));
    }
}

fn result(value: Value<'_>, subtype: &str, speaker: &mut Speaker<'_, '_>) {
    let [is_error, text, duration] = value.fields(["is_error", "result", "duration_ms"]);
    let failed = is_error.and_then(Value::bool).unwrap_or(subtype.starts_with("error"));
    match text.and_then(Value::text).filter(|text| !text.is_empty()) {
        Some(text) if !failed => speaker.say(Fact::Answer { text }),
        None if !failed => {}
        text => {
            let words = text.map(|text| text.into_cow());
            let message = words.as_deref().unwrap_or(subtype);
            speaker.say(Fact::Error(ErrorFact { fatal: true, repeats: true, ..error(message) }));
        }
    }
    let outcome = if failed { RunOutcome::Failed } else { RunOutcome::Completed };
    let duration = speaker.number(duration, "duration_ms");
    let extra = extra_of(value, &["duration_api_ms", "request_id"]);
    speaker.run_end(outcome, Some(subtype).filter(|word| !word.is_empty()), duration, extra.as_deref());
}

/// The end of a turn in a saved transcript.
fn turn_ended(value: Value<'_>, speaker: &mut Speaker<'_, '_>) {
    let [status, failure] = value.fields(["status", "error"]);
    let status = speaker.text(status, "status").unwrap_or_default();
    let failure = failure.present();
    let words = failure.and_then(|failure| failure.get("message").unwrap_or(failure).str());
    if let Some(words) = words.as_deref().filter(|words| !words.is_empty()) {
        speaker.say(Fact::Error(ErrorFact { fatal: true, ..error(words) }));
    }
    let outcome = match &*status {
        "cancelled" | "aborted" | "interrupted" => RunOutcome::Cancelled,
        "error" | "failed" => RunOutcome::Failed,
        _ if failure.is_some() => RunOutcome::Failed,
        _ => RunOutcome::Completed,
    };
    speaker.say(Fact::Run(RunFact {
        outcome: Some(outcome),
        reason: Some(&*status).filter(|word| !word.is_empty()),
        evidence: Some(Evidence::Stated),
        ..RunFact::of(RunScope::Turn, RunPhase::End)
    }));
}

/// A call as the wire has it: the tool is the key of its object.
struct Called<'a> {
    name: Cow<'a, str>,
    /// JSON text.
    input: Option<Cow<'a, str>>,
    result: Option<Value<'a>>,
}

impl<'a> Called<'a> {
    fn read(call: Value<'a>) -> Option<Called<'a>> {
        let found = call.object()?.find(|(key, body)| {
            body.object().is_some() && (key.ends_with("ToolCall") || &**key == "function")
        });
        let (key, body) = found.or_else(|| call.object()?.next())?;
        let [args, result, name, arguments] = body.fields(["args", "result", "name", "arguments"]);
        let mut input = args.map(|args| Cow::Borrowed(args.raw()));
        let mut tool = key.into_cow();
        match &*tool {
            // The arguments are JSON inside a text.
            "function" => {
                tool = name.and_then(Value::str).unwrap_or(tool);
                let text = arguments.and_then(Value::str);
                let whole = text.filter(|text| Value::parse(text).is_ok());
                input = whole.or_else(|| arguments.map(|arguments| Cow::Borrowed(arguments.raw()))).or(input);
            }
            "mcpToolCall" => {
                let [inner, server, name, other] = args.map_or([None; 4], |args| {
                    args.fields(["args", "provider_identifier", "tool_name", "name"])
                });
                let server = server.or_else(|| args?.get("providerIdentifier")).and_then(Value::str);
                let name = name.or_else(|| args?.get("toolName")).or(other).and_then(Value::str);
                input = inner.map(|inner| Cow::Borrowed(inner.raw())).or(input);
                tool = match (server, name) {
                    (Some(server), Some(name)) => ["mcp__", &server, "__", &name].concat().into(),
                    (None, Some(name)) => name,
                    _ => "mcp".into(),
                };
            }
            key => {
                let name = key.strip_suffix("ToolCall").map(str::to_owned);
                tool = name.map_or(tool, Cow::Owned);
            }
        }
        Some(Called { name: tool, input, result })
    }
}

fn tool_call(value: Value<'_>, completed: bool, speaker: &mut Speaker<'_, '_>) {
    let [id, call] = value.fields(["call_id", "tool_call"]);
    // Where the line does not name the call, its object may.
    let id = id.or_else(|| call?.get("toolCallId"));
    let id = speaker.text(id, "call_id").filter(|id| !id.is_empty());
    let Some(called) = call.and_then(Called::read) else {
        speaker.wrong_type("tool_call");
        return speaker.unknown(Some("tool_call"), value);
    };
    let reference = match id.as_deref() {
        Some(id) => CallRef::Id(id),
        None if completed => CallRef::Match { id: None, name: &called.name, lane: None },
        None => CallRef::New,
    };
    let input = called.input.as_deref().and_then(|input| Value::parse(input).ok());
    let shown = match &*called.name {
        "mcp" => Presentation::of(ToolKind::Other, "mcp"),
        name => tools::present(name, input),
    };
    speaker.call(reference, Some(&called.name), &shown, input, Some(ToolStatus::InProgress));
    if called.name == "updateTodos"
        && let Some(list) = input.and_then(|input| input.get("todos"))
    {
        speaker.todos(list);
    }
    if completed {
        tool_result(reference, called.result, speaker);
    }
}

/// `{success}` or one of the words for a failure. What it holds depends on the tool.
fn tool_result(call: CallRef<'_>, result: Option<Value<'_>>, speaker: &mut Speaker<'_, '_>) {
    let [success, failure, failed, rejected] =
        result.map_or([None; 4], |result| result.fields(["success", "failure", "error", "rejected"]));
    let body = success.or(failure).or(failed).or(rejected);
    let [content, stdout, stderr, output, message, diff, words, reason, is_error] =
        body.map_or([None; 9], |body| {
            body.fields([
                "content",
                "stdout",
                "stderr",
                "output",
                "message",
                "diffString",
                "error",
                "reason",
                "isError",
            ])
        });
    let mut blocks = Vec::new();
    match content.map(|content| (content, content.array())) {
        Some((_, Some(items))) => {
            // One level deeper than elsewhere.
            blocks.extend(items.map(|item| match item.get("text").filter(|text| text.object().is_some()) {
                Some(text) => Block::from_wire(text.get("text").unwrap_or(text)),
                None => Block::from_wire(item),
            }));
        }
        Some((content, None)) => blocks.extend(content.str().map(Block::Text)),
        None => {}
    }
    for text in
        [stdout, stderr, output, diff, message, words, reason].into_iter().flatten().filter_map(Value::str)
    {
        blocks.push(Block::Text(text));
    }
    if body.is_some_and(|body| body.str_raw().is_some()) {
        blocks.extend(body.and_then(Value::str).map(Block::Text));
    }
    blocks.retain(|block| !matches!(block, Block::Text(text) if text.is_empty()));
    let refused = success.is_none() && failure.or(failed).or(rejected).is_some();
    let failed = refused || is_error.and_then(Value::bool) == Some(true);
    let mut extra = Extra::default();
    if rejected.is_some() && success.is_none() {
        extra.text("status", "rejected");
    }
    let extra = extra.finish();
    let mut speaker = speaker.narrowed();
    speaker.context.extra = extra.as_deref().map(Json);
    speaker.result(call, failed, &blocks, result);
}
