//! The fold of hand-made events: what a UI gets to see, and what it is told to draw again.

use agent_ui_events::event::{
    Agent, AgentMessageChunk, AgentStatus, AgentThoughtChunk, Artifact, Batch, Citations, CompactionUpdate,
    ContentBlock, CurrentModeUpdate, Envelope, Error, Evidence, Hook, Interrupt, InterruptOutcome,
    InterruptResolved, Json, LinkSource, Location, MessageEnd, Notice, OutputDelta, OutputStream, Plan,
    PlanEntry, PlanPriority, PlanStatus, Role, Run, RunOutcome, RunPhase, RunScope, SharedState, TokenUsage,
    ToolCall, ToolCallUpdate, ToolContent, ToolKind, ToolStatus, Update, Usage, UsageScope, UsageUpdate,
    UserMessageChunk, Withdrawn,
};
use agent_ui_events::framing::Source;
use agent_ui_events::transcript::{Body, Change, Limits, Transcript};
use proptest::prelude::*;

/// A batch made event by event; every event comes from a record of its own.
#[derive(Default)]
struct Events {
    batch: Batch,
}

impl Events {
    fn add<'a>(mut self, envelope: Envelope<'_>, update: impl Into<Update<'a>>) -> Self {
        let line = self.batch.next_seq() + 1;
        self.batch.push(&envelope, Source { offset: line * 100, length: 99, line, input: 0 }, &update.into());
        self
    }

    fn text(self, item: u32, text: &str) -> Self {
        self.add(at(item), AgentMessageChunk { content: ContentBlock::Text { text } })
    }

    fn call(self, item: u32, id: &str) -> Self {
        let call = ToolCall { tool_call_id: id, title: "Look", kind: ToolKind::Read, ..ToolCall::default() };
        self.add(at(item), call)
    }

    fn folded(&self) -> Transcript {
        let mut transcript = Transcript::new();
        transcript.apply(&self.batch);
        transcript
    }
}

fn at(item: u32) -> Envelope<'static> {
    Envelope { item: Some(item), ..Envelope::default() }
}

fn by(agent: &str, item: u32) -> Envelope<'_> {
    Envelope { agent_id: Some(agent), ..at(item) }
}

fn text_of(transcript: &Transcript, item: u32) -> &str {
    transcript.item(item).and_then(|item| item.as_text()).map_or("(no text)", |part| part.text())
}

#[test]
fn the_final_text_is_the_main_agents_newest_that_stands() {
    let chunk = |text| AgentMessageChunk { content: ContentBlock::Text { text } };
    let events =
        Events::default().text(0, "First.").text(1, "Answer.").add(by("sub", 2), chunk("Of a subagent."));
    assert_eq!(events.folded().final_text(), Some("Answer."));
    let events = events.add(Envelope::default(), Withdrawn { items: vec![1.0].into(), reason: "retry" });
    assert_eq!(events.folded().final_text(), Some("First."));
    assert_eq!(Events::default().folded().final_text(), None);
}

#[test]
fn chunks_are_joined_and_the_end_stops_the_caret() {
    let events = Events::default().text(0, "Good ").text(0, "morning").text(1, "Other");
    let transcript = events.folded();
    assert_eq!(text_of(&transcript, 0), "Good morning");
    assert_eq!(text_of(&transcript, 1), "Other");
    assert!(!transcript.item(0).unwrap().as_text().unwrap().ended);

    let end = MessageEnd {
        role: Role::Agent,
        stop_reason: Some("max_tokens"),
        aborted: true,
        ..MessageEnd::default()
    };
    let envelope = Envelope { model: Some("m-1"), timestamp: Some("2026-01-01T00:00:00Z"), ..at(0) };
    let transcript = events.add(envelope, end).folded();
    let item = transcript.item(0).unwrap();
    let part = item.as_text().unwrap();
    assert!(part.ended && part.aborted);
    assert_eq!(part.stop_reason.as_deref(), Some("max_tokens"));
    assert_eq!(item.model.as_deref(), Some("m-1"));
    assert_eq!(item.timestamp.as_deref(), Some("2026-01-01T00:00:00Z"));
}

