//! Tool cards: one call each (N2), facts that only grow (N3).

use super::Breaches;
use super::fields::Event;
use crate::hash::Map;
use crate::json::{Kind, Value};

/// Every card by its id, and the id behind every card item.
#[derive(Default)]
pub(super) struct Cards {
    cards: Map<String, Card>,
    ids: Map<u64, String>,
}

struct Card {
    item: Option<u64>,
    status: String,
    /// The terminal status is the wire's word.
    stated: bool,
    withdrawn: bool,
    known: [bool; FILLED.len()],
}

/// Fields that may be filled and changed but never emptied.
const FILLED: [&str; 4] = ["title", "toolName", "rawInput", "rawOutput"];

impl Cards {
    /// Whether a card has this id.
    pub fn knows(&self, id: &str) -> bool {
        self.cards.contains_key(id)
    }

    /// The item was taken back: from here its status may change freely.
    pub fn withdraw(&mut self, item: u64) {
        if let Some(card) = self.ids.get(&item).and_then(|id| self.cards.get_mut(id)) {
            card.withdrawn = true;
        }
    }

    pub fn check(&mut self, event: &Event<'_>, breaches: &mut Breaches) {
        match event.kind.as_ref() {
            "tool_call" => self.call(event, breaches),
            "tool_call_update" => self.update(event, breaches),
            "artifact" => {
                if let Some(id) = event.text("toolCallId").filter(|id| !self.knows(id)) {
                    breaches.add("N2", format!("the artifact names the unknown card `{id}`"));
                }
            }
            _ => {}
        }
    }

    fn call(&mut self, event: &Event<'_>, breaches: &mut Breaches) {
        let Some(id) = event.text("toolCallId") else { return };
        if self.cards.contains_key(id.as_ref()) {
            breaches.add("N2", format!("card `{id}` has a second tool_call"));
            return;
        }
        if let Some(item) = event.item {
            if let Some(other) = self.ids.get(&item) {
                breaches.add("N2", format!("item {item} holds card `{other}` and now `{id}`"));
            }
            self.ids.insert(item, id.clone().into_owned());
        }
        let status = event.text("status").unwrap_or_default().into_owned();
        let card = Card {
            item: event.item,
            stated: is_final(&status),
            status,
            withdrawn: false,
            known: FILLED.map(|name| event.update.get(name).is_some_and(|value| !is_blank(value))),
        };
        self.cards.insert(id.into_owned(), card);
    }

    fn update(&mut self, event: &Event<'_>, breaches: &mut Breaches) {
        let Some(id) = event.text("toolCallId") else { return };
        let Some(card) = self.cards.get_mut(id.as_ref()) else {
            breaches.add("N2", format!("update of card `{id}`, which had no tool_call"));
            return;
        };
        if event.item.is_some() && event.item != card.item {
            breaches.add("N2", format!("card `{id}` changes its item"));
        }
        if let Some(status) = event.text("status") {
            card.change_status(&id, &status, event.flag("inferred"), breaches);
        }
        for (name, known) in FILLED.iter().zip(&mut card.known) {
            let Some(value) = event.update.get(name) else { continue };
            if *known && is_blank(value) {
                breaches.add("N3", format!("`{name}` of card `{id}` was known and is blanked"));
            }
            *known |= !is_blank(value);
        }
    }
}

impl Card {
    fn change_status(&mut self, id: &str, status: &str, inferred: bool, breaches: &mut Breaches) {
        if is_final(&self.status) && !self.withdrawn {
            if !is_final(status) {
                breaches.add("N3", format!("card `{id}` goes back from {} to {status}", self.status));
            } else if inferred && self.stated && status != self.status {
                breaches.add(
                    "N3",
                    format!("an inferred {status} overrides the stated {} of `{id}`", self.status),
                );
            }
        }
        // An inferred repeat of what the wire stated leaves it stated.
        self.stated = is_final(status) && (!inferred || (self.stated && self.status == status));
        status.clone_into(&mut self.status);
    }
}

fn is_final(status: &str) -> bool {
    matches!(status, "completed" | "failed")
}

fn is_blank(value: Value<'_>) -> bool {
    match value.kind() {
        Kind::Null => true,
        Kind::String => value.str_raw() == Some(""),
        _ => false,
    }
}
