//! A packed batch of events: the form in which they cross to JavaScript and in which they wait to be read.
//!
//! Words and one text. Every string is one word, its index in the string table plus one (0: absent); the table's
//! strings stand one after the other in the text, so their ends tell all. A record is
//!
//! ```text
//! words of the record, tag, offset lo, offset hi, length lo, length hi, line, input, envelope, fields of the update
//! ```
//!
//! with, in the table's order: text and json one word; number two words of f64 bits, low word first (NaN: absent); flag
//! one word; enum one word, index plus one (0: absent); list its count plus one (0: absent), then the entries; union
//! its tag plus one (0: absent), then the fields; optional struct 0 or 1, then the fields; required struct its fields;
//! `item` its number plus one (0: absent). The high bit of the first word: the record differs from the one before it
//! only in source, timestamp and text (`growth.rs`). Knows the layout, not what any field means.

mod loose;
mod packed;

pub(crate) use packed::{Packed, Packer};

use super::generated::{ENVELOPE_WORDS, Envelope, HEAD_WORDS, REPEATED_SLOT, SLOTS, TIMESTAMP_SLOT, Update};
use super::growth::GrowthRun;
use super::head::Head;
use super::units::utf16_units;
use super::{Json, List, UiEvent, repair};
use crate::framing::Source;
use crate::json::same;

/// Events in packed form, numbered from the `seq` that [`Batch::clear`] was given.
///
/// Keeps its buffers: once they have grown to the size of the usual batch nothing is allocated any more. Holds up to
/// 4 GiB of text; a string beyond that is stored empty.
#[derive(Clone, Debug, Default)]
pub struct Batch {
    pub(super) words: Vec<u32>,
    text: String,
    /// End of each string in `text`, in bytes.
    ends: Vec<u32>,
    /// The same in UTF-16 units.
    ends16: Vec<u32>,
    /// First word of each event.
    pub(super) starts: Vec<u32>,
    first_seq: u64,
    /// UTF-16 units of `text`.
    units: u32,
    /// The string that each repeating slot held last; 0: none yet.
    last: [u32; SLOTS],
    /// Strings that stayed from the batch before.
    front: usize,
    /// Where the front is put together.
    spare: String,
    generation: u32,
    strict: Strict,
    /// Nobody asks for UTF-16 units.
    bytes_only: bool,
    /// The last event of the batch before, if it only added to a text.
    pub(super) tail: Option<GrowthRun>,
}

/// More than this is not kept from batch to batch: an `extra` can be of any size.
const FRONT_BYTES: usize = 2048;

/// Strings by word.
#[derive(Clone, Copy)]
pub(super) struct Strings<'a> {
    text: &'a str,
    ends: &'a [u32],
}

impl<'a> Strings<'a> {
    /// The string behind a word that is not 0.
    pub(super) fn get(self, word: u32) -> &'a str {
        self.between(word, word)
    }

    /// The strings of these words, which follow each other, as one.
    #[inline(always)]
    pub(super) fn between(self, first: u32, last: u32) -> &'a str {
        let end = self.ends.get((last as usize).wrapping_sub(1)).copied().unwrap_or(0);
        let start = self.ends.get((first as usize).wrapping_sub(2)).copied().unwrap_or(0);
        self.text.get(start as usize..end as usize).unwrap_or("")
    }
}

/// Where JSON is known to be strict, by address: looking through it for halves of surrogate pairs took a twentieth of an
/// agent trace.
#[derive(Clone, Copy, Debug, Default)]
struct Strict {
    start: usize,
    length: usize,
}

impl Strict {
    const EVERYWHERE: Strict = Strict { start: 0, length: usize::MAX };

    fn holds(self, text: &str) -> bool {
        let offset = (text.as_ptr() as usize).wrapping_sub(self.start);
        self.length.checked_sub(text.len()).is_some_and(|last| offset <= last)
    }
}

/// How an interned string is stored.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Interned {
    Text,
    Json,
}

impl Batch {
    /// An empty batch whose first event is number 0.
    pub fn new() -> Self {
        Self::default()
    }

