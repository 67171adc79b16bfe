//! Lists by the names of channels and conversations, over several tiers at once, for the command
//! line. Only the construction of the filter differs from the window's path.

use chrono::Duration;
use inklings_application::error::AppError;
use inklings_domain::{
    channel::ChannelName,
    memory::filter::{self, ScopeFilter},
    search::{query, ranking::STRATEGIES},
};

use crate::view::lens::LensSpec;
use crate::{
    commands::MemoryCommands,
    error::CommandError,
    memory::filter::MemoryPage,
    vocabulary::{Scope, Sort},
};

/// Maximum time that a one-command shell waits for vectors before it searches without the missing ones.
pub(crate) const VECTORS_WITHIN: Duration = Duration::minutes(1);

/// A scope filter by names: tiers, channel and conversation.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ScopeFilterSpec {
    /// The tiers; all if empty.
    pub scopes: Vec<Scope>,
    /// One channel, by name: narrows the channel and conversation tiers to it.
    pub channel: Option<String>,
    /// One conversation, by its reference code: narrows the conversation tier to it.
    pub conversation: Option<String>,
    /// Whose knowledge is shown, and up to when the story has happened.
    pub lens: LensSpec,
}

impl MemoryCommands<'_> {
    /// A page of the entries in use within a scope filter.
    ///
    /// # Errors
    /// [`CommandError`] of code `not_found` for an unknown channel or conversation, `invalid` for an invalid
    /// cursor.
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

    pub(crate) async fn scope_filter_of(
        &self,
        spec: &ScopeFilterSpec,
    ) -> Result<filter::MemoryFilter, CommandError> {
        let session = self.app.session()?;
        let channel = match &spec.channel {
            Some(name) => Some(session.channels().named(name).await?.id),
            None => None,
        };
        let conversation = match &spec.conversation {
            Some(code) => Some(session.conversations().get(code).await?.id),
            None => None,
        };
        let scopes: Vec<_> = spec.scopes.iter().map(|scope| (*scope).into()).collect();
        let lens = crate::lens::resolved(&session, Some(&spec.lens)).await?;
        Ok(filter::MemoryFilter::active(ScopeFilter::new(&scopes, channel, conversation).through(lens)))
    }

    /// Loads the model and all vectors if a search for `query` uses vectors, for a shell that runs one
    /// command. Without a model the search uses the full-text index only and reports that.
    ///
    /// # Errors
    /// [`CommandError`] if no workspace is open.
    pub async fn prepare_search(&self, query: &str) -> Result<(), CommandError> {
        if query::parse(query).asks_meaning(0) {
            self.app.model().load_model().await;
            self.wait_for_vectors().await?;
        }
        Ok(())
    }

    /// Waits until the vectors of the model in use are in memory.
    ///
    /// # Errors
    /// [`CommandError`] if no workspace is open.
    pub async fn wait_for_vectors(&self) -> Result<(), CommandError> {
        self.app.session()?.embeddings().wait_until_loaded(VECTORS_WITHIN).await;
        Ok(())
    }

    /// True if the vectors of the model in use are in memory; starts to load them otherwise. `None` without a
    /// model or a workspace.
    pub(crate) fn vectors_ready(&self) -> Option<bool> {
        self.app.session_if_open()?.embeddings().are_loaded()
    }

    /// True if the workspace in use has a channel of this name, ignoring case.
    ///
    /// # Errors
    /// [`CommandError`] of code `invalid` for an invalid channel name.
    pub async fn has_channel(&self, name: &str) -> Result<bool, CommandError> {
        let name = ChannelName::new(name).map_err(AppError::from)?;
        let store = &self.app.session()?.workspace.conversations;
        Ok(store.channel_named(&name).await?.is_some())
    }

    /// Names of the search strategies, the default first.
    pub fn strategies() -> &'static [&'static str] {
        STRATEGIES
    }
}
