//! How JavaScript counts a text.

use crate::json::{BLOCK, is_ascii};

/// Length in UTF-16 units, sixty-four bytes at a step. Fits: a string has at least as many bytes, and those are bounded.
pub(crate) fn utf16_units(text: &str) -> u32 {
    let (blocks, rest) = text.as_bytes().as_chunks::<BLOCK>();
    let mut units = 0;
    // Most texts are ASCII for long stretches.
    for block in blocks {
        units += if is_ascii(block) { BLOCK as u32 } else { units_of(block) };
    }
    units + if rest.is_ascii() { rest.len() as u32 } else { units_of(rest) }
}

#[inline(never)]
fn units_of(bytes: &[u8]) -> u32 {
    let (words, rest) = bytes.as_chunks::<8>();
    let of_byte = |byte: &u8| u32::from(byte & 0xc0 != 0x80) + u32::from(*byte >= 0xf0);
    words.iter().map(units_of_word).sum::<u32>() + rest.iter().map(of_byte).sum::<u32>()
}

/// The highest bit of each byte.
const HIGH: u64 = 0x8080_8080_8080_8080;

/// One unit for every byte that begins a character, a second one for characters of four bytes.
fn units_of_word(word: &[u8; 8]) -> u32 {
    let word = u64::from_le_bytes(*word);
    let high = word & HIGH;
    if high == 0 {
        return 8;
    }
    let continuing = high & !(word << 1);
    let of_four = high & (word << 1) & (word << 2) & (word << 3);
    8 - continuing.count_ones() + of_four.count_ones()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn blocks_count_what_characters_count(text in "[a-c\u{e9}\u{65e5}\u{1d11e}]{0,190}", ascii in "[a-z]{0,190}") {
            for text in [&text, &ascii, &[ascii.as_str(), &text].concat()] {
                prop_assert_eq!(utf16_units(text), text.encode_utf16().count() as u32);
            }
        }
    }
}
