//! Which records are OpenCode's.

use crate::dialect::{Sign, Verdict};
use crate::framing::{Container, Record};
use crate::json::Value;

/// Types of the lines of `run`.
pub(super) const LINES: &[&str] =
    &["step_start", "reasoning", "text", "tool_use", "step_finish", "error", "done"];

/// Looks at one record.
pub(super) fn detect(_record: &Record<'_>, value: Value<'_>, _container: Container) -> Verdict {
    let [kind, properties, payload, data, session, timestamp, id, directory] =
        value.fields(["type", "properties", "payload", "data", "sessionID", "timestamp", "id", "directory"]);
    if let (Some(payload), Some(_)) = (payload, directory) {
        let [kind, properties, sync] = payload.fields(["type", "properties", "syncEvent"]);
        return (kind.is_some() && (properties.is_some() || sync.is_some()))
            .then_some((Sign::Certain, "an event of the global bus"));
    }
    let kind = kind?.str()?;
    let is_event = id.and_then(Value::str_raw).is_some_and(|id| id.starts_with("evt_"));
    if let Some(properties) = properties.filter(|properties| properties.object().is_some()) {
        let known = kind == "server.connected"
            || ["session.", "message.", "permission.", "question.", "todo."]
                .iter()
                .any(|start| kind.starts_with(start))
                && (properties.get("sessionID").is_some() || properties.get("info").is_some());
        return match (is_event, known) {
            (true, _) => Some((Sign::Certain, "an event with an `evt_` id and `properties`")),
            (false, true) => Some((Sign::Certain, "a server event with `properties`")),
            (false, false) if kind.contains('.') => Some((Sign::Weak, "a dotted event with `properties`")),
            _ => None,
        };
    }
    if data.is_some() && (kind.starts_with("session.next.") || is_event) {
        return Some((Sign::Certain, "an event of the second bus"));
    }
    let session = session?.str_raw()?;
    timestamp?.f64()?;
    if !LINES.contains(&&*kind) {
        return None;
    }
    if session.starts_with("ses_") {
        return Some((Sign::Certain, "a `run` line with a `ses_` session and a numeric timestamp"));
    }
    Some((Sign::Strong, "a `run` line with `sessionID` and a numeric timestamp"))
}
