//! What the transcript owns of the events it read: whole updates in packed form, and names it meets again and again.

use std::collections::HashSet;
use std::sync::Arc;

use crate::event::{Batch, Envelope, Update};
use crate::framing::Source;

/// A shared name: session, agent, message, model. Clones cost a counter, not a copy.
pub type Name = Arc<str>;

/// An update kept whole, as packed as it came; it becomes fields and lists only when it is read.
#[derive(Clone, Debug, Default)]
pub(super) struct Kept {
    batch: Batch,
}

impl Kept {
    pub fn of(update: &Update<'_>) -> Kept {
        let mut batch = Batch::new();
        batch.push(&Envelope::default(), Source::default(), update);
        Kept { batch }
    }

    /// Keeps one more update behind the earlier ones.
    pub fn add(&mut self, update: &Update<'_>) {
        self.batch.push(&Envelope::default(), Source::default(), update);
    }

    pub fn first(&self) -> Option<Update<'_>> {
        self.all().next()
    }

    pub fn all(&self) -> impl Iterator<Item = Update<'_>> {
        self.batch.iter().map(|event| event.update)
    }

    /// Bytes of text inside.
    pub fn size(&self) -> usize {
        self.batch.text().len()
    }
}

/// One copy of each name.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    known: HashSet<Name>,
}

impl Names {
    pub fn name(&mut self, text: &str) -> Name {
        if let Some(name) = self.known.get(text) {
            return Arc::clone(name);
        }
        let name: Name = Arc::from(text);
        self.known.insert(Arc::clone(&name));
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
