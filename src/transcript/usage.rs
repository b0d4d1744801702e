//! Tokens and cost, added up the simple way: the last value per message, all shares of runs.

use super::kept::{Names, Words};
use crate::event::{
    AGENT_ID_SLOT, Head, MESSAGE_ID_SLOT, PARENT_TOOL_CALL_ID_SLOT, SESSION_ID_SLOT, TokenUsage, Usage,
    UsageScope,
};
use crate::hash::Index;

/// Added counters. A counter that no event carried stays absent.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Totals {
    /// How many calls or runs were added.
    pub count: u64,
    /// Input tokens, cache shares included.
    pub prompt: Option<f64>,
    /// Output tokens.
    pub completion: Option<f64>,
    /// The cache-read share of `prompt`.
    pub cached: Option<f64>,
    /// US dollars.
    pub cost: Option<f64>,
}

impl Totals {
    fn add(&mut self, share: &Totals) {
        let sum = |total: &mut Option<f64>, share: Option<f64>| {
            if let Some(share) = share {
                *total = Some(total.unwrap_or(0.0) + share);
            }
        };
        self.count += share.count;
        sum(&mut self.prompt, share.prompt);
        sum(&mut self.completion, share.completion);
        sum(&mut self.cached, share.cached);
        sum(&mut self.cost, share.cost);
    }

    /// A later word about the same call; absent counters keep what is known.
    fn take(&mut self, later: &Totals) {
        self.prompt = later.prompt.or(self.prompt);
        self.completion = later.completion.or(self.completion);
        self.cached = later.cached.or(self.cached);
        self.cost = later.cost.or(self.cost);
    }
}

impl From<&TokenUsage<'_>> for Totals {
    fn from(usage: &TokenUsage<'_>) -> Totals {
        Totals {
            count: 1,
            prompt: usage.prompt_tokens,
            completion: usage.completion_tokens,
            cached: usage.cached_tokens,
            cost: usage.cost_usd,
        }
    }
}

/// Usage by scope and by who spent it. Calls and runs tell of the same tokens: never add the two.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct UsageTotals {
    /// Model calls of the main agent.
    pub main_calls: Totals,
    /// Model calls of all other agents.
    pub subagent_calls: Totals,
    /// Runs of the main agent.
    pub main_runs: Totals,
    /// Runs of all other agents.
    pub subagent_runs: Totals,
}

/// Every call's last counters; runs are added at once.
#[derive(Clone, Debug, Default)]
pub(super) struct UsageFold {
    calls: Vec<(bool, Totals)>,
    /// Numbers of the agents, by the numbers of session and agent (plus one; 0: absent).
    speakers: Index,
    /// Calls by the numbers of agent and message.
    by_message: Index,
    runs: UsageTotals,
}

impl UsageFold {
    pub fn add(&mut self, event: &Head<'_>, usage: &Usage<'_>, names: &mut Names, words: &mut Words) {
        let main = event.word(AGENT_ID_SLOT) == 0 && event.word(PARENT_TOOL_CALL_ID_SLOT) == 0;
        let totals = Totals::from(&usage.usage);
        match usage.scope {
            UsageScope::Run if main => self.runs.main_runs.add(&totals),
            UsageScope::Run => self.runs.subagent_runs.add(&totals),
            UsageScope::Call => {
                let index = self.calls.len() as u32;
                if let Some(message) = names.told(event, MESSAGE_ID_SLOT, words) {
                    let mut number = |slot| names.told(event, slot, words).map_or(0, |number| number + 1);
                    let session = number(SESSION_ID_SLOT);
                    let agent = match number(AGENT_ID_SLOT) {
                        0 => number(PARENT_TOOL_CALL_ID_SLOT),
                        agent => agent,
                    };
                    // A new speaker's call is a new one, so no other speaker gets this number.
                    let speaker = self.speakers.number(Index::key(session, agent), index);
                    let known = self.by_message.number(Index::key(speaker, message), index);
                    if let Some((_, call)) = self.calls.get_mut(known as usize) {
                        call.take(&totals);
                        return;
                    }
                }
                self.calls.push((main, totals));
            }
        }
    }

    pub fn totals(&self) -> UsageTotals {
        let mut totals = self.runs;
        for (main, call) in &self.calls {
            if *main { totals.main_calls.add(call) } else { totals.subagent_calls.add(call) }
        }
        totals
    }
}
