//! Runs: work on memory that nobody did by hand, journalled as one unit that can be taken back whole.

use chrono::{DateTime, Utc};

use crate::{ids::RunId, scope::words};

/// How a run stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RunState {
    /// Under way, or cut off: the next run of its task goes on with it.
    Running,
    /// Did all it had to.
    Done,
    /// Stopped on request; what it did until then stands.
    Cancelled,
    /// Stopped by a fault; what it did until then stands.
    Failed,
    /// Taken back.
    Reverted,
}

words!(RunState, "state of a run", {
    Running => "running", Done => "done", Cancelled => "cancelled", Failed => "failed", Reverted => "reverted",
});

/// What set a run off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RunTrigger {
    /// The worldbuilder asked.
    Asked,
    /// Nobody has written for a while.
    Idle,
    /// Many entries have changed.
    Queue,
    /// A conversation ended.
    Closed,
    /// What was missed while nothing ran.
    Startup,
}

words!(RunTrigger, "trigger", {
    Asked => "asked", Idle => "idle", Queue => "queue", Closed => "closed", Startup => "startup",
});

/// What a run did, or would do, to an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RunAct {
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

words!(RunAct, "act", {
    Promoted => "promoted", Faded => "faded", Merged => "merged", Capped => "capped", Rewritten => "rewritten",
    Created => "created",
});

/// What a run came to, in numbers of entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RunCounts {
    /// Looked at.
    pub scanned: u64,
    /// Made long-term, or carried into a wider tier.
    pub promoted: u64,
    /// Forgotten because they had faded, or because their conversation ended.
    pub faded: u64,
    /// Forgotten because another entry says the same.
    pub merged: u64,
    /// Forgotten because their tier was full.
    pub capped: u64,
    /// Forgotten because a consolidated text stands for them.
    pub rewritten: u64,
    /// Written anew.
    pub created: u64,
    /// Proposals filed.
    pub proposed: u64,
}

impl RunCounts {
    /// True if nothing was changed or proposed.
    pub const fn is_idle(&self) -> bool {
        self.promoted + self.faded + self.merged + self.capped + self.rewritten + self.created + self.proposed
            == 0
    }
}

/// A run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// Its id; every change it makes carries it.
    pub id: RunId,
    /// The task that it is a run of.
    pub task: String,
    /// How it stands.
    pub state: RunState,
    /// What set it off.
    pub trigger: RunTrigger,
    /// When it began.
    pub started_at: DateTime<Utc>,
    /// When it ended.
    pub finished_at: Option<DateTime<Utc>>,
    /// Steps done, of [`Self::total`].
    pub done: u64,
    /// Steps in all; 0 while that is not known.
    pub total: u64,
    /// What it came to so far.
    pub counts: RunCounts,
    /// What went wrong, for people; names no memory's text.
    pub error: Option<String>,
    /// When it was taken back.
    pub reverted_at: Option<DateTime<Utc>>,
}

impl Run {
    /// A run that begins.
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

    /// The run at its end.
    #[must_use]
    pub fn ended(self, state: RunState, error: Option<String>, at: DateTime<Utc>) -> Self {
        Self { state, error, finished_at: Some(at), ..self }
    }
}
