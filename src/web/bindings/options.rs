//! Options out of a JavaScript object: every name and word is checked, and the error names the right ones.

use js_sys::{Array, Object};
use serde::Deserialize;
use wasm_bindgen::prelude::*;

use super::error;
use crate::framing::Container;
use crate::transcript;
use crate::{Limits, Normalizer, Options, Updates};

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Given {
    dialect: Option<String>,
    container: Option<GivenContainer>,
    updates: Option<GivenUpdates>,
    show_injected: Option<bool>,
    flat_agents: Option<bool>,
    coalesce: Option<bool>,
    limits: Option<GivenLimits>,
    raw: Option<GivenRaw>,
}

const NAMES: &[&str] =
    &["dialect", "container", "updates", "showInjected", "flatAgents", "coalesce", "limits", "raw"];
const TRANSCRIPT_NAMES: &[&str] = &["dialect", "container", "showInjected", "flatAgents", "limits"];

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
enum GivenContainer {
    Auto,
    Sse,
    JsonLines,
    JsonArray,
    JsonSequence,
    Html,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum GivenUpdates {
    All,
    Core,
}

/// What the wrapper makes of raw JSON.
#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum GivenRaw {
    Value,
    Text,
    None,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct GivenLimits {
    max_record_bytes: Option<f64>,
    max_record_ids: Option<f64>,
    max_item_text_bytes: Option<f64>,
    max_text_bytes: Option<f64>,
    max_items: Option<f64>,
}

const LIMIT_NAMES: &[&str] = &["maxRecordBytes", "maxRecordIds"];
const TRANSCRIPT_LIMIT_NAMES: &[&str] =
    &["maxRecordBytes", "maxRecordIds", "maxItemTextBytes", "maxTextBytes", "maxItems"];

/// A normalizer as the options want it, and whether raw JSON becomes values.
pub(super) fn normalizer(options: &JsValue) -> Result<(Normalizer, bool), JsValue> {
    let given = read(options, NAMES, LIMIT_NAMES)?;
    Ok((make(&given)?, matches!(given.raw, None | Some(GivenRaw::Value))))
}

/// A normalizer and a transcript as the options want them.
pub(super) fn transcript(options: &JsValue) -> Result<(Normalizer, crate::Transcript), JsValue> {
    let given = read(options, TRANSCRIPT_NAMES, TRANSCRIPT_LIMIT_NAMES)?;
    let usual = transcript::Limits::default();
    let limits = match &given.limits {
        None => usual,
        Some(limits) => transcript::Limits {
            text_per_item: limit("maxItemTextBytes", limits.max_item_text_bytes)?
                .unwrap_or(usual.text_per_item),
            text: limit("maxTextBytes", limits.max_text_bytes)?.unwrap_or(usual.text),
            items: limit("maxItems", limits.max_items)?.map_or(usual.items, |items| items as u32),
            ..usual
        },
    };
    Ok((make(&given)?.without_units(), crate::Transcript::with_limits(limits)))
}

fn make(given: &Given) -> Result<Normalizer, JsValue> {
    let container = given.container.as_ref().and_then(|container| match container {
        GivenContainer::Auto => None,
        GivenContainer::Sse => Some(Container::Sse),
        GivenContainer::JsonLines => Some(Container::JsonLines),
        GivenContainer::JsonArray => Some(Container::JsonArray),
        GivenContainer::JsonSequence => Some(Container::JsonSequence),
        GivenContainer::Html => Some(Container::Html),
    });
    let mut limits = Limits::default();
    if let Some(told) = &given.limits {
        limits.max_record_bytes =
            limit("maxRecordBytes", told.max_record_bytes)?.unwrap_or(limits.max_record_bytes);
        limits.max_record_ids = limit("maxRecordIds", told.max_record_ids)?.unwrap_or(limits.max_record_ids);
    }
    let options = Options {
        dialect: given.dialect.clone().filter(|name| name != "auto"),
        container,
        updates: match given.updates {
            Some(GivenUpdates::Core) => Updates::Core,
            Some(GivenUpdates::All) | None => Updates::All,
        },
        show_injected: given.show_injected.unwrap_or(false),
        flat_agents: given.flat_agents.unwrap_or(false),
        coalesce: given.coalesce.unwrap_or(false),
        limits,
    };
    Normalizer::new(options).map_err(|wrong| error("option.dialect", &wrong.to_string()))
}

fn read(options: &JsValue, names: &[&str], limit_names: &[&str]) -> Result<Given, JsValue> {
    if options.is_undefined() || options.is_null() {
        return Ok(Given::default());
    }
    // serde-wasm-bindgen asks for the fields it knows and never sees the others.
    check_names("option", options, names)?;
    let limits = js_sys::Reflect::get(options, &"limits".into()).unwrap_or(JsValue::UNDEFINED);
    if !limits.is_undefined() && !limits.is_null() {
        check_names("limit", &limits, limit_names)?;
    }
    serde_wasm_bindgen::from_value(options.clone()).map_err(|wrong| {
        let message = wrong.to_string();
        error("option.value", message.strip_prefix("Error: ").unwrap_or(&message))
    })
}

fn check_names(what: &str, object: &JsValue, names: &[&str]) -> Result<(), JsValue> {
    let Some(object) = object.dyn_ref::<Object>().filter(|_| !Array::is_array(object)) else {
        return Err(error("option.value", &format!("{what}s are an object with {}", names.join(", "))));
    };
    for key in Object::keys(object).iter().filter_map(|key| key.as_string()) {
        if !names.contains(&key.as_str()) {
            let message = format!("no {what} is called {key:?}: there are {}", names.join(", "));
            return Err(error("option.unknown", &message));
        }
    }
    Ok(())
}

fn limit(name: &str, value: Option<f64>) -> Result<Option<usize>, JsValue> {
    match value {
        None => Ok(None),
        // What does not fit the address space is no limit any more.
        Some(value) if value >= 1.0 && value.fract() == 0.0 => {
            Ok(Some(value.min(f64::from(u32::MAX)) as usize))
        }
        Some(value) => {
            Err(error("option.value", &format!("{name} is {value}: it must be a whole number from 1")))
        }
    }
}
