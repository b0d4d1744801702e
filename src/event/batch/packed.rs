//! Updates that are kept alone.

use super::{Batch, Reader, Strict, Strings};
use crate::event::Update;

/// One update alone: three allocations of exactly its size.
#[derive(Clone, Debug, Default)]
pub(crate) struct Packed {
    words: Box<[u32]>,
    text: Box<str>,
    ends: Box<[u32]>,
}

/// Packs updates that come out of a batch. Its buffers grow once, not with each update, and UTF-16 units are not counted:
/// a fifth of a kept update's instructions, and three allocations in ten of an agent trace's.
#[derive(Clone, Debug)]
pub(crate) struct Packer(Batch);

/// Room that stays from update to update.
const ROOM: usize = 64 << 10;

impl Default for Packer {
    fn default() -> Self {
        Packer(Batch { strict: Strict::EVERYWHERE, bytes_only: true, ..Batch::default() })
    }
}

impl Packer {
    pub(crate) fn pack(&mut self, update: &Update<'_>) -> Packed {
        let batch = &mut self.0;
        batch.words.push(update.tag());
        update.pack(batch);
        let packed = Packed {
            words: Box::from(batch.words.as_slice()),
            text: Box::from(batch.text.as_str()),
            ends: Box::from(batch.ends.as_slice()),
        };
        batch.words.clear();
        batch.text.clear();
        batch.ends.clear();
        batch.last = Default::default();
        if packed.text.len() > ROOM {
            batch.shrink(ROOM);
        }
        packed
    }
}

impl Packed {
    /// The update.
    pub(crate) fn update(&self) -> Option<Update<'_>> {
        let strings = Strings { text: &self.text, ends: &self.ends };
        let mut reader = Reader { words: &self.words, strings, at: 0 };
        let tag = reader.word();
        Update::unpack(tag, &mut reader)
    }

    /// Bytes of text inside.
    pub(crate) fn size(&self) -> usize {
        self.text.len()
    }
}
