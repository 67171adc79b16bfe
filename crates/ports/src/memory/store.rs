//! Port for storing memory entries with their journal and history. One implementation serves one database:
//! the account's, or one workspace's.

use chrono::{DateTime, NaiveDate, Utc};
use inklings_domain::{
    ids::{ChangeId, ClientId, MemoryId, RunId},
    memory::{
        MemoryEntry,
        change_set::{ChangeSet, JournalRow, ReplacedVersion},
        filter::{Facet, MemoryFilter, Sort},
    },
    provenance::ActorKind,
    scope::{PerTier, Place},
};

use crate::store_error::StoreError;

/// An entry with the state of its vector.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredEntry {
    /// The entry at its current version.
    pub entry: MemoryEntry,
    /// The model of its vector, if it has one; the newest model if several embedded it.
    pub embedded_by: Option<String>,
}

impl StoredEntry {
    /// An entry that was just created.
    pub const fn new(entry: MemoryEntry) -> Self {
        Self { entry, embedded_by: None }
    }

    /// The entry after a write of its next version. The database deletes the vector of a text that changed.
    #[must_use]
    pub fn next(&self, entry: MemoryEntry) -> Self {
        let same_text = entry.content == self.entry.content;
        Self { embedded_by: self.embedded_by.clone().filter(|_| same_text), entry }
    }
}

/// The last row of a page. The next page starts after it.
#[derive(Debug, Clone, PartialEq)]
pub struct Cursor {
    /// Sort key of the last row.
    pub key: SortKey,
    /// Id of the last row.
    pub id: MemoryId,
}

/// A sort key.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum SortKey {
    /// For the orders by time.
    Time(DateTime<Utc>),
    /// For the order by importance.
    Number(f64),
}

impl SortKey {
    /// The sort key of an entry.
    pub const fn of(entry: &MemoryEntry, sort: Sort) -> Self {
        match sort {
            Sort::UpdatedDesc => Self::Time(entry.updated_at),
            Sort::CreatedDesc | Sort::CreatedAsc => Self::Time(entry.created_at),
            Sort::ImportanceDesc => Self::Number(entry.importance.get()),
        }
    }
}

/// Counts of the values of a facet, by descending count, then by name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FacetCount {
    pub facet: Facet,
    /// Values with their counts; at most 200 per facet.
    pub values: Vec<(String, u64)>,
}

/// One version of an entry, with the journal row of the change that wrote it.
#[derive(Debug, Clone, PartialEq)]
pub struct HistoryVersion {
    /// The entry as of that change.
    pub entry: MemoryEntry,
    /// Journal row of the change.
    pub journal: JournalRow,
}

/// A committed change with the versions that it replaced.
#[derive(Debug, Clone, PartialEq)]
pub struct CommittedChange {
    pub journal: JournalRow,
    /// Each written entry, with its version before.
    pub replaced: Vec<ReplacedVersion>,
}

/// Uses of an entry to be added to its counters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Access {
    /// Id of the entry.
    pub id: MemoryId,
    /// Number of uses.
    pub times: u64,
    /// Time of the last use.
    pub at: DateTime<Utc>,
    /// The MCP client that the entry was retrieved for. A client's reads of its own words are not counted.
    pub by: Option<ClientId>,
}

/// Reads and writes entries of one database.
#[async_trait::async_trait]
pub trait MemoryStore: Send + Sync {
    /// The entries with these ids, in any order; unknown ids are left out.
    async fn get(&self, ids: &[MemoryId]) -> Result<Vec<StoredEntry>, StoreError>;

    /// A page of at most `limit` entries after `after`, in the order of `sort` (ties by id, in the same
    /// direction).
    async fn list(
        &self,
        filter: &MemoryFilter,
        sort: Sort,
        after: Option<&Cursor>,
        limit: usize,
    ) -> Result<Vec<StoredEntry>, StoreError>;

