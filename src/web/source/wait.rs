//! Waiting: for a time, for a time at most, or until somebody stops it.

use std::cell::{Cell, RefCell};
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::task::{Poll, Waker};

use gloo_timers::future::TimeoutFuture;
use js_sys::Promise;
use wasm_bindgen_futures::{JsFuture, spawn_local};

/// Lets a promise run whose outcome nobody needs; its rejection must not count as an unhandled one.
pub(super) fn ignore(promise: Promise) {
    spawn_local(async move {
        let _ = JsFuture::from(promise).await;
    });
}

/// A switch that ends a sleep.
pub(super) struct Stop {
    set: Cell<bool>,
    sleeper: RefCell<Option<Waker>>,
}

impl Stop {
    pub fn new() -> Stop {
        Stop { set: Cell::new(false), sleeper: RefCell::new(None) }
    }

    pub fn is_set(&self) -> bool {
        self.set.get()
    }

    pub fn set(&self) {
        self.set.set(true);
        if let Some(sleeper) = self.sleeper.take() {
            sleeper.wake();
        }
    }

    /// Returns when the time is over or the switch is set.
    pub async fn sleep(&self, milliseconds: u32) {
        let mut timer = pin!(TimeoutFuture::new(milliseconds));
        poll_fn(|context| {
            if self.is_set() {
                return Poll::Ready(());
            }
            self.sleeper.replace(Some(context.waker().clone()));
            timer.as_mut().poll(context)
        })
        .await;
    }
}

/// The result of some work, or `None` when it took longer. Without a time it may take for ever.
pub(super) async fn within<T>(milliseconds: Option<u32>, work: impl Future<Output = T>) -> Option<T> {
    let Some(milliseconds) = milliseconds else { return Some(work.await) };
    let mut work = pin!(work);
    let mut timer = pin!(TimeoutFuture::new(milliseconds));
    poll_fn(|context| match work.as_mut().poll(context) {
        Poll::Ready(value) => Poll::Ready(Some(value)),
        Poll::Pending => timer.as_mut().poll(context).map(|()| None),
    })
    .await
}
