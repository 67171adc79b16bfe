//! Runs, tasks and the journal as they cross the boundary.

use inklings_domain as domain;
use serde::{Deserialize, Serialize};
use specta::Type;

use crate::{
    client::view::ClientWriteView,
    memory::view::MemoryRow,
    vocabulary::{ActorKind, ChangeAction, Interface, Scope, mirror},
};

mirror!(
    /// How a run stands.
    RunState = domain::consolidation::run::RunState {
        /// Under way.
        Running,
        /// Did all it had to.
        Done,
        /// Stopped on request.
        Cancelled,
        /// Stopped by a fault.
        Failed,
        /// Taken back.
        Reverted,
    }
);
mirror!(
    /// What set a run off.
    RunTrigger = domain::consolidation::run::RunTrigger {
        /// The worldbuilder.
        Asked,
        /// A quiet while.
        Idle,
        /// Many changes.
        Queue,
        /// A conversation that ended.
        Closed,
        /// What was missed.
        Startup,
    }
);
mirror!(
    /// What a run did to an entry.
    RunAct = domain::consolidation::run::RunAct {
        /// Made long-term, or carried into a wider tier.
        Promoted,
        /// Forgotten because it had faded, or its conversation ended.
        Faded,
        /// Forgotten because another entry says the same.
        Merged,
        /// Forgotten because its tier was full.
        Capped,
        /// Forgotten because a consolidated text stands for it.
        Rewritten,
        /// Written anew.
        Created,
    }
);

/// What a run came to, in entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct RunCounts {
    /// Looked at.
    pub scanned: u32,
    /// Promoted.
    pub promoted: u32,
    /// Faded.
    pub faded: u32,
    /// Merged.
    pub merged: u32,
    /// Over the limit.
    pub capped: u32,
    /// Told in a consolidated text.
    pub rewritten: u32,
    /// Written anew.
    pub created: u32,
    /// Proposals filed.
    pub proposed: u32,
}

/// A run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct RunView {
    /// Its id.
    pub id: String,
    /// The task: "consolidate" or "persist".
    pub task: String,
    /// How it stands.
    pub state: RunState,
    /// What set it off.
    pub trigger: RunTrigger,
    /// When it began.
    pub started_at: String,
    /// When it ended.
    pub finished_at: Option<String>,
    /// Steps done.
    pub done: u32,
    /// Of how many.
    pub total: u32,
    /// What it came to so far.
    pub counts: RunCounts,
    /// What went wrong, for people.
    pub error: Option<String>,
    /// When it was taken back.
    pub reverted_at: Option<String>,
}

/// A page of runs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct RunPage {
    /// The newest first.
    pub rows: Vec<RunView>,
    /// Where the next page starts; `null` at the end.
    pub next: Option<String>,
}

/// What a run did, or would do, to an entry.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
pub struct RunItem {
    /// What.
    pub act: RunAct,
    /// The entry as it is now.
    pub row: MemoryRow,
    /// The entry that took its place.
    pub into: Option<String>,
    /// Why, for people.
    pub reason: String,
}

/// What a consolidation would do.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
pub struct ConsolidationPreview {
    /// In numbers.
    pub counts: RunCounts,
    /// Entry by entry, at most 500.
    pub items: Vec<RunItem>,
}

/// What came of taking a run back.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
pub struct Reverted {
    /// The run as it stands now.
    pub run: RunView,
    /// Entries that are as they were.
    pub restored: u32,
    /// Entries that somebody changed since; they are left as they are.
    pub conflicts: Vec<MemoryRow>,
}

/// How a run goes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct RunUpdate {
    /// The run as it stands.
    pub run: RunView,
    /// What it does now, for people.
    pub stage: String,
}

/// What is set about consolidation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ConsolidationSettings {
    /// True: it runs by itself.
    pub automatic: bool,
    /// Quiet minutes after which it may.
    pub idle_minutes: u32,
    /// Changed entries from which it does.
    pub queue_depth: u32,
    /// Ordinary entries that a tier holds; 0: no limit.
    pub cap: u32,
    /// True: entries that belong together are told in one text.
    pub rewrite: bool,
}

mirror!(
    /// How a task ended.
    TaskOutcome = domain::schedule::TaskOutcome {
        /// As it should.
        Done,
        /// With a fault.
        Failed,
        /// It panicked.
        Panicked,
        /// It was stopped.
        Cancelled,
    }
);

/// A task.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct TaskView {
    /// Its stable name.
    pub name: String,
    /// What it does, for people.
    pub title: String,
    /// How often it runs, in minutes; `null` if only events set it off.
    pub every_minutes: Option<u32>,
    /// When it last began.
    pub last_started_at: Option<String>,
    /// When it last ended.
    pub last_finished_at: Option<String>,
    /// How it last ended.
    pub outcome: Option<TaskOutcome>,
    /// What it said, for people.
    pub message: Option<String>,
    /// True while some process runs it.
    pub running: bool,
    /// When it is due next.
    pub next_due_at: Option<String>,
}

/// One of the entries that a change wrote.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ChangedEntry {
    /// Its id.
    pub id: String,
    /// Its name, if it has one.
    pub name: Option<String>,
    /// The first characters of its text as it is now.
    pub preview: String,
}

/// A change in the journal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct JournalView {
    /// The change; undo takes it.
    pub change_id: String,
    /// Which database it is of: account or workspace.
    pub scope: Scope,
    /// What kind of change.
    pub action: ChangeAction,
    /// Whose doing it was.
    pub actor_kind: ActorKind,
    /// Through which interface.
    pub interface: Interface,
    /// As part of which run.
    pub run_id: Option<String>,
    /// When.
    pub at: String,
    /// How many entries it wrote.
    pub entries: u32,
    /// One of them; missing where none is left, or where nobody asked.
    #[serde(default)]
    #[specta(optional)]
    pub about: Option<ChangedEntry>,
    /// The change that it takes back.
    pub undoes: Option<String>,
    /// The change that took it back.
    pub undone_by: Option<String>,
    /// What a client wrote, if not memory: in the list of a client alone. It is taken back with all that the client wrote;
    /// `undoneBy` is its own id then.
    #[serde(default)]
    #[specta(optional)]
    pub wrote: Option<ClientWriteView>,
}

/// A page of the journal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct JournalPage {
    /// The newest first.
    pub rows: Vec<JournalView>,
    /// Where the next page starts; `null` at the end.
    pub next: Option<String>,
}
