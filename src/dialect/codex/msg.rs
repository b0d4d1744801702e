//! The events of the `msg` protocol: alone (`{id, msg}`), mirrored by the old app-server (`codex/event/*`), and as the
//! `event_msg` records of a rollout, where most of them repeat what the model's own items say.
//!
//! Newer versions tell a text twice: as an item with an id, and then as a bare event. The item counts.

use std::borrow::Cow;

use super::ask;
use super::calls::Calls;
use super::card::{say_call, say_outcome};
use super::item::{Item, Keys, Phase, say_item};
use super::output;
use super::read::{Kind, kind_of, say_delta, say_plan, say_whole, string};
use super::thread::Threads;
use super::usage::Counts;
use crate::dialect::walk::{Present, elements};
use crate::dialect::{Context, ErrorFact, Fact, FactSink, PartKind, PartRef, RunFact};
use crate::event::{
    CompactionUpdate, Evidence, HarnessEvent, Json, Notice, RunOutcome, RunPhase, RunScope,
    Severity as NoticeSeverity, Update,
};
use crate::framing::Severity;
use crate::json::{ObjectWriter, Text, Value, write_string};

/// What the events of one stream left open.
#[derive(Default)]
pub(super) struct Events {
    /// Pieces of text come under the id of their item.
    pieces_by_item: bool,
    /// Whole texts that an item told and a bare event will tell again: of the user, the agent, its thoughts.
    echoes: [u32; 3],
    pub calls: Calls,
}

/// The scene of one event.
pub(super) struct Scene<'s> {
    pub threads: &'s mut Threads,
    pub thread: usize,
    pub timestamp: Option<&'s str>,
    /// The model's own items stand in the same file.
    pub has_items: bool,
}

impl Scene<'_> {
    pub fn context(&self) -> Context<'_> {
        Context { timestamp: self.timestamp, ..self.threads.context(self.thread) }
    }
}

/// Calls by the first part of their events' names.
const CALLS: &[(&str, Kind)] = &[
    ("exec_command", Kind::Command),
    ("patch_apply", Kind::FileChange),
    ("mcp_tool_call", Kind::Mcp),
    ("web_search", Kind::WebSearch),
    ("view_image_tool_call", Kind::ImageView),
    ("image_generation", Kind::ImageGeneration),
    ("dynamic_tool_call", Kind::Dynamic),
];

/// Events of subagents by the first part of their names, and the tool that makes them.
const COLLAB: &[(&str, &str)] = &[
    ("collab_agent_spawn", "spawn_agent"),
    ("collab_agent_interaction", "send_input"),
    ("collab_waiting", "wait"),
    ("collab_close", "close_agent"),
    ("collab_resume", "resume_agent"),
];

/// Events that say nothing of the work.
const SILENT: &[&str] = &[
    "turn_diff",
    "thread_settings_applied",
    "skills_update_available",
    "mcp_startup_update",
    "mcp_startup_complete",
    "raw_response_item",
    "shutdown_complete",
    "thread_name_updated",
    "get_history_entry_response",
    "mcp_list_tools_response",
    "list_custom_prompts_response",
    "list_skills_response",
];

impl Events {
    /// States what one event says.
    pub fn event(&mut self, msg: Value<'_>, scene: &mut Scene<'_>, facts: &mut dyn FactSink) {
        let type_ = string(msg.get("type")).unwrap_or_default();
        if self.text(&type_, msg, scene, facts)
            || self.turn(&type_, msg, scene, facts)
            || self.call(&type_, msg, scene, facts)
        {
            return;
        }
        let context = scene.context();
        match &*type_ {
            "plan_update" => match msg.get("plan") {
                Some(plan) => say_plan(plan, &context, facts),
                None => facts.fact(&context, Fact::Ignored("no-items")),
            },
            "exec_approval_request"
            | "apply_patch_approval_request"
            | "request_user_input"
            | "elicitation_request" => ask::by_event(&type_, msg, &context, facts),
            "context_compacted" if scene.has_items => {
                facts.fact(&context, Fact::Ignored("told-as-record"));
            }
            "context_compacted" => {
                let done =
                    CompactionUpdate { compaction_id: None, status: "completed", summary: None, error: None };
                facts.fact(&context, Fact::Tell(Update::CompactionUpdate(done)));
            }
            word if SILENT.contains(&word) => facts.fact(&context, Fact::Ignored("housekeeping")),
            word => {
                let word = HarnessEvent { type_: word, payload: Some(Json(msg.raw())) };
                facts.fact(&context, Fact::Tell(Update::HarnessEvent(word)));
            }
        }
    }

