//! Searches and their answers, with the explanation of every hit.

use serde::{Deserialize, Serialize};
use specta::Type;
use specta_typescript::Number;

use crate::{
    memory::{filter::MemoryFilter, view::MemoryRow},
    vocabulary::ListName,
};

/// A search.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SearchRequest {
    /// What was typed; any string.
    pub query: String,
    /// Which entries.
    pub filter: MemoryFilter,
    /// Hits wanted, at most 200.
    pub limit: u32,
    /// If given, only so many of them are read now; [`SearchResponse::more`] tells whether there are others.
    pub first: Option<u32>,
    /// Name of the fusion strategy; `null` for the default.
    pub strategy: Option<String>,
}

/// What one list gave a hit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Contribution {
    /// Which list.
    pub list: ListName,
    /// Place in the list, from 1.
    pub rank: u32,
    /// The list's own figure: BM25, cosine, relevance, or minus the tier's distance.
    #[specta(type = Number)]
    pub raw: f64,
    /// The list's weight.
    #[specta(type = Number)]
    pub weight: f64,
    /// What it added; the contributions add up to the hit's score.
    #[specta(type = Number)]
    pub score: f64,
}

/// A range in a snippet, in UTF-16 code units, as JavaScript counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Span {
    /// First unit.
    pub start: u32,
    /// One past the last unit.
    pub end: u32,
}

/// Why a hit came up.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Explanation {
    /// What each list gave.
    pub contributions: Vec<Contribution>,
    /// The query's words as they stand in the content.
    pub matched_terms: Vec<String>,
    /// Relevance after decay.
    #[specta(type = Number)]
    pub relevance: f64,
    /// Counted hours since the last access.
    #[specta(type = Number)]
    pub hours_idle: f64,
    /// Share that those hours left.
    #[specta(type = Number)]
    pub retention: f64,
    /// What frequent use adds, as a factor of at least 1.
    #[specta(type = Number)]
    pub frequency_boost: f64,
}

/// A hit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SearchHit {
    /// The entry.
    pub row: MemoryRow,
    /// Its score; larger is better, comparable within one answer only.
    #[specta(type = Number)]
    pub score: f64,
    /// The part of its content to show.
    pub snippet: String,
    /// The query's words in the snippet.
    pub spans: Vec<Span>,
    /// Why it came up.
    pub explanation: Explanation,
    /// Entries that say the same and were folded into this one.
    pub folded: Vec<String>,
}

/// Which lists answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum SearchMode {
    /// Text and meaning.
    Hybrid,
    /// Text alone.
    Text,
}

/// The answer to a search.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SearchResponse {
    /// Hits, best first.
    pub hits: Vec<SearchHit>,
    /// True if only the first of those asked for were read.
    pub more: bool,
    /// Which lists answered.
    pub mode: SearchMode,
    /// Why meaning did not take part, for people.
    pub mode_reason: Option<String>,
    /// The strategy that fused them.
    pub strategy: String,
    /// How long it took, in milliseconds.
    #[specta(type = Number)]
    pub took_ms: f64,
}
