//! The tools of both Kimi programs: kimi-cli's names and kimi-code's.

use super::Presentation;
use super::table::{Row, Show, present as by_table};
use crate::event::ToolKind;
use crate::json::Value;

const TABLE: &[Row] = &[
    ("ReadFile", ToolKind::Read, Show::Path("Read ")),
    ("Read", ToolKind::Read, Show::Path("Read ")),
    ("ReadMediaFile", ToolKind::Read, Show::Path("Read ")),
    ("WriteFile", ToolKind::Edit, Show::Path("Write ")),
    ("Write", ToolKind::Edit, Show::Path("Write ")),
    ("StrReplaceFile", ToolKind::Edit, Show::Path("Edit ")),
    ("Edit", ToolKind::Edit, Show::Path("Edit ")),
    ("Glob", ToolKind::Search, Show::Words("Find ", "pattern")),
    ("Grep", ToolKind::Search, Show::Words("grep ", "pattern")),
    ("Shell", ToolKind::Execute, Show::Command),
    ("Bash", ToolKind::Execute, Show::Command),
    ("FetchURL", ToolKind::Fetch, Show::Words("Fetch ", "url")),
    ("SearchWeb", ToolKind::Fetch, Show::Query),
    ("WebSearch", ToolKind::Fetch, Show::Query),
    ("Agent", ToolKind::Think, Show::Task),
    ("AgentSwarm", ToolKind::Think, Show::Task),
    ("Task", ToolKind::Think, Show::Task),
    ("CreateSubagent", ToolKind::Think, Show::Words("", "name")),
    ("Think", ToolKind::Think, Show::Name),
    ("EnterPlanMode", ToolKind::SwitchMode, Show::Name),
    ("ExitPlanMode", ToolKind::SwitchMode, Show::Name),
];

/// How a call is shown.
pub fn present<'a>(name: &'a str, input: Option<Value<'a>>) -> Presentation<'a> {
    by_table(TABLE, name, input)
}

/// Its result may tell an exit code in words.
pub fn is_shell(name: &str) -> bool {
    matches!(name, "Shell" | "Bash")
}

/// It runs one subagent.
pub fn is_agent(name: &str) -> bool {
    matches!(name, "Agent" | "Task")
}

/// Its arguments are the plan.
pub fn is_plan(name: &str) -> bool {
    matches!(name, "SetTodoList" | "TodoList")
}
