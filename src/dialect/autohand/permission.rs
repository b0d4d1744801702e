//! What the host is asked, and its answers where both directions were recorded.

use std::borrow::Cow;

use super::fields::{self, Event};
use crate::dialect::content::{Place, locations};
use crate::dialect::{Answered, Ask, AskRef, CallRef, Context, Fact, FactSink};
use crate::event::{
    Blocking, HarnessEvent, Interrupt, InterruptKind, InterruptOption, InterruptOutcome, Json, LinkSource,
    List, OptionKind, OptionScope,
};
use crate::framing::Severity;
use crate::hash::{Index, mark};
use crate::json::Value;

/// One answer the CLI knows.
struct Decision {
    id: &'static str,
    name: &'static str,
    kind: OptionKind,
    scope: OptionScope,
    editable: bool,
}

const fn decision(id: &'static str, name: &'static str, kind: OptionKind, scope: OptionScope) -> Decision {
    Decision { id, name, kind, scope, editable: false }
}

const DECISIONS: &[Decision] = &[
    decision("allow_once", "Allow once", OptionKind::AllowOnce, OptionScope::Once),
    decision("deny_once", "Deny once", OptionKind::RejectOnce, OptionScope::Once),
    decision("allow_session", "Allow for this session", OptionKind::AllowAlways, OptionScope::Session),
    decision("deny_session", "Deny for this session", OptionKind::RejectAlways, OptionScope::Session),
    decision(
        "allow_always_project",
        "Always allow in this project",
        OptionKind::AllowAlways,
        OptionScope::Project,
    ),
    decision("allow_always_user", "Always allow", OptionKind::AllowAlways, OptionScope::User),
    decision(
        "deny_always_project",
        "Always deny in this project",
        OptionKind::RejectAlways,
        OptionScope::Project,
    ),
    decision("deny_always_user", "Always deny", OptionKind::RejectAlways, OptionScope::User),
    Decision {
        id: "alternative",
        name: "Do this instead",
        kind: OptionKind::AllowOnce,
        scope: OptionScope::Once,
        editable: true,
    },
];

/// Whether the CLI knows a decision of this name.
pub(super) fn is_decision(id: &str) -> bool {
    DECISIONS.iter().any(|decision| decision.id == id)
}

fn option<'a>(id: &'a str, name: &'a str, kind: OptionKind) -> InterruptOption<'a> {
    InterruptOption { option_id: id, name, kind, scope: Some(OptionScope::Once), editable: false }
}

/// The two answers where the wire names none.
fn two_options<'a>(allow: (&'a str, &'a str), deny: (&'a str, &'a str)) -> List<'a, InterruptOption<'a>> {
    List::Owned(vec![
        option(allow.0, allow.1, OptionKind::AllowOnce),
        option(deny.0, deny.1, OptionKind::RejectOnce),
    ])
}

pub(super) fn permission(session: &str, event: &Event<'_>, facts: &mut dyn FactSink) {
    let mut line =
        event.read(["requestId", "tool", "toolName", "description", "message", "context", "options"]);
    let [id, tool, tool_name, description, message, about, offered] = line.found;
    let id = fields::filled(id, "requestId", facts);
    let tool = fields::filled(tool.or(tool_name), "tool", facts);
    let message = fields::filled(description.or(message), "description", facts);
    let path = about.and_then(|about| about.get("path")).and_then(Value::str).filter(|path| !path.is_empty());
    let places: Vec<_> = path.map(|path| Place { path, line: None }).into_iter().collect();
    let offered = offered_ids(offered, facts);
    line.add_extra(|extra| {
        extra.text("method", "autohand.permissionRequest");
        if offered.is_empty() {
            extra.bool("synthetic", true);
        }
    });
    let options = match offered.as_slice() {
        [] => DECISIONS.iter().take(2).map(InterruptOption::from).collect(),
        offered => offered.iter().map(|id| named_option(id)).collect(),
    };
    let ask = Ask {
        id: id.as_deref(),
        call: tool.as_deref().map(|name| CallRef::LatestPending { name }),
        link: LinkSource::Inferred,
        interrupt: Interrupt {
            kind: InterruptKind::Approval,
            tool_name: tool.as_deref(),
            message: message.as_deref(),
            raw_input: about.map(|about| Json(about.raw())),
            locations: (!places.is_empty()).then(|| locations(&places)),
            options: List::Owned(options),
            blocking: Blocking::Inline,
            ..Interrupt::default()
        },
    };
    facts.fact(&line.context(session), Fact::Ask(ask));
}

