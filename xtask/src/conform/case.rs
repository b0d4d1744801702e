//! One recording, its truth, and the verdicts about it.

use std::fmt::Debug;
use std::path::{Path, PathBuf};

use agent_ui_events::json;
use anyhow::{Context, Result};
use serde_json::Value;

/// A recording with its truth.
pub(super) struct Case {
    /// `folder/scenario`.
    pub name: String,
    pub file: PathBuf,
    pub bytes: Vec<u8>,
    /// The bytes as text, broken UTF-8 replaced.
    pub text: String,
    /// Text of all files in `<scenario>.d`: what was recorded beside the stream and is not fed.
    pub beside: String,
    pub truth: Value,
    /// Name and bytes of the run's other files, where they are read too.
    pub further: Vec<(String, Vec<u8>)>,
}

impl Case {
    /// `None` when no truth file stands beside the recording.
    pub fn open(file: &Path) -> Result<Option<Case>> {
        let named = || file.display().to_string();
        let truth_file = file.with_extension("truth.json");
        if !truth_file.exists() {
            return Ok(None);
        }
        let truth = std::fs::read_to_string(&truth_file).with_context(named)?;
        // Lone halves of surrogate pairs are in some truths; they cross as U+FFFD.
        let truth = serde_json::from_str(&json::repair(&truth)).with_context(named)?;
        let bytes = std::fs::read(file).with_context(named)?;
        let part = |path: Option<&Path>| {
            path.and_then(Path::file_name).map_or(String::new(), |name| name.to_string_lossy().into_owned())
        };
        let scenario = part(Some(&file.with_extension("")));
        let mut beside = String::new();
        collect(&file.with_extension("d"), &mut beside);
        Ok(Some(Case {
            name: format!("{}/{scenario}", part(file.parent())),
            file: file.to_owned(),
            text: String::from_utf8_lossy(&bytes).into_owned(),
            bytes,
            further: Vec::new(),
            beside,
            truth,
        }))
    }

    /// The same with the files of its subagents or child threads as further inputs; `None` where there are none.
    pub fn with_subagents(&self) -> Option<Case> {
        let beside = self.file.with_extension("d");
        let folder = Some(beside.join("subagents")).filter(|folder| folder.is_dir()).unwrap_or(beside);
        let entries = std::fs::read_dir(folder).ok()?;
        let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
        files.retain(|file| {
            let name = file.file_name().unwrap_or_default().to_string_lossy();
            (name.starts_with("agent-") || name.starts_with("rollout-")) && name.ends_with(".jsonl")
        });
        files.sort();
        let mut text = self.text.clone();
        let mut further = Vec::new();
        for file in files {
            let bytes = std::fs::read(&file).ok()?;
            text.push_str(&String::from_utf8_lossy(&bytes));
            further.push((file.file_name()?.to_string_lossy().into_owned(), bytes));
        }
        (!further.is_empty()).then(|| Case {
            name: format!("{} with its subagents", self.name),
            file: self.file.clone(),
            text,
            bytes: self.bytes.clone(),
            further,
            beside: String::new(),
            truth: self.truth.clone(),
        })
    }

    pub fn surface(&self) -> &str {
        self.truth.get("surface").and_then(Value::as_str).unwrap_or("")
    }

    /// The surface is one of this program.
    pub fn is_of(&self, program: &str) -> bool {
        self.surface().starts_with(program)
    }

    /// Strings of a list in the truth; `None` when the key is missing.
    pub fn strings(&self, key: &str) -> Option<Vec<String>> {
        Some(strings(self.truth.get(key)?))
    }

    pub fn flag(&self, key: &str) -> bool {
        self.truth.get(key).and_then(Value::as_bool).unwrap_or(false)
    }

    pub fn tools(&self) -> &[Value] {
        self.truth.get("tools").and_then(Value::as_array).map_or(&[], Vec::as_slice)
    }

    /// Whether the recording holds this string as a JSON string of its own, so that its surface carries it.
    pub fn prints(&self, text: &str) -> bool {
        self.text.contains(&Value::from(text).to_string())
    }

    /// Whether the recording holds this text inside some JSON string.
    pub fn prints_part(&self, text: &str) -> bool {
        let quoted = Value::from(text).to_string();
        self.text.contains(quoted.trim_start_matches('"').trim_end_matches('"')) || self.text.contains(text)
    }

    /// The last exit code or signal; `None` where none is told.
    pub fn exit(&self) -> Option<&Value> {
        self.truth.get("exit")?.as_array()?.last()
    }
}

/// The strings of a JSON list.
pub(super) fn strings(list: &Value) -> Vec<String> {
    let list = list.as_array().map_or(&[][..], Vec::as_slice);
    list.iter().filter_map(|text| text.as_str().map(str::to_owned)).collect()
}

fn collect(folder: &Path, out: &mut String) {
    let mut waiting = vec![folder.to_owned()];
    while let Some(folder) = waiting.pop() {
        let Ok(entries) = std::fs::read_dir(folder) else { continue };
        for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
            if path.is_dir() {
                waiting.push(path);
            } else if let Ok(bytes) = std::fs::read(path) {
                out.push_str(&String::from_utf8_lossy(&bytes));
            }
        }
    }
}

/// What was compared and what came out different.
#[derive(Default)]
pub(super) struct Verdicts {
    name: String,
    pub passed: usize,
    pub failures: Vec<String>,
}

impl Verdicts {
    pub fn of(name: &str) -> Verdicts {
        Verdicts { name: name.to_owned(), ..Verdicts::default() }
    }

    pub fn add(&mut self, other: Verdicts) {
        self.passed += other.passed;
        self.failures.extend(other.failures);
    }

    /// Counts one check.
    pub fn that(&mut self, holds: bool, what: &str, expected: impl Debug, got: impl Debug) {
        if holds {
            self.passed += 1;
        } else {
            self.failures.push(format!(
                "{}: {what}: expected {} / got {}",
                self.name,
                short(expected),
                short(got)
            ));
        }
    }

    /// Counts one check of two equal things.
    pub fn equal<T: PartialEq + Debug>(&mut self, what: &str, expected: &T, got: &T) {
        self.that(expected == got, what, expected, got);
    }
}

/// A value on one line, cut where it gets long.
fn short(value: impl Debug) -> String {
    let text = format!("{value:?}");
    match text.char_indices().nth(360) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
