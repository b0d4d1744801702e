//! The server's event bus: every change of every session of a project, told as it happens.
//!
//! Remembers sessions (which run, and which are subagents of which call), messages (whose they are) and parts. Deltas may
//! come before the first sight of their part; they wait until its kind is known.

use std::borrow::Cow;

use super::WRONG_TYPE;
use super::failure::{self, Meaning};
use super::part::{Part, Parts, attached, step_finish, step_start};
use super::permission;
use crate::dialect::clock::iso;
use crate::dialect::harness::{end, error, filled, plan, start, text_at, unknown, word, wrong_type};
use crate::dialect::recent::Recent;
use crate::dialect::walk::Present;
use crate::dialect::{AgentSeen, CallRef, Context, Fact, FactSink, PartKind, PartRef, WithdrawTarget};
use crate::event::{AgentStatus, CompactionUpdate, Evidence, RunOutcome, RunScope, SessionInfoUpdate};
use crate::json::{Text, Value};

/// Deltas that wait for their part, in bytes; of one that waits longer, the text is told as the agent's.
const MOST_WAITING: usize = 1 << 20;

/// Areas of the server that say nothing of what an agent does.
const NOISE: &[&str] = &[
    "catalog",
    "command",
    "file",
    "ide",
    "installation",
    "integration",
    "lsp",
    "mcp",
    "models-dev",
    "plugin",
    "project",
    "pty",
    "reference",
    "server",
    "tui",
    "vcs",
    "workspace",
    "worktree",
];

/// Reads the events of one connection.
#[derive(Default)]
pub(super) struct Bus {
    sessions: Recent<Session>,
    messages: Recent<Message>,
    parts: Parts,
    /// Deltas by part: its id, session and message, and the text so far.
    waiting: Recent<[String; 4]>,
    waiting_bytes: usize,
}

/// One session.
#[derive(Default)]
struct Session {
    /// Of a subagent: the session that runs it.
    parent: Option<String>,
    /// The call that runs it.
    call: Option<String>,
    running: bool,
    outcome: Option<RunOutcome>,
    title: String,
}

/// One message.
struct Message {
    is_user: bool,
    model: Option<String>,
}

/// What a record's context borrows.
pub(super) struct Place {
    session: String,
    is_child: bool,
    call: Option<String>,
    model: Option<String>,
    is_user: bool,
}

impl Place {
    pub fn context<'a>(&'a self, message: Option<&'a str>, timestamp: Option<&'a str>) -> Context<'a> {
        Context {
            session: Some(&*self.session).filter(|session| !session.is_empty()),
            agent: self.is_child.then_some(&*self.session),
            parent_call: self.call.as_deref(),
            message,
            timestamp,
            model: self.model.as_deref(),
            extra: None,
        }
    }
}

impl Bus {
    /// Where something belongs: its session, and whose message it is part of.
    pub fn place(&mut self, session: &str, message: Option<&str>) -> Place {
        let message = message.and_then(|message| self.messages.get(message));
        let (model, is_user) = message.map_or((None, false), |it| (it.model.clone(), it.is_user));
        let known = self.sessions.get(session);
        let (is_child, call) = known.map_or((false, None), |it| (it.parent.is_some(), it.call.clone()));
        Place { session: session.to_owned(), is_child, call, model, is_user }
    }

    fn session(&mut self, id: &str) -> &mut Session {
        self.sessions.enter(id)
    }

    pub fn event(&mut self, kind: &str, properties: Value<'_>, whole: Value<'_>, facts: &mut dyn FactSink) {
        if let Some(id) = whole.get("id").and_then(Value::str).filter(|id| !id.is_empty()) {
            facts.fact(&Context::default(), Fact::RecordId(&id));
        }
        if kind == "message.part.delta" {
            return self.delta(properties, whole, facts);
        }
        let [session, info, part, time] = properties.present_fields(["sessionID", "info", "part", "time"]);
        let session = filled(session)
            .or_else(|| info.or(part).and_then(|it| text_at(it, "sessionID")))
            .or_else(|| info.filter(|_| kind.starts_with("session.")).and_then(|it| text_at(it, "id")))
            .unwrap_or_default();
        match (kind, info, part) {
            ("message.part.updated", _, Some(part)) => {
                let time = time.and_then(Value::f64).and_then(iso);
                self.part(&session, Part::read(part), time.as_deref(), facts);
            }
            ("message.updated", Some(info), _) => self.message(&session, info, facts),
            ("session.created" | "session.updated", Some(info), _) => {
                self.session_info(&session, info, facts)
            }
            _ => {
                let place = self.place(&session, None);
                let context = place.context(None, None);
                if !permission::event(kind, properties, &context, facts) {
                    self.other(kind, &session, properties, whole, &context, facts);
                }
            }
        }
    }

