//! Tool calls: start, output, end, and the file changes they hold back.

use std::borrow::Cow;

use super::Autohand;
use super::fields::{self, Event};
use super::turns::piece;
use crate::dialect::content::{Block, Place, contents_of, locations, tool_contents};
use crate::dialect::plan::Plan;
use crate::dialect::tools::autohand as tools;
use crate::dialect::walk::{elements, members};
use crate::dialect::{Answered, Ask, AskRef, CallRef, Context, Fact, FactSink, ToolChanged, ToolSeen};
use crate::event::{
    Blocking, Choice, Interrupt, InterruptKind, InterruptOutcome, Json, LinkSource, OutputStream, Question,
    QuestionType, ToolStatus,
};
use crate::json::{ObjectWriter, Value, write_string};

impl Autohand {
    pub(super) fn tool_start(&mut self, event: &Event<'_>, facts: &mut dyn FactSink) {
        let line = event.read(["toolId", "toolName", "args", "toolCallId", "toolArgs"]);
        let [id, name, args, call_id, tool_args] = line.found;
        let id = fields::filled(id.or(call_id), "toolId", facts);
        let name = fields::filled(name, "toolName", facts);
        let call = Call { id: id.as_deref(), name: name.as_deref(), args: args.or(tool_args) };
        if let Some(id) = call.id {
            self.announced.retain(|announced| announced != id);
        }
        self.started = true;
        let context = line.context(&self.session);
        call.seen(Some(ToolStatus::InProgress), &context, facts);
        call.also(&Context { extra: None, ..context }, facts);
    }

    pub(super) fn tool_update(&mut self, event: &Event<'_>, facts: &mut dyn FactSink) {
        let line = event.read(["toolId", "toolCallId", "output", "delta", "stream"]);
        let [id, call_id, output, delta, stream] = line.found;
        let id = fields::filled(id.or(call_id), "toolId", facts);
        let context = line.context(&self.session);
        let text = piece(output.or(delta), "output", facts);
        let Some((id, text)) = id.zip(text) else {
            return facts.fact(&context, Fact::Ignored("empty-delta"));
        };
        let stream = stream.and_then(Value::str).and_then(|word| OutputStream::from_word(&word));
        facts.fact(&context, Fact::OutputDelta { call: CallRef::Id(&id), text, stream });
    }

    pub(super) fn tool_end(&mut self, event: &Event<'_>, facts: &mut dyn FactSink) {
        let mut line = event.read([
            "toolId",
            "toolName",
            "success",
            "output",
            "error",
            "toolCallId",
            "toolSuccess",
            "toolOutput",
            "toolError",
        ]);
        let [id, name, success, output, error, call_id, tool_success, tool_output, tool_error] = line.found;
        let id = fields::filled(id.or(call_id), "toolId", facts);
        let name = fields::filled(name, "toolName", facts);
        let result = ToolResult {
            success: success.or(tool_success),
            output: output.or(tool_output),
            error: error.or(tool_error),
        };
        if let Some(id) = id.as_deref() {
            self.announced.retain(|announced| announced != id);
            if let Some(at) = self.durations.iter().position(|(of, _)| of == id) {
                let (_, duration) = self.durations.remove(at);
                line.add_extra(|extra| {
                    extra.raw("durationMs", &duration);
                });
            }
        }
        let context = line.context(&self.session);
        // The CLI writes `unknown` when it lost the call's id.
        let call = match id.as_deref().filter(|id| *id != "unknown") {
            Some(id) => CallRef::Id(id),
            None => CallRef::Match { id: None, name: name.as_deref().unwrap_or_default(), lane: None },
        };
        result.tell(call, name.as_deref(), &context, facts);
    }

    /// One edit that waits for the user: the diff of the call that wants it.
    pub(super) fn change(&mut self, event: &Event<'_>, facts: &mut dyn FactSink) {
        let mut line = event.read(["change"]);
        let [change] = line.found;
        let Some(change) = change.filter(|change| change.object().is_some()) else {
            return self.harness(event.name.strip_prefix("autohand.").unwrap_or(event.name), event, facts);
        };
        let inner = Event { params: change, ..*event };
        let inner = inner.read([
            "filePath",
            "changeType",
            "originalContent",
            "proposedContent",
            "toolId",
            "toolName",
        ]);
        let [path, type_, old, new, id, name] = inner.found;
        let id = fields::filled(id, "toolId", facts);
        let (Some(id), Some(path)) = (id, fields::filled(path, "filePath", facts)) else {
            return self.harness(event.name.strip_prefix("autohand.").unwrap_or(event.name), event, facts);
        };
        let name = fields::filled(name, "toolName", facts);
        let created = type_.and_then(Value::str).as_deref() == Some("create");
        line.add_extra(|extra| {
            type_.map(|type_| extra.raw("changeType", type_.raw()));
            for (key, value) in members(Value::parse(&inner.extra).ok()) {
                extra.raw(if &*key == "id" { "changeId" } else { &key }, value.raw());
            }
        });
        let diff = [Block::Diff {
            path: path.clone(),
            old: fields::text(old, "originalContent", facts).filter(|_| !created),
            new: fields::text(new, "proposedContent", facts).unwrap_or_default(),
        }];
        let places = [Place { path, line: None }];
        facts.fact(
            &line.context(&self.session),
            Fact::ToolChanged(ToolChanged {
                name: name.as_deref(),
                input_content: Some(tool_contents(&diff)),
                locations: Some(locations(&places)),
                ..ToolChanged::about(CallRef::Id(&id))
            }),
        );
    }
}

/// A call as start, announcement and log row name it.
pub(super) struct Call<'a> {
    pub id: Option<&'a str>,
    pub name: Option<&'a str>,
    pub args: Option<Value<'a>>,
}

