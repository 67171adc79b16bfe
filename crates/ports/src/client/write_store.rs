//! Port for client writes outside memory. Each write is stored with the data needed to revert it.

use chrono::{DateTime, Utc};
use inklings_domain::{
    client::write::{ClientWrite, NoteMark},
    conversation::message::NewMessage,
    fact::{Claim, Fact},
    ids::{ClaimId, ClientId, ConversationId, MessageId},
    scratchpad::WorkingNote,
};

use crate::store_error::StoreError;

/// A write of a client.
#[derive(Debug, Clone, Copy)]
pub enum ClientAct<'a> {
    /// As [`put_fact`](crate::fact::FactStore::put_fact) in an agent's name.
    Fact(&'a Fact),
    /// As [`add_claim`](crate::fact::FactStore::add_claim). Nothing is recorded if the same claim is
    /// already open.
    Claim(&'a Claim),
    /// As [`append`](crate::conversation::transcript_store::TranscriptStore::append).
    Say(ConversationId, &'a NewMessage),
    /// As [`write_note`](crate::scratchpad::ScratchpadStore::write_note).
    Note(&'a WorkingNote),
    /// As [`clear_notes`](crate::scratchpad::ScratchpadStore::clear_notes), with or without a time to
    /// live. Expired notes are already gone.
    ClearNotes(ConversationId, Option<&'a str>),
    /// As [`set_setting`](crate::workspace::settings::SettingsStore::set_setting). Nothing is recorded if the
    /// value is unchanged.
    Setting(&'a str, &'a str),
}

/// The operation that reverts a write, computed from the current state.
#[derive(Debug, Clone, PartialEq)]
pub enum Reversal {
    /// The state is already as before the write.
    Nothing,
    /// Writes the fact's next value, as the worldbuilder.
    Fact(Fact),
    Reject(ClaimId),
    /// Removes the message with its vectors. Its position is not reused.
    Withdraw(MessageId),
    /// Resets a note to its previous state.
    Note {
        /// Conversation of the note.
        conversation: ConversationId,
        /// Key of the note.
        key: String,
        /// Expected current state; the reversal fails with a conflict if it differs.
        stands: Option<NoteMark>,
        /// State to write; `None` removes the note.
        becomes: Option<WorkingNote>,
    },
    /// Resets a setting to its previous value.
    Setting {
        /// Key of the setting.
        key: String,
        /// Expected current value.
        stands: String,
        /// Value to write.
        becomes: String,
    },
}

/// Applies and reverts client writes outside memory in one workspace.
#[async_trait::async_trait]
pub trait ClientWriteStore: Send + Sync {
    /// Applies a write and records it for this client in the same transaction. Returns how many rows were
    /// written or removed.
    ///
    /// # Errors
    /// Those of the ports that [`ClientAct`] names; nothing is written or recorded then.
    async fn write(
        &self,
        client: ClientId,
        act: ClientAct<'_>,
        at: DateTime<Utc>,
    ) -> Result<usize, StoreError>;

    /// Writes of a client, oldest first, including reverted ones. Writes to deleted conversations are left
    /// out.
    async fn writes_of(&self, client: ClientId) -> Result<Vec<ClientWrite>, StoreError>;

    /// Messages of a conversation that clients wrote and that still exist, each with its client.
    async fn messages_of_clients(
        &self,
        conversation: ConversationId,
    ) -> Result<Vec<(MessageId, ClientId)>, StoreError>;

    /// True if an archive that is in use covers a message: in its conversation, or in a branch that shares it.
    async fn is_summarised(&self, message: MessageId) -> Result<bool, StoreError>;

    /// The working note that a write replaced or removed. Retained until the write is reverted or the note
    /// expires.
    async fn note_before(&self, write: u64) -> Result<Option<WorkingNote>, StoreError>;

    /// True if the worldbuilder accepted the claim.
    async fn was_accepted(&self, claim: ClaimId) -> Result<bool, StoreError>;

    /// Reverts a write and marks it as reverted, in one transaction.
    ///
    /// # Errors
    /// [`StoreError::Moved`] if the current state is not what the reversal expects, if a summary has replaced
    /// the message, or if the write was already reverted. Nothing is changed then.
    async fn take_back(&self, write: u64, reversal: &Reversal, at: DateTime<Utc>) -> Result<(), StoreError>;
}
