//! Port for searching pages. The filter is applied before a list is cut to its limit, not afterwards.

use std::ops::Range;

use inklings_domain::{ids::PageId, memory::embedding::ModelId, search::query::TextQuery};

use crate::{
    search::store::{Asked, Completed},
    store_error::StoreError,
    vault::filter::PageFilter,
};

/// One hit of a list.
#[derive(Debug, Clone, PartialEq)]
pub struct PageHit {
    pub id: PageId,
    /// BM25 (higher is better), or the cosine of its best passage.
    pub score: f64,
    /// The best passage, if the vector list found a page whose text has several: its bytes in the content.
    pub passage: Option<Range<usize>>,
}

/// Full-text and vector search over pages.
#[async_trait::async_trait]
pub trait PageSearch: Send + Sync {
    /// The best `limit` pages for the words (BM25 over content, name of the file, title, and aliases with tags), best first.
    async fn search_text(
        &self,
        query: &TextQuery,
        filter: &PageFilter,
        limit: usize,
    ) -> Result<Vec<PageHit>, StoreError>;

    /// Pages that a link with this whole text could mean. In no particular order.
    async fn called(&self, text: &str, filter: &PageFilter) -> Result<Vec<PageId>, StoreError>;

    /// The `limit` pages nearest to a unit vector among those embedded by the same model, nearest first. The cosine of a page
    /// is that of its best passage. Exact, not approximate.
    async fn search_meaning(
        &self,
        vector: &[f32],
        model: &ModelId,
        filter: &PageFilter,
        limit: usize,
    ) -> Result<Vec<PageHit>, StoreError>;

    /// Compares these pages with the query in every way. Pages that no longer exist are left out. In no particular order.
    async fn complete(
        &self,
        asked: Asked<'_>,
        filter: &PageFilter,
        ids: &[PageId],
    ) -> Result<Vec<Completed<PageId>>, StoreError>;

    /// Positions of the query's words in the contents of these pages: byte ranges, ascending, not overlapping.
    async fn highlights(
        &self,
        query: &TextQuery,
        ids: &[PageId],
    ) -> Result<Vec<(PageId, Vec<Range<usize>>)>, StoreError>;
}
