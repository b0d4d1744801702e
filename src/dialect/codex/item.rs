//! One item of `codex exec --json`: a message, a thought, a tool card, a plan or a remark.
//!
//! An item is flat and names its kind in `type` (`item_type` in the earliest versions). Most kinds come only when
//! completed; tools come started and completed, and the completed item is the whole record of the call.

use std::borrow::Cow;
use std::collections::HashSet;

use super::exec::say_error;
use crate::dialect::content::{Block, locations, tool_contents};
use crate::dialect::tools::{Presentation, codex};
use crate::dialect::{AgentSeen, CallRef, Context, Fact, FactSink, PartKind, PartRef, ToolChanged, ToolSeen};
use crate::event::{
    AgentStatus, HarnessEvent, Json, PlanEntry, PlanPriority, PlanStatus, ToolStatus, Unknown, Update,
};
use crate::framing::Severity;
use crate::json::{ObjectWriter, Value};

/// Which of the three item lines.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    Started,
    Updated,
    Completed,
}

/// The members of all kinds, found in one walk: `aggregated_output` may hold megabytes.
struct Item<'a> {
    raw: Value<'a>,
    id: Option<Cow<'a, str>>,
    status: Option<Cow<'a, str>>,
    text: Option<Value<'a>>,
    command: Option<Value<'a>>,
    aggregated_output: Option<Value<'a>>,
    changes: Option<Value<'a>>,
    server: Option<Value<'a>>,
    tool: Option<Value<'a>>,
    arguments: Option<Value<'a>>,
    result: Option<Value<'a>>,
    error: Option<Value<'a>>,
    message: Option<Value<'a>>,
    items: Option<Value<'a>>,
    query: Option<Value<'a>>,
    action: Option<Value<'a>>,
    prompt: Option<Value<'a>>,
    receivers: Option<Value<'a>>,
    states: Option<Value<'a>>,
    message_phase: Option<Value<'a>>,
    path: Option<Value<'a>>,
}

/// What the kinds of tool differ in.
struct Card<'a> {
    name: Option<Cow<'a, str>>,
    shown: Presentation<'a>,
    /// JSON text.
    input: Option<Cow<'a, str>>,
    result: Vec<Block<'a>>,
}

/// States what an item says.
pub(super) fn say_item(phase: Phase, value: Value<'_>, context: &Context<'_>, facts: &mut dyn FactSink) {
    let (kind, item) = read(value, facts);
    match &*kind {
        "command_execution" => say_card(phase, &item, command(&item, facts), context, facts),
        "agent_message" | "assistant_message" | "plan" => {
            say_text(phase, &item, PartKind::Agent, context, facts)
        }
        "reasoning" => say_text(phase, &item, PartKind::Thought, context, facts),
        "mcp_tool_call" => say_card(phase, &item, mcp(&item, facts), context, facts),
        "file_change" => say_card(phase, &item, file_change(&item, facts), context, facts),
        "todo_list" => say_plan(&item, context, facts),
        "web_search" => say_card(phase, &item, web_search(&item), context, facts),
        "collab_tool_call" => {
            say_card(phase, &item, collab(&item), context, facts);
            say_agents(&item, context, facts);
        }
        "error" => say_error(item.message, value, false, context, facts),
        "hook" => {
            let word = HarnessEvent { type_: &kind, payload: Some(Json(value.raw())) };
            facts.fact(context, Fact::Tell(Update::HarnessEvent(word)));
        }
        "" => {
            facts.diagnostic("codex.wrong-type", Severity::Warn, "an item without a type");
            let unknown = Unknown { type_: None, raw: value.raw() };
            facts.fact(context, Fact::Tell(Update::Unknown(unknown)));
        }
        other => {
            facts.diagnostic(
                "codex.unknown-item",
                Severity::Info,
                "an item of unknown type, shown as a tool card",
            );
            let shown = codex::other_item(other, string(item.path));
            let card = Card { name: Some(Cow::Borrowed(other)), shown, input: None, result: Vec::new() };
            say_card(phase, &item, card, context, facts);
        }
    }
}

