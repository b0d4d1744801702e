//! Goose's native tools. A tool belongs to an extension, `developer__shell`; newer versions leave out the extension.

use super::Presentation;
use super::rows::{self, Row, Shows, row};
use crate::event::ToolKind;
use crate::json::Value;

/// The table, without the extension `developer`. The edits are those of the one tool that does them all.
const ROWS: &[Row] = &[
    row("shell", ToolKind::Execute, ("`", "`", "Terminal"), "command"),
    row("write", ToolKind::Edit, ("Write ", "", ""), "path")
        .shows(Shows::Written("content file_text"))
        .at("path"),
    row("edit str_replace", ToolKind::Edit, ("Edit ", "", ""), "path").shows(Shows::Replaced).at("path"),
    row("insert text_editor", ToolKind::Edit, ("Edit ", "", ""), "path").at("path"),
    row("undo_edit", ToolKind::Edit, ("Undo edit of ", "", ""), "path").at("path"),
    row("view", ToolKind::Read, ("Read ", "", ""), "path").at("path"),
    row("tree", ToolKind::Read, ("List ", "", ""), "path").at("path"),
    row("delegate", ToolKind::Think, ("", "", ""), "description instructions task"),
];

/// How a call is shown.
pub fn present<'a>(name: &'a str, input: Option<Value<'a>>) -> Presentation<'a> {
    let own = name.strip_prefix("developer__").unwrap_or(name);
    let command = input.filter(|_| own == "text_editor").and_then(|input| input.get("command")?.str());
    let row = command.and_then(|command| rows::find(ROWS, &command)).or_else(|| rows::find(ROWS, own));
    match row {
        Some(row) => rows::shown(row, name, input),
        None if own.starts_with("subagent__") || own.starts_with("dynamic_task__") => {
            Presentation::of(ToolKind::Think, name)
        }
        None => rows::present(ROWS, name, input),
    }
}
