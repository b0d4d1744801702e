//! Saved sessions: `<session>.jsonl` and the files of its subagents beside it, a tree of records in append order.
//!
//! Reads the camelCase wrapper, finds out which agent a record belongs to, and hands the inner message on to the reader
//! of the live stream, so that both show a run alike. No record tells the end of a run; what does (an interruption,
//! a failed request, a turn's duration, the model's reason to stop) is read as such. An agent's key is the id of the
//! call that runs it wherever that is known when the agent first speaks, else the agent's own id, linked later.

use std::borrow::Cow;

use super::memory::{Memory, Task};
use super::mend::Torn;
use super::speaker::{Speaker, extra_of};
use super::typed::{self, Typed};
use super::{Line, message};
use crate::dialect::walk::Present;
use crate::dialect::{AgentSeen, Context, Dialect, Fact, FactSink, RunFact};
use crate::event::{CurrentModeUpdate, Evidence, Json, RunOutcome, RunPhase, RunScope, SessionInfoUpdate};
use crate::framing::Record;
use crate::json::Value;

/// The reader.
#[derive(Default)]
pub(super) struct Transcript {
    session: Option<String>,
    pub(super) memory: Memory,
    torn: Torn,
    turn: Turn,
    cwd: String,
    mode: String,
    /// The agent whose record came last, until its call is known.
    pub(super) last_agent: String,
}

/// Where the main agent's turn stands.
#[derive(Default)]
enum Turn {
    /// None runs.
    #[default]
    Over,
    /// A prompt or a call waits for the model.
    Open,
    /// The model wrote a text and the record does not say whether it goes on.
    Loose,
    /// The model said it is done.
    Answered,
    /// The last request failed for good.
    Failed,
}

const TREE: [&str; 9] =
    ["type", "sessionId", "uuid", "timestamp", "message", "subtype", "agentId", "isSidechain", "parentUuid"];

const OTHERS: [&str; 15] = [
    "toolUseResult",
    "error",
    "isApiErrorMessage",
    "isAbortedMidStream",
    "isMeta",
    "isCompactSummary",
    "requestId",
    "permissionDecision",
    "toolDenialKind",
    "mcpMeta",
    "thinkingDurationMs",
    "attributionAgent",
    "origin",
    "sourceToolUseID",
    "isVisibleInTranscriptOnly",
];

/// What a copied record inherits from the one around it.
pub(super) struct Outer<'a> {
    pub session: Option<Cow<'a, str>>,
    pub timestamp: Option<Cow<'a, str>>,
    pub agent: Option<Cow<'a, str>>,
}

impl Dialect for Transcript {
    fn record(&mut self, _record: &Record<'_>, value: Value<'_>, facts: &mut dyn FactSink) {
        self.torn.give_up(facts);
        self.read(value, facts);
    }

    fn text(&mut self, record: &Record<'_>, facts: &mut dyn FactSink) -> bool {
        let mut torn = std::mem::take(&mut self.torn);
        let claimed = torn.line(record.body, facts, &mut |value, facts| self.read(value, facts));
        self.torn = torn;
        claimed
    }

    fn end(&mut self, facts: &mut dyn FactSink) {
        self.torn.give_up(facts);
        let mut spoken = false;
        let session = self.session.take();
        let mut speaker = Speaker::new("claude.wrong-type", facts, &mut spoken);
        speaker.context = Context { session: session.as_deref(), ..Context::default() };
        // What became of one that still waits for the model, or whose failure was told, is not for this room to say.
        if !matches!(self.turn, Turn::Open | Turn::Failed) {
            self.end_turn(&mut speaker);
        }
    }
}

impl Transcript {
    fn read(&mut self, value: Value<'_>, facts: &mut dyn FactSink) {
        let mut spoken = false;
        let mut speaker = Speaker::new("claude.wrong-type", facts, &mut spoken);
        if super::qwen::is_saved(value) {
            // Qwen Code's own files have the same tree; what its records say stands elsewhere.
            return speaker.unknown(None, value);
        }
        self.tree(value, None, &mut speaker);
        if !speaker.has_spoken() {
            speaker.say(Fact::Ignored("nothing-to-show"));
        }
    }

