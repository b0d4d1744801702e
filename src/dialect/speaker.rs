//! One record's voice, for the dialects of command-line agents: the context all its facts share, the small readers that
//! complain about wrong types, calls and results as most of them print them. Knows no field of any format.

use std::borrow::Cow;

use super::content::{self, Block};
use super::plan::Plan;
use super::tools::Presentation;
use super::{
    CallRef, Context, ErrorFact, Fact, FactSink, PartKind, PartRef, RunFact, ToolChanged, UsageBasis,
    UsageFact,
};
use crate::dialect::walk::{Elements, Present, elements};
use crate::event::{Evidence, HarnessEvent, Json, RunOutcome, RunPhase, RunScope, ToolStatus, Unknown};
use crate::framing::Severity;
use crate::json::{Kind, Value, write_string};

/// Says facts in the context of one record.
pub struct Speaker<'s, 'c> {
    facts: &'s mut dyn FactSink,
    /// What the record says about itself.
    pub context: Context<'c>,
    spoken: &'s mut bool,
    wrong_type: &'static str,
    /// Reading the record changed what later ones mean.
    moved: bool,
}

impl<'s, 'c> Speaker<'s, 'c> {
    /// `wrong_type` is the dialect's code for a member of another type; `spoken` is set by the first fact.
    pub fn new(wrong_type: &'static str, facts: &'s mut dyn FactSink, spoken: &'s mut bool) -> Self {
        Speaker { facts, context: Context::default(), spoken, wrong_type, moved: false }
    }

    /// The same voice, for facts whose context lives shorter than the record's. Whatever it says counts here too.
    pub fn narrowed<'t>(&'t mut self) -> Speaker<'t, 't>
    where
        'c: 't,
    {
        Speaker {
            facts: &mut *self.facts,
            context: self.context,
            spoken: &mut *self.spoken,
            wrong_type: self.wrong_type,
            moved: self.moved,
        }
    }

    /// Whether the record has said anything but its identity.
    pub fn has_spoken(&self) -> bool {
        *self.spoken
    }

    pub fn say(&mut self, fact: Fact<'_>) {
        *self.spoken = true;
        self.facts.fact(&self.context, fact);
    }

    /// A fact about what came before: the record has not spoken by it.
    pub fn say_quietly(&mut self, fact: Fact<'_>) {
        self.facts.fact(&self.context, fact);
    }

    pub fn record_id(&mut self, id: &str) {
        self.facts.fact(&self.context, Fact::RecordId(id));
    }

    /// Reading the record changed what later ones mean, such as their session: it cannot be repeated unread.
    pub fn moved(&mut self) {
        self.moved = true;
    }

    /// See [`FactSink::repeatable`].
    pub fn repeatable(&mut self, free: &[&str]) {
        if !self.moved {
            self.facts.repeatable(free);
        }
    }

    /// A fact with further words of the wire beside it.
    pub fn say_extra(&mut self, extra: Option<&str>, fact: Fact<'_>) {
        *self.spoken = true;
        let context = Context { extra: extra.map(Json).or(self.context.extra), ..self.context };
        self.facts.fact(&context, fact);
    }

    /// A fact of one message, with further words of the wire beside it.
    pub fn say_in(&mut self, message: Option<&str>, extra: Option<&str>, fact: Fact<'_>) {
        *self.spoken = true;
        let context = Context { message, extra: extra.map(Json).or(self.context.extra), ..self.context };
        self.facts.fact(&context, fact);
    }

    /// A fact of another agent than the record's own: the one that made the call the record is about.
    pub fn say_of(&mut self, agent: Option<&str>, extra: Option<&str>, fact: Fact<'_>) {
        self.say_as(agent, agent, extra, fact);
    }

    /// A fact of an agent whose key may be another than the call that runs it.
    pub fn say_as(
        &mut self,
        agent: Option<&str>,
        parent_call: Option<&str>,
        extra: Option<&str>,
        fact: Fact<'_>,
    ) {
        *self.spoken = true;
        let context =
            Context { agent, parent_call, extra: extra.map(Json).or(self.context.extra), ..self.context };
        self.facts.fact(&context, fact);
    }

    pub fn diagnostic(&mut self, code: &'static str, message: &str) {
        self.facts.diagnostic(code, Severity::Warn, message);
    }

    pub fn wrong_type(&mut self, field: &str) {
        self.diagnostic(self.wrong_type, &["`", field, "` is of another type than the format has"].concat());
    }

    /// A string, or nothing; anything but a string or null is remarked on.
    pub fn text<'a>(&mut self, value: Option<Value<'a>>, field: &str) -> Option<Cow<'a, str>> {
        let value = value?;
        let text = value.str();
        if text.is_none() && !value.is_null() {
            self.wrong_type(field);
        }
        text
    }

    /// A number, or nothing; anything but a number or null is remarked on.
    pub fn number(&mut self, value: Option<Value<'_>>, field: &str) -> Option<f64> {
        let value = value?;
        let number = value.f64();
        if number.is_none() && !value.is_null() {
            self.wrong_type(field);
        }
        number
    }

    /// The elements of an array; anything else is remarked on and gives none.
    pub fn list<'a>(&mut self, value: Option<Value<'a>>, field: &str) -> Vec<Value<'a>> {
        self.each(value, field).collect()
    }

    /// [`list`](Self::list) for one walk.
    pub fn each<'a>(&mut self, value: Option<Value<'a>>, field: &str) -> Elements<'a> {
        let value = value.present();
        if value.is_some_and(|value| value.kind() != Kind::Array) {
            self.wrong_type(field);
        }
        elements(value)
    }
}

