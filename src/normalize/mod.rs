//! Facts to events in normal form: the only room where ids, order, text positions, usage and interrupts are kept.
//!
//! Knows no dialect and no JSON field. Everything here holds for any facts in any order: a card is made once, facts
//! only grow, texts add up, totals count once. State grows with items and ids, never with the length of texts.

mod asked;
mod asks;
mod card;
mod cards;
mod diagnostics;
mod growth;
mod history;
mod lanes;
mod list;
mod lookup;
mod messages;
mod names;
mod out;
mod parts;
mod plans;
mod runs;
mod text;
mod usage;
mod withdraw;

pub use diagnostics::DiagnosticLog;
pub(crate) use growth::{Growing, Growth};
pub use runs::RunResult;
pub use usage::{Totals, UsageReport};

use crate::dialect::{Context, Fact, FactSink, PartKind, PartRef, ToolChanged, ToolSeen};
use crate::event::{Batch, ToolStatus, Update};
use crate::framing::{Diagnostic, Severity, Source};

/// How facts become events.
#[derive(Clone, Copy, Debug)]
pub struct NormalOptions {
    /// Only the eight core updates leave; everything else stays in the report.
    pub core_only: bool,
    /// How many record ids are remembered to drop records that come again.
    pub max_record_ids: usize,
    /// Context injected for the model is shown as user text.
    pub show_injected: bool,
}

impl Default for NormalOptions {
    fn default() -> Self {
        NormalOptions { core_only: false, max_record_ids: 65_536, show_injected: false }
    }
}

/// Takes facts record by record and keeps the normal form.
pub struct NormalForm {
    names: names::Names,
    lanes: lanes::Lanes,
    messages: messages::Messages,
    parts: parts::Parts,
    cards: lookup::Cards,
    asks: asks::Asks,
    plans: plans::Plans,
    ledger: usage::Ledger,
    runs: runs::Runs,
    history: history::History,
    records: withdraw::Records,
    out: out::Out,
    diagnostics: DiagnosticLog,
    ignored: Vec<(&'static str, u64)>,
    show_injected: bool,
    drop_record: bool,
    ignored_in_record: bool,
    records_with_events: u64,
    records_ignored: u64,
    /// Facts taken so far.
    facts: u64,
    /// What the last fact added a text to.
    grown: Option<growth::Target>,
}

impl NormalForm {
    /// Empty.
    pub fn new(options: NormalOptions) -> Self {
        NormalForm {
            names: names::Names::default(),
            lanes: lanes::Lanes::default(),
            messages: messages::Messages::default(),
            parts: parts::Parts::default(),
            cards: lookup::Cards::default(),
            asks: asks::Asks::default(),
            plans: plans::Plans::default(),
            ledger: usage::Ledger::default(),
            runs: runs::Runs::default(),
            history: history::History::default(),
            records: withdraw::Records::new(options.max_record_ids),
            out: out::Out::new(options.core_only),
            diagnostics: DiagnosticLog::default(),
            ignored: Vec::new(),
            show_injected: options.show_injected,
            drop_record: false,
            ignored_in_record: false,
            records_with_events: 0,
            records_ignored: 0,
            facts: 0,
            grown: None,
        }
    }

    /// Forgets the events of the last push.
    pub fn clear_batch(&mut self) {
        let next = self.out.batch.next_seq();
        self.out.batch.clear(next);
    }

    /// Nobody asks its batches for UTF-16 units.
    pub fn count_bytes_only(&mut self) {
        self.out.batch.count_bytes_only();
    }

    /// Events since [`NormalForm::clear_batch`].
    pub fn batch(&self) -> &Batch {
        &self.out.batch
    }

    /// The next facts come from this record.
    pub fn begin_record(&mut self, source: Source) {
        self.out.source = source;
        self.out.from_record = 0;
        self.drop_record = false;
        self.ignored_in_record = false;
        self.records.begin();
    }

    /// JSON that lies in this text, until the record ends, holds no halves of surrogate pairs.
    pub fn trust_json_in(&mut self, text: &str) {
        self.out.batch.trust(text);
    }

    /// The record is read. One that changed nothing is counted.
    pub fn end_record(&mut self) {
        if self.records.end() {
            let message = "a record made more items than are remembered: it cannot be taken back as a whole";
            self.remark("limit.record-items", Severity::Info, message);
        }
        self.out.batch.trust("");
        // What a dialect says after its last record belongs to no record.
        self.drop_record = false;
        if self.out.from_record > 0 {
            self.records_with_events += 1;
            return;
        }
        self.records_ignored += 1;
        if !self.ignored_in_record {
            self.ignored("nothing-new");
        }
    }

    /// The stream is over: halves leave, a run without an end is cut.
    pub fn finish(&mut self) {
        self.flush_halves();
        self.flush_card_halves();
        self.cut_run();
    }