    pub(super) fn tree(
        &mut self,
        value: Value<'_>,
        outer: Option<&Outer<'_>>,
        speaker: &mut Speaker<'_, '_>,
    ) {
        let [kind, session, uuid, timestamp, message, subtype, agent, sidechain, parent] = value.fields(TREE);
        let kind = speaker.text(kind, "type").unwrap_or_default();
        let session = speaker.text(session, "sessionId");
        if let Some(session) = &session
            && self.session.as_deref() != Some(session)
        {
            self.session = Some(session.to_string());
        }
        let current = self.session.clone();
        let timestamp = speaker.text(timestamp, "timestamp");
        let uuid = speaker.text(uuid, "uuid").filter(|uuid| !uuid.is_empty());
        let mut speaker = speaker.narrowed();
        speaker.context.session =
            session.as_deref().or(outer.and_then(|outer| outer.session.as_deref())).or(current.as_deref());
        speaker.context.timestamp =
            timestamp.as_deref().or(outer.and_then(|outer| outer.timestamp.as_deref()));
        let speaker = &mut speaker;
        if let Some(uuid) = &uuid {
            speaker.record_id(uuid);
        }
        let agent = speaker.text(agent, "agentId");
        let agent = agent.as_deref().or(outer.and_then(|outer| outer.agent.as_deref()));
        if agent.is_some_and(|agent| agent.starts_with("acompact")) {
            return speaker.say(Fact::Ignored("compaction-helper"));
        }
        // A copied record is a message; copies do not nest.
        if outer.is_some() && !matches!(&*kind, "assistant" | "user") {
            return speaker.say(Fact::Ignored("progress"));
        }
        let message = message.present();
        let is_side = outer.is_some() || sidechain.and_then(Value::bool) == Some(true);
        let mut line = Line::saved(value, kind, uuid, message);
        let mut runs_agent = false;
        if is_side {
            let parent = speaker.text(parent, "parentUuid");
            let (key, is_call) = self.agent_key(&line, agent, parent.as_deref(), speaker);
            line.parent = Some(key.into());
            runs_agent = is_call;
        }
        line.subtype = speaker.text(subtype, "subtype");
        line.read_saved();
        let mut speaker = speaker.narrowed();
        speaker.context.agent = line.parent.as_deref();
        speaker.context.parent_call = line.parent.as_deref().filter(|_| runs_agent);
        self.tell(&line, &mut speaker);
    }

    fn tell(&mut self, line: &Line<'_>, speaker: &mut Speaker<'_, '_>) {
        match &*line.kind {
            "assistant" => self.assistant(line, speaker),
            "user" => self.user(line, speaker),
            "system" => self.system(line, speaker),
            "attachment" => self.attachment(line, speaker),
            "progress" => self.progress(line, speaker),
            _ => self.metadata(line, speaker),
        }
    }

    /// The key of the agent whose record this is (see the module's words), and whether it is the call that runs it. A
    /// subagent's first record holds its prompt, which is the prompt of that call.
    fn agent_key(
        &mut self,
        line: &Line<'_>,
        agent: Option<&str>,
        parent: Option<&str>,
        speaker: &mut Speaker<'_, '_>,
    ) -> (String, bool) {
        let memory = &mut self.memory;
        let known = match agent {
            Some(agent) => memory.tasks.get(agent).map(|task| task.call.clone().ok_or(agent)),
            // Sidechains of old versions stand in the main file, without an agent's id: the tree tells whose they are.
            None => parent.and_then(|parent| memory.chains.get(parent)).map(|key| Ok(key.clone())),
        };
        let own = agent.or(line.uuid.as_deref()).unwrap_or("sidechain");
        if self.last_agent != own {
            self.last_agent.clear();
        }
        let (key, is_call) = match known {
            Some(Ok(key)) => {
                let is_call = agent.is_some() || memory.calls.get(&key).is_some();
                (key, is_call)
            }
            Some(Err(agent)) => (agent.to_string(), false),
            None => {
                let prompt = line.message.filter(|_| parent.is_none()).and_then(first_text);
                let prompt = prompt.filter(|prompt| !prompt.is_empty());
                let call = prompt.as_deref().and_then(|prompt| memory.prompts.get_mut(prompt));
                let call = call.map(std::mem::take).filter(|call| !call.is_empty());
                if let Some(agent) = agent {
                    memory.tasks.insert(agent, Task { call: call.clone(), is_agent: true });
                }
                if call.is_none() {
                    if let Some(prompt) = prompt {
                        memory.orphans.insert(&prompt, own.to_string());
                    }
                    self.last_agent = own.to_string();
                    let seen = AgentSeen { agent: own, name: None, session: None, call: None, status: None };
                    speaker.say(Fact::AgentSeen(seen));
                }
                let is_call = call.is_some();
                (call.unwrap_or_else(|| own.to_string()), is_call)
            }
        };
        if let (Some(uuid), None) = (line.uuid.as_deref(), agent) {
            memory.chains.insert(uuid, key.clone());
        }
        (key, is_call)
    }

