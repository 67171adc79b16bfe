//! Search in an [`InMemoryDatabase`]: every entry is looked at, nothing is indexed.

use inklings_domain::{
    embedding::{ModelId, dot},
    filter::MemoryFilter,
    ids::MemoryId,
    memory::MemoryEntry,
    query::{Clause, TextQuery},
};

use super::{memory_store::InMemoryDatabase, oracle};
use crate::ports::{
    error::StoreError,
    memory_search::{Highlight, ListHit, MemorySearch},
};

/// BM25's usual constants (Robertson and Zaragoza 2009).
const K1: f64 = 1.2;
const B: f64 = 0.75;

fn length(entry: &MemoryEntry) -> f64 {
    oracle::word_spans(&entry.content).len() as f64
}

fn bm25(entry: &MemoryEntry, clauses: &[(&Clause, f64)], average: f64) -> f64 {
    let norm = K1 * (1.0 - B + B * length(entry) / average.max(1.0));
    let gain = |(clause, rarity): &(&Clause, f64)| {
        let times = oracle::occurrences(entry, clause) as f64;
        rarity * times * (K1 + 1.0) / (times + norm)
    };
    clauses.iter().map(gain).sum()
}

/// Best first; what is equally good, newest first.
fn best(mut hits: Vec<ListHit>, limit: usize) -> Vec<ListHit> {
    hits.sort_by(|a, b| b.score.total_cmp(&a.score).then(b.id.cmp(&a.id)));
    hits.truncate(limit);
    hits
}

#[async_trait::async_trait]
impl MemorySearch for InMemoryDatabase {
    async fn search_text(
        &self,
        query: &TextQuery,
        filter: &MemoryFilter,
        limit: usize,
    ) -> Result<Vec<ListHit>, StoreError> {
        self.may_hang("search").await;
        if self.tables().searches_fail {
            return Err(StoreError::Busy);
        }
        let rows = self.tables().all();
        let total = rows.len() as f64;
        let average = rows.iter().map(|r| length(&r.entry)).sum::<f64>() / total.max(1.0);
        let rarity = |clause: &Clause| {
            let with = rows.iter().filter(|r| oracle::occurrences(&r.entry, clause) > 0).count() as f64;
            (1.0 + (total - with + 0.5) / (with + 0.5)).ln()
        };
        let clauses: Vec<(&Clause, f64)> =
            oracle::wanted(query).into_iter().map(|clause| (clause, rarity(clause))).collect();
        let found =
            rows.iter().filter(|row| oracle::answers(&row.entry, query) && oracle::lets_through(filter, row));
        let hit = |entry: &MemoryEntry| ListHit {
            id: entry.id,
            decay: entry.decay_inputs(),
            score: bm25(entry, &clauses, average),
            vector: None,
        };
        Ok(best(found.map(|row| hit(&row.entry)).collect(), limit))
    }

    async fn search_meaning(
        &self,
        vector: &[f32],
        model: &ModelId,
        filter: &MemoryFilter,
        limit: usize,
    ) -> Result<Vec<ListHit>, StoreError> {
        let tables = self.tables();
        let hit = |row: &crate::ports::memory_store::StoredEntry| {
            let (_, own) = tables.vectors.get(&(row.entry.id, model.clone()))?;
            Some(ListHit {
                id: row.entry.id,
                decay: row.entry.decay_inputs(),
                score: f64::from(dot(vector, own)),
                vector: Some(own.clone()),
            })
        };
        let rows = tables.all();
        let found = rows.iter().filter(|row| oracle::lets_through(filter, row));
        Ok(best(found.filter_map(hit).collect(), limit))
    }

    async fn highlights(&self, query: &TextQuery, ids: &[MemoryId]) -> Result<Vec<Highlight>, StoreError> {
        let tables = self.tables();
        let of = |entry: &MemoryEntry| Highlight {
            id: entry.id,
            spans: oracle::highlights(&entry.content, query),
        };
        Ok(ids.iter().filter_map(|id| tables.entries.get(id)).map(of).collect())
    }

    async fn vectors(
        &self,
        ids: &[MemoryId],
        model: &ModelId,
    ) -> Result<Vec<(MemoryId, Vec<f32>)>, StoreError> {
        let tables = self.tables();
        let of = |id: &MemoryId| tables.vectors.get(&(*id, model.clone())).map(|(_, v)| (*id, v.clone()));
        Ok(ids.iter().filter_map(of).collect())
    }

    fn meaning_ready(&self, _model: &ModelId) -> bool {
        !self.tables().vectors_loading
    }
}
