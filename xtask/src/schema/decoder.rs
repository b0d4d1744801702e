//! The JavaScript decoder of the packed layout.
//!
//! Straight-line code: fields at fixed places are read by offset from the last place that moved, and only what has no
//! fixed width moves the module's cursor. Absent keys stay absent, so optional keys are set after the literal.

use super::names;
use super::rust_packed::HEAD_WORDS;
use super::table::{Field, Object, Table, Type, Union};
use super::typescript::{plain, variant_name};
use std::fmt::Write as _;

/// JSON fields that the `raw` option speaks of. All others are always values.
const RAW_FIELDS: &[&str] = &["rawInput", "rawOutput", "extra"];

const OPENING: &str = include_str!("decoder.ts");

/// The decoder, to stand after the types.
pub fn decoder(table: &Table) -> String {
    let mut out = String::from(OPENING);
    for object in &table.structs {
        let body = object_body(&object.fields, &object.name, None, "  ", true);
        function(&mut out, &object.name, &body);
    }
    for union in &table.unions {
        function(&mut out, &union.name, &union_body(union));
    }
    for entry in listed(table) {
        list_function(&mut out, &entry);
    }
    update_function(&mut out, table);
    out.push_str(UPDATE_ALONE);
    batch_function(&mut out, table);
    out
}

fn function(out: &mut String, name: &str, body: &str) {
    let _ = writeln!(out, "\nfunction read{name}(w: Uint32Array, s: readonly string[]): {name} {{\n{body}}}");
}

/// Every type that stands in a list, once.
fn listed(table: &Table) -> Vec<Type> {
    let objects = table.structs.iter().chain(&table.updates);
    let variants = table.unions.iter().flat_map(|union| &union.variants);
    let mut found: Vec<Type> = Vec::new();
    for field in objects.chain(variants).flat_map(|object| &object.fields) {
        if let Type::List(entry) = &field.of
            && !found.contains(entry)
        {
            found.push((**entry).clone());
        }
    }
    found
}

fn list_name(entry: &Type) -> String {
    let name = plain(entry);
    let mut letters = name.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    format!("read{}{}List", first.map(String::from).unwrap_or_default(), letters.as_str())
}

/// Numbers and flags need no strings.
fn list_arguments(entry: &Type, count: &str) -> String {
    if matches!(entry, Type::Number | Type::Flag | Type::Words(_)) {
        format!("w, {count}")
    } else {
        format!("w, s, {count}")
    }
}

fn list_function(out: &mut String, entry: &Type) {
    let (value, width) = match entry {
        Type::Struct(name) | Type::Union(name) => (format!("read{name}(w, s)"), 0),
        fixed => (fixed_value(fixed, "w", "cursor", false), width(fixed)),
    };
    let of = plain(entry);
    let parameters = list_arguments(entry, "count")
        .replace("w", "w: Uint32Array")
        .replace(" s,", " s: readonly string[],");
    let _ = writeln!(out, "\nfunction {}({parameters}: number): {of}[] {{", list_name(entry));
    let _ = writeln!(
        out,
        "  const list: {of}[] = [];\n  for (let i = 0; i < count; i++) {{\n    list.push({value});"
    );
    if width > 0 {
        let _ = writeln!(out, "    cursor += {width};");
    }
    out.push_str("  }\n  return list;\n}\n");
}

/// Words of a type of fixed width; 0 for the others.
fn width(of: &Type) -> usize {
    match of {
        Type::Number => 2,
        Type::Text | Type::Json | Type::Flag | Type::Words(_) => 1,
        Type::Struct(_) | Type::Union(_) | Type::List(_) => 0,
    }
}

fn fixed_value(of: &Type, words: &str, at: &str, raw: bool) -> String {
    match of {
        Type::Text => format!("s[{words}[{at}]!]!"),
        Type::Json if raw => format!("rawValue(s[{words}[{at}]!]!)"),
        Type::Json => format!("jsonValue(s[{words}[{at}]!]!)"),
        Type::Number => format!("numberAt({words}, {at})"),
        Type::Flag => format!("{words}[{at}] !== 0"),
        Type::Words(name) => format!("{}[{words}[{at}]! - 1]!", names::constant(name)),
        Type::Struct(_) | Type::Union(_) | Type::List(_) => String::new(),
    }
}

