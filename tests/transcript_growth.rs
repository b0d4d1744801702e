//! A reader who asks now and then, and gets only what is new, has the same items as one who reads them at the end.

use agent_ui_events::event::{
    Agent, AgentMessageChunk, Batch, ContentBlock, Envelope, Json, MessageEnd, OutputDelta, OutputStream,
    ToolCall, ToolCallUpdate, Update, Withdrawn,
};
use agent_ui_events::framing::Source;
use agent_ui_events::transcript::{ItemJson, Limits, Seen, Tails, Transcript};
use proptest::prelude::*;
use serde_json::Value;

const ITEMS: u32 = 4;

/// What a reader holds: objects that grow, and what it was given.
#[derive(Default)]
struct Reader {
    items: Vec<(Seen, Value)>,
    grown: usize,
}

impl Reader {
    fn read(&mut self, transcript: &Transcript) {
        self.items.resize_with(transcript.len() as usize, Default::default);
        for (number, (seen, value)) in self.items.iter_mut().enumerate() {
            let number = number as u32;
            if let Some(growth) = transcript.growth(number, seen) {
                self.grown += 1;
                value["revision"] = growth.revision.into();
                value["sourceCount"] = growth.source_count.into();
                let tails =
                    [("text", growth.text), ("inputText", growth.input), ("outputText", growth.output)];
                for (key, tail) in tails.into_iter().filter(|(_, tail)| !tail.is_empty()) {
                    value[key] =
                        format!("{}{tail}", value[key].as_str().expect("only what is there grows")).into();
                }
                continue;
            }
            let mut json = String::new();
            let Tails { text, input, output } =
                transcript.write_item_json(&mut json, number, ItemJson::default(), Some(seen));
            let mut new: Value = serde_json::from_str(&json).expect("items are JSON");
            for (key, is_tail) in [("text", text), ("inputText", input), ("outputText", output)] {
                if is_tail {
                    let [old, tail] = [&value[key], &new[key]].map(|text| text.as_str().unwrap_or_default());
                    new[key] = format!("{old}{tail}").into();
                }
            }
            *value = new;
        }
    }
}

fn whole(transcript: &Transcript) -> Vec<Value> {
    let json = |number| {
        let mut json = String::new();
        transcript.write_item_json(&mut json, number, ItemJson::default(), None);
        serde_json::from_str(&json).expect("items are JSON")
    };
    (0..transcript.len()).map(json).collect()
}

fn any_event() -> impl Strategy<Value = (u32, u8, String)> {
    (0..ITEMS, 0..14u8, "[a-zé]{0,3}")
}

fn add(batch: &mut Batch, (item, sort, text): &(u32, u8, String)) {
    let text = text.as_str();
    let id = ["a", "b"][*item as usize % 2];
    let at = Envelope { item: Some(*item), ..Envelope::default() };
    let nobody = Envelope::default();
    let update = ToolCallUpdate { tool_call_id: id, ..ToolCallUpdate::default() };
    let printed = |stream| Some(OutputDelta { stream, text });
    let chunk: Update<'_> = AgentMessageChunk { content: ContentBlock::Text { text } }.into();
    let (envelope, update): (Envelope<'_>, Update<'_>) = match sort {
        0..=2 => (at, chunk),
        3 => (Envelope { model: Some("m"), timestamp: Some("now"), ..at }, chunk),
        4 => (Envelope { agent_id: Some(id), ..at }, chunk),
        5 => (at, ToolCall { tool_call_id: id, title: "Look", ..ToolCall::default() }.into()),
        6 | 7 => (at, ToolCallUpdate { input_delta: Some(text), ..update }.into()),
        8 => (at, ToolCallUpdate { output_delta: printed(None), ..update }.into()),
        9 => (at, ToolCallUpdate { output_delta: printed(Some(OutputStream::Stderr)), ..update }.into()),
        10 => (at, ToolCallUpdate { title: Some(text), raw_input: Some(Json("{}")), ..update }.into()),
        11 => (at, MessageEnd { content: Some(text), ..MessageEnd::default() }.into()),
        12 => (nobody, Agent { agent_id: id, parent_tool_call_id: Some("b"), ..Agent::default() }.into()),
        _ => (nobody, Withdrawn { items: vec![f64::from(*item)].into(), reason: text }.into()),
    };
    let line = batch.next_seq() + 1;
    batch.push(&envelope, Source { offset: line * 100, length: 99, line, input: 0 }, &update);
}

proptest! {
    #[test]
    fn what_is_new_adds_up_to_the_whole(
        list in prop::collection::vec((any_event(), any::<bool>()), 0..60),
        room in prop_oneof![Just(1000usize), Just(6)],
    ) {
        let mut transcript = Transcript::with_limits(Limits { text_per_item: room, ..Limits::default() });
        let mut reader = Reader::default();
        for (event, asks) in &list {
            let mut batch = Batch::new();
            batch.clear(transcript.revision());
            add(&mut batch, event);
            transcript.apply(&batch);
            if *asks {
                reader.read(&transcript);
            }
        }
        reader.read(&transcript);
        let items: Vec<Value> = reader.items.into_iter().map(|(_, value)| value).collect();
        prop_assert_eq!(items, whole(&transcript));
    }
}

#[test]
fn of_a_text_that_grows_only_its_end_leaves() {
    let mut transcript = Transcript::new();
    let mut reader = Reader::default();
    for text in ["one ", "two ", "three"] {
        let mut batch = Batch::new();
        add(&mut batch, &(0, 0, text.to_owned()));
        transcript.apply(&batch);
        reader.read(&transcript);
    }
    assert_eq!((reader.grown, &reader.items[0].1["text"]), (2, &Value::from("one two three")));
}
