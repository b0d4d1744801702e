//! Parts of messages: texts, thoughts, calls, steps. The same objects on all surfaces.
//!
//! Ids of calls come from the provider and may repeat in a later step, so the first new call of a message begins a new
//! epoch. Texts are told apart by numbers of ours for their ids: those live longer than an epoch.

use std::borrow::Cow;

use crate::dialect::clock::{Iso, iso};
use crate::dialect::content::{Block, contents_of};
use crate::dialect::harness::{call_usage, end, filled, number_at, plan, seen, start, text_at};
use crate::dialect::recent::Recent;
use crate::dialect::tools::opencode as tools;
use crate::dialect::walk::elements;
use crate::dialect::{AgentSeen, CallRef, Context, Fact, FactSink, PartKind, ToolChanged};
use crate::event::{AgentStatus, Evidence, Json, RunOutcome, RunScope, ToolStatus};
use crate::json::Value;

/// The members of all kinds of parts, found in one walk.
pub(super) struct Part<'a> {
    pub whole: Value<'a>,
    pub id: Cow<'a, str>,
    pub message: Option<Cow<'a, str>>,
    pub kind: Cow<'a, str>,
    pub text: Option<Value<'a>>,
    pub synthetic: bool,
    pub start: Option<Iso>,
    pub end: Option<Iso>,
    tool: Option<Cow<'a, str>>,
    call: Option<Cow<'a, str>>,
    state: Option<Value<'a>>,
    reason: Option<Cow<'a, str>>,
    tokens: Option<Value<'a>>,
    cost: Option<f64>,
}

impl<'a> Part<'a> {
    pub fn read(whole: Value<'a>) -> Part<'a> {
        let [id, message, kind, text, synthetic, time, tool, call, state, reason, tokens, cost] = whole
            .present_fields([
                "id",
                "messageID",
                "type",
                "text",
                "synthetic",
                "time",
                "tool",
                "callID",
                "state",
                "reason",
                "tokens",
                "cost",
            ]);
        let [start, end] = times(time);
        Part {
            whole,
            id: filled(id).unwrap_or_default(),
            message: filled(message),
            kind: filled(kind).unwrap_or_default(),
            text,
            synthetic: synthetic.and_then(Value::bool) == Some(true),
            start,
            end,
            tool: filled(tool),
            call: filled(call),
            state,
            reason: filled(reason),
            tokens,
            cost: cost.and_then(Value::f64),
        }
    }

    /// Why a step ended.
    pub fn reason(&self) -> Option<&str> {
        self.reason.as_deref()
    }

    /// The kind of text this part is in an assistant's message.
    pub fn text_kind(&self) -> Option<PartKind> {
        match &*self.kind {
            "text" => Some(PartKind::Agent),
            "reasoning" => Some(PartKind::Thought),
            _ => None,
        }
    }
}

fn times(time: Option<Value<'_>>) -> [Option<Iso>; 2] {
    time.map_or([None, None], |time| ["start", "end"].map(|side| number_at(time, side).and_then(iso)))
}

/// What is known of a part.
#[derive(Clone, Copy)]
pub(super) struct Known {
    /// Its number among all.
    pub number: u32,
    /// The kind of text, once it is known.
    pub text: Option<PartKind>,
    /// A call with its result.
    finished: bool,
}

/// The parts seen.
#[derive(Default)]
pub(super) struct Parts {
    known: Recent<Known>,
    numbers: u32,
    /// The message whose calls came last.
    call_message: String,
}

impl Parts {
    pub fn get(&mut self, id: &str) -> Option<Known> {
        self.known.get(id).copied()
    }

    /// The part, with the kind of text it turned out to be. The flag tells whether it is new.
    pub fn enter(&mut self, id: &str, text: Option<PartKind>) -> (Known, bool) {
        if let Some(known) = self.known.get_mut(id) {
            known.text = text.or(known.text);
            return (*known, false);
        }
        let known = Known { number: self.numbers, text, finished: false };
        self.numbers = self.numbers.wrapping_add(1);
        self.known.insert(id, known);
        (known, true)
    }

