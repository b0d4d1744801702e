// Generated from src/event/events.schema by `cargo xtask schema`. Change the table, not this file.

use super::batch::{Batch, Reader};
use super::write::{ObjectWriter, write_list};
use super::{Json, List, UiEvent};

/// What kind of work a tool does. Chooses the icon.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ToolKind {
    #[default]
    /// `read`
    Read,
    /// `edit`
    Edit,
    /// `delete`
    Delete,
    /// `move`
    Move,
    /// `search`
    Search,
    /// `execute`
    Execute,
    /// `think`
    Think,
    /// `fetch`
    Fetch,
    /// `switch_mode`
    SwitchMode,
    /// `other`
    Other,
}

impl ToolKind {
    /// Every word, in the table's order.
    pub const ALL: &'static [Self] = &[
        Self::Read,
        Self::Edit,
        Self::Delete,
        Self::Move,
        Self::Search,
        Self::Execute,
        Self::Think,
        Self::Fetch,
        Self::SwitchMode,
        Self::Other,
    ];

    /// The word as it stands in JavaScript.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Edit => "edit",
            Self::Delete => "delete",
            Self::Move => "move",
            Self::Search => "search",
            Self::Execute => "execute",
            Self::Think => "think",
            Self::Fetch => "fetch",
            Self::SwitchMode => "switch_mode",
            Self::Other => "other",
        }
    }

    /// The member a word names; `None` for a word outside the set.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|one| one.as_str() == word)
    }

    fn from_packed(word: u32) -> Option<Self> {
        Self::ALL.get((word as usize).wrapping_sub(1)).copied()
    }

    pub(crate) fn packed(self) -> u32 {
        self as u32 + 1
    }
}

/// State of a tool card. `completed` and `failed` are final.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ToolStatus {
    #[default]
    /// `pending`
    Pending,
    /// `in_progress`
    InProgress,
    /// `completed`
    Completed,
    /// `failed`
    Failed,
}

impl ToolStatus {
    /// Every word, in the table's order.
    pub const ALL: &'static [Self] = &[Self::Pending, Self::InProgress, Self::Completed, Self::Failed];

    /// The word as it stands in JavaScript.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::InProgress => "in_progress",
            Self::Completed => "completed",
            Self::Failed => "failed",
        }
    }

    /// The member a word names; `None` for a word outside the set.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|one| one.as_str() == word)
    }

    fn from_packed(word: u32) -> Option<Self> {
        Self::ALL.get((word as usize).wrapping_sub(1)).copied()
    }

    pub(crate) fn packed(self) -> u32 {
        self as u32 + 1
    }
}

/// A closed set of words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum PlanStatus {
    #[default]
    /// `pending`
    Pending,
    /// `in_progress`
    InProgress,
    /// `completed`
    Completed,
}

impl PlanStatus {
    /// Every word, in the table's order.
    pub const ALL: &'static [Self] = &[Self::Pending, Self::InProgress, Self::Completed];

    /// The word as it stands in JavaScript.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::InProgress => "in_progress",
            Self::Completed => "completed",
        }
    }

    /// The member a word names; `None` for a word outside the set.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|one| one.as_str() == word)
    }

    fn from_packed(word: u32) -> Option<Self> {
        Self::ALL.get((word as usize).wrapping_sub(1)).copied()
    }

    pub(crate) fn packed(self) -> u32 {
        self as u32 + 1
    }
}

/// A closed set of words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum PlanPriority {
    #[default]
    /// `high`
    High,
    /// `medium`
    Medium,
    /// `low`
    Low,
}

impl PlanPriority {
    /// Every word, in the table's order.
    pub const ALL: &'static [Self] = &[Self::High, Self::Medium, Self::Low];

    /// The word as it stands in JavaScript.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::High => "high",
            Self::Medium => "medium",
            Self::Low => "low",
        }
    }

    /// The member a word names; `None` for a word outside the set.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|one| one.as_str() == word)
    }

    fn from_packed(word: u32) -> Option<Self> {
        Self::ALL.get((word as usize).wrapping_sub(1)).copied()
    }

    pub(crate) fn packed(self) -> u32 {
        self as u32 + 1
    }
}

/// A closed set of words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Role {
    #[default]
    /// `agent`
    Agent,
    /// `thought`
    Thought,
    /// `user`
    User,
}

impl Role {
    /// Every word, in the table's order.
    pub const ALL: &'static [Self] = &[Self::Agent, Self::Thought, Self::User];

    /// The word as it stands in JavaScript.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Agent => "agent",
            Self::Thought => "thought",
            Self::User => "user",
        }
    }

    /// The member a word names; `None` for a word outside the set.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|one| one.as_str() == word)
    }

    fn from_packed(word: u32) -> Option<Self> {
        Self::ALL.get((word as usize).wrapping_sub(1)).copied()
    }

    pub(crate) fn packed(self) -> u32 {
        self as u32 + 1
    }
}

/// `call`: one model call, the last value per message counts. `run`: the additive share of a run that ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum UsageScope {
    #[default]
    /// `call`
    Call,
    /// `run`
    Run,
}

impl UsageScope {
    /// Every word, in the table's order.
    pub const ALL: &'static [Self] = &[Self::Call, Self::Run];

    /// The word as it stands in JavaScript.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Call => "call",
            Self::Run => "run",
        }
    }

    /// The member a word names; `None` for a word outside the set.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|one| one.as_str() == word)
    }

    fn from_packed(word: u32) -> Option<Self> {
        Self::ALL.get((word as usize).wrapping_sub(1)).copied()
    }

    pub(crate) fn packed(self) -> u32 {
        self as u32 + 1
    }
}

/// A closed set of words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Severity {
    #[default]
    /// `info`
    Info,
    /// `warning`
    Warning,
    /// `error`
    Error,
}

impl Severity {
    /// Every word, in the table's order.
    pub const ALL: &'static [Self] = &[Self::Info, Self::Warning, Self::Error];

    /// The word as it stands in JavaScript.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }

    /// The member a word names; `None` for a word outside the set.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|one| one.as_str() == word)
    }

    fn from_packed(word: u32) -> Option<Self> {
        Self::ALL.get((word as usize).wrapping_sub(1)).copied()
    }

    pub(crate) fn packed(self) -> u32 {
        self as u32 + 1
    }
}

/// A closed set of words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum RunScope {
    #[default]
    /// `run`
    Run,
    /// `turn`
    Turn,
    /// `step`
    Step,
    /// `agent`
    Agent,
}

impl RunScope {
    /// Every word, in the table's order.
    pub const ALL: &'static [Self] = &[Self::Run, Self::Turn, Self::Step, Self::Agent];

    /// The word as it stands in JavaScript.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Run => "run",
            Self::Turn => "turn",
            Self::Step => "step",
            Self::Agent => "agent",
        }
    }

    /// The member a word names; `None` for a word outside the set.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|one| one.as_str() == word)
    }

    fn from_packed(word: u32) -> Option<Self> {
        Self::ALL.get((word as usize).wrapping_sub(1)).copied()
    }

    pub(crate) fn packed(self) -> u32 {
        self as u32 + 1
    }
}

/// A closed set of words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum RunPhase {
    #[default]
    /// `start`
    Start,
    /// `end`
    End,
}

impl RunPhase {
    /// Every word, in the table's order.
    pub const ALL: &'static [Self] = &[Self::Start, Self::End];

    /// The word as it stands in JavaScript.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::End => "end",
        }
    }

    /// The member a word names; `None` for a word outside the set.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|one| one.as_str() == word)
    }

    fn from_packed(word: u32) -> Option<Self> {
        Self::ALL.get((word as usize).wrapping_sub(1)).copied()
    }

    pub(crate) fn packed(self) -> u32 {
        self as u32 + 1
    }
}

/// How a run, turn, step or agent ended. `cut`: the stream stopped before its end was stated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum RunOutcome {
    #[default]
    /// `completed`
    Completed,
    /// `failed`
    Failed,
    /// `cancelled`
    Cancelled,
    /// `waiting`
    Waiting,
    /// `cut`
    Cut,
}

impl RunOutcome {
    /// Every word, in the table's order.
    pub const ALL: &'static [Self] =
        &[Self::Completed, Self::Failed, Self::Cancelled, Self::Waiting, Self::Cut];

    /// The word as it stands in JavaScript.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Completed => "completed",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
            Self::Waiting => "waiting",
            Self::Cut => "cut",
        }
    }

    /// The member a word names; `None` for a word outside the set.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|one| one.as_str() == word)
    }

    fn from_packed(word: u32) -> Option<Self> {
        Self::ALL.get((word as usize).wrapping_sub(1)).copied()
    }

    pub(crate) fn packed(self) -> u32 {
        self as u32 + 1
    }
}

/// What an outcome rests on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Evidence {
    #[default]
    /// `stated`
    Stated,
    /// `inferred`
    Inferred,
}

impl Evidence {
    /// Every word, in the table's order.
    pub const ALL: &'static [Self] = &[Self::Stated, Self::Inferred];

    /// The word as it stands in JavaScript.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Stated => "stated",
            Self::Inferred => "inferred",
        }
    }

    /// The member a word names; `None` for a word outside the set.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|one| one.as_str() == word)
    }

    fn from_packed(word: u32) -> Option<Self> {
        Self::ALL.get((word as usize).wrapping_sub(1)).copied()
    }

    pub(crate) fn packed(self) -> u32 {
        self as u32 + 1
    }
}

/// A closed set of words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum AgentStatus {
    #[default]
    /// `running`
    Running,
    /// `completed`
    Completed,
    /// `failed`
    Failed,
    /// `cancelled`
    Cancelled,
    /// `unknown`
    Unknown,
}

impl AgentStatus {
    /// Every word, in the table's order.
    pub const ALL: &'static [Self] =
        &[Self::Running, Self::Completed, Self::Failed, Self::Cancelled, Self::Unknown];

    /// The word as it stands in JavaScript.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Completed => "completed",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
            Self::Unknown => "unknown",
        }
    }

    /// The member a word names; `None` for a word outside the set.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|one| one.as_str() == word)
    }

    fn from_packed(word: u32) -> Option<Self> {
        Self::ALL.get((word as usize).wrapping_sub(1)).copied()
    }

    pub(crate) fn packed(self) -> u32 {
        self as u32 + 1
    }
}

/// A closed set of words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum InterruptKind {
    #[default]
    /// `approval`
    Approval,
    /// `question`
    Question,
    /// `notice`
    Notice,
}

impl InterruptKind {
    /// Every word, in the table's order.
    pub const ALL: &'static [Self] = &[Self::Approval, Self::Question, Self::Notice];

    /// The word as it stands in JavaScript.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Approval => "approval",
            Self::Question => "question",
            Self::Notice => "notice",
        }
    }

    /// The member a word names; `None` for a word outside the set.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|one| one.as_str() == word)
    }

    fn from_packed(word: u32) -> Option<Self> {
        Self::ALL.get((word as usize).wrapping_sub(1)).copied()
    }

    pub(crate) fn packed(self) -> u32 {
        self as u32 + 1
    }
}

/// A closed set of words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum IdSource {
    #[default]
    /// `wire`
    Wire,
    /// `minted`
    Minted,
}

impl IdSource {
    /// Every word, in the table's order.
    pub const ALL: &'static [Self] = &[Self::Wire, Self::Minted];

    /// The word as it stands in JavaScript.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Wire => "wire",
            Self::Minted => "minted",
        }
    }

    /// The member a word names; `None` for a word outside the set.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|one| one.as_str() == word)
    }

    fn from_packed(word: u32) -> Option<Self> {
        Self::ALL.get((word as usize).wrapping_sub(1)).copied()
    }

    pub(crate) fn packed(self) -> u32 {
        self as u32 + 1
    }
}

/// A closed set of words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum LinkSource {
    #[default]
    /// `wire`
    Wire,
    /// `inferred`
    Inferred,
}

impl LinkSource {
    /// Every word, in the table's order.
    pub const ALL: &'static [Self] = &[Self::Wire, Self::Inferred];

    /// The word as it stands in JavaScript.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Wire => "wire",
            Self::Inferred => "inferred",
        }
    }

    /// The member a word names; `None` for a word outside the set.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|one| one.as_str() == word)
    }

    fn from_packed(word: u32) -> Option<Self> {
        Self::ALL.get((word as usize).wrapping_sub(1)).copied()
    }

    pub(crate) fn packed(self) -> u32 {
        self as u32 + 1
    }
}

/// Whether the stream waits for the answer or the answer starts a new run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Blocking {
    #[default]
    /// `inline`
    Inline,
    /// `run_ends`
    RunEnds,
    /// `unknown`
    Unknown,
}

