//! Where JavaScript finds a result in this module's memory: a few words behind one pointer, so that a push costs one
//! call. The pointers in it die with the next call or when memory grows.

use crate::event::{Batch, Twin};

/// Pointer and length (in entries) of a batch's words, text and ends, then its first `seq`, low word first; then how many
/// strings at the front of the table are those of the batch before, their bytes, and a number that changes with them, then the
/// pointer to the ends in bytes; the first ones are in UTF-16 units. Then pointer and number of its [`Twins`].
pub(super) type BatchWindow = [u32; 14];

/// Describes a batch, its twins apart.
#[inline]
pub(super) fn of_batch(batch: &Batch) -> BatchWindow {
    let seq = batch.first_seq();
    let [seq_low, seq_high] = [seq as u32, (seq >> 32) as u32];
    let [words, words_length] = of_slice(batch.words());
    let [text, text_length] = of_slice(batch.text().as_bytes());
    let [ends, ends_length] = of_slice(batch.ends16());
    let (front, front_bytes, generation) = batch.front();
    let [byte_ends, _] = of_slice(batch.ends());
    [
        words,
        words_length,
        text,
        text_length,
        ends,
        ends_length,
        seq_low,
        seq_high,
        front as u32,
        front_bytes as u32,
        generation,
        byte_ends,
        0,
        0,
    ]
}

/// Raw outputs that say their event's content again, for a reader who makes one string of both: the event's position, the
/// word of the raw output, pointer to and end of what says it again, pointer to and length of the member's name (0: it is
/// all of the raw output), the word of the content.
#[derive(Default)]
pub(super) struct Twins(Vec<[u32; 7]>);

impl Twins {
    /// Those of a batch, told in its window.
    pub fn show(&mut self, batch: &Batch, window: &mut BatchWindow) {
        self.0.clear();
        self.0.extend(batch.twins().map(|twin| {
            let Twin { position, text, json, literal, key } = twin;
            let [start, length] = of_slice(literal.as_bytes());
            let [name, name_length] = key.map_or([0; 2], |key| of_slice(key.as_bytes()));
            let (json, text) = (batch.word_of(json), batch.word_of(text));
            [position as u32, json, start, start + length, name, name_length, text]
        }));
        window[12..].copy_from_slice(&of_slice(&self.0));
    }
}

/// Pointer and length. Addresses are 32 bits wide where this runs.
pub(super) fn of_slice<T>(slice: &[T]) -> [u32; 2] {
    [slice.as_ptr() as usize as u32, slice.len() as u32]
}

/// Makes memory grow in big steps. Each growth gives the engine a new buffer, which V8 takes for new outside memory and
/// answers with a full collection: a transcript of 100 MB grew 1,129 times and took four times as long.
#[derive(Default)]
pub(super) struct Headroom {
    /// Pages of memory when it was looked at last.
    pages: usize,
}

impl Headroom {
    /// After memory has grown, takes a quarter more and gives it back to the allocator.
    pub fn keep(&mut self) {
        const PAGE_BYTES: usize = 1 << 16;
        let pages = pages();
        if pages != self.pages {
            let mut ahead = Vec::<u8>::new();
            // Refused near the end of what there is, which is no failure of this call.
            let _ = ahead.try_reserve_exact(pages * PAGE_BYTES / 4);
            drop(std::hint::black_box(ahead));
            self.pages = self::pages();
        }
    }
}

#[cfg(target_arch = "wasm32")]
fn pages() -> usize {
    core::arch::wasm32::memory_size(0)
}

#[cfg(not(target_arch = "wasm32"))]
fn pages() -> usize {
    0
}

/// The buffer a wrapper writes chunks into.
#[derive(Default)]
pub(super) struct Input(Vec<u8>);

impl Input {
    /// Makes room for the next chunk.
    pub fn reserve(&mut self, length: usize) -> *mut u8 {
        if self.0.len() < length {
            self.0.resize(length, 0);
        }
        self.0.as_mut_ptr()
    }

    /// What was written; a length beyond the room counts as the room.
    pub fn written(&self, length: usize) -> &[u8] {
        self.0.get(..length).unwrap_or(&self.0)
    }
}
