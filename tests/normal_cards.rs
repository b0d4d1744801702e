//! Tool cards and accounts under odd orders: whose a card is, what late facts may change, what counts.

mod folding;

use agent_ui_events::dialect::{
    CallRef, Context, Fact, FactSink, PartKind, PartRef, RunFact, ToolChanged, ToolSeen, UsageBasis,
    UsageFact,
};
use agent_ui_events::event::{Evidence, OutputStream, RunOutcome, RunPhase, RunScope, ToolStatus};
use agent_ui_events::framing::Source;
use agent_ui_events::json::Text;
use agent_ui_events::normalize::{NormalForm, NormalOptions};
use folding::{Said, card, fold, fold_all, plain, text_content};

fn call(id: &'static str) -> Fact<'static> {
    Fact::ToolSeen(ToolSeen { name: Some("n"), title: Some("does"), ..ToolSeen::about(CallRef::Id(id)) })
}

fn result(id: &'static str, text: &'static str) -> Fact<'static> {
    Fact::ToolChanged(ToolChanged {
        status: Some(ToolStatus::Completed),
        content: Some(text_content(text)),
        ..ToolChanged::about(CallRef::Id(id))
    })
}

fn of(session: Option<&'static str>, agent: Option<&'static str>, fact: Fact<'static>) -> Said {
    (Context { session, agent, ..Context::default() }, fact)
}

#[test]
fn a_late_call_fills_its_card_when_session_or_agent_are_told_only_there() {
    for (session, agent) in [(Some("s"), None), (None, Some("a")), (Some("s"), Some("a"))] {
        for facts in [
            [plain(result("t1", "done")), of(session, agent, call("t1"))],
            [of(session, agent, result("t1", "done")), plain(call("t1"))],
        ] {
            let (transcript, events) = fold(&facts);
            assert_eq!(transcript.len(), 1, "{events:?}");
            assert!(card(&transcript, 0).contains("does") && card(&transcript, 0).contains("done"));
        }
    }
}

#[test]
fn agents_and_sessions_that_count_alike_keep_their_own_cards() {
    for (one, other) in [((None, Some("a")), (None, Some("b"))), ((Some("s"), None), (Some("z"), None))] {
        let facts = [
            of(one.0, one.1, result("t1", "first")),
            of(other.0, other.1, call("t1")),
            of(other.0, other.1, result("t1", "second")),
        ];
        let (transcript, events) = fold(&facts);
        assert_eq!(transcript.len(), 2, "{events:?}");
        assert!(card(&transcript, 0).contains("first") && card(&transcript, 1).contains("second"));
    }
}

#[test]
fn a_session_told_late_does_not_make_a_repeat_a_new_card() {
    let facts = [plain(call("t1")), plain(result("t1", "done")), of(Some("s"), None, call("t1"))];
    assert_eq!(fold(&facts).0.len(), 1);
}

#[test]
fn ids_restart_for_a_session_that_was_not_told_before() {
    let facts = [
        plain(call("t1")),
        plain(result("t1", "done")),
        of(Some("s"), None, Fact::IdsRestart),
        of(Some("s"), None, call("t1")),
        plain(result("t1", "done again")),
    ];
    let (transcript, events) = fold(&facts);
    assert_eq!(transcript.len(), 2, "{events:?}");
    assert!(card(&transcript, 1).contains("done again"), "{events:?}");
}

#[test]
fn a_wire_id_that_looks_minted_stays_apart() {
    let facts = [
        plain(Fact::ToolSeen(ToolSeen { name: Some("n"), ..ToolSeen::about(CallRef::New) })),
        plain(call("call~1")),
        plain(result("call~1", "of the wire")),
        plain(Fact::ToolSeen(ToolSeen { name: Some("n"), ..ToolSeen::about(CallRef::New) })),
    ];
    let (transcript, _) = fold(&facts);
    assert_eq!(transcript.len(), 3);
    assert!(card(&transcript, 1).contains("of the wire"));
}

