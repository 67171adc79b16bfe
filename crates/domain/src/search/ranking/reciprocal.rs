//! Reciprocal rank fusion.

use super::{FusionStrategy, ListName, ListValues};

/// Weighted reciprocal rank fusion (Cormack, Clarke and Büttcher, SIGIR 2009):
/// `score = sum over lists of weight / (k + rank)`. It uses the lists that every candidate can have.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ReciprocalRank {
    /// Damps the difference between top ranks; 60 in the paper.
    pub k: f64,
    /// Weight of full-text search.
    pub text: f64,
    /// Weight of vector search.
    pub meaning: f64,
    /// Weight of freshness.
    pub freshness: f64,
    /// Weight of nearness.
    pub nearness: f64,
}

impl Default for ReciprocalRank {
    fn default() -> Self {
        Self { k: 60.0, text: 1.0, meaning: 1.0, freshness: 0.3, nearness: 0.3 }
    }
}

impl FusionStrategy for ReciprocalRank {
    fn name(&self) -> &'static str {
        "rrf"
    }

    fn weight(&self, list: ListName) -> f64 {
        match list {
            ListName::Text => self.text,
            ListName::Meaning => self.meaning,
            ListName::Freshness => self.freshness,
            ListName::Nearness => self.nearness,
            _ => 0.0,
        }
    }

    fn share(&self, values: &ListValues, at: usize, _: f64) -> f64 {
        1.0 / (self.k + values.rank(at) as f64)
    }
}
