//! What the autohand dialect states, line by line. Whole streams are cases in `tests/cases/autohand`.

mod recorder;

use agent_ui_events::dialect::autohand::ROW;
use agent_ui_events::dialect::{Choice, ReplyError, Sign};
use agent_ui_events::framing::{Container, Record, Source};
use agent_ui_events::json::Value;
use recorder::facts_of;

/// A notification without what all have in common: `toolEnd {..}`.
fn notification(short: &str) -> String {
    let (method, params) = short.split_once(' ').unwrap_or((short, "{}"));
    format!("{{\"jsonrpc\":\"2.0\",\"method\":\"autohand.{method}\",\"params\":{params}}}\n")
}

fn notified(short: &[&str]) -> Vec<String> {
    facts_of(&ROW, &short.iter().map(|line| notification(line)).collect::<String>())
}

#[track_caller]
fn check(short: &[&str], expected: &[&str]) {
    assert_eq!(notified(short), expected);
}

#[track_caller]
fn check_lines(lines: &[&str], expected: &[&str]) {
    assert_eq!(facts_of(&ROW, &lines.join("\n")), expected);
}

fn sign(line: &str) -> Option<Sign> {
    let record = Record { body: line, event: None, id: None, source: Source::default() };
    (ROW.detect)(&record, Value::parse(line).expect("valid JSON"), Container::JsonLines).map(|(sign, _)| sign)
}

