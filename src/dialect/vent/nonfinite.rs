//! `NaN`, `Infinity` and `-Infinity` as Python prints them: no JSON, and the whole frame would be lost for one number.

/// The text with those words outside strings replaced by `null`; `None` when there are none.
pub fn repaired(text: &str) -> Option<String> {
    let bytes = text.as_bytes();
    let mut out = String::new();
    let (mut copied, mut at) = (0, 0);
    let mut in_string = false;
    while let Some(byte) = bytes.get(at) {
        let word = match byte {
            b'\\' if in_string => {
                at += 2;
                continue;
            }
            b'"' => {
                in_string = !in_string;
                0
            }
            b'N' | b'I' | b'-' if !in_string => word_length(text, at),
            _ => 0,
        };
        if word > 0 {
            out.push_str(text.get(copied..at).unwrap_or_default());
            out.push_str("null");
            copied = at + word;
        }
        at += word.max(1);
    }
    if copied == 0 {
        return None;
    }
    out.push_str(text.get(copied..).unwrap_or_default());
    Some(out)
}

fn word_length(text: &str, at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    ["NaN", "Infinity", "-Infinity"].iter().find(|word| rest.starts_with(**word)).map_or(0, |word| word.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_outside_strings_become_null() {
        assert_eq!(
            repaired(r#"{"a": NaN, "b": [-Infinity, Infinity], "c": "NaN \" NaN"}"#).as_deref(),
            Some(r#"{"a": null, "b": [null, null], "c": "NaN \" NaN"}"#)
        );
    }

    #[test]
    fn a_text_without_them_is_left_alone() {
        assert_eq!(repaired(r#"{"a": "NaN", "b": -1}"#), None);
        assert_eq!(repaired("\"\\"), None);
    }
}
