//! Files in which several programs wrote, one behind the other or line by line: each record is read by its own dialect.

use std::path::Path;

use agent_ui_events::event::RunOutcome;
use agent_ui_events::{Normalizer, Options, Transcript};

/// What comes out of some bytes: items, and events that nothing fits.
#[derive(Clone, Copy)]
struct Seen {
    items: u32,
    unknown: usize,
}

fn read(bytes: &str) -> Seen {
    let mut normalizer = Normalizer::new(Options::default()).expect("default options");
    let mut transcript = Transcript::new();
    let mut events = String::new();
    let mut take = |batch: &agent_ui_events::Batch| {
        transcript.apply(batch);
        batch.iter().for_each(|event| {
            event.write_json(&mut events);
            events.push('\n');
        });
    };
    take(normalizer.push(bytes.as_bytes()).expect("an open stream"));
    take(normalizer.end().expect("an open stream"));
    let unknown = events.lines().filter(|event| event.contains("\"sessionUpdate\":\"unknown\"")).count();
    Seen { items: transcript.len(), unknown }
}

/// A good stream of each dialect whose lines tell it apart from the others.
const STREAMS: [&str; 14] = [
    "claude/whole-turn",
    "claude-transcript/whole-turn",
    "codex/one-turn",
    "codex/a-rollout-tells-each-thing-twice",
    "codex/threads-share-the-pipe-of-the-app-server",
    "evolve/content-of-one-message",
    "gemini/one-run",
    "kimi/kimi-cli-blocks-and-system-marks",
    "kimi/wire-mode-streams-a-turn",
    "opencode/run-prints-parts-as-they-end",
    "pi/a-turn-in-deltas",
    "qwen/one-run-in-whole-lines",
    "cline/one-run",
    "copilot/a-live-run",
];

fn streams() -> Vec<(&'static str, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let stream = |name: &&'static str| {
        let text = std::fs::read_to_string(folder.join(name).join("input.jsonl")).expect("a case");
        (*name, if text.ends_with('\n') { text } else { text + "\n" })
    };
    STREAMS.iter().map(stream).collect()
}

fn program(name: &str) -> &str {
    name.split('/').next().unwrap_or(name)
}

#[test]
fn two_runs_appended_show_what_each_shows_alone() {
    let streams: Vec<_> = streams().into_iter().map(|(name, text)| (name, read(&text), text)).collect();
    for (first, alone, text) in &streams {
        for (second, other, more) in streams.iter().filter(|other| program(other.0) != program(first)) {
            let both = read(&format!("{text}{more}"));
            assert!(
                both.unknown <= alone.unknown + other.unknown,
                "{first} + {second}: {} unknown",
                both.unknown
            );
            assert_eq!(both.items, alone.items + other.items, "{first} + {second}");
        }
    }
}

/// Streams that begin with lines that look like nothing, or whose program takes foreign lines for its own torn ones.
const TOLD_LATE: [&str; 2] = ["kimi/wire-mode-streams-a-turn", "copilot/a-live-run"];

/// Lines of Claude Code and of Qwen Code in turns cannot be told apart; all others can.
#[test]
fn a_log_with_lines_of_two_programs_in_turns_loses_none() {
    let streams: Vec<_> = streams().into_iter().map(|(name, text)| (name, read(&text), text)).collect();
    let mut lost = Vec::new();
    for (first, alone, text) in &streams {
        for (second, other, more) in streams.iter().filter(|other| program(other.0) != program(first)) {
            if matches!((program(first), program(second)), ("claude", "qwen") | ("qwen", "claude"))
                || [first, second].iter().any(|name| TOLD_LATE.contains(*name))
            {
                continue;
            }
            let (mut ours, mut theirs) = (text.lines(), more.lines());
            let mut log = String::new();
            loop {
                let pair = [ours.next(), theirs.next()];
                if pair == [None, None] {
                    break;
                }
                for line in pair.into_iter().flatten() {
                    log.push_str(line);
                    log.push('\n');
                }
            }
            let both = read(&log);
            if both.unknown > alone.unknown + other.unknown {
                lost.push(format!("{first} x {second}: {}", both.unknown));
            }
        }
    }
    assert_eq!(lost, Vec::<String>::new());
}

const OPENCODE: &str = concat!(
    r#"{"type":"step_start","timestamp":1772352001500,"sessionID":"ses_1","part":{"id":"p1","messageID":"m1","sessionID":"ses_1","type":"step-start"}}"#,
    "\n",
    r#"{"type":"step_finish","timestamp":1772352003500,"sessionID":"ses_1","part":{"id":"p2","messageID":"m1","sessionID":"ses_1","type":"step-finish","reason":"stop"}}"#,
    "\n",
);
const CLAUDE: &str = concat!(
    r#"{"type":"system","subtype":"init","session_id":"s","claude_code_version":"2","uuid":"u","model":"m","cwd":"/"}"#,
    "\n",
    r#"{"type":"assistant","session_id":"s","uuid":"u2","message":{"id":"msg_1","content":[{"type":"text","text":"Half"}]}}"#,
    "\n",
);

#[test]
fn an_earlier_run_that_ends_with_the_file_does_not_hide_that_the_last_one_was_cut() {
    let outcome = |text: &str| {
        let mut normalizer = Normalizer::new(Options::default()).expect("default options");
        normalizer.push(text.as_bytes()).expect("an open stream");
        normalizer.end().expect("an open stream");
        normalizer.report().result.outcome
    };
    assert_eq!(outcome(OPENCODE), Some(RunOutcome::Completed), "nothing but the end of the file ends it");
    assert_eq!(outcome(&format!("{OPENCODE}{CLAUDE}")), Some(RunOutcome::Cut));
}

#[test]
fn the_answer_of_one_run_is_not_the_one_of_the_next() {
    let result = r#"{"type":"result","subtype":"success","session_id":"s","uuid":"u3","is_error":false,"result":"Half"}"#;
    let mut normalizer = Normalizer::new(Options::default()).expect("default options");
    normalizer.push(format!("{CLAUDE}{result}\n").as_bytes()).expect("an open stream");
    assert_eq!(normalizer.report().result.text.as_deref(), Some("Half"));
    normalizer.push(CLAUDE.replace(r#":"u"#, r#":"v"#).as_bytes()).expect("an open stream");
    normalizer.end().expect("an open stream");
    let last = normalizer.report().result;
    assert_eq!((last.text, last.outcome), (None, Some(RunOutcome::Cut)));
}