impl Call<'_> {
    fn reference(&self) -> CallRef<'_> {
        CallRef::of(self.id)
    }

    /// The card. `type` among the arguments repeats the tool's name.
    pub fn seen(&self, status: Option<ToolStatus>, context: &Context<'_>, facts: &mut dyn FactSink) {
        let shown = tools::present(self.name.unwrap_or_default(), self.args);
        let input = self.args.map(|args| without_type(args, self.name));
        let title = Some(&*shown.title).filter(|title| !title.is_empty());
        facts.fact(
            context,
            Fact::ToolSeen(ToolSeen {
                name: self.name,
                title,
                kind: self.name.map(|_| shown.kind),
                status,
                input: input.as_deref().map(Json),
                locations: (!shown.places.is_empty()).then(|| locations(&shown.places)),
                ..ToolSeen::about(self.reference())
            }),
        );
    }

    /// What a started call of these tools means beside its card.
    pub fn also(&self, context: &Context<'_>, facts: &mut dyn FactSink) {
        match self.name {
            Some(tools::TODO) => plan(self.args, context, facts),
            Some(tools::QUESTION) => self.ask(context, facts),
            _ => {}
        }
    }

    fn ask(&self, context: &Context<'_>, facts: &mut dyn FactSink) {
        let [question, suggested] =
            self.args.map_or([None; 2], |args| args.fields(["question", "suggested_answers"]));
        let question = question.and_then(Value::str).unwrap_or_default();
        let suggested: Vec<_> = elements(suggested).filter_map(Value::str).collect();
        let options: Vec<_> =
            suggested.iter().map(|text| Choice { value: text, label: text, description: None }).collect();
        let type_ = if options.is_empty() { QuestionType::Text } else { QuestionType::Single };
        let asked = Question {
            id: "0",
            question: &question,
            type_,
            allow_other: !options.is_empty(),
            options: options.into(),
            ..Question::default()
        };
        facts.fact(
            context,
            Fact::Ask(Ask {
                id: None,
                call: Some(self.reference()),
                link: LinkSource::Inferred,
                interrupt: Interrupt {
                    kind: InterruptKind::Question,
                    tool_name: self.name,
                    questions: vec![asked].into(),
                    blocking: Blocking::Inline,
                    ..Interrupt::default()
                },
            }),
        );
    }
}

fn without_type<'a>(args: Value<'a>, name: Option<&str>) -> Cow<'a, str> {
    let redundant = |key: &str, value: Value<'_>| key == "type" && value.str().as_deref() == name;
    if name.is_none() || !args.get("type").is_some_and(|value| redundant("type", value)) {
        return Cow::Borrowed(args.raw());
    }
    let mut out = String::with_capacity(args.raw().len());
    let mut object = ObjectWriter::new(&mut out);
    for (key, value) in members(Some(args)) {
        if !redundant(&key, value) {
            object.raw(&key, value.raw());
        }
    }
    object.finish();
    Cow::Owned(out)
}

/// The todo tool replaces the whole list.
fn plan(args: Option<Value<'_>>, context: &Context<'_>, facts: &mut dyn FactSink) {
    match args.and_then(|args| args.get("tasks")).and_then(Plan::read) {
        Some(plan) => facts.fact(context, plan.fact()),
        None => fields::wrong_type("tasks", "an array", facts),
    }
}

/// How a call ended.
pub(super) struct ToolResult<'a> {
    pub success: Option<Value<'a>>,
    pub output: Option<Value<'a>>,
    pub error: Option<Value<'a>>,
}

impl ToolResult<'_> {
    pub fn tell(
        &self,
        call: CallRef<'_>,
        name: Option<&str>,
        context: &Context<'_>,
        facts: &mut dyn FactSink,
    ) {
        let success = fields::flag(self.success, "success", facts);
        let output = fields::filled(self.output, "output", facts);
        let error = fields::filled(self.error, "error", facts);
        let completed = success.unwrap_or(error.is_none());
        if completed && name == Some(tools::QUESTION) {
            answered(
                call,
                output.as_deref().unwrap_or_default(),
                &Context { extra: None, ..*context },
                facts,
            );
        }
        let blocks: Vec<_> = output.or(error).map(Block::Text).into_iter().collect();
        let mut raw = String::new();
        let mut object = ObjectWriter::new(&mut raw);
        for (key, value) in [("success", self.success), ("output", self.output), ("error", self.error)] {
            value.map(|value| object.raw(key, value.raw()));
        }
        let said = !object.is_empty();
        object.finish();
        facts.fact(
            context,
            Fact::ToolChanged(ToolChanged {
                status: Some(if completed { ToolStatus::Completed } else { ToolStatus::Failed }),
                name,
                content: contents_of(&blocks),
                output: said.then_some(Json(&raw)),
                ..ToolChanged::about(call)
            }),
        );
    }
}

/// The answer to a question comes as the tool's output, in an `<answer>` tag.
pub(super) fn answered(call: CallRef<'_>, output: &str, context: &Context<'_>, facts: &mut dyn FactSink) {
    let tagged = output.split_once("<answer>").and_then(|(_, rest)| rest.split_once("</answer>"));
    let text = tagged.map_or(output, |(text, _)| text).trim();
    let mut list = String::from("[");
    write_string(&mut list, text);
    list.push(']');
    let mut answers = String::new();
    let mut object = ObjectWriter::new(&mut answers);
    object.raw("0", &list);
    object.finish();
    facts.fact(
        context,
        Fact::Answered(Answered {
            ask: AskRef::Call(call),
            outcome: InterruptOutcome::Answered,
            option_id: None,
            option_kind: None,
            answers: Some(Json(&answers)),
            edited_input: None,
            message: None,
            source: LinkSource::Inferred,
        }),
    );
}
