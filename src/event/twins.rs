//! Long texts that a tool's raw output says again. Claude tells what a command printed as content and as `stdout`: half of
//! what its results hold. Whoever makes objects of a batch makes one string of both.

use std::borrow::Cow;

use super::{Batch, ContentBlock, ToolCallUpdate, ToolContent, Update};
use crate::json::{Value, same};

/// A raw output that says its event's content again.
#[derive(Debug, PartialEq)]
pub(crate) struct Twin<'a> {
    /// Of the event in its batch.
    pub position: usize,
    /// The content.
    pub text: &'a str,
    /// The raw output.
    pub json: &'a str,
    /// What says it again in there, with its quotes.
    pub literal: &'a str,
    /// The member that it is; absent where it is all of the raw output.
    pub key: Option<&'a str>,
}

/// The tag of such an event.
const TOOL_CALL_UPDATE: u32 = 5;
/// In bytes. Shorter texts are parsed twice sooner than they are compared.
const LEAST: usize = 512;
/// Texts that differ mostly do so here.
const FIRST: usize = 64;

impl Batch {
    /// Whether they are worth a search: each push asks.
    pub(crate) fn may_have_twins(&self) -> bool {
        self.text().len() >= 2 * LEAST
    }

    /// At most one for each event.
    pub(crate) fn twins(&self) -> impl Iterator<Item = Twin<'_>> {
        let is_change = |start: u32| self.words.get(start as usize + 1) == Some(&TOOL_CALL_UPDATE);
        let changes = self.starts.iter().enumerate().filter(move |(_, start)| is_change(**start));
        changes.filter_map(|(position, _)| match self.get(position)?.update {
            Update::ToolCallUpdate(change) => Twin::of(position, change),
            _ => None,
        })
    }

    /// The word of a string that stands in the batch, by its place.
    pub(crate) fn word_of(&self, string: &str) -> u32 {
        let offset = string.as_ptr() as usize - self.text().as_ptr() as usize;
        self.ends().partition_point(|end| *end as usize <= offset) as u32 + 1
    }
}

impl<'a> Twin<'a> {
    fn of(position: usize, change: ToolCallUpdate<'a>) -> Option<Twin<'a>> {
        let json = change.raw_output?.0;
        let content = change.content?;
        let text = content.iter().find_map(|entry| match entry {
            ToolContent::Content { content: ContentBlock::Text { text } } => Some(*text),
            _ => None,
        })?;
        if text.len() < LEAST || json.len() < text.len() {
            return None;
        }
        let whole = Value::from_validated(json);
        let Some(members) = whole.object() else {
            let literal = whole.raw();
            return says(whole, text).then_some(Twin { position, text, json, literal, key: None });
        };
        let mut found: Option<(&'a str, &'a str)> = None;
        for (key, value) in members {
            // Of members of one name the last one counts.
            found = found.filter(|(known, _)| *known != &*key);
            // A member called `__proto__` can be parsed but not assigned.
            if found.is_none()
                && let Cow::Borrowed(key) = key.into_cow()
                && key != "__proto__"
                && says(value, text)
            {
                found = Some((key, value.raw()));
            }
        }
        found.map(|(key, literal)| Twin { position, text, json, literal, key: Some(key) })
    }
}

/// Whether a value is this text.
fn says(value: Value<'_>, text: &str) -> bool {
    let Some(raw) = value.str_raw().filter(|raw| raw.len() >= text.len()) else { return false };
    let first = raw.as_bytes().get(..FIRST).unwrap_or_default();
    let plain = first.iter().position(|byte| *byte == b'\\').unwrap_or(first.len());
    text.as_bytes().starts_with(first.get(..plain).unwrap_or_default())
        && value.str().is_some_and(|said| same(&said, text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::{Envelope, Json};
    use crate::framing::Source;

    fn twins(text: &str, output: &str) -> Vec<(usize, String, Option<String>)> {
        let mut batch = Batch::new();
        let content = vec![ToolContent::Content { content: ContentBlock::Text { text } }];
        for raw_output in [None, Some(Json(output))] {
            let change = ToolCallUpdate {
                tool_call_id: "call",
                content: Some(content.clone().into()),
                raw_output,
                ..ToolCallUpdate::default()
            };
            batch.push(&Envelope::default(), Source::default(), &change.into());
        }
        let told = |twin: Twin<'_>| {
            assert!(batch.may_have_twins());
            assert_eq!(twin.text, text);
            let ends = batch.ends();
            let string = |word: u32| {
                let start = if word > 1 { ends[word as usize - 2] } else { 0 };
                &batch.text()[start as usize..ends[word as usize - 1] as usize]
            };
            assert_eq!((string(batch.word_of(twin.json)), string(batch.word_of(twin.text))), (output, text));
            (twin.position, twin.literal.to_owned(), twin.key.map(str::to_owned))
        };
        batch.twins().map(told).collect()
    }

    #[test]
    fn a_raw_output_that_says_the_content_again_is_found() {
        let text = "1\tline → of \"text\"\n".repeat(40);
        let literal = serde_json::to_string(&text).expect("a string");
        let other = serde_json::to_string(&text.replacen("line", "life", 1)).expect("a string");
        let member = |name: &str| Some((1, literal.clone(), Some(name.to_owned())));
        let cases = [
            (literal.clone(), Some((1, literal.clone(), None))),
            (format!(r#"{{"stdout":{literal},"stderr":""}}"#), member("stdout")),
            (format!(r#"{{"a":{other},"b":{literal}}}"#), member("b")),
            (format!(r#"{{"a":1,"a":{literal}}}"#), member("a")),
            (format!(r#"{{"a":{literal},"a":1}}"#), None),
            (format!(r#"{{"a":{literal},"\u0061":1}}"#), None),
            (format!(r#"{{"\u0061":{literal}}}"#), None),
            (format!(r#"{{"__proto__":{literal}}}"#), None),
            (format!(r#"{{"a":{{"b":{literal}}}}}"#), None),
            (format!("[{literal}]"), None),
            (other.clone(), None),
        ];
        for (output, expected) in cases {
            assert_eq!(twins(&text, &output), Vec::from_iter(expected), "{output}");
        }
        assert_eq!(twins("short", r#""short""#), []);
    }
}
