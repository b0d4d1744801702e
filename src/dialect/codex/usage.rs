//! Token counts. The wire repeats them: a call is counted when the total of its thread has moved.

use crate::dialect::walk::members;
use crate::dialect::{Context, Fact, FactSink, UsageBasis, UsageFact};
use crate::event::{Json, Update, UsageUpdate};
use crate::framing::Severity;
use crate::json::{ObjectWriter, Value};

/// What a thread had used when it was told last.
#[derive(Default)]
pub(super) struct Counted {
    /// Input, output, cached.
    total: Option<[Option<f64>; 3]>,
}

/// Where one record keeps its numbers.
pub(super) struct Counts<'a> {
    /// Of the thread so far.
    pub total: Option<Value<'a>>,
    /// Of the last response.
    pub last: Option<Value<'a>>,
    /// Tokens the model can see.
    pub window: Option<Value<'a>>,
    /// The numbers were used before this stream began.
    pub earlier: bool,
}

impl Counted {
    /// One told count. Nothing is stated when nothing was used since.
    pub fn tell(
        &mut self,
        counts: &Counts<'_>,
        message: Option<&str>,
        context: &Context<'_>,
        facts: &mut dyn FactSink,
    ) {
        let Some(last) = counts.last.filter(|last| last.object().is_some()) else {
            return facts.fact(context, Fact::Ignored("no-usage"));
        };
        if let Some(total) = counts.total.filter(|total| total.object().is_some()) {
            let read = read(total, UsageBasis::Call, &mut String::new(), facts);
            let total = Some([read.prompt, read.completion, read.cached]);
            if std::mem::replace(&mut self.total, total) == total {
                return facts.fact(context, Fact::Ignored("usage-unchanged"));
            }
        }
        if counts.earlier {
            return facts.fact(context, Fact::Ignored("usage-of-earlier-turns"));
        }
        let context = Context { message, ..*context };
        let mut extra = String::new();
        let fact = read_with_extra(last, UsageBasis::Call, &mut extra, facts);
        facts.fact(&context, Fact::Usage(fact));
        let [snake, camel] = last.fields(["total_tokens", "totalTokens"]);
        let size = counts.window.and_then(Value::f64);
        if size.is_some() {
            let used = snake.or(camel).and_then(Value::f64);
            let window = UsageUpdate { used, size, used_ratio: None, cost: None };
            facts.fact(&Context { extra: None, ..context }, Fact::Tell(Update::UsageUpdate(window)));
        }
    }
}

/// Reads counters; what has no field of its own stands in `extra` afterwards.
pub(super) fn read_with_extra<'t>(
    usage: Value<'_>,
    basis: UsageBasis,
    extra: &'t mut String,
    facts: &mut dyn FactSink,
) -> UsageFact<'t> {
    let fact = read(usage, basis, extra, facts);
    UsageFact { extra: (extra.len() > 2).then_some(Json(extra)), ..fact }
}

fn read(
    usage: Value<'_>,
    basis: UsageBasis,
    extra: &mut String,
    facts: &mut dyn FactSink,
) -> UsageFact<'static> {
    let mut fact = UsageFact::of(basis);
    let mut extra = ObjectWriter::new(extra);
    for (name, value) in members(Some(usage)) {
        let counter = match &*name {
            "input_tokens" | "inputTokens" => &mut fact.prompt,
            "output_tokens" | "outputTokens" => &mut fact.completion,
            "cached_input_tokens" | "cachedInputTokens" => &mut fact.cached,
            "type" => continue,
            _ => {
                if !value.is_null() {
                    extra.raw(&name, value.raw());
                }
                continue;
            }
        };
        *counter = value.f64();
        if counter.is_none() && !value.is_null() {
            facts.diagnostic("codex.wrong-type", Severity::Warn, "a token counter is no number");
        }
    }
    extra.finish();
    fact
}
