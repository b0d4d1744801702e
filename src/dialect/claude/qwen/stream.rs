//! `stream_event`: pieces of the message whose whole line follows.
//!
//! No block names its message, and numbers begin again behind each whole line, so a piece belongs to the blocks that
//! its thread has begun since. The start of a message comes once per reply and names the first of its messages only.

use super::super::Line;
use super::super::memory::Memory;
use super::super::speaker::Speaker;
use crate::dialect::tools::gemini as tools;
use crate::dialect::{CallRef, Fact, PartKind, PartRef, ToolSeen};
use crate::json::Value;

/// Blocks of one message, and threads, that are open at once.
const MOST: usize = 256;

/// The threads that stream: the main agent and its helpers.
#[derive(Default)]
pub(super) struct Lanes {
    lanes: Vec<Lane>,
    /// Blocks begun so far, for names.
    count: u64,
}

#[derive(Default)]
struct Lane {
    parent: Option<String>,
    /// The reply's first message, until its whole line came.
    message: Option<String>,
    blocks: Pieces,
}

/// The blocks a thread has begun since its last whole line.
#[derive(Default)]
pub(super) struct Pieces(Vec<Block>);

struct Block {
    index: u32,
    /// `None`: a call.
    kind: Option<PartKind>,
    /// Name of the part, or id of the call.
    name: String,
}

impl Pieces {
    /// The part that streamed under this number, else a new one.
    pub fn part(&self, index: u32) -> PartRef<'_> {
        let block = self.0.iter().find(|block| block.index == index && block.kind.is_some());
        block.map_or(PartRef::New, |block| PartRef::Id(&block.name))
    }

    /// All parts.
    pub fn open_parts(&self) -> impl Iterator<Item = PartRef<'_>> {
        self.0.iter().filter(|block| block.kind.is_some()).map(|block| PartRef::Id(&block.name))
    }
}

impl Lanes {
    fn of(&mut self, parent: Option<&str>) -> &mut Lane {
        let at = match self.lanes.iter().position(|lane| lane.parent.as_deref() == parent) {
            Some(at) => at,
            None => {
                if self.lanes.len() >= MOST {
                    self.lanes.remove(1);
                }
                self.lanes.push(Lane { parent: parent.map(str::to_owned), ..Lane::default() });
                self.lanes.len() - 1
            }
        };
        &mut self.lanes[at]
    }

    /// The message is whole: its blocks are told again and forgotten.
    pub fn take(&mut self, parent: Option<&str>) -> Pieces {
        let lane = self.lanes.iter_mut().find(|lane| lane.parent.as_deref() == parent);
        lane.map_or_else(Pieces::default, |lane| {
            lane.message = None;
            std::mem::take(&mut lane.blocks)
        })
    }
}

pub(super) fn event(line: &Line<'_>, memory: &Memory, lanes: &mut Lanes, speaker: &mut Speaker<'_, '_>) {
    let Some(event) = line.event else { return speaker.wrong_type("event") };
    let [kind, index, delta, block, message] =
        event.fields(["type", "index", "delta", "content_block", "message"]);
    let kind = speaker.text(kind, "event.type").unwrap_or_default();
    let index = index.and_then(Value::u64).and_then(|index| u32::try_from(index).ok());
    match (&*kind, index) {
        ("content_block_delta", Some(index)) => piece(line, index, delta, lanes, speaker),
        ("content_block_start", Some(index)) => match block {
            Some(block) => begin(line, index, block, lanes, speaker),
            None => speaker.wrong_type("event.content_block"),
        },
        // The whole line, which follows at once, ends the part with its id and model.
        ("content_block_stop", Some(_)) => speaker.say(Fact::Ignored("block-stop")),
        ("content_block_delta" | "content_block_start" | "content_block_stop", None) => {
            speaker.wrong_type("event.index");
        }
        ("message_start", _) => {
            let id = message.and_then(|message| message.get("id")?.str());
            lanes.of(line.parent.as_deref()).message = id.map(std::borrow::Cow::into_owned);
            speaker.say(Fact::Ignored("message-start"));
        }
        ("message_stop", _) => speaker.say(Fact::Ignored("message-stop")),
        ("goal_state" | "active_goal", _) => speaker.say(Fact::Ignored("goal-state")),
        ("tool_progress", _) => {
            let call = event.get("tool_use_id").and_then(Value::str);
            let agent = memory.caller(call.as_deref()).map(str::to_owned);
            let mut speaker = speaker.narrowed();
            speaker.context.agent = agent.as_deref().or(speaker.context.agent);
            super::tool_progress(event, &mut speaker);
        }
        (kind, _) => speaker.unknown(Some(&["stream_event/", kind].concat()), line.value),
    }
}

