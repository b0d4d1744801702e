//! The app-server: JSON-RPC without its version member. Notifications of all threads share the pipe, and so do the requests
//! of both sides where both were recorded.
//!
//! Remembers the threads, which requests are open, and whether the new notifications are in use: old versions mirror each of
//! them as `codex/event/*`, which then says nothing more.

use std::borrow::Cow;

use super::Line;
use super::ask;
use super::item::{Item, Keys, Phase, say_item};
use super::msg::{Events, Scene, ended, say_break, say_error, tell_usage};
use super::read::{Kind, kind_of, say_delta, say_plan, string};
use super::thread::Threads;
use super::usage::Counts;
use crate::dialect::clock::iso;
use crate::dialect::walk::{Present, elements};
use crate::dialect::{CallRef, Context, ErrorFact, Fact, FactSink, PartKind, PartRef, RunFact};
use crate::event::{
    CompactionUpdate, HarnessEvent, Hook, Json, RunOutcome, RunPhase, RunScope, SessionInfoUpdate, Unknown,
    Update,
};
use crate::framing::Severity;
use crate::json::Value;

/// Reads the lines of one pipe.
#[derive(Default)]
pub(super) struct Server {
    threads: Threads,
    events: Events,
    asks: ask::Open,
    /// The new notifications are in use.
    is_v2: bool,
    /// The thread that is starting another one.
    spawner: Option<String>,
    /// Turns that began, so that usage told before them is of an earlier stream.
    has_turn: bool,
}

/// The members of a notification's `params` that most have.
struct Params<'a> {
    all: Value<'a>,
    item: Option<Value<'a>>,
    item_id: Option<Cow<'a, str>>,
    delta: Option<Value<'a>>,
    turn: Option<Value<'a>>,
}

impl Server {
    /// States what one line with a method says.
    pub fn call(&mut self, method: &str, line: &Line<'_>, facts: &mut dyn FactSink) {
        let (params, record) = (line.params, line.raw);
        if method.starts_with("codex/event") {
            return self.mirrored(params, facts);
        }
        let all = params.unwrap_or(record);
        let [thread, conversation, item, item_id, delta, turn, started, completed] = all.fields([
            "threadId",
            "conversationId",
            "item",
            "itemId",
            "delta",
            "turn",
            "startedAtMs",
            "completedAtMs",
        ]);
        let at = self.thread(string(thread.or(conversation)).as_deref());
        let time = line.time.or(completed).or(started).and_then(Value::u64);
        let time = time.and_then(|time| iso(time as f64));
        let params = Params { all, item, item_id: string(item_id), delta, turn };
        match line.id {
            Some(id) => {
                let context = Context { timestamp: time.as_deref(), ..self.threads.context(at) };
                if self.asks.request(method, id, all, &context, facts) {
                    return;
                }
                self.client(method, &params, at, record, facts);
            }
            None => self.notification(method, &params, at, time.as_deref(), record, facts),
        }
    }

    /// Whose line it is. A thread nobody announced is one that an agent is starting.
    fn thread(&mut self, id: Option<&str>) -> usize {
        let Some(id) = id else { return 0 };
        if let Some(known) = self.threads.known(id) {
            return known;
        }
        let parent = self.spawner.clone().or_else(|| self.threads.first().map(str::to_owned));
        self.threads.announce(id, parent.as_deref())
    }

    /// A request of the client, where both directions were recorded.
    fn client(
        &mut self,
        method: &str,
        params: &Params<'_>,
        at: usize,
        record: Value<'_>,
        facts: &mut dyn FactSink,
    ) {
        let context = self.threads.context(at);
        match method {
            "turn/start" => {
                let texts = elements(params.all.get("input"));
                let mut said = false;
                for text in texts.filter_map(|input| input.get("text")?.text()) {
                    facts.fact(&Context { model: None, ..context }, Fact::Prompt { text });
                    said = true;
                }
                if !said {
                    facts.fact(&context, Fact::Ignored("client-request"));
                }
            }
            "initialize" => facts.fact(&context, Fact::Ignored("client-request")),
            _ if is_own(method) => facts.fact(&context, Fact::Ignored("client-request")),
            _ => {
                let unknown = Unknown { type_: Some(method), raw: record.raw() };
                facts.fact(&context, Fact::Tell(Update::Unknown(unknown)));
            }
        }
    }

