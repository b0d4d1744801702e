//! Tokens and cost, each counted once: last value per message, shares of runs, totals turned into shares.

use std::hash::Hasher as _;

use super::NormalForm;
use super::lanes::LaneId;
use super::list::List;
use super::names::{FoldHasher, Index, Map, Name};
use crate::dialect::{Context, UsageBasis, UsageFact};
use crate::event::{TokenUsage, Usage, UsageScope, UsageUpdate};
use crate::framing::Severity;

/// Sums of one side of a run. Absent where nothing was printed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Totals {
    /// Model calls seen.
    pub calls: u64,
    /// Input tokens, cache shares included.
    pub prompt: Option<f64>,
    /// Output tokens.
    pub completion: Option<f64>,
    /// Cache-read share of `prompt`.
    pub cached: Option<f64>,
    /// US dollars.
    pub cost: Option<f64>,
}

impl Totals {
    /// Counts that are absent here as they were told before. A cached share belongs to its own `prompt`.
    fn or(self, before: Option<Totals>) -> Totals {
        let Some(before) = before else { return self };
        Totals {
            calls: self.calls,
            prompt: self.prompt.or(before.prompt),
            completion: self.completion.or(before.completion),
            cached: self
                .cached
                .or(before.cached.filter(|_| self.prompt.is_none() || self.prompt == before.prompt)),
            cost: self.cost.or(before.cost),
        }
    }

    fn add(&mut self, other: &Totals, sign: f64) {
        let sum = |mine: Option<f64>, other: Option<f64>| match (mine, other) {
            (mine, None) => mine,
            (mine, Some(other)) => Some(mine.unwrap_or(0.0) + sign * other),
        };
        self.prompt = sum(self.prompt, other.prompt);
        self.completion = sum(self.completion, other.completion);
        self.cached = sum(self.cached, other.cached);
        self.cost = sum(self.cost, other.cost);
    }

    fn of(fact: &UsageFact<'_>) -> Totals {
        let UsageFact { prompt, completion, cached, cost, .. } = *fact;
        Totals { calls: 0, prompt, completion, cached, cost }
    }

    /// Drops what cannot be counted: below zero, beyond `f64`, a share that is more than the whole. Tells whether it did.
    fn drop_impossible(&mut self) -> bool {
        let mut dropped = false;
        for number in [&mut self.prompt, &mut self.completion, &mut self.cached, &mut self.cost] {
            dropped |= number.take_if(|number| !is_amount(*number)).is_some();
        }
        let whole = self.prompt;
        dropped | self.cached.take_if(|cached| whole.is_some_and(|whole| *cached > whole)).is_some()
    }
}

fn is_amount(number: f64) -> bool {
    number.is_finite() && number >= 0.0
}

/// What a stream used, in words of N7.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct UsageReport {
    /// The main agent.
    pub main: Totals,
    /// All others.
    pub subagents: Totals,
    /// Both.
    pub total: Totals,
    /// `runs`, `calls`, `runs+calls` (the last run has not reported) or `none`.
    pub source: &'static str,
}

/// What a message counted, and how many runs of its session had ended then. One for each message of the stream, so half
/// the size of [`Totals`]: an absent count is NaN, which no amount is.
#[derive(Clone, Copy)]
struct Counted {
    counts: [f64; 4],
    runs: u32,
}

impl Counted {
    fn of(totals: &Totals, runs: u32) -> Counted {
        let counts = [totals.prompt, totals.completion, totals.cached, totals.cost];
        Counted { counts: counts.map(|count| count.unwrap_or(f64::NAN)), runs }
    }

    fn totals(self) -> Totals {
        let [prompt, completion, cached, cost] =
            self.counts.map(|count| Some(count).filter(|count| !count.is_nan()));
        Totals { calls: 0, prompt, completion, cached, cost }
    }
}

/// The books.
#[derive(Default)]
pub(super) struct Ledger {
    /// Last values of the messages that have an id.
    counts: List<Counted>,
    running: Map<Name, Totals>,
    runs: Totals,
    /// Ended runs per session.
    run_counts: Index,
    /// Calls of the main agent that no run total covers yet, per session.
    uncovered: Map<Name, Totals>,
    main_calls: u64,
    subagents: Totals,
}

impl Ledger {
    fn call(&mut self, session: Name, is_main: bool, before: Option<Totals>, now: &Totals) {
        let side = if is_main { self.uncovered.enter(session) } else { &mut self.subagents };
        if let Some(before) = before {
            side.add(&before, -1.0);
        } else if is_main {
            self.main_calls += 1;
        } else {
            side.calls += 1;
        }
        side.add(now, 1.0);
    }

    fn runs_of(&self, session: Name) -> u32 {
        self.run_counts.get(session.key()).unwrap_or_default()
    }

    fn run(&mut self, session: Name, share: &Totals) {
        self.runs.add(share, 1.0);
        self.run_counts.insert(session.key(), self.runs_of(session) + 1);
        // Without a session it may be the run of any; calls without one may be of this run.
        if session.is_some() {
            self.uncovered.remove(&session);
            self.uncovered.remove(&Name::NONE);
        } else {
            self.uncovered.clear();
        }
    }

