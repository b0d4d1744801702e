//! Sixteen bytes at once, as WebAssembly's simd128, x86-64's SSE2 and plain words each speak of them.

/// Bytes looked at in one step.
pub(super) const WIDTH: usize = 16;

/// Sixteen bytes; a comparison sets at least the high bit of each lane where it holds.
pub(super) trait Lanes: Copy {
    fn load(block: &[u8; WIDTH]) -> Self;
    fn equal(self, byte: u8) -> Self;
    /// For ASCII bytes.
    fn below(self, byte: u8) -> Self;
    /// Sets these bits in every lane.
    fn with_bits(self, bits: u8) -> Self;
    fn or(self, other: Self) -> Self;
    /// One bit per lane of a comparison, first lane lowest.
    fn mask(self) -> u32;
    /// Whether all lanes are equal.
    fn same(self, other: Self) -> bool;
}

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub(super) use simd128::Simd128 as Native;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(super) use sse2::Sse2 as Native;

#[cfg(not(any(
    all(target_arch = "wasm32", target_feature = "simd128"),
    all(target_arch = "x86_64", target_feature = "sse2")
)))]
pub(super) use plain::Plain as Native;

#[cfg(test)]
pub(super) use plain::Plain;

#[cfg(any(
    test,
    not(any(
        all(target_arch = "wasm32", target_feature = "simd128"),
        all(target_arch = "x86_64", target_feature = "sse2")
    ))
))]
mod plain {
    use super::{Lanes, WIDTH};

    /// The fallback for targets without vectors of their own: eight lanes to a word, an answer in each lane's high bit.
    #[derive(Clone, Copy)]
    pub(in super::super) struct Plain([u64; 2]);

    impl Plain {
        const LOW_BITS: u64 = splat(0x7f);
        const HIGH_BIT: u64 = splat(0x80);

        fn each(self, of: impl Fn(u64) -> u64) -> Self {
            Plain(self.0.map(of))
        }
    }

    const fn splat(byte: u8) -> u64 {
        u64::from_le_bytes([byte; 8])
    }

    impl Lanes for Plain {
        #[inline(always)]
        fn load(block: &[u8; WIDTH]) -> Self {
            let both = u128::from_le_bytes(*block);
            // The cuts are meant: one half each.
            Plain([both as u64, (both >> 64) as u64])
        }
        #[inline(always)]
        fn equal(self, byte: u8) -> Self {
            // The sum stays inside its lane, and sets the high bit when any low bit was set.
            self.each(|word| {
                let unequal = word ^ splat(byte);
                !(((unequal & Self::LOW_BITS) + Self::LOW_BITS) | unequal) & Self::HIGH_BIT
            })
        }
        #[inline(always)]
        fn below(self, byte: u8) -> Self {
            self.each(|word| !(((word & Self::LOW_BITS) + splat(0x80 - byte)) | word) & Self::HIGH_BIT)
        }
        #[inline(always)]
        fn with_bits(self, bits: u8) -> Self {
            self.each(|word| word | splat(bits))
        }
        #[inline(always)]
        fn or(self, other: Self) -> Self {
            Plain([self.0[0] | other.0[0], self.0[1] | other.0[1]])
        }
        #[inline(always)]
        fn mask(self) -> u32 {
            // The product brings the high bits, eight apart, side by side into the top byte.
            let [low, high] =
                self.0.map(|word| ((word & Self::HIGH_BIT) >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56);
            (low | high << 8) as u32
        }
        #[inline(always)]
        fn same(self, other: Self) -> bool {
            self.0 == other.0
        }
    }
}

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128 {
    use super::{Lanes, WIDTH};
    use core::arch::wasm32::{
        u8x16_bitmask, u8x16_eq, u8x16_lt, u8x16_splat, v128, v128_any_true, v128_load, v128_or, v128_xor,
    };

    #[derive(Clone, Copy)]
    pub struct Simd128(v128);

    impl Lanes for Simd128 {
        #[inline(always)]
        fn load(block: &[u8; WIDTH]) -> Self {
            // SAFETY: the reference covers sixteen readable bytes, and this load needs no alignment.
            Simd128(unsafe { v128_load(block.as_ptr().cast()) })
        }
        #[inline(always)]
        fn equal(self, byte: u8) -> Self {
            Simd128(u8x16_eq(self.0, u8x16_splat(byte)))
        }
        #[inline(always)]
        fn below(self, byte: u8) -> Self {
            Simd128(u8x16_lt(self.0, u8x16_splat(byte)))
        }
        #[inline(always)]
        fn with_bits(self, bits: u8) -> Self {
            Simd128(v128_or(self.0, u8x16_splat(bits)))
        }
        #[inline(always)]
        fn or(self, other: Self) -> Self {
            Simd128(v128_or(self.0, other.0))
        }
        #[inline(always)]
        fn mask(self) -> u32 {
            u32::from(u8x16_bitmask(self.0))
        }
        #[inline(always)]
        fn same(self, other: Self) -> bool {
            !v128_any_true(v128_xor(self.0, other.0))
        }
    }
}

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod sse2 {
    use super::{Lanes, WIDTH};
    use core::arch::x86_64::{
        __m128i, _mm_cmpeq_epi8, _mm_loadu_si128, _mm_max_epu8, _mm_movemask_epi8, _mm_or_si128,
        _mm_set1_epi8, _mm_xor_si128,
    };

    #[derive(Clone, Copy)]
    pub struct Sse2(__m128i);

    #[inline(always)]
    fn splat(byte: u8) -> __m128i {
        // SAFETY: SSE2 is there by the module's `cfg`.
        unsafe { _mm_set1_epi8(byte.cast_signed()) }
    }

    impl Lanes for Sse2 {
        #[inline(always)]
        fn load(block: &[u8; WIDTH]) -> Self {
            // SAFETY: SSE2 is there by the module's `cfg`; the reference covers sixteen readable bytes, and this load
            // needs no alignment.
            Sse2(unsafe { _mm_loadu_si128(block.as_ptr().cast()) })
        }
        #[inline(always)]
        fn equal(self, byte: u8) -> Self {
            // SAFETY: SSE2 is there by the module's `cfg`.
            Sse2(unsafe { _mm_cmpeq_epi8(self.0, splat(byte)) })
        }
        #[inline(always)]
        fn below(self, byte: u8) -> Self {
            // SSE2 compares signed bytes only; `max` is unsigned, and keeps exactly the lanes that are not below.
            // SAFETY: SSE2 is there by the module's `cfg`.
            Sse2(unsafe {
                let not_below = _mm_cmpeq_epi8(_mm_max_epu8(self.0, splat(byte)), self.0);
                _mm_xor_si128(not_below, splat(0xff))
            })
        }
        #[inline(always)]
        fn with_bits(self, bits: u8) -> Self {
            // SAFETY: SSE2 is there by the module's `cfg`.
            Sse2(unsafe { _mm_or_si128(self.0, splat(bits)) })
        }
        #[inline(always)]
        fn or(self, other: Self) -> Self {
            // SAFETY: SSE2 is there by the module's `cfg`.
            Sse2(unsafe { _mm_or_si128(self.0, other.0) })
        }
        #[inline(always)]
        fn mask(self) -> u32 {
            // SAFETY: SSE2 is there by the module's `cfg`.
            unsafe { _mm_movemask_epi8(self.0) }.cast_unsigned()
        }
        #[inline(always)]
        fn same(self, other: Self) -> bool {
            // SAFETY: SSE2 is there by the module's `cfg`.
            Sse2(unsafe { _mm_cmpeq_epi8(self.0, other.0) }).mask() == 0xffff
        }
    }
}
