//! View of the memory tiers with their counts.

use crate::vocabulary::Scope;
use serde::{Deserialize, Serialize};
use specta::Type;
use specta_typescript::Number;

/// Counts of a tier.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct TierOverview {
    pub scope: Scope,
    /// Number of entries in use.
    pub active: u32,
    /// Number of forgotten entries.
    pub forgotten: u32,
    /// Entries in use whose curator is the author.
    pub by_author: u32,
    /// Entries in use whose curator is an agent.
    pub by_agent: u32,
    /// Entries in use that were imported.
    pub by_import: u32,
    /// Named entries in use.
    pub named: u32,
    /// Creation time of the oldest entry in use.
    pub oldest: Option<String>,
    /// Creation time of the newest entry in use.
    pub newest: Option<String>,
    /// Total size of all texts in bytes of UTF-8, including forgotten entries.
    #[specta(type = Number)]
    pub bytes: f64,
    /// Entries in use with a relevance below 0.05.
    pub fading: u32,
    /// Time of the last consolidation of the tier.
    pub last_consolidation: Option<String>,
}
