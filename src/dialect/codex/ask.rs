//! Requests of the app-server and of the `msg` protocol: approvals and questions, and how they end.
//!
//! Both sides number their requests on the same pipe, so an answer counts only for a request that is open. That a request is
//! resolved does not tell how; the call it is about does.

use std::borrow::Cow;

use super::item::Item;
use super::read::string;
use crate::dialect::tools::codex as tools;
use crate::dialect::walk::{Present, elements, members};
use crate::dialect::{Answered, Ask, AskRef, CallRef, Context, Fact, FactSink};
use crate::event::{
    Blocking, Choice, HarnessEvent, Interrupt, InterruptKind, InterruptOption, InterruptOutcome, Json,
    LinkSource, OptionKind, OptionScope, Question, QuestionType, Update,
};
use crate::json::{ObjectWriter, Value};

/// Requests that are remembered at once, and questions of one.
const MOST: usize = 256;

/// Requests of the server: method, what it asks, and the tool it is about.
const METHODS: &[(&str, InterruptKind, &str)] = &[
    ("item/commandExecution/requestApproval", InterruptKind::Approval, "command_execution"),
    ("item/fileChange/requestApproval", InterruptKind::Approval, "file_change"),
    ("item/permissions/requestApproval", InterruptKind::Approval, ""),
    ("item/tool/requestUserInput", InterruptKind::Question, ""),
    ("mcpServer/elicitation/request", InterruptKind::Question, ""),
    ("execCommandApproval", InterruptKind::Approval, "command_execution"),
    ("applyPatchApproval", InterruptKind::Approval, "file_change"),
];

/// Decisions: the wire's word, its label, kind and scope.
pub(super) const DECISIONS: &[(&str, &str, OptionKind, OptionScope)] = &[
    ("accept", "Allow", OptionKind::AllowOnce, OptionScope::Once),
    ("acceptForSession", "Allow for this session", OptionKind::AllowAlways, OptionScope::Session),
    ("decline", "Deny", OptionKind::RejectOnce, OptionScope::Once),
    ("cancel", "Deny and stop", OptionKind::RejectOnce, OptionScope::Turn),
    ("acceptWithExecpolicyAmendment", "Allow and keep the rule", OptionKind::AllowAlways, OptionScope::Rule),
    ("applyNetworkPolicyAmendment", "Allow and keep the rule", OptionKind::AllowAlways, OptionScope::Rule),
    (DENY_BY_RULE, "Deny and keep the rule", OptionKind::RejectAlways, OptionScope::Rule),
];

/// The wire has one word for rules of both kinds; a refusal must not go under that of an approval.
const DENY_BY_RULE: &str = "denyNetworkPolicyAmendment";

