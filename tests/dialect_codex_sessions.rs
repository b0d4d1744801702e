//! Codex's saved sessions and its app-server: what is recognised, how requests are answered, and that the surfaces of
//! one run fold to the same messages and cards. Whole streams are cases in `tests/cases/codex`.

mod recorder;

use std::collections::HashMap;

use agent_ui_events::dialect::codex::ROW;
use agent_ui_events::dialect::{Choice, Sign};
use agent_ui_events::event::{ContentBlock, Role, ToolContent};
use agent_ui_events::framing::{Container, Record, Source};
use agent_ui_events::json::Value;
use agent_ui_events::transcript::{ToolCard, Transcript};
use agent_ui_events::{Normalizer, Options, Report};
use recorder::{facts_of, recordings, taken_for};

fn sign(line: &str) -> Option<Sign> {
    let record = Record { body: line, event: None, id: None, source: Source::default() };
    let value = Value::parse(line).expect("valid JSON");
    (ROW.detect)(&record, value, Container::JsonLines).map(|(sign, _)| sign)
}

#[test]
fn each_protocol_is_recognised_by_its_first_lines() {
    let certain = [
        r#"{"timestamp":"2026-01-02T03:04:05Z","type":"session_meta","payload":{"id":"t"}}"#,
        r#"{"timestamp":"2026-01-02T03:04:05Z","ordinal":4,"type":"world_state","payload":{}}"#,
        r#"{"id":"0","msg":{"type":"task_started"}}"#,
        r#"{"id":1,"result":{"userAgent":"x","codexHome":"/x"}}"#,
        r#"{"id":2,"result":{"thread":{"id":"t","modelProvider":"p"}}}"#,
        r#"{"method":"turn/started","params":{"threadId":"t","turn":{}}}"#,
        r#"{"method":"configWarning","params":{"summary":"x"},"emittedAtMs":1}"#,
        r#"{"method":"item/fileChange/requestApproval","id":0,"params":{"threadId":"t"}}"#,
        r#"{"jsonrpc":"2.0","method":"codex/event","params":{"id":"0","msg":{"type":"error"}}}"#,
    ];
    for line in certain {
        assert_eq!(sign(line), Some(Sign::Certain), "{line}");
    }
    let likely = [
        r#"{"id":1,"result":{"userAgent":"x"}}"#,
        r#"{"id":2,"method":"thread/start","params":{"cwd":"/x"}}"#,
        r#"{"id":"t","timestamp":"2026-01-02T03:04:05Z","instructions":null}"#,
        r#"{"record_type":"state"}"#,
        r#"{"model":"m","provider":"p","sandbox":"read-only"}"#,
    ];
    for line in likely {
        assert_eq!(sign(line), Some(Sign::Strong), "{line}");
    }
    assert_eq!(sign(r#"{"prompt":"hello"}"#), Some(Sign::Weak));
    let others = [
        r#"{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s"}}"#,
        r#"{"jsonrpc":"2.0","id":1,"result":{"userAgent":"x"}}"#,
        r#"{"timestamp":"2026-01-02T03:04:05Z","type":"assistant","payload":{}}"#,
        r#"{"type":"response_item","payload":{}}"#,
        r#"{"id":"0","msg":"hello"}"#,
        r#"{"id":1,"result":{}}"#,
        r#"{"prompt":"hello","more":1}"#,
        r#"{"method":"ui/open","params":{}}"#,
        r#"{"method":7}"#,
    ];
    for line in others {
        assert_eq!(sign(line), None, "{line}");
    }
}

/// The answer to the only interrupt of a stream.
fn answer(request: &str, choice: &Choice<'_>) -> Result<String, &'static str> {
    let options = Options { dialect: Some("codex".to_owned()), ..Options::default() };
    let mut normalizer = Normalizer::new(options).expect("known options");
    let mut events = String::new();
    for event in normalizer.push(format!("{request}\n").as_bytes()).expect("an open stream").iter() {
        let mut line = String::new();
        event.write_json(&mut line);
        if line.contains(r#""sessionUpdate":"interrupt""#) {
            events = line;
        }
    }
    let reply = ROW.reply.expect("a channel back");
    reply(Value::parse(&events).expect("an interrupt"), choice).map_err(|error| error.code)
}

fn option(id: &str) -> Choice<'_> {
    Choice::Option { id, message: None, edited_input: None }
}

#[test]
fn an_approval_is_answered_under_the_id_of_its_request() {
    let request = r#"{"method":"item/commandExecution/requestApproval","id":7,"params":{"threadId":"t","itemId":"c","command":"ls","availableDecisions":["accept",{"acceptWithExecpolicyAmendment":{"execpolicy_amendment":["ls"]}},"cancel"]}}"#;
    let say = |choice| answer(request, &choice);
    assert_eq!(say(option("accept")).as_deref(), Ok(r#"{"id":7,"result":{"decision":"accept"}}"#));
    assert_eq!(
        say(option("acceptWithExecpolicyAmendment")).as_deref(),
        Ok(
            r#"{"id":7,"result":{"decision":{"acceptWithExecpolicyAmendment":{"execpolicy_amendment":["ls"]}}}}"#
        )
    );
    assert_eq!(say(Choice::Cancel).as_deref(), Ok(r#"{"id":7,"result":{"decision":"cancel"}}"#));
    // Not offered, not known, not possible: never an approval.
    for id in ["acceptForSession", "decline", "yes", ""] {
        assert_eq!(say(option(id)), Err("reply.unknown-option"), "{id}");
    }
    let answers = Value::parse(r#"{"q":["a"]}"#).expect("valid JSON");
    assert_eq!(say(Choice::Answers(answers)), Err("reply.unknown-option"));
    let edited = Choice::Option { id: "accept", message: None, edited_input: Some(answers) };
    assert_eq!(say(edited), Err("reply.not-editable"));
}

#[test]
fn a_rule_that_denies_is_no_approval() {
    let request = r#"{"method":"item/commandExecution/requestApproval","id":7,"params":{"threadId":"t","itemId":"c","availableDecisions":[{"applyNetworkPolicyAmendment":{"network_policy_amendment":{"host":"a.org","action":"allow"}}},{"applyNetworkPolicyAmendment":{"network_policy_amendment":{"host":"a.org","action":"deny"}}}]}}"#;
    for (id, action) in [("applyNetworkPolicyAmendment", "allow"), ("denyNetworkPolicyAmendment", "deny")] {
        let line = answer(request, &option(id)).expect("an answer");
        assert!(line.contains(&format!(r#""action":"{action}""#)), "{line}");
    }
    let given = r#"{"id":7,"result":{"decision":{"applyNetworkPolicyAmendment":{"network_policy_amendment":{"host":"a.org","action":"deny"}}}}}"#;
    let facts = facts_of(&ROW, &format!("{request}\n{given}"));
    let told = facts.iter().find(|fact| fact.contains("Answered")).expect("the end of the request");
    assert!(told.contains("Rejected"), "{told}");
}

#[test]
fn the_first_protocol_has_its_own_words_and_permissions_are_granted_as_asked() {
    let first = r#"{"method":"applyPatchApproval","id":"a","params":{"conversationId":"t","callId":"c","fileChanges":{}}}"#;
    for (id, word) in
        [("accept", "approved"), ("acceptForSession", "approved_for_session"), ("decline", "denied")]
    {
        let expected = format!(r#"{{"id":"a","result":{{"decision":"{word}"}}}}"#);
        assert_eq!(answer(first, &option(id)), Ok(expected));
    }
    assert_eq!(answer(first, &Choice::Cancel).as_deref(), Ok(r#"{"id":"a","result":{"decision":"abort"}}"#));
    let permissions = r#"{"method":"item/permissions/requestApproval","id":1,"params":{"threadId":"t","itemId":"c","permissions":{"network":{"enabled":true}}}}"#;
    assert_eq!(
        answer(permissions, &option("acceptForSession")).as_deref(),
        Ok(r#"{"id":1,"result":{"permissions":{"network":{"enabled":true}},"scope":"session"}}"#)
    );
    assert_eq!(
        answer(permissions, &option("decline")).as_deref(),
        Ok(r#"{"id":1,"result":{"permissions":{},"scope":"turn"}}"#)
    );
}

#[test]
fn questions_take_answers_and_events_take_none() {
    let asked = r#"{"method":"item/tool/requestUserInput","id":3,"params":{"threadId":"t","itemId":"c","questions":[{"id":"q1","question":"Which?","options":[{"label":"A"}]},{"id":"q2","question":"Why?"}]}}"#;
    let answers = Value::parse(r#"{"q1":["A"],"other":["B"]}"#).expect("valid JSON");
    assert_eq!(
        answer(asked, &Choice::Answers(answers)).as_deref(),
        Ok(r#"{"id":3,"result":{"answers":{"q1":{"answers":["A"]}}}}"#)
    );
    assert_eq!(answer(asked, &Choice::Cancel).as_deref(), Ok(r#"{"id":3,"result":{"answers":{}}}"#));
    assert_eq!(answer(asked, &option("accept")), Err("reply.answers-required"));
    let form = r#"{"method":"mcpServer/elicitation/request","id":4,"params":{"threadId":"t","serverName":"s","message":"Code?","requestedSchema":{}}}"#;
    assert_eq!(
        answer(form, &Choice::Answers(answers)).as_deref(),
        Ok(r#"{"id":4,"result":{"action":"accept","content":{"q1":["A"],"other":["B"]}}}"#)
    );
    assert_eq!(
        answer(form, &Choice::Cancel).as_deref(),
        Ok(r#"{"id":4,"result":{"action":"cancel","content":null}}"#)
    );
    let event = r#"{"id":"0","msg":{"type":"exec_approval_request","call_id":"c","command":["ls"]}}"#;
    assert_eq!(answer(event, &option("accept")), Err("reply.no-channel"));
}

#[test]
fn a_taken_up_thread_tells_its_history_once() {
    let history = r#"{"id":2,"result":{"thread":{"id":"t","modelProvider":"p","turns":[{"id":"u","items":[{"type":"agentMessage","id":"m","text":"Before."}]}]}}}"#;
    let usage = r#"{"method":"thread/tokenUsage/updated","params":{"threadId":"t","tokenUsage":{"total":{"inputTokens":9,"outputTokens":1},"last":{"inputTokens":9,"outputTokens":1}}}}"#;
    let lines = [history, usage, r#"{"method":"turn/started","params":{"threadId":"t"}}"#, usage];
    let facts = facts_of(&ROW, &lines.join("\n"));
    let told = |part: &str| facts.iter().filter(|fact| fact.contains(part)).count();
    assert_eq!(told("Before."), 1, "{facts:?}");
    assert_eq!(told("usage Call"), 0, "what was used before this stream is no usage of it: {facts:?}");
    assert_eq!(told("ignored usage-of-earlier-turns"), 1, "{facts:?}");
}

fn folded(bytes: &[u8]) -> (Transcript, Report) {
    let mut normalizer = Normalizer::new(Options::default()).expect("default options");
    let mut transcript = Transcript::new();
    transcript.apply(normalizer.push(bytes).expect("an open stream"));
    transcript.apply(normalizer.end().expect("an open stream"));
    let report = normalizer.report();
    (transcript, report)
}

/// Texts of the main agent that were not taken back, with their roles.
fn texts(transcript: &Transcript) -> Vec<(Role, String)> {
    let items = transcript.items(0..transcript.len()).iter();
    let shown = items.filter(|item| item.withdrawn.is_none() && item.agent_id.is_none());
    let texts = shown.filter_map(|item| item.as_text());
    let texts = texts.filter(|text| text.role != Role::User);
    texts.map(|text| (text.role, text.text().to_owned())).collect()
}

/// What a card says on every surface: what was done, how it ended, what it printed.
fn card_of(card: &ToolCard) -> (String, String, String) {
    let mut printed = String::new();
    // Of a command that runs on, old rollouts keep the first piece.
    let runs_on = card.raw_output().is_some_and(|raw| raw.contains("Process running with session ID"));
    if runs_on {
        return (card.title.to_string(), card.status.as_str().to_owned(), "truncated".to_owned());
    }
    for content in card.result_content() {
        if let ToolContent::Content { content: ContentBlock::Text { text } } = content {
            printed.push_str(text);
        }
    }
    (card.title.to_string(), card.status.as_str().to_owned(), printed)
}

fn cards(transcript: &Transcript) -> Vec<&ToolCard> {
    let items = transcript.items(0..transcript.len()).iter();
    items.filter(|item| item.agent_id.is_none()).filter_map(|item| item.as_tool()).collect()
}

/// `exec` prints no ids of calls, so cards are matched by what they say; it prints no card for calls that were refused,
/// and none for input to a running command.
#[test]
fn a_run_folds_alike_from_its_stream_and_from_its_rollout() {
    let saved: HashMap<_, _> = recordings("codex-rollout", ".jsonl")
        .into_iter()
        .map(|(path, text)| (path.file_name().expect("a file").to_owned(), text))
        .collect();
    let mut compared = 0;
    for (path, live) in recordings("codex-exec", ".jsonl") {
        let Some(saved) = path.file_name().and_then(|name| saved.get(name)) else { continue };
        let name = path.display();
        // Old rollouts keep of a server's tool what the model read: no blocks, and no word of how it ended.
        let tells_servers = saved.contains("McpToolCall");
        let (live, live_report) = folded(live.as_bytes());
        let (saved, saved_report) = folded(saved.as_bytes());
        assert_eq!(texts(&live), texts(&saved), "{name}");
        let mut rest: Vec<_> = cards(&saved).into_iter().map(card_of).collect();
        for card in cards(&live) {
            let of_server = card.tool_name.as_deref().is_some_and(|name| name.starts_with("mcp__"));
            // The stream names no files of a patch but by their absolute paths, prints nothing of it, and shows of a
            // subagent's call only what its threads reported.
            let unlike = card.tool_name.as_deref() == Some("file_change") || card.kind.as_str() == "think";
            let live = card_of(card);
            let is_it = |saved: &(String, String, String)| match (unlike, of_server && !tells_servers) {
                (true, _) => saved.1 == live.1,
                (_, true) => saved.0 == live.0,
                _ => (&saved.0, &saved.1) == (&live.0, &live.1) && printed_alike(&saved.2, &live.2),
            };
            let at = rest.iter().position(is_it);
            rest.remove(at.unwrap_or_else(|| panic!("{name}: {live:?} is not among {rest:?}")));
        }
        // A killed run is billed by its stream never, by its file as far as it came; 0.98 counts alike.
        if live_report.usage.main.prompt.is_some() {
            assert_eq!(live_report.usage.main.prompt, saved_report.usage.main.prompt, "{name}");
            assert_eq!(live_report.usage.main.completion, saved_report.usage.main.completion, "{name}");
        }
        compared += 1;
    }
    assert!(compared == 0 || compared > 20, "{compared}");
}

/// What the model reads of a long output is cut in the middle.
fn printed_alike(saved: &str, live: &str) -> bool {
    saved == live || saved.contains("truncated") || live.is_empty()
}

#[test]
fn a_child_rollout_fed_behind_its_parent_hangs_on_the_call_that_spawned_it() {
    for (path, parent) in recordings("codex-rollout", "subagent.jsonl") {
        let folder = path.with_extension("d");
        let child = std::fs::read_dir(folder).expect("the rollouts of its children").next().expect("one");
        let child = std::fs::read_to_string(child.expect("a file").path()).expect("a rollout");
        let (transcript, report) = folded((parent + &child).as_bytes());
        let mut children = 0;
        for item in transcript.items(0..transcript.len()).iter().filter(|item| item.agent_id.is_some()) {
            let parent = transcript.parent_of(item.number).expect("the call that runs it");
            let card = transcript.card(&parent).and_then(|number| transcript.item(number)?.as_tool());
            assert_eq!(card.and_then(|card| card.tool_name.as_deref()), Some("spawn_agent"));
            children += u32::from(item.as_tool().is_some());
        }
        assert!(children > 0);
        assert!(report.usage.subagents.calls > 0);
    }
}

#[test]
fn recordings_hold_nothing_unknown_and_other_recordings_are_left_alone() {
    let mut all = recordings("codex-rollout", ".jsonl");
    all.extend(recordings("codex-app-server", ".jsonl"));
    for (path, input) in all {
        let cut = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("cut-"));
        for fact in facts_of(&ROW, &input) {
            let odd = ["unknown", "harness", "!", "unclaimed"].iter().any(|word| fact.starts_with(word));
            assert!(!odd || (cut && fact.starts_with("unclaimed")), "{}: {fact}", path.display());
        }
    }
    for line in taken_for(&ROW) {
        assert!(line.contains("/codex-") || line.contains("evolve-recorded"), "{line}");
    }
}