    fn other(
        &mut self,
        kind: &str,
        session: &str,
        properties: Value<'_>,
        whole: Value<'_>,
        context: &Context<'_>,
        facts: &mut dyn FactSink,
    ) {
        match kind {
            "session.status" => self.status(session, properties, context, facts),
            "session.idle" => self.idle(session, context, facts),
            "session.error" => match properties.get("error").present() {
                Some(failure) => self.failed(session, failure, context, facts),
                None => word(kind, whole, context, facts),
            },
            "todo.updated" => plan(properties.get("todos"), context, facts),
            "session.compacted" => {
                let update = CompactionUpdate { status: "completed", ..CompactionUpdate::default() };
                facts.fact(context, Fact::Tell(update.into()));
            }
            "message.removed" | "message.part.removed" => self.removed(kind, properties, context, facts),
            "session.diff" => facts.fact(context, Fact::Ignored("session-diff")),
            "session.deleted" => word(kind, whole, context, facts),
            kind if NOISE.contains(&kind.split('.').next().unwrap_or_default()) => {
                facts.fact(context, Fact::Ignored("server-noise"));
            }
            kind => unknown(Some(kind).filter(|kind| !kind.is_empty()), whole, context, facts),
        }
    }

    /// The hot path: more of a text.
    fn delta(&mut self, properties: Value<'_>, whole: Value<'_>, facts: &mut dyn FactSink) {
        let [session, message, part, field, delta] =
            properties.fields(["sessionID", "messageID", "partID", "field", "delta"]);
        let (session, message, part) = (filled(session).unwrap_or_default(), filled(message), filled(part));
        let place = self.place(&session, message.as_deref());
        let context = place.context(message.as_deref(), None);
        let text = delta.and_then(Value::text);
        let is_text = matches!(field.and_then(Value::str).as_deref(), Some("text"));
        let (Some(part), Some(text)) = (part, text.filter(|_| is_text)) else {
            return facts.fact(&context, Fact::Ignored("delta-of-another-field"));
        };
        let known = self.parts.get(&part);
        match known.and_then(|known| Some((known.number, known.text?))) {
            Some((number, kind)) => {
                let id = whole.get("id").and_then(Value::str_raw);
                let raw = delta.and_then(Value::str_raw);
                match (id, raw) {
                    (Some(id), Some(raw)) => facts.repeatable(&[id, raw]),
                    (None, Some(raw)) => facts.repeatable(&[raw]),
                    _ => {}
                }
                facts.fact(&context, Fact::PartDelta { part: PartRef::Index(number), kind, text });
            }
            None if self.waiting_bytes + text.text.len() > MOST_WAITING => {
                let (known, _) = self.parts.enter(&part, Some(PartKind::Agent));
                self.flush(&part, PartKind::Agent, known.number, &context, facts);
                let part = PartRef::Index(known.number);
                facts.fact(&context, Fact::PartDelta { part, kind: PartKind::Agent, text });
            }
            None => {
                // Halves of surrogate pairs at the ends of a waiting piece are lost; no server that tells deltas first
                // cuts there.
                let piece = text.into_cow();
                self.waiting_bytes += piece.len();
                match self.waiting.get_mut(&part) {
                    Some([.., waiting]) => waiting.push_str(&piece),
                    None => {
                        let message = message.as_deref().unwrap_or_default().to_owned();
                        let told = [part.to_string(), session.to_string(), message, piece.into_owned()];
                        self.waiting.insert(&part, told);
                    }
                }
                facts.fact(&context, Fact::Ignored("delta-before-its-part"));
            }
        }
    }

    /// Tells what waited for this part.
    fn flush(
        &mut self,
        part: &str,
        kind: PartKind,
        number: u32,
        context: &Context<'_>,
        facts: &mut dyn FactSink,
    ) {
        let Some([.., text]) = self.waiting.take(part) else { return };
        self.waiting_bytes = self.waiting_bytes.saturating_sub(text.len());
        facts.fact(context, Fact::PartDelta { part: PartRef::Index(number), kind, text: Text::plain(&text) });
    }

    /// The stream is over: texts whose kind was never told are the agent's.
    pub fn end(&mut self, facts: &mut dyn FactSink) {
        let waiting: Vec<_> = self.waiting.take_all().collect();
        for [part, session, message, text] in waiting {
            let place = self.place(&session, Some(&message));
            let context = place.context(Some(&message).filter(|it| !it.is_empty()).map(|it| &**it), None);
            let (known, _) = self.parts.enter(&part, Some(PartKind::Agent));
            let part = PartRef::Index(known.number);
            facts.fact(&context, Fact::PartDelta { part, kind: PartKind::Agent, text: Text::plain(&text) });
        }
    }

