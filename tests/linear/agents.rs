//! What grows in the streams of Gemini CLI, Qwen Code, Droid and cursor-agent.

use std::fmt::Write;

use super::growths::Growth;

macro_rules! say {
    ($out:ident, $($text:tt)*) => { let _ = writeln!($out, $($text)*); };
}

pub fn growths() -> Vec<Growth> {
    vec![
        Growth {
            name: "gemini pieces",
            dialect: "gemini",
            head: r#"{"type":"init","timestamp":"t","session_id":"s","model":"auto"}"#,
            record: |out, number, _| {
                say!(
                    out,
                    r#"{{"type":"message","timestamp":"t{number}","role":"assistant","content":"piece ","delta":true}}"#
                );
            },
        },
        Growth {
            name: "gemini bubbles and calls",
            dialect: "gemini",
            head: r#"{"type":"init","timestamp":"t","session_id":"s","model":"auto"}"#,
            record: |out, number, _| {
                say!(
                    out,
                    r#"{{"type":"message","timestamp":"t","role":"assistant","content":"So.","delta":true}}"#
                );
                say!(
                    out,
                    r#"{{"type":"tool_use","timestamp":"t","tool_name":"glob","tool_id":"g_{number}","parameters":{{"pattern":"*"}}}}"#
                );
                say!(
                    out,
                    r#"{{"type":"tool_result","timestamp":"t","tool_id":"g_{number}","status":"success","output":"a"}}"#
                );
            },
        },
        Growth {
            name: "gemini saved messages and rewinds",
            dialect: "gemini",
            head: r#"{"sessionId":"s","projectHash":"h"}"#,
            record: |out, number, of| {
                say!(out, r#"{{"id":"m{number}","type":"gemini","content":"So."}}"#);
                if number % 3 == 2 {
                    say!(out, r#"{{"$rewindTo":"m{number}"}}"#);
                }
                if number + 1 == of {
                    say!(out, r#"{{"$rewindTo":"nobody"}}"#);
                }
            },
        },
        Growth {
            name: "qwen replies in pieces",
            dialect: "qwen",
            head: r#"{"type":"system","subtype":"init","uuid":"s","session_id":"s","permission_mode":"yolo","qwen_code_version":"1"}"#,
            record: |out, number, _| {
                let mut event = |event: &str| {
                    say!(
                        out,
                        r#"{{"type":"stream_event","uuid":"u","session_id":"s","parent_tool_use_id":null,"event":{event}}}"#
                    );
                };
                event(
                    r#"{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}"#,
                );
                event(r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"a"}}"#);
                say!(
                    out,
                    r#"{{"type":"assistant","uuid":"m{number}","session_id":"s","parent_tool_use_id":null,"message":{{"id":"m{number}","content":[{{"type":"text","text":"a"}}]}}}}"#
                );
            },
        },
        Growth {
            name: "qwen helpers",
            dialect: "qwen",
            head: "",
            record: |out, number, _| {
                say!(
                    out,
                    r#"{{"type":"assistant","uuid":"m{number}","session_id":"s","parent_tool_use_id":null,"message":{{"id":"m{number}","content":[{{"type":"tool_use","id":"c{number}","name":"agent","input":{{"description":"d"}}}}]}}}}"#
                );
            },
        },
        Growth {
            name: "droid messages that grow and calls",
            dialect: "droid",
            head: r#"{"type":"system","subtype":"init","cwd":"/w","session_id":"s","model":"m","reasoning_effort":"low"}"#,
            record: |out, number, _| {
                for text in ["a", "ab"] {
                    say!(
                        out,
                        r#"{{"type":"message","role":"assistant","id":"m{number}","text":"{text}","timestamp":{number},"session_id":"s"}}"#
                    );
                }
                say!(
                    out,
                    r#"{{"type":"tool_call","id":"c{number}","messageId":"m{number}","toolId":"Read","toolName":"Read","parameters":{{}},"session_id":"s"}}"#
                );
                say!(
                    out,
                    r#"{{"type":"tool_result","id":"c{number}","toolId":"Read","isError":false,"value":"x","session_id":"s"}}"#
                );
            },
        },
        Growth {
            name: "cursor pieces and calls",
            dialect: "cursor",
            head: "",
            record: |out, number, _| {
                say!(
                    out,
                    r#"{{"type":"assistant","message":{{"content":[{{"type":"text","text":"a"}}]}},"session_id":"s","timestamp_ms":{number}}}"#
                );
                if number % 8 == 7 {
                    for subtype in ["started", "completed"] {
                        say!(
                            out,
                            r#"{{"type":"tool_call","subtype":"{subtype}","call_id":"c{number}","tool_call":{{"readToolCall":{{"args":{{"path":"p"}}}}}},"session_id":"s","timestamp_ms":{number}}}"#
                        );
                    }
                }
            },
        },
    ]
}
