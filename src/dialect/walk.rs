//! Walks over what may not be there: a list or an object that is absent, or something else, is an empty one.
//!
//! One plain iterator each. `and_then(Value::array).into_iter().flatten()` says the same, but every use of it was a copy
//! of the standard library's flattening of its own.

use crate::json::{Array, Key, Object, Value};

/// The elements of a list.
pub(super) fn elements(list: Option<Value<'_>>) -> Elements<'_> {
    Elements(list.and_then(Value::array))
}

/// The members of an object.
pub(super) fn members(object: Option<Value<'_>>) -> Members<'_> {
    Members(object.and_then(Value::object))
}

/// See [`elements`].
#[derive(Clone)]
pub(super) struct Elements<'a>(Option<Array<'a>>);

/// See [`members`].
pub(super) struct Members<'a>(Option<Object<'a>>);

impl<'a> Iterator for Elements<'a> {
    type Item = Value<'a>;

    fn next(&mut self) -> Option<Value<'a>> {
        self.0.as_mut()?.next()
    }
}

impl<'a> Iterator for Members<'a> {
    type Item = (Key<'a>, Value<'a>);

    fn next(&mut self) -> Option<(Key<'a>, Value<'a>)> {
        self.0.as_mut()?.next()
    }
}

/// A member where `null` says as little as absence.
pub(super) trait Present {
    /// What holds something.
    fn present(self) -> Self;
}

impl Present for Option<Value<'_>> {
    fn present(self) -> Self {
        self.filter(|value| !value.is_null())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_there_has_no_elements_and_no_members() {
        let cases = [(None, 0, 0), (Some("7"), 0, 0), (Some("[1,2]"), 2, 0), (Some(r#"{"a":1}"#), 0, 1)];
        for (text, all, named) in cases {
            let value = text.map(|text| Value::parse(text).expect("valid"));
            assert_eq!((elements(value).count(), members(value).count()), (all, named), "{text:?}");
        }
    }
}
