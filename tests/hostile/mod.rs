//! What the attacks share: the case inputs, a run and all it gives, good records of each dialect, a generator.

use std::fs;
use std::ops::Range;
use std::path::Path;

use agent_ui_events::framing::Container;
use agent_ui_events::transcript::Transcript;
use agent_ui_events::{Batch, Normalizer, Options, Report, UiEvent, check_normal_form};

/// One case input.
pub struct Case {
    /// `<dialect>/<case>`.
    pub name: String,
    /// `None` in the folder of what is not one dialect's.
    pub dialect: Option<String>,
    pub is_sse: bool,
    pub bytes: Vec<u8>,
}

impl Case {
    /// The options that name dialect and container: hostile bytes may stand where detection looks.
    pub fn told(&self) -> Options {
        let container = if self.is_sse { Container::Sse } else { Container::JsonLines };
        Options { dialect: self.dialect.clone(), container: Some(container), ..Options::default() }
    }

    /// Only the dialect is named.
    pub fn dialect_told(&self) -> Options {
        Options { dialect: self.dialect.clone(), ..Options::default() }
    }

    pub fn lines(&self) -> Vec<&str> {
        std::str::from_utf8(&self.bytes).expect("case inputs are text").split_inclusive('\n').collect()
    }

    /// A record of this container.
    pub fn framed(&self, body: &[u8]) -> Vec<u8> {
        match self.is_sse {
            true => [b"data: ", body, b"\n\n"].concat(),
            false => [body, b"\n"].concat(),
        }
    }
}

/// All case inputs, in the order of their names.
pub fn cases() -> Vec<Case> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let mut found = Vec::new();
    for dialect in fs::read_dir(root).unwrap() {
        let dialect = dialect.unwrap().path();
        let dialect_name = dialect.file_name().unwrap().to_string_lossy().into_owned();
        for folder in fs::read_dir(&dialect).unwrap() {
            let folder = folder.unwrap().path();
            let name = format!("{dialect_name}/{}", folder.file_name().unwrap().to_string_lossy());
            let is_sse = folder.join("input.sse").exists();
            let bytes = fs::read(folder.join(if is_sse { "input.sse" } else { "input.jsonl" })).unwrap();
            let dialect = (dialect_name != "any").then(|| dialect_name.clone());
            found.push(Case { name, dialect, is_sse, bytes });
        }
    }
    found.sort_by(|left, right| left.name.cmp(&right.name));
    assert!(!found.is_empty());
    found
}

/// Everything a run gives.
pub struct Outcome {
    pub events: Vec<String>,
    /// Records that an event of a push names, each once.
    pub sources: usize,
    pub report: Report,
    pub transcript: Transcript,
}

impl Outcome {
    /// What must not depend on the cuts, each under its name.
    pub fn parts(&self) -> [(&'static str, String); 4] {
        [
            ("events", self.events.join("\n")),
            ("diagnostics", format!("{:?}", self.report.diagnostics)),
            ("transcript", self.transcript.dump()),
            ("report", format!("{:?}", self.report)),
        ]
    }
}

pub fn run<'a>(options: &Options, chunks: impl Iterator<Item = &'a [u8]>) -> Outcome {
    let mut normalizer = Normalizer::new(options.clone()).unwrap();
    let mut transcript = Transcript::new();
    let mut events = Vec::new();
    let mut offsets = Vec::new();
    let mut take = |batch: &Batch, transcript: &mut Transcript| {
        transcript.apply(batch);
        for event in batch.iter() {
            offsets.push(event.source.offset);
            events.push(json(&event));
        }
    };
    for chunk in chunks {
        take(normalizer.push(chunk).unwrap(), &mut transcript);
    }
    take(normalizer.end().unwrap(), &mut transcript);
    offsets.sort_unstable();
    offsets.dedup();
    Outcome { events, sources: offsets.len(), report: normalizer.report(), transcript }
}

