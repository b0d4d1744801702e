//! Hook notifications: 16 typed ones and `rateLimit`, each checked member by member, and what they mean.
//!
//! Every hook is told as exactly one hook event, before what it means. One that fails the check keeps its raw members
//! and means nothing further.

use super::Autohand;
use super::calls::Call;
use super::fields::{self, Event, is_named};
use crate::dialect::content::{Place, locations};
use crate::dialect::walk::Present;
use crate::dialect::{CallRef, Context, ErrorFact, Fact, FactSink, PartKind, PartRef, ToolChanged};
use crate::event::{CompactionUpdate, Hook, Json, Notice, Severity as Weight, UsageUpdate};
use crate::framing::Severity;
use crate::json::Value;

/// What a member must be.
#[derive(Clone, Copy)]
enum Check {
    Text,
    Flag,
    /// An integer literal from 0 to 2^63-1, read off the number's own text: `1e3` and `1.0` are none.
    Count,
    /// A finite number from 0.
    Ratio,
    /// A finite number.
    Number,
    Object,
    Texts,
    /// One of these words.
    Word(&'static [&'static str]),
}

/// Name, check, whether it has to be there.
type Member = (&'static str, Check, bool);

struct HookRow {
    /// What follows `autohand.hook.`.
    word: &'static str,
    method: &'static str,
    /// The name the SDKs give it.
    event: &'static str,
    members: &'static [Member],
}

/// The longest row.
const MOST_MEMBERS: usize = 6;

const AFTER_RESPONSE: &[Member] = &[
    ("tokensUsed", Check::Count, true),
    ("tokensUsageStatus", Check::Word(&["actual", "unavailable"]), false),
    ("toolCallsCount", Check::Count, true),
    ("duration", Check::Number, true),
];
const CONTEXT_USE: &[Member] =
    &[("usagePercent", Check::Ratio, true), ("remainingTokens", Check::Count, true)];

macro_rules! hooks {
    ($($word:literal $event:literal $members:expr;)*) => {
        const HOOKS: &[HookRow] = &[$(HookRow {
            word: $word,
            method: concat!("autohand.hook.", $word),
            event: $event,
            members: $members,
        }),*];
    };
}

hooks! {
    "preTool" "hook_pre_tool"
        &[("toolId", Check::Text, true), ("toolName", Check::Text, true), ("args", Check::Object, true)];
    "postTool" "hook_post_tool"
        &[("toolId", Check::Text, true), ("toolName", Check::Text, true), ("success", Check::Flag, true),
          ("duration", Check::Number, true), ("output", Check::Text, false)];
    "fileModified" "file_modified"
        &[("filePath", Check::Text, true), ("changeType", Check::Word(&["create", "modify", "delete"]), true),
          ("toolId", Check::Text, true)];
    "prePrompt" "hook_pre_prompt"
        &[("instruction", Check::Text, true), ("mentionedFiles", Check::Texts, true)];
    "postResponse" "hook_post_response" AFTER_RESPONSE;
    "sessionError" "hook_session_error"
        &[("error", Check::Text, true), ("code", Check::Text, false), ("context", Check::Object, false)];
    "stop" "hook_stop" AFTER_RESPONSE;
    "sessionStart" "hook_session_start"
        &[("sessionType", Check::Word(&["startup", "resume", "clear"]), true)];
    "sessionEnd" "hook_session_end"
        &[("reason", Check::Word(&["quit", "clear", "exit", "error"]), true), ("duration", Check::Number, true)];
    "subagentStop" "hook_subagent_stop"
        &[("subagentId", Check::Text, true), ("subagentName", Check::Text, true), ("subagentType", Check::Text, true),
          ("success", Check::Flag, true), ("duration", Check::Number, true), ("error", Check::Text, false)];
    "permissionRequest" "hook_permission_request"
        &[("tool", Check::Text, true), ("path", Check::Text, false), ("command", Check::Text, false),
          ("args", Check::Object, false)];
    "notification" "hook_notification"
        &[("notificationType", Check::Text, true), ("message", Check::Text, true)];
    "contextCompacted" "hook_context_compacted"
        &[("croppedCount", Check::Count, true), ("summary", Check::Text, false), ("usagePercent", Check::Ratio, true),
          ("reason", Check::Text, true)];
    "contextOverflow" "hook_context_overflow"
        &[("tokensBefore", Check::Count, true), ("tokensAfter", Check::Count, true),
          ("croppedCount", Check::Count, true), ("usagePercent", Check::Ratio, true)];
    "contextWarning" "hook_context_warning" CONTEXT_USE;
    "contextCritical" "hook_context_critical" CONTEXT_USE;
    "rateLimit" "hook.rateLimit"
        &[("error", Check::Text, true), ("code", Check::Text, false), ("retryAfterMs", Check::Number, false),
          ("httpStatus", Check::Number, false), ("model", Check::Text, false), ("provider", Check::Text, false)];
}

impl Check {
    fn passes(self, value: Value<'_>) -> bool {
        match self {
            Check::Text => value.str_raw().is_some(),
            Check::Flag => value.bool().is_some(),
            Check::Count => value.raw().bytes().all(|byte| byte.is_ascii_digit()) && value.i64().is_some(),
            Check::Ratio => value.f64().is_some_and(|number| number >= 0.0),
            Check::Number => value.f64().is_some(),
            Check::Object => value.object().is_some(),
            Check::Texts => value.array().is_some_and(|mut items| items.all(|item| item.str_raw().is_some())),
            Check::Word(words) => value.str().is_some_and(|word| words.contains(&&*word)),
        }
    }
}

impl HookRow {
    /// By the method's last part, or by the SDKs' name.
    fn find(word: &str) -> Option<&'static HookRow> {
        match word.strip_prefix("hook.") {
            Some(tail) => HOOKS.iter().find(|row| row.word == tail),
            None => HOOKS.iter().find(|row| row.event == word),
        }
    }

    /// All required members are there, and every one of the row's members has its type. Null counts as absent.
    fn accepts(&self, params: Value<'_>) -> bool {
        let mut found: [Option<Value<'_>>; MOST_MEMBERS] = [None; MOST_MEMBERS];
        let mut timestamp = false;
        let Some(object) = params.object() else { return false };
        for (key, value) in object {
            if &*key == "timestamp" {
                timestamp = value.str_raw().is_some();
            } else if let Some(at) = self.members.iter().position(|(name, ..)| is_named(&key, name))
                && let Some(slot) = found.get_mut(at)
                && (slot.is_none() || self.members.get(at).is_some_and(|(name, ..)| *name == &*key))
            {
                *slot = Some(value);
            }
        }
        timestamp
            && self.members.iter().zip(found).all(|((_, check, required), value)| match value.present() {
                Some(value) => check.passes(value),
                None => !required,
            })
    }
}

impl Autohand {
    /// Whether the word is a hook's; tells it and what it means.
    pub(super) fn hook(
        &mut self,
        word: &str,
        name: &str,
        params: Option<Value<'_>>,
        facts: &mut dyn FactSink,
    ) -> bool {
        let row = HookRow::find(word);
        if row.is_none() && !word.starts_with("hook.") && !word.starts_with("hook_") {
            return false;
        }
        let raw = params.map_or("null", Value::raw);
        let valid = row.zip(params).filter(|(row, params)| row.accepts(*params));
        if row.is_some() && valid.is_none() {
            facts.diagnostic(
                "autohand.hook-invalid",
                Severity::Warn,
                "a hook's members are not what they should be",
            );
        }
        let snake;
        let (method, event_name) = match row {
            Some(row) if name.starts_with("autohand.") => (name, row.event),
            Some(row) => (row.method, row.event),
            None => {
                snake = word.strip_prefix("hook.").map_or_else(|| word.to_owned(), snake_case);
                (name, snake.as_str())
            }
        };
        let payload = valid.map(|(_, params)| Json(params.raw()));
        let hook = Hook { method, event: event_name, payload, raw: Json(raw) };
        let Some(params) = params else {
            facts.fact(&Context::default(), Fact::Tell(hook.into()));
            return true;
        };
        let event = Event { name, params, raw };
        let line = event.read([]);
        facts.fact(&Context { extra: None, ..line.context(&self.session) }, Fact::Tell(hook.into()));
        if let Some((row, _)) = valid {
            self.meaning(row.word, &event, facts);
        }
        true
    }

    fn meaning(&mut self, word: &str, event: &Event<'_>, facts: &mut dyn FactSink) {
        match word {
            "preTool" => self.pre_tool(event, facts),
            "postTool" => self.post_tool(event),
            "fileModified" => self.file_hook(event, facts),
            "prePrompt" => self.pre_prompt(event, facts),
            "sessionError" | "rateLimit" => self.error_hook(event, facts),
            "notification" => self.notification_hook(event, facts),
            "contextWarning" | "contextCritical" | "contextOverflow" => self.context_use(event, facts),
            "contextCompacted" => self.compacted(event, facts),
            // The end of a subagent whose start the wire never tells: no card to close, no nesting to invent.
            "subagentStop" => self.harness(word, event, facts),
            _ => {}
        }
    }

    fn pre_tool(&mut self, event: &Event<'_>, facts: &mut dyn FactSink) {
        let line = event.read(["toolId", "toolName", "args"]);
        let [id, name, args] = line.found;
        let (id, name) = (id.and_then(Value::str), name.and_then(Value::str));
        let context = line.context(&self.session);
        // All calls of a step are authorised before its first one starts: what did not start by now was denied.
        if std::mem::take(&mut self.started) {
            for id in std::mem::take(&mut self.announced) {
                facts.fact(&context, Fact::NotRun { call: CallRef::Id(&id), why: Some("denied") });
            }
        }
        let id = id.filter(|id| !id.is_empty());
        if let Some(id) = id.as_deref() {
            super::remember(&mut self.announced, id);
        }
        let call = Call { id: id.as_deref(), name: name.as_deref().filter(|name| !name.is_empty()), args };
        call.seen(None, &line.context(&self.session), facts);
    }

    /// The result comes again with the end of the call; the duration is kept for it.
    fn post_tool(&mut self, event: &Event<'_>) {
        let [id, duration] = event.read(["toolId", "duration"]).found;
        if let Some((id, duration)) = id.and_then(Value::str).zip(duration) {
            if self.durations.len() >= super::REMEMBERED {
                self.durations.remove(0);
            }
            self.durations.push((id.into_owned(), duration.raw().to_owned()));
        }
    }

    fn file_hook(&mut self, event: &Event<'_>, facts: &mut dyn FactSink) {
        let line = event.read(["toolId", "filePath"]);
        let [id, path] = line.found;
        let (id, path) = (id.and_then(Value::str), path.and_then(Value::str));
        let Some((id, path)) = id.filter(|id| !id.is_empty()).zip(path) else { return };
        let places = [Place { path, line: None }];
        facts.fact(
            &line.context(&self.session),
            Fact::ToolChanged(ToolChanged {
                locations: Some(locations(&places)),
                ..ToolChanged::about(CallRef::Id(&id))
            }),
        );
    }

    /// The prompt itself travels the other way; here it is echoed.
    fn pre_prompt(&mut self, event: &Event<'_>, facts: &mut dyn FactSink) {
        let line = event.read(["instruction"]);
        let [instruction] = line.found;
        if let Some(text) = instruction.and_then(Value::text).filter(|text| !text.is_empty()) {
            let fact = Fact::PartWhole { part: PartRef::New, kind: PartKind::User, text };
            facts.fact(&line.context(&self.session), fact);
        }
    }

    fn error_hook(&mut self, event: &Event<'_>, facts: &mut dyn FactSink) {
        let line = event.read(["error", "code", "retryAfterMs"]);
        let [error, code, retry] = line.found;
        let (message, code) = (error.and_then(Value::str), code.and_then(Value::str));
        let error = ErrorFact {
            message: message.as_deref().unwrap_or_default(),
            fatal: false,
            code: code.as_deref(),
            retry_after_ms: retry.and_then(Value::f64),
            repeats: true,
            echoed: false,
        };
        facts.fact(&line.context(&self.session), Fact::Error(error));
    }

    fn notification_hook(&mut self, event: &Event<'_>, facts: &mut dyn FactSink) {
        let line = event.read(["message"]);
        let [message] = line.found;
        let text = fields::text(message, "message", facts).unwrap_or_default();
        let type_ = event.read(["notificationType"]).found[0].and_then(Value::str);
        let severity = match type_.as_deref() {
            Some("error") => Weight::Error,
            Some("warning") => Weight::Warning,
            _ => Weight::Info,
        };
        let notice = Notice { severity, text: &text, stream: None };
        facts.fact(&line.context(&self.session), Fact::Tell(notice.into()));
    }

    /// `usagePercent` is the used share, 1 for all of it: the opposite of `contextPercent`.
    fn context_use(&mut self, event: &Event<'_>, facts: &mut dyn FactSink) {
        let line = event.read(["usagePercent"]);
        let [used] = line.found;
        let update = UsageUpdate { used_ratio: used.and_then(Value::f64), ..UsageUpdate::default() };
        facts.fact(&line.context(&self.session), Fact::Tell(update.into()));
    }

    fn compacted(&mut self, event: &Event<'_>, facts: &mut dyn FactSink) {
        let line = event.read(["summary"]);
        let [summary] = line.found;
        let summary = summary.and_then(Value::str);
        let update = CompactionUpdate {
            status: "completed",
            summary: summary.as_deref(),
            ..CompactionUpdate::default()
        };
        facts.fact(&line.context(&self.session), Fact::Tell(update.into()));
    }
}

/// `fooBar` of an unknown hook as the SDKs would name it.
fn snake_case(word: &str) -> String {
    let mut out = String::from("hook_");
    for letter in word.chars() {
        if letter.is_ascii_uppercase() {
            out.push('_');
        }
        out.push(letter.to_ascii_lowercase());
    }
    out
}
