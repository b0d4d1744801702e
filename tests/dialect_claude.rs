//! What the `claude` dialect says about each record, and that it knows every recorded line.

#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

mod recorder;

use agent_ui_events::dialect::claude::ROW;
use agent_ui_events::dialect::{Choice, Context, Dialect, Fact, FactSink, Sign};
use agent_ui_events::framing::{Container, Record, Severity, Source};
use agent_ui_events::json::Value;

/// Keeps what was said, as words.
#[derive(Default)]
struct Recorder {
    said: Vec<String>,
    diagnostics: Vec<String>,
}

impl FactSink for Recorder {
    fn fact(&mut self, context: &Context<'_>, fact: Fact<'_>) {
        let mut words = without_absent(&format!("{fact:?}"));
        let context = without_absent(&format!("{context:?}"));
        if context != "Context" {
            words = format!("{words} in {context}");
        }
        self.said.push(words);
    }

    fn diagnostic(&mut self, code: &'static str, _severity: Severity, message: &str) {
        self.diagnostics.push(format!("{code}: {message}"));
    }
}

/// Debug output without its absent fields and without the names of wrappers that say nothing.
fn without_absent(debug: &str) -> String {
    let mut words = debug.replace("Some(", "(").replace("Borrowed(", "(");
    for end in [", ", " }"] {
        while let Some(at) = words.find(&format!(": None{end}")) {
            let start = words[..at].rfind([' ', '{']).map_or(0, |space| space + 1);
            let keep = if end == ", " { at + ": None, ".len() } else { at + ": None".len() };
            words.replace_range(start..keep, "");
        }
    }
    words.replace(", }", " }").replace(" {  }", "")
}

fn record(body: &str) -> Record<'_> {
    Record { body, event: None, id: None, source: Source::default() }
}

fn read(lines: &[&str]) -> Recorder {
    let mut dialect = (ROW.make)(&agent_ui_events::dialect::DialectOptions::default());
    let mut recorder = Recorder::default();
    for line in lines {
        feed(&mut *dialect, line, &mut recorder);
    }
    recorder
}

fn feed(dialect: &mut dyn Dialect, line: &str, recorder: &mut Recorder) {
    let value = Value::parse(line).unwrap_or_else(|invalid| panic!("{invalid:?}: {line}"));
    dialect.record(&record(line), value, recorder);
}

/// Facts of the last line after the others were read.
fn last_of(lines: &[&str]) -> Vec<String> {
    let mut dialect = (ROW.make)(&agent_ui_events::dialect::DialectOptions::default());
    let mut recorder = Recorder::default();
    for line in lines {
        recorder = Recorder::default();
        feed(&mut *dialect, line, &mut recorder);
    }
    assert_eq!(recorder.diagnostics, [""; 0]);
    recorder.said
}

const INIT: &str = r#"{"type":"system","subtype":"init","cwd":"/w","session_id":"s","model":"m","uuid":"u-init","claude_code_version":"2"}"#;

#[test]
fn every_line_with_a_uuid_names_its_record_first() {
    for line in [
        INIT,
        r#"{"type":"stream_event","event":{"type":"ping"},"session_id":"s","uuid":"u-init"}"#,
        r#"{"type":"result","subtype":"success","is_error":false,"session_id":"s","uuid":"u-init"}"#,
    ] {
        assert!(last_of(&[line])[0].starts_with("RecordId(\"u-init\")"), "{line}");
    }
}

