//! Text parts: which item a piece belongs to, what of a whole text is still missing, and halves of surrogate pairs.
//!
//! Keeps N4 without keeping texts: per part the length and a running hash of what was sent.

use std::borrow::Cow;

use super::NormalForm;
use super::growth::Target;
use super::history::shown_mark;
use super::lanes::LaneId;
use super::names::{Name, Running, mark};
use crate::dialect::{Context, PartKind, PartRef};
use crate::event::{
    AgentMessageChunk, AgentThoughtChunk, ContentBlock, MessageEnd, Role, Update, UserMessageChunk,
};
use crate::framing::Severity;
use crate::json::Text;

/// Longest text an error is compared with.
const RECENT_TEXT: usize = 4096;

/// A decoded half pair as it stands for a piece: the text to send, and what stays held.
pub(super) struct Joined<'a> {
    pub text: Cow<'a, str>,
    pub held: Option<u16>,
    pub lone: bool,
}

/// Puts a piece behind a held half.
pub(super) fn join<'a>(held: Option<u16>, piece: Text<'a>) -> Joined<'a> {
    let mut lone = piece.replaced;
    let mut front = String::new();
    match (held, piece.leading_low) {
        (Some(high), Some(low)) => {
            front.extend(
                char::decode_utf16([high, low]).map(|unit| unit.unwrap_or(char::REPLACEMENT_CHARACTER)),
            );
        }
        (None, None) => {}
        // A piece that holds nothing leaves the half waiting.
        (Some(high), None) if piece.text.is_empty() && piece.trailing_high.is_none() => {
            return Joined { text: piece.text, held: Some(high), lone };
        }
        _ => {
            front.push(char::REPLACEMENT_CHARACTER);
            lone = true;
        }
    }
    let text = if front.is_empty() { piece.text } else { Cow::Owned(front + &piece.text) };
    Joined { text, held: piece.trailing_high, lone }
}

impl NormalForm {
    pub(super) fn part_open(&mut self, context: &Context<'_>, part: PartRef<'_>, kind: PartKind) {
        let lane = self.lanes.of(&mut self.names, context);
        self.part_for(context, lane, part, kind);
    }

    pub(super) fn part_delta(
        &mut self,
        context: &Context<'_>,
        part: PartRef<'_>,
        kind: PartKind,
        piece: Text<'_>,
    ) {
        let lane = self.lanes.of(&mut self.names, context);
        if part == PartRef::Run && piece.is_empty() && !self.runs_on(context, lane, kind) {
            return;
        }
        if kind == PartKind::User && self.is_prompt_echo(&piece) {
            return;
        }
        let index = self.part_for(context, lane, part, kind);
        if self.history.is_open && self.parts.list[index].ended {
            return self.ignored("listed-again");
        }
        let index = self.reopened(context, lane, part, index);
        self.append(context, index, piece);
    }

    pub(super) fn part_so_far(
        &mut self,
        context: &Context<'_>,
        part: PartRef<'_>,
        kind: PartKind,
        so_far: Text<'_>,
    ) {
        let lane = self.lanes.of(&mut self.names, context);
        let mut index = self.part_for(context, lane, part, kind);
        let held = so_far.trailing_high;
        let text = settled(so_far);
        if self.parts.list[index].ended {
            match self.part_after_end(context, lane, part, index, &text) {
                Some(next) => index = next,
                None => return self.ignored("repeated-text"),
            }
        }
        let state = &mut self.parts.list[index];
        match state.sent.rest_of(&text) {
            Some(rest) => {
                state.replacement = None;
                state.high = held;
                self.send_text(context, index, rest);
            }
            None => {
                state.replacement = Some(text.into_owned());
                self.remark(
                    "normalize.text-contradicted",
                    Severity::Warn,
                    "a snapshot does not begin with the text before it",
                );
            }
        }
    }

