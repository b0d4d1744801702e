//! The sources of `web::source` for the wrapper. Chunks stay JavaScript objects; they need not go through this
//! instance's memory.

use std::rc::Rc;

use js_sys::{Promise, Reflect};
use serde::Deserialize;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::future_to_promise;
use web_sys::RequestCredentials;

use super::error;
use crate::web::source::{RequestOptions, Source, SourceError};

/// A request as the wrapper describes it; it has checked the names.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Given {
    method: String,
    headers: Vec<(String, String)>,
    credentials: Option<String>,
    idle_ms: Option<u32>,
    max_retries: u32,
}

/// A source of chunks. Promises it gave stay good after `free`.
#[wasm_bindgen]
pub struct SourceHandle(Rc<Source>);

#[wasm_bindgen]
impl SourceHandle {
    /// Sent by the first `next`.
    pub fn request(url: &str, options: JsValue, body: JsValue) -> Result<SourceHandle, JsValue> {
        let given: Given = serde_wasm_bindgen::from_value(options)
            .map_err(|wrong| error("option.value", &wrong.to_string()))?;
        let credentials = match given.credentials.as_deref() {
            None => None,
            Some("omit") => Some(RequestCredentials::Omit),
            Some("same-origin") => Some(RequestCredentials::SameOrigin),
            Some("include") => Some(RequestCredentials::Include),
            Some(other) => {
                let message = format!("credentials are omit, same-origin or include, not {other:?}");
                return Err(error("option.value", &message));
            }
        };
        let options = RequestOptions {
            method: given.method,
            headers: given.headers,
            body: Some(body).filter(|body| !body.is_undefined() && !body.is_null()),
            credentials,
            idle_ms: given.idle_ms,
            max_retries: given.max_retries,
        };
        Ok(SourceHandle(Rc::new(Source::request(url, options))))
    }

    /// A response somebody asked for.
    pub fn response(response: web_sys::Response) -> SourceHandle {
        SourceHandle(Rc::new(Source::response(response)))
    }

    /// A Blob or File.
    pub fn blob(blob: web_sys::Blob) -> SourceHandle {
        SourceHandle(Rc::new(Source::blob(blob)))
    }

    /// Promise of a Uint8Array, or of undefined at the end.
    pub fn next(&self) -> Promise {
        let source = Rc::clone(&self.0);
        future_to_promise(async move {
            let chunk = source.next_chunk().await.map_err(failure)?;
            Ok(chunk.map_or(JsValue::UNDEFINED, JsValue::from))
        })
    }

    /// A waiting `next` fails with `conn.aborted`.
    pub fn abort(&self) {
        self.0.abort();
    }

    /// Whether `reconnect` makes sense.
    #[wasm_bindgen(js_name = canReconnect)]
    pub fn can_reconnect(&self) -> bool {
        self.0.can_reconnect()
    }

    /// Something came that counts.
    pub fn progressed(&self) {
        self.0.progressed();
    }

    /// Waits; promise of whether the next `next` asks again.
    pub fn reconnect(&self, last_event_id: String, retry_ms: Option<f64>) -> Promise {
        let source = Rc::clone(&self.0);
        future_to_promise(async move {
            let retry_ms = retry_ms.map(|milliseconds| milliseconds as u64);
            source.reconnect(&last_event_id, retry_ms).await.map(JsValue::from).map_err(failure)
        })
    }
}

fn failure(failed: SourceError) -> JsValue {
    let object = error(failed.code, &failed.message);
    // Setting properties of a fresh object cannot fail.
    if let Some(status) = failed.status {
        let _ = Reflect::set(&object, &"status".into(), &status.into());
    }
    if let Some(body) = failed.body {
        let _ = Reflect::set(&object, &"body".into(), &body.into());
    }
    object
}
