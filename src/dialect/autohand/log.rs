//! The session log `conversation.jsonl`: one row per message.

use std::borrow::Cow;

use super::Autohand;
use super::calls::{self, Call};
use super::fields::{self, Event};
use super::turns::piece;
use crate::dialect::content::{Block, contents_of};
use crate::dialect::tools::autohand as tools;
use crate::dialect::walk::Present;
use crate::dialect::{CallRef, Context, Fact, FactSink, PartKind, PartRef, ToolChanged};
use crate::event::{Json, OutputStream, ToolStatus};
use crate::json::{Text, Value};

impl Autohand {
    pub(super) fn log_row(&mut self, event: &Event<'_>, facts: &mut dyn FactSink) {
        let line = event.read(["role", "content", "toolCalls", "name", "toolCallId"]);
        let [role, content, calls, name, call] = line.found;
        let context = line.context(&self.session);
        let role = role.and_then(Value::str).unwrap_or_default();
        match &*role {
            "user" => message(PartKind::User, content, &context, facts),
            "assistant" => {
                if calls.is_none() || content.is_some_and(|content| content.str().as_deref() != Some("")) {
                    message(PartKind::Agent, content, &context, facts);
                }
                made_calls(calls, &context, facts);
            }
            "tool" => {
                let meta = event.params.get("_meta");
                let row = ToolRow { content, name, call, stream: meta.and_then(|meta| meta.get("stream")) };
                row.tell(&context, facts);
            }
            "system" => match piece(content, "content", facts) {
                Some(text) => facts.fact(&context, Fact::Injected { text }),
                None => facts.fact(&context, Fact::Ignored("empty-message")),
            },
            _ => self.unknown(Some(&role), event.raw, facts),
        }
    }
}

/// The text of a row, or its content blocks one by one.
fn message(kind: PartKind, content: Option<Value<'_>>, context: &Context<'_>, facts: &mut dyn FactSink) {
    let blocks = match content {
        Some(content) if content.array().is_some() => Block::list_from_wire(content),
        _ => Vec::new(),
    };
    let mut said = false;
    for block in &blocks {
        match block {
            Block::Text(text) if text.is_empty() => continue,
            Block::Text(text) => whole(kind, Text::plain(text), context, facts),
            block => facts.fact(context, Fact::PartBlock { kind, block: block.content_block() }),
        }
        said = true;
    }
    if content.is_none_or(|content| content.array().is_none())
        && let Some(text) = piece(content, "content", facts)
    {
        whole(kind, text, context, facts);
        said = true;
    }
    if !said {
        facts.fact(context, Fact::Ignored("empty-message"));
    }
}

fn whole(kind: PartKind, text: Text<'_>, context: &Context<'_>, facts: &mut dyn FactSink) {
    facts.fact(context, Fact::PartWhole { part: PartRef::New, kind, text });
}

fn made_calls(calls: Option<Value<'_>>, context: &Context<'_>, facts: &mut dyn FactSink) {
    let Some(calls) = calls else { return };
    let Some(items) = calls.array() else { return fields::wrong_type("toolCalls", "an array", facts) };
    for item in items {
        let [id, tool, name, args] = item.fields(["id", "tool", "name", "args"]);
        let id = fields::filled(id, "id", facts);
        let name = fields::filled(tool.or(name), "tool", facts);
        let call = Call { id: id.as_deref(), name: name.as_deref(), args: args.present() };
        call.seen(None, context, facts);
        call.also(&Context { extra: None, ..*context }, facts);
    }
}

/// A row of a tool: a piece of its output, or the whole result that replaces the pieces.
struct ToolRow<'a> {
    content: Option<Value<'a>>,
    name: Option<Value<'a>>,
    call: Option<Value<'a>>,
    stream: Option<Value<'a>>,
}

impl ToolRow<'_> {
    fn tell(&self, context: &Context<'_>, facts: &mut dyn FactSink) {
        let id = fields::filled(self.call, "tool_call_id", facts);
        let name = fields::filled(self.name, "name", facts);
        let call = match id.as_deref() {
            Some(id) => CallRef::Id(id),
            None => CallRef::Match { id: None, name: name.as_deref().unwrap_or_default(), lane: None },
        };
        let stream = self.stream.and_then(Value::str).and_then(|word| OutputStream::from_word(&word));
        if stream.is_some() {
            match piece(self.content, "content", facts) {
                Some(text) => facts.fact(context, Fact::OutputDelta { call, text, stream }),
                None => facts.fact(context, Fact::Ignored("empty-delta")),
            }
            return;
        }
        let text = self.content.map(|content| content.str().unwrap_or(Cow::Borrowed(content.raw())));
        if name.as_deref() == Some(tools::QUESTION) {
            let words = text.as_deref().unwrap_or_default();
            calls::answered(call, words, &Context { extra: None, ..*context }, facts);
        }
        let blocks: Vec<_> = text.filter(|text| !text.is_empty()).map(Block::Text).into_iter().collect();
        facts.fact(
            context,
            Fact::ToolChanged(ToolChanged {
                status: Some(ToolStatus::Completed),
                name: name.as_deref(),
                content: contents_of(&blocks),
                output: self.content.map(|content| Json(content.raw())),
                ..ToolChanged::about(call)
            }),
        );
    }
}
