//! One call of the model: its message and reasoning in pieces and whole, the calls it asks for, its tokens.

use super::{Event, tool};
use crate::dialect::speaker::{Speaker, extra_of};
use crate::dialect::told::Counter;
use crate::dialect::walk::elements;
use crate::dialect::{CallRef, Fact, PartKind, PartRef, UsageBasis};
use crate::event::ToolStatus;
use crate::json::Value;

/// Calls that did not start yet, remembered at once.
const MOST_CALLS: usize = 256;

const COUNTERS: &[(&str, Counter)] = &[
    ("model", Counter::None),
    ("inputTokens", Counter::Prompt),
    ("outputTokens", Counter::Completion),
    ("cacheReadTokens", Counter::Cached),
];

/// Agents that call models at once; those beyond share the last place.
const MOST_LANES: usize = 64;

/// What is known of the model calls that run, one per agent.
#[derive(Default)]
pub(super) struct Step {
    lanes: Vec<Lane>,
    /// Calls the model asked for that did not start, and the agent that asked.
    asked: Vec<(Option<String>, String)>,
}

/// The model call of one agent.
#[derive(Default)]
struct Lane {
    agent: Option<String>,
    /// Its message, once it was named.
    message: Option<String>,
    /// The message was told whole.
    is_whole: bool,
    /// Reasoning was told as events of its own: the message repeats it.
    has_reasoning: bool,
    /// Its tokens were told: the message repeats some of them.
    has_usage: bool,
}

impl Lane {
    fn name_message(&mut self, id: Option<&str>) {
        if self.message.as_deref() != id {
            self.message = id.map(str::to_owned);
            self.is_whole = false;
        }
    }
}

impl Step {
    fn lane(&mut self, voice: &Speaker<'_, '_>) -> &mut Lane {
        let agent = voice.context.agent;
        let at = match self.lanes.iter().position(|lane| lane.agent.as_deref() == agent) {
            Some(at) => at,
            None => {
                if self.lanes.len() < MOST_LANES {
                    self.lanes.push(Lane { agent: agent.map(str::to_owned), ..Lane::default() });
                }
                self.lanes.len() - 1
            }
        };
        &mut self.lanes[at]
    }

    pub fn start(&mut self, voice: &mut Speaker<'_, '_>) {
        let lane = self.lane(voice);
        *lane = Lane { agent: lane.agent.take(), ..Lane::default() };
    }

    /// Calls that were asked for and never started were refused, or the turn broke off.
    pub fn end(&mut self, voice: &mut Speaker<'_, '_>) {
        let agent = voice.context.agent;
        self.asked.retain(|(of, call)| {
            let is_over = of.as_deref() == agent;
            if is_over {
                voice.say(Fact::NotRun { call: CallRef::Id(call), why: None });
            }
            !is_over
        });
    }

    pub fn message_start(&mut self, data: Value<'_>, voice: &mut Speaker<'_, '_>) {
        let id = voice.filled(data.get("messageId"), "messageId");
        self.lane(voice).name_message(id.as_deref());
        voice.say(Fact::Ignored("message-start"));
    }

    /// A piece of the message or of its reasoning.
    pub fn delta(&mut self, event: &Event<'_>, voice: &mut Speaker<'_, '_>) {
        let [message, reasoning, piece] = event.data.fields(["messageId", "reasoningId", "deltaContent"]);
        let is_message = event.kind == "assistant.message_delta";
        let id = voice.filled(if is_message { message } else { reasoning }, "messageId");
        let Some(text) = piece.and_then(Value::text) else {
            voice.wrong_type("deltaContent");
            return voice.say(Fact::Ignored("no-text"));
        };
        if text.is_empty() {
            return voice.say(Fact::Ignored("empty-delta"));
        }
        let lane = self.lane(voice);
        let is_known = if is_message {
            lane.message.as_deref() == id.as_deref() && !lane.is_whole
        } else {
            lane.has_reasoning
        };
        if is_known {
            let piece = piece.and_then(Value::str_raw).unwrap_or_default();
            let parent = event.value.get("parentId").and_then(Value::str_raw).unwrap_or_default();
            let free = [piece, event.id.unwrap_or_default(), event.timestamp.unwrap_or_default(), parent];
            // The first event has no parent.
            voice.repeatable(if parent.is_empty() { &free[..3] } else { &free });
        } else if is_message {
            lane.name_message(id.as_deref());
        } else {
            lane.has_reasoning = true;
        }
        let part = id.as_deref().map_or(PartRef::Run, PartRef::Id);
        if is_message {
            let mut voice = voice.narrowed();
            voice.context.message = id.as_deref();
            return voice.say(Fact::PartDelta { part, kind: PartKind::Agent, text });
        }
        voice.say(Fact::PartDelta { part, kind: PartKind::Thought, text });
    }

