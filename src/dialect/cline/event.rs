//! `agent_event`: texts, thoughts and calls of an agent, its iterations, tokens and errors.
//!
//! `content_start` comes again for each piece; `content_end` tells the whole. A text has no id: it is the next one of
//! its agent that is not over.

use super::{Agent, CALL_COUNTERS, Cline, outcome_of};
use crate::dialect::content::Block;
use crate::dialect::speaker::{Speaker, extra_of};
use crate::dialect::told;
use crate::dialect::tools::cline;
use crate::dialect::walk::Present;
use crate::dialect::{AgentSeen, CallRef, Fact, PartKind, PartRef, RunFact, UsageBasis};
use crate::event::{
    AgentStatus, Evidence, Notice, RunOutcome, RunPhase, RunScope, Severity, ToolStatus, Update,
};
use crate::json::{Text, Value};

/// Agents remembered at once; those beyond share the last place.
const MOST_AGENTS: usize = 64;

impl Cline {
    pub(super) fn event(&mut self, line: Value<'_>, event: Value<'_>, voice: &mut Speaker<'_, '_>) {
        let [kind, content, agent, parent] =
            event.fields(["type", "contentType", "agentId", "parentAgentId"]);
        let kind = voice.filled(kind, "event.type");
        let content = voice.filled(content, "event.contentType");
        let [outer_agent, outer_parent] = match (agent, parent) {
            (None, _) | (_, None) => line.fields(["agentId", "parentAgentId"]),
            _ => [None, None],
        };
        // The agent of the run itself has an id too, and no parent.
        let agent = voice.filled(agent.or(outer_agent), "agentId");
        let parent = voice.filled(parent.or(outer_parent), "parentAgentId");
        let agent = agent.filter(|_| parent.is_some());
        let mut voice = voice.narrowed();
        let state = self.agent(agent.as_deref(), &mut voice);
        voice.context.agent = agent.as_deref();
        match (kind.as_deref(), content.as_deref()) {
            (Some("content_start"), Some("text")) => {
                state.piece(line, event, "text", PartKind::Agent, &mut voice)
            }
            (Some("content_start"), Some("reasoning")) => {
                state.piece(line, event, "reasoning", PartKind::Thought, &mut voice);
            }
            (Some("content_end"), Some("text")) => state.whole(event, "text", PartKind::Agent, &mut voice),
            (Some("content_end"), Some("reasoning")) => {
                state.whole(event, "reasoning", PartKind::Thought, &mut voice);
            }
            (Some("content_start"), Some("tool")) => say_call(event, &mut voice),
            (Some("content_update"), Some("tool")) => say_progress(event, &mut voice),
            (Some("content_end"), Some("tool")) => say_result(event, &mut voice),
            (Some("iteration_start"), _) => {
                state.all_over();
                voice.say(Fact::Run(RunFact::of(RunScope::Step, RunPhase::Start)));
            }
            (Some("iteration_end"), _) => {
                state.all_over();
                let extra = extra_of(event, &["iteration", "hadToolCalls"]);
                voice.say_extra(extra.as_deref(), Fact::Run(RunFact::of(RunScope::Step, RunPhase::End)));
            }
            (Some("usage"), _) => voice.counters(event, UsageBasis::Call, CALL_COUNTERS),
            (Some("notice"), _) => say_notice(event, &mut voice),
            (Some("error"), _) => self.failed |= say_error(event, &mut voice),
            (Some("done"), _) => say_done(event, &mut voice),
            (Some(kind), _) => voice.harness_event(kind, line),
            (None, _) => voice.unknown(Some("agent_event"), line),
        }
    }

