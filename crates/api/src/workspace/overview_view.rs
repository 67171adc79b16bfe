//! The overview of the tiers as it crosses the boundary.

use crate::vocabulary::Scope;
use serde::{Deserialize, Serialize};
use specta::Type;
use specta_typescript::Number;

/// A tier in figures.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct TierOverview {
    /// Which tier.
    pub scope: Scope,
    /// Entries in use.
    pub active: u32,
    /// Forgotten ones.
    pub forgotten: u32,
    /// In use and the author's.
    pub by_author: u32,
    /// In use and an agent's.
    pub by_agent: u32,
    /// In use and imported.
    pub by_import: u32,
    /// In use and named.
    pub named: u32,
    /// When the oldest in use was made.
    pub oldest: Option<String>,
    /// When the newest in use was made.
    pub newest: Option<String>,
    /// Size of all texts, forgotten ones included, in bytes of UTF-8.
    #[specta(type = Number)]
    pub bytes: f64,
    /// In use with a relevance below 0.05.
    pub fading: u32,
    /// When the tier was consolidated last.
    pub last_consolidation: Option<String>,
}
