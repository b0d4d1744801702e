//! What the product makes of a recording.

use agent_ui_events::event::ContentBlock;
use agent_ui_events::event::Role;
use agent_ui_events::framing::Severity;
use agent_ui_events::transcript::{Body, Item, ToolCard, Transcript};
use agent_ui_events::{Batch, Normalizer, Options, Report, Update, check_normal_form};
use anyhow::{Result, anyhow};

use super::case::Verdicts;

/// Content and status of each entry.
pub(super) type PlanState = Vec<(String, String)>;

/// Everything the product says.
pub(super) struct Observed {
    pub transcript: Transcript,
    pub report: Report,
    /// The events as JSON, one per line.
    pub events: String,
    /// Lines of the records that caused them.
    pub lines: Vec<u64>,
    /// States of the main agent's plan, each time it changed.
    pub plans: Vec<PlanState>,
}

/// Feeds the bytes whole.
pub(super) fn observe(bytes: &[u8]) -> Result<Observed> {
    observe_all(bytes, &[])
}

/// Feeds the main file, then each further one as an input of its own.
pub(super) fn observe_all(bytes: &[u8], further: &[(String, Vec<u8>)]) -> Result<Observed> {
    let mut normalizer = Normalizer::new(Options::default()).map_err(|error| anyhow!("{error}"))?;
    let mut seen = Seen::default();
    seen.take(normalizer.push(bytes).map_err(|error| anyhow!("{error}"))?);
    for (name, bytes) in further {
        let input = normalizer.input(name);
        seen.take(normalizer.push_to(input, bytes).map_err(|error| anyhow!("{error}"))?);
        seen.take(normalizer.end_input(input).map_err(|error| anyhow!("{error}"))?);
    }
    seen.take(normalizer.end().map_err(|error| anyhow!("{error}"))?);
    let Seen { transcript, events, lines, plans } = seen;
    Ok(Observed { transcript, report: normalizer.report(), events, lines, plans })
}

#[derive(Default)]
struct Seen {
    transcript: Transcript,
    events: String,
    lines: Vec<u64>,
    plans: Vec<PlanState>,
}

impl Seen {
    fn take(&mut self, batch: &Batch) {
        self.transcript.apply(batch);
        for event in batch.iter() {
            event.write_json(&mut self.events);
            self.events.push('\n');
            self.lines.push(event.source.line);
            let envelope = &event.envelope;
            if let Update::Plan(plan) = &event.update
                && envelope.agent_id.is_none()
                && envelope.parent_tool_call_id.is_none()
            {
                let entry = |entry: &agent_ui_events::event::PlanEntry<'_>| {
                    (entry.content.to_owned(), entry.status.as_str().to_owned())
                };
                let state: PlanState = plan.entries.iter().map(entry).collect();
                if self.plans.last() != Some(&state) {
                    self.plans.push(state);
                }
            }
        }
    }
}

impl Observed {
    pub fn items(&self) -> &[Item] {
        self.transcript.items(0..self.transcript.len())
    }

    /// Who an item belongs to: its agent, else the card it stands under; `None` is the main agent.
    pub fn owner(&self, item: &Item) -> Option<String> {
        let parent = self.transcript.parent_of(item.number);
        item.agent_id.clone().or(parent).map(|name| name.to_string())
    }

    /// Texts that were not taken back, with their owners.
    pub fn texts(&self, role: Role) -> Vec<(Option<String>, &str)> {
        let shown = self.items().iter().filter(|item| item.withdrawn.is_none());
        let text = |item: &'_ Item| matches!(&item.body, Body::Text(part) if part.role == role);
        shown
            .filter(|item| text(item))
            .map(|item| (self.owner(item), item.as_text().map_or("", |part| part.text())))
            .collect()
    }

    /// Texts of the main agent.
    pub fn main_texts(&self, role: Role) -> Vec<&str> {
        self.texts(role).into_iter().filter(|(owner, _)| owner.is_none()).map(|(_, text)| text).collect()
    }

    /// Tool cards with their items.
    pub fn cards(&self) -> Vec<(&Item, &ToolCard)> {
        self.items().iter().filter_map(|item| Some((item, item.as_tool()?))).collect()
    }
}

/// Text of a content block, empty for other sorts.
pub(super) fn text_of<'a>(block: &ContentBlock<'a>) -> &'a str {
    if let ContentBlock::Text { text } = block { text } else { "" }
}

/// The events are in normal form, and the dialect was found.
pub(super) fn check_events(observed: &Observed, verdicts: &mut Verdicts) {
    let breaches: Vec<String> = check_normal_form(&observed.events)
        .iter()
        .map(|breach| format!("{} at event {}: {}", breach.promise, breach.event, breach.message))
        .collect();
    verdicts.equal("normal form", &Vec::new(), &breaches);
    // Plain lines tell no dialect.
    let prose = |event: &str| event.contains("\"sessionUpdate\":\"notice\"");
    verdicts.that(
        observed.events.lines().all(prose) || observed.report.dialect.is_some(),
        "dialect",
        "one",
        observed.report.dialect,
    );
}

/// Codes of the remarks that are worse than a hint.
pub(super) fn remarks(report: &Report) -> Vec<String> {
    let bad = report.diagnostics.iter().filter(|diagnostic| diagnostic.severity > Severity::Info);
    bad.map(|diagnostic| format!("{} (line {}): {}", diagnostic.code, diagnostic.line, diagnostic.message))
        .collect()
}
