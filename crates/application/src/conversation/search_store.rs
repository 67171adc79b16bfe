//! Search over messages. Each list is cut to the top of what is within scope, not filtered after the cut.

use std::ops::Range;

use inklings_domain::{
    ids::{ChannelId, ConversationId, MessageId},
    memory::embedding::ModelId,
    search::query::TextQuery,
};

use crate::store_error::StoreError;

/// Which messages a search looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TranscriptFilter {
    /// Only this conversation, whatever its status.
    pub conversation: Option<ConversationId>,
    /// Only conversations of this channel.
    pub channel: Option<ChannelId>,
    /// Archived conversations too; always so where one conversation is named.
    pub archived: bool,
}

/// A member of one list.
#[derive(Debug, Clone, PartialEq)]
pub struct MessageHit {
    /// Which message.
    pub id: MessageId,
    /// Its conversation.
    pub conversation: ConversationId,
    /// Its place there.
    pub position: u64,
    /// The session it was part of, for an imported one.
    pub session: Option<String>,
    /// BM25 (higher is better), or cosine.
    pub score: f64,
}

/// Full-text search and search by meaning over messages: whole ones, no compact markers.
#[async_trait::async_trait]
pub trait TranscriptSearch: Send + Sync {
    /// The best `limit` messages for the words, best first (ties: newest first).
    async fn search_text(
        &self,
        query: &TextQuery,
        scope_filter: &TranscriptFilter,
        limit: usize,
    ) -> Result<Vec<MessageHit>, StoreError>;

    /// The `limit` messages nearest to a unit vector among those embedded by the same model, nearest first. Exact.
    async fn search_meaning(
        &self,
        vector: &[f32],
        model: &ModelId,
        scope_filter: &TranscriptFilter,
        limit: usize,
    ) -> Result<Vec<MessageHit>, StoreError>;

    /// The messages at these places, with score 0; places that hold none that a search looks at are left out.
    async fn at(&self, places: &[(ConversationId, u64)]) -> Result<Vec<MessageHit>, StoreError>;

    /// Where the words of a query stand in these messages: byte ranges, rising, not overlapping.
    async fn highlights(
        &self,
        query: &TextQuery,
        ids: &[MessageId],
    ) -> Result<Vec<(MessageId, Vec<Range<usize>>)>, StoreError>;
}
