//! Where each value and each key of a text lies, noted by the pass that validates it.
//!
//! Without it each level of reading would look again at all bytes of what lies deeper, and each walk through an object at
//! all bytes of its members: a quarter of the instructions a short record took, a third of an agent trace's time.

/// The notes on one text. Reuse it from text to text: its buffer stays.
#[derive(Clone, Debug, Default)]
pub struct Spans {
    /// In the order of the text: a container before what it holds, a key before its value.
    nodes: Vec<Node>,
}

/// Notes that are being written. Nothing keeps a reference to them, so that they are written from registers.
#[derive(Default)]
pub(super) struct Writer {
    nodes: Vec<Node>,
    /// The innermost container that is open while the pass runs.
    open: u32,
    /// There are notes, and all so far.
    pub whole: bool,
}

/// A value, or a key without its quotes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    start: u32,
    /// Index behind it. While a container is open: the container around it.
    end: u32,
    /// A container that holds something: place of what follows it. Else [`PLAIN`] or [`ESCAPED`].
    next: u32,
}

const PLAIN: u32 = 0;
/// A key or string that holds escapes.
const ESCAPED: u32 = 1;

/// A text of tiny values takes six times its size in notes. Beyond these 12 MB there are none, and reading scans the text:
/// slower by a factor, the levels between a record and what is read of it.
const MOST: usize = 1 << 20;

impl Writer {
    /// For a text of this length. Writes nothing for a text that a `u32` cannot count.
    pub(super) fn of(spans: Option<&mut Spans>, length: usize) -> Writer {
        let mut nodes = spans.map(|spans| std::mem::take(&mut spans.nodes));
        let whole = nodes.is_some() && u32::try_from(length).is_ok();
        nodes.iter_mut().for_each(Vec::clear);
        Writer { nodes: nodes.unwrap_or_default(), open: 0, whole }
    }

    /// The notes are read from here, whole or not.
    pub(super) fn finish(self, spans: Option<&mut Spans>) {
        if let Some(spans) = spans {
            spans.nodes = self.nodes;
        }
    }

    #[inline(always)]
    fn push(&mut self, node: Node) {
        if self.nodes.len() == self.nodes.capacity() {
            self.nodes = with_room(std::mem::take(&mut self.nodes));
        }
        let length = self.nodes.len();
        match self.nodes.spare_capacity_mut().first_mut() {
            Some(place) => {
                place.write(node);
                // SAFETY: the one behind the last has just been written.
                unsafe { self.nodes.set_len(length + 1) };
            }
            None => self.whole = false,
        }
    }

    /// A key between its quotes, a string with them, a scalar or an empty container.
    #[inline(always)]
    pub(super) fn leaf(&mut self, start: usize, end: usize, escaped: bool) {
        if self.whole {
            let next = if escaped { ESCAPED } else { PLAIN };
            self.push(Node { start: start as u32, end: end as u32, next });
        }
    }

    /// A container that holds something begins.
    #[inline(always)]
    pub(super) fn open(&mut self, start: usize) {
        if self.whole {
            let place = self.nodes.len() as u32;
            self.push(Node { start: start as u32, end: self.open, next: PLAIN });
            self.open = place;
        }
    }

    /// The innermost container ends before `end`.
    #[inline(always)]
    pub(super) fn close(&mut self, end: usize) {
        let next = self.nodes.len() as u32;
        if self.whole
            && let Some(node) = self.nodes.get_mut(self.open as usize)
        {
            self.open = node.end;
            node.end = end as u32;
            node.next = next;
        }
    }
}

/// By value: the writer's own list has no address.
#[cold]
#[inline(never)]
fn with_room(mut nodes: Vec<Node>) -> Vec<Node> {
    let length = nodes.len();
    nodes.reserve_exact(length.max(64).min(MOST.saturating_sub(length)));
    nodes
}

impl Spans {
    /// The node at this place, and all up to the end of what it holds.
    #[inline]
    pub(super) fn up_to_end_of(&self, place: usize) -> Option<(Node, &[Node])> {
        let node = *self.nodes.get(place)?;
        Some((node, self.nodes.get(..node.next(place))?))
    }
}

impl Node {
    /// Where it starts in the text.
    #[inline(always)]
    pub(super) fn start(self) -> usize {
        self.start as usize
    }

    /// Index behind it in the text.
    #[inline(always)]
    pub(super) fn end(self) -> usize {
        self.end as usize
    }

    /// Place of what follows it, when this is its own.
    #[inline(always)]
    pub(super) fn next(self, own: usize) -> usize {
        // A container's next is beyond its first child.
        (self.next as usize).max(own + 1)
    }

    /// A key or string that holds escapes.
    #[inline(always)]
    pub(super) fn is_escaped(self) -> bool {
        self.next == ESCAPED
    }
}