fn read<'a>(value: Value<'a>, facts: &mut dyn FactSink) -> (Cow<'a, str>, Item<'a>) {
    let [
        id,
        kind,
        early_kind,
        status,
        text,
        command,
        aggregated_output,
        changes,
        server,
        tool,
        arguments,
        result,
        error,
        message,
        items,
        query,
        action,
        prompt,
        receivers,
        states,
        message_phase,
        path,
    ] = value
        .fields([
            "id",
            "type",
            "item_type",
            "status",
            "text",
            "command",
            "aggregated_output",
            "changes",
            "server",
            "tool",
            "arguments",
            "result",
            "error",
            "message",
            "items",
            "query",
            "action",
            "prompt",
            "receiver_thread_ids",
            "agents_states",
            "phase",
            "path",
        ])
        .map(|field| field.filter(|value| !value.is_null()));
    let id_text = match id {
        Some(id) if id.f64().is_some() => Some(Cow::Borrowed(id.raw())),
        _ => string(id).filter(|id| !id.is_empty()),
    };
    if id_text.is_none() {
        facts.diagnostic("codex.wrong-type", Severity::Warn, "an item without an id");
    }
    let item = Item {
        raw: value,
        id: id_text,
        status: string(status),
        text,
        command,
        aggregated_output,
        changes,
        server,
        tool,
        arguments,
        result,
        error,
        message,
        items,
        query,
        action,
        prompt,
        receivers,
        states,
        message_phase,
        path,
    };
    (string(kind).or_else(|| string(early_kind)).unwrap_or_default(), item)
}

fn string(value: Option<Value<'_>>) -> Option<Cow<'_, str>> {
    value.and_then(Value::str)
}

fn say_text(phase: Phase, item: &Item<'_>, kind: PartKind, context: &Context<'_>, facts: &mut dyn FactSink) {
    let Some(text) = item.text.and_then(Value::text) else {
        facts.diagnostic("codex.wrong-type", Severity::Warn, "a message item without text");
        facts.fact(context, Fact::Ignored("no-text"));
        return;
    };
    if text.is_empty() {
        facts.fact(context, Fact::Ignored("empty-text"));
        return;
    }
    let mut extra = String::new();
    if let Some(message_phase) = string(item.message_phase) {
        ObjectWriter::new(&mut extra).text("phase", &message_phase).finish();
    }
    let context = Context { extra: (!extra.is_empty()).then_some(Json(&extra)), ..*context };
    let part = item.id.as_deref().map_or(PartRef::New, PartRef::Id);
    let fact = match phase {
        Phase::Completed => Fact::PartWhole { part, kind, text },
        Phase::Started | Phase::Updated => Fact::PartSoFar { part, kind, text },
    };
    facts.fact(&context, fact);
}

/// A started item announces the card. A completed one says all of it again: older versions print nothing before, and
/// a web search knows its query only then.
fn say_card(phase: Phase, item: &Item<'_>, card: Card<'_>, context: &Context<'_>, facts: &mut dyn FactSink) {
    let name = card.name.as_deref();
    let call = match (&item.id, phase) {
        (Some(id), _) => CallRef::Id(id),
        (None, Phase::Started) => CallRef::New,
        (None, _) => name.map_or(CallRef::New, |name| CallRef::Match { id: None, name, lane: None }),
    };
    let (status, odd_word) = status(phase, item.status.as_deref());
    let mut extra = String::new();
    if let Some(word) = odd_word {
        ObjectWriter::new(&mut extra).text("status", word).finish();
    }
    let context = Context { extra: (!extra.is_empty()).then_some(Json(&extra)), ..*context };
    let content = (!card.shown.content.is_empty()).then(|| tool_contents(&card.shown.content));
    let places = (!card.shown.places.is_empty()).then(|| locations(&card.shown.places));
    let seen = ToolSeen {
        name,
        title: Some(&card.shown.title),
        kind: Some(card.shown.kind),
        status: (phase == Phase::Started).then_some(status),
        input: card.input.as_deref().map(Json),
        content,
        locations: places,
        ..ToolSeen::about(call)
    };
    facts.fact(&context, Fact::ToolSeen(seen));
    if phase == Phase::Started {
        return;
    }
    let changed = ToolChanged {
        status: Some(status),
        content: (!card.result.is_empty()).then(|| tool_contents(&card.result)),
        output: (phase == Phase::Completed).then_some(Json(item.raw.raw())),
        ..ToolChanged::about(call)
    };
    facts.fact(&context, Fact::ToolChanged(changed));
}

/// The status, and the wire's word where the closed set has none like it. Web searches carry no status: there the line
/// itself is the word.
fn status(phase: Phase, word: Option<&str>) -> (ToolStatus, Option<&str>) {
    let by_line = match phase {
        Phase::Completed => ToolStatus::Completed,
        Phase::Started | Phase::Updated => ToolStatus::InProgress,
    };
    match word {
        None => (by_line, None),
        Some("pending") => (ToolStatus::Pending, None),
        Some("in_progress") => (ToolStatus::InProgress, None),
        Some("completed") => (ToolStatus::Completed, None),
        Some("failed") => (ToolStatus::Failed, None),
        Some(word @ ("declined" | "cancelled" | "interrupted" | "errored" | "timed_out")) => {
            (ToolStatus::Failed, Some(word))
        }
        Some(word) => (by_line, Some(word)),
    }
}

fn command<'a>(item: &Item<'a>, facts: &mut dyn FactSink) -> Card<'a> {
    let command = string(item.command);
    if command.is_none() {
        facts.diagnostic("codex.wrong-type", Severity::Warn, "a command item without a command");
    }
    let output = string(item.aggregated_output).filter(|output| !output.is_empty());
    Card {
        name: Some(Cow::Borrowed("command_execution")),
        shown: codex::command(command.as_deref()),
        input: object([("command", item.command)]),
        result: output.map(Block::Text).into_iter().collect(),
    }
}

