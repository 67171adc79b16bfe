//! Port for storing the agent's working notes.

use chrono::{DateTime, Utc};
use inklings_domain::{ids::ConversationId, scratchpad::WorkingNote};

use crate::store_error::StoreError;

/// Reads and writes the scratchpads of one workspace's conversations. Expired notes are never returned and
/// are removed at later writes. Notes with a time to live are removed when their conversation ends.
#[async_trait::async_trait]
pub trait ScratchpadStore: Send + Sync {
    /// Writes a note. Replacing a note of the same key keeps its creation time.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] if there is no such conversation; [`StoreError::Refused`] if the scratchpad
    /// already has [`MAX_KEYS`](inklings_domain::scratchpad::MAX_KEYS) other keys.
    async fn write_note(&self, note: &WorkingNote) -> Result<(), StoreError>;

    /// Reads a note. Restarts its time to live, unless the folder is read-only.
    async fn read_note(
        &self,
        conversation: ConversationId,
        key: &str,
        now: DateTime<Utc>,
    ) -> Result<Option<WorkingNote>, StoreError>;

    /// All notes of a conversation by key; does not restart times to live.
    async fn notes(
        &self,
        conversation: ConversationId,
        now: DateTime<Utc>,
    ) -> Result<Vec<WorkingNote>, StoreError>;

    /// The `limit` most recently written notes of all conversations, newest first.
    async fn newest_notes(&self, now: DateTime<Utc>, limit: usize) -> Result<Vec<WorkingNote>, StoreError>;

    /// Removes one note, or all notes of a conversation; with `working_only`, only those with a time to live.
    /// Returns the number removed.
    async fn clear_notes(
        &self,
        conversation: ConversationId,
        key: Option<&str>,
        working_only: bool,
    ) -> Result<usize, StoreError>;
}
