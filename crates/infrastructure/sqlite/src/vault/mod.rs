//! Linked vaults and their pages, in the database of the world's own content.

pub mod feed;
mod links;
mod read;
mod vectors;
mod write;

use std::sync::Arc;

use chrono::{DateTime, Utc};
use inklings_domain::{
    ids::{PageId, VaultId},
    memory::embedding::EmbeddingModel,
    vault::{Skip, Vault, plan::IndexedPage},
};
use inklings_ports::{
    memory::vector_store::EmbeddingCounts,
    store_error::StoreError,
    vault::{
        filter::PageFilter,
        store::{
            LinkedPage, NewPageVectors, PageCursor, PageRow, PageSelection, PageStore, PageWrite,
            PendingPage, Scanned, StoredPage, VaultCounts,
        },
    },
};

use crate::{connection::Database, error::DbResult};

/// The pages of one workspace.
#[derive(Debug)]
pub struct SqlitePages {
    db: Arc<Database>,
}

impl SqlitePages {
    /// The store of an open database.
    pub const fn new(db: Arc<Database>) -> Self {
        Self { db }
    }

    /// The workspace id in the form of the key column.
    fn workspace(&self) -> String {
        self.db.workspace_id().to_string()
    }

    fn public<T>(&self, result: DbResult<T>) -> Result<T, StoreError> {
        result.map_err(|error| self.db.fail(error))
    }
}

#[async_trait::async_trait]
impl PageStore for SqlitePages {
    async fn vaults(&self) -> Result<Vec<Vault>, StoreError> {
        self.public(self.read_vaults().await)
    }

    async fn link(&self, vault: &Vault) -> Result<(), StoreError> {
        self.public(self.write_vault(vault).await)
    }

    async fn unlink(&self, id: VaultId) -> Result<bool, StoreError> {
        self.public(self.remove_vault(id).await)
    }

    async fn counts(&self, id: VaultId) -> Result<VaultCounts, StoreError> {
        self.public(self.count(id).await)
    }

    async fn indexed(&self, id: VaultId) -> Result<Vec<IndexedPage>, StoreError> {
        self.public(self.read_indexed(id).await)
    }

    async fn put(&self, id: VaultId, pages: &[PageWrite], removed: &[PageId]) -> Result<(), StoreError> {
        self.public(self.write_pages(id, pages, removed).await)
    }

    async fn finish(&self, id: VaultId, scanned: Scanned<'_>) -> Result<(), StoreError> {
        self.public(self.write_scan(id, scanned).await)
    }

    async fn lease(
        &self,
        id: VaultId,
        owner: &str,
        now: DateTime<Utc>,
        until: DateTime<Utc>,
    ) -> Result<bool, StoreError> {
        self.public(self.take_lease(id, owner, now, until).await)
    }

    async fn skips(&self, id: VaultId, after: Option<&Skip>, limit: usize) -> Result<Vec<Skip>, StoreError> {
        self.public(self.read_skips(id, after, limit).await)
    }

    async fn list(
        &self,
        filter: &PageFilter,
        after: Option<&PageCursor>,
        limit: usize,
    ) -> Result<Vec<PageRow>, StoreError> {
        self.public(self.read_list(filter, after, limit).await)
    }

    async fn pages(&self, filter: &PageFilter, ids: &[PageId]) -> Result<Vec<StoredPage>, StoreError> {
        self.public(self.read_pages(filter, ids).await)
    }

    async fn named(&self, filter: &PageFilter, name: &str) -> Result<Option<PageId>, StoreError> {
        self.public(self.read_named(filter, name).await)
    }

    async fn links(&self, filter: &PageFilter, id: PageId) -> Result<Vec<LinkedPage>, StoreError> {
        self.public(self.read_links(filter, id).await)
    }

    async fn backlinks(
        &self,
        filter: &PageFilter,
        id: PageId,
        limit: usize,
    ) -> Result<Vec<PageRow>, StoreError> {
        self.public(self.read_backlinks(filter, id, limit).await)
    }

    async fn linked_from(
        &self,
        filter: &PageFilter,
        ids: &[PageId],
    ) -> Result<Vec<(PageId, u64)>, StoreError> {
        self.public(self.read_linked_from(filter, ids).await)
    }

    async fn selected(
        &self,
        filter: &PageFilter,
        which: PageSelection<'_>,
        limit: usize,
    ) -> Result<Vec<PageRow>, StoreError> {
        self.public(self.read_selected(filter, which, limit).await)
    }

    async fn links_of(
        &self,
        filter: &PageFilter,
        ids: &[PageId],
    ) -> Result<Vec<(PageId, PageId)>, StoreError> {
        self.public(self.read_links_of(filter, ids).await)
    }

    async fn pending_vectors(
        &self,
        model: &EmbeddingModel,
        limit: usize,
    ) -> Result<Vec<PendingPage>, StoreError> {
        self.public(self.read_pending(model, limit).await)
    }

    async fn put_vectors(
        &self,
        model: &EmbeddingModel,
        vectors: &[NewPageVectors],
    ) -> Result<usize, StoreError> {
        self.public(self.write_vectors(model, vectors).await)
    }

    async fn vector_failed(&self, model: &EmbeddingModel, id: PageId, error: &str) -> Result<(), StoreError> {
        self.public(self.write_failure(model, id, error).await)
    }

    async fn vector_counts(&self, model: &EmbeddingModel) -> Result<EmbeddingCounts, StoreError> {
        self.public(self.count_vectors(model).await)
    }
}
