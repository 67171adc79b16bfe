//! Storage of the agent's working notes.

use chrono::{DateTime, Utc};
use inklings_domain::{ids::ConversationId, scratchpad::WorkingNote};

use crate::store_error::StoreError;

/// Reads and writes the scratchpads of one workspace's conversations. Notes whose time is over are never given out,
/// and are removed when the store happens to write. Those with a time to live go when their conversation ends.
#[async_trait::async_trait]
pub trait ScratchpadStore: Send + Sync {
    /// Writes a note; one of the same key keeps its time of creation.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] if there is no such conversation; [`StoreError::Refused`] if the scratchpad holds
    /// [`MAX_KEYS`](inklings_domain::scratchpad::MAX_KEYS) other keys already.
    async fn write_note(&self, note: &WorkingNote) -> Result<(), StoreError>;

    /// Reads a note. One with a time to live starts it anew, unless the folder is read-only.
    async fn read_note(
        &self,
        conversation: ConversationId,
        key: &str,
        now: DateTime<Utc>,
    ) -> Result<Option<WorkingNote>, StoreError>;

    /// Every note of a conversation by key; starts no time anew.
    async fn notes(
        &self,
        conversation: ConversationId,
        now: DateTime<Utc>,
    ) -> Result<Vec<WorkingNote>, StoreError>;

    /// The `limit` notes of all conversations that were written last, newest first.
    async fn newest_notes(&self, now: DateTime<Utc>, limit: usize) -> Result<Vec<WorkingNote>, StoreError>;

    /// Removes one note, or all of a conversation; `working_only`: only those with a time to live. Gives how many.
    async fn clear_notes(
        &self,
        conversation: ConversationId,
        key: Option<&str>,
        working_only: bool,
    ) -> Result<usize, StoreError>;
}
