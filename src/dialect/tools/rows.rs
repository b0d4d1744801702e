//! Tables of tools: a row says kind, title, input side and places; the arguments are read here, once for all tables.

use std::borrow::Cow;

use super::Presentation;
use crate::dialect::content::{Block, Place};
use crate::dialect::walk::Present;
use crate::event::ToolKind;
use crate::json::Value;

/// A name longer than this is a model's slip (a whole command as a name); the title is cut there.
const LONGEST_NAME: usize = 200;

/// How tools of these names are shown.
pub struct Row {
    /// Native names, parted by spaces.
    pub names: &'static str,
    /// Chooses the icon.
    pub kind: ToolKind,
    /// What stands in the title before and after the argument, and the title without it; an empty one is the name.
    pub title: (&'static str, &'static str, &'static str),
    /// Arguments that may be in the title, the first that is there, parted by spaces.
    pub word: &'static str,
    /// What stands on the input side.
    pub shows: Shows,
    /// Arguments that name a file or folder, the first that is there, parted by spaces.
    pub place: &'static str,
}

/// The input side of a card.
#[derive(Clone, Copy)]
pub enum Shows {
    /// Nothing.
    Nothing,
    /// A text argument.
    Text(&'static str),
    /// A file written anew: the argument with its text.
    Written(&'static str),
    /// A search and replace pair, each under one of two names; several under `edits` or `changes`.
    Replaced,
}

/// Short forms for tables.
pub const fn row(
    names: &'static str,
    kind: ToolKind,
    title: (&'static str, &'static str, &'static str),
    word: &'static str,
) -> Row {
    Row { names, kind, title, word, shows: Shows::Nothing, place: "" }
}

/// A tool that is shown by its name.
pub const fn plain(names: &'static str, kind: ToolKind) -> Row {
    row(names, kind, ("", "", ""), "")
}

impl Row {
    /// With an input side.
    pub const fn shows(self, shows: Shows) -> Row {
        Row { shows, ..self }
    }

    /// With a file or folder.
    pub const fn at(self, place: &'static str) -> Row {
        Row { place, ..self }
    }
}

/// The row of a name.
pub fn find(table: &'static [Row], name: &str) -> Option<&'static Row> {
    table.iter().find(|row| row.names.split(' ').any(|known| known == name))
}

/// How a call is shown; a tool without a row by its name.
pub fn present<'a>(table: &'static [Row], name: &'a str, input: Option<Value<'a>>) -> Presentation<'a> {
    let Some(row) = find(table, name) else {
        return Presentation::of(ToolKind::Other, short(name));
    };
    shown(row, name, input)
}

/// How a call is shown by its row.
pub fn shown<'a>(row: &Row, name: &'a str, input: Option<Value<'a>>) -> Presentation<'a> {
    let word = first(input, row.word).or_else(|| listed(input?, row.word));
    let (before, after, without) = row.title;
    let title = match word {
        Some(word) => {
            let mut title = String::with_capacity(before.len() + word.len() + after.len());
            title.push_str(before);
            // A command between backticks keeps its own apart.
            if before == "`" {
                title.push_str(&word.replace('`', "\\`"))
            } else {
                title.push_str(&word)
            }
            title.push_str(after);
            Cow::Owned(title)
        }
        None if without.is_empty() => short(name),
        None => Cow::Borrowed(without),
    };
    let mut shown = Presentation::of(row.kind, title);
    let Some(input) = input else { return shown };
    let place = first(Some(input), row.place).map(|path| Place { path, line: line(input) });
    match (row.shows, &place) {
        (Shows::Text(key), _) => shown.content.extend(first(Some(input), key).map(Block::Text)),
        (Shows::Written(keys), Some(place)) => {
            let new = any(input, keys).and_then(Value::str).unwrap_or_default();
            shown.content.push(Block::Diff { path: place.path.clone(), old: None, new });
        }
        (Shows::Replaced, Some(place)) => replaced(input, place, &mut shown.content),
        _ => {}
    }
    match place {
        Some(place) => shown.places.push(place),
        None => shown.places.extend(texts(input, row.place).map(|path| Place { path, line: None })),
    }
    shown
}

/// Lines as places count them, from 0; `start_line` counts from 1. A range is taken as it stands; lines
/// counted from the end name no place.
fn line(input: Value<'_>) -> Option<f64> {
    let [start, offset, line_offset, read, view] =
        input.fields(["start_line", "offset", "line_offset", "read_range", "view_range"]);
    let number = |field: Option<Value<'_>>| field.and_then(Value::f64);
    let offset = line_offset.or(offset);
    let range = read.or(view).and_then(|range| range.array()?.next());
    let line = number(start).map(|start| (start - 1.0).max(0.0)).or(number(range)).or(number(offset));
    line.filter(|line| *line >= 0.0)
}

/// The texts of the first of these members that is a list; of objects, what they name.
fn texts<'a>(input: Value<'a>, names: &str) -> impl Iterator<Item = Cow<'a, str>> {
    let list = names.split(' ').find_map(|name| input.get(name)?.array());
    let text = |value: Value<'a>| {
        let [path, command] = value.fields(["path", "command"]);
        path.or(command).unwrap_or(value).str()
    };
    list.into_iter().flatten().filter_map(text)
}

