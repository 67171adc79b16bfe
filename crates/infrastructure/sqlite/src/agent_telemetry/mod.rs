//! The telemetry of agents.

mod actions;
mod metrics;
mod patterns;
mod port;
mod sequences;

use sqlx::SqliteConnection;

use crate::error::DbResult;

/// Counts one change of telemetry. Once for each transaction, so that an open window is not told of every row.
async fn count_change(conn: &mut SqliteConnection) -> DbResult<()> {
    sqlx::query("UPDATE topics SET counter = counter + 1 WHERE topic = 'agent_telemetry'")
        .execute(conn)
        .await?;
    Ok(())
}
