//! Updates the vector matrix of a model from the database: loads it in the background at first, newest
//! vectors first, then reads only the changes of any process.
//!
//! Every write of an entry or of its vector stores the tick of the database's change clock in the entry. So a
//! search reads the ticks after its own and finds inserts, edits, forgets and new vectors of every process.
//! Destroyed rows leave no tick; they raise the clock's epoch instead.

use std::{
    collections::HashSet,
    sync::{Arc, atomic::Ordering},
};

use inklings_domain::memory::embedding::ModelId;
use sqlx::{Row, sqlite::SqliteRow};

use super::{
    entry_vectors::EntryVectors,
    rows::{self, PLACE},
    vector_index::Newer,
};
use crate::{
    connection::Database, error::DbResult, memory::filter_sql::Sql, vector::quantise::MAX_DIMENSION,
};

/// Vectors read at once while loading.
const BATCH: i64 = 1_000;
/// The most changes that a search applies itself; more are applied in the background.
const INLINE: i64 = 512;

/// The position of a matrix in the changes of its database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cursor {
    tick: i64,
    seq: i64,
    epoch: i64,
}

impl Cursor {
    /// The position after everything up to a tick, whatever its row number.
    pub const fn after(tick: i64, epoch: i64) -> Self {
        Self { tick, seq: i64::MAX, epoch }
    }

    pub const fn tick(self) -> i64 {
        self.tick
    }

    pub const fn epoch(self) -> i64 {
        self.epoch
    }

    /// True if nothing has changed since.
    pub const fn is_level(self, tick: i64, epoch: i64) -> bool {
        self.tick == tick && self.epoch == epoch
    }
}

impl EntryVectors {
    /// Checks before a search whether the database has changed since the last update, so that
    /// [`Self::catch_up`] is needed. Starts the first load if there was none, and then returns false.
    pub async fn is_behind(self: &Arc<Self>, db: &Arc<Database>) -> DbResult<bool> {
        if !self.is_ready() {
            self.load_in_background(db);
            return Ok(false);
        }
        if self.working.load(Ordering::Acquire) {
            return Ok(false);
        }
        let now = db.db_version().await?;
        let cursor = self.cursor.lock().await;
        Ok(cursor.is_some_and(|at| !at.is_level(now.tick, now.epoch)))
    }

    /// True if the matrix is loaded and up to date with the database.
    pub async fn is_level(&self, db: &Database) -> DbResult<bool> {
        if !self.is_ready() || self.working.load(Ordering::Acquire) {
            return Ok(false);
        }
        let now = db.db_version().await?;
        let cursor = self.cursor.lock().await;
        Ok(cursor.is_some_and(|at| at.is_level(now.tick, now.epoch)))
    }

    /// Applies the changes; in the background if there are many.
    pub async fn catch_up(self: &Arc<Self>, db: &Arc<Database>) -> DbResult<()> {
        if !self.follow(db, Some(1)).await? {
            self.work_in_background(db);
        }
        Ok(())
    }

    /// Starts the first load unless it is running or done.
    pub fn load_in_background(self: &Arc<Self>, db: &Arc<Database>) {
        if !self.is_ready() {
            self.work_in_background(db);
        }
    }

    fn work_in_background(self: &Arc<Self>, db: &Arc<Database>) {
        let Ok(runtime) = tokio::runtime::Handle::try_current() else { return };
        if self.working.swap(true, Ordering::AcqRel) {
            return;
        }
        let (this, db) = (Arc::clone(self), Arc::clone(db));
        runtime.spawn(async move {
            let done = this.load(&db).await;
            this.working.store(false, Ordering::Release);
            if let Err(error) = done {
                // The next search tries again.
                tracing::warn!(%error, model = this.index.model().as_str(), "vectors could not be loaded");
            }
        });
    }

    /// Loads everything, from the copy beside the database if there is one, or applies all changes since the last update.
    pub async fn load(&self, db: &Database) -> DbResult<()> {
        let mut cursor = self.cursor.lock().await;
        let mut saved = None;
        let is_first = cursor.is_none();
        if is_first {
            saved = self.load_saved(db).await?;
            *cursor = match saved {
                None => Some(self.load_all(db).await?),
                saved => saved,
            };
        }
        drop(cursor);
        self.follow(db, None).await?;
        if saved.is_some() && !self.is_complete(db).await? {
            let mut cursor = self.cursor.lock().await;
            *self.index.write() = None;
            *cursor = Some(self.load_all(db).await?);
            drop(cursor);
            saved = None;
            self.follow(db, None).await?;
        }
        self.ready.store(true, Ordering::Release);
        if is_first {
            self.save(db, saved).await;
        }
        Ok(())
    }

