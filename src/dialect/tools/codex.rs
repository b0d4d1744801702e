//! How Codex's items and native tools are shown.
//!
//! Titles are those of the Evolve stream, but for the shell around a command: it is left out where the quoting can be
//! undone for sure.

use std::borrow::Cow;

use super::codex_patch::{self, Change};
use super::{Presentation, mcp_parts};
use crate::dialect::content::{Block, Place};
use crate::dialect::walk::elements;
use crate::event::ToolKind;
use crate::hash::{Index, mark};
use crate::json::Value;

/// Longest piece of a prompt in a title, in characters.
const PROMPT_IN_TITLE: usize = 60;

/// A shell command, in backticks.
pub fn command<'a>(command: Option<&str>) -> Presentation<'a> {
    match command {
        Some(command) => titled_command(&unwrap_shell(command)),
        None => Presentation::of(ToolKind::Execute, "Run command"),
    }
}

/// A command as the list of its words: the script where a shell runs it.
pub fn command_words<'a>(words: Value<'_>) -> Presentation<'a> {
    let words: Vec<Cow<'_, str>> = elements(Some(words)).filter_map(Value::str).collect();
    match words.as_slice() {
        [] => command(None),
        [shell, flag, script] if is_shell(shell, flag) => titled_command(script),
        words => titled_command(&words.join(" ")),
    }
}

fn titled_command<'a>(script: &str) -> Presentation<'a> {
    let mut title = String::with_capacity(script.len() + 2);
    title.push('`');
    title.push_str(script);
    title.push('`');
    Presentation::of(ToolKind::Execute, title)
}

/// A patch as the changes it makes.
pub fn file_change(changes: Option<Value<'_>>) -> Presentation<'_> {
    patched(codex_patch::changes_of(changes))
}

/// A patch as the text the model wrote.
pub fn patch(text: &str) -> Presentation<'_> {
    patched(codex_patch::parse(text))
}