impl Blocking {
    /// Every word, in the table's order.
    pub const ALL: &'static [Self] = &[Self::Inline, Self::RunEnds, Self::Unknown];

    /// The word as it stands in JavaScript.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Inline => "inline",
            Self::RunEnds => "run_ends",
            Self::Unknown => "unknown",
        }
    }

    /// The member a word names; `None` for a word outside the set.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|one| one.as_str() == word)
    }

    fn from_packed(word: u32) -> Option<Self> {
        Self::ALL.get((word as usize).wrapping_sub(1)).copied()
    }

    pub(crate) fn packed(self) -> u32 {
        self as u32 + 1
    }
}

/// A closed set of words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum OptionKind {
    #[default]
    /// `allow_once`
    AllowOnce,
    /// `allow_always`
    AllowAlways,
    /// `reject_once`
    RejectOnce,
    /// `reject_always`
    RejectAlways,
    /// `other`
    Other,
}

impl OptionKind {
    /// Every word, in the table's order.
    pub const ALL: &'static [Self] =
        &[Self::AllowOnce, Self::AllowAlways, Self::RejectOnce, Self::RejectAlways, Self::Other];

    /// The word as it stands in JavaScript.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::AllowOnce => "allow_once",
            Self::AllowAlways => "allow_always",
            Self::RejectOnce => "reject_once",
            Self::RejectAlways => "reject_always",
            Self::Other => "other",
        }
    }

    /// The member a word names; `None` for a word outside the set.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|one| one.as_str() == word)
    }

    fn from_packed(word: u32) -> Option<Self> {
        Self::ALL.get((word as usize).wrapping_sub(1)).copied()
    }

    pub(crate) fn packed(self) -> u32 {
        self as u32 + 1
    }
}

/// A closed set of words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum OptionScope {
    #[default]
    /// `once`
    Once,
    /// `turn`
    Turn,
    /// `session`
    Session,
    /// `project`
    Project,
    /// `user`
    User,
    /// `rule`
    Rule,
}

impl OptionScope {
    /// Every word, in the table's order.
    pub const ALL: &'static [Self] =
        &[Self::Once, Self::Turn, Self::Session, Self::Project, Self::User, Self::Rule];

    /// The word as it stands in JavaScript.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Once => "once",
            Self::Turn => "turn",
            Self::Session => "session",
            Self::Project => "project",
            Self::User => "user",
            Self::Rule => "rule",
        }
    }

    /// The member a word names; `None` for a word outside the set.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|one| one.as_str() == word)
    }

    fn from_packed(word: u32) -> Option<Self> {
        Self::ALL.get((word as usize).wrapping_sub(1)).copied()
    }

    pub(crate) fn packed(self) -> u32 {
        self as u32 + 1
    }
}

/// A closed set of words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum QuestionType {
    #[default]
    /// `text`
    Text,
    /// `single`
    Single,
    /// `multiple`
    Multiple,
    /// `number`
    Number,
    /// `boolean`
    Boolean,
}

impl QuestionType {
    /// Every word, in the table's order.
    pub const ALL: &'static [Self] = &[Self::Text, Self::Single, Self::Multiple, Self::Number, Self::Boolean];

    /// The word as it stands in JavaScript.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Single => "single",
            Self::Multiple => "multiple",
            Self::Number => "number",
            Self::Boolean => "boolean",
        }
    }

    /// The member a word names; `None` for a word outside the set.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|one| one.as_str() == word)
    }

    fn from_packed(word: u32) -> Option<Self> {
        Self::ALL.get((word as usize).wrapping_sub(1)).copied()
    }

    pub(crate) fn packed(self) -> u32 {
        self as u32 + 1
    }
}

/// A closed set of words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum InterruptOutcome {
    #[default]
    /// `allowed`
    Allowed,
    /// `rejected`
    Rejected,
    /// `answered`
    Answered,
    /// `cancelled`
    Cancelled,
    /// `expired`
    Expired,
    /// `unknown`
    Unknown,
}

impl InterruptOutcome {
    /// Every word, in the table's order.
    pub const ALL: &'static [Self] =
        &[Self::Allowed, Self::Rejected, Self::Answered, Self::Cancelled, Self::Expired, Self::Unknown];

    /// The word as it stands in JavaScript.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Allowed => "allowed",
            Self::Rejected => "rejected",
            Self::Answered => "answered",
            Self::Cancelled => "cancelled",
            Self::Expired => "expired",
            Self::Unknown => "unknown",
        }
    }

    /// The member a word names; `None` for a word outside the set.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|one| one.as_str() == word)
    }

    fn from_packed(word: u32) -> Option<Self> {
        Self::ALL.get((word as usize).wrapping_sub(1)).copied()
    }

    pub(crate) fn packed(self) -> u32 {
        self as u32 + 1
    }
}

/// A closed set of words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum OutputStream {
    #[default]
    /// `stdout`
    Stdout,
    /// `stderr`
    Stderr,
}

impl OutputStream {
    /// Every word, in the table's order.
    pub const ALL: &'static [Self] = &[Self::Stdout, Self::Stderr];

    /// The word as it stands in JavaScript.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Stdout => "stdout",
            Self::Stderr => "stderr",
        }
    }

    /// The member a word names; `None` for a word outside the set.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|one| one.as_str() == word)
    }

    fn from_packed(word: u32) -> Option<Self> {
        Self::ALL.get((word as usize).wrapping_sub(1)).copied()
    }

    pub(crate) fn packed(self) -> u32 {
        self as u32 + 1
    }
}

/// A place in a file. `line` is as the wire counts it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Location<'a> {
    pub path: &'a str,
    pub line: Option<f64>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlanEntry<'a> {
    pub content: &'a str,
    pub status: PlanStatus,
    pub priority: PlanPriority,
}

/// Tokens and cost. Absent counters were not printed; they are not zero.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TokenUsage<'a> {
    /// all input tokens, cache reads and writes included
    pub prompt_tokens: Option<f64>,
    pub completion_tokens: Option<f64>,
    /// the cache-read share of promptTokens
    pub cached_tokens: Option<f64>,
    pub cost_usd: Option<f64>,
    /// the wire's other counters, under its own names
    pub extra: Option<Json<'a>>,
}

/// Text that a running tool printed; append it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OutputDelta<'a> {
    pub text: &'a str,
    pub stream: Option<OutputStream>,
}

/// An answer the user may give to an approval.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct InterruptOption<'a> {
    pub option_id: &'a str,
    pub name: &'a str,
    pub kind: OptionKind,
    pub scope: Option<OptionScope>,
    /// the arguments may be changed with this answer
    pub editable: bool,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Choice<'a> {
    pub value: &'a str,
    pub label: &'a str,
    pub description: Option<&'a str>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Question<'a> {
    pub id: &'a str,
    pub question: &'a str,
    pub header: Option<&'a str>,
    pub type_: QuestionType,
    pub options: List<'a, Choice<'a>>,
    pub allow_other: bool,
    pub required: bool,
    pub min: Option<f64>,
    pub max: Option<f64>,
    pub secret: bool,
}

/// Where a live browser of the agent can be watched. Never opened by itself.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Browser<'a> {
    pub live_url: &'a str,
    pub session_id: Option<&'a str>,
    pub session_tag: Option<&'a str>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct SlashCommand<'a> {
    pub name: &'a str,
    pub description: &'a str,
    pub hint: Option<&'a str>,
}

/// One content block of a message or a tool result.
#[derive(Clone, Debug, PartialEq)]
pub enum ContentBlock<'a> {
    Text {
        text: &'a str,
    },
    Image {
        /// base64; empty when only `uri` is known
        data: &'a str,
        mime_type: &'a str,
        uri: Option<&'a str>,
    },
    Audio {
        data: &'a str,
        mime_type: &'a str,
    },
    Resource {
        /// {uri, text | blob, mimeType?}
        resource: Json<'a>,
    },
    ResourceLink {
        uri: &'a str,
        name: Option<&'a str>,
        title: Option<&'a str>,
        mime_type: Option<&'a str>,
        size: Option<f64>,
    },
}

impl Default for ContentBlock<'_> {
    fn default() -> Self {
        Self::Text { text: Default::default() }
    }
}

/// One entry of a tool card's content.
#[derive(Clone, Debug, PartialEq)]
pub enum ToolContent<'a> {
    Content {
        content: ContentBlock<'a>,
    },
    Diff {
        path: &'a str,
        /// absent: a new file, or the wire does not tell the old text
        old_text: Option<&'a str>,
        new_text: &'a str,
    },
    Terminal {
        terminal_id: &'a str,
    },
}

impl Default for ToolContent<'_> {
    fn default() -> Self {
        Self::Content { content: Default::default() }
    }
}

/// A piece of the agent's answer; append it to its item.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AgentMessageChunk<'a> {
    pub content: ContentBlock<'a>,
}

/// A piece of the agent's reasoning; append it to its item.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AgentThoughtChunk<'a> {
    pub content: ContentBlock<'a>,
}

/// The user's prompt, or its echo.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct UserMessageChunk<'a> {
    pub content: ContentBlock<'a>,
}

/// A tool card appears. Exactly one per card, before all its updates.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ToolCall<'a> {
    /// unique in the stream
    pub tool_call_id: &'a str,
    pub title: &'a str,
    /// the harness's own name; MCP tools as mcp__server__tool
    pub tool_name: Option<&'a str>,
    pub kind: ToolKind,
    pub status: ToolStatus,
    pub raw_input: Option<Json<'a>>,
    /// the input side: diff, prompt
    pub content: Option<List<'a, ToolContent<'a>>>,
    pub locations: Option<List<'a, Location<'a>>>,
    /// no call was seen yet, only something about it
    pub inferred: bool,
    /// the wire's id, where the card had to get another one
    pub wire_tool_call_id: Option<&'a str>,
}

/// Something new about a card. Absent fields keep what is known.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ToolCallUpdate<'a> {
    pub tool_call_id: &'a str,
    pub status: Option<ToolStatus>,
    pub title: Option<&'a str>,
    pub kind: Option<ToolKind>,
    pub tool_name: Option<&'a str>,
    pub raw_input: Option<Json<'a>>,
    /// argument text as it streams; append
    pub input_delta: Option<&'a str>,
    pub output_delta: Option<OutputDelta<'a>>,
    /// the result side; replaces the earlier result side, never the input side
    pub content: Option<List<'a, ToolContent<'a>>>,
    /// input side that became known only after the call; fills, never replaces
    pub input_content: Option<List<'a, ToolContent<'a>>>,
    pub locations: Option<List<'a, Location<'a>>>,
    pub raw_output: Option<Json<'a>>,
    /// the status is our conclusion, not the wire's word
    pub inferred: bool,
}

/// The whole todo list; replaces the earlier one of the same agent.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plan<'a> {
    pub entries: List<'a, PlanEntry<'a>>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Error<'a> {
    pub message: &'a str,
    /// true: the run or turn is over
    pub fatal: bool,
    pub code: Option<&'a str>,
    pub retry_after_ms: Option<f64>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Usage<'a> {
    pub scope: UsageScope,
    pub usage: TokenUsage<'a>,
}

/// The wire closed a part: stop the caret.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MessageEnd<'a> {
    pub role: Role,
    /// only when the final text contradicts the chunks: it replaces them
    pub content: Option<&'a str>,
    pub stop_reason: Option<&'a str>,
    pub aborted: bool,
}

/// The wire took items back. They keep their content but count no more.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Withdrawn<'a> {
    pub items: List<'a, f64>,
    pub reason: &'a str,
}

/// Announces or updates a subagent or thread; may come late and then covers what came before.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Agent<'a> {
    pub agent_id: &'a str,
    pub name: Option<&'a str>,
    pub session_id: Option<&'a str>,
    pub parent_tool_call_id: Option<&'a str>,
    pub status: AgentStatus,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Run<'a> {
    pub scope: RunScope,
    pub phase: RunPhase,
    pub outcome: Option<RunOutcome>,
    /// the wire's own word
    pub reason: Option<&'a str>,
    pub duration_ms: Option<f64>,
    pub evidence: Option<Evidence>,
}

/// State of Evolve's sandbox and agent.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lifecycle<'a> {
    pub sandbox_id: Option<&'a str>,
    pub sandbox: Option<&'a str>,
    pub agent: Option<&'a str>,
    pub timestamp: Option<&'a str>,
    pub reason: Option<&'a str>,
    pub browser: Option<Browser<'a>>,
}

