//! Runs: automatic changes to memory, journalled as one unit that can be reverted as a whole.

use chrono::{DateTime, Utc};

use crate::{ids::RunId, scope::words};

/// The state of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RunState {
    /// In progress, or interrupted: the next run of its task resumes it.
    Running,
    /// Completed.
    Done,
    /// Cancelled on request; the changes made so far stay.
    Cancelled,
    /// Stopped by an error; the changes made so far stay.
    Failed,
    Reverted,
}

words!(RunState, "state of a run", {
    Running => "running", Done => "done", Cancelled => "cancelled", Failed => "failed", Reverted => "reverted",
});

/// The event that started a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RunTrigger {
    /// The worldbuilder requested it.
    Asked,
    /// No writes for some time.
    Idle,
    /// Many entries have changed.
    Queue,
    /// A conversation ended.
    Closed,
    /// The worldbuilder changed what other memories may rest on.
    Revision,
    /// Work that became due while the application was not running.
    Startup,
}

words!(RunTrigger, "trigger", {
    Asked => "asked", Idle => "idle", Queue => "queue", Closed => "closed", Revision => "revision",
    Startup => "startup",
});

/// What a run did, or would do, to an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RunAct {
    /// Made long-term, or carried over to a wider tier.
    Promoted,
    /// Forgotten because it had faded, or its conversation ended.
    Faded,
    /// Forgotten because another entry says the same.
    Merged,
    /// Forgotten because its tier was full.
    Capped,
    /// Forgotten because a consolidated text stands for it.
    Rewritten,
    Created,
}

words!(RunAct, "act", {
    Promoted => "promoted", Faded => "faded", Merged => "merged", Capped => "capped", Rewritten => "rewritten",
    Created => "created",
});

/// The result of a run, as numbers of entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RunCounts {
    /// Entries examined.
    pub scanned: u64,
    /// Made long-term, or carried over to a wider tier.
    pub promoted: u64,
    /// Forgotten because they had faded, or because their conversation ended.
    pub faded: u64,
    /// Forgotten because another entry says the same.
    pub merged: u64,
    /// Forgotten because their tier was full.
    pub capped: u64,
    /// Forgotten because a consolidated text stands for them.
    pub rewritten: u64,
    pub created: u64,
    /// Proposals filed.
    pub proposed: u64,
}

impl RunCounts {
    /// True if the run changed and proposed nothing.
    pub const fn is_idle(&self) -> bool {
        self.promoted + self.faded + self.merged + self.capped + self.rewritten + self.created + self.proposed
            == 0
    }
}

/// One execution of a background task on memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// Unique id; every change of the run carries it.
    pub id: RunId,
    /// The task that the run belongs to.
    pub task: String,
    pub state: RunState,
    /// The event that started it.
    pub trigger: RunTrigger,
    /// Start time.
    pub started_at: DateTime<Utc>,
    /// End time; `None` while it is running.
    pub finished_at: Option<DateTime<Utc>>,
    /// Completed steps, of [`Self::total`].
    pub done: u64,
    /// Total number of steps; 0 while unknown.
    pub total: u64,
    /// Results so far.
    pub counts: RunCounts,
    /// Error message for people; contains no memory text.
    pub error: Option<String>,
    pub reverted_at: Option<DateTime<Utc>>,
}

impl Run {
    /// A run that starts now.
    pub fn begun(id: RunId, task: &str, trigger: RunTrigger, at: DateTime<Utc>) -> Self {
        Self {
            id,
            task: task.to_owned(),
            state: RunState::Running,
            trigger,
            started_at: at,
            finished_at: None,
            done: 0,
            total: 0,
            counts: RunCounts::default(),
            error: None,
            reverted_at: None,
        }
    }

    /// The run in its final state.
    #[must_use]
    pub fn ended(self, state: RunState, error: Option<String>, at: DateTime<Utc>) -> Self {
        Self { state, error, finished_at: Some(at), ..self }
    }
}
