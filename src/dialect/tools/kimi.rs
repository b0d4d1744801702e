//! The tools of both Kimi programs: kimi-cli's names and kimi-code's.

use super::Presentation;
use super::rows::{self, Row, Shows, plain, row};
use crate::event::ToolKind;
use crate::json::Value;

const PATH: &str = "path filePath file_path";

const TABLE: &[Row] = &[
    row("ReadFile Read ReadMediaFile", ToolKind::Read, ("Read ", "", ""), PATH).at(PATH),
    row("WriteFile Write", ToolKind::Edit, ("Write ", "", ""), PATH)
        .shows(Shows::Written("content"))
        .at(PATH),
    row("StrReplaceFile Edit", ToolKind::Edit, ("Edit ", "", ""), PATH).shows(Shows::Replaced).at(PATH),
    row("Glob", ToolKind::Search, ("Find ", "", ""), "pattern"),
    row("Grep", ToolKind::Search, ("grep ", "", ""), "pattern"),
    row("Shell Bash", ToolKind::Execute, ("`", "`", "Run command"), "command")
        .shows(Shows::Text("description")),
    row("FetchURL", ToolKind::Fetch, ("Fetch ", "", ""), "url"),
    row("SearchWeb WebSearch", ToolKind::Fetch, ("\"", "\"", ""), "query"),
    row("Agent AgentSwarm Task", ToolKind::Think, ("", "", ""), "description").shows(Shows::Text("prompt")),
    row("CreateSubagent", ToolKind::Think, ("", "", ""), "name"),
    plain("Think", ToolKind::Think),
    plain("EnterPlanMode ExitPlanMode", ToolKind::SwitchMode),
];

/// How a call is shown.
pub fn present<'a>(name: &'a str, input: Option<Value<'a>>) -> Presentation<'a> {
    rows::present(TABLE, name, input)
}

/// Its result may tell an exit code in words.
pub fn is_shell(name: &str) -> bool {
    matches!(name, "Shell" | "Bash")
}

/// It runs one subagent.
pub fn is_agent(name: &str) -> bool {
    matches!(name, "Agent" | "Task")
}

/// Its arguments are the plan.
pub fn is_plan(name: &str) -> bool {
    matches!(name, "SetTodoList" | "TodoList")
}