/// The agent asks, or tells that it waits.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Interrupt<'a> {
    pub interrupt_id: &'a str,
    pub id_source: IdSource,
    pub kind: InterruptKind,
    pub tool_call_id: Option<&'a str>,
    pub link_source: Option<LinkSource>,
    pub tool_name: Option<&'a str>,
    pub title: Option<&'a str>,
    pub message: Option<&'a str>,
    pub reason: Option<&'a str>,
    pub reason_code: Option<&'a str>,
    pub side_effect: Option<&'a str>,
    pub raw_input: Option<Json<'a>>,
    pub locations: Option<List<'a, Location<'a>>>,
    pub options: List<'a, InterruptOption<'a>>,
    pub questions: List<'a, Question<'a>>,
    pub response_schema: Option<Json<'a>>,
    pub editable: bool,
    /// requests that must be answered together share it
    pub group: Option<&'a str>,
    pub blocking: Blocking,
    pub expires_at: Option<&'a str>,
    pub default_option_id: Option<&'a str>,
}

/// An interrupt is over. At most one stated per interrupt; an inferred one may come before it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct InterruptResolved<'a> {
    pub interrupt_id: &'a str,
    pub outcome: InterruptOutcome,
    pub option_id: Option<&'a str>,
    pub option_kind: Option<OptionKind>,
    /// `{question id: [text]}`
    pub answers: Option<Json<'a>>,
    pub edited_input: Option<Json<'a>>,
    pub message: Option<&'a str>,
    pub source: LinkSource,
}

/// A status sentence, a plain-text line, something on stderr.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Notice<'a> {
    pub severity: Severity,
    pub text: &'a str,
    pub stream: Option<OutputStream>,
}

/// A hook notification, before what it means.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Hook<'a> {
    pub method: &'a str,
    pub event: &'a str,
    /// absent when the payload failed validation
    pub payload: Option<Json<'a>>,
    pub raw: Json<'a>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Citations<'a> {
    pub items: Json<'a>,
    /// the answer rests on the model alone
    pub model_only: bool,
}

/// A file to download. The URL is untrusted; nothing opens it by itself.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Artifact<'a> {
    pub url: &'a str,
    pub filename: &'a str,
    pub tool_call_id: Option<&'a str>,
}

/// Context window use. Never summed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct UsageUpdate<'a> {
    /// tokens in the window
    pub used: Option<f64>,
    /// the window
    pub size: Option<f64>,
    /// 1 is full
    pub used_ratio: Option<f64>,
    pub cost: Option<Json<'a>>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct CompactionUpdate<'a> {
    pub compaction_id: Option<&'a str>,
    pub status: &'a str,
    pub summary: Option<&'a str>,
    pub error: Option<&'a str>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct AvailableCommandsUpdate<'a> {
    pub available_commands: List<'a, SlashCommand<'a>>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct CurrentModeUpdate<'a> {
    pub current_mode_id: &'a str,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct ConfigOptionUpdate<'a> {
    pub config_options: Json<'a>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct SessionInfoUpdate<'a> {
    pub title: Option<&'a str>,
    pub updated_at: Option<&'a str>,
    pub cwd: Option<&'a str>,
    /// everything else the wire tells about the session
    pub meta: Option<Json<'a>>,
}

/// State that several agents and the UI share.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SharedState<'a> {
    pub snapshot: Option<Json<'a>>,
    /// JSON Patch
    pub patch: Option<Json<'a>>,
}

/// A known dialect's word that we do not interpret.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HarnessEvent<'a> {
    pub type_: &'a str,
    pub payload: Option<Json<'a>>,
}

/// Nothing fits. The record's own text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Unknown<'a> {
    pub type_: Option<&'a str>,
    pub raw: &'a str,
}

/// What stands beside `update`; each field only where the wire said it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Envelope<'a> {
    /// the item this event creates or changes: its index in the transcript
    pub item: Option<u32>,
    pub session_id: Option<&'a str>,
    pub timestamp: Option<&'a str>,
    pub model: Option<&'a str>,
    pub message_id: Option<&'a str>,
    /// the card of the call that runs the agent this event belongs to
    pub parent_tool_call_id: Option<&'a str>,
    /// key of the agent inside this stream; absent for the main agent
    pub agent_id: Option<&'a str>,
    /// facts of the record without a field of their own, under the wire's names
    pub extra: Option<Json<'a>>,
}

/// What happened; told apart by `sessionUpdate`.
#[derive(Clone, Debug, PartialEq)]
pub enum Update<'a> {
    /// A piece of the agent's answer; append it to its item.
    AgentMessageChunk(AgentMessageChunk<'a>),
    /// A piece of the agent's reasoning; append it to its item.
    AgentThoughtChunk(AgentThoughtChunk<'a>),
    /// The user's prompt, or its echo.
    UserMessageChunk(UserMessageChunk<'a>),
    /// A tool card appears. Exactly one per card, before all its updates.
    ToolCall(ToolCall<'a>),
    /// Something new about a card. Absent fields keep what is known.
    ToolCallUpdate(ToolCallUpdate<'a>),
    /// The whole todo list; replaces the earlier one of the same agent.
    Plan(Plan<'a>),
    Error(Error<'a>),
    Usage(Usage<'a>),
    /// The wire closed a part: stop the caret.
    MessageEnd(MessageEnd<'a>),
    /// The wire took items back. They keep their content but count no more.
    Withdrawn(Withdrawn<'a>),
    /// Announces or updates a subagent or thread; may come late and then covers what came before.
    Agent(Agent<'a>),
    Run(Run<'a>),
    /// State of Evolve's sandbox and agent.
    Lifecycle(Lifecycle<'a>),
    /// The agent asks, or tells that it waits.
    Interrupt(Interrupt<'a>),
    /// An interrupt is over. At most one stated per interrupt; an inferred one may come before it.
    InterruptResolved(InterruptResolved<'a>),
    /// A status sentence, a plain-text line, something on stderr.
    Notice(Notice<'a>),
    /// A hook notification, before what it means.
    Hook(Hook<'a>),
    Citations(Citations<'a>),
    /// A file to download. The URL is untrusted; nothing opens it by itself.
    Artifact(Artifact<'a>),
    /// Context window use. Never summed.
    UsageUpdate(UsageUpdate<'a>),
    CompactionUpdate(CompactionUpdate<'a>),
    AvailableCommandsUpdate(AvailableCommandsUpdate<'a>),
    CurrentModeUpdate(CurrentModeUpdate<'a>),
    ConfigOptionUpdate(ConfigOptionUpdate<'a>),
    SessionInfoUpdate(SessionInfoUpdate<'a>),
    /// State that several agents and the UI share.
    SharedState(SharedState<'a>),
    /// A known dialect's word that we do not interpret.
    HarnessEvent(HarnessEvent<'a>),
    /// Nothing fits. The record's own text.
    Unknown(Unknown<'a>),
}

impl Update<'_> {
    /// Every `sessionUpdate` word, in the table's order.
    pub const NAMES: &'static [&'static str] = &[
        "agent_message_chunk",
        "agent_thought_chunk",
        "user_message_chunk",
        "tool_call",
        "tool_call_update",
        "plan",
        "error",
        "usage",
        "message_end",
        "withdrawn",
        "agent",
        "run",
        "lifecycle",
        "interrupt",
        "interrupt_resolved",
        "notice",
        "hook",
        "citations",
        "artifact",
        "usage_update",
        "compaction_update",
        "available_commands_update",
        "current_mode_update",
        "config_option_update",
        "session_info_update",
        "shared_state",
        "harness_event",
        "unknown",
    ];

    /// The `sessionUpdate` word.
    pub fn name(&self) -> &'static str {
        match self {
            Self::AgentMessageChunk(_) => "agent_message_chunk",
            Self::AgentThoughtChunk(_) => "agent_thought_chunk",
            Self::UserMessageChunk(_) => "user_message_chunk",
            Self::ToolCall(_) => "tool_call",
            Self::ToolCallUpdate(_) => "tool_call_update",
            Self::Plan(_) => "plan",
            Self::Error(_) => "error",
            Self::Usage(_) => "usage",
            Self::MessageEnd(_) => "message_end",
            Self::Withdrawn(_) => "withdrawn",
            Self::Agent(_) => "agent",
            Self::Run(_) => "run",
            Self::Lifecycle(_) => "lifecycle",
            Self::Interrupt(_) => "interrupt",
            Self::InterruptResolved(_) => "interrupt_resolved",
            Self::Notice(_) => "notice",
            Self::Hook(_) => "hook",
            Self::Citations(_) => "citations",
            Self::Artifact(_) => "artifact",
            Self::UsageUpdate(_) => "usage_update",
            Self::CompactionUpdate(_) => "compaction_update",
            Self::AvailableCommandsUpdate(_) => "available_commands_update",
            Self::CurrentModeUpdate(_) => "current_mode_update",
            Self::ConfigOptionUpdate(_) => "config_option_update",
            Self::SessionInfoUpdate(_) => "session_info_update",
            Self::SharedState(_) => "shared_state",
            Self::HarnessEvent(_) => "harness_event",
            Self::Unknown(_) => "unknown",
        }
    }
}

impl<'a> From<AgentMessageChunk<'a>> for Update<'a> {
    fn from(body: AgentMessageChunk<'a>) -> Self {
        Self::AgentMessageChunk(body)
    }
}

impl<'a> From<AgentThoughtChunk<'a>> for Update<'a> {
    fn from(body: AgentThoughtChunk<'a>) -> Self {
        Self::AgentThoughtChunk(body)
    }
}

impl<'a> From<UserMessageChunk<'a>> for Update<'a> {
    fn from(body: UserMessageChunk<'a>) -> Self {
        Self::UserMessageChunk(body)
    }
}

impl<'a> From<ToolCall<'a>> for Update<'a> {
    fn from(body: ToolCall<'a>) -> Self {
        Self::ToolCall(body)
    }
}

impl<'a> From<ToolCallUpdate<'a>> for Update<'a> {
    fn from(body: ToolCallUpdate<'a>) -> Self {
        Self::ToolCallUpdate(body)
    }
}

impl<'a> From<Plan<'a>> for Update<'a> {
    fn from(body: Plan<'a>) -> Self {
        Self::Plan(body)
    }
}

impl<'a> From<Error<'a>> for Update<'a> {
    fn from(body: Error<'a>) -> Self {
        Self::Error(body)
    }
}

impl<'a> From<Usage<'a>> for Update<'a> {
    fn from(body: Usage<'a>) -> Self {
        Self::Usage(body)
    }
}

impl<'a> From<MessageEnd<'a>> for Update<'a> {
    fn from(body: MessageEnd<'a>) -> Self {
        Self::MessageEnd(body)
    }
}

impl<'a> From<Withdrawn<'a>> for Update<'a> {
    fn from(body: Withdrawn<'a>) -> Self {
        Self::Withdrawn(body)
    }
}

impl<'a> From<Agent<'a>> for Update<'a> {
    fn from(body: Agent<'a>) -> Self {
        Self::Agent(body)
    }
}

impl<'a> From<Run<'a>> for Update<'a> {
    fn from(body: Run<'a>) -> Self {
        Self::Run(body)
    }
}

impl<'a> From<Lifecycle<'a>> for Update<'a> {
    fn from(body: Lifecycle<'a>) -> Self {
        Self::Lifecycle(body)
    }
}

impl<'a> From<Interrupt<'a>> for Update<'a> {
    fn from(body: Interrupt<'a>) -> Self {
        Self::Interrupt(body)
    }
}

impl<'a> From<InterruptResolved<'a>> for Update<'a> {
    fn from(body: InterruptResolved<'a>) -> Self {
        Self::InterruptResolved(body)
    }
}

impl<'a> From<Notice<'a>> for Update<'a> {
    fn from(body: Notice<'a>) -> Self {
        Self::Notice(body)
    }
}

impl<'a> From<Hook<'a>> for Update<'a> {
    fn from(body: Hook<'a>) -> Self {
        Self::Hook(body)
    }
}

impl<'a> From<Citations<'a>> for Update<'a> {
    fn from(body: Citations<'a>) -> Self {
        Self::Citations(body)
    }
}

impl<'a> From<Artifact<'a>> for Update<'a> {
    fn from(body: Artifact<'a>) -> Self {
        Self::Artifact(body)
    }
}

impl<'a> From<UsageUpdate<'a>> for Update<'a> {
    fn from(body: UsageUpdate<'a>) -> Self {
        Self::UsageUpdate(body)
    }
}

impl<'a> From<CompactionUpdate<'a>> for Update<'a> {
    fn from(body: CompactionUpdate<'a>) -> Self {
        Self::CompactionUpdate(body)
    }
}

impl<'a> From<AvailableCommandsUpdate<'a>> for Update<'a> {
    fn from(body: AvailableCommandsUpdate<'a>) -> Self {
        Self::AvailableCommandsUpdate(body)
    }
}

impl<'a> From<CurrentModeUpdate<'a>> for Update<'a> {
    fn from(body: CurrentModeUpdate<'a>) -> Self {
        Self::CurrentModeUpdate(body)
    }
}

impl<'a> From<ConfigOptionUpdate<'a>> for Update<'a> {
    fn from(body: ConfigOptionUpdate<'a>) -> Self {
        Self::ConfigOptionUpdate(body)
    }
}

