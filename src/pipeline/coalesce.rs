//! The `coalesce` option: all a batch adds to one text leaves as one chunk.
//!
//! A page that draws once per chunk of the network has no use for each token. What the events fold to stays the same; only
//! how many there are, and so their numbers, depends on the cuts.

use crate::event::{Batch, ContentBlock, OutputDelta, OutputStream, ToolCallUpdate, UiEvent, Update};
use crate::framing::Source;

/// Joins the chunks of each batch.
#[derive(Debug, Default)]
pub(super) struct Coalescer {
    batch: Batch,
    /// Chunks of the batch, each item's newest last.
    chunks: Vec<Chunk>,
    /// Events that left in others.
    joined: u64,
}

/// Which of an item's texts grows.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Growth {
    Text,
    Input,
    Output(Option<OutputStream>),
}

/// Several events as one.
#[derive(Debug)]
struct Chunk {
    /// The first one's place in the batch.
    position: usize,
    item: u32,
    growth: Growth,
    text: String,
    source: Source,
    /// More can be added: nothing else was said of the item since.
    is_open: bool,
}

impl Coalescer {
    /// The events of a batch, joined. Costs one look at each event.
    pub fn join(&mut self, batch: &Batch) -> &Batch {
        self.chunks.clear();
        let mut last = Vec::new();
        for (position, event) in batch.iter().enumerate() {
            last.push(self.sort(position, &event));
        }
        let next = self.batch.next_seq();
        self.batch.clear(next);
        for (event, place) in batch.iter().zip(last) {
            match place {
                None => {
                    self.batch.push(&event.envelope, event.source, &event.update);
                }
                Some(place) => match self.chunks.get(place) {
                    Some(chunk) if event.seq == batch.first_seq() + chunk.position as u64 => {
                        let update = grown(&event.update, &chunk.text);
                        self.batch.push(&event.envelope, chunk.source, &update);
                    }
                    _ => self.joined += 1,
                },
            }
        }
        &self.batch
    }

    /// Events that left in others, since the start.
    pub fn joined(&self) -> u64 {
        self.joined
    }

    /// The chunk that an event is part of; none if it leaves as it is.
    fn sort(&mut self, position: usize, event: &UiEvent<'_>) -> Option<usize> {
        let Some((item, (growth, text))) = event.envelope.item.zip(growth(&event.update)) else {
            self.close(event);
            return None;
        };
        let open = self.chunks.iter().rposition(|chunk| chunk.is_open && chunk.item == item);
        if let Some((place, chunk)) = open.and_then(|place| Some((place, self.chunks.get_mut(place)?))) {
            if chunk.growth == growth {
                chunk.text.push_str(text);
                chunk.source.length =
                    (event.source.offset + event.source.length).saturating_sub(chunk.source.offset);
                return Some(place);
            }
            chunk.is_open = false;
        }
        let text = text.to_owned();
        self.chunks.push(Chunk { position, item, growth, text, source: event.source, is_open: true });
        Some(self.chunks.len() - 1)
    }

    /// What is said of an item otherwise comes behind its text so far.
    fn close(&mut self, event: &UiEvent<'_>) {
        let all = matches!(event.update, Update::Withdrawn(_) | Update::Run(_));
        for chunk in self.chunks.iter_mut().filter(|chunk| all || event.envelope.item == Some(chunk.item)) {
            chunk.is_open = false;
        }
    }
}

/// The text that an update adds, if it does nothing else.
fn growth<'a>(update: &'a Update<'_>) -> Option<(Growth, &'a str)> {
    let content = match update {
        Update::AgentMessageChunk(chunk) => &chunk.content,
        Update::AgentThoughtChunk(chunk) => &chunk.content,
        Update::UserMessageChunk(chunk) => &chunk.content,
        Update::ToolCallUpdate(told) => {
            let bare = |delta: ToolCallUpdate<'_>| {
                *told == ToolCallUpdate { tool_call_id: told.tool_call_id, ..delta }
            };
            let (input, output) = (told.input_delta, told.output_delta.clone());
            return match (input, output) {
                (Some(text), None) if bare(ToolCallUpdate { input_delta: input, ..Default::default() }) => {
                    Some((Growth::Input, text))
                }
                (None, Some(OutputDelta { text, stream }))
                    if bare(ToolCallUpdate {
                        output_delta: told.output_delta.clone(),
                        ..Default::default()
                    }) =>
                {
                    Some((Growth::Output(stream), text))
                }
                _ => None,
            };
        }
        _ => return None,
    };
    match content {
        ContentBlock::Text { text } => Some((Growth::Text, text)),
        _ => None,
    }
}

/// The update with this text in place of its own.
fn grown<'a>(update: &Update<'a>, text: &'a str) -> Update<'a> {
    let mut update = update.clone();
    match &mut update {
        Update::AgentMessageChunk(chunk) => chunk.content = ContentBlock::Text { text },
        Update::AgentThoughtChunk(chunk) => chunk.content = ContentBlock::Text { text },
        Update::UserMessageChunk(chunk) => chunk.content = ContentBlock::Text { text },
        Update::ToolCallUpdate(told) => {
            told.input_delta = told.input_delta.map(|_| text);
            if let Some(delta) = &mut told.output_delta {
                delta.text = text;
            }
        }
        _ => {}
    }
    update
}
