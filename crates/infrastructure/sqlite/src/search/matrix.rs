//! All vectors of one model in memory, quantised, with the data that decides whether a text is in scope. A text is an entry,
//! a message or a page, by its row number.
//!
//! Rows are unordered: the last row replaces a removed one, so there are no holes to skip and nothing to
//! compact. A text has a row for each of its passages; nearly all have one.

pub mod file;

use std::{collections::HashMap, fmt, hash::Hash, ops::Range, sync::Arc};

use inklings_domain::memory::{embedding::dot, filter::Activity};
use rustc_hash::FxHashMap;

use super::meeting::RowSet;
use crate::vector::{
    kernels::Kernel,
    quantise::{self, LINE, Line, MAX_DIMENSION, Query, RowScale, exact},
};

/// The least number of candidates that a scan retains beyond those requested. More are rarely needed.
const KEPT: usize = 512;
/// The scan data of a row beside its bytes.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Row {
    seq: i64,
    /// The row number of the vector in the database; 0 for a passage behind the first.
    stored_at: i64,
    scale: RowScale,
    place: u32,
    /// Which passage of the entry it is, from 0.
    ordinal: u32,
    active: bool,
}

/// The passages of a text that has several.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Passages {
    /// The rows of the passages behind the first.
    rows: Vec<u32>,
    /// The bytes of each in the content, including the first.
    ranges: Vec<Range<u32>>,
}

/// The best passage of a text.
#[derive(Debug, Clone, PartialEq)]
pub struct BestPassage {
    /// Its cosine with the query.
    pub cosine: f64,
    /// Its bytes in the content; `None` if the text has no other.
    pub range: Option<Range<usize>>,
}

/// A passage whose text may be among the nearest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Candidate {
    /// The row number of the text in the database.
    pub seq: i64,
    /// Upper bound of the passage's cosine with the query.
    pub bound: f32,
}

/// The result of a scan.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Candidates {
    /// Highest bound first. A text may be in it with several passages.
    pub best: Vec<Candidate>,
    /// The highest possible bound of a passage that was left out; `None` if none was left out.
    pub left_out: Option<f32>,
}

/// What a scan looks for, and where.
pub struct Scan<P> {
    /// The vector to compare with.
    pub asked: AskedVector,
    /// The places within scope.
    pub within: Box<dyn Fn(P) -> bool + Send + Sync>,
    /// Whether active or forgotten texts are wanted.
    pub activity: Activity,
    /// The texts that meet further conditions; `None` without any.
    pub among: Option<Arc<RowSet>>,
}

impl<P> fmt::Debug for Scan<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scan").field("activity", &self.activity).finish_non_exhaustive()
    }
}

/// The vectors of one model, for texts in places of the type `P`.
#[derive(Debug)]
pub struct Matrix<P> {
    dimension: usize,
    kernel: Kernel,
    lines: Vec<Line<u8>>,
    /// The unrounded vectors; `None` once there are more than `most_whole` rows.
    whole: Option<Vec<f32>>,
    most_whole: usize,
    rows: Vec<Row>,
    /// The row of each text's first passage.
    by_seq: FxHashMap<i64, u32>,
    /// Texts of several passages.
    long: FxHashMap<i64, Passages>,
    places: Vec<P>,
    by_place: HashMap<P, u32>,
}

impl<P: Copy + Eq + Hash> Matrix<P> {
    /// Creates an empty matrix for vectors of a dimension (at most [`MAX_DIMENSION`]). Up to
    /// `whole_bytes` bytes of unrounded vectors are retained beside the rounded ones.
    pub fn new(dimension: usize, kernel: Kernel, whole_bytes: usize) -> Self {
        Self {
            dimension,
            kernel,
            lines: Vec::new(),
            whole: Some(Vec::new()),
            most_whole: whole_bytes / size_of::<f32>() / dimension.max(1),
            rows: Vec::new(),
            by_seq: FxHashMap::default(),
            long: FxHashMap::default(),
            places: Vec::new(),
            by_place: HashMap::new(),
        }
    }

    /// Number of components of each vector.
    pub const fn dimension(&self) -> usize {
        self.dimension
    }

    /// Number of vectors.
    #[cfg(test)]
    pub const fn len(&self) -> usize {
        self.rows.len()
    }

