//! Searches messages by words and by meaning. A message also scores with what was said around it.

use std::{collections::HashMap, ops::Range};

use futures::future;
use inklings_domain::{
    conversation::message::Message,
    ids::MessageId,
    memory::embedding::ModelId,
    search::{
        query::{self, ParsedQuery, TextQuery},
        ranking::{Candidate, Contribution, talk::Named},
    },
};

use crate::{
    conversation::search_store::{MessageHit, TranscriptFilter},
    error::AppError,
    search::{MAX_HITS, Mode, TextOnly, ordered, store::Asked, text_only},
    services::Searcher,
};

/// A search request for messages.
#[derive(Debug, Clone, Default)]
pub struct MessageSearch {
    /// The query as typed.
    pub query: String,
    /// Conversations to search. Applied within the list queries.
    pub filter: TranscriptFilter,
    /// Wanted hits, at most [`MAX_HITS`].
    pub limit: usize,
    /// Name of the fusion strategy; the worldbuilder's choice if `None`.
    pub strategy: Option<String>,
    /// The query's vector, if the caller already has it.
    pub vector: Option<Vec<f32>>,
}

/// One search hit.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundMessage {
    /// The message.
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

/// The result of a search.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundMessages {
    /// Hits, best first.
    pub hits: Vec<FoundMessage>,
    /// Which lists contributed.
    pub mode: Mode,
}

impl Searcher<'_> {
    /// Searches messages. Any string is a valid query.
    ///
    /// # Errors
    /// [`AppError::Input`] for an unknown strategy; [`AppError::Store`] if the database cannot be read. A missing or failing
    /// model is not an error.
    pub async fn messages(&self, search: MessageSearch) -> Result<FoundMessages, AppError> {
        let limit = search.limit.clamp(1, MAX_HITS);
        let parsed = query::parse(&search.query);
        let candidates = self.message_candidates(&parsed, &search);
        let (strategy, (candidates, mut passages, mode)) =
            future::try_join(self.strategy(search.strategy.as_deref()), candidates).await?;
        let mut ranked = ordered(&*strategy, &parsed, &candidates);
        ranked.truncate(limit);
        let ids: Vec<MessageId> = ranked.iter().map(|hit| hit.id).collect();
        let found = self.session.workspace.transcript.messages(&ids).await?;
        let mut messages: HashMap<MessageId, Message> = found.into_iter().map(|m| (m.id(), m)).collect();
        let marked = self.session.workspace.transcript_search.highlights(&parsed.query, &ids).await?;
        let mut spans: HashMap<MessageId, Vec<Range<usize>>> = marked.into_iter().collect();
        let hits = ranked.into_iter().filter_map(|hit| {
            let message = messages.remove(&hit.id)?;
            let spans = spans.remove(&hit.id).unwrap_or_default();
            let (score, contributions) = (hit.score, hit.contributions);
            Some(FoundMessage { message, score, contributions, spans, passage: passages.remove(&hit.id) })
        });
        Ok(FoundMessages { hits: hits.collect(), mode })
    }

    /// The candidates, the best passages of those of the meaning list, and which lists there are.
    async fn message_candidates(
        &self,
        parsed: &ParsedQuery,
        search: &MessageSearch,
    ) -> Result<(Vec<Candidate<MessageId>>, HashMap<MessageId, Range<usize>>, Mode), AppError> {
        // The same candidates for every length: values are compared within the candidates, so a shorter list would else not
        // be the head of a longer one.
        let pool = MAX_HITS;
        let index = &self.session.workspace.transcript_search;
        let text = index.search_text(&parsed.query, &search.filter, pool).await?;
        let (near, query, mode) =
            self.near_messages(parsed, text.len(), &search.filter, pool, search.vector.clone()).await?;
        let mut candidates: HashMap<MessageId, Candidate<MessageId>> = HashMap::new();
        let of = |id| move || Candidate::new(id);
        for hit in &text {
            candidates.entry(hit.id).or_insert_with(of(hit.id)).text = Some(hit.score);
        }
        for hit in &near {
            candidates.entry(hit.id).or_insert_with(of(hit.id)).meaning = Some(hit.score);
        }
        let passages = near.into_iter().filter_map(|hit| Some((hit.id, hit.passage?))).collect();
        if let TextQuery::Any(_) = parsed.query {
            let named = Named::in_query(&parsed.text);
            let vector = query.as_ref().map(|(vector, model)| (vector.as_slice(), model));
            let asked = Asked { query: &parsed.query, named: &named, vector };
            let ids: Vec<MessageId> = candidates.keys().copied().collect();
            for completed in index.complete(asked, &search.filter, &ids).await? {
                let candidate = candidates.entry(completed.id).or_insert_with(of(completed.id));
                candidate.complete(completed.text, completed.meaning, completed.talk);
            }
        }
        Ok((candidates.into_values().collect(), passages, mode))
    }

    async fn near_messages(
        &self,
        parsed: &ParsedQuery,
        found: usize,
        filter: &TranscriptFilter,
        pool: usize,
        vector: Option<Vec<f32>>,
    ) -> Result<(Vec<MessageHit>, Option<(Vec<f32>, ModelId)>, Mode), AppError> {
        if let Some(reason) = text_only(parsed, found) {
            return Ok((Vec::new(), None, Mode::Text(reason)));
        }
        let Some(embedder) = self.session.embedder.get() else {
            return Ok((Vec::new(), None, Mode::Text(TextOnly::NoModel)));
        };
        let vector = match vector {
            Some(vector) => vector,
            None => match embedder.embed_query(&parsed.text).await {
                Ok(vector) => vector,
                Err(error) => {
                    tracing::warn!(%error, "search by meaning is off for this query");
                    return Ok((Vec::new(), None, Mode::Text(TextOnly::ModelFailed)));
                }
            },
        };
        let search = &self.session.workspace.transcript_search;
        let model = embedder.model().id;
        let mut near = search.search_meaning(&vector, &model, filter, pool).await?;
        if let Some(floor) = parsed.floor() {
            near.retain(|hit| hit.score >= floor);
        }
        Ok((near, Some((vector, model)), Mode::Hybrid))
    }
}
