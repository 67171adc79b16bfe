//! Detects changes of vaults and pages by any process.

use std::sync::Arc;

use inklings_ports::{
    store_error::StoreError,
    workspace::settings::{ChangeFeed, Changes, Topic},
};
use sqlx::Row;
use tokio::sync::Mutex;

use crate::{connection::Database, error::DbResult};

/// Watches the clock of the pages.
#[derive(Debug)]
pub struct PageFeed {
    db: Arc<Database>,
    /// `None` before the first poll: what was changed before is no news.
    seen: Mutex<Option<Seen>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Seen {
    /// The [`Database::generation`] that it is of.
    generation: u64,
    tick: i64,
    /// Of vectors that came or went.
    vectors: i64,
}

impl PageFeed {
    /// A feed that reports changes after its first poll.
    pub fn new(db: Arc<Database>) -> Self {
        Self { db, seen: Mutex::default() }
    }

    async fn read(&self) -> DbResult<Seen> {
        if self.db.is_replaced() {
            // Another process restored a backup.
            self.db.reopen().await?;
        }
        let generation = self.db.generation();
        let row = sqlx::query("SELECT tick, epoch + vectors AS vectors FROM page_clock")
            .fetch_one(&self.db.reader())
            .await?;
        Ok(Seen { generation, tick: row.try_get("tick")?, vectors: row.try_get("vectors")? })
    }
}

#[async_trait::async_trait]
impl ChangeFeed for PageFeed {
    async fn poll(&self) -> Result<Changes, StoreError> {
        let mut seen = self.seen.lock().await;
        let now = self.read().await.map_err(|error| self.db.fail(error))?;
        let before = seen.replace(now).unwrap_or(now);
        let other = before.generation != now.generation;
        let mut topics = Vec::new();
        if other || before.tick != now.tick {
            topics.push(Topic::Pages);
        }
        if other || before.vectors != now.vectors {
            topics.push(Topic::Models);
        }
        topics.sort_unstable();
        Ok(Changes { topics, journalled: None })
    }
}
