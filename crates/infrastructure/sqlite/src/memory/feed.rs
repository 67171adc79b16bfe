//! Detects changes by any process: one pragma while nothing changes, one small read after a change.

use std::{collections::HashMap, sync::Arc};

use inklings_domain::ids::ChangeId;
use inklings_ports::{
    store_error::StoreError,
    workspace::settings::{ChangeFeed, Changes, Topic},
};
use sqlx::{Connection, SqliteConnection};
use tokio::sync::Mutex;

use crate::{connection::Database, error::DbResult, rows::parsed};

/// More journalled changes than this between two polls are not listed one by one.
const MOST_LISTED: usize = 16;

/// The kinds of rows of [`WHERE_IT_STANDS`].
const TOPIC: i64 = 0;
const CHANGE: i64 = 1;
const NEWEST: i64 = 2;

/// The counters of all topics, the journalled changes behind a sequence number, and the newest sequence number, in one
/// snapshot.
const WHERE_IT_STANDS: &str = "SELECT 0, topic, counter FROM topics \
    UNION ALL SELECT 1, id, sequence FROM (SELECT id, sequence FROM journal WHERE sequence > ? ORDER BY sequence LIMIT ?) \
    UNION ALL SELECT 2, '', coalesce(max(sequence), 0) FROM journal";

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
    state: State,
    /// The [`Database::generation`] that it watches.
    generation: u64,
}

impl SqliteFeed {
    /// Starts a feed that reports changes from now on.
    pub async fn start(db: Arc<Database>) -> DbResult<Self> {
        let watch = Watch::start(&db).await?;
        Ok(Self { db, watch: Mutex::new(Some(watch)) })
    }

    /// Watches the current file again after [`Self::close`].
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

/// What the database counts of its changes.
#[derive(Debug, Default)]
struct State {
    counters: HashMap<Topic, i64>,
    /// The newest sequence number of the journal.
    sequence: i64,
    /// The journalled changes since the state before, the first ones if there are many.
    journalled: Vec<ChangeId>,
}

impl State {
    /// Reads the state, with the changes behind a sequence number of the journal.
    async fn read(conn: &mut SqliteConnection, after: i64) -> DbResult<Self> {
        let rows: Vec<(i64, String, i64)> =
            sqlx::query_as(WHERE_IT_STANDS).bind(after).bind(MOST_LISTED as i64 + 1).fetch_all(conn).await?;
        let mut state = Self::default();
        for (kind, name, number) in rows {
            match kind {
                TOPIC => state.counters.extend(topic_of(&name).map(|topic| (topic, number))),
                CHANGE => state.journalled.push(parsed(&name, "id")?),
                NEWEST => state.sequence = number,
                _ => {}
            }
        }
        Ok(state)
    }

    fn changes_since(&self, before: &Self) -> Changes {
        let moved = |topic: &Topic| {
            let count = |state: &Self| state.counters.get(topic).copied().unwrap_or_default();
            count(self) - count(before)
        };
        let mut topics: Vec<Topic> =
            self.counters.keys().filter(|topic| moved(topic) != 0).copied().collect();
        topics.sort_unstable();
        // Each journal row moves the counter by one, and everything else that touches memory moves it as well.
        let all = self.journalled.len() <= MOST_LISTED
            && i64::try_from(self.journalled.len()) == Ok(moved(&Topic::Memories));
        let journalled = (all && topics.contains(&Topic::Memories)).then(|| self.journalled.clone());
        Changes { topics, journalled }
    }
}

impl Watch {
    async fn start(db: &Database) -> DbResult<Self> {
        let mut conn = db.watcher().await?;
        let data_version = data_version(&mut conn).await?;
        let state = State::read(&mut conn, i64::MAX).await?;
        Ok(Self { conn, data_version, state, generation: db.generation() })
    }

    async fn changes(&mut self) -> DbResult<Changes> {
        let version = data_version(&mut self.conn).await?;
        if version == self.data_version {
            return Ok(Changes::default());
        }
        let state = State::read(&mut self.conn, self.state.sequence).await?;
        let changes = state.changes_since(&self.state);
        self.data_version = version;
        self.state = state;
        Ok(changes)
    }
}

async fn data_version(conn: &mut SqliteConnection) -> DbResult<i64> {
    Ok(sqlx::query_scalar("PRAGMA data_version").fetch_one(conn).await?)
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
        "recall_tests" => Topic::RecallTests,
        "clients" => Topic::Clients,
        "agent_telemetry" => Topic::AgentTelemetry,
        _ => return None,
    })
}

impl SqliteFeed {
    async fn poll_watch(&self, watch: &mut Watch) -> DbResult<Changes> {
        if self.db.is_replaced() {
            // Another process restored a backup.
            self.db.reopen().await?;
        }
        if watch.generation == self.db.generation() {
            return watch.changes().await;
        }
        *watch = Watch::start(&self.db).await?;
        let mut topics: Vec<Topic> = watch.state.counters.keys().copied().collect();
        topics.sort_unstable();
        Ok(Changes { topics, journalled: None })
    }
}

#[async_trait::async_trait]
impl ChangeFeed for SqliteFeed {
    async fn poll(&self) -> Result<Changes, StoreError> {
        let mut watch = self.watch.lock().await;
        let Some(watch) = watch.as_mut() else { return Err(StoreError::NotFound("workspace")) };
        self.poll_watch(watch).await.map_err(|error| self.db.fail(error))
    }
}