    /// A snapshot of a part.
    fn part(&mut self, session: &str, part: Part<'_>, time: Option<&str>, facts: &mut dyn FactSink) {
        let place = self.place(session, part.message.as_deref());
        let context = &place.context(part.message.as_deref(), time);
        if let Some(kind) = part.text_kind() {
            let kind = if place.is_user { PartKind::User } else { kind };
            return self.text(&part, kind, context, facts);
        }
        match &*part.kind {
            "tool" => {
                let child = self.parts.call(&part, false, context, facts);
                if let (Some(child), Some(call)) = (child, text_at(part.whole, "callID")) {
                    let child = self.session(&child);
                    child.parent = Some(session.to_owned());
                    child.call = Some(call.into_owned());
                }
            }
            "step-start" => step_start(context, facts),
            "step-finish" => step_finish(&part, context, facts),
            "file" => {
                let (_, is_new) = self.parts.enter(&part.id, None);
                let kind = if place.is_user { PartKind::User } else { PartKind::Agent };
                if is_new {
                    let block = attached(part.whole);
                    facts.fact(context, Fact::PartBlock { kind, block: block.content_block() });
                }
            }
            "retry" => {
                if let Some(failure) = part.whole.get("error") {
                    failure::say(failure, false, context, facts);
                }
            }
            "compaction" => {
                let update = CompactionUpdate { status: "in_progress", ..CompactionUpdate::default() };
                facts.fact(context, Fact::Tell(update.into()));
            }
            "snapshot" => facts.fact(context, Fact::Ignored("snapshot")),
            kind => word(kind, part.whole, context, facts),
        }
    }

    fn text(&mut self, part: &Part<'_>, kind: PartKind, context: &Context<'_>, facts: &mut dyn FactSink) {
        let Some(text) = part.text.and_then(Value::text) else {
            wrong_type(WRONG_TYPE, "part.text", facts);
            return facts.fact(context, Fact::Ignored("no-text"));
        };
        let (known, _) = self.parts.enter(&part.id, Some(kind));
        let reference = PartRef::Index(known.number);
        if kind == PartKind::User {
            let fact = match part.synthetic {
                true => Fact::Injected { text },
                false => Fact::PartWhole { part: reference, kind, text },
            };
            return facts.fact(context, fact);
        }
        if text.is_empty() {
            facts.fact(context, Fact::PartOpen { part: reference, kind });
            return self.flush(&part.id, kind, known.number, context, facts);
        }
        // The snapshot holds what waited.
        if let Some([.., waiting]) = self.waiting.take(&part.id) {
            self.waiting_bytes = self.waiting_bytes.saturating_sub(waiting.len());
        }
        let fact = match part.end {
            Some(_) => Fact::PartWhole { part: reference, kind, text },
            None => Fact::PartSoFar { part: reference, kind, text },
        };
        facts.fact(context, fact);
    }

    /// The head of a message; told anew at each change.
    fn message(&mut self, session: &str, info: Value<'_>, facts: &mut dyn FactSink) {
        let [id, role, model, provider, both, failure] =
            info.present_fields(["id", "role", "modelID", "providerID", "model", "error"]);
        let id = filled(id).unwrap_or_default();
        if self.messages.get(&id).is_none() {
            let [inner, inner_provider] =
                both.map_or([None, None], |both| both.fields(["modelID", "providerID"]));
            let name = filled(model).or_else(|| filled(inner));
            let provider = filled(provider).or_else(|| filled(inner_provider));
            let model = name.map(|name| match provider {
                Some(provider) => [&*provider, "/", &*name].concat(),
                None => name.into_owned(),
            });
            let is_user = role.and_then(Value::str).as_deref() == Some("user");
            self.messages.insert(&id, Message { is_user, model });
        }
        let place = self.place(session, Some(&id));
        let context = place.context(Some(&id), None);
        match failure {
            Some(failure) => {
                self.failed(session, failure, &context, facts);
                facts.fact(&context, Fact::MessageEnd { stop_reason: None, aborted: true });
            }
            None => facts.fact(&context, Fact::Ignored("message-head")),
        }
    }

