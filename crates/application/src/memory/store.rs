//! Storage of memory entries with their journal and history. One implementation serves one database: the
//! account's, or one workspace's.

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

/// An entry with what the store knows about its vector.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredEntry {
    /// The entry.
    pub entry: MemoryEntry,
    /// The model that made its vector, if it has one (of the newest model that embedded it).
    pub embedded_by: Option<String>,
}

/// Where a page of a list ended. The next page starts behind it.
#[derive(Debug, Clone, PartialEq)]
pub struct Cursor {
    /// The last row's value in the order of the list.
    pub key: SortKey,
    /// The last row's id.
    pub id: MemoryId,
}

/// A value by which a list is ordered.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum SortKey {
    /// For the orders by time.
    Time(DateTime<Utc>),
    /// For the order by importance.
    Number(f64),
}

impl SortKey {
    /// The key of an entry in an order.
    pub const fn of(entry: &MemoryEntry, sort: Sort) -> Self {
        match sort {
            Sort::UpdatedDesc => Self::Time(entry.updated_at),
            Sort::CreatedDesc | Sort::CreatedAsc => Self::Time(entry.created_at),
            Sort::ImportanceDesc => Self::Number(entry.importance.get()),
        }
    }
}

/// How often each value of a facet occurs. Values by falling count, then by name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FacetCount {
    /// Which facet.
    pub facet: Facet,
    /// Values with their counts; at most 200 a facet.
    pub values: Vec<(String, u64)>,
}

/// One version of an entry, with the journal row of the change that made it.
#[derive(Debug, Clone, PartialEq)]
pub struct HistoryVersion {
    /// The entry as that change left it.
    pub entry: MemoryEntry,
    /// The change.
    pub journal: JournalRow,
}

/// A committed change with what it replaced.
#[derive(Debug, Clone, PartialEq)]
pub struct CommittedChange {
    /// Its journal row.
    pub journal: JournalRow,
    /// Each entry it wrote, with the version before.
    pub replaced: Vec<ReplacedVersion>,
}

/// Uses of an entry to add up: how often, and when last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Access {
    /// Which entry.
    pub id: MemoryId,
    /// How many times.
    pub times: u64,
    /// When last.
    pub at: DateTime<Utc>,
    /// The MCP client that it was retrieved for. Retrieving its own words does not count.
    pub by: Option<ClientId>,
}

/// Reads and writes entries of one database.
#[async_trait::async_trait]
pub trait MemoryStore: Send + Sync {
    /// The entries with these ids, in any order; unknown ids are left out.
    async fn get(&self, ids: &[MemoryId]) -> Result<Vec<StoredEntry>, StoreError>;

    /// A page of at most `limit` entries behind `after`, in the order of `sort` (ties by id, in the same direction).
    async fn list(
        &self,
        filter: &MemoryFilter,
        sort: Sort,
        after: Option<&Cursor>,
        limit: usize,
    ) -> Result<Vec<StoredEntry>, StoreError>;

    /// How many entries of each tier the filter's conditions let through. Looks at all tiers, whatever the scope filter.
    async fn count(&self, filter: &MemoryFilter) -> Result<PerTier<u64>, StoreError>;

    /// Facet values of the entries within the filter's reach; each facet counted with the conditions of the
    /// *other* facets, so that its alternatives stay visible. `among`: only these entries.
    async fn facets(
        &self,
        filter: &MemoryFilter,
        among: Option<&[MemoryId]>,
    ) -> Result<Vec<FacetCount>, StoreError>;

    /// Commits a change set in one transaction: journal row, replaced versions, writes.
    ///
    /// # Errors
    /// [`StoreError::Stale`] if an update's stored version is not `version - 1`, [`StoreError::Locked`] if the
    /// database's own guard refused it, [`StoreError::MemoryOff`] if the memory switch, as the change carries it or as this
    /// database knows it, does not admit it; nothing is written then.
    async fn commit(&self, change: &ChangeSet) -> Result<(), StoreError>;

    /// A committed change with what it replaced.
    async fn change(&self, id: ChangeId) -> Result<Option<CommittedChange>, StoreError>;

    /// The newest change in the name of the author or an import that was not taken back and does not take one back. One of
    /// which a scrub left nothing does not count.
    async fn last_undoable(&self) -> Result<Option<JournalRow>, StoreError>;

    /// Every version of an entry, newest (the current one) first.
    async fn history(&self, id: MemoryId) -> Result<Vec<HistoryVersion>, StoreError>;

    /// Active or forgotten entries of a place by the ids they had where they came from.
    async fn by_external_ids(&self, place: Place, ids: &[String]) -> Result<Vec<MemoryEntry>, StoreError>;

    /// The entries in use that a filter lets through and whose name, or an alias, stands in a text. In any order.
    async fn mentioned_in(&self, text: &str, filter: &MemoryFilter) -> Result<Vec<StoredEntry>, StoreError>;

    /// The names and aliases of named entries in use in every tier and room, each with its entry: for finding a name that is
    /// free. What a query mentions is found by [`Self::mentioned_in`], within its filter.
    async fn names(&self) -> Result<Vec<(String, MemoryId)>, StoreError>;

    /// The named notes in use (no archives), by tier and name. A few; they are never paged. Lists, counts, facets and
    /// searches leave out those that are empty, this does not.
    async fn named(&self) -> Result<Vec<MemoryEntry>, StoreError>;

    /// The journal rows of the changes that a run made, oldest first.
    async fn changes_of_run(&self, run: RunId) -> Result<Vec<JournalRow>, StoreError>;

    /// For each of these changes one entry that it wrote and that is still there: the one of the least id.
    async fn written_by(&self, changes: &[ChangeId]) -> Result<Vec<(ChangeId, MemoryId)>, StoreError>;

    /// At most `limit` journal rows before a sequence number, the newest first; only those that were one hand's doing
    /// ([`JournalRow::by`]) if given.
    async fn journal(
        &self,
        before: Option<u64>,
        actor_kind: Option<ActorKind>,
        limit: usize,
    ) -> Result<Vec<JournalRow>, StoreError>;

    /// Adds up uses, but not those by a client whose words the text holds. Makes no new version and no journal row.
    async fn record_access(&self, accesses: &[Access]) -> Result<(), StoreError>;

    /// Marks a day (UTC) as one on which this database was in use.
    async fn mark_open(&self, day: NaiveDate) -> Result<(), StoreError>;

    /// The days on which this database was in use, rising.
    async fn open_days(&self) -> Result<Vec<NaiveDate>, StoreError>;
}
