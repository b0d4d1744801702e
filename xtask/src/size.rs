//! Sizes of what ships, against the committed snapshot. Node measures: it has gzip and brotli built in.

use anyhow::{Result, bail};

use crate::build::{Flavour, ensure};
use crate::process::{command, run as shown};

/// `cargo xtask size [--check]`: writes pkg/size.snap, or fails where a size left it by more than 5 %.
pub fn run(arguments: &[String]) -> Result<()> {
    let check = match arguments {
        [] => false,
        [flag] if flag == "--check" => true,
        _ => bail!("size takes --check or nothing"),
    };
    measure(check)
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
