//! One shape of record: which strings of it may change, and where they stand in its facts.

use std::ops::Range;

use super::FREE;
use crate::dialect::{CallRef, Context, Fact, FactSink, PartKind, PartRef};
use crate::event::Json;
use crate::framing::Source;
use crate::json::{self, Text};
use crate::normalize::{Growing, Growth, NormalForm};

/// Where a text of a fact comes from.
#[derive(Clone, Debug, Default)]
pub enum Slot {
    #[default]
    Absent,
    /// Bytes of the template's record.
    Fixed(Range<usize>),
    /// A string that changes, by number.
    Free(usize),
    /// Made by the dialect.
    Own(Box<str>),
}

#[derive(Clone, Debug, Default)]
pub struct SlotContext {
    pub session: Slot,
    pub agent: Slot,
    pub parent_call: Slot,
    pub message: Slot,
    pub timestamp: Slot,
    pub model: Slot,
    pub extra: Slot,
}

#[derive(Clone, Debug)]
pub enum SlotPart {
    Id(Slot),
    Other(PartRef<'static>),
}

#[derive(Clone, Debug)]
pub enum SlotCall {
    Id(Slot),
    Index(u32),
}

/// A fact of the kinds that come by the thousand.
#[derive(Clone, Debug)]
pub enum SlotFact {
    RecordId(Slot),
    PartDelta(SlotPart, PartKind, Slot),
    InputDelta(SlotCall, Slot),
}

/// One shape of record.
#[derive(Debug, Default)]
pub struct Template {
    pub body: String,
    pub event: Option<String>,
    /// The strings that may change, in order, without their quotes.
    pub free: Vec<Range<usize>>,
    pub facts: Vec<(SlotContext, SlotFact)>,
    /// Set if the facts are one delta.
    pub delta: Option<Delta>,
    pub growing: Option<Growing>,
}

/// All that may differ between two records that only add to a text: free strings, by number.
#[derive(Clone, Debug)]
pub struct Delta {
    id: Option<usize>,
    timestamp: Option<usize>,
    text: usize,
}

/// A string of a new record that stands where the template has a free one.
#[derive(Clone, Copy, Default)]
pub struct Found<'a> {
    raw: &'a str,
    escaped: bool,
}

impl Template {
    /// Whether this is a record of this shape; then, its strings.
    pub fn matches<'a>(&self, body: &'a str, found: &mut [Found<'a>; FREE]) -> bool {
        let bytes = body.as_bytes();
        let end = behind(bytes, 0, self.head()).and_then(|at| self.strings(bytes, at, found));
        end.and_then(|at| behind(bytes, at, self.tail())) == Some(bytes.len())
    }

    /// What stands before the first string that changes.
    pub fn head(&self) -> &[u8] {
        let end = self.free.first().map_or(self.body.len(), |free| free.start);
        self.body.as_bytes().get(..end).unwrap_or_default()
    }

    /// What stands behind the last string that changes.
    pub fn tail(&self) -> &[u8] {
        let start = self.free.last().map_or(self.body.len(), |free| free.end);
        self.body.as_bytes().get(start..).unwrap_or_default()
    }

    /// Reads the strings that change and what stands between them, from the first one on. Returns the index behind the
    /// last one, if a record of this shape can have these.
    pub fn strings<'a>(
        &self,
        bytes: &'a [u8],
        mut at: usize,
        found: &mut [Found<'a>; FREE],
    ) -> Option<usize> {
        let mut before: Option<usize> = None;
        let mut escaped = false;
        for (free, slot) in self.free.iter().zip(found.iter_mut()) {
            if let Some(before) = before {
                at = behind(bytes, at, self.body.as_bytes().get(before..free.start)?)?;
            }
            before = Some(free.end);
            let (raw, has_escapes) = json::string_inside(bytes, at)?;
            if raw.is_empty() {
                return None;
            }
            *slot = Found { raw, escaped: has_escapes };
            escaped |= has_escapes;
            at += raw.len();
        }
        let can_say = !escaped || self.facts.iter().all(|(context, fact)| fact.can_say(context, found));
        can_say.then_some(at)
    }

    /// How the next record of this shape goes on with the text that the last one added to, unless something came in
    /// between.
    pub fn grow(&self, normal: &mut NormalForm) -> Option<(&Delta, Growth)> {
        Some((self.delta.as_ref()?, normal.grow(self.growing?)?))
    }