/// The id of an offered or given decision: a word, or an object whose only member the word names.
pub(super) fn id_of(decision: Value<'_>) -> Option<Cow<'_, str>> {
    if let Some(word) = decision.str() {
        return Some(word);
    }
    let (word, rule) = decision.object()?.next()?;
    let amendment = rule.get("network_policy_amendment").unwrap_or(rule);
    let denies = string(amendment.get("action")).as_deref() == Some("deny");
    Some(if denies { Cow::Borrowed(DENY_BY_RULE) } else { word.into_cow() })
}

/// The decisions that the first protocol had words of its own for.
pub(super) const FIRST_WORDS: &[(&str, &str)] = &[
    ("accept", "approved"),
    ("acceptForSession", "approved_for_session"),
    ("decline", "denied"),
    ("cancel", "abort"),
];

/// Requests that are open.
#[derive(Default)]
pub(super) struct Open {
    list: Vec<OpenAsk>,
    /// Calls that wait for a decision, or did until their end tells it.
    calls: Vec<String>,
}

struct OpenAsk {
    /// The request's id as it stands on the wire.
    id: String,
    kind: InterruptKind,
    session: Option<String>,
    agent: Option<String>,
}

impl Open {
    /// A line with a method and an id. `false`: no request that asks the user.
    pub fn request(
        &mut self,
        method: &str,
        id: Value<'_>,
        params: Value<'_>,
        context: &Context<'_>,
        facts: &mut dyn FactSink,
    ) -> bool {
        let Some((_, kind, tool)) = METHODS.iter().find(|(known, ..)| *known == method) else {
            let is_servers = method == "item/tool/call" || method.starts_with("attestation/");
            if is_servers {
                let word = HarnessEvent { type_: method, payload: Some(Json(params.raw())) };
                facts.fact(context, Fact::Tell(Update::HarnessEvent(word)));
            }
            return is_servers;
        };
        if self.list.len() >= MOST {
            self.list.remove(0);
        }
        let call = string(params.get("itemId")).filter(|_| *kind == InterruptKind::Approval);
        if let Some(call) = call.filter(|_| self.calls.len() < MOST) {
            self.calls.push(call.into_owned());
        }
        self.list.push(OpenAsk {
            id: id.raw().to_owned(),
            kind: *kind,
            session: context.session.map(str::to_owned),
            agent: context.agent.map(str::to_owned),
        });
        say(method, Some(id), *kind, tool, params, context, facts);
        true
    }

    /// Some call was asked about whose end has not come.
    pub fn wait(&self) -> bool {
        !self.calls.is_empty()
    }

    /// How a call ended that was asked about: declined, or it ran, whatever came of it.
    pub fn decided(&mut self, item: &Item<'_>, context: &Context<'_>, facts: &mut dyn FactSink) {
        let Some(id) = item.id.as_deref() else { return };
        let Some(at) = self.calls.iter().position(|call| call == id) else { return };
        self.calls.remove(at);
        let outcome = match item.status.as_deref() {
            Some("declined") => InterruptOutcome::Rejected,
            _ if item.ran() => InterruptOutcome::Allowed,
            _ => return,
        };
        let end = Answered::of(AskRef::Call(CallRef::Id(id)), outcome, LinkSource::Inferred);
        facts.fact(context, Fact::Answered(end));
    }

    /// The server closed a request. For an approval the call tells how.
    pub fn resolved(&mut self, params: Value<'_>, context: &Context<'_>, facts: &mut dyn FactSink) {
        let Some(ask) = params.get("requestId").and_then(|id| self.take(id)) else {
            return facts.fact(context, Fact::Ignored("request-resolved"));
        };
        if ask.kind == InterruptKind::Approval {
            return facts.fact(context, Fact::Ignored("request-resolved"));
        }
        let id = plain(&ask.id);
        let end = Answered::of(AskRef::Id(&id), InterruptOutcome::Unknown, LinkSource::Wire);
        facts.fact(context, Fact::Answered(end));
    }

    /// The client's answer, where both directions were recorded. `false`: it answers no open request.
    pub fn answer(&mut self, id: Value<'_>, result: Value<'_>, facts: &mut dyn FactSink) -> bool {
        let [decision, answers, action, permissions, content] =
            result.fields(["decision", "answers", "action", "permissions", "content"]);
        if decision.or(answers).or(action).or(permissions).is_none() {
            return false;
        }
        let Some(ask) = self.take(id) else { return false };
        let id = plain(&ask.id);
        let word = decision.or(action).and_then(id_of);
        let word = word.map(|word| match FIRST_WORDS.iter().find(|(_, first)| *first == word) {
            Some((new, _)) => Cow::Borrowed(*new),
            None => word,
        });
        let known = DECISIONS.iter().find(|(known, ..)| Some(*known) == word.as_deref());
        let outcome = match known {
            _ if answers.is_some() || content.is_some_and(|content| !content.is_null()) => {
                InterruptOutcome::Answered
            }
            Some((_, _, OptionKind::AllowOnce | OptionKind::AllowAlways, _)) => InterruptOutcome::Allowed,
            Some(_) => InterruptOutcome::Rejected,
            None if permissions
                .is_some_and(|granted| granted.object().is_some_and(|mut it| it.next().is_some())) =>
            {
                InterruptOutcome::Allowed
            }
            None if permissions.is_some() => InterruptOutcome::Rejected,
            None => InterruptOutcome::Unknown,
        };
        let told = answers.map(answers_of);
        let context =
            Context { session: ask.session.as_deref(), agent: ask.agent.as_deref(), ..Context::default() };
        let end = Answered {
            option_id: word.as_deref().filter(|_| decision.is_some()),
            option_kind: known.map(|(_, _, kind, _)| *kind),
            answers: told.as_deref().or(content.map(Value::raw).filter(|_| action.is_some())).map(Json),
            ..Answered::of(AskRef::Id(&id), outcome, LinkSource::Wire)
        };
        facts.fact(&context, Fact::Answered(end));
        true
    }

    fn take(&mut self, id: Value<'_>) -> Option<OpenAsk> {
        let at = self.list.iter().position(|ask| ask.id == id.raw())?;
        Some(self.list.remove(at))
    }
}

/// `{id: {answers: [text]}}` as `{id: [text]}`.
fn answers_of(answers: Value<'_>) -> String {
    let mut out = String::new();
    let mut writer = ObjectWriter::new(&mut out);
    for (id, answer) in members(Some(answers)) {
        writer.raw(&id, answer.get("answers").unwrap_or(answer).raw());
    }
    writer.finish();
    out
}

/// The id of a request as text.
fn plain(raw: &str) -> Cow<'_, str> {
    Value::parse(raw).ok().and_then(Value::str).unwrap_or(Cow::Borrowed(raw))
}

