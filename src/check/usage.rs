//! Counters: amounts that can be added up (N7).

use super::Breaches;
use super::fields::Event;
use crate::json::Value;

pub(super) fn check(event: &Event<'_>, breaches: &mut Breaches) {
    match event.kind.as_ref() {
        "usage" => {
            let Some(usage) = event.update.get("usage") else { return };
            amounts(usage, ["promptTokens", "completionTokens", "cachedTokens", "costUsd"], breaches);
            let [prompt, cached] =
                usage.fields(["promptTokens", "cachedTokens"]).map(|field| field.and_then(Value::f64));
            if let (Some(prompt), Some(cached)) = (prompt, cached)
                && cached > prompt
            {
                breaches.add("N7", format!("{cached} cached tokens are no share of {prompt} prompt tokens"));
            }
        }
        "usage_update" => amounts(event.update, ["used", "size", "usedRatio"], breaches),
        _ => {}
    }
}

/// Present counters are numbers and not negative: a running total was turned into a difference the wrong way round.
fn amounts<const N: usize>(object: Value<'_>, names: [&str; N], breaches: &mut Breaches) {
    for (name, value) in names.iter().zip(object.fields(names)) {
        let Some(value) = value else { continue };
        match value.f64() {
            Some(amount) if amount >= 0.0 => {}
            _ => breaches.add("N7", format!("`{name}` is {}, not an amount", value.raw())),
        }
    }
}
