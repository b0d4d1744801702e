//! Saved Claude sessions: that they show a run as its live stream did, and that partial messages change nothing.
//!
//! Recordings are skipped where they are not at hand.
#![allow(clippy::unwrap_used, reason = "a recording that cannot be read is a failed test")]

mod recorder;

use std::collections::BTreeMap;
use std::path::Path;

use agent_ui_events::dialect::claude::TRANSCRIPT;
use agent_ui_events::event::Role;
use agent_ui_events::transcript::{Body, Transcript};
use agent_ui_events::{Normalizer, Options};

/// What a reader of the list sees of a run: texts per agent in order, and cards by their id.
#[derive(Debug, Default, PartialEq)]
struct Shown {
    texts: BTreeMap<(String, &'static str), Vec<String>>,
    cards: BTreeMap<String, String>,
    plans: Vec<String>,
    agents: usize,
    /// What the main agent said and called, as it stands.
    order: Vec<String>,
}

fn fold(bytes: &[u8]) -> Shown {
    let mut normalizer = Normalizer::new(Options::default()).unwrap();
    let mut transcript = Transcript::new();
    transcript.apply(normalizer.push(bytes).unwrap());
    transcript.apply(normalizer.end().unwrap());
    let mut shown = Shown { agents: transcript.agents().len(), ..Shown::default() };
    for item in transcript.items(0..transcript.len()).iter().filter(|item| item.withdrawn.is_none()) {
        let owner = transcript.parent_of(item.number).map(|name| name.to_string()).unwrap_or_default();
        match &item.body {
            Body::Text(part) if part.role != Role::User && !part.text().is_empty() => {
                let role = if part.role == Role::Agent { "agent" } else { "thought" };
                if owner.is_empty() {
                    shown.order.push(part.text().to_owned());
                }
                shown.texts.entry((owner, role)).or_default().push(part.text().to_owned());
            }
            Body::Tool(card) => {
                let input: serde_json::Value =
                    serde_json::from_str(card.raw_input().unwrap_or("null")).unwrap();
                let words = format!(
                    "{:?} {} {:?} {:?} under {owner:?} {input} {:?} {}",
                    card.tool_name,
                    card.title,
                    card.kind,
                    card.status,
                    card.input_content(),
                    lasting(&format!("{:?}", card.result_content())),
                );
                if owner.is_empty() {
                    shown.order.push(card.tool_call_id.to_string());
                }
                assert_eq!(shown.cards.insert(card.tool_call_id.to_string(), words), None);
            }
            Body::Plan(plan) => shown.plans.push(format!("{plan:?}")),
            _ => {}
        }
    }
    shown
}

/// The words of a result that are the same whenever the run is made: without ids, times and sizes.
fn lasting(text: &str) -> String {
    let words = text.split(|letter: char| !letter.is_alphanumeric());
    let is_id = |word: &str| word.chars().all(|letter| letter.is_ascii_hexdigit());
    let is_number = |word: &str| word.contains(|letter: char| letter.is_ascii_digit());
    words.filter(|word| !is_id(word) && !is_number(word)).collect::<Vec<_>>().join(" ")
}

/// A recording, with the files of its subagents behind it.
fn whole(path: &Path) -> Vec<u8> {
    let mut bytes = std::fs::read(path).unwrap();
    let Ok(entries) = std::fs::read_dir(path.with_extension("d").join("subagents")) else { return bytes };
    let mut files: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|end| end == "jsonl"));
    files.sort();
    for file in files {
        bytes.extend(std::fs::read(file).unwrap());
    }
    bytes
}

/// Recordings of two folders that have the same name.
fn pairs(one: &str, other: &str, is_meant: fn(&str) -> bool) -> Vec<(String, Vec<u8>, Vec<u8>)> {
    let mut found = Vec::new();
    for (path, _) in recorder::recordings(one, ".jsonl") {
        let twin = path.parent().unwrap().with_file_name(other).join(path.file_name().unwrap());
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        if twin.is_file() && is_meant(&name) {
            found.push((name, whole(&path), whole(&twin)));
        }
    }
    found
}

