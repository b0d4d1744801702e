//! Lifecycle records: what the sandbox and the agent in it do. camelCase from TypeScript, snake_case from Python.

use super::string;
use crate::dialect::{Context, ErrorFact, Fact, FactSink, RunFact};
use crate::event::{Browser, Evidence, Lifecycle, RunOutcome, RunPhase, RunScope, Update};
use crate::framing::Severity;
use crate::json::Value;

/// States one lifecycle record: the record itself, and what its reason means for the run.
pub(super) fn say_lifecycle(value: Value<'_>, facts: &mut dyn FactSink) {
    let timestamp = value.get("timestamp").and_then(Value::str);
    let context = Context { timestamp: timestamp.as_deref(), ..Context::default() };
    tell_lifecycle(value, &context, facts);
    if let Some(reason) = value.get("reason").and_then(Value::str) {
        say_reason(&reason, &context, facts);
    }
}

/// The record alone: in this crate's own output its meaning stands beside it.
pub(super) fn tell_lifecycle(value: Value<'_>, context: &Context<'_>, facts: &mut dyn FactSink) {
    let [id, id_snake, sandbox, agent, timestamp, reason, browser] =
        value.fields(["sandboxId", "sandbox_id", "sandbox", "agent", "timestamp", "reason", "browser"]);
    let [id, sandbox, agent, timestamp, reason] =
        [id.or(id_snake), sandbox, agent, timestamp, reason].map(|field| string(field, facts));
    let [url, url_snake, session, session_snake, tag, tag_snake] = match browser {
        Some(browser) => {
            browser.fields(["liveUrl", "live_url", "sessionId", "session_id", "sessionTag", "session_tag"])
        }
        None => [None; 6],
    };
    let [url, session, tag] =
        [url.or(url_snake), session.or(session_snake), tag.or(tag_snake)].map(|field| string(field, facts));
    let browser = url.as_deref().map(|live_url| Browser {
        live_url,
        session_id: session.as_deref(),
        session_tag: tag.as_deref(),
    });
    if reason.as_deref() == Some("browser_ready") && browser.is_none() {
        facts.diagnostic("evolve.wrong-type", Severity::Warn, "a ready browser without its address");
    }
    let lifecycle = Lifecycle {
        sandbox_id: id.as_deref(),
        sandbox: sandbox.as_deref(),
        agent: agent.as_deref(),
        timestamp: timestamp.as_deref(),
        reason: reason.as_deref(),
        browser,
    };
    facts.fact(context, Fact::Tell(Update::Lifecycle(lifecycle)));
}

/// Background runs and commands are not the run of the stream, and sandbox states are no run at all.
fn say_reason(reason: &str, context: &Context<'_>, facts: &mut dyn FactSink) {
    if matches!(reason, "run_failed" | "sandbox_error") {
        facts.fact(
            context,
            Fact::Error(ErrorFact {
                message: reason,
                fatal: true,
                code: Some(reason),
                retry_after_ms: None,
                repeats: true,
                echoed: false,
            }),
        );
    }
    let outcome = match reason {
        "run_start" => None,
        "run_complete" => Some(RunOutcome::Completed),
        "run_interrupted" => Some(RunOutcome::Cancelled),
        "run_failed" => Some(RunOutcome::Failed),
        _ => return,
    };
    let phase = if outcome.is_some() { RunPhase::End } else { RunPhase::Start };
    let evidence = outcome.is_some().then_some(Evidence::Stated);
    facts.fact(
        context,
        Fact::Run(RunFact { outcome, reason: Some(reason), evidence, ..RunFact::of(RunScope::Run, phase) }),
    );
}
