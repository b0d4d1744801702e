//! Items: the parts of the ordered list, each owning what it shows.
//!
//! Short facts are fields. What may be large or is a list (raw inputs, outputs, contents) stays packed and is
//! borrowed or unpacked by a method when somebody looks.

use super::kept::{Kept, Name};
use super::text::{Growing, Output};
use crate::event::{
    Artifact, Citations, ContentBlock, Error, Grown, Interrupt, InterruptResolved, Location, Notice,
    OutputStream, PlanEntry, Role, ToolContent, ToolKind, ToolStatus, Update,
};
use crate::framing::Source;

/// How many sources an item lists; more are only counted.
pub(super) const LISTED_SOURCES: usize = 64;

/// One part of the list: a text block, a tool card, a plan, an interrupt, a notice.
#[derive(Clone, Debug)]
pub struct Item {
    /// Its place in the list, never changed.
    pub number: u32,
    /// The transcript's revision when it changed last.
    pub revision: u64,
    /// The revision when it changed last by more than text at the end of what it had.
    pub(super) reshaped: u64,
    /// The wire's session.
    pub session_id: Option<Name>,
    /// Key of the agent; `None` is the main agent.
    pub agent_id: Option<Name>,
    /// The card it stands under, where an event of the item said so; see `Transcript::parent_of` for late links.
    pub parent_tool_call_id: Option<Name>,
    /// The model message it belongs to.
    pub message_id: Option<Name>,
    /// The model that made it.
    pub model: Option<Name>,
    /// First timestamp the wire gave.
    pub timestamp: Option<Box<str>>,
    /// Why the wire took it back. It keeps its content, but is no output and not open.
    pub withdrawn: Option<Box<str>>,
    /// A limit cut some of its content off.
    pub truncated: bool,
    /// What it shows.
    pub body: Body,
    /// The record that created it.
    pub first_source: Source,
    /// The listed records between the first and the last one: most items have no third, and no list is made for them.
    pub(super) more_sources: Vec<Source>,
    /// How many records touched it.
    pub source_count: u64,
    pub(super) last_source: Source,
}

/// What an item shows.
#[derive(Clone, Debug)]
pub enum Body {
    /// Nothing came for this number, yet a higher one did.
    Missing,
    /// A text of the agent, a thought, a text of the user.
    Text(TextPart),
    /// A tool call and its result.
    Tool(Box<ToolCard>),
    /// A todo list.
    Plan(PlanPart),
    /// An approval, a question or a notice to the user.
    Interrupt(InterruptPart),
    /// A status sentence or a plain line.
    Notice(NoticePart),
    /// An error.
    Error(ErrorPart),
    /// Sources of an answer.
    Citations(CitationsPart),
    /// A download.
    Artifact(ArtifactPart),
}

/// A text block and where it stands.
#[derive(Clone, Debug)]
pub struct TextPart {
    /// Who speaks.
    pub role: Role,
    pub(super) text: Growing,
    /// Blocks that are not text, as chunks.
    pub(super) blocks: Vec<Kept>,
    /// The wire closed the part; no caret any more.
    pub ended: bool,
    /// It broke off.
    pub aborted: bool,
    /// The wire's own word for why it ended.
    pub stop_reason: Option<Box<str>>,
}

impl TextPart {
    /// The text so far.
    pub fn text(&self) -> &str {
        self.text.as_str()
    }

    /// Its blocks that are not text.
    pub fn blocks(&self) -> Vec<ContentBlock<'_>> {
        let content = |update| match update {
            Update::AgentMessageChunk(chunk) => Some(chunk.content),
            Update::AgentThoughtChunk(chunk) => Some(chunk.content),
            Update::UserMessageChunk(chunk) => Some(chunk.content),
            _ => None,
        };
        self.blocks.iter().filter_map(Kept::update).filter_map(content).collect()
    }
}

