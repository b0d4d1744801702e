//! `stream-jsonrpc`: notifications of a session, what the program asks its host, and the answers where both directions
//! were recorded.
//!
//! Texts come as pieces, whole, and once more in their message, all under message and block number.

use std::borrow::Cow;

use super::blocks::{self, string};
use super::{failed, say_call, say_usage};
use crate::dialect::clock;
use crate::dialect::reply::Pending;
use crate::dialect::speaker::{Speaker, extra_of};
use crate::dialect::tools::droid as tools;
use crate::dialect::walk::{Present, elements};
use crate::dialect::{
    AgentSeen, Answered, Ask, AskRef, CallRef, Choice, Fact, PartKind, PartRef, ReplyError, RunFact,
    ToolChanged, UsageBasis,
};
use crate::event::{
    AgentStatus, Blocking, CompactionUpdate, Evidence, Interrupt, InterruptKind, InterruptOption,
    InterruptOutcome, Json, LinkSource, OptionKind, Question, QuestionType, RunOutcome, RunPhase, RunScope,
    SessionInfoUpdate, ToolStatus,
};
use crate::json::{ObjectWriter, Value};

/// Requests remembered at most; the oldest is forgotten first.
const MOST: usize = 256;

/// Decoding state.
#[derive(Default)]
pub(super) struct Rpc {
    /// Ids of permission requests that wait, raw.
    asked: Vec<String>,
    /// A turn runs, and an error was the last that it told.
    works: bool,
    failed: bool,
}

impl Rpc {
    pub fn record(&mut self, value: Value<'_>, session: &mut Option<String>, speaker: &mut Speaker<'_, '_>) {
        let [method, params, id, result, failure] =
            value.fields(["method", "params", "id", "result", "error"]);
        let [notification, own] =
            params.map_or([None; 2], |params| params.fields(["notification", "sessionId"]));
        let told = own.or_else(|| result?.get("sessionId")).and_then(Value::str);
        if let Some(told) = told.filter(|told| session.as_deref() != Some(told)) {
            *session = Some(told.into_owned());
            speaker.moved();
        }
        let mut speaker = speaker.narrowed();
        speaker.context.session = session.as_deref();
        let speaker = &mut speaker;
        match (method.and_then(Value::str).as_deref(), notification, params) {
            (Some("droid.session_notification"), Some(notification), _) => {
                self.notification(notification, speaker)
            }
            (Some("droid.request_permission"), _, Some(params)) => self.permission(id, params, speaker),
            (Some("droid.ask_user"), _, Some(params)) => self.questions(id, params, speaker),
            (Some(method), ..) => speaker.harness_event(method, value),
            (None, ..) => match failure.present() {
                Some(failure) => failed(failure, false, speaker),
                None => self.answer(id, result, value, speaker),
            },
        }
    }

    fn notification(&mut self, value: Value<'_>, speaker: &mut Speaker<'_, '_>) {
        let [kind, message, index, delta, timestamp] =
            value.fields(["type", "messageId", "blockIndex", "textDelta", "timestamp"]);
        let kind = speaker.text(kind, "notification.type").unwrap_or_default();
        let time = timestamp.and_then(clock::time);
        let own_message = message.filter(|message| message.str_raw().is_some()).and_then(Value::str);
        let mut speaker = speaker.narrowed();
        speaker.context.timestamp = time.as_deref();
        speaker.context.message = own_message.as_deref();
        let speaker = &mut speaker;
        let index = index.and_then(Value::u64).and_then(|index| u32::try_from(index).ok());
        let part = index.map_or(PartRef::Run, PartRef::Index);
        match &*kind {
            "assistant_text_delta" => self.piece(part, PartKind::Agent, delta, speaker),
            "thinking_text_delta" => self.piece(part, PartKind::Thought, delta, speaker),
            "assistant_text_complete" | "thinking_text_complete" => {
                let kind = if kind.starts_with('a') { PartKind::Agent } else { PartKind::Thought };
                let text = value.get("text").or(value.get("content")).filter(|text| text.str_raw().is_some());
                match (text, index) {
                    (Some(_), Some(_)) => speaker.whole(part, kind, text, "text"),
                    _ => speaker.say(Fact::PartEnd { part, stop_reason: None, aborted: false }),
                }
            }
            "create_message" => match value.get("message") {
                Some(message) => blocks::say(None, message, speaker),
                None => speaker.wrong_type("message"),
            },
            "tool_call" => {
                let call = value.get("toolUse").or(value.get("tool_use")).unwrap_or(value);
                let [id, own, name, other, input, parameters] =
                    call.fields(["id", "toolUseId", "name", "toolName", "input", "parameters"]);
                let (id, name) = (string(own.or(id)), string(name.or(other)));
                say_call(id.as_deref(), name.as_deref(), input.or(parameters), ToolStatus::Pending, speaker);
            }
            "tool_progress_update" => progress(value, speaker),
            "tool_result" => blocks::result(value, speaker),
            "session_token_usage_changed" => match value.get("tokenUsage") {
                Some(usage) => say_usage(usage, UsageBasis::RunningTotal, speaker),
                None => speaker.wrong_type("tokenUsage"),
            },
            "droid_working_state_changed" => self.state(value, speaker),
            "error" => {
                self.failed = true;
                failed(value, false, speaker);
            }
            "permission_resolved" => self.resolved(value, speaker),
            "session_title_updated" => {
                let title = string(value.get("title"));
                let info = SessionInfoUpdate { title: title.as_deref(), ..Default::default() };
                speaker.say(Fact::Tell(info.into()));
            }
            kind => speaker.harness_event(kind, value),
        }
    }

