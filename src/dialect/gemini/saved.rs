//! Saved chats: a header, messages that are written again as they grow, patches of the metadata, rewinds.
//!
//! A message's later record holds all of it, so its texts grow. Results stand at their calls; the message of the user
//! that repeats them for the model says nothing new. An older file is one document: the header with all messages.

use std::borrow::Cow;

use super::parts::{self, Told};
use crate::dialect::content::Block;
use crate::dialect::speaker::{Extra, Speaker, error, extra_of};
use crate::dialect::walk::{Present, elements};
use crate::dialect::{CallRef, Fact, PartKind, UsageBasis, WithdrawTarget};
use crate::event::{Json, Notice, SessionInfoUpdate, Severity, ToolStatus};
use crate::json::{Text, Value};

/// Messages remembered for rewinds; the older half is forgotten when there are more.
const MOST_MESSAGES: usize = 16_384;

/// What earlier records announced.
#[derive(Default)]
pub(super) struct Saved {
    session: Option<String>,
    /// Ids of the messages that stand, oldest first. The last one may still grow.
    messages: Vec<String>,
}

/// Whether a typed record is a saved message and no line of the stream.
pub(super) fn is_record(kind: Option<&str>, id: Option<Value<'_>>) -> bool {
    id.is_some() && matches!(kind, Some("user" | "gemini" | "info" | "warning" | "error"))
}

impl Saved {
    /// States what a record says. `false`: not one of these.
    pub fn record(&mut self, value: Value<'_>, kind: Option<&str>, speaker: &mut Speaker<'_, '_>) -> bool {
        let [set, rewind, session, project] = value.fields(["$set", "$rewindTo", "sessionId", "projectHash"]);
        if let Some(kind) = kind {
            if !is_record(Some(kind), value.get("id")) {
                return false;
            }
            self.message(kind, value, true, speaker);
        } else if let Some(set) = set {
            self.metadata(set, speaker);
        } else if let Some(rewind) = rewind {
            self.rewind(rewind, speaker);
        } else if session.is_some() && (project.is_some() || value.get("messages").is_some()) {
            self.session = speaker.text(session, "sessionId").map(Cow::into_owned);
            self.metadata(value, speaker);
        } else {
            return false;
        }
        true
    }

    /// The header or a patch of it. A list of messages in it is the whole conversation.
    fn metadata(&mut self, value: Value<'_>, speaker: &mut Speaker<'_, '_>) {
        let [summary, updated, directories, messages] =
            value.fields(["summary", "lastUpdated", "directories", "messages"]);
        let title = speaker.text(summary, "summary");
        let updated = speaker.text(updated, "lastUpdated");
        let cwd = directories.and_then(|list| list.array()?.next()?.str());
        let meta = extra_of(value, &["projectHash", "startTime", "kind", "directories"]);
        let mut narrow = speaker.narrowed();
        let session = self.session.take();
        narrow.context.session = session.as_deref();
        if title.is_some() || updated.is_some() || meta.is_some() {
            let info = SessionInfoUpdate {
                title: title.as_deref(),
                updated_at: updated.as_deref(),
                cwd: cwd.as_deref(),
                meta: meta.as_deref().map(Json),
            };
            narrow.say(Fact::Tell(info.into()));
        }
        self.session = session;
        let Some(messages) = messages.and_then(Value::array) else { return };
        speaker.say(Fact::MessageList { open: true });
        self.messages.clear();
        for message in messages {
            let kind = message.get("type").and_then(Value::str).unwrap_or_default();
            self.message(&kind, message, false, speaker);
        }
        speaker.say(Fact::MessageList { open: false });
    }

    fn message(&mut self, kind: &str, value: Value<'_>, grows: bool, speaker: &mut Speaker<'_, '_>) {
        let [id, timestamp, content, shown, model] =
            value.fields(["id", "timestamp", "content", "displayContent", "model"]);
        let id = speaker.text(id, "id").unwrap_or_default();
        let time = speaker.text(timestamp, "timestamp");
        let model = speaker.text(model, "model");
        self.follow(&id, speaker);
        let mut speaker = speaker.narrowed();
        speaker.context.session = self.session.as_deref();
        speaker.context.timestamp = time.as_deref();
        speaker.context.message = Some(&id);
        speaker.context.model = model.as_deref();
        let present = |field: Option<Value<'_>>| field.present().is_some();
        let content = if present(shown) { shown } else { content }.present();
        let speaker = &mut speaker;
        match kind {
            "gemini" => {
                let told = Told { kind: PartKind::Agent, grows };
                say_thoughts(value, told, speaker);
                if let Some(content) = content {
                    told.content(content, speaker);
                }
                for call in elements(value.get("toolCalls")) {
                    say_call(call, speaker);
                }
                if let Some(tokens) = value.get("tokens") {
                    say_tokens(tokens, speaker);
                }
            }
            "user" => {
                if let Some(content) = content {
                    Told { kind: PartKind::User, grows }.content(content, speaker);
                }
            }
            "error" | "info" | "warning" => {
                let Some(text) = content.and_then(Value::str) else { return speaker.wrong_type("content") };
                speaker.say(match kind {
                    "error" => Fact::Error(error(&text)),
                    _ => {
                        let severity = if kind == "info" { Severity::Info } else { Severity::Warning };
                        Fact::Tell(Notice { severity, text: &text, stream: None }.into())
                    }
                });
            }
            kind => speaker.unknown(Some(kind), value),
        }
    }

