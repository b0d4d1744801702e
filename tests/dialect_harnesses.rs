//! Kimi, OpenCode and Pi: which records are theirs, that all surfaces of one run fold alike, and what answers look like.
#![allow(clippy::unwrap_used, reason = "a case that cannot be read is a failed test")]

mod recorder;

use agent_ui_events::dialect::{Choice, DialectRow, Sign, kimi, opencode, pi, rows};
use agent_ui_events::framing::{Container, Record, Source};
use agent_ui_events::json::Value;
use agent_ui_events::transcript::{Body, Transcript};
use agent_ui_events::{Normalizer, Options, detect};

fn sign(row: &DialectRow, line: &str) -> Option<Sign> {
    let record = Record { body: line, event: None, id: None, source: Source::default() };
    (row.detect)(&record, Value::parse(line).unwrap(), Container::JsonLines).map(|(sign, _)| sign)
}

#[test]
fn each_knows_its_own_records() {
    let cases: [(&DialectRow, Sign, &str); 18] = [
        (&kimi::ROW, Sign::Certain, r#"{"role":"meta","type":"system.version","version":"2.1.0"}"#),
        (
            &kimi::ROW,
            Sign::Strong,
            r#"{"role":"assistant","tool_calls":[{"id":"c","function":{"name":"n"}}]}"#,
        ),
        (&kimi::ROW, Sign::Strong, r#"{"role":"tool","tool_call_id":"c","content":"x"}"#),
        (&kimi::ROW, Sign::Weak, r#"{"role":"assistant","content":"Hi"}"#),
        (
            &kimi::ROW,
            Sign::Certain,
            r#"{"jsonrpc":"2.0","method":"event","params":{"type":"TurnEnd","payload":{}}}"#,
        ),
        (&kimi::ROW, Sign::Certain, r#"{"type":"metadata","protocol_version":"1.5"}"#),
        (&kimi::ROW, Sign::Certain, r#"{"timestamp":1.5,"message":{"type":"TurnEnd","payload":{}}}"#),
        (
            &opencode::ROW,
            Sign::Certain,
            r#"{"type":"step_start","timestamp":1,"sessionID":"ses_1","part":{}}"#,
        ),
        (&opencode::ROW, Sign::Strong, r#"{"type":"text","timestamp":1,"sessionID":"x","part":{}}"#),
        (&opencode::ROW, Sign::Certain, r#"{"type":"server.connected","properties":{}}"#),
        (&opencode::ROW, Sign::Certain, r#"{"id":"evt_1","type":"plugin.added","properties":{}}"#),
        (&opencode::ROW, Sign::Certain, r#"{"directory":"/d","payload":{"type":"x","properties":{}}}"#),
        (&opencode::ROW, Sign::Certain, r#"{"type":"session.next.prompted","data":{}}"#),
        (&pi::ROW, Sign::Certain, r#"{"type":"session","version":3,"id":"a","cwd":"/"}"#),
        (&pi::ROW, Sign::Certain, r#"{"type":"message_update","assistantMessageEvent":{"type":"done"}}"#),
        (
            &pi::ROW,
            Sign::Strong,
            r#"{"type":"tool_execution_end","toolCallId":"c","toolName":"n","isError":false}"#,
        ),
        (&pi::ROW, Sign::Strong, r#"{"type":"message","id":"b","parentId":"a","message":{"role":"user"}}"#),
        (&pi::ROW, Sign::Weak, r#"{"type":"agent_start"}"#),
    ];
    for (row, expected, line) in cases {
        assert_eq!(sign(row, line), Some(expected), "{} {line}", row.name);
        let others = rows().iter().filter(|other| other.name != row.name);
        for other in others.filter(|_| expected == Sign::Certain) {
            assert!(sign(other, line) < Some(Sign::Certain), "{} claims {line}", other.name);
        }
    }
}

#[test]
fn look_alikes_are_left_alone() {
    let lines = [
        r#"{"role":"assistant","content":"x","timestamp":"2026-01-01T00:00:00Z"}"#,
        r#"{"type":"message","timestamp":"t","role":"assistant","content":"x","delta":true}"#,
        r#"{"jsonrpc":"2.0","method":"event","params":{"type":"content","session_id":"s","update":{}}}"#,
        r#"{"jsonrpc":"2.0","method":"session/update","params":{}}"#,
        r#"{"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant"}}"#,
        r#"{"type":"message_start","messageId":"m1"}"#,
        r#"{"type":"agent_start","model":"m","workspace":"/w"}"#,
        r#"{"type":"error","message":"gone"}"#,
        r#"{"type":"text","text":"x"}"#,
        r#"{"type":"session","id":"x"}"#,
        "[1]",
        "7",
    ];
    for line in lines {
        for row in [&kimi::ROW, &opencode::ROW, &pi::ROW] {
            assert_eq!(sign(row, line), None, "{} {line}", row.name);
        }
    }
}

/// Where the recordings are at hand: ours are recognised, nobody else's are.
#[test]
fn recordings_are_told_apart() {
    let roots = ["../shared/traces", "../../shared/traces"];
    let Some(root) = roots.iter().map(std::path::Path::new).find(|root| root.is_dir()) else { return };
    for folder in
        std::fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_dir())
    {
        let name = folder.file_name().unwrap().to_string_lossy().into_owned();
        let ours = ["kimi", "opencode", "pi"].into_iter().find(|ours| {
            name.strip_prefix(ours).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
        });
        for file in std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()) {
            let is_recording =
                file.extension().is_some_and(|it| it == "jsonl" || it == "sse" || it == "ndjson");
            if !is_recording {
                continue;
            }
            let bytes = std::fs::read(&file).unwrap();
            let found = detect(&bytes).dialect;
            let tells = bytes.starts_with(b"{") || bytes.starts_with(b"data:");
            match ours {
                Some(_) if !tells => assert_eq!(found, None, "{}", file.display()),
                Some(ours) => assert_eq!(found, Some(ours), "{}", file.display()),
                None => {
                    let taken = found.filter(|found| ["kimi", "opencode", "pi"].contains(found));
                    assert_eq!(taken, None, "{}", file.display());
                }
            }
        }
    }
}

/// Texts and cards of a case, in words.
fn folded(case: &str) -> Vec<String> {
    let base = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases").join(case);
    folded_text(&std::fs::read(base.join("input.jsonl")).unwrap())
}

fn folded_text(bytes: &[u8]) -> Vec<String> {
    let mut normalizer = Normalizer::new(Options::default()).unwrap();
    let mut transcript = Transcript::new();
    transcript.apply(normalizer.push(bytes).unwrap());
    transcript.apply(normalizer.end().unwrap());
    let items = transcript.items(0..transcript.len()).iter().filter(|item| item.withdrawn.is_none());
    let words = items.filter_map(|item| match &item.body {
        Body::Text(part) => Some(format!("{:?} {:?}", part.role, item.as_text()?.text())),
        Body::Tool(card) => Some(format!(
            "{} {:?} {:?} {:?} {:?} {:?} {:?}",
            card.tool_call_id,
            card.tool_name,
            card.title,
            card.status,
            card.raw_input(),
            card.input_content(),
            card.result_content()
        )),
        _ => None,
    });
    words.collect()
}

#[test]
fn pi_folds_alike_streamed_with_and_without_snapshots_and_from_its_file() {
    let live = folded("pi/a-turn-in-deltas");
    assert_eq!(live.len(), 6);
    assert_eq!(folded("pi/a-turn-with-snapshots"), live);
    assert_eq!(folded("pi/a-session-file"), live);
}

#[test]
fn kimi_folds_alike_in_wire_mode_and_from_its_file() {
    let live = folded("kimi/wire-mode-streams-a-turn");
    assert_eq!(live.len(), 6);
    assert_eq!(folded("kimi/session-file-of-kimi-cli"), live);
}

#[test]
fn opencode_folds_alike_printed_and_from_the_bus() {
    let tool = |status: &str| {
        let rest = if status == "running" {
            r#""title":"t","time":{"start":1}"#
        } else {
            r#""output":"ok","title":"t","metadata":{"exit":0},"time":{"start":1,"end":2}"#
        };
        format!(
            r#"{{"id":"p2","messageID":"m","sessionID":"ses_1","type":"tool","tool":"bash","callID":"c","state":{{"status":"{status}","input":{{"command":"ls"}},{rest}}}}}"#
        )
    };
    let text = r#"{"id":"p1","messageID":"m","sessionID":"ses_1","type":"text","text":"Hi.","time":{"start":1,"end":2}}"#;
    let open = text.replace("Hi.", "").replace(r#","end":2"#, "");
    let run = format!(
        "{{\"type\":\"text\",\"timestamp\":1,\"sessionID\":\"ses_1\",\"part\":{text}}}\n{{\"type\":\"tool_use\",\"timestamp\":2,\"sessionID\":\"ses_1\",\"part\":{}}}\n",
        tool("completed")
    );
    let updated = |part: &str| {
        format!(
            "data: {{\"type\":\"message.part.updated\",\"properties\":{{\"sessionID\":\"ses_1\",\"part\":{part}}}}}\n\n"
        )
    };
    let delta = "data: {\"type\":\"message.part.delta\",\"properties\":{\"sessionID\":\"ses_1\",\"messageID\":\"m\",\"partID\":\"p1\",\"field\":\"text\",\"delta\":\"Hi\"}}\n\n";
    let bus = [
        updated(&open),
        delta.to_owned(),
        updated(text),
        updated(&tool("running")),
        updated(&tool("completed")),
    ];
    let live = folded_text(run.as_bytes());
    assert_eq!(live.len(), 2);
    assert_eq!(folded_text(bus.concat().as_bytes()), live);
}

/// The interrupt events of a case.
fn interrupts(case: &str) -> Vec<String> {
    let base = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases").join(case);
    let events = std::fs::read_to_string(base.join("expected.jsonl")).unwrap();
    let asks = events.lines().filter(|event| event.contains(r#""sessionUpdate":"interrupt","#));
    asks.map(str::to_owned).collect()
}

fn option(id: &'static str, message: Option<&'static str>) -> Choice<'static> {
    Choice::Option { id, message, edited_input: None }
}

fn reply(row: &DialectRow, event: &str, choice: &Choice<'_>) -> Result<String, &'static str> {
    let answer = row.reply.unwrap()(Value::parse(event).unwrap(), choice);
    answer.map_err(|error| error.code)
}

#[test]
fn answers_take_the_form_of_each_wire() {
    let answers = |raw: &'static str| Choice::Answers(Value::parse(raw).unwrap());
    let kimi_asks = interrupts("kimi/wire-mode-asks-and-delegates");
    let [approval, question] = kimi_asks.as_slice() else { panic!("{kimi_asks:?}") };
    let of_kimi = |event, choice| reply(&kimi::ROW, event, &choice);
    assert_eq!(
        of_kimi(approval, option("reject", Some("too loud"))).unwrap(),
        r#"{"jsonrpc":"2.0","id":"r-1","result":{"request_id":"ap1","response":"reject","feedback":"too loud"}}"#
    );
    assert_eq!(
        of_kimi(question, answers(r#"{"0":["North"]}"#)).unwrap(),
        r#"{"jsonrpc":"2.0","id":"r-2","result":{"request_id":"q1","answers":{"Which side?":"North"}}}"#
    );
    assert_eq!(of_kimi(approval, option("burn", None)), Err("reply.unknown-option"));
    assert_eq!(of_kimi(question, option("approve", None)), Err("reply.answers-required"));
    assert_eq!(of_kimi(approval, answers(r#"{"0":["x"]}"#)), Err("reply.unknown-option"));
    assert_eq!(of_kimi(question, answers(r#"{"1":["x"]}"#)), Err("reply.answers-required"));

    let asks = interrupts("opencode/bus-asks-for-permission-and-answers");
    let of_opencode = |at: usize, choice| reply(&opencode::ROW, &asks[at], &choice);
    assert_eq!(of_opencode(0, option("always", None)).unwrap(), r#"{"reply":"always"}"#);
    assert_eq!(of_opencode(2, option("always", None)), Err("reply.unknown-option"));
    assert_eq!(of_opencode(2, Choice::Cancel).unwrap(), r#"{"reply":"reject"}"#);
    assert_eq!(
        of_opencode(3, answers(r#"{"0":["Red","Green"]}"#)).unwrap(),
        r#"{"answers":[["Red","Green"]]}"#
    );
    assert_eq!(of_opencode(3, Choice::Cancel), Err("reply.no-channel"));

    let asks = interrupts("pi/rpc-extensions-ask");
    let of_pi = |at: usize, choice| reply(&pi::ROW, &asks[at], &choice);
    assert_eq!(
        of_pi(0, answers(r#"{"0":"Rye"}"#)).unwrap(),
        r#"{"type":"extension_ui_response","id":"u1","value":"Rye"}"#
    );
    assert_eq!(
        of_pi(1, answers(r#"{"0":["true"]}"#)).unwrap(),
        r#"{"type":"extension_ui_response","id":"u2","confirmed":true}"#
    );
    assert_eq!(of_pi(1, answers(r#"{"0":["maybe"]}"#)), Err("reply.answers-required"));
    assert_eq!(
        of_pi(2, Choice::Cancel).unwrap(),
        r#"{"type":"extension_ui_response","id":"u3","cancelled":true}"#
    );
}

#[test]
fn what_the_records_say_as_facts() {
    let facts = recorder::facts_of(
        &kimi::ROW,
        "{\"role\":\"assistant\",\"tool_calls\":[{\"id\":\"c\",\"function\":{\"name\":\"Bash\",\"arguments\":\"{\\\"command\\\":\\\"ls\\\"\"}}]}",
    );
    assert_eq!(
        facts,
        [
            "run Run Start",
            "restart",
            "seen c name=\"Bash\" title=\"Run command\" kind=Execute status=InProgress input=\"\\\"{\\\\\\\"command\\\\\\\":\\\\\\\"ls\\\\\\\"\\\"\"",
        ]
    );
}
