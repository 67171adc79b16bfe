//! Patterns of what agents do.

use inklings_domain::{
    agent_telemetry::{
        ErrorCode,
        pattern::{AgentPattern, Annotation, Evidence, PatternKey, SuppressedBy},
        sequence::Step,
    },
    ids::AgentPatternId,
};
use sqlx::{Row, sqlite::SqliteRow};

use super::count_change;
use crate::{
    error::DbResult,
    orientation::ledger::number,
    rows::{count, maybe, micros, moment, parsed},
    store::SqliteStore,
};

fn pattern(row: &SqliteRow) -> DbResult<AgentPattern> {
    Ok(AgentPattern {
        id: parsed(row.try_get(0)?, "id")?,
        key: PatternKey {
            action: parsed(row.try_get(1)?, "action_type")?,
            target: parsed(row.try_get(2)?, "target_type")?,
            error: parsed(row.try_get(3)?, "error_code")?,
        },
        evidence: Evidence { sequences: count(row, 4, "sequences")?, of: count(row, 5, "of_sequences")? },
        holds: row.try_get(6)?,
        promoted_at: moment(row.try_get(7)?, "promoted_at")?,
        updated_at: moment(row.try_get(8)?, "updated_at")?,
        annotation: maybe(row, 9, "annotation")?,
        suppressed_by: maybe(row, 10, "suppressed_by")?,
    })
}

impl SqliteStore {
    pub(super) async fn read_last_codes(&self, (action, target): Step) -> DbResult<Vec<Option<ErrorCode>>> {
        let rows: Vec<Option<String>> = sqlx::query_scalar(
            // Steps from sequence to sequence in the index, so that it reads no more rows than there are sequences.
            "WITH RECURSIVE sequences (id) AS ( \
               SELECT min(sequence_id) FROM agent_actions \
               WHERE workspace_id = ?1 AND action_type = ?2 AND target_type = ?3 \
               UNION ALL \
               SELECT (SELECT min(sequence_id) FROM agent_actions WHERE workspace_id = ?1 AND action_type = ?2 \
                 AND target_type = ?3 AND sequence_id > sequences.id) FROM sequences WHERE id IS NOT NULL) \
             SELECT (SELECT error_code FROM agent_actions WHERE workspace_id = ?1 AND action_type = ?2 \
               AND target_type = ?3 AND sequence_id = sequences.id ORDER BY at DESC, id DESC LIMIT 1) \
             FROM sequences WHERE id IS NOT NULL",
        )
        .bind(self.workspace())
        .bind(action.as_str())
        .bind(target.as_str())
        .fetch_all(&self.db.reader())
        .await?;
        rows.iter().map(|code| code.as_deref().map(|code| parsed(code, "error_code")).transpose()).collect()
    }

    pub(super) async fn read_patterns(&self) -> DbResult<Vec<AgentPattern>> {
        let rows = sqlx::query(
            "SELECT id, action_type, target_type, error_code, sequences, of_sequences, holds, promoted_at, updated_at, \
             annotation, suppressed_by FROM agent_patterns WHERE workspace_id = ? \
             ORDER BY sequences DESC, promoted_at, id",
        )
        .bind(self.workspace())
        .fetch_all(&self.db.reader())
        .await?;
        rows.iter().map(pattern).collect()
    }

    pub(super) async fn write_evidence(&self, patterns: &[AgentPattern]) -> DbResult<()> {
        if patterns.is_empty() {
            return Ok(());
        }
        let mut tx = self.db.begin_immediate().await?;
        for pattern in patterns {
            sqlx::query(
                "INSERT INTO agent_patterns (workspace_id, id, action_type, target_type, error_code, sequences, \
                 of_sequences, holds, promoted_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) \
                 ON CONFLICT (workspace_id, action_type, target_type, error_code) DO UPDATE SET \
                 sequences = excluded.sequences, of_sequences = excluded.of_sequences, holds = excluded.holds, \
                 updated_at = excluded.updated_at",
            )
            .bind(self.workspace())
            .bind(pattern.id.to_string())
            .bind(pattern.key.action.as_str())
            .bind(pattern.key.target.as_str())
            .bind(pattern.key.error.as_str())
            .bind(number(pattern.evidence.sequences))
            .bind(number(pattern.evidence.of))
            .bind(pattern.holds)
            .bind(micros(pattern.promoted_at))
            .bind(micros(pattern.updated_at))
            .execute(&mut *tx)
            .await?;
        }
        count_change(&mut tx).await?;
        Ok(tx.commit().await?)
    }

    pub(super) async fn judge_pattern(
        &self,
        id: AgentPatternId,
        annotation: Option<Annotation>,
        suppressed_by: Option<SuppressedBy>,
        judged_by: SuppressedBy,
    ) -> DbResult<bool> {
        let mut tx = self.db.begin_immediate().await?;
        let judged = sqlx::query(
            "UPDATE agent_patterns SET annotation = ?, suppressed_by = ?, judged_by = ? \
             WHERE workspace_id = ? AND id = ?",
        )
        .bind(annotation.map(Annotation::as_str))
        .bind(suppressed_by.map(SuppressedBy::as_str))
        .bind(judged_by.as_str())
        .bind(self.workspace())
        .bind(id.to_string())
        .execute(&mut *tx)
        .await?;
        count_change(&mut tx).await?;
        tx.commit().await?;
        Ok(judged.rows_affected() > 0)
    }
}
