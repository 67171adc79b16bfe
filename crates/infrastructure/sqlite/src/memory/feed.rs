//! Detects changes by any process: one pragma while nothing changes, one small read after a change.

use std::{collections::HashMap, sync::Arc};

use inklings_application::{
    store_error::StoreError,
    workspace::settings::{ChangeFeed, Topic},
};
use sqlx::{Connection, SqliteConnection};
use tokio::sync::Mutex;

use crate::{connection::Database, error::DbResult};

/// Watches one database over a connection that never writes, because `data_version` only shows the writes of
/// other connections.
#[derive(Debug)]
pub struct SqliteFeed {
    db: Arc<Database>,
    /// `None` once the database was closed.
    watch: Mutex<Option<Watch>>,
}

#[derive(Debug)]
struct Watch {
    conn: SqliteConnection,
    data_version: i64,
    counters: HashMap<String, i64>,
    /// The [`Database::generation`] that it watches.
    generation: u64,
}

impl SqliteFeed {
    /// Starts a feed that reports changes from now on.
    ///
    /// # Errors
    /// A SQLite error.
    pub async fn start(db: Arc<Database>) -> DbResult<Self> {
        let watch = Watch::start(&db).await?;
        Ok(Self { db, watch: Mutex::new(Some(watch)) })
    }

    /// Watches the current file again after [`Self::close`].
    ///
    /// # Errors
    /// A SQLite error.
    pub async fn restart(&self) -> DbResult<()> {
        let mut watch = Watch::start(&self.db).await?;
        // The file may have changed completely, so the next poll reports every topic.
        watch.generation = u64::MAX;
        *self.watch.lock().await = Some(watch);
        Ok(())
    }

    /// Closes the connection to the file; no changes are reported after that.
    pub async fn close(&self) {
        if let Some(watch) = self.watch.lock().await.take()
            && let Err(error) = watch.conn.close().await
        {
            tracing::warn!(%error, "a watching connection did not close cleanly");
        }
    }
}

impl Watch {
    async fn start(db: &Database) -> DbResult<Self> {
        let mut conn = db.watcher().await?;
        let data_version = data_version(&mut conn).await?;
        let counters = counters(&mut conn).await?;
        Ok(Self { conn, data_version, counters, generation: db.generation() })
    }

    async fn changed_topics(&mut self) -> DbResult<Vec<Topic>> {
        let version = data_version(&mut self.conn).await?;
        if version == self.data_version {
            return Ok(Vec::new());
        }
        let counters = counters(&mut self.conn).await?;
        let mut topics: Vec<Topic> = counters
            .iter()
            .filter(|(topic, counter)| self.counters.get(*topic) != Some(counter))
            .filter_map(|(topic, _)| topic_of(topic))
            .collect();
        topics.sort_unstable();
        self.data_version = version;
        self.counters = counters;
        Ok(topics)
    }
}

async fn data_version(conn: &mut SqliteConnection) -> DbResult<i64> {
    Ok(sqlx::query_scalar("PRAGMA data_version").fetch_one(conn).await?)
}

async fn counters(conn: &mut SqliteConnection) -> DbResult<HashMap<String, i64>> {
    let rows: Vec<(String, i64)> =
        sqlx::query_as("SELECT topic, counter FROM topics").fetch_all(conn).await?;
    Ok(rows.into_iter().collect())
}

fn topic_of(word: &str) -> Option<Topic> {
    Some(match word {
        "memories" => Topic::Memories,
        "channels" => Topic::Channels,
        "transcript" => Topic::Transcript,
        "workspaces" => Topic::Workspaces,
        "settings" => Topic::Settings,
        "models" => Topic::Models,
        "proposals" => Topic::Proposals,
        "runs" => Topic::Runs,
        "orientations" => Topic::Orientations,
        "clients" => Topic::Clients,
        _ => return None,
    })
}

impl SqliteFeed {
    async fn hear(&self, watch: &mut Watch) -> DbResult<Vec<Topic>> {
        if self.db.is_replaced() {
            // Another process restored a backup.
            self.db.reopen().await?;
        }
        if watch.generation == self.db.generation() {
            return watch.changed_topics().await;
        }
        *watch = Watch::start(&self.db).await?;
        let mut topics: Vec<Topic> = watch.counters.keys().filter_map(|topic| topic_of(topic)).collect();
        topics.sort_unstable();
        Ok(topics)
    }
}

#[async_trait::async_trait]
impl ChangeFeed for SqliteFeed {
    async fn poll(&self) -> Result<Vec<Topic>, StoreError> {
        let mut watch = self.watch.lock().await;
        let Some(watch) = watch.as_mut() else { return Err(StoreError::NotFound("workspace")) };
        self.hear(watch).await.map_err(|error| self.db.fail(error))
    }
}
