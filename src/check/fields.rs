//! One printed event taken apart, and the closed words and required fields of each update.

use std::borrow::Cow;

use super::Breaches;
use crate::json::{Kind, Value};

/// One event: the members the checks look at.
pub(super) struct Event<'a> {
    /// `sessionUpdate`; empty when missing.
    pub kind: Cow<'a, str>,
    /// The `update` object, or the whole event when that is missing.
    pub update: Value<'a>,
    pub seq: Option<Value<'a>>,
    pub item: Option<u64>,
    pub agent: Option<Cow<'a, str>>,
    pub source: Option<Value<'a>>,
}

impl<'a> Event<'a> {
    pub fn read(event: Value<'a>) -> Event<'a> {
        let [update, seq, item, agent, source] = event.fields(["update", "seq", "item", "agentId", "source"]);
        let update = update.unwrap_or(event);
        Event {
            kind: text(update, "sessionUpdate").unwrap_or_default(),
            update,
            seq,
            item: item.and_then(Value::u64),
            agent: agent.and_then(Value::str),
            source,
        }
    }

    /// A string member of the update.
    pub fn text(&self, name: &str) -> Option<Cow<'a, str>> {
        text(self.update, name)
    }

    /// A flag of the update; absent is `false`.
    pub fn flag(&self, name: &str) -> bool {
        self.update.get(name).and_then(Value::bool).unwrap_or(false)
    }
}

/// A string member of an object.
pub(super) fn text<'a>(object: Value<'a>, name: &str) -> Option<Cow<'a, str>> {
    object.get(name).and_then(Value::str)
}

/// What an update must bring along, and whether it makes an item of the list.
struct Row {
    name: &'static str,
    required: &'static [(&'static str, Kind)],
    /// The family of the item; empty: no item of its own.
    family: &'static str,
}

const fn row(name: &'static str, family: &'static str, required: &'static [(&'static str, Kind)]) -> Row {
    Row { name, required, family }
}

use Kind::{Array, Bool, Object, String as Text};

/// Written down again on purpose: the table of the event types is what is being checked.
const ROWS: &[Row] = &[
    row("agent_message_chunk", "agent text", &[("content", Object)]),
    row("agent_thought_chunk", "thought", &[("content", Object)]),
    row("user_message_chunk", "user text", &[("content", Object)]),
    row("tool_call", "tool card", &[("toolCallId", Text), ("title", Text), ("kind", Text), ("status", Text)]),
    row("tool_call_update", "tool card", &[("toolCallId", Text)]),
    row("plan", "plan", &[("entries", Array)]),
    row("error", "error", &[("message", Text), ("fatal", Bool)]),
    row("usage", "", &[("scope", Text), ("usage", Object)]),
    row("message_end", "", &[("role", Text)]),
    row("withdrawn", "", &[("items", Array), ("reason", Text)]),
    row("agent", "", &[("agentId", Text), ("status", Text)]),
    row("run", "", &[("scope", Text), ("phase", Text)]),
    row("lifecycle", "", &[]),
    row("interrupt", "interrupt", &[("interruptId", Text), ("options", Array), ("questions", Array)]),
    row("interrupt_resolved", "interrupt", &[("interruptId", Text), ("outcome", Text), ("source", Text)]),
    row("notice", "notice", &[("severity", Text), ("text", Text)]),
    row("hook", "", &[("method", Text), ("event", Text)]),
    row("citations", "citations", &[]),
    row("artifact", "artifact", &[("url", Text), ("filename", Text)]),
    row("usage_update", "", &[]),
    row("compaction_update", "", &[("status", Text)]),
    row("available_commands_update", "", &[("availableCommands", Array)]),
    row("current_mode_update", "", &[("currentModeId", Text)]),
    row("config_option_update", "", &[]),
    row("session_info_update", "", &[]),
    row("shared_state", "", &[]),
    row("harness_event", "", &[("type", Text)]),
    row("unknown", "", &[("raw", Text)]),
];

/// The item family an update belongs to; `None` for updates without an item of their own.
pub(super) fn family(kind: &str) -> Option<&'static str> {
    ROWS.iter().find(|row| row.name == kind).map(|row| row.family).filter(|family| !family.is_empty())
}

/// The family a `message_end` closes, by its role.
pub(super) fn family_of_role(role: &str) -> Option<&'static str> {
    match role {
        "agent" => Some("agent text"),
        "thought" => Some("thought"),
        "user" => Some("user text"),
        _ => None,
    }
}

/// Words that an update may carry in a field, where the set is closed.
const CLOSED: &[(&str, &str, &[&str])] = &[
    ("tool_call", "kind", KINDS),
    ("tool_call_update", "kind", KINDS),
    ("tool_call", "status", STATUSES),
    ("tool_call_update", "status", STATUSES),
    ("message_end", "role", &["agent", "thought", "user"]),
    ("usage", "scope", &["call", "run"]),
    ("run", "scope", &["run", "turn", "step", "agent"]),
    ("run", "phase", &["start", "end"]),
    ("run", "outcome", &["completed", "failed", "cancelled", "waiting", "cut"]),
    ("run", "evidence", &["stated", "inferred"]),
    ("agent", "status", &["running", "completed", "failed", "cancelled", "unknown"]),
    ("notice", "severity", &["info", "warning", "error"]),
    ("interrupt", "kind", &["approval", "question", "notice"]),
    ("interrupt", "blocking", &["inline", "run_ends", "unknown"]),
    ("interrupt_resolved", "source", &["wire", "inferred"]),
    (
        "interrupt_resolved",
        "outcome",
        &["allowed", "rejected", "answered", "cancelled", "expired", "unknown"],
    ),
];
const KINDS: &[&str] =
    &["read", "edit", "delete", "move", "search", "execute", "think", "fetch", "switch_mode", "other"];
const STATUSES: &[&str] = &["pending", "in_progress", "completed", "failed"];

/// Known update, required members of the right sort, closed words.
pub(super) fn check_words(event: &Event<'_>, breaches: &mut Breaches) {
    let Some(row) = ROWS.iter().find(|row| row.name == event.kind) else {
        breaches.add("model", format!("no update is called `{}`", event.kind));
        return;
    };
    for (name, kind) in row.required {
        match event.update.get(name).map(Value::kind) {
            Some(found) if found == *kind => {}
            Some(_) => breaches.add("model", format!("`{name}` of {} has the wrong type", row.name)),
            None => breaches.add("model", format!("{} has no `{name}`", row.name)),
        }
    }
    for (_, field, words) in CLOSED.iter().filter(|(update, ..)| *update == row.name) {
        if let Some(word) = event.text(field).filter(|word| !words.contains(&word.as_ref())) {
            breaches.add("model", format!("`{word}` is no {field} of {}", row.name));
        }
    }
}