    /// Says the facts, in short where they only add to the text that the last record added to.
    pub fn repeat(&mut self, found: &[Found<'_>; FREE], source: Source, normal: &mut NormalForm) {
        if let Some((delta, mut growth)) = self.grow(normal)
            && delta.add(found, &mut growth, source, normal).is_some()
        {
            return;
        }
        self.say(found, normal);
        self.growing = self.delta.as_ref().and_then(|_| normal.growing());
    }

    /// The facts as one delta. What names its part or call, or stands around it, must not change.
    pub fn as_delta(&self) -> Option<Delta> {
        let free = |slot: &Slot| if let Slot::Free(number) = slot { Some(*number) } else { None };
        let (id, (context, fact)) = match self.facts.as_slice() {
            [(_, SlotFact::RecordId(id)), delta] => (Some(free(id)?), delta),
            [delta] => (None, delta),
            _ => return None,
        };
        let (name, text) = match fact {
            SlotFact::PartDelta(SlotPart::Id(id), PartKind::Agent | PartKind::Thought, text) => {
                (Some(id), text)
            }
            SlotFact::PartDelta(_, PartKind::Agent | PartKind::Thought, text) => (None, text),
            SlotFact::InputDelta(SlotCall::Id(id), text) => (Some(id), text),
            SlotFact::InputDelta(_, text) => (None, text),
            _ => return None,
        };
        let SlotContext { session, agent, parent_call, message, timestamp, model, extra } = context;
        let stays = |slot: &Slot| free(slot).is_none();
        let all_stay = [session, agent, parent_call, message, model, extra].into_iter().all(stays)
            && name.is_none_or(stays)
            && matches!(timestamp, Slot::Absent | Slot::Free(_));
        all_stay.then_some(Delta { id, timestamp: free(timestamp), text: free(text)? })
    }

    fn fixed(&self, range: Range<usize>) -> Option<&str> {
        self.body.get(range)
    }

    fn say(&self, found: &[Found<'_>; FREE], facts: &mut dyn FactSink) {
        for (context, fact) in &self.facts {
            let text = |slot| self.text(slot, found);
            let context = Context {
                session: text(&context.session),
                agent: text(&context.agent),
                parent_call: text(&context.parent_call),
                message: text(&context.message),
                timestamp: text(&context.timestamp),
                model: text(&context.model),
                extra: text(&context.extra).map(Json),
            };
            match fact {
                SlotFact::RecordId(id) => facts.fact(&context, Fact::RecordId(text(id).unwrap_or_default())),
                SlotFact::PartDelta(part, kind, slot) => {
                    let part = match part {
                        SlotPart::Id(id) => PartRef::Id(text(id).unwrap_or_default()),
                        SlotPart::Other(part) => *part,
                    };
                    facts
                        .fact(&context, Fact::PartDelta { part, kind: *kind, text: self.piece(slot, found) });
                }
                SlotFact::InputDelta(call, slot) => {
                    let call = match call {
                        SlotCall::Id(id) => CallRef::Id(text(id).unwrap_or_default()),
                        SlotCall::Index(index) => CallRef::Index(*index),
                    };
                    facts.fact(&context, Fact::InputDelta { call, text: self.piece(slot, found) });
                }
            }
        }
    }

    fn text<'a>(&'a self, slot: &'a Slot, found: &[Found<'a>; FREE]) -> Option<&'a str> {
        match slot {
            Slot::Absent => None,
            Slot::Fixed(range) => self.fixed(range.clone()),
            Slot::Free(number) => found.get(*number).map(|found| found.raw),
            Slot::Own(text) => Some(text),
        }
    }

    /// The decoded text of a piece.
    fn piece<'a>(&'a self, slot: &'a Slot, found: &[Found<'a>; FREE]) -> Text<'a> {
        match slot {
            Slot::Free(number) => found.get(*number).copied().unwrap_or_default().decode(),
            fixed => Text::plain(self.text(fixed, found).unwrap_or_default()),
        }
    }
}

impl Delta {
    /// Adds the text of one record, if that is all it says. Returns whether it did, or the record was here before.
    #[inline]
    pub fn add(
        &self,
        found: &[Found<'_>; FREE],
        growth: &mut Growth,
        source: Source,
        normal: &mut NormalForm,
    ) -> Option<bool> {
        let raw = |number: usize| found.get(number).map(|found| found.raw);
        let (id, timestamp) = (self.id.and_then(raw), self.timestamp.and_then(raw));
        let text = found.get(self.text)?;
        if !text.escaped {
            return Some(normal.add(growth, source, id, timestamp, text.raw));
        }
        let text = json::decode(text.raw);
        let is_plain = text.leading_low.is_none() && text.trailing_high.is_none() && !text.replaced;
        is_plain.then(|| normal.add(growth, source, id, timestamp, &text.text))
    }
}

impl<'a> Found<'a> {
    fn decode(self) -> Text<'a> {
        if self.escaped { json::decode(self.raw) } else { Text::plain(self.raw) }
    }
}

/// Index behind a piece that stands at `at`.
#[inline(always)]
pub fn behind(bytes: &[u8], at: usize, piece: &[u8]) -> Option<usize> {
    let end = at + piece.len();
    json::same_bytes(bytes.get(at..end)?, piece).then_some(end)
}

impl SlotFact {
    /// An escaped string can be said as a piece of text, which is decoded, and nowhere else.
    fn can_say(&self, context: &SlotContext, found: &[Found<'_>; FREE]) -> bool {
        let plain = |slot: &Slot| !matches!(slot, Slot::Free(number) if found.get(*number).is_some_and(|found| found.escaped));
        let SlotContext { session, agent, parent_call, message, timestamp, model, extra } = context;
        let context = [session, agent, parent_call, message, timestamp, model, extra].into_iter().all(plain);
        context
            && match self {
                SlotFact::RecordId(id)
                | SlotFact::PartDelta(SlotPart::Id(id), ..)
                | SlotFact::InputDelta(SlotCall::Id(id), _) => plain(id),
                SlotFact::PartDelta(..) | SlotFact::InputDelta(..) => true,
            }
    }
}
