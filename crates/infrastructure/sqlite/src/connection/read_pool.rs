//! A pool of connections for short reads, of which a search makes many.
//!
//! sqlx's pool pings each returned connection from a separate task, which costs a second round trip to the
//! connection's thread per query. A search makes about ten queries, each of which takes less time than such a
//! round trip. This pool passes connections on directly, the most recently used first. A connection whose
//! read was interrupted is dropped.

use std::sync::{Mutex, PoisonError};

use sqlx::{
    Connection, Execute, Executor as _, Sqlite, SqliteConnection,
    sqlite::{SqliteConnectOptions, SqliteRow},
};
use tokio::sync::Semaphore;

use crate::{connection::connect, error::DbResult};

/// The most concurrent reads of one file.
const MOST: u32 = 6;

/// The connections of one file for short reads.
#[derive(Debug)]
pub struct ShortReads {
    options: SqliteConnectOptions,
    turns: Semaphore,
    idle: Mutex<Vec<SqliteConnection>>,
}

impl ShortReads {
    /// Creates a pool that connects on demand.
    pub const fn new(options: SqliteConnectOptions) -> Self {
        Self { options, turns: Semaphore::const_new(MOST as usize), idle: Mutex::new(Vec::new()) }
    }

    /// Returns all rows of a query.
    ///
    /// # Errors
    /// A SQLite error.
    pub async fn all<'q>(&self, query: impl Execute<'q, Sqlite> + 'q) -> DbResult<Vec<SqliteRow>> {
        let _turn = self.turns.acquire().await.map_err(|_| sqlx::Error::PoolClosed)?;
        let mut conn = self.take().await?;
        let rows = conn.fetch_all(query).await;
        self.lock().push(conn);
        Ok(rows?)
    }

    /// Returns the first row of a query, if any.
    ///
    /// # Errors
    /// A SQLite error.
    pub async fn first<'q>(&self, query: impl Execute<'q, Sqlite> + 'q) -> DbResult<Option<SqliteRow>> {
        let _turn = self.turns.acquire().await.map_err(|_| sqlx::Error::PoolClosed)?;
        let mut conn = self.take().await?;
        let row = conn.fetch_optional(query).await;
        self.lock().push(conn);
        Ok(row?)
    }

    /// Returns the row of a query that always has one.
    ///
    /// # Errors
    /// A SQLite error.
    pub async fn one<'q>(&self, query: impl Execute<'q, Sqlite> + 'q) -> DbResult<SqliteRow> {
        Ok(self.first(query).await?.ok_or(sqlx::Error::RowNotFound)?)
    }

    /// Waits for running reads and closes every connection. Later reads fail.
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
        connect(&self.options).await
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<SqliteConnection>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
