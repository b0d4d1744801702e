//! The second bus: `session.next.*` with the payload under `data`.
//!
//! Blocks have ids that may come again inside a message, so each `started` opens a new part of our own numbering. No
//! recording of it is known; what its sheet does not tell stays a word of the harness.

use std::borrow::Cow;

use super::bus::Bus;
use super::failure;
use super::part::usage;
use super::permission;
use crate::dialect::clock::iso;
use crate::dialect::content::{Block, contents_of};
use crate::dialect::harness::{end, filled, number_at, seen, start, unknown, word};
use crate::dialect::tools::opencode as tools;
use crate::dialect::{CallRef, Context, Fact, FactSink, PartKind, PartRef, ToolChanged};
use crate::event::{Evidence, Json, RunOutcome, RunScope, ToolStatus};
use crate::json::Value;

/// Blocks open at once.
const OPEN_BLOCKS: usize = 64;

/// Reads the events of one connection.
#[derive(Default)]
pub(super) struct Next {
    blocks: u32,
    /// Session and id of the open blocks, and their numbers.
    open: Vec<(String, u32)>,
    /// The message whose step began last.
    message: Option<String>,
}

impl Next {
    pub fn event(
        &mut self,
        kind: &str,
        data: Value<'_>,
        whole: Value<'_>,
        bus: &mut Bus,
        facts: &mut dyn FactSink,
    ) {
        let Some(word_of_session) = kind.strip_prefix("session.next.") else {
            return bus.event(kind, data, whole, facts);
        };
        if let Some(id) = filled(whole.get("id")) {
            facts.fact(&Context::default(), Fact::RecordId(&id));
        }
        let [session, message] = data.present_fields(["sessionID", "assistantMessageID"]);
        let session = filled(session).unwrap_or_default();
        if let Some(message) = filled(message) {
            self.message = Some(message.into_owned());
        }
        let place = bus.place(&session, self.message.as_deref());
        let time = number_at(data, "timestamp").and_then(iso);
        let message = self.message.clone();
        let context = place.context(message.as_deref(), time.as_deref());
        match word_of_session.split_once('.') {
            Some(("text", phase)) => {
                self.block("textID", phase, PartKind::Agent, data, &session, &context, facts)
            }
            Some(("reasoning", phase)) => {
                self.block("reasoningID", phase, PartKind::Thought, data, &session, &context, facts);
            }
            Some(("tool", phase)) => tool(phase, data, &context, facts),
            Some(("step", phase)) => step(phase, data, &context, facts),
            _ => other(word_of_session, data, whole, &context, facts),
        }
    }

    #[allow(clippy::too_many_arguments, reason = "what differs between texts and thoughts")]
    fn block(
        &mut self,
        id: &str,
        phase: &str,
        kind: PartKind,
        data: Value<'_>,
        session: &str,
        context: &Context<'_>,
        facts: &mut dyn FactSink,
    ) {
        let [id, delta, text] = data.present_fields([id, "delta", "text"]);
        let name = [session, "/", &filled(id).unwrap_or_default()].concat();
        let at = self.open.iter().rposition(|(open, _)| *open == name);
        let number = match at.filter(|_| phase != "started").and_then(|at| self.open.get(at)) {
            Some((_, number)) => *number,
            None => {
                self.blocks = self.blocks.wrapping_add(1);
                if self.open.len() == OPEN_BLOCKS {
                    self.open.remove(0);
                }
                self.open.push((name, self.blocks));
                self.blocks
            }
        };
        let part = PartRef::Index(number);
        let words = delta.or(text).and_then(Value::text);
        match (phase, words) {
            ("started", _) => facts.fact(context, Fact::PartOpen { part, kind }),
            ("delta", Some(text)) => facts.fact(context, Fact::PartDelta { part, kind, text }),
            ("ended", Some(text)) => {
                if let Some(at) = at {
                    self.open.remove(at);
                }
                facts.fact(context, Fact::PartWhole { part, kind, text });
            }
            _ => unknown(Some(phase), data, context, facts),
        }
    }
}

fn tool(phase: &str, data: Value<'_>, context: &Context<'_>, facts: &mut dyn FactSink) {
    let [id, name, tool, input, delta, content, failure] =
        data.present_fields(["callID", "name", "tool", "input", "delta", "content", "error"]);
    let (id, name) = (filled(id), filled(name).or_else(|| filled(tool)));
    let call = CallRef::of(id.as_deref());
    let status = match phase {
        "input.started" | "called" => {
            let shown = tools::present(name.as_deref().unwrap_or("tool"), input);
            let status = (phase == "called").then_some(ToolStatus::InProgress);
            return facts.fact(context, seen(call, name.as_deref(), &shown, input.map(Value::raw), status));
        }
        "input.delta" => {
            if let Some(text) = delta.and_then(Value::text) {
                facts.fact(context, Fact::InputDelta { call, text });
            }
            return;
        }
        "input.ended" => return facts.fact(context, Fact::Ignored("input-ended")),
        "progress" => ToolStatus::InProgress,
        "success" => ToolStatus::Completed,
        "failed" => ToolStatus::Failed,
        phase => return unknown(Some(phase), data, context, facts),
    };
    let mut blocks = content.map_or_else(Vec::new, Block::list_from_wire);
    let words = failure.and_then(|failure| filled(failure.get("message")).or_else(|| failure.str()));
    blocks.extend(words.map(Block::Text));
    facts.fact(
        context,
        Fact::ToolChanged(ToolChanged {
            status: Some(status),
            content: contents_of(&blocks),
            output: (status != ToolStatus::InProgress).then_some(Json(data.raw())),
            ..ToolChanged::about(call)
        }),
    );
}

fn step(phase: &str, data: Value<'_>, context: &Context<'_>, facts: &mut dyn FactSink) {
    let [tokens, cost, finish, failure] = data.present_fields(["tokens", "cost", "finish", "error"]);
    match phase {
        "started" => facts.fact(context, start(RunScope::Step)),
        "ended" => {
            if let Some(tokens) = tokens {
                usage(tokens, cost.and_then(Value::f64), context, facts);
            }
            let finish = filled(finish);
            facts.fact(
                context,
                end(RunScope::Step, RunOutcome::Completed, Evidence::Stated, finish.as_deref()),
            );
        }
        "failed" => {
            failure::say(failure.unwrap_or(data), true, context, facts);
            facts.fact(context, end(RunScope::Step, RunOutcome::Failed, Evidence::Stated, None));
        }
        phase => unknown(Some(phase), data, context, facts),
    }
}

fn other(kind: &str, data: Value<'_>, whole: Value<'_>, context: &Context<'_>, facts: &mut dyn FactSink) {
    match kind {
        "prompted" => {
            let [prompt, text] = data.present_fields(["prompt", "text"]);
            let words =
                text.or(prompt.and_then(|prompt| prompt.get("text")).or(prompt)).and_then(Value::text);
            match words {
                Some(text) => {
                    let part = PartRef::New;
                    facts.fact(
                        &Context { message: None, ..*context },
                        Fact::PartWhole { part, kind: PartKind::User, text },
                    );
                }
                None => word(kind, whole, context, facts),
            }
        }
        "retried" => failure::say(data.get("error").unwrap_or(data), false, context, facts),
        kind if permission::event(kind, data, context, facts) => {}
        kind => {
            let name: Cow<'_, str> = ["session.next.", kind].concat().into();
            word(&name, data, context, facts);
        }
    }
}
