//! The transcript's handle: a normalizer and the state folded from its events, which stays inside.

use std::collections::HashMap;

use wasm_bindgen::prelude::*;

use super::window::{Input, of_slice};
use super::{error, options, report};
use crate::event::Batch;
use crate::transcript::{Change, ItemJson, Seen};
use crate::{Misuse, Normalizer, Transcript};

/// One stream and its state.
#[wasm_bindgen]
pub struct TranscriptHandle {
    normalizer: Normalizer,
    transcript: Transcript,
    input: Input,
    /// revision low and high, first and end of what was created, state changed, pointer to and length of `changed`
    window: [u32; 7],
    /// First and end of each stretch of changed items, one after the other.
    changed: Vec<u32>,
    /// What JavaScript holds of the growing texts.
    seen: HashMap<u32, Seen>,
}

#[wasm_bindgen]
impl TranscriptHandle {
    /// Fails with `option.*`.
    #[wasm_bindgen(constructor)]
    pub fn new(options: &JsValue) -> Result<TranscriptHandle, JsValue> {
        let (normalizer, transcript) = options::transcript(options)?;
        Ok(TranscriptHandle {
            normalizer,
            transcript,
            input: Input::default(),
            window: [0; 7],
            changed: Vec::new(),
            seen: HashMap::new(),
        })
    }

    /// Where to write the next chunk of at most `length` bytes.
    pub fn input(&mut self, length: usize) -> *mut u8 {
        self.input.reserve(length)
    }

    /// Reads what was written. The result points to a change window.
    pub fn push(&mut self, length: usize) -> Result<*const u32, JsValue> {
        let batch = self.normalizer.push(self.input.written(length));
        let change = apply(&mut self.transcript, batch)?;
        Ok(self.show(change))
    }

    /// The stream is over. The result points to a change window.
    pub fn end(&mut self) -> Result<*const u32, JsValue> {
        let change = apply(&mut self.transcript, self.normalizer.end())?;
        Ok(self.show(change))
    }

    /// The connection broke, another one follows. The result points to a change window.
    pub fn disconnect(&mut self) -> *const u32 {
        let change = self.transcript.apply(self.normalizer.disconnect());
        self.show(change)
    }

    /// For a reconnect; empty when there is none.
    #[wasm_bindgen(js_name = lastEventId)]
    pub fn last_event_id(&self) -> String {
        self.normalizer.last_event_id().to_owned()
    }

    /// How long the server asked to wait.
    #[wasm_bindgen(js_name = retryMs)]
    pub fn retry_ms(&self) -> Option<f64> {
        self.normalizer.retry_ms().map(|milliseconds| milliseconds as f64)
    }

    /// What is known so far, as an object. A transcript has the texts: it tells the answer where the wire does not.
    pub fn report(&self) -> Result<JsValue, JsValue> {
        let mut report = self.normalizer.report();
        if report.result.text.is_none() {
            report.result.text = self.transcript.final_text().map(str::to_owned);
        }
        report::to_js(&report)
    }

    /// Number of items.
    #[wasm_bindgen(getter)]
    pub fn length(&self) -> u32 {
        self.transcript.len()
    }

    /// The items as a JSON array. Of growing texts only what was not handed out before: the caller keeps the rest.
    pub fn items(&mut self, first: u32, end: u32) -> String {
        let mut out = String::from("[");
        for number in first..end.min(self.transcript.len()) {
            if out.len() > 1 {
                out.push(',');
            }
            let seen = self.seen.entry(number).or_default();
            self.transcript.write_item_json(&mut out, number, ItemJson::default(), Some(seen));
        }
        out.push(']');
        out
    }

    /// The raw input of a tool card, however large.
    #[wasm_bindgen(js_name = rawInput)]
    pub fn raw_input(&self, item: u32) -> Option<String> {
        self.transcript.item(item)?.as_tool()?.raw_input().map(str::to_owned)
    }

    /// The raw output of a tool card, however large.
    #[wasm_bindgen(js_name = rawOutput)]
    pub fn raw_output(&self, item: u32) -> Option<String> {
        self.transcript.item(item)?.as_tool()?.raw_output().map(str::to_owned)
    }

    /// The announced agents, JSON.
    pub fn agents(&self) -> String {
        self.transcript.agents_json()
    }

    /// What stands beside the list, JSON.
    pub fn session(&self) -> String {
        self.transcript.session_json()
    }

    /// The newest plan of an agent.
    pub fn plan(&self, agent_id: Option<String>) -> Option<u32> {
        self.transcript.plan(agent_id.as_deref())
    }

    /// The item of a card.
    pub fn card(&self, tool_call_id: &str) -> Option<u32> {
        self.transcript.card(tool_call_id)
    }

    /// The items under a card.
    pub fn children(&self, tool_call_id: &str) -> Vec<u32> {
        self.transcript.children(tool_call_id)
    }

    /// The interrupts that wait.
    #[wasm_bindgen(js_name = openInterrupts)]
    pub fn open_interrupts(&self) -> Vec<u32> {
        self.transcript.open_interrupts()
    }
}

impl TranscriptHandle {
    fn show(&mut self, change: Change) -> *const u32 {
        self.changed = change.changed.iter().flat_map(|range| [range.start, range.end]).collect();
        let [changed, length] = of_slice(&self.changed);
        let revision = change.revision;
        let created = change.created;
        self.window = [
            revision as u32,
            (revision >> 32) as u32,
            created.start,
            created.end,
            u32::from(change.state),
            changed,
            length,
        ];
        self.window.as_ptr()
    }
}

fn apply(transcript: &mut Transcript, batch: Result<&Batch, Misuse>) -> Result<Change, JsValue> {
    let batch = batch.map_err(|misuse| error("misuse.ended", &misuse.to_string()))?;
    Ok(transcript.apply(batch))
}