impl From<&Decision> for InterruptOption<'_> {
    fn from(decision: &Decision) -> Self {
        InterruptOption {
            option_id: decision.id,
            name: decision.name,
            kind: decision.kind,
            scope: Some(decision.scope),
            editable: decision.editable,
        }
    }
}

/// An option by its id; an unknown one is never an approval.
fn named_option(id: &str) -> InterruptOption<'_> {
    match DECISIONS.iter().find(|decision| decision.id == id) {
        Some(decision) => decision.into(),
        None => {
            InterruptOption { option_id: id, name: id, kind: OptionKind::Other, scope: None, editable: false }
        }
    }
}

/// The ids the wire offers, each once.
fn offered_ids<'a>(offered: Option<Value<'a>>, facts: &mut dyn FactSink) -> Vec<Cow<'a, str>> {
    let Some(offered) = offered else { return Vec::new() };
    let Some(items) = offered.array() else {
        fields::wrong_type("options", "an array", facts);
        return Vec::new();
    };
    let mut ids: Vec<Cow<'a, str>> = Vec::new();
    let mut known = Index::default();
    for id in items.filter_map(|item| item.str().or_else(|| item.get("id").and_then(Value::str))) {
        if known.insert(mark(&id), 0).is_none() {
            ids.push(id);
        } else {
            facts.diagnostic("autohand.option-repeated", Severity::Info, "an option is offered twice");
        }
    }
    ids
}

pub(super) fn directory(session: &str, event: &Event<'_>, facts: &mut dyn FactSink) {
    let mut line = event.read(["requestId", "path", "reason"]);
    let [id, path, reason] = line.found;
    let id = fields::filled(id, "requestId", facts);
    let path = fields::filled(path, "path", facts);
    let reason = fields::filled(reason, "reason", facts);
    line.add_extra(|extra| {
        extra.text("method", "autohand.directoryAccessRequest");
    });
    let title = path.as_deref().map(|path| ["Access to ", path].concat());
    let places: Vec<_> = path.map(|path| Place { path, line: None }).into_iter().collect();
    let ask = Ask {
        id: id.as_deref(),
        interrupt: Interrupt {
            kind: InterruptKind::Approval,
            title: title.as_deref(),
            reason: reason.as_deref(),
            locations: (!places.is_empty()).then(|| locations(&places)),
            options: two_options(("grant", "Grant"), ("deny", "Deny")),
            blocking: Blocking::Inline,
            ..Interrupt::default()
        },
        ..Ask::default()
    };
    facts.fact(&line.context(session), Fact::Ask(ask));
}

/// The end of a batch of held-back edits; one that holds some waits for a decision about them.
pub(super) fn changes(session: &str, event: &Event<'_>, facts: &mut dyn FactSink) {
    let mut line = event.read(["batchId", "changeCount"]);
    let [id, count] = line.found;
    let id = fields::filled(id, "batchId", facts);
    if count.and_then(Value::f64).is_none_or(|count| count <= 0.0) {
        let word = event.name.strip_prefix("autohand.").unwrap_or(event.name);
        let payload = Some(Json(event.params.raw()));
        let context = Context { extra: None, ..line.context(session) };
        return facts.fact(&context, Fact::Tell(HarnessEvent { type_: word, payload }.into()));
    }
    line.add_extra(|extra| {
        extra.text("method", "autohand.changesBatchEnd").bool("synthetic", true);
        count.map(|count| extra.raw("changeCount", count.raw()));
    });
    let ask = Ask {
        id: id.as_deref(),
        interrupt: Interrupt {
            kind: InterruptKind::Approval,
            title: Some("Apply the changes"),
            options: two_options(("accept_all", "Accept all"), ("reject_all", "Reject all")),
            blocking: Blocking::Inline,
            ..Interrupt::default()
        },
        ..Ask::default()
    };
    facts.fact(&line.context(session), Fact::Ask(ask));
}

