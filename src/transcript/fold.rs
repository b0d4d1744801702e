//! One event into the state: finds the item, fills its envelope, changes its body.

use super::item::{
    ArtifactPart, Body, CitationsPart, ErrorPart, InterruptPart, Item, NoticePart, PlanPart, TextPart,
    ToolCard,
};
use super::kept::{Kept, Name};
use super::session::{Run, set};
use super::text::{Growing, Output, Room};
use super::{Edit, Transcript};
use crate::event::{
    self, ContentBlock, Envelope, Grown, Interrupt, InterruptResolved, LinkSource, MessageEnd, MoreText,
    Role, ToolCall, ToolCallUpdate, ToolContent, UiEvent, Update, Withdrawn,
};

impl Transcript {
    pub(super) fn fold(&mut self, event: &UiEvent<'_>, edit: &mut Edit) {
        self.grown = None;
        match &event.update {
            Update::AgentMessageChunk(chunk) => self.chunk(event, Role::Agent, &chunk.content, edit),
            Update::AgentThoughtChunk(chunk) => self.chunk(event, Role::Thought, &chunk.content, edit),
            Update::UserMessageChunk(chunk) => self.chunk(event, Role::User, &chunk.content, edit),
            Update::ToolCall(call) => self.tool_call(event, call, edit),
            Update::ToolCallUpdate(update) => self.tool_call_update(event, update, edit),
            Update::MessageEnd(end) => self.message_end(event, end, edit),
            Update::Withdrawn(withdrawn) => self.withdraw(withdrawn, edit),
            Update::Plan(_) => self.plan_set(event, edit),
            Update::Interrupt(interrupt) => self.ask(event, interrupt, edit),
            Update::InterruptResolved(resolved) => self.resolve(event, resolved, edit),
            Update::Notice(_) => self.whole(event, edit, |kept| Body::Notice(NoticePart(kept))),
            Update::Error(_) => self.whole(event, edit, |kept| Body::Error(ErrorPart(kept))),
            Update::Citations(_) => self.whole(event, edit, |kept| Body::Citations(CitationsPart(kept))),
            Update::Artifact(_) => self.whole(event, edit, |kept| Body::Artifact(ArtifactPart(kept))),
            Update::Agent(agent) => self.announce(agent, edit),
            beside => edit.state |= self.fold_beside(&event.envelope, beside),
        }
    }

    /// Updates that change nothing in the list. Tells whether they changed anything.
    fn fold_beside(&mut self, envelope: &Envelope<'_>, update: &Update<'_>) -> bool {
        let room = self.room();
        match update {
            Update::Usage(usage) => self.usage.add(envelope, usage),
            Update::Run(run) => match envelope.agent_id {
                None => self.session.set_run(Run::of(run)),
                Some(agent) => match self.agents.get_mut(agent) {
                    Some(agent) => agent.run = Some(Run::of(run)),
                    None => return false,
                },
            },
            Update::UsageUpdate(told) if envelope.agent_id.is_none() => self.session.set_context(told),
            Update::SessionInfoUpdate(told) => self.session.set_info(told),
            Update::CurrentModeUpdate(told) => set(&mut self.session.mode, Some(told.current_mode_id)),
            Update::ConfigOptionUpdate(told) => set(&mut self.session.config, Some(told.config_options.0)),
            Update::AvailableCommandsUpdate(_) => self.session.commands = Some(Kept::of(update)),
            Update::CompactionUpdate(told) => self.session.set_compaction(told),
            Update::Lifecycle(_) => self.session.lifecycle = Some(Kept::of(update)),
            Update::SharedState(told) => {
                self.did_work = true;
                self.session.set_state(told, room, &mut self.counters);
            }
            _ => return false,
        }
        true
    }

    fn room(&self) -> Room {
        let kept = usize::try_from(self.counters.kept_bytes).unwrap_or(usize::MAX);
        Room { text: self.limits.text_per_item, total: self.limits.text.saturating_sub(kept) }
    }