    fn session_info(&mut self, id: &str, info: Value<'_>, facts: &mut dyn FactSink) {
        let [parent, title, directory, agent] =
            info.present_fields(["parentID", "title", "directory", "agent"]);
        let (parent, title, directory) =
            (filled(parent), filled(title).unwrap_or_default(), filled(directory));
        let session = self.session(id);
        if session.title == *title && !title.is_empty() {
            return facts.fact(&Context::default(), Fact::Ignored("session-counters"));
        }
        session.title = title.as_ref().to_owned();
        if let Some(parent) = parent {
            session.parent = Some(parent.as_ref().to_owned());
            let call = session.call.clone();
            let place = self.place(&parent, None);
            let name = filled(agent).or(Some(title));
            let seen = AgentSeen {
                agent: id,
                name: name.as_deref(),
                session: Some(id),
                call: call.as_deref().map(CallRef::Id),
                status: None,
            };
            return facts.fact(&place.context(None, None), Fact::AgentSeen(seen));
        }
        let update = SessionInfoUpdate {
            title: Some(&*title).filter(|title| !title.is_empty()),
            cwd: directory.as_deref(),
            ..SessionInfoUpdate::default()
        };
        let context = Context { session: Some(id), ..Context::default() };
        facts.fact(&context, Fact::Tell(update.into()));
    }

    fn status(&mut self, id: &str, properties: Value<'_>, context: &Context<'_>, facts: &mut dyn FactSink) {
        let status = properties.get("status");
        let [kind, message] = status.map_or([None, None], |status| status.fields(["type", "message"]));
        match kind.and_then(Value::str).as_deref() {
            Some("idle") => self.idle(id, context, facts),
            Some("retry") => {
                let message = filled(message).unwrap_or(Cow::Borrowed("the model is asked again"));
                facts.fact(context, error(&message, false, None));
            }
            Some("busy") => {
                let session = self.session(id);
                if std::mem::replace(&mut session.running, true) {
                    return facts.fact(context, Fact::Ignored("still-busy"));
                }
                session.outcome = None;
                if session.parent.is_some() {
                    return self.child(id, AgentStatus::Running, facts);
                }
                facts.fact(context, start(RunScope::Turn));
            }
            _ => word("session.status", properties, context, facts),
        }
    }

    /// Told twice, and again after later changes. How the turn went it does not say.
    fn idle(&mut self, id: &str, context: &Context<'_>, facts: &mut dyn FactSink) {
        let session = self.session(id);
        if !std::mem::take(&mut session.running) {
            return facts.fact(context, Fact::Ignored("still-idle"));
        }
        let outcome = session.outcome.take().unwrap_or(RunOutcome::Completed);
        if session.parent.is_some() {
            let status = match outcome {
                RunOutcome::Failed => AgentStatus::Failed,
                RunOutcome::Cancelled => AgentStatus::Cancelled,
                _ => AgentStatus::Completed,
            };
            return self.child(id, status, facts);
        }
        facts.fact(context, end(RunScope::Turn, outcome, Evidence::Inferred, Some("idle")));
    }

    /// An error of a session or of a message; the server tells it as both.
    fn failed(&mut self, id: &str, failure: Value<'_>, context: &Context<'_>, facts: &mut dyn FactSink) {
        let meaning = failure::meaning(failure);
        failure::say(failure, meaning != Meaning::Aborted, context, facts);
        let outcome = match meaning {
            Meaning::Aborted => RunOutcome::Cancelled,
            _ => RunOutcome::Failed,
        };
        self.session(id).outcome.get_or_insert(outcome);
    }

    fn removed(
        &mut self,
        kind: &str,
        properties: Value<'_>,
        context: &Context<'_>,
        facts: &mut dyn FactSink,
    ) {
        let [message, part] = properties.fields(["messageID", "partID"]);
        let (message, part) = (filled(message), filled(part));
        let context = &Context { message: message.as_deref(), ..*context };
        let known = part.as_deref().and_then(|part| self.parts.get(part));
        let target = match (kind, known, message.as_deref()) {
            ("message.part.removed", Some(known), _) => WithdrawTarget::Part(PartRef::Index(known.number)),
            ("message.removed", _, Some(message)) => WithdrawTarget::Message(message),
            _ => return facts.fact(context, Fact::Ignored("removed-unknown")),
        };
        facts.fact(context, Fact::Withdraw { target, reason: "removed" });
    }

    /// A subagent's state, told by the session that runs it.
    fn child(&mut self, id: &str, status: AgentStatus, facts: &mut dyn FactSink) {
        let session = self.session(id);
        let (call, parent) = (session.call.clone(), session.parent.clone().unwrap_or_default());
        let seen = AgentSeen {
            agent: id,
            name: None,
            session: Some(id),
            call: call.as_deref().map(CallRef::Id),
            status: Some(status),
        };
        facts.fact(&self.place(&parent, None).context(None, None), Fact::AgentSeen(seen));
    }
}