    fn piece(
        &mut self,
        part: PartRef<'_>,
        kind: PartKind,
        delta: Option<Value<'_>>,
        speaker: &mut Speaker<'_, '_>,
    ) {
        let raw = delta.and_then(Value::str_raw).unwrap_or_default();
        if !std::mem::take(&mut self.failed) && !raw.is_empty() {
            speaker.repeatable(&[raw]);
        }
        match delta.and_then(Value::text) {
            Some(text) if text.is_empty() => speaker.say(Fact::Ignored("empty-delta")),
            Some(text) => speaker.say(Fact::PartDelta { part, kind, text }),
            None => speaker.wrong_type("textDelta"),
        }
    }

    /// Work begins and ends a turn; how it ended is told nowhere.
    fn state(&mut self, value: Value<'_>, speaker: &mut Speaker<'_, '_>) {
        let state = string(value.get("newState")).unwrap_or_default();
        if state == "compacting_conversation" {
            let update = CompactionUpdate { status: "in_progress", ..Default::default() };
            speaker.say(Fact::Tell(update.into()));
        }
        let works = state != "idle";
        if std::mem::replace(&mut self.works, works) == works {
            return speaker.say(Fact::Ignored("working-state"));
        }
        if works {
            self.failed = false;
            return speaker.say(Fact::Run(RunFact::of(RunScope::Turn, RunPhase::Start)));
        }
        let outcome = if self.failed { RunOutcome::Failed } else { RunOutcome::Completed };
        speaker.say(Fact::Run(RunFact {
            outcome: Some(outcome),
            reason: Some(&state),
            evidence: Some(Evidence::Inferred),
            ..RunFact::of(RunScope::Turn, RunPhase::End)
        }));
    }

    /// One request may be about several calls; it is shown at the first.
    fn permission(&mut self, id: Option<Value<'_>>, params: Value<'_>, speaker: &mut Speaker<'_, '_>) {
        let id = id.map(raw_id);
        let uses = speaker.list(params.get("toolUses"), "toolUses");
        let [call, name, input] = match uses.first() {
            Some(first) => first.get("toolUse").unwrap_or(*first).fields(["id", "name", "input"]),
            None => [None; 3],
        };
        let (call, name) = (string(call), string(name));
        let shown = tools::present(name.as_deref().unwrap_or_default(), input);
        let listed = speaker.list(params.get("options"), "options");
        let words: Vec<(Cow<'_, str>, Cow<'_, str>)> = listed
            .iter()
            .filter_map(|option| {
                let [label, value] = option.fields(["label", "value"]).map(string);
                let value = value?;
                Some((label.unwrap_or_else(|| value.clone()), value))
            })
            .collect();
        let mut options = Vec::with_capacity(words.len());
        for (name, option_id) in &words {
            let kind = option_kind(option_id);
            options.push(InterruptOption { option_id, name, kind, scope: None, editable: false });
        }
        let interrupt = Interrupt {
            kind: InterruptKind::Approval,
            tool_name: name.as_deref(),
            title: Some(&*shown.title).filter(|title| !title.is_empty()),
            raw_input: input.map(|input| Json(input.raw())),
            options: options.into(),
            blocking: Blocking::Inline,
            ..Interrupt::default()
        };
        let call = call.as_deref().map(CallRef::Id);
        let ask = Ask { id: id.as_deref(), call, link: LinkSource::Wire, interrupt };
        let extra = extra_of(params, &["toolUses"]);
        speaker.say_extra(extra.as_deref(), Fact::Ask(ask));
        self.remember(id);
    }