    /// The place of the event's item, made if it is the next one, with envelope and sources filled.
    fn touch(&mut self, event: &UiEvent<'_>, edit: &mut Edit) -> Option<usize> {
        let Some(number) = event.envelope.item else {
            self.counters.misplaced += 1;
            return None;
        };
        if number >= self.limits.items {
            self.counters.over_limit += 1;
            return None;
        }
        let skipped = number.saturating_sub(self.len());
        if skipped > self.limits.gap {
            self.counters.misplaced += 1;
            return None;
        }
        self.counters.gaps += u64::from(skipped);
        while self.len() <= number {
            self.items.push(Item::missing(self.len(), edit.revision));
        }
        self.mark_grown(number, edit);
        let index = number as usize;
        let item = self.items.get_mut(index)?;
        item.touched_by(event.source);
        let envelope = &event.envelope;
        if matches!(item.body, Body::Missing) || !only_grows(&event.update) || has_news(item, envelope) {
            item.reshaped = edit.revision;
        }
        if item.timestamp.is_none() {
            set(&mut item.timestamp, envelope.timestamp);
        }
        self.names.fill(&mut item.session_id, envelope.session_id);
        self.names.fill(&mut item.message_id, envelope.message_id);
        self.names.fill(&mut item.model, envelope.model);
        if item.agent_id.is_none() && envelope.agent_id.is_some() {
            self.names.fill(&mut item.agent_id, envelope.agent_id);
            item.agent_id.iter().for_each(|agent| self.agents.place_with_agent(agent, number));
        }
        if item.parent_tool_call_id.is_none() && envelope.parent_tool_call_id.is_some() {
            self.names.fill(&mut item.parent_tool_call_id, envelope.parent_tool_call_id);
            item.parent_tool_call_id.iter().for_each(|card| self.agents.place_under_card(card, number));
        }
        Some(index)
    }

    /// Notes that an item changed, once per apply.
    fn mark(&mut self, number: u32, edit: &mut Edit) {
        self.mark_grown(number, edit);
        if let Some(item) = self.items.get_mut(number as usize) {
            item.reshaped = edit.revision;
        }
    }

    /// The same for an item that may only have got more text.
    fn mark_grown(&mut self, number: u32, edit: &mut Edit) {
        let Some(item) = self.items.get_mut(number as usize) else { return };
        if item.revision != edit.revision {
            item.revision = edit.revision;
            edit.changed.push(number);
        }
    }

    /// The next pieces of the text that the last event continued, which filled everything else.
    pub(super) fn more_text(&mut self, more: &MoreText<'_>, edit: &mut Edit) -> bool {
        if self.grown != Some((more.item, more.grown)) {
            return false;
        }
        self.mark_grown(more.item, edit);
        let room = self.room();
        let Some(item) = self.items.get_mut(more.item as usize) else { return false };
        let Some(text) = item.grown(more.grown) else { return false };
        if room.fits(text, more.text) {
            text.append(more.text, room, &mut self.counters);
        } else {
            self.append_each(more);
        }
        let Some(item) = self.items.get_mut(more.item as usize) else { return false };
        item.touched_by_all(more.events, |number| more.event(number).0);
        true
    }

    /// Piece by piece: what a limit leaves of a text must not depend on how many pieces a push held.
    fn append_each(&mut self, more: &MoreText<'_>) {
        for number in 0..more.events {
            let room = self.room();
            let Some(item) = self.items.get_mut(more.item as usize) else { return };
            let Some(text) = item.grown(more.grown) else { return };
            let whole = text.append(more.event(number).1, room, &mut self.counters);
            item.cut_unless(whole);
        }
    }

    fn chunk(&mut self, event: &UiEvent<'_>, role: Role, content: &ContentBlock<'_>, edit: &mut Edit) {
        let room = self.room();
        let Some(index) = self.touch(event, edit) else { return };
        let Some(item) = self.items.get_mut(index) else { return };
        let Some(part) = text_part(item, role) else {
            self.counters.misplaced += 1;
            return;
        };
        let whole = match content {
            ContentBlock::Text { text } => part.text.append(text, room, &mut self.counters),
            _ => {
                let block = Kept::of(&event.update);
                self.counters.kept_bytes += block.size() as u64;
                part.blocks.push(block);
                true
            }
        };
        item.cut_unless(whole);
        self.grown = Some((item.number, Grown::Text));
        if role != Role::User && !matches!(content, ContentBlock::Text { text } if text.is_empty()) {
            self.did_work = true;
        }
    }

