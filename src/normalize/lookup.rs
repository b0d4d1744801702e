//! Which card a reference means. Ids are scoped by session, agent and epoch; what the wire leaves open is matched
//! oldest first.

use std::collections::VecDeque;

use super::NormalForm;
use super::card::Card;
use super::lanes::LaneId;
use super::names::{Index, Map, Name};
use crate::dialect::{CallRef, Context};

/// How many cards of one wire id are looked at, newest first. More than that share an id only in broken streams.
const SAME_ID: usize = 64;

/// What tells open cards of one tool apart: session, tool name, parallel worker, and whether the wire gave an id.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct OpenKey {
    session: Name,
    name: Name,
    worker: Name,
    has_id: bool,
}

/// All cards and the ways to find them.
#[derive(Default)]
pub(super) struct Cards {
    pub list: Vec<Card>,
    /// The newest card of each wire id. Each card names the one before.
    by_wire: Index,
    /// Handed-out ids; the value is the next number to try when the id comes again.
    handed_out: Index,
    minted: u32,
    /// Open cards in order of appearance. Finished ones are dropped when they reach an end.
    open: Map<OpenKey, VecDeque<usize>>,
    /// Open cards of a tool whatever the worker.
    open_by_name: Map<(Name, Name), VecDeque<usize>>,
    by_index: Map<(LaneId, u32), (Name, usize)>,
    /// By session and task.
    tasks: Index,
}

/// What a reference led to.
pub(super) struct Found {
    pub index: Option<usize>,
    /// Only the tool's name matched.
    pub by_name: bool,
}

impl Found {
    fn sure(index: Option<usize>) -> Self {
        Found { index, by_name: false }
    }
}

impl NormalForm {
    /// The card a call may belong to: only one of the same agent and epoch, since another agent may count alike.
    pub(super) fn card_of_call(
        &mut self,
        context: &Context<'_>,
        lane: LaneId,
        call: CallRef<'_>,
    ) -> Option<usize> {
        match call {
            CallRef::Id(id) | CallRef::Match { id: Some(id), .. } => {
                let wire = self.names.known(id)?;
                let own = self.cards_of_wire(wire).find(|index| self.is_own(lane, *index));
                own.or_else(|| self.cards_of_wire(wire).find(|index| self.may_be_own(lane, *index)))
            }
            CallRef::New | CallRef::Match { id: None, .. } => None,
            other => self.card_of_change(context, lane, other).index,
        }
    }

    /// The card something new is about. Falls back to an open card of the same id under another agent, session or
    /// epoch: some wires name the agent on the call only.
    pub(super) fn card_of_change(&mut self, context: &Context<'_>, lane: LaneId, call: CallRef<'_>) -> Found {
        if self.history.is_open
            && let Some(index) = self.listed_result(lane, call)
        {
            return Found::sure(Some(index));
        }
        match call {
            CallRef::Id(id) => Found::sure(self.card_by_id(lane, id)),
            CallRef::New => Found::sure(None),
            CallRef::Index(index) => {
                let message = self.names.message(context);
                let found = self.cards.by_index.get(&(lane, index)).copied();
                Found::sure(
                    found.filter(|(of, _)| *of == message || !message.is_some()).map(|(_, card)| card),
                )
            }
            CallRef::Task(task) => {
                let session = self.lanes.name(lane).0;
                let task = self.names.known(task);
                let found = task.and_then(|task| self.cards.tasks.get(session.with(task)));
                Found::sure(found.map(|card| card as usize))
            }
            CallRef::Match { id, name, lane: worker } => self.matched(lane, id, name, worker),
            CallRef::LatestPending { name } => Found::sure(self.latest_pending(lane, name)),
        }
    }

    /// Whether a card may be of this lane's agent, in any epoch.
    pub(super) fn is_of_agent(&self, lane: LaneId, index: usize) -> bool {
        let card = &self.cards.list[index];
        let same_agent = card.is_shared || self.lanes.name(lane).1 == self.lanes.name(card.lane).1;
        same_agent && self.lanes.share_session(lane, card.lane)
    }

    fn is_own(&self, lane: LaneId, index: usize) -> bool {
        let card = &self.cards.list[index];
        card.lane == lane && self.is_current(lane, card)
    }

    fn is_current(&self, lane: LaneId, card: &Card) -> bool {
        card.epoch >= self.lanes.epoch(self.lanes.name(lane).0)
    }

    /// Whether a call may fill this card although it was made elsewhere: before the session was told, or by a result
    /// that told less of its agent than the call does (or more).
    fn may_be_own(&self, lane: LaneId, index: usize) -> bool {
        let card = &self.cards.list[index];
        let (mine, other) = (self.lanes.name(lane).1, self.lanes.name(card.lane).1);
        let same_agent = mine == other || (!card.called && (!mine.is_some() || !other.is_some()));
        same_agent && self.lanes.share_session(lane, card.lane) && self.is_current(lane, card)
    }

