//! A reader who asks now and then, and gets only what is new, has the same items as one who reads them at the end.

use agent_ui_events::event::{
    Agent, AgentMessageChunk, Batch, ContentBlock, Envelope, Json, MessageEnd, OutputDelta, OutputStream,
    ToolCall, ToolCallUpdate, Update, Withdrawn,
};
use agent_ui_events::framing::Source;
use agent_ui_events::transcript::{ItemJson, Limits, Seen, Transcript};
use proptest::prelude::*;
use serde_json::{Value, json};

const ITEMS: u32 = 4;

/// Sorts of records (src/transcript/packed.rs), and the bits that say that of a text only the end is here.
const GROWN: u32 = 0;
const MISSING: u32 = 1;
const TEXT: u32 = 2;
const TOOL: u32 = 3;
const TAILS: [(&str, u32); 3] = [("text", 1 << 8), ("inputText", 2 << 8), ("outputText", 4 << 8)];
/// First word of the body.
const BODY: usize = 22;

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
            let mut batch = Batch::new();
            transcript.pack_item(&mut batch, number as u32, seen);
            let record = Record(&batch);
            self.grown += usize::from(record.word(1) == GROWN);
            if record.word(1) == GROWN { record.grow(value) } else { *value = record.whole(number, value) }
        }
    }
}

/// The one record of a batch, read as pkg/src/itemreader.ts reads it.
struct Record<'a>(&'a Batch);

impl Record<'_> {
    fn word(&self, at: usize) -> u32 {
        self.0.words()[at]
    }

    fn text(&self, at: usize) -> Option<&str> {
        let last = (self.word(at) as usize).checked_sub(1)?;
        let end = |index: usize| self.0.ends()[index] as usize;
        Some(&self.0.text()[last.checked_sub(1).map_or(0, end)..end(last)])
    }

    fn grow(&self, value: &mut Value) {
        value["revision"] = self.word(2).into();
        value["sourceCount"] = self.word(4).into();
        for (at, (key, _)) in (6..).zip(TAILS) {
            if let Some(tail) = self.text(at) {
                let old = value[key].as_str().expect("only what is there grows");
                value[key] = format!("{old}{tail}").into();
            }
        }
    }

    /// `before`: what the reader has, whose texts an end is appended to.
    fn whole(&self, number: usize, before: &Value) -> Value {
        let sort = self.word(1) & 0xff;
        let mut value = json!({ "item": number, "revision": self.word(16), "sourceCount": self.word(18) });
        let mut told = |key: &str, text: Option<&str>| {
            if let Some(text) = text {
                value[key] = text.into();
            }
        };
        for (key, at) in
            [("timestamp", 10), ("model", 11), ("parentToolCallId", 13), ("agentId", 14), ("withdrawn", 20)]
        {
            told(key, self.text(at));
        }
        let texts = match sort {
            TEXT => vec![(TAILS[0], self.text(BODY + 1))],
            TOOL => vec![(TAILS[1], self.text(BODY + 14)), (TAILS[2], self.text(BODY + 15))],
            _ => Vec::new(),
        };
        for ((key, bit), text) in texts {
            let old = if self.word(1) & bit == 0 { "" } else { before[key].as_str().expect("has an end") };
            let text = format!("{old}{}", text.unwrap_or_default());
            told(key, Some(text.as_str()).filter(|text| sort == TEXT || !text.is_empty()));
        }
        match sort {
            MISSING => told("type", Some("missing")),
            TEXT => {
                [("type", "text"), ("role", "agent")].iter().for_each(|(key, word)| told(key, Some(word)));
                if self.word(BODY + 2) != 0 {
                    value["ended"] = true.into();
                }
            }
            _ => {
                [("type", "tool"), ("kind", "read"), ("status", "pending")]
                    .iter()
                    .for_each(|(key, word)| told(key, Some(word)));
                told("toolCallId", self.text(BODY));
                told("title", self.text(BODY + 2));
                if let Some(json) = self.text(BODY + 8) {
                    value["rawInput"] = serde_json::from_str(json).expect("raw inputs are JSON");
                }
                self.streams(&mut value);
            }
        }
        if self.word(21) != 0 {
            value["truncated"] = true.into();
        }
        if self.word(18) > 0 {
            value["source"] = json!({ "offset": self.word(2), "length": self.word(4), "line": self.word(6) });
        }
        value
    }

    fn streams(&self, value: &mut Value) {
        let at = BODY + 16;
        let count = self.word(at) as usize;
        let streams = (at + 1..at + count).step_by(2).map(|at| {
            let end = self.word(at + 1);
            if self.word(at) == 0 { json!({ "end": end }) } else { json!({ "stream": "stderr", "end": end }) }
        });
        if count > 0 {
            value["outputStreams"] = streams.collect();
        }
    }
}

fn whole(transcript: &Transcript) -> Vec<Value> {
    let json = |number| {
        let mut json = String::new();
        transcript.write_item_json(&mut json, number, ItemJson::default());
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