/// An approval or a question of the `msg` protocol: its id is that of the call.
pub(super) fn by_event(type_: &str, msg: Value<'_>, context: &Context<'_>, facts: &mut dyn FactSink) {
    let (kind, tool) = match type_ {
        "exec_approval_request" => (InterruptKind::Approval, "command_execution"),
        "apply_patch_approval_request" => (InterruptKind::Approval, "file_change"),
        _ => (InterruptKind::Question, ""),
    };
    let [approval, id, call] = msg.fields(["approval_id", "id", "call_id"]);
    say(type_, approval.present().or(id).or(call), kind, tool, msg, context, facts);
}

fn say(
    method: &str,
    id: Option<Value<'_>>,
    kind: InterruptKind,
    tool: &'static str,
    params: Value<'_>,
    context: &Context<'_>,
    facts: &mut dyn FactSink,
) {
    let [item, call, snake_call, command, cwd, reason, message, changes] =
        params.fields(["itemId", "callId", "call_id", "command", "cwd", "reason", "message", "fileChanges"]);
    let [decisions, questions, schema, permissions, root, event_changes, server] = params.fields([
        "availableDecisions",
        "questions",
        "requestedSchema",
        "permissions",
        "grantRoot",
        "changes",
        "serverName",
    ]);
    let call = string(item.or(call).or(snake_call)).filter(|call| !call.is_empty());
    let input = super::read::object([
        ("command", command.present()),
        ("cwd", cwd.filter(|cwd| !cwd.is_null() && command.is_some())),
        ("changes", changes.or(event_changes)),
        ("grantRoot", root.present()),
        ("permissions", permissions),
    ]);
    let title = command.present().map(|command| match command.array() {
        Some(_) => tools::command_words(command).title,
        None => tools::command(string(Some(command)).as_deref()).title,
    });
    let (reason, message) = (string(reason), string(message));
    let server = string(server);
    let (options, synthetic) = options_of(decisions, kind);
    let asked = questions_of(questions);
    let mut extra = String::new();
    let mut writer = ObjectWriter::new(&mut extra);
    writer.text("method", method);
    // No card comes of a question: the item it names is the question itself.
    let of_question = item.filter(|_| kind == InterruptKind::Question);
    let members = [("requestId", id), ("availableDecisions", decisions), ("itemId", of_question)];
    for (name, value) in members {
        if let Some(value) = value.present() {
            writer.raw(name, value.raw());
        }
    }
    if synthetic {
        writer.bool("synthetic", true);
    }
    writer.finish();
    let raw_id = id.map(Value::raw).unwrap_or_default();
    let plain_id = plain(raw_id);
    let interrupt = Interrupt {
        kind,
        tool_name: Some(tool).filter(|tool| !tool.is_empty()),
        title: title.as_deref().or(server.as_deref()),
        message: message.as_deref(),
        reason: reason.as_deref(),
        raw_input: input.as_deref().map(Json),
        options: options.into(),
        questions: asked.iter().map(Asked::question).collect::<Vec<_>>().into(),
        response_schema: schema.map(|schema| Json(schema.raw())),
        blocking: Blocking::Inline,
        ..Interrupt::default()
    };
    let ask = Ask {
        id: Some(&*plain_id).filter(|id| !id.is_empty()),
        call: call.as_deref().filter(|_| kind == InterruptKind::Approval).map(CallRef::Id),
        link: LinkSource::Wire,
        interrupt,
    };
    facts.fact(&Context { extra: Some(Json(&extra)), ..*context }, Fact::Ask(ask));
}

