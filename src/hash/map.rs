//! A map whose search and growth are compiled once, not for each pair of types: two dozen copies of the standard library's
//! table were 40 KB of the module.

use std::borrow::Borrow;
use std::hash::{Hash, Hasher};

use super::{FoldHasher, Index};

/// Stands where an entry was, so that those of the same hash behind it are still found.
const GONE: u32 = u32::MAX - 1;

/// A map with a small fast hash. Its entries stand in a list, in the order they came until one is taken out.
#[derive(Clone, Debug)]
pub(crate) struct Map<K, V> {
    /// Numbers of the entries by hash; one whose hash is taken has the next free one.
    places: Index,
    entries: Vec<(K, V)>,
}

impl<K, V> Default for Map<K, V> {
    fn default() -> Self {
        Map { places: Index::default(), entries: Vec::new() }
    }
}

impl<K: Hash + Eq, V> Map<K, V> {
    /// What is known of a key.
    pub fn get<Q: Hash + Eq + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        let (_, number) = self.find(key).ok()?;
        self.entries.get(number).map(|(_, value)| value)
    }

    /// [`get`](Self::get), to change it.
    pub fn get_mut<Q: Hash + Eq + ?Sized>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
    {
        let (_, number) = self.find(key).ok()?;
        self.entries.get_mut(number).map(|(_, value)| value)
    }

    /// Whether the key is known.
    pub fn contains_key<Q: Hash + Eq + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.find(key).is_ok()
    }

    /// Adds a key, or replaces what is known of it and tells that.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        match self.find(&key) {
            Ok((_, number)) => self.entries.get_mut(number).map(|(_, known)| std::mem::replace(known, value)),
            Err(place) => {
                self.add(place, key, value);
                None
            }
        }
    }

    /// What is known of a key, which is known from now on.
    pub fn enter(&mut self, key: K) -> &mut V
    where
        V: Default,
    {
        let number = match self.find(&key) {
            Ok((_, number)) => number,
            Err(place) => self.add(place, key, V::default()),
        };
        &mut self.entries[number].1
    }

    /// Takes a key out, and tells what was known of it. The newest entry takes its place in the list.
    pub fn remove<Q: Hash + Eq + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        let (place, number) = self.find(key).ok()?;
        if self.places.contains(place.wrapping_add(1)) {
            self.places.insert(place, GONE);
        } else {
            self.places.remove(place);
        }
        let (_, value) = self.entries.swap_remove(number);
        if let Some((moved, _)) = self.entries.get(number) {
            let before = self.entries.len() as u32;
            let mut place = hash(moved);
            while self.places.get(place).is_some_and(|number| number != before) {
                place = place.wrapping_add(1);
            }
            self.places.insert(place, number as u32);
        }
        Some(value)
    }

    /// Where the key stands: in the index and in the list; else its free place in the index.
    fn find<Q: Hash + Eq + ?Sized>(&self, key: &Q) -> Result<(u64, usize), u64>
    where
        K: Borrow<Q>,
    {
        let mut place = hash(key);
        while let Some(number) = self.places.get(place) {
            let number = number as usize;
            if self.entries.get(number).is_some_and(|(known, _)| known.borrow() == key) {
                return Ok((place, number));
            }
            place = place.wrapping_add(1);
        }
        Err(place)
    }

    fn add(&mut self, place: u64, key: K, value: V) -> usize {
        let number = self.entries.len();
        self.places.insert(place, number as u32);
        self.entries.push((key, value));
        number
    }
}

impl<K, V> Map<K, V> {
    /// All that is known.
    pub fn values(&self) -> impl Iterator<Item = &V> {
        self.entries.iter().map(|(_, value)| value)
    }

    /// Whether no key is known.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Forgets all keys.
    pub fn clear(&mut self) {
        *self = Map::default();
    }
}

fn hash<Q: Hash + ?Sized>(key: &Q) -> u64 {
    let mut hasher = FoldHasher::default();
    key.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use proptest::prelude::*;

    /// A key whose hash is that of many.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    struct Crowded(u32);

    impl Hash for Crowded {
        fn hash<H: Hasher>(&self, state: &mut H) {
            state.write_u32(self.0 % 3);
        }
    }

    proptest! {
        #[test]
        fn it_is_a_map_even_where_keys_share_a_hash(
            steps in prop::collection::vec((0u32..12, 0u32..9, 0u32..3), 0..200),
        ) {
            let mut map = Map::default();
            let mut known = HashMap::new();
            for (key, value, step) in steps {
                match step {
                    0 => prop_assert_eq!(map.remove(&Crowded(key)), known.remove(&key)),
                    1 => prop_assert_eq!(map.insert(Crowded(key), value), known.insert(key, value)),
                    _ => {
                        *map.enter(Crowded(key)) += value;
                        *known.entry(key).or_default() += value;
                    }
                }
                for key in 0..12 {
                    prop_assert_eq!(map.get(&Crowded(key)), known.get(&key));
                    prop_assert_eq!(map.contains_key(&Crowded(key)), known.contains_key(&key));
                }
                prop_assert_eq!((map.values().count(), map.is_empty()), (known.len(), known.is_empty()));
            }
        }
    }
}