    /// Another message ends the one before it.
    fn follow(&mut self, id: &str, speaker: &mut Speaker<'_, '_>) {
        // What is written again is among the newest.
        if self.messages.iter().rev().take(16).any(|known| known == id) {
            return;
        }
        if let Some(before) = self.messages.last() {
            let mut speaker = speaker.narrowed();
            speaker.context.session = self.session.as_deref();
            speaker.context.message = Some(before);
            speaker.say(Fact::MessageEnd { stop_reason: None, aborted: false });
        }
        if self.messages.len() >= MOST_MESSAGES {
            self.messages.drain(..MOST_MESSAGES / 2);
        }
        self.messages.push(id.to_owned());
    }

    /// That message and all after it are void; all of them when nobody knows it.
    fn rewind(&mut self, to: Value<'_>, speaker: &mut Speaker<'_, '_>) {
        let to = speaker.text(Some(to), "$rewindTo").unwrap_or_default();
        let from = self.messages.iter().position(|known| *known == to).unwrap_or(0);
        let mut speaker = speaker.narrowed();
        speaker.context.session = self.session.as_deref();
        for message in self.messages.drain(from..) {
            speaker.say(Fact::Withdraw { target: WithdrawTarget::Message(&message), reason: "rewound" });
        }
    }
}

fn say_thoughts(value: Value<'_>, told: Told, speaker: &mut Speaker<'_, '_>) {
    for (index, thought) in (0..).zip(elements(value.get("thoughts"))) {
        let text = parts::thought(thought, &["description", "text"]);
        told.text(index, PartKind::Thought, Text::plain(&text), speaker);
    }
}

fn say_call(call: Value<'_>, speaker: &mut Speaker<'_, '_>) {
    let [id, name, input, result, status, display, timestamp] =
        call.fields(["id", "name", "args", "result", "status", "resultDisplay", "timestamp"]);
    let id = speaker.text(id, "toolCalls.id").filter(|id| !id.is_empty());
    let name = speaker.text(name, "toolCalls.name");
    let status = speaker.text(status, "toolCalls.status").unwrap_or_default();
    let time = speaker.text(timestamp, "toolCalls.timestamp");
    let reference = CallRef::of(id.as_deref());
    let begun = match &*status {
        "validating" | "scheduled" | "awaiting_approval" => ToolStatus::Pending,
        _ => ToolStatus::InProgress,
    };
    let mut speaker = speaker.narrowed();
    speaker.context.timestamp = time.as_deref().or(speaker.context.timestamp);
    parts::call(reference, name.as_deref(), input, begun, &mut speaker);
    let failed = match &*status {
        "success" => false,
        "error" | "cancelled" => true,
        _ => return,
    };
    let mut extra = extra_of(call, &["agentId"]);
    if status == "cancelled" {
        let mut words = Extra::default();
        words.text("status", &status);
        extra = words.finish();
    }
    speaker.context.extra = extra.as_deref().map(Json);
    say_result(reference, failed, result, display, &mut speaker);
}

/// A result as the stream shows it: the display text, of a failure its message; else what the model was told.
pub(in crate::dialect) fn say_result(
    call: CallRef<'_>,
    failed: bool,
    result: Option<Value<'_>>,
    display: Option<Value<'_>>,
    speaker: &mut Speaker<'_, '_>,
) {
    let display = display.and_then(Value::str).filter(|text| !text.is_empty());
    let (told, is_error) = result.map_or((None, false), parts::response);
    let text = if failed && is_error { told.or(display) } else { display.or(told) };
    let blocks: Vec<_> = text.map(Block::Text).into_iter().collect();
    speaker.result(call, failed, &blocks, result.present());
}

fn say_tokens(tokens: Value<'_>, speaker: &mut Speaker<'_, '_>) {
    let counts = tokens.fields(["input", "output", "cached"]).map(|count| count.and_then(Value::f64));
    let extra = extra_of(tokens, &["thoughts", "tool", "total"]);
    speaker.usage(UsageBasis::Call, counts, extra.as_deref());
}
