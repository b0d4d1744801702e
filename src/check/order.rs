//! Numbers that count up: events, items, places in the input.

use super::Breaches;
use super::fields::{Event, family, family_of_role};
use crate::hash::Map;
use crate::json::Value;

/// What was numbered so far.
#[derive(Default)]
pub(super) struct Order {
    next_seq: Option<u64>,
    /// Item number and the family its first update belonged to.
    families: Map<u64, &'static str>,
    next_item: u64,
    /// Of each input (number or name, raw; empty for the stream itself) the end of the record that caused its newest event,
    /// in bytes. A run has few files.
    reached: Vec<(String, u64)>,
    /// The agent of each plan item.
    plans: Map<u64, String>,
}

impl Order {
    /// Whether the item appeared.
    pub fn knows(&self, item: u64) -> bool {
        self.families.contains_key(&item)
    }

    pub fn check(&mut self, event: &Event<'_>, breaches: &mut Breaches) {
        self.check_seq(event, breaches);
        self.check_source(event, breaches);
        self.check_item(event, breaches);
        if event.kind == "plan" {
            self.check_plan(event, breaches);
        }
    }

    fn check_seq(&mut self, event: &Event<'_>, breaches: &mut Breaches) {
        let Some(seq) = event.seq.and_then(Value::u64) else {
            breaches.add("model", "the event has no number `seq`");
            return;
        };
        if let Some(expected) = self.next_seq.filter(|expected| *expected != seq) {
            breaches.add("model", format!("seq is {seq}, expected {expected}"));
        }
        self.next_seq = Some(seq + 1);
    }

    /// Events leave when their record is complete, so ends of records never go back; starts may (joined pieces).
    fn check_source(&mut self, event: &Event<'_>, breaches: &mut Breaches) {
        let [offset, length, line] = match event.source {
            Some(source) => {
                source.fields(["offset", "length", "line"]).map(|field| field.and_then(Value::u64))
            }
            None => [None; 3],
        };
        let (Some(offset), Some(length), Some(_)) = (offset, length, line) else {
            breaches.add("N5", "the event does not tell its source record");
            return;
        };
        let end = offset.saturating_add(length);
        let input = event.source.and_then(|source| source.get("input")).map_or("", |input| input.raw());
        let known = self.reached.iter().position(|(known, _)| known == input);
        let place = known.unwrap_or_else(|| {
            self.reached.push((input.to_owned(), 0));
            self.reached.len() - 1
        });
        let Some((_, reached)) = self.reached.get_mut(place) else { return };
        if end < *reached {
            breaches.add("N5", format!("source ends at byte {end}, yet byte {reached} was reached before"));
        }
        *reached = end.max(*reached);
    }

    fn check_item(&mut self, event: &Event<'_>, breaches: &mut Breaches) {
        let family = match event.text("role") {
            Some(role) if event.kind == "message_end" => family_of_role(&role),
            _ => family(&event.kind),
        };
        let Some(item) = event.item else {
            if family.is_some() {
                breaches.add("model", format!("{} names no item", event.kind));
            }
            return;
        };
        let Some(family) = family else {
            breaches.add("model", format!("{} makes no item, yet names item {item}", event.kind));
            return;
        };
        match self.families.get(&item) {
            Some(known) if *known != family => {
                breaches.add("model", format!("item {item} is a {known} and cannot become a {family}"));
            }
            Some(_) => {}
            None => self.first_of(item, family, event, breaches),
        }
    }

    fn first_of(&mut self, item: u64, family: &'static str, event: &Event<'_>, breaches: &mut Breaches) {
        if matches!(event.kind.as_ref(), "message_end" | "tool_call_update" | "interrupt_resolved") {
            breaches.add("model", format!("{} is about item {item}, which never appeared", event.kind));
            return;
        }
        if item != self.next_item {
            breaches.add("model", format!("new item has number {item}, expected {}", self.next_item));
        }
        self.next_item = item.saturating_add(1);
        self.families.insert(item, family);
    }

    fn check_plan(&mut self, event: &Event<'_>, breaches: &mut Breaches) {
        let Some(item) = event.item else { return };
        let agent = event.agent.as_deref().unwrap_or("");
        let Some(known) = self.plans.get(&item) else {
            self.plans.insert(item, agent.to_owned());
            return;
        };
        if known != agent {
            breaches.add("model", format!("plan item {item} belongs to agent `{known}`, not to `{agent}`"));
        }
    }
}