    /// A text that differs after each change of what this database can show a turn: entries and their vectors, places, facts,
    /// episodes, settings. A counted use does not change it.
    async fn revision(&self) -> Result<String, StoreError>;

    /// Number of entries per tier that match the filter's conditions. Covers all tiers; ignores the scope
    /// filter.
    async fn count(&self, filter: &MemoryFilter) -> Result<PerTier<u64>, StoreError>;

    /// Facet values of the entries in the filter's scope. Each facet is counted with the conditions of the
    /// *other* facets, so that its alternatives stay visible. `among` limits the count to these entries.
    async fn facets(
        &self,
        filter: &MemoryFilter,
        among: Option<&[MemoryId]>,
    ) -> Result<Vec<FacetCount>, StoreError>;

    /// Commits a change set in one transaction: journal row, replaced versions, writes.
    ///
    /// # Errors
    /// [`StoreError::Stale`] if an update's stored version is not `version - 1`, [`StoreError::Locked`] if a
    /// database trigger refused it, [`StoreError::MemoryOff`] if the memory switch does not allow it, either
    /// as given in the change or as stored in this database. Nothing is written then.
    async fn commit(&self, change: &ChangeSet) -> Result<(), StoreError>;

    /// A committed change with the versions that it replaced.
    async fn change(&self, id: ChangeId) -> Result<Option<CommittedChange>, StoreError>;

    /// The newest change by the author or an import that is neither undone nor an undo. Changes that a scrub
    /// removed completely do not count.
    async fn last_undoable(&self) -> Result<Option<JournalRow>, StoreError>;

    /// All versions of an entry, newest (current) first.
    async fn history(&self, id: MemoryId) -> Result<Vec<HistoryVersion>, StoreError>;

    /// Active and forgotten entries that were imported into a place, by their external ids. One that was moved elsewhere since is
    /// found unless another entry has its id at the place.
    async fn by_external_ids(&self, place: Place, ids: &[String]) -> Result<Vec<MemoryEntry>, StoreError>;

    /// Active entries matching a filter whose name or alias occurs in a text. In any order.
    async fn mentioned_in(&self, text: &str, filter: &MemoryFilter) -> Result<Vec<StoredEntry>, StoreError>;

    /// Names and aliases of all active named entries, in every tier, channel and conversation, each with its
    /// entry. For finding free names; use [`Self::mentioned_in`] to find what a query mentions within its
    /// filter.
    async fn names(&self) -> Result<Vec<(String, MemoryId)>, StoreError>;

    /// Active named notes (no archives), by tier and name. There are few, so they are not paged. Includes
    /// empty ones, which lists, counts, facets and searches leave out.
    async fn named(&self) -> Result<Vec<MemoryEntry>, StoreError>;

    /// Journal rows of a run's changes, oldest first.
    async fn changes_of_run(&self, run: RunId) -> Result<Vec<JournalRow>, StoreError>;

    /// For each of these changes, one entry that it wrote and that still exists: the one with the smallest
    /// id.
    async fn written_by(&self, changes: &[ChangeId]) -> Result<Vec<(ChangeId, MemoryId)>, StoreError>;

    /// At most `limit` journal rows before a sequence number, newest first; only those of one actor kind
    /// ([`JournalRow::by`]) if given.
    async fn journal(
        &self,
        before: Option<u64>,
        actor_kind: Option<ActorKind>,
        limit: usize,
    ) -> Result<Vec<JournalRow>, StoreError>;

    /// Adds uses to the counters, except uses by a client whose words the text contains. Creates no new
    /// version and no journal row.
    async fn record_access(&self, accesses: &[Access]) -> Result<(), StoreError>;

    /// Records a day (UTC) on which this database was in use.
    async fn mark_open(&self, day: NaiveDate) -> Result<(), StoreError>;

    /// Days on which this database was in use, ascending.
    async fn open_days(&self) -> Result<Vec<NaiveDate>, StoreError>;
}
