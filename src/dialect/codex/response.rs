//! The model's own items (`response_item`): messages, thoughts, calls and their outputs.

use std::borrow::Cow;

use super::calls::{Call, Calls};
use super::card::Told;
use super::output;
use super::read::{blocks_of, joined_texts, say_blocks, say_plan, string, with_extra};
use crate::dialect::content::{Block, contents_of, tool_contents};
use crate::dialect::tools::{Presentation, codex};
use crate::dialect::walk::{Present, elements};
use crate::dialect::{CallRef, Context, Fact, FactSink, PartKind, PartRef, ToolChanged};
use crate::event::{HarnessEvent, Json, ToolKind, ToolStatus, Update};
use crate::framing::Severity;
use crate::json::{Text, Value};

/// How texts begin that the harness wrote in the user's name.
const INJECTED: &[&str] = &[
    "<environment_context>",
    "<user_instructions>",
    "<INSTRUCTIONS>",
    "# AGENTS.md instructions",
    "<turn_aborted>",
    "<skill>",
    "<skills_instructions>",
    "<permissions instructions>",
    "<collaboration_mode>",
    "<apps_instructions>",
    "<plugins_instructions>",
    "<subagent_notification>",
    "<user_shell_command>",
    "<model_switch>",
    "<personality_spec>",
    "<realtime_conversation>",
    "<hook_prompt",
    "<goal_context>",
    "<codex_internal_context",
];

/// Items that say nothing of the work.
const SILENT: &[&str] = &[
    "ghost_snapshot",
    "compaction",
    "context_compaction",
    "compaction_trigger",
    "compaction_summary",
    "configuration_update",
    "additional_tools",
    "other",
];

const ITEMS: &[&str] = &[
    "message",
    "reasoning",
    "function_call",
    "function_call_output",
    "custom_tool_call",
    "custom_tool_call_output",
    "local_shell_call",
    "web_search_call",
    "image_generation_call",
    "tool_search_call",
    "tool_search_output",
];

/// Whether a bare line of the oldest files is one of the model's items.
pub(super) fn is_item(type_: &str) -> bool {
    ITEMS.contains(&type_) || SILENT.contains(&type_)
}

/// States what an item says.
pub(super) fn say(item: Value<'_>, calls: &mut Calls, context: &Context<'_>, facts: &mut dyn FactSink) {
    let type_ = string(item.get("type")).unwrap_or_default();
    match &*type_ {
        "message" => message(item, context, facts),
        "reasoning" => reasoning(item, context, facts),
        "function_call" | "custom_tool_call" | "tool_search_call" => {
            call(&type_, item, calls, context, facts)
        }
        "function_call_output" | "custom_tool_call_output" | "tool_search_output" => {
            output_of(item, calls, context, facts);
        }
        "local_shell_call" => local_shell(item, calls, context, facts),
        "web_search_call" => web_search(item, context, facts),
        "image_generation_call" => image(item, context, facts),
        word if SILENT.contains(&word) => facts.fact(context, Fact::Ignored("housekeeping")),
        word => {
            let word = HarnessEvent { type_: word, payload: Some(Json(item.raw())) };
            facts.fact(context, Fact::Tell(Update::HarnessEvent(word)));
        }
    }
}

fn id_of<'a>(id: Option<Value<'a>>) -> Option<Cow<'a, str>> {
    string(id).filter(|id| !id.is_empty())
}

