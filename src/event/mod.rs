//! The one vocabulary: [`UiEvent`] and all it is made of.
//!
//! Plain data that borrows from whoever made it. The types, their packed layout and their JSON come out of the table
//! `events.schema` (`cargo xtask schema`); by hand stand only the buffer ([`Batch`]), the reader and the JSON pieces.
//! Knows no dialect, no order of events and no promise about them: that is `normalize`.

mod batch;
#[allow(missing_docs, reason = "the table documents what a name does not say by itself")]
mod generated;
mod growth;
mod head;
mod list;
#[cfg(any(test, feature = "bindings"))]
mod twins;
mod units;
mod write;

pub use batch::Batch;
pub(crate) use batch::{Packed, Packer};
pub use generated::*;
pub(crate) use growth::{Grown, GrowthRun, MoreText};
pub(crate) use head::Head;
pub use list::List;
#[cfg(feature = "bindings")]
pub(crate) use twins::Twin;
pub(crate) use units::utf16_units;

use crate::framing::Source;
use crate::json::{repair, write_string};

/// JSON text of one value: strict, as it stood on the wire.
///
/// Nothing here checks it; who makes one vouches for it. Escapes of lone surrogates are allowed, a [`Batch`] repairs
/// them when it packs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Json<'a>(pub &'a str);

impl Default for Json<'_> {
    /// `null`
    fn default() -> Self {
        Json("null")
    }
}

/// One normalized event.
#[derive(Clone, Debug, PartialEq)]
pub struct UiEvent<'a> {
    /// Number of the event in its stream, from 0.
    pub seq: u64,
    /// What stands beside the update.
    pub envelope: Envelope<'a>,
    /// The record whose arrival caused the event.
    pub source: Source,
    /// What happened.
    pub update: Update<'a>,
}
