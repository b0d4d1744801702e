//! Pi and oh-my-pi: the event lines of `--mode json` and `--mode rpc`, and the saved session file.
//!
//! Old versions repeat a reply up to five times, the newest send deltas alone; both are read from the deltas, the ends
//! of calls and the finished messages. A session file is a tree of entries: the branch that is written last is the
//! conversation, so an entry that goes on from an earlier one takes back what came behind that one.

mod detect;
mod message;
mod reply;
mod stream;
mod ui;

use super::harness::{Heard, end, error, filled, notice, seen, start, text_at, unknown, word, wrong_type};
use super::tools::{Presentation, pi as tools};
use super::{CallRef, Context, Dialect, DialectRow, Fact, FactSink, ToolChanged, WithdrawTarget};
use crate::dialect::content::{Block, contents_of};
use crate::event::{
    CompactionUpdate, Evidence, Json, RunOutcome, RunScope, SessionInfoUpdate, Severity, ToolStatus,
};
use crate::framing::Record;
use crate::json::Value;

/// The table row.
pub const ROW: DialectRow = DialectRow {
    name: "pi",
    detect: detect::detect,
    make: |_| Box::new(Pi::default()),
    reply: Some(reply::reply),
};

/// A member has another type than the format gives it.
const WRONG_TYPE: &str = "pi.wrong-type";

/// How far back an entry may go on from.
const LONGEST_BRANCH: usize = 1024;

/// Reads one stream or file.
#[derive(Default)]
struct Pi {
    session: Option<String>,
    /// Assistant messages so far; parts are told apart by it and their block number.
    messages: u32,
    /// Calls that the current message has announced, by block number.
    announced: Vec<(u32, String)>,
    /// The failure of the newest reply, while it is not told whether it is tried again.
    failure: Option<String>,
    /// Why the model stopped last.
    stop_reason: Option<String>,
    /// Entries of the branch that is written.
    branch: Vec<String>,
}

impl Dialect for Pi {
    fn record(&mut self, _record: &Record<'_>, value: Value<'_>, facts: &mut dyn FactSink) {
        let mut heard = Heard::new(facts);
        // Lent to the context of the record, and put back unless a new one was told.
        let session = self.session.take();
        let context = Context { session: session.as_deref(), ..Context::default() };
        self.line(value, &context, &mut heard);
        self.session = self.session.take().or(session);
        heard.finish();
    }

    fn end(&mut self, facts: &mut dyn FactSink) {
        let session = self.session.take();
        let context = Context { session: session.as_deref(), ..Context::default() };
        self.give_up(&context, facts);
    }
}

impl Pi {
    fn line(&mut self, value: Value<'_>, context: &Context<'_>, facts: &mut dyn FactSink) {
        let [kind, update, message, id, parent] =
            value.present_fields(["type", "assistantMessageEvent", "message", "id", "parentId"]);
        let kind = filled(kind);
        let is_message = matches!(kind.as_deref(), Some("message" | "message_start" | "message_end"));
        if is_message && message.is_none_or(|message| message.object().is_none()) {
            wrong_type(WRONG_TYPE, "message", facts);
            return unknown(kind.as_deref(), value, context, facts);
        }
        match (kind.as_deref().unwrap_or_default(), message) {
            ("message_update", _) => self.update(update, context, facts),
            ("message_start", Some(message)) => {
                if text_at(message, "role").as_deref() == Some("assistant") {
                    self.begin_message(context, facts);
                }
                facts.fact(context, Fact::Ignored("message-start"));
            }
            ("message_end", Some(message)) => self.message(message, context, facts),
            ("message", Some(message)) => {
                self.entry(id, parent, context, facts);
                if text_at(message, "role").as_deref() == Some("assistant") {
                    self.begin_message(context, facts);
                }
                let time = text_at(value, "timestamp");
                let context = Context { timestamp: time.as_deref(), ..*context };
                self.message(message, &context, facts);
            }
            ("session", _) => self.session(value, context, facts),
            (kind, _) if kind.starts_with("tool_execution_") => self.execution(kind, value, context, facts),
            (kind, _) => {
                if parent.is_some() {
                    self.entry(id, parent, context, facts);
                }
                self.other(kind, value, context, facts);
            }
        }
    }

