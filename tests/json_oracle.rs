//! `json` against serde_json: the same texts are accepted, the same values are read, and no text makes it panic.

use agent_ui_events::json::{Kind, Spans, Value, repair, write_string};
use proptest::prelude::*;
use serde_json::value::RawValue;

/// Whitespace that may stand between tokens, mostly none.
fn space() -> impl Strategy<Value = &'static str> {
    prop_oneof![8 => Just(""), 1 => Just(" "), 1 => Just("\n"), 1 => Just("\r\n\t ")]
}

fn string_piece() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => "[a-z {}\\[\\]:,]{0,12}",
        1 => "[a-z]{60,70}",
        1 => Just("größe 漢字 😀\u{2028}".to_owned()),
        2 => prop::sample::select(vec!["\\n", "\\\"", "\\\\", "\\/", "\\t", "\\b", "\\f", "\\r"]).prop_map(str::to_owned),
        1 => any::<u16>().prop_map(|unit| format!("\\u{unit:04x}")),
        1 => (0xd7f0u16..0xe010).prop_map(|unit| format!("\\u{unit:04X}")),
        1 => Just("\\ud83d\\ude00".to_owned()),
    ]
}

fn string() -> impl Strategy<Value = String> {
    // Some longer than what is looked at in one step.
    let pieces = prop_oneof![6 => 0..6usize, 1 => 6..30usize];
    let pieces = pieces.prop_flat_map(|count| prop::collection::vec(string_piece(), count));
    pieces.prop_map(|pieces| format!("\"{}\"", pieces.concat()))
}

fn scalar() -> impl Strategy<Value = String> {
    prop_oneof![
        2 => Just("null".to_owned()),
        2 => prop::sample::select(vec!["true", "false"]).prop_map(str::to_owned),
        3 => "-?(0|[1-9][0-9]{0,22})(\\.[0-9]{1,8})?([eE][+-]?[0-9]{1,3})?",
        2 => any::<i64>().prop_map(|number| number.to_string()),
        5 => string(),
    ]
}

/// Texts with the shape of JSON: whatever the grammar allows, objects with repeated and escaped keys included.
fn json() -> impl Strategy<Value = String> {
    let key = prop_oneof![3 => prop::sample::select(vec!["\"a\"", "\"b\"", "\"type\""]).prop_map(str::to_owned), 1 => string()];
    scalar().prop_recursive(6, 60, 6, move |inner| {
        let element = (space(), inner.clone(), space())
            .prop_map(|(before, value, after)| format!("{before}{value}{after}"));
        let member = (space(), key.clone(), space(), inner, space()).prop_map(
            |(before, key, middle, value, after)| format!("{before}{key}{middle}:{middle}{value}{after}"),
        );
        prop_oneof![
            (space(), prop::collection::vec(element, 0..6)).prop_map(|(empty, elements)| {
                match elements.len() {
                    0 => format!("[{empty}]"),
                    _ => format!("[{}]", elements.join(",")),
                }
            }),
            (space(), prop::collection::vec(member, 0..6)).prop_map(|(empty, members)| match members.len() {
                0 => format!("{{{empty}}}"),
                _ => format!("{{{}}}", members.join(",")),
            }),
        ]
    })
}

#[derive(Clone, Debug)]
enum Mutation {
    Remove,
    Insert(char),
    Replace(char),
    CutAfter,
    Repeat,
}

fn mutation() -> impl Strategy<Value = (prop::sample::Index, Mutation)> {
    let telling = prop_oneof![
        6 => prop::sample::select("\"\\[]{}:,0123456789.eE+-u/ntf \n\t\u{0}\u{1f}'dD8cC".chars().collect::<Vec<_>>()),
        1 => any::<char>(),
    ];
    let what = (telling, 0..5).prop_map(|(character, which)| match which {
        0 => Mutation::Remove,
        1 => Mutation::Insert(character),
        2 => Mutation::Replace(character),
        3 => Mutation::CutAfter,
        _ => Mutation::Repeat,
    });
    (any::<prop::sample::Index>(), what)
}

fn mutate(text: &str, mutations: &[(prop::sample::Index, Mutation)]) -> String {
    let mut characters: Vec<char> = text.chars().collect();
    for (index, mutation) in mutations {
        if characters.is_empty() {
            break;
        }
        let at = index.index(characters.len());
        match mutation {
            Mutation::Remove => drop(characters.remove(at)),
            Mutation::Insert(character) => characters.insert(at, *character),
            Mutation::Replace(character) => characters[at] = *character,
            Mutation::CutAfter => characters.truncate(at + 1),
            Mutation::Repeat => characters.insert(at, characters[at]),
        }
    }
    characters.into_iter().collect()
}