    /// What is known of an agent; a subagent is announced at its first event.
    fn agent(&mut self, id: Option<&str>, voice: &mut Speaker<'_, '_>) -> &mut Agent {
        let at = match self.agents.iter().position(|agent| agent.id.as_deref() == id) {
            Some(at) => at,
            None => {
                if self.agents.len() < MOST_AGENTS {
                    self.agents.push(Agent { id: id.map(str::to_owned), ..Agent::default() });
                    if let Some(agent) = id {
                        say_agent(agent, AgentStatus::Running, voice);
                    }
                }
                self.agents.len() - 1
            }
        };
        &mut self.agents[at]
    }
}

impl Agent {
    fn number(&mut self, kind: PartKind) -> &mut u32 {
        if kind == PartKind::Thought { &mut self.thoughts } else { &mut self.texts }
    }

    /// What was not told whole will not go on.
    fn all_over(&mut self) {
        self.texts = self.texts.wrapping_add(1);
        self.thoughts = self.thoughts.wrapping_add(1);
    }

    /// The next piece, or the text so far where only that is told.
    fn piece(
        &mut self,
        line: Value<'_>,
        event: Value<'_>,
        name: &str,
        kind: PartKind,
        voice: &mut Speaker<'_, '_>,
    ) {
        let [piece, so_far, redacted] = event.fields([name, "accumulated", "redacted"]);
        let part = PartRef::Index(*self.number(kind));
        if redacted.and_then(Value::bool) == Some(true) {
            return voice.say(Fact::Ignored("redacted"));
        }
        let raw =
            [piece, line.get("ts"), so_far].map(|value| value.and_then(Value::str_raw).unwrap_or_default());
        match (piece.and_then(Value::text), so_far.and_then(Value::text)) {
            (Some(text), _) if text.is_empty() => voice.say(Fact::Ignored("empty-delta")),
            (Some(text), so_far) => {
                voice.repeatable(if so_far.is_some() { &raw } else { &raw[..2] });
                voice.say(Fact::PartDelta { part, kind, text });
            }
            (None, Some(text)) => voice.say(Fact::PartSoFar { part, kind, text }),
            (None, None) => {
                voice.wrong_type(name);
                voice.say(Fact::Ignored("no-text"));
            }
        }
    }

    fn whole(&mut self, event: Value<'_>, name: &str, kind: PartKind, voice: &mut Speaker<'_, '_>) {
        let number = self.number(kind);
        let part = PartRef::Index(*number);
        *number = number.wrapping_add(1);
        match event.get(name).and_then(Value::text) {
            Some(text) => voice.say(Fact::PartWhole { part, kind, text }),
            None => voice.say(Fact::PartEnd { part, stop_reason: None, aborted: false }),
        }
    }
}

/// A subagent. Which call runs it is not told.
fn say_agent(agent: &str, status: AgentStatus, voice: &mut Speaker<'_, '_>) {
    voice.say(Fact::AgentSeen(AgentSeen {
        agent,
        name: None,
        session: None,
        call: None,
        status: Some(status),
    }));
}

fn say_call(event: Value<'_>, voice: &mut Speaker<'_, '_>) {
    let [id, name, input] = event.fields(["toolCallId", "toolName", "input"]);
    let (id, name) = (voice.filled(id, "toolCallId"), voice.filled(name, "toolName"));
    let input = input.present();
    let shown = told::shown(cline::ROWS, name.as_deref().unwrap_or("tool"), input);
    voice.call(CallRef::of(id.as_deref()), name.as_deref(), &shown, input, Some(ToolStatus::InProgress));
    if name.is_some_and(|name| name.contains("todo"))
        && let Some(todos) = input.and_then(|input| input.get("todos"))
    {
        voice.told_plan(todos);
    }
}

fn say_progress(event: Value<'_>, voice: &mut Speaker<'_, '_>) {
    let [id, update] = event.fields(["toolCallId", "update"]);
    let id = voice.filled(id, "toolCallId");
    let blocks = update.map_or_else(Vec::new, Block::list_from_wire);
    voice.told_result(id.as_deref(), ToolStatus::InProgress, &blocks, None, None);
}

