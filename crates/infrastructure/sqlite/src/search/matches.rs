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
    /// Weight of each phrase as a rare word.
    idf: Vec<f64>,
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
        if self.idf.is_empty() {
            self.idf.extend_from_slice(idf);
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

    /// BM25 score of a row; `None` if it has no word of the query.
    pub fn score(&self, seq: i64) -> Option<f64> {
        self.row(seq).map(|row| row.score)
    }

    /// The part of the query's words that at least one of these rows has, from 0 to 1, rare words counted more; `None` if none
    /// of them has one.
    pub fn coverage(&self, seqs: &[i64]) -> Option<f64> {
        let mut has = vec![false; self.idf.len()];
        let mut any = false;
        for row in seqs.iter().filter_map(|seq| self.row(*seq)) {
            any = true;
            let frequencies = self.frequencies.iter().skip(row.at);
            has.iter_mut().zip(frequencies).for_each(|(has, frequency)| *has |= *frequency > 0.0);
        }
        // A word that occurs in half of the texts or more has a weight, too.
        let weight = |idf: &f64| idf.exp().ln_1p();
        let all: f64 = self.idf.iter().map(weight).sum();
        let found: f64 = has.iter().zip(&self.idf).filter(|(has, _)| **has).map(|(_, idf)| weight(idf)).sum();
        (any && all > 0.0).then(|| found / all)
    }

    fn row(&self, seq: i64) -> Option<&Match> {
        self.rows.binary_search_by_key(&seq, |row| row.seq).ok().map(|at| &self.rows[at])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_together_cover_the_words_of_all_of_them() {
        let mut matches = Matches::default();
        let idf = [2.0, 1.0];
        assert!(matches.record(7, 2.0, &[1.0, 0.0], &idf) && matches.record(5, 1.0, &[0.0, 2.0], &idf));
        matches.sort();
        assert_eq!((matches.score(5), matches.score(6), matches.score(7)), (Some(1.0), None, Some(2.0)));
        assert_eq!(matches.coverage(&[6, 8]), None);
        assert_eq!(matches.coverage(&[5, 6, 7]), Some(1.0));
        let (rare, common) =
            (matches.coverage(&[6, 7]).expect("matches"), matches.coverage(&[5]).expect("matches"));
        assert!(rare > common && (rare + common - 1.0).abs() < 1e-9);
    }

    #[test]
    fn too_many_matches_tell_nothing() {
        let mut matches = Matches::default();
        assert!((0..MOST as i64).all(|seq| matches.record(seq, 1.0, &[1.0], &[1.0])));
        assert!(!matches.record(-1, 1.0, &[1.0], &[1.0]));
        assert_eq!(matches.score(3), None);
        assert!(!matches.record(-1, 1.0, &[1.0], &[1.0]));
    }
}
