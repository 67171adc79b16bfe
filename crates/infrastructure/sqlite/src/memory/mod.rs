//! Entries with their journal and versions.

pub(crate) mod commit;
pub(crate) mod facets;
pub(crate) mod feed;
pub(crate) mod filter_sql;
pub(crate) mod history;
pub(crate) mod lens_sql;
pub(crate) mod list;
pub(crate) mod order;
pub mod text_index;
pub(crate) mod uses;

use chrono::NaiveDate;
use inklings_domain::{
    ids::{ChangeId, MemoryId, RunId},
    memory::{
        MemoryEntry,
        change_set::{ChangeSet, JournalRow},
        filter::{MemoryFilter, Sort},
    },
    provenance::ActorKind,
    scope::{PerTier, Place},
};
use inklings_ports::{
    memory::store::{Access, CommittedChange, Cursor, FacetCount, HistoryVersion, MemoryStore, StoredEntry},
    store_error::StoreError,
};

use crate::store::SqliteStore;

#[async_trait::async_trait]
impl MemoryStore for SqliteStore {
    async fn get(&self, ids: &[MemoryId]) -> Result<Vec<StoredEntry>, StoreError> {
        self.public(self.read_entries(ids).await)
    }

    async fn list(
        &self,
        filter: &MemoryFilter,
        sort: Sort,
        after: Option<&Cursor>,
        limit: usize,
    ) -> Result<Vec<StoredEntry>, StoreError> {
        self.public(self.read_page(filter, sort, after, limit).await)
    }

    async fn revision(&self) -> Result<String, StoreError> {
        self.public(self.read_revision().await)
    }

    async fn count(&self, filter: &MemoryFilter) -> Result<PerTier<u64>, StoreError> {
        self.public(self.count_tiers(filter).await)
    }

    async fn facets(
        &self,
        filter: &MemoryFilter,
        among: Option<&[MemoryId]>,
    ) -> Result<Vec<FacetCount>, StoreError> {
        self.public(self.count_facets(filter, among).await)
    }

    async fn commit(&self, change: &ChangeSet) -> Result<(), StoreError> {
        self.public(self.write(change).await)
    }

    async fn change(&self, id: ChangeId) -> Result<Option<CommittedChange>, StoreError> {
        self.public(self.read_change(id).await)
    }

    async fn last_undoable(&self) -> Result<Option<JournalRow>, StoreError> {
        self.public(self.read_last_undoable().await)
    }

    async fn history(&self, id: MemoryId) -> Result<Vec<HistoryVersion>, StoreError> {
        self.public(self.read_history(id).await)
    }

    async fn by_external_ids(&self, place: Place, ids: &[String]) -> Result<Vec<MemoryEntry>, StoreError> {
        self.public(self.read_imported(place, ids).await)
    }

    async fn mentioned_in(&self, text: &str, filter: &MemoryFilter) -> Result<Vec<StoredEntry>, StoreError> {
        self.public(self.read_mentioned(text, filter).await)
    }

    async fn names(&self) -> Result<Vec<(String, MemoryId)>, StoreError> {
        self.public(self.read_names().await)
    }

    async fn named(&self) -> Result<Vec<MemoryEntry>, StoreError> {
        self.public(self.read_named().await)
    }

    async fn changes_of_run(&self, run: RunId) -> Result<Vec<JournalRow>, StoreError> {
        self.public(self.read_changes_of(run).await)
    }

    async fn written_by(&self, changes: &[ChangeId]) -> Result<Vec<(ChangeId, MemoryId)>, StoreError> {
        self.public(self.read_written_by(changes).await)
    }

    async fn journal(
        &self,
        before: Option<u64>,
        actor_kind: Option<ActorKind>,
        limit: usize,
    ) -> Result<Vec<JournalRow>, StoreError> {
        self.public(self.read_journal(before, actor_kind, limit).await)
    }

    async fn record_access(&self, accesses: &[Access]) -> Result<(), StoreError> {
        self.public(self.add_uses(accesses).await)
    }

    async fn mark_open(&self, day: NaiveDate) -> Result<(), StoreError> {
        self.public(self.add_open_day(day).await)
    }

    async fn open_days(&self) -> Result<Vec<NaiveDate>, StoreError> {
        self.public(self.read_open_days().await)
    }
}
