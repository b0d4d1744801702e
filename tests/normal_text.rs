//! Text parts under odd orders: nothing vanishes, nothing is doubled, a closed part stays closed.

mod folding;

use agent_ui_events::dialect::{CallRef, Context, ErrorFact, Fact, PartKind, PartRef, RunFact, ToolSeen};
use agent_ui_events::event::{ContentBlock, RunPhase, RunScope};
use agent_ui_events::json::Text;
use folding::{Said, fold, fold_all, plain, texts};

const KIND: PartKind = PartKind::Agent;

fn delta(part: PartRef<'static>, text: &'static str) -> Said {
    plain(Fact::PartDelta { part, kind: KIND, text: Text::plain(text) })
}

fn so_far(part: PartRef<'static>, text: &'static str) -> Said {
    plain(Fact::PartSoFar { part, kind: KIND, text: Text::plain(text) })
}

fn whole(part: PartRef<'static>, text: &'static str) -> Said {
    plain(Fact::PartWhole { part, kind: KIND, text: Text::plain(text) })
}

fn end(part: PartRef<'static>) -> Said {
    plain(Fact::PartEnd { part, stop_reason: None, aborted: false })
}

const P: PartRef<'static> = PartRef::Id("p");

#[test]
fn a_whole_text_after_an_empty_closed_part_is_shown() {
    let block = PartRef::Index(0);
    let facts = [
        plain(Fact::PartOpen { part: block, kind: KIND }),
        end(block),
        whole(PartRef::Unclaimed, "all of it"),
    ];
    let (transcript, events) = fold(&facts);
    assert_eq!(texts(&transcript), ["all of it"]);
    assert!(events[0].contains("agent_message_chunk"), "{events:?}");
}

#[test]
fn a_snapshot_after_the_end_adds_only_what_is_new() {
    let facts =
        [whole(P, "Hello"), so_far(P, "Hello"), so_far(P, "Hello, all"), so_far(P, "Hello, all of you")];
    assert_eq!(texts(&fold(&facts).0), ["Hello", ", all of you"]);
}

#[test]
fn a_snapshot_that_comes_round_again_replaces_nothing() {
    let facts = [so_far(P, "Hello"), so_far(P, "Hel"), so_far(P, "Hello!"), end(P)];
    let (transcript, events) = fold(&facts);
    assert_eq!(texts(&transcript), ["Hello!"]);
    assert!(!events.last().is_some_and(|event| event.contains("content")), "{events:?}");
}

#[test]
fn deltas_after_a_contradiction_belong_to_the_new_text() {
    let facts = [so_far(P, "one"), so_far(P, "two"), delta(P, " three"), end(P)];
    assert_eq!(texts(&fold(&facts).0), ["two three"]);
}

#[test]
fn a_right_whole_text_overrules_a_wrong_snapshot() {
    let facts = [so_far(P, "one"), so_far(P, "two"), whole(P, "one")];
    assert_eq!(texts(&fold(&facts).0), ["one"]);
}

#[test]
fn the_end_of_a_main_turn_leaves_a_background_agent_writing() {
    let background = |(_, fact): Said| (Context { agent: Some("b"), ..Context::default() }, fact);
    let block = PartRef::Index(0);
    let facts = [
        plain(Fact::Run(RunFact::of(RunScope::Turn, RunPhase::Start))),
        background(delta(block, "still ")),
        background(delta(PartRef::Run, "in the ")),
        plain(Fact::Run(RunFact::of(RunScope::Turn, RunPhase::End))),
        background(delta(block, "here")),
        background(whole(PartRef::Unclaimed, "still here")),
    ];
    assert_eq!(texts(&fold(&facts).0), ["still here", "in the "]);
}

#[test]
fn half_a_pair_does_not_wait_behind_a_card() {
    let half = Text { trailing_high: Some(0xd83c), ..Text::plain("a") };
    let facts = [
        plain(Fact::PartDelta { part: PartRef::Run, kind: KIND, text: half }),
        plain(Fact::ToolSeen(ToolSeen { name: Some("n"), ..ToolSeen::about(CallRef::New) })),
        delta(PartRef::Run, "b"),
        delta(PartRef::Run, "c"),
    ];
    let (transcript, events) = fold(&facts);
    assert_eq!(texts(&transcript), ["a\u{fffd}", "bc"]);
    assert!(events.last().is_some_and(|event| event.contains("\"c\"")), "{events:?}");
}

#[test]
fn a_stop_reason_that_comes_after_the_whole_text_reaches_the_last_part() {
    let of_message = |(context, fact): Said| (Context { message: Some("m"), ..context }, fact);
    let (first, second) = (PartRef::Index(0), PartRef::Index(1));
    let facts = [
        of_message(delta(first, "one")),
        of_message(delta(second, "two")),
        of_message(whole(PartRef::Unclaimed, "one")),
        of_message(whole(PartRef::Unclaimed, "two")),
        of_message(plain(Fact::MessageEnd { stop_reason: Some("end_turn"), aborted: false })),
        of_message(plain(Fact::MessageEnd { stop_reason: Some("end_turn"), aborted: false })),
    ];
    let (_, events) = fold(&facts);
    let told: Vec<_> = events.iter().filter(|event| event.contains("end_turn")).collect();
    assert_eq!(told.len(), 1, "{events:?}");
    assert!(told[0].contains(r#""item":1"#));
}

#[test]
fn an_empty_block_makes_no_item() {
    let block = ContentBlock::Text { text: "" };
    let (normal, transcript, events) = fold_all(&[plain(Fact::PartBlock { kind: KIND, block })]);
    assert_eq!((transcript.len(), events.len()), (0, 0));
    assert_eq!(normal.ignored_counts(), [("empty-text", 1)]);
}

#[test]
fn the_same_error_in_the_next_turn_is_told_again_where_turns_only_end() {
    let error = plain(Fact::Error(ErrorFact {
        message: "no quota",
        fatal: false,
        code: None,
        retry_after_ms: None,
        repeats: true,
        echoed: false,
    }));
    let over = plain(Fact::Run(RunFact::of(RunScope::Turn, RunPhase::End)));
    let facts = [error.clone(), over.clone(), error.clone(), whole(PartRef::New, "again"), error, over];
    let (_, events) = fold(&facts);
    assert_eq!(events.iter().filter(|event| event.contains("no quota")).count(), 2, "{events:?}");
}

#[test]
fn a_text_and_a_thought_under_one_id_each_run_on() {
    let thought = |text| plain(Fact::PartDelta { part: P, kind: PartKind::Thought, text: Text::plain(text) });
    let facts = [delta(P, "a"), thought("1"), delta(P, "b"), thought("2"), whole(P, "abc"), thought("3")];
    assert_eq!(texts(&fold(&facts).0), ["abc", "123"]);
}