/// A tool call, its progress and its result.
#[derive(Clone, Debug)]
pub struct ToolCard {
    /// Unique in the stream.
    pub tool_call_id: Name,
    /// The wire's id, where the card had to get another one.
    pub wire_tool_call_id: Option<Name>,
    /// Display text.
    pub title: Box<str>,
    /// The harness's own name of the tool.
    pub tool_name: Option<Name>,
    /// Chooses the icon.
    pub kind: ToolKind,
    /// Where it stands.
    pub status: ToolStatus,
    /// The status is concluded, not stated by the wire.
    pub status_inferred: bool,
    /// The card appeared before its call did (or its call never came).
    pub inferred: bool,
    pub(super) raw_input: Option<Box<str>>,
    pub(super) raw_output: Option<Box<str>>,
    pub(super) input_text: Growing,
    pub(super) output: Output,
    /// A `tool_call_update` that holds nothing but the content.
    pub(super) input_content: Option<Kept>,
    pub(super) result_content: Option<Kept>,
    pub(super) locations: Option<Kept>,
}

impl ToolCard {
    /// The arguments as raw JSON text.
    pub fn raw_input(&self) -> Option<&str> {
        self.raw_input.as_deref()
    }

    /// The wire's result record as raw JSON text.
    pub fn raw_output(&self) -> Option<&str> {
        self.raw_output.as_deref()
    }

    /// The argument text that streamed in, all pieces joined.
    pub fn input_text(&self) -> &str {
        self.input_text.as_str()
    }

    /// What the tool printed while it ran, all streams in the order they came.
    pub fn output_text(&self) -> &str {
        self.output.text.as_str()
    }

    /// The same in stretches of one stream.
    pub fn output_runs(&self) -> impl Iterator<Item = (Option<OutputStream>, &str)> {
        self.output.runs()
    }

    /// Input side: diffs, prompts.
    pub fn input_content(&self) -> Vec<ToolContent<'_>> {
        contents(self.input_content.as_ref())
    }

    /// Result side.
    pub fn result_content(&self) -> Vec<ToolContent<'_>> {
        contents(self.result_content.as_ref())
    }

    /// Files it touches.
    pub fn locations(&self) -> Vec<Location<'_>> {
        match self.locations.as_ref().and_then(Kept::update) {
            Some(Update::ToolCallUpdate(update)) => update.locations.unwrap_or_default().to_vec(),
            _ => Vec::new(),
        }
    }

    /// Neither completed nor failed.
    pub fn is_open(&self) -> bool {
        !matches!(self.status, ToolStatus::Completed | ToolStatus::Failed)
    }
}

fn contents(kept: Option<&Kept>) -> Vec<ToolContent<'_>> {
    match kept.and_then(Kept::update) {
        Some(Update::ToolCallUpdate(update)) => update.content.unwrap_or_default().to_vec(),
        _ => Vec::new(),
    }
}

/// The newest state of a todo list.
#[derive(Clone, Debug)]
pub struct PlanPart(pub(super) Kept);

impl PlanPart {
    /// Its entries.
    pub fn entries(&self) -> Vec<PlanEntry<'_>> {
        match self.0.update() {
            Some(Update::Plan(plan)) => plan.entries.to_vec(),
            _ => Vec::new(),
        }
    }
}

/// An interrupt and, once it is over, how it ended.
#[derive(Clone, Debug)]
pub struct InterruptPart {
    pub(super) asked: Kept,
    /// The wire's other words about it, raw JSON: answering may need them.
    pub(super) extra: Option<Box<str>>,
    pub(super) resolved: Option<Kept>,
    pub(super) resolved_by_wire: bool,
}

impl InterruptPart {
    /// What is asked.
    pub fn interrupt(&self) -> Interrupt<'_> {
        match self.asked.update() {
            Some(Update::Interrupt(interrupt)) => interrupt,
            _ => Interrupt::default(),
        }
    }

    /// What the asking record said beside it, raw JSON.
    pub fn extra(&self) -> Option<&str> {
        self.extra.as_deref()
    }

    /// How it ended; `None` while it waits.
    pub fn resolution(&self) -> Option<InterruptResolved<'_>> {
        match self.resolved.as_ref().and_then(Kept::update) {
            Some(Update::InterruptResolved(resolved)) => Some(resolved),
            _ => None,
        }
    }

    /// It still waits.
    pub fn is_open(&self) -> bool {
        self.resolved.is_none()
    }
}

