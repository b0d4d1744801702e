//! Tool cards: one `tool_call` each, facts that only grow, whatever the order they arrive in.

use std::borrow::Cow;

use super::NormalForm;
use super::card::{Known, Rank, content_mark, locations_mark};
use super::growth::Target;
use super::lanes::LaneId;
use super::names::{Name, mark};
use crate::dialect::{Context, ToolChanged, ToolSeen};
use crate::event::{
    ContentBlock, Json, List, OutputDelta, OutputStream, ToolCall, ToolCallUpdate, ToolContent, ToolKind,
    ToolStatus,
};
use crate::framing::Severity;
use crate::json::Text;

impl NormalForm {
    /// The wire named a call.
    pub(super) fn tool_seen(&mut self, context: &Context<'_>, seen: &ToolSeen<'_>) {
        let lane = self.lanes.of(&mut self.names, context);
        let name = self.names.optional(seen.name);
        let input = seen.input.map(|Json(raw)| mark(raw));
        if self.history.is_open
            && let Some(card) =
                self.listed_card(lane, seen.call, name, |card| card.agrees(name, seen.title, input))
        {
            return self.fill_from_call(context, card, seen, name);
        }
        let found = self.card_of_call(context, lane, seen.call);
        let card = match found {
            Some(card) if self.cards.list[card].called && self.cards.list[card].is_final() => {
                self.cards.list[card].agrees(name, seen.title, input).then_some(card)
            }
            found => found,
        };
        match card {
            Some(card) => self.fill_from_call(context, card, seen, name),
            None => self.new_call(context, lane, seen, name, input),
        }
    }

    fn new_call(
        &mut self,
        context: &Context<'_>,
        lane: LaneId,
        seen: &ToolSeen<'_>,
        name: Name,
        input: Option<u64>,
    ) {
        let index = self.new_card(context, lane, seen.call, name);
        let worker = self.names.optional(seen.lane);
        let card = &mut self.cards.list[index];
        card.called = true;
        card.worker = worker;
        card.status = seen.status.unwrap_or_default();
        if let Some(title) = seen.title {
            card.title = Known { rank: Rank::Call, mark: mark(title) };
            card.title_is_name = Some(title) == seen.name;
        }
        if seen.kind.is_some() {
            card.kind = Known { rank: Rank::Call, mark: seen.kind.map_or(0, |kind| kind as u64) };
        }
        if let Some(input) = input {
            card.input = Known { rank: Rank::Call, mark: input };
        }
        if let Some(content) = &seen.content {
            card.input_side = Known { rank: Rank::Call, mark: content_mark(content) };
        }
        if let Some(locations) = &seen.locations {
            card.locations = Known { rank: Rank::Call, mark: locations_mark(locations) };
        }
        self.register_open(index);
        self.register_index(context, lane, seen.index, index);
        let parent = self.parent(context);
        let card = &self.cards.list[index];
        let (item, id, wire) = (card.item, card.id, card.wire);
        let title = seen.title.or(seen.name).unwrap_or(self.names.text(id));
        let call = ToolCall {
            tool_call_id: self.names.text(id),
            title,
            tool_name: seen.name,
            kind: seen.kind.unwrap_or(ToolKind::Other),
            status: card.status,
            raw_input: seen.input,
            content: seen.content.clone(),
            locations: seen.locations.clone(),
            inferred: false,
            wire_tool_call_id: if wire == id { None } else { self.names.get(wire) },
        };
        let parent = parent.map(|parent| self.names.text(parent));
        self.out.emit(context, parent, Some(item), &call.into());
    }

    /// The call of a card that is known already: what it adds.
    fn fill_from_call(&mut self, context: &Context<'_>, index: usize, seen: &ToolSeen<'_>, name: Name) {
        let own = self.lanes.of(&mut self.names, context);
        let lane = self.cards.list[index].lane;
        self.cards.list[index].is_shared |= self.lanes.name(own).1 != self.lanes.name(lane).1;
        self.register_index(context, lane, seen.index, index);
        let worker = self.names.optional(seen.lane);
        let held = self.must_wait(index, seen.status);
        let card = &mut self.cards.list[index];
        card.called = true;
        card.worker = card.worker.or(worker);
        let mut update = ToolCallUpdate::default();
        card.take_title(&mut update, Rank::Call, seen.title.or(seen.name), seen.name);
        if let Some(kind) = seen.kind {
            update.kind = card.kind.take(Rank::Call, kind as u64).then_some(kind);
        }
        if name.is_some() && !card.name.is_some() {
            card.name = name;
            update.tool_name = seen.name;
        }
        update.raw_input = card.input.take_json(Rank::Call, seen.input);
        if let Some(content) = &seen.content {
            let new = card.input_side.take(Rank::Call, content_mark(content));
            update.input_content = new.then(|| content.clone());
        }
        if let Some(locations) = &seen.locations {
            let new = card.locations.take(Rank::Call, locations_mark(locations));
            update.locations = new.then(|| locations.clone());
        }
        if let Some(status) = seen.status.filter(|_| !held) {
            update.status = card.take_status(status, false).then_some(status);
        }
        self.register_open(index);
        self.send_card(context, index, update);
        if held {
            self.hold_in_progress(context, index);
        }
    }

