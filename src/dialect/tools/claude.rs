//! Claude Code's own tools (and Anthropic's server tools): how a call is shown.
//!
//! One row per tool name. The titles are those of the Evolve stream, so that a raw trace and the Evolve stream of the
//! same run look alike. Knows names and arguments, nothing of order, status or results.

use std::borrow::Cow;

use super::{Presentation, mcp_parts};
use crate::dialect::content::{Block, Place};
use crate::dialect::walk::{Present, elements};
use crate::event::ToolKind;
use crate::json::Value;

/// A name longer than this is a model's slip (a whole command as a name); the title is cut there.
const LONGEST_NAME: usize = 200;

/// The kind of a tool by its name alone, for a call whose arguments are still to come.
pub fn kind(name: &str) -> ToolKind {
    match name {
        "Read" | "NotebookRead" => ToolKind::Read,
        "Edit" | "MultiEdit" | "Write" | "NotebookEdit" | "text_editor_code_execution" => ToolKind::Edit,
        "Glob" | "Grep" | "LS" | "LSP" => ToolKind::Search,
        "Bash"
        | "BashOutput"
        | "KillShell"
        | "KillBash"
        | "TaskOutput"
        | "TaskStop"
        | "PowerShell"
        | "Monitor"
        | "code_execution"
        | "bash_code_execution" => ToolKind::Execute,
        "Agent" | "Task" => ToolKind::Think,
        "WebFetch" | "WebSearch" | "web_search" | "web_fetch" => ToolKind::Fetch,
        "ExitPlanMode" | "EnterPlanMode" => ToolKind::SwitchMode,
        _ => ToolKind::Other,
    }
}

/// How a call of `name` with these arguments is shown.
pub fn present<'a>(name: &'a str, input: Option<Value<'a>>) -> Presentation<'a> {
    let arguments = Arguments(input.filter(|input| input.object().is_some()));
    let mut shown = Presentation::of(kind(name), Cow::Borrowed(name));
    match name {
        "Read" => read(&arguments, &mut shown),
        "NotebookRead" => titled_path(&arguments, "Read Notebook", "notebook_path", &mut shown),
        "NotebookEdit" => {
            titled_path(&arguments, "Edit Notebook", "notebook_path", &mut shown);
            shown.content.extend(arguments.text("new_source").map(Block::Text));
        }
        "Edit" | "MultiEdit" => edit(&arguments, &mut shown),
        "Write" => write(&arguments, &mut shown),
        "Bash" | "PowerShell" | "bash_code_execution" => command(&arguments, &mut shown),
        "BashOutput" => shown.title = "Tail Logs".into(),
        "KillShell" | "KillBash" => shown.title = "Kill Process".into(),
        "LS" => list(&arguments, &mut shown),
        "Glob" => glob(&arguments, &mut shown),
        "Grep" => grep(&arguments, &mut shown),
        "LSP" => shown.places.extend(arguments.place("filePath", arguments.number("line"))),
        "WebFetch" | "web_fetch" => {
            shown.title =
                arguments.text("url").map_or("Fetch".into(), |url| ["Fetch ", &url].concat().into());
            shown.content.extend(arguments.text("prompt").map(Block::Text));
        }
        "WebSearch" | "web_search" => shown.title = search_title(&arguments).into(),
        "Agent" | "Task" => {
            shown.title = arguments.text("description").unwrap_or(Cow::Borrowed(name));
            shown.content.extend(arguments.text("prompt").map(Block::Text));
        }
        "ExitPlanMode" => {
            shown.title = "Ready to code?".into();
            shown.content.extend(arguments.text("plan").map(Block::Text));
        }
        "TodoWrite" => shown.title = todo_title(&arguments).into(),
        "AskUserQuestion" => {
            let first = arguments.value("questions").and_then(|list| list.array()?.next());
            shown.title = first.and_then(|first| first.get("question")?.str()).unwrap_or(Cow::Borrowed(name));
        }
        "Skill" => {
            let skill = arguments.text("skill").or_else(|| arguments.text("command"));
            shown.title = skill.map_or(Cow::Borrowed(name), |skill| ["Skill ", &skill].concat().into());
        }
        _ => shown.title = other_title(name),
    }
    shown
}

