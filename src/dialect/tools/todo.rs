//! Todo lists as tools take them: a list of entries, or a Markdown checklist.

use std::borrow::Cow;

use crate::event::{PlanPriority, PlanStatus};
use crate::json::Value;

/// One entry.
#[derive(Clone, Debug, PartialEq)]
pub struct Todo<'a> {
    /// Its text.
    pub content: Cow<'a, str>,
    /// How far it is.
    pub status: PlanStatus,
    /// `Medium` where nothing is said.
    pub priority: PlanPriority,
}

/// The entries of a list of objects (or texts), or of a checklist. `None` where nothing can be read as an entry.
pub fn todos(value: Value<'_>) -> Option<Vec<Todo<'_>>> {
    let found: Vec<Todo<'_>> = match value.array() {
        Some(entries) => {
            let entries: Vec<_> = entries.filter_map(entry).collect();
            // An empty list is a list too: all entries are gone.
            if entries.is_empty() && value.array().is_some_and(|mut list| list.next().is_none()) {
                return Some(entries);
            }
            entries
        }
        None => value.str()?.lines().filter_map(checked).collect(),
    };
    (!found.is_empty()).then_some(found)
}

fn entry(value: Value<'_>) -> Option<Todo<'_>> {
    let (status, priority) = (PlanStatus::Pending, PlanPriority::Medium);
    if let Some(content) = value.str() {
        return Some(Todo { content, status, priority });
    }
    let [content, title, text, status, priority] = value
        .fields(["content", "title", "text", "status", "priority"])
        .map(|field| field.and_then(Value::str));
    let priority = match priority.as_deref() {
        Some("high") => PlanPriority::High,
        Some("low") => PlanPriority::Low,
        _ => PlanPriority::Medium,
    };
    let content = content.or(title).or(text).filter(|text| !text.is_empty())?;
    Some(Todo { content, status: status_of(status.as_deref()), priority })
}

/// A cancelled entry is over: the closed set has no nearer word.
fn status_of(word: Option<&str>) -> PlanStatus {
    match word {
        Some("in_progress" | "in-progress" | "inProgress") => PlanStatus::InProgress,
        Some("completed" | "done" | "cancelled" | "canceled") => PlanStatus::Completed,
        _ => PlanStatus::Pending,
    }
}

/// `- [ ] open`, `- [x] done`; any other mark in the brackets is work under way.
fn checked<'a>(line: &str) -> Option<Todo<'a>> {
    let line = line.trim_start().trim_start_matches(['-', '*', '+']).trim_start();
    let (mark, content) = line.strip_prefix('[')?.split_once(']')?;
    let status = match mark {
        "" | " " => PlanStatus::Pending,
        "x" | "X" => PlanStatus::Completed,
        mark if mark.chars().count() == 1 => PlanStatus::InProgress,
        _ => return None,
    };
    let content = content.trim();
    let content = (!content.is_empty()).then(|| Cow::Owned(content.to_owned()))?;
    Some(Todo { content, status, priority: PlanPriority::Medium })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> Option<Vec<(String, PlanStatus)>> {
        let list = todos(Value::parse(json).expect("valid JSON"))?;
        Some(list.into_iter().map(|todo| (todo.content.into_owned(), todo.status)).collect())
    }

    #[test]
    fn entries_and_checklists_are_the_same_list() {
        let expected = Some(vec![
            ("sow".to_owned(), PlanStatus::Completed),
            ("water".to_owned(), PlanStatus::InProgress),
            ("wait".to_owned(), PlanStatus::Pending),
        ]);
        let list = r#"[{"content":"sow","status":"done"},{"content":"water","status":"in-progress"},"wait"]"#;
        assert_eq!(read(list), expected);
        assert_eq!(read(r###""## Plan\n- [x] sow\n  * [~] water\n- [ ] wait\n[link](x)""###), expected);
    }

    #[test]
    fn what_is_no_list_is_none_and_an_emptied_list_is_empty() {
        for json in ["\"just words\"", "7", "[7]", "{}"] {
            assert_eq!(read(json), None, "{json}");
        }
        assert_eq!(read("[]"), Some(Vec::new()));
    }
}
