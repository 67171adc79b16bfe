//! Search over messages.

use std::{
    collections::{HashMap, HashSet},
    ops::Range,
    sync::{Arc, Mutex, PoisonError},
};

use chrono::{DateTime, Utc};
use inklings_domain::{
    ids::{ConversationId, MessageId},
    memory::{embedding::ModelId, word_codes::WordCodes},
    search::{people::Speakers, query::TextQuery, ranking::WordComparison},
};
use inklings_ports::{
    search::{
        store::{Asked, Completed},
        transcript_store::{MessageHit, TranscriptFilter, TranscriptSearch},
    },
    store_error::StoreError,
};
use rustc_hash::FxHashMap;
use sqlx::{Row, sqlite::SqliteRow};

use super::{
    complete, expression, speakers,
    stats::MESSAGES,
    text_index::{Condition, TextIndex, holding, holds},
    text_vectors::{TextVectors, Texts},
    utterance_cache::UtteranceCache,
    utterances::Neighbours,
    vector_index::WHOLE_BYTES,
    word_codes::AskedWords,
};
use crate::{
    connection::Database,
    error::{DbError, DbResult},
    functions::ticket::Scored,
    memory::filter_sql::Sql,
    rows::{json_list, micros, parsed},
};

/// The vectors of messages. Their place is their conversation.
const TEXTS: Texts = Texts {
    clock: "SELECT epoch, (SELECT coalesce(max(seq), 0) FROM message_vectors) AS newest FROM message_clock",
    load: "SELECT v.seq AS vector_seq, m.seq, m.conversation_id AS place, v.first_end, v.vector \
        FROM message_vectors AS v CROSS JOIN messages AS m ON m.workspace_id = v.workspace_id AND m.id = v.message_id \
        WHERE v.seq > ? AND v.model = ? ORDER BY v.seq LIMIT ?",
    firsts: "SELECT v.seq AS vector_seq, v.first_end, v.vector FROM json_each(?) AS j \
        CROSS JOIN message_vectors AS v ON v.seq = j.value",
    passages: "SELECT v.seq AS vector_seq, p.starts, p.ends, p.vector FROM json_each(?) AS j \
        CROSS JOIN message_vectors AS v ON v.seq = j.value CROSS JOIN message_passages AS p \
        ON p.workspace_id = v.workspace_id AND p.message_id = v.message_id AND p.model = v.model \
        ORDER BY v.seq, p.ordinal",
    left: "SELECT seq FROM message_vectors WHERE model = ?",
};

/// The columns that [`hit`] reads.
const HIT: &str = "m.id, m.conversation_id, m.position, m.session";

/// Joins the conversation `c` of the message `m`.
const CONVERSATION: &str =
    " CROSS JOIN conversations AS c ON c.workspace_id = m.workspace_id AND c.id = m.conversation_id";

/// Holds for searchable messages: complete ones that are not archive markers.
pub const COMPLETE: &str = "m.archive_id IS NULL AND m.delivery <> 'streaming'";

/// Search over the messages of one workspace.
#[derive(Debug)]
pub struct TranscriptIndex {
    db: Arc<Database>,
    text: TextIndex,
    utterances: UtteranceCache<MessageId>,
    models: Mutex<HashMap<ModelId, Arc<TextVectors<ConversationId>>>>,
    whole_bytes: usize,
}

/// Reads a hit from the columns of [`HIT`].
fn hit(row: &SqliteRow, score: f64) -> DbResult<MessageHit> {
    Ok(MessageHit {
        id: id(row)?,
        conversation: parsed(row.try_get("conversation_id")?, "conversation_id")?,
        position: u64::try_from(row.try_get::<i64, _>("position")?)
            .map_err(|_| DbError::Row { column: "position" })?,
        session: row.try_get("session")?,
        score,
        passage: None,
    })
}

fn id(row: &SqliteRow) -> DbResult<MessageId> {
    parsed(row.try_get("id")?, "id")
}

