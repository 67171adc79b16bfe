//! Views of runs.

use inklings_domain as domain;
use serde::{Deserialize, Serialize};
use specta::Type;

use crate::vocabulary::mirror;

mirror!(
    /// State of a run.
    RunState = domain::consolidation::run::RunState {
        Running, Done, Cancelled, Failed, Reverted,
    }
);
mirror!(
    /// Trigger of a run.
    RunTrigger = domain::consolidation::run::RunTrigger {
        Asked, Idle, Queue, Closed, Revision, Startup,
    }
);

/// Effects of a run, in number of entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct RunCounts {
    /// Entries examined.
    pub scanned: u32,
    /// Entries promoted.
    pub promoted: u32,
    /// Entries faded.
    pub faded: u32,
    /// Entries merged.
    pub merged: u32,
    /// Entries forgotten over the tier's limit.
    pub capped: u32,
    /// Entries replaced by a consolidated text.
    pub rewritten: u32,
    /// Entries created.
    pub created: u32,
    /// Proposals filed.
    pub proposed: u32,
}

/// A run of a task.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct RunView {
    pub id: String,
    /// Name of the task: "consolidate" or "persist".
    pub task: String,
    pub state: RunState,
    pub trigger: RunTrigger,
    /// Start time.
    pub started_at: String,
    /// End time.
    pub finished_at: Option<String>,
    /// Number of completed steps.
    pub done: u32,
    /// Total number of steps.
    pub total: u32,
    /// Effects so far.
    pub counts: RunCounts,
    /// Error message for users.
    pub error: Option<String>,
    /// Time of the revert, if reverted.
    pub reverted_at: Option<String>,
}
