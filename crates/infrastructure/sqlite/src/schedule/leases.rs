//! The last runs of tasks, and the leases that let one process run each.

use chrono::{DateTime, Utc};
use inklings_domain::schedule::{LEASE, Lease, TaskOutcome, TaskState};
use inklings_ports::{
    schedule::{CUT_OFF, ScheduleStore},
    store_error::StoreError,
};
use sqlx::{Row, sqlite::SqliteRow};

use crate::error::DbResult;
use crate::{
    rows::{maybe, maybe_moment, micros},
    store::SqliteStore,
};

fn state(row: &SqliteRow) -> DbResult<TaskState> {
    let owner: Option<String> = row.try_get(1)?;
    let until = maybe_moment(row, 2, "lease_until")?;
    Ok(TaskState {
        task: row.try_get(0)?,
        lease: owner.zip(until).map(|(owner, until)| Lease { owner, until }),
        last_started_at: maybe_moment(row, 3, "last_started_at")?,
        last_finished_at: maybe_moment(row, 4, "last_finished_at")?,
        outcome: maybe(row, 5, "outcome")?,
        message: row.try_get(6)?,
    })
}

impl SqliteStore {
    async fn read_states(&self) -> DbResult<Vec<TaskState>> {
        let found = sqlx::query(
            "SELECT task, lease_owner, lease_until, last_started_at, last_finished_at, outcome, message \
             FROM tasks WHERE workspace_id = ? ORDER BY task",
        )
        .bind(self.workspace())
        .fetch_all(&self.db.reader())
        .await?;
        found.iter().map(state).collect()
    }

    /// Takes the lease in one statement, so that only one of two processes gets it. Its condition is the
    /// negation of [`Lease::holds`].
    async fn take_lease(
        &self,
        task: &str,
        owner: &str,
        now: DateTime<Utc>,
        until: DateTime<Utc>,
    ) -> DbResult<bool> {
        let mut tx = self.db.begin_immediate().await?;
        let taken = sqlx::query(
            "INSERT INTO tasks (workspace_id, task, lease_owner, lease_until, last_started_at) \
             VALUES (?1, ?2, ?3, ?4, ?5) \
             ON CONFLICT (workspace_id, task) DO UPDATE \
             SET lease_owner = ?3, lease_until = ?4, last_started_at = ?5 \
             WHERE lease_owner IS NULL OR lease_owner = ?3 OR lease_until <= ?5 OR lease_until - ?5 > ?6",
        )
        .bind(self.workspace())
        .bind(task)
        .bind(owner)
        .bind(micros(until))
        .bind(micros(now))
        .bind(LEASE.num_microseconds().unwrap_or(i64::MAX))
        .execute(&mut *tx)
        .await?;
        tx.commit().await?;
        Ok(taken.rows_affected() == 1)
    }

    async fn prolong_lease(&self, task: &str, owner: &str, until: DateTime<Utc>) -> DbResult<bool> {
        let mut tx = self.db.begin_immediate().await?;
        let renewed = sqlx::query(
            "UPDATE tasks SET lease_until = ? WHERE workspace_id = ? AND task = ? AND lease_owner = ?",
        )
        .bind(micros(until))
        .bind(self.workspace())
        .bind(task)
        .bind(owner)
        .execute(&mut *tx)
        .await?;
        tx.commit().await?;
        Ok(renewed.rows_affected() == 1)
    }

    async fn give_back(
        &self,
        task: &str,
        owner: &str,
        outcome: TaskOutcome,
        message: Option<&str>,
        at: DateTime<Utc>,
    ) -> DbResult<bool> {
        let mut tx = self.db.begin_immediate().await?;
        let released = sqlx::query(
            "UPDATE tasks SET lease_owner = NULL, lease_until = NULL, last_finished_at = ?, outcome = ?, \
             message = ? WHERE workspace_id = ? AND task = ? AND lease_owner = ?",
        )
        .bind(micros(at))
        .bind(outcome.as_str())
        .bind(message)
        .bind(self.workspace())
        .bind(task)
        .bind(owner)
        .execute(&mut *tx)
        .await?;
        if released.rows_affected() != 1 {
            return Ok(false);
        }
        sqlx::query(
            "UPDATE runs SET state = 'failed', finished_at = ?, error = ? \
             WHERE workspace_id = ? AND task = ? AND state = 'running' AND id NOT IN \
             (SELECT run_id FROM persists WHERE state = 'pending' AND run_id IS NOT NULL)",
        )
        .bind(micros(at))
        .bind(CUT_OFF)
        .bind(self.workspace())
        .bind(task)
        .execute(&mut *tx)
        .await?;
        tx.commit().await?;
        Ok(true)
    }
}

#[async_trait::async_trait]
impl ScheduleStore for SqliteStore {
    async fn states(&self) -> Result<Vec<TaskState>, StoreError> {
        self.public(self.read_states().await)
    }

    async fn acquire(
        &self,
        task: &str,
        owner: &str,
        now: DateTime<Utc>,
        until: DateTime<Utc>,
    ) -> Result<bool, StoreError> {
        self.public(self.take_lease(task, owner, now, until).await)
    }

    async fn renew(&self, task: &str, owner: &str, until: DateTime<Utc>) -> Result<bool, StoreError> {
        self.public(self.prolong_lease(task, owner, until).await)
    }

    async fn release(
        &self,
        task: &str,
        owner: &str,
        outcome: TaskOutcome,
        message: Option<&str>,
        at: DateTime<Utc>,
    ) -> Result<bool, StoreError> {
        self.public(self.give_back(task, owner, outcome, message, at).await)
    }
}
