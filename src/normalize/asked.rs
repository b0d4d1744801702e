//! What an interrupt asks, made whole: an approval can always be allowed and denied, options and questions have ids
//! that tell them apart, a choice has something to choose from.
//!
//! Knows nothing of who asked, of cards, or of answers.

use crate::event::{
    Choice, Interrupt, InterruptKind, InterruptOption, List, OptionKind, OptionScope, Question, QuestionType,
};

/// Positions as text, for options and questions without an id.
pub(super) struct Positions(Vec<String>);

impl Positions {
    /// As many as the longest list of this interrupt needs.
    pub fn of(interrupt: &Interrupt<'_>) -> Self {
        let nameless = interrupt.options.iter().any(|option| option.option_id.is_empty())
            || interrupt.questions.iter().any(|question| question.id.is_empty());
        let count = if nameless { interrupt.options.len().max(interrupt.questions.len()) } else { 0 };
        Positions((0..count).map(|position| position.to_string()).collect())
    }

    fn or<'a>(&'a self, id: &'a str, position: usize) -> &'a str {
        if id.is_empty() { self.0.get(position).map_or("", String::as_str) } else { id }
    }
}

/// An interrupt that can be shown and answered, and what had to be done for it.
pub(super) struct Whole<'a> {
    pub interrupt: Interrupt<'a>,
    /// The options are ours: the wire sent none.
    pub synthetic: bool,
    /// Options that shared an id with an earlier one.
    pub dropped: usize,
}

/// Fills what an interrupt lacks. Adds no way to allow more than once.
pub(super) fn whole<'a>(interrupt: &Interrupt<'a>, positions: &'a Positions) -> Whole<'a> {
    let synthetic = interrupt.kind == InterruptKind::Approval && interrupt.options.is_empty();
    let mut options: Vec<InterruptOption<'a>> = Vec::new();
    for (position, option) in interrupt.options.iter().enumerate() {
        let option_id = positions.or(option.option_id, position);
        if !options.iter().any(|known| known.option_id == option_id) {
            let name = if option.name.is_empty() { option_id } else { option.name };
            options.push(InterruptOption { option_id, name, ..*option });
        }
    }
    let dropped = interrupt.options.len() - options.len();
    if synthetic {
        options.push(once("allow_once", "Allow", OptionKind::AllowOnce));
        options.push(once("reject_once", "Deny", OptionKind::RejectOnce));
    }
    let questions = interrupt.questions.iter().enumerate();
    let questions: Vec<_> = questions
        .map(|(position, question)| whole_question(question, positions.or(question.id, position)))
        .collect();
    let interrupt =
        Interrupt { options: List::Owned(options), questions: List::Owned(questions), ..interrupt.clone() };
    Whole { interrupt, synthetic, dropped }
}

fn once<'a>(option_id: &'a str, name: &'a str, kind: OptionKind) -> InterruptOption<'a> {
    InterruptOption { option_id, name, kind, scope: Some(OptionScope::Once), editable: false }
}

fn whole_question<'a>(question: &Question<'a>, id: &'a str) -> Question<'a> {
    let choices = question.options.iter().map(|choice| {
        let label = if choice.label.is_empty() { choice.value } else { choice.label };
        Choice { label, ..*choice }
    });
    let choices: Vec<_> = choices.collect();
    let nothing_to_choose =
        choices.is_empty() && matches!(question.type_, QuestionType::Single | QuestionType::Multiple);
    let type_ = if nothing_to_choose { QuestionType::Text } else { question.type_ };
    Question { id, type_, options: List::Owned(choices), ..question.clone() }
}
