//! OpenCode: the lines of `run --format json`, the server's event bus (`/event`, `/global/event`) and its second bus.
//!
//! All three tell of the same parts of messages; `part` reads them once. Knows which form a record has, and what the
//! bus wraps around it.

mod bus;
mod detect;
mod failure;
mod next;
mod part;
mod permission;
mod reply;
mod run;

use super::harness::{Heard, filled, text_at, unknown};
use super::{Context, Dialect, DialectRow, Fact, FactSink};
use crate::framing::Record;
use crate::json::Value;

/// The table row.
pub const ROW: DialectRow = DialectRow {
    name: "opencode",
    detect: detect::detect,
    make: |_| Box::new(OpenCode::default()),
    reply: Some(reply::reply),
};

/// A member has another type than the format gives it.
const WRONG_TYPE: &str = "opencode.wrong-type";

/// One decoder per form.
#[derive(Default)]
struct OpenCode {
    run: run::Run,
    bus: bus::Bus,
    next: next::Next,
}

impl Dialect for OpenCode {
    fn record(&mut self, _record: &Record<'_>, value: Value<'_>, facts: &mut dyn FactSink) {
        let mut heard = Heard::new(facts);
        self.event(value, &mut heard);
        heard.finish();
    }

    fn end(&mut self, facts: &mut dyn FactSink) {
        self.run.end(facts);
        self.bus.end(facts);
    }
}

impl OpenCode {
    fn event(&mut self, value: Value<'_>, facts: &mut dyn FactSink) {
        let [kind, properties, payload, data, session, part] =
            value.present_fields(["type", "properties", "payload", "data", "sessionID", "part"]);
        // The global bus says which project an event is of, and tells stored events a second time as `sync`.
        if let Some(payload) = payload.filter(|payload| payload.object().is_some()) {
            return match text_at(payload, "type").as_deref() {
                Some("sync") => facts.fact(&Context::default(), Fact::Ignored("sync-copy")),
                _ if payload.get("payload").is_some() => unknown(None, value, &Context::default(), facts),
                _ => self.event(payload, facts),
            };
        }
        let kind = filled(kind);
        let word = kind.as_deref().unwrap_or_default();
        match (properties, data) {
            (Some(properties), _) => self.bus.event(word, properties, value, facts),
            (None, Some(data)) if session.is_none() && part.is_none() => {
                self.next.event(word, data, value, &mut self.bus, facts);
            }
            _ => self.run.line(word, value, facts),
        }
    }
}
