//! Tools shown by table: a row gives the kind and the rule of the title, the arguments are found under all the names
//! that harnesses give them.
//!
//! Titles follow the Evolve stream. Knows names and arguments, nothing of order, status or results.

use std::borrow::Cow;

use super::{Presentation, mcp_parts};
use crate::dialect::content::{Block, Place};
use crate::event::ToolKind;
use crate::json::Value;

/// How a title is made.
#[derive(Clone, Copy, Debug)]
pub enum Title {
    /// The tool's name.
    Name,
    /// The command in backticks.
    Command,
    /// This word and the path.
    Path(&'static str),
    /// A new file: `Write` and the path, its text as a diff.
    Write,
    /// `Edit` and the path, the change as a diff.
    Edit,
    /// `Find` and the pattern.
    Find,
    /// A grep command line.
    Grep,
    /// The query in quotes.
    Query,
    /// `Fetch` and the address.
    Fetch,
    /// The task in words.
    Task,
}

/// Native name, kind, title.
pub type Row = (&'static str, ToolKind, Title);

/// Names of arguments, found in one walk: the arguments may hold a whole file.
const NAMES: [&str; 30] = [
    "path",
    "file_path",
    "filePath",
    "paths",
    "files",
    "command",
    "cmd",
    "commands",
    "pattern",
    "query",
    "filePattern",
    "regex",
    "url",
    "content",
    "file_text",
    "old_str",
    "old_string",
    "old_text",
    "before",
    "new_str",
    "new_string",
    "new_text",
    "after",
    "diff",
    "patch",
    "description",
    "prompt",
    "task",
    "read_range",
    "view_range",
];

struct Arguments<'a>([Option<Value<'a>>; NAMES.len()]);

impl<'a> Arguments<'a> {
    fn of(input: Option<Value<'a>>) -> Self {
        Arguments(input.map_or([None; NAMES.len()], |input| input.fields(NAMES)))
    }

    fn value(&self, names: &[&str]) -> Option<Value<'a>> {
        let at = |name: &&str| NAMES.iter().position(|known| known == name);
        let value = |name| self.0.get(at(name)?).copied().flatten();
        names.iter().find_map(value).filter(|value| !value.is_null())
    }

    fn text(&self, names: &[&str]) -> Option<Cow<'a, str>> {
        self.value(names)?.str()
    }

    fn filled(&self, names: &[&str]) -> Option<Cow<'a, str>> {
        self.text(names).filter(|text| !text.is_empty())
    }

    /// One path, or the first of several and how many there are.
    fn places(&self, range: Option<(f64, f64)>) -> Vec<Place<'a>> {
        let line = range.map(|(first, _)| first);
        if let Some(path) = self.filled(&["path", "file_path", "filePath"]) {
            return vec![Place { path, line }];
        }
        let paths = self.value(&["paths", "files"]).and_then(Value::array).into_iter().flatten();
        let path = |value: Value<'a>| value.str().or_else(|| value.get("path")?.str());
        paths.filter_map(path).map(|path| Place { path, line: None }).collect()
    }

    fn range(&self) -> Option<(f64, f64)> {
        let mut ends = self.value(&["read_range", "view_range"])?.array()?.map(Value::f64);
        Some((ends.next()??, ends.next()??))
    }

    /// A command, or several, one a line.
    fn command(&self) -> Option<Cow<'a, str>> {
        let value = self.value(&["command", "cmd", "commands"])?;
        let Some(list) = value.array() else { return value.str().filter(|text| !text.is_empty()) };
        let mut joined = String::new();
        for line in list.filter_map(|line| line.str().or_else(|| line.get("command")?.str())) {
            if !joined.is_empty() {
                joined.push('\n');
            }
            joined.push_str(&line);
        }
        (!joined.is_empty()).then_some(Cow::Owned(joined))
    }
}

/// How a call is shown: by its row, else by its name alone, `server: tool` where that names an MCP tool.
pub fn present<'a>(rows: &[Row], name: &str, input: Option<Value<'a>>) -> Presentation<'a> {
    let Some((_, kind, rule)) = rows.iter().find(|(known, ..)| *known == name) else {
        let title = match mcp_parts(name) {
            Some((server, tool)) => [server, ": ", tool].concat(),
            None => name.to_owned(),
        };
        return Presentation::of(ToolKind::Other, title);
    };
    let mut shown = Presentation::of(*kind, name.to_owned());
    let arguments = Arguments::of(input.filter(|input| input.object().is_some()));
    let range = arguments.range();
    shown.places = arguments.places(range);
    if let Some(title) = title(*rule, &arguments, range, &shown.places) {
        shown.title = Cow::Owned(title);
    }
    shown.content = content(*rule, &arguments, &shown.places);
    shown
}

