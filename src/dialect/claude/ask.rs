//! The control protocol: what the CLI asks its host, and the answers that are echoed.
//!
//! Both sides number their requests on the same pipe, so an answer counts only when the CLI asked under that id.
//! Requests of the host itself (initialize, interrupt, set_*) are not for a user.

use std::borrow::Cow;

use super::Line;
use super::memory::{Asked, Memory};
use super::speaker::{Extra, Speaker};
use crate::dialect::tools::claude as tools;
use crate::dialect::walk::{Present, elements, members};
use crate::dialect::{Answered, Ask, AskRef, CallRef, Fact, content};
use crate::event::{
    Blocking, Choice, Hook, Interrupt, InterruptKind, InterruptOption, InterruptOutcome, Json, LinkSource,
    OptionKind, OptionScope, Question, QuestionType,
};
use crate::json::{ObjectWriter, Value};

/// The tool whose permission request is the question itself.
pub(super) const QUESTION_TOOL: &str = "AskUserQuestion";

/// Questions of one request that are read; the rest stays in its arguments or schema.
const MOST_QUESTIONS: usize = 64;

pub(super) const ALLOW: &str = "allow";
pub(super) const ALLOW_ALWAYS: &str = "allow_always";
pub(super) const DENY: &str = "deny";
pub(super) const ACCEPT: &str = "accept";
pub(super) const DECLINE: &str = "decline";

pub(super) fn request(line: &Line<'_>, memory: &mut Memory, speaker: &mut Speaker<'_, '_>) {
    let [id, request] = line.value.fields(["request_id", "request"]);
    let id = speaker.text(id, "request_id");
    let Some(request) = request.filter(|request| request.object().is_some()) else {
        return speaker.wrong_type("request");
    };
    let subtype = speaker.text(request.get("subtype"), "request.subtype").unwrap_or_default();
    match &*subtype {
        "can_use_tool" => permission(id.as_deref(), request, memory, speaker),
        "elicitation" => elicitation(id.as_deref(), request, memory, speaker),
        "request_user_dialog" => dialog(id.as_deref(), request, memory, speaker),
        "hook_callback" => {
            let input = request.get("input").filter(|input| input.object().is_some());
            let event = input.and_then(|input| input.get("hook_event_name")?.str()).unwrap_or_default();
            let payload = input.filter(|_| !event.is_empty()).map(|input| Json(input.raw()));
            let hook = Hook { method: "hook_callback", event: &event, payload, raw: Json(line.value.raw()) };
            speaker.say(Fact::Tell(hook.into()));
        }
        _ => speaker.say(Fact::Ignored("control")),
    }
}

/// Everything about a permission request that has no field of its own, and what a reply needs.
const PERMISSION_NAMES: [&str; 11] = [
    "permission_suggestions",
    "blocked_path",
    "display_name",
    "agent_id",
    "description",
    "suppress_always_allow_rule",
    "default_to_no",
    "requires_user_interaction",
    "matched_ask_rule",
    "classifier_approvable",
    "decision_classification",
];

fn permission(id: Option<&str>, request: Value<'_>, memory: &mut Memory, speaker: &mut Speaker<'_, '_>) {
    let [name, input, call, title, description, reason, reason_code, agent] = request.present_fields([
        "tool_name",
        "input",
        "tool_use_id",
        "title",
        "description",
        "decision_reason",
        "decision_reason_type",
        "agent_id",
    ]);
    let name = speaker.text(name, "request.tool_name");
    let call = speaker.text(call, "request.tool_use_id");
    let title = speaker.text(title, "request.title");
    let description = speaker.text(description, "request.description");
    let reason = speaker.text(reason, "request.decision_reason");
    let reason_code = speaker.text(reason_code, "request.decision_reason_type");
    let agent = speaker.text(agent, "request.agent_id");
    let tool = name.as_deref().unwrap_or_default();
    let shown = tools::present(tool, input);
    let questions = if tool == QUESTION_TOOL { questions_of(input, speaker) } else { Vec::new() };
    let is_question = !questions.is_empty();
    let mut extra = Extra::default();
    extra.text("subtype", "can_use_tool");
    for name in PERMISSION_NAMES {
        extra.value(name, request.get(name));
    }
    if !is_question {
        extra.raw("synthetic", "true");
    }
    let by_task = agent.and_then(|agent| memory.tasks.get(&agent)?.call.as_deref());
    let caller = memory.caller(call.as_deref()).or(by_task).map(str::to_string);
    let interrupt = Interrupt {
        kind: if is_question { InterruptKind::Question } else { InterruptKind::Approval },
        tool_name: name.as_deref(),
        title: title.as_deref().or(Some(&shown.title)).filter(|title| !title.is_empty()),
        message: description.as_deref(),
        reason: reason.as_deref(),
        reason_code: reason_code.as_deref(),
        raw_input: input.map(|input| Json(input.raw())),
        locations: Some(content::locations(&shown.places)).filter(|_| !shown.places.is_empty()),
        options: if is_question { Vec::new() } else { permission_options(request) }.into(),
        questions: questions.iter().map(Asking::question).collect::<Vec<_>>().into(),
        editable: !is_question,
        blocking: Blocking::Inline,
        default_option_id: Some(DENY).filter(|_| !is_question && is_true(request.get("default_to_no"))),
        ..Interrupt::default()
    };
    let ask = Ask { id, call: call.as_deref().map(CallRef::Id), link: LinkSource::Wire, interrupt };
    speaker.say_of(caller.as_deref(), extra.finish().as_deref(), Fact::Ask(ask));
    let texts = is_question.then(|| questions.iter().map(|asking| asking.text.to_string()).collect());
    remember(id, call.as_deref(), caller, texts, memory);
}

