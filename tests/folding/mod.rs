//! Facts folded and checked: every event of these tests goes through the normal form's own oracle.
#![allow(dead_code, reason = "each test file uses a part")]

use agent_ui_events::check_normal_form;
use agent_ui_events::dialect::{Context, Fact, FactSink};
use agent_ui_events::event::{ContentBlock, List, ToolContent};
use agent_ui_events::framing::Source;
use agent_ui_events::normalize::{NormalForm, NormalOptions};
use agent_ui_events::transcript::{Body, Transcript};

/// A fact and whose it is.
pub type Said = (Context<'static>, Fact<'static>);

/// A fact of the main agent, without a session.
pub fn plain(fact: Fact<'static>) -> Said {
    (Context::default(), fact)
}

/// Facts, one record each, folded and checked after every record.
pub fn fold(facts: &[Said]) -> (Transcript, Vec<String>) {
    let (_, transcript, events) = fold_all(facts);
    (transcript, events)
}

/// The same, and what the normal form knows at the end.
pub fn fold_all(facts: &[Said]) -> (NormalForm, Transcript, Vec<String>) {
    let mut normal = NormalForm::new(NormalOptions::default());
    let mut transcript = Transcript::new();
    let mut events = Vec::new();
    for (number, (context, fact)) in facts.iter().enumerate() {
        normal.clear_batch();
        normal.begin_record(Source {
            offset: number as u64 * 10,
            length: 9,
            line: number as u64 + 1,
            input: 0,
        });
        normal.fact(context, fact.clone());
        normal.end_record();
        take(&normal, &mut transcript, &mut events);
    }
    normal.clear_batch();
    normal.finish();
    take(&normal, &mut transcript, &mut events);
    let breaches = check_normal_form(&events.join("\n"));
    assert!(breaches.is_empty(), "{breaches:?}\n{}", events.join("\n"));
    (normal, transcript, events)
}

fn take(normal: &NormalForm, transcript: &mut Transcript, events: &mut Vec<String>) {
    transcript.apply(normal.batch());
    for event in normal.batch().iter() {
        let mut text = String::new();
        event.write_json(&mut text);
        events.push(text);
    }
}

/// One text as the content of a card.
pub fn text_content(text: &'static str) -> List<'static, ToolContent<'static>> {
    List::Owned(vec![ToolContent::Content { content: ContentBlock::Text { text } }])
}

/// A card without the remark that its call came late.
pub fn card(transcript: &Transcript, number: u32) -> String {
    match &transcript.item(number).expect("an item").body {
        Body::Tool(card) => {
            let mut card = card.clone();
            card.inferred = false;
            format!("{card:?}")
        }
        other => panic!("not a tool card: {other:?}"),
    }
}

/// The texts of a transcript, in order.
pub fn texts(transcript: &Transcript) -> Vec<String> {
    (0..transcript.len())
        .filter_map(|number| match &transcript.item(number)?.body {
            Body::Text(text) => Some(text.text().to_string()),
            _ => None,
        })
        .collect()
}
