//! The start (`system/init`) and the end (`result`) of a turn.
//!
//! Both come once per turn, so several times in one run; results of turns that background work started can stand
//! together at the end.

use super::Line;
use super::memory::Memory;
use super::speaker::{Extra, Speaker, error, extra_of};
use super::usage::Counts;
use crate::dialect::walk::{Present, members};
use crate::dialect::{ErrorFact, Fact, RunFact, UsageBasis, UsageFact};
use crate::event::{
    AvailableCommandsUpdate, CurrentModeUpdate, Evidence, Json, RunOutcome, RunPhase, RunScope,
    SessionInfoUpdate, SlashCommand,
};
use crate::json::Value;

/// What `init` says of the session, beyond what has a field of its own.
const INIT_NAMES: [&str; 4] = ["type", "subtype", "session_id", "uuid"];

pub(super) fn init(line: &Line<'_>, speaker: &mut Speaker<'_, '_>) {
    let [cwd, model, mode, qwen_mode, commands] =
        line.value.fields(["cwd", "model", "permissionMode", "permission_mode", "slash_commands"]);
    let mode = mode.or(qwen_mode);
    let cwd = speaker.text(cwd, "cwd");
    let model = speaker.text(model, "model");
    let mode = speaker.text(mode, "permissionMode");
    let names: Vec<_> = speaker
        .each(commands, "slash_commands")
        .filter_map(|command| command.str().or_else(|| command.get("name")?.str()))
        .collect();
    let mut speaker = speaker.narrowed();
    speaker.context.model = model.as_deref();
    speaker.say(Fact::Run(RunFact::of(RunScope::Run, RunPhase::Start)));
    let mut meta = Extra::default();
    for (key, value) in members(Some(line.value)) {
        if !INIT_NAMES.contains(&&*key) && &*key != "cwd" {
            meta.value(&key, Some(value));
        }
    }
    let meta = meta.finish();
    let info =
        SessionInfoUpdate { cwd: cwd.as_deref(), meta: meta.as_deref().map(Json), ..Default::default() };
    speaker.say(Fact::Tell(info.into()));
    if let Some(mode) = &mode {
        speaker.say(Fact::Tell(CurrentModeUpdate { current_mode_id: mode }.into()));
    }
    if !names.is_empty() {
        let command = |name| SlashCommand { name, description: "", hint: None };
        let available_commands = names.iter().map(|name| command(name)).collect::<Vec<_>>().into();
        speaker.say(Fact::Tell(AvailableCommandsUpdate { available_commands }.into()));
    }
}

/// What goes beside the end of a run, as it stands.
const RESULT_NAMES: [&str; 15] = [
    "subtype",
    "num_turns",
    "result_index",
    "stop_reason",
    "terminal_reason",
    "api_error_status",
    "api_error_type",
    "permission_denials",
    "structured_output",
    "deferred_tool_use",
    "duration_api_ms",
    "local_command",
    "origin",
    "startup_failure_reason",
    "invalid_config_file",
];

pub(super) fn result(line: &Line<'_>, memory: &mut Memory, speaker: &mut Speaker<'_, '_>) {
    let [is_error, text, errors, reason, duration, api_type] = line.value.present_fields([
        "is_error",
        "result",
        "errors",
        "terminal_reason",
        "duration_ms",
        "api_error_type",
    ]);
    let subtype = line.subtype.as_deref().unwrap_or_default();
    let failed = is_error.and_then(Value::bool).unwrap_or(subtype.starts_with("error"));
    let text = text.filter(|text| text.str_raw().is_some());
    let reason = speaker.text(reason, "terminal_reason");
    let interrupted = matches!(reason.as_deref(), Some("aborted_streaming" | "aborted_tools"));
    if failed {
        let errors = speaker.list(errors, "errors");
        let words = failure_words(&errors, text);
        // The CLI's own diagnostics are all there is to say about an interrupt: no error, it was asked for.
        if !(words.is_empty() && interrupted) {
            let message = if words.is_empty() { subtype } else { &words };
            let message = if message.is_empty() { "error" } else { message };
            let code = api_type.and_then(Value::str);
            let code = code.as_deref().or(Some(subtype).filter(|word| word.starts_with("error")));
            speaker.say(Fact::Error(ErrorFact { code, fatal: true, repeats: true, ..error(message) }));
        }
    }
    share(line, memory, speaker);
    if !failed && let Some(text) = text.and_then(Value::text).filter(|text| !text.is_empty()) {
        speaker.say(Fact::Answer { text });
    }
    let outcome = match reason.as_deref() {
        _ if interrupted => RunOutcome::Cancelled,
        _ if failed => RunOutcome::Failed,
        Some("tool_deferred") => RunOutcome::Waiting,
        _ => RunOutcome::Completed,
    };
    let extra = extra_of(line.value, &RESULT_NAMES);
    let duration_ms = speaker.number(duration, "duration_ms");
    let run = RunFact {
        outcome: Some(outcome),
        reason: reason.as_deref().or(line.subtype.as_deref()),
        duration_ms,
        evidence: Some(Evidence::Stated),
        ..RunFact::of(RunScope::Run, RunPhase::End)
    };
    speaker.say_extra(extra.as_deref(), Fact::Run(run));
}

/// The listed errors, else the result's text; the CLI's internal diagnostics are left out.
fn failure_words(errors: &[Value<'_>], text: Option<Value<'_>>) -> String {
    let mut words = String::new();
    for error in
        errors.iter().filter_map(|error| error.str()).filter(|error| !error.starts_with("[ede_diagnostic]"))
    {
        if !words.is_empty() {
            words.push('\n');
        }
        words.push_str(&error);
    }
    if words.is_empty() {
        words.extend(text.and_then(Value::str));
    }
    words
}

/// Tokens of this turn's main loop; the cost runs on over the process and covers subagents too.
fn share(line: &Line<'_>, memory: &mut Memory, speaker: &mut Speaker<'_, '_>) {
    let [usage, cost, models] = line.value.fields(["usage", "total_cost_usd", "modelUsage"]);
    let cost = speaker.number(cost, "total_cost_usd");
    let usage = usage.present();
    if usage.is_none() && cost.is_none() {
        return;
    }
    let mut counts = match usage {
        Some(usage) => Counts::read(usage, speaker),
        None => Counts { prompt: None, completion: None, cached: None, extra: Extra::default() },
    };
    counts.extra.value("total_cost_usd", line.value.get("total_cost_usd"));
    counts.extra.value("modelUsage", models);
    let restarted = restarted(models, counts.completion, memory);
    let others = counts.extra.finish();
    speaker.say(Fact::Usage(UsageFact {
        basis: UsageBasis::RunShare,
        prompt: counts.prompt,
        completion: counts.completion,
        cached: counts.cached,
        cost,
        cost_is_running_total: !restarted,
        extra: others.as_deref().map(Json),
    }));
}

/// Whether the totals of this line began with it: another process appended to the stream, and not one that took over
/// the totals of the session it resumed. Certain when its total shrank or covers this turn alone; a total that went on
/// would hold the turns before too.
fn restarted(models: Option<Value<'_>>, own: Option<f64>, memory: &mut Memory) -> bool {
    let Some(models) = models.and_then(Value::object) else { return false };
    let counted: f64 = models.filter_map(|(_, model)| model.get("outputTokens")?.f64()).sum();
    let before = std::mem::replace(&mut memory.counted_output, counted);
    before > 0.0 && (counted < before || own == Some(counted))
}
