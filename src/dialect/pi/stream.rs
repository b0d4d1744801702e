//! `message_update`: a reply as it comes. The snapshots of old versions run ahead of the deltas and are not read, but
//! for the id of a call, which those versions tell nowhere else before its end.

use super::message::called;
use super::{Pi, WRONG_TYPE, call_seen};
use crate::dialect::harness::{filled, unknown, wrong_type};
use crate::dialect::{CallRef, Context, Fact, FactSink, PartKind, PartRef};
use crate::json::Value;

/// Calls of one reply whose arguments are told as they come.
const CALLS: usize = 256;

impl Pi {
    pub(super) fn update(
        &mut self,
        update: Option<Value<'_>>,
        context: &Context<'_>,
        facts: &mut dyn FactSink,
    ) {
        let Some(update) = update else { return wrong_type(WRONG_TYPE, "assistantMessageEvent", facts) };
        let [kind, block, delta, content, call, id, name, partial] = update.fields([
            "type",
            "contentIndex",
            "delta",
            "content",
            "toolCall",
            "id",
            "toolName",
            "partial",
        ]);
        let number = block.and_then(Value::u64).and_then(|number| u32::try_from(number).ok()).unwrap_or(0);
        let kind = kind.and_then(Value::str).unwrap_or_default();
        let (what, phase) = kind.rsplit_once('_').unwrap_or((&kind, ""));
        let text_kind = match what {
            "text" => Some(PartKind::Agent),
            "thinking" => Some(PartKind::Thought),
            _ => None,
        };
        if let Some(kind) = text_kind {
            let id = self.part_id(number);
            let part = PartRef::Id(&id);
            return match (phase, delta, content.and_then(Value::text)) {
                ("start", ..) => facts.fact(context, Fact::PartOpen { part, kind }),
                ("delta", Some(delta), _) => piece(part, kind, delta, context, facts),
                ("end", _, Some(text)) => facts.fact(context, Fact::PartWhole { part, kind, text }),
                _ => unknown(Some("message_update"), update, context, facts),
            };
        }
        match (what, phase) {
            ("toolcall", "start") => {
                let written =
                    partial.and_then(|partial| partial.get("content")?.array()?.nth(number as usize));
                let [partial_id, partial_name] =
                    written.map_or([None, None], |call| call.fields(["id", "name"]));
                let id = filled(id).or_else(|| filled(partial_id));
                let name = filled(name).or_else(|| filled(partial_name));
                let Some(id) = id else { return };
                call_seen(CallRef::Id(&id), name.as_deref(), None, None, context, facts);
                if self.announced.len() < CALLS {
                    self.announced.push((number, id.into_owned()));
                }
            }
            ("toolcall", "delta") => {
                let announced = self.announced.iter().rev().find(|(announced, _)| *announced == number);
                let text = delta.and_then(Value::text).filter(|text| !text.is_empty());
                let (Some((_, id)), Some(text)) = (announced, text) else { return };
                if let Some(raw) = delta.and_then(Value::str_raw) {
                    facts.repeatable(&[raw]);
                }
                facts.fact(context, Fact::InputDelta { call: CallRef::Id(id), text });
            }
            ("toolcall", "end") => {
                let [id, name, arguments, refused] = call.map_or([None; 4], |call| {
                    call.present_fields(["id", "name", "arguments", "argumentsError"])
                });
                let (id, name) = (filled(id), filled(name));
                let call = CallRef::of(id.as_deref());
                called(call, name.as_deref(), arguments, refused, context, facts);
            }
            ("start" | "done" | "error", _) => facts.fact(context, Fact::Ignored("message-frame")),
            _ => unknown(Some(&kind), update, context, facts),
        }
    }
}

fn piece(
    part: PartRef<'_>,
    kind: PartKind,
    delta: Value<'_>,
    context: &Context<'_>,
    facts: &mut dyn FactSink,
) {
    let Some(text) = delta.text() else { return wrong_type(WRONG_TYPE, "delta", facts) };
    if let Some(raw) = delta.str_raw() {
        facts.repeatable(&[raw]);
    }
    facts.fact(context, Fact::PartDelta { part, kind, text });
}