    fn message_end(&mut self, event: &UiEvent<'_>, end: &MessageEnd<'_>, edit: &mut Edit) {
        let room = self.room();
        let Some(index) = self.touch(event, edit) else { return };
        let Some(item) = self.items.get_mut(index) else { return };
        let Some(part) = text_part(item, end.role) else {
            self.counters.misplaced += 1;
            return;
        };
        part.ended = true;
        part.aborted |= end.aborted;
        set(&mut part.stop_reason, end.stop_reason);
        let Some(content) = end.content else { return };
        let whole = part.text.replace(content, room, &mut self.counters);
        item.truncated |= !whole;
        if end.role != Role::User && !content.is_empty() {
            self.did_work = true;
        }
    }

    fn withdraw(&mut self, withdrawn: &Withdrawn<'_>, edit: &mut Edit) {
        for number in withdrawn.items.iter() {
            let exact = Some(*number as u32).filter(|exact| f64::from(*exact) == *number);
            let Some(item) = exact.and_then(|exact| self.items.get_mut(exact as usize)) else {
                self.counters.misplaced += 1;
                continue;
            };
            item.withdrawn = Some(Box::from(withdrawn.reason));
            let number = item.number;
            self.mark(number, edit);
        }
    }

    fn tool_call(&mut self, event: &UiEvent<'_>, call: &ToolCall<'_>, edit: &mut Edit) {
        let Some(index) = self.touch(event, edit) else { return };
        let Some(item) = self.items.get_mut(index).filter(|item| matches!(item.body, Body::Missing)) else {
            self.counters.misplaced += 1;
            return;
        };
        let id = self.names.name(call.tool_call_id);
        let mut card = ToolCard::new(Name::clone(&id));
        self.names.fill(&mut card.wire_tool_call_id, call.wire_tool_call_id);
        card.inferred = call.inferred;
        card.status = call.status;
        item.body = Body::Tool(Box::new(card));
        self.cards.insert(id, item.number);
        self.did_work = true;
        let shown = Shown {
            title: Some(call.title),
            kind: Some(call.kind),
            tool_name: call.tool_name,
            raw_input: call.raw_input.map(|json| json.0),
            input_content: call.content.as_deref(),
            locations: call.locations.as_deref(),
            ..Shown::default()
        };
        self.change_card(index, &shown);
    }

    fn tool_call_update(&mut self, event: &UiEvent<'_>, update: &ToolCallUpdate<'_>, edit: &mut Edit) {
        let Some(index) = self.touch(event, edit) else { return };
        let room = self.room();
        let counters = &mut self.counters;
        let Some(item) = self.items.get_mut(index) else { return };
        let Body::Tool(card) = &mut item.body else {
            counters.misplaced += 1;
            return;
        };
        if let Some(status) = update.status {
            card.status = status;
            card.status_inferred = update.inferred;
        }
        let mut whole = true;
        if let Some(text) = update.input_delta {
            whole &= card.input_text.append(text, room, counters);
        }
        if let Some(delta) = &update.output_delta {
            whole &= card.output.append(delta.text, delta.stream, room, counters);
        }
        let shown = Shown {
            title: update.title,
            kind: update.kind,
            tool_name: update.tool_name,
            raw_input: update.raw_input.map(|json| json.0),
            raw_output: update.raw_output.map(|json| json.0),
            input_content: update.input_content.as_deref().filter(|_| card.input_content.is_none()),
            result_content: update.content.as_deref(),
            locations: update.locations.as_deref(),
        };
        item.cut_unless(whole);
        self.grown = update.input_delta.map(|_| (item.number, Grown::Input));
        self.change_card(index, &shown);
    }

