//! Hears what a dialect says of a record, and keeps its shape where the dialect vouches for it.

use std::ops::Range;

use super::template::{Slot, SlotCall, SlotContext, SlotFact, SlotPart, Template};
use super::{FREE, LONGEST, Memo};
use crate::dialect::{CallRef, Context, DialectRow, Fact, FactSink, PartRef};
use crate::event::{Json, Update};
use crate::framing::{Record, Severity};
use crate::json::Text;

/// Hands facts on and listens to them.
pub struct Listener<'s> {
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
    /// Hands facts on, and keeps the record's shape if the dialect vouches for it.
    pub(super) fn new(memo: &'s mut Memo, record: &Record<'s>, facts: &'s mut dyn FactSink) -> Self {
        Listener {
            memo,
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
