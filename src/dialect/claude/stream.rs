//! `stream_event`: the pieces of a message while the model writes it.
//!
//! The hot path of the dialect: a delta allocates nothing. Blocks are named by their number in the message; the full
//! `assistant` line of a block comes before the block's stop.

use super::Line;
use super::memory::Memory;
use super::speaker::{Extra, Speaker, error};
use super::usage::Counts;
use crate::dialect::tools::claude as tools;
use crate::dialect::walk::Present;
use crate::dialect::{CallRef, ErrorFact, Fact, PartKind, PartRef, ToolSeen, WithdrawTarget};
use crate::event::{Unknown, Update};
use crate::json::Value;

pub(super) fn event(line: &Line<'_>, memory: &mut Memory, speaker: &mut Speaker<'_, '_>) {
    let Some(event) = line.event else {
        speaker.wrong_type("event");
        return;
    };
    let [kind, index, delta, block, message, usage] =
        event.fields(["type", "index", "delta", "content_block", "message", "usage"]);
    let kind = speaker.text(kind, "event.type").unwrap_or_default();
    if kind == "message_start" {
        message_start(line, message, memory, speaker);
        return;
    }
    let index = index.and_then(Value::u64).and_then(|index| u32::try_from(index).ok());
    let lane = memory.lanes.open(line.parent.as_deref());
    match (&*kind, index) {
        ("content_block_delta", Some(index)) => {
            let message = line.api_message.as_deref().or(lane.message.as_deref());
            block_delta(index, delta, line.uuid.as_deref(), message, speaker);
        }
        ("content_block_start", Some(index)) => {
            let Some(block) = block else { return speaker.wrong_type("event.content_block") };
            if block_start(line, index, block, lane.message.as_deref(), speaker) {
                lane.open_part(index);
            }
        }
        ("content_block_stop", Some(index)) => {
            let message = line.api_message.as_deref().or(lane.message.as_deref());
            match lane.parts.iter().position(|&open| open == index) {
                Some(at) => {
                    lane.parts.swap_remove(at);
                    let part = PartRef::Index(index);
                    of_message(speaker, message, Fact::PartEnd { part, stop_reason: None, aborted: false });
                }
                None => speaker.say(Fact::Ignored("block-stop")),
            }
        }
        ("content_block_delta" | "content_block_start" | "content_block_stop", None) => {
            speaker.wrong_type("event.index")
        }
        ("message_delta", _) => message_delta(line, delta, usage, memory, speaker),
        ("message_stop", _) => message_stop(line, memory, speaker),
        ("ping", _) => speaker.say(Fact::Ignored("ping")),
        ("error", _) => stream_error(event, speaker),
        _ => {
            let word = ["stream_event/", &kind].concat();
            speaker.say(Fact::Tell(Update::Unknown(Unknown { type_: Some(&word), raw: line.value.raw() })));
        }
    }
}

/// Says a fact of the message that streams. The id may live in the lane, so it cannot stay in the speaker's context.
fn of_message(speaker: &mut Speaker<'_, '_>, message: Option<&str>, fact: Fact<'_>) {
    speaker.say_in(message, None, fact);
}

/// A message that streams while another one is open means that the other broke; `normalize` closes it.
fn message_start(
    line: &Line<'_>,
    message: Option<Value<'_>>,
    memory: &mut Memory,
    speaker: &mut Speaker<'_, '_>,
) {
    let lane = memory.lanes.open(line.parent.as_deref());
    let [id, usage] = message.map_or([None, None], |message| message.fields(["id", "usage"]));
    let id = speaker.text(id, "event.message.id");
    let counts = usage.present().map(|usage| Counts::read(usage, speaker));
    lane.prompt = counts.map_or([None, None], |counts| [counts.prompt, counts.cached]);
    lane.message = id.or_else(|| line.api_message.clone()).map(|id| id.into_owned());
    lane.parts.clear();
    lane.stop_reason = None;
    speaker.say(Fact::Ignored("message-start"));
}

/// Whether the block is a text or a thought.
fn block_start(
    line: &Line<'_>,
    index: u32,
    block: Value<'_>,
    lane_message: Option<&str>,
    speaker: &mut Speaker<'_, '_>,
) -> bool {
    let message = line.api_message.as_deref().or(lane_message);
    let [kind, text, thinking, id, name, server] =
        block.fields(["type", "text", "thinking", "id", "name", "server_name"]);
    let kind = speaker.text(kind, "content_block.type").unwrap_or_default();
    let (part_kind, first) = match &*kind {
        "text" => (PartKind::Agent, text),
        "thinking" => (PartKind::Thought, thinking),
        "tool_use" | "server_tool_use" | "mcp_tool_use" => {
            let id = speaker.text(id, "content_block.id");
            let name = speaker.text(name, "content_block.name");
            let server = speaker.text(server, "content_block.server_name");
            let name = super::message::tool_name(&kind, name, server);
            let seen = ToolSeen {
                index: Some(index),
                name: name.as_deref(),
                kind: name.as_deref().map(tools::kind),
                ..ToolSeen::about(CallRef::of(id.as_deref()))
            };
            of_message(speaker, message, Fact::ToolSeen(seen));
            return false;
        }
        // Whole already; its full line follows.
        _ => {
            speaker.say(Fact::Ignored("block-start"));
            return false;
        }
    };
    let part = PartRef::Index(index);
    of_message(speaker, message, Fact::PartOpen { part, kind: part_kind });
    if let Some(text) = first.and_then(Value::text).filter(|text| !text.is_empty()) {
        of_message(speaker, message, Fact::PartDelta { part, kind: part_kind, text });
    }
    true
}

