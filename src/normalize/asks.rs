//! Interrupts: one item each, found again by id or by the call they are about, closed by the wire or by inference.

use std::collections::BTreeSet;
use std::collections::hash_map::Entry;

use super::NormalForm;
use super::lanes::LaneId;
use super::names::{Map, Name};
use crate::dialect::{Answered, Ask, AskRef, CallRef, Context, ToolChanged};
use crate::event::{
    IdSource, Interrupt, InterruptKind, InterruptOutcome, InterruptResolved, LinkSource, ToolStatus,
};
use crate::framing::Severity;

struct OpenAsk {
    item: u32,
    id: Name,
    session: Name,
    kind: InterruptKind,
    resolved: Option<LinkSource>,
}

/// All interrupts of a stream.
#[derive(Default)]
pub(super) struct Asks {
    list: Vec<OpenAsk>,
    by_wire: Map<(Name, Name), usize>,
    /// Handed-out ids.
    by_id: Map<Name, usize>,
    open: BTreeSet<usize>,
    minted: u32,
}

impl NormalForm {
    pub(super) fn ask(&mut self, context: &Context<'_>, ask: &Ask<'_>) {
        let lane = self.lanes.of(&mut self.names, context);
        let session = self.lanes.name(lane).0;
        let wire = self.names.optional(ask.id);
        if wire.is_some() && self.asks.by_wire.contains_key(&(session, wire)) {
            return self.ignored("repeated-interrupt");
        }
        let card = self.card_of_ask(context, lane, ask);
        let id = self.ask_id(wire);
        let item = self.visible_item(context, lane);
        let index = self.asks.list.len();
        let kind = ask.interrupt.kind;
        self.asks.list.push(OpenAsk { item, id, session, kind, resolved: None });
        if wire.is_some() {
            self.asks.by_wire.insert((session, wire), index);
        }
        if kind != InterruptKind::Notice {
            self.asks.open.insert(index);
        }
        if let Some(card) = card {
            self.cards.list[card].ask = Some(index);
        }
        let parent = self.parent(context);
        let interrupt = Interrupt {
            interrupt_id: self.names.text(id),
            id_source: if wire.is_some() { IdSource::Wire } else { IdSource::Minted },
            tool_call_id: card.map(|card| self.names.text(self.cards.list[card].id)),
            link_source: card.map(|_| ask.link),
            ..ask.interrupt.clone()
        };
        let parent = parent.map(|parent| self.names.text(parent));
        self.out.emit(context, parent, Some(item), interrupt);
    }

    /// The card an interrupt is about. It may be the first sight of the call.
    fn card_of_ask(&mut self, context: &Context<'_>, lane: LaneId, ask: &Ask<'_>) -> Option<usize> {
        let call = ask.call?;
        if let Some(index) = self.card_of_change(context, lane, call).index {
            return Some(index);
        }
        if !matches!(call, CallRef::Id(_) | CallRef::New) {
            return None;
        }
        let name = self.names.optional(ask.interrupt.tool_name);
        let index = self.new_card(context, lane, ToolChanged::about(call).call, name);
        self.register_open(index);
        self.send_inferred_call(context, index, ask.interrupt.title, None, ask.interrupt.raw_input);
        Some(index)
    }

    fn ask_id(&mut self, wire: Name) -> Name {
        // The one that is about to be added.
        let index = self.asks.list.len();
        if wire.is_some() && !self.asks.by_id.contains_key(&wire) {
            self.asks.by_id.insert(wire, index);
            return wire;
        }
        loop {
            self.asks.minted += 1;
            let id = match self.names.get(wire) {
                Some(wire) => format!("{wire}~{}", self.asks.minted + 1),
                None => format!("int~{}", self.asks.minted),
            };
            let id = self.names.number(&id);
            if let Entry::Vacant(free) = self.asks.by_id.entry(id) {
                free.insert(index);
                return id;
            }
        }
    }

