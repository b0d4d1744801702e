//! `system` lines: what the CLI says about itself, by `subtype`.

use super::memory::Memory;
use super::speaker::{Speaker, error, extra_of};
use super::{Line, ask, task, turn};
use crate::dialect::{ErrorFact, Fact, WithdrawTarget};
use crate::event::{CompactionUpdate, CurrentModeUpdate, Hook, Json, Notice, Severity, Unknown, Update};

pub(super) fn system(line: &Line<'_>, memory: &mut Memory, speaker: &mut Speaker<'_, '_>) {
    let subtype = line.subtype.as_deref().unwrap_or_default();
    match subtype {
        // Qwen Code's first line is Claude's in all but a few members; what follows it is not.
        "init" if line.value.get("qwen_code_version").is_some() => {
            speaker.unknown(Some("system/init"), line.value)
        }
        "init" => turn::init(line, speaker),
        "status" => status(line, speaker),
        "thinking_tokens" => speaker.say(Fact::Ignored("thinking-tokens")),
        "task_started" => task::started(line, memory, speaker),
        "task_updated" => task::updated(line, memory, speaker),
        "task_notification" => task::notified(line, memory, speaker),
        "hook_started" | "hook_progress" => speaker.say(Fact::Ignored("hook-progress")),
        "hook_response" => hook(line, speaker),
        "api_retry" => api_retry(line, speaker),
        "compact_boundary" => {
            memory.summary_next = true;
            let extra = extra_of(line.value, &["compact_metadata"]);
            let update = CompactionUpdate { status: "completed", ..Default::default() };
            speaker.say_extra(extra.as_deref(), Fact::Tell(update.into()));
        }
        "elicitation_complete" => ask::completed(line, memory, speaker),
        "permission_denied" => permission_denied(line, memory, speaker),
        "informational" | "notification" | "local_command_output" => notice(line, speaker),
        "model_refusal_fallback" | "model_refusal_no_fallback" => refusal(line, subtype, speaker),
        "mirror_error" | "session_writes_lost" => {
            let words = line.words(&["error", "content", "message"], speaker);
            let message = words.as_deref().unwrap_or(subtype);
            speaker.say(Fact::Error(ErrorFact { code: Some(subtype), ..error(message) }));
        }
        "microcompact_boundary" => speaker.say(Fact::Ignored("microcompact")),
        "turn_duration" => speaker.say(Fact::Ignored("turn-duration")),
        "session_state_changed" => speaker.say(Fact::Ignored("session-state")),
        "background_tasks_changed" => speaker.say(Fact::Ignored("background-tasks")),
        "task_progress"
        | "memory_recall"
        | "files_persisted"
        | "plugin_install"
        | "commands_changed"
        | "control_request_progress"
        | "worker_shutting_down" => {
            line.harness_event(subtype, speaker);
        }
        _ => {
            let word = ["system/", subtype].concat();
            speaker.say(Fact::Tell(Update::Unknown(Unknown { type_: Some(&word), raw: line.value.raw() })));
        }
    }
}

impl<'a> Line<'a> {
    /// The first of these members that is a text.
    fn words(&self, names: &[&str], speaker: &mut Speaker<'_, '_>) -> Option<std::borrow::Cow<'a, str>> {
        names.iter().find_map(|name| speaker.text(self.value.get(name), name)).filter(|text| !text.is_empty())
    }
}

fn status(line: &Line<'_>, speaker: &mut Speaker<'_, '_>) {
    let [status, mode, compacted, failure] =
        line.value.fields(["status", "permissionMode", "compact_result", "compact_error"]);
    let status = speaker.text(status, "status");
    let mode = speaker.text(mode, "permissionMode");
    let compacted = speaker.text(compacted, "compact_result");
    let failure = speaker.text(failure, "compact_error");
    if let Some(mode) = &mode {
        speaker.say(Fact::Tell(CurrentModeUpdate { current_mode_id: mode }.into()));
    }
    if let Some(word) = compacted.as_deref().or(status.as_deref().filter(|&word| word == "compacting")) {
        let update = CompactionUpdate { status: word, error: failure.as_deref(), ..Default::default() };
        speaker.say(Fact::Tell(update.into()));
    } else if mode.is_none() {
        speaker.say(Fact::Ignored("status"));
    }
}

