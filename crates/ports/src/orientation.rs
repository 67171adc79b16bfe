//! Port for storing the orientation ledger: what the World Agent was shown, what was left out, and why.

use chrono::{DateTime, Utc};
use inklings_domain::{
    ids::{ClientId, ConversationId, OrientationId, ReadId},
    orientation::{Orientation, shown::ShownRead},
};

use crate::store_error::StoreError;

/// The last row of a page of orientations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LedgerCursor {
    /// When the last orientation was made.
    pub at: DateTime<Utc>,
    /// Id of the last orientation.
    pub id: OrientationId,
}

/// The last row of a page of reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReadCursor {
    /// When the last read was made.
    pub at: DateTime<Utc>,
    /// Id of the last read.
    pub id: ReadId,
}

/// Filter for reads. All conditions that are set must hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ReadFilter {
    /// Only reads in this conversation.
    pub conversation: Option<ConversationId>,
    /// Only reads by this client.
    pub client: Option<ClientId>,
}

/// Maximum reads retained per workspace; the oldest are dropped first.
pub const MOST_READS: usize = 20_000;

/// Stores orientations and reads.
#[async_trait::async_trait]
pub trait LedgerStore: Send + Sync {
    /// Stores an orientation with all its candidates.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] if its conversation was deleted.
    async fn put(&self, orientation: &Orientation) -> Result<(), StoreError>;

    /// One orientation by id.
    async fn get(&self, id: OrientationId) -> Result<Option<Orientation>, StoreError>;

    /// At most `limit` orientations of a conversation after `after`, newest first (ties by descending id).
    async fn list(
        &self,
        conversation: ConversationId,
        after: Option<LedgerCursor>,
        limit: usize,
    ) -> Result<Vec<Orientation>, StoreError>;

    /// Stores a read.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] if its conversation was deleted.
    async fn put_read(&self, read: &ShownRead) -> Result<(), StoreError>;

    /// At most `limit` reads after `after`, newest first (ties by descending id).
    async fn reads(
        &self,
        filter: ReadFilter,
        after: Option<ReadCursor>,
        limit: usize,
    ) -> Result<Vec<ShownRead>, StoreError>;

    /// Thins the ledger: removes left-out items of orientations older than `thin_before`, and drops
    /// orientations and reads older than `drop_before` and reads beyond the newest [`MOST_READS`]. Returns
    /// how many were thinned or dropped.
    async fn thin(&self, thin_before: DateTime<Utc>, drop_before: DateTime<Utc>)
    -> Result<usize, StoreError>;
}
