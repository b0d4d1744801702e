//! What the vent dialect states, frame by frame. Whole streams are cases in `tests/cases/vent`.

mod recorder;

use agent_ui_events::dialect::vent::ROW;
use agent_ui_events::dialect::{DialectRow, Sign};
use agent_ui_events::framing::{Container, Record, Source};
use agent_ui_events::json::Value;

const CUT: &str = "run Run End outcome=Cut evidence=Inferred";

/// Facts of a stream, without the remark that it was cut, which most of these are.
fn facts_of(row: &DialectRow, input: &str) -> Vec<String> {
    let facts = recorder::facts_of(row, input);
    facts.into_iter().filter(|fact| !fact.starts_with(CUT)).collect()
}

/// Frames are written without their envelope's constant part: `"token","content":"x"`.
fn frames(short: &[&str]) -> String {
    let frame = |rest: &&str| match rest.split_once(',') {
        Some((type_, rest)) => format!("{{\"type\": {type_}, \"session_id\": \"s\", {rest}}}\n"),
        None => format!("{{\"type\": {rest}, \"session_id\": \"s\"}}\n"),
    };
    short.iter().map(frame).collect()
}

/// Facts without the session, which every frame carries.
#[track_caller]
fn check(short: &[&str], expected: &[&str]) {
    let facts: Vec<String> =
        facts_of(&ROW, &frames(short)).iter().map(|fact| fact.replace(" session=s", "")).collect();
    assert_eq!(facts, expected);
}

fn sign_of(line: &str, event: Option<&str>) -> Option<Sign> {
    let record = Record { body: line, event, id: None, source: Source::default() };
    (ROW.detect)(&record, Value::parse(line).expect("valid JSON"), Container::Sse).map(|(sign, _)| sign)
}