fn title(
    rule: Title,
    arguments: &Arguments<'_>,
    range: Option<(f64, f64)>,
    places: &[Place<'_>],
) -> Option<String> {
    let quoted = |mark: &str, text: Cow<'_, str>| [mark, &text, mark].concat();
    match rule {
        Title::Name => None,
        Title::Command => {
            Some(arguments.command().map_or("Terminal".to_owned(), |command| quoted("`", command)))
        }
        Title::Path(verb) => on_places(verb, range, places),
        Title::Write => on_places("Write", None, places),
        Title::Edit => on_places("Edit", None, places),
        Title::Find => {
            Some(["Find ", &quoted("`", arguments.filled(&["filePattern", "pattern", "query"])?)].concat())
        }
        Title::Grep => {
            let mut line =
                ["grep ", &quoted("\"", arguments.filled(&["pattern", "regex", "query"])?)].concat();
            for place in places {
                line.push(' ');
                line.push_str(&place.path);
            }
            Some(line)
        }
        Title::Query => Some(quoted("\"", arguments.filled(&["query", "pattern"])?)),
        Title::Fetch => Some(["Fetch ", &arguments.filled(&["url"])?].concat()),
        Title::Task => {
            let words = arguments.filled(&["description", "task", "query", "prompt"])?;
            Some(words.lines().next().unwrap_or_default().to_owned())
        }
    }
}

fn on_places(verb: &str, range: Option<(f64, f64)>, places: &[Place<'_>]) -> Option<String> {
    let first = places.first()?;
    let mut title = String::from(verb);
    title.push(' ');
    if places.len() > 1 {
        title.push_str(&places.len().to_string());
        title.push_str(" files");
        return Some(title);
    }
    title.push_str(&first.path);
    if let Some((first, last)) = range {
        title.push_str(&[" (", &first.to_string(), " - ", &last.to_string(), ")"].concat());
    }
    Some(title)
}

/// The input side: the change as a diff, or what the model wrote about the call.
fn content<'a>(rule: Title, arguments: &Arguments<'a>, places: &[Place<'a>]) -> Vec<Block<'a>> {
    let path = places.first().map(|place| place.path.clone());
    let whole = arguments.text(&["content", "file_text"]);
    let old = arguments.text(&["old_str", "old_string", "old_text", "before"]);
    let new = arguments.text(&["new_str", "new_string", "new_text", "after"]);
    let block = match (rule, path) {
        (Title::Write, Some(path)) => whole.map(|new| Block::Diff { path, old: None, new }),
        (Title::Edit, Some(path)) if old.is_some() || new.is_some() => {
            Some(Block::Diff { path, old, new: new.unwrap_or_default() })
        }
        (Title::Edit, Some(path)) if whole.is_some() => whole.map(|new| Block::Diff { path, old: None, new }),
        (Title::Edit, _) => arguments.filled(&["diff", "patch"]).map(Block::Text),
        (Title::Command, _) => arguments.filled(&["description"]).map(Block::Text),
        (Title::Task, _) => arguments.filled(&["prompt", "task", "query"]).map(Block::Text),
        _ => None,
    };
    block.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROWS: &[Row] = &[
        ("run", ToolKind::Execute, Title::Command),
        ("read", ToolKind::Read, Title::Path("Read")),
        ("write", ToolKind::Edit, Title::Write),
        ("edit", ToolKind::Edit, Title::Edit),
        ("grep", ToolKind::Search, Title::Grep),
        ("task", ToolKind::Think, Title::Task),
    ];

    fn shown(name: &str, input: &'static str) -> Presentation<'static> {
        present(ROWS, name, Value::parse(input).ok())
    }

    #[test]
    fn titles_are_words_and_arguments() {
        let cases = [
            ("run", r#"{"cmd":"ls"}"#, "`ls`"),
            ("run", r#"{"commands":["ls",{"command":"pwd"}]}"#, "`ls\npwd`"),
            ("run", "{}", "Terminal"),
            ("read", r#"{"file_path":"a.md","view_range":[3,9]}"#, "Read a.md (3 - 9)"),
            ("read", r#"{"files":[{"path":"a"},{"path":"b"}]}"#, "Read 2 files"),
            ("read", "7", "read"),
            ("grep", r#"{"pattern":"x","path":"src"}"#, "grep \"x\" src"),
            ("task", r#"{"prompt":"Look.\nMore."}"#, "Look."),
            ("mcp__gate__open", "{}", "gate: open"),
            ("other", "{}", "other"),
        ];
        for (name, input, title) in cases {
            assert_eq!(shown(name, input).title, title, "{name} {input}");
        }
    }

    #[test]
    fn changes_are_diffs() {
        let diff = |old: Option<&'static str>, new: &'static str| {
            vec![Block::Diff { path: "a".into(), old: old.map(Cow::Borrowed), new: new.into() }]
        };
        assert_eq!(shown("write", r#"{"path":"a","content":"n"}"#).content, diff(None, "n"));
        assert_eq!(
            shown("edit", r#"{"path":"a","old_str":"o","new_str":"n"}"#).content,
            diff(Some("o"), "n")
        );
        assert_eq!(shown("edit", r#"{"path":"a","old_str":"o"}"#).content, diff(Some("o"), ""));
        assert_eq!(shown("edit", r#"{"path":"a","diff":"-o"}"#).content, [Block::Text("-o".into())]);
    }
}
