//! Interrupts: one item each, found again by id or by the call they are about, closed by the wire or by inference.

use std::collections::BTreeSet;

use super::NormalForm;
use super::asked::{Positions, Whole, whole};
use super::cards::extra_with;
use super::lanes::LaneId;
use super::names::{Index, Name, mark};
use crate::dialect::{Answered, Ask, AskRef, CallRef, Context, ToolChanged};
use crate::event::{
    IdSource, Interrupt, InterruptKind, InterruptOutcome, InterruptResolved, Json, LinkSource,
    ToolCallUpdate, ToolStatus,
};
use crate::framing::Severity;

struct OpenAsk {
    item: u32,
    id: Name,
    session: Name,
    kind: InterruptKind,
    /// The wire gave the id that was handed out.
    has_wire_id: bool,
    card: Option<usize>,
    /// The interrupt about the same card before this one.
    earlier: Option<usize>,
    /// The epoch it was asked in, and the run of its session.
    epoch: u32,
    run: u32,
    /// Mark of what was asked, to know a repeat.
    words: u64,
    resolved: Option<LinkSource>,
}

/// All interrupts of a stream.
#[derive(Default)]
pub(super) struct Asks {
    list: Vec<OpenAsk>,
    by_wire: Index,
    /// Handed-out ids.
    by_id: Index,
    open: BTreeSet<usize>,
    minted: u32,
}

impl NormalForm {
    /// The wire asks. Asked again while it is open, the same interrupt is updated; once it is over, it takes a new run to
    /// ask anew.
    pub(super) fn ask(&mut self, context: &Context<'_>, ask: &Ask<'_>) {
        let lane = self.lanes.of(&mut self.names, context);
        let session = self.lanes.name(lane).0;
        let wire = self.names.optional(ask.id);
        let positions = Positions::of(&ask.interrupt);
        let Whole { interrupt, synthetic, dropped } = whole(&ask.interrupt, &positions);
        if dropped > 0 {
            self.remark(
                "normalize.duplicate-option",
                Severity::Warn,
                "two options of an interrupt share an id",
            );
        }
        let mut words = String::new();
        interrupt.write_json(&mut words);
        let words = mark(&words);
        if !wire.is_some() && self.shown_before(lane, words) {
            return self.ignored("listed-again");
        }
        let known = self.known_ask(session, wire);
        if known
            .map(|index| &self.asks.list[index])
            .is_some_and(|ask| ask.resolved.is_some() || ask.words == words)
        {
            return self.ignored("repeated-interrupt");
        }
        let linked = known.and_then(|index| self.asks.list[index].card);
        // The card comes first: it may be made for this interrupt.
        let card = linked.or_else(|| self.card_of_ask(context, lane, ask));
        let index = match known {
            Some(index) => index,
            None => self.new_ask(context, lane, wire, ask.interrupt.kind),
        };
        self.asks.list[index].words = words;
        if let Some(card) = card.filter(|_| linked.is_none()) {
            self.asks.list[index].earlier = self.cards.list[card].ask.replace(index);
            self.asks.list[index].card = Some(card);
        }
        let extra = synthetic.then(|| extra_with(context.extra, "\"synthetic\":true"));
        let context = Context { extra: extra.as_deref().map(Json).or(context.extra), ..*context };
        self.send_ask(&context, index, ask.link, interrupt);
        self.hold_status(&Context { extra: None, ..context }, index);
    }

    fn new_ask(&mut self, context: &Context<'_>, lane: LaneId, wire: Name, kind: InterruptKind) -> usize {
        let session = self.lanes.name(lane).0;
        let id = self.ask_id(wire);
        let item = self.visible_item(context, lane);
        let index = self.asks.list.len();
        self.asks.list.push(OpenAsk {
            item,
            id,
            session,
            kind,
            has_wire_id: id == wire,
            card: None,
            earlier: None,
            epoch: self.lanes.now(),
            run: self.runs.number_of(session),
            words: 0,
            resolved: None,
        });
        if wire.is_some() {
            self.asks.by_wire.insert(session.with(wire), index as u32);
        }
        if kind != InterruptKind::Notice {
            self.asks.open.insert(index);
        }
        index
    }

