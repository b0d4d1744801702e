//! The pipeline as a user meets it: when events leave, what is held, how wrong calls are answered.
#![allow(clippy::unwrap_used, reason = "a test")]

use agent_ui_events::{Normalizer, Options, Updates, detect};

const CHUNK: &str =
    r#"{"update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"Hi"}}}"#;

fn names(normalizer: &mut Normalizer, text: &str) -> Vec<&'static str> {
    normalizer.push(text.as_bytes()).unwrap().iter().map(|event| event.update.name()).collect()
}

#[test]
fn prose_before_any_record_leaves_at_once() {
    let mut normalizer = Normalizer::new(Options::default()).unwrap();
    assert_eq!(names(&mut normalizer, "Loading\n"), ["notice"]);
    assert_eq!(names(&mut normalizer, "Still loading\n"), ["notice"]);
    assert_eq!(names(&mut normalizer, &format!("{CHUNK}\n")), ["agent_message_chunk"]);
    assert_eq!(normalizer.report().dialect, Some("evolve"));
}

#[test]
fn at_most_three_records_wait_for_the_dialect() {
    let mut normalizer = Normalizer::new(Options::default()).unwrap();
    assert_eq!(names(&mut normalizer, "{\"a\":1}\n").len(), 0);
    assert_eq!(names(&mut normalizer, "prose\n").len(), 0);
    assert_eq!(names(&mut normalizer, "{\"a\":2}\n").len(), 0);
    assert_eq!(names(&mut normalizer, "{\"a\":3}\n"), ["unknown", "notice", "unknown", "unknown"]);
    assert_eq!(names(&mut normalizer, "{\"a\":4}\n"), ["unknown"]);
}

#[test]
fn the_end_releases_what_waits() {
    let mut normalizer = Normalizer::new(Options::default()).unwrap();
    assert_eq!(names(&mut normalizer, "{\"a\":1}\n").len(), 0);
    let end: Vec<_> = normalizer.end().unwrap().iter().map(|event| event.update.name()).collect();
    assert_eq!(end, ["unknown"]);
}

#[test]
fn a_dialect_that_comes_late_is_still_found() {
    let mut normalizer = Normalizer::new(Options::default()).unwrap();
    for _ in 0..5 {
        names(&mut normalizer, "{\"a\":1}\n");
    }
    assert_eq!(names(&mut normalizer, &format!("{CHUNK}\n")), ["agent_message_chunk"]);
}

#[test]
fn wrong_calls_name_the_right_ones() {
    let options = Options { dialect: Some("cloude".into()), ..Options::default() };
    let error = Normalizer::new(options).err().unwrap().to_string();
    assert!(error.contains("\"cloude\"") && error.contains("claude") && error.contains("vent"), "{error}");
    let mut normalizer = Normalizer::new(Options::default()).unwrap();
    normalizer.end().unwrap();
    assert!(normalizer.push(b"x").err().unwrap().to_string().contains("new Normalizer"));
    assert!(normalizer.end().err().unwrap().to_string().contains("new Normalizer"));
}

#[test]
fn core_updates_are_numbered_without_gaps() {
    let options = Options { updates: Updates::Core, ..Options::default() };
    let mut normalizer = Normalizer::new(options).unwrap();
    let input = "{\"type\":\"thread.started\",\"thread_id\":\"t\"}\n{\"type\":\"turn.started\"}\n\
        {\"type\":\"item.completed\",\"item\":{\"id\":\"item_0\",\"type\":\"agent_message\",\"text\":\"One\"}}\n\
        {\"type\":\"item.completed\",\"item\":{\"id\":\"item_1\",\"type\":\"agent_message\",\"text\":\"Two\"}}\n";
    let batch = normalizer.push(input.as_bytes()).unwrap();
    let events: Vec<_> = batch.iter().map(|event| (event.seq, event.update.name())).collect();
    assert_eq!(events, [(0, "agent_message_chunk"), (1, "agent_message_chunk")]);
    assert!(normalizer.report().did_work);
}

#[test]
fn detection_says_why() {
    let found = detect(format!("data: {CHUNK}\n\n").as_bytes());
    assert_eq!(found.dialect, Some("evolve"));
    assert_eq!(found.container.map(|container| container.name()), Some("sse"));
    assert!(found.why.contains("record 1"), "{}", found.why);
    assert_eq!(detect(b"plain text\n").dialect, None);
}

/// Nesting is a conclusion on this wire: who starts while another runs may run beside it.
#[test]
fn agents_are_flat_on_demand() {
    let input = "data: {\"type\": \"agent_start\", \"session_id\": \"s\", \"agent\": \"a\", \"cn_agent\": \"A\"}\n\n\
        data: {\"type\": \"agent_start\", \"session_id\": \"s\", \"agent\": \"b\", \"cn_agent\": \"B\"}\n\n\
        data: {\"type\": \"token\", \"session_id\": \"s\", \"content\": \"hi\"}\n\n\
        data: {\"type\": \"agent_done\", \"session_id\": \"s\", \"agent\": \"b\", \"cn_agent\": \"B\"}\n\n";
    let seen = |flat_agents| {
        let mut normalizer = Normalizer::new(Options { flat_agents, ..Options::default() }).unwrap();
        let batch = normalizer.push(input.as_bytes()).unwrap();
        let cards = batch.iter().filter(|event| event.update.name() == "tool_call").count();
        let text = batch.iter().find(|event| event.update.name() == "agent_message_chunk").unwrap();
        (cards, text.envelope.parent_tool_call_id.map(str::to_owned))
    };
    assert_eq!(seen(false), (1, Some("vent~agent~1".to_owned())));
    assert_eq!(seen(true), (0, None));
}

