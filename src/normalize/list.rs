//! A list of what there is one of for each message.

use std::ops::{Index, IndexMut};

/// Entries to a piece, a power of two.
const PIECE: usize = 64;

/// Grows by pieces and moves nothing: a `Vec` copies all to new memory each time it doubles, and in wasm every new page
/// costs.
pub(super) struct List<T> {
    pieces: Vec<Vec<T>>,
}

impl<T> Default for List<T> {
    fn default() -> Self {
        List { pieces: Vec::new() }
    }
}

impl<T> List<T> {
    /// Number of entries.
    pub fn len(&self) -> usize {
        self.pieces.last().map_or(0, |last| (self.pieces.len() - 1) * PIECE + last.len())
    }

    /// Appends an entry.
    pub fn push(&mut self, entry: T) {
        match self.pieces.last_mut() {
            Some(last) if last.len() < PIECE => last.push(entry),
            // The first piece of a short stream stays small.
            None => self.pieces.push(vec![entry]),
            Some(_) => {
                let mut piece = Vec::with_capacity(PIECE);
                piece.push(entry);
                self.pieces.push(piece);
            }
        }
    }

    /// The entry of a number.
    pub fn get(&self, index: usize) -> Option<&T> {
        self.pieces.get(index / PIECE)?.get(index % PIECE)
    }

    /// The entry of a number.
    pub fn get_mut(&mut self, index: usize) -> Option<&mut T> {
        self.pieces.get_mut(index / PIECE)?.get_mut(index % PIECE)
    }
}

impl<T> Index<usize> for List<T> {
    type Output = T;

    fn index(&self, index: usize) -> &T {
        &self.pieces[index / PIECE][index % PIECE]
    }
}

impl<T> IndexMut<usize> for List<T> {
    fn index_mut(&mut self, index: usize) -> &mut T {
        &mut self.pieces[index / PIECE][index % PIECE]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_stand_where_a_vec_has_them() {
        let mut list = List::default();
        for number in 0..3 * PIECE + 1 {
            assert_eq!((list.len(), list.get(number)), (number, None));
            list.push(number);
            list[number] = number;
        }
        assert_eq!(list.len(), 3 * PIECE + 1);
        assert!(
            (0..list.len())
                .all(|number| list[number] == number && list.get_mut(number) == Some(&mut { number }))
        );
    }
}
