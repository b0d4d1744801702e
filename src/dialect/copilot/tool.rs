//! Calls: named by the model and again when they start, their output, their result.

use crate::dialect::content::Block;
use crate::dialect::speaker::Speaker;
use crate::dialect::told;
use crate::dialect::tools::copilot;
use crate::dialect::walk::Present;
use crate::dialect::{CallRef, Fact};
use crate::event::ToolStatus;
use crate::json::{ObjectWriter, Value};

/// The tool whose arguments may hold the whole todo list.
const TODO: &str = "update_todo";

/// A call, from the record that names it. Tools of MCP servers tell their two names beside the joined one.
pub(super) fn say_call(
    id: Option<&str>,
    name: Option<&str>,
    record: Value<'_>,
    input: Option<Value<'_>>,
    status: Option<ToolStatus>,
    voice: &mut Speaker<'_, '_>,
) {
    let [server, tool] = record.fields(["mcpServerName", "mcpToolName"]);
    let (server, tool) = (voice.filled(server, "mcpServerName"), voice.filled(tool, "mcpToolName"));
    let joined = server.zip(tool).map(|(server, tool)| ["mcp__", &server, "__", &tool].concat());
    let name = joined.as_deref().or(name);
    let input = input.present();
    let shown = told::shown(copilot::ROWS, name.unwrap_or("tool"), input);
    voice.call(CallRef::of(id), name, &shown, input, status);
    if name == Some(TODO)
        && let Some(todos) = input.and_then(|input| input.get("todos"))
    {
        voice.told_plan(todos);
    }
}

pub(super) fn partial(data: Value<'_>, voice: &mut Speaker<'_, '_>) {
    let [id, output] = data.fields(["toolCallId", "partialOutput"]);
    let id = voice.filled(id, "toolCallId");
    match (id.as_deref(), output.and_then(Value::text)) {
        (Some(id), Some(text)) => {
            voice.say(Fact::OutputDelta { call: CallRef::Id(id), text, stream: None });
        }
        _ => {
            voice.wrong_type("partialOutput");
            voice.harness_event("tool.execution_partial_result", data);
        }
    }
}

/// The result. A shell that ended badly is a success on this wire: its exit code stands in the last line of the
/// output, and goes beside the card.
pub(super) fn complete(data: Value<'_>, voice: &mut Speaker<'_, '_>) {
    let [id, success, result, error, model] =
        data.present_fields(["toolCallId", "success", "result", "error", "model"]);
    let (id, model) = (voice.filled(id, "toolCallId"), voice.filled(model, "model"));
    let mut voice = voice.narrowed();
    voice.context.model = model.as_deref();
    let done = success.and_then(Value::bool).unwrap_or(error.is_none());
    let status = if done { ToolStatus::Completed } else { ToolStatus::Failed };
    let [content, contents, detailed] =
        result.map_or([None; 3], |result| result.present_fields(["content", "contents", "detailedContent"]));
    // Some versions print the result as a bare text.
    let shown = content.or(contents).or(detailed).or(result.filter(|result| result.object().is_none()));
    let mut blocks = shown.map_or_else(Vec::new, Block::list_from_wire);
    let [message, code] = error.map_or([None, None], |error| error.fields(["message", "code"]));
    let message = message.or(error).and_then(Value::str);
    blocks.extend(message.map(Block::Text));
    blocks.retain(|block| !matches!(block, Block::Text(text) if text.is_empty()));
    let exit = match blocks.last() {
        Some(Block::Text(text)) => exit_code(text).map(str::to_owned),
        _ => None,
    };
    let mut extra = String::new();
    let mut writer = ObjectWriter::new(&mut extra);
    if let Some(exit) = &exit {
        writer.raw("exitCode", exit);
    }
    if let Some(code) = code {
        writer.raw("code", code.raw());
    }
    let has_extra = !writer.is_empty();
    writer.finish();
    let output = result.or(error).map(Value::raw);
    voice.told_result(id.as_deref(), status, &blocks, output, has_extra.then_some(&extra));
}

/// The number in the shell's last line, `<shellId: 0 completed with exit code 0>`.
fn exit_code(output: &str) -> Option<&str> {
    let line = output.trim_end().rsplit('\n').next()?;
    let (_, code) = line.strip_prefix('<')?.strip_suffix('>')?.rsplit_once("exit code ")?;
    let digits = code.strip_prefix('-').unwrap_or(code);
    let is_number = (1..=9).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
    // A number with a zero in front is no JSON.
    (is_number && (digits == "0" || !digits.starts_with('0'))).then_some(code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_line_of_a_shell_tells_its_exit_code() {
        assert_eq!(exit_code("a\n<shellId: 0 completed with exit code 3>\n"), Some("3"));
        assert_eq!(exit_code("<exited with exit code -1>"), Some("-1"));
        for output in
            ["exit code 3", "<exit code three>", "<exit code 03>", "<exit code 3>\nmore", "", "<exit code >"]
        {
            assert_eq!(exit_code(output), None, "{output}");
        }
    }
}
