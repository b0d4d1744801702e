//! Cline's native tools, of the current CLI and of the older task lines.

use super::rows::{Row, Shows, row};
use crate::event::ToolKind;

/// The table.
pub const ROWS: &[Row] = &[
    row("run_commands execute_command", ToolKind::Execute, ("`", "`", "Terminal"), "command commands"),
    row("read_files read_file readFile", ToolKind::Read, ("Read ", "", ""), "path paths files")
        .at("path paths files"),
    row("editor", ToolKind::Edit, ("Edit ", "", ""), "path").shows(Shows::Replaced).at("path"),
    row("write_to_file newFileCreated", ToolKind::Edit, ("Write ", "", ""), "path")
        .shows(Shows::Written("content"))
        .at("path"),
    row("apply_patch replace_in_file editedExistingFile", ToolKind::Edit, ("Edit ", "", ""), "path")
        .shows(Shows::Text("diff patch input"))
        .at("path"),
    row(
        "search_codebase search_files searchFiles",
        ToolKind::Search,
        ("grep \"", "\"", ""),
        "pattern regex query queries",
    )
    .at("path"),
    row("list_files listFilesTopLevel listFilesRecursive", ToolKind::Search, ("List ", "", ""), "path")
        .at("path"),
    row("fetch_web_content web_fetch", ToolKind::Fetch, ("Fetch ", "", ""), "url urls"),
    row("spawn_agent", ToolKind::Think, ("", "", ""), "description task").shows(Shows::Text("prompt task")),
];
