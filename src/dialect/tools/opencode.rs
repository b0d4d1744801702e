//! OpenCode's tools. The harness titles its calls itself once they run; these titles stand until then.

use super::Presentation;
use super::table::{Row, Show, present as by_table};
use crate::event::ToolKind;
use crate::json::Value;

const TABLE: &[Row] = &[
    ("bash", ToolKind::Execute, Show::Command),
    ("read", ToolKind::Read, Show::Path("Read ")),
    ("write", ToolKind::Edit, Show::Path("Write ")),
    ("edit", ToolKind::Edit, Show::Path("Edit ")),
    ("multiedit", ToolKind::Edit, Show::Path("Edit ")),
    ("apply_patch", ToolKind::Edit, Show::Path("Patch ")),
    ("patch", ToolKind::Edit, Show::Path("Patch ")),
    ("glob", ToolKind::Search, Show::Words("", "pattern")),
    ("grep", ToolKind::Search, Show::Words("", "pattern")),
    ("list", ToolKind::Search, Show::Path("List ")),
    ("codesearch", ToolKind::Search, Show::Query),
    ("lsp", ToolKind::Search, Show::Name),
    ("task", ToolKind::Think, Show::Task),
    ("batch", ToolKind::Think, Show::Name),
    ("webfetch", ToolKind::Fetch, Show::Words("Fetch ", "url")),
    ("websearch", ToolKind::Fetch, Show::Query),
    ("plan_enter", ToolKind::SwitchMode, Show::Name),
    ("plan_exit", ToolKind::SwitchMode, Show::Name),
];

/// How a call is shown.
pub fn present<'a>(name: &'a str, input: Option<Value<'a>>) -> Presentation<'a> {
    by_table(TABLE, name, input)
}
