//! Claude Code's `stream-json`: one message, event or control frame per line, with and without partial messages.
//!
//! Reads the wrapper of a line (session, parent call, message, time) and hands the line on by its type. The inner
//! `message` is an Anthropic message; its blocks come whole on `assistant` lines and, with partial messages on, in
//! pieces on `stream_event` lines before. Saved sessions (camelCase wrapper) are another row of the table:
//! `transcript` reads their wrapper and shares all that lies inside.

mod ask;
mod beside;
mod detect;
mod memory;
mod mend;
mod message;
mod outcome;
mod plan;
pub mod qwen;
mod reply;
mod stream;
mod system;
mod task;
mod transcript;
mod turn;
mod typed;
mod usage;

use std::borrow::Cow;

use super::speaker;
use super::{CallRef, Dialect, DialectRow, ErrorFact, Fact, FactSink, ToolChanged};
use crate::event::{HarnessEvent, Json, ToolStatus, Unknown, Update};
use crate::framing::Record;
use crate::json::Value;
use memory::Memory;
use mend::Torn;
use speaker::{Extra, Speaker, error, extra_of};

/// This dialect in the table.
pub const ROW: DialectRow = DialectRow {
    name: "claude",
    detect: detect::detect,
    make: |_| Box::new(Claude::default()),
    reply: Some(reply::reply),
};

/// Saved sessions in the table.
pub const TRANSCRIPT: DialectRow = DialectRow {
    name: "claude-transcript",
    detect: detect::transcript,
    make: |_| Box::new(transcript::Transcript::default()),
    reply: None,
};

/// The reader: what earlier lines announced, and the session that lines without `session_id` belong to.
#[derive(Default)]
struct Claude {
    session: Option<String>,
    memory: Memory,
    torn: Torn,
}

/// The members of a line that more than one type of line has.
struct Line<'a> {
    value: Value<'a>,
    kind: Cow<'a, str>,
    session: Option<Cow<'a, str>>,
    timestamp: Option<Cow<'a, str>>,
    event: Option<Value<'a>>,
    message: Option<Value<'a>>,
    uuid: Option<Cow<'a, str>>,
    parent: Option<Cow<'a, str>>,
    api_message: Option<Cow<'a, str>>,
    subtype: Option<Cow<'a, str>>,
    output: Option<Value<'a>>,
    result_meta: Option<Value<'a>>,
    error: Option<Value<'a>>,
    api_error: bool,
    aborted: bool,
    supersedes: Option<Value<'a>>,
    synthetic: bool,
    replay: bool,
    /// It stands in a saved session, where no other record tells how a turn or a task ended.
    saved: bool,
    /// What goes to `extra` as it stands: name and value.
    facts: [(&'static str, Option<Value<'a>>); 7],
}

/// What more than one type of line has, in the order that lines mostly have them in.
const NAMES: [&str; 24] = [
    "type",
    "message",
    "event",
    "subtype",
    "parent_tool_use_id",
    "session_id",
    "uuid",
    "api_message_id",
    "timestamp",
    "tool_use_result",
    "tool_result_meta",
    "error",
    "is_api_error_message",
    "aborted",
    "supersedes",
    "isSynthetic",
    "isReplay",
    "request_id",
    "agent_id",
    "subagent_type",
    "task_description",
    "thinking_duration_ms",
    "tool_use_meta",
    "origin",
];

impl<'a> Line<'a> {
    fn read(value: Value<'a>, speaker: &mut Speaker<'_, '_>) -> Line<'a> {
        let [
            kind,
            message,
            event,
            subtype,
            parent,
            session,
            uuid,
            api_message,
            timestamp,
            output,
            result_meta,
            error,
            api_error,
            aborted,
            supersedes,
            synthetic,
            replay,
            request,
            agent,
            agent_type,
            task,
            thinking_time,
            tool_meta,
            origin,
        ] = value.present_fields(NAMES);
        let kind = speaker.text(kind, "type").unwrap_or_default();
        let is_true = |field: Option<Value<'_>>| field.and_then(Value::bool) == Some(true);
        Line {
            value,
            kind,
            session: speaker.text(session, "session_id"),
            timestamp: speaker.text(timestamp, "timestamp"),
            event,
            message,
            uuid: speaker.text(uuid, "uuid"),
            parent: speaker.text(parent, "parent_tool_use_id").filter(|id| !id.is_empty()),
            api_message: speaker.text(api_message, "api_message_id"),
            subtype: speaker.text(subtype, "subtype"),
            output,
            result_meta,
            error,
            api_error: is_true(api_error),
            aborted: is_true(aborted),
            supersedes,
            synthetic: is_true(synthetic),
            replay: is_true(replay),
            saved: false,
            facts: [
                ("request_id", request),
                ("agent_id", agent),
                ("subagent_type", agent_type),
                ("task_description", task),
                ("thinking_duration_ms", thinking_time),
                ("tool_use_meta", tool_meta),
                ("origin", origin),
            ],
        }
    }
}

impl<'a> Line<'a> {
    /// Where a system line says what it says: Qwen Code puts it a level deeper.
    fn body(&self) -> Value<'a> {
        self.value.get("data").filter(|data| data.object().is_some()).unwrap_or(self.value)
    }

    /// What goes beside its facts as it stands.
    fn add_facts(&self, extra: &mut Extra) {
        for (name, value) in &self.facts {
            extra.value(name, *value);
        }
    }
}

