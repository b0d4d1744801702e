//! Which part a piece of text belongs to, and what is remembered of it: length and hash of what was sent, no text.

use std::collections::{BTreeSet, VecDeque};

use super::NormalForm;
use super::lanes::LaneId;
use super::list::List;
use super::names::{Map, Name, Running, mark};
use crate::dialect::{Context, PartKind, PartRef};

/// One text part of a message.
pub(super) struct Part {
    pub lane: LaneId,
    pub message: Name,
    /// The part before it of the same message.
    pub before: Option<u32>,
    /// Content block number inside the message.
    pub block: Option<u32>,
    pub kind: PartKind,
    /// Given when the first text is sent: a part without text is no item.
    pub item: Option<u32>,
    pub sent: Running,
    /// First half of a surrogate pair, held until the next piece.
    pub high: Option<u16>,
    pub ended: bool,
    /// Its whole text was told.
    pub whole: bool,
    /// Mark of the whole text, to know a repeat.
    pub whole_mark: u64,
    /// The wire gave it an id.
    pub has_id: bool,
    /// Number of the last list of messages that told it.
    pub listed: u32,
    /// Its end told why the model stopped.
    pub has_stop_reason: bool,
    /// A snapshot contradicted the text sent so far; this is its newest text.
    pub replacement: Option<String>,
}

/// How a part is found again.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum PartKey {
    Id { lane: LaneId, epoch: u32, id: Name },
    Index { lane: LaneId, message: Name, index: u32 },
}

/// All parts of a stream.
#[derive(Default)]
pub(super) struct Parts {
    pub list: List<Part>,
    /// One key may name a text and a thought.
    pub by_key: Map<(PartKey, PartKind), usize>,
    /// Parts whose whole text has not come, per lane, message and kind, oldest first.
    pub unclaimed: Map<(LaneId, Name, PartKind), VecDeque<usize>>,
    /// Parts the wire has opened and not closed, by lane and message.
    pub open: BTreeSet<(LaneId, Name, usize)>,
    /// The host's prompt, while the harness may still echo it.
    pub prompt: Option<u64>,
}

impl NormalForm {
    /// Whether a run of text can go on.
    pub(super) fn runs_on(&mut self, context: &Context<'_>, lane: LaneId, kind: PartKind) -> bool {
        let message = self.names.message(context);
        let lane = self.lanes.get(lane);
        let Some(index) = lane.run_part else { return false };
        let part = &self.parts.list[index];
        let same_message = part.message == message || !part.message.is_some() || !message.is_some();
        part.kind == kind
            && !part.ended
            && same_message
            && (part.item.is_none() || part.item == lane.newest_item)
    }

    pub(super) fn part_for(
        &mut self,
        context: &Context<'_>,
        lane: LaneId,
        part: PartRef<'_>,
        kind: PartKind,
    ) -> usize {
        match self.find_part(context, lane, part, Some(kind)) {
            Some(index) => index,
            None => self.new_part(context, lane, part, kind),
        }
    }

    fn key(&mut self, context: &Context<'_>, lane: LaneId, part: PartRef<'_>) -> Option<PartKey> {
        match part {
            PartRef::Id(id) => {
                let epoch = self.lanes.epoch(self.lanes.name(lane).0);
                Some(PartKey::Id { lane, epoch, id: self.names.number(id) })
            }
            PartRef::Index(index) => {
                Some(PartKey::Index { lane, message: self.names.message(context), index })
            }
            PartRef::Run | PartRef::Unclaimed | PartRef::New => None,
        }
    }

    pub(super) fn find_part(
        &mut self,
        context: &Context<'_>,
        lane: LaneId,
        part: PartRef<'_>,
        kind: Option<PartKind>,
    ) -> Option<usize> {
        match part {
            PartRef::Id(_) | PartRef::Index(_) => {
                let key = self.key(context, lane, part)?;
                let of = |kind| self.parts.by_key.get(&(key, kind)).copied();
                match kind {
                    Some(kind) => of(kind),
                    None => {
                        [PartKind::Agent, PartKind::Thought, PartKind::User].into_iter().filter_map(of).max()
                    }
                }
            }
            PartRef::Run => match kind {
                Some(kind) => self.runs_on(context, lane, kind).then(|| self.lanes.get(lane).run_part)?,
                None => self.lanes.get(lane).run_part,
            },
            PartRef::Unclaimed if self.parts.unclaimed.is_empty() => None,
            PartRef::Unclaimed => {
                let message = self.names.message(context);
                let oldest = |kind| self.parts.unclaimed.get(&(lane, message, kind))?.front().copied();
                match kind {
                    Some(kind) => oldest(kind),
                    None => [PartKind::Agent, PartKind::Thought, PartKind::User]
                        .into_iter()
                        .filter_map(oldest)
                        .min(),
                }
            }
            PartRef::New => None,
        }
    }

