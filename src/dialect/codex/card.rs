//! Items that are tool cards: how each kind is shown, and what it adds to a call that the model's own record announced.

use std::borrow::Cow;

use super::item::{Item, Phase};
use super::read::{Kind, blocks_of, folded, object, string, with_extra};
use crate::dialect::content::{Block, contents_of, locations, tool_contents};
use crate::dialect::tools::{Presentation, codex};
use crate::dialect::walk::members;
use crate::dialect::{AgentSeen, CallRef, Context, Fact, FactSink, ToolChanged, ToolSeen};
use crate::event::{AgentStatus, Json, ToolStatus};
use crate::framing::Severity;
use crate::hash::{Index, mark};
use crate::json::{ObjectWriter, Value};

/// How much of a call an item tells that the model's own record of the call does not tell better.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(super) enum Told {
    #[default]
    Nothing,
    /// How it ended.
    Status,
    /// That, and its result as blocks.
    Content,
}

/// What the kinds of tool differ in.
struct Card<'a> {
    name: Option<Cow<'a, str>>,
    shown: Presentation<'a>,
    /// JSON text.
    input: Option<Cow<'a, str>>,
    result: Vec<Block<'a>>,
}

/// States a tool item as a card.
pub(super) fn say_call(
    phase: Phase,
    item: &Item<'_>,
    kind: Kind,
    context: &Context<'_>,
    facts: &mut dyn FactSink,
) {
    let card = card_of(item, kind, facts);
    say_card(phase, item, kind, card, context, facts);
    if kind == Kind::Collab {
        say_agents(item, context, facts);
    }
}

fn card_of<'a>(item: &Item<'a>, kind: Kind, facts: &mut dyn FactSink) -> Card<'a> {
    match kind {
        Kind::Command => command(item, facts),
        Kind::FileChange => file_change(item, facts),
        Kind::Mcp => mcp(item, facts),
        Kind::WebSearch => web_search(item),
        Kind::Collab => collab(item),
        Kind::Dynamic => dynamic(item),
        Kind::ImageView => Card {
            name: Some("view_image".into()),
            shown: codex::native("view_image", Some(item.raw)),
            input: object([("path", item.path)]),
            result: Vec::new(),
        },
        Kind::ImageGeneration => {
            let data = string(item.result).filter(|data| !data.is_empty());
            let image = |data| Block::Image { data, mime_type: "image/png".into(), uri: None };
            Card {
                name: Some("image_generation".into()),
                shown: codex::other_item("image_generation", None),
                input: None,
                result: data.map(image).into_iter().collect(),
            }
        }
        _ => {
            let remark = "an item of unknown type, shown as a tool card";
            facts.diagnostic("codex.unknown-item", Severity::Info, remark);
            let shown = codex::other_item(item.kind.clone(), string(item.path));
            Card { name: Some(item.kind.clone()), shown, input: None, result: Vec::new() }
        }
    }
}

/// What an item adds to a call that the model's own record announced. Returns how much it told.
pub(super) fn say_outcome(
    item: &Item<'_>,
    kind: Kind,
    name: &str,
    context: &Context<'_>,
    facts: &mut dyn FactSink,
) -> Told {
    let Some(id) = item.id.as_deref() else { return Told::Nothing };
    let card = card_of(item, kind, facts);
    let (status, odd_word) = item.ended(kind);
    let (told, content) = match kind {
        Kind::Command | Kind::FileChange | Kind::Mcp => (Told::Content, &card.result[..]),
        Kind::ImageView | Kind::Dynamic | Kind::WebSearch => (Told::Nothing, &[][..]),
        _ => (Told::Status, &[][..]),
    };
    // A patch that went through the shell: only here it is known what the command changed.
    let patch = kind == Kind::FileChange && name != "apply_patch";
    let changed = ToolChanged {
        status: (told > Told::Nothing).then_some(status),
        title: patch.then_some(&*card.shown.title),
        kind: patch.then_some(card.shown.kind),
        content: contents_of(content),
        input_content: patch.then(|| tool_contents(&card.shown.content)),
        locations: (!card.shown.places.is_empty() && patch).then(|| locations(&card.shown.places)),
        // The whole result is what the model read of it, which comes next.
        ..ToolChanged::about(CallRef::Id(id))
    };
    let mut extra = String::new();
    let mut writer = ObjectWriter::new(&mut extra);
    if let Some(word) = odd_word {
        writer.text("status", word);
    }
    if let Some(code) = item.exit_code {
        writer.raw("exit_code", code.raw());
    }
    let is_empty = writer.is_empty();
    writer.finish();
    let with_more = Context { extra: (!is_empty).then_some(Json(&extra)), ..*context };
    facts.fact(&with_more, Fact::ToolChanged(changed));
    if kind == Kind::Collab {
        say_agents(item, context, facts);
    }
    told
}

