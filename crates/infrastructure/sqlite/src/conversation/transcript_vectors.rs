//! Stores vectors of messages and lists messages without one.

use inklings_domain::{ids::MessageId, memory::embedding::EmbeddingModel};
use inklings_ports::{
    memory::vector_store::{EmbeddingCounts, TextVectors},
    store_error::StoreError,
};
use sqlx::{AssertSqlSafe, Row};

use crate::{
    conversation::message_backlogs::EMBEDDABLE,
    error::DbResult,
    search::{
        blob,
        passages::{self, Table},
        word_codes,
    },
    store::SqliteStore,
};

/// The most characters of a stored error.
const MOST_ERROR_CHARS: usize = 500;

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
            "INSERT INTO message_vectors (workspace_id, message_id, model, dimension, first_end, vector, word_codes) \
             SELECT m.workspace_id, m.id, ?3, ?4, ?5, ?6, ?8 FROM messages AS m \
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
                .bind(word_codes::count(vectors))
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
             - (SELECT count(*) FROM message_vectors AS v WHERE v.model = ?2 AND {in_part}) AS embedded, \
             (SELECT count(*) FROM message_vector_failures AS f CROSS JOIN messages AS m \
              ON m.workspace_id = f.workspace_id AND m.id = f.message_id WHERE f.model = ?2 AND {EMBEDDABLE} \
              AND NOT EXISTS (SELECT 1 FROM message_vectors AS v WHERE v.workspace_id = m.workspace_id \
                              AND v.message_id = m.id AND v.model = ?2 AND {in_part} IS NOT TRUE)) AS failed",
            in_part = word_codes::in_part!()
        );
        let row = sqlx::query(AssertSqlSafe(sql))
            .bind(self.workspace())
            .bind(model.id.as_str())
            .fetch_one(&self.db.reader())
            .await?;
        let number = |column| row.try_get::<i64, _>(column).map(i64::unsigned_abs);
        let embedded = number("embedded")?;
        let done = embedded + number("failed")?;
        Ok(EmbeddingCounts { embedded, pending: number("wanted")?.saturating_sub(done) })
    }
}
