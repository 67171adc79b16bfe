//! What a list or a search may look at.

use serde::{Deserialize, Serialize};
use specta::Type;

use crate::{
    memory::view::MemoryRow,
    vocabulary::{Facet, Scope, Sort},
};

/// One condition. Values of one facet are alternatives, facets add up, negated values exclude.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct FacetTerm {
    /// Which property.
    pub facet: Facet,
    /// Which value.
    pub value: String,
    /// True to exclude the value.
    pub negated: bool,
}

/// Tiers, channels, conversations and facets together.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct MemoryFilter {
    /// One tier, or all.
    pub scope: Option<Scope>,
    /// One channel: narrows the channel and conversation tiers to it.
    pub channel_id: Option<String>,
    /// One conversation: narrows the conversation tier to it.
    pub conversation_id: Option<String>,
    /// Conditions.
    pub terms: Vec<FacetTerm>,
}

/// A page of a list is asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ListRequest {
    /// Which entries.
    pub filter: MemoryFilter,
    /// In which order.
    pub sort: Sort,
    /// Where the page starts: the `next` of the page before.
    pub after: Option<String>,
    /// How many entries, at most 500.
    pub limit: u32,
}

/// A page of a list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct MemoryPage {
    /// The entries.
    pub rows: Vec<MemoryRow>,
    /// Where the next page starts; `null` at the end.
    pub next: Option<String>,
}

/// How often a value occurs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct FacetCount {
    /// The value.
    pub value: String,
    /// How many entries have it.
    pub count: u32,
}

/// The values of one facet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct FacetValues {
    /// Which facet.
    pub facet: Facet,
    /// Its values by falling count.
    pub values: Vec<FacetCount>,
}

/// How many entries each tier holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ScopeCounts {
    /// Account tier.
    pub account: u32,
    /// Workspace tier.
    pub workspace: u32,
    /// Channel tier.
    pub channel: u32,
    /// Conversation tier.
    pub conversation: u32,
}
