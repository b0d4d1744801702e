//! What one agent of a wire stream has open: its part, the call whose arguments are coming, what its step has shown.

use super::WRONG_TYPE;
use super::print::{block, text_of};
use crate::dialect::harness::{object_inside, plan, seen, wrong_type};
use crate::dialect::tools::kimi as tools;
use crate::dialect::{CallRef, Context, Fact, FactSink, PartKind, PartRef, WithdrawTarget};
use crate::json::Value;

/// Longest arguments that are joined from pieces, in bytes; longer ones stay pieces.
const LONGEST_ARGUMENTS: usize = 4 << 20;
/// Parts and calls of one step that a retry can take back.
const STEP_ITEMS: usize = 256;

/// What one agent has open.
#[derive(Default)]
pub(super) struct Lane {
    pub agent: Option<String>,
    /// Parts so far; the open one's number is its id.
    parts: u32,
    open: Option<PartKind>,
    pub call: Option<OpenCall>,
    /// The first part and the calls of the current step.
    step_from: u32,
    step_calls: Vec<String>,
}

/// The call announced last.
pub(super) struct OpenCall {
    pub id: String,
    pub name: String,
    pub arguments: String,
}

impl Lane {
    /// With nothing open.
    pub fn of(agent: Option<&str>) -> Lane {
        Lane { agent: agent.map(str::to_owned), ..Lane::default() }
    }

    /// A new step: what was open is not any more.
    pub fn step(&mut self, context: &Context<'_>, facts: &mut dyn FactSink) {
        self.close_call(context, facts);
        self.close_part(context, facts);
        self.step_from = self.parts;
        self.step_calls.clear();
    }

    pub fn remember_call(&mut self, id: &str) {
        if self.step_calls.len() < STEP_ITEMS {
            self.step_calls.push(id.to_owned());
        }
    }

    pub fn content(&mut self, payload: Value<'_>, context: &Context<'_>, facts: &mut dyn FactSink) {
        let was_open = self.open.filter(|_| self.call.is_none());
        self.close_call(context, facts);
        let Some((text, is_thought)) = text_of(payload) else {
            self.close_part(context, facts);
            if payload.object().is_none() {
                wrong_type(WRONG_TYPE, "ContentPart", facts);
            }
            let block = block(payload);
            let fact = Fact::PartBlock { kind: PartKind::Agent, block: block.content_block() };
            return facts.fact(context, fact);
        };
        let kind = if is_thought { PartKind::Thought } else { PartKind::Agent };
        if self.open != Some(kind) {
            self.close_part(context, facts);
            self.open = Some(kind);
            self.parts = self.parts.saturating_add(1);
        }
        let raw = payload.get(if is_thought { "think" } else { "text" }).and_then(Value::str_raw);
        if let Some(raw) = raw.filter(|_| was_open == Some(kind)) {
            facts.repeatable(&[raw]);
        }
        let id = (self.parts - 1).to_string();
        facts.fact(context, Fact::PartDelta { part: PartRef::Id(&id), kind, text });
    }

    pub fn close_part(&mut self, context: &Context<'_>, facts: &mut dyn FactSink) {
        if self.open.take().is_some() {
            let id = (self.parts - 1).to_string();
            let part = PartRef::Id(&id);
            facts.fact(context, Fact::PartEnd { part, stop_reason: None, aborted: false });
        }
    }

    /// More of the arguments of the call announced last; the piece names none.
    pub fn call_part(&mut self, payload: Value<'_>, context: &Context<'_>, facts: &mut dyn FactSink) {
        let piece = payload.get("arguments_part").and_then(Value::text);
        let (Some(call), Some(piece)) = (&mut self.call, piece) else {
            return facts.fact(context, Fact::Ignored("piece-without-call"));
        };
        if call.arguments.len() + piece.text.len() <= LONGEST_ARGUMENTS {
            call.arguments.push_str(&piece.text);
        } else {
            call.arguments.clear();
        }
        facts.fact(context, Fact::InputDelta { call: CallRef::Id(&call.id), text: piece });
    }

    /// The arguments are whole: title, diffs and plan are known now.
    pub fn close_call(&mut self, context: &Context<'_>, facts: &mut dyn FactSink) {
        let Some(call) = self.call.take() else { return };
        let Some(whole) = object_inside(&call.arguments) else { return };
        let shown = tools::present(&call.name, Some(whole));
        facts.fact(context, seen(CallRef::Id(&call.id), Some(&call.name), &shown, Some(whole.raw()), None));
        if tools::is_plan(&call.name) {
            plan(whole.get("todos"), context, facts);
        }
    }

    /// A retry: what the step has shown counts no more.
    pub fn void(&mut self, context: &Context<'_>, facts: &mut dyn FactSink) {
        self.call = None;
        self.close_part(context, facts);
        for part in self.step_from..self.parts.min(self.step_from.saturating_add(STEP_ITEMS as u32)) {
            let id = part.to_string();
            let target = WithdrawTarget::Part(PartRef::Id(&id));
            facts.fact(context, Fact::Withdraw { target, reason: "retry" });
        }
        for call in self.step_calls.drain(..) {
            let target = WithdrawTarget::Call(CallRef::Id(&call));
            facts.fact(context, Fact::Withdraw { target, reason: "retry" });
        }
        self.step_from = self.parts;
    }
}
