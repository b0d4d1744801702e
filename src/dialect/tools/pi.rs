//! The tools of Pi and oh-my-pi.

use super::Presentation;
use super::rows::{self, Row, Shows, plain, row};
use crate::event::ToolKind;
use crate::json::Value;

const PATH: &str = "path filePath file_path";

const TABLE: &[Row] = &[
    row("read", ToolKind::Read, ("Read ", "", ""), PATH).at(PATH),
    row("bash", ToolKind::Execute, ("`", "`", "Run command"), "command").shows(Shows::Text("description")),
    row("edit ast_edit", ToolKind::Edit, ("Edit ", "", ""), PATH).shows(Shows::Replaced).at(PATH),
    row("write", ToolKind::Edit, ("Write ", "", ""), PATH).shows(Shows::Written("content")).at(PATH),
    row("grep ast_grep", ToolKind::Search, ("grep ", "", ""), "pattern"),
    row("find glob", ToolKind::Search, ("Find ", "", ""), "pattern"),
    row("ls", ToolKind::Search, ("List ", "", ""), PATH).at(PATH),
    plain("lsp", ToolKind::Search),
    plain("eval debug", ToolKind::Execute),
    row("task", ToolKind::Think, ("", "", ""), "description").shows(Shows::Text("prompt")),
    plain("wait", ToolKind::Think),
    row("web_search", ToolKind::Fetch, ("\"", "\"", ""), "query"),
    row("fetch", ToolKind::Fetch, ("Fetch ", "", ""), "url"),
];

/// How a call is shown.
pub fn present<'a>(name: &'a str, input: Option<Value<'a>>) -> Presentation<'a> {
    rows::present(TABLE, name, input)
}

/// Its arguments are the plan (oh-my-pi).
pub fn is_plan(name: &str) -> bool {
    matches!(name, "todo" | "todo_write")
}