fn hook(line: &Line<'_>, speaker: &mut Speaker<'_, '_>) {
    let event = speaker.text(line.value.get("hook_event"), "hook_event");
    let raw = Json(line.value.raw());
    let event = event.as_deref().unwrap_or_default();
    let payload = Some(raw).filter(|_| !event.is_empty());
    speaker.say(Fact::Tell(Hook { method: "hook_response", event, payload, raw }.into()));
}

fn api_retry(line: &Line<'_>, speaker: &mut Speaker<'_, '_>) {
    let [status, delay] = line.value.fields(["error_status", "retry_delay_ms"]);
    let code = speaker.text(line.error, "error");
    let word = code.as_deref().unwrap_or("error");
    let message = match speaker.number(status, "error_status") {
        Some(status) => format!("{word} (HTTP {status})"),
        None => word.to_string(),
    };
    let extra = extra_of(line.value, &["attempt", "max_retries", "error_status", "no_response"]);
    let retry_after_ms = speaker.number(delay, "retry_delay_ms");
    let fact = ErrorFact { code: code.as_deref(), retry_after_ms, ..error(&message) };
    speaker.say_extra(extra.as_deref(), Fact::Error(fact));
}

/// Refused without asking; the failed result follows.
fn permission_denied(line: &Line<'_>, memory: &Memory, speaker: &mut Speaker<'_, '_>) {
    let [call, name, agent] = line.value.fields(["tool_use_id", "tool_name", "agent_id"]);
    let call = speaker.text(call, "tool_use_id");
    let name = speaker.text(name, "tool_name");
    let agent = speaker.text(agent, "agent_id");
    let words = line.words(&["message"], speaker);
    let by_task = agent.and_then(|agent| memory.tasks.get(&agent)?.call.as_deref());
    let caller = memory.caller(call.as_deref()).or(by_task);
    let names = ["tool_name", "tool_use_id", "decision_reason", "decision_reason_type", "agent_id"];
    let extra = extra_of(line.value, &names);
    let fallback = ["permission denied: ", name.as_deref().unwrap_or("tool")].concat();
    let text = words.as_deref().unwrap_or(&fallback);
    let notice = Notice { severity: Severity::Warning, text, stream: None };
    speaker.say_of(caller, extra.as_deref(), Fact::Tell(notice.into()));
}

pub(super) fn notice(line: &Line<'_>, speaker: &mut Speaker<'_, '_>) {
    let level = speaker.text(line.value.get("level"), "level");
    let Some(text) = line.words(&["content", "text"], speaker) else {
        return speaker.say(Fact::Ignored("empty-text"));
    };
    let severity = match level.as_deref() {
        Some("warning") => Severity::Warning,
        Some("error") => Severity::Error,
        _ => Severity::Info,
    };
    let extra = extra_of(line.value, &["level", "key", "priority", "tool_use_id", "prevent_continuation"]);
    speaker.say_extra(extra.as_deref(), Fact::Tell(Notice { severity, text: &text, stream: None }.into()));
}

/// The model declined. What was printed of its answer may be taken back; the result line says whether the run failed.
pub(super) fn refusal(line: &Line<'_>, subtype: &str, speaker: &mut Speaker<'_, '_>) {
    let [live, saved] = line.value.fields(["retracted_message_uuids", "retractedMessageUuids"]);
    for uuid in speaker.each(live.or(saved), "retracted_message_uuids") {
        if let Some(uuid) = speaker.text(Some(uuid), "retracted_message_uuids") {
            speaker.say(Fact::Withdraw { target: WithdrawTarget::Record(&uuid), reason: "refused" });
        }
    }
    let words = line.words(&["content"], speaker);
    let names = [
        "original_model",
        "fallback_model",
        "scope",
        "api_refusal_category",
        "retracted_message_uuids",
        "originalModel",
        "fallbackModel",
        "apiRefusalCategory",
        "retractedMessageUuids",
    ];
    let extra = extra_of(line.value, &names);
    let message = words.as_deref().unwrap_or(subtype);
    let fact = ErrorFact { code: Some(subtype), repeats: true, ..error(message) };
    speaker.say_extra(extra.as_deref(), Fact::Error(fact));
}