#[test]
fn a_contradicting_final_text_replaces_the_chunks() {
    let end = MessageEnd { role: Role::Agent, content: Some("Evening"), ..MessageEnd::default() };
    let transcript = Events::default().text(0, "Morning").add(at(0), end).folded();
    assert_eq!(text_of(&transcript, 0), "Evening");
    assert_eq!(transcript.counters().kept_bytes, 7);
}

#[test]
fn blocks_that_are_not_text_stand_beside_it() {
    let image = ContentBlock::Image { data: "aGk=", mime_type: "image/png", uri: None };
    let events = Events::default()
        .add(at(0), UserMessageChunk { content: ContentBlock::Text { text: "See" } })
        .add(at(0), UserMessageChunk { content: image.clone() });
    let transcript = events.folded();
    let part = transcript.item(0).unwrap().as_text().unwrap();
    assert_eq!((part.role, part.text()), (Role::User, "See"));
    assert_eq!(part.blocks(), [image]);
    assert!(!transcript.did_work(), "an echo is no work");
}

#[test]
fn a_card_keeps_input_and_result_side_apart() {
    let prompt = [ToolContent::Content { content: ContentBlock::Text { text: "prompt" } }];
    let result = [ToolContent::Diff { path: "a.rs", old_text: None, new_text: "fn" }];
    let call = ToolCall {
        tool_call_id: "t~2",
        wire_tool_call_id: Some("t"),
        title: "Write",
        tool_name: Some("Write"),
        kind: ToolKind::Edit,
        status: ToolStatus::InProgress,
        raw_input: Some(Json("{\"a\":1}")),
        content: Some(prompt[..].into()),
        ..ToolCall::default()
    };
    let done = ToolCallUpdate {
        tool_call_id: "t~2",
        status: Some(ToolStatus::Completed),
        content: Some(result[..].into()),
        raw_output: Some(Json("[1]")),
        locations: Some(vec![Location { path: "a.rs", line: Some(3.0) }].into()),
        ..ToolCallUpdate::default()
    };
    let events = Events::default().add(at(0), call).add(at(0), done);
    let transcript = events.folded();
    let card = transcript.item(0).unwrap().as_tool().unwrap();
    assert_eq!((&*card.tool_call_id, card.wire_tool_call_id.as_deref()), ("t~2", Some("t")));
    assert_eq!(
        (card.title.as_ref(), card.tool_name.as_deref(), card.kind),
        ("Write", Some("Write"), ToolKind::Edit)
    );
    assert_eq!((card.status, card.status_inferred, card.inferred), (ToolStatus::Completed, false, false));
    assert_eq!((card.raw_input(), card.raw_output()), (Some("{\"a\":1}"), Some("[1]")));
    assert_eq!(card.input_content(), prompt);
    assert_eq!(card.result_content(), result);
    assert_eq!(card.locations(), [Location { path: "a.rs", line: Some(3.0) }]);
    assert_eq!(transcript.card("t~2"), Some(0));
    assert!(!card.is_open());
}

#[test]
fn later_results_replace_and_absent_fields_keep() {
    let content = |text| Some(vec![ToolContent::Content { content: ContentBlock::Text { text } }].into());
    let half = ToolCallUpdate { tool_call_id: "a", content: content("half"), ..ToolCallUpdate::default() };
    let whole = ToolCallUpdate { tool_call_id: "a", content: content("whole"), ..ToolCallUpdate::default() };
    let failed = ToolCallUpdate {
        tool_call_id: "a",
        status: Some(ToolStatus::Failed),
        inferred: true,
        ..ToolCallUpdate::default()
    };
    let transcript =
        Events::default().call(0, "a").add(at(0), half).add(at(0), whole).add(at(0), failed).folded();
    let card = transcript.item(0).unwrap().as_tool().unwrap();
    assert_eq!(
        card.result_content(),
        [ToolContent::Content { content: ContentBlock::Text { text: "whole" } }]
    );
    assert_eq!((card.title.as_ref(), card.kind), ("Look", ToolKind::Read));
    assert!(card.status_inferred);
    assert_eq!(transcript.counters().kept_bytes, 5, "what was replaced counts no more");
}

