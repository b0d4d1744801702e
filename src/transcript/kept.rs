//! What the transcript owns of the events it read: whole updates in packed form, and names it meets again and again.

use std::sync::Arc;

use crate::event::{ContentBlock, Head, Packed, Packer, SLOTS, ToolCallUpdate, ToolContent, Update};
use crate::hash::{Index, mark};
use crate::json::same;

/// A shared name: session, agent, message, model. Clones cost a counter, not a copy.
pub type Name = Arc<str>;

/// The word that each slot of an envelope had last in a batch, and the number of its name.
pub(super) type Words = [(u32, u32); SLOTS];

/// An update kept whole, as packed as it came; it becomes fields and lists only when it is read.
#[derive(Clone, Debug)]
pub(super) enum Kept {
    Packed(Packed),
    /// What most cards have for content. One allocation and one copy; packing takes three and two, which was a twentieth
    /// of what folding an agent trace costs.
    OneText(Box<str>),
}

impl Default for Kept {
    fn default() -> Self {
        Kept::Packed(Packed::default())
    }
}

impl Kept {
    pub fn of(update: &Update<'_>, packer: &mut Packer) -> Kept {
        Kept::Packed(packer.pack(update))
    }

    /// An update that holds nothing but this content.
    pub fn of_content(content: &[ToolContent<'_>], packer: &mut Packer) -> Kept {
        if let [ToolContent::Content { content: ContentBlock::Text { text } }] = content {
            return Kept::OneText(Box::from(*text));
        }
        let update = ToolCallUpdate { content: Some(content.into()), ..ToolCallUpdate::default() };
        Kept::of(&update.into(), packer)
    }

    pub fn update(&self) -> Option<Update<'_>> {
        match self {
            Kept::Packed(packed) => packed.update(),
            Kept::OneText(text) => {
                let content = vec![ToolContent::Content { content: ContentBlock::Text { text } }];
                Some(ToolCallUpdate { content: Some(content.into()), ..ToolCallUpdate::default() }.into())
            }
        }
    }

    /// Bytes of text inside.
    pub fn size(&self) -> usize {
        match self {
            Kept::Packed(packed) => packed.size(),
            Kept::OneText(text) => text.len(),
        }
    }
}

/// One copy of each name, numbered.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    /// Each with the one before it that has the same mark.
    list: Vec<(Name, Option<u32>)>,
    /// The newest name of each mark.
    by_mark: Index,
}

impl Names {
    pub fn number(&mut self, text: &str) -> u32 {
        let mark = mark(text);
        let next = self.list.len() as u32;
        let newest = Some(self.by_mark.number(mark, next)).filter(|newest| *newest != next);
        if let Some(known) = self.chained(newest, text) {
            return known;
        }
        if newest.is_some() {
            self.by_mark.insert(mark, next);
        }
        self.list.push((Name::from(text), newest));
        next
    }

    /// The number of a name that was met before.
    pub fn known(&self, text: &str) -> Option<u32> {
        self.chained(self.by_mark.get(mark(text)), text)
    }

    fn chained(&self, newest: Option<u32>, text: &str) -> Option<u32> {
        let mut known = newest;
        loop {
            let (name, before) = self.get(known?)?;
            if same(name, text) {
                return known;
            }
            known = *before;
        }
    }

    fn get(&self, number: u32) -> Option<&(Name, Option<u32>)> {
        self.list.get(number as usize)
    }

    pub fn name(&mut self, text: &str) -> Name {
        let number = self.number(text);
        self.get(number).map(|(name, _)| Name::clone(name)).unwrap_or_default()
    }

    /// The number of an envelope's string. A batch says the same word again and again.
    #[inline]
    pub fn told(&mut self, event: &Head<'_>, slot: usize, words: &mut Words) -> Option<u32> {
        let text = event.text(slot)?;
        let (word, number) = words.get_mut(slot)?;
        if *word != event.word(slot) {
            (*word, *number) = (event.word(slot), self.number(text));
        }
        Some(*number)
    }

    /// Fills an empty slot with an envelope's string; what is known stays.
    pub fn fill_told(&mut self, to: &mut Option<Name>, event: &Head<'_>, slot: usize, words: &mut Words) {
        if to.is_none()
            && let Some(number) = self.told(event, slot, words)
        {
            *to = self.get(number).map(|(name, _)| Name::clone(name));
        }
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