    fn notification(
        &mut self,
        method: &str,
        params: &Params<'_>,
        at: usize,
        timestamp: Option<&str>,
        record: Value<'_>,
        facts: &mut dyn FactSink,
    ) {
        self.is_v2 |= ["thread/", "turn/", "item/"].iter().any(|head| method.starts_with(head));
        let context = Context { timestamp, ..self.threads.context(at) };
        let id = params.item_id.as_deref();
        let of_item = Context { message: id, ..context };
        let part = |index| if id.is_some() { PartRef::Index(index) } else { PartRef::Run };
        match method {
            "item/agentMessage/delta" | "item/plan/delta" => {
                say_delta(params.delta, part(0), PartKind::Agent, &of_item, facts);
            }
            "item/reasoning/summaryTextDelta" => {
                say_delta(params.delta, part(0), PartKind::Thought, &of_item, facts);
            }
            "item/reasoning/textDelta" => {
                say_delta(params.delta, part(1), PartKind::Thought, &of_item, facts);
            }
            "item/reasoning/summaryPartAdded" => match id {
                Some(id) if params.all.get("summaryIndex").and_then(Value::u64) > Some(0) => {
                    say_break(id, &context, facts);
                }
                _ => facts.fact(&context, Fact::Ignored("first-section")),
            },
            "item/commandExecution/outputDelta" => match (id, params.delta.and_then(Value::text)) {
                (Some(id), Some(text)) => {
                    let delta = Fact::OutputDelta { call: CallRef::Id(id), text, stream: None };
                    facts.fact(&context, delta);
                }
                _ => {
                    facts.diagnostic("codex.wrong-type", Severity::Warn, "a piece of output without a call");
                    facts.fact(&context, Fact::Ignored("no-output"));
                }
            },
            "item/started" | "item/completed" | "item/updated" | "item/fileChange/patchUpdated" => {
                self.item(method, params, at, timestamp, facts);
            }
            "item/fileChange/outputDelta" => facts.fact(&context, Fact::Ignored("told-as-item")),
            "turn/started" => {
                self.has_turn = true;
                facts.fact(&context, Fact::Run(RunFact::of(RunScope::Turn, RunPhase::Start)));
            }
            "turn/completed" => turn_completed(params.turn, &context, facts),
            "turn/plan/updated" => match params.all.get("plan") {
                Some(plan) => say_plan(plan, &context, facts),
                None => facts.fact(&context, Fact::Ignored("no-items")),
            },
            "thread/tokenUsage/updated" => {
                let usage = params.all.get("tokenUsage");
                let [total, last, window] =
                    usage.map_or([None; 3], |usage| usage.fields(["total", "last", "modelContextWindow"]));
                let counts = Counts { total, last, window, earlier: !self.has_turn };
                let mut scene = Scene { threads: &mut self.threads, thread: at, timestamp, has_items: false };
                tell_usage(&counts, None, &mut scene, facts);
            }
            "thread/started" => self.started(params.all.get("thread"), timestamp, facts),
            "error" => self.failed(params, at, timestamp, facts),
            "warning" | "configWarning" | "deprecationNotice" | "guardianWarning" => {
                say_error(params.all, false, &context, facts);
            }
            "thread/compacted" => {
                let done =
                    CompactionUpdate { compaction_id: None, status: "completed", summary: None, error: None };
                facts.fact(&context, Fact::Tell(Update::CompactionUpdate(done)));
            }
            "serverRequest/resolved" => self.asks.resolved(params.all, &context, facts),
            "hook/started" | "hook/completed" => {
                let run = params.all.get("run");
                let event = string(run.and_then(|run| run.get("eventName"))).unwrap_or_default();
                let payload = run.filter(|_| !event.is_empty()).map(|run| Json(run.raw()));
                let hook = Hook { method, event: &event, payload, raw: Json(record.raw()) };
                facts.fact(&context, Fact::Tell(Update::Hook(hook)));
            }
            _ if is_word(method) => {
                let word = HarnessEvent { type_: method, payload: Some(Json(params.all.raw())) };
                facts.fact(&context, Fact::Tell(Update::HarnessEvent(word)));
            }
            _ if is_own(method) => facts.fact(&context, Fact::Ignored("housekeeping")),
            _ => {
                let unknown = Unknown { type_: Some(method), raw: record.raw() };
                facts.fact(&context, Fact::Tell(Update::Unknown(unknown)));
            }
        }
    }