fn block_delta(
    index: u32,
    delta: Option<Value<'_>>,
    uuid: Option<&str>,
    message: Option<&str>,
    speaker: &mut Speaker<'_, '_>,
) {
    let Some(delta) = delta else { return speaker.wrong_type("event.delta") };
    let [kind, text, thinking, json] = delta.fields(["type", "text", "thinking", "partial_json"]);
    let kind = speaker.text(kind, "delta.type").unwrap_or_default();
    let (part_kind, piece) = match &*kind {
        "text_delta" => (Some(PartKind::Agent), text),
        "thinking_delta" => (Some(PartKind::Thought), thinking),
        "input_json_delta" => (None, json),
        "signature_delta" => return speaker.say(Fact::Ignored("signature")),
        // The full line of the block repeats them.
        "citations_delta" => return speaker.say(Fact::Ignored("citations-delta")),
        _ => return speaker.say(Fact::Ignored("unknown-delta")),
    };
    let Some(text) = piece.and_then(Value::text) else { return speaker.wrong_type("event.delta") };
    if text.is_empty() {
        return speaker.say(Fact::Ignored("empty-delta"));
    }
    let raw = piece.and_then(Value::str_raw).unwrap_or_default();
    match uuid {
        Some(uuid) => speaker.repeatable(&[raw, uuid]),
        None => speaker.repeatable(&[raw]),
    }
    let fact = match part_kind {
        Some(kind) => Fact::PartDelta { part: PartRef::Index(index), kind, text },
        None => Fact::InputDelta { call: CallRef::Index(index), text },
    };
    of_message(speaker, message, fact);
}

/// The true output count and the reason to stop.
fn message_delta(
    line: &Line<'_>,
    delta: Option<Value<'_>>,
    usage: Option<Value<'_>>,
    memory: &mut Memory,
    speaker: &mut Speaker<'_, '_>,
) {
    let lane = memory.lanes.open(line.parent.as_deref());
    let reason = speaker.text(delta.and_then(|delta| delta.get("stop_reason")), "delta.stop_reason");
    let mut extra = Extra::default();
    if let Some(reason) = &reason {
        extra.text("stop_reason", reason);
    }
    lane.stop_reason = reason.map(|reason| reason.into_owned());
    let message = line.api_message.as_deref().or(lane.message.as_deref());
    let Some(usage) = usage.present() else {
        return speaker.say(Fact::Ignored("message-delta"));
    };
    let mut counts = Counts::read(usage, speaker);
    if counts.prompt.is_none() {
        [counts.prompt, counts.cached] = lane.prompt;
    }
    counts.say(message, extra.finish().as_deref(), speaker);
}

/// The message is over; `abandoned_blocks` names where a broken answer has to be forgotten from.
fn message_stop(line: &Line<'_>, memory: &mut Memory, speaker: &mut Speaker<'_, '_>) {
    let lane = memory.lanes.open(line.parent.as_deref());
    let message = line.api_message.as_deref().or(lane.message.as_deref());
    if let Some(abandoned) = line.value.get("abandoned_blocks").present() {
        let [id, from] = abandoned.fields(["api_message_id", "from_block_index"]);
        let id = speaker.text(id, "abandoned_blocks.api_message_id");
        let from = from.and_then(Value::u64).and_then(|from| u32::try_from(from).ok());
        match (id.as_deref().or(message), from) {
            (Some(id), Some(from)) => {
                let target = WithdrawTarget::MessageFrom(id, from);
                of_message(speaker, Some(id), Fact::Withdraw { target, reason: "abandoned" });
            }
            _ => speaker.wrong_type("abandoned_blocks"),
        }
    }
    let stop_reason = lane.stop_reason.as_deref();
    of_message(speaker, message, Fact::MessageEnd { stop_reason, aborted: false });
    lane.message = None;
    lane.parts.clear();
    lane.stop_reason = None;
}

fn stream_error(event: Value<'_>, speaker: &mut Speaker<'_, '_>) {
    let [code, message] = event.get("error").map_or([None, None], |error| error.fields(["type", "message"]));
    let code = speaker.text(code, "error.type");
    let message = speaker.text(message, "error.message");
    let message = message.as_deref().or(code.as_deref()).unwrap_or("error");
    speaker.say(Fact::Error(ErrorFact { code: code.as_deref(), repeats: true, ..error(message) }));
}