    /// Memory use in bytes.
    pub fn bytes(&self) -> usize {
        self.lines.capacity() * LINE
            + self.whole.as_ref().map_or(0, Vec::capacity) * size_of::<f32>()
            + self.rows.capacity() * size_of::<Row>()
            + self.by_seq.capacity() * (size_of::<(i64, u32)>() + 1)
            + self.long.capacity() * (size_of::<(i64, Passages)>() + 1)
            + (self.rows.len() - self.by_seq.len()) * (size_of::<u32>() + size_of::<Range<u32>>())
    }

    /// Reserves room for `more` vectors, so that loading many does not copy the matrix repeatedly.
    pub fn reserve(&mut self, more: usize) {
        self.lines.reserve_exact(more * self.width());
        self.whole = self.whole.take().filter(|_| self.rows.len() + more <= self.most_whole);
        if let Some(whole) = &mut self.whole {
            whole.reserve_exact(more * self.dimension);
        }
        self.rows.reserve_exact(more);
        self.by_seq.reserve(more);
    }

    /// Inserts or replaces the vector of a text, in place of all its passages. `stored_at` is the row number of the vector. False,
    /// without a change, for a vector of another dimension.
    pub fn put(&mut self, (seq, stored_at): (i64, i64), place: P, active: bool, vector: &[f32]) -> bool {
        if vector.len() != self.dimension {
            return false;
        }
        self.remove_passages(seq);
        let place = self.intern(place);
        let known = self.by_seq.get(&seq).map(|index| *index as usize);
        let Some(index) = known.or_else(|| self.push_row(vector)) else { return false };
        self.by_seq.insert(seq, index as u32);
        self.write_row(index, (seq, stored_at, 0), (place, active), vector);
        true
    }

    /// Makes the vector of a text that of the first of several passages, which ends there in the content.
    pub fn begin_passages(&mut self, seq: i64, first_end: u32) {
        if self.by_seq.contains_key(&seq) {
            let ranges = &mut self.long.entry(seq).or_default().ranges;
            ranges.clear();
            ranges.push(0..first_end);
        }
    }

    /// Adds the vector of the next passage of a text of several. False, without a change, if the text has none
    /// or if the vector is of another dimension.
    pub fn add_passage(&mut self, seq: i64, range: Range<u32>, vector: &[f32]) -> bool {
        let Some(first) = self.by_seq.get(&seq).map(|index| self.rows[*index as usize]) else { return false };
        if vector.len() != self.dimension || !self.long.contains_key(&seq) {
            return false;
        }
        let Some(index) = self.push_row(vector) else { return false };
        let passages = self.long.entry(seq).or_default();
        passages.rows.push(index as u32);
        passages.ranges.push(range);
        let ordinal = passages.rows.len() as u32;
        self.write_row(index, (seq, 0, ordinal), (first.place, first.active), vector);
        true
    }

    fn write_row(
        &mut self,
        index: usize,
        (seq, stored_at, ordinal): (i64, i64, u32),
        (place, active): (u32, bool),
        vector: &[f32],
    ) {
        let width = self.width();
        let scale = quantise::row(vector, &mut self.lines[index * width..(index + 1) * width]);
        if let Some(whole) = &mut self.whole {
            whole[index * self.dimension..(index + 1) * self.dimension].copy_from_slice(vector);
        }
        self.rows[index] = Row { seq, stored_at, scale, place, ordinal, active };
    }

    /// Appends a row, to be written at once. `None` if there are too many.
    fn push_row(&mut self, vector: &[f32]) -> Option<usize> {
        let (index, width) = (self.rows.len(), self.width());
        u32::try_from(index).ok()?;
        // Grows by a quarter: doubling would waste half of the matrix at its largest.
        if self.lines.len() + width > self.lines.capacity() {
            self.lines.reserve_exact((self.lines.len() / 4).max(LINE * width));
        }
        self.lines.resize((index + 1) * width, Line([quantise::ZERO; LINE]));
        self.whole = self.whole.take().filter(|_| index < self.most_whole);
        if let Some(whole) = &mut self.whole {
            whole.extend_from_slice(vector);
        }
        let scale = RowScale { scale: 1.0, error: 0.0, length: 0.0 };
        self.rows.push(Row { seq: 0, stored_at: 0, scale, place: 0, ordinal: 0, active: false });
        Some(index)
    }

