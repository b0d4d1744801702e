//! What the wire takes back, and records that come a second time.

use std::collections::VecDeque;

use super::NormalForm;
use super::names::{Index, mark};
use crate::dialect::{Context, WithdrawTarget};
use crate::event::Withdrawn;
use crate::framing::Severity;

/// Items of one record that are worth remembering; a record that made more is not taken back whole.
const ITEMS_OF_RECORD: usize = 32;

/// Records seen, and the items of those that may be taken back.
pub(super) struct Records {
    /// Their marks, and where their items begin among all (plus one; 0: none are kept): first their count, then they.
    seen: Index,
    order: VecDeque<u64>,
    limit: usize,
    /// Some ids were forgotten.
    forgot: bool,
    /// The same of records that are forgotten otherwise.
    items_of: Index,
    items: Vec<u32>,
    /// Mark of the id told last, until something worth keeping follows it.
    told: Option<u64>,
    /// Mark of the current record, which says whole texts or calls: it may be taken back later.
    current: Option<u64>,
    /// Items that the current record's events named.
    pub touched: Vec<u32>,
    withdrawn: Index,
}

impl Records {
    pub fn new(limit: usize) -> Self {
        Records {
            seen: Index::default(),
            order: VecDeque::new(),
            limit,
            forgot: false,
            items_of: Index::default(),
            items: Vec::new(),
            told: None,
            current: None,
            touched: Vec::new(),
            withdrawn: Index::default(),
        }
    }

    pub fn begin(&mut self) {
        self.told = None;
        self.current = None;
        self.touched.clear();
    }

    /// The current record says something that may be taken back.
    pub fn keep_items(&mut self) {
        self.current = self.told.take().or(self.current);
    }

    /// Remembers the record's items. Returns whether there were too many.
    pub fn end(&mut self) -> bool {
        let Some(id) = self.current.filter(|_| !self.touched.is_empty()) else {
            return false;
        };
        let fits = self.touched.len() <= ITEMS_OF_RECORD;
        if fits {
            let start = self.items.len() as u32 + 1;
            let index = if self.seen.contains(id) { &mut self.seen } else { &mut self.items_of };
            index.insert(id, start);
            self.items.push(self.touched.len() as u32);
            self.items.extend_from_slice(&self.touched);
        }
        !fits
    }

    /// The items of an earlier record.
    fn items_of(&self, id: &str) -> &[u32] {
        let mark = mark(id);
        let start = self.seen.get(mark).filter(|start| *start > 0).or_else(|| self.items_of.get(mark));
        let items = start.and_then(|start| self.items.get(start as usize - 1..));
        let items = items.and_then(<[u32]>::split_first);
        items.and_then(|(count, items)| items.get(..*count as usize)).unwrap_or_default()
    }

    pub fn is_withdrawn(&self, item: u32) -> bool {
        self.withdrawn.contains(u64::from(item))
    }

    /// Whether a record with this id was here before, among the last ones.
    fn repeated(&mut self, id: u64) -> bool {
        if let Some(items) = self.seen.insert(id, 0) {
            self.seen.insert(id, items);
            return true;
        }
        self.order.push_back(id);
        if self.order.len() > self.limit
            && let Some(oldest) = self.order.pop_front()
        {
            let items = self.seen.remove(oldest).filter(|start| *start > 0);
            items.map(|start| self.items_of.insert(oldest, start));
        }
        false
    }
}

impl NormalForm {
    /// Returns whether the rest of this record is to be dropped.
    pub(super) fn record_id(&mut self, id: &str) -> bool {
        let mark = mark(id);
        if self.records.repeated(mark) {
            self.ignored("repeated-record");
            return true;
        }
        self.records.told = Some(mark).filter(|_| !id.is_empty());
        if self.records.order.len() == self.records.limit
            && !std::mem::replace(&mut self.records.forgot, true)
        {
            self.remark(
                "limit.record-ids",
                Severity::Info,
                "more record ids than max_record_ids: one that comes again later than that is not recognised",
            );
        }
        false
    }

    pub(super) fn withdraw(&mut self, context: &Context<'_>, target: WithdrawTarget<'_>, reason: &str) {
        let lane = self.lanes.of(&mut self.names, context);
        let items = match target {
            WithdrawTarget::Message(message) => self.message_items(context, message, 0),
            WithdrawTarget::MessageFrom(message, from) => self.message_items(context, message, from),
            WithdrawTarget::Record(id) => self.records.items_of(id).to_vec(),
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
        items.retain(|item| self.records.withdrawn.insert(u64::from(*item), 0).is_none());
        if items.is_empty() {
            return self.ignored("nothing-to-withdraw");
        }
        let items: Vec<f64> = items.into_iter().map(f64::from).collect();
        self.emit(context, None, &Withdrawn { items: items.into(), reason }.into());
    }
}
