//! Amp's `--stream-json`: Claude-shaped lines with names, tools and an ending of their own. Blocks come whole, messages
//! have no id, lines no time.
//!
//! Remembers which calls run an agent: their results end it. Saved threads, one document, are in `thread.rs`.

mod thread;

use super::content::Block;
use super::speaker::{Speaker, extra_of};
use super::told::{self, Counter, members_but};
use super::tools::amp;
use super::{
    AgentSeen, CallRef, Dialect, DialectRow, Fact, FactSink, PartKind, PartRef, RunFact, Sign, UsageBasis,
    Verdict,
};
use crate::dialect::walk::Present;
use crate::event::{AgentStatus, Evidence, RunOutcome, RunPhase, RunScope, ToolStatus};
use crate::framing::{Container, Record};
use crate::json::Value;

/// The table row.
pub const ROW: DialectRow =
    DialectRow { name: "amp", detect, make: |_| Box::new(Amp::default()), reply: None };

/// Calls that run an agent, remembered at once.
const MOST_AGENTS: usize = 256;

const COUNTERS: &[(&str, Counter)] = &[
    ("input_tokens", Counter::Prompt),
    ("cache_read_input_tokens", Counter::CachedShare),
    ("cache_creation_input_tokens", Counter::OtherShare),
    ("output_tokens", Counter::Completion),
];

fn detect(_record: &Record<'_>, value: Value<'_>, _container: Container) -> Verdict {
    let [kind, session, uuid, id, messages] =
        value.present_fields(["type", "session_id", "uuid", "id", "messages"]);
    let of_amp = |field: Option<Value<'_>>| field.and_then(Value::str).is_some_and(|id| id.starts_with("T-"));
    if kind.is_none() && of_amp(id) && messages.is_some_and(|list| list.array().is_some()) {
        return Some((Sign::Certain, "a document with a thread id and messages"));
    }
    if !of_amp(session) || uuid.is_some() {
        return None;
    }
    match kind.and_then(Value::str).as_deref() {
        Some("system") => Some((Sign::Certain, "an init line whose session_id starts with T-")),
        Some("user" | "assistant" | "result") => Some((Sign::Strong, "a session_id that starts with T-")),
        _ => None,
    }
}

/// The reader.
#[derive(Default)]
struct Amp {
    /// Calls whose agent still runs.
    agents: Vec<String>,
}

impl Dialect for Amp {
    fn record(&mut self, _record: &Record<'_>, value: Value<'_>, facts: &mut dyn FactSink) {
        let mut spoken = false;
        let mut voice = Speaker::new("amp.wrong-type", facts, &mut spoken);
        let [kind, subtype, session, parent, message, messages] =
            value.fields(["type", "subtype", "session_id", "parent_tool_use_id", "message", "messages"]);
        let kind = voice.filled(kind, "type");
        if let (None, Some(messages)) = (&kind, messages.and_then(Value::array)) {
            return self.thread(value, messages, &mut voice);
        }
        let session = voice.filled(session, "session_id");
        let parent = voice.filled(parent, "parent_tool_use_id");
        let subtype = voice.filled(subtype, "subtype");
        let mut voice = voice.narrowed();
        voice.context.session = session.as_deref();
        voice.context.agent = parent.as_deref();
        voice.context.parent_call = parent.as_deref();
        match kind.as_deref() {
            Some("system") if subtype.as_deref() == Some("init") => say_init(value, &mut voice),
            Some("assistant") => self.message(message, false, &mut voice),
            Some("user") => self.message(message, true, &mut voice),
            Some("result") => say_result(value, subtype.as_deref(), &mut voice),
            kind => voice.unknown(kind, value),
        }
    }
}

fn say_init(value: Value<'_>, voice: &mut Speaker<'_, '_>) {
    voice.say(Fact::Run(RunFact::of(RunScope::Run, RunPhase::Start)));
    let cwd = voice.filled(value.get("cwd"), "cwd");
    let meta = members_but(value, &["type", "subtype", "session_id", "cwd"]);
    voice.session(cwd.as_deref(), meta.as_deref());
}

/// The end tells its text, or an error, in place of each other. Refusals are listed as sentences.
fn say_result(value: Value<'_>, subtype: Option<&str>, voice: &mut Speaker<'_, '_>) {
    let [is_error, result, error, usage, duration] =
        value.fields(["is_error", "result", "error", "usage", "duration_ms"]);
    let failed = is_error.and_then(Value::bool).unwrap_or(subtype != Some("success"));
    let error = voice.filled(error, "error");
    if failed {
        let said = error.or_else(|| result?.str()).filter(|words| !words.is_empty());
        let message = said.as_deref().or(subtype).unwrap_or("error");
        voice.told_error(message, true, subtype.filter(|word| word.starts_with("error")), None);
    }
    if let Some(usage) = usage.present() {
        voice.counters(usage, UsageBasis::RunShare, COUNTERS);
    }
    if let Some(text) = result.and_then(Value::text).filter(|text| !failed && !text.is_empty()) {
        voice.say(Fact::Answer { text });
    }
    let extra = extra_of(value, &["num_turns", "permission_denials"]);
    let run = RunFact {
        outcome: Some(if failed { RunOutcome::Failed } else { RunOutcome::Completed }),
        reason: subtype,
        duration_ms: duration.and_then(Value::f64),
        evidence: Some(Evidence::Stated),
        ..RunFact::of(RunScope::Run, RunPhase::End)
    };
    voice.say_extra(extra.as_deref(), Fact::Run(run));
}

