//! Messages made of blocks, as the JSON-RPC stream and saved sessions have them, and todo lists in both their forms.

use std::borrow::Cow;

use super::{Line, say_call};
use crate::dialect::content::Block;
use crate::dialect::plan::{Plan, plan_status};
use crate::dialect::speaker::Speaker;
use crate::dialect::tools::droid as tools;
use crate::dialect::walk::Present;
use crate::dialect::{CallRef, Fact, PartKind, PartRef};
use crate::event::{PlanStatus, ToolStatus};
use crate::json::Value;

/// A saved `message` record.
pub(super) fn saved(line: &Line<'_>, speaker: &mut Speaker<'_, '_>) {
    let Some(message) = line.message else { return };
    say(line.id.as_deref(), message, speaker);
}

/// One whole message. Its texts may have streamed under their numbers before; all of it may come twice.
pub(super) fn say(id: Option<&str>, message: Value<'_>, speaker: &mut Speaker<'_, '_>) {
    let [own, role, content] = message.fields(["id", "role", "content"]);
    let own = own.and_then(Value::str);
    let role = role.and_then(Value::str);
    let kind = if role.as_deref() == Some("user") { PartKind::User } else { PartKind::Agent };
    let mut speaker = speaker.narrowed();
    speaker.context.message = id.or(own.as_deref());
    let Some(content) = content else { return speaker.say(Fact::Ignored("no-content")) };
    if content.str_raw().is_some() {
        return text(0, kind, content, &mut speaker);
    }
    for (index, block) in (0..).zip(speaker.each(Some(content), "message.content")) {
        self::block(index, kind, block, &mut speaker);
    }
}

fn block(index: u32, kind: PartKind, block: Value<'_>, speaker: &mut Speaker<'_, '_>) {
    let [word, words, thinking, id, name, input] =
        block.fields(["type", "text", "thinking", "id", "name", "input"]);
    match word.and_then(Value::str).as_deref() {
        Some("text") => text(index, kind, words.unwrap_or(block), speaker),
        Some("thinking") => {
            speaker.whole(PartRef::Index(index), PartKind::Thought, thinking.or(words), "content.thinking");
        }
        Some("tool_use") => {
            let (id, name) = (id.and_then(Value::str), name.and_then(Value::str));
            say_call(
                id.as_deref().filter(|id| !id.is_empty()),
                name.as_deref(),
                input,
                ToolStatus::Pending,
                speaker,
            );
        }
        Some("tool_result") => result(block, speaker),
        Some("image") => {
            let block = Block::from_wire(block);
            speaker.say(Fact::PartBlock { kind, block: block.content_block() });
        }
        _ => speaker.harness_event("block", block),
    }
}

/// What a user's message holds for the model's eyes is no prompt.
fn text(index: u32, kind: PartKind, words: Value<'_>, speaker: &mut Speaker<'_, '_>) {
    match words.text() {
        Some(text) if kind == PartKind::User && text.text.trim_start().starts_with("<system-reminder>") => {
            speaker.say(Fact::Injected { text });
        }
        _ => speaker.whole(PartRef::Index(index), kind, Some(words), "content.text"),
    }
}

/// A result by the id of its call, under the names of a block or of a notification.
pub(super) fn result(block: Value<'_>, speaker: &mut Speaker<'_, '_>) {
    let [id, call, content, is_error, flag] =
        block.fields(["tool_use_id", "toolUseId", "content", "is_error", "isError"]);
    let id = id.or(call).and_then(Value::str).filter(|id| !id.is_empty());
    let content = content.present();
    let blocks = content.map_or_else(Vec::new, tools::result_blocks);
    let failed = match is_error.or(flag).and_then(Value::bool) {
        Some(failed) => failed,
        None => content.and_then(Value::str).is_some_and(|text| tells_failure(&text)),
    };
    speaker.result(CallRef::of(id.as_deref()), failed, &blocks, None);
}

/// Where the flag is missing, a shell tells its failure in words.
fn tells_failure(text: &str) -> bool {
    let code = text.trim_end().rsplit_once("[Process exited with code ").map(|(_, code)| code);
    text.starts_with("Error: Command failed (exit code:")
        || code.is_some_and(|code| code != "0]" && code.ends_with(']'))
}

/// A todo list: a list of entries, or a text with one entry a line: `1. [in_progress] words`.
pub(super) fn todos(list: Value<'_>, speaker: &mut Speaker<'_, '_>) {
    let Some(lines) = list.str() else {
        // A state record wraps the list once more.
        return match list.get("todos") {
            Some(inner) if inner.get("todos").is_none() => todos(inner, speaker),
            _ => speaker.todos(list),
        };
    };
    let mut plan = Plan::default();
    for line in lines.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let line = line.trim_start_matches(|letter: char| letter.is_ascii_digit());
        let line = line.trim_start_matches(['.', ')', '-', '*']).trim_start();
        let marked = line.strip_prefix('[').and_then(|line| line.split_once(']'));
        let (status, words) =
            marked.map_or((PlanStatus::Pending, line), |(word, words)| (plan_status(word), words));
        plan.add(words.trim(), status);
    }
    speaker.say(plan.fact());
}

/// The text of a value that is one.
pub(super) fn string(value: Option<Value<'_>>) -> Option<Cow<'_, str>> {
    value.and_then(Value::str).filter(|text| !text.is_empty())
}
