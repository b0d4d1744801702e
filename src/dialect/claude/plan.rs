//! Todo lists: `TodoWrite` tells the whole list with each call, `TaskCreate` and `TaskUpdate` change one entry each
//! and count only once their result is in.

use std::borrow::Cow;

use super::memory::Role;
use super::speaker::Speaker;
use crate::dialect::content::Block;
use crate::dialect::walk::elements;
use crate::dialect::{Fact, PlanPatch};
use crate::event::PlanStatus;
use crate::json::Value;

/// The list of a `TodoWrite` call. Arguments without a list (cut, or refused as invalid) change nothing.
pub(super) fn todos(input: Option<Value<'_>>, speaker: &mut Speaker<'_, '_>) {
    let Some(todos) = input.and_then(|input| input.get("todos")).filter(|list| list.array().is_some()) else {
        return;
    };
    speaker.todos(todos);
}

/// What the result of a call will mean, from its name and arguments.
pub(super) fn role(name: &str, input: Option<Value<'_>>) -> Role {
    let text = |key: &str| input.and_then(|input| text_or_number(input.get(key)?)).map(Cow::into_owned);
    match name {
        "ExitPlanMode" => Role::PlanExit,
        "TaskCreate" => Role::TaskCreate { subject: text("subject") },
        "TaskUpdate" => match text("taskId") {
            Some(task) => Role::TaskUpdate { task, subject: text("subject"), status: text("status") },
            None => Role::Plain,
        },
        "TaskList" | "TaskGet" => Role::TaskRead,
        _ => Role::Plain,
    }
}

/// States the change a good result confirms. The arguments are let go.
pub(super) fn apply(
    role: &mut Role,
    blocks: &[Block<'_>],
    output: Option<Value<'_>>,
    speaker: &mut Speaker<'_, '_>,
) {
    match std::mem::take(role) {
        Role::TaskCreate { subject } => {
            let task = output.and_then(|output| output.get("task"));
            let [id, told] = task.map_or([None, None], |task| task.fields(["id", "subject"]));
            let id = id.and_then(text_or_number).or_else(|| created_id(blocks));
            let Some(id) = id else { return speaker.wrong_type("tool_use_result.task.id") };
            let subject = told.and_then(Value::str).or(subject.map(Cow::Owned));
            patch(&id, subject.as_deref(), Some("pending"), speaker);
        }
        Role::TaskUpdate { task, subject, status } => {
            if output.and_then(|output| output.get("success")?.bool()) != Some(false) {
                patch(&task, subject.as_deref(), status.as_deref(), speaker);
            }
        }
        Role::TaskRead => {
            let Some(output) = output else { return };
            let [one, list] = output.fields(["task", "tasks"]);
            let list = elements(list);
            for task in one.into_iter().chain(list) {
                let [id, subject, status] = task.fields(["id", "subject", "status"]);
                let (subject, status) = (subject.and_then(Value::str), status.and_then(Value::str));
                if let Some(id) = id.and_then(text_or_number) {
                    patch(&id, subject.as_deref(), status.as_deref(), speaker);
                }
            }
        }
        kept => *role = kept,
    }
}

fn patch(id: &str, content: Option<&str>, status: Option<&str>, speaker: &mut Speaker<'_, '_>) {
    speaker.say(Fact::PlanPatch(PlanPatch {
        id,
        content,
        status: status_of(status),
        priority: None,
        removed: status == Some("deleted"),
    }));
}

fn status_of(word: Option<&str>) -> Option<PlanStatus> {
    match word? {
        "in_progress" => Some(PlanStatus::InProgress),
        "completed" => Some(PlanStatus::Completed),
        "pending" => Some(PlanStatus::Pending),
        _ => None,
    }
}

/// The id out of "Task #1 created successfully: ..."; inside subagents the result has no record beside it.
fn created_id<'a>(blocks: &'a [Block<'_>]) -> Option<Cow<'a, str>> {
    let Block::Text(text) = blocks.first()? else { return None };
    let (id, rest) = text.split_once('#')?.1.split_once(' ')?;
    rest.starts_with("created").then_some(Cow::Borrowed(id))
}

/// Ids are strings; a number is taken as it is written.
fn text_or_number(value: Value<'_>) -> Option<Cow<'_, str>> {
    value.str().or_else(|| value.f64().map(|_| Cow::Borrowed(value.raw())))
}
