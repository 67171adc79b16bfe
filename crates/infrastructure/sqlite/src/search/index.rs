//! Vector search over one model: scans the quantised vectors in memory, then computes the exact cosine of
//! every entry that could be among the nearest.
//!
//! The result is exact. The scan gives each passage an upper bound of its cosine. The exact cosines of their entries,
//! each that of its best passage, are computed in order of descending bound, until the worst of the best `limit` exceeds
//! every remaining bound.

use std::{
    collections::{HashMap, HashSet},
    sync::{
        Arc, PoisonError, RwLock,
        atomic::{AtomicBool, Ordering},
    },
};

use inklings_application::search::store::ListHit;
use inklings_domain::memory::{
    embedding::ModelId,
    filter::{Activity, MemoryFilter},
};
use tokio::task;

use crate::search::{
    expression::{self, Within},
    kernels::Kernel,
    matrix::{AskedVector, BestPassage, Candidates, Matrix},
    meeting::{MeetingRows, RowSet},
    quantise::{MAX_DIMENSION, Query},
    refresh::Cursor,
    row_cache::RowCache,
    utterances::{Comparison, Neighbours, compare},
};
use crate::{
    connection::{Database, version::DbVersion},
    error::{DbError, DbResult},
};

/// Number of candidates whose exact cosines are computed per round after the first.
const ROUND: usize = 256;
/// How many times as many candidates a further scan retains, if those of the last were passages of too few entries.
const WIDER: usize = 8;

/// The vectors of one model in memory.
#[derive(Debug)]
pub struct ModelVectors {
    pub(super) model: ModelId,
    pub(super) kernel: Kernel,
    /// `None` until the first vector gives the dimension.
    pub(super) matrix: RwLock<Option<Matrix>>,
    /// The position of the matrix in the database's changes; `None` before the first load. Locked during
    /// updates.
    pub(super) cursor: tokio::sync::Mutex<Option<Cursor>>,
    /// Set after the first load.
    pub(super) ready: AtomicBool,
    /// Set while a background task updates the matrix.
    pub(super) working: AtomicBool,
    /// The most bytes of unrounded vectors to retain.
    pub(super) whole_bytes: usize,
    /// The rows that the lenses in use show.
    meeting: MeetingRows,
}

