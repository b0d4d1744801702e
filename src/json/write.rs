//! Writing small JSON texts into a string.

use std::fmt::Write;

use super::lanes::find_string_stop;

/// Appends the text as a JSON string, quotes included.
///
/// Escapes what JSON must escape and nothing else; U+2028 and U+2029 stay raw.
pub fn write_string(out: &mut String, text: &str) {
    let bytes = text.as_bytes();
    out.push('"');
    let mut copied = 0;
    loop {
        let at = find_string_stop(bytes, copied);
        out.push_str(text.get(copied..at).unwrap_or(""));
        let Some(byte) = bytes.get(at) else { break };
        write_escape(out, *byte);
        copied = at + 1;
    }
    out.push('"');
}

fn write_escape(out: &mut String, byte: u8) {
    let short = match byte {
        b'"' | b'\\' => char::from(byte),
        b'\n' => 'n',
        b'\r' => 'r',
        b'\t' => 't',
        0x08 => 'b',
        0x0c => 'f',
        _ => {
            let digit = |value: u8| char::from(b"0123456789abcdef"[usize::from(value & 0xf)]);
            out.push_str("\\u00");
            out.push(digit(byte >> 4));
            out.push(digit(byte));
            return;
        }
    };
    out.push('\\');
    out.push(short);
}

mod sealed {
    pub trait Sealed {}
}

/// A number [`ObjectWriter::number`] can write.
pub trait Number: sealed::Sealed + Copy {
    /// Appends the literal.
    fn write(self, out: &mut String);
}

macro_rules! integers {
    ($($integer:ty),*) => {$(
        impl sealed::Sealed for $integer {}
        impl Number for $integer {
            fn write(self, out: &mut String) {
                // Writing to a string cannot fail.
                let _ = write!(out, "{self}");
            }
        }
    )*};
}

integers!(u16, u32, u64, usize, i32, i64);

impl sealed::Sealed for f64 {}
impl Number for f64 {
    /// The shortest literal that reads back as the same number; `null` when it is not finite.
    fn write(self, out: &mut String) {
        if !self.is_finite() {
            out.push_str("null");
            return;
        }
        // Plain notation spells out every zero of 1e300, the other one writes 3 as 3.0. Writing cannot fail.
        let _ = match self.abs() {
            1e-5..1e16 => write!(out, "{self}"),
            _ => write!(out, "{self:?}"),
        };
    }
}

/// Writes one object into a string, member by member.
///
/// Keys are written as given, in this order; a repeated key is a duplicate. [`finish`](Self::finish) closes it.
#[derive(Debug)]
#[must_use = "an object is closed by `finish`"]
pub struct ObjectWriter<'s> {
    out: &'s mut String,
    empty: bool,
    open: bool,
}

impl<'s> ObjectWriter<'s> {
    /// Starts an object at the end of the string.
    pub fn new(out: &'s mut String) -> ObjectWriter<'s> {
        out.push('{');
        ObjectWriter { out, empty: true, open: true }
    }

    /// Adds a string.
    pub fn text(&mut self, key: &str, text: &str) -> &mut Self {
        self.key(key);
        write_string(self.out, text);
        self
    }

    /// Adds a value that is JSON already; it is not checked.
    pub fn raw(&mut self, key: &str, json: &str) -> &mut Self {
        self.key(key);
        self.out.push_str(json);
        self
    }

    /// Adds a number; one that is not finite becomes `null`.
    pub fn number(&mut self, key: &str, number: impl Number) -> &mut Self {
        self.key(key);
        number.write(self.out);
        self
    }

    /// Adds `true` or `false`.
    pub fn bool(&mut self, key: &str, value: bool) -> &mut Self {
        self.raw(key, if value { "true" } else { "false" })
    }

    /// Nothing was added yet.
    pub fn is_empty(&self) -> bool {
        self.empty
    }

    /// Closes the object. A second call does nothing.
    pub fn finish(&mut self) {
        if self.open {
            self.out.push('}');
            self.open = false;
        }
    }

    fn key(&mut self, key: &str) {
        if !self.empty {
            self.out.push(',');
        }
        self.empty = false;
        write_string(self.out, key);
        self.out.push(':');
    }
}
