//! What a user text really is: the CLI writes down slash commands, shell mode, reports of background tasks and
//! interruptions as if a person had typed them, each in tags of its own.

/// A user text, told apart by its first words.
#[derive(Debug, PartialEq)]
pub(super) enum Typed<'a> {
    /// A person's words.
    Prompt,
    /// A slash command or a shell command, as it was typed.
    Command(String),
    /// What such a command printed.
    Output { text: &'a str, is_error: bool },
    /// A background task ended.
    Notification(&'a str),
    /// The person stopped the turn.
    Interrupted,
    /// Words of the CLI around a command.
    Caveat,
}

/// Tells them apart.
pub(super) fn read(text: &str) -> Typed<'_> {
    let start = text.trim_start();
    if start.starts_with("[Request interrupted by user") {
        return Typed::Interrupted;
    }
    if !start.starts_with('<') {
        return Typed::Prompt;
    }
    if start.starts_with("<task-notification>") {
        return Typed::Notification(start);
    }
    if start.starts_with("<local-command-caveat>") {
        return Typed::Caveat;
    }
    if start.starts_with("<command-name>") || start.starts_with("<command-message>") {
        let Some(name) = inside(start, "command-name") else { return Typed::Prompt };
        let mut typed = name.to_string();
        if let Some(arguments) = inside(start, "command-args").filter(|words| !words.is_empty()) {
            typed.push(' ');
            typed.push_str(arguments);
        }
        return Typed::Command(typed);
    }
    if start.starts_with("<bash-input>")
        && let Some(command) = inside(start, "bash-input")
    {
        return Typed::Command(["! ", command].concat());
    }
    for (tag, is_error) in [
        ("local-command-stdout", false),
        ("local-command-stderr", true),
        ("bash-stdout", false),
        ("bash-stderr", true),
    ] {
        if start.strip_prefix('<').is_some_and(|rest| rest.starts_with(tag))
            && let Some(text) = inside(start, tag)
        {
            // Both channels of shell mode stand in one text; the second one counts when the first is empty.
            return match inside(start, "bash-stderr") {
                Some(failure) if text.is_empty() => Typed::Output { text: failure, is_error: true },
                _ => Typed::Output { text, is_error },
            };
        }
    }
    Typed::Prompt
}

/// The text between `<tag>` and `</tag>`, without the blanks around it.
pub(super) fn inside<'a>(text: &'a str, tag: &str) -> Option<&'a str> {
    let rest = text.split_once(&*["<", tag, ">"].concat())?.1;
    Some(rest.split_once(&*["</", tag, ">"].concat())?.0.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_shown_as_it_was_typed() {
        let text = "<command-name>/compact</command-name>\n  <command-message>compact</command-message>\n  <command-args>keep it</command-args>";
        assert_eq!(read(text), Typed::Command("/compact keep it".into()));
        assert_eq!(
            read("<command-message>init</command-message>\n<command-name>/init</command-name>"),
            Typed::Command("/init".into())
        );
        assert_eq!(read("<bash-input>ls</bash-input>"), Typed::Command("! ls".into()));
    }

    #[test]
    fn output_is_told_by_its_channel() {
        assert_eq!(
            read("<local-command-stdout>Done </local-command-stdout>"),
            Typed::Output { text: "Done", is_error: false }
        );
        assert_eq!(
            read("<bash-stdout></bash-stdout><bash-stderr>no</bash-stderr>"),
            Typed::Output { text: "no", is_error: true }
        );
        assert_eq!(
            read("<bash-stdout>a</bash-stdout><bash-stderr>b</bash-stderr>"),
            Typed::Output { text: "a", is_error: false }
        );
    }

    #[test]
    fn what_only_looks_like_a_tag_is_a_prompt() {
        for text in ["<b>bold</b>", "plain", "", "<command-message>half", "<bash-input>open"] {
            assert_eq!(read(text), Typed::Prompt, "{text}");
        }
    }
}
