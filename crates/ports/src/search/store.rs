//! Port for searching one database. The filter is applied before a list is cut to its limit, not afterwards.

use std::ops::Range;

use chrono::{DateTime, Utc};
use inklings_domain::{
    ids::MemoryId,
    memory::{decay::DecayInputs, embedding::ModelId, filter::MemoryFilter, word_codes::WordCodes},
    search::{
        people::Speakers,
        query::TextQuery,
        ranking::{CandidateValues, WordComparison, utterance::Named},
    },
};

use crate::store_error::StoreError;

/// One hit of a list.
#[derive(Debug, Clone, PartialEq)]
pub struct ListHit {
    /// Id of the entry.
    pub id: MemoryId,
    /// Decay inputs of the entry.
    pub decay: DecayInputs,
    /// BM25 (higher is better), or the cosine of its best passage.
    pub score: f64,
    /// Its vector, if the list had it loaded (vector search) and its text is one passage.
    pub vector: Option<Vec<f32>>,
    /// The best passage, if a vector list found an entry whose text has several: its bytes in the content.
    pub passage: Option<Range<usize>>,
}

/// A query as candidates are compared with it.
#[derive(Debug, Clone, Copy)]
pub struct Asked<'q> {
    /// Its words.
    pub query: &'q TextQuery,
    /// The people and dates that it names.
    pub named: &'q Named,
    /// Its unit vector and the model that made it, if there is one.
    pub vector: Option<(&'q [f32], &'q ModelId)>,
}

/// A candidate compared with a query in every way, whichever list found it.
#[derive(Debug, Clone, PartialEq)]
pub struct Completed<I> {
    pub id: I,
    /// Decay inputs of an entry; `None` for a message.
    pub decay: Option<DecayInputs>,
    /// How it compares. The cosine may be rounded to three digits.
    pub values: CandidateValues,
}

impl<I> Completed<I> {
    /// The same with another id.
    pub fn map_id<J>(self, id: impl FnOnce(I) -> J) -> Completed<J> {
        let Self { id: former, decay, values } = self;
        Completed { id: id(former), decay, values }
    }
}

/// Positions of a query's words in an entry's content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Highlight {
    /// Id of the entry.
    pub id: MemoryId,
    /// Byte ranges in the content, ascending, not overlapping, on character boundaries.
    pub spans: Vec<Range<usize>>,
}

/// Full-text and vector search.
#[async_trait::async_trait]
pub trait MemorySearch: Send + Sync {
    /// The best `limit` entries for the words (BM25 over content, name, title and keys), best first.
    async fn search_text(
        &self,
        query: &TextQuery,
        filter: &MemoryFilter,
        limit: usize,
    ) -> Result<Vec<ListHit>, StoreError>;

    /// Entries whose title or one of whose keys is this whole text, regardless of case, spacing and punctuation. In no
    /// particular order, each with a score of 1.
    async fn called(&self, text: &str, filter: &MemoryFilter) -> Result<Vec<ListHit>, StoreError>;

    /// The `limit` entries nearest to a unit vector among those embedded by the same model, nearest first. The
    /// cosine of an entry is that of its best passage. Exact, not approximate.
    async fn search_meaning(
        &self,
        vector: &[f32],
        model: &ModelId,
        filter: &MemoryFilter,
        limit: usize,
    ) -> Result<Vec<ListHit>, StoreError>;

    /// The newest `limit` entries written in a time, newest first, with a score of 1. Entries that are a part of a conversation, or
    /// came with a date, are left out: their own date counts.
    async fn in_time(
        &self,
        within: Range<DateTime<Utc>>,
        filter: &MemoryFilter,
        limit: usize,
    ) -> Result<Vec<ListHit>, StoreError>;

    /// Compares these entries with the query in every way, and what was said just before and after them, as far as the
    /// filter lets it through. Entries that no longer exist are left out. In no particular order.
    async fn complete(
        &self,
        asked: Asked<'_>,
        filter: &MemoryFilter,
        ids: &[MemoryId],
    ) -> Result<Vec<Completed<MemoryId>>, StoreError>;

    /// Compares the words of these entries with those of a query, one by one, also with what was said just before and after them,
    /// as far as the filter lets it through. Entries without codes by the model are left out, if nothing around them has any.
    async fn compare_words(
        &self,
        words: &WordCodes,
        model: &ModelId,
        filter: &MemoryFilter,
        ids: &[MemoryId],
    ) -> Result<Vec<(MemoryId, WordComparison)>, StoreError>;

    /// Positions of a query's words in the content of these entries.
    async fn highlights(&self, query: &TextQuery, ids: &[MemoryId]) -> Result<Vec<Highlight>, StoreError>;

    /// The vectors of these entries by one model. Entries without one are left out, and so are those of several
    /// passages: no vector stands for such a text.
    async fn vectors(
        &self,
        ids: &[MemoryId],
        model: &ModelId,
    ) -> Result<Vec<(MemoryId, Vec<f32>)>, StoreError>;

    /// Everybody who said something, whatever a filter says: their names are left out of queries, and never shown.
    async fn speakers(&self) -> Result<Speakers, StoreError>;

    /// True once the vectors of a model are loaded. Until then, vector search covers only what is loaded so
    /// far; full-text search never waits.
    fn meaning_ready(&self, model: &ModelId) -> bool;
}
