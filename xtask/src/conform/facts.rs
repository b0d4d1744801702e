//! Plans, errors, permissions, pictures.

use agent_ui_events::event::{ContentBlock, InterruptOutcome, LinkSource, ToolContent};
use agent_ui_events::transcript::{Body, InterruptPart};
use serde_json::Value;

use super::case::{Case, Verdicts};
use super::observed::{Observed, PlanState};
use super::state;
use super::tools::Matched;

pub(super) fn check(case: &Case, observed: &Observed, matched: &Matched, verdicts: &mut Verdicts) {
    if let Some(plans) = case.truth.get("plans").and_then(Value::as_array) {
        let mut expected: Vec<PlanState> = plans.iter().map(plan_state).collect();
        if case.text.contains("\"type\":\"todo_list\"") {
            // Codex prints only whether an entry is completed.
            let status = expected.iter_mut().flatten().map(|(_, status)| status);
            status.filter(|status| *status == "in_progress").for_each(|status| *status = "pending".into());
            expected.dedup();
        }
        verdicts.equal("plans", &expected, &observed.plans);
    }
    if let Some(last) = case.truth.get("planFinal") {
        let shown = observed.plans.last().cloned().unwrap_or_default();
        verdicts.equal("planFinal", &plan_state(last), &shown);
    }
    check_errors(case, observed, verdicts);
    check_permissions(case, observed, matched, verdicts);
    check_image(case, observed, verdicts);
    check_summary(case, observed, verdicts);
    if let Some(state) = case.truth.get("state") {
        let shown = state::of(observed.transcript.session());
        verdicts.equal("state", state, &shown);
    }
}

/// The summary that the program cut out of the model's answer.
fn check_summary(case: &Case, observed: &Observed, verdicts: &mut Verdicts) {
    let Some(answer) = case.truth.get("compactionSummary").and_then(Value::as_str) else { return };
    let inner = |text: &str| Some(text.split_once("<summary>")?.1.split_once("</summary>")?.0.to_owned());
    let summary = inner(answer).unwrap_or_else(|| answer.to_owned());
    if case.text.contains(&summary) {
        let shown = observed.transcript.session().compaction.as_ref().and_then(|it| it.summary.as_deref());
        verdicts.that(
            shown.is_some_and(|shown| shown.contains(&summary)),
            "compactionSummary",
            &summary,
            shown,
        );
    }
}

fn plan_state(list: &Value) -> PlanState {
    let entry = |entry: &Value| {
        let text = |key: &str| entry.get(key).and_then(Value::as_str).unwrap_or("").to_owned();
        (text("content"), text("status"))
    };
    list.as_array().map_or(&[][..], Vec::as_slice).iter().map(entry).collect()
}

/// Every error of the truth is shown as often as it happened, and none that the recording does not tell. The truth was
/// written from the model's side: warnings and retries of the program itself are not in it, but fatal errors all are.
fn check_errors(case: &Case, observed: &Observed, verdicts: &mut Verdicts) {
    if let Some(sentence) = case.truth.get("plainTextError").and_then(Value::as_str) {
        check_plain_error(observed, sentence, verdicts);
    }
    let Some(expected) = case.truth.get("errors").and_then(Value::as_array) else { return };
    let mut shown: Vec<(bool, bool, String)> = Vec::new();
    for item in observed.items().iter().filter(|item| item.withdrawn.is_none()) {
        if let Body::Error(part) = &item.body {
            let error = part.error();
            let told = case.prints(error.message) || error.code.is_some_and(|code| case.prints(code));
            shown.push((error.fatal, told, format!("{} [{}]", error.message, error.code.unwrap_or(""))));
        }
    }
    for error in expected {
        let fatal = error.get("fatal").and_then(Value::as_bool).unwrap_or(false);
        let contains = error.get("contains").and_then(Value::as_str).unwrap_or("");
        let count = error.get("count").and_then(Value::as_u64);
        let before = shown.clone();
        let is_it = |(its_fatal, _, message): &(bool, bool, String)| {
            *its_fatal == fatal && message.contains(contains)
        };
        let seen = shown.iter().filter(|error| is_it(error)).count() as u64;
        shown.retain(|error| !is_it(error));
        verdicts.that(
            count.map_or(seen == 1 || (seen > 0 && !fatal), |count| seen == count),
            "error",
            error,
            before,
        );
    }
    if case.truth.get("plainTextError").is_none() {
        shown.retain(|(fatal, told, _)| *fatal || !told);
        verdicts.equal("errors that did not happen", &Vec::new(), &shown);
    }
}

