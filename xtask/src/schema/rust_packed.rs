//! The Rust code that packs, unpacks and writes JSON: one pass over the fields each, in the table's order.

use super::names;
use super::rust::{all_fields, lifetime};
use super::table::{Field, Object, Table, Type, Union};
use std::fmt::Write as _;

/// Fields that repeat from update to update and therefore share the string of the update before.
pub const INTERNED: &[&str] = &["toolCallId"];

/// Words of a record before its envelope.
pub const HEAD_WORDS: usize = 8;

/// The implementations, not yet formatted.
pub fn implementations(table: &Table) -> String {
    let mut out = String::new();
    for object in &table.structs {
        structure(&mut out, table, &object.name, object, false);
    }
    for union in &table.unions {
        union_code(&mut out, table, union);
    }
    for update in &table.updates {
        structure(&mut out, table, &names::pascal(&update.name), update, true);
    }
    envelope(&mut out, table);
    updates(&mut out, table);
    event_json(&mut out, table);
    out
}

fn structure(out: &mut String, table: &Table, name: &str, object: &Object, update: bool) {
    let generics = lifetime(table, &object.fields);
    let bindings: Vec<String> = object.fields.iter().map(|field| names::field(&field.name)).collect();
    let pattern = format!("let Self {{ {} }} = self;\n", bindings.join(", "));
    let _ = writeln!(
        out,
        "impl{generics} {name}{generics} {{\npub(super) fn pack(&self, batch: &mut Batch) {{\n{pattern}"
    );
    pack_fields(out, &object.fields);
    let reader = reader(generics);
    let _ = writeln!(out, "}}\n\npub(super) fn unpack(reader: &mut {reader}) -> Self {{\nSelf {{");
    unpack_fields(out, &object.fields);
    out.push_str("}\n}\n\n");
    out.push_str("/// Appends the JSON object.\npub fn write_json(&self, out: &mut String) {\n");
    let _ = writeln!(out, "{pattern}let mut object = ObjectWriter::open(out);");
    if update {
        let _ = writeln!(out, "object.word(\"sessionUpdate\", \"{}\");", object.name);
    }
    json_fields(out, &object.fields);
    out.push_str("object.close();\n}\n}\n\n");
}

fn reader(generics: &str) -> &'static str {
    if generics.is_empty() { "Reader<'_>" } else { "Reader<'a>" }
}

fn union_code(out: &mut String, table: &Table, union: &Union) {
    let generics = lifetime(table, &all_fields(union));
    let arms = |out: &mut String, body: &dyn Fn(&mut String, usize, &Object)| {
        for (index, variant) in union.variants.iter().enumerate() {
            let bindings: Vec<String> =
                variant.fields.iter().map(|field| names::field(&field.name)).collect();
            let _ =
                writeln!(out, "Self::{} {{ {} }} => {{", names::pascal(&variant.name), bindings.join(", "));
            body(out, index, variant);
            out.push_str("}\n");
        }
    };
    let _ = writeln!(
        out,
        "impl{generics} {}{generics} {{\npub(super) fn pack(&self, batch: &mut Batch) {{\nmatch self {{",
        union.name
    );
    arms(out, &|out, index, variant| {
        let _ = writeln!(out, "batch.word({});", index + 1);
        pack_fields(out, &variant.fields);
    });
    let _ = writeln!(
        out,
        "}}\n}}\n\npub(super) fn unpack(reader: &mut {}) -> Self {{\nmatch reader.word() {{",
        reader(generics)
    );
    for (index, variant) in union.variants.iter().enumerate() {
        let last = index + 1 == union.variants.len();
        let tag = if last { "_".to_owned() } else { (index + 1).to_string() };
        let _ = writeln!(out, "{tag} => Self::{} {{", names::pascal(&variant.name));
        unpack_fields(out, &variant.fields);
        out.push_str("},\n");
    }
    out.push_str("}\n}\n\n/// Appends the JSON object.\npub fn write_json(&self, out: &mut String) {\nlet mut object = ObjectWriter::open(out);\nmatch self {\n");
    arms(out, &|out, _, variant| {
        let _ = writeln!(out, "object.word(\"type\", \"{}\");", variant.name);
        json_fields(out, &variant.fields);
    });
    out.push_str("}\nobject.close();\n}\n}\n\n");
}

/// `value` is a reference to a required value of this type.
fn pack_value(of: &Type, value: &str) -> String {
    match of {
        Type::Text => format!("batch.required_text({value});"),
        Type::Json => format!("batch.json(*{value});"),
        Type::Number => format!("batch.number(*{value});"),
        Type::Flag => format!("batch.word(u32::from(*{value}));"),
        Type::Words(_) => format!("batch.word({value}.packed());"),
        Type::Struct(_) | Type::Union(_) => format!("{value}.pack(batch);"),
        Type::List(entry) => format!(
            "batch.count({value}.len());\nfor entry in {value}.iter() {{\n{}\n}}",
            pack_value(entry, "entry")
        ),
    }
}

