//! The pieces of JSON output that the generated code puts together.

use std::fmt::Write as _;

use super::Json;
use crate::framing::Source;

/// Writes one object: keys from the table, so they need no escaping, and commas between.
pub(super) struct ObjectWriter<'o> {
    out: &'o mut String,
    empty: bool,
}

impl<'o> ObjectWriter<'o> {
    pub(super) fn open(out: &'o mut String) -> Self {
        out.push('{');
        Self { out, empty: true }
    }

    /// Writes the key; the caller appends exactly one value to what it gets.
    pub(super) fn key(&mut self, key: &str) -> &mut String {
        self.out.push_str(if self.empty { "\"" } else { ",\"" });
        self.empty = false;
        self.out.push_str(key);
        self.out.push_str("\":");
        self.out
    }

    /// A value that is a word of the table.
    pub(super) fn word(&mut self, key: &str, word: &str) {
        let out = self.key(key);
        out.push('"');
        out.push_str(word);
        out.push('"');
    }

    pub(super) fn integer(&mut self, key: &str, value: u64) {
        let _ = write!(self.key(key), "{value}");
    }

    pub(super) fn close(self) {
        self.out.push('}');
    }
}

pub(super) fn write_list<T>(out: &mut String, entries: &[T], write: impl Fn(&mut String, &T)) {
    out.push('[');
    for (index, entry) in entries.iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        write(out, entry);
    }
    out.push(']');
}

/// Integers without a point, as JavaScript prints them; what JSON cannot say becomes `null`.
pub(super) fn write_number(out: &mut String, value: f64) {
    let size = value.abs();
    let _ = if !value.is_finite() {
        out.push_str("null");
        Ok(())
    } else if size < 9e15 && value.trunc() == value {
        write!(out, "{}", value as i64)
    } else if !(1e-6..1e21).contains(&size) {
        // Plain notation would take up to 300 digits.
        write!(out, "{value:e}")
    } else {
        write!(out, "{value}")
    };
}

pub(super) fn write_flag(out: &mut String, value: bool) {
    out.push_str(if value { "true" } else { "false" });
}

/// The value as it stood on the wire. Line ends can only be blanks between its tokens; they become spaces, so that the
/// event stays one line.
pub(super) fn write_raw(out: &mut String, raw: Json<'_>) {
    let mut rest = raw.0;
    if rest.is_empty() {
        out.push_str("null");
    }
    while let Some((line, more)) = rest.split_once(['\n', '\r']) {
        out.push_str(line);
        out.push(' ');
        rest = more;
    }
    out.push_str(rest);
}

pub(super) fn write_source(out: &mut String, source: Source) {
    let mut object = ObjectWriter::open(out);
    object.integer("offset", source.offset);
    object.integer("length", source.length);
    object.integer("line", source.line);
    if source.input > 0 {
        object.integer("input", u64::from(source.input));
    }
    object.close();
}