    /// Texts, whole and in pieces.
    fn text(&mut self, type_: &str, msg: Value<'_>, scene: &Scene<'_>, facts: &mut dyn FactSink) -> bool {
        let context = scene.context();
        let kind = if type_.contains("reasoning") { PartKind::Thought } else { PartKind::Agent };
        match type_ {
            "agent_message_content_delta" | "reasoning_content_delta" | "reasoning_raw_content_delta" => {
                let [item, delta] = msg.fields(["item_id", "delta"]);
                let item = string(item);
                self.pieces_by_item |= item.is_some();
                let context = Context { message: item.as_deref(), ..context };
                let index = u32::from(type_ == "reasoning_raw_content_delta");
                let part = if item.is_some() { PartRef::Index(index) } else { PartRef::Run };
                say_delta(delta, part, kind, &context, facts);
            }
            "agent_message_delta" | "agent_reasoning_delta" | "agent_reasoning_raw_content_delta" => {
                if self.pieces_by_item {
                    facts.fact(&context, Fact::Ignored("told-as-item"));
                } else {
                    say_delta(msg.get("delta"), PartRef::Run, kind, &context, facts);
                }
            }
            "agent_reasoning_section_break" => {
                let [item, index] = msg.fields(["item_id", "summary_index"]);
                let item = string(item).filter(|item| !item.is_empty());
                match item.as_deref() {
                    Some(_) if index.and_then(Value::u64).unwrap_or(0) == 0 => {
                        facts.fact(&context, Fact::Ignored("first-section"));
                    }
                    Some(item) => say_break(item, &context, facts),
                    None => {
                        let (part, stop_reason) = (PartRef::Run, None);
                        facts.fact(&context, Fact::PartEnd { part, stop_reason, aborted: false });
                    }
                }
            }
            "agent_message" | "agent_reasoning" | "agent_reasoning_raw_content" => {
                let place = 1 + usize::from(kind == PartKind::Thought);
                if self.is_echo(place, scene) {
                    facts.fact(&context, Fact::Ignored("told-as-item"));
                } else {
                    let [message, text] = msg.fields(["message", "text"]);
                    say_whole(message.or(text), PartRef::Run, kind, &context, facts);
                }
            }
            "user_message" => self.user(msg, scene, facts),
            _ => return false,
        }
        true
    }

    /// Whether an item tells this text too.
    fn is_echo(&mut self, place: usize, scene: &Scene<'_>) -> bool {
        let Some(count) = self.echoes.get_mut(place).filter(|_| !scene.has_items) else { return true };
        let told = *count > 0;
        *count = count.saturating_sub(1);
        told
    }

    fn user(&mut self, msg: Value<'_>, scene: &Scene<'_>, facts: &mut dyn FactSink) {
        let context = Context { model: None, ..scene.context() };
        if self.is_echo(0, scene) {
            return facts.fact(&context, Fact::Ignored("told-as-item"));
        }
        let [message, kind, images] = msg.fields(["message", "kind", "images"]);
        let injected = matches!(string(kind).as_deref(), Some("environment_context" | "user_instructions"));
        match message.and_then(Value::text).filter(|text| !text.is_empty()) {
            Some(text) if injected => facts.fact(&context, Fact::Injected { text }),
            Some(text) => {
                facts.fact(&context, Fact::PartWhole { part: PartRef::New, kind: PartKind::User, text });
            }
            None => facts.fact(&context, Fact::Ignored("empty-text")),
        }
        for url in elements(images).filter_map(Value::str) {
            let block = super::read::image_of(url);
            facts.fact(&context, Fact::PartBlock { kind: PartKind::User, block: block.content_block() });
        }
    }

    /// Sessions, turns, errors, usage.
    fn turn(&mut self, type_: &str, msg: Value<'_>, scene: &mut Scene<'_>, facts: &mut dyn FactSink) -> bool {
        match type_ {
            "session_configured" => {
                let [session, model] = msg.fields(["session_id", "model"]);
                if let Some(session) = string(session).filter(|session| !session.is_empty()) {
                    scene.thread = scene.threads.announce(&session, None);
                }
                if let Some(thread) = scene.threads.get(scene.thread) {
                    thread.model = string(model).map(Cow::into_owned).or(thread.model.take());
                }
                facts.fact(&scene.context(), Fact::Ignored("session"));
            }
            "token_count" => count(msg, scene, facts),
            "task_started" | "turn_started" => {
                facts.fact(&scene.context(), Fact::Run(RunFact::of(RunScope::Turn, RunPhase::Start)));
            }
            "task_complete" | "turn_complete" => turn_complete(msg, scene, facts),
            "turn_aborted" => {
                let [reason, duration] = msg.fields(["reason", "duration_ms"]);
                let reason = string(reason);
                let end = RunFact {
                    reason: reason.as_deref(),
                    duration_ms: duration.and_then(Value::f64),
                    ..ended(RunOutcome::Cancelled)
                };
                facts.fact(&scene.context(), Fact::Run(end));
            }
            "error" | "stream_error" | "warning" | "deprecation_notice" | "guardian_warning" => {
                say_error(msg, type_ == "error", &scene.context(), facts);
            }
            "background_event" => {
                let text = string(msg.get("message")).unwrap_or_default();
                let notice = Notice { severity: NoticeSeverity::Info, text: &text, stream: None };
                facts.fact(&scene.context(), Fact::Tell(Update::Notice(notice)));
            }
            _ => return false,
        }
        true
    }

