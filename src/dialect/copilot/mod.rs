//! Copilot CLI: the events of `--output-format json` and of a saved session's `events.jsonl`, which are the same but
//! for the ephemeral ones, and the last line of a live run.
//!
//! Every event has an id, a time and `data`; its `parentId` is the event before it, no agent. Remembers the session, the
//! step's message and calls, agents by their id, and a line whose string was broken over several.

mod broken;
mod step;
mod tool;

use self::broken::Broken;
use self::step::Step;
use super::speaker::{Speaker, extra_of};
use super::told::members_but;
use super::{
    AgentSeen, CallRef, Context, Dialect, DialectRow, Fact, FactSink, PartKind, PartRef, RunFact, Sign,
    Verdict,
};
use crate::dialect::walk::Present;
use crate::event::{
    AgentStatus, CompactionUpdate, Evidence, Notice, RunOutcome, RunPhase, RunScope, Severity, Update,
};
use crate::framing::{Container, Record};
use crate::json::{ObjectWriter, Value};

/// The table row.
pub const ROW: DialectRow =
    DialectRow { name: "copilot", detect, make: |_| Box::new(Copilot::default()), reply: None };

/// Agents remembered at once.
const MOST_AGENTS: usize = 256;

fn detect(_record: &Record<'_>, value: Value<'_>, _container: Container) -> Verdict {
    let [kind, data, id, parent, exit, usage] =
        value.fields(["type", "data", "id", "parentId", "exitCode", "usage"]);
    let kind = kind.and_then(Value::str)?;
    if kind == "result" && exit.is_some() {
        return usage?.get("premiumRequests").map(|_| (Sign::Strong, "a result line with premiumRequests"));
    }
    let (family, _) = kind.split_once('.')?;
    data?.object()?;
    (id.is_some() && parent.is_some()).then_some(())?;
    let is_known = matches!(family, "session" | "user" | "assistant" | "tool" | "subagent");
    let sign = if is_known { Sign::Certain } else { Sign::Strong };
    Some((sign, "a dotted type with data, id and parentId"))
}

/// The reader.
#[derive(Default)]
struct Copilot {
    session: Option<String>,
    /// The prompt's turn is not over.
    turn_is_open: bool,
    /// A model call of the main agent runs: what the user says now belongs to it.
    in_step: bool,
    /// The last word of this turn was an error.
    failed: bool,
    step: Step,
    /// Ids of agents, and of the calls that run them.
    agents: Vec<(String, String)>,
    broken: Broken,
}

/// The members of an event.
struct Event<'a> {
    value: Value<'a>,
    kind: &'a str,
    data: Value<'a>,
    /// As they stand on the wire, for records that differ in nothing else.
    id: Option<&'a str>,
    timestamp: Option<&'a str>,
}

impl Dialect for Copilot {
    fn record(&mut self, record: &Record<'_>, value: Value<'_>, facts: &mut dyn FactSink) {
        if self.broken.is_open() && !is_event(value) {
            return self.more(record, facts);
        }
        self.give_up(facts);
        self.event(value, facts);
    }

    fn text(&mut self, record: &Record<'_>, facts: &mut dyn FactSink) -> bool {
        // A crash leaves zeros where it would have written on.
        let body = record.body.trim_matches('\0');
        let record = Record { body, ..*record };
        if body.is_empty() {
            facts.fact(&Context::default(), Fact::Ignored("zeros"));
            return true;
        }
        if let Some(at) = broken::whole_behind(body) {
            self.give_up(facts);
            let (cut, whole) = body.split_at(at);
            broken::say_cut(cut, facts);
            if let Ok(value) = Value::parse(whole) {
                self.event(value, facts);
            }
            return true;
        }
        let is_piece = self.broken.is_open() || broken::begins(body);
        if is_piece {
            self.more(&record, facts);
        }
        is_piece
    }

    fn end(&mut self, facts: &mut dyn FactSink) {
        self.give_up(facts);
    }
}

fn is_event(value: Value<'_>) -> bool {
    value.get("type").is_some_and(|kind| kind.str_raw().is_some())
}

