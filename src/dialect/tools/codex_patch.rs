//! What a patch of Codex changes: from its own patch text, and from the forms its protocols print.
//!
//! Of an update only hunks are known: each becomes a diff of two fragments, as an edit tool's search and replace.

use std::borrow::Cow;

use crate::dialect::content::Block;
use crate::dialect::walk::{elements, members};
use crate::json::Value;

/// One file of a patch.
pub(super) struct Change<'a> {
    pub path: Cow<'a, str>,
    pub moved_to: Option<Cow<'a, str>>,
    pub is_new: bool,
    pub content: Vec<Block<'a>>,
}

impl<'a> Change<'a> {
    fn of(path: Cow<'a, str>) -> Self {
        Change { path, moved_to: None, is_new: false, content: Vec::new() }
    }
}

/// A list of `{path, kind, diff?}`, where `kind` is a word or `{type, move_path?}`, or an object of changes by path.
pub(super) fn changes_of(changes: Option<Value<'_>>) -> Vec<Change<'_>> {
    let Some(changes) = changes else { return Vec::new() };
    let mut found = Vec::new();
    for change in elements(Some(changes)) {
        let [path, kind, diff] = change.fields(["path", "kind", "diff"]);
        let Some(path) = path.and_then(Value::str) else { continue };
        let [word, moved] = kind.map_or([None; 2], |kind| kind.fields(["type", "move_path"]));
        let kind = word.or(kind).and_then(Value::str);
        found.push(change_of(path, kind.as_deref(), moved, diff));
    }
    for (path, change) in members(Some(changes)) {
        let mut kind = change.get("type").and_then(Value::str);
        let mut body = change;
        if kind.is_none()
            && let Some((word, inner)) = change.object().and_then(|mut change| change.next())
        {
            // The oldest form: the kind is the name of the only member.
            (kind, body) = (Some(word.into_cow()), inner);
        }
        let [content, diff, moved] = body.fields(["content", "unified_diff", "move_path"]);
        found.push(change_of(path.into_cow(), kind.as_deref(), moved, content.or(diff)));
    }
    found
}

fn change_of<'a>(
    path: Cow<'a, str>,
    kind: Option<&str>,
    moved: Option<Value<'a>>,
    text: Option<Value<'a>>,
) -> Change<'a> {
    let mut change = Change::of(path);
    change.is_new = kind == Some("add");
    change.moved_to = moved.and_then(Value::str);
    let Some(text) = text.and_then(Value::str).filter(|text| !text.is_empty()) else { return change };
    match kind {
        Some("add") => {
            change.content.push(Block::Diff { path: change.path.clone(), old: None, new: text });
        }
        Some("delete") => {
            let new = Cow::Borrowed("");
            change.content.push(Block::Diff { path: change.path.clone(), old: Some(text), new });
        }
        _ => {
            let mut hunks = Hunks::default();
            // A header names files, which are known; git's and diff's own lines stand before the first hunk.
            for line in text.lines().skip_while(|line| !line.starts_with("@@")) {
                hunks.line(line);
            }
            change.content = hunks.finish(&change.path);
            if change.content.is_empty() {
                change.content.push(Block::Text(text));
            }
        }
    }
    change
}

/// The two sides of the hunks read so far.
#[derive(Default)]
struct Hunks {
    done: Vec<(String, String)>,
    old: String,
    new: String,
}

impl Hunks {
    fn line(&mut self, line: &str) {
        let (sign, rest) = line.split_at(usize::from(line.is_char_boundary(1) && !line.is_empty()));
        match sign {
            "@" if rest.starts_with('@') => self.close(),
            "-" => push_line(&mut self.old, rest),
            "+" => push_line(&mut self.new, rest),
            "\\" => {}
            _ => {
                // Editors strip the blank of an empty context line.
                let rest = if sign == " " { rest } else { line };
                push_line(&mut self.old, rest);
                push_line(&mut self.new, rest);
            }
        }
    }

    fn close(&mut self) {
        if self.old != self.new {
            self.done.push((std::mem::take(&mut self.old), std::mem::take(&mut self.new)));
        }
        self.old.clear();
        self.new.clear();
    }

    fn finish<'a>(mut self, path: &Cow<'a, str>) -> Vec<Block<'a>> {
        self.close();
        let mut blocks = Vec::with_capacity(self.done.len());
        for (old, new) in self.done {
            blocks.push(Block::Diff { path: path.clone(), old: Some(old.into()), new: new.into() });
        }
        blocks
    }
}

