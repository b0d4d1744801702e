//! The normalizer's handle.

use wasm_bindgen::prelude::*;

use super::window::{BatchWindow, Input, Twins, of_batch};
use super::{options, report};
use crate::event::Batch;
use crate::{Misuse, Normalizer};

/// One stream.
#[wasm_bindgen]
pub struct NormalizerHandle {
    normalizer: Normalizer,
    input: Input,
    window: BatchWindow,
    /// Nobody asks for them where raw JSON stays text.
    twins: Option<Twins>,
}

#[wasm_bindgen]
impl NormalizerHandle {
    /// Fails with `option.*`.
    #[wasm_bindgen(constructor)]
    pub fn new(options: &JsValue) -> Result<NormalizerHandle, JsValue> {
        let (normalizer, parses) = options::normalizer(options)?;
        let twins = parses.then(Twins::default);
        Ok(NormalizerHandle { normalizer, input: Input::default(), window: [0; 14], twins })
    }

    /// Where to write the next chunk of at most `length` bytes.
    pub fn input(&mut self, length: usize) -> *mut u8 {
        self.input.reserve(length)
    }

    /// Reads what was written. The result points to a batch window; null after `end`.
    pub fn push(&mut self, length: usize) -> *const u32 {
        let batch = self.normalizer.push(self.input.written(length));
        show(&mut self.window, &mut self.twins, batch)
    }

    /// The stream is over. The result points to a batch window; null after `end`.
    pub fn end(&mut self) -> *const u32 {
        show(&mut self.window, &mut self.twins, self.normalizer.end())
    }

    /// The connection broke, another one follows. The result points to a batch window.
    pub fn disconnect(&mut self) -> *const u32 {
        self.window = of_batch(self.normalizer.disconnect());
        self.window.as_ptr()
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

    /// What is known so far, as an object.
    pub fn report(&self) -> Result<JsValue, JsValue> {
        report::to_js(&self.normalizer.report())
    }
}

/// No `Result`: it would cross as an array, made anew at each call.
fn show(window: &mut BatchWindow, twins: &mut Option<Twins>, batch: Result<&Batch, Misuse>) -> *const u32 {
    let Ok(batch) = batch else { return std::ptr::null() };
    *window = of_batch(batch);
    if let Some(twins) = twins.as_mut().filter(|_| batch.may_have_twins()) {
        twins.show(batch, window);
    }
    window.as_ptr()
}
