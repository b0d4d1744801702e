//! Recognizing Evolve by one record. ACP's `session/update` body has the same shape: what it lacks decides.

use super::envelope::names_variant;
use crate::dialect::{Sign, Verdict};
use crate::framing::{Container, Record};
use crate::json::Value;

const CHANNELS: [&str; 4] = ["content", "lifecycle", "stdout", "stderr"];

/// Whether the bridge has a channel of that name.
pub(super) fn is_channel(name: &str) -> bool {
    CHANNELS.contains(&name)
}

/// Looks at one record.
pub(super) fn detect(_record: &Record<'_>, value: Value<'_>, _container: Container) -> Verdict {
    let [update, meta, prompt, end, method, params, rpc, reason, sandbox, agent, timestamp, kind] = value
        .fields([
            "update",
            "_meta",
            "_prompt",
            "_sessionEnd",
            "method",
            "params",
            "jsonrpc",
            "reason",
            "sandbox",
            "agent",
            "timestamp",
            "type",
        ]);
    if method.is_some_and(|method| method.str_raw() == Some("event")) {
        let channel = params?.get("type")?.str_raw()?;
        return is_channel(channel)
            .then_some((Sign::Certain, "an `event` notification of the Python bridge"));
    }
    if method.is_some() || rpc.is_some() {
        return None;
    }
    if let Some(update) = update.filter(|update| names_variant(*update)) {
        return content_event(value, update);
    }
    if let Some(meta) = meta.filter(|_| kind.is_none()) {
        let known = meta.fields(["tag", "provider", "agent", "sandbox_id"]).into_iter().flatten().count();
        return (known >= 2).then_some((Sign::Certain, "the `_meta` header of a trace log"));
    }
    if prompt.is_some_and(|prompt| prompt.get("text").is_some()) {
        return Some((Sign::Certain, "a `_prompt` line of a trace log"));
    }
    if end.is_some() {
        return Some((Sign::Strong, "the `_sessionEnd` line of a trace log"));
    }
    let is_lifecycle = [reason, sandbox, agent, timestamp].iter().all(Option::is_some);
    is_lifecycle.then_some((Sign::Certain, "a lifecycle record: reason, sandbox, agent, timestamp"))
}

fn content_event(value: Value<'_>, update: Value<'_>) -> Verdict {
    let [session, timestamp, model, message, parent, extra, seq] =
        value.fields(["sessionId", "timestamp", "model", "messageId", "parentToolCallId", "extra", "seq"]);
    let [variant, tool_name, scope, usage, inner_message] =
        update.fields(["sessionUpdate", "toolName", "scope", "usage", "messageId"]);
    let variant = variant?.str_raw()?;
    if variant == "usage" && (scope.is_none() || usage.is_none()) {
        return Some((Sign::Weak, "a `usage` update of some product"));
    }
    let beside = [timestamp, model, message, parent, extra, seq].iter().any(Option::is_some);
    let own_variant = matches!(variant, "error" | "usage" | "harness_event");
    if beside || own_variant || (variant == "tool_call" && tool_name.is_some()) {
        return Some((Sign::Certain, "a content event with Evolve's own members"));
    }
    if session.is_none() && inner_message.is_none() {
        return Some((Sign::Certain, "an `update` without `sessionId`, which ACP requires"));
    }
    Some((Sign::Strong, "a bare `{sessionId, update}`"))
}