    fn change_card(&mut self, index: usize, shown: &Shown<'_>) {
        let room = self.room();
        let counters = &mut self.counters;
        let Some(item) = self.items.get_mut(index) else { return };
        let Body::Tool(card) = &mut item.body else { return };
        if let Some(title) = shown.title {
            card.title = Box::from(title);
        }
        card.kind = shown.kind.unwrap_or(card.kind);
        if let Some(name) = shown.tool_name {
            card.tool_name = Some(self.names.name(name));
        }
        let dropped = counters.dropped_bytes;
        for (slot, json) in [(&mut card.raw_input, shown.raw_input), (&mut card.raw_output, shown.raw_output)]
        {
            if let Some(json) = json {
                let freed = slot.take().map_or(0, |old| old.len() as u64);
                counters.kept_bytes = counters.kept_bytes.saturating_sub(freed);
                *slot = room.keep(json, counters);
            }
        }
        let contents = [
            (&mut card.input_content, shown.input_content),
            (&mut card.result_content, shown.result_content),
        ];
        for (slot, content) in contents {
            if let Some(content) = content {
                let update = ToolCallUpdate { content: Some(content.into()), ..ToolCallUpdate::default() };
                let freed = slot.take().map_or(0, |old: Kept| old.size() as u64);
                counters.kept_bytes = counters.kept_bytes.saturating_sub(freed);
                *slot = room.keep_update(&update.into(), counters);
            }
        }
        if let Some(places) = shown.locations {
            let update = ToolCallUpdate { locations: Some(places.into()), ..ToolCallUpdate::default() };
            card.locations = Some(Kept::of(&update.into()));
        }
        item.truncated |= counters.dropped_bytes > dropped;
    }

    fn plan_set(&mut self, event: &UiEvent<'_>, edit: &mut Edit) {
        let Some(index) = self.touch(event, edit) else { return };
        let Some(item) =
            self.items.get_mut(index).filter(|item| matches!(item.body, Body::Missing | Body::Plan(_)))
        else {
            self.counters.misplaced += 1;
            return;
        };
        item.body = Body::Plan(PlanPart(Kept::of(&event.update)));
        self.plans.insert(item.agent_id.clone(), item.number);
        self.did_work = true;
    }

    fn ask(&mut self, event: &UiEvent<'_>, interrupt: &Interrupt<'_>, edit: &mut Edit) {
        let Some(index) = self.touch(event, edit) else { return };
        let Some(item) = self.items.get_mut(index) else { return };
        let asked = Kept::of(&event.update);
        let extra = event.envelope.extra.map(|extra| Box::from(extra.0));
        match &mut item.body {
            Body::Missing => {
                let part = InterruptPart { asked, extra, resolved: None, resolved_by_wire: false };
                item.body = Body::Interrupt(part);
            }
            Body::Interrupt(part) => {
                part.asked = asked;
                part.extra = extra.or(part.extra.take());
            }
            _ => {
                self.counters.misplaced += 1;
                return;
            }
        }
        self.interrupts.insert(self.names.name(interrupt.interrupt_id), item.number);
    }

    fn resolve(&mut self, event: &UiEvent<'_>, resolved: &InterruptResolved<'_>, edit: &mut Edit) {
        let Some(index) = self.touch(event, edit) else { return };
        let Some(Body::Interrupt(part)) = self.items.get_mut(index).map(|item| &mut item.body) else {
            self.counters.misplaced += 1;
            return;
        };
        if !part.resolved_by_wire {
            part.resolved_by_wire = resolved.source == LinkSource::Wire;
            part.resolved = Some(Kept::of(&event.update));
        }
    }