    /// Whether this status has to wait until somebody answered.
    fn must_wait(&self, index: usize, status: Option<ToolStatus>) -> bool {
        status == Some(ToolStatus::InProgress)
            && !self.cards.list[index].is_final()
            && self.needs_approval(index)
    }

    /// Progress or result.
    pub(super) fn tool_changed(&mut self, context: &Context<'_>, changed: &ToolChanged<'_>) {
        let lane = self.lanes.of(&mut self.names, context);
        let name = self.names.optional(changed.name);
        let found = self.card_of_change(context, lane, changed.call);
        let is_final = matches!(changed.status, Some(ToolStatus::Completed | ToolStatus::Failed));
        let index = match found.index {
            Some(index) => index,
            None => self.inferred_card(context, lane, changed, name),
        };
        let rank = if is_final { Rank::Result } else { Rank::Update };
        let held = self.must_wait(index, changed.status);
        let card = &mut self.cards.list[index];
        let mut update = ToolCallUpdate::default();
        card.take_title(&mut update, Rank::Update, changed.title, changed.name.or(self.names.get(card.name)));
        if let Some(kind) = changed.kind {
            update.kind = card.kind.take(Rank::Update, kind as u64).then_some(kind);
        }
        if name.is_some() && !card.name.is_some() {
            card.name = name;
            update.tool_name = changed.name;
        }
        update.raw_input = card.input.take_json(Rank::Update, changed.input);
        if let Some(content) = &changed.content {
            update.content = card.result_side.take(rank, content_mark(content)).then(|| content.clone());
        }
        if let Some(content) = changed.input_content.as_ref().filter(|_| !card.input_side.is_known()) {
            card.input_side.take(Rank::Call, content_mark(content));
            update.input_content = Some(content.clone());
        }
        if let Some(locations) = &changed.locations {
            let new = card.locations.take(Rank::Update, locations_mark(locations));
            update.locations = new.then(|| locations.clone());
        }
        update.raw_output = card.output.take_json(rank, changed.output);
        if let Some(status) = changed.status.filter(|_| !held) {
            update.status = card.take_status(status, false).then_some(status);
        }
        let extra = found.by_name.then(|| extra_with(context.extra, "\"matchedBy\":\"name\""));
        let context = Context { extra: extra.as_deref().map(Json).or(context.extra), ..*context };
        self.send_card(&context, index, update);
        if held {
            self.hold_in_progress(&context, index);
        }
    }

    /// A card of which only something was seen.
    fn inferred_card(
        &mut self,
        context: &Context<'_>,
        lane: LaneId,
        changed: &ToolChanged<'_>,
        name: Name,
    ) -> usize {
        let index = self.new_card(context, lane, changed.call, name);
        let worker = match changed.call {
            crate::dialect::CallRef::Match { lane, .. } => self.names.optional(lane),
            _ => Name::NONE,
        };
        let card = &mut self.cards.list[index];
        card.worker = worker;
        if let Some(title) = changed.title {
            card.title = Known { rank: Rank::Update, mark: mark(title) };
            card.title_is_name = Some(title) == changed.name;
        }
        if let Some(kind) = changed.kind {
            card.kind = Known { rank: Rank::Update, mark: kind as u64 };
        }
        self.register_open(index);
        self.send_inferred_call(context, index, changed.title, changed.kind, changed.input);
        index
    }

    /// Sends the `tool_call` of a card whose call was not seen.
    pub(super) fn send_inferred_call(
        &mut self,
        context: &Context<'_>,
        index: usize,
        title: Option<&str>,
        kind: Option<ToolKind>,
        input: Option<Json<'_>>,
    ) {
        if let Some(Json(raw)) = input {
            self.cards.list[index].input = Known { rank: Rank::Call, mark: mark(raw) };
        }
        let parent = self.parent(context);
        let card = &self.cards.list[index];
        let name = self.names.get(card.name);
        let call = ToolCall {
            tool_call_id: self.names.text(card.id),
            title: title.or(name).unwrap_or(self.names.text(card.id)),
            tool_name: name,
            kind: kind.unwrap_or(ToolKind::Other),
            status: ToolStatus::Pending,
            raw_input: input,
            content: None,
            locations: None,
            inferred: true,
            wire_tool_call_id: if card.wire == card.id { None } else { self.names.get(card.wire) },
        };
        let parent = parent.map(|parent| self.names.text(parent));
        self.out.emit(context, parent, Some(card.item), &call.into());
    }

