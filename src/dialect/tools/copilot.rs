//! Copilot CLI's native tools.

use super::rows::{Row, Shows, plain, row};
use crate::event::ToolKind;

/// The table.
pub const ROWS: &[Row] = &[
    row("bash powershell", ToolKind::Execute, ("`", "`", "Terminal"), "command")
        .shows(Shows::Text("description")),
    plain("write_bash read_bash stop_bash", ToolKind::Execute),
    row("view", ToolKind::Read, ("Read ", "", ""), "path").at("path"),
    row("create", ToolKind::Edit, ("Write ", "", ""), "path")
        .shows(Shows::Written("file_text content"))
        .at("path"),
    row("edit edit_file", ToolKind::Edit, ("Edit ", "", ""), "path").shows(Shows::Replaced).at("path"),
    row("apply_patch", ToolKind::Edit, ("Edit ", "", ""), "path")
        .shows(Shows::Text("patch input"))
        .at("path"),
    row("glob", ToolKind::Search, ("Find `", "`", ""), "pattern").at("path"),
    row("grep rg", ToolKind::Search, ("grep \"", "\"", ""), "pattern").at("path"),
    row("web_fetch", ToolKind::Fetch, ("Fetch ", "", ""), "url"),
    row("task", ToolKind::Think, ("", "", ""), "description").shows(Shows::Text("prompt")),
    plain("exit_plan_mode", ToolKind::SwitchMode),
    row("report_intent", ToolKind::Other, ("", "", ""), "intent"),
    row("ask_user", ToolKind::Other, ("", "", ""), "question"),
    row("show_file", ToolKind::Other, ("Show ", "", ""), "path").at("path"),
];
