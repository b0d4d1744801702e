//! A saved thread: one JSON document with all messages. A result stands apart from its call as a `run` with a status,
//! and may be missing.

use super::{Amp, say_text};
use crate::dialect::PartKind;
use crate::dialect::clock;
use crate::dialect::content::Block;
use crate::dialect::speaker::{Speaker, extra_of};
use crate::dialect::told::members_but;
use crate::dialect::walk::elements;
use crate::event::ToolStatus;
use crate::json::{Array, Value};

impl Amp {
    pub(super) fn thread(&mut self, thread: Value<'_>, messages: Array<'_>, voice: &mut Speaker<'_, '_>) {
        let [id, env] = thread.fields(["id", "env"]);
        let id = voice.filled(id, "id");
        let mut voice = voice.narrowed();
        voice.context.session = id.as_deref();
        let trees = env.and_then(|env| env.get("initial")?.get("trees")?.array());
        let uri = trees.and_then(|mut trees| trees.next()?.get("uri")?.str());
        let cwd = uri.as_deref().map(|uri| uri.strip_prefix("file://").unwrap_or(uri));
        let meta = members_but(thread, &["id", "messages"]);
        voice.session(cwd, meta.as_deref());
        for message in messages {
            self.saved(message, &mut voice);
        }
    }

    fn saved(&mut self, message: Value<'_>, voice: &mut Speaker<'_, '_>) {
        let [role, content, meta] = message.fields(["role", "content", "meta"]);
        let sent = meta.and_then(|meta| meta.get("sentAt"));
        let timestamp = sent.and_then(clock::time);
        let mut voice = voice.narrowed();
        voice.context.timestamp = timestamp.as_deref();
        let kind = match voice.filled(role, "role").as_deref() {
            Some("assistant") => PartKind::Agent,
            Some("user") => PartKind::User,
            role => return voice.unknown(role, message),
        };
        if let Some(text) = content.and_then(Value::text) {
            return say_text(kind, Some(text), &mut voice);
        }
        for block in elements(content) {
            let [word, run, call] = block.fields(["type", "run", "toolUseID"]);
            match run.filter(|_| word.and_then(Value::str).as_deref() == Some("tool_result")) {
                Some(run) => self.saved_result(call, run, &mut voice),
                None => self.block(block, kind, &mut voice),
            }
        }
    }

    /// What stands there decides; the status words of those that came to no result are many.
    fn saved_result(&mut self, call: Option<Value<'_>>, run: Value<'_>, voice: &mut Speaker<'_, '_>) {
        let call = voice.filled(call, "toolUseID");
        let [status, result, error] = run.present_fields(["status", "result", "error"]);
        let word = status.and_then(Value::str);
        let status = match word.as_deref() {
            Some("in-progress" | "running" | "queued") => ToolStatus::InProgress,
            Some("done") => ToolStatus::Completed,
            _ if result.is_some() && error.is_none() => ToolStatus::Completed,
            _ => ToolStatus::Failed,
        };
        let words = error.and_then(|error| error.get("message").unwrap_or(error).str());
        let output = result.and_then(|result| result.get("output").unwrap_or(result).str());
        let mut blocks: Vec<Block<'_>> = output.or(words).map(Block::Text).into_iter().collect();
        if blocks.is_empty() {
            blocks.extend(result.map(Block::list_from_wire).into_iter().flatten());
        }
        blocks.retain(super::is_filled);
        let extra = extra_of(run, &["status"]).filter(|_| status == ToolStatus::Failed);
        voice.told_result(call.as_deref(), status, &blocks, Some(run.raw()), extra.as_deref());
        if status != ToolStatus::InProgress {
            self.agent_ended(call.as_deref(), status == ToolStatus::Failed, voice);
        }
    }
}
