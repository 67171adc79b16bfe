//! The search of memories alone.

use std::time::Instant;

use inklings_application::search::Search;
use inklings_domain::search::query::QueryText;
use inklings_ports::memory::store::StoredEntry;

use crate::{
    commands::MemoryCommands,
    error::CommandError,
    memory::{by_name::ScopeFilterSpec, convert::filter, place_names_of},
    search::{
        convert,
        view::{SearchRequest, SearchResponse},
    },
};

impl MemoryCommands<'_> {
    /// Searches memory. Any string is a valid query.
    ///
    /// # Errors
    /// [`CommandError`] of code `invalid` for an invalid id or an unknown strategy.
    pub async fn search_memories(&self, request: SearchRequest) -> Result<SearchResponse, CommandError> {
        let filter = filter(&*self.app.session()?, request.filter).await?;
        let search = Search {
            first: request.first.map(|first| first as usize),
            strategy: request.strategy,
            marked: true,
            ..Search::new(QueryText::Typed(request.query), filter, request.limit as usize)
        };
        self.search(search).await
    }

    /// Runs a search and converts its result.
    pub(crate) async fn search(&self, search: Search) -> Result<SearchResponse, CommandError> {
        let started = Instant::now();
        let session = self.app.session()?;
        let found = session.search().memories(search).await?;
        let entries: Vec<&StoredEntry> = found.hits.iter().map(|hit| &hit.stored).collect();
        let places = place_names_of(&session, &entries).await?;
        Ok(convert::found(&found, &places, started.elapsed().as_secs_f64() * 1000.0))
    }

    /// Searches the entries in use within a scope filter. Any string is a valid query.
    ///
    /// # Errors
    /// [`CommandError`] of code `not_found` for an unknown channel or conversation, `invalid` for an unknown
    /// strategy.
    pub async fn search_by_name(
        &self,
        query: String,
        scope_filter: &ScopeFilterSpec,
        limit: u32,
        strategy: Option<String>,
    ) -> Result<SearchResponse, CommandError> {
        let filter = self.scope_filter_of(scope_filter).await?;
        let (query, limit) = (QueryText::Typed(query), limit as usize);
        self.search(Search { strategy, marked: true, ..Search::new(query, filter, limit) }).await
    }
}
