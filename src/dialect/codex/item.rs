//! One item: a message, a thought, a tool card, a plan or a remark.
//!
//! Three protocols print the same items: `exec` in snake_case, the app-server in camelCase, rollouts in PascalCase with
//! members of their own; the events of the `msg` protocol are read as items too. An item is flat and names its kind.
//! Most kinds come only when completed; tools come started and completed, and the completed item is the whole record of
//! the call.

use std::borrow::Cow;

use super::card::say_call;
use super::exec::say_error;
use super::read::{Kind, joined_texts, kind_of, say_blocks, say_plan, string, with_extra};
use crate::dialect::walk::elements;
use crate::dialect::{Context, Fact, FactSink, PartKind, PartRef};
use crate::event::{CompactionUpdate, HarnessEvent, Json, Unknown, Update};
use crate::framing::Severity;
use crate::json::{Text, Value};

/// Which of the three item lines.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    Started,
    Updated,
    Completed,
}

/// How an item's texts are found again.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Keys {
    /// The item is a part of its own (`exec`: numbers that only this process counts).
    Part,
    /// The item's id is the model's message id.
    Message,
}

/// The members of all kinds, found in one walk: `aggregated_output` may hold megabytes.
pub(super) struct Item<'a> {
    pub raw: Value<'a>,
    pub id: Option<Cow<'a, str>>,
    pub kind: Cow<'a, str>,
    pub status: Option<Cow<'a, str>>,
    pub text: Option<Value<'a>>,
    pub command: Option<Value<'a>>,
    pub output: Option<Value<'a>>,
    pub stdout: Option<Value<'a>>,
    pub stderr: Option<Value<'a>>,
    pub exit_code: Option<Value<'a>>,
    pub success: Option<Value<'a>>,
    pub changes: Option<Value<'a>>,
    pub server: Option<Value<'a>>,
    pub tool: Option<Value<'a>>,
    pub namespace: Option<Value<'a>>,
    pub arguments: Option<Value<'a>>,
    pub result: Option<Value<'a>>,
    pub error: Option<Value<'a>>,
    pub message: Option<Value<'a>>,
    pub items: Option<Value<'a>>,
    pub query: Option<Value<'a>>,
    pub action: Option<Value<'a>>,
    pub prompt: Option<Value<'a>>,
    pub receivers: Option<Value<'a>>,
    pub states: Option<Value<'a>>,
    pub message_phase: Option<Value<'a>>,
    pub path: Option<Value<'a>>,
    pub content: Option<Value<'a>>,
    pub raw_content: Option<Value<'a>>,
    pub summary: Option<Value<'a>>,
}

/// States what an item says.
pub(super) fn say_item(
    keys: Keys,
    phase: Phase,
    value: Value<'_>,
    context: &Context<'_>,
    facts: &mut dyn FactSink,
) {
    let item = Item::read(value);
    if item.id.is_none() {
        facts.diagnostic("codex.wrong-type", Severity::Warn, "an item without an id");
    }
    match kind_of(&item.kind) {
        Kind::Agent => say_text(keys, phase, &item, PartKind::Agent, context, facts),
        Kind::Reasoning => say_reasoning(keys, phase, &item, context, facts),
        Kind::User => say_user(phase, &item, context, facts),
        Kind::TodoList => say_todos(&item, context, facts),
        Kind::Error => say_error(item.message, value, false, context, facts),
        Kind::Compaction => {
            let status = if phase == Phase::Completed { "completed" } else { "in_progress" };
            let told =
                CompactionUpdate { compaction_id: item.id.as_deref(), status, summary: None, error: None };
            facts.fact(context, Fact::Tell(Update::CompactionUpdate(told)));
        }
        Kind::Word => {
            let word = HarnessEvent { type_: &item.kind, payload: Some(Json(value.raw())) };
            facts.fact(context, Fact::Tell(Update::HarnessEvent(word)));
        }
        _ if item.kind.is_empty() => {
            facts.diagnostic("codex.wrong-type", Severity::Warn, "an item without a type");
            let unknown = Unknown { type_: None, raw: value.raw() };
            facts.fact(context, Fact::Tell(Update::Unknown(unknown)));
        }
        kind => {
            say_call(phase, &item, kind, context, facts);
        }
    }
}

/// In the order `Item::read` takes them.
const NAMES: [&str; 38] = [
    "id",
    "call_id",
    "type",
    "item_type",
    "status",
    "text",
    "command",
    "aggregated_output",
    "aggregatedOutput",
    "stdout",
    "stderr",
    "exit_code",
    "exitCode",
    "success",
    "changes",
    "server",
    "tool",
    "namespace",
    "arguments",
    "result",
    "error",
    "message",
    "items",
    "query",
    "action",
    "prompt",
    "receiver_thread_ids",
    "receiverThreadIds",
    "agents_states",
    "agentsStates",
    "phase",
    "path",
    "content",
    "raw_content",
    "summary",
    "summary_text",
    "invocation",
    "contentItems",
];

