//! What a dialect may say about a record: facts.
//!
//! A fact repeats what the wire stated and nothing else. It compares no texts, looks at no status and decides no
//! repeat; what the wire leaves open travels as a reference ([`PartRef`], [`CallRef`]) that `normalize` resolves.

use crate::event::{
    AgentStatus, Artifact, Blocking, ContentBlock, Evidence, Interrupt, InterruptOutcome, Json, LinkSource,
    List, Location, OptionKind, OutputStream, PlanEntry, PlanPriority, PlanStatus, RunOutcome, RunPhase,
    RunScope, ToolContent, ToolKind, ToolStatus, Update,
};
use crate::framing::Severity;
use crate::json::Text;

/// Whose fact it is, and what the record says about itself. Absent means the wire did not say it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Context<'a> {
    /// The wire's session or thread id.
    pub session: Option<&'a str>,
    /// Key of the agent inside this stream; `None` is the main agent.
    pub agent: Option<&'a str>,
    /// Wire id of the call that runs this agent.
    pub parent_call: Option<&'a str>,
    /// The wire's id of the model message.
    pub message: Option<&'a str>,
    /// ISO 8601, as the wire prints it (epoch numbers are converted by the dialect).
    pub timestamp: Option<&'a str>,
    /// The model of this record.
    pub model: Option<&'a str>,
    /// A JSON object of further facts under the wire's own names.
    pub extra: Option<Json<'a>>,
}

/// Takes facts, in the order of the wire.
pub trait FactSink {
    /// One fact.
    fn fact(&mut self, context: &Context<'_>, fact: Fact<'_>);
    /// A remark about the current record; the pipeline adds offset and line.
    fn diagnostic(&mut self, code: &'static str, severity: Severity, message: &str);
    /// The dialect vouches for the current record: reading it changes no decoding state, and these strings (as they
    /// stand between their quotes, not empty) reach its facts as they are or not at all; nothing that is said depends
    /// on what they say, nor on the record's SSE id. Call it before any fact but `RecordId`. Records that differ in nothing else are then not read again.
    fn repeatable(&mut self, _free: &[&str]) {}
}

/// What a text part holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PartKind {
    /// The agent's answer.
    Agent,
    /// The agent's reasoning.
    Thought,
    /// The user's prompt or its echo.
    User,
}

/// Which part of a message. Scoped by session, agent and (for `Index` and `Unclaimed`) message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartRef<'a> {
    /// The wire's own id of the part.
    Id(&'a str),
    /// Content block number inside the context's message.
    Index(u32),
    /// The part that runs on: the last one of this kind and message, unless something visible came between;
    /// else a new one.
    Run,
    /// For whole texts that come after (or without) their deltas: the oldest part of this message and kind that
    /// has no whole text yet; else a new one.
    Unclaimed,
    /// A new part.
    New,
}

/// Which call. Scoped by session, agent and epoch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallRef<'a> {
    /// The wire's id of the call.
    Id(&'a str),
    /// Content block number inside the context's message (announced by a [`ToolSeen`] with `index`).
    Index(u32),
    /// A call without identity: a new card.
    New,
    /// The call of a background task (see [`Fact::TaskLink`]).
    Task(&'a str),
    /// A result matched as well as the wire allows: by `id` if a card has it; else the oldest open card of the same
    /// `lane` and `name`, one without wire id first (it takes over `id`); else, without a lane, the only open card
    /// of that name in any lane; else a new card.
    Match {
        /// The wire's id, where it sent one.
        id: Option<&'a str>,
        /// Native tool name.
        name: &'a str,
        /// The wire's word for the parallel worker.
        lane: Option<&'a str>,
    },
    /// The newest card of that name that is still pending.
    LatestPending {
        /// Native tool name.
        name: &'a str,
    },
}

impl<'a> CallRef<'a> {
    /// By the wire's id; a call without one is a new card.
    pub fn of(id: Option<&'a str>) -> Self {
        id.map_or(CallRef::New, CallRef::Id)
    }
}

/// The wire named a call. Repeat it when more becomes known: known fields are filled, open ones follow the last word.
#[derive(Clone, Debug)]
pub struct ToolSeen<'a> {
    /// Which card. Here [`CallRef::Match`] never takes a finished card.
    pub call: CallRef<'a>,
    /// Content block number inside the context's message, for later [`CallRef::Index`].
    pub index: Option<u32>,
    /// The wire's word for the parallel worker, for [`CallRef::Match`].
    pub lane: Option<&'a str>,
    /// Native tool name; MCP as `mcp__server__tool`.
    pub name: Option<&'a str>,
    /// Display text.
    pub title: Option<&'a str>,
    /// `None`: not known yet (shown as `other`).
    pub kind: Option<ToolKind>,
    /// `None`: `pending`.
    pub status: Option<ToolStatus>,
    /// The arguments, raw.
    pub input: Option<Json<'a>>,
    /// Input side: diff, prompt.
    pub content: Option<List<'a, ToolContent<'a>>>,
    /// Files it touches.
    pub locations: Option<List<'a, Location<'a>>>,
}

