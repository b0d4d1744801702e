//! Sizes of what ships, against the committed snapshot, and whose code it is. Node measures the files: it has gzip and
//! brotli built in.

use anyhow::{Result, bail};

use crate::build::{Flavour, compile, ensure};
use crate::parts::Parts;
use crate::process::{command, run as shown};
use crate::tools;

/// `cargo xtask size [--check]`: writes pkg/size.snap, or fails where a size left it by more than 5 %.
/// `cargo xtask size --parts [--fast]`: the code by part, then the module as it ships (--fast: without, so no wasm-opt).
pub fn run(arguments: &[String]) -> Result<()> {
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        [] => measure(false),
        ["--check"] => measure(true),
        ["--parts"] => parts(false),
        ["--parts", "--fast"] | ["--fast", "--parts"] => parts(true),
        _ => bail!("size takes --check, --parts, --parts --fast or nothing"),
    }
}

/// Builds what is stale, prints the table, then writes or compares.
pub fn measure(check: bool) -> Result<()> {
    ensure(Flavour::Full)?;
    let mut node = command("node");
    node.arg("pkg/scripts/size.mjs");
    if check {
        node.arg("--check");
    }
    shown(&mut node)
}

fn parts(fast: bool) -> Result<()> {
    tools::wasm_target()?;
    let dialects: Vec<&str> = agent_ui_events::dialect::rows().iter().map(|row| row.name).collect();
    let parts = Parts::of(&compile()?, &dialects)?;
    print!("\n{}", parts.table());
    if fast {
        return Ok(());
    }
    println!();
    ensure(Flavour::Full)?;
    println!();
    shown(command("node").args(["pkg/scripts/size.mjs", "--of", "pkg/dist/core.wasm", "pkg/dist/slim.js"]))
}