#[test]
fn streamed_input_and_output_are_joined_per_stream() {
    let piece = |delta, stream| ToolCallUpdate {
        tool_call_id: "a",
        output_delta: Some(OutputDelta { text: delta, stream }),
        ..ToolCallUpdate::default()
    };
    let input =
        |delta| ToolCallUpdate { tool_call_id: "a", input_delta: Some(delta), ..ToolCallUpdate::default() };
    let (out, err) = (Some(OutputStream::Stdout), Some(OutputStream::Stderr));
    let events = Events::default().call(0, "a").add(at(0), input("{\"a\"")).add(at(0), input(":1}"));
    let events = events.add(at(0), piece("1", out)).add(at(0), piece("2", out)).add(at(0), piece("!", err));
    let transcript = events.add(at(0), piece("?", None)).folded();
    let card = transcript.item(0).unwrap().as_tool().unwrap();
    assert_eq!(card.input_text(), "{\"a\":1}");
    assert_eq!(card.output_text(), "12!?");
    assert_eq!(card.output_runs().collect::<Vec<_>>(), [(out, "12"), (err, "!"), (None, "?")]);
}

#[test]
fn a_change_tells_what_to_draw_again() {
    let mut transcript = Transcript::new();
    let first =
        transcript.apply(&Events::default().text(0, "a").text(1, "b").call(2, "t").text(3, "d").batch);
    assert_eq!(first, Change { revision: 1, created: 0..4, changed: vec![], state: false });

    let more =
        Events::default().text(3, "d").text(1, "b").text(0, "a").text(1, "b").text(4, "e").text(4, "e");
    let second = transcript.apply(&more.batch);
    assert_eq!(second, Change { revision: 2, created: 4..5, changed: vec![0..2, 3..4], state: false });
    let revisions: Vec<u64> = transcript.items(0..9).iter().map(|item| item.revision).collect();
    assert_eq!(revisions, [2, 2, 1, 2, 2]);
}

#[test]
fn what_changes_nothing_moves_no_revision() {
    let mut transcript = Transcript::new();
    let hook = Hook { method: "hook", event: "Stop", payload: None, raw: Json("{}") };
    for batch in [Batch::new(), Events::default().add(Envelope::default(), hook).batch] {
        let change = transcript.apply(&batch);
        assert!(change.is_empty());
        assert_eq!(change.revision, 0);
    }
    let usage = Usage { scope: UsageScope::Run, usage: TokenUsage::default() };
    let change = transcript.apply(&Events::default().add(Envelope::default(), usage).batch);
    assert_eq!(change, Change { revision: 1, created: 0..0, changed: vec![], state: true });
}