/// Something new about a call: progress or its result. Content is a snapshot and replaces the result side.
#[derive(Clone, Debug)]
pub struct ToolChanged<'a> {
    /// Which card; an unknown id makes an inferred one.
    pub call: CallRef<'a>,
    /// What the wire states. `Completed` and `Failed` make this a result.
    pub status: Option<ToolStatus>,
    /// Native tool name, if repeated here.
    pub name: Option<&'a str>,
    /// A better title.
    pub title: Option<&'a str>,
    /// A better kind.
    pub kind: Option<ToolKind>,
    /// The arguments, if they come (or change) only here.
    pub input: Option<Json<'a>>,
    /// Result side.
    pub content: Option<List<'a, ToolContent<'a>>>,
    /// Input side that becomes known only now (a diff); replaces nothing that is known.
    pub input_content: Option<List<'a, ToolContent<'a>>>,
    /// Files it touched.
    pub locations: Option<List<'a, Location<'a>>>,
    /// The wire's whole result record, raw.
    pub output: Option<Json<'a>>,
}

macro_rules! tool_fact {
    ($name:ident { $($field:ident),* }) => {
        impl<'a> $name<'a> {
            /// A fact that says nothing but which call it is about.
            pub fn about(call: CallRef<'a>) -> Self {
                Self { call, $($field: None),* }
            }
        }
    };
}
tool_fact!(ToolSeen { index, lane, name, title, kind, status, input, content, locations });
tool_fact!(ToolChanged { status, name, title, kind, input, content, input_content, locations, output });

/// Which numbers a usage fact carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UsageBasis {
    /// One model call; the last value per message counts.
    Call,
    /// The additive share of the run or turn that ended.
    RunShare,
    /// A total that grows over the runs of the stream; `normalize` takes the difference.
    RunningTotal,
}

/// Tokens and cost as the wire counts them.
#[derive(Clone, Copy, Debug)]
pub struct UsageFact<'a> {
    /// Which numbers these are.
    pub basis: UsageBasis,
    /// All input tokens, cache shares included.
    pub prompt: Option<f64>,
    /// Output tokens.
    pub completion: Option<f64>,
    /// Cache-read share of `prompt`.
    pub cached: Option<f64>,
    /// US dollars.
    pub cost: Option<f64>,
    /// Whether `cost` is a running total although the tokens are not.
    pub cost_is_running_total: bool,
    /// The wire's other counters, a JSON object.
    pub extra: Option<Json<'a>>,
}

impl UsageFact<'_> {
    /// No number yet.
    pub fn of(basis: UsageBasis) -> Self {
        UsageFact {
            basis,
            prompt: None,
            completion: None,
            cached: None,
            cost: None,
            cost_is_running_total: false,
            extra: None,
        }
    }
}

/// One entry of a plan that the wire changes one by one.
#[derive(Clone, Copy, Debug)]
pub struct PlanPatch<'a> {
    /// The entry's id on the wire.
    pub id: &'a str,
    /// New text.
    pub content: Option<&'a str>,
    /// New status.
    pub status: Option<PlanStatus>,
    /// New priority; `Medium` while nothing is said.
    pub priority: Option<PlanPriority>,
    /// The entry is gone.
    pub removed: bool,
}

