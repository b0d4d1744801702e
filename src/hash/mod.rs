//! Hashes for keys of our own: ids and numbers, never shown, never an attacker's gain.
//!
//! The standard library's hash withstands floods of colliding keys; it took 7 % of a long history's time.

mod index;
mod map;

use std::hash::Hasher;

pub(crate) use index::Index;
pub(crate) use map::Map;

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
        let (pairs, _) = bytes.as_chunks::<16>();
        // Two by two: each fold waits for the one before it.
        let mut other = FoldHasher(!self.0);
        for pair in pairs {
            let [first, second] =
                [0, 8].map(|at| pair[at..].first_chunk().map_or(0, |word| u64::from_le_bytes(*word)));
            self.fold(first);
            other.fold(second);
        }
        if !pairs.is_empty() {
            self.fold(other.0);
        }
        let (words, rest) = bytes.get(pairs.len() * 16..).unwrap_or_default().as_chunks::<8>();
        for word in words {
            self.fold(u64::from_le_bytes(*word));
        }
        // Not copied into a word: a copy of a few bytes takes wasm 20 ns.
        let last = rest.iter().rev().fold(0, |last, byte| last << 8 | u64::from(*byte));
        self.fold(last ^ ((bytes.len() as u64) << 56));
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
