//! Interrupts: asked once, ended by one stated answer.

use super::Breaches;
use super::cards::Cards;
use super::fields::Event;
use crate::hash::Map;

/// Every interrupt by its id.
#[derive(Default)]
pub(super) struct Interrupts {
    asked: Map<String, Asked>,
}

#[derive(Default)]
struct Asked {
    item: Option<u64>,
    stated: bool,
    inferred: bool,
}

impl Interrupts {
    pub fn check(&mut self, event: &Event<'_>, cards: &Cards, breaches: &mut Breaches) {
        let Some(id) = event.text("interruptId") else { return };
        match event.kind.as_ref() {
            "interrupt" => {
                if let Some(card) = event.text("toolCallId").filter(|card| !cards.knows(card)) {
                    breaches.add("N2", format!("interrupt `{id}` is about the unknown card `{card}`"));
                }
                match self.asked.get(id.as_ref()) {
                    None => {
                        let asked = Asked { item: event.item, ..Asked::default() };
                        self.asked.insert(id.into_owned(), asked);
                    }
                    Some(asked) if asked.item != event.item => {
                        breaches.add("model", format!("interrupt `{id}` is asked again in another item"));
                    }
                    Some(_) => {}
                }
            }
            "interrupt_resolved" => match self.asked.get_mut(id.as_ref()) {
                Some(asked) => asked.resolve(&id, event, breaches),
                None => breaches.add("model", format!("interrupt `{id}` is resolved and was never asked")),
            },
            _ => {}
        }
    }
}

impl Asked {
    fn resolve(&mut self, id: &str, event: &Event<'_>, breaches: &mut Breaches) {
        if event.item.is_some() && event.item != self.item {
            breaches.add("model", format!("interrupt `{id}` changes its item"));
        }
        let inferred = event.text("source").is_some_and(|source| source == "inferred");
        if self.stated {
            breaches.add("N3", format!("interrupt `{id}` is resolved again after the wire's own answer"));
        } else if inferred && self.inferred {
            breaches.add("N3", format!("interrupt `{id}` is resolved twice by inference"));
        }
        self.stated |= !inferred;
        self.inferred |= inferred;
    }
}
