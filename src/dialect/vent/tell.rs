//! Frames that tell something beside text and calls: status sentences, todo lists, citations, downloads.

use std::borrow::Cow;

use super::download;
use super::frame::{Frame, Member};
use crate::dialect::{CallRef, Context, Fact, FactSink};
use crate::event::{
    Artifact, Citations, Json, List, Notice, PlanEntry, PlanPriority, PlanStatus, Severity as Weight,
};
use crate::framing::Severity;
use crate::json::Value;

/// A status sentence. It is no reasoning of the model.
pub fn notice(frame: &Frame<'_>, context: &Context<'_>, facts: &mut dyn FactSink) {
    let text = frame.string(Member::Message, facts).unwrap_or_default();
    facts.fact(context, Fact::Tell(Notice { severity: Weight::Info, text: &text, stream: None }.into()));
}

/// The download a frame offers, if any. A refused URL is remarked and not shown.
pub fn artifact(
    frame: &Frame<'_>,
    call: Option<CallRef<'_>>,
    context: &Context<'_>,
    facts: &mut dyn FactSink,
) {
    let Some(url) = frame.filled(Member::DownloadUrl, facts) else { return };
    if !download::allowed(&url) {
        facts.diagnostic(
            "vent.url-refused",
            Severity::Warn,
            "`download_url` is neither http(s) nor a path on the site",
        );
        return;
    }
    let wire_name = frame.filled(Member::Filename, facts);
    let filename = download::filename(wire_name.as_deref(), &url);
    let artifact = Artifact { url: &url, filename: &filename, tool_call_id: None };
    facts.fact(context, Fact::Artifact { artifact, call });
}

/// The sources of the answer.
pub fn citations(frame: &Frame<'_>, context: &Context<'_>, facts: &mut dyn FactSink) {
    let items = frame.list(Member::Items, facts);
    let model_only = frame.flag(Member::ModelOnly, facts).unwrap_or(false);
    facts.fact(context, Fact::Tell(Citations { items: Json(&items), model_only }.into()));
}

/// The whole todo list.
pub fn todo_list(frame: &Frame<'_>, context: &Context<'_>, facts: &mut dyn FactSink) {
    let list = frame.list(Member::Todos, facts);
    let todos: Vec<_> =
        Value::parse(&list).ok().and_then(Value::array).into_iter().flatten().map(todo).collect();
    let entries = todos.iter().map(|(content, status, priority)| PlanEntry {
        content,
        status: *status,
        priority: *priority,
    });
    facts.fact(context, Fact::PlanSet { entries: List::Owned(entries.collect()) });
}

/// One entry; the contract leaves its members open, so the usual words are tried.
fn todo(value: Value<'_>) -> (Cow<'_, str>, PlanStatus, PlanPriority) {
    let [content, task, title, description, name, status, done, completed, priority] = value.fields([
        "content",
        "task",
        "title",
        "description",
        "name",
        "status",
        "done",
        "completed",
        "priority",
    ]);
    let text =
        [Some(value), content, task, title, description, name].into_iter().flatten().find_map(Value::str);
    let ticked = [done, completed].into_iter().flatten().any(|flag| flag.bool() == Some(true));
    let status = match status.and_then(Value::str).as_deref() {
        Some("completed" | "done" | "complete" | "finished") => PlanStatus::Completed,
        Some("in_progress" | "in-progress" | "doing" | "running") => PlanStatus::InProgress,
        None if ticked => PlanStatus::Completed,
        _ => PlanStatus::Pending,
    };
    let priority = priority.and_then(Value::str).and_then(|word| PlanPriority::from_word(&word));
    (text.unwrap_or(Cow::Borrowed(value.raw())), status, priority.unwrap_or(PlanPriority::Medium))
}
