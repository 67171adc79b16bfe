//! Searches messages by words and by meaning. A message also scores with what was said around it.

use std::{collections::BTreeSet, ops::Range};

use inklings_domain::{
    conversation::{Conversation, message::Message},
    ids::ConversationId,
    memory::embedding::Embedding,
    search::{query::QueryText, ranking::Contribution},
};
use inklings_ports::search::transcript_store::TranscriptFilter;

use crate::{
    error::AppError,
    search::{DocumentHit, DocumentSearch, Found},
    services::Searcher,
};

/// A search request for messages.
#[derive(Debug, Clone, Default)]
pub struct MessageSearch {
    pub query: QueryText,
    /// Conversations to search. Applied within the list queries.
    pub filter: TranscriptFilter,
    /// Wanted hits.
    pub limit: usize,
    /// Name of the fusion strategy; the worldbuilder's choice if `None`.
    pub strategy: Option<String>,
    /// The query's embedding, if the caller already has it.
    pub embedding: Option<Embedding>,
}

/// One search hit.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundMessage {
    pub message: Message,
    /// Sum of the contributions.
    pub score: f64,
    /// Score contribution of each list.
    pub contributions: Vec<Contribution>,
    /// Byte ranges of the query's words in its text.
    pub spans: Vec<Range<usize>>,
    /// The passage nearest in meaning, if vector search found the message and its text has several: its bytes in the
    /// text.
    pub passage: Option<Range<usize>>,
}

impl From<MessageSearch> for DocumentSearch {
    fn from(search: MessageSearch) -> Self {
        let MessageSearch { query, filter, limit, strategy, embedding } = search;
        Self { query, messages: Some(filter), limit, strategy, embedding, marked: true, ..Self::default() }
    }
}

impl Searcher<'_> {
    /// Searches messages.
    pub async fn messages(&self, search: MessageSearch) -> Result<Found<FoundMessage>, AppError> {
        Ok(Box::pin(self.documents(search.into())).await?.only(DocumentHit::message))
    }

    /// The best messages for a query with their conversations, as agents and clients read them.
    pub(crate) async fn messages_of(
        &self,
        filter: TranscriptFilter,
        query: &str,
        limit: usize,
    ) -> Result<Vec<(Conversation, Message)>, AppError> {
        let query = QueryText::Typed(query.to_owned());
        let search = MessageSearch { query, filter, limit, ..MessageSearch::default() };
        let found = self.messages(search).await?.hits;
        let ids: BTreeSet<ConversationId> = found.iter().map(|hit| hit.message.conversation).collect();
        let ids: Vec<ConversationId> = ids.into_iter().collect();
        let of = self.session.workspace.conversations.conversations(&ids).await?;
        let with_conversation = |hit: FoundMessage| {
            let conversation = of.iter().find(|of| of.id == hit.message.conversation)?;
            Some((conversation.clone(), hit.message))
        };
        Ok(found.into_iter().filter_map(with_conversation).collect())
    }
}
