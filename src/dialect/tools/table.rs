//! Calls shown by a table: a row says what kind a tool is and which of its arguments its title names.
//!
//! The arguments of harnesses differ in spelling only (`path`, `filePath`; `old_string`, `oldText`), so one reader
//! serves all tables.

use std::borrow::Cow;

use super::Presentation;
use crate::dialect::content::{Block, Place};
use crate::event::ToolKind;
use crate::json::Value;

/// How a title is made.
#[derive(Clone, Copy, Debug)]
pub enum Show {
    /// The tool's name.
    Name,
    /// The command in backticks.
    Command,
    /// This verb and the path. Of a tool that edits, the arguments are diffs.
    Path(&'static str),
    /// This verb and the argument of that name.
    Words(&'static str, &'static str),
    /// The query in quotes.
    Query,
    /// The task's description; its prompt is the input side.
    Task,
}

/// One tool: native name, kind, title.
pub type Row = (&'static str, ToolKind, Show);

const PATHS: [&str; 3] = ["path", "filePath", "file_path"];
const OLD: [&str; 4] = ["old", "old_string", "oldString", "oldText"];
const NEW: [&str; 4] = ["new", "new_string", "newString", "newText"];
const LINES: [&str; 2] = ["line_offset", "offset"];
const EDITS: [&str; 2] = ["edits", "edit"];

/// How a call of `name` with these arguments is shown; a name without a row keeps its name.
pub fn present<'a>(table: &[Row], name: &'a str, input: Option<Value<'a>>) -> Presentation<'a> {
    let row = table.iter().find(|(known, ..)| *known == name);
    let (kind, show) = row.map_or((ToolKind::Other, Show::Name), |(_, kind, show)| (*kind, *show));
    let mut shown = Presentation::of(kind, Cow::Borrowed(name));
    let Some(input) = input.filter(|input| input.object().is_some()) else {
        if let Show::Command = show {
            shown.title = "Run command".into();
        }
        return shown;
    };
    let words = |key| first(input, &[key]);
    match show {
        Show::Name => {}
        Show::Command => {
            shown.title = words("command").map_or("Run command".into(), |it| joined("`", &it, "`"));
            shown.content.extend(words("description").map(Block::Text));
        }
        Show::Path(verb) => path(verb, input, &mut shown),
        Show::Words(verb, key) => {
            if let Some(words) = words(key) {
                shown.title = joined(verb, &words, "");
            }
        }
        Show::Query => {
            if let Some(query) = words("query") {
                shown.title = joined("\"", &query, "\"");
            }
        }
        Show::Task => {
            if let Some(description) = words("description") {
                shown.title = description;
            }
            shown.content.extend(words("prompt").map(Block::Text));
        }
    }
    shown
}

fn joined<'a>(before: &str, words: &str, behind: &str) -> Cow<'a, str> {
    let mut title = String::with_capacity(before.len() + words.len() + behind.len());
    title.push_str(before);
    title.push_str(words);
    title.push_str(behind);
    title.into()
}

/// The first of these arguments that is a string with characters.
fn first<'a>(input: Value<'a>, keys: &[&str]) -> Option<Cow<'a, str>> {
    any(input, keys)?.str().filter(|text| !text.is_empty())
}

fn any<'a>(input: Value<'a>, keys: &[&str]) -> Option<Value<'a>> {
    keys.iter().find_map(|key| input.get(key).filter(|value| !value.is_null()))
}

fn path<'a>(verb: &str, input: Value<'a>, shown: &mut Presentation<'a>) {
    let Some(path) = first(input, &PATHS) else {
        shown.content.extend(first(input, &["patchText"]).map(Block::Text));
        return;
    };
    shown.title = joined(verb, &path, "");
    if shown.kind == ToolKind::Edit {
        match any(input, &EDITS) {
            Some(edits) => match edits.array() {
                Some(edits) => shown.content.extend(edits.filter_map(|edit| replaced(&path, edit))),
                None => shown.content.extend(replaced(&path, edits)),
            },
            None => shown.content.extend(replaced(&path, input)),
        }
    }
    let line = any(input, &LINES).and_then(Value::f64).filter(|line| *line > 0.0);
    shown.places.push(Place { path, line });
}

/// One replacement, or a whole new file.
fn replaced<'a>(path: &Cow<'a, str>, edit: Value<'a>) -> Option<Block<'a>> {
    let old = any(edit, &OLD).and_then(Value::str);
    let new = any(edit, &NEW).or_else(|| edit.get("content")).and_then(Value::str)?;
    Some(Block::Diff { path: path.clone(), old, new })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &[Row] = &[
        ("run", ToolKind::Execute, Show::Command),
        ("edit", ToolKind::Edit, Show::Path("Edit ")),
        ("read", ToolKind::Read, Show::Path("Read ")),
        ("ask", ToolKind::Think, Show::Task),
        ("web", ToolKind::Fetch, Show::Query),
        ("get", ToolKind::Fetch, Show::Words("Fetch ", "url")),
    ];

    fn shown<'a>(name: &'a str, input: &'a str) -> Presentation<'a> {
        present(TABLE, name, Value::parse(input).ok())
    }

    #[test]
    fn titles_name_what_the_call_is_about() {
        let cases = [
            ("run", r#"{"command":"ls -l"}"#, "`ls -l`"),
            ("run", r#"{"cmd":"ls"}"#, "Run command"),
            ("read", r#"{"filePath":"/a"}"#, "Read /a"),
            ("read", r#"{"path":7}"#, "read"),
            ("ask", r#"{"description":"count bees","prompt":"Go."}"#, "count bees"),
            ("web", r#"{"query":"tides"}"#, "\"tides\""),
            ("get", r#"{"url":"http://x.test"}"#, "Fetch http://x.test"),
            ("other", "{}", "other"),
            ("run", "[]", "Run command"),
        ];
        for (name, input, title) in cases {
            assert_eq!(shown(name, input).title, title, "{name} {input}");
        }
    }

    #[test]
    fn every_spelling_of_an_edit_is_a_diff() {
        let diff = |old: Option<&'static str>| Block::Diff {
            path: "a".into(),
            old: old.map(Cow::from),
            new: "y".into(),
        };
        for input in [
            r#"{"path":"a","old_string":"x","new_string":"y"}"#,
            r#"{"filePath":"a","oldString":"x","newString":"y"}"#,
            r#"{"path":"a","edit":{"old":"x","new":"y"}}"#,
            r#"{"path":"a","edits":[{"oldText":"x","newText":"y"}]}"#,
        ] {
            assert_eq!(shown("edit", input).content, [diff(Some("x"))], "{input}");
        }
        assert_eq!(shown("edit", r#"{"path":"a","content":"y"}"#).content, [diff(None)]);
        assert_eq!(shown("edit", r#"{"path":"a"}"#).content, []);
    }

    #[test]
    fn a_read_tells_its_line() {
        assert_eq!(
            shown("read", r#"{"path":"a","offset":4}"#).places,
            [Place { path: "a".into(), line: Some(4.0) }]
        );
        assert_eq!(
            shown("read", r#"{"path":"a","offset":-4}"#).places,
            [Place { path: "a".into(), line: None }]
        );
    }
}
