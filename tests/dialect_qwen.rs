//! What the qwen dialect states, line by line. Whole streams are cases in `tests/cases/qwen`.

mod recorder;

use agent_ui_events::dialect::claude::qwen::ROW;
use agent_ui_events::event::Role;
use agent_ui_events::transcript::{Body, Transcript};
use agent_ui_events::{Normalizer, Options};
use recorder::{facts_of, recordings, taken_for};

#[track_caller]
fn check(lines: &[&str], expected: &[&str]) {
    assert_eq!(facts_of(&ROW, &lines.join("\n")), expected);
}

#[test]
fn pieces_of_a_reply_belong_to_the_whole_line_that_follows() {
    check(
        &[
            r#"{"type":"stream_event","event":{"type":"message_start","message":{"id":"m1"}}}"#,
            r#"{"type":"stream_event","event":{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":""}}}"#,
            r#"{"type":"stream_event","event":{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"h"}}}"#,
            r#"{"type":"assistant","message":{"id":"m1","content":[{"type":"thinking","thinking":"h","signature":""}]}}"#,
            r#"{"type":"stream_event","event":{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}}"#,
            r#"{"type":"stream_event","event":{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"t"}}}"#,
            r#"{"type":"assistant","message":{"id":"m2","content":[{"type":"text","text":"t"}]}}"#,
        ],
        &[
            "ignored message-start",
            "open 1 Thought message=m1",
            "delta 1 Thought \"h\" message=m1",
            "whole 1 Thought \"h\" message=m1",
            "open 2 Agent",
            "delta 2 Agent \"t\"",
            "whole 2 Agent \"t\" message=m2",
        ],
    );
}

#[test]
fn input_holds_the_cache_already_and_zeros_are_no_usage() {
    check(
        &[
            r#"{"type":"assistant","message":{"id":"m1","content":[],"usage":{"input_tokens":0,"output_tokens":0}}}"#,
            r#"{"type":"assistant","message":{"id":"m2","content":[],"usage":{"input_tokens":9,"output_tokens":2,"cache_read_input_tokens":4,"total_tokens":11}}}"#,
        ],
        &[
            "ignored nothing-to-show",
            "usage Call prompt=9.0 completion=2.0 cached=4.0 extra=\"{\\\"total_tokens\\\":11}\" message=m2",
        ],
    );
}

#[test]
fn reminders_behind_a_result_are_for_the_model() {
    check(
        &[
            r#"{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"c","is_error":false,"content":"done\n\n<system-reminder>\na\n</system-reminder>\n<system-reminder>b</system-reminder>"}]}}"#,
        ],
        &["changed c status=Completed content=[Content { content: Text { text: \"done\" } }]"],
    );
}

#[test]
fn a_helpers_failure_is_not_the_end_of_the_run() {
    check(
        &[
            r#"{"type":"assistant","message":{"id":"m","content":[{"type":"tool_use","id":"c","name":"agent","input":{"description":"d","subagent_type":"scout"}}]}}"#,
            r#"{"type":"result","subtype":"error_during_execution","is_error":true,"duration_ms":0,"error":{"message":"lost"}}"#,
            r#"{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"c","is_error":true,"content":"lost"}]}}"#,
            r#"{"type":"result","subtype":"error_during_execution","is_error":true,"duration_ms":0,"error":{"message":"really"}}"#,
        ],
        &[
            "seen c name=\"agent\" title=\"d\" kind=Think status=Pending input=\"{\\\"description\\\":\\\"d\\\",\\\"subagent_type\\\":\\\"scout\\\"}\" message=m",
            "agent c call=\"c\" status=Running message=m",
            "error fatal=false repeats=false \"lost\" agent=c parent=c",
            "changed c status=Failed content=[Content { content: Text { text: \"lost\" } }]",
            "agent c call=\"c\" status=Failed",
            "error fatal=true repeats=true \"really\" code=\"error_during_execution\"",
            "run Run End outcome=Failed reason=\"error_during_execution\" evidence=Stated",
        ],
    );
}

#[test]
fn success_around_an_error_is_a_failure_by_inference() {
    check(
        &[r#"{"type":"result","subtype":"success","is_error":false,"result":"[API Error: 401 no]"}"#],
        &[
            "error fatal=true repeats=true \"[API Error: 401 no]\"",
            "run Run End outcome=Failed reason=\"success\" evidence=Inferred",
        ],
    );
    check(
        &[
            r#"{"type":"result","subtype":"success","is_error":false,"result":"It printed [API Error: x], then went on."}"#,
        ],
        &[
            "answer \"It printed [API Error: x], then went on.\"",
            "run Run End outcome=Completed reason=\"success\" evidence=Stated",
        ],
    );
}

#[test]
fn a_block_whose_number_comes_again_belongs_to_another_message() {
    check(
        &[
            r#"{"type":"stream_event","event":{"type":"content_block_start","index":0,"content_block":{"type":"text","text":"a"}}}"#,
            r#"{"type":"stream_event","event":{"type":"content_block_start","index":0,"content_block":{"type":"text","text":"b"}}}"#,
            r#"{"type":"assistant","message":{"id":"m","content":[{"type":"text","text":"b"}]}}"#,
        ],
        &[
            "open 1 Agent",
            "delta 1 Agent \"a\"",
            "open 2 Agent",
            "delta 2 Agent \"b\"",
            "whole 2 Agent \"b\" message=m",
        ],
    );
}

#[test]
fn recordings_hold_nothing_unknown_and_nothing_of_a_wrong_type() {
    for folder in ["qwen", "qwen-0.15", "qwen-partial"] {
        for (path, text) in recordings(folder, ".jsonl") {
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
        taken.iter().filter(|line| !line.split(':').next().unwrap_or_default().contains("qwen")).collect();
    assert_eq!(others, Vec::<&String>::new());
}

fn fold(text: &str) -> Transcript {
    let mut normalizer = Normalizer::new(Options::default()).expect("default options");
    let mut transcript = Transcript::new();
    transcript.apply(normalizer.push(text.as_bytes()).expect("an open stream"));
    transcript.apply(normalizer.end().expect("an open stream"));
    transcript
}

/// What a reader sees of each item. A call's input only where it is whole.
fn seen(transcript: &Transcript) -> Vec<String> {
    let items = transcript.items(0..transcript.len()).iter();
    items
        .map(|item| match &item.body {
            Body::Text(part) => format!("{:?} {}", part.role == Role::Thought, part.text()),
            Body::Tool(card) => {
                let head = format!("{} {} {:?} {:?}", card.tool_call_id, card.title, card.kind, card.status);
                format!("{head} {:?} {:?}", card.raw_input(), card.locations())
            }
            Body::Plan(_) => "plan".to_owned(),
            Body::Error(part) => format!("{:?}", part.error()),
            _ => "other".to_owned(),
        })
        .collect()
}

/// Scenarios that were recorded in both modes. Killed runs are left out: there the pieces are all there is.
#[test]
fn pieces_and_whole_lines_of_one_script_fold_alike() {
    let partial = recordings("qwen-partial", ".jsonl");
    for (path, text) in recordings("qwen", ".jsonl") {
        let name = path.file_name().expect("a recording has a name");
        let Some((_, other)) = partial.iter().find(|(path, _)| path.file_name() == Some(name)) else {
            continue;
        };
        // Times and process ids stand in results, so those are not compared.
        if name.to_string_lossy().starts_with("killed") {
            continue;
        }
        assert_eq!(seen(&fold(&text)), seen(&fold(other)), "{}", path.display());
    }
}
