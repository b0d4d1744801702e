//! The report as JSON text: counts by name are objects, absent facts absent keys.

use crate::Report;
use crate::framing::{Diagnostic, Severity};
use crate::json::ObjectWriter;
use crate::normalize::Totals;

pub(super) fn to_json(report: &Report) -> String {
    object(|out| {
        optional(out, "dialect", report.dialect);
        out.text("why", &report.why);
        optional(out, "container", report.container.map(|container| container.name()));
        out.number("bytes", report.bytes).number("records", report.records);
        out.number("events", report.events).number("items", report.items);
        out.raw("ignored", &counts(&report.ignored));
        out.raw("skipped", &skipped(report));
        out.raw("diagnostics", &diagnostics(report));
        out.raw("diagnosticCounts", &counts(&report.diagnostic_counts));
        out.raw("usage", &usage(report));
        out.raw("result", &result(report));
        out.number("openCalls", report.open_calls).bool("didWork", report.did_work);
    })
}

fn skipped(report: &Report) -> String {
    let skipped = &report.skipped;
    object(|out| {
        out.number("separatorBytes", skipped.separator_bytes)
            .number("comments", skipped.comments)
            .number("fields", skipped.fields)
            .number("unterminatedBytes", skipped.unterminated_bytes)
            .number("overLimitBytes", skipped.over_limit_bytes);
    })
}

fn diagnostics(report: &Report) -> String {
    let list: Vec<String> = report.diagnostics.iter().map(|told| diagnostic(told, &report.inputs)).collect();
    format!("[{}]", list.join(","))
}

fn diagnostic(diagnostic: &Diagnostic, inputs: &[Box<str>]) -> String {
    let severity = match diagnostic.severity {
        Severity::Info => "info",
        Severity::Warn => "warning",
        Severity::Error => "error",
    };
    let input = (diagnostic.input as usize).checked_sub(1).and_then(|at| inputs.get(at));
    object(|out| {
        out.text("code", diagnostic.code).text("severity", severity).text("message", &diagnostic.message);
        out.number("offset", diagnostic.offset).number("line", diagnostic.line);
        optional(out, "input", input.map(|name| &**name));
    })
}

fn usage(report: &Report) -> String {
    let usage = &report.usage;
    object(|out| {
        for (name, of) in [("main", &usage.main), ("subagents", &usage.subagents), ("total", &usage.total)] {
            out.raw(name, &totals(of));
        }
        out.text("source", usage.source);
    })
}

fn totals(totals: &Totals) -> String {
    let told = [
        ("promptTokens", totals.prompt),
        ("completionTokens", totals.completion),
        ("cachedTokens", totals.cached),
        ("costUsd", totals.cost),
    ];
    object(|out| {
        out.number("calls", totals.calls);
        for (name, number) in told {
            if let Some(number) = number {
                out.number(name, number);
            }
        }
    })
}

fn result(report: &Report) -> String {
    let result = &report.result;
    object(|out| {
        optional(out, "text", result.text.as_deref());
        optional(out, "outcome", result.outcome.map(|outcome| outcome.as_str()));
        optional(out, "reason", result.reason.as_deref());
        optional(out, "evidence", result.evidence.map(|evidence| evidence.as_str()));
    })
}

fn counts(counts: &[(&'static str, u64)]) -> String {
    object(|out| {
        for (name, count) in counts {
            out.number(name, *count);
        }
    })
}

fn optional(out: &mut ObjectWriter<'_>, name: &str, text: Option<&str>) {
    if let Some(text) = text {
        out.text(name, text);
    }
}

fn object(write: impl FnOnce(&mut ObjectWriter<'_>)) -> String {
    let mut text = String::new();
    let mut object = ObjectWriter::new(&mut text);
    write(&mut object);
    object.finish();
    text
}
