//! Which part of the project each byte of the wasm module's code belongs to.
//!
//! Reads the module as cargo left it, where every function still has its name: wasm-opt drops the names, inlines across
//! parts and takes off about a seventh, so these are shares, not what ships. A name tells where a function was written,
//! not for whom it was copied: `Vec<Event>::push` counts as the library's. Only drop glue has no writer and counts for its
//! type. Rooms and dialects are found by their names, so a new one has a row without being listed here.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result};
use rustc_demangle::demangle;
use wasmparser::{KnownCustom, Name, Parser, Payload};

/// The order of the rows. One that ends in a blank stands for all that begin so, the empty one for rooms not known here.
const ORDER: &[&str] = &[
    "framing",
    "json",
    "event",
    "dialect: ",
    DIALECT_SHARED,
    "normalize",
    "transcript",
    "check",
    PIPELINE,
    BOUNDARY,
    LIVE,
    "",
    LIBRARY,
    FORMATTING,
    "outside: hashbrown",
    "outside: dlmalloc",
    "outside: memchr",
    GLUE,
    OUTSIDE,
    DESCRIPTIONS,
];

const DIALECT_SHARED: &str = "dialects, shared tables and content";
const PIPELINE: &str = "pipeline";
const BOUNDARY: &str = "boundary (web/bindings)";
const LIVE: &str = "live sources (web/source)";
const LIBRARY: &str = "outside: core, alloc, std";
const FORMATTING: &str = "outside: core::fmt and number printing";
const GLUE: &str = "outside: wasm-bindgen, js-sys, serde";
const OUTSIDE: &str = "outside: others";
/// What wasm-bindgen runs to learn the signatures and then removes.
const DESCRIPTIONS: &str = "not shipped: wasm-bindgen's descriptions";

const CRATE: &str = "agent_ui_events";

/// Bytes of code and functions by part.
#[derive(Default)]
pub struct Parts {
    rows: BTreeMap<String, (usize, usize)>,
    /// Bytes of constant data: tables and texts, which no name tells apart.
    data: usize,
}

impl Parts {
    /// Reads a module that still has its names. `dialects` are the names of the rows of the dialect table.
    pub fn of(module: &Path, dialects: &[&str]) -> Result<Parts> {
        let bytes = std::fs::read(module).with_context(|| format!("cannot read {}", module.display()))?;
        let mut imported = 0;
        let mut sizes = Vec::new();
        let mut names = BTreeMap::new();
        let mut parts = Parts::default();
        for payload in Parser::new(0).parse_all(&bytes) {
            match payload? {
                Payload::ImportSection(section) => {
                    for import in section.into_imports() {
                        imported += u32::from(matches!(import?.ty, wasmparser::TypeRef::Func(_)));
                    }
                }
                Payload::CodeSectionEntry(body) => sizes.push(body.range().len()),
                Payload::DataSection(section) => parts.data += section.range().len(),
                Payload::CustomSection(section) => {
                    let KnownCustom::Name(section) = section.as_known() else { continue };
                    for subsection in section {
                        let Name::Function(map) = subsection? else { continue };
                        for naming in map {
                            let naming = naming?;
                            names.insert(naming.index, naming.name);
                        }
                    }
                }
                _ => {}
            }
        }
        for (index, size) in (imported..).zip(sizes) {
            let name = names.get(&index).context("the module has functions without names")?;
            let row = parts.rows.entry(part_of(name, dialects)).or_default();
            row.0 += size;
            row.1 += 1;
        }
        Ok(parts)
    }

    /// One line per part, then the sums.
    pub fn table(&self) -> String {
        let mut rows: Vec<_> = self.rows.iter().map(|(part, sizes)| (part.as_str(), *sizes)).collect();
        rows.sort_by_key(|(part, _)| (place(part), *part));
        let (bytes, count) = rows.iter().fold((0, 0), |sum, (_, row)| (sum.0 + row.0, sum.1 + row.1));
        let mut text =
            format!("{:<44}{:>10}{:>10}{:>8}\n", "part, before wasm-opt", "bytes", "functions", "%");
        let mut line = |part: &str, bytes: usize, functions: &str, of: usize| {
            let share = 100.0 * bytes as f64 / of.max(1) as f64;
            text += &format!("{part:<44}{bytes:>10}{functions:>10}{share:>8.1}\n");
        };
        for (part, (bytes_of_part, functions)) in rows {
            line(part, bytes_of_part, &functions.to_string(), bytes);
        }
        line("all code", bytes, &count.to_string(), bytes);
        text += &format!("{:<44}{:>10}\n", "tables and texts of all parts (data)", self.data);
        text
    }
}

fn place(part: &str) -> Option<usize> {
    let stands = |row: &str| row == part || (row.ends_with(' ') && part.starts_with(row));
    ORDER.iter().position(|row| stands(row)).or_else(|| ORDER.iter().position(|row| row.is_empty()))
}

/// The part a function belongs to, by the name in the module: mangled in either way, or a plain C name.
fn part_of(symbol: &str, dialects: &[&str]) -> String {
    if symbol.contains("describe") {
        return DESCRIPTIONS.to_owned();
    }
    // Without the hashes that end names of the older kind and mark crates in the newer one.
    let name = format!("{:#}", demangle(symbol));
    let segments = path(&name);
    let Some((root, rest)) = segments.split_first() else { return plain_name(&name) };
    match *root {
        CRATE => room(rest, dialects),
        "core" | "alloc" | "std" | "compiler_builtins" | "__rustc" => match rest.first() {
            Some(&"fmt" | &"num" | &"flt2dec") => FORMATTING.to_owned(),
            _ => LIBRARY.to_owned(),
        },
        "hashbrown" | "dlmalloc" | "memchr" => format!("outside: {root}"),
        root if is_glue(root) => GLUE.to_owned(),
        _ => OUTSIDE.to_owned(),
    }
}