impl<'a> From<SessionInfoUpdate<'a>> for Update<'a> {
    fn from(body: SessionInfoUpdate<'a>) -> Self {
        Self::SessionInfoUpdate(body)
    }
}

impl<'a> From<SharedState<'a>> for Update<'a> {
    fn from(body: SharedState<'a>) -> Self {
        Self::SharedState(body)
    }
}

impl<'a> From<HarnessEvent<'a>> for Update<'a> {
    fn from(body: HarnessEvent<'a>) -> Self {
        Self::HarnessEvent(body)
    }
}

impl<'a> From<Unknown<'a>> for Update<'a> {
    fn from(body: Unknown<'a>) -> Self {
        Self::Unknown(body)
    }
}

impl<'a> Location<'a> {
    pub(super) fn pack(&self, batch: &mut Batch) {
        let Self { path, line } = self;

        batch.required_text(path);
        batch.number(line.unwrap_or(f64::NAN));
    }

    pub(super) fn unpack(reader: &mut Reader<'a>) -> Self {
        Self { path: reader.text(), line: reader.optional_number() }
    }

    /// Appends the JSON object.
    pub fn write_json(&self, out: &mut String) {
        let Self { path, line } = self;
        let mut object = ObjectWriter::open(out);
        super::write_string(object.key("path"), path);
        if let Some(line) = line {
            super::write::write_number(object.key("line"), *line);
        }
        object.close();
    }
}

impl<'a> PlanEntry<'a> {
    pub(super) fn pack(&self, batch: &mut Batch) {
        let Self { content, status, priority } = self;

        batch.required_text(content);
        batch.word(status.packed());
        batch.word(priority.packed());
    }

    pub(super) fn unpack(reader: &mut Reader<'a>) -> Self {
        Self {
            content: reader.text(),
            status: PlanStatus::from_packed(reader.word()).unwrap_or_default(),
            priority: PlanPriority::from_packed(reader.word()).unwrap_or_default(),
        }
    }

    /// Appends the JSON object.
    pub fn write_json(&self, out: &mut String) {
        let Self { content, status, priority } = self;
        let mut object = ObjectWriter::open(out);
        super::write_string(object.key("content"), content);
        super::write_string(object.key("status"), status.as_str());
        super::write_string(object.key("priority"), priority.as_str());
        object.close();
    }
}

impl<'a> TokenUsage<'a> {
    pub(super) fn pack(&self, batch: &mut Batch) {
        let Self { prompt_tokens, completion_tokens, cached_tokens, cost_usd, extra } = self;

        batch.number(prompt_tokens.unwrap_or(f64::NAN));
        batch.number(completion_tokens.unwrap_or(f64::NAN));
        batch.number(cached_tokens.unwrap_or(f64::NAN));
        batch.number(cost_usd.unwrap_or(f64::NAN));
        batch.optional_json(*extra);
    }

    pub(super) fn unpack(reader: &mut Reader<'a>) -> Self {
        Self {
            prompt_tokens: reader.optional_number(),
            completion_tokens: reader.optional_number(),
            cached_tokens: reader.optional_number(),
            cost_usd: reader.optional_number(),
            extra: reader.optional_json(),
        }
    }

    /// Appends the JSON object.
    pub fn write_json(&self, out: &mut String) {
        let Self { prompt_tokens, completion_tokens, cached_tokens, cost_usd, extra } = self;
        let mut object = ObjectWriter::open(out);
        if let Some(prompt_tokens) = prompt_tokens {
            super::write::write_number(object.key("promptTokens"), *prompt_tokens);
        }
        if let Some(completion_tokens) = completion_tokens {
            super::write::write_number(object.key("completionTokens"), *completion_tokens);
        }
        if let Some(cached_tokens) = cached_tokens {
            super::write::write_number(object.key("cachedTokens"), *cached_tokens);
        }
        if let Some(cost_usd) = cost_usd {
            super::write::write_number(object.key("costUsd"), *cost_usd);
        }
        if let Some(extra) = extra {
            super::write::write_raw(object.key("extra"), *extra);
        }
        object.close();
    }
}

impl<'a> OutputDelta<'a> {
    pub(super) fn pack(&self, batch: &mut Batch) {
        let Self { text, stream } = self;

        batch.required_text(text);
        batch.word(stream.map_or(0, OutputStream::packed));
    }

    pub(super) fn unpack(reader: &mut Reader<'a>) -> Self {
        Self { text: reader.text(), stream: OutputStream::from_packed(reader.word()) }
    }

    /// Appends the JSON object.
    pub fn write_json(&self, out: &mut String) {
        let Self { text, stream } = self;
        let mut object = ObjectWriter::open(out);
        super::write_string(object.key("text"), text);
        if let Some(stream) = stream {
            super::write_string(object.key("stream"), stream.as_str());
        }
        object.close();
    }
}

impl<'a> InterruptOption<'a> {
    pub(super) fn pack(&self, batch: &mut Batch) {
        let Self { option_id, name, kind, scope, editable } = self;

        batch.required_text(option_id);
        batch.required_text(name);
        batch.word(kind.packed());
        batch.word(scope.map_or(0, OptionScope::packed));
        batch.word(u32::from(*editable));
    }

    pub(super) fn unpack(reader: &mut Reader<'a>) -> Self {
        Self {
            option_id: reader.text(),
            name: reader.text(),
            kind: OptionKind::from_packed(reader.word()).unwrap_or_default(),
            scope: OptionScope::from_packed(reader.word()),
            editable: reader.flag(),
        }
    }

    /// Appends the JSON object.
    pub fn write_json(&self, out: &mut String) {
        let Self { option_id, name, kind, scope, editable } = self;
        let mut object = ObjectWriter::open(out);
        super::write_string(object.key("optionId"), option_id);
        super::write_string(object.key("name"), name);
        super::write_string(object.key("kind"), kind.as_str());
        if let Some(scope) = scope {
            super::write_string(object.key("scope"), scope.as_str());
        }
        if *editable {
            super::write::write_flag(object.key("editable"), *editable);
        }
        object.close();
    }
}

impl<'a> Choice<'a> {
    pub(super) fn pack(&self, batch: &mut Batch) {
        let Self { value, label, description } = self;

        batch.required_text(value);
        batch.required_text(label);
        batch.optional_text(*description);
    }

    pub(super) fn unpack(reader: &mut Reader<'a>) -> Self {
        Self { value: reader.text(), label: reader.text(), description: reader.optional_text() }
    }

    /// Appends the JSON object.
    pub fn write_json(&self, out: &mut String) {
        let Self { value, label, description } = self;
        let mut object = ObjectWriter::open(out);
        super::write_string(object.key("value"), value);
        super::write_string(object.key("label"), label);
        if let Some(description) = description {
            super::write_string(object.key("description"), description);
        }
        object.close();
    }
}

impl<'a> Question<'a> {
    pub(super) fn pack(&self, batch: &mut Batch) {
        let Self { id, question, header, type_, options, allow_other, required, min, max, secret } = self;

        batch.required_text(id);
        batch.required_text(question);
        batch.optional_text(*header);
        batch.word(type_.packed());
        batch.count(options.len());
        for entry in options.iter() {
            entry.pack(batch);
        }
        batch.word(u32::from(*allow_other));
        batch.word(u32::from(*required));
        batch.number(min.unwrap_or(f64::NAN));
        batch.number(max.unwrap_or(f64::NAN));
        batch.word(u32::from(*secret));
    }

    pub(super) fn unpack(reader: &mut Reader<'a>) -> Self {
        Self {
            id: reader.text(),
            question: reader.text(),
            header: reader.optional_text(),
            type_: QuestionType::from_packed(reader.word()).unwrap_or_default(),
            options: reader.list(Choice::unpack),
            allow_other: reader.flag(),
            required: reader.flag(),
            min: reader.optional_number(),
            max: reader.optional_number(),
            secret: reader.flag(),
        }
    }

    /// Appends the JSON object.
    pub fn write_json(&self, out: &mut String) {
        let Self { id, question, header, type_, options, allow_other, required, min, max, secret } = self;
        let mut object = ObjectWriter::open(out);
        super::write_string(object.key("id"), id);
        super::write_string(object.key("question"), question);
        if let Some(header) = header {
            super::write_string(object.key("header"), header);
        }
        super::write_string(object.key("type"), type_.as_str());
        write_list(object.key("options"), options, |out, entry| {
            entry.write_json(out);
        });
        if *allow_other {
            super::write::write_flag(object.key("allowOther"), *allow_other);
        }
        if *required {
            super::write::write_flag(object.key("required"), *required);
        }
        if let Some(min) = min {
            super::write::write_number(object.key("min"), *min);
        }
        if let Some(max) = max {
            super::write::write_number(object.key("max"), *max);
        }
        if *secret {
            super::write::write_flag(object.key("secret"), *secret);
        }
        object.close();
    }
}

impl<'a> Browser<'a> {
    pub(super) fn pack(&self, batch: &mut Batch) {
        let Self { live_url, session_id, session_tag } = self;

        batch.required_text(live_url);
        batch.optional_text(*session_id);
        batch.optional_text(*session_tag);
    }

    pub(super) fn unpack(reader: &mut Reader<'a>) -> Self {
        Self {
            live_url: reader.text(),
            session_id: reader.optional_text(),
            session_tag: reader.optional_text(),
        }
    }

    /// Appends the JSON object.
    pub fn write_json(&self, out: &mut String) {
        let Self { live_url, session_id, session_tag } = self;
        let mut object = ObjectWriter::open(out);
        super::write_string(object.key("liveUrl"), live_url);
        if let Some(session_id) = session_id {
            super::write_string(object.key("sessionId"), session_id);
        }
        if let Some(session_tag) = session_tag {
            super::write_string(object.key("sessionTag"), session_tag);
        }
        object.close();
    }
}

impl<'a> SlashCommand<'a> {
    pub(super) fn pack(&self, batch: &mut Batch) {
        let Self { name, description, hint } = self;

        batch.required_text(name);
        batch.required_text(description);
        batch.optional_text(*hint);
    }

    pub(super) fn unpack(reader: &mut Reader<'a>) -> Self {
        Self { name: reader.text(), description: reader.text(), hint: reader.optional_text() }
    }

    /// Appends the JSON object.
    pub fn write_json(&self, out: &mut String) {
        let Self { name, description, hint } = self;
        let mut object = ObjectWriter::open(out);
        super::write_string(object.key("name"), name);
        super::write_string(object.key("description"), description);
        if let Some(hint) = hint {
            super::write_string(object.key("hint"), hint);
        }
        object.close();
    }
}

impl<'a> ContentBlock<'a> {
    pub(super) fn pack(&self, batch: &mut Batch) {
        match self {
            Self::Text { text } => {
                batch.word(1);
                batch.required_text(text);
            }
            Self::Image { data, mime_type, uri } => {
                batch.word(2);
                batch.required_text(data);
                batch.required_text(mime_type);
                batch.optional_text(*uri);
            }
            Self::Audio { data, mime_type } => {
                batch.word(3);
                batch.required_text(data);
                batch.required_text(mime_type);
            }
            Self::Resource { resource } => {
                batch.word(4);
                batch.json(*resource);
            }
            Self::ResourceLink { uri, name, title, mime_type, size } => {
                batch.word(5);
                batch.required_text(uri);
                batch.optional_text(*name);
                batch.optional_text(*title);
                batch.optional_text(*mime_type);
                batch.number(size.unwrap_or(f64::NAN));
            }
        }
    }

    pub(super) fn unpack(reader: &mut Reader<'a>) -> Self {
        match reader.word() {
            1 => Self::Text { text: reader.text() },
            2 => Self::Image { data: reader.text(), mime_type: reader.text(), uri: reader.optional_text() },
            3 => Self::Audio { data: reader.text(), mime_type: reader.text() },
            4 => Self::Resource { resource: reader.json() },
            _ => Self::ResourceLink {
                uri: reader.text(),
                name: reader.optional_text(),
                title: reader.optional_text(),
                mime_type: reader.optional_text(),
                size: reader.optional_number(),
            },
        }
    }