    /// A turn of the main agent begins; what is known of the one before is told first.
    fn begin_turn(&mut self, speaker: &mut Speaker<'_, '_>) {
        self.end_turn(speaker);
        self.turn = Turn::Open;
        speaker.say(Fact::Run(RunFact::of(RunScope::Run, RunPhase::Start)));
    }

    /// How the turn ended, as far as the records before show it.
    fn end_turn(&mut self, speaker: &mut Speaker<'_, '_>) {
        let outcome = match std::mem::take(&mut self.turn) {
            Turn::Over => return,
            Turn::Open | Turn::Loose => None,
            Turn::Answered => Some(RunOutcome::Completed),
            Turn::Failed => Some(RunOutcome::Failed),
        };
        let evidence = outcome.map(|_| Evidence::Inferred);
        speaker.say(Fact::Run(RunFact { outcome, evidence, ..RunFact::of(RunScope::Run, RunPhase::End) }));
    }

    /// A record tells the end of the turn.
    pub(super) fn turn_ended(
        &mut self,
        outcome: RunOutcome,
        reason: &str,
        duration_ms: Option<f64>,
        speaker: &mut Speaker<'_, '_>,
    ) {
        self.turn = Turn::Over;
        let end = RunFact {
            outcome: Some(outcome),
            reason: Some(reason),
            duration_ms,
            evidence: Some(Evidence::Stated),
            ..RunFact::of(RunScope::Run, RunPhase::End)
        };
        speaker.say(Fact::Run(end));
    }

    fn assistant(&mut self, line: &Line<'_>, speaker: &mut Speaker<'_, '_>) {
        let [model, stop_reason, blocks] =
            line.message.map_or([None; 3], |message| message.fields(["model", "stop_reason", "content"]));
        let by_cli = model.and_then(Value::str).as_deref() == Some(message::SYNTHETIC);
        let failed = line.api_error || (by_cli && line.error.is_some());
        // A remark of the CLI is no part of a turn.
        let is_remark = by_cli && !failed;
        let is_turns = line.parent.is_none() && !is_remark;
        if is_turns && matches!(self.turn, Turn::Over) {
            self.begin_turn(speaker);
        }
        message::assistant(line, &mut self.memory, speaker);
        if !is_turns || line.aborted {
            return;
        }
        if failed {
            self.turn = Turn::Failed;
            return;
        }
        self.turn = match stop_reason.and_then(Value::str).as_deref() {
            Some("end_turn" | "stop_sequence") => Turn::Answered,
            Some("tool_use" | "pause_turn") => Turn::Open,
            Some(_) => Turn::Loose,
            None => {
                let last = blocks.and_then(Value::array).and_then(Iterator::last);
                let calls = last
                    .and_then(|block| block.get("type")?.str())
                    .is_some_and(|kind| kind.ends_with("tool_use"));
                if calls { Turn::Open } else { Turn::Loose }
            }
        };
    }