impl ModelVectors {
    /// An empty index for a model.
    pub fn new(model: ModelId, whole_bytes: usize) -> Self {
        Self {
            model,
            kernel: Kernel::detect(),
            matrix: RwLock::new(None),
            cursor: tokio::sync::Mutex::new(None),
            ready: AtomicBool::new(false),
            working: AtomicBool::new(false),
            whole_bytes,
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
        let matrix = self.matrix.read().unwrap_or_else(PoisonError::into_inner);
        let matrix = matrix.as_ref();
        let whole = |seq: &Option<i64>| matrix?.whole((*seq)?).map(<[f32]>::to_vec);
        seqs.iter().map(whole).collect()
    }

    /// The row numbers of entries by those of their vectors, as they were when they were read.
    pub(super) fn stored_at(&self, seqs: &[i64]) -> HashMap<i64, i64> {
        let matrix = self.matrix.read().unwrap_or_else(PoisonError::into_inner);
        let Some(matrix) = matrix.as_ref() else { return HashMap::new() };
        seqs.iter().filter_map(|seq| Some((matrix.stored_at(*seq)?, *seq))).collect()
    }

    /// Entries compared with a query. There is no result for any if the query has another dimension or nothing is loaded.
    pub fn compare(&self, entries: &[Neighbours], query: &[f32]) -> Vec<Option<Comparison>> {
        let matrix = self.matrix.read().unwrap_or_else(PoisonError::into_inner);
        let matrix = matrix.as_ref().filter(|matrix| matrix.dimension() == query.len());
        matrix.map_or_else(Vec::new, |matrix| compare(matrix, &AskedVector::new(query), entries))
    }

    /// Memory use in bytes.
    pub fn bytes(&self) -> usize {
        self.matrix.read().unwrap_or_else(PoisonError::into_inner).as_ref().map_or(0, Matrix::bytes)
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
        let direction = vector.iter().all(|x| x.is_finite()) && vector.iter().any(|x| *x != 0.0);
        if limit == 0
            || !direction
            || vector.len() > MAX_DIMENSION
            || expression::within(&filter.scope_filter, db.workspace_id()) == Within::Nothing
        {
            return Ok(Vec::new());
        }
        let among = if filter.is_conditional() { Some(self.meeting.rows(db, filter).await?) } else { None };
        let scan = Scan { query: Arc::new(Query::new(vector)), filter: filter.clone(), among };
        let nearest = self.nearest_in_memory(&scan, vector, limit);
        let (at, nearest) = futures::future::try_join(db.db_version(), nearest).await?;
        match nearest {
            Some(nearest) => with_rows(db, known, at, filter.activity(), nearest).await,
            None => self.nearest_in_file((db, known, at), &scan, vector, limit).await,
        }
    }

    /// Searches the unrounded vectors in memory; `None` if they are not in memory.
    async fn nearest_in_memory(
        self: &Arc<Self>,
        scan: &Scan,
        vector: &[f32],
        limit: usize,
    ) -> DbResult<Option<Vec<Near>>> {
        let (this, scan, vector) = (Arc::clone(self), scan.clone(), vector.to_vec());
        blocking(move || {
            let matrix = this.matrix.read().unwrap_or_else(PoisonError::into_inner);
            let matrix = matrix.as_ref().filter(|m| m.is_whole() && m.dimension() == vector.len())?;
            let (mut most, mut floor) = (limit, f32::NEG_INFINITY);
            let (mut best, mut seen) = (Vec::<Near>::new(), HashSet::new());
            'nearest: loop {
                let open = scan.run(matrix, most, floor);
                best.clear();
                seen.clear();
                for candidate in open.best {
                    if best.len() >= limit && f64::from(candidate.bound) < best[limit - 1].passage.cosine {
                        break 'nearest;
                    }
                    if matrix.is_long(candidate.seq) && !seen.insert(candidate.seq) {
                        continue;
                    }
                    let Some(passage) = matrix.best_passage(candidate.seq, &vector) else { continue };
                    let near = Near { seq: candidate.seq, passage, vector: None };
                    let at = best.partition_point(|other| other.is_before(&near));
                    if at < limit {
                        best.insert(at, near);
                        best.truncate(limit);
                    }
                }
                let bar = bar(best.len() < limit, best.last().map(|near| near.passage.cosine));
                if open.left_out.is_none_or(|bound| f64::from(bound) < bar) {
                    break;
                }
                // More entries than the scan retained could be among the nearest.
                (most, floor) = wider(most, bar);
            }
            for near in &mut best {
                near.vector = matrix.whole(near.seq).map(<[f32]>::to_vec);
            }
            Some(best)
        })
        .await
    }

