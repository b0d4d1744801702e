//! Cline's native tools, of the current CLI and of the older task lines.

use super::table::{Row, Title};
use crate::event::ToolKind;

/// The table.
pub const ROWS: &[Row] = &[
    ("run_commands", ToolKind::Execute, Title::Command),
    ("execute_command", ToolKind::Execute, Title::Command),
    ("read_files", ToolKind::Read, Title::Path("Read")),
    ("read_file", ToolKind::Read, Title::Path("Read")),
    ("readFile", ToolKind::Read, Title::Path("Read")),
    ("editor", ToolKind::Edit, Title::Edit),
    ("write_to_file", ToolKind::Edit, Title::Write),
    ("newFileCreated", ToolKind::Edit, Title::Write),
    ("replace_in_file", ToolKind::Edit, Title::Edit),
    ("editedExistingFile", ToolKind::Edit, Title::Edit),
    ("apply_patch", ToolKind::Edit, Title::Edit),
    ("search_codebase", ToolKind::Search, Title::Grep),
    ("search_files", ToolKind::Search, Title::Grep),
    ("searchFiles", ToolKind::Search, Title::Grep),
    ("list_files", ToolKind::Search, Title::Path("List")),
    ("listFilesTopLevel", ToolKind::Search, Title::Path("List")),
    ("listFilesRecursive", ToolKind::Search, Title::Path("List")),
    ("fetch_web_content", ToolKind::Fetch, Title::Fetch),
    ("web_fetch", ToolKind::Fetch, Title::Fetch),
    ("spawn_agent", ToolKind::Think, Title::Task),
];
