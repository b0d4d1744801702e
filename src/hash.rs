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

/// Numbers by keys of 64 bits, in one flat table: most of our keys are two small numbers, or a hash. Half the
/// instructions of a `HashMap` at each insert, and one copy of the code instead of one for each pair of types.
#[derive(Clone, Debug, Default)]
pub(crate) struct Index {
    /// A power of two of them, or none.
    places: Vec<Place>,
    length: usize,
}

#[derive(Clone, Copy, Debug, Default)]
struct Place {
    /// Low half first: twelve bytes, where a `u64` would make it sixteen.
    key: [u32; 2],
    /// Plus one; 0 is a free place.
    value: u32,
}

impl Place {
    fn of(key: u64, value: u32) -> Place {
        Place { key: [key as u32, (key >> 32) as u32], value: value.saturating_add(1) }
    }

    fn key(self) -> u64 {
        u64::from(self.key[0]) | u64::from(self.key[1]) << 32
    }
}

impl Index {
    /// A key of two small numbers.
    pub fn key(high: u32, low: u32) -> u64 {
        u64::from(high) << 32 | u64::from(low)
    }

    /// The number of a key.
    pub fn get(&self, key: u64) -> Option<u32> {
        self.places.get(self.find(key))?.value.checked_sub(1)
    }

    /// Whether the key has a number.
    pub fn contains(&self, key: u64) -> bool {
        self.get(key).is_some()
    }

    /// Gives a key its number, below `u32::MAX`, and tells the one before.
    pub fn insert(&mut self, key: u64, value: u32) -> Option<u32> {
        let place = self.place_mut(key)?;
        let before = place.value.checked_sub(1);
        *place = Place::of(key, value);
        self.length += usize::from(before.is_none());
        before
    }

    /// The number of a key; a new key gets `next`.
    pub fn number(&mut self, key: u64, next: u32) -> u32 {
        let Some(place) = self.place_mut(key) else { return next };
        if let Some(known) = place.value.checked_sub(1) {
            return known;
        }
        *place = Place::of(key, next);
        self.length += 1;
        next
    }

    /// Takes a key out.
    pub fn remove(&mut self, key: u64) -> Option<u32> {
        let mut free = self.find(key);
        let value = self.places.get(free)?.value.checked_sub(1)?;
        self.length -= 1;
        let mask = self.places.len() - 1;
        let mut at = free;
        // What a search would no longer reach moves into the gap.
        loop {
            at = (at + 1) & mask;
            let Some(place) = self.places.get(at).copied().filter(|place| place.value != 0) else { break };
            let way = at.wrapping_sub(self.home(place.key())) & mask;
            if way >= (at.wrapping_sub(free) & mask) {
                self.places[free] = place;
                free = at;
            }
        }
        self.places[free] = Place::default();
        Some(value)
    }

    /// The numbers, in no order.
    pub fn values(&self) -> impl Iterator<Item = u32> {
        self.places.iter().filter_map(|place| place.value.checked_sub(1))
    }

    /// Whether no key has a number.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// Forgets all keys.
    pub fn clear(&mut self) {
        *self = Index::default();
    }

    #[inline(always)]
    fn place_mut(&mut self, key: u64) -> Option<&mut Place> {
        // At most five eighths are taken, so that a search finds a free place soon.
        if self.length * 8 >= self.places.len() * 5 {
            self.grow();
        }
        let at = self.find(key);
        self.places.get_mut(at)
    }

    fn home(&self, key: u64) -> usize {
        let hash = (key ^ (key >> 29)).wrapping_mul(FOLD);
        (hash >> 32) as usize & self.places.len().wrapping_sub(1)
    }

    /// Where a key stands, or the free place where it would.
    #[inline(always)]
    fn find(&self, key: u64) -> usize {
        let mask = self.places.len().wrapping_sub(1);
        let mut at = self.home(key);
        while self.places.get(at).is_some_and(|place| place.value != 0 && place.key() != key) {
            at = (at + 1) & mask;
        }
        at
    }

    #[cold]
    fn grow(&mut self) {
        // Fourfold while it is small: moving the ids of 20,000 records again and again took a twelfth of their time.
        let factor = if self.places.len() < 1 << 14 { 4 } else { 2 };
        let room = (self.places.len() * factor).max(16);
        let before = std::mem::replace(&mut self.places, vec![Place::default(); room]);
        for place in before.into_iter().filter(|place| place.value != 0) {
            let at = self.find(place.key());
            if let Some(free) = self.places.get_mut(at) {
                *free = place;
            }
        }
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

        #[test]
        fn an_index_is_a_map(steps in prop::collection::vec((0u64..40, 0u32..9, any::<bool>()), 0..300)) {
            let mut index = Index::default();
            let mut map = HashMap::new();
            for (key, value, remove) in steps {
                // Keys that differ in their high half only, and in both.
                let key = Index::key(key as u32 % 7, key as u32);
                if remove {
                    prop_assert_eq!(index.remove(key), map.remove(&key));
                } else {
                    prop_assert_eq!(index.insert(key, value), map.insert(key, value));
                }
                for key in 0..40 {
                    let key = Index::key(key % 7, key);
                    prop_assert_eq!(index.get(key), map.get(&key).copied());
                }
                prop_assert_eq!((index.values().count(), index.is_empty()), (map.len(), map.is_empty()));
            }
        }
    }
}
