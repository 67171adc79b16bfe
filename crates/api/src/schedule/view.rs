//! Views of consolidation and tasks.

use inklings_domain as domain;
use serde::{Deserialize, Serialize};
use specta::Type;

use crate::{
    view::{
        memory::MemoryRow,
        run::{RunCounts, RunView},
    },
    vocabulary::mirror,
};

mirror!(
    /// Effect of a run on an entry.
    RunAct = domain::consolidation::run::RunAct {
        Promoted, Faded, Merged, Capped, Rewritten, Created,
    }
);

/// A page of runs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct RunPage {
    /// Runs, newest first.
    pub rows: Vec<RunView>,
    /// Cursor of the next page; `null` at the end.
    pub next: Option<String>,
}

/// An actual or previewed effect of a run on an entry.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
pub struct RunItem {
    /// The effect.
    pub act: RunAct,
    /// The entry as it is now.
    pub row: MemoryRow,
    /// Id of the entry that replaced it.
    pub into: Option<String>,
    /// Reason, for users.
    pub reason: String,
}

/// Preview of a consolidation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
pub struct ConsolidationPreview {
    /// Counts of the effects.
    pub counts: RunCounts,
    /// Effects by entry, at most 500.
    pub items: Vec<RunItem>,
}

/// Result of reverting a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
pub struct Reverted {
    /// The run after the revert.
    pub run: RunView,
    /// Number of restored entries.
    pub restored: u32,
    /// Entries that were changed after the run; they are left unchanged.
    pub conflicts: Vec<MemoryRow>,
}

/// Settings of consolidation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ConsolidationSettings {
    /// True to run automatically.
    pub automatic: bool,
    /// Minutes without activity before an automatic run.
    pub idle_minutes: u32,
    /// Number of changed entries of the account tier that triggers a run of it.
    pub account_depth: u32,
    /// Number of changed entries of the workspace tier that triggers a run of it.
    pub workspace_depth: u32,
    /// Number of changed entries of the channel tier that triggers a run of it.
    pub channel_depth: u32,
    /// Number of changes to canon that triggers a run.
    pub revision_depth: u32,
    /// Maximum number of ordinary entries per tier; 0 for no limit.
    pub cap: u32,
    /// True to merge related entries into one text.
    pub rewrite: bool,
    /// What a language model is to do with entries that become one text. Blank sets the standard instructions.
    pub instructions: String,
}

mirror!(
    /// Outcome of a task run.
    TaskOutcome = domain::schedule::TaskOutcome {
        Done, Failed, Panicked, Cancelled,
    }
);

/// A scheduled task.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct TaskView {
    /// Stable name.
    pub name: String,
    /// Description for users.
    pub title: String,
    /// Interval in minutes; `null` if only events trigger it.
    pub every_minutes: Option<u32>,
    /// Start time of the last run.
    pub last_started_at: Option<String>,
    /// End time of the last run.
    pub last_finished_at: Option<String>,
    /// Outcome of the last run.
    pub outcome: Option<TaskOutcome>,
    /// Message of the last run, for users.
    pub message: Option<String>,
    /// True while a process runs it.
    pub running: bool,
    pub next_due_at: Option<String>,
}
