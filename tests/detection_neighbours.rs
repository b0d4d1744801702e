//! Command-line agents whose lines look alike are kept apart, by their first lines and by lines from the middle.

mod recorder;

use agent_ui_events::dialect::{Sign, row_by_record};
use agent_ui_events::framing::{Container, Record, Source};
use agent_ui_events::json::Value;
use agent_ui_events::{Normalizer, Options};
use recorder::recordings;

fn best(line: &str) -> Option<(Sign, &'static str)> {
    let record = Record { body: line, event: None, id: None, source: Source::default() };
    let value = Value::parse(line).expect("valid JSON");
    row_by_record(&record, value, Container::JsonLines).map(|(sign, row)| (sign, row.name))
}

#[test]
fn each_line_speaks_for_its_own_format() {
    let cases = [
        (
            Sign::Certain,
            "claude",
            r#"{"type":"system","subtype":"init","session_id":"s","uuid":"u","apiKeySource":"none","permissionMode":"default","tools":[],"claude_code_version":"2.1"}"#,
        ),
        (
            Sign::Certain,
            "qwen",
            r#"{"type":"system","subtype":"init","uuid":"s","session_id":"s","permission_mode":"yolo","tools":[],"qwen_code_version":"0.15"}"#,
        ),
        (
            Sign::Certain,
            "cursor",
            r#"{"type":"system","subtype":"init","apiKeySource":"login","cwd":"/w","session_id":"s","model":"Auto","permissionMode":"default"}"#,
        ),
        (
            Sign::Strong,
            "cursor",
            r#"{"type":"system","subtype":"init","apiKeySource":"login","cwd":"/w","session_id":"s","model":"Auto","permissionMode":"default","tools":[]}"#,
        ),
        (
            Sign::Strong,
            "droid",
            r#"{"type":"system","subtype":"init","cwd":"/w","session_id":"s","tools":[],"model":"m","reasoning_effort":"low"}"#,
        ),
        (Sign::Certain, "gemini", r#"{"type":"init","timestamp":"t","session_id":"s","model":"auto"}"#),
        // From the middle of a stream.
        (
            Sign::Strong,
            "claude",
            r#"{"type":"assistant","uuid":"u","session_id":"s","parent_tool_use_id":null,"message":{"id":"msg_1","content":[]}}"#,
        ),
        (
            Sign::Strong,
            "qwen",
            r#"{"type":"assistant","uuid":"a-1","session_id":"s","parent_tool_use_id":null,"message":{"id":"a-1","content":[]}}"#,
        ),
        (
            Sign::Strong,
            "qwen",
            r#"{"type":"stream_event","uuid":"u","session_id":"s","parent_tool_use_id":null,"event":{"type":"goal_state"}}"#,
        ),
        (
            Sign::Strong,
            "qwen",
            r#"{"type":"system","subtype":"task_started","uuid":"u","session_id":"s","parent_tool_use_id":null,"data":{}}"#,
        ),
        (
            Sign::Strong,
            "qwen",
            r#"{"type":"result","subtype":"error_during_execution","uuid":"u","session_id":"s","is_error":true,"duration_ms":1,"duration_api_ms":0,"error":{"message":"x"}}"#,
        ),
        (
            Sign::Strong,
            "cursor",
            r#"{"type":"assistant","message":{"role":"assistant","content":[]},"session_id":"s","timestamp_ms":1}"#,
        ),
        (
            Sign::Certain,
            "cursor",
            r#"{"type":"thinking","subtype":"delta","text":"x","session_id":"s","timestamp_ms":1}"#,
        ),
        (
            Sign::Certain,
            "cursor",
            r#"{"type":"tool_call","subtype":"started","call_id":"c","tool_call":{"readToolCall":{"args":{}}},"session_id":"s"}"#,
        ),
        (
            Sign::Strong,
            "cursor",
            r#"{"type":"result","subtype":"success","duration_ms":1,"duration_api_ms":1,"is_error":false,"result":"x","session_id":"s"}"#,
        ),
        (
            Sign::Certain,
            "droid",
            r#"{"type":"message","role":"assistant","id":"m","text":"x","timestamp":1,"session_id":"s"}"#,
        ),
        (
            Sign::Certain,
            "droid",
            r#"{"type":"tool_call","id":"c","messageId":"m","toolId":"Read","toolName":"Read","parameters":{},"session_id":"s"}"#,
        ),
        (
            Sign::Certain,
            "droid",
            r#"{"type":"completion","finalText":"x","numTurns":1,"durationMs":1,"session_id":"s"}"#,
        ),
        (
            Sign::Certain,
            "droid",
            r#"{"jsonrpc":"2.0","factoryApiVersion":"1.0.0","type":"notification","method":"droid.session_notification","params":{"notification":{"type":"error"}}}"#,
        ),
        (
            Sign::Strong,
            "droid",
            r#"{"type":"message","id":"m","timestamp":"t","message":{"role":"user","content":[]}}"#,
        ),
        (
            Sign::Certain,
            "gemini",
            r#"{"type":"message","timestamp":"t","role":"assistant","content":"x","delta":true}"#,
        ),
        (
            Sign::Certain,
            "gemini",
            r#"{"type":"tool_use","timestamp":"t","tool_name":"glob","tool_id":"g_0","parameters":{}}"#,
        ),
        (
            Sign::Strong,
            "gemini",
            r#"{"type":"tool_result","timestamp":"t","tool_id":"g_0","status":"success"}"#,
        ),
        (Sign::Strong, "gemini", r#"{"type":"result","timestamp":"t","status":"success","stats":{}}"#),
        // Saved files.
        (Sign::Certain, "gemini", r#"{"sessionId":"s","projectHash":"h","startTime":"t"}"#),
        (Sign::Strong, "gemini", r#"{"$set":{"summary":"x"}}"#),
        (
            Sign::Certain,
            "qwen",
            r#"{"uuid":"u","parentUuid":null,"sessionId":"s","timestamp":"t","type":"user","cwd":"/w","version":"0.24","message":{"role":"user","parts":[]}}"#,
        ),
    ];
    for (sign, name, line) in cases {
        assert_eq!(best(line), Some((sign, name)), "{line}");
    }
}

#[test]
fn a_recording_is_recognised_line_by_line() {
    let folders = [
        ("gemini", "gemini"),
        ("gemini-merged", "gemini"),
        ("qwen", "qwen"),
        ("qwen-0.15", "qwen"),
        ("qwen-partial", "qwen"),
        ("claude-stream", "claude"),
        ("claude-stream-partial", "claude"),
        ("codex-exec", "codex"),
    ];
    for (folder, dialect) in folders {
        for (path, text) in recordings(folder, ".jsonl") {
            let lines: Vec<&str> = text.split_inclusive('\n').collect();
            if lines.len() < 2 {
                continue;
            }
            let mut normalizer = Normalizer::new(Options::default()).expect("default options");
            for line in &lines {
                normalizer.push(line.as_bytes()).expect("an open stream");
            }
            normalizer.end().expect("an open stream");
            assert_eq!(normalizer.report().dialect, Some(dialect), "{}", path.display());
        }
    }
}

/// Streams that begin in the middle: pieces of Qwen's and Claude's messages alone look alike, so only those whose lines
/// say something of their own are asked.
#[test]
fn no_line_of_a_recording_speaks_strongly_for_a_neighbour() {
    let folders = [
        ("gemini", "gemini"),
        ("qwen", "qwen"),
        ("qwen-0.15", "qwen"),
        ("qwen-partial", "qwen"),
        ("claude-stream", "claude"),
        ("claude-stream-partial", "claude"),
    ];
    for (folder, dialect) in folders {
        for (path, text) in recordings(folder, ".jsonl") {
            for line in text.lines().filter(|line| Value::parse(line).is_ok()) {
                if let Some((sign, name)) = best(line) {
                    assert!(name == dialect || sign == Sign::Weak, "{}: {name} {line}", path.display());
                }
            }
        }
    }
}
