//! Port for the account's part of a change that also writes to a workspace. SQLite cannot commit to two files
//! atomically, so the workspace's commit decides: the account's part is stored before it and applied after
//! it. If the process dies in between, the next process that opens the folder applies it.

use inklings_domain::{
    ids::{ChangeId, WorkspaceId},
    memory::change_set::ChangeSet,
};

use crate::store_error::StoreError;

/// Stores the account's parts of changes. Only the account's database implements it.
#[async_trait::async_trait]
pub trait SplitStore: Send + Sync {
    /// Stores the account's part durably without applying it. First settles interrupted changes.
    ///
    /// # Errors
    /// Those of [`crate::memory::store::MemoryStore::commit`]; nothing is stored then.
    async fn prepare(
        &self,
        part: &ChangeSet,
        follows: WorkspaceId,
    ) -> Result<Box<dyn PreparedPart>, StoreError>;

    /// Settles interrupted changes: applies those that the workspace committed and drops the rest. Those
    /// refused because the account was written to since are listed by [`Self::refused`]. What cannot be
    /// settled now is retried at the next call.
    async fn settle(&self) -> Result<(), StoreError>;

    /// Changes of a workspace whose account part was refused. Their workspace part must be undone.
    async fn refused(&self, workspace: WorkspaceId) -> Result<Vec<ChangeId>, StoreError>;

    /// Records that the workspace part of a refused change was undone.
    async fn taken_back(&self, change: ChangeId, workspace: WorkspaceId) -> Result<(), StoreError>;
}

/// The account's part, stored but not yet applied. Dropping it has the same effect as a crash of the process.
#[async_trait::async_trait]
pub trait PreparedPart: Send {
    /// Applies the part after the workspace committed its own.
    async fn commit(self: Box<Self>) -> Result<(), StoreError>;

    /// Discards the part, because the workspace refused its own.
    async fn abandon(self: Box<Self>);
}
