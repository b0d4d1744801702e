//! Hashes for keys of our own: ids and numbers, never shown, never an attacker's gain.
//!
//! The standard library's hash withstands floods of colliding keys; it took 7 % of a long history's time.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A map with a small fast hash. Its order is never shown.
pub(crate) type Map<K, V> = HashMap<K, V, BuildHasherDefault<FoldHasher>>;

const FOLD: u64 = 0x9e37_79b9_7f4a_7c15;

/// Multiply and rotate, eight bytes at a step.
#[derive(Default, Clone, Copy)]
pub(crate) struct FoldHasher(u64);

impl FoldHasher {
    fn fold(&mut self, word: u64) {
        self.0 = (self.0 ^ word).wrapping_mul(FOLD).rotate_left(29);
    }
}

impl Hasher for FoldHasher {
    fn finish(&self) -> u64 {
        (self.0 ^ (self.0 >> 32)).wrapping_mul(FOLD)
    }

    fn write(&mut self, bytes: &[u8]) {
        let mut words = bytes.chunks_exact(8);
        for word in &mut words {
            self.fold(u64::from_le_bytes(word.try_into().unwrap_or_default()));
        }
        let mut last = [0; 8];
        let rest = words.remainder();
        last[..rest.len()].copy_from_slice(rest);
        self.fold(u64::from_le_bytes(last) ^ ((bytes.len() as u64) << 56));
    }

    fn write_u32(&mut self, word: u32) {
        self.fold(u64::from(word));
    }

    fn write_u64(&mut self, word: u64) {
        self.fold(word);
    }

    fn write_usize(&mut self, word: usize) {
        self.fold(word as u64);
    }

    fn write_u8(&mut self, word: u8) {
        self.fold(u64::from(word));
    }
}

/// Stands for a whole text. Equal texts have equal marks; other texts practically never do.
pub(crate) fn mark(text: &str) -> u64 {
    let mut hasher = FoldHasher(FOLD);
    hasher.write(text.as_bytes());
    hasher.finish()
}
