//! Print mode: OpenAI-like chat messages, one whole message per line, and the plain lines around them.
//!
//! Remembers which calls have no result yet. A step begins when none is open, and call ids may begin anew there;
//! kimi-code prints calls of a running step again, kimi-cli splits them over two lines. How a run ended is stated by
//! kimi-code alone (`session.resume_hint`).

use std::borrow::Cow;

use super::{Arguments, WRONG_TYPE, blocks};
use crate::dialect::content::{Block, contents_of};
use crate::dialect::harness::{
    end, error, filled, notice, number_at, plan, seen, start, text_at, unknown, word, wrong_type,
};
use crate::dialect::tools::kimi as tools;
use crate::dialect::walk::Present;
use crate::dialect::{
    AgentSeen, CallRef, Context, ErrorFact, Fact, FactSink, PartKind, PartRef, ToolChanged,
};
use crate::event::{
    AgentStatus, Evidence, Json, RunOutcome, RunScope, Severity, ToolStatus, Update, UsageUpdate,
};
use crate::json::{ObjectWriter, Text, Value};

/// Open calls remembered; of more, the oldest are taken for ended.
const OPEN_CALLS: usize = 256;

/// What a failing kimi-cli or kimi-code prints as plain text: how the line begins, and how the run ended.
const LAST_WORDS: &[(&str, RunOutcome)] = &[
    ("error: failed to run prompt", RunOutcome::Failed),
    ("error: unknown option", RunOutcome::Failed),
    ("Error code: ", RunOutcome::Failed),
    ("LLM not set", RunOutcome::Failed),
    ("Unknown error: ", RunOutcome::Failed),
    ("Max number of steps reached", RunOutcome::Failed),
    ("Interrupted by user", RunOutcome::Cancelled),
];

/// Hooks whose results kimi-code prints as if the assistant had said them.
const HOOKS: &[&str] = &[
    "PreToolUse",
    "PostToolUse",
    "PostToolUseFailure",
    "UserPromptSubmit",
    "Stop",
    "StopFailure",
    "SessionStart",
    "SessionEnd",
    "SubagentStart",
    "SubagentStop",
    "PreCompact",
    "PostCompact",
    "Notification",
];

/// What the result of an open call means.
#[derive(Clone, Copy, Default)]
struct Call {
    is_shell: bool,
    is_agent: bool,
}

/// Reads the lines of one stream.
#[derive(Default)]
pub(super) struct Print {
    open: Vec<(String, Call)>,
    running: bool,
    /// The program told its version: it will also tell the end of a good run.
    tells_end: bool,
    /// The last line was an answer without calls.
    answered: bool,
}

impl Print {
    /// A line with a `role`.
    pub fn message(&mut self, role: &str, kind: Option<&str>, value: Value<'_>, facts: &mut dyn FactSink) {
        let context = Context::default();
        let [content, calls, call] = value.present_fields(["content", "tool_calls", "tool_call_id"]);
        match role {
            "meta" => self.meta(kind, value, facts),
            "assistant" => {
                self.begin(None, facts);
                let listed = calls.and_then(Value::array).is_some_and(|mut calls| calls.next().is_some());
                self.answered = !listed;
                if kind == Some("thinking") {
                    whole(PartKind::Thought, content.or_else(|| value.get("thinking")), &context, facts);
                    return;
                }
                for block in blocks(content) {
                    said(block, PartKind::Agent, &context, facts);
                }
                self.calls(calls, facts);
            }
            "tool" => {
                self.begin(None, facts);
                self.answered = false;
                self.result(call, content, facts);
            }
            "user" => {
                for block in blocks(content) {
                    said(block, PartKind::User, &context, facts);
                }
            }
            "system" | "developer" | "_system_prompt" => {
                facts.fact(&context, Fact::Ignored("system-prompt"));
            }
            "_checkpoint" => facts.fact(&context, Fact::Ignored("checkpoint")),
            "_usage" => {
                let update = UsageUpdate { used: number_at(value, "token_count"), ..UsageUpdate::default() };
                facts.fact(&context, Fact::Tell(Update::UsageUpdate(update)));
            }
            role => unknown(Some(role), value, &context, facts),
        }
    }