    pub(super) fn answered(&mut self, context: &Context<'_>, answer: &Answered<'_>) {
        let lane = self.lanes.of(&mut self.names, context);
        let session = self.lanes.name(lane).0;
        match answer.ask {
            AskRef::Id(id) => {
                let wire = self.names.number(id);
                let found = self
                    .asks
                    .by_wire
                    .get(&(session, wire))
                    .or_else(|| self.asks.by_wire.get(&(Name::NONE, wire)));
                match found.copied().or_else(|| self.ask_by_id_alone(wire)) {
                    Some(index) => self.resolve(context, index, answer),
                    None => {
                        self.remark(
                            "normalize.answer-without-interrupt",
                            Severity::Info,
                            "an answer names no known interrupt",
                        );
                        self.ignored("answer-without-interrupt");
                    }
                }
            }
            AskRef::Call(call) => {
                let card = self.card_of_change(context, lane, call).index;
                match card.and_then(|card| self.cards.list[card].ask) {
                    Some(index) => self.resolve(context, index, answer),
                    None => self.ignored("answer-without-interrupt"),
                }
            }
            AskRef::All => {
                for index in self.asks.open.clone() {
                    let other = self.asks.list[index].session;
                    if other == session || !session.is_some() {
                        self.resolve(context, index, answer);
                    }
                }
            }
        }
    }

    /// Control channels often carry no session: the open interrupt with this id is meant.
    fn ask_by_id_alone(&self, wire: Name) -> Option<usize> {
        self.asks.by_id.get(&wire).copied().filter(|index| self.asks.open.contains(index))
    }

    fn resolve(&mut self, context: &Context<'_>, index: usize, answer: &Answered<'_>) {
        let ask = &mut self.asks.list[index];
        if ask.resolved == Some(LinkSource::Wire)
            || (ask.resolved.is_some() && answer.source == LinkSource::Inferred)
        {
            return self.ignored("repeated-answer");
        }
        ask.resolved = Some(answer.source);
        let (id, item) = (ask.id, ask.item);
        self.asks.open.remove(&index);
        let parent = self.parent(context);
        let resolved = InterruptResolved {
            interrupt_id: self.names.text(id),
            outcome: answer.outcome,
            option_id: answer.option_id,
            option_kind: answer.option_kind,
            answers: answer.answers,
            edited_input: answer.edited_input,
            message: answer.message,
            source: answer.source,
        };
        let parent = parent.map(|parent| self.names.text(parent));
        self.out.emit(context, parent, Some(item), resolved);
    }

    /// The call of an open interrupt ended. Never takes silence for approval: a failed call tells nothing.
    pub(super) fn close_ask_of(&mut self, context: &Context<'_>, card: usize) {
        let Some(index) = self.cards.list[card].ask.filter(|index| self.asks.list[*index].resolved.is_none())
        else {
            return;
        };
        let card = &self.cards.list[card];
        let outcome = match (card.status, self.asks.list[index].kind) {
            (ToolStatus::Completed, InterruptKind::Question) => InterruptOutcome::Answered,
            (ToolStatus::Completed, _) => InterruptOutcome::Allowed,
            _ if card.status_inferred => InterruptOutcome::Rejected,
            _ => InterruptOutcome::Unknown,
        };
        self.resolve(context, index, &inferred(AskRef::All, outcome));
    }

    /// A cancelled run or a process that ended waits for no answer.
    pub(super) fn cancel_asks(&mut self, context: &Context<'_>) {
        if self.asks.any_open() {
            self.answered(context, &inferred(AskRef::All, InterruptOutcome::Cancelled));
        }
    }
}

fn inferred<'a>(ask: AskRef<'a>, outcome: InterruptOutcome) -> Answered<'a> {
    Answered {
        ask,
        outcome,
        option_id: None,
        option_kind: None,
        answers: None,
        edited_input: None,
        message: None,
        source: LinkSource::Inferred,
    }
}

impl Asks {
    /// Whether someone is asked right now.
    pub fn any_open(&self) -> bool {
        !self.open.is_empty()
    }
}
