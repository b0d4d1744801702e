//! Qwen Code: Claude's lines with other rules, and saved sessions.
//!
//! A line of the assistant holds blocks of one kind, under an id of its own; one reply of the model is up to three of
//! them, and only the last one counts tokens. With partial messages on, pieces name no message: their numbers begin
//! again behind each whole line. What is the same (the wrapper, the control protocol, background tasks) is read by the
//! readers of `claude`; only `data` of system lines is a level deeper.

mod detect;
mod saved;
mod stream;

use super::memory::{Asked, Call, Memory, Role};
use super::speaker::{Extra, Speaker, error, extra_of};
use super::{Line, ask, reply, task, turn};
use crate::dialect::content::{self, Block};
use crate::dialect::gemini::parts;
use crate::dialect::tools::gemini as tools;
use crate::dialect::walk::{Present, members};
use crate::dialect::{
    AgentSeen, Ask, CallRef, Dialect, DialectRow, ErrorFact, Fact, FactSink, PartKind, PartRef, RunFact,
    ToolChanged, UsageBasis, WithdrawTarget,
};
use crate::event::{
    AgentStatus, Blocking, CompactionUpdate, Evidence, Interrupt, InterruptKind, InterruptOption, Json,
    LinkSource, Notice, OptionKind, OptionScope, RunOutcome, RunPhase, RunScope, Severity, ToolStatus,
};
use crate::framing::Record;
use crate::json::Value;
use stream::Lanes;

/// This dialect in the table.
pub const ROW: DialectRow = DialectRow {
    name: "qwen",
    detect: detect::detect,
    make: |_| Box::new(Qwen::default()),
    reply: Some(reply::reply),
};

/// A record of a saved session of Qwen Code.
pub(super) fn is_saved(value: Value<'_>) -> bool {
    saved::is_record(value)
}

/// Calls of helpers that run at once, and messages of one reply, remembered at most.
const MOST: usize = 256;

/// The reader.
#[derive(Default)]
struct Qwen {
    session: Option<String>,
    state: State,
}

/// Decoding state: what earlier lines announced.
#[derive(Default)]
struct State {
    memory: Memory,
    lanes: Lanes,
    /// Messages of the main agent's newest reply: a retry may void them.
    reply: Vec<String>,
    /// A result came since: the next message begins another reply.
    answered: bool,
    /// Calls of helpers without an end, and whether they run in the background.
    helpers: Vec<(String, bool)>,
}

impl Dialect for Qwen {
    fn record(&mut self, _record: &Record<'_>, value: Value<'_>, facts: &mut dyn FactSink) {
        let mut spoken = false;
        let mut speaker = Speaker::new("qwen.wrong-type", facts, &mut spoken);
        let line = Line::read(value, &mut speaker);
        if line.session.is_some() && self.session.as_deref() != line.session.as_deref() {
            self.session = line.session.as_deref().map(str::to_owned);
            speaker.moved();
        }
        speaker.context.session = line.session.as_deref().or(self.session.as_deref());
        speaker.context.agent = line.parent.as_deref();
        speaker.context.parent_call = line.parent.as_deref();
        speaker.context.timestamp = line.timestamp.as_deref();
        if let Some(uuid) = &line.uuid {
            speaker.record_id(uuid);
        }
        let state = &mut self.state;
        match &*line.kind {
            _ if saved::is_record(value) => saved::record(&line, &mut speaker),
            "stream_event" => stream::event(&line, &state.memory, &mut state.lanes, &mut speaker),
            "assistant" => state.assistant(&line, &mut speaker),
            "user" => state.user(&line, &mut speaker),
            "system" => state.system(&line, &mut speaker),
            "result" => state.result(&line, &mut speaker),
            "control_request" => request(&line, &mut state.memory, &mut speaker),
            "control_response" => ask::response(&line, &state.memory, &mut speaker),
            "control_cancel_request" => ask::cancelled(&line, &state.memory, &mut speaker),
            "" => speaker.unknown(None, value),
            kind => speaker.unknown(Some(kind), value),
        }
        if !speaker.has_spoken() {
            speaker.say(Fact::Ignored("nothing-to-show"));
        }
    }
}