fn begin(line: &Line<'_>, index: u32, block: Value<'_>, lanes: &mut Lanes, speaker: &mut Speaker<'_, '_>) {
    let [kind, text, thinking, id, name] = block.fields(["type", "text", "thinking", "id", "name"]);
    let kind = speaker.text(kind, "content_block.type").unwrap_or_default();
    let (kind, first) = match &*kind {
        "text" => (Some(PartKind::Agent), text),
        "thinking" => (Some(PartKind::Thought), thinking),
        "tool_use" => (None, None),
        _ => return speaker.say(Fact::Ignored("block-start")),
    };
    lanes.count += 1;
    let id = speaker.text(id, "content_block.id").filter(|id| !id.is_empty());
    let own =
        if kind.is_some() { Some(lanes.count.to_string()) } else { id.map(std::borrow::Cow::into_owned) };
    let lane = lanes.of(line.parent.as_deref());
    // A number that comes again belongs to another message, whose predecessor broke off.
    lane.blocks.0.retain(|block| block.index < index);
    let message = lane.message.as_deref();
    match (kind, own.as_deref()) {
        (Some(kind), Some(part)) => {
            let part = PartRef::Id(part);
            speaker.say_in(message, None, Fact::PartOpen { part, kind });
            if let Some(text) = first.and_then(Value::text).filter(|text| !text.is_empty()) {
                speaker.say_in(message, None, Fact::PartDelta { part, kind, text });
            }
        }
        (_, id) => {
            let name = speaker.text(name, "content_block.name");
            let shown = name.as_deref().map(|name| tools::present(name, None).kind);
            let call = CallRef::of(id);
            let seen = ToolSeen { name: name.as_deref(), kind: shown, ..ToolSeen::about(call) };
            speaker.say_in(message, None, Fact::ToolSeen(seen));
        }
    }
    if let Some(name) = own.filter(|_| lane.blocks.0.len() < MOST) {
        lane.blocks.0.push(Block { index, kind, name });
    }
}

fn piece(
    line: &Line<'_>,
    index: u32,
    delta: Option<Value<'_>>,
    lanes: &mut Lanes,
    speaker: &mut Speaker<'_, '_>,
) {
    let Some(delta) = delta else { return speaker.wrong_type("event.delta") };
    let [text, thinking, json] = delta.fields(["text", "thinking", "partial_json"]);
    let lane = lanes.of(line.parent.as_deref());
    let Some(block) = lane.blocks.0.iter().find(|block| block.index == index) else {
        return orphan(text, thinking, speaker);
    };
    let piece = match block.kind {
        Some(PartKind::Thought) => thinking,
        Some(_) => text,
        None => json,
    };
    let Some(words) = piece.and_then(Value::text) else { return speaker.wrong_type("event.delta") };
    if words.is_empty() {
        return speaker.say(Fact::Ignored("empty-delta"));
    }
    let raw = piece.and_then(Value::str_raw).unwrap_or_default();
    match line.uuid.as_deref() {
        Some(uuid) => speaker.repeatable(&[raw, uuid]),
        None => speaker.repeatable(&[raw]),
    }
    let fact = match block.kind {
        Some(kind) => Fact::PartDelta { part: PartRef::Id(&block.name), kind, text: words },
        None => Fact::InputDelta { call: CallRef::Id(&block.name), text: words },
    };
    speaker.say_in(lane.message.as_deref(), None, fact);
}

/// A piece of a block whose beginning is not in the stream.
fn orphan(text: Option<Value<'_>>, thinking: Option<Value<'_>>, speaker: &mut Speaker<'_, '_>) {
    let kind = if text.is_some() { PartKind::Agent } else { PartKind::Thought };
    match text.or(thinking).and_then(Value::text) {
        Some(text) => speaker.say(Fact::PartDelta { part: PartRef::Run, kind, text }),
        None => speaker.say(Fact::Ignored("orphan-delta")),
    }
}