fn message(item: Value<'_>, context: &Context<'_>, facts: &mut dyn FactSink) {
    let [id, role, content, phase, passed] =
        item.fields(["id", "role", "content", "phase", "internal_chat_message_metadata_passthrough"]);
    let id = id_of(id);
    let context = Context { message: id.as_deref(), ..*context };
    match string(role).as_deref() {
        Some("assistant") => {
            let mut owned = String::new();
            let blocks = content.and_then(Value::array).map_or(0, Iterator::count);
            let only = content.and_then(Value::array).and_then(|mut blocks| blocks.next());
            let text = match only.and_then(|only| only.get("text")?.text()).filter(|_| blocks == 1) {
                Some(text) => text,
                None => {
                    joined_texts(content, "", &mut owned);
                    Text::plain(&owned)
                }
            };
            say_text(text, PartKind::Agent, string(phase).as_deref(), &context, facts);
        }
        Some("user") => {
            let context = Context { model: None, ..context };
            let first = content.and_then(Value::array).and_then(|mut blocks| blocks.next());
            let text = first.and_then(|first| first.get("text")?.text());
            let by_harness = written_by_harness(passed);
            match text {
                Some(text) if by_harness || INJECTED.iter().any(|words| text.text.starts_with(words)) => {
                    facts.fact(&context, Fact::Injected { text });
                }
                _ => say_blocks(content, PartKind::User, &context, facts),
            }
        }
        _ => {
            let mut owned = String::new();
            joined_texts(content, "\n", &mut owned);
            facts.fact(&context, Fact::Injected { text: Text::plain(&owned) });
        }
    }
}

/// Newer versions tell who wrote the first block.
fn written_by_harness(passed: Option<Value<'_>>) -> bool {
    let first = passed
        .and_then(|passed| passed.get("content_item_metadata")?.array()?.next())
        .and_then(|first| first.get("provenance")?.get("type")?.str());
    first.as_deref() == Some("harness")
}

fn say_text(
    text: Text<'_>,
    kind: PartKind,
    phase: Option<&str>,
    context: &Context<'_>,
    facts: &mut dyn FactSink,
) {
    if text.is_empty() {
        return facts.fact(context, Fact::Ignored("empty-text"));
    }
    let part = if context.message.is_some() { PartRef::Index(0) } else { PartRef::New };
    with_extra("phase", phase, context, |context| {
        facts.fact(context, Fact::PartWhole { part, kind, text });
    });
}

/// The parts of the summary in lines; the raw thought only where there is no summary. The versions that gave items no id
/// took each part for a thought of its own, on every surface.
fn reasoning(item: Value<'_>, context: &Context<'_>, facts: &mut dyn FactSink) {
    let [id, summary, content] = item.fields(["id", "summary", "content"]);
    let id = id_of(id);
    let parts = || elements(summary);
    if id.is_none() && parts().next().is_some() {
        for text in parts().filter_map(|part| part.get("text")?.text()) {
            say_text(text, PartKind::Thought, None, context, facts);
        }
        return;
    }
    let context = Context { message: id.as_deref(), ..*context };
    let (mut shown, mut raw) = (String::new(), String::new());
    joined_texts(summary, "\n", &mut shown);
    joined_texts(content, "\n", &mut raw);
    let text = if shown.is_empty() { &raw } else { &shown };
    say_text(Text::plain(text), PartKind::Thought, None, &context, facts);
}

