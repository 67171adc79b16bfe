//! The journal, and the versions that its changes replaced.

use inklings_domain::{
    ids::{ChangeId, MemoryId, RunId},
    memory::change_set::{JournalRow, ReplacedVersion},
    provenance::ActorKind,
};
use inklings_ports::memory::store::{CommittedChange, HistoryVersion};
use sqlx::Row;

use crate::{
    error::{DbError, DbResult},
    memory::filter_sql::Sql,
};
use crate::{
    rows::{
        self,
        entry_row::{self, COLUMNS, entry_columns},
        journal_columns, json_list,
    },
    store::SqliteStore,
};

impl SqliteStore {
    pub(crate) async fn read_change(&self, id: ChangeId) -> DbResult<Option<CommittedChange>> {
        let row = sqlx::query(concat!(
            "SELECT ",
            journal_columns!(),
            " FROM journal AS j WHERE j.workspace_id = ? AND j.id = ?"
        ))
        .bind(self.workspace())
        .bind(id.to_string())
        .fetch_optional(&self.db.reader())
        .await?;
        let Some(row) = row else { return Ok(None) };
        let journal = rows::journal(&row, 0)?;
        let mut replaced = self.read_created(id).await?;
        replaced.extend(self.read_replaced(id).await?);
        replaced.sort_by_key(|part| part.id);
        Ok(Some(CommittedChange { journal, replaced }))
    }

    async fn read_created(&self, id: ChangeId) -> DbResult<Vec<ReplacedVersion>> {
        let found: Vec<String> = sqlx::query_scalar(
            "SELECT id FROM memories WHERE change_id = ?1 AND version = 1 AND workspace_id = ?2 \
             UNION ALL \
             SELECT memory_id FROM memory_versions WHERE change_id = ?1 AND version = 1 AND workspace_id = ?2",
        )
        .bind(id.to_string())
        .bind(self.workspace())
        .fetch_all(&self.db.reader())
        .await?;
        found
            .iter()
            .map(|id| Ok(ReplacedVersion { id: rows::parsed(id, "id")?, made: 1, before: None }))
            .collect()
    }

    async fn read_replaced(&self, id: ChangeId) -> DbResult<Vec<ReplacedVersion>> {
        let found = sqlx::query(concat!(
            "SELECT ",
            entry_columns!(v),
            " FROM memory_versions AS v WHERE v.replaced_by = ? AND v.workspace_id = ?"
        ))
        .bind(id.to_string())
        .bind(self.workspace())
        .fetch_all(&self.db.reader())
        .await?;
        found
            .iter()
            .map(|row| {
                let before = entry_row::entry(row, 0)?;
                Ok(ReplacedVersion { id: before.id, made: before.version + 1, before: Some(before) })
            })
            .collect()
    }

    /// An import with a run is undone as a whole, not change by change.
    pub(crate) async fn read_last_undoable(&self) -> DbResult<Option<JournalRow>> {
        let row = sqlx::query(concat!(
            "SELECT ",
            journal_columns!(),
            " FROM journal AS j WHERE j.workspace_id = ? AND j.hand IN ('author', 'import') \
             AND j.undone_by IS NULL AND j.action NOT IN ('setup', 'undo') \
             AND (j.hand <> 'import' OR j.run_id IS NULL) \
             AND (EXISTS (SELECT 1 FROM memories AS m WHERE m.change_id = j.id AND m.version = 1) \
               OR EXISTS (SELECT 1 FROM memory_versions AS v WHERE v.change_id = j.id AND v.version = 1) \
               OR EXISTS (SELECT 1 FROM memory_versions AS v WHERE v.replaced_by = j.id)) \
             ORDER BY j.sequence DESC LIMIT 1"
        ))
        .bind(self.workspace())
        .fetch_optional(&self.db.reader())
        .await?;
        row.map(|row| rows::journal(&row, 0)).transpose()
    }

    pub(crate) async fn read_changes_of(&self, run: RunId) -> DbResult<Vec<JournalRow>> {
        let found = sqlx::query(concat!(
            "SELECT ",
            journal_columns!(),
            " FROM journal AS j WHERE j.run_id = ? AND +j.workspace_id = ? ORDER BY j.sequence"
        ))
        .bind(run.to_string())
        .bind(self.workspace())
        .fetch_all(&self.db.reader())
        .await?;
        found.iter().map(|row| rows::journal(row, 0)).collect()
    }

