//! Where the bytes of a stream come from in a browser: a request, a response, a Blob or File.
//!
//! For any wasm front end (Leptos, Yew, Dioxus) and for the npm package alike. Built on web-sys, gloo-file and
//! gloo-timers; works in windows, workers and Node, so nothing here asks for `window`. Reads with `getReader`, because
//! async iteration of streams is missing in some browsers. Knows HTTP and nothing of what the bytes mean.

mod error;
mod request;
mod wait;

use std::cell::{Cell, RefCell};

use gloo_file::Blob;
use js_sys::{Reflect, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{ReadableStream, ReadableStreamDefaultReader, Response};

pub use error::SourceError;
pub use request::RequestOptions;

use request::{Connection, check_status};
use wait::{Stop, ignore, within};

/// How much of a Blob is read at once.
const BLOB_SLICE_BYTES: u64 = 1 << 20;

/// A source of chunks. Methods take `&self`, so that [`abort`](Source::abort) can be called while a read waits.
///
/// ```no_run
/// # async fn run() -> Result<(), agent_ui_events::web::source::SourceError> {
/// use agent_ui_events::web::source::{RequestOptions, Source};
/// use agent_ui_events::{Normalizer, Options};
///
/// let mut normalizer = Normalizer::new(Options::default()).expect("default options are right");
/// let source = Source::fetch("/api/agent", RequestOptions::default()).await?;
/// while let Some(chunk) = source.next_chunk().await? {
///     let batch = normalizer.push(&chunk.to_vec()).expect("not ended yet");
///     for event in batch.iter() { /* draw it */ }
/// }
/// # Ok(())
/// # }
/// ```
pub struct Source {
    origin: Origin,
    state: RefCell<State>,
    stop: Stop,
    idle_ms: Option<u32>,
}

enum Origin {
    Request(Box<Connection>),
    Response(Response),
    Blob { blob: Blob, at: Cell<u64> },
}

enum State {
    /// Nothing was asked for yet.
    Closed,
    Open(ReadableStreamDefaultReader),
    Done,
}

impl Source {
    /// Sends a request and waits until its answer is there and acceptable.
    pub async fn fetch(url: &str, options: RequestOptions) -> Result<Source, SourceError> {
        let source = Source::request(url, options);
        source.open().await?;
        Ok(source)
    }

    /// A request that is sent by the first [`next_chunk`](Source::next_chunk).
    pub fn request(url: &str, options: RequestOptions) -> Source {
        let idle_ms = options.idle_ms;
        let connection = Connection::new(url, options);
        Source::new(Origin::Request(Box::new(connection)), idle_ms)
    }

    /// The body of a response somebody else asked for. Its status is checked at the first read, its type is not.
    pub fn response(response: Response) -> Source {
        Source::new(Origin::Response(response), None)
    }

    /// A Blob or File, read in slices.
    pub fn blob(blob: web_sys::Blob) -> Source {
        Source::new(Origin::Blob { blob: Blob::from(blob), at: Cell::new(0) }, None)
    }

    fn new(origin: Origin, idle_ms: Option<u32>) -> Source {
        Source { origin, state: RefCell::new(State::Closed), stop: Stop::new(), idle_ms }
    }

    /// The next bytes; `None` at the end, also where the server has nothing (204).
    pub async fn next_chunk(&self) -> Result<Option<Uint8Array>, SourceError> {
        if self.stop.is_set() {
            return Err(SourceError::aborted());
        }
        if let Origin::Blob { blob, at } = &self.origin {
            return next_slice(blob, at).await;
        }
        let closed = matches!(&*self.state.borrow(), State::Closed);
        if closed {
            self.open().await?;
        }
        let reader = match &*self.state.borrow() {
            State::Open(reader) => reader.clone(),
            State::Closed | State::Done => return Ok(None),
        };
        loop {
            match self.read(&reader).await? {
                Some(chunk) if chunk.length() == 0 => {}
                Some(chunk) => return Ok(Some(chunk)),
                None => {
                    *self.state.borrow_mut() = State::Done;
                    return if self.stop.is_set() { Err(SourceError::aborted()) } else { Ok(None) };
                }
            }
        }
    }

    /// Stops reading and closes the connection. A waiting read fails with `conn.aborted`.
    pub fn abort(&self) {
        self.stop.set();
        if let Origin::Request(connection) = &self.origin {
            connection.abort();
        }
        if let State::Open(reader) = &*self.state.borrow() {
            // The read that waits tells; whether the server hears of it does not matter here.
            ignore(reader.cancel());
        }
    }

    /// Whether [`reconnect`](Source::reconnect) makes sense: a GET that answered with an event stream. Requests that
    /// change something are never sent twice.
    pub fn can_reconnect(&self) -> bool {
        match &self.origin {
            Origin::Request(connection) => !self.stop.is_set() && connection.can_repeat(),
            _ => false,
        }
    }

    /// Something came that counts as progress: waiting starts from the shortest time again.
    pub fn progressed(&self) {
        if let Origin::Request(connection) = &self.origin {
            connection.attempts.set(0);
        }
    }

    /// Waits, longer each time and at most 30 s, then lets the next read send the request again. `false` when it was
    /// tried often enough.
    ///
    /// `last_event_id` and `retry_ms` are what the stream said (`Normalizer::last_event_id`, `Normalizer::retry_ms`).
    pub async fn reconnect(&self, last_event_id: &str, retry_ms: Option<u64>) -> Result<bool, SourceError> {
        let Origin::Request(connection) = &self.origin else { return Ok(false) };
        let Some(milliseconds) = connection.next_wait(retry_ms) else { return Ok(false) };
        self.stop.sleep(milliseconds).await;
        if self.stop.is_set() {
            return Err(SourceError::aborted());
        }
        connection.last_event_id.replace(last_event_id.to_owned());
        *self.state.borrow_mut() = State::Closed;
        Ok(true)
    }

    async fn open(&self) -> Result<(), SourceError> {
        let response = match &self.origin {
            Origin::Request(connection) => {
                let answer = within(self.idle_ms, connection.send()).await;
                let answer = answer.unwrap_or_else(|| {
                    connection.abort();
                    Err(SourceError::idle(self.idle_ms))
                });
                answer.map_err(|error| if self.stop.is_set() { SourceError::aborted() } else { error })?
            }
            Origin::Response(response) => check_status(Clone::clone(response)).await?,
            Origin::Blob { .. } => None,
        };
        *self.state.borrow_mut() = match response.as_ref().and_then(Response::body) {
            Some(body) => State::Open(reader(&body)?),
            None => State::Done,
        };
        Ok(())
    }

    async fn read(&self, reader: &ReadableStreamDefaultReader) -> Result<Option<Uint8Array>, SourceError> {
        let Some(read) = within(self.idle_ms, JsFuture::from(reader.read())).await else {
            *self.state.borrow_mut() = State::Done;
            ignore(reader.cancel());
            return Err(SourceError::idle(self.idle_ms));
        };
        let read = read.map_err(|error| {
            *self.state.borrow_mut() = State::Done;
            if self.stop.is_set() { SourceError::aborted() } else { SourceError::network(&error) }
        })?;
        chunk_of(&read)
    }
}

/// The result of a `read()`, as a chunk.
fn chunk_of(read: &JsValue) -> Result<Option<Uint8Array>, SourceError> {
    let member = |name: &str| Reflect::get(read, &name.into()).unwrap_or(JsValue::UNDEFINED);
    if member("done").is_truthy() {
        return Ok(None);
    }
    match member("value").dyn_into::<Uint8Array>() {
        Ok(chunk) => Ok(Some(chunk)),
        Err(_) => Err(SourceError::new("conn.network", "the stream gave something that is not bytes")),
    }
}

async fn next_slice(blob: &Blob, at: &Cell<u64>) -> Result<Option<Uint8Array>, SourceError> {
    let start = at.get();
    let end = blob.size().min(start + BLOB_SLICE_BYTES);
    if start >= end {
        return Ok(None);
    }
    // Not gloo-file's own reading: it needs a FileReader, which Node has not.
    let slice = blob.slice(start, end);
    let slice: &web_sys::Blob = slice.as_ref();
    let buffer = JsFuture::from(slice.array_buffer()).await.map_err(|error| SourceError::network(&error))?;
    at.set(end);
    Ok(Some(Uint8Array::new(&buffer)))
}

fn reader(body: &ReadableStream) -> Result<ReadableStreamDefaultReader, SourceError> {
    if body.locked() {
        return Err(SourceError::new("conn.locked", "somebody reads this body already"));
    }
    Ok(body.get_reader().unchecked_into())
}
