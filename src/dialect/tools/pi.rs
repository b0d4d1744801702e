//! The tools of Pi and oh-my-pi.

use super::Presentation;
use super::table::{Row, Show, present as by_table};
use crate::event::ToolKind;
use crate::json::Value;

const TABLE: &[Row] = &[
    ("read", ToolKind::Read, Show::Path("Read ")),
    ("bash", ToolKind::Execute, Show::Command),
    ("edit", ToolKind::Edit, Show::Path("Edit ")),
    ("write", ToolKind::Edit, Show::Path("Write ")),
    ("ast_edit", ToolKind::Edit, Show::Path("Edit ")),
    ("grep", ToolKind::Search, Show::Words("grep ", "pattern")),
    ("find", ToolKind::Search, Show::Words("Find ", "pattern")),
    ("glob", ToolKind::Search, Show::Words("Find ", "pattern")),
    ("ls", ToolKind::Search, Show::Path("List ")),
    ("ast_grep", ToolKind::Search, Show::Words("grep ", "pattern")),
    ("lsp", ToolKind::Search, Show::Name),
    ("eval", ToolKind::Execute, Show::Name),
    ("debug", ToolKind::Execute, Show::Name),
    ("task", ToolKind::Think, Show::Task),
    ("wait", ToolKind::Think, Show::Name),
    ("web_search", ToolKind::Fetch, Show::Query),
    ("fetch", ToolKind::Fetch, Show::Words("Fetch ", "url")),
];

/// How a call is shown.
pub fn present<'a>(name: &'a str, input: Option<Value<'a>>) -> Presentation<'a> {
    by_table(TABLE, name, input)
}

/// Its arguments are the plan (oh-my-pi).
pub fn is_plan(name: &str) -> bool {
    matches!(name, "todo" | "todo_write")
}
