//! Wire messages: `{type, payload}` in JSON-RPC (`--wire`) or in kimi-cli's session file.
//!
//! Texts and arguments come in pieces without ids, so each agent has a lane that remembers what is open: the part, the
//! call whose arguments are still coming, and what the current step showed, since a retry voids it.

use std::borrow::Cow;

use super::lane::{Lane, OpenCall};
use super::print::{agent, block, notification, said, whole};
use super::{Arguments, blocks};
use crate::dialect::clock::iso;
use crate::dialect::content::{Block, contents_of};
use crate::dialect::harness::ask::{Answer, Approval, answered, questions};
use crate::dialect::harness::{
    call_usage, end, error, filled, number_at, plan, seen, start, text_at, unknown, word,
};
use crate::dialect::tools::kimi as tools;
use crate::dialect::walk::{Present, elements};
use crate::dialect::{CallRef, Context, ErrorFact, Fact, FactSink, PartKind, ToolChanged};
use crate::event::{
    AgentStatus, CompactionUpdate, Evidence, Json, OptionKind, OptionScope, RunOutcome, RunScope, ToolStatus,
    Update, UsageUpdate,
};
use crate::json::{ObjectWriter, Value};

/// Agents with a lane of their own; those beyond share the last.
const LANES: usize = 64;
/// Subagents inside subagents in one record.
const DEPTH: usize = 16;

pub(super) const ANSWERS: &[Answer] = &[
    ("approve", "Approve", OptionKind::AllowOnce, OptionScope::Once),
    ("approve_for_session", "Approve for this session", OptionKind::AllowAlways, OptionScope::Session),
    ("reject", "Reject", OptionKind::RejectOnce, OptionScope::Once),
];

/// Reads wire messages.
#[derive(Default)]
pub(super) struct Wire {
    lanes: Vec<Lane>,
    interrupted: bool,
    running: bool,
}

impl Wire {
    /// A JSON-RPC object.
    pub fn rpc(&mut self, value: Value<'_>, facts: &mut dyn FactSink) {
        let [method, params, id, result, failure] =
            value.present_fields(["method", "params", "id", "result", "error"]);
        let context = Context::default();
        match filled(method).as_deref() {
            Some("event" | "request") => {
                let [kind, payload] =
                    params.map_or([None, None], |params| params.fields(["type", "payload"]));
                match filled(kind) {
                    Some(kind) => self.message(&kind, payload, id, value, &context, facts),
                    None => unknown(None, value, &context, facts),
                }
            }
            // The client's own side, where both were recorded: `TurnBegin` tells the prompt again.
            Some("prompt" | "steer" | "initialize" | "replay" | "cancel" | "set_plan_mode") => {
                facts.fact(&context, Fact::Ignored("client-request"));
            }
            Some(method) => unknown(Some(method), value, &context, facts),
            None => self.response(result, failure, value, facts),
        }
    }

    /// The answer to a `prompt` tells how the turn ended.
    fn response(
        &mut self,
        result: Option<Value<'_>>,
        failure: Option<Value<'_>>,
        value: Value<'_>,
        facts: &mut dyn FactSink,
    ) {
        let context = Context::default();
        if let Some(failure) = failure {
            let message = text_at(failure, "message").unwrap_or(Cow::Borrowed(failure.raw()));
            let code = failure.get("code").map(Value::raw);
            facts.fact(&context, error(&message, true, code));
            return self.end_turn(RunOutcome::Failed, Evidence::Stated, None, &context, facts);
        }
        let [status, request, answer, feedback, protocol] = result.map_or([None; 5], |it| {
            it.fields(["status", "request_id", "response", "feedback", "protocol_version"])
        });
        if let Some(request) = filled(request) {
            let (answer, feedback) = (filled(answer), filled(feedback));
            return answered(&request, answer.as_deref(), ANSWERS, feedback.as_deref(), &context, facts);
        }
        let status = filled(status);
        let outcome = match status.as_deref() {
            Some("finished") => RunOutcome::Completed,
            Some("cancelled") => RunOutcome::Cancelled,
            Some("max_steps_reached") => RunOutcome::Failed,
            _ if protocol.is_some() => return facts.fact(&context, Fact::Ignored("handshake")),
            _ => return word("response", value, &context, facts),
        };
        self.end_turn(outcome, Evidence::Stated, status.as_deref(), &context, facts);
    }

    /// A line of kimi-cli's session file; its time is in seconds.
    pub fn saved(&mut self, line: Value<'_>, message: Value<'_>, facts: &mut dyn FactSink) {
        let time = number_at(line, "timestamp").and_then(|seconds| iso((seconds * 1000.0).round()));
        let context = Context { timestamp: time.as_deref(), ..Context::default() };
        let [kind, payload] = message.fields(["type", "payload"]);
        match filled(kind) {
            Some(kind) => self.message(&kind, payload, None, line, &context, facts),
            None => unknown(None, line, &context, facts),
        }
    }

