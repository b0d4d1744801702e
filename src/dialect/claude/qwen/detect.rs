//! Telling Qwen Code's lines from Claude Code's, which they resemble.

use super::saved;
use crate::dialect::{Sign, Verdict};
use crate::framing::{Container, Record};
use crate::json::Value;

/// Looks at one record.
pub(super) fn detect(_record: &Record<'_>, value: Value<'_>, _container: Container) -> Verdict {
    let [kind, session, uuid, message, event, parent, version, mode, data, failure, duration] =
        value.fields([
            "type",
            "session_id",
            "uuid",
            "message",
            "event",
            "parent_tool_use_id",
            "qwen_code_version",
            "permission_mode",
            "data",
            "error",
            "duration_api_ms",
        ]);
    if saved::is_record(value) {
        return Some((Sign::Certain, "a saved record with `message.parts` or a Gemini-style system payload"));
    }
    let kind = kind.and_then(Value::str)?;
    let (uuid, _) = (uuid.and_then(Value::str)?, session?);
    match &*kind {
        "system" if version.is_some() => Some((Sign::Certain, "an init line with qwen_code_version")),
        "system" if mode.is_some() => Some((Sign::Strong, "an init line with permission_mode")),
        "system" if data.is_some() && parent.is_some() => {
            Some((Sign::Strong, "a system line with `data` and parent_tool_use_id"))
        }
        "assistant" => {
            let id = message.and_then(|message| message.get("id")?.str())?;
            (id == uuid).then_some((Sign::Strong, "an assistant line whose uuid is its message's id"))
        }
        "stream_event" => {
            let event = event?;
            let kind = event.get("type").and_then(Value::str)?;
            if matches!(&*kind, "goal_state" | "active_goal") {
                return Some((Sign::Strong, "a goal_state event"));
            }
            let id = event.get("message").and_then(|message| message.get("id")?.str());
            match id {
                Some(id) if id.starts_with("msg_") => None,
                Some(_) => parent.map(|_| (Sign::Weak, "a message whose id does not start with msg_")),
                None => parent.map(|_| (Sign::Weak, "a piece of a message")),
            }
        }
        "result" if failure.is_some_and(|failure| failure.get("message").is_some()) && duration.is_some() => {
            Some((Sign::Strong, "a result line with error.message"))
        }
        "user" | "result" => Some((Sign::Weak, "a line with session_id and uuid")),
        _ => None,
    }
}
