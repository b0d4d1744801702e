//! Records of a saved session that stand beside its messages: what the CLI noted, context for the model, news of
//! running calls, metadata. Knows no message.

use std::borrow::Cow;

use super::memory::Task;
use super::speaker::{Extra, Speaker, error, extra_of};
use super::transcript::{Outer, Transcript};
use super::{Line, message, system, task};
use crate::dialect::content::{self, Block};
use crate::dialect::{AgentSeen, CallRef, ErrorFact, Fact, ToolChanged};
use crate::event::{
    CompactionUpdate, Hook, Json, RunOutcome, SessionInfoUpdate, ToolStatus, Unknown, Update, UsageUpdate,
};
use crate::json::Value;

/// Metadata that says nothing a UI shows: type of the record, and the word it is counted under.
const IGNORED: [(&str, &str); 23] = [
    ("file-history-snapshot", "file-history"),
    ("file-history-delta", "file-history"),
    ("queue-operation", "queue-operation"),
    ("last-prompt", "metadata"),
    ("api-request", "api-request"),
    ("api-request-shape", "api-request"),
    ("api-request-blob", "api-request"),
    ("atis-latch", "metadata"),
    ("tools-used", "metadata"),
    ("mode", "metadata"),
    ("tag", "metadata"),
    ("agent-name", "metadata"),
    ("agent-color", "metadata"),
    ("agent-setting", "metadata"),
    ("worktree-state", "metadata"),
    ("content-replacement", "metadata"),
    ("speculation-accept", "metadata"),
    ("attribution-snapshot", "metadata"),
    ("marble-origami-commit", "metadata"),
    ("marble-origami-snapshot", "metadata"),
    ("history-suppression", "metadata"),
    ("relocated", "metadata"),
    ("task-summary", "metadata"),
];

/// Whether a record type belongs to this dialect's metadata.
pub(super) fn is_metadata(kind: &str) -> bool {
    IGNORED.iter().any(|(known, _)| *known == kind)
        || matches!(
            kind,
            "summary" | "custom-title" | "ai-title" | "cost-state" | "pr-link" | "permission-mode"
        )
}

impl Transcript {
    pub(super) fn system(&mut self, line: &Line<'_>, speaker: &mut Speaker<'_, '_>) {
        let subtype = line.subtype.as_deref().unwrap_or_default();
        match subtype {
            "compact_boundary" => {
                let extra = extra_of(line.value, &["compactMetadata"]);
                let update = CompactionUpdate { status: "completed", ..Default::default() };
                speaker.say_extra(extra.as_deref(), Fact::Tell(update.into()));
            }
            "microcompact_boundary" => speaker.say(Fact::Ignored("microcompact")),
            "turn_duration" if line.parent.is_none() => {
                let duration = speaker.number(line.value.get("durationMs"), "durationMs");
                self.turn_ended(RunOutcome::Completed, subtype, duration, speaker);
            }
            "turn_duration" => speaker.say(Fact::Ignored("turn-duration")),
            "api_metrics" => speaker.say(Fact::Ignored("api-metrics")),
            "stop_hook_summary" => speaker.say(Fact::Ignored("stop-hook-summary")),
            "local_command" => {
                if let Some(text) = line.value.get("content").and_then(Value::text) {
                    message::user_text(line, text, true, &mut self.memory, speaker);
                }
            }
            "api_error" => api_error(line, speaker),
            "informational"
            | "notification"
            | "away_summary"
            | "agents_killed"
            | "memory_saved"
            | "permission_retry"
            | "scheduled_task_fire"
            | "bridge_status" => system::notice(line, speaker),
            "model_refusal_fallback" | "model_refusal_no_fallback" => {
                system::refusal(line, subtype, speaker);
            }
            _ => {
                let word = ["system/", subtype].concat();
                let unknown = Unknown { type_: Some(&word), raw: line.value.raw() };
                speaker.say(Fact::Tell(Update::Unknown(unknown)));
            }
        }
    }

