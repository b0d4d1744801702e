//! The tools of Gemini CLI and of Qwen Code, which grew from it: how a call is shown.
//!
//! Titles are those of the Evolve stream. MCP tools keep their bare names: a server's name cannot be cut off them for
//! sure.

use super::Presentation;
use super::rows::{self, Row, Shows, plain, row};
use crate::event::ToolKind;
use crate::json::Value;

const FILE: &str = "file_path absolute_path";
const FOLDER: &str = "dir_path path";

const TABLE: &[Row] = &[
    row("read_file Read", ToolKind::Read, ("Read ", "", "Read file"), FILE).at(FILE),
    row("write_file Write", ToolKind::Edit, ("Write ", "", "Write file"), FILE)
        .shows(Shows::Written("content"))
        .at(FILE),
    row("replace edit edit_file Edit", ToolKind::Edit, ("Edit ", "", "Edit file"), FILE)
        .shows(Shows::Replaced)
        .at(FILE),
    row("notebook_edit", ToolKind::Edit, ("Edit ", "", "Edit notebook"), "notebook_path file_path")
        .shows(Shows::Text("new_source"))
        .at("notebook_path file_path"),
    row("run_shell_command shell Bash", ToolKind::Execute, ("`", "`", "Run command"), "command")
        .shows(Shows::Text("description")),
    row("list_directory LS", ToolKind::Search, ("List ", "", "List directory"), FOLDER).at(FOLDER),
    row("glob Glob", ToolKind::Search, ("Find ", "", "Find files"), "pattern").at(FOLDER),
    row(
        "grep_search grep search_file_content Grep",
        ToolKind::Search,
        ("grep \"", "\"", "grep"),
        "pattern query",
    )
    .at(FOLDER),
    row(
        "google_web_search web_search brave_web_search WebSearch",
        ToolKind::Fetch,
        ("\"", "\"", "Web search"),
        "query",
    ),
    row("web_fetch WebFetch", ToolKind::Fetch, ("Fetch ", "", "Web fetch"), "url prompt")
        .shows(Shows::Text("prompt")),
    row(
        "invoke_agent delegate_to_agent",
        ToolKind::Think,
        ("Agent: ", "", "Delegate to agent"),
        "agent_name",
    )
    .shows(Shows::Text("prompt")),
    row("agent task Task", ToolKind::Think, ("", "", "Subagent task"), "description")
        .shows(Shows::Text("prompt")),
    row("exit_plan_mode ExitPlanMode", ToolKind::SwitchMode, ("", "", "Exit plan mode"), "")
        .shows(Shows::Text("plan")),
    plain("enter_plan_mode", ToolKind::SwitchMode),
    row("write_todos todo_write TodoWrite", ToolKind::Other, ("", "", "Update todos"), ""),
    row("save_memory", ToolKind::Other, ("Remember: \"", "\"", "Save memory"), "fact"),
    row("activate_skill skill", ToolKind::Other, ("Activate skill: ", "", "Activate skill"), "name skill"),
    row("update_topic", ToolKind::Think, ("Topic: ", "", "Update topic"), "title"),
    row("ask_user_question ask_user", ToolKind::Other, ("", "", "Ask the user"), ""),
    row("read_mcp_resource", ToolKind::Read, ("Read ", "", ""), "uri"),
    plain("list_mcp_resources", ToolKind::Read),
    plain("BashOutput KillShell", ToolKind::Execute),
];

/// How a call of `name` with these arguments is shown.
pub fn present<'a>(name: &'a str, input: Option<Value<'a>>) -> Presentation<'a> {
    match name {
        "read_many_files" => many_files(input),
        _ if name.starts_with("tracker_") => Presentation::of(ToolKind::Think, name),
        _ => rows::present(TABLE, name, input),
    }
}

/// Whether the arguments of this tool are the whole plan.
pub fn is_plan(name: &str) -> bool {
    matches!(name, "write_todos" | "todo_write" | "TodoWrite")
}

/// Files by name or pattern; only names are places.
fn many_files(input: Option<Value<'_>>) -> Presentation<'_> {
    let list = input.and_then(|input| input.get("include").or_else(|| input.get("paths"))?.array());
    let paths: Vec<_> = list.into_iter().flatten().filter_map(Value::str).collect();
    let title = match paths.len() {
        0 => "Read multiple files".to_owned(),
        count => format!("Read {count} files"),
    };
    let mut shown = Presentation::of(ToolKind::Read, title);
    let literal = paths.into_iter().filter(|path| !path.contains(['*', '?', '{', '[']));
    shown.places.extend(literal.map(|path| crate::dialect::content::Place { path, line: None }));
    shown
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::content::{Block, Place};

    fn shown<'a>(name: &'a str, input: &'a str) -> Presentation<'a> {
        present(name, Value::parse(input).ok())
    }

    #[test]
    fn titles_are_those_of_the_evolve_stream() {
        let cases = [
            ("read_file", r#"{"file_path":"a.md"}"#, "Read a.md"),
            ("read_file", r#"{"absolute_path":"/a.md"}"#, "Read /a.md"),
            ("write_file", "{}", "Write file"),
            ("edit", r#"{"file_path":"a.md"}"#, "Edit a.md"),
            ("run_shell_command", r#"{"command":"echo `date`"}"#, "`echo \\`date\\``"),
            ("run_shell_command", r#"{"command":7}"#, "Run command"),
            ("search_file_content", r#"{"pattern":"x"}"#, "grep \"x\""),
            ("google_web_search", r#"{"query":"tides"}"#, "\"tides\""),
            ("agent", r#"{"description":"look","prompt":"p"}"#, "look"),
            ("read_many_files", r#"{"include":["a","b*"]}"#, "Read 2 files"),
            ("tracker_list_tasks", "{}", "tracker_list_tasks"),
            ("mcp__harbor__tide", "{}", "mcp__harbor__tide"),
            ("write_todos", "3", "Update todos"),
        ];
        for (name, input, title) in cases {
            assert_eq!(shown(name, input).title, title);
        }
    }

    #[test]
    fn edits_are_diffs_and_lines_count_from_zero() {
        let card = shown("replace", r#"{"file_path":"a","old_string":"x","new_string":"y"}"#);
        assert_eq!(card.content, [Block::Diff { path: "a".into(), old: Some("x".into()), new: "y".into() }]);
        let card = shown("write_file", r#"{"file_path":"a","content":"n"}"#);
        assert_eq!(card.content, [Block::Diff { path: "a".into(), old: None, new: "n".into() }]);
        let card = shown("read_file", r#"{"file_path":"a","start_line":5}"#);
        assert_eq!(card.places, [Place { path: "a".into(), line: Some(4.0) }]);
        let card = shown("read_file", r#"{"file_path":"a","offset":5}"#);
        assert_eq!(card.places, [Place { path: "a".into(), line: Some(5.0) }]);
        let card = shown("read_many_files", r#"{"include":["a","b*"]}"#);
        assert_eq!(card.places, [Place { path: "a".into(), line: None }]);
    }

    #[test]
    fn a_monstrous_name_is_cut_in_the_title() {
        let name = "ü".repeat(400);
        assert_eq!(shown(&name, "{}").title.chars().count(), 201);
    }
}