/// The wire asks, or tells that it waits.
#[derive(Clone, Debug)]
pub struct Ask<'a> {
    /// The interrupt's id on the wire; `None`: one is minted.
    pub id: Option<&'a str>,
    /// The call it is about. An unknown id makes an inferred card from `interrupt.tool_name` and `raw_input`.
    pub call: Option<CallRef<'a>>,
    /// Whether the wire names the call or the dialect's sheet concludes it.
    pub link: LinkSource,
    /// Everything else. `interrupt_id`, `id_source`, `tool_call_id` and `link_source` are filled by `normalize`.
    pub interrupt: Interrupt<'a>,
}

/// Which interrupt an answer is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AskRef<'a> {
    /// By its wire id.
    Id(&'a str),
    /// The open one about this call.
    Call(CallRef<'a>),
    /// All open ones of the context's session.
    All,
}

/// The wire told how an interrupt ended.
#[derive(Clone, Copy, Debug)]
pub struct Answered<'a> {
    /// Which interrupt.
    pub ask: AskRef<'a>,
    /// How it ended.
    pub outcome: InterruptOutcome,
    /// The chosen option.
    pub option_id: Option<&'a str>,
    /// Its kind.
    pub option_kind: Option<OptionKind>,
    /// `{question id: [text]}`, raw JSON.
    pub answers: Option<Json<'a>>,
    /// Full replacement of the arguments.
    pub edited_input: Option<Json<'a>>,
    /// Text of the user.
    pub message: Option<&'a str>,
    /// `Inferred` when the wire does not state it.
    pub source: LinkSource,
}

impl<'a> Answered<'a> {
    /// An outcome and where it comes from, nothing more.
    pub fn of(ask: AskRef<'a>, outcome: InterruptOutcome, source: LinkSource) -> Self {
        Answered {
            ask,
            outcome,
            option_id: None,
            option_kind: None,
            answers: None,
            edited_input: None,
            message: None,
            source,
        }
    }
}

/// What the wire takes back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WithdrawTarget<'a> {
    /// All parts and calls of this message.
    Message(&'a str),
    /// The parts and calls of this message from this block number on.
    MessageFrom(&'a str, u32),
    /// What the record with this id created.
    Record(&'a str),
    /// One part.
    Part(PartRef<'a>),
    /// One call.
    Call(CallRef<'a>),
}

/// A subagent or thread.
#[derive(Clone, Copy, Debug)]
pub struct AgentSeen<'a> {
    /// Its key inside this stream, as [`Context::agent`] uses it.
    pub agent: &'a str,
    /// Display name.
    pub name: Option<&'a str>,
    /// Its own session on the wire.
    pub session: Option<&'a str>,
    /// The call that runs it.
    pub call: Option<CallRef<'a>>,
    /// Its state, if told.
    pub status: Option<AgentStatus>,
}

/// Start or end of a run, turn, step or agent.
#[derive(Clone, Copy, Debug)]
pub struct RunFact<'a> {
    /// What starts or ends.
    pub scope: RunScope,
    /// Which of the two.
    pub phase: RunPhase,
    /// How it ended.
    pub outcome: Option<RunOutcome>,
    /// The wire's own word.
    pub reason: Option<&'a str>,
    /// Milliseconds.
    pub duration_ms: Option<f64>,
    /// What the outcome rests on.
    pub evidence: Option<Evidence>,
}

impl RunFact<'_> {
    /// A bare start or end.
    pub fn of(scope: RunScope, phase: RunPhase) -> Self {
        RunFact { scope, phase, outcome: None, reason: None, duration_ms: None, evidence: None }
    }
}

/// An error the wire reports.
#[derive(Clone, Copy, Debug)]
pub struct ErrorFact<'a> {
    /// The wire's words.
    pub message: &'a str,
    /// The run or turn is over.
    pub fatal: bool,
    /// The wire's code.
    pub code: Option<&'a str>,
    /// Milliseconds to wait before a retry.
    pub retry_after_ms: Option<f64>,
    /// The wire is known to tell the same error several times: published once per turn and text, and again only
    /// when it turns fatal.
    pub repeats: bool,
    /// The wire is known to print the error as agent text just before: that text is withdrawn when it ends with
    /// this message.
    pub echoed: bool,
}

