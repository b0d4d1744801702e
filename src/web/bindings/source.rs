//! The sources of `web::source` for the wrapper. Chunks stay JavaScript objects; they need not go through this
//! instance's memory.

use std::borrow::Cow;
use std::rc::Rc;

use js_sys::{Promise, Reflect};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::future_to_promise;
use web_sys::RequestCredentials;

use super::error;
use crate::json::Value;
use crate::web::source::{RequestOptions, Source, SourceError};

/// A source of chunks. Promises it gave stay good after `free`.
#[wasm_bindgen]
pub struct SourceHandle(Rc<Source>);

#[wasm_bindgen]
impl SourceHandle {
    /// Sent by the first `next`. `options`: JSON `{method, headers: [[name, value]], credentials?, idleMs?, maxRetries}`,
    /// which the wrapper has checked.
    pub fn request(url: &str, options: &str, body: JsValue) -> Result<SourceHandle, JsValue> {
        let given = Value::parse(options).map_err(|invalid| error("option.value", invalid.message))?;
        let [method, headers, credentials, idle, retries] =
            given.fields(["method", "headers", "credentials", "idleMs", "maxRetries"]);
        let credentials = match credentials.and_then(Value::str).as_deref() {
            None => None,
            Some("omit") => Some(RequestCredentials::Omit),
            Some("same-origin") => Some(RequestCredentials::SameOrigin),
            Some("include") => Some(RequestCredentials::Include),
            Some(other) => {
                let message = format!("credentials are omit, same-origin or include, not {other:?}");
                return Err(error("option.value", &message));
            }
        };
        let number = |value: Option<Value<'_>>| value.and_then(Value::u64).map(|number| number as u32);
        let options = RequestOptions {
            method: method.and_then(Value::str).map_or_else(|| "GET".to_owned(), Cow::into_owned),
            headers: headers.and_then(Value::array).into_iter().flatten().filter_map(header).collect(),
            body: Some(body).filter(|body| !body.is_undefined() && !body.is_null()),
            credentials,
            idle_ms: number(idle),
            max_retries: number(retries).unwrap_or(0),
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

fn header(pair: Value<'_>) -> Option<(String, String)> {
    let mut texts = pair.array()?.filter_map(Value::str).map(Cow::into_owned);
    Some((texts.next()?, texts.next()?))
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
