//! A whole history told again adds nothing, fills what it knows more of, and appends what is new.

mod folding;

use agent_ui_events::dialect::{
    Ask, CallRef, Context, Fact, PartKind, PartRef, ToolChanged, ToolSeen, UsageBasis, UsageFact,
};
use agent_ui_events::event::{
    ContentBlock, Interrupt, InterruptKind, Json, LinkSource, List, Notice, PlanEntry, Severity, ToolStatus,
    Update,
};
use agent_ui_events::json::Text;
use folding::{Said, card, fold, fold_all, plain, text_content, texts};
use proptest::prelude::*;

fn list(facts: &[Said]) -> Vec<Said> {
    let open = |open| plain(Fact::MessageList { open });
    [open(true)].into_iter().chain(facts.iter().cloned()).chain([open(false)]).collect()
}

fn whole(part: PartRef<'static>, text: &'static str) -> Said {
    plain(Fact::PartWhole { part, kind: PartKind::Agent, text: Text::plain(text) })
}

fn delta(part: PartRef<'static>, text: &'static str) -> Said {
    plain(Fact::PartDelta { part, kind: PartKind::Agent, text: Text::plain(text) })
}

fn call(call: CallRef<'static>, input: &'static str) -> Said {
    plain(Fact::ToolSeen(ToolSeen { name: Some("n"), input: Some(Json(input)), ..ToolSeen::about(call) }))
}

fn result(call: CallRef<'static>, text: &'static str) -> Said {
    plain(Fact::ToolChanged(ToolChanged {
        status: Some(ToolStatus::Completed),
        content: Some(text_content(text)),
        ..ToolChanged::about(call)
    }))
}

#[test]
fn streamed_texts_are_known_when_they_come_whole() {
    let run = PartRef::Run;
    let mut facts = vec![
        delta(run, "Hel"),
        delta(run, "lo"),
        call(CallRef::Id("t"), "{}"),
        delta(run, "Hello"),
        delta(PartRef::Id("m"), "by"),
    ];
    let before = fold(&facts).0.len();
    facts.extend(list(&[
        whole(PartRef::New, "Hello"),
        call(CallRef::Id("t"), "{}"),
        whole(PartRef::New, "Hello"),
        whole(PartRef::Id("m"), "bye"),
        whole(PartRef::New, "Hello"),
    ]));
    let (transcript, events) = fold(&facts);
    assert_eq!(transcript.len(), before + 1, "{events:?}");
    assert_eq!(texts(&transcript), ["Hello", "Hello", "bye", "Hello"]);
}

#[test]
fn a_text_under_a_new_id_is_not_the_one_of_another_id() {
    let mut facts = vec![whole(PartRef::Id("1"), "ok")];
    facts.extend(list(&[whole(PartRef::Id("2"), "ok"), whole(PartRef::Id("1"), "ok")]));
    assert_eq!(fold(&facts).0.len(), 2);
}

#[test]
fn a_reused_id_is_told_again_in_its_order() {
    let id = CallRef::Id("t");
    let once = [call(id, "1"), result(id, "one"), call(id, "2"), result(id, "two")];
    let facts: Vec<Said> = once.iter().cloned().chain(list(&once)).collect();
    let (transcript, events) = fold(&facts);
    assert_eq!(transcript.len(), 2, "{events:?}");
    assert!(card(&transcript, 0).contains("one") && card(&transcript, 1).contains("two"));
}

#[test]
fn a_list_fills_a_result_that_was_missed() {
    let id = CallRef::Id("t");
    let mut facts = vec![call(id, "1")];
    facts.extend(list(&[call(id, "1"), result(id, "done"), whole(PartRef::New, "new")]));
    let (transcript, _) = fold(&facts);
    assert_eq!(transcript.len(), 2);
    assert!(card(&transcript, 0).contains("done"));
}

#[test]
fn counts_of_a_list_are_not_added_again() {
    let usage = plain(Fact::Usage(UsageFact {
        basis: UsageBasis::RunShare,
        prompt: Some(5.0),
        completion: None,
        cached: None,
        cost: None,
        cost_is_running_total: false,
        extra: None,
    }));
    let facts: Vec<Said> = [usage.clone()].into_iter().chain(list(&[usage.clone(), usage])).collect();
    assert_eq!(fold_all(&facts).0.usage_report().main.prompt, Some(10.0));
}

/// What a history can hold: whole things, with few ids and texts, so that they collide.
fn any_told() -> impl Strategy<Value = Said> {
    let id = prop::sample::select(vec!["a", "b"]);
    let text = prop::sample::select(vec!["x", "xy", "思考"]);
    let kind = prop::sample::select(vec![PartKind::Agent, PartKind::Thought, PartKind::User]);
    let part = prop_oneof![Just(PartRef::New), id.clone().prop_map(PartRef::Id), Just(PartRef::Unclaimed)];
    let called = prop_oneof![
        2 => id.clone().prop_map(CallRef::Id),
        1 => Just(CallRef::New),
        1 => Just(CallRef::Match { id: None, name: "n", lane: None })
    ];
    let input = prop::sample::select(vec!["1", "2"]);
    let texts = (part, kind.clone(), text.clone())
        .prop_map(|(part, kind, text)| plain(Fact::PartWhole { part, kind, text: Text::plain(text) }));
    let blocks = (kind, id.clone()).prop_map(|(kind, data)| {
        let block = ContentBlock::Image { data, mime_type: "image/png", uri: None };
        plain(Fact::PartBlock { kind, block })
    });
    let calls = (called, input).prop_map(|(reference, input)| call(reference, input));
    let results = (id.clone(), text.clone()).prop_map(|(id, text)| result(CallRef::Id(id), text));
    let rest = (id, text).prop_flat_map(|(id, text)| {
        let interrupt =
            Interrupt { kind: InterruptKind::Question, message: Some(text), ..Interrupt::default() };
        let ask = |id| Ask { id, call: None, link: LinkSource::Wire, interrupt: interrupt.clone() };
        let entries = List::Owned(vec![PlanEntry { content: text, ..PlanEntry::default() }]);
        let notice = Notice { severity: Severity::Info, text, stream: None };
        prop_oneof![
            Just(plain(Fact::Ask(ask(None)))),
            Just(plain(Fact::Ask(ask(Some(id))))),
            Just(plain(Fact::PlanSet { entries })),
            Just(plain(Fact::Tell(Update::Notice(notice)))),
        ]
    });
    let agent = prop::option::of(Just("g"));
    (agent, prop_oneof![3 => texts, 1 => blocks, 2 => calls, 2 => results, 1 => rest])
        .prop_map(|(agent, (_, fact))| (Context { agent, ..Context::default() }, fact))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_same_history_again_adds_no_item(facts in prop::collection::vec(any_told(), 0..25)) {
        let before = fold(&facts).0.len();
        let mut twice = facts.clone();
        for _ in 0..2 {
            twice.extend(list(&facts));
        }
        let (transcript, events) = fold(&twice);
        prop_assert_eq!(transcript.len(), before, "{}", events.join("\n"));
    }
}
