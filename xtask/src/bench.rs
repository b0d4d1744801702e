//! Speed against hand-written JavaScript, in Node and in a browser. The measuring itself is benches/run.mjs.
//!
//! Knows only what must be there before it starts: the optimised package, npm packages, a Chromium.

use anyhow::{Result, bail};

use crate::process::{command, run as shown, say};
use crate::{build, tools};

const FLAGS: &[&str] = &["--short", "--tiny", "--node", "--chromium", "--own-process", "--write"];

/// `cargo xtask bench [--short] [--node|--chromium] [--own-process] [--write] [--only workload,..]`.
pub fn run(arguments: &[String]) -> Result<()> {
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        let has_list = argument == "--only" && rest.next().is_some();
        if !has_list && !FLAGS.contains(&argument.as_str()) {
            bail!("bench takes {} and --only workload,..", FLAGS.join(", "));
        }
    }
    tools::npm_packages()?;
    build::ensure(build::Flavour::Full)?;
    if !arguments.iter().any(|argument| argument == "--node") {
        say(&format!("browser: {}", tools::chromium()?.display()));
    }
    shown(command("node").args(["--expose-gc", "benches/run.mjs"]).args(arguments))
}
