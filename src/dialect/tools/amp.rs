//! Amp's native tools.

use super::table::{Row, Title};
use crate::event::ToolKind;

/// The table.
pub const ROWS: &[Row] = &[
    ("Bash", ToolKind::Execute, Title::Command),
    ("Read", ToolKind::Read, Title::Path("Read")),
    ("create_file", ToolKind::Edit, Title::Write),
    ("edit_file", ToolKind::Edit, Title::Edit),
    ("undo_edit", ToolKind::Edit, Title::Path("Undo edit of")),
    ("glob", ToolKind::Search, Title::Find),
    ("Grep", ToolKind::Search, Title::Grep),
    ("finder", ToolKind::Search, Title::Query),
    ("web_search", ToolKind::Fetch, Title::Query),
    ("read_web_page", ToolKind::Fetch, Title::Fetch),
    ("Task", ToolKind::Think, Title::Task),
    ("oracle", ToolKind::Think, Title::Task),
    ("librarian", ToolKind::Think, Title::Task),
    ("look_at", ToolKind::Other, Title::Path("Look at")),
];
