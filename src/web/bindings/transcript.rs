//! The transcript's handle: a normalizer and the state folded from its events, which stays inside.

use std::ops::Range;

use wasm_bindgen::prelude::*;

use super::window::{BatchWindow, Headroom, Input, of_batch, of_slice};
use super::{options, report};
use crate::event::{Batch, utf16_units};
use crate::hash::Map;
use crate::transcript::{Change, Seen};
use crate::{Misuse, Normalizer, Transcript};

/// One stream and its state.
#[wasm_bindgen]
pub struct TranscriptHandle {
    normalizer: Normalizer,
    transcript: Transcript,
    change: Change,
    input: Input,
    headroom: Headroom,
    /// revision low and high, source count of an offer low and high, first and end of what was created, state changed,
    /// pointer to and length of `changed`, then an [`Offer`]
    window: [u32; 14],
    /// The item of the offer, and how much of its text a reader has who took it.
    offered: (u32, usize),
    /// First and end of each stretch of changed items, one after the other.
    changed: Vec<u32>,
    /// What JavaScript holds of the items.
    seen: Map<u32, Seen>,
    /// Items on their way out.
    items: Batch,
    items_window: BatchWindow,
}

/// Room for texts that stays from call to call.
const KEPT_BYTES: usize = 1 << 20;

/// What a change window says of the one item that changed, if all of that is a little more text at its end, so that a
/// reader need not ask for it: number plus one (0: no offer), pointer to the text since the reader's mark, its length in
/// bytes and in UTF-16 units, and a word for the reader: with 1 there its mark moves to the end of this text.
type Offer = [u32; 5];

/// Of an offer that nobody takes each push counts the units again.
const OFFERED_BYTES: usize = 256;

#[wasm_bindgen]
impl TranscriptHandle {
    /// Fails with `option.*`.
    #[wasm_bindgen(constructor)]
    pub fn new(options: &JsValue) -> Result<TranscriptHandle, JsValue> {
        let (normalizer, transcript) = options::transcript(options)?;
        Ok(TranscriptHandle {
            normalizer,
            transcript,
            change: Change::default(),
            input: Input::default(),
            headroom: Headroom::default(),
            window: [0; 14],
            offered: (0, 0),
            changed: Vec::new(),
            seen: Map::default(),
            items: Batch::new(),
            items_window: [0; 14],
        })
    }

    /// Where to write the next chunk of at most `length` bytes.
    pub fn input(&mut self, length: usize) -> *mut u8 {
        self.input.reserve(length)
    }

    /// Reads what was written. The result points to a change window; null after `end`.
    pub fn push(&mut self, length: usize) -> *const u32 {
        let is_told =
            folded(&mut self.transcript, &mut self.change, self.normalizer.push(self.input.written(length)));
        self.show_folded(is_told)
    }

    /// The stream is over. The result points to a change window; null after `end`.
    pub fn end(&mut self) -> *const u32 {
        let is_told = folded(&mut self.transcript, &mut self.change, self.normalizer.end());
        self.show_folded(is_told)
    }

    /// A further file of the same run: its number.
    #[wasm_bindgen(js_name = addInput)]
    pub fn add_input(&mut self, name: &str) -> u32 {
        self.normalizer.input(name)
    }

    /// Reads what was written, as part of a further input. The result points to a change window; null after its end.
    #[wasm_bindgen(js_name = pushTo)]
    pub fn push_to(&mut self, input: u32, length: usize) -> *const u32 {
        let is_told = folded(
            &mut self.transcript,
            &mut self.change,
            self.normalizer.push_to(input, self.input.written(length)),
        );
        self.show_folded(is_told)
    }

    /// A further input is over. The result points to a change window; null after its end.
    #[wasm_bindgen(js_name = endInput)]
    pub fn end_input(&mut self, input: u32) -> *const u32 {
        let is_told = folded(&mut self.transcript, &mut self.change, self.normalizer.end_input(input));
        self.show_folded(is_told)
    }

    /// The connection broke, another one follows. The result points to a change window.
    pub fn disconnect(&mut self) -> *const u32 {
        self.transcript.apply_into(self.normalizer.disconnect(), &mut self.change);
        self.show()
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

    /// What the caller lacks of these items; it keeps what it was given until it says `forget`. The result points to a batch
    /// window, whose words are the records of transcript/packed.rs.
    pub fn items(&mut self, first: u32, end: u32) -> *const u32 {
        self.settle();
        self.items.clear(0);
        // A call for a whole long transcript leaves no second copy of it behind.
        self.items.shrink(KEPT_BYTES);
        for number in first..end.min(self.transcript.len()) {
            let seen = self.seen.enter(number);
            self.transcript.pack_item(&mut self.items, number, seen);
        }
        self.items_window = of_batch(&self.items);
        self.items_window.as_ptr()
    }

    /// The caller dropped this item.
    pub fn forget(&mut self, number: u32) {
        self.seen.remove(&number);
    }

    /// The records behind an item, JSON.
    pub fn sources(&self, item: u32) -> String {
        self.transcript.sources_json(item)
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

/// Makes the change of a batch; none where the call came after the end.
fn folded(transcript: &mut Transcript, change: &mut Change, batch: Result<&Batch, Misuse>) -> bool {
    batch.map(|batch| transcript.apply_into(batch, change)).is_ok()
}

impl TranscriptHandle {
    /// No `Result`: it would cross as an array, made anew at each call.
    fn show_folded(&mut self, is_told: bool) -> *const u32 {
        if is_told { self.show() } else { std::ptr::null() }
    }

    fn show(&mut self) -> *const u32 {
        self.settle();
        self.headroom.keep();
        let (count, offer) = self.offer().unwrap_or_default();
        let Change { revision, created, changed, state } = &self.change;
        self.changed.clear();
        self.changed.extend(changed.iter().flat_map(|range| [range.start, range.end]));
        let [ranges, length] = of_slice(&self.changed);
        let [low, high] = [*revision as u32, (revision >> 32) as u32];
        let [count_low, count_high] = [count as u32, (count >> 32) as u32];
        let Range { start, end } = *created;
        let [item, text, bytes, units, taken] = offer;
        self.window = [
            low,
            high,
            count_low,
            count_high,
            start,
            end,
            u32::from(*state),
            ranges,
            length,
            item,
            text,
            bytes,
            units,
            taken,
        ];
        self.window.as_ptr()
    }

    /// And the item's source count.
    fn offer(&mut self) -> Option<(u64, Offer)> {
        let [range] = self.change.changed.as_slice() else { return None };
        if range.len() > 1 || !self.change.created.is_empty() {
            return None;
        }
        let number = range.start;
        // A copy: the reader may leave it.
        let mut seen = *self.seen.get(&number)?;
        let whole = self.transcript.item(number)?.as_text()?.text().len();
        let growth = self.transcript.growth(number, &mut seen)?;
        let [text, length] = of_slice(growth.text.as_bytes());
        if growth.text.len() > OFFERED_BYTES {
            return None;
        }
        self.offered = (number, whole);
        Some((growth.source_count, [number + 1, text, length, utf16_units(growth.text), 0]))
    }

    /// The reader took the last offer.
    fn settle(&mut self) {
        if std::mem::take(&mut self.window[13]) != 0
            && let Some(seen) = self.seen.get_mut(&self.offered.0)
        {
            seen.took_text(self.offered.1);
        }
    }
}