    /// A line without a role.
    pub fn other(&mut self, kind: Option<&str>, value: Value<'_>, facts: &mut dyn FactSink) {
        let context = Context::default();
        let [content, path, title, body, severity, category] =
            value.fields(["content", "file_path", "title", "body", "severity", "category"]);
        if kind.is_none() && path.is_some() && content.is_some() {
            return whole(PartKind::Agent, content, &context, facts);
        }
        if category.is_some() && title.is_some() {
            return notification(title, body, severity, &context, facts);
        }
        match kind {
            Some(kind @ "goal.summary") => word(kind, value, &context, facts),
            kind => unknown(kind, value, &context, facts),
        }
    }

    /// A plain line. Only the words with which the programs give up are claimed.
    pub fn text(&mut self, line: &str, facts: &mut dyn FactSink) -> bool {
        // A message that was cut: what it said is not known.
        self.answered &= !line.starts_with('{');
        let Some((_, outcome)) = LAST_WORDS.iter().find(|(words, _)| line.starts_with(words)) else {
            return false;
        };
        let context = Context::default();
        self.begin(None, facts);
        facts.fact(&context, error(line, *outcome == RunOutcome::Failed, None));
        self.finish(*outcome, Evidence::Stated, &context, facts);
        true
    }

    /// A good run of kimi-cli ends with an answer and no other sign.
    pub fn end(&mut self, facts: &mut dyn FactSink) {
        if self.running && self.answered && !self.tells_end && self.open.is_empty() {
            self.finish(RunOutcome::Completed, Evidence::Inferred, &Context::default(), facts);
        }
    }

    fn begin(&mut self, extra: Option<&str>, facts: &mut dyn FactSink) {
        if !std::mem::replace(&mut self.running, true) {
            let context = Context { extra: extra.map(Json), ..Context::default() };
            facts.fact(&context, start(RunScope::Run));
        }
    }

    fn finish(
        &mut self,
        outcome: RunOutcome,
        evidence: Evidence,
        context: &Context<'_>,
        facts: &mut dyn FactSink,
    ) {
        (self.running, self.answered) = (false, false);
        self.open.clear();
        facts.fact(context, end(RunScope::Run, outcome, evidence, None));
    }

    fn meta(&mut self, kind: Option<&str>, value: Value<'_>, facts: &mut dyn FactSink) {
        match kind {
            Some("system.version") => {
                // A process that told no end and another one behind it: appended output.
                self.running = false;
                self.open.clear();
                self.tells_end = true;
                let mut extra = String::new();
                if let Some(version) = text_at(value, "version") {
                    ObjectWriter::new(&mut extra).text("version", &version).finish();
                }
                self.begin((!extra.is_empty()).then_some(&extra), facts);
            }
            Some("session.resume_hint") => {
                self.begin(None, facts);
                let [session, command] = value.fields(["session_id", "command"]);
                let session = filled(session);
                let mut extra = String::new();
                if let Some(command) = filled(command) {
                    ObjectWriter::new(&mut extra).text("command", &command).finish();
                }
                let context = Context {
                    session: session.as_deref(),
                    extra: (!extra.is_empty()).then_some(Json(&extra)),
                    ..Context::default()
                };
                self.finish(RunOutcome::Completed, Evidence::Stated, &context, facts);
            }
            Some("turn.step.retrying") => {
                let [message, name, delay] = value.fields(["error_message", "error_name", "delay_ms"]);
                let (message, name) = (filled(message), filled(name));
                let message = message.or_else(|| name.clone()).unwrap_or(Cow::Borrowed("retrying"));
                facts.fact(
                    &Context::default(),
                    Fact::Error(ErrorFact {
                        message: &message,
                        fatal: false,
                        code: name.as_deref(),
                        retry_after_ms: delay.and_then(Value::f64),
                        repeats: false,
                        echoed: false,
                    }),
                );
            }
            kind => word(kind.unwrap_or("meta"), value, &Context::default(), facts),
        }
    }

