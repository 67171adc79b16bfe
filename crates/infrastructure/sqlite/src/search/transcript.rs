//! Search over messages: full-text search with the same scoring as entries, and vector search in memory.

use std::{
    collections::{HashMap, HashSet},
    ops::Range,
    sync::{Arc, Mutex, PoisonError},
};

use futures::TryStreamExt as _;
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
use sqlx::{Row, sqlite::SqliteRow};

use super::{
    complete, expression, speakers,
    stats::{Frequencies, MESSAGES},
    text::holds,
    text_vectors::{TextVectors, Texts},
    utterance_cache::UtteranceCache,
    utterances::Neighbours,
    vector_index::{Near, WHOLE_BYTES},
    word_codes::AskedWords,
};
use crate::{
    connection::Database,
    error::{DbError, DbResult},
    functions::{
        highlight,
        matches::{Matches, RecentMatches},
    },
    memory::filter_sql::Sql,
    rows::{json_list, parsed},
};

/// The most messages that a search for symbols reads, newest first.
const MOST_READ: i64 = 50_000;

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

/// Holds for searchable messages: complete ones that are not archive markers.
pub const COMPLETE: &str = "m.archive_id IS NULL AND m.delivery <> 'streaming'";

/// Search over the messages of one workspace.
#[derive(Debug)]
pub struct TranscriptIndex {
    db: Arc<Database>,
    frequencies: Frequencies,
    recent: RecentMatches,
    utterances: UtteranceCache<MessageId>,
    models: Mutex<HashMap<ModelId, Arc<TextVectors<ConversationId>>>>,
    whole_bytes: usize,
}

/// Whether the best are chosen before or after the check of their conversations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Cut {
    Before,
    After,
}

