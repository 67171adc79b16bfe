//! Writes of MCP clients besides memory, each kept with what takes it back.

use chrono::{DateTime, Utc};
use inklings_domain::{
    client::write::{ClientWrite, NoteMark},
    conversation::message::NewMessage,
    fact::{Claim, Fact},
    ids::{ClaimId, ClientId, ConversationId, MessageId},
    scratchpad::WorkingNote,
};

use crate::store_error::StoreError;

/// What a client writes.
#[derive(Debug, Clone, Copy)]
pub enum ClientAct<'a> {
    /// As [`put_fact`](crate::fact::store::FactStore::put_fact) in an agent's name.
    Fact(&'a Fact),
    /// As [`add_claim`](crate::fact::store::FactStore::add_claim). Nothing is kept if the same claim is open already.
    Claim(&'a Claim),
    /// As [`append`](crate::conversation::transcript_store::TranscriptStore::append).
    Say(ConversationId, &'a NewMessage),
    /// As [`write_note`](crate::scratchpad::store::ScratchpadStore::write_note).
    Note(&'a WorkingNote),
    /// As [`clear_notes`](crate::scratchpad::store::ScratchpadStore::clear_notes), those with a time to live and the others.
    /// Those whose time is over are gone already.
    ClearNotes(ConversationId, Option<&'a str>),
    /// As [`set_setting`](crate::workspace::settings::SettingsStore::set_setting). Nothing is kept if it has that value already.
    Setting(&'a str, &'a str),
}

/// What takes a write back, as it was worked out from what stood there.
#[derive(Debug, Clone, PartialEq)]
pub enum Reversal {
    /// It is as it was before already.
    Nothing,
    /// The fact's next value, in the worldbuilder's name.
    Fact(Fact),
    /// The claim is turned down.
    Reject(ClaimId),
    /// The message goes, with its vectors; its position is not used again.
    Withdraw(MessageId),
    /// The note of this key becomes what it was.
    Note {
        /// In which conversation.
        conversation: ConversationId,
        /// Under which key.
        key: String,
        /// What it must be now.
        stands: Option<NoteMark>,
        /// What it becomes; `None` removes it.
        becomes: Option<WorkingNote>,
    },
    /// The setting becomes what it was.
    Setting {
        /// Its key.
        key: String,
        /// What it must be now.
        stands: String,
        /// What it becomes.
        becomes: String,
    },
}

/// Carries out and takes back what clients write in one workspace besides memory.
#[async_trait::async_trait]
pub trait ClientWriteStore: Send + Sync {
    /// Writes, and keeps in the same transaction that this client did. Gives how many rows were written or removed.
    ///
    /// # Errors
    /// Those of the ports that [`ClientAct`] names; nothing is written or kept then.
    async fn write(
        &self,
        client: ClientId,
        act: ClientAct<'_>,
        at: DateTime<Utc>,
    ) -> Result<usize, StoreError>;

    /// What a client wrote, oldest first, also what was taken back. Nothing of conversations that were deleted.
    async fn writes_of(&self, client: ClientId) -> Result<Vec<ClientWrite>, StoreError>;

    /// The messages that clients wrote in a conversation, as far as they are still there, each with its client.
    async fn messages_of_clients(
        &self,
        conversation: ConversationId,
    ) -> Result<Vec<(MessageId, ClientId)>, StoreError>;

    /// The working note that a write replaced or removed; kept until it is taken back or the note's time is over.
    async fn note_before(&self, write: u64) -> Result<Option<WorkingNote>, StoreError>;

    /// True if the worldbuilder made a claim their own word.
    async fn was_accepted(&self, claim: ClaimId) -> Result<bool, StoreError>;

    /// Takes a write back and marks it, in one transaction.
    ///
    /// # Errors
    /// [`StoreError::Moved`] if what it wrote is no longer as the reversal expects, a summary stands for the message by
    /// now, or the write was taken back already. Nothing is changed then.
    async fn take_back(&self, write: u64, reversal: &Reversal, at: DateTime<Utc>) -> Result<(), StoreError>;
}
