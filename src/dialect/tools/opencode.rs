//! OpenCode's tools. The harness titles its calls itself once they run; these titles stand until then.

use super::Presentation;
use super::rows::{self, Row, Shows, plain, row};
use crate::event::ToolKind;
use crate::json::Value;

const PATH: &str = "path filePath file_path";

const TABLE: &[Row] = &[
    row("bash", ToolKind::Execute, ("`", "`", "Run command"), "command").shows(Shows::Text("description")),
    row("read", ToolKind::Read, ("Read ", "", ""), PATH).at(PATH),
    row("write", ToolKind::Edit, ("Write ", "", ""), PATH).shows(Shows::Written("content")).at(PATH),
    row("edit multiedit", ToolKind::Edit, ("Edit ", "", ""), PATH).shows(Shows::Replaced).at(PATH),
    row("apply_patch patch", ToolKind::Edit, ("Patch ", "", ""), PATH)
        .shows(Shows::Text("patchText"))
        .at(PATH),
    row("glob grep", ToolKind::Search, ("", "", ""), "pattern"),
    row("list", ToolKind::Search, ("List ", "", ""), PATH).at(PATH),
    row("codesearch", ToolKind::Search, ("\"", "\"", ""), "query"),
    plain("lsp", ToolKind::Search),
    row("task", ToolKind::Think, ("", "", ""), "description").shows(Shows::Text("prompt")),
    plain("batch", ToolKind::Think),
    row("webfetch", ToolKind::Fetch, ("Fetch ", "", ""), "url"),
    row("websearch", ToolKind::Fetch, ("\"", "\"", ""), "query"),
    plain("plan_enter plan_exit", ToolKind::SwitchMode),
];

/// How a call is shown.
pub fn present<'a>(name: &'a str, input: Option<Value<'a>>) -> Presentation<'a> {
    rows::present(TABLE, name, input)
}