/// The end of a step under host control: the run waits for a word whether to go on.
pub(super) fn step(session: &str, event: &Event<'_>, facts: &mut dyn FactSink) {
    let mut line = event.read(["stepId", "step"]);
    let [id, step] = line.found;
    let id = fields::filled(id, "stepId", facts);
    let thought = step.and_then(|step| step.get("thought")).and_then(Value::str);
    line.add_extra(|extra| {
        extra.text("method", "autohand.stepEnd").bool("synthetic", true);
        step.map(|step| extra.raw("step", step.raw()));
    });
    let ask = Ask {
        id: id.as_deref(),
        interrupt: Interrupt {
            kind: InterruptKind::Approval,
            title: Some("Go on with the next step"),
            message: thought.as_deref().filter(|thought| !thought.is_empty()),
            options: two_options(("continue", "Continue"), ("stop", "Stop")),
            blocking: Blocking::Inline,
            ..Interrupt::default()
        },
        ..Ask::default()
    };
    facts.fact(&line.context(session), Fact::Ask(ask));
}

/// The host has to run one of its own tools; nobody is asked.
pub(super) fn invoke(session: &str, event: &Event<'_>, facts: &mut dyn FactSink) {
    let mut line = event.read(["requestId", "toolName", "args"]);
    let [id, name, args] = line.found;
    let id = fields::filled(id, "requestId", facts);
    let name = fields::filled(name, "toolName", facts);
    line.add_extra(|extra| {
        extra.text("method", "autohand.mcp.invokeRequest");
    });
    let ask = Ask {
        id: id.as_deref(),
        interrupt: Interrupt {
            kind: InterruptKind::Notice,
            tool_name: name.as_deref(),
            raw_input: args.map(|args| Json(args.raw())),
            blocking: Blocking::Inline,
            ..Interrupt::default()
        },
        ..Ask::default()
    };
    facts.fact(&line.context(session), Fact::Ask(ask));
}

/// Whether a request of the client answers something; tells the answer.
pub(super) fn answered(word: &str, params: Value<'_>, session: &str, facts: &mut dyn FactSink) -> bool {
    let event = Event { name: word, params, raw: params.raw() };
    let line =
        event.read(["requestId", "batchId", "stepId", "decision", "allowed", "granted", "alternative"]);
    let [request, batch, step, decision, allowed, granted, alternative] = line.found;
    let (id, option) = match word {
        "permissionResponse" => (request, Some(decided(decision, allowed))),
        "directoryAccessResponse" => (
            request,
            Some(if granted.and_then(Value::bool) == Some(true) { "grant".into() } else { "deny".into() }),
        ),
        "changesDecision" => (batch, params.get("action").and_then(Value::str)),
        "stepDecision" => {
            let stop = params.get("stop").and_then(Value::bool);
            (step, stop.map(|stop| if stop { "stop".into() } else { "continue".into() }))
        }
        "mcp.invokeResponse" => (request, None),
        _ => return false,
    };
    let Some(id) = fields::filled(id, "requestId", facts) else { return false };
    let (outcome, option_kind) = outcome(word, option.as_deref());
    let message = alternative.and_then(Value::str);
    facts.fact(
        &Context { extra: None, ..line.context(session) },
        Fact::Answered(Answered {
            ask: AskRef::Id(&id),
            outcome,
            option_id: option.as_deref(),
            option_kind,
            answers: None,
            edited_input: None,
            message: message.as_deref(),
            source: LinkSource::Wire,
        }),
    );
    true
}

/// The decision in force: a malformed one counts as a refusal, like in the CLI.
fn decided<'a>(decision: Option<Value<'a>>, allowed: Option<Value<'a>>) -> Cow<'a, str> {
    match decision {
        Some(decision) => decision.str().filter(|id| is_decision(id)).unwrap_or("deny_once".into()),
        None if allowed.and_then(Value::bool) == Some(true) => "allow_once".into(),
        None => "deny_once".into(),
    }
}

fn outcome(word: &str, option: Option<&str>) -> (InterruptOutcome, Option<OptionKind>) {
    let kind = match option {
        Some("grant" | "accept_all" | "accept_selected" | "continue") => Some(OptionKind::AllowOnce),
        Some("deny" | "reject_all" | "stop") => Some(OptionKind::RejectOnce),
        Some(id) => DECISIONS.iter().find(|decision| decision.id == id).map(|decision| decision.kind),
        None => None,
    };
    let outcome = match kind {
        Some(OptionKind::AllowOnce | OptionKind::AllowAlways) => InterruptOutcome::Allowed,
        Some(OptionKind::RejectOnce | OptionKind::RejectAlways) => InterruptOutcome::Rejected,
        _ if word == "mcp.invokeResponse" => InterruptOutcome::Answered,
        _ => InterruptOutcome::Unknown,
    };
    (outcome, kind)
}
