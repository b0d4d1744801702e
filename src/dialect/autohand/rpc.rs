//! JSON-RPC around the events: notifications, requests of the client, responses.

use super::Autohand;
use super::fields::Event;
use super::permission;
use crate::dialect::{Context, ErrorFact, Fact, FactSink};
use crate::event::{HarnessEvent, Json};
use crate::json::{ObjectWriter, Value};

impl Autohand {
    /// A notification. Its method decides, `params.type` only where the method is unknown.
    pub(super) fn notification(
        &mut self,
        method: &str,
        params: Option<Value<'_>>,
        value: Value<'_>,
        facts: &mut dyn FactSink,
    ) {
        let Some(word) = method.strip_prefix("autohand.") else {
            return self.unknown(Some(method), value.raw(), facts);
        };
        let Some(params) = params.filter(|params| params.object().is_some()) else {
            if self.hook(word, method, params, facts) {
                return;
            }
            return match word {
                "ping" => facts.fact(&Context::default(), Fact::Ignored("heartbeat")),
                _ => self.unknown(Some(method), value.raw(), facts),
            };
        };
        let event = Event { name: method, params, raw: value.raw() };
        if self.dispatch(word, &event, facts) {
            return;
        }
        let type_ = params.get("type").and_then(Value::str);
        if type_.is_none_or(|type_| !self.dispatch(&type_, &event, facts)) {
            self.unknown(Some(method), value.raw(), facts);
        }
    }

    /// An event of an SDK, or a `stream-json` line.
    pub(super) fn event(&mut self, event: &Event<'_>, facts: &mut dyn FactSink) {
        let word = event.name.strip_prefix("autohand.").unwrap_or(event.name);
        if !self.stream_line(word, event, facts) && !self.dispatch(word, event, facts) {
            self.unknown(Some(event.name), event.raw, facts);
        }
    }

    /// Method names without their prefix, and the names the SDKs give the same events.
    fn dispatch(&mut self, word: &str, event: &Event<'_>, facts: &mut dyn FactSink) -> bool {
        match word {
            "messageUpdate" | "message_update" => self.message_update(event, facts),
            "toolUpdate" | "tool_update" => self.tool_update(event, facts),
            "toolStart" | "tool_start" => self.tool_start(event, facts),
            "toolEnd" | "tool_end" => self.tool_end(event, facts),
            "messageStart" | "message_start" => self.message_start(event, facts),
            "messageEnd" | "message_end" => self.message_end(event, facts),
            "turnStart" | "turn_start" => self.turn_start(event, facts),
            "turnEnd" | "turn_end" => self.turn_end(event, facts),
            "agentStart" | "agent_start" => self.agent_start(event, facts),
            "agentEnd" | "agent_end" => self.agent_end(event, facts),
            "error" => self.error(event, true, facts),
            "ping" => facts.fact(&event.read([]).context(&self.session), Fact::Ignored("heartbeat")),
            "permissionRequest" | "permission_request" => permission::permission(&self.session, event, facts),
            "directoryAccessRequest" | "directory_access_request" => {
                permission::directory(&self.session, event, facts);
            }
            "changesBatchUpdate" | "changes_batch_update" => self.change(event, facts),
            "changesBatchEnd" | "changes_batch_end" => permission::changes(&self.session, event, facts),
            "stepEnd" | "step_end" => permission::step(&self.session, event, facts),
            "mcp.invokeRequest" | "mcp_invoke_request" => permission::invoke(&self.session, event, facts),
            "automode.error" | "automode_error" => {
                self.harness(word, event, facts);
                self.error(event, false, facts);
            }
            "changesBatchStart"
            | "changes_batch_start"
            | "mcp.toolsChanged"
            | "mcp_tools_changed"
            | "learn.progress"
            | "learn_progress"
            | "schedule.triggered"
            | "autoresearch"
            | "automode_iteration"
            | "automode_complete" => self.harness(word, event, facts),
            _ if word
                .strip_prefix("autoresearch.")
                .is_some_and(|phase| matches!(phase, "start" | "status" | "pause" | "event")) =>
            {
                self.harness(word, event, facts);
            }
            _ if word.strip_prefix("automode.").is_some_and(|phase| {
                matches!(phase, "start" | "iteration" | "pause" | "resume" | "cancel" | "complete")
            }) =>
            {
                self.harness(word, event, facts);
            }
            _ => return self.hook(word, event.name, Some(event.params), facts),
        }
        true
    }