#[test]
fn progress_after_the_result_changes_nothing() {
    let progress = Fact::ToolChanged(ToolChanged {
        status: Some(ToolStatus::InProgress),
        content: Some(text_content("half")),
        ..ToolChanged::about(CallRef::Id("t1"))
    });
    let output = Fact::OutputDelta {
        call: CallRef::Id("t1"),
        text: Text::plain("line"),
        stream: Some(OutputStream::Stdout),
    };
    let before = [call("t1"), output.clone(), progress.clone(), result("t1", "done")].map(plain);
    let after = [result("t1", "done"), progress, output, call("t1")].map(plain);
    assert_eq!(card(&fold(&before).0, 0), card(&fold(&after).0, 0));
}

fn usage(basis: UsageBasis, prompt: Option<f64>, completion: Option<f64>) -> Said {
    let fact = UsageFact {
        basis,
        prompt,
        completion,
        cached: None,
        cost: None,
        cost_is_running_total: false,
        extra: None,
    };
    (Context { message: Some("m"), ..Context::default() }, Fact::Usage(fact))
}

#[test]
fn a_count_that_is_absent_later_is_not_blanked() {
    let facts = [
        usage(UsageBasis::Call, Some(10.0), None),
        usage(UsageBasis::Call, None, Some(5.0)),
        usage(UsageBasis::Call, Some(10.0), Some(5.0)),
    ];
    let (normal, _, events) = fold_all(&facts);
    let main = normal.usage_report().main;
    assert_eq!((main.prompt, main.completion, main.calls), (Some(10.0), Some(5.0), 1));
    assert_eq!(events.len(), 2);
    assert!(events[1].contains(r#""promptTokens":10"#) && events[1].contains(r#""completionTokens":5"#));
}

#[test]
fn a_running_total_that_skips_a_count_once_does_not_count_it_twice() {
    let facts = [
        usage(UsageBasis::RunningTotal, Some(10.0), Some(4.0)),
        usage(UsageBasis::RunningTotal, Some(20.0), None),
        usage(UsageBasis::RunningTotal, Some(30.0), Some(6.0)),
    ];
    let main = fold_all(&facts).0.usage_report().main;
    assert_eq!((main.prompt, main.completion), (Some(30.0), Some(6.0)));
}

#[test]
fn a_run_that_only_its_call_names_is_not_the_main_run() {
    let inner = Context { parent_call: Some("t1"), ..Context::default() };
    let failed = RunFact { outcome: Some(RunOutcome::Failed), ..RunFact::of(RunScope::Turn, RunPhase::End) };
    let done = RunFact {
        outcome: Some(RunOutcome::Completed),
        evidence: Some(Evidence::Stated),
        ..RunFact::of(RunScope::Turn, RunPhase::End)
    };
    let facts = [plain(call("t1")), plain(Fact::Run(done)), (inner, Fact::Run(failed))];
    assert_eq!(fold_all(&facts).0.result().outcome, Some(RunOutcome::Completed));
}

#[test]
fn what_was_cut_is_named_by_its_scope() {
    let (_, events) = fold(&[plain(Fact::Run(RunFact::of(RunScope::Turn, RunPhase::Start)))]);
    assert!(
        events[1].contains(r#""scope":"turn""#) && events[1].contains(r#""outcome":"cut""#),
        "{events:?}"
    );
}

/// Facts of one record after another, each led by the id of its record.
fn told(normal: &mut NormalForm, id: &'static str, facts: &[Fact<'static>]) {
    normal.begin_record(Source::default());
    normal.fact(&Context::default(), Fact::RecordId(id));
    for fact in facts {
        normal.fact(&Context::default(), fact.clone());
    }
    normal.end_record();
}

#[test]
fn forgotten_record_ids_are_reported_once() {
    let mut normal = NormalForm::new(NormalOptions { max_record_ids: 2, ..NormalOptions::default() });
    for id in ["1", "2", "3", "4", "5"] {
        told(&mut normal, id, &[]);
    }
    assert_eq!(normal.diagnostics().counts(), [("limit.record-ids", 1)]);
}

#[test]
fn a_repeated_inner_record_takes_only_itself_away() {
    let text = |text| Fact::PartWhole { part: PartRef::New, kind: PartKind::Agent, text: Text::plain(text) };
    let mut normal = NormalForm::new(NormalOptions::default());
    told(
        &mut normal,
        "1",
        &[text("one"), Fact::RecordId("1"), text("one"), Fact::RecordId("2"), text("two")],
    );
    assert_eq!(normal.items(), 2);
}

#[test]
fn what_a_dialect_says_at_the_end_survives_a_repeated_last_record() {
    let mut normal = NormalForm::new(NormalOptions::default());
    told(&mut normal, "1", &[]);
    told(&mut normal, "1", &[]);
    normal.fact(&Context::default(), call("t1"));
    assert_eq!(normal.items(), 1);
}

#[test]
fn a_cached_share_belongs_to_its_own_prompt() {
    let count = |prompt, cached| {
        let fact = UsageFact {
            basis: UsageBasis::Call,
            prompt,
            completion: None,
            cached,
            cost: None,
            cost_is_running_total: false,
            extra: None,
        };
        (Context { message: Some("m"), ..Context::default() }, Fact::Usage(fact))
    };
    let facts = [count(Some(29.0), Some(20.0)), count(None, Some(20.0)), count(Some(9.0), None)];
    let main = fold_all(&facts).0.usage_report().main;
    assert_eq!((main.prompt, main.cached), (Some(9.0), Some(0.0)));
    let beyond = fold_all(&[count(Some(3.0), Some(4.0))]);
    assert_eq!((beyond.0.usage_report().main.prompt, beyond.0.usage_report().main.cached), (Some(3.0), None));
    assert_eq!(beyond.0.diagnostics().counts(), [("normalize.usage-impossible", 1)]);
}

#[test]
fn a_run_total_covers_the_calls_of_its_own_session_once() {
    let of = |session, (context, fact): Said| (Context { session: Some(session), ..context }, fact);
    let (call, run) = (UsageBasis::Call, UsageBasis::RunShare);
    let facts = [
        of("a", usage(call, Some(10.0), None)),
        of("b", usage(call, Some(7.0), None)),
        of("a", usage(run, Some(10.0), None)),
        of("a", usage(call, Some(4.0), None)),
    ];
    let report = fold_all(&facts).0.usage_report();
    assert_eq!((report.main.prompt, report.source), (Some(17.0), "runs+calls"));
}

#[test]
fn a_record_of_too_many_items_says_that_it_is_not_remembered() {
    let text = Fact::PartWhole { part: PartRef::New, kind: PartKind::Agent, text: Text::plain("x") };
    let mut normal = NormalForm::new(NormalOptions::default());
    told(&mut normal, "1", &vec![text.clone(); 32]);
    assert!(normal.diagnostics().counts().is_empty());
    told(&mut normal, "2", &vec![text; 33]);
    assert_eq!(normal.diagnostics().counts(), [("limit.record-items", 1)]);
}

#[test]
fn an_agent_that_counts_like_its_caller_stands_under_the_callers_card() {
    for session in [None, Some("inner")] {
        let inside = |fact| {
            let parent_call = Some("t1");
            (Context { session, agent: Some("inner"), parent_call, ..Context::default() }, fact)
        };
        let outer = session.map(|_| "outer");
        let facts = [of(outer, None, call("t1")), inside(call("t1")), inside(result("t1", "done"))];
        let (transcript, events) = fold(&facts);
        assert_eq!(transcript.len(), 2, "{events:?}");
        assert_eq!(transcript.parent_of(1).as_deref(), Some("t1"), "{events:?}");
    }
}

#[test]
fn an_agent_with_a_session_of_its_own_hangs_on_the_newest_card_of_its_call() {
    let text = Fact::PartWhole { part: PartRef::New, kind: PartKind::Agent, text: Text::plain("inside") };
    let inside = Context {
        session: Some("child"),
        agent: Some("scout"),
        parent_call: Some("call_0"),
        ..Context::default()
    };
    let facts = [
        of(Some("s"), None, call("call_0")),
        of(Some("s"), None, result("call_0", "first")),
        of(
            Some("s"),
            None,
            Fact::ToolSeen(ToolSeen { name: Some("task"), ..ToolSeen::about(CallRef::Id("call_0")) }),
        ),
        (inside, text),
    ];
    let (transcript, events) = fold(&facts);
    assert_eq!(transcript.parent_of(2).as_deref(), Some("call_0~2"), "{events:?}");
}
