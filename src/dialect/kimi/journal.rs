//! kimi-code's session file: flat records with `type` and `time` in milliseconds.
//!
//! The loop's own events tell everything once; the records that repeat messages are passed over.

use super::blocks;
use super::print::{agent, block, said};
use super::wire::usage_of;
use crate::dialect::clock::iso;
use crate::dialect::content::{Block, contents_of};
use crate::dialect::harness::{end, filled, number_at, plan, seen, start, text_at, unknown, word};
use crate::dialect::tools::kimi as tools;
use crate::dialect::walk::Present;
use crate::dialect::{CallRef, Context, Fact, FactSink, PartKind, ToolChanged};
use crate::event::{AgentStatus, Evidence, Json, RunOutcome, RunScope, ToolStatus};
use crate::json::Value;

/// Agents that run at once; of more, the oldest are forgotten.
const AGENTS: usize = 256;

/// Reads the records of one file.
#[derive(Default)]
pub(super) struct Journal {
    running: bool,
    /// Agents' calls that run.
    agents: Vec<String>,
}

impl Journal {
    pub fn line(&mut self, kind: &str, value: Value<'_>, facts: &mut dyn FactSink) {
        let time = number_at(value, "time").and_then(iso);
        let context = Context { timestamp: time.as_deref(), ..Context::default() };
        match kind {
            "turn.prompt" | "turn.steer" => {
                if kind == "turn.prompt" {
                    self.running = true;
                    facts.fact(&context, start(RunScope::Turn));
                }
                for block in blocks(value.get("input").present()) {
                    said(block, PartKind::User, &context, facts);
                }
            }
            "context.append_loop_event" => match value.get("event") {
                Some(event) => self.event(event, &context, facts),
                None => unknown(Some(kind), value, &context, facts),
            },
            "usage.record" => facts.fact(&context, Fact::Ignored("usage-told-by-step")),
            "tools.update_store" if text_at(value, "key").as_deref() == Some("todo") => {
                plan(value.get("value"), &context, facts);
            }
            "turn.ended" if std::mem::take(&mut self.running) => {
                let reason = text_at(value, "reason").or_else(|| text_at(value, "status"));
                let outcome = match reason.as_deref() {
                    Some("cancelled" | "aborted" | "interrupted") => RunOutcome::Cancelled,
                    Some("failed" | "error") => RunOutcome::Failed,
                    _ => RunOutcome::Completed,
                };
                let evidence = if reason.is_some() { Evidence::Stated } else { Evidence::Inferred };
                facts.fact(&context, end(RunScope::Turn, outcome, evidence, reason.as_deref()));
            }
            "context.append_message" | "agent.message.appended" => {
                facts.fact(&context, Fact::Ignored("told-by-loop-event"));
            }
            kind => word(kind, value, &context, facts),
        }
    }

    fn event(&mut self, event: Value<'_>, context: &Context<'_>, facts: &mut dyn FactSink) {
        let [kind, part, id, name, arguments, result, usage] =
            event.present_fields(["type", "part", "toolCallId", "name", "args", "result", "usage"]);
        let id = filled(id);
        let reference = CallRef::of(id.as_deref());
        match filled(kind).as_deref() {
            Some("step.begin") => facts.fact(context, Fact::IdsRestart),
            Some("content.part") => match part {
                Some(part) => said(part, PartKind::Agent, context, facts),
                None => facts.fact(context, Fact::Ignored("no-content")),
            },
            Some("tool.call") => {
                let name = filled(name);
                let shown = tools::present(name.as_deref().unwrap_or("tool"), arguments);
                let input = arguments.map(Value::raw);
                let status = Some(ToolStatus::InProgress);
                facts.fact(context, seen(reference, name.as_deref(), &shown, input, status));
                if let Some(id) = id.filter(|_| name.as_deref().is_some_and(tools::is_agent)) {
                    let kind = arguments.and_then(|it| text_at(it, "subagent_type"));
                    agent(&id, kind.as_deref(), AgentStatus::Running, context, facts);
                    if self.agents.len() == AGENTS {
                        self.agents.remove(0);
                    }
                    self.agents.push(id.into_owned());
                }
            }
            Some("tool.result") => {
                let [output, is_error] =
                    result.map_or([None, None], |result| result.fields(["output", "isError"]));
                let failed = is_error.and_then(Value::bool) == Some(true);
                let mut parts: Vec<Block<'_>> = blocks(output).into_iter().map(block).collect();
                parts.retain(|part| !matches!(part, Block::Text(text) if text.is_empty()));
                facts.fact(
                    context,
                    Fact::ToolChanged(ToolChanged {
                        status: Some(if failed { ToolStatus::Failed } else { ToolStatus::Completed }),
                        content: contents_of(&parts),
                        output: result.map(|result| Json(result.raw())),
                        ..ToolChanged::about(reference)
                    }),
                );
                let running = self.agents.iter().position(|call| Some(&**call) == id.as_deref());
                if let Some(call) = running.map(|at| self.agents.swap_remove(at)) {
                    let status = if failed { AgentStatus::Failed } else { AgentStatus::Completed };
                    agent(&call, None, status, context, facts);
                }
            }
            Some("step.end") => match usage {
                Some(usage) => {
                    let names = ["inputOther", "output", "inputCacheRead", "inputCacheCreation"];
                    usage_of(usage, names, context, facts);
                }
                None => facts.fact(context, Fact::Ignored("step-end")),
            },
            kind => unknown(kind, event, context, facts),
        }
    }
}
