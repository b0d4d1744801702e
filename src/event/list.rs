//! A list that is lent or owned.

use std::fmt;
use std::ops::Deref;

/// A borrowed or owned list. Unlike `Cow<[T]>` a list that borrows for long passes where one that borrows for less
/// is wanted, so that one event can hold a dialect's list beside a title of our own.
#[derive(Clone)]
pub enum List<'a, T> {
    /// Lent.
    Borrowed(&'a [T]),
    /// Made for this event.
    Owned(Vec<T>),
}

impl<T> Deref for List<'_, T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        match self {
            List::Borrowed(list) => list,
            List::Owned(list) => list,
        }
    }
}

impl<T> Default for List<'_, T> {
    fn default() -> Self {
        List::Borrowed(&[])
    }
}

impl<T> From<Vec<T>> for List<'_, T> {
    fn from(list: Vec<T>) -> Self {
        List::Owned(list)
    }
}

impl<'a, T> From<&'a [T]> for List<'a, T> {
    fn from(list: &'a [T]) -> Self {
        List::Borrowed(list)
    }
}

impl<T: PartialEq> PartialEq for List<'_, T> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T: fmt::Debug> fmt::Debug for List<'_, T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(formatter)
    }
}