fn file_change<'a>(item: &Item<'a>, facts: &mut dyn FactSink) -> Card<'a> {
    if item.changes.is_none_or(|changes| changes.array().is_none()) {
        facts.diagnostic("codex.wrong-type", Severity::Warn, "a file change without a list of changes");
    }
    Card {
        name: Some(Cow::Borrowed("file_change")),
        shown: codex::file_change(item.changes),
        input: object([("changes", item.changes)]),
        result: Vec::new(),
    }
}

fn mcp<'a>(item: &Item<'a>, facts: &mut dyn FactSink) -> Card<'a> {
    let (server, tool) = (string(item.server), string(item.tool));
    if server.is_none() || tool.is_none() {
        facts.diagnostic("codex.wrong-type", Severity::Warn, "an MCP call without server or tool");
    }
    let (server, tool) = (server.unwrap_or_default(), tool.unwrap_or_default());
    let mut result =
        item.result.and_then(|result| result.get("content")).map_or_else(Vec::new, Block::list_from_wire);
    let error = item.error.and_then(|error| error.get("message").unwrap_or(error).str());
    result.extend(error.filter(|message| !message.is_empty()).map(Block::Text));
    Card {
        name: Some(codex::mcp_name(&server, &tool).into()),
        shown: codex::mcp(&server, &tool),
        input: item.arguments.map(|arguments| Cow::Borrowed(arguments.raw())),
        result,
    }
}

fn web_search<'a>(item: &Item<'a>) -> Card<'a> {
    Card {
        name: Some(Cow::Borrowed("web_search")),
        shown: codex::web_search(string(item.query), item.action),
        input: object([("query", item.query), ("action", item.action)]),
        result: Vec::new(),
    }
}

