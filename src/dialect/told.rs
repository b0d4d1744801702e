//! What a few dialects of plain JSON lines say alike, beyond what every speaker can: results with
//! words beside them, token counters by a table of their names, checklists. Knows no field of any format.

use std::borrow::Cow;

use super::content::{self, Block};
use super::plan::{Plan, checked};
use super::speaker::{Extra, Speaker};
use super::tools::rows::{self, Row};
use super::tools::{Presentation, mcp_parts};
use super::{CallRef, ErrorFact, Fact, ToolChanged, UsageBasis, UsageFact};
use crate::event::{Json, SessionInfoUpdate, ToolKind, ToolStatus};
use crate::json::Value;

/// What a counter counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counter {
    /// Input tokens.
    Prompt,
    /// Output tokens.
    Completion,
    /// Input tokens read from a cache, counted in `Prompt` too.
    Cached,
    /// Input tokens read from a cache, which `Prompt` leaves out.
    CachedShare,
    /// Other input tokens that `Prompt` leaves out; they stay in `extra` under their name.
    OtherShare,
    /// US dollars.
    Cost,
    /// No counter: a member of the record that stands beside them.
    None,
}

/// How a call is shown: by its row, else by its name, `server: tool` where that is an MCP tool's.
pub fn shown<'a>(table: &'static [Row], name: &'a str, input: Option<Value<'a>>) -> Presentation<'a> {
    match mcp_parts(name) {
        Some((server, tool)) => Presentation::of(ToolKind::Other, [server, ": ", tool].concat()),
        None => rows::present(table, name, input),
    }
}

/// All members that hold something but the named ones, as an object; `None` when there is none.
pub fn members_but(value: Value<'_>, names: &[&str]) -> Option<String> {
    let mut extra = Extra::default();
    for (name, member) in value.object()? {
        if !names.contains(&&*name) && !matches!(member.raw(), "null" | "[]" | "{}") {
            extra.raw(&name, member.raw());
        }
    }
    extra.finish()
}

impl Speaker<'_, '_> {
    /// A string with characters, or nothing; anything but a string or null is remarked on.
    pub fn filled<'a>(&mut self, value: Option<Value<'a>>, field: &str) -> Option<Cow<'a, str>> {
        self.text(value, field).filter(|text| !text.is_empty())
    }

    /// What the wire tells about the session: its directory, and everything else as an object.
    pub fn session(&mut self, cwd: Option<&str>, meta: Option<&str>) {
        let info = SessionInfoUpdate { cwd, meta: meta.map(Json), ..SessionInfoUpdate::default() };
        self.say(Fact::Tell(info.into()));
    }

    /// Progress or result of a call. `output` is the wire's whole record of it, as JSON text.
    pub fn told_result(
        &mut self,
        id: Option<&str>,
        status: ToolStatus,
        blocks: &[Block<'_>],
        output: Option<&str>,
        extra: Option<&str>,
    ) {
        let changed = ToolChanged {
            status: Some(status),
            content: content::contents_of(blocks),
            output: output.map(Json),
            ..ToolChanged::about(CallRef::of(id))
        };
        self.say_extra(extra, Fact::ToolChanged(changed));
    }

    /// An error that may be told again.
    pub fn told_error(&mut self, message: &str, fatal: bool, code: Option<&str>, extra: Option<&str>) {
        let error = ErrorFact { message, fatal, code, retry_after_ms: None, repeats: true, echoed: false };
        self.say_extra(extra, Fact::Error(error));
    }

    /// A whole plan: a list of entries, or a Markdown checklist. A text that is none says nothing.
    pub fn told_plan(&mut self, value: Value<'_>) {
        let Some(text) = value.str() else { return self.todos(value) };
        let mut plan = Plan::default();
        for (content, status) in text.lines().filter_map(checked) {
            plan.add(content, status);
        }
        if !plan.is_empty() {
            self.say(plan.fact());
        }
    }

    /// Token counters; what the table does not name goes to `extra`. Counters that say nothing are passed over.
    pub fn counters(&mut self, counters: Value<'_>, basis: UsageBasis, names: &[(&str, Counter)]) {
        let mut fact = UsageFact::of(basis);
        let mut extra = Extra::default();
        let mut shares = 0.0;
        let Some(members) = counters.object() else { return self.wrong_type("usage") };
        for (name, value) in members.filter(|(_, value)| !value.is_null()) {
            let meaning = names.iter().find(|(known, _)| *known == &*name).map(|(_, meaning)| *meaning);
            if meaning == Some(Counter::None) {
                continue;
            }
            let number = if meaning.is_some() { self.number(Some(value), &name) } else { None };
            match meaning {
                Some(Counter::Prompt) => fact.prompt = number,
                Some(Counter::Completion) => fact.completion = number,
                Some(Counter::Cost) => fact.cost = number,
                Some(Counter::Cached | Counter::CachedShare) => fact.cached = number,
                _ => extra.raw(&name, value.raw()),
            }
            if matches!(meaning, Some(Counter::CachedShare | Counter::OtherShare)) {
                shares += number.unwrap_or_default();
            }
        }
        fact.prompt = fact.prompt.map(|prompt| prompt + shares);
        let extra = extra.finish();
        fact.extra = extra.as_deref().map(Json);
        if extra.is_some() || fact.prompt.is_some() || fact.completion.is_some() || fact.cost.is_some() {
            self.say(Fact::Usage(fact));
        }
    }
}
