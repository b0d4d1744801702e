//! Results of calls, and what they mean beyond their card.

use std::borrow::Cow;

use super::Line;
use super::memory::{Memory, Role, Task};
use super::speaker::Speaker;
use super::{ask, plan};
use crate::dialect::content::{self, Block};
use crate::dialect::walk::elements;
use crate::dialect::{AgentSeen, CallRef, Fact, ToolChanged};
use crate::event::{AgentStatus, Json, ToolStatus};
use crate::json::Value;

/// A `tool_result` block. `output` is the tool's own record beside the message.
pub(super) fn tool_result(
    line: &Line<'_>,
    block: Value<'_>,
    output: Option<Value<'_>>,
    memory: &mut Memory,
    speaker: &mut Speaker<'_, '_>,
) {
    let [id, result, is_error] = block.present_fields(["tool_use_id", "content", "is_error"]);
    let id = speaker.text(id, "tool_result.tool_use_id");
    let failed = flag(is_error, speaker);
    if let Some(id) = id.as_deref() {
        ask::decided(line, id, memory, speaker);
    }
    let mut blocks = result_blocks(result);
    let (told_late, changes) = output.filter(|_| !failed).map_or((false, Vec::new()), changes);
    let told_late = if told_late {
        changes
    } else {
        blocks.extend(changes);
        Vec::new()
    };
    let role = id.as_deref().and_then(|id| memory.calls.get_mut(id)).map(|call| &mut call.role);
    let left_plan = !failed && matches!(role, Some(Role::PlanExit));
    speaker.say(Fact::ToolChanged(ToolChanged {
        status: Some(if failed { ToolStatus::Failed } else { ToolStatus::Completed }),
        title: left_plan.then_some("Exited Plan Mode"),
        content: content::contents_of(&blocks),
        input_content: content::contents_of(&told_late),
        output: output.map(|output| Json(output.raw())),
        ..ToolChanged::about(CallRef::of(id.as_deref()))
    }));
    match (id.as_deref(), role) {
        (Some(id), Some(Role::Agent)) => agent_result(id, failed, &blocks, output, memory, speaker),
        (_, Some(role)) if !failed => plan::apply(role, &blocks, output, speaker),
        _ => {}
    }
}

/// Hunks of one file that are shown; the result record keeps the rest.
const MOST_HUNKS: usize = 64;

/// What a result says was changed in a file, and whether a call of that tool shows as much. Only the arguments of a
/// `Write` over an old file do not: they know nothing of what was there.
fn changes(output: Value<'_>) -> (bool, Vec<Block<'_>>) {
    let [hunks, path, kind, old, new, content] =
        output.fields(["structuredPatch", "filePath", "type", "oldString", "newString", "content"]);
    let (Some(hunks), Some(path)) = (hunks.and_then(Value::array), path.and_then(Value::str)) else {
        return (false, Vec::new());
    };
    let kind = kind.and_then(Value::str);
    let whole = match kind.as_deref() {
        Some("create") => Some((None, content)),
        _ => new.map(|new| (old.and_then(Value::str), Some(new))),
    };
    if let Some((old, new)) = whole {
        let new = new.and_then(Value::str).unwrap_or_default();
        return (true, vec![Block::Diff { path, old, new }]);
    }
    let mut diffs = Vec::new();
    for hunk in hunks.take(MOST_HUNKS) {
        let (mut old, mut new) = (String::new(), String::new());
        let mut before = String::new();
        for line in elements(hunk.get("lines")).filter_map(Value::str) {
            let (sign, text) = line.split_at_checked(1).unwrap_or_default();
            for (side, others) in [(&mut old, "+"), (&mut new, "-")] {
                if sign == "\\" && before != others {
                    // "No newline at end of file", said about the line before.
                    side.pop();
                } else if sign != "\\" && sign != others {
                    side.push_str(text);
                    side.push('\n');
                }
            }
            before = sign.to_string();
        }
        diffs.push(Block::Diff { path: path.clone(), old: Some(old.into()), new: new.into() });
    }
    (kind.as_deref() != Some("update"), diffs)
}

