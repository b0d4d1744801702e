//! Small readings that the protocols share: kinds of items, lists of texts and blocks, plans.

use std::borrow::Cow;

use crate::dialect::content::Block;
use crate::dialect::plan::Plan;
use crate::dialect::walk::elements;
use crate::dialect::{Context, Fact, FactSink, PartKind, PartRef};
use crate::event::Json;
use crate::framing::Severity;
use crate::json::{ObjectWriter, Text, Value};

/// What an item is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Agent,
    User,
    Reasoning,
    Command,
    FileChange,
    Mcp,
    Dynamic,
    WebSearch,
    Collab,
    ImageView,
    ImageGeneration,
    TodoList,
    Error,
    Compaction,
    /// Something about the harness that is no step of the agent.
    Word,
    Other,
}

/// Kinds by their names in snake_case.
const KINDS: &[(&str, Kind)] = &[
    ("command_execution", Kind::Command),
    ("agent_message", Kind::Agent),
    ("reasoning", Kind::Reasoning),
    ("file_change", Kind::FileChange),
    ("mcp_tool_call", Kind::Mcp),
    ("user_message", Kind::User),
    ("web_search", Kind::WebSearch),
    ("collab_tool_call", Kind::Collab),
    ("collab_agent_tool_call", Kind::Collab),
    ("todo_list", Kind::TodoList),
    ("error", Kind::Error),
    ("assistant_message", Kind::Agent),
    ("plan", Kind::Agent),
    ("image_view", Kind::ImageView),
    ("image_generation", Kind::ImageGeneration),
    ("dynamic_tool_call", Kind::Dynamic),
    ("context_compaction", Kind::Compaction),
    ("hook", Kind::Word),
    ("hook_prompt", Kind::Word),
    ("sleep", Kind::Word),
    ("extension", Kind::Word),
    ("sub_agent_activity", Kind::Word),
    ("function_call_output", Kind::Word),
    ("entered_review_mode", Kind::Word),
    ("exited_review_mode", Kind::Word),
];

/// The kind a type names, in the spelling of any protocol.
pub(super) fn kind_of(type_: &str) -> Kind {
    let name = folded(Cow::Borrowed(type_));
    KINDS.iter().find(|(known, _)| *known == name).map_or(Kind::Other, |(_, kind)| *kind)
}

/// `CommandExecution` and `commandExecution` as `command_execution`.
pub(super) fn folded(name: Cow<'_, str>) -> Cow<'_, str> {
    if !name.bytes().any(|byte| byte.is_ascii_uppercase()) {
        return name;
    }
    let mut out = String::with_capacity(name.len() + 4);
    for letter in name.chars() {
        if letter.is_ascii_uppercase() && !out.is_empty() {
            out.push('_');
        }
        out.push(letter.to_ascii_lowercase());
    }
    Cow::Owned(out)
}

pub(super) fn string(value: Option<Value<'_>>) -> Option<Cow<'_, str>> {
    value.and_then(Value::str)
}

/// A JSON object of the members that are there; `None` when none is.
pub(super) fn object<'a, const N: usize>(members: [(&str, Option<Value<'_>>); N]) -> Option<Cow<'a, str>> {
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

