//! Texts: complete ones exact and in order, broken ones as far as the surface got.

use std::collections::BTreeMap;

use agent_ui_events::event::Role;
use serde_json::Value;

use super::case::{Case, Verdicts, strings};
use super::observed::Observed;

pub(super) fn check(case: &Case, observed: &Observed, verdicts: &mut Verdicts) {
    let texts = observed.main_texts(Role::Agent);
    let complete = case.strings("agentText").unwrap_or_default();
    let partial = case.strings("partialTexts").unwrap_or_default();
    let whole = without_partials(&texts, &complete, &partial);
    if case.truth.get("agentText").is_some() {
        verdicts.that(whole.is_some(), "agentText", (&complete, &partial), &texts);
    }
    if let Some(last) = case.truth.get("finalText").and_then(Value::as_str) {
        let result = observed.report.result.text.as_deref();
        let shown = whole.as_ref().map_or(texts.last(), |whole| whole.last()).copied();
        verdicts.that(result.or(shown) == Some(last), "finalText", last, (result, shown));
    }
    if let Some(thoughts) = case.strings("thoughts") {
        let seen = observed.main_texts(Role::Thought);
        let parts_joined = case.is_of("codex") && joins_to(&seen, &thoughts);
        verdicts.that(thoughts == seen || parts_joined, "thoughts", &thoughts, &seen);
    }
    check_subagents(case, observed, verdicts);
}

/// The texts that are not broken pieces, if all complete ones are there in order and the rest are such pieces.
fn without_partials<'a>(texts: &[&'a str], complete: &[String], partial: &[String]) -> Option<Vec<&'a str>> {
    let mut expected = complete.iter().peekable();
    let mut broken: Vec<&String> = partial.iter().collect();
    let mut whole = Vec::new();
    for text in texts {
        if expected.next_if(|complete| complete == text).is_some() {
            whole.push(*text);
        } else {
            let piece_of = broken.iter().position(|partial| partial.starts_with(text))?;
            broken.remove(piece_of);
        }
    }
    expected.peek().is_none().then_some(whole)
}

/// Whether each whole is one or more of the parts, in order, joined by newlines.
fn joins_to(parts: &[&str], wholes: &[String]) -> bool {
    let mut parts = parts.iter();
    let whole = |whole: &String| {
        let mut joined = String::new();
        while joined != *whole {
            let Some(part) = parts.next().filter(|part| whole[joined.len()..].starts_with(**part)) else {
                return false;
            };
            joined.push_str(part);
            if joined != *whole {
                joined.push('\n');
            }
            if !whole.starts_with(&joined) {
                return false;
            }
        }
        true
    };
    wholes.iter().all(whole) && parts.next().is_none()
}

/// Texts of subagents, where the recording prints more of an agent than its report.
fn check_subagents(case: &Case, observed: &Observed, verdicts: &mut Verdicts) {
    let mut groups: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for (owner, text) in observed.texts(Role::Agent) {
        if let Some(owner) = owner {
            groups.entry(owner).or_default().push(text);
        }
    }
    let mut unclaimed: Vec<Vec<&str>> = groups.into_values().collect();
    let mut printed = false;
    for expected in expected_groups(&case.truth) {
        let found = unclaimed.iter().position(|texts| *texts == expected);
        // The last text is the report, which also stands in the result of the call.
        let carried = expected
            .split_last()
            .is_some_and(|(_, before)| !before.is_empty() && before.iter().all(|text| case.prints(text)));
        if carried || found.is_some() {
            verdicts.that(found.is_some(), "subagentText", &expected, &unclaimed);
            printed = true;
        }
        if let Some(found) = found {
            unclaimed.remove(found);
        }
    }
    if printed || case.truth.get("subagentText").is_some() {
        verdicts.equal("subagentText that nobody said", &Vec::new(), &unclaimed);
    }
    if let Some(count) = case.truth.get("subagents").and_then(Value::as_u64) {
        let seen = observed.transcript.agents().len() as u64;
        let inside = case.tools().iter().any(|tool| {
            tool.get("agent").is_some()
                && tool.get("id").and_then(Value::as_str).is_some_and(|id| case.prints(id))
        });
        let told = printed || inside || seen > 0;
        // Agents of agents may stand in the files beside only.
        let fits = seen == count || (seen < count && !case.beside.is_empty());
        verdicts.that(fits || !told, "subagents", count, seen);
    }
}

/// `subagentText` is a list per agent, or one list.
fn expected_groups(truth: &Value) -> Vec<Vec<String>> {
    match truth.get("subagentText") {
        Some(Value::Object(agents)) => agents.values().map(strings).collect(),
        Some(list @ Value::Array(_)) => vec![strings(list)],
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn owned(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|text| (*text).to_owned()).collect()
    }

    #[test]
    fn broken_texts_may_be_there_in_part_or_not_at_all() {
        let (complete, partial) = (owned(&["One.", "Two."]), owned(&["Broken in the mid"]));
        for shown in
            [&["One.", "Two."][..], &["One.", "Broken", "Two."], &["One.", "Two.", "Broken in the mid"]]
        {
            assert_eq!(without_partials(shown, &complete, &partial), Some(vec!["One.", "Two."]), "{shown:?}");
        }
    }

    #[test]
    fn anything_else_is_a_difference() {
        let (complete, partial) = (owned(&["One.", "Two."]), owned(&["Broken in the mid"]));
        for shown in [
            &["One."][..],
            &["Two.", "One."],
            &["One.", "Two.", "Two."],
            &["One.", "Broken in the middle", "Two."],
            &["Broken", "Broken", "One.", "Two."],
        ] {
            assert_eq!(without_partials(shown, &complete, &partial), None, "{shown:?}");
        }
    }

    #[test]
    fn parts_join_to_wholes_by_newlines() {
        assert!(joins_to(&["é", "b", "c"], &owned(&["é\nb", "c"])));
        assert!(joins_to(&[], &[]));
        for parts in [&["é", "b"][..], &["é", "c", "c"], &["é", "b", "c", "d"], &["é", "bx", "c"]] {
            assert!(!joins_to(parts, &owned(&["é\nb", "c"])), "{parts:?}");
        }
    }
}
