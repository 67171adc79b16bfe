//! Search over both databases: routing, fusion, folding and score explanation.

mod fold;
mod gather;
mod place;
mod settings;
pub mod store;

use std::ops::Range;

use futures::future;
use inklings_domain::{
    ids::MemoryId,
    memory::{decay::DecayTerms, filter::MemoryFilter},
    search::{
        query::{self, ParsedQuery, Route, TextReason},
        ranking::{self, Candidate, Contribution, FusionStrategy, Ranked},
    },
};

pub(crate) use self::place::{EntryPlace, Fate};
use crate::{error::AppError, memory::store::StoredEntry, services::Searcher};

/// Maximum hits of a search.
pub const MAX_HITS: usize = 200;
/// Minimum number of hits per list that enter the fusion.
pub const POOL: usize = 100;

/// A search request.
#[derive(Debug, Clone)]
pub struct Search {
    /// The query as typed.
    pub query: String,
    /// Tiers, channels, conversations and facets. Applied within the list queries.
    pub filter: MemoryFilter,
    /// Wanted hits, at most [`MAX_HITS`].
    pub limit: usize,
    /// If given, only this many hits are read now. The lists are still as long as for `limit`, so the order
    /// is that of the full result. An entry that a later one repeats may stay unfolded until the full result
    /// is requested.
    pub first: Option<usize>,
    /// Name of the fusion strategy; the worldbuilder's choice if `None`.
    pub strategy: Option<String>,
    /// The query's vector, if the caller already has it; otherwise the current model computes it.
    pub vector: Option<Vec<f32>>,
    /// Whether to compute [`Hit::spans`]. That takes an extra search, which only callers that display the
    /// hits need.
    pub marked: bool,
}

/// Which lists contributed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Full-text and vector lists.
    Hybrid,
    /// The full-text list only, and why.
    Text(TextOnly),
}

/// Why the vector list was not used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextOnly {
    /// The router chose full text, and for a short query the words found enough.
    Routed(TextReason),
    /// No embedding model is in use.
    NoModel,
    /// The vectors are still being loaded; those loaded so far were used.
    VectorsLoading,
    /// The model failed or timed out; the log says which.
    ModelFailed,
}

/// A search hit.
#[derive(Debug, Clone)]
pub struct Hit {
    /// The entry, with the state of its vector.
    pub stored: StoredEntry,
    /// Sum of the contributions.
    pub score: f64,
    /// Score contribution of each list.
    pub contributions: Vec<Contribution>,
    /// Relevance factors at the current time.
    pub decay: DecayTerms,
    /// Byte ranges of the query's words in the content, if requested.
    pub spans: Vec<Range<usize>>,
    /// The passage nearest in meaning, if vector search found the entry and its text has several: its bytes in the
    /// content.
    pub passage: Option<Range<usize>>,
    /// Entries with the same content, folded into this one, best first.
    pub folded: Vec<MemoryId>,
}

/// The result of a search.
#[derive(Debug, Clone)]
pub struct Found {
    /// Hits, best first.
    pub hits: Vec<Hit>,
    /// True if there are more hits within the requested limit.
    pub more: bool,
    /// Which lists contributed.
    pub mode: Mode,
    /// Name of the fusion strategy.
    pub strategy: &'static str,
}

impl Searcher<'_> {
    /// Searches memory. Any string is a valid query.
    ///
    /// # Errors
    /// [`AppError::Input`] for an unknown strategy; [`AppError::Store`] if a database cannot be read. A
    /// missing or failing model is not an error; the result then reports that it is based on text only.
    pub async fn memories(&self, search: Search) -> Result<Found, AppError> {
        let limit = search.limit.clamp(1, MAX_HITS);
        let parsed = query::parse(&search.query);
        let gathered = self.gather(&parsed, &search.filter, search.vector, limit);
        let (strategy, gathered) =
            future::try_join(self.strategy(search.strategy.as_deref()), gathered).await?;
        let ranked = ordered(&*strategy, &parsed, &gathered.candidates);
        let marked = search.marked.then_some(&parsed.query);
        let first = search.first.map_or(limit, |first| first.clamp(1, limit));
        let beyond = ranked.len() > first && first < limit;
        let hits = self.folded_hits(ranked, &gathered, marked, first).await?;
        let more = beyond && hits.len() == first;
        Ok(Found { hits, more, mode: gathered.mode, strategy: strategy.name() })
    }
}

/// The candidates in the order of the search.
pub(crate) fn ordered<I: Copy + Ord>(
    strategy: &dyn FusionStrategy,
    parsed: &ParsedQuery,
    candidates: &[Candidate<I>],
) -> Vec<Ranked<I>> {
    let ranked = ranking::fuse(strategy, candidates);
    // For a short query, rank hits by words before hits by vector only.
    if parsed.route == Route::Hybrid { ranked } else { ranking::words_first(ranked) }
}

/// Why a query is answered by full text only, given how many hits its words found; `None` if vectors are to
/// be used as well.
pub(crate) fn text_only(parsed: &ParsedQuery, found: usize) -> Option<TextOnly> {
    match parsed.route {
        Route::Text(reason) if !parsed.asks_meaning(found) => Some(TextOnly::Routed(reason)),
        Route::Text(_) | Route::Hybrid => None,
    }
}