#[test]
fn items_under_a_card_are_found_by_their_own_word_and_by_late_links() {
    let under = Envelope { parent_tool_call_id: Some("t"), ..at(1) };
    let own_word = Envelope { parent_tool_call_id: Some("elsewhere"), ..by("helper", 3) };
    let content = ContentBlock::Text { text: "x" };
    let events = Events::default()
        .call(0, "t")
        .add(under, AgentMessageChunk { content: content.clone() })
        .add(by("helper", 2), AgentMessageChunk { content: content.clone() })
        .add(own_word, AgentMessageChunk { content });
    let mut transcript = events.folded();
    assert_eq!(transcript.children("t"), [1]);
    assert_eq!(transcript.parent_of(2), None);
    assert!(transcript.agents().is_empty());

    let linked = Agent {
        agent_id: "helper",
        name: Some("North"),
        parent_tool_call_id: Some("t"),
        status: AgentStatus::Running,
        ..Agent::default()
    };
    let change = transcript.apply(&Events::default().add(Envelope::default(), linked).batch);
    assert_eq!((change.revision, change.created, change.state), (2, 4..4, true));
    assert_eq!(change.changed.into_iter().flatten().collect::<Vec<_>>(), [2, 3], "they stand elsewhere now");
    assert_eq!(transcript.children("t"), [1, 2]);
    assert_eq!(transcript.parent_of(2).as_deref(), Some("t"));
    assert_eq!(transcript.parent_of(3).as_deref(), Some("elsewhere"));
    assert_eq!(transcript.items_of_agent("helper"), [2, 3]);

    let ended = Agent { agent_id: "helper", status: AgentStatus::Completed, ..Agent::default() };
    let change = transcript.apply(&Events::default().add(Envelope::default(), ended).batch);
    assert_eq!(change.changed, [], "no item moved");
    let agent = transcript.agent("helper").unwrap();
    assert_eq!(agent.name.as_deref(), Some("North"));
    assert_eq!(agent.status, AgentStatus::Completed);
    assert_eq!(transcript.agents_of_card("t").count(), 1);

    let moved = Agent {
        agent_id: "helper",
        parent_tool_call_id: Some("u"),
        status: AgentStatus::Unknown,
        ..Agent::default()
    };
    transcript.apply(&Events::default().add(Envelope::default(), moved).batch);
    assert_eq!((transcript.children("t"), transcript.children("u")), (vec![1], vec![2]));
    assert_eq!(transcript.agents()[0].status, AgentStatus::Completed, "unknown is no news");
}

#[test]
fn plans_replace_each_other_per_agent() {
    let entry = |content| PlanEntry { content, status: PlanStatus::Pending, priority: PlanPriority::Medium };
    let plan = |content| Plan { entries: vec![entry(content)].into() };
    let events =
        Events::default().add(at(0), plan("mine")).add(by("x", 1), plan("its")).add(at(0), plan("new"));
    let transcript = events.folded();
    assert_eq!(
        (transcript.plan(None), transcript.plan(Some("x")), transcript.plan(Some("y"))),
        (Some(0), Some(1), None)
    );
    let Body::Plan(part) = &transcript.item(0).unwrap().body else { panic!("item 0 is the plan") };
    assert_eq!(part.entries(), [entry("new")]);
    assert_eq!(transcript.len(), 2);
}

#[test]
fn a_stated_answer_stands_and_an_inferred_one_gives_way() {
    let ask = Interrupt { interrupt_id: "i", title: Some("May I?"), ..Interrupt::default() };
    let answer = |outcome, source| InterruptResolved {
        interrupt_id: "i",
        outcome,
        source,
        ..InterruptResolved::default()
    };
    let asked = Events::default().add(at(0), ask);
    assert_eq!(asked.folded().open_interrupts(), [0]);

    let events = asked
        .add(at(0), answer(InterruptOutcome::Unknown, LinkSource::Inferred))
        .add(at(0), answer(InterruptOutcome::Allowed, LinkSource::Wire))
        .add(at(0), answer(InterruptOutcome::Cancelled, LinkSource::Inferred));
    let transcript = events.folded();
    assert_eq!(transcript.interrupt("i"), Some(0));
    let Body::Interrupt(part) = &transcript.item(0).unwrap().body else { panic!("item 0 is the interrupt") };
    assert_eq!(part.interrupt().title, Some("May I?"));
    assert_eq!(part.resolution().unwrap().outcome, InterruptOutcome::Allowed);
    assert_eq!(transcript.open_interrupts(), []);
}

