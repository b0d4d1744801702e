//! One record's voice: the context all its facts share, and the small readers that complain about wrong types.

use std::borrow::Cow;

use crate::dialect::{Context, ErrorFact, Fact, FactSink};
use crate::event::Json;
use crate::framing::Severity;
use crate::json::{ObjectWriter, Value};

/// Says facts in the context of one record.
pub(super) struct Speaker<'s, 'c> {
    facts: &'s mut dyn FactSink,
    /// What the record says about itself.
    pub context: Context<'c>,
    spoken: &'s mut bool,
}

impl<'s, 'c> Speaker<'s, 'c> {
    /// `spoken` is set by the first fact.
    pub fn new(facts: &'s mut dyn FactSink, spoken: &'s mut bool) -> Self {
        Speaker { facts, context: Context::default(), spoken }
    }

    /// The same voice, for facts whose context lives shorter than the record's. Whatever it says counts here too.
    pub fn narrowed<'t>(&'t mut self) -> Speaker<'t, 't>
    where
        'c: 't,
    {
        Speaker { facts: &mut *self.facts, context: self.context, spoken: &mut *self.spoken }
    }

    /// Whether the record has said anything but its identity.
    pub fn has_spoken(&self) -> bool {
        *self.spoken
    }

    pub fn say(&mut self, fact: Fact<'_>) {
        *self.spoken = true;
        self.facts.fact(&self.context, fact);
    }

    pub fn record_id(&mut self, id: &str) {
        self.facts.fact(&self.context, Fact::RecordId(id));
    }

    /// See [`FactSink::repeatable`].
    pub fn repeatable(&mut self, free: &[&str]) {
        self.facts.repeatable(free);
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
        self.diagnostic("claude.wrong-type", &format!("`{field}` is of another type than the format has"));
    }

    /// A string, or nothing; anything but a string or null is remarked on.
    pub fn text<'a>(&mut self, value: Option<Value<'a>>, field: &str) -> Option<Cow<'a, str>> {
        let value = value.filter(|value| !value.is_null())?;
        let text = value.str();
        if text.is_none() {
            self.wrong_type(field);
        }
        text
    }

    /// A number, or nothing; anything but a number or null is remarked on.
    pub fn number(&mut self, value: Option<Value<'_>>, field: &str) -> Option<f64> {
        let value = value.filter(|value| !value.is_null())?;
        let number = value.f64();
        if number.is_none() {
            self.wrong_type(field);
        }
        number
    }

    /// The elements of an array; anything else is remarked on and gives none.
    pub fn list<'a>(&mut self, value: Option<Value<'a>>, field: &str) -> Vec<Value<'a>> {
        let Some(value) = value.filter(|value| !value.is_null()) else { return Vec::new() };
        match value.array() {
            Some(items) => items.collect(),
            None => {
                self.wrong_type(field);
                Vec::new()
            }
        }
    }
}

/// The named members that hold something, as an object; `None` when there is none.
pub(super) fn extra_of(value: Value<'_>, names: &[&str]) -> Option<String> {
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
pub(super) struct Extra {
    members: String,
}

impl Extra {
    /// A member that is JSON already.
    pub fn raw(&mut self, key: &str, json: &str) {
        let mut member = String::with_capacity(key.len() + json.len() + 8);
        let mut writer = ObjectWriter::new(&mut member);
        writer.raw(key, json);
        writer.finish();
        self.join(&member);
    }

    pub fn text(&mut self, key: &str, text: &str) {
        let mut member = String::new();
        let mut writer = ObjectWriter::new(&mut member);
        writer.text(key, text);
        writer.finish();
        self.join(&member);
    }

    pub fn value(&mut self, key: &str, value: Option<Value<'_>>) {
        if let Some(value) = value.filter(|value| !value.is_null()) {
            self.raw(key, value.raw());
        }
    }

    /// Takes the members out of a one-member object.
    fn join(&mut self, object: &str) {
        self.members.push(if self.members.is_empty() { '{' } else { ',' });
        self.members.push_str(object.get(1..object.len().saturating_sub(1)).unwrap_or_default());
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
pub(super) fn error(message: &str) -> ErrorFact<'_> {
    ErrorFact { message, fatal: false, code: None, retry_after_ms: None, repeats: false, echoed: false }
}