    /// Reads and rounds all vectors. Returns the position in the changes from which on they are to be applied.
    async fn load_all(&self, db: &Database) -> DbResult<Cursor> {
        // Reads the clock first: changes during the load are applied afterwards.
        let start = clock(db).await?;
        let count: i64 =
            sqlx::query_scalar("SELECT count(*) FROM memory_vectors WHERE workspace_id = ?1 AND model = ?2")
                .bind(db.workspace_id().to_string())
                .bind(self.index.model().as_str())
                .fetch_one(&db.reader())
                .await?;
        let capacity = usize::try_from(count).unwrap_or(0);
        let mut page = self.page(db, i64::MAX).await?;
        while let Some(last) = page.last() {
            let next = self.page(db, last.try_get("at")?);
            // The thread of the connection reads the next page while this one is rounded.
            let apply = async { self.apply(&page, Newer::Present, capacity) };
            (page, _) = futures::future::try_join(next, apply).await?;
        }
        self.load_passages(db).await?;
        Ok(start)
    }

    /// The next vectors before a row number, the newest first.
    async fn page(&self, db: &Database, before: i64) -> DbResult<Vec<SqliteRow>> {
        let mut sql = Sql::new(
            "SELECT v.rowid AS at, m.seq, m.forgotten_at IS NULL AS active, v.first_end, v.vector, ",
        );
        sql.push(PLACE);
        sql.push(" FROM memory_vectors AS v CROSS JOIN memories AS m");
        sql.push(" ON m.workspace_id = v.workspace_id AND m.id = v.memory_id WHERE v.rowid < ");
        sql.push_bind(before).push(" AND v.model = ").push_bind(self.index.model().as_str().to_owned());
        sql.push(" ORDER BY v.rowid DESC LIMIT ").push_bind(BATCH);
        Ok(sql.build().fetch_all(&db.reader()).await?)
    }

    /// Loads the passages behind the first of all entries that have any. What changed since the entries were read is
    /// read again with the changes.
    async fn load_passages(&self, db: &Database) -> DbResult<()> {
        let mut after = 0;
        loop {
            let mut sql = Sql::new("SELECT p.rowid AS at, m.seq, p.starts, p.ends, p.vector");
            sql.push(" FROM memory_passages AS p CROSS JOIN memories AS m");
            sql.push(" ON m.workspace_id = p.workspace_id AND m.id = p.memory_id WHERE p.rowid > ");
            sql.push_bind(after).push(" AND p.model = ").push_bind(self.index.model().as_str().to_owned());
            sql.push(" ORDER BY p.rowid LIMIT ").push_bind(BATCH);
            let rows = sql.build().fetch_all(&db.reader()).await?;
            let Some(last) = rows.last() else { return Ok(()) };
            after = last.try_get("at")?;
            self.add_passages(&rows)?;
        }
    }

    /// Applies the changes up to now, at most `pages` pages of them. False if there are more.
    async fn follow(&self, db: &Database, pages: Option<usize>) -> DbResult<bool> {
        let mut cursor = self.cursor.lock().await;
        let Some(at) = cursor.as_mut() else { return Ok(false) };
        let now = clock(db).await?;
        if now.epoch != at.epoch {
            self.drop_destroyed(db).await?;
            at.epoch = now.epoch;
        }
        let mut page = 0;
        while at.tick < now.tick {
            if pages.is_some_and(|pages| page >= pages) {
                return Ok(false);
            }
            page += 1;
            let rows = self.changed(db, *at, now.tick).await?;
            let long = self.apply(&rows, Newer::Added, 0)?;
            if !long.is_empty() {
                self.add_passages(&passages_of(db, self.index.model(), long).await?)?;
            }
            match rows.last() {
                Some(last) if rows.len() as i64 == INLINE => {
                    (at.tick, at.seq) = (last.try_get("change_seq")?, last.try_get("seq")?);
                }
                _ => (at.tick, at.seq) = (now.tick, i64::MAX),
            }
        }
        Ok(true)
    }