/// An object literal; one key a line where one line would be too long.
fn object_literal(before: &str, keys: &[String], indent: &str) -> String {
    let line = format!("{indent}{before}{{ {} }};\n", keys.join(", "));
    if keys.is_empty() {
        return format!("{indent}{before}{{}};\n");
    }
    if line.len() <= 110 {
        return line;
    }
    let keys: String = keys.iter().map(|key| format!("{indent}  {key},\n")).collect();
    format!("{indent}{before}{{\n{keys}{indent}}};\n")
}

fn place(base: &str, offset: usize) -> String {
    if offset == 0 { base.to_owned() } else { format!("{base} + {offset}") }
}

fn is_raw(field: &Field) -> bool {
    field.of == Type::Json && RAW_FIELDS.contains(&field.name.as_str())
}

/// `out.name = value` under the condition that the field is there.
fn set_optional(field: &Field, at: &str, indent: &str) -> String {
    let name = &field.name;
    let value = if name == "extra" {
        format!("extraValue(w[{at}]!, s)")
    } else {
        fixed_value(&field.of, "w", at, is_raw(field))
    };
    match field.of {
        Type::Number => format!(
            "{indent}const {name} = {value};\n{indent}if ({name} === {name}) value.{name} = {name};\n"
        ),
        Type::Flag => format!("{indent}if (w[{at}] !== 0) value.{name} = true;\n"),
        _ if is_raw(field) => {
            format!("{indent}if (w[{at}] !== 0 && rawMode !== \"none\") value.{name} = {value};\n")
        }
        _ => format!("{indent}if (w[{at}] !== 0) value.{name} = {value};\n"),
    }
}

/// The statements that read an object whose words begin at `at` and return it. `moves`: the cursor must end behind it.
fn object_body(fields: &[Field], of: &str, head: Option<(&str, &str)>, indent: &str, moves: bool) -> String {
    let mut before = String::new();
    let mut literal: Vec<String> = head.map(|(key, word)| format!("{key}: \"{word}\"")).into_iter().collect();
    let mut after = String::new();
    let (mut base, mut offset, mut bases) = ("at".to_owned(), 0, 0);
    for field in fields {
        let name = &field.name;
        let at = place(&base, offset);
        if width(&field.of) > 0 {
            offset += width(&field.of);
            if field.optional {
                after.push_str(&set_optional(field, &at, indent));
            } else {
                literal.push(format!("{name}: {}", fixed_value(&field.of, "w", &at, is_raw(field))));
            }
            continue;
        }
        before.push_str(&variable_read(field, &base, offset, indent));
        if field.optional {
            let _ = writeln!(after, "{indent}if ({name} !== undefined) value.{name} = {name};");
        } else {
            literal.push(name.clone());
        }
        bases += 1;
        (base, offset) = (format!("at{bases}"), 0);
        let _ = writeln!(before, "{indent}const {base} = cursor;");
    }
    if moves && offset > 0 {
        let _ = writeln!(after, "{indent}cursor = {};", place(&base, offset));
    }
    let code = finished(of, &before, &literal, &after, indent);
    without_idle_bases(&format!("{indent}const at = cursor;\n{code}"))
}

fn finished(of: &str, before: &str, literal: &[String], after: &str, indent: &str) -> String {
    if after.is_empty() {
        return format!("{before}{}", object_literal("return ", literal, indent));
    }
    let literal = object_literal(&format!("const value: {of} = "), literal, indent);
    format!("{before}{literal}{after}{indent}return value;\n")
}

/// Drops the constants of places that nothing is read from.
fn without_idle_bases(code: &str) -> String {
    let mentions = |name: &str| {
        code.split(|letter: char| !letter.is_alphanumeric()).filter(|word| *word == name).count()
    };
    let idle = |line: &str| {
        let name = line.trim().strip_prefix("const ").and_then(|rest| rest.strip_suffix(" = cursor;"));
        name.is_some_and(|name| mentions(name) == 1)
    };
    code.lines().filter(|line| !idle(line)).map(|line| format!("{line}\n")).collect()
}