    /// The interrupt that this id means now; none if ids started anew since, or if it is over and a new run began.
    fn known_ask(&self, session: Name, wire: Name) -> Option<usize> {
        let index = self.ask_by_wire(session, wire).filter(|_| wire.is_some())?;
        let ask = &self.asks.list[index];
        let is_old = ask.resolved.is_some() && ask.run != self.runs.number_of(session);
        (ask.epoch >= self.lanes.epoch(session) && !is_old).then_some(index)
    }

    fn ask_by_wire(&self, session: Name, wire: Name) -> Option<usize> {
        let by_wire = &self.asks.by_wire;
        let found = by_wire.get(session.with(wire)).or_else(|| by_wire.get(Name::NONE.with(wire)));
        found.map(|index| index as usize)
    }

    fn send_ask(&mut self, context: &Context<'_>, index: usize, link: LinkSource, interrupt: Interrupt<'_>) {
        let parent = self.parent(context);
        let ask = &self.asks.list[index];
        let interrupt = Interrupt {
            interrupt_id: self.names.text(ask.id),
            id_source: if ask.has_wire_id { IdSource::Wire } else { IdSource::Minted },
            tool_call_id: ask.card.map(|card| self.names.text(self.cards.list[card].id)),
            link_source: ask.card.map(|_| link),
            ..interrupt
        };
        let parent = parent.map(|parent| self.names.text(parent));
        self.out.emit(context, parent, Some(ask.item), &interrupt.into());
    }

    /// A call that someone has to approve has not started, even where the wire said so with the request.
    fn hold_status(&mut self, context: &Context<'_>, index: usize) {
        let Some(card) = self.asks.list[index].card.filter(|card| self.needs_approval(*card)) else { return };
        if self.cards.list[card].status == ToolStatus::InProgress {
            self.cards.list[card].status = ToolStatus::Pending;
            self.hold_in_progress(context, card);
        }
    }

    /// Shows a call as pending whose start the wire stated while someone is asked about it. Once per interrupt.
    pub(super) fn hold_in_progress(&mut self, context: &Context<'_>, card: usize) {
        if std::mem::replace(&mut self.cards.list[card].is_held, true) {
            return;
        }
        let extra = extra_with(context.extra, "\"wireStatus\":\"in_progress\"");
        let context = Context { extra: Some(Json(&extra)), ..*context };
        let update = ToolCallUpdate { status: Some(ToolStatus::Pending), ..ToolCallUpdate::default() };
        self.send_card(&context, card, update);
    }

    /// Whether a call waits for somebody's approval right now.
    pub(super) fn needs_approval(&self, card: usize) -> bool {
        self.asks.open_about(self.cards.list[card].ask, Some(InterruptKind::Approval)).is_some()
    }

