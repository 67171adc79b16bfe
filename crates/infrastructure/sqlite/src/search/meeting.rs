//! The rows that meet the conditions of a filter beyond tiers, channels, conversations and forgetting, for the scan of vectors.

use std::sync::{Arc, Mutex, PoisonError};

use inklings_domain::{lens::ResolvedLens, memory::filter::MemoryFilter};

use crate::{
    connection::{Database, version::DbVersion},
    error::{DbError, DbResult},
    memory::filter_sql::{Sql, push_narrowing},
};

/// The most lenses whose rows are remembered.
const MOST_LENSES: usize = 4;

/// Row numbers as a bit set.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct RowSet(Vec<u64>);

impl RowSet {
    fn insert(&mut self, seq: i64) {
        let Ok(seq) = usize::try_from(seq) else { return };
        if self.0.len() <= seq / 64 {
            self.0.resize(seq / 64 + 1, 0);
        }
        self.0[seq / 64] |= 1 << (seq % 64);
    }

    pub fn contains(&self, seq: i64) -> bool {
        usize::try_from(seq)
            .is_ok_and(|seq| self.0.get(seq / 64).is_some_and(|bits| bits >> (seq % 64) & 1 == 1))
    }
}

/// The rows that a lens shows, at a state of the database.
#[derive(Debug)]
struct LensRows {
    tick: i64,
    epoch: i64,
    lens: Arc<ResolvedLens>,
    rows: Arc<RowSet>,
}

/// Remembers the rows of the lenses that were used last: whoever speaks as somebody asks more than once, and the rows are those of
/// the whole database. A change of any entry makes them stale.
#[derive(Debug, Default)]
pub struct MeetingRows(Mutex<Vec<LensRows>>);

impl MeetingRows {
    /// The rows that meet the facet conditions and the lens of a filter.
    pub async fn rows(&self, db: &Database, filter: &MemoryFilter) -> DbResult<Arc<RowSet>> {
        let lens = filter.scope_filter.lens.as_ref();
        let Some(lens) = lens.filter(|_| filter.conditions().next().is_none()) else {
            return read(db, filter).await.map(Arc::new);
        };
        // Read before the rows, so that they may be newer than their state and are then read again; they are never older.
        let at = db.db_version().await?;
        if let Some(rows) = self.remembered(at, lens) {
            return Ok(rows);
        }
        let rows = Arc::new(read(db, filter).await?);
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.retain(|known| known.is_at(at) && known.lens != *lens);
        known.truncate(MOST_LENSES - 1);
        let lens = Arc::clone(lens);
        known.insert(0, LensRows { tick: at.tick, epoch: at.epoch, lens, rows: Arc::clone(&rows) });
        Ok(rows)
    }

    fn remembered(&self, at: DbVersion, lens: &Arc<ResolvedLens>) -> Option<Arc<RowSet>> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let found = known.iter().find(|known| known.is_at(at) && known.lens == *lens)?;
        Some(Arc::clone(&found.rows))
    }
}

impl LensRows {
    const fn is_at(&self, at: DbVersion) -> bool {
        self.tick == at.tick && self.epoch == at.epoch
    }
}

async fn read(db: &Database, filter: &MemoryFilter) -> DbResult<RowSet> {
    // One row of JSON, because each row of its own wakes the reader.
    let mut sql = Sql::new("SELECT json_group_array(m.seq) FROM memories AS m WHERE TRUE");
    push_narrowing(&mut sql, filter, db.workspace_id());
    let json: String = sql.build_query_scalar().fetch_one(&db.reader()).await?;
    let seqs: Vec<i64> = serde_json::from_str(&json).map_err(|_| DbError::Row { column: "seq" })?;
    let mut rows = RowSet::default();
    for seq in seqs {
        rows.insert(seq);
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn a_row_set_holds_what_was_put_in(seqs in proptest::collection::btree_set(0i64..5_000, 0..50)) {
            let mut rows = RowSet::default();
            for seq in &seqs {
                rows.insert(*seq);
            }
            for seq in -1..5_100 {
                proptest::prop_assert_eq!(rows.contains(seq), seqs.contains(&seq));
            }
        }
    }
}