/// Appends a condition on the conversation `c`: it is within scope. The conversation of the filter itself is
/// checked elsewhere.
pub fn push_conversations(sql: &mut Sql, scope_filter: &TranscriptFilter) {
    sql.push("c.deleted_at IS NULL");
    if let Some(channel) = scope_filter.channel {
        sql.push(" AND c.channel_id = ").push_bind(channel.to_string());
    }
    if let Some(only) = &scope_filter.only {
        sql.push(" AND c.id IN (SELECT value FROM json_each(").push_bind(json_list(only)).push("))");
    }
    if !scope_filter.archived && scope_filter.conversation.is_none() {
        sql.push(" AND c.status <> 'archived'");
    }
    if let Some(lens) = &scope_filter.lens {
        sql.push(" AND c.id IN (SELECT value FROM json_each(").push_bind(json_list(&lens.conversations));
        sql.push("))");
    }
}

/// True if a condition on conversations would exclude any message. Deleted conversations have no messages.
pub async fn narrows(db: &Database, scope_filter: &TranscriptFilter) -> DbResult<bool> {
    if scope_filter.lens.is_some() || scope_filter.only.is_some() {
        return Ok(true);
    }
    if scope_filter.channel.is_some() || scope_filter.archived || scope_filter.conversation.is_some() {
        return Ok(scope_filter.channel.is_some());
    }
    // If nothing is archived, the conversations of matches need no lookup.
    let archived = "SELECT EXISTS (SELECT 1 FROM conversations WHERE status = 'archived')";
    Ok(sqlx::query_scalar(archived).fetch_one(&db.reader()).await?)
}

impl TranscriptIndex {
    /// Creates the index of a database. The vectors of a model load on first use.
    pub fn new(db: Arc<Database>) -> Self {
        Self::with_whole_bytes(db, WHOLE_BYTES)
    }

    /// Creates an index that retains at most `whole_bytes` bytes of unrounded vectors per model.
    pub(super) fn with_whole_bytes(db: Arc<Database>, whole_bytes: usize) -> Self {
        Self {
            db,
            whole_bytes,
            text: TextIndex::of(MESSAGES),
            utterances: UtteranceCache::default(),
            models: Mutex::default(),
        }
    }

    fn model(&self, id: &ModelId) -> Arc<TextVectors<ConversationId>> {
        let mut models = self.models.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(
            models
                .entry(id.clone())
                .or_insert_with(|| Arc::new(TextVectors::new(TEXTS, id.clone(), self.whole_bytes))),
        )
    }

    async fn words(
        &self,
        query: &TextQuery,
        scope_filter: &TranscriptFilter,
        limit: usize,
    ) -> DbResult<Vec<MessageHit>> {
        if limit == 0 {
            return Ok(Vec::new());
        }
        if let TextQuery::Literal(folded) = query {
            return self.literal(folded, scope_filter, limit).await;
        }
        let over = over(scope_filter);
        if !narrows(&self.db, scope_filter).await? {
            let best = self.text.best(&self.db, query, over, limit).await?;
            return self.scored(best, scope_filter).await;
        }
        // A lookup of the conversation of every match costs far more than the scoring. So only the best are
        // looked up, unless too many of these drop out.
        let more = limit.saturating_mul(4).saturating_add(100);
        let best = self.text.best(&self.db, query, &over, more).await?;
        let read = best.len();
        let mut hits = self.scored(best, scope_filter).await?;
        if hits.len() < limit && read == more {
            let condition =
                Condition { joins: CONVERSATION, push: &|sql| push_conversations(sql, scope_filter) };
            let best = self.text.best_that_meet(&self.db, query, over, condition, limit).await?;
            hits = self.scored(best, scope_filter).await?;
        }
        hits.truncate(limit);
        Ok(hits)
    }

