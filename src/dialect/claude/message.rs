//! `assistant` and `user` lines: finished blocks of a message.

use std::borrow::Cow;

use super::memory::{Call, Memory, Role};
use super::speaker::{Extra, Speaker, error};
use super::typed::{self, Typed};
use super::usage::Counts;
use super::{Line, outcome, plan, task};
use crate::dialect::content::Block;
use crate::dialect::tools::claude as tools;
use crate::dialect::walk::Present;
use crate::dialect::{AgentSeen, CallRef, ErrorFact, Fact, PartKind, PartRef, WithdrawTarget};
use crate::event::{
    AgentStatus, Citations, CompactionUpdate, HarnessEvent, Json, Notice, Severity, Unknown, Update,
};
use crate::json::{Text, Value};

/// Stands where the model's name would, on texts the CLI made itself.
pub(super) const SYNTHETIC: &str = "<synthetic>";

/// What a block says about itself; one walk for all types.
struct Blocks<'a> {
    whole: Value<'a>,
    kind: Cow<'a, str>,
    text: Option<Value<'a>>,
    thinking: Option<Value<'a>>,
    id: Option<Value<'a>>,
    name: Option<Value<'a>>,
    input: Option<Value<'a>>,
    server: Option<Value<'a>>,
    citations: Option<Value<'a>>,
}