/// serde_json's own reading, which checks the whole text but keeps only its source.
fn accepted_by_serde(text: &str) -> Option<&str> {
    serde_json::from_str::<&RawValue>(text).ok().map(RawValue::get)
}

/// Compares value by value. Strings with lone halves and numbers no `f64` holds never get here: serde_json has none.
fn same(ours: Value<'_>, theirs: &serde_json::Value) {
    match theirs {
        serde_json::Value::Null => assert!(ours.is_null()),
        serde_json::Value::Bool(theirs) => assert_eq!(ours.bool(), Some(*theirs)),
        serde_json::Value::String(theirs) => assert_eq!(ours.str().as_deref(), Some(theirs.as_str())),
        serde_json::Value::Number(theirs) => {
            assert_eq!(ours.kind(), Kind::Number);
            if let Some(theirs) = theirs.as_u64() {
                assert_eq!(ours.u64(), Some(theirs));
            }
            if let Some(theirs) = theirs.as_i64() {
                assert_eq!(ours.i64(), Some(theirs));
            }
        }
        serde_json::Value::Array(theirs) => {
            let ours: Vec<_> = ours.array().expect("an array").collect();
            assert_eq!(ours.len(), theirs.len());
            ours.into_iter().zip(theirs).for_each(|(ours, theirs)| same(ours, theirs));
        }
        serde_json::Value::Object(theirs) => {
            for (key, _) in ours.object().expect("an object") {
                assert!(theirs.contains_key(&*key), "{:?}", &*key);
            }
            for (key, theirs) in theirs {
                same(ours.get(key).expect("the same keys"), theirs);
                let [again, _] = ours.fields([key, "no such key"]);
                same(again.expect("the same keys"), theirs);
            }
        }
    }
}

/// Compares two ways of reading one text, all the way down.
fn same_walk(one: Value<'_>, other: Value<'_>) {
    let mut todo = vec![(one, other)];
    while let Some((one, other)) = todo.pop() {
        assert_eq!(one.raw(), other.raw());
        assert_eq!(
            (one.text(), one.kind(), one.is_strict()),
            (other.text(), other.kind(), other.is_strict())
        );
        let (elements, others) = (one.array().into_iter().flatten(), other.array().into_iter().flatten());
        assert_eq!(elements.clone().count(), others.clone().count());
        todo.extend(elements.zip(others));
        let (members, others) = (one.object().into_iter().flatten(), other.object().into_iter().flatten());
        assert_eq!(members.clone().count(), others.clone().count());
        for ((key, value), (other_key, other_value)) in members.zip(others) {
            assert_eq!(key, other_key);
            todo.push((value, other_value));
            let found = [one, other]
                .map(|value| value.fields(["not this", &key, "nor this"]).map(|value| value.map(Value::raw)));
            assert_eq!(found[0], found[1]);
        }
    }
}

/// Every way of looking into a value, all the way down; counts what was seen.
fn visit(value: Value<'_>, text: &str) -> usize {
    let mut todo = vec![value];
    let mut seen = 0;
    while let Some(value) = todo.pop() {
        seen += 1;
        assert!(text.contains(value.raw()));
        let _ = (
            value.str(),
            value.text(),
            value.u64(),
            value.i64(),
            value.f64(),
            value.bool(),
            value.is_strict(),
        );
        let _ = (value.get("a"), value.fields(["type", "b"]));
        todo.extend(value.array().into_iter().flatten());
        todo.extend(value.object().into_iter().flatten().map(|(_, value)| value));
    }
    seen
}