    /// Reads the rows of what was found, each a row number, a score and a passage. Messages that no longer exist and those of
    /// conversations out of scope are dropped.
    async fn hits(
        &self,
        found: impl Iterator<Item = (i64, f64, Option<Range<usize>>)> + Send,
        scope_filter: &TranscriptFilter,
    ) -> DbResult<Vec<MessageHit>> {
        let (mut seqs, mut scores) = (Vec::new(), FxHashMap::default());
        for (seq, score, passage) in found {
            seqs.push(seq);
            scores.insert(seq, (score, passage));
        }
        let mut sql = Sql::new("SELECT m.seq, ");
        sql.push(HIT).push(" FROM json_each(").push_bind(serde_json::Value::from(seqs).to_string());
        sql.push(") AS j CROSS JOIN messages AS m ON m.seq = j.value").push(CONVERSATION).push(" WHERE ");
        push_conversations(&mut sql, scope_filter);
        sql.push(" ORDER BY j.key");
        let rows = sql.build().fetch_all(&self.db.reader()).await?;
        let mut hits = Vec::with_capacity(rows.len());
        for row in &rows {
            if let Some((score, passage)) = scores.remove(&row.try_get("seq")?) {
                hits.push(MessageHit { passage, ..hit(row, score)? });
            }
        }
        Ok(hits)
    }

    async fn scored(&self, best: Vec<Scored>, scope_filter: &TranscriptFilter) -> DbResult<Vec<MessageHit>> {
        let found = best.into_iter().map(|Scored { seq, score }| (seq, score, None));
        self.hits(found, scope_filter).await
    }

    /// The newest messages of people and of the World Agent that were said in a time.
    async fn of_time(
        &self,
        within: Range<DateTime<Utc>>,
        scope_filter: &TranscriptFilter,
        limit: usize,
    ) -> DbResult<Vec<MessageHit>> {
        let mut sql = Sql::new("SELECT ");
        sql.push(HIT)
            .push(" FROM messages AS m INDEXED BY messages_by_time")
            .push(CONVERSATION)
            .push(" AND ");
        push_conversations(&mut sql, scope_filter);
        sql.push(" WHERE m.at >= ")
            .push_bind(micros(within.start))
            .push(" AND m.at < ")
            .push_bind(micros(within.end));
        sql.push(" AND m.role IN ('user', 'assistant') AND ").push(COMPLETE);
        if let Some(id) = scope_filter.conversation {
            sql.push(" AND m.conversation_id = ").push_bind(id.to_string());
        }
        sql.push(" ORDER BY m.at DESC, m.seq DESC LIMIT ")
            .push_bind(i64::try_from(limit).unwrap_or(i64::MAX));
        sql.build().fetch_all(&self.db.reader()).await?.iter().map(|row| hit(row, 1.0)).collect()
    }

    /// Messages that contain a folded text, newest first.
    async fn literal(
        &self,
        folded: &str,
        scope_filter: &TranscriptFilter,
        limit: usize,
    ) -> DbResult<Vec<MessageHit>> {
        if folded.is_empty() {
            return Ok(Vec::new());
        }
        let mut sql = Sql::new("SELECT ");
        sql.push(HIT).push(", m.content FROM messages AS m").push(CONVERSATION).push(" AND ");
        push_conversations(&mut sql, scope_filter);
        sql.push(" WHERE ").push(COMPLETE);
        if !folded.is_ascii() {
            // Folding never turns ASCII into other characters, so an ASCII text cannot contain it.
            sql.push(" AND length(m.content) <> octet_length(m.content)");
        }
        match scope_filter.conversation {
            Some(id) => {
                sql.push(" AND m.workspace_id = ").push_bind(self.db.workspace_id().to_string());
                sql.push(" AND m.conversation_id = ").push_bind(id.to_string());
                sql.push(" ORDER BY m.position DESC");
            }
            None => {
                sql.push(" ORDER BY m.seq DESC");
            }
        }
        let hit = |row: &SqliteRow| holds(row.try_get("content")?, folded).then(|| hit(row, 1.0)).transpose();
        holding(&self.db, sql, limit, hit).await
    }
}

