//! The "vent" contract 2.0: SSE frames of a LangGraph-style back end, each told apart by its member `type`.
//!
//! Calls and results name their call as well as the wire allows ([`CallRef::Match`]); which card that is, `normalize`
//! decides. Decoding state is the stack of open agents alone (`sessions`). There is no channel back.

mod download;
mod frame;
mod interrupt;
mod nonfinite;
mod sessions;
mod tell;

use std::borrow::Cow;

use self::frame::{Frame, Member, Uses};
use self::sessions::{OpenAgent, Sessions, Started};
use super::content::{Block, contents_of, tool_contents};
use super::{
    AgentSeen, CallRef, Context, Dialect, DialectOptions, DialectRow, ErrorFact, Fact, FactSink, PartKind,
    PartRef, RunFact, Sign, ToolChanged, ToolSeen, Verdict,
};
use crate::event::{
    AgentStatus, Evidence, Json, RunOutcome, RunPhase, RunScope, ToolKind, ToolStatus, Unknown,
};
use crate::framing::{Container, Record, Severity};
use crate::json::Value;

/// The table row.
pub const ROW: DialectRow =
    DialectRow { name: "vent", detect, make: |options| Box::new(Vent::new(*options)), reply: None };

const TYPES: &[&str] = &[
    "agent_start",
    "agent_done",
    "agent_error",
    "thinking",
    "thinking_token",
    "executing",
    "tool_call",
    "tool_result",
    "token",
    "updated_todo_list",
    "progress",
    "citations",
    "interrupt",
    "error",
    "done",
];

fn detect(record: &Record<'_>, value: Value<'_>, _container: Container) -> Verdict {
    if record.event.is_some() {
        return None;
    }
    let [type_, session, cn_agent, cn_tool, approval, asked] =
        value.fields(["type", "session_id", "cn_agent", "cn_tool", "tool_approval", "ask_user"]);
    let type_ = type_.and_then(Value::str)?;
    session.and_then(Value::str)?;
    if !TYPES.contains(&&*type_) {
        return None;
    }
    let object = |field: Option<Value<'_>>| field.is_some_and(|value| value.object().is_some());
    match &*type_ {
        _ if cn_agent.is_some() || cn_tool.is_some() => {
            Some((Sign::Certain, "a `session_id` and a display name in `cn_agent` or `cn_tool`"))
        }
        "interrupt" if object(approval) || object(asked) => {
            Some((Sign::Certain, "an `interrupt` with `tool_approval` or `ask_user`"))
        }
        "thinking_token" | "updated_todo_list" | "agent_error" | "executing" => {
            Some((Sign::Strong, "a frame type of its own and a `session_id`"))
        }
        _ => Some((Sign::Weak, "a frame type many back ends use, with a `session_id`")),
    }
}

/// Reads the frames.
struct Vent {
    sessions: Sessions,
    /// Reused for every frame's `extra`, so that token frames allocate nothing.
    extra: String,
}

impl Vent {
    fn new(options: DialectOptions) -> Vent {
        Vent { sessions: Sessions::new(options.flat_agents), extra: String::new() }
    }
}

impl Dialect for Vent {
    fn record(&mut self, _record: &Record<'_>, value: Value<'_>, facts: &mut dyn FactSink) {
        let Some(frame) = Frame::read(value) else {
            facts.diagnostic("vent.not-an-object", Severity::Warn, "a frame is not a JSON object");
            facts.fact(&Context::default(), Fact::Ignored("not-an-object"));
            return;
        };
        let mut extra = std::mem::take(&mut self.extra);
        extra.clear();
        self.frame(&frame, &mut extra, facts);
        self.extra = extra;
    }

    fn text(&mut self, record: &Record<'_>, facts: &mut dyn FactSink) -> bool {
        let Some(repaired) = nonfinite::repaired(record.body) else { return false };
        let Ok(value) = Value::parse(&repaired) else { return false };
        if value.object().is_none() {
            return false;
        }
        facts.diagnostic(
            "json.nonfinite",
            Severity::Warn,
            "NaN or Infinity stands where JSON has no number; read as null",
        );
        self.record(record, value, facts);
        true
    }