    /// Items that one event makes and that are kept as it is.
    fn whole(&mut self, event: &UiEvent<'_>, edit: &mut Edit, body: impl FnOnce(Kept) -> Body) {
        let room = self.room();
        let Some(index) = self.touch(event, edit) else { return };
        let Some(item) = self.items.get_mut(index) else { return };
        let body = match room.keep_update(&event.update, &mut self.counters) {
            Some(kept) => body(kept),
            None => {
                item.truncated = true;
                body(Kept::default())
            }
        };
        let same_sort = std::mem::discriminant(&item.body) == std::mem::discriminant(&body);
        if !same_sort && !matches!(item.body, Body::Missing) {
            self.counters.misplaced += 1;
            return;
        }
        self.did_work |= matches!(body, Body::Citations(_) | Body::Artifact(_));
        item.body = body;
    }

    /// A new link moves the agent's earlier items, so they are to be drawn again.
    fn announce(&mut self, told: &event::Agent<'_>, edit: &mut Edit) {
        edit.state = true;
        if self.agents.announce(told, &mut self.names) {
            for number in self.agents.items_of(told.agent_id) {
                self.mark(number, edit);
            }
        }
    }
}

/// Whether the update only adds to a text that an item has. What it says beside that takes the long way.
fn only_grows(update: &Update<'_>) -> bool {
    match update {
        Update::AgentMessageChunk(chunk) => matches!(chunk.content, ContentBlock::Text { .. }),
        Update::AgentThoughtChunk(chunk) => matches!(chunk.content, ContentBlock::Text { .. }),
        Update::UserMessageChunk(chunk) => matches!(chunk.content, ContentBlock::Text { .. }),
        Update::ToolCallUpdate(update) => {
            let ToolCallUpdate {
                tool_call_id: _,
                input_delta: _,
                output_delta,
                status,
                title,
                kind,
                tool_name,
                raw_input,
                content,
                input_content,
                locations,
                raw_output,
                inferred: _,
            } = update;
            output_delta.as_ref().is_none_or(|delta| delta.stream.is_none())
                && (status.is_none() && title.is_none() && kind.is_none() && tool_name.is_none())
                && (raw_input.is_none() && raw_output.is_none() && locations.is_none())
                && (content.is_none() && input_content.is_none())
        }
        _ => false,
    }
}

/// Whether the envelope fills a place of the item that stands empty.
fn has_news(item: &Item, envelope: &Envelope<'_>) -> bool {
    (item.timestamp.is_none() && envelope.timestamp.is_some())
        || (item.session_id.is_none() && envelope.session_id.is_some())
        || (item.message_id.is_none() && envelope.message_id.is_some())
        || (item.model.is_none() && envelope.model.is_some())
        || (item.agent_id.is_none() && envelope.agent_id.is_some())
        || (item.parent_tool_call_id.is_none() && envelope.parent_tool_call_id.is_some())
}

/// The text part of an item, made if the item is still empty; `None` if it is something else.
fn text_part(item: &mut Item, role: Role) -> Option<&mut TextPart> {
    if matches!(item.body, Body::Missing) {
        item.body = Body::Text(TextPart {
            role,
            text: Growing::default(),
            blocks: Vec::new(),
            ended: false,
            aborted: false,
            stop_reason: None,
        });
    }
    match &mut item.body {
        Body::Text(part) if part.role == role => Some(part),
        _ => None,
    }
}

/// What an event says about how a card looks; absent keeps what is known.
#[derive(Default)]
struct Shown<'a> {
    title: Option<&'a str>,
    kind: Option<event::ToolKind>,
    tool_name: Option<&'a str>,
    raw_input: Option<&'a str>,
    raw_output: Option<&'a str>,
    input_content: Option<&'a [ToolContent<'a>]>,
    result_content: Option<&'a [ToolContent<'a>]>,
    locations: Option<&'a [event::Location<'a>]>,
}

impl ToolCard {
    fn new(tool_call_id: Name) -> ToolCard {
        ToolCard {
            tool_call_id,
            wire_tool_call_id: None,
            title: Box::default(),
            tool_name: None,
            kind: event::ToolKind::Other,
            status: event::ToolStatus::Pending,
            status_inferred: false,
            inferred: false,
            raw_input: None,
            raw_output: None,
            input_text: Growing::default(),
            output: Output::default(),
            input_content: None,
            result_content: None,
            locations: None,
        }
    }
}
