//! Finished messages, the same in a stream and in a file: texts, calls, results, tokens, failures.

use std::borrow::Cow;

use super::{Pi, WRONG_TYPE, call_seen, changed, compacts, status_of};
use crate::dialect::clock::iso;
use crate::dialect::content::Block;
use crate::dialect::harness::{call_usage, error, filled, number_at, plan, word, wrong_type};
use crate::dialect::walk::elements;
use crate::dialect::{CallRef, Context, ErrorFact, Fact, FactSink, PartKind, PartRef, ToolChanged, ToolSeen};
use crate::event::{Json, ToolKind, ToolStatus};
use crate::json::{ObjectWriter, Text, Value};

/// The user's own commands; what tells them from the agent's.
const USER: Option<&str> = Some("user");

impl Pi {
    /// A whole message.
    pub(super) fn message(&mut self, message: Value<'_>, context: &Context<'_>, facts: &mut dyn FactSink) {
        let [role, content, time, model, response] =
            message.present_fields(["role", "content", "timestamp", "model", "responseId"]);
        let role = filled(role).unwrap_or_default();
        let time = time.and_then(Value::f64).and_then(iso);
        let (model, response) = (filled(model), filled(response));
        let context = &Context {
            timestamp: time.as_deref().or(context.timestamp),
            model: model.as_deref(),
            message: response.as_deref(),
            ..*context
        };
        match &*role {
            "assistant" => self.reply(message, content, context, facts),
            "user" => prompted(content, context, facts),
            "toolResult" => {
                let [id, name, is_error] = message.fields(["toolCallId", "toolName", "isError"]);
                let (id, name) = (filled(id), filled(name));
                let call = CallRef::of(id.as_deref());
                changed(call, status_of(is_error), name.as_deref(), content, None, context, facts);
            }
            "system" => facts.fact(context, Fact::Ignored("system-prompt")),
            "bashExecution" => own_command(message, context, facts),
            "compactionSummary" | "branchSummary" => {
                let summary = filled(message.get("summary"));
                compacts("completed", summary.as_deref(), context, facts);
            }
            role => word(role, message, context, facts),
        }
    }

    fn reply(
        &mut self,
        message: Value<'_>,
        content: Option<Value<'_>>,
        context: &Context<'_>,
        facts: &mut dyn FactSink,
    ) {
        let [stop, failure, usage] = message.present_fields(["stopReason", "errorMessage", "usage"]);
        let stop = filled(stop);
        let broken = matches!(stop.as_deref(), Some("error" | "aborted"));
        if let Some(content) = content.filter(|content| content.array().is_none()) {
            wrong_type(WRONG_TYPE, "message.content", facts);
            whole(&self.part_id(0), PartKind::Agent, content.text(), broken, context, facts);
        }
        for (number, block) in elements(content).enumerate() {
            let part = self.part_id(number as u32);
            reply_block(block, &part, broken, context, facts);
        }
        if let Some(usage) = usage {
            tokens(usage, context, facts);
        }
        self.failure = None;
        if stop.as_deref() == Some("error") {
            let words = filled(failure).unwrap_or(Cow::Borrowed("the reply failed"));
            facts.fact(context, error(&words, false, None));
            self.failure = Some(words.into_owned());
        }
        self.stop_reason = stop.map(Cow::into_owned);
    }
}

fn reply_block(block: Value<'_>, part: &str, broken: bool, context: &Context<'_>, facts: &mut dyn FactSink) {
    let [kind, text, thinking, id, name, arguments, refused] =
        block.present_fields(["type", "text", "thinking", "id", "name", "arguments", "argumentsError"]);
    match filled(kind).as_deref() {
        Some("text") => whole(part, PartKind::Agent, text.and_then(Value::text), broken, context, facts),
        Some("thinking") => {
            whole(part, PartKind::Thought, thinking.and_then(Value::text), broken, context, facts);
        }
        Some("toolCall") => {
            let (id, name) = (filled(id), filled(name));
            let call = CallRef::of(id.as_deref());
            called(call, name.as_deref(), arguments, refused, context, facts);
            if broken {
                facts.fact(context, Fact::NotRun { call, why: None });
            }
        }
        Some("image") => {
            let block = Block::from_wire(block);
            facts.fact(context, Fact::PartBlock { kind: PartKind::Agent, block: block.content_block() });
        }
        Some(kind) => word(kind, block, context, facts),
        None => word("block", block, context, facts),
    }
}

/// A call as the model wrote it; arguments that were no JSON are told beside it.
pub(super) fn called(
    call: CallRef<'_>,
    name: Option<&str>,
    arguments: Option<Value<'_>>,
    refused: Option<Value<'_>>,
    context: &Context<'_>,
    facts: &mut dyn FactSink,
) {
    let mut extra = String::new();
    if let Some(refused) = refused {
        ObjectWriter::new(&mut extra).raw("argumentsError", refused.raw()).finish();
    }
    let extra = (!extra.is_empty()).then_some(Json(&extra));
    let context = Context { extra: extra.or(context.extra), ..*context };
    call_seen(call, name, arguments, None, &context, facts);
}

