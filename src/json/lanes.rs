//! Finding the next interesting byte, sixteen at a time.
//!
//! One search loop over a tiny vector vocabulary that WebAssembly's simd128, x86-64's SSE2 and plain words each speak;
//! a property test holds all of them to a loop over bytes.
//! All wanted bytes are ASCII, so every index found is a character boundary of well-formed UTF-8.

mod vectors;

#[cfg(test)]
use vectors::Plain;
use vectors::{Lanes, Native, WIDTH};

/// What ends a run of ordinary characters in a string that is being validated: quote, backslash, control character.
#[inline(always)]
fn string_stop<L: Lanes>(block: L) -> L {
    block.equal(b'"').or(block.equal(b'\\')).or(block.below(0x20))
}

#[inline(always)]
fn quote_or_backslash<L: Lanes>(block: L) -> L {
    block.equal(b'"').or(block.equal(b'\\'))
}

#[inline(always)]
fn backslash<L: Lanes>(block: L) -> L {
    block.equal(b'\\')
}

#[inline(always)]
fn quote<L: Lanes>(block: L) -> L {
    block.equal(b'"')
}

#[inline(always)]
fn control<L: Lanes>(block: L) -> L {
    block.below(0x20)
}

#[inline(always)]
fn usual_escape<L: Lanes>(block: L) -> L {
    block.equal(b'n').or(block.equal(b't'))
}

/// Whether two texts are equal, sixteen bytes at a step: the memcmp of wasm goes byte by byte, which took a tenth of a
/// token delta's time.
#[inline]
pub(crate) fn same(a: &str, b: &str) -> bool {
    same_bytes(a.as_bytes(), b.as_bytes())
}

/// [`same`] for bytes.
#[inline]
pub(crate) fn same_bytes(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    if a.len() < WIDTH { same_short(a, b) } else { same_long(a, b) }
}

/// The last block overlaps the one before it.
#[inline(always)]
fn same_long(a: &[u8], b: &[u8]) -> bool {
    let equal = |a: &[u8; WIDTH], b: &[u8; WIDTH]| Native::load(a).same(Native::load(b));
    let (blocks, others) = (a.as_chunks::<WIDTH>().0, b.as_chunks::<WIDTH>().0);
    let Some((last_a, last_b)) = a.last_chunk().zip(b.last_chunk()) else { return a == b };
    equal(last_a, last_b) && blocks.iter().zip(others).all(|(a, b)| equal(a, b))
}

/// Of one length, below a block's. The last word overlaps the one before it.
#[inline(always)]
fn same_short(a: &[u8], b: &[u8]) -> bool {
    if let (Some(a_first), Some(b_first)) = (a.first_chunk::<8>(), b.first_chunk::<8>())
        && let (Some(a_last), Some(b_last)) = (a.last_chunk::<8>(), b.last_chunk::<8>())
    {
        return (u64::from_ne_bytes(*a_first) ^ u64::from_ne_bytes(*b_first))
            | (u64::from_ne_bytes(*a_last) ^ u64::from_ne_bytes(*b_last))
            == 0;
    }
    if let (Some(a_first), Some(b_first)) = (a.first_chunk::<4>(), b.first_chunk::<4>())
        && let (Some(a_last), Some(b_last)) = (a.last_chunk::<4>(), b.last_chunk::<4>())
    {
        return (u32::from_ne_bytes(*a_first) ^ u32::from_ne_bytes(*b_first))
            | (u32::from_ne_bytes(*a_last) ^ u32::from_ne_bytes(*b_last))
            == 0;
    }
    a.iter().zip(b).all(|(a, b)| a == b)
}

/// Whether a block is ASCII.
#[inline(always)]
pub(crate) fn is_ascii(block: &[u8; BLOCK]) -> bool {
    let (front, back) = (lane(block, 0).or(lane(block, 1)), lane(block, 2).or(lane(block, 3)));
    // A mask takes the highest bit of each lane, which no ASCII byte has set.
    front.or(back).mask() == 0
}

/// Index of the next quote, backslash or control character; the length when there is none.
#[inline]
pub(super) fn find_string_stop(bytes: &[u8], from: usize) -> usize {
    find::<Native>(bytes, from, string_stop)
}

/// Index of the next quote or backslash close by; `None` when there is none, or few bytes are left.
#[inline(always)]
pub(super) fn probe_quote_or_backslash(bytes: &[u8], from: usize) -> Option<usize> {
    probe::<Native>(bytes, from, quote_or_backslash)
}

/// Index of the next quote, backslash or control character close by; `None` when there is none, or few bytes are left.
#[inline(always)]
pub(super) fn probe_string_stop(bytes: &[u8], from: usize) -> Option<usize> {
    probe::<Native>(bytes, from, string_stop)
}

