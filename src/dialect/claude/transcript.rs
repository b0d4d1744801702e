//! Saved sessions: `<session>.jsonl` and the files of its subagents beside it, a tree of records in append order.
//!
//! Reads the camelCase wrapper, finds out which agent a record belongs to, and hands the inner message on to the reader
//! of the live stream, so that both show a run alike. No record tells the end of a run; what does (an interruption,
//! a failed request, a turn's duration, the model's reason to stop) is read as such. An agent's key is the id of the
//! call that runs it wherever that is known when the agent first speaks, else the agent's own id, linked later.

use std::borrow::Cow;

use super::memory::{Memory, Task};
use super::mend::Torn;
use super::speaker::{Extra, Speaker, error, extra_of};
use super::typed::{self, Typed};
use super::{Line, message, task};
use crate::dialect::content::{self, Block};
use crate::dialect::{AgentSeen, CallRef, Context, Dialect, ErrorFact, Fact, FactSink, RunFact, ToolChanged};
use crate::event::{
    CompactionUpdate, CurrentModeUpdate, Evidence, Hook, Json, RunOutcome, RunPhase, RunScope,
    SessionInfoUpdate, ToolStatus, Unknown, Update, UsageUpdate,
};
use crate::framing::Record;
use crate::json::Value;

/// The reader.
#[derive(Default)]
pub(super) struct Transcript {
    session: Option<String>,
    memory: Memory,
    torn: Torn,
    turn: Turn,
    cwd: String,
    mode: String,
    /// The agent whose record came last, until its call is known.
    last_agent: String,
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

/// Metadata that says nothing a UI shows: type of the record, and the word it is counted under.
const IGNORED: [(&str, &str); 17] = [
    ("file-history-snapshot", "file-history"),
    ("file-history-delta", "file-history"),
    ("queue-operation", "queue-operation"),
    ("last-prompt", "metadata"),
    ("api-request", "api-request"),
    ("api-request-shape", "api-request"),
    ("api-request-blob", "api-request"),
    ("atis-latch", "metadata"),
    ("tools-used", "metadata"),
    ("mode", "metadata"),
    ("tag", "metadata"),
    ("agent-name", "metadata"),
    ("agent-color", "metadata"),
    ("agent-setting", "metadata"),
    ("worktree-state", "metadata"),
    ("content-replacement", "metadata"),
    ("speculation-accept", "metadata"),
];

/// Whether a record type belongs to this dialect's metadata.
pub(super) fn is_metadata(kind: &str) -> bool {
    IGNORED.iter().any(|(known, _)| *known == kind)
        || matches!(
            kind,
            "summary" | "custom-title" | "ai-title" | "cost-state" | "pr-link" | "permission-mode"
        )
}

/// What a copied record inherits from the one around it.
struct Outer<'a> {
    session: Option<Cow<'a, str>>,
    timestamp: Option<Cow<'a, str>>,
    agent: Option<Cow<'a, str>>,
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
        let mut speaker = Speaker::new(facts, &mut spoken);
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
        let mut speaker = Speaker::new(facts, &mut spoken);
        self.tree(value, None, &mut speaker);
        if !speaker.has_spoken() {
            speaker.say(Fact::Ignored("nothing-to-show"));
        }
    }

    fn tree(&mut self, value: Value<'_>, outer: Option<&Outer<'_>>, speaker: &mut Speaker<'_, '_>) {
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
        let message = message.filter(|message| !message.is_null());
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
                let prompt = prompt.map(|prompt| message::prompt_mark(&prompt));
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
    fn turn_ended(
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
    fn announce(
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

    fn system(&mut self, line: &Line<'_>, speaker: &mut Speaker<'_, '_>) {
        let subtype = line.subtype.as_deref().unwrap_or_default();
        match subtype {
            "compact_boundary" => {
                let extra = extra_of(line.value, &["compactMetadata"]);
                let update = CompactionUpdate { status: "completed", ..Default::default() };
                speaker.say_extra(extra.as_deref(), Fact::Tell(update.into()));
            }
            "microcompact_boundary" => speaker.say(Fact::Ignored("microcompact")),
            "turn_duration" if line.parent.is_none() => {
                let duration = speaker.number(line.value.get("durationMs"), "durationMs");
                self.turn_ended(RunOutcome::Completed, subtype, duration, speaker);
            }
            "turn_duration" => speaker.say(Fact::Ignored("turn-duration")),
            "stop_hook_summary" => speaker.say(Fact::Ignored("stop-hook-summary")),
            "local_command" => {
                if let Some(text) = line.value.get("content").and_then(Value::text) {
                    message::user_text(line, text, true, &mut self.memory, speaker);
                }
            }
            "api_error" => api_error(line, speaker),
            "informational"
            | "notification"
            | "away_summary"
            | "agents_killed"
            | "memory_saved"
            | "permission_retry"
            | "scheduled_task_fire"
            | "bridge_status" => super::system::notice(line, speaker),
            "model_refusal_fallback" | "model_refusal_no_fallback" => {
                super::system::refusal(line, subtype, speaker);
            }
            _ => {
                let word = ["system/", subtype].concat();
                let unknown = Unknown { type_: Some(&word), raw: line.value.raw() };
                speaker.say(Fact::Tell(Update::Unknown(unknown)));
            }
        }
    }

    /// Context for the model, but for what a person queued while the model worked, what hooks did, and the turn limit.
    fn attachment(&mut self, line: &Line<'_>, speaker: &mut Speaker<'_, '_>) {
        let attachment = line.value.get("attachment");
        let [kind, prompt, mode, event] = attachment.map_or([None; 4], |attachment| {
            attachment.fields(["type", "prompt", "commandMode", "hookEvent"])
        });
        let kind = speaker.text(kind, "attachment.type").unwrap_or_default();
        let event = speaker.text(event, "attachment.hookEvent");
        match (&*kind, event.as_deref(), attachment) {
            ("queued_command", _, _) => {
                let notified = mode.and_then(Value::str).as_deref() == Some("task-notification");
                match prompt.and_then(Value::text) {
                    Some(text) if notified => task::reported(line, &text.text, &mut self.memory, speaker),
                    Some(text) if !text.is_empty() => speaker.say(Fact::Prompt { text }),
                    _ => speaker.say(Fact::Ignored("attachment")),
                }
            }
            ("max_turns_reached", _, _) if line.parent.is_none() => {
                self.turn_ended(RunOutcome::Failed, &kind, None, speaker);
            }
            (kind, Some(event), Some(attachment)) if !event.is_empty() => {
                let raw = Json(attachment.raw());
                speaker.say(Fact::Tell(Hook { method: kind, event, payload: Some(raw), raw }.into()));
            }
            _ => speaker.say(Fact::Ignored("attachment")),
        }
    }

    /// News of a running call. Those of an agent's call hold a copy of a record of the agent's own file.
    fn progress(&mut self, line: &Line<'_>, speaker: &mut Speaker<'_, '_>) {
        let [data, call] = line.value.fields(["data", "parentToolUseID"]);
        let call = speaker.text(call, "parentToolUseID");
        let [kind, message, agent, output, whole] = data
            .map_or([None; 5], |data| data.fields(["type", "message", "agentId", "output", "fullOutput"]));
        let kind = speaker.text(kind, "data.type").unwrap_or_default();
        let agent = speaker.text(agent, "data.agentId");
        let Some(call) = call.as_deref() else { return speaker.say(Fact::Ignored("progress")) };
        // Without an agent's id the call is all that tells whose record it is.
        let agent = (kind == "agent_progress").then(|| agent.unwrap_or_else(|| call.to_string().into()));
        if let Some(agent) = agent.as_deref().filter(|agent| self.memory.tasks.get(agent).is_none()) {
            self.memory.tasks.insert(agent, Task { call: Some(call.to_string()), is_agent: true });
        }
        match (&*kind, message) {
            ("agent_progress", Some(message)) => {
                let context = speaker.context;
                let owned = |text: Option<&str>| text.map(|text| Cow::Owned(text.to_string()));
                let (session, timestamp) = (owned(context.session), owned(context.timestamp));
                self.tree(message, Some(&Outer { session, timestamp, agent }), speaker);
            }
            ("hook_progress", _) => speaker.say(Fact::Ignored("hook-progress")),
            _ => {
                let text = whole.or(output).and_then(Value::str).filter(|text| !text.is_empty());
                let blocks: Vec<_> = text.map(Block::Text).into_iter().collect();
                speaker.say(Fact::ToolChanged(ToolChanged {
                    status: Some(ToolStatus::InProgress),
                    content: Some(content::tool_contents(&blocks)).filter(|_| !blocks.is_empty()),
                    ..ToolChanged::about(CallRef::Id(call))
                }));
            }
        }
    }

    fn metadata(&mut self, line: &Line<'_>, speaker: &mut Speaker<'_, '_>) {
        let kind = &*line.kind;
        if let Some((_, reason)) = IGNORED.iter().find(|(known, _)| *known == kind) {
            return speaker.say(Fact::Ignored(reason));
        }
        let member = match kind {
            "summary" => "summary",
            "custom-title" => "customTitle",
            "ai-title" => "aiTitle",
            "permission-mode" => return self.announce(line, None, line.value.get("permissionMode"), speaker),
            "cost-state" => return cost(line, speaker),
            "pr-link" => return line.harness_event(kind, speaker),
            "" if line.value.get("agentType").is_some() => return self.agent_meta(line, speaker),
            _ => {
                let type_ = Some(kind).filter(|kind| !kind.is_empty());
                return speaker.say(Fact::Tell(Unknown { type_, raw: line.value.raw() }.into()));
            }
        };
        if let Some(title) = speaker.text(line.value.get(member), member) {
            let info = SessionInfoUpdate { title: Some(&title), ..SessionInfoUpdate::default() };
            speaker.say(Fact::Tell(info.into()));
        }
    }
}

impl Transcript {
    /// What stands in `agent-<id>.meta.json`, read behind the agent's own file: which call runs it.
    fn agent_meta(&mut self, line: &Line<'_>, speaker: &mut Speaker<'_, '_>) {
        let [call, name] = line.value.fields(["toolUseId", "agentType"]);
        let call = speaker.text(call, "toolUseId");
        let name = speaker.text(name, "agentType");
        let agent = std::mem::take(&mut self.last_agent);
        let Some(call) = call.filter(|call| !agent.is_empty() && self.memory.chains.get(call).is_none())
        else {
            return speaker.say(Fact::Ignored("agent-meta"));
        };
        let call_ref = Some(CallRef::Id(&call));
        let (name, status) = (name.as_deref(), None);
        speaker.say(Fact::AgentSeen(AgentSeen {
            agent: &agent,
            name,
            session: None,
            call: call_ref,
            status,
        }));
        self.memory.chains.insert(&call, agent);
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

/// A request that failed and is tried again.
fn api_error(line: &Line<'_>, speaker: &mut Speaker<'_, '_>) {
    let [told, delay] = line.value.fields(["error", "retryInMs"]);
    let [formatted, message, status, inner] =
        told.map_or([None; 4], |error| error.fields(["formatted", "message", "status", "error"]));
    let inner = inner.and_then(|inner| inner.get("error")).and_then(|inner| inner.get("message"));
    let status = speaker.number(status, "error.status");
    let words = [formatted, inner, message, told].into_iter().flatten().find_map(Value::str);
    let code = match status {
        Some(529.0) => "overloaded",
        Some(429.0) => "rate_limit",
        Some(401.0 | 403.0) => "authentication_failed",
        Some(404.0) => "model_not_found",
        Some(status) if status >= 500.0 => "server_error",
        Some(status) if status >= 400.0 => "invalid_request",
        _ => "unknown",
    };
    let mut extra = Extra::default();
    for name in ["retryAttempt", "maxRetries", "source"] {
        extra.value(name, line.value.get(name));
    }
    if let Some(error) = told {
        extra.value("error_status", error.get("status"));
        extra.value("requestId", error.get("requestId"));
    }
    let retry_after_ms = speaker.number(delay, "retryInMs");
    let message = words.as_deref().unwrap_or(code);
    let fact = ErrorFact { code: Some(code), retry_after_ms, ..error(message) };
    speaker.say_extra(extra.finish().as_deref(), Fact::Error(fact));
}

/// The session's cost so far. No share of a run: the records' own counts are added up instead.
fn cost(line: &Line<'_>, speaker: &mut Speaker<'_, '_>) {
    let Some(amount) = line.value.get("totalCostUSD").filter(|amount| amount.f64().is_some()) else {
        return speaker.say(Fact::Ignored("metadata"));
    };
    let mut cost = Extra::default();
    cost.raw("amount", amount.raw());
    cost.text("currency", "USD");
    let cost = cost.finish();
    let extra = extra_of(line.value, &["modelUsage"]);
    let update = UsageUpdate { cost: cost.as_deref().map(Json), ..UsageUpdate::default() };
    speaker.say_extra(extra.as_deref(), Fact::Tell(update.into()));
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
        ] = self.value.fields(OTHERS).map(|field| field.filter(|value| !value.is_null()));
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