/// Words for a tool without a row: `server: tool` for MCP, else its name.
fn other_title(name: &str) -> Cow<'_, str> {
    if let Some((server, tool)) = mcp_parts(name) {
        return [server, ": ", tool].concat().into();
    }
    match name.char_indices().nth(LONGEST_NAME) {
        None => Cow::Borrowed(name),
        Some((end, _)) => [name.get(..end).unwrap_or_default(), "…"].concat().into(),
    }
}

/// The arguments of a call, read leniently: an empty or mistyped one counts as absent.
struct Arguments<'a>(Option<Value<'a>>);

impl<'a> Arguments<'a> {
    fn value(&self, key: &str) -> Option<Value<'a>> {
        self.0?.get(key).present()
    }

    fn text(&self, key: &str) -> Option<Cow<'a, str>> {
        self.value(key)?.str().filter(|text| !text.is_empty())
    }

    fn number(&self, key: &str) -> Option<f64> {
        self.value(key)?.f64()
    }

    /// An integer above zero.
    fn count(&self, key: &str) -> Option<u64> {
        self.value(key)?.u64().filter(|&count| count > 0)
    }

    fn flag(&self, key: &str) -> bool {
        self.value(key).and_then(Value::bool) == Some(true)
    }

    fn place(&self, key: &str, line: Option<f64>) -> Option<Place<'a>> {
        self.text(key).map(|path| Place { path, line })
    }

    /// The texts of a list of strings.
    fn words(&self, key: &str) -> Vec<Cow<'a, str>> {
        elements(self.value(key)).filter_map(Value::str).collect()
    }
}

fn titled_path<'a>(arguments: &Arguments<'a>, verb: &'static str, key: &str, shown: &mut Presentation<'a>) {
    let place = arguments.place(key, None);
    shown.title = place.as_ref().map_or(verb.into(), |place| [&*verb, " ", &place.path].concat().into());
    shown.places.extend(place);
}

fn read<'a>(arguments: &Arguments<'a>, shown: &mut Presentation<'a>) {
    let offset = arguments.count("offset").unwrap_or(0);
    let range = match arguments.count("limit") {
        Some(limit) => format!(" ({} - {})", offset.saturating_add(1), offset.saturating_add(limit)),
        None if offset > 0 => format!(" (from line {})", offset.saturating_add(1)),
        None => String::new(),
    };
    let place = arguments.place("file_path", arguments.number("offset"));
    shown.title = format!("Read {}{range}", place.as_ref().map_or("File", |place| &*place.path)).into();
    shown.places.extend(place);
}

fn edit<'a>(arguments: &Arguments<'a>, shown: &mut Presentation<'a>) {
    let Some(place) = arguments.place("file_path", None) else {
        shown.title = "Edit".into();
        return;
    };
    shown.title = ["Edit `", &place.path, "`"].concat().into();
    match arguments.value("edits").and_then(Value::array) {
        Some(edits) => shown.content.extend(edits.map(|edit| diff(&place.path, &Arguments(Some(edit))))),
        None => shown.content.push(diff(&place.path, arguments)),
    }
    shown.places.push(place);
}

/// The search and replace pair of one edit; a fragment of the file, not the whole.
fn diff<'a>(path: &Cow<'a, str>, arguments: &Arguments<'a>) -> Block<'a> {
    let side = |key| arguments.value(key).and_then(Value::str);
    Block::Diff { path: path.clone(), old: side("old_string"), new: side("new_string").unwrap_or_default() }
}

