//! Amp, Cline, Copilot CLI and Goose are told apart from each other and from their neighbours by single records.

mod recorder;

use agent_ui_events::dialect::{Sign, amp, cline, copilot, goose, row_by_record};
use agent_ui_events::framing::{Container, Record, Source};
use agent_ui_events::json::Value;
use recorder::taken_for;

fn best(line: &str) -> Option<(Sign, &'static str)> {
    let record = Record { body: line, event: None, id: None, source: Source::default() };
    let value = Value::parse(line).expect("valid JSON");
    row_by_record(&record, value, Container::JsonLines).map(|(sign, row)| (sign, row.name))
}

#[test]
fn own_lines_are_recognized() {
    let certain = [
        (
            "amp",
            r#"{"type":"system","subtype":"init","cwd":"/w","session_id":"T-1","tools":[],"mcp_servers":[]}"#,
        ),
        ("amp", r#"{"id":"T-1","messages":[],"env":{}}"#),
        (
            "cline",
            r#"{"ts":"2026-01-01T00:00:00.000Z","type":"run_start","providerId":"x","modelId":"m","mode":"act"}"#,
        ),
        ("cline", r#"{"ts":"2026-01-01T00:00:00.000Z","type":"agent_event","event":{"type":"done"}}"#),
        ("cline", r#"{"ts":1760000000000,"type":"say","say":"text","text":"Hi","partial":true}"#),
        (
            "copilot",
            r#"{"type":"session.start","data":{"sessionId":"s"},"id":"e","timestamp":"t","parentId":null}"#,
        ),
        (
            "copilot",
            r#"{"type":"assistant.message_delta","data":{},"id":"e","timestamp":"t","parentId":"d"}"#,
        ),
        (
            "goose",
            r#"{"type":"message","message":{"id":"a","role":"user","created":1,"content":[],"metadata":{"userVisible":true}}}"#,
        ),
        ("goose", r#"{"type":"message","message":{"role":"user","created":1,"content":[]}}"#),
        ("goose", r#"{"type":"notification","extension_id":"developer","log":{"message":"x"}}"#),
        ("goose", r#"{"messages":[],"metadata":{"total_tokens":3,"status":"completed"}}"#),
    ];
    for (name, line) in certain {
        assert_eq!(best(line), Some((Sign::Certain, name)), "{line}");
    }
    let strong = [
        (
            "amp",
            r#"{"type":"assistant","message":{"id":"msg_1","role":"assistant","content":[]},"session_id":"T-1"}"#,
        ),
        ("amp", r#"{"type":"result","subtype":"success","is_error":false,"session_id":"T-1"}"#),
        ("copilot", r#"{"type":"hook.start","data":{},"id":"e","timestamp":"t","parentId":"d"}"#),
        ("copilot", r#"{"type":"result","sessionId":"s","exitCode":0,"usage":{"premiumRequests":1}}"#),
        ("goose", r#"{"type":"complete","total_tokens":null}"#),
    ];
    for (name, line) in strong {
        assert_eq!(best(line), Some((Sign::Strong, name)), "{line}");
    }
}

#[test]
fn look_alikes_are_left_to_others() {
    let others = [
        r#"{"type":"system","subtype":"init","session_id":"s","uuid":"u","tools":[],"apiKeySource":"none","permissionMode":"default"}"#,
        r#"{"type":"system","subtype":"init","apiKeySource":"login","cwd":"/w","session_id":"s","model":"Auto","permissionMode":"default"}"#,
        r#"{"type":"system","subtype":"init","cwd":"/w","session_id":"s","tools":[],"model":"m","reasoning_effort":"none"}"#,
        r#"{"type":"init","timestamp":"t","session_id":"T-1","model":"m"}"#,
        r#"{"type":"message","timestamp":"t","role":"assistant","content":"Hi","delta":true}"#,
        r#"{"type":"message","role":"assistant","id":"i","text":"Hi","timestamp":1,"session_id":"s"}"#,
        r#"{"type":"message","id":"a","parentId":"b","timestamp":"t","message":{"role":"user","content":[{"type":"text","text":"x"}],"timestamp":1}}"#,
        r#"{"type":"session","version":3,"id":"p","timestamp":"t","cwd":"/w"}"#,
        r#"{"type":"message.part.updated","properties":{"part":{}}}"#,
        r#"{"id":"e","type":"session.idle","properties":{"sessionID":"s"}}"#,
        r#"{"type":"session.created","session_id":"s"}"#,
        r#"{"type":"text","timestamp":1,"sessionID":"s","part":{}}"#,
        r#"{"type":"error","error":"x"}"#,
        r#"{"type":"complete"}"#,
        r#"{"type":"result","subtype":"success","is_error":false,"session_id":"s"}"#,
        r#"{"ts":1,"event":"say"}"#,
        r#"{"ts":"t","type":"log"}"#,
        r#"{"messages":[],"id":"x"}"#,
        r#"{"messages":[],"metadata":{}}"#,
        r#"{"role":"assistant","content":"Hi"}"#,
    ];
    for line in others {
        let found = best(line).map(|(_, name)| name);
        assert!(!matches!(found, Some("amp" | "cline" | "copilot" | "goose")), "{line}: {found:?}");
    }
}

#[test]
fn no_recording_of_another_format_is_taken() {
    for row in [&amp::ROW, &cline::ROW, &copilot::ROW, &goose::ROW] {
        assert_eq!(taken_for(row), Vec::<String>::new(), "{}", row.name);
    }
}
