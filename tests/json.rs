//! What `json` accepts, rejects, reads and writes: tables of cases.

use std::borrow::Cow;

use agent_ui_events::json::{Kind, ObjectWriter, Text, Value, join_halves, repair, write_string};

fn value(text: &str) -> Value<'_> {
    Value::parse(text).unwrap_or_else(|error| panic!("{text:?}: {error}"))
}

const ACCEPTED: &[&str] = &[
    "null",
    "true",
    "false",
    "0",
    "-0",
    "1",
    "-1",
    "10",
    "1.0",
    "0.10",
    "-0.0e-0",
    "1e400",
    "1E+2",
    "1e-400",
    "9007199254740993",
    "123456789012345678901234567890",
    "\"\"",
    "\"a\"",
    "[]",
    "{}",
    "[[]]",
    "[{}]",
    "[0]",
    "[1,2]",
    " [ 1 , 2 ] ",
    "\t\r\n{ \"a\" : 1 , \"b\" : [ ] }\n",
    "{\"\":0}",
    "{\"a\":1,\"a\":2}",
    "{\"__proto__\":{}}",
    "{\"2\":0,\"1\":0}",
    r#""\"\\\/\b\f\n\r\t\u0000\uFFFF""#,
    r#""\ud83d""#,
    r#""\ude00""#,
    r#""\ude00\ud83d""#,
    r#""\ud83d\ude00""#,
    r#"{"\ud83d":1}"#,
    r#""\ud83dx""#,
    r#""\ud83d\u0041""#,
    "\"\u{7f}\"",
    "\"\u{2028}\u{2029}\u{85}\"",
    "\"größe 漢字 😀\"",
    "\"\u{feff}\"",
    "\"]}\"",
    r#"{"a":"}\"]","b":["{","["]}"#,
];

#[test]
fn legal_texts_are_accepted_whole() {
    for text in ACCEPTED {
        let trimmed = text.trim_matches([' ', '\t', '\r', '\n']);
        assert_eq!(value(text).raw(), trimmed, "{text:?}");
    }
}

