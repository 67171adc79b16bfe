//! Gives the changes of all databases that a process has open one common order (ADR 21).

use sqlx::SqliteConnection;

use crate::{error::DbResult, store::SqliteStore};

impl SqliteStore {
    /// Sets the order of this database's next change after all changes of the others. Runs in the transaction
    /// of the change.
    pub(crate) async fn follow_peers(&self, conn: &mut SqliteConnection) -> DbResult<()> {
        let reached = self.peers.reached_by_others(&self.db).await;
        sqlx::query("UPDATE change_clock SET change_order = ?1 WHERE change_order < ?1")
            .bind(reached)
            .execute(conn)
            .await?;
        Ok(())
    }
}