    /// A response that neither ended nor asked was cut.
    fn end(&mut self, facts: &mut dyn FactSink) {
        for session in self.sessions.unfinished() {
            let context =
                Context { session: Some(session).filter(|id| !id.is_empty()), ..Context::default() };
            facts.fact(
                &context,
                Fact::Run(RunFact {
                    outcome: Some(RunOutcome::Cut),
                    evidence: Some(Evidence::Inferred),
                    ..RunFact::of(RunScope::Run, RunPhase::End)
                }),
            );
        }
    }
}

impl Vent {
    fn frame(&mut self, frame: &Frame<'_>, extra: &mut String, facts: &mut dyn FactSink) {
        let session = frame.filled(Member::SessionId, facts);
        let type_ = frame.get(Member::Type).and_then(Value::str);
        let trace = frame.get(Member::TraceId).and_then(Value::str).unwrap_or_default();
        let moved = self.sessions.enter(session.as_deref().unwrap_or_default(), &trace);
        let Some(type_) = type_ else {
            facts.diagnostic("vent.no-type", Severity::Warn, "a frame without a `type` string");
            let context = Context { session: session.as_deref(), ..Context::default() };
            facts.fact(&context, Fact::Tell(Unknown { type_: None, raw: frame.raw() }.into()));
            return;
        };
        let after_done = self.sessions.take_done();
        if after_done && type_ != "agent_start" {
            facts.diagnostic("vent.after-done", Severity::Info, "frames go on after `done`");
        }
        let type_ = &*type_;
        frame.write_extra(extra, uses(type_), |_| ());
        let extra = (!extra.is_empty()).then_some(Json(extra.as_str()));
        let base = Context { session: session.as_deref(), extra, ..Context::default() };
        match type_ {
            "agent_start" => self.agent_start(frame, base, facts),
            "agent_done" => self.agent_done(frame, base, facts),
            "agent_error" => self.agent_error(frame, base, facts),
            "done" => self.done(frame, base, facts),
            "error" => self.error(frame, base, facts),
            "token" => self.piece(PartKind::Agent, frame, base, !moved && !after_done, facts),
            "thinking_token" => self.piece(PartKind::Thought, frame, base, !moved && !after_done, facts),
            _ => self.inside(type_, frame, base, facts),
        }
    }

    /// A piece of text. `settled`: the frame found the session as it leaves it.
    fn piece(
        &mut self,
        kind: PartKind,
        frame: &Frame<'_>,
        base: Context<'_>,
        settled: bool,
        facts: &mut dyn FactSink,
    ) {
        let display = frame.get(Member::CnAgent).and_then(Value::str);
        let agent = self.sessions.displayed(display.as_deref());
        let text = frame.piece(facts);
        if let Some(raw) = frame.get(Member::Content).and_then(Value::str_raw).filter(|_| settled) {
            facts.repeatable(&[raw]);
        }
        let context = Context { agent, parent_call: agent, ..base };
        facts.fact(&context, Fact::PartDelta { part: PartRef::Run, kind, text });
    }

    /// Frames that belong to the agent that is open.
    fn inside(&mut self, type_: &str, frame: &Frame<'_>, base: Context<'_>, facts: &mut dyn FactSink) {
        if matches!(type_, "tool_call" | "tool_result")
            && let Some(id) = frame.get(Member::ToolCallId).and_then(Value::str)
        {
            self.sessions.reserve(&id);
        }
        let display = frame.get(Member::CnAgent).and_then(Value::str);
        let agent = self.sessions.displayed(display.as_deref());
        let context = Context { agent, parent_call: agent, ..base };
        match type_ {
            "thinking" | "executing" => tell::notice(frame, &context, facts),
            "tool_call" => tool_call(frame, &context, facts),
            "tool_result" => tool_result(frame, &context, facts),
            "updated_todo_list" => tell::todo_list(frame, &context, facts),
            "progress" => {
                tell::notice(frame, &context, facts);
                tell::artifact(frame, None, &context, facts);
            }
            "citations" => tell::citations(frame, &context, facts),
            "interrupt" => {
                interrupt::interrupt(frame, &Context { extra: None, ..context }, facts);
                self.sessions.asks();
            }
            _ => facts.fact(&context, Fact::Tell(Unknown { type_: Some(type_), raw: frame.raw() }.into())),
        }
    }