/// What most of these formats say alike.
impl Speaker<'_, '_> {
    /// A whole text, or that there is none.
    pub fn whole(&mut self, part: PartRef<'_>, kind: PartKind, text: Option<Value<'_>>, field: &str) {
        match text.map(Value::text) {
            Some(Some(text)) if !text.is_empty() => self.say(Fact::PartWhole { part, kind, text }),
            Some(None) => self.wrong_type(field),
            _ => self.say(Fact::Ignored("empty-text")),
        }
    }

    /// A call as its table shows it.
    pub fn call(
        &mut self,
        call: CallRef<'_>,
        name: Option<&str>,
        shown: &Presentation<'_>,
        input: Option<Value<'_>>,
        status: Option<ToolStatus>,
    ) {
        self.say(Fact::ToolSeen(shown.seen(call, name, input.map(Value::raw), status)));
    }

    /// How a call ended: what it shows, and the record of the wire that says more.
    pub fn result(
        &mut self,
        call: CallRef<'_>,
        failed: bool,
        blocks: &[Block<'_>],
        output: Option<Value<'_>>,
    ) {
        self.say(Fact::ToolChanged(ToolChanged {
            status: Some(if failed { ToolStatus::Failed } else { ToolStatus::Completed }),
            content: content::contents_of(blocks),
            output: output.map(|output| Json(output.raw())),
            ..ToolChanged::about(call)
        }));
    }

    /// The whole todo list.
    pub fn todos(&mut self, list: Value<'_>) {
        let Some(mut plan) = Plan::read(list) else { return self.wrong_type("todos") };
        for _ in 0..plan.drop_textless() {
            self.wrong_type("todos.content");
        }
        self.say(plan.fact());
    }

    /// A word of the dialect that is not interpreted: a debug row with the whole record.
    pub fn harness_event(&mut self, word: &str, record: Value<'_>) {
        self.say(Fact::Tell(HarnessEvent { type_: word, payload: Some(Json(record.raw())) }.into()));
    }

    /// A record that nothing here knows.
    pub fn unknown(&mut self, word: Option<&str>, record: Value<'_>) {
        self.say(Fact::Tell(Unknown { type_: word, raw: record.raw() }.into()));
    }

    /// Token counters: prompt, completion and cached ones, the rest of the record beside them.
    pub fn usage(&mut self, basis: UsageBasis, counts: [Option<f64>; 3], extra: Option<&str>) {
        let [prompt, completion, cached] = counts;
        if prompt.is_none() && completion.is_none() && cached.is_none() {
            return;
        }
        self.say(Fact::Usage(UsageFact {
            basis,
            prompt,
            completion,
            cached,
            cost: None,
            cost_is_running_total: false,
            extra: extra.map(Json),
        }));
    }

    /// The end of the run as the wire states it.
    pub fn run_end(
        &mut self,
        outcome: RunOutcome,
        reason: Option<&str>,
        duration_ms: Option<f64>,
        extra: Option<&str>,
    ) {
        let run = RunFact {
            outcome: Some(outcome),
            reason,
            duration_ms,
            evidence: Some(Evidence::Stated),
            ..RunFact::of(RunScope::Run, RunPhase::End)
        };
        self.say_extra(extra, Fact::Run(run));
    }
}

/// The named members that hold something, as an object; `None` when there is none.
pub fn extra_of(value: Value<'_>, names: &[&str]) -> Option<String> {
    let mut extra = Extra::default();
    for (key, member) in value.object()? {
        if names.contains(&&*key) && !matches!(member.raw(), "null" | "[]") {
            extra.raw(&key, member.raw());
        }
    }
    extra.finish()
}

/// An `extra` object in the making; nothing is allocated before the first member.
#[derive(Default)]
pub struct Extra {
    members: String,
}

impl Extra {
    /// A member that is JSON already.
    pub fn raw(&mut self, key: &str, json: &str) {
        // With room for what stands around it.
        self.members.reserve(key.len() + json.len() + 8);
        self.key(key);
        self.members.push_str(json);
    }

    pub fn text(&mut self, key: &str, text: &str) {
        self.key(key);
        write_string(&mut self.members, text);
    }

    pub fn value(&mut self, key: &str, value: Option<Value<'_>>) {
        if let Some(value) = value.present() {
            self.raw(key, value.raw());
        }
    }

    fn key(&mut self, key: &str) {
        self.members.push(if self.members.is_empty() { '{' } else { ',' });
        write_string(&mut self.members, key);
        self.members.push(':');
    }

    /// The object, if it has members.
    pub fn finish(mut self) -> Option<String> {
        if self.members.is_empty() {
            return None;
        }
        self.members.push('}');
        Some(self.members)
    }
}

/// An error that ends nothing.
pub fn error(message: &str) -> ErrorFact<'_> {
    ErrorFact { message, fatal: false, code: None, retry_after_ms: None, repeats: false, echoed: false }
}
