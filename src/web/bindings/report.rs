//! The report as plain JavaScript objects.

use serde::{Serialize, Serializer};
use wasm_bindgen::prelude::*;

use crate::Report;
use crate::framing::{Diagnostic, Severity};
use crate::normalize::Totals;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ReportView<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    dialect: Option<&'a str>,
    why: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    container: Option<&'a str>,
    bytes: f64,
    records: f64,
    events: f64,
    items: u32,
    #[serde(serialize_with = "counts")]
    ignored: &'a [(&'static str, u64)],
    skipped: SkippedView,
    diagnostics: Vec<DiagnosticView<'a>>,
    #[serde(serialize_with = "counts")]
    diagnostic_counts: &'a [(&'static str, u64)],
    usage: UsageView<'a>,
    result: ResultView<'a>,
    open_calls: u32,
    did_work: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SkippedView {
    separator_bytes: f64,
    comments: f64,
    fields: f64,
    unterminated_bytes: f64,
    over_limit_bytes: f64,
}

#[derive(Serialize)]
struct DiagnosticView<'a> {
    code: &'a str,
    severity: &'static str,
    message: &'a str,
    offset: f64,
    line: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    input: Option<&'a str>,
}

#[derive(Serialize)]
struct UsageView<'a> {
    main: TotalsView,
    subagents: TotalsView,
    total: TotalsView,
    source: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct TotalsView {
    calls: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    prompt_tokens: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    completion_tokens: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cached_tokens: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cost_usd: Option<f64>,
}

#[derive(Serialize)]
struct ResultView<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    evidence: Option<&'static str>,
}

fn counts<S: Serializer>(counts: &[(&'static str, u64)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(counts.iter().map(|(name, count)| (name, *count as f64)))
}

/// The report as an object; counts by name are objects, absent facts absent keys.
pub(super) fn to_js(report: &Report) -> Result<JsValue, JsValue> {
    let skipped = &report.skipped;
    let view = ReportView {
        dialect: report.dialect,
        why: &report.why,
        container: report.container.map(|container| container.name()),
        bytes: report.bytes as f64,
        records: report.records as f64,
        events: report.events as f64,
        items: report.items,
        ignored: &report.ignored,
        skipped: SkippedView {
            separator_bytes: skipped.separator_bytes as f64,
            comments: skipped.comments as f64,
            fields: skipped.fields as f64,
            unterminated_bytes: skipped.unterminated_bytes as f64,
            over_limit_bytes: skipped.over_limit_bytes as f64,
        },
        diagnostics: report.diagnostics.iter().map(|told| diagnostic(told, &report.inputs)).collect(),
        diagnostic_counts: &report.diagnostic_counts,
        usage: UsageView {
            main: totals(&report.usage.main),
            subagents: totals(&report.usage.subagents),
            total: totals(&report.usage.total),
            source: report.usage.source,
        },
        result: ResultView {
            text: report.result.text.as_deref(),
            outcome: report.result.outcome.map(|outcome| outcome.as_str()),
            reason: report.result.reason.as_deref(),
            evidence: report.result.evidence.map(|evidence| evidence.as_str()),
        },
        open_calls: report.open_calls as u32,
        did_work: report.did_work,
    };
    view.serialize(&serde_wasm_bindgen::Serializer::json_compatible()).map_err(JsValue::from)
}

fn diagnostic<'a>(diagnostic: &'a Diagnostic, inputs: &'a [Box<str>]) -> DiagnosticView<'a> {
    DiagnosticView {
        code: diagnostic.code,
        severity: match diagnostic.severity {
            Severity::Info => "info",
            Severity::Warn => "warning",
            Severity::Error => "error",
        },
        message: &diagnostic.message,
        offset: diagnostic.offset as f64,
        line: diagnostic.line as f64,
        input: (diagnostic.input as usize).checked_sub(1).and_then(|at| inputs.get(at)).map(|name| &**name),
    }
}

fn totals(totals: &Totals) -> TotalsView {
    TotalsView {
        calls: totals.calls as f64,
        prompt_tokens: totals.prompt,
        completion_tokens: totals.completion,
        cached_tokens: totals.cached,
        cost_usd: totals.cost,
    }
}
