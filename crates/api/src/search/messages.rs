//! The search of messages alone.

use std::time::Instant;

use inklings_application::search::messages::MessageSearch as Search;
use inklings_domain::search::query::QueryText;
use inklings_ports::search::transcript_store::TranscriptFilter;

use crate::{
    commands::ConversationCommands,
    error::CommandError,
    reference::conversations_by_id,
    search::{
        convert,
        view::{MessageSearch, MessageSearchRequest},
    },
};

impl ConversationCommands<'_> {
    /// Searches messages.
    ///
    /// # Errors
    /// [`CommandError`] of code `not_found` for an unknown channel or conversation.
    pub async fn search_messages(
        &self,
        request: MessageSearchRequest,
    ) -> Result<MessageSearch, CommandError> {
        let started = Instant::now();
        let session = self.app.session()?;
        let conversation = match &request.conversation {
            Some(name) => Some(session.conversations().named(name).await?.id),
            None => None,
        };
        let channel = request.channel_id.as_deref().map(|id| crate::wire::id("channelId", id)).transpose()?;
        let search = Search {
            query: QueryText::Typed(request.query),
            filter: TranscriptFilter {
                conversation,
                channel,
                only: None,
                archived: request.archived,
                lens: None,
            },
            limit: request.limit as usize,
            strategy: request.strategy,
            embedding: None,
        };
        let found = session.search().messages(search).await?;
        let places =
            conversations_by_id(&session, found.hits.iter().map(|hit| hit.message.conversation).collect())
                .await?;
        Ok(convert::messages(&found, &places, started.elapsed().as_secs_f64() * 1000.0))
    }
}
