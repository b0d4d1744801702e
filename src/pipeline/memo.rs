//! Records that differ from an earlier one only in a few strings are not read again: their facts are said again with the
//! new strings.
//!
//! Exact, since nothing is taken for granted: the rest of the record must be the same bytes (validated when they came),
//! the strings are validated here, and the dialect has vouched ([`FactSink::repeatable`]) that they reach its facts as
//! they are or not at all. A record whose dialect does not vouch may have changed what later ones mean: it empties the
//! memo. On token deltas this takes the place of all JSON reading and of the dialect.

use std::ops::Range;

use crate::dialect::{CallRef, Context, DialectRow, Fact, FactSink, PartKind, PartRef};
use crate::event::{Json, Update};
use crate::framing::{Record, Severity};
use crate::json::{self, Text, Value};
use crate::normalize::{Growing, NormalForm};

/// How many shapes are kept: streams of several agents interleave.
const TEMPLATES: usize = 4;
/// Strings of a record that may change.
const FREE: usize = 4;
/// A longer record is not worth a copy: reading it costs little against its text.
const LONGEST: usize = 4096;

/// Where a text of a fact comes from.
#[derive(Clone, Debug, Default)]
enum Slot {
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
struct SlotContext {
    session: Slot,
    agent: Slot,
    parent_call: Slot,
    message: Slot,
    timestamp: Slot,
    model: Slot,
    extra: Slot,
}

#[derive(Clone, Debug)]
enum SlotPart {
    Id(Slot),
    Other(PartRef<'static>),
}

#[derive(Clone, Debug)]
enum SlotCall {
    Id(Slot),
    Index(u32),
}

/// A fact of the kinds that come by the thousand.
#[derive(Clone, Debug)]
enum SlotFact {
    RecordId(Slot),
    PartDelta(SlotPart, PartKind, Slot),
    InputDelta(SlotCall, Slot),
}

/// One shape of record.
#[derive(Debug, Default)]
struct Template {
    body: String,
    event: Option<String>,
    /// The strings that may change, in order, without their quotes.
    free: Vec<Range<usize>>,
    facts: Vec<(SlotContext, SlotFact)>,
    /// Set if the facts are one text delta.
    delta: Option<Delta>,
    growing: Option<Growing>,
}

/// All that may differ between two records that only add to a text.
#[derive(Clone, Debug)]
struct Delta {
    id: Slot,
    timestamp: Slot,
    text: Slot,
}

/// A string of a new record that stands where the template has a free one.
#[derive(Clone, Copy, Default)]
struct Found<'a> {
    raw: &'a str,
    escaped: bool,
}

/// The shapes seen last.
#[derive(Debug, Default)]
pub(super) struct Memo {
    templates: Vec<Template>,
    next: usize,
    /// The shape of the last record that had a known one.
    latest: usize,
    /// What the current record may become; its buffers are those of a shape that was given up.
    draft: Template,
}

impl Memo {
    /// Says the facts of a record of a known shape. Returns whether it was one.
    pub fn replay(&mut self, record: &Record<'_>, normal: &mut NormalForm) -> bool {
        // Records of one shape mostly follow each other.
        let latest = self.latest;
        let others = (0..self.templates.len()).filter(|place| *place != latest);
        for place in std::iter::once(latest).chain(others) {
            let Some(template) = self.templates.get_mut(place) else { continue };
            let mut found = [Found::default(); FREE];
            if template.event.as_deref() == record.event && template.matches(record.body, &mut found) {
                template.repeat(&found, normal);
                self.latest = place;
                return true;
            }
        }
        false
    }

    /// Forgets all shapes: the dialect may have changed its mind.
    pub fn clear(&mut self) {
        self.templates.clear();
    }

    /// Hands facts on, and keeps the record's shape if the dialect vouches for it.
    pub fn listen<'s>(&'s mut self, record: &Record<'s>, facts: &'s mut dyn FactSink) -> Listener<'s> {
        Listener {
            memo: self,
            facts,
            body: record.body,
            event: record.event,
            id: None,
            said: false,
            vouched: false,
            simple: true,
            waiting: None,
            foreign: None,
            taken: None,
        }
    }

    fn keep_draft(&mut self) {
        if self.templates.len() < TEMPLATES {
            self.templates.push(std::mem::take(&mut self.draft));
            return;
        }
        self.next = (self.next + 1) % TEMPLATES;
        if let Some(oldest) = self.templates.get_mut(self.next) {
            std::mem::swap(oldest, &mut self.draft);
        }
    }
}

impl Template {
    fn matches<'a>(&self, body: &'a str, found: &mut [Found<'a>; FREE]) -> bool {
        let mut at = 0;
        let mut fixed_from = 0;
        for (free, slot) in self.free.iter().zip(found.iter_mut()) {
            let Some(fixed) = self.fixed(fixed_from..free.start) else { return false };
            if !body.get(at..at + fixed.len()).is_some_and(|piece| json::same(piece, fixed)) {
                return false;
            }
            at += fixed.len();
            let Some(end) = string_end(body, at) else { return false };
            let Some(raw) = body.get(at..end.0).filter(|raw| !raw.is_empty()) else { return false };
            *slot = Found { raw, escaped: end.1 };
            at = end.0;
            fixed_from = free.end;
        }
        let tail = self.fixed(fixed_from..self.body.len());
        let same = body.get(at..).zip(tail).is_some_and(|(rest, tail)| json::same(rest, tail));
        let plain = || found.iter().all(|found| !found.escaped);
        same && (plain() || self.facts.iter().all(|(context, fact)| fact.can_say(context, found)))
    }