/// A started item announces the card. A completed one says all of it again: older versions print nothing before, and
/// a web search knows its query only then.
fn say_card(
    phase: Phase,
    item: &Item<'_>,
    kind: Kind,
    card: Card<'_>,
    context: &Context<'_>,
    facts: &mut dyn FactSink,
) {
    let name = card.name.as_deref();
    let call = match (&item.id, phase) {
        (Some(id), _) => CallRef::Id(id),
        (None, Phase::Started) => CallRef::New,
        (None, _) => name.map_or(CallRef::New, |name| CallRef::Match { id: None, name, lane: None }),
    };
    let (status, odd_word) = match phase {
        Phase::Completed => item.ended(kind),
        _ => status(phase, item.status.as_deref()),
    };
    let started = (phase == Phase::Started).then_some(status);
    let seen = ToolSeen {
        title: Some(&*card.shown.title).filter(|_| item.names_itself(kind)),
        ..card.shown.seen(call, name, card.input.as_deref(), started)
    };
    with_extra("status", odd_word, context, |context| {
        facts.fact(context, Fact::ToolSeen(seen));
        if phase != Phase::Started {
            let changed = ToolChanged {
                status: Some(status),
                content: contents_of(&card.result),
                output: (phase == Phase::Completed).then_some(Json(item.raw.raw())),
                ..ToolChanged::about(call)
            };
            facts.fact(context, Fact::ToolChanged(changed));
        }
    });
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
        Some("in_progress" | "inProgress") => (ToolStatus::InProgress, None),
        Some("completed") => (ToolStatus::Completed, None),
        Some("failed") => (ToolStatus::Failed, None),
        Some(word @ ("declined" | "cancelled" | "interrupted" | "errored" | "timed_out" | "timedOut")) => {
            (ToolStatus::Failed, Some(word))
        }
        Some(word) => (by_line, Some(word)),
    }
}

fn command<'a>(item: &Item<'a>, facts: &mut dyn FactSink) -> Card<'a> {
    let words = item.command.filter(|words| words.array().is_some());
    let command = string(item.command);
    if command.is_none() && words.is_none() && item.names_itself(Kind::Command) {
        facts.diagnostic("codex.wrong-type", Severity::Warn, "a command item without a command");
    }
    Card {
        name: Some(Cow::Borrowed("command_execution")),
        shown: match words {
            Some(words) => codex::command_words(words),
            None => codex::command(command.as_deref()),
        },
        input: object([("command", item.command)]),
        result: printed(item).into_iter().collect(),
    }
}

/// What a call printed, both streams in one where they are not told apart.
fn printed<'a>(item: &Item<'a>) -> Option<Block<'a>> {
    let filled = |value| string(value).filter(|text: &Cow<'_, str>| !text.is_empty());
    let text = match (filled(item.output), filled(item.stdout), filled(item.stderr)) {
        (Some(output), ..) => output,
        (None, Some(stdout), Some(stderr)) => stdout + stderr,
        (None, stdout, stderr) => stdout.or(stderr)?,
    };
    Some(Block::Text(text))
}

fn file_change<'a>(item: &Item<'a>, facts: &mut dyn FactSink) -> Card<'a> {
    let changes = item.changes.filter(|changes| changes.array().is_some() || changes.object().is_some());
    if changes.is_none() && item.names_itself(Kind::FileChange) {
        facts.diagnostic("codex.wrong-type", Severity::Warn, "a file change without a list of changes");
    }
    Card {
        name: Some(Cow::Borrowed("file_change")),
        shown: codex::file_change(item.changes),
        input: object([("changes", item.changes)]),
        result: printed(item).into_iter().collect(),
    }
}