/// Far enough for keys, words and UUIDs; longer strings are cheaper by the block.
#[inline(always)]
fn probe<L: Lanes>(bytes: &[u8], from: usize, wanted: impl Fn(L) -> L) -> Option<usize> {
    // Written out: where it is compiled for size a loop stays a loop.
    let look = |at: usize| -> Option<u32> {
        let block = bytes.get(at..)?.first_chunk::<WIDTH>()?;
        Some(wanted(L::load(block)).mask())
    };
    let (mut at, mut mask) = (from, look(from)?);
    if mask == 0 {
        (at, mask) = (from + WIDTH, look(from + WIDTH)?);
        if mask == 0 {
            (at, mask) = (from + 2 * WIDTH, look(from + 2 * WIDTH)?);
            if mask == 0 {
                return None;
            }
        }
    }
    Some(at + mask.trailing_zeros() as usize)
}

/// Index of the next backslash; the length when there is none.
#[inline]
pub(super) fn find_backslash(bytes: &[u8], from: usize) -> usize {
    find::<Native>(bytes, from, backslash)
}

/// The backslashes of a block, one bit each, first byte lowest.
#[inline(always)]
pub(super) fn backslashes(block: &[u8; BLOCK]) -> u64 {
    block_mask(block, backslash)
}

/// The backslashes that begin an escape, where the one before the first is none: every other one of a run.
///
/// Taking a run's bits from the bits behind them borrows through it, so that they alternate.
#[inline(always)]
pub(super) fn escapes(backslashes: u64) -> u64 {
    const ODD: u64 = 0xaaaa_aaaa_aaaa_aaaa;
    ((backslashes << 1 | ODD).wrapping_sub(backslashes) ^ ODD) & backslashes
}

/// Bytes that [`plain_run`] looks at.
pub(super) const RUN: usize = WIDTH;

/// How many bytes stand before the first backslash of a block.
#[inline(always)]
pub(super) fn plain_run(block: &[u8; RUN]) -> usize {
    let end = 1 << RUN;
    (Native::load(block).equal(b'\\').mask() | end).trailing_zeros() as usize
}

#[inline(always)]
fn find<L: Lanes>(bytes: &[u8], from: usize, wanted: impl Fn(L) -> L) -> usize {
    let mut at = from;
    while let Some(block) = bytes.get(at..).and_then(|rest| rest.first_chunk::<WIDTH>()) {
        let mask = wanted(L::load(block)).mask();
        if mask != 0 {
            return at + mask.trailing_zeros() as usize;
        }
        at += WIDTH;
    }
    find_in_tail(bytes, at, wanted)
}

/// Fewer than sixteen bytes are left: look at them in the last full block, or in a padded copy of a short text.
#[inline(always)]
fn find_in_tail<L: Lanes>(bytes: &[u8], at: usize, wanted: impl Fn(L) -> L) -> usize {
    let length = bytes.len();
    let Some(rest) = bytes.get(at..).filter(|rest| !rest.is_empty()) else { return length };
    let mask = if let Some(block) = bytes.last_chunk::<WIDTH>() {
        wanted(L::load(block)).mask() >> (WIDTH - rest.len())
    } else {
        // A space is wanted by no search.
        let mut padded = [b' '; WIDTH];
        for (to, from) in padded.iter_mut().zip(rest) {
            *to = *from;
        }
        wanted(L::load(&padded)).mask()
    };
    if mask == 0 { length } else { at + mask.trailing_zeros() as usize }
}

/// Where in the sixty-four bytes from some index on the bytes that shape JSON stand: one bit each, first byte lowest.
///
/// Behind the end of the text all bits are clear.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    pub quotes: u64,
    pub backslashes: u64,
    pub controls: u64,
    pub opens: u64,
    pub closes: u64,
}

/// Bytes one [`Shape`] covers.
pub(crate) const BLOCK: usize = 4 * WIDTH;

/// Looks at the block at `at`; `None` at the end of the text. What the caller does not use costs nothing.
#[inline(always)]
pub(super) fn shape(bytes: &[u8], at: usize) -> Option<Shape> {
    shape_of::<Native>(bytes, at)
}

#[inline(always)]
fn shape_of<L: Lanes>(bytes: &[u8], at: usize) -> Option<Shape> {
    let rest = bytes.get(at..)?;
    let mut shape = Shape::default();
    if let Some(block) = rest.first_chunk::<BLOCK>() {
        // Written out: where it is compiled for size a loop stays a loop.
        if let [first, second, third, fourth] = block.as_chunks::<WIDTH>().0 {
            shape.add(L::load(first), 0, 0);
            shape.add(L::load(second), 0, WIDTH);
            shape.add(L::load(third), 0, 2 * WIDTH);
            shape.add(L::load(fourth), 0, 3 * WIDTH);
        }
        return Some(shape);
    }
    if rest.is_empty() { None } else { Some(shape_of_tail::<L>(bytes, rest)) }
}

