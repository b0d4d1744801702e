//! Amp's native tools.

use super::rows::{Row, Shows, row};
use crate::event::ToolKind;

/// The table.
pub const ROWS: &[Row] = &[
    row("Bash", ToolKind::Execute, ("`", "`", "Terminal"), "cmd command").shows(Shows::Text("description")),
    row("Read", ToolKind::Read, ("Read ", "", ""), "path file_path").at("path file_path"),
    row("create_file", ToolKind::Edit, ("Write ", "", ""), "path file_path")
        .shows(Shows::Written("content"))
        .at("path file_path"),
    row("edit_file", ToolKind::Edit, ("Edit ", "", ""), "path file_path")
        .shows(Shows::Replaced)
        .at("path file_path"),
    row("undo_edit", ToolKind::Edit, ("Undo edit of ", "", ""), "path").at("path"),
    row("glob", ToolKind::Search, ("Find `", "`", ""), "filePattern pattern"),
    row("Grep", ToolKind::Search, ("grep \"", "\"", ""), "pattern query").at("path"),
    row("finder", ToolKind::Search, ("\"", "\"", ""), "query"),
    row("web_search", ToolKind::Fetch, ("\"", "\"", ""), "query"),
    row("read_web_page", ToolKind::Fetch, ("Fetch ", "", ""), "url"),
    row("Task", ToolKind::Think, ("", "", ""), "description").shows(Shows::Text("prompt")),
    row("oracle librarian", ToolKind::Think, ("", "", ""), "task query").shows(Shows::Text("prompt context")),
    row("look_at", ToolKind::Other, ("Look at ", "", ""), "path").at("path"),
];
