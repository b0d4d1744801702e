//! What dialects of plain JSON lines have in common: saying facts in the context of one record, and reading members
//! leniently, with a remark where a type is wrong.
//!
//! Knows no wire: names of members come from the dialect. Holds nothing between records.

use std::borrow::Cow;

use super::content::{self, Block};
use super::tools::Presentation;
use super::tools::todo::Todo;
use super::{CallRef, Context, ErrorFact, Fact, FactSink, ToolChanged, ToolSeen, UsageBasis, UsageFact};
use crate::event::{HarnessEvent, Json, PlanEntry, SessionInfoUpdate, ToolStatus, Unknown, Update};
use crate::framing::Severity;
use crate::json::{ObjectWriter, Value};

/// Says the facts of one record.
pub struct Voice<'s, 'c> {
    facts: &'s mut dyn FactSink,
    /// What the record says about itself.
    pub context: Context<'c>,
    /// Code of the remark about a wrong type, e.g. `goose.wrong-type`.
    wrong: &'static str,
}

impl<'s, 'c> Voice<'s, 'c> {
    /// A voice without a context. `wrong` is the code of the remark about a wrong type.
    pub fn new(facts: &'s mut dyn FactSink, wrong: &'static str) -> Self {
        Voice { facts, context: Context::default(), wrong }
    }

    /// The same voice for facts whose context lives shorter.
    pub fn narrowed<'t>(&'t mut self) -> Voice<'t, 't>
    where
        'c: 't,
    {
        Voice { facts: &mut *self.facts, context: self.context, wrong: self.wrong }
    }

    /// One fact.
    pub fn say(&mut self, fact: Fact<'_>) {
        self.facts.fact(&self.context, fact);
    }

    /// One fact with further words of the wire beside it: a JSON object.
    pub fn say_with(&mut self, extra: Option<&str>, fact: Fact<'_>) {
        let context = Context { extra: extra.map(Json).or(self.context.extra), ..self.context };
        self.facts.fact(&context, fact);
    }

    /// See [`FactSink::repeatable`].
    pub fn repeatable(&mut self, free: &[&str]) {
        self.facts.repeatable(free);
    }

    /// A remark of its own code.
    pub fn remark(&mut self, code: &'static str, message: &str) {
        self.facts.diagnostic(code, Severity::Warn, message);
    }

    /// Remarks that a member has another type than the format gives it.
    pub fn wrong_type(&mut self, member: &str) {
        let mut message = String::from(member);
        message.push_str(" is of another type than the format has");
        self.facts.diagnostic(self.wrong, Severity::Warn, &message);
    }

    /// A string; anything but a string or null is remarked on. An empty one counts as absent.
    pub fn text<'a>(&mut self, value: Option<Value<'a>>, member: &str) -> Option<Cow<'a, str>> {
        let value = value.filter(|value| !value.is_null())?;
        let text = value.str();
        if text.is_none() {
            self.wrong_type(member);
        }
        text.filter(|text| !text.is_empty())
    }

    /// A record of a word that is known or belongs to this format, and that nobody interprets.
    pub fn harness(&mut self, word: &str, value: Value<'_>) {
        self.say(Fact::Tell(Update::HarnessEvent(HarnessEvent {
            type_: word,
            payload: Some(Json(value.raw())),
        })));
    }

    /// A record, or a piece of one, that nothing fits.
    pub fn unknown(&mut self, word: Option<&str>, raw: &str) {
        self.say(Fact::Tell(Update::Unknown(Unknown { type_: word, raw })));
    }

    /// What the wire tells about the session: its directory, and everything else as an object.
    pub fn session(&mut self, cwd: Option<&str>, meta: Option<&str>) {
        let info = SessionInfoUpdate { cwd, meta: meta.map(Json), ..SessionInfoUpdate::default() };
        self.say(Fact::Tell(Update::SessionInfoUpdate(info)));
    }

    /// A call, as its table row shows it.
    pub fn call(
        &mut self,
        id: Option<&str>,
        name: Option<&str>,
        shown: &Presentation<'_>,
        input: Option<Value<'_>>,
        status: Option<ToolStatus>,
    ) {
        self.say(Fact::ToolSeen(ToolSeen {
            name,
            title: Some(&shown.title),
            kind: Some(shown.kind),
            status,
            input: input.map(|input| Json(input.raw())),
            content: Some(content::tool_contents(&shown.content)).filter(|_| !shown.content.is_empty()),
            locations: Some(content::locations(&shown.places)).filter(|_| !shown.places.is_empty()),
            ..ToolSeen::about(id.map_or(CallRef::New, CallRef::Id))
        }));
    }

    /// Progress or result of a call. `output` is the wire's whole record of it, as JSON text.
    pub fn result(
        &mut self,
        id: Option<&str>,
        status: ToolStatus,
        blocks: &[Block<'_>],
        output: Option<&str>,
        extra: Option<&str>,
    ) {
        let changed = ToolChanged {
            status: Some(status),
            content: Some(content::tool_contents(blocks)).filter(|_| !blocks.is_empty()),
            output: output.map(Json),
            ..ToolChanged::about(id.map_or(CallRef::New, CallRef::Id))
        };
        self.say_with(extra, Fact::ToolChanged(changed));
    }

    /// A whole todo list.
    pub fn plan<'p>(&mut self, todos: &'p [Todo<'p>]) {
        let entry = |todo: &'p Todo<'p>| PlanEntry {
            content: &todo.content,
            status: todo.status,
            priority: todo.priority,
        };
        let entries: Vec<_> = todos.iter().map(entry).collect();
        self.say(Fact::PlanSet { entries: entries.into() });
    }

    /// An error that is told once.
    pub fn error(&mut self, message: &str, fatal: bool, code: Option<&str>, extra: Option<&str>) {
        let error = ErrorFact { message, fatal, code, retry_after_ms: None, repeats: true, echoed: false };
        self.say_with(extra, Fact::Error(error));
    }

    /// Token counters, by a table of their names; what is not listed goes to `extra`, and a record without counters
    /// says nothing.
    pub fn usage(&mut self, counters: Value<'_>, basis: UsageBasis, names: &[(&str, Counter)]) {
        let mut fact = UsageFact {
            basis,
            prompt: None,
            completion: None,
            cached: None,
            cost: None,
            cost_is_running_total: false,
            extra: None,
        };
        let mut text = String::new();
        let mut extra = ObjectWriter::new(&mut text);
        let mut shares = 0.0;
        let Some(members) = counters.object() else { return self.wrong_type("usage") };
        for (name, value) in members.filter(|(_, value)| !value.is_null()) {
            let meaning = names.iter().find(|(known, _)| *known == &*name).map(|(_, meaning)| *meaning);
            let number = value.f64();
            if meaning.is_some_and(|meaning| meaning != Counter::None) && number.is_none() {
                self.wrong_type(&name);
                continue;
            }
            match meaning {
                Some(Counter::Prompt) => fact.prompt = number,
                Some(Counter::Completion) => fact.completion = number,
                Some(Counter::Cached) => fact.cached = number,
                Some(Counter::CachedShare) => {
                    fact.cached = number;
                    shares += number.unwrap_or_default();
                }
                Some(Counter::Cost) => fact.cost = number,
                Some(Counter::None) => {}
                Some(Counter::OtherShare) | None => {
                    if meaning.is_some() {
                        shares += number.unwrap_or_default();
                    }
                    extra.raw(&name, value.raw());
                }
            }
        }
        fact.prompt = fact.prompt.map(|prompt| prompt + shares);
        let has_extra = !extra.is_empty();
        extra.finish();
        fact.extra = has_extra.then_some(Json(&text));
        if has_extra || fact.prompt.is_some() || fact.completion.is_some() || fact.cost.is_some() {
            self.say(Fact::Usage(fact));
        }
    }
}

