//! A recording that was cut by hand: its events are the first ones of the full recording.

use agent_ui_events::event::RunOutcome;
use anyhow::{Context, Result};
use serde_json::Value;

use super::case::{Case, Verdicts};
use super::observed::{Observed, observe};

pub(super) fn check(case: &Case, observed: &Observed, verdicts: &mut Verdicts) -> Result<()> {
    let name = case.truth.get("prefixOf").and_then(Value::as_str).unwrap_or("");
    let whole_lines = case.truth.get("wholeLines").and_then(Value::as_u64).unwrap_or(0);
    let end = case.file.extension().unwrap_or_default().to_string_lossy().into_owned();
    let full = case.file.with_file_name(format!("{name}.{end}"));
    let bytes = std::fs::read(&full).with_context(|| full.display().to_string())?;
    let full = observe(&bytes)?;
    let up_to = |observed: &Observed| -> Vec<String> {
        let lines = observed.events.lines().zip(&observed.lines);
        lines.filter(|(_, line)| **line <= whole_lines).map(|(event, _)| event.to_owned()).collect()
    };
    let (expected, shown) = (up_to(&full), up_to(observed));
    let same = expected.iter().zip(&shown).take_while(|(expected, shown)| expected == shown).count();
    verdicts.that(same == expected.len(), "first event that differs", expected.get(same), shown.get(same));
    // Behind them only what the end of the input brings.
    let rest: Vec<&str> = observed.events.lines().skip(same).collect();
    let at_end = |event: &&str| {
        ["run", "message_end", "notice", "unknown", "interrupt_resolved"]
            .iter()
            .any(|kind| event.contains(&format!("\"sessionUpdate\":\"{kind}\"")))
    };
    verdicts.that(rest.iter().all(at_end), "events after the cut", "ends only", &rest);
    let outcome = observed.report.result.outcome;
    verdicts.that(matches!(outcome, None | Some(RunOutcome::Cut)), "outcome", "none or cut", outcome);
    Ok(())
}