impl<'a> Blocks<'a> {
    fn read(whole: Value<'a>, speaker: &mut Speaker<'_, '_>) -> Blocks<'a> {
        let [kind, text, thinking, id, name, input, server, citations] = whole.present_fields([
            "type",
            "text",
            "thinking",
            "id",
            "name",
            "input",
            "server_name",
            "citations",
        ]);
        let kind = speaker.text(kind, "content.type").unwrap_or_default();
        Blocks { whole, kind, text, thinking, id, name, input, server, citations }
    }
}

/// The line's own words go beside each fact of each of its blocks. Where both are many they are left out, so that the
/// output stays in proportion to the line.
fn affordable(extra: Extra, blocks: Option<Value<'_>>) -> Option<String> {
    const FREE: usize = 1024;
    let extra = extra.finish()?;
    let many = || blocks.and_then(Value::array).is_some_and(|mut blocks| blocks.nth(16).is_some());
    if extra.len() > FREE && many() { None } else { Some(extra) }
}

pub(super) fn assistant(line: &Line<'_>, memory: &mut Memory, speaker: &mut Speaker<'_, '_>) {
    let Some(message) = line.message else { return speaker.wrong_type("message") };
    let [id, model, blocks, stop_reason, stop_sequence, usage] =
        message.present_fields(["id", "model", "content", "stop_reason", "stop_sequence", "usage"]);
    let id = speaker.text(id, "message.id");
    let model = speaker.text(model, "message.model");
    let synthetic = model.as_deref() == Some(SYNTHETIC);
    let mut extra = Extra::default();
    extra.value("stop_reason", stop_reason);
    extra.value("stop_sequence", stop_sequence);
    line.add_facts(&mut extra);
    if line.aborted {
        extra.raw("aborted", "true");
    }
    let extra = affordable(extra, blocks);
    let mut speaker = speaker.narrowed();
    speaker.context.message = id.as_deref();
    speaker.context.model = model.as_deref().filter(|_| !synthetic);
    speaker.context.extra = extra.as_deref().map(Json);
    let speaker = &mut speaker;
    superseded(line, speaker);
    let code = speaker.text(line.error, "error");
    if synthetic || line.api_error {
        return cli_words(line, code.as_deref(), blocks, speaker);
    }
    if let Some(code) = code.as_deref() {
        speaker.say(Fact::Error(ErrorFact { code: Some(code), repeats: true, ..error(code) }));
    }
    let lane = memory.lanes.find(line.parent.as_deref());
    let streams = id.is_some() && lane.is_some_and(|lane| lane.message.as_deref() == id.as_deref());
    match blocks {
        None => speaker.say(Fact::Ignored("no-content")),
        Some(blocks) => match blocks.text() {
            Some(text) if line.aborted => broken(line, PartKind::Agent, text, memory, speaker),
            Some(text) => whole(PartKind::Agent, text, streams, speaker),
            None => {
                for block in speaker.each(Some(blocks), "message.content") {
                    assistant_block(line, block, streams, memory, speaker);
                }
            }
        },
    }
    memory.tells_stops |= line.saved && stop_reason.is_some();
    // A broken answer was never counted to its end: what stands there are the counts of its start.
    let broken = line.saved && stop_reason.is_none() && (line.aborted || memory.tells_stops);
    if let Some(usage) = usage.filter(|_| !broken) {
        Counts::read(usage, speaker).say(id.as_deref(), None, speaker);
    }
    if line.aborted {
        let stop_reason = stop_reason.and_then(Value::str);
        speaker.say(Fact::MessageEnd { stop_reason: stop_reason.as_deref(), aborted: true });
    }
}

/// `supersedes` names earlier lines that this one replaces.
fn superseded(line: &Line<'_>, speaker: &mut Speaker<'_, '_>) {
    for earlier in speaker.each(line.supersedes, "supersedes") {
        if let Some(uuid) = speaker.text(Some(earlier), "supersedes") {
            speaker.say(Fact::Withdraw { target: WithdrawTarget::Record(&uuid), reason: "superseded" });
        }
    }
}

/// A text the CLI made itself: a failure of the API, else a remark. Never the model's answer.
fn cli_words(line: &Line<'_>, code: Option<&str>, blocks: Option<Value<'_>>, speaker: &mut Speaker<'_, '_>) {
    let mut words = String::new();
    if let Some(blocks) = blocks {
        match blocks.str() {
            Some(text) => words.push_str(&text),
            None => {
                for block in speaker.each(Some(blocks), "message.content") {
                    words.push_str(&block.get("text").and_then(Value::str).unwrap_or_default());
                }
            }
        }
    }
    if line.api_error || code.is_some() {
        let message = if words.is_empty() { code.unwrap_or("error") } else { &words };
        // In a saved session nothing else tells that the turn failed.
        let fatal = line.saved && line.parent.is_none();
        speaker.say(Fact::Error(ErrorFact { code, fatal, repeats: true, ..error(message) }));
    } else if !words.is_empty() {
        speaker.say(Fact::Tell(Notice { severity: Severity::Info, text: &words, stream: None }.into()));
    }
}

/// A text that an interrupt broke off: all there will be of its part, which ends as aborted. Where nothing streamed it
/// before, the line's own id names the part.
fn broken(line: &Line<'_>, kind: PartKind, text: Text<'_>, memory: &Memory, speaker: &mut Speaker<'_, '_>) {
    let open = memory
        .lanes
        .find(line.parent.as_deref())
        .filter(|lane| lane.message.as_deref() == speaker.context.message);
    let part = match (open.and_then(|lane| lane.parts.last()), line.uuid.as_deref()) {
        (Some(&index), _) => PartRef::Index(index),
        (None, Some(uuid)) => PartRef::Id(uuid),
        (None, None) => return speaker.say(Fact::PartWhole { part: PartRef::Unclaimed, kind, text }),
    };
    speaker.say(Fact::PartSoFar { part, kind, text });
    speaker.say(Fact::PartEnd { part, stop_reason: None, aborted: true });
}

/// A whole text. An empty one matters only where its part was opened by the stream.
fn whole(kind: PartKind, text: Text<'_>, streams: bool, speaker: &mut Speaker<'_, '_>) {
    if text.is_empty() && !streams {
        return speaker.say(Fact::Ignored("empty-text"));
    }
    speaker.say(Fact::PartWhole { part: PartRef::Unclaimed, kind, text });
}

fn assistant_block(
    line: &Line<'_>,
    block: Value<'_>,
    streams: bool,
    memory: &mut Memory,
    speaker: &mut Speaker<'_, '_>,
) {
    let block = Blocks::read(block, speaker);
    match &*block.kind {
        "text" => match block.text.and_then(Value::text) {
            Some(text) if line.aborted => broken(line, PartKind::Agent, text, memory, speaker),
            Some(text) => {
                whole(PartKind::Agent, text, streams, speaker);
                if let Some(items) = block
                    .citations
                    .filter(|items| items.array().is_some_and(|mut list| list.next().is_some()))
                {
                    speaker.say(Fact::Tell(Citations { items: Json(items.raw()), model_only: false }.into()));
                }
            }
            None => speaker.wrong_type("content.text"),
        },
        "thinking" => match block.thinking.and_then(Value::text) {
            Some(text) if line.aborted => broken(line, PartKind::Thought, text, memory, speaker),
            Some(text) => whole(PartKind::Thought, text, streams, speaker),
            None => speaker.wrong_type("content.thinking"),
        },
        "redacted_thinking" => speaker.say(Fact::Ignored("redacted-thinking")),
        "tool_use" | "server_tool_use" | "mcp_tool_use" => tool_use(line, &block, memory, speaker),
        "image" => {
            let image = Block::from_wire(block.whole);
            speaker.say(Fact::PartBlock { kind: PartKind::Agent, block: image.content_block() });
        }
        "compaction" => {
            let summary = block.whole.get("content").and_then(Value::str);
            let update =
                CompactionUpdate { status: "completed", summary: summary.as_deref(), ..Default::default() };
            speaker.say(Fact::Tell(update.into()));
        }
        "fallback" | "container_upload" | "mcp_tool_listing" => {
            let event = HarnessEvent { type_: &block.kind, payload: Some(Json(block.whole.raw())) };
            speaker.say(Fact::Tell(event.into()));
        }
        kind if kind.ends_with("tool_result") => outcome::server_result(block.whole, kind, speaker),
        kind => {
            let word = ["assistant/", kind].concat();
            speaker.say(Fact::Tell(Update::Unknown(Unknown { type_: Some(&word), raw: block.whole.raw() })));
        }
    }
}

/// The tool's name as cards show it: tools of an MCP connector get their server's name in front.
pub(super) fn tool_name<'a>(
    kind: &str,
    name: Option<Cow<'a, str>>,
    server: Option<Cow<'a, str>>,
) -> Option<Cow<'a, str>> {
    match (name, server) {
        (Some(name), Some(server)) if kind == "mcp_tool_use" => {
            Some(["mcp__", &server, "__", &name].concat().into())
        }
        (name, _) => name,
    }
}

