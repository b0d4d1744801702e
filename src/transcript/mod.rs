//! Folds events into the state a UI shows: the ordered list of items, who works for whom, what the run stands at.
//!
//! One [`Transcript::apply`] per batch tells which items to draw again. An item's number is its place in the list and
//! never changes. The fold is dumb: it believes the events, because the promises about them were kept before
//! (`normalize`); what does not fit is left out and counted. It owns all it shows. Knows no dialect and reads no JSON.

mod agents;
mod cards;
mod dump;
mod fold;
mod growth;
mod item;
mod json;
mod kept;
mod packed;
mod session;
mod text;
mod usage;

use crate::hash::Index;
use std::ops::Range;

use crate::event::{Batch, Grown, Packer};

pub use agents::Agent;
pub use growth::{Growth, Seen};
pub use item::{
    ArtifactPart, Body, CitationsPart, ErrorPart, InterruptPart, Item, NoticePart, PlanPart, TextPart,
    ToolCard,
};
pub use json::ItemJson;
pub use kept::Name;
pub use session::{Compaction, ContextUse, Run, Session, SessionInfo};
pub use usage::{Totals, UsageTotals};

use agents::Agents;
use kept::{Names, Words};
use usage::UsageFold;

/// Limits of a transcript's memory. What is cut off is counted in [`Counters`], and its item says `truncated`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of one text, input, output or content of an item. 16 MiB.
    pub text_per_item: usize,
    /// Bytes of all of them together. 1 GiB.
    pub text: usize,
    /// Number of items. 4 million.
    pub items: u32,
    /// How many numbers in a row may be skipped; an event beyond is left out. 1024.
    pub gap: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { text_per_item: 16 << 20, text: 1 << 30, items: 4_000_000, gap: 1024 }
    }
}

/// What the transcript kept, and what it had to leave out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Bytes of text kept now.
    pub kept_bytes: u64,
    /// Bytes of text a limit cut off.
    pub dropped_bytes: u64,
    /// Items beyond the limit: their events were left out.
    pub over_limit: u64,
    /// Item numbers that were skipped and stand empty.
    pub gaps: u64,
    /// Events that fit no item: none named, of another sort, or far beyond the end.
    pub misplaced: u64,
}

/// What one [`Transcript::apply`] did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Change {
    /// Revision of the transcript now. Unchanged when nothing changed.
    pub revision: u64,
    /// Numbers of new items; empty, at the end of the list, when there are none.
    pub created: Range<u32>,
    /// Numbers of earlier items that changed: sorted, apart from each other, none of them in `created`.
    pub changed: Vec<Range<u32>>,
    /// Something beside the list changed: agents, runs, usage, session.
    pub state: bool,
}

impl Change {
    /// Whether nothing changed at all.
    pub fn is_empty(&self) -> bool {
        self.created.is_empty() && self.changed.is_empty() && !self.state
    }
}

/// The folded state of a stream.
#[derive(Clone, Debug, Default)]
pub struct Transcript {
    limits: Limits,
    revision: u64,
    items: Vec<Item>,
    /// The item that the last event added text to, and which text of it.
    grown: Option<(u32, Grown)>,
    /// By the number of the id.
    cards: Index,
    interrupts: Index,
    /// By the number of the agent plus one; 0: the main agent.
    plans: Index,
    agents: Agents,
    session: Session,
    usage: UsageFold,
    names: Names,
    counters: Counters,
    packer: Packer,
    did_work: bool,
    /// Room for the numbers of changed items.
    touched: Vec<u32>,
}

/// What an `apply` did so far.
struct Edit<'b> {
    revision: u64,
    changed: Vec<u32>,
    state: bool,
    /// Source and envelope of the event that touched an item last.
    place: &'b [u32],
    words: Words,
}

impl Transcript {
    /// An empty transcript with the usual limits.
    pub fn new() -> Transcript {
        Transcript::default()
    }

    /// An empty transcript with limits of its own.
    pub fn with_limits(limits: Limits) -> Transcript {
        Transcript { limits, ..Transcript::default() }
    }

    /// Folds the events of a batch. Costs their text; never the history.
    pub fn apply(&mut self, batch: &Batch) -> Change {
        let mut change = Change::default();
        self.apply_into(batch, &mut change);
        change
    }

    /// The same into a change of an earlier batch, whose list is used again: where each push is one token, two small
    /// allocations are a twentieth of it.
    pub fn apply_into(&mut self, batch: &Batch, change: &mut Change) {
        let first_created = self.len();
        let mut edit = Edit {
            revision: self.revision + 1,
            changed: std::mem::take(&mut self.touched),
            state: false,
            place: &[],
            words: Words::default(),
        };
        let mut position = 0;
        while position < batch.len() {
            if let Some(more) = batch.more_text(position)
                && self.more_text(&more, &mut edit)
            {
                position += more.events;
                continue;
            }
            if let Some(event) = batch.head(position) {
                self.fold_event(&event, &mut edit);
            }
            position += 1;
        }
        change.created = first_created..self.len();
        // Created items are marked at creation, so none of them can be among these.
        ranges(&mut edit.changed, &mut change.changed);
        change.state = edit.state;
        edit.changed.clear();
        self.touched = edit.changed;
        if !change.is_empty() {
            self.revision = edit.revision;
        }
        change.revision = self.revision;
    }

