//! Tool cards: `tool_call` and `tool_call_update`, of all eras.

use std::borrow::Cow;

use super::envelope::Envelope;
use super::own::Own;
use super::string;
use crate::dialect::content::{Block, Place, contents_of, locations};
use crate::dialect::walk::elements;
use crate::dialect::{CallRef, Context, Fact, FactSink, ToolChanged, ToolSeen};
use crate::event::{Json, OutputStream, ToolKind, ToolStatus};
use crate::framing::Severity;
use crate::json::Value;

/// The members both variants have, decoded.
struct Tool<'a> {
    id: Option<Cow<'a, str>>,
    title: Option<Cow<'a, str>>,
    name: Option<Cow<'a, str>>,
    kind: Option<ToolKind>,
    status: Option<ToolStatus>,
    input: Option<Json<'a>>,
    content: Vec<Block<'a>>,
    places: Vec<Place<'a>>,
    output: Option<Json<'a>>,
    input_delta: Option<Value<'a>>,
    output_delta: Option<Value<'a>>,
    /// This crate's own output: the card or its status was concluded.
    inferred: bool,
    /// The envelope's `extra` with the words that have no place in the closed sets.
    extra: Option<String>,
}

impl<'a> Tool<'a> {
    fn read(update: Value<'a>, envelope: &Envelope<'_>, facts: &mut dyn FactSink) -> Self {
        let [
            id,
            title,
            name,
            kind,
            status,
            input,
            content,
            places,
            output,
            input_delta,
            output_delta,
            inferred,
            wire_id,
        ] = update.present_fields([
            "toolCallId",
            "title",
            "toolName",
            "kind",
            "status",
            "rawInput",
            "content",
            "locations",
            "rawOutput",
            "inputDelta",
            "outputDelta",
            "inferred",
            "wireToolCallId",
        ]);
        let [id, title, name, kind, status, wire_id] =
            [id, title, name, kind, status, wire_id].map(|field| string(field, facts));
        let id = id.filter(|id| !id.is_empty());
        if id.is_none() {
            facts.diagnostic("evolve.wrong-type", Severity::Warn, "a tool event without `toolCallId`");
        }
        let known_kind = kind.as_deref().and_then(ToolKind::from_word);
        let known_status = status.as_deref().and_then(ToolStatus::from_word);
        let mut members: Vec<(&str, &str)> = Vec::new();
        if let (Some(word), None) = (&kind, known_kind) {
            members.push(("kind", word));
        }
        if let (Some(word), None) = (&status, known_status) {
            members.push(("status", word));
        }
        if let Some(id) = &wire_id {
            members.push(("wireToolCallId", id));
        }
        let extra = (envelope.truncated || !members.is_empty()).then(|| envelope.extra_with(&members));
        Tool {
            id,
            title,
            name,
            kind: known_kind.or(kind.map(|_| ToolKind::Other)),
            status: known_status.or(status.as_deref().and_then(nearest_status)),
            input: input.map(|input| Json(input.raw())),
            content: content.map(|content| read_content(content, facts)).unwrap_or_default(),
            places: places.map(|places| read_places(places, facts)).unwrap_or_default(),
            output: output.map(|output| Json(output.raw())),
            input_delta,
            output_delta,
            inferred: inferred.and_then(Value::bool).unwrap_or(false),
            extra,
        }
    }

    fn call(&self) -> CallRef<'_> {
        CallRef::of(self.id.as_deref())
    }

    fn context<'b>(&'b self, envelope: &'b Envelope<'_>) -> Context<'b> {
        let context = envelope.context();
        Context { extra: self.extra.as_deref().map(Json).or(context.extra), ..context }
    }

    /// A change that carries what both variants have.
    fn change(&self) -> ToolChanged<'_> {
        ToolChanged {
            name: self.name.as_deref(),
            title: self.title.as_deref(),
            kind: self.kind,
            input: self.input,
            locations: (!self.places.is_empty()).then(|| locations(&self.places)),
            output: self.output,
            ..ToolChanged::about(self.call())
        }
    }

    fn has_final_status(&self) -> bool {
        matches!(self.status, Some(ToolStatus::Completed | ToolStatus::Failed))
    }

    /// Codex tells which files a patch touches but not how: the empty texts of such a diff are place holders, and as
    /// a diff they would say that the file was emptied. Its patches come named, or (era A) finished in one event.
    fn drop_empty_diffs(&mut self) {
        let is_patch = match self.name.as_deref() {
            Some(name) => name == "file_change",
            None => self.has_final_status(),
        };
        if !is_patch {
            return;
        }
        let known_places = !self.places.is_empty();
        for block in std::mem::take(&mut self.content) {
            match block {
                Block::Diff { path, old, new }
                    if new.is_empty() && old.as_deref().unwrap_or_default().is_empty() =>
                {
                    if !known_places {
                        self.places.push(Place { path, line: None });
                    }
                }
                block => self.content.push(block),
            }
        }
    }
}

