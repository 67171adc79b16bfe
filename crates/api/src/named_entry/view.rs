//! Named entries as they cross the boundary.

use crate::vocabulary::{Curator, Scope};
use serde::{Deserialize, Serialize};
use specta::Type;

/// A named entry.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct NamedEntryView {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Other names that resolve to it.
    pub aliases: Vec<String>,
    /// Its tier: workspace or account.
    pub scope: Scope,
    /// Its text; empty until something is written.
    pub content: String,
    /// What belongs here; empty for entries of the worldbuilder's own making.
    pub placeholder: String,
    /// True for the entries that were there from the start.
    pub standing: bool,
    /// Whose entry it is.
    pub curator: Curator,
    /// Its version, for edits.
    pub version: u32,
    /// Estimated tokens that it takes in every orientation.
    pub tokens: u32,
    /// When it was made.
    pub created_at: String,
    /// When it was last written; `null` if never.
    pub edited_at: Option<String>,
}

/// A named entry after a write.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct NamedWritten {
    /// As it is now.
    pub entry: NamedEntryView,
    /// The change; undo takes it.
    pub change_id: String,
}

/// A new named entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct NewNamedEntry {
    /// Its tier: workspace or account.
    pub scope: Scope,
    /// Its name.
    pub name: String,
    /// Its text; may be empty.
    pub content: String,
}