/// The result of the call that runs an agent. One launched in the background only starts with it. It names the agent,
/// by which other records refer to it.
fn agent_result(
    id: &str,
    failed: bool,
    blocks: &[Block<'_>],
    output: Option<Value<'_>>,
    memory: &mut Memory,
    speaker: &mut Speaker<'_, '_>,
) {
    let [word, agent] = output.map_or([None; 2], |output| output.fields(["status", "agentId"]));
    let status = match word.and_then(Value::str).as_deref() {
        _ if failed => AgentStatus::Failed,
        Some("async_launched" | "remote_launched") => AgentStatus::Running,
        _ => AgentStatus::Completed,
    };
    if let Some(agent) = agent.and_then(Value::str).or_else(|| blocks.iter().find_map(named_agent)) {
        match memory.tasks.get(&agent).map(|task| task.call.is_some()) {
            None => memory.tasks.insert(&agent, Task { call: Some(id.to_string()), is_agent: true }),
            // It spoke before; its key stays its own id.
            Some(false) => memory.chains.insert(id, agent.into_owned()),
            Some(true) => {}
        }
    }
    let key = memory.chains.get(id).map_or(id, String::as_str);
    let agent = AgentSeen {
        agent: key,
        name: None,
        session: None,
        call: Some(CallRef::Id(id)),
        status: Some(status),
    };
    speaker.say(Fact::AgentSeen(agent));
}

/// The agent's id out of "agentId: a1b2 (...)"; inside subagents the result has no record beside it.
fn named_agent<'a>(block: &'a Block<'_>) -> Option<Cow<'a, str>> {
    let Block::Text(text) = block else { return None };
    let rest = text.split_once("agentId: ")?.1;
    let end =
        rest.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '-').unwrap_or(rest.len());
    rest.get(..end).filter(|id| !id.is_empty()).map(Cow::Borrowed)
}

/// The result of a tool that runs at the model's host: a block of the assistant's own message.
pub(super) fn server_result(block: Value<'_>, kind: &str, speaker: &mut Speaker<'_, '_>) {
    let [id, result, is_error] = block.present_fields(["tool_use_id", "content", "is_error"]);
    let id = speaker.text(id, "tool_use_id");
    let Some(id) = id.as_deref() else { return speaker.wrong_type(&[kind, ".tool_use_id"].concat()) };
    let word = result.and_then(|result| result.get("type")?.str());
    let failed = flag(is_error, speaker) || word.is_some_and(|word| word.ends_with("_error"));
    let blocks = result_blocks(result);
    speaker.say(Fact::ToolChanged(ToolChanged {
        status: Some(if failed { ToolStatus::Failed } else { ToolStatus::Completed }),
        content: content::contents_of(&blocks),
        output: result.map(|result| Json(result.raw())),
        ..ToolChanged::about(CallRef::Id(id))
    }));
}

fn flag(value: Option<Value<'_>>, speaker: &mut Speaker<'_, '_>) -> bool {
    let flag = value.and_then(Value::bool);
    if value.is_some() && flag.is_none() {
        speaker.wrong_type("is_error");
    }
    flag.unwrap_or(false)
}

/// A string, a list of blocks, or nothing. An empty text is no content.
fn result_blocks(result: Option<Value<'_>>) -> Vec<Block<'_>> {
    let Some(result) = result else { return Vec::new() };
    let mut blocks: Vec<_> = match result.array() {
        Some(items) => items.map(result_block).collect(),
        None => vec![result_block(result)],
    };
    blocks.retain(|block| !matches!(block, Block::Text(text) if text.is_empty()));
    blocks
}

/// One block of a result; the kinds only Anthropic has become text or links.
pub(super) fn result_block(value: Value<'_>) -> Block<'_> {
    let [kind, name, title, url, source] = value.fields(["type", "tool_name", "title", "url", "source"]);
    let title = title.and_then(Value::str);
    match kind.and_then(Value::str).as_deref() {
        Some("tool_reference") => {
            Block::Text(["Tool: ", &name.and_then(Value::str).unwrap_or_default()].concat().into())
        }
        Some("document") => {
            let media =
                source.and_then(|source| source.get("media_type")?.str()).unwrap_or("document".into());
            Block::Text(match title {
                Some(title) => ["[", &media, "] ", &title].concat().into(),
                None => ["[", &media, "]"].concat().into(),
            })
        }
        Some("web_search_result") => match url.and_then(Value::str) {
            Some(uri) => Block::ResourceLink { uri, name: title.clone(), title, mime_type: None },
            None => Block::from_wire(value),
        },
        _ => Block::from_wire(value),
    }
}