/// Reads a field without fixed width into a constant of its name and moves the cursor behind it.
fn variable_read(field: &Field, base: &str, offset: usize, indent: &str) -> String {
    let name = &field.name;
    let at = place(base, offset);
    // A base is where the cursor stands already.
    let here = if offset == 0 { String::new() } else { format!("{indent}cursor = {at};\n") };
    let behind = format!("{indent}cursor = {};\n", place(base, offset + 1));
    match (&field.of, field.optional) {
        (Type::List(entry), optional) => {
            let count = format!("w[{at}]! - 1");
            let read = format!("{}({})", list_name(entry), list_arguments(entry, &count));
            let read = if optional { format!("w[{at}] === 0 ? undefined : {read}") } else { read };
            format!("{behind}{indent}const {name} = {read};\n")
        }
        (Type::Struct(of), true) => {
            format!("{behind}{indent}const {name} = w[{at}] === 0 ? undefined : read{of}(w, s);\n")
        }
        (Type::Union(of), true) => {
            format!("{here}{indent}const {name} = w[{at}] === 0 ? (cursor++, undefined) : read{of}(w, s);\n")
        }
        (of, _) => format!("{here}{indent}const {name} = read{}(w, s);\n", plain(of)),
    }
}

fn union_body(union: &Union) -> String {
    let mut out = String::from("  switch (w[cursor++]) {\n");
    for (index, variant) in union.variants.iter().enumerate() {
        let last = index + 1 == union.variants.len();
        let label = if last { "default".to_owned() } else { format!("case {}", index + 1) };
        let body = object_body(
            &variant.fields,
            &variant_name(&union.name, variant),
            Some(("type", &variant.name)),
            "      ",
            true,
        );
        let _ = write!(out, "    {label}: {{\n{body}    }}\n");
    }
    out.push_str("  }\n");
    out
}

/// An update that is nothing but a content block: nearly always text, so that case reads no further than one word.
fn is_chunk(update: &Object) -> bool {
    matches!(update.fields.as_slice(), [Field { of: Type::Union(name), optional: false, .. }] if name == "ContentBlock")
}

fn update_function(out: &mut String, table: &Table) {
    out.push_str("\nfunction readUpdate(tag: number, w: Uint32Array, s: readonly string[]): SessionUpdate {\n  switch (tag) {\n");
    for (index, update) in table.updates.iter().enumerate() {
        let last = index + 1 == table.updates.len();
        let label = if last { "default".to_owned() } else { format!("case {}", index + 1) };
        let name = names::interface(&update.name);
        let body = object_body(&update.fields, &name, Some(("sessionUpdate", &update.name)), "      ", false);
        let _ = write!(out, "    {label}: {{\n{body}    }}\n");
    }
    out.push_str("  }\n}\n");
}

fn batch_function(out: &mut String, table: &Table) {
    let fields = HEAD_WORDS + table.envelope.len();
    out.push_str(BATCH_DOC);
    out.push_str(BATCH_OPENING);
    out.push_str("    ");
    text_chunks(out, table, fields);
    let _ = writeln!(out, "{{\n      cursor = at + {fields};\n      update = readUpdate(tag, w, s);\n    }}");
    out.push_str(BATCH_SOURCE);
    out.push_str(&envelope_literals(table));
    out.push_str("    const value: UiEvent = { seq: seq++, update, source };\n");
    for (index, field) in table.envelope.iter().enumerate() {
        let at = format!("at + {}", HEAD_WORDS + index);
        if field.of == Type::Number {
            let _ = writeln!(out, "    if (w[{at}] !== 0) value.{} = w[{at}]! - 1;", field.name);
        } else {
            out.push_str(&set_optional(field, &at, "    "));
        }
    }
    out.push_str("    events.push(value);\n  }\n  return events;\n}\n");
}

