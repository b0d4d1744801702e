//! Everything CI runs, in one command that does its own set-up and ends with `N passed, N failed`.

use std::time::Instant;

use anyhow::{Result, bail};

use crate::process::{seconds, timed};
use crate::steps;
use crate::tally::Tally;

/// A named step of the run.
pub type Step = (&'static str, fn() -> Result<Tally>);

const STEPS: &[Step] = &[
    ("format", steps::format),
    ("clippy", steps::clippy),
    ("rust", steps::workspace_tests),
    ("schema", steps::schema),
    ("build", steps::build),
    ("package", steps::package),
    ("without-simd", steps::without_simd),
    ("types", steps::types),
    ("packaging", steps::packaging),
    ("browser", steps::browser),
];

/// `cargo xtask test [step...]`: all steps, or the named ones.
pub fn run(arguments: &[String]) -> Result<()> {
    for argument in arguments {
        if !STEPS.iter().any(|(name, _)| name == argument) {
            let names: Vec<&str> = STEPS.iter().map(|(name, _)| *name).collect();
            bail!("no step is called `{argument}`; there are {}", names.join(", "));
        }
    }
    let chosen: Vec<Step> = STEPS
        .iter()
        .copied()
        .filter(|(name, _)| arguments.is_empty() || arguments.iter().any(|argument| argument == name))
        .collect();
    run_all(&chosen);
}

/// Runs every step, also after a failure, prints the sum as the last line, and ends the process with it.
pub fn run_all(chosen: &[Step]) -> ! {
    let start = Instant::now();
    let mut sum = Tally::default();
    let mut failed = Vec::new();
    for (name, step) in chosen {
        match timed(name, step) {
            Ok(tally) => {
                if tally.failed > 0 {
                    failed.push(*name);
                }
                sum += tally;
            }
            Err(_) => {
                failed.push(*name);
                sum.failed += 1;
            }
        }
    }
    println!();
    if !failed.is_empty() {
        println!("failed: {}", failed.join(", "));
    }
    println!("all steps took {}", seconds(start.elapsed()));
    println!("{} passed, {} failed", sum.passed, sum.failed);
    std::process::exit(if failed.is_empty() { 0 } else { 1 })
}
