//! `cargo xtask conform <folder>...`: what the product says about recordings, against what really happened.
//!
//! Every recording with a `.truth.json` beside it is read whole; then each key of the truth is compared, strictly, with
//! the leeway the recordings' README gives and no list of exceptions. What a surface does not print cannot be asked
//! for: whether it does is decided from the bytes of the recording, never from the name of the folder.

mod case;
mod ending;
mod evolve;
mod facts;
mod observed;
mod prefix;
mod state;
mod texts;
mod tools;
mod values;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use case::{Case, Verdicts};

const RECORDINGS: [&str; 3] = ["jsonl", "sse", "ndjson"];

/// Prints one line per failing check and the sums.
///
/// # Errors
/// When a check fails, a folder cannot be read, or there is nothing to check.
pub fn run(folders: &[String]) -> Result<()> {
    if folders.is_empty() {
        bail!("which folders? cargo xtask conform <folder>...");
    }
    let mut sums = Verdicts::default();
    for folder in folders {
        let folder = Path::new(folder);
        let files = recordings(folder)?;
        if folder.file_name().is_some_and(|name| name == "evolve-recorded") {
            evolve::check(&files, &mut sums)?;
            continue;
        }
        for file in files {
            if let Some(case) = Case::open(&file)? {
                check(&case, &mut sums)?;
                if let Some(whole) = case.with_subagents() {
                    check(&whole, &mut sums)?;
                }
            }
        }
    }
    for failure in &sums.failures {
        println!("{failure}");
    }
    println!("{} passed, {} failed", sums.passed, sums.failures.len());
    match (sums.passed, sums.failures.len()) {
        (0, 0) => bail!("no recording with a truth file was found"),
        (_, 0) => Ok(()),
        (_, failed) => bail!("{failed} checks failed"),
    }
}

fn check(case: &Case, sums: &mut Verdicts) -> Result<()> {
    let observed = observed::observe_all(&case.bytes, &case.further)?;
    let mut verdicts = Verdicts::of(&case.name);
    observed::check_events(&observed, &mut verdicts);
    if case.truth.get("prefixOf").is_some() {
        prefix::check(case, &observed, &mut verdicts)?;
    } else {
        texts::check(case, &observed, &mut verdicts);
        let matched = tools::check(case, &observed, &mut verdicts);
        facts::check(case, &observed, &matched, &mut verdicts);
        ending::check(case, &observed, &mut verdicts);
    }
    sums.add(verdicts);
    Ok(())
}

/// The recordings of a folder, by name.
fn recordings(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(folder).with_context(|| folder.display().to_string())?;
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|file| {
        file.is_file() && RECORDINGS.iter().any(|end| file.extension().is_some_and(|it| it == *end))
    });
    files.sort();
    Ok(files)
}
