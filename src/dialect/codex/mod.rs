//! Codex: what `codex exec --json` prints, one JSON value per line.
//!
//! Knows which of Codex's protocols a line belongs to and hands it on; each protocol has a file of its own. The older
//! `msg` protocol, the rollout files and the app-server are not read yet: their lines surface as unknown.

mod exec;
mod item;

use self::exec::Exec;
use super::{Context, Dialect, DialectRow, Fact, FactSink, Sign, Verdict};
use crate::event::{Unknown, Update};
use crate::framing::{Container, Record};
use crate::json::Value;

/// The table row.
pub const ROW: DialectRow =
    DialectRow { name: "codex", detect, make: |_| Box::new(Codex::default()), reply: None };

fn detect(_record: &Record<'_>, value: Value<'_>, _container: Container) -> Verdict {
    let [kind, thread, session, item, message, method, payload] =
        value.fields(["type", "thread_id", "session_id", "item", "message", "method", "payload"]);
    let kind = kind.and_then(Value::str)?;
    if method.is_some() || payload.is_some() {
        return None;
    }
    match &*kind {
        "thread.started" if is_text(thread) => Some((Sign::Certain, "`thread.started` with a `thread_id`")),
        "item.started" | "item.updated" | "item.completed" => {
            let [new, early] = item?.fields(["type", "item_type"]);
            (is_text(new) || is_text(early))
                .then_some((Sign::Certain, "an `item.*` line with a typed `item`"))
        }
        "session.created" if is_text(session) => {
            Some((Sign::Strong, "`session.created` with a `session_id`"))
        }
        "turn.started" | "turn.completed" | "turn.failed" => Some((Sign::Strong, "a `turn.*` line")),
        "error" if is_text(message) && value.object()?.count() == 2 => {
            Some((Sign::Weak, "an `error` line with nothing but a `message`"))
        }
        _ => None,
    }
}

fn is_text(value: Option<Value<'_>>) -> bool {
    value.is_some_and(|value| value.str_raw().is_some())
}

/// The reader: one decoder per protocol.
#[derive(Default)]
struct Codex {
    exec: Exec,
}

impl Dialect for Codex {
    fn record(&mut self, _record: &Record<'_>, value: Value<'_>, facts: &mut dyn FactSink) {
        if self.exec.record(value, facts) {
            return;
        }
        let kind = value.get("type").and_then(Value::str);
        let context = Context { session: self.exec.session(), ..Context::default() };
        let unknown = Unknown { type_: kind.as_deref(), raw: value.raw() };
        facts.fact(&context, Fact::Tell(Update::Unknown(unknown)));
    }
}
