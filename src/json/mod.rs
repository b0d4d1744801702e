//! Reading a JSON text without building a tree, and writing small ones.
//!
//! A text is validated once, in one pass ([`Value::parse`]); what lies inside is then found by stepping over it, and a
//! string is copied only when it holds escapes. Nothing recurses, so any depth is fine. What a tree would lose stays in
//! reach as source text: duplicate keys, source order, numbers no `f64` can hold, halves of surrogate pairs.
//! This room knows no field name and nothing of records, dialects or JavaScript.

mod lanes;
mod spans;
mod step;
mod text;
mod validate;
mod value;
mod write;

pub(crate) use lanes::{BLOCK, is_ascii, same, same_bytes};
pub use spans::Spans;
pub(crate) use step::string_inside;
pub(crate) use text::decode;
pub use text::{Text, join_halves, repair};
pub use validate::Invalid;
pub use value::{Array, Key, Kind, Object, Value};
pub use write::{Number, ObjectWriter, write_string};