    /// Says the facts, in short where they only add to the text that the last record added to.
    fn repeat(&mut self, found: &[Found<'_>; FREE], normal: &mut NormalForm) {
        if let Some((delta, growing)) = self.delta.as_ref().zip(self.growing) {
            let (id, timestamp) = (self.text(&delta.id, found), self.text(&delta.timestamp, found));
            if normal.grow(growing, id, timestamp, &self.piece(&delta.text, found)) {
                return;
            }
        }
        self.say(found, normal);
        self.growing = self.delta.as_ref().and_then(|_| normal.growing());
    }

    /// The facts as one text delta. What names its part or stands around it must not change.
    fn as_delta(&self) -> Option<Delta> {
        let (id, (context, fact)) = match self.facts.as_slice() {
            [(_, SlotFact::RecordId(id)), delta] => (id.clone(), delta),
            [delta] => (Slot::Absent, delta),
            _ => return None,
        };
        let SlotFact::PartDelta(part, PartKind::Agent | PartKind::Thought, text) = fact else { return None };
        let SlotContext { session, agent, parent_call, message, timestamp, model, extra } = context;
        let stays = |slot: &Slot| !matches!(slot, Slot::Free(_));
        let all_stay = [session, agent, parent_call, message, model, extra].into_iter().all(stays)
            && !matches!(part, SlotPart::Id(Slot::Free(_)));
        all_stay.then(|| Delta { id, timestamp: timestamp.clone(), text: text.clone() })
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
        let escaped =
            matches!(slot, Slot::Free(number) if found.get(*number).is_some_and(|found| found.escaped));
        let raw = self.text(slot, found).unwrap_or_default();
        if escaped { json::decode(raw) } else { Text::plain(raw) }
    }
}

/// End of the string that begins at `at`, if it is a valid one, and whether it holds escapes.
fn string_end(body: &str, at: usize) -> Option<(usize, bool)> {
    let stop = json::plain_end(body, at)?;
    if body.as_bytes().get(stop) == Some(&b'"') {
        return Some((stop, false));
    }
    let (value, length) = Value::parse_prefix(body.get(at.checked_sub(1)?..)?).ok()?;
    value.str_raw()?;
    Some((at - 1 + length - 1, true))
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

/// Hands facts on and listens to them.
pub(super) struct Listener<'s> {
    memo: &'s mut Memo,
    facts: &'s mut dyn FactSink,
    body: &'s str,
    event: Option<&'s str>,
    /// The record's identity, which is said before anything else.
    id: Option<Range<usize>>,
    /// Something else was said.
    said: bool,
    vouched: bool,
    /// Only facts that a template can hold were said since the dialect vouched.
    simple: bool,
    /// The record's identity, until something else is said: where another dialect takes the record, it says it again.
    waiting: Option<Range<usize>>,
    /// Asks whether another dialect speaks here.
    foreign: Option<&'s dyn Fn() -> Option<&'static DialectRow>>,
    /// The dialect that does; nothing is handed on any more.
    taken: Option<&'static DialectRow>,
}

impl<'s> Listener<'s> {
    /// Where the dialect's first word is that it does not know the record, `foreign` may name the one that does.
    pub fn watching(mut self, foreign: &'s dyn Fn() -> Option<&'static DialectRow>) -> Self {
        self.foreign = Some(foreign);
        self
    }

    /// The record is read: its shape is kept, or what is kept may be wrong from here on. Returns the dialect that takes it.
    pub fn finish(mut self) -> Option<&'static DialectRow> {
        if self.taken.is_none() {
            self.say_id();
        }
        if self.vouched {
            self.keep_shape();
        } else {
            self.memo.clear();
        }
        self.taken
    }

    fn say_id(&mut self) {
        if let Some(id) = self.waiting.take().and_then(|place| self.body.get(place)) {
            self.facts.fact(&Context::default(), Fact::RecordId(id));
        }
    }

    fn keep_shape(&mut self) {
        let Template { body, event, free, facts, .. } = &mut self.memo.draft;
        let fits = self.simple && !facts.is_empty() && free.len() <= FREE;
        if !fits || !facts.iter_mut().all(|(context, fact)| bind(context, fact, free)) {
            return;
        }
        body.clear();
        body.push_str(self.body);
        *event = self.event.map(str::to_owned);
        self.memo.draft.delta = self.memo.draft.as_delta();
        self.memo.draft.growing = None;
        self.memo.keep_draft();
    }

    /// The place of a text in the record, by address; a text of the dialect's own is copied.
    fn slot(&self, text: Option<&str>) -> Slot {
        let Some(text) = text else { return Slot::Absent };
        match place(self.body, text) {
            Some(range) => Slot::Fixed(range),
            None => Slot::Own(text.into()),
        }
    }

