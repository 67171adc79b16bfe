//! Search over memories, messages and pages: routing, fusion, folding and score explanation.

pub(crate) mod by_meaning;
mod fold;
pub mod for_agents;
mod gather;
mod hits;
pub mod messages;
mod order;
mod page_place;
pub mod pages;
mod place;
mod saved;
mod settings;
mod source;

use std::ops::Range;

use chrono::{DateTime, Utc};
use futures::future;
use inklings_domain::{
    ids::MemoryId,
    memory::{decay::DecayTerms, embedding::Embedding, filter::MemoryFilter},
    search::{
        query::{ENOUGH_BY_WORDS, ParsedQuery, QueryText, Route, TextReason},
        ranking::Contribution,
    },
};
use inklings_ports::{
    memory::store::StoredEntry, search::transcript_store::TranscriptFilter, vault::filter::PageFilter,
};

pub(crate) use self::place::{EntryPlace, Fate};
use self::{messages::FoundMessage, pages::FoundPage};
use crate::{error::AppError, services::Searcher};

/// Maximum hits of a search.
pub const MAX_HITS: usize = 200;
/// Hits per list that enter the fusion. The same for every limit: values are compared within the candidates, so a shorter
/// result would else not be the head of a longer one.
pub const POOL: usize = MAX_HITS;

/// A search request for documents of one or more kinds, in one order.
#[derive(Debug, Clone, Default)]
pub struct DocumentSearch {
    pub query: QueryText,
    /// The entries to search, if any. Applied within the list queries.
    pub memories: Option<MemoryFilter>,
    /// The messages to search, if any. Applied within the list queries.
    pub messages: Option<TranscriptFilter>,
    /// The pages to search, if any. Applied within the list queries.
    pub pages: Option<PageFilter>,
    /// Wanted hits, at most [`MAX_HITS`].
    pub limit: usize,
    /// As [`Search::first`].
    pub first: Option<usize>,
    /// Name of the fusion strategy; the worldbuilder's choice if `None`.
    pub strategy: Option<String>,
    /// The query's embedding, if the caller already has it; otherwise the current model computes it.
    pub embedding: Option<Embedding>,
    /// As [`Search::marked`].
    pub marked: bool,
    /// As [`Search::time_words`].
    pub time_words: TimeWords,
}

/// A search request for memories.
#[derive(Debug, Clone)]
pub struct Search {
    pub query: QueryText,
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
    /// The query's embedding, if the caller already has it; otherwise the current model computes it.
    pub embedding: Option<Embedding>,
    /// Whether to compute [`Hit::spans`]. That takes an extra search, which only callers that display the
    /// hits need.
    pub marked: bool,
    /// What days "yesterday" and its like mean.
    pub time_words: TimeWords,
}

impl Search {
    /// A search for all hits at once, by the worldbuilder's strategy, that is asked now. Marks nothing.
    pub const fn new(query: QueryText, filter: MemoryFilter, limit: usize) -> Self {
        Self {
            query,
            filter,
            limit,
            first: None,
            strategy: None,
            embedding: None,
            marked: false,
            time_words: TimeWords::FromNow,
        }
    }
}

/// How words for days relative to the day of a query are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TimeWords {
    /// It is asked now.
    #[default]
    FromNow,
    /// It was asked then.
    From(DateTime<Utc>),
    /// They are not read: it is no question, but a text that others are compared with.
    Ignored,
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

impl From<Search> for DocumentSearch {
    fn from(search: Search) -> Self {
        let Search { query, filter, limit, first, strategy, embedding, marked, time_words } = search;
        Self {
            query,
            memories: Some(filter),
            limit,
            first,
            strategy,
            embedding,
            marked,
            time_words,
            ..Self::default()
        }
    }
}

/// A hit of any kind.
#[derive(Debug, Clone)]
pub enum DocumentHit {
    /// A memory entry.
    Memory(Box<Hit>),
    Message(Box<FoundMessage>),
    Page(Box<FoundPage>),
}

impl DocumentHit {
    /// The entry, if it is one.
    pub fn memory(self) -> Option<Hit> {
        match self {
            Self::Memory(hit) => Some(*hit),
            Self::Message(_) | Self::Page(_) => None,
        }
    }

    /// The message, if it is one.
    pub fn message(self) -> Option<FoundMessage> {
        match self {
            Self::Message(hit) => Some(*hit),
            Self::Memory(_) | Self::Page(_) => None,
        }
    }

    /// The page, if it is one.
    pub fn page(self) -> Option<FoundPage> {
        match self {
            Self::Page(hit) => Some(*hit),
            Self::Memory(_) | Self::Message(_) => None,
        }
    }
}

/// A memory that a search found.
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
pub struct Found<H = Hit> {
    /// Hits, best first.
    pub hits: Vec<H>,
    /// True if there are more hits within the requested limit.
    pub more: bool,
    /// Which lists contributed.
    pub mode: Mode,
    /// Name of the fusion strategy.
    pub strategy: &'static str,
}

impl<H> Found<H> {
    /// The hits of one kind.
    pub(crate) fn only<T>(self, of_kind: impl Fn(H) -> Option<T>) -> Found<T> {
        let Self { hits, more, mode, strategy } = self;
        Found { hits: hits.into_iter().filter_map(of_kind).collect(), more, mode, strategy }
    }
}

impl Searcher<'_> {
    /// Searches documents. Any text is a valid query.
    ///
    /// # Errors
    /// [`AppError::Input`] for an unknown strategy; [`AppError::Store`] if a database cannot be read. A
    /// missing or failing model is not an error; the result then reports that it is based on text only.
    pub async fn documents(&self, search: DocumentSearch) -> Result<Found<DocumentHit>, AppError> {
        let limit = search.limit.clamp(1, MAX_HITS);
        let parsed = search.query.parse();
        let (strategy, mut gathered) = future::try_join(
            self.strategy(search.strategy.as_deref()),
            Box::pin(self.gather(&parsed, &search)),
        )
        .await?;
        let fused = self.ordered(&*strategy, &parsed, &search, &mut gathered).await?;
        let marked = search.marked.then_some(&parsed.query);
        let first = search.first.map_or(limit, |first| first.clamp(1, limit));
        let beyond = fused.ranked().len() > first && first < limit;
        let hits = self.hits(&fused, &gathered, marked, first).await?;
        let more = beyond && hits.len() == first;
        Ok(Found { hits, more, mode: gathered.mode, strategy: strategy.name() })
    }

    /// Searches memories.
    pub async fn memories(&self, search: Search) -> Result<Found, AppError> {
        Ok(Box::pin(self.documents(search.into())).await?.only(DocumentHit::memory))
    }
}

/// Why a query is answered by full text only, given how many hits its words found; `None` if vectors are to
/// be used as well.
pub(crate) fn text_only(parsed: &ParsedQuery, found: usize) -> Option<TextOnly> {
    match parsed.route {
        Route::Text(TextReason::Short) if found < ENOUGH_BY_WORDS && !parsed.asks_meaning(found) => {
            Some(TextOnly::Routed(TextReason::Brief))
        }
        Route::Text(reason) if !parsed.asks_meaning(found) => Some(TextOnly::Routed(reason)),
        Route::Text(_) | Route::Hybrid => None,
    }
}
