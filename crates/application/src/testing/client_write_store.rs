//! Writes of clients in an [`InMemoryDatabase`].

use chrono::{DateTime, Utc};
use inklings_domain::{
    client_write::{ClientWrite, NoteMark, Wrote},
    fact::FactSource,
    ids::{ClaimId, ClientId, ConversationId, MessageId},
    scratchpad::WorkingNote,
};

use super::{
    clock::next_order,
    memory_store::{InMemoryDatabase, Tables},
};
use crate::ports::{
    client_write_store::{ClientAct, ClientWriteStore, Reversal},
    error::StoreError,
    fact_store::FactStore,
    scratchpad_store::ScratchpadStore,
    settings::{SettingsStore, Topic},
    transcript_store::TranscriptStore,
};

type Kept = (Wrote, Option<WorkingNote>);

impl Tables {
    /// Lets go of what clients wrote in a conversation.
    pub(super) fn forget_writes_in(&mut self, room: ConversationId) {
        self.client_writes.retain(|(write, _)| match &write.wrote {
            Wrote::Message { conversation, .. } | Wrote::Note { conversation, .. } => *conversation != room,
            _ => true,
        });
    }

    fn standing(&self, sequence: u64) -> Result<usize, StoreError> {
        let open = |(write, _): &(ClientWrite, _)| write.sequence == sequence && write.undone_at.is_none();
        self.client_writes.iter().position(open).ok_or(StoreError::Moved("client write"))
    }
}

impl InMemoryDatabase {
    async fn carry_out(&self, act: ClientAct<'_>, at: DateTime<Utc>) -> Result<Vec<Kept>, StoreError> {
        Ok(match act {
            ClientAct::Fact(fact) => {
                self.put_fact(fact, FactSource::Agent, None).await?;
                vec![(Wrote::Fact { fact: fact.id, made: fact.version }, None)]
            }
            ClientAct::Claim(claim) => {
                self.add_claim(claim).await?;
                if !self.tables().facts.is_open(claim.id) {
                    return Ok(Vec::new());
                }
                vec![(Wrote::Claim { claim: claim.id, fact: claim.fact }, None)]
            }
            ClientAct::Say(conversation, message) => {
                self.append(conversation, std::slice::from_ref(message)).await?;
                vec![(Wrote::Message { message: message.id, conversation }, None)]
            }
            ClientAct::Note(note) => {
                let before = self.notes(note.conversation, note.updated_at).await?;
                self.write_note(note).await?;
                let (conversation, key) = (note.conversation, note.key.clone());
                let made = Some(NoteMark::of(note));
                let before = before.into_iter().find(|before| before.key == note.key);
                vec![(Wrote::Note { conversation, key, made }, before)]
            }
            ClientAct::ClearNotes(conversation, key) => {
                let mut gone = self.notes(conversation, at).await?;
                gone.retain(|note| key.is_none_or(|key| note.key == key));
                self.clear_notes(conversation, key, false).await?;
                let kept = |note: WorkingNote| {
                    (Wrote::Note { conversation, key: note.key.clone(), made: None }, Some(note))
                };
                gone.into_iter().map(kept).collect()
            }
            ClientAct::Setting(key, value) => {
                let before = self.setting(key).await?;
                if before.as_deref() == Some(value) {
                    return Ok(Vec::new());
                }
                self.set_setting(key, value).await?;
                vec![(Wrote::Setting { key: key.to_owned(), before, made: value.to_owned() }, None)]
            }
        })
    }

    async fn reverse(&self, reversal: &Reversal, at: DateTime<Utc>) -> Result<(), StoreError> {
        match reversal {
            Reversal::Nothing => Ok(()),
            Reversal::Fact(fact) => self.put_fact(fact, FactSource::User, None).await,
            Reversal::Reject(claim) => self.reject_claim(*claim, at).await,
            Reversal::Withdraw(message) => {
                let mut tables = self.tables();
                let room = tables.withdraw(*message)?;
                let said = tables.transcript.of(room).filter(|m| !m.is_marker()).map(|m| m.body.at).max();
                if let Some(talk) = tables.conversations.get_mut(&room) {
                    talk.active_at = said.unwrap_or(talk.started_at);
                }
                tables.announce(Topic::Transcript);
                Ok(())
            }
            Reversal::Note { conversation, key, stands, becomes } => {
                let current = self.notes(*conversation, at).await?.into_iter().find(|note| note.key == *key);
                if current.as_ref().map(NoteMark::of) != *stands {
                    return Err(StoreError::Moved("note"));
                }
                self.clear_notes(*conversation, Some(key), false).await?;
                match becomes {
                    Some(note) => self.write_note(note).await,
                    None => Ok(()),
                }
            }
            Reversal::Setting { key, stands, becomes } => {
                if self.setting(key).await?.as_ref() != Some(stands) {
                    return Err(StoreError::Moved("setting"));
                }
                self.set_setting(key, becomes).await
            }
        }
    }
}

#[async_trait::async_trait]
impl ClientWriteStore for InMemoryDatabase {
    async fn write(
        &self,
        client: ClientId,
        act: ClientAct<'_>,
        at: DateTime<Utc>,
    ) -> Result<usize, StoreError> {
        let kept = self.carry_out(act, at).await?;
        let mut tables = self.tables();
        let count = kept.len();
        for (wrote, before) in kept {
            let sequence = tables.client_writes.last().map_or(1, |(last, _)| last.sequence + 1);
            let write = ClientWrite { sequence, order: next_order(), client, at, wrote, undone_at: None };
            tables.client_writes.push((write, before));
        }
        tables.announce(Topic::Transcript);
        Ok(count)
    }

    async fn writes_of(&self, client: ClientId) -> Result<Vec<ClientWrite>, StoreError> {
        let tables = self.tables();
        let own = tables.client_writes.iter().map(|(write, _)| write).filter(|write| write.client == client);
        Ok(own.cloned().collect())
    }

    async fn messages_of_clients(
        &self,
        conversation: ConversationId,
    ) -> Result<Vec<(MessageId, ClientId)>, StoreError> {
        let tables = self.tables();
        let standing = tables.client_writes.iter().map(|(write, _)| write).filter(|w| w.undone_at.is_none());
        let said = standing.filter_map(|write| match &write.wrote {
            Wrote::Message { message, conversation: of } if *of == conversation => {
                Some((*message, write.client))
            }
            _ => None,
        });
        Ok(said.collect())
    }

    async fn note_before(&self, write: u64) -> Result<Option<WorkingNote>, StoreError> {
        let tables = self.tables();
        let found = tables.client_writes.iter().find(|(known, _)| known.sequence == write);
        Ok(found.and_then(|(_, before)| before.clone()))
    }

    async fn was_accepted(&self, claim: ClaimId) -> Result<bool, StoreError> {
        Ok(self.tables().facts.was_accepted(claim))
    }

    async fn take_back(&self, write: u64, reversal: &Reversal, at: DateTime<Utc>) -> Result<(), StoreError> {
        self.tables().standing(write)?;
        self.reverse(reversal, at).await?;
        let mut tables = self.tables();
        let row = tables.standing(write)?;
        tables.client_writes[row].0.undone_at = Some(at);
        tables.client_writes[row].1 = None;
        tables.announce(Topic::Transcript);
        Ok(())
    }
}
