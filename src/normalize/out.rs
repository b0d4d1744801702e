//! Where events leave: numbering of items, the `core` filter, and what every event tells the report.

use crate::dialect::Context;
use crate::event::{Batch, ContentBlock, Envelope, Json, Update};
use crate::framing::Source;

/// Collects the events of one push.
pub(super) struct Out {
    pub batch: Batch,
    /// The record that is being read.
    pub source: Source,
    /// Only the eight core updates leave.
    pub core: bool,
    /// Events of the current record, those the filter held back included.
    pub from_record: u32,
    /// Events that left since the start.
    pub sent: u64,
    /// The agent did something that counts as work.
    pub did_work: bool,
    items: u32,
}

impl Out {
    pub fn new(core: bool) -> Self {
        Out {
            batch: Batch::new(),
            source: Source::default(),
            core,
            from_record: 0,
            sent: 0,
            did_work: false,
            items: 0,
        }
    }

    /// The number of a new item.
    pub fn new_item(&mut self) -> u32 {
        self.items += 1;
        self.items - 1
    }

    /// How many items there are.
    pub fn items(&self) -> u32 {
        self.items
    }

    /// Sends one event.
    pub fn emit(
        &mut self,
        context: &Context<'_>,
        parent: Option<&str>,
        item: Option<u32>,
        update: &Update<'_>,
    ) {
        self.from_record += 1;
        self.did_work |= is_work(update);
        if self.core && !is_core(update) {
            return;
        }
        let envelope = Envelope {
            item,
            session_id: context.session,
            timestamp: context.timestamp,
            model: context.model,
            message_id: context.message,
            parent_tool_call_id: parent,
            // An agent without a key of its own is told apart by the call that runs it, as its lane is.
            agent_id: context.agent.or(context.parent_call),
            extra: context.extra.filter(|Json(raw)| *raw != "{}"),
        };
        self.batch.push(&envelope, self.source, update);
        self.sent += 1;
    }
}

impl Out {
    /// Sends an event with source and envelope of the one sent just before, which was none of those that `core` holds back.
    pub fn emit_beside(&mut self, update: &Update<'_>) {
        self.from_record += 1;
        self.did_work |= is_work(update);
        if !self.core || is_core(update) {
            self.batch.push_beside(update);
            self.sent += 1;
        }
    }
}

/// The updates a handler written for the Evolve stream knows.
fn is_core(update: &Update<'_>) -> bool {
    matches!(
        update,
        Update::AgentMessageChunk(_)
            | Update::AgentThoughtChunk(_)
            | Update::UserMessageChunk(_)
            | Update::ToolCall(_)
            | Update::ToolCallUpdate(_)
            | Update::Plan(_)
            | Update::Error(_)
            | Update::Usage(_)
    )
}

fn is_work(update: &Update<'_>) -> bool {
    match update {
        Update::AgentMessageChunk(chunk) => has_characters(&chunk.content),
        Update::AgentThoughtChunk(chunk) => has_characters(&chunk.content),
        Update::ToolCall(_)
        | Update::Plan(_)
        | Update::Citations(_)
        | Update::Artifact(_)
        | Update::SharedState(_) => true,
        _ => false,
    }
}

fn has_characters(content: &ContentBlock<'_>) -> bool {
    !matches!(content, ContentBlock::Text { text } if text.is_empty())
}