fn remember(
    id: Option<&str>,
    call: Option<&str>,
    agent: Option<String>,
    questions: Option<Vec<String>>,
    memory: &mut Memory,
) {
    let Some(id) = id else { return };
    if let Some(call) = call {
        memory.ask_of_call.insert(call, id.to_string());
    }
    memory.asks.insert(id, Asked { agent, questions });
}

fn is_true(value: Option<Value<'_>>) -> bool {
    value.and_then(Value::bool) == Some(true)
}

/// Allow and deny are implied by the protocol; "always" exists only where the wire suggests a rule for it.
fn permission_options(request: Value<'_>) -> Vec<InterruptOption<'static>> {
    let once = Some(OptionScope::Once);
    let option =
        |option_id, name, kind, scope, editable| InterruptOption { option_id, name, kind, scope, editable };
    let mut options = vec![option(ALLOW, "Allow", OptionKind::AllowOnce, once, true)];
    let suggestions = request.get("permission_suggestions").and_then(Value::array);
    let mut scopes = suggestions.into_iter().flatten().map(|rule| {
        match rule.get("destination").and_then(Value::str).as_deref() {
            Some("session" | "cliArg") => OptionScope::Session,
            Some("userSettings") => OptionScope::User,
            Some("projectSettings" | "localSettings") => OptionScope::Project,
            _ => OptionScope::Rule,
        }
    });
    if let Some(first) = scopes.next().filter(|_| !is_true(request.get("suppress_always_allow_rule"))) {
        let scope = if scopes.all(|scope| scope == first) { first } else { OptionScope::Rule };
        options.push(option(ALLOW_ALWAYS, "Always allow", OptionKind::AllowAlways, Some(scope), true));
    }
    options.push(option(DENY, "Deny", OptionKind::RejectOnce, once, false));
    options
}

/// Value, label, description.
type Choices<'a> = Vec<(Cow<'a, str>, Cow<'a, str>, Option<Cow<'a, str>>)>;

/// One question, with its texts owned where the wire escaped them.
struct Asking<'a> {
    id: Cow<'a, str>,
    text: Cow<'a, str>,
    header: Option<Cow<'a, str>>,
    kind: QuestionType,
    choices: Choices<'a>,
    allow_other: bool,
    required: bool,
    min: Option<f64>,
    max: Option<f64>,
}

impl Asking<'_> {
    fn question(&self) -> Question<'_> {
        Question {
            id: &self.id,
            question: &self.text,
            header: self.header.as_deref(),
            type_: self.kind,
            options: self
                .choices
                .iter()
                .map(|(value, label, description)| Choice {
                    value,
                    label,
                    description: description.as_deref(),
                })
                .collect::<Vec<_>>()
                .into(),
            allow_other: self.allow_other,
            required: self.required,
            min: self.min,
            max: self.max,
            secret: false,
        }
    }
}

