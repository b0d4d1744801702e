//! How Codex's items are shown.
//!
//! Titles are those of the Evolve stream, but for the shell around a command: it is left out where the quoting can be
//! undone for sure.

use std::borrow::Cow;

use super::Presentation;
use crate::dialect::content::{Block, Place};
use crate::event::ToolKind;
use crate::json::Value;

/// Longest piece of a prompt in a title, in characters.
const PROMPT_IN_TITLE: usize = 60;

/// A shell command, in backticks.
pub fn command<'a>(command: Option<&str>) -> Presentation<'a> {
    let title = match command {
        Some(command) => format!("`{}`", unwrap_shell(command)),
        None => "Run command".to_owned(),
    };
    Presentation::of(ToolKind::Execute, title)
}

/// A patch: `changes` is a list of `{path, kind, diff?}`.
pub fn file_change(changes: Option<Value<'_>>) -> Presentation<'_> {
    let mut places = Vec::new();
    let mut content = Vec::new();
    let mut first_is_new = false;
    for change in changes.and_then(Value::array).into_iter().flatten() {
        let [path, kind, diff] =
            change.fields(["path", "kind", "diff"]).map(|field| field.and_then(Value::str));
        let Some(path) = path else { continue };
        if places.is_empty() {
            first_is_new = kind.is_some_and(|kind| kind == "add");
        }
        places.push(Place { path, line: None });
        content.extend(diff.filter(|diff| !diff.is_empty()).map(Block::Text));
    }
    let title = match places.as_slice() {
        [] => "Edit files".to_owned(),
        [place] if first_is_new => format!("Create {}", place.path),
        [place] => format!("Edit {}", place.path),
        places => format!("Edit {} files", places.len()),
    };
    Presentation { kind: ToolKind::Edit, title: title.into(), content, places }
}

/// The name of an MCP tool, from the two members Codex prints.
pub fn mcp_name(server: &str, tool: &str) -> String {
    if server.is_empty() { tool.to_owned() } else { format!("mcp__{server}__{tool}") }
}

/// A call of an MCP tool.
pub fn mcp<'a>(server: &str, tool: &str) -> Presentation<'a> {
    Presentation::of(ToolKind::Other, format!("{server}: {tool}"))
}

/// A web search or a page visit. The query is empty until the search is over.
pub fn web_search<'a>(query: Option<Cow<'a, str>>, action: Option<Value<'_>>) -> Presentation<'a> {
    let words = query.filter(|query| !query.is_empty()).or_else(|| {
        let [query, url, pattern] = action?.fields(["query", "url", "pattern"]).map(|field| field?.str());
        let words = query.or(url).or(pattern)?.into_owned();
        (!words.is_empty()).then_some(Cow::Owned(words))
    });
    let title = words.map_or(Cow::Borrowed("Search"), |words| format!("Search: {words}").into());
    Presentation::of(ToolKind::Fetch, title)
}

/// Starting, feeding, awaiting or closing a subagent.
pub fn collab<'a>(tool: Option<&str>, prompt: Option<Cow<'a, str>>) -> Presentation<'a> {
    let tool = tool.unwrap_or("Agent");
    let prompt = prompt.filter(|prompt| !prompt.is_empty());
    let title = match &prompt {
        Some(prompt) => format!("{tool}: {}", first_words(prompt)),
        None => tool.to_owned(),
    };
    Presentation {
        kind: ToolKind::Think,
        title: title.into(),
        content: prompt.map(Block::Text).into_iter().collect(),
        places: Vec::new(),
    }
}

/// An item of a kind that has no table row here, by its type.
pub fn other_item<'a>(kind: &'a str, path: Option<Cow<'a, str>>) -> Presentation<'a> {
    let places = path.map(|path| Place { path, line: None }).into_iter().collect();
    let tool_kind = if kind == "image_view" { ToolKind::Read } else { ToolKind::Other };
    Presentation { kind: tool_kind, title: kind.into(), content: Vec::new(), places }
}

fn first_words(prompt: &str) -> Cow<'_, str> {
    let line = prompt.lines().next().unwrap_or_default();
    match line.char_indices().nth(PROMPT_IN_TITLE) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or_default()).into(),
        None => line.into(),
    }
}

