//! Interrupts whatever the dialect: asked once, made whole, closed by the wire or by what happened, never by silence.

mod folding;

use agent_ui_events::dialect::{
    Answered, Ask, AskRef, CallRef, Context, Fact, RunFact, ToolChanged, ToolSeen, WithdrawTarget,
};
use agent_ui_events::event::{
    Choice, Interrupt, InterruptKind, InterruptOption, InterruptOutcome, LinkSource, List, OptionKind,
    Question, QuestionType, RunPhase, RunScope, ToolStatus,
};
use folding::{Said, fold, fold_all, plain};

fn ask(id: &'static str, call: Option<&'static str>, message: &'static str) -> Said {
    asked(
        id,
        call,
        Interrupt { kind: InterruptKind::Approval, message: Some(message), ..Interrupt::default() },
    )
}

fn asked(id: &'static str, call: Option<&'static str>, interrupt: Interrupt<'static>) -> Said {
    plain(Fact::Ask(Ask { id: Some(id), call: call.map(CallRef::Id), link: LinkSource::Wire, interrupt }))
}

fn answer(ask: AskRef<'static>, outcome: InterruptOutcome) -> Said {
    plain(Fact::Answered(Answered {
        ask,
        outcome,
        option_id: None,
        option_kind: None,
        answers: None,
        edited_input: None,
        message: None,
        source: LinkSource::Wire,
    }))
}

fn status(id: &'static str, status: ToolStatus) -> Said {
    plain(Fact::ToolChanged(ToolChanged { status: Some(status), ..ToolChanged::about(CallRef::Id(id)) }))
}

fn run(phase: RunPhase) -> Said {
    plain(Fact::Run(RunFact::of(RunScope::Run, phase)))
}

fn of_kind<'a>(events: &'a [String], kind: &str) -> Vec<&'a String> {
    let kind = format!("\"sessionUpdate\":\"{kind}\"");
    events.iter().filter(|event| event.contains(&kind)).collect()
}

