//! What the droid dialect states, line by line, and its answers. Whole streams are cases in `tests/cases/droid`.

mod recorder;

use agent_ui_events::dialect::Choice;
use agent_ui_events::dialect::droid::ROW;
use agent_ui_events::json::Value;
use recorder::{facts_of, taken_for};

#[track_caller]
fn check(lines: &[&str], expected: &[&str]) {
    assert_eq!(facts_of(&ROW, &lines.join("\n")), expected);
}

#[test]
fn a_message_grows_until_something_else_comes() {
    check(
        &[
            r#"{"type":"message","role":"assistant","id":"m","text":"a","timestamp":0,"session_id":"s"}"#,
            r#"{"type":"message","role":"assistant","id":"m","text":"ab","timestamp":1}"#,
            r#"{"type":"reasoning","id":"r","text":"why"}"#,
            r#"{"type":"message","role":"assistant","id":"m","text":"abc"}"#,
        ],
        &[
            "so-far m Agent \"a\" session=s message=m at=1970-01-01T00:00:00.000Z",
            "so-far m Agent \"ab\" session=s message=m at=1970-01-01T00:00:00.001Z",
            "end m aborted=false session=s message=m",
            "whole r Thought \"why\" session=s message=r",
            "so-far m Agent \"abc\" session=s message=m",
        ],
    );
}

#[test]
fn a_result_without_id_is_matched_by_its_tool() {
    check(
        &[
            r#"{"type":"tool_result","toolId":"Read","isError":false,"value":"x"}"#,
            r#"{"type":"tool_result","value":"x"}"#,
        ],
        &[
            "changed Match { id: None, name: \"Read\", lane: None } status=Completed content=[Content { content: Text { text: \"x\" } }]",
            "changed New status=Completed content=[Content { content: Text { text: \"x\" } }]",
        ],
    );
}

#[test]
fn both_forms_of_a_todo_list_are_plans() {
    check(
        &[
            r#"{"type":"todo_state","todos":"1. [completed] a\n2. [in_progress] b [x]\n3. c\n\n"}"#,
            r#"{"type":"todo_state","todos":[{"content":"a","status":"completed","priority":"high"},{"content":"b"}]}"#,
        ],
        &[
            "plan [a Completed Medium, b [x] InProgress Medium, c Pending Medium]",
            "plan [a Completed High, b Pending Medium]",
        ],
    );
}

#[test]
fn a_shell_tells_its_failure_in_words_where_the_flag_is_missing() {
    let result = |content: &str| {
        format!(
            r#"{{"jsonrpc":"2.0","method":"droid.session_notification","params":{{"notification":{{"type":"tool_result","toolUseId":"t","content":"{content}"}}}}}}"#
        )
    };
    let words = [
        (r"ok\n[Process exited with code 0]", "Completed"),
        (r"no\n[Process exited with code 3]", "Failed"),
        ("Error: Command failed (exit code: 1)", "Failed"),
        ("it said [Process exited with code 3] once", "Completed"),
    ];
    for (content, status) in words {
        let facts = facts_of(&ROW, &result(content));
        assert!(facts[0].starts_with(&format!("changed t status={status}")), "{facts:?}");
    }
}

#[test]
fn working_states_make_turns_and_an_error_before_the_end_fails_one() {
    let say = |rest: &str| {
        format!(
            r#"{{"jsonrpc":"2.0","method":"droid.session_notification","params":{{"notification":{{{rest}}}}}}}"#
        )
    };
    let state = |word: &str| say(&format!(r#""type":"droid_working_state_changed","newState":"{word}""#));
    let (on, tool, off) = (state("streaming_assistant_message"), state("executing_tool"), state("idle"));
    let error = say(r#""type":"error","message":"busy","errorType":"llm""#);
    let text = say(r#""type":"assistant_text_delta","messageId":"m","blockIndex":0,"textDelta":"x""#);
    check(
        &[&on, &tool, &error, &off, &on, &error, &text, &off],
        &[
            "run Turn Start",
            "ignored working-state",
            "error fatal=false repeats=true \"busy\" code=\"llm\"",
            "run Turn End outcome=Failed reason=\"idle\" evidence=Inferred",
            "run Turn Start",
            "error fatal=false repeats=true \"busy\" code=\"llm\"",
            "delta Index(0) Agent \"x\" message=m",
            "run Turn End outcome=Completed reason=\"idle\" evidence=Inferred",
        ],
    );
}

#[test]
fn the_one_object_of_the_json_mode_is_a_completion() {
    check(
        &[
            r#"{"type":"result","subtype":"success","is_error":false,"duration_ms":5,"num_turns":1,"result":"Done.","session_id":"s","usage":{"input_tokens":1,"output_tokens":2}}"#,
        ],
        &[
            "answer \"Done.\" session=s",
            "usage RunShare prompt=1.0 completion=2.0 extra=\"{\\\"input_tokens\\\":1,\\\"output_tokens\\\":2}\" session=s",
            "run Run End outcome=Completed reason=\"success\" evidence=Stated session=s extra={\"num_turns\":1}",
        ],
    );
}

#[test]
fn answers_are_json_rpc_responses_and_only_what_was_offered_is_sent() {
    let reply = ROW.reply.expect("droid takes answers");
    let approval = Value::parse(
        r#"{"update":{"sessionUpdate":"interrupt","interruptId":"r-1","idSource":"wire","kind":"approval","options":[{"optionId":"proceed_once"},{"optionId":"cancel"}]}}"#,
    )
    .expect("valid JSON");
    let option = |id| Choice::Option { id, message: None, edited_input: None };
    assert_eq!(
        reply(approval, &option("proceed_once")).as_deref(),
        Ok(
            r#"{"jsonrpc":"2.0","factoryApiVersion":"1.0.0","type":"response","id":"r-1","result":{"selectedOption":"proceed_once"}}"#
        )
    );
    let code =
        |result: Result<String, agent_ui_events::dialect::ReplyError>| result.map_err(|error| error.code);
    assert_eq!(code(reply(approval, &option("proceed_always"))), Err("reply.unknown-option"));
    assert_eq!(
        code(reply(approval, &Choice::Cancel)).as_deref(),
        Ok(
            r#"{"jsonrpc":"2.0","factoryApiVersion":"1.0.0","type":"response","id":"r-1","result":{"selectedOption":"cancel"}}"#
        )
    );
    let question = Value::parse(
        r#"{"update":{"sessionUpdate":"interrupt","interruptId":"7","idSource":"wire","kind":"question","questions":[{"id":"1","question":"Which?"}]}}"#,
    )
    .expect("valid JSON");
    let answers = |text| Choice::Answers(Value::parse(text).expect("valid JSON"));
    assert_eq!(
        code(reply(question, &answers(r#"{"1":["sea","sky"]}"#))).as_deref(),
        Ok(
            r#"{"jsonrpc":"2.0","factoryApiVersion":"1.0.0","type":"response","id":"7","result":{"answers":[{"index":1,"question":"Which?","answer":"sea, sky"}]}}"#
        )
    );
    assert_eq!(code(reply(question, &answers(r#"{"2":["sea"]}"#))), Err("reply.answers-required"));
}

#[test]
fn no_recording_is_taken_for_this_format() {
    assert_eq!(taken_for(&ROW), Vec::<String>::new());
}
