//! One HTTP request: how it is sent, which answers are taken, when it may be sent again.

use std::cell::{Cell, RefCell};

use js_sys::{Function, Promise, Reflect};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{AbortController, Headers, Request, RequestCache, RequestCredentials, RequestInit, Response};

use super::error::{SourceError, words_of};

/// How much of the body of a refused answer is kept.
const ERROR_BODY_BYTES: usize = 64 << 10;
const USUAL_WAIT_MS: f64 = 3000.0;
const LONGEST_WAIT_MS: f64 = 30_000.0;
const ACCEPT: &str =
    "text/event-stream, application/x-ndjson, application/jsonl, application/json, text/plain;q=0.5";

/// What a request is sent with.
#[derive(Clone, Debug)]
pub struct RequestOptions {
    /// `GET` unless said otherwise. Only a GET is ever sent again.
    pub method: String,
    /// `accept` is added where it is missing.
    pub headers: Vec<(String, String)>,
    /// Anything `fetch` takes as a body.
    pub body: Option<JsValue>,
    /// Whether cookies go along; the platform's default when `None`.
    pub credentials: Option<RequestCredentials>,
    /// Fails with `conn.idle` when no byte came for this long. Default `None`.
    pub idle_ms: Option<u32>,
    /// How often in a row a broken event stream is asked for again. Default 8.
    pub max_retries: u32,
}

impl Default for RequestOptions {
    fn default() -> Self {
        RequestOptions {
            method: "GET".to_owned(),
            headers: Vec::new(),
            body: None,
            credentials: None,
            idle_ms: None,
            max_retries: 8,
        }
    }
}

/// A request that can be sent more than once.
pub(super) struct Connection {
    url: String,
    options: RequestOptions,
    controller: RefCell<Option<AbortController>>,
    /// The last answer was an event stream.
    events: Cell<bool>,
    /// Reconnects since something came.
    pub attempts: Cell<u32>,
    pub last_event_id: RefCell<String>,
}

impl Connection {
    pub fn new(url: &str, options: RequestOptions) -> Connection {
        Connection {
            url: url.to_owned(),
            options,
            controller: RefCell::new(None),
            events: Cell::new(false),
            attempts: Cell::new(0),
            last_event_id: RefCell::new(String::new()),
        }
    }

    pub fn abort(&self) {
        if let Some(controller) = &*self.controller.borrow() {
            controller.abort();
        }
    }

    pub fn can_repeat(&self) -> bool {
        self.events.get()
            && self.options.method.eq_ignore_ascii_case("GET")
            && self.attempts.get() < self.options.max_retries
    }

    /// How long to wait before the next attempt: a random share of a time that doubles.
    pub fn next_wait(&self, retry_ms: Option<u64>) -> Option<u32> {
        if !self.can_repeat() {
            return None;
        }
        let attempt = self.attempts.get();
        self.attempts.set(attempt + 1);
        let first = retry_ms.map_or(USUAL_WAIT_MS, |milliseconds| milliseconds as f64);
        let longest = (first * 2f64.powi(attempt.min(30) as i32)).min(LONGEST_WAIT_MS);
        Some((longest * js_sys::Math::random()) as u32)
    }

    /// Sends it; `None` when the server has nothing (204).
    pub async fn send(&self) -> Result<Option<Response>, SourceError> {
        let request = self.request()?;
        let answer = fetch(&request).await.map_err(|error| SourceError::network(&error))?;
        let Some(answer) = check_status(answer).await? else { return Ok(None) };
        let kind = content_type(&answer);
        self.events.set(kind == "text/event-stream");
        if is_stream(&kind) {
            return Ok(Some(answer));
        }
        let mut error = SourceError::new("conn.content-type", format!("the server answered with {kind}"));
        error.body = Some(head_of_body(answer).await);
        Err(error)
    }

    fn request(&self) -> Result<Request, SourceError> {
        let wrong = |error: JsValue| SourceError::new("conn.request", words_of(&error));
        let init = RequestInit::new();
        init.set_method(&self.options.method);
        init.set_cache(RequestCache::NoStore);
        if let Some(body) = &self.options.body {
            init.set_body(body);
        }
        if let Some(credentials) = self.options.credentials {
            init.set_credentials(credentials);
        }
        init.set_headers(&self.headers().map_err(wrong)?.into());
        let controller = AbortController::new().map_err(wrong)?;
        init.set_signal(Some(&controller.signal()));
        self.controller.replace(Some(controller));
        Request::new_with_str_and_init(&self.url, &init).map_err(wrong)
    }

    fn headers(&self) -> Result<Headers, JsValue> {
        let headers = Headers::new()?;
        for (name, value) in &self.options.headers {
            headers.append(name, value)?;
        }
        if !headers.has("accept")? {
            headers.set("accept", ACCEPT)?;
        }
        let id = self.last_event_id.borrow();
        if !id.is_empty() {
            // A header is bytes, and `Headers` takes each byte as one character. An id it cannot carry is left out.
            let bytes: String = id.bytes().map(char::from).collect();
            let _ = headers.set("last-event-id", &bytes);
        }
        Ok(headers)
    }
}

/// Calls the `fetch` of wherever this runs: a window, a worker, Node.
async fn fetch(request: &Request) -> Result<Response, JsValue> {
    let global = js_sys::global();
    let fetch: Function = Reflect::get(&global, &"fetch".into())?.dyn_into()?;
    let promise: Promise = fetch.call1(&global, request)?.dyn_into()?;
    JsFuture::from(promise).await?.dyn_into()
}

/// 200 is an answer and 204 the end; everything else is an error that keeps the beginning of the body.
pub(super) async fn check_status(response: Response) -> Result<Option<Response>, SourceError> {
    match response.status() {
        200 => Ok(Some(response)),
        204 => Ok(None),
        status => {
            let message = format!("the server answered {status} {}", response.status_text());
            let mut error = SourceError::new("conn.status", message.trim_end());
            error.status = Some(status);
            error.body = Some(head_of_body(response).await);
            Err(error)
        }
    }
}

/// MIME type in lower case without parameters; empty when the server named none.
fn content_type(response: &Response) -> String {
    let header = response.headers().get("content-type").ok().flatten().unwrap_or_default();
    header.split(';').next().unwrap_or("").trim().to_ascii_lowercase()
}

fn is_stream(kind: &str) -> bool {
    const TAKEN: &[&str] = &[
        "",
        "text/event-stream",
        "text/plain",
        "application/json",
        "application/jsonl",
        "application/json-seq",
        "application/jsonlines",
        "application/json-lines",
        "application/ndjson",
        "application/x-ndjson",
        "application/x-jsonl",
        "application/x-jsonlines",
        "application/stream+json",
        // What static servers say of files they do not know.
        "application/octet-stream",
        "binary/octet-stream",
    ];
    TAKEN.contains(&kind) || kind.ends_with("+json")
}

/// Reads until there is enough; a body that fails on the way gives what came.
async fn head_of_body(response: Response) -> String {
    let mut bytes = Vec::new();
    let Some(reader) = response.body().and_then(|body| super::reader(&body).ok()) else {
        return String::new();
    };
    while bytes.len() < ERROR_BODY_BYTES {
        let Ok(read) = JsFuture::from(reader.read()).await else { break };
        let Ok(Some(chunk)) = super::chunk_of(&read) else { break };
        bytes.extend(chunk.to_vec());
    }
    let _ = JsFuture::from(reader.cancel()).await;
    bytes.truncate(ERROR_BODY_BYTES);
    String::from_utf8_lossy(&bytes).into_owned()
}