    async fn changed(&self, db: &Database, from: Cursor, to: i64) -> DbResult<Vec<SqliteRow>> {
        let mut sql = Sql::new(
            "SELECT m.change_seq, m.seq, m.forgotten_at IS NULL AS active, v.rowid AS at, v.first_end, v.vector, ",
        );
        sql.push(PLACE);
        sql.push(" FROM memories AS m LEFT JOIN memory_vectors AS v");
        sql.push(" ON v.workspace_id = m.workspace_id AND v.memory_id = m.id AND v.model = ");
        sql.push_bind(self.index.model().as_str().to_owned());
        // Many entries can share a tick (one change set), so the row number is the second part of the key.
        sql.push(" WHERE (m.change_seq, m.seq) > (").push_bind(from.tick).push(", ").push_bind(from.seq);
        sql.push(") AND m.change_seq <= ").push_bind(to);
        sql.push(" ORDER BY m.change_seq, m.seq LIMIT ").push_bind(INLINE);
        Ok(sql.build().fetch_all(&db.reader()).await?)
    }

    async fn drop_destroyed(&self, db: &Database) -> DbResult<()> {
        let left: Vec<i64> = sqlx::query_scalar("SELECT seq FROM memories").fetch_all(&db.reader()).await?;
        let left: HashSet<i64> = left.into_iter().collect();
        if let Some(matrix) = self.index.write().as_mut() {
            let gone: Vec<i64> = matrix.seqs().filter(|seq| !left.contains(seq)).collect();
            for seq in gone {
                matrix.remove(seq);
            }
        }
        Ok(())
    }

    /// Applies rows to the matrix; rows without a vector are removed. Returns the entries of several passages, which have only the
    /// first one then.
    fn apply(&self, rows: &[SqliteRow], newer: Newer, capacity: usize) -> DbResult<Vec<i64>> {
        let mut long = Vec::new();
        let mut slot = self.index.write();
        for row in rows {
            let seq: i64 = row.try_get("seq")?;
            let Some(blob) = row.try_get::<Option<&[u8]>, _>("vector")? else {
                if let Some(matrix) = slot.as_mut() {
                    matrix.remove(seq);
                }
                continue;
            };
            let vector = rows::numbers(blob);
            if !(1..=MAX_DIMENSION).contains(&vector.len()) {
                continue;
            }
            let matrix = self.index.matrix_for(&mut slot, vector.len(), newer, capacity);
            matrix.put((seq, row.try_get("at")?), rows::place(row)?, row.try_get("active")?, &vector);
            let first_end = row.try_get::<Option<i64>, _>("first_end")?.unwrap_or_default();
            if let Some(end) = u32::try_from(first_end).ok().filter(|end| *end > 0) {
                matrix.begin_passages(seq, end);
                long.push(seq);
            }
        }
        Ok(long)
    }

    /// Adds passages behind the first, in their order.
    fn add_passages(&self, rows: &[SqliteRow]) -> DbResult<()> {
        let mut slot = self.index.write();
        let Some(matrix) = slot.as_mut() else { return Ok(()) };
        for row in rows {
            let vector = rows::numbers(row.try_get("vector")?);
            matrix.add_passage(row.try_get("seq")?, rows::passage(row)?, &vector);
        }
        Ok(())
    }
}

/// The passages behind the first of these entries.
pub async fn passages_of(db: &Database, model: &ModelId, seqs: Vec<i64>) -> DbResult<Vec<SqliteRow>> {
    let mut sql = Sql::new("SELECT m.seq, p.starts, p.ends, p.vector FROM json_each(");
    sql.push_bind(serde_json::Value::from(seqs).to_string());
    sql.push(") AS j CROSS JOIN memories AS m ON m.seq = j.value CROSS JOIN memory_passages AS p");
    sql.push(" ON p.workspace_id = m.workspace_id AND p.memory_id = m.id AND p.model = ");
    sql.push_bind(model.as_str().to_owned()).push(" ORDER BY m.seq, p.ordinal");
    Ok(sql.build().fetch_all(&db.reader()).await?)
}

async fn clock(db: &Database) -> DbResult<Cursor> {
    let row = sqlx::query("SELECT tick, epoch FROM change_clock").fetch_one(&db.reader()).await?;
    Ok(Cursor::after(row.try_get("tick")?, row.try_get("epoch")?))
}
