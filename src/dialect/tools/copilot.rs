//! Copilot CLI's native tools.

use super::table::{Row, Title};
use crate::event::ToolKind;

/// The table.
pub const ROWS: &[Row] = &[
    ("bash", ToolKind::Execute, Title::Command),
    ("powershell", ToolKind::Execute, Title::Command),
    ("write_bash", ToolKind::Execute, Title::Name),
    ("read_bash", ToolKind::Execute, Title::Name),
    ("stop_bash", ToolKind::Execute, Title::Name),
    ("view", ToolKind::Read, Title::Path("Read")),
    ("create", ToolKind::Edit, Title::Write),
    ("edit", ToolKind::Edit, Title::Edit),
    ("edit_file", ToolKind::Edit, Title::Edit),
    ("apply_patch", ToolKind::Edit, Title::Edit),
    ("glob", ToolKind::Search, Title::Find),
    ("grep", ToolKind::Search, Title::Grep),
    ("rg", ToolKind::Search, Title::Grep),
    ("web_fetch", ToolKind::Fetch, Title::Fetch),
    ("task", ToolKind::Think, Title::Task),
    ("exit_plan_mode", ToolKind::SwitchMode, Title::Name),
    ("show_file", ToolKind::Other, Title::Path("Show")),
];