    fn other(&mut self, kind: &str, value: Value<'_>, context: &Context<'_>, facts: &mut dyn FactSink) {
        match kind {
            "agent_start" => {
                self.give_up(context, facts);
                facts.fact(context, start(RunScope::Run));
            }
            "agent_end" => self.agent_end(value, context, facts),
            "turn_start" => facts.fact(context, start(RunScope::Step)),
            "turn_end" => {
                let outcome = outcome_of(self.stop_reason.as_deref());
                let reason = self.stop_reason.as_deref();
                facts.fact(context, end(RunScope::Step, outcome, Evidence::Stated, reason));
            }
            "auto_retry_start" => {
                self.failure = None;
                let message = text_at(value, "errorMessage");
                let delay = value.get("delayMs").and_then(Value::f64);
                let message = message.as_deref().unwrap_or("the reply is tried again");
                facts.fact(context, message::retry(message, delay));
            }
            "auto_retry_end" => match text_at(value, "finalError") {
                Some(message) if value.get("success").and_then(Value::bool) == Some(false) => {
                    self.failure = None;
                    facts.fact(context, error(&message, true, None));
                }
                _ => facts.fact(context, Fact::Ignored("retry-end")),
            },
            "compaction_start" | "auto_compaction_start" => compacts("in_progress", None, context, facts),
            "compaction_end" | "auto_compaction_end" | "compaction" | "branch_summary" => {
                let summary = text_at(value, "summary")
                    .or_else(|| value.get("result").and_then(|result| text_at(result, "summary")));
                compacts("completed", summary.as_deref(), context, facts);
            }
            "extension_error" => {
                let message = text_at(value, "error").unwrap_or_default();
                notice(Severity::Error, &message, context, facts);
            }
            "session_info" | "session_info_changed" => {
                let title = text_at(value, "name");
                let info = SessionInfoUpdate { title: title.as_deref(), ..SessionInfoUpdate::default() };
                facts.fact(context, Fact::Tell(info.into()));
            }
            "response" => ui::response(value, context, facts),
            "extension_ui_request" => ui::request(value, context, facts),
            "agent_settled" | "label" => facts.fact(context, Fact::Ignored("nothing-to-show")),
            "queue_update"
            | "thinking_level_changed"
            | "thinking_level_change"
            | "model_change"
            | "custom"
            | "custom_message"
            | "entry_appended"
            | "context_edit"
            | "tool_stream_update" => {
                word(kind, value, context, facts);
            }
            kind => unknown(Some(kind).filter(|kind| !kind.is_empty()), value, context, facts),
        }
    }

    /// The first line of a stream and of a file.
    fn session(&mut self, value: Value<'_>, context: &Context<'_>, facts: &mut dyn FactSink) {
        let [id, cwd, time, version] = value.fields(["id", "cwd", "timestamp", "version"]);
        let (id, cwd, time) = (filled(id), filled(cwd), filled(time));
        let context =
            Context { session: id.as_deref().or(context.session), timestamp: time.as_deref(), ..*context };
        self.branch.clear();
        self.failure = None;
        let info = SessionInfoUpdate {
            cwd: cwd.as_deref(),
            meta: version.is_some().then_some(Json(value.raw())),
            ..SessionInfoUpdate::default()
        };
        facts.fact(&context, Fact::IdsRestart);
        facts.fact(&context, Fact::Tell(info.into()));
        self.session = id.map(std::borrow::Cow::into_owned);
    }

    /// A reply begins: ids of calls come from the provider and may begin anew.
    fn begin_message(&mut self, context: &Context<'_>, facts: &mut dyn FactSink) {
        self.messages = self.messages.saturating_add(1);
        self.announced.clear();
        facts.fact(context, Fact::IdsRestart);
    }

    fn part_id(&self, block: u32) -> String {
        let mut id = self.messages.to_string();
        id.push('.');
        id.push_str(&block.to_string());
        id
    }

    /// An entry of a session file. One that goes on from an earlier entry leaves a branch behind.
    fn entry(
        &mut self,
        id: Option<Value<'_>>,
        parent: Option<Value<'_>>,
        context: &Context<'_>,
        facts: &mut dyn FactSink,
    ) {
        let (Some(id), parent) = (filled(id), filled(parent)) else { return };
        facts.fact(context, Fact::RecordId(&id));
        let near = self.branch.len().saturating_sub(LONGEST_BRANCH);
        let from = match parent {
            // A new beginning.
            None => Some(0),
            Some(parent) => {
                let at = self.branch.iter().skip(near).rposition(|entry| *entry == *parent);
                at.map(|at| near + at + 1)
            }
        };
        for entry in self.branch.drain(from.unwrap_or(self.branch.len())..) {
            let target = WithdrawTarget::Record(&entry);
            facts.fact(context, Fact::Withdraw { target, reason: "other-branch" });
        }
        self.branch.push(id.into_owned());
    }