    pub(super) fn input_delta(
        &mut self,
        context: &Context<'_>,
        call: crate::dialect::CallRef<'_>,
        piece: Text<'_>,
    ) {
        if let Some((index, text, is_known)) = self.delta(context, call, piece, true) {
            let update = ToolCallUpdate { input_delta: Some(&text), ..ToolCallUpdate::default() };
            self.send_card(context, index, update);
            self.grown = is_known.then_some(Target::Card(index));
        }
    }

    pub(super) fn output_delta(
        &mut self,
        context: &Context<'_>,
        call: crate::dialect::CallRef<'_>,
        piece: Text<'_>,
        stream: Option<OutputStream>,
    ) {
        if let Some((index, text, _)) = self.delta(context, call, piece, false) {
            self.call_prints(context, index);
            let delta = OutputDelta { text: &text, stream };
            self.send_card(
                context,
                index,
                ToolCallUpdate { output_delta: Some(delta), ..ToolCallUpdate::default() },
            );
        }
    }

    /// Finds the card of a delta, tells whether there was one (a call without identity makes one each time), and completes
    /// halves of surrogate pairs.
    fn delta<'a>(
        &mut self,
        context: &Context<'_>,
        call: crate::dialect::CallRef<'_>,
        piece: Text<'a>,
        is_input: bool,
    ) -> Option<(usize, Cow<'a, str>, bool)> {
        let lane = self.lanes.of(&mut self.names, context);
        if piece.is_empty() {
            return None;
        }
        let known = self.card_of_change(context, lane, call).index;
        let index =
            known.unwrap_or_else(|| self.inferred_card(context, lane, &ToolChanged::about(call), Name::NONE));
        let card = &mut self.cards.list[index];
        let held = if is_input { &mut card.input_high } else { &mut card.output_high };
        let joined = super::text::join(held.take(), piece);
        *held = joined.held;
        if joined.lone {
            self.remark("text.lone-surrogate", Severity::Warn, "half a surrogate pair became U+FFFD");
        }
        (!joined.text.is_empty()).then_some((index, joined.text, known.is_some()))
    }

    /// Half pairs at the end of the stream.
    pub(super) fn flush_card_halves(&mut self) {
        for index in 0..self.cards.list.len() {
            let card = &mut self.cards.list[index];
            let (input, output) = (card.input_high.take(), card.output_high.take());
            if input.is_none() && output.is_none() {
                continue;
            }
            let update = ToolCallUpdate {
                input_delta: input.map(|_| "\u{fffd}"),
                output_delta: output.map(|_| OutputDelta { text: "\u{fffd}", stream: None }),
                ..ToolCallUpdate::default()
            };
            self.remark("text.lone-surrogate", Severity::Warn, "half a surrogate pair became U+FFFD");
            self.send_card(&Context::default(), index, update);
        }
    }

    /// The call will never run.
    pub(super) fn not_run(
        &mut self,
        context: &Context<'_>,
        call: crate::dialect::CallRef<'_>,
        why: Option<&str>,
    ) {
        let lane = self.lanes.of(&mut self.names, context);
        let Some(index) = self.card_of_change(context, lane, call).index else {
            return self.ignored("call-unknown");
        };
        let card = &mut self.cards.list[index];
        if !card.take_status(ToolStatus::Failed, true) {
            return;
        }
        let content = why
            .filter(|_| !card.result_side.is_known())
            .map(|text| List::Owned(vec![ToolContent::Content { content: ContentBlock::Text { text } }]));
        let update =
            ToolCallUpdate { status: Some(ToolStatus::Failed), content, ..ToolCallUpdate::default() };
        self.send_card(context, index, update);
    }

    /// Sends an update of a card, if it says anything.
    pub(super) fn send_card(&mut self, context: &Context<'_>, index: usize, update: ToolCallUpdate<'_>) {
        if update == ToolCallUpdate::default() {
            return;
        }
        let parent = self.parent(context);
        let card = &self.cards.list[index];
        let inferred = update.status.is_some() && card.status_inferred;
        let update = ToolCallUpdate { tool_call_id: self.names.text(card.id), inferred, ..update };
        let parent = parent.map(|parent| self.names.text(parent));
        self.out.emit(context, parent, Some(card.item), &update.into());
        // Only a final status tells whether the call was allowed: some agents say `in_progress` with the request.
        if self.cards.list[index].is_final() {
            self.close_asks_of(context, index);
        }
    }
}

/// `extra` with one member before the wire's own.
pub(super) fn extra_with(extra: Option<Json<'_>>, member: &str) -> String {
    match extra.and_then(|Json(raw)| raw.strip_prefix('{')) {
        Some(rest) if rest.trim_start() != "}" => format!("{{{member},{rest}"),
        _ => format!("{{{member}}}"),
    }
}