#[test]
fn small_items_are_kept_as_they_came() {
    let notice = Notice { text: "compiling", stream: Some(OutputStream::Stderr), ..Notice::default() };
    let error =
        Error { message: "overloaded", code: Some("529"), retry_after_ms: Some(500.0), ..Error::default() };
    let citations = Citations { items: Json("[{\"url\":\"u\"}]"), model_only: false };
    let artifact = Artifact { url: "u", filename: "f", tool_call_id: None };
    let events = Events::default().add(at(0), notice.clone()).add(at(1), error.clone());
    assert!(!events.folded().did_work(), "notices and errors are no work");
    let events = events.add(at(2), citations.clone()).add(at(3), artifact.clone());
    let transcript = events.folded();
    assert!(transcript.did_work());
    match transcript.items(0..4) {
        [a, b, c, d] => match (&a.body, &b.body, &c.body, &d.body) {
            (Body::Notice(a), Body::Error(b), Body::Citations(c), Body::Artifact(d)) => {
                assert_eq!(
                    (a.notice(), b.error(), c.citations(), d.artifact()),
                    (notice, error, citations, artifact)
                );
            }
            other => panic!("{other:?}"),
        },
        other => panic!("{other:?}"),
    }
}

#[test]
fn work_is_what_the_agent_made_also_when_it_was_taken_back() {
    let quiet = Events::default().text(0, "").add(at(1), AgentThoughtChunk::default());
    assert!(!quiet.folded().did_work(), "texts without characters");
    let worked = quiet.text(0, "word");
    assert!(worked.folded().did_work());
    let back = Withdrawn { items: vec![0.0].into(), reason: "retry" };
    let transcript = worked.add(Envelope::default(), back).folded();
    assert!(transcript.did_work(), "it was done all the same");
    assert_eq!(transcript.item(0).unwrap().withdrawn.as_deref(), Some("retry"));
    assert_eq!(text_of(&transcript, 0), "word", "it keeps its content");

    let state = SharedState { snapshot: Some(Json("{}")), patch: None };
    assert!(Events::default().add(Envelope::default(), state).folded().did_work());
}

#[test]
fn usage_takes_the_last_call_of_a_message_and_every_run() {
    let spent = |prompt, completion| TokenUsage {
        prompt_tokens: Some(prompt),
        completion_tokens: completion,
        ..TokenUsage::default()
    };
    let call = |prompt, completion| Usage { scope: UsageScope::Call, usage: spent(prompt, completion) };
    let run = |prompt| Usage { scope: UsageScope::Run, usage: spent(prompt, Some(1.0)) };
    let message = |id| Envelope { message_id: Some(id), ..Envelope::default() };
    let helper = Envelope { agent_id: Some("x"), ..message("m1") };
    let transcript = Events::default()
        .add(message("m1"), call(10.0, Some(1.0)))
        .add(message("m1"), call(12.0, None))
        .add(message("m2"), call(5.0, Some(2.0)))
        .add(helper, call(7.0, None))
        .add(Envelope::default(), run(100.0))
        .add(Envelope::default(), run(50.0))
        .folded();
    let usage = transcript.usage();
    assert_eq!(
        (usage.main_calls.count, usage.main_calls.prompt, usage.main_calls.completion),
        (2, Some(17.0), Some(3.0))
    );
    assert_eq!((usage.subagent_calls.count, usage.subagent_calls.prompt), (1, Some(7.0)));
    assert_eq!(usage.subagent_calls.completion, None, "absent stays absent");
    assert_eq!((usage.main_runs.count, usage.main_runs.prompt), (2, Some(150.0)));
    assert_eq!(usage.subagent_runs.count, 0);
}

