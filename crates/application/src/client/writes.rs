//! What clients write besides memory: each write is kept with what takes it back.

use inklings_domain::{
    client::write::{self, Back, ClientWrite, Stays, WriteKind, Wrote},
    conversation::{
        Conversation,
        message::{Message, NewMessage, Role},
    },
    hidden,
    ids::{ClientId, ConversationId, MessageId},
    memory::change_set::{ChangeOrder, JournalRow},
    scope::MemoryScope,
};

use crate::{
    client::write_store::{ClientAct, Reversal},
    conversation::transcript_store::MessageRange,
    error::AppError,
    memory::switch::UNSET,
    session::Session,
    store_error::StoreError,
};

/// Tries against other writers of the same row.
const TRIES: usize = 8;

/// Something that a client did, as it is listed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ClientChange {
    /// A change of memory, with the tier that names its database.
    Memory(MemoryScope, JournalRow),
    /// Anything else.
    Other(ClientWrite),
}

impl ClientChange {
    /// Its place among all changes.
    const fn order(&self) -> ChangeOrder {
        match self {
            Self::Memory(_, row) => row.order,
            Self::Other(write) => write.order,
        }
    }

    /// True unless it was taken back.
    pub const fn stands(&self) -> bool {
        match self {
            Self::Memory(_, row) => row.undone_by.is_none(),
            Self::Other(write) => write.undone_at.is_none(),
        }
    }
}

/// A write that stays as it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotUndone {
    /// Which.
    pub write: ClientWrite,
    /// Why.
    pub why: Stays,
}

/// What came of taking back what a client wrote besides memory.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct WritesUndone {
    /// Values of facts that are as they were, and claims that are gone.
    pub facts: usize,
    /// Messages that were withdrawn.
    pub messages: usize,
    /// Those of them behind which somebody said something; that stays.
    pub answered: usize,
    /// Working notes that are as they were.
    pub notes: usize,
    /// Settings that are as they were.
    pub settings: usize,
    /// What stays.
    pub kept: Vec<NotUndone>,
}

impl Session {
    /// Everything that a client did, the oldest first, also what was taken back.
    ///
    /// # Errors
    /// [`AppError::Store`] if a database cannot be read.
    pub async fn changes_of_client(&self, client: ClientId) -> Result<Vec<ClientChange>, AppError> {
        let mut changes = Vec::new();
        for scope in [MemoryScope::Workspace, MemoryScope::Account] {
            let made = self.ports(scope).store.changes_of_run(client.run()).await?;
            changes.extend(made.into_iter().map(|row| ClientChange::Memory(scope, row)));
        }
        let writes = self.workspace.client_writes.writes_of(client).await?;
        changes.extend(writes.into_iter().map(ClientChange::Other));
        changes.sort_by_key(ClientChange::order);
        Ok(changes)
    }

    /// Says something in a client's name, in the agent's role.
    pub(crate) async fn say_as(
        &self,
        client: ClientId,
        conversation: &Conversation,
        text: &str,
    ) -> Result<Message, AppError> {
        conversation.takes_messages()?;
        hidden::refuse("message", text)?;
        let at = self.clock.now();
        let message = NewMessage::said(self.ids.message_id(), Role::Assistant, text, at)?;
        self.workspace.client_writes.write(client, ClientAct::Say(conversation.id, &message), at).await?;
        self.message(message.id).await
    }

    /// Removes one working note, or all of a conversation, in a client's name. Gives how many went.
    pub(crate) async fn clear_notes_as(
        &self,
        client: ClientId,
        conversation: ConversationId,
        key: Option<&str>,
    ) -> Result<usize, AppError> {
        let act = ClientAct::ClearNotes(conversation, key.map(str::trim));
        Ok(self.workspace.client_writes.write(client, act, self.clock.now()).await?)
    }

    /// Takes back what a client wrote besides memory, the newest first.
    pub(super) async fn take_writes_back(&self, client: ClientId) -> Result<WritesUndone, AppError> {
        let mut undone = WritesUndone::default();
        let writes = self.workspace.client_writes.writes_of(client).await?;
        for write in writes.into_iter().rev().filter(|write| write.undone_at.is_none()) {
            let reversal = match self.take_write_back(&write).await? {
                Back::AsBefore => continue,
                Back::Becomes(reversal) => reversal,
                Back::Stays(why) => {
                    undone.kept.push(NotUndone { write, why });
                    continue;
                }
            };
            match write.wrote.kind() {
                WriteKind::Fact | WriteKind::Claim => undone.facts += 1,
                WriteKind::Message => undone.messages += 1,
                WriteKind::Note => undone.notes += 1,
                WriteKind::Setting => undone.settings += 1,
            }
            if let (Wrote::Message { conversation, .. }, Some(position)) = (&write.wrote, reversal) {
                undone.answered += usize::from(self.goes_on_behind(*conversation, position).await?);
            }
        }
        Ok(undone)
    }

