//! The account's part of a change that a workspace has a part in too. SQLite commits to two files one after the other, so
//! the workspace's commit decides: the account's part is kept before it, and is done after it by whoever opens the folder next
//! if the process ends in between.

use inklings_domain::{
    ids::{ChangeId, WorkspaceId},
    memory::change_set::ChangeSet,
};

use crate::store_error::StoreError;

/// Keeps the account's parts of changes. Implemented by the account's database alone.
#[async_trait::async_trait]
pub trait SplitStore: Send + Sync {
    /// Writes the account's part and keeps it durably, without making it true yet. Ends what was cut off before.
    ///
    /// # Errors
    /// Those of [`crate::memory::store::MemoryStore::commit`]; nothing is kept then.
    async fn prepare(
        &self,
        part: &ChangeSet,
        follows: WorkspaceId,
    ) -> Result<Box<dyn PreparedPart>, StoreError>;

    /// Ends what was cut off: what the workspace committed is done here, the rest is dropped. What is refused, because
    /// somebody wrote here since, is told by [`Self::refused`]. What cannot be settled now stays for the next time.
    async fn settle(&self) -> Result<(), StoreError>;

    /// The changes of a workspace whose part here was refused: their part there is to be taken back.
    async fn refused(&self, workspace: WorkspaceId) -> Result<Vec<ChangeId>, StoreError>;

    /// A refused change was taken back in its workspace.
    async fn taken_back(&self, change: ChangeId, workspace: WorkspaceId) -> Result<(), StoreError>;
}

/// The account's part, written and not true yet. Dropped, it is as if the process had ended.
#[async_trait::async_trait]
pub trait PreparedPart: Send {
    /// Makes it true, now that the workspace committed its part.
    async fn commit(self: Box<Self>) -> Result<(), StoreError>;

    /// Forgets it: the workspace refused its part.
    async fn abandon(self: Box<Self>);
}