fn mcp<'a>(item: &Item<'a>, facts: &mut dyn FactSink) -> Card<'a> {
    let (server, tool) = (string(item.server), string(item.tool));
    if server.is_none() || tool.is_none() {
        facts.diagnostic("codex.wrong-type", Severity::Warn, "an MCP call without server or tool");
    }
    let (server, tool) = (server.unwrap_or_default(), tool.unwrap_or_default());
    let [good, bad] = item.result.map_or([None; 2], |result| result.present_fields(["Ok", "Err"]));
    let content = good.or(item.result).and_then(|result| result.get("content"));
    let mut result = content.map_or_else(Vec::new, Block::list_from_wire);
    let error = item.error.or(bad).and_then(|error| error.get("message").unwrap_or(error).str());
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

/// A tool of the client.
fn dynamic<'a>(item: &Item<'a>) -> Card<'a> {
    let tool = string(item.tool).unwrap_or_default();
    let name = match string(item.namespace) {
        Some(namespace) if namespace.starts_with("mcp__") => Cow::Owned([&*namespace, "__", &tool].concat()),
        _ => tool,
    };
    let shown = codex::other_item(name.clone(), None);
    Card {
        name: Some(name).filter(|name| !name.is_empty()),
        shown,
        input: item.arguments.map(|arguments| Cow::Borrowed(arguments.raw())),
        result: item.content.map_or_else(Vec::new, blocks_of),
    }
}

fn collab<'a>(item: &Item<'a>) -> Card<'a> {
    let tool = string(item.tool).map(folded);
    let states = members(item.states);
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
    let spawned = item.spawns();
    let call = item.id.as_deref().filter(|_| spawned).map(CallRef::Id);
    if spawned {
        let mut told = Index::default();
        for (thread, _) in members(item.states) {
            told.insert(mark(&thread), 0);
        }
        for thread in item.receivers().filter(|thread| !told.contains(mark(thread))) {
            let seen = AgentSeen { agent: &thread, name: None, session: Some(&thread), call, status: None };
            facts.fact(context, Fact::AgentSeen(seen));
        }
    }
    for (thread, state) in members(item.states) {
        // A word; an object with the word in it; or an object whose only member the word names.
        let named = state.object().and_then(|mut state| state.next());
        let word = match state.get("status").unwrap_or(state).str() {
            Some(word) => Some(word),
            None => named.map(|(word, _)| word.into_cow()),
        };
        // `shutdown` and `not_found` tell nothing of how the agent's work ended.
        let status = match word.as_deref() {
            Some("pending_init" | "pendingInit" | "running") => Some(AgentStatus::Running),
            Some("completed") => Some(AgentStatus::Completed),
            Some("errored") => Some(AgentStatus::Failed),
            Some("interrupted") => Some(AgentStatus::Cancelled),
            _ => None,
        };
        let odd = word.as_deref().filter(|_| status.is_none());
        let seen = AgentSeen { agent: &thread, name: None, session: Some(&thread), call, status };
        with_extra("status", odd, context, |context| facts.fact(context, Fact::AgentSeen(seen)));
    }
}

impl Item<'_> {
    /// The ends of the `msg` protocol may leave out what their beginnings told.
    fn names_itself(&self, kind: Kind) -> bool {
        match kind {
            Kind::Command => self.command.is_some() || !self.kind.ends_with("_end"),
            Kind::FileChange => self.changes.is_some() || !self.kind.ends_with("_end"),
            _ => true,
        }
    }

    /// How a call ended, and the wire's word where the closed set has none like it.
    fn ended(&self, kind: Kind) -> (ToolStatus, Option<&str>) {
        let (status, word) = status(Phase::Completed, self.status.as_deref());
        let failed = self.status.is_none()
            && (self.success.and_then(Value::bool) == Some(false)
                || self.exit_code.and_then(Value::f64).is_some_and(|code| code != 0.0)
                || (kind == Kind::Mcp && self.mcp_failed()));
        (if failed { ToolStatus::Failed } else { status }, word)
    }

    /// The `msg` protocol tells the outcome of an MCP call only in its result.
    fn mcp_failed(&self) -> bool {
        let [good, bad] = self.result.map_or([None; 2], |result| result.fields(["Ok", "Err"]));
        let flagged = |result: Value<'_>| {
            let [snake, camel] = result.fields(["is_error", "isError"]);
            snake.or(camel).and_then(Value::bool) == Some(true)
        };
        self.error.is_some() || bad.is_some() || good.or(self.result).is_some_and(flagged)
    }
}