fn is_glue(root: &str) -> bool {
    let beginnings = ["wasm_bindgen", "js_sys", "web_sys", "serde", "gloo", "futures", "once_cell", "tokio"];
    beginnings.iter().any(|beginning| root.starts_with(beginning))
}

/// Names outside any path: what C would call, wasm-bindgen's own exports, and the exports of our classes.
fn plain_name(name: &str) -> String {
    let part = match name {
        "memcpy" | "memmove" | "memset" | "memcmp" | "bcmp" | "strlen" => LIBRARY,
        name if name.starts_with("__wbg_") && name.ends_with("_free") => BOUNDARY,
        name if ["__wbindgen", "__wbg", "__externref"].iter().any(|start| name.starts_with(start)) => GLUE,
        name if name.starts_with("__") => LIBRARY,
        _ => BOUNDARY,
    };
    part.to_owned()
}

fn room(rest: &[&str], dialects: &[&str]) -> String {
    match rest {
        ["dialect", dialect, ..] if dialects.contains(dialect) => format!("dialect: {dialect}"),
        ["dialect", ..] => DIALECT_SHARED.to_owned(),
        ["web", "source", ..] => LIVE.to_owned(),
        ["web", ..] => BOUNDARY.to_owned(),
        // The few functions that stand in files of their own beside the rooms.
        ["pipeline" | "hash", ..] => PIPELINE.to_owned(),
        // A lone segment is a function or type; rooms have something in them.
        [room, _, ..] => (*room).to_owned(),
        _ => PIPELINE.to_owned(),
    }
}

/// The segments of the first path in a demangled name that has at least two; of drop glue, those of what is dropped.
fn path(name: &str) -> Vec<&str> {
    let glue = "core::ptr::drop_in_place";
    let name = name.strip_prefix(glue).filter(|dropped| path_start(dropped).is_some()).unwrap_or(name);
    let Some(start) = path_start(name) else { return Vec::new() };
    let path = &name[start..];
    let end = path.find(|letter: char| !is_word(letter) && letter != ':').unwrap_or(path.len());
    path[..end].split("::").filter(|segment| !segment.is_empty()).collect()
}

/// Where the first `word::` begins. `T` of `<T as crate::Trait>` is no path, nor is the `::` before generic arguments.
fn path_start(name: &str) -> Option<usize> {
    name.match_indices("::").find_map(|(at, _)| {
        let start = name[..at].rfind(|letter: char| !is_word(letter)).map_or(0, |before| before + 1);
        (start < at).then_some(start)
    })
}

fn is_word(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_both_manglings_tell_their_part() {
        let parts = [
            ("_ZN15agent_ui_events7dialect6claude4Line4tell17h0123456789abcdefE", "dialect: claude"),
            ("_RNvNtNtCs1234_15agent_ui_events4json8validate4word", "json"),
            (
                "_ZN4core3ptr52drop_in_place$LT$agent_ui_events..framing..Carry$GT$17h0123456789abcdefE",
                "framing",
            ),
            (
                "_ZN98_$LT$agent_ui_events..pipeline..Reader$u20$as$u20$agent_ui_events..framing..source..RecordSink$GT$6record17h0123456789abcdefE",
                "pipeline",
            ),
            (
                "_ZN9hashbrown3raw21RawTable$LT$T$C$A$GT$14reserve_rehash17h0123456789abcdefE",
                "outside: hashbrown",
            ),
            ("_ZN4core3fmt9Formatter3pad17h0123456789abcdefE", FORMATTING),
            ("_ZN5alloc7raw_vec19RawVec$LT$T$C$A$GT$8grow_one17h0123456789abcdefE", LIBRARY),
            ("_ZN15agent_ui_events7dialect5tools6claude4kind17h0123456789abcdefE", DIALECT_SHARED),
            ("_ZN15agent_ui_events3web6source4open17h0123456789abcdefE", LIVE),
            ("normalizerhandle_push", BOUNDARY),
            ("__wbg_normalizerhandle_free", BOUNDARY),
            ("__wbindgen_malloc", GLUE),
            ("memcpy", LIBRARY),
            ("__wbindgen_describe_detect", DESCRIPTIONS),
            (
                "_ZN53_$LT$T$u20$as$u20$agent_ui_events..newroom..Thing$GT$4name17h0123456789abcdefE",
                "newroom",
            ),
        ];
        for (symbol, part) in parts {
            assert_eq!(part_of(symbol, &["claude"]), part, "{symbol}");
        }
    }

    #[test]
    fn rooms_keep_their_order_and_new_ones_stand_between_ours_and_the_libraries() {
        let mut parts = ["outside: hashbrown", LIVE, "newroom", "dialect: vent", "json", "dialect: acp"];
        parts.sort_by_key(|part| (place(part), *part));
        assert_eq!(parts, ["json", "dialect: acp", "dialect: vent", LIVE, "newroom", "outside: hashbrown"]);
    }
}