    pub(super) fn part_whole(
        &mut self,
        context: &Context<'_>,
        part: PartRef<'_>,
        kind: PartKind,
        whole: Text<'_>,
    ) {
        let lane = self.lanes.of(&mut self.names, context);
        if self.history.is_open {
            let text = settled(whole.clone());
            if self.told_in_list(lane, part, kind, &text) {
                return self.ignored("listed-again");
            }
            if let Some(index) = self.listed_part(context, lane, part, kind, &text) {
                if self.rest_of_part(index, &text) == Some("") {
                    return self.ignored("listed-again");
                }
                return self.take_whole(context, index, &text);
            }
        }
        if kind == PartKind::User && self.is_prompt_echo(&whole) {
            return;
        }
        let text = whole.into_cow();
        let mut index = self.part_for(context, lane, part, kind);
        if self.parts.list[index].whole {
            if self.parts.list[index].whole_mark == mark(&text) {
                return;
            }
            index = self.new_part(context, lane, part, kind);
        }
        self.take_whole(context, index, &text);
    }

    /// The whole text of a part: what is missing of it leaves, and the part ends.
    fn take_whole(&mut self, context: &Context<'_>, index: usize, text: &str) {
        let state = &mut self.parts.list[index];
        state.whole = true;
        state.whole_mark = mark(text);
        state.high = None;
        state.replacement = None;
        // A part that was closed before it had any text is no item yet: it can still begin.
        state.ended &= state.item.is_some();
        let was_ended = state.ended;
        match state.sent.rest_of(text) {
            Some("") => self.end_part(context, index, None, false, None),
            Some(rest) if !was_ended => {
                self.send_text(context, index, rest);
                self.end_sent_part(index);
            }
            _ => {
                self.remark(
                    "normalize.text-contradicted",
                    Severity::Warn,
                    "the whole text of a part differs from its pieces",
                );
                self.parts.list[index].ended = false;
                self.end_part(context, index, None, false, Some(text));
            }
        }
        let part = &self.parts.list[index];
        let key = (part.lane, part.message, part.kind);
        if let Some(waiting) = self.parts.unclaimed.get_mut(&key) {
            if let Ok(at) = waiting.binary_search(&index) {
                waiting.remove(at);
            }
            if waiting.is_empty() {
                self.parts.unclaimed.remove(&key);
            }
        }
    }

    /// A block that is not text.
    pub(super) fn part_block(&mut self, context: &Context<'_>, kind: PartKind, block: ContentBlock<'_>) {
        if matches!(block, ContentBlock::Text { text: "" }) {
            return self.ignored("empty-text");
        }
        let lane = self.lanes.of(&mut self.names, context);
        let mut words = String::new();
        block.write_json(&mut words);
        if self.shown_before(lane, shown_mark(role(kind).as_str(), &words)) {
            return self.ignored("listed-again");
        }
        let item = self.visible_item(context, lane);
        if kind != PartKind::User {
            self.prompt_answered();
        }
        self.turn_goes_on();
        self.emit(context, Some(item), &chunk(kind, block));
    }

    pub(super) fn part_closed(
        &mut self,
        context: &Context<'_>,
        part: PartRef<'_>,
        stop: Option<&str>,
        aborted: bool,
    ) {
        let lane = self.lanes.of(&mut self.names, context);
        if let Some(index) = self.find_part(context, lane, part, None) {
            self.end_part(context, index, stop, aborted, None);
            self.late_stop_reason(context, index, stop);
        }
    }

    pub(super) fn message_end(&mut self, context: &Context<'_>, stop: Option<&str>, aborted: bool) {
        let lane = self.lanes.of(&mut self.names, context);
        let message = self.names.message(context);
        let first = (lane, message, 0);
        let end = if message.is_some() { (lane, message.next(), 0) } else { (lane + 1, Name::NONE, 0) };
        let mut open: Vec<usize> = self.parts.open.range(first..end).map(|(.., index)| *index).collect();
        open.sort_unstable();
        for index in open {
            self.end_part(context, index, stop, aborted, None);
        }
        let run = self.lanes.get(lane).run_part;
        if let Some(index) = run.filter(|index| self.parts.list[*index].message == message) {
            self.end_part(context, index, stop, aborted, None);
        }
        let last = self.parts_of_message(lane, message).find(|(_, part)| part.item.is_some());
        if let Some((last, _)) = last {
            self.late_stop_reason(context, last, stop);
        }
    }