    /// Searches when the unrounded vectors are only in the file.
    async fn nearest_in_file(
        self: &Arc<Self>,
        stored: (&Database, &RowCache, DbVersion),
        scan: &Scan,
        vector: &[f32],
        limit: usize,
    ) -> DbResult<Vec<ListHit>> {
        let (mut most, mut open) = (limit, self.scan(scan, limit, f32::NEG_INFINITY).await?);
        let (mut best, mut next, mut seen) = (Vec::<ListHit>::new(), 0, HashSet::new());
        loop {
            // The lowest score that is still among the best.
            let bar = bar(best.len() < limit, best.last().map(|hit| hit.score));
            let reaches = |bound: f32| f64::from(bound) >= bar;
            let left = open.best[next..].iter().take_while(|c| reaches(c.bound)).count();
            if left == 0 {
                if next < open.best.len() || !open.left_out.is_some_and(reaches) {
                    return Ok(best);
                }
                // More entries than the scan retained could be among the nearest.
                let floor;
                (most, floor) = wider(most, bar);
                open = self.scan(scan, most, floor).await?;
                open.best.retain(|c| !seen.contains(&c.seq));
                next = 0;
                continue;
            }
            let round = if next == 0 && seen.is_empty() { limit + limit / 4 + 16 } else { ROUND };
            let chosen = &open.best[next..next + left.min(round)];
            let fresh: Vec<i64> = chosen.iter().map(|c| c.seq).filter(|seq| seen.insert(*seq)).collect();
            next += chosen.len();
            best.extend(self.exact(stored, vector, scan.filter.activity(), &fresh).await?);
            best.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| b.id.cmp(&a.id)));
            best.truncate(limit);
        }
    }

    /// Runs on its own thread, so that the full-text search runs at the same time.
    async fn scan(self: &Arc<Self>, scan: &Scan, limit: usize, floor: f32) -> DbResult<Candidates> {
        let (this, scan) = (Arc::clone(self), scan.clone());
        blocking(move || {
            let matrix = this.matrix.read().unwrap_or_else(PoisonError::into_inner);
            let matrix = matrix.as_ref().filter(|m| m.dimension() == scan.query.dimension());
            matrix.map_or_else(Candidates::default, |matrix| scan.run(matrix, limit, floor))
        })
        .await
    }
}

/// The score that an entry must reach to be among the best: that of the worst, or none if there is room.
fn bar(is_filling: bool, worst: Option<f64>) -> f64 {
    worst.filter(|_| !is_filling).unwrap_or(f64::NEG_INFINITY)
}

/// How many candidates the next scan retains, and their least bound: all that reach the bar, if there is one.
fn wider(most: usize, bar: f64) -> (usize, f32) {
    let most = if bar.is_finite() { usize::MAX } else { most.saturating_mul(WIDER) };
    (most, bar as f32)
}

/// The parameters of one search that every scan needs.
#[derive(Debug, Clone)]
struct Scan {
    query: Arc<Query>,
    filter: MemoryFilter,
    among: Option<Arc<RowSet>>,
}

impl Scan {
    fn run(&self, matrix: &Matrix, limit: usize, floor: f32) -> Candidates {
        match &self.among {
            Some(rows) => {
                matrix.scan(&self.query, &self.filter, Some(&|seq| rows.contains(seq)), limit, floor)
            }
            None => matrix.scan(&self.query, &self.filter, None, limit, floor),
        }
    }
}

/// An entry with its best passage.
#[derive(Debug)]
struct Near {
    seq: i64,
    passage: BestPassage,
    vector: Option<Vec<f32>>,
}

impl Near {
    /// The order of results: nearest first, ties newest first.
    fn is_before(&self, other: &Self) -> bool {
        let (own, other_cosine) = (self.passage.cosine, other.passage.cosine);
        other_cosine.total_cmp(&own).then_with(|| other.seq.cmp(&self.seq)).is_lt()
    }
}

/// Reads the rows of entries found in memory. Entries that were destroyed or no longer match the filter are
/// dropped.
async fn with_rows(
    db: &Database,
    known: &RowCache,
    at: DbVersion,
    activity: Activity,
    nearest: Vec<Near>,
) -> DbResult<Vec<ListHit>> {
    let seqs: Vec<i64> = nearest.iter().map(|near| near.seq).collect();
    let rows = known.get(db, at, &seqs).await?;
    let mut hits: Vec<ListHit> = nearest
        .into_iter()
        .zip(rows)
        .filter_map(|(near, row)| {
            let row = row.filter(|row| activity.lets_through(row.active))?;
            let BestPassage { cosine, range } = near.passage;
            Some(ListHit { score: cosine, vector: near.vector, passage: range, ..row.hit })
        })
        .collect();
    hits.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| b.id.cmp(&a.id)));
    Ok(hits)
}

async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> DbResult<T> {
    let done = task::spawn_blocking(work).await;
    done.map_err(|_| DbError::Io(std::io::Error::other("the search by meaning broke off")))
}