/// What a counter counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counter {
    /// Input tokens.
    Prompt,
    /// Output tokens.
    Completion,
    /// Input tokens read from a cache, counted in `Prompt` too.
    Cached,
    /// Input tokens read from a cache, which `Prompt` leaves out.
    CachedShare,
    /// Other input tokens that `Prompt` leaves out; they stay in `extra` under their name.
    OtherShare,
    /// US dollars.
    Cost,
    /// No counter: a member of the record that stands beside them.
    None,
}

/// The named members that hold something, as a JSON object; `None` when there is none.
pub fn members(value: Value<'_>, names: &[&str]) -> Option<String> {
    object_of(value, |name| names.contains(&name))
}

/// All members that hold something but the named ones.
pub fn members_but(value: Value<'_>, names: &[&str]) -> Option<String> {
    object_of(value, |name| !names.contains(&name))
}

fn object_of(value: Value<'_>, wanted: impl Fn(&str) -> bool) -> Option<String> {
    let mut text = String::new();
    let mut writer = ObjectWriter::new(&mut text);
    for (name, member) in value.object()? {
        if wanted(&name) && !matches!(member.raw(), "null" | "[]" | "{}" | "\"\"") {
            writer.raw(&name, member.raw());
        }
    }
    let empty = writer.is_empty();
    writer.finish();
    (!empty).then_some(text)
}
