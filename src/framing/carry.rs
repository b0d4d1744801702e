//! The scratch that holds what a chunk left unfinished.
//!
//! Bytes enter it once, when a record is cut by a chunk's end. It never outlives its record by more than
//! [`KEPT_CAPACITY`] bytes of memory.

/// Capacity a scratch may keep while it is idle, in bytes.
pub(super) const KEPT_CAPACITY: usize = 64 << 10;

#[derive(Debug, Default)]
pub(super) struct Carry {
    pub(super) bytes: Vec<u8>,
    copied: u64,
}

impl Carry {
    pub(super) fn extend(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
        self.copied += bytes.len() as u64;
    }

    pub(super) fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    pub(super) fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Moves `from..` down to `to` and cuts off what follows.
    pub(super) fn close_gap(&mut self, from: usize, to: usize) {
        let length = self.bytes.len().saturating_sub(from);
        self.bytes.copy_within(from.., to);
        self.bytes.truncate(to + length);
        self.copied += length as u64;
    }

    /// Forgets the bytes and gives large memory back.
    pub(super) fn release(&mut self) {
        self.bytes.clear();
        if self.bytes.capacity() > KEPT_CAPACITY {
            self.bytes.shrink_to(KEPT_CAPACITY);
        }
    }

    pub(super) fn capacity(&self) -> usize {
        self.bytes.capacity()
    }

    /// Bytes ever copied into this scratch or moved within it.
    pub(super) fn copied(&self) -> u64 {
        self.copied
    }
}
