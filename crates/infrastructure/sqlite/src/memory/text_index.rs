//! The full-text indexes of entries, messages and pages.

use sqlx::SqliteConnection;

use crate::{
    connection::Database,
    error::{DbError, DbResult},
};

/// A full-text index over the texts of a table. Its statements contain no user values.
#[derive(Debug)]
pub struct Index {
    check: &'static str,
    rebuild: &'static str,
    /// Advances the clock that invalidates in-memory copies of the index.
    clock: &'static str,
}

/// The index of entries.
pub const ENTRIES: Index = Index {
    check: "INSERT INTO memories_fts (memories_fts, rank) VALUES ('integrity-check', 1)",
    rebuild: "INSERT INTO memories_fts (memories_fts) VALUES ('rebuild')",
    clock: "UPDATE change_clock SET tick = tick + 1, epoch = epoch + 1",
};

/// The index of messages, in a workspace.
pub const MESSAGES: Index = Index {
    check: "INSERT INTO messages_fts (messages_fts, rank) VALUES ('integrity-check', 1)",
    rebuild: "INSERT INTO messages_fts (messages_fts) VALUES ('rebuild')",
    clock: "UPDATE message_clock SET tick = tick + 1, epoch = epoch + 1",
};

/// The index of pages, in the world's own content.
pub const PAGES: Index = Index {
    check: "INSERT INTO pages_fts (pages_fts, rank) VALUES ('integrity-check', 1)",
    rebuild: "INSERT INTO pages_fts (pages_fts) VALUES ('rebuild')",
    clock: "UPDATE page_clock SET tick = tick + 1, epoch = epoch + 1",
};

impl Index {
    /// True if the index matches its texts. `PRAGMA integrity_check` does not detect an index that differs
    /// from its table; FTS5's own check with rank 1 compares the two. The check is an INSERT, so it runs in a
    /// transaction that is rolled back.
    pub async fn agrees(&self, db: &Database) -> DbResult<bool> {
        let mut tx = db.begin_immediate().await?;
        match sqlx::query(self.check).execute(&mut *tx).await.map_err(DbError::from) {
            Err(error) if error.is_full() => Err(error),
            checked => {
                tx.rollback().await?;
                Ok(checked.is_ok())
            }
        }
    }

    /// Rebuilds the index from the texts.
    pub async fn rebuild(&self, conn: &mut SqliteConnection) -> DbResult<()> {
        sqlx::query(self.rebuild).execute(conn).await?;
        Ok(())
    }

    /// Rebuilds the index in a separate transaction, and invalidates in-memory copies.
    pub async fn make_anew(&self, db: &Database) -> DbResult<()> {
        let mut tx = db.begin_immediate().await?;
        self.rebuild(&mut tx).await?;
        sqlx::query(self.clock).execute(&mut *tx).await?;
        Ok(tx.commit().await?)
    }
}
