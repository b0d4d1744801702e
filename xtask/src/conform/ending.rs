//! How it ended and what it cost.

use agent_ui_events::event::RunOutcome;
use serde_json::Value;

use super::case::{Case, Verdicts};
use super::observed::Observed;

pub(super) fn check(case: &Case, observed: &Observed, verdicts: &mut Verdicts) {
    check_outcome(case, observed, verdicts);
    check_usage(case, observed, verdicts);
}

fn check_outcome(case: &Case, observed: &Observed, verdicts: &mut Verdicts) {
    let outcome = observed.report.result.outcome;
    let interrupted = case.flag("interrupted");
    let exit = case.exit().cloned().unwrap_or(Value::from(0));
    let processes = case.truth.get("exit").and_then(Value::as_array).map_or(0, Vec::len);
    let fails = case.truth.get("errors").and_then(Value::as_array).is_some_and(|errors| {
        errors.iter().any(|error| error.get("fatal").and_then(Value::as_bool) == Some(true))
    });
    let (holds, expected) = match outcome {
        _ if interrupted => (outcome != Some(RunOutcome::Completed), "anything but completed"),
        None | Some(RunOutcome::Cut) if case.flag("truncated") => (true, ""),
        _ if case.flag("truncated") => (false, "none or cut"),
        // Of several processes an earlier one may have failed and the last one not.
        _ if fails && exit == 0 && processes > 1 => (true, ""),
        // Also where the program swallowed the error and left with 0.
        _ if fails => (outcome == Some(RunOutcome::Failed), "failed"),
        _ if exit != 0 => (outcome != Some(RunOutcome::Completed), "anything but completed"),
        _ if states_success(case) => {
            (matches!(outcome, Some(RunOutcome::Completed | RunOutcome::Waiting)), "completed")
        }
        _ => (!matches!(outcome, Some(RunOutcome::Failed | RunOutcome::Cancelled)), "no failure"),
    };
    verdicts.that(holds, "outcome", expected, (outcome, observed.report.result.reason.as_deref()));
}

/// The recording holds the words with which these programs state that a run went well.
fn states_success(case: &Case) -> bool {
    let words = [
        "\"subtype\":\"success\"",
        "\"type\":\"turn.completed\"",
        "\"type\":\"RUN_FINISHED\"",
        "\"status\":\"success\",\"stats\"",
    ];
    words.iter().any(|words| case.text.contains(words))
}

/// Tokens of the main agent, where the recording prints any.
fn check_usage(case: &Case, observed: &Observed, verdicts: &mut Verdicts) {
    let usage = &observed.report.usage;
    let Some(expected) = case.truth.get("usage") else { return };
    let words = [
        "input_tokens",
        "inputTokens",
        "prompt_tokens",
        "promptTokens",
        "inputOther",
        "\"input\":",
        "usage_metadata",
    ];
    if usage.main.prompt.is_none() && !words.iter().any(|word| case.text.contains(word)) {
        return;
    }
    let counters = [
        ("promptTokens", usage.main.prompt),
        ("completionTokens", usage.main.completion),
        ("cachedTokens", usage.main.cached),
    ];
    for (name, seen) in counters {
        let Some(expected) = expected.get(name).and_then(Value::as_f64) else { continue };
        // Before the end only preliminary counts of the output are printed.
        if name == "completionTokens" && case.flag("truncated") {
            continue;
        }
        let nothing = seen.is_none() && expected == 0.0;
        verdicts.that(
            nothing || seen == Some(expected),
            &format!("usage {name}"),
            expected,
            (seen, usage.source),
        );
    }
    let calls = observed.transcript.usage().main_calls;
    if let Some(expected) = case.truth.get("usageMainCalls").and_then(|calls| calls.get("promptTokens"))
        && calls.count > 0
    {
        verdicts.that(calls.prompt == expected.as_f64(), "usageMainCalls", expected, calls.prompt);
    }
}
