//! The whole state as canonical text, for tests: two folds are equal when their dumps are.
//!
//! Revisions, sources and counters are left out, since they tell how the state came about.

use super::item::{Body, Item};
use super::kept::Kept;
use super::usage::Totals;
use super::{Run, Transcript};
use crate::event::{Envelope, RunScope, UiEvent};
use crate::framing::Source;
use crate::json::ObjectWriter;

impl Transcript {
    /// One JSON object per line: the items, the agents, the rest. For comparing, not for keeping: the form may change.
    pub fn dump(&self) -> String {
        let mut out = String::new();
        for item in &self.items {
            self.dump_item(&mut out, item);
            out.push('\n');
        }
        for agent in self.agents() {
            let mut line = ObjectWriter::new(&mut out);
            line.text("agent", &agent.agent_id);
            optional(&mut line, "name", agent.name.as_deref());
            optional(&mut line, "session", agent.session_id.as_deref());
            optional(&mut line, "parent", agent.parent_tool_call_id.as_deref());
            line.text("status", agent.status.as_str());
            dump_run(&mut line, agent.run.as_ref());
            line.finish();
            out.push('\n');
        }
        self.dump_usage(&mut out);
        self.dump_session(&mut out);
        out
    }

    fn dump_item(&self, out: &mut String, item: &Item) {
        let mut line = ObjectWriter::new(out);
        line.number("item", item.number);
        optional(&mut line, "session", item.session_id.as_deref());
        optional(&mut line, "agent", item.agent_id.as_deref());
        optional(&mut line, "parent", self.parent_of(item.number).as_deref());
        optional(&mut line, "message", item.message_id.as_deref());
        optional(&mut line, "model", item.model.as_deref());
        optional(&mut line, "timestamp", item.timestamp.as_deref());
        optional(&mut line, "withdrawn", item.withdrawn.as_deref());
        flag(&mut line, "truncated", item.truncated);
        dump_body(&mut line, &item.body);
        line.finish();
    }

    fn dump_usage(&self, out: &mut String) {
        let usage = self.usage();
        let all = [
            ("main calls", usage.main_calls),
            ("subagent calls", usage.subagent_calls),
            ("main runs", usage.main_runs),
            ("subagent runs", usage.subagent_runs),
        ];
        for (whose, totals) in all.into_iter().filter(|(_, totals)| totals.count > 0) {
            let Totals { count, prompt, completion, cached, cost } = totals;
            let mut line = ObjectWriter::new(out);
            line.text("usage", whose).number("count", count);
            let counters =
                [("prompt", prompt), ("completion", completion), ("cached", cached), ("cost", cost)];
            counters.into_iter().for_each(|(name, counter)| number(&mut line, name, counter));
            line.finish();
            out.push('\n');
        }
    }

    fn dump_session(&self, out: &mut String) {
        let session = self.session();
        for scope in RunScope::ALL {
            if let Some(run) = session.run(*scope) {
                let mut line = ObjectWriter::new(out);
                dump_run(&mut line, Some(run));
                line.finish();
                out.push('\n');
            }
        }
        let mut line = ObjectWriter::new(out);
        let context = &session.context;
        let numbers = [("used", context.used), ("size", context.size), ("ratio", context.used_ratio)];
        numbers.into_iter().for_each(|(name, value)| number(&mut line, name, value));
        raw(&mut line, "cost", context.cost.as_deref());
        optional(&mut line, "mode", session.mode.as_deref());
        optional(&mut line, "title", session.info.title.as_deref());
        optional(&mut line, "updatedAt", session.info.updated_at.as_deref());
        optional(&mut line, "cwd", session.info.cwd.as_deref());
        raw(&mut line, "meta", session.info.meta.as_deref());
        raw(&mut line, "config", session.config.as_deref());
        if let Some(compaction) = &session.compaction {
            optional(&mut line, "compactionId", compaction.compaction_id.as_deref());
            line.text("compaction", &compaction.status);
            optional(&mut line, "summary", compaction.summary.as_deref());
            optional(&mut line, "compactionError", compaction.error.as_deref());
        }
        for (name, kept) in [("commands", &session.commands), ("lifecycle", &session.lifecycle)] {
            kept.iter().for_each(|kept| dump_kept(&mut line, name, kept));
        }
        raw(&mut line, "state", session.snapshot.as_deref());
        session.patches.iter().for_each(|patch| raw(&mut line, "patch", Some(patch)));
        line.bool("didWork", self.did_work());
        line.finish();
        out.push('\n');
    }
}

