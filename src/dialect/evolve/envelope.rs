//! What stands beside `update`, in both spellings.

use std::borrow::Cow;

use super::string;
use crate::dialect::walk;
use crate::dialect::walk::Present;
use crate::dialect::{Context, FactSink, PartRef};
use crate::event::Json;
use crate::framing::Severity;
use crate::json::{ObjectWriter, Value};

/// The members of one event's envelope.
pub(super) struct Envelope<'a> {
    session: Option<Cow<'a, str>>,
    agent: Option<Cow<'a, str>>,
    parent_call: Option<Cow<'a, str>>,
    message: Option<Cow<'a, str>>,
    timestamp: Option<Cow<'a, str>>,
    model: Option<Cow<'a, str>>,
    extra: Option<&'a str>,
    /// The item number that this crate's own output carries, as it is spelled: the identity of a part.
    item: Option<&'a str>,
    /// The bridge cut a string of this event, or all of it.
    pub truncated: bool,
}

impl<'a> Envelope<'a> {
    /// The envelope and its `update`; `None` when the value is no content event.
    pub fn read(value: Value<'a>, facts: &mut dyn FactSink) -> Option<(Self, Value<'a>)> {
        let [
            update,
            session,
            timestamp,
            model,
            message,
            parent,
            extra,
            item,
            session_snake,
            message_snake,
            parent_snake,
            agent,
            truncated,
            method,
        ] = value.fields([
            "update",
            "sessionId",
            "timestamp",
            "model",
            "messageId",
            "parentToolCallId",
            "extra",
            "item",
            "session_id",
            "message_id",
            "parent_tool_call_id",
            "agentId",
            "truncated",
            "method",
        ]);
        let update = update.filter(|update| method.is_none() && names_variant(*update))?;
        let extra = extra.present();
        if extra.is_some_and(|extra| extra.object().is_none()) {
            facts.diagnostic("evolve.wrong-type", Severity::Warn, "`extra` is no object");
        }
        let envelope = Envelope {
            session: string(session.or(session_snake), facts),
            agent: string(agent, facts),
            parent_call: string(parent.or(parent_snake), facts),
            message: string(message.or(message_snake), facts),
            timestamp: string(timestamp, facts),
            model: string(model, facts),
            extra: extra.filter(|extra| extra.object().is_some()).map(Value::raw),
            item: item.filter(|item| item.u64().is_some()).map(Value::raw),
            truncated: truncated.and_then(Value::bool).unwrap_or(false),
        };
        Some((envelope, update))
    }

    /// The context of facts.
    pub fn context(&self) -> Context<'_> {
        Context {
            session: self.session.as_deref(),
            agent: self.agent.as_deref(),
            parent_call: self.parent_call.as_deref(),
            message: self.message.as_deref(),
            timestamp: self.timestamp.as_deref(),
            model: self.model.as_deref(),
            extra: self.extra.map(Json),
        }
    }

    /// The wire tells no part ids: chunks run on. Only this crate's own output numbers its items.
    pub fn part(&self) -> PartRef<'a> {
        self.item.map_or(PartRef::Run, PartRef::Id)
    }

    /// The item number that this crate's own output carries, as it is spelled.
    pub fn item(&self) -> Option<&str> {
        self.item
    }

    /// The envelope's `extra` with further members, and with the bridge's mark.
    pub fn extra_with(&self, members: &[(&str, &str)]) -> String {
        let mut text = String::new();
        let mut writer = ObjectWriter::new(&mut text);
        let own = self.extra.and_then(|extra| Value::parse(extra).ok());
        for (name, value) in walk::members(own) {
            writer.raw(&name, value.raw());
        }
        for (name, value) in members {
            writer.text(name, value);
        }
        if self.truncated {
            writer.bool("truncated", true);
        }
        writer.finish();
        text
    }
}

/// Whether an object has the member that names an event's variant. It stands first in all that was seen.
pub(super) fn names_variant(update: Value<'_>) -> bool {
    let first = update.object().and_then(|mut members| members.next());
    match first {
        Some((name, value)) if &*name == "sessionUpdate" => value.str_raw().is_some(),
        Some(_) => update.get("sessionUpdate").is_some_and(|value| value.str_raw().is_some()),
        None => false,
    }
}