/// The text of a part, which a broken reply left unfinished.
fn whole(
    part: &str,
    kind: PartKind,
    text: Option<Text<'_>>,
    broken: bool,
    context: &Context<'_>,
    facts: &mut dyn FactSink,
) {
    let part = PartRef::Id(part);
    let Some(text) = text.filter(|text| !text.is_empty()) else {
        return facts.fact(context, Fact::Ignored("empty-text"));
    };
    if broken {
        facts.fact(context, Fact::PartSoFar { part, kind, text });
        facts.fact(context, Fact::PartEnd { part, stop_reason: None, aborted: true });
    } else {
        facts.fact(context, Fact::PartWhole { part, kind, text });
    }
}

fn prompted(content: Option<Value<'_>>, context: &Context<'_>, facts: &mut dyn FactSink) {
    let kind = PartKind::User;
    let Some(content) = content else { return };
    if let Some(text) = content.text() {
        return facts.fact(context, Fact::PartWhole { part: PartRef::New, kind, text });
    }
    for block in elements(Some(content)) {
        match block.get("text").and_then(Value::text) {
            Some(text) if text.is_empty() => facts.fact(context, Fact::Ignored("empty-text")),
            Some(text) => facts.fact(context, Fact::PartWhole { part: PartRef::New, kind, text }),
            None => {
                let block = Block::from_wire(block);
                facts.fact(context, Fact::PartBlock { kind, block: block.content_block() });
            }
        }
    }
}

/// A command the user ran beside the agent.
fn own_command(message: Value<'_>, context: &Context<'_>, facts: &mut dyn FactSink) {
    let [command, output, exit, cancelled] = message.fields(["command", "output", "exitCode", "cancelled"]);
    let call = CallRef::Match { id: None, name: "bash", lane: USER };
    let mut title = String::from("`");
    title.push_str(&filled(command).unwrap_or_default());
    title.push('`');
    facts.fact(
        context,
        Fact::ToolSeen(ToolSeen {
            lane: USER,
            name: Some("bash"),
            title: Some(&title),
            kind: Some(ToolKind::Execute),
            ..ToolSeen::about(call)
        }),
    );
    let failed = exit.and_then(Value::f64).is_some_and(|code| code != 0.0)
        || cancelled.and_then(Value::bool) == Some(true);
    let block = filled(output).map(Block::Text);
    facts.fact(
        context,
        Fact::ToolChanged(ToolChanged {
            status: Some(if failed { ToolStatus::Failed } else { ToolStatus::Completed }),
            content: block.as_ref().map(|block| vec![block.tool_content()].into()),
            output: Some(Json(message.raw())),
            ..ToolChanged::about(call)
        }),
    );
}

/// `input` leaves the cache out. All zeros: nothing was counted.
fn tokens(usage: Value<'_>, context: &Context<'_>, facts: &mut dyn FactSink) {
    let [input, output, read, written] =
        usage.fields(["input", "output", "cacheRead", "cacheWrite"]).map(|count| count.and_then(Value::f64));
    if [input, output, read, written].iter().all(|count| count.unwrap_or(0.0) == 0.0) {
        return;
    }
    let cost = usage.get("cost").and_then(|cost| number_at(cost, "total")).filter(|cost| *cost > 0.0);
    let prompt = input.map(|input| input + read.unwrap_or(0.0) + written.unwrap_or(0.0));
    facts.fact(context, call_usage(prompt, output, read, cost, Some(usage.raw())));
}

/// A failure that is tried again; the failed reply told it too.
pub(super) fn retry(message: &str, delay: Option<f64>) -> Fact<'_> {
    Fact::Error(ErrorFact {
        message,
        fatal: false,
        code: None,
        retry_after_ms: delay,
        repeats: true,
        echoed: false,
    })
}

/// oh-my-pi's list, flat or in phases.
pub(super) fn todos(arguments: Value<'_>, context: &Context<'_>, facts: &mut dyn FactSink) {
    let [flat, phases] = arguments.fields(["todos", "phases"]);
    if flat.is_some() {
        return plan(flat, context, facts);
    }
    // One list of all phases' tasks.
    let mut all = String::new();
    for phase in elements(phases) {
        for task in elements(phase.get("tasks")) {
            all.push(if all.is_empty() { '[' } else { ',' });
            all.push_str(task.raw());
        }
    }
    if !all.is_empty() {
        all.push(']');
        plan(Value::parse(&all).ok(), context, facts);
    }
}