    fn questions(&mut self, id: Option<Value<'_>>, params: Value<'_>, speaker: &mut Speaker<'_, '_>) {
        let id = id.map(raw_id);
        let call = string(params.get("toolCallId"));
        let listed = speaker.list(params.get("questions"), "questions");
        type Asked<'a> = (Cow<'a, str>, Cow<'a, str>, Option<Cow<'a, str>>, Vec<Cow<'a, str>>);
        let read: Vec<Asked<'_>> = listed
            .iter()
            .filter_map(|question| {
                let [index, words, topic, options] =
                    question.fields(["index", "question", "topic", "options"]);
                let options = elements(options).filter_map(Value::str).collect();
                Some((
                    index.map_or(Cow::Borrowed("0"), |index| index.raw().into()),
                    string(words)?,
                    string(topic),
                    options,
                ))
            })
            .collect();
        let mut questions = Vec::with_capacity(read.len());
        for (id, question, topic, options) in &read {
            let mut choices = Vec::with_capacity(options.len());
            for option in options {
                choices.push(crate::event::Choice { value: option, label: option, description: None });
            }
            questions.push(Question {
                id,
                question,
                header: topic.as_deref(),
                type_: if options.is_empty() { QuestionType::Text } else { QuestionType::Single },
                options: choices.into(),
                allow_other: true,
                ..Question::default()
            });
        }
        let interrupt = Interrupt {
            kind: InterruptKind::Question,
            questions: questions.into(),
            blocking: Blocking::Inline,
            ..Interrupt::default()
        };
        let call = call.as_deref().map(CallRef::Id);
        speaker.say(Fact::Ask(Ask { id: id.as_deref(), call, link: LinkSource::Wire, interrupt }));
        self.remember(id);
    }

    fn remember(&mut self, id: Option<String>) {
        let Some(id) = id else { return };
        if self.asked.len() >= MOST {
            self.asked.remove(0);
        }
        self.asked.push(id);
    }

    /// A response: to a request of the program if it asked under that id, else to its host, which is no event.
    fn answer(
        &mut self,
        id: Option<Value<'_>>,
        result: Option<Value<'_>>,
        value: Value<'_>,
        speaker: &mut Speaker<'_, '_>,
    ) {
        let id = id.map(raw_id).unwrap_or_default();
        let Some(at) = self.asked.iter().position(|asked| *asked == id) else {
            return match result {
                Some(_) => speaker.say(Fact::Ignored("response")),
                None => speaker.unknown(value.get("type").and_then(Value::str).as_deref(), value),
            };
        };
        self.asked.remove(at);
        let [option, comment, answers, cancelled] = result
            .map_or([None; 4], |result| result.fields(["selectedOption", "comment", "answers", "cancelled"]));
        let option = string(option);
        let comment = string(comment);
        let outcome = match (option.as_deref(), answers) {
            _ if cancelled.and_then(Value::bool) == Some(true) => InterruptOutcome::Cancelled,
            (Some(option), _) => outcome_of(option),
            (None, Some(_)) => InterruptOutcome::Answered,
            (None, None) => InterruptOutcome::Unknown,
        };
        let fact = Answered {
            option_id: option.as_deref(),
            option_kind: option.as_deref().map(option_kind),
            message: comment.as_deref(),
            ..Answered::of(AskRef::Id(&id), outcome, LinkSource::Wire)
        };
        speaker.say(Fact::Answered(fact));
    }

    fn resolved(&mut self, value: Value<'_>, speaker: &mut Speaker<'_, '_>) {
        let [id, option] = value.fields(["requestId", "selectedOption"]);
        let id = id.map(raw_id).unwrap_or_default();
        let option = string(option);
        let Some(at) = self.asked.iter().position(|asked| *asked == id) else {
            return speaker.say(Fact::Ignored("permission-resolved"));
        };
        self.asked.remove(at);
        let outcome = option.as_deref().map_or(InterruptOutcome::Unknown, outcome_of);
        let fact = Answered {
            option_id: option.as_deref(),
            option_kind: option.as_deref().map(option_kind),
            ..Answered::of(AskRef::Id(&id), outcome, LinkSource::Wire)
        };
        speaker.say(Fact::Answered(fact));
    }
}

/// An id as text, whatever type it has.
fn raw_id(id: Value<'_>) -> String {
    id.str().map_or_else(|| id.raw().to_owned(), Cow::into_owned)
}