    /// Appends the JSON object.
    pub fn write_json(&self, out: &mut String) {
        let mut object = ObjectWriter::open(out);
        match self {
            Self::Text { text } => {
                object.word("type", "text");
                super::write_string(object.key("text"), text);
            }
            Self::Image { data, mime_type, uri } => {
                object.word("type", "image");
                super::write_string(object.key("data"), data);
                super::write_string(object.key("mimeType"), mime_type);
                if let Some(uri) = uri {
                    super::write_string(object.key("uri"), uri);
                }
            }
            Self::Audio { data, mime_type } => {
                object.word("type", "audio");
                super::write_string(object.key("data"), data);
                super::write_string(object.key("mimeType"), mime_type);
            }
            Self::Resource { resource } => {
                object.word("type", "resource");
                super::write::write_raw(object.key("resource"), *resource);
            }
            Self::ResourceLink { uri, name, title, mime_type, size } => {
                object.word("type", "resource_link");
                super::write_string(object.key("uri"), uri);
                if let Some(name) = name {
                    super::write_string(object.key("name"), name);
                }
                if let Some(title) = title {
                    super::write_string(object.key("title"), title);
                }
                if let Some(mime_type) = mime_type {
                    super::write_string(object.key("mimeType"), mime_type);
                }
                if let Some(size) = size {
                    super::write::write_number(object.key("size"), *size);
                }
            }
        }
        object.close();
    }
}

impl<'a> ToolContent<'a> {
    pub(super) fn pack(&self, batch: &mut Batch) {
        match self {
            Self::Content { content } => {
                batch.word(1);
                content.pack(batch);
            }
            Self::Diff { path, old_text, new_text } => {
                batch.word(2);
                batch.required_text(path);
                batch.optional_text(*old_text);
                batch.required_text(new_text);
            }
            Self::Terminal { terminal_id } => {
                batch.word(3);
                batch.required_text(terminal_id);
            }
        }
    }

    pub(super) fn unpack(reader: &mut Reader<'a>) -> Self {
        match reader.word() {
            1 => Self::Content { content: ContentBlock::unpack(reader) },
            2 => {
                Self::Diff { path: reader.text(), old_text: reader.optional_text(), new_text: reader.text() }
            }
            _ => Self::Terminal { terminal_id: reader.text() },
        }
    }

    /// Appends the JSON object.
    pub fn write_json(&self, out: &mut String) {
        let mut object = ObjectWriter::open(out);
        match self {
            Self::Content { content } => {
                object.word("type", "content");
                content.write_json(object.key("content"));
            }
            Self::Diff { path, old_text, new_text } => {
                object.word("type", "diff");
                super::write_string(object.key("path"), path);
                if let Some(old_text) = old_text {
                    super::write_string(object.key("oldText"), old_text);
                }
                super::write_string(object.key("newText"), new_text);
            }
            Self::Terminal { terminal_id } => {
                object.word("type", "terminal");
                super::write_string(object.key("terminalId"), terminal_id);
            }
        }
        object.close();
    }
}

impl<'a> AgentMessageChunk<'a> {
    pub(super) fn pack(&self, batch: &mut Batch) {
        let Self { content } = self;

        content.pack(batch);
    }

    pub(super) fn unpack(reader: &mut Reader<'a>) -> Self {
        Self { content: ContentBlock::unpack(reader) }
    }

    /// Appends the JSON object.
    pub fn write_json(&self, out: &mut String) {
        let Self { content } = self;
        let mut object = ObjectWriter::open(out);
        object.word("sessionUpdate", "agent_message_chunk");
        content.write_json(object.key("content"));
        object.close();
    }
}

impl<'a> AgentThoughtChunk<'a> {
    pub(super) fn pack(&self, batch: &mut Batch) {
        let Self { content } = self;

        content.pack(batch);
    }

    pub(super) fn unpack(reader: &mut Reader<'a>) -> Self {
        Self { content: ContentBlock::unpack(reader) }
    }

    /// Appends the JSON object.
    pub fn write_json(&self, out: &mut String) {
        let Self { content } = self;
        let mut object = ObjectWriter::open(out);
        object.word("sessionUpdate", "agent_thought_chunk");
        content.write_json(object.key("content"));
        object.close();
    }
}

impl<'a> UserMessageChunk<'a> {
    pub(super) fn pack(&self, batch: &mut Batch) {
        let Self { content } = self;

        content.pack(batch);
    }

    pub(super) fn unpack(reader: &mut Reader<'a>) -> Self {
        Self { content: ContentBlock::unpack(reader) }
    }

    /// Appends the JSON object.
    pub fn write_json(&self, out: &mut String) {
        let Self { content } = self;
        let mut object = ObjectWriter::open(out);
        object.word("sessionUpdate", "user_message_chunk");
        content.write_json(object.key("content"));
        object.close();
    }
}

impl<'a> ToolCall<'a> {
    pub(super) fn pack(&self, batch: &mut Batch) {
        let Self {
            tool_call_id,
            title,
            tool_name,
            kind,
            status,
            raw_input,
            content,
            locations,
            inferred,
            wire_tool_call_id,
        } = self;

        batch.repeated_text(Some(tool_call_id));
        batch.required_text(title);
        batch.optional_text(*tool_name);
        batch.word(kind.packed());
        batch.word(status.packed());
        batch.optional_json(*raw_input);
        match content {
            None => batch.word(0),
            Some(content) => {
                batch.count(content.len());
                for entry in content.iter() {
                    entry.pack(batch);
                }
            }
        }
        match locations {
            None => batch.word(0),
            Some(locations) => {
                batch.count(locations.len());
                for entry in locations.iter() {
                    entry.pack(batch);
                }
            }
        }
        batch.word(u32::from(*inferred));
        batch.optional_text(*wire_tool_call_id);
    }

    pub(super) fn unpack(reader: &mut Reader<'a>) -> Self {
        Self {
            tool_call_id: reader.text(),
            title: reader.text(),
            tool_name: reader.optional_text(),
            kind: ToolKind::from_packed(reader.word()).unwrap_or_default(),
            status: ToolStatus::from_packed(reader.word()).unwrap_or_default(),
            raw_input: reader.optional_json(),
            content: reader.optional_list(ToolContent::unpack),
            locations: reader.optional_list(Location::unpack),
            inferred: reader.flag(),
            wire_tool_call_id: reader.optional_text(),
        }
    }

    /// Appends the JSON object.
    pub fn write_json(&self, out: &mut String) {
        let Self {
            tool_call_id,
            title,
            tool_name,
            kind,
            status,
            raw_input,
            content,
            locations,
            inferred,
            wire_tool_call_id,
        } = self;
        let mut object = ObjectWriter::open(out);
        object.word("sessionUpdate", "tool_call");
        super::write_string(object.key("toolCallId"), tool_call_id);
        super::write_string(object.key("title"), title);
        if let Some(tool_name) = tool_name {
            super::write_string(object.key("toolName"), tool_name);
        }
        super::write_string(object.key("kind"), kind.as_str());
        super::write_string(object.key("status"), status.as_str());
        if let Some(raw_input) = raw_input {
            super::write::write_raw(object.key("rawInput"), *raw_input);
        }
        if let Some(content) = content {
            write_list(object.key("content"), content, |out, entry| {
                entry.write_json(out);
            });
        }
        if let Some(locations) = locations {
            write_list(object.key("locations"), locations, |out, entry| {
                entry.write_json(out);
            });
        }
        if *inferred {
            super::write::write_flag(object.key("inferred"), *inferred);
        }
        if let Some(wire_tool_call_id) = wire_tool_call_id {
            super::write_string(object.key("wireToolCallId"), wire_tool_call_id);
        }
        object.close();
    }
}

impl<'a> ToolCallUpdate<'a> {
    pub(super) fn pack(&self, batch: &mut Batch) {
        let Self {
            tool_call_id,
            status,
            title,
            kind,
            tool_name,
            raw_input,
            input_delta,
            output_delta,
            content,
            input_content,
            locations,
            raw_output,
            inferred,
        } = self;

        batch.repeated_text(Some(tool_call_id));
        batch.word(status.map_or(0, ToolStatus::packed));
        batch.optional_text(*title);
        batch.word(kind.map_or(0, ToolKind::packed));
        batch.optional_text(*tool_name);
        batch.optional_json(*raw_input);
        batch.optional_text(*input_delta);
        match output_delta {
            None => batch.word(0),
            Some(output_delta) => {
                batch.word(1);
                output_delta.pack(batch);
            }
        }
        match content {
            None => batch.word(0),
            Some(content) => {
                batch.count(content.len());
                for entry in content.iter() {
                    entry.pack(batch);
                }
            }
        }
        match input_content {
            None => batch.word(0),
            Some(input_content) => {
                batch.count(input_content.len());
                for entry in input_content.iter() {
                    entry.pack(batch);
                }
            }
        }
        match locations {
            None => batch.word(0),
            Some(locations) => {
                batch.count(locations.len());
                for entry in locations.iter() {
                    entry.pack(batch);
                }
            }
        }
        batch.optional_json(*raw_output);
        batch.word(u32::from(*inferred));
    }

    pub(super) fn unpack(reader: &mut Reader<'a>) -> Self {
        Self {
            tool_call_id: reader.text(),
            status: ToolStatus::from_packed(reader.word()),
            title: reader.optional_text(),
            kind: ToolKind::from_packed(reader.word()),
            tool_name: reader.optional_text(),
            raw_input: reader.optional_json(),
            input_delta: reader.optional_text(),
            output_delta: (reader.word() != 0).then(|| OutputDelta::unpack(reader)),
            content: reader.optional_list(ToolContent::unpack),
            input_content: reader.optional_list(ToolContent::unpack),
            locations: reader.optional_list(Location::unpack),
            raw_output: reader.optional_json(),
            inferred: reader.flag(),
        }
    }

    /// Appends the JSON object.
    pub fn write_json(&self, out: &mut String) {
        let Self {
            tool_call_id,
            status,
            title,
            kind,
            tool_name,
            raw_input,
            input_delta,
            output_delta,
            content,
            input_content,
            locations,
            raw_output,
            inferred,
        } = self;
        let mut object = ObjectWriter::open(out);
        object.word("sessionUpdate", "tool_call_update");
        super::write_string(object.key("toolCallId"), tool_call_id);
        if let Some(status) = status {
            super::write_string(object.key("status"), status.as_str());
        }
        if let Some(title) = title {
            super::write_string(object.key("title"), title);
        }
        if let Some(kind) = kind {
            super::write_string(object.key("kind"), kind.as_str());
        }
        if let Some(tool_name) = tool_name {
            super::write_string(object.key("toolName"), tool_name);
        }
        if let Some(raw_input) = raw_input {
            super::write::write_raw(object.key("rawInput"), *raw_input);
        }
        if let Some(input_delta) = input_delta {
            super::write_string(object.key("inputDelta"), input_delta);
        }
        if let Some(output_delta) = output_delta {
            output_delta.write_json(object.key("outputDelta"));
        }
        if let Some(content) = content {
            write_list(object.key("content"), content, |out, entry| {
                entry.write_json(out);
            });
        }
        if let Some(input_content) = input_content {
            write_list(object.key("inputContent"), input_content, |out, entry| {
                entry.write_json(out);
            });
        }
        if let Some(locations) = locations {
            write_list(object.key("locations"), locations, |out, entry| {
                entry.write_json(out);
            });
        }
        if let Some(raw_output) = raw_output {
            super::write::write_raw(object.key("rawOutput"), *raw_output);
        }
        if *inferred {
            super::write::write_flag(object.key("inferred"), *inferred);
        }
        object.close();
    }
}

impl<'a> Plan<'a> {
    pub(super) fn pack(&self, batch: &mut Batch) {
        let Self { entries } = self;

        batch.count(entries.len());
        for entry in entries.iter() {
            entry.pack(batch);
        }
    }

    pub(super) fn unpack(reader: &mut Reader<'a>) -> Self {
        Self { entries: reader.list(PlanEntry::unpack) }
    }

    /// Appends the JSON object.
    pub fn write_json(&self, out: &mut String) {
        let Self { entries } = self;
        let mut object = ObjectWriter::open(out);
        object.word("sessionUpdate", "plan");
        write_list(object.key("entries"), entries, |out, entry| {
            entry.write_json(out);
        });
        object.close();
    }
}

impl<'a> Error<'a> {
    pub(super) fn pack(&self, batch: &mut Batch) {
        let Self { message, fatal, code, retry_after_ms } = self;

        batch.required_text(message);
        batch.word(u32::from(*fatal));
        batch.optional_text(*code);
        batch.number(retry_after_ms.unwrap_or(f64::NAN));
    }

    pub(super) fn unpack(reader: &mut Reader<'a>) -> Self {
        Self {
            message: reader.text(),
            fatal: reader.flag(),
            code: reader.optional_text(),
            retry_after_ms: reader.optional_number(),
        }
    }

