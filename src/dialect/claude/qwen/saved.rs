//! Saved sessions: linked records with messages in Gemini's form of parts, and system records of the program.

use super::super::Line;
use super::super::speaker::{Speaker, error, extra_of};
use crate::dialect::gemini::parts::Told;
use crate::dialect::gemini::saved::say_result;
use crate::dialect::walk::elements;
use crate::dialect::{CallRef, Fact, PartKind, UsageBasis};
use crate::event::{CompactionUpdate, SessionInfoUpdate};
use crate::json::Value;

/// Whether a value is one of these records.
pub(super) fn is_record(value: Value<'_>) -> bool {
    let [parent, session, message, payload] =
        value.fields(["parentUuid", "sessionId", "message", "systemPayload"]);
    parent.is_some()
        && session.is_some()
        && (payload.is_some() || message.is_some_and(|message| message.get("parts").is_some()))
}

pub(super) fn record(line: &Line<'_>, speaker: &mut Speaker<'_, '_>) {
    let [session, model, result, usage, payload, agent] = line.value.fields([
        "sessionId",
        "model",
        "toolCallResult",
        "usageMetadata",
        "systemPayload",
        "agentId",
    ]);
    let session = speaker.text(session, "sessionId");
    let model = speaker.text(model, "model");
    let agent = speaker.text(agent, "agentId");
    let parts = line.message.and_then(|message| message.get("parts"));
    let mut speaker = speaker.narrowed();
    speaker.context.session = session.as_deref();
    speaker.context.message = line.uuid.as_deref();
    speaker.context.model = model.as_deref();
    speaker.context.agent = agent.as_deref();
    let speaker = &mut speaker;
    let told = |kind| Told { kind, grows: false };
    match &*line.kind {
        "assistant" => {
            if let Some(parts) = parts {
                told(PartKind::Agent).content(parts, speaker);
            }
            if let Some(usage) = usage {
                say_tokens(usage, speaker);
            }
        }
        "tool_result" => tool_result(parts, result, speaker),
        "user" if line.subtype.is_some() => {
            // Notifications and the like are the program's words to the model.
            for text in elements(parts) {
                if let Some(text) = text.get("text").and_then(Value::text) {
                    speaker.say(Fact::Injected { text });
                }
            }
        }
        "user" => {
            let shown = payload
                .and_then(|payload| payload.get("displayText"))
                .filter(|text| text.str_raw().is_some());
            if let Some(content) = shown.or(parts) {
                told(PartKind::User).content(content, speaker);
            }
        }
        "system" => system(line, payload, speaker),
        kind => speaker.unknown(Some(kind), line.value),
    }
}

fn tool_result(parts: Option<Value<'_>>, result: Option<Value<'_>>, speaker: &mut Speaker<'_, '_>) {
    let [id, status, display, failure] =
        result.map_or([None; 4], |result| result.fields(["callId", "status", "resultDisplay", "error"]));
    let answered = || parts?.array()?.find_map(|part| part.get("functionResponse")?.get("id")?.str());
    let id = id.and_then(Value::str).or_else(answered).filter(|id| !id.is_empty());
    let call = CallRef::of(id.as_deref());
    let failed = match status.and_then(Value::str).as_deref() {
        Some(status) => status != "success",
        None => {
            failure.is_some_and(|failure| !failure.is_null())
                || parts.is_some_and(|parts| crate::dialect::gemini::parts::response(parts).1)
        }
    };
    say_result(call, failed, parts, display, speaker);
}

fn system(line: &Line<'_>, payload: Option<Value<'_>>, speaker: &mut Speaker<'_, '_>) {
    let subtype = line.subtype.as_deref().unwrap_or_default();
    match subtype {
        "ui_telemetry" | "attribution_snapshot" | "file_history_snapshot" | "branch_checkpoint" => {
            speaker.say(Fact::Ignored("bookkeeping"));
        }
        "chat_compression" => {
            let extra = payload.and_then(|payload| extra_of(payload, &["info"]));
            let update = CompactionUpdate { status: "completed", ..Default::default() };
            speaker.say_extra(extra.as_deref(), Fact::Tell(update.into()));
        }
        "custom_title" => {
            let title = payload.and_then(|payload| payload.get("customTitle")?.str());
            let info = SessionInfoUpdate { title: title.as_deref(), ..Default::default() };
            speaker.say(Fact::Tell(info.into()));
        }
        "turn_result" => {
            let message = payload.and_then(|payload| payload.get("error")?.get("message")?.str());
            match message.as_deref() {
                Some(message) => speaker.say(Fact::Error(error(message))),
                None => speaker.harness_event(subtype, line.value),
            }
        }
        _ => speaker.harness_event(subtype, line.value),
    }
}

fn say_tokens(usage: Value<'_>, speaker: &mut Speaker<'_, '_>) {
    let names = ["promptTokenCount", "candidatesTokenCount", "cachedContentTokenCount"];
    let counts = usage.fields(names).map(|count| count.and_then(Value::f64));
    let extra = extra_of(usage, &["thoughtsTokenCount", "totalTokenCount", "toolUsePromptTokenCount"]);
    speaker.usage(UsageBasis::Call, counts, extra.as_deref());
}