#[test]
fn methods_are_certain_and_hooks_alone_only_strong_since_acp_carries_them_too() {
    assert_eq!(sign(r#"{"jsonrpc":"2.0","method":"autohand.ping","params":{}}"#), Some(Sign::Certain));
    assert_eq!(sign(r#"[{"jsonrpc":"2.0","method":"autohand.ping"}]"#), Some(Sign::Certain));
    assert_eq!(sign(r#"{"jsonrpc":"2.0","method":"autohand.hook.stop","params":{}}"#), Some(Sign::Strong));
    assert_eq!(sign(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#), None);
    assert_eq!(sign(r#"{"jsonrpc":"2.0","method":"session/update","params":{}}"#), None);
}

#[test]
fn stream_json_events_and_log_rows_are_told_from_their_neighbours() {
    assert_eq!(
        sign(r#"{"type":"tool_start","toolId":"a","toolName":"b","toolArgs":{}}"#),
        Some(Sign::Certain)
    );
    assert_eq!(sign(r#"{"type":"message_update","message_id":"m","delta":"x"}"#), Some(Sign::Strong));
    assert_eq!(sign(r#"{"type":"thinking","thought":"x"}"#), Some(Sign::Strong));
    assert_eq!(sign(r#"{"type":"result","content":"x"}"#), Some(Sign::Weak));
    assert_eq!(
        sign(
            r#"{"role":"assistant","content":"","timestamp":"t","toolCalls":[{"id":"a","tool":"b","args":{}}]}"#
        ),
        Some(Sign::Strong)
    );
    assert_eq!(sign(r#"{"role":"user","content":"x","timestamp":"t"}"#), Some(Sign::Weak));
    for other in [
        r#"{"type":"result","subtype":"success","result":"x"}"#,
        r#"{"type":"thinking","message":"x"}"#,
        r#"{"type":"tool_start","id":"a"}"#,
        r#"{"role":"user","content":"x"}"#,
        "3",
        "[]",
    ] {
        assert_eq!(sign(other), None, "{other}");
    }
}

#[test]
fn a_session_starts_the_run_and_names_the_session_of_later_lines() {
    check(
        &[
            r#"agentStart {"sessionId":"s1","model":"m","workspace":"/w","contextPercent":97,"timestamp":"T"}"#,
            r#"turnStart {"turnId":"t1","timestamp":"U"}"#,
            r#"agentEnd {"sessionId":"s1","reason":"aborted"}"#,
        ],
        &[
            "run Run Start session=s1 at=T model=m",
            r#"tell SessionInfoUpdate(SessionInfoUpdate { title: None, updated_at: None, cwd: Some("/w"), meta: None }) session=s1 at=T model=m"#,
            "tell UsageUpdate(UsageUpdate { used: None, size: None, used_ratio: Some(0.03), cost: None }) session=s1 at=T model=m",
            r#"run Turn Start session=s1 at=U extra={"turnId":"t1"}"#,
            r#"run Run End outcome=Cancelled reason="aborted" evidence=Stated session=s1"#,
        ],
    );
}

#[test]
fn a_thought_is_a_whole_block_before_the_delta_beside_it() {
    check(
        &[
            r#"messageStart {"messageId":"m1","role":"assistant"}"#,
            r#"messageUpdate {"messageId":"m1","delta":"a","thought":"t"}"#,
            r#"messageUpdate {"delta":"b"}"#,
            r#"messageUpdate {"messageId":"m0","delta":""}"#,
            r#"messageUpdate {"messageId":"m1","delta":3,"thought":"u"}"#,
        ],
        &[
            "ignored message-start",
            r#"whole New Thought "t" message=m1"#,
            r#"delta Run Agent "a" message=m1"#,
            r#"delta Run Agent "b" message=m1"#,
            "ignored empty-delta message=m0",
            "! Warn autohand.wrong-type",
            r#"whole New Thought "u" message=m1"#,
        ],
    );
}

#[test]
fn the_end_of_a_message_tells_its_final_text_again() {
    check(
        &[
            r#"messageStart {"messageId":"m1"}"#,
            r#"messageEnd {"messageId":"m1","content":"x"}"#,
            r#"messageEnd {"messageId":"m1","content":"","aborted":true}"#,
            r#"messageUpdate {"delta":"y"}"#,
        ],
        &[
            "ignored message-start",
            r#"answer "x" message=m1"#,
            "message-end aborted=false message=m1",
            "message-end aborted=true message=m1",
            r#"delta Run Agent "y""#,
        ],
    );
}

#[test]
fn a_call_is_announced_started_and_ended() {
    check(
        &[
            r#"hook.preTool {"toolId":"c","toolName":"run_command","args":{"command":"ls"},"timestamp":"T"}"#,
            r#"toolStart {"toolId":"c","toolName":"run_command","args":{"type":"run_command","command":"ls"}}"#,
            r#"toolUpdate {"toolId":"c","output":"a\n","stream":"stderr"}"#,
            r#"toolEnd {"toolId":"c","toolName":"run_command","success":true,"output":"a"}"#,
        ],
        &[
            r#"tell Hook(Hook { method: "autohand.hook.preTool", event: "hook_pre_tool", payload: Some(Json("{\"toolId\":\"c\",\"toolName\":\"run_command\",\"args\":{\"command\":\"ls\"},\"timestamp\":\"T\"}")), raw: Json("{\"toolId\":\"c\",\"toolName\":\"run_command\",\"args\":{\"command\":\"ls\"},\"timestamp\":\"T\"}") }) at=T"#,
            r#"seen c name="run_command" title="`ls`" kind=Execute input="{\"command\":\"ls\"}" at=T"#,
            r#"seen c name="run_command" title="`ls`" kind=Execute status=InProgress input="{\"command\":\"ls\"}""#,
            r#"output c "a\n" Some(Stderr)"#,
            r#"changed c status=Completed name="run_command" content=[Content { content: Text { text: "a" } }] output="{\"success\":true,\"output\":\"a\"}""#,
        ],
    );
}

#[test]
fn the_duration_told_before_a_calls_end_stands_beside_it() {
    let facts = notified(&[
        r#"hook.postTool {"toolId":"c","toolName":"t","success":true,"duration":12.5,"timestamp":"T"}"#,
        r#"toolEnd {"toolId":"d","toolName":"t","success":true}"#,
        r#"toolEnd {"toolId":"c","toolName":"t","success":true}"#,
    ]);
    assert_eq!(
        facts[1..],
        [
            r#"changed d status=Completed name="t" output="{\"success\":true}""#,
            r#"changed c status=Completed name="t" output="{\"success\":true}" extra={"durationMs":12.5}"#,
        ]
    );
}

#[test]
fn a_failed_call_shows_its_output_or_else_its_error() {
    check(
        &[
            r#"toolEnd {"toolId":"c","toolName":"t","success":false,"error":"no"}"#,
            r#"toolEnd {"toolId":"unknown","toolName":"t","success":false,"output":"out","error":"no"}"#,
            r#"toolEnd {"toolName":"t","success":"yes"}"#,
        ],
        &[
            r#"changed c status=Failed name="t" content=[Content { content: Text { text: "no" } }] output="{\"success\":false,\"error\":\"no\"}""#,
            r#"changed Match { id: None, name: "t", lane: None } status=Failed name="t" content=[Content { content: Text { text: "out" } }] output="{\"success\":false,\"output\":\"out\",\"error\":\"no\"}""#,
            "! Warn autohand.wrong-type",
            r#"changed Match { id: None, name: "t", lane: None } status=Completed name="t" output="{\"success\":\"yes\"}""#,
        ],
    );
}

#[test]
fn arguments_that_are_no_object_are_kept() {
    check(
        &[r#"toolStart {"toolId":"c","toolName":"t","args":"x"}"#, r#"toolStart {"toolName":"t"}"#],
        &[
            r#"seen c name="t" title="t" kind=Other status=InProgress input="\"x\"""#,
            r#"seen New name="t" title="t" kind=Other status=InProgress"#,
        ],
    );
}

const ANNOUNCE_A: &str = r#"hook.preTool {"toolId":"a","toolName":"t","args":{},"timestamp":"T"}"#;
const ANNOUNCE_B: &str = r#"hook.preTool {"toolId":"b","toolName":"t","args":{},"timestamp":"T"}"#;
const ANNOUNCE_C: &str = r#"hook.preTool {"toolId":"c","toolName":"t","args":{},"timestamp":"T"}"#;
const START_A: &str = r#"toolStart {"toolId":"a","toolName":"t","args":{}}"#;

/// What was said about calls that will never run, with the number of the line.
fn not_run(short: &[&str]) -> Vec<String> {
    notified(short).into_iter().filter(|fact| fact.starts_with("not-run")).collect()
}

#[test]
fn a_call_that_did_not_start_when_a_later_step_or_the_turns_end_comes_was_denied() {
    assert_eq!(not_run(&[ANNOUNCE_A, ANNOUNCE_B, START_A, ANNOUNCE_C]), [r#"not-run b Some("denied") at=T"#]);
    assert_eq!(not_run(&[ANNOUNCE_A, r#"turnEnd {"turnId":"t"}"#]), [r#"not-run a Some("denied")"#]);
    assert_eq!(
        not_run(&[ANNOUNCE_A, r#"turnEnd {"turnId":"t","reason":"aborted"}"#]),
        [r#"not-run a Some("aborted")"#]
    );
    // Announcements of one step follow each other; calls that started are left alone.
    assert!(not_run(&[ANNOUNCE_A, ANNOUNCE_B, START_A]).is_empty());
    assert!(not_run(&[ANNOUNCE_A, START_A, r#"turnEnd {"turnId":"t"}"#]).is_empty());
}

#[test]
fn the_end_of_a_turn_counts_tokens_as_a_running_total_and_the_window_as_used_share() {
    check(
        &[
            r#"turnEnd {"turnId":"t","tokensUsed":812,"tokensUsageStatus":"actual","durationMs":9,"contextPercent":100,"reason":"stop_condition"}"#,
            r#"turnEnd {"turnId":"t","tokensUsed":0,"tokensUsageStatus":"unavailable"}"#,
            r#"turnEnd {"turnId":"t","tokensUsed":9}"#,
        ],
        &[
            r#"usage RunningTotal extra="{\"tokensUsed\":812}""#,
            "tell UsageUpdate(UsageUpdate { used: None, size: None, used_ratio: Some(0.0), cost: None })",
            r#"run Turn End outcome=Completed reason="stop_condition" evidence=Stated extra={"turnId":"t"}"#,
            r#"run Turn End extra={"tokensUsed":0,"tokensUsageStatus":"unavailable","turnId":"t"}"#,
            r#"run Turn End extra={"tokensUsed":9,"turnId":"t"}"#,
        ],
    );
}

#[test]
fn an_error_is_fatal_unless_it_is_recoverable() {
    check(
        &[
            r#"error {"code":429,"message":"slow","recoverable":true,"errorType":"rate_limit"}"#,
            r#"error {"code":"E1","error":"gone"}"#,
        ],
        &[
            r#"error fatal=false repeats=true "slow" code="429" extra={"errorType":"rate_limit"}"#,
            r#"error fatal=true repeats=true "gone" code="E1""#,
        ],
    );
}

#[test]
fn a_failed_turn_says_completed_all_the_same() {
    let ends = |recoverable: bool| -> Vec<String> {
        let facts = notified(&[
            r#"turnStart {"turnId":"t"}"#,
            &format!(r#"error {{"code":500,"message":"m","recoverable":{recoverable}}}"#),
            r#"turnEnd {"reason":"completed"}"#,
            r#"agentEnd {"reason":"completed"}"#,
        ]);
        facts.into_iter().filter(|fact| fact.contains(" End ")).collect()
    };
    assert_eq!(
        ends(false),
        [
            r#"run Turn End outcome=Failed reason="completed" evidence=Inferred"#,
            r#"run Run End reason="completed""#
        ]
    );
    assert_eq!(
        ends(true),
        [
            r#"run Turn End outcome=Completed reason="completed" evidence=Stated"#,
            r#"run Run End outcome=Completed reason="completed" evidence=Stated"#,
        ]
    );
}

#[test]
fn a_heartbeat_is_counted_and_harness_words_are_kept() {
    check(
        &[
            r#"ping {"status":"running","turnId":null,"timestamp":"T"}"#,
            "ping",
            r#"learn.progress {"status":"analyzing"}"#,
            r#"autoresearch.status {"active":true}"#,
            r#"automode.error {"sessionId":"a","error":"stuck"}"#,
        ],
        &[
            r#"ignored heartbeat at=T extra={"status":"running","turnId":null}"#,
            "ignored heartbeat",
            r#"harness learn.progress Some("{\"status\":\"analyzing\"}")"#,
            r#"harness autoresearch.status Some("{\"active\":true}")"#,
            r#"harness automode.error Some("{\"sessionId\":\"a\",\"error\":\"stuck\"}") session=a"#,
            r#"error fatal=false repeats=true "stuck" session=a"#,
        ],
    );
}

#[test]
fn unknown_methods_and_missing_params_surface_with_their_raw_text() {
    let facts = notified(&["someNewThing {\"x\":1}", "toolStart null", "modeChange {}"]);
    assert_eq!(
        facts[0],
        r#"unknown Some("autohand.someNewThing") {"jsonrpc":"2.0","method":"autohand.someNewThing","params":{"x":1}}"#
    );
    assert!(facts[1].starts_with(r#"unknown Some("autohand.toolStart")"#));
    assert!(facts[2].starts_with(r#"unknown Some("autohand.modeChange")"#));
    assert_eq!(facts.len(), 3);
}

#[test]
fn params_type_decides_only_where_the_method_is_unknown() {
    check(
        &[
            r#"someOther {"type":"message_update","delta":"x","messageId":"m"}"#,
            r#"messageUpdate {"type":"tool_end","delta":"y","messageId":"m"}"#,
        ],
        &[r#"delta Run Agent "x" message=m"#, r#"delta Run Agent "y" message=m"#],
    );
}

#[test]
fn sdk_events_read_like_notifications_in_both_spellings() {
    check_lines(
        &[
            r#"{"type":"message_update","message_id":"m","delta":"x","timestamp":"T"}"#,
            r#"{"type":"tool_start","tool_id":"c","tool_name":"read_file","args":{"path":"p"}}"#,
            r#"{"type":"tool_end","toolCallId":"c","toolName":"read_file","success":true}"#,
            r#"{"type":"turn_end","turn_id":"t","reason":"error"}"#,
            r#"{"type":"agent_start","session_id":"s","model":"m"}"#,
        ],
        &[
            r#"delta Run Agent "x" message=m at=T"#,
            r#"seen c name="read_file" title="Read p" kind=Read status=InProgress input="{\"path\":\"p\"}" locations=[Location { path: "p", line: None }]"#,
            r#"changed c status=Completed name="read_file" output="{\"success\":true}""#,
            r#"run Turn End outcome=Failed reason="error" evidence=Stated extra={"turn_id":"t"}"#,
            "run Run Start session=s model=m",
        ],
    );
}

#[test]
fn todo_write_is_a_card_and_a_plan() {
    check(
        &[
            r#"toolStart {"toolId":"c","toolName":"todo_write","args":{"tasks":[{"content":"a","status":"completed"},{"activeForm":"doing b","status":"in_progress"},{"content":"c","status":"odd"}]}}"#,
            r#"toolStart {"toolId":"d","toolName":"todo_write","args":{}}"#,
        ],
        &[
            r#"seen c name="todo_write" title="todo_write" kind=Think status=InProgress input="{\"tasks\":[{\"content\":\"a\",\"status\":\"completed\"},{\"activeForm\":\"doing b\",\"status\":\"in_progress\"},{\"content\":\"c\",\"status\":\"odd\"}]}""#,
            "plan [a Completed Medium, doing b InProgress Medium, c Pending Medium]",
            r#"seen d name="todo_write" title="todo_write" kind=Think status=InProgress input="{}""#,
            "! Warn autohand.wrong-type",
        ],
    );
}

#[test]
fn a_question_tool_asks_and_its_output_answers() {
    check(
        &[
            r#"toolStart {"toolId":"q","toolName":"ask_followup_question","args":{"question":"Which?","suggested_answers":["a","b"]}}"#,
            r#"toolEnd {"toolId":"q","toolName":"ask_followup_question","success":true,"output":"<answer> a \"x\" </answer>"}"#,
        ],
        &[
            r#"seen q name="ask_followup_question" title="Which?" kind=Other status=InProgress input="{\"question\":\"Which?\",\"suggested_answers\":[\"a\",\"b\"]}""#,
            r#"ask Question call="q" link=Inferred tool="ask_followup_question" blocking=Inline {0 "Which?" Single [("a", "a"), ("b", "b")] other=true required=false}"#,
            r#"Answered(Answered { ask: Call(Id("q")), outcome: Answered, option_id: None, option_kind: None, answers: Some(Json("{\"0\":[\"a \\\"x\\\"\"]}")), edited_input: None, message: None, source: Inferred })"#,
            r#"changed q status=Completed name="ask_followup_question" content=[Content { content: Text { text: "<answer> a \"x\" </answer>" } }] output="{\"success\":true,\"output\":\"<answer> a \\\"x\\\" </answer>\"}""#,
        ],
    );
}

#[test]
fn a_permission_request_is_linked_to_the_latest_pending_call_of_its_tool() {
    check(
        &[
            r#"permissionRequest {"requestId":"p1","tool":"run_command","description":"Run?","context":{"command":"ls","path":"src"},"options":["allow_once","deny_once","allow_session","deny_session","allow_always_project","allow_always_user","deny_always_project","deny_always_user","alternative","later","deny_once"]}"#,
            r#"permissionRequest {"request_id":"p2","toolName":"t","message":"Ok?","context":{}}"#,
            r#"permissionRequest {"requestId":"p3","tool":"t","description":"d","context":{},"options":"all"}"#,
        ],
        &[
            "! Info autohand.option-repeated",
            concat!(
                r#"ask Approval id="p1" call="LatestPending { name: \"run_command\" }" link=Inferred tool="run_command" message="Run?" input="{\"command\":\"ls\",\"path\":\"src\"}" locations=[Location { path: "src", line: None }] blocking=Inline"#,
                r#" [allow_once AllowOnce "Allow once" scope=Once] [deny_once RejectOnce "Deny once" scope=Once]"#,
                r#" [allow_session AllowAlways "Allow for this session" scope=Session] [deny_session RejectAlways "Deny for this session" scope=Session]"#,
                r#" [allow_always_project AllowAlways "Always allow in this project" scope=Project] [allow_always_user AllowAlways "Always allow" scope=User]"#,
                r#" [deny_always_project RejectAlways "Always deny in this project" scope=Project] [deny_always_user RejectAlways "Always deny" scope=User]"#,
                r#" [alternative AllowOnce "Do this instead" scope=Once editable] [later Other "later"] extra={"method":"autohand.permissionRequest"}"#
            ),
            r#"ask Approval id="p2" call="LatestPending { name: \"t\" }" link=Inferred tool="t" message="Ok?" input="{}" blocking=Inline [allow_once AllowOnce "Allow once" scope=Once] [deny_once RejectOnce "Deny once" scope=Once] extra={"method":"autohand.permissionRequest","synthetic":true}"#,
            "! Warn autohand.wrong-type",
            r#"ask Approval id="p3" call="LatestPending { name: \"t\" }" link=Inferred tool="t" message="d" input="{}" blocking=Inline [allow_once AllowOnce "Allow once" scope=Once] [deny_once RejectOnce "Deny once" scope=Once] extra={"method":"autohand.permissionRequest","synthetic":true}"#,
        ],
    );
}

#[test]
fn the_other_requests_to_the_host_are_asked_too() {
    check(
        &[
            r#"directoryAccessRequest {"requestId":"d1","path":"/tmp","reason":"r"}"#,
            r#"changesBatchEnd {"batchId":"b1","changeCount":2,"turnId":"t"}"#,
            r#"changesBatchEnd {"batchId":"b2","changeCount":0}"#,
            r#"stepEnd {"stepId":"s1","step":{"stepNumber":1,"thought":"next","toolCalls":[]}}"#,
            r#"mcp.invokeRequest {"requestId":"i1","toolName":"mcp__a__b","args":{"x":1}}"#,
        ],
        &[
            r#"ask Approval id="d1" title="Access to /tmp" reason="r" locations=[Location { path: "/tmp", line: None }] blocking=Inline [grant AllowOnce "Grant" scope=Once] [deny RejectOnce "Deny" scope=Once] extra={"method":"autohand.directoryAccessRequest"}"#,
            r#"ask Approval id="b1" title="Apply the changes" blocking=Inline [accept_all AllowOnce "Accept all" scope=Once] [reject_all RejectOnce "Reject all" scope=Once] extra={"method":"autohand.changesBatchEnd","synthetic":true,"changeCount":2,"turnId":"t"}"#,
            r#"harness changesBatchEnd Some("{\"batchId\":\"b2\",\"changeCount\":0}")"#,
            r#"ask Approval id="s1" title="Go on with the next step" message="next" blocking=Inline [continue AllowOnce "Continue" scope=Once] [stop RejectOnce "Stop" scope=Once] extra={"method":"autohand.stepEnd","synthetic":true,"step":{"stepNumber":1,"thought":"next","toolCalls":[]}}"#,
            r#"ask Notice id="i1" tool="mcp__a__b" input="{\"x\":1}" blocking=Inline extra={"method":"autohand.mcp.invokeRequest"}"#,
        ],
    );
}

#[test]
fn a_held_back_edit_is_the_diff_of_its_call() {
    check(
        &[
            r#"changesBatchUpdate {"batchId":"b","change":{"id":"x","filePath":"f","changeType":"create","originalContent":"","proposedContent":"new","toolId":"c","toolName":"write_file"}}"#,
            r#"changesBatchUpdate {"batchId":"b","change":{"filePath":"f"}}"#,
        ],
        &[
            r#"changed c name="write_file" input-content=[Diff { path: "f", old_text: None, new_text: "new" }] locations=[Location { path: "f", line: None }] extra={"changeType":"create","changeId":"x","batchId":"b"}"#,
            r#"harness changesBatchUpdate Some("{\"batchId\":\"b\",\"change\":{\"filePath\":\"f\"}}")"#,
        ],
    );
}

#[test]
fn answers_are_told_where_both_directions_were_recorded() {
    let request = |method: &str, params: &str| {
        format!("{{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"autohand.{method}\",\"params\":{params}}}")
    };
    let told = |method: &str, params: &str| facts_of(&ROW, &request(method, params)).join("; ");
    let answer = |id: &str, outcome: &str, option: &str, kind: &str, message: &str| {
        format!(
            "Answered(Answered {{ ask: Id({id:?}), outcome: {outcome}, option_id: {option}, option_kind: {kind}, answers: None, edited_input: None, message: {message}, source: Wire }})"
        )
    };
    assert_eq!(
        told("permissionResponse", r#"{"requestId":"p","decision":"deny_session"}"#),
        answer("p", "Rejected", "Some(\"deny_session\")", "Some(RejectAlways)", "None")
    );
    assert_eq!(
        told("permissionResponse", r#"{"requestId":"p","decision":"alternative","alternative":"do"}"#),
        answer("p", "Allowed", "Some(\"alternative\")", "Some(AllowOnce)", "Some(\"do\")")
    );
    assert_eq!(
        told("permissionResponse", r#"{"requestId":"p","allowed":true}"#),
        answer("p", "Allowed", "Some(\"allow_once\")", "Some(AllowOnce)", "None")
    );
    // A malformed decision is a refusal, also beside `allowed`.
    for malformed in
        [r#"{"requestId":"p","decision":"sure","allowed":true}"#, r#"{"requestId":"p","allowed":"true"}"#]
    {
        assert_eq!(
            told("permissionResponse", malformed),
            answer("p", "Rejected", "Some(\"deny_once\")", "Some(RejectOnce)", "None")
        );
    }
    assert_eq!(
        told("directoryAccessResponse", r#"{"requestId":"d","granted":true}"#),
        answer("d", "Allowed", "Some(\"grant\")", "Some(AllowOnce)", "None")
    );
    assert_eq!(
        told("changesDecision", r#"{"batchId":"b","action":"reject_all"}"#),
        answer("b", "Rejected", "Some(\"reject_all\")", "Some(RejectOnce)", "None")
    );
    assert_eq!(
        told("stepDecision", r#"{"stepId":"s","stop":false}"#),
        answer("s", "Allowed", "Some(\"continue\")", "Some(AllowOnce)", "None")
    );
    assert_eq!(told("permissionAcknowledged", r#"{"requestId":"p"}"#), "ignored client-request");
}

#[test]
fn only_a_response_to_a_prompt_or_to_nothing_is_an_error() {
    let facts = facts_of(
        &ROW,
        r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"parse"}}
{"jsonrpc":"2.0","id":4,"error":{"code":-32003,"message":"busy"}}
{"jsonrpc":"2.0","id":5,"error":{"code":-32601,"message":"no such method"}}
{"jsonrpc":"2.0","id":6,"result":{"success":false}}
{"jsonrpc":"2.0","id":7,"method":"autohand.prompt","params":{"message":"hi"}}
{"jsonrpc":"2.0","id":8,"method":"autohand.prompt","params":{"message":"ho"}}
{"jsonrpc":"2.0","id":7,"result":{"success":true}}
{"jsonrpc":"2.0","id":8,"error":{"code":-32000,"message":"broke","data":{"a":1}}}
{"jsonrpc":"2.0","id":9,"error":{"code":-32000,"message":"of a getState"}}"#,
    );
    assert_eq!(
        facts,
        [
            r#"error fatal=true repeats=true "parse" code="-32700""#,
            r#"error fatal=false repeats=true "busy" code="-32003""#,
            r#"harness error_response Some("{\"jsonrpc\":\"2.0\",\"id\":5,\"error\":{\"code\":-32601,\"message\":\"no such method\"}}")"#,
            "ignored response",
            r#"prompt "hi""#,
            r#"prompt "ho""#,
            "ignored response",
            r#"error fatal=true repeats=true "broke" code="-32000" extra={"data":{"a":1}}"#,
            r#"harness error_response Some("{\"jsonrpc\":\"2.0\",\"id\":9,\"error\":{\"code\":-32000,\"message\":\"of a getState\"}}")"#,
        ]
    );
}

#[test]
fn every_item_of_a_batch_is_read() {
    check_lines(
        &[
            r#"[{"jsonrpc":"2.0","id":1,"result":{}},{"jsonrpc":"2.0","method":"autohand.turnStart","params":{}},5]"#,
            "[]",
            "null",
        ],
        &[
            "ignored response",
            "run Turn Start",
            "! Warn autohand.not-an-object",
            "ignored not-an-object",
            "ignored empty-batch",
            "! Warn autohand.not-an-object",
            "ignored not-an-object",
        ],
    );
}

#[test]
fn stream_json_tells_thoughts_results_and_file_changes() {
    check_lines(
        &[
            r#"{"type":"thinking","thought":"t"}"#,
            r#"{"type":"tool_start","toolId":"c","toolName":"read_file","toolArgs":{"type":"read_file","path":"a"}}"#,
            r#"{"type":"tool_end","toolId":"c","toolName":"read_file","toolSuccess":false,"toolOutput":"no","toolError":"no"}"#,
            r#"{"type":"file_modified","filePath":"b","changeType":"create","toolId":"c"}"#,
            r#"{"type":"file_modified","filePath":"b","changeType":"create"}"#,
            r#"{"type":"team_update","teamActivity":{"team":"x"}}"#,
            r#"{"type":"result","content":"r"}"#,
            r#"{"type":"error","message":"e"}"#,
        ],
        &[
            r#"whole New Thought "t""#,
            r#"seen c name="read_file" title="Read a" kind=Read status=InProgress input="{\"path\":\"a\"}" locations=[Location { path: "a", line: None }]"#,
            r#"changed c status=Failed name="read_file" content=[Content { content: Text { text: "no" } }] output="{\"success\":false,\"output\":\"no\",\"error\":\"no\"}""#,
            r#"changed c locations=[Location { path: "b", line: None }] extra={"changeType":"create"}"#,
            r#"harness file_modified Some("{\"type\":\"file_modified\",\"filePath\":\"b\",\"changeType\":\"create\"}")"#,
            r#"harness team_update Some("{\"type\":\"team_update\",\"teamActivity\":{\"team\":\"x\"}}")"#,
            r#"whole New Agent "r""#,
            r#"answer "r""#,
            r#"error fatal=true repeats=true "e""#,
        ],
    );
}

#[test]
fn a_session_log_row_is_a_message_a_piece_of_output_or_a_result() {
    check_lines(
        &[
            r#"{"role":"system","content":"rules","timestamp":"T"}"#,
            r#"{"role":"user","content":"hi","timestamp":"T"}"#,
            r#"{"role":"assistant","content":"","timestamp":"T","toolCalls":[{"id":"c","tool":"run_command","args":{"command":"ls"}}]}"#,
            r#"{"role":"tool","content":"a","timestamp":"T","tool_call_id":"c","name":"run_command","_meta":{"stream":"stdout"}}"#,
            r#"{"role":"tool","content":"ab","timestamp":"T","tool_call_id":"c","name":"run_command"}"#,
            r#"{"role":"assistant","content":[{"type":"text","text":"x"}],"timestamp":"T"}"#,
            r#"{"role":"assistant","content":"","timestamp":"T"}"#,
            r#"{"role":"judge","content":"","timestamp":"T"}"#,
        ],
        &[
            r#"Injected { text: Text { text: "rules", leading_low: None, trailing_high: None, replaced: false } } at=T"#,
            r#"whole New User "hi" at=T"#,
            r#"seen c name="run_command" title="`ls`" kind=Execute input="{\"command\":\"ls\"}" at=T"#,
            r#"output c "a" Some(Stdout) at=T extra={"_meta":{"stream":"stdout"}}"#,
            r#"changed c status=Completed name="run_command" content=[Content { content: Text { text: "ab" } }] output="\"ab\"" at=T"#,
            r#"whole New Agent "x" at=T"#,
            "ignored empty-message at=T",
            r#"unknown Some("judge") {"role":"judge","content":"","timestamp":"T"}"#,
        ],
    );
}

const HOOKS: &[(&str, &str, &str)] = &[
    ("preTool", "hook_pre_tool", r#""toolId":"a","toolName":"b","args":{}"#),
    (
        "postTool",
        "hook_post_tool",
        r#""toolId":"a","toolName":"b","success":true,"duration":1.5,"output":"x""#,
    ),
    ("fileModified", "file_modified", r#""filePath":"f","changeType":"modify","toolId":"""#),
    ("prePrompt", "hook_pre_prompt", r#""instruction":"do","mentionedFiles":["a"]"#),
    (
        "postResponse",
        "hook_post_response",
        r#""tokensUsed":5,"toolCallsCount":0,"duration":1,"tokensUsageStatus":"actual""#,
    ),
    ("sessionError", "hook_session_error", r#""error":"e","code":"c","context":{}"#),
    ("stop", "hook_stop", r#""tokensUsed":9223372036854775807,"toolCallsCount":0,"duration":-1"#),
    ("sessionStart", "hook_session_start", r#""sessionType":"resume""#),
    ("sessionEnd", "hook_session_end", r#""reason":"quit","duration":1"#),
    (
        "subagentStop",
        "hook_subagent_stop",
        r#""subagentId":"a","subagentName":"b","subagentType":"c","success":false,"duration":1,"error":"e""#,
    ),
    ("permissionRequest", "hook_permission_request", r#""tool":"t","args":{}"#),
    ("notification", "hook_notification", r#""notificationType":"warning","message":"m""#),
    ("contextCompacted", "hook_context_compacted", r#""croppedCount":3,"usagePercent":1.2,"reason":"full""#),
    (
        "contextOverflow",
        "hook_context_overflow",
        r#""tokensBefore":9,"tokensAfter":3,"croppedCount":3,"usagePercent":0"#,
    ),
    ("contextWarning", "hook_context_warning", r#""usagePercent":0.8,"remainingTokens":7"#),
    ("contextCritical", "hook_context_critical", r#""usagePercent":0.9,"remainingTokens":7"#),
    ("rateLimit", "hook.rateLimit", r#""error":"slow","retryAfterMs":1500,"httpStatus":429"#),
];

fn hook(word: &str, members: &str) -> Vec<String> {
    notified(&[&format!("hook.{word} {{\"timestamp\":\"T\",{members}}}")])
}

/// Whether the facts hold exactly one hook event, first of all, and whether its payload passed.
fn one_hook(facts: &[String], method: &str, event: &str) -> bool {
    let hooks: Vec<_> = facts.iter().filter(|fact| fact.starts_with("tell Hook(")).collect();
    let first = facts.iter().find(|fact| !fact.starts_with('!'));
    assert_eq!(hooks.len(), 1, "{facts:#?}");
    assert_eq!(Some(hooks[0]), first, "{facts:#?}");
    assert!(hooks[0].contains(&format!("method: {method:?}, event: {event:?}")), "{facts:#?}");
    !hooks[0].contains("payload: None")
}

#[test]
fn every_hook_passes_with_its_own_members_and_under_its_sdk_name() {
    for (word, event, members) in HOOKS {
        let method = format!("autohand.hook.{word}");
        assert!(one_hook(&hook(word, members), &method, event), "{word}");
        let sdk = facts_of(&ROW, &format!("{{\"type\":\"{event}\",\"timestamp\":\"T\",{members}}}"));
        assert!(one_hook(&sdk, &method, event), "{event}");
    }
}

#[test]
fn a_hook_without_a_required_member_or_with_one_of_another_type_keeps_only_its_raw_members() {
    for (word, event, members) in HOOKS {
        let method = format!("autohand.hook.{word}");
        let object = format!("{{{members}}}");
        let object = Value::parse(&object).expect("valid JSON");
        for (key, _) in object.object().expect("an object") {
            let without = |replacement: Option<&str>| {
                let kept = object.object().into_iter().flatten().filter_map(|(other, value)| {
                    let value = if other == key { replacement? } else { value.raw() };
                    Some(format!("\"{}\":{value}", &*other))
                });
                kept.collect::<Vec<_>>().join(",")
            };
            // No row allows an array of arrays anywhere.
            assert!(!one_hook(&hook(word, &without(Some("[[]]"))), &method, event), "{word}.{}", &*key);
            let optional = matches!(
                (*word, &*key),
                (_, "output" | "tokensUsageStatus" | "code" | "context" | "retryAfterMs" | "httpStatus")
                    | ("subagentStop", "error")
                    | ("permissionRequest", "args")
            );
            let gone = without(None);
            let gone = if gone.is_empty() { "\"x\":1".to_owned() } else { gone };
            assert_eq!(one_hook(&hook(word, &gone), &method, event), optional, "{word}.{}", &*key);
            let null = hook(word, &without(Some("null")));
            assert_eq!(one_hook(&null, &method, event), optional, "{word}.{} null", &*key);
        }
        let untimed = notified(&[&format!("hook.{word} {{{members}}}")]);
        assert!(!one_hook(&untimed, &method, event), "{word} without a timestamp");
    }
}

#[test]
fn numbers_of_hooks_are_checked_on_their_own_text() {
    let passes = |word: &str, members: &str| {
        let event = HOOKS.iter().find(|(name, ..)| *name == word).expect("a known hook").1;
        one_hook(&hook(word, members), &format!("autohand.hook.{word}"), event)
    };
    for (number, integer, ratio, duration) in [
        ("0", true, true, true),
        ("9223372036854775807", true, true, true),
        ("9223372036854775808", false, true, true),
        ("99999999999999999999999", false, true, true),
        ("1.0", false, true, true),
        ("1e3", false, true, true),
        ("-1", false, false, true),
        ("-0.5", false, false, true),
        ("1e400", false, false, false),
        ("\"1\"", false, false, false),
        ("true", false, false, false),
    ] {
        let context = |used: &str, left: &str| format!("\"usagePercent\":{used},\"remainingTokens\":{left}");
        assert_eq!(passes("contextWarning", &context("0.5", number)), integer, "integer {number}");
        assert_eq!(passes("contextWarning", &context(number, "1")), ratio, "ratio {number}");
        let end = format!("\"reason\":\"exit\",\"duration\":{number}");
        assert_eq!(passes("sessionEnd", &end), duration, "duration {number}");
    }
}

#[test]
fn words_of_hooks_are_closed_sets() {
    for (word, members) in [
        ("fileModified", r#""filePath":"f","changeType":"rename","toolId":"a""#),
        ("sessionStart", r#""sessionType":"Startup""#),
        ("sessionEnd", r#""reason":"done","duration":1"#),
        ("stop", r#""tokensUsed":1,"toolCallsCount":1,"duration":1,"tokensUsageStatus":"guess""#),
        ("prePrompt", r#""instruction":"x","mentionedFiles":["a",1]"#),
    ] {
        let facts = hook(word, members);
        assert_eq!(facts[0], "! Warn autohand.hook-invalid");
        assert_eq!(facts.len(), 2, "{facts:#?}");
    }
}

#[test]
fn a_hook_nobody_knows_is_named_as_the_sdks_would() {
    check(
        &[r#"hook.worktreeMade {"x":1,"timestamp":"T"}"#, "hook.stop null"],
        &[
            r#"tell Hook(Hook { method: "autohand.hook.worktreeMade", event: "hook_worktree_made", payload: None, raw: Json("{\"x\":1,\"timestamp\":\"T\"}") }) at=T"#,
            "! Warn autohand.hook-invalid",
            r#"tell Hook(Hook { method: "autohand.hook.stop", event: "hook_stop", payload: None, raw: Json("null") })"#,
        ],
    );
}

/// What a hook means, beside its own event.
fn meaning(word: &str) -> Vec<String> {
    let members = HOOKS.iter().find(|(name, ..)| *name == word).expect("a known hook").2;
    hook(word, members).into_iter().skip(1).collect()
}

#[test]
fn hooks_mean_what_their_names_say() {
    assert!(meaning("postTool").is_empty());
    assert!(meaning("fileModified").is_empty());
    assert_eq!(
        hook("fileModified", r#""filePath":"f","changeType":"modify","toolId":"c""#)[1],
        r#"changed c locations=[Location { path: "f", line: None }] at=T extra={"changeType":"modify"}"#
    );
    assert_eq!(meaning("prePrompt"), [r#"whole New User "do" at=T extra={"mentionedFiles":["a"]}"#]);
    assert_eq!(
        meaning("sessionError"),
        [r#"error fatal=false repeats=true "e" code="c" at=T extra={"context":{}}"#]
    );
    assert_eq!(
        meaning("rateLimit"),
        [r#"error fatal=false repeats=true "slow" retry=1500.0 at=T extra={"httpStatus":429}"#]
    );
    assert_eq!(
        meaning("notification"),
        [
            r#"tell Notice(Notice { severity: Warning, text: "m", stream: None }) at=T extra={"notificationType":"warning"}"#
        ]
    );
    assert_eq!(
        meaning("contextWarning"),
        [
            "tell UsageUpdate(UsageUpdate { used: None, size: None, used_ratio: Some(0.8), cost: None }) at=T extra={\"remainingTokens\":7}"
        ]
    );
    assert_eq!(
        meaning("contextCompacted"),
        [
            r#"tell CompactionUpdate(CompactionUpdate { compaction_id: None, status: "completed", summary: None, error: None }) at=T extra={"croppedCount":3,"usagePercent":1.2,"reason":"full"}"#
        ]
    );
    // Numbers and questions of these are told elsewhere.
    for silent in ["stop", "postResponse", "permissionRequest", "sessionStart", "sessionEnd"] {
        assert!(meaning(silent).is_empty(), "{silent}");
    }
    assert!(meaning("subagentStop")[0].starts_with("harness subagentStop"));
}

fn answer(event: &str, choice: &Choice<'_>) -> Result<String, ReplyError> {
    let reply = ROW.reply.expect("a channel back");
    reply(Value::parse(event).expect("valid JSON"), choice)
}

fn pick<'a>(id: &'a str, message: Option<&'a str>) -> Choice<'a> {
    Choice::Option { id, message, edited_input: None }
}

const PERMISSION: &str = r#"{"update":{"sessionUpdate":"interrupt","interruptId":"p1","idSource":"wire","options":[{"optionId":"allow_once"},{"optionId":"alternative"},{"optionId":"later"}]},"extra":{"method":"autohand.permissionRequest"}}"#;
const DIRECTORY: &str = r#"{"update":{"sessionUpdate":"interrupt","interruptId":"d1","idSource":"wire","options":[{"optionId":"grant"},{"optionId":"deny"}]},"extra":{"method":"autohand.directoryAccessRequest"}}"#;

#[test]
fn a_reply_is_a_request_of_the_client() {
    assert_eq!(
        answer(PERMISSION, &pick("allow_once", None)).as_deref(),
        Ok(
            r#"{"jsonrpc":"2.0","id":"p1","method":"autohand.permissionResponse","params":{"requestId":"p1","decision":"allow_once"}}"#
        )
    );
    assert_eq!(
        answer(PERMISSION, &pick("alternative", Some(" use rg "))).as_deref(),
        Ok(
            r#"{"jsonrpc":"2.0","id":"p1","method":"autohand.permissionResponse","params":{"requestId":"p1","decision":"alternative","alternative":"use rg"}}"#
        )
    );
    assert_eq!(
        answer(DIRECTORY, &pick("grant", None)).as_deref(),
        Ok(
            r#"{"jsonrpc":"2.0","id":"d1","method":"autohand.directoryAccessResponse","params":{"requestId":"d1","granted":true}}"#
        )
    );
}

#[test]
fn turning_away_is_a_refusal() {
    assert!(answer(PERMISSION, &Choice::Cancel).is_ok_and(|sent| sent.contains(r#""decision":"deny_once""#)));
    assert!(answer(DIRECTORY, &Choice::Cancel).is_ok_and(|sent| sent.contains(r#""granted":false"#)));
}

#[test]
fn what_does_not_fit_is_never_sent() {
    let code = |event: &str, choice: &Choice<'_>| answer(event, choice).expect_err("an error").code;
    assert_eq!(code(PERMISSION, &pick("deny_once", None)), "reply.unknown-option");
    assert_eq!(code(PERMISSION, &pick("later", None)), "reply.unknown-option");
    assert_eq!(code(PERMISSION, &pick("alternative", Some("  "))), "reply.message-required");
    let edited = Choice::Option { id: "allow_once", message: None, edited_input: Value::parse("{}").ok() };
    assert_eq!(code(PERMISSION, &edited), "reply.not-editable");
    assert_eq!(code(PERMISSION, &Choice::Answers(Value::parse("{}").expect("JSON"))), "reply.unknown-option");
    assert_eq!(code(&PERMISSION.replace("wire", "minted"), &pick("allow_once", None)), "reply.minted-id");
    assert_eq!(
        code(&PERMISSION.replace("permissionRequest", "stepEnd"), &Choice::Cancel),
        "reply.no-channel"
    );
    assert_eq!(code("{}", &Choice::Cancel), "reply.not-an-interrupt");
    assert_eq!(code(r#"{"update":{"sessionUpdate":"interrupt"}}"#, &Choice::Cancel), "reply.no-channel");
}

#[test]
fn members_of_any_type_are_survived() {
    let members = [
        "sessionId",
        "model",
        "workspace",
        "contextPercent",
        "reason",
        "turnId",
        "tokensUsed",
        "tokensUsageStatus",
        "durationMs",
        "messageId",
        "delta",
        "thought",
        "content",
        "aborted",
        "toolId",
        "toolName",
        "args",
        "output",
        "stream",
        "success",
        "error",
        "code",
        "message",
        "recoverable",
        "requestId",
        "tool",
        "description",
        "context",
        "options",
        "path",
        "batchId",
        "change",
        "changeCount",
        "stepId",
        "step",
        "timestamp",
        "role",
        "toolCalls",
        "_meta",
        "tool_call_id",
        "name",
    ];
    let words = [
        "agentStart",
        "agentEnd",
        "turnStart",
        "turnEnd",
        "messageStart",
        "messageUpdate",
        "messageEnd",
        "toolStart",
        "toolUpdate",
        "toolEnd",
        "permissionRequest",
        "directoryAccessRequest",
        "stepEnd",
        "error",
        "ping",
        "changesBatchUpdate",
        "changesBatchEnd",
        "mcp.invokeRequest",
        "hook.preTool",
        "hook.stop",
        "thinking",
        "result",
    ];
    for odd in [
        "null",
        "true",
        "-1.5e400",
        "\"\\ud800\"",
        "[]",
        "[{\"a\":[1]}]",
        "{}",
        "{\"path\":[null],\"id\":{}}",
    ] {
        let members: Vec<String> = members.iter().map(|name| format!("\"{name}\":{odd}")).collect();
        let members = members.join(",");
        for word in words {
            for line in [
                format!("{{\"jsonrpc\":\"2.0\",\"method\":\"autohand.{word}\",\"params\":{{{members}}}}}"),
                format!("{{\"jsonrpc\":\"2.0\",\"method\":\"autohand.{word}\",\"params\":{odd}}}"),
                format!("{{\"type\":\"{word}\",{members}}}"),
                format!("{{\"role\":\"tool\",{members}}}"),
                format!("{{\"id\":1,\"method\":\"autohand.{word}\",\"params\":{{{members}}}}}"),
            ] {
                let facts = facts_of(&ROW, &line);
                assert!(facts.iter().any(|fact| !fact.starts_with('!')), "{line}");
            }
        }
    }
}

#[test]
fn no_recording_of_another_harness_is_taken_for_this_one() {
    assert_eq!(recorder::taken_for(&ROW), Vec::<String>::new());
}
