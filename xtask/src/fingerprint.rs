//! Content hashes that decide whether something must be done again. Not for security.

use std::hash::{DefaultHasher, Hasher};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

/// Folder names whose contents never decide anything: they are made from the rest.
const GENERATED: &[&str] = &["node_modules", "dist", "wasm", "target", ".git"];

/// The hash of some bytes, as 16 hexadecimal digits.
pub fn of_bytes(parts: &[&[u8]]) -> String {
    let mut hasher = DefaultHasher::new();
    for part in parts {
        hasher.write_usize(part.len());
        hasher.write(part);
    }
    format!("{:016x}", hasher.finish())
}

/// The hash of the names and contents of all files at or under `paths` (relative to `root`). A path that does
/// not exist counts as absent, so making it later changes the hash.
pub fn of_paths(root: &Path, paths: &[&str]) -> Result<String> {
    let mut files = Vec::new();
    for path in paths {
        collect(&root.join(path), &mut files)?;
    }
    files.sort();
    let mut hasher = DefaultHasher::new();
    for file in files {
        let bytes = std::fs::read(&file).with_context(|| format!("cannot read {}", file.display()))?;
        hasher.write(crate::project::display(&file).as_bytes());
        hasher.write_usize(bytes.len());
        hasher.write(&bytes);
    }
    Ok(format!("{:016x}", hasher.finish()))
}

/// All files at or under `path`, leaving out generated folders.
pub fn collect(path: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    if path.is_file() {
        files.push(path.to_path_buf());
        return Ok(());
    }
    if !path.is_dir() {
        return Ok(());
    }
    for entry in std::fs::read_dir(path).with_context(|| format!("cannot list {}", path.display()))? {
        let entry = entry?.path();
        let name = entry.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if entry.is_dir() && GENERATED.contains(&name.as_str()) {
            continue;
        }
        collect(&entry, files)?;
    }
    Ok(())
}
