//! Reads `events.schema` into a checked table.
//!
//! Rejects whatever the generators could not turn into sound code: unknown type names, doubled names, lists of
//! lists, types that hold themselves.

use std::collections::BTreeSet;

/// What generated functions call their own variables.
const LOCAL_NAMES: &[&str] = &["at", "batch", "cursor", "entry", "object", "out", "reader", "s", "self", "w"];

/// The type of a field, without its question mark.
#[derive(Clone, Debug, PartialEq)]
pub enum Type {
    Text,
    Json,
    Number,
    Flag,
    Words(String),
    Struct(String),
    Union(String),
    List(Box<Type>),
}

#[derive(Clone, Debug)]
pub struct Field {
    /// As it stands in JavaScript.
    pub name: String,
    pub optional: bool,
    pub of: Type,
    pub doc: Option<String>,
}

#[derive(Debug)]
pub struct Words {
    pub name: String,
    pub doc: Option<String>,
    pub words: Vec<String>,
}

/// A struct, an update, or one variant of a union.
#[derive(Debug)]
pub struct Object {
    pub name: String,
    pub doc: Option<String>,
    pub fields: Vec<Field>,
}

#[derive(Debug)]
pub struct Union {
    pub name: String,
    pub doc: Option<String>,
    pub variants: Vec<Object>,
}

#[derive(Debug, Default)]
pub struct Table {
    pub enums: Vec<Words>,
    pub structs: Vec<Object>,
    pub unions: Vec<Union>,
    pub envelope: Vec<Field>,
    pub updates: Vec<Object>,
}

enum Open {
    Nothing,
    Enum,
    Struct,
    Union,
    Envelope,
    Update,
}

/// Parses and checks. The error names the line.
pub fn parse(text: &str) -> Result<Table, String> {
    let mut table = Table::default();
    let mut open = Open::Nothing;
    let mut doc: Vec<&str> = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let told = |message: String| format!("events.schema:{}: {message}", index + 1);
        let body = line.trim();
        if body.is_empty() || body.starts_with('#') {
            continue;
        }
        if let Some(more) = body.strip_prefix("///") {
            doc.push(more.trim());
        } else if line.starts_with(' ') {
            inside(&mut table, &open, line, &mut doc).map_err(told)?;
        } else {
            open = heading(&mut table, body, take(&mut doc)).map_err(told)?;
        }
    }
    resolve(&mut table)?;
    check(&table)?;
    Ok(table)
}

fn take(doc: &mut Vec<&str>) -> Option<String> {
    let text = doc.join("\n");
    doc.clear();
    (!text.is_empty()).then_some(text)
}

fn heading(table: &mut Table, line: &str, doc: Option<String>) -> Result<Open, String> {
    let (word, name) = line.split_once(' ').unwrap_or((line, ""));
    let name = name.trim().to_owned();
    let named = if name.is_empty() { Err(format!("`{word}` without a name")) } else { Ok(()) };
    match word {
        "enum" => {
            named.map(|()| table.enums.push(Words { name, doc, words: Vec::new() })).map(|()| Open::Enum)
        }
        "struct" => named
            .map(|()| table.structs.push(Object { name, doc, fields: Vec::new() }))
            .map(|()| Open::Struct),
        "union" => {
            named.map(|()| table.unions.push(Union { name, doc, variants: Vec::new() })).map(|()| Open::Union)
        }
        "update" => named
            .map(|()| table.updates.push(Object { name, doc, fields: Vec::new() }))
            .map(|()| Open::Update),
        "envelope" => Ok(Open::Envelope),
        _ => Err(format!("`{word}` opens nothing")),
    }
}

