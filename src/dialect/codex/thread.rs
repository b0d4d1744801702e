//! Who speaks: the threads of one stream, their parents, their model, and what they have used so far.
//!
//! A thread that another one spawned is an agent of that one's session; every other thread is a session of its own.

use super::usage::Counted;
use crate::dialect::Context;

/// Threads that are remembered. Beyond it the oldest but the first is forgotten; if it speaks again it is one nobody
/// announced.
const MOST_THREADS: usize = 1024;

/// One thread.
#[derive(Default)]
pub(super) struct Thread {
    id: String,
    /// The session whose agent this is; `None`: a session itself.
    session: Option<String>,
    pub model: Option<String>,
    pub used: Counted,
}

/// All threads that were named.
#[derive(Default)]
pub(super) struct Threads {
    list: Vec<Thread>,
    /// The one looked up last.
    recent: usize,
    /// How many were forgotten.
    forgotten: usize,
}

impl Threads {
    /// The thread's place, if it was named before.
    pub fn known(&mut self, id: &str) -> Option<usize> {
        if self.list.get(self.recent).is_some_and(|thread| thread.id == id) {
            return Some(self.recent);
        }
        self.recent = self.list.iter().position(|thread| thread.id == id)?;
        Some(self.recent)
    }

    /// Remembers a thread. What is known of it stays. Gives its place.
    pub fn announce(&mut self, id: &str, parent: Option<&str>) -> usize {
        if let Some(known) = self.known(id) {
            return known;
        }
        let session = parent.filter(|parent| *parent != id).map(|parent| match self.known(parent) {
            Some(at) => {
                self.list.get(at).map_or(parent, |thread| thread.session.as_deref().unwrap_or(parent))
            }
            None => parent,
        });
        let session = session.map(str::to_owned);
        let thread = Thread { id: id.to_owned(), session, ..Thread::default() };
        if self.list.len() < MOST_THREADS {
            self.recent = self.list.len();
            self.list.push(thread);
        } else {
            self.recent = 1 + self.forgotten % (MOST_THREADS - 1);
            self.forgotten = self.forgotten.wrapping_add(1);
            if let Some(oldest) = self.list.get_mut(self.recent) {
                *oldest = thread;
            }
        }
        self.recent
    }

    /// The first session, whose agent an unannounced thread must be.
    pub fn first(&self) -> Option<&str> {
        self.list.first().map(|thread| thread.session.as_deref().unwrap_or(&thread.id))
    }

    /// The thread of that place.
    pub fn get(&mut self, at: usize) -> Option<&mut Thread> {
        self.list.get_mut(at)
    }

    /// The id of the thread of that place.
    pub fn id(&self, at: usize) -> Option<&str> {
        self.list.get(at).map(|thread| &*thread.id)
    }

    /// Who speaks on a line of this thread.
    pub fn context(&self, at: usize) -> Context<'_> {
        let Some(thread) = self.list.get(at) else { return Context::default() };
        Context {
            session: Some(thread.session.as_deref().unwrap_or(&thread.id)).filter(|id| !id.is_empty()),
            agent: thread.session.as_deref().map(|_| &*thread.id),
            model: thread.model.as_deref(),
            ..Context::default()
        }
    }
}
