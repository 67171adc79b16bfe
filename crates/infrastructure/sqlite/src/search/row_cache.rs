//! Caches the rows of entries that searches have read, until the database changes.
//!
//! A search names a few hundred entries, most of which an earlier search named: during typing, and in the
//! other result list. To look up each entry and format its numbers as text takes longer than to find it.
//!
//! The cache belongs to one [`DbVersion`]. Every write, a recorded use included, makes another version and
//! clears the cache.

use std::sync::{Mutex, PoisonError};

use chrono::{DateTime, Utc};
use inklings_ports::search::store::ListHit;
use rustc_hash::FxHashMap;
use sqlx::Row as _;

use super::rows::{self, PACKED};
use crate::{
    connection::{Database, version::DbVersion},
    error::DbResult,
    memory::filter_sql::Sql,
};

/// Number of rows at which the cache is cleared: about 20 megabytes.
const MOST: usize = 150_000;

/// An entry's row for a result list, without a score.
#[derive(Debug, Clone)]
pub struct CachedRow {
    /// The list item. Its score is 0 and it has no vector.
    pub hit: ListHit,
    /// False for a forgotten entry.
    pub active: bool,
    /// True for an entry that is a part of a conversation.
    pub is_utterance: bool,
    /// When it was written.
    pub created_at: DateTime<Utc>,
}

/// The cached rows of one database.
#[derive(Debug, Default)]
pub struct RowCache(Mutex<Cached>);

#[derive(Debug, Default)]
struct Cached {
    at: Option<DbVersion>,
    rows: FxHashMap<i64, CachedRow>,
}

impl RowCache {
    /// The rows with these numbers, in this order, at a database version or newer. `None` for rows that no
    /// longer exist.
    pub async fn get(&self, db: &Database, at: DbVersion, seqs: &[i64]) -> DbResult<Vec<Option<CachedRow>>> {
        let mut rows: Vec<Option<CachedRow>> = {
            let mut cache = self.lock();
            if cache.at != Some(at) {
                *cache = Cached { at: Some(at), ..Cached::default() };
            }
            seqs.iter().map(|seq| cache.rows.get(seq).cloned()).collect()
        };
        let missing: Vec<i64> =
            seqs.iter().zip(&rows).filter(|(_, row)| row.is_none()).map(|(seq, _)| *seq).collect();
        if missing.is_empty() {
            return Ok(rows);
        }
        let mut read: FxHashMap<i64, CachedRow> = read(db, &missing).await?.into_iter().collect();
        db.rowid_cache().learn(at.epoch, read.iter().map(|(seq, row)| (row.hit.id, *seq)));
        self.keep(at, &read);
        for (seq, row) in seqs.iter().zip(&mut rows) {
            if row.is_none() {
                *row = read.remove(seq);
            }
        }
        Ok(rows)
    }

    fn keep(&self, at: DbVersion, read: &FxHashMap<i64, CachedRow>) {
        let mut cache = self.lock();
        // Another task may have seen a newer version meanwhile; these rows may be older than that.
        if cache.at != Some(at) {
            return;
        }
        if cache.rows.len() + read.len() > MOST {
            cache.rows = FxHashMap::default();
        }
        cache.rows.extend(read.iter().map(|(seq, row)| (*seq, row.clone())));
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Cached> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

async fn read(db: &Database, seqs: &[i64]) -> DbResult<Vec<(i64, CachedRow)>> {
    let mut sql = Sql::new("SELECT ");
    sql.push(PACKED).push("0.0), ' ') AS hits FROM json_each(");
    sql.push_bind(serde_json::Value::from(seqs).to_string());
    sql.push(") AS j CROSS JOIN memories AS m ON m.seq = j.value");
    let row = sql.build().fetch_one(&db.reader()).await?;
    rows::hits(row.try_get("hits")?)
}
