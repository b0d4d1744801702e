//! The TypeScript types and the lists of words.

use super::names;
use super::table::{Field, Object, Table, Type};
use std::fmt::Write as _;

/// Longest line.
const WIDTH: usize = 110;

/// The declarations that stand before the decoder.
pub fn types(table: &Table) -> String {
    let mut out = String::new();
    for words in &table.enums {
        let quoted: Vec<String> = words.words.iter().map(|word| format!("\"{word}\"")).collect();
        doc(&mut out, words.doc.as_deref(), "");
        let _ = writeln!(out, "export type {} ={};\n", words.name, alternatives(&quoted));
        let _ = writeln!(out, "/** Every `{}`. */", words.name);
        let constant = names::constant(&words.name);
        let line = format!(
            "export const {constant} = [{}] as const satisfies readonly {}[];\n",
            quoted.join(", "),
            words.name
        );
        if line.len() <= WIDTH {
            let _ = writeln!(out, "{line}");
        } else {
            let _ = writeln!(out, "export const {constant} = [");
            quoted.iter().for_each(|word| {
                let _ = writeln!(out, "  {word},");
            });
            let _ = writeln!(out, "] as const satisfies readonly {}[];\n", words.name);
        }
    }
    for object in &table.structs {
        interface(&mut out, &object.name, object, None);
    }
    for union in &table.unions {
        for variant in &union.variants {
            interface(&mut out, &variant_name(&union.name, variant), variant, Some("type"));
        }
        let names: Vec<String> =
            union.variants.iter().map(|variant| variant_name(&union.name, variant)).collect();
        doc(&mut out, union.doc.as_deref(), "");
        let _ = writeln!(out, "export type {} ={};\n", union.name, alternatives(&names));
    }
    for update in &table.updates {
        interface(&mut out, &names::interface(&update.name), update, Some("sessionUpdate"));
    }
    session_update(&mut out, table);
    event(&mut out, table);
    out
}

/// The members of a union type, one a line where they would not fit in one.
fn alternatives(members: &[String]) -> String {
    let line = format!(" {}", members.join(" | "));
    if line.len() + 30 <= WIDTH {
        line
    } else {
        members.iter().map(|member| format!("\n  | {member}")).collect()
    }
}

/// The interface of one variant of a union: `ContentBlock`, `image` -> `ContentBlockImage`.
pub fn variant_name(union: &str, variant: &Object) -> String {
    format!("{union}{}", names::pascal(&variant.name))
}

/// The TypeScript type of a value.
pub fn plain(of: &Type) -> String {
    match of {
        Type::Text => "string".into(),
        Type::Json => "unknown".into(),
        Type::Number => "number".into(),
        Type::Flag => "boolean".into(),
        Type::Words(name) | Type::Struct(name) | Type::Union(name) => name.clone(),
        Type::List(entry) => format!("{}[]", plain(entry)),
    }
}

fn doc(out: &mut String, text: Option<&str>, indent: &str) {
    let Some(text) = text else { return };
    let lines: Vec<&str> = text.lines().collect();
    if let [line] = lines.as_slice() {
        let _ = writeln!(out, "{indent}/** {line} */");
        return;
    }
    let _ = writeln!(out, "{indent}/**");
    for line in lines {
        let _ = writeln!(out, "{indent} * {line}");
    }
    let _ = writeln!(out, "{indent} */");
}

fn field(out: &mut String, field: &Field) {
    doc(out, field.doc.as_deref(), "  ");
    let mark = if field.optional { "?" } else { "" };
    let of = match field.name.as_str() {
        "extra" => "Record<string, unknown>".into(),
        _ if field.optional && field.of == Type::Flag => "true".into(),
        _ => plain(&field.of),
    };
    let _ = writeln!(out, "  {}{mark}: {of};", field.name);
}

fn interface(out: &mut String, name: &str, object: &Object, discriminant: Option<&str>) {
    doc(out, object.doc.as_deref(), "");
    let _ = writeln!(out, "export interface {name} {{");
    if let Some(key) = discriminant {
        let _ = writeln!(out, "  {key}: \"{}\";", object.name);
    }
    object.fields.iter().for_each(|one| field(out, one));
    out.push_str("}\n\n");
}

fn session_update(out: &mut String, table: &Table) {
    out.push_str("/** What happened; told apart by `sessionUpdate`. */\nexport type SessionUpdate =");
    for update in &table.updates {
        let _ = write!(out, "\n  | {}", names::interface(&update.name));
    }
    out.push_str(";\n\n/** Every `sessionUpdate` word. */\nexport const SESSION_UPDATES = [");
    for update in &table.updates {
        let _ = write!(out, "\n  \"{}\",", update.name);
    }
    out.push_str("\n] as const satisfies readonly SessionUpdate[\"sessionUpdate\"][];\n\n");
}

fn event(out: &mut String, table: &Table) {
    out.push_str("/** The record whose arrival caused an event. */\nexport interface Source {\n");
    out.push_str("  /** First byte, counted from the start of the stream. */\n  offset: number;\n");
    out.push_str("  /** Bytes, without the record's terminator. */\n  length: number;\n");
    out.push_str("  /** Line of the first byte, from 1. */\n  line: number;\n");
    out.push_str("  /** Name of the file, where one run came in several (`transcript.input`); absent for the stream itself. */\n  input?: string;\n}\n\n");
    out.push_str("/** One normalized event. A key that the wire did not fill is absent. */\nexport interface UiEvent {\n");
    out.push_str("  /** Number of the event in its stream, from 0. */\n  seq: number;\n  /** What happened. */\n  update: SessionUpdate;\n");
    table.envelope.iter().for_each(|one| field(out, one));
    out.push_str("  /** The record whose arrival caused the event. */\n  source: Source;\n}\n\n");
}
