//! What Gemini's and Qwen's records have in common: calls, parts of a message, thoughts.

use std::borrow::Cow;

use crate::dialect::content::Block;
use crate::dialect::speaker::Speaker;
use crate::dialect::tools::gemini as tools;
use crate::dialect::{CallRef, Fact, PartKind, PartRef};
use crate::event::ToolStatus;
use crate::json::{Text, Value};

/// A call and, where its arguments are one, the plan.
pub fn call(
    call: CallRef<'_>,
    name: Option<&str>,
    input: Option<Value<'_>>,
    status: ToolStatus,
    speaker: &mut Speaker<'_, '_>,
) {
    let shown = tools::present(name.filter(|name| !name.is_empty()).unwrap_or("Unknown Tool"), input);
    speaker.call(call, name, &shown, input, Some(status));
    super::say_plan(name, input, speaker);
}

/// A thought with its subject, as Gemini CLI shows it. The text is under the first of these names.
pub fn thought<'a>(value: Value<'a>, names: &[&str]) -> Cow<'a, str> {
    let subject = value.get("subject").and_then(Value::str).filter(|subject| !subject.is_empty());
    let text = names.iter().find_map(|name| value.get(name)?.str()).unwrap_or_default();
    match subject {
        None => text,
        Some(subject) => {
            ["**", &subject, "**", if text.is_empty() { "" } else { "\n" }, &text].concat().into()
        }
    }
}

/// Whether a text was put into the conversation by the program, not typed by a person.
pub fn is_injected(text: &str) -> bool {
    ["<session_context>", "<system-reminder>", "<task-notification>"].iter().any(|tag| text.starts_with(tag))
}

/// How the parts of one message are said.
#[derive(Clone, Copy)]
pub struct Told {
    /// Whose words the texts are.
    pub kind: PartKind,
    /// The message may be told again with more in it.
    pub grows: bool,
}

impl Told {
    /// One text of the message.
    pub fn text(self, index: u32, kind: PartKind, text: Text<'_>, speaker: &mut Speaker<'_, '_>) {
        let part = PartRef::Index(index);
        if text.is_empty() {
            return;
        }
        speaker.say(match kind {
            PartKind::User if is_injected(&text.text) => Fact::Injected { text },
            kind if self.grows => Fact::PartSoFar { part, kind, text },
            kind => Fact::PartWhole { part, kind, text },
        });
    }

    /// A message's content: a text, one part, or a list of parts. Thoughts, calls and results may be among them.
    pub fn content(self, content: Value<'_>, speaker: &mut Speaker<'_, '_>) {
        if let Some(text) = content.text() {
            return self.text(0, self.kind, text, speaker);
        }
        let Some(parts) = content.array() else { return self.part(0, content, speaker) };
        for (index, part) in (0..).zip(parts) {
            self.part(index, part, speaker);
        }
    }

    fn part(self, index: u32, part: Value<'_>, speaker: &mut Speaker<'_, '_>) {
        if let Some(text) = part.text() {
            return self.text(index, self.kind, text, speaker);
        }
        let [text, thought, call, response, data] =
            part.fields(["text", "thought", "functionCall", "functionResponse", "inlineData"]);
        if let Some(text) = text.and_then(Value::text) {
            let kind =
                if thought.and_then(Value::bool) == Some(true) { PartKind::Thought } else { self.kind };
            return self.text(index, kind, text, speaker);
        }
        if let Some(called) = call {
            let [id, name, input] = called.fields(["id", "name", "args"]);
            let (id, name) = (id.and_then(Value::str), name.and_then(Value::str));
            let reference = CallRef::of(id.as_deref());
            return self::call(reference, name.as_deref(), input, ToolStatus::Pending, speaker);
        }
        if response.is_some() {
            return speaker.say(Fact::Ignored("result-told-elsewhere"));
        }
        if let Some(data) = data {
            let [bytes, mime] = data.fields(["data", "mimeType"]).map(|field| field.and_then(Value::str));
            let mime_type = mime.unwrap_or_default();
            let data = bytes.unwrap_or_default();
            let block = if mime_type.starts_with("audio/") {
                Block::Audio { data, mime_type }
            } else {
                Block::Image { data, mime_type, uri: None }
            };
            return speaker.say(Fact::PartBlock { kind: self.kind, block: block.content_block() });
        }
        speaker.harness_event("part", part);
    }
}

/// The result of a call as the model was told it: `{output}` or `{error}` of a function response, in a list or alone.
pub fn response<'a>(result: Value<'a>) -> (Option<Cow<'a, str>>, bool) {
    let of = |part: Value<'a>| part.get("functionResponse")?.get("response");
    let found = match result.array() {
        Some(mut parts) => parts.find_map(of),
        None => of(result),
    };
    let [output, error] = found.map_or([None, None], |response| response.fields(["output", "error"]));
    (error.or(output).and_then(Value::str).filter(|text| !text.is_empty()), error.is_some())
}
