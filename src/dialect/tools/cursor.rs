//! Cursor's tools: how a call is shown. The name is the key inside `tool_call` without its ending `ToolCall`.

use super::Presentation;
use super::rows::{self, Row, Shows, row};
use crate::event::ToolKind;
use crate::json::Value;

const PATH: &str = "path";
const FOLDER: &str = "path target_directory";

const TABLE: &[Row] = &[
    row("shell", ToolKind::Execute, ("`", "`", "Run command"), "command").shows(Shows::Text("description")),
    row("read", ToolKind::Read, ("Read ", "", "Read file"), PATH).at(PATH),
    row("write", ToolKind::Edit, ("Write ", "", "Write file"), PATH)
        .shows(Shows::Written("fileText contents"))
        .at(PATH),
    row("edit", ToolKind::Edit, ("Edit ", "", "Edit file"), PATH).at(PATH),
    row("delete", ToolKind::Delete, ("Delete ", "", "Delete file"), PATH).at(PATH),
    row("ls", ToolKind::Search, ("List ", "", "List directory"), PATH).at(PATH),
    row("glob", ToolKind::Search, ("Find ", "", "Find files"), "globPattern glob_pattern").at(FOLDER),
    row("grep", ToolKind::Search, ("grep \"", "\"", "grep"), "pattern").at(PATH),
    row("semSearch", ToolKind::Search, ("\"", "\"", "Search"), "query"),
    row("webSearch", ToolKind::Fetch, ("\"", "\"", "Web search"), "query searchTerm search_term"),
    row("fetch webFetch", ToolKind::Fetch, ("Fetch ", "", "Web fetch"), "url"),
    row("task", ToolKind::Think, ("", "", "Subagent task"), "description").shows(Shows::Text("prompt")),
    row("updateTodos", ToolKind::Other, ("", "", "Update todos"), ""),
];

/// How a call of `name` with these arguments is shown.
pub fn present<'a>(name: &'a str, args: Option<Value<'a>>) -> Presentation<'a> {
    let mut shown = rows::present(TABLE, name, args);
    if name == "edit"
        && let (Some(args), Some(place)) = (args, shown.places.first())
    {
        // Several pairs stand under `edits` of the second, one in the first, a patch is a text.
        let [one, many, patch] = args.fields(["strReplace", "multiStrReplace", "applyPatch"]);
        rows::replaced(one.or(many).unwrap_or(args), place, &mut shown.content);
        let patch = rows::first(patch, "patchContent");
        shown.content.extend(patch.map(crate::dialect::content::Block::Text));
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::content::Block;

    fn shown<'a>(name: &'a str, args: &'a str) -> Presentation<'a> {
        present(name, Value::parse(args).ok())
    }

    #[test]
    fn all_three_forms_of_an_edit_are_shown() {
        let diff = |old: &'static str, new: &'static str| Block::Diff {
            path: "a".into(),
            old: Some(old.into()),
            new: new.into(),
        };
        let one = r#"{"path":"a","strReplace":{"oldText":"x","newText":"y","replaceAll":false}}"#;
        assert_eq!(shown("edit", one).content, [diff("x", "y")]);
        let many = r#"{"path":"a","multiStrReplace":{"edits":[{"oldText":"x","newText":"y"},{"oldText":"u","newText":"v"}]}}"#;
        assert_eq!(shown("edit", many).content, [diff("x", "y"), diff("u", "v")]);
        let patch = r#"{"path":"a","applyPatch":{"patchContent":"-x\n+y"}}"#;
        assert_eq!(shown("edit", patch).content, [Block::Text("-x\n+y".into())]);
    }

    #[test]
    fn calls_are_titled_by_what_they_work_on() {
        assert_eq!(shown("shell", r#"{"command":"ls"}"#).title, "`ls`");
        assert_eq!(shown("read", r#"{"path":"a.md"}"#).title, "Read a.md");
        assert_eq!(shown("delete", r#"{"path":"a.md"}"#).kind, ToolKind::Delete);
        assert_eq!(shown("glob", r#"{"glob_pattern":"*.rs"}"#).title, "Find *.rs");
        let written = shown("write", r#"{"path":"a","fileText":"n"}"#);
        assert_eq!(written.content, [Block::Diff { path: "a".into(), old: None, new: "n".into() }]);
        assert_eq!(shown("mcp__harbor__tide", "{}").title, "mcp__harbor__tide");
    }
}
