//! The packed layout gives back what was put in, and the JSON says what the table promises.

use agent_ui_events::event::*;
use agent_ui_events::framing::Source;

const HERE: Source = Source { offset: 5_000_000_000, length: 4_294_967_301, line: 7, input: 0 };

fn json(event: &UiEvent<'_>) -> String {
    let mut out = String::new();
    event.write_json(&mut out);
    out
}

fn value(event: &UiEvent<'_>) -> serde_json::Value {
    serde_json::from_str(&json(event)).expect("well-formed JSON")
}

fn full_envelope() -> Envelope<'static> {
    Envelope {
        item: Some(0),
        session_id: Some("séance"),
        timestamp: Some("2026-01-01T00:00:00Z"),
        model: Some("m"),
        message_id: Some("msg"),
        parent_tool_call_id: Some("parent"),
        agent_id: Some("agent"),
        extra: Some(Json(r#"{"a":[1,"𝄞"]}"#)),
    }
}

fn tool_content<'a>() -> Vec<ToolContent<'a>> {
    let mut list: Vec<_> = blocks().into_iter().map(|content| ToolContent::Content { content }).collect();
    list.push(ToolContent::Diff { path: "a.rs", old_text: Some("x\ny"), new_text: "𝄞" });
    list.push(ToolContent::Diff { path: "b.rs", old_text: None, new_text: "" });
    list.push(ToolContent::Terminal { terminal_id: "t1" });
    list
}

fn blocks<'a>() -> Vec<ContentBlock<'a>> {
    vec![
        ContentBlock::Text { text: "héllo 👩‍👩‍👧" },
        ContentBlock::Image { data: "AA==", mime_type: "image/png", uri: Some("u") },
        ContentBlock::Image { data: "", mime_type: "image/png", uri: None },
        ContentBlock::Audio { data: "BB==", mime_type: "audio/wav" },
        ContentBlock::Resource { resource: Json(r#"{"uri":"file:///a"}"#) },
        ContentBlock::ResourceLink {
            uri: "l",
            name: Some("n"),
            title: Some("t"),
            mime_type: Some("m"),
            size: Some(12.5),
        },
        ContentBlock::ResourceLink { uri: "l", name: None, title: None, mime_type: None, size: None },
    ]
}

fn locations<'a>() -> List<'a, Location<'a>> {
    List::Borrowed(&[Location { path: "src/a.rs", line: Some(3.0) }, Location { path: "b", line: None }])
}

fn questions<'a>() -> Vec<Question<'a>> {
    let full = Question {
        id: "q",
        question: "which?",
        header: Some("h"),
        type_: QuestionType::Multiple,
        options: List::Owned(vec![
            Choice { value: "v", label: "l", description: Some("d") },
            Choice { value: "v2", label: "l2", description: None },
        ]),
        allow_other: true,
        required: true,
        min: Some(1.0),
        max: Some(2.0),
        secret: true,
    };
    vec![full, Question::default()]
}

/// Every update with every field set. The lifetime is the caller's: an `Update` cannot be shortened (`Cow` is invariant).
fn full_updates<'a>() -> Vec<Update<'a>> {
    let chunk = |index: usize| blocks().swap_remove(index);
    vec![
        AgentMessageChunk { content: chunk(0) }.into(),
        AgentThoughtChunk { content: chunk(1) }.into(),
        UserMessageChunk { content: chunk(4) }.into(),
        ToolCall {
            tool_call_id: "call~2",
            title: "Read",
            tool_name: Some("Read"),
            kind: ToolKind::SwitchMode,
            status: ToolStatus::Failed,
            raw_input: Some(Json(r#"{"n":1e400}"#)),
            content: Some(tool_content().into()),
            locations: Some(locations()),
            inferred: true,
            wire_tool_call_id: Some("call"),
        }
        .into(),
        ToolCallUpdate {
            tool_call_id: "call~2",
            status: Some(ToolStatus::Completed),
            title: Some("t"),
            kind: Some(ToolKind::Other),
            tool_name: Some("n"),
            raw_input: Some(Json("1")),
            input_delta: Some("{\"a"),
            output_delta: Some(OutputDelta { text: "out\n", stream: Some(OutputStream::Stderr) }),
            content: Some(tool_content().into()),
            input_content: Some(tool_content().into()),
            locations: Some(locations()),
            raw_output: Some(Json("[]")),
            inferred: true,
        }
        .into(),
        Plan {
            entries: vec![
                PlanEntry { content: "do", status: PlanStatus::InProgress, priority: PlanPriority::Low },
                PlanEntry::default(),
            ]
            .into(),
        }
        .into(),
        Error { message: "m", fatal: true, code: Some("c"), retry_after_ms: Some(1500.0) }.into(),
        Usage {
            scope: UsageScope::Run,
            usage: TokenUsage {
                prompt_tokens: Some(0.0),
                completion_tokens: Some(2.0),
                cached_tokens: Some(3.0),
                cost_usd: Some(0.0125),
                extra: Some(Json(r#"{"x":1}"#)),
            },
        }
        .into(),
        MessageEnd { role: Role::User, content: Some(""), stop_reason: Some("end_turn"), aborted: true }
            .into(),
        Withdrawn { items: vec![0.0, 4.0, 9.0].into(), reason: "superseded" }.into(),
        Agent {
            agent_id: "a",
            name: Some("n"),
            session_id: Some("s"),
            parent_tool_call_id: Some("p"),
            status: AgentStatus::Unknown,
        }
        .into(),
        Run {
            scope: RunScope::Agent,
            phase: RunPhase::End,
            outcome: Some(RunOutcome::Cut),
            reason: Some("r"),
            duration_ms: Some(1.5),
            evidence: Some(Evidence::Inferred),
        }
        .into(),
        Lifecycle {
            sandbox_id: Some("i"),
            sandbox: Some("ready"),
            agent: Some("idle"),
            timestamp: Some("t"),
            reason: Some("r"),
            browser: Some(Browser { live_url: "u", session_id: Some("s"), session_tag: Some("g") }),
        }
        .into(),
        full_interrupt().into(),
        InterruptResolved {
            interrupt_id: "i",
            outcome: InterruptOutcome::Unknown,
            option_id: Some("o"),
            option_kind: Some(OptionKind::Other),
            answers: Some(Json(r#"{"q":["a"]}"#)),
            edited_input: Some(Json("{}")),
            message: Some("m"),
            source: LinkSource::Inferred,
        }
        .into(),
        Notice { severity: Severity::Error, text: "t", stream: Some(OutputStream::Stdout) }.into(),
        Hook { method: "m", event: "e", payload: Some(Json("{}")), raw: Json("{\"r\":1}") }.into(),
        Citations { items: Json("[1]"), model_only: true }.into(),
        Artifact { url: "u", filename: "f", tool_call_id: Some("t") }.into(),
        UsageUpdate {
            used: Some(10.0),
            size: Some(200_000.0),
            used_ratio: Some(0.00005),
            cost: Some(Json("{\"amount\":1}")),
        }
        .into(),
        CompactionUpdate { compaction_id: Some("c"), status: "done", summary: Some("s"), error: Some("e") }
            .into(),
        AvailableCommandsUpdate {
            available_commands: vec![
                SlashCommand { name: "n", description: "d", hint: Some("h") },
                SlashCommand::default(),
            ]
            .into(),
        }
        .into(),
        CurrentModeUpdate { current_mode_id: "plan" }.into(),
        ConfigOptionUpdate { config_options: Json("[{}]") }.into(),
        SessionInfoUpdate {
            title: Some("t"),
            updated_at: Some("u"),
            cwd: Some("/w"),
            meta: Some(Json("{}")),
        }
        .into(),
        SharedState { snapshot: Some(Json("{}")), patch: Some(Json("[]")) }.into(),
        HarnessEvent { type_: "t", payload: Some(Json("null")) }.into(),
        Unknown { type_: Some("t"), raw: "{broken" }.into(),
    ]
}

fn full_interrupt<'a>() -> Interrupt<'a> {
    Interrupt {
        interrupt_id: "i",
        id_source: IdSource::Minted,
        kind: InterruptKind::Question,
        tool_call_id: Some("t"),
        link_source: Some(LinkSource::Inferred),
        tool_name: Some("n"),
        title: Some("t"),
        message: Some("m"),
        reason: Some("r"),
        reason_code: Some("rc"),
        side_effect: Some("s"),
        raw_input: Some(Json("{}")),
        locations: Some(locations()),
        options: vec![
            InterruptOption {
                option_id: "o",
                name: "Allow",
                kind: OptionKind::AllowAlways,
                scope: Some(OptionScope::Rule),
                editable: true,
            },
            InterruptOption::default(),
        ]
        .into(),
        questions: questions().into(),
        response_schema: Some(Json("{}")),
        editable: true,
        group: Some("g"),
        blocking: Blocking::RunEnds,
        expires_at: Some("e"),
        default_option_id: Some("o"),
    }
}

/// Every update with nothing but its required fields, at their defaults.
fn empty_updates<'a>() -> Vec<Update<'a>> {
    vec![
        AgentMessageChunk::default().into(),
        AgentThoughtChunk::default().into(),
        UserMessageChunk::default().into(),
        ToolCall::default().into(),
        ToolCallUpdate::default().into(),
        Plan::default().into(),
        Error::default().into(),
        Usage::default().into(),
        MessageEnd::default().into(),
        Withdrawn::default().into(),
        Agent::default().into(),
        Run::default().into(),
        Lifecycle::default().into(),
        Interrupt::default().into(),
        InterruptResolved::default().into(),
        Notice::default().into(),
        Hook::default().into(),
        Citations::default().into(),
        Artifact::default().into(),
        UsageUpdate::default().into(),
        CompactionUpdate::default().into(),
        AvailableCommandsUpdate::default().into(),
        CurrentModeUpdate::default().into(),
        ConfigOptionUpdate::default().into(),
        SessionInfoUpdate::default().into(),
        SharedState::default().into(),
        HarnessEvent::default().into(),
        Unknown::default().into(),
    ]
}

#[test]
fn the_samples_cover_every_update() {
    let names = |updates: Vec<Update<'_>>| updates.iter().map(Update::name).collect::<Vec<_>>();
    assert_eq!(names(full_updates()), Update::NAMES);
    assert_eq!(names(empty_updates()), Update::NAMES);
}

#[test]
fn every_update_comes_back_as_it_was_packed() {
    let mut batch = Batch::new();
    batch.clear(40);
    let mut expected = Vec::new();
    for envelope in [Envelope::default(), full_envelope()] {
        for update in full_updates().into_iter().chain(empty_updates()) {
            let seq = batch.push(&envelope, HERE, &update);
            expected.push(UiEvent { seq, envelope, source: HERE, update });
        }
    }
    assert_eq!(batch.len(), expected.len());
    assert_eq!(batch.next_seq(), 40 + expected.len() as u64);
    for (position, event) in expected.iter().enumerate() {
        assert_eq!(event.seq, 40 + position as u64);
        assert_eq!(batch.get(position).as_ref(), Some(event));
    }
    assert_eq!(batch.iter().collect::<Vec<_>>(), expected);
    assert_eq!(batch.get(expected.len()), None);
}

#[test]
fn every_content_block_comes_back_as_it_was_packed() {
    let mut batch = Batch::new();
    for content in blocks() {
        batch.push(&Envelope::default(), HERE, &AgentMessageChunk { content }.into());
    }
    let back: Vec<_> = batch.iter().map(|event| event.update).collect();
    let sent: Vec<Update<'_>> =
        blocks().into_iter().map(|content| AgentMessageChunk { content }.into()).collect();
    assert_eq!(back, sent);
}

#[test]
fn an_empty_list_is_not_an_absent_one() {
    let mut batch = Batch::new();
    for content in [None, Some(List::Borrowed(&[][..]))] {
        let update = ToolCallUpdate { tool_call_id: "a", content, ..Default::default() };
        batch.push(&Envelope::default(), HERE, &update.into());
    }
    let absent: Vec<_> = batch.iter().map(|event| value(&event)["update"].get("content").is_none()).collect();
    assert_eq!(absent, [true, false]);
}

#[test]
fn records_say_their_own_length() {
    let mut batch = Batch::new();
    for update in full_updates() {
        batch.push(&full_envelope(), HERE, &update);
    }
    let (mut at, mut tags) = (0, Vec::new());
    while let Some(length) = batch.words().get(at) {
        tags.push(batch.words()[at + 1]);
        at += *length as usize;
    }
    assert_eq!(at, batch.words().len());
    assert_eq!(tags, (1..=Update::NAMES.len() as u32).collect::<Vec<_>>());
}

#[test]
fn ends_count_utf16_units_and_tile_the_text() {
    let mut batch = Batch::new();
    for text in ["plain", "é", "日本", "𝄞𝄞", "a👩‍👩‍👧b", "", "\u{feff}x"] {
        let update = Notice { text, ..Default::default() };
        batch.push(&Envelope::default(), HERE, &update.into());
    }
    let units: Vec<u16> = batch.text().encode_utf16().collect();
    let mut start = 0;
    let strings: Vec<String> = batch
        .ends16()
        .iter()
        .map(|end| {
            let range = start..*end as usize;
            start = *end as usize;
            String::from_utf16(&units[range]).expect("an end inside a pair")
        })
        .collect();
    assert_eq!(start, units.len());
    assert_eq!(strings, ["plain", "é", "日本", "𝄞𝄞", "a👩‍👩‍👧b", "", "\u{feff}x"]);
}

#[test]
fn repeated_envelope_strings_and_call_ids_are_stored_once() {
    let mut batch = Batch::new();
    let update =
        |delta| ToolCallUpdate { tool_call_id: "call", input_delta: Some(delta), ..Default::default() };
    batch.push(&full_envelope(), HERE, &update("one").into());
    let strings = batch.ends16().len();
    batch.push(&Envelope::default(), HERE, &update("two").into());
    batch.push(&full_envelope(), HERE, &update("three").into());
    assert_eq!(batch.ends16().len(), strings + 2, "only the deltas are new");
    assert_eq!(batch.get(2).map(|event| event.envelope), Some(full_envelope()));
    assert_eq!(batch.get(1).map(|event| event.envelope), Some(Envelope::default()));
    let other = Envelope { model: Some("n"), ..full_envelope() };
    batch.push(&other, HERE, &update("four").into());
    assert_eq!(batch.ends16().len(), strings + 4);
    assert_eq!(batch.get(3).map(|event| event.envelope), Some(other));
}

#[test]
fn clearing_keeps_what_repeats_and_the_buffers() {
    let mut batch = Batch::new();
    let fill = |batch: &mut Batch| {
        for update in full_updates() {
            batch.push(&full_envelope(), HERE, &update);
        }
        (batch.words().as_ptr(), batch.text().as_ptr(), batch.ends16().as_ptr(), batch.words().to_vec())
    };
    fill(&mut batch);
    batch.clear(100);
    let kept = batch.ends16().len();
    assert!(batch.is_empty() && batch.words().is_empty());
    assert_eq!(batch.text(), "séancemmsgparentagent{\"a\":[1,\"𝄞\"]}t", "but for the timestamp");
    assert_eq!(batch.first_seq(), 100);
    let second = fill(&mut batch);
    assert_eq!(batch.get(0).map(|event| event.seq), Some(100));
    assert_eq!(batch.get(0).map(|event| event.envelope), Some(full_envelope()));
    let (.., generation) = batch.front();
    batch.clear(200);
    assert_eq!((batch.ends16().len(), batch.front().2), (kept, generation), "nothing new repeats");
    assert_eq!(fill(&mut batch), second, "same layout in the same memory");
    assert_eq!(batch.get(0).map(|event| event.envelope), Some(full_envelope()));
}

#[test]
fn a_chunk_is_written_in_the_order_of_the_table() {
    let event = UiEvent {
        seq: 3,
        envelope: full_envelope(),
        source: Source { offset: 10, length: 20, line: 2, input: 0 },
        update: AgentMessageChunk { content: ContentBlock::Text { text: "a\"\n" } }.into(),
    };
    let expected = concat!(
        r#"{"seq":3,"item":0,"update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"a\"\n"}},"#,
        r#""sessionId":"séance","timestamp":"2026-01-01T00:00:00Z","model":"m","messageId":"msg","#,
        r#""parentToolCallId":"parent","agentId":"agent","extra":{"a":[1,"𝄞"]},"#,
        r#""source":{"offset":10,"length":20,"line":2}}"#
    );
    assert_eq!(json(&event), expected);
}

#[test]
fn absent_fields_are_absent_keys_and_false_flags_only_stand_where_required() {
    let bare = |update| UiEvent { seq: 0, envelope: Envelope::default(), source: HERE, update };
    let update =
        ToolCallUpdate { tool_call_id: "a", status: Some(ToolStatus::InProgress), ..Default::default() };
    assert_eq!(
        value(&bare(update.into())),
        serde_json::json!({
            "seq": 0,
            "update": {"sessionUpdate": "tool_call_update", "toolCallId": "a", "status": "in_progress"},
            "source": {"offset": 5_000_000_000_u64, "length": 4_294_967_301_u64, "line": 7}
        })
    );
    let update = Error { message: "m", ..Default::default() };
    assert_eq!(
        value(&bare(update.into()))["update"],
        serde_json::json!({"sessionUpdate": "error", "message": "m", "fatal": false})
    );
}

#[test]
fn numbers_are_written_as_javascript_reads_them_and_what_json_lacks_is_null() {
    for (number, expected) in [
        (0.0, "0"),
        (-0.0, "0"),
        (1500.0, "1500"),
        (-2.0, "-2"),
        (0.0125, "0.0125"),
        (9_007_199_254_740_993.0, "9007199254740992"),
        (1e300, "1e300"),
        (2.5e-9, "2.5e-9"),
        (f64::INFINITY, "null"),
        (f64::NAN, "null"),
    ] {
        let update = Withdrawn { items: vec![number].into(), reason: "" };
        let event = UiEvent { seq: 0, envelope: Envelope::default(), source: HERE, update: update.into() };
        let text = json(&event);
        assert!(text.contains(&format!("\"items\":[{expected}]")), "{text}");
        value(&event);
    }
}

#[test]
fn an_event_stays_one_line_of_json_whatever_it_holds() {
    for envelope in [Envelope::default(), full_envelope()] {
        for update in full_updates().into_iter().chain(empty_updates()) {
            let name = update.name();
            let event = UiEvent { seq: 1, envelope, source: HERE, update };
            // A number too big for f64 is legal text that only serde_json refuses.
            let text = json(&event).replace("1e400", "1e40");
            let parsed: serde_json::Value = serde_json::from_str(&text).expect(name);
            assert_eq!(parsed["update"]["sessionUpdate"], name);
        }
    }
    let update = Citations { items: Json("[\r\n  1,\n  2\n]"), model_only: false };
    let event = UiEvent { seq: 1, envelope: Envelope::default(), source: HERE, update: update.into() };
    assert!(!json(&event).contains(['\n', '\r']));
    assert_eq!(value(&event)["update"]["items"], serde_json::json!([1, 2]));
}

#[test]
fn words_go_there_and_back_and_strangers_are_refused() {
    for kind in ToolKind::ALL {
        assert_eq!(ToolKind::from_word(kind.as_str()), Some(*kind));
    }
    assert_eq!(ToolKind::SwitchMode.as_str(), "switch_mode");
    assert_eq!(ToolKind::from_word("Read"), None);
    assert_eq!(ToolStatus::default(), ToolStatus::Pending);
}

#[test]
fn a_number_that_is_none_is_absent() {
    let mut batch = Batch::new();
    let update = UsageUpdate { used: Some(f64::NAN), size: Some(f64::INFINITY), ..Default::default() };
    batch.push(&Envelope::default(), HERE, &update.into());
    let back = batch.get(0).map(|event| event.update);
    let expected = UsageUpdate { size: Some(f64::INFINITY), ..Default::default() };
    assert_eq!(back, Some(expected.into()), "NaN is how absence is packed");
}

#[test]
#[cfg(target_pointer_width = "64")]
fn an_update_stays_small_enough_to_move() {
    // `Interrupt` sets the size; it is rare, so nothing is boxed for it. Grow this on purpose or not at all.
    assert_eq!(std::mem::size_of::<Interrupt<'_>>(), 288);
    assert!(std::mem::size_of::<ToolCallUpdate<'_>>() <= 208);
    assert!(std::mem::size_of::<Update<'_>>() <= 296);
}
