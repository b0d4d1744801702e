//! Which lines are Autohand's, and how surely.

use crate::dialect::{Sign, Verdict};
use crate::framing::{Container, Record};
use crate::json::Value;

/// Looks at one line, or at the first item of a batch.
pub fn detect(_record: &Record<'_>, value: Value<'_>, _container: Container) -> Verdict {
    let line = match value.array() {
        Some(mut items) => items.next()?,
        None => value,
    };
    let [method, type_, role, jsonrpc] = line.fields(["method", "type", "role", "jsonrpc"]);
    if let Some(method) = method.and_then(Value::str) {
        return by_method(&method);
    }
    if jsonrpc.is_some() {
        return None;
    }
    match type_.and_then(Value::str) {
        Some(type_) => by_type(&type_, line),
        None => log_row(&role.and_then(Value::str)?, line),
    }
}

fn by_method(method: &str) -> Verdict {
    let word = method.strip_prefix("autohand.")?;
    if word.starts_with("hook.") {
        // The harness speaks plain ACP too and adds its hooks there.
        return Some((Sign::Strong, "a JSON-RPC method that starts with `autohand.hook.`"));
    }
    Some((Sign::Certain, "a JSON-RPC method that starts with `autohand.`"))
}

/// The SDKs' events and `stream-json` lines.
fn by_type(type_: &str, line: Value<'_>) -> Verdict {
    let has = |names: &[&str]| names.iter().all(|name| line.get(name).is_some());
    let tool = has(&["toolId", "toolName"]);
    match type_ {
        "tool_start" if tool && has(&["toolArgs"]) => Some((Sign::Certain, "a `tool_start` with `toolArgs`")),
        "tool_end" if tool && has(&["toolSuccess"]) => {
            Some((Sign::Certain, "a `tool_end` with `toolSuccess`"))
        }
        "team_update" if has(&["teamActivity"]) => {
            Some((Sign::Certain, "a `team_update` with `teamActivity`"))
        }
        "tool_start" | "tool_end" | "tool_update" if tool || has(&["tool_id", "tool_name"]) => {
            Some((Sign::Strong, "an SDK tool event with tool id and tool name"))
        }
        "message_update" if has(&["delta"]) && (has(&["messageId"]) || has(&["message_id"])) => {
            Some((Sign::Strong, "an SDK `message_update` with a message id and a delta"))
        }
        "agent_start" if has(&["model", "workspace"]) => {
            Some((Sign::Strong, "an SDK `agent_start` with model and workspace"))
        }
        "permission_request" if has(&["tool", "description", "context"]) => {
            Some((Sign::Strong, "an SDK `permission_request`"))
        }
        "thinking" if has(&["thought"]) => Some((Sign::Strong, "a `thinking` line with `thought`")),
        "file_modified" if has(&["filePath", "changeType"]) => {
            Some((Sign::Strong, "a `file_modified` line with `filePath` and `changeType`"))
        }
        "schedule_triggered" if has(&["scheduleId"]) => {
            Some((Sign::Strong, "a `schedule_triggered` line with `scheduleId`"))
        }
        _ if type_.starts_with("hook_") && has(&["timestamp"]) => {
            Some((Sign::Strong, "an SDK hook event with a timestamp"))
        }
        "turn_start" | "turn_end" if has(&["turnId"]) || has(&["turn_id"]) => {
            Some((Sign::Weak, "a turn event with a turn id"))
        }
        "message_start" | "message_end" if has(&["messageId"]) || has(&["message_id"]) => {
            Some((Sign::Weak, "a message event with a message id"))
        }
        "result" if line.get("content").is_some_and(|content| content.str().is_some()) => {
            Some((Sign::Weak, "a `result` line with `content`"))
        }
        _ => None,
    }
}

fn log_row(role: &str, line: Value<'_>) -> Verdict {
    let [content, timestamp, calls, call] =
        line.fields(["content", "timestamp", "toolCalls", "tool_call_id"]);
    content.and(timestamp.and_then(Value::str))?;
    let first_call = calls.and_then(Value::array).and_then(|mut calls| calls.next());
    match role {
        "assistant"
            if first_call.is_some_and(|call| call.get("tool").is_some() && call.get("args").is_some()) =>
        {
            Some((Sign::Strong, "a log row whose `toolCalls` hold `tool` and `args`"))
        }
        "tool" if call.is_some() => Some((Sign::Strong, "a `tool` row with `tool_call_id` and a timestamp")),
        "user" | "assistant" | "system" => Some((Sign::Weak, "a row of role, content and timestamp")),
        _ => None,
    }
}