impl Dialect for Claude {
    fn record(&mut self, _record: &Record<'_>, value: Value<'_>, facts: &mut dyn FactSink) {
        self.torn.give_up(facts);
        self.read(value, facts);
    }

    fn text(&mut self, record: &Record<'_>, facts: &mut dyn FactSink) -> bool {
        let mut torn = std::mem::take(&mut self.torn);
        let claimed = torn.line(record.body, facts, &mut |value, facts| self.read(value, facts));
        self.torn = torn;
        claimed
    }

    fn end(&mut self, facts: &mut dyn FactSink) {
        self.torn.give_up(facts);
    }
}

impl Claude {
    fn read(&mut self, value: Value<'_>, facts: &mut dyn FactSink) {
        let mut spoken = false;
        let mut speaker = Speaker::new("claude.wrong-type", facts, &mut spoken);
        let line = Line::read(value, &mut speaker);
        if let Some(session) = &line.session
            && self.session.as_deref() != Some(session)
        {
            self.session = Some(session.to_string());
            speaker.moved();
        }
        speaker.context.session = line.session.as_deref().or(self.session.as_deref());
        speaker.context.agent = line.parent.as_deref();
        speaker.context.parent_call = line.parent.as_deref();
        speaker.context.timestamp = line.timestamp.as_deref();
        if let Some(uuid) = &line.uuid {
            speaker.record_id(uuid);
        }
        line.tell(&mut self.memory, &mut speaker);
        if !speaker.has_spoken() {
            speaker.say(Fact::Ignored("nothing-to-show"));
        }
    }
}

impl Line<'_> {
    fn tell(&self, memory: &mut Memory, speaker: &mut Speaker<'_, '_>) {
        match &*self.kind {
            "stream_event" => stream::event(self, memory, speaker),
            "assistant" => message::assistant(self, memory, speaker),
            "user" => message::user(self, memory, speaker),
            "system" => system::system(self, memory, speaker),
            "result" => turn::result(self, memory, speaker),
            "control_request" => ask::request(self, memory, speaker),
            "control_response" => ask::response(self, memory, speaker),
            "control_cancel_request" => ask::cancelled(self, memory, speaker),
            "tool_progress" => self.tool_progress(speaker),
            "rate_limit_event" => self.rate_limit(speaker),
            "auth_status" => self.auth_status(speaker),
            "keep_alive" => speaker.say(Fact::Ignored("keep-alive")),
            "command_lifecycle" => speaker.say(Fact::Ignored("command-lifecycle")),
            "prompt_suggestion" => speaker.say(Fact::Ignored("prompt-suggestion")),
            "active_goal" => speaker.say(Fact::Ignored("active-goal")),
            "tool_use_summary" | "conversation_reset" => self.harness_event(&self.kind, speaker),
            "" => speaker.say(Fact::Tell(Unknown { type_: None, raw: self.value.raw() }.into())),
            kind => speaker.say(Fact::Tell(Unknown { type_: Some(kind), raw: self.value.raw() }.into())),
        }
    }

    /// A word of this dialect that is not interpreted: a debug row with the whole record.
    fn harness_event(&self, word: &str, speaker: &mut Speaker<'_, '_>) {
        speaker.say(Fact::Tell(Update::HarnessEvent(HarnessEvent {
            type_: word,
            payload: Some(Json(self.value.raw())),
        })));
    }

    fn tool_progress(&self, speaker: &mut Speaker<'_, '_>) {
        let [call, name] = self.value.fields(["tool_use_id", "tool_name"]);
        let call = speaker.text(call, "tool_use_id");
        let name = speaker.text(name, "tool_name");
        let Some(call) = &call else { return self.harness_event("tool_progress", speaker) };
        let extra = extra_of(self.value, &["elapsed_time_seconds", "task_id", "subagent_retry"]);
        speaker.say_extra(
            extra.as_deref(),
            Fact::ToolChanged(ToolChanged {
                status: Some(ToolStatus::InProgress),
                name: name.as_deref(),
                ..ToolChanged::about(CallRef::Id(call))
            }),
        );
    }

    /// Only a refusal is an error; a warning is a debug row, the all-clear is nothing.
    fn rate_limit(&self, speaker: &mut Speaker<'_, '_>) {
        let info = self.value.get("rate_limit_info");
        let [status, kind] = info.map_or([None, None], |info| info.fields(["status", "rateLimitType"]));
        let status = speaker.text(status, "rate_limit_info.status");
        let kind = speaker.text(kind, "rate_limit_info.rateLimitType");
        match status.as_deref() {
            Some("rejected") => {
                let message = match kind {
                    Some(kind) => ["rate limit reached: ", &kind].concat(),
                    None => "rate limit reached".into(),
                };
                let extra = extra_of(self.value, &["rate_limit_info"]);
                speaker.say_extra(
                    extra.as_deref(),
                    Fact::Error(ErrorFact { code: Some("rate_limit"), ..error(&message) }),
                );
            }
            Some("allowed") => speaker.say(Fact::Ignored("rate-limit")),
            _ => self.harness_event("rate_limit_event", speaker),
        }
    }

    fn auth_status(&self, speaker: &mut Speaker<'_, '_>) {
        match speaker.text(self.error, "error").as_deref() {
            Some(message) => {
                speaker.say(Fact::Error(ErrorFact { code: Some("auth_status"), ..error(message) }))
            }
            None => speaker.say(Fact::Ignored("auth-status")),
        }
    }
}