pub fn run_whole(options: &Options, bytes: &[u8]) -> Outcome {
    run(options, std::iter::once(bytes))
}

fn json(event: &UiEvent<'_>) -> String {
    let mut text = String::new();
    event.write_json(&mut text);
    text
}

/// What holds for any bytes; `None` when it does.
pub fn broken_promise(outcome: &Outcome) -> Option<String> {
    let breaches = check_normal_form(&outcome.events.join("\n"));
    if let Some(breach) = breaches.first() {
        let event = outcome.events.get(breach.event as usize).map_or("", String::as_str);
        return Some(format!("{breach:?} in {event}"));
    }
    let report = &outcome.report;
    if report.records != report.records_with_events + report.records_ignored {
        return Some(format!("not every record is accounted for: {report:?}"));
    }
    // What the end makes certain is told at the last record, which may have told nothing itself.
    if outcome.sources as u64 > report.records_with_events + 1
        || (outcome.sources as u64) < report.records_with_events
    {
        return Some(format!("events name {} records: {report:?}", outcome.sources));
    }
    if report.records_ignored > report.ignored.iter().map(|(_, count)| count).sum() {
        return Some(format!("ignored records have no reason: {report:?}"));
    }
    // What is missing at the end stands behind the last byte.
    let remark =
        report.diagnostics.iter().find(|remark| !is_code(remark.code) || remark.offset > report.bytes);
    remark.map(|remark| format!("{remark:?} of {} bytes", report.bytes))
}

/// `[a-z0-9]+(\.[a-z0-9-]+)+`
fn is_code(code: &str) -> bool {
    let mut words = code.split('.');
    let room = words.next().unwrap_or_default();
    let plain = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit();
    let rest: Vec<&str> = words.collect();
    !room.is_empty()
        && room.chars().all(plain)
        && !rest.is_empty()
        && rest
            .iter()
            .all(|word| !word.is_empty() && word.chars().all(|letter| plain(letter) || letter == '-'))
}

/// Records that are beyond reproach, and what they must leave in the transcript.
pub struct Good {
    pub records: &'static [&'static str],
    /// The call's id on the wire.
    pub call: &'static str,
    pub output: &'static str,
    pub text: &'static str,
}

impl Good {
    /// `None` when the transcript shows them whole.
    pub fn missing_in(&self, transcript: &Transcript) -> Option<String> {
        let items = transcript.items(0..transcript.len());
        let card = items.iter().filter(|item| item.withdrawn.is_none()).filter_map(|item| item.as_tool());
        let mut card = card.filter(|card| {
            *card.tool_call_id == *self.call || card.wire_tool_call_id.as_deref() == Some(self.call)
        });
        let Some(card) = card.next() else { return Some("the good call has no card".to_owned()) };
        let shown = format!("{:?} {:?} {}", card.result_content(), card.raw_output(), card.output_text());
        if card.status != agent_ui_events::event::ToolStatus::Completed || !shown.contains(self.output) {
            return Some(format!("the good card is {:?} with {shown}", card.status));
        }
        let texts = items.iter().filter(|item| item.withdrawn.is_none()).filter_map(|item| item.as_text());
        match texts.map(|part| part.text()).any(|text| text.contains(self.text)) {
            true => None,
            false => Some("the good text is missing".to_owned()),
        }
    }
}

/// Good records of a dialect; where it has several formats, one entry each.
pub fn good(dialect: &str) -> &'static [Good] {
    match dialect {
        "amp" => AMP,
        "autohand" => AUTOHAND,
        "claude" => CLAUDE,
        "claude-transcript" => CLAUDE_TRANSCRIPT,
        "cline" => CLINE,
        "codex" => CODEX,
        "copilot" => COPILOT,
        "cursor" => CURSOR,
        "droid" => DROID,
        "evolve" => EVOLVE,
        "gemini" => GEMINI,
        "goose" => GOOSE,
        "kimi" => KIMI,
        "opencode" => OPENCODE,
        "pi" => PI,
        "qwen" => QWEN,
        "vent" => VENT,
        other => panic!("{other} has no good records: add some"),
    }
}

