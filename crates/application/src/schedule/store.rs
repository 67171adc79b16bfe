//! Storage of runs, of the times and leases of tasks, and of conversations whose end was not worked up yet. All of one
//! workspace.

use chrono::{DateTime, Utc};
use inklings_domain::{
    consolidation::run::Run,
    ids::{ConversationId, RunId},
    schedule::{TaskOutcome, TaskState},
};

use crate::store_error::StoreError;

/// What a run is told to have failed of that died before it said how it ended.
pub const CUT_OFF: &str = "It was cut off: the process that ran it ended.";

/// Where a page of runs ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RunCursor {
    /// When the last one began.
    pub started_at: DateTime<Utc>,
    /// Its id.
    pub id: RunId,
}

/// A conversation whose end waits to be worked up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PendingPersist {
    /// The conversation.
    pub conversation: ConversationId,
    /// When it ended.
    pub since: DateTime<Utc>,
    /// The run that was cut off in the middle of it, if one was.
    pub run: Option<RunId>,
    /// How often it was tried and failed.
    pub attempts: u64,
}

/// Keeps runs.
#[async_trait::async_trait]
pub trait RunStore: Send + Sync {
    /// Writes a run: a new one, or how it stands now. Its task, trigger and beginning are fixed.
    async fn put(&self, run: &Run) -> Result<(), StoreError>;

    /// One run.
    async fn get(&self, id: RunId) -> Result<Option<Run>, StoreError>;

    /// At most `limit` runs behind `after`, the newest first (ties by id, falling).
    async fn list(&self, after: Option<RunCursor>, limit: usize) -> Result<Vec<Run>, StoreError>;

    /// The newest run of a task.
    async fn latest(&self, task: &str) -> Result<Option<Run>, StoreError>;

    /// How far a task has come that does a part of its work in each run, in words of its own.
    async fn cursor(&self, task: &str) -> Result<Option<String>, StoreError>;

    /// Keeps how far a task has come; replaces what was kept before.
    ///
    /// # Errors
    /// [`StoreError::Refused`] if it is empty or longer than 1,000 bytes.
    async fn set_cursor(&self, task: &str, cursor: &str) -> Result<(), StoreError>;

    /// Conversations that ended and were not worked up, at most `limit`: those that failed least often first, then the
    /// longest waiting. With `fewer_than`, only those that failed fewer times. The database itself notes the end of a
    /// conversation.
    async fn pending_persists(
        &self,
        fewer_than: Option<u64>,
        limit: usize,
    ) -> Result<Vec<PendingPersist>, StoreError>;

    /// Writes a run that works up the end of a conversation, and notes that it does, so that the next one goes on with it.
    /// Both or neither.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] if it does not wait: it was worked up already, never ended, or was deleted.
    async fn begin_persist(&self, conversation: ConversationId, run: &Run) -> Result<(), StoreError>;

    /// Writes how a run ended, and notes that the end of the conversation was worked up if it is done, or has to be begun
    /// anew. Both or neither. A conversation that does not wait any more is passed over.
    async fn end_persist(&self, conversation: ConversationId, run: &Run) -> Result<(), StoreError>;
}

/// Keeps when tasks ran, and lets one process at a time run each.
#[async_trait::async_trait]
pub trait ScheduleStore: Send + Sync {
    /// Every task that ever ran, by name.
    async fn states(&self) -> Result<Vec<TaskState>, StoreError>;

    /// Takes the lease of a task and notes that it began `now`. False if somebody else holds it
    /// ([`inklings_domain::schedule::Lease::holds`]).
    async fn acquire(
        &self,
        task: &str,
        owner: &str,
        now: DateTime<Utc>,
        until: DateTime<Utc>,
    ) -> Result<bool, StoreError>;

    /// Prolongs a lease. False if it is not `owner`'s any more.
    async fn renew(&self, task: &str, owner: &str, until: DateTime<Utc>) -> Result<bool, StoreError>;

    /// Gives a lease back and notes how the run ended. False, and nothing is noted, if it is not `owner`'s any more. Runs of
    /// the task that are still under way then were cut off and have failed; those that a conversation waits for are gone on
    /// with.
    async fn release(
        &self,
        task: &str,
        owner: &str,
        outcome: TaskOutcome,
        message: Option<&str>,
        at: DateTime<Utc>,
    ) -> Result<bool, StoreError>;
}