    /// Items and the events of calls.
    fn call(&mut self, type_: &str, msg: Value<'_>, scene: &Scene<'_>, facts: &mut dyn FactSink) -> bool {
        let context = scene.context();
        if matches!(type_, "item_started" | "item_completed") {
            let phase = if type_ == "item_started" { Phase::Started } else { Phase::Completed };
            match msg.get("item") {
                Some(item) => self.item(phase, item, scene, facts),
                None => {
                    facts.diagnostic("codex.wrong-type", Severity::Warn, "an item event without an item");
                    facts.fact(&context, Fact::Ignored("no-item"));
                }
            }
            return true;
        }
        if type_ == "exec_command_output_delta" {
            output::say_chunk(msg, &context, facts);
            return true;
        }
        let (word, phase) = match type_.rsplit_once('_') {
            Some((word, "begin" | "request")) => (word, Phase::Started),
            Some((word, "updated")) => (word, Phase::Updated),
            Some((word, "end" | "response")) => (word, Phase::Completed),
            _ => (type_, Phase::Completed),
        };
        if let Some((_, kind)) = CALLS.iter().find(|(name, _)| *name == word) {
            self.outcome(phase, &Item::read(msg), *kind, scene, facts);
            return true;
        }
        let Some((_, tool)) = COLLAB.iter().find(|(name, _)| *name == word) else { return false };
        let text = collab_item(tool, msg);
        if let Ok(value) = Value::parse(&text) {
            let mut item = Item::read(value);
            item.raw = msg;
            self.outcome(phase, &item, Kind::Collab, scene, facts);
        }
        true
    }

    fn item(&mut self, phase: Phase, value: Value<'_>, scene: &Scene<'_>, facts: &mut dyn FactSink) {
        let context = scene.context();
        let item = Item::read(value);
        let kind = kind_of(&item.kind);
        let place = match kind {
            Kind::User => Some(0),
            Kind::Agent => Some(1),
            Kind::Reasoning => Some(2),
            _ => None,
        };
        match place {
            Some(_) if scene.has_items => facts.fact(&context, Fact::Ignored("told-as-response-item")),
            Some(place) => {
                if phase == Phase::Completed {
                    // A thought is told again part by part.
                    let parts = if place == 2 { item.parts() } else { 1 };
                    if let Some(count) = self.echoes.get_mut(place) {
                        *count = count.saturating_add(parts);
                    }
                }
                say_item(Keys::Message, phase, value, &context, facts);
            }
            None if kind == Kind::Compaction && scene.has_items => {
                facts.fact(&context, Fact::Ignored("told-as-record"));
            }
            None if item.is_step(kind) => self.outcome(phase, &item, kind, scene, facts),
            None => say_item(Keys::Message, phase, value, &context, facts),
        }
    }

    /// What is told of a call: all of it, or what the model's own record of it leaves open.
    fn outcome(
        &mut self,
        phase: Phase,
        item: &Item<'_>,
        kind: Kind,
        scene: &Scene<'_>,
        facts: &mut dyn FactSink,
    ) {
        let context = scene.context();
        if scene.has_items && matches!(kind, Kind::WebSearch | Kind::ImageView) {
            return facts.fact(&context, Fact::Ignored("told-as-response-item"));
        }
        match item.id.as_deref().and_then(|id| self.calls.get(id)) {
            Some(_) if phase == Phase::Started => {
                facts.fact(&context, Fact::Ignored("told-as-response-item"));
            }
            Some(call) => call.told = say_outcome(item, kind, &call.name, &context, facts),
            None => say_call(phase, item, kind, &context, facts),
        }
    }
}

/// A new section of a thought.
pub(super) fn say_break(item: &str, context: &Context<'_>, facts: &mut dyn FactSink) {
    let context = Context { message: Some(item), ..*context };
    let (part, kind) = (PartRef::Index(0), PartKind::Thought);
    facts.fact(&context, Fact::PartDelta { part, kind, text: Text::plain("\n") });
}

