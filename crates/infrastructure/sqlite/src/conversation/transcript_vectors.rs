//! Stores vectors of messages and lists messages without one.

use std::collections::HashMap;

use inklings_application::{
    conversation::transcript_store::PendingMessage,
    memory::vector_store::{EmbeddingCounts, TextVectors},
    store_error::StoreError,
};
use inklings_domain::{
    ids::MessageId,
    memory::embedding::{EmbeddingModel, ModelId},
};
use sqlx::{AssertSqlSafe, Row};

use crate::{
    connection::Database,
    error::DbResult,
    memory::rows::parsed,
    search::{
        blob,
        passages::{self, Table},
    },
    store::SqliteStore,
};

/// Holds for a message `m` that gets a vector; must match the index that counts them.
const EMBEDDABLE: &str =
    "m.archive_id IS NULL AND m.delivery <> 'streaming' AND m.role <> 'system' AND m.content <> ''";

/// Holds for a message without the vectors of its whole text by model `?1`, on which the model did not fail.
const WITHOUT: &str = "NOT EXISTS (SELECT 1 FROM message_vectors AS v \
        WHERE v.workspace_id = m.workspace_id AND v.message_id = m.id AND v.model = ?1 \
          AND v.first_end IS NOT 0) \
    AND NOT EXISTS (SELECT 1 FROM message_vector_failures AS f \
        WHERE f.workspace_id = m.workspace_id AND f.message_id = m.id AND f.model = ?1)";

/// The backlog is rebuilt if more than this many messages changed since it was built.
const MOST_CHANGES: i64 = 2_000;
/// The most characters of a stored error.
const MOST_ERROR_CHARS: usize = 500;

/// The progress of each model. The search for pending messages continues where the last one ended, so it does
/// not read past everything that has a vector.
#[derive(Debug, Default)]
pub struct MessageBacklogs(tokio::sync::Mutex<HashMap<ModelId, Backlog>>);

#[derive(Debug, Clone, Copy)]
struct Backlog {
    /// Messages changed after this tick are found by their tick.
    tick: i64,
    /// Of the messages changed up to `tick`, none with this row number or a higher one is pending.
    below: i64,
}

impl MessageBacklogs {
    /// Up to `limit` texts that need a vector, newest first.
    pub async fn pending(
        &self,
        db: &Database,
        model: &EmbeddingModel,
        limit: usize,
    ) -> DbResult<Vec<PendingMessage>> {
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let mut backlogs = self.0.lock().await;
        let now: i64 = sqlx::query_scalar("SELECT tick FROM message_clock").fetch_one(&db.reader()).await?;
        let known = backlogs.get(&model.id).copied().filter(|known| now - known.tick <= MOST_CHANGES);
        let mut backlog = known.unwrap_or(Backlog { tick: now, below: i64::MAX });
        // The unary plus keeps SQLite from using the index of the sort order: few messages changed, but there
        // may be many in total.
        let fresh = ("m.change_seq > ?2", "+m.seq");
        let mut found = if now > backlog.tick {
            pending(db, model, fresh, backlog.tick, limit).await?
        } else {
            Vec::new()
        };
        if found.is_empty() {
            // No changed message is left over, so later calls only need later changes.
            backlog.tick = now;
        }
        let left = limit - found.len() as i64;
        if left > 0 {
            let older = pending(db, model, ("m.seq < ?2", "m.seq"), backlog.below, left).await?;
            backlog.below = older.first().map_or(0, |(seq, _)| seq + 1);
            for (seq, text) in older {
                if found.iter().all(|(other, _)| *other != seq) {
                    found.push((seq, text));
                }
            }
        }
        backlogs.insert(model.id.clone(), backlog);
        drop(backlogs);
        found.sort_by_key(|(seq, _)| std::cmp::Reverse(*seq));
        Ok(found.into_iter().map(|(_, text)| text).collect())
    }
}

async fn pending(
    db: &Database,
    model: &EmbeddingModel,
    (which, order): (&str, &str),
    bound: i64,
    limit: i64,
) -> DbResult<Vec<(i64, PendingMessage)>> {
    let sql = format!(
        "SELECT m.seq, m.id, m.content FROM messages AS m WHERE {which} AND {EMBEDDABLE} AND {WITHOUT} \
         ORDER BY {order} DESC LIMIT ?3"
    );
    let rows = sqlx::query(AssertSqlSafe(sql))
        .bind(model.id.as_str())
        .bind(bound)
        .bind(limit)
        .fetch_all(&db.reader())
        .await?;
    rows.iter()
        .map(|row| {
            let id = parsed(row.try_get("id")?, "id")?;
            Ok((row.try_get("seq")?, PendingMessage { id, text: row.try_get("content")? }))
        })
        .collect()
}

