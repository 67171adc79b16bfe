//! Selects the part of a conversation shown to the agent: newest, important and similar messages, each with
//! the reasons for its selection.

use inklings_domain::{
    conversation::message::{CompactMarker, Message},
    ids::ConversationId,
    memory::Importance,
    search::{
        conversation_query::ConversationQuery,
        query::parse_plain,
        transcript::{self, ContextItem, RECENCY, RELEVANCE, RELEVANT, SALIENCE, SALIENT},
    },
};
use inklings_ports::search::transcript_store::TranscriptFilter;

use crate::{
    deadline::{LAYER, within},
    error::AppError,
    search::by_meaning,
    services::Contexts,
};

/// Maximum messages per selection leg.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ContextLimits {
    /// Newest messages.
    pub recency: usize,
    /// Important messages.
    pub salience: usize,
    /// Similar messages.
    pub relevance: usize,
}

impl Default for ContextLimits {
    fn default() -> Self {
        Self { recency: RECENCY, salience: SALIENCE, relevance: RELEVANCE }
    }
}

impl Contexts<'_> {
    /// The messages shown for a query. The newest messages come
    /// from after the latest compaction; important and similar ones from the whole transcript. A failing leg
    /// is logged and left out.
    ///
    /// # Errors
    /// [`AppError::NotFound`] if there is no such conversation.
    pub async fn of_conversation(
        &self,
        conversation: ConversationId,
        query: &ConversationQuery,
        limits: ContextLimits,
    ) -> Result<Vec<ContextItem>, AppError> {
        let replayed = self.replayed(conversation).await?;
        self.context_within(conversation, &replayed, query, limits).await
    }

    /// As [`Self::of_conversation`], for callers that have already read the replayed messages.
    pub(crate) async fn context_within(
        &self,
        conversation: ConversationId,
        replayed: &[Message],
        query: &ConversationQuery,
        limits: ContextLimits,
    ) -> Result<Vec<ContextItem>, AppError> {
        let query = query.text(replayed.iter());
        let recent = replayed[replayed.len().saturating_sub(limits.recency)..].to_vec();
        let salient = self.salient(conversation, limits.salience);
        let salient = within(&*self.session.clock, LAYER, salient).await.unwrap_or_else(|error| {
            tracing::warn!(%error, "the important messages are left out");
            Vec::new()
        });
        let near = match &query {
            Some(query) => {
                let near = self.similar(conversation, query, limits.relevance);
                within(&*self.session.clock, LAYER, near).await.unwrap_or_else(|error| {
                    tracing::warn!(%error, "the similar messages are left out");
                    Vec::new()
                })
            }
            None => Vec::new(),
        };
        Ok(transcript::context(recent, salient, near))
    }

    /// Messages replayed in a turn: the newest ones after the latest compaction, without markers, and all of the current turn.
    ///
    /// # Errors
    /// [`AppError::NotFound`] if there is no such conversation.
    pub async fn replayed(&self, conversation: ConversationId) -> Result<Vec<Message>, AppError> {
        let through = self.compacted_through(conversation).await?;
        let newest = self.session.transcripts().newest_turns(conversation).await?;
        Ok(newest.into_iter().filter(|m| m.position > through && !m.is_marker()).collect())
    }

    /// Position of the last message covered by a compaction; 0 if there is none.
    pub async fn compacted_through(&self, conversation: ConversationId) -> Result<u64, AppError> {
        let marker = self.latest_marker(conversation).await?;
        Ok(marker.map_or(0, |marker| marker.through))
    }

    /// The effective compact marker of a transcript. A branch has those of the messages that it shares, unless they cover more.
    pub(crate) async fn latest_marker(
        &self,
        conversation: ConversationId,
    ) -> Result<Option<CompactMarker>, AppError> {
        let mut latest: Option<CompactMarker> = None;
        for part in self.session.transcripts().parts(conversation).await? {
            let found =
                self.session.workspace.transcript.latest_marker(part.conversation, part.through).await?;
            let found = found.and_then(|message| message.body.marker);
            latest = latest.into_iter().chain(found).max_by_key(|marker| marker.through);
        }
        Ok(latest)
    }

    async fn salient(&self, conversation: ConversationId, limit: usize) -> Result<Vec<Message>, AppError> {
        let at_least = Importance::new(SALIENT)?;
        let mut found: Vec<Message> = Vec::new();
        for part in self.session.transcripts().parts(conversation).await? {
            let wanted = limit - found.len();
            let transcript = &self.session.workspace.transcript;
            let mut earlier = transcript.salient(part.conversation, part.through, at_least, wanted).await?;
            earlier.append(&mut found);
            found = earlier;
            if found.len() >= limit {
                break;
            }
        }
        Ok(found)
    }

    async fn similar(
        &self,
        conversation: ConversationId,
        query: &str,
        limit: usize,
    ) -> Result<Vec<(Message, f64)>, AppError> {
        let Some(embedder) = self.session.embedder.get() else { return Ok(Vec::new()) };
        let text = parse_plain(query).text;
        let vector = by_meaning::embedding(self.session, &*embedder, &text).await??.vector;
        let parts = self.session.transcripts().parts(conversation).await?;
        let mut hits = Vec::new();
        for part in &parts {
            let of_part =
                TranscriptFilter { conversation: Some(part.conversation), ..TranscriptFilter::default() };
            // The query is made of stored messages, which are its own nearest hits. Double the limit to leave room for
            // them and their repetitions.
            let search = &self.session.workspace.transcript_search;
            hits.extend(search.search_meaning(&vector, &embedder.model().id, &of_part, limit * 2).await?);
        }
        let belongs = |message: &Message| {
            parts
                .iter()
                .any(|part| part.conversation == message.conversation && message.position <= part.through)
        };
        let ids: Vec<_> = hits.iter().filter(|hit| hit.score > RELEVANT).map(|hit| hit.id).collect();
        let messages = self.session.workspace.transcript.messages(&ids).await?;
        let mut near: Vec<(Message, f64)> = messages
            .into_iter()
            .filter(|m| m.is_speech() && !query.contains(m.body.content.trim()) && belongs(m))
            .filter_map(|m| hits.iter().find(|hit| hit.id == m.id()).map(|hit| (m, hit.score)))
            .collect();
        near.sort_by(|a, b| b.1.total_cmp(&a.1));
        near.truncate(limit);
        Ok(near)
    }
}
