//! Runs of tasks, and ended conversations that wait for processing.

use inklings_domain::{
    consolidation::run::{Run, RunCounts, RunState},
    ids::{ConversationId, RunId},
};
use inklings_ports::{
    schedule::{PendingPersist, RunCursor, RunStore},
    store_error::StoreError,
};
use serde::{Deserialize, Serialize};
use sqlx::{Row, SqliteConnection, sqlite::SqliteRow};

use crate::{
    error::{DbError, DbResult},
    memory::filter_sql::Sql,
};
use crate::{
    rows::{count, maybe, maybe_moment, micros, moment, parsed},
    store::SqliteStore,
};

const SELECT: &str = "SELECT id, task, state, set_off_by, started_at, finished_at, reverted_at, done, total, \
    counts, error FROM runs WHERE ";

/// [`RunCounts`] as the column stores them. A count that an older release did not know is 0.
#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
struct Counts {
    scanned: u64,
    promoted: u64,
    faded: u64,
    merged: u64,
    capped: u64,
    rewritten: u64,
    created: u64,
    proposed: u64,
}

fn counts_json(counts: &RunCounts) -> String {
    let RunCounts { scanned, promoted, faded, merged, capped, rewritten, created, proposed } = *counts;
    let counts = Counts { scanned, promoted, faded, merged, capped, rewritten, created, proposed };
    serde_json::json!(counts).to_string()
}

fn counts(json: &str) -> DbResult<RunCounts> {
    let Counts { scanned, promoted, faded, merged, capped, rewritten, created, proposed } =
        serde_json::from_str(json).map_err(|_| DbError::Row { column: "counts" })?;
    Ok(RunCounts { scanned, promoted, faded, merged, capped, rewritten, created, proposed })
}

fn run(row: &SqliteRow) -> DbResult<Run> {
    Ok(Run {
        id: parsed(row.try_get(0)?, "id")?,
        task: row.try_get(1)?,
        state: parsed(row.try_get(2)?, "state")?,
        trigger: parsed(row.try_get(3)?, "set_off_by")?,
        started_at: moment(row.try_get(4)?, "started_at")?,
        finished_at: maybe_moment(row, 5, "finished_at")?,
        reverted_at: maybe_moment(row, 6, "reverted_at")?,
        done: count(row, 7, "done")?,
        total: count(row, 8, "total")?,
        counts: counts(row.try_get(9)?)?,
        error: row.try_get(10)?,
    })
}

fn pending(row: &SqliteRow) -> DbResult<PendingPersist> {
    Ok(PendingPersist {
        conversation: parsed(row.try_get(0)?, "conversation_id")?,
        since: moment(row.try_get(1)?, "since")?,
        run: maybe(row, 2, "run_id")?,
        attempts: count(row, 3, "attempts")?,
    })
}

