//! Vector search over the texts of one model, of one kind: entries, messages or pages.
//!
//! The result is exact. The scan of quantised vectors gives each passage an upper bound of its cosine. The exact cosines of their
//! texts, each that of its best passage, are computed in order of descending bound, until the worst of the best `limit` exceeds
//! every remaining bound. Small stores have the unrounded vectors in memory; those of larger ones are read from the file.

use std::{
    collections::{HashMap, HashSet},
    fmt,
    future::Future,
    hash::Hash,
    ops::Range,
    sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard},
};

use inklings_domain::memory::embedding::ModelId;
use tokio::task;

use super::{
    matrix::{AskedVector, BestPassage, Candidates, Matrix, Scan},
    utterances::{Comparison, Neighbours, compare},
};
use crate::{
    error::{DbError, DbResult},
    vector::{kernels::Kernel, quantise::exact},
};

/// The most bytes of a model's vectors that stay in memory unrounded, so that small worlds (the majority) are
/// searched without reading vectors from the file. Beyond it only the quantised vectors stay, at a quarter of
/// the size.
pub const WHOLE_BYTES: usize = 48 << 20;
/// Number of candidates whose exact cosines are computed per round after the first.
const ROUND: usize = 256;
/// How many times as many candidates a further scan retains, if those of the last were passages of too few texts.
const WIDER: usize = 8;

/// The vectors of one model in memory, for texts in places of the type `P`.
#[derive(Debug)]
pub struct VectorIndex<P> {
    model: ModelId,
    kernel: Kernel,
    /// `None` until the first vector gives the dimension.
    matrix: RwLock<Option<Matrix<P>>>,
    /// The most bytes of unrounded vectors to retain.
    whole_bytes: usize,
}

/// Which of two vectors of different dimensions is the newer one: the one in the matrix, or the one that is added. A model gives
/// vectors of another dimension when its folder has other files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Newer {
    Present,
    Added,
}

/// A text with its best passage.
#[derive(Debug)]
pub struct Near {
    /// The row number of the text.
    pub seq: i64,
    pub passage: BestPassage,
    /// The unrounded vector of a text of one passage.
    pub vector: Option<Vec<f32>>,
}

impl Near {
    /// The order of results: nearest first, ties newest first.
    fn is_before(&self, other: &Self) -> bool {
        let (own, other_cosine) = (self.passage.cosine, other.passage.cosine);
        other_cosine.total_cmp(&own).then_with(|| other.seq.cmp(&self.seq)).is_lt()
    }

    /// A text by its first vector, which ends at `first_end` if the text has several passages.
    pub fn by_first(seq: i64, vector: Vec<f32>, first_end: Option<i64>, query: &[f32]) -> Self {
        let end = first_end.and_then(|end| usize::try_from(end).ok()).filter(|end| *end > 0);
        let passage = BestPassage { cosine: exact(&vector, query), range: end.map(|end| 0..end) };
        Self { seq, passage, vector: end.is_none().then_some(vector) }
    }

    /// Takes a further passage if it is nearer.
    pub fn offer(&mut self, range: Range<u32>, vector: &[f32], query: &[f32]) {
        if vector.len() != query.len() {
            return;
        }
        let cosine = exact(vector, query);
        if cosine > self.passage.cosine {
            self.passage = BestPassage { cosine, range: Some(range.start as usize..range.end as usize) };
        }
    }
}

/// Reads unrounded vectors from the database.
pub trait VectorFile {
    /// What is read with the vector of a text.
    type Row: Send;

    /// The exact cosines of the texts with these row numbers. Those that no longer exist are left out.
    fn exact(&self, seqs: &[i64]) -> impl Future<Output = DbResult<Vec<(Near, Self::Row)>>> + Send;
}