    pub(super) fn new_part(
        &mut self,
        context: &Context<'_>,
        lane: LaneId,
        part: PartRef<'_>,
        kind: PartKind,
    ) -> usize {
        if part == PartRef::Run
            && let Some(before) = self.lanes.get(lane).run_part
        {
            self.release_half(&Context { message: None, model: None, extra: None, ..*context }, before);
        }
        let index = self.parts.list.len();
        let message = self.names.message(context);
        let of_message = self.messages.of(lane, message);
        let before = of_message.and_then(|message| message.part.replace(index as u32));
        self.parts.list.push(Part {
            lane,
            message,
            before,
            block: if let PartRef::Index(block) = part { Some(block) } else { None },
            kind,
            item: None,
            sent: Running::default(),
            high: None,
            ended: false,
            whole: false,
            whole_mark: 0,
            has_stop_reason: false,
            has_id: matches!(part, PartRef::Id(_)),
            listed: if self.history.is_open { self.history.round } else { 0 },
            replacement: None,
        });
        if let Some(key) = self.key(context, lane, part) {
            self.parts.by_key.insert((key, kind), index);
            self.parts.open.insert((lane, message, index));
            self.parts.unclaimed.enter((lane, message, kind)).push_back(index);
        }
        self.history.fresh.push(index);
        if part == PartRef::Run {
            self.lanes.run_on(lane, index);
        }
        index
    }

    /// More text for a part that has ended is a new part under the same key: the wire started it again.
    pub(super) fn reopened(
        &mut self,
        context: &Context<'_>,
        lane: LaneId,
        part: PartRef<'_>,
        index: usize,
    ) -> usize {
        let kind = self.parts.list[index].kind;
        if self.parts.list[index].ended { self.new_part(context, lane, part, kind) } else { index }
    }

    /// The part that a snapshot goes to after its part has ended: one that continues where that one ended, or a new
    /// one if it says something else; none if it says nothing new.
    pub(super) fn part_after_end(
        &mut self,
        context: &Context<'_>,
        lane: LaneId,
        part: PartRef<'_>,
        index: usize,
        text: &str,
    ) -> Option<usize> {
        let ended = &self.parts.list[index];
        let (kind, sent, rest) = (ended.kind, ended.sent, ended.sent.rest_of(text));
        if rest == Some("") || (ended.whole && ended.whole_mark == mark(text)) {
            return None;
        }
        let next = self.new_part(context, lane, part, kind);
        if rest.is_some() {
            self.parts.list[next].sent = sent;
        }
        Some(next)
    }

    /// Where a part stands in the history, once its text no longer grows.
    pub(super) fn settled_text(&self, index: usize) -> Option<(LaneId, PartKind, Running)> {
        let part = &self.parts.list[index];
        let runs =
            self.parts.open.contains(&(part.lane, part.message, index)) || self.lanes.runs(part.lane, index);
        (part.ended || !runs).then_some((part.lane, part.kind, part.sent))
    }

    pub(super) fn is_unlisted(&self, index: usize) -> bool {
        let part = &self.parts.list[index];
        part.item.is_some() && part.listed != self.history.round
    }

    pub(super) fn has_part_id(&self, index: usize) -> bool {
        self.parts.list[index].has_id
    }

    pub(super) fn is_part_of(&self, index: usize, lane: LaneId, kind: PartKind) -> bool {
        (self.parts.list[index].lane, self.parts.list[index].kind) == (lane, kind)
    }

    pub(super) fn rest_of_part<'t>(&self, index: usize, text: &'t str) -> Option<&'t str> {
        self.parts.list[index].sent.rest_of(text)
    }

    pub(super) fn list_part(&mut self, index: usize) -> usize {
        self.parts.list[index].listed = self.history.round;
        index
    }

    /// The parts of a message that has an id, newest first.
    pub(super) fn parts_of_message(
        &mut self,
        lane: LaneId,
        message: Name,
    ) -> impl Iterator<Item = (usize, &Part)> {
        let newest = self.messages.of(lane, message).and_then(|message| message.part);
        let at = |index: u32| Some((index as usize, self.parts.list.get(index as usize)?));
        std::iter::successors(newest.and_then(at), move |(_, part)| at(part.before?))
    }

    /// Items of the parts that a withdrawal names.
    pub(super) fn items_of_message(&mut self, context: &Context<'_>, message: &str, from: u32) -> Vec<u32> {
        let lane = self.lanes.of(&mut self.names, context);
        let Some(message) = self.names.known(message) else { return Vec::new() };
        self.parts_of_message(lane, message)
            .map(|(_, part)| part)
            .filter(|part| from == 0 || part.block.is_some_and(|block| block >= from))
            .filter_map(|part| part.item)
            .collect()
    }

    /// Item of one part.
    pub(super) fn item_of_part(&mut self, context: &Context<'_>, part: PartRef<'_>) -> Option<u32> {
        let lane = self.lanes.of(&mut self.names, context);
        let index = self.find_part(context, lane, part, None)?;
        self.parts.list[index].item
    }
}
