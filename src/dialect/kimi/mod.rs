//! Both Kimi programs: kimi-cli (Python) and kimi-code (TypeScript), which took over the command `kimi`.
//!
//! Knows which of their three forms a line has and hands it on: printed chat messages (`print`), the wire messages of
//! `--wire` and of kimi-cli's session file (`wire`), kimi-code's session file (`journal`). Both files open with the
//! same `metadata` line; the line behind it tells them apart.

mod detect;
mod journal;
mod print;
mod reply;
mod wire;

use std::borrow::Cow;

use super::harness::{self, Heard, filled};
use super::{Context, Dialect, DialectRow, Fact, FactSink};
use crate::event::{Severity, Unknown};
use crate::framing::Record;
use crate::json::Value;

/// The table row.
pub const ROW: DialectRow = DialectRow {
    name: "kimi",
    detect: detect::detect,
    make: |_| Box::new(Kimi::default()),
    reply: Some(reply::reply),
};

/// One decoder per form.
#[derive(Default)]
struct Kimi {
    print: print::Print,
    wire: wire::Wire,
    journal: journal::Journal,
}

impl Dialect for Kimi {
    fn record(&mut self, _record: &Record<'_>, value: Value<'_>, facts: &mut dyn FactSink) {
        let mut heard = Heard::new(facts);
        self.line(value, &mut heard);
        heard.finish();
    }

    /// With standard error in the same stream, live output without a line end runs into the next message.
    fn text(&mut self, record: &Record<'_>, facts: &mut dyn FactSink) -> bool {
        if let Some(at) = record.body.rfind("{\"role\":\"")
            && let Some((before, message)) = record.body.split_at_checked(at)
            && let Some(value) = harness::object_inside(message)
        {
            let text = before.trim_end_matches(|letter: char| letter.is_ascii_control());
            let context = Context::default();
            match before.starts_with(['{', '[']) {
                // A record that was cut, and another one behind it.
                true => facts.fact(&context, Fact::Tell(Unknown { type_: None, raw: text }.into())),
                false => harness::notice(Severity::Info, text, &context, facts),
            }
            self.line(value, facts);
            return true;
        }
        self.print.text(record.body, facts)
    }

    fn end(&mut self, facts: &mut dyn FactSink) {
        self.wire.end(facts);
        self.print.end(facts);
    }
}

impl Kimi {
    fn line(&mut self, value: Value<'_>, facts: &mut dyn FactSink) {
        let [role, kind, method, message, rpc, time] =
            value.fields(["role", "type", "method", "message", "jsonrpc", "time"]);
        let kind = filled(kind);
        if let Some(role) = filled(role) {
            return self.print.message(&role, kind.as_deref(), value, facts);
        }
        if rpc.is_some() || method.is_some() {
            return self.wire.rpc(value, facts);
        }
        match (kind.as_deref(), message) {
            (Some("metadata"), _) => facts.fact(&Context::default(), Fact::Ignored("file-header")),
            (None, Some(message)) => self.wire.saved(value, message, facts),
            (Some(kind), _) if time.is_some() => self.journal.line(kind, value, facts),
            (kind, _) => self.print.other(kind, value, facts),
        }
    }
}

/// A member has another type than the format gives it.
const WRONG_TYPE: &str = "kimi.wrong-type";

/// The blocks of a chat message: a string, a list, or nothing.
fn blocks<'a>(content: Option<Value<'a>>) -> Vec<Value<'a>> {
    match content.map(|content| (content, content.array())) {
        Some((_, Some(items))) => items.collect(),
        Some((content, None)) if !content.is_null() => vec![content],
        _ => Vec::new(),
    }
}

/// Arguments come as a JSON string. Where they are an object that is the input, else the string as it stands: cut
/// arguments are a known fault of kimi-cli.
struct Arguments<'a> {
    text: Option<Cow<'a, str>>,
    raw: Option<Value<'a>>,
}

impl<'a> Arguments<'a> {
    fn of(value: Option<Value<'a>>) -> Arguments<'a> {
        let raw = value.filter(|value| !matches!(value.raw(), "null" | "\"\""));
        Arguments { text: raw.and_then(Value::str), raw }
    }

    /// The arguments as an object.
    fn object(&self) -> Option<Value<'_>> {
        match (&self.text, self.raw) {
            (Some(text), _) => harness::object_inside(text),
            (None, raw) => raw.filter(|raw| raw.object().is_some()),
        }
    }

    /// The card's input.
    fn input(&self) -> Option<&str> {
        self.object().or(self.raw).map(Value::raw)
    }
}
