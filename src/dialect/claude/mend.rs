//! Lines that are not one whole record, as they are met in the wild: two records on one line, a record cut off by the
//! next one, and a `rate_limit_event` written into the middle of another record's line.

use crate::dialect::{Context, Fact, FactSink};
use crate::event::{Unknown, Update};
use crate::framing::Severity;
use crate::json::Value;

/// How each record begins: at the start of a line, or where one was cut into.
const STARTS: [&str; 3] = ["{\"type\":\"", "{\"parentUuid\":", "{\"uuid\":\""];

/// Places looked at in one line. A whole record is the rest of the line, so each look reads it once.
const MOST_LOOKS: usize = 4;

/// Longest first half that waits for the rest of its line.
const LONGEST_HALF: usize = 8 << 20;

/// The first half of a record that another one was written into.
#[derive(Default)]
pub(super) struct Torn(Option<String>);

impl Torn {
    /// Reads a line that is no JSON value. Returns whether something of it could be read.
    pub fn line(
        &mut self,
        body: &str,
        facts: &mut dyn FactSink,
        read: &mut dyn FnMut(Value<'_>, &mut dyn FactSink),
    ) -> bool {
        if let Some(mut half) = self.0.take() {
            let kept = half.len();
            half.push_str(body);
            if let Ok(whole) = Value::parse(&half) {
                facts.diagnostic("claude.torn-line", Severity::Info, "joined the halves of a torn record");
                read(whole, facts);
                return true;
            }
            half.truncate(kept);
            lost(&half, facts);
        }
        let (mut first, mut others) = (body, Vec::new());
        while let Some((before, last)) = split(first).filter(|_| others.len() < MOST_LOOKS) {
            first = before;
            others.push(last);
        }
        let Some(next) = others.last() else { return false };
        match Value::parse(first) {
            Ok(whole) => {
                facts.diagnostic("claude.two-records", Severity::Info, "several records stand on one line");
                read(whole, facts);
            }
            Err(_) if is_rate_limit(*next) && first.len() <= LONGEST_HALF => self.0 = Some(first.into()),
            Err(_) => lost(first, facts),
        }
        for other in others.into_iter().rev() {
            read(other, facts);
        }
        true
    }

    /// The rest of a torn record did not come.
    pub fn give_up(&mut self, facts: &mut dyn FactSink) {
        if let Some(half) = self.0.take() {
            lost(&half, facts);
        }
    }
}

fn is_rate_limit(value: Value<'_>) -> bool {
    value.get("type").and_then(Value::str).as_deref() == Some("rate_limit_event")
}

fn lost(half: &str, facts: &mut dyn FactSink) {
    facts.diagnostic("claude.cut-record", Severity::Warn, "a record was cut off by the next one");
    facts.fact(&Context::default(), Fact::Tell(Update::Unknown(Unknown { type_: None, raw: half })));
}

/// The last record of the line and what stands before it. Inside a record an object follows a bracket, comma or colon.
fn split(body: &str) -> Option<(&str, Value<'_>)> {
    if !body.starts_with('{') {
        return None;
    }
    let mut looks = 0;
    for (at, _) in body.match_indices('{').skip(1) {
        let (before, rest) = body.split_at(at);
        if before.ends_with(['[', ',', ':', '\\', ' ']) || !STARTS.iter().any(|start| rest.starts_with(start))
        {
            continue;
        }
        looks += 1;
        if looks > MOST_LOOKS {
            return None;
        }
        if let Ok(last) = Value::parse(rest) {
            return Some((before, last));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_behind_another_or_behind_half_of_one_is_found() {
        let last = |body: &str| split(body).map(|(before, last)| (before.len(), last.raw().to_string()));
        let whole = r#"{"type":"user","a":[{"type":"text"}]}"#;
        assert_eq!(last(&[r#"{"type":"x"}"#, whole].concat()), Some((12, whole.to_string())));
        assert_eq!(last(&[r#"{"type":"x","te"#, whole].concat()), Some((15, whole.to_string())));
        assert_eq!(last(r#"{"type":"x","a":[{"type":"text"}"#), None);
        assert_eq!(last(whole), None);
    }
}
