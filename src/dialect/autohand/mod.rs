//! Autohand Code: JSON-RPC notifications, the SDKs' events made from them, `stream-json` lines and the session log.
//!
//! The four share one reader, since SDK events and stream-json lines carry the members of the notifications under the
//! same or nearly the same names. Decoding state: the session and message in force, the calls announced but not
//! started, the ids of prompts. `reply` answers what the wire has an answer for.

mod calls;
mod detect;
mod fields;
mod hooks;
mod log;
mod permission;
mod reply;
mod rpc;
mod stream;
mod turns;

use super::{Context, Dialect, DialectRow, Fact, FactSink};
use crate::event::Unknown;
use crate::framing::{Record, Severity};
use crate::json::Value;
use fields::Event;

/// The table row.
pub const ROW: DialectRow = DialectRow {
    name: "autohand",
    detect: detect::detect,
    make: |_| Box::new(Autohand::default()),
    reply: Some(reply::reply),
};

/// Announced calls, durations and prompts remembered at most; the oldest is forgotten first.
const REMEMBERED: usize = 1024;

/// Reads the lines.
#[derive(Default)]
struct Autohand {
    /// The RPC session of the lines after `agentStart`.
    session: String,
    /// The message in force, for pieces that do not name theirs.
    message: String,
    /// Calls that passed `preTool` and did not start.
    announced: Vec<String>,
    /// Durations told before the ends of their calls, raw milliseconds.
    durations: Vec<(String, String)>,
    /// A call has started since the last announcement: the next announcement belongs to a later step.
    started: bool,
    /// A fatal error was told in this turn, whose end says `completed` all the same.
    failed: bool,
    /// Request ids of prompts, raw, where both directions were recorded.
    prompts: Vec<String>,
    /// A request of the client was seen.
    two_way: bool,
}

impl Dialect for Autohand {
    fn record(&mut self, _record: &Record<'_>, value: Value<'_>, facts: &mut dyn FactSink) {
        let Some(items) = value.array() else { return self.item(value, facts) };
        let mut empty = true;
        for item in items {
            empty = false;
            self.item(item, facts);
        }
        if empty {
            facts.fact(&Context::default(), Fact::Ignored("empty-batch"));
        }
    }
}

impl Autohand {
    /// One line, or one item of a JSON-RPC batch.
    fn item(&mut self, value: Value<'_>, facts: &mut dyn FactSink) {
        if value.object().is_none() {
            facts.diagnostic("autohand.not-an-object", Severity::Warn, "a line is not a JSON object");
            facts.fact(&Context::default(), Fact::Ignored("not-an-object"));
            return;
        }
        let [method, params, id, result, error, type_, role] =
            value.fields(["method", "params", "id", "result", "error", "type", "role"]);
        if let Some(method) = method.and_then(Value::str) {
            match id {
                Some(id) => self.request(&method, id, params, value, facts),
                None => self.notification(&method, params, value, facts),
            }
        } else if let Some(error) = error.filter(|error| id.is_some() && error.object().is_some()) {
            self.error_response(id, error, value, facts);
        } else if result.is_some() && id.is_some() {
            self.response(id, result, facts);
        } else if let Some(type_) = type_.and_then(Value::str) {
            self.event(&Event { name: &type_, params: value, raw: value.raw() }, facts);
        } else if role.and_then(Value::str).is_some() {
            self.log_row(&Event { name: "role", params: value, raw: value.raw() }, facts);
        } else {
            self.unknown(None, value.raw(), facts);
        }
    }

    /// A record that nothing here knows.
    fn unknown(&self, type_: Option<&str>, raw: &str, facts: &mut dyn FactSink) {
        let session = Some(self.session.as_str()).filter(|session| !session.is_empty());
        let context = Context { session, ..Context::default() };
        facts.fact(&context, Fact::Tell(Unknown { type_, raw }.into()));
    }
}

/// Remembers an id, within the bound.
fn remember(list: &mut Vec<String>, id: &str) {
    if list.iter().any(|known| known == id) {
        return;
    }
    if list.len() >= REMEMBERED {
        list.remove(0);
    }
    list.push(id.to_owned());
}