/// `tool_call`.
pub(super) fn say_call(update: Value<'_>, envelope: &Envelope<'_>, own: &mut Own, facts: &mut dyn FactSink) {
    let mut tool = Tool::read(update, envelope, facts);
    if let (Some(item), Some(id)) = (envelope.item(), &tool.id) {
        own.card_came(item, id);
    }
    tool.drop_empty_diffs();
    let content = contents_of(&tool.content);
    let fact = if tool.inferred {
        // Our own output: a card that stood for a call nobody saw. Said as a change it becomes one again.
        Fact::ToolChanged(ToolChanged {
            status: tool.status.filter(|status| *status != ToolStatus::Pending),
            input_content: content,
            ..tool.change()
        })
    } else {
        Fact::ToolSeen(ToolSeen {
            name: tool.name.as_deref(),
            title: tool.title.as_deref(),
            kind: tool.kind,
            status: tool.status,
            input: tool.input,
            content,
            locations: (!tool.places.is_empty()).then(|| locations(&tool.places)),
            ..ToolSeen::about(tool.call())
        })
    };
    facts.fact(&tool.context(envelope), fact);
}

/// `tool_call_update`.
pub(super) fn say_change(update: Value<'_>, envelope: &Envelope<'_>, facts: &mut dyn FactSink) {
    let tool = Tool::read(update, envelope, facts);
    let context = tool.context(envelope);
    let mut said = false;
    if let Some(text) = tool.input_delta.and_then(Value::text) {
        facts.fact(&context, Fact::InputDelta { call: tool.call(), text });
        said = true;
    }
    if let Some(delta) = tool.output_delta {
        let [text, stream] = delta.fields(["text", "stream"]);
        let stream = stream.and_then(Value::str).as_deref().and_then(OutputStream::from_word);
        if let Some(text) = text.and_then(Value::text) {
            facts.fact(&context, Fact::OutputDelta { call: tool.call(), text, stream });
            said = true;
        }
    }
    let concluded = tool.inferred && tool.has_final_status();
    let changed = ToolChanged {
        status: tool.status.filter(|_| !concluded),
        content: contents_of(&tool.content),
        ..tool.change()
    };
    let has_news = changed.status.is_some()
        || changed.title.is_some()
        || changed.kind.is_some()
        || changed.name.is_some()
        || changed.input.is_some()
        || changed.output.is_some()
        || changed.content.is_some()
        || changed.locations.is_some();
    if has_news || !(said || concluded) {
        facts.fact(&context, Fact::ToolChanged(changed));
    }
    if concluded && tool.status == Some(ToolStatus::Failed) {
        facts.fact(&context, Fact::NotRun { call: tool.call(), why: None });
    } else if concluded && !has_news && !said {
        facts.fact(&context, Fact::Ignored("concluded-status"));
    }
}

/// Words of other products for a call that is over.
fn nearest_status(word: &str) -> Option<ToolStatus> {
    match word {
        "cancelled" | "canceled" | "error" | "errored" | "declined" | "rejected" | "denied" => {
            Some(ToolStatus::Failed)
        }
        "done" | "success" | "succeeded" => Some(ToolStatus::Completed),
        "running" | "inProgress" => Some(ToolStatus::InProgress),
        _ => None,
    }
}

/// Tool content: `content` wraps a block, `diff` and `terminal` stand for themselves; plain strings and bare blocks
/// come from other hosts.
fn read_content<'a>(content: Value<'a>, facts: &mut dyn FactSink) -> Vec<Block<'a>> {
    if let Some(text) = content.str() {
        return if text.is_empty() { Vec::new() } else { vec![Block::Text(text)] };
    }
    let mut blocks = Vec::new();
    let list = content.array();
    if list.is_none() && content.object().is_none() {
        facts.diagnostic(
            "evolve.wrong-type",
            Severity::Warn,
            "tool content that is neither a list nor a text",
        );
    }
    let single = Some(content).filter(|content| content.object().is_some());
    for entry in list.into_iter().flatten().chain(single) {
        let [kind, inner, path, old, new, terminal] =
            entry.fields(["type", "content", "path", "oldText", "newText", "terminalId"]);
        blocks.push(match kind.and_then(Value::str_raw) {
            Some("content") if inner.is_some() => Block::from_wire(inner.unwrap_or(entry)),
            Some("diff") => Block::Diff {
                path: path.and_then(Value::str).unwrap_or_default(),
                old: old.and_then(Value::str),
                new: new.and_then(Value::str).unwrap_or_default(),
            },
            Some("terminal") => Block::Terminal(terminal.and_then(Value::str).unwrap_or_default()),
            _ => Block::from_wire(entry),
        });
    }
    blocks
}

fn read_places<'a>(places: Value<'a>, facts: &mut dyn FactSink) -> Vec<Place<'a>> {
    let mut found = Vec::new();
    for place in elements(Some(places)) {
        let [path, line] = place.fields(["path", "line"]);
        match path.and_then(Value::str).or_else(|| place.str()) {
            Some(path) => found.push(Place { path, line: line.and_then(Value::f64) }),
            None => facts.diagnostic("evolve.wrong-type", Severity::Warn, "a location without a path"),
        }
    }
    found
}