#[test]
fn display_names_and_interrupt_forms_are_certain_common_words_weak() {
    let sign = |line| sign_of(line, None);
    assert_eq!(
        sign(r#"{"type":"agent_start","session_id":"","agent":"a","cn_agent":"A"}"#),
        Some(Sign::Certain)
    );
    assert_eq!(
        sign(r#"{"type":"tool_call","session_id":"s","tool":"t","cn_tool":"T","args":null}"#),
        Some(Sign::Certain)
    );
    assert_eq!(sign(r#"{"type":"interrupt","session_id":"s","ask_user":{}}"#), Some(Sign::Certain));
    assert_eq!(sign(r#"{"type":"thinking_token","session_id":"s","content":"x"}"#), Some(Sign::Strong));
    assert_eq!(sign(r#"{"type":"token","session_id":"s","content":"x"}"#), Some(Sign::Weak));
    // Look-alikes: an unknown type, no session, a named SSE event, no object.
    assert_eq!(sign(r#"{"type":"assistant","session_id":"s","cn_agent":"A"}"#), None);
    assert_eq!(sign(r#"{"type":"token","content":"x"}"#), None);
    assert_eq!(sign_of(r#"{"type":"token","session_id":"s","content":"x"}"#, Some("token")), None);
    assert_eq!(sign("[]"), None);
}

#[test]
fn tokens_are_pieces_of_the_running_part() {
    check(
        &[r#""token","content":"a\n""#, r#""thinking_token","content":"b""#],
        &[r#"delta Run Agent "a\n""#, r#"delta Run Thought "b""#],
    );
}

#[test]
fn a_token_that_is_no_string_is_shown_as_its_json_text() {
    check(
        &[
            r#""token","content":null"#,
            r#""token","content":12"#,
            r#""token","content":{"a":1}"#,
            r#""token""#,
        ],
        &[
            r#"delta Run Agent """#,
            "! Warn vent.wrong-type",
            r#"delta Run Agent "12""#,
            "! Warn vent.wrong-type",
            r#"delta Run Agent "{\"a\":1}""#,
            "! Warn vent.missing-member",
            r#"delta Run Agent """#,
        ],
    );
}

#[test]
fn trace_id_and_unknown_members_stay_in_extra() {
    check(
        &[r#""token","trace_id":"t","content":"a","phase":2,"message":"m""#, r#""thinking","message":"m""#],
        &[
            r#"delta Run Agent "a" extra={"traceId":"t","phase":2,"message":"m"}"#,
            r#"tell Notice(Notice { severity: Info, text: "m", stream: None })"#,
        ],
    );
}

#[test]
fn an_empty_session_id_is_no_session() {
    assert_eq!(
        facts_of(&ROW, r#"{"type": "token", "session_id": "", "content": "a"}"#),
        [r#"delta Run Agent "a""#]
    );
}

#[test]
fn executing_is_a_status_sentence_that_keeps_its_tool_lists() {
    check(
        &[r#""executing","message":"m","cn_agent":"A","tools":["t"],"cn_tools":["T"]"#],
        &[
            r#"tell Notice(Notice { severity: Info, text: "m", stream: None }) extra={"cn_agent":"A","tools":["t"],"cn_tools":["T"]}"#,
        ],
    );
}

#[test]
fn calls_name_their_lane_and_results_are_matched_as_well_as_the_wire_allows() {
    check(
        &[
            r#""tool_call","tool":"calc","cn_tool":"C","args":{"a":1},"tool_call_id":"c1","agent_id":"a1""#,
            r#""tool_call","tool":"read_plan","cn_tool":"R","args":null"#,
            r#""tool_result","tool":"calc","cn_tool":"C","content":{"x":2},"error":false,"tool_call_id":"c1","agent_id":"a1""#,
            r#""tool_result","tool":"read_plan","cn_tool":"R","content":"no","error":true"#,
        ],
        &[
            r#"seen c1 lane="a1" name="calc" title="C" status=InProgress input="{\"a\":1}" extra={"agent_id":"a1"}"#,
            r#"seen New name="read_plan" title="R" kind=Read status=InProgress"#,
            r#"changed Match { id: Some("c1"), name: "calc", lane: Some("a1") } status=Completed title="C" content=[Content { content: Text { text: "{\"x\":2}" } }] output="{\"x\":2}" extra={"agent_id":"a1"}"#,
            r#"changed Match { id: None, name: "read_plan", lane: None } status=Failed title="R" kind=Read content=[Content { content: Text { text: "no" } }] output="\"no\"""#,
        ],
    );
}

#[test]
fn a_null_result_is_a_result_and_an_error_text_is_a_failure() {
    check(
        &[
            r#""tool_result","tool":"t","cn_tool":"T","content":null,"error":false"#,
            r#""tool_result","tool":"t","cn_tool":"T","content":null,"error":"broke""#,
            r#""tool_result","tool":"t","cn_tool":"T","content":"","error":"""#,
        ],
        &[
            r#"changed Match { id: None, name: "t", lane: None } status=Completed title="T""#,
            "! Warn vent.wrong-type",
            r#"changed Match { id: None, name: "t", lane: None } status=Failed title="T" content=[Content { content: Text { text: "broke" } }]"#,
            "! Warn vent.wrong-type",
            r#"changed Match { id: None, name: "t", lane: None } status=Completed title="T" content=[Content { content: Text { text: "" } }] output="\"\"""#,
        ],
    );
}

#[test]
fn the_outermost_agent_has_no_card_and_deeper_ones_have() {
    check(
        &[
            r#""agent_start","agent":"p","cn_agent":"P""#,
            r#""agent_start","agent":"w","cn_agent":"W""#,
            r#""token","content":"x""#,
            r#""thinking","message":"m","cn_agent":"P""#,
            r#""agent_done","agent":"w","cn_agent":"W","duration_ms":0"#,
            r#""token","content":"y""#,
            r#""agent_done","agent":"p","cn_agent":"P","duration_ms":"7""#,
        ],
        &[
            r#"run Agent Start extra={"agent":"p","cn_agent":"P"}"#,
            r#"seen vent~agent~1 name="agent" title="W" kind=Think status=InProgress extra={"agent":"w","cn_agent":"W"}"#,
            r#"agent vent~agent~1 call="vent~agent~1" status=Running"#,
            r#"delta Run Agent "x" agent=vent~agent~1 parent=vent~agent~1"#,
            r#"tell Notice(Notice { severity: Info, text: "m", stream: None }) extra={"cn_agent":"P"}"#,
            r#"changed vent~agent~1 status=Completed extra={"agent":"w","cn_agent":"W","duration_ms":0}"#,
            r#"agent vent~agent~1 call="vent~agent~1" status=Completed"#,
            r#"delta Run Agent "y""#,
            r#"run Agent End outcome=Completed evidence=Stated extra={"agent":"p","cn_agent":"P"}"#,
        ],
    );
}

#[test]
fn an_end_closes_the_innermost_agent_of_its_name_not_the_top() {
    let facts = facts_of(
        &ROW,
        &frames(&[
            r#""agent_start","agent":"p","cn_agent":"P""#,
            r#""agent_start","agent":"a","cn_agent":"A""#,
            r#""agent_start","agent":"b","cn_agent":"B""#,
            r#""agent_done","agent":"a","cn_agent":"A""#,
            r#""token","content":"x""#,
        ]),
    );
    assert!(facts.iter().any(|fact| fact.starts_with("changed vent~agent~1 status=Completed")), "{facts:#?}");
    assert_eq!(
        facts.last().map(String::as_str),
        Some(r#"delta Run Agent "x" session=s agent=vent~agent~2 parent=vent~agent~2"#)
    );
}

#[test]
fn a_failed_agent_is_an_error_the_run_survives() {
    check(
        &[
            r#""agent_start","agent":"p","cn_agent":"P""#,
            r#""agent_start","agent":"w","cn_agent":"W""#,
            r#""agent_error","agent":"w","cn_agent":"W","message":"m""#,
            r#""agent_error","agent":"p","cn_agent":"P","message":"n","duration_ms":3"#,
        ],
        &[
            r#"run Agent Start extra={"agent":"p","cn_agent":"P"}"#,
            r#"seen vent~agent~1 name="agent" title="W" kind=Think status=InProgress extra={"agent":"w","cn_agent":"W"}"#,
            r#"agent vent~agent~1 call="vent~agent~1" status=Running"#,
            r#"error fatal=false repeats=false "m" agent=vent~agent~1 parent=vent~agent~1 extra={"agent":"w","cn_agent":"W"}"#,
            r#"changed vent~agent~1 status=Failed content=[Content { content: Text { text: "m" } }] extra={"agent":"w","cn_agent":"W"}"#,
            r#"agent vent~agent~1 call="vent~agent~1" status=Failed"#,
            r#"error fatal=false repeats=false "n" extra={"agent":"p","cn_agent":"P","duration_ms":3}"#,
            r#"run Agent End outcome=Failed evidence=Stated extra={"agent":"p","cn_agent":"P"}"#,
        ],
    );
}

#[test]
fn an_end_of_an_agent_that_is_not_open_is_remarked() {
    check(
        &[r#""agent_done","agent":"w","cn_agent":"W""#],
        &[
            "! Info vent.agent-not-open",
            r#"run Agent End outcome=Completed evidence=Stated extra={"agent":"w","cn_agent":"W"}"#,
        ],
    );
}

#[test]
fn after_an_interrupt_a_start_of_the_same_agent_carries_on() {
    check(
        &[
            r#""agent_start","trace_id":"1","agent":"p","cn_agent":"P""#,
            r#""agent_start","trace_id":"1","agent":"w","cn_agent":"W""#,
            r#""interrupt","trace_id":"1","message":"m""#,
            r#""agent_start","trace_id":"2","agent":"p","cn_agent":"P""#,
            r#""agent_start","trace_id":"2","agent":"w","cn_agent":"W""#,
            r#""agent_done","trace_id":"2","agent":"w","cn_agent":"W""#,
        ],
        &[
            r#"run Agent Start extra={"traceId":"1","agent":"p","cn_agent":"P"}"#,
            r#"seen vent~agent~1 name="agent" title="W" kind=Think status=InProgress extra={"traceId":"1","agent":"w","cn_agent":"W"}"#,
            r#"agent vent~agent~1 call="vent~agent~1" status=Running"#,
            r#"ask Notice message="m" blocking=RunEnds agent=vent~agent~1 parent=vent~agent~1 extra={"traceId":"1"}"#,
            r#"run Agent Start extra={"traceId":"2","agent":"p","cn_agent":"P"}"#,
            r#"agent vent~agent~1 call="vent~agent~1" status=Running extra={"traceId":"2","agent":"w","cn_agent":"W"}"#,
            r#"changed vent~agent~1 status=Completed extra={"traceId":"2","agent":"w","cn_agent":"W"}"#,
            r#"agent vent~agent~1 call="vent~agent~1" status=Completed"#,
        ],
    );
}

#[test]
fn another_response_with_another_first_agent_starts_at_the_outside_again() {
    let facts = facts_of(
        &ROW,
        &frames(&[
            r#""agent_start","trace_id":"1","agent":"p","cn_agent":"P""#,
            r#""agent_start","trace_id":"2","agent":"q","cn_agent":"Q""#,
        ]),
    );
    assert_eq!(facts[1], r#"run Agent Start session=s extra={"traceId":"2","agent":"q","cn_agent":"Q"}"#);
}

#[test]
fn sessions_keep_their_own_agents() {
    let input = r#"{"type": "agent_start", "session_id": "a", "agent": "p", "cn_agent": "P"}
{"type": "agent_start", "session_id": "b", "agent": "q", "cn_agent": "Q"}
{"type": "agent_start", "session_id": "a", "agent": "w", "cn_agent": "W"}
{"type": "token", "session_id": "b", "content": "x"}"#;
    let facts = facts_of(&ROW, input);
    assert!(facts[1].starts_with("run Agent Start session=b"), "{facts:#?}");
    assert!(facts[2].starts_with("seen vent~agent~1"), "{facts:#?}");
    assert_eq!(facts[4], r#"delta Run Agent "x" session=b"#);
}

#[test]
fn private_agent_ids_keep_clear_of_the_wires() {
    let facts = facts_of(
        &ROW,
        &frames(&[
            r#""tool_call","tool":"t","cn_tool":"T","args":null,"tool_call_id":"vent~agent~1""#,
            r#""agent_start","agent":"p","cn_agent":"P""#,
            r#""agent_start","agent":"w","cn_agent":"W""#,
        ]),
    );
    assert!(facts[2].starts_with("seen vent~agent~2"), "{facts:#?}");
}

#[test]
fn done_ends_the_run_and_its_open_agents() {
    check(
        &[
            r#""agent_start","agent":"p","cn_agent":"P""#,
            r#""agent_start","agent":"w","cn_agent":"W""#,
            r#""done","duration_ms":12,"download_url":"/f/a%20b.docx","filename":"../a b.docx""#,
            r#""token","content":"late""#,
            r#""token","content":"r""#,
        ],
        &[
            r#"run Agent Start extra={"agent":"p","cn_agent":"P"}"#,
            r#"seen vent~agent~1 name="agent" title="W" kind=Think status=InProgress extra={"agent":"w","cn_agent":"W"}"#,
            r#"agent vent~agent~1 call="vent~agent~1" status=Running"#,
            "changed vent~agent~1 status=Completed",
            r#"agent vent~agent~1 call="vent~agent~1" status=Completed"#,
            r#"artifact /f/a%20b.docx "a b.docx""#,
            "run Run End outcome=Completed evidence=Stated",
            "! Info vent.after-done",
            r#"delta Run Agent "late""#,
            r#"delta Run Agent "r""#,
        ],
    );
}

#[test]
fn a_response_that_neither_ended_nor_asked_was_cut() {
    let is_cut =
        |short: &[&str]| recorder::facts_of(&ROW, &frames(short)).iter().any(|fact| fact.starts_with(CUT));
    let token = r#""token","content":"x""#;
    let asks = r#""interrupt","message":"m""#;
    assert!(is_cut(&[token]));
    assert!(!is_cut(&[token, r#""done""#]));
    assert!(!is_cut(&[token, r#""error","message":"m""#]));
    assert!(!is_cut(&[token, asks]));
    assert!(!is_cut(&[asks, token]), "the response may go on beside its question");
    assert!(is_cut(&[asks, r#""agent_start","agent":"p","cn_agent":"P""#]));
    assert!(is_cut(&[
        r#""interrupt","trace_id":"1","message":"m""#,
        r#""token","trace_id":"2","content":"x""#
    ]));
}

#[test]
fn an_error_is_fatal_and_an_empty_message_gets_the_text_of_its_code() {
    check(
        &[
            r#""error","message":"wait","code":"too_many_tasks","retry_after":3"#,
            r#""error","message":"","code":"recursion_limit""#,
            r#""error","message":"","code":"odd_code""#,
            r#""error""#,
        ],
        &[
            r#"error fatal=true repeats=false "wait" code="too_many_tasks" retry=3000.0"#,
            r#"run Run End outcome=Failed reason="too_many_tasks" evidence=Stated"#,
            r#"error fatal=true repeats=false "The run took too many steps and was stopped. Split the task into smaller ones." code="recursion_limit""#,
            r#"run Run End outcome=Failed reason="recursion_limit" evidence=Stated"#,
            r#"error fatal=true repeats=false "odd_code" code="odd_code""#,
            r#"run Run End outcome=Failed reason="odd_code" evidence=Stated"#,
            r#"error fatal=true repeats=false "The server reported an internal error.""#,
            "run Run End outcome=Failed evidence=Stated",
        ],
    );
}

#[test]
fn an_approval_offers_allow_and_deny() {
    check(
        &[
            r#""interrupt","tool_approval":{"tool":"w","args":{"n":1},"reason":"r","side_effect":"","risk":"low"},"hint":1"#,
            r#""interrupt","tool_approval":{"tool":"w","args":"{\"n\":1}","tool_call_id":"c1","id":"i1"}"#,
        ],
        &[
            r#"ask Approval tool="w" reason="r" input="{\"n\":1}" blocking=RunEnds [allow_once AllowOnce "Allow" scope=Once] [reject_once RejectOnce "Deny" scope=Once] extra={"hint":1,"risk":"low","synthetic":true}"#,
            r#"ask Approval id="i1" call="c1" link=Wire tool="w" input="{\"n\":1}" blocking=RunEnds [allow_once AllowOnce "Allow" scope=Once] [reject_once RejectOnce "Deny" scope=Once] extra={"args":"{\"n\":1}","synthetic":true}"#,
        ],
    );
}

#[test]
fn questions_take_every_form_the_wire_may_give_them() {
    check(
        &[
            r#""interrupt","ask_user":{"questions":[{"question":"q","type":"multiple_choice","choices":["a",{"label":"B","value":2}],"required":true},{"question":"f"},"plain",{"question":"e","type":"multiple_choice","choices":[]}]},"message":"m""#,
            r#""interrupt","ask_user":{"questions":{"question":"q"}}"#,
            r#""interrupt","ask_user":{}"#,
        ],
        &[
            r#"ask Question message="m" blocking=RunEnds {0 "q" Single [("a", "a"), ("2", "B")] other=false required=true} {1 "f" Text [] other=false required=false} {2 "plain" Text [] other=false required=false} {3 "e" Text [] other=false required=false} extra={"severalPicksUnspecified":true}"#,
            r#"ask Question blocking=RunEnds {0 "q" Text [] other=false required=false}"#,
            "! Warn vent.wrong-type",
            "ask Question blocking=RunEnds",
        ],
    );
}

#[test]
fn an_approval_and_a_question_in_one_frame_are_both_asked_the_approval_first() {
    let facts = facts_of(
        &ROW,
        &frames(&[
            r#""interrupt","ask_user":{"questions":["q"]},"tool_approval":{"tool":"w"},"message":"m""#,
        ]),
    );
    assert!(facts[0].starts_with("ask Approval"), "{facts:#?}");
    assert!(facts[1].starts_with("ask Question"), "{facts:#?}");
}

#[test]
fn a_malformed_form_leaves_a_notice_that_keeps_it() {
    check(
        &[r#""interrupt","tool_approval":"yes","message":"""#],
        &[r#"ask Notice blocking=RunEnds extra={"tool_approval":"yes"}"#],
    );
}

#[test]
fn todo_words_are_read_as_a_plan() {
    check(
        &[
            r#""updated_todo_list","todos":[{"content":"a","status":"finished"},{"task":"b","status":"doing"},{"title":"c","done":true},"d",{"name":"e","status":"odd","priority":"high"}]"#,
            r#""updated_todo_list","todos":"[{\"content\":\"a\"}]""#,
            r#""updated_todo_list","todos":3"#,
        ],
        &[
            "plan [a Completed Medium, b InProgress Medium, c Completed Medium, d Pending Medium, e Pending High]",
            "plan [a Pending Medium]",
            "! Warn vent.wrong-type",
            "plan []",
        ],
    );
}

#[test]
fn citations_keep_their_items() {
    check(
        &[
            r#""citations","items":[{"title":"A"}],"model_only":false"#,
            r#""citations","items":{"title":"A"},"model_only":true"#,
        ],
        &[
            r#"tell Citations(Citations { items: Json("[{\"title\":\"A\"}]"), model_only: false })"#,
            r#"tell Citations(Citations { items: Json("[{\"title\":\"A\"}]"), model_only: true })"#,
        ],
    );
}

#[test]
fn progress_may_offer_a_download_and_a_dangerous_url_is_refused() {
    check(
        &[
            r#""progress","message":"m","download_url":"https://h/d/r.docx""#,
            r#""progress","message":"m","download_url":"javascript:alert(1)","filename":"r.docx""#,
        ],
        &[
            r#"tell Notice(Notice { severity: Info, text: "m", stream: None })"#,
            r#"artifact https://h/d/r.docx "r.docx""#,
            r#"tell Notice(Notice { severity: Info, text: "m", stream: None })"#,
            "! Warn vent.url-refused",
        ],
    );
}

#[test]
fn a_download_of_a_result_is_linked_to_its_call() {
    check(
        &[
            r#""tool_result","tool":"t","cn_tool":"T","content":"c","error":false,"tool_call_id":"c1","download_url":"/r""#,
            r#""tool_result","tool":"t","cn_tool":"T","content":"c","download_url":"/r""#,
        ],
        &[
            r#"changed Match { id: Some("c1"), name: "t", lane: None } status=Completed title="T" content=[Content { content: Text { text: "c" } }] output="\"c\"""#,
            r#"artifact /r "r" call="c1""#,
            r#"artifact /r "r" call="Match { id: None, name: \"t\", lane: None }""#,
            r#"changed Match { id: None, name: "t", lane: None } status=Completed title="T" content=[Content { content: Text { text: "c" } }] output="\"c\"""#,
        ],
    );
}

#[test]
fn nan_is_read_as_null_once_and_other_text_is_left_to_the_pipeline() {
    let facts = facts_of(
        &ROW,
        "{\"type\": \"tool_result\", \"session_id\": \"s\", \"tool\": \"t\", \"cn_tool\": \"T\", \"content\": {\"a\": NaN, \"b\": \"NaN\"}, \"error\": false}\n\
         {\"type\": NaN\n\
         plain NaN\n\
         NaN",
    );
    assert_eq!(
        facts,
        [
            "! Warn json.nonfinite",
            r#"changed Match { id: None, name: "t", lane: None } status=Completed title="T" content=[Content { content: Text { text: "{\"a\": null, \"b\": \"NaN\"}" } }] output="{\"a\": null, \"b\": \"NaN\"}" session=s"#,
            "unclaimed {\"type\": NaN",
            "unclaimed plain NaN",
            "unclaimed NaN",
        ]
    );
}

#[test]
fn odd_frames_are_told_as_unknown_or_counted() {
    assert_eq!(
        facts_of(
            &ROW,
            "null\n{\"session_id\": \"s\"}\n{\"type\": \"new_word\", \"session_id\": \"s\", \"x\": 1}"
        ),
        [
            "! Warn vent.not-an-object",
            "ignored not-an-object",
            "! Warn vent.no-type",
            r#"unknown None {"session_id": "s"} session=s"#,
            r#"unknown Some("new_word") {"type": "new_word", "session_id": "s", "x": 1} session=s extra={"x":1}"#,
        ]
    );
}

#[test]
fn members_of_any_type_are_survived() {
    let members = [
        "agent",
        "cn_agent",
        "message",
        "content",
        "tool",
        "cn_tool",
        "args",
        "tool_call_id",
        "agent_id",
        "error",
        "duration_ms",
        "todos",
        "items",
        "model_only",
        "download_url",
        "filename",
        "tool_approval",
        "ask_user",
        "code",
        "retry_after",
        "trace_id",
    ];
    let types = [
        "agent_start",
        "agent_done",
        "agent_error",
        "thinking",
        "thinking_token",
        "executing",
        "tool_call",
        "tool_result",
        "token",
        "updated_todo_list",
        "progress",
        "citations",
        "interrupt",
        "error",
        "done",
    ];
    for odd in [
        "null",
        "true",
        "-1.5e400",
        "\"\\ud800\"",
        "[]",
        "[{\"a\":[1]}]",
        "{}",
        "{\"questions\":[null,{\"choices\":[null,{}]}]}",
    ] {
        for type_ in types {
            let members: Vec<String> = members.iter().map(|name| format!("\"{name}\": {odd}")).collect();
            let line = format!("{{\"type\": \"{type_}\", \"session_id\": \"s\", {}}}", members.join(", "));
            let facts = facts_of(&ROW, &line);
            assert!(facts.iter().any(|fact| !fact.starts_with('!')), "{line}");
        }
    }
}

#[test]
fn no_recording_of_another_harness_is_taken_for_this_one() {
    assert_eq!(recorder::taken_for(&ROW), Vec::<String>::new());
}
