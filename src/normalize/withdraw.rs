//! What the wire takes back, and records that come a second time.

use std::collections::VecDeque;

use super::NormalForm;
use super::names::{Map, Name, mark};
use crate::dialect::{Context, WithdrawTarget};
use crate::event::Withdrawn;
use crate::framing::Severity;

/// Items of one record that are worth remembering; a record that made more is not taken back whole.
const ITEMS_OF_RECORD: usize = 32;

/// Records seen, and the items of those that may be taken back.
pub(super) struct Records {
    seen: Map<u64, ()>,
    order: VecDeque<u64>,
    limit: usize,
    /// Some ids were forgotten.
    forgot: bool,
    items: Map<Name, Vec<u32>>,
    /// Id of the current record.
    current: Option<Name>,
    /// The current record says whole texts or calls: it may be taken back later.
    pub keeps_items: bool,
    /// Items that the current record's events named.
    pub touched: Vec<u32>,
    withdrawn: Map<u32, ()>,
}

impl Records {
    pub fn new(limit: usize) -> Self {
        Records {
            seen: Map::default(),
            order: VecDeque::new(),
            limit,
            forgot: false,
            items: Map::default(),
            current: None,
            keeps_items: false,
            touched: Vec::new(),
            withdrawn: Map::default(),
        }
    }

    pub fn begin(&mut self) {
        self.current = None;
        self.keeps_items = false;
        self.touched.clear();
    }

    /// Remembers the record's items. Returns whether there were too many.
    pub fn end(&mut self) -> bool {
        let Some(id) = self.current.filter(|_| self.keeps_items && !self.touched.is_empty()) else {
            return false;
        };
        let fits = self.touched.len() <= ITEMS_OF_RECORD;
        if fits {
            self.items.insert(id, self.touched.clone());
        }
        !fits
    }

    pub fn is_withdrawn(&self, item: u32) -> bool {
        self.withdrawn.contains_key(&item)
    }

    /// Whether a record with this id was here before, among the last ones.
    fn repeated(&mut self, id: u64) -> bool {
        if self.seen.insert(id, ()).is_some() {
            return true;
        }
        self.order.push_back(id);
        if self.order.len() > self.limit
            && let Some(oldest) = self.order.pop_front()
        {
            self.seen.remove(&oldest);
        }
        false
    }
}

impl NormalForm {
    /// Returns whether the rest of this record is to be dropped.
    pub(super) fn record_id(&mut self, id: &str) -> bool {
        if self.records.repeated(mark(id)) {
            self.ignored("repeated-record");
            return true;
        }
        if self.records.order.len() == self.records.limit
            && !std::mem::replace(&mut self.records.forgot, true)
        {
            self.remark(
                "limit.record-ids",
                Severity::Info,
                "more record ids than max_record_ids: one that comes again later than that is not recognised",
            );
        }
        self.record_name.clear();
        self.record_name.push_str(id);
        false
    }

    /// Gives the record its name only once it turns out to be worth one.
    pub(super) fn keep_record_items(&mut self) {
        if !self.record_name.is_empty() {
            self.records.current = Some(self.names.number(&self.record_name));
            self.record_name.clear();
        }
        self.records.keeps_items = true;
    }

    pub(super) fn withdraw(&mut self, context: &Context<'_>, target: WithdrawTarget<'_>, reason: &str) {
        let lane = self.lanes.of(&mut self.names, context);
        let items = match target {
            WithdrawTarget::Message(message) => self.message_items(context, message, 0),
            WithdrawTarget::MessageFrom(message, from) => self.message_items(context, message, from),
            WithdrawTarget::Record(id) => {
                let id = self.names.known(id);
                id.and_then(|id| self.records.items.get(&id)).cloned().unwrap_or_default()
            }
            WithdrawTarget::Part(part) => self.item_of_part(context, part).into_iter().collect(),
            WithdrawTarget::Call(call) => {
                let card = self.card_of_change(context, lane, call).index;
                card.map(|card| self.cards.list[card].item).into_iter().collect()
            }
        };
        self.withdraw_items(context, items, reason);
    }

    fn message_items(&mut self, context: &Context<'_>, message: &str, from: u32) -> Vec<u32> {
        let mut items = self.items_of_message(context, message, from);
        items.extend(self.cards_of_message(context, message, from));
        items.sort_unstable();
        items.dedup();
        items
    }

    pub(super) fn withdraw_items(&mut self, context: &Context<'_>, mut items: Vec<u32>, reason: &str) {
        items.retain(|item| self.records.withdrawn.insert(*item, ()).is_none());
        if items.is_empty() {
            return self.ignored("nothing-to-withdraw");
        }
        for item in &items {
            self.runs.printed.remove(item);
        }
        let items: Vec<f64> = items.into_iter().map(f64::from).collect();
        self.emit(context, None, Withdrawn { items: items.into(), reason });
    }
}