/// Makes the expression of a query. Conversations other than that of the filter are checked elsewhere.
fn over(scope_filter: &TranscriptFilter) -> impl Fn(&TextQuery) -> Option<String> {
    let conversation = scope_filter.conversation;
    move |query| expression::over_messages(query, conversation)
}

/// The conversations within scope.
async fn conversations(db: &Database, scope_filter: &TranscriptFilter) -> DbResult<HashSet<ConversationId>> {
    let mut sql = Sql::new("SELECT c.id FROM conversations AS c WHERE ");
    push_conversations(&mut sql, scope_filter);
    if let Some(id) = scope_filter.conversation {
        sql.push(" AND c.workspace_id = ").push_bind(db.workspace_id().to_string());
        sql.push(" AND c.id = ").push_bind(id.to_string());
    }
    let rows = sql.build().fetch_all(&db.reader()).await?;
    rows.iter().map(|row| parsed(row.try_get("id")?, "id")).collect()
}

#[async_trait::async_trait]
impl TranscriptSearch for TranscriptIndex {
    async fn search_text(
        &self,
        query: &TextQuery,
        scope_filter: &TranscriptFilter,
        limit: usize,
    ) -> Result<Vec<MessageHit>, StoreError> {
        self.words(query, scope_filter, limit).await.map_err(|error| self.db.fail(error))
    }

    async fn search_meaning(
        &self,
        vector: &[f32],
        model: &ModelId,
        scope_filter: &TranscriptFilter,
        limit: usize,
    ) -> Result<Vec<MessageHit>, StoreError> {
        let nearest = async {
            let within = conversations(&self.db, scope_filter).await?;
            let nearest = self.model(model).search(&self.db, vector, within, limit).await?;
            let found = nearest.into_iter().map(|near| (near.seq, near.passage.cosine, near.passage.range));
            self.hits(found, scope_filter).await
        };
        nearest.await.map_err(|error| self.db.fail(error))
    }

    async fn in_time(
        &self,
        within: Range<DateTime<Utc>>,
        scope_filter: &TranscriptFilter,
        limit: usize,
    ) -> Result<Vec<MessageHit>, StoreError> {
        self.of_time(within, scope_filter, limit).await.map_err(|error| self.db.fail(error))
    }

    async fn complete(
        &self,
        asked: Asked<'_>,
        scope_filter: &TranscriptFilter,
        ids: &[MessageId],
    ) -> Result<Vec<Completed<MessageId>>, StoreError> {
        let complete = async {
            let matches = self.text.matches(&self.db, asked.query, over(scope_filter)).await?;
            if let Some((_, model)) = asked.vector {
                self.model(model).catch_up(&self.db).await?;
            }
            let compare = |texts: &[Neighbours]| {
                let compared = |(query, model): (&[f32], &ModelId)| self.model(model).compare(texts, query);
                asked.vector.map(compared).unwrap_or_default()
            };
            complete::messages(&self.db, &self.utterances, asked, scope_filter, ids, &matches, compare).await
        };
        complete.await.map_err(|error| self.db.fail(error))
    }

    async fn compare_words(
        &self,
        words: &WordCodes,
        model: &ModelId,
        scope_filter: &TranscriptFilter,
        ids: &[MessageId],
    ) -> Result<Vec<(MessageId, WordComparison)>, StoreError> {
        let asked = AskedWords { words, model };
        let compared = complete::words_of_messages(&self.db, &self.utterances, asked, scope_filter, ids);
        compared.await.map_err(|error| self.db.fail(error))
    }

    async fn speakers(&self) -> Result<Speakers, StoreError> {
        speakers::read(&self.db, speakers::OF_MESSAGES).await.map_err(|error| self.db.fail(error))
    }

    async fn highlights(
        &self,
        query: &TextQuery,
        ids: &[MessageId],
    ) -> Result<Vec<(MessageId, Vec<Range<usize>>)>, StoreError> {
        self.text.marks(&self.db, query, ids).await.map_err(|error| self.db.fail(error))
    }
}