/// A collab event in the form of an item.
fn collab_item(tool: &str, msg: Value<'_>) -> String {
    let [call, prompt, new_thread, receiver, receivers, status, statuses] = msg.fields([
        "call_id",
        "prompt",
        "new_thread_id",
        "receiver_thread_id",
        "receiver_thread_ids",
        "status",
        "statuses",
    ]);
    let mut text = String::new();
    let mut item = ObjectWriter::new(&mut text);
    item.text("tool", tool);
    for (name, value) in [("id", call), ("prompt", prompt)] {
        if let Some(value) = value {
            item.raw(name, value.raw());
        }
    }
    let thread = string(new_thread.or(receiver)).filter(|thread| !thread.is_empty());
    if let Some(thread) = &thread {
        let mut name = String::from("[");
        write_string(&mut name, thread);
        name.push(']');
        item.raw("receiver_thread_ids", &name);
    } else if let Some(receivers) = receivers {
        item.raw("receiver_thread_ids", receivers.raw());
    }
    if let Some(statuses) = statuses {
        item.raw("agents_states", statuses.raw());
    } else if let (Some(thread), Some(status)) = (&thread, status) {
        let mut states = String::new();
        ObjectWriter::new(&mut states).raw(thread, status.raw()).finish();
        item.raw("agents_states", &states);
    }
    item.finish();
    text
}

/// The usage of a response. The oldest form is flat.
fn count(msg: Value<'_>, scene: &mut Scene<'_>, facts: &mut dyn FactSink) {
    let info = msg.get("info");
    let [total, last, window] = info.map_or([None; 3], |info| {
        info.fields(["total_token_usage", "last_token_usage", "model_context_window"])
    });
    let flat = Some(msg).filter(|msg| info.is_none() && msg.get("input_tokens").is_some());
    let counts = Counts { total: total.or(flat), last: last.or(flat), window, earlier: false };
    tell_usage(&counts, None, scene, facts);
}

/// States a count, and remembers the thread's total.
pub(super) fn tell_usage(
    counts: &Counts<'_>,
    message: Option<&str>,
    scene: &mut Scene<'_>,
    facts: &mut dyn FactSink,
) {
    let mut used = scene.threads.get(scene.thread).map(|thread| std::mem::take(&mut thread.used));
    used.get_or_insert_default().tell(counts, message, &scene.context(), facts);
    if let (Some(thread), Some(used)) = (scene.threads.get(scene.thread), used) {
        thread.used = used;
    }
}

pub(super) fn ended(outcome: RunOutcome) -> RunFact<'static> {
    RunFact {
        outcome: Some(outcome),
        evidence: Some(Evidence::Stated),
        ..RunFact::of(RunScope::Turn, RunPhase::End)
    }
}

fn turn_complete(msg: Value<'_>, scene: &Scene<'_>, facts: &mut dyn FactSink) {
    let [answer, error, duration] = msg.present_fields(["last_agent_message", "error", "duration_ms"]);
    let context = scene.context();
    let mut end = ended(RunOutcome::Completed);
    if let Some(error) = error {
        say_error(error, true, &context, facts);
        end.outcome = Some(RunOutcome::Failed);
    }
    if let Some(text) = answer.and_then(Value::text).filter(|_| context.agent.is_none()) {
        facts.fact(&context, Fact::Answer { text });
    }
    end.duration_ms = duration.and_then(Value::f64);
    facts.fact(&context, Fact::Run(end));
}

/// An error in the words of any protocol: `{message, codex_error_info?}`, or a bare string.
pub(super) fn say_error(error: Value<'_>, fatal: bool, context: &Context<'_>, facts: &mut dyn FactSink) {
    let [message, summary, info, camel_info, details, camel_details] = error.fields([
        "message",
        "summary",
        "codex_error_info",
        "codexErrorInfo",
        "details",
        "additionalDetails",
    ]);
    let message = string(message.or(summary)).or_else(|| error.str()).filter(|text| !text.is_empty());
    if message.is_none() {
        facts.diagnostic("codex.wrong-type", Severity::Warn, "an error without a message");
    }
    let message = message.unwrap_or(Cow::Borrowed(error.raw()));
    let info = info.or(camel_info).present();
    // A word, or an object whose only member the word names.
    let code = info.and_then(|info| match info.str() {
        Some(word) => Some(word),
        None => info.object()?.next().map(|(word, _)| word.into_cow()),
    });
    let details = string(details.or(camel_details)).filter(|details| !details.is_empty());
    super::read::with_extra("details", details.as_deref(), context, |context| {
        let error = ErrorFact {
            message: &message,
            fatal,
            code: code.as_deref(),
            retry_after_ms: None,
            repeats: true,
            echoed: false,
        };
        facts.fact(context, Fact::Error(error));
    });
}