/// The script of `<shell> -lc <script>`, unquoted, when that is exactly one shell word and means the same whatever the
/// shell's state is; else the command as it stands.
pub fn unwrap_shell(command: &str) -> Cow<'_, str> {
    let script = || {
        let (shell, rest) = command.split_once(' ')?;
        let program = shell.rsplit('/').next()?;
        let (flag, word) = rest.split_once(' ')?;
        (matches!(program, "bash" | "sh" | "zsh" | "dash") && matches!(flag, "-lc" | "-c")).then_some(())?;
        unquote_word(word)
    };
    script().map_or(Cow::Borrowed(command), Cow::Owned)
}

/// Undoes POSIX shell quoting of one word. `None` when the text is more than one word, or the shell would expand it.
fn unquote_word(word: &str) -> Option<String> {
    let mut plain = String::with_capacity(word.len());
    let mut characters = word.chars();
    while let Some(character) = characters.next() {
        match character {
            '\'' => loop {
                match characters.next()? {
                    '\'' => break,
                    inside => plain.push(inside),
                }
            },
            '"' => loop {
                match characters.next()? {
                    '"' => break,
                    '$' | '`' => return None,
                    '\\' => match characters.next()? {
                        escaped @ ('"' | '\\' | '$' | '`') => plain.push(escaped),
                        '\n' => {}
                        other => plain.extend(['\\', other]),
                    },
                    inside => plain.push(inside),
                }
            },
            '\\' => plain.push(characters.next().filter(|escaped| *escaped != '\n')?),
            bare if bare.is_alphanumeric() || "+-./:=@]_,%".contains(bare) => plain.push(bare),
            _ => return None,
        }
    }
    (!plain.is_empty()).then_some(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quoted_script_loses_its_shell() {
        let cases = [
            ("/bin/bash -lc ls", "ls"),
            ("/bin/bash -lc 'echo a; exit 3'", "echo a; exit 3"),
            (r#"/bin/sh -lc "cat 'a b.txt'""#, "cat 'a b.txt'"),
            (r#"bash -c "echo \"\$HOME\" \n""#, r#"echo "$HOME" \n"#),
            (r#"/bin/zsh -lc "wow"'!'"""#, "wow!"),
            (r"bash -lc 'it'\''s'", "it's"),
        ];
        for (wrapped, script) in cases {
            assert_eq!(unwrap_shell(wrapped), script, "{wrapped}");
        }
    }

    #[test]
    fn a_command_stays_whole_when_unquoting_would_be_a_guess() {
        let cases = [
            "ls -la",
            "/bin/bash -lc 'echo' more",
            "/bin/bash -lc \"echo $HOME\"",
            "/bin/bash -lc 'open",
            "/bin/bash -x 'echo'",
            "/usr/bin/python -c 'print(1)'",
            "/bin/bash -lc ''",
            "/bin/bash -lc a;b",
            "/bin/bash",
        ];
        for command in cases {
            assert_eq!(unwrap_shell(command), command);
        }
    }

    #[test]
    fn a_patch_is_titled_by_its_files() {
        let title = |changes: &str| {
            let changes = Value::parse(changes).expect("valid JSON");
            file_change(Some(changes)).title.into_owned()
        };
        assert_eq!(title(r#"[{"path":"a.rs","kind":"add"}]"#), "Create a.rs");
        assert_eq!(title(r#"[{"path":"a.rs","kind":"update"}]"#), "Edit a.rs");
        assert_eq!(title(r#"[{"path":"a.rs","kind":"add"},{"path":"b.rs","kind":"add"}]"#), "Edit 2 files");
        assert_eq!(title("[]"), "Edit files");
    }

    #[test]
    fn a_long_prompt_is_cut_between_characters() {
        let prompt = "é".repeat(70);
        let shown = collab(Some("spawn_agent"), Some(prompt.clone().into()));
        assert_eq!(shown.title, format!("spawn_agent: {}…", "é".repeat(60)));
        assert_eq!(shown.content, [Block::Text(prompt.into())]);
    }
}