    fn user(&mut self, line: &Line<'_>, speaker: &mut Speaker<'_, '_>) {
        let is_true = |field: Option<Value<'_>>| field.and_then(Value::bool) == Some(true);
        let [cwd, mode, summary] = line.value.fields(["cwd", "permissionMode", "isCompactSummary"]);
        self.announce(line, cwd, mode, speaker);
        if is_true(summary) {
            self.memory.summary_next = true;
        }
        let is_main = line.parent.is_none();
        let text = line.message.filter(|_| !line.synthetic).and_then(first_text);
        let typed = text.as_deref().map(typed::read);
        let begins = match typed {
            Some(Typed::Prompt) => true,
            // The model is told at once while it works, else woken.
            Some(Typed::Notification(_)) => !matches!(self.turn, Turn::Open),
            _ => false,
        };
        if is_main && begins {
            self.begin_turn(speaker);
        }
        message::user(line, &mut self.memory, speaker);
        if let Some(Typed::Interrupted) = typed {
            if is_main {
                self.turn_ended(RunOutcome::Cancelled, "interrupted", None, speaker);
            } else {
                let outcome = Some(RunOutcome::Cancelled);
                let end = RunFact {
                    outcome,
                    evidence: Some(Evidence::Stated),
                    ..RunFact::of(RunScope::Agent, RunPhase::End)
                };
                speaker.say(Fact::Run(end));
            }
        }
    }

    /// Folder and permission mode stand on every record; they are told when they change.
    pub(super) fn announce(
        &mut self,
        line: &Line<'_>,
        cwd: Option<Value<'_>>,
        mode: Option<Value<'_>>,
        speaker: &mut Speaker<'_, '_>,
    ) {
        if line.parent.is_some() {
            return;
        }
        if let Some(cwd) = speaker.text(cwd, "cwd").filter(|cwd| **cwd != *self.cwd) {
            self.cwd = cwd.into_owned();
            let meta = extra_of(line.value, &["version", "gitBranch", "entrypoint"]);
            let info = SessionInfoUpdate {
                cwd: Some(&self.cwd),
                meta: meta.as_deref().map(Json),
                ..SessionInfoUpdate::default()
            };
            speaker.say(Fact::Tell(info.into()));
        }
        if let Some(mode) = speaker.text(mode, "permissionMode").filter(|mode| **mode != *self.mode) {
            self.mode = mode.into_owned();
            speaker.say(Fact::Tell(CurrentModeUpdate { current_mode_id: &self.mode }.into()));
        }
    }
}

/// The first text of a message that holds no result.
fn first_text(message: Value<'_>) -> Option<Cow<'_, str>> {
    let content = message.get("content")?;
    if let Some(text) = content.str() {
        return Some(text);
    }
    let mut first = None;
    for block in content.array()? {
        let [kind, text] = block.fields(["type", "text"]);
        if kind.and_then(Value::str).as_deref() == Some("tool_result") {
            return None;
        }
        first = first.or(text);
    }
    match first {
        Some(text) => text.str(),
        // A picture alone is a prompt too.
        None => Some(Cow::Borrowed("")),
    }
}

impl<'a> Line<'a> {
    /// A record of a saved session, as far as every type of record has it.
    fn saved(
        value: Value<'a>,
        kind: Cow<'a, str>,
        uuid: Option<Cow<'a, str>>,
        message: Option<Value<'a>>,
    ) -> Line<'a> {
        Line {
            value,
            kind,
            session: None,
            timestamp: None,
            event: None,
            message,
            uuid,
            parent: None,
            api_message: None,
            subtype: None,
            output: None,
            result_meta: None,
            error: None,
            api_error: false,
            aborted: false,
            supersedes: None,
            synthetic: false,
            replay: false,
            saved: true,
            facts: [("", None); 7],
        }
    }

    /// What only records with a message have.
    fn read_saved(&mut self) {
        if self.message.is_none() {
            return;
        }
        let [
            output,
            error,
            api_error,
            aborted,
            meta,
            summary,
            request,
            decision,
            denial,
            mcp,
            thinking_time,
            agent_type,
            origin,
            tool_use,
            _,
        ] = self.value.present_fields(OTHERS);
        let is_true = |field: Option<Value<'_>>| field.and_then(Value::bool) == Some(true);
        self.output = output;
        self.error = error;
        self.api_error = is_true(api_error);
        self.aborted = is_true(aborted);
        // A text that a tool brought in (the body of a skill) was typed by nobody.
        self.synthetic = is_true(meta) || is_true(summary) || tool_use.is_some();
        self.replay = true;
        self.facts = [
            ("requestId", request),
            ("permissionDecision", decision),
            ("toolDenialKind", denial),
            ("mcpMeta", mcp),
            ("thinkingDurationMs", thinking_time),
            ("attributionAgent", agent_type),
            ("origin", origin),
        ];
    }
}
