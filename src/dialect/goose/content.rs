//! The items of a message: texts, thoughts, calls and their results, confirmations.

use super::{Goose, MOST_CALLS, say_notice};
use crate::dialect::content::Block;
use crate::dialect::speaker::Speaker;
use crate::dialect::tools::goose as tools;
use crate::dialect::walk::{Present, elements};
use crate::dialect::{Ask, CallRef, Fact, PartKind, PartRef};
use crate::event::{
    Blocking, Interrupt, InterruptKind, InterruptOption, Json, LinkSource, OptionKind, OptionScope, Severity,
    ToolStatus,
};
use crate::json::Value;

impl Goose {
    /// One item. `is_piece`: its text goes on where the message stopped. `is_only`: it is the whole record.
    pub(super) fn block(
        &mut self,
        block: Value<'_>,
        from_user: bool,
        is_piece: bool,
        is_only: bool,
        voice: &mut Speaker<'_, '_>,
    ) {
        let [word, text, thinking, id, call, result, name, arguments, prompt, msg] = block.fields([
            "type",
            "text",
            "thinking",
            "id",
            "toolCall",
            "toolResult",
            "toolName",
            "arguments",
            "prompt",
            "msg",
        ]);
        let kind = if from_user { PartKind::User } else { PartKind::Agent };
        let id = voice.filled(id, "content.id");
        match voice.filled(word, "content.type").as_deref() {
            Some("text") => say_piece(kind, text, is_piece, is_only, voice),
            Some("thinking") => say_piece(PartKind::Thought, thinking, is_piece, is_only, voice),
            Some("reasoning") => say_piece(PartKind::Thought, text, is_piece, is_only, voice),
            Some("redactedThinking") => voice.say(Fact::Ignored("redacted-thinking")),
            Some("image") => {
                let image = Block::from_wire(block);
                voice.say(Fact::PartBlock { kind, block: image.content_block() });
            }
            Some("toolRequest" | "frontendToolRequest") => self.request(id.as_deref(), call, voice),
            Some("toolResponse") => self.response(id.as_deref(), result, voice),
            Some("toolConfirmationRequest") => {
                let name = voice.filled(name, "content.toolName");
                let prompt = voice.filled(prompt, "content.prompt");
                say_ask(id.as_deref(), name.as_deref(), arguments, prompt.as_deref(), voice);
            }
            Some("systemNotification") => {
                let words = voice.filled(msg, "content.msg");
                say_notice(words.as_deref().unwrap_or(block.raw()), Severity::Info, None, voice);
            }
            Some(word @ "actionRequired") => voice.harness_event(word, block),
            word => voice.unknown(word, block),
        }
    }

    /// The call of a model, or why it could not be read.
    fn request(&mut self, id: Option<&str>, call: Option<Value<'_>>, voice: &mut Speaker<'_, '_>) {
        let Some(call) = call else {
            voice.wrong_type("content.toolCall");
            return voice.call(CallRef::of(id), None, &tools::present("tool", None), None, None);
        };
        let [value, error] = call.present_fields(["value", "error"]);
        let (name, input) = value.map_or((None, None), |value| {
            let [name, arguments] = value.fields(["name", "arguments"]);
            (voice.filled(name, "toolCall.name"), arguments.present())
        });
        let shown = tools::present(name.as_deref().unwrap_or("tool"), input);
        voice.call(CallRef::of(id), name.as_deref(), &shown, input, None);
        if let Some(error) = error {
            let words = error.get("message").unwrap_or(error);
            let blocks = [Block::Text(words.str().unwrap_or(words.raw().into()))];
            return voice.told_result(id, ToolStatus::Failed, &blocks, Some(call.raw()), None);
        }
        if let (Some(id), Some(name)) = (id, &name)
            && self.open.len() < MOST_CALLS
        {
            self.open.push((id.to_owned(), name.to_string()));
        }
        if name.is_some_and(|name| name.ends_with("todo_write"))
            && let Some(todos) = input.and_then(|input| input.get("content"))
        {
            voice.told_plan(todos);
        }
    }

