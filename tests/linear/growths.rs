//! What grows: the records of a stream, and single lines. Each stands for a kind of growth, not for a case.

use std::fmt::Write;

/// An input that grows.
pub struct Growth {
    pub name: &'static str,
    pub dialect: &'static str,
    /// What comes before.
    pub head: &'static str,
    /// The records number `n` of `of`; SSE for vent, else lines.
    pub record: fn(&mut String, n: usize, of: usize),
}

macro_rules! say {
    ($out:ident, $($text:tt)*) => { let _ = writeln!($out, $($text)*); };
}

fn claude_delta(out: &mut String, number: usize, kind: &str, field: &str) {
    say!(
        out,
        r#"{{"type":"stream_event","event":{{"type":"content_block_delta","index":0,"delta":{{"type":"{kind}","{field}":"piece "}}}},"parent_tool_use_id":null,"session_id":"s","uuid":"d-{number}"}}"#
    );
}

fn claude_whole(out: &mut String, id: usize, parent: &str, block: &str) {
    say!(
        out,
        r#"{{"type":"assistant","message":{{"id":"m-{id}","type":"message","role":"assistant","content":[{block}],"usage":{{"input_tokens":9,"output_tokens":1}}}},"parent_tool_use_id":{parent},"session_id":"s","uuid":"a-{id}"}}"#
    );
}

fn claude_result(out: &mut String, id: usize, parent: &str, call: &str) {
    say!(
        out,
        r#"{{"type":"user","message":{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"{call}","content":"ok"}}]}},"parent_tool_use_id":{parent},"session_id":"s","uuid":"r-{id}"}}"#
    );
}

const CLAUDE_STREAM: &str = r#"{"type":"stream_event","event":{"type":"message_start","message":{"id":"m","role":"assistant","content":[]}},"parent_tool_use_id":null,"session_id":"s","uuid":"u-1"}"#;