impl Amp {
    /// The message of a line: blocks, or one text.
    fn message(&mut self, message: Option<Value<'_>>, from_user: bool, voice: &mut Speaker<'_, '_>) {
        let Some(message) = message.filter(|message| message.object().is_some()) else {
            voice.wrong_type("message");
            return voice.say(Fact::Ignored("no-content"));
        };
        let [id, model, content, stop, usage] =
            message.fields(["id", "model", "content", "stop_reason", "usage"]);
        let (id, model) = (voice.filled(id, "message.id"), voice.filled(model, "message.model"));
        let extra = extra_of(message, &["stop_reason"]).filter(|_| stop.is_some());
        let mut voice = voice.narrowed();
        voice.context.message = id.as_deref();
        voice.context.model = model.as_deref();
        voice.context.extra = extra.as_deref().map(crate::event::Json);
        let kind = if from_user { PartKind::User } else { PartKind::Agent };
        match content.map(|content| (content.text(), content.array())) {
            Some((Some(text), _)) => say_text(kind, Some(text), &mut voice),
            Some((_, Some(blocks))) => blocks.for_each(|block| self.block(block, kind, &mut voice)),
            _ => {
                voice.wrong_type("message.content");
                voice.say(Fact::Ignored("no-content"));
            }
        }
        if let Some(usage) = usage.present() {
            voice.counters(usage, UsageBasis::Call, COUNTERS);
        }
    }

    fn block(&mut self, block: Value<'_>, kind: PartKind, voice: &mut Speaker<'_, '_>) {
        let [word, text, thinking, id, name, input, call, content, is_error] = block.fields([
            "type",
            "text",
            "thinking",
            "id",
            "name",
            "input",
            "tool_use_id",
            "content",
            "is_error",
        ]);
        match voice.filled(word, "content.type").as_deref() {
            Some("text") => say_text(kind, text.and_then(Value::text), voice),
            Some("thinking") => say_text(PartKind::Thought, thinking.and_then(Value::text), voice),
            Some("redacted_thinking") => voice.say(Fact::Ignored("redacted-thinking")),
            Some("tool_use") => {
                let (id, name) = (voice.filled(id, "content.id"), voice.filled(name, "content.name"));
                self.call(id.as_deref(), name.as_deref(), input, voice);
            }
            Some("tool_result") => {
                let call = voice.filled(call, "content.tool_use_id");
                let failed = is_error.and_then(Value::bool) == Some(true);
                say_tool_result(call.as_deref(), failed, content, voice);
                self.agent_ended(call.as_deref(), failed, voice);
            }
            Some("image") => {
                let image = Block::from_wire(block);
                voice.say(Fact::PartBlock { kind, block: image.content_block() });
            }
            word => voice.unknown(word, block),
        }
    }

    fn call(
        &mut self,
        id: Option<&str>,
        name: Option<&str>,
        input: Option<Value<'_>>,
        voice: &mut Speaker<'_, '_>,
    ) {
        let shown = told::shown(amp::ROWS, name.unwrap_or("tool"), input);
        voice.call(CallRef::of(id), name, &shown, input, None);
        match name {
            Some("todo_write") => {
                if let Some(todos) = input.and_then(|input| input.get("todos")) {
                    voice.told_plan(todos);
                }
            }
            Some("Task") => {
                let Some(id) = id else { return };
                if self.agents.len() < MOST_AGENTS {
                    self.agents.push(id.to_owned());
                }
                say_agent(id, Some(&shown.title), AgentStatus::Running, voice);
            }
            _ => {}
        }
    }

    fn agent_ended(&mut self, id: Option<&str>, failed: bool, voice: &mut Speaker<'_, '_>) {
        let Some(at) = self.agents.iter().position(|agent| Some(&**agent) == id) else { return };
        let agent = self.agents.swap_remove(at);
        let status = if failed { AgentStatus::Failed } else { AgentStatus::Completed };
        say_agent(&agent, None, status, voice);
    }
}

/// An agent's key is the id of the call that runs it: its lines carry that as `parent_tool_use_id`.
fn say_agent(id: &str, name: Option<&str>, status: AgentStatus, voice: &mut Speaker<'_, '_>) {
    let call = Some(CallRef::Id(id));
    voice.say(Fact::AgentSeen(AgentSeen { agent: id, name, session: None, call, status: Some(status) }));
}

fn say_text(kind: PartKind, text: Option<crate::json::Text<'_>>, voice: &mut Speaker<'_, '_>) {
    match text {
        Some(text) if text.is_empty() => voice.say(Fact::Ignored("empty-text")),
        Some(text) => voice.say(Fact::PartWhole { part: PartRef::New, kind, text }),
        None => {
            voice.wrong_type("content.text");
            voice.say(Fact::Ignored("no-text"));
        }
    }
}

/// A shell's result is a JSON text with the output and the exit code: the output is shown, the record kept.
fn say_tool_result(
    call: Option<&str>,
    failed: bool,
    content: Option<Value<'_>>,
    voice: &mut Speaker<'_, '_>,
) {
    let status = if failed { ToolStatus::Failed } else { ToolStatus::Completed };
    let words = content.and_then(Value::str).unwrap_or_default();
    let record = Value::parse(words.trim()).ok().filter(|record| record.object().is_some());
    let [output, exit] = record.map_or([None, None], |record| record.fields(["output", "exitCode"]));
    if let (Some(record), Some(output)) = (record, output.and_then(Value::str)) {
        let blocks: Vec<_> = Some(Block::Text(output)).into_iter().filter(is_filled).collect();
        let extra = exit.and_then(|_| extra_of(record, &["exitCode"]));
        return voice.told_result(call, status, &blocks, Some(record.raw()), extra.as_deref());
    }
    let mut blocks = content.map_or_else(Vec::new, Block::list_from_wire);
    blocks.retain(is_filled);
    voice.told_result(call, status, &blocks, None, None);
}

fn is_filled(block: &Block<'_>) -> bool {
    !matches!(block, Block::Text(text) if text.is_empty())
}
