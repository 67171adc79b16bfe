//! Storage of proposals. One implementation serves one database: the account's, or one workspace's.

use chrono::{DateTime, Utc};
use inklings_domain::{
    ids::{MemoryId, ProposalId},
    memory::{change_set::ChangeSet, switch::MemorySwitch},
    proposal::{Proposal, ProposalState},
};

use crate::store_error::StoreError;

/// Where a page of proposals ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProposalCursor {
    /// When the last one was filed.
    pub created_at: DateTime<Utc>,
    /// Its id.
    pub id: ProposalId,
}

/// Keeps proposals.
#[async_trait::async_trait]
pub trait ProposalStore: Send + Sync {
    /// Files a proposal. False if the same was filed before ([`Proposal::fingerprint`]), decided or not; nothing is
    /// written then.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] if one of its entries is not of this database; [`StoreError::MemoryOff`] if the switch, as
    /// handed over or as this database knows it, does not admit the proposal's hand.
    async fn file(&self, proposal: &Proposal, switch: MemorySwitch) -> Result<bool, StoreError>;

    /// Proposals by id, in any order; unknown ones are left out.
    async fn get(&self, ids: &[ProposalId]) -> Result<Vec<Proposal>, StoreError>;

    /// Proposals that are about one of these entries, or several, in any order and any state.
    async fn about(&self, ids: &[MemoryId]) -> Result<Vec<Proposal>, StoreError>;

    /// At most `limit` proposals behind `after`, the newest first (ties by id, falling).
    async fn list(
        &self,
        state: Option<ProposalState>,
        after: Option<ProposalCursor>,
        limit: usize,
    ) -> Result<Vec<Proposal>, StoreError>;

    /// How many are open.
    async fn count_open(&self) -> Result<u64, StoreError>;

    /// Commits what an accepted proposal comes to and marks it as accepted, in one transaction.
    ///
    /// # Errors
    /// [`StoreError::NotFound`]; [`StoreError::Moved`] if it is not open any more; [`StoreError::Locked`] unless the
    /// change is in the author's name; [`StoreError::Refused`] unless its action is `Accept`; those of
    /// [`crate::memory::store::MemoryStore::commit`]. Nothing is written then.
    async fn accept(&self, id: ProposalId, change: &ChangeSet) -> Result<(), StoreError>;

    /// Marks open proposals as decided without a change: rejected or superseded. Those that are not open are passed
    /// over. Gives how many.
    async fn close(
        &self,
        ids: &[ProposalId],
        state: ProposalState,
        at: DateTime<Utc>,
    ) -> Result<usize, StoreError>;
}