/// Text, byte of the error. `json.invalid`.
const REJECTED: &[(&str, usize)] = &[
    ("\u{feff}{}", 0),
    ("NaN", 0),
    ("Infinity", 0),
    ("-Infinity", 1),
    ("nan", 1),
    ("undefined", 0),
    ("True", 0),
    ("nul1", 3),
    ("truefalse", 4),
    ("{}{}", 2),
    ("{} {}", 3),
    ("1 2", 2),
    ("12abc", 2),
    ("[1]x", 3),
    ("\"a\"b", 3),
    ("01", 1),
    ("-01", 2),
    ("+1", 0),
    (".5", 0),
    ("1.e1", 2),
    ("1.2.3", 3),
    ("1e1.5", 3),
    ("0x10", 1),
    ("--1", 1),
    ("1_000", 1),
    ("[1,]", 3),
    ("[,1]", 1),
    ("[1,,2]", 3),
    ("[1 2]", 3),
    ("[1}", 2),
    ("{]", 1),
    ("{\"a\":1]", 6),
    ("{\"a\":1,}", 7),
    ("{,}", 1),
    ("{\"a\"}", 4),
    ("{\"a\",1}", 4),
    ("{\"a\":}", 5),
    ("{\"a\" 1}", 5),
    ("{a:1}", 1),
    ("{'a':1}", 1),
    ("{1:2}", 1),
    ("{\"a\":1 \"b\":2}", 7),
    ("[1]]", 3),
    ("}", 0),
    ("]", 0),
    (",", 0),
    (":", 0),
    ("'a'", 0),
    ("\"\t\"", 1),
    ("\"a\nb\"", 2),
    ("\"\u{0}\"", 1),
    ("\"\u{1f}\"", 1),
    (r#""\H""#, 2),
    (r#""\x1b""#, 2),
    (r#""\é""#, 2),
    (r#""\u12G4""#, 5),
    (r#""\u""#, 3),
    (r#""\u00é0""#, 5),
    (r#""\U0041""#, 2),
    (r#""\ud83d\u12""#, 11),
    ("// note\n1", 0),
    ("[1,/**/2]", 3),
    ("\u{b}1", 0),
    ("\u{a0}1", 0),
    ("\u{1e}{}", 0),
    ("data: {}", 0),
    ("{\"a\":\u{2028}1}", 5),
    ("漢", 0),
];

#[test]
fn illegal_texts_are_rejected_at_the_byte_that_does_not_fit() {
    for (text, offset) in REJECTED {
        match Value::parse(text) {
            Ok(value) => panic!("{text:?} was read as {:?}", value.raw()),
            Err(error) => {
                assert_eq!((error.code, error.offset), ("json.invalid", *offset), "{text:?}: {error}");
                assert!(text.is_char_boundary(error.offset), "{text:?}");
            }
        }
    }
}

#[test]
fn an_error_deep_in_a_long_string_is_found_at_its_byte() {
    for before in 0..150 {
        let run = "x".repeat(before);
        for (bad, at) in [("\u{1}", 0), ("\\q", 1), ("\\u00zz", 4), ("\\ud83d\\udezz", 10)] {
            let text = format!("[\"{run}{bad}{run}\"]");
            let error = Value::parse(&text).expect_err("has an error");
            assert_eq!((error.code, error.offset), ("json.invalid", 2 + before + at), "{text}");
        }
    }
}

#[test]
fn every_beginning_of_a_legal_text_is_truncated_or_itself_legal() {
    let long =
        format!(r#"{{"key":["{}\n\ud83d\ude00",-12.5e+10,true,false,null,{{"a":"b"}}]}}"#, "x".repeat(70));
    for text in ACCEPTED.iter().copied().chain([long.as_str()]) {
        for (end, _) in text.char_indices() {
            let Err(error) = Value::parse(&text[..end]) else { continue };
            assert_eq!((error.code, error.offset), ("json.truncated", end), "{:?}", &text[..end]);
        }
    }
}

#[test]
fn a_prefix_ends_behind_its_value() {
    let cases = [
        ("{}{}", "{}", 2),
        (" {} {}", "{}", 3),
        ("1 2", "1", 1),
        ("[1],", "[1]", 3),
        ("\"a\"b", "\"a\"", 3),
        ("null\n", "null", 4),
        ("true{", "true", 4),
        ("12,", "12", 2),
        ("1\"", "1", 1),
    ];
    for (text, raw, consumed) in cases {
        let (value, end) = Value::parse_prefix(text).expect(text);
        assert_eq!((value.raw(), end), (raw, consumed), "{text:?}");
    }
    for (text, offset) in
        [("truex", 4), ("12abc", 2), ("01", 1), ("1.2.3", 3), ("1é", 1), ("-", 1), ("", 0), ("  ", 2)]
    {
        assert_eq!(Value::parse_prefix(text).expect_err(text).offset, offset, "{text:?}");
    }
}

#[test]
fn a_million_open_containers_are_read_without_a_deep_stack() {
    let depth = 1_000_000;
    for (open, close) in [("[", "]"), ("{\"a\":", "}"), ("[{\"a\":", "}]")] {
        let text = format!("{}1{}", open.repeat(depth), close.repeat(depth));
        let whole = value(&text);
        assert_eq!(whole.raw().len(), text.len());
        let wrong = format!("{}1{}", open.repeat(depth), close.repeat(depth - 1));
        assert_eq!(Value::parse(&wrong).expect_err("one is open").code, "json.truncated");
        assert_eq!(Value::parse(&open.repeat(depth)).expect_err("all are open").code, "json.truncated");
        let member = whole.get("a").or_else(|| whole.array()?.next()).expect("one member");
        assert_eq!(
            member.raw().len(),
            text.len()
                - text.find(member.raw()).expect("inside")
                - if open == "[{\"a\":" { 1 } else { close.len() }
        );
    }
}

#[test]
fn kinds_of_brackets_are_told_apart_at_any_depth() {
    for depth in [1, 2, 62, 63, 64, 65, 66, 127, 128, 129, 130, 200] {
        // Objects and arrays in turn, then one closer of the wrong kind at each level.
        let opens: Vec<&str> = (0..depth).map(|level| if level % 3 == 0 { "{\"a\":" } else { "[" }).collect();
        let closes: Vec<&str> =
            (0..depth).rev().map(|level| if level % 3 == 0 { "}" } else { "]" }).collect();
        assert!(Value::parse(&format!("{}1{}", opens.concat(), closes.concat())).is_ok(), "{depth}");
        for wrong in 0..depth {
            let mut swapped = closes.clone();
            swapped[wrong] = if swapped[wrong] == "}" { "]" } else { "}" };
            assert!(
                Value::parse(&format!("{}1{}", opens.concat(), swapped.concat())).is_err(),
                "{depth} {wrong}"
            );
        }
    }
}

#[test]
fn members_come_in_source_order_with_duplicates_and_the_last_duplicate_wins() {
    let object = value(r#" { "b" : 1 , "a\u0062":[2 , {"x":"}"}], "b":{"c":[]} ,"__proto__":null} "#);
    let members: Vec<_> =
        object.object().expect("object").map(|(key, value)| (key.to_string(), value.raw())).collect();
    let wanted = [("b", "1"), ("ab", "[2 , {\"x\":\"}\"}]"), ("b", "{\"c\":[]}"), ("__proto__", "null")];
    assert_eq!(members, wanted.map(|(key, raw)| (key.to_owned(), raw)));
    assert_eq!(object.get("b").map(Value::raw), Some("{\"c\":[]}"));
    let [proto, b, ab, none] = object.fields(["__proto__", "b", "ab", "c"]);
    assert_eq!(proto.map(Value::is_null), Some(true));
    assert_eq!(b.map(Value::raw), Some("{\"c\":[]}"));
    assert_eq!(ab.map(Value::kind), Some(Kind::Array));
    assert!(none.is_none());
    let [proto, ab] = object.present_fields(["__proto__", "ab"]);
    assert!(proto.is_none() && ab.is_some());
}

#[test]
fn readers_of_the_wrong_kind_say_none() {
    for text in ["null", "true", "12", "\"get\"", "[{\"a\":1}]", "{\"a\":1}"] {
        let value = value(text);
        let kind = value.kind();
        assert_eq!(value.object().is_some(), kind == Kind::Object, "{text}");
        assert_eq!(value.get("a").is_some(), kind == Kind::Object, "{text}");
        assert_eq!(value.array().is_some(), kind == Kind::Array, "{text}");
        assert_eq!(value.str().is_some(), kind == Kind::String, "{text}");
        assert_eq!(value.text().is_some(), kind == Kind::String, "{text}");
        assert_eq!(value.bool().is_some(), kind == Kind::Bool, "{text}");
        assert_eq!(value.u64().is_some(), kind == Kind::Number, "{text}");
        assert_eq!(value.f64().is_some(), kind == Kind::Number, "{text}");
        assert_eq!(value.is_null(), kind == Kind::Null, "{text}");
    }
}

#[test]
fn empty_containers_and_empty_strings_have_nothing_in_them() {
    assert_eq!(value("{ }").object().expect("object").count(), 0);
    assert_eq!(value("[\n]").array().expect("array").count(), 0);
    assert_eq!(value("\"\"").str().as_deref(), Some(""));
    assert_eq!(value("\"\"").str_raw(), Some(""));
    assert!(value("\"\"").text().expect("text").is_empty());
    assert!(!value(r#""\ud83d""#).text().expect("text").is_empty());
}

#[test]
fn numbers_keep_their_literal_and_are_typed_only_where_exact() {
    let max = "18446744073709551615";
    type Typed = (&'static str, Option<u64>, Option<i64>, Option<f64>);
    let cases: &[Typed] = &[
        ("0", Some(0), Some(0), Some(0.0)),
        ("-0", None, Some(0), Some(-0.0)),
        ("9007199254740993", Some(9007199254740993), Some(9007199254740993), Some(9007199254740992.0)),
        (max, Some(u64::MAX), None, Some(18446744073709551615.0)),
        ("18446744073709551616", None, None, Some(18446744073709551616.0)),
        ("-9223372036854775808", None, Some(i64::MIN), Some(-9223372036854775808.0)),
        ("1.0", None, None, Some(1.0)),
        ("1e3", None, None, Some(1000.0)),
        ("0.10", None, None, Some(0.1)),
        ("1e400", None, None, None),
        ("-1e400", None, None, None),
        ("1e-400", None, None, Some(0.0)),
    ];
    for (text, unsigned, signed, float) in cases {
        let number = value(text);
        assert_eq!(number.raw(), *text);
        assert_eq!(number.u64(), *unsigned, "{text}");
        assert_eq!(number.i64(), *signed, "{text}");
        assert_eq!(number.f64().map(f64::to_bits), float.map(f64::to_bits), "{text}");
    }
}

/// Source between the quotes, text, leading low half, trailing high half, whether a half inside was replaced.
type Decoded = (&'static str, &'static str, Option<u16>, Option<u16>, bool);

const DECODED: &[Decoded] = &[
    ("plain", "plain", None, None, false),
    (r#"\"\\\/\b\f\n\r\t"#, "\"\\/\u{8}\u{c}\n\r\t", None, None, false),
    (r"\u0000\u0041\u00e9\u6f22\uFFFF", "\0Aé漢\u{ffff}", None, None, false),
    (r"\ud83d\ude00", "😀", None, None, false),
    (r"\uD83D\uDE00x", "😀x", None, None, false),
    (r"\udbff\udfff\ud800\udc00", "\u{10ffff}\u{10000}", None, None, false),
    (r"\ud83d", "", None, Some(0xd83d), false),
    (r"\ude00", "", Some(0xde00), None, false),
    (r"\ude00\ud83d", "", Some(0xde00), Some(0xd83d), false),
    (r"\ude00 mid \ud83d", " mid ", Some(0xde00), Some(0xd83d), false),
    (r"a\ud83db", "a\u{fffd}b", None, None, true),
    (r"a\ude00", "a\u{fffd}", None, None, true),
    (r"\ud83db", "\u{fffd}b", None, None, true),
    (r"\ud83d\ud83d", "\u{fffd}", None, Some(0xd83d), true),
    (r"\ude00\ude00", "\u{fffd}", Some(0xde00), None, true),
    (r"\ud83d\u0041", "\u{fffd}A", None, None, true),
    (r"\ud83d\n", "\u{fffd}\n", None, None, true),
    (r"\ud83d\ud83d\ude00", "\u{fffd}😀", None, None, true),
    (r"\ud83d\ude00\ude00", "😀\u{fffd}", None, None, true),
    (r"\\ud83d", r"\ud83d", None, None, false),
    ("😀\u{2028}ö", "😀\u{2028}ö", None, None, false),
];

#[test]
fn strings_decode_with_halves_kept_at_the_ends_only() {
    for (source, text, leading_low, trailing_high, replaced) in DECODED {
        let quoted = format!("\"{source}\"");
        let string = value(&quoted);
        let wanted = Text {
            text: Cow::Borrowed(*text),
            leading_low: *leading_low,
            trailing_high: *trailing_high,
            replaced: *replaced,
        };
        assert_eq!(string.text(), Some(wanted.clone()), "{source}");
        assert_eq!(string.str_raw(), Some(*source));
        assert_eq!(string.str(), Some(wanted.into_cow()), "{source}");
        let strict = leading_low.is_none() && trailing_high.is_none() && !replaced;
        assert_eq!(string.is_strict(), strict, "{source}");
    }
}

#[test]
fn a_half_is_found_wherever_it_stands_in_a_long_string() {
    for before in 0..140 {
        let run = "x".repeat(before);
        let pair = format!("[\"{run}\\ud83d\\ude00{run}\"]");
        assert!(value(&pair).is_strict(), "{before}");
        let element = value(&pair).array().and_then(|mut array| array.next()).expect("one element");
        assert_eq!(element.str(), Some(format!("{run}😀{run}").into()));
        for half in ["\\ud83d", "\\ude00", "\\ud83d\\ude00\\ude00", "\\ud83d\\\\\\ude00"] {
            let text = format!("[\"{run}{half}{run}\"]");
            assert!(!value(&text).is_strict(), "{text}");
        }
    }
}

#[test]
fn halves_become_replacement_characters_when_no_neighbour_completes_them() {
    let both = value(r#""\ude00 mid \ud83d""#);
    assert_eq!(both.str().as_deref(), Some("\u{fffd} mid \u{fffd}"));
    assert_eq!(join_halves(0xd83d, 0xde00), Some('😀'));
    assert_eq!(join_halves(0xde00, 0xd83d), None);
    assert_eq!(join_halves(0x41, 0xde00), None);
}

#[test]
fn a_string_without_escapes_is_borrowed() {
    let text = format!("\"{}\"", "ö".repeat(100));
    assert!(matches!(value(&text).str(), Some(Cow::Borrowed(_))));
    let object = value("{\"key\":1}");
    let (key, _) = object.object().and_then(|mut members| members.next()).expect("one member");
    assert!(matches!(key.into_cow(), Cow::Borrowed("key")));
}

#[test]
fn strictness_belongs_to_the_part_asked() {
    let object = value(r#"{"clean":"\ud83d\ude00","half":["\ud83d"],"\ude00":1}"#);
    assert!(!object.is_strict());
    assert!(object.get("clean").is_some_and(Value::is_strict));
    assert!(!object.get("half").is_some_and(Value::is_strict));
    assert!(value(r#"{"a":["\\ud83d"]}"#).is_strict());
    assert!(!Value::from_validated(r#""\ud83d""#).is_strict());
}

#[test]
fn repair_replaces_lone_halves_and_nothing_else() {
    let cases = [
        (r#"{"a":"\ud83d","b":"\ud83d\ude00"}"#, r#"{"a":"\ufffd","b":"\ud83d\ude00"}"#),
        (r#"["\ud83d","\ude00"]"#, r#"["\ufffd","\ufffd"]"#),
        (r#""\ud83d\ud83d\ude00\ude00""#, r#""\ufffd\ud83d\ude00\ufffd""#),
        (r#"{"\uDBFF": 1e400 , "x" : "\\ud83d\n" }"#, r#"{"\ufffd": 1e400 , "x" : "\\ud83d\n" }"#),
    ];
    for (raw, repaired) in cases {
        assert_eq!(repair(raw), repaired);
        assert!(value(&repair(raw)).is_strict(), "{raw}");
    }
    for raw in [r#"{"a":"\ud83d\ude00\\ud83d"}"#, "1", "\\", "\\u", "\\ud83", "ö\\"] {
        assert!(matches!(repair(raw), Cow::Borrowed(_)), "{raw}");
    }
}

#[test]
fn a_written_string_escapes_what_it_must_and_reads_back() {
    let mut out = String::new();
    write_string(&mut out, "\"\\/\u{8}\u{c}\n\r\t\u{0}\u{1f}\u{7f}\u{2028}ö😀");
    assert_eq!(out, "\"\\\"\\\\/\\b\\f\\n\\r\\t\\u0000\\u001f\u{7f}\u{2028}ö😀\"");
    for code in 0..0x300u32 {
        let text: String = char::from_u32(code).expect("below the surrogates").to_string().repeat(20);
        let mut out = String::new();
        write_string(&mut out, &text);
        assert_eq!(value(&out).str().as_deref(), Some(text.as_str()), "U+{code:04X}");
    }
}

#[test]
fn an_object_is_written_member_by_member() {
    let mut out = String::from("extra=");
    let mut writer = ObjectWriter::new(&mut out);
    assert!(writer.is_empty());
    writer.text("a\"", "b\n").raw("raw", "[1e400]").number("n", u64::MAX).bool("yes", true).bool("no", false);
    assert!(!writer.is_empty());
    writer.finish();
    writer.finish();
    assert_eq!(out, r#"extra={"a\"":"b\n","raw":[1e400],"n":18446744073709551615,"yes":true,"no":false}"#);
    let mut empty = String::new();
    ObjectWriter::new(&mut empty).finish();
    assert_eq!(empty, "{}");
}

#[test]
fn written_numbers_are_json_and_read_back_the_same() {
    for number in [0.0, -0.0, 3.0, 0.1, 1e15, 1e16, 1e300, -2.5e-9, f64::MIN_POSITIVE, f64::MAX, 0.000_012] {
        let mut out = String::new();
        ObjectWriter::new(&mut out).number("n", number).finish();
        let read = value(&out).get("n").and_then(Value::f64).expect(&out);
        assert_eq!(read.to_bits(), f64::to_bits(number), "{out}");
    }
    let mut out = String::new();
    ObjectWriter::new(&mut out).number("a", f64::NAN).number("b", f64::INFINITY).number("c", 3.0).finish();
    assert_eq!(out, r#"{"a":null,"b":null,"c":3}"#);
}