    /// Old versions do not tell at the end of a round whether it is tried again.
    fn agent_end(&mut self, value: Value<'_>, context: &Context<'_>, facts: &mut dyn FactSink) {
        let retries = value.get("willRetry").and_then(Value::bool);
        if retries == Some(false) {
            self.give_up(context, facts);
        } else if retries == Some(true) {
            self.failure = None;
        }
        let outcome = outcome_of(self.stop_reason.as_deref());
        let reason = self.stop_reason.take();
        facts.fact(context, end(RunScope::Run, outcome, Evidence::Stated, reason.as_deref()));
    }

    /// A failure that nothing followed was the last word.
    fn give_up(&mut self, context: &Context<'_>, facts: &mut dyn FactSink) {
        if let Some(message) = self.failure.take() {
            facts.fact(context, error(&message, true, None));
        }
    }

    /// `tool_execution_start`, `_update`, `_end`. Progress is the whole output so far.
    fn execution(&mut self, kind: &str, value: Value<'_>, context: &Context<'_>, facts: &mut dyn FactSink) {
        let [id, name, arguments, partial, result, is_error] =
            value.present_fields(["toolCallId", "toolName", "args", "partialResult", "result", "isError"]);
        let (id, name) = (filled(id), filled(name));
        let call = CallRef::of(id.as_deref());
        if kind == "tool_execution_start" {
            return call_seen(call, name.as_deref(), arguments, Some(ToolStatus::InProgress), context, facts);
        }
        let status = match kind {
            "tool_execution_end" => status_of(is_error),
            "tool_execution_update" => ToolStatus::InProgress,
            kind => return unknown(Some(kind), value, context, facts),
        };
        let told = result.or(partial);
        let content = told.and_then(|told| told.get("content"));
        let output = result.map(|result| Json(result.raw()));
        changed(call, status, name.as_deref(), content, output, context, facts);
    }
}

fn status_of(is_error: Option<Value<'_>>) -> ToolStatus {
    if is_error.and_then(Value::bool) == Some(true) { ToolStatus::Failed } else { ToolStatus::Completed }
}

fn outcome_of(stop_reason: Option<&str>) -> RunOutcome {
    match stop_reason {
        Some("error") => RunOutcome::Failed,
        Some("aborted") => RunOutcome::Cancelled,
        _ => RunOutcome::Completed,
    }
}

fn compacts(status: &str, summary: Option<&str>, context: &Context<'_>, facts: &mut dyn FactSink) {
    let update = CompactionUpdate { status, summary, ..CompactionUpdate::default() };
    facts.fact(context, Fact::Tell(update.into()));
}

/// A call with its arguments.
fn call_seen(
    call: CallRef<'_>,
    name: Option<&str>,
    arguments: Option<Value<'_>>,
    status: Option<ToolStatus>,
    context: &Context<'_>,
    facts: &mut dyn FactSink,
) {
    let shown: Presentation<'_> = tools::present(name.unwrap_or("tool"), arguments);
    facts.fact(context, seen(call, name, &shown, arguments.map(Value::raw), status));
    if name.is_some_and(tools::is_plan)
        && let Some(arguments) = arguments
    {
        message::todos(arguments, context, facts);
    }
}

/// Progress or result of a call.
fn changed(
    call: CallRef<'_>,
    status: ToolStatus,
    name: Option<&str>,
    content: Option<Value<'_>>,
    output: Option<Json<'_>>,
    context: &Context<'_>,
    facts: &mut dyn FactSink,
) {
    let mut blocks = content.map_or_else(Vec::new, Block::list_from_wire);
    blocks.retain(|block| !matches!(block, Block::Text(text) if text.is_empty()));
    facts.fact(
        context,
        Fact::ToolChanged(ToolChanged {
            status: Some(status),
            name,
            content: contents_of(&blocks),
            output,
            ..ToolChanged::about(call)
        }),
    );
}