/// Says something under a context that tells one more word, if there is one.
pub(super) fn with_extra(
    name: &str,
    word: Option<&str>,
    context: &Context<'_>,
    say: impl FnOnce(&Context<'_>),
) {
    let Some(word) = word else { return say(context) };
    let mut extra = String::new();
    ObjectWriter::new(&mut extra).text(name, word).finish();
    say(&Context { extra: Some(Json(&extra)), ..*context });
}

/// The texts of a list of strings or text blocks, joined.
pub(super) fn joined_texts(list: Option<Value<'_>>, between: &str, out: &mut String) {
    for entry in elements(list) {
        let Some(text) = entry.str().or_else(|| entry.get("text")?.str()) else { continue };
        if !out.is_empty() {
            out.push_str(between);
        }
        out.push_str(&text);
    }
}

/// Blocks of a message or a tool's output. Pictures come as `data:` URLs here.
pub(super) fn blocks_of(content: Value<'_>) -> Vec<Block<'_>> {
    if content.array().is_none() {
        return Block::list_from_wire(content);
    }
    elements(Some(content)).map(block_of).collect()
}

fn block_of(value: Value<'_>) -> Block<'_> {
    let [kind, snake, camel, plain] = value.fields(["type", "image_url", "imageUrl", "url"]);
    let kind = string(kind).unwrap_or_default();
    match &*kind {
        "inputText" | "Text" | "summary_text" | "reasoning_text" | "text" => {
            value.get("text").and_then(Value::str).map_or_else(|| Block::from_wire(value), Block::Text)
        }
        "input_image" | "inputImage" | "image" | "Image" => match string(snake.or(camel).or(plain)) {
            Some(url) => image_of(url),
            None => Block::from_wire(value),
        },
        _ => Block::from_wire(value),
    }
}

pub(super) fn image_of(url: Cow<'_, str>) -> Block<'_> {
    let Some((mime, data)) = url.strip_prefix("data:").and_then(|rest| rest.split_once(";base64,")) else {
        return Block::Image { data: "".into(), mime_type: "".into(), uri: Some(url) };
    };
    Block::Image { data: data.to_owned().into(), mime_type: mime.to_owned().into(), uri: None }
}

/// The blocks of a message of the user or the agent, each as an item of its own.
pub(super) fn say_blocks(
    content: Option<Value<'_>>,
    kind: PartKind,
    context: &Context<'_>,
    facts: &mut dyn FactSink,
) {
    let mut said = false;
    for (index, entry) in elements(content).enumerate() {
        let text = entry.text().or_else(|| entry.get("text").and_then(Value::text));
        if let Some(text) = text {
            if !text.is_empty() {
                let part = match context.message {
                    Some(_) => PartRef::Index(index as u32),
                    None => PartRef::New,
                };
                facts.fact(context, Fact::PartWhole { part, kind, text });
                said = true;
            }
            continue;
        }
        facts.fact(context, Fact::PartBlock { kind, block: block_of(entry).content_block() });
        said = true;
    }
    if !said {
        facts.fact(context, Fact::Ignored("empty-text"));
    }
}

/// A plan.
pub(super) fn say_plan(list: Value<'_>, context: &Context<'_>, facts: &mut dyn FactSink) {
    let Some(mut plan) = Plan::read(list) else {
        facts.diagnostic("codex.wrong-type", Severity::Warn, "a plan that is no list");
        return facts.fact(context, Fact::Ignored("no-items"));
    };
    for _ in 0..plan.drop_textless() {
        facts.diagnostic("codex.wrong-type", Severity::Warn, "a todo entry without text");
    }
    facts.fact(context, plan.fact());
}

/// A text that is whole when it comes.
pub(super) fn say_whole(
    text: Option<Value<'_>>,
    part: PartRef<'_>,
    kind: PartKind,
    context: &Context<'_>,
    facts: &mut dyn FactSink,
) {
    let text: Option<Text<'_>> = text.and_then(Value::text);
    match text {
        Some(text) if !text.is_empty() => facts.fact(context, Fact::PartWhole { part, kind, text }),
        Some(_) => facts.fact(context, Fact::Ignored("empty-text")),
        None => {
            facts.diagnostic("codex.wrong-type", Severity::Warn, "a message without text");
            facts.fact(context, Fact::Ignored("no-text"));
        }
    }
}

/// A piece of a text.
pub(super) fn say_delta(
    delta: Option<Value<'_>>,
    part: PartRef<'_>,
    kind: PartKind,
    context: &Context<'_>,
    facts: &mut dyn FactSink,
) {
    match delta.and_then(Value::text) {
        Some(text) => facts.fact(context, Fact::PartDelta { part, kind, text }),
        None => {
            facts.diagnostic("codex.wrong-type", Severity::Warn, "a delta without text");
            facts.fact(context, Fact::Ignored("no-text"));
        }
    }
}
