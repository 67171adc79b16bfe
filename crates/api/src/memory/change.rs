//! What writes answer with.

use serde::{Deserialize, Serialize};
use specta::Type;

use crate::memory::view::MemoryDetail;

/// What a write did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Change {
    /// The change; undo takes it.
    pub change_id: String,
    /// What it did, in a few words for people.
    pub summary: String,
    /// The entries it touched.
    pub affected: Vec<String>,
    /// True if it can be taken back.
    pub undoable: bool,
}

/// What a write to one entry did, with the entry as it is now.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct WriteResult {
    /// What it did.
    pub change: Change,
    /// The entry as it is now.
    pub detail: MemoryDetail,
}

/// What came of noting something in somebody's name.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Noted {
    /// It is in memory.
    Written(Box<WriteResult>),
    /// It may be about a world, so the worldbuilder decides.
    Proposed {
        /// The proposal; `null` if the same was proposed before.
        proposed: Option<String>,
    },
}

/// What an import did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ImportReport {
    /// The change, for undo; `null` if there was nothing to do.
    pub change_id: Option<String>,
    /// New entries.
    pub added: u32,
    /// Entries whose content changed.
    pub updated: u32,
    /// Entries that were there already.
    pub unchanged: u32,
    /// Lines that would have changed what stands here, or written the account, and that nobody picked.
    pub left_out: u32,
}
