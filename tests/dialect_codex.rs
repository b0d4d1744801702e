//! What the codex dialect states, line by line. Whole streams are cases in `tests/cases/codex`.

mod recorder;

use agent_ui_events::dialect::codex::ROW;
use agent_ui_events::dialect::{Sign, Verdict};
use agent_ui_events::framing::{Container, Record, Source};
use agent_ui_events::json::Value;
use recorder::{facts_of, recordings};

#[track_caller]
fn check(input: &str, expected: &[&str]) {
    assert_eq!(facts_of(&ROW, input), expected);
}

fn verdict(line: &str) -> Verdict {
    let record = Record { body: line, event: None, id: None, source: Source::default() };
    (ROW.detect)(&record, Value::parse(line).expect("valid JSON"), Container::JsonLines)
}

fn sign(line: &str) -> Option<Sign> {
    verdict(line).map(|(sign, _)| sign)
}

#[test]
fn own_lines_are_recognized_and_their_neighbours_are_not() {
    assert_eq!(sign(r#"{"type":"thread.started","thread_id":"t"}"#), Some(Sign::Certain));
    assert_eq!(
        sign(r#"{"type":"item.completed","item":{"id":"item_0","type":"reasoning","text":"x"}}"#),
        Some(Sign::Certain)
    );
    assert_eq!(
        sign(r#"{"type":"item.started","item":{"id":"item_0","item_type":"command_execution"}}"#),
        Some(Sign::Certain)
    );
    assert_eq!(sign(r#"{"type":"session.created","session_id":"s"}"#), Some(Sign::Strong));
    assert_eq!(sign(r#"{"type":"turn.started"}"#), Some(Sign::Strong));
    assert_eq!(sign(r#"{"type":"error","message":"gone"}"#), Some(Sign::Weak));
    // Look-alikes: other error lines, app-server notifications, a rollout, another server's session.
    assert_eq!(sign(r#"{"type":"error","message":"gone","code":3}"#), None);
    assert_eq!(sign(r#"{"type":"item.completed","item":"x"}"#), None);
    assert_eq!(sign(r#"{"type":"session.created","properties":{}}"#), None);
    assert_eq!(sign("[1]"), None);
}

#[test]
fn a_thread_begins_a_new_epoch_and_names_the_session_of_later_lines() {
    check(
        "{\"type\":\"thread.started\",\"thread_id\":\"th-1\",\"timestamp\":\"2026-02-03T04:05:06Z\"}\n{\"type\":\"turn.started\"}",
        &[
            "restart session=th-1 at=2026-02-03T04:05:06Z",
            "run Run Start session=th-1 at=2026-02-03T04:05:06Z",
            "run Turn Start session=th-1",
        ],
    );
}

#[test]
fn the_earliest_variant_names_its_session_but_begins_no_run() {
    check(r#"{"type":"session.created","session_id":"s-1"}"#, &["restart session=s-1"]);
}

#[test]
fn messages_and_thoughts_are_whole() {
    check(
        concat!(
            r#"{"type":"item.completed","item":{"id":"item_0","type":"reasoning","text":"**Look**"}}"#,
            "\n",
            r#"{"type":"item.completed","item":{"id":"item_1","type":"agent_message","text":"Hi \ud83d\ude00","phase":"commentary"}}"#,
            "\n",
            r#"{"type":"item.completed","item":{"id":"item_2","item_type":"assistant_message","text":"Early."}}"#,
        ),
        &[
            "whole item_0 Thought \"**Look**\"",
            "whole item_1 Agent \"Hi 😀\" extra={\"phase\":\"commentary\"}",
            "whole item_2 Agent \"Early.\"",
        ],
    );
}

#[test]
fn a_growing_message_is_a_snapshot_until_it_is_completed() {
    check(
        concat!(
            r#"{"type":"item.started","item":{"id":"item_0","type":"agent_message","text":""}}"#,
            "\n",
            r#"{"type":"item.updated","item":{"id":"item_0","type":"agent_message","text":"Ha"}}"#,
            "\n",
            r#"{"type":"item.completed","item":{"id":"item_0","type":"agent_message","text":"Half"}}"#,
        ),
        &["ignored empty-text", "so-far item_0 Agent \"Ha\"", "whole item_0 Agent \"Half\""],
    );
}

#[test]
fn a_command_is_announced_and_its_completed_item_is_the_output() {
    let done = r#"{"id":"item_1","type":"command_execution","command":"/bin/bash -lc 'exit 3'","aggregated_output":"no\n","exit_code":3,"status":"failed"}"#;
    let input = format!(
        "{}\n{{\"type\":\"item.completed\",\"item\":{done}}}",
        r#"{"type":"item.started","item":{"id":"item_1","type":"command_execution","command":"/bin/bash -lc 'exit 3'","aggregated_output":"","exit_code":null,"status":"in_progress"}}"#
    );
    let seen = r#"seen item_1 name="command_execution" title="`exit 3`" kind=Execute"#;
    let arguments = r#"input="{\"command\":\"/bin/bash -lc 'exit 3'\"}""#;
    check(
        &input,
        &[
            &format!("{seen} status=InProgress {arguments}"),
            &format!("{seen} {arguments}"),
            &format!(
                "changed item_1 status=Failed content=[Content {{ content: Text {{ text: \"no\\n\" }} }}] output={done:?}"
            ),
        ],
    );
}

#[test]
fn a_declined_command_failed_and_keeps_the_wires_word() {
    let facts = facts_of(
        &ROW,
        r#"{"type":"item.completed","item":{"id":"item_1","type":"command_execution","command":"rm x","aggregated_output":"","exit_code":null,"status":"declined"}}"#,
    );
    assert!(facts[1].starts_with("changed item_1 status=Failed output="), "{}", facts[1]);
    assert!(facts[1].ends_with(r#"extra={"status":"declined"}"#), "{}", facts[1]);
}

#[test]
fn an_item_may_carry_its_id_twice() {
    let facts = facts_of(
        &ROW,
        concat!(
            r#"{"type":"item.started","item":{"id":"item_1","type":"web_search","id":"ws_1","query":"","action":{"type":"other"}}}"#,
            "\n",
            r#"{"type":"item.completed","item":{"id":"item_1","type":"web_search","id":"ws_1","query":"tide","action":{"type":"search","query":"tide"}}}"#,
        ),
    );
    assert_eq!(
        facts[..2],
        [
            r#"seen ws_1 name="web_search" title="Search" kind=Fetch status=InProgress input="{\"query\":\"\",\"action\":{\"type\":\"other\"}}""#,
            r#"seen ws_1 name="web_search" title="Search: tide" kind=Fetch input="{\"query\":\"tide\",\"action\":{\"type\":\"search\",\"query\":\"tide\"}}""#,
        ]
    );
    assert!(facts[2].starts_with("changed ws_1 status=Completed output="), "{}", facts[2]);
}

#[test]
fn an_mcp_call_is_named_by_server_and_tool_and_shows_blocks_or_the_error() {
    let facts = facts_of(
        &ROW,
        concat!(
            r#"{"type":"item.completed","item":{"id":"item_1","type":"mcp_tool_call","server":"gauge","tool":"read","arguments":{"n":12345678901234567890},"result":{"content":[{"type":"text","text":"off"},{"type":"image","data":"AA==","mimeType":"image/png"}]},"error":null,"status":"failed"}}"#,
            "\n",
            r#"{"type":"item.completed","item":{"id":"item_2","type":"mcp_tool_call","server":"gauge","tool":"read","arguments":null,"result":null,"error":{"message":"timeout"},"status":"failed"}}"#,
        ),
    );
    assert_eq!(
        facts[0],
        r#"seen item_1 name="mcp__gauge__read" title="gauge: read" kind=Other input="{\"n\":12345678901234567890}""#
    );
    assert!(
        facts[1].starts_with(
            "changed item_1 status=Failed content=[Content { content: Text { text: \"off\" } }, \
             Content { content: Image { data: \"AA==\", mime_type: \"image/png\", uri: None } }] output="
        ),
        "{}",
        facts[1]
    );
    assert_eq!(facts[2], r#"seen item_2 name="mcp__gauge__read" title="gauge: read" kind=Other"#);
    assert!(
        facts[3].starts_with(
            "changed item_2 status=Failed content=[Content { content: Text { text: \"timeout\" } }]"
        ),
        "{}",
        facts[3]
    );
}

#[test]
fn a_patch_shows_its_files_and_a_diff_only_where_the_wire_has_one() {
    let facts = facts_of(
        &ROW,
        r#"{"type":"item.started","item":{"id":"item_1","type":"file_change","changes":[{"path":"a.rs","kind":"add"},{"path":"b.rs","kind":"update","diff":"-x\n+y"}],"status":"in_progress"}}"#,
    );
    assert_eq!(
        facts,
        [concat!(
            r#"seen item_1 name="file_change" title="Edit 2 files" kind=Edit status=InProgress "#,
            r#"input="{\"changes\":[{\"path\":\"a.rs\",\"kind\":\"add\"},{\"path\":\"b.rs\",\"kind\":\"update\",\"diff\":\"-x\\n+y\"}]}" "#,
            r#"content=[Content { content: Text { text: "-x\n+y" } }] "#,
            r#"locations=[Location { path: "a.rs", line: None }, Location { path: "b.rs", line: None }]"#,
        )]
    );
}

#[test]
fn a_spawned_thread_is_an_agent_of_the_spawning_call() {
    let facts = facts_of(
        &ROW,
        concat!(
            r#"{"type":"item.completed","item":{"id":"item_2","type":"collab_tool_call","tool":"spawn_agent","sender_thread_id":"th-1","receiver_thread_ids":["th-2"],"prompt":"Look around.","agents_states":{"th-2":{"status":"pending_init","message":null}},"status":"completed"}}"#,
            "\n",
            r#"{"type":"item.completed","item":{"id":"item_3","type":"collab_tool_call","tool":"wait","sender_thread_id":"th-1","receiver_thread_ids":["th-2"],"prompt":null,"agents_states":{"th-2":{"status":"completed","message":"All quiet."},"th-3":{"status":"not_found","message":null}},"status":"completed"}}"#,
        ),
    );
    assert!(
        facts[0].starts_with(
            r#"seen item_2 name="spawn_agent" title="spawn_agent: Look around." kind=Think input="#
        ),
        "{}",
        facts[0]
    );
    assert!(
        facts[0].ends_with(r#"content=[Content { content: Text { text: "Look around." } }]"#),
        "{}",
        facts[0]
    );
    assert_eq!(facts[2], r#"agent th-2 session="th-2" call="item_2" status=Running"#);
    assert!(
        facts[4].starts_with(
            "changed item_3 status=Completed content=[Content { content: Text { text: \"All quiet.\" } }]"
        ),
        "{}",
        facts[4]
    );
    assert_eq!(facts[5], r#"agent th-2 session="th-2" status=Completed"#);
    assert_eq!(facts[6], r#"agent th-3 session="th-3" extra={"status":"not_found"}"#);
}

#[test]
fn an_open_todo_entry_is_pending() {
    check(
        r#"{"type":"item.updated","item":{"id":"item_1","type":"todo_list","items":[{"text":"look","completed":true},{"text":"fix","completed":false}]}}"#,
        &["plan [look Completed Medium, fix Pending Medium]"],
    );
}

#[test]
fn the_usage_of_a_turn_is_the_running_total_of_the_thread() {
    check(
        r#"{"type":"turn.completed","usage":{"input_tokens":100,"cached_input_tokens":20,"cache_write_input_tokens":5,"output_tokens":7,"reasoning_output_tokens":3}}"#,
        &[
            r#"usage RunningTotal prompt=100.0 completion=7.0 cached=20.0 extra="{\"cache_write_input_tokens\":5,\"reasoning_output_tokens\":3}""#,
            "run Turn End outcome=Completed evidence=Stated",
        ],
    );
}

#[test]
fn an_error_is_fatal_only_when_the_turn_failed() {
    check(
        concat!(
            r#"{"type":"item.completed","item":{"id":"item_0","type":"error","message":"no metadata"}}"#,
            "\n",
            r#"{"type":"error","message":"Reconnecting... 1/5"}"#,
            "\n",
            r#"{"type":"turn.failed","error":{"message":"{\"error\":{}}"}}"#,
        ),
        &[
            "error fatal=false repeats=true \"no metadata\"",
            "error fatal=false repeats=true \"Reconnecting... 1/5\"",
            "error fatal=true repeats=true \"{\\\"error\\\":{}}\"",
            "run Turn End outcome=Failed evidence=Stated",
        ],
    );
}

#[test]
fn a_plan_text_may_stream() {
    check(
        concat!(
            r#"{"type":"item.plan.delta","item_id":"item_4","delta":"Fir"}"#,
            "\n",
            r#"{"type":"item.completed","item":{"id":"item_4","type":"plan","text":"First"}}"#,
        ),
        &["delta item_4 Agent \"Fir\"", "whole item_4 Agent \"First\""],
    );
}

#[test]
fn unknown_items_are_cards_and_unknown_lines_are_unknown() {
    let item = r#"{"id":"item_1","type":"moon_view","path":"a.png"}"#;
    check(
        &format!("{{\"type\":\"item.completed\",\"item\":{item}}}\n{{\"type\":\"rate.limits\",\"left\":3}}"),
        &[
            "! Info codex.unknown-item",
            r#"seen item_1 name="moon_view" title="moon_view" kind=Other locations=[Location { path: "a.png", line: None }]"#,
            &format!("changed item_1 status=Completed output={item:?}"),
            r#"unknown Some("rate.limits") {"type":"rate.limits","left":3}"#,
        ],
    );
}

#[test]
fn wrong_types_are_remarked_and_the_rest_is_used() {
    check(
        concat!(
            r#"{"type":"thread.started","thread_id":7}"#,
            "\n",
            r#"{"type":"item.completed","item":{"type":"agent_message","text":"No id."}}"#,
            "\n",
            r#"{"type":"item.completed","item":{"id":"item_1","type":"agent_message","text":["x"]}}"#,
            "\n",
            r#"{"type":"item.completed","item":{"id":"item_2","type":"todo_list","items":[{"text":"a"},{"completed":true},"b"]}}"#,
            "\n",
            r#"{"type":"turn.completed","usage":{"input_tokens":"many","output_tokens":2}}"#,
            "\n",
            r#"{"type":"turn.failed","error":"plain"}"#,
            "\n",
            r#"{"type":"item.completed"}"#,
            "\n",
            "7",
        ),
        &[
            "! Warn codex.wrong-type",
            "restart",
            "run Run Start",
            "! Warn codex.wrong-type",
            "whole New Agent \"No id.\"",
            "! Warn codex.wrong-type",
            "ignored no-text",
            "! Warn codex.wrong-type",
            "plan [a Pending Medium, b Pending Medium]",
            "! Warn codex.wrong-type",
            "usage RunningTotal completion=2.0",
            "run Turn End outcome=Completed evidence=Stated",
            "error fatal=true repeats=true \"plain\"",
            "run Turn End outcome=Failed evidence=Stated",
            "! Warn codex.wrong-type",
            r#"unknown Some("item.completed") {"type":"item.completed"}"#,
            "unknown None 7",
        ],
    );
}

#[test]
fn a_result_without_id_goes_to_the_open_call_of_its_name() {
    let facts = facts_of(
        &ROW,
        concat!(
            r#"{"type":"item.started","item":{"type":"command_execution","command":"ls","status":"in_progress"}}"#,
            "\n",
            r#"{"type":"item.completed","item":{"type":"command_execution","command":"ls","status":"completed"}}"#,
        ),
    );
    assert!(facts[1].starts_with("seen New "), "{}", facts[1]);
    assert!(
        facts[3].starts_with("seen Match { id: None, name: \"command_execution\", lane: None }"),
        "{}",
        facts[3]
    );
}

#[test]
fn recordings_hold_nothing_unknown() {
    let mut all = recordings("codex-exec", ".jsonl");
    all.extend(recordings("evolve-recorded", "codex-mcp-image.raw.jsonl"));
    for (path, input) in all {
        let cut = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("cut-"));
        for fact in facts_of(&ROW, &input) {
            let odd = ["unknown", "!", "unclaimed"].iter().any(|word| fact.starts_with(word));
            assert!(!odd || (cut && fact.starts_with("unclaimed")), "{}: {fact}", path.display());
        }
    }
}