fn inside(table: &mut Table, open: &Open, line: &str, doc: &mut Vec<&str>) -> Result<(), String> {
    let body = line.trim();
    let deep = line.starts_with("    ");
    let fields = match open {
        Open::Nothing => None,
        Open::Enum => {
            let last = table.enums.last_mut().ok_or("no enum is open")?;
            last.words.extend(body.split_whitespace().map(str::to_owned));
            return Ok(());
        }
        Open::Union if !deep => {
            let last = table.unions.last_mut().ok_or("no union is open")?;
            last.variants.push(Object { name: body.to_owned(), doc: take(doc), fields: Vec::new() });
            return Ok(());
        }
        Open::Union => {
            table.unions.last_mut().and_then(|last| last.variants.last_mut()).map(|last| &mut last.fields)
        }
        Open::Struct => table.structs.last_mut().map(|last| &mut last.fields),
        Open::Update => table.updates.last_mut().map(|last| &mut last.fields),
        Open::Envelope => Some(&mut table.envelope),
    };
    fields.ok_or("a field outside of everything")?.push(field(body)?);
    Ok(())
}

fn field(body: &str) -> Result<Field, String> {
    let (declared, doc) = match body.split_once(" -- ") {
        Some((declared, doc)) => (declared, Some(doc.trim().to_owned())),
        None => (body, None),
    };
    let (name, of) = declared.split_once(':').ok_or("a field wants `name: type`")?;
    let (name, optional) = match name.trim().strip_suffix('?') {
        Some(name) => (name, true),
        None => (name.trim(), false),
    };
    Ok(Field { name: name.to_owned(), optional, of: kind(of.trim())?, doc })
}

/// Names stay `Struct` until [`resolve`] has seen the whole table.
fn kind(of: &str) -> Result<Type, String> {
    if let Some(entry) = of.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        return match kind(entry.trim())? {
            Type::List(_) => Err("a list of lists".into()),
            entry => Ok(Type::List(Box::new(entry))),
        };
    }
    Ok(match of {
        "text" => Type::Text,
        "json" => Type::Json,
        "number" => Type::Number,
        "flag" => Type::Flag,
        name => Type::Struct(name.to_owned()),
    })
}

fn resolve(table: &mut Table) -> Result<(), String> {
    let enums: BTreeSet<String> = table.enums.iter().map(|words| words.name.clone()).collect();
    let structs: BTreeSet<String> = table.structs.iter().map(|object| object.name.clone()).collect();
    let unions: BTreeSet<String> = table.unions.iter().map(|union| union.name.clone()).collect();
    let settle = |of: &mut Type| -> Result<(), String> {
        let place = match of {
            Type::List(entry) => entry.as_mut(),
            other => other,
        };
        if let Type::Struct(name) = place {
            *place = match name.clone() {
                name if enums.contains(&name) => Type::Words(name),
                name if unions.contains(&name) => Type::Union(name),
                name if structs.contains(&name) => Type::Struct(name),
                name => return Err(format!("events.schema: no type is called `{name}`")),
            };
        }
        Ok(())
    };
    let objects = table.structs.iter_mut().chain(table.updates.iter_mut());
    let variants = table.unions.iter_mut().flat_map(|union| union.variants.iter_mut());
    let fields =
        objects.chain(variants).flat_map(|object| object.fields.iter_mut()).chain(table.envelope.iter_mut());
    for field in fields {
        settle(&mut field.of)?;
    }
    Ok(())
}

