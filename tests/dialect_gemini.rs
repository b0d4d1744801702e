//! What the gemini dialect states, line by line. Whole streams are cases in `tests/cases/gemini`.

mod recorder;

use agent_ui_events::dialect::gemini::ROW;
use recorder::{facts_of, recordings, taken_for};

#[track_caller]
fn check(lines: &[&str], expected: &[&str]) {
    assert_eq!(facts_of(&ROW, &lines.join("\n")), expected);
}

#[test]
fn the_first_line_names_the_session_of_all_and_auto_is_no_model() {
    check(
        &[
            r#"{"type":"init","timestamp":"t1","session_id":"s","model":"auto"}"#,
            r#"{"type":"message","timestamp":"t2","role":"assistant","content":"Hi","delta":true}"#,
            r#"{"type":"init","timestamp":"t3","session_id":"s2","model":"gemini-x"}"#,
        ],
        &[
            "run Run Start session=s at=t1",
            "delta 1 Agent \"Hi\" session=s at=t2",
            "end 1 aborted=false session=s at=t3",
            "run Run Start session=s2 at=t3 model=gemini-x",
        ],
    );
}

#[test]
fn a_call_parts_the_answer_and_a_notice_does_not() {
    check(
        &[
            r#"{"type":"message","role":"assistant","content":"a","delta":true}"#,
            r#"{"type":"error","severity":"warning","message":"slow"}"#,
            r#"{"type":"message","role":"assistant","content":"b","delta":true}"#,
            r#"{"type":"tool_use","tool_name":"glob","tool_id":"g","parameters":{"pattern":"*"}}"#,
            r#"{"type":"message","role":"assistant","content":"c","delta":true}"#,
        ],
        &[
            "delta 1 Agent \"a\"",
            "error fatal=false repeats=true \"slow\" extra={\"severity\":\"warning\"}",
            "delta 1 Agent \"b\"",
            "end 1 aborted=false",
            "seen g name=\"glob\" title=\"Find *\" kind=Search status=InProgress input=\"{\\\"pattern\\\":\\\"*\\\"}\"",
            "delta 2 Agent \"c\"",
        ],
    );
}

#[test]
fn a_result_without_output_is_a_result_and_an_error_is_told_once() {
    check(
        &[
            r#"{"type":"tool_result","tool_id":"g","status":"success","output":""}"#,
            r#"{"type":"tool_result","tool_id":"h","status":"error","output":"no","error":{"type":"x","message":"no such file"}}"#,
            r#"{"type":"tool_result","tool_id":"i","status":"error","output":"only this"}"#,
        ],
        &[
            "changed g status=Completed",
            "changed h status=Failed content=[Content { content: Text { text: \"no such file\" } }] output=\"{\\\"type\\\":\\\"x\\\",\\\"message\\\":\\\"no such file\\\"}\"",
            "changed i status=Failed content=[Content { content: Text { text: \"only this\" } }]",
        ],
    );
}

#[test]
fn a_failed_result_without_words_takes_those_of_the_last_error_line() {
    check(
        &[
            r#"{"type":"error","severity":"error","message":"The reply was empty."}"#,
            r#"{"type":"result","status":"error","stats":{"input_tokens":3,"output_tokens":1,"cached":2,"duration_ms":0}}"#,
        ],
        &[
            "error fatal=false repeats=true \"The reply was empty.\" extra={\"severity\":\"error\"}",
            "error fatal=true repeats=true \"The reply was empty.\"",
            "usage RunShare prompt=3.0 completion=1.0 cached=2.0",
            "run Run End outcome=Failed reason=\"error\" evidence=Stated",
        ],
    );
}

#[test]
fn a_rewind_takes_back_what_followed_or_all_when_it_names_nobody() {
    let message = |id: &str| format!(r#"{{"id":"{id}","type":"gemini","content":"x"}}"#);
    let (a, b, c) = (message("a"), message("b"), message("c"));
    check(
        &[&a, &b, r#"{"$rewindTo":"b"}"#, &c, r#"{"$rewindTo":"lost"}"#],
        &[
            "so-far Index(0) Agent \"x\" message=a",
            "message-end aborted=false message=a",
            "so-far Index(0) Agent \"x\" message=b",
            "Withdraw { target: Message(\"b\"), reason: \"rewound\" }",
            "message-end aborted=false message=a",
            "so-far Index(0) Agent \"x\" message=c",
            "Withdraw { target: Message(\"a\"), reason: \"rewound\" }",
            "Withdraw { target: Message(\"c\"), reason: \"rewound\" }",
        ],
    );
}

#[test]
fn wrong_types_are_remarked_and_nothing_breaks() {
    check(
        &[
            r#"{"type":"message","role":"assistant","content":7,"delta":true}"#,
            r#"{"type":"tool_use","tool_name":[],"tool_id":3}"#,
            r#"{"type":"result","status":false,"stats":[]}"#,
            r#"{"type":7}"#,
        ],
        &[
            "! Warn gemini.wrong-type",
            "ignored nothing-to-show",
            "end 1 aborted=false",
            "! Warn gemini.wrong-type",
            "! Warn gemini.wrong-type",
            "seen New title=\"Unknown Tool\" kind=Other status=InProgress",
            "! Warn gemini.wrong-type",
            "run Run End outcome=Completed evidence=Stated",
            "! Warn gemini.wrong-type",
            "unknown None {\"type\":7}",
        ],
    );
}

#[test]
fn recordings_hold_nothing_unknown_and_nothing_of_a_wrong_type() {
    let runs = [("gemini", ".jsonl"), ("gemini-merged", ".jsonl"), ("evolve-recorded", ".raw.jsonl")];
    for (folder, ending) in runs {
        for (path, text) in recordings(folder, ending) {
            if folder == "evolve-recorded" && !path.to_string_lossy().contains("gemini") {
                continue;
            }
            for line in facts_of(&ROW, &text) {
                let odd = line.starts_with("unknown") || line.starts_with('!');
                assert!(!odd, "{}: {line}", path.display());
            }
        }
    }
}

#[test]
fn no_recording_of_another_format_is_taken_for_this_one() {
    let taken = taken_for(&ROW);
    let others: Vec<_> =
        taken.iter().filter(|line| !line.split(':').next().unwrap_or_default().contains("gemini")).collect();
    assert_eq!(others, Vec::<&String>::new());
}