    /// The stream is over: a call whose arguments were coming is told as far as it is known.
    pub fn end(&mut self, facts: &mut dyn FactSink) {
        for lane in &mut self.lanes {
            let agent = lane.agent.take();
            let context =
                Context { agent: agent.as_deref(), parent_call: agent.as_deref(), ..Context::default() };
            lane.close_call(&context, facts);
        }
    }

    fn lane(&mut self, agent: Option<&str>) -> &mut Lane {
        let at = match self.lanes.iter().position(|lane| lane.agent.as_deref() == agent) {
            Some(at) => at,
            None if self.lanes.len() < LANES => {
                self.lanes.push(Lane::of(agent));
                self.lanes.len() - 1
            }
            None => LANES - 1,
        };
        &mut self.lanes[at]
    }

    fn end_turn(
        &mut self,
        outcome: RunOutcome,
        evidence: Evidence,
        reason: Option<&str>,
        context: &Context<'_>,
        facts: &mut dyn FactSink,
    ) {
        let lane = self.lane(None);
        lane.close_call(context, facts);
        lane.close_part(context, facts);
        if std::mem::take(&mut self.running) {
            facts.fact(context, end(RunScope::Turn, outcome, evidence, reason));
        } else {
            facts.fact(context, Fact::Ignored("turn-ended-before"));
        }
    }

    /// One message; events of subagents are unwrapped first.
    fn message(
        &mut self,
        kind: &str,
        payload: Option<Value<'_>>,
        request: Option<Value<'_>>,
        whole_line: Value<'_>,
        context: &Context<'_>,
        facts: &mut dyn FactSink,
    ) {
        let Some(mut payload) = payload.present() else {
            return match kind {
                "TurnEnd" => self.turn_ended(context, facts),
                kind => self.event(kind, whole_line, context, facts),
            };
        };
        let mut kind = Cow::Borrowed(kind);
        let mut parent: Option<Cow<'_, str>> = None;
        let mut depth = 0;
        while kind == "SubagentEvent" && depth < DEPTH {
            depth += 1;
            let [call, old_call, instance, name, event] = payload.present_fields([
                "parent_tool_call_id",
                "task_tool_call_id",
                "agent_id",
                "subagent_type",
                "event",
            ]);
            let call = filled(call).or_else(|| filled(old_call)).or_else(|| filled(instance));
            let [inner_kind, inner] = event.map_or([None, None], |event| event.fields(["type", "payload"]));
            let (Some(call), Some(inner_kind), Some(inner)) = (call, filled(inner_kind), inner) else {
                break;
            };
            if !self.lanes.iter().any(|lane| lane.agent.as_deref() == Some(&*call)) {
                let own = Context { agent: parent.as_deref(), parent_call: parent.as_deref(), ..*context };
                agent(&call, filled(name).as_deref(), AgentStatus::Running, &own, facts);
                self.lane(Some(&call));
            }
            (kind, payload, parent) = (inner_kind, inner, Some(call));
        }
        let own = Context { agent: parent.as_deref(), parent_call: parent.as_deref(), ..*context };
        if !self.request(&kind, payload, request, &own, facts) {
            self.event(&kind, payload, &own, facts);
        }
    }

    /// What the agent asks.
    fn request(
        &mut self,
        kind: &str,
        payload: Value<'_>,
        rpc: Option<Value<'_>>,
        context: &Context<'_>,
        facts: &mut dyn FactSink,
    ) -> bool {
        let [id, call, sender, action, description, list, request, response, feedback, display] = payload
            .present_fields([
                "id",
                "tool_call_id",
                "sender",
                "action",
                "description",
                "questions",
                "request_id",
                "response",
                "feedback",
                "display",
            ]);
        let (id, call) = (filled(id), filled(call));
        // The answer has to name the request, which is another id than the interrupt's.
        let mut extra = String::new();
        let display = display.filter(|display| display.raw() != "[]");
        if rpc.is_some() || display.is_some() {
            let mut writer = ObjectWriter::new(&mut extra);
            for (name, value) in [("requestId", rpc), ("display", display)] {
                if let Some(value) = value {
                    writer.raw(name, value.raw());
                }
            }
            writer.finish();
        }
        let context = &Context { extra: (!extra.is_empty()).then_some(Json(&extra)), ..*context };
        match kind {
            "ApprovalRequest" => Approval {
                id: id.as_deref(),
                call: call.as_deref(),
                tool: filled(sender).as_deref(),
                title: filled(action).as_deref(),
                message: filled(description).as_deref(),
                code: None,
                input: None,
                answers: ANSWERS,
            }
            .say(context, facts),
            "QuestionRequest" => questions(id.as_deref(), call.as_deref(), list, true, context, facts),
            "ApprovalResponse" | "ApprovalRequestResolved" => {
                let (request, response) = (filled(request).unwrap_or_default(), filled(response));
                let feedback = filled(feedback);
                answered(&request, response.as_deref(), ANSWERS, feedback.as_deref(), context, facts);
            }
            "ToolCallRequest" => self.call(payload, context, facts),
            _ => return false,
        }
        true
    }