/// What a dialect may say.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the variants' fields are what their docs speak of")]
pub enum Fact<'a> {
    /// A text part begins, its kind is known.
    PartOpen { part: PartRef<'a>, kind: PartKind },
    /// More text of a part.
    PartDelta { part: PartRef<'a>, kind: PartKind, text: Text<'a> },
    /// The text of a part so far: a growing snapshot.
    PartSoFar { part: PartRef<'a>, kind: PartKind, text: Text<'a> },
    /// The whole, final text of a part, with or without deltas before it. Ends the part.
    PartWhole { part: PartRef<'a>, kind: PartKind, text: Text<'a> },
    /// The user's prompt as the host noted it. The harness may echo it: the next user text that says the same, before
    /// anything of the agent, is a repeat.
    Prompt { text: Text<'a> },
    /// Context that the harness wrote for the model, not the user: counted, and shown only on demand.
    Injected { text: Text<'a> },
    /// A block of a message that is not text: an item of its own.
    PartBlock { kind: PartKind, block: ContentBlock<'a> },
    /// The wire closed a part.
    PartEnd { part: PartRef<'a>, stop_reason: Option<&'a str>, aborted: bool },
    /// The wire closed the context's message: all its open parts end.
    MessageEnd { stop_reason: Option<&'a str>, aborted: bool },
    /// The run's final text told again: shown only if the run printed no agent text.
    Answer { text: Text<'a> },

    /// A call, or more of it.
    ToolSeen(ToolSeen<'a>),
    /// More argument text of a call.
    InputDelta { call: CallRef<'a>, text: Text<'a> },
    /// More output of a running call.
    OutputDelta { call: CallRef<'a>, text: Text<'a>, stream: Option<OutputStream> },
    /// Progress or result of a call.
    ToolChanged(ToolChanged<'a>),
    /// The call will never run (denied, cut). Fails the card by inference unless the wire states more.
    NotRun { call: CallRef<'a>, why: Option<&'a str> },

    /// From here the same wire ids are new cards and parts.
    IdsRestart,
    /// A subagent or thread, also late.
    AgentSeen(AgentSeen<'a>),
    /// A background task belongs to a call.
    TaskLink { task: &'a str, call: CallRef<'a> },
    /// The wire takes something back.
    Withdraw { target: WithdrawTarget<'a>, reason: &'a str },
    /// Identity of this record. Say it first: a record that was here before is dropped whole.
    RecordId(&'a str),
    /// A whole history again begins (`true`) or ends: what is known (by id, else in order by what it says) is filled,
    /// not repeated; what is new is appended; nothing is taken back. Say its texts whole: pieces without an id cannot
    /// be compared.
    MessageList { open: bool },

    /// Tokens and cost.
    Usage(UsageFact<'a>),
    /// The whole plan of the context's agent.
    PlanSet { entries: List<'a, PlanEntry<'a>> },
    /// One entry of it.
    PlanPatch(PlanPatch<'a>),

    /// An approval, a question or a notice to the user.
    Ask(Ask<'a>),
    /// Its end.
    Answered(Answered<'a>),

    /// Start or end of something that runs.
    Run(RunFact<'a>),
    /// An error.
    Error(ErrorFact<'a>),
    /// A download, linked to a call if `call` is given. The same URL twice is one artifact.
    Artifact { artifact: Artifact<'a>, call: Option<CallRef<'a>> },
    /// An update that needs no identity, order or accounting: lifecycle, notice, hook, citations, announcements,
    /// shared state, harness words, unknown.
    Tell(Update<'a>),
    /// The record says nothing a UI shows, for a reason that is counted.
    Ignored(&'static str),
}

impl Default for Ask<'_> {
    fn default() -> Self {
        Ask {
            id: None,
            call: None,
            link: LinkSource::Wire,
            interrupt: Interrupt { blocking: Blocking::Unknown, ..Interrupt::default() },
        }
    }
}