const GEMINI: &[Good] = &[
    Good {
        records: &[
            r#"{"type":"tool_use","timestamp":"t","tool_name":"good","tool_id":"good-call","parameters":{}}"#,
            r#"{"type":"tool_result","timestamp":"t","tool_id":"good-call","status":"success","output":"good output"}"#,
            r#"{"type":"message","timestamp":"t","role":"assistant","content":"The good ","delta":true}"#,
            r#"{"type":"message","timestamp":"t","role":"assistant","content":"text.","delta":true}"#,
        ],
        call: "good-call",
        output: "good output",
        text: "The good text.",
    },
    Good {
        records: &[
            r#"{"id":"good-1","timestamp":"t","type":"gemini","content":"The good text.","toolCalls":[{"id":"good-call","name":"good","args":{},"status":"success","resultDisplay":"good output"}]}"#,
        ],
        call: "good-call",
        output: "good output",
        text: "The good text.",
    },
];

const QWEN: &[Good] = &[
    Good {
        records: &[
            r#"{"type":"assistant","uuid":"good-1","session_id":"good","parent_tool_use_id":null,"message":{"id":"good-1","content":[{"type":"tool_use","id":"good-call","name":"good","input":{}}]}}"#,
            r#"{"type":"user","uuid":"good-2","session_id":"good","parent_tool_use_id":null,"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"good-call","is_error":false,"content":"good output"}]}}"#,
            r#"{"type":"assistant","uuid":"good-3","session_id":"good","parent_tool_use_id":null,"message":{"id":"good-3","content":[{"type":"text","text":"The good text."}]}}"#,
        ],
        call: "good-call",
        output: "good output",
        text: "The good text.",
    },
    Good {
        records: &[
            r#"{"uuid":"good-1","parentUuid":null,"sessionId":"good","type":"assistant","message":{"role":"model","parts":[{"text":"The good text."},{"functionCall":{"id":"good-call","name":"good","args":{}}}]}}"#,
            r#"{"uuid":"good-2","parentUuid":"good-1","sessionId":"good","type":"tool_result","message":{"role":"user","parts":[{"functionResponse":{"id":"good-call","response":{"output":"good output"}}}]}}"#,
        ],
        call: "good-call",
        output: "good output",
        text: "The good text.",
    },
];

const DROID: &[Good] = &[
    Good {
        records: &[
            r#"{"type":"tool_call","id":"good-call","messageId":"good-1","toolId":"Good","toolName":"Good","parameters":{},"session_id":"good"}"#,
            r#"{"type":"tool_result","id":"good-call","toolId":"Good","isError":false,"value":"good output","session_id":"good"}"#,
            r#"{"type":"message","role":"assistant","id":"good-2","text":"The good text.","session_id":"good"}"#,
        ],
        call: "good-call",
        output: "good output",
        text: "The good text.",
    },
    Good {
        records: &[
            r#"{"jsonrpc":"2.0","method":"droid.session_notification","params":{"sessionId":"good","notification":{"type":"create_message","message":{"id":"good-1","role":"assistant","content":[{"type":"tool_use","id":"good-call","name":"Good","input":{}}]}}}}"#,
            r#"{"jsonrpc":"2.0","method":"droid.session_notification","params":{"sessionId":"good","notification":{"type":"tool_result","toolUseId":"good-call","content":"good output"}}}"#,
            r#"{"jsonrpc":"2.0","method":"droid.session_notification","params":{"sessionId":"good","notification":{"type":"assistant_text_delta","messageId":"good-2","blockIndex":0,"textDelta":"The good text."}}}"#,
        ],
        call: "good-call",
        output: "good output",
        text: "The good text.",
    },
];

