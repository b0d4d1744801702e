//! Decoding state: what earlier lines announced and later lines only refer to.
//!
//! Which message each thread streams, which agent made a call, which call a background task or a question belongs
//! to. No texts of the answer, no status. Every table has a cap; beyond it the oldest entry is forgotten, and what
//! refers to it counts as the main agent's.

use crate::dialect::recent::Recent;

/// Blocks of one message that are open at once; a stop of one beyond says nothing.
const OPEN_PARTS: usize = 256;

/// Threads (main and subagents) that stream partial messages at once.
const LANE_CAP: usize = 256;

#[derive(Default)]
pub(super) struct Memory {
    pub lanes: Lanes,
    /// Calls of subagents, and calls whose result means something of its own; by call id.
    pub calls: Recent<Call>,
    /// Background tasks and agents by task id (an agent's id is its task's).
    pub tasks: Recent<Task>,
    /// What the CLI asked, by request id.
    pub asks: Recent<Asked>,
    /// Open questions about a call: call id to request id.
    pub ask_of_call: Recent<String>,
    /// Saved sessions: prompts of calls that run an agent to the call, until the agent is found (then empty).
    pub prompts: Recent<String>,
    /// Saved sessions: prompts of agents that spoke before their call to the agent's key (empty once it is found).
    pub orphans: Recent<String>,
    /// Saved sessions: records without an agent's id, and calls of agents with a key of their own, to that key.
    pub chains: Recent<String>,
    /// Output tokens the process had counted at its last result, over all models.
    pub counted_output: f64,
    /// Saved sessions: the records tell why the model stopped. One without a reason is of an answer that broke off.
    pub tells_stops: bool,
    /// A compaction was announced; the next CLI-made text is its summary.
    pub summary_next: bool,
}

impl Memory {
    /// The agent that made a call; `None` is the main agent (or a call nobody remembers).
    pub fn caller(&self, call: Option<&str>) -> Option<&str> {
        self.calls.get(call?)?.agent.as_deref()
    }
}

/// What is known of a call.
#[derive(Default)]
pub(super) struct Call {
    /// The agent that made it; `None` is the main agent.
    pub agent: Option<String>,
    pub role: Role,
}

/// What the result of a call means beyond its card.
#[derive(Default)]
pub(super) enum Role {
    #[default]
    Plain,
    /// It runs a subagent.
    Agent,
    /// It asks to leave plan mode.
    PlanExit,
    /// It adds an entry to the plan.
    TaskCreate { subject: Option<String> },
    /// It changes an entry of the plan.
    TaskUpdate { task: String, subject: Option<String>, status: Option<String> },
    /// It reads the plan.
    TaskRead,
}

/// A background task.
pub(super) struct Task {
    pub call: Option<String>,
    pub is_agent: bool,
}

/// A request the CLI waits on.
pub(super) struct Asked {
    /// The agent whose work it holds up.
    pub agent: Option<String>,
    /// For questions: their texts, which key the answers on the wire.
    pub questions: Option<Vec<String>>,
}

/// The messages that stream, one per thread.
#[derive(Default)]
pub(super) struct Lanes {
    lanes: Vec<Lane>,
}

/// One thread's open message.
#[derive(Default)]
pub(super) struct Lane {
    parent: Option<String>,
    /// Id of the message that streams, if it has one.
    pub message: Option<String>,
    /// Blocks of it that are open text or thought.
    pub parts: Vec<u32>,
    /// Input counts its start told, all and cached: its end may repeat only what it adds.
    pub prompt: [Option<f64>; 2],
    /// Why the model stopped, once told.
    pub stop_reason: Option<String>,
}

impl Lane {
    pub fn open_part(&mut self, index: u32) {
        if self.parts.len() < OPEN_PARTS {
            self.parts.push(index);
        }
    }
}

impl Lanes {
    /// The thread's lane, if it has streamed.
    pub fn find(&self, parent: Option<&str>) -> Option<&Lane> {
        self.lanes.iter().find(|lane| lane.parent.as_deref() == parent)
    }

    /// The thread's lane, made if there is none. Beyond the cap the oldest but the first is dropped.
    pub fn open(&mut self, parent: Option<&str>) -> &mut Lane {
        let at = match self.lanes.iter().position(|lane| lane.parent.as_deref() == parent) {
            Some(at) => at,
            None => {
                if self.lanes.len() >= LANE_CAP {
                    self.lanes.remove(1);
                }
                self.lanes.push(Lane { parent: parent.map(str::to_string), ..Lane::default() });
                self.lanes.len() - 1
            }
        };
        &mut self.lanes[at]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_stream_apart_and_are_capped() {
        let mut lanes = Lanes::default();
        lanes.open(None).message = Some("m".into());
        for number in 0..2 * LANE_CAP {
            lanes.open(Some(&number.to_string())).parts.push(0);
        }
        assert_eq!(lanes.lanes.len(), LANE_CAP);
        assert_eq!(lanes.find(None).and_then(|lane| lane.message.as_deref()), Some("m"));
        assert!(lanes.find(Some("0")).is_none());
    }
}