impl Copilot {
    /// One more line of a record that was broken over several.
    fn more(&mut self, record: &Record<'_>, facts: &mut dyn FactSink) {
        match self.broken.add(record) {
            broken::State::Open => facts.fact(&Context::default(), Fact::Ignored("line-of-a-record")),
            broken::State::Full => self.give_up(facts),
            broken::State::Whole(text) => match Value::parse(&text) {
                Ok(value) => {
                    let message = "line ends stood raw inside a string: its lines were joined";
                    facts.diagnostic("copilot.broken-record", crate::framing::Severity::Warn, message);
                    self.event(value, facts);
                }
                Err(_) => broken::say_cut(&text, facts),
            },
        }
    }

    /// What was joined so far will not become a record.
    fn give_up(&mut self, facts: &mut dyn FactSink) {
        if let Some(text) = self.broken.take() {
            broken::say_cut(&text, facts);
        }
    }

    fn event(&mut self, value: Value<'_>, facts: &mut dyn FactSink) {
        let mut spoken = false;
        let mut voice = Speaker::new("copilot.wrong-type", facts, &mut spoken);
        let [kind, data, id, timestamp, agent, session] =
            value.fields(["type", "data", "id", "timestamp", "agentId", "sessionId"]);
        let kind = voice.filled(kind, "type");
        let (id, timestamp) = (voice.filled(id, "id"), voice.filled(timestamp, "timestamp"));
        let agent = voice.filled(agent, "agentId");
        let own_session = match (kind.as_deref(), data) {
            (Some("session.start"), Some(data)) => data.get("sessionId"),
            (Some("result"), None) => session,
            _ => None,
        };
        if let Some(own) = voice.filled(own_session, "sessionId") {
            self.session = Some(own.into_owned());
        }
        let session = self.session.take();
        let mut voice = voice.narrowed();
        if let Some(id) = &id {
            voice.say(Fact::RecordId(id));
        }
        voice.context.session = session.as_deref();
        voice.context.timestamp = timestamp.as_deref();
        match (kind.as_deref(), data.filter(|data| data.object().is_some())) {
            (Some("result"), None) => self.result(value, &mut voice),
            (Some(kind), Some(data)) => {
                let parent = voice.filled(data.get("parentToolCallId"), "parentToolCallId");
                let known = self.agents.iter().find(|(known, _)| Some(&**known) == agent.as_deref());
                let known = known.map(|(_, call)| call.clone());
                let call = parent.as_deref().or(known.as_deref());
                let mut voice = voice.narrowed();
                if !kind.starts_with("subagent.") {
                    voice.context.agent = call.or(agent.as_deref());
                    voice.context.parent_call = call;
                }
                let event = Event { value, kind, data, id: id.as_deref(), timestamp: timestamp.as_deref() };
                self.tell(&event, agent.as_deref(), &mut voice);
            }
            (kind, _) => voice.unknown(kind, value),
        }
        self.session = session;
    }

    fn tell(&mut self, event: &Event<'_>, agent: Option<&str>, voice: &mut Speaker<'_, '_>) {
        let data = event.data;
        match event.kind {
            "assistant.message_delta" | "assistant.reasoning_delta" => self.step.delta(event, voice),
            "assistant.message" | "assistant.reasoning" => {
                self.failed = false;
                self.step.whole(event, voice);
            }
            "assistant.message_start" => self.step.message_start(data, voice),
            "assistant.turn_start" => {
                self.in_step |= voice.context.agent.is_none();
                self.step.start(voice);
                voice.say(Fact::Run(RunFact::of(RunScope::Step, RunPhase::Start)));
            }
            "assistant.turn_end" => {
                self.in_step &= voice.context.agent.is_some();
                self.step.end(voice);
                voice.say(Fact::Run(RunFact::of(RunScope::Step, RunPhase::End)));
            }
            "assistant.usage" => self.step.usage(data, voice),
            "tool.execution_start" => self.step.tool_start(data, voice),
            "tool.execution_partial_result" => tool::partial(data, voice),
            "tool.execution_complete" => tool::complete(data, voice),
            "user.message" => self.prompt(data, voice),
            "subagent.started" | "subagent.completed" | "subagent.failed" => {
                self.subagent(event, agent, voice)
            }
            "session.error" => {
                self.failed = true;
                say_error(data, true, voice);
            }
            "session.warning" => say_error(data, false, voice),
            "session.info" => {
                let message = voice.filled(data.get("message"), "message");
                let extra = members_but(data, &["message"]);
                let text = message.as_deref().unwrap_or(data.raw());
                let notice = Notice { severity: Severity::Info, text, stream: None };
                voice.say_extra(extra.as_deref(), Fact::Tell(Update::Notice(notice)));
            }
            "session.idle" => {
                let aborted = data.get("aborted").and_then(Value::bool) == Some(true);
                let outcome = if aborted { RunOutcome::Cancelled } else { RunOutcome::Completed };
                self.end_turn(outcome, None, voice);
            }
            "abort" | "session.abort" => {
                let reason = voice.filled(data.get("reason"), "reason");
                self.end_turn(RunOutcome::Cancelled, reason.as_deref(), voice);
            }
            kind => self.session_word(kind, event, voice),
        }
    }

