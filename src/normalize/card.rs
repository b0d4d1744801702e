//! What is known of one tool card: facts only grow, and a field remembers the mark of its value, not the value.
//!
//! Knows nothing of other cards, of ids on the wire, or of events.

use std::hash::Hasher as _;

use super::lanes::LaneId;
use super::lookup::OpenKey;
use super::names::{FoldHasher, Name, mark};
use crate::event::{ContentBlock, Json, Location, ToolCallUpdate, ToolContent, ToolStatus};

/// How much a stated value weighs: a later call never overrides what an update said, progress never overrides a result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Rank {
    #[default]
    Unknown,
    Call,
    Update,
    Result,
}

/// What is known of one field, without keeping it: the mark of its value and who said it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Known {
    pub rank: Rank,
    pub mark: u64,
}

impl Known {
    /// Takes a value over, if it is new and not outranked. Returns whether it must be sent.
    pub fn take(&mut self, rank: Rank, mark: u64) -> bool {
        if rank < self.rank {
            return false;
        }
        let new = self.rank == Rank::Unknown || mark != self.mark;
        *self = Known { rank, mark };
        new
    }

    /// Takes raw JSON over and gives what must be sent. A blank one never takes the place of what is known.
    pub fn take_json<'a>(&mut self, rank: Rank, json: Option<Json<'a>>) -> Option<Json<'a>> {
        let Json(raw) = json?;
        if self.is_known() && matches!(raw, "null" | "\"\"") {
            return None;
        }
        self.take(rank, mark(raw)).then_some(json).flatten()
    }

    pub fn is_known(self) -> bool {
        self.rank > Rank::Unknown
    }
}

/// One tool card.
pub(super) struct Card {
    pub item: u32,
    /// The id handed out.
    pub id: Name,
    /// The wire's id.
    pub wire: Name,
    pub lane: LaneId,
    pub epoch: u32,
    pub name: Name,
    /// The wire's word for the parallel worker.
    pub worker: Name,
    /// The card before it of the same message.
    pub before: Option<u32>,
    /// The card before it of the same wire id.
    pub older: Option<u32>,
    /// Content block number inside its message.
    pub block: Option<u32>,
    pub status: ToolStatus,
    /// The status is our conclusion.
    pub status_inferred: bool,
    /// A call of another agent than its result filled it.
    pub is_shared: bool,
    /// Number of the last list of messages that told it.
    pub listed: u32,
    /// The newest interrupt about this call.
    pub ask: Option<usize>,
    /// The wire said that it runs while someone is asked about it.
    pub is_held: bool,
    /// Where the card stands among the open ones.
    pub registered: Option<OpenKey>,
    /// A call was seen, not only something about it.
    pub called: bool,
    pub title: Known,
    pub title_is_name: bool,
    pub kind: Known,
    pub input: Known,
    pub input_side: Known,
    pub result_side: Known,
    pub locations: Known,
    pub output: Known,
    pub input_high: Option<u16>,
    pub output_high: Option<u16>,
}

impl Card {
    pub fn new(item: u32, id: Name, wire: Name, lane: LaneId, epoch: u32, name: Name) -> Card {
        Card {
            item,
            id,
            wire,
            lane,
            epoch,
            name,
            before: None,
            older: None,
            block: None,
            worker: Name::NONE,
            status: ToolStatus::Pending,
            status_inferred: false,
            ask: None,
            is_shared: false,
            listed: 0,
            is_held: false,
            registered: None,
            called: false,
            title: Known::default(),
            title_is_name: false,
            kind: Known::default(),
            input: Known::default(),
            input_side: Known::default(),
            result_side: Known::default(),
            locations: Known::default(),
            output: Known::default(),
            input_high: None,
            output_high: None,
        }
    }

    /// A title that only repeats the tool's name never replaces a better one.
    pub fn take_title<'a>(
        &mut self,
        update: &mut ToolCallUpdate<'a>,
        rank: Rank,
        title: Option<&'a str>,
        name: Option<&str>,
    ) {
        let Some(title) = title else { return };
        let is_name = Some(title) == name;
        if is_name && self.title.is_known() {
            return;
        }
        if self.title_is_name {
            self.title.rank = Rank::Unknown;
        }
        if self.title.take(rank, mark(title)) {
            self.title_is_name = is_name;
            update.title = Some(title);
        }
    }

    /// `completed` or `failed`.
    pub fn is_final(&self) -> bool {
        matches!(self.status, ToolStatus::Completed | ToolStatus::Failed)
    }

    /// Whether a call with these words can be this card's own call again.
    pub fn agrees(&self, name: Name, title: Option<&str>, input: Option<u64>) -> bool {
        if self.name.is_some() && name.is_some() && self.name != name {
            return false;
        }
        match input {
            Some(input) if self.input.is_known() => self.input.mark == input,
            _ => title.is_none_or(|title| {
                !self.title.is_known() || self.title_is_name || self.title.mark == mark(title)
            }),
        }
    }

    /// Facts only grow: takes a status over unless a stronger one is known.
    pub fn take_status(&mut self, status: ToolStatus, inferred: bool) -> bool {
        let is_final = matches!(status, ToolStatus::Completed | ToolStatus::Failed);
        if self.is_final() {
            if !is_final || (inferred && !self.status_inferred) {
                return false;
            }
        } else if !is_final && (status == self.status || status == ToolStatus::Pending) {
            return false;
        }
        let changed = status != self.status || inferred != self.status_inferred;
        self.status = status;
        self.status_inferred = inferred;
        changed
    }
}

/// Stands for one side of a card.
pub(super) fn content_mark(content: &[ToolContent<'_>]) -> u64 {
    let mut text = String::new();
    let mut hasher = FoldHasher::default();
    for entry in content {
        match entry {
            ToolContent::Content { content: ContentBlock::Text { text } } => hasher.write(text.as_bytes()),
            ToolContent::Content { content: ContentBlock::Image { data, mime_type, uri } } => {
                hasher.write(data.as_bytes());
                hasher.write(mime_type.as_bytes());
                hasher.write(uri.unwrap_or_default().as_bytes());
            }
            ToolContent::Diff { path, old_text, new_text } => {
                hasher.write_u8(2);
                hasher.write(path.as_bytes());
                hasher.write_u8(u8::from(old_text.is_some()));
                hasher.write(old_text.unwrap_or_default().as_bytes());
                hasher.write(new_text.as_bytes());
            }
            other => {
                text.clear();
                other.write_json(&mut text);
                hasher.write(text.as_bytes());
            }
        }
        hasher.write_u8(1);
    }
    hasher.finish()
}

/// Stands for the files a card names.
pub(super) fn locations_mark(locations: &[Location<'_>]) -> u64 {
    let mut hasher = FoldHasher::default();
    for location in locations {
        hasher.write(location.path.as_bytes());
        hasher.write_u64(location.line.map_or(u64::MAX, f64::to_bits));
    }
    hasher.finish()
}
