//! Frames that tell something beside text and calls: status sentences, todo lists, citations, downloads.

use super::download;
use super::frame::{Frame, Member};
use crate::dialect::plan::Plan;
use crate::dialect::{CallRef, Context, Fact, FactSink};
use crate::event::{Artifact, Citations, Json, Notice, Severity as Weight};
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
    if let Some(plan) = Value::parse(&list).ok().and_then(Plan::read) {
        facts.fact(context, plan.fact());
    }
}