    /// A word of the harness that is kept as it is.
    pub(super) fn harness(&self, word: &str, event: &Event<'_>, facts: &mut dyn FactSink) {
        let line = event.read([]);
        let context = Context { extra: None, ..line.context(&self.session) };
        let payload = Some(Json(event.params.raw()));
        facts.fact(&context, Fact::Tell(HarnessEvent { type_: word, payload }.into()));
    }

    /// A request of the client, where both directions were recorded.
    pub(super) fn request(
        &mut self,
        method: &str,
        id: Value<'_>,
        params: Option<Value<'_>>,
        value: Value<'_>,
        facts: &mut dyn FactSink,
    ) {
        let Some(word) = method.strip_prefix("autohand.") else {
            return self.unknown(Some(method), value.raw(), facts);
        };
        self.two_way = true;
        if word == "prompt" {
            super::remember(&mut self.prompts, id.raw());
            let text = params.and_then(|params| params.get("message")).and_then(Value::text);
            if let Some(text) = text.filter(|text| !text.is_empty()) {
                let session = Some(self.session.as_str()).filter(|session| !session.is_empty());
                return facts.fact(&Context { session, ..Context::default() }, Fact::Prompt { text });
            }
        }
        let answered = params.is_some_and(|params| permission::answered(word, params, &self.session, facts));
        if !answered {
            facts.fact(&Context::default(), Fact::Ignored("client-request"));
        }
    }

    /// A successful response. It ends no turn; only a prompt that was refused says something.
    pub(super) fn response(
        &mut self,
        id: Option<Value<'_>>,
        result: Option<Value<'_>>,
        facts: &mut dyn FactSink,
    ) {
        let [success, error, message] =
            result.map_or([None; 3], |result| result.fields(["success", "error", "message"]));
        let refused = self.take_prompt(id) && success.and_then(Value::bool) == Some(false);
        if !refused {
            return facts.fact(&Context::default(), Fact::Ignored("response"));
        }
        let words = error.or(message).and_then(Value::str);
        let words = words.as_deref().unwrap_or("The prompt was refused.");
        self.refusal(words, None, true, None, facts);
    }

    /// An error response: to a prompt, or to nothing the CLI could read.
    pub(super) fn error_response(
        &mut self,
        id: Option<Value<'_>>,
        error: Value<'_>,
        value: Value<'_>,
        facts: &mut dyn FactSink,
    ) {
        let [code, message, data] = error.present_fields(["code", "message", "data"]);
        let to_nothing = id.is_none_or(Value::is_null);
        let to_prompt = self.take_prompt(id);
        // Recorded one way, a response does not tell what it answers; these codes only a prompt or the start gets.
        let of_a_run = code
            .and_then(Value::i64)
            .is_some_and(|code| (-32004..=-32000).contains(&code) || (-32016..=-32010).contains(&code));
        if !to_nothing && !to_prompt && (self.two_way || !of_a_run) {
            let context = Context::default();
            let payload = Some(Json(value.raw()));
            return facts
                .fact(&context, Fact::Tell(HarnessEvent { type_: "error_response", payload }.into()));
        }
        let message = message.and_then(Value::str);
        let words = message.as_deref().unwrap_or("The request failed.");
        self.refusal(words, code, to_nothing || to_prompt, data, facts);
    }

    fn refusal(
        &self,
        message: &str,
        code: Option<Value<'_>>,
        fatal: bool,
        data: Option<Value<'_>>,
        facts: &mut dyn FactSink,
    ) {
        let mut extra = String::new();
        if let Some(data) = data {
            let mut object = ObjectWriter::new(&mut extra);
            object.raw("data", data.raw());
            object.finish();
        }
        let session = Some(self.session.as_str()).filter(|session| !session.is_empty());
        let context =
            Context { session, extra: (!extra.is_empty()).then_some(Json(&extra)), ..Context::default() };
        let code = code.map(Value::raw);
        let error = ErrorFact { message, fatal, code, retry_after_ms: None, repeats: true, echoed: false };
        facts.fact(&context, Fact::Error(error));
    }

    fn take_prompt(&mut self, id: Option<Value<'_>>) -> bool {
        let Some(at) = id.and_then(|id| self.prompts.iter().position(|known| known == id.raw())) else {
            return false;
        };
        self.prompts.remove(at);
        true
    }
}
