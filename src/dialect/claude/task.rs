//! Background tasks: subagents and shell commands that run on after their call is answered.
//!
//! A subagent's key is the id of the call that runs it; its lines carry it as `parent_tool_use_id`.

use super::Line;
use super::memory::{Memory, Role, Task};
use super::speaker::{Extra, Speaker, extra_of};
use super::typed::inside;
use crate::dialect::{AgentSeen, CallRef, Fact, RunFact, ToolChanged};
use crate::event::{AgentStatus, Evidence, RunOutcome, RunPhase, RunScope, ToolStatus};
use crate::json::Value;

pub(super) fn started(line: &Line<'_>, memory: &mut Memory, speaker: &mut Speaker<'_, '_>) {
    let [task, call, description, agent_type, task_type, parent] = line.body().fields([
        "task_id",
        "tool_use_id",
        "description",
        "subagent_type",
        "task_type",
        "parent_task_id",
    ]);
    let task = speaker.text(task, "task_id");
    let call = speaker.text(call, "tool_use_id");
    let description = speaker.text(description, "description");
    let agent_type = speaker.text(agent_type, "subagent_type");
    let task_type = speaker.text(task_type, "task_type");
    let parent = speaker.text(parent, "parent_task_id");
    let Some(task) = task.as_deref() else { return line.harness_event("task_started", speaker) };
    let runs_agent = matches!(call.as_deref().and_then(|id| memory.calls.get(id)), Some(call) if matches!(call.role, Role::Agent));
    let is_agent = runs_agent
        || agent_type.is_some()
        || matches!(task_type.as_deref(), Some("local_agent" | "remote_agent"));
    let known = Task { call: call.as_deref().map(str::to_string), is_agent };
    memory.tasks.insert(task, known);
    let parent_call = parent.and_then(|parent| memory.tasks.get(&parent)?.call.as_deref());
    let caller = memory.caller(call.as_deref()).or(parent_call);
    let Some(call) = call.as_deref() else { return line.harness_event("task_started", speaker) };
    speaker.say_of(caller, None, Fact::TaskLink { task, call: CallRef::Id(call) });
    let extra = extra_of(line.body(), &["task_id", "task_type", "is_backgrounded", "spawn_depth"]);
    let running =
        ToolChanged { status: Some(ToolStatus::InProgress), ..ToolChanged::about(CallRef::Id(call)) };
    speaker.say_of(caller, extra.as_deref(), Fact::ToolChanged(running));
    if is_agent {
        let agent = AgentSeen {
            agent: call,
            name: agent_type.as_deref().or(description.as_deref()),
            session: None,
            call: Some(CallRef::Id(call)),
            status: Some(AgentStatus::Running),
        };
        speaker.say_of(caller, extra.as_deref(), Fact::AgentSeen(agent));
        speaker.say_of(Some(call), None, Fact::Run(RunFact::of(RunScope::Agent, RunPhase::Start)));
    }
}

/// A change of state by task id alone.
pub(super) fn updated(line: &Line<'_>, memory: &Memory, speaker: &mut Speaker<'_, '_>) {
    let [task, change] = line.value.fields(["task_id", "patch"]);
    let task = speaker.text(task, "task_id");
    let word = change.and_then(|change| change.get("status")?.str());
    let known = task.and_then(|task| memory.tasks.get(&task));
    match (known, word.as_deref().and_then(status_of)) {
        (Some(Task { call: Some(call), is_agent: true }), Some(status)) => {
            let agent = AgentSeen {
                agent: call,
                name: None,
                session: None,
                call: Some(CallRef::Id(call)),
                status: Some(status),
            };
            speaker.say_of(memory.caller(Some(call)), None, Fact::AgentSeen(agent));
        }
        _ => line.harness_event("task_updated", speaker),
    }
}

/// The end of a task. The card of its call keeps its own result.
pub(super) fn notified(line: &Line<'_>, memory: &Memory, speaker: &mut Speaker<'_, '_>) {
    let [task, call, word, reason, usage] =
        line.body().fields(["task_id", "tool_use_id", "status", "reason", "usage"]);
    let task = speaker.text(task, "task_id");
    let call = speaker.text(call, "tool_use_id");
    let word = speaker.text(word, "status");
    let reason = speaker.text(reason, "reason");
    let known = task.and_then(|task| memory.tasks.get(&task));
    let call = call.as_deref().or_else(|| known?.call.as_deref());
    let runs_agent =
        call.and_then(|call| memory.calls.get(call)).is_some_and(|call| matches!(call.role, Role::Agent));
    let (Some(call), true) = (call, runs_agent || known.is_some_and(|task| task.is_agent)) else {
        return line.harness_event("task_notification", speaker);
    };
    let extra = extra_of(line.body(), &["task_id", "summary", "output_file", "usage"]);
    let duration = usage.and_then(|usage| usage.get("duration_ms")).and_then(Value::f64);
    ended(call, word.as_deref(), reason.as_deref(), duration, extra.as_deref(), memory, speaker);
}

/// The same as a user text in tags, as saved sessions have it.
pub(super) fn reported(line: &Line<'_>, report: &str, memory: &mut Memory, speaker: &mut Speaker<'_, '_>) {
    let known = inside(report, "task-id").and_then(|task| memory.tasks.get(task));
    let call = inside(report, "tool-use-id").or_else(|| known?.call.as_deref());
    let runs_agent =
        call.and_then(|call| memory.calls.get(call)).is_some_and(|call| matches!(call.role, Role::Agent));
    let (Some(call), true) = (call, runs_agent || known.is_some_and(|task| task.is_agent)) else {
        return line.harness_event("task-notification", speaker);
    };
    let mut extra = Extra::default();
    for name in ["task-id", "summary", "output-file"] {
        if let Some(words) = inside(report, name) {
            extra.text(name, words);
        }
    }
    ended(call, inside(report, "status"), None, None, extra.finish().as_deref(), memory, speaker);
}

/// An agent in the background ended.
fn ended(
    call: &str,
    word: Option<&str>,
    reason: Option<&str>,
    duration_ms: Option<f64>,
    extra: Option<&str>,
    memory: &Memory,
    speaker: &mut Speaker<'_, '_>,
) {
    let status = word.and_then(status_of);
    let key = memory.chains.get(call).map_or(call, String::as_str);
    let agent = AgentSeen { agent: key, name: None, session: None, call: Some(CallRef::Id(call)), status };
    speaker.say_of(memory.caller(Some(call)), extra, Fact::AgentSeen(agent));
    let run = RunFact {
        outcome: match status {
            Some(AgentStatus::Completed) => Some(RunOutcome::Completed),
            Some(AgentStatus::Failed) => Some(RunOutcome::Failed),
            Some(AgentStatus::Cancelled) => Some(RunOutcome::Cancelled),
            _ => None,
        },
        reason: reason.or(word),
        duration_ms,
        evidence: Some(Evidence::Stated),
        ..RunFact::of(RunScope::Agent, RunPhase::End)
    };
    speaker.say_as(Some(key), Some(call), None, Fact::Run(run));
}

fn status_of(word: &str) -> Option<AgentStatus> {
    match word {
        "completed" => Some(AgentStatus::Completed),
        "failed" | "error" => Some(AgentStatus::Failed),
        "stopped" | "killed" | "cancelled" => Some(AgentStatus::Cancelled),
        "running" | "pending" => Some(AgentStatus::Running),
        _ => None,
    }
}
