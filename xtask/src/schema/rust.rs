//! The Rust types: closed words, structs, unions, updates, envelope.

use super::names;
use super::table::{Field, Object, Table, Type, Union, Words};
use std::fmt::Write as _;

/// The declarations, not yet formatted.
pub fn types(table: &Table) -> String {
    let mut out = String::from(
        "use super::batch::{Batch, Reader};\nuse super::write::{ObjectWriter, write_list};\nuse super::{Json, List, UiEvent};\n\n",
    );
    for words in &table.enums {
        closed_words(&mut out, words);
    }
    for object in &table.structs {
        structure(&mut out, table, &object.name, object);
    }
    for union in &table.unions {
        union_type(&mut out, table, union);
    }
    for update in &table.updates {
        structure(&mut out, table, &names::pascal(&update.name), update);
    }
    envelope(&mut out, table);
    update_enum(&mut out, table);
    out
}

/// Doc comment lines.
pub fn doc(out: &mut String, text: Option<&str>) {
    for line in text.unwrap_or_default().lines() {
        let _ = writeln!(out, "/// {line}");
    }
}

/// `<'a>` where the fields borrow.
pub fn lifetime(table: &Table, fields: &[Field]) -> &'static str {
    if table.any_borrows(fields) { "<'a>" } else { "" }
}

/// The Rust type of a value, without its optionality.
fn plain(table: &Table, of: &Type) -> String {
    match of {
        Type::Text => "&'a str".into(),
        Type::Json => "Json<'a>".into(),
        Type::Number => "f64".into(),
        Type::Flag => "bool".into(),
        Type::Words(name) => name.clone(),
        Type::Struct(name) | Type::Union(name) if table.borrows(of) => format!("{name}<'a>"),
        Type::Struct(name) | Type::Union(name) => name.clone(),
        Type::List(entry) => format!("List<'a, {}>", plain(table, entry)),
    }
}

fn declared(table: &Table, field: &Field) -> String {
    let plain = plain(table, &field.of);
    // An absent flag and a false one mean the same, so there is one way to say it.
    if field.optional && field.of != Type::Flag { format!("Option<{plain}>") } else { plain }
}

fn closed_words(out: &mut String, words: &Words) {
    let name = &words.name;
    doc(out, words.doc.as_deref().or(Some("A closed set of words.")));
    let _ = writeln!(
        out,
        "#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]\npub enum {name} {{\n#[default]"
    );
    for word in &words.words {
        let _ = writeln!(out, "/// `{word}`\n{},", names::pascal(word));
    }
    let _ = writeln!(out, "}}\n\nimpl {name} {{");
    let all: Vec<String> = words.words.iter().map(|word| format!("Self::{}", names::pascal(word))).collect();
    let _ = writeln!(
        out,
        "/// Every word, in the table's order.\npub const ALL: &'static [Self] = &[{}];\n",
        all.join(", ")
    );
    out.push_str(
        "/// The word as it stands in JavaScript.\npub fn as_str(self) -> &'static str {\nmatch self {\n",
    );
    for word in &words.words {
        let _ = writeln!(out, "Self::{} => \"{word}\",", names::pascal(word));
    }
    out.push_str("}\n}\n\n/// The member a word names; `None` for a word outside the set.\n");
    out.push_str("pub fn from_word(word: &str) -> Option<Self> {\nSelf::ALL.iter().copied().find(|one| one.as_str() == word)\n}\n\n");
    out.push_str("fn from_packed(word: u32) -> Option<Self> {\nSelf::ALL.get((word as usize).wrapping_sub(1)).copied()\n}\n\n");
    out.push_str("pub(crate) fn packed(self) -> u32 {\nself as u32 + 1\n}\n}\n\n");
}

fn fields(out: &mut String, table: &Table, fields: &[Field], visibility: &str) {
    for field in fields {
        doc(out, field.doc.as_deref());
        let _ = writeln!(out, "{visibility}{}: {},", names::field(&field.name), declared(table, field));
    }
}

fn structure(out: &mut String, table: &Table, name: &str, object: &Object) {
    doc(out, object.doc.as_deref());
    let generics = lifetime(table, &object.fields);
    let _ = writeln!(out, "#[derive(Clone, Debug, Default, PartialEq)]\npub struct {name}{generics} {{");
    fields(out, table, &object.fields, "pub ");
    out.push_str("}\n\n");
}

/// Every field of every variant.
pub fn all_fields(union: &Union) -> Vec<Field> {
    union.variants.iter().flat_map(|variant| variant.fields.iter().cloned()).collect()
}

fn union_type(out: &mut String, table: &Table, union: &Union) {
    doc(out, union.doc.as_deref());
    let generics = lifetime(table, &all_fields(union));
    let _ = writeln!(out, "#[derive(Clone, Debug, PartialEq)]\npub enum {}{generics} {{", union.name);
    for variant in &union.variants {
        doc(out, variant.doc.as_deref());
        let _ = writeln!(out, "{} {{", names::pascal(&variant.name));
        fields(out, table, &variant.fields, "");
        out.push_str("},\n");
    }
    out.push_str("}\n\n");
    let Some(first) = union.variants.first() else { return };
    let elided = if generics.is_empty() { "" } else { "<'_>" };
    let _ = writeln!(
        out,
        "impl Default for {}{elided} {{\nfn default() -> Self {{\nSelf::{} {{",
        union.name,
        names::pascal(&first.name)
    );
    for field in &first.fields {
        let _ = writeln!(out, "{}: Default::default(),", names::field(&field.name));
    }
    out.push_str("}\n}\n}\n\n");
}

fn envelope(out: &mut String, table: &Table) {
    out.push_str("/// What stands beside `update`; each field only where the wire said it.\n");
    out.push_str("#[derive(Clone, Copy, Debug, Default, PartialEq)]\npub struct Envelope<'a> {\n");
    for field in &table.envelope {
        doc(out, field.doc.as_deref());
        let of = if field.of == Type::Number { "Option<u32>".into() } else { declared(table, field) };
        let _ = writeln!(out, "pub {}: {of},", names::field(&field.name));
    }
    out.push_str("}\n\n");
}

fn update_enum(out: &mut String, table: &Table) {
    out.push_str("/// What happened; told apart by `sessionUpdate`.\n#[derive(Clone, Debug, PartialEq)]\npub enum Update<'a> {\n");
    for update in &table.updates {
        let name = names::pascal(&update.name);
        doc(out, update.doc.as_deref());
        let _ = writeln!(out, "{name}({name}{}),", lifetime(table, &update.fields));
    }
    out.push_str("}\n\nimpl Update<'_> {\n/// Every `sessionUpdate` word, in the table's order.\npub const NAMES: &'static [&'static str] = &[");
    for update in &table.updates {
        let _ = write!(out, "\"{}\", ", update.name);
    }
    out.push_str("];\n\n/// The `sessionUpdate` word.\npub fn name(&self) -> &'static str {\nmatch self {\n");
    for update in &table.updates {
        let _ = writeln!(out, "Self::{}(_) => \"{}\",", names::pascal(&update.name), update.name);
    }
    out.push_str("}\n}\n}\n\n");
    for update in &table.updates {
        let name = names::pascal(&update.name);
        let generics = lifetime(table, &update.fields);
        let _ = writeln!(
            out,
            "impl<'a> From<{name}{generics}> for Update<'a> {{\nfn from(body: {name}{generics}) -> Self {{\nSelf::{name}(body)\n}}\n}}\n"
        );
    }
}
