//! A whole history told again: what is known is filled, what is new is appended, nothing is taken back.
//!
//! Items are found by the wire's id, else in order by what they say; each is found once per list. A text told in
//! deltas without an id cannot be compared until it is whole, so lists of messages should come as whole texts.

use std::hash::Hasher as _;

use super::NormalForm;
use super::lanes::LaneId;
use super::names::{FoldHasher, Index, Map, Name, Running};
use crate::dialect::{CallRef, Context, PartKind, PartRef};

/// How many parts that were open when the list began are looked at for the beginning of a text.
const STILL_OPEN: usize = 64;

type TextKey = (LaneId, PartKind, Running);

/// What was told, and how much of it the current list has repeated.
#[derive(Default)]
pub(super) struct History {
    /// A list is open.
    pub is_open: bool,
    /// Number of the current or last list.
    pub round: u32,
    texts: Map<TextKey, Vec<usize>>,
    /// Parts that are not in `texts` yet.
    pub fresh: Vec<usize>,
    still_open: Vec<usize>,
    next_text: Map<TextKey, usize>,
    /// Texts with an id that this list has told.
    told: Map<(TextKey, Name), ()>,
    /// How often a thing without identity was shown, by its mark, and how often this list told it.
    shown: Map<(LaneId, u64), (u32, u32, u32)>,
    /// The card that each wire id of an agent means in this list, by agent and id.
    cards: Index,
    /// Cards without a wire id, by name in order.
    nameless: Map<(LaneId, Name), Vec<usize>>,
    next_nameless: Index,
}

impl NormalForm {
    pub(super) fn message_list(&mut self, open: bool) {
        self.history.is_open = open;
        self.ignored("message-list");
        if !open {
            return;
        }
        self.history.round = self.history.round.saturating_add(1);
        self.history.next_text.clear();
        self.history.told.clear();
        self.history.next_nameless.clear();
        self.history.cards.clear();
        let fresh = std::mem::take(&mut self.history.fresh);
        let mut still_open = std::mem::take(&mut self.history.still_open);
        still_open.extend(fresh);
        still_open.retain(|index| match self.settled_text(*index) {
            Some(key) => {
                self.history.texts.enter(key).push(*index);
                false
            }
            None => true,
        });
        self.history.still_open = still_open;
    }

    /// Whether the open list says a text a second time under the same id.
    pub(super) fn told_in_list(
        &mut self,
        lane: LaneId,
        part: PartRef<'_>,
        kind: PartKind,
        text: &str,
    ) -> bool {
        let PartRef::Id(id) = part else { return false };
        let id = self.names.number(id);
        self.history.told.insert(((lane, kind, Running::of(text)), id), ()).is_some()
    }

    /// The part that a whole text of a list is already, or that it goes on with.
    pub(super) fn listed_part(
        &mut self,
        context: &Context<'_>,
        lane: LaneId,
        part: PartRef<'_>,
        kind: PartKind,
        text: &str,
    ) -> Option<usize> {
        let keyed = match part {
            PartRef::Id(_) | PartRef::Index(_) => self.find_part(context, lane, part, Some(kind)),
            _ => None,
        };
        // A text whose id is new is not the one of another id.
        let without_id = matches!(part, PartRef::Id(_)) && keyed.is_none();
        let keyed = keyed.filter(|index| self.is_unlisted(*index));
        if let Some(index) = keyed.filter(|index| self.rest_of_part(*index, text) == Some("")) {
            return Some(self.list_part(index));
        }
        let key = (lane, kind, Running::of(text));
        let same = self.history.texts.get(&key).map_or(&[][..], Vec::as_slice);
        let from = self.history.next_text.get(&key).copied().unwrap_or_default();
        let fits = |index: &usize| self.is_unlisted(*index) && !(without_id && self.has_part_id(*index));
        if let Some(at) = same.iter().skip(from).position(fits) {
            let index = same[from + at];
            // What was passed over has an id and is found by it.
            self.history.next_text.insert(key, from + at + 1);
            return Some(self.list_part(index));
        }
        let grows = |index: &usize| {
            self.is_unlisted(*index)
                && self.is_part_of(*index, lane, kind)
                && !(without_id && self.has_part_id(*index))
                && self.rest_of_part(*index, text).is_some()
        };
        let open = self.history.still_open.iter().copied().take(STILL_OPEN).find(grows);
        let index = open.or(keyed)?;
        Some(self.list_part(index))
    }

