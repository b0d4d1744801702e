//! Options out of the JSON text the wrapper makes of them: every name and word is checked, and the error names the right ones.

use std::borrow::Cow;

use wasm_bindgen::prelude::*;

use super::error;
use crate::framing::Container;
use crate::json::Value;
use crate::transcript;
use crate::{Limits, Normalizer, Options, Updates};

const NAMES: &[&str] =
    &["dialect", "container", "updates", "showInjected", "flatAgents", "coalesce", "limits", "raw"];
const TRANSCRIPT_NAMES: &[&str] = &["dialect", "container", "showInjected", "flatAgents", "limits"];

const LIMIT_NAMES: &[&str] = &["maxRecordBytes", "maxRecordIds"];
const TRANSCRIPT_LIMIT_NAMES: &[&str] =
    &["maxRecordBytes", "maxRecordIds", "maxItemTextBytes", "maxTextBytes", "maxItems"];

const CONTAINERS: &[(&str, Option<Container>)] = &[
    ("auto", None),
    ("sse", Some(Container::Sse)),
    ("json-lines", Some(Container::JsonLines)),
    ("json-array", Some(Container::JsonArray)),
    ("json-sequence", Some(Container::JsonSequence)),
    ("html", Some(Container::Html)),
];
const UPDATES: &[(&str, Updates)] = &[("all", Updates::All), ("core", Updates::Core)];
/// Read by the wrapper; here only its words are checked.
const RAW: &[(&str, ())] = &[("value", ()), ("text", ()), ("none", ())];

/// Members of the options, or of the limits inside.
#[derive(Clone, Copy)]
struct Given<'a>(Option<Value<'a>>);

/// A normalizer as the options want it.
pub(super) fn normalizer(options: &str) -> Result<Normalizer, JsValue> {
    let (given, limits) = read(options, NAMES, LIMIT_NAMES)?;
    make(given, limits)
}

/// A normalizer and a transcript as the options want them.
pub(super) fn transcript(options: &str) -> Result<(Normalizer, crate::Transcript), JsValue> {
    let (given, limits) = read(options, TRANSCRIPT_NAMES, TRANSCRIPT_LIMIT_NAMES)?;
    let usual = transcript::Limits::default();
    let told = transcript::Limits {
        text_per_item: limits.limit("maxItemTextBytes")?.unwrap_or(usual.text_per_item),
        text: limits.limit("maxTextBytes")?.unwrap_or(usual.text),
        items: limits.limit("maxItems")?.map_or(usual.items, |items| items as u32),
        ..usual
    };
    Ok((make(given, limits)?, crate::Transcript::with_limits(told)))
}

fn make(given: Given<'_>, limits: Given<'_>) -> Result<Normalizer, JsValue> {
    let usual = Limits::default();
    given.word("raw", RAW)?;
    let options = Options {
        dialect: given.text("dialect")?.filter(|name| name != "auto").map(Cow::into_owned),
        container: given.word("container", CONTAINERS)?.flatten(),
        updates: given.word("updates", UPDATES)?.unwrap_or(Updates::All),
        show_injected: given.flag("showInjected")?,
        flat_agents: given.flag("flatAgents")?,
        coalesce: given.flag("coalesce")?,
        limits: Limits {
            max_record_bytes: limits.limit("maxRecordBytes")?.unwrap_or(usual.max_record_bytes),
            max_record_ids: limits.limit("maxRecordIds")?.unwrap_or(usual.max_record_ids),
        },
    };
    Normalizer::new(options).map_err(|wrong| error("option.dialect", &wrong.to_string()))
}

/// The options and the limits among them, with no name that is none.
fn read<'a>(
    options: &'a str,
    names: &[&str],
    limit_names: &[&str],
) -> Result<(Given<'a>, Given<'a>), JsValue> {
    let options = Value::parse(options).map_err(|invalid| error("option.value", invalid.message))?;
    check_names("option", options, names)?;
    let limits = Given(Some(options)).member("limits");
    if let Some(limits) = limits {
        check_names("limit", limits, limit_names)?;
    }
    Ok((Given(Some(options)), Given(limits)))
}

fn check_names(what: &str, value: Value<'_>, names: &[&str]) -> Result<(), JsValue> {
    let Some(object) = value.object() else {
        return Err(error("option.value", &format!("{what}s are an object with {}", names.join(", "))));
    };
    for (key, _) in object {
        let key = key.into_cow();
        if !names.contains(&&*key) {
            let message = format!("no {what} is called {key:?}: there are {}", names.join(", "));
            return Err(error("option.unknown", &message));
        }
    }
    Ok(())
}

impl<'a> Given<'a> {
    fn member(self, name: &str) -> Option<Value<'a>> {
        self.0?.get(name).filter(|value| !value.is_null())
    }

    /// A member that `read` understands; `wanted` says what that is.
    fn read<T>(
        self,
        name: &str,
        wanted: &str,
        read: impl FnOnce(Value<'a>) -> Option<T>,
    ) -> Result<Option<T>, JsValue> {
        let Some(value) = self.member(name) else { return Ok(None) };
        let refused = || error("option.value", &format!("{name} is {}: it must be {wanted}", value.raw()));
        read(value).map(Some).ok_or_else(refused)
    }

    fn text(self, name: &str) -> Result<Option<Cow<'a, str>>, JsValue> {
        self.read(name, "a string", Value::str)
    }

    fn flag(self, name: &str) -> Result<bool, JsValue> {
        Ok(self.read(name, "true or false", Value::bool)?.unwrap_or(false))
    }

    fn word<T: Copy>(self, name: &str, words: &[(&str, T)]) -> Result<Option<T>, JsValue> {
        let wanted = words.iter().map(|(word, _)| format!("{word:?}")).collect::<Vec<_>>().join(" or ");
        self.read(name, &wanted, |value| {
            let told = value.str()?;
            words.iter().find(|(word, _)| *word == told).map(|(_, meaning)| *meaning)
        })
    }

    /// What does not fit the address space is no limit any more.
    fn limit(self, name: &str) -> Result<Option<usize>, JsValue> {
        self.read(name, "a whole number from 1", |value| {
            let number = value.f64().filter(|number| *number >= 1.0 && number.fract() == 0.0)?;
            Some(number.min(f64::from(u32::MAX)) as usize)
        })
    }
}