    pub fn report(&self) -> UsageReport {
        let mut main = self.runs;
        for uncovered in self.uncovered.values() {
            main.add(uncovered, 1.0);
        }
        main.calls = self.main_calls;
        let mut total = main;
        total.add(&self.subagents, 1.0);
        total.calls += self.subagents.calls;
        let source = match (!self.run_counts.is_empty(), !self.uncovered.is_empty()) {
            (true, true) => "runs+calls",
            (true, false) => "runs",
            (false, true) => "calls",
            (false, false) if self.subagents.calls > 0 => "calls",
            (false, false) => "none",
        };
        UsageReport { main, subagents: self.subagents, total, source }
    }
}

impl NormalForm {
    pub(super) fn usage(&mut self, context: &Context<'_>, fact: &UsageFact<'_>) {
        let lane = self.lanes.of(&mut self.names, context);
        let (session, agent) = self.lanes.name(lane);
        let mut stated = Totals::of(fact);
        let mut impossible = stated.drop_impossible();
        if self.is_listed_usage(context, lane, fact.basis, &stated) {
            return self.ignored("listed-again");
        }
        let (scope, share) = match fact.basis {
            UsageBasis::Call => {
                let message = self.names.message(context);
                let runs = self.ledger.runs_of(session);
                let known = self.counts_of(lane, message, &stated, runs);
                let before = known.map(|(before, _)| before);
                let stated = stated.or(before);
                if before == Some(stated) {
                    return self.ignored("repeated-usage");
                }
                let is_main = !agent.is_some();
                // The total of a run that has ended since covers its messages, whatever is told of them later.
                if !is_main || known.is_none_or(|(_, of)| of == runs) {
                    self.ledger.call(session, is_main, before, &stated);
                }
                (UsageScope::Call, stated)
            }
            UsageBasis::RunShare | UsageBasis::RunningTotal => {
                let mut share = self.run_share(session, fact, stated);
                impossible |= share.drop_impossible();
                self.ledger.run(session, &share);
                (UsageScope::Run, share)
            }
        };
        if impossible {
            self.remark_impossible();
        }
        let usage = TokenUsage {
            prompt_tokens: share.prompt,
            completion_tokens: share.completion,
            cached_tokens: share.cached,
            cost_usd: share.cost,
            extra: fact.extra,
        };
        self.emit(context, None, &Usage { scope, usage }.into());
    }

    /// The last counts of a message, which what is stated now takes the place of.
    fn counts_of(
        &mut self,
        lane: LaneId,
        message: Name,
        stated: &Totals,
        runs: u32,
    ) -> Option<(Totals, u32)> {
        let place = &mut self.messages.of(lane, message)?.counts;
        let counts = &mut self.ledger.counts;
        let Some(known) = place.and_then(|place| counts.get_mut(place as usize)) else {
            *place = Some(counts.len() as u32);
            counts.push(Counted::of(stated, runs));
            return None;
        };
        let before = known.totals();
        let of = std::mem::replace(known, Counted::of(&stated.or(Some(before)), runs)).runs;
        Some((before, of))
    }

    /// Counts of a history that is told again. Those of a message are known by its id.
    fn is_listed_usage(
        &mut self,
        context: &Context<'_>,
        lane: LaneId,
        basis: UsageBasis,
        stated: &Totals,
    ) -> bool {
        if basis == UsageBasis::RunningTotal || (basis == UsageBasis::Call && context.message.is_some()) {
            return false;
        }
        let mut hasher = FoldHasher::default();
        hasher.write(b"usage");
        for count in [stated.prompt, stated.completion, stated.cached, stated.cost] {
            hasher.write_u64(count.map_or(u64::MAX, f64::to_bits));
        }
        self.shown_before(lane, hasher.finish())
    }

    fn remark_impossible(&mut self) {
        let message = "a count below zero, beyond all numbers, or a share that is more than the whole";
        self.remark("normalize.usage-impossible", Severity::Warn, message);
    }

    /// The context window, of which the same holds.
    pub(super) fn window<'a>(&mut self, told: UsageUpdate<'a>) -> UsageUpdate<'a> {
        let [used, size, used_ratio] =
            [told.used, told.size, told.used_ratio].map(|number| number.filter(|number| is_amount(*number)));
        let possible = UsageUpdate { used, size, used_ratio, ..told };
        if possible != told {
            self.remark_impossible();
        }
        possible
    }

    /// A running total becomes what came since the last one. A total that shrank belongs to a new process.
    fn run_share(&mut self, session: Name, fact: &UsageFact<'_>, stated: Totals) -> Totals {
        let before = self.ledger.running.enter(session);
        let since = |now: Option<f64>, before: Option<f64>| match (now, before) {
            (Some(now), Some(before)) if now >= before => Some(now - before),
            (now, _) => now,
        };
        let mut share = stated;
        if fact.basis == UsageBasis::RunningTotal {
            let shrank = [(stated.prompt, before.prompt), (stated.completion, before.completion)]
                .iter()
                .any(|(now, before)| now < before && now.is_some());
            if !shrank {
                share.prompt = since(stated.prompt, before.prompt);
                share.completion = since(stated.completion, before.completion);
                share.cached = since(stated.cached, before.cached);
                share.cost = since(stated.cost, before.cost);
            }
            *before = Totals { cached: stated.cached.or(before.cached), ..stated.or(Some(*before)) };
        } else {
            if fact.cost_is_running_total {
                share.cost = since(stated.cost, before.cost);
            }
            before.cost = stated.cost.or(before.cost);
        }
        share
    }
}
