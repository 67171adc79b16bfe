//! All vectors of one model in memory, quantised, with the data that decides whether an entry is in scope.
//!
//! Rows are unordered: the last row replaces a removed one, so there are no holes to skip and nothing to
//! compact.

use std::{borrow::Cow, collections::HashMap};

use inklings_domain::{
    memory::filter::{Activity, MemoryFilter},
    scope::Place,
};

use super::{
    kernels::Kernel,
    quantise::{self, LINE, Line, Query, RowScale},
};

/// The least number of candidates that a scan retains beyond those requested. More are rarely needed.
const KEPT: usize = 512;
/// The scan data of a row beside its bytes.
#[derive(Debug, Clone, Copy)]
struct Row {
    seq: i64,
    scale: RowScale,
    place: u32,
    active: bool,
}

/// An entry that may be among the nearest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Candidate {
    /// The entry's row number in the database.
    pub seq: i64,
    /// Upper bound of its cosine with the query.
    pub bound: f32,
}

/// The result of a scan.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Candidates {
    /// Highest bound first.
    pub best: Vec<Candidate>,
    /// The highest possible bound of an entry that was left out; `None` if none was left out.
    pub left_out: Option<f32>,
}

/// The vectors of one model.
#[derive(Debug)]
pub struct Matrix {
    dimension: usize,
    kernel: Kernel,
    lines: Vec<Line<u8>>,
    /// The unrounded vectors; `None` once there are more than `most_whole` rows.
    whole: Option<Vec<f32>>,
    most_whole: usize,
    rows: Vec<Row>,
    by_seq: HashMap<i64, u32>,
    places: Vec<Place>,
    by_place: HashMap<Place, u32>,
}

impl Matrix {
    /// Creates an empty matrix for vectors of a dimension (at most [`quantise::MAX_DIMENSION`]). Up to
    /// `whole_bytes` bytes of unrounded vectors are retained beside the rounded ones.
    pub fn new(dimension: usize, kernel: Kernel, whole_bytes: usize) -> Self {
        Self {
            dimension,
            kernel,
            lines: Vec::new(),
            whole: Some(Vec::new()),
            most_whole: whole_bytes / size_of::<f32>() / dimension.max(1),
            rows: Vec::new(),
            by_seq: HashMap::new(),
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

    /// Inserts or replaces the vector of an entry. False, without a change, for a vector of another
    /// dimension.
    pub fn put(&mut self, seq: i64, place: Place, active: bool, vector: &[f32]) -> bool {
        if vector.len() != self.dimension {
            return false;
        }
        let width = self.width();
        let Some(index) = self.index_of(seq, active, vector) else { return false };
        let place = self.intern(place);
        let scale = quantise::row(vector, &mut self.lines[index * width..(index + 1) * width]);
        if let Some(whole) = &mut self.whole {
            whole[index * self.dimension..(index + 1) * self.dimension].copy_from_slice(vector);
        }
        self.rows[index] = Row { seq, scale, place, active };
        true
    }

    /// The row index of an entry, created if there is none.
    fn index_of(&mut self, seq: i64, active: bool, vector: &[f32]) -> Option<usize> {
        if let Some(index) = self.by_seq.get(&seq) {
            return Some(*index as usize);
        }
        let (index, width) = (self.rows.len(), self.width());
        let narrow = u32::try_from(index).ok()?;
        // Grows by a quarter: doubling would waste half of the matrix at its largest.
        if self.lines.len() + width > self.lines.capacity() {
            self.lines.reserve_exact((self.lines.len() / 4).max(LINE * width));
        }
        self.lines.resize((index + 1) * width, Line([quantise::ZERO; LINE]));
        self.whole = self.whole.take().filter(|_| index < self.most_whole);
        if let Some(whole) = &mut self.whole {
            whole.extend_from_slice(vector);
        }
        self.by_seq.insert(seq, narrow);
        let scale = RowScale { scale: 1.0, error: 0.0, length: 0.0 };
        self.rows.push(Row { seq, scale, place: 0, active });
        Some(index)
    }

    /// Removes an entry, if present.
    pub fn remove(&mut self, seq: i64) {
        let Some(index) = self.by_seq.remove(&seq) else { return };
        let (index, last, width) = (index as usize, self.rows.len() - 1, self.width());
        self.lines.copy_within(last * width.., index * width);
        self.lines.truncate(last * width);
        if let Some(whole) = &mut self.whole {
            whole.copy_within(last * self.dimension.., index * self.dimension);
            whole.truncate(last * self.dimension);
        }
        self.rows.swap_remove(index);
        if let Some(moved) = self.rows.get(index) {
            self.by_seq.insert(moved.seq, index as u32);
        }
    }

    /// The unrounded vector of an entry, if unrounded vectors are retained.
    pub fn whole(&self, seq: i64) -> Option<&[f32]> {
        let at = *self.by_seq.get(&seq)? as usize * self.dimension;
        self.whole.as_ref()?.get(at..at + self.dimension)
    }

    /// The vector of an entry, rounded if the unrounded ones are not retained.
    pub fn nearly(&self, seq: i64) -> Option<Cow<'_, [f32]>> {
        if let Some(whole) = self.whole(seq) {
            return Some(Cow::Borrowed(whole));
        }
        let (index, width) = (*self.by_seq.get(&seq)? as usize, self.width());
        let lines = self.lines.get(index * width..(index + 1) * width)?;
        Some(Cow::Owned(quantise::rounded(lines, self.rows.get(index)?.scale, self.dimension)))
    }

    /// True if unrounded vectors are retained.
    pub const fn is_whole(&self) -> bool {
        self.whole.is_some()
    }

    /// The row numbers of all entries in the matrix.
    pub fn seqs(&self) -> impl Iterator<Item = i64> {
        self.rows.iter().map(|row| row.seq)
    }

    /// Returns the entries with the highest bounds within the scope filter and activity of the filter: at
    /// least `limit` of them, if there are as many. `among` holds the entries that meet its facet conditions.
    /// Bounds below `floor` are dropped.
    pub fn scan(
        &self,
        query: &Query,
        filter: &MemoryFilter,
        among: Option<&dyn Fn(i64) -> bool>,
        limit: usize,
        floor: f32,
    ) -> Candidates {
        let reachable: Vec<bool> =
            self.places.iter().map(|place| filter.scope_filter.holds(*place)).collect();
        let activity = filter.activity();
        let mut kept = TopK::new(limit.saturating_add(KEPT), floor);
        for (row, lines) in self.rows.iter().zip(self.lines.chunks_exact(self.width().max(1))) {
            let seen = reachable[row.place as usize]
                && match activity {
                    Activity::Active => row.active,
                    Activity::Forgotten => !row.active,
                    Activity::Any => true,
                };
            if seen && among.is_none_or(|among| among(row.seq)) {
                let bound = query.upper_bound(self.kernel.product(lines, query), row.scale);
                kept.offer(Candidate { seq: row.seq, bound });
            }
        }
        kept.finish()
    }

    const fn width(&self) -> usize {
        quantise::lines(self.dimension)
    }

    fn intern(&mut self, place: Place) -> u32 {
        *self.by_place.entry(place).or_insert_with(|| {
            self.places.push(place);
            self.places.len() as u32 - 1
        })
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
