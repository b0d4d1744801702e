//! Where things lie in this repository, and nothing else.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

/// The root of the repository.
pub fn root() -> PathBuf {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest.parent().unwrap_or(manifest).to_path_buf()
}

/// The npm package.
pub fn package() -> PathBuf {
    root().join("pkg")
}

/// What the npm package ships.
pub fn dist() -> PathBuf {
    package().join("dist")
}

/// Cargo's target folder, asked of cargo because settings outside this repository may move it.
pub fn target() -> Result<PathBuf> {
    let output = Command::new(cargo())
        .args(["metadata", "--no-deps", "--offline", "--format-version", "1"])
        .current_dir(root())
        .output()
        .context("cargo metadata does not start")?;
    let metadata: serde_json::Value =
        serde_json::from_slice(&output.stdout).context("cargo metadata printed no JSON")?;
    let folder = metadata["target_directory"].as_str().context("cargo metadata names no target folder")?;
    Ok(PathBuf::from(folder))
}

/// What xtask keeps between runs: stamps, the glue before bundling, optimised modules by content.
pub fn cache() -> Result<PathBuf> {
    let folder = target()?.join("xtask");
    std::fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    Ok(folder)
}

/// The cargo that started us, so that the toolchain stays the same.
pub fn cargo() -> String {
    std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned())
}

/// `path` relative to the root, with forward slashes, for messages and snapshots.
pub fn display(path: &Path) -> String {
    path.strip_prefix(root()).unwrap_or(path).display().to_string().replace('\\', "/")
}
