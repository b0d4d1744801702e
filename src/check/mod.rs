//! The oracle of the normal form: a dumb fold over printed events that trusts nothing and reports each breach.
//!
//! It reads events as JSON texts, the way `UiEvent::write_json` and JavaScript's `JSON.stringify` print them, and
//! shares no code with `normalize`, `transcript` or the event types: whoever breaks a promise must not break the
//! check of it too. Where a promise needs the input to be judged (cuts, speed, what each record became) it is silent.

mod cards;
mod fields;
mod interrupts;
mod order;
mod texts;
mod usage;

use crate::json::Value;

use fields::Event;

/// One broken promise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Breach {
    /// `N2`, `N3`, `N4`, `N5`, `N7` or `N10` as the design numbers them; `model` for the shape, numbering and closed
    /// words of the event model; `json` for a line that is no JSON object.
    pub promise: &'static str,
    /// Which event, counted from 0 over the lines that are not blank.
    pub event: u64,
    /// What is wrong, for people.
    pub message: String,
}

/// Where the parts of the check put what they find.
struct Breaches {
    event: u64,
    found: Vec<Breach>,
}

impl Breaches {
    fn add(&mut self, promise: &'static str, message: impl Into<String>) {
        self.found.push(Breach { promise, event: self.event, message: message.into() });
    }
}

/// Checks a whole stream of events in the order they left; one JSON object per line, blank lines are skipped.
///
/// The stream may start late (the first `seq` and item number set the count), yet every card, item and interrupt an
/// event names must have appeared in it, so a stream with its beginning cut off is not in normal form.
///
/// ```
/// let breaches = agent_ui_events::check_normal_form("[]");
/// assert_eq!(breaches[0].promise, "json");
/// ```
pub fn check_normal_form(events_jsonl: &str) -> Vec<Breach> {
    let mut breaches = Breaches { event: 0, found: Vec::new() };
    let mut order = order::Order::default();
    let mut cards = cards::Cards::default();
    let mut texts = texts::Texts::default();
    let mut interrupts = interrupts::Interrupts::default();
    for line in events_jsonl.split('\n').filter(|line| !line.trim_ascii().is_empty()) {
        match Value::parse(line) {
            Ok(value) if value.object().is_some() => {
                if !value.is_strict() {
                    breaches.add("N10", "a string holds half a surrogate pair");
                }
                let event = Event::read(value);
                order.check(&event, &mut breaches);
                fields::check_words(&event, &mut breaches);
                cards.check(&event, &mut breaches);
                texts.check(&event, &mut breaches);
                interrupts.check(&event, &cards, &mut breaches);
                usage::check(&event, &mut breaches);
                check_withdrawn(&event, &order, &mut cards, &mut breaches);
            }
            Ok(_) => breaches.add("json", "an event must be a JSON object"),
            Err(invalid) => breaches.add("json", format!("the event is not JSON: {}", invalid.message)),
        }
        breaches.event += 1;
    }
    breaches.found
}

/// A withdrawal names items that came before it, and says why.
fn check_withdrawn(
    event: &Event<'_>,
    order: &order::Order,
    cards: &mut cards::Cards,
    breaches: &mut Breaches,
) {
    if event.kind != "withdrawn" {
        return;
    }
    let items = event.update.get("items").and_then(Value::array);
    for item in items.into_iter().flatten() {
        match item.u64() {
            Some(number) if order.knows(number) => cards.withdraw(number),
            _ => breaches.add("N3", format!("withdrawn names item {}, which never appeared", item.raw())),
        }
    }
}