    fn session_word(&mut self, kind: &str, event: &Event<'_>, voice: &mut Speaker<'_, '_>) {
        let data = event.data;
        match kind {
            "session.start" | "session.resume" => {
                (self.turn_is_open, self.in_step) = (false, false);
                voice.say(Fact::Run(RunFact::of(RunScope::Run, RunPhase::Start)));
                let meta = members_but(data, &["sessionId"]);
                voice.session(None, meta.as_deref());
            }
            "session.shutdown" => {
                let word = voice.filled(data.get("shutdownType"), "shutdownType");
                let went_wrong = word.as_deref() == Some("error");
                let stated = if went_wrong { RunOutcome::Failed } else { RunOutcome::Completed };
                let extra = members_but(data, &["sessionId", "shutdownType"]);
                let run = self.run_end(stated, word.as_deref());
                (self.turn_is_open, self.in_step) = (false, false);
                voice.say_extra(extra.as_deref(), Fact::Run(run));
            }
            "session.model_change" | "session.tools_updated" => {
                let [new, model] = data.fields(["newModel", "model"]);
                let model = voice.filled(new.or(model), "model");
                let mut voice = voice.narrowed();
                voice.context.model = model.as_deref();
                let meta = extra_of(data, &["newModel", "previousModel", "model"]);
                voice.session(None, meta.as_deref());
            }
            "session.task_complete" => {
                self.failed |= data.get("success").and_then(Value::bool) == Some(false);
                match data.get("summary").and_then(Value::text).filter(|text| !text.is_empty()) {
                    Some(text) => voice.say(Fact::Answer { text }),
                    None => voice.say(Fact::Ignored("task-complete")),
                }
            }
            "session.compaction_start" => say_compaction("in_progress", data, voice),
            "session.compaction_complete" => {
                let failed = data.get("success").and_then(Value::bool) == Some(false);
                say_compaction(if failed { "failed" } else { "completed" }, data, voice);
            }
            "session.todos_changed" | "session.background_tasks_changed" | "session.mcp_servers_loaded" => {
                voice.say(Fact::Ignored("session-state"));
            }
            kind => voice.harness_event(kind, event.value),
        }
    }

    fn prompt(&mut self, data: Value<'_>, voice: &mut Speaker<'_, '_>) {
        if !self.in_step {
            // A saved file does not tell the end of a turn: the next prompt does.
            if std::mem::replace(&mut self.turn_is_open, true) {
                voice.say(Fact::Run(RunFact::of(RunScope::Turn, RunPhase::End)));
            }
            self.failed = false;
            voice.say(Fact::Run(RunFact::of(RunScope::Turn, RunPhase::Start)));
        }
        let extra = extra_of(data, &["agentMode", "attachments"]);
        match data.get("content").and_then(Value::text) {
            Some(text) if !text.is_empty() => {
                let part = PartRef::New;
                voice.say_extra(extra.as_deref(), Fact::PartWhole { part, kind: PartKind::User, text });
            }
            Some(_) => voice.say(Fact::Ignored("empty-text")),
            None => voice.wrong_type("content"),
        }
    }

