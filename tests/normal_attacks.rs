//! What the attacks on the core found, as facts: blanks, impossible counts, withdrawals and matches far back in a history.

#![allow(clippy::unwrap_used, reason = "a test")]

use agent_ui_events::check_normal_form;
use agent_ui_events::dialect::{
    CallRef, Context, Fact, FactSink, PartKind, PartRef, PlanPatch, ToolChanged, ToolSeen, UsageBasis,
    UsageFact, WithdrawTarget,
};
use agent_ui_events::event::{Json, ToolStatus, Update, UsageUpdate};
use agent_ui_events::framing::Source;
use agent_ui_events::json::Text;
use agent_ui_events::normalize::{NormalForm, NormalOptions};
use agent_ui_events::transcript::Transcript;

/// Facts, one record each.
struct Stream {
    normal: NormalForm,
    transcript: Transcript,
    events: Vec<String>,
    records: u64,
}

impl Stream {
    fn new(core_only: bool) -> Self {
        let normal = NormalForm::new(NormalOptions { core_only, ..NormalOptions::default() });
        Stream { normal, transcript: Transcript::new(), events: Vec::new(), records: 0 }
    }

    fn of<'a>(facts: impl IntoIterator<Item = (Context<'a>, Fact<'a>)>) -> Self {
        let mut stream = Stream::new(false);
        facts.into_iter().for_each(|(context, fact)| stream.fact(&context, fact));
        let breaches = check_normal_form(&stream.events.join("\n"));
        assert!(breaches.is_empty(), "{breaches:?}\n{}", stream.events.join("\n"));
        stream
    }

    fn fact(&mut self, context: &Context<'_>, fact: Fact<'_>) {
        self.records += 1;
        self.normal.clear_batch();
        self.normal.begin_record(Source {
            offset: self.records * 10,
            length: 9,
            line: self.records,
            input: 0,
        });
        self.normal.fact(context, fact);
        self.normal.end_record();
        self.transcript.apply(self.normal.batch());
        for event in self.normal.batch().iter() {
            let mut text = String::new();
            event.write_json(&mut text);
            self.events.push(text);
        }
    }

    fn codes(&self) -> Vec<&str> {
        self.normal.diagnostics().kept().iter().map(|remark| remark.code).collect()
    }

    fn withdrawn(&self) -> Vec<u32> {
        let items = self.transcript.items(0..self.transcript.len());
        items.iter().filter(|item| item.withdrawn.is_some()).map(|item| item.number).collect()
    }

    fn open_calls(&self) -> Vec<String> {
        let items = self.transcript.items(0..self.transcript.len());
        let cards = items.iter().filter_map(|item| item.as_tool());
        cards.filter(|card| card.is_open()).map(|card| card.title.to_string()).collect()
    }
}

fn plain<'a>(fact: Fact<'a>) -> (Context<'a>, Fact<'a>) {
    (Context::default(), fact)
}

fn of_message<'a>(message: &'a str, fact: Fact<'a>) -> (Context<'a>, Fact<'a>) {
    (Context { message: Some(message), ..Context::default() }, fact)
}

