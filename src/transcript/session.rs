//! What stands beside the list: runs, context window, mode, commands, shared state.

use super::Counters;
use super::kept::Kept;
use super::text::Room;
use crate::event::{
    CompactionUpdate, Evidence, Json, Lifecycle, RunOutcome, RunPhase, RunScope, SessionInfoUpdate,
    SharedState, SlashCommand, Update, UsageUpdate,
};

/// The newest start or end of a run, turn, step or agent.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// What runs.
    pub scope: RunScope,
    /// It started, or it ended.
    pub phase: RunPhase,
    /// How it ended.
    pub outcome: Option<RunOutcome>,
    /// The wire's own word.
    pub reason: Option<Box<str>>,
    /// Milliseconds.
    pub duration_ms: Option<f64>,
    /// What the outcome rests on.
    pub evidence: Option<Evidence>,
}

impl Run {
    pub(super) fn of(run: &crate::event::Run<'_>) -> Run {
        Run {
            scope: run.scope,
            phase: run.phase,
            outcome: run.outcome,
            reason: run.reason.map(Box::from),
            duration_ms: run.duration_ms,
            evidence: run.evidence,
        }
    }
}

/// How full the model's context window is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ContextUse {
    /// Tokens in the window.
    pub used: Option<f64>,
    /// Tokens the window holds.
    pub size: Option<f64>,
    /// 1 is full.
    pub used_ratio: Option<f64>,
    /// The wire's cost record as raw JSON.
    pub cost: Option<Box<str>>,
}

/// The newest compaction of the context.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Compaction {
    /// Its id on the wire.
    pub compaction_id: Option<Box<str>>,
    /// The newest word about it.
    pub status: Box<str>,
    /// What the model is told instead of the history.
    pub summary: Option<Box<str>>,
    /// Why it failed.
    pub error: Option<Box<str>>,
}

/// Facts about the session.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SessionInfo {
    /// Its title.
    pub title: Option<Box<str>>,
    /// When it changed last.
    pub updated_at: Option<Box<str>>,
    /// The folder it works in.
    pub cwd: Option<Box<str>>,
    /// All else the wire told last, raw JSON.
    pub meta: Option<Box<str>>,
}

/// Everything the newest word of which counts.
#[derive(Clone, Debug, Default)]
pub struct Session {
    runs: [Option<Run>; RunScope::ALL.len()],
    /// Context window of the main agent.
    pub context: ContextUse,
    /// Id of the current mode.
    pub mode: Option<Box<str>>,
    /// Title, folder and the like.
    pub info: SessionInfo,
    pub(super) commands: Option<Kept>,
    pub(super) config: Option<Box<str>>,
    /// The newest compaction, if there was one.
    pub compaction: Option<Compaction>,
    pub(super) lifecycle: Option<Kept>,
    pub(super) snapshot: Option<Box<str>>,
    pub(super) patches: Vec<Box<str>>,
}

impl Session {
    /// The newest run, turn or step of the main agent.
    pub fn run(&self, scope: RunScope) -> Option<&Run> {
        self.runs.get(scope as usize)?.as_ref()
    }

    /// The commands the agent offers.
    pub fn commands(&self) -> Vec<SlashCommand<'_>> {
        match self.commands.as_ref().and_then(Kept::update) {
            Some(Update::AvailableCommandsUpdate(update)) => update.available_commands.to_vec(),
            _ => Vec::new(),
        }
    }

    /// The configuration as raw JSON.
    pub fn config(&self) -> Option<Json<'_>> {
        self.config.as_deref().map(Json)
    }

    /// The newest lifecycle record.
    pub fn lifecycle(&self) -> Option<Lifecycle<'_>> {
        match self.lifecycle.as_ref()?.update()? {
            Update::Lifecycle(update) => Some(update),
            _ => None,
        }
    }

    /// The last whole shared state, raw JSON. [`Session::state_patches`] come on top of it.
    pub fn state_snapshot(&self) -> Option<Json<'_>> {
        self.snapshot.as_deref().map(Json)
    }

    /// The JSON patches since the last whole shared state, in order; nobody applied them.
    pub fn state_patches(&self) -> impl Iterator<Item = Json<'_>> {
        self.patches.iter().map(|patch| Json(patch))
    }

    pub(super) fn set_run(&mut self, run: Run) {
        if let Some(slot) = self.runs.get_mut(run.scope as usize) {
            *slot = Some(run);
        }
    }

    pub(super) fn set_context(&mut self, told: &UsageUpdate<'_>) {
        let context = &mut self.context;
        context.used = told.used.or(context.used);
        context.size = told.size.or(context.size);
        context.used_ratio = told.used_ratio.or(context.used_ratio);
        set(&mut context.cost, told.cost.map(|cost| cost.0));
    }

    pub(super) fn set_info(&mut self, told: &SessionInfoUpdate<'_>) {
        set(&mut self.info.title, told.title);
        set(&mut self.info.updated_at, told.updated_at);
        set(&mut self.info.cwd, told.cwd);
        set(&mut self.info.meta, told.meta.map(|meta| meta.0));
    }

    /// Another id is another compaction; absent fields keep what is known of the same one.
    pub(super) fn set_compaction(&mut self, told: &CompactionUpdate<'_>) {
        let before =
            self.compaction.take().filter(|before| before.compaction_id.as_deref() == told.compaction_id);
        let mut now = before.unwrap_or_default();
        set(&mut now.compaction_id, told.compaction_id);
        now.status = Box::from(told.status);
        set(&mut now.summary, told.summary);
        set(&mut now.error, told.error);
        self.compaction = Some(now);
    }

    pub(super) fn set_state(&mut self, told: &SharedState<'_>, room: Room, counters: &mut Counters) {
        if let Some(snapshot) = told.snapshot {
            let freed = self.snapshot.iter().chain(&self.patches).map(|text| text.len() as u64).sum();
            counters.kept_bytes = counters.kept_bytes.saturating_sub(freed);
            self.patches.clear();
            self.snapshot = room.keep(snapshot.0, counters);
        }
        if let Some(patch) = told.patch {
            self.patches.extend(room.keep(patch.0, counters));
        }
    }
}

/// Absent keeps what is known.
pub(super) fn set(slot: &mut Option<Box<str>>, text: Option<&str>) {
    if let Some(text) = text {
        *slot = Some(Box::from(text));
    }
}