fn push_line(text: &mut String, line: &str) {
    text.push_str(line);
    text.push('\n');
}

/// The patch text of `apply_patch`. What stands around `*** Begin Patch` and `*** End Patch` is a shell's.
pub(super) fn parse(text: &str) -> Vec<Change<'_>> {
    let mut changes: Vec<Change<'_>> = Vec::new();
    let mut hunks = Hunks::default();
    for line in text.lines() {
        let header = line.strip_prefix("*** ");
        let named = |words: &str| header?.strip_prefix(words).map(str::trim);
        let begun = match (named("Add File:"), named("Update File:"), named("Delete File:")) {
            (Some(path), ..) => Some((path, true)),
            (_, Some(path), _) | (_, _, Some(path)) => Some((path, false)),
            _ => None,
        };
        if let Some((path, is_new)) = begun {
            close(&mut changes, &mut hunks);
            changes.push(Change { is_new, ..Change::of(Cow::Borrowed(path)) });
        } else if let Some(path) = named("Move to:") {
            if let Some(change) = changes.last_mut() {
                change.moved_to = Some(Cow::Borrowed(path));
            }
        } else if header == Some("End Patch") {
            break;
        } else if header.is_none() && !changes.is_empty() {
            hunks.line(line);
        }
    }
    close(&mut changes, &mut hunks);
    changes
}

/// Gives the lines read so far to the last file.
fn close<'a>(changes: &mut [Change<'a>], hunks: &mut Hunks) {
    let hunks = std::mem::take(hunks);
    let Some(change) = changes.last_mut() else { return };
    change.content = hunks.finish(&change.path);
    if change.is_new {
        for block in &mut change.content {
            if let Block::Diff { old, .. } = block {
                *old = None;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `path >moved` and each diff as `old>new`.
    fn shown(changes: &[Change<'_>]) -> Vec<String> {
        let mut lines = Vec::new();
        for change in changes {
            let moved = change.moved_to.as_deref().map_or(String::new(), |to| format!(" >{to}"));
            lines.push(format!("{}{}{moved}", if change.is_new { "new " } else { "" }, change.path));
            for block in &change.content {
                match block {
                    Block::Diff { old, new, .. } => lines.push(format!("{old:?}>{new:?}")),
                    other => lines.push(format!("{other:?}")),
                }
            }
        }
        lines
    }

    #[test]
    fn a_patch_text_names_files_and_gives_a_diff_for_each_hunk() {
        let patch = "apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: a.rs\n*** Move to: b.rs\n@@ fn one\n x\n-y\n+é\n\n@@\n-last\n*** Add File: new.md\n+# hi\n+\n*** Delete File: old.md\n*** End of File\n*** End Patch\nEOF\n";
        let expected = [
            "a.rs >b.rs",
            r#"Some("x\ny\n\n")>"x\né\n\n""#,
            r#"Some("last\n")>"""#,
            "new new.md",
            r##"None>"# hi\n\n""##,
            "old.md",
        ];
        assert_eq!(shown(&parse(patch)), expected);
        for odd in ["", "*** Move to: b\n+x", "+x\n-y", "*** Begin Patch\n*** End Patch"] {
            assert!(parse(odd).is_empty(), "{odd}");
        }
    }

    #[test]
    fn every_protocols_changes_are_read_alike() {
        let read = |json: &str| shown(&changes_of(Some(Value::parse(json).expect("valid JSON"))));
        let list = r#"[{"path":"a","kind":{"type":"update","move_path":"b"},"diff":"--- a\n+++ b\n@@ -1,2 +1,2 @@\n x\n-y\n+z\n\\ No newline at end of file\n"},{"path":"c","kind":"add","diff":"hi\n"},{"path":"d","kind":"update"},{"kind":"add"},7]"#;
        let edits = r#"Some("x\ny\n")>"x\nz\n""#;
        assert_eq!(read(list), ["a >b", edits, "new c", r#"None>"hi\n""#, "d"]);
        let map = r#"{"a":{"type":"update","unified_diff":"@@ -1,2 +1,2 @@\n x\n-y\n+z\n","move_path":"b"},"c":{"add":{"content":"hi\n"}},"e":{"delete":{"content":"bye\n"}},"f":7}"#;
        assert_eq!(read(map), ["a >b", edits, "new c", r#"None>"hi\n""#, "e", r#"Some("bye\n")>"""#, "f"]);
        assert_eq!(read(r#"[{"path":"a","kind":"update","diff":"no hunk"}]"#), ["a", r#"Text("no hunk")"#]);
    }
}