    /// The whole message, or the whole reasoning. A saved file has only these.
    pub fn whole(&mut self, event: &Event<'_>, voice: &mut Speaker<'_, '_>) {
        let [message, reasoning, content, requests, model, tokens, thought] = event.data.fields([
            "messageId",
            "reasoningId",
            "content",
            "toolRequests",
            "model",
            "outputTokens",
            "reasoningText",
        ]);
        if event.kind == "assistant.reasoning" {
            self.lane(voice).has_reasoning = true;
            let id = voice.filled(reasoning, "reasoningId");
            return say_whole(id.as_deref(), PartKind::Thought, content, voice);
        }
        let (id, model) = (voice.filled(message, "messageId"), voice.filled(model, "model"));
        let lane = self.lane(voice);
        let tells_thought = !std::mem::take(&mut lane.has_reasoning);
        let tells_usage = !std::mem::take(&mut lane.has_usage);
        lane.name_message(id.as_deref().filter(|_| tells_usage));
        lane.is_whole = true;
        let mut voice = voice.narrowed();
        voice.context.message = id.as_deref();
        voice.context.model = model.as_deref();
        if thought.is_some() && tells_thought {
            say_whole(None, PartKind::Thought, thought, &mut voice);
        }
        say_whole(id.as_deref(), PartKind::Agent, content, &mut voice);
        for request in elements(requests) {
            self.asked(request, &mut voice);
        }
        if tells_usage
            && tokens.is_some_and(|tokens| !tokens.is_null())
            && let Some(counters) = extra_of(event.data, &["outputTokens"])
            && let Ok(counters) = Value::parse(&counters)
        {
            voice.counters(counters, UsageBasis::Call, COUNTERS);
        }
    }

    /// A call the model asks for. It may be refused and never start.
    fn asked(&mut self, request: Value<'_>, voice: &mut Speaker<'_, '_>) {
        let [id, name, input, summary] =
            request.fields(["toolCallId", "name", "arguments", "intentionSummary"]);
        let (id, name) = (voice.filled(id, "toolCallId"), voice.filled(name, "name"));
        let extra = summary.and_then(|_| extra_of(request, &["intentionSummary"]));
        let mut voice = voice.narrowed();
        voice.context.extra = extra.as_deref().map(crate::event::Json).or(voice.context.extra);
        tool::say_call(id.as_deref(), name.as_deref(), request, input, None, &mut voice);
        if let Some(id) = id.filter(|_| self.asked.len() < MOST_CALLS) {
            self.asked.push((voice.context.agent.map(str::to_owned), id.into_owned()));
        }
    }

    pub fn tool_start(&mut self, data: Value<'_>, voice: &mut Speaker<'_, '_>) {
        let [id, name, input] = data.fields(["toolCallId", "toolName", "arguments"]);
        let (id, name) = (voice.filled(id, "toolCallId"), voice.filled(name, "toolName"));
        self.asked.retain(|(_, call)| Some(&**call) != id.as_deref());
        tool::say_call(id.as_deref(), name.as_deref(), data, input, Some(ToolStatus::InProgress), voice);
    }

    /// Tokens of the model call: those of its message, which may still be to come.
    pub fn usage(&mut self, data: Value<'_>, voice: &mut Speaker<'_, '_>) {
        let model = voice.filled(data.get("model"), "model");
        let lane = self.lane(voice);
        let message = if lane.is_whole { lane.message.take() } else { lane.message.clone() };
        lane.has_usage |= message.is_none() || !lane.is_whole;
        let mut voice = voice.narrowed();
        voice.context.model = model.as_deref();
        voice.context.message = message.as_deref();
        voice.counters(data, UsageBasis::Call, COUNTERS);
    }
}

fn say_whole(id: Option<&str>, kind: PartKind, text: Option<Value<'_>>, voice: &mut Speaker<'_, '_>) {
    match text.and_then(Value::text) {
        // A message that only asks for calls has an empty text.
        Some(text) if text.is_empty() => voice.say(Fact::Ignored("empty-text")),
        Some(text) => {
            let part = id.map_or(PartRef::New, PartRef::Id);
            voice.say(Fact::PartWhole { part, kind, text });
        }
        None => voice.wrong_type("content"),
    }
}