    /// Counts the applies that changed something.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// Number of items.
    pub fn len(&self) -> u32 {
        // The limit of items is a u32.
        self.items.len() as u32
    }

    /// Whether there are no items.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// The item of this number.
    pub fn item(&self, number: u32) -> Option<&Item> {
        self.items.get(number as usize)
    }

    /// The items of these numbers; the part of the range beyond the end is left out.
    pub fn items(&self, range: Range<u32>) -> &[Item] {
        let end = range.end.min(self.len());
        let start = range.start.min(end);
        self.items.get(start as usize..end as usize).unwrap_or(&[])
    }

    /// The item number of a tool card.
    pub fn card(&self, tool_call_id: &str) -> Option<u32> {
        self.cards.get(u64::from(self.names.known(tool_call_id)?))
    }

    /// The item number of an interrupt.
    pub fn interrupt(&self, interrupt_id: &str) -> Option<u32> {
        self.interrupts.get(u64::from(self.names.known(interrupt_id)?))
    }

    /// Interrupts that wait for an answer, in order. Costs a look at each interrupt.
    pub fn open_interrupts(&self) -> Vec<u32> {
        let waits = |item: &Item| matches!(&item.body, Body::Interrupt(part) if part.is_open());
        let open =
            |number: &u32| self.item(*number).is_some_and(|item| item.withdrawn.is_none() && waits(item));
        let mut numbers: Vec<u32> = self.interrupts.values().filter(open).collect();
        numbers.sort_unstable();
        numbers
    }

    /// The item number of the newest plan of an agent; `None` is the main agent.
    pub fn plan(&self, agent_id: Option<&str>) -> Option<u32> {
        let agent = match agent_id {
            Some(agent) => u64::from(self.names.known(agent)?) + 1,
            None => 0,
        };
        self.plans.get(agent)
    }

    /// The announced agents in order. The main agent is not among them.
    pub fn agents(&self) -> &[Agent] {
        &self.agents.list
    }

    /// An agent by its key.
    pub fn agent(&self, agent_id: &str) -> Option<&Agent> {
        self.agents.get(agent_id)
    }

    /// Numbers of an agent's items, ascending.
    pub fn items_of_agent(&self, agent_id: &str) -> Vec<u32> {
        self.agents.items_of(agent_id)
    }

    /// Numbers of the items that stand under a tool card, ascending: those whose events name it, and those of the
    /// agents it runs, whenever that became known. Only direct children.
    pub fn children(&self, tool_call_id: &str) -> Vec<u32> {
        self.agents.children(tool_call_id, &self.items)
    }

    /// Agents that a tool card runs.
    pub fn agents_of_card(&self, tool_call_id: &str) -> impl Iterator<Item = &Agent> {
        self.agents.run_by(tool_call_id)
    }

    /// Id of the card an item stands under, late links included. The card itself may not be known.
    pub fn parent_of(&self, number: u32) -> Option<Name> {
        self.agents.parent_of(self.item(number)?)
    }

    /// Runs, context window, mode, commands, shared state.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// Tokens and cost. Costs a walk over the model calls.
    pub fn usage(&self) -> UsageTotals {
        self.usage.totals()
    }

    /// The main agent's newest text that stands: the answer, where the wire does not tell it on its own.
    pub fn final_text(&self) -> Option<&str> {
        let texts = self.items.iter().rev().filter(|item| {
            item.withdrawn.is_none() && item.agent_id.is_none() && item.parent_tool_call_id.is_none()
        });
        texts.into_iter().find_map(|item| match &item.body {
            Body::Text(part) if part.role == crate::event::Role::Agent && !part.text().is_empty() => {
                Some(part.text())
            }
            _ => None,
        })
    }

    /// Whether the agent did anything: a text or thought with characters, a tool call, a plan, citations, an
    /// artifact or shared state came, whatever became of it.
    pub fn did_work(&self) -> bool {
        self.did_work
    }

    /// What was kept and what was left out.
    pub fn counters(&self) -> Counters {
        self.counters
    }
}

/// Numbers as sorted, disjoint ranges.
fn ranges(numbers: &mut [u32], ranges: &mut Vec<Range<u32>>) {
    ranges.clear();
    numbers.sort_unstable();
    for &number in numbers.iter() {
        match ranges.last_mut() {
            Some(last) if last.end == number => last.end = number + 1,
            _ => ranges.push(number..number + 1),
        }
    }
}