/// The words of a failed request, where a text is nothing else. The program prints them as if the model had spoken.
fn api_error(text: &str) -> Option<&str> {
    let text = text.trim();
    (text.starts_with("[API Error") && text.ends_with(']')).then_some(text)
}

impl State {
    fn assistant(&mut self, line: &Line<'_>, speaker: &mut Speaker<'_, '_>) {
        let Some(message) = line.message else { return speaker.wrong_type("message") };
        let [id, model, blocks, stop, usage] =
            message.present_fields(["id", "model", "content", "stop_reason", "usage"]);
        let id = speaker.text(id, "message.id");
        let model = speaker.text(model, "message.model");
        let mut extra = Extra::default();
        extra.value("stop_reason", stop);
        let extra = extra.finish();
        let mut speaker = speaker.narrowed();
        speaker.context.message = id.as_deref();
        speaker.context.model = model.as_deref();
        speaker.context.extra = extra.as_deref().map(Json);
        let speaker = &mut speaker;
        if line.parent.is_none() {
            self.replied(id.as_deref());
        }
        let pieces = self.lanes.take(line.parent.as_deref());
        for (index, block) in (0..).zip(speaker.each(blocks, "message.content")) {
            self.block(line, block, pieces.part(index), speaker);
        }
        if let Some(usage) = usage {
            say_usage(usage, UsageBasis::Call, speaker);
        }
    }

    fn replied(&mut self, message: Option<&str>) {
        if std::mem::take(&mut self.answered) {
            self.reply.clear();
        }
        if self.reply.len() < MOST {
            self.reply.extend(message.map(str::to_owned));
        }
    }

    fn block(&mut self, line: &Line<'_>, block: Value<'_>, part: PartRef<'_>, speaker: &mut Speaker<'_, '_>) {
        let [kind, text, thinking, id, name, input, raw] =
            block.fields(["type", "text", "thinking", "id", "name", "input", "raw_arguments"]);
        // Where a model's call could not be read, its arguments come as they were written.
        let input = input.or(raw);
        match speaker.text(kind, "content.type").as_deref() {
            Some("text") => {
                speaker.whole(part, PartKind::Agent, text, "content.text");
                let words = text.and_then(Value::str);
                if let Some(message) = words.as_deref().and_then(api_error) {
                    let fact = ErrorFact { repeats: true, echoed: true, ..error(message) };
                    speaker.say(Fact::Error(fact));
                }
            }
            Some("thinking") => speaker.whole(part, PartKind::Thought, thinking, "content.thinking"),
            Some("tool_use") => {
                let id = speaker.text(id, "content.id").filter(|id| !id.is_empty());
                let name = speaker.text(name, "content.name");
                let call = CallRef::of(id.as_deref());
                parts::call(call, name.as_deref(), input, ToolStatus::Pending, speaker);
                self.called(line, id.as_deref(), name.as_deref(), input, speaker);
            }
            _ => speaker.harness_event("assistant", block),
        }
    }

    /// Remembers whose call it is, and announces the helper it runs.
    fn called(
        &mut self,
        line: &Line<'_>,
        id: Option<&str>,
        name: Option<&str>,
        input: Option<Value<'_>>,
        speaker: &mut Speaker<'_, '_>,
    ) {
        let Some(id) = id else { return };
        let runs_helper = matches!(name, Some("agent" | "task" | "Task"));
        if line.parent.is_none() && !runs_helper {
            return;
        }
        let role = if runs_helper { Role::Agent } else { Role::Plain };
        self.memory.calls.insert(id, Call { agent: line.parent.as_deref().map(str::to_owned), role });
        if !runs_helper {
            return;
        }
        let [kind, words] = input.map_or([None; 2], |input| input.fields(["subagent_type", "description"]));
        let name = kind.and_then(Value::str).or_else(|| words.and_then(Value::str));
        say_helper(id, name.as_deref(), AgentStatus::Running, speaker);
        if self.helpers.len() < MOST && self.helpers.iter().all(|(known, _)| known != id) {
            self.helpers.push((id.to_owned(), false));
        }
    }

