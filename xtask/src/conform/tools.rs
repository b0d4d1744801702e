//! Tool calls: each call of the truth has its card, each card its call.

use agent_ui_events::event::{ContentBlock, ToolContent, ToolStatus};
use agent_ui_events::json;
use agent_ui_events::transcript::{Item, ToolCard};
use serde_json::Value;

use super::case::{Case, Verdicts};
use super::observed::{Observed, text_of};
use super::values::{Leeway, all_strings, holds, same_input, shell_words};

/// Item number of the card that belongs to each call of the truth.
pub(super) type Matched = Vec<Option<u32>>;

/// A card as far as calls are compared with it.
struct Card<'a> {
    item: &'a Item,
    card: &'a ToolCard,
    input: Option<Value>,
    output: String,
    taken: bool,
}

pub(super) fn check(case: &Case, observed: &Observed, verdicts: &mut Verdicts) -> Matched {
    let mut cards: Vec<Card<'_>> =
        observed.cards().into_iter().map(|(item, card)| Card::of(item, card)).collect();
    let tools = case.tools();
    let mut matched: Matched = vec![None; tools.len()];
    // By id first; then those that must be there, so that one that may be absent takes no card of theirs.
    for pass in 0..3 {
        for (tool, place) in tools.iter().zip(&mut matched) {
            let by_id = id_of(tool).is_some_and(|id| case.prints(id));
            let wanted = if by_id { 0 } else { 1 + usize::from(may_be_absent(tool)) };
            if pass == wanted {
                let found = if by_id { by_its_id(tool, &cards) } else { by_looks(case, tool, &cards) };
                if let Some(card) = found.and_then(|index| cards.get_mut(index)) {
                    card.taken = true;
                    *place = Some(card.item.number);
                }
            }
        }
    }
    for (tool, place) in tools.iter().zip(&matched) {
        match cards.iter().find(|card| Some(card.item.number) == *place) {
            Some(card) => compare(case, observed, tool, card, (tools, &matched), verdicts),
            None => {
                let excused = may_be_absent(tool) || told_elsewhere(case, tool);
                verdicts.that(excused, &label(tool), "a card", "none");
            }
        }
    }
    let unexplained: Vec<String> = cards
        .iter()
        .filter(|card| !card.taken && card.item.withdrawn.is_none())
        .map(|card| format!("{} {} {}", card.card.tool_call_id, card.card.title, card.card.status.as_str()))
        .collect();
    verdicts.equal("cards that no call explains", &Vec::new(), &unexplained);
    matched
}

impl<'a> Card<'a> {
    fn of(item: &'a Item, card: &'a ToolCard) -> Card<'a> {
        let streamed = Some(card.input_text()).filter(|text| !text.is_empty());
        let input = card.raw_input().or(streamed).and_then(|raw| serde_json::from_str(raw).ok());
        let mut output = card.output_text().to_owned();
        for content in card.result_content() {
            output.push('\n');
            match content {
                ToolContent::Content { content: ContentBlock::Resource { resource } } => {
                    output.push_str(
                        &serde_json::from_str(resource.0).map_or(String::new(), |value| all_strings(&value)),
                    );
                }
                ToolContent::Content { content } => output.push_str(text_of(&content)),
                ToolContent::Diff { new_text, .. } => output.push_str(new_text),
                ToolContent::Terminal { .. } => {}
            }
        }
        if let Some(value) = card.raw_output().and_then(|raw| serde_json::from_str(raw).ok()) {
            output.push('\n');
            output.push_str(&all_strings(&value));
        }
        Card { item, card, input, output, taken: false }
    }

    fn has_status(&self, wanted: Option<&str>) -> bool {
        let status = self.card.status;
        match wanted {
            None => true,
            Some("completed") => status == ToolStatus::Completed,
            Some("failed") => status == ToolStatus::Failed,
            Some("never-run") => matches!(status, ToolStatus::Failed | ToolStatus::Pending),
            Some(_) => self.card.is_open(),
        }
    }

    /// The status fits; a call that goes on after its answer ends later, and how is told in words only.
    fn ended_as(&self, tool: &Value) -> bool {
        let later = text(tool, "note").is_some_and(|note| note.contains("ends later"));
        self.has_status(text(tool, "status")) || (later && !self.card.is_open())
    }

    fn prints(&self, wanted: Option<&str>) -> bool {
        wanted.is_none_or(|text| self.output.contains(text))
    }
}