    fn card_by_id(&self, lane: LaneId, id: &str) -> Option<usize> {
        let wire = self.names.known(id)?;
        if let Some(own) = self.cards_of_wire(wire).find(|index| self.is_own(lane, *index)) {
            return Some(if self.cards.list[own].is_final() {
                self.newer_open(lane, wire, own)
            } else {
                own
            });
        }
        let same_session = |index: &usize| self.lanes.share_session(lane, self.cards.list[*index].lane);
        let mut others = self.cards_of_wire(wire).filter(same_session);
        let newest = others.next()?;
        if !self.cards.list[newest].is_final() {
            return Some(newest);
        }
        let open = others.find(|index| !self.cards.list[*index].is_final());
        open.or_else(|| self.is_current(lane, &self.cards.list[newest]).then_some(newest))
    }

    /// A finished card, or the open one of the same agent that came after it while the session was told, or not yet.
    fn newer_open(&self, lane: LaneId, wire: Name, own: usize) -> usize {
        let newer = |index: &usize| {
            let card = &self.cards.list[*index];
            !card.is_final()
                && self.lanes.name(card.lane).1 == self.lanes.name(lane).1
                && self.lanes.share_session(lane, card.lane)
        };
        self.cards_of_wire(wire).take_while(|index| *index > own).find(newer).unwrap_or(own)
    }