/// `one` may show more agents' texts: a live stream does not print them unless it is asked to.
fn compare(one: &str, other: &str, is_meant: fn(&str) -> bool) {
    let mut wrong = Vec::new();
    for (name, one, other) in pairs(one, other, is_meant) {
        let (mut one, other) = (fold(&one), fold(&other));
        one.texts.retain(|key, _| key.0.is_empty() || other.texts.contains_key(key));
        if one.texts != other.texts {
            wrong.push(format!("{name}: {:?} / {:?}", one.texts, other.texts));
        }
        if one.order != other.order {
            wrong.push(format!("{name}: {:?} / {:?}", one.order, other.order));
        }
        if one.plans != other.plans {
            wrong.push(format!("{name}: {:?} / {:?}", one.plans, other.plans));
        }
        let ids: Vec<_> = one.cards.keys().chain(other.cards.keys()).collect();
        for id in ids {
            let (one, other) = (one.cards.get(id), other.cards.get(id));
            if one != other {
                wrong.push(format!("{name}: {id}\n  {one:?}\n  {other:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn a_saved_session_shows_what_its_live_stream_showed() {
    compare("claude-transcript", "claude-stream", |name| !name.starts_with("cut-") && name != "long");
    // This one is the file of the run with partial messages.
    compare("claude-transcript", "claude-stream-partial", |name| name == "long");
}

/// Where a run broke off, partial messages show more; where it was stopped by hand or made anew with other numbers,
/// the two recordings differ.
#[test]
fn partial_messages_change_nothing() {
    compare("claude-stream-partial", "claude-stream", |name| {
        name != "long"
            && !["cut-", "error-mid", "interrupt-", "killed", "sigint"].iter().any(|it| name.starts_with(it))
    });
}

/// Runs that broke off were made anew, with other numbers in their results, but say and call the same in the same order.
#[test]
fn partial_messages_change_no_order_of_broken_runs() {
    // There the sentence that broke off is printed with partial messages only.
    let differ = ["long", "killed-midtext", "error-midtext-2.1.197"];
    for (path, text) in recorder::recordings("claude-stream-partial", ".jsonl") {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let twin = path.parent().unwrap().with_file_name("claude-stream").join(path.file_name().unwrap());
        if twin.is_file() && !name.starts_with("cut-") && !differ.contains(&&*name) {
            let other = fold(&std::fs::read(twin).unwrap());
            assert_eq!(fold(text.as_bytes()).order, other.order, "{name}");
        }
    }
}

/// Agents whose files are read before the main file have keys of their own, but stand under the same cards.
#[test]
fn the_order_of_a_sessions_files_changes_no_card() {
    for (path, text) in recorder::recordings("claude-transcript", ".jsonl") {
        let main_first = whole(&path);
        let mut main_last = main_first.split_at(std::fs::read(&path).unwrap().len()).1.to_vec();
        if main_last.is_empty() {
            continue;
        }
        main_last.extend(text.as_bytes());
        let (one, other) = (fold(&main_first), fold(&main_last));
        assert_eq!(one.texts, other.texts, "{}", path.display());
        assert_eq!(one.cards, other.cards, "{}", path.display());
        assert_eq!(one.agents, other.agents, "{}", path.display());
    }
}

#[test]
fn each_recording_is_taken_for_what_it_is() {
    for (folder, dialect) in [
        ("claude-transcript", "claude-transcript"),
        ("claude-stream", "claude"),
        ("claude-stream-partial", "claude"),
    ] {
        for (path, text) in recorder::recordings(folder, ".jsonl") {
            let mut normalizer = Normalizer::new(Options::default()).unwrap();
            let three: String = text.split_inclusive('\n').take(3).collect();
            normalizer.push(three.as_bytes()).unwrap();
            assert_eq!(normalizer.report().dialect, Some(dialect), "{}", path.display());
        }
    }
}

#[test]
fn no_other_recording_is_taken_for_a_saved_session() {
    let taken = recorder::taken_for(&TRANSCRIPT);
    let wrong: Vec<_> = taken.iter().filter(|line| !line.contains("claude-transcript")).collect();
    assert!(wrong.is_empty(), "{wrong:?}");
}

#[test]
fn every_recorded_line_of_a_saved_session_is_known() {
    for (path, text) in recorder::recordings("claude-transcript", ".jsonl") {
        let facts = recorder::facts_of(&TRANSCRIPT, &text);
        let name = path.display();
        let unknown = facts.iter().find(|fact| {
            fact.starts_with("unknown") || fact.contains("Unknown(") || fact.contains("wrong-type")
        });
        assert_eq!(unknown.filter(|fact| !fact.starts_with("unclaimed")), None, "{name}");
        assert!(facts.len() >= text.lines().filter(|line| line.ends_with('}')).count(), "{name}");
    }
}
