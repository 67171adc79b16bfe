//! Views of named entries.

use crate::vocabulary::{Curator, Scope};
use serde::{Deserialize, Serialize};
use specta::Type;

/// A named entry.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct NamedEntryView {
    pub id: String,
    pub name: String,
    /// Other names that resolve to it.
    pub aliases: Vec<String>,
    /// Tier: workspace or account.
    pub scope: Scope,
    /// Text; empty until it is first written.
    pub content: String,
    /// Hint about the expected content; empty for entries that the worldbuilder created.
    pub placeholder: String,
    /// True for the built-in entries.
    pub standing: bool,
    /// Owner of the entry.
    pub curator: Curator,
    /// Kind of subject that it describes. A subject is shown to the World Agent where it is spoken of, not always.
    pub subject: Option<String>,
    /// Version, required for edits.
    pub version: u32,
    /// Estimated tokens that it uses in every orientation; for a subject, in those that it is spoken of in.
    pub tokens: u32,
    /// Creation time.
    pub created_at: String,
    /// Time of the last write; `null` if never written.
    pub edited_at: Option<String>,
}

/// Result of a write of a named entry.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct NamedWritten {
    /// The entry after the write.
    pub entry: NamedEntryView,
    /// Id of the change, for undo.
    pub change_id: String,
}

/// A new named entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct NewNamedEntry {
    /// Tier: workspace or account.
    pub scope: Scope,
    pub name: String,
    /// Text; may be empty.
    pub content: String,
}