/// `if` branches for chunks that hold text, each with an open `else` behind it.
fn text_chunks(out: &mut String, table: &Table, fields: usize) {
    let block = table.unions.iter().find(|union| union.name == "ContentBlock");
    let text = block.and_then(|union| union.variants.iter().position(|variant| variant.name == "text"));
    let Some(text) = text else { return };
    for (index, update) in table.updates.iter().enumerate().filter(|(_, update)| is_chunk(update)) {
        let (tag, text, word) = (index + 1, text + 1, fields + 1);
        let _ = writeln!(out, "if (tag === {tag} && w[at + {fields}] === {text}) {{");
        let content = format!("{{ type: \"text\", text: s[w[at + {word}]!]! }}");
        let _ = writeln!(out, "      update = {{ sessionUpdate: \"{}\", content: {content} }};", update.name);
        out.push_str("    } else ");
    }
}

/// Envelopes of these fields, each there or not, are made by one literal. Objects that get their fields one by one keep
/// them in a store beside the object, which made the decoding of token deltas 1.5 times as dear.
const LITERAL_FIELDS: [&str; 4] = ["sessionId", "timestamp", "messageId", "extra"];

/// One literal for each set of the usual fields.
fn envelope_literals(table: &Table) -> String {
    let place = |name: &str| {
        let at = table.envelope.iter().position(|field| field.name == name).unwrap_or_default();
        format!("w[at + {}]", HEAD_WORDS + at)
    };
    let usual = |name: &str| name == "item" || LITERAL_FIELDS.contains(&name);
    let others = table.envelope.iter().filter(|field| !usual(&field.name)).map(|field| place(&field.name));
    let others = others.map(|word| format!("{word}!")).collect::<Vec<_>>().join(" | ");
    let bit = |(bit, name): (usize, &&str)| {
        let raw = if *name == "extra" { " && rawMode !== \"none\"" } else { "" };
        let test = format!("{} !== 0{raw}", place(name));
        format!("({test} ? {} : 0)", 1 << bit)
    };
    let mask = LITERAL_FIELDS.iter().enumerate().map(bit).collect::<Vec<_>>().join(" | ");
    let mut out = format!(
        "    if ({} !== 0 && ({others}) === 0) {{\n      const item = {}! - 1;\n",
        place("item"),
        place("item")
    );
    let _ = writeln!(out, "      switch ({mask}) {{");
    for set in 1..1 << LITERAL_FIELDS.len() {
        let mut fields = String::from("seq: seq++, update, source, item");
        for (bit, name) in LITERAL_FIELDS.iter().enumerate().filter(|(bit, _)| set >> bit & 1 == 1) {
            let _ = bit;
            let word = place(name);
            let value =
                if *name == "extra" { format!("extraValue({word}!, s)") } else { format!("s[{word}!]!") };
            let _ = write!(fields, ", {name}: {value}");
        }
        let _ =
            writeln!(out, "        case {set}:\n          events.push({{ {fields} }});\n          continue;");
    }
    out.push_str("      }\n    }\n");
    out
}

const UPDATE_ALONE: &str = "
/** The update whose tag stands at word `at`. */
export function updateAt(w: Uint32Array, at: number, s: readonly string[]): SessionUpdate {
  rawMode = \"value\";
  cursor = at + 1;
  return readUpdate(w[at]!, w, s);
}
";

const BATCH_DOC: &str = "
/**
 * Makes the events of one packed batch (layout: src/event/batch.rs).
 *
 * `w`: memory that holds the packed records from word `start` up to word `end`. `s`: the strings, `s[0]` is empty.
 * `firstSeq`: `seq` of the first event. `memo`: of the stream. Nothing in the result refers to `w`, which may change
 * later.
 */
";

const BATCH_OPENING: &str = "export function decodeBatch(
  w: Uint32Array,
  start: number,
  end: number,
  s: readonly string[],
  firstSeq: number,
  raw: RawMode,
  memo: Repeated,
): UiEvent[] {
  rawMode = raw;
  repeated = memo;
  extraWord = 0;
  const events: UiEvent[] = [];
  let seq = firstSeq;
  let next = start;
  while (next < end) {
    const at = next;
    // The high bit marks a chunk like the one before.
    next = at + (w[at]! & 0x7fffffff);
    const tag = w[at + 1]!;
    let update: SessionUpdate;
";

const BATCH_SOURCE: &str = "    const source: Source = {
      offset: longAt(w, at + 2),
      length: longAt(w, at + 4),
      line: w[at + 6]!,
    };
";
