//! One event into the state: finds the item, fills its envelope, changes its body.

use super::item::{
    ArtifactPart, Body, CitationsPart, ErrorPart, InterruptPart, Item, NoticePart, PlanPart, TextPart,
};
use super::kept::Kept;
use super::session::{Run, set};
use super::text::{Growing, Room};
use super::{Edit, Transcript};
use crate::event::{
    self, AGENT_ID_SLOT, EXTRA_SLOT, Grown, Head, Interrupt, InterruptResolved, LinkSource, MESSAGE_ID_SLOT,
    MODEL_SLOT, MessageEnd, MoreText, PARENT_TOOL_CALL_ID_SLOT, Role, SESSION_ID_SLOT, TIMESTAMP_SLOT,
    Update, Withdrawn,
};

impl Transcript {
    /// One event into the state.
    pub(super) fn fold_event<'b>(&mut self, event: &Head<'b>, edit: &mut Edit<'b>) {
        self.grown = None;
        if let Some((role, text)) = event.text_chunk() {
            return self.text_chunk(event, role, text, edit);
        }
        // By reference: an update is large, and taking it out of the option would copy it.
        if let Some(update) = &event.update() {
            self.fold(event, update, edit);
        }
    }

    /// Everything but text chunks.
    fn fold<'b>(&mut self, event: &Head<'b>, update: &Update<'b>, edit: &mut Edit<'b>) {
        match update {
            Update::AgentMessageChunk(_) => self.block(event, update, Role::Agent, edit),
            Update::AgentThoughtChunk(_) => self.block(event, update, Role::Thought, edit),
            Update::UserMessageChunk(_) => self.block(event, update, Role::User, edit),
            Update::ToolCall(call) => self.tool_call(event, call, edit),
            Update::ToolCallUpdate(change) => self.tool_call_update(event, change, edit),
            Update::MessageEnd(end) => self.message_end(event, end, edit),
            Update::Withdrawn(withdrawn) => self.withdraw(withdrawn, edit),
            Update::Plan(_) => self.plan_set(event, update, edit),
            Update::Interrupt(interrupt) => self.ask(event, update, interrupt, edit),
            Update::InterruptResolved(resolved) => self.resolve(event, update, resolved, edit),
            Update::Notice(_) => self.whole(event, update, edit, |kept| Body::Notice(NoticePart(kept))),
            Update::Error(_) => self.whole(event, update, edit, |kept| Body::Error(ErrorPart(kept))),
            Update::Citations(_) => {
                self.whole(event, update, edit, |kept| Body::Citations(CitationsPart(kept)))
            }
            Update::Artifact(_) => self.whole(event, update, edit, |kept| Body::Artifact(ArtifactPart(kept))),
            Update::Agent(agent) => self.announce(agent, edit),
            beside => edit.state |= self.fold_beside(event, beside, edit),
        }
    }

    /// Updates that change nothing in the list. Tells whether they changed anything.
    fn fold_beside(&mut self, event: &Head<'_>, update: &Update<'_>, edit: &mut Edit<'_>) -> bool {
        let room = self.room();
        match update {
            Update::Usage(usage) => self.usage.add(event, usage, &mut self.names, &mut edit.words),
            Update::Run(run) => match event.text(AGENT_ID_SLOT) {
                None => self.session.set_run(Run::of(run)),
                Some(agent) => match self.agents.get_mut(agent) {
                    Some(agent) => agent.run = Some(Run::of(run)),
                    None => return false,
                },
            },
            Update::UsageUpdate(told) if event.word(AGENT_ID_SLOT) == 0 => self.session.set_context(told),
            Update::SessionInfoUpdate(told) => self.session.set_info(told),
            Update::CurrentModeUpdate(told) => set(&mut self.session.mode, Some(told.current_mode_id)),
            Update::ConfigOptionUpdate(told) => set(&mut self.session.config, Some(told.config_options.0)),
            Update::AvailableCommandsUpdate(_) => {
                self.session.commands = Some(Kept::of(update, &mut self.packer))
            }
            Update::CompactionUpdate(told) => self.session.set_compaction(told),
            Update::Lifecycle(_) => self.session.lifecycle = Some(Kept::of(update, &mut self.packer)),
            Update::SharedState(told) => {
                self.did_work = true;
                self.session.set_state(told, room, &mut self.counters);
            }
            _ => return false,
        }
        true
    }

    pub(super) fn room(&self) -> Room {
        let kept = usize::try_from(self.counters.kept_bytes).unwrap_or(usize::MAX);
        Room { text: self.limits.text_per_item, total: self.limits.text.saturating_sub(kept) }
    }

    /// The place of the event's item, made if it is the next one, with envelope and sources filled.
    pub(super) fn touch<'b>(&mut self, event: &Head<'b>, grows: bool, edit: &mut Edit<'b>) -> Option<usize> {
        let number = event.item();
        let known = number.and_then(|number| self.items.get_mut(number as usize));
        // A record says several things of an item: the second one finds source and envelope as it left them.
        if let Some(item) = known.filter(|_| edit.place == event.place())
            && item.last_source == event.source()
        {
            if !grows {
                item.reshaped = edit.revision;
            }
            return number.map(|number| number as usize);
        }
        let index = self.place(number, edit)?;
        self.fill(index, event, grows, edit);
        edit.place = event.place();
        Some(index)
    }

    /// The place of an item, made if it is the next one.
    fn place(&mut self, number: Option<u32>, edit: &mut Edit<'_>) -> Option<usize> {
        let Some(number) = number else {
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
        Some(number as usize)
    }

    /// Fills what the item lacks of an event's envelope.
    fn fill(&mut self, index: usize, event: &Head<'_>, grows: bool, edit: &mut Edit<'_>) {
        let Some(item) = self.items.get_mut(index) else { return };
        item.touched_by(event.source());
        if matches!(item.body, Body::Missing) || !grows || has_news(item, event) {
            item.reshaped = edit.revision;
        }
        if item.timestamp.is_none() {
            set(&mut item.timestamp, event.text(TIMESTAMP_SLOT));
        }
        let words = &mut edit.words;
        self.names.fill_told(&mut item.session_id, event, SESSION_ID_SLOT, words);
        self.names.fill_told(&mut item.message_id, event, MESSAGE_ID_SLOT, words);
        self.names.fill_told(&mut item.model, event, MODEL_SLOT, words);
        let number = item.number;
        if item.agent_id.is_none() {
            self.names.fill_told(&mut item.agent_id, event, AGENT_ID_SLOT, words);
            item.agent_id.iter().for_each(|agent| self.agents.place_with_agent(agent, number));
        }
        if item.parent_tool_call_id.is_none() {
            self.names.fill_told(&mut item.parent_tool_call_id, event, PARENT_TOOL_CALL_ID_SLOT, words);
            item.parent_tool_call_id.iter().for_each(|card| self.agents.place_under_card(card, number));
        }
    }

    /// Notes that an item changed, once per apply.
    fn mark(&mut self, number: u32, edit: &mut Edit<'_>) {
        self.mark_grown(number, edit);
        if let Some(item) = self.items.get_mut(number as usize) {
            item.reshaped = edit.revision;
        }
    }

    /// The same for an item that may only have got more text.
    fn mark_grown(&mut self, number: u32, edit: &mut Edit<'_>) {
        let Some(item) = self.items.get_mut(number as usize) else { return };
        if item.revision != edit.revision {
            item.revision = edit.revision;
            edit.changed.push(number);
        }
    }

    /// The next pieces of the text that the last event continued, which filled everything else.
    pub(super) fn more_text(&mut self, more: &MoreText<'_>, edit: &mut Edit<'_>) -> bool {
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

    /// Text of a message: most events are that, and are taken as they lie in the batch.
    fn text_chunk<'b>(&mut self, event: &Head<'b>, role: Role, text: &str, edit: &mut Edit<'b>) {
        let room = self.room();
        let Some(index) = self.touch(event, true, edit) else { return };
        let Some(item) = self.items.get_mut(index) else { return };
        let Some(part) = text_part(item, role) else {
            self.counters.misplaced += 1;
            return;
        };
        let whole = part.text.append(text, room, &mut self.counters);
        item.cut_unless(whole);
        self.grown = Some((item.number, Grown::Text));
        self.did_work |= role != Role::User && !text.is_empty();
    }

    /// Another block of a message.
    fn block<'b>(&mut self, event: &Head<'b>, update: &Update<'_>, role: Role, edit: &mut Edit<'b>) {
        let Some(index) = self.touch(event, false, edit) else { return };
        let Some(item) = self.items.get_mut(index) else { return };
        let Some(part) = text_part(item, role) else {
            self.counters.misplaced += 1;
            return;
        };
        let block = Kept::of(update, &mut self.packer);
        self.counters.kept_bytes += block.size() as u64;
        part.blocks.push(block);
        self.grown = Some((item.number, Grown::Text));
        self.did_work |= role != Role::User;
    }

    fn message_end<'b>(&mut self, event: &Head<'b>, end: &MessageEnd<'_>, edit: &mut Edit<'b>) {
        let room = self.room();
        let Some(index) = self.touch(event, false, edit) else { return };
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

    fn withdraw(&mut self, withdrawn: &Withdrawn<'_>, edit: &mut Edit<'_>) {
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

    fn plan_set<'b>(&mut self, event: &Head<'b>, update: &Update<'_>, edit: &mut Edit<'b>) {
        let Some(index) = self.touch(event, false, edit) else { return };
        let Some(item) =
            self.items.get_mut(index).filter(|item| matches!(item.body, Body::Missing | Body::Plan(_)))
        else {
            self.counters.misplaced += 1;
            return;
        };
        item.body = Body::Plan(PlanPart(Kept::of(update, &mut self.packer)));
        let agent = item.agent_id.as_ref().map_or(0, |agent| u64::from(self.names.number(agent)) + 1);
        self.plans.insert(agent, item.number);
        self.did_work = true;
    }

    fn ask<'b>(
        &mut self,
        event: &Head<'b>,
        update: &Update<'_>,
        interrupt: &Interrupt<'_>,
        edit: &mut Edit<'b>,
    ) {
        let Some(index) = self.touch(event, false, edit) else { return };
        let Some(item) = self.items.get_mut(index) else { return };
        let asked = Kept::of(update, &mut self.packer);
        let extra = event.text(EXTRA_SLOT).map(Box::from);
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
        self.interrupts.insert(u64::from(self.names.number(interrupt.interrupt_id)), item.number);
    }

    fn resolve<'b>(
        &mut self,
        event: &Head<'b>,
        update: &Update<'_>,
        resolved: &InterruptResolved<'_>,
        edit: &mut Edit<'b>,
    ) {
        let Some(index) = self.touch(event, false, edit) else { return };
        let Some(Body::Interrupt(part)) = self.items.get_mut(index).map(|item| &mut item.body) else {
            self.counters.misplaced += 1;
            return;
        };
        if !part.resolved_by_wire {
            part.resolved_by_wire = resolved.source == LinkSource::Wire;
            part.resolved = Some(Kept::of(update, &mut self.packer));
        }
    }

    /// Items that one event makes and that are kept as it is.
    fn whole<'b>(
        &mut self,
        event: &Head<'b>,
        update: &Update<'_>,
        edit: &mut Edit<'b>,
        body: impl FnOnce(Kept) -> Body,
    ) {
        let room = self.room();
        let Some(index) = self.touch(event, false, edit) else { return };
        let Some(item) = self.items.get_mut(index) else { return };
        let body = match room.keep_update(Kept::of(update, &mut self.packer), &mut self.counters) {
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
    fn announce(&mut self, told: &event::Agent<'_>, edit: &mut Edit<'_>) {
        edit.state = true;
        if self.agents.announce(told, &mut self.names) {
            for number in self.agents.items_of(told.agent_id) {
                self.mark(number, edit);
            }
        }
    }
}

/// Whether the envelope fills a place of the item that stands empty.
fn has_news(item: &Item, event: &Head<'_>) -> bool {
    (item.timestamp.is_none() && event.word(TIMESTAMP_SLOT) != 0)
        || (item.session_id.is_none() && event.word(SESSION_ID_SLOT) != 0)
        || (item.message_id.is_none() && event.word(MESSAGE_ID_SLOT) != 0)
        || (item.model.is_none() && event.word(MODEL_SLOT) != 0)
        || (item.agent_id.is_none() && event.word(AGENT_ID_SLOT) != 0)
        || (item.parent_tool_call_id.is_none() && event.word(PARENT_TOOL_CALL_ID_SLOT) != 0)
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