#[test]
fn coalesced_events_fold_to_the_same_and_each_item_has_one_chunk_per_push() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let mut joined = 0;
    for dialect in std::fs::read_dir(root).unwrap() {
        for case in std::fs::read_dir(dialect.unwrap().path()).unwrap() {
            let case = case.unwrap().path();
            let input =
                ["input.jsonl", "input.sse"].iter().find_map(|name| std::fs::read(case.join(name)).ok());
            let Some(input) = input else { continue };
            for size in [usize::MAX, 300] {
                let plain = folded(&input, size, false);
                let coalesced = folded(&input, size, true);
                assert_eq!(plain.0, coalesced.0, "{case:?}");
                joined += plain.1 - coalesced.1;
            }
        }
    }
    assert!(joined > 10, "the cases hold texts in pieces: {joined}");
}

/// The folded state and the number of events; checks that no two text chunks of an item follow each other in a batch.
fn folded(input: &[u8], size: usize, coalesce: bool) -> (String, usize) {
    let mut normalizer = Normalizer::new(Options { coalesce, ..Options::default() }).unwrap();
    let mut transcript = agent_ui_events::Transcript::new();
    let mut events = Vec::new();
    let mut take = |batch: &agent_ui_events::Batch| {
        let mut growing = std::collections::HashSet::new();
        for event in batch.iter() {
            let mut json = String::new();
            event.write_json(&mut json);
            let is_chunk = event.update.name().ends_with("_chunk") && json.contains("\"type\":\"text\"");
            if !is_chunk {
                growing.clear();
            } else if coalesce {
                assert!(growing.insert(event.envelope.item), "{json}");
            }
            events.push(json);
        }
        transcript.apply(batch);
    };
    for chunk in input.chunks(size.min(input.len().max(1))) {
        take(normalizer.push(chunk).unwrap());
    }
    take(normalizer.end().unwrap());
    assert_eq!(normalizer.report().events, events.len() as u64);
    (transcript.dump(), events.len())
}

#[test]
fn a_coalesced_chunk_spans_its_records() {
    let mut normalizer = Normalizer::new(Options { coalesce: true, ..Options::default() }).unwrap();
    let input = format!("{CHUNK}\n{CHUNK}\n{CHUNK}\n");
    let batch = normalizer.push(input.as_bytes()).unwrap();
    assert_eq!(batch.len(), 1);
    let event = batch.get(0).unwrap();
    let mut json = String::new();
    event.write_json(&mut json);
    assert!(json.contains(r#""text":"HiHiHi""#), "{json}");
    assert_eq!((event.source.offset, event.source.length), (0, 3 * CHUNK.len() as u64 + 2));
}

const CLAUDE: &str = r#"{"type":"system","subtype":"init","session_id":"s","claude_code_version":"2","uuid":"u","model":"m","cwd":"/"}"#;
const CODEX: &str =
    r#"{"type":"item.completed","item":{"id":"i1","type":"agent_message","text":"From codex"}}"#;

#[test]
fn a_file_that_goes_on_in_another_dialect_is_read_in_it_and_back() {
    let thread = r#"{"type":"thread.started","thread_id":"t"}"#;
    let text = |id: &str, words: &str| {
        format!(
            r#"{{"type":"assistant","message":{{"id":"{id}","role":"assistant","model":"m","content":[{{"type":"text","text":"{words}"}}]}},"session_id":"s","uuid":"{id}"}}"#
        )
    };
    let input = [CLAUDE, &text("a", "One"), thread, CODEX, &text("b", "Two")].join("\n") + "\n";
    let mut normalizer = Normalizer::new(Options::default()).unwrap();
    let batch = normalizer.push(input.as_bytes()).unwrap();
    let mut json = String::new();
    for event in batch.iter() {
        event.write_json(&mut json);
    }
    for words in ["One", "From codex", "Two"] {
        assert!(json.contains(&format!(r#""text":"{words}""#)), "{words} in {json}");
    }
    assert!(!json.contains("unknown"), "{json}");
    let why = normalizer.report().why;
    assert!(why.contains("codex from line 3 on") && why.contains("claude from line 5 on"), "{why}");
}

#[test]
fn files_of_one_run_go_into_one_transcript_and_sources_name_them() {
    let mut normalizer = Normalizer::new(Options::default()).unwrap();
    normalizer.push(format!("{CLAUDE}\n").as_bytes()).unwrap();
    let other = normalizer.input("rollout-child.jsonl");
    let batch = normalizer.push_to(other, format!("{CODEX}\n").as_bytes()).unwrap();
    let event = batch.iter().find(|event| event.update.name() == "agent_message_chunk").unwrap();
    assert_eq!((event.source.input, event.source.line), (1, 1));
    assert_eq!(normalizer.input_name(other), Some("rollout-child.jsonl"));
    normalizer.push_to(other, b"{broken\n").unwrap();
    normalizer.end_input(other).unwrap();
    assert!(normalizer.push_to(other, b"x").is_err());
    normalizer.end().unwrap();
    let report = normalizer.report();
    assert_eq!(report.dialect, Some("claude"));
    assert!(
        report.diagnostics.iter().any(|told| told.input == 1 && told.line == 2),
        "{:?}",
        report.diagnostics
    );
    assert_eq!(report.bytes, (CLAUDE.len() + CODEX.len() + 2 + 8) as u64);
}