    fn event(&mut self, kind: &str, payload: Value<'_>, context: &Context<'_>, facts: &mut dyn FactSink) {
        match kind {
            "ContentPart" => self.lane(context.agent).content(payload, context, facts),
            "ToolCall" => self.call(payload, context, facts),
            "ToolCallPart" => self.lane(context.agent).call_part(payload, context, facts),
            "ToolResult" => self.result(payload, context, facts),
            "StatusUpdate" => {
                self.lane(context.agent).close_call(context, facts);
                status(payload, context, facts);
            }
            "TurnBegin" | "SteerInput" => self.prompted(kind, payload, context, facts),
            "TurnEnd" => self.turn_ended(context, facts),
            "StepBegin" => {
                self.lane(context.agent).step(context, facts);
                facts.fact(context, Fact::Ignored("step-begin"));
            }
            "StepInterrupted" => {
                self.interrupted |= context.agent.is_none();
                self.lane(context.agent).close_call(context, facts);
                word(kind, payload, context, facts);
            }
            "StepRetry" => self.retry(payload, context, facts),
            "CompactionBegin" | "CompactionEnd" => {
                let status = if kind == "CompactionBegin" { "in_progress" } else { "completed" };
                let update = CompactionUpdate { status, ..CompactionUpdate::default() };
                facts.fact(context, Fact::Tell(update.into()));
            }
            "PlanDisplay" => {
                self.lane(context.agent).close_part(context, facts);
                whole(PartKind::Agent, payload.get("content"), context, facts);
            }
            "Notification" => {
                let [title, body, severity] = payload.fields(["title", "body", "severity"]);
                notification(title, body, severity, context, facts);
            }
            "BtwBegin" | "BtwEnd" | "HookTriggered" | "HookResolved" | "HookRequest" | "SubagentEvent" => {
                word(kind, payload, context, facts);
            }
            kind => unknown(Some(kind), payload, context, facts),
        }
    }

    fn prompted(&mut self, kind: &str, payload: Value<'_>, context: &Context<'_>, facts: &mut dyn FactSink) {
        let lane = self.lane(context.agent);
        lane.step(context, facts);
        if kind == "TurnBegin" && context.agent.is_none() {
            (self.running, self.interrupted) = (true, false);
            facts.fact(context, Fact::IdsRestart);
            facts.fact(context, start(RunScope::Turn));
        }
        for block in blocks(payload.get("user_input")) {
            said(block, PartKind::User, context, facts);
        }
    }

    /// The record tells the end only; that a step was interrupted came before.
    fn turn_ended(&mut self, context: &Context<'_>, facts: &mut dyn FactSink) {
        if let Some(agent) = context.agent {
            self.lane(context.agent).step(context, facts);
            let own = Context { agent: None, parent_call: None, ..*context };
            return self::agent(agent, None, AgentStatus::Completed, &own, facts);
        }
        let outcome = if self.interrupted { RunOutcome::Cancelled } else { RunOutcome::Completed };
        self.end_turn(outcome, Evidence::Inferred, None, context, facts);
    }

    fn call(&mut self, payload: Value<'_>, context: &Context<'_>, facts: &mut dyn FactSink) {
        let lane = self.lane(context.agent);
        lane.close_part(context, facts);
        lane.close_call(context, facts);
        let [id, function, flat, flat_arguments] = payload.fields(["id", "function", "name", "arguments"]);
        let [name, arguments] =
            function.map_or([flat, flat_arguments], |it| it.fields(["name", "arguments"]));
        let (id, name) = (filled(id), filled(name));
        let arguments = Arguments::of(arguments);
        let whole = arguments.object();
        let shown = tools::present(name.as_deref().unwrap_or("tool"), whole);
        let reference = CallRef::of(id.as_deref());
        facts.fact(context, seen(reference, name.as_deref(), &shown, whole.map(Value::raw), None));
        let name = name.as_deref().unwrap_or_default();
        if tools::is_plan(name) {
            plan(whole.and_then(|whole| whole.get("todos")), context, facts);
        }
        let Some(id) = id else { return };
        lane.remember_call(&id);
        if whole.is_none() {
            let pieces = arguments.text.clone().unwrap_or_default();
            if !pieces.is_empty() {
                let text = pieces.as_ref().into();
                facts.fact(context, Fact::InputDelta { call: CallRef::Id(&id), text });
            }
            lane.call =
                Some(OpenCall { id: id.into_owned(), name: name.to_owned(), arguments: pieces.into_owned() });
        }
    }

