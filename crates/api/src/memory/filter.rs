//! Filters and pages of memory lists.

use serde::{Deserialize, Serialize};
use specta::Type;

use crate::{
    view::{lens::LensSpec, memory::MemoryRow},
    vocabulary::{Facet, Scope, Sort},
};

/// One condition. Values of one facet are combined with OR, facets with AND; negated values exclude.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct FacetTerm {
    /// The property.
    pub facet: Facet,
    pub value: String,
    /// True to exclude the value.
    pub negated: bool,
}

/// Filter by tier, channel, conversation and facets.
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
    /// Whose knowledge is shown, and up to when the story has happened; `null`: everything.
    pub lens: Option<LensSpec>,
}

/// Request for a page of a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ListRequest {
    /// Filter of the entries.
    pub filter: MemoryFilter,
    /// Sort order.
    pub sort: Sort,
    /// Cursor: the `next` of the previous page.
    pub after: Option<String>,
    /// Page size, at most 500.
    pub limit: u32,
}

/// A page of a list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct MemoryPage {
    /// The entries.
    pub rows: Vec<MemoryRow>,
    /// Cursor of the next page; `null` at the end.
    pub next: Option<String>,
}

/// Number of entries with one facet value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct FacetCount {
    pub value: String,
    /// Number of entries with the value.
    pub count: u32,
}

/// Values of one facet with counts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct FacetValues {
    pub facet: Facet,
    /// Values in descending order of count.
    pub values: Vec<FacetCount>,
}

/// Number of entries per tier.
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
