//! Sequences, and the vectors of their summaries.

use inklings_domain::{agent_telemetry::sequence::AgentSequence, memory::embedding::EmbeddingModel};
use sqlx::{Row, sqlite::SqliteRow};

use crate::{
    error::DbResult,
    orientation::ledger::number,
    rows::{count, json_list, maybe, moment, parsed},
    search::{blob, numbers},
    store::SqliteStore,
};

fn sequence(row: &SqliteRow) -> DbResult<AgentSequence> {
    Ok(AgentSequence {
        id: parsed(row.try_get(0)?, "id")?,
        client: maybe(row, 1, "client_id")?,
        conversation: maybe(row, 2, "conversation_id")?,
        turn: maybe(row, 3, "turn_id")?,
        started_at: moment(row.try_get(4)?, "started_at")?,
        ended_at: moment(row.try_get(5)?, "ended_at")?,
        actions: count(row, 6, "actions")?,
        summary: row.try_get(7)?,
    })
}

impl SqliteStore {
    pub(super) async fn read_summaries(&self) -> DbResult<Vec<String>> {
        let rows = sqlx::query_scalar(
            "SELECT DISTINCT summary FROM agent_sequences WHERE workspace_id = ? ORDER BY summary",
        );
        Ok(rows.bind(self.workspace()).fetch_all(&self.db.reader()).await?)
    }

    pub(super) async fn read_sequences(
        &self,
        summaries: &[String],
        limit: usize,
    ) -> DbResult<Vec<AgentSequence>> {
        let rows = sqlx::query(
            "SELECT id, client_id, conversation_id, turn_id, started_at, ended_at, actions, summary \
             FROM agent_sequences WHERE workspace_id = ? AND summary IN (SELECT value FROM json_each(?)) \
             ORDER BY ended_at DESC, id DESC LIMIT ?",
        )
        .bind(self.workspace())
        .bind(json_list(summaries))
        .bind(number(limit as u64))
        .fetch_all(&self.db.reader())
        .await?;
        rows.iter().map(sequence).collect()
    }

    pub(super) async fn read_summary_vectors(
        &self,
        model: &EmbeddingModel,
    ) -> DbResult<Vec<(String, Vec<f32>)>> {
        let rows: Vec<(String, Vec<u8>)> = sqlx::query_as(
            "SELECT summary, vector FROM agent_summary_vectors WHERE workspace_id = ? AND model = ?",
        )
        .bind(self.workspace())
        .bind(model.id.as_str())
        .fetch_all(&self.db.reader())
        .await?;
        let read = rows.into_iter().map(|(summary, vector)| (summary, numbers(&vector)));
        Ok(read.filter(|(_, vector)| vector.len() == model.dimension).collect())
    }

    pub(super) async fn write_summary_vectors(
        &self,
        model: &EmbeddingModel,
        vectors: &[(String, Vec<f32>)],
    ) -> DbResult<()> {
        let mut tx = self.db.begin_immediate().await?;
        // A sequence that goes on gets another summary; the vector of the one before is of no use.
        sqlx::query(
            "DELETE FROM agent_summary_vectors WHERE workspace_id = ?1 \
             AND summary NOT IN (SELECT summary FROM agent_sequences WHERE workspace_id = ?1)",
        )
        .bind(self.workspace())
        .execute(&mut *tx)
        .await?;
        for (summary, vector) in vectors {
            sqlx::query(
                "INSERT INTO agent_summary_vectors (workspace_id, model, summary, vector) VALUES (?, ?, ?, ?) \
                 ON CONFLICT (workspace_id, model, summary) DO UPDATE SET vector = excluded.vector",
            )
            .bind(self.workspace())
            .bind(model.id.as_str())
            .bind(&**summary)
            .bind(blob(vector))
            .execute(&mut *tx)
            .await?;
        }
        Ok(tx.commit().await?)
    }
}
