//! Tokens and cost, added up the simple way: the last value per message, all shares of runs.

use crate::hash::Map;

use super::kept::Name;
use crate::event::{Envelope, TokenUsage, Usage, UsageScope};

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

type CallKey = (Option<Name>, Option<Name>, Name);

/// Every call's last counters; runs are added at once.
#[derive(Clone, Debug, Default)]
pub(super) struct UsageFold {
    calls: Vec<(bool, Totals)>,
    by_message: Map<CallKey, usize>,
    runs: UsageTotals,
}

impl UsageFold {
    pub fn add(&mut self, envelope: &Envelope<'_>, usage: &Usage<'_>) {
        let main = envelope.agent_id.is_none() && envelope.parent_tool_call_id.is_none();
        let totals = Totals::from(&usage.usage);
        match usage.scope {
            UsageScope::Run if main => self.runs.main_runs.add(&totals),
            UsageScope::Run => self.runs.subagent_runs.add(&totals),
            UsageScope::Call => {
                let index = self.calls.len();
                if let Some(message) = envelope.message_id {
                    let agent = envelope.agent_id.or(envelope.parent_tool_call_id);
                    let key =
                        (envelope.session_id.map(Name::from), agent.map(Name::from), Name::from(message));
                    let known = *self.by_message.entry(key).or_insert(index);
                    if let Some((_, call)) = self.calls.get_mut(known) {
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
