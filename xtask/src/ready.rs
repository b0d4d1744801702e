//! The checks before a commit is handed over: no browser, no packing, nothing that takes minutes.

use anyhow::{Result, bail};

use crate::tally::Tally;
use crate::test::{Step, run_all};
use crate::{size, steps, tidy};

const STEPS: &[Step] = &[
    ("format", steps::format),
    ("clippy", steps::clippy),
    ("core", || steps::cargo_test(&["--package", "agent-ui-events"])),
    ("schema", steps::schema),
    ("size", || size::measure(true).map(|()| Tally::default())),
    ("documentation", steps::documentation),
    ("tidy", || tidy::check().map(|()| Tally::default())),
];

/// `cargo xtask ready`.
pub fn run(arguments: &[String]) -> Result<()> {
    if !arguments.is_empty() {
        bail!("ready takes no arguments");
    }
    run_all(STEPS)
}
