//! Vector search over entries: their vectors in memory, and the rows of what was found.

use std::sync::{Arc, atomic::AtomicBool, atomic::Ordering};

use inklings_domain::{
    memory::{embedding::ModelId, filter::MemoryFilter},
    scope::Place,
};
use inklings_ports::search::store::ListHit;

use super::{
    exact::EntryFile,
    expression::{self, Within},
    matrix::{AskedVector, BestPassage, Scan},
    meeting::MeetingRows,
    refresh::Cursor,
    row_cache::RowCache,
    utterances::{Comparison, Neighbours},
    vector_index::{Near, VectorIndex},
};
use crate::{connection::Database, error::DbResult};

/// The vectors of one model in memory.
#[derive(Debug)]
pub struct EntryVectors {
    pub(super) index: Arc<VectorIndex<Place>>,
    /// The position of the matrix in the database's changes; `None` before the first load. Locked during
    /// updates.
    pub(super) cursor: tokio::sync::Mutex<Option<Cursor>>,
    /// Set after the first load.
    pub(super) ready: AtomicBool,
    /// Set while a background task updates the matrix.
    pub(super) working: AtomicBool,
    /// The rows that the lenses in use show.
    meeting: MeetingRows,
}

impl EntryVectors {
    /// An empty index for a model.
    pub fn new(model: ModelId, whole_bytes: usize) -> Self {
        Self {
            index: Arc::new(VectorIndex::new(model, whole_bytes)),
            cursor: tokio::sync::Mutex::new(None),
            ready: AtomicBool::new(false),
            working: AtomicBool::new(false),
            meeting: MeetingRows::default(),
        }
    }

    /// True once all vectors are loaded.
    pub fn is_ready(&self) -> bool {
        self.ready.load(Ordering::Acquire)
    }

    /// The unrounded vectors of the entries with these row numbers, where they are in memory and stand for the whole
    /// text.
    pub fn whole(&self, seqs: &[Option<i64>]) -> Vec<Option<Vec<f32>>> {
        let matrix = self.index.read();
        let matrix = matrix.as_ref();
        let whole = |seq: &Option<i64>| matrix?.whole((*seq)?).map(<[f32]>::to_vec);
        seqs.iter().map(whole).collect()
    }

    /// Entries compared with a query. There is no result for any if the query has another dimension or nothing is loaded.
    pub fn compare(&self, entries: &[Neighbours], query: &[f32]) -> Vec<Option<Comparison>> {
        self.index.compare(entries, query)
    }

    /// Memory use in bytes.
    pub fn bytes(&self) -> usize {
        self.index.bytes()
    }

    /// The `limit` nearest entries, nearest first, ties newest first.
    pub async fn search(
        self: &Arc<Self>,
        db: &Database,
        known: &RowCache,
        vector: &[f32],
        filter: &MemoryFilter,
        limit: usize,
    ) -> DbResult<Vec<ListHit>> {
        let Some(asked) = AskedVector::new(vector) else { return Ok(Vec::new()) };
        if limit == 0 || expression::within(&filter.scope_filter, db.workspace_id()) == Within::Nothing {
            return Ok(Vec::new());
        }
        let among = if filter.is_conditional() { Some(self.meeting.rows(db, filter).await?) } else { None };
        let (scope_filter, activity) = (filter.scope_filter.clone(), filter.activity());
        let within = Box::new(move |place| scope_filter.holds(place));
        let scan = Arc::new(Scan { asked, within, activity, among });
        let nearest = self.index.nearest_in_memory(&scan, limit);
        let (at, nearest) = futures::future::try_join(db.db_version(), nearest).await?;
        let nearest: Vec<(Near, ListHit)> = if let Some(nearest) = nearest {
            // Entries that were destroyed or no longer match the filter are left out.
            let seqs: Vec<i64> = nearest.iter().map(|near| near.seq).collect();
            let rows = known.get(db, at, &seqs).await?.into_iter();
            let rows = rows.map(|row| row.filter(|row| activity.lets_through(row.active)));
            nearest.into_iter().zip(rows).filter_map(|(near, row)| Some((near, row?.hit))).collect()
        } else {
            let file = EntryFile { index: &self.index, db, known, at, query: vector, activity };
            self.index.nearest_in_file(&file, &scan, limit).await?
        };
        let found = |(near, hit): (Near, ListHit)| {
            let BestPassage { cosine, range } = near.passage;
            ListHit { score: cosine, vector: near.vector, passage: range, ..hit }
        };
        let mut hits: Vec<ListHit> = nearest.into_iter().map(found).collect();
        hits.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| b.id.cmp(&a.id)));
        Ok(hits)
    }
}
