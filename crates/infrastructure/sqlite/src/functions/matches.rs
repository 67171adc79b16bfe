//! Everything that one full-text query matched, so that candidates of other lists get their exact text score, and texts that
//! were said one after another can be scored as one.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, PoisonError},
};

/// Number of queries whose matches are cached: a search reads them once more, and a page asks for several lists at once.
const RECENT: usize = 4;

/// The most matches that are recorded. A query with more of them has only common words, whose places tell little.
const MOST: usize = 1 << 16;

/// The matches of one query, ordered by row number.
#[derive(Debug, Default)]
pub struct Matches {
    rows: Vec<Match>,
    /// Frequencies of each phrase, row by row.
    frequencies: Vec<f32>,
    /// What each phrase counts when texts are compared by which phrases they have: rare words more.
    weights: Vec<f64>,
    /// True if there were more than [`MOST`]: then nothing is known.
    overflow: bool,
}

/// The matches of the latest queries.
#[derive(Debug, Default)]
pub struct RecentMatches(Mutex<VecDeque<Recent>>);

#[derive(Debug)]
struct Recent {
    expression: String,
    tick: i64,
    matches: Arc<Matches>,
}

impl RecentMatches {
    /// The matches of an expression as of a tick of the index's clock, if they are cached.
    pub fn get(&self, expression: &str, tick: i64) -> Option<Arc<Matches>> {
        let recent = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let found = recent.iter().find(|recent| recent.tick == tick && recent.expression == expression)?;
        Some(Arc::clone(&found.matches))
    }

    /// Caches matches instead of the oldest ones.
    pub fn put(&self, expression: String, tick: i64, matches: Matches) -> Arc<Matches> {
        let matches = Arc::new(matches);
        let mut recent = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        recent.retain(|recent| recent.expression != expression);
        recent.truncate(RECENT - 1);
        recent.push_front(Recent { expression, tick, matches: Arc::clone(&matches) });
        matches
    }
}

#[derive(Debug, Clone, Copy)]
struct Match {
    seq: i64,
    score: f64,
    /// Index of its first frequency.
    at: usize,
}

impl Matches {
    /// Adds a match; false once there are too many.
    pub fn record(&mut self, seq: i64, score: f64, frequencies: &[f32], idf: &[f64]) -> bool {
        if self.overflow {
            return false;
        }
        if self.rows.len() >= MOST {
            *self = Self { overflow: true, ..Self::default() };
            return false;
        }
        if self.weights.is_empty() {
            // A word that occurs in half of the texts or more has a weight, too.
            self.weights.extend(idf.iter().map(|idf| idf.exp().ln_1p()));
        }
        self.rows.push(Match { seq, score, at: self.frequencies.len() });
        self.frequencies.extend_from_slice(frequencies);
        true
    }

    /// Brings the matches into the order of their row numbers. A query may score a row twice.
    pub fn sort(&mut self) {
        self.rows.sort_unstable_by_key(|row| row.seq);
        self.rows.dedup_by_key(|row| row.seq);
    }

    /// True if nothing matched.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty() && !self.overflow
    }

    /// A row among the matches; `None` if it has no word of the query.
    pub fn find(&self, seq: i64) -> Option<Found> {
        self.rows.binary_search_by_key(&seq, |row| row.seq).ok().map(Found)
    }

    /// BM25 score of a row.
    pub fn score(&self, found: Found) -> f64 {
        self.rows[found.0].score
    }

    /// The part of the query's words that at least one of these rows has, from 0 to 1, rare words counted more; `None` if there
    /// is no row. `has` is memory to work in.
    pub fn coverage(&self, rows: impl Iterator<Item = Found>, has: &mut Vec<bool>) -> Option<f64> {
        has.clear();
        has.resize(self.weights.len(), false);
        let mut any = false;
        for Found(row) in rows {
            any = true;
            let frequencies = self.frequencies.iter().skip(self.rows[row].at);
            has.iter_mut().zip(frequencies).for_each(|(has, frequency)| *has |= *frequency > 0.0);
        }
        let all: f64 = self.weights.iter().sum();
        let found: f64 =
            has.iter().zip(&self.weights).filter(|(has, _)| **has).map(|(_, weight)| weight).sum();
        (any && all > 0.0).then(|| found / all)
    }
}

/// A row among the matches that it was found in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Found(usize);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_together_cover_the_words_of_all_of_them() {
        let mut matches = Matches::default();
        let idf = [2.0, 1.0];
        assert!(matches.record(7, 2.0, &[1.0, 0.0], &idf) && matches.record(5, 1.0, &[0.0, 2.0], &idf));
        matches.sort();
        let score = |seq| matches.find(seq).map(|row| matches.score(row));
        assert_eq!((score(5), score(6), score(7)), (Some(1.0), None, Some(2.0)));
        let coverage = |seqs: &[i64]| {
            matches.coverage(seqs.iter().filter_map(|seq| matches.find(*seq)), &mut Vec::new())
        };
        assert_eq!(coverage(&[6, 8]), None);
        assert_eq!(coverage(&[5, 6, 7]), Some(1.0));
        let (rare, common) = (coverage(&[6, 7]).expect("matches"), coverage(&[5]).expect("matches"));
        assert!(rare > common && (rare + common - 1.0).abs() < 1e-9);
    }

    #[test]
    fn too_many_matches_tell_nothing() {
        let mut matches = Matches::default();
        assert!((0..MOST as i64).all(|seq| matches.record(seq, 1.0, &[1.0], &[1.0])));
        assert!(!matches.record(-1, 1.0, &[1.0], &[1.0]));
        assert_eq!(matches.find(3), None);
        assert!(!matches.record(-1, 1.0, &[1.0], &[1.0]));
    }
}
