//! Tool cards: the call, what becomes known of it later, its result.

use super::item::{Body, ToolCard};
use super::kept::{Kept, Name};
use super::text::{Growing, Output};
use super::{Edit, Transcript};
use crate::event::{self, Grown, Head, ToolCall, ToolCallUpdate, ToolContent};

impl Transcript {
    pub(super) fn tool_call<'b>(&mut self, event: &Head<'b>, call: &ToolCall<'_>, edit: &mut Edit<'b>) {
        let Some(index) = self.touch(event, false, edit) else { return };
        let Some(item) = self.items.get_mut(index).filter(|item| matches!(item.body, Body::Missing)) else {
            self.counters.misplaced += 1;
            return;
        };
        let mut card = ToolCard::new(self.names.name(call.tool_call_id));
        self.names.fill(&mut card.wire_tool_call_id, call.wire_tool_call_id);
        card.inferred = call.inferred;
        card.status = call.status;
        item.body = Body::Tool(Box::new(card));
        self.cards.insert(u64::from(self.names.number(call.tool_call_id)), item.number);
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

    pub(super) fn tool_call_update<'b>(
        &mut self,
        event: &Head<'b>,
        update: &ToolCallUpdate<'_>,
        edit: &mut Edit<'b>,
    ) {
        let Some(index) = self.touch(event, only_grows(update), edit) else { return };
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
                let freed = slot.take().map_or(0, |old: Kept| old.size() as u64);
                counters.kept_bytes = counters.kept_bytes.saturating_sub(freed);
                *slot = room.keep_update(Kept::of_content(content, &mut self.packer), counters);
            }
        }
        if let Some(places) = shown.locations {
            let update = ToolCallUpdate { locations: Some(places.into()), ..ToolCallUpdate::default() };
            card.locations = Some(Kept::of(&update.into(), &mut self.packer));
        }
        item.truncated |= counters.dropped_bytes > dropped;
    }
}

/// Whether the update only adds to a text that the card has. What it says beside that takes the long way.
fn only_grows(update: &ToolCallUpdate<'_>) -> bool {
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