/// A call. Its arguments are JSON text in a string, or the plain text of a patch.
fn call(type_: &str, item: Value<'_>, calls: &mut Calls, context: &Context<'_>, facts: &mut dyn FactSink) {
    let [id, name, namespace, arguments, input] =
        item.fields(["call_id", "name", "namespace", "arguments", "input"]);
    let id = id_of(id);
    let tool =
        string(name).unwrap_or(Cow::Borrowed(if type_ == "tool_search_call" { "tool_search" } else { "" }));
    let name = match string(namespace) {
        Some(namespace) if namespace.starts_with("mcp__") => {
            Cow::Owned(namespace.into_owned() + "__" + &tool)
        }
        _ => tool,
    };
    if id.is_none() || name.is_empty() {
        facts.diagnostic("codex.wrong-type", Severity::Warn, "a call without id or name");
    }
    let text = string(arguments.or(input));
    let parsed = text.as_deref().and_then(|text| Value::parse(text).ok()).filter(|_| input.is_none());
    let parsed = parsed.or(arguments.filter(|arguments| arguments.object().is_some()));
    let raw = match parsed {
        Some(parsed) => Some(parsed).present(),
        None => input,
    };
    let shown = match input {
        Some(_) if name == "apply_patch" => codex::patch(text.as_deref().unwrap_or_default()),
        _ => codex::native(&name, parsed),
    };
    let id = id.as_deref();
    // Text that is no JSON is no argument list; it is kept as it was sent.
    let odd = text.as_deref().filter(|text| raw.is_none() && !text.is_empty() && *text != "null");
    with_extra("arguments", odd, context, |context| {
        say_call(id, &name, &shown, raw.map(Value::raw), context, facts);
    });
    if let Some(id) = id {
        let plan = (name == "update_plan").then(|| parsed.map(|plan| plan.raw().to_owned())).flatten();
        let process = parsed.and_then(|arguments| arguments.get("session_id"));
        let process = process.filter(|_| name == "write_stdin").map(|process| process.raw().to_owned());
        calls.open(Call { id: id.to_owned(), name: name.into_owned(), plan, process, told: Told::Nothing });
    }
}

fn say_call(
    id: Option<&str>,
    name: &str,
    shown: &Presentation<'_>,
    input: Option<&str>,
    context: &Context<'_>,
    facts: &mut dyn FactSink,
) {
    let call = CallRef::of(id);
    let name = Some(name).filter(|name| !name.is_empty());
    let seen = shown.seen(call, name, input, Some(ToolStatus::InProgress));
    facts.fact(context, Fact::ToolSeen(seen));
}

/// What the model reads of a call. Where an item has told the outcome already, only what that leaves open.
fn output_of(item: Value<'_>, calls: &mut Calls, context: &Context<'_>, facts: &mut dyn FactSink) {
    let [id, value, tools] = item.fields(["call_id", "output", "tools"]);
    let Some(id) = id_of(id) else {
        facts.diagnostic("codex.wrong-type", Severity::Warn, "an output without the id of its call");
        return facts.fact(context, Fact::Ignored("no-call"));
    };
    let call = calls.close(&id).unwrap_or_default();
    let value = value.or(tools).present();
    let text = value.and_then(output::text_of);
    let mut status = ToolStatus::Completed;
    let mut blocks = Vec::new();
    match (text.as_deref(), value) {
        (Some(text), whole) => {
            match output::from_json(text) {
                Some((inner, ended)) => (blocks, status) = (inner, ended),
                None => {
                    let read = output::read(text, &call.name);
                    status = read.status;
                    if !read.text.is_empty() {
                        blocks.push(Block::Text(Cow::Borrowed(read.text)));
                    }
                }
            }
            // One generation said `{content, success}`.
            let success = whole.and_then(|whole| whole.get("success")?.bool());
            if success == Some(false) {
                status = ToolStatus::Failed;
            }
        }
        (None, Some(list)) => {
            blocks = blocks_of(list);
            // The harness's own line before the blocks of a server.
            if blocks.len() > 1
                && matches!(blocks.first(), Some(Block::Text(text)) if text.starts_with("Wall time:"))
            {
                blocks.remove(0);
            }
        }
        (None, None) => {}
    }
    let told = call.told;
    let changed = ToolChanged {
        status: (told == Told::Nothing).then_some(status),
        content: (told < Told::Content && !blocks.is_empty()).then(|| tool_contents(&blocks)),
        output: Some(Json(item.raw())),
        ..ToolChanged::about(CallRef::Id(&id))
    };
    facts.fact(context, Fact::ToolChanged(changed));
    if status == ToolStatus::Completed
        && let Some(plan) = call.plan.as_deref().and_then(|plan| Value::parse(plan).ok()?.get("plan"))
    {
        say_plan(plan, context, facts);
    }
    if let Some(text) = text.as_deref() {
        say_process(text, status, call, calls, context, facts);
    }
}

