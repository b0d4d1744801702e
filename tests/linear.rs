//! N9: doubling the input doubles the work, whatever grows.
//!
//! Counted, not timed: a test-only allocator counts allocations and their bytes on this thread. Scans allocate nothing,
//! so `time_grows_as_the_input` (ignored; run it alone in release) looks at the clock over a factor of eight.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::fmt::Write;
use std::time::{Duration, Instant};

use agent_ui_events::framing::Container;
use agent_ui_events::{Normalizer, Options, Transcript};

struct Counting;

thread_local! {
    static COUNT: Cell<u64> = const { Cell::new(0) };
    static BYTES: Cell<u64> = const { Cell::new(0) };
}

fn count(bytes: usize) {
    // A thread that ends has no counters any more.
    let _ = COUNT.try_with(|count| count.set(count.get() + 1));
    let _ = BYTES.try_with(|count| count.set(count.get() + bytes as u64));
}

// SAFETY: every call goes to the system's allocator unchanged; counting touches plain cells and allocates nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the contract of `dealloc`.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size);
        // SAFETY: the caller keeps the contract of `realloc`.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// What a run cost.
#[derive(Clone, Copy, Debug, Default)]
struct Work {
    allocations: u64,
    bytes: u64,
}

fn now() -> Work {
    Work { allocations: COUNT.get(), bytes: BYTES.get() }
}

/// An input that grows.
struct Growth {
    name: &'static str,
    dialect: &'static str,
    /// What comes before.
    head: &'static str,
    /// The records number `n` of `of`; SSE for vent, else lines.
    record: fn(&mut String, n: usize, of: usize),
}

fn input(growth: &Growth, size: usize) -> Vec<String> {
    let mut records: Vec<String> = growth.head.lines().map(str::to_owned).collect();
    for number in 0..size {
        let mut lines = String::new();
        (growth.record)(&mut lines, number, size);
        records.extend(lines.lines().map(str::to_owned));
    }
    let (before, behind) = if growth.dialect == "vent" { ("data: ", "\n\n") } else { ("", "\n") };
    records.into_iter().map(|record| format!("{before}{record}{behind}")).collect()
}

fn options(dialect: &str) -> Options {
    let container = if dialect == "vent" { Container::Sse } else { Container::JsonLines };
    Options { dialect: Some(dialect.to_owned()), container: Some(container), ..Options::default() }
}

/// One push per record, as it comes over the wire.
fn run(growth: &Growth, records: &[String]) -> Work {
    let container = if growth.dialect == "vent" { Container::Sse } else { Container::JsonLines };
    let options = Options {
        dialect: Some(growth.dialect.to_owned()),
        container: Some(container),
        ..Options::default()
    };
    let mut normalizer = Normalizer::new(options).unwrap();
    let mut transcript = Transcript::new();
    let before = now();
    for record in records {
        transcript.apply(normalizer.push(record.as_bytes()).unwrap());
    }
    transcript.apply(normalizer.end().unwrap());
    let after = now();
    assert!(normalizer.report().events > 0, "{}: nothing came", growth.name);
    Work { allocations: after.allocations - before.allocations, bytes: after.bytes - before.bytes }
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

fn growths() -> Vec<Growth> {
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

/// One line that grows, cut into pieces of 1 KiB.
fn long_lines() -> Vec<(&'static str, &'static str, fn(usize) -> String)> {
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

fn run_line(dialect: &str, line: &str) -> Work {
    let mut normalizer = Normalizer::new(options(dialect)).unwrap();
    let mut transcript = Transcript::new();
    let before = now();
    for piece in line.as_bytes().chunks(1024) {
        transcript.apply(normalizer.push(piece).unwrap());
    }
    transcript.apply(normalizer.end().unwrap());
    let after = now();
    Work { allocations: after.allocations - before.allocations, bytes: after.bytes - before.bytes }
}

/// Twice the input, at most 2.2 times the work; growing buffers double, so bytes are looked at over a factor of four.
fn is_linear(name: &str, work: [Work; 3]) -> Option<String> {
    let [one, two, four] = work;
    let counts = [one, two, four].map(|work| work.allocations as f64 + 40.0);
    let bytes = [one, two, four].map(|work| work.bytes as f64 + 64e3);
    let fits = counts[1] <= 2.2 * counts[0] && counts[2] <= 2.2 * counts[1] && bytes[2] <= 5.0 * bytes[0];
    (!fits).then(|| format!("{name}: {one:?} {two:?} {four:?}"))
}

#[test]
fn allocations_grow_as_the_records() {
    let mut wrong = Vec::new();
    for growth in growths() {
        let work = [512, 1024, 2048].map(|size| run(&growth, &input(&growth, size)));
        wrong.extend(is_linear(growth.name, work));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn allocations_grow_as_the_line() {
    let mut wrong = Vec::new();
    for (name, dialect, line) in long_lines() {
        let work = [4096, 8192, 16384].map(|size| run_line(dialect, &line(size)));
        wrong.extend(is_linear(name, work));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn token_deltas_allocate_nothing_once_warm() {
    for growth in growths() {
        let steady = [
            "claude token deltas",
            "claude argument deltas of one call",
            "vent token deltas",
            "evolve chunks",
            "autohand message updates",
        ];
        if !steady.contains(&growth.name) {
            continue;
        }
        let records = input(&growth, 4096);
        let mut normalizer = Normalizer::new(options(growth.dialect)).unwrap();
        let (first, second) = records.split_at(records.len() / 2);
        for record in first {
            normalizer.push(record.as_bytes()).unwrap();
        }
        let before = now();
        for record in second {
            normalizer.push(record.as_bytes()).unwrap();
        }
        let late = now().allocations - before.allocations;
        // The table of record ids still doubles now and then.
        assert!(late <= 4, "{}: {late} allocations in {} records", growth.name, second.len());
    }
}

#[test]
#[ignore = "looks at the clock: run it alone, with --release"]
fn time_grows_as_the_input() {
    let fastest = |work: &dyn Fn()| {
        let time = || {
            let start = Instant::now();
            work();
            start.elapsed()
        };
        (0..3).map(|_| time()).min().unwrap_or(Duration::ZERO)
    };
    let mut wrong = Vec::new();
    let mut judge = |name: &str, times: [Duration; 2]| {
        let ratio = times[1].as_secs_f64() / times[0].as_secs_f64();
        println!("{ratio:6.1}  {name} {times:?}");
        if ratio > 20.0 {
            wrong.push(format!("{name}: eight times the input took {ratio:.0} times as long ({times:?})"));
        }
    };
    for growth in growths() {
        let times = [8_000, 64_000].map(|size| {
            let records = input(&growth, size);
            fastest(&|| {
                run(&growth, &records);
            })
        });
        judge(growth.name, times);
    }
    for (name, dialect, line) in long_lines() {
        let times = [1 << 17, 1 << 20].map(|size| {
            let line = line(size);
            fastest(&|| {
                run_line(dialect, &line);
            })
        });
        judge(name, times);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
