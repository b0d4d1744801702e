//! What earlier records told under a name and later ones only refer to: a map that forgets the oldest when it is full.

use crate::hash::{Index, mark};

/// How many names a [`Recent`] remembers.
const REMEMBERED: usize = 4096;

/// What is known under names that came lately. Beyond the cap each new name takes the place of the oldest.
pub(super) struct Recent<V> {
    places: Places,
    values: Vec<Option<V>>,
}

impl<V> Default for Recent<V> {
    fn default() -> Self {
        Recent { places: Places::default(), values: Vec::new() }
    }
}

impl<V> Recent<V> {
    pub fn get(&self, name: &str) -> Option<&V> {
        self.values.get(self.places.find(name)?)?.as_ref()
    }

    pub fn get_mut(&mut self, name: &str) -> Option<&mut V> {
        self.values.get_mut(self.places.find(name)?)?.as_mut()
    }

    /// Adds a name, or replaces what is known under it.
    pub fn insert(&mut self, name: &str, value: V) {
        let at = self.places.enter(name);
        match self.values.get_mut(at) {
            Some(known) => *known = Some(value),
            None => self.values.push(Some(value)),
        }
    }

    /// What is known under a name, which is known from now on.
    pub fn enter(&mut self, name: &str) -> &mut V
    where
        V: Default,
    {
        if self.places.find(name).is_none() {
            self.insert(name, V::default());
        }
        let at = self.places.enter(name);
        self.values[at].get_or_insert_default()
    }

    /// Forgets a name, and tells what was known.
    pub fn take(&mut self, name: &str) -> Option<V> {
        let at = self.places.leave(name)?;
        self.values.get_mut(at)?.take()
    }

    /// Forgets everything, and tells it, oldest first.
    pub fn take_all(&mut self) -> impl Iterator<Item = V> {
        let mut values = std::mem::take(&mut self.values);
        let oldest = std::mem::take(&mut self.places).next % values.len().max(1);
        values.rotate_left(oldest);
        values.into_iter().flatten()
    }
}

/// Where names stand: numbers that go round. Not generic, so that it is compiled once for all values.
#[derive(Default)]
struct Places {
    by_mark: Index,
    marks: Vec<u64>,
    next: usize,
}

impl Places {
    fn find(&self, name: &str) -> Option<usize> {
        self.by_mark.get(mark(name)).map(|at| at as usize)
    }

    /// The place of a name, which is given one if it has none.
    fn enter(&mut self, name: &str) -> usize {
        if let Some(known) = self.find(name) {
            return known;
        }
        let (at, mark) = (self.next, mark(name));
        match self.marks.get_mut(at) {
            Some(place) => {
                let oldest = std::mem::replace(place, mark);
                // It may have left, and come back elsewhere.
                if self.by_mark.get(oldest) == Some(at as u32) {
                    self.by_mark.remove(oldest);
                }
            }
            None => self.marks.push(mark),
        }
        self.by_mark.insert(mark, at as u32);
        self.next = (at + 1) % REMEMBERED;
        at
    }

    fn leave(&mut self, name: &str) -> Option<usize> {
        self.by_mark.remove(mark(name)).map(|at| at as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn beyond_the_cap_the_oldest_name_is_forgotten() {
        let mut recent = Recent::default();
        for number in 0..=REMEMBERED {
            recent.insert(&number.to_string(), number);
        }
        assert_eq!(recent.get("0"), None);
        assert_eq!(recent.get("1"), Some(&1));
        recent.insert("1", 7);
        assert_eq!(recent.get("1"), Some(&7));
        assert_eq!((recent.values.len(), recent.places.by_mark.values().count()), (REMEMBERED, REMEMBERED));
        assert_eq!(recent.take_all().take(2).collect::<Vec<_>>(), [7, 2]);
        assert_eq!(recent.get("2"), None);
    }

    #[test]
    fn a_name_that_left_and_came_back_outlives_its_old_place() {
        let mut recent = Recent::default();
        *recent.enter("a") += 1;
        assert_eq!(recent.take("a"), Some(1));
        *recent.enter("a") += 2;
        for number in 0..REMEMBERED - 1 {
            recent.insert(&number.to_string(), 0);
        }
        assert_eq!(recent.get("a"), Some(&2));
    }
}