/// Several commands or files, in one line.
fn listed<'a>(input: Value<'a>, names: &str) -> Option<Cow<'a, str>> {
    let mut joined = String::new();
    for text in texts(input, names) {
        if !joined.is_empty() {
            joined.push_str("; ");
        }
        joined.push_str(&text);
    }
    (!joined.is_empty()).then_some(joined.into())
}

/// The search and replace pairs of an edit, as diffs.
pub fn replaced<'a>(input: Value<'a>, place: &Place<'a>, content: &mut Vec<Block<'a>>) {
    let inner = any(input, "edits changes edit");
    match inner.and_then(Value::array) {
        Some(edits) => content.extend(edits.filter_map(|edit| pair(edit, place))),
        None => content.extend(pair(inner.unwrap_or(input), place)),
    }
}

/// A search and replace pair: a fragment of the file. Without a search the new text is the whole.
fn pair<'a>(edit: Value<'a>, place: &Place<'a>) -> Option<Block<'a>> {
    let old = any(edit, "old_string old_str oldString oldText old_text old before").and_then(Value::str);
    let new =
        any(edit, "new_string new_str newString newText new_text new after content").and_then(Value::str);
    (old.is_some() || new.is_some()).then(|| Block::Diff {
        path: place.path.clone(),
        old,
        new: new.unwrap_or_default(),
    })
}

/// The first of these members that holds something.
fn any<'a>(input: Value<'a>, names: &str) -> Option<Value<'a>> {
    names.split(' ').find_map(|name| input.get(name).present())
}

/// The first of these members that is a text with something in it.
pub fn first<'a>(input: Option<Value<'a>>, names: &str) -> Option<Cow<'a, str>> {
    let input = input.filter(|_| !names.is_empty())?;
    names.split(' ').find_map(|name| input.get(name)?.str().filter(|text| !text.is_empty()))
}

/// The name itself, cut where it is a monster.
fn short(name: &str) -> Cow<'_, str> {
    match name.char_indices().nth(LONGEST_NAME) {
        None => Cow::Borrowed(name),
        Some((end, _)) => {
            let mut title = name.get(..end).unwrap_or_default().to_owned();
            title.push('…');
            title.into()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATH: &str = "path filePath";
    const TABLE: &[Row] = &[
        row("run", ToolKind::Execute, ("`", "`", "Run command"), "command"),
        row("edit", ToolKind::Edit, ("Edit ", "", ""), PATH).shows(Shows::Replaced).at(PATH),
        row("read", ToolKind::Read, ("Read ", "", ""), PATH).at(PATH),
        row("ask", ToolKind::Think, ("", "", ""), "description").shows(Shows::Text("prompt")),
        row("web", ToolKind::Fetch, ("\"", "\"", ""), "query"),
        row("get", ToolKind::Fetch, ("Fetch ", "", ""), "url"),
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