const CURSOR: &[Good] = &[Good {
    records: &[
        r#"{"type":"tool_call","subtype":"started","call_id":"good-call","tool_call":{"readToolCall":{"args":{"path":"good"}}},"session_id":"good","timestamp_ms":1}"#,
        r#"{"type":"tool_call","subtype":"completed","call_id":"good-call","tool_call":{"readToolCall":{"args":{"path":"good"},"result":{"success":{"content":"good output"}}}},"session_id":"good","timestamp_ms":2}"#,
        r#"{"type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":"The good text."}]},"session_id":"good","model_call_id":"good-1","timestamp_ms":3}"#,
    ],
    call: "good-call",
    output: "good output",
    text: "The good text.",
}];

const CLAUDE_TRANSCRIPT: &[Good] = &[Good {
    records: &[
        r#"{"parentUuid":null,"isSidechain":false,"type":"user","message":{"role":"user","content":"Be good"},"uuid":"g-1","timestamp":"2026-05-01T10:00:00.000Z","sessionId":"good-session"}"#,
        r#"{"parentUuid":"g-1","isSidechain":false,"type":"assistant","message":{"id":"msg_good","role":"assistant","model":"m","content":[{"type":"tool_use","id":"good-call","name":"Bash","input":{"command":"good"}}],"stop_reason":"tool_use"},"uuid":"g-2","timestamp":"2026-05-01T10:00:01.000Z","sessionId":"good-session"}"#,
        r#"{"parentUuid":"g-2","isSidechain":false,"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"good-call","content":"good output"}]},"uuid":"g-3","timestamp":"2026-05-01T10:00:02.000Z","sessionId":"good-session"}"#,
        r#"{"parentUuid":"g-3","isSidechain":false,"type":"assistant","message":{"id":"msg_good2","role":"assistant","model":"m","content":[{"type":"text","text":"The good text."}],"stop_reason":"end_turn"},"uuid":"g-4","timestamp":"2026-05-01T10:00:03.000Z","sessionId":"good-session"}"#,
    ],
    call: "good-call",
    output: "good output",
    text: "The good text.",
}];

const AUTOHAND: &[Good] = &[
    Good {
        records: &[
            r#"{"jsonrpc":"2.0","method":"autohand.turnStart","params":{"turnId":"turn_good"}}"#,
            r#"{"jsonrpc":"2.0","method":"autohand.messageStart","params":{"messageId":"msg_good","role":"assistant"}}"#,
            r#"{"jsonrpc":"2.0","method":"autohand.toolStart","params":{"toolId":"good-call","toolName":"run_command","args":{"command":"good"}}}"#,
            r#"{"jsonrpc":"2.0","method":"autohand.toolEnd","params":{"toolId":"good-call","toolName":"run_command","success":true,"output":"good output\n"}}"#,
            r#"{"jsonrpc":"2.0","method":"autohand.messageUpdate","params":{"messageId":"msg_good","delta":"The good text."}}"#,
        ],
        call: "good-call",
        output: "good output",
        text: "The good text.",
    },
    Good {
        records: &[
            r#"{"type":"message_start","message_id":"m_good","role":"assistant"}"#,
            r#"{"type":"tool_start","tool_id":"good-call","tool_name":"read_file","args":{"path":"a"}}"#,
            r#"{"type":"tool_end","tool_id":"good-call","tool_name":"read_file","success":true,"output":"good output"}"#,
            r#"{"type":"message_update","message_id":"m_good","delta":"The good text."}"#,
        ],
        call: "good-call",
        output: "good output",
        text: "The good text.",
    },
];