    /// Something without identity is shown. Returns whether the open list only repeats it.
    pub(super) fn shown_before(&mut self, lane: LaneId, mark: u64) -> bool {
        let round = self.history.round;
        let (shown, told, in_round) = self.history.shown.enter((lane, mark));
        if *in_round != round {
            (*told, *in_round) = (0, round);
        }
        if !self.history.is_open {
            *shown += 1;
            return false;
        }
        *told += 1;
        let before = *told <= *shown;
        *shown = (*shown).max(*told);
        before
    }

    /// The card that a call of a list is already.
    pub(super) fn listed_card(
        &mut self,
        lane: LaneId,
        call: CallRef<'_>,
        name: Name,
        agrees: impl Fn(&super::card::Card) -> bool,
    ) -> Option<usize> {
        let (id, name) = self.names_of(call, name);
        if id.is_some() {
            let mine = |index: &usize| self.is_of_agent(lane, *index);
            let unlisted = |index: &usize| {
                let card = &self.cards.list[*index];
                card.listed != self.history.round && agrees(card)
            };
            // Oldest first: a reused id comes in the order it came before.
            let agent = self.lanes.name(lane).1;
            let same: Vec<usize> = self.cards_of_wire(id).filter(mine).collect();
            let found = same.iter().rev().copied().find(unlisted).or_else(|| {
                let listed = self.history.cards.get(agent.with(id)).map(|card| card as usize);
                listed.or_else(|| same.first().copied())
            })?;
            self.list_card(lane, found, id);
            return Some(found);
        }
        let from = self.history.next_nameless.get(nameless(lane, name)).unwrap_or_default() as usize;
        let same = self.history.nameless.get(&(lane, name))?;
        let fits = |index: &usize| {
            let card = &self.cards.list[*index];
            card.listed != self.history.round && agrees(card)
        };
        let at = same.iter().skip(from).take(STILL_OPEN).position(fits)?;
        let index = same[from + at];
        self.history.next_nameless.insert(nameless(lane, name), (from + at + 1) as u32);
        self.list_card(lane, index, id);
        Some(index)
    }

    /// The card that a result of a list is about, as far as the list itself tells.
    pub(super) fn listed_result(&mut self, lane: LaneId, call: CallRef<'_>) -> Option<usize> {
        let (id, name) = self.names_of(call, Name::NONE);
        if id.is_some() {
            let card = self.history.cards.get(self.lanes.name(lane).1.with(id));
            return card.map(|card| card as usize);
        }
        let next = self.history.next_nameless.get(nameless(lane, name))? as usize;
        self.history.nameless.get(&(lane, name))?.get(next.checked_sub(1)?).copied()
    }

    /// A card was made: a list may tell it again.
    pub(super) fn remember_card(&mut self, index: usize) {
        let card = &self.cards.list[index];
        let (lane, name, wire) = (card.lane, card.name, card.wire);
        if !wire.is_some() {
            let same = self.history.nameless.enter((lane, name));
            same.push(index);
            if self.history.is_open {
                self.history.next_nameless.insert(nameless(lane, name), same.len() as u32);
            }
        }
        if self.history.is_open {
            self.list_card(lane, index, wire);
        }
    }

    fn list_card(&mut self, lane: LaneId, index: usize, wire: Name) {
        self.cards.list[index].listed = self.history.round;
        if wire.is_some() {
            self.history.cards.insert(self.lanes.name(lane).1.with(wire), index as u32);
        }
    }

    fn names_of(&mut self, call: CallRef<'_>, name: Name) -> (Name, Name) {
        match call {
            CallRef::Id(id) => (self.names.number(id), name),
            CallRef::Match { id, name: by_name, .. } => {
                (self.names.optional(id), name.or(self.names.number(by_name)))
            }
            _ => (Name::NONE, name),
        }
    }
}

/// The key of a lane's cards of one name.
fn nameless(lane: LaneId, name: Name) -> u64 {
    Index::key(lane as u32, name.index())
}

/// Stands for something shown: its words, and what it is.
pub(super) fn shown_mark(what: &str, words: &str) -> u64 {
    let mut hasher = FoldHasher::default();
    hasher.write(what.as_bytes());
    hasher.write(words.as_bytes());
    hasher.finish()
}