    /// The call prints: it was allowed, whatever its status says.
    pub(super) fn call_prints(&mut self, context: &Context<'_>, card: usize) {
        while let Some(index) = self.asks.open_about(self.cards.list[card].ask, Some(InterruptKind::Approval))
        {
            self.resolve(context, index, &inferred(AskRef::All, InterruptOutcome::Allowed));
        }
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
        let index = self.asks.list.len() as u32;
        if wire.is_some() && self.asks.by_id.number(wire.key(), index) == index {
            return wire;
        }
        loop {
            self.asks.minted += 1;
            let id = match self.names.get(wire) {
                Some(wire) => format!("{wire}~{}", self.asks.minted + 1),
                None => format!("int~{}", self.asks.minted),
            };
            let id = self.names.number(&id);
            if self.asks.by_id.number(id.key(), index) == index {
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
                match self.ask_by_wire(session, wire).or_else(|| self.ask_by_id_alone(wire)) {
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
                let newest = card.and_then(|card| self.cards.list[card].ask);
                match self.asks.open_about(newest, None).or(newest) {
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
        let index = self.asks.by_id.get(wire.key()).map(|index| index as usize);
        index.filter(|index| self.asks.open.contains(index))
    }

    fn resolve(&mut self, context: &Context<'_>, index: usize, answer: &Answered<'_>) {
        let ask = &mut self.asks.list[index];
        if ask.resolved == Some(LinkSource::Wire)
            || (ask.resolved.is_some() && answer.source == LinkSource::Inferred)
        {
            return self.ignored("repeated-answer");
        }
        ask.resolved = Some(answer.source);
        let (id, item, card) = (ask.id, ask.item, ask.card);
        self.asks.open.remove(&index);
        // A conclusion from another record: that record's own facts are not the answer's.
        let extra = context.extra.filter(|_| answer.source == LinkSource::Wire);
        let context = &Context { extra, ..*context };
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
        self.out.emit(context, parent, Some(item), &resolved.into());
        let starts = matches!(answer.outcome, InterruptOutcome::Allowed | InterruptOutcome::Answered);
        if let Some(card) = card.filter(|card| !self.needs_approval(*card)) {
            self.release_in_progress(context, card, starts);
        }
    }

    /// Nobody is asked any more: a call that was allowed is what the wire said it was.
    fn release_in_progress(&mut self, context: &Context<'_>, index: usize, starts: bool) {
        let card = &mut self.cards.list[index];
        if std::mem::take(&mut card.is_held) && starts && card.status == ToolStatus::Pending {
            card.status = ToolStatus::InProgress;
            let update = ToolCallUpdate { status: Some(ToolStatus::InProgress), ..ToolCallUpdate::default() };
            self.send_card(context, index, update);
        }
    }

    /// The call of open interrupts ended. Never takes silence for approval: a failed call tells nothing.
    pub(super) fn close_asks_of(&mut self, context: &Context<'_>, card: usize) {
        while let Some(index) = self.asks.open_about(self.cards.list[card].ask, None) {
            let card = &self.cards.list[card];
            let outcome = match (card.status, self.asks.list[index].kind) {
                (ToolStatus::Completed, InterruptKind::Question) => InterruptOutcome::Answered,
                (ToolStatus::Completed, _) => InterruptOutcome::Allowed,
                _ if card.status_inferred => InterruptOutcome::Rejected,
                _ => InterruptOutcome::Unknown,
            };
            self.resolve(context, index, &inferred(AskRef::All, outcome));
        }
    }

    /// A run has ended: what an earlier run of its session asked, and this one said nothing about, ended unseen.
    pub(super) fn forget_asks(&mut self, context: &Context<'_>) {
        let session = self.names.session(context);
        let run = self.runs.number_of(session);
        let earlier = |index: &usize| {
            let ask = &self.asks.list[*index];
            (ask.session == session || !ask.session.is_some() || !session.is_some()) && ask.run < run
        };
        let forgotten: Vec<usize> = self.asks.open.iter().copied().filter(earlier).collect();
        for index in forgotten {
            self.resolve(context, index, &inferred(AskRef::All, InterruptOutcome::Unknown));
        }
    }

    /// A cancelled run or a process that ended waits for no answer.
    pub(super) fn cancel_asks(&mut self, context: &Context<'_>) {
        if !self.asks.none_open() {
            self.answered(context, &inferred(AskRef::All, InterruptOutcome::Cancelled));
        }
    }
}

fn inferred(ask: AskRef<'_>, outcome: InterruptOutcome) -> Answered<'_> {
    Answered::of(ask, outcome, LinkSource::Inferred)
}

impl Asks {
    /// Whether nobody is asked right now.
    pub fn none_open(&self) -> bool {
        self.open.is_empty()
    }

    /// The newest open interrupt of a card (of one kind), whose newest one is given.
    fn open_about(&self, newest: Option<usize>, kind: Option<InterruptKind>) -> Option<usize> {
        let mut next = newest;
        while let Some(index) = next {
            if self.open.contains(&index) && kind.is_none_or(|kind| kind == self.list[index].kind) {
                return next;
            }
            next = self.list[index].earlier;
        }
        None
    }
}

impl NormalForm {
    /// Whether the agent waits for somebody. What was taken back is not waited for.
    pub(super) fn is_waiting(&self) -> bool {
        self.asks.open.iter().any(|index| {
            let ask = &self.asks.list[*index];
            let card = ask.card.map(|card| self.cards.list[card].item);
            !self.records.is_withdrawn(ask.item) && !card.is_some_and(|item| self.records.is_withdrawn(item))
        })
    }
}