    pub(super) fn cards_of_wire(&self, wire: Name) -> impl Iterator<Item = usize> + '_ {
        let older = |card: &u32| self.cards.list.get(*card as usize)?.older;
        let cards = std::iter::successors(self.cards.by_wire.get(wire.key()), older);
        cards.take(SAME_ID).map(|card| card as usize)
    }

    /// Oldest first: newest first would hang the first result on the last card.
    fn matched(&mut self, lane: LaneId, id: Option<&str>, name: &str, worker: Option<&str>) -> Found {
        if let Some(id) = id
            && let Some(index) = self.card_by_id(lane, id)
        {
            return Found::sure(Some(index));
        }
        let session = self.lanes.name(lane).0;
        let Some(name) = self.names.known(name) else { return Found::sure(None) };
        let worker_name = self.names.optional(worker);
        let mut key = OpenKey { session, name, worker: worker_name, has_id: false };
        let mut found = self.oldest_open(key);
        if found.is_none() && id.is_none() {
            key.has_id = true;
            found = self.oldest_open(key);
        }
        if found.is_none() && id.is_none() && worker.is_none() {
            found = self.only_open(session, name);
        }
        if let (Some(index), Some(id)) = (found, id) {
            self.adopt(index, id);
        }
        Found { index: found, by_name: found.is_some() }
    }

    fn oldest_open(&mut self, key: OpenKey) -> Option<usize> {
        let queue = self.cards.open.get_mut(&key)?;
        while let Some(index) = queue.front().copied() {
            let card = &self.cards.list[index];
            if !card.is_final() && card.registered == Some(key) {
                return Some(index);
            }
            queue.pop_front();
        }
        None
    }

    fn only_open(&mut self, session: Name, name: Name) -> Option<usize> {
        let queue = self.cards.open_by_name.get_mut(&(session, name))?;
        // What stays at the ends is open: more than one card left means more than one open.
        while queue.front().is_some_and(|index| self.cards.list[*index].is_final()) {
            queue.pop_front();
        }
        while queue.back().is_some_and(|index| self.cards.list[*index].is_final()) {
            queue.pop_back();
        }
        queue.front().copied().filter(|first| queue.back() == Some(first))
    }

    fn latest_pending(&mut self, lane: LaneId, name: &str) -> Option<usize> {
        let session = self.lanes.name(lane).0;
        let name = self.names.known(name)?;
        let queue = self.cards.open_by_name.get_mut(&(session, name))?;
        while queue.back().is_some_and(|index| self.cards.list[*index].is_final()) {
            queue.pop_back();
        }
        let pending = |index: &&usize| self.cards.list[**index].status == crate::event::ToolStatus::Pending;
        queue.iter().rev().take(SAME_ID).find(pending).copied()
    }

    /// A card without id takes over the one its result carries.
    fn adopt(&mut self, index: usize, id: &str) {
        let wire = self.names.number(id);
        self.cards.list[index].wire = wire;
        self.cards.list[index].older = self.cards.by_wire.insert(wire.key(), index as u32);
        self.register_open(index);
    }

    /// Makes a card and gives it an id that no other card has.
    pub(super) fn new_card(
        &mut self,
        context: &Context<'_>,
        lane: LaneId,
        call: CallRef<'_>,
        name: Name,
    ) -> usize {
        let (wire, name) = match call {
            CallRef::Id(id) => (self.names.number(id), name),
            CallRef::Match { id, name: by_name, .. } => {
                (self.names.optional(id), name.or(self.names.number(by_name)))
            }
            CallRef::LatestPending { name: by_name } => (Name::NONE, name.or(self.names.number(by_name))),
            _ => (Name::NONE, name),
        };
        let id = if wire.is_some() { self.free_id(wire) } else { self.minted_id() };
        let item = self.visible_item(context, lane);
        self.prompt_answered();
        self.turn_goes_on();
        let epoch = self.lanes.now();
        let message = self.names.message(context);
        let index = self.cards.list.len();
        let of_message = self.messages.of(lane, message);
        let before = of_message.and_then(|message| message.card.replace(index as u32));
        self.cards.list.push(Card { before, ..Card::new(item, id, wire, lane, epoch, name) });
        if wire.is_some() {
            self.cards.list[index].older = self.cards.by_wire.insert(wire.key(), index as u32);
        }
        self.remember_card(index);
        index
    }

    fn free_id(&mut self, wire: Name) -> Name {
        let Some(mut number) = self.cards.handed_out.get(wire.key()) else {
            self.cards.handed_out.insert(wire.key(), 2);
            return wire;
        };
        loop {
            let id = format!("{}~{number}", self.names.text(wire));
            let id = self.names.number(&id);
            number += 1;
            if self.takes_free(id) {
                self.cards.handed_out.insert(wire.key(), number);
                return id;
            }
        }
    }

    /// Hands an id out, unless some card has it.
    fn takes_free(&mut self, id: Name) -> bool {
        let is_free = !self.cards.handed_out.contains(id.key());
        if is_free {
            self.cards.handed_out.insert(id.key(), 2);
        }
        is_free
    }

    fn minted_id(&mut self) -> Name {
        loop {
            self.cards.minted += 1;
            let id = self.names.number(&format!("call~{}", self.cards.minted));
            if self.takes_free(id) {
                return id;
            }
        }
    }

    /// Lets an open card be found by its tool's name.
    pub(super) fn register_open(&mut self, index: usize) {
        let card = &mut self.cards.list[index];
        if card.is_final() || !card.name.is_some() {
            return;
        }
        let session = self.lanes.name(card.lane).0;
        let key = OpenKey { session, name: card.name, worker: card.worker, has_id: card.wire.is_some() };
        let before = card.registered.replace(key);
        if before == Some(key) {
            return;
        }
        self.cards.open.enter(key).push_back(index);
        if before.is_none_or(|before| before.name != key.name) {
            self.cards.open_by_name.enter((session, key.name)).push_back(index);
        }
    }

    /// Items of a message's calls, from a block number on.
    pub(super) fn cards_of_message(&mut self, context: &Context<'_>, message: &str, from: u32) -> Vec<u32> {
        let lane = self.lanes.of(&mut self.names, context);
        let Some(message) = self.names.known(message) else { return Vec::new() };
        let newest = self.messages.of(lane, message).and_then(|message| message.card);
        let card = |index: u32| self.cards.list.get(index as usize);
        let cards = std::iter::successors(newest, |index| card(*index)?.before).filter_map(card);
        cards
            .filter(|card| from == 0 || card.block.is_some_and(|block| block >= from))
            .map(|card| card.item)
            .collect()
    }

    /// Lets later pieces find the card by its block number.
    pub(super) fn register_index(
        &mut self,
        context: &Context<'_>,
        lane: LaneId,
        block: Option<u32>,
        index: usize,
    ) {
        if let Some(block) = block {
            let message = self.names.message(context);
            self.cards.by_index.insert((lane, block), (message, index));
            self.cards.list[index].block = Some(block);
        }
    }

    /// A background task belongs to a call.
    pub(super) fn task_link(&mut self, context: &Context<'_>, task: &str, call: CallRef<'_>) {
        let lane = self.lanes.of(&mut self.names, context);
        if let Some(index) = self.card_of_change(context, lane, call).index {
            let session = self.lanes.name(lane).0;
            let task = self.names.number(task);
            self.cards.tasks.insert(session.with(task), index as u32);
        }
    }

    /// The handed-out id of the call that runs the context's agent; the wire's id while no card has it.
    pub(super) fn parent(&mut self, context: &Context<'_>) -> Option<Name> {
        let wire = self.names.number(context.parent_call?);
        let session = context.session.and_then(|session| self.names.known(session));
        let agent = context.agent.and_then(|agent| self.names.known(agent));
        let lane_of = |index: usize| self.lanes.name(self.cards.list[index].lane);
        // No agent is run by a call of its own: its ids may count like those of the one that runs it.
        let others =
            || self.cards_of_wire(wire).filter(|index| agent.is_none_or(|it| it != lane_of(*index).1));
        let newest = others().find(|index| {
            let other = lane_of(*index).0;
            session.is_none_or(|session| session == other || !other.is_some())
        });
        // An agent in a session of its own hangs on a call of another one.
        let newest = newest.or_else(|| others().next());
        Some(newest.map_or(wire, |index| self.cards.list[index].id))
    }
}
