//! One frame: its members found in one walk, read leniently, and what is left of them for `extra`.
//!
//! Knows the member names of the contract and nothing of what a frame means. The writer merges free members last, so
//! any member may stand in any frame; a frame type says which ones it uses and the others stay in `extra`.

use std::borrow::Cow;

use crate::dialect::FactSink;
use crate::dialect::walk::{Present, members};
use crate::framing::Severity;
use crate::json::{ObjectWriter, Text, Value};

macro_rules! members {
    ($($member:ident $word:literal)*) => {
        /// A member the contract names. The hot ones come first, since names are searched in this order.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Member { $($member),* }

        const WORDS: &[&str] = &[$($word),*];
    };
}

members! {
    Type "type"
    SessionId "session_id"
    TraceId "trace_id"
    Content "content"
    Message "message"
    Agent "agent"
    CnAgent "cn_agent"
    Tool "tool"
    CnTool "cn_tool"
    Args "args"
    ToolCallId "tool_call_id"
    AgentId "agent_id"
    Error "error"
    DurationMs "duration_ms"
    Todos "todos"
    Items "items"
    ModelOnly "model_only"
    DownloadUrl "download_url"
    Filename "filename"
    ToolApproval "tool_approval"
    AskUser "ask_user"
    Code "code"
    RetryAfter "retry_after"
}

/// Members a frame type turns into facts; all others go to `extra`.
#[derive(Clone, Copy)]
pub struct Uses(u32);

impl Uses {
    /// The envelope and these.
    pub const fn of(members: &[Member]) -> Uses {
        let mut bits = 1 << Member::Type as u32 | 1 << Member::SessionId as u32;
        let mut at = 0;
        while at < members.len() {
            bits |= 1 << members[at] as u32;
            at += 1;
        }
        Uses(bits)
    }

    fn has(self, member: usize) -> bool {
        self.0 & 1 << member != 0
    }
}

/// The members of one frame.
pub struct Frame<'a> {
    value: Value<'a>,
    found: [Option<Value<'a>>; WORDS.len()],
    seen: u32,
    strangers: bool,
}

impl<'a> Frame<'a> {
    /// `None` when the record is no object.
    pub fn read(value: Value<'a>) -> Option<Frame<'a>> {
        let mut frame = Frame { value, found: [None; WORDS.len()], seen: 0, strangers: false };
        for (key, member) in value.object()? {
            match WORDS.iter().position(|word| *word == &*key) {
                Some(at) => {
                    frame.seen |= 1 << at;
                    if let Some(slot) = frame.found.get_mut(at) {
                        *slot = Some(member);
                    }
                }
                None => frame.strangers = true,
            }
        }
        Some(frame)
    }

    /// The whole frame, raw.
    pub fn raw(&self) -> &'a str {
        self.value.raw()
    }

    /// A member that is there and not null.
    pub fn get(&self, member: Member) -> Option<Value<'a>> {
        self.found.get(member as usize).copied().flatten().present()
    }

    /// A member that should be a string. Anything else is remarked and gives its JSON text.
    pub fn string(&self, member: Member, facts: &mut dyn FactSink) -> Option<Cow<'a, str>> {
        let value = self.get(member)?;
        Some(value.str().unwrap_or_else(|| {
            wrong_type(facts, member, "a string");
            Cow::Borrowed(value.raw())
        }))
    }

    /// Like [`string`](Self::string), and an empty one counts as absent.
    pub fn filled(&self, member: Member, facts: &mut dyn FactSink) -> Option<Cow<'a, str>> {
        self.string(member, facts).filter(|text| !text.is_empty())
    }

    /// The piece of a token frame: null is no text, any other value but a string its JSON text.
    pub fn piece(&self, facts: &mut dyn FactSink) -> Text<'a> {
        let member = Member::Content;
        match self.found.get(member as usize).copied().flatten() {
            None => {
                facts.diagnostic("vent.missing-member", Severity::Warn, "a token frame without `content`");
                Text::default()
            }
            Some(value) if value.is_null() => Text::default(),
            Some(value) => value.text().unwrap_or_else(|| {
                wrong_type(facts, member, "a string");
                Text::plain(value.raw())
            }),
        }
    }

    /// A number, also as numeric text; anything else is remarked and dropped.
    pub fn number(&self, member: Member, facts: &mut dyn FactSink) -> Option<f64> {
        let value = self.get(member)?;
        let number = match value.str() {
            Some(text) => text.trim().parse().ok().filter(|number: &f64| number.is_finite()),
            None => value.f64(),
        };
        if number.is_none() {
            wrong_type(facts, member, "a number");
        }
        number
    }

    /// A flag; anything but `true` and `false` is remarked and counts as absent.
    pub fn flag(&self, member: Member, facts: &mut dyn FactSink) -> Option<bool> {
        let value = self.get(member)?;
        let flag = value.bool();
        if flag.is_none() {
            wrong_type(facts, member, "a boolean");
        }
        flag
    }

    /// A member that should be an array, as JSON text: an object makes a list of one, text that holds an array is
    /// read, anything else is remarked and gives an empty list.
    pub fn list(&self, member: Member, facts: &mut dyn FactSink) -> Cow<'a, str> {
        list_text(self.get(member)).unwrap_or_else(|| {
            wrong_type(facts, member, "an array");
            Cow::Borrowed("[]")
        })
    }

    /// Writes `traceId` and every member that is not in `uses` to an object; writes nothing when there is none.
    pub fn write_extra(&self, out: &mut String, uses: Uses, more: impl FnOnce(&mut ObjectWriter<'_>)) {
        let mut extra = ObjectWriter::new(out);
        if let Some(trace) = self.get(Member::TraceId) {
            extra.raw("traceId", trace.raw());
        }
        let leftovers = self.seen & !(uses.0 | 1 << Member::TraceId as u32);
        if leftovers != 0 || self.strangers {
            self.write_leftovers(&mut extra, uses);
        }
        more(&mut extra);
        let empty = extra.is_empty();
        extra.finish();
        if empty {
            out.clear();
        }
    }

    fn write_leftovers(&self, extra: &mut ObjectWriter<'_>, uses: Uses) {
        for (key, member) in members(Some(self.value)) {
            let known = WORDS.iter().position(|word| *word == &*key);
            if !known.is_some_and(|at| uses.has(at) || at == Member::TraceId as usize) {
                extra.raw(&key, member.raw());
            }
        }
    }
}

/// The JSON text of a list; `None` when it can not be read as one.
pub fn list_text(value: Option<Value<'_>>) -> Option<Cow<'_, str>> {
    let value = value?;
    if value.array().is_some() {
        return Some(Cow::Borrowed(value.raw()));
    }
    if value.object().is_some() {
        return Some(Cow::Owned(["[", value.raw(), "]"].concat()));
    }
    let text = value.str()?;
    Value::parse(&text).ok().and_then(Value::array)?;
    Some(text)
}

fn wrong_type(facts: &mut dyn FactSink, member: Member, wanted: &str) {
    let word = WORDS.get(member as usize).copied().unwrap_or_default();
    facts.diagnostic("vent.wrong-type", Severity::Warn, &["`", word, "` is not ", wanted].concat());
}
