//! Which lines are Kimi's. Chat messages without a `type` look like OpenAI's; what they lack decides.

use crate::dialect::{Sign, Verdict};
use crate::framing::{Container, Record};
use crate::json::Value;

/// Looks at one record.
pub(super) fn detect(_record: &Record<'_>, value: Value<'_>, _container: Container) -> Verdict {
    let [role, kind, method, params, message, time, content, calls, call, timestamp, protocol, result, event] =
        value.fields([
            "role",
            "type",
            "method",
            "params",
            "message",
            "time",
            "content",
            "tool_calls",
            "tool_call_id",
            "timestamp",
            "protocol_version",
            "result",
            "event",
        ]);
    let kind = kind.and_then(Value::str);
    if let Some(role) = role.and_then(Value::str) {
        if timestamp.is_some() || time.is_some() || message.is_some() {
            return None;
        }
        return chat(&role, kind.as_deref(), calls, call.is_some(), content.is_some());
    }
    if let Some(method) = method.and_then(Value::str) {
        let [kind, payload] = params?.fields(["type", "payload"]);
        let is_wire = matches!(&*method, "event" | "request") && payload.is_some() && kind?.str().is_some();
        return is_wire
            .then_some((Sign::Certain, "a wire message: `type` and `payload` in an `event` or `request`"));
    }
    if result.is_some_and(|result| result.get("protocol_version").is_some()) {
        return Some((Sign::Strong, "an answer with `protocol_version`"));
    }
    match kind.as_deref() {
        Some("metadata") if protocol.is_some() => {
            Some((Sign::Certain, "a `metadata` line with `protocol_version`"))
        }
        Some("context.append_loop_event") if event.is_some() => {
            Some((Sign::Certain, "a `context.append_loop_event` record"))
        }
        Some("turn.prompt" | "usage.record" | "tools.update_store") if time.is_some() => {
            Some((Sign::Strong, "a record of a session file with `time`"))
        }
        None if timestamp.and_then(Value::f64).is_some() => {
            let [kind, payload] = message?.fields(["type", "payload"]);
            (kind.is_some() && payload.is_some())
                .then_some((Sign::Certain, "a saved wire message with `payload`"))
        }
        _ => None,
    }
}

fn chat(
    role: &str,
    kind: Option<&str>,
    calls: Option<Value<'_>>,
    names_call: bool,
    has_content: bool,
) -> Verdict {
    match (role, kind) {
        ("meta", Some("system.version" | "session.resume_hint" | "turn.step.retrying")) => {
            Some((Sign::Certain, "a line of role `meta`"))
        }
        ("_checkpoint" | "_usage" | "_system_prompt", None) => {
            Some((Sign::Strong, "a chat history with underscored roles"))
        }
        ("assistant", None) if calls.is_some_and(is_function_call) => {
            Some((Sign::Strong, "a chat message with `tool_calls` and no `type`"))
        }
        ("tool", None) if names_call => Some((Sign::Strong, "a chat message of role `tool` and no `type`")),
        ("assistant", None) if has_content => Some((Sign::Weak, "a chat message and no `type`")),
        _ => None,
    }
}

fn is_function_call(calls: Value<'_>) -> bool {
    calls.array().and_then(|mut calls| calls.next()).is_some_and(|call| call.get("function").is_some())
}