fn patched(changes: Vec<Change<'_>>) -> Presentation<'_> {
    let mut places: Vec<Place<'_>> = Vec::new();
    let mut named = Index::default();
    let mut content = Vec::new();
    let first_is_new = changes.first().is_some_and(|change| change.is_new);
    for change in changes {
        for path in std::iter::once(change.path).chain(change.moved_to) {
            if named.insert(mark(&path), 0).is_none() {
                places.push(Place { path, line: None });
            }
        }
        content.extend(change.content);
    }
    let title = match places.as_slice() {
        [] => "Edit files".to_owned(),
        [place] if first_is_new => ["Create ", &place.path].concat(),
        [place] => ["Edit ", &place.path].concat(),
        places => format!("Edit {} files", places.len()),
    };
    Presentation { kind: ToolKind::Edit, title: title.into(), content, places }
}

/// What stands in the title of a native tool.
#[derive(Clone, Copy)]
enum Shown {
    /// A command in backticks.
    Command,
    /// The words, then a colon and the argument.
    Words(&'static str),
    /// The words, then the argument as a file.
    File(&'static str),
    /// The tool's name, then the prompt.
    Agent,
}

/// Native tools: name, kind, and the argument the title needs.
const TOOLS: &[(&str, ToolKind, Shown, &str)] = &[
    ("exec_command", ToolKind::Execute, Shown::Command, "cmd"),
    ("shell", ToolKind::Execute, Shown::Command, "command"),
    ("shell_command", ToolKind::Execute, Shown::Command, "command"),
    ("local_shell", ToolKind::Execute, Shown::Command, "command"),
    ("container.exec", ToolKind::Execute, Shown::Command, "cmd"),
    ("write_stdin", ToolKind::Execute, Shown::Words("Input"), "chars"),
    ("update_plan", ToolKind::Think, Shown::Words("Update plan"), ""),
    ("view_image", ToolKind::Read, Shown::File("View "), "path"),
    ("read_file", ToolKind::Read, Shown::File("Read "), "file_path"),
    ("list_dir", ToolKind::Search, Shown::File("List "), "dir_path"),
    ("grep_files", ToolKind::Search, Shown::Words("Search"), "pattern"),
    ("tool_search", ToolKind::Search, Shown::Words("Search tools"), "query"),
    ("web_search", ToolKind::Fetch, Shown::Words("Search"), "query"),
    ("list_mcp_resources", ToolKind::Read, Shown::Words("List resources"), "server"),
    ("list_mcp_resource_templates", ToolKind::Read, Shown::Words("List resource templates"), "server"),
    ("read_mcp_resource", ToolKind::Read, Shown::Words("Read resource"), "uri"),
    ("request_user_input", ToolKind::Other, Shown::Words("Ask the user"), ""),
    ("spawn_agent", ToolKind::Think, Shown::Agent, "message"),
    ("send_input", ToolKind::Think, Shown::Agent, "message"),
    ("send_message", ToolKind::Think, Shown::Agent, "message"),
    ("followup_task", ToolKind::Think, Shown::Agent, "message"),
    ("wait", ToolKind::Think, Shown::Agent, ""),
    ("wait_agent", ToolKind::Think, Shown::Agent, ""),
    ("resume_agent", ToolKind::Think, Shown::Agent, ""),
    ("close_agent", ToolKind::Think, Shown::Agent, ""),
    ("interrupt_agent", ToolKind::Think, Shown::Agent, ""),
    ("list_agents", ToolKind::Think, Shown::Agent, ""),
];

/// A call of a native tool.
pub fn native<'a>(name: &'a str, arguments: Option<Value<'a>>) -> Presentation<'a> {
    if let Some((server, tool)) = mcp_parts(name) {
        return mcp(server, tool);
    }
    let Some((_, kind, shown, argument)) = TOOLS.iter().find(|(tool, ..)| *tool == name) else {
        return Presentation::of(ToolKind::Other, name);
    };
    let value = arguments.and_then(|arguments| arguments.get(argument));
    let text = value.and_then(Value::str).filter(|text| !text.is_empty());
    match shown {
        Shown::Command => match value {
            Some(words) if words.array().is_some() => command_words(words),
            _ => command(text.as_deref()),
        },
        Shown::Agent => collab(Some(name), text),
        Shown::Words(words) => {
            let mut title = (*words).to_owned();
            if let Some(text) = text {
                title.push_str(": ");
                title.push_str(text.trim_end());
            }
            Presentation::of(*kind, title)
        }
        Shown::File(words) => {
            let mut shown = Presentation::of(*kind, *words);
            if let Some(path) = text {
                shown.title = (words.to_string() + &path).into();
                shown.places.push(Place { path, line: None });
            }
            shown
        }
    }
}

/// The name of an MCP tool, from the two members Codex prints.
pub fn mcp_name(server: &str, tool: &str) -> String {
    if server.is_empty() { tool.to_owned() } else { ["mcp__", server, "__", tool].concat() }
}

/// A call of an MCP tool.
pub fn mcp<'a>(server: &str, tool: &str) -> Presentation<'a> {
    Presentation::of(ToolKind::Other, [server, ": ", tool].concat())
}

/// A web search or a page visit. The query is empty until the search is over.
pub fn web_search<'a>(query: Option<Cow<'a, str>>, action: Option<Value<'_>>) -> Presentation<'a> {
    let words = query.filter(|query| !query.is_empty()).or_else(|| {
        let [query, url, pattern] = action?.fields(["query", "url", "pattern"]).map(|field| field?.str());
        let words = query.or(url).or(pattern)?.into_owned();
        (!words.is_empty()).then_some(Cow::Owned(words))
    });
    let title = words.map_or(Cow::Borrowed("Search"), |words| ["Search: ", &words].concat().into());
    Presentation::of(ToolKind::Fetch, title)
}

/// Starting, feeding, awaiting or closing a subagent.
pub fn collab<'a>(tool: Option<&str>, prompt: Option<Cow<'a, str>>) -> Presentation<'a> {
    let tool = tool.unwrap_or("Agent");
    let prompt = prompt.filter(|prompt| !prompt.is_empty());
    let title = match &prompt {
        Some(prompt) => [tool, ": ", &first_words(prompt)].concat(),
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
pub fn other_item<'a>(title: impl Into<Cow<'a, str>>, path: Option<Cow<'a, str>>) -> Presentation<'a> {
    let places = path.map(|path| Place { path, line: None }).into_iter().collect();
    Presentation { places, ..Presentation::of(ToolKind::Other, title) }
}

fn first_words(prompt: &str) -> Cow<'_, str> {
    let line = prompt.lines().next().unwrap_or_default();
    match line.char_indices().nth(PROMPT_IN_TITLE) {
        Some((end, _)) => [line.get(..end).unwrap_or_default(), "…"].concat().into(),
        None => line.into(),
    }
}

/// The script of `<shell> -lc <script>`, unquoted, when that is exactly one shell word and means the same whatever the
/// shell's state is; else the command as it stands.
pub fn unwrap_shell(command: &str) -> Cow<'_, str> {
    let script = || {
        let (shell, rest) = command.split_once(' ')?;
        let (flag, word) = rest.split_once(' ')?;
        is_shell(shell, flag).then_some(())?;
        unquote_word(word)
    };
    script().map_or(Cow::Borrowed(command), Cow::Owned)
}

fn is_shell(shell: &str, flag: &str) -> bool {
    let program = shell.rsplit('/').next();
    matches!(program, Some("bash" | "sh" | "zsh" | "dash")) && matches!(flag, "-lc" | "-c")
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