    fn calls(&mut self, calls: Option<Value<'_>>, facts: &mut dyn FactSink) {
        let Some(calls) = calls else { return };
        let Some(calls) = calls.array() else { return wrong_type(WRONG_TYPE, "tool_calls", facts) };
        let context = Context::default();
        if self.open.is_empty() {
            facts.fact(&context, Fact::IdsRestart);
        }
        for call in calls {
            let [id, function, flat] = call.fields(["id", "function", "name"]);
            let [name, arguments] =
                function.map_or([flat, call.get("arguments")], |it| it.fields(["name", "arguments"]));
            let (id, name) = (filled(id), filled(name));
            let arguments = Arguments::of(arguments);
            let shown = tools::present(name.as_deref().unwrap_or("tool"), arguments.object());
            let reference = CallRef::of(id.as_deref());
            let status = Some(ToolStatus::InProgress);
            facts.fact(&context, seen(reference, name.as_deref(), &shown, arguments.input(), status));
            let name = name.as_deref().unwrap_or_default();
            if tools::is_plan(name) {
                plan(arguments.object().and_then(|it| it.get("todos")), &context, facts);
            }
            let Some(id) = id else { continue };
            let call = Call { is_shell: tools::is_shell(name), is_agent: tools::is_agent(name) };
            if call.is_agent {
                let kind = arguments.object().and_then(|it| text_at(it, "subagent_type"));
                agent(&id, kind.as_deref(), AgentStatus::Running, &context, facts);
            }
            if !self.open.iter().any(|(open, _)| *open == *id) {
                if self.open.len() == OPEN_CALLS {
                    self.open.remove(0);
                }
                self.open.push((id.into_owned(), call));
            }
        }
    }

    fn result(&mut self, id: Option<Value<'_>>, content: Option<Value<'_>>, facts: &mut dyn FactSink) {
        let id = filled(id);
        if id.is_none() {
            wrong_type(WRONG_TYPE, "tool_call_id", facts);
        }
        let at = self.open.iter().position(|(open, _)| id.as_deref() == Some(open));
        let call = at.map_or(Call::default(), |at| self.open.swap_remove(at).1);
        let mut parts: Vec<Block<'_>> = blocks(content).into_iter().map(block).collect();
        let failed = match parts.first_mut() {
            Some(Block::Text(text)) => unwrap(text, call.is_shell),
            _ => false,
        };
        parts.retain(|part| !matches!(part, Block::Text(text) if text.is_empty()));
        let status = if failed { ToolStatus::Failed } else { ToolStatus::Completed };
        let reference = CallRef::of(id.as_deref());
        facts.fact(
            &Context::default(),
            Fact::ToolChanged(ToolChanged {
                status: Some(status),
                content: contents_of(&parts),
                ..ToolChanged::about(reference)
            }),
        );
        if let Some(id) = id.filter(|_| call.is_agent) {
            agent(&id, None, agent_status(&parts, failed), &Context::default(), facts);
        }
    }
}

/// A subagent; its key is the id of the call that runs it.
pub(super) fn agent(
    call: &str,
    name: Option<&str>,
    status: AgentStatus,
    context: &Context<'_>,
    facts: &mut dyn FactSink,
) {
    let call_ref = Some(CallRef::Id(call));
    let seen = AgentSeen { agent: call, name, session: None, call: call_ref, status: Some(status) };
    facts.fact(context, Fact::AgentSeen(seen));
}