const CLAUDE: &[Good] = &[Good {
    records: &[
        r#"{"type":"assistant","message":{"id":"msg_good","type":"message","role":"assistant","content":[{"type":"tool_use","id":"good-call","name":"Read","input":{"file_path":"/good"}}]},"parent_tool_use_id":null,"uuid":"good-1"}"#,
        r#"{"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"good-call","content":"good output\n"}]},"parent_tool_use_id":null,"uuid":"good-2"}"#,
        r#"{"type":"assistant","message":{"id":"msg_good_2","type":"message","role":"assistant","content":[{"type":"text","text":"The good text."}]},"parent_tool_use_id":null,"uuid":"good-3"}"#,
    ],
    call: "good-call",
    output: "good output",
    text: "The good text.",
}];

const CODEX: &[Good] = &[
    Good {
        records: &[
            r#"{"type":"item.started","item":{"id":"good-call","type":"command_execution","command":"good","aggregated_output":"","exit_code":null,"status":"in_progress"}}"#,
            r#"{"type":"item.completed","item":{"id":"good-call","type":"command_execution","command":"good","aggregated_output":"good output\n","exit_code":0,"status":"completed"}}"#,
            r#"{"type":"item.completed","item":{"id":"good-text","type":"agent_message","text":"The good text."}}"#,
        ],
        call: "good-call",
        output: "good output",
        text: "The good text.",
    },
    Good {
        records: &[
            r#"{"timestamp":"2026-01-02T03:04:05.000Z","type":"response_item","payload":{"type":"function_call","call_id":"good-saved","name":"exec_command","arguments":"{\"cmd\":\"good\"}"}}"#,
            r#"{"timestamp":"2026-01-02T03:04:06.000Z","type":"response_item","payload":{"type":"function_call_output","call_id":"good-saved","output":"Process exited with code 0\nOutput:\ngood output\n"}}"#,
            r#"{"timestamp":"2026-01-02T03:04:07.000Z","type":"response_item","payload":{"type":"message","id":"good-message","role":"assistant","content":[{"type":"output_text","text":"The good text."}]}}"#,
        ],
        call: "good-saved",
        output: "good output",
        text: "The good text.",
    },
    Good {
        records: &[
            r#"{"method":"item/started","params":{"threadId":"good","item":{"type":"commandExecution","id":"good-live","command":"good","status":"inProgress"}}}"#,
            r#"{"method":"item/completed","params":{"threadId":"good","item":{"type":"commandExecution","id":"good-live","command":"good","status":"completed","aggregatedOutput":"good output\n","exitCode":0}}}"#,
            r#"{"method":"item/completed","params":{"threadId":"good","item":{"type":"agentMessage","id":"good-live-text","text":"The good text."}}}"#,
        ],
        call: "good-live",
        output: "good output",
        text: "The good text.",
    },
];

const EVOLVE: &[Good] = &[
    Good {
        records: &[
            r#"{"sessionId":"good","update":{"sessionUpdate":"tool_call","toolCallId":"good-call","title":"Run good","kind":"execute","status":"pending"}}"#,
            r#"{"sessionId":"good","update":{"sessionUpdate":"tool_call_update","toolCallId":"good-call","status":"completed","content":[{"type":"content","content":{"type":"text","text":"good output"}}]}}"#,
            r#"{"sessionId":"good","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"The good "}}}"#,
            r#"{"sessionId":"good","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"text."}}}"#,
        ],
        call: "good-call",
        output: "good output",
        text: "The good text.",
    },
    Good {
        records: &[
            r#"{"update":{"sessionUpdate":"tool_call","toolCallId":"good-call","title":"Run good","kind":"execute","status":"pending"}}"#,
            r#"{"update":{"sessionUpdate":"tool_call_update","toolCallId":"good-call","status":"completed","content":[{"type":"content","content":{"type":"text","text":"good output"}}]}}"#,
            r#"{"update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"The good text."}}}"#,
        ],
        call: "good-call",
        output: "good output",
        text: "The good text.",
    },
];

