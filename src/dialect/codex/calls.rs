//! Calls that the model's own record announced and whose output has not come: what the parallel record told of them.

use super::card::Told;

/// Calls that are remembered at once. Only a broken file opens more.
const MOST_CALLS: usize = 256;

/// One call without its output.
#[derive(Default)]
pub(super) struct Call {
    pub id: String,
    pub name: String,
    pub told: Told,
    /// The arguments of a plan: it is shown once the call went well.
    pub plan: Option<String>,
    /// The process that it started and that runs on, or that it writes to.
    pub process: Option<String>,
}

/// The open calls, oldest first.
#[derive(Default)]
pub(super) struct Calls {
    list: Vec<Call>,
}

impl Calls {
    /// The model called.
    pub fn open(&mut self, call: Call) {
        if self.list.len() >= MOST_CALLS {
            self.list.remove(0);
        }
        self.list.push(call);
    }

    /// The call of this id.
    pub fn get(&mut self, id: &str) -> Option<&mut Call> {
        self.list.iter_mut().rev().find(|call| call.id == id)
    }

    /// The call whose process runs on under this id; it is over.
    pub fn close_process(&mut self, process: &str) -> Option<Call> {
        let runs = |call: &Call| call.process.as_deref() == Some(process) && call.name != "write_stdin";
        let at = self.list.iter().position(runs)?;
        Some(self.list.remove(at))
    }

    /// Its output is here.
    pub fn close(&mut self, id: &str) -> Option<Call> {
        let at = self.list.iter().rposition(|call| call.id == id)?;
        Some(self.list.remove(at))
    }
}
