//! Views of facts.

use inklings_domain as domain;
use serde::{Deserialize, Serialize};
use specta::Type;

use crate::{
    view::{
        lens::{KnowerView, LensSpec},
        story_time::StoryTime,
    },
    vocabulary::mirror,
};

mirror!(
    /// Source of a fact's value.
    FactSource = domain::fact::FactSource {
        Agent, User,
    }
);

/// A value from an agent that contradicts the author's value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ClaimView {
    pub id: String,
    /// Claimed value.
    pub value: String,
    /// Reference code of the conversation that it came from.
    pub conversation_ref: Option<String>,
    pub at: String,
}

/// A fact.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct FactView {
    pub id: String,
    pub category: String,
    pub key: String,
    /// Current value; empty if removed.
    pub value: String,
    /// When it holds in the story; `null`: always.
    pub story_time: Option<StoryTime>,
    /// Who knows of it, by name; empty: everybody.
    pub known_by: Vec<KnowerView>,
    /// Source of the value.
    pub source: FactSource,
    /// Reference code of the conversation that it came from.
    pub conversation_ref: Option<String>,
    /// Time of its first value.
    pub created_at: String,
    /// Time at which the current value was set.
    pub updated_at: String,
    /// Version number of the value, from 1.
    pub version: u32,
    /// Time of removal.
    pub removed_at: Option<String>,
    /// Open claims that wait for a decision of the worldbuilder.
    pub claims: Vec<ClaimView>,
}

/// A value to set.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct NewFact {
    pub category: String,
    pub key: String,
    pub value: String,
    /// Reference code or id of the conversation that it comes from.
    pub conversation: Option<String>,
    /// When it holds in the story, in dates such as "14 Thaw, 312 –"; blank: always; `null`: at the time that the one fact
    /// of the key has.
    pub holds: Option<String>,
    /// The calendar of the dates; the calendar of the workspace if `null`.
    pub calendar: Option<String>,
}

/// Which fact of a key is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FactOfKey<'f> {
    pub category: &'f str,
    pub key: &'f str,
    /// Dates at which it holds in the story, if the key has several facts.
    pub within: Option<&'f str>,
    /// The calendar of the dates; the calendar of the workspace if `None`.
    pub calendar: Option<&'f str>,
}

/// Request for a list of facts.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct FactList {
    /// Only this category.
    pub category: Option<String>,
    /// Values at this time (RFC 3339), as a single page without claims.
    pub as_of: Option<String>,
    /// Only what holds in the story at some time in these dates.
    pub within: Option<String>,
    /// The calendar of those dates; the calendar of the workspace if `null`.
    pub calendar: Option<String>,
    /// Show only what this lens shows; all of it if `null`.
    pub lens: Option<LensSpec>,
    /// Cursor of the page.
    pub after: Option<String>,
    /// Page size.
    pub limit: u32,
}

/// A page of facts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct FactPage {
    /// Facts ordered by category and key, and by their start in the story.
    pub rows: Vec<FactView>,
    /// Cursor of the next page.
    pub next: Option<String>,
}

/// A current or former value of a fact.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct FactValueView {
    /// Version number.
    pub version: u32,
    pub value: String,
    /// When it held in the story; `null`: always.
    pub story_time: Option<StoryTime>,
    /// Who knew of it, by name; empty: everybody.
    pub known_by: Vec<KnowerView>,
    pub source: FactSource,
    /// Reference code of the conversation that it came from.
    pub conversation_ref: Option<String>,
    /// Time at which it was set.
    pub from: String,
    /// Time at which the next value was set.
    pub until: Option<String>,
    /// True for the version that removed the fact.
    pub removed: bool,
}

/// Result of setting a fact.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct FactWrite {
    pub fact: FactView,
    /// True if the value was stored as a claim.
    pub claimed: bool,
}