fn write<'a>(arguments: &Arguments<'a>, shown: &mut Presentation<'a>) {
    titled_path(arguments, "Write", "file_path", shown);
    if let Some(place) = shown.places.first() {
        let new = arguments.value("content").and_then(Value::str).unwrap_or_default();
        shown.content.push(Block::Diff { path: place.path.clone(), old: None, new });
    }
}

fn command<'a>(arguments: &Arguments<'a>, shown: &mut Presentation<'a>) {
    shown.title = match arguments.text("command") {
        Some(command) => ["`", &command.replace('`', "\\`"), "`"].concat().into(),
        None => "Terminal".into(),
    };
    shown.content.extend(arguments.text("description").map(Block::Text));
}

fn list<'a>(arguments: &Arguments<'a>, shown: &mut Presentation<'a>) {
    let place = arguments.place("path", None);
    shown.title = match &place {
        Some(place) => ["List `", &place.path, "` directory"].concat().into(),
        None => "List current directory".into(),
    };
    shown.places.extend(place);
}

fn glob<'a>(arguments: &Arguments<'a>, shown: &mut Presentation<'a>) {
    let place = arguments.place("path", None);
    let mut title = String::from("Find");
    for word in
        [place.as_ref().map(|place| place.path.clone()), arguments.text("pattern")].into_iter().flatten()
    {
        title.push_str(" `");
        title.push_str(&word);
        title.push('`');
    }
    shown.title = title.into();
    shown.places.extend(place);
}

/// The call as the command line it stands for; the order of its flags is that of the Evolve stream.
fn grep<'a>(arguments: &Arguments<'a>, shown: &mut Presentation<'a>) {
    let mut title = String::from("grep");
    for flag in ["-i", "-n"] {
        if arguments.flag(flag) {
            title.push(' ');
            title.push_str(flag);
        }
    }
    flag(&mut title, arguments, " -A ", "-A", "");
    flag(&mut title, arguments, " -B ", "-B", "");
    flag(&mut title, arguments, " -C ", "-C", "");
    match arguments.text("output_mode").as_deref() {
        Some("files_with_matches") => title.push_str(" -l"),
        Some("count") => title.push_str(" -c"),
        _ => {}
    }
    flag(&mut title, arguments, " | head -", "head_limit", "");
    flag(&mut title, arguments, " --include=\"", "glob", "\"");
    flag(&mut title, arguments, " --type=", "type", "");
    if arguments.flag("multiline") {
        title.push_str(" -P");
    }
    let place = arguments.place("path", None);
    title.push_str(" \"");
    title.push_str(&arguments.text("pattern").unwrap_or_default());
    title.push('"');
    if let Some(place) = &place {
        title.push(' ');
        title.push_str(&place.path);
    }
    shown.title = title.into();
    shown.places.extend(place);
}

/// Appends one argument between two pieces of text, if it is there.
fn flag(title: &mut String, arguments: &Arguments<'_>, before: &str, key: &str, after: &str) {
    if let Some(value) = arguments.value(key) {
        title.push_str(before);
        title.push_str(&value.str().unwrap_or(Cow::Borrowed(value.raw())));
        title.push_str(after);
    }
}

fn search_title(arguments: &Arguments<'_>) -> String {
    let mut title = ["\"", &arguments.text("query").unwrap_or_default(), "\""].concat();
    for (word, key) in [("allowed", "allowed_domains"), ("blocked", "blocked_domains")] {
        let domains = arguments.words(key);
        if !domains.is_empty() {
            title.push_str(&[" (", word, ": ", &domains.join(", "), ")"].concat());
        }
    }
    title
}