    fn agent_start(&mut self, frame: &Frame<'_>, base: Context<'_>, facts: &mut dyn FactSink) {
        let (name, display) = names(frame, facts);
        match self.sessions.start(&name, &display) {
            Some(Started::Main) => {
                facts.fact(&base, Fact::Run(RunFact::of(RunScope::Agent, RunPhase::Start)))
            }
            Some(Started::Deeper(agent)) => announce(&agent, &display, base, facts),
            Some(Started::Again(agent)) => agent_state(&agent, AgentStatus::Running, base, facts),
            None => {
                facts.diagnostic(
                    "limit.vent-agents",
                    Severity::Warn,
                    "too many open agents; this one is not tracked",
                );
                facts.fact(&base, Fact::Ignored("agent-not-tracked"));
            }
        }
    }

    fn agent_done(&mut self, frame: &Frame<'_>, base: Context<'_>, facts: &mut dyn FactSink) {
        let (name, _) = names(frame, facts);
        let duration = frame.number(Member::DurationMs, facts);
        match self.ended(&name, facts) {
            Some(agent) if agent.card.is_some() => close(&agent, ToolStatus::Completed, None, base, facts),
            _ => agent_end(frame, RunOutcome::Completed, duration, base, facts),
        }
    }

    fn agent_error(&mut self, frame: &Frame<'_>, base: Context<'_>, facts: &mut dyn FactSink) {
        let (name, _) = names(frame, facts);
        let duration = frame.number(Member::DurationMs, facts);
        let message = frame.string(Member::Message, facts).unwrap_or_default();
        let agent = self.ended(&name, facts);
        let card = agent.as_ref().and_then(|agent| agent.card.as_deref());
        facts.fact(
            &Context { agent: card, parent_call: card, ..base },
            Fact::Error(ErrorFact {
                message: &message,
                fatal: false,
                code: None,
                retry_after_ms: None,
                repeats: false,
                echoed: false,
            }),
        );
        match agent {
            Some(agent) if agent.card.is_some() => {
                close(&agent, ToolStatus::Failed, Some(&message), base, facts)
            }
            _ => agent_end(frame, RunOutcome::Failed, duration, base, facts),
        }
    }

    fn ended(&mut self, name: &str, facts: &mut dyn FactSink) -> Option<OpenAgent> {
        let agent = self.sessions.end(name);
        if agent.is_none() {
            facts.diagnostic("vent.agent-not-open", Severity::Info, "an agent ends that was not open");
        }
        agent
    }

    fn done(&mut self, frame: &Frame<'_>, base: Context<'_>, facts: &mut dyn FactSink) {
        let duration_ms = frame.number(Member::DurationMs, facts);
        for agent in self.sessions.run_over() {
            if agent.card.is_some() {
                close(&agent, ToolStatus::Completed, None, base, facts);
            }
        }
        tell::artifact(frame, None, &base, facts);
        facts.fact(
            &base,
            Fact::Run(RunFact {
                outcome: Some(RunOutcome::Completed),
                duration_ms,
                evidence: Some(Evidence::Stated),
                ..RunFact::of(RunScope::Run, RunPhase::End)
            }),
        );
    }

    fn error(&mut self, frame: &Frame<'_>, base: Context<'_>, facts: &mut dyn FactSink) {
        let code = frame.filled(Member::Code, facts);
        let message = frame.filled(Member::Message, facts);
        let message = message.as_deref().unwrap_or_else(|| text_for(code.as_deref()));
        // The contract gives no unit; HTTP's header of that name counts seconds.
        let retry_after_ms = frame.number(Member::RetryAfter, facts).map(|seconds| seconds * 1000.0);
        let code = code.as_deref();
        facts.fact(
            &base,
            Fact::Error(ErrorFact {
                message,
                fatal: true,
                code,
                retry_after_ms,
                repeats: false,
                echoed: false,
            }),
        );
        facts.fact(
            &base,
            Fact::Run(RunFact {
                outcome: Some(RunOutcome::Failed),
                reason: code,
                evidence: Some(Evidence::Stated),
                ..RunFact::of(RunScope::Run, RunPhase::End)
            }),
        );
        self.sessions.fails();
    }
}

