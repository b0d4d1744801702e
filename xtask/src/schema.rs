//! `cargo xtask schema`: the table of UI events becomes Rust and TypeScript.
//!
//! One table, four products that must agree word for word: the Rust types, the packed layout (written and read in
//! Rust), the JSON text, and the JavaScript decoder with its types. All are checked in; `--check` compares.
//! Knows the table's grammar and the two output languages, nothing about what an event means.

mod decoder;
mod names;
mod rust;
mod rust_packed;
mod table;
mod typescript;

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// First lines of both products.
const HEADER: &str =
    "// Generated from src/event/events.schema by `cargo xtask schema`. Change the table, not this file.\n\n";

/// Writes the generated files, or with `check` only tells whether they are up to date.
pub fn run(check: bool) -> Result<(), String> {
    let root = root();
    let table_path = root.join("src/event/events.schema");
    let text =
        std::fs::read_to_string(&table_path).map_err(|error| format!("{}: {error}", table_path.display()))?;
    let table = table::parse(&text)?;
    let rust = format!("{HEADER}{}{}", rust::types(&table), rust_packed::implementations(&table));
    let typescript = format!("{HEADER}{}{}", typescript::types(&table), decoder::decoder(&table));
    settle(&root.join("src/event/generated.rs"), &formatted(&root, &rust)?, check)?;
    settle(&root.join("pkg/src/generated/events.ts"), &typescript, check)
}

fn root() -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.parent().unwrap_or(own).to_path_buf()
}

fn settle(path: &Path, text: &str, check: bool) -> Result<(), String> {
    let known = std::fs::read_to_string(path).unwrap_or_default();
    // A checkout may have turned the line ends.
    if known.replace("\r\n", "\n") == text {
        return Ok(());
    }
    if check {
        return Err(format!("{} is out of date: run `cargo xtask schema`", path.display()));
    }
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    std::fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}

fn formatted(root: &Path, text: &str) -> Result<String, String> {
    let mut child = Command::new("rustfmt")
        .args(["--edition", "2024", "--emit", "stdout", "--config-path"])
        .arg(root.join("rustfmt.toml"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| {
            format!("rustfmt does not start ({error}); `rustup component add rustfmt` installs it")
        })?;
    let mut input = child.stdin.take().ok_or("rustfmt takes no input")?;
    let text = text.to_owned();
    // rustfmt reads everything before it writes, but that is its own business: feed it from beside.
    let feeder = std::thread::spawn(move || input.write_all(text.as_bytes()));
    let output = child.wait_with_output().map_err(|error| format!("rustfmt: {error}"))?;
    feeder
        .join()
        .map_err(|_| "rustfmt: the feeding thread died")?
        .map_err(|error| format!("rustfmt: {error}"))?;
    if !output.status.success() {
        return Err("rustfmt refused the generated Rust".into());
    }
    String::from_utf8(output.stdout).map_err(|error| format!("rustfmt: {error}"))
}