    fn result(&mut self, payload: Value<'_>, context: &Context<'_>, facts: &mut dyn FactSink) {
        let lane = self.lane(context.agent);
        lane.close_part(context, facts);
        let [id, value] = payload.fields(["tool_call_id", "return_value"]);
        let id = filled(id);
        if lane.call.as_ref().is_some_and(|call| Some(&*call.id) == id.as_deref()) {
            lane.close_call(context, facts);
        }
        let [is_error, output, message, display] = value
            .map_or([None; 4], |value| value.present_fields(["is_error", "output", "message", "display"]));
        let mut parts: Vec<Block<'_>> = blocks(output).into_iter().map(block).collect();
        parts.retain(|part| !matches!(part, Block::Text(text) if text.is_empty()));
        if parts.is_empty() {
            parts.extend(filled(message).map(Block::Text));
        }
        let mut todo = None;
        for shown in elements(display) {
            let [kind, path, old, new, items] =
                shown.fields(["type", "path", "old_text", "new_text", "items"]);
            match (filled(kind).as_deref(), filled(path)) {
                (Some("diff"), Some(path)) => parts.push(Block::Diff {
                    path,
                    old: old.and_then(Value::str),
                    new: new.and_then(Value::str).unwrap_or_default(),
                }),
                (Some("todo"), _) => todo = items,
                _ => {}
            }
        }
        let failed = is_error.and_then(Value::bool) == Some(true);
        facts.fact(
            context,
            Fact::ToolChanged(ToolChanged {
                status: Some(if failed { ToolStatus::Failed } else { ToolStatus::Completed }),
                content: contents_of(&parts),
                output: value.map(|value| Json(value.raw())),
                ..ToolChanged::about(CallRef::of(id.as_deref()))
            }),
        );
        plan(todo, context, facts);
        if let Some(id) = id.filter(|id| self.lanes.iter().any(|lane| lane.agent.as_deref() == Some(&**id))) {
            let status = if failed { AgentStatus::Failed } else { AgentStatus::Completed };
            agent(&id, None, status, context, facts);
        }
    }

    /// What the step has shown is void.
    fn retry(&mut self, payload: Value<'_>, context: &Context<'_>, facts: &mut dyn FactSink) {
        let [kind, wait] = payload.fields(["error_type", "wait_s"]);
        let kind = filled(kind);
        facts.fact(
            context,
            Fact::Error(ErrorFact {
                message: kind.as_deref().unwrap_or("the step is tried again"),
                fatal: false,
                code: kind.as_deref(),
                retry_after_ms: wait.and_then(Value::f64).map(|seconds| seconds * 1000.0),
                repeats: false,
                echoed: false,
            }),
        );
        self.lane(context.agent).void(context, facts);
    }
}

/// Tokens of the step, and of the context window.
fn status(payload: Value<'_>, context: &Context<'_>, facts: &mut dyn FactSink) {
    let [usage, message, ratio, used, size] = payload.present_fields([
        "token_usage",
        "message_id",
        "context_usage",
        "context_tokens",
        "max_context_tokens",
    ]);
    if let Some(usage) = usage {
        let message = filled(message);
        let context = Context { message: message.as_deref(), ..*context };
        usage_of(
            usage,
            ["input_other", "output", "input_cache_read", "input_cache_creation"],
            &context,
            facts,
        );
    }
    if ratio.is_some() || used.is_some() {
        let update = UsageUpdate {
            used: used.and_then(Value::f64),
            size: size.and_then(Value::f64),
            used_ratio: ratio.and_then(Value::f64),
            cost: None,
        };
        facts.fact(context, Fact::Tell(Update::UsageUpdate(update)));
    } else if usage.is_none() {
        word("StatusUpdate", payload, context, facts);
    }
}

/// Counts of one call, under these names: other input, output, cache read, cache written.
pub(super) fn usage_of(usage: Value<'_>, names: [&str; 4], context: &Context<'_>, facts: &mut dyn FactSink) {
    let [other, output, read, written] = usage.fields(names).map(|count| count.and_then(Value::f64));
    let prompt = other.map(|other| other + read.unwrap_or(0.0) + written.unwrap_or(0.0));
    facts.fact(context, call_usage(prompt, output, read, None, Some(usage.raw())));
}