    fn user(&mut self, line: &Line<'_>, speaker: &mut Speaker<'_, '_>) {
        let content = line.message.and_then(|message| message.get("content")).present();
        let Some(content) = content else { return speaker.say(Fact::Ignored("no-content")) };
        if content.str_raw().is_some() {
            return user_text(line, content, speaker);
        }
        for block in speaker.each(Some(content), "message.content") {
            match block.get("type").and_then(Value::str).as_deref() {
                Some("tool_result") => self.tool_result(line, block, speaker),
                Some("text") => match block.get("text") {
                    Some(text) => user_text(line, text, speaker),
                    None => speaker.wrong_type("content.text"),
                },
                _ => {
                    let block = Block::from_wire(block);
                    speaker.say(Fact::PartBlock { kind: PartKind::User, block: block.content_block() });
                }
            }
        }
    }

    fn tool_result(&mut self, line: &Line<'_>, block: Value<'_>, speaker: &mut Speaker<'_, '_>) {
        let [id, result, is_error] = block.fields(["tool_use_id", "content", "is_error"]);
        let id = speaker.text(id, "tool_result.tool_use_id").filter(|id| !id.is_empty());
        let failed = is_error.and_then(Value::bool).unwrap_or(false);
        self.answered |= line.parent.is_none();
        let mut blocks = result.map_or_else(Vec::new, Block::list_from_wire);
        for block in &mut blocks {
            if let Block::Text(text) = block {
                strip_reminders(text);
            }
        }
        blocks.retain(|block| !matches!(block, Block::Text(text) if text.is_empty()));
        speaker.result(CallRef::of(id.as_deref()), failed, &blocks, None);
        let Some(id) = id.as_deref() else { return };
        // The answer to a helper in the background only says that it was launched.
        if let Some(at) = self.helpers.iter().position(|(known, background)| known == id && !background) {
            self.helpers.swap_remove(at);
            say_helper(id, None, if failed { AgentStatus::Failed } else { AgentStatus::Completed }, speaker);
        }
    }

    fn system(&mut self, line: &Line<'_>, speaker: &mut Speaker<'_, '_>) {
        let subtype = line.subtype.as_deref().unwrap_or_default();
        let data = line.value.get("data").filter(|data| data.object().is_some());
        match (subtype, data) {
            ("init", _) if line.value.get("claude_code_version").is_some() => {
                speaker.unknown(Some("system/init"), line.value);
            }
            ("init", _) => turn::init(line, speaker),
            ("task_started", Some(data)) => {
                if let Some(id) = data.get("tool_use_id").and_then(Value::str)
                    && let Some(helper) = self.helpers.iter_mut().find(|(known, _)| *known == id)
                {
                    helper.1 = true;
                }
                task::started(line, &mut self.memory, speaker);
            }
            ("task_notification", Some(data)) => {
                if let Some(id) = data.get("tool_use_id").and_then(Value::str) {
                    self.helpers.retain(|(known, _)| *known != id);
                }
                task::notified(line, &self.memory, speaker);
            }
            ("retry", data) => self.retry(line, data, speaker),
            ("model_fallback", Some(data)) => {
                let [from, to] = data.fields(["fromModel", "toModel"]).map(|name| name.and_then(Value::str));
                let words = [
                    "model fallback: ",
                    from.as_deref().unwrap_or("?"),
                    " to ",
                    to.as_deref().unwrap_or("?"),
                ];
                let notice = Notice { severity: Severity::Warning, text: &words.concat(), stream: None };
                let extra = extra_of(line.value, &["data"]);
                speaker.say_extra(extra.as_deref(), Fact::Tell(notice.into()));
            }
            _ if line.value.get("compact_metadata").is_some() => {
                let extra = extra_of(line.value, &["compact_metadata"]);
                let update = CompactionUpdate { status: "completed", ..Default::default() };
                speaker.say_extra(extra.as_deref(), Fact::Tell(update.into()));
            }
            _ => speaker.harness_event(subtype, line.value),
        }
    }

