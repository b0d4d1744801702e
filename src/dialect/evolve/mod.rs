//! Evolve: content events, lifecycle events, frames of the Python bridge, and the trace log file.
//!
//! Lines of all four kinds may stand in one file, so each line is told apart by itself; a line that is none of them is
//! raw output of the harness and goes to a child dialect, named by `_meta.agent` or detected. The output of this crate
//! has the same form with more variants, and is read here too.

mod bridge;
mod detect;
mod envelope;
mod lifecycle;
mod own;
mod own_interrupt;
mod tool;
mod update;

use std::borrow::Cow;

use self::bridge::Bridge;
use self::envelope::Envelope;
use self::own::Own;
use super::nested::Nested;
use super::{Context, Dialect, DialectRow, Fact, FactSink, RunFact};
use crate::dialect::walk::Present;
use crate::event::{Json, RunPhase, RunScope, SessionInfoUpdate, Update};
use crate::framing::{Record, Severity, Source};
use crate::json::Value;

/// The table row.
pub const ROW: DialectRow =
    DialectRow { name: "evolve", detect: detect::detect, make: |_| Box::new(Evolve::default()), reply: None };

/// The reader: the harness behind the raw lines, and the pieces of the bridge.
struct Evolve {
    harness: Nested,
    bridge: Bridge,
    own: Own,
    /// Where the newest record stands: what the end of the stream flushes belongs to it.
    newest: Source,
}

impl Default for Evolve {
    fn default() -> Self {
        Evolve {
            harness: Nested::of(ROW.name),
            bridge: Bridge::default(),
            own: Own::default(),
            newest: Source::default(),
        }
    }
}

impl Dialect for Evolve {
    fn record(&mut self, record: &Record<'_>, value: Value<'_>, facts: &mut dyn FactSink) {
        self.newest = record.source;
        if let Some((envelope, update)) = Envelope::read(value, facts) {
            self.bridge.content_came(&mut self.harness);
            return update::say_update(value, &envelope, update, &mut self.own, facts);
        }
        let [meta, prompt, session_end, method, params, reason, sandbox, agent, kind, data, rpc] = value
            .fields([
                "_meta",
                "_prompt",
                "_sessionEnd",
                "method",
                "params",
                "reason",
                "sandbox",
                "agent",
                "type",
                "data",
                "jsonrpc",
            ]);
        let is = |value: Option<Value<'_>>, word: &str| {
            value.and_then(Value::str).is_some_and(|text| text == word)
        };
        let is_lifecycle = kind.is_none() && reason.is_some() && (sandbox.is_some() || agent.is_some());
        if let Some(prompt) = prompt {
            say_prompt(prompt, facts);
        } else if let Some(end) = session_end {
            self.harness.end(record.source, facts);
            say_session_end(end, facts);
        } else if let Some(params) = params.filter(|params| is(method, "event") && is_frame(*params)) {
            self.frame(record, params, facts);
        } else if is(kind, "lifecycle") || is_lifecycle {
            lifecycle::say_lifecycle(value, facts);
        } else if data.is_some() && (is(kind, "stdout") || is(kind, "stderr")) {
            self.frame(record, value, facts);
        } else if let Some(meta) = meta.filter(|_| kind.is_none() && rpc.is_none()) {
            self.meta(record, meta, facts);
        } else if self.bridge.was_seen() && rpc.is_some() && method.is_none() {
            bridge::say_response(value, facts);
        } else {
            self.harness.record(record, value, facts);
        }
    }

    fn text(&mut self, record: &Record<'_>, facts: &mut dyn FactSink) -> bool {
        self.newest = record.source;
        self.harness.text(record, facts)
    }

    fn end(&mut self, facts: &mut dyn FactSink) {
        self.bridge.end(&mut self.harness, self.newest, facts);
        self.harness.end(self.newest, facts);
    }
}

impl Evolve {
    /// `params` of a bridge notification: an event of one channel.
    fn frame(&mut self, record: &Record<'_>, params: Value<'_>, facts: &mut dyn FactSink) {
        if let Some((envelope, update)) = Envelope::read(params, facts) {
            self.bridge.content_came(&mut self.harness);
            return update::say_update(params, &envelope, update, &mut self.own, facts);
        }
        self.bridge.came();
        let kind = params.get("type").and_then(Value::str).unwrap_or_default();
        match &*kind {
            "lifecycle" => lifecycle::say_lifecycle(params, facts),
            "stdout" => self.bridge.stdout(params, &mut self.harness, record.source, facts),
            "stderr" => self.bridge.stderr(params, facts),
            _ => bridge::say_other(&kind, params, facts),
        }
    }

    /// The header of a trace log. A second one is the log of another run, appended.
    fn meta(&mut self, record: &Record<'_>, meta: Value<'_>, facts: &mut dyn FactSink) {
        if meta.object().is_none() {
            facts.diagnostic("evolve.wrong-type", Severity::Warn, "`_meta` is no object");
        }
        self.harness.end(record.source, facts);
        let [agent, model, timestamp] =
            meta.fields(["agent", "model", "timestamp"]).map(|field| field.and_then(Value::str));
        if let Some(agent) = agent {
            self.harness.name_child(&agent);
        }
        let context =
            Context { model: model.as_deref(), timestamp: timestamp.as_deref(), ..Context::default() };
        let info = SessionInfoUpdate { meta: Some(Json(meta.raw())), ..SessionInfoUpdate::default() };
        facts.fact(&context, Fact::Tell(Update::SessionInfoUpdate(info)));
    }
}

/// Kimi's wire mode has notifications of that name too; what they tell stands in a `payload`.
fn is_frame(params: Value<'_>) -> bool {
    let [kind, payload] = params.fields(["type", "payload"]);
    payload.is_none() || kind.and_then(Value::str_raw).is_some_and(detect::is_channel)
}

/// One per `run()`. The ids of what follows are new: harnesses count from 0 in every process.
fn say_prompt(prompt: Value<'_>, facts: &mut dyn FactSink) {
    let context = Context::default();
    facts.fact(&context, Fact::IdsRestart);
    facts.fact(&context, Fact::Run(RunFact::of(RunScope::Turn, RunPhase::Start)));
    match prompt.get("text").unwrap_or(prompt).text() {
        Some(text) if !text.is_empty() => facts.fact(&context, Fact::Prompt { text }),
        Some(_) => {}
        None => facts.diagnostic("evolve.wrong-type", Severity::Warn, "a prompt without text"),
    }
}

fn say_session_end(end: Value<'_>, facts: &mut dyn FactSink) {
    let timestamp = end.get("timestamp").and_then(Value::str);
    let context = Context { timestamp: timestamp.as_deref(), ..Context::default() };
    facts.fact(&context, Fact::Run(RunFact::of(RunScope::Run, RunPhase::End)));
}

/// A string member; a member of another type is remarked.
fn string<'a>(value: Option<Value<'a>>, facts: &mut dyn FactSink) -> Option<Cow<'a, str>> {
    let value = value.present()?;
    let text = value.str();
    if text.is_none() {
        facts.diagnostic("evolve.wrong-type", Severity::Warn, "a member that should be a string is none");
    }
    text
}
