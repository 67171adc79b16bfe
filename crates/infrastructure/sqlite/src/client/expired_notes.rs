//! Clears what is held of expired working notes.

use chrono::{DateTime, Utc};
use sqlx::SqliteConnection;

use crate::{error::DbResult, rows::micros};

/// Clears the stored text of replaced notes whose expiry time has passed; they can no longer be restored.
pub(crate) async fn forget_expired(conn: &mut SqliteConnection, now: DateTime<Utc>) -> DbResult<()> {
    sqlx::query(
        "UPDATE client_writes SET before = NULL, before_expires_at = NULL WHERE before_expires_at <= ?",
    )
    .bind(micros(now))
    .execute(conn)
    .await?;
    Ok(())
}