/// [`shape`] without brackets. Control characters, which no string holds, are looked for in all lanes at once.
#[inline(always)]
pub(super) fn string_shape(bytes: &[u8], at: usize) -> Option<Shape> {
    let Some(block) = bytes.get(at..)?.first_chunk::<BLOCK>() else { return shape(bytes, at) };
    let front = control(lane(block, 0)).or(control(lane(block, 1)));
    let back = control(lane(block, 2)).or(control(lane(block, 3)));
    if front.or(back).mask() != 0 {
        return shape(bytes, at);
    }
    Some(Shape { quotes: block_mask(block, quote), backslashes: backslashes(block), ..Shape::default() })
}

/// The letters of a block that most escapes end with.
#[inline(always)]
pub(super) fn usual_escapes(block: &[u8; BLOCK]) -> u64 {
    block_mask(block, usual_escape)
}

/// Sixteen bytes of a block, by number. What is done to all four is written out, since at the level of the npm package
/// loops of four stay loops.
#[inline(always)]
fn lane(block: &[u8; BLOCK], number: usize) -> Native {
    let bytes = block.get(number * WIDTH..).and_then(|rest| rest.first_chunk());
    Native::load(bytes.unwrap_or(&[0; WIDTH]))
}

#[inline(always)]
fn block_mask(block: &[u8; BLOCK], wanted: impl Fn(Native) -> Native) -> u64 {
    let [first, second, third, fourth] = [
        wanted(lane(block, 0)).mask(),
        wanted(lane(block, 1)).mask(),
        wanted(lane(block, 2)).mask(),
        wanted(lane(block, 3)).mask(),
    ];
    u64::from(first | second << WIDTH) | u64::from(third | fourth << WIDTH) << (2 * WIDTH)
}

/// `rest` is the end of `bytes`, shorter than a block.
#[inline(never)]
fn shape_of_tail<L: Lanes>(bytes: &[u8], rest: &[u8]) -> Shape {
    let mut shape = Shape::default();
    let (lanes, tail) = rest.as_chunks::<WIDTH>();
    for (lane, lane_bytes) in lanes.iter().enumerate() {
        shape.add(L::load(lane_bytes), 0, lane * WIDTH);
    }
    if let Some(last) = bytes.last_chunk::<WIDTH>() {
        shape.add(L::load(last), WIDTH - tail.len(), lanes.len() * WIDTH);
    } else {
        let mut padded = [b' '; WIDTH];
        for (to, from) in padded.iter_mut().zip(tail) {
            *to = *from;
        }
        shape.add(L::load(&padded), 0, lanes.len() * WIDTH);
    }
    shape
}

impl Shape {
    /// Adds sixteen bytes without the first `skip`, from bit `at` on.
    #[inline(always)]
    fn add<L: Lanes>(&mut self, lanes: L, skip: usize, at: usize) {
        let place = |lanes: L| (u64::from(lanes.mask()) >> skip) << at;
        // `[` and `{`, `]` and `}` differ in one bit only.
        let folded = lanes.with_bits(0x20);
        self.quotes |= place(lanes.equal(b'"'));
        self.backslashes |= place(lanes.equal(b'\\'));
        self.controls |= place(lanes.below(0x20));
        self.opens |= place(folded.equal(b'{'));
        self.closes |= place(folded.equal(b'}'));
    }

    /// The bytes, other than backslashes, that stand behind an odd run of backslashes: quotes among them end no string.
    ///
    /// `carry` is 1 when the block before ended in such a run. Adding a run's first bit to the run leaves one bit just
    /// behind it; where that bit is even and the first one odd, or the other way round, the run was odd. No branch,
    /// because escapes come too irregularly to be predicted.
    #[inline(always)]
    pub(super) fn escaped(&self, carry: &mut u64) -> u64 {
        const EVEN: u64 = 0x5555_5555_5555_5555;
        let runs = self.backslashes & !*carry;
        let firsts = runs & !(runs << 1);
        let behind_even = runs.wrapping_add(firsts & EVEN) & !EVEN;
        let (behind_odd, overflow) = runs.overflowing_add(firsts & !EVEN);
        let escaped = (behind_even | behind_odd & EVEN) & !runs | *carry;
        *carry = u64::from(overflow);
        escaped & !self.backslashes
    }
}

