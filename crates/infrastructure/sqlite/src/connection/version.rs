//! Reads the version of a database once for all concurrent callers.
//!
//! A search asks for it three times: for words, vectors and names.

use std::sync::{Arc, Mutex, PoisonError};

use sqlx::Row;
use tokio::sync::OnceCell;

use crate::{connection::Database, error::DbResult};

/// The version of a database's content at one moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DbVersion {
    /// Increases with every change.
    pub tick: i64,
    /// Increases when rows are destroyed.
    pub epoch: i64,
    /// The row number of the newest entry; 0 if there is none.
    pub newest: i64,
    /// Increases with every notification about entries. That includes recorded uses, which are no change.
    pub counter: i64,
}

type Round = Arc<OnceCell<DbVersion>>;

/// The callers that wait for the next read.
#[derive(Debug, Default)]
pub struct DbVersions(Mutex<Option<Round>>);

impl DbVersions {
    /// Reads the version of a database. The read starts after this call.
    pub async fn read(&self, db: &Database) -> DbResult<DbVersion> {
        let round = Arc::clone(self.lock().get_or_insert_default());
        // Lets all concurrent callers join this read.
        tokio::task::yield_now().await;
        round
            .get_or_try_init(|| async {
                // The read starts now. Later callers cannot join it, because its result could be older than
                // their call.
                self.lock().take_if(|open| Arc::ptr_eq(open, &round));
                let query = sqlx::query(
                    "SELECT tick, epoch, (SELECT coalesce(max(seq), 0) FROM memories) AS newest, \
                     coalesce((SELECT counter FROM topics WHERE topic = 'memories'), 0) AS counter \
                     FROM change_clock",
                );
                let row = query.fetch_one(&db.reader()).await?;
                let (tick, epoch) = (row.try_get("tick")?, row.try_get("epoch")?);
                Ok(DbVersion {
                    tick,
                    epoch,
                    newest: row.try_get("newest")?,
                    counter: row.try_get("counter")?,
                })
            })
            .await
            .copied()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Option<Round>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