    /// Drops the events and keeps the buffers. The next event pushed is number `next_seq`.
    ///
    /// What events repeat (session, model, message, ...) stays at the front of the table, so that a push of one token stores
    /// and sends the token alone.
    pub fn clear(&mut self, next_seq: u64) {
        if !self.starts.is_empty() {
            self.tail = self.last_growth();
        }
        let is_kept = |(slot, word): (usize, &u32)| slot == TIMESTAMP_SLOT || *word as usize <= self.front;
        if self.last.iter().enumerate().all(is_kept) {
            self.last[TIMESTAMP_SLOT] = 0;
        } else {
            self.renew_front();
        }
        let end = self.front_end();
        self.text.truncate(end);
        self.ends.truncate(self.front);
        self.ends16.truncate(self.front);
        self.units = self.ends16.last().copied().unwrap_or(0);
        if let Some(tail) = &mut self.tail {
            tail.renew(&self.last);
        }
        self.words.clear();
        self.starts.clear();
        self.first_seq = next_seq;
    }

    /// Brings what the slots held last to the front. Where each push is another message this runs at each: allocating cost
    /// 3 % of an agent trace in Chromium.
    fn renew_front(&mut self) {
        let words = std::mem::replace(&mut self.last, [0; SLOTS]);
        let lengths = words.map(|word| self.strings().get(word).len());
        let fits = lengths.iter().sum::<usize>() - lengths[TIMESTAMP_SLOT] <= FRONT_BYTES;
        let mut kept = std::mem::take(&mut self.spare);
        kept.clear();
        self.units = 0;
        self.front = 0;
        self.generation = self.generation.wrapping_add(1);
        let mut ends = [(0, 0); SLOTS];
        for (slot, word) in words.into_iter().enumerate() {
            if fits && word != 0 && slot != TIMESTAMP_SLOT {
                kept.push_str(self.strings().get(word));
                self.units += self.units_of(word);
                ends[self.front] = (kept.len() as u32, self.units);
                self.front += 1;
                self.last[slot] = self.front as u32;
            }
        }
        self.text.clear();
        self.text.push_str(&kept);
        self.spare = kept;
        self.ends.clear();
        self.ends16.clear();
        for (end, end16) in ends.into_iter().take(self.front) {
            self.ends.push(end);
            if !self.bytes_only {
                self.ends16.push(end16);
            }
        }
        if !fits {
            self.tail = None;
        }
    }

    /// Length of the string behind a word that is not 0, in UTF-16 units.
    fn units_of(&self, word: u32) -> u32 {
        let end = |before| (word as usize).checked_sub(before).and_then(|at| self.ends16.get(at)).copied();
        end(1).unwrap_or(0) - end(2).unwrap_or(0)
    }

    fn front_end(&self) -> usize {
        self.front.checked_sub(1).and_then(|last| self.ends.get(last)).map_or(0, |end| *end as usize)
    }

    /// How many strings at the front of the table are those of the batch before, their bytes, and a number that changes
    /// with them.
    pub fn front(&self) -> (usize, usize, u32) {
        (self.front, self.front_end(), self.generation)
    }

    /// Appends an event and tells its `seq`. A line number beyond `u32` is stored as `u32::MAX`.
    pub fn push(&mut self, envelope: &Envelope<'_>, source: Source, update: &Update<'_>) -> u64 {
        let seq = self.next_seq();
        // One array, so that there is one look whether it fits.
        let mut head = [0; HEAD_WORDS + ENVELOPE_WORDS];
        head[2..HEAD_WORDS].copy_from_slice(&source_words(source));
        head[HEAD_WORDS..].copy_from_slice(&envelope.pack(self));
        self.push_packed(head, update);
        seq
    }

    /// Appends an event of the same record with the same envelope as the last one. Costs a third of [`Batch::push`].
    pub(crate) fn push_beside(&mut self, update: &Update<'_>) {
        let last = self.starts.last().and_then(|start| self.words.get(*start as usize..)?.first_chunk());
        let Some(head): Option<&[u32; HEAD_WORDS + ENVELOPE_WORDS]> = last else { return };
        self.push_packed(*head, update);
    }