impl<'a> Item<'a> {
    /// Reads an item, whatever protocol printed it.
    pub fn read(value: Value<'a>) -> Item<'a> {
        let [
            id,
            call_id,
            kind,
            early_kind,
            status,
            text,
            command,
            output,
            camel_output,
            stdout,
            stderr,
            code,
            camel_code,
            success,
            changes,
            server,
            tool,
            namespace,
            arguments,
            result,
            error,
            message,
            items,
            query,
            action,
            prompt,
            receivers,
            camel_receivers,
            states,
            camel_states,
            phase,
            path,
            content,
            raw_content,
            summary,
            summary_text,
            invocation,
            items_of_tool,
        ] = value.present_fields(NAMES);
        let [inner_server, inner_tool, inner_arguments] = invocation
            .map_or([None; 3], |invocation| invocation.present_fields(["server", "tool", "arguments"]));
        let id = match id.or(call_id) {
            Some(id) if id.f64().is_some() => Some(Cow::Borrowed(id.raw())),
            id => string(id).filter(|id| !id.is_empty()),
        };
        Item {
            raw: value,
            id,
            kind: string(kind).or_else(|| string(early_kind)).unwrap_or_default(),
            status: string(status),
            text,
            command,
            output: output.or(camel_output),
            stdout,
            stderr,
            exit_code: code.or(camel_code),
            success,
            changes,
            server: server.or(inner_server),
            tool: tool.or(inner_tool),
            namespace,
            arguments: arguments.or(inner_arguments),
            result,
            error,
            message,
            items,
            query,
            action,
            prompt,
            receivers: receivers.or(camel_receivers),
            states: states.or(camel_states),
            message_phase: phase,
            path,
            content: content.or(items_of_tool),
            raw_content,
            summary: summary.or(summary_text),
        }
    }

    /// The threads a collab call is about.
    pub fn receivers(&self) -> impl Iterator<Item = Cow<'a, str>> {
        elements(self.receivers).filter_map(Value::str)
    }

    /// How many bare events tell a thought again.
    pub fn parts(&self) -> u32 {
        let count = |list: Option<Value<'_>>| list.and_then(Value::array).map_or(0, Iterator::count);
        (count(self.summary) + count(self.content.or(self.raw_content))) as u32
    }

    /// A process ran, whatever came of it.
    pub fn ran(&self) -> bool {
        self.exit_code.is_some()
    }

    /// It is a tool card.
    pub fn is_step(&self, kind: Kind) -> bool {
        !self.kind.is_empty() && !matches!(kind, Kind::TodoList | Kind::Error | Kind::Compaction | Kind::Word)
    }

    /// It starts a thread.
    pub fn spawns(&self) -> bool {
        string(self.tool).is_some_and(|tool| tool.starts_with("spawn"))
    }
}

/// Says the text of a message or a plan.
fn say_text(
    keys: Keys,
    phase: Phase,
    item: &Item<'_>,
    kind: PartKind,
    context: &Context<'_>,
    facts: &mut dyn FactSink,
) {
    let mut owned = String::new();
    let text = match item.text.and_then(Value::text) {
        Some(text) => text,
        None if item.content.is_some_and(|content| content.array().is_some()) => {
            joined_texts(item.content, "", &mut owned);
            Text::plain(&owned)
        }
        None => {
            facts.diagnostic("codex.wrong-type", Severity::Warn, "a message item without text");
            return facts.fact(context, Fact::Ignored("no-text"));
        }
    };
    let word = string(item.message_phase);
    with_extra("phase", word.as_deref(), context, |context| {
        say_part(keys, phase, item.id.as_deref(), 0, kind, text, context, facts);
    });
}

/// Says the text of one part of an item.
#[allow(clippy::too_many_arguments, reason = "one call per kind of text")]
fn say_part(
    keys: Keys,
    phase: Phase,
    id: Option<&str>,
    index: u32,
    kind: PartKind,
    text: Text<'_>,
    context: &Context<'_>,
    facts: &mut dyn FactSink,
) {
    if text.is_empty() {
        return facts.fact(context, Fact::Ignored("empty-text"));
    }
    let (part, message) = match (id, keys) {
        (None, _) => (PartRef::New, None),
        (Some(id), Keys::Part) => (PartRef::Id(id), None),
        (Some(id), Keys::Message) => (PartRef::Index(index), Some(id)),
    };
    let fact = match phase {
        Phase::Completed => Fact::PartWhole { part, kind, text },
        Phase::Started | Phase::Updated => Fact::PartSoFar { part, kind, text },
    };
    facts.fact(&Context { message: message.or(context.message), ..*context }, fact);
}

/// A thought: the parts of its summary in lines, and its raw text where the model shows it.
fn say_reasoning(keys: Keys, phase: Phase, item: &Item<'_>, context: &Context<'_>, facts: &mut dyn FactSink) {
    if item.summary.is_none() && item.content.is_none() && item.raw_content.is_none() {
        return say_text(keys, phase, item, PartKind::Thought, context, facts);
    }
    let id = item.id.as_deref();
    let (mut summary, mut raw) = (String::new(), String::new());
    joined_texts(item.summary, "\n", &mut summary);
    joined_texts(item.content.or(item.raw_content), "\n", &mut raw);
    if summary.is_empty() && raw.is_empty() {
        return facts.fact(context, Fact::Ignored("empty-text"));
    }
    for (index, text) in [(0, &summary), (1, &raw)] {
        if !text.is_empty() {
            say_part(keys, phase, id, index, PartKind::Thought, Text::plain(text), context, facts);
        }
    }
}

/// The user's prompt. Its start says all that its end says.
fn say_user(phase: Phase, item: &Item<'_>, context: &Context<'_>, facts: &mut dyn FactSink) {
    if phase != Phase::Completed {
        return facts.fact(context, Fact::Ignored("item-begins"));
    }
    let context = Context { message: item.id.as_deref().or(context.message), model: None, ..*context };
    say_blocks(item.content, PartKind::User, &context, facts);
}

/// The list has only a done flag: an open entry is pending, whether somebody works on it is not told.
fn say_todos(item: &Item<'_>, context: &Context<'_>, facts: &mut dyn FactSink) {
    let Some(items) = item.items else {
        facts.diagnostic("codex.wrong-type", Severity::Warn, "a todo list without items");
        return facts.fact(context, Fact::Ignored("no-items"));
    };
    say_plan(items, context, facts);
}