fn text<'t>(tool: &'t Value, key: &str) -> Option<&'t str> {
    tool.get(key).and_then(Value::as_str)
}

fn id_of(tool: &Value) -> Option<&str> {
    text(tool, "id")
}

fn label(tool: &Value) -> String {
    format!("tool {} {}", text(tool, "name").unwrap_or("?"), id_of(tool).unwrap_or(""))
}

fn may_be_absent(tool: &Value) -> bool {
    tool.get("maybeAbsent").and_then(Value::as_bool).unwrap_or(false)
        || text(tool, "status") == Some("never-run")
}

/// A call that stands in a file beside the recording or nowhere: the surface prints the ids of others, or it prints no
/// calls of subagents.
fn told_elsewhere(case: &Case, tool: &Value) -> bool {
    let prints_ids = || case.tools().iter().filter_map(id_of).any(|id| case.prints(id));
    let beside = id_of(tool).is_some_and(|id| !case.prints(id) && (case.beside.contains(id) || prints_ids()));
    let notes = case.strings("notes").unwrap_or_default();
    let no_subagents = notes.iter().any(|note| note.contains("subagent items are not printed"));
    beside || (no_subagents && tool.get("parentToolUseId").is_some())
}

fn by_its_id(tool: &Value, cards: &[Card<'_>]) -> Option<usize> {
    let id = id_of(tool)?;
    cards.iter().position(|card| {
        let wire = card.card.wire_tool_call_id.as_deref();
        !card.taken && wire.unwrap_or(&card.card.tool_call_id) == id
    })
}

/// The first free card with this status and output; among several the one that shares more.
fn by_looks(case: &Case, tool: &Value, cards: &[Card<'_>]) -> Option<usize> {
    if told_elsewhere(case, tool) {
        return None;
    }
    let fits =
        |card: &Card<'_>| !card.taken && card.ended_as(tool) && card.prints(text(tool, "outputContains"));
    let shared = |card: &Card<'_>| {
        (input_agrees(case, tool, card) == Some(true), names(tool).iter().any(|name| is_named(card, name)))
    };
    let mut best: Option<(usize, (bool, bool))> = None;
    for (index, card) in cards.iter().enumerate().filter(|(_, card)| fits(card)) {
        let shared = shared(card);
        if may_be_absent(tool) && shared == (false, false) {
            continue;
        }
        if best.is_none_or(|(_, other)| shared > other) {
            best = Some((index, shared));
        }
    }
    best.map(|(index, _)| index)
}

/// Names under which the call may stand on the wire.
fn names(tool: &Value) -> Vec<&str> {
    let name = text(tool, "name").unwrap_or("");
    let last = name.rsplit('.').next().unwrap_or(name);
    [text(tool, "nameOnWire"), Some(name), Some(last), text(tool, "nameAlso")].into_iter().flatten().collect()
}

fn is_named(card: &Card<'_>, name: &str) -> bool {
    match card.card.tool_name.as_deref() {
        Some(shown) => shown == name || shown.rsplit('.').next() == Some(name),
        None => card.card.title.as_ref() == name,
    }
}

fn compare(
    case: &Case,
    observed: &Observed,
    tool: &Value,
    card: &Card<'_>,
    (tools, matched): (&[Value], &Matched),
    verdicts: &mut Verdicts,
) {
    let label = label(tool);
    let what = |aspect: &str| format!("{label}: {aspect}");
    let names = names(tool);
    // Codex items have types; only some of them hold the name of a tool.
    let carried = names.iter().any(|name| case.prints(name.rsplit("__").next().unwrap_or(name)));
    if carried || !by_items(case) {
        let shown = (card.card.tool_name.as_deref(), card.card.title.as_ref());
        verdicts.that(names.iter().any(|name| is_named(card, name)), &what("name"), &names, shown);
    }
    if !is_untold_failure(case, tool, card) {
        verdicts.that(card.ended_as(tool), &what("status"), text(tool, "status"), card.card.status);
    }
    let wanted = text(tool, "outputContains");
    // A call that need not be there may be there without its result.
    let printed = !may_be_absent(tool) || wanted.is_none_or(|wanted| case.prints_part(wanted));
    if printed {
        verdicts.that(card.prints(wanted), &what("output"), wanted, &card.output);
    }
    if let Some(agrees) = input_agrees(case, tool, card) {
        verdicts.that(agrees, &what("input"), tool.get("input"), card.card.raw_input());
    }
    if let Some(output) = tool.get("output") {
        let raw: Option<Value> = card.card.raw_output().and_then(|raw| serde_json::from_str(raw).ok());
        let holds = raw.as_ref().is_some_and(|raw| holds(raw, output));
        verdicts.that(holds, &what("raw output"), output, raw.as_ref());
    }
    if let Some(diff) = tool.get("diff") {
        let shown: Vec<Value> =
            card.card.input_content().iter().chain(&card.card.result_content()).filter_map(diff_of).collect();
        verdicts.that(shown.contains(diff), &what("diff"), diff, &shown);
    }
    if let Some(parent) = text(tool, "parentToolUseId") {
        let at = tools.iter().position(|other| id_of(other) == Some(parent));
        let place = at.and_then(|at| matched.get(at).copied().flatten());
        let expected = place
            .and_then(|number| observed.transcript.item(number)?.as_tool())
            .map(|card| card.tool_call_id.clone());
        let shown = observed.transcript.parent_of(card.item.number);
        verdicts.that(shown.is_some() && shown == expected, &what("parent"), parent, shown.as_deref());
    } else {
        let shown = observed.transcript.parent_of(card.item.number);
        verdicts.that(shown.is_none(), &what("parent"), "none", shown.as_deref());
    }
}

/// Old rollouts keep of a server's tool only what it printed, not whether the server called that an error.
fn is_untold_failure(case: &Case, tool: &Value, card: &Card<'_>) -> bool {
    let told = ["\"McpToolCall\"", "\"mcp_tool_call_end\"", "\"isError\""];
    case.is_of("codex-rollout")
        && text(tool, "status") == Some("failed")
        && card.card.status == ToolStatus::Completed
        && names(tool).iter().any(|name| name.starts_with("mcp__"))
        && !told.iter().any(|words| case.text.contains(words))
}

fn diff_of(content: &ToolContent<'_>) -> Option<Value> {
    match content {
        ToolContent::Diff { path, old_text, new_text } => {
            Some(serde_json::json!({ "path": path, "oldText": old_text, "newText": new_text }))
        }
        _ => None,
    }
}

/// Whether the card shows the input; `None` where the surface does not print it as it was sent.
fn input_agrees(case: &Case, tool: &Value, card: &Card<'_>) -> Option<bool> {
    let sent = tool.get("input").filter(|_| text(tool, "status") != Some("never-run"))?;
    let raw =
        text(tool, "rawInput").map(|raw| serde_json::from_str::<Value>(&json::repair(raw)).map_err(|_| raw));
    if let Some(Err(raw)) = &raw {
        // No JSON was sent: the surface may show the text, an empty object, or nothing.
        let seen = card.input.as_ref().map_or(String::new(), all_strings);
        let empty =
            card.input.as_ref().is_none_or(|input| input.as_object().is_some_and(|input| input.is_empty()));
        return Some(empty || seen.contains(raw) || card.card.input_text() == *raw);
    }
    let by_claude = case.is_of("claude");
    let leeway = Leeway { more_members: by_claude || case.is_of("codex"), reprinted: by_claude };
    let nothing_sent = sent.as_object().is_some_and(|sent| sent.is_empty());
    let Some(seen) = &card.input else { return Some(nothing_sent) };
    // `input` went through doubles when the truth was written; `rawInput` is what was sent.
    let exact = raw.is_some_and(|raw| raw.is_ok_and(|raw| same_input(&raw, seen, leeway)));
    if exact || same_input(sent, seen, leeway) {
        return Some(true);
    }
    if by_items(case) && !names(tool).iter().any(|name| name.starts_with("mcp__")) {
        return codex_item_agrees(sent, seen);
    }
    Some(false)
}

/// Surfaces that print what Codex did as typed items, not the calls themselves.
fn by_items(case: &Case) -> bool {
    case.is_of("codex-exec") || case.is_of("codex-app-server")
}

/// Codex items print a command as words of a shell and a message as prompt; a patch only as its changes.
fn codex_item_agrees(sent: &Value, seen: &Value) -> Option<bool> {
    let seen_text = all_strings(seen);
    if let Some(command) = text(sent, "cmd").or(text(sent, "command")) {
        let whole = text(seen, "command")?;
        return Some(shell_words(whole).iter().any(|word| word == command) || whole == command);
    }
    if let Some(message) = text(sent, "message") {
        return Some(seen_text.contains(message));
    }
    None
}