proptest! {
    #[test]
    fn grammatical_text_is_accepted_as_by_serde_json(before in space(), json in json(), after in space()) {
        let text = format!("{before}{json}{after}");
        let value = Value::parse(&text).expect("grammatical");
        prop_assert_eq!(Some(value.raw()), accepted_by_serde(&text));
        visit(value, &text);
    }

    #[test]
    fn reading_along_the_notes_is_reading_the_text(first in json(), json in json(), before in space()) {
        // Notes are used again from text to text.
        let mut spans = Spans::default();
        let _ = Value::parse_noting(&first, &mut spans);
        let text = format!("{before}{json}");
        let noted = Value::parse_noting(&text, &mut spans).expect("grammatical");
        same_walk(noted, Value::parse(&text).expect("grammatical"));
    }

    #[test]
    fn mutated_text_is_accepted_or_rejected_as_by_serde_json(
        json in json(), mutations in prop::collection::vec(mutation(), 1..4)
    ) {
        let text = mutate(&json, &mutations);
        let ours = Value::parse(&text);
        prop_assert_eq!(ours.ok().map(Value::raw), accepted_by_serde(&text), "{:?}: {:?}", text, ours);
        if let Err(error) = ours {
            prop_assert!(text.is_char_boundary(error.offset));
            prop_assert_eq!(error.code == "json.truncated", error.offset == text.len(), "{:?}", error);
        }
    }

    #[test]
    fn the_beginning_of_a_legal_text_is_truncated_or_legal(json in json(), cut in any::<prop::sample::Index>()) {
        let mut end = cut.index(json.len());
        while !json.is_char_boundary(end) {
            end -= 1;
        }
        let text = &json[..end];
        match Value::parse(text) {
            Ok(value) => prop_assert_eq!(Some(value.raw()), accepted_by_serde(text)),
            Err(error) => prop_assert_eq!((error.code, error.offset), ("json.truncated", end), "{:?}", text),
        }
    }

    #[test]
    fn values_are_those_of_serde_json_where_it_has_them(json in json()) {
        // serde_json knows no lone halves and no number beyond f64; the first are repaired, the others skipped.
        let text = repair(&json);
        let ours = Value::parse(&text).expect("repaired text stays grammatical");
        prop_assert!(ours.is_strict());
        if let Ok(theirs) = serde_json::from_str::<serde_json::Value>(&text) {
            same(ours, &theirs);
        }
    }

    #[test]
    fn repair_changes_exactly_what_is_not_strict(json in json()) {
        let value = Value::parse(&json).expect("grammatical");
        let repaired = repair(&json);
        prop_assert_eq!(value.is_strict(), repaired == json);
        prop_assert_eq!(value.is_strict(), Value::from_validated(&json).is_strict());
        prop_assert_eq!(repaired.len(), json.len());
        // The decoded strings are those of the source with every half as U+FFFD.
        prop_assert_eq!(strings(value), strings(Value::parse(&repaired).expect("grammatical")));
    }

    #[test]
    fn values_in_a_row_are_split_as_by_serde_json(values in prop::collection::vec((json(), space()), 0..5)) {
        let text: String = values.into_iter().flat_map(|(json, space)| [json, space.to_owned()]).collect();
        let mut theirs = serde_json::Deserializer::from_str(&text).into_iter::<&RawValue>();
        let mut at = 0;
        loop {
            let ours = Value::parse_prefix(&text[at..]);
            match theirs.next() {
                Some(Ok(theirs)) => {
                    let (value, consumed) = ours.expect("serde_json read one");
                    prop_assert_eq!(value.raw(), theirs.get());
                    at += consumed;
                }
                Some(Err(_)) => {
                    prop_assert!(ours.is_err());
                    break;
                }
                None => {
                    prop_assert_eq!(ours.err().map(|error| error.code), Some("json.truncated"));
                    break;
                }
            }
        }
    }

    #[test]
    fn numbers_read_as_the_literal_says(json in "-?(0|[1-9][0-9]{0,22})(\\.[0-9]{1,8})?([eE][+-]?[0-9]{1,3})?") {
        let value = Value::parse(&json).expect("a legal number");
        prop_assert_eq!(value.raw(), &json);
        let wanted: f64 = json.parse().expect("Rust reads it too");
        prop_assert_eq!(value.f64(), wanted.is_finite().then_some(wanted));
        prop_assert_eq!(value.u64(), serde_json::from_str(&json).ok());
        prop_assert_eq!(value.i64(), serde_json::from_str(&json).ok().or((json == "-0").then_some(0)));
    }

    #[test]
    fn any_text_is_read_without_panic(text in any::<String>()) {
        if let Ok(value) = Value::parse(&text) {
            visit(value, &text);
        }
        let _ = (Value::parse_prefix(&text), repair(&text));
        visit(Value::from_validated(&text), &text);
    }

    #[test]
    fn broken_text_called_validated_is_walked_without_panic_or_endless_loop(
        json in json(), mutations in prop::collection::vec(mutation(), 1..6)
    ) {
        let text = mutate(&json, &mutations);
        visit(Value::from_validated(&text), &text);
        let _ = repair(&text);
    }

    #[test]
    fn a_written_string_is_what_serde_json_writes_and_reads(text in any::<String>()) {
        let mut out = String::new();
        write_string(&mut out, &text);
        prop_assert_eq!(&out, &serde_json::to_string(&text).expect("strings can be written"));
        let value = Value::parse(&out).expect("a legal string");
        let read = value.str();
        prop_assert_eq!(read.as_deref(), Some(text.as_str()));
    }
}

fn strings(value: Value<'_>) -> Vec<String> {
    let mut todo = vec![value];
    let mut found = vec![];
    while let Some(value) = todo.pop() {
        found.extend(value.str().map(String::from));
        todo.extend(value.array().into_iter().flatten());
        for (key, value) in value.object().into_iter().flatten() {
            found.push(key.to_string());
            todo.push(value);
        }
    }
    found
}
