//! Droid's tools: how a call is shown. Names are compared without case, dashes, underscores and spaces.
//!
//! Titles are those of the Evolve stream: the tool's own name and what it works on.

use std::borrow::Cow;

use super::Presentation;
use super::rows::{self, Row, Shows, plain};
use crate::dialect::content::{Block, Place};
use crate::event::ToolKind;
use crate::json::Value;

const FILE: &str = "file_path path filePath absolute_path";
const FOLDER: &str = "directory_path path folder";
/// What a title names.
const WORDS: &str = "file_path path filePath absolute_path directory_path folder command url";

const TABLE: &[Row] = &[
    plain("read", ToolKind::Read).at(FILE),
    plain("ls glob", ToolKind::Search).at(FOLDER),
    plain("grep", ToolKind::Search).at("path"),
    plain("execute executecli bash", ToolKind::Execute).shows(Shows::Text("summary")),
    plain("skill", ToolKind::Execute),
    plain("create write", ToolKind::Edit).shows(Shows::Written("content")).at(FILE),
    plain("edit multiedit notebookedit", ToolKind::Edit).shows(Shows::Replaced).at(FILE),
    plain("applypatch", ToolKind::Edit).shows(Shows::Text("input")),
    plain("fetchurl webfetch websearch", ToolKind::Fetch),
    plain("task agent", ToolKind::Think).shows(Shows::Text("prompt")),
    plain("exitspecmode", ToolKind::SwitchMode).shows(Shows::Text("plan")),
    plain("askuser", ToolKind::Other).shows(Shows::Text("questionnaire")),
];

/// The name as the table knows it.
fn folded(name: &str) -> String {
    let letters = name.chars().filter(|letter| !matches!(letter, '-' | '_' | ' '));
    letters.map(|letter| letter.to_ascii_lowercase()).collect()
}

/// How a call of `name` with these arguments is shown.
pub fn present<'a>(name: &'a str, input: Option<Value<'a>>) -> Presentation<'a> {
    let folded = folded(name);
    let mut shown = match rows::find(TABLE, &folded) {
        Some(row) => rows::shown(row, name, input),
        None => rows::present(TABLE, name, None),
    };
    if folded == "applypatch" {
        shown.places = input.and_then(|input| input.get("input")?.str()).map_or_else(Vec::new, patched);
    }
    let word = rows::first(input, WORDS).or_else(|| shown.places.first().map(|place| place.path.clone()));
    if let Some(word) = word {
        shown.title = [&*shown.title, " ", &word].concat().into();
    }
    shown
}

/// Whether the arguments of this tool are the whole plan.
pub fn is_plan(name: &str) -> bool {
    folded(name) == "todowrite"
}

/// The files a patch names.
fn patched<'a>(patch: Cow<'a, str>) -> Vec<Place<'a>> {
    let heads = ["*** Update File: ", "*** Add File: ", "*** Delete File: "];
    let path =
        |line: &str| heads.iter().find_map(|head| line.strip_prefix(head)).map(|path| path.trim().to_owned());
    patch.lines().filter_map(path).map(|path| Place { path: path.into(), line: None }).collect()
}

/// What a result's `value` shows: a text, blocks, or of a patch its diff.
pub fn result_blocks(value: Value<'_>) -> Vec<Block<'_>> {
    if value.object().is_some() && value.get("type").is_none() {
        let [diff, content, text] = value.fields(["diff", "content", "text"]);
        if let Some(words) = diff.or(content).or(text).and_then(Value::str) {
            return vec![Block::Text(words)];
        }
    }
    let mut blocks = Block::list_from_wire(value);
    blocks.retain(|block| !matches!(block, Block::Text(text) if text.is_empty()));
    blocks
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown<'a>(name: &'a str, input: &'a str) -> Presentation<'a> {
        present(name, Value::parse(input).ok())
    }

    #[test]
    fn titles_are_the_name_and_what_it_works_on() {
        let cases = [
            ("Read", r#"{"file_path":"a.md"}"#, "Read a.md", ToolKind::Read),
            ("LS", r#"{"directory_path":"/w"}"#, "LS /w", ToolKind::Search),
            ("Execute", r#"{"command":"ls"}"#, "Execute ls", ToolKind::Execute),
            ("FetchUrl", r#"{"url":"http://a.test"}"#, "FetchUrl http://a.test", ToolKind::Fetch),
            ("execute-cli", "{}", "execute-cli", ToolKind::Execute),
            ("slack_post_message", "{}", "slack_post_message", ToolKind::Other),
            ("TodoWrite", "{}", "TodoWrite", ToolKind::Other),
        ];
        for (name, input, title, kind) in cases {
            let card = shown(name, input);
            assert_eq!((&*card.title, card.kind), (title, kind));
        }
    }

    #[test]
    fn a_patch_names_its_files_and_edits_are_diffs() {
        let patch = r#"{"input":"*** Begin Patch\n*** Update File: a.rs\n-x\n+y\n*** Add File: b.rs\n*** End Patch"}"#;
        let card = shown("ApplyPatch", patch);
        assert_eq!(card.title, "ApplyPatch a.rs");
        assert_eq!(card.places.len(), 2);
        let card = shown("MultiEdit", r#"{"file_path":"a","changes":[{"old_str":"x","new_str":"y"}]}"#);
        assert_eq!(card.content, [Block::Diff { path: "a".into(), old: Some("x".into()), new: "y".into() }]);
    }
}