fn todo_title(arguments: &Arguments<'_>) -> String {
    let Some(todos) = arguments.value("todos").and_then(Value::array) else { return "Update TODOs".into() };
    let words: Vec<_> = todos.filter_map(|todo| todo.get("content")?.str()).collect();
    ["Update TODOs: ", &words.join(", ")].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn title(name: &'static str, input: &'static str) -> String {
        present(name, Value::parse(input).ok()).title.into_owned()
    }

    #[test]
    fn read_tells_its_range() {
        assert_eq!(title("Read", r#"{"file_path":"/a"}"#), "Read /a");
        assert_eq!(title("Read", r#"{"file_path":"/a","offset":4,"limit":10}"#), "Read /a (5 - 14)");
        assert_eq!(title("Read", r#"{"file_path":"/a","limit":10}"#), "Read /a (1 - 10)");
        assert_eq!(title("Read", r#"{"file_path":"/a","offset":4}"#), "Read /a (from line 5)");
        assert_eq!(title("Read", "{}"), "Read File");
    }

    #[test]
    fn a_range_at_the_end_of_numbers_does_not_overflow() {
        assert_eq!(
            title("Read", r#"{"file_path":"/a","offset":18446744073709551615,"limit":2}"#),
            "Read /a (18446744073709551615 - 18446744073709551615)"
        );
    }

    #[test]
    fn a_command_is_quoted_and_its_own_backticks_are_escaped() {
        assert_eq!(title("Bash", r#"{"command":"echo `date`"}"#), "`echo \\`date\\``");
        assert_eq!(title("Bash", r#"{"cmd":"wrong key"}"#), "Terminal");
    }

    #[test]
    fn an_edit_is_a_diff_and_a_multi_edit_several() {
        let input = r#"{"file_path":"/a","edits":[{"old_string":"x","new_string":"y"},{"old_string":"","new_string":"z"}]}"#;
        let shown = present("MultiEdit", Value::parse(input).ok());
        assert_eq!(shown.title, "Edit `/a`");
        assert_eq!(shown.kind, ToolKind::Edit);
        assert_eq!(
            shown.content,
            [
                Block::Diff { path: "/a".into(), old: Some("x".into()), new: "y".into() },
                Block::Diff { path: "/a".into(), old: Some("".into()), new: "z".into() },
            ]
        );
    }

    #[test]
    fn a_written_file_has_no_old_text() {
        let shown = present("Write", Value::parse(r#"{"file_path":"/a","content":"n"}"#).ok());
        assert_eq!(shown.title, "Write /a");
        assert_eq!(shown.content, [Block::Diff { path: "/a".into(), old: None, new: "n".into() }]);
        assert_eq!(shown.places, [Place { path: "/a".into(), line: None }]);
    }

    #[test]
    fn searches_look_like_command_lines() {
        assert_eq!(title("Glob", r#"{"pattern":"*.rs","path":"src"}"#), "Find `src` `*.rs`");
        assert_eq!(
            title(
                "Grep",
                r#"{"pattern":"fn","-i":true,"-A":2,"output_mode":"count","head_limit":5,"glob":"*.rs","path":"src"}"#
            ),
            "grep -i -A 2 -c | head -5 --include=\"*.rs\" \"fn\" src"
        );
        assert_eq!(
            title("WebSearch", r#"{"query":"tides","allowed_domains":["a.org","b.org"]}"#),
            "\"tides\" (allowed: a.org, b.org)"
        );
    }

    #[test]
    fn an_mcp_tool_is_server_and_tool() {
        assert_eq!(title("mcp__my_server__do_it__now", "{}"), "my_server: do_it__now");
    }

    #[test]
    fn a_tool_nobody_knows_keeps_its_name_and_a_monstrous_one_is_cut() {
        assert_eq!(title("NoSuchTool", "{}"), "NoSuchTool");
        let name = "ü".repeat(400);
        let shown = present(&name, None);
        assert_eq!(shown.title.chars().count(), 201);
        assert_eq!(shown.kind, ToolKind::Other);
    }

    #[test]
    fn arguments_that_are_no_object_are_no_arguments() {
        assert_eq!(title("Bash", r#""command""#), "Terminal");
        assert_eq!(title("Edit", r#"{"file_path":7}"#), "Edit");
    }
}
