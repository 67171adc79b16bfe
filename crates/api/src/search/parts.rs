//! Parts of every search result.

use serde::{Deserialize, Serialize};
use specta::Type;
use specta_typescript::Number;

use crate::vocabulary::ListName;

/// Contribution of one ranked list to a hit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Contribution {
    /// The ranked list.
    pub list: ListName,
    /// Rank in the list, from 1.
    pub rank: u32,
    /// The list's raw value: BM25, cosine, relevance, or minus the tier's distance.
    #[specta(type = Number)]
    pub raw: f64,
    /// The list's weight.
    #[specta(type = Number)]
    pub weight: f64,
    /// Score added; the contributions sum to the hit's score.
    #[specta(type = Number)]
    pub score: f64,
}

/// A range in a text, in UTF-16 code units, as JavaScript counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Span {
    /// First unit.
    pub start: u32,
    /// One past the last unit.
    pub end: u32,
}

/// The search methods that were used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum SearchMode {
    /// Full-text index and vectors.
    Hybrid,
    /// Full-text index only.
    Text,
}
