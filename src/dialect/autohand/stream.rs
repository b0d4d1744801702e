//! The `stream-json` lines that differ from the SDKs' events.

use super::Autohand;
use super::fields::{self, Event};
use super::turns::piece;
use crate::dialect::content::{Place, locations};
use crate::dialect::{CallRef, Fact, FactSink, PartKind, PartRef, ToolChanged};

impl Autohand {
    /// Whether the line was one of them. Tool lines and errors read like the SDKs' events and are left to those.
    pub(super) fn stream_line(&mut self, word: &str, event: &Event<'_>, facts: &mut dyn FactSink) -> bool {
        match word {
            "thinking" => self.thinking(event, facts),
            "result" => self.result(event, facts),
            "schedule_triggered" | "team_update" => self.harness(word, event, facts),
            // The SDKs' event of this name is a hook, and hooks carry a timestamp.
            "file_modified" if event.params.get("timestamp").is_none() => self.file_modified(event, facts),
            _ => return false,
        }
        true
    }

    fn thinking(&mut self, event: &Event<'_>, facts: &mut dyn FactSink) {
        let line = event.read(["thought"]);
        let [thought] = line.found;
        let context = line.context(&self.session);
        match piece(thought, "thought", facts) {
            Some(text) => {
                facts.fact(&context, Fact::PartWhole { part: PartRef::New, kind: PartKind::Thought, text });
            }
            None => facts.fact(&context, Fact::Ignored("empty-delta")),
        }
    }

    /// One per message of the model; the last one is the run's answer.
    fn result(&mut self, event: &Event<'_>, facts: &mut dyn FactSink) {
        let line = event.read(["content"]);
        let [content] = line.found;
        let context = line.context(&self.session);
        let Some(text) = piece(content, "content", facts) else {
            return facts.fact(&context, Fact::Ignored("empty-result"));
        };
        facts.fact(
            &context,
            Fact::PartWhole { part: PartRef::New, kind: PartKind::Agent, text: text.clone() },
        );
        facts.fact(&context, Fact::Answer { text });
    }

    fn file_modified(&mut self, event: &Event<'_>, facts: &mut dyn FactSink) {
        let line = event.read(["filePath", "toolId"]);
        let [path, id] = line.found;
        let path = fields::filled(path, "filePath", facts);
        let id = fields::filled(id, "toolId", facts);
        let Some((id, path)) = id.zip(path) else { return self.harness("file_modified", event, facts) };
        let places = [Place { path, line: None }];
        facts.fact(
            &line.context(&self.session),
            Fact::ToolChanged(ToolChanged {
                locations: Some(locations(&places)),
                ..ToolChanged::about(CallRef::Id(&id))
            }),
        );
    }
}
