//! The oracle finds each breach, exactly once, and nothing in a clean stream.

use agent_ui_events::check_normal_form;

/// Prints one event: its number, its update, and what else stands in the envelope.
fn event(seq: usize, envelope: &str, update: &str) -> String {
    let source = seq * 10;
    format!(
        r#"{{"seq":{seq},{envelope}"update":{{{update}}},"source":{{"offset":{source},"length":9,"line":{seq}}}}}"#
    )
}

/// A stream of `(envelope, update)` numbered from 0.
fn stream(events: &[(&str, &str)]) -> String {
    events.iter().enumerate().map(|(seq, (envelope, update))| event(seq, envelope, update) + "\n").collect()
}

const CALL: &str =
    r#""sessionUpdate":"tool_call","toolCallId":"a","title":"Ls","kind":"execute","status":"pending""#;
const CHUNK: &str = r#""sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"Hi"}"#;
const ASK: &str =
    r#""sessionUpdate":"interrupt","interruptId":"i","kind":"approval","options":[],"questions":[]"#;
const END: &str = r#""sessionUpdate":"message_end","role":"agent""#;

fn update_of(card: &str, rest: &str) -> String {
    format!(r#""sessionUpdate":"tool_call_update","toolCallId":"{card}",{rest}"#)
}

/// The stream breaches this promise in its event of this number, and nothing else.
#[track_caller]
fn breaches_only(promise: &str, event: u64, text: &str) {
    let found = check_normal_form(text);
    let seen: Vec<_> = found.iter().map(|breach| (breach.promise, breach.event)).collect();
    assert_eq!(seen, [(promise, event)], "{found:#?}\nin\n{text}");
}

const I0: &str = r#""item":0,"#;
const I1: &str = r#""item":1,"#;

#[test]
fn a_clean_stream_has_no_breach() {
    let more = [
        update_of("a", r#""status":"in_progress","inputDelta":"{","title":"List""#),
        update_of("a", r#""status":"failed","inferred":true"#),
        update_of("a", r#""status":"completed","rawOutput":null"#),
        update_of("a", r#""rawOutput":{"ok":true}"#),
    ];
    let text = stream(&[
        (I0, CHUNK),
        (I0, r#""sessionUpdate":"agent_message_chunk","content":{"type":"text","text":" you"}"#),
        (I1, CALL),
        (I0, r#""sessionUpdate":"message_end","role":"agent","content":"Hello""#),
        (I1, &more[0]),
        (I1, &more[1]),
        (I1, &more[2]),
        (I1, &more[3]),
        (r#""item":2,"#, ASK),
        (
            r#""item":2,"#,
            r#""sessionUpdate":"interrupt_resolved","interruptId":"i","outcome":"unknown","source":"inferred""#,
        ),
        (
            r#""item":2,"#,
            r#""sessionUpdate":"interrupt_resolved","interruptId":"i","outcome":"allowed","source":"wire""#,
        ),
        (
            "",
            r#""sessionUpdate":"usage","scope":"run","usage":{"promptTokens":10,"cachedTokens":4,"costUsd":0.1}"#,
        ),
        ("", r#""sessionUpdate":"withdrawn","items":[0,1],"reason":"retry""#),
        (I1, &update_of("a", r#""status":"pending""#)),
        (r#""item":3,"parentToolCallId":"nobody","agentId":"x","#, r#""sessionUpdate":"plan","entries":[]"#),
        ("", r#""sessionUpdate":"unknown","raw":"?""#),
    ]);
    assert_eq!(check_normal_form(&text), []);
    assert_eq!(check_normal_form(&text.replace('\n', "\r\n\r\n")), [], "blank lines count for nothing");
}

#[test]
fn lines_that_are_no_event_are_told() {
    breaches_only("json", 1, &(event(0, I0, CHUNK) + "\n{\"seq\":1,"));
    breaches_only("json", 0, "[1]");
    breaches_only("N10", 0, &stream(&[(I0, &CHUNK.replace("Hi", "\\ud83d"))]));
}

#[test]
fn events_are_numbered_one_by_one_and_know_their_record() {
    breaches_only("model", 1, &format!("{}\n{}", event(4, I0, CHUNK), event(6, I0, CHUNK)));
    breaches_only("N5", 0, &event(0, I0, CHUNK).replace(r#""offset":0,"#, ""));
    breaches_only(
        "N5",
        1,
        &stream(&[(I0, CHUNK), (I0, CHUNK)]).replace(r#""offset":10,"length":9"#, r#""offset":0,"length":8"#),
    );
    let joined =
        stream(&[(I0, CHUNK), (I0, CHUNK)]).replace(r#""offset":10,"length":9"#, r#""offset":0,"length":19"#);
    assert_eq!(check_normal_form(&joined), [], "joined pieces start before and end after what came between");
}

#[test]
fn words_and_fields_are_those_of_the_table() {
    breaches_only("model", 0, &stream(&[("", r#""sessionUpdate":"tool_result""#)]));
    breaches_only("model", 0, &stream(&[("", r#""sessionUpdate":"unknown""#)]));
    breaches_only("model", 0, &stream(&[("", r#""sessionUpdate":"unknown","raw":{}"#)]));
    breaches_only("model", 0, &stream(&[(I0, &CALL.replace("execute", "bash"))]));
    breaches_only("model", 0, &stream(&[(I0, &CALL.replace("pending", "done"))]));
}

#[test]
fn items_are_numbered_from_0_and_keep_their_family() {
    breaches_only("model", 0, &stream(&[(I1, CHUNK)]));
    breaches_only("model", 1, &stream(&[(I0, CHUNK), (r#""item":2,"#, CALL)]));
    breaches_only("model", 0, &stream(&[("", CHUNK)]));
    breaches_only(
        "model",
        1,
        &stream(&[
            (I0, CHUNK),
            (I0, r#""sessionUpdate":"agent_thought_chunk","content":{"type":"text","text":"?"}"#),
        ]),
    );
    breaches_only("model", 0, &stream(&[(I0, r#""sessionUpdate":"hook","method":"m","event":"e""#)]));
    breaches_only("model", 0, &stream(&[(I0, END)]));
    let plan = r#""sessionUpdate":"plan","entries":[]"#;
    breaches_only("model", 1, &stream(&[(I0, plan), (r#""item":0,"agentId":"x","#, plan)]));
}

#[test]
fn a_card_has_one_call_before_its_updates_and_one_item() {
    breaches_only("N2", 1, &stream(&[(I0, CALL), (I0, CALL)]));
    breaches_only("N2", 1, &stream(&[(I0, CALL), (I0, &CALL.replace(r#""a""#, r#""b""#))]));
    breaches_only("N2", 1, &stream(&[(I0, CALL), (I0, &update_of("b", r#""status":"completed""#))]));
    let other = CALL.replace(r#""a""#, r#""b""#);
    breaches_only("N2", 2, &stream(&[(I0, CALL), (I1, &other), (I1, &update_of("a", r#""title":"x""#))]));
    breaches_only("N2", 0, &stream(&[(I0, &format!(r#"{ASK},"toolCallId":"a""#))]));
    breaches_only(
        "N2",
        0,
        &stream(&[(I0, r#""sessionUpdate":"artifact","url":"u","filename":"f","toolCallId":"a""#)]),
    );
}

#[test]
fn a_final_status_stays_final() {
    let step = |rest: &str| update_of("a", rest);
    for back in ["pending", "in_progress"] {
        let back = step(&format!(r#""status":"{back}""#));
        breaches_only(
            "N3",
            2,
            &stream(&[(I0, CALL), (I0, &step(r#""status":"failed","inferred":true"#)), (I0, &back)]),
        );
    }
    let stated = step(r#""status":"completed""#);
    let inferred = step(r#""status":"failed","inferred":true"#);
    breaches_only("N3", 2, &stream(&[(I0, CALL), (I0, &stated), (I0, &inferred)]));
    let repeat = step(r#""status":"completed","inferred":true"#);
    breaches_only("N3", 3, &stream(&[(I0, CALL), (I0, &stated), (I0, &repeat), (I0, &inferred)]));
    let withdrawn = r#""sessionUpdate":"withdrawn","items":[0],"reason":"retry""#;
    let again = step(r#""status":"pending""#);
    assert_eq!(check_normal_form(&stream(&[(I0, CALL), (I0, &stated), ("", withdrawn), (I0, &again)])), []);
}

#[test]
fn known_facts_are_not_blanked() {
    let known = update_of("a", r#""toolName":"Bash","rawInput":{"a":1},"rawOutput":"x""#);
    for blank in [r#""title":"""#, r#""toolName":"""#, r#""rawInput":null"#, r#""rawOutput":null"#] {
        breaches_only("N3", 2, &stream(&[(I0, CALL), (I0, &known), (I0, &update_of("a", blank))]));
    }
}

#[test]
fn chunks_are_the_text() {
    breaches_only("N4", 2, &stream(&[(I0, CHUNK), (I0, END), (I0, CHUNK)]));
    breaches_only("N4", 2, &stream(&[(I0, CHUNK), (I0, END), (I0, END)]));
    let repeated = format!(r#"{END},"content":"HiHi""#);
    breaches_only("N4", 2, &stream(&[(I0, CHUNK), (I0, CHUNK), (I0, &repeated)]));
}

#[test]
fn usage_is_made_of_amounts() {
    let usage =
        |usage: &str| stream(&[("", &format!(r#""sessionUpdate":"usage","scope":"call","usage":{usage}"#))]);
    breaches_only("N7", 0, &usage(r#"{"promptTokens":-1}"#));
    breaches_only("N7", 0, &usage(r#"{"completionTokens":"12"}"#));
    breaches_only("N7", 0, &usage(r#"{"costUsd":null}"#));
    breaches_only("N7", 0, &usage(r#"{"promptTokens":1,"cachedTokens":2}"#));
    breaches_only("N7", 0, &stream(&[("", r#""sessionUpdate":"usage_update","used":-5"#)]));
}

#[test]
fn withdrawals_and_answers_name_what_was_there() {
    breaches_only(
        "N3",
        1,
        &stream(&[(I0, CHUNK), ("", r#""sessionUpdate":"withdrawn","items":[0,7],"reason":"r""#)]),
    );
    let stated =
        r#""sessionUpdate":"interrupt_resolved","interruptId":"i","outcome":"allowed","source":"wire""#;
    let inferred =
        r#""sessionUpdate":"interrupt_resolved","interruptId":"i","outcome":"unknown","source":"inferred""#;
    breaches_only("N3", 2, &stream(&[(I0, ASK), (I0, stated), (I0, stated)]));
    breaches_only("N3", 2, &stream(&[(I0, ASK), (I0, stated), (I0, inferred)]));
    breaches_only("N3", 2, &stream(&[(I0, ASK), (I0, inferred), (I0, inferred)]));
    breaches_only("model", 1, &stream(&[(I0, ASK), (I0, &stated.replace(r#""i""#, r#""j""#))]));
    breaches_only("model", 1, &stream(&[(I0, ASK), (I1, ASK)]));
}
