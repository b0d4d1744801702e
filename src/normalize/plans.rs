//! Plans: one item per agent, whole lists only; a wire that changes single entries gets its list kept here.

use std::hash::Hasher as _;

use super::NormalForm;
use super::lanes::LaneId;
use super::names::{FoldHasher, Map, Name};
use crate::dialect::{Context, PlanPatch};
use crate::event::{Plan, PlanEntry, PlanPriority, PlanStatus};
use crate::framing::Severity;

/// Most entries of a plan that the wire changes one by one: each change prints the whole plan again.
const MOST_ENTRIES: usize = 1024;

struct KeptEntry {
    id: Name,
    content: String,
    status: PlanStatus,
    priority: PlanPriority,
}

#[derive(Default)]
struct AgentPlan {
    item: Option<u32>,
    mark: Option<u64>,
    /// Entries of a wire that patches; empty where it sends whole lists.
    entries: Vec<KeptEntry>,
}

/// All plans of a stream.
#[derive(Default)]
pub(super) struct Plans {
    of_lane: Map<LaneId, AgentPlan>,
}

impl NormalForm {
    pub(super) fn plan_set(&mut self, context: &Context<'_>, entries: &[PlanEntry<'_>]) {
        let lane = self.lanes.of(&mut self.names, context);
        let mark = entries_mark(entries);
        let plan = self.plans.of_lane.enter(lane);
        if plan.mark.replace(mark) == Some(mark) {
            return self.ignored("repeated-plan");
        }
        let item = match plan.item {
            Some(item) => item,
            None => {
                let item = self.visible_item(context, lane);
                self.plans.of_lane.enter(lane).item = Some(item);
                item
            }
        };
        self.emit(context, Some(item), &Plan { entries: entries.into() }.into());
    }

    pub(super) fn plan_patch(&mut self, context: &Context<'_>, patch: &PlanPatch<'_>) {
        let lane = self.lanes.of(&mut self.names, context);
        let id = self.names.number(patch.id);
        let plan = self.plans.of_lane.enter(lane);
        let position = plan.entries.iter().position(|entry| entry.id == id);
        match position {
            Some(position) if patch.removed => {
                plan.entries.remove(position);
            }
            None if patch.removed => return self.ignored("plan-entry-unknown"),
            None if plan.entries.len() >= MOST_ENTRIES => {
                let message = "a plan of more than 1024 entries: further ones are left out";
                self.remark("limit.plan-entries", Severity::Warn, message);
                return self.ignored("plan-over-limit");
            }
            position => {
                let position = position.unwrap_or_else(|| {
                    plan.entries.push(KeptEntry {
                        id,
                        content: patch.id.to_owned(),
                        status: PlanStatus::Pending,
                        priority: PlanPriority::Medium,
                    });
                    plan.entries.len() - 1
                });
                let entry = &mut plan.entries[position];
                if let Some(content) = patch.content {
                    entry.content = content.to_owned();
                }
                entry.status = patch.status.unwrap_or(entry.status);
                entry.priority = patch.priority.unwrap_or(entry.priority);
            }
        }
        let kept = std::mem::take(&mut plan.entries);
        let entries: Vec<PlanEntry<'_>> = kept
            .iter()
            .map(|entry| PlanEntry {
                content: &entry.content,
                status: entry.status,
                priority: entry.priority,
            })
            .collect();
        self.plan_set(context, &entries);
        self.plans.of_lane.enter(lane).entries = kept;
    }
}

fn entries_mark(entries: &[PlanEntry<'_>]) -> u64 {
    let mut hasher = FoldHasher::default();
    for entry in entries {
        hasher.write(entry.content.as_bytes());
        hasher.write_u8(entry.status as u8);
        hasher.write_u8(entry.priority as u8);
    }
    hasher.write_usize(entries.len());
    hasher.finish()
}