    fn item(
        &mut self,
        method: &str,
        params: &Params<'_>,
        at: usize,
        timestamp: Option<&str>,
        facts: &mut dyn FactSink,
    ) {
        let phase = match method {
            "item/started" => Phase::Started,
            "item/completed" => Phase::Completed,
            _ => Phase::Updated,
        };
        let Some(value) = params.item else {
            // A patch that grew: its item's id stands beside it.
            if let (Some(id), Some(changes)) = (&params.item_id, params.all.get("changes")) {
                let context = Context { timestamp, ..self.threads.context(at) };
                return say_patch(id, changes, &context, facts);
            }
            let context = self.threads.context(at);
            facts.diagnostic("codex.wrong-type", Severity::Warn, "an item line without an item");
            return facts.fact(&context, Fact::Ignored("no-item"));
        };
        if value.get("tool").is_some()
            && kind_of(&string(value.get("type")).unwrap_or_default()) == Kind::Collab
        {
            self.meet(&Item::read(value), phase, at);
        }
        let context = Context { timestamp, ..self.threads.context(at) };
        if phase == Phase::Completed && self.asks.wait() {
            self.asks.decided(&Item::read(value), &context, facts);
        }
        say_item(Keys::Message, phase, value, &context, facts);
    }

    /// Remembers the threads a call is about.
    fn meet(&mut self, item: &Item<'_>, phase: Phase, at: usize) {
        let Some(sender) = self.threads.id(at).map(str::to_owned) else { return };
        for receiver in item.receivers() {
            self.threads.announce(&receiver, Some(&sender));
        }
        if item.spawns() {
            self.spawner = (phase == Phase::Started).then_some(sender);
        }
    }

    fn started(&mut self, thread: Option<Value<'_>>, timestamp: Option<&str>, facts: &mut dyn FactSink) {
        let Some(thread) = thread else {
            return facts.fact(&Context::default(), Fact::Ignored("no-thread"));
        };
        let at = self.meet_thread(thread, false);
        let [cwd, name, version] = thread.fields(["cwd", "name", "cliVersion"]).map(string);
        let context = Context { timestamp, ..self.threads.context(at) };
        if context.agent.is_some() {
            return facts.fact(&context, Fact::Ignored("agent-thread"));
        }
        let mut meta = String::new();
        if let Some(version) = &version {
            crate::json::ObjectWriter::new(&mut meta).text("cliVersion", version).finish();
        }
        let info = SessionInfoUpdate {
            title: name.as_deref(),
            updated_at: None,
            cwd: cwd.as_deref(),
            meta: (!meta.is_empty()).then_some(Json(&meta)),
        };
        facts.fact(&context, Fact::Tell(Update::SessionInfoUpdate(info)));
    }

    /// A thread object, of a notification or an answer. What the client asked for is a session of its own.
    fn meet_thread(&mut self, thread: Value<'_>, asked_for: bool) -> usize {
        let [id, parent, model] = thread.fields(["id", "parentThreadId", "model"]).map(string);
        let id = id.unwrap_or_default();
        let parent = parent.filter(|parent| !parent.is_empty()).map(Cow::into_owned);
        let spawner = self.spawner.clone().filter(|_| !asked_for);
        let at = self.threads.announce(&id, parent.or(spawner).as_deref());
        if let (Some(model), Some(known)) = (model, self.threads.get(at)) {
            known.model = Some(model.into_owned());
        }
        at
    }

    /// A stream that broke is tried again: what it had begun is over. The last error ends the turn.
    fn failed(&mut self, params: &Params<'_>, at: usize, timestamp: Option<&str>, facts: &mut dyn FactSink) {
        let [error, retries] = params.all.fields(["error", "willRetry"]);
        let retries = retries.and_then(Value::bool) == Some(true);
        let context = Context { timestamp, ..self.threads.context(at) };
        say_error(error.unwrap_or(params.all), !retries, &context, facts);
        facts
            .fact(&Context { model: None, ..context }, Fact::MessageEnd { stop_reason: None, aborted: true });
    }

    /// The old notifications, and those of the MCP server.
    fn mirrored(&mut self, params: Option<Value<'_>>, facts: &mut dyn FactSink) {
        let [msg, conversation, meta] =
            params.map_or([None; 3], |params| params.fields(["msg", "conversationId", "_meta"]));
        let conversation = conversation.or_else(|| meta?.get("threadId"));
        let at = match string(conversation) {
            Some(id) => self.threads.announce(&id, None),
            None => 0,
        };
        let Some(msg) = msg.filter(|_| !self.is_v2) else {
            return facts.fact(&self.threads.context(at), Fact::Ignored("told-as-notification"));
        };
        let mut scene = Scene { threads: &mut self.threads, thread: at, timestamp: None, has_items: false };
        self.events.event(msg, &mut scene, facts);
    }