    fn context(&self, context: &Context<'_>) -> SlotContext {
        SlotContext {
            session: self.slot(context.session),
            agent: self.slot(context.agent),
            parent_call: self.slot(context.parent_call),
            message: self.slot(context.message),
            timestamp: self.slot(context.timestamp),
            model: self.slot(context.model),
            extra: self.slot(context.extra.map(|Json(raw)| raw)),
        }
    }

    fn keep(&self, fact: &Fact<'_>) -> Option<SlotFact> {
        match fact {
            Fact::PartDelta { part, kind, text } => {
                let part = match part {
                    PartRef::Id(id) => SlotPart::Id(self.slot(Some(id))),
                    PartRef::Index(index) => SlotPart::Other(PartRef::Index(*index)),
                    PartRef::Run => SlotPart::Other(PartRef::Run),
                    PartRef::Unclaimed | PartRef::New => return None,
                };
                Some(SlotFact::PartDelta(part, *kind, self.piece(text)?))
            }
            Fact::InputDelta { call, text } => {
                let call = match call {
                    CallRef::Id(id) => SlotCall::Id(self.slot(Some(id))),
                    CallRef::Index(index) => SlotCall::Index(*index),
                    _ => return None,
                };
                Some(SlotFact::InputDelta(call, self.piece(text)?))
            }
            _ => None,
        }
    }

    fn piece(&self, text: &Text<'_>) -> Option<Slot> {
        let is_plain = text.leading_low.is_none() && text.trailing_high.is_none() && !text.replaced;
        is_plain.then(|| self.slot(Some(&text.text)))
    }
}

impl FactSink for Listener<'_> {
    fn fact(&mut self, context: &Context<'_>, fact: Fact<'_>) {
        if self.taken.is_some() {
            return;
        }
        match &fact {
            Fact::RecordId(id) if !self.said && !self.vouched => {
                self.id = place(self.body, id);
                self.simple = self.id.is_some();
                if self.foreign.is_some() && self.id.is_some() {
                    self.waiting = self.id.clone();
                    return;
                }
            }
            Fact::Tell(Update::Unknown(_)) if !self.said && !self.vouched => {
                self.taken = self.foreign.and_then(|foreign| foreign());
                if self.taken.is_some() {
                    return;
                }
                self.said = true;
            }
            _ if self.vouched && self.simple => match self.keep(&fact) {
                Some(kept) => self.memo.draft.facts.push((self.context(context), kept)),
                None => self.simple = false,
            },
            _ => self.said = true,
        }
        self.say_id();
        self.facts.fact(context, fact);
    }

    fn diagnostic(&mut self, code: &'static str, severity: Severity, message: &str) {
        self.simple = false;
        self.facts.diagnostic(code, severity, message);
    }

    fn repeatable(&mut self, free: &[&str]) {
        self.vouched = true;
        self.simple &= !self.said && self.body.len() <= LONGEST;
        let draft = &mut self.memo.draft;
        draft.free.clear();
        draft.facts.clear();
        if !self.simple {
            return;
        }
        for text in free {
            match place(self.body, text) {
                // A string with escapes reaches the facts decoded, where it cannot be told from the dialect's own.
                Some(range) if !text.is_empty() && !text.contains('\\') => draft.free.push(range),
                _ => self.simple = false,
            }
        }
        draft.free.sort_by_key(|range| range.start);
        if let Some(id) = self.id.take() {
            draft.facts.push((SlotContext::default(), SlotFact::RecordId(Slot::Fixed(id))));
        }
    }
}

/// Turns the places of free strings into their numbers. Fails where a text is only a part of one.
fn bind(context: &mut SlotContext, fact: &mut SlotFact, free: &[Range<usize>]) -> bool {
    let SlotContext { session, agent, parent_call, message, timestamp, model, extra } = context;
    let slots = [session, agent, parent_call, message, timestamp, model, extra];
    let mut others: [Option<&mut Slot>; 2] = [None, None];
    match fact {
        SlotFact::RecordId(id) => others[0] = Some(id),
        SlotFact::PartDelta(part, _, text) => {
            others[0] = Some(text);
            if let SlotPart::Id(id) = part {
                others[1] = Some(id);
            }
        }
        SlotFact::InputDelta(call, text) => {
            others[0] = Some(text);
            if let SlotCall::Id(id) = call {
                others[1] = Some(id);
            }
        }
    }
    slots.into_iter().chain(others.into_iter().flatten()).all(|slot| {
        let Slot::Fixed(range) = slot else { return true };
        if let Some(number) = free.iter().position(|free| free == range) {
            *slot = Slot::Free(number);
            return true;
        }
        free.iter().all(|free| range.end <= free.start || free.end <= range.start)
    })
}

/// Where a text lies inside the record, if it is a piece of it.
fn place(body: &str, text: &str) -> Option<Range<usize>> {
    let start = (text.as_ptr() as usize).checked_sub(body.as_ptr() as usize)?;
    let end = start.checked_add(text.len())?;
    (end <= body.len()).then_some(start..end)
}
