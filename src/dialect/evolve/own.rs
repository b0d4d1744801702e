//! The variants this crate adds to Evolve's, when its own output is fed back in.
//!
//! What carries an identity is said as the fact it came from, so that items, agents and interrupts are the same ones
//! again; the rest passes through.

use std::borrow::Cow;

use super::envelope::Envelope;
use super::own_interrupt::{say_interrupt, say_resolved};
use super::{lifecycle, string};
use crate::dialect::recent::Recent;
use crate::dialect::walk::{Present, elements};
use crate::dialect::{
    AgentSeen, CallRef, Context, Fact, FactSink, PartKind, PartRef, RunFact, WithdrawTarget,
};
use crate::event::{
    AgentStatus, Artifact, AvailableCommandsUpdate, Citations, CompactionUpdate, ConfigOptionUpdate,
    CurrentModeUpdate, Evidence, HarnessEvent, Hook, Json, Notice, OutputStream, Role, RunOutcome, RunPhase,
    RunScope, SessionInfoUpdate, Severity, SharedState, SlashCommand, Unknown, Update, UsageUpdate,
};
use crate::json::Value;

/// Which item, by its number as it is spelled, is the card of which call: a withdrawal names items.
#[derive(Default)]
pub(super) struct Own {
    cards: Recent<String>,
}

impl Own {
    /// Our own output announced a card.
    pub fn card_came(&mut self, item: &str, call: &str) {
        self.cards.insert(item, call.to_owned());
    }

    /// States an added variant. `false`: not one of them.
    pub fn say_addition(
        &mut self,
        name: &str,
        update: Value<'_>,
        envelope: &Envelope<'_>,
        facts: &mut dyn FactSink,
    ) -> bool {
        let context = envelope.context();
        match name {
            "message_end" => say_message_end(update, envelope, &context, facts),
            "withdrawn" => self.say_withdrawn(update, &context, facts),
            "agent" => say_agent(update, &context, facts),
            "run" => say_run(update, &context, facts),
            "lifecycle" => lifecycle::tell_lifecycle(update, &context, facts),
            "interrupt" => say_interrupt(update, &context, facts),
            "interrupt_resolved" => say_resolved(update, &context, facts),
            "artifact" => say_artifact(update, &context, facts),
            "notice" | "hook" | "citations" | "shared_state" | "unknown" => {
                pass_message(name, update, &context, facts);
            }
            "usage_update"
            | "compaction_update"
            | "available_commands_update"
            | "current_mode_update"
            | "config_option_update"
            | "session_info_update" => pass_announcement(name, update, &context, facts),
            _ => return false,
        }
        true
    }

    fn say_withdrawn(&self, update: Value<'_>, context: &Context<'_>, facts: &mut dyn FactSink) {
        let [items, reason] = update.fields(["items", "reason"]);
        let reason = string(reason, facts).unwrap_or_default();
        let mut said = false;
        for item in elements(items) {
            if item.u64().is_none() {
                continue;
            }
            let target = match self.cards.get(item.raw()) {
                Some(call) => WithdrawTarget::Call(CallRef::Id(call)),
                None => WithdrawTarget::Part(PartRef::Id(item.raw())),
            };
            facts.fact(context, Fact::Withdraw { target, reason: &reason });
            said = true;
        }
        if !said {
            facts.fact(context, Fact::Ignored("no-items"));
        }
    }
}

fn say_message_end(
    update: Value<'_>,
    envelope: &Envelope<'_>,
    context: &Context<'_>,
    facts: &mut dyn FactSink,
) {
    let [role, content, stop_reason, aborted] = update.fields(["role", "content", "stopReason", "aborted"]);
    if envelope.item().is_none() {
        // Which part ended is not told.
        let word = HarnessEvent { type_: "message_end", payload: Some(Json(update.raw())) };
        return facts.fact(context, Fact::Tell(Update::HarnessEvent(word)));
    }
    let kind = match role.and_then(Value::str).as_deref().and_then(Role::from_word) {
        Some(Role::Thought) => PartKind::Thought,
        Some(Role::User) => PartKind::User,
        _ => PartKind::Agent,
    };
    if let Some(text) = content.and_then(Value::text) {
        facts.fact(context, Fact::PartWhole { part: envelope.part(), kind, text });
    }
    let stop_reason = string(stop_reason, facts);
    let end = Fact::PartEnd {
        part: envelope.part(),
        stop_reason: stop_reason.as_deref(),
        aborted: aborted.and_then(Value::bool).unwrap_or(false),
    };
    facts.fact(context, end);
}

