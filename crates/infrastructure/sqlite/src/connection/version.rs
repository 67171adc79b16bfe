//! How far a database has moved on, asked once for all who want to know at the same moment.
//!
//! A search asks it of a database three times over: for its words, its vectors and its names.

use std::sync::{Arc, Mutex, PoisonError};

use sqlx::Row;
use tokio::sync::OnceCell;

use crate::{connection::Database, error::DbResult};

/// A database at one moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DbVersion {
    /// Rises with every change.
    pub tick: i64,
    /// Rises when rows were destroyed.
    pub epoch: i64,
    /// The newest entry's number; 0 if there is none.
    pub newest: i64,
    /// Rises with everything that is told of the entries, uses included, which are no change.
    pub news: i64,
}

type Round = Arc<OnceCell<DbVersion>>;

/// Those who wait for the next answer.
#[derive(Debug, Default)]
pub struct DbVersions(Mutex<Option<Round>>);

impl DbVersions {
    /// The state of a database, read after this was called.
    pub async fn read(&self, db: &Database) -> DbResult<DbVersion> {
        let round = Arc::clone(self.lock().get_or_insert_default());
        // Lets everyone in who asks in the same breath.
        tokio::task::yield_now().await;
        round
            .get_or_try_init(|| async {
                // From here on it is too late to join: the answer could be older than the question.
                self.lock().take_if(|open| Arc::ptr_eq(open, &round));
                let query = sqlx::query(
                    "SELECT tick, epoch, (SELECT coalesce(max(seq), 0) FROM memories) AS newest, \
                     coalesce((SELECT counter FROM topics WHERE topic = 'memories'), 0) AS news \
                     FROM change_clock",
                );
                let row = db.short().one(query).await?;
                let (tick, epoch) = (row.try_get("tick")?, row.try_get("epoch")?);
                Ok(DbVersion { tick, epoch, newest: row.try_get("newest")?, news: row.try_get("news")? })
            })
            .await
            .copied()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Option<Round>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
