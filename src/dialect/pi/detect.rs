//! Which lines are Pi's.

use crate::dialect::{Sign, Verdict};
use crate::framing::{Container, Record};
use crate::json::Value;

/// Looks at one record.
pub(super) fn detect(_record: &Record<'_>, value: Value<'_>, _container: Container) -> Verdict {
    let [kind, id, parent, cwd, version, update, message, call, tool, messages, results, method, success] =
        value.fields([
            "type",
            "id",
            "parentId",
            "cwd",
            "version",
            "assistantMessageEvent",
            "message",
            "toolCallId",
            "toolName",
            "messages",
            "toolResults",
            "method",
            "success",
        ]);
    let kind = kind.and_then(Value::str)?;
    let has_role =
        || message.is_some_and(|message| message.get("role").is_some() && message.get("type").is_none());
    let found = match &*kind {
        "session" if id.is_some() && cwd.is_some() && version.is_some() => {
            (Sign::Certain, "a `session` line with version, id and cwd")
        }
        "message_update" if update.is_some() => {
            (Sign::Certain, "a `message_update` with `assistantMessageEvent`")
        }
        "tool_execution_start" | "tool_execution_update" | "tool_execution_end"
            if call.is_some() && tool.is_some() =>
        {
            (Sign::Strong, "a `tool_execution_*` line with `toolCallId` and `toolName`")
        }
        "message_start" | "message_end" if has_role() => (Sign::Strong, "a message event with a role"),
        "message" if id.is_some() && parent.is_some() && has_role() => {
            (Sign::Strong, "a `message` entry with `id` and `parentId`")
        }
        "agent_end" if messages.is_some() => (Sign::Strong, "an `agent_end` with `messages`"),
        "turn_end" if results.is_some() => (Sign::Strong, "a `turn_end` with `toolResults`"),
        "extension_ui_request" if method.is_some() => (Sign::Strong, "an `extension_ui_request`"),
        "response" if success.is_some() => (Sign::Weak, "an answer with `success`"),
        "agent_start" | "turn_start" | "agent_settled" if value.object()?.count() == 1 => {
            (Sign::Weak, "an event of nothing but a type")
        }
        _ => return None,
    };
    Some(found)
}
