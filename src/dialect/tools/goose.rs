//! Goose's native tools. A tool belongs to an extension, `developer__shell`; newer versions leave out the extension.

use super::Presentation;
use super::table::{Row, Title, present as by_table};
use crate::event::ToolKind;
use crate::json::Value;

/// The table, without the extension `developer`. The edits are those of the one tool that does them all.
const ROWS: &[Row] = &[
    ("shell", ToolKind::Execute, Title::Command),
    ("write", ToolKind::Edit, Title::Write),
    ("edit", ToolKind::Edit, Title::Edit),
    ("str_replace", ToolKind::Edit, Title::Edit),
    ("insert", ToolKind::Edit, Title::Path("Edit")),
    ("undo_edit", ToolKind::Edit, Title::Path("Undo edit of")),
    ("text_editor", ToolKind::Edit, Title::Path("Edit")),
    ("view", ToolKind::Read, Title::Path("Read")),
    ("tree", ToolKind::Read, Title::Path("List")),
    ("delegate", ToolKind::Think, Title::Task),
];

/// How a call is shown.
pub fn present<'a>(name: &str, input: Option<Value<'a>>) -> Presentation<'a> {
    let own = name.strip_prefix("developer__").unwrap_or(name);
    let command = input.filter(|_| own == "text_editor").and_then(|input| input.get("command")?.str());
    let row =
        command.as_deref().filter(|command| ROWS.iter().any(|(known, ..)| known == command)).unwrap_or(own);
    let mut shown = by_table(ROWS, row, input);
    if row.starts_with("subagent__") || row.starts_with("dynamic_task__") {
        shown.kind = ToolKind::Think;
    }
    if row != name && shown.title == row {
        shown.title = name.to_owned().into();
    }
    shown
}
