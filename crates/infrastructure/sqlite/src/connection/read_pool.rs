//! Connections for short reads: what a search asks many times over.
//!
//! sqlx's pool asks a connection how it is each time it comes back, from a task of its own: a second trip to the
//! connection's thread for every question. A search asks about ten, each of which takes less than such a trip. The
//! connections here go from hand to hand, the warm ones first; one whose read was broken off is thrown away.

use std::sync::{Mutex, PoisonError};

use sqlx::{
    ConnectOptions, Connection, Execute, Executor as _, Sqlite, SqliteConnection,
    sqlite::{SqliteConnectOptions, SqliteRow},
};
use tokio::sync::Semaphore;

use crate::{error::DbResult, search};

/// The most reads of one file at once.
const MOST: u32 = 6;

/// Connections of one file for short reads.
#[derive(Debug)]
pub struct ShortReads {
    options: SqliteConnectOptions,
    turns: Semaphore,
    idle: Mutex<Vec<SqliteConnection>>,
}

impl ShortReads {
    /// Connects as it is needed.
    pub const fn new(options: SqliteConnectOptions) -> Self {
        Self { options, turns: Semaphore::const_new(MOST as usize), idle: Mutex::new(Vec::new()) }
    }

    /// Every row that a query gives.
    ///
    /// # Errors
    /// Whatever SQLite says.
    pub async fn all<'q>(&self, query: impl Execute<'q, Sqlite> + 'q) -> DbResult<Vec<SqliteRow>> {
        let _turn = self.turns.acquire().await.map_err(|_| sqlx::Error::PoolClosed)?;
        let mut conn = self.take().await?;
        let rows = conn.fetch_all(query).await;
        self.lock().push(conn);
        Ok(rows?)
    }

    /// The first row that a query gives, if any.
    ///
    /// # Errors
    /// Whatever SQLite says.
    pub async fn first<'q>(&self, query: impl Execute<'q, Sqlite> + 'q) -> DbResult<Option<SqliteRow>> {
        let _turn = self.turns.acquire().await.map_err(|_| sqlx::Error::PoolClosed)?;
        let mut conn = self.take().await?;
        let row = conn.fetch_optional(query).await;
        self.lock().push(conn);
        Ok(row?)
    }

    /// The row of a query that gives one whatever the data.
    ///
    /// # Errors
    /// Whatever SQLite says.
    pub async fn one<'q>(&self, query: impl Execute<'q, Sqlite> + 'q) -> DbResult<SqliteRow> {
        Ok(self.first(query).await?.ok_or(sqlx::Error::RowNotFound)?)
    }

    /// Waits for the reads under way and closes every connection. Later reads fail.
    pub async fn close(&self) {
        let all = self.turns.acquire_many(MOST).await;
        self.turns.close();
        drop(all);
        let idle = std::mem::take(&mut *self.lock());
        for conn in idle {
            if let Err(error) = conn.close().await {
                tracing::warn!(%error, "a reading connection did not close cleanly");
            }
        }
    }

    async fn take(&self) -> DbResult<SqliteConnection> {
        let idle = self.lock().pop();
        if let Some(conn) = idle {
            return Ok(conn);
        }
        let mut conn = self.options.connect().await?;
        search::register(&mut conn).await?;
        Ok(conn)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<SqliteConnection>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