const VENT: &[Good] = &[Good {
    records: &[
        r#"{"type": "tool_call", "session_id": "s-9", "tool": "good_tool", "args": {"q": 1}, "tool_call_id": "good-call"}"#,
        r#"{"type": "tool_result", "session_id": "s-9", "tool": "good_tool", "content": "good output", "error": false, "tool_call_id": "good-call"}"#,
        r#"{"type": "token", "session_id": "s-9", "content": "The good "}"#,
        r#"{"type": "token", "session_id": "s-9", "content": "text."}"#,
    ],
    call: "good-call",
    output: "good output",
    text: "The good text.",
}];

/// A field or element of a JSON text.
pub struct Field {
    /// Its value.
    pub value: Range<usize>,
    /// What to cut out so that the rest is still JSON.
    pub whole: Range<usize>,
}

/// The fields and elements of a JSON text down to a depth, as ranges of it.
pub fn fields(text: &str, depth: usize) -> Vec<Field> {
    use agent_ui_events::json::Value;
    let Ok(root) = Value::parse(text) else { return Vec::new() };
    let range = |value: Value<'_>| {
        let start = value.raw().as_ptr() as usize - text.as_ptr() as usize;
        start..start + value.raw().len()
    };
    let mut found = Vec::new();
    let mut waiting = vec![(root, 0)];
    while let Some((value, level)) = waiting.pop() {
        if level == depth {
            continue;
        }
        let members: Vec<Value<'_>> = match (value.object(), value.array()) {
            (Some(object), _) => object.map(|(_, member)| member).collect(),
            (_, Some(array)) => array.collect(),
            _ => continue,
        };
        let mut before = range(value).start + 1;
        for (number, member) in members.iter().enumerate() {
            let value = range(*member);
            let mut whole = before..value.end;
            // The comma goes with the field: the one before it, or the one behind a first field.
            if number == 0 && members.len() > 1 {
                whole.end += text[value.end..].find(',').unwrap() + 1;
            }
            before = value.end;
            found.push(Field { value, whole });
            waiting.push((*member, level + 1));
        }
    }
    found
}

/// A small generator, so that a failure can be repeated.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % below.max(1) as u64) as usize
    }

    /// Sorted cut positions from 0 to the end, some of them equal: empty chunks.
    pub fn cuts(&mut self, length: usize) -> Vec<usize> {
        let count = 1 + self.next(12);
        let mut cuts: Vec<usize> = (0..count).map(|_| self.next(length + 1)).collect();
        cuts.extend([0, length]);
        cuts.sort_unstable();
        cuts
    }
}

const AMP: &[Good] = &[Good {
    records: &[
        r#"{"type":"assistant","message":{"type":"message","role":"assistant","content":[{"type":"tool_use","id":"good-call","name":"Read","input":{"path":"good"}}]},"parent_tool_use_id":null,"session_id":"T-good"}"#,
        r#"{"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"good-call","content":"good output","is_error":false}]},"parent_tool_use_id":null,"session_id":"T-good"}"#,
        r#"{"type":"assistant","message":{"type":"message","role":"assistant","content":[{"type":"text","text":"The good text."}]},"parent_tool_use_id":null,"session_id":"T-good"}"#,
    ],
    call: "good-call",
    output: "good output",
    text: "The good text.",
}];

const CLINE: &[Good] = &[Good {
    records: &[
        r#"{"ts":"2026-01-01T00:00:00.000Z","type":"agent_event","event":{"type":"iteration_start","iteration":9}}"#,
        r#"{"ts":"2026-01-01T00:00:00.000Z","type":"agent_event","event":{"type":"content_start","contentType":"tool","toolName":"read_file","toolCallId":"good-call","input":{"path":"good"}}}"#,
        r#"{"ts":"2026-01-01T00:00:00.000Z","type":"agent_event","event":{"type":"content_end","contentType":"tool","toolName":"read_file","toolCallId":"good-call","output":"good output"}}"#,
        r#"{"ts":"2026-01-01T00:00:00.000Z","type":"agent_event","event":{"type":"content_start","contentType":"text","text":"The good "}}"#,
        r#"{"ts":"2026-01-01T00:00:00.000Z","type":"agent_event","event":{"type":"content_end","contentType":"text","text":"The good text."}}"#,
    ],
    call: "good-call",
    output: "good output",
    text: "The good text.",
}];

