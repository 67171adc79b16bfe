//! Port for storing saved searches.

use inklings_domain::search::saved::SavedSearches;

use crate::store_error::StoreError;

/// Stores the saved searches of a workspace.
#[async_trait::async_trait]
pub trait SavedSearchStore: Send + Sync {
    /// All of them in their order.
    async fn saved_searches(&self) -> Result<SavedSearches, StoreError>;

    /// Stores `changed` in place of `read`. False if others are stored by now; nothing is written then.
    async fn replace_saved_searches(
        &self,
        read: &SavedSearches,
        changed: &SavedSearches,
    ) -> Result<bool, StoreError>;
}