impl<P: Copy + Eq + Hash + fmt::Debug + Send + Sync + 'static> VectorIndex<P> {
    /// An empty index.
    pub fn new(model: ModelId, whole_bytes: usize) -> Self {
        Self { model, kernel: Kernel::detect(), matrix: RwLock::new(None), whole_bytes }
    }

    /// The model of the vectors.
    pub const fn model(&self) -> &ModelId {
        &self.model
    }

    /// The most bytes of unrounded vectors that it retains.
    pub const fn whole_bytes(&self) -> usize {
        self.whole_bytes
    }

    /// Memory use in bytes.
    pub fn bytes(&self) -> usize {
        self.read().as_ref().map_or(0, Matrix::bytes)
    }

    /// The matrix, to read.
    pub fn read(&self) -> RwLockReadGuard<'_, Option<Matrix<P>>> {
        self.matrix.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// The matrix, to change.
    pub fn write(&self) -> RwLockWriteGuard<'_, Option<Matrix<P>>> {
        self.matrix.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// The matrix for a vector of this dimension, with room for `capacity` vectors when it is new. The newest vector decides the
    /// dimension.
    pub fn matrix_for<'m>(
        &self,
        slot: &'m mut Option<Matrix<P>>,
        dimension: usize,
        newer: Newer,
        capacity: usize,
    ) -> &'m mut Matrix<P> {
        if newer == Newer::Added && slot.as_ref().is_some_and(|matrix| matrix.dimension() != dimension) {
            *slot = None;
        }
        slot.get_or_insert_with(|| {
            let mut matrix = Matrix::new(dimension, self.kernel, self.whole_bytes);
            matrix.reserve(capacity);
            matrix
        })
    }

    /// The row numbers of texts by those of their vectors, as they were when they were read.
    pub fn stored_at(&self, seqs: &[i64]) -> HashMap<i64, i64> {
        let matrix = self.read();
        let Some(matrix) = matrix.as_ref() else { return HashMap::new() };
        seqs.iter().filter_map(|seq| Some((matrix.stored_at(*seq)?, *seq))).collect()
    }

    /// Texts compared with a query. There is no result for any if the query has another dimension or nothing is loaded.
    pub fn compare(&self, texts: &[Neighbours], query: &[f32]) -> Vec<Option<Comparison>> {
        let matrix = self.read();
        let matrix = matrix.as_ref().filter(|matrix| matrix.dimension() == query.len());
        let asked = matrix.zip(AskedVector::new(query));
        asked.map_or_else(Vec::new, |(matrix, asked)| compare(matrix, &asked, texts))
    }

    /// The `limit` nearest texts, by the unrounded vectors in memory; `None` if these are only in the file.
    pub async fn nearest_in_memory(
        self: &Arc<Self>,
        scan: &Arc<Scan<P>>,
        limit: usize,
    ) -> DbResult<Option<Vec<Near>>> {
        let (this, scan) = (Arc::clone(self), Arc::clone(scan));
        blocking(move || {
            let query = &scan.asked.vector;
            let matrix = this.read();
            let matrix = matrix.as_ref().filter(|m| m.is_whole() && m.dimension() == query.len())?;
            let (mut most, mut floor) = (limit, f32::NEG_INFINITY);
            let (mut best, mut seen) = (Vec::<Near>::new(), HashSet::new());
            'nearest: loop {
                let open = matrix.scan(&scan, most, floor);
                best.clear();
                seen.clear();
                for candidate in open.best {
                    if best.len() >= limit && f64::from(candidate.bound) < best[limit - 1].passage.cosine {
                        break 'nearest;
                    }
                    if matrix.is_long(candidate.seq) && !seen.insert(candidate.seq) {
                        continue;
                    }
                    let Some(passage) = matrix.best_passage(candidate.seq, query) else { continue };
                    let near = Near { seq: candidate.seq, passage, vector: None };
                    let at = best.partition_point(|other| other.is_before(&near));
                    if at < limit {
                        best.insert(at, near);
                        best.truncate(limit);
                    }
                }
                let bar = bar(best.len() < limit, best.last());
                if open.left_out.is_none_or(|bound| f64::from(bound) < bar) {
                    break;
                }
                // More texts than the scan retained could be among the nearest.
                (most, floor) = wider(most, bar);
            }
            for near in &mut best {
                near.vector = matrix.whole(near.seq).map(<[f32]>::to_vec);
            }
            Some(best)
        })
        .await
    }

    /// The `limit` nearest texts, by the unrounded vectors in the file.
    pub async fn nearest_in_file<F: VectorFile + Sync>(
        self: &Arc<Self>,
        file: &F,
        scan: &Arc<Scan<P>>,
        limit: usize,
    ) -> DbResult<Vec<(Near, F::Row)>> {
        let (mut most, mut open) = (limit, self.scan(scan, limit, f32::NEG_INFINITY).await?);
        let (mut best, mut next, mut seen) = (Vec::<(Near, F::Row)>::new(), 0, HashSet::new());
        loop {
            // The lowest cosine that is still among the best.
            let bar = bar(best.len() < limit, best.last().map(|(near, _)| near));
            let reaches = |bound: f32| f64::from(bound) >= bar;
            let left = open.best[next..].iter().take_while(|c| reaches(c.bound)).count();
            if left == 0 {
                if next < open.best.len() || !open.left_out.is_some_and(reaches) {
                    return Ok(best);
                }
                // More texts than the scan retained could be among the nearest.
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
            for (near, row) in file.exact(&fresh).await? {
                let at = best.partition_point(|(other, _)| other.is_before(&near));
                if at < limit {
                    best.insert(at, (near, row));
                    best.truncate(limit);
                }
            }
        }
    }

    /// Runs on its own thread, so that the full-text search runs at the same time.
    async fn scan(self: &Arc<Self>, scan: &Arc<Scan<P>>, limit: usize, floor: f32) -> DbResult<Candidates> {
        let (this, scan) = (Arc::clone(self), Arc::clone(scan));
        blocking(move || {
            let matrix = this.read();
            let matrix = matrix.as_ref().filter(|m| m.dimension() == scan.asked.vector.len());
            matrix.map_or_else(Candidates::default, |matrix| matrix.scan(&scan, limit, floor))
        })
        .await
    }
}

/// The cosine that a text must reach to be among the best: that of the worst, or none if there is room.
fn bar(is_filling: bool, worst: Option<&Near>) -> f64 {
    worst.filter(|_| !is_filling).map_or(f64::NEG_INFINITY, |near| near.passage.cosine)
}

/// How many candidates the next scan retains, and their least bound: all that reach the bar, if there is one.
fn wider(most: usize, bar: f64) -> (usize, f32) {
    let most = if bar.is_finite() { usize::MAX } else { most.saturating_mul(WIDER) };
    (most, bar as f32)
}

async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> DbResult<T> {
    let done = task::spawn_blocking(work).await;
    done.map_err(|_| DbError::Io(std::io::Error::other("the search by meaning broke off")))
}
