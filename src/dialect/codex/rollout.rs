//! A saved session: `{timestamp, type, payload}`, and the oldest files, which have no envelope.
//!
//! Texts, thoughts and calls are those of the model's own items (`response_item`); of the events beside them only what the
//! items leave open counts: how calls ended, turns, errors, usage. A fork copies the records of its parent behind a second
//! `session_meta`, which is then not the file's own.

use std::borrow::Cow;

use super::Line;
use super::msg::{Events, Scene, tell_usage};
use super::read::string;
use super::response;
use super::thread::Threads;
use super::usage::Counts;
use crate::dialect::{AgentSeen, Context, Fact, FactSink};
use crate::event::{CompactionUpdate, Json, SessionInfoUpdate, Unknown, Update};
use crate::json::{ObjectWriter, Value};

/// Kinds of records that say nothing of the work.
const SILENT: &[&str] = &[
    "world_state",
    "inter_agent_communication",
    "inter_agent_communication_metadata",
    "retained_context",
    "dynamic_tools_updated",
    "realtime_item",
    "security_risk_score",
];

/// The record kinds of a rollout.
pub(super) fn is_record(type_: &str) -> bool {
    matches!(
        type_,
        "session_meta" | "response_item" | "event_msg" | "turn_context" | "compacted" | "token_usage_record"
    ) || SILENT.contains(&type_)
}

/// Reads the records of saved sessions, one after the other.
#[derive(Default)]
pub(super) struct Rollout {
    threads: Threads,
    thread: usize,
    events: Events,
    /// The model's own items stand in this file.
    has_items: bool,
    /// Until something is said, a `session_meta` may be the copy of this session's.
    copied_from: Option<String>,
}

impl Rollout {
    /// States what one record says.
    pub fn record(&mut self, type_: &str, payload: Value<'_>, line: &Line<'_>, facts: &mut dyn FactSink) {
        let timestamp = string(line.time);
        if !matches!(type_, "session_meta" | "world_state" | "turn_context") {
            self.copied_from = None;
        }
        match type_ {
            "session_meta" => return self.begin(payload, timestamp.as_deref(), facts),
            "response_item" => self.has_items = true,
            _ => {}
        }
        let mut scene = Scene {
            threads: &mut self.threads,
            thread: self.thread,
            timestamp: timestamp.as_deref(),
            has_items: self.has_items,
        };
        match type_ {
            "response_item" => response::say(payload, &mut self.events.calls, &scene.context(), facts),
            "event_msg" => self.events.event(payload, &mut scene, facts),
            "token_usage_record" => {
                let [total, last, response] = payload.fields(["thread_token_usage", "usage", "response_id"]);
                let counts = Counts { total, last, window: None, earlier: false };
                tell_usage(&counts, string(response).as_deref(), &mut scene, facts);
            }
            "turn_context" => {
                if let (Some(model), Some(thread)) =
                    (string(payload.get("model")), scene.threads.get(scene.thread))
                {
                    thread.model = Some(model.into_owned());
                }
                facts.fact(&scene.context(), Fact::Ignored("turn-context"));
            }
            "compacted" => {
                // The history it holds is what the model sees from here, not something that happened again.
                let message = string(payload.get("message")).filter(|message| !message.is_empty());
                let done = CompactionUpdate {
                    compaction_id: None,
                    status: "completed",
                    summary: message.as_deref(),
                    error: None,
                };
                facts.fact(&scene.context(), Fact::Tell(Update::CompactionUpdate(done)));
            }
            other if SILENT.contains(&other) => facts.fact(&scene.context(), Fact::Ignored("housekeeping")),
            other => {
                let unknown = Unknown { type_: Some(other), raw: line.raw.raw() };
                facts.fact(&scene.context(), Fact::Tell(Update::Unknown(unknown)));
            }
        }
    }

    /// A line of the oldest files. `false`: it is none.
    pub fn bare(&mut self, type_: Option<&str>, record: Value<'_>, facts: &mut dyn FactSink) -> bool {
        if record.get("record_type").is_some() {
            facts.fact(&self.threads.context(self.thread), Fact::Ignored("housekeeping"));
            return true;
        }
        match type_ {
            None if record.get("instructions").is_some() => {
                let timestamp = string(record.get("timestamp"));
                self.begin(record, timestamp.as_deref(), facts);
            }
            Some(type_) if response::is_item(type_) => {
                self.has_items = true;
                let context = self.threads.context(self.thread);
                response::say(record, &mut self.events.calls, &context, facts);
            }
            _ => return false,
        }
        true
    }

    /// A file begins, or a copy of the session it was forked from.
    fn begin(&mut self, meta: Value<'_>, timestamp: Option<&str>, facts: &mut dyn FactSink) {
        let [id, forked_from, parent, source, cwd, nickname, version] = meta.fields([
            "id",
            "forked_from_id",
            "parent_thread_id",
            "source",
            "cwd",
            "agent_nickname",
            "cli_version",
        ]);
        let [id, forked_from, parent, cwd, nickname, version] =
            [id, forked_from, parent, cwd, nickname, version].map(string);
        let spawned = source.and_then(|source| source.get("subagent")?.get("thread_spawn"));
        let spawner = spawned.and_then(|spawned| spawned.get("parent_thread_id")?.str());
        let parent = parent.or(spawner).filter(|parent| !parent.is_empty());
        let copy_of = forked_from.or_else(|| parent.clone()).map(Cow::into_owned);
        let id = id.unwrap_or_default();
        if self.copied_from.as_deref() == Some(&*id) && !id.is_empty() {
            self.copied_from = copy_of.or_else(|| Some(String::new()));
            let context = self.threads.context(self.thread);
            return facts.fact(&context, Fact::Ignored("copied-session"));
        }
        // Of a parent whose own file is not in this stream nothing is known here: the thread is the session.
        let parent = parent.filter(|parent| self.threads.known(parent).is_some());
        self.thread = self.threads.announce(&id, parent.as_deref());
        self.copied_from = copy_of;
        let context = Context { timestamp, ..self.threads.context(self.thread) };
        if context.agent.is_some() {
            let seen = AgentSeen {
                agent: &id,
                name: nickname.as_deref(),
                session: Some(&id),
                call: None,
                status: None,
            };
            return facts.fact(&context, Fact::AgentSeen(seen));
        }
        let mut told = String::new();
        let mut writer = ObjectWriter::new(&mut told);
        for (name, text) in
            [("cliVersion", &version), ("agentNickname", &nickname), ("parentThreadId", &parent)]
        {
            if let Some(text) = text {
                writer.text(name, text);
            }
        }
        let is_empty = writer.is_empty();
        writer.finish();
        let info = SessionInfoUpdate {
            title: None,
            updated_at: None,
            cwd: cwd.as_deref(),
            meta: (!is_empty).then_some(Json(&told)),
        };
        facts.fact(&context, Fact::Tell(Update::SessionInfoUpdate(info)));
    }
}
