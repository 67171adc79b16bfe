//! The workspace registry: the account's table of workspaces, and the metadata in each workspace's own file.

use chrono::{DateTime, Utc};
use inklings_domain::{
    ids::WorkspaceId,
    workspace::{Workspace, WorkspaceName},
};
use sqlx::{Row, SqliteConnection, sqlite::SqliteRow};

use crate::{
    connection::Database,
    error::{DbError, DbResult},
    rows::{micros, moment, parsed},
};

fn workspace(row: &SqliteRow) -> DbResult<Workspace> {
    Ok(Workspace {
        id: parsed(row.try_get(0)?, "id")?,
        name: WorkspaceName::new(row.try_get(1)?).map_err(|_| DbError::Row { column: "name" })?,
        created_at: moment(row.try_get(2)?, "created_at")?,
    })
}

/// A workspace row with an unvalidated name.
#[derive(Debug, Clone)]
pub struct Raw {
    pub id: WorkspaceId,
    pub name: String,
    pub created_at: DateTime<Utc>,
}

fn raw(row: &SqliteRow) -> DbResult<Raw> {
    Ok(Raw {
        id: parsed(row.try_get(0)?, "id")?,
        name: row.try_get(1)?,
        created_at: moment(row.try_get(2)?, "created_at")?,
    })
}

/// Every readable row of the registry, by name.
pub async fn rows(account: &Database) -> DbResult<Vec<Raw>> {
    let rows = sqlx::query("SELECT id, name, created_at FROM workspaces ORDER BY name_folded, id")
        .fetch_all(&account.reader())
        .await?;
    let read = |row| {
        raw(row).inspect_err(|error| tracing::warn!(%error, "a row of the list of workspaces is skipped"))
    };
    Ok(rows.iter().filter_map(|row| read(row).ok()).collect())
}

/// Every workspace with a valid name, by name.
pub async fn list(account: &Database) -> DbResult<Vec<Workspace>> {
    let named = |row: Raw| {
        let name = WorkspaceName::new(&row.name).ok()?;
        Some(Workspace { id: row.id, name, created_at: row.created_at })
    };
    Ok(rows(account).await?.into_iter().filter_map(named).collect())
}

/// True if a workspace is registered, even with an invalid name.
pub async fn is_listed(account: &Database, id: WorkspaceId) -> DbResult<bool> {
    Ok(sqlx::query_scalar("SELECT EXISTS (SELECT 1 FROM workspaces WHERE id = ?)")
        .bind(id.to_string())
        .fetch_one(&account.reader())
        .await?)
}

/// One workspace; none if its name is invalid.
pub async fn find(account: &Database, id: WorkspaceId) -> DbResult<Option<Workspace>> {
    let row = sqlx::query("SELECT id, name, created_at FROM workspaces WHERE id = ?")
        .bind(id.to_string())
        .fetch_optional(&account.reader())
        .await?;
    match row.as_ref().map(workspace).transpose() {
        Err(DbError::Row { .. }) => Ok(None),
        found => found,
    }
}

/// True if a workspace other than `id` has this name, regardless of case.
pub async fn is_taken(account: &Database, id: WorkspaceId, name: &WorkspaceName) -> DbResult<bool> {
    Ok(sqlx::query_scalar("SELECT EXISTS (SELECT 1 FROM workspaces WHERE name_folded = ? AND id <> ?)")
        .bind(name.folded())
        .bind(id.to_string())
        .fetch_one(&account.reader())
        .await?)
}

/// Registers a workspace.
pub async fn add(account: &Database, workspace: &Workspace) -> DbResult<()> {
    let mut tx = account.begin_immediate().await?;
    sqlx::query("INSERT INTO workspaces (id, name, name_folded, created_at) VALUES (?, ?, ?, ?)")
        .bind(workspace.id.to_string())
        .bind(workspace.name.as_str().to_owned())
        .bind(workspace.name.folded())
        .bind(micros(workspace.created_at))
        .execute(&mut *tx)
        .await?;
    Ok(tx.commit().await?)
}

/// Renames a workspace; false if there is none with this id.
pub async fn rename(account: &Database, id: WorkspaceId, name: &WorkspaceName) -> DbResult<bool> {
    let mut tx = account.begin_immediate().await?;
    let renamed = sqlx::query("UPDATE workspaces SET name = ?, name_folded = ? WHERE id = ?")
        .bind(name.as_str().to_owned())
        .bind(name.folded())
        .bind(id.to_string())
        .execute(&mut *tx)
        .await?;
    tx.commit().await?;
    Ok(renamed.rows_affected() == 1)
}

/// Removes a workspace from the registry.
pub async fn remove(account: &Database, id: WorkspaceId) -> DbResult<()> {
    let mut tx = account.begin_immediate().await?;
    sqlx::query("DELETE FROM workspaces WHERE id = ?").bind(id.to_string()).execute(&mut *tx).await?;
    Ok(tx.commit().await?)
}

/// Writes the metadata of a workspace into its own file.
pub async fn write_meta(conn: &mut SqliteConnection, workspace: &Workspace) -> DbResult<()> {
    sqlx::query("INSERT INTO meta (one, workspace_id, name, created_at) VALUES (1, ?, ?, ?)")
        .bind(workspace.id.to_string())
        .bind(workspace.name.as_str().to_owned())
        .bind(micros(workspace.created_at))
        .execute(conn)
        .await?;
    Ok(())
}

/// Updates the name in a workspace's own file.
pub async fn rename_meta(db: &Database, name: &WorkspaceName) -> DbResult<()> {
    let mut tx = db.begin_immediate().await?;
    sqlx::query("UPDATE meta SET name = ?").bind(name.as_str().to_owned()).execute(&mut *tx).await?;
    Ok(tx.commit().await?)
}

/// The metadata in a workspace's own file; `None` if it has none.
pub async fn raw_meta(conn: &mut SqliteConnection) -> DbResult<Option<Raw>> {
    let row = sqlx::query("SELECT workspace_id, name, created_at FROM meta").fetch_optional(conn).await?;
    row.as_ref().map(raw).transpose()
}

/// Like [`raw_meta`], for an open database.
pub async fn read_meta(db: &Database) -> DbResult<Option<Raw>> {
    raw_meta(&mut *db.reader().acquire().await?).await
}