    /// Removes a text, if present.
    pub fn remove(&mut self, seq: i64) {
        self.remove_passages(seq);
        if let Some(index) = self.by_seq.remove(&seq) {
            self.remove_row(index as usize);
        }
    }

    /// Removes the passages behind the first.
    fn remove_passages(&mut self, seq: i64) {
        // Each removal may move the row of another passage, also of this text.
        while let Some(index) = self.long.get_mut(&seq).and_then(|passages| passages.rows.pop()) {
            self.remove_row(index as usize);
        }
        self.long.remove(&seq);
    }

    fn remove_row(&mut self, index: usize) {
        let (last, width) = (self.rows.len() - 1, self.width());
        self.lines.copy_within(last * width.., index * width);
        self.lines.truncate(last * width);
        if let Some(whole) = &mut self.whole {
            whole.copy_within(last * self.dimension.., index * self.dimension);
            whole.truncate(last * self.dimension);
        }
        self.rows.swap_remove(index);
        let Some(moved) = self.rows.get(index) else { return };
        let place = match moved.ordinal.checked_sub(1) {
            None => self.by_seq.get_mut(&moved.seq),
            Some(at) => self.long.get_mut(&moved.seq).and_then(|long| long.rows.get_mut(at as usize)),
        };
        if let Some(place) = place {
            *place = index as u32;
        }
    }

    /// True if the text has several passages.
    pub fn is_long(&self, seq: i64) -> bool {
        !self.long.is_empty() && self.long.contains_key(&seq)
    }

    /// The best passage of a text, if unrounded vectors are retained.
    pub fn best_passage(&self, seq: i64, query: &[f32]) -> Option<BestPassage> {
        let first = *self.by_seq.get(&seq)?;
        let cosine = |row: u32| Some(exact(self.whole_row(row)?, query));
        let mut best = BestPassage { cosine: cosine(first)?, range: None };
        if let Some(long) = self.long.get(&seq).filter(|_| !self.long.is_empty()) {
            let bytes = |at: usize| long.ranges.get(at).map(|range| range.start as usize..range.end as usize);
            best.range = bytes(0);
            for (at, row) in long.rows.iter().enumerate() {
                let cosine = cosine(*row)?;
                if cosine > best.cosine {
                    best = BestPassage { cosine, range: bytes(at + 1) };
                }
            }
        }
        Some(best)
    }

    fn whole_row(&self, row: u32) -> Option<&[f32]> {
        let at = row as usize * self.dimension;
        self.whole.as_ref()?.get(at..at + self.dimension)
    }

    /// The unrounded vector of a text of one passage, if unrounded vectors are retained.
    pub fn whole(&self, seq: i64) -> Option<&[f32]> {
        let row = *self.by_seq.get(&seq)?;
        if self.is_long(seq) { None } else { self.whole_row(row) }
    }

    /// The row number of a text's vector in the database, when it was read. A rewritten file may have another.
    pub fn stored_at(&self, seq: i64) -> Option<i64> {
        let row = *self.by_seq.get(&seq)?;
        self.rows.get(row as usize).map(|row| row.stored_at)
    }

    /// True if unrounded vectors are retained.
    pub const fn is_whole(&self) -> bool {
        self.whole.is_some()
    }

    /// The row numbers of all texts in the matrix.
    pub fn seqs(&self) -> impl Iterator<Item = i64> {
        self.rows.iter().filter(|row| row.ordinal == 0).map(|row| row.seq)
    }

    /// Returns the passages with the highest bounds among those that the scan looks for: at least `limit` of them, if there are as
    /// many. Bounds below `floor` are dropped.
    pub fn scan(&self, scan: &Scan<P>, limit: usize, floor: f32) -> Candidates {
        let reachable: Vec<bool> = self.places.iter().map(|place| (scan.within)(*place)).collect();
        let query = &scan.asked.rounded;
        let mut best = TopK::new(limit.saturating_add(KEPT), floor);
        for (row, lines) in self.rows.iter().zip(self.lines.chunks_exact(self.width().max(1))) {
            let seen = reachable[row.place as usize] && scan.activity.lets_through(row.active);
            if seen && scan.among.as_ref().is_none_or(|among| among.contains(row.seq)) {
                let bound = query.upper_bound(self.kernel.product(lines, query), row.scale);
                best.offer(Candidate { seq: row.seq, bound });
            }
        }
        best.finish()
    }

