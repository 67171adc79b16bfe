//! Storage of the orientation ledger: what the World Agent was shown, what was left out, and why.

use chrono::{DateTime, Utc};
use inklings_domain::{
    ids::{ConversationId, OrientationId},
    orientation::Orientation,
};

use super::error::StoreError;

/// Where a page of the ledger ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LedgerCursor {
    /// When the last orientation was made.
    pub at: DateTime<Utc>,
    /// Its id.
    pub id: OrientationId,
}

/// Keeps orientations.
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

    /// Thins the ledger: of orientations older than `thin_before`, what was left out goes; those older than
    /// `drop_before` go whole. Gives how many orientations were thinned or dropped.
    async fn thin(&self, thin_before: DateTime<Utc>, drop_before: DateTime<Utc>)
    -> Result<usize, StoreError>;
}
