//! What a tool gave back, as the model reads it: prose around the output, in several generations, and chunks of bytes.

use std::borrow::Cow;

use super::read::{blocks_of, string};
use crate::dialect::content::Block;
use crate::dialect::walk::elements;
use crate::dialect::{CallRef, Context, Fact, FactSink};
use crate::event::{OutputStream, ToolStatus};
use crate::framing::Severity;
use crate::json::{Text, Value};

/// How the outputs of calls begin that the harness itself refused.
const REFUSALS: &[&str] = &[
    "unsupported call",
    "unsupported custom tool call",
    "failed to parse function arguments",
    "err: ",
    "tool call error",
    "aborted by user",
    "user rejected",
];

/// How the outputs of native tools begin that did not do what they were asked for.
const FAILURES: &[&str] = &[
    "apply_patch verification failed",
    "apply_patch handler",
    "patch rejected",
    "exec_command failed",
    "write_stdin failed",
    "execution error",
    "sandbox error",
    "aborted",
    "collab spawn failed",
    "collab tool failed",
    "unable to ",
    "failed to ",
    "command timed out",
    "exec command rejected",
    "resources/",
    "unknown ",
    "agent with id ",
    "Failed to ",
];

/// A text without the lines the harness puts before it.
pub(super) struct Output<'a> {
    pub text: &'a str,
    pub status: ToolStatus,
}

/// Reads the prose around an output. A server's own tool may print any words.
pub(super) fn read<'a>(text: &'a str, name: &str) -> Output<'a> {
    let begins = |words: &&str| text.starts_with(words);
    let mut status =
        if REFUSALS.iter().any(begins) || (!name.starts_with("mcp__") && FAILURES.iter().any(begins)) {
            ToolStatus::Failed
        } else {
            ToolStatus::Completed
        };
    let mut rest = text;
    let mut shown = text;
    // The head ends at `Output:`; a text without that line has no head.
    for _ in 0..12 {
        let (line, after) = rest.split_once('\n').unwrap_or((rest, ""));
        if let Some(code) =
            line.strip_prefix("Process exited with code ").or_else(|| line.strip_prefix("Exit code: "))
        {
            if code.trim() != "0" {
                status = ToolStatus::Failed;
            }
        } else if line == "Output:" {
            shown = after;
            // A patch that went through the shell has a head of its own.
            if !after.starts_with("Exit code: ") {
                break;
            }
        } else if !HEADS.iter().any(|head| line.starts_with(head)) {
            break;
        }
        rest = after;
    }
    Output { text: shown, status }
}

/// Lines of the head that say nothing of the outcome.
const HEADS: &[&str] = &[
    "Chunk ID:",
    "Wall time:",
    "Original token count:",
    "Total output lines:",
    "Process running with session ID",
    "Warning:",
];

/// An output in the oldest form, `{output, metadata: {exit_code}}` as JSON text: the text, and whether it failed.
pub(super) fn from_json(text: &str) -> Option<(Vec<Block<'_>>, ToolStatus)> {
    let value = text.starts_with(['{', '[']).then(|| Value::parse(text).ok())??;
    if let Some(first) = value.array().and_then(|mut items| items.next()) {
        // The blocks of an MCP tool.
        return first.get("type").is_some().then(|| (blocks_of(value), ToolStatus::Completed));
    }
    let [output, metadata] = value.fields(["output", "metadata"]);
    let output = output.and_then(Value::str)?;
    let code = metadata?.get("exit_code")?.f64();
    let failed = code.is_some_and(|code| code != 0.0);
    let status = if failed { ToolStatus::Failed } else { ToolStatus::Completed };
    Some((vec![Block::Text(output)], status))
}

/// A piece of a running command's output: base64, or bytes as numbers.
pub(super) fn say_chunk(msg: Value<'_>, context: &Context<'_>, facts: &mut dyn FactSink) {
    let [call, stream, chunk] = msg.fields(["call_id", "stream", "chunk"]);
    let bytes = match chunk {
        Some(chunk) if chunk.array().is_some() => {
            let numbers = elements(Some(chunk));
            Some(numbers.map(|number| number.u64().map_or(b'?', |byte| byte as u8)).collect())
        }
        chunk => string(chunk).and_then(|chunk| bytes_of(&chunk)),
    };
    let (Some(bytes), Some(call)) = (bytes, string(call)) else {
        facts.diagnostic("codex.wrong-type", Severity::Warn, "a piece of output without bytes or call");
        return facts.fact(context, Fact::Ignored("no-output"));
    };
    let bytes: Vec<u8> = bytes;
    let text = String::from_utf8_lossy(&bytes);
    let stream = match string(stream).as_deref() {
        Some("stdout") => Some(OutputStream::Stdout),
        Some("stderr") => Some(OutputStream::Stderr),
        _ => None,
    };
    let text = Text::plain(&text);
    facts.fact(context, Fact::OutputDelta { call: CallRef::Id(&call), text, stream });
}

/// The bytes of base64 text; `None` when it is none.
fn bytes_of(text: &str) -> Option<Vec<u8>> {
    let text = text.trim_end_matches('=');
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3 + 2);
    let (mut bits, mut count) = (0u32, 0);
    for letter in text.bytes() {
        let digit = match letter {
            b'A'..=b'Z' => letter - b'A',
            b'a'..=b'z' => letter - b'a' + 26,
            b'0'..=b'9' => letter - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => return None,
        };
        bits = (bits << 6) | u32::from(digit);
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
        }
    }
    Some(bytes)
}

/// Text of an output of any form.
pub(super) fn text_of(value: Value<'_>) -> Option<Cow<'_, str>> {
    match value.str() {
        Some(text) => Some(text),
        None => string(value.get("content")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_head_of_an_output_is_taken_off_and_tells_how_it_ended() {
        let cases = [
            (
                "Chunk ID: 1\nWall time: 0.1 seconds\nProcess exited with code 3\nOutput:\na\nOutput:\nb",
                "a\nOutput:\nb",
                true,
            ),
            ("Chunk ID: 1\nProcess running with session ID 7\nOutput:\nready\n", "ready\n", false),
            ("Exit code: 0\nWall time: 0 seconds\nOutput:\nSuccess.\n", "Success.\n", false),
            (
                "Wall time: 0 seconds\nOutput:\nExit code: 1\nWall time: 0 seconds\nOutput:\nno\n",
                "no\n",
                true,
            ),
            ("Plan updated", "Plan updated", false),
            ("unsupported call: dig", "unsupported call: dig", true),
            ("aborted by user after 3.1s", "aborted by user after 3.1s", true),
            ("Output: none", "Output: none", false),
            ("", "", false),
        ];
        for (text, shown, failed) in cases {
            let output = read(text, "exec_command");
            assert_eq!((output.text, output.status == ToolStatus::Failed), (shown, failed), "{text:?}");
        }
    }

    #[test]
    fn the_words_of_a_server_are_its_own() {
        let failed = |text| read(text, "mcp__gauge__read").status == ToolStatus::Failed;
        assert!(!failed("unable to read less than zero"));
        assert!(failed("err: \"tool call error: no power\""));
    }

    #[test]
    fn base64_becomes_bytes() {
        let cases =
            [("", Some("")), ("YQ==", Some("a")), ("YWI", Some("ab")), ("w6k/", Some("é?")), ("Y Q", None)];
        for (text, bytes) in cases {
            assert_eq!(bytes_of(text), bytes.map(|bytes| bytes.as_bytes().to_vec()), "{text:?}");
        }
    }
}