#[test]
fn an_approval_without_options_gets_the_two_that_always_hold() {
    let (_, events) = fold(&[ask("i", None, "may I?")]);
    let options = r#""options":[{"optionId":"allow_once","name":"Allow","kind":"allow_once","scope":"once"},{"optionId":"reject_once","name":"Deny","kind":"reject_once","scope":"once"}]"#;
    assert!(events[0].contains(options), "{events:?}");
    assert!(events[0].contains(r#""extra":{"synthetic":true}"#), "{events:?}");
}

#[test]
fn options_are_named_and_a_doubled_id_is_dropped() {
    let option =
        |option_id, name, kind| InterruptOption { option_id, name, kind, ..InterruptOption::default() };
    let options = List::Owned(vec![
        option("yes", "", OptionKind::AllowOnce),
        option("", "Never", OptionKind::RejectAlways),
        option("yes", "Yes again", OptionKind::AllowAlways),
    ]);
    let interrupt = Interrupt { kind: InterruptKind::Approval, options, ..Interrupt::default() };
    let (normal, _, events) = fold_all(&[asked("i", None, interrupt)]);
    let options = r#""options":[{"optionId":"yes","name":"yes","kind":"allow_once"},{"optionId":"1","name":"Never","kind":"reject_always"}]"#;
    assert!(events[0].contains(options), "{events:?}");
    assert_eq!(normal.diagnostics().counts(), [("normalize.duplicate-option", 1)]);
}

#[test]
fn questions_get_ids_and_a_choice_without_choices_is_a_text() {
    let question = |question, type_| Question { question, type_, ..Question::default() };
    let choice = Choice { value: "a", label: "", description: None };
    let questions = List::Owned(vec![
        question("where?", QuestionType::Single),
        Question { options: List::Owned(vec![choice]), ..question("which?", QuestionType::Multiple) },
    ]);
    let interrupt = Interrupt { kind: InterruptKind::Question, questions, ..Interrupt::default() };
    let (_, events) = fold(&[asked("i", None, interrupt)]);
    assert!(events[0].contains(r#"{"id":"0","question":"where?","type":"text""#), "{events:?}");
    assert!(events[0].contains(r#"{"id":"1","question":"which?","type":"multiple""#), "{events:?}");
    assert!(
        events[0].contains(r#""value":"a","label":"a""#) && !events[0].contains("synthetic"),
        "{events:?}"
    );
}

#[test]
fn a_redelivered_interrupt_is_updated_in_place_while_it_is_open() {
    let facts = [ask("i", None, "may I?"), ask("i", None, "may I?"), ask("i", None, "may I, please?")];
    let (transcript, events) = fold(&facts);
    assert_eq!((transcript.len(), events.len()), (1, 2), "{events:?}");
    assert!(events[1].contains("please") && events[1].contains(r#""interruptId":"i","idSource":"wire""#));
}

#[test]
fn after_its_answer_only_a_new_run_asks_again() {
    let allowed = || answer(AskRef::Id("i"), InterruptOutcome::Allowed);
    let facts =
        [run(RunPhase::Start), ask("i", None, "a?"), allowed(), ask("i", None, "a?"), ask("i", None, "b?")];
    assert_eq!(fold(&facts).0.len(), 1);
    let again = [run(RunPhase::End), run(RunPhase::Start), ask("i", None, "a?"), allowed()];
    let facts: Vec<Said> = facts.into_iter().chain(again).collect();
    let (transcript, events) = fold(&facts);
    assert_eq!(transcript.len(), 2);
    let resolved = of_kind(&events, "interrupt_resolved");
    assert!(resolved.len() == 2 && resolved[1].contains("\"i~2\""), "{resolved:?}");
    // An id of our own cannot be used in a reply.
    assert!(of_kind(&events, "interrupt")[1].contains(r#""idSource":"minted""#));
}

#[test]
fn an_id_that_starts_anew_asks_anew() {
    let facts = [ask("5", None, "a?"), plain(Fact::IdsRestart), ask("5", None, "b?")];
    assert_eq!(fold(&facts).0.len(), 2);
}

#[test]
fn in_progress_neither_closes_an_interrupt_nor_is_shown_while_it_is_open() {
    let call = plain(Fact::ToolSeen(ToolSeen { name: Some("n"), ..ToolSeen::about(CallRef::Id("t")) }));
    let (request, running) = (ask("i", Some("t"), "may I?"), status("t", ToolStatus::InProgress));
    for order in [[&call, &request, &running], [&call, &running, &request], [&request, &running, &call]] {
        let mut facts: Vec<Said> = order.into_iter().cloned().collect();
        facts.push(running.clone());
        let (_, events) = fold(&facts);
        assert!(of_kind(&events, "interrupt_resolved").is_empty(), "{events:?}");
        let last = of_kind(&events, "tool_call_update");
        let last = last.iter().rfind(|event| event.contains("\"status\"")).expect("a status");
        assert!(
            last.contains(r#""status":"pending""#) && last.contains(r#""wireStatus":"in_progress""#),
            "{last}"
        );
        facts.push(answer(AskRef::Id("i"), InterruptOutcome::Allowed));
        let (_, events) = fold(&facts);
        assert!(events.last().is_some_and(|event| event.contains(r#""status":"in_progress""#)), "{events:?}");
    }
}

#[test]
fn a_denied_call_does_not_start() {
    let facts = [
        ask("i", Some("t"), "may I?"),
        status("t", ToolStatus::InProgress),
        answer(AskRef::Id("i"), InterruptOutcome::Rejected),
    ];
    assert!(!fold(&facts).1.concat().contains(r#""status":"in_progress""#));
}

#[test]
fn several_interrupts_about_one_call_are_all_closed_by_its_end() {
    let facts = [
        ask("i", Some("t"), "read?"),
        ask("j", Some("t"), "write?"),
        answer(AskRef::Call(CallRef::Id("t")), InterruptOutcome::Rejected),
        answer(AskRef::Call(CallRef::Id("t")), InterruptOutcome::Allowed),
        ask("k", Some("t"), "again?"),
        ask("l", Some("t"), "and again?"),
        status("t", ToolStatus::Completed),
    ];
    let (_, events) = fold(&facts);
    let resolved = of_kind(&events, "interrupt_resolved");
    assert_eq!(resolved.len(), 4, "{resolved:?}");
    assert!(resolved[2..].iter().all(|event| event.contains(r#""outcome":"allowed","source":"inferred""#)));
}

#[test]
fn a_new_run_that_says_nothing_leaves_the_outcome_unknown() {
    let facts = [
        run(RunPhase::Start),
        ask("i", Some("t"), "may I?"),
        run(RunPhase::End),
        run(RunPhase::Start),
        run(RunPhase::End),
    ];
    let still_open = fold(&facts[..4]).1;
    assert!(of_kind(&still_open, "interrupt_resolved").is_empty());
    let (_, events) = fold(&facts);
    let resolved = of_kind(&events, "interrupt_resolved");
    assert_eq!(resolved.len(), 1);
    assert!(resolved[0].contains(r#""outcome":"unknown","source":"inferred""#));
    // Where the wire tells only ends of runs, the same holds.
    let ends = [ask("i", Some("t"), "may I?"), run(RunPhase::End), run(RunPhase::End)];
    assert!(of_kind(&fold(&ends[..2]).1, "interrupt_resolved").is_empty());
    assert_eq!(of_kind(&fold(&ends).1, "interrupt_resolved").len(), 1);
}

#[test]
fn a_run_that_reports_on_the_call_closes_the_interrupt_of_the_run_before() {
    let facts = [
        run(RunPhase::Start),
        ask("i", Some("t"), "may I?"),
        run(RunPhase::End),
        run(RunPhase::Start),
        status("t", ToolStatus::Completed),
        run(RunPhase::End),
    ];
    let resolved = fold(&facts).1;
    let resolved = of_kind(&resolved, "interrupt_resolved");
    assert!(resolved.len() == 1 && resolved[0].contains(r#""outcome":"allowed""#), "{resolved:?}");
}

#[test]
fn a_withdrawn_request_is_not_waited_for() {
    let facts = [
        run(RunPhase::Start),
        plain(Fact::RecordId("r")),
        ask("i", None, "may I?"),
        plain(Fact::Withdraw { target: WithdrawTarget::Message("m"), reason: "superseded" }),
    ];
    let of_message = |(context, fact): Said| (Context { message: Some("m"), ..context }, fact);
    let facts: Vec<Said> = facts.into_iter().map(of_message).collect();
    assert!(fold(&facts[..3]).1.concat().contains(r#""outcome":"waiting""#));
    let call =
        of_message(plain(Fact::ToolSeen(ToolSeen { name: Some("n"), ..ToolSeen::about(CallRef::Id("t")) })));
    let facts = [run(RunPhase::Start), call, ask("i", Some("t"), "may I?"), facts[3].clone()];
    assert!(fold(&facts).1.concat().contains(r#""outcome":"cut""#));
}

#[test]
fn output_of_a_call_tells_that_it_was_allowed() {
    let text = agent_ui_events::json::Text::plain("line");
    let output = plain(Fact::OutputDelta { call: CallRef::Id("t"), text, stream: None });
    let facts = [ask("i", Some("t"), "may I?"), status("t", ToolStatus::InProgress), output];
    let (_, events) = fold(&facts);
    let order = [r#""outcome":"allowed","source":"inferred""#, r#""status":"in_progress""#, "outputDelta"];
    let tail: Vec<_> = events.iter().rev().take(3).rev().collect();
    assert!(tail.iter().zip(order).all(|(event, word)| event.contains(word)), "{tail:?}");
}