    fn push_packed(&mut self, mut head: [u32; HEAD_WORDS + ENVELOPE_WORDS], update: &Update<'_>) {
        let start = self.words.len();
        self.starts.push(start as u32);
        head[1] = update.tag();
        self.words.extend_from_slice(&head);
        update.pack(self);
        self.close_record(start);
    }

    /// Puts the number of words in front of those from `start` on, that one included.
    fn close_record(&mut self, start: usize) {
        let count = self.words.len() - start;
        if let Some(first) = self.words.get_mut(start) {
            *first = count as u32;
        }
    }

    /// Number of events.
    pub fn len(&self) -> usize {
        self.starts.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.starts.is_empty()
    }

    /// `seq` of the first event.
    pub fn first_seq(&self) -> u64 {
        self.first_seq
    }

    /// `seq` of the event that would be pushed next.
    pub fn next_seq(&self) -> u64 {
        self.first_seq + self.starts.len() as u64
    }

    /// The event at a position of this batch, from 0.
    pub fn get(&self, position: usize) -> Option<UiEvent<'_>> {
        let start = *self.starts.get(position)? as usize;
        let mut reader = Reader { words: self.words.get(start..)?, strings: self.strings(), at: 1 };
        let tag = reader.word();
        let source = reader.source();
        let envelope = Envelope::unpack(&mut reader);
        let update = Update::unpack(tag, &mut reader)?;
        Some(UiEvent { seq: self.first_seq + position as u64, envelope, source, update })
    }

    /// The event at a position, of which only the update is unpacked, and that when asked for.
    pub(crate) fn head(&self, position: usize) -> Option<Head<'_>> {
        let start = *self.starts.get(position)? as usize;
        let (words, fields) = self.words.get(start..)?.split_first_chunk()?;
        Some(Head::new(words, fields, self.strings()))
    }

    /// The events in order.
    pub fn iter(&self) -> impl Iterator<Item = UiEvent<'_>> {
        (0..self.len()).filter_map(|position| self.get(position))
    }

    /// The packed records, one after the other.
    pub fn words(&self) -> &[u32] {
        &self.words
    }

    /// All strings, one after the other.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// End of each string in [`Batch::text`], in bytes.
    pub fn ends(&self) -> &[u32] {
        &self.ends
    }

    /// The same counted in UTF-16 units.
    pub fn ends16(&self) -> &[u32] {
        &self.ends16
    }

    #[inline]
    pub(crate) fn word(&mut self, word: u32) {
        self.words.push(word);
    }

    pub(super) fn count(&mut self, count: usize) {
        self.words.push(u32::try_from(count).unwrap_or(u32::MAX).saturating_add(1));
    }

    pub(super) fn number(&mut self, value: f64) {
        let bits = value.to_bits();
        self.words.extend_from_slice(&[bits as u32, (bits >> 32) as u32]);
    }

    pub(super) fn required_text(&mut self, text: &str) {
        let index = self.store(text);
        self.words.push(index);
    }

    pub(crate) fn optional_text(&mut self, text: Option<&str>) {
        let index = text.map_or(0, |text| self.store(text));
        self.words.push(index);
    }

    pub(super) fn repeated_text(&mut self, text: Option<&str>) {
        let index = self.interned(Interned::Text, REPEATED_SLOT, text);
        self.words.push(index);
    }

    pub(super) fn json(&mut self, json: Json<'_>) {
        let index = self.store_json(json.0);
        self.words.push(index);
    }

    fn store_json(&mut self, json: &str) -> u32 {
        if self.strict.holds(json) { self.store(json) } else { self.store(&repair(json)) }
    }

    /// From here to the next call JSON that lies in this text needs no repair.
    pub(crate) fn trust(&mut self, text: &str) {
        self.strict = Strict { start: text.as_ptr() as usize, length: text.len() };
    }

    pub(super) fn optional_json(&mut self, json: Option<Json<'_>>) {
        match json {
            None => self.words.push(0),
            Some(json) => self.json(json),
        }
    }

    /// The word of a string that is often the one its slot held last; then no second copy is stored.
    #[inline]
    pub(super) fn interned(&mut self, how: Interned, slot: usize, value: Option<&str>) -> u32 {
        value.map_or(0, |value| self.interned_text(how, slot, value))
    }

    #[inline(never)]
    fn interned_text(&mut self, how: Interned, slot: usize, value: &str) -> u32 {
        let last = self.last.get(slot).copied().unwrap_or(0);
        if last != 0 && same(self.strings().get(last), value) {
            return last;
        }
        let index = match how {
            Interned::Text => self.store(value),
            Interned::Json => self.store_json(value),
        };
        if let Some(last) = self.last.get_mut(slot) {
            *last = index;
        }
        index
    }

    pub(super) fn store(&mut self, value: &str) -> u32 {
        let room = (u32::MAX as usize).saturating_sub(self.text.len());
        let value = if value.len() <= room { value } else { "" };
        self.text.push_str(value);
        self.ends.push(self.text.len() as u32);
        if !self.bytes_only {
            self.units += utf16_units(value);
            self.ends16.push(self.units);
        }
        self.ends.len() as u32
    }

    pub(super) fn strings(&self) -> Strings<'_> {
        Strings { text: &self.text, ends: &self.ends }
    }
}