    /// Adds a remark that stands elsewhere than at the current record.
    pub fn log(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// All remarks so far.
    pub fn diagnostics(&self) -> &DiagnosticLog {
        &self.diagnostics
    }

    /// Records without an event, counted by reason.
    pub fn ignored_counts(&self) -> &[(&'static str, u64)] {
        &self.ignored
    }

    /// Records that caused an event, one that the filter held back included.
    pub fn records_with_events(&self) -> u64 {
        self.records_with_events
    }

    /// Records that caused none. Each is counted under one reason at least.
    pub fn records_ignored(&self) -> u64 {
        self.records_ignored
    }

    /// Events sent so far.
    pub fn events(&self) -> u64 {
        self.out.sent
    }

    /// Items made so far.
    pub fn items(&self) -> u32 {
        self.out.items()
    }

    /// Whether the agent did anything that counts as work.
    pub fn did_work(&self) -> bool {
        self.out.did_work
    }

    /// How the last run ended.
    pub fn result(&self) -> RunResult {
        self.runs.result()
    }

    /// What was used.
    pub fn usage_report(&self) -> UsageReport {
        self.ledger.report()
    }

    /// Calls and interrupts that are still open and not withdrawn.
    pub fn open_calls(&self) -> usize {
        let open = |card: &&card::Card| {
            matches!(card.status, ToolStatus::Pending | ToolStatus::InProgress)
                && !self.records.is_withdrawn(card.item)
        };
        self.cards.list.iter().filter(open).count()
    }

    /// Counts a record, or a part of one, that makes no event.
    pub fn ignored(&mut self, reason: &'static str) {
        self.ignored_in_record = true;
        match self.ignored.iter_mut().find(|(known, _)| *known == reason) {
            Some((_, count)) => *count += 1,
            None => self.ignored.push((reason, 1)),
        }
    }

    /// A new item that a reader sees: text of its lane that ran on ends before it.
    fn visible_item(&mut self, _context: &Context<'_>, lane: lanes::LaneId) -> u32 {
        let item = self.out.new_item();
        self.lanes.get(lane).newest_item = Some(item);
        self.records.touched.push(item);
        item
    }

    /// A remark about the current record.
    fn remark(&mut self, code: &'static str, severity: Severity, message: &str) {
        let Source { offset, line, input, .. } = self.out.source;
        self.diagnostics.push(Diagnostic {
            code,
            severity,
            message: message.to_owned(),
            offset,
            line,
            input,
        });
    }

    fn emit(&mut self, context: &Context<'_>, item: Option<u32>, update: &Update<'_>) {
        if let Some(item) = item.filter(|item| self.records.touched.last() != Some(item)) {
            self.records.touched.push(item);
        }
        let parent = self.parent(context).map(|parent| self.names.text(parent));
        self.out.emit(context, parent, item, update);
    }
}

impl FactSink for NormalForm {
    fn fact(&mut self, context: &Context<'_>, fact: Fact<'_>) {
        // A record may carry others, each with an id of its own.
        if self.drop_record && !matches!(fact, Fact::RecordId(_)) {
            return;
        }
        self.facts += 1;
        self.grown = None;
        match fact {
            Fact::PartDelta { part, kind, text } => self.part_delta(context, part, kind, text),
            Fact::PartOpen { part, kind } => self.part_open(context, part, kind),
            Fact::PartSoFar { part, kind, text } => self.part_so_far(context, part, kind, text),
            Fact::PartWhole { part, kind, text } => {
                self.records.keep_items();
                self.part_whole(context, part, kind, text);
            }
            Fact::PartBlock { kind, block } => self.part_block(context, kind, block),
            Fact::PartEnd { part, stop_reason, aborted } => {
                self.part_closed(context, part, stop_reason, aborted)
            }
            Fact::MessageEnd { stop_reason, aborted } => self.message_end(context, stop_reason, aborted),
            Fact::Prompt { text } => self.prompt(context, text),
            Fact::Injected { text } if self.show_injected => {
                self.part_whole(context, PartRef::New, PartKind::User, text);
            }
            Fact::Injected { .. } => self.ignored("injected"),
            Fact::Answer { text } => self.answer(context, text),
            Fact::ToolSeen(seen) => {
                self.records.keep_items();
                self.tool_seen(context, &ToolSeen { title: said(seen.title), name: said(seen.name), ..seen });
            }
            Fact::InputDelta { call, text } => self.input_delta(context, call, text),
            Fact::OutputDelta { call, text, stream } => self.output_delta(context, call, text, stream),
            Fact::ToolChanged(changed) => {
                let changed = ToolChanged { title: said(changed.title), name: said(changed.name), ..changed };
                self.tool_changed(context, &changed);
            }
            Fact::NotRun { call, why } => self.not_run(context, call, why),
            Fact::IdsRestart => {
                let session = self.names.session(context);
                self.lanes.restart(session);
                self.lanes.break_runs(session, false);
            }
            Fact::AgentSeen(seen) => self.agent_seen(context, &seen),
            Fact::TaskLink { task, call } => self.task_link(context, task, call),
            Fact::Withdraw { target, reason } => self.withdraw(context, target, reason),
            Fact::RecordId(id) => self.drop_record = self.record_id(id),
            Fact::MessageList { open } => self.message_list(open),
            Fact::Usage(usage) => self.usage(context, &usage),
            Fact::PlanSet { entries } => self.plan_set(context, &entries),
            Fact::PlanPatch(patch) => self.plan_patch(context, &patch),
            Fact::Ask(ask) => self.ask(context, &ask),
            Fact::Answered(answer) => self.answered(context, &answer),
            Fact::Run(run) => self.run(context, &run),
            Fact::Error(error) => self.error(context, &error),
            Fact::Artifact { artifact, call } => self.artifact(context, &artifact, call),
            Fact::Tell(update) => self.tell(context, update),
            Fact::Ignored(reason) => self.ignored(reason),
        }
    }

    fn diagnostic(&mut self, code: &'static str, severity: Severity, message: &str) {
        self.remark(code, severity, message);
    }
}

/// An empty text says nothing.
fn said(text: Option<&str>) -> Option<&str> {
    text.filter(|text| !text.is_empty())
}
