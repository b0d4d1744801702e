//! Evolve's own recordings: no truth file, but two views of each run that must agree.

use std::path::{Path, PathBuf};

use agent_ui_events::event::Role;
use anyhow::{Context, Result};

use super::case::Verdicts;
use super::observed::{Observed, check_events, observe, remarks};

/// Folds each file, and compares what the SDK made of a run with what the harness printed.
pub(super) fn check(files: &[PathBuf], sums: &mut Verdicts) -> Result<()> {
    for file in files {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let mut verdicts = Verdicts::of(&format!("evolve-recorded/{name}"));
        let observed = read(file)?;
        check_events(&observed, &mut verdicts);
        verdicts.equal("remarks", &Vec::new(), &remarks(&observed.report));
        if let Some(run) = name.strip_suffix(".content.jsonl") {
            let raw = read(&file.with_file_name(format!("{run}.raw.jsonl")))?;
            verdicts.equal(
                "texts of the raw side",
                &raw.main_texts(Role::Agent),
                &observed.main_texts(Role::Agent),
            );
            verdicts.equal("tools of the raw side", &tools(&raw), &tools(&observed));
        }
        sums.add(verdicts);
    }
    Ok(())
}

fn read(file: &Path) -> Result<Observed> {
    let bytes = std::fs::read(file).with_context(|| file.display().to_string())?;
    observe(&bytes)
}

fn tools(observed: &Observed) -> Vec<(String, &'static str, &'static str)> {
    let row = |card: &agent_ui_events::transcript::ToolCard| {
        (card.tool_call_id.to_string(), card.kind.as_str(), card.status.as_str())
    };
    observed.cards().into_iter().map(|(_, card)| row(card)).collect()
}
