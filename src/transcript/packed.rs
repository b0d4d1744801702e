//! Items as words and one text, laid out like events (`event/batch.rs`): the form in which they cross to JavaScript.
//!
//! One record an item. Of one that only grew it is
//!
//! ```text
//! words of the record, 0, revision, source count, new ends of text, input and output
//! ```
//!
//! and of any other
//!
//! ```text
//! words of the record, sort and tails, head of an event, revision, source count, withdrawn, truncated, body
//! ```
//!
//! with revision and count two words each, low word first. The envelope's `extra` is an interrupt's. To print an item as
//! JSON and parse that took three times as long. Read by pkg/src/itemreader.ts.

use super::Transcript;
use super::growth::{Growth, Seen};
use super::item::{Body, InterruptPart, Item, TextPart, ToolCard};
use super::json::ItemJson;
use super::kept::Kept;
use super::text::Output;
use crate::event::{Batch, Envelope, Json, OutputStream, Update, utf16_units};

/// Sorts, in the low bits of the second word. 0 is an item that only grew.
const MISSING: u32 = 1;
const TEXT: u32 = 2;
const TOOL: u32 = 3;
const PLAN: u32 = 4;
const INTERRUPT: u32 = 5;
const NOTICE: u32 = 6;
const ERROR: u32 = 7;
const CITATIONS: u32 = 8;
const ARTIFACT: u32 = 9;

/// In the second word: of this text only the end is here.
const TEXT_TAIL: u32 = 1 << 8;
const INPUT_TAIL: u32 = 2 << 8;
const OUTPUT_TAIL: u32 = 4 << 8;

impl Transcript {
    /// Appends what a reader lacks of an item, as words that are no event; nothing when there is no such item.
    pub fn pack_item(&self, out: &mut Batch, number: u32, seen: &mut Seen) {
        if let Some(growth) = self.growth(number, seen) {
            return out.counted(|out| grown(out, &growth));
        }
        let Some(item) = self.item(number) else { return };
        let parent = self.parent_of(number);
        seen.at = item.revision;
        out.counted(|out| match &item.body {
            Body::Missing => head(out, item, parent.as_deref(), MISSING, None),
            Body::Text(part) => {
                let (text, tail) = seen.text.take(&part.text);
                head(out, item, parent.as_deref(), TEXT + u32::from(tail) * TEXT_TAIL, None);
                text_part(out, part, text);
            }
            Body::Tool(card) => {
                let (input, of_input) = seen.input.take(&card.input_text);
                let (output, of_output) = seen.output.take(&card.output.text);
                let tails = u32::from(of_input) * INPUT_TAIL + u32::from(of_output) * OUTPUT_TAIL;
                head(out, item, parent.as_deref(), TOOL + tails, None);
                tool(out, card, [input, output]);
            }
            Body::Interrupt(part) => {
                head(out, item, parent.as_deref(), INTERRUPT, part.extra());
                interrupt(out, part);
            }
            Body::Plan(part) => whole(out, item, parent.as_deref(), PLAN, &part.0),
            Body::Notice(part) => whole(out, item, parent.as_deref(), NOTICE, &part.0),
            Body::Error(part) => whole(out, item, parent.as_deref(), ERROR, &part.0),
            Body::Citations(part) => whole(out, item, parent.as_deref(), CITATIONS, &part.0),
            Body::Artifact(part) => whole(out, item, parent.as_deref(), ARTIFACT, &part.0),
        });
    }
}

fn grown(out: &mut Batch, growth: &Growth<'_>) {
    out.word(0);
    out.long(growth.revision);
    out.long(growth.source_count);
    for tail in [growth.text, growth.input, growth.output] {
        filled(out, tail);
    }
}

fn head(out: &mut Batch, item: &Item, parent: Option<&str>, sort: u32, extra: Option<&str>) {
    out.word(sort);
    let envelope = Envelope {
        item: Some(item.number),
        session_id: item.session_id.as_deref(),
        timestamp: item.timestamp.as_deref(),
        model: item.model.as_deref(),
        message_id: item.message_id.as_deref(),
        parent_tool_call_id: parent,
        agent_id: item.agent_id.as_deref(),
        extra: extra.map(Json),
    };
    out.source_and_envelope(item.first_source, &envelope);
    out.long(item.revision);
    out.long(item.source_count);
    out.optional_text(item.withdrawn.as_deref());
    out.word(u32::from(item.truncated));
}

/// An item that is one update.
fn whole(out: &mut Batch, item: &Item, parent: Option<&str>, sort: u32, part: &Kept) {
    head(out, item, parent, sort, None);
    kept(out, Some(part));
}

fn text_part(out: &mut Batch, part: &TextPart, text: &str) {
    out.word(part.role.packed());
    out.optional_text(Some(text));
    out.word(u32::from(part.ended));
    out.word(u32::from(part.aborted));
    out.optional_text(part.stop_reason.as_deref());
    out.word(part.blocks.len() as u32);
    for block in &part.blocks {
        kept(out, Some(block));
    }
}

fn tool(out: &mut Batch, card: &ToolCard, [input, output]: [&str; 2]) {
    let limits = ItemJson::default();
    out.optional_text(Some(&card.tool_call_id));
    out.optional_text(card.wire_tool_call_id.as_deref());
    out.optional_text(Some(&card.title));
    out.optional_text(card.tool_name.as_deref());
    out.word(card.kind.packed());
    out.word(card.status.packed());
    out.word(u32::from(card.status_inferred));
    out.word(u32::from(card.inferred));
    raw(out, card.raw_input(), limits.raw_input_limit);
    raw(out, card.raw_output(), limits.raw_output_limit);
    filled(out, input);
    filled(out, output);
    streams(out, &card.output);
    for part in [&card.input_content, &card.result_content, &card.locations] {
        kept(out, part.as_ref());
    }
}

fn interrupt(out: &mut Batch, part: &InterruptPart) {
    kept(out, Some(&part.asked));
    kept(out, part.resolved.as_ref());
}

/// The JSON text, and its size where it stays inside.
fn raw(out: &mut Batch, json: Option<&str>, limit: usize) {
    let size = json.map_or(0, str::len);
    out.optional_text(json.filter(|_| size <= limit));
    out.long(if size <= limit { 0 } else { size as u64 });
}

/// Stream and end of each stretch, in UTF-16 units; none when the wire named no stream.
fn streams(out: &mut Batch, output: &Output) {
    if !output.names_streams() {
        return out.word(0);
    }
    out.counted(|out| {
        let mut end = 0;
        for (stream, text) in output.runs() {
            end += utf16_units(text);
            out.word(stream.map_or(0, OutputStream::packed));
            out.word(end);
        }
    });
}

fn kept(out: &mut Batch, part: Option<&Kept>) {
    let update: Option<Update<'_>> = part.and_then(Kept::update);
    out.update(update.as_ref());
}

/// Nothing for an empty text.
fn filled(out: &mut Batch, text: &str) {
    out.optional_text(Some(text).filter(|text| !text.is_empty()));
}
