//! Port for searching messages. The filter is applied before a list is cut to its limit, not afterwards.

use std::{ops::Range, sync::Arc};

use chrono::{DateTime, Utc};
use inklings_domain::{
    ids::{ChannelId, ConversationId, MessageId},
    lens::ResolvedLens,
    memory::{embedding::ModelId, word_codes::WordCodes},
    search::{people::Speakers, query::TextQuery, ranking::WordComparison},
};

use crate::{
    search::store::{Asked, Completed},
    store_error::StoreError,
};

/// Which messages a search covers.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TranscriptFilter {
    /// Only this conversation, whatever its status.
    pub conversation: Option<ConversationId>,
    /// Only conversations of this channel.
    pub channel: Option<ChannelId>,
    /// Only these conversations.
    pub only: Option<Vec<ConversationId>>,
    /// Also archived conversations. Implied if `conversation` is set.
    pub archived: bool,
    /// Only conversations that the lens shows.
    pub lens: Option<Arc<ResolvedLens>>,
}

/// One hit of a list.
#[derive(Debug, Clone, PartialEq)]
pub struct MessageHit {
    pub id: MessageId,
    pub conversation: ConversationId,
    /// Position of the message in its conversation.
    pub position: u64,
    /// The original session, for an imported message.
    pub session: Option<String>,
    /// BM25 (higher is better), or the cosine of its best passage.
    pub score: f64,
    /// The best passage, if the vector list found a message whose text has several: its bytes in the text.
    pub passage: Option<Range<usize>>,
}

/// Full-text and vector search over complete messages, without compact markers.
#[async_trait::async_trait]
pub trait TranscriptSearch: Send + Sync {
    /// The best `limit` messages for the words, best first (ties: newest first).
    async fn search_text(
        &self,
        query: &TextQuery,
        scope_filter: &TranscriptFilter,
        limit: usize,
    ) -> Result<Vec<MessageHit>, StoreError>;

    /// The `limit` messages nearest to a unit vector among those embedded by the same model, nearest first. The
    /// cosine of a message is that of its best passage. Exact, not approximate.
    async fn search_meaning(
        &self,
        vector: &[f32],
        model: &ModelId,
        scope_filter: &TranscriptFilter,
        limit: usize,
    ) -> Result<Vec<MessageHit>, StoreError>;

    /// The newest `limit` messages of the worldbuilder and the World Agent that were said in a time, newest first, with a score of 1.
    async fn in_time(
        &self,
        within: Range<DateTime<Utc>>,
        scope_filter: &TranscriptFilter,
        limit: usize,
    ) -> Result<Vec<MessageHit>, StoreError>;

    /// Compares these messages with the query in every way, and those just before and after them in the same session.
    /// Messages that no longer exist are left out. In no particular order.
    async fn complete(
        &self,
        asked: Asked<'_>,
        scope_filter: &TranscriptFilter,
        ids: &[MessageId],
    ) -> Result<Vec<Completed<MessageId>>, StoreError>;

    /// Compares the words of these messages with those of a query, one by one, also with those just before and after them in the
    /// same session. Messages without codes by the model are left out, if nothing around them has any.
    async fn compare_words(
        &self,
        words: &WordCodes,
        model: &ModelId,
        scope_filter: &TranscriptFilter,
        ids: &[MessageId],
    ) -> Result<Vec<(MessageId, WordComparison)>, StoreError>;

    /// Everybody who said something, whatever a filter says: their names are left out of queries, and never shown.
    async fn speakers(&self) -> Result<Speakers, StoreError>;

    /// Positions of the query's words in these messages: byte ranges, ascending, not overlapping.
    async fn highlights(
        &self,
        query: &TextQuery,
        ids: &[MessageId],
    ) -> Result<Vec<(MessageId, Vec<Range<usize>>)>, StoreError>;
}