const COPILOT: &[Good] = &[Good {
    records: &[
        r#"{"type":"assistant.message","data":{"messageId":"good-1","content":"","toolRequests":[{"toolCallId":"good-call","name":"view","arguments":{"path":"good"}}]},"id":"good-1","timestamp":"2026-01-01T00:00:00.000Z","parentId":null}"#,
        r#"{"type":"tool.execution_start","data":{"toolCallId":"good-call","toolName":"view","arguments":{"path":"good"}},"id":"good-2","timestamp":"2026-01-01T00:00:00.000Z","parentId":"good-1"}"#,
        r#"{"type":"tool.execution_complete","data":{"toolCallId":"good-call","success":true,"result":{"content":"good output"}},"id":"good-3","timestamp":"2026-01-01T00:00:00.000Z","parentId":"good-2"}"#,
        r#"{"type":"assistant.message_delta","data":{"messageId":"good-2","deltaContent":"The good "},"id":"good-4","timestamp":"2026-01-01T00:00:00.000Z","parentId":"good-3"}"#,
        r#"{"type":"assistant.message","data":{"messageId":"good-2","content":"The good text."},"id":"good-5","timestamp":"2026-01-01T00:00:00.000Z","parentId":"good-4"}"#,
    ],
    call: "good-call",
    output: "good output",
    text: "The good text.",
}];

const GOOSE: &[Good] = &[Good {
    records: &[
        r#"{"type":"message","message":{"id":"good-1","role":"assistant","created":1760000000,"content":[{"type":"toolRequest","id":"good-call","toolCall":{"status":"success","value":{"name":"shell","arguments":{"command":"good"}}}}],"metadata":{"userVisible":true}}}"#,
        r#"{"type":"message","message":{"id":"good-2","role":"user","created":1760000000,"content":[{"type":"toolResponse","id":"good-call","toolResult":{"status":"success","value":{"content":[{"type":"text","text":"good output"}]}}}],"metadata":{"userVisible":true}}}"#,
        r#"{"type":"message","message":{"id":"good-3","role":"assistant","created":1760000000,"content":[{"type":"text","text":"The good "}],"metadata":{"userVisible":true}}}"#,
        r#"{"type":"message","message":{"id":"good-3","role":"assistant","created":1760000000,"content":[{"type":"text","text":"text."}],"metadata":{"userVisible":true}}}"#,
    ],
    call: "good-call",
    output: "good output",
    text: "The good text.",
}];

const KIMI: &[Good] = &[
    Good {
        records: &[
            r#"{"role":"assistant","tool_calls":[{"type":"function","id":"call_good","function":{"name":"Good","arguments":"{\"n\":1}"}}]}"#,
            r#"{"role":"tool","tool_call_id":"call_good","content":"good output"}"#,
            r#"{"role":"assistant","content":"good text"}"#,
        ],
        call: "call_good",
        output: "good output",
        text: "good text",
    },
    Good {
        records: &[
            r#"{"jsonrpc":"2.0","method":"event","params":{"type":"ToolCall","payload":{"type":"function","id":"tc_good","function":{"name":"Good","arguments":"{}"}}}}"#,
            r#"{"jsonrpc":"2.0","method":"event","params":{"type":"ToolResult","payload":{"tool_call_id":"tc_good","return_value":{"is_error":false,"output":"good output"}}}}"#,
            r#"{"jsonrpc":"2.0","method":"event","params":{"type":"StepBegin","payload":{"n":99}}}"#,
            r#"{"jsonrpc":"2.0","method":"event","params":{"type":"ContentPart","payload":{"type":"text","text":"good text"}}}"#,
        ],
        call: "tc_good",
        output: "good output",
        text: "good text",
    },
    Good {
        records: &[
            r#"{"type":"context.append_loop_event","time":1772445600000,"event":{"type":"tool.call","toolCallId":"call_fine","name":"Good","args":{}}}"#,
            r#"{"type":"context.append_loop_event","time":1772445600001,"event":{"type":"tool.result","toolCallId":"call_fine","result":{"output":"good output"}}}"#,
            r#"{"type":"context.append_loop_event","time":1772445600002,"event":{"type":"content.part","part":{"type":"text","text":"good text"}}}"#,
        ],
        call: "call_fine",
        output: "good output",
        text: "good text",
    },
];

