//! Port for storing runs, task times and leases, and conversations waiting to be persisted, of one workspace.

use chrono::{DateTime, Utc};
use inklings_domain::{
    consolidation::run::Run,
    ids::{ConversationId, RunId},
    schedule::{TaskOutcome, TaskState},
};

use crate::store_error::StoreError;

/// Error text recorded for a run whose process died before recording a result.
pub const CUT_OFF: &str = "It was cut off: the process that ran it ended.";

/// The last row of a page of runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RunCursor {
    /// When the last run started.
    pub started_at: DateTime<Utc>,
    /// Id of the last run.
    pub id: RunId,
}

/// A conversation that waits to be persisted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PendingPersist {
    pub conversation: ConversationId,
    /// When it ended.
    pub since: DateTime<Utc>,
    /// The interrupted run that was persisting it, if there is one.
    pub run: Option<RunId>,
    /// Number of failed attempts.
    pub attempts: u64,
}

/// Stores runs.
#[async_trait::async_trait]
pub trait RunStore: Send + Sync {
    /// Inserts or updates a run. Its task, trigger and start time never change.
    async fn put(&self, run: &Run) -> Result<(), StoreError>;

    /// One run by id.
    async fn get(&self, id: RunId) -> Result<Option<Run>, StoreError>;

    /// At most `limit` runs after `after`, newest first (ties by descending id).
    async fn list(&self, after: Option<RunCursor>, limit: usize) -> Result<Vec<Run>, StoreError>;

    /// The newest run of a task.
    async fn latest(&self, task: &str) -> Result<Option<Run>, StoreError>;

    /// The cursor of a task that works incrementally, in the task's own format.
    async fn cursor(&self, task: &str) -> Result<Option<String>, StoreError>;

    /// Stores the cursor of a task, replacing the previous one.
    ///
    /// # Errors
    /// [`StoreError::Refused`] if it is empty or longer than 1,000 bytes.
    async fn set_cursor(&self, task: &str, cursor: &str) -> Result<(), StoreError>;

    /// Conversations that ended and were not persisted, at most `limit`: those with the fewest failures
    /// first, then the longest waiting. With `fewer_than`, only those with fewer failures. The database
    /// records the end of a conversation itself.
    async fn pending_persists(
        &self,
        fewer_than: Option<u64>,
        limit: usize,
    ) -> Result<Vec<PendingPersist>, StoreError>;

    /// Writes a run that persists a conversation, and links it to the conversation so that the next attempt
    /// resumes it, in one transaction.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] if the conversation is not waiting: it was already persisted, never ended, or
    /// was deleted.
    async fn begin_persist(&self, conversation: ConversationId, run: &Run) -> Result<(), StoreError>;

    /// Writes the result of a run, and marks the conversation as persisted or as waiting for a new attempt,
    /// in one transaction. A conversation that is no longer waiting is skipped.
    async fn end_persist(&self, conversation: ConversationId, run: &Run) -> Result<(), StoreError>;
}

/// Stores when tasks ran, and leases that let one process at a time run each task.
#[async_trait::async_trait]
pub trait ScheduleStore: Send + Sync {
    /// State of all tasks that ever ran, by name.
    async fn states(&self) -> Result<Vec<TaskState>, StoreError>;

    /// Acquires the lease of a task and records `now` as its start. False if another owner holds it
    /// ([`inklings_domain::schedule::Lease::holds`]).
    async fn acquire(
        &self,
        task: &str,
        owner: &str,
        now: DateTime<Utc>,
        until: DateTime<Utc>,
    ) -> Result<bool, StoreError>;

    /// Extends a lease. False if `owner` no longer holds it.
    async fn renew(&self, task: &str, owner: &str, until: DateTime<Utc>) -> Result<bool, StoreError>;

    /// Releases a lease and records the result of the run. Returns false and records nothing if `owner` no
    /// longer holds it. Marks runs of the task that are still in progress as failed, because they were
    /// interrupted; runs that a waiting conversation is linked to are left, because they are resumed.
    async fn release(
        &self,
        task: &str,
        owner: &str,
        outcome: TaskOutcome,
        message: Option<&str>,
        at: DateTime<Utc>,
    ) -> Result<bool, StoreError>;
}