/// Members each frame type turns into facts.
fn uses(type_: &str) -> Uses {
    use Member::*;
    const TOKEN: Uses = Uses::of(&[Content]);
    const MESSAGE: Uses = Uses::of(&[Message]);
    const CALL: Uses = Uses::of(&[Tool, CnTool, Args, ToolCallId]);
    const RESULT: Uses = Uses::of(&[Tool, CnTool, Content, Error, ToolCallId, DownloadUrl, Filename]);
    const NONE: Uses = Uses::of(&[]);
    match type_ {
        "token" | "thinking_token" => TOKEN,
        "thinking" | "executing" => MESSAGE,
        "agent_error" => MESSAGE,
        "tool_call" => CALL,
        "tool_result" => RESULT,
        "updated_todo_list" => Uses::of(&[Todos]),
        "progress" => Uses::of(&[Message, DownloadUrl, Filename]),
        "citations" => Uses::of(&[Items, ModelOnly]),
        "error" => Uses::of(&[Message, Code, RetryAfter]),
        "done" => Uses::of(&[DurationMs, DownloadUrl, Filename]),
        _ => NONE,
    }
}

fn text_for(code: Option<&str>) -> &str {
    match code {
        Some("quota_exceeded") => "The daily allowance is used up.",
        Some("too_many_tasks") => "Too many tasks are running at once.",
        Some("task_timeout") => "The run took too long and was stopped.",
        Some("recursion_limit") => {
            "The run took too many steps and was stopped. Split the task into smaller ones."
        }
        Some("model_error") => "The call of the model failed.",
        Some("internal_error") | None => "The server reported an internal error.",
        Some(code) => code,
    }
}

fn names<'a>(frame: &Frame<'a>, facts: &mut dyn FactSink) -> (Cow<'a, str>, Cow<'a, str>) {
    let name = frame.string(Member::Agent, facts).unwrap_or_default();
    let display = frame.filled(Member::CnAgent, facts).unwrap_or_else(|| name.clone());
    (name, display)
}

/// The card of a deeper agent, and the agent it runs.
fn announce(agent: &OpenAgent, display: &str, base: Context<'_>, facts: &mut dyn FactSink) {
    let Some(card) = agent.card.as_deref() else { return };
    let parent = agent.parent.as_deref();
    facts.fact(
        &Context { agent: parent, parent_call: parent, ..base },
        Fact::ToolSeen(ToolSeen {
            name: Some("agent"),
            title: Some(display),
            kind: Some(ToolKind::Think),
            status: Some(ToolStatus::InProgress),
            ..ToolSeen::about(CallRef::Id(card))
        }),
    );
    agent_state(agent, AgentStatus::Running, Context { extra: None, ..base }, facts);
}

fn agent_state(agent: &OpenAgent, status: AgentStatus, base: Context<'_>, facts: &mut dyn FactSink) {
    let Some(card) = agent.card.as_deref() else { return };
    let parent = agent.parent.as_deref();
    facts.fact(
        &Context { agent: parent, parent_call: parent, ..base },
        Fact::AgentSeen(AgentSeen {
            agent: card,
            name: Some(agent.display()),
            session: None,
            call: Some(CallRef::Id(card)),
            status: Some(status),
        }),
    );
}

/// A deeper agent ended: its card and the agent.
fn close(
    agent: &OpenAgent,
    status: ToolStatus,
    message: Option<&str>,
    base: Context<'_>,
    facts: &mut dyn FactSink,
) {
    let Some(card) = agent.card.as_deref() else { return };
    let parent = agent.parent.as_deref();
    let blocks: Vec<Block<'_>> = message.iter().map(|text| Block::Text(Cow::Borrowed(text))).collect();
    facts.fact(
        &Context { agent: parent, parent_call: parent, ..base },
        Fact::ToolChanged(ToolChanged {
            status: Some(status),
            content: message.map(|_| tool_contents(&blocks)),
            ..ToolChanged::about(CallRef::Id(card))
        }),
    );
    let state = if status == ToolStatus::Failed { AgentStatus::Failed } else { AgentStatus::Completed };
    agent_state(agent, state, Context { extra: None, ..base }, facts);
}

