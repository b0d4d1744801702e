//! Compares what the product says about recordings with what really happened.

use anyhow::{Result, bail};

/// `cargo xtask conform <folder>...`.
pub fn run(_folders: &[String]) -> Result<()> {
    bail!("not built yet")
}