fn number(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

impl SqliteStore {
    async fn write_run(&self, run: &Run) -> DbResult<()> {
        let mut tx = self.db.begin_immediate().await?;
        self.put_run(&mut tx, run).await?;
        Ok(tx.commit().await?)
    }

    /// Writes a run within a transaction of the caller.
    pub(crate) async fn put_run(&self, conn: &mut SqliteConnection, run: &Run) -> DbResult<()> {
        // Writes the start values again, so that a guard detects a difference.
        let update = "UPDATE runs SET task = ?3, state = ?4, set_off_by = ?5, started_at = ?6, finished_at = ?7, \
             reverted_at = ?8, done = ?9, total = ?10, counts = ?11, error = ?12 \
             WHERE workspace_id = ?1 AND id = ?2";
        let insert = "INSERT INTO runs (workspace_id, id, task, state, set_off_by, started_at, finished_at, \
             reverted_at, done, total, counts, error) \
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)";
        for statement in [update, insert] {
            let written = sqlx::query(statement)
                .bind(self.workspace())
                .bind(run.id.to_string())
                .bind(&*run.task)
                .bind(run.state.as_str())
                .bind(run.trigger.as_str())
                .bind(micros(run.started_at))
                .bind(run.finished_at.map(micros))
                .bind(run.reverted_at.map(micros))
                .bind(number(run.done))
                .bind(number(run.total))
                .bind(counts_json(&run.counts))
                .bind(run.error.as_deref())
                .execute(&mut *conn)
                .await?;
            if written.rows_affected() > 0 {
                break;
            }
        }
        Ok(())
    }

    async fn read_run(&self, id: RunId) -> DbResult<Option<Run>> {
        let mut sql = Sql::new(SELECT);
        sql.push("workspace_id = ").push_bind(self.workspace());
        sql.push(" AND id = ").push_bind(id.to_string());
        sql.build().fetch_optional(&self.db.reader()).await?.as_ref().map(run).transpose()
    }

    async fn read_runs(
        &self,
        task: Option<&str>,
        after: Option<RunCursor>,
        limit: usize,
    ) -> DbResult<Vec<Run>> {
        // The unary plus makes SQLite choose the index by the sort order.
        let mut sql = Sql::new(SELECT);
        sql.push("+workspace_id = ").push_bind(self.workspace());
        if let Some(task) = task {
            sql.push(" AND task = ").push_bind(task.to_owned());
        }
        if let Some(after) = after {
            sql.push(" AND (started_at, id) < (").push_bind(micros(after.started_at));
            sql.push(", ").push_bind(after.id.to_string()).push(")");
        }
        sql.push(" ORDER BY started_at DESC, id DESC LIMIT ");
        sql.push_bind(i64::try_from(limit).unwrap_or(i64::MAX));
        sql.build().fetch_all(&self.db.reader()).await?.iter().map(run).collect()
    }

    async fn read_cursor(&self, task: &str) -> DbResult<Option<String>> {
        let found = sqlx::query_scalar("SELECT cursor FROM task_cursors WHERE workspace_id = ? AND task = ?")
            .bind(self.workspace())
            .bind(task)
            .fetch_optional(&self.db.reader())
            .await?;
        Ok(found)
    }

    async fn write_cursor(&self, task: &str, cursor: &str) -> DbResult<()> {
        let mut tx = self.db.begin_immediate().await?;
        sqlx::query(
            "INSERT INTO task_cursors (workspace_id, task, cursor) VALUES (?, ?, ?) \
             ON CONFLICT (workspace_id, task) DO UPDATE SET cursor = excluded.cursor",
        )
        .bind(self.workspace())
        .bind(task)
        .bind(cursor)
        .execute(&mut *tx)
        .await?;
        Ok(tx.commit().await?)
    }

    async fn read_pending_persists(
        &self,
        fewer_than: Option<u64>,
        limit: usize,
    ) -> DbResult<Vec<PendingPersist>> {
        let found = sqlx::query(
            "SELECT conversation_id, since, run_id, attempts FROM persists \
             WHERE state = 'pending' AND +workspace_id = ? AND attempts < ? \
             ORDER BY attempts, since, conversation_id LIMIT ?",
        )
        .bind(self.workspace())
        .bind(fewer_than.map_or(i64::MAX, |most| i64::try_from(most).unwrap_or(i64::MAX)))
        .bind(i64::try_from(limit).unwrap_or(i64::MAX))
        .fetch_all(&self.db.reader())
        .await?;
        found.iter().map(pending).collect()
    }

    async fn note_persist(&self, conversation: ConversationId, run: &Run) -> DbResult<()> {
        let mut tx = self.db.begin_immediate().await?;
        self.put_run(&mut tx, run).await?;
        let noted = sqlx::query(
            "UPDATE persists SET run_id = ? WHERE workspace_id = ? AND conversation_id = ? AND state = 'pending'",
        )
        .bind(run.id.to_string())
        .bind(self.workspace())
        .bind(conversation.to_string())
        .execute(&mut *tx)
        .await?;
        if noted.rows_affected() != 1 {
            return Err(StoreError::NotFound("conversation").into());
        }
        Ok(tx.commit().await?)
    }

    async fn finish_persist(&self, conversation: ConversationId, run: &Run) -> DbResult<()> {
        let mut tx = self.db.begin_immediate().await?;
        self.put_run(&mut tx, run).await?;
        sqlx::query(
            "UPDATE persists SET state = iif(?1, 'done', 'pending'), finished_at = iif(?1, ?2, NULL), \
             run_id = iif(?1, run_id, NULL), attempts = attempts + NOT ?1 \
             WHERE workspace_id = ?3 AND conversation_id = ?4 AND state = 'pending'",
        )
        .bind(run.state == RunState::Done)
        .bind(run.finished_at.map(micros))
        .bind(self.workspace())
        .bind(conversation.to_string())
        .execute(&mut *tx)
        .await?;
        Ok(tx.commit().await?)
    }
}

#[async_trait::async_trait]
impl RunStore for SqliteStore {
    async fn put(&self, run: &Run) -> Result<(), StoreError> {
        self.public(self.write_run(run).await)
    }

    async fn get(&self, id: RunId) -> Result<Option<Run>, StoreError> {
        self.public(self.read_run(id).await)
    }

    async fn list(&self, after: Option<RunCursor>, limit: usize) -> Result<Vec<Run>, StoreError> {
        self.public(self.read_runs(None, after, limit).await)
    }

    async fn latest(&self, task: &str) -> Result<Option<Run>, StoreError> {
        self.public(self.read_runs(Some(task), None, 1).await.map(|mut found| found.pop()))
    }

    async fn cursor(&self, task: &str) -> Result<Option<String>, StoreError> {
        self.public(self.read_cursor(task).await)
    }

    async fn set_cursor(&self, task: &str, cursor: &str) -> Result<(), StoreError> {
        self.public(self.write_cursor(task, cursor).await)
    }

    async fn pending_persists(
        &self,
        fewer_than: Option<u64>,
        limit: usize,
    ) -> Result<Vec<PendingPersist>, StoreError> {
        self.public(self.read_pending_persists(fewer_than, limit).await)
    }

    async fn begin_persist(&self, conversation: ConversationId, run: &Run) -> Result<(), StoreError> {
        self.public(self.note_persist(conversation, run).await)
    }

    async fn end_persist(&self, conversation: ConversationId, run: &Run) -> Result<(), StoreError> {
        self.public(self.finish_persist(conversation, run).await)
    }
}