#[test]
fn the_newest_word_about_the_session_counts() {
    let start = Run { scope: RunScope::Run, phase: RunPhase::Start, ..Run::default() };
    let end = Run {
        phase: RunPhase::End,
        outcome: Some(RunOutcome::Cancelled),
        reason: Some("sigint"),
        evidence: Some(Evidence::Stated),
        ..start.clone()
    };
    let none = Envelope::default();
    let transcript = Events::default()
        .add(none, start)
        .add(none, end)
        .add(none, UsageUpdate { used: Some(10.0), size: Some(100.0), ..UsageUpdate::default() })
        .add(none, UsageUpdate { used: Some(20.0), ..UsageUpdate::default() })
        .add(none, CurrentModeUpdate { current_mode_id: "plan" })
        .add(
            none,
            CompactionUpdate { status: "running", summary: Some("so far"), ..CompactionUpdate::default() },
        )
        .add(none, CompactionUpdate { status: "completed", ..CompactionUpdate::default() })
        .add(none, SharedState { snapshot: Some(Json("{\"a\":1}")), patch: None })
        .add(none, SharedState { snapshot: None, patch: Some(Json("[]")) })
        .folded();
    let session = transcript.session();
    let run = session.run(RunScope::Run).unwrap();
    assert_eq!((run.outcome, run.reason.as_deref()), (Some(RunOutcome::Cancelled), Some("sigint")));
    assert_eq!(session.run(RunScope::Turn), None);
    assert_eq!((session.context.used, session.context.size), (Some(20.0), Some(100.0)));
    assert_eq!(session.mode.as_deref(), Some("plan"));
    let compaction = session.compaction.as_ref().unwrap();
    assert_eq!((compaction.status.as_ref(), compaction.summary.as_deref()), ("completed", Some("so far")));
    assert_eq!(session.state_snapshot(), Some(Json("{\"a\":1}")));
    assert_eq!(session.state_patches().collect::<Vec<_>>(), [Json("[]")]);
}

#[test]
fn each_record_is_listed_once_and_the_list_is_short() {
    let mut batch = Batch::new();
    for line in 1..=200 {
        let source = Source { offset: line * 10, length: 9, line, input: 0 };
        for text in ["a", "b"] {
            let chunk = AgentMessageChunk { content: ContentBlock::Text { text } };
            batch.push(&at(0), source, &chunk.into());
        }
    }
    let mut transcript = Transcript::new();
    transcript.apply(&batch);
    let item = transcript.item(0).unwrap();
    assert_eq!((item.source_count, item.sources().count(), item.first_source.line), (200, 64, 1));
    assert_eq!(item.sources().last().map(|source| source.line), Some(64));
}

#[test]
fn limits_cut_and_count() {
    let limits = Limits { text_per_item: 5, text: 12, items: 4, gap: 1 };
    let mut transcript = Transcript::with_limits(limits);
    transcript.apply(&Events::default().text(0, "1234").text(0, "é6").text(1, "ab").batch);
    assert_eq!(text_of(&transcript, 0), "1234", "no half characters");
    assert_eq!((transcript.item(0).unwrap().truncated, transcript.item(1).unwrap().truncated), (true, false));
    assert_eq!((transcript.counters().kept_bytes, transcript.counters().dropped_bytes), (6, 3));

    let raw =
        ToolCallUpdate { tool_call_id: "t", raw_output: Some(Json("[1,2,3]")), ..ToolCallUpdate::default() };
    transcript.apply(&Events::default().call(2, "t").add(at(2), raw).batch);
    let item = transcript.item(2).unwrap();
    assert_eq!(
        (item.truncated, item.as_tool().unwrap().raw_output()),
        (true, None),
        "half a JSON text is none"
    );

    transcript.apply(&Events::default().text(3, "12345").text(3, "6").text(4, "beyond").batch);
    assert_eq!((transcript.len(), transcript.counters().over_limit), (4, 1));
    transcript.apply(&Events::default().text(1, "cdefg").batch);
    assert_eq!(text_of(&transcript, 1), "abc", "the room of all texts together is used up");
    assert_eq!(transcript.counters().kept_bytes, 12);
}

