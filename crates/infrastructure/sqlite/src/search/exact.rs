//! The exact cosines of entries whose unrounded vectors are only in the file.

use std::collections::HashMap;

use inklings_domain::{ids::MemoryId, memory::filter::Activity, scope::Place};
use inklings_ports::search::store::ListHit;
use sqlx::{Row as _, sqlite::SqliteRow};

use super::{
    refresh::passages_of,
    row_cache::RowCache,
    rows,
    vector_index::{Near, VectorFile, VectorIndex},
};
use crate::{
    connection::{Database, version::DbVersion},
    error::DbResult,
    memory::filter_sql::Sql,
};

/// Reads the vectors of entries that one search compares, with their rows.
#[derive(Debug)]
pub struct EntryFile<'a> {
    pub index: &'a VectorIndex<Place>,
    pub db: &'a Database,
    pub known: &'a RowCache,
    pub at: DbVersion,
    pub query: &'a [f32],
    pub activity: Activity,
}

impl VectorFile for EntryFile<'_> {
    type Row = ListHit;

    /// Entries that no longer match the filter are left out too.
    async fn exact(&self, seqs: &[i64]) -> DbResult<Vec<(Near, ListHit)>> {
        let rows = self.known.get(self.db, self.at, seqs);
        let (rows, mut firsts) = futures::future::try_join(rows, self.firsts_by_number(seqs)).await?;
        let (mut found, mut missing) = (Vec::with_capacity(seqs.len()), Vec::new());
        for (seq, row) in seqs.iter().zip(rows) {
            let Some(row) = row.filter(|row| self.activity.lets_through(row.active)) else { continue };
            match firsts.remove(seq) {
                Some((id, near)) if id == row.hit.id => found.push((near, row.hit)),
                _ => missing.push((*seq, row.hit)),
            }
        }
        if !missing.is_empty() {
            let seqs: Vec<i64> = missing.iter().map(|(seq, _)| *seq).collect();
            let mut firsts = self.firsts_by_entry(&seqs).await?;
            found.extend(missing.into_iter().filter_map(|(seq, hit)| Some((firsts.remove(&seq)?, hit))));
        }
        self.compare_passages(&mut found).await?;
        Ok(found)
    }
}

impl EntryFile<'_> {
    /// Vectors by the row numbers of their entries, each with the entry that it belongs to now. Read by the numbers that the vectors
    /// had when they were loaded: that takes a third of the lookups by entry. A rewritten file may have other numbers.
    async fn firsts_by_number(&self, seqs: &[i64]) -> DbResult<HashMap<i64, (MemoryId, Near)>> {
        let by_number = self.index.stored_at(seqs);
        let mut sql =
            Sql::new("SELECT v.rowid AS at, v.memory_id AS id, v.first_end, v.vector FROM json_each(");
        sql.push_bind(by_number.keys().copied().collect::<serde_json::Value>().to_string());
        sql.push(") AS j CROSS JOIN memory_vectors AS v ON v.rowid = j.value WHERE v.model = ");
        self.push_model(&mut sql);
        let rows = sql.build().fetch_all(&self.db.reader()).await?;
        let mut firsts = HashMap::with_capacity(rows.len());
        for row in &rows {
            if let Some(seq) = by_number.get(&row.try_get("at")?) {
                firsts.insert(*seq, (rows::id(row)?, self.near(*seq, row)?));
            }
        }
        Ok(firsts)
    }

    /// Vectors by the row numbers of their entries, looked up by entry.
    async fn firsts_by_entry(&self, seqs: &[i64]) -> DbResult<HashMap<i64, Near>> {
        let mut sql = Sql::new("SELECT m.seq, v.first_end, v.vector FROM json_each(");
        sql.push_bind(serde_json::Value::from(seqs).to_string());
        sql.push(
            ") AS j CROSS JOIN memories AS m ON m.seq = j.value \
             CROSS JOIN memory_vectors AS v \
             ON v.workspace_id = m.workspace_id AND v.memory_id = m.id WHERE v.model = ",
        );
        self.push_model(&mut sql);
        let rows = sql.build().fetch_all(&self.db.reader()).await?;
        let near = |row: &SqliteRow| {
            let seq = row.try_get("seq")?;
            Ok((seq, self.near(seq, row)?))
        };
        rows.iter().map(near).collect()
    }

    fn push_model(&self, sql: &mut Sql) {
        sql.push_bind(self.index.model().as_str().to_owned()).push(" AND v.dimension = ");
        sql.push_bind(i64::try_from(self.query.len()).unwrap_or(0));
    }

    fn near(&self, seq: i64, row: &SqliteRow) -> DbResult<Near> {
        let vector = rows::numbers(row.try_get("vector")?);
        Ok(Near::by_first(seq, vector, row.try_get("first_end")?, self.query))
    }

    /// Compares the passages behind the first of those entries that have several.
    async fn compare_passages(&self, found: &mut [(Near, ListHit)]) -> DbResult<()> {
        let is_long = |(_, (near, _)): &(usize, &(Near, ListHit))| near.passage.range.is_some();
        let long: HashMap<i64, usize> =
            found.iter().enumerate().filter(is_long).map(|(at, (near, _))| (near.seq, at)).collect();
        if long.is_empty() {
            return Ok(());
        }
        let seqs = long.keys().copied().collect();
        for row in &passages_of(self.db, self.index.model(), seqs).await? {
            let Some(at) = long.get(&row.try_get("seq")?) else { continue };
            let vector = rows::numbers(row.try_get("vector")?);
            found[*at].0.offer(rows::passage(row)?, &vector, self.query);
        }
        Ok(())
    }
}