/// The decisions the request offers; those that every version takes where it offers none.
fn options_of(offered: Option<Value<'_>>, kind: InterruptKind) -> (Vec<InterruptOption<'static>>, bool) {
    if kind != InterruptKind::Approval {
        return (Vec::new(), false);
    }
    let mut options = Vec::new();
    let option = |(id, name, kind, scope): &(&'static str, &'static str, OptionKind, OptionScope)| {
        InterruptOption { option_id: id, name, kind: *kind, scope: Some(*scope), editable: false }
    };
    for decision in elements(offered) {
        let word = id_of(decision);
        options.extend(DECISIONS.iter().filter(|(known, ..)| Some(*known) == word.as_deref()).map(option));
    }
    let synthetic = options.is_empty();
    if synthetic {
        options.extend(DECISIONS.iter().take(4).map(option));
    }
    (options, synthetic)
}

struct Asked<'a> {
    id: Cow<'a, str>,
    text: Cow<'a, str>,
    header: Option<Cow<'a, str>>,
    choices: Vec<(Cow<'a, str>, Option<Cow<'a, str>>)>,
    other: bool,
    secret: bool,
}

impl Asked<'_> {
    fn question(&self) -> Question<'_> {
        let options: Vec<_> = self
            .choices
            .iter()
            .map(|(label, description)| Choice { value: label, label, description: description.as_deref() })
            .collect();
        Question {
            id: &self.id,
            question: &self.text,
            header: self.header.as_deref(),
            type_: if self.choices.is_empty() { QuestionType::Text } else { QuestionType::Single },
            options: options.into(),
            allow_other: self.other || self.choices.is_empty(),
            required: true,
            min: None,
            max: None,
            secret: self.secret,
        }
    }
}

fn questions_of(questions: Option<Value<'_>>) -> Vec<Asked<'_>> {
    let mut asked = Vec::new();
    for question in elements(questions).take(MOST) {
        let [id, text, header, options, other, secret] =
            question.fields(["id", "question", "header", "options", "isOther", "isSecret"]);
        let is_true = |flag: Option<Value<'_>>| flag.and_then(Value::bool) == Some(true);
        let mut choices = Vec::new();
        for option in elements(options) {
            let [label, description] = option.fields(["label", "description"]);
            if let Some(label) = string(label).or_else(|| option.str()) {
                choices.push((label, string(description)));
            }
        }
        asked.push(Asked {
            id: string(id).unwrap_or_else(|| asked.len().to_string().into()),
            text: string(text).unwrap_or_default(),
            header: string(header),
            choices,
            other: is_true(other),
            secret: is_true(secret),
        });
    }
    asked
}