#[test]
fn what_fits_nowhere_is_counted() {
    let mut transcript = Transcript::with_limits(Limits { gap: 2, ..Limits::default() });
    transcript.apply(&Events::default().text(2, "late").text(9, "far").batch);
    assert_eq!((transcript.len(), transcript.counters().gaps, transcript.counters().misplaced), (3, 2, 1));
    assert!(matches!(transcript.item(0).unwrap().body, Body::Missing));

    let nowhere = AgentMessageChunk { content: ContentBlock::Text { text: "?" } };
    let back = Withdrawn { items: vec![-1.0, 0.5, f64::NAN, 7.0].into(), reason: "odd" };
    let events = Events::default()
        .add(Envelope::default(), nowhere)
        .call(2, "t")
        .text(0, "filled")
        .add(at(1), ToolCallUpdate { tool_call_id: "u", ..ToolCallUpdate::default() })
        .add(Envelope::default(), back);
    transcript.apply(&events.batch);
    assert_eq!(text_of(&transcript, 0), "filled");
    assert_eq!(text_of(&transcript, 2), "late");
    assert!(transcript.items(0..3).iter().all(|item| item.withdrawn.is_none()));
    assert_eq!(transcript.counters().misplaced, 1 + 1 + 1 + 1 + 4);
}

/// Any event at all, over few items and ids so that they meet.
fn any_event() -> impl Strategy<Value = (u32, u8, String)> {
    (0..6u32, 0..9u8, "[a-zé]{0,3}")
}

fn add_any(events: Events, (item, sort, text): &(u32, u8, String)) -> Events {
    let (item, text) = (*item, text.as_str());
    let id = ["a", "b"][item as usize % 2];
    match sort {
        0..=2 => events.text(item, text),
        3 => events.add(by(id, item), AgentThoughtChunk { content: ContentBlock::Text { text } }),
        4 => events.call(item, id),
        5 => events.add(
            at(item),
            ToolCallUpdate { tool_call_id: id, title: Some(text), ..ToolCallUpdate::default() },
        ),
        6 => events.add(at(item), MessageEnd { content: Some(text), ..MessageEnd::default() }),
        7 => events.add(
            Envelope::default(),
            Agent { agent_id: id, parent_tool_call_id: Some("b"), ..Agent::default() },
        ),
        _ => events.add(Envelope::default(), Withdrawn { items: vec![f64::from(item)].into(), reason: text }),
    }
}

proptest! {
    #[test]
    fn batches_may_be_cut_anywhere(list in prop::collection::vec(any_event(), 0..40), cuts in prop::collection::vec(any::<bool>(), 40)) {
        let whole = list.iter().fold(Events::default(), add_any).folded();
        let mut cut = Transcript::new();
        let mut events = Events::default();
        for (event, here) in list.iter().zip(&cuts) {
            events = add_any(events, event);
            if *here {
                let seq = events.batch.next_seq();
                cut.apply(&events.batch);
                events.batch.clear(seq);
            }
        }
        cut.apply(&events.batch);
        prop_assert_eq!(whole.dump(), cut.dump());
        prop_assert_eq!(whole.counters(), cut.counters());
        prop_assert_eq!(whole.did_work(), cut.did_work());
    }

    #[test]
    fn a_change_names_exactly_the_items_that_differ(list in prop::collection::vec(any_event(), 1..20), before in prop::collection::vec(any_event(), 0..20)) {
        let mut transcript = before.iter().fold(Events::default(), add_any).folded();
        let lines = |transcript: &Transcript| -> Vec<String> {
            transcript.dump().lines().take(transcript.len() as usize).map(str::to_owned).collect()
        };
        let old = lines(&transcript);
        let change = transcript.apply(&list.iter().fold(Events::default(), add_any).batch);
        let new = lines(&transcript);
        prop_assert_eq!(change.created.clone(), old.len() as u32..new.len() as u32);
        let told: Vec<u32> = change.changed.iter().cloned().flatten().collect();
        prop_assert!(told.is_sorted_by(|a, b| a < b) && told.iter().all(|number| (*number as usize) < old.len()));
        for (number, (old, new)) in old.iter().zip(&new).enumerate() {
            prop_assert!(old == new || told.contains(&(number as u32)), "{} became {}, untold", old, new);
        }
        prop_assert!(change.changed.windows(2).all(|pair| pair[0].end < pair[1].start), "merged and apart");
    }
}
