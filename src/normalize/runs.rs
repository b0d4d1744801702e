//! Runs and their outcome, errors told once, agents and their links.

use super::NormalForm;
use super::history::shown_mark;
use super::names::{Index, Map, Name, mark};
use crate::dialect::{AgentSeen, CallRef, Context, ErrorFact, RunFact};
use crate::event::{
    Agent, AgentStatus, Artifact, Error, Evidence, Run, RunOutcome, RunPhase, RunScope, Update,
};

/// How the stream's last run ended, as far as it was told.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunResult {
    /// The final text, where the wire tells it on its own.
    pub text: Option<String>,
    /// `None` while it runs, or where the wire knows no runs.
    pub outcome: Option<RunOutcome>,
    /// The wire's own word.
    pub reason: Option<String>,
    /// What the outcome rests on.
    pub evidence: Option<Evidence>,
}

/// State of the current run.
#[derive(Default)]
pub(super) struct Runs {
    /// Items of the main agent's texts in this run, some of them withdrawn.
    pub printed: Vec<u32>,
    pub answer: Option<String>,
    outcome: Option<RunOutcome>,
    reason: Option<String>,
    evidence: Option<Evidence>,
    running: bool,
    /// Session of the run that started last.
    newest: Name,
    /// Mark of the text that was withdrawn because it echoed an error: told again as the answer it is still that.
    pub error_echo: Option<u64>,
    /// Starts without their end, of runs and of turns: turns of background work end together, after all their texts.
    open: [u32; 2],
    /// Errors of this turn: item, and whether it was told as fatal.
    errors: Map<u64, (u32, bool)>,
    /// Their turn has ended: where turns have no start, the next text or call begins a new one.
    errors_are_old: bool,
    /// Runs and turns of each session, and whether the wire tells their starts.
    numbers: Map<Name, (u32, bool)>,
    agents: Map<(Name, Name), AgentState>,
    artifacts: Index,
}

#[derive(Clone, Copy, Default, PartialEq)]
struct AgentState {
    name: Name,
    session: Name,
    call: Name,
    status: Option<AgentStatus>,
}

impl Runs {
    /// Number of the current run or turn of a session. Only equality and order count.
    pub fn number_of(&self, session: Name) -> u32 {
        let number = |session| self.numbers.get(&session).map_or(0, |(number, _)| *number);
        if session.is_some() { number(session) + number(Name::NONE) } else { number(session) }
    }

    /// A start begins the next run; where the wire tells only ends, an end does.
    fn count(&mut self, session: Name, phase: RunPhase) {
        let (number, tells_starts) = self.numbers.enter(session);
        *tells_starts |= phase == RunPhase::Start;
        if phase == RunPhase::Start || !*tells_starts {
            *number += 1;
        }
    }

    pub fn result(&self) -> RunResult {
        RunResult {
            text: self.answer.clone(),
            outcome: self.outcome,
            reason: self.reason.clone(),
            evidence: self.evidence,
        }
    }
}

impl NormalForm {
    pub(super) fn run(&mut self, context: &Context<'_>, fact: &RunFact<'_>) {
        let lane = self.lanes.of(&mut self.names, context);
        let is_main = self.lanes.is_main(lane) && matches!(fact.scope, RunScope::Run | RunScope::Turn);
        if is_main && fact.phase == RunPhase::End {
            self.end_open_parts(context);
            if fact.outcome == Some(RunOutcome::Cancelled) {
                self.cancel_asks(context);
            }
            self.forget_asks(context);
        }
        self.emit(
            context,
            None,
            &Run {
                scope: fact.scope,
                phase: fact.phase,
                outcome: fact.outcome,
                reason: fact.reason,
                duration_ms: fact.duration_ms,
                evidence: fact.evidence,
            }
            .into(),
        );
        if !is_main {
            if !self.lanes.is_main(lane) && fact.scope != RunScope::Step {
                self.lanes.get(lane).run_part = None;
            }
            return;
        }
        let session = self.names.session(context);
        self.runs.count(session, fact.phase);
        let open = &mut self.runs.open[usize::from(fact.scope == RunScope::Turn)];
        match fact.phase {
            RunPhase::Start => {
                *open += 1;
                if *open == 1 {
                    self.runs.printed.clear();
                }
                self.runs.error_echo = None;
                self.runs.answer = None;
                self.lanes.break_runs(session, true);
                self.runs.running = true;
                self.runs.newest = session;
                self.runs.errors.clear();
                self.runs.errors_are_old = false;
                (self.runs.outcome, self.runs.reason, self.runs.evidence) = (None, None, None);
            }
            RunPhase::End => {
                *open = open.saturating_sub(1);
                if *open == 0 {
                    self.runs.printed.clear();
                }
                // In a log of several programs an earlier run may end after a later one began: what is told is the later one.
                if self.runs.running
                    && session.is_some()
                    && self.runs.newest.is_some()
                    && session != self.runs.newest
                {
                    return;
                }
                self.runs.running = false;
                self.runs.errors_are_old = true;
                // An end without an outcome (a log that was closed) tells nothing of how the run went.
                self.runs.outcome = fact.outcome.or(self.runs.outcome);
                self.runs.reason = fact.reason.map(str::to_owned);
                if fact.outcome.is_some() {
                    self.runs.evidence = fact.evidence.or(Some(Evidence::Stated));
                }
            }
        }
    }