    /// Takes one write back. Gives the position of a message that went.
    async fn take_write_back(&self, write: &ClientWrite) -> Result<Back<Option<u64>>, AppError> {
        for _ in 0..TRIES {
            let (reversal, position) = match self.reversal_of_write(write).await? {
                Back::AsBefore => (Reversal::Nothing, None),
                Back::Becomes(found) => found,
                Back::Stays(why) => return Ok(Back::Stays(why)),
            };
            let store = &self.workspace.client_writes;
            match store.take_back(write.sequence, &reversal, self.clock.now()).await {
                Ok(()) if reversal == Reversal::Nothing => return Ok(Back::AsBefore),
                Ok(()) => return Ok(Back::Becomes(position)),
                // Somebody writes at this very moment: look again.
                Err(StoreError::Moved(_)) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Err(StoreError::Busy.into())
    }

    async fn reversal_of_write(
        &self,
        write: &ClientWrite,
    ) -> Result<Back<(Reversal, Option<u64>)>, AppError> {
        let (ports, now) = (&self.workspace, self.clock.now());
        let becomes = |back: Reversal| Back::Becomes((back, None));
        Ok(match &write.wrote {
            Wrote::Fact { fact, made } => match ports.facts.fact_by_id(*fact).await? {
                // A scrub took it.
                None => Back::AsBefore,
                Some(known) => {
                    let history = ports.facts.fact_history(*fact).await?;
                    write::fact_before(&known.fact, &history, *made, now)
                        .map(|before| (Reversal::Fact(before), None))
                }
            },
            Wrote::Claim { claim, .. } => match ports.facts.claim(*claim).await? {
                Some(_) => becomes(Reversal::Reject(*claim)),
                // A rejected claim says nothing any more; an accepted one is the worldbuilder's word by now.
                None if ports.client_writes.was_accepted(*claim).await? => Back::Stays(Stays::Accepted),
                None => Back::AsBefore,
            },
            Wrote::Message { message, conversation } => {
                self.reversal_of_message(*message, *conversation).await?
            }
            Wrote::Note { conversation, key, made } => {
                let notes = ports.scratchpads.notes(*conversation, now).await?;
                let current = notes.iter().find(|note| note.key == *key);
                let before = ports.client_writes.note_before(write.sequence).await?;
                write::note_before(current, made.as_ref(), before, now).map(|becomes| {
                    let (conversation, key, stands) = (*conversation, key.clone(), made.clone());
                    (Reversal::Note { conversation, key, stands, becomes }, None)
                })
            }
            Wrote::Setting { key, before, made } => {
                let before = before.as_deref().unwrap_or(UNSET);
                match ports.settings.setting(key).await? {
                    Some(current) if current == *made && current != before => becomes(Reversal::Setting {
                        key: key.clone(),
                        stands: current,
                        becomes: before.to_owned(),
                    }),
                    // It knows two values: what it does not stand at, it was brought back from.
                    _ => Back::AsBefore,
                }
            }
        })
    }

    async fn reversal_of_message(
        &self,
        id: MessageId,
        conversation: ConversationId,
    ) -> Result<Back<(Reversal, Option<u64>)>, AppError> {
        let Some(message) = self.workspace.transcript.messages(&[id]).await?.pop() else {
            // Its conversation stands (else the write would be gone): a summary took its place.
            return Ok(Back::Stays(Stays::Summarised));
        };
        let marker = self.workspace.transcript.latest_marker(conversation).await?;
        let through = marker.and_then(|marker| marker.body.marker).map(|marker| marker.through);
        Ok(write::message_before(&message, through)
            .map(|()| (Reversal::Withdraw(id), Some(message.position))))
    }

    async fn goes_on_behind(&self, conversation: ConversationId, position: u64) -> Result<bool, AppError> {
        Ok(!self.workspace.transcript.page(conversation, MessageRange::After(position), 1).await?.is_empty())
    }
}