fn say_agent(update: Value<'_>, context: &Context<'_>, facts: &mut dyn FactSink) {
    let [id, name, session, parent, status] =
        update.fields(["agentId", "name", "sessionId", "parentToolCallId", "status"]);
    let [id, name, session, parent, status] =
        [id, name, session, parent, status].map(|field| string(field, facts));
    let seen = AgentSeen {
        agent: id.as_deref().unwrap_or_default(),
        name: name.as_deref(),
        session: session.as_deref(),
        call: parent.as_deref().map(CallRef::Id),
        status: status.as_deref().and_then(AgentStatus::from_word),
    };
    facts.fact(context, Fact::AgentSeen(seen));
}

fn say_run(update: Value<'_>, context: &Context<'_>, facts: &mut dyn FactSink) {
    let [scope, phase, outcome, reason, duration, evidence] =
        update.fields(["scope", "phase", "outcome", "reason", "durationMs", "evidence"]);
    let [scope, phase, outcome, reason, evidence] =
        [scope, phase, outcome, reason, evidence].map(|field| string(field, facts));
    let fact = RunFact {
        scope: scope.as_deref().and_then(RunScope::from_word).unwrap_or(RunScope::Run),
        phase: phase.as_deref().and_then(RunPhase::from_word).unwrap_or(RunPhase::End),
        outcome: outcome.as_deref().and_then(RunOutcome::from_word),
        reason: reason.as_deref(),
        duration_ms: duration.and_then(Value::f64),
        evidence: evidence.as_deref().and_then(Evidence::from_word),
    };
    facts.fact(context, Fact::Run(fact));
}

fn say_artifact(update: Value<'_>, context: &Context<'_>, facts: &mut dyn FactSink) {
    let [url, filename, call] = update
        .fields(["url", "filename", "toolCallId"])
        .map(|field| string(field, facts).unwrap_or_default());
    let artifact = Artifact { url: &url, filename: &filename, tool_call_id: None };
    let call = Some(&*call).filter(|call| !call.is_empty()).map(CallRef::Id);
    facts.fact(context, Fact::Artifact { artifact, call });
}

/// What stands in the list but refers to nothing.
fn pass_message(name: &str, update: Value<'_>, context: &Context<'_>, facts: &mut dyn FactSink) {
    let json = |value: Option<Value<'_>>| value.map(|value| value.raw().to_owned());
    match name {
        "notice" => {
            let [severity, text, stream] =
                update.fields(["severity", "text", "stream"]).map(|field| string(field, facts));
            let notice = Notice {
                severity: severity.as_deref().and_then(Severity::from_word).unwrap_or(Severity::Info),
                text: text.as_deref().unwrap_or_default(),
                stream: stream.as_deref().and_then(OutputStream::from_word),
            };
            facts.fact(context, Fact::Tell(Update::Notice(notice)));
        }
        "hook" => {
            let [method, event, payload, raw] = update.fields(["method", "event", "payload", "raw"]);
            let [method, event] = [method, event].map(|field| string(field, facts).unwrap_or_default());
            let (payload, raw) = (json(payload), json(raw));
            let hook = Hook {
                method: &method,
                event: &event,
                payload: payload.as_deref().map(Json),
                raw: raw.as_deref().map(Json).unwrap_or_default(),
            };
            facts.fact(context, Fact::Tell(Update::Hook(hook)));
        }
        "citations" => {
            let [items, model_only] = update.fields(["items", "modelOnly"]);
            let items = json(items).unwrap_or_else(|| "[]".to_owned());
            let citations = Citations {
                items: Json(&items),
                model_only: model_only.and_then(Value::bool).unwrap_or(false),
            };
            facts.fact(context, Fact::Tell(Update::Citations(citations)));
        }
        "shared_state" => {
            let [snapshot, patch] = update.fields(["snapshot", "patch"]).map(json);
            let state =
                SharedState { snapshot: snapshot.as_deref().map(Json), patch: patch.as_deref().map(Json) };
            facts.fact(context, Fact::Tell(Update::SharedState(state)));
        }
        _ => {
            let [kind, raw] = update.fields(["type", "raw"]).map(|field| string(field, facts));
            let raw = raw.unwrap_or(Cow::Borrowed(update.raw()));
            let unknown = Unknown { type_: kind.as_deref(), raw: &raw };
            facts.fact(context, Fact::Tell(Update::Unknown(unknown)));
        }
    }
}