/// The questions of `AskUserQuestion`. Each can be skipped and each takes a text of the user's own.
fn questions_of<'a>(input: Option<Value<'a>>, speaker: &mut Speaker<'_, '_>) -> Vec<Asking<'a>> {
    let questions = speaker.list(input.and_then(|input| input.get("questions")), "input.questions");
    let read = |(number, asked): (usize, Value<'a>)| {
        let [text, header, options, multiple] =
            asked.fields(["question", "header", "options", "multiSelect"]);
        let choices: Vec<_> = elements(options)
            .filter_map(|option| {
                let [label, description] = option.fields(["label", "description"]);
                let label = label.and_then(Value::str).or_else(|| option.str())?;
                Some((label.clone(), label, description.and_then(Value::str)))
            })
            .collect();
        Asking {
            id: number.to_string().into(),
            text: text.and_then(Value::str).or_else(|| asked.str()).unwrap_or_default(),
            header: header.and_then(Value::str),
            kind: match is_true(multiple) {
                _ if choices.is_empty() => QuestionType::Text,
                true => QuestionType::Multiple,
                false => QuestionType::Single,
            },
            choices,
            allow_other: true,
            required: false,
            min: None,
            max: None,
        }
    };
    questions.into_iter().take(MOST_QUESTIONS).enumerate().map(read).collect()
}

/// An MCP server asks: a form by schema, or a page to open.
fn elicitation(id: Option<&str>, request: Value<'_>, memory: &mut Memory, speaker: &mut Speaker<'_, '_>) {
    let [message, mode, schema, server] =
        request.fields(["message", "mode", "requested_schema", "mcp_server_name"]);
    let message = speaker.text(message, "request.message");
    let server = speaker.text(server, "request.mcp_server_name");
    let by_url = mode.and_then(Value::str).as_deref() == Some("url");
    let schema = schema.filter(|schema| schema.object().is_some());
    let questions = schema.map(fields_of).unwrap_or_default();
    let mut extra = Extra::default();
    extra.text("subtype", "elicitation");
    for name in ["mcp_server_name", "mode", "url", "elicitation_id"] {
        extra.value(name, request.get(name));
    }
    let options = if by_url {
        let option =
            |option_id, name, kind| InterruptOption { option_id, name, kind, scope: None, editable: false };
        vec![
            option(ACCEPT, "Open", OptionKind::AllowOnce),
            option(DECLINE, "Decline", OptionKind::RejectOnce),
        ]
    } else {
        Vec::new()
    };
    let interrupt = Interrupt {
        kind: if by_url { InterruptKind::Approval } else { InterruptKind::Question },
        title: server.as_deref(),
        message: message.as_deref(),
        options: options.into(),
        questions: questions.iter().map(Asking::question).collect::<Vec<_>>().into(),
        response_schema: schema.map(|schema| Json(schema.raw())),
        blocking: Blocking::Inline,
        ..Interrupt::default()
    };
    let ask = Ask { id, call: None, link: LinkSource::Wire, interrupt };
    speaker.say_extra(extra.finish().as_deref(), Fact::Ask(ask));
    let told = request.get("elicitation_id").and_then(Value::str);
    remember(id, told.as_deref(), None, Some(Vec::new()), memory);
}

/// What the user was sent to do elsewhere is done.
pub(super) fn completed(line: &Line<'_>, memory: &Memory, speaker: &mut Speaker<'_, '_>) {
    let id = speaker.text(line.value.get("elicitation_id"), "elicitation_id");
    match id.and_then(|id| memory.ask_of_call.get(&id)) {
        Some(id) => {
            speaker.say(Fact::Answered(answered(AskRef::Id(id), InterruptOutcome::Answered)));
        }
        None => line.harness_event("elicitation_complete", speaker),
    }
}

