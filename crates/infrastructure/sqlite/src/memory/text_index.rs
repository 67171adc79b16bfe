//! The full-text indexes beside their texts.

use sqlx::SqliteConnection;

use crate::{
    connection::Database,
    error::{DbError, DbResult},
};

/// A full-text index over the texts of a table. Its statements are written out: they hold no value of anybody.
#[derive(Debug)]
pub struct Index {
    check: &'static str,
    rebuild: &'static str,
    /// Copies in memory that were made of it are told apart by this clock.
    clock: &'static str,
}

/// Of entries.
pub const ENTRIES: Index = Index {
    check: "INSERT INTO memories_fts (memories_fts, rank) VALUES ('integrity-check', 1)",
    rebuild: "INSERT INTO memories_fts (memories_fts) VALUES ('rebuild')",
    clock: "UPDATE change_clock SET tick = tick + 1, epoch = epoch + 1",
};

/// Of messages, in a workspace.
pub const MESSAGES: Index = Index {
    check: "INSERT INTO messages_fts (messages_fts, rank) VALUES ('integrity-check', 1)",
    rebuild: "INSERT INTO messages_fts (messages_fts) VALUES ('rebuild')",
    clock: "UPDATE message_clock SET tick = tick + 1, epoch = epoch + 1",
};

impl Index {
    /// True if it says what the texts say. `integrity_check` does not notice an index that has lost touch with its table; FTS5's
    /// own check with rank 1 compares the two. It is worded as a write, so it runs in a transaction that is taken back.
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

    /// Builds it anew from the texts.
    pub async fn rebuild(&self, conn: &mut SqliteConnection) -> DbResult<()> {
        sqlx::query(self.rebuild).execute(conn).await?;
        Ok(())
    }

    /// The same in a transaction of its own; whoever knew the index before looks again.
    pub async fn make_anew(&self, db: &Database) -> DbResult<()> {
        let mut tx = db.begin_immediate().await?;
        self.rebuild(&mut tx).await?;
        sqlx::query(self.clock).execute(&mut *tx).await?;
        Ok(tx.commit().await?)
    }
}