    /// Appends the JSON object.
    pub fn write_json(&self, out: &mut String) {
        let Self { message, fatal, code, retry_after_ms } = self;
        let mut object = ObjectWriter::open(out);
        object.word("sessionUpdate", "error");
        super::write_string(object.key("message"), message);
        super::write::write_flag(object.key("fatal"), *fatal);
        if let Some(code) = code {
            super::write_string(object.key("code"), code);
        }
        if let Some(retry_after_ms) = retry_after_ms {
            super::write::write_number(object.key("retryAfterMs"), *retry_after_ms);
        }
        object.close();
    }
}

impl<'a> Usage<'a> {
    pub(super) fn pack(&self, batch: &mut Batch) {
        let Self { scope, usage } = self;

        batch.word(scope.packed());
        usage.pack(batch);
    }

    pub(super) fn unpack(reader: &mut Reader<'a>) -> Self {
        Self {
            scope: UsageScope::from_packed(reader.word()).unwrap_or_default(),
            usage: TokenUsage::unpack(reader),
        }
    }

    /// Appends the JSON object.
    pub fn write_json(&self, out: &mut String) {
        let Self { scope, usage } = self;
        let mut object = ObjectWriter::open(out);
        object.word("sessionUpdate", "usage");
        super::write_string(object.key("scope"), scope.as_str());
        usage.write_json(object.key("usage"));
        object.close();
    }
}

impl<'a> MessageEnd<'a> {
    pub(super) fn pack(&self, batch: &mut Batch) {
        let Self { role, content, stop_reason, aborted } = self;

        batch.word(role.packed());
        batch.optional_text(*content);
        batch.optional_text(*stop_reason);
        batch.word(u32::from(*aborted));
    }

    pub(super) fn unpack(reader: &mut Reader<'a>) -> Self {
        Self {
            role: Role::from_packed(reader.word()).unwrap_or_default(),
            content: reader.optional_text(),
            stop_reason: reader.optional_text(),
            aborted: reader.flag(),
        }
    }

    /// Appends the JSON object.
    pub fn write_json(&self, out: &mut String) {
        let Self { role, content, stop_reason, aborted } = self;
        let mut object = ObjectWriter::open(out);
        object.word("sessionUpdate", "message_end");
        super::write_string(object.key("role"), role.as_str());
        if let Some(content) = content {
            super::write_string(object.key("content"), content);
        }
        if let Some(stop_reason) = stop_reason {
            super::write_string(object.key("stopReason"), stop_reason);
        }
        if *aborted {
            super::write::write_flag(object.key("aborted"), *aborted);
        }
        object.close();
    }
}

impl<'a> Withdrawn<'a> {
    pub(super) fn pack(&self, batch: &mut Batch) {
        let Self { items, reason } = self;

        batch.count(items.len());
        for entry in items.iter() {
            batch.number(*entry);
        }
        batch.required_text(reason);
    }

    pub(super) fn unpack(reader: &mut Reader<'a>) -> Self {
        Self { items: reader.list(Reader::number), reason: reader.text() }
    }

    /// Appends the JSON object.
    pub fn write_json(&self, out: &mut String) {
        let Self { items, reason } = self;
        let mut object = ObjectWriter::open(out);
        object.word("sessionUpdate", "withdrawn");
        write_list(object.key("items"), items, |out, entry| {
            super::write::write_number(out, *entry);
        });
        super::write_string(object.key("reason"), reason);
        object.close();
    }
}

impl<'a> Agent<'a> {
    pub(super) fn pack(&self, batch: &mut Batch) {
        let Self { agent_id, name, session_id, parent_tool_call_id, status } = self;

        batch.required_text(agent_id);
        batch.optional_text(*name);
        batch.optional_text(*session_id);
        batch.optional_text(*parent_tool_call_id);
        batch.word(status.packed());
    }

    pub(super) fn unpack(reader: &mut Reader<'a>) -> Self {
        Self {
            agent_id: reader.text(),
            name: reader.optional_text(),
            session_id: reader.optional_text(),
            parent_tool_call_id: reader.optional_text(),
            status: AgentStatus::from_packed(reader.word()).unwrap_or_default(),
        }
    }

    /// Appends the JSON object.
    pub fn write_json(&self, out: &mut String) {
        let Self { agent_id, name, session_id, parent_tool_call_id, status } = self;
        let mut object = ObjectWriter::open(out);
        object.word("sessionUpdate", "agent");
        super::write_string(object.key("agentId"), agent_id);
        if let Some(name) = name {
            super::write_string(object.key("name"), name);
        }
        if let Some(session_id) = session_id {
            super::write_string(object.key("sessionId"), session_id);
        }
        if let Some(parent_tool_call_id) = parent_tool_call_id {
            super::write_string(object.key("parentToolCallId"), parent_tool_call_id);
        }
        super::write_string(object.key("status"), status.as_str());
        object.close();
    }
}

impl<'a> Run<'a> {
    pub(super) fn pack(&self, batch: &mut Batch) {
        let Self { scope, phase, outcome, reason, duration_ms, evidence } = self;

        batch.word(scope.packed());
        batch.word(phase.packed());
        batch.word(outcome.map_or(0, RunOutcome::packed));
        batch.optional_text(*reason);
        batch.number(duration_ms.unwrap_or(f64::NAN));
        batch.word(evidence.map_or(0, Evidence::packed));
    }

    pub(super) fn unpack(reader: &mut Reader<'a>) -> Self {
        Self {
            scope: RunScope::from_packed(reader.word()).unwrap_or_default(),
            phase: RunPhase::from_packed(reader.word()).unwrap_or_default(),
            outcome: RunOutcome::from_packed(reader.word()),
            reason: reader.optional_text(),
            duration_ms: reader.optional_number(),
            evidence: Evidence::from_packed(reader.word()),
        }
    }

    /// Appends the JSON object.
    pub fn write_json(&self, out: &mut String) {
        let Self { scope, phase, outcome, reason, duration_ms, evidence } = self;
        let mut object = ObjectWriter::open(out);
        object.word("sessionUpdate", "run");
        super::write_string(object.key("scope"), scope.as_str());
        super::write_string(object.key("phase"), phase.as_str());
        if let Some(outcome) = outcome {
            super::write_string(object.key("outcome"), outcome.as_str());
        }
        if let Some(reason) = reason {
            super::write_string(object.key("reason"), reason);
        }
        if let Some(duration_ms) = duration_ms {
            super::write::write_number(object.key("durationMs"), *duration_ms);
        }
        if let Some(evidence) = evidence {
            super::write_string(object.key("evidence"), evidence.as_str());
        }
        object.close();
    }
}

impl<'a> Lifecycle<'a> {
    pub(super) fn pack(&self, batch: &mut Batch) {
        let Self { sandbox_id, sandbox, agent, timestamp, reason, browser } = self;

        batch.optional_text(*sandbox_id);
        batch.optional_text(*sandbox);
        batch.optional_text(*agent);
        batch.optional_text(*timestamp);
        batch.optional_text(*reason);
        match browser {
            None => batch.word(0),
            Some(browser) => {
                batch.word(1);
                browser.pack(batch);
            }
        }
    }

    pub(super) fn unpack(reader: &mut Reader<'a>) -> Self {
        Self {
            sandbox_id: reader.optional_text(),
            sandbox: reader.optional_text(),
            agent: reader.optional_text(),
            timestamp: reader.optional_text(),
            reason: reader.optional_text(),
            browser: (reader.word() != 0).then(|| Browser::unpack(reader)),
        }
    }

    /// Appends the JSON object.
    pub fn write_json(&self, out: &mut String) {
        let Self { sandbox_id, sandbox, agent, timestamp, reason, browser } = self;
        let mut object = ObjectWriter::open(out);
        object.word("sessionUpdate", "lifecycle");
        if let Some(sandbox_id) = sandbox_id {
            super::write_string(object.key("sandboxId"), sandbox_id);
        }
        if let Some(sandbox) = sandbox {
            super::write_string(object.key("sandbox"), sandbox);
        }
        if let Some(agent) = agent {
            super::write_string(object.key("agent"), agent);
        }
        if let Some(timestamp) = timestamp {
            super::write_string(object.key("timestamp"), timestamp);
        }
        if let Some(reason) = reason {
            super::write_string(object.key("reason"), reason);
        }
        if let Some(browser) = browser {
            browser.write_json(object.key("browser"));
        }
        object.close();
    }
}

impl<'a> Interrupt<'a> {
    pub(super) fn pack(&self, batch: &mut Batch) {
        let Self {
            interrupt_id,
            id_source,
            kind,
            tool_call_id,
            link_source,
            tool_name,
            title,
            message,
            reason,
            reason_code,
            side_effect,
            raw_input,
            locations,
            options,
            questions,
            response_schema,
            editable,
            group,
            blocking,
            expires_at,
            default_option_id,
        } = self;

        batch.required_text(interrupt_id);
        batch.word(id_source.packed());
        batch.word(kind.packed());
        batch.repeated_text(*tool_call_id);
        batch.word(link_source.map_or(0, LinkSource::packed));
        batch.optional_text(*tool_name);
        batch.optional_text(*title);
        batch.optional_text(*message);
        batch.optional_text(*reason);
        batch.optional_text(*reason_code);
        batch.optional_text(*side_effect);
        batch.optional_json(*raw_input);
        match locations {
            None => batch.word(0),
            Some(locations) => {
                batch.count(locations.len());
                for entry in locations.iter() {
                    entry.pack(batch);
                }
            }
        }
        batch.count(options.len());
        for entry in options.iter() {
            entry.pack(batch);
        }
        batch.count(questions.len());
        for entry in questions.iter() {
            entry.pack(batch);
        }
        batch.optional_json(*response_schema);
        batch.word(u32::from(*editable));
        batch.optional_text(*group);
        batch.word(blocking.packed());
        batch.optional_text(*expires_at);
        batch.optional_text(*default_option_id);
    }

    pub(super) fn unpack(reader: &mut Reader<'a>) -> Self {
        Self {
            interrupt_id: reader.text(),
            id_source: IdSource::from_packed(reader.word()).unwrap_or_default(),
            kind: InterruptKind::from_packed(reader.word()).unwrap_or_default(),
            tool_call_id: reader.optional_text(),
            link_source: LinkSource::from_packed(reader.word()),
            tool_name: reader.optional_text(),
            title: reader.optional_text(),
            message: reader.optional_text(),
            reason: reader.optional_text(),
            reason_code: reader.optional_text(),
            side_effect: reader.optional_text(),
            raw_input: reader.optional_json(),
            locations: reader.optional_list(Location::unpack),
            options: reader.list(InterruptOption::unpack),
            questions: reader.list(Question::unpack),
            response_schema: reader.optional_json(),
            editable: reader.flag(),
            group: reader.optional_text(),
            blocking: Blocking::from_packed(reader.word()).unwrap_or_default(),
            expires_at: reader.optional_text(),
            default_option_id: reader.optional_text(),
        }
    }

    /// Appends the JSON object.
    pub fn write_json(&self, out: &mut String) {
        let Self {
            interrupt_id,
            id_source,
            kind,
            tool_call_id,
            link_source,
            tool_name,
            title,
            message,
            reason,
            reason_code,
            side_effect,
            raw_input,
            locations,
            options,
            questions,
            response_schema,
            editable,
            group,
            blocking,
            expires_at,
            default_option_id,
        } = self;
        let mut object = ObjectWriter::open(out);
        object.word("sessionUpdate", "interrupt");
        super::write_string(object.key("interruptId"), interrupt_id);
        super::write_string(object.key("idSource"), id_source.as_str());
        super::write_string(object.key("kind"), kind.as_str());
        if let Some(tool_call_id) = tool_call_id {
            super::write_string(object.key("toolCallId"), tool_call_id);
        }
        if let Some(link_source) = link_source {
            super::write_string(object.key("linkSource"), link_source.as_str());
        }
        if let Some(tool_name) = tool_name {
            super::write_string(object.key("toolName"), tool_name);
        }
        if let Some(title) = title {
            super::write_string(object.key("title"), title);
        }
        if let Some(message) = message {
            super::write_string(object.key("message"), message);
        }
        if let Some(reason) = reason {
            super::write_string(object.key("reason"), reason);
        }
        if let Some(reason_code) = reason_code {
            super::write_string(object.key("reasonCode"), reason_code);
        }
        if let Some(side_effect) = side_effect {
            super::write_string(object.key("sideEffect"), side_effect);
        }
        if let Some(raw_input) = raw_input {
            super::write::write_raw(object.key("rawInput"), *raw_input);
        }
        if let Some(locations) = locations {
            write_list(object.key("locations"), locations, |out, entry| {
                entry.write_json(out);
            });
        }
        write_list(object.key("options"), options, |out, entry| {
            entry.write_json(out);
        });
        write_list(object.key("questions"), questions, |out, entry| {
            entry.write_json(out);
        });
        if let Some(response_schema) = response_schema {
            super::write::write_raw(object.key("responseSchema"), *response_schema);
        }
        if *editable {
            super::write::write_flag(object.key("editable"), *editable);
        }
        if let Some(group) = group {
            super::write_string(object.key("group"), group);
        }
        super::write_string(object.key("blocking"), blocking.as_str());
        if let Some(expires_at) = expires_at {
            super::write_string(object.key("expiresAt"), expires_at);
        }
        if let Some(default_option_id) = default_option_id {
            super::write_string(object.key("defaultOptionId"), default_option_id);
        }
        object.close();
    }
}

