//! Items, agents and session as JSON texts. To JavaScript items cross packed (`packed.rs`).
//!
//! Large raw inputs and outputs leave as their size. Knows the shape of the JSON, changes nothing.

use super::item::{Body, InterruptPart, Item, TextPart, ToolCard};
use super::session::Run;
use super::text::Output;
use super::{Agent, Transcript};
use crate::event::{Json, RunScope, Update, utf16_units};
use crate::framing::Source;
use crate::json::{ObjectWriter, write_string};

/// How items are written.
#[derive(Clone, Copy, Debug)]
pub struct ItemJson {
    /// A raw input above this many bytes leaves as `rawInputBytes`. 16 KiB.
    pub raw_input_limit: usize,
    /// A raw output above this many bytes leaves as `rawOutputBytes`. 1 KiB: mostly it repeats what `content` shows.
    pub raw_output_limit: usize,
}

impl Default for ItemJson {
    fn default() -> Self {
        ItemJson { raw_input_limit: 16 << 10, raw_output_limit: 1 << 10 }
    }
}

impl Transcript {
    /// Appends one item as a JSON object; nothing when there is no such item.
    pub fn write_item_json(&self, out: &mut String, number: u32, how: ItemJson) {
        let Some(item) = self.item(number) else { return };
        let mut object = ObjectWriter::new(out);
        object
            .number("item", item.number)
            .text("type", type_of(&item.body))
            .number("revision", item.revision);
        optional(&mut object, "sessionId", item.session_id.as_deref());
        optional(&mut object, "agentId", item.agent_id.as_deref());
        optional(&mut object, "parentToolCallId", self.parent_of(number).as_deref());
        optional(&mut object, "messageId", item.message_id.as_deref());
        optional(&mut object, "model", item.model.as_deref());
        optional(&mut object, "timestamp", item.timestamp.as_deref());
        optional(&mut object, "withdrawn", item.withdrawn.as_deref());
        flag(&mut object, "truncated", item.truncated);
        write_body(&mut object, &item.body, how);
        write_source(&mut object, item);
        object.finish();
    }

    /// The first records (at most 64) that touched an item, each once, as a JSON array of `offset`, `length`, `line`.
    pub fn sources_json(&self, number: u32) -> String {
        let sources = self.item(number).into_iter().flat_map(Item::sources);
        array(sources, |out, source| write_record(out, *source))
    }

    /// The announced agents as a JSON array.
    pub fn agents_json(&self) -> String {
        array(self.agents().iter(), write_agent)
    }

