//! The messages that have an id: what belongs to each, found at one place.

use super::lanes::LaneId;
use super::names::{Index, Name};

/// One message of a lane.
#[derive(Clone, Copy, Default)]
pub(super) struct Message {
    /// Its newest part. Each part names the one before.
    pub part: Option<u32>,
    /// Its newest card, likewise.
    pub card: Option<u32>,
    /// Where its counts stand in the ledger.
    pub counts: Option<u32>,
}

/// All messages of a stream.
#[derive(Default)]
pub(super) struct Messages {
    list: Vec<Message>,
    by_name: Index,
    /// Whose message was asked for last, and where it stands: a record has several facts of one message.
    recent: (LaneId, Name, usize),
}

impl Messages {
    /// A message, made if it is new. There is none without a name.
    pub fn of(&mut self, lane: LaneId, name: Name) -> Option<&mut Message> {
        if !name.is_some() {
            return None;
        }
        if (self.recent.0, self.recent.1) != (lane, name) {
            let key = Index::key(lane as u32, name.index());
            let next = self.list.len();
            let index = self.by_name.number(key, next as u32) as usize;
            if index == next {
                self.list.push(Message::default());
            }
            self.recent = (lane, name, index);
        }
        self.list.get_mut(self.recent.2)
    }
}