fn pack_fields(out: &mut String, fields: &[Field]) {
    for field in fields {
        let name = names::field(&field.name);
        let interned = INTERNED.contains(&field.name.as_str());
        let code = match (&field.of, field.optional) {
            (Type::Text, false) if interned => format!("batch.repeated_text(Some({name}));"),
            (Type::Text, true) if interned => format!("batch.repeated_text(*{name});"),
            (Type::Text, true) => format!("batch.optional_text(*{name});"),
            (Type::Json, true) => format!("batch.optional_json(*{name});"),
            (Type::Number, true) => format!("batch.number({name}.unwrap_or(f64::NAN));"),
            (Type::Words(word), true) => format!("batch.word({name}.map_or(0, {word}::packed));"),
            (of @ (Type::List(_) | Type::Union(_)), true) => {
                format!(
                    "match {name} {{\nNone => batch.word(0),\nSome({name}) => {{\n{}\n}}\n}}",
                    pack_value(of, &name)
                )
            }
            (of @ Type::Struct(_), true) => format!(
                "match {name} {{\nNone => batch.word(0),\nSome({name}) => {{\nbatch.word(1);\n{}\n}}\n}}",
                pack_value(of, &name)
            ),
            (of, _) => pack_value(of, &name),
        };
        let _ = writeln!(out, "{code}");
    }
}

/// A function that reads one required value.
fn read_function(of: &Type) -> String {
    match of {
        Type::Text => "Reader::text".into(),
        Type::Json => "Reader::json".into(),
        Type::Number => "Reader::number".into(),
        Type::Flag => "Reader::flag".into(),
        Type::Words(name) => format!("|reader| {name}::from_packed(reader.word()).unwrap_or_default()"),
        Type::Struct(name) | Type::Union(name) => format!("{name}::unpack"),
        Type::List(entry) => format!("|reader| reader.list({})", read_function(entry)),
    }
}

fn unpack_fields(out: &mut String, fields: &[Field]) {
    for field in fields {
        let code = match (&field.of, field.optional) {
            (Type::Text, false) => "reader.text()".into(),
            (Type::Text, true) => "reader.optional_text()".into(),
            (Type::Json, false) => "reader.json()".into(),
            (Type::Json, true) => "reader.optional_json()".into(),
            (Type::Number, false) => "reader.number()".into(),
            (Type::Number, true) => "reader.optional_number()".into(),
            (Type::Flag, _) => "reader.flag()".into(),
            (Type::Words(name), false) => format!("{name}::from_packed(reader.word()).unwrap_or_default()"),
            (Type::Words(name), true) => format!("{name}::from_packed(reader.word())"),
            (Type::Struct(name) | Type::Union(name), false) => format!("{name}::unpack(reader)"),
            (Type::Struct(name), true) => format!("(reader.word() != 0).then(|| {name}::unpack(reader))"),
            (Type::Union(name), true) => format!("reader.present().then(|| {name}::unpack(reader))"),
            (Type::List(entry), false) => format!("reader.list({})", read_function(entry)),
            (Type::List(entry), true) => format!("reader.optional_list({})", read_function(entry)),
        };
        let _ = writeln!(out, "{}: {code},", names::field(&field.name));
    }
}

/// Appends one required value; `value` is a reference, `sink` an expression of type `&mut String`.
fn json_value(of: &Type, value: &str, sink: &str) -> String {
    match of {
        Type::Text => format!("super::write_string({sink}, {value});"),
        Type::Json => format!("super::write::write_raw({sink}, *{value});"),
        Type::Number => format!("super::write::write_number({sink}, *{value});"),
        Type::Flag => format!("super::write::write_flag({sink}, *{value});"),
        Type::Words(_) => format!("super::write_string({sink}, {value}.as_str());"),
        Type::Struct(_) | Type::Union(_) => format!("{value}.write_json({sink});"),
        Type::List(entry) => {
            format!("write_list({sink}, {value}, |out, entry| {{ {} }});", json_value(entry, "entry", "out"))
        }
    }
}

fn json_fields(out: &mut String, fields: &[Field]) {
    for field in fields {
        let name = names::field(&field.name);
        let sink = format!("object.key(\"{}\")", field.name);
        let code = json_value(&field.of, &name, &sink);
        let code = match (&field.of, field.optional) {
            (Type::Flag, true) => format!("if *{name} {{\n{code}\n}}"),
            (_, true) => format!("if let Some({name}) = {name} {{\n{code}\n}}"),
            (_, false) => code,
        };
        let _ = writeln!(out, "{code}");
    }
}

