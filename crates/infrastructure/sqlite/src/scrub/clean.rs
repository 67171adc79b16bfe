//! After rows were destroyed: indexes built anew, the file written anew without its free pages, the log emptied.

use std::time::Duration;

use inklings_application::store_error::StoreError;
use inklings_domain::ids::WorkspaceId;
use sqlx::{Row, SqliteConnection};

use crate::{
    connection::{Database, disk_space},
    error::{DbError, DbResult},
    memory::text_index::{ENTRIES, MESSAGES},
};

/// How long others are waited for who still read what was.
const PAUSE: Duration = Duration::from_millis(50);
/// Each of them waits for the busy timeout of its connection.
const ATTEMPTS: u32 = 6;
/// Stands in the table of permits from the scrub until its file is clean. No id looks like this.
const MARK: &str = "cleaning";

/// Builds the full-text indexes anew: their pages still hold terms of what was taken out of them.
pub(crate) async fn index_anew(conn: &mut SqliteConnection, workspace: WorkspaceId) -> DbResult<()> {
    ENTRIES.rebuild(conn).await?;
    if workspace != WorkspaceId::ACCOUNT {
        MESSAGES.rebuild(conn).await?;
    }
    Ok(())
}

/// Notes that the file is to be cleaned: whoever opens it next does, if this process does not get to it.
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

/// Cleans a file if a scrub was cut off before it could.
///
/// # Errors
/// Whatever SQLite says.
pub async fn finish_cleaning(db: &Database) -> DbResult<()> {
    let waiting: bool =
        sqlx::query_scalar("SELECT EXISTS (SELECT 1 FROM deletion_permits WHERE memory_id = ?)")
            .bind(MARK)
            .fetch_one(&db.reader())
            .await?;
    if !waiting {
        return Ok(());
    }
    match clean(db).await {
        // Without room it is for the next time: what is there can be read and written meanwhile.
        Err(error) if error.is_full() => {
            tracing::warn!(%error, "a scrubbed database is not clean yet");
            Ok(())
        }
        cleaned => cleaned,
    }
}

/// Writes the file anew and empties the log.
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
    disk_space::for_writing_anew(db.path())?;
    let mut conn = db.writing().await?;
    // Everything that a page of the log holds goes into the file before the file is written anew.
    truncate(&mut conn).await?;
    let written = sqlx::query("VACUUM").execute(&mut *conn).await;
    if written.is_err() {
        // What it wrote until then stands in the log, counts for nothing, and would take the last room.
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
