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
            let both = u128::from_le_bytes(*pair);
            // The cuts are meant: one half each.
            self.fold(both as u64);
            other.fold((both >> 64) as u64);
        }
        if !pairs.is_empty() {
            self.fold(other.0);
        }
        let (words, rest) = bytes.get(pairs.len() * 16..).unwrap_or_default().as_chunks::<8>();
        for word in words {
            self.fold(u64::from_le_bytes(*word));
        }
        self.fold(last_bytes(bytes, rest) ^ ((bytes.len() as u64) << 56));
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

/// The last bytes of a text, at most seven, the first of them lowest.
///
/// Of a text that has a word they are cut from its last one: the loop takes longer than all the words before. Not copied
/// into a word: a copy of a few bytes takes wasm 20 ns.
#[inline]
pub(crate) fn last_bytes(bytes: &[u8], last: &[u8]) -> u64 {
    match bytes.last_chunk::<8>() {
        // In two steps: there may be none, and all bits go.
        Some(word) => u64::from_le_bytes(*word) >> 8 >> (56 - 8 * last.len() as u32),
        None => last.iter().rev().fold(0, |last, byte| last << 8 | u64::from(*byte)),
    }
}

/// Stands for a whole text. Equal texts have equal marks; other texts practically never do.
pub(crate) fn mark(text: &str) -> u64 {
    let mut hasher = FoldHasher(FOLD);
    hasher.write(text.as_bytes());
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn last_bytes_are_those_of_a_loop(bytes in prop::collection::vec(any::<u8>(), 0..20), count in 0usize..8) {
            let count = count.min(bytes.len());
            let rest = &bytes[bytes.len() - count..];
            let looped = rest.iter().rev().fold(0, |last, byte| last << 8 | u64::from(*byte));
            prop_assert_eq!(last_bytes(&bytes, rest), looped);
        }
    }
}
