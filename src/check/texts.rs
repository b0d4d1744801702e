//! Text parts: the chunks of an item are its text (N4).

use super::Breaches;
use super::fields::{Event, family, text};
use crate::hash::Map;

/// What was printed of every text item.
#[derive(Default)]
pub(super) struct Texts {
    parts: Map<u64, Part>,
}

#[derive(Default)]
struct Part {
    text: String,
    ended: bool,
    has_stop_reason: bool,
}

impl Texts {
    pub fn check(&mut self, event: &Event<'_>, breaches: &mut Breaches) {
        let Some(item) = event.item else {
            if event.kind == "message_end" {
                breaches.add("N4", "message_end does not tell which part it closes");
            }
            return;
        };
        match event.kind.as_ref() {
            "agent_message_chunk" | "agent_thought_chunk" | "user_message_chunk" => {
                let part = self.parts.enter(item);
                if part.ended {
                    let family = family(&event.kind).unwrap_or("part");
                    breaches.add("N4", format!("more {family} for item {item} after its message_end"));
                }
                let content = event.update.get("content").and_then(|content| text(content, "text"));
                part.text.push_str(&content.unwrap_or_default());
            }
            "message_end" => self.end(item, event, breaches),
            _ => {}
        }
    }

    fn end(&mut self, item: u64, event: &Event<'_>, breaches: &mut Breaches) {
        let Some(part) = self.parts.get_mut(&item) else { return };
        // After its part was closed, a whole text may still correct it, and the reason to stop may still become known.
        let reason = event.update.get("stopReason").is_some() && !part.has_stop_reason;
        if part.ended && event.update.get("content").is_none() && !reason {
            breaches.add("N4", format!("item {item} ends twice"));
        }
        part.ended = true;
        part.has_stop_reason |= reason;
        let Some(content) = event.text("content") else { return };
        if content == part.text {
            let message = format!("message_end repeats the text of item {item} that its chunks already gave");
            breaches.add("N4", message);
        }
        part.text = content.into_owned();
    }
}
