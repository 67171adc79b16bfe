//! Search over both databases: routed, fused, folded and explained.

mod fold;
mod gather;
pub mod store;

use std::ops::Range;

use inklings_domain::{
    ids::MemoryId,
    memory::{decay::DecayTerms, filter::MemoryFilter},
    search::{
        query::{self, ParsedQuery, Route, TextReason},
        ranking::{self, Contribution, FusionStrategy, STRATEGIES},
    },
};

use crate::{error::AppError, memory::store::StoredEntry, session::Session};

/// The most hits a search gives.
pub const MAX_HITS: usize = 200;
/// Members of each list that go into the fusion: at least this many.
pub const POOL: usize = 100;

/// A search.
#[derive(Debug, Clone)]
pub struct Search {
    /// What was typed.
    pub query: String,
    /// Tiers, channels and conversations and facets. Part of the query itself.
    pub filter: MemoryFilter,
    /// Hits wanted, at most [`MAX_HITS`].
    pub limit: usize,
    /// If given, only so many of them are read now. The lists are as long as for `limit`, so the order is that of the whole
    /// answer; an entry that says the same as a later one may stand alone until the whole is asked for.
    pub first: Option<usize>,
    /// Name of the fusion strategy; the default if `None`.
    pub strategy: Option<String>,
    /// The query's vector, if the caller has it already; else the model in use makes it.
    pub vector: Option<Vec<f32>>,
    /// Whether [`Hit::spans`] are wanted. Finding them is a search of its own, and only who shows the hits needs them.
    pub marked: bool,
}

/// Which lists answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Text and meaning.
    Hybrid,
    /// Text alone, and why.
    Text(TextOnly),
}

/// Why meaning did not take part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextOnly {
    /// The router chose so, and for a short query its words found enough.
    Routed(TextReason),
    /// No embedding model is in use.
    NoModel,
    /// The vectors are being read into memory; what is there so far took part.
    VectorsLoading,
    /// The model failed or took too long; the log says which.
    ModelFailed,
}

/// One hit.
#[derive(Debug, Clone)]
pub struct Hit {
    /// The entry.
    pub stored: StoredEntry,
    /// Sum of the contributions.
    pub score: f64,
    /// What each list gave.
    pub contributions: Vec<Contribution>,
    /// The factors of its relevance now.
    pub decay: DecayTerms,
    /// Byte ranges of the query's words in the content, if they were asked for.
    pub spans: Vec<Range<usize>>,
    /// Entries that say the same and were folded into this one, best first.
    pub folded: Vec<MemoryId>,
}

/// The answer to a search.
#[derive(Debug, Clone)]
pub struct Found {
    /// Hits, best first.
    pub hits: Vec<Hit>,
    /// True if there is more than these, within what was asked for.
    pub more: bool,
    /// Which lists answered.
    pub mode: Mode,
    /// The strategy that fused them.
    pub strategy: &'static str,
}

impl Session {
    /// Searches memory. Any string is a query.
    ///
    /// # Errors
    /// [`AppError::Input`] for an unknown strategy; [`AppError::Store`] if a database cannot be read. A missing
    /// or failing model is no error: the answer says that it is from text alone.
    pub async fn search_memories(&self, search: Search) -> Result<Found, AppError> {
        let strategy = strategy(search.strategy.as_deref())?;
        let limit = search.limit.clamp(1, MAX_HITS);
        let parsed = query::parse(&search.query);
        let gathered = self.gather(&parsed, &search.filter, search.vector, limit).await?;
        let ranked = strategy.fuse(&gathered.candidates);
        // Of a short query the words are meant first; what is only near to them follows.
        let ranked = if parsed.route == Route::Hybrid { ranked } else { ranking::words_first(ranked) };
        let marked = search.marked.then_some(&parsed.query);
        let first = search.first.map_or(limit, |first| first.clamp(1, limit));
        let beyond = ranked.len() > first && first < limit;
        let hits = self.folded_hits(ranked, &gathered, marked, first).await?;
        let more = beyond && hits.len() == first;
        Ok(Found { hits, more, mode: gathered.mode, strategy: strategy.name() })
    }
}

fn strategy(name: Option<&str>) -> Result<Box<dyn FusionStrategy>, AppError> {
    let name = name.or(STRATEGIES.first().copied()).unwrap_or_default();
    ranking::strategy(name).ok_or_else(|| AppError::Input {
        field: "strategy",
        message: format!("unknown search strategy; choose one of: {}", STRATEGIES.join(", ")),
    })
}

/// Why a query is answered by its words alone, now that they have found so many; `None` if meaning is to be asked, too.
pub(crate) fn text_only(parsed: &ParsedQuery, found: usize) -> Option<TextOnly> {
    match parsed.route {
        Route::Text(reason) if !parsed.asks_meaning(found) => Some(TextOnly::Routed(reason)),
        Route::Text(_) | Route::Hybrid => None,
    }
}