pub fn growths() -> Vec<Growth> {
    vec![
        Growth {
            name: "claude token deltas",
            dialect: "claude",
            head: CLAUDE_STREAM,
            record: |out, number, _| {
                if number == 0 {
                    say!(
                        out,
                        r#"{{"type":"stream_event","event":{{"type":"content_block_start","index":0,"content_block":{{"type":"text","text":""}}}},"parent_tool_use_id":null,"session_id":"s","uuid":"u-2"}}"#
                    );
                }
                claude_delta(out, number, "text_delta", "text");
            },
        },
        Growth {
            name: "claude argument deltas of one call",
            dialect: "claude",
            head: CLAUDE_STREAM,
            record: |out, number, _| {
                if number == 0 {
                    say!(
                        out,
                        r#"{{"type":"stream_event","event":{{"type":"content_block_start","index":0,"content_block":{{"type":"tool_use","id":"t","name":"Write","input":{{}}}}}},"parent_tool_use_id":null,"session_id":"s","uuid":"u-2"}}"#
                    );
                }
                claude_delta(out, number, "input_json_delta", "partial_json");
            },
        },
        Growth {
            name: "claude history with tools",
            dialect: "claude",
            head: "",
            record: |out, number, _| {
                claude_whole(out, 2 * number, "null", r#"{"type":"text","text":"I look."}"#);
                let call = format!(
                    r#"{{"type":"tool_use","id":"t-{number}","name":"Read","input":{{"file_path":"/{number}"}}}}"#
                );
                claude_whole(out, 2 * number + 1, "null", &call);
                claude_result(out, number, "null", &format!("t-{number}"));
            },
        },
        Growth {
            name: "claude streamed messages",
            dialect: "claude",
            head: "",
            record: |out, number, _| {
                say!(
                    out,
                    r#"{{"type":"stream_event","event":{{"type":"message_start","message":{{"id":"m-{number}","role":"assistant","content":[]}}}},"session_id":"s","uuid":"s-{number}"}}"#
                );
                say!(
                    out,
                    r#"{{"type":"stream_event","event":{{"type":"content_block_start","index":0,"content_block":{{"type":"text","text":""}}}},"session_id":"s","uuid":"b-{number}"}}"#
                );
                claude_delta(out, number, "text_delta", "text");
                if number % 2 == 0 {
                    say!(
                        out,
                        r#"{{"type":"stream_event","event":{{"type":"content_block_stop","index":0}},"session_id":"s","uuid":"e-{number}"}}"#
                    );
                    claude_whole(out, number, "null", r#"{"type":"text","text":"piece "}"#);
                    say!(
                        out,
                        r#"{{"type":"stream_event","event":{{"type":"message_stop"}},"session_id":"s","uuid":"x-{number}"}}"#
                    );
                }
            },
        },
        Growth {
            name: "claude withdrawals",
            dialect: "claude",
            head: "",
            record: |out, number, _| {
                claude_whole(out, number, "null", r#"{"type":"text","text":"I look."}"#);
                if number > 0 {
                    let uuid = number - 1;
                    say!(
                        out,
                        r#"{{"type":"system","subtype":"model_refusal_fallback","content":"Other model","retracted_message_uuids":["a-{uuid}"],"session_id":"s","uuid":"w-{number}"}}"#
                    );
                }
            },
        },
        Growth {
            name: "claude subagents",
            dialect: "claude",
            head: "",
            record: |out, number, _| {
                let call = format!(
                    r#"{{"type":"tool_use","id":"t-{number}","name":"Task","input":{{"description":"d","prompt":"p"}}}}"#
                );
                claude_whole(out, 3 * number, "null", &call);
                let parent = format!("\"t-{number}\"");
                claude_whole(out, 3 * number + 1, &parent, r#"{"type":"text","text":"Inside."}"#);
                let inner = format!(
                    r#"{{"type":"tool_use","id":"i-{number}","name":"Read","input":{{"file_path":"/{number}"}}}}"#
                );
                claude_whole(out, 3 * number + 2, &parent, &inner);
                claude_result(out, 2 * number, &parent, &format!("i-{number}"));
                claude_result(out, 2 * number + 1, "null", &format!("t-{number}"));
            },
        },
        Growth {
            name: "claude turns",
            dialect: "claude",
            head: "",
            record: |out, number, _| {
                say!(
                    out,
                    r#"{{"type":"system","subtype":"init","model":"m","session_id":"s","uuid":"i-{number}"}}"#
                );
                claude_whole(out, number, "null", r#"{"type":"text","text":"Said."}"#);
                say!(
                    out,
                    r#"{{"type":"result","subtype":"success","is_error":false,"result":"Said.","usage":{{"input_tokens":1,"output_tokens":1}},"total_cost_usd":{number},"session_id":"s","uuid":"z-{number}"}}"#
                );
            },
        },
        Growth {
            name: "claude tasks one by one",
            dialect: "claude",
            head: "",
            record: |out, number, _| {
                let call = format!(
                    r#"{{"type":"tool_use","id":"t-{number}","name":"TaskCreate","input":{{"subject":"s {number}"}}}}"#
                );
                claude_whole(out, number, "null", &call);
                claude_result(out, number, "null", &format!("t-{number}"));
            },
        },
        Growth {
            name: "claude lines that come again",
            dialect: "claude",
            head: "",
            record: |out, number, of| {
                claude_whole(out, number % (of / 2), "null", r#"{"type":"text","text":"I look."}"#);
            },
        },
        Growth {
            name: "codex history with tools",
            dialect: "codex",
            head: "{\"type\":\"thread.started\",\"thread_id\":\"t\"}\n{\"type\":\"turn.started\"}",
            record: |out, number, _| {
                for (word, status) in [("started", "in_progress"), ("completed", "completed")] {
                    say!(
                        out,
                        r#"{{"type":"item.{word}","item":{{"id":"item_{number}","type":"command_execution","command":"ls","aggregated_output":"a\n","exit_code":0,"status":"{status}"}}}}"#
                    );
                }
                say!(
                    out,
                    r#"{{"type":"item.completed","item":{{"id":"text_{number}","type":"agent_message","text":"So."}}}}"#
                );
            },
        },
        Growth {
            name: "codex runs that reuse their ids",
            dialect: "codex",
            head: "",
            record: |out, _, _| {
                say!(out, r#"{{"type":"thread.started","thread_id":"t"}}"#);
                say!(out, r#"{{"type":"turn.started"}}"#);
                for (word, status) in [("started", "in_progress"), ("completed", "completed")] {
                    say!(
                        out,
                        r#"{{"type":"item.{word}","item":{{"id":"item_0","type":"command_execution","command":"ls","aggregated_output":"a\n","exit_code":0,"status":"{status}"}}}}"#
                    );
                }
                say!(out, r#"{{"type":"turn.completed","usage":{{"input_tokens":10,"output_tokens":2}}}}"#);
            },
        },
        Growth {
            name: "codex threads",
            dialect: "codex",
            head: "{\"type\":\"thread.started\",\"thread_id\":\"t\"}\n{\"type\":\"turn.started\"}",
            record: |out, number, _| {
                say!(
                    out,
                    r#"{{"type":"item.completed","item":{{"id":"item_{number}","type":"collab_tool_call","tool":"spawn_agent","sender_thread_id":"t","receiver_thread_ids":["th-{number}"],"prompt":"p","agents_states":{{"th-{number}":{{"status":"running","message":null}}}},"status":"completed"}}}}"#
                );
            },
        },
        Growth {
            name: "codex rollout",
            dialect: "codex",
            head: r#"{"timestamp":"2026-01-02T03:04:05Z","type":"session_meta","payload":{"id":"t"}}"#,
            record: |out, number, _| {
                let timestamp = "2026-01-02T03:04:05Z";
                let call = format!(
                    r#""call_id":"c{number}","name":"exec_command","arguments":"{{\"cmd\":\"ls\"}}""#
                );
                say!(
                    out,
                    r#"{{"timestamp":"{timestamp}","type":"response_item","payload":{{"type":"function_call",{call}}}}}"#
                );
                if number % 2 == 0 {
                    say!(
                        out,
                        r#"{{"timestamp":"{timestamp}","type":"response_item","payload":{{"type":"function_call_output","call_id":"c{number}","output":"Process exited with code 0\nOutput:\na"}}}}"#
                    );
                }
            },
        },
        Growth {
            name: "codex app-server threads",
            dialect: "codex",
            head: r#"{"method":"thread/started","params":{"thread":{"id":"t"}}}"#,
            record: |out, number, _| {
                say!(
                    out,
                    r#"{{"method":"item/agentMessage/delta","params":{{"threadId":"th-{number}","itemId":"m","delta":"Hi"}}}}"#
                );
                say!(
                    out,
                    r#"{{"method":"item/agentMessage/delta","params":{{"threadId":"t","itemId":"m{number}","delta":"Hi"}}}}"#
                );
            },
        },
        Growth {
            name: "vent token deltas",
            dialect: "vent",
            head: "",
            record: |out, _, _| {
                say!(out, r#"{{"type": "token", "session_id": "s", "trace_id": "t", "content": "piece "}}"#);
            },
        },
        Growth {
            name: "vent open calls without ids",
            dialect: "vent",
            head: "",
            record: |out, number, of| {
                if number < of / 2 {
                    say!(
                        out,
                        r#"{{"type": "tool_call", "session_id": "s", "tool": "calc", "args": {{"n": {number}}}}}"#
                    );
                } else {
                    say!(
                        out,
                        r#"{{"type": "tool_result", "session_id": "s", "tool": "calc", "content": "{number}", "error": false}}"#
                    );
                }
            },
        },
        Growth {
            name: "vent open calls of many workers",
            dialect: "vent",
            head: "",
            record: |out, number, of| {
                if number < of / 2 {
                    say!(
                        out,
                        r#"{{"type": "tool_call", "session_id": "s", "tool": "calc", "args": {{"n": {number}}}, "agent_id": "w{number}"}}"#
                    );
                } else {
                    say!(
                        out,
                        r#"{{"type": "tool_result", "session_id": "s", "tool": "calc", "content": "{number}", "error": false}}"#
                    );
                }
            },
        },
        Growth {
            name: "vent one id for all calls",
            dialect: "vent",
            head: "",
            record: |out, number, _| {
                say!(
                    out,
                    r#"{{"type": "tool_call", "session_id": "s", "tool": "calc", "args": {{"n": {number}}}, "tool_call_id": "k"}}"#
                );
                say!(
                    out,
                    r#"{{"type": "tool_result", "session_id": "s", "tool": "calc", "content": "{number}", "error": false, "tool_call_id": "k"}}"#
                );
            },
        },
        Growth {
            name: "vent agents in agents",
            dialect: "vent",
            head: "",
            record: |out, number, of| {
                let word = if number < of / 2 { "agent_start" } else { "agent_done" };
                say!(
                    out,
                    r#"{{"type": "{word}", "session_id": "s", "trace_id": "t", "agent": "a", "cn_agent": "a", "duration_ms": 1}}"#
                );
            },
        },
        Growth {
            name: "vent interrupts",
            dialect: "vent",
            head: "",
            record: |out, number, of| {
                if number < of / 2 {
                    say!(
                        out,
                        r#"{{"type": "tool_call", "session_id": "s{number}", "tool": "pay", "args": {{"n": {number}}}, "tool_call_id": "k{number}"}}"#
                    );
                    say!(
                        out,
                        r#"{{"type": "interrupt", "session_id": "s{number}", "tool_approval": {{"calls": [{{"tool": "pay", "tool_call_id": "k{number}", "args": {{}}}}]}}}}"#
                    );
                } else {
                    let number = number - of / 2;
                    say!(
                        out,
                        r#"{{"type": "tool_result", "session_id": "s{number}", "tool": "pay", "content": "paid", "error": false, "tool_call_id": "k{number}"}}"#
                    );
                    say!(out, r#"{{"type": "done", "session_id": "s{number}"}}"#);
                }
            },
        },
        Growth {
            name: "evolve chunks",
            dialect: "evolve",
            head: "",
            record: |out, _, _| {
                say!(
                    out,
                    r#"{{"sessionId":"s","messageId":"m","update":{{"sessionUpdate":"agent_message_chunk","content":{{"type":"text","text":"piece "}}}}}}"#
                );
            },
        },
        Growth {
            name: "evolve history with tools",
            dialect: "evolve",
            head: "",
            record: |out, number, _| {
                say!(
                    out,
                    r#"{{"sessionId":"s","messageId":"m{number}","update":{{"sessionUpdate":"agent_message_chunk","content":{{"type":"text","text":"piece "}}}}}}"#
                );
                say!(
                    out,
                    r#"{{"sessionId":"s","update":{{"sessionUpdate":"tool_call","toolCallId":"t{number}","title":"Read","kind":"read","status":"pending"}}}}"#
                );
                say!(
                    out,
                    r#"{{"sessionId":"s","update":{{"sessionUpdate":"tool_call_update","toolCallId":"t{number}","status":"completed","content":[{{"type":"content","content":{{"type":"text","text":"ok"}}}}]}}}}"#
                );
            },
        },
        Growth {
            name: "evolve sessions",
            dialect: "evolve",
            head: "",
            record: |out, number, _| {
                say!(
                    out,
                    r#"{{"sessionId":"s{number}","update":{{"sessionUpdate":"agent_message_chunk","content":{{"type":"text","text":"piece "}}}}}}"#
                );
                say!(out, r#"{{"_prompt":{{"text":"Again {number}"}}}}"#);
            },
        },
        Growth {
            name: "evolve bridge output in one line",
            dialect: "evolve",
            head: "",
            record: |out, number, of| {
                let done = number + 1 == of;
                say!(
                    out,
                    r#"{{"jsonrpc":"2.0","method":"event","params":{{"type":"stdout","data":"no end ","seq":{number},"done":{done}}}}}"#
                );
            },
        },
        Growth {
            name: "evolve our own items",
            dialect: "evolve",
            head: "",
            record: |out, number, _| {
                say!(
                    out,
                    r#"{{"seq":{number},"item":{number},"update":{{"sessionUpdate":"agent_message_chunk","content":{{"type":"text","text":"On"}}}},"sessionId":"s","source":{{"offset":0,"length":1,"line":1}}}}"#
                );
                say!(
                    out,
                    r#"{{"seq":{number},"update":{{"sessionUpdate":"withdrawn","items":[{number}],"reason":"retry"}},"sessionId":"s","source":{{"offset":0,"length":1,"line":1}}}}"#
                );
            },
        },
        Growth {
            name: "autohand message updates",
            dialect: "autohand",
            head: r#"{"jsonrpc":"2.0","method":"autohand.messageStart","params":{"messageId":"m","role":"assistant"}}"#,
            record: |out, _, _| {
                say!(
                    out,
                    r#"{{"jsonrpc":"2.0","method":"autohand.messageUpdate","params":{{"messageId":"m","delta":"piece "}}}}"#
                );
            },
        },
        Growth {
            name: "autohand history with tools",
            dialect: "autohand",
            head: "",
            record: |out, number, _| {
                say!(
                    out,
                    r#"{{"jsonrpc":"2.0","method":"autohand.turnStart","params":{{"turnId":"turn{number}"}}}}"#
                );
                say!(
                    out,
                    r#"{{"jsonrpc":"2.0","method":"autohand.messageStart","params":{{"messageId":"m{number}","role":"assistant"}}}}"#
                );
                say!(
                    out,
                    r#"{{"jsonrpc":"2.0","method":"autohand.toolStart","params":{{"toolId":"c{number}","toolName":"run_command","args":{{"command":"ls"}}}}}}"#
                );
                say!(
                    out,
                    r#"{{"jsonrpc":"2.0","method":"autohand.permissionRequest","params":{{"requestId":"p{number}","tool":"run_command","description":"List?","context":{{"command":"ls"}},"options":["allow_once","deny_once"]}}}}"#
                );
                say!(
                    out,
                    r#"{{"jsonrpc":"2.0","method":"autohand.toolUpdate","params":{{"toolId":"c{number}","output":"a\n","stream":"stdout"}}}}"#
                );
                say!(
                    out,
                    r#"{{"jsonrpc":"2.0","method":"autohand.toolEnd","params":{{"toolId":"c{number}","toolName":"run_command","success":true,"output":"a\n"}}}}"#
                );
                say!(
                    out,
                    r#"{{"jsonrpc":"2.0","method":"autohand.messageUpdate","params":{{"messageId":"m{number}","delta":"So."}}}}"#
                );
                say!(
                    out,
                    r#"{{"jsonrpc":"2.0","method":"autohand.messageEnd","params":{{"messageId":"m{number}","content":"So."}}}}"#
                );
                say!(
                    out,
                    r#"{{"jsonrpc":"2.0","method":"autohand.turnEnd","params":{{"turnId":"turn{number}"}}}}"#
                );
            },
        },
        Growth {
            name: "autohand calls that never end",
            dialect: "autohand",
            head: "",
            record: |out, number, _| {
                say!(
                    out,
                    r#"{{"jsonrpc":"2.0","method":"autohand.toolStart","params":{{"toolId":"c{number}","toolName":"run_command","args":{{"command":"ls"}}}}}}"#
                );
                say!(
                    out,
                    r#"{{"jsonrpc":"2.0","method":"autohand.permissionRequest","params":{{"requestId":"p{number}","tool":"run_command","description":"List?","context":{{"command":"ls"}},"options":["allow_once","deny_once"]}}}}"#
                );
            },
        },
    ]
}

/// Its name, its dialect, and the line of a size.
pub type LongLine = (&'static str, &'static str, fn(usize) -> String);

/// One line that grows, cut into pieces of 1 KiB.
pub fn long_lines() -> Vec<LongLine> {
    fn claude(content: &str) -> String {
        format!(
            r#"{{"type":"assistant","message":{{"id":"m","role":"assistant","content":{content}}},"session_id":"s","uuid":"u"}}"#
        ) + "\n"
    }
    vec![
        ("a long text", "claude", |size| {
            claude(&format!(r#"[{{"type":"text","text":"{}"}}]"#, "word ".repeat(size)))
        }),
        ("a long text of escapes", "claude", |size| {
            claude(&format!(r#"[{{"type":"text","text":"{}"}}]"#, r"\u00e9\n".repeat(size)))
        }),
        ("many blocks", "claude", |size| {
            let block = r#"{"type":"tool_use","id":"t","name":"Read","input":{"file_path":"/a"}},"#;
            claude(&format!("[{}null]", block.repeat(size / 8)))
        }),
        ("many fields", "claude", |size| {
            let fields: String = (0..size / 8).map(|number| format!(r#""f{number}":1,"#)).collect();
            format!("{{{fields}\"type\":\"assistant\"}}\n")
        }),
        ("deep nesting", "claude", |size| claude(&format!("{}{}", "[".repeat(size), "]".repeat(size)))),
        ("a line that is not JSON", "claude", |size| format!("{{\"type\":{}\n", "[ ".repeat(size))),
        ("prose", "codex", |size| format!("{}\n", "word ".repeat(size))),
        ("a long output", "codex", |size| {
            format!(
                r#"{{"type":"item.completed","item":{{"id":"i","type":"command_execution","command":"ls","aggregated_output":"{}","exit_code":0,"status":"completed"}}}}"#,
                r"line\n".repeat(size)
            ) + "\n"
        }),
        ("many threads", "codex", |size| {
            let ids: String = (0..size / 8).map(|number| format!(r#""th-{number}","#)).collect();
            let states: String = (0..size / 8).map(|number| format!(r#""of-{number}":"running","#)).collect();
            format!(
                r#"{{"type":"item.completed","item":{{"id":"i","type":"collab_tool_call","tool":"spawn_agent","receiver_thread_ids":[{ids}null],"agents_states":{{{states}"x":null}},"status":"completed"}}}}"#
            ) + "\n"
        }),
        ("many options", "autohand", |size| {
            let ids: String = (0..size / 8).map(|number| format!(r#""option-{number}","#)).collect();
            format!(
                r#"{{"jsonrpc":"2.0","method":"autohand.permissionRequest","params":{{"requestId":"p","tool":"t","options":[{ids}null]}}}}"#
            ) + "\n"
        }),
        ("many results", "claude", |size| {
            let result = r#"{"type":"tool_result","tool_use_id":"t","content":"ok"},"#.repeat(size / 8);
            let meta = r#"{"id":"t","permission_decision":{"decision":"accept"}},"#.repeat(size / 8);
            format!(
                r#"{{"type":"user","message":{{"role":"user","content":[{result}null]}},"tool_result_meta":[{meta}null],"uuid":"u"}}"#
            ) + "\n"
        }),
        ("a form of many fields", "claude", |size| {
            let fields: String =
                (0..size / 8).map(|number| format!(r#""f{number}":{{"type":"string"}},"#)).collect();
            let names: String = (0..size / 8).map(|number| format!(r#""f{number}","#)).collect();
            format!(
                r#"{{"type":"control_request","request_id":"r","request":{{"subtype":"elicitation","mcp_server_name":"m","message":"?","requested_schema":{{"properties":{{{fields}"x":null}},"required":[{names}null]}}}}}}"#
            ) + "\n"
        }),
        ("a frame of many strangers", "vent", |size| {
            let fields: String = (0..size / 8).map(|number| format!(r#""f{number}":1,"#)).collect();
            format!(
                "data: {{{fields}\"type\":\"interrupt\",\"session_id\":\"s\",\"tool_approval\":{{{fields}\"tool\":\"t\"}}}}\n\n"
            )
        }),
        ("many plan entries", "evolve", |size| {
            let entry = r#"{"content":"water","status":"pending","priority":"low"},"#.repeat(size / 8);
            format!(r#"{{"update":{{"sessionUpdate":"plan","entries":[{entry}null]}}}}"#) + "\n"
        }),
        ("many withdrawn items", "evolve", |size| {
            let items: String = (0..size / 8).map(|number| format!("{number},")).collect();
            format!(
                r#"{{"seq":1,"update":{{"sessionUpdate":"withdrawn","items":[{items}null],"reason":"r"}},"source":{{"offset":0,"length":1,"line":1}}}}"#
            ) + "\n"
        }),
        ("a long todo list", "codex", |size| {
            let entry = r#"{"text":"water the peas","completed":false},"#;
            format!(
                r#"{{"type":"item.completed","item":{{"id":"i","type":"todo_list","items":[{}null]}}}}"#,
                entry.repeat(size / 8)
            ) + "\n"
        }),
        ("an SSE block of many lines", "vent", |size| {
            format!(
                "data: {{\"type\":\n{}data: \"token\",\"session_id\":\"s\",\"content\":\"x\"}}\n\n",
                "data:  \n".repeat(size)
            )
        }),
        ("a batch", "autohand", |size| {
            let call =
                r#"{"jsonrpc":"2.0","method":"autohand.toolUpdate","params":{"toolId":"c","output":"a"}},"#;
            format!("[{}null]\n", call.repeat(size / 8))
        }),
        ("a bridge line full of lines", "evolve", |size| {
            let inner = r#"{\"type\":\"turn.started\"}\n"#;
            format!(
                r#"{{"jsonrpc":"2.0","method":"event","params":{{"type":"stdout","data":"{}","seq":0,"done":true}}}}"#,
                inner.repeat(size / 8)
            ) + "\n"
        }),
    ]
}