    /// Context for the model, but for what a person queued while the model worked, what hooks did, and the turn limit.
    pub(super) fn attachment(&mut self, line: &Line<'_>, speaker: &mut Speaker<'_, '_>) {
        let attachment = line.value.get("attachment");
        let [kind, prompt, mode, event] = attachment.map_or([None; 4], |attachment| {
            attachment.fields(["type", "prompt", "commandMode", "hookEvent"])
        });
        let kind = speaker.text(kind, "attachment.type").unwrap_or_default();
        let event = speaker.text(event, "attachment.hookEvent");
        match (&*kind, event.as_deref(), attachment) {
            ("queued_command", _, _) => {
                let notified = mode.and_then(Value::str).as_deref() == Some("task-notification");
                match prompt.and_then(Value::text) {
                    Some(text) if notified => task::reported(line, &text.text, &mut self.memory, speaker),
                    Some(text) if !text.is_empty() => speaker.say(Fact::Prompt { text }),
                    _ => speaker.say(Fact::Ignored("attachment")),
                }
            }
            ("max_turns_reached", _, _) if line.parent.is_none() => {
                self.turn_ended(RunOutcome::Failed, &kind, None, speaker);
            }
            (kind, Some(event), Some(attachment)) if !event.is_empty() => {
                let raw = Json(attachment.raw());
                speaker.say(Fact::Tell(Hook { method: kind, event, payload: Some(raw), raw }.into()));
            }
            _ => speaker.say(Fact::Ignored("attachment")),
        }
    }

    /// News of a running call. Those of an agent's call hold a copy of a record of the agent's own file.
    pub(super) fn progress(&mut self, line: &Line<'_>, speaker: &mut Speaker<'_, '_>) {
        let [data, call] = line.value.fields(["data", "parentToolUseID"]);
        let call = speaker.text(call, "parentToolUseID");
        let [kind, message, agent, output, whole] = data
            .map_or([None; 5], |data| data.fields(["type", "message", "agentId", "output", "fullOutput"]));
        let kind = speaker.text(kind, "data.type").unwrap_or_default();
        let agent = speaker.text(agent, "data.agentId");
        let Some(call) = call.as_deref() else { return speaker.say(Fact::Ignored("progress")) };
        // Without an agent's id the call is all that tells whose record it is.
        let agent = (kind == "agent_progress").then(|| agent.unwrap_or_else(|| call.to_string().into()));
        if let Some(agent) = agent.as_deref().filter(|agent| self.memory.tasks.get(agent).is_none()) {
            self.memory.tasks.insert(agent, Task { call: Some(call.to_string()), is_agent: true });
        }
        match (&*kind, message) {
            ("agent_progress", Some(message)) => {
                let context = speaker.context;
                let owned = |text: Option<&str>| text.map(|text| Cow::Owned(text.to_string()));
                let (session, timestamp) = (owned(context.session), owned(context.timestamp));
                self.tree(message, Some(&Outer { session, timestamp, agent }), speaker);
            }
            ("hook_progress", _) => speaker.say(Fact::Ignored("hook-progress")),
            _ => {
                let text = whole.or(output).and_then(Value::str).filter(|text| !text.is_empty());
                let blocks: Vec<_> = text.map(Block::Text).into_iter().collect();
                speaker.say(Fact::ToolChanged(ToolChanged {
                    status: Some(ToolStatus::InProgress),
                    content: content::contents_of(&blocks),
                    ..ToolChanged::about(CallRef::Id(call))
                }));
            }
        }
    }