    fn subagent(&mut self, event: &Event<'_>, agent: Option<&str>, voice: &mut Speaker<'_, '_>) {
        let [call, name, display, error] =
            event.data.fields(["toolCallId", "agentName", "agentDisplayName", "error"]);
        let call = voice.filled(call, "toolCallId");
        let Some(call) = call.as_deref() else { return voice.harness_event(event.kind, event.value) };
        let name = voice.filled(display, "agentDisplayName").or_else(|| voice.filled(name, "agentName"));
        if let Some(agent) = agent
            && self.agents.len() < MOST_AGENTS
            && !self.agents.iter().any(|(known, _)| known == agent)
        {
            self.agents.push((agent.to_owned(), call.to_owned()));
        }
        let (status, outcome) = match event.kind {
            "subagent.started" => (AgentStatus::Running, None),
            "subagent.completed" => (AgentStatus::Completed, Some(RunOutcome::Completed)),
            _ => (AgentStatus::Failed, Some(RunOutcome::Failed)),
        };
        let seen = AgentSeen {
            agent: call,
            name: name.as_deref(),
            session: None,
            call: Some(CallRef::Id(call)),
            status: Some(status),
        };
        voice.say(Fact::AgentSeen(seen));
        let mut voice = voice.narrowed();
        voice.context.agent = Some(call);
        voice.context.parent_call = Some(call);
        if let Some(error) = error.present() {
            let words = error.get("message").unwrap_or(error);
            voice.told_error(&words.str().unwrap_or(words.raw().into()), false, None, None);
        }
        let phase = if outcome.is_none() { RunPhase::Start } else { RunPhase::End };
        let evidence = outcome.map(|_| Evidence::Stated);
        voice.say(Fact::Run(RunFact { outcome, evidence, ..RunFact::of(RunScope::Agent, phase) }));
    }

    fn end_turn(&mut self, outcome: RunOutcome, reason: Option<&str>, voice: &mut Speaker<'_, '_>) {
        (self.turn_is_open, self.in_step) = (false, false);
        let run = RunFact { scope: RunScope::Turn, ..self.run_end(outcome, reason) };
        voice.say(Fact::Run(run));
    }

    /// An end. One that says all went well right after an error does not take the error back.
    fn run_end<'a>(&mut self, stated: RunOutcome, reason: Option<&'a str>) -> RunFact<'a> {
        let told_error = self.failed && stated == RunOutcome::Completed;
        RunFact {
            outcome: Some(if told_error { RunOutcome::Failed } else { stated }),
            reason,
            evidence: Some(if told_error { Evidence::Inferred } else { Evidence::Stated }),
            ..RunFact::of(RunScope::Run, RunPhase::End)
        }
    }

    /// The last line of a live run. Requests are counted there in a unit of their own, tokens are not.
    fn result(&mut self, value: Value<'_>, voice: &mut Speaker<'_, '_>) {
        self.step.end(voice);
        let [exit, usage] = value.fields(["exitCode", "usage"]);
        let code = exit.and_then(Value::f64);
        if code.is_none() {
            voice.wrong_type("exitCode");
        }
        let stated = if code == Some(0.0) { RunOutcome::Completed } else { RunOutcome::Failed };
        let mut run = self.run_end(stated, None);
        if code.is_none() {
            (run.outcome, run.evidence) = (None, None);
        }
        let mut extra = String::new();
        let mut writer = ObjectWriter::new(&mut extra);
        for (name, member) in [("exitCode", exit), ("usage", usage)] {
            if let Some(member) = member {
                writer.raw(name, member.raw());
            }
        }
        writer.finish();
        let duration_ms = usage.and_then(|usage| usage.get("sessionDurationMs")?.f64());
        voice.say_extra(Some(&extra), Fact::Run(RunFact { duration_ms, ..run }));
        (self.turn_is_open, self.in_step) = (false, false);
    }
}

fn say_error(data: Value<'_>, fatal: bool, voice: &mut Speaker<'_, '_>) {
    let [message, error_type, warning_type] = data.fields(["message", "errorType", "warningType"]);
    let message = voice.filled(message, "message");
    let code = voice.filled(error_type.or(warning_type), "errorType");
    let extra = extra_of(data, &["statusCode", "stack"]);
    voice.told_error(message.as_deref().unwrap_or(data.raw()), fatal, code.as_deref(), extra.as_deref());
}

fn say_compaction(status: &str, data: Value<'_>, voice: &mut Speaker<'_, '_>) {
    let error = data.get("error").and_then(Value::str);
    let update = CompactionUpdate { status, error: error.as_deref(), ..CompactionUpdate::default() };
    let extra = members_but(data, &["error"]);
    voice.say_extra(extra.as_deref(), Fact::Tell(update.into()));
}
