//! Searches messages by words and by meaning. A message also scores with words found in the neighbouring
//! messages.

use std::{collections::HashMap, ops::Range};

use inklings_domain::{
    conversation::message::Message,
    ids::{ConversationId, MessageId},
    search::{
        query::{self, ParsedQuery, Route},
        transcript::{TurnCandidate, TurnList, around, rank_turns},
    },
};

use crate::{
    conversation::search_store::{MessageHit, TranscriptFilter},
    error::AppError,
    search::{MAX_HITS, Mode, POOL, TextOnly, text_only},
    services::Searcher,
};

/// One search hit.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundMessage {
    /// The message.
    pub message: Message,
    /// Sum of `parts`.
    pub score: f64,
    /// Score contribution of each list.
    pub parts: Vec<(TurnList, f64)>,
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
    /// [`AppError::Store`] if the database cannot be read. A missing or failing model is not an error.
    pub async fn messages(
        &self,
        query: &str,
        scope_filter: &TranscriptFilter,
        limit: usize,
        vector: Option<Vec<f32>>,
    ) -> Result<FoundMessages, AppError> {
        let limit = limit.clamp(1, MAX_HITS);
        let pool = POOL.max(limit * 2);
        let parsed = query::parse(query);
        let search = &self.session.workspace.transcript_search;
        let text = search.search_text(&parsed.query, scope_filter, pool).await?;
        let (near, mode) = self.near_messages(&parsed, text.len(), scope_filter, pool, vector).await?;

        let mut candidates: Vec<TurnCandidate> = Vec::new();
        let mut places: HashMap<(ConversationId, u64), usize> = HashMap::new();
        let mut turn = |hit: &MessageHit| {
            *places.entry((hit.conversation, hit.position)).or_insert_with(|| {
                candidates.push(TurnCandidate {
                    id: hit.id,
                    conversation: hit.conversation,
                    position: hit.position,
                    session: hit.session.clone(),
                    text: None,
                    meaning: None,
                });
                candidates.len() - 1
            })
        };
        let texts: Vec<(usize, f64)> = text.iter().map(|hit| (turn(hit), hit.score)).collect();
        let meanings: Vec<(usize, f64)> = near.iter().map(|hit| (turn(hit), hit.score)).collect();
        for (n, score) in texts {
            candidates[n].text = Some(score);
        }
        for (n, score) in meanings {
            candidates[n].meaning = Some(score);
        }
        let mut passages: HashMap<MessageId, Range<usize>> =
            near.iter().filter_map(|hit| Some((hit.id, hit.passage.clone()?))).collect();
        self.add_neighbours(&mut candidates, &places, &text).await?;

        let mut ranked = rank_turns(&candidates);
        if parsed.route != Route::Hybrid {
            // For a short query, rank hits by words before hits by meaning only.
            ranked.sort_by_key(|turn| turn.parts.iter().all(|(list, _)| *list == TurnList::Meaning));
        }
        ranked.truncate(limit);
        let ids: Vec<MessageId> = ranked.iter().map(|turn| turn.id).collect();
        let mut messages: HashMap<MessageId, Message> = self
            .session
            .workspace
            .transcript
            .messages(&ids)
            .await?
            .into_iter()
            .map(|m| (m.id(), m))
            .collect();
        let mut spans: HashMap<MessageId, Vec<Range<usize>>> =
            search.highlights(&parsed.query, &ids).await?.into_iter().collect();
        let hits = ranked
            .into_iter()
            .filter_map(|turn| {
                let message = messages.remove(&turn.id)?;
                let spans = spans.remove(&turn.id).unwrap_or_default();
                let passage = passages.remove(&turn.id);
                Some(FoundMessage { message, score: turn.score, parts: turn.parts, spans, passage })
            })
            .collect();
        Ok(FoundMessages { hits, mode })
    }

    async fn near_messages(
        &self,
        parsed: &ParsedQuery,
        found: usize,
        scope_filter: &TranscriptFilter,
        pool: usize,
        vector: Option<Vec<f32>>,
    ) -> Result<(Vec<MessageHit>, Mode), AppError> {
        if let Some(reason) = text_only(parsed, found) {
            return Ok((Vec::new(), Mode::Text(reason)));
        }
        let Some(embedder) = self.session.embedder.get() else {
            return Ok((Vec::new(), Mode::Text(TextOnly::NoModel)));
        };
        let vector = match vector {
            Some(vector) => vector,
            None => match embedder.embed_query(&parsed.text).await {
                Ok(vector) => vector,
                Err(error) => {
                    tracing::warn!(%error, "search by meaning is off for this query");
                    return Ok((Vec::new(), Mode::Text(TextOnly::ModelFailed)));
                }
            },
        };
        let search = &self.session.workspace.transcript_search;
        let mut near = search.search_meaning(&vector, &embedder.model().id, scope_filter, pool).await?;
        if let Some(floor) = parsed.floor() {
            near.retain(|hit| hit.score >= floor);
        }
        Ok((near, Mode::Hybrid))
    }

    /// Adds the neighbours of messages with text hits as candidates that score only with those neighbours'
    /// words.
    async fn add_neighbours(
        &self,
        candidates: &mut Vec<TurnCandidate>,
        places: &HashMap<(ConversationId, u64), usize>,
        text: &[MessageHit],
    ) -> Result<(), AppError> {
        let mut wanted: Vec<(ConversationId, u64)> = text
            .iter()
            .flat_map(|hit| around(hit.position).map(|(position, _)| (hit.conversation, position)))
            .filter(|place| !places.contains_key(place))
            .collect();
        wanted.sort_unstable();
        wanted.dedup();
        for hit in self.session.workspace.transcript_search.at(&wanted).await? {
            candidates.push(TurnCandidate {
                id: hit.id,
                conversation: hit.conversation,
                position: hit.position,
                session: hit.session,
                text: None,
                meaning: None,
            });
        }
        Ok(())
    }
}