impl<'a> InterruptResolved<'a> {
    pub(super) fn pack(&self, batch: &mut Batch) {
        let Self { interrupt_id, outcome, option_id, option_kind, answers, edited_input, message, source } =
            self;

        batch.required_text(interrupt_id);
        batch.word(outcome.packed());
        batch.optional_text(*option_id);
        batch.word(option_kind.map_or(0, OptionKind::packed));
        batch.optional_json(*answers);
        batch.optional_json(*edited_input);
        batch.optional_text(*message);
        batch.word(source.packed());
    }

    pub(super) fn unpack(reader: &mut Reader<'a>) -> Self {
        Self {
            interrupt_id: reader.text(),
            outcome: InterruptOutcome::from_packed(reader.word()).unwrap_or_default(),
            option_id: reader.optional_text(),
            option_kind: OptionKind::from_packed(reader.word()),
            answers: reader.optional_json(),
            edited_input: reader.optional_json(),
            message: reader.optional_text(),
            source: LinkSource::from_packed(reader.word()).unwrap_or_default(),
        }
    }

    /// Appends the JSON object.
    pub fn write_json(&self, out: &mut String) {
        let Self { interrupt_id, outcome, option_id, option_kind, answers, edited_input, message, source } =
            self;
        let mut object = ObjectWriter::open(out);
        object.word("sessionUpdate", "interrupt_resolved");
        super::write_string(object.key("interruptId"), interrupt_id);
        super::write_string(object.key("outcome"), outcome.as_str());
        if let Some(option_id) = option_id {
            super::write_string(object.key("optionId"), option_id);
        }
        if let Some(option_kind) = option_kind {
            super::write_string(object.key("optionKind"), option_kind.as_str());
        }
        if let Some(answers) = answers {
            super::write::write_raw(object.key("answers"), *answers);
        }
        if let Some(edited_input) = edited_input {
            super::write::write_raw(object.key("editedInput"), *edited_input);
        }
        if let Some(message) = message {
            super::write_string(object.key("message"), message);
        }
        super::write_string(object.key("source"), source.as_str());
        object.close();
    }
}

impl<'a> Notice<'a> {
    pub(super) fn pack(&self, batch: &mut Batch) {
        let Self { severity, text, stream } = self;

        batch.word(severity.packed());
        batch.required_text(text);
        batch.word(stream.map_or(0, OutputStream::packed));
    }

    pub(super) fn unpack(reader: &mut Reader<'a>) -> Self {
        Self {
            severity: Severity::from_packed(reader.word()).unwrap_or_default(),
            text: reader.text(),
            stream: OutputStream::from_packed(reader.word()),
        }
    }

    /// Appends the JSON object.
    pub fn write_json(&self, out: &mut String) {
        let Self { severity, text, stream } = self;
        let mut object = ObjectWriter::open(out);
        object.word("sessionUpdate", "notice");
        super::write_string(object.key("severity"), severity.as_str());
        super::write_string(object.key("text"), text);
        if let Some(stream) = stream {
            super::write_string(object.key("stream"), stream.as_str());
        }
        object.close();
    }
}

impl<'a> Hook<'a> {
    pub(super) fn pack(&self, batch: &mut Batch) {
        let Self { method, event, payload, raw } = self;

        batch.required_text(method);
        batch.required_text(event);
        batch.optional_json(*payload);
        batch.json(*raw);
    }

    pub(super) fn unpack(reader: &mut Reader<'a>) -> Self {
        Self {
            method: reader.text(),
            event: reader.text(),
            payload: reader.optional_json(),
            raw: reader.json(),
        }
    }

    /// Appends the JSON object.
    pub fn write_json(&self, out: &mut String) {
        let Self { method, event, payload, raw } = self;
        let mut object = ObjectWriter::open(out);
        object.word("sessionUpdate", "hook");
        super::write_string(object.key("method"), method);
        super::write_string(object.key("event"), event);
        if let Some(payload) = payload {
            super::write::write_raw(object.key("payload"), *payload);
        }
        super::write::write_raw(object.key("raw"), *raw);
        object.close();
    }
}

impl<'a> Citations<'a> {
    pub(super) fn pack(&self, batch: &mut Batch) {
        let Self { items, model_only } = self;

        batch.json(*items);
        batch.word(u32::from(*model_only));
    }

    pub(super) fn unpack(reader: &mut Reader<'a>) -> Self {
        Self { items: reader.json(), model_only: reader.flag() }
    }

    /// Appends the JSON object.
    pub fn write_json(&self, out: &mut String) {
        let Self { items, model_only } = self;
        let mut object = ObjectWriter::open(out);
        object.word("sessionUpdate", "citations");
        super::write::write_raw(object.key("items"), *items);
        if *model_only {
            super::write::write_flag(object.key("modelOnly"), *model_only);
        }
        object.close();
    }
}

impl<'a> Artifact<'a> {
    pub(super) fn pack(&self, batch: &mut Batch) {
        let Self { url, filename, tool_call_id } = self;

        batch.required_text(url);
        batch.required_text(filename);
        batch.repeated_text(*tool_call_id);
    }

    pub(super) fn unpack(reader: &mut Reader<'a>) -> Self {
        Self { url: reader.text(), filename: reader.text(), tool_call_id: reader.optional_text() }
    }

    /// Appends the JSON object.
    pub fn write_json(&self, out: &mut String) {
        let Self { url, filename, tool_call_id } = self;
        let mut object = ObjectWriter::open(out);
        object.word("sessionUpdate", "artifact");
        super::write_string(object.key("url"), url);
        super::write_string(object.key("filename"), filename);
        if let Some(tool_call_id) = tool_call_id {
            super::write_string(object.key("toolCallId"), tool_call_id);
        }
        object.close();
    }
}

impl<'a> UsageUpdate<'a> {
    pub(super) fn pack(&self, batch: &mut Batch) {
        let Self { used, size, used_ratio, cost } = self;

        batch.number(used.unwrap_or(f64::NAN));
        batch.number(size.unwrap_or(f64::NAN));
        batch.number(used_ratio.unwrap_or(f64::NAN));
        batch.optional_json(*cost);
    }

    pub(super) fn unpack(reader: &mut Reader<'a>) -> Self {
        Self {
            used: reader.optional_number(),
            size: reader.optional_number(),
            used_ratio: reader.optional_number(),
            cost: reader.optional_json(),
        }
    }

    /// Appends the JSON object.
    pub fn write_json(&self, out: &mut String) {
        let Self { used, size, used_ratio, cost } = self;
        let mut object = ObjectWriter::open(out);
        object.word("sessionUpdate", "usage_update");
        if let Some(used) = used {
            super::write::write_number(object.key("used"), *used);
        }
        if let Some(size) = size {
            super::write::write_number(object.key("size"), *size);
        }
        if let Some(used_ratio) = used_ratio {
            super::write::write_number(object.key("usedRatio"), *used_ratio);
        }
        if let Some(cost) = cost {
            super::write::write_raw(object.key("cost"), *cost);
        }
        object.close();
    }
}

impl<'a> CompactionUpdate<'a> {
    pub(super) fn pack(&self, batch: &mut Batch) {
        let Self { compaction_id, status, summary, error } = self;

        batch.optional_text(*compaction_id);
        batch.required_text(status);
        batch.optional_text(*summary);
        batch.optional_text(*error);
    }

    pub(super) fn unpack(reader: &mut Reader<'a>) -> Self {
        Self {
            compaction_id: reader.optional_text(),
            status: reader.text(),
            summary: reader.optional_text(),
            error: reader.optional_text(),
        }
    }

    /// Appends the JSON object.
    pub fn write_json(&self, out: &mut String) {
        let Self { compaction_id, status, summary, error } = self;
        let mut object = ObjectWriter::open(out);
        object.word("sessionUpdate", "compaction_update");
        if let Some(compaction_id) = compaction_id {
            super::write_string(object.key("compactionId"), compaction_id);
        }
        super::write_string(object.key("status"), status);
        if let Some(summary) = summary {
            super::write_string(object.key("summary"), summary);
        }
        if let Some(error) = error {
            super::write_string(object.key("error"), error);
        }
        object.close();
    }
}

impl<'a> AvailableCommandsUpdate<'a> {
    pub(super) fn pack(&self, batch: &mut Batch) {
        let Self { available_commands } = self;

        batch.count(available_commands.len());
        for entry in available_commands.iter() {
            entry.pack(batch);
        }
    }

    pub(super) fn unpack(reader: &mut Reader<'a>) -> Self {
        Self { available_commands: reader.list(SlashCommand::unpack) }
    }

    /// Appends the JSON object.
    pub fn write_json(&self, out: &mut String) {
        let Self { available_commands } = self;
        let mut object = ObjectWriter::open(out);
        object.word("sessionUpdate", "available_commands_update");
        write_list(object.key("availableCommands"), available_commands, |out, entry| {
            entry.write_json(out);
        });
        object.close();
    }
}

impl<'a> CurrentModeUpdate<'a> {
    pub(super) fn pack(&self, batch: &mut Batch) {
        let Self { current_mode_id } = self;

        batch.required_text(current_mode_id);
    }

    pub(super) fn unpack(reader: &mut Reader<'a>) -> Self {
        Self { current_mode_id: reader.text() }
    }

    /// Appends the JSON object.
    pub fn write_json(&self, out: &mut String) {
        let Self { current_mode_id } = self;
        let mut object = ObjectWriter::open(out);
        object.word("sessionUpdate", "current_mode_update");
        super::write_string(object.key("currentModeId"), current_mode_id);
        object.close();
    }
}

impl<'a> ConfigOptionUpdate<'a> {
    pub(super) fn pack(&self, batch: &mut Batch) {
        let Self { config_options } = self;

        batch.json(*config_options);
    }

    pub(super) fn unpack(reader: &mut Reader<'a>) -> Self {
        Self { config_options: reader.json() }
    }

    /// Appends the JSON object.
    pub fn write_json(&self, out: &mut String) {
        let Self { config_options } = self;
        let mut object = ObjectWriter::open(out);
        object.word("sessionUpdate", "config_option_update");
        super::write::write_raw(object.key("configOptions"), *config_options);
        object.close();
    }
}

impl<'a> SessionInfoUpdate<'a> {
    pub(super) fn pack(&self, batch: &mut Batch) {
        let Self { title, updated_at, cwd, meta } = self;

        batch.optional_text(*title);
        batch.optional_text(*updated_at);
        batch.optional_text(*cwd);
        batch.optional_json(*meta);
    }

    pub(super) fn unpack(reader: &mut Reader<'a>) -> Self {
        Self {
            title: reader.optional_text(),
            updated_at: reader.optional_text(),
            cwd: reader.optional_text(),
            meta: reader.optional_json(),
        }
    }

    /// Appends the JSON object.
    pub fn write_json(&self, out: &mut String) {
        let Self { title, updated_at, cwd, meta } = self;
        let mut object = ObjectWriter::open(out);
        object.word("sessionUpdate", "session_info_update");
        if let Some(title) = title {
            super::write_string(object.key("title"), title);
        }
        if let Some(updated_at) = updated_at {
            super::write_string(object.key("updatedAt"), updated_at);
        }
        if let Some(cwd) = cwd {
            super::write_string(object.key("cwd"), cwd);
        }
        if let Some(meta) = meta {
            super::write::write_raw(object.key("meta"), *meta);
        }
        object.close();
    }
}

impl<'a> SharedState<'a> {
    pub(super) fn pack(&self, batch: &mut Batch) {
        let Self { snapshot, patch } = self;

        batch.optional_json(*snapshot);
        batch.optional_json(*patch);
    }

    pub(super) fn unpack(reader: &mut Reader<'a>) -> Self {
        Self { snapshot: reader.optional_json(), patch: reader.optional_json() }
    }