    /// Why the model stopped is often told only after the whole text: it still reaches the part that was last.
    fn late_stop_reason(&mut self, context: &Context<'_>, index: usize, stop: Option<&str>) {
        let part = &mut self.parts.list[index];
        let Some(item) = part.item.filter(|_| stop.is_some() && part.ended && !part.has_stop_reason) else {
            return;
        };
        part.has_stop_reason = true;
        let role = role(part.kind);
        self.emit(
            context,
            Some(item),
            &MessageEnd { role, content: None, stop_reason: stop, aborted: false }.into(),
        );
    }

    /// The run or turn is over: what the wire left open was cut.
    pub(super) fn end_open_parts(&mut self, context: &Context<'_>) {
        let session = self.names.session(context);
        let lanes = &self.lanes;
        // Agents in the background write on.
        let of_turn =
            |lane: LaneId| lanes.is_main(lane) && (!session.is_some() || lanes.name(lane).0 == session);
        let open = self.parts.open.iter().filter(|(lane, ..)| of_turn(*lane));
        let mut open: Vec<usize> = open.map(|(.., index)| *index).collect();
        open.sort_unstable();
        for index in open {
            self.end_part(context, index, None, true, None);
        }
        self.lanes.break_runs(session, true);
    }

    /// The run's final text told again.
    pub(super) fn answer(&mut self, context: &Context<'_>, text: Text<'_>) {
        let text = text.into_cow();
        if text.is_empty() {
            return;
        }
        if self.runs.error_echo == Some(mark(text.trim())) {
            return self.ignored("answer-repeats-error");
        }
        let records = &self.records;
        while self.runs.printed.pop_if(|item| records.is_withdrawn(*item)).is_some() {}
        if self.runs.printed.is_empty() {
            self.part_whole(context, PartRef::New, PartKind::Agent, Text::plain(&text));
        } else if self.out.from_record == 0 {
            self.ignored("answer-repeats-text");
        }
        self.runs.answer = Some(text.into_owned());
    }

    pub(super) fn prompt(&mut self, context: &Context<'_>, text: Text<'_>) {
        let text = text.into_cow();
        self.part_whole(context, PartRef::New, PartKind::User, Text::plain(&text));
        self.parts.prompt = Some(mark(text.trim()));
    }

    /// Halves that nothing completed leave as replacement characters.
    pub(super) fn flush_halves(&mut self) {
        for index in 0..self.parts.list.len() {
            if !self.parts.list[index].ended && self.parts.list[index].high.is_some() {
                self.release_half(&Context::default(), index);
            }
        }
    }

    /// The agent did something: a prompt that comes again is no echo any more.
    pub(super) fn prompt_answered(&mut self) {
        self.parts.prompt = None;
    }

    fn is_prompt_echo(&mut self, piece: &Text<'_>) -> bool {
        let Some(prompt) = self.parts.prompt else { return false };
        if piece.is_empty() {
            return false;
        }
        let same = prompt == mark(piece.text.trim());
        self.parts.prompt = None;
        if same {
            self.ignored("prompt-echo");
        }
        same
    }

    fn append(&mut self, context: &Context<'_>, index: usize, piece: Text<'_>) {
        let part = &mut self.parts.list[index];
        let joined = join(part.high.take(), piece);
        part.high = joined.held;
        if let Some(replacement) = &mut part.replacement {
            replacement.push_str(&joined.text);
        }
        if joined.lone {
            self.remark("text.lone-surrogate", Severity::Warn, "half a surrogate pair became U+FFFD");
        }
        self.send_text(context, index, &joined.text);
    }