/// Each bit of the result tells whether an odd number of bits stand at or below it.
#[inline(always)]
pub(super) fn parity(mut bits: u64) -> u64 {
    bits ^= bits << 1;
    bits ^= bits << 2;
    bits ^= bits << 4;
    bits ^= bits << 8;
    bits ^= bits << 16;
    bits ^ bits << 32
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn first(bytes: &[u8], from: usize, wanted: impl Fn(u8) -> bool) -> usize {
        (from..bytes.len()).find(|&at| wanted(bytes[at])).unwrap_or(bytes.len())
    }

    fn byte() -> impl Strategy<Value = u8> {
        // Mostly bytes no search wants, so that runs get longer than a block.
        prop_oneof![30 => Just(b'x'), 2 => any::<u8>(), 1 => prop::sample::select(b"\"\\[]{}\x1f\x20\x7f\xff".to_vec())]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn native_and_plain_lanes_find_what_a_byte_loop_finds(
            bytes in prop::collection::vec(byte(), 0..80), from in 0usize..90
        ) {
            let stop = first(&bytes, from, |b| b == b'"' || b == b'\\' || b < 0x20);
            prop_assert_eq!(find::<Native>(&bytes, from, string_stop), stop);
            prop_assert_eq!(find::<Plain>(&bytes, from, string_stop), stop);
            let slash = first(&bytes, from, |b| b == b'\\');
            prop_assert_eq!(find::<Native>(&bytes, from, backslash), slash);
            prop_assert_eq!(find::<Plain>(&bytes, from, backslash), slash);
        }
    }

    fn bits(bytes: &[u8], from: usize, wanted: impl Fn(u8) -> bool) -> u64 {
        bytes.iter().skip(from).take(BLOCK).rev().fold(0, |mask, byte| mask << 1 | u64::from(wanted(*byte)))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn a_shape_has_the_bits_a_byte_loop_sets(bytes in prop::collection::vec(byte(), 0..150), from in 0usize..160) {
            let wanted = (from < bytes.len()).then(|| Shape {
                quotes: bits(&bytes, from, |b| b == b'"'),
                backslashes: bits(&bytes, from, |b| b == b'\\'),
                controls: bits(&bytes, from, |b| b < 0x20),
                opens: bits(&bytes, from, |b| b == b'[' || b == b'{'),
                closes: bits(&bytes, from, |b| b == b']' || b == b'}'),
            });
            prop_assert_eq!(shape_of::<Native>(&bytes, from), wanted);
            let of_strings = |shape: Shape| (shape.quotes, shape.backslashes, shape.controls);
            prop_assert_eq!(string_shape(&bytes, from).map(of_strings), wanted.map(of_strings));
            prop_assert_eq!(shape_of::<Plain>(&bytes, from), wanted);
        }

        #[test]
        fn escaped_is_what_no_backslash_is_and_stands_behind_an_odd_run_of_them(
            bytes in prop::collection::vec(prop_oneof![Just(b'\\'), Just(b'x')], 0..200)
        ) {
            let (mut carry, mut at, mut found) = (0, 0, vec![]);
            while let Some(shape) = shape(&bytes, at) {
                let escaped = shape.escaped(&mut carry);
                found.extend((0..BLOCK.min(bytes.len() - at)).map(|bit| escaped >> bit & 1 == 1));
                at += BLOCK;
            }
            let mut open = false;
            for (at, byte) in bytes.iter().enumerate() {
                prop_assert_eq!(found[at], open && *byte != b'\\', "byte {}", at);
                open = !open && *byte == b'\\';
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn an_escape_begins_at_every_other_backslash_of_a_run(
            block in prop::collection::vec(prop_oneof![2 => Just(b'\\'), 1 => Just(b'x')], BLOCK)
        ) {
            let block: [u8; BLOCK] = block.try_into().expect("a block");
            let found = escapes(backslashes(&block));
            let mut escaped = false;
            for (at, byte) in block.iter().enumerate() {
                let begins = !escaped && *byte == b'\\';
                prop_assert_eq!(found >> at & 1 == 1, begins, "byte {}", at);
                escaped = begins;
            }
        }
    }

    #[test]
    fn each_byte_value_is_classed_alike_in_every_lane() {
        for byte in 0..=255u8 {
            for lane in 0..WIDTH {
                let mut block = [b'x'; WIDTH];
                block[lane] = byte;
                let (native, plain) = (Native::load(&block), Plain::load(&block));
                assert_eq!(string_stop(native).mask(), string_stop(plain).mask(), "stop {byte} in {lane}");
                assert_eq!(
                    shape_of::<Native>(&block, 0),
                    shape_of::<Plain>(&block, 0),
                    "shape {byte} in {lane}"
                );
            }
        }
    }
}