fn dump_body(line: &mut ObjectWriter<'_>, body: &Body) {
    match body {
        Body::Missing => flag(line, "missing", true),
        Body::Text(part) => {
            line.text("is", part.role.as_str()).text("text", part.text());
            part.blocks.iter().for_each(|block| dump_kept(line, "blocks", block));
            flag(line, "ended", part.ended);
            flag(line, "aborted", part.aborted);
            optional(line, "stop", part.stop_reason.as_deref());
        }
        Body::Tool(card) => {
            line.text("is", "tool").text("id", &card.tool_call_id);
            optional(line, "wireId", card.wire_tool_call_id.as_deref());
            line.text("title", &card.title);
            optional(line, "name", card.tool_name.as_deref());
            line.text("kind", card.kind.as_str()).text("status", card.status.as_str());
            flag(line, "statusInferred", card.status_inferred);
            flag(line, "inferred", card.inferred);
            raw(line, "input", card.raw_input());
            optional(line, "inputText", Some(card.input_text()).filter(|text| !text.is_empty()));
            for (stream, text) in card.output_runs() {
                line.text(stream.map_or("output", |stream| stream.as_str()), text);
            }
            raw(line, "output", card.raw_output());
            for (name, kept) in [
                ("inputContent", &card.input_content),
                ("content", &card.result_content),
                ("locations", &card.locations),
            ] {
                kept.iter().for_each(|kept| dump_kept(line, name, kept));
            }
        }
        Body::Interrupt(part) => {
            dump_kept(line, "asked", &part.asked);
            part.resolved.iter().for_each(|kept| dump_kept(line, "resolved", kept));
        }
        Body::Plan(part) => dump_kept(line, "plan", &part.0),
        Body::Notice(part) => dump_kept(line, "notice", &part.0),
        Body::Error(part) => dump_kept(line, "error", &part.0),
        Body::Citations(part) => dump_kept(line, "citations", &part.0),
        Body::Artifact(part) => dump_kept(line, "artifact", &part.0),
    }
}

fn dump_run(line: &mut ObjectWriter<'_>, run: Option<&Run>) {
    let Some(run) = run else { return };
    line.text("run", run.scope.as_str()).text("phase", run.phase.as_str());
    optional(line, "outcome", run.outcome.map(|outcome| outcome.as_str()));
    optional(line, "reason", run.reason.as_deref());
    number(line, "durationMs", run.duration_ms);
    optional(line, "evidence", run.evidence.map(|evidence| evidence.as_str()));
}

/// Kept updates as events print them.
fn dump_kept(line: &mut ObjectWriter<'_>, name: &str, kept: &Kept) {
    if let Some(update) = kept.update() {
        let event = UiEvent { seq: 0, envelope: Envelope::default(), source: Source::default(), update };
        let mut text = String::new();
        event.write_json(&mut text);
        line.raw(name, &text);
    }
}

fn optional(line: &mut ObjectWriter<'_>, name: &str, text: Option<&str>) {
    if let Some(text) = text {
        line.text(name, text);
    }
}

fn raw(line: &mut ObjectWriter<'_>, name: &str, json: Option<&str>) {
    if let Some(json) = json {
        line.raw(name, json);
    }
}

fn flag(line: &mut ObjectWriter<'_>, name: &str, flag: bool) {
    if flag {
        line.bool(name, true);
    }
}

fn number(line: &mut ObjectWriter<'_>, name: &str, number: Option<f64>) {
    if let Some(number) = number {
        line.number(name, number);
    }
}