    /// What stands beside the list, as a JSON object: `runs` by scope, `context`, `mode`, `info`, `commands`, `config`,
    /// `compaction`, `lifecycle`, `state` {`snapshot`, `patches`}. What nobody told is absent.
    pub fn session_json(&self) -> String {
        let session = self.session();
        let mut out = String::new();
        let mut object = ObjectWriter::new(&mut out);
        let runs = RunScope::ALL.iter().filter_map(|scope| session.run(*scope));
        let runs = object_of(runs.map(|run| (run.scope.as_str(), run)), write_run);
        object.raw("runs", &runs);
        let context = &session.context;
        let told = [("used", context.used), ("size", context.size), ("usedRatio", context.used_ratio)];
        let context = nested(|inner| {
            told.into_iter().for_each(|(name, value)| number(inner, name, value));
            raw(inner, "cost", context.cost.as_deref());
        });
        raw(&mut object, "context", context.as_deref());
        optional(&mut object, "mode", session.mode.as_deref());
        let info = &session.info;
        let info = nested(|inner| {
            optional(inner, "title", info.title.as_deref());
            optional(inner, "updatedAt", info.updated_at.as_deref());
            optional(inner, "cwd", info.cwd.as_deref());
            raw(inner, "meta", info.meta.as_deref());
        });
        raw(&mut object, "info", info.as_deref());
        let commands = session.commands();
        if !commands.is_empty() {
            object.raw("commands", &array(commands.iter(), |out, command| command.write_json(out)));
        }
        raw(&mut object, "config", session.config().map(|config| config.0));
        let compaction = session.compaction.as_ref().and_then(|compaction| {
            nested(|inner| {
                optional(inner, "compactionId", compaction.compaction_id.as_deref());
                inner.text("status", &compaction.status);
                optional(inner, "summary", compaction.summary.as_deref());
                optional(inner, "error", compaction.error.as_deref());
            })
        });
        raw(&mut object, "compaction", compaction.as_deref());
        if let Some(lifecycle) = session.lifecycle() {
            // Not as an `Update`: the writer of all updates would be 13 KB of the module.
            let mut text = String::new();
            lifecycle.write_json(&mut text);
            object.raw("lifecycle", &text);
        }
        let state = nested(|inner| {
            raw(inner, "snapshot", session.state_snapshot().map(|state| state.0));
            let mut patches = session.state_patches().peekable();
            if patches.peek().is_some() {
                inner.raw("patches", &array(patches, |out, patch: Json<'_>| out.push_str(patch.0)));
            }
        });
        raw(&mut object, "state", state.as_deref());
        object.finish();
        out
    }
}

fn type_of(body: &Body) -> &'static str {
    match body {
        Body::Missing => "missing",
        Body::Text(_) => "text",
        Body::Tool(_) => "tool",
        Body::Plan(_) => "plan",
        Body::Interrupt(_) => "interrupt",
        Body::Notice(_) => "notice",
        Body::Error(_) => "error",
        Body::Citations(_) => "citations",
        Body::Artifact(_) => "artifact",
    }
}

fn write_body(object: &mut ObjectWriter<'_>, body: &Body, how: ItemJson) {
    match body {
        Body::Missing => {}
        Body::Text(part) => write_text(object, part),
        Body::Tool(card) => write_tool(object, card, how),
        Body::Plan(part) => {
            object.raw("entries", &array(part.entries().iter(), |out, entry| entry.write_json(out)));
        }
        Body::Interrupt(part) => write_interrupt(object, part),
        Body::Notice(part) => {
            object.raw("notice", &update(part.notice().into()));
        }
        Body::Error(part) => {
            object.raw("error", &update(part.error().into()));
        }
        Body::Citations(part) => {
            object.raw("citations", &update(part.citations().into()));
        }
        Body::Artifact(part) => {
            object.raw("artifact", &update(part.artifact().into()));
        }
    }
}

fn write_text(object: &mut ObjectWriter<'_>, part: &TextPart) {
    object.text("role", part.role.as_str());
    object.text("text", part.text());
    let blocks = part.blocks();
    if !blocks.is_empty() {
        object.raw("blocks", &array(blocks.iter(), |out, block| block.write_json(out)));
    }
    flag(object, "ended", part.ended);
    flag(object, "aborted", part.aborted);
    optional(object, "stopReason", part.stop_reason.as_deref());
}

fn write_tool(object: &mut ObjectWriter<'_>, card: &ToolCard, how: ItemJson) {
    object.text("toolCallId", &card.tool_call_id);
    optional(object, "wireToolCallId", card.wire_tool_call_id.as_deref());
    object.text("title", &card.title);
    optional(object, "toolName", card.tool_name.as_deref());
    object.text("kind", card.kind.as_str()).text("status", card.status.as_str());
    flag(object, "statusInferred", card.status_inferred);
    flag(object, "inferred", card.inferred);
    write_raw(object, ["rawInput", "rawInputBytes"], card.raw_input(), how.raw_input_limit);
    if !card.input_text().is_empty() {
        object.text("inputText", card.input_text());
    }
    if !card.output_text().is_empty() {
        object.text("outputText", card.output_text());
        write_streams(object, &card.output);
    }
    write_raw(object, ["rawOutput", "rawOutputBytes"], card.raw_output(), how.raw_output_limit);
    for (name, contents) in [("inputContent", card.input_content()), ("content", card.result_content())] {
        if !contents.is_empty() {
            object.raw(name, &array(contents.iter(), |out, content| content.write_json(out)));
        }
    }
    let locations = card.locations();
    if !locations.is_empty() {
        object.raw("locations", &array(locations.iter(), |out, location| location.write_json(out)));
    }
}

fn write_interrupt(object: &mut ObjectWriter<'_>, part: &InterruptPart) {
    object.raw("interrupt", &update(part.interrupt().into()));
    raw(object, "resolved", part.resolution().map(|resolved| update(resolved.into())).as_deref());
    raw(object, "extra", part.extra());
}

/// Which stream each stretch of the output came from, with its end in UTF-16 units; nothing when the wire named none.
fn write_streams(object: &mut ObjectWriter<'_>, output: &Output) {
    if !output.names_streams() {
        return;
    }
    let mut end = 0;
    let streams = array(output.runs(), |out, (stream, text)| {
        end += utf16_units(text);
        let mut stretch = ObjectWriter::new(out);
        optional(&mut stretch, "stream", stream.map(|stream| stream.as_str()));
        stretch.number("end", end).finish();
    });
    object.raw("outputStreams", &streams);
}

fn write_raw(object: &mut ObjectWriter<'_>, [value, size]: [&str; 2], json: Option<&str>, limit: usize) {
    match json {
        None => {}
        Some(json) if json.len() > limit => {
            object.number(size, json.len());
        }
        Some(json) => {
            object.raw(value, json);
        }
    }
}

fn write_source(object: &mut ObjectWriter<'_>, item: &Item) {
    if item.source_count > 0 {
        let mut first = String::new();
        write_record(&mut first, item.first_source);
        object.raw("source", &first);
    }
    object.number("sourceCount", item.source_count);
}

fn write_record(out: &mut String, source: Source) {
    let mut object = ObjectWriter::new(out);
    object.number("offset", source.offset).number("length", source.length).number("line", source.line);
    if source.input > 0 {
        object.number("input", source.input);
    }
    object.finish();
}

fn write_agent(out: &mut String, agent: &Agent) {
    let mut object = ObjectWriter::new(out);
    object.text("agentId", &agent.agent_id);
    optional(&mut object, "name", agent.name.as_deref());
    optional(&mut object, "sessionId", agent.session_id.as_deref());
    optional(&mut object, "parentToolCallId", agent.parent_tool_call_id.as_deref());
    object.text("status", agent.status.as_str());
    if let Some(run) = &agent.run {
        let mut text = String::new();
        write_run(&mut text, run);
        object.raw("run", &text);
    }
    object.finish();
}

fn write_run(out: &mut String, run: &Run) {
    let mut object = ObjectWriter::new(out);
    object.text("scope", run.scope.as_str()).text("phase", run.phase.as_str());
    optional(&mut object, "outcome", run.outcome.map(|outcome| outcome.as_str()));
    optional(&mut object, "reason", run.reason.as_deref());
    number(&mut object, "durationMs", run.duration_ms);
    optional(&mut object, "evidence", run.evidence.map(|evidence| evidence.as_str()));
    object.finish();
}

fn update(update: Update<'_>) -> String {
    let mut text = String::new();
    update.write_json(&mut text);
    text
}

fn array<T>(entries: impl Iterator<Item = T>, mut write: impl FnMut(&mut String, T)) -> String {
    let mut out = String::from("[");
    for entry in entries {
        if out.len() > 1 {
            out.push(',');
        }
        write(&mut out, entry);
    }
    out.push(']');
    out
}

fn object_of<'a, T>(
    members: impl Iterator<Item = (&'a str, T)>,
    mut write: impl FnMut(&mut String, T),
) -> String {
    let mut out = String::from("{");
    for (key, value) in members {
        if out.len() > 1 {
            out.push(',');
        }
        write_string(&mut out, key);
        out.push(':');
        write(&mut out, value);
    }
    out.push('}');
    out
}

/// An object, or nothing when no member was written.
fn nested(write: impl FnOnce(&mut ObjectWriter<'_>)) -> Option<String> {
    let mut text = String::new();
    let mut object = ObjectWriter::new(&mut text);
    write(&mut object);
    let empty = object.is_empty();
    object.finish();
    (!empty).then_some(text)
}

fn optional(object: &mut ObjectWriter<'_>, name: &str, text: Option<&str>) {
    if let Some(text) = text {
        object.text(name, text);
    }
}

fn raw(object: &mut ObjectWriter<'_>, name: &str, json: Option<&str>) {
    if let Some(json) = json {
        object.raw(name, json);
    }
}

fn flag(object: &mut ObjectWriter<'_>, name: &str, flag: bool) {
    if flag {
        object.bool(name, true);
    }
}

fn number(object: &mut ObjectWriter<'_>, name: &str, number: Option<f64>) {
    if let Some(number) = number {
        object.number(name, number);
    }
}