macro_rules! kept_part {
    ($(#[$doc:meta])* $part:ident, $method:ident, $update:ident) => {
        $(#[$doc])*
        #[derive(Clone, Debug)]
        pub struct $part(pub(super) Kept);

        impl $part {
            /// All it says.
            pub fn $method(&self) -> $update<'_> {
                match self.0.update() {
                    Some(Update::$update(update)) => update,
                    _ => $update::default(),
                }
            }
        }
    };
}
kept_part!(
    /// A status sentence, a plain line, something on stderr.
    NoticePart, notice, Notice
);
kept_part!(
    /// An error the wire reported.
    ErrorPart, error, Error
);
kept_part!(
    /// Sources of an answer.
    CitationsPart, citations, Citations
);
kept_part!(
    /// A file to download. The URL is untrusted.
    ArtifactPart, artifact, Artifact
);

impl Item {
    pub(super) fn missing(number: u32, revision: u64) -> Item {
        Item {
            number,
            revision,
            reshaped: revision,
            session_id: None,
            agent_id: None,
            parent_tool_call_id: None,
            message_id: None,
            model: None,
            timestamp: None,
            withdrawn: None,
            truncated: false,
            body: Body::Missing,
            first_source: Source::default(),
            more_sources: Vec::new(),
            source_count: 0,
            last_source: Source::default(),
        }
    }

    /// Remembers the record behind an event, each record once.
    #[inline(always)]
    pub(super) fn touched_by(&mut self, source: Source) {
        if self.source_count == 0 {
            self.first_source = source;
        } else if self.last_source == source {
            return;
        } else if (2..=LISTED_SOURCES as u64).contains(&self.source_count) {
            self.more_sources.push(self.last_source);
        }
        self.last_source = source;
        self.source_count += 1;
    }

    /// The first records that touched it (at most 64), each once.
    pub fn sources(&self) -> impl Iterator<Item = &Source> {
        let first = (self.source_count > 0).then_some(&self.first_source);
        let last = (2..=LISTED_SOURCES as u64).contains(&self.source_count).then_some(&self.last_source);
        first.into_iter().chain(&self.more_sources).chain(last)
    }

    /// The text of it that grows.
    pub(super) fn grown(&mut self, grown: Grown) -> Option<&mut Growing> {
        match (&mut self.body, grown) {
            (Body::Text(part), Grown::Text) => Some(&mut part.text),
            (Body::Tool(card), Grown::Input) => Some(&mut card.input_text),
            _ => None,
        }
    }

    /// The same for some records in a row, each of them another.
    pub(super) fn touched_by_all(&mut self, count: usize, source: impl Fn(usize) -> Source) {
        // One beyond the list, which ends only when the next record comes.
        let listed = (LISTED_SOURCES as u64 + 1).saturating_sub(self.source_count);
        let listed = count.min(usize::try_from(listed).unwrap_or(count));
        self.more_sources.reserve(listed);
        for number in 0..listed {
            self.touched_by(source(number));
        }
        if listed < count {
            self.source_count += (count - listed) as u64;
            self.last_source = source(count - 1);
        }
    }

    /// A limit cut something off, unless the content is whole. For items that this apply marked.
    pub(super) fn cut_unless(&mut self, whole: bool) {
        if !whole && !self.truncated {
            self.truncated = true;
            self.reshaped = self.revision;
        }
    }

    /// The text part, if it is one.
    pub fn as_text(&self) -> Option<&TextPart> {
        if let Body::Text(part) = &self.body { Some(part) } else { None }
    }

    /// The tool card, if it is one.
    pub fn as_tool(&self) -> Option<&ToolCard> {
        if let Body::Tool(card) = &self.body { Some(card) } else { None }
    }
}