    /// The stream is over. A run that was started and whose end nobody stated was cut.
    pub(super) fn cut_run(&mut self) {
        if !self.runs.running {
            return;
        }
        let waits = self.is_waiting();
        let scope =
            if self.runs.open[0] == 0 && self.runs.open[1] > 0 { RunScope::Turn } else { RunScope::Run };
        let outcome = if waits { RunOutcome::Waiting } else { RunOutcome::Cut };
        let stated = self.runs.outcome;
        if stated.is_none() {
            self.runs.outcome = Some(outcome);
            self.runs.evidence = Some(Evidence::Inferred);
        }
        self.emit(
            &Context::default(),
            None,
            &Run {
                scope,
                phase: RunPhase::End,
                outcome: stated.or(Some(outcome)),
                reason: None,
                duration_ms: None,
                evidence: Some(Evidence::Inferred),
            }
            .into(),
        );
    }

    pub(super) fn error(&mut self, context: &Context<'_>, fact: &ErrorFact<'_>) {
        let lane = self.lanes.of(&mut self.names, context);
        if fact.echoed {
            self.withdraw_echo(context, lane, fact.message);
        }
        let key = mark(fact.message.trim());
        let before = self.runs.errors.get(&key).copied().filter(|_| fact.repeats);
        if before.is_some_and(|(_, fatal)| fatal || !fact.fatal) {
            return self.ignored("repeated-error");
        }
        if before.is_none() && self.shown_before(lane, shown_mark("error", fact.message)) {
            return self.ignored("listed-again");
        }
        let item = match before {
            Some((item, _)) => item,
            None => self.visible_item(context, lane),
        };
        self.runs.errors.insert(key, (item, fact.fatal));
        if fact.fatal && self.lanes.is_main(lane) {
            self.runs.outcome = Some(RunOutcome::Failed);
            self.runs.reason = fact.code.map(str::to_owned);
            self.runs.evidence = Some(Evidence::Inferred);
        }
        self.emit(
            context,
            Some(item),
            &Error {
                message: fact.message,
                fatal: fact.fatal,
                code: fact.code,
                retry_after_ms: fact.retry_after_ms,
            }
            .into(),
        );
    }

    /// A text or a call: the errors of a turn that ended before it are those of an earlier turn.
    pub(super) fn turn_goes_on(&mut self) {
        if std::mem::take(&mut self.runs.errors_are_old) {
            self.runs.errors.clear();
        }
    }

    fn withdraw_echo(&mut self, context: &Context<'_>, lane: usize, message: &str) {
        let state = self.lanes.get(lane);
        let message = message.trim();
        let Some(item) = state
            .recent_item
            .filter(|_| !message.is_empty() && state.recent_text.trim_end().ends_with(message))
        else {
            return;
        };
        state.recent_item = None;
        self.runs.error_echo = Some(mark(state.recent_text.trim()));
        self.withdraw_items(context, vec![item], "error-echo");
    }

    pub(super) fn agent_seen(&mut self, context: &Context<'_>, seen: &AgentSeen<'_>) {
        let lane = self.lanes.of(&mut self.names, context);
        let session = self.lanes.name(lane).0;
        let agent = self.names.number(seen.agent);
        let call = match seen.call {
            None => Name::NONE,
            Some(call) => match self.card_of_change(context, lane, call).index {
                Some(index) => self.cards.list[index].id,
                None => match call {
                    CallRef::Id(id) => self.names.number(id),
                    _ => Name::NONE,
                },
            },
        };
        let (name, own_session) = (self.names.optional(seen.name), self.names.optional(seen.session));
        let state = self.runs.agents.enter((session, agent));
        let before = *state;
        let is_new = before == AgentState::default();
        *state = AgentState {
            name: name.or(before.name),
            session: own_session.or(before.session),
            call: call.or(before.call),
            status: seen.status.or(before.status).or(Some(AgentStatus::Unknown)),
        };
        if !is_new && *state == before {
            return self.ignored("repeated-agent");
        }
        let state = *state;
        let update = Agent {
            agent_id: self.names.text(agent),
            name: self.names.get(state.name),
            session_id: self.names.get(state.session),
            parent_tool_call_id: self.names.get(state.call),
            status: state.status.unwrap_or(AgentStatus::Unknown),
        };
        self.out.emit(context, None, None, &update.into());
    }

    pub(super) fn artifact(
        &mut self,
        context: &Context<'_>,
        artifact: &Artifact<'_>,
        call: Option<CallRef<'_>>,
    ) {
        let lane = self.lanes.of(&mut self.names, context);
        let key = mark(artifact.url);
        if self.runs.artifacts.contains(key) {
            return self.ignored("repeated-artifact");
        }
        let card = call.and_then(|call| self.card_of_change(context, lane, call).index);
        let item = self.visible_item(context, lane);
        self.runs.artifacts.insert(key, item);
        let parent = self.parent(context).map(|parent| self.names.text(parent));
        let tool_call_id = card.map(|card| self.names.text(self.cards.list[card].id));
        self.out.emit(context, parent, Some(item), &Artifact { tool_call_id, ..*artifact }.into());
    }

    /// An update that needs no accounting. What a reader sees in the list gets an item.
    pub(super) fn tell(&mut self, context: &Context<'_>, update: Update<'_>) {
        let update = match update {
            Update::UsageUpdate(told) => self.window(told).into(),
            other => other,
        };
        let mut words = String::new();
        match &update {
            Update::Notice(notice) => notice.write_json(&mut words),
            Update::Citations(citations) => citations.write_json(&mut words),
            Update::Error(error) => error.write_json(&mut words),
            _ => return self.emit(context, None, &update),
        }
        let lane = self.lanes.of(&mut self.names, context);
        if self.shown_before(lane, shown_mark("tell", &words)) {
            return self.ignored("listed-again");
        }
        let item = self.visible_item(context, lane);
        self.emit(context, Some(item), &update);
    }
}