    const fn width(&self) -> usize {
        quantise::lines(self.dimension)
    }

    fn row_lines(&self, row: usize) -> &[Line<u8>] {
        &self.lines[row * self.width()..(row + 1) * self.width()]
    }

    fn intern(&mut self, place: P) -> u32 {
        *self.by_place.entry(place).or_insert_with(|| {
            self.places.push(place);
            self.places.len() as u32 - 1
        })
    }
}

/// Cosines are those of unrounded vectors where they are retained, as in the list of the nearest. The products of rows, which are
/// shown nowhere, are those of rounded ones in every store: these are a quarter of the bytes, and recall is the same
/// (`docs/performance.md`).
impl<P: Copy + Eq + Hash> Matrix<P> {
    /// The row of the first passage of a text; `None` without a vector.
    pub fn first(&self, seq: i64) -> Option<usize> {
        self.by_seq.get(&seq).map(|row| *row as usize)
    }

    /// Cosine of a row and a query.
    pub fn cosine(&self, row: usize, query: &AskedVector) -> f64 {
        if let Some(whole) = self.whole_row(row as u32) {
            return f64::from(dot(whole, &query.vector));
        }
        let product = self.kernel.product(self.row_lines(row), &query.rounded);
        query.rounded.estimate(product, self.rows[row].scale)
    }

    /// Dot product of two rows.
    pub fn product(&self, a: usize, b: usize) -> f64 {
        let product = self.kernel.row_product(self.row_lines(a), self.row_lines(b));
        product as f64 * f64::from(self.rows[a].scale.scale) * f64::from(self.rows[b].scale.scale)
    }

    /// The highest cosine of the passages behind the first.
    pub fn nearest_behind(&self, seq: i64, query: &AskedVector) -> Option<f64> {
        let rows = self.long.get(&seq).filter(|_| !self.long.is_empty())?.rows.iter();
        rows.map(|row| self.cosine(*row as usize, query)).max_by(f64::total_cmp)
    }
}

/// A query's vector, with its rounded form.
#[derive(Debug)]
pub struct AskedVector {
    pub vector: Vec<f32>,
    rounded: Query,
}

impl AskedVector {
    /// Rounds the vector. `None` if it has no direction, or more than [`MAX_DIMENSION`] components.
    pub fn new(vector: &[f32]) -> Option<Self> {
        let has_direction = vector.iter().all(|x| x.is_finite()) && vector.iter().any(|x| *x != 0.0);
        (has_direction && vector.len() <= MAX_DIMENSION)
            .then(|| Self { vector: vector.to_vec(), rounded: Query::new(vector) })
    }
}

/// The highest bounds so far. Collects up to twice the requested number, then drops the lower half. That is
/// cheaper than a heap, because most rows fail the threshold test.
struct TopK {
    most: usize,
    threshold: f32,
    found: Vec<Candidate>,
    left_out: Option<f32>,
}

impl TopK {
    fn new(most: usize, floor: f32) -> Self {
        Self { most, threshold: floor, found: Vec::new(), left_out: None }
    }

    #[inline]
    fn offer(&mut self, candidate: Candidate) {
        if candidate.bound >= self.threshold {
            self.found.push(candidate);
            if self.found.len() >= self.most.saturating_mul(2) {
                self.cut();
            }
        }
    }

    fn cut(&mut self) {
        if self.found.len() > self.most {
            let (_, highest, _) = self.found.select_nth_unstable_by(self.most, by_bound);
            self.left_out = Some(self.left_out.map_or(highest.bound, |other| other.max(highest.bound)));
            self.threshold = self.threshold.max(highest.bound);
            self.found.truncate(self.most);
        }
    }

    fn finish(mut self) -> Candidates {
        self.cut();
        self.found.sort_unstable_by(by_bound);
        // Rows rejected by the threshold have lower bounds, and the threshold is itself a bound that was left
        // out.
        Candidates { best: self.found, left_out: self.left_out }
    }
}

fn by_bound(a: &Candidate, b: &Candidate) -> std::cmp::Ordering {
    b.bound.total_cmp(&a.bound).then_with(|| b.seq.cmp(&a.seq))
}

#[cfg(test)]
#[path = "tests/matrix.rs"]
mod tests;