    /// Appends the JSON object.
    pub fn write_json(&self, out: &mut String) {
        let Self { snapshot, patch } = self;
        let mut object = ObjectWriter::open(out);
        object.word("sessionUpdate", "shared_state");
        if let Some(snapshot) = snapshot {
            super::write::write_raw(object.key("snapshot"), *snapshot);
        }
        if let Some(patch) = patch {
            super::write::write_raw(object.key("patch"), *patch);
        }
        object.close();
    }
}

impl<'a> HarnessEvent<'a> {
    pub(super) fn pack(&self, batch: &mut Batch) {
        let Self { type_, payload } = self;

        batch.required_text(type_);
        batch.optional_json(*payload);
    }

    pub(super) fn unpack(reader: &mut Reader<'a>) -> Self {
        Self { type_: reader.text(), payload: reader.optional_json() }
    }

    /// Appends the JSON object.
    pub fn write_json(&self, out: &mut String) {
        let Self { type_, payload } = self;
        let mut object = ObjectWriter::open(out);
        object.word("sessionUpdate", "harness_event");
        super::write_string(object.key("type"), type_);
        if let Some(payload) = payload {
            super::write::write_raw(object.key("payload"), *payload);
        }
        object.close();
    }
}

impl<'a> Unknown<'a> {
    pub(super) fn pack(&self, batch: &mut Batch) {
        let Self { type_, raw } = self;

        batch.optional_text(*type_);
        batch.required_text(raw);
    }

    pub(super) fn unpack(reader: &mut Reader<'a>) -> Self {
        Self { type_: reader.optional_text(), raw: reader.text() }
    }

    /// Appends the JSON object.
    pub fn write_json(&self, out: &mut String) {
        let Self { type_, raw } = self;
        let mut object = ObjectWriter::open(out);
        object.word("sessionUpdate", "unknown");
        if let Some(type_) = type_ {
            super::write_string(object.key("type"), type_);
        }
        super::write_string(object.key("raw"), raw);
        object.close();
    }
}

/// Words of the packed envelope.
pub(super) const ENVELOPE_WORDS: usize = 8;

/// Words of a record before its envelope.
pub(super) const HEAD_WORDS: usize = 8;

/// Strings the batch remembers to pack a repeat as its index: the envelope's, and the repeated text of updates.
pub(crate) const SLOTS: usize = 8;

/// The slot of the repeated text of updates.
pub(super) const REPEATED_SLOT: usize = 7;

/// The slot of the envelope's `sessionId`.
pub(crate) const SESSION_ID_SLOT: usize = 0;

/// The slot of the envelope's `timestamp`.
pub(crate) const TIMESTAMP_SLOT: usize = 1;

/// The slot of the envelope's `model`.
pub(crate) const MODEL_SLOT: usize = 2;

/// The slot of the envelope's `messageId`.
pub(crate) const MESSAGE_ID_SLOT: usize = 3;

/// The slot of the envelope's `parentToolCallId`.
pub(crate) const PARENT_TOOL_CALL_ID_SLOT: usize = 4;

/// The slot of the envelope's `agentId`.
pub(crate) const AGENT_ID_SLOT: usize = 5;

/// The slot of the envelope's `extra`.
pub(crate) const EXTRA_SLOT: usize = 6;

impl<'a> Envelope<'a> {
    pub(super) fn pack(&self, batch: &mut Batch) -> [u32; ENVELOPE_WORDS] {
        [
            self.item.map_or(0, |number| number.saturating_add(1)),
            batch.interned(super::batch::Interned::Text, 0, self.session_id),
            batch.interned(super::batch::Interned::Text, 1, self.timestamp),
            batch.interned(super::batch::Interned::Text, 2, self.model),
            batch.interned(super::batch::Interned::Text, 3, self.message_id),
            batch.interned(super::batch::Interned::Text, 4, self.parent_tool_call_id),
            batch.interned(super::batch::Interned::Text, 5, self.agent_id),
            batch.interned(super::batch::Interned::Json, 6, self.extra.map(|json| json.0)),
        ]
    }

    pub(super) fn unpack(reader: &mut Reader<'a>) -> Self {
        Self {
            item: reader.word().checked_sub(1),
            session_id: reader.optional_text(),
            timestamp: reader.optional_text(),
            model: reader.optional_text(),
            message_id: reader.optional_text(),
            parent_tool_call_id: reader.optional_text(),
            agent_id: reader.optional_text(),
            extra: reader.optional_json(),
        }
    }
}

impl<'a> Update<'a> {
    /// The packed tag, from 1.
    pub(super) fn tag(&self) -> u32 {
        match self {
            Self::AgentMessageChunk(_) => 1,
            Self::AgentThoughtChunk(_) => 2,
            Self::UserMessageChunk(_) => 3,
            Self::ToolCall(_) => 4,
            Self::ToolCallUpdate(_) => 5,
            Self::Plan(_) => 6,
            Self::Error(_) => 7,
            Self::Usage(_) => 8,
            Self::MessageEnd(_) => 9,
            Self::Withdrawn(_) => 10,
            Self::Agent(_) => 11,
            Self::Run(_) => 12,
            Self::Lifecycle(_) => 13,
            Self::Interrupt(_) => 14,
            Self::InterruptResolved(_) => 15,
            Self::Notice(_) => 16,
            Self::Hook(_) => 17,
            Self::Citations(_) => 18,
            Self::Artifact(_) => 19,
            Self::UsageUpdate(_) => 20,
            Self::CompactionUpdate(_) => 21,
            Self::AvailableCommandsUpdate(_) => 22,
            Self::CurrentModeUpdate(_) => 23,
            Self::ConfigOptionUpdate(_) => 24,
            Self::SessionInfoUpdate(_) => 25,
            Self::SharedState(_) => 26,
            Self::HarnessEvent(_) => 27,
            Self::Unknown(_) => 28,
        }
    }

    pub(super) fn pack(&self, batch: &mut Batch) {
        match self {
            Self::AgentMessageChunk(body) => body.pack(batch),
            Self::AgentThoughtChunk(body) => body.pack(batch),
            Self::UserMessageChunk(body) => body.pack(batch),
            Self::ToolCall(body) => body.pack(batch),
            Self::ToolCallUpdate(body) => body.pack(batch),
            Self::Plan(body) => body.pack(batch),
            Self::Error(body) => body.pack(batch),
            Self::Usage(body) => body.pack(batch),
            Self::MessageEnd(body) => body.pack(batch),
            Self::Withdrawn(body) => body.pack(batch),
            Self::Agent(body) => body.pack(batch),
            Self::Run(body) => body.pack(batch),
            Self::Lifecycle(body) => body.pack(batch),
            Self::Interrupt(body) => body.pack(batch),
            Self::InterruptResolved(body) => body.pack(batch),
            Self::Notice(body) => body.pack(batch),
            Self::Hook(body) => body.pack(batch),
            Self::Citations(body) => body.pack(batch),
            Self::Artifact(body) => body.pack(batch),
            Self::UsageUpdate(body) => body.pack(batch),
            Self::CompactionUpdate(body) => body.pack(batch),
            Self::AvailableCommandsUpdate(body) => body.pack(batch),
            Self::CurrentModeUpdate(body) => body.pack(batch),
            Self::ConfigOptionUpdate(body) => body.pack(batch),
            Self::SessionInfoUpdate(body) => body.pack(batch),
            Self::SharedState(body) => body.pack(batch),
            Self::HarnessEvent(body) => body.pack(batch),
            Self::Unknown(body) => body.pack(batch),
        }
    }

    pub(super) fn unpack(tag: u32, reader: &mut Reader<'a>) -> Option<Self> {
        Some(match tag {
            1 => Self::AgentMessageChunk(AgentMessageChunk::unpack(reader)),
            2 => Self::AgentThoughtChunk(AgentThoughtChunk::unpack(reader)),
            3 => Self::UserMessageChunk(UserMessageChunk::unpack(reader)),
            4 => Self::ToolCall(ToolCall::unpack(reader)),
            5 => Self::ToolCallUpdate(ToolCallUpdate::unpack(reader)),
            6 => Self::Plan(Plan::unpack(reader)),
            7 => Self::Error(Error::unpack(reader)),
            8 => Self::Usage(Usage::unpack(reader)),
            9 => Self::MessageEnd(MessageEnd::unpack(reader)),
            10 => Self::Withdrawn(Withdrawn::unpack(reader)),
            11 => Self::Agent(Agent::unpack(reader)),
            12 => Self::Run(Run::unpack(reader)),
            13 => Self::Lifecycle(Lifecycle::unpack(reader)),
            14 => Self::Interrupt(Interrupt::unpack(reader)),
            15 => Self::InterruptResolved(InterruptResolved::unpack(reader)),
            16 => Self::Notice(Notice::unpack(reader)),
            17 => Self::Hook(Hook::unpack(reader)),
            18 => Self::Citations(Citations::unpack(reader)),
            19 => Self::Artifact(Artifact::unpack(reader)),
            20 => Self::UsageUpdate(UsageUpdate::unpack(reader)),
            21 => Self::CompactionUpdate(CompactionUpdate::unpack(reader)),
            22 => Self::AvailableCommandsUpdate(AvailableCommandsUpdate::unpack(reader)),
            23 => Self::CurrentModeUpdate(CurrentModeUpdate::unpack(reader)),
            24 => Self::ConfigOptionUpdate(ConfigOptionUpdate::unpack(reader)),
            25 => Self::SessionInfoUpdate(SessionInfoUpdate::unpack(reader)),
            26 => Self::SharedState(SharedState::unpack(reader)),
            27 => Self::HarnessEvent(HarnessEvent::unpack(reader)),
            28 => Self::Unknown(Unknown::unpack(reader)),
            _ => return None,
        })
    }

    /// Appends the JSON object, `sessionUpdate` first.
    pub fn write_json(&self, out: &mut String) {
        match self {
            Self::AgentMessageChunk(body) => body.write_json(out),
            Self::AgentThoughtChunk(body) => body.write_json(out),
            Self::UserMessageChunk(body) => body.write_json(out),
            Self::ToolCall(body) => body.write_json(out),
            Self::ToolCallUpdate(body) => body.write_json(out),
            Self::Plan(body) => body.write_json(out),
            Self::Error(body) => body.write_json(out),
            Self::Usage(body) => body.write_json(out),
            Self::MessageEnd(body) => body.write_json(out),
            Self::Withdrawn(body) => body.write_json(out),
            Self::Agent(body) => body.write_json(out),
            Self::Run(body) => body.write_json(out),
            Self::Lifecycle(body) => body.write_json(out),
            Self::Interrupt(body) => body.write_json(out),
            Self::InterruptResolved(body) => body.write_json(out),
            Self::Notice(body) => body.write_json(out),
            Self::Hook(body) => body.write_json(out),
            Self::Citations(body) => body.write_json(out),
            Self::Artifact(body) => body.write_json(out),
            Self::UsageUpdate(body) => body.write_json(out),
            Self::CompactionUpdate(body) => body.write_json(out),
            Self::AvailableCommandsUpdate(body) => body.write_json(out),
            Self::CurrentModeUpdate(body) => body.write_json(out),
            Self::ConfigOptionUpdate(body) => body.write_json(out),
            Self::SessionInfoUpdate(body) => body.write_json(out),
            Self::SharedState(body) => body.write_json(out),
            Self::HarnessEvent(body) => body.write_json(out),
            Self::Unknown(body) => body.write_json(out),
        }
    }
}

impl UiEvent<'_> {
    /// Appends the event as one JSON object on one line: `seq`, `item`, `update`, the rest of the envelope, `source`.
    pub fn write_json(&self, out: &mut String) {
        let mut object = ObjectWriter::open(out);
        object.integer("seq", self.seq);
        if let Some(item) = &self.envelope.item {
            object.integer("item", u64::from(*item));
        }
        self.update.write_json(object.key("update"));
        if let Some(session_id) = &self.envelope.session_id {
            super::write_string(object.key("sessionId"), session_id);
        }
        if let Some(timestamp) = &self.envelope.timestamp {
            super::write_string(object.key("timestamp"), timestamp);
        }
        if let Some(model) = &self.envelope.model {
            super::write_string(object.key("model"), model);
        }
        if let Some(message_id) = &self.envelope.message_id {
            super::write_string(object.key("messageId"), message_id);
        }
        if let Some(parent_tool_call_id) = &self.envelope.parent_tool_call_id {
            super::write_string(object.key("parentToolCallId"), parent_tool_call_id);
        }
        if let Some(agent_id) = &self.envelope.agent_id {
            super::write_string(object.key("agentId"), agent_id);
        }
        if let Some(extra) = &self.envelope.extra {
            super::write::write_raw(object.key("extra"), *extra);
        }
        super::write::write_source(object.key("source"), self.source);
        object.close();
    }
}
