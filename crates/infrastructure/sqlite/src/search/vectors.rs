//! Stores vectors of entries and lists entries without one.

use std::collections::{HashMap, VecDeque};

use inklings_domain::{
    ids::MemoryId,
    memory::embedding::{EmbeddingModel, ModelId},
};
use inklings_ports::{
    memory::vector_store::{EmbeddingCounts, NewVectors, PendingText},
    store_error::StoreError,
};
use sqlx::Row;

use super::{
    passages::{self, Table},
    rows,
    word_codes::{self, in_part},
};
use crate::{connection::Database, error::DbResult, rows::json_list};

/// The most entries queued as pending at once. The search for them reads past everything that has a vector,
/// which must not happen again for every batch.
const BACKLOG: i64 = 10_000;
/// The most characters of a stored error.
const MOST_ERROR_CHARS: usize = 500;

/// Holds for the version whose text and title were embedded, and for a later one with the same.
const CURRENT: &str = "m.content <> '' AND (m.version = ?3 OR EXISTS (SELECT 1 FROM memory_versions AS o \
                       WHERE o.workspace_id = m.workspace_id AND o.memory_id = m.id AND o.version = ?3 \
                         AND o.content = m.content AND o.title IS m.title))";

/// Holds for an active entry without the vectors of its whole text by model `?1`, on which the model did not fail.
const PENDING: &str = concat!(
    "m.forgotten_at IS NULL AND m.content <> '' \
     AND NOT EXISTS (SELECT 1 FROM memory_vectors AS v \
                     WHERE v.workspace_id = m.workspace_id AND v.memory_id = m.id AND v.model = ?1 AND ",
    in_part!(),
    " IS NOT TRUE) \
     AND NOT EXISTS (SELECT 1 FROM embedding_failures AS f \
                     WHERE f.workspace_id = m.workspace_id AND f.memory_id = m.id AND f.model = ?1)"
);

/// The queues of pending entries, by model.
#[derive(Debug, Default)]
pub struct Backlogs(tokio::sync::Mutex<HashMap<ModelId, Backlog>>);

#[derive(Debug)]
struct Backlog {
    /// Entries changed after this tick are not in the queue yet.
    tick: i64,
    /// Newest first. May hold entries that are no longer pending.
    queue: VecDeque<MemoryId>,
    /// True if the queue held all pending entries when it was filled.
    complete: bool,
}

impl Backlogs {
    /// Up to `limit` texts that need a vector, newest first.
    pub async fn pending(
        &self,
        db: &Database,
        model: &EmbeddingModel,
        limit: usize,
    ) -> DbResult<Vec<PendingText>> {
        let mut backlogs = self.0.lock().await;
        let mut backlog = match backlogs.remove(&model.id) {
            Some(backlog) => add_changed(db, model, backlog).await?,
            None => fill(db, model).await?,
        };
        let mut texts = Vec::new();
        while texts.len() < limit {
            if backlog.queue.len() == texts.len() {
                if backlog.complete {
                    break;
                }
                let known = backlog.queue.len();
                backlog = fill(db, model).await?;
                if backlog.queue.len() <= known {
                    break;
                }
                texts.clear();
            }
            // The texts found so far stay at the head of the queue: they are pending until their vector is
            // stored.
            let take = (limit - texts.len()).min(backlog.queue.len() - texts.len());
            let next: Vec<MemoryId> = backlog.queue.drain(texts.len()..texts.len() + take).collect();
            let found = read(db, model, &next).await?;
            for (i, text) in found.iter().enumerate() {
                backlog.queue.insert(texts.len() + i, text.id);
            }
            texts.extend(found);
        }
        backlogs.insert(model.id.clone(), backlog);
        Ok(texts)
    }
}

async fn fill(db: &Database, model: &EmbeddingModel) -> DbResult<Backlog> {
    let tick = tick(db).await?;
    let queue = ids(db, model, "TRUE", 0).await?;
    Ok(Backlog { tick, complete: (queue.len() as i64) < BACKLOG, queue: queue.into() })
}

/// Adds entries written since the last call at the head of the queue.
async fn add_changed(db: &Database, model: &EmbeddingModel, mut backlog: Backlog) -> DbResult<Backlog> {
    let now = tick(db).await?;
    if now > backlog.tick {
        let fresh = ids(db, model, "m.change_seq > ?2", backlog.tick).await?;
        if fresh.len() as i64 == BACKLOG {
            return fill(db, model).await;
        }
        let known: std::collections::HashSet<MemoryId> = backlog.queue.iter().copied().collect();
        for id in fresh.into_iter().rev().filter(|id| !known.contains(id)) {
            backlog.queue.push_front(id);
        }
        backlog.tick = now;
    }
    Ok(backlog)
}