    /// Finds one entry per change: the lowest id of the entries that it created or of which it replaced a version.
    pub(crate) async fn read_written_by(&self, changes: &[ChangeId]) -> DbResult<Vec<(ChangeId, MemoryId)>> {
        let found: Vec<(String, String)> = sqlx::query_as(
            "SELECT c.value, w.id FROM json_each(?1) AS c JOIN memories AS w ON w.workspace_id = ?2 AND w.id = ( \
               SELECT min(id) FROM ( \
                 SELECT min(m.id) AS id FROM memories AS m \
                 WHERE m.change_id = c.value AND m.version = 1 AND +m.workspace_id = ?2 \
                 UNION ALL SELECT min(v.memory_id) FROM memory_versions AS v \
                 WHERE v.change_id = c.value AND v.version = 1 AND +v.workspace_id = ?2 \
                 UNION ALL SELECT min(v.memory_id) FROM memory_versions AS v \
                 WHERE v.replaced_by = c.value AND +v.workspace_id = ?2))",
        )
        .bind(json_list(changes))
        .bind(self.workspace())
        .fetch_all(&self.db.reader())
        .await?;
        found
            .iter()
            .map(|(change, id)| Ok((rows::parsed(change, "change")?, rows::parsed(id, "id")?)))
            .collect()
    }

    pub(crate) async fn read_journal(
        &self,
        before: Option<u64>,
        actor_kind: Option<ActorKind>,
        limit: usize,
    ) -> DbResult<Vec<JournalRow>> {
        // The unary plus makes SQLite choose the index by the sort order.
        let mut sql =
            Sql::new(concat!("SELECT ", journal_columns!(), " FROM journal AS j WHERE +j.workspace_id = "));
        sql.push_bind(self.workspace());
        if let Some(actor_kind) = actor_kind {
            // Set-up entries carry the author's name, but count as the system's.
            match actor_kind {
                ActorKind::System => {
                    sql.push(" AND (j.hand = ")
                        .push_bind(actor_kind.as_str())
                        .push(" OR j.action = 'setup')");
                }
                _ => {
                    sql.push(" AND j.hand = ")
                        .push_bind(actor_kind.as_str())
                        .push(" AND j.action <> 'setup'");
                }
            }
        }
        if let Some(before) = before {
            sql.push(" AND j.sequence < ").push_bind(i64::try_from(before).unwrap_or(i64::MAX));
        }
        sql.push(" ORDER BY j.sequence DESC LIMIT ").push_bind(i64::try_from(limit).unwrap_or(i64::MAX));
        let found = sql.build().fetch_all(&self.db.reader()).await?;
        found.iter().map(|row| rows::journal(row, 0)).collect()
    }

    pub(crate) async fn read_history(&self, id: MemoryId) -> DbResult<Vec<HistoryVersion>> {
        // One statement, so that no write can occur between reading the current version and the earlier ones.
        let found = sqlx::query(concat!(
            "SELECT ",
            entry_columns!(m),
            ", ",
            journal_columns!(),
            " FROM memories AS m JOIN journal AS j ON j.workspace_id = m.workspace_id AND j.id = m.change_id \
             WHERE m.workspace_id = ?1 AND m.id = ?2 UNION ALL SELECT ",
            entry_columns!(v),
            ", ",
            journal_columns!(),
            " FROM memory_versions AS v JOIN journal AS j \
             ON j.workspace_id = v.workspace_id AND j.id = v.change_id \
             WHERE v.workspace_id = ?1 AND v.memory_id = ?2"
        ))
        .bind(self.workspace())
        .bind(id.to_string())
        .fetch_all(&self.db.reader())
        .await?;
        let mut versions = found
            .iter()
            .map(|row| {
                debug_assert_eq!(row.len(), COLUMNS.len() + 11);
                let (entry, journal) = (entry_row::entry(row, 0)?, rows::journal(row, COLUMNS.len())?);
                Ok::<_, DbError>(HistoryVersion { entry, journal })
            })
            .collect::<DbResult<Vec<_>>>()?;
        versions.sort_by_key(|version| std::cmp::Reverse(version.entry.version));
        Ok(versions)
    }
}