    pub(super) fn release_half(&mut self, context: &Context<'_>, index: usize) {
        if self.parts.list[index].high.take().is_some() {
            self.remark("text.lone-surrogate", Severity::Warn, "half a surrogate pair became U+FFFD");
            self.send_text(context, index, "\u{fffd}");
        }
    }

    fn send_text(&mut self, context: &Context<'_>, index: usize, text: &str) {
        if text.is_empty() {
            return;
        }
        let part = &self.parts.list[index];
        let (lane, kind) = (part.lane, part.kind);
        let item = match part.item {
            Some(item) => item,
            None => {
                let item = self.visible_item(context, lane);
                self.parts.list[index].item = Some(item);
                self.started_text(lane, kind, item);
                item
            }
        };
        self.parts.list[index].sent.add(text);
        self.remember_recent(lane, item, text);
        self.emit(context, Some(item), &chunk(kind, ContentBlock::Text { text }));
        self.grown = Some(Target::Part(index));
    }

    fn started_text(&mut self, lane: LaneId, kind: PartKind, item: u32) {
        if kind != PartKind::User {
            self.parts.prompt = None;
        }
        self.turn_goes_on();
        let is_main = self.lanes.is_main(lane);
        let lane = self.lanes.get(lane);
        lane.recent_text.clear();
        lane.recent_item = (kind == PartKind::Agent).then_some(item);
        if kind == PartKind::Agent && is_main {
            self.runs.printed.push(item);
        }
    }

    #[inline(always)]
    pub(super) fn remember_recent(&mut self, lane: LaneId, item: u32, text: &str) {
        let lane = self.lanes.get(lane);
        if lane.recent_item == Some(item) {
            if lane.recent_text.len() + text.len() > RECENT_TEXT {
                lane.recent_item = None;
            } else {
                lane.recent_text.push_str(text);
            }
        }
    }

    fn end_part(
        &mut self,
        context: &Context<'_>,
        index: usize,
        stop: Option<&str>,
        aborted: bool,
        content: Option<&str>,
    ) {
        if self.parts.list[index].ended {
            return;
        }
        self.release_half(context, index);
        let replacement = self.parts.list[index].replacement.take();
        self.close_part(index, stop);
        let part = &self.parts.list[index];
        let kind = part.kind;
        let content = content.or(replacement.as_deref());
        let Some(item) = part.item else { return };
        if let Some(content) = content {
            // From here this is the text of the part.
            self.parts.list[index].sent = Running::of(content);
        }
        let role = role(kind);
        self.emit(context, Some(item), &MessageEnd { role, content, stop_reason: stop, aborted }.into());
    }
}

impl NormalForm {
    /// Ends the part whose whole text the last event told.
    fn end_sent_part(&mut self, index: usize) {
        self.close_part(index, None);
        let role = role(self.parts.list[index].kind);
        self.out.emit_beside(&MessageEnd { role, content: None, stop_reason: None, aborted: false }.into());
    }

    fn close_part(&mut self, index: usize, stop: Option<&str>) {
        let part = &mut self.parts.list[index];
        part.ended = true;
        part.has_stop_reason |= stop.is_some();
        self.parts.open.remove(&(part.lane, part.message, index));
        let lane = self.lanes.get(part.lane);
        if lane.run_part == Some(index) {
            lane.run_part = None;
        }
    }
}

/// A whole snapshot without the half at its end.
fn settled(text: Text<'_>) -> Cow<'_, str> {
    Text { trailing_high: None, ..text }.into_cow()
}

fn role(kind: PartKind) -> Role {
    match kind {
        PartKind::Agent => Role::Agent,
        PartKind::Thought => Role::Thought,
        PartKind::User => Role::User,
    }
}

fn chunk<'a>(kind: PartKind, content: ContentBlock<'a>) -> Update<'a> {
    match kind {
        PartKind::Agent => AgentMessageChunk { content }.into(),
        PartKind::Thought => AgentThoughtChunk { content }.into(),
        PartKind::User => UserMessageChunk { content }.into(),
    }
}