#[test]
fn a_blank_value_never_takes_the_place_of_a_known_one() {
    for blank in ["null", r#""""#] {
        let call = CallRef::Id("t");
        let input = |raw| ToolSeen { name: Some("n"), input: Some(Json(raw)), ..ToolSeen::about(call) };
        let changed = |input, output| ToolChanged { input, output, ..ToolChanged::about(call) };
        let known = Some(Json(r#"{"a":1}"#));
        let stream = Stream::of([
            plain(Fact::ToolSeen(input(r#"{"a":1}"#))),
            plain(Fact::ToolSeen(input(blank))),
            plain(Fact::ToolChanged(changed(Some(Json(blank)), known))),
            plain(Fact::ToolChanged(changed(None, Some(Json(blank))))),
        ]);
        let card = stream.transcript.item(0).unwrap().as_tool().unwrap();
        assert_eq!(
            (card.raw_input(), card.raw_output()),
            (Some(r#"{"a":1}"#), Some(r#"{"a":1}"#)),
            "{blank}"
        );
    }
}

#[test]
fn impossible_counts_count_nothing_and_are_remarked() {
    let numbers = [
        // Stated, and what may be counted of it.
        ([Some(10.0), Some(5.0), Some(4.0)], [Some(10.0), Some(5.0), Some(4.0)]),
        ([Some(-1.5), Some(5.0), None], [None, Some(5.0), None]),
        ([Some(f64::INFINITY), Some(-0.5), Some(-1.0)], [None, None, None]),
        ([Some(7.0), None, Some(800.0)], [Some(7.0), None, None]),
        ([None, None, Some(800.0)], [None, None, Some(800.0)]),
    ];
    for basis in [UsageBasis::Call, UsageBasis::RunShare, UsageBasis::RunningTotal] {
        for (stated, counted) in numbers {
            let [prompt, completion, cached] = stated;
            let fact = UsageFact {
                basis,
                prompt,
                completion,
                cached,
                cost: None,
                cost_is_running_total: false,
                extra: None,
            };
            let stream = Stream::of([plain(Fact::Usage(fact))]);
            let main = stream.normal.usage_report().main;
            assert_eq!([main.prompt, main.completion, main.cached], counted, "{basis:?} {stated:?}");
            let remarks: &[&str] = if stated == counted { &[] } else { &["normalize.usage-impossible"] };
            assert_eq!(stream.codes(), remarks, "{basis:?} {stated:?}");
        }
    }
}

#[test]
fn a_share_of_a_running_total_is_never_more_than_its_whole() {
    let total = |prompt: f64, cached: f64| UsageFact {
        basis: UsageBasis::RunningTotal,
        prompt: Some(prompt),
        completion: None,
        cached: Some(cached),
        cost: None,
        cost_is_running_total: false,
        extra: None,
    };
    // 10 more prompt tokens, 60 more of them cached: one of the two counts is wrong.
    let stream = Stream::of([plain(Fact::Usage(total(100.0, 20.0))), plain(Fact::Usage(total(110.0, 80.0)))]);
    let main = stream.normal.usage_report().main;
    assert_eq!((main.prompt, main.cached), (Some(110.0), Some(20.0)));
    assert_eq!(stream.codes(), ["normalize.usage-impossible"]);
}

#[test]
fn a_context_window_below_empty_is_not_told() {
    let update = UsageUpdate { used: Some(5.0), used_ratio: Some(-1e17), ..UsageUpdate::default() };
    let stream = Stream::of([plain(Fact::Tell(Update::UsageUpdate(update)))]);
    assert_eq!(stream.codes(), ["normalize.usage-impossible"]);
    assert!(
        stream.events[0].contains(r#""used":5"#) && !stream.events[0].contains("usedRatio"),
        "{:?}",
        stream.events
    );
}

/// Two messages whose blocks carry the same numbers: text, call, text.
fn two_messages<'a>() -> Vec<(Context<'a>, Fact<'a>)> {
    let mut facts = Vec::new();
    for (message, call) in [("m1", "t1"), ("m2", "t2")] {
        let text = |block| Fact::PartWhole {
            part: PartRef::Index(block),
            kind: PartKind::Agent,
            text: Text::plain("said"),
        };
        let call = ToolSeen { index: Some(1), name: Some("n"), ..ToolSeen::about(CallRef::Id(call)) };
        facts.extend([text(0), Fact::ToolSeen(call), text(2)].map(|fact| of_message(message, fact)));
    }
    facts
}

#[test]
fn a_withdrawal_takes_the_blocks_of_its_message_and_no_others() {
    let targets = [
        (WithdrawTarget::Message("m1"), vec![0, 1, 2]),
        (WithdrawTarget::Message("m2"), vec![3, 4, 5]),
        (WithdrawTarget::MessageFrom("m1", 0), vec![0, 1, 2]),
        (WithdrawTarget::MessageFrom("m1", 1), vec![1, 2]),
        (WithdrawTarget::MessageFrom("m2", 1), vec![4, 5]),
        (WithdrawTarget::MessageFrom("m2", 2), vec![5]),
        (WithdrawTarget::MessageFrom("m2", 3), vec![]),
        (WithdrawTarget::Message("m3"), vec![]),
    ];
    for (target, items) in targets {
        let withdraw = plain(Fact::Withdraw { target, reason: "r" });
        let stream = Stream::of(two_messages().into_iter().chain([withdraw]));
        assert_eq!(stream.withdrawn(), items, "{target:?}");
    }
}

#[test]
fn the_end_of_a_message_ends_its_parts_and_no_others() {
    let delta = |message, block| {
        let text = Text::plain("x");
        of_message(message, Fact::PartDelta { part: PartRef::Index(block), kind: PartKind::Agent, text })
    };
    let end = |message: Option<&'static str>| {
        (Context { message, ..Context::default() }, Fact::MessageEnd { stop_reason: None, aborted: false })
    };
    let ends = [(Some("m1"), vec![0, 2]), (Some("m2"), vec![1]), (Some("m3"), vec![]), (None, vec![0, 1, 2])];
    for (message, ended) in ends {
        let stream = Stream::of([delta("m1", 0), delta("m2", 0), delta("m1", 1), end(message)]);
        let items = stream.transcript.items(0..3);
        let found: Vec<u32> =
            items.iter().filter(|item| item.as_text().unwrap().ended).map(|item| item.number).collect();
        assert_eq!(found, ended, "{message:?}");
    }
}

#[test]
fn a_result_without_worker_finds_the_only_open_call_wherever_it_stands() {
    for open in 0..4 {
        let names = ["a", "b", "c", "d"];
        let call = |worker| CallRef::Match { id: None, name: "calc", lane: Some(worker) };
        let seen = |worker| ToolSeen {
            name: Some("calc"),
            title: Some(worker),
            lane: Some(worker),
            ..ToolSeen::about(CallRef::New)
        };
        let done = |call| {
            plain(Fact::ToolChanged(ToolChanged {
                status: Some(ToolStatus::Completed),
                ..ToolChanged::about(call)
            }))
        };
        let mut facts: Vec<_> = names.map(|name| plain(Fact::ToolSeen(seen(name)))).to_vec();
        facts
            .extend(names.iter().enumerate().filter(|(at, _)| *at != open).map(|(_, name)| done(call(name))));
        assert_eq!(Stream::of(facts.clone()).open_calls(), [names[open]]);
        facts.push(done(CallRef::Match { id: None, name: "calc", lane: None }));
        let stream = Stream::of(facts);
        assert_eq!((stream.open_calls().len(), stream.transcript.len()), (0, 4));
    }
}

#[test]
fn every_record_has_an_event_or_a_reason_also_under_the_filter() {
    for core_only in [false, true] {
        let mut stream = Stream::new(core_only);
        stream.fact(&Context::default(), Fact::IdsRestart);
        stream.fact(&Context::default(), Fact::Ignored("heartbeat"));
        stream.fact(&Context::default(), Fact::RecordId("r"));
        stream.fact(&Context::default(), Fact::RecordId("r"));
        stream.fact(
            &Context::default(),
            Fact::PartWhole { part: PartRef::New, kind: PartKind::Agent, text: Text::plain("x") },
        );
        stream.fact(&Context::default(), Fact::Tell(Update::UsageUpdate(UsageUpdate::default())));
        let counts = (stream.normal.records_with_events(), stream.normal.records_ignored());
        assert_eq!(counts, (2, 4));
        let mut reasons = stream.normal.ignored_counts().to_vec();
        reasons.sort_unstable();
        assert_eq!(reasons, [("heartbeat", 1), ("nothing-new", 2), ("repeated-record", 1)]);
    }
}

#[test]
fn a_plan_that_grows_entry_by_entry_is_capped() {
    let mut stream = Stream::new(false);
    for number in 0..1100 {
        let id = format!("task {number}");
        let patch = PlanPatch { id: &id, content: None, status: None, priority: None, removed: false };
        stream.fact(&Context::default(), Fact::PlanPatch(patch));
    }
    assert_eq!(stream.normal.diagnostics().counts(), [("limit.plan-entries", 76)]);
    assert_eq!(stream.normal.ignored_counts(), [("plan-over-limit", 76)]);
    assert_eq!(stream.events.len(), 1024);
}

#[test]
fn whole_texts_claim_the_oldest_part_of_their_kind() {
    let open = |block, kind| {
        of_message("m", Fact::PartDelta { part: PartRef::Index(block), kind, text: Text::plain("x") })
    };
    let whole =
        |kind| of_message("m", Fact::PartWhole { part: PartRef::Unclaimed, kind, text: Text::plain("x!") });
    let (thought, agent) = (PartKind::Thought, PartKind::Agent);
    let opened = [open(0, thought), open(1, agent), open(2, thought), open(3, agent)];
    let wholes = [
        (vec![agent], vec![1]),
        (vec![agent, agent], vec![1, 3]),
        (vec![thought, agent, thought], vec![0, 1, 2]),
    ];
    for (kinds, claimed) in wholes {
        let stream = Stream::of(opened.clone().into_iter().chain(kinds.into_iter().map(whole)));
        let items = stream.transcript.items(0..4);
        let found: Vec<u32> = items
            .iter()
            .filter(|item| item.as_text().unwrap().text() == "x!")
            .map(|item| item.number)
            .collect();
        assert_eq!((found, stream.transcript.len()), (claimed, 4));
    }
}
