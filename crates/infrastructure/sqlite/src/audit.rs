//! Reads, appends and verifies the audit log of one database.

use inklings_domain::{
    audit::{AuditEntry, AuditRow, ChainState, verify},
    ids::WorkspaceId,
    scrub::ScrubMode,
};
use inklings_ports::{audit::AuditStore, store_error::StoreError};
use sqlx::{Row, Sqlite, SqliteConnection, Transaction, sqlite::SqliteRow};

use crate::{connection::Database, error::DbResult};
use crate::{
    rows::{micros, moment, parsed},
    store::SqliteStore,
};

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT sequence, act, scope, mode, manifest, operator, door, at, previous, hash FROM audit ",
            $rest
        )
    };
}

fn row(row: &SqliteRow) -> DbResult<AuditRow> {
    let mode: Option<&str> = row.try_get(3)?;
    Ok(AuditRow {
        sequence: row.try_get::<i64, _>(0)?.unsigned_abs(),
        entry: AuditEntry {
            act: parsed(row.try_get(1)?, "act")?,
            scope: row.try_get(2)?,
            mode: mode.map(|mode| parsed(mode, "mode")).transpose()?,
            manifest: row.try_get(4)?,
            operator: row.try_get(5)?,
            interface: parsed(row.try_get(6)?, "door")?,
            at: moment(row.try_get(7)?, "at")?,
        },
        previous: row.try_get(8)?,
        hash: row.try_get(9)?,
    })
}

/// Returns every row of a log in sequence.
pub async fn all_rows(conn: &mut SqliteConnection) -> DbResult<Vec<AuditRow>> {
    let rows = sqlx::query(select!("ORDER BY sequence")).fetch_all(conn).await?;
    rows.iter().map(row).collect()
}

/// Appends an audit entry within a transaction.
pub async fn append(
    conn: &mut SqliteConnection,
    workspace: WorkspaceId,
    entry: AuditEntry,
) -> DbResult<AuditRow> {
    let last: Option<(i64, String)> =
        sqlx::query_as("SELECT sequence, hash FROM audit ORDER BY sequence DESC LIMIT 1")
            .fetch_optional(&mut *conn)
            .await?;
    let last = last.as_ref().map(|(sequence, hash)| (sequence.unsigned_abs(), hash.as_str()));
    let row = AuditRow::sealed(workspace, last, entry);
    insert(conn, workspace, &row).await?;
    Ok(row)
}

/// Inserts a sealed row. The guards refuse a row that does not continue the chain.
pub async fn insert(conn: &mut SqliteConnection, workspace: WorkspaceId, row: &AuditRow) -> DbResult<()> {
    let entry = &row.entry;
    sqlx::query(
        "INSERT INTO audit (sequence, workspace_id, act, scope, mode, manifest, operator, door, at, previous, \
         hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    )
    .bind(row.sequence as i64)
    .bind(workspace.to_string())
    .bind(entry.act.as_str())
    .bind(&*entry.scope)
    .bind(entry.mode.map(ScrubMode::as_str))
    .bind(&*entry.manifest)
    .bind(&*entry.operator)
    .bind(entry.interface.as_str())
    .bind(micros(entry.at))
    .bind(&*row.previous)
    .bind(&*row.hash)
    .execute(conn)
    .await?;
    Ok(())
}

/// Begins a transaction that appends an entry, unless the log has one of the same act and scope. A failed commit may have
/// been written all the same, so its caller has to be ready for both.
///
/// # Errors
/// A SQLite error. Nothing was appended then.
pub async fn recording_once(db: &Database, entry: &AuditEntry) -> DbResult<Transaction<'static, Sqlite>> {
    let mut tx = db.begin_immediate().await?;
    let recorded: bool =
        sqlx::query_scalar("SELECT EXISTS (SELECT 1 FROM audit WHERE act = ? AND scope = ?)")
            .bind(entry.act.as_str())
            .bind(&*entry.scope)
            .fetch_one(&mut *tx)
            .await?;
    if !recorded {
        append(&mut tx, db.workspace_id(), entry.clone()).await?;
    }
    Ok(tx)
}

/// Verifies the whole hash chain of a database.
pub async fn verified(db: &Database) -> DbResult<ChainState> {
    // Reads the rows and the head in one transaction, so they belong together.
    let mut tx = db.reader().begin().await?;
    let rows = all_rows(&mut tx).await?;
    let head: Option<(i64, String)> =
        sqlx::query_as("SELECT sequence, hash FROM audit_head").fetch_optional(&mut *tx).await?;
    let head = head.as_ref().map(|(sequence, hash)| (sequence.unsigned_abs(), hash.as_str()));
    Ok(verify(db.workspace_id(), &rows, head))
}

impl SqliteStore {
    async fn append_audit(&self, entry: &AuditEntry) -> DbResult<AuditRow> {
        let mut tx = self.db.begin_immediate().await?;
        let row = append(&mut tx, self.db.workspace_id(), entry.clone()).await?;
        tx.commit().await?;
        Ok(row)
    }

    async fn read_audit(&self, before: Option<u64>, limit: usize) -> DbResult<Vec<AuditRow>> {
        let before = before.map_or(i64::MAX, |sequence| i64::try_from(sequence).unwrap_or(i64::MAX));
        let rows = sqlx::query(select!("WHERE sequence < ? ORDER BY sequence DESC LIMIT ?"))
            .bind(before)
            .bind(limit as i64)
            .fetch_all(&self.db.reader())
            .await?;
        rows.iter().map(row).collect()
    }
}

#[async_trait::async_trait]
impl AuditStore for SqliteStore {
    async fn append(&self, entry: &AuditEntry) -> Result<AuditRow, StoreError> {
        self.public(self.append_audit(entry).await)
    }

    async fn rows(&self, before: Option<u64>, limit: usize) -> Result<Vec<AuditRow>, StoreError> {
        self.public(self.read_audit(before, limit).await)
    }

    async fn verify(&self) -> Result<ChainState, StoreError> {
        self.public(verified(&self.db).await)
    }
}