#[test]
fn a_record_that_says_nothing_is_counted() {
    for (line, reason) in [
        (r#"{"type":"keep_alive"}"#, "keep-alive"),
        (r#"{"type":"system","subtype":"thinking_tokens"}"#, "thinking-tokens"),
        (r#"{"type":"assistant","message":{"id":"m","content":[]}}"#, "nothing-to-show"),
        (r#"{"type":"assistant","message":{"id":"m"}}"#, "no-content"),
        (r#"{"type":"assistant","message":{"id":"m","content":[{"type":"text","text":""}]}}"#, "empty-text"),
        (
            r#"{"type":"assistant","message":{"id":"m","content":[{"type":"redacted_thinking"}]}}"#,
            "redacted-thinking",
        ),
        (r#"{"type":"control_response","response":{"subtype":"success","request_id":"host-1"}}"#, "control"),
    ] {
        let said = last_of(&[line]);
        assert!(
            said.iter().any(|fact| fact.starts_with(&format!("Ignored(\"{reason}\")"))),
            "{line}: {said:?}"
        );
    }
}

#[test]
fn an_empty_block_that_was_streamed_still_claims_its_part() {
    let said = last_of(&[
        r#"{"type":"stream_event","event":{"type":"message_start","message":{"id":"msg_1"}}}"#,
        r#"{"type":"stream_event","event":{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}}"#,
        r#"{"type":"assistant","message":{"id":"msg_1","content":[{"type":"text","text":""}]}}"#,
    ]);
    assert!(said[0].starts_with("PartWhole { part: Unclaimed, kind: Agent"), "{said:?}");
}

#[test]
fn lines_without_session_belong_to_the_last_one() {
    let ask = r#"{"type":"control_request","request_id":"r","request":{"subtype":"can_use_tool","tool_name":"Bash","tool_use_id":"t","input":{}}}"#;
    let said = last_of(&[INIT, ask]);
    assert!(said[0].starts_with("Ask(") && said[0].contains("session: (\"s\")"), "{said:?}");
}

#[test]
fn the_main_agent_has_no_key_and_a_subagent_that_of_its_call() {
    let main = last_of(&[r#"{"type":"assistant","parent_tool_use_id":null,"message":{"content":"hi"}}"#]);
    assert!(!main[0].contains("agent:"), "{main:?}");
    let sub = last_of(&[r#"{"type":"assistant","parent_tool_use_id":"t","message":{"content":"hi"}}"#]);
    assert!(sub[0].contains("agent: (\"t\"), parent_call: (\"t\")"), "{sub:?}");
}

#[test]
fn wrong_types_are_remarked_on_and_the_rest_is_read() {
    let recorder = read(&[
        r#"{"type":"assistant","session_id":7,"message":{"id":["m"],"content":[{"type":"text","text":"kept"}],"usage":{"input_tokens":"x","output_tokens":2}}}"#,
    ]);
    assert_eq!(recorder.diagnostics.len(), 3, "{:?}", recorder.diagnostics);
    assert!(recorder.diagnostics.iter().all(|remark| remark.starts_with("claude.wrong-type")));
    assert!(recorder.said[0].contains("kept"));
    assert!(recorder.said[1].contains("completion: (2.0)") && !recorder.said[1].contains("prompt"));
}

#[test]
fn a_cost_that_began_again_is_no_running_total() {
    let result = |cost: f64, own: u32, counted: u32| {
        format!(
            r#"{{"type":"result","subtype":"success","is_error":false,"result":"","total_cost_usd":{cost},"usage":{{"input_tokens":1,"output_tokens":{own}}},"modelUsage":{{"m":{{"outputTokens":{counted}}}}}}}"#
        )
    };
    let lines = [result(0.1, 5, 5), result(0.2, 4, 9), result(0.3, 12, 12), result(0.4, 3, 15)];
    let said = read(&lines.iter().map(String::as_str).collect::<Vec<_>>()).said;
    let running: Vec<bool> = said
        .iter()
        .filter(|fact| fact.starts_with("Usage("))
        .map(|fact| fact.contains("cost_is_running_total: true"))
        .collect();
    assert_eq!(running, [true, true, false, true]);
}

fn sign(line: &str) -> Option<Sign> {
    let value = Value::parse(line).unwrap();
    (ROW.detect)(&record(line), value, Container::JsonLines).map(|(sign, _)| sign)
}

#[test]
fn its_own_first_lines_are_certain() {
    assert_eq!(sign(INIT), Some(Sign::Certain));
    assert_eq!(
        sign(r#"{"apiKeySource":"none","session_id":"s","uuid":"u","type":"system","subtype":"init"}"#),
        Some(Sign::Certain)
    );
    assert_eq!(
        sign(r#"{"type":"stream_event","event":{"type":"ping"},"session_id":"s","api_message_id":"msg_1"}"#),
        Some(Sign::Certain)
    );
}

#[test]
fn look_alikes_are_left_to_their_own_dialects() {
    let qwen = r#"{"type":"system","subtype":"init","uuid":"s","session_id":"s","permission_mode":"yolo","qwen_code_version":"0.15"}"#;
    let droid = r#"{"type":"system","subtype":"init","session_id":"s","reasoning_effort":"high"}"#;
    let saved = r#"{"parentUuid":null,"type":"user","message":{"role":"user","content":"x"},"uuid":"u","sessionId":"s"}"#;
    let anthropic = r#"{"type":"message_start","message":{"id":"msg_1"}}"#;
    for line in [qwen, droid, saved, anthropic, r#"{"type":"keep"}"#, "[]", "3"] {
        assert_eq!(sign(line), None, "{line}");
    }
    let cursor = r#"{"type":"system","subtype":"init","apiKeySource":"env","cwd":"/w","session_id":"s","model":"Auto","permissionMode":"default"}"#;
    let amp =
        r#"{"type":"system","subtype":"init","cwd":"/w","session_id":"T-1","tools":[],"mcp_servers":[]}"#;
    assert_eq!((sign(cursor), sign(amp)), (Some(Sign::Weak), Some(Sign::Weak)));
}

const APPROVAL: &str = r#"{"update":{"sessionUpdate":"interrupt","interruptId":"r-1","idSource":"wire","kind":"approval","toolName":"Bash","rawInput":{"command":"rm x"},"options":[{"optionId":"allow","kind":"allow_once"},{"optionId":"allow_always","kind":"allow_always"},{"optionId":"deny","kind":"reject_once"}],"questions":[],"editable":true,"blocking":"inline"},"extra":{"subtype":"can_use_tool","permission_suggestions":[{"type":"addRules"}]}}"#;

const QUESTIONS: &str = r#"{"update":{"sessionUpdate":"interrupt","interruptId":"r-2","idSource":"wire","kind":"question","toolName":"AskUserQuestion","rawInput":{"questions":[{"question":"Bed?"},{"question":"Tools?"}],"answers":{"old":"x"}},"options":[],"questions":[{"id":"0","question":"Bed?","type":"single","options":[]},{"id":"1","question":"Tools?","type":"multiple","options":[]}],"blocking":"inline"},"extra":{"subtype":"can_use_tool"}}"#;

const FORM: &str = r#"{"update":{"sessionUpdate":"interrupt","interruptId":"r-3","idSource":"wire","kind":"question","options":[],"questions":[{"id":"size","question":"Size?","type":"number","options":[],"required":true},{"id":"fast","question":"Fast?","type":"boolean","options":[]},{"id":"parts","question":"Parts?","type":"multiple","options":[]}],"blocking":"inline"},"extra":{"subtype":"elicitation"}}"#;

fn reply(event: &str, choice: &Choice<'_>) -> Result<String, &'static str> {
    (ROW.reply.unwrap())(Value::parse(event).unwrap(), choice).map_err(|error| error.code)
}

fn option<'a>(id: &'a str, message: Option<&'a str>) -> Choice<'a> {
    Choice::Option { id, message, edited_input: None }
}

fn answers(json: &str) -> Choice<'_> {
    Choice::Answers(Value::parse(json).unwrap())
}

fn response(id: &str, answer: &str) -> Result<String, &'static str> {
    Ok(format!(
        r#"{{"type":"control_response","response":{{"subtype":"success","request_id":"{id}","response":{answer}}}}}"#
    ))
}

#[test]
fn an_approval_is_allowed_always_allowed_or_denied() {
    let allow = r#"{"behavior":"allow","updatedInput":{"command":"rm x"}}"#;
    assert_eq!(reply(APPROVAL, &option("allow", None)), response("r-1", allow));
    let always = r#"{"behavior":"allow","updatedInput":{"command":"rm x"},"updatedPermissions":[{"type":"addRules"}]}"#;
    assert_eq!(reply(APPROVAL, &option("allow_always", None)), response("r-1", always));
    let deny = r#"{"behavior":"deny","message":"keep \"x\""}"#;
    assert_eq!(reply(APPROVAL, &option("deny", Some("keep \"x\""))), response("r-1", deny));
    let edited = Some(Value::parse(r#"{"command":"ls"}"#).unwrap());
    let edited = Choice::Option { id: "allow", message: None, edited_input: edited };
    let allow = r#"{"behavior":"allow","updatedInput":{"command":"ls"}}"#;
    assert_eq!(reply(APPROVAL, &edited), response("r-1", allow));
    assert!(reply(APPROVAL, &Choice::Cancel).unwrap().contains(r#""behavior":"deny""#));
}

#[test]
fn a_choice_that_does_not_fit_is_never_an_approval() {
    assert_eq!(reply(APPROVAL, &option("deny", None)), Err("reply.message-required"));
    assert_eq!(reply(APPROVAL, &option("yes", None)), Err("reply.unknown-option"));
    assert_eq!(reply(APPROVAL, &answers(r#"{"0":["x"]}"#)), Err("reply.unknown-option"));
    let edited = Choice::Option { id: "allow", message: None, edited_input: Value::parse("7").ok() };
    assert_eq!(reply(APPROVAL, &edited), Err("reply.not-editable"));
    let fixed = APPROVAL.replace(r#""editable":true,"#, "");
    let edited = Choice::Option { id: "allow", message: None, edited_input: Value::parse("{}").ok() };
    assert_eq!(reply(&fixed, &edited), Err("reply.not-editable"));
    let never = APPROVAL.replace(r#"{"optionId":"allow_always","kind":"allow_always"},"#, "");
    assert_eq!(reply(&never, &option("allow_always", None)), Err("reply.unknown-option"));
    let ruleless = APPROVAL.replace("permission_suggestions", "other");
    assert_eq!(reply(&ruleless, &option("allow_always", None)), Err("reply.unknown-option"));
    let minted = APPROVAL.replace(r#""idSource":"wire""#, r#""idSource":"minted""#);
    assert_eq!(reply(&minted, &option("allow", None)), Err("reply.minted-id"));
    let dialog = APPROVAL.replace("can_use_tool", "request_user_dialog");
    assert_eq!(reply(&dialog, &option("allow", None)), Err("reply.no-channel"));
    assert_eq!(
        reply(r#"{"update":{"sessionUpdate":"notice"}}"#, &Choice::Cancel),
        Err("reply.not-an-interrupt")
    );
}

#[test]
fn questions_are_answered_under_their_text() {
    let answer = r#"{"behavior":"allow","updatedInput":{"questions":[{"question":"Bed?"},{"question":"Tools?"}],"answers":{"Bed?":"North","Tools?":"Hoe, Rake"}}}"#;
    let given = answers(r#"{"0":["North"],"1":["Hoe","Rake"]}"#);
    assert_eq!(reply(QUESTIONS, &given), response("r-2", answer));
    for wrong in [r#"{"9":["x"]}"#, "{}", r#"{"0":[]}"#, r#"{"0":[1]}"#, "[]"] {
        assert_eq!(reply(QUESTIONS, &answers(wrong)), Err("reply.answers-required"), "{wrong}");
    }
    assert_eq!(reply(QUESTIONS, &option("allow", None)), Err("reply.answers-required"));
}

#[test]
fn a_form_is_filled_in_its_own_types() {
    let answer = r#"{"action":"accept","content":{"size":4,"fast":true,"parts":["a","b"]}}"#;
    let given = answers(r#"{"size":["4"],"fast":["true"],"parts":["a","b"]}"#);
    assert_eq!(reply(FORM, &given), response("r-3", answer));
    for wrong in [
        r#"{"fast":["true"]}"#,
        r#"{"size":["big"]}"#,
        r#"{"size":["4"],"fast":["perhaps"]}"#,
        r#"{"size":["4"],"x":["y"]}"#,
    ] {
        assert_eq!(reply(FORM, &answers(wrong)), Err("reply.answers-required"), "{wrong}");
    }
    assert_eq!(reply(FORM, &Choice::Cancel), response("r-3", r#"{"action":"cancel"}"#));
}

/// Lines of a recording that are JSON; one that was cut ends in a line that is not.
fn recorded(folder: &str) -> Vec<(String, Vec<String>)> {
    let read = |(path, text): (std::path::PathBuf, String)| {
        let lines = text.lines().filter(|line| Value::parse(line).is_ok()).map(str::to_owned).collect();
        (path.display().to_string(), lines)
    };
    recorder::recordings(folder, ".jsonl").into_iter().map(read).collect()
}

/// Skipped where the recordings are not there.
#[test]
fn every_recorded_line_is_known_and_of_the_right_types() {
    for (file, lines) in ["claude-stream", "claude-stream-partial"].into_iter().flat_map(recorded) {
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let recorder = read(&lines);
        assert_eq!(recorder.diagnostics, [""; 0], "{file}");
        let unknown = recorder.said.iter().find(|fact| fact.contains("Unknown(Unknown"));
        assert_eq!(unknown, None, "{file}");
        assert!(recorder.said.len() >= lines.len(), "{file}");
    }
}

#[test]
fn what_goes_beside_a_fact_does_not_multiply_with_the_blocks_of_a_line() {
    let line = |blocks: usize| {
        let content = vec![r#"{"type":"text","text":"x"}"#; blocks].join(",");
        let long = "r".repeat(2000);
        format!(
            r#"{{"type":"assistant","request_id":"{long}","message":{{"id":"m","content":[{content}]}}}}"#
        )
    };
    assert!(last_of(&[&line(2)])[1].contains("request_id"));
    assert!(!last_of(&[&line(20)])[1].contains("request_id"));
}

#[test]
fn no_recording_of_another_harness_is_taken_for_this_one() {
    let taken = recorder::taken_for(&ROW);
    let wrong: Vec<_> = taken.iter().filter(|line| !line.contains("/claude-")).collect();
    assert!(wrong.is_empty(), "{wrong:?}");
}