    /// The reply is asked for again. Unless its text stays, what was printed of it is void.
    fn retry(&mut self, line: &Line<'_>, data: Option<Value<'_>>, speaker: &mut Speaker<'_, '_>) {
        let keeps = data.and_then(|data| data.get("preserveText")).and_then(Value::bool) != Some(false);
        speaker.harness_event("retry", line.value);
        if keeps {
            return;
        }
        for message in std::mem::take(&mut self.reply) {
            speaker.say(Fact::Withdraw { target: WithdrawTarget::Message(&message), reason: "retry" });
        }
        let pieces = self.lanes.take(line.parent.as_deref());
        for part in pieces.open_parts() {
            speaker.say(Fact::PartEnd { part, stop_reason: None, aborted: true });
            speaker.say(Fact::Withdraw { target: WithdrawTarget::Part(part), reason: "retry" });
        }
    }

    fn result(&mut self, line: &Line<'_>, speaker: &mut Speaker<'_, '_>) {
        let [is_error, text, failure, duration, usage] =
            line.value.present_fields(["is_error", "result", "error", "duration_ms", "usage"]);
        let subtype = line.subtype.as_deref().unwrap_or_default();
        let stated = is_error.and_then(Value::bool).unwrap_or(subtype.starts_with("error"));
        let words = text.and_then(Value::str);
        let hidden = words.as_deref().and_then(api_error);
        let message = failure.and_then(|failure| failure.get("message").unwrap_or(failure).str());
        let duration = speaker.number(duration, "duration_ms");
        if stated && duration == Some(0.0) && !self.helpers.is_empty() {
            return self.helper_failed(message.as_deref().unwrap_or(subtype), speaker);
        }
        if stated || hidden.is_some() {
            let message = message.as_deref().or(hidden).filter(|message| !message.is_empty());
            let message =
                message.or(words.as_deref()).filter(|message| !message.is_empty()).unwrap_or(subtype);
            let code = Some(subtype).filter(|word| word.starts_with("error"));
            let fact = ErrorFact { code, fatal: true, repeats: true, echoed: true, ..error(message) };
            speaker.say(Fact::Error(fact));
        } else if let Some(text) = text.and_then(Value::text).filter(|text| !text.is_empty()) {
            speaker.say(Fact::Answer { text });
        }
        if let Some(usage) = usage {
            say_usage(usage, UsageBasis::RunningTotal, speaker);
        }
        let names = [
            "num_turns",
            "duration_api_ms",
            "permission_denials",
            "structured_result",
            "structured_output",
            "stats",
        ];
        let extra = extra_of(line.value, &names);
        let run = RunFact {
            outcome: Some(if stated || hidden.is_some() {
                RunOutcome::Failed
            } else {
                RunOutcome::Completed
            }),
            reason: line.subtype.as_deref(),
            duration_ms: duration,
            // `success` around an error is not believed.
            evidence: Some(if stated || hidden.is_none() { Evidence::Stated } else { Evidence::Inferred }),
            ..RunFact::of(RunScope::Run, RunPhase::End)
        };
        speaker.say_extra(extra.as_deref(), Fact::Run(run));
    }

    /// A helper's failure looks like the result of the run, but nothing was measured for it and the run goes on.
    fn helper_failed(&mut self, message: &str, speaker: &mut Speaker<'_, '_>) {
        let only = if self.helpers.len() == 1 { self.helpers.first() } else { None };
        let Some((id, _)) = only else { return speaker.say(Fact::Error(error(message))) };
        let mut speaker = speaker.narrowed();
        speaker.context.agent = Some(id);
        speaker.context.parent_call = Some(id);
        speaker.say(Fact::Error(error(message)));
    }
}

fn say_helper(id: &str, name: Option<&str>, status: AgentStatus, speaker: &mut Speaker<'_, '_>) {
    let call = Some(CallRef::Id(id));
    speaker.say(Fact::AgentSeen(AgentSeen { agent: id, name, session: None, call, status: Some(status) }));
}

/// A helper's prompt, or words of the program for the model: prompts of a person are not printed.
fn user_text(line: &Line<'_>, text: Value<'_>, speaker: &mut Speaker<'_, '_>) {
    match text.text() {
        Some(text) if text.is_empty() => speaker.say(Fact::Ignored("empty-text")),
        Some(text) if line.parent.is_some() => {
            speaker.say(Fact::PartWhole { part: PartRef::New, kind: PartKind::User, text });
        }
        Some(text) => speaker.say(Fact::Injected { text }),
        None => speaker.wrong_type("content.text"),
    }
}

