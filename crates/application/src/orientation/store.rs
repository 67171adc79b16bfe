//! Storage of the orientation ledger: what the World Agent was shown, what was left out, and why.

use chrono::{DateTime, Utc};
use inklings_domain::{
    ids::{ClientId, ConversationId, OrientationId, ReadId},
    orientation::{Orientation, shown::ShownRead},
};

use crate::store_error::StoreError;

/// Where a page of the ledger ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LedgerCursor {
    /// When the last orientation was made.
    pub at: DateTime<Utc>,
    /// Its id.
    pub id: OrientationId,
}

/// Where a page of reads ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReadCursor {
    /// When the last one was.
    pub at: DateTime<Utc>,
    /// Its id.
    pub id: ReadId,
}

/// Which reads. Every bound that is set holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ReadFilter {
    /// Those of a conversation.
    pub conversation: Option<ConversationId>,
    /// Those of a client.
    pub client: Option<ClientId>,
}

/// Reads that a workspace keeps at most: the oldest go first.
pub const MOST_READS: usize = 20_000;

/// Keeps orientations, and what was read besides.
#[async_trait::async_trait]
pub trait LedgerStore: Send + Sync {
    /// Stores an orientation with everything that was looked at.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] if its conversation is gone.
    async fn put(&self, orientation: &Orientation) -> Result<(), StoreError>;

    /// One orientation.
    async fn get(&self, id: OrientationId) -> Result<Option<Orientation>, StoreError>;

    /// At most `limit` orientations of a conversation behind `after`, the newest first (ties by id, falling).
    async fn list(
        &self,
        conversation: ConversationId,
        after: Option<LedgerCursor>,
        limit: usize,
    ) -> Result<Vec<Orientation>, StoreError>;

    /// Stores what a read showed.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] if its conversation is gone.
    async fn put_read(&self, read: &ShownRead) -> Result<(), StoreError>;

    /// At most `limit` reads behind `after`, the newest first (ties by id, falling).
    async fn reads(
        &self,
        filter: ReadFilter,
        after: Option<ReadCursor>,
        limit: usize,
    ) -> Result<Vec<ShownRead>, StoreError>;

    /// Thins the ledger: of orientations older than `thin_before`, what was left out goes; orientations and reads older
    /// than `drop_before` go whole, and so do reads beyond the newest [`MOST_READS`]. Gives how many were thinned or
    /// dropped.
    async fn thin(&self, thin_before: DateTime<Utc>, drop_before: DateTime<Utc>)
    -> Result<usize, StoreError>;
}
