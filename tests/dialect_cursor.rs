//! What the cursor dialect states, line by line. Whole streams are cases in `tests/cases/cursor`.

mod recorder;

use agent_ui_events::dialect::cursor::ROW;
use recorder::{facts_of, taken_for};

#[track_caller]
fn check(lines: &[&str], expected: &[&str]) {
    assert_eq!(facts_of(&ROW, &lines.join("\n")), expected);
}

#[test]
fn a_line_with_a_time_and_no_model_call_is_a_piece_and_the_next_whole_one_tells_it_again() {
    check(
        &[
            r#"{"type":"assistant","message":{"content":[{"type":"text","text":"a"}]},"timestamp_ms":0}"#,
            r#"{"type":"assistant","message":{"content":[{"type":"text","text":"b"}]},"timestamp_ms":1}"#,
            r#"{"type":"assistant","message":{"content":[{"type":"text","text":"ab"}]},"timestamp_ms":2,"model_call_id":"m"}"#,
            r#"{"type":"assistant","message":{"content":[{"type":"text","text":"whole"}]},"timestamp_ms":3,"model_call_id":"n"}"#,
            r#"{"type":"assistant","message":{"content":[{"type":"text","text":"last"}]}}"#,
        ],
        &[
            "delta 1 Agent \"a\" at=1970-01-01T00:00:00.000Z",
            "delta 1 Agent \"b\" at=1970-01-01T00:00:00.001Z",
            "whole 1 Agent \"ab\" message=m at=1970-01-01T00:00:00.002Z",
            "whole New Agent \"whole\" message=n at=1970-01-01T00:00:00.003Z",
            "whole New Agent \"last\"",
        ],
    );
}

#[test]
fn a_call_ends_what_ran_on() {
    check(
        &[
            r#"{"type":"thinking","subtype":"delta","text":"t"}"#,
            r#"{"type":"assistant","message":{"content":[{"type":"text","text":"a"}]},"timestamp_ms":0}"#,
            r#"{"type":"tool_call","subtype":"started","call_id":"x\ny","tool_call":{"readToolCall":{"args":{"path":"p"}}},"model_call_id":"m"}"#,
        ],
        &[
            "delta 1 Thought \"t\"",
            "end 1 aborted=false at=1970-01-01T00:00:00.000Z",
            "delta 2 Agent \"a\" at=1970-01-01T00:00:00.000Z",
            "end 2 aborted=false",
            "seen x\ny name=\"read\" title=\"Read p\" kind=Read status=InProgress input=\"{\\\"path\\\":\\\"p\\\"}\" locations=[Location { path: \"p\", line: None }] message=m",
        ],
    );
}

#[test]
fn arguments_that_are_no_json_stay_a_text() {
    check(
        &[
            r#"{"type":"tool_call","subtype":"started","call_id":"c","tool_call":{"function":{"name":"f","arguments":"{cut"}}}"#,
        ],
        &["seen c name=\"f\" title=\"f\" kind=Other status=InProgress input=\"\\\"{cut\\\"\""],
    );
}

#[test]
fn a_failed_run_tells_its_words() {
    check(
        &[
            r#"{"type":"result","subtype":"error","is_error":true,"result":"no seats","duration_ms":4,"session_id":"s"}"#,
        ],
        &[
            "error fatal=true repeats=true \"no seats\" session=s",
            "run Run End outcome=Failed reason=\"error\" evidence=Stated session=s",
        ],
    );
}

#[test]
fn wrong_types_are_remarked_and_nothing_breaks() {
    check(
        &[
            r#"{"type":"assistant","message":{"content":{"x":1}},"session_id":4}"#,
            r#"{"type":"tool_call","subtype":"completed","tool_call":[]}"#,
            r#"{"type":"thinking","subtype":"delta","text":{}}"#,
            "[]",
        ],
        &[
            "! Warn cursor.wrong-type",
            "block Agent Text { text: \"{\\\"x\\\":1}\" }",
            "! Warn cursor.wrong-type",
            "unknown Some(\"tool_call\") {\"type\":\"tool_call\",\"subtype\":\"completed\",\"tool_call\":[]}",
            "! Warn cursor.wrong-type",
            "ignored nothing-to-show",
            "unknown None []",
        ],
    );
}

#[test]
fn no_recording_is_taken_for_this_format() {
    assert_eq!(taken_for(&ROW), Vec::<String>::new());
}