    /// A call with all that is known of it. Says the plan of a todo list only `with_plan`. Tells the subagent's
    /// session, if the call runs one.
    pub fn call<'a>(
        &mut self,
        part: &Part<'a>,
        with_plan: bool,
        context: &Context<'_>,
        facts: &mut dyn FactSink,
    ) -> Option<Cow<'a, str>> {
        let (known, is_new) = self.enter(&part.id, None);
        let message = part.message.as_deref().unwrap_or_default();
        if is_new && self.call_message != message {
            self.call_message.clear();
            self.call_message.push_str(message);
            facts.fact(context, Fact::IdsRestart);
        }
        // A finished call is told again when its output is taken out of the context, or after a reconnect.
        if known.finished {
            facts.fact(context, Fact::Ignored("finished-call"));
            return None;
        }
        let call = Call::read(part);
        if call.is_final()
            && let Some(known) = self.known.get_mut(&part.id)
        {
            known.finished = true;
        }
        call.say(part, with_plan, context, facts)
    }
}

/// The state of a call.
struct Call<'a> {
    name: Option<Cow<'a, str>>,
    status: ToolStatus,
    whole: Option<Value<'a>>,
    input: Option<Value<'a>>,
    output: Option<Value<'a>>,
    title: Option<Cow<'a, str>>,
    metadata: Option<Value<'a>>,
    attachments: Option<Value<'a>>,
    start: Option<Iso>,
    end: Option<Iso>,
}

impl<'a> Call<'a> {
    fn read(part: &Part<'a>) -> Call<'a> {
        let [status, input, output, failure, title, metadata, time, attachments] =
            part.state.map_or([None; 8], |state| {
                state.present_fields([
                    "status",
                    "input",
                    "output",
                    "error",
                    "title",
                    "metadata",
                    "time",
                    "attachments",
                ])
            });
        let input = input.filter(|input| input.raw() != "{}" || filled(status).as_deref() != Some("pending"));
        // A call that could not be made: the harness calls this tool in its place, which always succeeds.
        let wanted =
            input.filter(|_| part.tool.as_deref() == Some("invalid")).and_then(|it| text_at(it, "tool"));
        let exit = metadata.and_then(|metadata| number_at(metadata, "exit"));
        let status = match filled(status).as_deref() {
            Some("completed") if wanted.is_some() || exit.is_some_and(|exit| exit != 0.0) => {
                ToolStatus::Failed
            }
            Some("completed") => ToolStatus::Completed,
            Some("error") => ToolStatus::Failed,
            Some("running") => ToolStatus::InProgress,
            _ => ToolStatus::Pending,
        };
        let [start, end] = times(time);
        Call {
            title: filled(title).filter(|_| wanted.is_none()),
            name: wanted.or_else(|| part.tool.clone()),
            status,
            whole: part.state,
            input,
            output: output.or(failure),
            metadata,
            attachments,
            start,
            end,
        }
    }

    fn is_final(&self) -> bool {
        matches!(self.status, ToolStatus::Completed | ToolStatus::Failed)
    }

    fn say(
        &self,
        part: &Part<'a>,
        with_plan: bool,
        context: &Context<'_>,
        facts: &mut dyn FactSink,
    ) -> Option<Cow<'a, str>> {
        let name = self.name.as_deref();
        let id = part.call.as_deref().unwrap_or(&part.id);
        let reference = if id.is_empty() { CallRef::New } else { CallRef::Id(id) };
        let mut shown = tools::present(name.unwrap_or("tool"), self.input);
        if let Some(title) = &self.title {
            shown.title = Cow::Borrowed(title);
        }
        let open = (!self.is_final()).then_some(self.status);
        let at_start = Context { timestamp: self.start.as_deref().or(context.timestamp), ..*context };
        facts.fact(&at_start, seen(reference, name, &shown, self.input.map(Value::raw), open));
        if with_plan && name == Some("todowrite") && self.status == ToolStatus::Completed {
            plan(self.input.and_then(|input| input.get("todos")), context, facts);
        }
        let blocks = self.blocks();
        if self.is_final() || !blocks.is_empty() {
            let at_end = Context { timestamp: self.end.as_deref().or(context.timestamp), ..*context };
            let changed = ToolChanged {
                status: Some(self.status),
                content: contents_of(&blocks),
                output: self.whole.filter(|_| self.is_final()).map(|state| Json(state.raw())),
                ..ToolChanged::about(reference)
            };
            facts.fact(&at_end, Fact::ToolChanged(changed));
        }
        self.agent(reference, context, facts)
    }

