//! Client writes outside memory. Each write is recorded with the data needed to revert it.

use inklings_domain::{
    client::write::{self, Back, ClientWrite, Stays, WriteKind, Wrote},
    conversation::{
        Conversation,
        message::{Message, NewMessage, Role},
    },
    fact::of_key::FactsOfKey,
    hidden,
    ids::{ClientId, ConversationId, MessageId},
    memory::change_set::{ChangeOrder, JournalRow},
    scope::MemoryScope,
};
use inklings_ports::{
    client::write_store::{ClientAct, Reversal},
    conversation::transcript_store::MessageRange,
    store_error::StoreError,
};

use crate::{error::AppError, memory::switch::UNSET, services::ClientWrites};

/// Retries on conflicts with concurrent writers of the same row.
const TRIES: usize = 8;

/// A change made by a client, as listed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ClientChange {
    /// A change of memory, with the tier that identifies its database.
    Memory(MemoryScope, JournalRow),
    /// A write outside memory.
    Other(ClientWrite),
}

impl ClientChange {
    /// Sort key among all changes.
    const fn order(&self) -> ChangeOrder {
        match self {
            Self::Memory(_, row) => row.order,
            Self::Other(write) => write.order,
        }
    }

    /// True unless the change was reverted.
    pub const fn stands(&self) -> bool {
        match self {
            Self::Memory(_, row) => row.undone_by.is_none(),
            Self::Other(write) => write.undone_at.is_none(),
        }
    }
}

/// A write that could not be reverted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotUndone {
    pub write: ClientWrite,
    /// The reason.
    pub why: Stays,
}

/// The result of reverting a client's writes outside memory.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct WritesUndone {
    /// Number of fact values restored and claims removed.
    pub facts: usize,
    /// Number of messages removed.
    pub messages: usize,
    /// Number of removed messages that have later messages of others behind them. Those later messages stay.
    pub answered: usize,
    /// Number of working notes restored.
    pub notes: usize,
    /// Number of settings restored.
    pub settings: usize,
    /// Writes that were not reverted.
    pub not_undone: Vec<NotUndone>,
}

