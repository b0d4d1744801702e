//! Reading the members of one notification or event: camelCase or snake_case names, wrong types, what is left over.

use std::borrow::Cow;

use crate::dialect::walk::members;
use crate::dialect::{Context, FactSink};
use crate::event::Json;
use crate::framing::Severity;
use crate::json::{ObjectWriter, Value};

/// One notification, event or log row.
#[derive(Clone, Copy)]
pub struct Event<'a> {
    /// The wire's name for it: a method or a `type`.
    pub name: &'a str,
    /// Its members.
    pub params: Value<'a>,
    /// The whole JSON-RPC object or line.
    pub raw: &'a str,
}

/// Members that say what a record is, not what happened.
const FRAME: [&str; 3] = ["type", "jsonrpc", "method"];

/// The members asked for, and what the record says about itself.
pub struct Line<'a, const N: usize> {
    /// In the order of the names. Null counts as absent: the serializer drops undefined members.
    pub found: [Option<Value<'a>>; N],
    session: Option<Cow<'a, str>>,
    timestamp: Option<Cow<'a, str>>,
    /// Every other member, as a JSON object; empty when there is none.
    pub extra: String,
}

impl<'a> Event<'a> {
    /// Finds members by their camelCase names in one walk. A snake_case spelling counts where the other is absent.
    pub fn read<const N: usize>(&self, names: [&str; N]) -> Line<'a, N> {
        let mut found = [None; N];
        let mut exact = [false; N];
        let (mut session, mut timestamp, mut others) = (None, None, false);
        for (key, value) in members(Some(self.params)) {
            if let Some(at) = names.iter().position(|name| is_named(&key, name)) {
                let plain = names.get(at) == Some(&&*key);
                if let (Some(slot), Some(known)) = (found.get_mut(at), exact.get_mut(at))
                    && (plain || !*known)
                {
                    *slot = (!value.is_null()).then_some(value);
                    *known = plain;
                }
            } else if &*key == "timestamp" {
                timestamp = value.str();
            } else if is_named(&key, "sessionId") {
                session = value.str();
            } else {
                others |= !FRAME.contains(&&*key);
            }
        }
        let extra = if others { self.others(&names) } else { String::new() };
        Line { found, session, timestamp, extra }
    }

    fn others(&self, names: &[&str]) -> String {
        let mut out = String::new();
        let mut object = ObjectWriter::new(&mut out);
        for (key, value) in members(Some(self.params)) {
            let spoken_for = names.iter().any(|name| is_named(&key, name))
                || FRAME.contains(&&*key)
                || &*key == "timestamp"
                || is_named(&key, "sessionId");
            if !spoken_for {
                object.raw(&key, value.raw());
            }
        }
        object.finish();
        out
    }
}

impl<const N: usize> Line<'_, N> {
    /// The session this record names itself.
    pub fn session(&self) -> Option<&str> {
        self.session.as_deref()
    }

    /// The record's context; `session` is the one in force where the record names none.
    pub fn context<'s>(&'s self, session: &'s str) -> Context<'s> {
        Context {
            session: self.session().or(Some(session)).filter(|session| !session.is_empty()),
            timestamp: self.timestamp.as_deref(),
            extra: (!self.extra.is_empty()).then_some(Json(&self.extra)),
            ..Context::default()
        }
    }

    /// Puts further members before the others of `extra`.
    pub fn add_extra(&mut self, write: impl FnOnce(&mut ObjectWriter<'_>)) {
        let mut out = String::new();
        let mut object = ObjectWriter::new(&mut out);
        write(&mut object);
        if object.is_empty() {
            return;
        }
        let others = std::mem::take(&mut self.extra);
        for (key, value) in members(Value::parse(&others).ok()) {
            object.raw(&key, value.raw());
        }
        object.finish();
        self.extra = out;
    }
}

/// Whether a key is this camelCase name or its snake_case spelling.
pub fn is_named(key: &str, camel: &str) -> bool {
    if key == camel {
        return true;
    }
    let mut letters = key.bytes();
    for byte in camel.bytes() {
        if byte.is_ascii_uppercase() && letters.next() != Some(b'_') {
            return false;
        }
        if letters.next() != Some(byte.to_ascii_lowercase()) {
            return false;
        }
    }
    letters.next().is_none()
}

/// A member that should be a string. Anything else is remarked and gives its JSON text.
pub fn text<'a>(value: Option<Value<'a>>, name: &str, facts: &mut dyn FactSink) -> Option<Cow<'a, str>> {
    let value = value?;
    Some(value.str().unwrap_or_else(|| {
        wrong_type(name, "a string", facts);
        Cow::Borrowed(value.raw())
    }))
}

/// Like [`text`], and an empty one counts as absent.
pub fn filled<'a>(value: Option<Value<'a>>, name: &str, facts: &mut dyn FactSink) -> Option<Cow<'a, str>> {
    text(value, name, facts).filter(|text| !text.is_empty())
}

/// A member that should be a number; anything else is remarked and dropped.
pub fn number(value: Option<Value<'_>>, name: &str, facts: &mut dyn FactSink) -> Option<f64> {
    let number = value?.f64();
    if number.is_none() {
        wrong_type(name, "a number", facts);
    }
    number
}

/// A member that should be a flag; anything else is remarked and dropped.
pub fn flag(value: Option<Value<'_>>, name: &str, facts: &mut dyn FactSink) -> Option<bool> {
    let flag = value?.bool();
    if flag.is_none() {
        wrong_type(name, "a boolean", facts);
    }
    flag
}

/// Remarks a member of the wrong type.
pub fn wrong_type(name: &str, wanted: &str, facts: &mut dyn FactSink) {
    facts.diagnostic("autohand.wrong-type", Severity::Warn, &["`", name, "` is not ", wanted].concat());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_match_in_both_spellings() {
        assert!(is_named("toolId", "toolId"));
        assert!(is_named("tool_id", "toolId"));
        assert!(is_named("delta", "delta"));
        for other in ["toolid", "tool_Id", "tool_ids", "tool", "_tool_id", ""] {
            assert!(!is_named(other, "toolId"), "{other}");
        }
    }

    #[test]
    fn the_camel_case_member_wins_over_its_alias() {
        for text in [r#"{"toolId":"a","tool_id":"b","x":1}"#, r#"{"tool_id":"b","toolId":"a","x":1}"#] {
            let event = Event { name: "", params: Value::parse(text).expect("JSON"), raw: text };
            let line = event.read(["toolId"]);
            assert_eq!(line.found[0].and_then(Value::str).as_deref(), Some("a"));
            assert_eq!(line.extra, r#"{"x":1}"#);
        }
    }
}