    /// The result; while the call runs, the output so far.
    fn blocks(&self) -> Vec<Block<'a>> {
        let so_far = || self.metadata.and_then(|metadata| metadata.get("output"));
        let output = if self.is_final() { self.output } else { so_far() };
        let mut blocks: Vec<Block<'a>> = filled(output).map(Block::Text).into_iter().collect();
        for file in elements(self.attachments) {
            blocks.push(attached(file));
        }
        blocks
    }

    /// The subagent that a `task` runs: its session is its key.
    fn agent(
        &self,
        call: CallRef<'_>,
        context: &Context<'_>,
        facts: &mut dyn FactSink,
    ) -> Option<Cow<'a, str>> {
        let session = self.metadata.and_then(|metadata| text_at(metadata, "sessionId"))?;
        if self.name.as_deref() != Some("task") {
            return None;
        }
        let name = self.input.and_then(|input| text_at(input, "subagent_type"));
        let status = match self.status {
            ToolStatus::Completed => AgentStatus::Completed,
            ToolStatus::Failed => AgentStatus::Failed,
            _ => AgentStatus::Running,
        };
        let seen = AgentSeen {
            agent: &session,
            name: name.as_deref(),
            session: Some(&session),
            call: Some(call),
            status: Some(status),
        };
        facts.fact(context, Fact::AgentSeen(seen));
        Some(session)
    }
}

/// A file `{mime, url, filename?}`; its URL is mostly a data URI.
pub(super) fn attached(file: Value<'_>) -> Block<'_> {
    let [mime, url, name] = file.fields(["mime", "url", "filename"]);
    let (mime, url) = (filled(mime), filled(url).unwrap_or_default());
    let data = url.strip_prefix("data:").and_then(|rest| rest.split_once(";base64,"));
    match (data, &mime) {
        (Some((_, data)), Some(mime)) if mime.starts_with("image/") => {
            Block::Image { data: Cow::Owned(data.to_owned()), mime_type: mime.clone(), uri: None }
        }
        _ => Block::ResourceLink { uri: url, name: filled(name), title: None, mime_type: mime },
    }
}

/// A model call begins.
pub(super) fn step_start(context: &Context<'_>, facts: &mut dyn FactSink) {
    facts.fact(context, start(RunScope::Step));
}

/// It is over: what it used, and why it stopped.
pub(super) fn step_finish(part: &Part<'_>, context: &Context<'_>, facts: &mut dyn FactSink) {
    if let Some(tokens) = part.tokens {
        usage(tokens, part.cost, context, facts);
    }
    let reason = part.reason();
    facts.fact(context, Fact::MessageEnd { stop_reason: reason, aborted: false });
    let outcome = match reason {
        Some("error" | "unknown") => RunOutcome::Failed,
        _ => RunOutcome::Completed,
    };
    facts.fact(context, end(RunScope::Step, outcome, Evidence::Stated, reason));
}

/// `input` leaves the cache out. Whether `output` holds the reasoning depends on the version; `total` tells.
pub(super) fn usage(tokens: Value<'_>, cost: Option<f64>, context: &Context<'_>, facts: &mut dyn FactSink) {
    let [total, input, output, reasoning, cache] =
        tokens.present_fields(["total", "input", "output", "reasoning", "cache"]);
    let [read, written] = cache.map_or([None, None], |cache| cache.fields(["read", "write"]));
    let number = |value: Option<Value<'_>>| value.and_then(Value::f64);
    let (read, written) = (number(read), number(written));
    let prompt = number(input).map(|input| input + read.unwrap_or(0.0) + written.unwrap_or(0.0));
    let mut completion = number(output);
    if let (Some(total), Some(prompt), Some(output), Some(reasoning)) =
        (number(total), prompt, completion, number(reasoning))
        && total == prompt + output + reasoning
    {
        completion = Some(output + reasoning);
    }
    let cost = cost.filter(|cost| *cost > 0.0);
    facts.fact(context, call_usage(prompt, completion, read, cost, Some(tokens.raw())));
}