    pub(super) fn metadata(&mut self, line: &Line<'_>, speaker: &mut Speaker<'_, '_>) {
        let kind = &*line.kind;
        if let Some((_, reason)) = IGNORED.iter().find(|(known, _)| *known == kind) {
            return speaker.say(Fact::Ignored(reason));
        }
        let member = match kind {
            "summary" => "summary",
            "custom-title" => "customTitle",
            "ai-title" => "aiTitle",
            "permission-mode" => return self.announce(line, None, line.value.get("permissionMode"), speaker),
            "cost-state" => return cost(line, speaker),
            "pr-link" => return line.harness_event(kind, speaker),
            "" if line.value.get("agentType").is_some() => return self.agent_meta(line, speaker),
            _ => {
                let type_ = Some(kind).filter(|kind| !kind.is_empty());
                return speaker.say(Fact::Tell(Unknown { type_, raw: line.value.raw() }.into()));
            }
        };
        if let Some(title) = speaker.text(line.value.get(member), member) {
            let info = SessionInfoUpdate { title: Some(&title), ..SessionInfoUpdate::default() };
            speaker.say(Fact::Tell(info.into()));
        }
    }

    /// What stands in `agent-<id>.meta.json`, read behind the agent's own file: which call runs it.
    fn agent_meta(&mut self, line: &Line<'_>, speaker: &mut Speaker<'_, '_>) {
        let [call, name] = line.value.fields(["toolUseId", "agentType"]);
        let call = speaker.text(call, "toolUseId");
        let name = speaker.text(name, "agentType");
        let agent = std::mem::take(&mut self.last_agent);
        let Some(call) = call.filter(|call| !agent.is_empty() && self.memory.chains.get(call).is_none())
        else {
            return speaker.say(Fact::Ignored("agent-meta"));
        };
        let call_ref = Some(CallRef::Id(&call));
        let (name, status) = (name.as_deref(), None);
        speaker.say(Fact::AgentSeen(AgentSeen {
            agent: &agent,
            name,
            session: None,
            call: call_ref,
            status,
        }));
        self.memory.chains.insert(&call, agent);
    }
}

/// A request that failed and is tried again.
fn api_error(line: &Line<'_>, speaker: &mut Speaker<'_, '_>) {
    let [told, delay] = line.value.fields(["error", "retryInMs"]);
    let [formatted, message, status, inner] =
        told.map_or([None; 4], |error| error.fields(["formatted", "message", "status", "error"]));
    let inner = inner.and_then(|inner| inner.get("error")).and_then(|inner| inner.get("message"));
    let status = speaker.number(status, "error.status");
    let words = [formatted, inner, message, told].into_iter().flatten().find_map(Value::str);
    let code = match status {
        Some(529.0) => "overloaded",
        Some(429.0) => "rate_limit",
        Some(401.0 | 403.0) => "authentication_failed",
        Some(404.0) => "model_not_found",
        Some(status) if status >= 500.0 => "server_error",
        Some(status) if status >= 400.0 => "invalid_request",
        _ => "unknown",
    };
    let mut extra = Extra::default();
    for name in ["retryAttempt", "maxRetries", "source"] {
        extra.value(name, line.value.get(name));
    }
    if let Some(error) = told {
        extra.value("error_status", error.get("status"));
        extra.value("requestId", error.get("requestId"));
    }
    let retry_after_ms = speaker.number(delay, "retryInMs");
    let message = words.as_deref().unwrap_or(code);
    let fact = ErrorFact { code: Some(code), retry_after_ms, ..error(message) };
    speaker.say_extra(extra.finish().as_deref(), Fact::Error(fact));
}

/// The session's cost so far. No share of a run: the records' own counts are added up instead.
fn cost(line: &Line<'_>, speaker: &mut Speaker<'_, '_>) {
    let Some(amount) = line.value.get("totalCostUSD").filter(|amount| amount.f64().is_some()) else {
        return speaker.say(Fact::Ignored("metadata"));
    };
    let mut cost = Extra::default();
    cost.raw("amount", amount.raw());
    cost.text("currency", "USD");
    let cost = cost.finish();
    let extra = extra_of(line.value, &["modelUsage"]);
    let update = UsageUpdate { cost: cost.as_deref().map(Json), ..UsageUpdate::default() };
    speaker.say_extra(extra.as_deref(), Fact::Tell(update.into()));
}
