//! What the evolve dialect states, line by line. Whole streams are cases in `tests/cases/evolve`.

mod recorder;

use agent_ui_events::dialect::evolve::ROW;
use agent_ui_events::dialect::{Sign, row_by_name, row_by_record};
use agent_ui_events::framing::{Container, Record, Source};
use agent_ui_events::json::Value;
use agent_ui_events::{Batch, Normalizer, Options};
use recorder::{facts_of, recordings};

#[track_caller]
fn check(input: &str, expected: &[&str]) {
    assert_eq!(facts_of(&ROW, input), expected);
}

fn sign(line: &str) -> Option<Sign> {
    let record = Record { body: line, event: None, id: None, source: Source::default() };
    let verdict = (ROW.detect)(&record, Value::parse(line).expect("valid JSON"), Container::JsonLines);
    verdict.map(|(sign, _)| sign)
}

#[test]
fn own_lines_are_recognized_and_acp_is_left_to_acp() {
    let certain = [
        r#"{"update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"a"}}}"#,
        r#"{"sessionId":"s","messageId":"m","update":{"sessionUpdate":"agent_message_chunk","content":{}}}"#,
        r#"{"sessionId":"s","update":{"sessionUpdate":"error","message":"x","fatal":true}}"#,
        r#"{"sessionId":"s","update":{"sessionUpdate":"tool_call","toolCallId":"t","toolName":"Bash"}}"#,
        r#"{"sessionId":"s","update":{"sessionUpdate":"usage","scope":"run","usage":{}}}"#,
        r#"{"_meta":{"tag":"t","provider":"p","agent":"codex","sandbox_id":"b","timestamp":"x"}}"#,
        r#"{"_prompt":{"text":"go"}}"#,
        r#"{"jsonrpc":"2.0","method":"event","params":{"type":"stderr","data":"x","seq":0,"done":true}}"#,
        r#"{"sandboxId":null,"sandbox":"ready","agent":"idle","timestamp":"x","reason":"run_start"}"#,
    ];
    for line in certain {
        assert_eq!(sign(line), Some(Sign::Certain), "{line}");
    }
    let bare = r#"{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk","content":{}}}"#;
    assert_eq!(sign(bare), Some(Sign::Strong));
    assert_eq!(sign(r#"{"_sessionEnd":{"timestamp":"x"}}"#), Some(Sign::Strong));
    let foreign = r#"{"sessionId":"s","update":{"sessionUpdate":"usage","totalTokens":3}}"#;
    assert_eq!(sign(foreign), Some(Sign::Weak));
    let others = [
        r#"{"jsonrpc":"2.0","method":"session/update","params":{"update":{"sessionUpdate":"plan"}}}"#,
        r#"{"jsonrpc":"2.0","method":"event","params":{"type":"other"}}"#,
        r#"{"update":{"x":1}}"#,
        r#"{"_meta":{"x":1}}"#,
        r#"{"reason":"x","timestamp":"y"}"#,
        "[]",
    ];
    for line in others {
        assert_eq!(sign(line), None, "{line}");
    }
}

#[test]
fn the_envelope_is_read_in_both_spellings() {
    let update = r#""update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"a"}}"#;
    let facts = r#"delta Run Agent "a" session=s parent=c message=m at=T model=o extra={"turn":2}"#;
    check(
        &format!(
            "{{\"sessionId\":\"s\",\"messageId\":\"m\",\"parentToolCallId\":\"c\",\"timestamp\":\"T\",\"model\":\"o\",\"extra\":{{\"turn\":2}},{update}}}\n\
             {{\"session_id\":\"s\",\"message_id\":\"m\",\"parent_tool_call_id\":\"c\",\"timestamp\":\"T\",\"model\":\"o\",\"extra\":{{\"turn\":2}},{update}}}"
        ),
        &[facts, facts],
    );
}

#[test]
fn chunks_of_all_kinds_and_shapes() {
    check(
        concat!(
            r#"{"update":{"sessionUpdate":"agent_thought_chunk","content":{"type":"text","text":"hm"}}}"#,
            "\n",
            r#"{"update":{"sessionUpdate":"user_message_chunk","content":{"type":"text","text":"go"}}}"#,
            "\n",
            r#"{"update":{"sessionUpdate":"agent_message_chunk","content":"plain"}}"#,
            "\n",
            r#"{"update":{"sessionUpdate":"agent_message_chunk","messageId":"m","content":[{"type":"text","text":"x"},{"type":"image","data":"","mimeType":"","uri":"https://a.invalid/p"}]}}"#,
            "\n",
            r#"{"update":{"sessionUpdate":"agent_thought_chunk","content":{"type":"text","text":""}}}"#,
            "\n",
            r#"{"update":{"sessionUpdate":"agent_message_chunk","content":{"type":"tool_reference","x":1}}}"#,
        ),
        &[
            r#"delta Run Thought "hm""#,
            r#"delta Run User "go""#,
            r#"delta Run Agent "plain""#,
            r#"delta Run Agent "x" message=m"#,
            r#"block Agent Image { data: "", mime_type: "", uri: Some("https://a.invalid/p") } message=m"#,
            "ignored empty-text",
            r#"block Agent Text { text: "{\"type\":\"tool_reference\",\"x\":1}" }"#,
        ],
    );
}

#[test]
fn a_call_and_its_result() {
    check(
        concat!(
            r#"{"update":{"sessionUpdate":"tool_call","toolCallId":"t1","title":"`ls`","toolName":"Bash","kind":"execute","status":"pending","rawInput":{"command":"ls"},"content":[{"type":"content","content":{"type":"text","text":"List"}},{"type":"diff","path":"a","oldText":null,"newText":"n"}],"locations":[{"path":"a","line":0}]}}"#,
            "\n",
            r#"{"update":{"sessionUpdate":"tool_call_update","toolCallId":"t1","status":"failed","content":[{"type":"content","content":{"type":"text","text":"no"}}],"rawOutput":{"exitCode":1}}}"#,
            "\n",
            r#"{"update":{"sessionUpdate":"tool_call_update","toolCallId":"t1","status":"completed","content":[]}}"#,
            "\n",
            r#"{"update":{"sessionUpdate":"tool_call_update","toolCallId":"t1","content":"third party"}}"#,
        ),
        &[
            concat!(
                r#"seen t1 name="Bash" title="`ls`" kind=Execute status=Pending input="{\"command\":\"ls\"}" "#,
                r#"content=[Content { content: Text { text: "List" } }, Diff { path: "a", old_text: None, new_text: "n" }] "#,
                r#"locations=[Location { path: "a", line: Some(0.0) }]"#
            ),
            r#"changed t1 status=Failed content=[Content { content: Text { text: "no" } }] output="{\"exitCode\":1}""#,
            "changed t1 status=Completed",
            r#"changed t1 content=[Content { content: Text { text: "third party" } }]"#,
        ],
    );
}

#[test]
fn unknown_words_keep_their_spelling() {
    check(
        r#"{"extra":{"step":1},"update":{"sessionUpdate":"tool_call","toolCallId":"t1","title":"x","kind":"dance","status":"cancelled","rawInput":"not json"}}"#,
        &[
            r#"seen t1 title="x" kind=Other status=Failed input="\"not json\"" extra={"step":1,"kind":"dance","status":"cancelled"}"#,
        ],
    );
}

#[test]
fn placeholder_diffs_of_codex_are_no_diffs() {
    let diff = |name: &str, status: &str| {
        format!(
            r#"{{"update":{{"sessionUpdate":"tool_call","toolCallId":"t",{name}"title":"Edit a","kind":"edit","status":"{status}","content":[{{"type":"diff","path":"a","oldText":"","newText":""}}]}}}}"#
        )
    };
    let path_alone = r#"locations=[Location { path: "a", line: None }]"#;
    for line in [diff(r#""toolName":"file_change","#, "completed"), diff("", "failed")] {
        let facts = facts_of(&ROW, &line);
        assert!(facts[0].ends_with(path_alone) && !facts[0].contains("Diff"), "{}", facts[0]);
    }
    // An empty file that Write makes is a real diff.
    let facts = facts_of(&ROW, &diff(r#""toolName":"Write","#, "pending"));
    assert!(facts[0].contains("Diff"), "{}", facts[0]);
}

#[test]
fn plan_error_and_usage() {
    check(
        concat!(
            r#"{"update":{"sessionUpdate":"plan","entries":[{"content":"a","status":"in_progress","priority":"high"},{"content":"b","status":"paused"}]}}"#,
            "\n",
            r#"{"update":{"sessionUpdate":"error","message":"closed","fatal":true}}"#,
            "\n",
            r#"{"messageId":"m","update":{"sessionUpdate":"usage","scope":"call","usage":{"promptTokens":9,"completionTokens":1,"cachedTokens":4,"costUsd":0.5,"extra":{"cache_read_input_tokens":4}}}}"#,
            "\n",
            r#"{"update":{"sessionUpdate":"usage","scope":"run","usage":{"costUsd":0.25}}}"#,
            "\n",
            r#"{"update":{"sessionUpdate":"usage","totalTokens":7,"stats":{"creditCost":1}}}"#,
            "\n",
            r#"{"update":{"sessionUpdate":"harness_event","type":"retry","payload":{"n":1}}}"#,
        ),
        &[
            "! Info evolve.unknown-word",
            "plan [a InProgress High, b Pending Medium]",
            r#"error fatal=true repeats=false "closed""#,
            r#"usage Call prompt=9.0 completion=1.0 cached=4.0 cost=0.5 extra="{\"cache_read_input_tokens\":4}" message=m"#,
            "usage RunShare cost=0.25",
            r#"harness usage Some("{\"sessionUpdate\":\"usage\",\"totalTokens\":7,\"stats\":{\"creditCost\":1}}")"#,
            r#"harness retry Some("{\"n\":1}")"#,
        ],
    );
}

#[test]
fn what_the_bridge_replaced_is_an_error_and_leaves_the_card_alone() {
    check(
        concat!(
            r#"{"jsonrpc":"2.0","method":"event","params":{"type":"content","session_id":"s","update":{"sessionUpdate":"tool_call_update","note":"too large"},"truncated":true}}"#,
            "\n",
            r#"{"jsonrpc":"2.0","method":"event","params":{"type":"content","session_id":"s","update":{"sessionUpdate":"tool_call_update","toolCallId":"t","status":"completed","content":[{"type":"content","content":{"type":"text","text":"cut"}}]},"truncated":true}}"#,
        ),
        &[
            r#"error fatal=false repeats=false "event truncated" session=s extra={"sessionUpdate":"tool_call_update","note":"too large","truncated":true}"#,
            r#"changed t status=Completed content=[Content { content: Text { text: "cut" } }] session=s extra={"truncated":true}"#,
        ],
    );
}

#[test]
fn a_lifecycle_record_in_both_spellings() {
    let told = |id: &str, url: &str, session: &str| {
        format!(
            r#"{{"{id}":"b1","sandbox":"running","agent":"running","timestamp":"T","reason":"browser_ready","browser":{{"{url}":"https://l.invalid","{session}":"w"}}}}"#
        )
    };
    let facts = facts_of(
        &ROW,
        &format!(
            "{}\n{}",
            told("sandboxId", "liveUrl", "sessionId"),
            told("sandbox_id", "live_url", "session_id")
        ),
    );
    assert_eq!(facts.len(), 2);
    assert_eq!(facts[0], facts[1]);
    assert_eq!(
        facts[0],
        concat!(
            r#"tell Lifecycle(Lifecycle { sandbox_id: Some("b1"), sandbox: Some("running"), agent: Some("running"), "#,
            r#"timestamp: Some("T"), reason: Some("browser_ready"), browser: Some(Browser { live_url: "https://l.invalid", "#,
            r#"session_id: Some("w"), session_tag: None }) }) at=T"#
        )
    );
}

#[test]
fn the_reason_of_a_lifecycle_record_starts_and_ends_the_run() {
    let line = |reason: &str| format!(r#"{{"sandbox":"x","agent":"y","timestamp":"T","reason":"{reason}"}}"#);
    let after_the_record = |reason: &str| facts_of(&ROW, &line(reason)).split_off(1);
    assert_eq!(after_the_record("run_start"), [r#"run Run Start reason="run_start" at=T"#]);
    assert_eq!(
        after_the_record("run_interrupted"),
        [r#"run Run End outcome=Cancelled reason="run_interrupted" evidence=Stated at=T"#]
    );
    assert_eq!(
        after_the_record("run_failed"),
        [
            r#"error fatal=true repeats=true "run_failed" code="run_failed" at=T"#,
            r#"run Run End outcome=Failed reason="run_failed" evidence=Stated at=T"#
        ]
    );
    assert_eq!(
        after_the_record("sandbox_error"),
        [r#"error fatal=true repeats=true "sandbox_error" code="sandbox_error" at=T"#]
    );
    for quiet in ["sandbox_boot", "command_failed", "run_background_failed", "some_new_reason"] {
        assert_eq!(after_the_record(quiet), [""; 0], "{quiet}");
    }
}

#[test]
fn a_trace_log_names_the_harness_of_its_raw_lines() {
    check(
        concat!(
            r#"{"_meta":{"tag":"t","provider":"p","agent":"codex","model":"m","sandbox_id":"b","timestamp":"T","browser_live_url":"https://l.invalid"}}"#,
            "\n",
            r#"{"_prompt":{"text":"go"}}"#,
            "\n",
            r#"{"type":"turn.started"}"#,
            "\n",
            r#"{"update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"parsed"}}}"#,
            "\n",
            "a warning\n",
            r#"{"_sessionEnd":{"timestamp":"U"}}"#,
        ),
        &[
            concat!(
                r#"tell SessionInfoUpdate(SessionInfoUpdate { title: None, updated_at: None, cwd: None, "#,
                r#"meta: Some(Json("{\"tag\":\"t\",\"provider\":\"p\",\"agent\":\"codex\",\"model\":\"m\",\"sandbox_id\":\"b\","#,
                r#"\"timestamp\":\"T\",\"browser_live_url\":\"https://l.invalid\"}")) }) at=T model=m"#
            ),
            "restart",
            "run Turn Start",
            r#"prompt "go""#,
            "run Turn Start",
            r#"delta Run Agent "parsed""#,
            "unclaimed a warning",
            "run Run End at=U",
        ],
    );
}

#[test]
fn a_harness_that_is_not_named_is_detected_and_its_lines_before_are_kept() {
    check(
        concat!(
            r#"{"_prompt":{"text":"go"}}"#,
            "\n",
            r#"{"type":"loading","n":1}"#,
            "\n",
            r#"{"type":"thread.started","thread_id":"th"}"#,
            "\n",
            r#"{"type":"loading","n":2}"#,
        ),
        &[
            "restart",
            "run Turn Start",
            r#"prompt "go""#,
            r#"harness loading Some("{\"type\":\"loading\",\"n\":1}")"#,
            "restart session=th",
            "run Run Start session=th",
            r#"unknown Some("loading") {"type":"loading","n":2} session=th"#,
        ],
    );
}

fn stdout(data: &str, seq: u32, done: bool) -> String {
    let data = serde_json::to_string(data).expect("a string");
    format!(
        r#"{{"jsonrpc":"2.0","method":"event","params":{{"type":"stdout","data":{data},"seq":{seq},"done":{done}}}}}"#
    )
}

#[test]
fn pieces_of_stdout_are_joined_and_read_as_lines_of_the_harness() {
    let input = [
        stdout("{\"type\":\"thread.sta", 0, false),
        stdout("rted\",\"thread_id\":\"th\"}\n{\"type\":\"turn.", 1, true),
        stdout("started\"}\nwarning: slow\n", 0, true),
    ];
    check(
        &input.join("\n"),
        &[
            "ignored output-piece",
            "ignored output-piece",
            "ignored output-piece",
            "restart session=th",
            "run Run Start session=th",
            "run Turn Start session=th",
            r#"tell Notice(Notice { severity: Info, text: "warning: slow", stream: Some(Stdout) })"#,
        ],
    );
}

#[test]
fn broken_json_on_stdout_is_unknown_and_the_next_line_is_whole() {
    check(
        &stdout("{\"type\":\"turn.st\n{\"type\":\"turn.started\"}\n", 0, true),
        &[
            "ignored output-piece",
            "! Error json.truncated",
            "unknown None {\"type\":\"turn.st",
            "run Turn Start",
        ],
    );
}

#[test]
fn stdout_is_live_once_it_is_clear_that_no_content_comes() {
    let mut input: Vec<String> = (0..3).map(|_| stdout("{\"type\":\"turn.started\"}\n", 0, true)).collect();
    input.push(stdout("{\"type\":\"turn.started\"}\n", 0, true));
    input.push(stdout("{\"type\":\"turn.completed\"}\n", 0, true));
    let waits = "ignored output-piece";
    let start = "run Turn Start";
    let end = "run Turn End outcome=Completed evidence=Stated";
    check(&input.join("\n"), &[waits, waits, waits, start, start, start, start, end]);
}

#[test]
fn stdout_beside_content_events_is_their_twin() {
    let content = r#"{"jsonrpc":"2.0","method":"event","params":{"type":"content","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"Hi"}}}}"#;
    let message = "{\"type\":\"item.completed\",\"item\":{\"id\":\"item_0\",\"type\":\"agent_message\",\"text\":\"Hi\"}}\n";
    let input =
        [stdout("{\"type\":\"thread.started\",\"thread_id\":\"th\"}\n", 0, true), stdout(message, 0, true)];
    check(
        &format!("{}\n{content}\n{}", input.join("\n"), stdout(message, 0, true)),
        &[
            "ignored output-piece",
            "ignored output-piece",
            r#"delta Run Agent "Hi""#,
            "ignored told-as-content",
        ],
    );
}

#[test]
fn a_new_run_of_stderr_flushes_an_unfinished_one() {
    let piece = |data: &str, seq: u32, done: bool| stdout(data, seq, done).replace("stdout", "stderr");
    check(
        &[piece("lost ", 0, false), piece("next\n", 0, true), piece("open", 0, false)].join("\n"),
        &[
            "ignored output-piece",
            "! Warn evolve.pieces-lost",
            r#"tell Notice(Notice { severity: Info, text: "lost ", stream: Some(Stderr) })"#,
            r#"tell Notice(Notice { severity: Info, text: "next", stream: Some(Stderr) })"#,
            "ignored output-piece",
            r#"tell Notice(Notice { severity: Info, text: "open", stream: Some(Stderr) })"#,
        ],
    );
}

#[test]
fn other_frames_and_answers_of_the_bridge_surface() {
    check(
        concat!(
            r#"{"jsonrpc":"2.0","method":"event","params":{"type":"fs","watch_id":"w","path":"a","event":"write"}}"#,
            "\n",
            r#"{"jsonrpc":"2.0","id":1,"result":{"ok":true}}"#,
            "\n",
            r#"{"jsonrpc":"2.0","id":2,"error":{"code":-32001,"message":"sandbox gone"}}"#,
            "\n",
            r#"{"jsonrpc":"2.0","method":"event","params":{"type":"lifecycle","sandbox_id":null,"sandbox":"ready","agent":"idle","timestamp":"T","reason":"sandbox_ready"}}"#,
        ),
        &[
            r#"harness fs Some("{\"type\":\"fs\",\"watch_id\":\"w\",\"path\":\"a\",\"event\":\"write\"}")"#,
            "ignored rpc-response",
            r#"error fatal=false repeats=false "sandbox gone" code="-32001""#,
            concat!(
                r#"tell Lifecycle(Lifecycle { sandbox_id: None, sandbox: Some("ready"), agent: Some("idle"), "#,
                r#"timestamp: Some("T"), reason: Some("sandbox_ready"), browser: None }) at=T"#
            ),
        ],
    );
}

#[test]
fn our_own_output_keeps_its_items_and_identities() {
    check(
        concat!(
            r#"{"seq":0,"item":4,"update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"a"}},"agentId":"sub"}"#,
            "\n",
            r#"{"seq":1,"item":4,"update":{"sessionUpdate":"message_end","role":"agent","aborted":true},"agentId":"sub"}"#,
            "\n",
            r#"{"seq":2,"item":5,"update":{"sessionUpdate":"tool_call","toolCallId":"t~2","title":"x","kind":"read","status":"pending","wireToolCallId":"t"}}"#,
            "\n",
            r#"{"seq":3,"item":5,"update":{"sessionUpdate":"tool_call_update","toolCallId":"t~2","inputDelta":"{"}}"#,
            "\n",
            r#"{"seq":4,"update":{"sessionUpdate":"withdrawn","items":[4,5],"reason":"retry"}}"#,
            "\n",
            r#"{"seq":5,"update":{"sessionUpdate":"agent","agentId":"sub","parentToolCallId":"t~2","status":"completed"}}"#,
            "\n",
            r#"{"seq":6,"update":{"sessionUpdate":"run","scope":"turn","phase":"end","outcome":"failed","evidence":"stated"}}"#,
        ),
        &[
            r#"delta 4 Agent "a" agent=sub"#,
            "end 4 aborted=true agent=sub",
            r#"seen t~2 title="x" kind=Read status=Pending extra={"wireToolCallId":"t"}"#,
            r#"InputDelta { call: Id("t~2"), text: Text { text: "{", leading_low: None, trailing_high: None, replaced: false } }"#,
            r#"Withdraw { target: Part(Id("4")), reason: "retry" }"#,
            r#"Withdraw { target: Call(Id("t~2")), reason: "retry" }"#,
            r#"agent sub call="t~2" status=Completed"#,
            "run Turn End outcome=Failed evidence=Stated",
        ],
    );
}

/// The events of a stream as JSON, without what names their place: number and source.
fn events_of(dialect: &str, input: &str) -> Vec<serde_json::Value> {
    let options = Options { dialect: Some(dialect.to_owned()), ..Options::default() };
    let mut normalizer = Normalizer::new(options).expect("a known dialect");
    let mut lines = String::new();
    let mut write = |batch: &Batch| {
        for event in batch.iter() {
            event.write_json(&mut lines);
            lines.push('\n');
        }
    };
    write(normalizer.push(input.as_bytes()).expect("an open stream"));
    write(normalizer.end().expect("an open stream"));
    lines.lines().map(|line| serde_json::from_str(line).expect("valid JSON")).collect()
}

#[test]
fn our_own_output_reads_back_as_itself() {
    let cases = std::fs::read_dir("tests/cases/codex").expect("the cases of codex");
    for case in cases.map(|case| case.expect("a folder entry").path()) {
        let input = std::fs::read(case.join("input.jsonl")).expect("an input");
        // serde_json refuses a number that no f64 holds.
        let input = String::from_utf8_lossy(&input).replace("1e400", "1");
        let mut told = events_of("codex", &input);
        let output: String = told.iter().map(|event| format!("{event}\n")).collect();
        let mut again = events_of("evolve", &output);
        for event in told.iter_mut().chain(&mut again) {
            let event = event.as_object_mut().expect("an object");
            event.remove("seq");
            event.remove("source");
            // A renamed card is announced under its new name: the wire's own is told in another place then.
            event["update"].as_object_mut().expect("an update").remove("wireToolCallId");
            let extra = event.get_mut("extra").and_then(|extra| extra.as_object_mut());
            if extra.is_some_and(|extra| extra.remove("wireToolCallId").is_some() && extra.is_empty()) {
                event.remove("extra");
            }
        }
        assert_eq!(told, again, "{}", case.display());
    }
}

#[test]
fn what_fits_nowhere_is_unknown_and_malformed_members_are_remarked() {
    check(
        concat!(
            r#"{"update":{"sessionUpdate":"hologram","x":1}}"#,
            "\n",
            r#"{"sessionId":3,"extra":[],"update":{"sessionUpdate":"agent_message_chunk"}}"#,
            "\n",
            r#"{"update":{"sessionUpdate":"tool_call","title":"no id","locations":[{"line":1},"b"]}}"#,
            "\n",
            r#"{"update":{"sessionUpdate":"plan","entries":{}}}"#,
            "\n",
            r#"{"update":{"sessionUpdate":"error"}}"#,
            "\n",
            r#"{"jsonrpc":"2.0","method":"event","params":{"type":"content","update":7}}"#,
        ),
        &[
            r#"unknown Some("hologram") {"update":{"sessionUpdate":"hologram","x":1}}"#,
            "! Warn evolve.wrong-type",
            "! Warn evolve.wrong-type",
            "! Warn evolve.wrong-type",
            "ignored no-content",
            "! Warn evolve.wrong-type",
            "! Warn evolve.wrong-type",
            r#"seen New title="no id" locations=[Location { path: "b", line: None }]"#,
            "! Warn evolve.wrong-type",
            "ignored no-entries",
            "! Warn evolve.wrong-type",
            r#"error fatal=false repeats=false "{\"sessionUpdate\":\"error\"}""#,
            "! Warn evolve.wrong-type",
            r#"harness content Some("{\"type\":\"content\",\"update\":7}")"#,
        ],
    );
}

#[test]
fn recorded_content_holds_nothing_unknown() {
    for (path, input) in recordings("evolve-recorded", ".content.jsonl") {
        for fact in facts_of(&ROW, &input) {
            let odd = ["unknown", "!", "unclaimed", "harness"].iter().any(|word| fact.starts_with(word));
            assert!(!odd, "{}: {fact}", path.display());
        }
    }
}

/// The harnesses that Evolve runs.
const HARNESSES: [&str; 7] = ["claude", "codex", "gemini", "qwen", "kimi", "opencode", "droid"];

/// Streams of one harness, from its cases: name and lines.
fn streams_of(harness: &str) -> Vec<(String, String)> {
    let folder = std::path::Path::new("tests/cases").join(harness);
    let Ok(cases) = std::fs::read_dir(folder) else { return Vec::new() };
    let cases = cases.map(|case| case.expect("a case").path());
    let read = |case: std::path::PathBuf| {
        let bytes = std::fs::read(case.join("input.jsonl")).ok()?;
        Some((case.display().to_string(), String::from_utf8(bytes).ok()?))
    };
    cases.filter_map(read).collect()
}

#[test]
fn raw_lines_of_a_trace_log_are_read_by_the_dialect_that_its_header_names() {
    let mut read = 0;
    for harness in HARNESSES {
        let Some(row) = row_by_name(harness) else { continue };
        for (name, lines) in streams_of(harness) {
            let log = format!("{{\"_meta\":{{\"tag\":\"t\",\"agent\":\"{harness}\"}}}}\n{lines}");
            assert_eq!(facts_of(&ROW, &log)[1..], facts_of(row, &lines), "{name}");
            read += 1;
        }
    }
    assert!(read > 10);
}

#[test]
fn raw_output_of_the_bridge_is_read_by_the_dialect_that_its_first_line_looks_like() {
    let mut read = 0;
    for harness in HARNESSES {
        let Some(row) = row_by_name(harness) else { continue };
        for (name, lines) in streams_of(harness) {
            // Lines that are not JSON become notices there, as the pipeline makes them elsewhere.
            if lines.lines().any(|line| Value::parse(line).is_err()) {
                continue;
            }
            let first = lines.lines().next().unwrap_or_default();
            let record = Record { body: first, event: None, id: None, source: Source::default() };
            let value = Value::parse(first).expect("valid JSON");
            let best = row_by_record(&record, value, Container::JsonLines);
            if !best.is_some_and(|(_, row)| row.name == harness) {
                continue;
            }
            let mut frames = String::new();
            for (number, piece) in pieces(&lines).iter().enumerate() {
                let data = serde_json::to_string(piece).expect("a string");
                let done = number % 3 == 2;
                frames.push_str(&format!(
                    "{{\"jsonrpc\":\"2.0\",\"method\":\"event\",\"params\":{{\"type\":\"stdout\",\"data\":{data},\"seq\":{},\"done\":{done}}}}}\n",
                    number % 3
                ));
            }
            let mut facts = facts_of(&ROW, &frames);
            facts.retain(|fact| fact != "ignored output-piece");
            let mut expected = facts_of(row, &lines);
            expected.retain(|fact| fact != "ignored output-piece");
            assert_eq!(facts, expected, "{name}");
            read += 1;
        }
    }
    assert!(read > 10);
}

/// The text in pieces that end anywhere.
fn pieces(text: &str) -> Vec<String> {
    let letters: Vec<char> = text.chars().collect();
    letters.chunks(97).map(|piece| piece.iter().collect()).collect()
}

#[test]
fn a_log_without_its_header_is_read_by_what_its_lines_look_like() {
    let lines = concat!(
        r#"{"_prompt":{"text":"go"}}"#,
        "\n",
        r#"{"type":"assistant","session_id":"s","message":{"role":"assistant","content":[{"type":"text","text":"On it."}]}}"#,
        "\n",
        r#"{"type":"thread.started","thread_id":"th"}"#,
        "\n",
        r#"{"type":"turn.started"}"#,
    );
    let facts = facts_of(&ROW, lines);
    // A weak sign is taken until a stronger one comes, and a strong one is kept.
    assert_eq!(facts[3], "whole Unclaimed Agent \"On it.\" session=s");
    assert_eq!(facts[4..], ["restart session=th", "run Run Start session=th", "run Turn Start session=th"]);
}

#[test]
fn a_harness_that_has_no_dialect_of_its_name_is_read_by_what_its_lines_look_like() {
    let lines = concat!(
        r#"{"_meta":{"tag":"t","agent":"nobody"}}"#,
        "\n",
        r#"{"mood":"calm"}"#,
        "\n",
        r#"{"type":"thread.started","thread_id":"th"}"#,
    );
    let facts = facts_of(&ROW, lines);
    assert_eq!(
        facts[1..],
        [r#"harness raw Some("{\"mood\":\"calm\"}")"#, "restart session=th", "run Run Start session=th"]
    );
}
