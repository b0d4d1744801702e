//! Telling Claude Code's lines from those of its look-alikes (Qwen Code, Cursor, Amp, Droid).

use crate::dialect::{Sign, Verdict};
use crate::framing::{Container, Record};
use crate::json::Value;

/// Looks at one record.
pub(super) fn detect(_record: &Record<'_>, value: Value<'_>, _container: Container) -> Verdict {
    let [kind, subtype, session, uuid, message, event, api_message, transcript, data] = value.fields([
        "type",
        "subtype",
        "session_id",
        "uuid",
        "message",
        "event",
        "api_message_id",
        "sessionId",
        "data",
    ]);
    if transcript.is_some() {
        return None;
    }
    let kind = kind.and_then(Value::str)?;
    let subtype = subtype.and_then(Value::str).unwrap_or_default();
    match &*kind {
        "command_lifecycle" => Some((Sign::Strong, "a command_lifecycle line")),
        "rate_limit_event" if value.get("rate_limit_info").is_some() => {
            Some((Sign::Strong, "a rate_limit_event line"))
        }
        "control_request" | "control_response" | "control_cancel_request" | "keep_alive" => {
            Some((Sign::Weak, "a line of the control protocol"))
        }
        _ if session.is_none() => None,
        "system" if subtype == "init" => init(value, uuid.is_some()),
        // Qwen Code keeps what a system line says under `data`.
        "system" if data.is_some() => None,
        "system" if uuid.is_some() => Some((Sign::Strong, "a system line with session_id and uuid")),
        "stream_event" if api_message.is_some() => {
            Some((Sign::Certain, "a stream_event with api_message_id"))
        }
        "assistant" | "stream_event" => {
            let message = message.or_else(|| event?.get("message"));
            let id = message.and_then(|message| message.get("id")?.str());
            match id {
                Some(id) if id.starts_with("msg_") => {
                    Some((Sign::Strong, "a message id that starts with msg_"))
                }
                _ => Some((Sign::Weak, "a message line with session_id")),
            }
        }
        "result" if value.get("total_cost_usd").is_some() && uuid.is_some() => {
            Some((Sign::Strong, "a result line with total_cost_usd"))
        }
        "user" | "result" | "system" => Some((Sign::Weak, "a line with session_id")),
        _ => None,
    }
}

fn init(value: Value<'_>, has_uuid: bool) -> Verdict {
    let [version, key_source, qwen, qwen_mode, effort] = value.fields([
        "claude_code_version",
        "apiKeySource",
        "qwen_code_version",
        "permission_mode",
        "reasoning_effort",
    ]);
    if qwen.is_some() || qwen_mode.is_some() || effort.is_some() {
        return None;
    }
    match (version.is_some(), key_source.is_some() && has_uuid) {
        (true, _) => Some((Sign::Certain, "an init line with claude_code_version")),
        (false, true) => Some((Sign::Certain, "an init line with apiKeySource and uuid")),
        (false, false) if has_uuid => Some((Sign::Strong, "an init line with uuid")),
        _ => Some((Sign::Weak, "an init line with session_id")),
    }
}

/// Looks at one record of a saved session.
pub(super) fn transcript(_record: &Record<'_>, value: Value<'_>, _container: Container) -> Verdict {
    let [kind, session, uuid, parent, sidechain, message, leaf, snapshot] = value.fields([
        "type",
        "sessionId",
        "uuid",
        "parentUuid",
        "isSidechain",
        "message",
        "leafUuid",
        "snapshot",
    ]);
    let kind = kind.and_then(Value::str)?;
    match &*kind {
        "user" | "assistant" | "system" | "attachment" | "progress" => {
            // Qwen Code's own files have the same tree, with `parts` for messages.
            let foreign = message.is_some_and(|message| message.get("parts").is_some());
            match (session.is_some() && uuid.is_some(), parent.is_some() && sidechain.is_some()) {
                _ if foreign => None,
                (true, true) => Some((Sign::Certain, "a record with sessionId, parentUuid and isSidechain")),
                (true, false) => Some((Sign::Strong, "a record with sessionId and uuid")),
                (false, true) if uuid.is_some() => {
                    Some((Sign::Strong, "a record with parentUuid and isSidechain"))
                }
                _ => None,
            }
        }
        "summary" if leaf.is_some() => Some((Sign::Certain, "a summary with leafUuid")),
        "file-history-snapshot" if snapshot.is_some() => {
            Some((Sign::Certain, "a file-history-snapshot record"))
        }
        known if session.is_some() && super::beside::is_metadata(known) => {
            Some((Sign::Strong, "metadata of a saved session"))
        }
        _ => None,
    }
}