/// The main agent ended. Its duration has a field of its own here, where a card keeps it in `extra`.
fn agent_end(
    frame: &Frame<'_>,
    outcome: RunOutcome,
    duration_ms: Option<f64>,
    base: Context<'_>,
    facts: &mut dyn FactSink,
) {
    let mut extra = String::new();
    frame.write_extra(&mut extra, Uses::of(&[Member::DurationMs, Member::Message]), |_| ());
    facts.fact(
        &Context { extra: (!extra.is_empty()).then_some(Json(&extra)), ..base },
        Fact::Run(RunFact {
            outcome: Some(outcome),
            duration_ms,
            evidence: Some(Evidence::Stated),
            ..RunFact::of(RunScope::Agent, RunPhase::End)
        }),
    );
}

fn tool_call(frame: &Frame<'_>, context: &Context<'_>, facts: &mut dyn FactSink) {
    let name = frame.filled(Member::Tool, facts);
    let title = frame.filled(Member::CnTool, facts);
    let id = frame.filled(Member::ToolCallId, facts);
    let lane = frame.filled(Member::AgentId, facts);
    facts.fact(
        context,
        Fact::ToolSeen(ToolSeen {
            lane: lane.as_deref(),
            name: name.as_deref(),
            title: title.as_deref().or(name.as_deref()),
            kind: name.as_deref().and_then(kind_of),
            status: Some(ToolStatus::InProgress),
            input: frame.get(Member::Args).map(|args| Json(args.raw())),
            ..ToolSeen::about(CallRef::of(id.as_deref()))
        }),
    );
}

fn tool_result(frame: &Frame<'_>, context: &Context<'_>, facts: &mut dyn FactSink) {
    let name = frame.string(Member::Tool, facts).unwrap_or_default();
    let title = frame.filled(Member::CnTool, facts);
    let id = frame.filled(Member::ToolCallId, facts);
    let lane = frame.filled(Member::AgentId, facts);
    let call = CallRef::Match { id: id.as_deref(), name: &name, lane: lane.as_deref() };
    // Without an id the call can only be found while it is open.
    if id.is_none() {
        tell::artifact(frame, Some(call), context, facts);
    }
    let (failed, reason) = result_error(frame, facts);
    let content = frame.get(Member::Content);
    let text = content.map(|value| value.str().unwrap_or(Cow::Borrowed(value.raw())));
    let text = text.filter(|text| reason.is_none() || !text.is_empty());
    let blocks: Vec<Block<'_>> = [text, reason].into_iter().flatten().map(Block::Text).collect();
    facts.fact(
        context,
        Fact::ToolChanged(ToolChanged {
            status: Some(if failed { ToolStatus::Failed } else { ToolStatus::Completed }),
            title: title.as_deref(),
            kind: kind_of(&name),
            content: contents_of(&blocks),
            output: content.map(|value| Json(value.raw())),
            ..ToolChanged::about(call)
        }),
    );
    if let Some(id) = id.as_deref() {
        tell::artifact(frame, Some(CallRef::Id(id)), context, facts);
    }
}

/// Whether the result is an error, and the text of one that came as a string instead of a flag.
fn result_error<'a>(frame: &Frame<'a>, facts: &mut dyn FactSink) -> (bool, Option<Cow<'a, str>>) {
    if let Some(text) = frame.get(Member::Error).and_then(Value::str) {
        facts.diagnostic("vent.wrong-type", Severity::Warn, "`error` is not a boolean");
        return (!text.is_empty(), Some(text).filter(|text| !text.is_empty()));
    }
    (frame.flag(Member::Error, facts).unwrap_or(false), None)
}

/// The kind a tool's own name tells: its first word is a verb of the list.
fn kind_of(name: &str) -> Option<ToolKind> {
    Some(match name.split('_').next()? {
        "read" => ToolKind::Read,
        "write" | "edit" => ToolKind::Edit,
        "delete" => ToolKind::Delete,
        "move" | "rename" => ToolKind::Move,
        "search" | "grep" | "find" => ToolKind::Search,
        "run" | "execute" | "bash" | "shell" => ToolKind::Execute,
        "fetch" => ToolKind::Fetch,
        _ => return None,
    })
}
