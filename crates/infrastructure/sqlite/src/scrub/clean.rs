//! Cleans a file after rows were destroyed: rebuilds the indexes, removes copies of the vectors, rewrites the file without free
//! pages, truncates the log.

use std::time::Duration;

use inklings_domain::ids::WorkspaceId;
use inklings_ports::store_error::StoreError;
use sqlx::{Row, SqliteConnection};

use crate::{
    connection::{Database, disk_space},
    error::{DbError, DbResult},
    memory::text_index::{ENTRIES, MESSAGES},
    search::remove_saved,
};

/// Pause between attempts while other connections still read the old state.
const PAUSE: Duration = Duration::from_millis(50);
/// Each attempt also waits for the busy timeout of its connection.
const ATTEMPTS: u32 = 6;
/// A row in the table of permits from the scrub until its file is clean. It differs from every id.
const MARK: &str = "cleaning";

/// Rebuilds the full-text indexes: their pages still hold terms of deleted texts.
pub(crate) async fn index_anew(conn: &mut SqliteConnection, workspace: WorkspaceId) -> DbResult<()> {
    ENTRIES.rebuild(conn).await?;
    if workspace != WorkspaceId::ACCOUNT {
        MESSAGES.rebuild(conn).await?;
    }
    Ok(())
}

/// Records that the file must be cleaned, so that the next opening does it if this process does not.
pub(crate) async fn note(
    conn: &mut SqliteConnection,
    workspace: WorkspaceId,
    hash: &str,
    at: i64,
) -> DbResult<()> {
    sqlx::query(
        "INSERT INTO deletion_permits (workspace_id, memory_id, manifest, granted_at) VALUES (?, ?, ?, ?)",
    )
    .bind(workspace.to_string())
    .bind(MARK)
    .bind(hash.to_owned())
    .bind(at)
    .execute(conn)
    .await?;
    Ok(())
}

/// Cleans a file if a scrub was interrupted before its cleaning. Others may be using the file, or it may have no room: then
/// the next opening does it, and this one goes on.
pub async fn finish_cleaning(db: &Database) -> DbResult<()> {
    let waiting: bool =
        sqlx::query_scalar("SELECT EXISTS (SELECT 1 FROM deletion_permits WHERE memory_id = ?)")
            .bind(MARK)
            .fetch_one(&db.reader())
            .await?;
    if !waiting {
        return Ok(());
    }
    match once(db).await {
        // SQLite refuses to empty the log at once while another process writes it back.
        Err(error) if error.is_full() || error.is_busy() => {
            tracing::warn!(%error, "a scrubbed database is not clean yet");
            Ok(())
        }
        cleaned => cleaned,
    }
}

/// Rewrites the file and truncates the log.
pub(crate) async fn clean(db: &Database) -> DbResult<()> {
    let mut attempt = 0;
    while let Err(error) = once(db).await {
        attempt += 1;
        if !error.is_busy() || attempt >= ATTEMPTS {
            return Err(error);
        }
        tokio::time::sleep(PAUSE).await;
    }
    Ok(())
}

async fn once(db: &Database) -> DbResult<()> {
    remove_saved(db.path())?;
    disk_space::for_writing_anew(db.path())?;
    let mut conn = db.writing().await?;
    // Checkpoints the log completely before the file is rewritten.
    truncate(&mut conn).await?;
    let written = sqlx::query("VACUUM").execute(&mut *conn).await;
    if written.is_err() {
        // The failed rewrite left unused pages in the log, which would take the last room.
        let _ = truncate(&mut conn).await;
    }
    written?;
    truncate(&mut conn).await?;
    sqlx::query("DELETE FROM deletion_permits WHERE memory_id = ?").bind(MARK).execute(&mut *conn).await?;
    truncate(&mut conn).await?;
    sqlx::query("PRAGMA secure_delete = FAST").execute(&mut *conn).await?;
    Ok(())
}

async fn truncate(conn: &mut SqliteConnection) -> DbResult<()> {
    let row = sqlx::query("PRAGMA wal_checkpoint(TRUNCATE)").fetch_one(conn).await.map_err(DbError::from)?;
    if row.try_get::<i64, _>(0)? == 0 { Ok(()) } else { Err(StoreError::Busy.into()) }
}