fn say_result(event: Value<'_>, voice: &mut Speaker<'_, '_>) {
    let [id, output, error] = event.present_fields(["toolCallId", "output", "error"]);
    let id = voice.filled(id, "toolCallId");
    let error = error.filter(|error| error.bool() != Some(false) && error.str_raw() != Some(""));
    let mut blocks = output.map_or_else(Vec::new, Block::list_from_wire);
    if let Some(error) = error {
        let words = error.get("message").unwrap_or(error);
        blocks.push(Block::Text(words.str().unwrap_or(words.raw().into())));
    }
    blocks.retain(|block| !matches!(block, Block::Text(text) if text.is_empty()));
    let status = if error.is_some() { ToolStatus::Failed } else { ToolStatus::Completed };
    let extra = extra_of(event, &["durationMs"]);
    voice.told_result(id.as_deref(), status, &blocks, output.or(error).map(Value::raw), extra.as_deref());
}

/// Most notices are about retries and failures; the others are sentences.
fn say_notice(event: Value<'_>, voice: &mut Speaker<'_, '_>) {
    let [kind, message, reason] = event.fields(["noticeType", "message", "reason"]);
    let (kind, reason) = (voice.filled(kind, "noticeType"), voice.filled(reason, "reason"));
    let message = voice.filled(message, "message");
    let text = message.as_deref().unwrap_or(event.raw());
    let is_bad = |word: Option<&str>| {
        word.is_some_and(|word| ["retry", "fail", "error", "mistake"].iter().any(|bad| word.contains(bad)))
    };
    let extra = extra_of(event, &["noticeType", "reason"]);
    if is_bad(kind.as_deref()) || is_bad(reason.as_deref()) {
        return voice.told_error(text, false, kind.as_deref(), extra.as_deref());
    }
    let notice = Notice { severity: Severity::Info, text, stream: None };
    voice.say_extra(extra.as_deref(), Fact::Tell(Update::Notice(notice)));
}

/// Returns whether the run is over with it.
fn say_error(event: Value<'_>, voice: &mut Speaker<'_, '_>) -> bool {
    let [error, recoverable] = event.fields(["error", "recoverable"]);
    let [message, name] = error.map_or([None, None], |error| error.fields(["message", "name"]));
    let message = message.or(error).and_then(Value::str).filter(|words| !words.is_empty());
    let code = name.and_then(Value::str);
    let fatal = recoverable.and_then(Value::bool) != Some(true) && voice.context.agent.is_none();
    let extra = extra_of(event, &["iteration", "recoverable"]);
    voice.told_error(message.as_deref().unwrap_or(event.raw()), fatal, code.as_deref(), extra.as_deref());
    fatal
}

/// An agent is done. The run's own end follows; its text was printed before.
fn say_done(event: Value<'_>, voice: &mut Speaker<'_, '_>) {
    let [reason, text] = event.fields(["reason", "text"]);
    let reason = voice.filled(reason, "event.reason");
    let outcome = outcome_of(reason.as_deref());
    let Some(agent) = voice.context.agent else {
        return match text.and_then(Value::text).filter(|text: &Text<'_>| !text.is_empty()) {
            Some(text) => voice.say(Fact::Answer { text }),
            None => voice.say(Fact::Ignored("done")),
        };
    };
    let status = match outcome {
        Some(RunOutcome::Completed) => AgentStatus::Completed,
        Some(RunOutcome::Cancelled) => AgentStatus::Cancelled,
        Some(_) => AgentStatus::Failed,
        None => AgentStatus::Unknown,
    };
    let evidence = outcome.map(|_| Evidence::Stated);
    voice.say(Fact::Run(RunFact {
        outcome,
        reason: reason.as_deref(),
        evidence,
        ..RunFact::of(RunScope::Agent, RunPhase::End)
    }));
    voice.context.agent = None;
    say_agent(agent, status, voice);
}