impl SqliteStore {
    pub(crate) async fn write_message_vectors(
        &self,
        model: &EmbeddingModel,
        vectors: &[(MessageId, TextVectors)],
    ) -> DbResult<usize> {
        if vectors.iter().any(|(_, vectors)| !vectors.fit(model)) {
            return Err(StoreError::Refused("a vector is not of its model's shape".into()).into());
        }
        if vectors.is_empty() {
            return Ok(0);
        }
        let insert = format!(
            "INSERT INTO message_vectors (workspace_id, message_id, model, dimension, first_end, vector) \
             SELECT m.workspace_id, m.id, ?3, ?4, ?5, ?6 FROM messages AS m \
             WHERE m.workspace_id = ?1 AND m.id = ?2 AND {EMBEDDABLE} \
               AND (?7 IS NULL OR octet_length(m.content) = ?7)"
        );
        let mut tx = self.db.begin_immediate().await?;
        let mut stored = 0;
        for (id, vectors) in vectors {
            let (first_end, first) = passages::first(vectors);
            // Ranges of a text that was replaced meanwhile would not be those of the new one.
            let length = match vectors {
                TextVectors::One(_) => None,
                TextVectors::Passages(passages) => {
                    passages.last().map(|last| i64::try_from(last.range.end).unwrap_or(i64::MAX))
                }
            };
            // Inserts a new row instead of updating: its new number shows in-memory copies that it is new.
            for old in [
                "DELETE FROM message_vectors WHERE workspace_id = ? AND message_id = ? AND model = ?",
                "DELETE FROM message_vector_failures WHERE workspace_id = ? AND message_id = ? AND model = ?",
            ] {
                sqlx::query(old)
                    .bind(self.workspace())
                    .bind(id.to_string())
                    .bind(model.id.as_str())
                    .execute(&mut *tx)
                    .await?;
            }
            let done = sqlx::query(AssertSqlSafe(insert.clone()))
                .bind(self.workspace())
                .bind(id.to_string())
                .bind(model.id.as_str())
                .bind(i64::try_from(model.dimension).unwrap_or(i64::MAX))
                .bind(first_end)
                .bind(blob(first))
                .bind(length)
                .execute(&mut *tx)
                .await?;
            if done.rows_affected() > 0 {
                stored += 1;
                let text = (self.workspace(), id.to_string());
                passages::replace(&mut tx, Table::Messages, &text, model, vectors).await?;
            }
        }
        tx.commit().await?;
        Ok(stored)
    }

    pub(crate) async fn write_vector_failure(
        &self,
        model: &EmbeddingModel,
        id: MessageId,
        error: &str,
    ) -> DbResult<()> {
        let mut tx = self.db.begin_immediate().await?;
        sqlx::query(
            "INSERT INTO message_vector_failures (workspace_id, message_id, model, error) \
             SELECT m.workspace_id, m.id, ?3, ?4 FROM messages AS m WHERE m.workspace_id = ?1 AND m.id = ?2 \
             ON CONFLICT (workspace_id, message_id, model) DO UPDATE SET error = excluded.error",
        )
        .bind(self.workspace())
        .bind(id.to_string())
        .bind(model.id.as_str())
        .bind(error.chars().take(MOST_ERROR_CHARS).collect::<String>())
        .execute(&mut *tx)
        .await?;
        Ok(tx.commit().await?)
    }

    pub(crate) async fn count_message_vectors(&self, model: &EmbeddingModel) -> DbResult<EmbeddingCounts> {
        let sql = format!(
            "SELECT (SELECT count(*) FROM messages AS m WHERE {EMBEDDABLE}) AS wanted, \
             (SELECT count(*) FROM message_vectors WHERE workspace_id = ?1 AND model = ?2) \
             - (SELECT count(*) FROM message_vectors WHERE model = ?2 AND first_end = 0) AS embedded"
        );
        let row = sqlx::query(AssertSqlSafe(sql))
            .bind(self.workspace())
            .bind(model.id.as_str())
            .fetch_one(&self.db.reader())
            .await?;
        let number = |column| row.try_get::<i64, _>(column).map(i64::unsigned_abs);
        let embedded = number("embedded")?;
        Ok(EmbeddingCounts { embedded, pending: number("wanted")?.saturating_sub(embedded) })
    }
}
