//! The exact cosines of entries whose unrounded vectors are only in the file.

use std::collections::HashMap;

use inklings_application::search::store::ListHit;
use inklings_domain::{ids::MemoryId, memory::filter::Activity};
use sqlx::{Row as _, sqlite::SqliteRow};

use super::{index::ModelVectors, quantise::exact, row_cache::RowCache, rows};
use crate::{
    connection::{Database, version::DbVersion},
    error::DbResult,
    memory::filter_sql::Sql,
};

/// The first vector of an entry.
struct First {
    vector: Vec<f32>,
    /// Where it ends in the content, if the entry has several passages.
    end: Option<usize>,
}

impl ModelVectors {
    /// The exact cosines of entries. Those that were destroyed or no longer match the filter are dropped.
    pub(super) async fn exact(
        &self,
        (db, known, at): (&Database, &RowCache, DbVersion),
        query: &[f32],
        activity: Activity,
        seqs: &[i64],
    ) -> DbResult<Vec<ListHit>> {
        let rows = known.get(db, at, seqs);
        let (rows, mut firsts) =
            futures::future::try_join(rows, self.firsts_by_number(db, query.len(), seqs)).await?;
        let (mut hits, mut missing) = (Vec::with_capacity(seqs.len()), Vec::new());
        for (seq, row) in seqs.iter().zip(rows) {
            let Some(row) = row.filter(|row| activity.lets_through(row.active)) else { continue };
            match firsts.remove(seq) {
                Some((id, first)) if id == row.hit.id => hits.push((*seq, first.compared(query, row.hit))),
                _ => missing.push((*seq, row.hit)),
            }
        }
        if !missing.is_empty() {
            let seqs: Vec<i64> = missing.iter().map(|(seq, _)| *seq).collect();
            let mut firsts = self.firsts_by_entry(db, query.len(), &seqs).await?;
            let found = missing.into_iter().filter_map(|(seq, hit)| Some((seq, firsts.remove(&seq)?, hit)));
            hits.extend(found.map(|(seq, first, hit)| (seq, first.compared(query, hit))));
        }
        self.compare_passages(db, query, &mut hits).await?;
        Ok(hits.into_iter().map(|(_, hit)| hit).collect())
    }

    /// Vectors by the row numbers of their entries, each with the entry that it belongs to now. Read by the numbers that the vectors
    /// had when they were loaded: that takes a third of the lookups by entry. A rewritten file may have other numbers.
    async fn firsts_by_number(
        &self,
        db: &Database,
        dimension: usize,
        seqs: &[i64],
    ) -> DbResult<HashMap<i64, (MemoryId, First)>> {
        let by_number = self.stored_at(seqs);
        let mut sql =
            Sql::new("SELECT v.rowid AS at, v.memory_id AS id, v.first_end, v.vector FROM json_each(");
        sql.push_bind(by_number.keys().copied().collect::<serde_json::Value>().to_string());
        sql.push(") AS j CROSS JOIN memory_vectors AS v ON v.rowid = j.value WHERE v.model = ");
        sql.push_bind(self.model.as_str().to_owned()).push(" AND v.dimension = ");
        sql.push_bind(i64::try_from(dimension).unwrap_or(0));
        let rows = sql.build().fetch_all(&db.reader()).await?;
        let mut firsts = HashMap::with_capacity(rows.len());
        for row in &rows {
            if let Some(seq) = by_number.get(&row.try_get("at")?) {
                firsts.insert(*seq, (rows::id(row)?, First::of(row)?));
            }
        }
        Ok(firsts)
    }

    /// Vectors by the row numbers of their entries, looked up by entry.
    async fn firsts_by_entry(
        &self,
        db: &Database,
        dimension: usize,
        seqs: &[i64],
    ) -> DbResult<HashMap<i64, First>> {
        let mut sql = Sql::new("SELECT m.seq, v.first_end, v.vector FROM json_each(");
        sql.push_bind(serde_json::Value::from(seqs).to_string());
        sql.push(
            ") AS j CROSS JOIN memories AS m ON m.seq = j.value \
             CROSS JOIN memory_vectors AS v \
             ON v.workspace_id = m.workspace_id AND v.memory_id = m.id AND v.model = ",
        );
        sql.push_bind(self.model.as_str().to_owned()).push(" WHERE v.dimension = ");
        sql.push_bind(i64::try_from(dimension).unwrap_or(0));
        let rows = sql.build().fetch_all(&db.reader()).await?;
        rows.iter().map(|row| Ok((row.try_get("seq")?, First::of(row)?))).collect()
    }

    /// Compares the passages behind the first of those entries that have several.
    async fn compare_passages(
        &self,
        db: &Database,
        query: &[f32],
        hits: &mut [(i64, ListHit)],
    ) -> DbResult<()> {
        let is_long = |(_, (_, hit)): &(usize, &(i64, ListHit))| hit.passage.is_some();
        let long: HashMap<i64, usize> =
            hits.iter().enumerate().filter(is_long).map(|(at, (seq, _))| (*seq, at)).collect();
        if long.is_empty() {
            return Ok(());
        }
        for row in &self.passages_of(db, long.keys().copied().collect()).await? {
            let Some(at) = long.get(&row.try_get("seq")?) else { continue };
            let vector = rows::numbers(row.try_get("vector")?);
            if vector.len() != query.len() {
                continue;
            }
            let score = exact(&vector, query);
            let hit = &mut hits[*at].1;
            if score > hit.score {
                let range = rows::passage(row)?;
                hit.score = score;
                hit.passage = Some(range.start as usize..range.end as usize);
            }
        }
        Ok(())
    }
}

impl First {
    fn of(row: &SqliteRow) -> DbResult<Self> {
        let end = row.try_get::<Option<i64>, _>("first_end")?.and_then(|end| usize::try_from(end).ok());
        Ok(Self { vector: rows::numbers(row.try_get("vector")?), end: end.filter(|end| *end > 0) })
    }

    /// The hit with its cosine. The vector of an entry of one passage stays with it.
    fn compared(self, query: &[f32], mut hit: ListHit) -> ListHit {
        hit.score = exact(&self.vector, query);
        hit.passage = self.end.map(|end| 0..end);
        hit.vector = self.end.is_none().then_some(self.vector);
        hit
    }
}