/// Hits within scope, and the number of matches read to find them.
struct Ranked {
    read: usize,
    hits: Vec<MessageHit>,
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
            frequencies: Frequencies::of(MESSAGES),
            recent: RecentMatches::default(),
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
        if expression::text(query).is_none() {
            return Ok(Vec::new());
        }
        let Some(plan) = self.frequencies.plan(&self.db, query).await? else { return Ok(Vec::new()) };
        let Some(expression) = expression::over_messages(&plan.query, scope_filter.conversation) else {
            return Ok(Vec::new());
        };
        if !narrows(&self.db, scope_filter).await? {
            let ranked =
                self.ranked(&expression, plan.ticket.number(), scope_filter, limit, Cut::Before).await?;
            self.recent.put(expression, plan.tick, plan.ticket.matches());
            return Ok(ranked.hits);
        }
        // A lookup of the conversation of every match costs far more than the scoring. So only the best are
        // looked up, unless too many of these drop out.
        let more = limit.saturating_mul(4).saturating_add(100);
        let best = self.ranked(&expression, plan.ticket.number(), scope_filter, more, Cut::Before).await?;
        self.recent.put(expression.clone(), plan.tick, plan.ticket.matches());
        if best.hits.len() >= limit || best.read < more {
            return Ok(best.hits.into_iter().take(limit).collect());
        }
        Ok(self.ranked(&expression, plan.ticket.number(), scope_filter, limit, Cut::After).await?.hits)
    }

    async fn ranked(
        &self,
        expression: &str,
        ticket: i64,
        scope_filter: &TranscriptFilter,
        limit: usize,
        cut: Cut,
    ) -> DbResult<Ranked> {
        let join =
            " CROSS JOIN conversations AS c ON c.workspace_id = m.workspace_id AND c.id = m.conversation_id";
        let mut sql = Sql::new("SELECT ");
        sql.push(HIT).push(", t.score, ");
        push_conversations(&mut sql, scope_filter);
        sql.push(" AS within FROM (SELECT messages_fts.rowid AS seq, inklings_bm25(messages_fts, ");
        sql.push_bind(ticket).push(") AS score FROM messages_fts");
        if cut == Cut::After {
            sql.push(" CROSS JOIN messages AS m ON m.seq = messages_fts.rowid").push(join);
        }
        sql.push(" WHERE messages_fts MATCH ").push_bind(expression.to_owned());
        if cut == Cut::After {
            sql.push(" AND ");
            push_conversations(&mut sql, scope_filter);
        }
        sql.push(" ORDER BY score, messages_fts.rowid DESC LIMIT ");
        sql.push_bind(i64::try_from(limit).unwrap_or(i64::MAX));
        sql.push(") AS t CROSS JOIN messages AS m ON m.seq = t.seq").push(join);
        sql.push(" ORDER BY t.score, t.seq DESC");
        let rows = sql.build().fetch_all(&self.db.reader()).await?;
        let mut hits = Vec::with_capacity(rows.len());
        for row in &rows {
            if row.try_get("within")? {
                // FTS5 scores are negative: lower is better.
                hits.push(hit(row, -row.try_get::<f64, _>("score")?)?);
            }
        }
        Ok(Ranked { read: rows.len(), hits })
    }

    /// Messages that contain a folded text, newest first; all have the same score.
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
        sql.push(HIT).push(", m.content FROM messages AS m CROSS JOIN conversations AS c ");
        sql.push("ON c.workspace_id = m.workspace_id AND c.id = m.conversation_id AND ");
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
                sql.push(" ORDER BY m.position DESC LIMIT ").push_bind(MOST_READ);
            }
            None => {
                sql.push(" ORDER BY m.seq DESC LIMIT ").push_bind(MOST_READ);
            }
        }
        let mut hits = Vec::new();
        let query = sql.build();
        let mut rows = query.fetch(&self.db.reader());
        while let Some(row) = rows.try_next().await? {
            if holds(row.try_get("content")?, folded) {
                hits.push(hit(&row, 1.0)?);
                if hits.len() >= limit {
                    break;
                }
            }
        }
        Ok(hits)
    }

    /// Everything that a query matches, in conversations outside of the filter too.
    async fn matches(&self, query: &TextQuery, scope_filter: &TranscriptFilter) -> DbResult<Arc<Matches>> {
        let Some(plan) = self.frequencies.plan(&self.db, query).await? else { return Ok(Arc::default()) };
        let Some(expression) = expression::over_messages(&plan.query, scope_filter.conversation) else {
            return Ok(Arc::default());
        };
        if let Some(matches) = self.recent.get(&expression, plan.tick) {
            return Ok(matches);
        }
        self.ranked(&expression, plan.ticket.number(), scope_filter, 1, Cut::Before).await?;
        Ok(self.recent.put(expression, plan.tick, plan.ticket.matches()))
    }

    async fn marks(
        &self,
        query: &TextQuery,
        ids: &[MessageId],
    ) -> DbResult<Vec<(MessageId, Vec<Range<usize>>)>> {
        if let TextQuery::Literal(folded) = query {
            return self.literal_marks(folded, ids).await;
        }
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let query = &self.frequencies.spelled(&self.db, query).await?;
        let Some(phrases) = expression::marks(query) else { return Ok(Vec::new()) };
        let rows = sqlx::query(
            "SELECT m.id, inklings_marks(messages_fts, ?1, m.content) AS marks \
             FROM messages_fts CROSS JOIN json_each(?2) AS j \
             CROSS JOIN messages AS m ON m.workspace_id = ?3 AND m.id = j.value \
             WHERE messages_fts.rowid = (SELECT max(seq) FROM messages)",
        )
        .bind(phrases)
        .bind(json_list(ids))
        .bind(self.db.workspace_id().to_string())
        .fetch_all(&self.db.reader())
        .await?;
        let mut marks = Vec::with_capacity(rows.len());
        for row in &rows {
            if let Some(spans) = row.try_get::<Option<&str>, _>("marks")? {
                marks.push((id(row)?, highlight::spans(spans).ok_or(DbError::Row { column: "content" })?));
            }
        }
        Ok(marks)
    }

    async fn literal_marks(
        &self,
        folded: &str,
        ids: &[MessageId],
    ) -> DbResult<Vec<(MessageId, Vec<Range<usize>>)>> {
        let rows = sqlx::query(
            "SELECT m.id, m.content FROM json_each(?1) AS j \
             CROSS JOIN messages AS m ON m.workspace_id = ?2 AND m.id = j.value",
        )
        .bind(json_list(ids))
        .bind(self.db.workspace_id().to_string())
        .fetch_all(&self.db.reader())
        .await?;
        let mut marks = Vec::new();
        for row in &rows {
            let spans = highlight::literal(row.try_get("content")?, folded);
            if !spans.is_empty() {
                marks.push((id(row)?, spans));
            }
        }
        Ok(marks)
    }
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

/// Reads the rows of messages found in memory. Messages that no longer exist are dropped.
async fn hits(db: &Database, nearest: Vec<Near>) -> DbResult<Vec<MessageHit>> {
    let seqs: Vec<i64> = nearest.iter().map(|near| near.seq).collect();
    let mut sql = Sql::new("SELECT m.seq, ");
    sql.push(HIT).push(" FROM json_each(").push_bind(serde_json::Value::from(seqs).to_string());
    sql.push(") AS j CROSS JOIN messages AS m ON m.seq = j.value ORDER BY j.key");
    let rows = sql.build().fetch_all(&db.reader()).await?;
    let mut nearest: HashMap<i64, Near> = nearest.into_iter().map(|near| (near.seq, near)).collect();
    let mut hits = Vec::with_capacity(rows.len());
    for row in &rows {
        let near = nearest.remove(&row.try_get("seq")?);
        let score = near.as_ref().map_or(0.0, |near| near.passage.cosine);
        hits.push(MessageHit { passage: near.and_then(|near| near.passage.range), ..hit(row, score)? });
    }
    Ok(hits)
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
            hits(&self.db, self.model(model).search(&self.db, vector, within, limit).await?).await
        };
        nearest.await.map_err(|error| self.db.fail(error))
    }

    async fn complete(
        &self,
        asked: Asked<'_>,
        scope_filter: &TranscriptFilter,
        ids: &[MessageId],
    ) -> Result<Vec<Completed<MessageId>>, StoreError> {
        let complete = async {
            let matches = self.matches(asked.query, scope_filter).await?;
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
        self.marks(query, ids).await.map_err(|error| self.db.fail(error))
    }
}
