//! Port for reading subjects of the world and what is linked to them. Subjects and links are written as entries.

use chrono::{DateTime, Utc};
use inklings_domain::{
    ids::MemoryId,
    memory::{filter::ScopeFilter, link::LinkRole},
};

use crate::{memory::store::StoredEntry, store_error::StoreError};

/// A subject without its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SubjectRow {
    /// Id of its named entry.
    pub id: MemoryId,
    pub kind: String,
    pub name: String,
    /// Other names.
    pub aliases: Vec<String>,
    /// False if nothing is written about it yet.
    pub has_text: bool,
    /// Active entries within the filter that are linked to it.
    pub links: u64,
    /// Time of the last change.
    pub updated_at: DateTime<Utc>,
}

/// A relation without its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edge {
    /// Id of the entry that states it.
    pub id: MemoryId,
    /// What it says.
    pub relation: String,
    /// The subject that it starts at.
    pub from: MemoryId,
    /// The subject that it leads to.
    pub to: MemoryId,
}

/// Which subjects to read.
#[derive(Debug, Clone, Copy)]
pub enum SubjectChoice<'a> {
    /// All of them.
    All,
    /// Those of a kind.
    Kind(&'a str),
    /// Those of these ids that are subjects.
    Ids(&'a [MemoryId]),
}

/// Reads the subjects of one workspace. A filter without the workspace tier shows none.
#[async_trait::async_trait]
pub trait SubjectStore: Send + Sync {
    /// Active subjects within a filter, by name.
    async fn subjects(
        &self,
        which: SubjectChoice<'_>,
        filter: &ScopeFilter,
    ) -> Result<Vec<SubjectRow>, StoreError>;

    /// At most `limit` active relations within a filter, the most important first, then the newest. Their ends may be out of
    /// the filter.
    async fn edges(&self, filter: &ScopeFilter, limit: usize) -> Result<Vec<Edge>, StoreError>;

    /// At most `limit` active entries within a filter that have a link of one of these roles to one of these, the most
    /// important first, then the newest.
    async fn linked_to(
        &self,
        targets: &[MemoryId],
        roles: &[LinkRole],
        filter: &ScopeFilter,
        limit: usize,
    ) -> Result<Vec<StoredEntry>, StoreError>;
}
