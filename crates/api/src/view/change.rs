//! Results of writes.

use serde::{Deserialize, Serialize};
use specta::Type;

use crate::view::memory::MemoryDetail;

/// Result of a write.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Change {
    /// Id of the change, for undo.
    pub change_id: String,
    /// Short summary for users.
    pub summary: String,
    /// Ids of the affected entries.
    pub affected: Vec<String>,
    /// True if it can be undone.
    pub undoable: bool,
}

/// Result of a write to one entry, with its current state.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct WriteResult {
    pub change: Change,
    /// The entry after the write.
    pub detail: MemoryDetail,
}

/// Result of a new memory by an actor.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Noted {
    /// It was stored.
    Written(Box<WriteResult>),
    /// It may concern the account, so a proposal was filed for the worldbuilder.
    Proposed {
        /// Id of the proposal; `null` if the same was proposed before.
        proposed: Option<String>,
    },
}

/// Result of an import.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ImportReport {
    /// Id of the change, for undo; `null` if nothing was changed.
    pub change_id: Option<String>,
    /// Number of new entries.
    pub added: u32,
    /// Number of entries whose content changed.
    pub updated: u32,
    /// Number of unchanged entries.
    pub unchanged: u32,
    /// Number of lines that were not picked and would have changed existing content or the account.
    pub left_out: u32,
}