/// Cuts off what was appended for the model's eyes.
fn strip_reminders(text: &mut std::borrow::Cow<'_, str>) {
    while text.trim_end().ends_with("</system-reminder>")
        && let Some(at) = text.rfind("<system-reminder>")
    {
        let kept = text.get(..at).unwrap_or_default().trim_end().len();
        text.to_mut().truncate(kept);
    }
}

/// Input holds the cache's share already. Lines that are not the last of a reply print zeros.
fn say_usage(usage: Value<'_>, basis: UsageBasis, speaker: &mut Speaker<'_, '_>) {
    let mut counts = [None; 3];
    let mut extra = Extra::default();
    for (key, member) in members(Some(usage)) {
        let names = ["input_tokens", "output_tokens", "cache_read_input_tokens"];
        match names.iter().position(|name| *name == &*key).and_then(|place| counts.get_mut(place)) {
            Some(count) => *count = speaker.number(Some(member), &key),
            None => extra.value(&key, Some(member)),
        }
    }
    if counts[..2].iter().any(|count| count.is_some_and(|count| count != 0.0)) {
        speaker.usage(basis, counts, extra.finish().as_deref());
    }
}

/// What the program asks its host. A permission has an answer of its own; the rest is Claude's protocol.
fn request(line: &Line<'_>, memory: &mut Memory, speaker: &mut Speaker<'_, '_>) {
    let [id, request] = line.value.fields(["request_id", "request"]);
    let Some(request) = request
        .filter(|request| request.get("subtype").and_then(Value::str).as_deref() == Some("can_use_tool"))
    else {
        return ask::request(line, memory, speaker);
    };
    let [name, input, call] = request.fields(["tool_name", "input", "tool_use_id"]);
    let id = speaker.text(id, "request_id");
    let name = speaker.text(name, "request.tool_name");
    let call = speaker.text(call, "request.tool_use_id");
    let shown = tools::present(name.as_deref().unwrap_or_default(), input);
    let option = |option_id, name, kind, editable| InterruptOption {
        option_id,
        name,
        kind,
        scope: Some(OptionScope::Once),
        editable,
    };
    let options = vec![
        option(ask::ALLOW, "Allow", OptionKind::AllowOnce, true),
        option(ask::DENY, "Deny", OptionKind::RejectOnce, false),
    ];
    let interrupt = Interrupt {
        kind: InterruptKind::Approval,
        tool_name: name.as_deref(),
        title: Some(&*shown.title).filter(|title| !title.is_empty()),
        raw_input: input.map(|input| Json(input.raw())),
        locations: Some(content::locations(&shown.places)).filter(|_| !shown.places.is_empty()),
        options: options.into(),
        editable: true,
        blocking: Blocking::Inline,
        ..Interrupt::default()
    };
    let agent = memory.caller(call.as_deref()).map(str::to_owned);
    let mut extra = Extra::default();
    extra.text("subtype", "can_use_tool");
    for name in ["permission_suggestions", "blocked_path"] {
        extra.value(name, request.get(name));
    }
    extra.raw("synthetic", "true");
    let ask =
        Ask { id: id.as_deref(), call: call.as_deref().map(CallRef::Id), link: LinkSource::Wire, interrupt };
    speaker.say_of(agent.as_deref(), extra.finish().as_deref(), Fact::Ask(ask));
    if let Some(id) = id.as_deref() {
        memory.asks.insert(id, Asked { agent, questions: None });
    }
}

/// Progress of a call: a snapshot that never is its result.
fn tool_progress(event: Value<'_>, speaker: &mut Speaker<'_, '_>) {
    let id = speaker.text(event.get("tool_use_id"), "event.tool_use_id");
    let Some(id) = id.as_deref() else { return speaker.wrong_type("event.tool_use_id") };
    let extra = extra_of(event, &["content"]);
    let changed = ToolChanged { status: Some(ToolStatus::InProgress), ..ToolChanged::about(CallRef::Id(id)) };
    speaker.say_extra(extra.as_deref(), Fact::ToolChanged(changed));
}