    /// An answer: of the server to the client, or of the client to a request that is open.
    pub fn answer(
        &mut self,
        id: Value<'_>,
        result: Option<Value<'_>>,
        error: Option<Value<'_>>,
        facts: &mut dyn FactSink,
    ) {
        if let Some(result) = result
            && self.asks.answer(id, result, facts)
        {
            return;
        }
        if let Some(error) = error.present() {
            let [code, message] = error.fields(["code", "message"]);
            let message = string(message).unwrap_or(Cow::Borrowed(error.raw()));
            let code = code.map(Value::raw);
            let fact = ErrorFact {
                message: &message,
                fatal: false,
                code,
                retry_after_ms: None,
                repeats: false,
                echoed: false,
            };
            return facts.fact(&self.threads.context(0), Fact::Error(fact));
        }
        let thread = result.and_then(|result| result.get("thread"));
        let Some(thread) = thread.filter(|thread| thread.get("id").is_some()) else {
            return facts.fact(&self.threads.context(0), Fact::Ignored("response"));
        };
        self.is_v2 = true;
        let at = self.meet_thread(thread, true);
        if let (Some(model), Some(known)) =
            (string(result.and_then(|result| result.get("model"))), self.threads.get(at))
        {
            known.model.get_or_insert_with(|| model.into_owned());
        }
        self.history(thread, at, facts);
    }

    /// A thread that is taken up again comes with what happened before.
    fn history(&mut self, thread: Value<'_>, at: usize, facts: &mut dyn FactSink) {
        let turns = || elements(thread.get("turns"));
        let context = self.threads.context(at);
        if turns().next().is_none() {
            return facts.fact(&context, Fact::Ignored("response"));
        }
        facts.fact(&context, Fact::MessageList { open: true });
        for item in turns().filter_map(|turn| turn.get("items")?.array()).flatten() {
            say_item(Keys::Message, Phase::Completed, item, &context, facts);
        }
        facts.fact(&context, Fact::MessageList { open: false });
    }
}

fn say_patch(id: &str, changes: Value<'_>, context: &Context<'_>, facts: &mut dyn FactSink) {
    let shown = crate::dialect::tools::codex::file_change(Some(changes));
    let seen = crate::dialect::ToolSeen {
        title: Some(&shown.title),
        content: Some(crate::dialect::content::tool_contents(&shown.content)),
        locations: Some(crate::dialect::content::locations(&shown.places)),
        ..crate::dialect::ToolSeen::about(CallRef::Id(id))
    };
    facts.fact(context, Fact::ToolSeen(seen));
}

fn turn_completed(turn: Option<Value<'_>>, context: &Context<'_>, facts: &mut dyn FactSink) {
    let [status, error, duration] =
        turn.map_or([None; 3], |turn| turn.fields(["status", "error", "durationMs"]));
    let status = string(status);
    // The turn's items were printed one by one; the last text of them is the answer.
    let items = turn.and_then(|turn| turn.get("items")?.array()).into_iter().flatten();
    let texts = items.filter(|item| string(item.get("type")).as_deref() == Some("agentMessage"));
    let answer = texts.last().and_then(|item| item.get("text")?.text());
    if let Some(text) = answer.filter(|text| !text.is_empty() && context.agent.is_none()) {
        facts.fact(context, Fact::Answer { text });
    }
    if let Some(error) = error.present() {
        say_error(error, status.as_deref() == Some("failed"), context, facts);
    }
    let (outcome, reason) = match status.as_deref() {
        Some("failed") => (RunOutcome::Failed, None),
        Some("interrupted") => (RunOutcome::Cancelled, status.as_deref()),
        _ => (RunOutcome::Completed, None),
    };
    let end = RunFact { reason, duration_ms: duration.and_then(Value::f64), ..ended(outcome) };
    facts.fact(context, Fact::Run(end));
}

/// The first words of this protocol's methods.
const HEADS: &[&str] = &[
    "thread",
    "turn",
    "item",
    "account",
    "mcpServer",
    "hook",
    "model",
    "skills",
    "app",
    "apps",
    "plugin",
    "marketplace",
    "command",
    "process",
    "fs",
    "config",
    "remoteControl",
    "rawResponseItem",
    "rawResponse",
    "serverRequest",
    "review",
    "windows",
    "windowsSandbox",
    "fuzzyFileSearch",
    "feedback",
    "externalAgentConfig",
    "experimentalFeature",
    "environment",
    "memory",
    "guardianWarning",
    "initialized",
    "authStatusChange",
    "loginChatGptComplete",
    "sessionConfigured",
];

/// Whether a method is one of this protocol's families.
pub(super) fn is_own(method: &str) -> bool {
    let head = method.split('/').next().unwrap_or_default();
    HEADS.contains(&head)
}

/// Whether a method tells something of the work that has no event of its own.
fn is_word(method: &str) -> bool {
    method.starts_with("item/")
        || matches!(method, "model/rerouted" | "thread/rolledBack" | "thread/closed" | "turn/moderation")
}