impl ClientWrites<'_> {
    /// All changes of a client, oldest first, including reverted ones.
    pub async fn changes_of_client(&self, client: ClientId) -> Result<Vec<ClientChange>, AppError> {
        let mut changes = Vec::new();
        for scope in [MemoryScope::Workspace, MemoryScope::Account] {
            let made = self.session.ports(scope).store.changes_of_run(client.run()).await?;
            changes.extend(made.into_iter().map(|row| ClientChange::Memory(scope, row)));
        }
        let writes = self.session.workspace.client_writes.writes_of(client).await?;
        changes.extend(writes.into_iter().map(ClientChange::Other));
        changes.sort_by_key(ClientChange::order);
        Ok(changes)
    }

    /// Adds a message as a client, in the agent's role.
    pub(crate) async fn add_message_as(
        &self,
        client: ClientId,
        conversation: &Conversation,
        text: &str,
    ) -> Result<Message, AppError> {
        conversation.takes_messages()?;
        hidden::refuse("message", text)?;
        let at = self.session.clock.now();
        let message = NewMessage::new(self.session.ids.message_id(), Role::Assistant, text, at)?;
        self.session
            .workspace
            .client_writes
            .write(client, ClientAct::Say(conversation.id, &message), at)
            .await?;
        self.session.transcripts().get(message.id).await
    }

    /// The messages of a transcript that clients wrote, those that a branch shares included.
    pub(crate) async fn messages_of_transcript(
        &self,
        conversation: ConversationId,
    ) -> Result<Vec<(MessageId, ClientId)>, AppError> {
        let ports = &self.session.workspace;
        let mut written = Vec::new();
        for part in ports.transcript.parts(conversation).await? {
            written.extend(ports.client_writes.messages_of_clients(part.conversation).await?);
        }
        Ok(written)
    }

    /// Removes one working note, or all notes of a conversation, as a client. Returns the number removed.
    pub(crate) async fn clear_notes_as(
        &self,
        client: ClientId,
        conversation: ConversationId,
        key: Option<&str>,
    ) -> Result<usize, AppError> {
        let act = ClientAct::ClearNotes(conversation, key.map(str::trim));
        Ok(self.session.workspace.client_writes.write(client, act, self.session.clock.now()).await?)
    }

    /// Reverts a client's writes outside memory, newest first.
    pub(super) async fn take_writes_back(&self, client: ClientId) -> Result<WritesUndone, AppError> {
        let mut undone = WritesUndone::default();
        let writes = self.session.workspace.client_writes.writes_of(client).await?;
        for write in writes.into_iter().rev().filter(|write| write.undone_at.is_none()) {
            let reversal = match self.take_write_back(&write).await? {
                Back::AsBefore => continue,
                Back::Becomes(reversal) => reversal,
                Back::Stays(why) => {
                    undone.not_undone.push(NotUndone { write, why });
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

    /// Reverts one write. Returns the position of the removed message, if there was one.
    async fn take_write_back(&self, write: &ClientWrite) -> Result<Back<Option<u64>>, AppError> {
        for _ in 0..TRIES {
            let (reversal, position) = match self.reversal_of_write(write).await? {
                Back::AsBefore => (Reversal::Nothing, None),
                Back::Becomes(found) => found,
                Back::Stays(why) => return Ok(Back::Stays(why)),
            };
            let store = &self.session.workspace.client_writes;
            match store.take_back(write.sequence, &reversal, self.session.clock.now()).await {
                Ok(()) if reversal == Reversal::Nothing => return Ok(Back::AsBefore),
                Ok(()) => return Ok(Back::Becomes(position)),
                // A concurrent write changed the row; read again.
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
        let (ports, now) = (&self.session.workspace, self.session.clock.now());
        let becomes = |back: Reversal| Back::Becomes((back, None));
        Ok(match &write.wrote {
            Wrote::Fact { fact, made } => match ports.facts.fact_by_id(*fact).await? {
                // A scrub deleted the fact.
                None => Back::AsBefore,
                Some(known) => {
                    let history = ports.facts.fact_history(*fact).await?;
                    let of_key = self.session.facts().all_of_key(&known.fact.key).await?;
                    write::fact_before(&known.fact, &history, FactsOfKey(&of_key), *made, now)
                        .map(|before| (Reversal::Fact(before), None))
                }
            },
            Wrote::Claim { claim, .. } => match ports.facts.claim(*claim).await? {
                Some(_) => becomes(Reversal::Reject(*claim)),
                // A rejected claim has no effect; an accepted one is now the worldbuilder's own value.
                None if ports.client_writes.was_accepted(*claim).await? => Back::Stays(Stays::Accepted),
                None => Back::AsBefore,
            },
            Wrote::Message { message, .. } => self.reversal_of_message(*message).await?,
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
                    // The setting has two values. If it does not have the written one, it was already reset.
                    _ => Back::AsBefore,
                }
            }
        })
    }

    async fn reversal_of_message(&self, id: MessageId) -> Result<Back<(Reversal, Option<u64>)>, AppError> {
        let Some(message) = self.session.workspace.transcript.messages(&[id]).await?.pop() else {
            // The conversation still exists (otherwise the write would be gone), so a summary replaced the
            // message.
            return Ok(Back::Stays(Stays::Summarised));
        };
        let is_summarised = self.session.workspace.client_writes.is_summarised(id).await?;
        Ok(write::message_before(&message, is_summarised)
            .map(|()| (Reversal::Withdraw(id), Some(message.position))))
    }

    async fn goes_on_behind(&self, conversation: ConversationId, position: u64) -> Result<bool, AppError> {
        Ok(!self
            .session
            .workspace
            .transcript
            .page(conversation, MessageRange::After(position), 1)
            .await?
            .is_empty())
    }
}