fn tool_use(line: &Line<'_>, block: &Blocks<'_>, memory: &mut Memory, speaker: &mut Speaker<'_, '_>) {
    let id = speaker.text(block.id, "content.id");
    let name = speaker.text(block.name, "content.name");
    let server = speaker.text(block.server, "content.server_name");
    let name = tool_name(&block.kind, name, server);
    let call = CallRef::of(id.as_deref());
    let shown = tools::present(name.as_deref().unwrap_or("Unknown Tool"), block.input);
    speaker.say(Fact::ToolSeen(shown.seen(call, name.as_deref(), block.input.map(Value::raw), None)));
    let name = name.as_deref().unwrap_or_default();
    if name == "TodoWrite" {
        plan::todos(block.input, speaker);
    }
    let Some(id) = id.as_deref() else { return };
    let role = match name {
        "Agent" | "Task" => {
            agent_call(line, id, block.input, memory, speaker);
            Role::Agent
        }
        _ => plan::role(name, block.input),
    };
    if line.parent.is_some() || !matches!(role, Role::Plain) {
        memory.calls.insert(id, Call { agent: line.parent.as_deref().map(str::to_string), role });
    }
}

/// The call that runs a subagent; the agent's key is the call's id, but for one that spoke before its call was read.
fn agent_call(
    line: &Line<'_>,
    id: &str,
    input: Option<Value<'_>>,
    memory: &mut Memory,
    speaker: &mut Speaker<'_, '_>,
) {
    let [kind, description, prompt] =
        input.map_or([None; 3], |input| input.fields(["subagent_type", "description", "prompt"]));
    let name = kind.and_then(Value::str).or_else(|| description.and_then(Value::str));
    let prompt = prompt.filter(|_| line.saved).and_then(Value::str);
    if let Some(prompt) = prompt {
        match memory.orphans.get_mut(&prompt).map(std::mem::take).filter(|key| !key.is_empty()) {
            Some(key) => memory.chains.insert(id, key),
            None => memory.prompts.insert(&prompt, id.to_string()),
        }
    }
    speaker.say(Fact::AgentSeen(AgentSeen {
        agent: memory.chains.get(id).map_or(id, String::as_str),
        name: name.as_deref(),
        session: None,
        call: Some(CallRef::Id(id)),
        status: Some(AgentStatus::Running),
    }));
}