    /// A result in one of four shapes: `{status, value: {content, isError}}`, the same with a bare list, `{Ok}`, `{Err}`.
    fn response(&mut self, id: Option<&str>, result: Option<Value<'_>>, voice: &mut Speaker<'_, '_>) {
        self.open.retain(|(open, _)| Some(&**open) != id);
        let Some(result) = result else {
            voice.wrong_type("content.toolResult");
            return voice.say(Fact::Ignored("no-result"));
        };
        let [status, value, error, ok, err] =
            result.present_fields(["status", "value", "error", "Ok", "Err"]);
        let stated_error = status.and_then(Value::str).is_some_and(|status| status != "success");
        if let Some(error) = error.or(err).or(value.filter(|_| stated_error)) {
            let words = error.get("message").unwrap_or(error);
            let blocks = [Block::Text(words.str().unwrap_or(words.raw().into()))];
            return voice.told_result(id, ToolStatus::Failed, &blocks, Some(result.raw()), None);
        }
        let value = value.or(ok);
        let [content, is_error] = value.map_or([None, None], |value| value.fields(["content", "isError"]));
        let content = content.or(value.filter(|value| value.array().is_some()));
        let mut blocks: Vec<Block<'_>> = Vec::new();
        let items = || elements(content);
        let has_users = items().any(|item| is_for(item, "user") == Some(true));
        for item in items().filter(|item| !has_users || is_for(*item, "user") != Some(false)) {
            let block = Block::from_wire(item);
            if !matches!(&block, Block::Text(text) if text.is_empty()) {
                blocks.push(block);
            }
        }
        let failed = stated_error || is_error.and_then(Value::bool) == Some(true);
        let status = if failed { ToolStatus::Failed } else { ToolStatus::Completed };
        voice.told_result(id, status, &blocks, Some(result.raw()), None);
    }
}

/// Whether an output is meant for `who`; `None` where it does not say. The same output may stand there twice, once for
/// the model and once for the user: the user's is shown, where there is one.
fn is_for(item: Value<'_>, who: &str) -> Option<bool> {
    let mut audience = item.get("annotations")?.get("audience")?.array()?;
    Some(audience.any(|word| word.str().as_deref() == Some(who)))
}

/// A text of a message with an id goes on; without one it is whole.
fn say_piece(
    kind: PartKind,
    value: Option<Value<'_>>,
    is_piece: bool,
    is_only: bool,
    voice: &mut Speaker<'_, '_>,
) {
    let Some(text) = value.and_then(Value::text) else {
        voice.wrong_type("content.text");
        return voice.say(Fact::Ignored("no-text"));
    };
    if text.is_empty() {
        return voice.say(Fact::Ignored("empty-text"));
    }
    if !is_piece || kind == PartKind::User {
        return voice.say(Fact::PartWhole { part: PartRef::New, kind, text });
    }
    if is_only {
        voice.repeatable(&[value.and_then(Value::str_raw).unwrap_or_default()]);
    }
    voice.say(Fact::PartDelta { part: PartRef::Run, kind, text });
}

/// Whether a tool may run. Its id is that of the call.
fn say_ask(
    id: Option<&str>,
    name: Option<&str>,
    arguments: Option<Value<'_>>,
    prompt: Option<&str>,
    voice: &mut Speaker<'_, '_>,
) {
    let option =
        |option_id, name, kind, scope| InterruptOption { option_id, name, kind, scope, editable: false };
    let options = vec![
        option("allow_once", "Allow", OptionKind::AllowOnce, Some(OptionScope::Once)),
        option("deny_once", "Deny", OptionKind::RejectOnce, Some(OptionScope::Once)),
    ];
    let shown = name.map(|name| tools::present(name, arguments));
    voice.say_extra(
        Some("{\"synthetic\":true}"),
        Fact::Ask(Ask {
            id,
            call: id.map(CallRef::Id),
            link: LinkSource::Inferred,
            interrupt: Interrupt {
                kind: InterruptKind::Approval,
                tool_name: name,
                title: shown.as_ref().map(|shown| &*shown.title),
                message: prompt,
                raw_input: arguments.map(|arguments| Json(arguments.raw())),
                options: options.into(),
                blocking: Blocking::Inline,
                ..Interrupt::default()
            },
        }),
    );
}