/// Options are named by what they do: `proceed_once`, `proceed_always`, `cancel` and longer words that begin so.
fn option_kind(option: &str) -> OptionKind {
    match option {
        "proceed_once" | "proceed" | "proceed_edit" => OptionKind::AllowOnce,
        _ if option.starts_with("proceed_") => OptionKind::AllowAlways,
        "cancel" => OptionKind::RejectOnce,
        _ => OptionKind::Other,
    }
}

fn outcome_of(option: &str) -> InterruptOutcome {
    match option_kind(option) {
        OptionKind::AllowOnce | OptionKind::AllowAlways => InterruptOutcome::Allowed,
        OptionKind::RejectOnce | OptionKind::RejectAlways => InterruptOutcome::Rejected,
        OptionKind::Other => InterruptOutcome::Answered,
    }
}

/// News of a running call: its own words, or what the helper it runs does.
fn progress(value: Value<'_>, speaker: &mut Speaker<'_, '_>) {
    let [id, name, update] = value.fields(["toolUseId", "toolName", "update"]);
    let (id, name) = (string(id), string(name));
    let Some(id) = id.as_deref() else { return speaker.wrong_type("toolUseId") };
    let helper = string(update.and_then(|update| update.get("subagentSessionId")));
    if let Some(helper) = helper.as_deref() {
        speaker.say(Fact::AgentSeen(AgentSeen {
            agent: helper,
            name: None,
            session: Some(helper),
            call: Some(CallRef::Id(id)),
            status: Some(AgentStatus::Running),
        }));
    }
    let [text, details, status] =
        update.map_or([None; 3], |update| update.fields(["text", "details", "status"])).map(string);
    let blocks: Vec<_> =
        text.or(details).or(status).map(crate::dialect::content::Block::Text).into_iter().collect();
    let extra = extra_of(value, &["update"]);
    speaker.say_extra(
        extra.as_deref(),
        Fact::ToolChanged(ToolChanged {
            status: Some(ToolStatus::InProgress),
            name: name.as_deref(),
            content: crate::dialect::content::contents_of(&blocks),
            ..ToolChanged::about(CallRef::Id(id))
        }),
    );
}

/// Makes the JSON-RPC response to a permission request or to questions.
pub(super) fn reply(event: Value<'_>, choice: &Choice<'_>) -> Result<String, ReplyError> {
    let pending = Pending::read(event)?;
    let id = pending.wire_id()?;
    let mut result = String::new();
    let mut writer = ObjectWriter::new(&mut result);
    match *choice {
        Choice::Option { edited_input: Some(_), .. } => {
            return Err(ReplyError::new("reply.not-editable", "this protocol takes no changed arguments"));
        }
        Choice::Option { id, message, .. } => {
            pending.check_offered(id)?;
            writer.text("selectedOption", id);
            if let Some(message) = message {
                writer.text("comment", message);
            }
        }
        Choice::Answers(answers) => {
            let list = answers_of(pending.update, answers)?;
            writer.raw("answers", &list);
        }
        Choice::Cancel if pending.is_question() => {
            writer.bool("cancelled", true).raw("answers", "[]");
        }
        Choice::Cancel => {
            writer.text("selectedOption", "cancel");
        }
    }
    writer.finish();
    let mut line = String::new();
    let mut writer = ObjectWriter::new(&mut line);
    writer.text("jsonrpc", "2.0").text("factoryApiVersion", "1.0.0").text("type", "response");
    writer.text("id", &id).raw("result", &result).finish();
    Ok(line)
}

/// `[{index, question, answer}]` from `{question id: [text]}`.
fn answers_of(update: Value<'_>, answers: Value<'_>) -> Result<String, ReplyError> {
    let missing = || ReplyError::new("reply.answers-required", "answer every question by its id");
    let mut list = String::from("[");
    for question in update.get("questions").and_then(Value::array).ok_or_else(missing)? {
        let [id, words] = question.fields(["id", "question"]).map(string);
        let id = id.ok_or_else(missing)?;
        let given = answers.get(&id).ok_or_else(missing)?;
        let texts: Vec<_> = match given.array() {
            Some(texts) => texts.filter_map(Value::str).collect(),
            None => given.str().into_iter().collect(),
        };
        if list.len() > 1 {
            list.push(',');
        }
        let mut writer = ObjectWriter::new(&mut list);
        writer.raw("index", if id.bytes().all(|digit| digit.is_ascii_digit()) { &id } else { "0" });
        writer.text("question", &words.unwrap_or_default()).text("answer", &texts.join(", ")).finish();
    }
    list.push(']');
    Ok(list)
}
