//! Which records are Codex's, and how surely.

use super::rollout;
use super::server::is_own;
use crate::dialect::{Sign, Verdict};
use crate::framing::{Container, Record};
use crate::json::Value;

pub(super) fn detect(_record: &Record<'_>, value: Value<'_>, _container: Container) -> Verdict {
    let [kind, thread, session, item, message, method, payload, msg, result] = value.fields([
        "type",
        "thread_id",
        "session_id",
        "item",
        "message",
        "method",
        "payload",
        "msg",
        "result",
    ]);
    if let Some(method) = method {
        return by_method(&method.str()?, value);
    }
    if let Some(msg) = msg {
        let typed = is_text(value.get("id")) && is_text(msg.get("type"));
        return typed.then_some((Sign::Certain, "an `id` and a typed `msg`"));
    }
    if let Some(result) = result {
        return by_result(result, value);
    }
    let Some(kind) = kind.and_then(Value::str) else { return head(value) };
    if let Some(payload) = payload {
        let own = payload.object().is_some() && rollout::is_record(&kind) && is_text(value.get("timestamp"));
        return own.then_some((Sign::Certain, "a record of a rollout: timestamp, type and payload"));
    }
    match &*kind {
        "thread.started" if is_text(thread) => Some((Sign::Certain, "`thread.started` with a `thread_id`")),
        "item.started" | "item.updated" | "item.completed" => {
            let [new, early] = item?.fields(["type", "item_type"]);
            (is_text(new) || is_text(early))
                .then_some((Sign::Certain, "an `item.*` line with a typed `item`"))
        }
        "session.created" if is_text(session) => {
            Some((Sign::Strong, "`session.created` with a `session_id`"))
        }
        "turn.started" | "turn.completed" | "turn.failed" => Some((Sign::Strong, "a `turn.*` line")),
        "error" if is_text(message) && value.object()?.count() == 2 => {
            Some((Sign::Weak, "an `error` line with nothing but a `message`"))
        }
        _ => None,
    }
}

fn is_text(value: Option<Value<'_>>) -> bool {
    value.is_some_and(|value| value.str_raw().is_some())
}

/// The app-server leaves the version of JSON-RPC out.
fn by_method(method: &str, value: Value<'_>) -> Verdict {
    let [params, version, emitted] = value.fields(["params", "jsonrpc", "emittedAtMs"]);
    if method.starts_with("codex/event") && params.is_some_and(|params| params.get("msg").is_some()) {
        return Some((Sign::Certain, "a `codex/event` with a `msg`"));
    }
    if version.is_some() {
        return None;
    }
    if emitted.is_some() {
        return Some((Sign::Certain, "a notification with `emittedAtMs`"));
    }
    let [thread, threads] = params.map_or([None; 2], |params| params.fields(["threadId", "thread"]));
    let of_thread = is_text(thread) || threads.is_some();
    if method.contains('/') && is_own(method) && of_thread {
        return Some((Sign::Certain, "a method of the app-server with its thread"));
    }
    match method {
        "thread/start" | "thread/resume" | "turn/start" => {
            Some((Sign::Strong, "a request to the app-server"))
        }
        "configWarning" => Some((Sign::Strong, "a `configWarning` of the app-server")),
        "initialize" | "initialized" => Some((Sign::Weak, "JSON-RPC without its version")),
        _ if method.contains('/') && is_own(method) => {
            Some((Sign::Strong, "a method of the app-server's families"))
        }
        _ => None,
    }
}

fn by_result(result: Value<'_>, value: Value<'_>) -> Verdict {
    let [agent, home, thread, turn] = result.fields(["userAgent", "codexHome", "thread", "turn"]);
    if value.get("jsonrpc").is_some() {
        return None;
    }
    if home.is_some() {
        return Some((Sign::Certain, "an answer with `codexHome`"));
    }
    if thread.is_some_and(|thread| thread.get("modelProvider").is_some() && is_text(thread.get("id"))) {
        return Some((Sign::Certain, "an answer with a thread"));
    }
    if turn.is_some_and(|turn| is_text(turn.get("id")) && turn.get("items").is_some()) {
        return Some((Sign::Strong, "an answer with a turn"));
    }
    is_text(agent).then_some((Sign::Strong, "an answer with a `userAgent`"))
}

/// Lines without a type: the first of the oldest rollouts, and the two before the events of the old `exec`.
fn head(value: Value<'_>) -> Verdict {
    let [instructions, id, timestamp, state, model, provider, sandbox, prompt] = value.fields([
        "instructions",
        "id",
        "timestamp",
        "record_type",
        "model",
        "provider",
        "sandbox",
        "prompt",
    ]);
    if instructions.is_some() && is_text(id) && is_text(timestamp) {
        return Some((Sign::Strong, "an id, a timestamp and `instructions`"));
    }
    if state.and_then(Value::str).as_deref() == Some("state") {
        return Some((Sign::Strong, "a `record_type` of `state`"));
    }
    if is_text(model) && is_text(provider) && is_text(sandbox) {
        return Some((Sign::Strong, "the settings the old `exec` prints first"));
    }
    let lonely = is_text(prompt) && value.object()?.count() == 1;
    lonely.then_some((Sign::Weak, "a line with nothing but a `prompt`"))
}