/// Tool results, echoes of prompts, a subagent's prompt; every other text is put there for the model.
pub(super) fn user(line: &Line<'_>, memory: &mut Memory, speaker: &mut Speaker<'_, '_>) {
    let Some(message) = line.message else { return speaker.wrong_type("message") };
    let blocks = message.get("content").present();
    let Some(content) = blocks else {
        return speaker.say(Fact::Ignored("no-content"));
    };
    let mut extra = Extra::default();
    line.add_facts(&mut extra);
    extra.value("tool_result_meta", line.result_meta);
    let extra = affordable(extra, blocks);
    let mut speaker = speaker.narrowed();
    speaker.context.extra = extra.as_deref().map(Json);
    let speaker = &mut speaker;
    if let Some(text) = content.text() {
        return user_text(line, text, line.replay || line.parent.is_some(), memory, speaker);
    }
    let blocks = speaker.each(Some(content), "message.content");
    let is_result =
        |block: &Value<'_>| block.get("type").and_then(Value::str).as_deref() == Some("tool_result");
    let results = blocks.clone().filter(is_result).count();
    let prompt = results == 0 && (line.replay || line.parent.is_some());
    let mut output = line.output.present();
    for block in blocks {
        if is_result(&block) {
            // One record for all results of the line: it is the first one's.
            outcome::tool_result(line, block, output.take(), memory, speaker);
            continue;
        }
        match block.get("text").present() {
            Some(text) => match text.text() {
                Some(text) => user_text(line, text, prompt, memory, speaker),
                None => speaker.wrong_type("content.text"),
            },
            None if prompt && line.replay && !line.synthetic => {
                let block = outcome::result_block(block);
                speaker.say(Fact::PartBlock { kind: PartKind::User, block: block.content_block() });
            }
            None => speaker.say(Fact::Ignored("injected")),
        }
    }
}

/// A text of a user line; `prompt`: a person or an agent wrote it, not the CLI.
pub(super) fn user_text(
    line: &Line<'_>,
    text: Text<'_>,
    prompt: bool,
    memory: &mut Memory,
    speaker: &mut Speaker<'_, '_>,
) {
    if line.synthetic {
        if std::mem::take(&mut memory.summary_next) {
            let summary = text.into_cow();
            let update =
                CompactionUpdate { status: "completed", summary: Some(&summary), ..Default::default() };
            return speaker.say(Fact::Tell(update.into()));
        }
        return speaker.say(Fact::Injected { text });
    }
    let typed = typed::read(&text.text);
    match typed {
        // Who reads the line says what it means for the turn.
        Typed::Interrupted if line.saved => {}
        _ if !prompt => speaker.say(Fact::Injected { text }),
        Typed::Command(words) => {
            let text = Text::plain(&words);
            speaker.say(Fact::PartWhole { part: PartRef::New, kind: PartKind::User, text });
        }
        Typed::Output { text: "", .. } => speaker.say(Fact::Ignored("empty-text")),
        Typed::Output { text, is_error } => {
            let severity = if is_error { Severity::Warning } else { Severity::Info };
            speaker.say(Fact::Tell(Notice { severity, text, stream: None }.into()));
        }
        Typed::Notification(report) if line.saved => task::reported(line, report, memory, speaker),
        Typed::Caveat => speaker.say(Fact::Injected { text }),
        _ if text.is_empty() => speaker.say(Fact::Ignored("empty-text")),
        _ => speaker.say(Fact::PartWhole { part: PartRef::New, kind: PartKind::User, text }),
    }
}
