//! Codex: what `codex exec --json` prints, its older `msg` protocol, saved sessions (rollouts) and the app-server.
//!
//! One dialect, since the four carry the same items and old hosts mix them; each record tells by its members which
//! protocol it is of, and each protocol has a file and a memory of its own. Knows nothing but that.

mod ask;
mod calls;
mod card;
mod detect;
mod exec;
mod item;
mod msg;
mod output;
mod read;
mod reply;
mod response;
mod rollout;
mod server;
mod thread;
mod usage;

use self::exec::Exec;
use self::msg::{Events, Scene};
use self::rollout::Rollout;
use self::server::Server;
use self::thread::Threads;
use super::{Context, Dialect, DialectRow, Fact, FactSink};
use crate::event::{HarnessEvent, Json, Unknown, Update};
use crate::framing::{Record, Severity};
use crate::json::Value;

/// The table row.
pub const ROW: DialectRow = DialectRow {
    name: "codex",
    detect: detect::detect,
    make: |_| Box::new(Codex::default()),
    reply: Some(reply::reply),
};

/// The members of a record that several protocols have.
struct Line<'a> {
    raw: Value<'a>,
    id: Option<Value<'a>>,
    params: Option<Value<'a>>,
    /// As text, or in milliseconds.
    time: Option<Value<'a>>,
}

/// The reader: one decoder per protocol.
#[derive(Default)]
struct Codex {
    exec: Exec,
    rollout: Rollout,
    server: Server,
    events: Events,
    threads: Threads,
    thread: usize,
}

impl Dialect for Codex {
    fn record(&mut self, _record: &Record<'_>, value: Value<'_>, facts: &mut dyn FactSink) {
        let [method, payload, msg, type_, id, params, result, error, stamp, emitted] = value.fields([
            "method",
            "payload",
            "msg",
            "type",
            "id",
            "params",
            "result",
            "error",
            "timestamp",
            "emittedAtMs",
        ]);
        let line = Line { raw: value, id, params, time: stamp.or(emitted) };
        let type_ = type_.and_then(Value::str);
        if let Some(method) = method.and_then(Value::str) {
            return self.server.call(&method, &line, facts);
        }
        match (&type_, payload.filter(|payload| payload.object().is_some()), msg, id) {
            (Some(type_), Some(payload), ..) => {
                return self.rollout.record(type_, payload, &line, facts);
            }
            (_, _, Some(msg), _) if msg.object().is_some() => {
                let mut scene = Scene {
                    threads: &mut self.threads,
                    thread: self.thread,
                    timestamp: None,
                    has_items: false,
                };
                self.events.event(msg, &mut scene, facts);
                self.thread = scene.thread;
                return;
            }
            (None, _, _, Some(id)) if result.is_some() || error.is_some() => {
                return self.server.answer(id, result, error, facts);
            }
            _ => {}
        }
        if self.exec.record(value, facts)
            || self.rollout.bare(type_.as_deref(), value, facts)
            || (type_.is_none() && self.head(value, facts))
        {
            return;
        }
        let context = Context { session: self.exec.session(), ..Context::default() };
        let unknown = Unknown { type_: type_.as_deref(), raw: value.raw() };
        facts.fact(&context, Fact::Tell(Update::Unknown(unknown)));
    }

    fn text(&mut self, record: &Record<'_>, facts: &mut dyn FactSink) -> bool {
        self.rest_of_line(record, facts).is_some()
    }
}

/// How a record of a rollout begins.
const RECORD_HEAD: &str = "{\"timestamp\":\"";

impl Codex {
    /// A line that a killed process left unfinished and the next one went on writing, or that begins with a hole of NULs:
    /// the whole record at its end.
    fn rest_of_line(&mut self, record: &Record<'_>, facts: &mut dyn FactSink) -> Option<()> {
        let body = record.body;
        let filled = body.trim_start_matches('\0');
        let at = match filled.rfind(RECORD_HEAD) {
            Some(at) if filled.starts_with('{') => body.len() - filled.len() + at,
            _ => return None,
        };
        let (before, rest) = body.split_at_checked(at).filter(|(before, _)| !before.is_empty())?;
        let value = Value::parse(rest).ok()?;
        let [type_, payload] = value.fields(["type", "payload"]);
        payload.filter(|_| type_.and_then(Value::str).is_some_and(|type_| rollout::is_record(&type_)))?;
        let message = "a record begins in the middle of an unfinished one";
        facts.diagnostic("codex.record-cut", Severity::Warn, message);
        if before.bytes().any(|byte| byte != 0) {
            let unknown = Unknown { type_: None, raw: before };
            facts.fact(&Context::default(), Fact::Tell(Update::Unknown(unknown)));
        }
        self.record(record, value, facts);
        Some(())
    }

    /// The two lines before the events of the old `exec`: its settings, and the prompt.
    fn head(&mut self, value: Value<'_>, facts: &mut dyn FactSink) -> bool {
        let [prompt, model, provider] = value.fields(["prompt", "model", "provider"]);
        if let Some(text) = prompt.and_then(Value::text) {
            let context = Context { model: None, ..self.threads.context(self.thread) };
            facts.fact(&context, Fact::Prompt { text });
            return true;
        }
        let (Some(model), Some(_)) = (model.and_then(Value::str), provider) else { return false };
        self.thread = self.threads.announce("", None);
        if let Some(thread) = self.threads.get(self.thread) {
            thread.model = Some(model.into_owned());
        }
        let word = HarnessEvent { type_: "settings", payload: Some(Json(value.raw())) };
        facts.fact(&Context::default(), Fact::Tell(Update::HarnessEvent(word)));
        true
    }
}