/// ACP's own words about the session.
fn pass_announcement(name: &str, update: Value<'_>, context: &Context<'_>, facts: &mut dyn FactSink) {
    match name {
        "usage_update" => {
            let [used, size, ratio, cost] = update.fields(["used", "size", "usedRatio", "cost"]);
            let usage = UsageUpdate {
                used: used.and_then(Value::f64),
                size: size.and_then(Value::f64),
                used_ratio: ratio.and_then(Value::f64),
                cost: cost.present().map(|cost| Json(cost.raw())),
            };
            facts.fact(context, Fact::Tell(Update::UsageUpdate(usage)));
        }
        "compaction_update" => {
            let [id, status, summary, error] = update
                .fields(["compactionId", "status", "summary", "error"])
                .map(|field| string(field, facts));
            let compaction = CompactionUpdate {
                compaction_id: id.as_deref(),
                status: status.as_deref().unwrap_or_default(),
                summary: summary.as_deref(),
                error: error.as_deref(),
            };
            facts.fact(context, Fact::Tell(Update::CompactionUpdate(compaction)));
        }
        "available_commands_update" => pass_commands(update, context, facts),
        "current_mode_update" => {
            let mode = string(update.get("currentModeId"), facts).unwrap_or_default();
            let mode = CurrentModeUpdate { current_mode_id: &mode };
            facts.fact(context, Fact::Tell(Update::CurrentModeUpdate(mode)));
        }
        "config_option_update" => {
            let options = update.get("configOptions").map_or("[]", Value::raw);
            let options = ConfigOptionUpdate { config_options: Json(options) };
            facts.fact(context, Fact::Tell(Update::ConfigOptionUpdate(options)));
        }
        _ => {
            let [title, updated_at, cwd, meta, acp_meta] =
                update.fields(["title", "updatedAt", "cwd", "meta", "_meta"]);
            let [title, updated_at, cwd] = [title, updated_at, cwd].map(|field| string(field, facts));
            let info = SessionInfoUpdate {
                title: title.as_deref(),
                updated_at: updated_at.as_deref(),
                cwd: cwd.as_deref(),
                meta: meta.or(acp_meta).map(|meta| Json(meta.raw())),
            };
            facts.fact(context, Fact::Tell(Update::SessionInfoUpdate(info)));
        }
    }
}

fn pass_commands(update: Value<'_>, context: &Context<'_>, facts: &mut dyn FactSink) {
    let mut rows = Vec::new();
    for command in elements(update.get("availableCommands")) {
        let [name, description, hint, input] = command.fields(["name", "description", "hint", "input"]);
        let hint = hint.or_else(|| input?.get("hint"));
        rows.push([name, description, hint].map(|field| string(field, facts)));
    }
    let commands = rows.iter().map(|[name, description, hint]| SlashCommand {
        name: name.as_deref().unwrap_or_default(),
        description: description.as_deref().unwrap_or_default(),
        hint: hint.as_deref(),
    });
    let update = AvailableCommandsUpdate { available_commands: commands.collect::<Vec<_>>().into() };
    facts.fact(context, Fact::Tell(Update::AvailableCommandsUpdate(update)));
}
