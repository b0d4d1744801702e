//! How Autohand's native tools are shown.

use std::borrow::Cow;

use super::{Presentation, mcp_parts};
use crate::dialect::content::Place;
use crate::dialect::walk::elements;
use crate::event::ToolKind;
use crate::json::Value;

/// The tool that asks the user a question.
pub const QUESTION: &str = "ask_followup_question";
/// The tool whose arguments are the whole todo list.
pub const TODO: &str = "todo_write";

const KINDS: &[(ToolKind, &[&str])] = &[
    (
        ToolKind::Read,
        &[
            "read_file",
            "list_tree",
            "list_directory",
            "file_stats",
            "file_info",
            "project_info",
            "workspace_info",
            "dependency_list",
        ],
    ),
    (ToolKind::Search, &["fff_grep", "fff_find", "find"]),
    (ToolKind::Fetch, &["web_search", "web_repo"]),
    (
        ToolKind::Edit,
        &[
            "write_file",
            "append_file",
            "apply_patch",
            "format_file",
            "replace_in_file",
            "search_replace",
            "create_directory",
            "copy_path",
        ],
    ),
    (ToolKind::Move, &["rename_path"]),
    (ToolKind::Delete, &["delete_path"]),
    (
        ToolKind::Execute,
        &["run_command", "custom_command", "dependency_add", "dependency_remove", "dependency_update"],
    ),
    (ToolKind::Think, &[TODO, "plan", "thinking", "smart_context_cropper"]),
];

/// The kind of a tool. Tools of MCP servers are `other`: their names tell nothing about what they do.
pub fn kind(name: &str) -> ToolKind {
    let row = KINDS.iter().find(|(_, names)| names.contains(&name));
    match row {
        Some((kind, _)) => *kind,
        None if name.starts_with("git_") => ToolKind::Execute,
        None => ToolKind::Other,
    }
}

/// Kind, title and file places of a call.
pub fn present<'a>(name: &str, args: Option<Value<'a>>) -> Presentation<'a> {
    let kind = kind(name);
    let [path, file, command, words, query, pattern, question] = args.map_or([None; 7], |args| {
        args.fields(["path", "file", "command", "args", "query", "pattern", "question"])
    });
    let text = |value: Option<Value<'a>>| value.and_then(Value::str).filter(|text| !text.is_empty());
    let path = text(path).or_else(|| text(file));
    let title = match kind {
        _ if name == QUESTION => text(question).map(Cow::into_owned),
        _ if name == "run_command" => text(command).map(|command| command_line(&command, words)),
        ToolKind::Fetch | ToolKind::Search => {
            text(query).or_else(|| text(pattern)).map(|words| ["Search: ", &words].concat())
        }
        _ => verb(name).zip(path.as_deref()).map(|(verb, path)| [verb, " ", path].concat()),
    };
    let title = title.unwrap_or_else(|| match mcp_parts(name) {
        Some((server, tool)) => [server, ": ", tool].concat(),
        None => name.to_owned(),
    });
    let places = path.map(|path| Place { path, line: None }).into_iter().collect();
    Presentation { places, ..Presentation::of(kind, title) }
}

fn command_line(command: &str, words: Option<Value<'_>>) -> String {
    let mut line = ["`", command].concat();
    for word in elements(words).filter_map(Value::str) {
        line.push(' ');
        line.push_str(&word);
    }
    line.push('`');
    line
}

fn verb(name: &str) -> Option<&'static str> {
    Some(match name {
        "read_file" | "file_stats" | "file_info" => "Read",
        "list_tree" | "list_directory" => "List",
        "write_file" => "Write",
        "append_file" | "apply_patch" | "format_file" | "replace_in_file" | "search_replace" => "Edit",
        "create_directory" => "Create",
        "copy_path" => "Copy",
        "rename_path" => "Move",
        "delete_path" => "Delete",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn title(name: &str, args: &str) -> String {
        present(name, Value::parse(args).ok()).title.into_owned()
    }

    #[test]
    fn titles_say_what_the_call_works_on() {
        assert_eq!(title("run_command", r#"{"command":"ls","args":["-l","src"]}"#), "`ls -l src`");
        assert_eq!(title("read_file", r#"{"path":"a.md"}"#), "Read a.md");
        assert_eq!(title("write_file", r#"{"file":"b.md"}"#), "Write b.md");
        assert_eq!(title("fff_grep", r#"{"pattern":"x"}"#), "Search: x");
        assert_eq!(title("ask_followup_question", r#"{"question":"Which?"}"#), "Which?");
        assert_eq!(title("mcp__my_srv__get", "{}"), "my_srv: get");
        assert_eq!(title("read_file", "3"), "read_file");
    }

    #[test]
    fn kinds_follow_the_harness_but_for_mcp() {
        assert_eq!(kind("git_status"), ToolKind::Execute);
        assert_eq!(kind("todo_write"), ToolKind::Think);
        assert_eq!(kind("mcp__srv__run"), ToolKind::Other);
        assert_eq!(kind("new_tool"), ToolKind::Other);
    }
}
