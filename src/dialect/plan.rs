//! Todo lists, as all harnesses print them: entries are texts or objects whose text stands under one of a few names.
//!
//! Knows the spellings of statuses and priorities; not where a list stands in a record, nor what a broken one is worth.

use std::borrow::Cow;

use super::Fact;
use crate::event::{PlanEntry, PlanPriority, PlanStatus};
use crate::json::Value;

/// A whole list.
#[derive(Default)]
pub(super) struct Plan<'a> {
    lines: Vec<Line<'a>>,
}

struct Line<'a> {
    content: Cow<'a, str>,
    status: PlanStatus,
    priority: PlanPriority,
    has_text: bool,
    called_off: bool,
}

/// Members that may hold an entry's text, the first that does.
const TEXTS: [&str; 8] = ["content", "step", "task", "title", "description", "text", "name", "activeForm"];

impl<'a> Plan<'a> {
    /// The entries of a list; `None` when it is none. An entry without a text has its JSON in place of it.
    pub fn read(list: Value<'a>) -> Option<Plan<'a>> {
        Some(Plan { lines: list.array()?.map(Line::read).collect() })
    }

    pub fn add(&mut self, content: &'a str, status: PlanStatus) {
        let content = Cow::Borrowed(content);
        let priority = PlanPriority::Medium;
        self.lines.push(Line { content, status, priority, has_text: true, called_off: false });
    }

    /// Leaves out the entries without a text, and tells how many these were.
    pub fn drop_textless(&mut self) -> usize {
        let all = self.lines.len();
        self.lines.retain(|line| line.has_text);
        all - self.lines.len()
    }

    /// Leaves out what shows nothing to do: entries without characters and those that were called off.
    pub fn drop_void(&mut self) {
        self.lines.retain(|line| line.has_text && !line.called_off && !line.content.is_empty());
    }

    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// The plan as it now is.
    pub fn fact(&self) -> Fact<'_> {
        let mut entries = Vec::with_capacity(self.lines.len());
        for Line { content, status, priority, .. } in &self.lines {
            entries.push(PlanEntry { content, status: *status, priority: *priority });
        }
        Fact::PlanSet { entries: entries.into() }
    }
}

impl<'a> Line<'a> {
    fn read(entry: Value<'a>) -> Line<'a> {
        let mut text = entry.str();
        for member in entry.fields(TEXTS).into_iter().flatten() {
            if text.as_deref().is_none_or(str::is_empty) {
                text = member.str().or(text);
            }
        }
        let [status, done, completed, priority] = entry.fields(["status", "done", "completed", "priority"]);
        let is_ticked = done.or(completed).and_then(Value::bool) == Some(true);
        let status = status.and_then(Value::str);
        let priority = priority.and_then(Value::str).and_then(|word| PlanPriority::from_word(&word));
        Line {
            has_text: text.is_some(),
            content: text.unwrap_or(Cow::Borrowed(entry.raw())),
            status: match status.as_deref() {
                None if is_ticked => PlanStatus::Completed,
                word => plan_status(word.unwrap_or_default()),
            },
            priority: priority.unwrap_or(PlanPriority::Medium),
            called_off: status.is_some_and(|word| CALLED_OFF.contains(&&*word)),
        }
    }
}

const CALLED_OFF: [&str; 3] = ["cancelled", "abandoned", "dropped"];

/// Statuses in their many spellings. An entry that was given up is done with.
pub(super) fn plan_status(word: &str) -> PlanStatus {
    let word = word.strip_prefix("TODO_STATUS_").unwrap_or(word);
    let is = |known: &[&str]| known.iter().any(|known| word.eq_ignore_ascii_case(known));
    if is(&["in_progress", "in-progress", "inProgress", "active", "doing", "running"]) {
        PlanStatus::InProgress
    } else if is(&["completed", "complete", "done", "finished"]) || is(&CALLED_OFF) {
        PlanStatus::Completed
    } else {
        PlanStatus::Pending
    }
}

/// A line of a Markdown checklist: `- [ ] open`, `- [x] done`; any other mark in the brackets is work under way.
pub(super) fn checked(line: &str) -> Option<(&str, PlanStatus)> {
    let line = line.trim_start().trim_start_matches(['-', '*', '+']).trim_start();
    let (mark, content) = line.strip_prefix('[')?.split_once(']')?;
    let status = match mark {
        "" | " " => PlanStatus::Pending,
        "x" | "X" => PlanStatus::Completed,
        mark if mark.chars().count() == 1 => PlanStatus::InProgress,
        _ => return None,
    };
    Some((content.trim(), status)).filter(|(content, _)| !content.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_a_checklist_are_entries() {
        assert_eq!(checked("- [x] sow"), Some(("sow", PlanStatus::Completed)));
        assert_eq!(checked("  * [~] water"), Some(("water", PlanStatus::InProgress)));
        assert_eq!(checked("[ ] wait "), Some(("wait", PlanStatus::Pending)));
        for line in ["## Plan", "[link](x)", "- [ ]", "- plain"] {
            assert_eq!(checked(line), None, "{line}");
        }
    }

    #[test]
    fn every_spelling_of_an_entry_is_read() {
        let cases = [
            (r#""sow""#, "sow", PlanStatus::Pending),
            (r#"{"content":"sow","status":"inProgress"}"#, "sow", PlanStatus::InProgress),
            (r#"{"content":"","title":"sow","status":"TODO_STATUS_DONE"}"#, "sow", PlanStatus::Completed),
            (r#"{"step":"sow","completed":true}"#, "sow", PlanStatus::Completed),
            (r#"{"content":"","status":"pending"}"#, "", PlanStatus::Pending),
            (r#"{"content":7}"#, r#"{"content":7}"#, PlanStatus::Pending),
        ];
        for (entry, text, status) in cases {
            let line = Line::read(Value::parse(entry).expect("valid"));
            assert_eq!((&*line.content, line.status), (text, status), "{entry}");
        }
    }
}