/// An error that stands only in plain lines, which may be wrapped anywhere between words.
fn check_plain_error(observed: &Observed, sentence: &str, verdicts: &mut Verdicts) {
    let mut lines = Vec::new();
    for item in observed.items() {
        match &item.body {
            Body::Notice(part) => lines.push(part.notice().text.to_owned()),
            Body::Error(part) => lines.push(part.error().message.to_owned()),
            _ => {}
        }
    }
    let bare = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    verdicts.that(bare(&lines.join(" ")).contains(&bare(sentence)), "plainTextError", sentence, &lines);
}

fn check_permissions(case: &Case, observed: &Observed, matched: &Matched, verdicts: &mut Verdicts) {
    let permissions = case.truth.get("permissions").and_then(Value::as_array);
    for permission in permissions.map_or(&[][..], Vec::as_slice) {
        let text = |key: &str| permission.get(key).and_then(Value::as_str);
        let place = text("toolCallId").and_then(|id| {
            case.tools().iter().position(|tool| tool.get("id").and_then(Value::as_str) == Some(id))
        });
        let number = place.and_then(|place| matched.get(place).copied().flatten());
        let card = number
            .and_then(|number| observed.transcript.item(number)?.as_tool())
            .map(|card| &*card.tool_call_id);
        let about = |part: &InterruptPart| {
            let asked = part.interrupt();
            (card.is_some() && asked.tool_call_id == card)
                || text("id").is_some_and(|id| asked.interrupt_id == id)
                || text("message")
                    .is_some_and(|message| asked.message == Some(message) || asked.title == Some(message))
        };
        let parts = observed.items().iter().filter_map(|item| match &item.body {
            Body::Interrupt(part) => Some(part),
            _ => None,
        });
        let found = parts.clone().find(|part| about(part));
        let all: Vec<String> = parts.map(|part| format!("{:?}", part.interrupt())).collect();
        verdicts.that(found.is_some(), "permission", permission, all);
        if let (Some(part), Some(decision)) = (found, permission.get("decision")) {
            check_decision(part, decision, verdicts);
        }
    }
}

fn check_decision(part: &InterruptPart, decision: &Value, verdicts: &mut Verdicts) {
    let resolution = part.resolution();
    let shown = format!("{resolution:?}");
    let holds = match decision.as_str() {
        None => resolution.is_none_or(|resolution| resolution.source == LinkSource::Inferred),
        Some(decision) => resolution.is_some_and(|resolution| {
            resolution.option_id == Some(decision)
                || match resolution.outcome {
                    InterruptOutcome::Allowed => decision.starts_with("allow"),
                    InterruptOutcome::Rejected => decision.starts_with("reject"),
                    _ => false,
                }
        }),
    };
    verdicts.that(holds, "decision", decision, shown);
}

/// A picture that a tool showed is on its card, if the recording holds its bytes.
fn check_image(case: &Case, observed: &Observed, verdicts: &mut Verdicts) {
    let Some(bytes) = case.truth.get("image").and_then(|image| image.get("bytes")).and_then(Value::as_u64)
    else {
        return;
    };
    // How the base64 text of every PNG begins.
    if !case.text.contains("\"iVBORw0KGgo") {
        return;
    }
    let mut sizes = Vec::new();
    for (_, card) in observed.cards() {
        for content in card.result_content() {
            if let ToolContent::Content { content: ContentBlock::Image { data, .. } } = content {
                sizes.push((data.trim_end_matches('=').len() * 3 / 4) as u64);
            }
        }
    }
    verdicts.that(sizes.contains(&bytes), "image", bytes, &sizes);
}
