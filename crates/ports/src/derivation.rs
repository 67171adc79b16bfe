//! Port for reading what entries were made of, from the side of the sources. Serves one file of memory.

use inklings_domain::{derivation::SourceKind, ids::MemoryId, memory::filter::ScopeFilter};

use crate::store_error::StoreError;

/// How many entries lead to an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Pointing {
    /// Active entries that are linked to it, or were made of it; each counts once.
    pub pointed_at: u64,
    /// Active entries that were made of it.
    pub built_on: u64,
}

/// An active entry that was made of a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MadeOf {
    pub entry: MemoryId,
    /// The id of the source.
    pub source: String,
    /// The version, or the digest of a block of a page.
    pub mark: String,
}

/// Reads derivations by their sources.
#[async_trait::async_trait]
pub trait DerivationStore: Send + Sync {
    /// Of entries at versions, those that say now what they said then.
    async fn unchanged(&self, sources: &[(MemoryId, u64)]) -> Result<Vec<(MemoryId, u64)>, StoreError>;

    /// How many entries that the filter shows lead to each of these. One that nothing leads to is left out.
    async fn pointing(
        &self,
        ids: &[MemoryId],
        filter: &ScopeFilter,
    ) -> Result<Vec<(MemoryId, Pointing)>, StoreError>;

    /// The active entries that were made of these sources, in any order.
    async fn made_of(&self, kind: SourceKind, sources: &[String]) -> Result<Vec<MadeOf>, StoreError>;
}
