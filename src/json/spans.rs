//! Where the long values of a text end, noted by the pass that validates it.
//!
//! Without it each level of reading would look again at all bytes of what lies deeper: a tool result four levels down
//! was scanned four times, a third of an agent trace's time.

use super::lanes::BLOCK;

/// Ends of the long strings and containers of one text. Reuse it from text to text: its buffers stay.
#[derive(Clone, Debug, Default)]
pub struct Spans {
    /// Address of the text's first byte: a slice of the text finds its place by it.
    base: usize,
    /// First byte of a value and the byte behind it, by first byte.
    list: Vec<(u32, u32)>,
    /// Containers that are open while the pass runs, as places in `list`.
    open: Vec<u32>,
}

/// A shorter value is found in one look.
const LONG: usize = BLOCK;

impl Spans {
    /// Empty, for this text. None for a text that a `u32` cannot count.
    pub(super) fn of(&mut self, text: &str) -> Option<&mut Self> {
        self.base = text.as_ptr() as usize;
        self.list.clear();
        self.open.clear();
        u32::try_from(text.len()).is_ok().then_some(self)
    }

    /// A container begins.
    #[inline(always)]
    pub(super) fn open(&mut self, at: usize) {
        self.open.push(self.list.len() as u32);
        self.list.push((at as u32, 0));
    }

    /// The innermost container ends before `after`. Where it is short nothing in it is long either.
    #[inline(always)]
    pub(super) fn close(&mut self, after: usize) {
        let Some(place) = self.open.pop() else { return };
        let Some(span) = self.list.get_mut(place as usize) else { return };
        if after - span.0 as usize > LONG {
            span.1 = after as u32;
        } else {
            self.list.truncate(place as usize);
        }
    }

    /// A string from its quote to behind its other quote.
    #[inline(always)]
    pub(super) fn string(&mut self, at: usize, after: usize) {
        if after - at > LONG {
            self.list.push((at as u32, after as u32));
        }
    }

    /// Index behind the value that begins at `at` of a slice of the text, if it was noted.
    #[inline(never)]
    pub(super) fn end(&self, slice: &[u8], at: usize) -> Option<usize> {
        let moved = (slice.as_ptr() as usize).checked_sub(self.base)?;
        let start = u32::try_from(moved + at).ok()?;
        let place = self.list.binary_search_by_key(&start, |span| span.0).ok()?;
        let after = self.list.get(place)?.1 as usize;
        after.checked_sub(moved).filter(|after| (at + 1..=slice.len()).contains(after))
    }
}