/// A command that runs on is told of again when it ends: by an item, or by the call that read the last of its output.
fn say_process(
    text: &str,
    status: ToolStatus,
    call: Call,
    calls: &mut Calls,
    context: &Context<'_>,
    facts: &mut dyn FactSink,
) {
    const RUNS_ON: &str = "Process running with session ID ";
    let head = text.split("\nOutput:").next().unwrap_or_default();
    let is_write = call.name == "write_stdin";
    if let Some((_, process)) = head.split_once(RUNS_ON).filter(|_| !is_write) {
        let process = process.split('\n').next().map(|process| process.trim().to_owned());
        calls.open(Call { told: Told::Nothing, process, ..call });
    } else if is_write
        && head.contains("Process exited with code ")
        && let Some(command) = call.process.as_deref().and_then(|process| calls.close_process(process))
        && command.told == Told::Nothing
    {
        let end = ToolChanged { status: Some(status), ..ToolChanged::about(CallRef::Id(&command.id)) };
        facts.fact(context, Fact::ToolChanged(end));
    }
}

/// The shell of the model's own vendor.
fn local_shell(item: Value<'_>, calls: &mut Calls, context: &Context<'_>, facts: &mut dyn FactSink) {
    let [call, id, action] = item.fields(["call_id", "id", "action"]);
    let id = id_of(call).or_else(|| id_of(id));
    let shown = codex::native("local_shell", action);
    say_call(id.as_deref(), "local_shell", &shown, action.map(Value::raw), context, facts);
    if let Some(id) = id {
        calls.open(Call { id: id.into_owned(), name: "local_shell".to_owned(), ..Call::default() });
    }
}

/// A search of the vendor's: over when it is told, and its result is not.
fn web_search(item: Value<'_>, context: &Context<'_>, facts: &mut dyn FactSink) {
    let [id, action, status] = item.fields(["id", "action", "status"]);
    let id = id_of(id);
    let failed = matches!(string(status).as_deref(), Some("failed"));
    let seen = codex::web_search(None, action);
    let call = CallRef::of(id.as_deref());
    let status = if failed { ToolStatus::Failed } else { ToolStatus::Completed };
    say_finished(call, "web_search", &seen, action.map(Value::raw), status, &[], item, context, facts);
}

fn image(item: Value<'_>, context: &Context<'_>, facts: &mut dyn FactSink) {
    let [id, prompt, result] = item.fields(["id", "revised_prompt", "result"]);
    let id = id_of(id);
    let data = string(result).filter(|data| !data.is_empty());
    let result: Vec<Block<'_>> = data
        .map(|data| Block::Image { data, mime_type: "image/png".into(), uri: None })
        .into_iter()
        .collect();
    let mut seen = Presentation::of(ToolKind::Other, "Generate image");
    seen.content.extend(string(prompt).map(Block::Text));
    let call = CallRef::of(id.as_deref());
    say_finished(call, "image_generation", &seen, None, ToolStatus::Completed, &result, item, context, facts);
}

#[allow(clippy::too_many_arguments, reason = "both calls of the vendor are told at once")]
fn say_finished(
    call: CallRef<'_>,
    name: &str,
    shown: &Presentation<'_>,
    input: Option<&str>,
    status: ToolStatus,
    result: &[Block<'_>],
    item: Value<'_>,
    context: &Context<'_>,
    facts: &mut dyn FactSink,
) {
    let seen = shown.seen(call, Some(name), input, Some(status));
    facts.fact(context, Fact::ToolSeen(seen));
    if let CallRef::Id(_) = call {
        let changed = ToolChanged {
            status: Some(status),
            content: contents_of(result),
            output: Some(Json(item.raw())),
            ..ToolChanged::about(call)
        };
        facts.fact(context, Fact::ToolChanged(changed));
    }
}