fn collab<'a>(item: &Item<'a>) -> Card<'a> {
    let tool = string(item.tool);
    let states = item.states.and_then(Value::object).into_iter().flatten();
    let reports = states.filter_map(|(_, state)| state.get("message").and_then(Value::str));
    Card {
        shown: codex::collab(tool.as_deref(), string(item.prompt)),
        name: tool,
        input: object([
            ("tool", item.tool),
            ("prompt", item.prompt),
            ("receiver_thread_ids", item.receivers),
        ]),
        result: reports.filter(|report| !report.is_empty()).map(Block::Text).collect(),
    }
}

/// The threads a collab call is about. Only the spawning call runs them; the others tell how they are.
fn say_agents(item: &Item<'_>, context: &Context<'_>, facts: &mut dyn FactSink) {
    let spawned = string(item.tool).is_some_and(|tool| tool.starts_with("spawn"));
    let call = item.id.as_deref().filter(|_| spawned).map(CallRef::Id);
    if spawned {
        let states = item.states.and_then(Value::object).into_iter().flatten();
        let told: HashSet<Cow<'_, str>> = states.map(|(thread, _)| thread.into_cow()).collect();
        for thread in item.receivers.and_then(Value::array).into_iter().flatten().filter_map(Value::str) {
            if !told.contains(&thread) {
                let seen =
                    AgentSeen { agent: &thread, name: None, session: Some(&thread), call, status: None };
                facts.fact(context, Fact::AgentSeen(seen));
            }
        }
    }
    for (thread, state) in item.states.and_then(Value::object).into_iter().flatten() {
        let word = state.get("status").unwrap_or(state).str();
        // `shutdown` and `not_found` tell nothing of how the agent's work ended.
        let status = match word.as_deref() {
            Some("pending_init" | "running") => Some(AgentStatus::Running),
            Some("completed") => Some(AgentStatus::Completed),
            Some("errored") => Some(AgentStatus::Failed),
            Some("interrupted") => Some(AgentStatus::Cancelled),
            _ => None,
        };
        let mut extra = String::new();
        if let (Some(word), None) = (&word, status) {
            ObjectWriter::new(&mut extra).text("status", word).finish();
        }
        let context = Context { extra: (!extra.is_empty()).then_some(Json(&extra)), ..*context };
        let seen = AgentSeen { agent: &thread, name: None, session: Some(&thread), call, status };
        facts.fact(&context, Fact::AgentSeen(seen));
    }
}

/// The list has only a done flag: an open entry is pending, whether somebody works on it is not told.
fn say_plan(item: &Item<'_>, context: &Context<'_>, facts: &mut dyn FactSink) {
    let Some(items) = item.items.and_then(Value::array) else {
        facts.diagnostic("codex.wrong-type", Severity::Warn, "a todo list without items");
        facts.fact(context, Fact::Ignored("no-items"));
        return;
    };
    let mut lines: Vec<(Cow<'_, str>, PlanStatus)> = Vec::new();
    for entry in items {
        let [text, completed] = entry.fields(["text", "completed"]);
        let Some(text) = string(text).or_else(|| entry.str()) else {
            facts.diagnostic("codex.wrong-type", Severity::Warn, "a todo entry without text");
            continue;
        };
        let done = completed.and_then(Value::bool).unwrap_or(false);
        lines.push((text, if done { PlanStatus::Completed } else { PlanStatus::Pending }));
    }
    let entries: Vec<_> = lines
        .iter()
        .map(|(text, status)| PlanEntry { content: text, status: *status, priority: PlanPriority::Medium })
        .collect();
    facts.fact(context, Fact::PlanSet { entries: entries.into() });
}

/// A JSON object of the members that are there; `None` when none is.
fn object<'a, const N: usize>(members: [(&str, Option<Value<'_>>); N]) -> Option<Cow<'a, str>> {
    let mut text = String::new();
    let mut writer = ObjectWriter::new(&mut text);
    for (name, value) in members {
        if let Some(value) = value {
            writer.raw(name, value.raw());
        }
    }
    let empty = writer.is_empty();
    writer.finish();
    (!empty).then_some(Cow::Owned(text))
}
