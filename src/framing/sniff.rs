//! Which container the bytes are, from their beginning.
//!
//! Reads byte by byte and remembers where it stands, so no cut makes it look twice. It decides at the first byte that
//! settles the matter: `{` at what follows it, an SSE field at its colon. Only a stream that begins with `[` waits longer,
//! since a log prefix, lines of arrays and an array document tell apart by what follows the first bracket's partner.

use super::is_blank;
use super::options::Container;
use super::values::Nesting;

/// Bytes after which the likelier answer is taken.
const WINDOW: usize = 64 << 10;
const FIELDS: [&[u8]; 4] = [b"data", b"event", b"id", b"retry"];

#[derive(Debug)]
enum State {
    /// Only blanks so far.
    Blank { at_line_start: bool },
    /// A word at line start that may be an SSE field name: which ones it fits, and its length.
    Word { field: usize, length: usize },
    /// `{`, and nothing but blanks after it on its line.
    Brace,
    /// `<`
    Angle,
    /// `[`, and nothing but spaces after it.
    Bracket,
    /// Inside the array of the first line.
    Array(Nesting),
    /// The array was closed on the first line.
    Closed,
    /// A later line, blank so far.
    NextLine,
}

#[derive(Debug)]
pub(super) struct Sniffer {
    state: State,
    seen: usize,
}

impl Sniffer {
    pub(super) fn new() -> Self {
        Sniffer { state: State::Blank { at_line_start: true }, seen: 0 }
    }

    /// Reads on until the container is known.
    pub(super) fn read(&mut self, chunk: &[u8]) -> Option<Container> {
        for &byte in chunk {
            if let Some(container) = self.step(byte) {
                return Some(container);
            }
            self.seen += 1;
            if self.seen >= WINDOW {
                return Some(self.likelier());
            }
        }
        None
    }

    /// The stream ended before anything was settled. `None` when it held nothing but blanks.
    pub(super) fn end(&self) -> Option<Container> {
        match self.state {
            State::Blank { .. } => None,
            _ => Some(self.likelier()),
        }
    }

    fn likelier(&self) -> Container {
        match self.state {
            State::Blank { .. } | State::Word { .. } | State::Brace => Container::JsonLines,
            State::Angle => Container::Html,
            State::Bracket | State::Array(_) | State::Closed | State::NextLine => Container::JsonArray,
        }
    }

    fn step(&mut self, byte: u8) -> Option<Container> {
        match &mut self.state {
            State::Blank { at_line_start } => match byte {
                b'\n' | b'\r' => *at_line_start = true,
                b' ' | b'\t' => *at_line_start = false,
                _ => {
                    let at_line_start = *at_line_start;
                    return self.first(byte, at_line_start);
                }
            },
            State::Word { field, length } => {
                let name = FIELDS.get(*field).copied().unwrap_or_default();
                match byte {
                    b':' | b'\n' | b'\r' if *length == name.len() => return Some(Container::Sse),
                    _ if name.get(*length) == Some(&byte) => *length += 1,
                    _ => return Some(Container::JsonLines),
                }
            }
            // An object that is alone on its first line with its bracket is printed over several lines.
            State::Brace => match byte {
                b' ' | b'\t' | b'\r' => {}
                b'\n' => return Some(Container::JsonSequence),
                _ => return Some(Container::JsonLines),
            },
            // `<34>` is a log's priority, `< ` a traced header; a page begins with a name, `!` or `?`.
            State::Angle => {
                let page = byte.is_ascii_alphabetic() || matches!(byte, b'!' | b'?' | b'/');
                return Some(if page { Container::Html } else { Container::JsonLines });
            }
            State::Bracket => match byte {
                b' ' | b'\t' | b'\r' => {}
                b'\n' => return Some(Container::JsonArray),
                b'{' | b'[' | b'"' | b'-' | b'0'..=b'9' | b't' | b'f' | b'n' | b']' => {
                    let mut nesting = Nesting::default();
                    nesting.step(b'[');
                    self.state = State::Array(nesting);
                    return self.step(byte);
                }
                _ => return Some(Container::JsonLines),
            },
            State::Array(nesting) => {
                if byte == b'\n' {
                    return Some(Container::JsonArray);
                }
                nesting.step(byte);
                if !nesting.is_open() {
                    self.state = State::Closed;
                }
            }
            State::Closed => match byte {
                b' ' | b'\t' | b'\r' => {}
                b'\n' => self.state = State::NextLine,
                _ => return Some(Container::JsonLines),
            },
            State::NextLine => {
                if !is_blank(byte) {
                    return Some(Container::JsonLines);
                }
            }
        }
        None
    }

    /// The first byte that is not blank.
    fn first(&mut self, byte: u8, at_line_start: bool) -> Option<Container> {
        self.state = match byte {
            0x1E => return Some(Container::JsonSequence),
            b'[' => State::Bracket,
            b'{' => State::Brace,
            b'<' => State::Angle,
            b':' if at_line_start => return Some(Container::Sse),
            _ => {
                // The four names differ in their first letter, so one byte picks the only candidate.
                let field = FIELDS.iter().position(|name| at_line_start && name.first() == Some(&byte));
                match field {
                    Some(field) => State::Word { field, length: 1 },
                    None => return Some(Container::JsonLines),
                }
            }
        };
        None
    }
}
