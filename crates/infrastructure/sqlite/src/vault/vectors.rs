//! Stores vectors of pages and lists pages without one.

use inklings_domain::{ids::PageId, memory::embedding::EmbeddingModel};
use inklings_ports::{
    memory::vector_store::EmbeddingCounts,
    store_error::StoreError,
    vault::store::{NewPageVectors, PendingPage},
};
use sqlx::{AssertSqlSafe, Row};

use super::SqlitePages;
use crate::{
    error::DbResult,
    rows::parsed,
    search::{
        blob,
        passages::{self, Table},
    },
};

/// The most characters of a stored error.
const MOST_ERROR_CHARS: usize = 500;

/// Holds for a page without the vectors of its whole text by model `?1`, on which the model did not fail.
const WITHOUT: &str = "NOT EXISTS (SELECT 1 FROM page_vectors AS v \
        WHERE v.workspace_id = p.workspace_id AND v.page_id = p.id AND v.model = ?1) \
    AND NOT EXISTS (SELECT 1 FROM page_vector_failures AS f \
        WHERE f.workspace_id = p.workspace_id AND f.page_id = p.id AND f.model = ?1)";

impl SqlitePages {
    pub(super) async fn read_pending(
        &self,
        model: &EmbeddingModel,
        limit: usize,
    ) -> DbResult<Vec<PendingPage>> {
        let sql = format!(
            "SELECT p.id, p.title, p.content, p.hash FROM pages AS p WHERE {WITHOUT} \
             ORDER BY p.seq DESC LIMIT ?2"
        );
        let rows = sqlx::query(AssertSqlSafe(sql))
            .bind(model.id.as_str())
            .bind(i64::try_from(limit).unwrap_or(i64::MAX))
            .fetch_all(&self.db.reader())
            .await?;
        rows.iter()
            .map(|row| {
                Ok(PendingPage {
                    id: parsed(row.try_get(0)?, "id")?,
                    title: row.try_get(1)?,
                    content: row.try_get(2)?,
                    hash: row.try_get(3)?,
                })
            })
            .collect()
    }

    pub(super) async fn write_vectors(
        &self,
        model: &EmbeddingModel,
        vectors: &[NewPageVectors],
    ) -> DbResult<usize> {
        if vectors.iter().any(|new| !new.vectors.fit(model)) {
            return Err(StoreError::Refused("a vector is not of its model's shape".into()).into());
        }
        let mut tx = self.db.begin_immediate().await?;
        let mut stored = 0;
        for new in vectors {
            let (first_end, first) = passages::first(&new.vectors);
            // Inserts a new row instead of updating: its new number shows in-memory copies that it is new.
            for old in [
                "DELETE FROM page_vectors WHERE workspace_id = ? AND page_id = ? AND model = ?",
                "DELETE FROM page_vector_failures WHERE workspace_id = ? AND page_id = ? AND model = ?",
            ] {
                sqlx::query(old)
                    .bind(self.workspace())
                    .bind(new.id.to_string())
                    .bind(model.id.as_str())
                    .execute(&mut *tx)
                    .await?;
            }
            let done = sqlx::query(
                "INSERT INTO page_vectors (workspace_id, page_id, model, dimension, first_end, vector) \
                 SELECT p.workspace_id, p.id, ?3, ?4, ?5, ?6 FROM pages AS p \
                 WHERE p.workspace_id = ?1 AND p.id = ?2 AND p.hash = ?7",
            )
            .bind(self.workspace())
            .bind(new.id.to_string())
            .bind(model.id.as_str())
            .bind(i64::try_from(model.dimension).unwrap_or(i64::MAX))
            .bind(first_end)
            .bind(blob(first))
            .bind(&new.hash)
            .execute(&mut *tx)
            .await?;
            if done.rows_affected() > 0 {
                stored += 1;
                let text = (self.workspace(), new.id.to_string());
                passages::replace(&mut tx, Table::Pages, &text, model, &new.vectors).await?;
            }
        }
        tx.commit().await?;
        Ok(stored)
    }

    pub(super) async fn write_failure(
        &self,
        model: &EmbeddingModel,
        id: PageId,
        error: &str,
    ) -> DbResult<()> {
        let mut tx = self.db.begin_immediate().await?;
        sqlx::query(
            "INSERT INTO page_vector_failures (workspace_id, page_id, model, error) \
             SELECT p.workspace_id, p.id, ?3, ?4 FROM pages AS p WHERE p.workspace_id = ?1 AND p.id = ?2 \
             ON CONFLICT (workspace_id, page_id, model) DO UPDATE SET error = excluded.error",
        )
        .bind(self.workspace())
        .bind(id.to_string())
        .bind(model.id.as_str())
        .bind(error.chars().take(MOST_ERROR_CHARS).collect::<String>())
        .execute(&mut *tx)
        .await?;
        Ok(tx.commit().await?)
    }

    pub(super) async fn count_vectors(&self, model: &EmbeddingModel) -> DbResult<EmbeddingCounts> {
        let sql = format!(
            "SELECT (SELECT count(*) FROM page_vectors WHERE model = ?1), \
             (SELECT count(*) FROM pages AS p WHERE {WITHOUT})"
        );
        let row =
            sqlx::query(AssertSqlSafe(sql)).bind(model.id.as_str()).fetch_one(&self.db.reader()).await?;
        let number = |at: usize| row.try_get::<i64, _>(at).map(i64::unsigned_abs);
        Ok(EmbeddingCounts { embedded: number(0)?, pending: number(1)? })
    }
}