pub(super) fn source_words(source: Source) -> [u32; HEAD_WORDS - 2] {
    [
        source.offset as u32,
        (source.offset >> 32) as u32,
        source.length as u32,
        (source.length >> 32) as u32,
        u32::try_from(source.line).unwrap_or(u32::MAX),
        source.input,
    ]
}

/// Reads the words of one event. Beyond the last word everything is absent.
pub(super) struct Reader<'a> {
    pub(super) words: &'a [u32],
    pub(super) strings: Strings<'a>,
    pub(super) at: usize,
}

impl<'a> Reader<'a> {
    pub(super) fn new(words: &'a [u32], strings: Strings<'a>, at: usize) -> Self {
        Reader { words, strings, at }
    }

    #[inline(always)]
    pub(super) fn word(&mut self) -> u32 {
        let word = self.words.get(self.at).copied().unwrap_or(0);
        self.at += 1;
        word
    }

    #[inline(always)]
    pub(super) fn source(&mut self) -> Source {
        Source { offset: self.long(), length: self.long(), line: u64::from(self.word()), input: self.word() }
    }

    #[inline(always)]
    fn long(&mut self) -> u64 {
        u64::from(self.word()) | u64::from(self.word()) << 32
    }

    pub(super) fn flag(&mut self) -> bool {
        self.word() != 0
    }

    pub(super) fn number(&mut self) -> f64 {
        f64::from_bits(self.long())
    }

    pub(super) fn optional_number(&mut self) -> Option<f64> {
        Some(self.number()).filter(|value| !value.is_nan())
    }

    #[inline(always)]
    pub(super) fn optional_text(&mut self) -> Option<&'a str> {
        let word = self.word();
        (word != 0).then(|| self.strings.get(word))
    }

    pub(super) fn text(&mut self) -> &'a str {
        self.optional_text().unwrap_or_default()
    }

    pub(super) fn optional_json(&mut self) -> Option<Json<'a>> {
        self.optional_text().map(Json)
    }

    pub(super) fn json(&mut self) -> Json<'a> {
        self.optional_json().unwrap_or_default()
    }

    pub(super) fn optional_list<T: Clone>(&mut self, read: fn(&mut Self) -> T) -> Option<List<'a, T>> {
        let count = self.word().checked_sub(1)? as usize;
        // No entry takes less than a word, so this bounds what a damaged count could ask for.
        let count = count.min(self.words.len());
        Some(List::Owned((0..count).map(|_| read(self)).collect()))
    }

    pub(super) fn list<T: Clone>(&mut self, read: fn(&mut Self) -> T) -> List<'a, T> {
        self.optional_list(read).unwrap_or_default()
    }
}
