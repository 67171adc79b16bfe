//! Port for storing contradictions, and how far they have been looked for. Serves one workspace.

use chrono::{DateTime, Utc};
use inklings_domain::{
    drift::{Drift, DriftDecision, DriftState, Item, Side},
    ids::{ChangeId, DriftId, MessageId},
};

use crate::store_error::StoreError;

/// The last row of a page of drifts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DriftCursor {
    /// When the last one was filed.
    pub created_at: DateTime<Utc>,
    pub id: DriftId,
}

impl DriftCursor {
    /// The cursor behind a drift.
    pub const fn of(drift: &Drift) -> Self {
        Self { created_at: drift.created_at, id: drift.id }
    }
}

/// The result of looking for contradictions.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Look {
    pub found: Vec<Drift>,
    /// Open drifts of which a side has changed.
    pub superseded: Vec<DriftId>,
    /// The versions that were compared.
    pub looked: Vec<Side>,
    /// Items that exist no more. Nothing of them stays.
    pub gone: Vec<Item>,
    /// Messages that were compared.
    pub messages_looked: Vec<MessageId>,
    /// Messages to compare again, because the canon that they contradicted has changed.
    pub messages_again: Vec<MessageId>,
}

impl Look {
    /// True if there is nothing to record.
    pub const fn is_empty(&self) -> bool {
        self.found.is_empty()
            && self.superseded.is_empty()
            && self.looked.is_empty()
            && self.gone.is_empty()
            && self.messages_looked.is_empty()
            && self.messages_again.is_empty()
    }
}

/// Reads and writes the contradictions of one workspace.
#[async_trait::async_trait]
pub trait DriftStore: Send + Sync {
    /// The version at which each entry and fact was compared last, in any order.
    async fn looked(&self) -> Result<Vec<Side>, StoreError>;

    /// At most `limit` messages that were not compared yet.
    async fn queued_messages(&self, limit: usize) -> Result<Vec<MessageId>, StoreError>;

    /// Records a look in one transaction. A drift that was filed before ([`Drift::fingerprint`]) is not filed again. Returns how
    /// many were filed.
    async fn record_look(&self, look: &Look, at: DateTime<Utc>) -> Result<usize, StoreError>;

    /// At most `limit` drifts after `after`, newest first (ties by descending id).
    async fn drifts(
        &self,
        state: Option<DriftState>,
        after: Option<DriftCursor>,
        limit: usize,
    ) -> Result<Vec<Drift>, StoreError>;

    /// A drift by id.
    async fn drift(&self, id: DriftId) -> Result<Option<Drift>, StoreError>;

    /// The drifts between these two items at any versions, in any order and any state.
    async fn drifts_between(&self, items: (Item, Item)) -> Result<Vec<Drift>, StoreError>;

    /// Those of these items that an open drift is about. A source that has changed contradicts nothing.
    async fn contested(&self, items: &[Item]) -> Result<Vec<Item>, StoreError>;

    /// Number of open drifts.
    async fn count_open_drifts(&self) -> Result<u64, StoreError>;

    /// Marks an open drift as settled.
    ///
    /// # Errors
    /// [`StoreError::Moved`] if it is no longer open.
    async fn settle_drift(
        &self,
        id: DriftId,
        decision: DriftDecision,
        change: Option<ChangeId>,
        at: DateTime<Utc>,
    ) -> Result<(), StoreError>;
}
