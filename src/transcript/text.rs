//! Growing text with a limit.

use super::Counters;
use super::kept::Kept;
use crate::event::OutputStream;

/// Text that only grows, up to a limit; what does not fit is counted, not kept.
#[derive(Clone, Debug, Default)]
pub(super) struct Growing {
    text: String,
    replaced: u32,
}

/// How much text fits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Room {
    /// Bytes of this one text.
    pub text: usize,
    /// Bytes that the whole transcript may still take.
    pub total: usize,
}

impl Growing {
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// How often the text was replaced. While it stays the same the text has only grown.
    pub fn replaced(&self) -> u32 {
        self.replaced
    }

    /// Appends what fits, whole characters only. Tells whether all of it did.
    pub fn append(&mut self, more: &str, room: Room, counters: &mut Counters) -> bool {
        let fits = room.total.min(room.text.saturating_sub(self.text.len()));
        let kept = more.get(..more.floor_char_boundary(fits)).unwrap_or("");
        self.text.push_str(kept);
        counters.kept_bytes += kept.len() as u64;
        counters.dropped_bytes += (more.len() - kept.len()) as u64;
        kept.len() == more.len()
    }

    /// Replaces the text by one that fits, or by its beginning.
    pub fn replace(&mut self, text: &str, room: Room, counters: &mut Counters) -> bool {
        counters.kept_bytes = counters.kept_bytes.saturating_sub(self.text.len() as u64);
        let total = room.total.saturating_add(self.text.len());
        self.text.clear();
        self.replaced = self.replaced.wrapping_add(1);
        self.append(text, Room { total, ..room }, counters)
    }
}

/// What a tool printed, and on which stream.
#[derive(Clone, Debug, Default)]
pub(super) struct Output {
    pub text: Growing,
    /// Stream and end of each stretch of text on one stream, in bytes.
    runs: Vec<(Option<OutputStream>, usize)>,
}

impl Output {
    pub fn append(
        &mut self,
        more: &str,
        stream: Option<OutputStream>,
        room: Room,
        counters: &mut Counters,
    ) -> bool {
        let whole = self.text.append(more, room, counters);
        let end = self.text.as_str().len();
        let before = self.runs.last().map_or(0, |(_, end)| *end);
        match self.runs.last_mut() {
            Some((last, last_end)) if *last == stream => *last_end = end,
            _ if before < end => self.runs.push((stream, end)),
            _ => {}
        }
        whole
    }

    /// Whether the wire told the stream of any of it.
    pub fn names_streams(&self) -> bool {
        self.runs.iter().any(|(stream, _)| stream.is_some())
    }

    pub fn runs(&self) -> impl Iterator<Item = (Option<OutputStream>, &str)> {
        let starts = std::iter::once(0).chain(self.runs.iter().map(|(_, end)| *end));
        starts
            .zip(&self.runs)
            .map(|(start, (stream, end))| (*stream, self.text.as_str().get(start..*end).unwrap_or("")))
    }
}

impl Room {
    /// Whether more of a text fits as a whole.
    pub fn fits(self, text: &Growing, more: &str) -> bool {
        more.len() <= self.total.min(self.text.saturating_sub(text.text.len()))
    }

    /// Keeps a text whole, or counts it as dropped: half of a JSON text is worth nothing.
    pub fn keep(self, text: &str, counters: &mut Counters) -> Option<Box<str>> {
        if text.len() <= self.text.min(self.total) {
            counters.kept_bytes += text.len() as u64;
            Some(Box::from(text))
        } else {
            counters.dropped_bytes += text.len() as u64;
            None
        }
    }

    /// The same for an update, measured by the text inside.
    pub fn keep_update(self, kept: Kept, counters: &mut Counters) -> Option<Kept> {
        if kept.size() <= self.text.min(self.total) {
            counters.kept_bytes += kept.size() as u64;
            Some(kept)
        } else {
            counters.dropped_bytes += kept.size() as u64;
            None
        }
    }
}
