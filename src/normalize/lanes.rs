//! One lane per agent of a session: what runs on there, and in which order its items were made.

use super::names::{Index, Name, Names};
use crate::dialect::Context;

/// Index of a lane.
pub(super) type LaneId = usize;

/// What is open in a lane.
#[derive(Default)]
pub(super) struct Lane {
    pub session: Name,
    pub agent: Name,
    /// Newest visible item: a run of text goes on only while its own item is the newest.
    pub newest_item: Option<u32>,
    /// The part that [`crate::dialect::PartRef::Run`] continues.
    pub run_part: Option<usize>,
    /// It stands in [`Lanes::running`].
    is_running: bool,
    /// The agent text that is newest, kept while it is short: an error may repeat it.
    pub recent_text: String,
    /// The item of `recent_text`.
    pub recent_item: Option<u32>,
}

/// All lanes, found by session and agent.
#[derive(Default)]
pub(super) struct Lanes {
    list: Vec<Lane>,
    /// By session and agent.
    by_name: Index,
    /// The lane of the last fact: most facts are of one.
    recent: LaneId,
    /// Lanes that got a `run_part` since it was broken, so that a turn costs no look at each lane there is.
    running: Vec<LaneId>,
    /// When the ids of a session started anew, on the clock below.
    epochs: Index,
    epoch_of_all: u32,
    /// How often ids started anew, whatever the session.
    clock: u32,
}

impl Lanes {
    /// The lane of a fact.
    pub fn of(&mut self, names: &mut Names, context: &Context<'_>) -> LaneId {
        let (session, agent) = (names.session(context), names.agent(context));
        let is_it = |lane: &Lane| (lane.session, lane.agent) == (session, agent);
        if !self.list.get(self.recent).is_some_and(is_it) {
            self.recent = self.looked_up(session, agent);
        }
        self.recent
    }

    fn looked_up(&mut self, session: Name, agent: Name) -> LaneId {
        let next = self.list.len();
        let lane = self.by_name.number(Index::key(session.index(), agent.index()), next as u32) as LaneId;
        if lane == next {
            self.list.push(Lane { session, agent, ..Lane::default() });
        }
        lane
    }

    pub fn get(&mut self, lane: LaneId) -> &mut Lane {
        &mut self.list[lane]
    }

    /// [`crate::dialect::PartRef::Run`] now continues this part.
    pub fn run_on(&mut self, lane: LaneId, part: usize) {
        let state = &mut self.list[lane];
        state.run_part = Some(part);
        if !std::mem::replace(&mut state.is_running, true) {
            self.running.push(lane);
        }
    }

    /// Whether text of this part may run on.
    pub fn runs(&self, lane: LaneId, part: usize) -> bool {
        self.list[lane].run_part == Some(part)
    }

    /// Session and agent of a lane.
    pub fn name(&self, lane: LaneId) -> (Name, Name) {
        (self.list[lane].session, self.list[lane].agent)
    }

    /// From here the ids of a session are new ones; an absent session means the whole stream.
    pub fn restart(&mut self, session: Name) {
        self.clock = self.clock.saturating_add(1);
        if session.is_some() {
            self.epochs.insert(session.key(), self.clock);
        } else {
            self.epoch_of_all = self.clock;
        }
    }

    /// The epoch that something made now belongs to.
    pub fn now(&self) -> u32 {
        self.clock
    }

    /// When the current epoch of a session began: what was made before it has ids of its own.
    pub fn epoch(&self, session: Name) -> u32 {
        self.epochs.get(session.key()).unwrap_or_default().max(self.epoch_of_all)
    }

    /// Whether two lanes may be of one session: one of them may have been used before the wire told it.
    pub fn share_session(&self, one: LaneId, other: LaneId) -> bool {
        let (one, other) = (self.list[one].session, self.list[other].session);
        one == other || !one.is_some() || !other.is_some()
    }

    /// Whether a lane is that of the main agent.
    pub fn is_main(&self, lane: LaneId) -> bool {
        !self.list[lane].agent.is_some()
    }

    /// Text that runs on ends here, in all lanes of a session (all lanes if the session is not told). The turns of the
    /// main agent do not break what others write.
    pub fn break_runs(&mut self, session: Name, main_only: bool) {
        let list = &mut self.list;
        self.running.retain(|lane| {
            let Some(lane) = list.get_mut(*lane) else { return false };
            let is_meant = !session.is_some() || lane.session == session || !lane.session.is_some();
            if is_meant && !(main_only && lane.agent.is_some()) {
                lane.run_part = None;
            }
            lane.is_running = lane.run_part.is_some();
            lane.is_running
        });
    }
}
