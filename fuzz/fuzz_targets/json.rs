//! Any text: `Value::parse` takes what serde_json takes and nothing else, and a walk through all of it neither panics nor
//! leaves the text.
//!
//! `cargo +nightly fuzz run json -- -max_len=512 -max_total_time=180`. Two differences are meant and set aside below: depth
//! (serde_json stops at 128) and halves of surrogate pairs (here they stay readable, N10).
#![no_main]

use agent_ui_events::json::Value;
use libfuzzer_sys::fuzz_target;

fn walk(root: Value<'_>, text: &str) {
    let inside = text.as_bytes().as_ptr_range();
    let mut waiting = vec![root];
    while let Some(value) = waiting.pop() {
        let raw = value.raw().as_bytes().as_ptr_range();
        assert!(inside.start <= raw.start && raw.end <= inside.end);
        assert!(Value::parse(value.raw()).is_ok(), "a part of a valid text is valid: {:?}", value.raw());
        let _ = (
            value.kind(),
            value.bool(),
            value.u64(),
            value.i64(),
            value.f64(),
            value.is_null(),
            value.str_raw(),
        );
        let _ = (value.str(), value.text().map(|text| text.into_cow()), value.is_strict());
        for (key, member) in value.object().into_iter().flatten() {
            let _ = (key.len(), key.into_cow());
            waiting.push(member);
        }
        waiting.extend(value.array().into_iter().flatten());
    }
}

fuzz_target!(|text: &str| {
    let ours = Value::parse(text);
    let theirs = serde_json::from_str::<&serde_json::value::RawValue>(text);
    match (&ours, &theirs) {
        (Ok(value), _) => walk(*value, text),
        (Err(invalid), _) => assert!(invalid.offset <= text.len()),
    }
    let depth = text.bytes().filter(|byte| matches!(byte, b'[' | b'{')).count();
    if depth < 100 {
        assert_eq!(ours.is_ok(), theirs.is_ok(), "{ours:?} {theirs:?}");
    }
    if let (Ok(value), Ok(theirs)) = (ours, serde_json::from_str::<serde_json::Value>(text))
        && let Some(text) = theirs.as_str()
    {
        assert_eq!(value.str().as_deref(), Some(text));
    }
});
