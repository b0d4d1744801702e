//! What the first bytes say about the encoding, before any line is cut.
//!
//! Everything is UTF-8 or is refused by name. Looks at 64 bytes at most, and only as long as they can still be the
//! beginning of something it knows.

use super::BYTE_ORDER_MARK;

/// Bytes that settle the encoding in every case.
pub(super) const PROBE_BYTES: usize = 64;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    /// More bytes are needed.
    Undecided,
    /// UTF-8, after a byte order mark of so many bytes.
    Utf8 { mark: usize },
    /// Not UTF-8 text: a diagnostic code and what the bytes are.
    Refused { code: &'static str, what: &'static str },
}

const COMPRESSED: &[(&[u8], &str)] = &[
    (b"\x1F\x8B", "gzip"),
    (b"\x28\xB5\x2F\xFD", "zstd"),
    (b"PK\x03\x04", "a zip archive"),
    (b"\xFD7zXZ\0", "xz"),
];
/// `BZh`, a digit, and this: text may well begin with the first three letters.
const BZIP2_BLOCK: &[u8] = b"1AY&SY";

/// Looks for a byte order mark and nothing else.
pub(super) fn mark_only(head: &[u8], ended: bool) -> Encoding {
    if head.starts_with(BYTE_ORDER_MARK) {
        Encoding::Utf8 { mark: BYTE_ORDER_MARK.len() }
    } else if !ended && BYTE_ORDER_MARK.starts_with(head) {
        Encoding::Undecided
    } else {
        Encoding::Utf8 { mark: 0 }
    }
}

/// Judges the first bytes of a stream, of which there are at most [`PROBE_BYTES`].
pub(super) fn sniff(head: &[u8], ended: bool) -> Encoding {
    let marked = mark_only(head, ended);
    if marked != (Encoding::Utf8 { mark: 0 }) {
        return marked;
    }
    if head.starts_with(b"\xFF\xFE") || head.starts_with(b"\xFE\xFF") {
        return Encoding::Refused { code: "enc.utf16-unsupported", what: "UTF-16" };
    }
    let mut undecided = matches!(head, [0xFE | 0xFF]);
    for (magic, what) in COMPRESSED {
        if head.starts_with(magic) {
            return Encoding::Refused { code: "enc.compressed-unsupported", what };
        }
        undecided |= magic.starts_with(head);
    }
    for verdict in [bzip2(head), binary_event_stream(head), utf16_guess(head, ended)] {
        match verdict {
            Encoding::Refused { .. } => return verdict,
            Encoding::Undecided => undecided = true,
            Encoding::Utf8 { .. } => {}
        }
    }
    if undecided && !ended { Encoding::Undecided } else { Encoding::Utf8 { mark: 0 } }
}

fn bzip2(head: &[u8]) -> Encoding {
    let plausible = head.iter().enumerate().take(4 + BZIP2_BLOCK.len()).all(|(index, byte)| match index {
        0..3 => b"BZh".get(index) == Some(byte),
        3 => matches!(byte, b'1'..=b'9'),
        _ => BZIP2_BLOCK.get(index - 4) == Some(byte),
    });
    match plausible {
        true if head.len() >= 4 + BZIP2_BLOCK.len() => {
            Encoding::Refused { code: "enc.compressed-unsupported", what: "bzip2" }
        }
        true => Encoding::Undecided,
        false => Encoding::Utf8 { mark: 0 },
    }
}

/// The frames of `application/vnd.amazon.eventstream`: two big-endian lengths and a checksum of both.
fn binary_event_stream(head: &[u8]) -> Encoding {
    match head {
        [0, _, _, _, 0, _, _, _, a, b, c, d, ..] => {
            let prelude = head.get(..8).unwrap_or_default();
            if crc32(prelude) == u32::from_be_bytes([*a, *b, *c, *d]) {
                return Encoding::Refused {
                    code: "enc.binary-eventstream",
                    what: "a binary event stream (AWS)",
                };
            }
            Encoding::Utf8 { mark: 0 }
        }
        [0, _, _, _, 0, ..] => Encoding::Undecided,
        [0] | [0, _] | [0, _, _] | [0, _, _, _] => Encoding::Undecided,
        _ => Encoding::Utf8 { mark: 0 },
    }
}

/// CRC-32 as in zip and Ethernet, bit by bit: it runs over eight bytes once per stream.
fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0u32, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| (crc >> 1) ^ (0xEDB8_8320 & (crc & 1).wrapping_neg()))
    })
}

/// No mark, but a NUL at every second byte of the first 64. The first byte alone never tells.
fn utf16_guess(head: &[u8], ended: bool) -> Encoding {
    let fits =
        |odd: bool| head.iter().enumerate().all(|(index, byte)| (*byte == 0) == ((index % 2 == 1) == odd));
    let (little, big) = (fits(true), fits(false));
    if !(little || big) {
        return Encoding::Utf8 { mark: 0 };
    }
    if head.len() >= PROBE_BYTES || (ended && head.len() >= 4) {
        return Encoding::Refused { code: "enc.utf16-unsupported", what: "UTF-16 without a mark" };
    }
    Encoding::Undecided
}