/// The result of an agent's call begins with lines about it; one in the background runs on.
fn agent_status(parts: &[Block<'_>], failed: bool) -> AgentStatus {
    let Some(Block::Text(text)) = parts.first() else { return AgentStatus::Unknown };
    let told = text.lines().take(8).find_map(|line| line.strip_prefix("status: "));
    match told.map(str::trim) {
        Some("running" | "pending") => AgentStatus::Running,
        Some("failed" | "error") => AgentStatus::Failed,
        Some("cancelled" | "killed") => AgentStatus::Cancelled,
        _ if failed => AgentStatus::Failed,
        _ => AgentStatus::Completed,
    }
}

/// Takes kimi-cli's `<system>` wrapper off. Whether the words say that the call failed: kimi-cli marks it, kimi-code
/// has no mark, so only the sentences it is known to write count.
fn unwrap(text: &mut Cow<'_, str>, is_shell: bool) -> bool {
    let marked = text.strip_prefix("<system>").and_then(|rest| rest.split_once("</system>"));
    if let Some((inner, behind)) = marked {
        let failure = inner.trim_start().strip_prefix("ERROR:");
        let mut words = failure.map_or(inner, str::trim_start).to_owned();
        if !behind.is_empty() {
            words.push('\n');
            words.push_str(behind.strip_prefix('\n').unwrap_or(behind));
        }
        let failed = failure.is_some();
        *text = Cow::Owned(words);
        return failed;
    }
    let quoted = |before: &str, after: &str| {
        text.strip_prefix(before)
            .is_some_and(|rest| rest.split_once('"').is_some_and(|(_, rest)| rest.starts_with(after)))
    };
    quoted("Tool \"", " not found")
        || quoted("Tool \"", " aborted")
        || quoted("Invalid args for tool \"", ":")
        || text.starts_with("finalizeToolResult hook failed for ")
        || (is_shell && has_exit_code(text))
}

/// Ends with `Command failed with exit code: N.`
fn has_exit_code(text: &str) -> bool {
    let last = text.trim_end().rsplit('\n').next().unwrap_or_default();
    last.strip_prefix("Command failed with exit code: ")
        .and_then(|code| code.strip_suffix('.'))
        .is_some_and(|code| code.trim_start_matches('-').bytes().all(|byte| byte.is_ascii_digit()))
}

/// One whole text.
pub(super) fn whole(
    kind: PartKind,
    text: Option<Value<'_>>,
    context: &Context<'_>,
    facts: &mut dyn FactSink,
) {
    match text.and_then(Value::text).filter(|text| !text.is_empty()) {
        Some(text) => facts.fact(context, Fact::PartWhole { part: PartRef::New, kind, text }),
        None => facts.fact(context, Fact::Ignored("empty-text")),
    }
}

/// One block of a message.
pub(super) fn said(value: Value<'_>, kind: PartKind, context: &Context<'_>, facts: &mut dyn FactSink) {
    let (text, kind) = match text_of(value) {
        Some((text, true)) => (text, PartKind::Thought),
        Some((text, false)) => (text, kind),
        None => {
            if value.object().is_none() {
                wrong_type(WRONG_TYPE, "content", facts);
            }
            let block = block(value);
            return facts.fact(context, Fact::PartBlock { kind, block: block.content_block() });
        }
    };
    if text.is_empty() {
        return facts.fact(context, Fact::Ignored("empty-text"));
    }
    if kind == PartKind::Agent && is_hook_result(&text.text) {
        return notice(Severity::Info, &text.text, context, facts);
    }
    facts.fact(context, Fact::PartWhole { part: PartRef::New, kind, text });
}

/// The text of a block, and whether it is a thought.
pub(super) fn text_of(value: Value<'_>) -> Option<(Text<'_>, bool)> {
    if let Some(text) = value.text() {
        return Some((text, false));
    }
    let [kind, text, think] = value.fields(["type", "text", "think"]);
    match kind?.str()?.as_ref() {
        "text" => Some((text?.text()?, false)),
        "think" => Some((think?.text()?, true)),
        _ => None,
    }
}

fn is_hook_result(text: &str) -> bool {
    let Some((title, _)) = text.split_once("\n\n") else { return false };
    let title = title.strip_suffix(" blocked").unwrap_or(title);
    title.strip_suffix(" hook").is_some_and(|event| HOOKS.contains(&event))
}

/// A block of a message or result: text, or media by URL, which is mostly a data URI.
pub(super) fn block(value: Value<'_>) -> Block<'_> {
    let [kind, image, audio, video, think] =
        value.fields(["type", "image_url", "audio_url", "video_url", "think"]);
    let media = image.present().or(audio.present()).or(video.present());
    let url = media.and_then(|media| filled(media.get("url")).or_else(|| media.str()));
    match (url, kind.and_then(Value::str).as_deref()) {
        (Some(url), Some(kind)) => media_block(url, kind == "image_url", kind == "audio_url"),
        (None, Some("think")) => {
            think.and_then(Value::str).map_or_else(|| Block::from_wire(value), Block::Text)
        }
        _ => Block::from_wire(value),
    }
}

fn media_block(url: Cow<'_, str>, is_image: bool, is_audio: bool) -> Block<'_> {
    let parts = url.strip_prefix("data:").and_then(|rest| rest.split_once(";base64,"));
    match parts {
        Some((mime, data)) if is_image || is_audio => {
            let (data, mime_type) = (Cow::Owned(data.to_owned()), Cow::Owned(mime.to_owned()));
            if is_image {
                Block::Image { data, mime_type, uri: None }
            } else {
                Block::Audio { data, mime_type }
            }
        }
        _ => Block::ResourceLink { uri: url, name: None, title: None, mime_type: None },
    }
}

/// News of a background task.
pub(super) fn notification(
    title: Option<Value<'_>>,
    body: Option<Value<'_>>,
    severity: Option<Value<'_>>,
    context: &Context<'_>,
    facts: &mut dyn FactSink,
) {
    let mut text = filled(title).unwrap_or_default().into_owned();
    if let Some(body) = filled(body) {
        text.push('\n');
        text.push_str(&body);
    }
    let severity = match severity.and_then(Value::str).as_deref() {
        Some("error" | "critical") => Severity::Error,
        Some("warning" | "warn") => Severity::Warning,
        _ => Severity::Info,
    };
    notice(severity, &text, context, facts);
}
