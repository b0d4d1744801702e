//! How a name of the table is spelled in each language.

/// Words that cannot name a Rust field.
const KEYWORDS: &[&str] = &[
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate", "do", "dyn",
    "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop",
    "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return", "self", "static",
    "struct", "super", "trait", "true", "try", "type", "typeof", "unsafe", "unsized", "use", "virtual",
    "where", "while", "yield",
];

/// Global names of JavaScript that an exported interface must not shadow.
const TAKEN: &[&str] = &["Error", "Event", "Notification", "Request", "Response"];

/// `switch_mode` -> `SwitchMode`.
pub fn pascal(word: &str) -> String {
    word.split('_').map(capital).collect()
}

/// `mimeType` -> `mime_type`; a keyword gets a trailing underscore.
pub fn field(name: &str) -> String {
    let snake = snake(name);
    if KEYWORDS.contains(&snake.as_str()) { format!("{snake}_") } else { snake }
}

/// `ToolStatus` -> `TOOL_STATUSES`.
pub fn constant(name: &str) -> String {
    let upper = snake(name).to_uppercase();
    match upper.strip_suffix('Y') {
        Some(stem) => format!("{stem}IES"),
        None if upper.ends_with('S') => format!("{upper}ES"),
        None => format!("{upper}S"),
    }
}

/// The TypeScript interface of an update: `error` -> `ErrorUpdate`, since `Error` is taken.
pub fn interface(update: &str) -> String {
    let name = pascal(update);
    if TAKEN.contains(&name.as_str()) { format!("{name}Update") } else { name }
}

fn snake(name: &str) -> String {
    let mut out = String::new();
    for letter in name.chars() {
        if letter.is_ascii_uppercase() && !out.is_empty() {
            out.push('_');
        }
        out.push(letter.to_ascii_lowercase());
    }
    out
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map(|first| first.to_ascii_uppercase().to_string() + letters.as_str()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_language_gets_its_own_spelling() {
        assert_eq!(pascal("switch_mode"), "SwitchMode");
        assert_eq!(field("mimeType"), "mime_type");
        assert_eq!(field("type"), "type_");
        assert_eq!(constant("ToolKind"), "TOOL_KINDS");
        assert_eq!(constant("ToolStatus"), "TOOL_STATUSES");
        assert_eq!(constant("PlanPriority"), "PLAN_PRIORITIES");
        assert_eq!(interface("error"), "ErrorUpdate");
        assert_eq!(interface("plan"), "Plan");
    }
}