/// The flat properties of a form's schema as questions; a nested one leaves only the schema.
fn fields_of(schema: Value<'_>) -> Vec<Asking<'_>> {
    let [properties, required] = schema.fields(["properties", "required"]);
    let required: Vec<_> = elements(required).filter_map(Value::str).take(MOST_QUESTIONS).collect();
    let mut fields = Vec::new();
    for (name, property) in members(properties).take(MOST_QUESTIONS) {
        let [kind, title, description, options, labels, items, min, max] =
            property.fields(["type", "title", "description", "enum", "oneOf", "items", "minimum", "maximum"]);
        let kind = kind.and_then(Value::str).unwrap_or_default();
        if kind == "object" {
            return Vec::new();
        }
        let multiple = kind == "array";
        let [item_options, item_labels] = match items.filter(|_| multiple) {
            Some(items) => items.fields(["enum", "anyOf"]),
            None => [options, labels],
        };
        let choices = choices_of(item_options, item_labels);
        let name = name.into_cow();
        let title = title.and_then(Value::str);
        fields.push(Asking {
            text: description.and_then(Value::str).or_else(|| title.clone()).unwrap_or_else(|| name.clone()),
            header: title,
            kind: match &*kind {
                _ if multiple && !choices.is_empty() => QuestionType::Multiple,
                _ if !choices.is_empty() => QuestionType::Single,
                "number" | "integer" => QuestionType::Number,
                "boolean" => QuestionType::Boolean,
                _ => QuestionType::Text,
            },
            choices,
            allow_other: false,
            required: required.contains(&name),
            id: name,
            min: min.and_then(Value::f64),
            max: max.and_then(Value::f64),
        });
    }
    fields
}

/// `enum` lists bare values, `oneOf` pairs of `const` and `title`.
fn choices_of<'a>(plain: Option<Value<'a>>, titled: Option<Value<'a>>) -> Choices<'a> {
    let plain = elements(plain).filter_map(Value::str);
    let titled = elements(titled).filter_map(|option| {
        let [value, title] = option.fields(["const", "title"]);
        let value = value.and_then(Value::str)?;
        Some((value.clone(), title.and_then(Value::str).unwrap_or(value), None))
    });
    plain.map(|value| (value.clone(), value, None)).chain(titled).collect()
}

/// A dialog only the CLI's own interface knows; shown as a notice.
fn dialog(id: Option<&str>, request: Value<'_>, memory: &mut Memory, speaker: &mut Speaker<'_, '_>) {
    let [kind, payload, call] = request.fields(["dialog_kind", "payload", "tool_use_id"]);
    let kind = speaker.text(kind, "request.dialog_kind");
    let call = speaker.text(call, "request.tool_use_id");
    let mut extra = Extra::default();
    extra.text("subtype", "request_user_dialog");
    extra.value("payload", payload);
    let caller = memory.caller(call.as_deref()).map(str::to_string);
    let interrupt = Interrupt {
        kind: InterruptKind::Notice,
        message: kind.as_deref(),
        reason_code: kind.as_deref(),
        blocking: Blocking::Inline,
        ..Interrupt::default()
    };
    let ask = Ask { id, call: call.as_deref().map(CallRef::Id), link: LinkSource::Wire, interrupt };
    speaker.say_of(caller.as_deref(), extra.finish().as_deref(), Fact::Ask(ask));
    remember(id, call.as_deref(), caller, None, memory);
}

fn answered(ask: AskRef<'_>, outcome: InterruptOutcome) -> Answered<'_> {
    Answered::of(ask, outcome, LinkSource::Wire)
}

pub(super) fn cancelled(line: &Line<'_>, memory: &Memory, speaker: &mut Speaker<'_, '_>) {
    let id = speaker.text(line.value.get("request_id"), "request_id");
    match id.as_deref().and_then(|id| Some((id, memory.asks.get(id)?))) {
        Some((id, asked)) => {
            let fact = Fact::Answered(answered(AskRef::Id(id), InterruptOutcome::Cancelled));
            speaker.say_of(asked.agent.as_deref(), None, fact);
        }
        None => speaker.say(Fact::Ignored("control")),
    }
}

/// An answer of the host, echoed, or an answer of the CLI to its host.
pub(super) fn response(line: &Line<'_>, memory: &Memory, speaker: &mut Speaker<'_, '_>) {
    let Some(response) = line.value.get("response") else { return speaker.wrong_type("response") };
    let [subtype, id, answer, failure] = response.fields(["subtype", "request_id", "response", "error"]);
    let id = speaker.text(id, "response.request_id");
    let Some((id, asked)) = id.as_deref().and_then(|id| Some((id, memory.asks.get(id)?))) else {
        return speaker.say(Fact::Ignored("control"));
    };
    let agent = asked.agent.as_deref();
    if subtype.and_then(Value::str).as_deref() == Some("error") {
        let message = speaker.text(failure, "response.error");
        let fact =
            Answered { message: message.as_deref(), ..answered(AskRef::Id(id), InterruptOutcome::Cancelled) };
        return speaker.say_of(agent, None, Fact::Answered(fact));
    }
    let [behavior, message, input, rules, action, content] = answer.map_or([None; 6], |answer| {
        answer.fields(["behavior", "message", "updatedInput", "updatedPermissions", "action", "content"])
    });
    let word = behavior.or(action).and_then(Value::str);
    let message = speaker.text(message, "response.message");
    let mut fact = answered(AskRef::Id(id), outcome_of(word.as_deref()));
    fact.message = message.as_deref();
    let answers = match (&asked.questions, fact.outcome) {
        (Some(questions), InterruptOutcome::Allowed) => {
            fact.outcome = InterruptOutcome::Answered;
            answers_of(questions, input, content)
        }
        (_, InterruptOutcome::Allowed) => {
            let always = rules.and_then(Value::array).is_some_and(|mut rules| rules.next().is_some());
            fact.option_id = Some(if always { ALLOW_ALWAYS } else { ALLOW });
            fact.option_kind = Some(if always { OptionKind::AllowAlways } else { OptionKind::AllowOnce });
            fact.edited_input = input.present().map(|input| Json(input.raw()));
            None
        }
        (None, InterruptOutcome::Rejected) => {
            fact.option_id = Some(DENY);
            fact.option_kind = Some(OptionKind::RejectOnce);
            None
        }
        _ => None,
    };
    fact.answers = answers.as_deref().map(Json);
    speaker.say_of(agent, None, Fact::Answered(fact));
}

/// Only the words the protocol has; anything else is no approval.
fn outcome_of(word: Option<&str>) -> InterruptOutcome {
    match word {
        Some("allow" | "accept") => InterruptOutcome::Allowed,
        Some("deny" | "decline") => InterruptOutcome::Rejected,
        Some("cancel") => InterruptOutcome::Cancelled,
        _ => InterruptOutcome::Unknown,
    }
}

/// `{question id: [text]}`. Claude's own questions are keyed by their text on the wire; forms by property.
fn answers_of(questions: &[String], input: Option<Value<'_>>, form: Option<Value<'_>>) -> Option<String> {
    let given = input.and_then(|input| input.get("answers")).or(form)?;
    let mut out = String::new();
    let mut writer = ObjectWriter::new(&mut out);
    for (key, value) in given.object()? {
        let texts = match value.array() {
            Some(items) => items.map(text_of).collect(),
            None => vec![text_of(value)],
        };
        let number =
            questions.iter().position(|question| **question == *key).map(|number| number.to_string());
        let mut list = String::from("[");
        for (at, text) in texts.iter().enumerate() {
            if at > 0 {
                list.push(',');
            }
            crate::json::write_string(&mut list, text);
        }
        list.push(']');
        writer.raw(number.as_deref().unwrap_or(&key), &list);
    }
    writer.finish();
    Some(out)
}

fn text_of(value: Value<'_>) -> Cow<'_, str> {
    value.str().unwrap_or(Cow::Borrowed(value.raw()))
}

/// A result tells how its call was permitted; said only where a question about that call is known.
pub(super) fn decided(line: &Line<'_>, call: &str, memory: &Memory, speaker: &mut Speaker<'_, '_>) {
    let Some(id) = memory.ask_of_call.get(call) else { return };
    let mut metas = elements(line.result_meta).take(MOST_QUESTIONS);
    let Some(meta) = metas.find(|meta| meta.get("id").and_then(Value::str).as_deref() == Some(call)) else {
        return;
    };
    let decision = meta.get("permission_decision");
    let [word, source] = decision.map_or([None, None], |decision| decision.fields(["decision", "source"]));
    // "user_temporary", "user_permanent", "user_reject", "user_abort": only a user's own decision answers a question.
    let source = source.and_then(Value::str).unwrap_or_default();
    if !source.starts_with("user") {
        return;
    }
    let is_question = memory.asks.get(id).is_some_and(|asked| asked.questions.is_some());
    let (outcome, option) = match word.and_then(Value::str).as_deref() {
        Some("accept") if is_question => (InterruptOutcome::Answered, None),
        Some("accept") if source == "user_permanent" => {
            (InterruptOutcome::Allowed, Some((ALLOW_ALWAYS, OptionKind::AllowAlways)))
        }
        Some("accept") => (InterruptOutcome::Allowed, Some((ALLOW, OptionKind::AllowOnce))),
        Some("reject") => (InterruptOutcome::Rejected, Some((DENY, OptionKind::RejectOnce))),
        _ => return,
    };
    let mut fact = answered(AskRef::Id(id), outcome);
    fact.option_id = option.map(|(id, _)| id);
    fact.option_kind = option.map(|(_, kind)| kind);
    speaker.say(Fact::Answered(fact));
}
