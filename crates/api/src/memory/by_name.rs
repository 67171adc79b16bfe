//! Lists and searches by the names of channels and conversations, over several tiers at once: what the command line asks for. They go
//! the same way as the window's; only the filter is put together differently.

use std::time::{Duration, Instant};

use inklings_application::{error::AppError, search::Search};
use inklings_domain::{
    channel::ChannelName,
    memory::filter::{self, ScopeFilter},
    search::{query, ranking::STRATEGIES},
};

use crate::{
    App,
    error::CommandError,
    memory::filter::MemoryPage,
    search::view::SearchResponse,
    vocabulary::{Scope, Sort},
};

/// How long a shell that asks once waits for the vectors before it searches with what is there.
const VECTORS_WITHIN: Duration = Duration::from_mins(1);
/// How often it looks.
const LOOK_EVERY: Duration = Duration::from_millis(2);

/// Tiers, channels and conversations by name.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ScopeFilterSpec {
    /// The tiers; all if empty.
    pub scopes: Vec<Scope>,
    /// One channel, by name: narrows the channel and conversation tiers to it.
    pub channel: Option<String>,
    /// One conversation, by its reference code: narrows the conversation tier to it.
    pub conversation: Option<String>,
}

impl App {
    /// A page of what is in use within a scope filter.
    ///
    /// # Errors
    /// [`CommandError`] of code `not_found` for an unknown room, `invalid` for a bad cursor.
    pub async fn list_by_name(
        &self,
        scope_filter: &ScopeFilterSpec,
        sort: Sort,
        after: Option<&str>,
        limit: u32,
    ) -> Result<MemoryPage, CommandError> {
        let filter = self.scope_filter_of(scope_filter).await?;
        self.list_filtered(&filter, sort, after, limit).await
    }

    /// Searches what is in use within a scope filter. Any string is a query.
    ///
    /// # Errors
    /// [`CommandError`] of code `not_found` for an unknown room, `invalid` for an unknown strategy.
    pub async fn search_by_name(
        &self,
        query: String,
        scope_filter: &ScopeFilterSpec,
        limit: u32,
        strategy: Option<String>,
    ) -> Result<SearchResponse, CommandError> {
        let filter = self.scope_filter_of(scope_filter).await?;
        let limit = limit as usize;
        self.search(Search { query, filter, limit, first: None, strategy, vector: None, marked: true }).await
    }

    async fn scope_filter_of(&self, spec: &ScopeFilterSpec) -> Result<filter::MemoryFilter, CommandError> {
        let session = self.session()?;
        let channel = match &spec.channel {
            Some(name) => Some(session.channel(name).await?.id),
            None => None,
        };
        let conversation = match &spec.conversation {
            Some(code) => Some(session.conversation(code).await?.id),
            None => None,
        };
        let scopes: Vec<_> = spec.scopes.iter().map(|scope| (*scope).into()).collect();
        Ok(filter::MemoryFilter::active(ScopeFilter::new(&scopes, channel, conversation)))
    }

    /// Makes ready what a search for `query` needs, for a shell that asks once and ends: if the query is one for
    /// search by meaning, the model and all vectors. Without a model the search goes by words and says so.
    ///
    /// # Errors
    /// [`CommandError`] if no workspace is open.
    pub async fn prepare_search(&self, query: &str) -> Result<(), CommandError> {
        if query::parse(query).asks_meaning(0) {
            self.load_model().await;
            self.wait_for_vectors().await?;
        }
        Ok(())
    }

    /// Waits until the vectors of the model in use are in memory.
    ///
    /// # Errors
    /// [`CommandError`] if no workspace is open.
    pub async fn wait_for_vectors(&self) -> Result<(), CommandError> {
        self.session()?;
        let began = Instant::now();
        while self.vectors_ready() == Some(false) && began.elapsed() < VECTORS_WITHIN {
            tokio::time::sleep(LOOK_EVERY).await;
        }
        Ok(())
    }

    /// Whether the vectors of the model in use are in memory; asking starts to read them. `None` without a model
    /// or a workspace.
    pub(crate) fn vectors_ready(&self) -> Option<bool> {
        let session = self.session_if_open()?;
        let model = self.models.slot.get()?.model().id;
        // Every database is asked, so that all of them start to read.
        let waiting = session.all_ports().into_iter().filter(|p| !p.search.meaning_ready(&model)).count();
        Some(waiting == 0)
    }

    /// True if the workspace in use has a channel of this name, regardless of case.
    ///
    /// # Errors
    /// [`CommandError`] of code `invalid` for a name that no channel can have.
    pub async fn has_channel(&self, name: &str) -> Result<bool, CommandError> {
        let name = ChannelName::new(name).map_err(AppError::from)?;
        let rooms = &self.session()?.workspace.conversations;
        Ok(rooms.channel_named(&name).await?.is_some())
    }

    /// The names by which a search chooses its strategy, the default first.
    pub fn strategies() -> &'static [&'static str] {
        STRATEGIES
    }
}
