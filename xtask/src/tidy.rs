//! Rules of the house that no linter knows: file lengths, module docs, nothing that names a machine.

use std::path::Path;

use anyhow::{Context, Result, bail};

use crate::process::{command, read};
use crate::project;

const LONG_LINES: usize = 500;
const TOO_LONG_LINES: usize = 800;

/// Extensions of files people read as code.
const CODE: &[&str] = &["rs", "ts", "mts", "cts", "mjs", "js", "css", "html"];

/// Strings that tie the repository to one machine. In two halves, or this file would break its own rule.
const FORBIDDEN: &[&str] = &[
    concat!("/wor", "k/"),
    concat!("/roo", "t/"),
    concat!("\"resol", "ved\":"),
    concat!("https://regis", "try."),
];

/// `cargo xtask tidy`.
pub fn run(arguments: &[String]) -> Result<()> {
    if !arguments.is_empty() {
        bail!("tidy takes no arguments");
    }
    check()
}

/// Prints every breach; fails if one of them is more than a warning.
pub fn check() -> Result<()> {
    let listed = read(command("git").args(["ls-files", "--cached", "--others", "--exclude-standard"]))
        .context("tidy looks at the files git knows")?;
    let mut breaches = 0;
    for name in listed.lines() {
        let Ok(bytes) = std::fs::read(project::root().join(name)) else { continue };
        let Ok(text) = std::str::from_utf8(&bytes) else { continue };
        for breach in breaches_of(name, text) {
            println!("{name}: {breach}");
            breaches += 1;
        }
        if let Some(lines) =
            length_of(name, text).filter(|lines| (LONG_LINES + 1..=TOO_LONG_LINES).contains(lines))
        {
            println!("{name}: warning: {lines} lines, the target is {LONG_LINES}");
        }
    }
    if breaches > 0 {
        bail!("{breaches} breaches of the house rules");
    }
    println!("tidy");
    Ok(())
}

fn breaches_of(name: &str, text: &str) -> Vec<String> {
    let mut breaches = Vec::new();
    if let Some(lines) = length_of(name, text).filter(|lines| *lines > TOO_LONG_LINES) {
        breaches.push(format!("{lines} lines, at most {TOO_LONG_LINES} are allowed"));
    }
    if lacks_module_doc(name, text) {
        breaches.push("does not start with a module doc".to_owned());
    }
    for (index, line) in text.lines().enumerate() {
        for word in FORBIDDEN {
            if stands_in(line, word) {
                breaches.push(format!("line {}: names a machine or a registry: {word}", index + 1));
            }
        }
    }
    breaches
}

/// The length of a file that the limits cover: code, neither a test nor generated.
fn length_of(name: &str, text: &str) -> Option<usize> {
    let extension = Path::new(name).extension()?.to_str()?;
    let test = name.split('/').any(|part| part == "tests" || part == "benches") || name.ends_with("tests.rs");
    let generated =
        text.lines().take(3).any(|line| line.contains("@generated") || line.starts_with("// Generated from"));
    (CODE.contains(&extension) && !test && !generated).then(|| text.lines().count())
}

fn is_generated(text: &str) -> bool {
    text.lines().take(3).any(|line| line.contains("@generated") || line.starts_with("// Generated from"))
}

fn lacks_module_doc(name: &str, text: &str) -> bool {
    if is_generated(text) {
        return false;
    }
    let text = text.trim_start();
    if name.ends_with(".rs") && name.split('/').any(|part| part == "src") {
        return !text.starts_with("//!");
    }
    name.starts_with("pkg/src/")
        && name.ends_with(".ts")
        && !(text.starts_with("/*") || text.starts_with("//"))
}

/// Whether `word` stands in `line` as the start of a path, not in the middle of a longer one.
fn stands_in(line: &str, word: &str) -> bool {
    line.match_indices(word).any(|(position, _)| {
        !line[..position].ends_with(|before: char| before.is_alphanumeric() || "._-".contains(before))
    })
}

#[cfg(test)]
mod tests {
    use super::{FORBIDDEN, breaches_of, length_of, stands_in};

    #[test]
    fn a_machine_path_is_found_and_a_longer_path_is_not() {
        let word = FORBIDDEN[0];
        assert!(stands_in(&format!("see {word}x"), word));
        assert!(!stands_in(&format!("see example.org{word}x"), word));
    }

    #[test]
    fn only_code_outside_tests_has_a_length() {
        assert_eq!(length_of("src/lib.rs", "//! a\n"), Some(1));
        assert_eq!(length_of("tests/cases.rs", "a\n"), None);
        assert_eq!(length_of("src/event/table.rs", "// @generated\n"), None);
        assert_eq!(length_of("pkg/package-lock.json", "{}\n"), None);
    }

    #[test]
    fn a_module_without_doc_is_a_breach() {
        assert_eq!(breaches_of("src/lib.rs", "pub mod a;\n").len(), 1);
        assert!(breaches_of("src/lib.rs", "//! A.\npub mod a;\n").is_empty());
    }
}
