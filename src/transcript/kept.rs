//! What the transcript owns of the events it read: whole updates in packed form, and names it meets again and again.

use std::sync::Arc;

use crate::event::{Packed, Update};
use crate::hash::Map;

/// A shared name: session, agent, message, model. Clones cost a counter, not a copy.
pub type Name = Arc<str>;

/// An update kept whole, as packed as it came; it becomes fields and lists only when it is read.
#[derive(Clone, Debug, Default)]
pub(super) struct Kept(Packed);

impl Kept {
    pub fn of(update: &Update<'_>) -> Kept {
        Kept(Packed::of(update))
    }

    pub fn update(&self) -> Option<Update<'_>> {
        self.0.update()
    }

    /// Bytes of text inside.
    pub fn size(&self) -> usize {
        self.0.size()
    }
}

/// One copy of each name.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    known: Map<Name, ()>,
}

impl Names {
    pub fn name(&mut self, text: &str) -> Name {
        if let Some((name, ())) = self.known.get_key_value(text) {
            return Arc::clone(name);
        }
        let name: Name = Arc::from(text);
        self.known.insert(Arc::clone(&name), ());
        name
    }

    /// Fills an empty slot; what is known stays.
    pub fn fill(&mut self, slot: &mut Option<Name>, text: Option<&str>) {
        if slot.is_none()
            && let Some(text) = text
        {
            *slot = Some(self.name(text));
        }
    }
}
