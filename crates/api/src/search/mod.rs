//! Views of search and their conversion, and the settings of search.

pub mod convert;
mod memories;
mod messages;
pub mod parts;
mod saved;
pub mod view;

use std::time::Instant;

use inklings_application::search::{DocumentHit, DocumentSearch as Search, TimeWords};
use inklings_domain::{
    memory::filter::{MemoryFilter, ScopeFilter},
    search::{query::QueryText, ranking::STRATEGIES},
};
use inklings_ports::{search::transcript_store::TranscriptFilter, vault::filter::PageFilter};

use crate::{
    commands::{SearchCommands, SettingsCommands},
    error::CommandError,
    memory::place_names_of,
    reference::conversations_by_id,
    search::view::{DocumentSearch, DocumentSearchRequest, SearchSettings},
    vocabulary::DocumentKind,
    wire,
};

impl SearchCommands<'_> {
    /// Searches documents of every kind, in one order. Any string is a valid query.
    ///
    /// # Errors
    /// [`CommandError`] of code `invalid` for an invalid id or an unknown strategy.
    pub async fn search_documents(
        &self,
        request: DocumentSearchRequest,
    ) -> Result<DocumentSearch, CommandError> {
        let started = Instant::now();
        let session = self.app.session()?;
        let channel = request.channel_id.as_deref().map(|id| wire::id("channelId", id)).transpose()?;
        let lens = crate::lens::resolved(&session, request.lens.as_ref()).await?;
        let vault = request.vault_id.as_deref().map(|id| wire::id("vaultId", id)).transpose()?;
        let asks_for = |kind| {
            let is_of_vault = vault.is_none() || kind == DocumentKind::Page;
            is_of_vault && (request.kinds.is_empty() || request.kinds.contains(&kind))
        };
        let memories = asks_for(DocumentKind::Memory)
            .then(|| MemoryFilter::active(ScopeFilter::new(&[], channel, None).through(lens.clone())));
        let messages = asks_for(DocumentKind::Message).then_some(TranscriptFilter {
            conversation: None,
            channel,
            only: None,
            archived: request.archived,
            lens: lens.clone(),
        });
        // A page belongs to no channel.
        let pages = (asks_for(DocumentKind::Page) && channel.is_none()).then(|| {
            let all = PageFilter::through(lens.as_deref());
            vault.map_or_else(|| all.clone(), |vault| all.clone().of_vault(vault))
        });
        let search = Search {
            query: QueryText::Typed(request.query),
            memories,
            messages,
            pages,
            limit: request.limit as usize,
            first: None,
            strategy: request.strategy,
            embedding: None,
            time_words: TimeWords::FromNow,
            marked: true,
        };
        let found = session.search().documents(search).await?;
        let (mut entries, mut conversations) = (Vec::new(), Vec::new());
        for hit in &found.hits {
            match hit {
                DocumentHit::Memory(hit) => entries.push(&hit.stored),
                DocumentHit::Message(hit) => conversations.push(hit.message.conversation),
                DocumentHit::Page(_) => {}
            }
        }
        let places = place_names_of(&session, &entries).await?;
        let known = conversations_by_id(&session, conversations).await?;
        Ok(convert::documents(&found, &places, &known, started.elapsed().as_secs_f64() * 1000.0))
    }
}

impl SettingsCommands<'_> {
    /// The settings of search.
    ///
    /// # Errors
    /// [`CommandError`] if the account's database cannot be read.
    pub async fn search_settings(&self) -> Result<SearchSettings, CommandError> {
        let strategy = self.app.session()?.search().chosen_strategy().await?;
        let strategies = STRATEGIES.iter().map(|name| (*name).to_owned()).collect();
        Ok(SearchSettings { strategy: strategy.to_owned(), strategies })
    }

    /// Chooses the fusion strategy of searches that name none.
    ///
    /// # Errors
    /// [`CommandError`] of code `invalid` for an unknown strategy.
    pub async fn set_search_strategy(&self, strategy: &str) -> Result<SearchSettings, CommandError> {
        self.app.session()?.search().choose_strategy(strategy).await?;
        self.search_settings().await
    }
}
