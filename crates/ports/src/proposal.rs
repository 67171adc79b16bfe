//! Port for storing proposals. One implementation serves one database: the account's, or one workspace's.

use chrono::{DateTime, Utc};
use inklings_domain::{
    ids::{MemoryId, ProposalId},
    memory::{change_set::ChangeSet, switch::MemorySwitch},
    proposal::{Proposal, ProposalState},
};

use crate::store_error::StoreError;

/// The last row of a page of proposals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProposalCursor {
    /// When the last proposal was filed.
    pub created_at: DateTime<Utc>,
    /// Id of the last proposal.
    pub id: ProposalId,
}

/// Stores proposals.
#[async_trait::async_trait]
pub trait ProposalStore: Send + Sync {
    /// Files a proposal. Returns false and writes nothing if the same was filed before
    /// ([`Proposal::fingerprint`]), decided or not.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] if one of its entries is not in this database; [`StoreError::MemoryOff`] if
    /// the memory switch does not allow the proposal's actor kind, either as given or as stored in this
    /// database.
    async fn file(&self, proposal: &Proposal, switch: MemorySwitch) -> Result<bool, StoreError>;

    /// Proposals by id, in any order; unknown ids are left out.
    async fn get(&self, ids: &[ProposalId]) -> Result<Vec<Proposal>, StoreError>;

    /// Proposals about at least one of these entries, in any order and any state.
    async fn about(&self, ids: &[MemoryId]) -> Result<Vec<Proposal>, StoreError>;

    /// At most `limit` proposals after `after`, newest first (ties by descending id).
    async fn list(
        &self,
        state: Option<ProposalState>,
        after: Option<ProposalCursor>,
        limit: usize,
    ) -> Result<Vec<Proposal>, StoreError>;

    /// Number of open proposals.
    async fn count_open(&self) -> Result<u64, StoreError>;

    /// Commits the change of an accepted proposal and marks it as accepted, in one transaction.
    ///
    /// # Errors
    /// [`StoreError::NotFound`]; [`StoreError::Moved`] if it is no longer open; [`StoreError::Locked`] unless
    /// the author makes the change; [`StoreError::Refused`] unless its action is `Accept`; those of
    /// [`crate::memory::store::MemoryStore::commit`]. Nothing is written then.
    async fn accept(&self, id: ProposalId, change: &ChangeSet) -> Result<(), StoreError>;

    /// Marks open proposals as rejected or superseded, without a change. Skips those that are not open.
    /// Returns how many were closed.
    async fn close(
        &self,
        ids: &[ProposalId],
        state: ProposalState,
        at: DateTime<Utc>,
    ) -> Result<usize, StoreError>;
}
