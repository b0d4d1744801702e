//! A table from numbers to numbers.

use super::FOLD;

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

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use proptest::prelude::*;

    proptest! {
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