fn envelope(out: &mut String, table: &Table) {
    let words = table.envelope.len();
    let texts = table.envelope.iter().filter(|field| field.of != Type::Number).count();
    let _ = writeln!(
        out,
        "/// Words of the packed envelope.\npub(super) const ENVELOPE_WORDS: usize = {words};\n"
    );
    let _ = writeln!(
        out,
        "/// Words of a record before its envelope.\npub(super) const HEAD_WORDS: usize = {HEAD_WORDS};\n"
    );
    out.push_str("/// Strings the batch remembers to pack a repeat as its index: the envelope's, and the repeated text of updates.\n");
    let _ = writeln!(out, "pub(crate) const SLOTS: usize = {};\n", texts + 1);
    let _ = writeln!(
        out,
        "/// The slot of the repeated text of updates.\npub(super) const REPEATED_SLOT: usize = {texts};\n"
    );
    for (slot, field) in table.envelope.iter().filter(|field| field.of != Type::Number).enumerate() {
        let name = names::field(&field.name).to_uppercase();
        let _ = writeln!(
            out,
            "/// The slot of the envelope's `{}`.\npub(crate) const {name}_SLOT: usize = {slot};\n",
            field.name
        );
    }
    out.push_str(
        "impl<'a> Envelope<'a> {\npub(super) fn pack(&self, batch: &mut Batch) -> [u32; ENVELOPE_WORDS] {\n[",
    );
    let mut slot = 0;
    for field in &table.envelope {
        let name = names::field(&field.name);
        let code = match field.of {
            Type::Number => format!("self.{name}.map_or(0, |number| number.saturating_add(1))"),
            Type::Json => format!(
                "batch.interned(super::batch::Interned::Json, {slot}, self.{name}.map(|json| json.0))"
            ),
            _ => format!("batch.interned(super::batch::Interned::Text, {slot}, self.{name})"),
        };
        slot += usize::from(field.of != Type::Number);
        let _ = writeln!(out, "{code},");
    }
    out.push_str("]\n}\n\npub(super) fn unpack(reader: &mut Reader<'a>) -> Self {\nSelf {\n");
    for field in &table.envelope {
        let code = match field.of {
            Type::Number => "reader.word().checked_sub(1)",
            Type::Json => "reader.optional_json()",
            _ => "reader.optional_text()",
        };
        let _ = writeln!(out, "{}: {code},", names::field(&field.name));
    }
    out.push_str("}\n}\n}\n\n");
}

fn updates(out: &mut String, table: &Table) {
    out.push_str("impl<'a> Update<'a> {\n/// The packed tag, from 1.\npub(super) fn tag(&self) -> u32 {\nmatch self {\n");
    for (index, update) in table.updates.iter().enumerate() {
        let _ = writeln!(out, "Self::{}(_) => {},", names::pascal(&update.name), index + 1);
    }
    out.push_str("}\n}\n\npub(super) fn pack(&self, batch: &mut Batch) {\nmatch self {\n");
    for update in &table.updates {
        let _ = writeln!(out, "Self::{}(body) => body.pack(batch),", names::pascal(&update.name));
    }
    out.push_str("}\n}\n\npub(super) fn unpack(tag: u32, reader: &mut Reader<'a>) -> Option<Self> {\nSome(match tag {\n");
    for (index, update) in table.updates.iter().enumerate() {
        let name = names::pascal(&update.name);
        let _ = writeln!(out, "{} => Self::{name}({name}::unpack(reader)),", index + 1);
    }
    out.push_str("_ => return None,\n})\n}\n\n/// Appends the JSON object, `sessionUpdate` first.\npub fn write_json(&self, out: &mut String) {\nmatch self {\n");
    for update in &table.updates {
        let _ = writeln!(out, "Self::{}(body) => body.write_json(out),", names::pascal(&update.name));
    }
    out.push_str("}\n}\n}\n\n");
}

fn event_json(out: &mut String, table: &Table) {
    out.push_str("impl UiEvent<'_> {\n/// Appends the event as one JSON object on one line: `seq`, `item`, `update`, the rest of the envelope, `source`.\n");
    out.push_str("pub fn write_json(&self, out: &mut String) {\nlet mut object = ObjectWriter::open(out);\nobject.integer(\"seq\", self.seq);\n");
    let write = |out: &mut String, field: &Field| {
        let name = names::field(&field.name);
        let key = &field.name;
        let code = match field.of {
            Type::Number => format!("object.integer(\"{key}\", u64::from(*{name}));"),
            _ => json_value(&field.of, &name, &format!("object.key(\"{key}\")")),
        };
        let _ = writeln!(out, "if let Some({name}) = &self.envelope.{name} {{\n{code}\n}}");
    };
    table.envelope.iter().filter(|field| field.of == Type::Number).for_each(|field| write(out, field));
    out.push_str("self.update.write_json(object.key(\"update\"));\n");
    table.envelope.iter().filter(|field| field.of != Type::Number).for_each(|field| write(out, field));
    out.push_str("super::write::write_source(object.key(\"source\"), self.source);\nobject.close();\n}\n}\n");
}
