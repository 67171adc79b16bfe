//! Search inside one database. Each list is cut to the top of what the filter lets through, not filtered
//! after the cut.

use std::ops::Range;

use inklings_domain::{
    ids::MemoryId,
    memory::{decay::DecayInputs, embedding::ModelId, filter::MemoryFilter},
    search::query::TextQuery,
};

use crate::store_error::StoreError;

/// A member of one list.
#[derive(Debug, Clone, PartialEq)]
pub struct ListHit {
    /// Which entry.
    pub id: MemoryId,
    /// What decay needs to know of it.
    pub decay: DecayInputs,
    /// BM25 (higher is better), or cosine.
    pub score: f64,
    /// Its vector, where the list had it at hand (search by meaning).
    pub vector: Option<Vec<f32>>,
}

/// Where a query's words stand in an entry's content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Highlight {
    /// Which entry.
    pub id: MemoryId,
    /// Byte ranges in the content, rising, not overlapping, on character boundaries.
    pub spans: Vec<Range<usize>>,
}

/// Full-text search and search by meaning.
#[async_trait::async_trait]
pub trait MemorySearch: Send + Sync {
    /// The best `limit` entries for the words (BM25 over content and name), best first.
    async fn search_text(
        &self,
        query: &TextQuery,
        filter: &MemoryFilter,
        limit: usize,
    ) -> Result<Vec<ListHit>, StoreError>;

    /// The `limit` entries nearest to a unit vector among those embedded by the same model, nearest first. Exact.
    async fn search_meaning(
        &self,
        vector: &[f32],
        model: &ModelId,
        filter: &MemoryFilter,
        limit: usize,
    ) -> Result<Vec<ListHit>, StoreError>;

    /// Where the words of a query stand in the content of these entries.
    async fn highlights(&self, query: &TextQuery, ids: &[MemoryId]) -> Result<Vec<Highlight>, StoreError>;

    /// The vectors of these entries by one model; those without one are left out.
    async fn vectors(
        &self,
        ids: &[MemoryId],
        model: &ModelId,
    ) -> Result<Vec<(MemoryId, Vec<f32>)>, StoreError>;

    /// True once the vectors of a model are loaded. Until then, search by meaning finds what is loaded so far
    /// or nothing; text search never waits.
    fn meaning_ready(&self, model: &ModelId) -> bool;
}