async fn ids(db: &Database, model: &EmbeddingModel, since: &str, tick: i64) -> DbResult<Vec<MemoryId>> {
    let sql = format!(
        "SELECT m.id FROM memories AS m WHERE {since} AND {PENDING} \
         ORDER BY m.created_at DESC, m.id DESC LIMIT ?3"
    );
    let rows = sqlx::query(sqlx::AssertSqlSafe(sql))
        .bind(model.id.as_str())
        .bind(tick)
        .bind(BACKLOG)
        .fetch_all(&db.reader())
        .await?;
    rows.iter().map(rows::id).collect()
}

/// The texts of those entries that are still pending, in the given order.
async fn read(db: &Database, model: &EmbeddingModel, ids: &[MemoryId]) -> DbResult<Vec<PendingText>> {
    let sql = format!(
        "SELECT m.id, m.version, m.title, m.content FROM json_each(?2) AS j \
         CROSS JOIN memories AS m ON m.workspace_id = ?3 AND m.id = j.value WHERE {PENDING} ORDER BY j.key"
    );
    let rows = sqlx::query(sqlx::AssertSqlSafe(sql))
        .bind(model.id.as_str())
        .bind(json_list(ids))
        .bind(db.workspace_id().to_string())
        .fetch_all(&db.reader())
        .await?;
    rows.iter()
        .map(|row| {
            Ok(PendingText {
                id: rows::id(row)?,
                version: row.try_get::<i64, _>("version")?.unsigned_abs(),
                title: row.try_get("title")?,
                content: row.try_get("content")?,
            })
        })
        .collect()
}

async fn tick(db: &Database) -> DbResult<i64> {
    Ok(sqlx::query_scalar("SELECT tick FROM change_clock").fetch_one(&db.reader()).await?)
}

/// Stores vectors in one transaction, in place of earlier ones. Returns for how many entries they still belong to the
/// current text.
pub async fn put(db: &Database, model: &EmbeddingModel, vectors: &[NewVectors]) -> DbResult<usize> {
    if vectors.iter().any(|new| !new.vectors.fit(model)) {
        return Err(StoreError::Refused("a vector is not of its model's shape".into()).into());
    }
    if vectors.is_empty() {
        return Ok(0);
    }
    let sql = format!(
        "INSERT INTO memory_vectors (workspace_id, memory_id, model, dimension, version, first_end, word_codes, vector) \
         SELECT m.workspace_id, m.id, ?4, ?5, m.version, ?6, ?7, ?8 FROM memories AS m \
         WHERE m.workspace_id = ?1 AND m.id = ?2 AND {CURRENT} \
         ON CONFLICT (workspace_id, memory_id, model) DO UPDATE \
         SET dimension = excluded.dimension, version = excluded.version, first_end = excluded.first_end, \
             word_codes = excluded.word_codes, vector = excluded.vector"
    );
    let mut transaction = db.begin_immediate().await?;
    let mut stored = 0;
    for NewVectors { id, version, vectors } in vectors {
        let (first_end, first) = passages::first(vectors);
        let done = sqlx::query(sqlx::AssertSqlSafe(sql.clone()))
            .bind(db.workspace_id().to_string())
            .bind(id.to_string())
            .bind(i64::try_from(*version).unwrap_or(i64::MAX))
            .bind(model.id.as_str())
            .bind(i64::try_from(model.dimension).unwrap_or(i64::MAX))
            .bind(first_end)
            .bind(word_codes::count(vectors))
            .bind(rows::blob(first))
            .execute(&mut *transaction)
            .await?;
        if done.rows_affected() > 0 {
            stored += 1;
            let text = (db.workspace_id().to_string(), id.to_string());
            passages::replace(&mut transaction, Table::Memories, &text, model, vectors).await?;
        }
    }
    transaction.commit().await?;
    Ok(stored)
}