fn check(table: &Table) -> Result<(), String> {
    let told = |message: String| Err(format!("events.schema: {message}"));
    if let Some(empty) = table.enums.iter().find(|words| words.words.is_empty()) {
        return told(format!("`{}` has no words", empty.name));
    }
    let mut names = BTreeSet::new();
    let updates = table.updates.iter().map(|update| super::names::pascal(&update.name));
    let types = table.enums.iter().map(|words| words.name.clone());
    let types = types.chain(table.structs.iter().map(|object| object.name.clone()));
    for name in types.chain(table.unions.iter().map(|union| union.name.clone())).chain(updates) {
        if !names.insert(name.clone()) {
            return told(format!("`{name}` is declared twice"));
        }
    }
    let variants = table.unions.iter().flat_map(|union| &union.variants);
    let fields = table.structs.iter().chain(&table.updates).chain(variants).flat_map(|object| &object.fields);
    if let Some(field) =
        fields.chain(&table.envelope).find(|field| LOCAL_NAMES.contains(&field.name.as_str()))
    {
        return told(format!("a field called `{}` would hide a name of the generated code", field.name));
    }
    for field in &table.envelope {
        let flat = matches!(field.of, Type::Text | Type::Json) || field.name == "item";
        if !flat || !field.optional {
            return told(format!("envelope field `{}` must be an optional text or json", field.name));
        }
    }
    for name in
        table.structs.iter().map(|object| &object.name).chain(table.unions.iter().map(|union| &union.name))
    {
        if table.reaches(name, name, table.structs.len() + table.unions.len()) {
            return told(format!("`{name}` holds itself"));
        }
    }
    Ok(())
}

impl Table {
    /// The fields a struct or union holds in any of its variants.
    fn fields_of(&self, name: &str) -> Vec<&Field> {
        let structs =
            self.structs.iter().filter(|object| object.name == name).flat_map(|object| &object.fields);
        let unions = self.unions.iter().filter(|union| union.name == name).flat_map(|union| &union.variants);
        structs.chain(unions.flat_map(|variant| &variant.fields)).collect()
    }

    fn reaches(&self, from: &str, target: &str, depth: usize) -> bool {
        depth > 0
            && self
                .fields_of(from)
                .iter()
                .filter_map(|field| field.of.named())
                .any(|next| next == target || self.reaches(next, target, depth - 1))
    }

    /// Whether a value of this type holds borrowed data, so its Rust type has a lifetime.
    pub fn borrows(&self, of: &Type) -> bool {
        match of {
            Type::Text | Type::Json | Type::List(_) => true,
            Type::Number | Type::Flag | Type::Words(_) => false,
            Type::Struct(name) | Type::Union(name) => {
                self.fields_of(name).iter().any(|field| self.borrows(&field.of))
            }
        }
    }

    /// Whether any of these fields borrows.
    pub fn any_borrows(&self, fields: &[Field]) -> bool {
        fields.iter().any(|field| self.borrows(&field.of))
    }
}

impl Type {
    /// The struct or union inside, if any.
    fn named(&self) -> Option<&str> {
        match self {
            Type::Struct(name) | Type::Union(name) => Some(name),
            Type::List(entry) => entry.named(),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_table_is_read_whole() {
        let table = parse("/// Doc.\nenum Kind\n  a b\n\nunion Block\n  text\n    text: text -- the words\n\nupdate x\n  blocks?: [Block]\n")
            .expect("a sound table");
        assert_eq!(table.enums[0].words, ["a", "b"]);
        assert_eq!(table.enums[0].doc.as_deref(), Some("Doc."));
        assert_eq!(table.unions[0].variants[0].fields[0].doc.as_deref(), Some("the words"));
        let field = &table.updates[0].fields[0];
        assert!(field.optional);
        assert_eq!(field.of, Type::List(Box::new(Type::Union("Block".into()))));
    }

    #[test]
    fn unsound_tables_are_refused_by_name() {
        for (text, part) in [
            ("update x\n  a: Nobody\n", "Nobody"),
            ("update x\n  a: [[text]]\n", "list of lists"),
            ("struct A\n  b: B\nstruct B\n  a?: [A]\n", "holds itself"),
            ("enum A\n  x\nstruct A\n  y: text\n", "declared twice"),
            ("enum A\n", "no words"),
            ("envelope\n  count: number\n", "count"),
            ("update x\n  nonsense\n", "events.schema:2"),
            ("thing X\n", "opens nothing"),
        ] {
            let error = parse(text).expect_err(text);
            assert!(error.contains(part), "{error} should name {part}");
        }
    }
}
