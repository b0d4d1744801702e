//! The promises of the normal form, for facts in any order: no dialect, no bytes.

mod folding;

use agent_ui_events::dialect::{
    AgentSeen, Answered, Ask, AskRef, CallRef, Context, ErrorFact, Fact, PartKind, PartRef, PlanPatch,
    RunFact, ToolChanged, ToolSeen, UsageBasis, UsageFact, WithdrawTarget,
};
use agent_ui_events::event::{
    AgentStatus, Artifact, ContentBlock, Interrupt, InterruptKind, InterruptOutcome, Json, LinkSource, List,
    Location, Notice, PlanEntry, RunOutcome, RunPhase, RunScope, Severity, ToolContent, ToolKind, ToolStatus,
    Update,
};
use agent_ui_events::json::Text;
use folding::{card, fold, text_content, texts};
use proptest::prelude::*;

fn diff() -> List<'static, ToolContent<'static>> {
    List::Owned(vec![ToolContent::Diff { path: "a.rs", old_text: Some("x"), new_text: "y" }])
}

fn permutations<T: Clone>(items: &[T]) -> Vec<Vec<T>> {
    if items.is_empty() {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for (index, first) in items.iter().enumerate() {
        let mut rest = items.to_vec();
        rest.remove(index);
        for mut tail in permutations(&rest) {
            tail.insert(0, first.clone());
            all.push(tail);
        }
    }
    all
}

#[test]
fn tool_facts_in_any_order_give_the_same_card() {
    let call = Fact::ToolSeen(ToolSeen {
        name: Some("Edit"),
        title: Some("Edit `a.rs`"),
        kind: Some(ToolKind::Edit),
        input: Some(Json(r#"{"path":"a.rs"}"#)),
        content: Some(diff()),
        locations: Some(List::Owned(vec![Location { path: "a.rs", line: None }])),
        ..ToolSeen::about(CallRef::Id("t1"))
    });
    let running = Fact::ToolChanged(ToolChanged {
        status: Some(ToolStatus::InProgress),
        ..ToolChanged::about(CallRef::Id("t1"))
    });
    let named =
        Fact::ToolChanged(ToolChanged { name: Some("Edit"), ..ToolChanged::about(CallRef::Id("t1")) });
    let result = Fact::ToolChanged(ToolChanged {
        status: Some(ToolStatus::Completed),
        content: Some(text_content("done")),
        output: Some(Json(r#"{"ok":true}"#)),
        ..ToolChanged::about(CallRef::Id("t1"))
    });
    let mut cards = Vec::new();
    for order in permutations(&[call.clone(), running, named, result, call]) {
        let facts: Vec<_> = order.into_iter().map(|fact| (Context::default(), fact)).collect();
        let (transcript, events) = fold(&facts);
        assert_eq!(transcript.len(), 1, "{}", events.join("\n"));
        cards.push((card(&transcript, 0), events));
    }
    assert_eq!(cards.len(), 120);
    for (card, events) in &cards {
        assert_eq!(card, &cards[0].0, "{}", events.join("\n"));
    }
}

#[test]
fn a_reused_id_is_a_new_card_and_a_repeat_is_none() {
    let call = |input: &'static str, title| {
        Fact::ToolSeen(ToolSeen {
            name: Some("Bash"),
            title: Some(title),
            input: Some(Json(input)),
            ..ToolSeen::about(CallRef::Id("item_1"))
        })
    };
    let result = |text| {
        Fact::ToolChanged(ToolChanged {
            status: Some(ToolStatus::Completed),
            content: Some(text_content(text)),
            ..ToolChanged::about(CallRef::Id("item_1"))
        })
    };
    let facts = [
        call(r#"{"c":"ls"}"#, "`ls`"),
        result("a"),
        call(r#"{"c":"ls"}"#, "`ls`"),
        call(r#"{"c":"pwd"}"#, "`pwd`"),
        result("/"),
    ];
    let facts: Vec<_> = facts.into_iter().map(|fact| (Context::default(), fact)).collect();
    let (transcript, events) = fold(&facts);
    assert_eq!(transcript.len(), 2);
    assert!(events.iter().any(|event| event.contains(r#""toolCallId":"item_1~2""#)
        && event.contains(r#""wireToolCallId":"item_1""#)));
    assert!(card(&transcript, 0).contains("\"a\"") && card(&transcript, 1).contains("\"/\""));
}

#[test]
fn after_ids_restart_an_equal_call_is_a_new_card() {
    let call = Fact::ToolSeen(ToolSeen {
        name: Some("Bash"),
        title: Some("`ls`"),
        ..ToolSeen::about(CallRef::Id("item_1"))
    });
    let result = Fact::ToolChanged(ToolChanged {
        status: Some(ToolStatus::Completed),
        ..ToolChanged::about(CallRef::Id("item_1"))
    });
    let facts = [call.clone(), result.clone(), Fact::IdsRestart, call, result];
    let facts: Vec<_> = facts.into_iter().map(|fact| (Context::default(), fact)).collect();
    assert_eq!(fold(&facts).0.len(), 2);
}

#[test]
fn results_without_ids_go_to_the_oldest_open_call_of_their_worker() {
    let seen = |id, lane| {
        Fact::ToolSeen(ToolSeen {
            name: Some("calc"),
            lane,
            ..ToolSeen::about(CallRef::Match { id, name: "calc", lane })
        })
    };
    let done = |id, lane, text| {
        Fact::ToolChanged(ToolChanged {
            status: Some(ToolStatus::Completed),
            content: Some(text_content(text)),
            ..ToolChanged::about(CallRef::Match { id, name: "calc", lane })
        })
    };
    let facts = [
        seen(None, Some("a")),
        seen(None, Some("b")),
        seen(None, Some("a")),
        seen(Some("c9"), None),
        done(None, Some("b"), "for 1"),
        done(None, Some("a"), "for 0"),
        done(Some("x7"), Some("a"), "for 2"),
        done(Some("x7"), Some("a"), "for 2"),
        done(None, None, "for 3"),
        done(None, None, "for a new card"),
    ];
    let facts: Vec<_> = facts.into_iter().map(|fact| (Context::default(), fact)).collect();
    let (transcript, _) = fold(&facts);
    assert_eq!(transcript.len(), 5);
    for number in 0..4 {
        assert!(card(&transcript, number).contains(&format!("for {number}")), "{number}");
    }
}

#[test]
fn interleaved_parts_keep_their_texts() {
    let part = |index: u32, kind, pieces: [&'static str; 2], whole: &'static str| {
        let part = PartRef::Index(index);
        vec![
            Fact::PartOpen { part, kind },
            Fact::PartDelta { part, kind, text: Text::plain(pieces[0]) },
            Fact::PartDelta { part, kind, text: Text::plain(pieces[1]) },
            Fact::PartWhole { part, kind, text: Text::plain(whole) },
        ]
    };
    let a = part(0, PartKind::Agent, ["Hel", "lo"], "Hello, all");
    let b = part(1, PartKind::Thought, ["思", "考"], "思考");
    let context = Context { message: Some("m1"), ..Context::default() };
    // Each choice of 4 of 8 places for the first part is one interleaving.
    let mut seen = 0;
    for places in 0u32..256 {
        if places.count_ones() != 4 {
            continue;
        }
        seen += 1;
        let (mut first, mut second) = (a.iter(), b.iter());
        let next = |place: u32| if places >> place & 1 == 1 { first.next() } else { second.next() };
        let facts: Vec<_> = (0..8).filter_map(next).map(|fact| (context, fact.clone())).collect();
        let (transcript, events) = fold(&facts);
        let mut texts = texts(&transcript);
        texts.sort();
        assert_eq!(texts, ["Hello, all", "思考"], "{}", events.join("\n"));
    }
    assert_eq!(seen, 70);
}

#[test]
fn a_pair_split_over_two_deltas_is_joined() {
    let half = |leading_low, trailing_high, text: &'static str| Text {
        text: text.into(),
        leading_low,
        trailing_high,
        replaced: false,
    };
    let delta =
        |text| (Context::default(), Fact::PartDelta { part: PartRef::Run, kind: PartKind::Agent, text });
    let facts = [
        delta(half(None, Some(0xd83c), "a")),
        delta(half(Some(0xdf0a), None, "b")),
        delta(half(None, Some(0xd83c), "c")),
    ];
    assert_eq!(texts(&fold(&facts).0), ["a\u{1f30a}bc\u{fffd}"]);
}

#[test]
fn a_whole_text_that_contradicts_its_pieces_replaces_them() {
    let part = PartRef::Id("p");
    let facts = [
        (Context::default(), Fact::PartDelta { part, kind: PartKind::Agent, text: Text::plain("one") }),
        (Context::default(), Fact::PartWhole { part, kind: PartKind::Agent, text: Text::plain("two") }),
    ];
    let (transcript, events) = fold(&facts);
    assert_eq!(texts(&transcript), ["two"]);
    assert!(events.last().unwrap().contains(r#""content":"two""#));
}

#[test]
fn running_totals_become_shares_and_shrink_with_a_new_process() {
    let usage = |prompt: f64| {
        (
            Context::default(),
            Fact::Usage(UsageFact {
                basis: UsageBasis::RunningTotal,
                prompt: Some(prompt),
                completion: None,
                cached: None,
                cost: None,
                cost_is_running_total: false,
                extra: None,
            }),
        )
    };
    let (_, events) = fold(&[usage(100.0), usage(210.0), usage(30.0)]);
    let shares: Vec<_> = events
        .iter()
        .map(|event| event.split("promptTokens\":").nth(1).unwrap().split('}').next().unwrap())
        .collect();
    assert_eq!(shares, ["100", "110", "30"]);
}

/// A closed set of facts over few ids, so that they collide.
fn any_fact() -> impl Strategy<Value = (Context<'static>, Fact<'static>)> {
    let id = prop::sample::select(vec!["a", "b", "c"]);
    let text = prop::sample::select(vec!["", "x", "Hello", "Hello!", "思考", "\u{1f30a}"]);
    let kind = prop::sample::select(vec![PartKind::Agent, PartKind::Thought, PartKind::User]);
    let status = prop::option::of(prop::sample::select(ToolStatus::ALL.to_vec()));
    let part = prop_oneof![
        id.clone().prop_map(PartRef::Id),
        (0u32..2).prop_map(PartRef::Index),
        Just(PartRef::Run),
        Just(PartRef::Unclaimed),
        Just(PartRef::New)
    ];
    let call = prop_oneof![
        4 => id.clone().prop_map(CallRef::Id),
        1 => (0u32..2).prop_map(CallRef::Index),
        1 => Just(CallRef::New),
        1 => id.clone().prop_map(CallRef::Task),
        2 => (prop::option::of(id.clone()), prop::option::of(Just("w"))).prop_map(|(id, lane)| CallRef::Match { id, name: "n", lane }),
        1 => Just(CallRef::LatestPending { name: "n" })
    ];
    let texts = (part.clone(), kind, text.clone()).prop_flat_map(|(part, kind, text)| {
        let text = Text::plain(text);
        prop_oneof![
            Just(Fact::PartOpen { part, kind }),
            Just(Fact::PartDelta { part, kind, text: text.clone() }),
            Just(Fact::PartSoFar { part, kind, text: text.clone() }),
            Just(Fact::PartWhole { part, kind, text: text.clone() }),
            Just(Fact::PartEnd { part, stop_reason: None, aborted: false }),
            Just(Fact::MessageEnd { stop_reason: Some("stop"), aborted: false }),
            Just(Fact::Prompt { text: text.clone() }),
            Just(Fact::Answer { text }),
            Just(Fact::PartBlock {
                kind,
                block: ContentBlock::Image { data: "AA==", mime_type: "image/png", uri: None }
            }),
        ]
    });
    let tools = (call.clone(), status, text.clone(), prop::option::of(Just(1u32))).prop_flat_map(
        |(call, status, text, index)| {
            let seen = ToolSeen {
                name: Some("n"),
                title: Some(text),
                status,
                index,
                input: Some(Json("{}")),
                ..ToolSeen::about(call)
            };
            let changed = ToolChanged {
                status,
                title: Some(text),
                content: Some(text_content(text)),
                ..ToolChanged::about(call)
            };
            prop_oneof![
                Just(Fact::ToolSeen(seen)),
                Just(Fact::ToolChanged(changed)),
                Just(Fact::ToolChanged(ToolChanged { status, ..ToolChanged::about(call) })),
                Just(Fact::InputDelta { call, text: Text::plain(text) }),
                Just(Fact::OutputDelta { call, text: Text::plain(text), stream: None }),
                Just(Fact::NotRun { call, why: Some(text) }),
                Just(Fact::TaskLink { task: "a", call }),
                Just(Fact::Withdraw { target: WithdrawTarget::Call(call), reason: "r" }),
            ]
        },
    );
    let asks = (prop::option::of(id.clone()), prop::option::of(call.clone())).prop_flat_map(|(ask, call)| {
        let interrupt =
            Interrupt { kind: InterruptKind::Approval, tool_name: Some("n"), ..Interrupt::default() };
        let reference = ask.map_or(AskRef::All, AskRef::Id);
        let answered =
            Answered::of(call.map_or(reference, AskRef::Call), InterruptOutcome::Allowed, LinkSource::Wire);
        prop_oneof![
            Just(Fact::Ask(Ask { id: ask, call, link: LinkSource::Wire, interrupt })),
            Just(Fact::Answered(answered)),
            Just(Fact::Answered(Answered { source: LinkSource::Inferred, ..answered })),
        ]
    });
    let rest = (id.clone(), text, call, part).prop_flat_map(|(id, text, call, part)| {
        let usage = UsageFact {
            basis: UsageBasis::Call,
            prompt: Some(3.0),
            completion: Some(1.0),
            cached: None,
            cost: None,
            cost_is_running_total: false,
            extra: None,
        };
        let end =
            RunFact { outcome: Some(RunOutcome::Cancelled), ..RunFact::of(RunScope::Run, RunPhase::End) };
        let error = ErrorFact {
            message: text,
            fatal: text.len() > 1,
            code: None,
            retry_after_ms: None,
            repeats: true,
            echoed: true,
        };
        let entries = List::Owned(vec![PlanEntry { content: text, ..PlanEntry::default() }]);
        prop_oneof![
            Just(Fact::IdsRestart),
            Just(Fact::RecordId(id)),
            Just(Fact::AgentSeen(AgentSeen {
                agent: id,
                name: None,
                session: None,
                call: Some(call),
                status: Some(AgentStatus::Running)
            })),
            Just(Fact::Withdraw { target: WithdrawTarget::Message(id), reason: "r" }),
            Just(Fact::Withdraw { target: WithdrawTarget::MessageFrom(id, 1), reason: "r" }),
            Just(Fact::Withdraw { target: WithdrawTarget::Part(part), reason: "r" }),
            Just(Fact::Usage(usage)),
            Just(Fact::Usage(UsageFact { basis: UsageBasis::RunningTotal, ..usage })),
            Just(Fact::PlanSet { entries }),
            Just(Fact::PlanPatch(PlanPatch {
                id,
                content: Some(text),
                status: None,
                priority: None,
                removed: text.is_empty()
            })),
            Just(Fact::Run(RunFact::of(RunScope::Run, RunPhase::Start))),
            Just(Fact::Run(end)),
            Just(Fact::Error(error)),
            Just(Fact::Artifact {
                artifact: Artifact { url: id, filename: "f", tool_call_id: None },
                call: Some(call)
            }),
            Just(Fact::Tell(Update::Notice(Notice { severity: Severity::Info, text, stream: None }))),
            Just(Fact::Ignored("test")),
        ]
    });
    let context = (
        prop::option::of(id.clone()),
        prop::option::of(id.clone()),
        prop::option::of(id.clone()),
        prop::option::of(id),
    )
        .prop_map(|(session, agent, parent_call, message)| Context {
            session,
            agent,
            parent_call,
            message,
            ..Context::default()
        });
    let context = prop_oneof![3 => Just(Context::default()), 2 => context];
    (context, prop_oneof![4 => texts, 4 => tools, 1 => asks, 3 => rest])
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_facts_give_normal_form(facts in prop::collection::vec(any_fact(), 0..40)) {
        fold(&facts);
    }
}