/// Records that a model failed on a text, unless the text has changed since.
pub async fn mark_failed(
    db: &Database,
    model: &EmbeddingModel,
    id: MemoryId,
    version: u64,
    error: &str,
) -> DbResult<()> {
    // Uses the database's own clock: the time only informs people who inspect the file.
    let sql = format!(
        "INSERT INTO embedding_failures (workspace_id, memory_id, model, version, error, at) \
         SELECT m.workspace_id, m.id, ?4, m.version, ?5, CAST(unixepoch('subsec') * 1000000 AS INTEGER) \
         FROM memories AS m WHERE m.workspace_id = ?1 AND m.id = ?2 AND {CURRENT} \
         ON CONFLICT (workspace_id, memory_id, model) DO UPDATE \
         SET version = excluded.version, error = excluded.error, at = excluded.at"
    );
    let mut transaction = db.begin_immediate().await?;
    sqlx::query(sqlx::AssertSqlSafe(sql))
        .bind(db.workspace_id().to_string())
        .bind(id.to_string())
        .bind(i64::try_from(version).unwrap_or(i64::MAX))
        .bind(model.id.as_str())
        .bind(error.chars().take(MOST_ERROR_CHARS).collect::<String>())
        .execute(&mut *transaction)
        .await?;
    transaction.commit().await?;
    Ok(())
}

/// The progress of embedding. Reads only indexes, for forgotten entries whether they have a vector, and entries with
/// vectors that do not tell all of their text.
pub async fn counts(db: &Database, model: &EmbeddingModel) -> DbResult<EmbeddingCounts> {
    let row = sqlx::query(concat!(
        "SELECT (SELECT count(*) FROM memories \
                 WHERE scope IN ('account', 'workspace', 'channel', 'conversation') AND forgotten_at IS NULL) \
                - (SELECT count(*) FROM memories WHERE content = '' AND forgotten_at IS NULL) AS active, \
                (SELECT count(*) FROM memory_vectors WHERE workspace_id = ?1 AND model = ?2) AS vectors, \
                (SELECT count(*) FROM memory_vectors AS v CROSS JOIN memories AS m \
                 ON m.workspace_id = v.workspace_id AND m.id = v.memory_id \
                 WHERE v.model = ?2 AND m.forgotten_at IS NULL AND ",
        in_part!(),
        ") AS in_part, \
                (SELECT count(*) FROM memories AS m \
                 WHERE m.scope IN ('account', 'workspace', 'channel', 'conversation') \
                   AND m.forgotten_at IS NOT NULL \
                   AND EXISTS (SELECT 1 FROM memory_vectors AS v WHERE v.workspace_id = m.workspace_id \
                               AND v.memory_id = m.id AND v.model = ?2)) AS of_forgotten, \
                (SELECT count(*) FROM embedding_failures AS f CROSS JOIN memories AS m \
                 ON m.workspace_id = f.workspace_id AND m.id = f.memory_id \
                 WHERE f.model = ?2 AND m.forgotten_at IS NULL \
                   AND NOT EXISTS (SELECT 1 FROM memory_vectors AS v WHERE v.workspace_id = m.workspace_id \
                                   AND v.memory_id = m.id AND v.model = ?2 AND ",
        in_part!(),
        " IS NOT TRUE)) AS failed"
    ))
    .bind(db.workspace_id().to_string())
    .bind(model.id.as_str())
    .fetch_one(&db.reader())
    .await?;
    let number = |column| row.try_get::<i64, _>(column).map(i64::unsigned_abs);
    let part = number("of_forgotten")? + number("in_part")?;
    let embedded = number("vectors")?.saturating_sub(part);
    let pending = number("active")?.saturating_sub(embedded).saturating_sub(number("failed")?);
    Ok(EmbeddingCounts { embedded, pending })
}

/// The vectors of entries of one passage by one model.
pub async fn of(db: &Database, ids: &[MemoryId], model: &ModelId) -> DbResult<Vec<(MemoryId, Vec<f32>)>> {
    let query = sqlx::query(
        "SELECT v.memory_id AS id, v.vector FROM json_each(?1) AS j CROSS JOIN memory_vectors AS v \
         ON v.workspace_id = ?2 AND v.memory_id = j.value AND v.model = ?3 AND v.first_end IS NULL",
    )
    .bind(json_list(ids))
    .bind(db.workspace_id().to_string())
    .bind(model.as_str());
    let rows = query.fetch_all(&db.reader()).await?;
    rows.iter().map(|row| Ok((rows::id(row)?, rows::numbers(row.try_get("vector")?)))).collect()
}
