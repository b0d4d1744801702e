//! Token counts as Anthropic writes them.

use super::speaker::{Extra, Speaker};
use crate::dialect::{Fact, UsageBasis, UsageFact};
use crate::event::Json;
use crate::json::{Value, same};

/// The counters of one `usage` object. `prompt` is absent when the plain input count is; cache shares alone say
/// nothing about the whole.
pub(super) struct Counts {
    pub prompt: Option<f64>,
    pub completion: Option<f64>,
    pub cached: Option<f64>,
    /// The counters without a field of their own.
    pub extra: Extra,
}

impl Counts {
    pub fn read(usage: Value<'_>, speaker: &mut Speaker<'_, '_>) -> Counts {
        let mut counts = Counts { prompt: None, completion: None, cached: None, extra: Extra::default() };
        let mut written = None;
        let Some(members) = usage.object() else {
            speaker.wrong_type("usage");
            return counts;
        };
        for (key, value) in members {
            let is = |name| same(&key, name);
            if is("input_tokens") {
                counts.prompt = speaker.number(Some(value), "usage.input_tokens");
            } else if is("output_tokens") {
                counts.completion = speaker.number(Some(value), "usage.output_tokens");
            } else if is("cache_read_input_tokens") {
                counts.cached = speaker.number(Some(value), "usage.cache_read_input_tokens");
            } else {
                if is("cache_creation_input_tokens") {
                    written = speaker.number(Some(value), "usage.cache_creation_input_tokens");
                }
                counts.extra.value(&key, Some(value));
            }
        }
        counts.prompt =
            counts.prompt.map(|input| input + counts.cached.unwrap_or(0.0) + written.unwrap_or(0.0));
        counts
    }

    /// States them as those of one model call; says nothing where nothing was counted.
    pub fn say(self, message: Option<&str>, extra: Option<&str>, speaker: &mut Speaker<'_, '_>) {
        if self.prompt.is_none() && self.completion.is_none() && self.cached.is_none() {
            return;
        }
        let others = self.extra.finish();
        let fact = UsageFact {
            basis: UsageBasis::Call,
            prompt: self.prompt,
            completion: self.completion,
            cached: self.cached,
            cost: None,
            cost_is_running_total: false,
            extra: others.as_deref().map(Json),
        };
        speaker.say_in(message, extra, Fact::Usage(fact));
    }
}