const OPENCODE: &[Good] = &[
    Good {
        records: &[
            r#"{"type":"tool_use","timestamp":1772445600000,"sessionID":"ses_good","part":{"id":"prt_good1","messageID":"msg_good","sessionID":"ses_good","type":"tool","tool":"good","callID":"call_good","state":{"status":"completed","input":{},"output":"good output","title":"","metadata":{},"time":{"start":1,"end":2}}}}"#,
            r#"{"type":"text","timestamp":1772445600001,"sessionID":"ses_good","part":{"id":"prt_good2","messageID":"msg_good","sessionID":"ses_good","type":"text","text":"good text","time":{"start":1,"end":2}}}"#,
        ],
        call: "call_good",
        output: "good output",
        text: "good text",
    },
    Good {
        records: &[
            r#"{"id":"evt_good1","type":"message.part.updated","properties":{"sessionID":"ses_good","part":{"id":"prt_good1","messageID":"msg_good","sessionID":"ses_good","type":"tool","tool":"good","callID":"call_good","state":{"status":"completed","input":{},"output":"good output","title":"","metadata":{},"time":{"start":1,"end":2}}}}}"#,
            r#"{"id":"evt_good2","type":"message.part.updated","properties":{"sessionID":"ses_good","part":{"id":"prt_good2","messageID":"msg_good","sessionID":"ses_good","type":"text","text":"","time":{"start":1}}}}"#,
            r#"{"id":"evt_good3","type":"message.part.delta","properties":{"sessionID":"ses_good","messageID":"msg_good","partID":"prt_good2","field":"text","delta":"good "}}"#,
            r#"{"id":"evt_good4","type":"message.part.delta","properties":{"sessionID":"ses_good","messageID":"msg_good","partID":"prt_good2","field":"text","delta":"text"}}"#,
        ],
        call: "call_good",
        output: "good output",
        text: "good text",
    },
];

const PI: &[Good] = &[
    Good {
        records: &[
            r#"{"type":"message_start","message":{"role":"assistant","content":[]}}"#,
            r#"{"type":"message_update","assistantMessageEvent":{"type":"text_delta","contentIndex":0,"delta":"good "}}"#,
            r#"{"type":"message_update","assistantMessageEvent":{"type":"text_delta","contentIndex":0,"delta":"text"}}"#,
            r#"{"type":"tool_execution_start","toolCallId":"call_good","toolName":"good","args":{}}"#,
            r#"{"type":"tool_execution_end","toolCallId":"call_good","toolName":"good","result":{"content":[{"type":"text","text":"good output"}]},"isError":false}"#,
        ],
        call: "call_good",
        output: "good output",
        text: "good text",
    },
    Good {
        records: &[
            r#"{"type":"message","id":"e_good1","parentId":null,"message":{"role":"assistant","content":[{"type":"text","text":"good text"},{"type":"toolCall","id":"call_good","name":"good","arguments":{}}]}}"#,
            r#"{"type":"message","id":"e_good2","parentId":"e_good1","message":{"role":"toolResult","toolCallId":"call_good","toolName":"good","content":[{"type":"text","text":"good output"}],"isError":false}}"#,
        ],
        call: "call_good",
        output: "good output",
        text: "good text",
    },
];
