//! Comparing JSON values with the changes a CLI may make on the way.

use serde_json::Value;

/// How alike two inputs have to be.
#[derive(Clone, Copy)]
pub(super) struct Leeway {
    /// The CLI may add members at the top.
    pub more_members: bool,
    /// Integers may have gone through a double, and lines may have lost the blanks at their end (Claude Code's Write).
    pub reprinted: bool,
}

/// Whether the input that came back is the input that was sent.
pub(super) fn same_input(sent: &Value, seen: &Value, leeway: Leeway) -> bool {
    match (sent, seen) {
        (Value::Object(sent), Value::Object(seen)) => {
            (leeway.more_members || sent.len() == seen.len())
                && sent.iter().all(|(key, value)| {
                    seen.get(key).is_some_and(|other| same(value, other, leeway.reprinted))
                })
        }
        _ => same(sent, seen, leeway.reprinted),
    }
}

fn same(sent: &Value, seen: &Value, reprinted: bool) -> bool {
    match (sent, seen) {
        (Value::Number(sent), Value::Number(seen)) => {
            sent == seen || ((reprinted || sent.is_f64() || seen.is_f64()) && sent.as_f64() == seen.as_f64())
        }
        (Value::Array(sent), Value::Array(seen)) => {
            sent.len() == seen.len() && sent.iter().zip(seen).all(|(sent, seen)| same(sent, seen, reprinted))
        }
        (Value::Object(sent), Value::Object(seen)) => {
            sent.len() == seen.len()
                && sent
                    .iter()
                    .all(|(key, value)| seen.get(key).is_some_and(|other| same(value, other, reprinted)))
        }
        (Value::String(sent), Value::String(seen)) => {
            let trimmed = |text: &str| text.split('\n').map(str::trim_end).collect::<Vec<_>>().join("\n");
            sent == seen || (reprinted && trimmed(sent) == trimmed(seen))
        }
        _ => sent == seen,
    }
}

/// Every string inside, one per line.
pub(super) fn all_strings(value: &Value) -> String {
    let mut out = String::new();
    let mut waiting = vec![value];
    while let Some(value) = waiting.pop() {
        match value {
            Value::String(text) => {
                out.push_str(text);
                out.push('\n');
            }
            Value::Array(list) => waiting.extend(list.iter().rev()),
            Value::Object(members) => waiting.extend(members.values().rev()),
            _ => {}
        }
    }
    out
}

/// Whether the value is, or holds at some depth, this one.
pub(super) fn holds(value: &Value, wanted: &Value) -> bool {
    let mut waiting = vec![value];
    while let Some(value) = waiting.pop() {
        if value == wanted {
            return true;
        }
        match value {
            Value::Array(list) => waiting.extend(list),
            Value::Object(members) => waiting.extend(members.values()),
            _ => {}
        }
    }
    false
}

/// The words of a shell command, quotes taken off.
pub(super) fn shell_words(command: &str) -> Vec<String> {
    let (mut words, mut word, mut started) = (Vec::new(), String::new(), false);
    let mut letters = command.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\'' => word.extend(letters.by_ref().take_while(|letter| *letter != '\'')),
            '"' => {
                while let Some(inside) = letters.next().filter(|letter| *letter != '"') {
                    match (inside, letters.clone().next()) {
                        ('\\', Some(next @ ('"' | '\\' | '$' | '`'))) => {
                            letters.next();
                            word.push(next);
                        }
                        _ => word.push(inside),
                    }
                }
            }
            '\\' => word.extend(letters.next()),
            letter if letter.is_whitespace() => {
                if std::mem::take(&mut started) {
                    words.push(std::mem::take(&mut word));
                }
                continue;
            }
            letter => word.push(letter),
        }
        started = true;
    }
    if started {
        words.push(word);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const STRICT: Leeway = Leeway { more_members: false, reprinted: false };
    const LOOSE: Leeway = Leeway { more_members: true, reprinted: true };

    #[test]
    fn inputs_are_compared_by_value() {
        assert!(same_input(&json!({"a": [1, {"b": null}]}), &json!({"a": [1.0, {"b": null}]}), STRICT));
        assert!(same_input(&json!(-0.1e-7), &json!(-1e-8), STRICT));
        for other in [
            json!({"a": [1]}),
            json!({"a": [1, {"b": 0}]}),
            json!({"a": [1, {"b": null}], "c": 1}),
            json!({}),
        ] {
            assert!(!same_input(&json!({"a": [1, {"b": null}]}), &other, STRICT), "{other}");
        }
    }

    #[test]
    fn leeway_covers_defaults_doubles_and_line_ends_and_nothing_else() {
        let sent = json!({"text": "a \nb", "big": 12345678901234567890u64});
        let seen = json!({"more": false, "text": "a\nb", "big": 12345678901234567000.0});
        assert!(same_input(&sent, &seen, LOOSE));
        assert!(!same_input(&sent, &seen, STRICT));
        assert!(!same_input(&sent, &json!({"text": "a\nc", "big": 12345678901234567890u64}), LOOSE));
        assert!(
            !same_input(&json!({"in": {}}), &json!({"in": {"more": 1}}), LOOSE),
            "defaults stand at the top"
        );
    }

    #[test]
    fn shell_words_lose_their_quotes() {
        assert_eq!(shell_words(r#"/bin/bash -lc 'cat a'"#), ["/bin/bash", "-lc", "cat a"]);
        assert_eq!(shell_words(r#"x "a\"b\\c\d" e\ f"#), ["x", r#"a"b\c\d"#, "e f"]);
        assert_eq!(shell_words(r#"'it'"'"'s' """#), ["it's", ""]);
    }

    #[test]
    fn a_value_is_found_as_a_whole() {
        let value = json!({"output": [{"count": 4, "state": "done"}]});
        assert!(holds(&value, &json!({"count": 4, "state": "done"})));
        assert!(!holds(&value, &json!({"count": 4})));
    }

    #[test]
    fn strings_are_found_at_any_depth_in_order() {
        assert_eq!(all_strings(&json!(["a", {"k": ["b"]}, 1, "c"])), "a\nb\nc\n");
    }
}
